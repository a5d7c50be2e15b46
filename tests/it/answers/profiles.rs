//! The planted bugs are news by the profiles alone, without the stored answers: in a hunt, in the fuzz targets, in a report.

use std::collections::BTreeSet;

use uriproof::model::{Input, Operation, Outcome, Reading, Reported, Rule, Subject, Vector};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_cli::report::causes::add_causes;
use uriproof_cli::report::model;
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::{BATCH, Batch, Hunt};
use uriproof_lab::machines::Machines;
use uriproof_lab::predict::{Prediction, Predictor, Predictors};
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};
use uriproof_lab::targets::{Mode, Watch};

use super::bugs::{BUGS, Bug, URIS};
use super::{Buggy, diverges, subject, wrong_answers};
use crate::mutants::with_components;

/// The most batches of a hunt.
const BATCHES: u64 = 40;

/// The bugs in operations in which the profile of their subject is whole, with their wrong answers. An answer that conforms is not wrong,
/// though the subject gave another before.
fn reached(ledger: &Ledger) -> Vec<(&'static Bug, Vec<run::Result>)> {
    let is_reached = |bug: &&Bug| {
        let file = ledger.file_of(subject(bug.subject).declaration());
        file.is_some_and(|file| file.predicted.contains(&bug.operation))
    };
    let with_answers = BUGS.iter().filter(is_reached).map(|bug| (bug, divergent(bug, wrong_answers(bug))));
    with_answers.filter(|(_, wrong)| !wrong.is_empty()).collect()
}

/// The wrong answers of a bug that diverge, by the input.
fn divergent(bug: &'static Bug, inputs: impl IntoIterator<Item = Input>) -> Vec<run::Result> {
    let buggy = Buggy::with(vec![bug]);
    let results = inputs.into_iter().map(|input| run::one(&buggy, &input, Reading::Rfc3986));
    results.filter(diverges).collect()
}

#[test]
fn every_wrong_answer_is_news_by_a_profile_that_is_whole() {
    let ledger = uriproof_cli::known::ledger();
    let reached = reached(&ledger);
    for (bug, wrong) in &reached {
        let buggy = Buggy::with(vec![bug]);
        let declaration = buggy.declaration();
        let predictor = Predictor::of(&ledger, declaration).unwrap();
        let subjects: [&dyn Subject; 1] = [&buggy];
        for result in wrong {
            assert!(
                matches!(predictor.of_divergence(declaration, result), Prediction::Other(_)),
                "{}: {}",
                bug.name,
                result.input
            );
        }
        let mut watch = Watch::new(&subjects, ledger.clone(), Mode::Abort);
        watch.ask(b"file", &wrong[0].input);
        let news = watch.news();
        assert!(
            news.len() == 1 && news[0].predicted.is_some() && news[0].to_string().contains("\nnearest   "),
            "{}: {} in a fuzz target",
            bug.name,
            news.len()
        );
    }
    println!("{} of {} bugs are in a profile's reach", reached.len(), BUGS.len());
    let subjects: BTreeSet<&str> = reached.iter().map(|(bug, _)| bug.subject).collect();
    assert!(reached.len() >= 10 && subjects.len() >= 6, "{subjects:?}");
}

#[test]
fn a_hunt_finds_each_planted_bug_by_the_profile() {
    let ledger = uriproof_cli::known::ledger();
    for (bug, _) in reached(&ledger) {
        let buggy = Buggy::with(vec![bug]);
        let subjects: [&dyn Subject; 1] = [&buggy];
        let predictors = Predictors::of(&subjects, &ledger);
        let hunt = Hunt {
            subjects: &subjects,
            seed: 1,
            every_input: false,
            dictionary: &Dictionary::default(),
            predictors: &predictors,
        };
        let is_found = (0..BATCHES).any(|number| {
            let mut batch = Batch::default();
            hunt.classes(number, 0..BATCH, &mut batch);
            !batch.unpredicted.is_empty()
        });
        assert!(is_found, "{}", bug.name);
    }
}

