//! How much of what a subject does otherwise its profile predicts: a divergence is explained where the predicted answer is the
//! subject's own, to the letter.

mod explanation;
mod held;
mod inputs;
mod nearest;
mod predictor;
mod share;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use uriproof::compare::own_rule;
use uriproof::gate;
pub use uriproof::gate::{Fit, is_the_same};
use uriproof::model::{Declaration, Input, Operation, Outcome, Reading, Subject};
use uriproof::run::{self, Result as Answer};
use uriproof_deviations::{Deviation, SubjectProfile};
use uriproof_grammar::Fnv;

pub use self::explanation::Explanation;
pub use self::held::{longer_than_needed, wrong_deviations};
pub use self::inputs::{Make, inputs};
pub use self::nearest::{NearestCombination, nearest};
pub use self::predictor::{Prediction, Predictor, Predictors};
pub use self::share::{PredictedShare, ShareInputs, UnpredictedInput};

/// How many inputs of each kind are kept.
const KEPT: usize = 10;

/// The fit of an answer to a profile.
pub fn fit(declaration: &Declaration, profile: &SubjectProfile, answer: &Answer) -> Fit {
    gate::fit(declaration, &|input| predicted(declaration, profile, input), answer)
}

/// A hash of a profile, in sixteen hexadecimal digits: what is counted by one is not counted on by another.
///
/// # Panics
///
/// Never: deviations can be written as JSON.
pub fn hash_of(profile: &SubjectProfile) -> String {
    let deviations = serde_json::to_string(&profile.deviations).expect("deviations can be written");
    format!("{:016x}", Fnv::of(deviations.into_bytes()))
}

/// What a profile predicts of a subject.
fn predicted(declaration: &Declaration, profile: &SubjectProfile, input: &Input) -> Option<Outcome> {
    profile.outcome(own_rule(declaration), input, Reading::Rfc3986)
}

/// Which deviations of a profile act on an input: without one of them, the answer would be another. They are numbered as in the
/// profile. The specification that a library follows acts by itself, or not at all: what departs from it acts in its place.
pub fn acting(declaration: &Declaration, profile: &SubjectProfile, input: &Input) -> Vec<usize> {
    let outcome = |profile: &SubjectProfile| predicted(declaration, profile, input);
    let whole = outcome(profile);
    // One copy of the profile is enough for all: what is left out is put back.
    let mut others = profile.clone();
    let mut acts = |at: &usize| {
        let left_out = others.deviations.remove(*at);
        let is_other = !is_alike(&outcome(&others), &whole);
        others.deviations.insert(*at, left_out);
        is_other
    };
    let (followed, departures): (Vec<usize>, Vec<usize>) =
        (0..profile.deviations.len()).partition(|&at| profile.deviations[at] == Deviation::FollowsUrlStandard);
    let acting: Vec<usize> = departures.into_iter().filter(&mut acts).collect();
    match acting.is_empty() {
        true => followed.into_iter().filter(acts).collect(),
        false => acting,
    }
}

/// The deviations to which an answer is due: those that [act](acting). Where each of several would suffice, so that none of them acts,
/// the first that does is one too.
pub fn responsible(declaration: &Declaration, profile: &SubjectProfile, input: &Input) -> Vec<usize> {
    let acting = acting(declaration, profile, input);
    let outcome = |profile: &SubjectProfile| predicted(declaration, profile, input);
    let whole = outcome(profile);
    let followed = |at: &usize| profile.deviations[*at] == Deviation::FollowsUrlStandard;
    let with_followed = |places: &[usize]| {
        let places = (0..profile.deviations.len()).filter(|at| followed(at) || places.contains(at));
        is_alike(&outcome(&profile.only(places)), &whole)
    };
    if with_followed(&acting) {
        return acting;
    }
    let mut places: Vec<usize> = (0..profile.deviations.len()).filter(|at| !followed(at)).collect();
    for at in (0..profile.deviations.len()).rev() {
        let others: Vec<usize> = places.iter().copied().filter(|&place| place != at).collect();
        if with_followed(&others) {
            places = others;
        }
    }
    places
}

/// The deviations to which an answer is due, in words.
pub fn responsible_sentences(declaration: &Declaration, profile: &SubjectProfile, input: &Input) -> Vec<String> {
    responsible(declaration, profile, input).into_iter().map(|at| profile.deviations[at].sentence()).collect()
}

/// Whether two predictions are one; why something is refused does not matter.
fn is_alike(one: &Option<Outcome>, other: &Option<Outcome>) -> bool {
    match (one, other) {
        (Some(Outcome::Rejected { .. }), Some(Outcome::Rejected { .. })) => true,
        _ => one == other,
    }
}

