//! The gate for every entry point of one crate, for `uriproof mutants --of crates`, which builds this program with each mutant of
//! the crate. The environment says what to do: `URIPROOF_CRATE` is the crate, `URIPROOF_FOLDER` has its baselines, the
//! inputs and the answers, and `URIPROOF_STEP` is a step below.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, thread};

use uriproof::ask::ask;
use uriproof::compare::Verdict;
use uriproof::gate::{Conclusion, Gate};
use uriproof::model::{Input, Outcome, Reading, Subject};
use uriproof::protocol::messages::{Ask, Request};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_subjects::SUBJECTS;

/// A line of the output that `uriproof mutants` reads.
const PASSED_BY_VECTORS: &str = "the vectors alone let it pass";

fn main() -> ExitCode {
    let step = variable("URIPROOF_STEP");
    let passes = match &*step {
        // Of the crate as it is: what differs is known from here on.
        "write" => write(),
        // Whether the gate fails: the vectors alone first, then with the core suites.
        "gate" => {
            vectors_pass() && {
                println!("{PASSED_BY_VECTORS}");
                check_passes()
            }
        }
        // Whether an answer to a generated input has changed.
        "answers" => answers_stay(),
        other => panic!("URIPROOF_STEP is write, gate or answers, not {other}"),
    };
    if passes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn variable(name: &str) -> String {
    env::var(name)
        .unwrap_or_else(|problem| panic!("{name}: {problem}; `uriproof mutants --of crates` runs this program"))
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(variable("URIPROOF_FOLDER")).join(name)
}

/// The entry points of the crate, numbered.
fn subjects() -> Vec<(usize, &'static dyn Subject)> {
    let name = variable("URIPROOF_CRATE");
    let subjects = SUBJECTS.iter().copied().filter(|subject| subject.declaration().name == name);
    let subjects: Vec<_> = subjects.enumerate().collect();
    assert!(!subjects.is_empty(), "no subject is of the crate {name}");
    subjects
}

fn vectors(number: usize, subject: &dyn Subject) -> Gate<'_> {
    Gate::of(subject).suite(None).baseline(file(&format!("vectors-{number}.toml")))
}

fn check(number: usize, subject: &dyn Subject) -> Gate<'_> {
    Gate::of(subject).baseline(file(&format!("check-{number}.toml")))
}

fn write() -> bool {
    let library = Library::embedded();
    for (number, subject) in subjects() {
        for gate in [vectors(number, subject), check(number, subject)] {
            gate.write(&library).unwrap_or_else(|problem| panic!("{problem}"));
        }
        let hashes: Vec<u8> = answers(subject).into_iter().flat_map(u64::to_le_bytes).collect();
        fs::write(file(&format!("answers-{number}")), hashes).unwrap();
    }
    true
}

fn passes(gate: &Gate<'_>, library: &Library) -> bool {
    let judgement = gate.run(library).unwrap_or_else(|problem| panic!("{problem}"));
    let passes = judgement.conclusion() == Conclusion::Pass;
    if let Some((vector, failure)) = judgement.failures().first() {
        println!("{}: {}: {}", judgement.subject, vector.id, failure.brief);
    }
    passes
}

fn vectors_pass() -> bool {
    let library = Library::embedded();
    subjects().into_iter().all(|(number, subject)| passes(&vectors(number, subject), &library))
}

fn check_passes() -> bool {
    let library = Library::embedded();
    subjects().into_iter().all(|(number, subject)| passes(&check(number, subject), &library))
}

/// A hash of each answer to the inputs.
fn answers(subject: &dyn Subject) -> Vec<u64> {
    inputs().map(|input| hash(subject, &input)).collect()
}

/// A hash of an answer without the words of an error.
fn hash(subject: &dyn Subject, input: &Input) -> u64 {
    let outcome = ask(subject, input);
    let mut hasher = DefaultHasher::new();
    outcome.name().hash(&mut hasher);
    if let Outcome::Accepted { .. } = outcome {
        outcome.to_string().hash(&mut hasher);
    }
    hasher.finish()
}

fn inputs() -> impl Iterator<Item = Input> {
    let lines = BufReader::new(File::open(file("inputs.jsonl")).unwrap()).lines();
    lines.map(
        |line| match Request::from_json(serde_json::from_str(&line.unwrap()).unwrap()).ask {
            Ok(Ask::Input(input)) => input,
            other => panic!("no input: {other:?}"),
        },
    )
}

fn answers_stay() -> bool {
    thread::scope(|scope| {
        let threads =
            subjects().into_iter().map(|(number, subject)| scope.spawn(move || answer_stays(number, subject)));
        let threads: Vec<_> = threads.collect();
        // Each is to say what it has found.
        let stay: Vec<bool> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        stay.into_iter().all(|stays| stays)
    })
}

/// Compares the answers of an entry point, and prints of each kind of change the first.
fn answer_stays(number: usize, subject: &dyn Subject) -> bool {
    let before = fs::read(file(&format!("answers-{number}"))).unwrap();
    let before = before.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap()));
    let mut kinds = BTreeSet::new();
    for (before, input) in before.zip(inputs()) {
        if before == hash(subject, &input) {
            continue;
        }
        let kind = match run::one(subject, &input, Reading::Rfc3986).verdict {
            Verdict::Diverge(_) => "diverges",
            Verdict::Agree { .. } => "conforms",
            Verdict::NotComparable { .. } => "is not compared",
        };
        if kinds.insert(kind) {
            println!(
                "changed, {kind}: {}: {} {input}",
                subject.declaration().label(),
                input.operation()
            );
        }
    }
    kinds.is_empty()
}
