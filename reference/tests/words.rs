//! What no vector compares: what errors, sources and readings say of themselves.

use std::collections::BTreeSet;

use rfc3986_reference::base::Source;
use rfc3986_reference::components::{Components, parse};
use rfc3986_reference::dot_segments::Step;
use rfc3986_reference::elements::through_elements;
use rfc3986_reference::equivalence;
use rfc3986_reference::grammar::Rule;
use rfc3986_reference::normalize::syntax_based;
use rfc3986_reference::readings::Reading;
use rfc3986_reference::recompose::{Component, compose};
use rfc3986_reference::resolve::{Strictness, resolve_reference};

const PLAIN: Reading = Reading::Rfc3986;

/// That all of them are said, and each otherwise.
fn assert_distinct<T: std::fmt::Display>(all: impl IntoIterator<Item = T>) {
    let said: Vec<String> = all.into_iter().map(|one| one.to_string()).collect();
    assert!(said.iter().all(|words| !words.is_empty()), "{said:?}");
    assert_eq!(said.iter().collect::<BTreeSet<_>>().len(), said.len(), "{said:?}");
}

#[test]
fn every_source_names_its_section() {
    assert_eq!(Source::ALL.map(Source::section), ["5.1.1", "5.1.2", "5.1.3", "5.1.4"]);
    assert_distinct(Source::ALL);
}

#[test]
fn every_reading_names_its_section_and_says_what_it_is() {
    let sections = Reading::ALL.map(Reading::section);
    assert_eq!(
        sections,
        [
            None,
            Some("5.4.2"),
            Some("5.2.3"),
            Some("3.2.2"),
            Some("4.2"),
            Some("5.3")
        ]
    );
    assert_distinct(Reading::ALL);
    assert_distinct(Reading::ALL.map(Reading::summary));
    for reading in Reading::ALL {
        assert_eq!(
            reading.distinguishing_inputs().is_empty(),
            reading == PLAIN,
            "{reading}"
        );
    }
}

#[test]
fn rules_steps_and_components_have_names() {
    assert_distinct(Rule::ALL);
    assert_distinct([
        Step::Step1,
        Step::Step2A,
        Step::Step2B,
        Step::Step2C,
        Step::Step2D,
        Step::Step2E,
    ]);
    assert_distinct([
        Component::Scheme,
        Component::Authority,
        Component::Path,
        Component::Query,
        Component::Fragment,
    ]);
}

#[test]
fn every_error_says_what_is_wrong_and_where() {
    let resolved = |base, reference| resolve_reference(base, reference, Strictness::Strict, PLAIN).unwrap_err();
    let compared = |left, right| equivalence::syntax_based(left, right, PLAIN).unwrap_err().to_string();
    assert_eq!(
        parse("a^", PLAIN).unwrap_err().to_string(),
        "does not match segment-nz-nc at byte 1"
    );
    assert!(resolved("^", "").to_string().starts_with("the base is not a URI: it does not match"));
    assert!(resolved("a:", "^").to_string().starts_with("the reference is not a URI-reference: it does not match"));
    assert!(syntax_based("^", PLAIN).unwrap_err().to_string().starts_with("not a URI-reference: it does not match"));
    assert!(syntax_based("a", PLAIN).unwrap_err().to_string().starts_with("a relative reference must be transformed"));
    assert!(compared("^", "a:").starts_with("the left one is not a URI-reference: it does not match"));
    assert!(compared("a:", "b").starts_with("the right one is a relative reference"));
    assert!(through_elements("^").unwrap_err().to_string().starts_with("not a URI-reference: it does not match"));
    assert_eq!(
        through_elements("//a:65536").unwrap_err().to_string(),
        "the port is more than 65535"
    );
    let unfit = Components {
        path: "//a".into(),
        ..Components::default()
    };
    let words = "without an authority the path cannot begin with \"//\"";
    assert_eq!(compose(&unfit, PLAIN).unwrap_err().to_string(), words);
}

#[test]
fn both_derivations_fail_at_the_same_place() {
    for reading in [PLAIN, Reading::Erratum5428] {
        for text in [
            "//u@h^",
            "//u@h:x",
            "//u@[::1",
            "//u^@h",
            "//u@h@i",
            "//h:8x",
            "//[::1]:8x",
            "//[::1",
            "x://u@h:1^/p",
            "//a:b^",
            "//a:b/c^d",
            "//a:b?q^",
            "//a:b?q#f^",
            "//a:b#f^",
            "/a?q^",
            "a#f^",
            "^:",
            "1a:",
            "a%",
            "a%4",
            "%zz",
        ] {
            let of_components = parse(text, reading).err();
            let of_grammar = Rule::UriReference.matches(text, reading).err();
            assert_eq!(of_components, of_grammar, "{text} under {reading}");
        }
    }
}

#[test]
fn a_reading_is_found_by_its_id() {
    for reading in Reading::ALL {
        assert_eq!(Reading::from_id(reading.id()), Some(reading));
    }
    assert_eq!(Reading::from_id("erratum-0"), None);
}
