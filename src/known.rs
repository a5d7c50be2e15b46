//! The ledger that the program carries.

use std::path::Path;

use uriproof_lab::divergence::ledger::Ledger;

/// Every file of `ledger/`: its name and its text.
const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/ledger.rs"));

/// What is known of the built-in subjects.
///
/// # Panics
///
/// If a file cannot be read, which a test excludes.
pub fn ledger() -> Ledger {
    let files = EMBEDDED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    Ledger::read(Path::new("ledger"), files).expect("the embedded ledger is readable")
}
