//! `uriproof complete` and `uriproof sweep`: strings made from the grammar's machines, put to subjects.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use uriproof::compare::own_rule;
use uriproof::model::{Operation, Subject};
use uriproof::report::model::describe;
use uriproof::search::complete::{self as suites, Choice, Machines, Score};
use uriproof_grammar::Alphabet;

use crate::select::SubjectSelection;
use crate::{Failure, Finding, Format, print, print_json};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// How many clusters of a subject are printed without `--all`.
const SHOWN: usize = 10;

#[derive(Args)]
pub(crate) struct CompleteArguments {
    #[command(flatten)]
    common: Common,
    /// The suite: `core` is HSI over one byte of each class and the transition cover of the component machine, `bytes`
    /// is HSI over all 256 bytes
    #[arg(long, value_enum, default_value_t = Suite::Core)]
    suite: Suite,
    /// How many states more than the machine an implementation may have and still be found out
    #[arg(long, value_name = "K", default_value_t = 0)]
    extra_states: usize,
}

#[derive(Args)]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    common: Common,
    /// The longest strings, over one byte of each class
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_length: usize,
}

#[derive(Args)]
struct Common {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    subjects: SubjectSelection,
    /// Show every cluster of divergences, not the largest ten
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Suite {
    Core,
    Bytes,
}

#[derive(Serialize)]
struct Row {
    subject: String,
    rule: &'static str,
    valid: Counts,
    invalid: Counts,
    not_utf8: u64,
    /// What is proved, if everything was compared and agreed.
    certificates: Vec<String>,
    clusters: Vec<Cluster>,
}

#[derive(Serialize)]
struct Counts {
    asked: u64,
    agree: u64,
    diverge: u64,
    not_compared: u64,
}

#[derive(Serialize)]
struct Cluster {
    state: u32,
    difference: String,
    count: u64,
    witness: String,
    outcome: uriproof::model::Outcome,
}

pub(crate) fn complete(arguments: &CompleteArguments) -> Result<Finding, Failure> {
    let choice = match (arguments.suite, arguments.extra_states) {
        (Suite::Core, 0) => Choice::Core,
        (Suite::Core, extra) => Choice::Hsi(extra, Alphabet::Representatives),
        (Suite::Bytes, extra) => Choice::Hsi(extra, Alphabet::Bytes),
    };
    put(&arguments.common, |machines, subject, progress| {
        let score = suites::complete(machines, choice, subject, progress);
        let certificates = score.certificates(choice, machines, own_rule(subject.declaration()));
        (score, certificates)
    })
}

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<Finding, Failure> {
    put(&arguments.common, |machines, subject, progress| {
        let machine = machines.of(own_rule(subject.declaration()));
        let score = suites::sweep(machine, arguments.max_length, subject, progress);
        let accepted: u128 = machine.accepted_per_length(arguments.max_length, Alphabet::Representatives).iter().sum();
        let certificate = format!(
            "every string of up to {} characters over one byte of each of {} classes, {accepted} of which match by the \
             machine's own count; {}",
            arguments.max_length,
            machine.identity().classes,
            machine.identity(),
        );
        let certificates = if score.is_clean() {
            vec![certificate]
        } else {
            Vec::new()
        };
        (score, certificates)
    })
}

/// Puts strings to every subject that parses, and prints what comes of it.
fn put(
    common: &Common,
    ask: impl Fn(&Machines, &dyn Subject, &(dyn Fn(u64) + Sync)) -> (Score, Vec<String>),
) -> Result<Finding, Failure> {
    let machines = Machines::of_rfc3986().map_err(|error| format!("rfc3986.abnf: {error}"))?;
    let mut rows = Vec::new();
    for subject in common.subjects.subjects()? {
        let declaration = subject.declaration();
        if !declaration.operations.contains(&Operation::Parse) {
            continue;
        }
        let bar = progress_bar(&declaration.label());
        let (score, certificates) = ask(&machines, subject, &|strings| bar.inc(strings));
        bar.finish_and_clear();
        rows.push(row(subject, &score, certificates));
    }
    match common.format {
        Format::Json => print_json(&rows)?,
        Format::Human => print(&human(&rows, common.all))?,
    }
    let unexpected = rows.iter().any(|row| row.valid.diverge + row.invalid.diverge > 0);
    Ok(if unexpected {
        Finding::Unexpected
    } else {
        Finding::Expected
    })
}

/// Shown on a terminal only.
fn progress_bar(label: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}  {human_pos} strings  {per_sec}");
    let bar = ProgressBar::new_spinner().with_message(label.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn row(subject: &dyn Subject, score: &Score, certificates: Vec<String>) -> Row {
    let counts = |tally: suites::Tally| Counts {
        asked: tally.asked(),
        agree: tally.agree,
        diverge: tally.diverge,
        not_compared: tally.not_compared,
    };
    let mut clusters: Vec<Cluster> = score
        .clusters
        .iter()
        .map(|((state, difference), cluster)| Cluster {
            state: *state,
            difference: describe(difference),
            count: cluster.count,
            witness: cluster.witness.clone(),
            outcome: cluster.observed.clone(),
        })
        .collect();
    clusters.sort_by(|one, other| {
        let order = |cluster: &Cluster| (cluster.witness.len(), cluster.witness.clone(), cluster.state);
        order(one).cmp(&order(other))
    });
    Row {
        subject: subject.declaration().label(),
        rule: own_rule(subject.declaration()).name(),
        valid: counts(score.valid),
        invalid: counts(score.invalid),
        not_utf8: score.not_utf8,
        certificates,
        clusters,
    }
}

fn human(rows: &[Row], all: bool) -> String {
    let mut text = String::new();
    let width = rows.iter().map(|row| row.subject.len()).max().unwrap_or_default();
    for row in rows {
        let diverge = row.valid.diverge + row.invalid.diverge;
        let (style, verdict) = if diverge == 0 { (GOOD, "pass") } else { (BAD, "FAIL") };
        writeln!(
            text,
            "{style}{verdict}{style:#}  {:width$}  {:13}  valid {}/{}  invalid {}/{}{}",
            row.subject,
            row.rule,
            row.valid.agree,
            row.valid.asked,
            row.invalid.agree,
            row.invalid.asked,
            not_asked(row),
        )
        .expect("writes to a string");
        let shown = if all {
            row.clusters.len()
        } else {
            row.clusters.len().min(SHOWN)
        };
        for cluster in &row.clusters[..shown] {
            writeln!(
                text,
                "      {:24} {:7} strings, shortest {}  {FAINT}{}{FAINT:#}",
                cluster.difference,
                cluster.count,
                cluster.witness.escape_default(),
                cluster.outcome
            )
            .expect("writes to a string");
        }
        if shown < row.clusters.len() {
            let hidden = row.clusters.len() - shown;
            writeln!(
                text,
                "      {FAINT}and {hidden} more clusters; --all shows them{FAINT:#}"
            )
            .expect("writes to a string");
        }
    }
    let mut proved: BTreeMap<&str, &[String]> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.certificates.is_empty()) {
        proved.insert(row.rule, &row.certificates);
    }
    if !proved.is_empty() {
        text += "\nWhat a pass proves: no difference from RFC 3986, one answer a whole string, components as far as they are told\n";
    }
    for (rule, certificates) in proved {
        for certificate in certificates {
            writeln!(text, "  {rule:13}  {certificate}").expect("writes to a string");
        }
    }
    text
}

fn not_asked(row: &Row) -> String {
    let mut text = String::new();
    let not_compared = row.valid.not_compared + row.invalid.not_compared;
    if not_compared > 0 {
        write!(text, "  not compared {not_compared}").expect("writes to a string");
    }
    if row.not_utf8 > 0 {
        write!(text, "  no UTF-8 {}", row.not_utf8).expect("writes to a string");
    }
    text
}
