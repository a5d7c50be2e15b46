//! `uriproof predict`: which divergences of a subject its profile predicts.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::ProgressBar;
use serde::Serialize;
use uriproof::model::{Input, OneLine, Operation, Outcome, Subject};
use uriproof_deviations::{Deviation, SubjectProfile};
use uriproof_lab::divergence::ledger::{Ledger, OtherAlgorithm};
use uriproof_lab::predict::{FitCounts, Make, Misfit, PredictedShare, Predictions, ShareInputs, inputs};

use crate::cli::measured::MeasuredFolder;
use crate::cli::select::{SubjectSelection, parse_operation};
use crate::cli::{Finding, Format, Ran, RunError, WIDTH, print, print_json, wrapped};
use crate::known;

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const BOLD: Style = Style::new().bold();

/// How many inputs of each kind are shown of an operation.
const SHOWN: usize = 3;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subjects: SubjectSelection,
    /// How many inputs to generate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    inputs: usize,
    /// The seed of the inputs: the same seed, the same inputs
    #[arg(long, value_name = "N", default_value_t = 3986)]
    seed: u64,
    /// Make the inputs as the fuzz targets do, from the witnesses of the ledger, and not as `hunt` does
    #[arg(long)]
    mutated: bool,
    /// Generate inputs of this operation only; repeatable
    #[arg(long = "operation", value_name = "NAME", value_parser = parse_operation)]
    operations: Vec<Operation>,
    /// Read the ledger from this folder, and not the one in the program
    #[arg(long, value_name = "FOLDER")]
    ledger: Option<PathBuf>,
    /// Replace the shares that profiles predict in this folder of measurements instead, such as measured/subjects: of a fixed
    /// sample, by both makes of inputs
    #[arg(long, value_name = "DIR", conflicts_with_all = ["inputs", "seed", "mutated", "operations"])]
    write: Option<PathBuf>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// A subject with its profile, and what came of it.
struct SubjectPrediction {
    subject: &'static dyn Subject,
    profile: SubjectProfile,
    predictions: Predictions,
    /// What its profile does not predict, by the ledger.
    others: Vec<OtherAlgorithm>,
}

