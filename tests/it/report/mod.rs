//! What one run of all vectors and subjects comes to: REPORT.md, which README quotes, the snapshots of divergences, and a ledger
//! that explains every class.

mod divergences;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use rfc3986_reference::components::parse;
use uriproof::model::{Input, Reading, Vector};
use uriproof::vectors::Library;
use uriproof_cli::report::causes::{add_causes, known, unexplained_in_run};
use uriproof_cli::report::model::Run;
use uriproof_cli::report::{markdown, model};
use uriproof_lab::classes::of_growth;
use uriproof_lab::divergence::fingerprint::Fingerprint;
use uriproof_lab::divergence::ledger::KnownClass;
use uriproof_subjects::SUBJECTS;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::embedded);

/// Every vector put to every subject, made once.
static RUN: LazyLock<Run<'static>> = LazyLock::new(|| {
    let vectors: Vec<&Vector> = LIBRARY.vectors().collect();
    let mut run = model::run(&LIBRARY, SUBJECTS, &vectors, Reading::Rfc3986);
    model::add_core_suites(&mut run, SUBJECTS);
    add_causes(&mut run, SUBJECTS, uriproof_cli::known::ledger());
    run
});

#[test]
fn the_report_is_fresh() {
    let report = markdown::report(&LIBRARY, SUBJECTS, &RUN).unwrap();
    let stale =
        file("REPORT.md").lines().zip(report.lines()).find(|(old, new)| old != new).map(|(old, _)| old.to_owned());
    assert!(
        report == file("REPORT.md"),
        "REPORT.md is stale: `cargo run -- bless`; first line that differs: {stale:?}"
    );
}

#[test]
fn the_readme_quotes_the_report() {
    let (readme, report) = (file("README.md"), file("REPORT.md"));
    let quoted: Vec<&str> = readme.lines().filter(|line| line.starts_with('|')).collect();
    assert!(quoted.len() >= 5, "README.md shows no part of the report");
    for line in quoted {
        assert!(
            report.lines().any(|of_report| of_report == line),
            "not in REPORT.md: {line}"
        );
    }
}

#[test]
fn every_class_that_vectors_and_core_suites_show_is_explained() {
    let unexplained: Vec<String> = unexplained_in_run(&RUN).iter().map(ToString::to_string).collect();
    assert!(
        unexplained.is_empty(),
        "{} classes are not explained; `uriproof ledger --write ledger` makes entries for those of vectors:\n{}",
        unexplained.len(),
        unexplained.join("\n")
    );
}

/// Whoever mends a cause sees a vector pass, without a hunt.
#[test]
fn every_cause_is_shown_by_a_vector_that_can_be() {
    // There is no one right answer, so no vector asks it.
    let is_relative_normalized = |input: &Input| match input {
        Input::Normalize { uri, .. } => parse(uri, Reading::Rfc3986).is_ok_and(|read| read.components.scheme.is_none()),
        _ => false,
    };
    let growths: BTreeSet<Fingerprint> = of_growth(SUBJECTS, &uriproof_cli::measured::growth())
        .into_iter()
        .map(|(_, class)| class.fingerprint)
        .collect();
    let is_growth = |class: &KnownClass| growths.contains(&class.fingerprint);
    let shown: BTreeSet<(&str, &str)> = RUN
        .subjects
        .iter()
        .flat_map(|subject| subject.ways.iter().filter(|shown| shown.vectors > 0).map(move |shown| (subject, shown)))
        .filter_map(|(subject, shown)| {
            let file = RUN.ledger.file_of(subject.declaration)?;
            Some((&*file.file, &*known(&RUN, subject, shown)?.id))
        })
        .collect();
    let missing: Vec<String> = RUN
        .ledger
        .files
        .iter()
        .flat_map(|file| file.entries.iter().map(move |entry| (file, entry)))
        .filter(|(file, entry)| !shown.contains(&(&*file.file, &*entry.id)))
        .filter(|(_, entry)| {
            let is_of_another_kind = |class: &KnownClass| is_relative_normalized(&class.input) || is_growth(class);
            !entry.deviations.iter().all(|known| is_relative_normalized(&known.witness))
                || !entry.classes.iter().all(is_of_another_kind)
        })
        .map(|(file, entry)| format!("ledger/{} entry `{}`", file.file, entry.id))
        .collect();
    assert!(
        missing.is_empty(),
        "{} causes are shown by no vector; put one into vectors/found/:\n{}",
        missing.len(),
        missing.join("\n")
    );
}

#[test]
fn every_answer_counts_once() {
    for subject in &RUN.subjects {
        let counts = subject.counts();
        assert_eq!(counts.total(), LIBRARY.vectors().count(), "{}", subject.declaration);
        let reasons: usize = subject.reasons().iter().map(|(_, count)| count).sum();
        assert_eq!(reasons, counts.not_compared(), "{}", subject.declaration);
        let explained = subject.answers.iter().filter(|answer| !answer.ways.is_empty()).count();
        assert_eq!(
            explained + subject.unexplained.len(),
            counts.unexpected(),
            "{}",
            subject.declaration
        );
        let vectors: usize = subject.ways.iter().map(|shown| shown.vectors).sum();
        let of_answers: usize = subject.answers.iter().map(|answer| answer.ways.len()).sum();
        assert_eq!(vectors, of_answers, "{}", subject.declaration);
    }
}

#[test]
fn every_link_of_the_picture_leads_to_a_section() {
    let report = file("REPORT.md");
    let anchors: Vec<String> = report
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .map(|heading| {
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().to_lowercase().replace(' ', "-")
        })
        .collect();
    let links: Vec<&str> =
        report.split("](REPORT.md#").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link).collect();
    assert!(!links.is_empty());
    for link in links {
        assert!(anchors.iter().any(|anchor| anchor == link), "#{link} leads nowhere");
    }
}
