//! `uriproof report`: the main job.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use uriproof::model::{OneLine, Reading, Vector};
use uriproof::vectors::Library;

use crate::cli::ledger::LedgerSelection;
use crate::cli::{Finding, Format, RunError, files, print, print_data, registry};
use crate::report::{classes, json, markdown, matrix, model};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

#[derive(Args)]
pub(crate) struct Arguments {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write REPORT.md and target/uriproof/results.json into this folder
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    ledger: LedgerSelection,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let ledger = arguments.ledger.ledger()?;
    let report = arguments.output.join("REPORT.md");
    let results = arguments.output.join("target").join("uriproof").join("results.json");
    files::expect_writable([&*report, &*results])?;
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let mut run = model::run(&library, registry::subjects(), &vectors, Reading::Rfc3986);
    model::add_core_suites(&mut run, registry::subjects());
    classes::add_classes(&mut run, registry::subjects(), ledger);
    let text = markdown::report(&library, registry::subjects(), &run)
        .map_err(|error| format!("REPORT.md cannot be made: {error}"))?;
    let json = json::to_json(&run, &[]);
    files::write(&[(report.clone(), text), (results.clone(), json.clone())])?;

    match arguments.format {
        Format::Json => print_data(&json)?,
        Format::Human => print(&format!(
            "{} vectors; each cell: agree, diverge, not compared\n\n{}\n{}{} of {} entry points pass the core suite; \
             `uriproof complete` shows it\nwrote {} and {}\n",
            run.vectors,
            matrix::matrix(&run),
            classes_line(&run),
            run.subjects
                .iter()
                .filter(|subject| subject.cores.first().is_some_and(|core| core.score.is_clean()))
                .count(),
            run.subjects.len(),
            OneLine(&report.display().to_string()),
            OneLine(&results.display().to_string()),
        ))?,
    }
    Ok(if classes::unexplained(&run).is_empty() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

/// How many classes there are, and each that is not explained.
fn classes_line(run: &model::Run<'_>) -> String {
    let crates = classes::crates(run);
    let count: usize = crates.iter().map(classes::Crate::count).sum();
    let count = format!("{count} classes in {} crates", crates.len());
    let unexplained = classes::unexplained(run);
    if unexplained.is_empty() {
        return format!("{count}: {GOOD}all explained{GOOD:#}\n");
    }
    let mut text = String::new();
    for one in &unexplained {
        text += &format!("{BAD}unexplained{BAD:#} {one}\n");
    }
    text + &format!(
        "{count}: {BAD}{} unexplained, counted by entry point{BAD:#}; `uriproof ledger --write ledger` makes entries to fill in\n",
        unexplained.len()
    )
}
