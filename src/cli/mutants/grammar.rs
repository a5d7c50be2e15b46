//! `uriproof mutants --of grammar`

use std::time::Duration;

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use indicatif::ProgressBar;
use uriproof::vectors::Library;
use uriproof_lab::mutants::grammar::{KillRates, families, measure};

use super::{aligned, of, percent};
use crate::cli::RunError;

/// Where the table is stored.
pub(super) const FILE: &str = "measured/grammar-mutants.json";

pub(super) fn measured() -> Result<KillRates, RunError> {
    let spinner = ProgressBar::new_spinner().with_message("making mutants, and putting every suite to each");
    spinner.enable_steady_tick(Duration::from_millis(200));
    let rates = measure(&Library::embedded()).map_err(|error| format!("mutants cannot be made: {error}"))?;
    spinner.finish_and_clear();
    Ok(rates)
}

pub(super) fn human(rates: &KillRates) -> String {
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
    let mut text = format!(
        "killed, of all mutants\n{}\n\nkilled, by family\n{}\n",
        aligned(&mut table, 1),
        aligned(&mut by_family, 1)
    );
    text += &format!("\nthe standard suite does not kill {}:\n", rates.survivors.len());
    for survivor in &rates.survivors {
        text += &format!("  {}: {}\n      {}\n", survivor.family, survivor.name, survivor.reason);
    }
    if let Some((curated, examples)) = rates.curated() {
        text += &format!(
            "\nthe syntax vectors kill {}, the RFC's own examples alone {}; these survive the syntax vectors: {}\n",
            of(curated),
            of(examples),
            rates.curated_survivors.len()
        );
        for survivor in &rates.curated_survivors {
            text += &format!("  {}: {}\n      {}\n", survivor.family, survivor.name, survivor.reason);
        }
    }
    text += "\nmade and not run\n";
    for (reason, count) in &rates.skipped {
        text += &format!("  {count:5}  {reason}\n");
    }
    text
}
