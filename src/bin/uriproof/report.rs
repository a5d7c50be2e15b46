//! `uriproof report`: the main job.

use std::path::PathBuf;

use clap::Args;
use uriproof::model::{Reading, Vector};
use uriproof::report::{json, markdown, matrix, model};
use uriproof::search::vectors::Library;
use uriproof::subjects::SUBJECTS;

use crate::{Failure, Finding, Format, files, print};

#[derive(Args)]
pub(crate) struct Arguments {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// The folder that REPORT.md and target/uriproof/results.json are written to
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let mut run = model::run(&library, SUBJECTS, &vectors, Reading::Rfc3986);
    model::add_core_suites(&mut run, SUBJECTS);
    let text =
        markdown::report(&library, SUBJECTS, &run).map_err(|error| format!("REPORT.md cannot be made: {error}"))?;
    let report = arguments.output.join("REPORT.md");
    let results = arguments.output.join("target").join("uriproof").join("results.json");
    let json = json::to_json(&run);
    files::write(&[(report.clone(), text), (results.clone(), json.clone())])?;

    match arguments.format {
        Format::Json => print(&json)?,
        Format::Human => print(&format!(
            "{} vectors; each cell: agree, diverge, not compared\n\n{}\n{} of {} entry points pass the core suite; \
             `uriproof complete` shows it\nwrote {} and {}\n",
            run.vectors,
            matrix::matrix(&run),
            run.subjects
                .iter()
                .filter(|subject| subject.cores.first().is_some_and(|core| core.score.is_clean()))
                .count(),
            run.subjects.len(),
            report.display(),
            results.display(),
        ))?,
    }
    Ok(Finding::Expected)
}
