//! Which group comes first, and which failure of a group.

use super::FailureGroup;
use crate::gate::judgement::Failure;
use crate::model::{Input, Rule, Vector};

impl FailureGroup<'_> {
    pub(super) fn order(&self) -> impl Ord + '_ {
        let is_changed = self.failures.iter().all(|(_, failure)| failure.known_as.is_some());
        (
            self.severity.urgency(),
            is_changed,
            self.level,
            std::cmp::Reverse(self.failures.len()),
            &self.title,
        )
    }
}

/// The order of what is looked at first in a group.
pub(super) fn witness_order(vector: &Vector, failure: &Failure) -> impl Ord + use<> {
    (
        // What failed before in another way may have two causes.
        failure.known_as.is_some(),
        failure.severity.urgency(),
        vector.level,
        family(&vector.id),
        part(&vector.input).is_some(),
        vector.input.operation(),
        vector.input.size(),
    )
}

/// The rule that is parsed, if it is that of a part of a reference.
pub(super) fn part(input: &Input) -> Option<Rule> {
    let of_references = [Rule::UriReference, Rule::Uri, Rule::AbsoluteUri, Rule::RelativeRef];
    match input {
        Input::Parse { rule, .. } => Some(*rule).filter(|rule| !of_references.contains(rule)),
        _ => None,
    }
}

/// Where the witness is looked for first: in the URL Standard, by which alone its vectors are run, then in the RFC and the grammar, last
/// in what is contested or was found.
pub(in crate::gate) fn family(id: &str) -> u8 {
    match id.split('/').next() {
        Some("whatwg") => 0,
        Some("rfc" | "syntax") => 1,
        Some("contested" | "found") => 3,
        _ => 2,
    }
}
