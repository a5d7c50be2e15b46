//! How much of what each crate does otherwise its profile predicts.

use std::collections::BTreeMap;

use uriproof::model::{Operation, Subject};
use uriproof_lab::divergence::ledger::{Ledger, LedgerFile};
use uriproof_lab::predict::{FitCounts, PredictedShare};

use crate::measured::subjects::MeasuredCrates;
use crate::report::markup::cell;

/// How many inputs are shown of what another algorithm does.
const SHOWN: usize = 10;

/// A crate with its profile.
pub(super) struct ProfileRow {
    /// The crate and its version.
    pub(super) name: String,
    /// How many choices and deviations the profile has.
    pub(super) deviations: usize,
    /// How many divergences it predicts in the operations in which it is whole.
    pub(super) whole: String,
    /// The same of the other operations.
    pub(super) elsewhere: String,
    /// The same of each operation; in italics where the profile is not whole.
    pub(super) cells: Vec<String>,
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
        let (whole, others): (Vec<Operation>, Vec<Operation>) =
            Operation::ALL.into_iter().partition(|operation| file.predicted.contains(operation));
        let share = |operations: &[Operation]| {
            let FitCounts { predicted, diverge, .. } = sum(operations);
            match diverge {
                0 => "-".to_owned(),
                _ => format!("{predicted} of {diverge}"),
            }
        };
        let cells = Operation::ALL.into_iter().map(|operation| {
            match (share(&[operation]), file.predicted.contains(&operation)) {
                (share, false) if share != "-" => format!("*{share}*"),
                (share, _) => share,
            }
        });
        let cells = cells.collect();
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
            whole: share(&whole),
            elsewhere: share(&others),
            cells,
            falsely: counts.values().map(|counts| counts.falsely).sum(),
            algorithms: algorithms.collect(),
        }
    }
}
