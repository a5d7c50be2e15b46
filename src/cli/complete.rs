//! `uriproof complete` and `uriproof sweep`: strings made from the grammar's machines, put to subjects.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use serde::Serialize;
use uriproof::compare::own_rule;
use uriproof::model::{OneLine, Operation, Outcome, Rule, Subject};
use uriproof::repeat::Unrepeated;
use uriproof::run;
use uriproof_grammar::{Alphabet, Profile};
use uriproof_lab::complete::{Certificate, Prepared, SuiteChoice, by_earners, stream, stream_components};
use uriproof_lab::machines::Machines;
use uriproof_lab::score::{Depth, Questioner, Score, StatePair};
use uriproof_lab::sweep::{Sweep, SweepPlan};

use crate::cli::command::{RunSelection, SelectedSubjects};
use crate::cli::select::{ProfileSelection, up_to};
use crate::cli::{Finding, Format, Ran, RunError, files, interrupt, print, print_json, styled, warn};
use crate::report::model::describe;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();
const HEAD: Style = Style::new().bold();

/// How many clusters of a subject are printed without `--all`.
const SHOWN: usize = 10;

/// How often a sweep is stored.
const STORED_EVERY: Duration = Duration::from_secs(2);

#[derive(Args)]
pub(crate) struct CompleteArguments {
    #[command(flatten)]
    common: Common,
    /// The suite, from small to large. `core`: HSI, a complete method for automata, over one character of each class,
    /// and the transition cover of the component machine. `standard`: core, and typical faults of parsers,
    /// systematically. `components`: HSI of the component machine, each character drawn from its class. `bytes`: HSI
    /// over all 256 characters
    #[arg(long, value_enum, default_value_t = SuiteKind::Core)]
    suite: SuiteKind,
    /// Also detect faults of implementations with up to K states more than the machine; with K above 0, components are
    /// not compared
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = up_to::<4>)]
    extra_states: usize,
    /// The seed by which the suite `components` draws characters
    #[arg(long, value_name = "N", default_value_t = 3986)]
    seed: u64,
}

#[derive(Args)]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    common: Common,
    /// The length of the longest strings, over one character of each class
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = up_to::<12>)]
    max_length: usize,
    /// Also compare the components of accepted strings
    #[arg(long)]
    components: bool,
    /// Store the progress in this file, and continue from it; a sweep that is stopped loses a few seconds
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

#[derive(Args)]
struct Common {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    selection: RunSelection,
    #[command(flatten)]
    profiles: ProfileSelection,
    /// Print every cluster of divergences, not only the ten with the shortest strings
    #[arg(long)]
    all: bool,
}

impl CompleteArguments {
    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.common.selection.asks_builtin()
    }
}

impl SweepArguments {
    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.common.selection.asks_builtin()
    }
}

