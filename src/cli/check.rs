//! `uriproof check`: vectors against subjects, for a gate.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::divergence::ledger::Cause;
use crate::model::Reading;
use crate::report::model::{self, Answer, Core, Run, SubjectRun};
use crate::report::{classes, json};
use crate::search::vectors::Library;
use anstyle::{AnsiColor, Style};
use clap::Args;

use crate::cli::ledger::LedgerSelection;
use crate::cli::select::{SubjectSelection, VectorSelection, parse_reading};
use crate::cli::{Failure, Finding, Format, print};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

#[derive(Args)]
pub(crate) struct Arguments {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    subjects: SubjectSelection,
    #[command(flatten)]
    vectors: VectorSelection,
    /// The reading that the vectors are taken in
    #[arg(long, value_parser = parse_reading, default_value = "rfc3986", value_name = "NAME")]
    reading: Reading,
    /// Show every vector that diverges, not one for each class
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    ledger: LedgerSelection,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let subjects = arguments.subjects.subjects()?;
    let ledger = arguments.ledger.ledger()?;
    let library = arguments.vectors.library()?;
    if let Some(problem) = library.lint().first() {
        return Err(format!("{problem}; `uriproof vectors lint` shows all"));
    }
    let vectors = arguments.vectors.select(&library)?;
    let mut run = model::run(&library, &subjects, &vectors, arguments.reading);
    let suite = arguments.vectors.is_everything() && arguments.reading == Reading::Rfc3986;
    if suite {
        model::add_core_suites(&mut run, &subjects);
    }
    classes::add_classes(&mut run, &subjects, ledger);
    match arguments.format {
        Format::Json => print(&json::to_json(&run))?,
        Format::Human => print(&human(&library, &run, arguments.all, suite))?,
    }
    Ok(if run.subjects.iter().any(is_unexpected) {
        Finding::Unexpected
    } else {
        Finding::Expected
    })
}

fn is_unexpected(subject: &SubjectRun<'_>) -> bool {
    subject.counts().unexpected() > 0 || subject.cores.iter().any(|core| core.score.diverge() > 0)
}

/// First the verdict on each subject, then what differs, by clause.
fn human(library: &Library, run: &Run<'_>, all: bool, suite: bool) -> String {
    let mut text = String::new();
    let suite = if suite {
        "and the core suite"
    } else {
        "without the core suite, which is asked where no vectors and no reading are selected"
    };
    writeln!(text, "{} vectors, reading {}, {suite}\n", run.vectors, run.reading).expect("writes to a string");
    let width = run.subjects.iter().map(|subject| subject.declaration.label().len()).max().unwrap_or_default();
    for subject in &run.subjects {
        let counts = subject.counts();
        // What was never compared has not passed.
        let (style, verdict) = match (is_unexpected(subject), counts.agree) {
            (false, 0) => (FAINT, "none"),
            (false, _) => (GOOD, "pass"),
            (true, _) => (BAD, "FAIL"),
        };
        writeln!(
            text,
            "{style}{verdict}{style:#}  {:width$}  {:4} agree  {:4} diverge  {FAINT}{:4} not compared{FAINT:#}{}",
            subject.declaration.label(),
            counts.agree,
            counts.unexpected(),
            counts.not_compared(),
            subject.cores.iter().map(core).collect::<String>()
        )
        .expect("writes to a string");
    }
    for subject in run.subjects.iter().filter(|subject| is_unexpected(subject)) {
        text += &failures(library, run, subject, all);
    }
    let unexplained = classes::unexplained_in_run(run);
    if !unexplained.is_empty() {
        text += "\n";
    }
    for one in unexplained {
        writeln!(text, "{BAD}unexplained{BAD:#} {one}").expect("writes to a string");
    }
    text
}

/// What came of a core suite, for the subject's line.
fn core(core: &Core) -> String {
    let iri = core.language.strip_prefix("RFC 3986 with ").map(|profile| format!(" ({profile})")).unwrap_or_default();
    match core.score.diverge() {
        0 if core.score.not_compared() > 0 => {
            format!(
                "  core suite{iri} {FAINT}{} not compared{FAINT:#}",
                core.score.not_compared()
            )
        }
        0 => format!("  core suite{iri} {GOOD}passed{GOOD:#}"),
        diverge => format!(
            "  core suite{iri} {BAD}{diverge}{BAD:#} of {} diverge",
            core.score.asked()
        ),
    }
}

fn failures(library: &Library, run: &Run<'_>, subject: &SubjectRun<'_>, all: bool) -> String {
    let mut text = format!("\n{BAD}{}{BAD:#}\n", subject.declaration.label());
    for core in subject.cores.iter().filter(|core| core.score.diverge() > 0) {
        let Some(shortest) = core.score.shortest() else {
            continue;
        };
        writeln!(
            text,
            "\n  core suite, {} of {}  {FAINT}`uriproof complete` shows every cluster{FAINT:#}\n    {} clusters, the \
             shortest string is \"{}\": {}",
            core.rule,
            core.language,
            core.score.clusters.len(),
            shortest.witness.escape_default(),
            shortest.observed
        )
        .expect("writes to a string");
    }
    // By clause and by the class that weighs most: one vector stands for the others of its class.
    let mut by_clause: BTreeMap<&str, BTreeMap<Option<usize>, Vec<&Answer<'_>>>> = BTreeMap::new();
    for answer in subject.answers.iter().filter(|answer| answer.diverges()) {
        let of_clause = by_clause.entry(&answer.vector.clauses[0]).or_default();
        of_clause.entry(answer.classes.first().copied()).or_default().push(answer);
    }
    for (clause, classes) in by_clause {
        let quote = library.clause(clause).map(|clause| clause.quote.as_str()).unwrap_or_default();
        writeln!(text, "\n  {clause}  {FAINT}{quote}{FAINT:#}").expect("writes to a string");
        for (_, mut answers) in classes {
            answers.sort_by_key(|answer| (answer.vector.input.size(), &answer.vector.id));
            let shown = if all { answers.len() } else { 1 };
            for answer in &answers[..shown] {
                text += &failure(run, subject, answer);
            }
            let hidden = answers.len() - shown;
            if hidden > 0 {
                writeln!(
                    text,
                    "      {FAINT}and {hidden} more of this class; --all shows them{FAINT:#}"
                )
                .expect("writes to a string");
            }
        }
    }
    text
}

fn failure(run: &Run<'_>, subject: &SubjectRun<'_>, answer: &Answer<'_>) -> String {
    let mut text = format!(
        "    {}  {FAINT}{}{FAINT:#}\n      expected  {}\n      got       {}\n",
        answer.vector.input,
        answer.vector.id,
        answer.expected_text(),
        answer.observed_text()
    );
    for shown in subject.classes_of(answer) {
        let cause = match classes::known(run, subject, shown).map(|known| known.entry) {
            Some(entry) if entry.cause != Cause::Unexplained => format!("{}: {}", entry.cause, entry.explanation),
            _ => "not explained".to_owned(),
        };
        writeln!(
            text,
            "      class     {}  {FAINT}{}; {cause}{FAINT:#}",
            shown.class.fingerprint, shown.severity
        )
        .expect("writes to a string");
    }
    if let Some(note) = &answer.vector.note {
        writeln!(text, "      note      {note}").expect("writes to a string");
    }
    text
}
