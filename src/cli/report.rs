//! `uriproof report`: the main job.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use clap::Args;
use uriproof::model::{OneLine, Reading, Vector};
use uriproof::vectors::Library;

use crate::cli::ledger::LedgerSelection;
use crate::cli::{Finding, Format, RunError, files, print, print_data, registry};
use crate::report::{causes, json, markdown, matrix, model};

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
    /// Print a line for each entry point, with the counts of each operation, and not one for each crate
    #[arg(long)]
    all: bool,
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
    causes::add_causes(&mut run, registry::subjects(), ledger);
    let text = markdown::report(&library, registry::subjects(), &run)
        .map_err(|error| format!("REPORT.md cannot be made: {error}"))?;
    let json = json::to_json(&run, &[]);
    files::write(&[(report.clone(), text), (results.clone(), json.clone())])?;

    match arguments.format {
        Format::Json => print_data(&json)?,
        Format::Human => print(&format!(
            "{}\n{}{} of {} entry points pass the core suite; `uriproof complete` shows it\n\
             `uriproof check --subject NAME` shows each divergence of a crate\nwrote {} and {}\n",
            table(&run, arguments.all),
            causes_line(&run),
            run.subjects
                .iter()
                .filter(|subject| subject.cores.first().is_some_and(|core| core.score.is_clean()))
                .count(),
            run.subjects.len(),
            OneLine(&report.display().to_string()),
            OneLine(&results.display().to_string()),
        ))?,
    }
    Ok(if causes::unexplained(&run).is_empty() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

/// The results: a line for each crate, or all entry points by operation.
fn table(run: &model::Run<'_>, all: bool) -> String {
    if all {
        let matrix = matrix::matrix(run);
        return format!(
            "{} vectors; each cell: agree, diverge, not compared\n\n{matrix}",
            run.vectors
        );
    }
    let crates = matrix::by_crate(&causes::crates(run));
    format!(
        "{} vectors; answers of all entry points together, the worst crate first; --all shows each\n\n{crates}",
        run.vectors
    )
}

/// How many causes there are, and each divergence that is not explained.
fn causes_line(run: &model::Run<'_>) -> String {
    let crates = causes::crates(run);
    let count: usize = crates.iter().map(|one| one.causes.len()).sum();
    let count = format!("{count} causes in {} crates", crates.len());
    let unexplained = causes::unexplained(run);
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
