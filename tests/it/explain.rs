//! `uriproof explain`, as a process and as a function.

use crate::process::{program, run};
use rfc3986_reference::components::parse;
use serde_json::{Value, json};
use uriproof::expect::{expect, from_vector};
use uriproof::model::{Component, Components, Expectation, Input, Outcome, Reading, Rule};
use uriproof::split::{UserinfoEnd, components, split};
use uriproof::vectors::Library;
use uriproof_cli::explain::resolution::{Resolved, resolve};
use uriproof_cli::explain::why::Why;
use uriproof_cli::explain::{DerivationNode, Detail, ParseExplanation, explain};

/// What the command prints; it does not fail and warns of nothing.
fn explained(arguments: &[&str]) -> String {
    let done = run(program().arg("explain").args(arguments));
    assert_eq!((done.status, &*done.stderr), (0, ""), "{arguments:?}");
    done.stdout
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
  URI-reference                0..24   "http://1.2.3.4:/a//..?q#"
  └─ URI                       0..24   "http://1.2.3.4:/a//..?q#"
     ├─ scheme                 0..4    "http"
     ├─ hier-part              5..21   "//1.2.3.4:/a//.."
     │  ├─ authority           7..15   "1.2.3.4:"
     │  │  ├─ host             7..14   "1.2.3.4"
     │  │  │  └─ IPv4address   7..14   "1.2.3.4"
     │  │  │     ├─ dec-octet  7..8    "1"
     │  │  │     ├─ dec-octet  9..10   "2"
     │  │  │     ├─ dec-octet  11..12  "3"
     │  │  │     └─ dec-octet  13..14  "4"
     │  │  └─ port             15..15  ""
     │  └─ path-abempty        15..21  "/a//.."
     │     ├─ segment          16..17  "a"
     │     ├─ segment          18..18  ""
     │     └─ segment          19..21  ".."
     ├─ query                  22..23  "q"
     └─ fragment               24..24  ""

components
  scheme    "http"
  userinfo  undefined
  host      "1.2.3.4"  IPv4address
  port      ""  (empty)
  path      "/a//.."  path-abempty
  query     "q"
  fragment  ""  (empty)

readings
  rfc3986   accepted, port "" fragment ""
            the text of 2005, without errata
  elements  accepted, port undefined fragment undefined
            an empty component is the same as an undefined one
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

longest viable prefix
  "http://[::1:"  0..12

could go on
  h16        HEXDIG     §3.2.2/h16
  dec-octet  DIGIT 1-9  §3.2.2/dec-octet

nearest valid
  "http://[::1:0]/"  1 character away

decided by
  §3.2.2/IPv6address  IPv6address = 6( h16 ":" ) ls32 / "::" 5( h16 ":" ) ls32
      / [ h16 ] "::" 4( h16 ":" ) ls32
      / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
      / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
      / [ *3( h16 ":" ) h16 ] "::" h16 ":" ls32
      / [ *4( h16 ":" ) h16 ] "::" ls32 / [ *5( h16 ":" ) h16 ] "::" h16
      / [ *6( h16 ":" ) h16 ] "::"
  §3.2.2/ipv6-elision  leaving exactly two consecutive colons in their place to
      mark the elision

asked for
  §4.1/URI-reference  URI-reference = URI / relative-ref
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

longest viable prefix
  "1"  0..1

could go on
  segment-nz-nc  unreserved pct-encoded sub-delims "@"  §3.3/segment-nz-nc
  path-noscheme  "/"                                    §3.3/path-noscheme
  relative-ref   "#" "?"                                §4.2/relative-ref
  or the input could end there

nearest valid
  "a:b"  1 character away

decided by
  §3.3/segment-nz-nc  segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims
      / "@" )
  §3.3/first-segment-colon  in which case the first path segment cannot contain
      a colon (":") character
  §4.2/colon-in-first-segment  cannot be used as the first segment of a
      relative-path reference, as it would be mistaken for a scheme name

asked for
  §4.1/URI-reference  URI-reference = URI / relative-ref

as a URI, it stops at byte 0
  §3.1/scheme  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
  §3.1/begins-with-letter  Scheme names consist of a sequence of characters
      beginning with a letter
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

longest viable prefix
  "a%2"  0..3

could go on
  pct-encoded  HEXDIG  §2.1/pct-encoded

