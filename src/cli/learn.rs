//! `uriproof learn`: the machine of a subject, and its exact difference from RFC 3986.

mod rows;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use uriproof::compare::own_rule;
use uriproof::gate::Claim;
use uriproof::model::{Operation, Subject};
use uriproof::repeat::Unrepeated;
use uriproof_grammar::Profile;
use uriproof_grammar::draw_difference::{difference_dot, difference_svg};
use uriproof_grammar::learn::{DifferenceGroup, Learned, Options, OutputDifference, Stop, is_of_components, ranges};
use uriproof_lab::learn::{Lesson, What, acceptance, components, describe, has_components, unrepeated};
use uriproof_lab::machines::{Machines, claimed};

use self::rows::json;
use crate::cli::columns::{in_columns, short};
use crate::cli::command::{RunSelection, SelectedSubjects};
use crate::cli::measured::MeasuredFolder;
use crate::cli::select::ProfileSelection;
use crate::cli::{Finding, Ran, RunError, WIDTH, files, in_brackets, interrupt, print, styled, warn, wrapped};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// The most queries for a command, which answers some thousands a second, if it is not said.
const BUDGET_OF_COMMAND: u64 = 300_000;

/// How many groups of differences are printed without `--all`.
const SHOWN: usize = 20;

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: RunSelection,
    #[command(flatten)]
    profiles: ProfileSelection,
    /// Also learn which components the subject finds in a string, not only whether it accepts it
    #[arg(long)]
    components: bool,
    /// How to print the result: `dot` draws the machine, `difference-dot` and `svg` the paths to the differences; these
    /// three take one subject
    #[arg(long, value_enum, default_value_t = LearnFormat::Human)]
    format: LearnFormat,
    /// Write the result to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Learn every selected subject completely, under the profile that it claims, and replace its results in this folder of
    /// measurements; REPORT.md is made from measured/subjects
    #[arg(long, value_name = "DIR", conflicts_with_all = ["commands", "specification", "format", "output", "components", "wanted", "all"])]
    write: Option<PathBuf>,
    /// The seed of the random strings among the queries
    #[arg(long, value_name = "N", default_value_t = Options::default().seed)]
    seed: u64,
    /// The most queries for one subject [default: 300,000 for a command, else 50,000,000]
    #[arg(long, value_name = "QUERIES")]
    budget: Option<u64>,
    /// Print every group of differences, not only the first twenty
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LearnFormat {
    Human,
    Json,
    Dot,
    DifferenceDot,
    Svg,
}

impl Arguments {
    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.selection.asks_builtin()
    }

    /// Measures the built-in subjects by the standard that they follow, if that is one.
    pub(crate) fn measure_by_own_standard(&mut self) {
        self.selection.measure_by_own_standard(self.is_of_grammar());
    }

    /// Whether what is learned is of a grammar: components, or the difference from a profile.
    fn is_of_grammar(&self) -> bool {
        self.components || self.write.is_some() || !self.profiles.is_empty()
    }

    fn start(&self) -> Result<SelectedSubjects, RunError> {
        match self.is_of_grammar() {
            true => self.selection.start_beside_rfc(),
            false => self.selection.start(),
        }
    }

    /// What was learned, in the format that is wanted.
    fn text(&self, lessons: &[Learning]) -> Result<String, RunError> {
        Ok(match self.format {
            LearnFormat::Human => in_columns(&lessons.iter().map(|lesson| human(lesson, self.all)).collect::<String>()),
            LearnFormat::Json => json(lessons)?,
            LearnFormat::Dot => lessons.iter().map(|lesson| lesson.learned.to_dot()).collect(),
            LearnFormat::DifferenceDot => lessons.iter().map(|lesson| difference_dot(&lesson.learned)).collect(),
            LearnFormat::Svg => lessons.iter().map(|lesson| difference_svg(&lesson.learned, &head(lesson))).collect(),
        })
    }
}

/// What was learned, whole and as it is stored.
struct Learning {
    learned: Learned,
    lesson: Lesson,
    /// What does not repeat, where it was shown again.
    unrepeated: Option<Unrepeated>,
}

