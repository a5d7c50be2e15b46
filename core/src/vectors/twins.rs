//! The twin of a rejection: the acceptance that stands beside it.

use std::collections::BTreeMap;

use crate::model::{Component, Components, Expectation, Input, Operation, Reading, Vector};

/// The accepted vectors among some, by operation.
pub struct Acceptances<'a>(BTreeMap<Operation, Vec<(Vec<&'a str>, &'a str)>>);

impl<'a> Acceptances<'a> {
    /// Those among `vectors`.
    pub fn of(vectors: impl IntoIterator<Item = &'a Vector>) -> Acceptances<'a> {
        let mut by_operation: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for vector in vectors.into_iter().filter(|vector| !is_rejected(vector)) {
            let of_operation = by_operation.entry(vector.input.operation()).or_default();
            of_operation.push((texts(&vector.input), &*vector.id));
        }
        Acceptances(by_operation)
    }

    /// The id of the acceptance that stands beside a rejection: the one that is nearest by one edit, or the one that the
    /// vector names. None of what is accepted, and none where it is not among these.
    pub fn twin(&self, vector: &Vector) -> Option<&'a str> {
        if !is_rejected(vector) {
            return None;
        }
        let named = || {
            let of_operation = self.0.get(&vector.input.operation())?;
            of_operation.iter().map(|(_, id)| *id).find(|id| vector.twin.as_deref() == Some(*id))
        };
        self.one_edit_from(vector).or_else(named)
    }

    /// The id of the acceptance that a rejection can name as its `twin`: the one that has most in common with it. None of what
    /// is accepted, and none where there is no acceptance of its operation.
    pub fn nearest(&self, vector: &Vector) -> Option<&'a str> {
        let own = texts(&vector.input);
        let of_operation = self.0.get(&vector.input.operation()).filter(|_| is_rejected(vector))?;
        let common = |other: &[&str]| own.iter().zip(other).map(|(own, other)| alike(other, own)).sum::<i64>();
        // The first of several.
        of_operation.iter().rev().max_by_key(|(other, _)| common(other)).map(|(_, id)| *id)
    }

    /// The id of the nearest that differs from a vector by one edit, the first of several; none if there is none.
    ///
    /// An edit changes, adds or drops up to three characters in one place, as many as a triplet has, or takes another rule.
    pub(super) fn one_edit_from(&self, vector: &Vector) -> Option<&'a str> {
        let own = texts(&vector.input);
        let of_operation = self.0.get(&vector.input.operation()).into_iter().flatten();
        let near = of_operation.filter_map(|(other, id)| Some((one_edit(&own, other)?, *id)));
        near.min_by_key(|(size, _)| *size).map(|(_, id)| id)
    }
}

/// How much two ids have in common at their beginnings and their ends.
pub(super) fn alike(one: &str, other: &str) -> i64 {
    let beginning = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let end = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    let common = (beginning + end).min(one.len());
    2 * common as i64 - one.len() as i64
}

/// Whether the plain text rejects the input of a vector.
pub(super) fn is_rejected(vector: &Vector) -> bool {
    *vector.expectation(Reading::Rfc3986) == Expectation::Rejected
}

/// The arguments of an input that an edit can change, in a fixed order; the rule of a parse is the first.
fn texts(input: &Input) -> Vec<&str> {
    match input {
        Input::Parse { rule, input } => vec![rule.name(), input],
        Input::Resolve {
            base,
            reference,
            strict,
        } => vec![if *strict { "strict" } else { "not strict" }, base, reference],
        Input::Normalize { uri, scope } => vec![scope.name(), uri],
        Input::Compose { components } => of_components(components),
        Input::Equivalent { left, right, rung } => vec![rung.name(), left, right],
        Input::Relativize { base, target } => vec!["", base, target],
        Input::Modify { uri, component, value } => vec![component.name(), uri, value.as_deref().unwrap_or(UNDEFINED)],
        Input::RoundTrip { uri } => vec!["", uri],
        Input::Contract { left, right } => vec!["", left, right],
    }
}

/// What stands for an undefined component among the texts: one character, so that to define it is one edit.
const UNDEFINED: &str = "\0";

fn of_components(components: &Components) -> Vec<&str> {
    let texts = Component::TEXTS.map(|component| components.text(component).unwrap_or(UNDEFINED));
    [""].into_iter().chain(texts).collect()
}

/// How many characters the edit changes that makes one of the texts the other, one text in one place; of another rule, more
/// than of any other. None if it takes more than one edit.
fn one_edit(one: &[&str], other: &[&str]) -> Option<usize> {
    /// As many as a triplet has.
    const MOST: usize = 3;
    let mut differing = (0..one.len()).filter(|&at| one[at] != other[at]);
    match (differing.next()?, differing.next()) {
        (_, Some(_)) => None,
        (0, None) => Some(MOST + 1),
        (at, None) => {
            let (one, other) = (one[at], other[at]);
            let (length, other_length) = (one.chars().count(), other.chars().count());
            let same = |pair: &(char, char)| pair.0 == pair.1;
            let before = one.chars().zip(other.chars()).take_while(same).count();
            let behind = length.min(other_length) - before;
            let after = one.chars().rev().zip(other.chars().rev()).take(behind).take_while(same).count();
            Some(length.max(other_length) - before - after).filter(|size| *size <= MOST)
        }
    }
}
