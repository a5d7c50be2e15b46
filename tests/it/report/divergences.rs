//! The divergences of every subject on every vector file, with their deviations and classes and the ledger's entries, as snapshots: one
//! that appears or disappears fails.
//!
//! `cargo run -- bless --step snapshots` writes them anew; read what has changed before you commit it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use uriproof::model::{Reading, Vector};
use uriproof::vectors::LoadedFile;
use uriproof_cli::report::causes::known;
use uriproof_cli::report::model::{AnsweredVector, Run, SubjectRun, run};

use crate::report::{LIBRARY, RUN};

/// The folder of the snapshots.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("snapshots")
}

/// The divergences of a subject on a vector file; empty if there are none.
fn divergences(run: &Run<'_>, subject: &SubjectRun<'_>, file: &LoadedFile) -> String {
    let mut text = String::new();
    for vector in &file.content.vectors {
        let Some(answer) = subject.answer(&vector.id).filter(|answer| answer.diverges()) else {
            continue;
        };
        writeln!(text, "{}", divergence(answer)).unwrap();
        for shown in subject.ways_of(answer) {
            let mut entries: Vec<&str> = known(run, subject, shown).into_iter().map(|entry| &*entry.id).collect();
            if entries.is_empty() {
                entries.push("not in the ledger");
            }
            let entry = entries.join(" or ");
            let head = if shown.class().is_some() { "class" } else { "by" };
            writeln!(text, "  {head:8} {} ({entry})", shown.name).unwrap();
        }
    }
    text
}

/// The divergences of all entry points of a crate, in the order of the vector files. A heading names file and entry point, without the
/// version, so that a bump changes no more than what differs.
fn of_crate(name: &str) -> String {
    let mut text = String::new();
    for file in &LIBRARY.files {
        for subject in RUN.subjects.iter().filter(|subject| subject.declaration.name == name) {
            let divergences = divergences(&RUN, subject, file);
            if !divergences.is_empty() {
                writeln!(
                    text,
                    "== {} {}\n{divergences}",
                    file.path, subject.declaration.entry_point
                )
                .unwrap();
            }
        }
    }
    text
}

fn divergence(answer: &AnsweredVector<'_>) -> String {
    format!(
        "{}\n  {} {}\n  expected {}\n  got      {}",
        answer.vector.id,
        answer.vector.input.operation(),
        answer.vector.input,
        answer.result.expected_text(),
        answer.result.observed_text()
    )
}

#[test]
fn every_divergence_is_recorded_and_every_record_is_met() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(folder());
    let _guard = settings.bind_to_scope();

    let mut expected = BTreeSet::new();
    let mut changed = Vec::new();
    let names: BTreeSet<&str> = RUN.subjects.iter().map(|subject| &*subject.declaration.name).collect();
    for name in names {
        let text = of_crate(name);
        if !text.is_empty() {
            // Every change is to be seen, not only the first.
            if catch_unwind(|| insta::assert_snapshot!(name, text)).is_err() {
                changed.push(name);
            }
            expected.insert(format!("{name}.snap"));
        }
    }

    assert!(
        changed.is_empty(),
        "divergences are new, changed or gone; `cargo run -- bless` records them: {changed:#?}"
    );

    let recorded: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".snap"))
        .collect();
    let stale: Vec<&String> = recorded.difference(&expected).collect();
    assert!(
        stale.is_empty(),
        "these crates diverge no more; delete their snapshots: {stale:#?}"
    );
}

#[test]
fn the_reference_diverges_nowhere() {
    let vectors: Vec<&Vector> = LIBRARY.vectors().collect();
    let run = run(
        &LIBRARY,
        &[&uriproof_subjects::reference::Reference],
        &vectors,
        Reading::Rfc3986,
    );
    let counts = run.subjects[0].counts();
    assert_eq!((counts.agree, counts.total()), (vectors.len(), vectors.len()));
}
