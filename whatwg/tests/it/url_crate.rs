//! The crate `url` as another implementation.

use url::{Url, quirks};

use crate::differences::{Answer, Behaviour, Rule, Tally, erase_ascii_fallback, erase_caret, erase_space_of_opaque_path, generated};
use crate::generate::Generated;

const RULES: &[Rule] = &[
    Rule {
        name: "does not encode ^ in paths",
        link: "https://github.com/servo/rust-url/issues/1140",
        erase: erase_caret,
    },
    Rule {
        name: "leaves or removes a space at the end of an opaque path",
        link: "https://github.com/whatwg/url/pull/844",
        erase: erase_space_of_opaque_path,
    },
    Rule {
        name: "validates the labels of ASCII domains",
        link: "https://github.com/whatwg/url/pull/914",
        erase: erase_ascii_fallback,
    },
];

fn answer_of(url: &Url) -> Answer {
    let attributes = [
        quirks::href(url), &quirks::origin(url), quirks::protocol(url), quirks::username(url), quirks::password(url), quirks::host(url),
        quirks::port(url), quirks::pathname(url), quirks::search(url), quirks::hash(url),
    ];
    Some(attributes.map(str::to_owned))
}

fn set(url: &mut Url, setter: &str, value: &str) {
    // What a setter refuses changes nothing.
    let _ = match setter {
        "href" => quirks::set_href(url, value).map_err(drop),
        "protocol" => quirks::set_protocol(url, value),
        "username" => quirks::set_username(url, value),
        "password" => quirks::set_password(url, value),
        "host" => quirks::set_host(url, value),
        "hostname" => quirks::set_hostname(url, value),
        "port" => quirks::set_port(url, value),
        "pathname" => { quirks::set_pathname(url, value); Ok(()) }
        "search" => { quirks::set_search(url, value); Ok(()) }
        _ => { quirks::set_hash(url, value); Ok(()) }
    };
}

/// What the crate does; a panic of a setter is no answer.
fn behaviour(case: &Generated) -> Behaviour {
    let base = case.base.as_deref().map(Url::parse);
    let parsed = match base {
        None => Url::parse(&case.input).ok(),
        Some(base) => base.ok().and_then(|base| base.join(&case.input).ok()),
    };
    let answer = parsed.as_ref().and_then(answer_of);
    let set = parsed.and_then(|mut url| {
        set(&mut url, case.setter, &case.value);
        answer_of(&url)
    });
    Behaviour { parsed: answer, set }
}

fn compare(count: usize) {
    let mut tally = Tally::default();
    for case in generated(count) {
        tally.compare(&case, behaviour(&case), RULES);
    }
    tally.conclude("the crate url", RULES);
}

#[test]
fn url_agrees_or_a_rule_says_why_not() {
    compare(20_000);
}

#[test]
#[ignore = "a million inputs take minutes"]
fn url_agrees_on_a_million_or_a_rule_says_why_not() {
    compare(1_000_000);
}
