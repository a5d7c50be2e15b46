//! `uriproof explain`, as a process and as a function.

use std::time::{Duration, Instant};

use assert_cmd::Command;
use rfc3986_reference::components::parse;
use serde_json::{Value, json};
use uriproof::explain::{Detail, Node, Parse, Verdict, explain};
use uriproof::model::{Input, Reading, Rule};
use uriproof::search::vectors::Library;

/// What the command prints; it does not fail and warns of nothing.
fn explained(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("uriproof").unwrap().arg("explain").args(arguments).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&explained(&[arguments, &["--format", "json"]].concat())).unwrap()
}

#[test]
fn a_uri_that_matches() {
    assert_eq!(
        explained(&["http://1.2.3.4:/a//..?q#"]),
        r#"accepted: matches URI-reference, as a URI; its host is an IPv4address, its path a path-abempty

derivation
  URI-reference                "http://1.2.3.4:/a//..?q#"
  └─ URI                       "http://1.2.3.4:/a//..?q#"
     ├─ scheme                 "http"
     ├─ hier-part              "//1.2.3.4:/a//.."
     │  ├─ authority           "1.2.3.4:"
     │  │  ├─ host             "1.2.3.4"
     │  │  │  └─ IPv4address   "1.2.3.4"
     │  │  │     ├─ dec-octet  "1"
     │  │  │     ├─ dec-octet  "2"
     │  │  │     ├─ dec-octet  "3"
     │  │  │     └─ dec-octet  "4"
     │  │  └─ port             ""
     │  └─ path-abempty        "/a//.."
     │     ├─ segment          "a"
     │     ├─ segment          ""
     │     └─ segment          ".."
     ├─ query                  "q"
     └─ fragment               ""

components
  scheme    "http"
  userinfo  undefined
  host      "1.2.3.4"  IPv4address
  port      ""  (empty)
  path      "/a//.."  path-abempty
  query     "q"
  fragment  ""  (empty)
"#
    );
}

#[test]
fn an_address_that_does_not_match() {
    assert_eq!(
        explained(&["http://[::1::]/"]),
        r#"rejected: does not match URI-reference at byte 12, ":": it cannot stand there
 |
 | http://[::1::]/
 |             ^ cannot stand here

could go on
  h16        HEXDIG
  dec-octet  DIGIT 1-9

decided by
  §3.2.2/IPv6address  IPv6address = 6( h16 ":" ) ls32
"#
    );
}

#[test]
fn a_character_that_cannot_follow_what_matches() {
    assert_eq!(
        explained(&["1:b"]),
        r##"rejected: does not match URI-reference at byte 1, ":": what comes before it would match
 |
 | 1:b
 |  ^ cannot follow

could go on
  segment-nz-nc  unreserved pct-encoded sub-delims "@"
  path-noscheme  "/"
  relative-ref   "#" "?"
  or the input could end there

decided by
  §3.3/segment-nz-nc  segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
  §3.3/first-segment-colon  in which case the first path segment cannot contain a colon (":") character
"##
    );
}

#[test]
fn an_input_that_ends_too_early() {
    assert_eq!(
        explained(&["a%2"]),
        r#"rejected: does not match URI-reference at byte 3: the input ends too early
 |
 | a%2
 |    ^ something must follow

could go on
  pct-encoded  HEXDIG

decided by
  §2.1/pct-encoded  pct-encoded = "%" HEXDIG HEXDIG
"#
    );
}

#[test]
fn other_readings_are_told_where_they_differ() {
    let text = explained(&["//a!b"]);
    assert!(
        text.ends_with("\nother readings\n  erratum-4942  rejected: reg-name loses the sub-delims\n"),
        "{text}"
    );
    assert_eq!(json_of(&["//a!b"])["readings"], json!({"erratum-4942": "rejected"}));
    assert_eq!(json_of(&["//a:b"])["readings"], json!({"erratum-5428": "accepted"}));
    assert_eq!(json_of(&["//a"])["readings"], Value::Null);
}

#[test]
fn one_rule_can_be_asked_for() {
    assert!(explained(&["12345", "--rule", "h16"]).contains("\n  nothing, the input has to end there\n"));
    // The case of letters means nothing in ABNF.
    let text = explained(&["a:b#c", "--rule", "absolute-uri"]);
    assert!(
        text.starts_with("rejected: does not match absolute-URI at byte 3, \"#\""),
        "{text}"
    );
    assert!(text.contains("  §4.3/no-fragment  "), "{text}");
    assert_eq!(
        explained(&["2001:db8::7", "--rule", "IPv6address"]),
        "accepted: matches IPv6address\n\nderivation\n  IPv6address  \"2001:db8::7\"\n  ├─ h16       \"2001\"\n  \
         ├─ h16       \"db8\"\n  └─ h16       \"7\"\n"
    );
}