/// The subjects that parse; there is at least one.
fn parsers(selected: &SelectedSubjects) -> Result<Vec<&dyn Subject>, RunError> {
    let mut subjects = selected.subjects();
    subjects.retain(|subject| subject.declaration().operations.contains(&Operation::Parse));
    if subjects.is_empty() {
        return Err("no subject that is chosen parses".to_owned());
    }
    Ok(subjects)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SuiteKind {
    Core,
    Standard,
    Components,
    Bytes,
}

#[derive(Serialize)]
struct SuiteRow {
    subject: String,
    rule: &'static str,
    language: String,
    /// That the run was interrupted before everything was put to the subject, and after how many strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    valid: SuiteCounts,
    invalid: SuiteCounts,
    /// Why strings were not compared, and how many.
    not_compared: BTreeMap<String, u64>,
    /// Of a sweep: how many strings of each length from 0 the subject accepts, and the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<Vec<LengthRow>>,
    /// What is proved, if everything was compared and agreed.
    certificates: Vec<Certificate>,
    clusters: Vec<ClusterRow>,
    /// Divergences that were agreements when the string was put again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unrepeated: Vec<Unrepeated>,
}

impl SuiteRow {
    fn diverge(&self) -> u64 {
        self.valid.diverge + self.invalid.diverge
    }

    fn compared(&self) -> u64 {
        self.valid.agree + self.invalid.agree + self.diverge()
    }

    fn is_unexpected(&self) -> bool {
        self.diverge() > 0 || !self.unrepeated.is_empty()
    }

    /// That nothing was compared, and why, if so.
    fn check_compared(&self) -> Option<String> {
        let reasons: Vec<&str> = self.not_compared.keys().map(String::as_str).collect();
        (self.compared() == 0).then(|| format!("nothing of {} was compared: {}", self.subject, reasons.join("; ")))
    }
}

#[derive(Serialize)]
struct SuiteCounts {
    asked: u64,
    agree: u64,
    diverge: u64,
    not_compared: u64,
}

impl From<run::Counts> for SuiteCounts {
    fn from(counts: run::Counts) -> SuiteCounts {
        SuiteCounts {
            asked: counts.answers(),
            agree: counts.agree,
            diverge: counts.diverge,
            not_compared: counts.not_compared + counts.left_out,
        }
    }
}

#[derive(Serialize)]
struct LengthRow {
    length: usize,
    subject: u64,
    machine: String,
}

#[derive(Serialize)]
struct ClusterRow {
    states: StatePair,
    difference: String,
    count: u64,
    witness: String,
    outcome: Outcome,
}

pub(crate) fn complete(arguments: &CompleteArguments) -> Result<Finding, RunError> {
    // With extra states the suites are about acceptance, and large.
    let depth = if arguments.extra_states == 0 {
        Depth::Components
    } else {
        Depth::Acceptance
    };
    let choice = match (arguments.suite, arguments.extra_states) {
        (SuiteKind::Core, 0) => SuiteChoice::Core,
        (SuiteKind::Core, extra) => SuiteChoice::Hsi(extra, Alphabet::Representatives, depth),
        (SuiteKind::Standard, 0) => SuiteChoice::Standard,
        (SuiteKind::Standard, _) => {
            return Err(
                "the standard suite has no extra states; `--suite core`, `components` and `bytes` take them".to_owned(),
            );
        }
        (SuiteKind::Components, extra) => SuiteChoice::Components(extra, arguments.seed),
        (SuiteKind::Bytes, extra) => SuiteChoice::Hsi(extra, Alphabet::Bytes, depth),
    };
    let selected = arguments.common.selection.start()?;
    let parsers = parsers(&selected)?;
    let machines = arguments.common.profiles.machines(&parsers)?;
    let mut prepared: BTreeMap<(&[Profile], Rule), Prepared<'_>> = BTreeMap::new();
    put(
        &arguments.common,
        &selected,
        &parsers,
        &machines,
        |machines, subject| {
            let bar = progress_bar(&subject.declaration().label(), None);
            let progress = |strings| bar.inc(strings);
            let rule = own_rule(subject.declaration());
            let mut total = None;
            let mut score = match choice {
                SuiteChoice::Core | SuiteChoice::Standard => {
                    let suite = prepared.entry((machines.profiles(), rule)).or_insert_with(|| match choice {
                        SuiteChoice::Standard => Prepared::standard(machines, rule),
                        _ => Prepared::core(machines, rule),
                    });
                    total = Some(suite.cases().len() as u128);
                    suite.put(subject, progress, &interrupt::is_stopped)
                }
                SuiteChoice::Components(extra, seed) => {
                    stream_components(machines, (extra, seed), subject, progress, &interrupt::is_stopped)
                }
                SuiteChoice::Hsi(extra, alphabet, depth) => {
                    let suite = (extra, alphabet);
                    stream(machines, suite, depth, subject, progress, &interrupt::is_stopped)
                }
            };
            let depth = match choice {
                SuiteChoice::Hsi(_, _, depth) => depth,
                SuiteChoice::Core | SuiteChoice::Standard | SuiteChoice::Components(..) => Depth::Components,
            };
            Questioner::new(subject, machines, depth).until(&interrupt::is_stopped).put_again(&mut score);
            bar.finish_and_clear();
            let certificates = choice.certificates(machines, subject.declaration(), &score);
            Ok(row(machines, subject, (&score, total), certificates, None))
        },
    )
}

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<Finding, RunError> {
    let depth = if arguments.components {
        Depth::Components
    } else {
        Depth::Acceptance
    };
    let path = arguments.state.as_deref();
    let mut stored = StoredSweeps {
        path: path.unwrap_or(Path::new("")),
        sweeps: path.map_or_else(|| Ok(Vec::new()), |path| files::read_list(path, "is no stored sweep"))?,
    };
    files::expect_writable(path)?;
    let selected = arguments.common.selection.start()?;
    let parsers = parsers(&selected)?;
    let machines = arguments.common.profiles.machines(&parsers)?;
    put(
        &arguments.common,
        &selected,
        &parsers,
        &machines,
        |machines, subject| {
            let plan = SweepPlan::of(subject, machines, arguments.max_length, depth);
            let place = match stored.sweeps.iter().position(|sweep| sweep.plan == plan) {
                Some(place) => {
                    stored.confirm(place, machines, subject, &selected)?;
                    if interrupt::is_stopped() {
                        return Ok(not_begun(machines, subject));
                    }
                    place
                }
                None => stored.begin(plan),
            };
            let is_whole = stored.go_on(place, machines, subject)?;
            Ok(sweep_row(&stored.sweeps[place], machines, subject, is_whole))
        },
    )
}

/// The sweeps of a file; of none if its path is empty.
struct StoredSweeps<'a> {
    path: &'a Path,
    sweeps: Vec<Sweep>,
}

