//! `uriproof complete --operation`: the suites of the algorithms.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use indicatif::ProgressBar;
use serde::Serialize;
use uriproof::algorithms::{self, Size, split_marks};
use uriproof::gate::{CheckProgress, Claim, Glob, Judgement, Plan, SuiteRun, check, judge, today};
use uriproof::model::{Input, Level, OneLine, Operation, Subject};
use uriproof::run::Counts;
use uriproof::vectors::Library;

use super::suite_row::PredictionRow;
use super::suite_text::predictions_text;
use super::{CompleteArguments, SuiteKind};
use crate::cli::columns::print_in_columns;
use crate::cli::command::SelectedSubjects;
use crate::cli::measured::MeasuredFolder;
use crate::cli::{Finding, Format, Ran, RunError, interrupt, print_json, styled};
use crate::measured::subjects::{MeasuredSuites, SuiteCounts};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const HEAD: Style = Style::new().bold();

/// How many groups of a suite are printed without `--all`.
const SHOWN: usize = 10;

/// What came of the suite of an operation, as JSON.
#[derive(Serialize)]
pub(super) struct OperationRow<'j> {
    pub(super) subject: &'j str,
    pub(super) operation: Operation,
    pub(super) suite: &'static str,
    pub(super) agree: u64,
    pub(super) diverge: u64,
    pub(super) not_compared: &'j BTreeMap<String, u64>,
    pub(super) groups: Vec<DivergenceGroupRow<'j>>,
    /// How many of the divergences the profile of the subject predicts, where they are held against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) predictions: Option<&'j PredictionRow>,
    /// Why not all of it was run, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stopped: Option<&'j str>,
    /// What is right, if everything agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proves: Option<&'j str>,
    /// What does not follow from that.
    #[serde(skip)]
    pub(super) does_not_mean: &'static str,
}

/// Divergences that are alike, with the one of the shortest input.
#[derive(Serialize)]
pub(super) struct DivergenceGroupRow<'j> {
    pub(super) id: Cow<'j, str>,
    pub(super) level: Level,
    /// How many there are, and a hash of them.
    pub(super) answers: Cow<'j, str>,
    pub(super) input: &'j Input,
    pub(super) expected: Cow<'j, str>,
    pub(super) got: Cow<'j, str>,
}

/// The size of the suites of operations that has this name.
fn size(kind: SuiteKind) -> Result<Size, RunError> {
    match kind {
        SuiteKind::Core => Ok(Size::Core),
        SuiteKind::Standard => Ok(Size::Standard),
        SuiteKind::Components | SuiteKind::Bytes => {
            Err("the suites of operations are `--suite core` and `standard`".to_owned())
        }
    }
}

/// Runs the suites of the operations that are chosen on the subjects that have them.
pub(super) fn run(
    arguments: &CompleteArguments,
    operations: &[Operation],
    selected: &SelectedSubjects,
) -> Result<Finding, RunError> {
    let common = &arguments.common;
    let size = size(arguments.suite)?;
    let folder = arguments.write.as_deref().map(|folder| MeasuredFolder::open(folder, &selected.subjects()));
    let folder = folder.transpose()?;
    interrupt::note()?;
    let library = Library::embedded();
    let has = |subject: &&dyn Subject| operations.iter().any(|one| subject.declaration().operations.contains(one));
    let subjects: Vec<&dyn Subject> = selected.subjects().into_iter().filter(has).collect();
    if subjects.is_empty() {
        return Err("no subject that is chosen has such an operation".to_owned());
    }
    let only = operations.iter().map(|operation| Glob::new(&format!("{}{operation}", algorithms::PREFIX)));
    let only = only.collect::<Result<Vec<_>, _>>()?;
    let judgements: Vec<Judgement<'_>> = subjects
        .iter()
        .map(|&subject| {
            let declaration = subject.declaration();
            // A built-in subject that follows the WHATWG URL Standard is compared with RFC 3986, unless the standard is named.
            let claim = Claim::of(declaration).filter(|claim| *claim != Claim::Whatwg || declaration.claim.is_some());
            judged(subject, &library, (claim, only.clone(), size))
        })
        .collect();
    let rows: Vec<OperationRow<'_>> =
        judgements.iter().flat_map(|judgement| judgement.suites.iter().map(|suite| row(judgement, suite))).collect();
    match common.format {
        Format::Json => print_json(&rows)?,
        Format::Human => print_in_columns(&human(&rows, common.all))?,
    }
    let lost = judgements.iter().find_map(|judgement| judgement.lost.clone()).or_else(|| selected.lost());
    if let (Some(folder), None) = (folder, &lost) {
        store(folder, &selected.subjects(), (operations, size), &rows)?;
    }
    let compared = |judgement: &Judgement<'_>| judgement.suites.iter().map(|suite| suite.counts.compared()).sum();
    Ran {
        compared: judgements.iter().map(|judgement| (judgement.subject.clone(), compared(judgement))).collect(),
        is_unexpected: rows.iter().any(|row| row.diverge > 0),
        lost,
    }
    .finding()
}

