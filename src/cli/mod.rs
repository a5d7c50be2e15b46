//! The command line: one file per command.
//!
//! It is a part of the library so that a program can put its own subjects beside the built-in ones: see [`main`].
//!
//! Exit status: 0 nothing unexpected, 1 divergences, 2 the run itself could not be done. Results go to stdout,
//! progress and diagnostics to stderr.

mod answers;
mod bless;
mod check;
mod columns;
mod command;
mod complete;
mod corpus;
mod diff;
mod explain;
mod files;
mod grammar;
mod growth;
mod guard;
mod hang;
mod hunt;
mod init;
mod interrupt;
mod learn;
mod ledger;
mod measured;
mod minimize;
mod mutants;
mod pairs;
mod predict;
mod probe;
mod propose;
mod reach;
mod registry;
mod regress;
mod report;
mod scheme_rules;
mod select;
mod serve;
mod shell;
mod subjects;
mod vectors;
mod warden;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use anstyle::Style;
use clap::error::ContextValue;
use clap::{Parser, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use uriproof::model::{Input, Json, Lines, OneLine, Rule, Subject};
use uriproof::vectors::DATA_VERSION;
use uriproof_lab::divergence::shape::peculiarities;

use crate::cli::guard::GuardArguments;
use crate::cli::scheme_rules::SchemeRulesSelection;

const WORDS: &str = "Words:
  vector    a test case: an input, its outcome by RFC 3986, and the clauses that decide it
  subject   one entry point of a URI library: built in, or an adapter that --command runs
  diverge   to give an answer that RFC 3986 does not allow
  deviation a statement of what a subject does otherwise, which predicts its answers
  class     divergences of a subject that no deviation predicts, and that are alike
  ledger    the known deviations and classes of the built-in subjects, with causes";

/// Conformance suite and differential harness for RFC 3986, the generic URI syntax.
#[derive(Parser)]
#[command(name = "uriproof", version = version(), about, max_term_width = 100, after_help = WORDS)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    guard: GuardArguments,
    #[command(flatten)]
    scheme_rules: SchemeRulesSelection,
}

#[derive(Subcommand)]
enum Command {
    /// Run all vectors against all subjects; print a line for each crate, write REPORT.md, its pages and
    /// target/uriproof/results.json
    Report(report::Arguments),
    /// Run vectors against subjects; exit with 1 if one diverges
    Check(check::Arguments),
    /// Run one input through all subjects, and compare their answers side by side
    Diff(diff::Arguments),
    /// Explain by rule and clause why an input is accepted or rejected
    Explain(explain::Arguments),
    /// Run a suite that is complete for a class of faults; print the certificate of what is proved
    Complete(complete::CompleteArguments),
    /// Run every string up to a length, over one character of each class, against subjects
    Sweep(complete::SweepArguments),
    /// Learn by queries which strings a subject accepts, and the exact difference from RFC 3986
    Learn(learn::Arguments),
    /// Run long inputs to find time that grows faster than the input, hangs and crashes
    Growth(growth::Arguments),
    /// Print the machines (minimal automata) of the grammar: states, classes, hash, strings per length, DOT
    Grammar(grammar::Arguments),
    /// Search with generated inputs for divergences that the ledger does not explain
    Hunt(hunt::Arguments),
    /// Count what generated inputs reach: alternatives of the grammar, branches of resolution, transitions of the
    /// machine
    Reach(reach::Arguments),
    /// Find the smallest input on which every subject behaves as on this one
    Minimize(minimize::Arguments),
    /// Count which divergences the deviations in the ledger predict, and show those that they do not
    Predict(predict::Arguments),
    /// Find the deviations that predict what a library does, and print them as a draft of its baseline
    Propose(propose::Arguments),
    /// Print every known class of divergence with its explanation; check or update the ledger
    Ledger(ledger::Arguments),
    /// Run a fixed sample of inputs on built-in subjects; exit with 1 if an answer is not the stored one
    Answers(answers::Arguments),
    /// Measure the test suites: which mutants of the grammar, the algorithms, the reference's code or other crates they kill
    Mutants(mutants::Arguments),
    /// Write an adapter or a test, a baseline and a workflow for a library, and say what to run next
    Init(init::Arguments),
    /// List the built-in subjects: versions, entry points, what each claims, operations
    Subjects(subjects::Arguments),
    /// List, show, check and export the vectors
    Vectors(vectors::Arguments),
    /// Serve a subject over the line protocol: JSON requests on stdin, responses on stdout
    Serve(serve::Arguments),
    /// Show what changed between two results files; exit with 1 if anything got worse
    Regress(regress::Arguments),
    /// Print the completions for a shell
    Completions(shell::CompletionArguments),
    /// Print the manual page
    Man(shell::ManArguments),
    /// Regenerate every derived file of uriproof's own repository, and print what changed
    #[command(hide = true)]
    Bless(bless::Arguments),
    /// End the adapters of another process when stdin ends
    #[command(hide = true)]
    Warden(warden::Arguments),
}