nearest valid
  "a%2a"  1 character away

decided by
  §2.1/pct-encoded  pct-encoded = "%" HEXDIG HEXDIG

asked for
  §4.1/URI-reference  URI-reference = URI / relative-ref
"#
    );
}

#[test]
fn readings_are_told_side_by_side_where_they_differ() {
    let text = explained(&["//a!b"]);
    assert!(
        text.ends_with(
            "
readings
  rfc3986       accepted
                the text of 2005, without errata
  erratum-4942  rejected at byte 5: does not match authority
                reg-name loses the sub-delims
"
        ),
        "{text}"
    );
    assert_eq!(json_of(&["//a!b"])["readings"]["rfc3986"]["outcome"], "accepted");
    assert_eq!(json_of(&["//a!b"])["readings"]["erratum-4942"]["outcome"], "rejected");
    assert_eq!(json_of(&["//a:b"])["readings"]["erratum-5428"]["outcome"], "accepted");
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
        "accepted: matches IPv6address\n\nderivation\n  IPv6address  0..11   \"2001:db8::7\"\n  \
         ├─ h16       0..4    \"2001\"\n  ├─ h16       5..8    \"db8\"\n  └─ h16       10..11  \"7\"\n"
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
        let done = run(program().args(["explain", "x", "--rule", name]));
        assert_eq!((done.status, &*done.stdout), (2, ""), "{}", done.stderr);
        let message = format!("no rule of Appendix A{nearest}; `uriproof grammar` lists all");
        assert!(done.stderr.contains(&message), "{}", done.stderr);
    }
}

#[test]
fn full_goes_down_to_characters() {
    assert_eq!(
        explained(&["%7e", "--rule", "segment", "--full"]),
        "accepted: matches segment\n\nderivation\n  segment            0..3  \"%7e\"\n  \
         └─ pchar           0..3  \"%7e\"\n     └─ pct-encoded  0..3  \"%7e\"\n        \
         ├─ HEXDIG    1..2  \"7\"\n        │  └─ DIGIT  1..2  \"7\"\n        └─ HEXDIG    2..3  \"e\"\n"
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
            "readings": {
                "rfc3986": {"outcome": "accepted", "components": {"scheme": null, "userinfo": null, "host": null,
                    "host_kind": null, "port": null, "path": "", "query": "", "fragment": null}},
                "elements": {"outcome": "accepted", "components": {"scheme": null, "userinfo": null, "host": null,
                    "host_kind": null, "port": null, "path": "", "query": null, "fragment": null}}},
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
            "asked": {"id": "§4.1/URI-reference", "section": "4.1", "quote": "URI-reference = URI / relative-ref",
                "level": "must", "binds": ["grammar"]},
            "expected": ["IPvFuture"],
            "nearest": {"input": "http://[v1.g]", "edits": 3},
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
    assert_eq!(zone["see"][0]["id"], "§3.2.2/zone-identifiers");
    assert_eq!(
        zone["expected"],
        json!(["h16", "IPv6address", "ls32", "dec-octet", "IPv4address", "IP-literal"])
    );
}

#[test]
fn the_nearest_string_keeps_the_components() {
    for (input, nearest, edits) in [
        // The fault stays in the host, which does not become a userinfo, a port or another kind of host.
        ("http://[fe80::1%25eth0]/", "http://[fe80::1]/", 7),
        ("http://[fe80::1%eth0]:80/a?b", "http://[fe80::1]:80/a?b", 5),
        ("http://a b/", "http://ab/", 1),
        ("http://[::1", "http://[::1]", 1),
        ("http://[::1]a:8/", "http://[::1]:8/", 1),
        ("http://[1.2.3.4]/", "http://[::1.2.3.4]/", 2),
        ("http://::1/", "http://[::1]/", 2),
        ("http://a:8o/", "http://a:8/", 1),
        ("http://1.2.3.4:80:90/", "http://1.2.3.4:8090/", 1),
        ("http://[::1]:80@evil/", "http://::1:80@evil/", 2),
        ("http://u@v@h/", "http://uv@h/", 1),
        ("//a\\@b", "//a@b", 1),
        // The scheme stays one.
        ("1http://a/", "http://a/", 1),
        ("a_b:c", "ab:c", 1),
        ("ht tp://a b/c d?e f#g#h", "http://ab/cd?ef#gh", 5),
    ] {
        let printed = &json_of(&[input])["nearest"];
        assert_eq!(*printed, json!({"input": nearest, "edits": edits}), "{input}");
    }
    for (rule, input, nearest) in [
        ("absolute-URI", "a:b#c", "a:b"),
        ("relative-ref", "a:b c", "bc"),
        ("URI", "a b", "a:ab"),
        ("authority", "a:8o", "a:8"),
        ("hier-part", "//a:8o/b", "//a:8/b"),
        ("host", "[::1%25a]", "[::1]"),
    ] {
        let printed = &json_of(&[input, "--rule", rule])["nearest"]["input"];
        assert_eq!(*printed, nearest, "{rule} {input}");
    }
}

/// The components of any string; an IPv6 address that lacks its brackets is a host.
fn apart(text: &str) -> Components {
    let mut parts = components(text, UserinfoEnd::LastAt).map(str::to_owned);
    if let (Some(host), Some(port)) = (&parts.host, &parts.port) {
        let whole = format!("{host}:{port}");
        if Rule::Ipv6Address.matches(&whole, Reading::Rfc3986).is_ok() {
            (parts.host, parts.port) = (Some(whole), None);
        }
    }
    parts
}

/// By how many characters two texts differ: added, removed or changed.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, character) in one.chars().enumerate() {
        let mut next = vec![at + 1];
        for (place, same) in other.iter().enumerate() {
            let changed = row[place] + usize::from(*same != character);
            next.push(changed.min(row[place + 1] + 1).min(next[place] + 1));
        }
        row = next;
    }
    row[other.len()]
}

