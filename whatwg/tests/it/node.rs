//! Node's class `URL`, which is the library Ada, as a second implementation.

use std::process::Command;

use idna::punycode::decode_to_string;
use whatwg_url_reference::code_points::{is_double_dot_url_path_segment, is_single_dot_url_path_segment};
use whatwg_url_reference::validation::ValidationError;

use crate::comparison::rules::{
    FEWER_BIDI_LABELS, OTHER_UNICODE, domain_of, erase_ascii_fallback, erase_caret, erase_space_of_opaque_path,
};
use crate::comparison::{Rule, Version};
use crate::url_class::UrlClass;

const RULES: &[Rule] = &[
    Rule {
        name: "does not encode ^ in paths",
        link: "https://github.com/ada-url/ada/issues/970",
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
        name: "resolves any reference with a fragment against a URL with an opaque path",
        link: "https://github.com/ada-url/ada/pull/1186",
        erase: |difference| {
            let is_failure = matches!(
                difference.failure(),
                Some((ValidationError::MissingSchemeNonRelativeUrl, _))
            );
            if is_failure && difference.case.base.is_some() && difference.case.input.contains('#') {
                difference.accept();
            }
        },
    },
    Rule {
        name: "has an empty path for one of double-dot segments in a URL that is not special",
        link: "https://url.spec.whatwg.org/#path-state",
        erase: |difference| {
            if difference.our("pathname") == "/" && difference.their("pathname").is_empty() {
                difference.accept();
            }
        },
    },
    Rule {
        name: "takes a first segment that begins like a Windows drive letter for one",
        link: "https://github.com/ada-url/ada/pull/1156",
        erase: |difference| {
            let first = difference.their("pathname").split('/').nth(1).unwrap_or_default();
            let is_longer = matches!(first.as_bytes(), [letter, b':', _, ..] if letter.is_ascii_alphabetic());
            if difference.their("protocol") == "file:" && is_longer {
                difference.accept();
            }
        },
    },
    OTHER_UNICODE,
    FEWER_BIDI_LABELS,
    Rule {
        name: "sets an empty host before a port",
        link: "https://github.com/ada-url/ada/pull/963",
        erase: |difference| {
            if difference.set_to(&["host", "hostname"]).is_some_and(|value| value.starts_with(':')) {
                difference.accept();
            }
        },
    },
    Rule {
        name: "sets no port with a host where there was no host",
        link: "https://url.spec.whatwg.org/#port-state",
        erase: |difference| {
            if difference.set_to(&["host"]).is_some() && difference.previous("host").is_empty() {
                let port = format!(":{}", difference.our("port"));
                if difference.our("host").strip_suffix(&*port) == Some(difference.their("host")) {
                    difference.accept();
                }
            }
        },
    },
    Rule {
        name: "does not set an empty host where there was none",
        link: "https://github.com/ada-url/ada/pull/1157",
        erase: |difference| {
            if difference.set_to(&["host", "hostname"]).is_some()
                && difference.previous("href") == difference.their("href")
            {
                let slashes = difference.our("href").replacen("://", ":", 1);
                if difference.our("host").is_empty() && slashes == difference.their("href").replacen(":/./", ":/", 1) {
                    difference.accept();
                }
            }
        },
    },
    Rule {
        name: "loses the query and the fragment where the setter of the path puts two slashes at its beginning",
        link: "https://github.com/ada-url/ada/pull/1077",
        erase: |difference| {
            let is_set = difference.set_to(&["pathname"]).is_some()
                && difference.our("pathname") == difference.their("pathname");
            if is_set && difference.our("pathname").starts_with("//") && difference.our("host").is_empty() {
                difference.accept();
            }
        },
    },
    Rule {
        name: "removes the port where the setter has none that is valid",
        link: "https://github.com/ada-url/ada/pull/839",
        erase: |difference| {
            let is_set = difference.set_to(&["host", "port"]).is_some();
            if is_set && difference.our("port") == difference.previous("port") && difference.their("port").is_empty() {
                difference.accept();
            }
        },
    },
    Rule {
        name: "removes the port 0 with the setter of the scheme",
        link: "https://github.com/ada-url/ada/pull/1166",
        erase: |difference| {
            if difference.set_to(&["protocol"]).is_some()
                && difference.our("port") == "0"
                && difference.their("port").is_empty()
            {
                difference.accept();
            }
        },
    },
    Rule {
        name: "leaves dot segments",
        link: "https://github.com/ada-url/ada/issues/935",
        erase: |difference| {
            let is_dot = |segment| is_single_dot_url_path_segment(segment) || is_double_dot_url_path_segment(segment);
            if difference.their("pathname").split('/').any(is_dot) {
                difference.accept();
            }
        },
    },
    Rule {
        name: "accepts Punycode that stands for ASCII",
        link: "https://www.unicode.org/reports/tr46/#Modifications",
        erase: |difference| {
            let decoded = |label: &str| decode_to_string(label.strip_prefix("xn--")?);
            let is_ascii = |host: &str| domain_of(host).split('.').filter_map(decoded).any(|label| label.is_ascii());
            let is_one =
                |name: &str| difference.our(name) != difference.their(name) && is_ascii(difference.their(name));
            if is_one("host") || is_one("origin") {
                difference.accept();
            }
        },
    },
];

fn compare(count: usize) {
    let Ok(version) = Command::new("node").arg("--version").output() else {
        println!("not compared with Node: there is no program node");
        return;
    };
    let class = UrlClass {
        name: format!("Node {}", String::from_utf8_lossy(&version.stdout).trim()),
        version: Version::Any,
        module: None,
        // What is after an assertion of Node.
        crash: Some("https://github.com/nodejs/node/issues/61753"),
        rules: RULES,
    };
    class.compare(count);
}

#[test]
fn node_agrees_or_a_rule_says_why_not() {
    compare(20_000);
}

#[test]
#[ignore = "a million inputs take minutes"]
fn node_agrees_on_a_million_or_a_rule_says_why_not() {
    compare(1_000_000);
}
