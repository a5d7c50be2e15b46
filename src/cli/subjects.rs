//! `uriproof subjects`: what is built in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anstyle::Style;
use clap::Args;
use serde::Serialize;
use uriproof::model::{Component, Declaration, Fidelity, Operation};

use crate::cli::select::SubjectSelection;
use crate::cli::{Finding, Format, RunError, WIDTH, print, print_json, wrapped};

const BOLD: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

#[derive(Args)]
#[command(after_help = "Examples:
  uriproof subjects                            every crate with its entry points
  uriproof subjects --subject 'fluent-uri'     those of one crate")]
pub(crate) struct Arguments {
    #[command(flatten)]
    subjects: SubjectSelection,
    /// How to print them; JSON has the rules and components too
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Serialize)]
struct SubjectRow<'d> {
    /// What `--subject` takes.
    subject: String,
    name: &'d str,
    version: &'d str,
    entry_point: &'d str,
    language: &'d str,
    claims: String,
    rules: Vec<&'static str>,
    operations: &'d [Operation],
    tells: BTreeMap<Component, Fidelity>,
}

impl<'d> SubjectRow<'d> {
    fn of(declaration: &'d Declaration) -> SubjectRow<'d> {
        SubjectRow {
            subject: declaration.label(),
            name: &declaration.name,
            version: &declaration.version,
            entry_point: &declaration.entry_point,
            language: &declaration.language,
            claims: declaration.specification.to_string(),
            rules: declaration.rules.iter().map(|rule| rule.name()).collect(),
            operations: &declaration.operations,
            tells: declaration.tells.iter().copied().collect(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let subjects = arguments.subjects.subjects()?;
    let declarations: Vec<&Declaration> = subjects.iter().map(|subject| subject.declaration()).collect();
    match arguments.format {
        Format::Human => print(&listed(&declarations))?,
        Format::Json => {
            print_json(&declarations.into_iter().map(SubjectRow::of).collect::<Vec<_>>())?;
        }
    }
    Ok(Finding::Expected)
}

/// Each crate, with a line for each entry point and what it claims, and the operations.
fn listed(declarations: &[&Declaration]) -> String {
    let mut crates: Vec<(String, Vec<&Declaration>)> = Vec::new();
    for declaration in declarations {
        let name = format!("{} {}", declaration.name, declaration.version);
        match crates.iter_mut().find(|(known, _)| *known == name) {
            Some((_, entry_points)) => entry_points.push(declaration),
            None => crates.push((name, vec![declaration])),
        }
    }
    let names: BTreeSet<&str> = declarations.iter().map(|declaration| &*declaration.name).collect();
    let mut text = format!(
        "{} entry points of {} crates\n--subject takes a name (`url`), or a whole label (`url 2.5.8 Url::parse`)\n",
        declarations.len(),
        names.len()
    );
    let width = declarations.iter().map(|declaration| declaration.entry_point.len()).max().unwrap_or_default();
    for (name, entry_points) in &crates {
        writeln!(text, "\n{BOLD}{name}{BOLD:#}").expect("writes to a string");
        for declaration in entry_points {
            let (entry_point, claims) = (&declaration.entry_point, &declaration.specification);
            writeln!(text, "  {entry_point:width$}  {claims}").expect("writes to a string");
        }
        let has = |operation: &Operation| entry_points.iter().any(|one| one.operations.contains(operation));
        let operations: Vec<&str> = Operation::ALL.iter().filter(|one| has(one)).map(|one| one.name()).collect();
        for names in wrapped(&operations, WIDTH - 2) {
            writeln!(text, "  {FAINT}{names}{FAINT:#}").expect("writes to a string");
        }
    }
    text
}