impl StoredSweeps<'_> {
    /// Checks that the subject still does what is stored of it.
    fn confirm(
        &self,
        place: usize,
        machines: &Machines,
        subject: &dyn Subject,
        selected: &SelectedSubjects,
    ) -> Result<(), RunError> {
        let (path, sweep) = (self.path.display(), &self.sweeps[place]);
        sweep
            .check(machines, subject)
            .map_err(|problem| format!("{path} is no stored sweep: {problem}; delete it to begin anew"))?;
        let confirmed = sweep.confirm(machines, subject, &interrupt::is_stopped);
        selected.check_lost()?;
        confirmed.map_err(|problem| {
            format!("{path}: the stored sweep is of another program: {problem}; delete it to begin anew")
        })
    }

    /// Adds a sweep, in the place of those of another program, and returns its place.
    fn begin(&mut self, plan: SweepPlan) -> usize {
        let others = self.sweeps.len();
        self.sweeps.retain(|sweep| !sweep.plan.is_of_another_program(&plan));
        if self.sweeps.len() < others {
            warn(&format!(
                "{}: what is stored of {} is of another program, or through another version of uriproof: it begins anew",
                self.path.display(),
                plan.subject
            ));
        }
        self.sweeps.push(Sweep::new(plan));
        self.sweeps.len() - 1
    }

    /// Goes on with a sweep, and returns whether everything was asked, and what diverged was put again.
    fn go_on(&mut self, place: usize, machines: &Machines, subject: &dyn Subject) -> Result<bool, RunError> {
        let all = self.sweeps[place].strings(machines, subject);
        let bar = progress_bar(&subject.declaration().label(), u64::try_from(all).ok());
        let before = self.sweeps[place].score();
        bar.set_position(before.answers() + before.left_out());
        bar.reset_eta();
        let mut last_stored = Instant::now();
        // Of a sweep that is done there is nothing to ask.
        while !interrupt::is_stopped() && !self.sweeps[place].is_done(machines, subject) {
            let progress = |strings| bar.inc(strings);
            let more = self.sweeps[place].go_on(machines, subject, progress, &interrupt::is_stopped);
            // What a command was asked after it was given up is not stored.
            if subject.lost().is_some() {
                break;
            }
            if !more || last_stored.elapsed() >= STORED_EVERY {
                self.store()?;
                last_stored = Instant::now();
            }
        }
        let mut is_whole = false;
        if subject.lost().is_none() {
            let sweep = &mut self.sweeps[place];
            is_whole = sweep.is_done(machines, subject) && sweep.put_again(machines, subject, &interrupt::is_stopped);
            if subject.lost().is_none() {
                self.store()?;
            }
        }
        bar.finish_and_clear();
        Ok(is_whole)
    }

    fn store(&self) -> Result<(), RunError> {
        if self.path.as_os_str().is_empty() {
            return Ok(());
        }
        let text =
            serde_json::to_string(&self.sweeps).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(self.path.to_owned(), text + "\n")])
    }
}

fn sweep_row(sweep: &Sweep, machines: &Machines, subject: &dyn Subject, is_whole: bool) -> SuiteRow {
    let mut score = sweep.seen();
    score.is_cut |= !is_whole;
    // Counts of some of the strings say nothing beside those of the machine.
    let is_counted = sweep.is_done(machines, subject) && score.left_out() == 0;
    let accepted = sweep
        .machine_counts(machines.text(own_rule(subject.declaration())))
        .iter()
        .zip(&sweep.accepted)
        .enumerate()
        .map(|(length, (machine, &subject))| LengthRow {
            length,
            subject,
            machine: machine.to_string(),
        })
        .collect();
    let certificates = sweep.certificate(machines, subject).into_iter().filter(|_| is_whole).collect();
    row(
        machines,
        subject,
        (&score, Some(sweep.strings(machines, subject))),
        certificates,
        is_counted.then_some(accepted),
    )
}