#[test]
fn no_text_moves_to_another_component() {
    let library = Library::embedded();
    let mut met = 0;
    for vector in library.vectors().step_by(3) {
        let Input::Parse {
            rule: Rule::UriReference,
            input,
        } = &vector.input
        else {
            continue;
        };
        if input.len() > 100 {
            continue;
        }
        let broken = [
            input.clone(),
            input.replacen('/', "\\", 1),
            input.replacen(['a', '1'], "[", 1),
            format!("1{input}"),
        ];
        for text in broken {
            let explanation = explain(&text, Rule::UriReference, Detail::Parts, &library).unwrap();
            let ParseExplanation::Rejected(rejected) = explanation.parse else {
                continue;
            };
            let nearest = rejected.nearest.unwrap();
            let (before, after) = (apart(&text), apart(&nearest.text));
            let mut edits = 0;
            for component in Component::TEXTS {
                match (before.text(component), after.text(component)) {
                    (Some(one), Some(other)) => edits += distance(one, other),
                    (None, None) => {}
                    _ => panic!("{text:?} has other components than {nearest:?}"),
                }
            }
            assert!(edits <= nearest.edits, "{text:?} {nearest:?}: {edits}");
            met += 1;
        }
    }
    assert!(met > 300, "{met}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_clause_is_that_of_the_rule_that_failed() {
    for (input, clause, see) in [
        // What stands before the "/" may be the userinfo of something.
        ("http://a:b/", "§3.2/authority", &["§3.2/terminated"][..]),
        ("http://@a:b/", "§3.2.3/port", &[]),
        ("http://@a:1:2", "§3.2.3/port", &["§3.2.3/single-colon"]),
        ("http://a b/", "§3.2.2/reg-name", &["§2/limited-set", "§C/whitespace"]),
        ("http://[::1]a", "§3.2.2/IP-literal", &["§3.2/authority"]),
        (
            "http://[::1]8",
            "§3.2.2/IP-literal",
            &["§3.2/authority", "§3.2.3/single-colon"],
        ),
        ("http://[::1", "§3.2.2/IP-literal", &["§3.2.2/enclosed"]),
        (
            "http://[v1.a/b]",
            "§3.2.2/IP-literal",
            &["§3.2.2/IPvFuture", "§3.2/terminated"],
        ),
        (
            "http://[1.2.3.4]",
            "§3.2.2/IPv6address",
            &["§3.2.2/IP-literal", "§3.2.2/IPvFuture"],
        ),
        (
            "http://a@b@c",
            "§3.2.2/reg-name",
            &["§3.2/authority", "§3.2.1/userinfo"],
        ),
        (
            "http://a[b@c",
            "§3.2.2/reg-name",
            &["§3.2.1/userinfo", "§3.2.2/square-brackets"],
        ),
        (
            "http://[::1.2.3.256]",
            "§3.2.2/IPv6address",
            &["§3.2.2/dec-octet", "§3.2.2/IPv4address"],
        ),
        ("http://[::1.2.3.4.5]", "§3.2.2/IPv6address", &["§3.2.2/IPv4address"]),
        ("http://[::g]", "§3.2.2/IPv6address", &["§3.2.2/h16"]),
        ("http://[::00000]", "§3.2.2/IPv6address", &["§3.2.2/h16"]),
        ("http://[1:::2]", "§3.2.2/IPv6address", &["§3.2.2/ipv6-elision"]),
        ("/a[b", "§3.3/segment-nz", &["§3.3/pchar", "§3.2.2/square-brackets"]),
        ("/a?[", "§3.4/query", &["§3.3/pchar", "§3.2.2/square-brackets"]),
        ("#a#", "§3.5/fragment", &[]),
        ("%zz", "§2.1/pct-encoded", &[]),
        (
            ":a",
            "§3.3/segment-nz-nc",
            &["§3.3/first-segment-colon", "§4.2/colon-in-first-segment"],
        ),
        ("<a:b>", "§3.3/segment-nz-nc", &["§2/limited-set", "§C/wrappers"]),
        (
            "a:b>",
            "§3.3/segment-nz",
            &["§3.3/pchar", "§2/limited-set", "§C/wrappers"],
        ),
        ("a:b>c", "§3.3/segment-nz", &["§3.3/pchar", "§2/limited-set"]),
    ] {
        let explanation = json_of(&[input]);
        assert_eq!(explanation["clause"], clause, "{input:?}");
        let told = explanation["see"].as_array().into_iter().flatten().map(|clause| clause["id"].as_str().unwrap());
        assert_eq!(told.collect::<Vec<_>>(), see, "{input:?}");
    }
}

/// Where a rule is asked for, its words are told; where it is the one that could not go on, once.
#[test]
fn the_rule_that_was_asked_for_is_told() {
    let text = explained(&["/b", "--rule", "URI"]);
    let told = "
decided by
  §3.1/scheme  scheme = ALPHA *( ALPHA / DIGIT / \"+\" / \"-\" / \".\" )
  §3.1/begins-the-uri  Each URI begins with a scheme name that refers to a
      specification for assigning identifiers within that scheme.

asked for
  §3/URI  URI = scheme \":\" hier-part [ \"?\" query ] [ \"#\" fragment ]
";
    assert!(text.ends_with(told), "{text}");
    let text = explained(&["1x", "--rule", "scheme"]);
    assert!(
        !text.contains("asked for") && text.contains("§3.1/begins-with-letter"),
        "{text}"
    );
}

/// Checks an explanation against the reference.
#[expect(clippy::too_many_lines, reason = "one comparison for each part of an explanation")]
fn check(input: &str, rule: Rule, library: &Library) {
    fn spells(node: &DerivationNode, input: &str) {
        assert!(input[node.offset..].starts_with(&node.text), "{input:?} {}", node.rule);
        node.children.iter().for_each(|child| spells(child, input));
    }
    let explanation = explain(input, rule, Detail::Characters, library).unwrap();
    match (&explanation.parse, rule.matches(input, Reading::Rfc3986)) {
        (ParseExplanation::Accepted(accepted), Ok(())) => {
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
        (ParseExplanation::Rejected(rejected), Err(error)) => {
            assert_eq!(rejected.viable_prefix, error.offset, "{input:?} as {rule}");
            assert_eq!(rejected.found, input[error.offset..].chars().next());
            assert!(rejected.may_end || !rejected.next.is_empty(), "{input:?} as {rule}");
            assert_eq!(rejected.next.is_empty(), rejected.continuations.is_empty());
            if let Some(nearest) = &rejected.nearest {
                assert!(nearest.edits > 0, "{input:?} as {rule}");
                assert!(
                    rule.matches(&nearest.text, Reading::Rfc3986).is_ok(),
                    "{input:?} as {rule}"
                );
            }
        }
        (_, result) => panic!("{input:?} as {rule}: {result:?}"),
    }
    for reading in Reading::ALL {
        let told = explanation.readings.get(reading);
        let accepted = matches!(explanation.parse, ParseExplanation::Accepted(_));
        let asked = Input::Parse {
            rule,
            input: input.to_owned(),
        };
        let literal = expect(&asked, reading).literal();
        match told {
            Some(told) => assert_eq!(*told, literal, "{input:?} under {reading}"),
            None => assert_eq!(
                matches!(literal, Outcome::Accepted { .. }),
                accepted,
                "{input:?} under {reading}"
            ),
        }
    }
}

fn find<'a>(node: &'a DerivationNode, rule: &str) -> Option<&'a str> {
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

/// The limit is one of processor time, which the shell sets: time that grows as the square takes much more.
#[cfg(unix)]
#[test]
fn long_inputs_are_explained_fast() {
    for input in [
        format!("http://a/{}", "b/".repeat(1 << 15)),
        format!("http://a/{} ", "b".repeat(1 << 16)),
        format!("//{}", "a:".repeat(1 << 15)),
    ] {
        let script = r#"ulimit -t 30 && exec "$0" explain "$1""#;
        let mut limited = std::process::Command::new("sh");
        let status = limited.args(["-c", script, env!("CARGO_BIN_EXE_uriproof"), &input]).output().unwrap().status;
        assert!(status.success(), "{} bytes: {status}", input.len());
    }
}

/// Of how many vectors one may be explained by another of its clauses than the one that it cites first.
const ONE_OF: usize = 30;

/// Every vector that a conforming implementation rejects, in whatever operation: what is printed and what is in the JSON each
/// name a clause that the vector cites, with its words, and without being told which. The rules that could go on do not count.
#[test]
fn every_rejection_is_explained_by_a_clause_that_its_vector_cites() {
    let library = Library::embedded();
    let (mut seen, mut others, mut not_first) = (0, Vec::new(), Vec::new());
    for vector in library.vectors() {
        if *vector.expectation(Reading::Rfc3986) != Expectation::Rejected {
            continue;
        }
        seen += 1;
        let why = Why::of(&vector.input, Detail::Parts, &library).unwrap();
        let human = anstream::adapter::strip_str(&why.human()).to_string();
        let sections = human.split("\n\n").filter(|section| !section.starts_with("could go on"));
        let words = sections.flat_map(str::lines).filter_map(|line| line.strip_prefix("  §")?.split_once("  "));
        let printed: Vec<String> = words.map(|(id, _)| format!("§{id}")).collect();
        let printed: Vec<&str> = printed.iter().map(String::as_str).collect();
        let json = serde_json::to_value(&why).unwrap();
        let mut in_json = Vec::new();
        gather_clauses(&json, &mut in_json);
        for names in [&printed, &in_json] {
            if !vector.clauses.iter().any(|clause| names.contains(&&**clause)) {
                others.push(format!("{} cites {:?}, not {names:?}", vector.id, vector.clauses));
            }
        }
        if !printed.contains(&&*vector.clauses[0]) {
            not_first.push(format!(
                "{} cites {:?} first, not {printed:?}",
                vector.id, vector.clauses[0]
            ));
        }
        // What is told is what decides, and no list of all there is.
        let mut distinct = printed.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() <= 8, "{}: {distinct:?}", vector.id);
    }
    assert!(seen > 1200, "{seen}");
    assert!(others.is_empty(), "{}", others.join("\n"));
    let count = not_first.len();
    assert!(count * ONE_OF <= seen, "{count} of {seen}:\n{}", not_first.join("\n"));
}

fn gather_clauses<'a>(json: &'a Value, names: &mut Vec<&'a str>) {
    match json {
        Value::String(text) if text.starts_with('§') => names.push(text),
        Value::Array(items) => items.iter().for_each(|item| gather_clauses(item, names)),
        Value::Object(members) => members.values().for_each(|member| gather_clauses(member, names)),
        _ => {}
    }
}

