//! What failures have in common before their inputs are looked at.

use crate::compare::DifferenceKind;
use crate::gate::groups::feature::has_fault;
use crate::gate::judgement::{Case, Failure};
use crate::model::{Input, Operation, Outcome, Value};
use crate::severity::Severity;

/// What failures of one cause have in common before their inputs are looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Direction {
    pub(super) kind: DifferenceKind,
    /// Of what is accepted though it is invalid: another host, port or userinfo than Appendix B and §3.2 leave open, or than conforms.
    pub(super) misread: Option<Severity>,
    /// Where it crashes.
    pub(super) place: Option<String>,
    /// Whether it agrees when it is run again.
    is_unrepeated: bool,
    /// That a reference comes out as it went in. A library that resolves only what it knows does so in whatever form the two have.
    pub(super) is_unresolved: bool,
}

impl Direction {
    pub(super) fn of(failure: &Failure, case: &Case<'_>) -> Direction {
        let is_parse = case.vector.input.operation() == Operation::Parse;
        let kind = match failure.kind {
            // A parser that reads another path resolves to another one.
            DifferenceKind::OtherUri
            | DifferenceKind::OtherMeaning
            | DifferenceKind::NotIdempotent
            | DifferenceKind::InvalidUri => DifferenceKind::OtherComponents,
            // What is valid has no valid result.
            DifferenceKind::AcceptedInvalid if !is_parse && !has_fault(&case.vector.input) => {
                DifferenceKind::OtherComponents
            }
            kind => kind,
        };
        let is_misread = matches!(
            failure.severity,
            Severity::Credentials | Severity::Host | Severity::SchemeOrPort | Severity::Userinfo
        );
        Direction {
            kind,
            misread: (kind == DifferenceKind::AcceptedInvalid && is_misread).then_some(failure.severity),
            place: case.result.as_ref().and_then(|result| result.observed.crash_place()),
            is_unrepeated: failure.unrepeated.is_some(),
            is_unresolved: is_unresolved(case),
        }
    }
}

/// Whether resolution gave the reference as it is.
fn is_unresolved(case: &Case<'_>) -> bool {
    let observed = case.result.as_ref().map(|result| &result.observed);
    match (&case.vector.input, observed) {
        (Input::Resolve { reference, .. }, Some(Outcome::Accepted { value: Value::Uri(uri) })) => uri == reference,
        _ => false,
    }
}
