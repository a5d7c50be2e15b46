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
    /// How many divergences it predicts in the operations in which it is whole, of those that the stages reach: of generated inputs.
    pub(super) generated: String,
    /// The same of changed witnesses.
    pub(super) mutated: String,
    /// How many of the others it predicts, of both makes of inputs.
    pub(super) elsewhere: String,
    /// The same of each operation; in italics where the profile is not whole, or the stages do not reach all.
    pub(super) cells: Vec<String>,
    /// How many divergences are predicted that do not happen; a dash where there is no profile.
    pub(super) falsely: String,
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
        let generated = Shares::of(shares.iter().flat_map(|share| &share.generated));
        let mutated = Shares::of(shares.iter().flat_map(|share| &share.mutated));
        let both = Shares::of(generated.0.iter().chain(&mutated.0));
        let names =
            |operations: &[Operation]| operations.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (whole, others): (Vec<Operation>, Vec<Operation>) =
            Operation::ALL.into_iter().partition(|operation| file.predicted.contains(operation));
        let reached = |shares: &Shares| {
            let FitCounts {
                predicted,
                diverge,
                unreached,
                ..
            } = shares.sum(&whole);
            share_text(predicted, diverge - unreached)
        };
        let cells = Operation::ALL.into_iter().map(|operation| {
            let counts = both.sum(&[operation]);
            let is_whole = file.predicted.contains(&operation) && counts.unreached == 0;
            match share_text(counts.predicted, counts.diverge) {
                share if share != "-" && !is_whole => format!("*{share}*"),
                share => share,
            }
        });
        let cells = cells.collect();
        let deviations = file.choices.len() + file.entries.iter().map(|entry| entry.deviations.len()).sum::<usize>();
        let (of_others, all) = (both.sum(&others), both.sum(&Operation::ALL));
        let algorithms = file.other_algorithms.iter().map(|other| {
            let FitCounts { predicted, diverge, .. } = both.sum(&other.operations);
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
            deviations,
            generated: reached(&generated),
            mutated: reached(&mutated),
            elsewhere: share_text(of_others.predicted, of_others.diverge + both.sum(&whole).unreached),
            cells,
            falsely: if deviations == 0 {
                "-".to_owned()
            } else {
                all.falsely.to_string()
            },
            algorithms: algorithms.collect(),
        }
    }
}

/// The counts of a crate by operation.
struct Shares(BTreeMap<Operation, FitCounts>);

impl Shares {
    fn of<'c>(counts: impl Iterator<Item = (&'c Operation, &'c FitCounts)>) -> Shares {
        let mut sums: BTreeMap<Operation, FitCounts> = BTreeMap::new();
        for (operation, counts) in counts {
            sums.entry(*operation).or_default().add(*counts);
        }
        Shares(sums)
    }

    fn sum(&self, operations: &[Operation]) -> FitCounts {
        let mut sum = FitCounts::default();
        operations.iter().filter_map(|operation| self.0.get(operation)).for_each(|counts| sum.add(*counts));
        sum
    }
}

fn share_text(predicted: u64, diverge: u64) -> String {
    match diverge {
        0 => "-".to_owned(),
        _ => format!("{predicted} of {diverge}"),
    }
}
