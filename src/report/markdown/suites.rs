//! What the core suites of the algorithms make of each subject.

use crate::measured::subjects::{MeasuredCrates, SUITES, SuiteCounts};

/// A subject, with a cell for each of [`SUITES`].
pub(super) struct SuitesRow {
    pub(super) subject: String,
    pub(super) cells: Vec<String>,
}

impl SuitesRow {
    pub(super) fn all() -> Vec<SuitesRow> {
        let measured = MeasuredCrates::embedded().subjects().into_iter();
        let rows = measured.filter_map(|(subject, measured)| {
            let counts = &measured.suites.as_ref()?.counts;
            Some(SuitesRow {
                subject: subject.to_owned(),
                cells: SUITES.iter().map(|operation| counts.get(operation).map_or("-".to_owned(), cell)).collect(),
            })
        });
        rows.collect()
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
