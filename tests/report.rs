//! REPORT.md is what the code makes of the vectors and the subjects, and README quotes it rightly.

use std::fs;
use std::path::Path;

use uriproof::model::{Reading, Vector};
use uriproof::report::{markdown, model};
use uriproof::search::vectors::Library;
use uriproof::subjects::SUBJECTS;

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn the_report_is_fresh() {
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let mut run = model::run(&library, SUBJECTS, &vectors, Reading::Rfc3986);
    model::add_core_suites(&mut run, SUBJECTS);
    let report = markdown::report(&library, SUBJECTS, &run).unwrap();
    let stale =
        file("REPORT.md").lines().zip(report.lines()).find(|(old, new)| old != new).map(|(old, _)| old.to_owned());
    assert!(
        report == file("REPORT.md"),
        "REPORT.md is stale, `cargo run --release -- report` makes it anew; first line that differs: {stale:?}"
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
fn every_answer_counts_once() {
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let run = model::run(&library, SUBJECTS, &vectors, Reading::Rfc3986);
    for subject in &run.subjects {
        let counts = subject.counts();
        assert_eq!(counts.total(), vectors.len(), "{}", subject.declaration);
        let reasons: usize = subject.reasons().iter().map(|(_, count)| count).sum();
        assert_eq!(reasons, counts.not_compared(), "{}", subject.declaration);
        let grouped: usize = subject.groups().iter().map(|group| group.answers.len()).sum();
        assert_eq!(grouped, counts.unexpected(), "{}", subject.declaration);
    }
}
