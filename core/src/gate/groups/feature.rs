//! What is particular about an input, in words: what failures can have in common.

mod operation;
mod text;

use crate::model::{Component, Input};

pub(super) use self::text::UNKNOWN_SCHEME;
use self::text::of_text;

/// What every invalid string is.
const INVALID: &str = "a string that is invalid";

/// Something that an input has and others do not, as a noun phrase: `an IPvFuture address`. Two inputs share it if the words are the
/// same, whatever the operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Feature {
    /// Of features that the same inputs have, the one with the least rank names them.
    pub(super) rank: FeatureRank,
    /// The noun phrase.
    pub(super) words: String,
    /// Whether it says that something is invalid.
    pub(super) is_fault: bool,
}

/// How much a feature says, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FeatureRank {
    /// All that is invalid, or all that is invalid in a component.
    Fault,
    /// What kind of host it is, or of path, or that a component is empty.
    Form,
    /// What the operation does with it.
    Operation,
    /// A kind of character in a component.
    Kind,
    /// A character in a component.
    Character,
    /// A kind of character anywhere.
    Anywhere,
    /// That a component is there.
    Presence,
}

/// Collects the features of an input.
#[derive(Default)]
pub(super) struct Features(Vec<Feature>);

impl Features {
    /// Those of an input, each once, in order.
    pub(super) fn of(input: &Input) -> Vec<Feature> {
        let mut features = Features::default();
        operation::add(&mut features, input);
        let Features(mut features) = features;
        features.sort();
        features.dedup();
        features
    }

    fn add(&mut self, rank: FeatureRank, words: impl Into<String>) {
        let (words, is_fault) = (words.into(), rank == FeatureRank::Fault);
        self.0.push(Feature { rank, words, is_fault });
    }

    /// Marks those from a place on as faults.
    fn mark_faults(&mut self, from: usize) {
        self.0[from..].iter_mut().for_each(|feature| feature.is_fault = true);
    }

    fn add_if(&mut self, holds: bool, rank: FeatureRank, words: impl Into<String>) {
        if holds {
            self.add(rank, words);
        }
    }
}

/// Whether a text of the input is invalid, or a component that is to be set.
pub(super) fn has_fault(input: &Input) -> bool {
    Features::of(input).iter().any(|feature| feature.is_fault)
}

/// The component with its article: `a host`.
pub(super) fn a(component: Component) -> &'static str {
    match component {
        Component::Scheme => "a scheme",
        Component::Userinfo => "a userinfo",
        Component::Host => "a host",
        Component::HostKind => "a kind of host",
        Component::Port => "a port",
        Component::Path => "a path",
        Component::Query => "a query",
        Component::Fragment => "a fragment",
    }
}
