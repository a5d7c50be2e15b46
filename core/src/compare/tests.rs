//! Tests of the comparison.

use super::*;
use crate::expect::{Conforming, expect};
use crate::model::{Component, Fidelity, Forms, Rule, Values};
use crate::model::{Operation, Reading};
use crate::screen;

fn planted(forms: Forms) -> Declaration {
    Declaration {
        name: Cow::Borrowed("planted"),
        version: Cow::Borrowed("0.0.0"),
        entry_point: Cow::Borrowed("parse"),
        language: Cow::Borrowed("Rust"),
        specification: Specification::Rfc3986,
        rules: Cow::Borrowed(&[Rule::UriReference]),
        operations: Cow::Borrowed(&[Operation::Parse, Operation::Modify, Operation::RoundTrip]),
        tells: Cow::Owned(Component::ALL.map(|component| (component, Fidelity::Exact)).to_vec()),
        forms,
        values: Values::Text,
        validates: true,
        claim: None,
    }
}

/// The components that differ, for a subject that reports normal forms of all components.
fn differs(expected: &str, observed: &str) -> ComponentSet {
    let declaration = planted(Forms::Normalized);
    let observed_of = |text| screen::observed(screen::reference(text).unwrap());
    differing(&declaration, &observed_of(expected), &observed_of(observed))
}

/// §2.1, §2.3, §3.1, §3.2.2: how producers should write them.
#[test]
fn who_makes_a_uri_may_spell_it_as_producers_should() {
    let agrees = |input: &Input, observed: &str| {
        let expected = Expected::Outcomes(vec![Conforming {
            name: "literal".into(),
            outcome: Outcome::uri("A://H/%7e?%aa:%aa"),
        }]);
        let verdict = compare(&planted(Forms::Verbatim), input, &expected, &Outcome::uri(observed));
        matches!(verdict, Verdict::Agree { .. })
    };
    let query = Input::Modify {
        uri: "A://H/%7e".to_owned(),
        component: Component::Query,
        value: Some("%aa:%aa".to_owned()),
    };
    let print = Input::RoundTrip {
        uri: "A://H/%7e?%aa:%aa".to_owned(),
    };
    for spelled in ["a://h/~?%AA:%AA", "A://h/%7e?%AA:%aa", "A://H/%7E?%aa:%aa"] {
        assert!(agrees(&query, spelled) && agrees(&print, spelled), "{spelled}");
    }
    for other in [
        "A://H/%7e?%aa%3A%aa",
        "A://H/%7e?%25aa:%aa",
        "A://H/%7f?%aa:%aa",
        "A://H/%7e?%AA:%AA#",
    ] {
        assert!(!agrees(&query, other), "{other}");
    }
}

fn of_each(uris: &[&str]) -> Expected {
    let conforming = |uri: &&str| Conforming {
        name: "one of them".into(),
        outcome: Outcome::uri(*uri),
    };
    Expected::Outcomes(uris.iter().map(conforming).collect())
}

/// One component may be as one of the outcomes has it, and another as another; host and path that were one path go together.
#[test]
fn outcomes_are_mixed_but_for_authority_and_path_of_one_path() {
    let input = Input::Resolve {
        base: "http:/..//good/x".to_owned(),
        reference: "%2e%2e/evil/y".to_owned(),
        strict: true,
    };
    let seen = |specification, expected: &Expected, observed: &str| {
        let declaration = Declaration {
            specification,
            ..planted(Forms::Verbatim)
        };
        compare(&declaration, &input, expected, &Outcome::uri(observed))
    };
    let agrees = |expected: &Expected, observed: &str| {
        matches!(seen(Specification::Rfc3986, expected, observed), Verdict::Agree { .. })
    };
    let of_one_path = expect(&input, Reading::Rfc3986);
    for uri in [
        "http://good/%2e%2e/evil/y",
        "http://good/evil/y",
        "http://evil/y",
        "http:/.//evil/y",
    ] {
        assert!(agrees(&of_one_path, uri), "{uri}");
    }
    for uri in [
        "http://evil/evil/y",
        "http://evil/%2e%2e/evil/y",
        "http://good/y",
        "http://worse/y",
    ] {
        assert!(!agrees(&of_one_path, uri), "{uri}");
    }
    let with_ports = of_each(&["a://u@h:1/b", "a://v@h:2/c"]);
    assert!(agrees(&with_ports, "a://u@h:1/b"));
    for uri in ["a://u@h:2/b", "a://v@h:1/c", "a://u@h:1/c", "a://v@h:2/b"] {
        assert!(!agrees(&with_ports, uri), "{uri}");
    }
    let elsewhere = of_each(&[
        "A://%48:/./%7e",
        "a://h:/~",
        "A://%48/./%7e",
        "file://localhost/a",
        "file:///a",
    ]);
    for uri in ["A://h:/~", "a://%48:/~", "a://h/./~", "A://h/./%7E"] {
        assert!(agrees(&elsewhere, uri), "{uri}");
    }
    // A host of another kind can be the same host.
    let encoded = of_each(&["a://%31.1.1.1/%7e"]);
    assert!(agrees(&encoded, "a://1.1.1.1/~"));
    assert!(!agrees(&encoded, "a://1.1.1.2/~"));
    // And an IRI is spelled as freely as the URI that it maps to.
    let mapped = of_each(&["A:~?%C3%A9"]);
    let spelled = seen(Specification::Rfc3987, &mapped, "a:~?é");
    assert!(matches!(spelled, Verdict::Agree { .. }), "{spelled:?}");
}