/// Puts strings to every subject, and prints what comes of it.
fn put<'m>(
    common: &Common,
    selected: &SelectedSubjects,
    parsers: &[&dyn Subject],
    machines: &'m BTreeMap<Vec<Profile>, Machines>,
    mut ask: impl FnMut(&'m Machines, &dyn Subject) -> Result<SuiteRow, RunError>,
) -> Result<Finding, RunError> {
    interrupt::note()?;
    let mut rows = Vec::new();
    for &subject in parsers {
        let machines = &machines[&common.profiles.of(subject)];
        rows.push(match interrupt::is_stopped() {
            true => not_begun(machines, subject),
            false => ask(machines, subject)?,
        });
    }
    match common.format {
        Format::Json => print_json(&rows)?,
        Format::Human => print(&human(&rows, common.all))?,
    }
    Ran {
        compared: rows.iter().map(|row| (row.subject.clone(), row.compared())).collect(),
        is_unexpected: rows.iter().any(SuiteRow::is_unexpected),
        // Of each subject something must have been compared.
        lost: interrupt::stopped()
            .map(|reason| format!("not everything was asked: {reason}"))
            .or_else(|| selected.lost())
            .or_else(|| rows.iter().find_map(SuiteRow::check_compared)),
    }
    .finding()
}

/// Shown on a terminal only; without a length it counts.
fn progress_bar(label: &str, length: Option<u64>) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{msg}  {bar:30}  {percent}% of {human_len} strings  {per_sec}  {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {msg}  {human_pos} strings  {per_sec}",
        ),
    };
    styled(bar, template).with_message(label.to_owned())
}

/// Of a subject that the run did not come to before it was interrupted.
fn not_begun(machines: &Machines, subject: &dyn Subject) -> SuiteRow {
    let none = Score {
        is_cut: true,
        ..Score::default()
    };
    row(machines, subject, (&none, None), Vec::new(), None)
}

/// That the run was interrupted while strings were put to a subject, of which there are so many in `total`, if so.
fn stopped(score: &Score, total: Option<u128>) -> Option<String> {
    let reason = interrupt::stopped().filter(|_| score.is_cut)?;
    let put = score.answers() + score.left_out();
    Some(match total {
        Some(total) if total == u128::from(put) => {
            format!("{reason} after {put} strings, before answers were checked again")
        }
        Some(total) => format!("{reason} after {put} of {total} strings"),
        None => format!("{reason} after {put} strings"),
    })
}

fn row(
    machines: &Machines,
    subject: &dyn Subject,
    (score, total): (&Score, Option<u128>),
    certificates: Vec<Certificate>,
    accepted: Option<Vec<LengthRow>>,
) -> SuiteRow {
    let mut clusters: Vec<ClusterRow> = score
        .clusters
        .iter()
        .map(|((pair, difference), cluster)| ClusterRow {
            states: *pair,
            difference: describe(difference),
            count: cluster.count,
            witness: cluster.witness.clone(),
            outcome: cluster.observed.clone(),
        })
        .collect();
    clusters.sort_by(|one, other| {
        let order = |cluster: &ClusterRow| (cluster.witness.len(), cluster.witness.clone(), cluster.states);
        order(one).cmp(&order(other))
    });
    SuiteRow {
        subject: subject.declaration().label(),
        rule: own_rule(subject.declaration()).name(),
        language: machines.language(),
        stopped: stopped(score, total),
        valid: score.valid.into(),
        invalid: score.invalid.into(),
        not_compared: score.not_compared.clone(),
        accepted,
        certificates,
        clusters,
        unrepeated: score.unrepeated.iter().map(|suspect| suspect.unrepeated.clone()).collect(),
    }
}

