//! `uriproof reach`: what the generated inputs reach.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::ProgressBar;
use uriproof_lab::reach::{GoalGroup, Reach};

use crate::cli::{Finding, Format, RunError, print, print_json};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

#[derive(Args)]
pub(crate) struct Arguments {
    /// The seed of the inputs: the same seed, the same inputs
    #[arg(long, value_name = "N", default_value_t = 3986)]
    seed: u64,
    /// How many inputs to generate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    inputs: usize,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// How many rows of a section are shown that were reached least.
const SHOWN: usize = 5;

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let spinner = ProgressBar::new_spinner().with_message("generating inputs, and following each");
    spinner.enable_steady_tick(Duration::from_millis(200));
    let reach = Reach::of(arguments.seed, arguments.inputs);
    spinner.finish_and_clear();
    match arguments.format {
        Format::Json => print_json(&reach)?,
        Format::Human => print(&human(&reach))?,
    }
    Ok(if reach.missed().next().is_none() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

fn human(reach: &Reach) -> String {
    let (reached, rows) = (reach.reached(), reach.rows());
    let style = if reached == rows { GOOD } else { BAD };
    let mut text = format!(
        "{style}{reached} of {rows} reached{style:#} by {} inputs of seed {}\n\n",
        reach.inputs, reach.seed
    );
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["of", "reached", "", "least inputs"]);
    for section in &reach.sections {
        let least = section.least().first().map_or(0, |row| row.inputs);
        table.add_row([
            section.name.to_owned(),
            section.reached().to_string(),
            format!("of {}", section.rows.len()),
            least.to_string(),
        ]);
    }
    for column in [1, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.to_string().lines() {
        text += &format!("{}\n", line.trim_end());
    }
    text += &missed(reach);
    text += "\nreached by the fewest inputs\n";
    text += &reach.sections.iter().map(least).collect::<String>();
    text
}

fn missed(reach: &Reach) -> String {
    let missed = reach.missed().map(|(section, row)| format!("  {}: {}\n", section.name, row.name));
    match missed.collect::<String>() {
        missed if missed.is_empty() => missed,
        missed => format!("\n{BAD}not reached{BAD:#}\n{missed}"),
    }
}

fn least(section: &GoalGroup) -> String {
    let least = section.least().into_iter().filter(|row| row.inputs > 0).take(SHOWN);
    let rows: String = least.map(|row| format!("    {:6}  {}\n", row.inputs, row.name)).collect();
    format!("  {}\n{rows}", section.name)
}