/// What the program prints of a vector ends with what the test above looks at.
#[test]
fn the_program_prints_why() {
    let library = Library::embedded();
    for id in [
        "syntax/kinds-of-reference/absolute-path-as-uri",
        "resolution/base/reference-with-space",
        "resolution/modify/host-with-unclosed-bracket",
        "resolution/relativize/invalid-base",
    ] {
        let vector = library.vectors().find(|vector| vector.id == id).unwrap();
        let human = Why::of(&vector.input, Detail::Parts, &library).unwrap().human();
        let human = anstream::adapter::strip_str(&human).to_string();
        let told = explained(&["--vector", id]);
        assert!(told.ends_with(&format!("\n\n{human}")), "{told}\n{human}");
    }
}

/// Each reading's answer stands beside the others', as the vector has it.
#[test]
fn every_contested_vector_is_told_in_every_reading() {
    let library = Library::embedded();
    let mut seen = 0;
    for vector in library.vectors().filter(|vector| vector.is_contested()) {
        let why = Why::of(&vector.input, Detail::Parts, &library).unwrap();
        let answers = match &why {
            Why::Strings(explanations) if matches!(vector.input, Input::Parse { .. }) => &explanations[0].readings,
            Why::Resolution(against) => &against.targets,
            Why::Composition(composition) => &composition.readings,
            // What a vector's strings are, and not what is made of them.
            Why::Strings(_) => continue,
        };
        seen += 1;
        let human = anstream::adapter::strip_str(&why.human()).to_string();
        for (&reading, expectation) in &vector.expect {
            let expected = from_vector(&vector.input, expectation).literal();
            let told = answers.get(reading).unwrap_or_else(|| panic!("{} {reading}", vector.id));
            match (told, &expected) {
                (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => {}
                (told, expected) => assert_eq!(told, expected, "{} {reading}", vector.id),
            }
            let row = format!("\n  {reading} ");
            assert!(human.contains(&row), "{} {reading}:\n{human}", vector.id);
        }
    }
    assert!(seen > 250, "{seen}");
}

#[test]
fn long_inputs_are_told_by_their_ends() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("input");
    let file = path.to_str().unwrap();
    let explain_file = |text: &str, more: &[&str]| {
        std::fs::write(&path, text).unwrap();
        explained(&[&["--file", file], more].concat())
    };
    // In its many segments, and in one.
    for (text, shown) in [
        (format!("//a/{}", "b/".repeat(1 << 15)), "├─ ... 32739 more"),
        ("b".repeat(1 << 17), "0..131072  \"bbbbbb"),
    ] {
        let told = explain_file(&text, &[]);
        let tree = told.split("\n\n").nth(1).unwrap();
        assert!(tree.contains(shown), "{tree}");
        assert!(tree.lines().count() < 60, "{tree}");
        assert!(tree.lines().all(|line| line.chars().count() <= 80), "{tree}");
    }
    // The edit that makes it valid is shown, wherever it stands.
    let told = explain_file(&format!("{} {}", "a".repeat(4000), "b".repeat(2000)), &[]);
    let window = format!(
        "...\"{0}{1}\"...  from byte 3970,  1 character away\n",
        "a".repeat(30),
        "b".repeat(30)
    );
    assert!(told.contains(&window), "{told}");
    // Of the rows of a long table the first and the last.
    let base = format!("s:{}", "/b".repeat(40_000));
    let told = explain_file(&"../".repeat(40_000), &["--base", &base]);
    let table = told.split("\n\n").find(|part| part.starts_with("remove_dot_segments")).unwrap();
    assert!(table.contains("\n  ... 79971 rows more\n"), "{table}");
    assert!(
        table.ends_with("\n  2E    \"/\"                                  \"\""),
        "{table}"
    );
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let against: Value = serde_json::from_str(&explain_file(
        &"../".repeat(40_000),
        &["--base", &base, "--format", "json"],
    ))
    .unwrap();
    assert_eq!(against["resolution"]["left_out"], json!({"behind": 20, "rows": 79971}));
    let done = run(program().args(["explain", "--file", "no/such/file"]));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("no/such/file cannot be read: "), "{}", done.stderr);
}

