//! What goes wrong in what a library offers beside the operations of RFC 3986.

use rfc3986_reference::split::split;
use uriproof::model::{Component, Components, Contract, Input, Operation, Outcome, Value};

use super::{Mutant, components, with_uri};

const fn mutant(
    name: &'static str,
    operation: Operation,
    witness: &'static str,
    classes: &'static [&'static str],
    twist: fn(&Input, Outcome) -> Outcome,
) -> Mutant {
    Mutant {
        name,
        operation,
        witness,
        classes,
        twist,
    }
}

pub(super) const MUTANTS: &[Mutant] = &[
    mutant(
        "makes relative without the query",
        Operation::Relativize,
        "resolution/relativize/same-query",
        &["relativize other-uri query \"a:\" to \"a:?\""],
        |_, outcome| with_uri(outcome, |uri| uri.query = None),
    ),
    mutant(
        "makes relative to nothing what has no query",
        Operation::Relativize,
        "resolution/relativize/without-the-query-of-the-base",
        &["relativize other-uri query \"a:?\" to \"a:\""],
        |input, outcome| match (input, &outcome) {
            (Input::Relativize { base, target }, Outcome::Accepted { .. })
                if bare(base) == bare(target) && components(target).is_some_and(|target| target.query.is_none()) =>
            {
                Outcome::uri(target.find('#').map_or("", |start| &target[start..]))
            }
            _ => outcome,
        },
    ),
    mutant(
        "drops the port with the host",
        Operation::Modify,
        "resolution/modify/host",
        &["modify other-uri port \"//:1\", host \"\""],
        |input, outcome| set(input, outcome, Component::Host, |uri| uri.port = None),
    ),
    mutant(
        "drops the query with the path",
        Operation::Modify,
        "resolution/modify/path",
        &["modify other-uri query \"?\", path \"\""],
        |input, outcome| set(input, outcome, Component::Path, |uri| uri.query = None),
    ),
    mutant(
        "encodes the triplets of a query again",
        Operation::Modify,
        "resolution/modify/query-with-triplet",
        &["modify other-uri query \"\", query \"%aa\""],
        |input, outcome| {
            set(input, outcome, Component::Query, |uri| {
                uri.query = uri.query.as_ref().map(|query| query.replace('%', "%25"));
            })
        },
    ),
    mutant(
        "empties a query that should go",
        Operation::Modify,
        "resolution/modify/query-undefined",
        &["modify other-uri query \"?\", query undefined"],
        |input, outcome| match input {
            Input::Modify {
                value: None,
                uri: given,
                ..
            } if split(given).query.is_some() => {
                set(input, outcome, Component::Query, |uri| uri.query = Some(String::new()))
            }
            _ => outcome,
        },
    ),
    mutant(
        "prints no empty fragment",
        Operation::RoundTrip,
        "syntax/round-trip/empty-fragment",
        &["round-trip other-uri fragment \"#\""],
        |_, outcome| {
            with_uri(outcome, |uri| {
                uri.fragment = uri.fragment.take().filter(|fragment| !fragment.is_empty());
            })
        },
    ),
    mutant(
        "prints a port as a number",
        Operation::RoundTrip,
        "syntax/round-trip/port-with-leading-zeros",
        &["round-trip other-uri port \"//:01\""],
        |_, outcome| {
            with_uri(outcome, |uri| {
                uri.port = uri.port.as_ref().map(|port| match port.trim_start_matches('0') {
                    "" if !port.is_empty() => "0".to_owned(),
                    digits => digits.to_owned(),
                });
            })
        },
    ),
    mutant(
        "prints an encoded ampersand of a query as a delimiter",
        Operation::RoundTrip,
        "syntax/round-trip/encoded-delimiters",
        &["round-trip other-uri query \"?%26\""],
        |_, outcome| {
            with_uri(outcome, |uri| {
                uri.query = uri.query.as_ref().map(|query| query.replace("%26", "&"));
            })
        },
    ),
    mutant(
        "hashes the scheme that it compares without case",
        Operation::Contract,
        "equivalence/contract/scheme-in-another-case",
        &["contract broken-contract \"a:\" and \"A:\""],
        |input, outcome| {
            breaks(input, outcome, Contract::Hash, |left, right| {
                left.scheme != right.scheme
                    && left.clone().with(Component::Scheme, None) == right.clone().with(Component::Scheme, None)
                    && left
                        .scheme
                        .as_deref()
                        .zip(right.scheme.as_deref())
                        .is_some_and(|(left, right)| left.eq_ignore_ascii_case(right))
            })
        },
    ),
    mutant(
        "orders without the fragment",
        Operation::Contract,
        "equivalence/contract/empty-fragment",
        &["contract broken-contract \"\" and \"#\""],
        |input, outcome| {
            breaks(input, outcome, Contract::Order, |left, right| {
                left.fragment != right.fragment
                    && left.clone().with(Component::Fragment, None) == right.clone().with(Component::Fragment, None)
            })
        },
    ),
    mutant(
        "equals what it begins with",
        Operation::Contract,
        "equivalence/contract/longer-path",
        &["contract broken-contract \"\" and \"/\""],
        |input, outcome| {
            breaks(input, outcome, Contract::Symmetric, |left, right| {
                let is_longer =
                    |one: &Components, other: &Components| one.path != other.path && one.path.starts_with(&other.path);
                (is_longer(left, right) || is_longer(right, left))
                    && left.clone().with(Component::Path, None) == right.clone().with(Component::Path, None)
            })
        },
    ),
];

/// The components up to the path.
pub(crate) fn bare(uri: &str) -> Option<Components> {
    components(uri).map(|uri| uri.with(Component::Query, None).with(Component::Fragment, None))
}

/// Changes more than the component that is set.
fn set(input: &Input, outcome: Outcome, component: Component, change: impl FnOnce(&mut Components)) -> Outcome {
    match input {
        Input::Modify { component: set, .. } if *set == component => with_uri(outcome, change),
        _ => outcome,
    }
}

/// Breaks a contract on two values that `is_broken` for.
pub(crate) fn breaks(
    input: &Input,
    outcome: Outcome,
    contract: Contract,
    is_broken: impl FnOnce(&Components, &Components) -> bool,
) -> Outcome {
    let (
        Input::Contract { left, right },
        Outcome::Accepted {
            value: Value::Broken(_),
        },
    ) = (input, &outcome)
    else {
        return outcome;
    };
    match (components(left), components(right)) {
        (Some(left), Some(right)) if is_broken(&left, &right) => Outcome::broken([contract]),
        _ => outcome,
    }
}
