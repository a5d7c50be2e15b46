//! Deviations in a baseline: what they predict of a library is known, and anything else fails.
//!
//! The catalogue of deviations is a crate of its own, which depends on this one. It is given to the gate as a [`DeviationCatalogue`].

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::algorithms::{AnswerMarks, split_marks};
use crate::compare::{DifferenceKind, Verdict, compare, compare_exactly, is_uri_to_the_letter};
use crate::expect::Expected;
use crate::gate::baseline::{Baseline, BaselineError, ExpectedFailure, Line};
use crate::gate::plan::Plan;
use crate::model::{Declaration, Input, Outcome, Value, excerpt};
use crate::run;

/// The id of the deviation that needs no catalogue: the library [does not validate](Declaration::validates).
pub const NO_VALIDATION: &str = "no-validation";

/// The deviations that a baseline can name.
pub trait DeviationCatalogue: Send + Sync {
    /// What a library with these deviations answers. Each is an id, or an object with `id` and parameters.
    ///
    /// # Errors
    ///
    /// The place of the first that the catalogue does not have, and what would be right.
    fn profile(
        &self,
        declaration: &Declaration,
        deviations: &[Json],
    ) -> Result<Box<dyn PredictedAnswers>, (usize, String)>;

    /// The deviations that predict the most of these failures to the letter, and nothing wrongly; the one that predicts the most first.
    fn propose(&self, declaration: &Declaration, results: &[&run::Result]) -> Vec<ProposedDeviation>;
}

/// What a library answers by its deviations.
pub trait PredictedAnswers: Send + Sync {
    /// The answer to an input; `None` where the deviations say nothing of it. Without the deviation in a place, if one is named.
    fn outcome(&self, input: &Input, without: Option<usize>) -> Option<Outcome>;
}

/// A deviation that is proposed for a baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedDeviation {
    /// Its id, or an object with `id` and parameters.
    pub deviation: Json,
    /// What it says of the library: `refuses IPvFuture`.
    pub sentence: String,
    /// How many failures it predicts that those before it do not.
    pub answers: usize,
    /// The shortest input of them.
    pub witness: Input,
}

/// A deviation that a baseline names.
#[derive(Clone, Debug, PartialEq)]
pub struct BaselineDeviation {
    /// Its id, or an object with `id` and parameters.
    pub deviation: Json,
    /// The place of its entry.
    pub entry: usize,
    /// The line, from 1.
    pub line: usize,
}

impl BaselineDeviation {
    /// Its id.
    pub fn id(&self) -> &str {
        let id = self.deviation.as_str().or_else(|| self.deviation["id"].as_str());
        id.unwrap_or_default()
    }
}

/// How an answer stands to what is predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It was not compared.
    NotCompared,
    /// It agrees with RFC 3986, and no divergence is predicted.
    Agrees,
    /// It diverges, and is what is predicted.
    Predicted,
    /// It diverges, and another answer is predicted, or none.
    Unpredicted {
        /// The predicted answer; `None` where nothing is.
        predicted: Option<Outcome>,
    },
    /// It agrees, and a divergence is predicted.
    False {
        /// The predicted answer.
        predicted: Outcome,
    },
}

/// The fit of a result to what is predicted of the subject.
pub fn fit(declaration: &Declaration, predict: &dyn Fn(&Input) -> Option<Outcome>, result: &run::Result) -> Fit {
    let predicted = || predict(&result.input);
    match &result.verdict {
        Verdict::NotComparable { .. } => Fit::NotCompared,
        Verdict::Diverge(difference) if difference.kind == DifferenceKind::NotIdempotent => {
            match is_predicted_twice(declaration, predict, result) {
                true => Fit::Predicted,
                false => Fit::Unpredicted { predicted: predicted() },
            }
        }
        Verdict::Diverge(_) => match predicted() {
            Some(outcome) if is_the_same(declaration, &outcome, &result.observed) => Fit::Predicted,
            predicted => Fit::Unpredicted { predicted },
        },
        Verdict::Agree { .. } => match predicted() {
            Some(outcome) => match compare(declaration, &result.input, &result.expected, &outcome) {
                Verdict::Diverge(_) => Fit::False { predicted: outcome },
                Verdict::Agree { .. } | Verdict::NotComparable { .. } => Fit::Agrees,
            },
            None => Fit::Agrees,
        },
    }
}

/// Whether both the first normal form and what comes of normalizing it again are predicted.
fn is_predicted_twice(
    declaration: &Declaration,
    predict: &dyn Fn(&Input) -> Option<Outcome>,
    result: &run::Result,
) -> bool {
    let (Expected::Outcomes(first), Input::Normalize { scope, .. }) = (&result.expected, &result.input) else {
        return false;
    };
    let Some(Outcome::Accepted { value: Value::Uri(uri) }) = first.first().map(|one| &one.outcome) else {
        return false;
    };
    let again = Input::Normalize {
        uri: uri.clone(),
        scope: *scope,
    };
    let is = |input: &Input, outcome: &Outcome| {
        predict(input).is_some_and(|predicted| is_the_same(declaration, &predicted, outcome))
    };
    is(&result.input, &first[0].outcome) && is(&again, &result.observed)
}

/// Whether an answer is the predicted one: refused, or each component as exactly as the subject reports it, or the same text.
pub fn is_the_same(declaration: &Declaration, predicted: &Outcome, observed: &Outcome) -> bool {
    match (predicted, observed) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => true,
        // The message may quote the input.
        (Outcome::Crashed { reason: place }, Outcome::Crashed { reason }) => reason.contains(&**place),
        (Outcome::Accepted { value: Value::Uri(uri) }, _) => is_uri_to_the_letter(declaration, uri, observed),
        _ => matches!(
            compare_exactly(declaration, &Expected::literally(predicted.clone()), observed),
            Verdict::Agree { .. }
        ),
    }
}

