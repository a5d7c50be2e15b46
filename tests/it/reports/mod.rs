//! Public reports of bugs in URI libraries, as a test of the gate: a library that has one of these bugs, and nothing else that
//! is wrong, fails `uriproof check`.
//!
//! `reports.json` has a case for each report:
//!
//! - `sources`: where the report is to be read; `link` only where it has a public page.
//! - `input`: the operation and its arguments; `right`: the outcomes that conform. Both have the form that vectors have.
//! - `clause`: the clause that decides it.
//! - `bugs`: libraries with the bug, by its name in `bugs/`. `wrong` is the library's answer to the input, and `vector` is one that
//!   the library fails and that cites the clause. A bug is a kind of behaviour, and depends on no input of a report. If a case has
//!   several, the first is the reported one. The others are variants, which may have their own `input`, `right` and `clause`.
//! - `reason`: why a case has no bug and no vector.
//!
//! `cargo test --test it reports:: -- --nocapture` prints a table: the case, how many vectors fail, the vector that is named, the bug.

mod bugs;

use std::collections::BTreeSet;

use crate::mutants::{Planted, reference};
use bugs::Bug;
use rayon::prelude::*;
use serde::Deserialize;
use uriproof::algorithms::{Size, inputs as inputs_of_suite};
use uriproof::ask::ask;
use uriproof::compare::{DifferenceKind, Verdict, compare};
use uriproof::expect::from_vector;
use uriproof::gate::{self, Gate, Judgement};
use uriproof::model::{Expectation, Input, Outcome, Subject};
use uriproof::run;
use uriproof::vectors::Library;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    name: String,
    sources: Vec<Source>,
    #[serde(default)]
    input: Option<Input>,
    #[serde(default)]
    right: Option<Expectation>,
    #[serde(default)]
    clause: Option<String>,
    #[serde(default)]
    bugs: Vec<Wrong>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    name: String,
    #[serde(default)]
    link: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrong {
    bug: String,
    #[serde(default)]
    input: Option<Input>,
    #[serde(default)]
    right: Option<Expectation>,
    #[serde(default)]
    clause: Option<String>,
    wrong: Outcome,
    vector: String,
}

impl Wrong {
    fn bug(&self) -> &'static Bug {
        bugs::all().find(|bug| bug.name == self.bug).unwrap_or_else(|| panic!("no bug: {}", self.bug))
    }

    fn library(&self) -> Planted {
        let bug = self.bug();
        Planted::with(Some((bug.operation, bug.twist)))
    }
}

/// How many failing vectors a message names.
const SHOWN: usize = 12;

fn reports() -> Vec<Report> {
    serde_json::from_str(include_str!("reports.json")).expect("reports.json has this form")
}

/// What `uriproof check --suite none` makes of a library: all vectors, and no baseline.
fn checked<'v>(library: &dyn Subject, vectors: &'v Library) -> Judgement<'v> {
    Gate::of(library).suite(None).run(vectors).expect("there is no baseline to be read")
}

/// An outcome without the words of a rejection or a crash.
fn plain(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Rejected { .. } => Outcome::Rejected {
            reason: None,
            offset: None,
        },
        Outcome::Crashed { .. } => Outcome::Crashed { reason: String::new() },
        other => other.clone(),
    }
}

fn conforms(input: &Input, right: &Expectation, outcome: &Outcome) -> bool {
    let declaration = Planted::with(None);
    let verdict = compare(declaration.declaration(), input, &from_vector(input, right), outcome);
    matches!(verdict, Verdict::Agree { .. })
}

#[test]
fn every_report_has_a_library_that_fails_or_a_reason() {
    let (reports, library) = (reports(), Library::embedded());
    assert_eq!(reports.len(), 43);
    let names: BTreeSet<&str> = reports.iter().map(|report| &*report.name).collect();
    assert_eq!(names.len(), reports.len(), "two reports have one name");
    for report in &reports {
        let name = &report.name;
        assert!(!report.sources.is_empty(), "{name} has no source");
        for source in &report.sources {
            let is_link = source.link.as_ref().is_none_or(|link| link.starts_with("https://"));
            assert!(is_link && !source.name.is_empty(), "{name}: {}", source.name);
        }
        assert!(report.note.as_ref().is_none_or(|note| !note.is_empty()), "{name}");
        match &report.reason {
            None => {
                assert!(report.input.is_some() && report.right.is_some(), "{name} asks nothing");
                assert!(!report.bugs.is_empty(), "{name} has neither a bug nor a reason");
            }
            Some(reason) => {
                assert!(!reason.is_empty(), "{name}: the reason is empty");
                assert!(report.bugs.is_empty(), "{name} has a bug and a reason");
            }
        }
        for id in report.bugs.iter().filter_map(|wrong| wrong.clause.as_ref()).chain(&report.clause) {
            assert!(library.clause(id).is_some(), "{name}: no clause {id}");
        }
    }
    let named: Vec<&str> = reports.iter().flat_map(|report| &report.bugs).map(|wrong| &*wrong.bug).collect();
    let known: Vec<&str> = bugs::all().map(|bug| bug.name).collect();
    assert_eq!(
        named, known,
        "the bugs of the reports, and those of bugs/, in their order"
    );
}

