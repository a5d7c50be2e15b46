//! Classes: what is left of a divergence once its input is minimal.

mod behaviour;
mod complaint;
mod origin;

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::model::{Component, Input, Operation, Reading, Subject};
use uriproof::run::{self, Result};
use uriproof::severity::rank;
use uriproof::split::split;

pub use self::behaviour::{Behaviour, minimize_for_all};
use self::complaint::complaint;
use self::origin::origin;
use super::minimize::minimize;
use super::shape::{Form, Shape, drop_parts, forms, is_split_otherwise, peculiarities};

/// A class of divergences of one subject: all whose witnesses have the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// What tells it from the subject's other classes. Two subjects can share it.
    pub fingerprint: Fingerprint,
    /// The witness, what was expected of it, and what the subject did.
    pub witness: Result,
    /// How the subject differs on the witness.
    pub difference: Difference,
}

impl Class {
    /// That of a witness; none if it shows no divergence.
    pub fn of(witness: Result) -> Option<Class> {
        let Verdict::Diverge(difference) = &witness.verdict else {
            return None;
        };
        Some(Class {
            fingerprint: Fingerprint::new(&witness, difference),
            difference: *difference,
            witness,
        })
    }

    /// Whether the witness is smaller than that of another class with the same name.
    pub fn is_smaller_than(&self, other: &Class) -> bool {
        let order = |class: &Class| (class.witness.input.size(), class.witness.input.clone());
        order(self) < order(other)
    }
}

/// The name of a class: operation, kind of difference, components that differ, and the peculiarities of the witness:
/// `parse accepted-invalid: bad path`. Of a crash, operation and place: `resolve crashed uri.rs:1103`.
///
/// The name is coarse, so it does not depend on how far a witness was minimized.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// That of a witness and how a subject differs on it.
    pub fn new(result: &Result, difference: &Difference) -> Fingerprint {
        let input = &result.input;
        let mut text = format!("{} {}", input.operation(), difference.kind.name());
        // The place in the code says more of a crash than the input.
        if let Some(place) = result.observed.crash_place() {
            return Fingerprint(format!("{text} {place}"));
        }
        for (at, component) in difference.components.iter().enumerate() {
            text.push(if at == 0 { ' ' } else { '+' });
            text.push_str(component.name());
        }
        let peculiarities = peculiarities(input);
        if !peculiarities.is_empty() {
            text = format!("{text}: {}", peculiarities.join(", "));
        }
        Fingerprint(text)
    }

    /// That of time or memory that grows with a pattern: `resolve superlinear "a:" "/"* as base`.
    pub fn of_growth(operation: Operation, kind: DifferenceKind, pattern: &impl fmt::Display) -> Fingerprint {
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
    pub kind: DifferenceKind,
    /// The component that differs, where components do.
    pub component: Option<Component>,
    /// The forms of this component that were expected and told.
    pub forms: [Option<Form>; 2],
    /// Whether the subject takes what is invalid with a scheme or an authority that it does not have, or without one that it
    /// has.
    pub is_split_otherwise: bool,
    /// Where the subject crashed, if it did; what it says of an input that it rejects though it is valid, without what it
    /// cites of it.
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
            forms: component.map_or_else(Default::default, |component| forms(result, component)),
            is_split_otherwise: is_split_otherwise(result),
            place: result.observed.crash_place().or_else(|| complaint(result)),
        };
        let mut components: Vec<Component> = difference.components.iter().collect();
        if components.is_empty() {
            return vec![mark(None)];
        }
        components.sort_by_key(|component| rank(*component));
        components.into_iter().map(|component| mark(Some(component))).collect()
    }

    /// Whether both differ in a component, and this one in one that weighs more.
    fn is_heavier_than(&self, other: &Mark) -> bool {
        self.component.zip(other.component).is_some_and(|(own, other)| rank(own) < rank(other))
    }

    /// Whether a result has this mark.
    pub fn is_of(&self, result: &Result) -> bool {
        self.is_nearly_of(result)
            && self.component.is_none_or(|component| self.forms == forms(result, component))
            && (self.is_split_otherwise || !is_split_otherwise(result))
    }

    /// Whether a result has this mark but for the forms of its component, and for how it is split.
    pub(super) fn is_nearly_of(&self, result: &Result) -> bool {
        let Verdict::Diverge(difference) = &result.verdict else {
            return false;
        };
        difference.kind == self.kind
            && self.component.is_none_or(|component| difference.components.contains(component))
            && self.place == result.observed.crash_place().or_else(|| complaint(result))
    }
}

