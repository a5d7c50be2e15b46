//! Classes: what is left of a divergence once its input is minimal.

use std::fmt;

use super::minimize::minimize;
use super::severity::rank;
use crate::compare::{Difference, Kind, Verdict};
use crate::model::{Component, Input, Operation, Outcome, Reading, Rule, Subject, Value};
use crate::run::{self, Result};

/// A class of divergences of one subject: all whose inputs shrink to the same witness, and differ there in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What tells it from the subject's other classes. Two subjects can share it.
    pub fingerprint: Fingerprint,
    /// The witness, what was expected of it, and what the subject did.
    pub witness: Result,
    /// How the subject differs on the witness.
    pub difference: Difference,
}

/// Operation, kind of difference, components that differ and canonical witness, in a line:
/// `parse accepted-invalid "//[::01.1.1.1]"`. Of a crash, operation and place: `resolve crashed uri.rs:1103`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// That of a witness and how a subject differs on it.
    pub fn new(result: &Result, difference: &Difference) -> Fingerprint {
        let input = &result.input;
        let mut text = format!("{} {}", input.operation(), difference.kind.name());
        // The place in the code says more of a crash than the input.
        if let Some(place) = place(&result.observed) {
            return Fingerprint(format!("{text} {place}"));
        }
        for (at, component) in difference.components.iter().enumerate() {
            text.push(if at == 0 { ' ' } else { '+' });
            text.push_str(component.name());
        }
        Fingerprint(format!("{text} {input}"))
    }

    /// That of time or memory that grows with a pattern: `resolve superlinear "a:" "/"* as base`.
    pub fn of_growth(operation: Operation, kind: Kind, pattern: &impl fmt::Display) -> Fingerprint {
        Fingerprint(format!("{operation} {} {pattern}", kind.name()))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// What of a divergence stays while its input shrinks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark {
    /// The operation.
    pub operation: Operation,
    /// The kind of difference.
    pub kind: Kind,
    /// The component that differs, where components do.
    pub component: Option<Component>,
    /// Where the subject crashed, if it did.
    pub place: Option<String>,
}

impl Mark {
    /// Every mark of a result, that of the component that weighs most first; none if it does not diverge.
    ///
    /// A difference in several components has one each: independent causes in one input are told apart by it.
    pub fn all(result: &Result) -> Vec<Mark> {
        let Verdict::Diverge(difference) = &result.verdict else {
            return Vec::new();
        };
        let mark = |component| Mark {
            operation: result.input.operation(),
            kind: difference.kind,
            component,
            place: place(&result.observed),
        };
        let mut components = difference.components.clone();
        if components.is_empty() {
            return vec![mark(None)];
        }
        components.sort_by_key(|component| rank(*component));
        components.into_iter().map(|component| mark(Some(component))).collect()
    }

    /// Whether a result has this mark.
    pub fn is_of(&self, result: &Result) -> bool {
        let Verdict::Diverge(difference) = &result.verdict else {
            return false;
        };
        difference.kind == self.kind
            && self.component.is_none_or(|component| difference.components.contains(&component))
            && self.place == place(&result.observed)
    }
}

/// Where a subject crashed: what its reason says in its last parentheses, or all of it.
fn place(observed: &Outcome) -> Option<String> {
    let Outcome::Crashed { reason } = observed else {
        return None;
    };
    let place = reason.strip_suffix(')').and_then(|reason| reason.rsplit_once('('));
    Some(place.map_or(reason.as_str(), |(_, place)| place).to_owned())
}

