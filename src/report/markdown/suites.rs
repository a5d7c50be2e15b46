//! What the core suites of the algorithms make of each subject.

use crate::measured::{MeasuredSuites, SUITES, SuiteCounts};

/// A subject, with a cell for each of [`SUITES`].
pub(super) struct SuitesRow {
    pub(super) subject: String,
    pub(super) cells: Vec<String>,
}

impl SuitesRow {
    pub(super) fn all(measured: &MeasuredSuites) -> Vec<SuitesRow> {
        let row = |(subject, counts): (&String, &std::collections::BTreeMap<_, SuiteCounts>)| SuitesRow {
            subject: subject.clone(),
            cells: SUITES.iter().map(|operation| counts.get(operation).map_or("-".to_owned(), cell)).collect(),
        };
        measured.subjects.iter().map(row).collect()
    }
}

/// `45734 / **4997** in 1 / 5377`: what agrees, what diverges in so many groups, and what is not compared.
fn cell(counts: &SuiteCounts) -> String {
    let SuiteCounts {
        agree,
        diverge,
        not_compared,
        groups,
    } = counts;
    match diverge {
        0 => format!("{agree} / 0 / {not_compared}"),
        _ => format!("{agree} / **{diverge}** in {groups} / {not_compared}"),
    }
}