#[test]
fn an_unknown_rule_is_refused_with_the_nearest() {
    for (name, nearest) in [
        ("h17", ", perhaps h16 is meant"),
        ("URI-refrence", ", perhaps URI-reference is meant"),
        ("ipv6", ", perhaps IPv6address is meant"),
        ("ALPHA", ""),
        ("DIGITS", ""),
        ("no rule of that kind", ""),
    ] {
        let output = Command::cargo_bin("uriproof").unwrap().args(["explain", "x", "--rule", name]).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{stderr}");
        let message = format!("no rule of Appendix A{nearest}; `uriproof grammar` lists all");
        assert!(stderr.contains(&message), "{stderr}");
    }
}

#[test]
fn full_goes_down_to_characters() {
    assert_eq!(
        explained(&["%7e", "--rule", "segment", "--full"]),
        "accepted: matches segment\n\nderivation\n  segment            \"%7e\"\n  └─ pchar           \"%7e\"\n     \
         └─ pct-encoded  \"%7e\"\n        ├─ HEXDIG    \"7\"\n        │  └─ DIGIT  \"7\"\n        └─ HEXDIG    \"e\"\n"
    );
    let tree = &json_of(&["/a", "--full"])["tree"];
    let letter = json!({"rule": "ALPHA", "offset": 1, "text": "a"});
    assert!(tree.to_string().contains(&letter.to_string()), "{tree}");
    assert!(!json_of(&["/a"])["tree"].to_string().contains("ALPHA"));
}

#[test]
fn what_does_not_print_is_escaped_and_pointed_at() {
    for (input, shown, marker) in [
        ("a\nb", " | a\\nb", " |  ^^ "),
        ("\u{1b}[31m", " | \\u{1b}[31m", " | ^^^^^^ "),
        ("\u{e9}/\u{202e}", " | \\u{e9}/\\u{202e}", " | ^^^^^^ "),
        ("a\"\\b", " | a\"\\b", " |  ^ "),
        ("\u{10ffff}", " | \\u{10ffff}", " | ^^^^^^^^^^ "),
        ("a\tb", " | a\\tb", " |  ^^ "),
    ] {
        let text = explained(&[input]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            text.chars().all(|c| c == '\n' || c == '§' || (' '..='~').contains(&c)),
            "{text:?}"
        );
        assert_eq!(lines[2], shown, "{text}");
        assert!(lines[3].starts_with(marker), "{text}");
        assert_eq!(json_of(&[input])["input"], input);
    }
}

#[test]
fn json_of_what_matches() {
    assert_eq!(
        json_of(&["?"]),
        json!({
            "input": "?",
            "rule": "URI-reference",
            "verdict": "accepted",
            "tree": {"rule": "URI-reference", "offset": 0, "text": "?", "children": [
                {"rule": "relative-ref", "offset": 0, "text": "?", "children": [
                    {"rule": "relative-part", "offset": 0, "text": "", "children": [
                        {"rule": "path-empty", "offset": 0, "text": ""}]},
                    {"rule": "query", "offset": 1, "text": ""}]}]},
            "components": {"scheme": null, "userinfo": null, "host": null, "host_kind": null, "port": null, "path": "",
                "query": "", "fragment": null},
            "path_rule": "path-empty",
        })
    );
    let host = json_of(&["%41", "--rule", "host"]);
    let keys: Vec<&String> = host.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["input", "rule", "tree", "verdict"]);
}

#[test]
fn json_of_what_does_not_match() {
    assert_eq!(
        json_of(&["http://[v1"]),
        json!({
            "input": "http://[v1",
            "rule": "URI-reference",
            "verdict": "rejected",
            "viable_prefix": 10,
            "may_end": false,
            "failed": "IPvFuture",
            "clause": "§3.2.2/IPvFuture",
            "quote": "IPvFuture = \"v\" 1*HEXDIG \".\" 1*( unreserved / sub-delims / \":\" )",
            "expected": ["IPvFuture"],
            "continuations": [
                {"accepts": "HEXDIG", "rules": ["URI-reference", "URI", "hier-part", "authority", "host", "IP-literal",
                    "IPvFuture", "HEXDIG"]},
                {"accepts": "\".\"", "rules": ["URI-reference", "URI", "hier-part", "authority", "host", "IP-literal",
                    "IPvFuture"]},
            ],
        })
    );
    let zone = json_of(&["http://[fe80::1%25eth0]/"]);
    assert_eq!(zone["found"], "%");
    assert_eq!(zone["clause"], "§3.2.2/IPv6address");
    assert_eq!(zone["see"]["id"], "§3.2.2/zone-identifiers");
    assert_eq!(
        zone["expected"],
        json!(["h16", "IPv6address", "ls32", "dec-octet", "IPv4address", "IP-literal"])
    );
}