#[test]
fn styles_are_left_out_where_nobody_wants_them() {
    let colored = |variables: &[(&str, &str)], input: &str| {
        run(program().args(["explain", input]).envs(variables.iter().copied())).stdout
    };
    for input in ["http://a/\u{7}", "http://a/b?"] {
        let plain = explained(&[input]);
        assert!(!plain.contains('\u{1b}') && !plain.contains('\u{7}'), "{plain:?}");
        let styled = colored(&[("CLICOLOR_FORCE", "1")], input);
        assert!(styled.contains("\u{1b}[2m"), "{styled:?}");
        assert_eq!(anstream::adapter::strip_str(&styled).to_string(), plain);
        assert_eq!(colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], input), plain);
    }
}

#[test]
fn a_resolution_is_told_step_by_step() {
    assert_eq!(
        explained(&["mid/content=5/../6", "--base", "a:"]),
        r#"resolved: "a:mid/6"

parsed (5.2.1)
  base       "a:"
  reference  "mid/content=5/../6"

branch (5.2.2)
  §5.2.2/relative-path  else T.path = merge(Base.path, R.path); T.path =
      remove_dot_segments(T.path); endif;

merge (5.2.3)
  "mid/content=5/../6"
  §5.2.3/no-slash-in-base  excluding the entire base URI path if it does not
      contain any "/" characters

remove_dot_segments (5.2.4)
  STEP  OUTPUT BUFFER    INPUT BUFFER
  1     ""               "mid/content=5/../6"
  2E    "mid"            "/content=5/../6"
  2E    "mid/content=5"  "/../6"
  2C    "mid"            "/6"
  2E    "mid/6"          ""

recomposed (5.3)
  "a:mid/6"
  parses to the components that it is made from
"#
    );
    assert_eq!(
        explained(&["http:g", "--base", "http://a/b/..", "--non-strict"]),
        r#"resolved: "http://a/b/g"

parsed (5.2.1)
  base       "http://a/b/.."
  reference  "http:g"

scheme ignored (5.2.2)
  §5.2.2/non-strict  if ((not strict) and (R.scheme == Base.scheme)) then
      undefine(R.scheme); endif;

branch (5.2.2)
  §5.2.2/relative-path  else T.path = merge(Base.path, R.path); T.path =
      remove_dot_segments(T.path); endif;

merge (5.2.3)
  "/b/g"
  §5.2.3/all-but-last-segment  the reference's path component appended to all
      but the last segment of the base URI's path

remove_dot_segments (5.2.4)
  STEP  OUTPUT BUFFER  INPUT BUFFER
  1     ""             "/b/g"
  2E    "/b"           "/g"
  2E    "/b/g"         ""

recomposed (5.3)
  "http://a/b/g"
  parses to the components that it is made from

conforms too
  base-normalised  "http://a/g"

readings
  rfc3986       "http://a/b/g"
                the text of 2005, without errata
  erratum-4789  "http://a/g"
                merge appends "/" and the reference to a base path that ends in "/.."
"#
    );
}

