//! Suites for the algorithms: resolution (§5.2), normalization (§6.2), comparison (§6.1), composition and printing (§5.3).
//!
//! Each operation has a core suite, which runs in seconds, and a standard suite, which is larger. The inputs are generated:
//! all that can be made of a stated set of parts. The outcomes that conform are those that the reference
//! [expects](crate::expect::expect).
//!
//! A library that passes the core suite is right on every input that its module lists, and no theorem says more:
//!
//! | operation | what is run |
//! |---|---|
//! | `normalize` | in each component: each octet, each of the 484 spellings of a triplet alone, behind and before others, each pair of 26 classes of symbols; each path of up to two segments of 13 classes, and of up to four of five classes, absolute, rootless and behind an authority, each absolute one of up to three of 13; hosts, ports and paths under each name of a scheme; both scopes |
//! | `resolve` | each component of base and reference undefined, empty and present, strict and not; each reference path of up to three segments of 13 classes, and of up to four of five; each base path of up to three segments of six classes; characters and triplets in each component of both; each pair of names of schemes |
//! | `equivalent`, `contract` | each triplet beside its other spellings and beside the character; each pair of classes of symbols in each component; each component undefined, empty and of several values, beside each other, on each rung; paths beside their neighbours; simple comparison is run on the components alone |
//! | `compose`, `modify` | each component undefined, empty, valid and invalid, in the combinations that a rule connects; each octet of US-ASCII in each component |
//! | `round-trip`, `relativize` | references of every shape; all pairs of a set of URIs |
//! | `parse` | the core suite of the grammar, which is complete for parsers of no more states than the minimal automaton; whole references around each vector of a single rule, numerals as lenient readers take them, each reference that is one edit from one of five |
//!
//! A path of more segments, a symbol of a class that behaves in another way than the one that stands for it, a state that lasts longer
//! than two symbols: these no suite of this size finds. `hunt` looks for them.

mod comparison;
mod composition;
mod normalization;
mod parsing;
mod resolution;
mod score;
mod words;

pub use self::parsing::lifted;
pub use self::score::{Group, GroupKey, PREFIX, SuiteScore};
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
    let mut seen = std::collections::HashSet::with_capacity(inputs.len());
    let is_first: Vec<bool> = inputs.iter().map(|input| seen.insert(input)).collect();
    let mut is_first = is_first.into_iter();
    inputs.retain(|_| is_first.next() == Some(true));
    inputs
}