#[test]
fn a_report_does_not_explain_a_wrong_answer_to_a_vector() {
    let ledger = uriproof_cli::known::ledger();
    let library = Library::embedded();
    let mut shown = 0;
    for (bug, _) in reached(&ledger) {
        let buggy = Buggy::with(vec![bug]);
        let of_operation = |vector: &&Vector| vector.input.operation() == bug.operation;
        let vectors: Vec<&Vector> = library.vectors().filter(of_operation).collect();
        let inputs = vectors.iter().filter_map(|vector| run::given(buggy.declaration(), &vector.input));
        let is_wrong = |input: &Input| buggy.answer(input) != uriproof::ask::ask(buggy.inner, input);
        let wrong = divergent(bug, inputs.map(std::borrow::Cow::into_owned).filter(is_wrong));
        let subjects: [&dyn Subject; 1] = [&buggy];
        let mut run = model::run(&library, &subjects, &vectors, Reading::Rfc3986);
        add_causes(&mut run, &subjects, ledger.clone());
        let unexplained = &run.subjects[0].unexplained;
        assert_eq!(unexplained.len(), wrong.len(), "{}: {unexplained:#?}", bug.name);
        shown += usize::from(!wrong.is_empty());
    }
    assert!(shown >= 4, "{shown}");
}

/// It acts on what the subject accepts though it is invalid: a percent sign that begins no triplet.
static LOSES_QUERY_BEHIND_PERCENT_SIGN: Bug = Bug {
    name: "loses the query behind a percent sign",
    subject: URIS,
    operation: Operation::Parse,
    twist: |input, outcome| match input {
        Input::Parse { input, .. } if input.starts_with("%?") => {
            with_components(outcome, |components| components.query = Reported::Undefined)
        }
        _ => outcome,
    },
};

#[test]
fn a_sweep_counts_what_the_profile_does_not_predict() {
    let ledger = uriproof_cli::known::ledger();
    let machines = Machines::of_rfc3986();
    let counts = |subject: &dyn Subject| {
        let predictor = Predictor::of(&ledger, subject.declaration());
        let predictor = predictor.as_ref();
        let mut sweep = Sweep::new(SweepPlan::of(subject, &machines, (3, Depth::Components), predictor));
        while sweep.go_on(&machines, (subject, predictor), |_| (), &|| false) {}
        let score = sweep.score();
        (score.diverge(), score.predictions.unwrap())
    };
    let (diverge, predictions) = counts(subject(URIS));
    assert!(diverge > 500, "{diverge}");
    assert_eq!((predictions.predicted, predictions.unpredicted), (diverge, None));

    let buggy = Buggy::with(vec![&LOSES_QUERY_BEHIND_PERCENT_SIGN]);
    let (with_bug, predictions) = counts(&buggy);
    let unpredicted = predictions.unpredicted.unwrap();
    assert_eq!(with_bug, diverge);
    assert_eq!(predictions.predicted + unpredicted.count, diverge);
    // The string itself, and those with a third character that a query may have, or that the subject takes there.
    assert_eq!(unpredicted.witness, "%?");
    assert!(unpredicted.count > 10, "{}", unpredicted.count);
}

/// What a release mends is predicted by all deviations but the one that is gone.
#[test]
fn the_nearest_combination_leaves_out_what_was_mended() {
    let ledger = uriproof_cli::known::ledger();
    let subject = subject(URIS);
    let declaration = subject.declaration();
    let predictor = Predictor::of(&ledger, declaration).unwrap();
    let input = |text: &str| Input::Parse {
        rule: Rule::UriReference,
        input: text.to_owned(),
    };
    let nearest = |text: &str, outcome: &Outcome| predictor.nearest_text(declaration, &input(text), outcome).unwrap();
    let mended = nearest("%", &Outcome::rejected(""));
    assert_eq!(
        mended,
        r#"all but "drops a percent-encoding that is cut off, such as `%4`" predicts this answer"#
    );
    let other = subject.answer(&input("a"));
    assert!(
        nearest("%", &other).starts_with("the whole profile predicts accepted"),
        "{}",
        nearest("%", &other)
    );
}
