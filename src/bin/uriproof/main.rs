//! The command line: one file per command.
//!
//! Exit status: 0 nothing unexpected, 1 divergences, 2 the run itself could not be done. Results go to stdout,
//! progress and diagnostics to stderr.

mod check;
mod complete;
mod diff;
mod explain;
mod files;
mod grammar;
mod growth;
mod hunt;
mod learn;
mod ledger;
mod minimize;
mod mutants;
mod pairs;
mod reach;
mod report;
mod select;
mod serve;
mod vectors;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};

/// Conformance suite and differential harness for RFC 3986, the generic URI syntax.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run all vectors against all subjects; print the matrix, write REPORT.md and target/uriproof/results.json
    Report(report::Arguments),
    /// Run vectors against subjects; exit with 1 if any diverges
    Check(check::Arguments),
    /// Put one input through all subjects, side by side
    Diff(diff::Arguments),
    /// Say by rule and clause why an input is accepted or rejected
    Explain(explain::Arguments),
    /// Put a complete suite to subjects, and print the certificate that they earn
    Complete(complete::CompleteArguments),
    /// Put every string up to a length, over one character of each class, to subjects
    Sweep(complete::SweepArguments),
    /// Learn the machine of a subject by questions, and its exact difference from RFC 3986
    Learn(learn::Arguments),
    /// Put long inputs to subjects: time that grows faster than the input, hangs, crashes
    Growth(growth::Arguments),
    /// The machines of the grammar: states, classes, hash, strings per length, DOT
    Grammar(grammar::Arguments),
    /// Search with generated inputs for divergences that the ledger does not explain
    Hunt(hunt::Arguments),
    /// Count what generated inputs reach: alternatives of the grammar, branches of resolution, transitions of the machine
    Reach(reach::Arguments),
    /// Make an input smaller while every subject does with it what it does
    Minimize(minimize::Arguments),
    /// Every class of divergence that is known, explained
    Ledger(ledger::Arguments),
    /// What the suites kill of the mutants of the grammar: how good they are
    Mutants(mutants::Arguments),
    /// The vectors as data
    Vectors(vectors::Arguments),
    /// Serve a subject over the line protocol: JSON requests on stdin, responses on stdout
    Serve(serve::Arguments),
}

/// How results are printed.
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

/// Why a run could not be done: one line, lower case, no full stop.
type Failure = String;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Report(arguments) => report::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Complete(arguments) => complete::complete(&arguments),
        Command::Sweep(arguments) => complete::sweep(&arguments),
        Command::Learn(arguments) => learn::run(&arguments),
        Command::Growth(arguments) => growth::run(&arguments),
        Command::Grammar(arguments) => grammar::run(&arguments),
        Command::Hunt(arguments) => hunt::run(&arguments),
        Command::Reach(arguments) => reach::run(&arguments),
        Command::Minimize(arguments) => minimize::run(&arguments),
        Command::Ledger(arguments) => ledger::run(&arguments),
        Command::Mutants(arguments) => mutants::run(&arguments),
        Command::Vectors(arguments) => vectors::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
    };
    match result {
        Ok(Finding::Expected) => ExitCode::SUCCESS,
        Ok(Finding::Unexpected) => ExitCode::from(1),
        Err(failure) => {
            // Nothing is left to be done where stderr is closed too.
            let _ = writeln!(anstream::stderr(), "uriproof: {failure}");
            ExitCode::from(2)
        }
    }
}

/// Prints results to stdout, without styles where they do not belong. A reader that has gone away (`| head`) is no
/// failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("stdout cannot be written: {error}")),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints a value as indented JSON.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let mut text =
        serde_json::to_string_pretty(value).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    text.push('\n');
    print(&text)
}
