//! The crate `url` as another implementation.

use url::{Url, quirks};
use whatwg_url_reference::code_points::{is_double_dot_url_path_segment, starts_with_a_windows_drive_letter};
use whatwg_url_reference::trace::{UrlState, UrlStateRun};
use whatwg_url_reference::validation::ValidationError;

use crate::comparison::generate::Generated;
use crate::comparison::rules::{erase_ascii_fallback, erase_caret, erase_space_of_opaque_path, has_drive};
use crate::comparison::{Answer, Behaviour, Rule, Tally, Version, generated};

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
    Rule {
        name: "drops the host of a file URL with a Windows drive letter",
        link: "https://github.com/servo/rust-url/issues/1126",
        erase: |difference| {
            if difference.our("protocol") == "file:"
                && has_drive(difference.our("pathname"))
                && difference.their("host").is_empty()
            {
                difference.remove_host();
            }
        },
    },
    Rule {
        name: "removes slashes at the start of the path of a file URL",
        link: "https://github.com/servo/rust-url/issues/290",
        erase: |difference| {
            if difference.our("protocol") == "file:" {
                difference.replace_path(|pathname| format!("/{}", pathname.trim_start_matches('/')));
            }
        },
    },
    Rule {
        name: "takes a reverse solidus behind the port of a URL that is not special for the end of the authority",
        link: "https://url.spec.whatwg.org/#port-state",
        erase: |difference| {
            if matches!(difference.failure(), Some((ValidationError::PortInvalid, behind)) if behind.starts_with('\\'))
            {
                difference.accept();
            }
        },
    },
    Rule {
        name: "takes a reverse solidus for a solidus at the start of a relative reference to a URL that is not special",
        link: "https://github.com/web-platform-tests/wpt/pull/58840",
        erase: |difference| {
            if difference.has_run(|base, run| {
                matches!(run.state, UrlState::Relative | UrlState::RelativeSlash)
                    && run.code_point == Some('\\')
                    && base.is_some_and(|base| !base.is_special())
            }) {
                difference.accept();
            }
        },
    },
    Rule {
        name: "refuses more than two slashes before the authority of a relative reference to a special URL",
        link: "https://github.com/servo/rust-url/pull/1136",
        erase: |difference| {
            let is_slash = |run: &UrlStateRun| matches!(run.code_point, Some('/' | '\\'));
            if difference.theirs.is_none()
                && difference.has_run(|_, run| run.state == UrlState::RelativeSlash)
                && difference.has_run(|_, run| run.state == UrlState::SpecialAuthorityIgnoreSlashes && is_slash(run))
            {
                difference.accept();
            }
        },
    },
    Rule {
        name: "accepts an empty host behind credentials in a URL that is not special",
        link: "https://url.spec.whatwg.org/#authority-state",
        erase: |difference| {
            if matches!(difference.failure(), Some((ValidationError::HostMissing, _)))
                && difference.their("host").is_empty()
            {
                difference.accept();
            }
        },
    },
    Rule {
        name: "removes no segment like a Windows drive letter for a double-dot segment",
        link: "https://github.com/servo/rust-url/issues/1130",
        erase: |difference| {
            let is_double_dot =
                |run: &UrlStateRun| run.state == UrlState::Path && is_double_dot_url_path_segment(&run.buffer);
            let set_to = difference.set_to(&["pathname"]).unwrap_or_default().to_ascii_lowercase().replace("%2e", ".");
            let has_drive = difference.their("pathname").split('/').any(starts_with_a_windows_drive_letter);
            if has_drive && (set_to.contains("..") || difference.has_run(|_, run| is_double_dot(run))) {
                difference.accept();
            }
        },
    },
    Rule {
        name: "leaves or omits the dot before a path that begins with two slashes",
        link: "https://github.com/servo/rust-url/issues/984",
        erase: |difference| {
            if difference.before.is_some() {
                difference.remove_dot();
            }
        },
    },
    Rule {
        name: "leaves a slash where the setter of the path empties it",
        link: "https://github.com/servo/rust-url/blob/main/url/tests/expected_failures.txt",
        erase: |difference| {
            if difference.set_to(&["pathname"]).is_some_and(|value| value.is_empty())
                && difference.their("pathname") == "/"
            {
                difference.accept();
            }
        },
    },
    Rule {
        name: "does not set the scheme of a special URL to file",
        link: "https://github.com/servo/rust-url/issues/278",
        erase: |difference| {
            if difference.set_to(&["protocol"]).is_some() && difference.our("protocol") == "file:" {
                difference.accept();
            }
        },
    },
    Rule {
        name: "sets an empty host before a port",
        link: "https://github.com/web-platform-tests/wpt/pull/53458",
        erase: |difference| {
            if difference.set_to(&["host", "hostname"]).is_some_and(|value| value.starts_with(':')) {
                difference.accept();
            }
        },
    },
    Rule {
        name: "adds a slash before a path that the setter begins with a tab or newline",
        link: "https://url.spec.whatwg.org/#path-start-state",
        erase: |difference| {
            if difference.set_to(&["pathname"]).is_some() && difference.case.value.starts_with(['\t', '\n', '\r']) {
                difference.accept();
            }
        },
    },
    Rule {
        name: "leaves the vertical bar of a Windows drive letter",
        link: "https://github.com/servo/rust-url/issues/889",
        erase: |difference| {
            if difference.our("protocol") == "file:" && has_drive(difference.our("pathname")) {
                difference.replace_path(|pathname| match pathname.split_once('|') {
                    Some((drive, rest)) if drive.len() == 2 => format!("{drive}:{rest}"),
                    _ => pathname.to_owned(),
                });
            }
        },
    },
    Rule {
        name: "ends a segment that a tab or newline makes begin like a Windows drive letter",
        link: "https://url.spec.whatwg.org/#path-state",
        erase: |difference| {
            let ours = difference.our("pathname").replacen(':', ":/", 1);
            let is_file = difference.our("protocol") == "file:" && has_drive(difference.their("pathname"));
            if is_file && ours == difference.their("pathname") {
                difference.accept();
            }
        },
    },
    Rule {
        name: "does not set an empty host that other parts of the value are behind",
        link: "https://url.spec.whatwg.org/#file-host-state",
        erase: |difference| {
            if difference.set_to(&["host", "hostname"]).is_some() && difference.our("protocol") == "file:" {
                let is_unchanged = difference.previous("href") == difference.their("href");
                if difference.our("host").is_empty() && is_unchanged {
                    difference.accept();
                }
            }
        },
    },
    Rule {
        name: "sets an empty host behind credentials",
        link: "https://url.spec.whatwg.org/#host-state",
        erase: |difference| {
            let is_unchanged = difference.previous("href") == difference.our("href");
            if difference.set_to(&["host", "hostname"]).is_some() && is_unchanged && difference.their("host").is_empty()
            {
                difference.accept();
            }
        },
    },
    Rule {
        name: "removes the port for a value of tabs and newlines",
        link: "https://github.com/web-platform-tests/wpt/pull/53420",
        erase: |difference| {
            if difference.set_to(&["port"]).is_some_and(|value| value.is_empty()) {
                difference.accept();
            }
        },
    },
];

fn answer_of(url: &Url) -> Answer {
    let attributes = [
        quirks::href(url),
        &quirks::origin(url),
        quirks::protocol(url),
        quirks::username(url),
        quirks::password(url),
        quirks::host(url),
        quirks::port(url),
        quirks::pathname(url),
        quirks::search(url),
        quirks::hash(url),
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
        "pathname" => {
            quirks::set_pathname(url, value);
            Ok(())
        }
        "search" => {
            quirks::set_search(url, value);
            Ok(())
        }
        _ => {
            quirks::set_hash(url, value);
            Ok(())
        }
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
        tally.compare(&case, behaviour(&case), false, RULES);
    }
    tally.conclude("the crate url", Version::Known, RULES);
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
