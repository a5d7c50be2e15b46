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
use uriproof_lab::answers::{AnswerCheck, AnswerSample, ChangedAnswer, StoredAnswers};
use uriproof_lab::targets::TARGETS;
use uriproof_subjects::SUBJECTS;

use self::bugs::{Bug, Buggy, bugs, subject};

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

/// The inputs of the sample that each bug answers differently, by its subject and its name.
static WRONG: LazyLock<BTreeMap<(&str, &str), BTreeSet<Input>>> = LazyLock::new(|| {
    LazyLock::force(&SAMPLE);
    bugs()
        .into_par_iter()
        .map(|bug| ((bug.subject, bug.name), changed_by(bug, SAMPLE.of(bug.operation))))
        .collect()
});

/// The inputs of the sample that a bug answers differently.
fn wrong_answers(bug: &Bug) -> &'static BTreeSet<Input> {
    &WRONG[&(bug.subject, bug.name)]
}

/// Those of some inputs that a bug answers differently, as its subject is given them.
fn changed_by(bug: &'static Bug, inputs: &[Input]) -> BTreeSet<Input> {
    let buggy = Buggy::with(vec![bug]);
    let given = |input: &Input| run::given(buggy.declaration(), input).map(std::borrow::Cow::into_owned);
    let is_changed = |input: &Input| bare(&buggy.answer(input)) != bare(&uriproof::ask::ask(buggy.inner, input));
    inputs.iter().filter_map(given).filter(is_changed).collect()
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

/// The bugs in rounds: in each, a subject has one bug in an operation at most, which a changed answer is due to.
fn rounds() -> Vec<Vec<&'static Bug>> {
    let mut rounds: Vec<Vec<&'static Bug>> = Vec::new();
    for bug in bugs() {
        let place = |bug: &Bug| (bug.subject, bug.operation);
        match rounds.iter_mut().find(|round| round.iter().all(|other| place(other) != place(bug))) {
            Some(round) => round.push(bug),
            None => rounds.push(vec![bug]),
        }
    }
    rounds
}

/// The subjects of these bugs, each with its bugs.
fn with_bugs(bugs: &[&'static Bug]) -> Vec<Buggy> {
    let mut by_subject: BTreeMap<&str, Vec<&'static Bug>> = BTreeMap::new();
    for bug in bugs {
        by_subject.entry(bug.subject).or_default().push(bug);
    }
    by_subject.into_values().map(Buggy::with).collect()
}

/// How many answers a bug changes, and how many of them are noticed.
struct Noticed {
    bug: &'static Bug,
    wrong: usize,
    noticed: usize,
}

impl Noticed {
    fn of(bug: &'static Bug, check: &AnswerCheck) -> Noticed {
        let wrong = wrong_answers(bug);
        let is_its =
            |changed: &&ChangedAnswer| changed.subject == bug.subject && changed.input.operation() == bug.operation;
        let mut noticed = 0;
        for changed in check.changed.iter().filter(is_its) {
            let is_wrong = wrong.contains(&changed.input);
            assert!(is_wrong, "{}: {} is as it was", bug.name, changed.input);
            noticed += 1;
        }
        let wrong = wrong.len();
        Noticed { bug, wrong, noticed }
    }

    fn line(&self) -> String {
        let Noticed { bug, wrong, noticed } = self;
        let Bug {
            name,
            subject,
            operation,
            ..
        } = bug;
        format!("{wrong:6} {noticed:7}  {operation:11} {subject}: {name}")
    }
}

/// In parts, as the fuzz targets compare them when they start: each has operations of its own.
#[test]
fn every_planted_bug_is_noticed() {
    let mut noticed: Vec<Noticed> = Vec::new();
    for round in rounds() {
        let buggy = with_bugs(&round);
        let subjects: Vec<&dyn Subject> = buggy.iter().map(|buggy| buggy as &dyn Subject).collect();
        for target in TARGETS {
            let check = target.check_stored(&stored(), &SAMPLE, &subjects);
            let of_target = |bug: &&&Bug| target.operations().contains(&bug.operation);
            noticed.extend(round.iter().filter(of_target).map(|bug| Noticed::of(bug, &check)));
        }
    }
    assert_eq!(noticed.len(), bugs().len());
    let table: Vec<String> = noticed.iter().map(Noticed::line).collect();
    println!(" wrong noticed\n{}", table.join("\n"));
    let missed: Vec<String> = noticed.iter().filter(|one| one.noticed == 0).map(Noticed::line).collect();
    assert!(
        missed.is_empty(),
        "{} bugs are missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
    // Two answers in some thousands have the same short hash.
    let (wrong, found) = (
        noticed.iter().map(|one| one.wrong).sum::<usize>(),
        noticed.iter().map(|one| one.noticed).sum::<usize>(),
    );
    assert!(found * 1000 >= wrong * 995, "{found} of {wrong}");
    let subjects: BTreeSet<&str> = noticed.iter().map(|one| one.bug.subject).collect();
    let operations: BTreeSet<Operation> = noticed.iter().map(|one| one.bug.operation).collect();
    assert!(noticed.len() >= 30 && subjects.len() >= 10 && operations.len() >= 5);
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
    let buggy = with_bugs(&bugs());
    let subjects: Vec<&dyn Subject> = buggy.iter().map(|buggy| buggy as &dyn Subject).collect();
    StoredAnswers::measure(&SAMPLE, &subjects)
}