/// The class of the divergence that has `mark`, which `input` must show; or the classes that it is inherited from.
pub fn classes_of(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Vec<Class> {
    let cause = |input: &Input| inherited(subject, &run::one(subject, input, reading), mark, reading);
    let of_itself = || {
        let class = class(subject, input, mark, reading)?;
        Some(cause(&class.witness.input).unwrap_or_else(|| vec![class]))
    };
    cause(input).or_else(of_itself).unwrap_or_default()
}

fn class(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Option<Class> {
    let minimal = minimize(input, &mut |input| mark.is_of(&run::one(subject, input, reading)));
    let witness = run::one(subject, &minimal, reading);
    let Verdict::Diverge(difference) = &witness.verdict else {
        return None;
    };
    Some(Class {
        fingerprint: Fingerprint::new(&witness, difference),
        difference: difference.clone(),
        witness,
    })
}

/// The classes of a result: one, or several where independent causes show in several components; none if it does not
/// diverge. The one that weighs most comes first.
///
/// Only the subject itself and the reference decide: a class does not change when another subject does.
pub fn classes(subject: &dyn Subject, result: &Result, reading: Reading) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for mark in Mark::all(result) {
        // A component that differs in a witness before needs no witness of its own.
        let is_covered =
            |class: &Class| mark.component.is_some_and(|component| class.difference.components.contains(&component));
        if !classes.iter().any(is_covered) {
            classes.extend(classes_of(subject, &result.input, &mark, reading));
        }
    }
    classes
}

/// The classes that a divergence is inherited from: the subject parses, or prints, one of the strings that the operation is
/// about in the same wrong way.
///
/// A subject that takes an invalid URI takes it as a base, too; one that prints an address in its own way does so after
/// each setter. That is one cause, and it is told where it arises.
fn inherited(subject: &dyn Subject, result: &Result, mark: &Mark, reading: Reading) -> Option<Vec<Class>> {
    let strings = strings(result);
    let parse = |string: &String| Input::Parse {
        rule: Rule::UriReference,
        input: string.clone(),
    };
    let round_trip = |string: &String| Input::RoundTrip { uri: string.clone() };
    let find = |question: &dyn Fn(&String) -> Input, is_cause: &dyn Fn(&Mark) -> bool| {
        strings.iter().find_map(|string| {
            let result = run::one(subject, &question(string), reading);
            let mark = Mark::all(&result).into_iter().find(|mark| is_cause(mark))?;
            Some(classes_of(subject, &result.input, &mark, reading))
        })
    };
    if result.input.operation() == Operation::Parse {
        return None;
    }
    let is_setter = result.input.operation() == Operation::Modify;
    find(&parse, &|cause| match mark.kind {
        // A setter of what was read as another URI.
        Kind::AcceptedInvalid | Kind::RejectedValid if is_setter && cause.kind == Kind::OtherComponents => true,
        Kind::InvalidUri => cause.kind == Kind::AcceptedInvalid,
        Kind::AcceptedInvalid | Kind::RejectedValid => cause.kind == mark.kind,
        Kind::Crashed => cause.kind == Kind::Crashed && cause.place == mark.place,
        Kind::OtherUri | Kind::OtherMeaning | Kind::NotIdempotent => {
            cause.kind == Kind::OtherComponents && (mark.component.is_none() || cause.component == mark.component)
        }
        Kind::FalsePositive | Kind::FalseNegative => cause.kind == Kind::OtherComponents,
        Kind::OtherComponents | Kind::BrokenContract | Kind::Superlinear | Kind::TimedOut => false,
    })
    .or_else(|| {
        let is_printed = matches!(mark.kind, Kind::OtherUri | Kind::OtherMeaning)
            && !matches!(result.input.operation(), Operation::RoundTrip | Operation::Relativize);
        let is_cause = |cause: &Mark| cause.kind == Kind::OtherUri && cause.component == mark.component;
        is_printed.then(|| find(&round_trip, &is_cause)).flatten()
    })
}

/// The strings that a result is about: the URIs that were asked for, the one that was expected, the one that came out.
fn strings(result: &Result) -> Vec<String> {
    let mut strings: Vec<String> = match &result.input {
        Input::Compose { .. } => Vec::new(),
        Input::Parse { input, .. } => vec![input.clone()],
        Input::Resolve { base, reference, .. } => vec![base.clone(), reference.clone()],
        Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri.clone()],
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left.clone(), right.clone()],
        Input::Relativize { base, target } => vec![base.clone(), target.clone()],
    };
    for outcome in [&result.expected.literal(), &result.observed] {
        if let Outcome::Accepted { value: Value::Uri(uri) } = outcome {
            strings.push(uri.clone());
        }
    }
    strings
}

/// What of the results of all subjects stays while an input shrinks for all of them together: each verdict with its kind
/// and components, and who agrees with whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    verdicts: Vec<(&'static str, Option<Difference>, Option<String>)>,
    /// For each subject the first that did the same.
    agreement: Vec<usize>,
}

impl Behaviour {
    /// Of results, in the order of their subjects.
    pub fn of(results: &[Result]) -> Behaviour {
        let bare = |result: &Result| match &result.observed {
            Outcome::Accepted { value } => Some(value.clone()),
            _ => None,
        };
        Behaviour {
            verdicts: results
                .iter()
                .map(|result| {
                    let difference = match &result.verdict {
                        Verdict::Diverge(difference) => Some(difference.clone()),
                        Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
                    };
                    (result.verdict.name(), difference, place(&result.observed))
                })
                .collect(),
            agreement: results
                .iter()
                .map(|result| {
                    let same =
                        |other: &Result| other.observed.name() == result.observed.name() && bare(other) == bare(result);
                    results.iter().position(same).unwrap_or_default()
                })
                .collect(),
        }
    }
}

/// The smallest input on which every subject differs from the reference as it does on `input`, and agrees with the same
/// other subjects.
///
/// Subjects that are too slow for a suite ([`Subject::budget`]) take no part, unless there are no others: each would have
/// to be asked hundreds of times.
pub fn minimize_for_all(subjects: &[&dyn Subject], input: &Input, reading: Reading) -> Input {
    let quick: Vec<&dyn Subject> = subjects.iter().copied().filter(|subject| subject.budget().is_none()).collect();
    let subjects = if quick.is_empty() { subjects } else { &quick };
    let kept = Behaviour::of(&run::all(subjects, input, reading));
    minimize(input, &mut |input| {
        Behaviour::of(&run::all(subjects, input, reading)) == kept
    })
}
