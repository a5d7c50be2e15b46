//! The planted bugs show by the profiles alone, without the stored answers: in a hunt, in the fuzz targets, in a report, in
//! `ledger --check`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::model::{Input, Level, Operation, Outcome, Reading, Reported, Rule, Subject, Vector};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_cli::report::causes::{add_causes, unexplained};
use uriproof_cli::report::model::{self, Run};
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::{BATCH, Batch, Hunt};
use uriproof_lab::machines::Machines;
use uriproof_lab::predict::{Prediction, Predictor, Predictors};
use uriproof_lab::ready::new_vector;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};
use uriproof_lab::targets::{Mode, News, Watch};

use super::bugs::{Bug, Buggy, URIS, bugs, diverges, subject};
use super::{changed_by, wrong_answers};
use crate::mutants::with_components;

static LEDGER: LazyLock<Ledger> = LazyLock::new(uriproof_cli::known::ledger);

/// A bug in an operation in which the profile of its subject is whole.
struct Reached {
    bug: &'static Bug,
    buggy: Buggy,
    /// Its wrong answers to the sample. An answer that conforms is not wrong, though the subject gave another before.
    wrong: Vec<run::Result>,
}

/// Every such bug that gives a wrong answer.
static REACHED: LazyLock<Vec<Reached>> =
    LazyLock::new(|| bugs().into_iter().filter_map(|bug| Reached::of(bug, wrong_answers(bug).clone())).collect());

impl Reached {
    fn of(bug: &'static Bug, changed: BTreeSet<Input>) -> Option<Reached> {
        let buggy = Buggy::with(vec![bug]);
        let is_reached = Predictor::of(&LEDGER, buggy.declaration())?.is_whole_in(bug.operation);
        let wrong = if is_reached {
            divergent(&buggy, changed)
        } else {
            Vec::new()
        };
        (!wrong.is_empty()).then_some(Reached { bug, buggy, wrong })
    }
}

/// The answers to these inputs that diverge.
fn divergent(buggy: &Buggy, inputs: impl IntoIterator<Item = Input>) -> Vec<run::Result> {
    let results = inputs.into_iter().map(|input| run::one(buggy, &input, Reading::Rfc3986));
    results.filter(diverges).collect()
}

#[test]
fn thirty_bugs_are_in_the_reach_of_profiles() {
    let wrong: usize = REACHED.iter().map(|reached| reached.wrong.len()).sum();
    let crates: BTreeSet<&str> = REACHED.iter().map(|reached| &*reached.buggy.declaration().name).collect();
    let operations: BTreeSet<Operation> = REACHED.iter().map(|reached| reached.bug.operation).collect();
    println!(
        "{} of {} bugs are in a profile's reach, in {} crates and {} operations; they give {wrong} wrong answers",
        REACHED.len(),
        bugs().len(),
        crates.len(),
        operations.len()
    );
    assert!(REACHED.len() >= 30, "{}", REACHED.len());
    assert!(crates.len() >= 10, "{crates:?}");
    assert!(operations.len() >= 5, "{operations:?}");
}

/// The rule by which a hunt counts an answer as known.
#[test]
fn every_wrong_answer_is_news_by_a_profile_that_is_whole() {
    for Reached { bug, buggy, wrong } in REACHED.iter() {
        let declaration = buggy.declaration();
        let predictor = Predictor::of(&LEDGER, declaration).unwrap();
        let known: Vec<&run::Result> = wrong
            .iter()
            .filter(|result| !matches!(predictor.of_divergence(declaration, result), Prediction::Other(_)))
            .collect();
        assert!(known.is_empty(), "{}: {known:#?}", bug.name);
    }
}

