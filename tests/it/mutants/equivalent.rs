//! What goes wrong where URIs are compared.

use rfc3986_reference::characters::percent_decode;
use uriproof::model::{Component, Input, Operation, Outcome, Rung};

use super::{Mutant, components};

const fn equivalent(
    name: &'static str,
    witness: &'static str,
    classes: &'static [&'static str],
    twist: fn(&Input, Outcome) -> Outcome,
) -> Mutant {
    Mutant {
        name,
        operation: Operation::Equivalent,
        witness,
        classes,
        twist,
    }
}

pub(super) const MUTANTS: &[Mutant] = &[
    equivalent(
        "ignores fragments",
        "equivalence/near-misses/fragment",
        &["equivalent false-positive \"\" and \"#\", simple rung"],
        |input, outcome| equal(input, outcome, |uri| without(uri, Component::Fragment)),
    ),
    equivalent(
        "ignores an empty query",
        "rfc/6.2.3/empty-query-and-root",
        &["equivalent false-positive \"\" and \"?\", simple rung"],
        |input, outcome| {
            equal(input, outcome, |uri| match components(uri) {
                Some(parsed) if parsed.query.as_deref() == Some("") => without(uri, Component::Query),
                _ => uri.to_owned(),
            })
        },
    ),
    equivalent(
        "ignores the case of a path",
        "equivalence/ladder/hex-digit-case-on-the-simple-rung",
        &["equivalent false-positive \"a\" and \"A\", simple rung"],
        |input, outcome| {
            equal(input, outcome, |uri| match components(uri) {
                Some(mut uri) => {
                    uri.path.make_ascii_lowercase();
                    uri.recompose()
                }
                None => uri.to_owned(),
            })
        },
    ),
    equivalent(
        "minds the case of a host",
        "equivalence/near-misses/host-case",
        &["equivalent false-negative \"a://a\" and \"a://A\", syntax rung"],
        |input, outcome| {
            different(input, outcome, |left, right| {
                let host = |uri: &str| components(uri).and_then(|uri| uri.host);
                host(left).zip(host(right)).is_some_and(|(left, right)| {
                    left != right && left.eq_ignore_ascii_case(&right) && !left.contains(['%', '['])
                })
            })
        },
    ),
    equivalent(
        "compares triplets of letters as text",
        "equivalence/near-misses/encoded-letter",
        &["equivalent false-negative \"a:a\" and \"a:%61\", syntax rung"],
        |input, outcome| {
            different(input, outcome, |left, right| {
                let path = |uri: &str| components(uri).map(|uri| uri.path).unwrap_or_default();
                let (left, right) = (path(left), path(right));
                left.contains('%') != right.contains('%')
                    && percent_decode(&left) == percent_decode(&right)
                    && !right.contains('.')
            })
        },
    ),
];

/// Takes for equivalent what comes out equal of `key`, on every rung.
fn equal(input: &Input, outcome: Outcome, key: impl Fn(&str) -> String) -> Outcome {
    match input {
        Input::Equivalent { left, right, .. } if outcome == Outcome::equivalent(false) && key(left) == key(right) => {
            Outcome::equivalent(true)
        }
        _ => outcome,
    }
}

/// Takes for different what `is_different`, but on the lowest rung, which compares texts.
fn different(input: &Input, outcome: Outcome, is_different: impl Fn(&str, &str) -> bool) -> Outcome {
    match input {
        Input::Equivalent { left, right, rung }
            if *rung != Rung::Simple && outcome == Outcome::equivalent(true) && is_different(left, right) =>
        {
            Outcome::equivalent(false)
        }
        _ => outcome,
    }
}

fn without(uri: &str, component: Component) -> String {
    components(uri).map_or_else(|| uri.to_owned(), |uri| uri.with(component, None).recompose())
}