#[test]
fn what_does_not_parse_to_its_components_again_says_so() {
    let text = explained(&["..//b", "--base", "a:/"]);
    assert!(
        text.ends_with(
            r#"  "a://b"
  does not parse to them: made from the path "//b" and no authority, it has the authority "b" when it is parsed again

conforms too
  slash-dot  "a:/.//b"
  error  rejected: the target's path begins with "//"
"#
        ),
        "{text}"
    );
}

#[test]
fn base_and_reference_are_explained_where_they_do_not_match() {
    let text = explained(&["[", "--base", "//a"]);
    assert!(
        text.starts_with("the base: rejected: does not match URI at byte 0")
            && text.contains("\nthe reference: rejected:"),
        "{text}"
    );
    assert!(text.contains("\n  §5.1/absolute-base  "), "{text}");
    let against = json_of(&["g", "--base", "//a"]);
    assert_eq!(against["base_clause"]["id"], "§5.1/absolute-base");
    assert_eq!(against["verdict"], "accepted");
    assert_eq!(against["base"]["verdict"], "rejected");
    assert_eq!(against["resolution"], Value::Null);
}

#[test]
fn json_of_a_resolution() {
    assert_eq!(
        json_of(&["/./g", "--base", "http://a/b"])["resolution"],
        json!({
            "strict": true,
            "branch": "§5.2.2/absolute-path",
            "quote": "if (R.path starts-with \"/\") then T.path = remove_dot_segments(R.path);",
            "steps": [
                {"step": "1", "output": "", "input": "/./g"},
                {"step": "2B", "output": "", "input": "/g"},
                {"step": "2E", "output": "/g", "input": ""},
            ],
            "uri": "http://a/g",
            "reparses": true,
        })
    );
}