impl Learning {
    /// Whether the subject answered none of the last queries: then it was not compared.
    fn is_unanswered(&self) -> bool {
        matches!(self.learned.stopped, Some(Stop::Unanswered { .. }))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    files::expect_writable(arguments.output.as_deref())?;
    let selected = arguments.start()?;
    let chosen: Vec<&dyn Subject> =
        selected.subjects().into_iter().filter(|subject| can_learn(*subject, arguments)).collect();
    let is_drawing = !matches!(arguments.format, LearnFormat::Human | LearnFormat::Json);
    if chosen.is_empty() {
        return Err(if arguments.components {
            "no selected subject reports components of a URI-reference".to_owned()
        } else {
            "no subject that is chosen parses".to_owned()
        });
    }
    if is_drawing && chosen.len() != 1 {
        return Err(format!("{} subjects are chosen, and a drawing is of one", chosen.len()));
    }
    if let Some(folder) = &arguments.write {
        return write(folder, &chosen, arguments);
    }
    if arguments.components {
        expect_components_of_rfc(arguments, &chosen)?;
    }
    let machines = arguments.profiles.machines(&chosen)?;
    interrupt::note()?;
    let mut lessons = Vec::new();
    for &subject in &chosen {
        if interrupt::is_stopped() {
            break;
        }
        let lesson = learn(
            &machines[&arguments.profiles.of(subject)],
            subject,
            arguments.components,
            arguments,
        )?;
        lessons.push(lesson);
    }
    let interrupted = interrupted(&lessons, chosen.len());
    if let (true, Some(reason)) = (is_drawing, &interrupted) {
        return Err(format!("nothing is drawn: {reason}"));
    }
    let text = arguments.text(&lessons)?;
    match &arguments.output {
        // A file may hold all of what is now known in part.
        Some(file) if interrupted.is_some() => {
            print(&text)?;
            warn(&format!("{} is not written", file.display()));
        }
        Some(file) => {
            let plain = anstream::adapter::strip_str(&text).to_string();
            files::write(&[(file.clone(), plain)])?;
        }
        None => print(&text)?,
    }
    let unanswered = || lessons.iter().filter(|result| result.is_unanswered());
    Ran {
        compared: vec![("the subjects".to_owned(), (lessons.len() - unanswered().count()) as u64)],
        is_unexpected: lessons.iter().any(|result| !result.is_unanswered() && !result.lesson.is_equal()),
        lost: interrupted.or_else(|| selected.lost()).or_else(|| unanswered().next().map(head)),
    }
    .finding()
}

/// # Errors
///
/// A subject is measured by another specification than that of which the components are learned.
fn expect_components_of_rfc(arguments: &Arguments, chosen: &[&dyn Subject]) -> Result<(), RunError> {
    let is_of_targets = |subject: &&dyn Subject| arguments.profiles.of(*subject).contains(&Profile::RequestTarget);
    let is_by_standard = |subject: &&dyn Subject| subject.declaration().claim == Some(Claim::Whatwg);
    if chosen.iter().any(is_of_targets) {
        return Err("--components learns the components of URI-references, not those of request-targets".to_owned());
    }
    if chosen.iter().any(is_by_standard) {
        return Err("--components learns the components of RFC 3986, not those of the URL Standard".to_owned());
    }
    Ok(())
}

/// That the run was interrupted, if it was, and how many of the chosen subjects it has learned.
fn interrupted(lessons: &[Learning], chosen: usize) -> Option<String> {
    let reason = interrupt::stopped()?;
    let learned = lessons.iter().filter(|result| !result.lesson.void).count();
    Some(format!(
        "not everything was learned: {reason} after {learned} of {chosen} subjects"
    ))
}

fn can_learn(subject: &dyn Subject, arguments: &Arguments) -> bool {
    subject.declaration().operations.contains(&Operation::Parse)
        && (!arguments.components || reports_components(subject))
}

/// Learns which strings every subject accepts, and where it tells components, those, by what it claims; stores it.
fn write(folder: &Path, subjects: &[&dyn Subject], arguments: &Arguments) -> Result<Finding, RunError> {
    let mut measured = MeasuredFolder::open(folder, subjects)?;
    let mut text = String::new();
    interrupt::note()?;
    for &subject in subjects {
        let learned = &mut measured.of(subject.declaration()).learned;
        learned.clear();
        if let Some(budget) = subject.budget() {
            writeln!(
                text,
                "{}: not learned, too slow for the millions of questions (its budget is {budget} strings of a suite)",
                subject.declaration()
            )
            .expect("writes to a string");
            continue;
        }
        let profiles: Vec<Profile> = claimed(&subject.declaration().specification).into_iter().collect();
        let machines = Machines::under(&profiles).map_err(|error| error.to_string())?;
        let mut whats = vec![false];
        if reports_components(subject) {
            whats.push(true);
        }
        for components in whats {
            let result = learn(&machines, subject, components, arguments)?;
            if result.lesson.void {
                // What was learned before is known, and stays unwritten.
                print(&text)?;
                return Err(format!("{}; nothing is written", head(&result)));
            }
            writeln!(text, "{}", head(&result)).expect("writes to a string");
            learned.push(result.lesson);
        }
    }
    measured.write()?;
    print(&text)?;
    Ok(Finding::Expected)
}

fn reports_components(subject: &dyn Subject) -> bool {
    let declaration = subject.declaration();
    !declaration.tells.is_empty() && has_components(own_rule(declaration))
}

fn learn(
    machines: &Machines,
    subject: &dyn Subject,
    with_components: bool,
    arguments: &Arguments,
) -> Result<Learning, RunError> {
    let declaration = subject.declaration();
    let in_grammar = |error| format!("rfc3986.abnf: {error}");
    let bar = styled(ProgressBar::new_spinner(), "{spinner} {msg}  {elapsed}");
    bar.set_message(format!("learning {}", declaration.label()));
    let budget = match subject.digest() {
        Some(_) => BUDGET_OF_COMMAND,
        None => Options::default().query_limit,
    };
    let options = Options {
        seed: arguments.seed,
        query_limit: arguments.budget.unwrap_or(budget),
        ..Options::default()
    };
    let (what, inference) = if with_components {
        // Machines of components have thousands of states: a suite with extra states would be most of the work.
        let options = Options {
            extra_states: 0,
            state_limit: 20_000,
            ..options
        };
        let inference = components(machines, subject, &options, &interrupt::is_stopped).map_err(in_grammar)?;
        (What::Components, inference)
    } else {
        let inference = acceptance(machines, subject, &options, &interrupt::is_stopped);
        (What::Acceptance, inference)
    };
    let unrepeated =
        unrepeated(machines, subject, what, &inference.learned, &interrupt::is_stopped).map_err(in_grammar)?;
    bar.finish_and_clear();
    Ok(Learning {
        unrepeated,
        lesson: Lesson::of(machines, subject, what, &inference),
        learned: inference.learned,
    })
}

/// How the subject differs, in plain words, a line each with an example; none where it was not found to differ.
fn found(learning: &Learning) -> Vec<String> {
    let Learning { learned, lesson, .. } = learning;
    let every = every_string(learning);
    let mut examples: BTreeMap<OutputDifference, &str> = BTreeMap::new();
    for difference in &learned.differences {
        let shortest = examples.entry(difference.kind()).or_insert(&difference.witness);
        if difference.witness.len() < shortest.len() {
            *shortest = &difference.witness;
        }
    }
    let language = &lesson.language;
    let lines = examples.into_iter().flat_map(|(kind, shortest)| {
        let does = match kind {
            OutputDifference::Accepted if every.is_some() => {
                format!("{}, also what {language} refuses", every.unwrap_or_default())
            }
            OutputDifference::Accepted => format!("accepts strings that {language} refuses"),
            OutputDifference::Rejected => format!("refuses strings that {language} accepts"),
            OutputDifference::OtherOutput => format!("reads strings differently than {language}"),
            OutputDifference::Crashed => "crashes on strings".to_owned(),
            OutputDifference::TimedOut => "does not answer strings in time".to_owned(),
        };
        let words = format!("{} {does}", lesson.subject);
        let example = format!("for example {}{}", short(shortest), in_brackets(shortest));
        match words.len() + example.len() + 2 <= WIDTH {
            true => vec![format!("{words}, {example}")],
            false => vec![format!("{words},"), format!("  {example}")],
        }
    });
    lines.collect()
}

/// The subject and the verdict.
fn head(result: &Learning) -> String {
    let Lesson {
        subject, rule, what, ..
    } = &result.lesson;
    let of = match what {
        What::Acceptance => "",
        What::Components => " and its components",
    };
    let every = every_string(result).map(|words| format!("{words}, ")).unwrap_or_default();
    format!("{subject}: {rule}{of}, {every}{}", result.lesson.verdict())
}

/// That every string is accepted, or none, where that was found or is all that was seen so far.
fn every_string(Learning { learned, lesson, .. }: &Learning) -> Option<&'static str> {
    if lesson.what != What::Acceptance || learned.states() != 1 {
        return None;
    }
    match (learned.output(""), &learned.stopped) {
        (0, None) => Some("accepts no string"),
        (1, None) => Some("accepts every string"),
        (0, Some(Stop::Queries { .. })) => Some("accepts no string so far"),
        (1, Some(Stop::Queries { .. })) => Some("accepts every string so far"),
        _ => None,
    }
}

