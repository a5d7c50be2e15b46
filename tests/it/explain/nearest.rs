//! A rejection shows the nearest string that matches, with the clause that decides.

use serde_json::json;
use uriproof::model::{Component, Components, Input, Reading, Rule};
use uriproof::split::{UserinfoEnd, components};
use uriproof::vectors::Library;
use uriproof_cli::explain::{Detail, ParseExplanation, explain};

use super::{explained, json_of};

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

/// The words of a selected rule are printed; once if it is the rule that could not go on.
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