/// How many columns a screen has at least.
const WIDTH: usize = 80;

/// The format of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Json,
}

/// What a command found, for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finding {
    Expected,
    Unexpected,
}

/// The result of a run. The one rule for exit status 0: something was compared, for each command too, all of it agreed or is
/// explained, and nothing was lost.
struct Ran {
    /// How many answers were compared, by the name of each subject or group; each count must be above 0.
    compared: Vec<(String, u64)>,
    /// Whether an answer diverged, did not repeat, or is not explained.
    is_unexpected: bool,
    /// Why the run is incomplete, if so: a command was given up, the run was interrupted.
    lost: Option<String>,
}

impl Ran {
    /// # Errors
    ///
    /// Something was lost, or nothing was compared: the run was not done.
    fn finding(self) -> Result<Finding, RunError> {
        match self {
            Ran { lost: Some(reason), .. } => Err(reason),
            Ran {
                is_unexpected: true, ..
            } => Ok(Finding::Unexpected),
            Ran { compared, .. } => match compared.iter().find(|(_, count)| *count == 0) {
                _ if compared.iter().all(|(_, count)| *count == 0) => {
                    Err("nothing was compared: no subject gave an answer that can be compared".to_owned())
                }
                Some((name, _)) => Err(format!(
                    "nothing was compared of {name}: it gave no answer that can be compared"
                )),
                None => Ok(Finding::Expected),
            },
        }
    }
}

/// Why a run could not be done: one line, lower case, no full stop.
type RunError = String;

/// The program `uriproof`, with `added` subjects beside the built-in ones.
///
/// Takes the arguments of the process. Commands start the program again, as a guard against crashes of subjects: call
/// this first in `main`, each time with the same subjects.
pub fn main(added: &[&'static dyn Subject]) -> ExitCode {
    let Arguments {
        mut command,
        guard,
        scheme_rules,
    } = Arguments::try_parse().unwrap_or_else(|error| safe(error).exit());
    // A process that only serves a subject ends with its client.
    let (only_answers, dies_at_once) = match &command {
        Command::Warden(_) => (true, false),
        Command::Serve(_) => (guard.parent.is_some(), false),
        _ => (guard.parent.is_some() && !guard.here, true),
    };
    let mode = if only_answers {
        interrupt::SignalMode::Ignore
    } else {
        interrupt::SignalMode::End
    };
    guard.enter(dies_at_once);
    let ended = interrupt::listen(mode, guard.here && guard.parent.is_some()).and_then(|()| {
        scheme_rules.license()?;
        registry::fill(added, &guard.apart, guard.probe.as_deref())?;
        if command.asks_subjects() && !guard.here {
            return guard::run();
        }
        if guard.here || only_answers && dies_at_once {
            guard::watch_subjects();
        }
        command.measure_by_own_standard();
        Ok(match command.run()? {
            Finding::Expected => ExitCode::SUCCESS,
            Finding::Unexpected => ExitCode::from(1),
        })
    });
    warden::end();
    ended.unwrap_or_else(|failure| {
        warn(&failure);
        ExitCode::from(2)
    })
}

/// The version of the program, and that of the vectors in it.
fn version() -> String {
    format!("{} (data {DATA_VERSION})", env!("CARGO_PKG_VERSION"))
}

/// A progress bar of this form, printed on a terminal only.
fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_style(ProgressStyle::with_template(template).expect("the template is well-formed"))
}

/// Words on as many lines as they need, none broken.
fn wrapped<W: AsRef<str>>(words: &[W], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.iter().map(AsRef::as_ref) {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Words in lines that fit, the first one behind `first` and the others behind `next`.
fn in_lines(words: &str, first: &str, next: &str, style: Style) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let lines = wrapped(&words, WIDTH - next.len()).into_iter().enumerate();
    lines.map(|(at, line)| format!("{}{style}{line}{style:#}\n", if at == 0 { first } else { next })).collect()
}

/// Returns what is special about a string, in brackets after a space; nothing where nothing is.
fn in_brackets(text: &str) -> String {
    let input = Input::Parse {
        rule: Rule::UriReference,
        input: text.to_owned(),
    };
    match &*peculiarities(&input) {
        [] => String::new(),
        names => format!(" ({})", names.join(", ")),
    }
}

/// A wrong command line, with what it quotes of the arguments on one line.
fn safe(mut error: clap::Error) -> clap::Error {
    let quoted: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| {
            let line = |text: &String| OneLine(text).to_string();
            match value {
                ContextValue::String(text) => Some((kind, ContextValue::String(line(text)))),
                ContextValue::Strings(texts) => Some((kind, ContextValue::Strings(texts.iter().map(line).collect()))),
                _ => None,
            }
        })
        .collect();
    for (kind, value) in quoted {
        error.insert(kind, value);
    }
    error
}