#[test]
fn the_clause_is_that_of_the_rule_that_failed() {
    for (input, clause, see) in [
        // What stands before the "/" may be the userinfo of something.
        ("http://a:b/", "§3.2/authority", None),
        ("http://@a:b/", "§3.2.3/port", None),
        ("http://a b/", "§3.2.2/reg-name", Some("§2/limited-set")),
        ("http://[::1]a", "§3.2.2/IP-literal", None),
        ("http://[1.2.3.4]", "§3.2.2/IPv6address", None),
        ("http://[::1.2.3.256]", "§3.2.2/IPv6address", None),
        ("/a[b", "§3.3/segment-nz", Some("§3.2.2/square-brackets")),
        ("/a?[", "§3.4/query", Some("§3.2.2/square-brackets")),
        ("#a#", "§3.5/fragment", None),
        ("%zz", "§2.1/pct-encoded", None),
        (":a", "§3.3/segment-nz-nc", Some("§3.3/first-segment-colon")),
    ] {
        let explanation = json_of(&[input]);
        assert_eq!(explanation["clause"], clause, "{input:?}");
        assert_eq!(explanation["see"]["id"].as_str(), see, "{input:?}");
    }
}

/// Checks an explanation against the reference.
fn check(input: &str, rule: Rule, library: &Library) {
    fn spells(node: &Node, input: &str) {
        assert!(input[node.offset..].starts_with(&node.text), "{input:?} {}", node.rule);
        node.children.iter().for_each(|child| spells(child, input));
    }
    let explanation = explain(input, rule, Detail::Characters, library).unwrap();
    match (&explanation.parse, rule.matches(input, Reading::Rfc3986)) {
        (Parse::Accepted(accepted), Ok(())) => {
            spells(&accepted.tree, input);
            if rule == Rule::UriReference {
                let components = accepted.components.as_ref().unwrap();
                assert_eq!(
                    *components,
                    (&parse(input, Reading::Rfc3986).unwrap()).into(),
                    "{input:?}"
                );
                for (name, value) in [
                    ("scheme", &components.scheme),
                    ("userinfo", &components.userinfo),
                    ("host", &components.host),
                    ("port", &components.port),
                    ("query", &components.query),
                    ("fragment", &components.fragment),
                ] {
                    assert_eq!(find(&accepted.tree, name), value.as_deref(), "{input:?} {name}");
                }
                let path = accepted.path_rule.unwrap().name();
                assert_eq!(find(&accepted.tree, path), Some(&*components.path), "{input:?}");
            }
        }
        (Parse::Rejected(rejected), Err(error)) => {
            assert_eq!(rejected.viable_prefix, error.offset, "{input:?} as {rule}");
            assert_eq!(rejected.found, input[error.offset..].chars().next());
            assert!(rejected.may_end || !rejected.next.is_empty(), "{input:?} as {rule}");
            assert_eq!(rejected.next.is_empty(), rejected.continuations.is_empty());
        }
        (_, result) => panic!("{input:?} as {rule}: {result:?}"),
    }
    for reading in Reading::ALL {
        let told = explanation.readings.get(&reading).map(|verdict| *verdict == Verdict::Accepted);
        let accepted = matches!(explanation.parse, Parse::Accepted(_));
        assert_eq!(
            told.unwrap_or(accepted),
            rule.matches(input, reading).is_ok(),
            "{input:?} under {reading}"
        );
    }
}

fn find<'a>(node: &'a Node, rule: &str) -> Option<&'a str> {
    if node.rule == rule {
        return Some(&node.text);
    }
    node.children.iter().find_map(|child| find(child, rule))
}

#[test]
fn every_parse_vector_is_explained_as_the_reference_has_it() {
    let library = Library::embedded();
    let mut seen = 0;
    for vector in library.vectors() {
        if let Input::Parse { rule, input } = &vector.input {
            check(input, *rule, &library);
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen}");
}

#[test]
fn long_inputs_are_explained_fast() {
    for input in [
        format!("http://a/{}", "b/".repeat(1 << 15)),
        format!("http://a/{} ", "b".repeat(1 << 16)),
        format!("//{}", "a:".repeat(1 << 15)),
    ] {
        let begun = Instant::now();
        explained(&[&input]);
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{} bytes took {:?}",
            input.len(),
            begun.elapsed()
        );
    }
}