/// The profile of a baseline: what its deviations predict.
pub struct BaselineProfile {
    answers: Box<dyn PredictedAnswers>,
    /// The places of its deviations among those of the baseline.
    places: Vec<usize>,
}

impl fmt::Debug for BaselineProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BaselineProfile").field(&self.places).finish()
    }
}

impl BaselineProfile {
    /// What is predicted for an input.
    pub fn outcome(&self, input: &Input) -> Option<Outcome> {
        self.answers.outcome(input, None)
    }

    /// The fit of a result.
    pub fn fit(&self, declaration: &Declaration, result: &run::Result) -> Fit {
        fit(declaration, &|input| self.outcome(input), result)
    }

    /// The places in the baseline of the deviations without which another answer is predicted. Where each of several suffices, all.
    pub fn responsible(&self, input: &Input) -> Vec<usize> {
        let name = |outcome: Option<Outcome>| match outcome {
            Some(Outcome::Rejected { .. }) => Some(Outcome::rejected("")),
            other => other,
        };
        let whole = name(self.outcome(input));
        let acts = |at: &usize| name(self.answers.outcome(input, Some(*at))) != whole;
        let acting: Vec<usize> = (0..self.places.len()).filter(acts).map(|at| self.places[at]).collect();
        if acting.is_empty() { self.places.clone() } else { acting }
    }
}

/// The wrong answers that a baseline names whatever the input is: those that its deviations predict, and crashes at a place.
#[derive(Clone, Debug, Default)]
pub struct KnownAnswers {
    profile: Option<Arc<BaselineProfile>>,
    crashes: BTreeSet<String>,
    /// Whether the library does not validate.
    pub unvalidated: bool,
}

impl KnownAnswers {
    /// Those of a baseline.
    ///
    /// # Errors
    ///
    /// The line of a deviation that the catalogue does not have.
    pub fn of(
        baseline: &Baseline,
        declaration: &Declaration,
        catalogue: &dyn DeviationCatalogue,
    ) -> Result<KnownAnswers, BaselineError> {
        let plan = Plan::default().with_deviations_of(baseline, declaration, Some(catalogue))?;
        let place = |line: &Line| match &line.got {
            ExpectedFailure::Answer(answer) => answer.strip_prefix("crashed, ").map(str::to_owned),
            ExpectedFailure::Kind { .. } => None,
        };
        Ok(KnownAnswers {
            profile: plan.profile,
            crashes: baseline.lines.iter().filter_map(place).collect(),
            unvalidated: plan.unvalidated,
        })
    }

    /// Whether an answer is one of them.
    pub fn have(&self, declaration: &Declaration, input: &Input, observed: &Outcome) -> bool {
        let is_predicted = || {
            let predicted = self.profile.as_ref()?.outcome(input)?;
            Some(is_the_same(declaration, &predicted, observed))
        };
        match observed.crash_place() {
            Some(place) if self.crashes.contains(&place) => true,
            _ => is_predicted() == Some(true),
        }
    }
}

/// The marks of a line, by the id that it is about.
fn marks_of(baseline: &Baseline, line: &Line, marks: &str) -> Result<(String, AnswerMarks), BaselineError> {
    /// How many columns the marks take in the message.
    const SHOWN: usize = 40;
    let id = line.vectors.to_string();
    let shown = excerpt(marks, "", SHOWN);
    let message = format!("`{shown}` are no marks of answers: delete the line, and write the baseline anew");
    let error = |()| BaselineError {
        file: baseline.file.clone(),
        line: line.line,
        message,
    };
    marks.parse().map(|marks| (id, marks)).map_err(error)
}

impl Plan {
    /// The same plan, for a library that has the deviations of a baseline, and whose answers to suites it marks.
    ///
    /// # Errors
    ///
    /// The line of one that the catalogue does not have, or whose marks are none, or that there is no catalogue.
    pub fn with_deviations_of(
        mut self,
        baseline: &Baseline,
        declaration: &Declaration,
        catalogue: Option<&dyn DeviationCatalogue>,
    ) -> Result<Plan, BaselineError> {
        let marks = |line: &Line| match &line.got {
            ExpectedFailure::Answer(answer) => Some(marks_of(baseline, line, split_marks(answer).1?)),
            ExpectedFailure::Kind { .. } => None,
        };
        self.marks = baseline.lines.iter().filter_map(marks).collect::<Result<_, _>>()?;
        let named = |at: &usize| baseline.deviations[*at].id() != NO_VALIDATION;
        let places: Vec<usize> = (0..baseline.deviations.len()).filter(named).collect();
        self.unvalidated |= places.len() < baseline.deviations.len();
        let Some(&first) = places.first() else {
            return Ok(self);
        };
        let error = |at: usize, message: String| BaselineError {
            file: baseline.file.clone(),
            line: baseline.deviations[at].line,
            message,
        };
        let catalogue = catalogue.ok_or_else(|| {
            let message = format!(
                "`{}` is of the catalogue of the crate uriproof-deviations, which is not given: `Gate::catalogue` takes it",
                baseline.deviations[first].id()
            );
            error(first, message)
        })?;
        let deviations: Vec<Json> = places.iter().map(|&at| baseline.deviations[at].deviation.clone()).collect();
        let answers =
            catalogue.profile(declaration, &deviations).map_err(|(at, message)| error(places[at], message))?;
        self.profile = Some(Arc::new(BaselineProfile { answers, places }));
        Ok(self)
    }
}