impl Command {
    /// Measures the built-in subjects by the standard that they follow, if that is one, in the commands in which a specification may be named
    /// and none is. `check` does so itself, of each subject.
    fn measure_by_own_standard(&mut self) {
        match self {
            Command::Complete(arguments) => arguments.measure_by_own_standard(),
            Command::Sweep(arguments) => arguments.measure_by_own_standard(),
            Command::Learn(arguments) => arguments.measure_by_own_standard(),
            Command::Hunt(arguments) => arguments.measure_by_own_standard(),
            Command::Minimize(arguments) => arguments.measure_by_own_standard(),
            _ => {}
        }
    }

    fn run(&self) -> Result<Finding, RunError> {
        match self {
            Command::Report(arguments) => report::run(arguments),
            Command::Check(arguments) => check::run(arguments),
            Command::Diff(arguments) => diff::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Complete(arguments) => complete::complete(arguments),
            Command::Sweep(arguments) => complete::sweep(arguments),
            Command::Learn(arguments) => learn::run(arguments),
            Command::Growth(arguments) => growth::run(arguments),
            Command::Grammar(arguments) => grammar::run(arguments),
            Command::Hunt(arguments) => hunt::run(arguments),
            Command::Reach(arguments) => reach::run(arguments),
            Command::Minimize(arguments) => minimize::run(arguments),
            Command::Predict(arguments) => predict::run(arguments),
            Command::Propose(arguments) => propose::run(arguments),
            Command::Ledger(arguments) => ledger::run(arguments),
            Command::Answers(arguments) => answers::run(arguments),
            Command::Mutants(arguments) => mutants::run(arguments),
            Command::Init(arguments) => init::run(arguments),
            Command::Subjects(arguments) => subjects::run(arguments),
            Command::Vectors(arguments) => vectors::run(arguments),
            Command::Serve(arguments) => serve::run(arguments),
            Command::Regress(arguments) => regress::run(arguments),
            Command::Completions(arguments) => shell::completions::<Arguments>(arguments),
            Command::Man(arguments) => shell::man::<Arguments>(arguments),
            Command::Bless(arguments) => bless::run(arguments),
            Command::Warden(arguments) => warden::run(arguments),
        }
    }

    /// Whether it calls subjects in its own process.
    fn asks_subjects(&self) -> bool {
        match self {
            Command::Check(arguments) => arguments.asks_builtin(),
            Command::Diff(arguments) => arguments.asks_builtin(),
            Command::Complete(arguments) => arguments.asks_builtin(),
            Command::Sweep(arguments) => arguments.asks_builtin(),
            Command::Learn(arguments) => arguments.asks_builtin(),
            Command::Minimize(arguments) => arguments.asks_builtin(),
            Command::Propose(arguments) => arguments.asks_builtin(),
            Command::Report(_) | Command::Ledger(_) | Command::Predict(_) | Command::Answers(_) => true,
            // `growth` and `hunt` run subjects in processes of their own, and `serve` is such a process.
            Command::Growth(_) | Command::Hunt(_) | Command::Serve(_) => false,
            Command::Explain(_)
            | Command::Grammar(_)
            | Command::Reach(_)
            | Command::Mutants(_)
            | Command::Init(_)
            | Command::Subjects(_)
            | Command::Vectors(_)
            | Command::Regress(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Bless(_)
            | Command::Warden(_) => false,
        }
    }
}

/// Prints a diagnostic to stderr, on one line even if it quotes line breaks.
fn warn(words: &str) {
    // Nothing is left to be done where stderr is closed too.
    let _ = writeln!(anstream::stderr(), "uriproof: {}", OneLine(words));
}

/// Prints results to stdout, without styles if it is no terminal; [`Lines`] escapes the text. A reader that has gone away
/// (`| head`) is no failure.
fn print(text: &str) -> Result<(), RunError> {
    write_to(&mut anstream::stdout().lock(), &Lines(text).to_string())
}

/// Prints output for programs, byte for byte. Each format escapes what could harm a terminal or a log: JSON by
/// [`Json`], which does not change a value.
fn print_data(text: &str) -> Result<(), RunError> {
    write_to(&mut io::stdout().lock(), text)
}

/// Prints a value as indented JSON.
fn print_json(value: &impl serde::Serialize) -> Result<(), RunError> {
    let mut text =
        serde_json::to_string_pretty(value).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    text.push('\n');
    print_data(&Json(&text).to_string())
}

fn write_to(stdout: &mut impl Write, text: &str) -> Result<(), RunError> {
    if guard::probed().is_some() {
        return Ok(());
    }
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("stdout cannot be written: {error}")),
        Ok(()) | Err(_) => Ok(()),
    }
}
