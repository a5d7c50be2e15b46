//! What `explain` prints for a string that is parsed.

use serde_json::{Value, json};

use super::{explained, json_of};
use crate::process::{program, run};

#[test]
fn a_uri_that_matches() {
    assert_eq!(
        explained(&["http://1.2.3.4:/a//..?q#"]),
        r#"accepted: matches URI-reference, as a URI; its host is an IPv4address, its path
  a path-abempty

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
        r#"rejected: does not match URI-reference at byte 12, ":": it is not allowed there
 |
 | http://[::1::]/
 |             ^ not allowed here

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
        r##"rejected: does not match URI-reference at byte 1, ":": what comes before it
  would match
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
        let at = lines.iter().position(|line| *line == " |").unwrap();
        assert_eq!(lines[at + 1], shown, "{text}");
        assert!(lines[at + 2].starts_with(marker), "{text}");
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
