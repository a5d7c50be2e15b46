//! What commands have measured, in minutes or hours, and REPORT.md shows: the files of `measured/`, embedded.

pub mod subjects;

use serde::de::DeserializeOwned;
use uriproof::vectors::Library;
use uriproof_lab::growth::Growth;
use uriproof_lab::mutants::algorithms::Killed;
use uriproof_lab::mutants::code::MeasuredMutants;
use uriproof_lab::mutants::crates::CrateMutants;
use uriproof_lab::mutants::grammar::KillRates;

fn read<T: DeserializeOwned>(name: &str, text: &str) -> T {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("measured/{name}: {error}"))
}

/// The date of the last change of the vectors, of the crates' versions or of what is measured of them, and a hash of these, by which a test
/// notices a change: `uriproof bless --step date`.
///
/// # Panics
///
/// Never, as the other functions here.
pub fn date() -> (&'static str, &'static str) {
    let text = include_str!("../measured/date.txt");
    text.trim_end().split_once(' ').expect("measured/date.txt has a date and a hash")
}

/// Whose time or stack grows faster than the input: `uriproof growth --write measured/growth.json`.
///
/// # Panics
///
/// Never, as the other functions here: tests read the files.
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
