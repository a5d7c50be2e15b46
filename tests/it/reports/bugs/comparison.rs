//! Bugs that reports show where two URIs are compared.

use uriproof::model::{Component, Components, Contract, Input, Operation, Outcome, Rung};

use super::{Bug, bug};
use crate::mutants::library::breaks;
use crate::mutants::{components, reference};

/// In the order of the reports.
pub(super) const BUGS: &[Bug] = &[
    bug(
        "ignores the case of a path, by the scheme",
        Operation::Equivalent,
        |input, outcome| match input {
            Input::Equivalent {
                left,
                right,
                rung: Rung::Scheme,
            } if outcome == Outcome::equivalent(false) => match (components(left), components(right)) {
                (Some(mut left), Some(mut right)) => {
                    left.path.make_ascii_lowercase();
                    right.path.make_ascii_lowercase();
                    let (left, right) = (left.recompose(), right.recompose());
                    reference(&Input::Equivalent {
                        left,
                        right,
                        rung: Rung::Scheme,
                    })
                }
                _ => outcome,
            },
            _ => outcome,
        },
    ),
    bug(
        "hashes the host that it compares without case",
        Operation::Contract,
        |input, outcome| {
            breaks(input, outcome, Contract::Hash, |left, right| {
                differ_in_case(left, right, Component::Host)
            })
        },
    ),
    bug(
        "orders the scheme that it compares without case",
        Operation::Contract,
        |input, outcome| {
            breaks(input, outcome, Contract::Order, |left, right| {
                differ_in_case(left, right, Component::Scheme)
            })
        },
    ),
];

/// Whether two URIs differ in the case of one component, and in nothing else.
fn differ_in_case(left: &Components, right: &Components, component: Component) -> bool {
    let without = |uri: &Components| uri.clone().with(component, None);
    match (left.text(component), right.text(component)) {
        (Some(one), Some(other)) => one != other && one.eq_ignore_ascii_case(other) && without(left) == without(right),
        _ => false,
    }
}