/// The clause of a branch of §5.2.2, or of a case of §5.2.3, that a vector cites first is that which is told.
#[test]
fn every_resolution_vector_is_told_as_the_reference_has_it() {
    let library = Library::embedded();
    let (mut seen, mut cited) = (0, 0);
    for vector in library.vectors() {
        let Input::Resolve {
            base,
            reference,
            strict,
        } = &vector.input
        else {
            continue;
        };
        let resolved = resolve(base, reference, *strict, &library).unwrap();
        let literal = expect(&vector.input, Reading::Rfc3986).literal();
        let Some(resolved) = resolved else {
            let is_relative = split(base).scheme.is_none();
            assert!(
                is_relative || matches!(literal, Outcome::Rejected { .. }),
                "{}",
                vector.id
            );
            continue;
        };
        seen += 1;
        assert_eq!(literal, Outcome::uri(&resolved.uri), "{}", vector.id);
        check_steps(&resolved, &vector.id);
        let decisive = &vector.clauses[0];
        let branches = [
            "§5.2.2/scheme-defined",
            "§5.2.2/authority-defined",
            "§5.2.2/empty-path-with-query",
            "§5.2.2/empty-path-without-query",
            "§5.2.2/absolute-path",
            "§5.2.2/relative-path",
        ];
        if branches.contains(&&**decisive) {
            assert_eq!(*decisive, resolved.branch, "{}", vector.id);
            cited += 1;
        }
        if decisive.starts_with("§5.2.3/authority-and") || decisive.starts_with("§5.2.3/no-slash") {
            assert_eq!(
                Some(decisive),
                resolved.merged.as_ref().map(|merged| &merged.clause),
                "{}",
                vector.id
            );
            cited += 1;
        }
    }
    assert!(seen > 400 && cited > 20, "{seen} {cited}");
}