fn human(lesson: &Learning, all: bool) -> String {
    let learned = &lesson.learned;
    let mut text = String::new();
    let style = if lesson.lesson.is_equal() { GOOD } else { BAD };
    let mut line = |line: String| {
        text += &line;
        text.push('\n');
    };
    found(lesson).into_iter().chain([head(lesson)]).for_each(|words| line(format!("{style}{words}{style:#}")));
    if let Some(unrepeated) = &lesson.unrepeated {
        for (head, words) in unrepeated.lines() {
            line(format!("  {head:9} {words}"));
        }
    }
    if lesson.lesson.void {
        return text;
    }
    for limit in &learned.limits {
        line(format!(
            "  limit: {limit}  {FAINT}{} and {}; strings beyond are left out{FAINT:#}",
            short(&limit.witness_in),
            short(&limit.witness_out)
        ));
    }
    let groups = learned.groups();
    let shown = if all { groups.len() } else { groups.len().min(SHOWN) };
    for group in &groups[..shown] {
        line(group_line(learned, group));
    }
    if shown < groups.len() {
        line(format!(
            "  {FAINT}and {} more groups; --all shows them{FAINT:#}",
            groups.len() - shown
        ));
    }
    for (reason, count) in &lesson.lesson.not_compared {
        line(format!("  {count} answers were not compared: {reason}"));
    }
    let under = match (&learned.stopped, learned.differences.is_empty()) {
        (Some(_), _) => None,
        (None, true) if learned.limits.is_empty() => Some("that holds for every string, if"),
        (None, true) => Some("that holds for every string within the limits, if"),
        (None, false) => Some("that is the exact difference, but only if"),
    };
    if let Some(under) = under {
        line(format!("  {under}"));
        for assumption in &lesson.lesson.assumptions {
            let words: Vec<&str> = assumption.split(' ').collect();
            for words in wrapped(&words, WIDTH - 4) {
                line(format!("    {words}"));
            }
        }
    }
    for words in next(learned).into_iter().chain([cost(learned, all)]) {
        line(format!("  {FAINT}{words}{FAINT:#}"));
    }
    text
}

