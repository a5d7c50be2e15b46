//! `uriproof sweep --specification whatwg`: every string up to a length, compared with the WHATWG URL Standard.

use std::borrow::Cow;

use uriproof::algorithms::SuiteScore;
use uriproof::model::{Declaration, Input, Level, Operation, Subject};
use uriproof::run;
use uriproof_lab::predict::{Prediction, Predictor, Predictors};
use uriproof_lab::sweep::whatwg::{BEGINNINGS, UrlStrings, unrepeated};

use super::operations::{DivergenceGroupRow, OperationRow, human};
use super::suite_row::{PredictionRow, UnpredictedRow};
use super::{Common, parsers, progress_bar};
use crate::cli::columns::print_in_columns;
use crate::cli::command::SelectedSubjects;
use crate::cli::{Finding, Format, Ran, RunError, interrupt, print_json, warn};
use crate::known;

/// What came of the strings that were put to a subject.
struct SweptSubject {
    label: String,
    score: SuiteScore,
    /// What its profile predicts of that, if it has one that begins with the standard.
    predictions: Option<PredictionRow>,
    /// What diverged once, and not again.
    unrepeated: Vec<Input>,
}

/// Puts the strings to every selected subject, and prints what comes of it.
pub(super) fn run(common: &Common, selected: &SelectedSubjects, strings: &UrlStrings) -> Result<Finding, RunError> {
    let parsers = parsers(selected)?;
    interrupt::note()?;
    let swept: Vec<SweptSubject> = parsers.iter().map(|&subject| put(strings, subject)).collect();
    let proves = proves(strings);
    let rows: Vec<OperationRow<'_>> = swept.iter().map(|one| row(one, &proves)).collect();
    match common.format {
        Format::Json => print_json(&rows)?,
        Format::Human => print_in_columns(&human(&rows, common.all))?,
    }
    for SweptSubject { label, unrepeated, .. } in &swept {
        unrepeated.iter().for_each(|input| warn(&format!("{label}: {input} does not diverge when it is put again")));
    }
    Ran {
        compared: swept.iter().map(|one| (one.label.clone(), one.score.counts.compared())).collect(),
        is_unexpected: rows.iter().any(|row| row.diverge > 0),
        lost: interrupt::stopped()
            .map(|reason| format!("not everything was run: {reason}"))
            .or_else(|| selected.lost()),
    }
    .finding()
}

fn put(strings: &UrlStrings, subject: &dyn Subject) -> SweptSubject {
    let declaration = subject.declaration();
    let label = declaration.label();
    // A program may say that it is a subject of the ledger; the profile is of the built-in one.
    let predictors = match subject.digest() {
        None => Predictors::of_url_standard(&[subject], &known::ledger()),
        Some(_) => Predictors::default(),
    };
    let predictor = predictors.get(0);
    let mut predictions = predictor.map(|_| PredictionRow::default());
    let bar = progress_bar(&label, Some(strings.count()));
    let diverges = |result: &run::Result| {
        if let (Some(predictor), Some(row)) = (predictor, &mut predictions) {
            hold(predictor, declaration, result, row);
        }
    };
    let score = strings.put(subject, |put| bar.inc(put), diverges, &interrupt::is_stopped);
    let unrepeated = unrepeated(subject, &score);
    bar.finish_and_clear();
    SweptSubject {
        label,
        score,
        predictions,
        unrepeated,
    }
}

/// Counts a divergence as predicted or not.
fn hold(predictor: &Predictor, declaration: &Declaration, result: &run::Result, row: &mut PredictionRow) {
    let predicted = match predictor.of_divergence(declaration, result) {
        Prediction::Exact => {
            row.predicted += 1;
            return;
        }
        Prediction::Other(other) => Some(other),
        Prediction::None => None,
    };
    // The first is that of the shortest string.
    let first = row.unpredicted.get_or_insert_with(|| UnpredictedRow {
        count: 0,
        witness: match &result.input {
            Input::Parse { input, .. } => input.clone(),
            other => other.to_string(),
        },
        outcome: result.observed.clone(),
        predicted,
    });
    first.count += 1;
}

fn proves(strings: &UrlStrings) -> String {
    format!(
        "each string of up to {} of the {} characters {:?} after each of {} beginnings of URLs",
        strings.longest,
        strings.alphabet.len(),
        strings.alphabet.iter().collect::<String>(),
        BEGINNINGS.len()
    )
}

fn row<'j>(swept: &'j SweptSubject, proves: &'j str) -> OperationRow<'j> {
    let score = &swept.score;
    let groups = score.groups.iter().map(|(key, group)| DivergenceGroupRow {
        id: Cow::Owned(key.to_string()),
        level: Level::Must,
        answers: Cow::Owned(group.to_string()),
        input: &group.witness.input,
        expected: Cow::Owned(group.witness.expected_text()),
        got: Cow::Owned(group.witness.observed_text()),
    });
    let is_whole = score.not_compared.is_empty() && score.counts.diverge == 0 && score.counts.agree > 0;
    OperationRow {
        subject: &swept.label,
        operation: Operation::Parse,
        suite: "sweep",
        agree: score.counts.agree,
        diverge: score.counts.diverge,
        not_compared: &score.not_compared,
        groups: groups.collect(),
        predictions: swept.predictions.as_ref(),
        stopped: score.cut.as_deref(),
        proves: is_whole.then_some(proves),
        does_not_mean: "that a longer string is right, or one with other characters",
    }
}
