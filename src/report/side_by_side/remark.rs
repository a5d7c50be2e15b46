//! What is said beside an answer: how it differs, which of several outcomes it is, or why it counts as one that has other letters.

use uriproof::compare::{SameBy, Verdict, same_by};
use uriproof::expect::{Conforming, Expected};
use uriproof::model::{Component, Declaration, Forms, Observed, Outcome, Specification, Value};
use uriproof::run::Result;

use crate::report::model::describe;

/// The remark beside the answer of a result; `None` if it says nothing more than the verdict.
pub(super) fn remark(declaration: &Declaration, result: &Result) -> Option<String> {
    match &result.verdict {
        Verdict::NotComparable { reason } => Some(reason.clone()),
        Verdict::Diverge(difference) => Some(describe(difference)),
        Verdict::Agree { conforming } => {
            let Expected::Outcomes(outcomes) = &result.expected else {
                return conforming.clone();
            };
            // To the letter it may be another than the first that it agrees with.
            if let Some(same) = outcomes.iter().find(|one| one.outcome == result.observed) {
                return conforming.as_ref().map(|_| same.name.to_string());
            }
            let parts: Vec<String> = conforming.iter().cloned().chain(leeway(declaration, outcomes, result)).collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        }
    }
}

/// Why an answer agrees that has other letters than every outcome that conforms; `None` if it is no matter of letters.
fn leeway(declaration: &Declaration, outcomes: &[Conforming], result: &Result) -> Option<String> {
    match &result.observed {
        Outcome::Accepted {
            value: Value::Components(observed),
        } => outcomes.iter().find_map(|one| match &one.outcome {
            Outcome::Accepted {
                value: Value::Components(expected),
            } => of_components(declaration, expected, observed),
            _ => None,
        }),
        Outcome::Accepted { value: Value::Uri(_) } => match (declaration.forms, &declaration.specification) {
            (Forms::Normalized, _) => Some(NORMALIZES.to_owned()),
            (Forms::Verbatim, Specification::Rfc3987) => Some("compared as the URI that the IRI maps to".to_owned()),
            (Forms::Verbatim, _) => None,
        },
        _ => None,
    }
}

/// What is said of a subject that normalizes.
const NORMALIZES: &str = "the library normalizes: compared after normalization";

fn of_components(declaration: &Declaration, expected: &Observed, observed: &Observed) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut normalized: Vec<&str> = Vec::new();
    for (component, by) in same_by(declaration, expected, observed) {
        match by {
            SameBy::Fidelity(fidelity) => parts.push(format!("{} compared {fidelity}", component.name())),
            SameBy::NormalForm => normalized.push(component.name()),
        }
    }
    let port = |observed: &Observed| observed.text(Component::Port).as_defined().is_some();
    if normalized == [Component::Port.name()] && port(expected) != port(observed) {
        let does = if port(expected) { "drops" } else { "adds" };
        parts.push(format!(
            "the library {does} the default port: compared after normalization"
        ));
    } else if !normalized.is_empty() {
        parts.push(format!(
            "the library normalizes: {} compared after that",
            normalized.join(", ")
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