#[test]
fn the_reference_has_the_right_answer_and_a_library_with_the_bug_the_wrong_one() {
    for report in reports() {
        let (Some(input), Some(right)) = (&report.input, &report.right) else {
            continue;
        };
        let of_reference = reference(input);
        assert!(
            conforms(input, right, &of_reference),
            "{}: {input}: {of_reference}",
            report.name
        );
        for wrong in &report.bugs {
            let (input, right) = (
                wrong.input.as_ref().unwrap_or(input),
                wrong.right.as_ref().unwrap_or(right),
            );
            assert!(
                conforms(input, right, &reference(input)),
                "{}: {}: {input}",
                report.name,
                wrong.bug
            );
            let outcome = ask(&wrong.library(), input);
            assert_eq!(plain(&outcome), plain(&wrong.wrong), "{}: {}", report.name, wrong.bug);
            assert!(
                !conforms(input, right, &outcome),
                "{}: {} conforms",
                report.name,
                wrong.bug
            );
        }
    }
}

#[test]
fn the_reference_passes_and_each_library_with_a_bug_fails_by_the_clause_that_decides() {
    let (reports, library) = (reports(), Library::embedded());
    assert_eq!(
        checked(&Planted::with(None), &library).conclusion(),
        gate::Conclusion::Pass
    );
    let libraries: Vec<(&Report, &Wrong)> =
        reports.iter().flat_map(|report| report.bugs.iter().map(move |wrong| (report, wrong))).collect();
    let judged: Vec<(&Report, &Wrong, Judgement<'_>)> = libraries
        .into_par_iter()
        .map(|(report, wrong)| (report, wrong, checked(&wrong.library(), &library)))
        .collect();
    let mut problems = Vec::new();
    for (report, wrong, judgement) in &judged {
        let failing = judgement.failures();
        let mut fails = |what: String| problems.push(format!("{}: {}: {what}", report.name, wrong.bug));
        if judgement.conclusion() != gate::Conclusion::Fail {
            fails(format!("the gate says {}", judgement.conclusion().name()));
        }
        let clause = wrong.clause.as_ref().or(report.clause.as_ref()).expect("a case with a bug has a clause");
        if !failing.iter().any(|(vector, _)| vector.id == wrong.vector && vector.clauses.contains(clause)) {
            let others: Vec<String> =
                failing.iter().take(SHOWN).map(|(vector, _)| format!("{} {:?}", vector.id, vector.clauses)).collect();
            fails(format!(
                "{} does not fail, or does not cite {clause}; {others:?} do",
                wrong.vector
            ));
        }
        // One fault shows in one operation, and a crash is no other answer.
        let operation = wrong.bug().operation;
        let crashes = matches!(wrong.wrong, Outcome::Crashed { .. });
        for (vector, failure) in failing {
            if vector.input.operation() != operation || (failure.kind == DifferenceKind::Crashed) != crashes {
                fails(format!("{} fails otherwise: {}", vector.id, failure.got));
            }
        }
    }
    println!("{:40} {:>4}  vector: bug, or the reason for neither", "case", "fail");
    for report in &reports {
        for (_, wrong, judgement) in judged.iter().filter(|(other, ..)| other.name == report.name) {
            let count = judgement.tally().fail;
            println!("{:40} {count:>4}  {}: {}", report.name, wrong.vector, wrong.bug);
        }
        if let Some(reason) = &report.reason {
            println!("{:40} {:>4}  {reason}", report.name, "-");
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

/// The vectors were written with these reports in hand, the suites were not: they are held to the same.
#[test]
fn the_core_suites_alone_show_every_bug() {
    let reports = reports();
    let wrongs: Vec<(&Report, &Wrong)> =
        reports.iter().flat_map(|report| report.bugs.iter().map(move |wrong| (report, wrong))).collect();
    let missed: Vec<String> = wrongs
        .par_iter()
        .filter(|(_, wrong)| {
            let library = wrong.library();
            let inputs = inputs_of_suite(wrong.bug().operation, Size::Core);
            !inputs.iter().any(|input| {
                run::unless_agreeing(&library, input)
                    .is_some_and(|result| matches!(result.verdict, Verdict::Diverge(_)))
            })
        })
        .map(|(report, wrong)| format!("{}: {}", report.name, wrong.bug))
        .collect();
    assert!(
        missed.is_empty(),
        "{} of {} bugs are not shown:\n{}",
        missed.len(),
        wrongs.len(),
        missed.join("\n")
    );
}