/// The class of the divergence that has `mark`, which `input` must show; or the classes that it is inherited from.
pub fn classes_of(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Vec<Class> {
    match origin(subject, &ask(subject, input, reading), mark, reading) {
        Some((origin, mark)) => classes_of(subject, &origin, &mark, reading),
        None => {
            let minimal = minimal(subject, input, mark, reading);
            let witness = run::one(subject, &minimal, reading);
            // What has the same smallest input as a heavier difference is a part of that.
            match Mark::all(&witness).into_iter().next() {
                Some(heaviest) if heaviest.is_heavier_than(mark) => classes_of(subject, &minimal, &heaviest, reading),
                _ => Class::of(witness).into_iter().collect(),
            }
        }
    }
}

/// What a subject makes of one of many inputs, of which none is kept: under RFC 3986 to the letter in brief, which is a good deal
/// faster.
pub(super) fn ask(subject: &dyn Subject, input: &Input, reading: Reading) -> Result {
    match reading {
        Reading::Rfc3986 => run::one_in_brief(subject, input),
        _ => run::one(subject, input, reading),
    }
}

/// The smallest input that was found to show the divergence of `mark`, which `input` must show, in its own right.
fn minimal(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Input {
    /// A step of one kind can make room for one of the other; so often, at most.
    const ROUNDS: usize = 16;
    // A resolver may refuse a relative base, so a base that is a URI is the plainer one.
    let absolute =
        with_absolute_base(input).into_iter().find(|absolute| likeness(subject, input, mark, reading)(absolute));
    let input = absolute.as_ref().unwrap_or(input);
    let mut same = remembering(likeness(subject, input, mark, reading));
    let mut minimal = input.clone();
    for _ in 0..ROUNDS {
        let before = minimal.clone();
        minimal = drop_parts(&minimal, &mut same);
        let shape = Shape::of(&minimal);
        minimal = minimize(
            &minimal,
            &mut remembering(|input| Shape::of(input) == shape && same(input)),
        );
        if minimal == before {
            break;
        }
    }
    minimal
}

/// Whether the base is a relative reference.
fn has_relative_base(input: &Input) -> bool {
    matches!(input, Input::Resolve { base, .. } | Input::Relativize { base, .. } if split(base).scheme.is_none())
}

/// An input with a relative base, with a scheme before it and before a target that has none: one that no subject knows, and one that many
/// treat in their own way. None of any other input.
fn with_absolute_base(input: &Input) -> Vec<Input> {
    if !has_relative_base(input) {
        return Vec::new();
    }
    let with = |scheme: &str, text: &str| match split(text).scheme {
        None => format!("{scheme}:{text}"),
        Some(_) => text.to_owned(),
    };
    let absolute = |scheme| match input.clone() {
        Input::Resolve {
            base,
            reference,
            strict,
        } => Input::Resolve {
            base: with(scheme, &base),
            reference,
            strict,
        },
        Input::Relativize { base, target } => Input::Relativize {
            base: with(scheme, &base),
            target: with(scheme, &target),
        },
        other => other,
    };
    ["a", "http"].map(absolute).into()
}

/// As `same`, but what it has said no to is not asked again: that a witness is minimal takes every step once more, and of a run
/// of equal characters most steps leave the same.
fn remembering(mut same: impl FnMut(&Input) -> bool) -> impl FnMut(&Input) -> bool {
    let mut refused: HashSet<u64> = HashSet::new();
    move |input| {
        // Of two inputs with one hash, one is taken for refused: it would only have been a step further.
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        let key = hasher.finish();
        if refused.contains(&key) {
            return false;
        }
        let is_same = same(input);
        if !is_same {
            refused.insert(key);
        }
        is_same
    }
}

/// Whether a result shows nothing that weighs more than the heaviest of another.
pub(super) fn is_no_heavier(result: &Result, heaviest: Option<&Mark>) -> bool {
    let own = Mark::all(result).into_iter().next();
    !own.zip(heaviest).is_some_and(|(own, heaviest)| own.is_heavier_than(heaviest))
}

/// Whether an input shows the divergence of `mark` as `input` does: in its own right, and with nothing that weighs more.
///
/// It is what stays while an input is made small, besides its shape.
pub fn likeness<'a>(
    subject: &'a dyn Subject,
    input: &Input,
    mark: &'a Mark,
    reading: Reading,
) -> impl FnMut(&Input) -> bool + use<'a> {
    // A part that is left out can make a difference of its own, which would weigh more.
    let heaviest = Mark::all(&ask(subject, input, reading)).into_iter().next();
    let may_be_relative = has_relative_base(input);
    move |input| {
        if !may_be_relative && has_relative_base(input) {
            return false;
        }
        let result = ask(subject, input, reading);
        mark.is_of(&result)
            && is_no_heavier(&result, heaviest.as_ref())
            && origin(subject, &result, mark, reading).is_none()
    }
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
            |class: &Class| mark.component.is_some_and(|component| class.difference.components.contains(component));
        if classes.iter().any(is_covered) {
            continue;
        }
        // Two components can lead to the same class: what weighs less is a part of what weighs more.
        for class in classes_of(subject, &result.input, &mark, reading) {
            if classes.iter().all(|known| known.fingerprint != class.fingerprint) {
                classes.push(class);
            }
        }
    }
    classes
}
