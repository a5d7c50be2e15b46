//! The classes of divergence that vectors and suites show: what the ledger must explain.

use std::collections::BTreeSet;

use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::model::{Input, Reading, Subject};
use uriproof::run;

use super::growth::Growth;
use crate::divergence::fingerprint::{Class, Fingerprint, classes};
use crate::divergence::ledger::Ledger;

/// The classes that an input shows, for a subject.
pub fn of_input(subject: &dyn Subject, input: &Input) -> Vec<Class> {
    let result = run::one(subject, input, Reading::Rfc3986);
    classes(subject, &result, Reading::Rfc3986)
}

/// The classes that inputs show, each with the places of its subject and its input; in that order.
pub fn of_inputs<'i>(
    subjects: &[&dyn Subject],
    inputs: impl IntoParallelIterator<Item = (usize, &'i Input)>,
) -> Vec<(usize, usize, Class)> {
    let mut found: Vec<(usize, usize, Class)> = inputs
        .into_par_iter()
        .flat_map_iter(|(at, input)| {
            subjects.iter().enumerate().flat_map(move |(subject, asked)| {
                of_input(*asked, input).into_iter().map(move |class| (subject, at, class))
            })
        })
        .collect();
    found.sort_by(|one, other| (one.0, one.1, &one.2.fingerprint).cmp(&(other.0, other.1, &other.2.fingerprint)));
    found
}

/// The classes that long inputs have shown, each with the place of its subject.
pub fn of_growth(subjects: &[&dyn Subject], stored: &[Growth]) -> Vec<(usize, Class)> {
    subjects
        .iter()
        .enumerate()
        .flat_map(|(at, subject)| {
            let declaration = subject.declaration();
            let of_subject = stored.iter().filter(|growth| growth.subject == declaration.label());
            of_subject.filter_map(|growth| growth.class(declaration)).map(move |class| (at, class)).collect::<Vec<_>>()
        })
        .collect()
}

/// A class in the ledger that an entry point does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The ledger's file.
    pub file: String,
    /// The entry.
    pub entry: String,
    /// The subject's label.
    pub subject: String,
    /// The class.
    pub fingerprint: Fingerprint,
    /// What is the case instead.
    pub reason: String,
}

/// Every class of the ledger whose witness does not show it, of the subjects that are given; and those of subjects that are
/// not there, where `all` are given. What `growth` has shows that of long inputs.
pub fn stale(ledger: &Ledger, subjects: &[&dyn Subject], growth: &[Growth], all: bool) -> Vec<Stale> {
    let known: Vec<_> = ledger.classes().collect();
    let by_growth: BTreeSet<(String, Fingerprint)> = of_growth(subjects, growth)
        .into_iter()
        .map(|(at, class)| (subjects[at].declaration().label(), class.fingerprint))
        .collect();
    let by_growth = &by_growth;
    known
        .par_iter()
        .flat_map_iter(|known| {
            known.class.entry_points.iter().filter_map(move |entry_point| {
                let label = format!("{} {} {entry_point}", known.file.name, known.file.version);
                let reason = match subjects.iter().find(|subject| subject.declaration().label() == label) {
                    None if all => "there is no such subject".to_owned(),
                    None => return None,
                    Some(_) if by_growth.contains(&(label.clone(), known.class.fingerprint.clone())) => return None,
                    Some(subject) => {
                        let result = run::one(*subject, &known.class.input, Reading::Rfc3986);
                        let shown = classes(*subject, &result, Reading::Rfc3986);
                        match (&result.verdict, shown.first()) {
                            _ if shown.iter().any(|class| class.fingerprint == known.class.fingerprint) => return None,
                            (Verdict::Diverge(_), Some(other)) => {
                                format!("its class is another: {}", other.fingerprint)
                            }
                            (verdict, _) => format!("{}, {}", verdict.name(), result.observed),
                        }
                    }
                };
                Some(Stale {
                    file: known.file.file.clone(),
                    entry: known.entry.id.clone(),
                    subject: label,
                    fingerprint: known.class.fingerprint.clone(),
                    reason,
                })
            })
        })
        .collect()
}
