//! What there is to group.

use std::collections::BTreeSet;

use super::change::ComponentChange;
use super::direction::Direction;
use crate::compare::Verdict;
use crate::gate::judgement::{Case, Failure, Status};
use crate::model::{ComponentSet, Input, Operation, Outcome, Vector};
use crate::split::split;

/// A vector that fails or passes.
pub(super) struct JudgedVector<'j> {
    pub(super) vector: &'j Vector,
    pub(super) operation: Operation,
    /// How it fails; `None` if it passes.
    pub(super) failure: Option<(&'j Failure, Direction, ComponentSet)>,
    /// What explains all of the difference.
    pub(super) change: Option<ComponentChange>,
}

impl<'j> JudgedVector<'j> {
    /// The cases that fail or pass.
    pub(super) fn all(cases: &'j [Case<'_>]) -> Vec<JudgedVector<'j>> {
        let mut judged: Vec<JudgedVector<'j>> = cases.iter().filter_map(of).collect();
        forget_unresolved(&mut judged);
        judged
    }

    /// The operations in which the subject accepts something, whether a baseline lists it or not.
    pub(super) fn accepting(cases: &[Case<'_>]) -> BTreeSet<Operation> {
        let accepts = |case: &&Case<'_>| {
            let outcome = case.result.as_ref().map(|result| &result.observed);
            matches!(outcome, Some(Outcome::Accepted { .. }))
        };
        cases.iter().filter(accepts).map(|case| case.vector.input.operation()).collect()
    }
}

/// What keeps no relative reference as it is keeps something of the others.
fn forget_unresolved(judged: &mut [JudgedVector<'_>]) {
    let is_relative = |one: &JudgedVector<'_>| match (&one.vector.input, &one.failure) {
        (Input::Resolve { reference, .. }, Some((_, direction, _))) => {
            direction.is_unresolved && split(reference).scheme.is_none()
        }
        _ => false,
    };
    if !judged.iter().any(is_relative) {
        let failures = judged.iter_mut().filter_map(|one| one.failure.as_mut());
        failures.for_each(|(_, direction, _)| direction.is_unresolved = false);
    }
}

/// A case as it counts here: one that a baseline lists neither fails nor passes.
fn of<'j>(case: &'j Case<'_>) -> Option<JudgedVector<'j>> {
    let failure = match &case.status {
        Status::Agrees => None,
        Status::Fails(failure) => {
            let differing = case.result.as_ref().and_then(|result| match &result.verdict {
                Verdict::Diverge(difference) => Some(difference.components),
                Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
            });
            Some((failure, Direction::of(failure, case), differing.unwrap_or_default()))
        }
        _ => return None,
    };
    Some(JudgedVector {
        change: ComponentChange::of(case),
        vector: &case.vector,
        operation: case.vector.input.operation(),
        failure,
    })
}