/// How many answers to an operation stand how to the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitCounts {
    /// Answers that were compared with the reference.
    pub compared: u64,
    /// Answers that diverge.
    pub diverge: u64,
    /// Of these, those that are predicted.
    pub predicted: u64,
    /// Of these, those for which the stages make no prediction.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreached: u64,
    /// Answers that agree though a divergence is predicted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub falsely: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl FitCounts {
    /// Counts one answer.
    fn of(fit: &Fit) -> FitCounts {
        FitCounts {
            compared: u64::from(*fit != Fit::NotCompared),
            diverge: u64::from(matches!(fit, Fit::Predicted | Fit::Unpredicted { .. })),
            predicted: u64::from(*fit == Fit::Predicted),
            unreached: u64::from(matches!(fit, Fit::Unpredicted { predicted: None })),
            falsely: u64::from(matches!(fit, Fit::False { .. })),
        }
    }

    /// Divergences that are not predicted.
    pub fn unpredicted(&self) -> u64 {
        self.diverge - self.predicted
    }

    /// Adds the counts of other answers.
    pub fn add(&mut self, other: FitCounts) {
        self.compared += other.compared;
        self.diverge += other.diverge;
        self.predicted += other.predicted;
        self.unreached += other.unreached;
        self.falsely += other.falsely;
    }
}

/// An answer that is not as predicted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Misfit {
    /// The input's size, by which the smallest comes first.
    size: usize,
    /// The input.
    pub input: Input,
    /// The subject's answer.
    pub observed: Outcome,
    /// The predicted one; `None` where the stages do not reach.
    pub predicted: Option<Outcome>,
}

/// How the answers of one subject stand to its profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predictions {
    /// By operation.
    pub operations: BTreeMap<Operation, FitCounts>,
    /// By the set of deviations that act together, those of all operations.
    pub combinations: BTreeMap<Vec<usize>, FitCounts>,
    /// The smallest inputs whose divergence is not predicted, by operation.
    pub unpredicted: BTreeMap<Operation, BTreeSet<Misfit>>,
    /// The smallest inputs whose predicted divergence does not happen, by operation.
    pub falsely: BTreeMap<Operation, BTreeSet<Misfit>>,
}

impl Predictions {
    /// Of a subject, on these inputs.
    pub fn of(subject: &dyn Subject, profile: &SubjectProfile, inputs: &[Input]) -> Predictions {
        inputs
            .par_chunks(256)
            .map(|inputs| {
                let mut predictions = Predictions::default();
                for input in inputs {
                    predictions.add(subject, profile, input);
                }
                predictions
            })
            .reduce(Predictions::default, Predictions::merged)
    }

    fn add(&mut self, subject: &dyn Subject, profile: &SubjectProfile, input: &Input) {
        let declaration = subject.declaration();
        if !declaration.operations.contains(&input.operation()) {
            return;
        }
        let answer = run::one(subject, input, Reading::Rfc3986);
        let fit = fit(declaration, profile, &answer);
        let counts = FitCounts::of(&fit);
        self.operations.entry(input.operation()).or_default().add(counts);
        if !matches!(fit, Fit::NotCompared | Fit::Agrees) {
            let responsible = responsible(declaration, profile, &answer.input);
            self.combinations.entry(responsible).or_default().add(counts);
        }
        let misfit = |predicted| Misfit {
            size: answer.input.size(),
            input: answer.input.clone(),
            observed: answer.observed.clone(),
            predicted,
        };
        match fit {
            Fit::NotCompared | Fit::Agrees | Fit::Predicted => {}
            Fit::Unpredicted { predicted } => keep(&mut self.unpredicted, misfit(predicted)),
            Fit::False { predicted } => keep(&mut self.falsely, misfit(Some(predicted))),
        }
    }

    /// The two together.
    #[must_use]
    pub fn merged(mut self, other: Predictions) -> Predictions {
        for (operation, counts) in other.operations {
            self.operations.entry(operation).or_default().add(counts);
        }
        for (combination, counts) in other.combinations {
            self.combinations.entry(combination).or_default().add(counts);
        }
        other.unpredicted.into_values().flatten().for_each(|misfit| keep(&mut self.unpredicted, misfit));
        other.falsely.into_values().flatten().for_each(|misfit| keep(&mut self.falsely, misfit));
        self
    }

    /// The counts of all operations.
    pub fn total(&self) -> FitCounts {
        let mut total = FitCounts::default();
        self.operations.values().for_each(|counts| total.add(*counts));
        total
    }

    /// Whether every answer is as predicted.
    pub fn is_exact(&self) -> bool {
        let total = self.total();
        total.unpredicted() == 0 && total.falsely == 0
    }
}

/// Keeps the smallest few of each operation.
fn keep(kept: &mut BTreeMap<Operation, BTreeSet<Misfit>>, misfit: Misfit) {
    let of_operation = kept.entry(misfit.input.operation()).or_default();
    of_operation.insert(misfit);
    if of_operation.len() > KEPT {
        of_operation.pop_last();
    }
}
