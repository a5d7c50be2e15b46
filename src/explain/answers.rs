//! What comes of an input in each reading, where two of them differ.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use uriproof::expect::{expect, from_vector};
use uriproof::model::{ComponentSet, Input, Observed, Outcome, Reading, Value};
use uriproof::vectors::Library;

/// The outcome of an input in every reading; none where they are all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadingOutcomes(BTreeMap<Reading, Outcome>);

impl ReadingOutcomes {
    /// What comes of `input`. A vector that has this input tells what no function computes: erratum 4547 changes examples
    /// and no algorithm.
    pub fn of(input: &Input, library: &Library) -> ReadingOutcomes {
        let vector = library.vectors().find(|vector| vector.input == *input);
        let answer = |reading| {
            let computed = expect(input, reading).into_literal();
            let of_vector =
                vector.and_then(|vector| Some(from_vector(input, vector.expect.get(&reading)?).into_literal()));
            of_vector.filter(|of_vector| !same_outcome(of_vector, &computed)).unwrap_or(computed)
        };
        let plain = answer(Reading::Rfc3986);
        // One at a time: the input may be long, and every answer holds a copy of it.
        let others = Reading::ALL.into_iter().filter(|&reading| reading != Reading::Rfc3986);
        let mut answers: BTreeMap<Reading, Outcome> = others
            .map(|reading| (reading, answer(reading)))
            .filter(|(_, other)| !same_outcome(other, &plain))
            .collect();
        if !answers.is_empty() {
            answers.insert(Reading::Rfc3986, plain);
        }
        ReadingOutcomes(answers)
    }

    /// Whether every reading has the same outcome.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The outcome in a reading, if it is printed: the plain text and each reading that differs from it.
    pub fn get(&self, reading: Reading) -> Option<&Outcome> {
        self.0.get(&reading)
    }

    /// The readings that are printed with their outcomes, the plain text first.
    pub fn iter(&self) -> impl Iterator<Item = (Reading, &Outcome)> {
        self.0.iter().map(|(&reading, outcome)| (reading, outcome))
    }

    /// The components in which the readings differ that accept.
    pub fn contested(&self) -> ComponentSet {
        let accepted: Vec<&Observed> = self.0.values().filter_map(components).collect();
        ComponentSet::of(|component| accepted.windows(2).any(|pair| pair[0].text(component) != pair[1].text(component)))
    }
}

/// The components of an outcome that has some.
pub(super) fn components(outcome: &Outcome) -> Option<&Observed> {
    match outcome {
        Outcome::Accepted {
            value: Value::Components(components),
        } => Some(components),
        _ => None,
    }
}

impl Serialize for ReadingOutcomes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(reading, outcome)| (reading.id(), outcome)))
    }
}

/// Whether two outcomes are the same, whatever is said of a rejection.
fn same_outcome(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => true,
        _ => one == other,
    }
}