/// The table begins with all of the path in the input buffer, and ends with nothing there and the target's path in the output.
fn check_steps(resolved: &Resolved, id: &str) {
    let (Some(first), Some(last)) = (resolved.steps.first(), resolved.steps.last()) else {
        return;
    };
    assert_eq!((&*first.step, &*first.output, &*last.input), ("1", "", ""), "{id}");
    if let Some(merged) = &resolved.merged {
        assert_eq!(first.input, merged.path, "{id}");
    }
    let target = parse(&resolved.uri, Reading::Rfc3986).map(|reference| reference.components.path.into_owned());
    match &resolved.reparsed {
        None => assert_eq!(target.as_ref(), Ok(&last.output), "{id}"),
        Some(reparsed) => assert_eq!(reparsed.path, last.output, "{id}"),
    }
}

#[test]
fn a_vector_is_told_with_its_clauses_and_why_its_components_do_not_go_together() {
    let told = explained(&["--vector", "resolution/recompose/port-without-host"]);
    for line in [
        "input         scheme \"x\" port \"1\" path \"/a\"",
        "rfc3986       rejected",
        "note          the rule authority needs a host",
        "  §3.2/authority  authority = [ userinfo \"@\" ] host [ \":\" port ]",
        "not composed: no URI-reference has these components",
        "  host      undefined",
        "decided by",
    ] {
        assert!(told.lines().any(|other| other == line), "{line:?} is not in {told}");
    }
    let told = json_of(&["--vector", "resolution/recompose/port-without-host"]);
    assert_eq!(told["composition"]["together"]["id"], "§3.2/authority");
    assert_eq!(told["clauses"][0]["id"], "§3.2/authority");
    let told = json_of(&["--vector", "resolution/recompose/number-sign-in-query"]);
    assert_eq!(told["composition"]["unfit"][0]["component"], "query");
    assert_eq!(told["composition"]["unfit"][0]["viable_prefix"], 1);
    assert_eq!(told["composition"]["also"][0]["name"], "encoded");
}

#[test]
fn every_vector_can_be_explained() {
    for vector in Library::embedded().vectors().step_by(97) {
        let told = explained(&["--vector", &vector.id]);
        assert!(told.starts_with(&format!("vector        {}\n", vector.id)), "{told}");
    }
}

#[test]
fn an_unknown_vector_is_refused_with_the_nearest() {
    let arguments = ["explain", "--vector", "resolution/modify/host-undefined-before-prt"];
    let done = run(program().args(arguments));
    assert_eq!(done.status, 2);
    let meant = "perhaps `resolution/modify/host-undefined-before-port` is meant";
    assert!(done.stderr.contains(meant), "{}", done.stderr);
}