/// What to do next, a line each.
fn next(learned: &Learned) -> Vec<String> {
    let mut next = Vec::new();
    if !learned.differences.is_empty() {
        next.push("next: `uriproof check` with the same subject shows the clauses".to_owned());
    }
    if let Some(Stop::Queries { limit }) = &learned.stopped {
        next.push(format!(
            "next: --budget {} goes on for longer",
            limit.saturating_mul(10)
        ));
    }
    next
}

/// The size of the machine, and the number of queries that it took; what they were for, if all is to be printed.
fn cost(learned: &Learned, all: bool) -> String {
    let mut cost = format!(
        "{} states, {} symbols, {} questions in {} round{}",
        learned.states(),
        learned.symbols().len(),
        learned.questions(),
        learned.rounds,
        if learned.rounds == 1 { "" } else { "s" },
    );
    for (purpose, count) in learned.questions.iter().filter(|_| all) {
        let _ = write!(cost, ", {purpose} {count}");
    }
    cost
}

fn group_line(learned: &Learned, group: &DifferenceGroup) -> String {
    let first = &learned.differences[group.differences[0]];
    let on = if group.characters.is_empty() {
        String::new()
    } else {
        format!(" on \"{}\"", ranges(&group.characters))
    };
    let components = match describe(first.expected, first.observed) {
        _ if first.expected == 0 || !is_of_components(first.observed) => String::new(),
        reported if reported.is_empty() => String::new(),
        reported => format!("  ({reported})"),
    };
    format!(
        "  {}{on}: shortest {}{components}  {FAINT}{} {}{FAINT:#}",
        group.kind,
        short(&first.witness),
        group.differences.len(),
        if group.differences.len() == 1 {
            "class"
        } else {
            "classes"
        }
    )
}
