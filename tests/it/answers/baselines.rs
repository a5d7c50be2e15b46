//! A wrong answer that becomes another wrong answer fails, though a baseline has the vector.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rayon::prelude::*;
use tempfile::TempDir;
use uriproof::gate::{Conclusion, Gate, Judgement, Status};
use uriproof::model::Subject;
use uriproof::vectors::Library;
use uriproof_deviations::CATALOGUE;

use super::bare;
use super::bugs::{Buggy, bugs, diverges, subject};

/// The ids of the vectors of which the answers differ, and are wrong in both.
fn changed<'v>(before: &Judgement<'v>, after: &Judgement<'v>) -> BTreeSet<String> {
    let pairs = before.cases.iter().zip(&after.cases);
    let is_changed = pairs.filter(|(one, other)| match (&one.result, &other.result) {
        (Some(one), Some(other)) => diverges(one) && diverges(other) && bare(&one.observed) != bare(&other.observed),
        _ => false,
    });
    is_changed.map(|(one, _)| one.vector.id.clone()).collect()
}

fn failing(judgement: &Judgement<'_>) -> BTreeSet<String> {
    let failing = judgement.cases.iter().filter(|case| matches!(case.status, Status::Fails(_)));
    failing.map(|case| case.vector.id.clone()).collect()
}

/// A subject at the gate, with a baseline in a folder.
fn gate<'s>(subject: &'s dyn Subject, folder: &Path) -> Gate<'s> {
    let label: String = subject.declaration().label().chars().filter(char::is_ascii_alphanumeric).collect();
    Gate::of(subject).suite(None).catalogue(&CATALOGUE).baseline(folder.join(label))
}

#[test]
fn another_wrong_answer_is_no_known_one() {
    let library = Library::embedded();
    let folder = TempDir::new().unwrap();
    let labels: BTreeSet<&str> = bugs().iter().map(|bug| bug.subject).collect();
    let before: BTreeMap<&str, Judgement<'_>> = labels
        .into_par_iter()
        .map(|label| {
            gate(subject(label), folder.path()).write(&library).unwrap();
            let before = gate(subject(label), folder.path()).run(&library).unwrap();
            assert_eq!(before.conclusion(), Conclusion::Pass, "{label}: {:?}", before.problems);
            (label, before)
        })
        .collect();
    let counts: Vec<(usize, &str)> = bugs()
        .into_par_iter()
        .map(|bug| {
            let after = gate(&Buggy::with(vec![bug]), folder.path()).run(&library).unwrap();
            let (changed, failing) = (changed(&before[bug.subject], &after), failing(&after));
            let passing: Vec<&String> = changed.difference(&failing).collect();
            assert!(passing.is_empty(), "{}: {passing:?}", bug.name);
            (changed.len(), bug.name)
        })
        .collect();
    let wrong: usize = counts.iter().map(|(count, _)| count).sum();
    println!(
        "{wrong} wrong answers of {} bugs became other wrong answers, and each fails",
        counts.len()
    );
    assert!(wrong > 500, "{counts:?}");
}