/// Replaces the counts of subjects in a folder of measurements.
fn store(
    mut folder: MeasuredFolder<'_>,
    subjects: &[&dyn Subject],
    (operations, size): (&[Operation], Size),
    rows: &[OperationRow<'_>],
) -> Result<(), RunError> {
    let inputs = MeasuredSuites::hash_of_inputs(operations, size);
    for declaration in subjects.iter().map(|subject| subject.declaration()) {
        let label = declaration.label();
        let mut counts = BTreeMap::new();
        for row in rows.iter().filter(|row| row.subject == label) {
            let counted = SuiteCounts {
                agree: row.agree,
                diverge: row.diverge,
                not_compared: row.not_compared.values().sum(),
                groups: row.groups.len(),
            };
            counts.insert(row.operation, counted);
        }
        let inputs = inputs.clone();
        folder.of(declaration).suites = (!counts.is_empty()).then_some(MeasuredSuites { inputs, counts });
    }
    folder.write()
}

fn judged<'v>(
    subject: &dyn Subject,
    library: &'v Library,
    (claim, only, size): (Option<Claim>, Vec<Glob>, Size),
) -> Judgement<'v> {
    let declaration = subject.declaration();
    let template = "{msg}  {bar:30}  {percent}% of {human_len} inputs  {eta} left";
    let bar = styled(ProgressBar::new(0), template).with_message(declaration.label());
    let step = |step| match step {
        CheckProgress::ToRun(inputs) => bar.inc_length(inputs),
        CheckProgress::Ran => bar.inc(1),
    };
    let plan = Plan {
        claim,
        suite: Some(size),
        only,
        ..Plan::default()
    };
    let checks = check(subject, library, &plan, step, &interrupt::stopped);
    bar.finish_and_clear();
    judge(declaration, checks, None, &today())
}

fn row<'j>(judgement: &'j Judgement<'_>, suite: &'j SuiteRun) -> OperationRow<'j> {
    let begin = format!("{}/", suite.id());
    let failures = judgement.failures();
    let groups = failures.into_iter().filter(|(vector, _)| vector.id.starts_with(&begin));
    let Counts { agree, diverge, .. } = suite.counts;
    let stopped = suite.lost.as_deref().or(suite.cut.as_deref());
    OperationRow {
        subject: &judgement.subject,
        operation: suite.operation,
        suite: suite.size.name(),
        agree,
        diverge,
        not_compared: &suite.not_compared,
        groups: groups
            .map(|(vector, failure)| DivergenceGroupRow {
                id: Cow::Borrowed(&vector.id),
                level: vector.level,
                answers: Cow::Borrowed(split_marks(&failure.brief).0),
                input: &vector.input,
                expected: Cow::Borrowed(&failure.expected),
                got: Cow::Borrowed(&failure.got),
            })
            .collect(),
        predictions: None,
        stopped,
        proves: suite.proves(),
        does_not_mean: suite.does_not_mean(),
    }
}

/// The verdict on a suite, and its groups; the subject's name is as wide as those of the others.
fn row_text(row: &OperationRow<'_>, width: usize, all: bool) -> String {
    let mut text = String::new();
    // What was not compared has not passed.
    let (style, verdict) = match row {
        OperationRow { diverge: 1.., .. } => (BAD, "FAIL"),
        OperationRow { agree: 0, .. } => (BAD, "none"),
        OperationRow { proves: Some(_), .. } => (GOOD, "pass"),
        OperationRow { .. } => (FAINT, "part"),
    };
    let differs = match row.groups.len() {
        0 => String::new(),
        groups => format!(
            "  {} diverge in {groups} group{}",
            row.diverge,
            if groups == 1 { "" } else { "s" }
        ),
    };
    writeln!(
        text,
        "{style}{verdict}{style:#}  {:width$}  {:10}  {:6} agree{differs}",
        row.subject,
        row.operation.name(),
        row.agree
    )
    .expect("writes to a string");
    if let Some(stopped) = row.stopped {
        writeln!(text, "      {BAD}{}{BAD:#}", OneLine(stopped)).expect("writes to a string");
    }
    for (reason, count) in row.not_compared {
        writeln!(text, "      {FAINT}{count} not compared: {}{FAINT:#}", OneLine(reason)).expect("writes to a string");
    }
    let shown = if all { row.groups.len() } else { SHOWN };
    for group in row.groups.iter().take(shown) {
        writeln!(
            text,
            "      {HEAD}{}{HEAD:#}  {}, {}\n        input     {}\n        expected  {}\n        got       {}",
            OneLine(&group.id),
            group.level,
            // The hash is for programs.
            group.answers.split(',').next().unwrap_or_default(),
            group.input,
            OneLine(&group.expected),
            OneLine(&group.got)
        )
        .expect("writes to a string");
    }
    if row.groups.len() > shown {
        writeln!(text, "      and {} more groups: --all", row.groups.len() - shown).expect("writes to a string");
    }
    if let Some(predictions) = row.predictions.filter(|_| row.diverge > 0) {
        text += &predictions_text(predictions, row.diverge);
    }
    text
}

pub(super) fn human(rows: &[OperationRow<'_>], all: bool) -> String {
    let width = rows.iter().map(|row| row.subject.len()).max().unwrap_or_default();
    let mut text: String = rows.iter().map(|row| row_text(row, width, all)).collect();
    if rows.iter().any(|row| !row.groups.is_empty()) {
        text += "next: `uriproof check` of the same subject has a group for each mistake\n";
    }
    let mut claims: BTreeMap<(Operation, &str, &str), Vec<&str>> = BTreeMap::new();
    for row in rows {
        if let Some(claim) = row.proves {
            claims.entry((row.operation, claim, row.does_not_mean)).or_default().push(row.subject);
        }
    }
    for ((operation, claim, does_not_mean), earners) in claims {
        writeln!(
            text,
            "\n{HEAD}What a pass of {operation} means{HEAD:#}, for {}\n  It is right on {claim}.\n  It does not mean: {}.",
            earners.join(", "),
            does_not_mean
        )
        .expect("writes to a string");
    }
    text
}