fn human(rows: &[SuiteRow], all: bool) -> String {
    let width = rows.iter().map(|row| row.subject.len()).max().unwrap_or_default();
    let mut text: String = rows.iter().map(|row| row_text(row, width, all)).collect();
    let earned = rows.iter().map(|row| (&*row.subject, &*row.certificates));
    let mut classes: Option<&[String]> = None;
    for (certificates, earners) in by_earners(earned) {
        writeln!(text, "\n{HEAD}What a pass means{HEAD:#}, for {}", earners.join(", ")).expect("writes to a string");
        for certificate in certificates {
            text += &certificate_text(certificate, classes == Some(&certificate.classes));
            classes = Some(&certificate.classes);
        }
    }
    text
}

/// The verdict on a subject, and what is behind it; its name is as wide as those of the others.
fn row_text(row: &SuiteRow, width: usize, all: bool) -> String {
    let mut text = String::new();
    let not_compared = row.valid.not_compared + row.invalid.not_compared;
    // What was not compared has not passed.
    let (style, verdict) = match (row.is_unexpected(), row.compared(), not_compared) {
        (true, ..) => (BAD, "FAIL"),
        (false, 0, _) => (BAD, "none"),
        (false, _, 0) if row.stopped.is_none() => (GOOD, "pass"),
        (false, ..) => (FAINT, "part"),
    };
    text += &format!(
        "{style}{verdict}{style:#}  {:width$}  {:13}  valid {}/{}  invalid {}/{}{}  {FAINT}{}{FAINT:#}\n",
        row.subject,
        row.rule,
        row.valid.agree,
        row.valid.asked,
        row.invalid.agree,
        row.invalid.asked,
        not_put(row),
        row.language,
    );
    if let Some(stopped) = &row.stopped {
        writeln!(text, "      {BAD}{stopped}{BAD:#}").expect("writes to a string");
    }
    for LengthRow {
        length,
        subject,
        machine,
    } in row.accepted.iter().flatten().filter(|counts| counts.subject.to_string() != counts.machine)
    {
        text += &format!("      of length {length} it accepts {subject} strings, the machine {machine}\n");
    }
    text += &clusters_text(&row.clusters, all);
    for unrepeated in &row.unrepeated {
        writeln!(text, "      does not repeat: {}", unrepeated.input).expect("writes to a string");
        for (head, words) in unrepeated.lines() {
            writeln!(text, "        {head:9} {words}").expect("writes to a string");
        }
    }
    for (reason, count) in &row.not_compared {
        text += &format!(
            "      {FAINT}{count} strings not compared: {}{FAINT:#}\n",
            OneLine(reason)
        );
    }
    text
}

fn clusters_text(clusters: &[ClusterRow], all: bool) -> String {
    let mut text = String::new();
    let shown = if all { clusters.len() } else { clusters.len().min(SHOWN) };
    for cluster in &clusters[..shown] {
        text += &format!(
            "      {:24} {:7} {}, shortest \"{}\"  {FAINT}{}; {}{FAINT:#}\n",
            cluster.difference,
            cluster.count,
            if cluster.count == 1 { "string" } else { "strings" },
            cluster.witness.escape_default(),
            cluster.outcome,
            cluster.states
        );
    }
    if shown < clusters.len() {
        let hidden = clusters.len() - shown;
        text += &format!("      {FAINT}and {hidden} more clusters; --all shows them{FAINT:#}\n");
    }
    text
}

/// The certificate; `same_classes` are not said again.
fn certificate_text(certificate: &Certificate, same_classes: bool) -> String {
    let name = &certificate.machine;
    let mut text = format!(
        "\n{} of {}: {}\n  strings     {} in all\n  machine     {} states, {} classes, {}\n",
        certificate.rule,
        certificate.language,
        certificate.method,
        certificate.strings,
        name.states,
        name.classes,
        name.hash
    );
    let classes = if same_classes {
        "as above".to_owned()
    } else {
        certificate.classes.join("  ")
    };
    writeln!(text, "  classes     {classes}").expect("writes to a string");
    writeln!(text, "  proves      {}", certificate.proves).expect("writes to a string");
    for (head, lines) in [
        ("assumes", &certificate.assumes),
        ("not proved", &certificate.does_not_mean),
    ] {
        for line in lines {
            writeln!(text, "  {head:10}  {line}").expect("writes to a string");
        }
    }
    text
}

fn not_put(row: &SuiteRow) -> String {
    let mut text = String::new();
    let not_compared = row.valid.not_compared + row.invalid.not_compared;
    if not_compared > 0 {
        write!(text, "  not compared {not_compared}").expect("writes to a string");
    }
    text
}
