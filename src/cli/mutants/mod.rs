//! `uriproof mutants`: how good the suites are, in four ways.

mod algorithms;
mod cargo;
mod code;
mod crates;
mod grammar;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table};
use serde::Serialize;
use serde_json::{Map, Value};
use uriproof::vectors::Library;
use uriproof_lab::mutants::Rate;
use uriproof_lab::mutants::algorithms::measure;

use crate::cli::{Finding, Format, RunError, files, print, print_json};

/// What mutants are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Of {
    /// The ABNF of Appendix A: takes a minute or two
    Grammar,
    /// Resolve, merge, remove_dot_segments, recompose, normalization, equivalence: seconds
    Algorithms,
    /// The code of reference/, by `cargo mutants`: most of an hour
    Code,
    /// The code of other people's crates, by `cargo mutants`: many hours, or a sample
    Crates,
}

impl Of {
    /// Where its table is stored.
    fn file(self) -> &'static str {
        match self {
            Of::Grammar => grammar::FILE,
            Of::Algorithms => algorithms::FILE,
            Of::Code => code::FILE,
            Of::Crates => crates::FILE,
        }
    }
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// What is mutated; repeatable [default: grammar and algorithms]
    #[arg(long, value_enum)]
    of: Vec<Of>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// With --of code, run nothing: read the output of two runs of `cargo mutants` in vectors/ and tests/ of this
    /// folder
    #[arg(long, value_name = "FOLDER")]
    outcomes: Option<PathBuf>,
    #[command(flatten)]
    crates: crates::CratesArguments,
    /// Store each table in measured/ below the working directory, from which REPORT.md is made
    #[arg(long)]
    write: bool,
}

/// Tables on their way out.
#[derive(Default)]
struct Tables {
    human: Vec<String>,
    json: Map<String, Value>,
    files: Vec<(PathBuf, String)>,
    survives: bool,
}

impl Tables {
    fn add(&mut self, name: &str, file: &str, table: &impl Serialize, human: String) -> Result<(), RunError> {
        let value = json(table)?;
        let text =
            serde_json::to_string_pretty(table).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        self.human.push(human);
        self.json.insert(name.to_owned(), value);
        self.files.push((PathBuf::from(file), text + "\n"));
        Ok(())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let wanted = match arguments.of.as_slice() {
        [] => &[Of::Grammar, Of::Algorithms],
        wanted => wanted,
    };
    if arguments.write {
        files::expect_writable(wanted.iter().map(|of| Path::new(of.file())))?;
    }
    let mut tables = Tables::default();
    for of in wanted {
        match of {
            Of::Grammar => {
                let rates = grammar::measured()?;
                tables.survives |= !rates.curated_survivors.is_empty();
                let (human, shown) = (grammar::human(&rates), json(&rates)?);
                tables.add("grammar", of.file(), &rates.stored(), human)?;
                tables.json.insert("grammar".to_owned(), shown);
            }
            Of::Algorithms => {
                let killed = measure(&Library::embedded());
                tables.survives |= killed.survivors().next().is_some();
                tables.survives |= killed.faults.iter().any(|row| !row.survivors.is_empty());
                tables.add("algorithms", of.file(), &killed, algorithms::human(&killed))?;
            }
            Of::Code => {
                if let Some((measured, problems)) = code::measured(arguments.outcomes.as_deref())? {
                    tables.survives |= !problems.is_empty();
                    tables.add("code", of.file(), &measured, code::human(&measured, &problems))?;
                }
            }
            Of::Crates => {
                if let Some(measured) = crates::measured(&arguments.crates)? {
                    tables.survives |= measured.crates.iter().any(|row| !row.survivors.is_empty());
                    tables.add("crates", of.file(), &measured, crates::human(&measured))?;
                }
            }
        }
    }
    if arguments.write {
        files::write(&tables.files)?;
    }
    match arguments.format {
        Format::Json => print_json(&tables.json)?,
        Format::Human => print(&tables.human.join("\n"))?,
    }
    Ok(if tables.survives {
        Finding::Unexpected
    } else {
        Finding::Expected
    })
}

fn json(table: &impl Serialize) -> Result<Value, RunError> {
    serde_json::to_value(table).map_err(|error| format!("cannot be written as JSON: {error}"))
}

/// A table as text, its columns from `first` on to the right.
fn aligned(table: &mut Table, first: usize) -> String {
    for column in table.column_iter_mut().skip(first) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// How many are killed of how many; of none, a dash.
fn of(rate: Rate) -> String {
    if rate.total == 0 {
        return "-".to_owned();
    }
    format!("{} of {} ({})", rate.killed, rate.total, percent(rate))
}

fn percent(rate: Rate) -> String {
    format!("{:.1} %", rate.killed as f64 * 100.0 / rate.total.max(1) as f64)
}
