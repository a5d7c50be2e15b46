//! The tests of the whole: the vectors and the reference, the harness on planted bugs, the program as a process.
//!
//! One program, since each costs seconds to link: `cargo test --test it vectors::` runs those of a file.

mod action;
mod adapters;
mod algorithms;
mod benchmarks;
mod choices;
mod clauses;
mod cli;
mod client;
mod code_mutants;
mod commands;
mod complete;
mod explain;
mod export;
mod files;
mod fuzzing;
mod gate;
mod grammar_mutants;
mod growth;
mod guard;
mod learn;
mod ledger;
mod mistakes;
mod mutants;
mod pairs;
mod planted;
mod printing;
mod process;
mod proof;
mod protocol;
mod quotes;
mod reach;
mod repeats;
mod report;
mod reports;
mod screen;
mod severity;
mod signals;
mod suite;
mod targets;
mod variants;
mod vectors;
mod words;
mod workflows;
mod written;
