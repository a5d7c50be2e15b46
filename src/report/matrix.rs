//! The results for a terminal: a line for each crate, or subject by operation, how many answers agree, diverge and were not compared.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use anstyle::{AnsiColor, Style};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use uriproof::model::Operation;
use uriproof_lab::divergence::ledger::Cause;

use super::causes::Crate;
use super::model::{Run, StatusCounts};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const FAINT: Style = Style::new().dimmed();

/// A line for each crate, the worst first: how many answers agree and diverge, how many causes there are, and the worst severity.
pub fn by_crate(crates: &[Crate<'_, '_>]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let header = ["crate", "agree", "diverge", "causes", "bugs", "worst severity"];
    table.set_header(header.map(|title| paint(Style::new().bold(), title)));
    let sum = |one: &Crate<'_, '_>, count: fn(StatusCounts) -> usize| {
        one.subjects.iter().map(|subject| count(subject.counts())).sum::<usize>()
    };
    let worst = |one: &Crate<'_, '_>| one.ways().map(|way| way.severity).min();
    let mut sorted: Vec<&Crate<'_, '_>> = crates.iter().collect();
    // Without a divergence there is no severity, and the crate comes last.
    sorted.sort_by_key(|one| {
        let severity = worst(one);
        (
            severity.is_none(),
            severity,
            usize::MAX - sum(one, |counts| counts.unexpected()),
        )
    });
    for one in sorted {
        let bugs = one.causes.iter().filter(|cause| cause.entry.cause == Cause::Bug).count();
        let diverge = sum(one, |counts| counts.unexpected());
        table.add_row([
            one.label(),
            sum(one, |counts| counts.agree).to_string(),
            paint(if diverge == 0 { GOOD } else { BAD }, &diverge.to_string()),
            one.causes.len().to_string(),
            bugs.to_string(),
            worst(one).map_or_else(|| "-".to_owned(), |severity| severity.to_string()),
        ]);
    }
    finished(table, 1..=4)
}

/// The table with these columns to the right, without spaces at the ends of lines.
fn finished(mut table: Table, right: RangeInclusive<usize>) -> String {
    for at in right {
        if let Some(column) = table.column_mut(at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = String::new();
    for line in table.to_string().lines() {
        writeln!(text, "{}", line.trim_end()).expect("writes to a string");
    }
    text
}

/// The matrix as text with ANSI styles, which the caller strips where they do not belong.
pub fn matrix(run: &Run<'_>) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let mut header = vec!["subject".to_owned(), "claims".to_owned()];
    header.extend(Operation::ALL.iter().map(ToString::to_string));
    table.set_header(header.iter().map(|title| paint(Style::new().bold(), title)));
    for subject in &run.subjects {
        let mut row = vec![
            subject.declaration.label(),
            subject.declaration.specification.to_string(),
        ];
        row.extend(Operation::ALL.into_iter().map(|operation| {
            if subject.declaration.operations.contains(&operation) {
                cell(subject.counts_of(operation))
            } else {
                paint(FAINT, "-")
            }
        }));
        table.add_row(row);
    }
    finished(table, 2..=Operation::ALL.len() + 1)
}

fn cell(counts: StatusCounts) -> String {
    let unexpected = counts.unexpected();
    format!(
        "{} {} {}",
        counts.agree,
        paint(if unexpected == 0 { GOOD } else { BAD }, &format!("{unexpected:3}")),
        paint(FAINT, &format!("{:3}", counts.not_compared()))
    )
}

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
