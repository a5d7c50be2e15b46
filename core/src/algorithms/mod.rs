//! Suites for the algorithms: resolution (§5.2), normalization (§6.2), comparison (§6.1), composition and printing (§5.3).
//!
//! Each operation has a core suite, which runs in seconds, and a standard suite, which is larger. The inputs are generated:
//! all that can be made of a stated set of parts. The outcomes that conform are those that the reference
//! [expects](crate::expect::expect).
//!
//! A library that passes a suite is right on the inputs that [`claim`] states, and no theorem says more: [`DOES_NOT_MEAN`].

mod comparison;
mod composition;
mod marks;
mod normalization;
mod parsing;
mod resolution;
mod score;
#[cfg(feature = "whatwg")]
pub mod whatwg;
mod words;

pub use self::marks::{AnswerDigest, AnswerMarks};
pub use self::parsing::{lifted, of_profile};
pub use self::score::ignores_scheme;
pub(crate) use self::score::shows_better;
pub use self::score::{Group, GroupKey, PREFIX, SuiteScore, split_marks};
pub use self::words::SCHEMES;
use crate::model::{Input, Operation};

/// How large a suite is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For every change of a library: it runs in seconds.
    Core,
    /// Longer paths, and every pair of shapes.
    Standard,
}

impl Size {
    /// `core` or `standard`.
    pub fn name(self) -> &'static str {
        match self {
            Size::Core => "core",
            Size::Standard => "standard",
        }
    }
}

/// On which inputs an implementation is right that passes the suite of an operation.
pub fn claim(operation: Operation, size: Size) -> &'static str {
    match (operation, size) {
        (Operation::Normalize, Size::Core) => {
            "each octet and each of the 484 spellings of a triplet in each component, alone, behind and before others; each \
             text of a component, if the library writes it as a transducer of at most two states that treats the symbols of \
             each of 26 classes alike, a triplet being one symbol; each path of up to two segments of 13 classes, and of up to \
             four of five classes, absolute, rootless and behind an authority, each absolute one of up to three of 13; relative \
             paths of up to three segments; hosts, ports and paths under each of 14 names of schemes; in both scopes"
        }
        (Operation::Normalize, Size::Standard) => {
            "each octet and each of the 484 spellings of a triplet in each component, alone, behind and before others; each \
             text of a component, if the library writes it as a transducer of at most three states that treats the symbols of \
             each of 26 classes alike, a triplet being one symbol; each path of up to three segments of 13 classes, and of up to \
             six of five classes, absolute, rootless and behind an authority, each absolute one of up to four of 13; relative \
             paths of up to three segments; hosts, ports and paths under each of 14 names of schemes; in both scopes"
        }
        (Operation::Resolve, Size::Core) => {
            "each component of base and reference undefined, empty and present, strict and not; each reference path of up to \
             three segments of 13 classes, and of up to four of five; each base path of up to three segments of six classes; \
             characters and triplets in each component of both; each pair of 14 names of schemes"
        }
        (Operation::Resolve, Size::Standard) => {
            "each component of base and reference undefined, empty and present, strict and not; each reference path of up to \
             three segments of 13 classes, and of up to five of five; each base path of up to four segments of six classes; each \
             base path of up to two with each reference path of up to three of five classes; characters and triplets in each \
             component of both; each pair of 14 names of schemes"
        }
        (Operation::Equivalent | Operation::Contract, _) => {
            "each triplet beside its other spellings and beside the character; each pair of classes of symbols in each \
             component; each component undefined, empty and of several values, beside each other, on each rung; paths beside \
             their neighbours; in simple comparison only whole components"
        }
        (Operation::Compose | Operation::Modify, _) => {
            "each component undefined, empty, valid and invalid, in the combinations that a rule connects; each octet of \
             US-ASCII in each component"
        }
        (Operation::RoundTrip, _) => {
            "references of every shape; each octet of US-ASCII in each component that takes it"
        }
        (Operation::Relativize, _) => "all pairs of a set of some 90 URIs",
        (Operation::Parse, _) => {
            "every string, if it is a parser of no more states than the minimal automaton that treats the characters of a class \
             alike; whole references around each vector of a single rule; numerals as lenient readers take them; each reference \
             that is one edit from one of five"
        }
    }
}

/// What does not follow from a pass.
pub const DOES_NOT_MEAN: &str = "that a longer path is right, a symbol that is not treated like its class, or what \
                                 depends on more than two symbols before it; `hunt` looks for these";

/// The inputs of an operation's suite, each once, in the same order each time.
pub fn inputs(operation: Operation, size: Size) -> Vec<Input> {
    let mut inputs = match operation {
        Operation::Parse => parsing::inputs(),
        Operation::Resolve => resolution::inputs(size),
        Operation::Normalize => normalization::inputs(size),
        Operation::Equivalent => comparison::equivalent(size),
        Operation::Contract => comparison::contract(size),
        Operation::Compose => composition::compose(size),
        Operation::Modify => composition::modify(size),
        Operation::RoundTrip => composition::round_trip(size),
        Operation::Relativize => composition::relativize(size),
    };
    keep_first(&mut inputs);
    inputs
}

/// Keeps each input once.
pub(crate) fn keep_first(inputs: &mut Vec<Input>) {
    let mut seen = std::collections::HashSet::with_capacity(inputs.len());
    let is_first: Vec<bool> = inputs.iter().map(|input| seen.insert(input)).collect();
    let mut is_first = is_first.into_iter();
    inputs.retain(|_| is_first.next() == Some(true));
}
