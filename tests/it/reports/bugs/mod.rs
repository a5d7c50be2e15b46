//! The bugs of the reports, each as a kind of behaviour of a library that has no other bug.
//!
//! If a report shows how narrow its bug is, the bug here is no wider. A suite catches wide bugs by accident.

mod comparison;
mod normalization;
mod parsing;
mod relativization;
mod resolution;
mod writing;

use uriproof::model::{Components, Input, Operation, Outcome};

use crate::mutants::{Twist, components, with_uri};

/// A bug that a report is about, or a variant of it.
pub(crate) struct Bug {
    /// What it does, as `reports.json` names it.
    pub(crate) name: &'static str,
    /// The operation in which it shows.
    pub(crate) operation: Operation,
    /// What it makes of an outcome of the reference.
    pub(crate) twist: Twist,
}

const fn bug(name: &'static str, operation: Operation, twist: Twist) -> Bug {
    Bug { name, operation, twist }
}

/// Every bug, in the order of the reports.
pub(crate) fn all() -> impl Iterator<Item = &'static Bug> {
    [
        resolution::BUGS,
        normalization::BUGS,
        comparison::BUGS,
        parsing::BUGS,
        writing::BUGS,
        relativization::BUGS,
    ]
    .into_iter()
    .flatten()
}

/// Another normal form; `change` gets the URI.
fn normalized(input: &Input, outcome: Outcome, change: impl FnOnce(&Components, &mut Components)) -> Outcome {
    match input {
        Input::Normalize { uri, .. } => match components(uri).filter(|uri| uri.scheme.is_some()) {
            Some(given) => with_uri(outcome, |normal| change(&given, normal)),
            None => outcome,
        },
        _ => outcome,
    }
}

fn has_small_triplet(text: &str) -> bool {
    let triplets = text.match_indices('%').filter_map(|(at, _)| text.get(at + 1..at + 3));
    triplets.map(str::as_bytes).any(|digits| digits.iter().any(u8::is_ascii_lowercase))
}