impl SubjectPrediction {
    fn of(subject: &'static dyn Subject, ledger: &Ledger, inputs: &[Input]) -> SubjectPrediction {
        let declaration = subject.declaration();
        let without = || SubjectProfile::default().following(declaration.specification.clone());
        let profile = ledger.profile(declaration).unwrap_or_else(without);
        let others = ledger.file_of(declaration).map(|file| &*file.other_algorithms).unwrap_or_default();
        SubjectPrediction {
            subject,
            predictions: Predictions::of(subject, &profile, inputs),
            profile,
            others: others.to_vec(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let ledger = match &arguments.ledger {
        Some(folder) => Ledger::from_folder(folder).map_err(|error| error.to_string())?,
        None => known::ledger(),
    };
    if let Some(folder) = &arguments.write {
        return store(folder, &arguments.subjects.subjects()?, &ledger);
    }
    let operations = match &*arguments.operations {
        [] => &Operation::ALL[..],
        some => some,
    };
    let make = if arguments.mutated {
        Make::Mutated
    } else {
        Make::Generated
    };
    let spinner = ProgressBar::new_spinner().with_message("generating inputs, and running subjects on them");
    spinner.enable_steady_tick(Duration::from_millis(200));
    let inputs = inputs(make, operations, arguments.seed, arguments.inputs, &ledger);
    let mut rows = Vec::new();
    for subject in arguments.subjects.subjects()? {
        spinner.set_message(subject.declaration().label());
        rows.push(SubjectPrediction::of(subject, &ledger, &inputs));
    }
    spinner.finish_and_clear();
    match arguments.format {
        Format::Json => print_json(&rows.iter().map(JsonRow::of).collect::<Vec<_>>())?,
        Format::Human => print(&rows.iter().map(human).collect::<String>())?,
    }
    let label = |row: &SubjectPrediction| row.subject.declaration().label();
    Ran {
        compared: rows.iter().map(|row| (label(row), row.predictions.total().compared)).collect(),
        is_unexpected: rows.iter().any(|row| !row.predictions.is_exact()),
        lost: None,
    }
    .finding()
}

/// Measures the shares that the profiles of subjects predict, and writes them.
fn store(folder: &Path, subjects: &[&dyn Subject], ledger: &Ledger) -> Result<Finding, RunError> {
    let mut measured = MeasuredFolder::open(folder, subjects)?;
    let bar = ProgressBar::new(subjects.len() as u64);
    let inputs = ShareInputs::of(ledger);
    for subject in subjects {
        bar.set_message(subject.declaration().label());
        measured.of(subject.declaration()).predicted = Some(PredictedShare::measure(*subject, ledger, &inputs));
        bar.inc(1);
    }
    bar.finish_and_clear();
    measured.write()?;
    let (folder, count) = (folder.display().to_string(), subjects.len());
    print(&format!(
        "wrote {}: what the profiles of {count} subjects predict\n",
        OneLine(&folder)
    ))?;
    Ok(Finding::Expected)
}

fn human(row: &SubjectPrediction) -> String {
    let SubjectPrediction {
        subject,
        profile,
        predictions,
        others,
    } = row;
    let total = predictions.total();
    let style = if predictions.is_exact() { GOOD } else { BAD };
    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {style}{} of {} divergences predicted{style:#}, {} predicted falsely, by {} deviations\n",
        subject.declaration().label(),
        total.predicted,
        total.diverge,
        total.falsely,
        profile.deviations.len(),
    );
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(["", "compared", "diverge", "predicted", "not predicted", "falsely"]);
    for (operation, counts) in &predictions.operations {
        let FitCounts {
            compared,
            diverge,
            predicted,
            falsely,
            ..
        } = *counts;
        let numbers = [compared, diverge, predicted, counts.unpredicted(), falsely];
        table.add_row([operation.to_string()].into_iter().chain(numbers.map(|number| number.to_string())));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for line in table.to_string().lines() {
        text += &format!("  {}\n", line.trim_end());
    }
    let mut combinations: Vec<_> = predictions.combinations.iter().collect();
    combinations.sort_by_key(|(combination, counts)| (Reverse(counts.diverge), *combination));
    for (combination, counts) in combinations {
        text += &format!("  {:>9}  {}\n", of_combination(counts), sentence(profile, combination));
    }
    for (words, misfits) in [
        ("not predicted", &predictions.unpredicted),
        ("predicted falsely", &predictions.falsely),
    ] {
        for misfit in misfits.values().flat_map(|of_operation| of_operation.iter().take(SHOWN)) {
            text += &format!("  {words}: {}\n", described(misfit));
        }
    }
    text += &others.iter().map(algorithm).collect::<String>();
    text.push('\n');
    text
}

/// What another algorithm does, and what that is.
fn algorithm(
    OtherAlgorithm {
        operations,
        explanation,
    }: &OtherAlgorithm,
) -> String {
    let names: Vec<String> = operations.iter().map(ToString::to_string).collect();
    let words = format!("another algorithm does {}: {explanation}", names.join(", "));
    let words: Vec<&str> = words.split(' ').collect();
    wrapped(&words, WIDTH - 4).iter().map(|line| format!("  {line}\n")).collect()
}

/// Returns the count of what is predicted; beside it what diverges where that is more, and what is predicted falsely.
fn of_combination(counts: &FitCounts) -> String {
    let mut text = counts.predicted.to_string();
    if counts.unpredicted() > 0 {
        text += &format!(" of {}", counts.diverge);
    }
    if counts.falsely > 0 {
        text += &format!(", {} falsely", counts.falsely);
    }
    text
}

/// The deviations that act together, in words.
fn sentence(profile: &SubjectProfile, combination: &[usize]) -> String {
    let sentences: Vec<String> = combination.iter().map(|&at| profile.deviations[at].sentence()).collect();
    match sentences.is_empty() {
        true => "no deviation".to_owned(),
        false => sentences.join("; "),
    }
}

fn described(misfit: &Misfit) -> String {
    let predicted = match &misfit.predicted {
        Some(outcome) => outcome.without_reason(),
        None => "nothing".to_owned(),
    };
    let Misfit { input, observed, .. } = misfit;
    format!(
        "{} {input}\n      answer     {}\n      predicted  {predicted}",
        input.operation(),
        observed.without_reason()
    )
}

#[derive(Serialize)]
struct JsonRow {
    subject: String,
    deviations: Vec<String>,
    operations: BTreeMap<Operation, FitCounts>,
    combinations: Vec<JsonCombination>,
    unpredicted: Vec<JsonMisfit>,
    falsely: Vec<JsonMisfit>,
}

#[derive(Serialize)]
struct JsonCombination {
    /// Places in `deviations`.
    deviations: Vec<usize>,
    /// How many divergences are predicted.
    count: u64,
    unpredicted: u64,
    falsely: u64,
}

#[derive(Serialize)]
struct JsonMisfit {
    input: Input,
    observed: Outcome,
    predicted: Option<Outcome>,
}

impl JsonRow {
    fn of(row: &SubjectPrediction) -> JsonRow {
        let misfit = |misfit: &Misfit| JsonMisfit {
            input: misfit.input.clone(),
            observed: misfit.observed.clone(),
            predicted: misfit.predicted.clone(),
        };
        let predictions = &row.predictions;
        let combination = |(deviations, counts): (&Vec<usize>, &FitCounts)| JsonCombination {
            deviations: deviations.clone(),
            count: counts.predicted,
            unpredicted: counts.unpredicted(),
            falsely: counts.falsely,
        };
        JsonRow {
            subject: row.subject.declaration().label(),
            deviations: row.profile.deviations.iter().map(Deviation::sentence).collect(),
            operations: predictions.operations.clone(),
            combinations: predictions.combinations.iter().map(combination).collect(),
            unpredicted: predictions.unpredicted.values().flatten().map(misfit).collect(),
            falsely: predictions.falsely.values().flatten().map(misfit).collect(),
        }
    }
}
