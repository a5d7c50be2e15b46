//! Tests of what is expected of each operation.

use super::*;
use crate::model::{Component, Rung, Scope};

fn conforming(input: &Input) -> Vec<String> {
    match expect(input, Reading::Rfc3986) {
        Expected::Outcomes(outcomes) => outcomes
            .iter()
            .map(|one| match &one.outcome {
                Outcome::Accepted { value: Value::Uri(uri) } => uri.clone(),
                other => other.name().to_owned(),
            })
            .collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_two_liberties_make_equal_is_no_false_positive() {
    let may_be_equal = |left: &str, right: &str| {
        let (left, right) = (left.to_owned(), right.to_owned());
        let Expected::Outcomes(outcomes) = expect(
            &Input::Equivalent {
                left,
                right,
                rung: Rung::Syntax,
            },
            Reading::Rfc3986,
        ) else {
            panic!("two URIs have an answer");
        };
        outcomes.iter().any(|one| one.outcome == Outcome::equivalent(true))
    };
    // An address has one value (§3.2.2), and an empty port may go (§3.2.3).
    assert!(may_be_equal("a://[::]/", "a://[::0]:/"));
    assert!(!may_be_equal("a://[::]/", "a://[::1]:/"));
    assert!(!may_be_equal("a://[::]/", "a://[::0]:1/"));
}

fn modified(uri: &str, component: Component, value: Option<&str>) -> Vec<String> {
    let (uri, value) = (uri.to_owned(), value.map(str::to_owned));
    conforming(&Input::Modify { uri, component, value })
}

/// §3.2.3: a producer "should omit the port component and its ":" delimiter", whose value may be the default.
#[test]
fn a_port_that_says_nothing_may_be_omitted_by_who_writes_it() {
    use Component::{Host, Path, Port};
    for (uri, component, value, expected) in [
        ("a://b:/c", Path, Some("/d"), &["a://b:/d", "a://b/d"][..]),
        ("a://b/", Port, Some(""), &["a://b:/", "a://b/"]),
        ("http://b/", Port, Some("080"), &["http://b:080/", "http://b/"]),
        ("http://b/", Port, Some("443"), &["http://b:443/"]),
        ("http://b/", Port, Some("+80"), &["rejected"]),
        ("http:/b", Port, Some("80"), &["rejected"]),
        ("http:/b", Port, Some(""), &["rejected", "http:/b"]),
        ("http://b:80/", Host, None, &["rejected", "http:/"]),
        ("a://b/", Port, Some("80"), &["a://b:80/"]),
        ("a://b:/", Host, None, &["rejected", "a:/"]),
        ("a://b:1/", Host, None, &["rejected"]),
        ("a://b:/", Host, Some("#"), &["rejected", "a://%23:/", "a://%23/"]),
    ] {
        assert_eq!(modified(uri, component, value), expected, "{uri} {component:?}");
    }
}

/// §3.2.3 and §6.2.2 in one.
#[test]
fn a_target_may_be_normalized_and_lose_its_empty_port() {
    let input = Input::Resolve {
        base: "a:".to_owned(),
        reference: "//%6c:/%aa".to_owned(),
        strict: true,
    };
    assert_eq!(
        conforming(&input),
        ["a://%6c:/%aa", "a://%6c/%aa", "a://l/%AA", "a://%6C:/%AA", "a://l:/%AA"]
    );
}

/// Who resolves and normalizes in one keeps the "/." without which the path would read as an authority.
#[test]
fn a_guarded_target_may_be_normalized_but_for_its_dot_segment() {
    for (base, reference, expected) in [
        ("a:", "/.//b", &["a://b", "a:/.//b", "rejected"][..]),
        ("a:", "A:/.//b", &["A://b", "A:/.//b", "a:/.//b", "rejected"]),
        (
            "a:",
            "/.//b?%aa#%7e",
            &[
                "a://b?%aa#%7e",
                "a:/.//b?%aa#%7e",
                "a:/.//b?%AA#%7E",
                "a:/.//b?%AA#~",
                "rejected",
            ],
        ),
    ] {
        let input = Input::Resolve {
            base: base.to_owned(),
            reference: reference.to_owned(),
            strict: true,
        };
        let conforming = conforming(&input);
        assert_eq!(conforming[..expected.len()], *expected, "{base} {reference}");
    }
}

fn resolved(base: &str, reference: &str) -> Vec<String> {
    conforming(&Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict: true,
    })
}

/// §5.2.1: "Normalization of the base URI, as described in Sections 6.2.2 and 6.2.3, is optional".
#[test]
fn a_base_may_be_normalized_by_its_scheme() {
    for (base, reference, target) in [
        ("http://a:80/b", "c", "http://a/c"),
        ("http://a:/b", "c", "http://a/c"),
        ("s://a:/b", "c", "s://a/c"),
        ("http://a", "?q", "http://a/?q"),
        ("http://a:80", "", "http://a/"),
        ("HTTP://a:80/%7e", "?q", "http://a/~?q"),
        ("file://localhost/b", "c", "file:///c"),
    ] {
        let conforming = resolved(base, reference);
        assert!(
            conforming.contains(&target.to_owned()),
            "{base} {reference}: {conforming:?}"
        );
    }
    for (base, reference, target) in [
        ("s://a:80/b", "c", "s://a/c"),
        ("s://a", "?q", "s://a/?q"),
        ("file://u@localhost/b", "c", "file://u@/c"),
    ] {
        let conforming = resolved(base, reference);
        assert!(
            !conforming.contains(&target.to_owned()),
            "{base} {reference}: {conforming:?}"
        );
    }
}

/// §5.1 binds the base, and no sentence makes a resolver refuse it: what §5.2.2 gives conforms too, and nothing else does.
#[test]
fn a_relative_base_is_refused_or_resolved_against() {
    for (base, reference, expected) in [
        ("foo", "bar", &["bar", "rejected"][..]),
        ("foo/", "bar", &["foo/bar", "rejected"]),
        ("/a/b", "c", &["/a/c", "rejected"]),
        ("/a/b", "../../c", &["/c", "rejected"]),
        ("//h", "c", &["//h/c", "rejected"]),
        ("a?q", "", &["a?q", "rejected"]),
        ("", "c", &["c", "rejected"]),
        ("a", "http://h/./b", &["http://h/b", "rejected"]),
        // What would read as a scheme or as an authority is guarded.
        ("a", "./b:c", &["./b:c", "rejected"]),
        ("/a", "..//b", &["/.//b", "rejected"]),
        ("a", "[", &["rejected"]),
    ] {
        assert_eq!(resolved(base, reference), expected, "{base} {reference}");
    }
}

/// §3.2.3: a producer "should omit the port component and its ":" delimiter" where it says nothing.
#[test]
fn a_port_that_says_nothing_may_be_omitted_when_a_uri_is_printed() {
    let printed = |uri: &str| conforming(&Input::RoundTrip { uri: uri.to_owned() });
    for (uri, expected) in [
        ("http://h:80/", &["http://h:80/", "http://h/"][..]),
        ("//u@h:/p", &["//u@h:/p", "//u@h/p"]),
        ("http://h:81/", &["http://h:81/"]),
        ("a://h:80/", &["a://h:80/"]),
        ("HTTP://H/?", &["HTTP://H/?"]),
    ] {
        assert_eq!(printed(uri), expected, "{uri}");
    }
}

/// §6.2.3: "the reference should be normalized to an empty authority", and what else may be done with a default for authority.
#[test]
fn a_default_for_authority_becomes_an_empty_one() {
    let normal = |uri: &str| {
        conforming(&Input::Normalize {
            uri: uri.to_owned(),
            scope: Scope::Scheme,
        })
    };
    for (uri, expected) in [
        ("file:/a", &["file:///a"][..]),
        ("file:", &["file://", "file:///"]),
        ("file:/.//a", &["file:////a"]),
        ("file:a", &["file:a"]),
        ("file:a/..", &["file:///", "file:a/.."]),
        ("file:/a/..//b", &["file:////b"]),
        ("file://localhost:/a", &["file:///a"]),
        (
            "file://@localhost/a",
            &["file:///a", "file://@/a", "file://@localhost/a"],
        ),
        ("file://@/a", &["file:///a", "file://@/a"]),
        ("file://u@localhost/a", &["file://u@localhost/a"]),
        ("file://%75@/a", &["file://u@localhost/a", "file://u@/a"]),
        ("file://:8/a", &["file://localhost:8/a", "file://:8/a"]),
        ("http:/a", &["http:/a"]),
    ] {
        assert_eq!(normal(uri), expected, "{uri}");
    }
}

/// §3.2.3: a producer "should omit the port component and its ":" delimiter" where it says nothing.
#[test]
fn who_resolves_may_omit_the_port_of_a_reference() {
    for (base, reference, expected) in [
        ("http://a/", "//h:/x", &["http://h:/x", "http://h/x"][..]),
        ("http://a/", "//h:80/./x", &["http://h:80/x", "http://h/x"]),
        ("http://a/", "//h:81/x", &["http://h:81/x"]),
        ("a:", "http://u@h:80", &["http://u@h:80", "http://u@h"]),
        (
            "a:",
            "b://h:/%2e%2e/x",
            &[
                "b://h:/%2e%2e/x",
                "b://h:/x",
                "b://h/%2e%2e/x",
                "b://h/x",
                "b://h:/%2E%2E/x",
            ],
        ),
        ("a:", "b://h:80/x", &["b://h:80/x"]),
    ] {
        assert_eq!(resolved(base, reference), expected, "{base} {reference}");
    }
}

/// §3.3: "If a URI does not contain an authority component, then the path cannot begin with two slash characters".
#[test]
fn no_liberty_makes_an_authority() {
    for (base, reference, invented, guarded) in [
        ("a:/b/..//evil/d", "?q", "a://evil/d?q", "a:/.//evil/d?q"),
        ("a:/b/%2e%2e//evil/d", "", "a://evil/d", "a:/.//evil/d"),
    ] {
        let conforming = resolved(base, reference);
        assert!(!conforming.contains(&invented.to_owned()), "{conforming:?}");
        assert!(conforming.contains(&guarded.to_owned()), "{conforming:?}");
    }
    // And what has no other form may be refused.
    for (base, reference) in [("a:a//..", "..//"), ("a:/%2e%2e/x", ".//c"), ("http:///x", "//h/y")] {
        assert!(
            resolved(base, reference).contains(&"rejected".to_owned()),
            "{base} {reference}"
        );
    }
    assert!(!resolved("a:/b//c", "d").contains(&"rejected".to_owned()));
}

#[test]
fn what_is_encoded_may_need_a_guard_too() {
    let composed = |path: &str, query: Option<&str>| {
        conforming(&Input::Compose {
            components: Components {
                path: path.to_owned(),
                query: query.map(str::to_owned),
                ..Components::default()
            },
        })
    };
    assert_eq!(composed(":\"", None), ["rejected", "./:%22"]);
    assert_eq!(composed(":", Some("#")), ["rejected", "./:?%23"]);
    assert_eq!(composed("//\"", None), ["rejected", "/.//%22"]);
    assert_eq!(composed("\"", None), ["rejected", "%22"]);
}

/// §6.1: "applications should not directly compare relative references".
#[test]
fn nobody_has_to_compare_relative_references() {
    let equivalent = |left: &str, right: &str| {
        conforming(&Input::Equivalent {
            left: left.to_owned(),
            right: right.to_owned(),
            rung: Rung::Simple,
        })
    };
    assert_eq!(equivalent("a", "a"), ["accepted", "rejected"]);
    assert_eq!(equivalent("a:", "a:"), ["accepted"]);
}

#[test]
fn one_component_is_replaced_and_the_others_are_kept() {
    use Component::*;
    for (uri, component, value, expected) in [
        (
            "http://u@h:1/p?q#f",
            Host,
            Some("[::1]"),
            &["http://u@[::1]:1/p?q#f"][..],
        ),
        ("http://u@h:1/p?q#f", Userinfo, None, &["http://h:1/p?q#f"]),
        ("http://h/p?q", Query, Some(""), &["http://h/p?"]),
        ("http://h/p", Query, Some("a b"), &["rejected", "http://h/p?a%20b"]),
        ("http://h/p", Port, Some("x"), &["rejected"]),
        ("http://h:1/p", Host, None, &["rejected"]),
        ("http://h//p", Host, None, &["rejected", "http:/.//p"]),
        ("a:b", Host, Some("h"), &["rejected"]),
        ("a:b", Port, Some("1"), &["rejected"]),
        ("a:b:c", Scheme, None, &["rejected", "./b:c"]),
        ("a:/b", Path, Some("//b"), &["rejected", "a:/.//b"]),
        ("a:/b", Path, None, &["rejected", "a:"]),
        ("a b", Path, Some("c"), &["rejected"]),
    ] {
        assert_eq!(modified(uri, component, value), expected, "{uri} {component} {value:?}");
    }
}
