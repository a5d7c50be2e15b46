//! The profiles that searches use: what they predict is known, and what they do not predict is news, whatever class it has.

use uriproof::compare::Verdict;
use uriproof::model::{Declaration, Input, Operation, Outcome, Reading, Subject};
use uriproof::run::{self, Result};
use uriproof_deviations::SubjectProfile;

use super::{Fit, NearestCombination, fit, is_the_same, nearest, predicted};
use crate::divergence::ledger::Ledger;
use crate::divergence::minimize::minimize;

/// What a profile says of a divergence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prediction {
    /// It predicts it, to the letter.
    Exact,
    /// It predicts another answer.
    Other(Outcome),
    /// It does not reach the operation, or the stages do not reach the input: the classes of the ledger decide.
    None,
}

/// The profile of a subject, and the operations in which it is whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predictor {
    profile: SubjectProfile,
    operations: Vec<Operation>,
}

impl Predictor {
    /// Of a subject by its file of the ledger; `None` if the profile is whole in no operation.
    pub fn of(ledger: &Ledger, declaration: &Declaration) -> Option<Predictor> {
        let operations = ledger.file_of(declaration)?.predicted.clone();
        (!operations.is_empty()).then(|| Predictor {
            profile: ledger.profile(declaration).unwrap_or_default(),
            operations,
        })
    }

    /// What it says of a divergence; of an agreement [`Prediction::None`].
    pub fn of_divergence(&self, declaration: &Declaration, result: &Result) -> Prediction {
        let is_reached = self.is_whole_in(result.input.operation());
        if !is_reached || !matches!(result.verdict, Verdict::Diverge(_)) {
            return Prediction::None;
        }
        match fit(declaration, &self.profile, result) {
            Fit::Predicted => Prediction::Exact,
            Fit::Unpredicted { predicted: Some(other) } => Prediction::Other(other),
            Fit::Unpredicted { predicted: None } | Fit::NotCompared | Fit::Agrees | Fit::False { .. } => {
                Prediction::None
            }
        }
    }

    /// Whether it predicts an outcome, to the letter.
    pub fn predicts(&self, declaration: &Declaration, input: &Input, observed: &Outcome) -> bool {
        self.prediction(declaration, input).is_some_and(|predicted| is_the_same(declaration, &predicted, observed))
    }

    /// What it predicts; `None` where the stages do not reach.
    pub fn prediction(&self, declaration: &Declaration, input: &Input) -> Option<Outcome> {
        predicted(declaration, &self.profile, input)
    }

    /// Whether it is whole in an operation.
    pub fn is_whole_in(&self, operation: Operation) -> bool {
        self.operations.contains(&operation)
    }

    /// The combination of deviations that comes nearest to an answer that is not predicted, on a line: `all but "X" predicts this answer`.
    pub fn nearest_text(&self, declaration: &Declaration, input: &Input, observed: &Outcome) -> Option<String> {
        let NearestCombination {
            without,
            predicted,
            is_exact,
        } = nearest(declaration, &self.profile, input, observed)?;
        let sentences: Vec<String> = without.iter().map(|&at| self.profile.deviations[at].sentence()).collect();
        let profile = match sentences.is_empty() {
            true => "the whole profile".to_owned(),
            false => format!("all but \"{}\"", sentences.join("\" and \"")),
        };
        Some(match is_exact {
            true => format!("{profile} predicts this answer"),
            false => format!("{profile} predicts {predicted}"),
        })
    }

    /// Its profile.
    pub fn profile(&self) -> &SubjectProfile {
        &self.profile
    }

    /// The smallest input found on which the subject diverges and the profile predicts another answer, with the result.
    pub fn smallest(&self, subject: &dyn Subject, result: &Result) -> Result {
        let put = |input: &_| run::one(subject, input, Reading::Rfc3986);
        let mut is_news = |input: &_| {
            let result = put(input);
            matches!(self.of_divergence(subject.declaration(), &result), Prediction::Other(_))
        };
        put(&minimize(&result.input, &mut is_news))
    }
}

/// The predictors of subjects, by the place of the subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predictors(Vec<Option<Predictor>>);

impl Predictors {
    /// Of these subjects, by a ledger.
    pub fn of(subjects: &[&dyn Subject], ledger: &Ledger) -> Predictors {
        Predictors(subjects.iter().map(|subject| Predictor::of(ledger, subject.declaration())).collect())
    }

    /// Of those subjects that follow the URL Standard, by a ledger: what they do otherwise than it. The profile of another is what it does
    /// otherwise than RFC 3986, which says nothing here.
    pub fn of_url_standard(subjects: &[&dyn Subject], ledger: &Ledger) -> Predictors {
        let of = |subject: &&dyn Subject| {
            Predictor::of(ledger, subject.declaration()).filter(|one| one.profile().follows_url_standard())
        };
        Predictors(subjects.iter().map(of).collect())
    }

    /// The predictor of the subject in a place, if it has one.
    pub fn get(&self, place: usize) -> Option<&Predictor> {
        self.0.get(place)?.as_ref()
    }
}
