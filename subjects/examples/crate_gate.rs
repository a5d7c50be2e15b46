//! The gate for every entry point of one crate, for `uriproof mutants --of crates`, which builds this program with each mutant of
//! the crate. The environment says what to do: `URIPROOF_CRATE` is the crate, `URIPROOF_FOLDER` has its baselines, the
//! inputs and hashes of the answers, and `URIPROOF_STEP` is a step below.

use std::collections::BTreeMap;
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
    }
    let hashes: Vec<u8> = answers(&subjects()).into_iter().flat_map(u64::to_le_bytes).collect();
    fs::write(file("hashes"), hashes).unwrap();
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

/// The entry points of the crate.
type Subjects = [(usize, &'static dyn Subject)];

/// Calls `of_line` with the number of each line and its input, on all cores: each thread has a state of its own.
fn on_all_cores<T: Default + Send>(of_line: impl Fn(&mut T, usize, &Input) + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let of_thread = |own: usize| {
        let mut state = T::default();
        let lines = BufReader::new(File::open(file("inputs.jsonl")).unwrap()).lines().enumerate();
        for (at, line) in lines.filter(|(at, _)| at % threads == own) {
            match Request::from_json(serde_json::from_str(&line.unwrap()).unwrap()).ask {
                Ok(Ask::Input(input)) => of_line(&mut state, at, &input),
                other => panic!("no input: {other:?}"),
            }
        }
        state
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|own| scope.spawn(move || of_thread(own))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A hash of each answer to the inputs, for each line those of all subjects.
fn answers(subjects: &Subjects) -> Vec<u64> {
    let add = |hashes: &mut Vec<(usize, u64)>, at: usize, input: &Input| {
        hashes.extend(subjects.iter().map(|(_, subject)| (at, hash(*subject, input))));
    };
    let mut hashes = on_all_cores(add).concat();
    hashes.sort_by_key(|(at, _)| *at);
    hashes.into_iter().map(|(_, hash)| hash).collect()
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

/// Compares the answers, and prints of each kind of change the first.
fn answers_stay() -> bool {
    let subjects = subjects();
    let before = fs::read(file("hashes")).unwrap();
    let is_same = |at: usize, number: usize, hash: u64| {
        let place = 8 * (at * subjects.len() + number);
        before.get(place..place + 8) == Some(&hash.to_le_bytes())
    };
    let compare = |kinds: &mut BTreeMap<&str, (usize, String)>, at: usize, input: &Input| {
        for &(number, subject) in &subjects {
            if is_same(at, number, hash(subject, input)) {
                continue;
            }
            let kind = match run::one(subject, input, Reading::Rfc3986).verdict {
                Verdict::Diverge(_) => "diverges",
                Verdict::Agree { .. } => "conforms",
                Verdict::NotComparable { .. } => "is not compared",
            };
            let line = || format!("{}: {} {input}", subject.declaration().label(), input.operation());
            kinds.entry(kind).or_insert_with(|| (at, line()));
        }
    };
    let mut first: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for (kind, change) in on_all_cores(compare).into_iter().flatten() {
        let known = first.entry(kind).or_insert_with(|| change.clone());
        *known = change.min(known.clone());
    }
    first.iter().for_each(|(kind, (_, line))| println!("changed, {kind}: {line}"));
    first.is_empty()
}