#[test]
fn every_wrong_answer_stops_a_fuzz_target() {
    REACHED.par_iter().for_each(|Reached { bug, buggy, wrong }| {
        let subjects: [&dyn Subject; 1] = [buggy];
        let mut watch = Watch::new(&subjects, LEDGER.clone(), Mode::Abort);
        for result in wrong {
            watch.ask(b"file", &result.input);
        }
        let news = watch.news();
        let inputs = |of: &[News<'_>]| of.iter().map(|news| news.input.clone()).collect::<Vec<Input>>();
        let asked: Vec<Input> = wrong.iter().map(|result| result.input.clone()).collect();
        assert_eq!(inputs(&news), asked, "{}", bug.name);
        assert!(news.iter().all(|news| news.predicted.is_some()), "{}", bug.name);
        assert!(
            news[0].to_string().contains("\nnearest   "),
            "{}: {}",
            bug.name,
            news[0]
        );
    });
}

/// The most batches of a hunt.
const BATCHES: u64 = 40;

#[test]
fn a_hunt_finds_each_planted_bug_by_the_profile() {
    REACHED.par_iter().for_each(|Reached { bug, buggy, .. }| {
        let subjects: [&dyn Subject; 1] = [buggy];
        let predictors = Predictors::of(&subjects, &LEDGER);
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
    });
}

/// What a report and `ledger --check` do not explain of a run, in their words.
fn unexplained_by_profile(mut run: Run<'_>, subjects: &[&dyn Subject]) -> Vec<String> {
    add_causes(&mut run, subjects, LEDGER.clone());
    let of_report: BTreeSet<String> = run.subjects.iter().flat_map(|subject| subject.unexplained.clone()).collect();
    let of_check = unexplained(&run).into_iter().map(|one| one.what);
    let of_check: BTreeSet<String> = of_check.filter(|what| what.contains(NOT_AS_PREDICTED)).collect();
    assert_eq!(of_report, of_check);
    of_check.into_iter().collect()
}

const NOT_AS_PREDICTED: &str = " is not answered as the profile predicts: ";

/// Every wrong answer stands where the answer to a vector would.
#[test]
fn no_wrong_answer_is_explained_by_a_report_or_by_the_check_of_the_ledger() {
    let library = Library::embedded();
    REACHED.par_iter().for_each(|Reached { bug, buggy, wrong }| {
        let numbered = wrong.iter().enumerate();
        let vectors: Vec<Vector> = numbered.map(|(at, result)| vector(format!("made/{at}"), &result.input)).collect();
        let results = vectors.iter().zip(wrong).map(|(vector, result)| (vector, Cow::Borrowed(result))).collect();
        let results = vec![(buggy.declaration(), results)];
        let run = model::of_results(&library, Reading::Rfc3986, vectors.len(), results);
        let unexplained = unexplained_by_profile(run, &[buggy]);
        assert_eq!(unexplained.len(), wrong.len(), "{}: {unexplained:#?}", bug.name);
    });
}

/// A vector that has an input alone.
fn vector(id: String, input: &Input) -> Vector {
    Vector {
        id,
        input: input.clone(),
        expect: BTreeMap::new(),
        level: Level::Must,
        clauses: Vec::new(),
        note: None,
        twin: None,
    }
}

/// Each bug shows in a vector, or in one that is made of a wrong answer.
#[test]
fn no_wrong_answer_to_a_vector_is_explained() {
    let library = Library::embedded();
    let shown = REACHED.par_iter().map(|Reached { bug, buggy, wrong }| {
        let unexplained_of = |vectors: &[&Vector]| {
            let run = model::run(&library, &[buggy], vectors, Reading::Rfc3986);
            unexplained_by_profile(run, &[buggy])
        };
        let vectors: Vec<&Vector> =
            library.vectors().filter(|vector| vector.input.operation() == bug.operation).collect();
        let inputs: Vec<Input> = vectors.iter().map(|vector| vector.input.clone()).collect();
        let diverging = divergent(buggy, changed_by(bug, &inputs));
        let diverging: BTreeSet<Input> = diverging.into_iter().map(|result| result.input).collect();
        // Two vectors may be one input, as the subject is given them.
        let given = inputs.iter().filter_map(|input| run::given(buggy.declaration(), input));
        let of_vectors = given.filter(|given| diverging.contains(&**given)).count();
        let unexplained = unexplained_of(&vectors);
        assert_eq!(unexplained.len(), of_vectors, "{}: {unexplained:#?}", bug.name);
        let made = wrong.iter().find_map(|result| match &result.verdict {
            Verdict::Diverge(difference) => new_vector(&result.input, difference, &library).ok(),
            _ => None,
        });
        let made = made.unwrap_or_else(|| panic!("{}: no vector has its wrong answers", bug.name));
        assert_eq!(unexplained_of(&[&made]).len(), 1, "{}: {}", bug.name, made.input);
        usize::from(of_vectors > 0)
    });
    let shown: usize = shown.sum();
    println!("the vectors show {shown} of {} bugs", REACHED.len());
    assert!(shown >= 20, "{shown}");
}

/// Of the core suites, the shortest string of each way of differing is explained. They are large, so one bug is put to them.
#[test]
fn no_wrong_answer_to_the_core_suite_is_explained() {
    let library = Library::embedded();
    let is_in_parse = |one: &&Reached| one.bug.subject == URIS && one.bug.operation == Operation::Parse;
    let reached = REACHED.iter().find(is_in_parse).unwrap();
    let subjects: [&dyn Subject; 1] = [&reached.buggy];
    let unexplained = unexplained_by_profile(model::whole_run(&library, &subjects, &[], &|| ()), &subjects);
    assert!(
        unexplained.iter().all(|what| what.starts_with("core suite: ")),
        "{unexplained:#?}"
    );
    assert!(!unexplained.is_empty());
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
    let machines = Machines::of_rfc3986();
    let counts = |subject: &dyn Subject| {
        let predictor = Predictor::of(&LEDGER, subject.declaration());
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
    let subject = subject(URIS);
    let declaration = subject.declaration();
    let predictor = Predictor::of(&LEDGER, declaration).unwrap();
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
