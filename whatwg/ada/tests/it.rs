//! The library Ada as another implementation, by its crate.

#[path = "../../tests/it/comparison/mod.rs"]
#[expect(dead_code, reason = "the other comparisons use more of it")]
mod comparison;

use ada_url::Url;
use comparison::generate::Generated;
use comparison::rules::{FEWER_BIDI_LABELS, OTHER_UNICODE, has_drive, is_other_code_point};
use comparison::{Answer, Behaviour, Rule, Tally, Version, generated};

const RULES: &[Rule] = &[
    OTHER_UNICODE,
    FEWER_BIDI_LABELS,
    Rule {
        name: "sets neither the host nor the path where the reference began with a Windows drive letter",
        link: "https://github.com/ada-url/ada/blob/v3.4.4/src/parser.cpp#L899",
        erase: |difference| {
            let is_of_file = difference.case.base.as_deref().is_some_and(|base| base.starts_with("file:"));
            let is_unchanged = difference.previous("href") == difference.their("href");
            let is_set = difference.set_to(&["host", "hostname", "pathname"]).is_some();
            if is_set && is_of_file && is_unchanged && has_drive(difference.previous("pathname")) {
                difference.accept();
            }
        },
    },
];

fn answer_of(url: &Url) -> Answer {
    let origin = url.origin();
    let attributes = [
        url.href(),
        &origin,
        url.protocol(),
        url.username(),
        url.password(),
        url.host(),
        url.port(),
        url.pathname(),
        url.search(),
        url.hash(),
    ];
    Some(attributes.map(str::to_owned))
}

fn set(url: &mut Url, setter: &str, value: &str) {
    // What a setter refuses changes nothing.
    let _ = match setter {
        "href" => url.set_href(value),
        "protocol" => url.set_protocol(value),
        "username" => url.set_username(Some(value)),
        "password" => url.set_password(Some(value)),
        "host" => url.set_host(Some(value)),
        "hostname" => url.set_hostname(Some(value)),
        "port" => url.set_port(Some(value)),
        "pathname" => url.set_pathname(Some(value)),
        "search" => {
            url.set_search(Some(value));
            Ok(())
        }
        _ => {
            url.set_hash(Some(value));
            Ok(())
        }
    };
}

/// What the library does.
fn behaviour(case: &Generated) -> Behaviour {
    let parsed = Url::parse(&case.input, case.base.as_deref()).ok();
    let answer = parsed.as_ref().and_then(answer_of);
    let set = parsed.and_then(|mut url| {
        set(&mut url, case.setter, &case.value);
        answer_of(&url)
    });
    Behaviour { parsed: answer, set }
}

/// Whether the library has another host than the reference for a code point that is not ASCII.
fn has_other_code_point(case: &Generated) -> bool {
    let host = |domain: &str| Some(Url::parse(format!("https://{domain}"), None).ok()?.host().to_owned());
    let mut code_points = case.input.chars().chain(case.value.chars()).filter(|c| !c.is_ascii());
    code_points.any(|c| {
        is_other_code_point(
            &c.to_string(),
            host(&c.to_string()).as_deref(),
            host(&format!("a{c}b")).as_deref(),
        )
    })
}

fn compare(count: usize) {
    let mut tally = Tally::default();
    for case in generated(count) {
        tally.compare(&case, behaviour(&case), has_other_code_point(&case), RULES);
    }
    tally.conclude("Ada", Version::Known, RULES);
}

#[test]
fn ada_agrees_or_a_rule_says_why_not() {
    compare(20_000);
}

#[test]
#[ignore = "a million inputs take minutes"]
fn ada_agrees_on_a_million_or_a_rule_says_why_not() {
    compare(1_000_000);
}
