//! The results for a terminal: a line for each crate, or for each entry point by operation.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use anstyle::{AnsiColor, Style};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use uriproof::model::Operation;
use uriproof_lab::divergence::ledger::Cause;

use super::causes::{self, Crate};
use super::markup::counted;
use super::model::{Run, StatusCounts, SubjectRun};
use super::sections::{or_dash, worst};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const FAINT: Style = Style::new().dimmed();

/// How many severities of a crate a line of the screen has room for.
const SEVERITIES: usize = 2;

/// What a person sees first: what is unexplained, and how many causes there are; then a line for each crate, the worst first, or with `all` a
/// line for each entry point, and what to do next. With ANSI styles, which the caller strips where they do not belong; but for the table of all
/// entry points and what is unexplained, no line is longer than 80 columns.
pub fn screen(run: &Run<'_>, all: bool) -> String {
    let crates = causes::crates(run);
    let table = match all {
        true => format!("each cell: agree, diverge, not compared\n\n{}", matrix(run)),
        false => format!(
            "the answers of all entry points of a crate, the worst crate first\n\n{}",
            by_crate(&crates)
        ),
    };
    let is_clean = |subject: &&SubjectRun<'_>| subject.cores.first().is_some_and(|core| core.score.is_clean());
    format!(
        "{}{} vectors; {}{table}\n{} of {} entry points pass the core suite of the grammar\n\n\
         next: `uriproof check --subject NAME` groups a crate's divergences\n      \
         `uriproof report --all` has a line for each entry point\n",
        unexplained_lines(run),
        run.vectors,
        causes_line(run, &crates),
        run.subjects.iter().filter(is_clean).count(),
        run.subjects.len(),
    )
}

/// Each divergence that is not explained, and what to do about them; empty without any.
fn unexplained_lines(run: &Run<'_>) -> String {
    let unexplained = causes::unexplained(run);
    if unexplained.is_empty() {
        return String::new();
    }
    let lines: String = unexplained.iter().map(|one| format!("{BAD}unexplained{BAD:#} {one}\n")).collect();
    format!("{lines}`uriproof ledger --write ledger` makes entries to fill in\n\n")
}

/// How many causes there are, and how many divergences are not explained.
fn causes_line(run: &Run<'_>, crates: &[Crate<'_, '_>]) -> String {
    let count: usize = crates.iter().map(|one| one.causes.len()).sum();
    let names: BTreeSet<&str> = crates.iter().map(|one| &*one.subjects[0].declaration.name).collect();
    let count = format!(
        "{} in {}",
        counted(count, "cause", "causes"),
        counted(names.len(), "crate", "crates")
    );
    match causes::unexplained(run).len() {
        0 => format!("{count}: {GOOD}all explained{GOOD:#}\n"),
        unexplained => format!("{count}: {BAD}{unexplained} unexplained, counted by entry point{BAD:#}\n"),
    }
}

/// A line for each crate, the worst first: how many answers agree and diverge, how many causes there are, the worst severity, and what to do
/// next.
fn by_crate(crates: &[Crate<'_, '_>]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let header = ["crate", "agree", "diverge", "causes", "worst", "next"];
    table.set_header(header.map(|title| paint(Style::new().bold(), title)));
    for one in causes::worst_first(crates) {
        let diverge = one.sum(|counts| counts.unexpected());
        table.add_row([
            one.label(),
            one.sum(|counts| counts.agree).to_string(),
            paint(if diverge == 0 { GOOD } else { BAD }, &diverge.to_string()),
            one.causes.len().to_string(),
            or_dash(worst(one.ways()).split(", ").take(SEVERITIES).collect::<Vec<_>>().join(", ")),
            next(one),
        ]);
    }
    // The longest crate and severity leave no room for more.
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if (1..=3).contains(&at) { 1 } else { 2 }));
    }
    finished(table, 1..=3)
}

/// What to do about a crate: report its bugs, else read why it differs.
fn next(one: &Crate<'_, '_>) -> String {
    let of = |cause: Cause| one.causes.iter().filter(move |of| of.entry.cause == cause).count();
    match (of(Cause::Unexplained), of(Cause::Bug)) {
        (0, 0) if one.causes.is_empty() => "-".to_owned(),
        (0, 0) => "read its causes".to_owned(),
        (0, bugs) => format!("report {}", counted(bugs, "bug", "bugs")),
        _ => "find the cause".to_owned(),
    }
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

/// A line for each entry point, a column for each operation.
fn matrix(run: &Run<'_>) -> String {
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
