//! The stored answers are fresh, and a changed one is noticed, though its subject diverged on the input before.

mod baselines;
mod bugs;
mod commands;
mod profiles;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rayon::prelude::*;
use uriproof::model::{Declaration, Input, Operation, Outcome, Rule, Subject};
use uriproof::run;
use uriproof_cli::measured::subjects::MeasuredCrates;
use uriproof_lab::answers::{AnswerCheck, AnswerSample, StoredAnswers};
use uriproof_subjects::SUBJECTS;

use self::bugs::{BUGS, Bug, Buggy, diverges, subject};

static SAMPLE: LazyLock<AnswerSample> = LazyLock::new(AnswerSample::default);

fn stored() -> StoredAnswers {
    MeasuredCrates::embedded().answers()
}

/// An outcome without words, which are never compared.
fn bare(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Rejected { .. } => Outcome::rejected(""),
        other => other.clone(),
    }
}

/// The inputs of the sample that a bug answers differently.
fn wrong_answers(bug: &'static Bug) -> BTreeSet<Input> {
    let buggy = Buggy::with(vec![bug]);
    let given = |input: &Input| run::given(buggy.declaration(), input).map(std::borrow::Cow::into_owned);
    let inputs: Vec<Input> = SAMPLE.of(bug.operation).iter().filter_map(given).collect();
    let is_wrong = |input: &Input| bare(&buggy.answer(input)) != bare(&uriproof::ask::ask(buggy.inner, input));
    inputs.into_par_iter().filter(is_wrong).collect()
}

#[test]
fn what_is_stored_is_fresh() {
    let how = "measured/subjects is stale: `cargo run -- bless --step answers` makes it";
    let measured = StoredAnswers::measure(&SAMPLE, SUBJECTS);
    if measured == stored() {
        return;
    }
    let check = stored().check(&SAMPLE, SUBJECTS);
    let changed: Vec<String> = check
        .changed
        .iter()
        .take(20)
        .map(|one| {
            format!(
                "{} {}\n  by   {}\n  old  {}\n  new  {}",
                one.input.operation(),
                one.input,
                one.subject,
                one.old,
                one.new
            )
        })
        .collect();
    panic!(
        "{how}; {} answers changed, {:?}, {:?}, not stored: {:?}\n{}",
        check.changed.len(),
        check.stale,
        check.problems,
        check.not_stored,
        changed.join("\n")
    );
}

#[test]
fn the_sample_has_some_20000_inputs_of_all_operations() {
    assert!((20_000..22_000).contains(&SAMPLE.len()), "{}", SAMPLE.len());
    assert!(Operation::ALL.iter().all(|operation| SAMPLE.of(*operation).len() >= 500));
}

/// The answers that are stored of an entry point are some kilobytes.
#[test]
fn the_stored_answers_are_small() {
    let stored = stored().0;
    for (label, answers) in &stored {
        let size = serde_json::to_string_pretty(answers).unwrap().len();
        assert!(size < 40_000, "{label}: {size} octets of stored answers");
    }
    let size = serde_json::to_string_pretty(&stored).unwrap().len();
    let mean = size / stored.len();
    assert!(mean < 10_500, "{mean} octets of stored answers for an entry point");
}

/// The answers that a bug changes, and how many of them are noticed.
struct Noticed {
    bug: &'static Bug,
    wrong: usize,
    check: AnswerCheck,
}

impl Noticed {
    fn of(bug: &'static Bug) -> Noticed {
        let wrong = wrong_answers(bug);
        let check = stored().check(&SAMPLE, &[&Buggy::with(vec![bug])]);
        for changed in &check.changed {
            assert!(
                wrong.contains(&changed.input),
                "{}: {} is as it was",
                bug.name,
                changed.input
            );
        }
        let wrong = wrong.len();
        Noticed { bug, wrong, check }
    }

    fn line(&self) -> String {
        let Bug {
            name,
            subject,
            operation,
            ..
        } = self.bug;
        let noticed = self.check.changed.len();
        format!("{:6} {noticed:7}  {operation:11} {subject}: {name}", self.wrong)
    }
}

#[test]
fn every_planted_bug_is_noticed() {
    let noticed: Vec<Noticed> = BUGS.par_iter().map(Noticed::of).collect();
    let table: Vec<String> = noticed.iter().map(Noticed::line).collect();
    println!(" wrong noticed\n{}", table.join("\n"));
    let missed: Vec<String> = noticed
        .iter()
        .filter(|one| one.wrong == 0 || one.check.changed.is_empty() || one.check.is_clean())
        .map(Noticed::line)
        .collect();
    assert!(
        missed.is_empty(),
        "{} bugs are missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
    // Two answers in some thousands have the same short hash.
    let (wrong, found) = (
        noticed.iter().map(|one| one.wrong).sum::<usize>(),
        noticed.iter().map(|one| one.check.changed.len()).sum::<usize>(),
    );
    assert!(found * 1000 >= wrong * 995, "{found} of {wrong}");
    let subjects: BTreeSet<&str> = BUGS.iter().map(|bug| bug.subject).collect();
    let operations: BTreeSet<Operation> = BUGS.iter().map(|bug| bug.operation).collect();
    assert!(BUGS.len() >= 30 && subjects.len() >= 10 && operations.len() >= 5);
}

#[test]
fn a_subject_without_a_bug_changes_nothing() {
    let http = subject("http 1.5.0 Uri::from_str");
    let check = stored().check(&SAMPLE, &[http, &Unknown]);
    assert!(check.is_clean(), "{check:?}");
    assert_eq!(
        (check.subjects, check.not_stored),
        (1, vec!["unknown 1 parse".to_owned()])
    );
}

/// A subject whose label is not stored.
struct Unknown;

impl Subject for Unknown {
    fn declaration(&self) -> &Declaration {
        static UNKNOWN: LazyLock<Declaration> =
            LazyLock::new(|| Declaration::new("unknown", "1", "parse", &[Operation::Parse]));
        &UNKNOWN
    }

    fn parse(&self, _: Rule, _: &str) -> Outcome {
        panic!("it is not run")
    }
}

/// The answers that would be stored if the subjects had had the bugs before.
fn answers_with_bugs() -> StoredAnswers {
    let mut by_subject: BTreeMap<&str, Vec<&'static Bug>> = BTreeMap::new();
    for bug in BUGS {
        by_subject.entry(bug.subject).or_default().push(bug);
    }
    let buggy: Vec<Buggy> = by_subject.into_values().map(Buggy::with).collect();
    let subjects: Vec<&dyn Subject> = buggy.iter().map(|buggy| buggy as &dyn Subject).collect();
    StoredAnswers::measure(&SAMPLE, &subjects)
}
