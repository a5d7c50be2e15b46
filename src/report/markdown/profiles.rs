//! How much of what each crate does otherwise its profile predicts.

use std::collections::BTreeMap;

use uriproof::model::{Operation, Subject};
use uriproof_lab::divergence::ledger::{Ledger, LedgerFile};
use uriproof_lab::predict::{FitCounts, PredictedShare};

use crate::measured::subjects::MeasuredCrates;
use crate::report::markup::cell;

/// How many inputs are shown of what another algorithm does.
const SHOWN: usize = 3;

/// A crate with its profile.
pub(super) struct ProfileRow {
    /// The crate and its version.
    pub(super) name: String,
    /// How many choices and deviations the profile has.
    pub(super) deviations: usize,
    /// The operations in which it is whole, and how many divergences it predicts there.
    pub(super) whole: String,
    /// The other operations, each with how many of its divergences are predicted.
    pub(super) others: String,
    /// How many divergences are predicted that do not happen.
    pub(super) falsely: u64,
    /// What another algorithm does, a line each.
    pub(super) algorithms: Vec<String>,
}

impl ProfileRow {
    /// A row for each crate that has a file in the ledger.
    pub(super) fn all(ledger: &Ledger, subjects: &[&dyn Subject]) -> Vec<ProfileRow> {
        let measured = MeasuredCrates::embedded().subjects();
        let rows = ledger.files.iter().map(|file| {
            let is_of = |subject: &&&dyn Subject| {
                let declaration = subject.declaration();
                declaration.name == file.name && declaration.version == file.version
            };
            let labels = subjects.iter().filter(is_of).map(|subject| subject.declaration().label());
            let shares: Vec<&PredictedShare> =
                labels.filter_map(|label| measured.get(&*label)?.predicted.as_ref()).collect();
            ProfileRow::of(file, &shares)
        });
        rows.collect()
    }

    fn of(file: &LedgerFile, shares: &[&PredictedShare]) -> ProfileRow {
        let mut counts: BTreeMap<Operation, FitCounts> = BTreeMap::new();
        for (operation, of_share) in shares.iter().flat_map(|share| &share.operations) {
            counts.entry(*operation).or_default().add(*of_share);
        }
        let sum = |operations: &[Operation]| {
            let mut sum = FitCounts::default();
            operations.iter().filter_map(|operation| counts.get(operation)).for_each(|counts| sum.add(*counts));
            sum
        };
        let names =
            |operations: &[Operation]| operations.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let whole = match &*file.predicted {
            [] => "-".to_owned(),
            some => format!("{} of {}: {}", sum(some).predicted, sum(some).diverge, names(some)),
        };
        let others = counts.iter().filter(|(operation, counts)| {
            !file.predicted.contains(operation) && (counts.diverge > 0 || counts.falsely > 0)
        });
        let others: Vec<String> = others
            .map(|(operation, counts)| format!("{operation} {} of {}", counts.predicted, counts.diverge))
            .collect();
        let algorithms = file.other_algorithms.iter().map(|other| {
            let FitCounts { predicted, diverge, .. } = sum(&other.operations);
            let mut shortest: Vec<String> = Vec::new();
            for input in shares.iter().flat_map(|share| &share.unpredicted) {
                let text = cell(&format!("{} {}", input.operation, input.input));
                if other.operations.contains(&input.operation) && shortest.len() < SHOWN && !shortest.contains(&text) {
                    shortest.push(text);
                }
            }
            format!(
                "**{} {}**, {} ({predicted} of {diverge} predicted): {} Shortest: {}.",
                file.name,
                file.version,
                names(&other.operations),
                other.explanation,
                shortest.join("; "),
            )
        });
        ProfileRow {
            name: format!("{} {}", file.name, file.version),
            deviations: file.choices.len() + file.entries.iter().map(|entry| entry.deviations.len()).sum::<usize>(),
            whole,
            others: match others.is_empty() {
                true => "-".to_owned(),
                false => others.join(", "),
            },
            falsely: counts.values().map(|counts| counts.falsely).sum(),
            algorithms: algorithms.collect(),
        }
    }
}
