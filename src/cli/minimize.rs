//! `uriproof minimize`: the smallest input that shows the same.

use anstyle::Style;
use clap::Args;
use serde::Serialize;
use uriproof::compare::Verdict;
use uriproof::model::{Input, OneLine, Outcome, Reading, Subject};
use uriproof::run;
use uriproof_lab::divergence::fingerprint::minimize_for_all;

use crate::cli::command::RunSelection;
use crate::cli::diff::Question;
use crate::cli::{Finding, Format, Ran, RunError, in_lines, print, print_json};
use crate::report::shell::quoted;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    selection: RunSelection,
}

impl Arguments {
    /// Measures the built-in subjects by the standard that they follow, if that is one.
    pub(crate) fn measure_by_own_standard(&mut self) {
        self.selection.measure_by_own_standard(false);
    }

    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.selection.asks_builtin()
    }
}

/// Each smallest input with the answers that are kept, those that diverge first; where none diverges, that alone.
fn human(subjects: &[&dyn Subject], rows: &[MinimizedRow]) -> String {
    let mut text = String::new();
    for MinimizedRow { minimal, .. } in rows {
        let results = subjects.iter().map(|subject| (subject, run::one(*subject, minimal, Reading::Rfc3986)));
        let (diverging, others): (Vec<_>, Vec<_>) =
            results.partition(|(_, result)| matches!(result.verdict, Verdict::Diverge(_)));
        if diverging.is_empty() {
            text += &format!("{}: no answer diverges\n", minimal.operation());
            continue;
        }
        text += &format!("{} {minimal}\n", minimal.operation());
        for (subject, result) in &diverging {
            let words = format!(
                "{}: expected {}, got {}",
                subject.declaration().label(),
                OneLine(&result.expected_text()),
                OneLine(&result.observed_text())
            );
            text += &in_lines(&words, "  ", "    ", Style::new());
        }
        if let Input::Parse { input, .. } = minimal {
            text += &format!("  next: `uriproof explain -- {}`\n", quoted(input));
        }
        let agree = others.iter().filter(|(_, result)| matches!(result.verdict, Verdict::Agree { .. })).count();
        if agree > 0 {
            text += &format!("  {agree} {}\n", if agree == 1 { "agrees" } else { "agree" });
        }
    }
    text
}

#[derive(Serialize)]
struct MinimizedRow {
    input: Input,
    minimal: Input,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let selected = arguments.selection.start()?;
    let subjects = selected.subjects();
    let reading = Reading::Rfc3986;
    let is_answered = |subject: &dyn Subject, input: &Input| {
        !matches!(run::one(subject, input, reading).observed, Outcome::Unsupported { .. })
    };
    // An operation that no subject has shows nothing.
    let rows: Vec<MinimizedRow> = arguments
        .question
        .inputs(reading)?
        .into_iter()
        .map(|input| MinimizedRow {
            minimal: minimize_for_all(&subjects, &input, reading),
            input,
        })
        .filter(|row| subjects.iter().any(|subject| is_answered(*subject, &row.minimal)))
        .collect();
    // What is smallest for a command that was given up is not known.
    selected.check_lost()?;
    match arguments.format {
        Format::Json => print_json(&rows)?,
        Format::Human => print(&human(&subjects, &rows))?,
    }
    let answered =
        subjects.iter().map(|subject| rows.iter().filter(|row| is_answered(*subject, &row.minimal)).count() as u64);
    Ran {
        compared: selected.compared(answered),
        is_unexpected: false,
        lost: selected.lost(),
    }
    .finding()
}
