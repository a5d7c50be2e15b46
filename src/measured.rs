//! What commands have measured, in minutes or hours, and REPORT.md shows: the files of `measured/`, embedded.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uriproof::algorithms::{self, Size};
use uriproof::model::Operation;
use uriproof::vectors::Library;
use uriproof_grammar::Fnv;
use uriproof_lab::answers::StoredAnswers;
use uriproof_lab::growth::Growth;
use uriproof_lab::learn::Lesson;
use uriproof_lab::mutants::algorithms::Killed;
use uriproof_lab::mutants::code::MeasuredMutants;
use uriproof_lab::mutants::crates::CrateMutants;
use uriproof_lab::mutants::grammar::KillRates;

fn read<T: DeserializeOwned>(name: &str, text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("measured/{name}: {error}"))
}

/// What was learned of every subject: `uriproof learn --write measured/learned.json`.
///
/// # Panics
///
/// Never, as the other functions here: tests read the files.
pub fn learned() -> Vec<Lesson> {
    read("learned.json", include_str!("../measured/learned.json"))
}

/// Whose time or stack grows faster than the input: `uriproof growth --write measured/growth.json`.
pub fn growth() -> Vec<Growth> {
    read("growth.json", include_str!("../measured/growth.json"))
}

/// How many mutants of the grammar the suites kill: `uriproof mutants --of grammar --write`.
pub fn grammar_mutants() -> KillRates {
    let stored: KillRates = read("grammar-mutants.json", include_str!("../measured/grammar-mutants.json"));
    stored.with_sizes(&Library::embedded())
}

/// How many mutants of the algorithms the vectors kill: `uriproof mutants --of algorithms --write`.
pub fn algorithm_mutants() -> Killed {
    read(
        "measured/algorithm-mutants.json",
        include_str!("../measured/algorithm-mutants.json"),
    )
}

/// How many mutants of the reference's code the vectors and its tests kill: `uriproof mutants --of code --write`.
pub fn code_mutants() -> MeasuredMutants {
    read("code-mutants.json", include_str!("../measured/code-mutants.json"))
}

/// How many mutants of other people's crates the gate kills: `uriproof mutants --of crates --write`.
pub fn crate_mutants() -> CrateMutants {
    read("crate-mutants.json", include_str!("../measured/crate-mutants.json"))
}

/// The stored answers of the built-in subjects: `uriproof answers --write measured/answers.json`.
pub fn answers() -> StoredAnswers {
    read("answers.json", include_str!("../measured/answers.json"))
}

/// What the core suites of the algorithms make of each subject: see [`SUITES`] for the command that stores it.
pub fn suites() -> MeasuredSuites {
    read("suites.json", include_str!("../measured/suites.json"))
}

/// The operations of [`suites`]. Those of the grammar are not among them: REPORT.md has the core suite of `parse` anew each time.
pub const SUITES: [Operation; 7] = [
    Operation::Resolve,
    Operation::Normalize,
    Operation::Equivalent,
    Operation::Compose,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Relativize,
];

/// What suites make of subjects, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredSuites {
    /// The version of this format: 1.
    pub uriproof: u64,
    /// A hash of the inputs.
    pub inputs: String,
    /// The counts by the subject's label and the operation.
    pub subjects: BTreeMap<String, BTreeMap<Operation, SuiteCounts>>,
}

/// How the answers to a suite count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCounts {
    /// Answers that agree.
    pub agree: u64,
    /// Answers that diverge.
    pub diverge: u64,
    /// Answers that were not compared, and inputs that were left out.
    pub not_compared: u64,
    /// How many groups of divergences there are.
    pub groups: usize,
}

impl MeasuredSuites {
    /// A hash of the inputs of the suites of these operations.
    pub fn hash_of_inputs(operations: &[Operation], size: Size) -> String {
        let inputs = operations.iter().flat_map(|&operation| algorithms::inputs(operation, size));
        let octets = inputs.flat_map(|input| format!("{} {input}\n", input.operation()).into_bytes());
        format!("{:016x}", Fnv::of(octets))
    }
}
