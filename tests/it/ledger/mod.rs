//! The statements of the ledger are true. The tests of the report show that none is missing.

mod code;
mod entries;
mod witnesses;

use std::path::{Path, PathBuf};

use uriproof::model::Subject;
use uriproof_lab::divergence::ledger::{ExplainedClass, Ledger};
use uriproof_subjects::SUBJECTS;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger")
}

/// Where a class stands, for messages.
fn place(known: &ExplainedClass<'_>) -> String {
    format!(
        "ledger/{} entry `{}`: {}",
        known.file.file, known.entry.id, known.class.fingerprint
    )
}

/// The subjects that show a class, each with the class as the ledger has it.
fn shown(ledger: &Ledger) -> Vec<(ExplainedClass<'_>, &'static dyn Subject)> {
    ledger
        .classes()
        .flat_map(|known| {
            known.class.entry_points.iter().filter_map(move |entry_point| {
                let label = format!("{} {} {entry_point}", known.file.name, known.file.version);
                // Those of nobody are stale, which another test says.
                let subject = SUBJECTS.iter().find(|subject| subject.declaration().label() == label)?;
                Some((known, *subject))
            })
        })
        .collect()
}

fn assert_none(problems: &[String], what: &str) {
    assert!(
        problems.is_empty(),
        "{} {what}:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

fn subject(name: &str) -> &'static dyn Subject {
    *SUBJECTS.iter().find(|subject| subject.declaration().name == name).unwrap()
}
