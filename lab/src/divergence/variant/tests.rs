//! Tests of variants.

use uriproof::model::{Component, Input, Rule, Rung};

use super::steps::{NormalizingStep, steps};
use super::{contains, otherwise_ordered};

fn of(left: &str, right: &str) -> Option<Vec<(Component, NormalizingStep)>> {
    let [left, right] = [left, right].map(ToOwned::to_owned);
    let rung = Rung::Scheme;
    steps(&Input::Equivalent { left, right, rung }, true).map(|(_, steps)| steps)
}

#[test]
fn what_stands_beside_a_step_says_nothing() {
    let host = Some(vec![(Component::Host, NormalizingStep::Decoding)]);
    assert_eq!(of("ftp://a/", "ftp://%61/"), host);
    assert_eq!(of("http://b:1/?#", "http://%62:1/?#"), host);
    assert_eq!(
        of("a:/.", "a:/"),
        Some(vec![(Component::Path, NormalizingStep::DotSegments)])
    );
    assert_eq!(
        of("a:?%aa", "a:?%aA"),
        Some(vec![(Component::Query, NormalizingStep::CaseOfTriplets)])
    );
    assert_eq!(
        of("http://a:80/", "http://a/"),
        Some(vec![(Component::Port, NormalizingStep::Default)])
    );
    let both = vec![
        (Component::Host, NormalizingStep::Decoding),
        (Component::Host, NormalizingStep::Case),
    ];
    assert_eq!(of("a://b", "a://%42"), Some(both));
    let two = vec![
        (Component::Scheme, NormalizingStep::Case),
        (Component::Path, NormalizingStep::Decoding),
    ];
    assert_eq!(of("A:b", "a:%62"), Some(two));
}

#[test]
fn what_makes_others_alike_is_the_step_that_should_not_be_taken() {
    let of = |left: &str, right: &str| {
        let [left, right] = [left, right].map(ToOwned::to_owned);
        let rung = Rung::Syntax;
        steps(&Input::Equivalent { left, right, rung }, false).map(|(_, steps)| steps)
    };
    let path = |step| Some(vec![(Component::Path, step)]);
    assert_eq!(of("a:%26&", "a:&%26"), path(NormalizingStep::DecodingAll));
    assert_eq!(
        of("A:%26", "a:&"),
        path(NormalizingStep::DecodingAll),
        "the case of a scheme is none"
    );
    assert_eq!(of("a:b", "a:B"), path(NormalizingStep::Case));
    assert_eq!(
        of("a:?", "a:"),
        Some(vec![(Component::Query, NormalizingStep::Default)])
    );
    assert_eq!(
        of("a://b:1/", "a://b:01/"),
        Some(vec![(Component::Port, NormalizingStep::Number)])
    );
    assert_eq!(of("a://b:1/", "a://b:10/"), None);
    assert_eq!(of("a:b", "A:%62"), None, "they are equivalent");
    assert_eq!(of("a:b", "a:c"), None);
    assert_eq!(of("a:?b#%2f", "a:?c#/"), None, "one component has no step");
}

#[test]
fn what_follows_an_authority_comes_in_every_order() {
    let parse = |input: &str| Input::Parse {
        rule: Rule::Uri,
        input: input.to_owned(),
    };
    let orders = ["a://b?:/", "a://b/?:", "a://b/:?", "a://b:/?", "a://b:?/"];
    let mut expected = orders.map(parse).to_vec();
    expected.sort();
    let mut found = otherwise_ordered(&parse("a://b?/:"));
    found.sort();
    assert_eq!(found, expected);
    assert_eq!(otherwise_ordered(&parse("a:aa")), []);
    assert_eq!(otherwise_ordered(&parse("a:/?:")), [], "no authority");
}

#[test]
fn what_no_step_makes_alike_is_no_variant_by_steps() {
    assert_eq!(of("a://a:1/", "a://a:01/"), None);
    assert_eq!(of("a:b", "a:c"), None);
    assert_eq!(of("a:b", "a:["), None);
}

#[test]
fn a_text_contains_what_is_left_when_characters_go() {
    assert!(contains("a://@/:@:1", "a:///:1"));
    assert!(!contains("a:///:1", "a:///:1"), "it is no more");
    assert!(!contains("a://12:2", "a://1:1"));
}
