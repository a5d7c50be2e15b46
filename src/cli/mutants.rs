//! `uriproof mutants`: how good the suites are.

use std::path::PathBuf;
use std::time::Duration;

use crate::search::mutants::{KillRates, Rate, families, measure};
use crate::search::vectors::Library;
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::ProgressBar;

use crate::cli::{Failure, Finding, Format, files, print, print_json};

#[derive(Args)]
pub(crate) struct Arguments {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write them here too: REPORT.md is made of grammar/kill-rates.json
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let spinner = ProgressBar::new_spinner().with_message("making mutants, and putting every suite to each");
    spinner.enable_steady_tick(Duration::from_millis(200));
    let rates = measure(&Library::embedded()).map_err(|error| format!("mutants cannot be made: {error}"))?;
    spinner.finish_and_clear();
    if let Some(path) = &arguments.write {
        let text =
            serde_json::to_string_pretty(&rates).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(path.clone(), text + "\n")])?;
    }
    match arguments.format {
        Format::Json => print_json(&rates)?,
        Format::Human => print(&human(&rates))?,
    }
    Ok(Finding::Expected)
}

fn human(rates: &KillRates) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["suite", "strings", "bytes", "operators", "realistic"]);
    for (number, suite) in (1..).zip(&rates.suites) {
        table.add_row([
            format!("({number}) {}", suite.suite),
            suite.strings.to_string(),
            suite.bytes.to_string(),
            percent(suite.operators),
            percent(suite.realistic),
        ]);
    }
    let mut by_family = Table::new();
    by_family.load_style(NOTHING);
    let mut header = vec!["family".to_owned(), "mutants".to_owned()];
    header.extend((1..=rates.suites.len()).map(|number| format!("({number})")));
    by_family.set_header(header);
    for family in families() {
        let of = |suite: usize| rates.suites[suite].families.get(&family).copied();
        let mut row = vec![family.clone(), of(0).map_or(0, |rate| rate.total).to_string()];
        row.extend((0..rates.suites.len()).map(|suite| of(suite).map(percent).unwrap_or_default()));
        by_family.add_row(row);
    }
    for table in [&mut table, &mut by_family] {
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = format!(
        "killed, of all mutants\n{}\n\nkilled, by family\n{}\n",
        lines(&table),
        lines(&by_family)
    );
    text += &format!("\nthe standard suite does not kill {}:\n", rates.survivors.len());
    for survivor in &rates.survivors {
        text += &format!("  {}: {}\n      {}\n", survivor.family, survivor.name, survivor.reason);
    }
    text += "\nmade and not asked\n";
    for (reason, count) in &rates.skipped {
        text += &format!("  {count:5}  {reason}\n");
    }
    text
}

fn lines(table: &Table) -> String {
    table.to_string().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn percent(rate: Rate) -> String {
    format!("{:.1} %", rate.killed as f64 * 100.0 / rate.total.max(1) as f64)
}
