//! The matrix for a terminal: subject by operation, how many answers agree, diverge and were not compared.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use uriproof::model::Operation;

use super::model::{Run, StatusCounts};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const FAINT: Style = Style::new().dimmed();

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
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = String::new();
    for line in table.to_string().lines() {
        writeln!(text, "{}", line.trim_end()).expect("writes to a string");
    }
    text
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