/// Both may be refused.
#[test]
fn what_is_encoded_otherwise_is_another_uri_and_a_delimiter_taken_for_data_is_not() {
    let differs = |forms, component, encoded: &str, observed: &str| {
        let outcomes = [Outcome::rejected("it may be"), Outcome::uri(encoded)].map(|outcome| Conforming {
            name: "encoded".into(),
            outcome,
        });
        let input = Input::Modify {
            uri: "a:".to_owned(),
            component,
            value: None,
        };
        let expected = Expected::Outcomes(outcomes.into());
        match compare(&planted(forms), &input, &expected, &Outcome::uri(observed)) {
            Verdict::Diverge(difference) => difference,
            other => panic!("{other:?}"),
        }
    };
    let of_path = |encoded, observed| differs(Forms::Verbatim, Component::Path, encoded, observed);
    let both = of_path("/%2a?+", "/*?%2B");
    let components = [Component::Path, Component::Query].into_iter().collect();
    assert_eq!((both.kind, both.components), (DifferenceKind::OtherUri, components));
    assert_eq!(of_path("a:%20", "a:+").kind, DifferenceKind::OtherUri);
    for (encoded, observed) in [("%3F?", "??"), ("a%3F", "a?"), ("a://a%2F", "a://a/")] {
        assert_eq!(
            of_path(encoded, observed).kind,
            DifferenceKind::AcceptedInvalid,
            "{encoded} {observed}"
        );
    }
    // A host that is set may be of another kind.
    let of_host = differs(Forms::Verbatim, Component::Host, "a://1.1.1.1%20", "a://1.1.1.1+");
    assert_eq!(
        (of_host.kind, of_host.components),
        (DifferenceKind::OtherUri, Component::Host.into())
    );
    // What was given came out right, and another component did not.
    let of_query = differs(Forms::Verbatim, Component::Query, "a://@?%22", "a://?%22");
    assert_eq!(
        (of_query.kind, of_query.components),
        (DifferenceKind::OtherUri, Component::Userinfo.into())
    );
    // A decoded delimiter is found also where normalization removes the other differences.
    for (encoded, observed) in [("a:a/%3F/..", "a:a/?/.."), ("a:/.//../%3F/..?", "a:%2F/../?/..?")] {
        let difference = differs(Forms::Normalized, Component::Path, encoded, observed);
        assert_eq!(difference.kind, DifferenceKind::AcceptedInvalid, "{encoded} {observed}");
    }
}

#[test]
fn who_shows_normal_forms_may_spell_a_relative_reference_so() {
    for (expected, observed) in [
        ("/%7ex?%aa", "/~x?%AA"),
        ("//H", "//h"),
        ("//[0::1]:080/", "//[::1]:80/"),
        ("../a", "../a"),
        ("A:/%7e/../b", "a:/b"),
    ] {
        assert_eq!(differs(expected, observed), ComponentSet::NONE, "{expected} {observed}");
    }
    for (expected, observed, component) in [
        ("/%2fx", "//x", Component::Path),
        ("/%2e/x", "/./x", Component::Path),
        ("a/../b", "b", Component::Path),
        ("//h/A", "//h/a", Component::Path),
        ("?%2b", "?+", Component::Query),
        ("//h", "//i", Component::Host),
    ] {
        assert!(differs(expected, observed).contains(component), "{expected} {observed}");
    }
}
