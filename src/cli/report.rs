//! `uriproof report`: the main job.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;
use indicatif::ProgressBar;
use uriproof::model::{OneLine, Vector};
use uriproof::vectors::Library;
use uriproof_lab::divergence::ledger::Ledger;

use crate::cli::answers::{self, AnswerSelection};
use crate::cli::columns::in_columns;
use crate::cli::ledger::LedgerSelection;
use crate::cli::{Finding, Format, RunError, files, print, print_data, registry, styled};
use crate::report::model::Run;
use crate::report::pages::{DIFFERENCES, FOLDER, FRONT, ReportPage, is_own, stale};
use crate::report::{causes, json, markdown, matrix, model};

/// The folder that a report gets where there is none.
const OUTPUT: &str = "uriproof-report";

#[derive(Args)]
pub(crate) struct Arguments {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write REPORT.md, DIFFERENCES.md, the pages in report/ and target/uriproof/results.json into this folder; by default uriproof-report, or the
    /// current folder if its REPORT.md was written by this command
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print a line for each entry point, with the counts of each operation, and not one for each crate
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    answers: AnswerSelection,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let ledger = arguments.ledger.ledger()?;
    let folder = &arguments.folder()?;
    let results = folder.join("target").join("uriproof").join("results.json");
    let fronts = [FRONT, DIFFERENCES].map(|name| folder.join(name));
    fronts.iter().try_for_each(|front| expect_own(front))?;
    files::expect_writable(fronts.iter().map(PathBuf::as_path).chain([&*results]))?;
    let answers = arguments.answers.check_beside_classes(&ledger, registry::subjects())?;
    let (run, pages) = results_and_pages(ledger)?;
    let json = json::to_json(&run, &[]);
    let mut written: Vec<(PathBuf, String)> = Vec::new();
    for page in &pages {
        let path = folder.join(&page.path);
        expect_own(&path)?;
        written.push((path, page.text.clone()));
    }
    written.push((results.clone(), json.clone()));
    files::write(&written)?;
    files::remove(
        &stale(folder, &pages).map_err(|error| format!("{}: {error}", OneLine(&folder.display().to_string())))?,
    )?;

    match arguments.format {
        Format::Json => print_data(&json)?,
        Format::Human => print(&format!(
            "{}{}{}",
            if answers.is_clean() {
                String::new()
            } else {
                answers::human(&answers)
            },
            matrix::screen(&run, arguments.all),
            in_columns(&format!(
                "wrote {}, {DIFFERENCES}, {} pages in {} and {}\n",
                shown(&folder.join(FRONT)),
                pages.iter().filter(|page| page.path.starts_with(FOLDER)).count(),
                shown(&folder.join(FOLDER)),
                shown(&results),
            ))
        ))?,
    }
    Ok(if causes::unexplained(&run).is_empty() && answers.is_clean() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

impl Arguments {
    /// Where the report goes: where `--output` says, else in or below the current folder.
    fn folder(&self) -> Result<PathBuf, RunError> {
        match &self.output {
            Some(folder) => Ok(folder.clone()),
            None => folder_in(Path::new("")),
        }
    }
}

/// Where a report goes by default: into the folder `here` if there is one already, else into one of its own.
fn folder_in(here: &Path) -> Result<PathBuf, RunError> {
    let is_there = is_own(&here.join(FRONT)).map_err(|error| format!("{FRONT} cannot be read: {error}"))?;
    Ok(here.join(if is_there == Some(true) { "" } else { OUTPUT }))
}

/// A file of others is not replaced.
fn expect_own(path: &Path) -> Result<(), RunError> {
    match is_own(path) {
        Ok(None | Some(true)) => Ok(()),
        Ok(Some(false)) => Err(format!(
            "{} was not written by `uriproof report`, and is left as it is; name another folder with --output",
            shown(path)
        )),
        Err(error) => Err(format!("{} cannot be read: {error}", shown(path))),
    }
}

fn shown(path: &Path) -> String {
    OneLine(&path.display().to_string()).to_string()
}

/// Makes the run and its pages, with a progress bar.
fn results_and_pages(ledger: Ledger) -> Result<(Run<'static>, Vec<ReportPage>), RunError> {
    static LIBRARY: LazyLock<Library> = LazyLock::new(Library::embedded);
    let subjects = registry::subjects();
    let vectors: Vec<&Vector> = LIBRARY.vectors().collect();
    // The vectors and the suites of each, the causes, the pages.
    let bar = ProgressBar::new(2 * subjects.len() as u64 + 2);
    let bar = styled(bar, "{bar:24} {percent:>3}%  {msg}  {elapsed}").with_message("vectors and core suites");
    let mut run = model::whole_run(&LIBRARY, subjects, &vectors, &|| bar.inc(1));
    bar.set_message("causes");
    causes::add_causes(&mut run, subjects, ledger);
    bar.inc(1);
    bar.set_message("pages");
    let pages =
        markdown::pages(&LIBRARY, subjects, &run).map_err(|error| format!("{FRONT} cannot be made: {error}"))?;
    bar.finish_and_clear();
    Ok((run, pages))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_report_goes_where_one_is_and_else_into_a_folder_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        assert_eq!(folder_in(here), Ok(here.join("uriproof-report")));
        fs::write(here.join("REPORT.md"), "# Our figures\n").unwrap();
        assert_eq!(folder_in(here), Ok(here.join("uriproof-report")));
        fs::write(
            here.join("REPORT.md"),
            "# uriproof report\n\n<!-- Generated by `cargo run --release -- report`.\n",
        )
        .unwrap();
        assert_eq!(folder_in(here), Ok(here.to_owned()));
    }
}
