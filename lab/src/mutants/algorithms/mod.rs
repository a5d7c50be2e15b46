//! Mutants of the algorithms: resolve, merge, remove_dot_segments, recompose, normalization and the comparison ladder
//! (RFC 3986 §5.2, §5.3, §6.2), written once more with a place for every [`Edit`]. Without an edit they are the reference,
//! which a test proves; with one they are a mutant, and a vector that a mutant fails *kills* it.
//!
//! No edit is among them that the RFC licenses elsewhere: a path that keeps a ".." at the end of the base (erratum 4789) or
//! a target in normal form comes of a base or a target that was normalized first, which §5.2.1 leaves open.
//!
//! What is parsed is parsed by the reference: mutants of the syntax are mutants of the [grammar](super::grammar).

mod characters;
mod dot_segments;
mod edits;
mod equivalence;
mod faults;
mod kill;
mod normalize;
mod parts;
mod recompose;
mod relativize;
mod resolve;
mod triplets;

use rayon::prelude::*;
use rfc3986_reference::components::parse;
use serde::{Deserialize, Serialize};
use uriproof::compare::{Verdict, compare};
use uriproof::expect::{Expected, expect, from_vector};
use uriproof::model::{Component, Components, Declaration, EVERYTHING, Input, Operation, Outcome, Reading, Vector};
use uriproof::vectors::Library;

pub use self::edits::{Algorithm, Edit};
pub use self::faults::{
    AlgorithmFault, CharacterFault, PathBranch, RelativizeFault, SchemeFault, SegmentClass, SegmentPlace, TakenFor,
    TripletFault,
};
pub use self::kill::FaultRow;
use self::parts::Parts;
use super::Rate;

/// The algorithms, with one edit or one fault, or with none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Algorithms {
    edit: Option<Edit>,
    fault: Option<AlgorithmFault>,
}

impl Algorithms {
    /// Those of RFC 3986 with one edit.
    pub fn with(edit: Edit) -> Algorithms {
        Algorithms {
            edit: Some(edit),
            fault: None,
        }
    }

    /// Those of RFC 3986 with one fault.
    pub fn with_fault(fault: AlgorithmFault) -> Algorithms {
        Algorithms {
            edit: None,
            fault: Some(fault),
        }
    }

    fn has_fault(self, fault: AlgorithmFault) -> bool {
        self.fault == Some(fault)
    }

    fn has(self, edit: Edit) -> bool {
        self.edit == Some(edit)
    }

    /// What comes of an input. Operations that none of the algorithms has a part in, and inputs that the RFC has no answer
    /// to, are left to the reference.
    pub fn answer(self, input: &Input) -> Outcome {
        match input {
            Input::Resolve {
                base,
                reference,
                strict,
            } => outcome(self.resolve_reference(base, reference, *strict)),
            Input::Normalize { uri: of, scope } if !is_relative(of) => outcome(self.normalize(of, *scope)),
            Input::Compose { components } => outcome(self.compose(components)),
            Input::Equivalent { left, right, rung } if !(is_relative(left) || is_relative(right)) => {
                match self.equivalent(left, right, *rung) {
                    Some(equivalent) => Outcome::equivalent(equivalent),
                    None => Outcome::rejected("not what the operation takes"),
                }
            }
            Input::Modify { component, .. } => self.on(*component).modify(input),
            Input::RoundTrip { uri: of } => outcome(self.print(of)),
            Input::Relativize { base, target } => match self.fault {
                Some(AlgorithmFault::Relativize(fault)) => match relativize::relativized(base, target, fault) {
                    Some(other) => Outcome::uri(other),
                    None => expect(input, Reading::Rfc3986).literal(),
                },
                _ => expect(input, Reading::Rfc3986).literal(),
            },
            Input::Normalize { .. } | Input::Equivalent { .. } | Input::Parse { .. } | Input::Contract { .. } => {
                expect(input, Reading::Rfc3986).literal()
            }
        }
    }

    /// Without a fault of characters in another component.
    fn on(self, component: Component) -> Algorithms {
        match self.fault {
            Some(AlgorithmFault::Character(other, ..)) if other != component => Algorithms::default(),
            _ => self,
        }
    }

    fn modify(self, input: &Input) -> Outcome {
        let literal = || expect(input, Reading::Rfc3986).literal();
        let Input::Modify { uri, component, value } = input else {
            return literal();
        };
        let parsed = parse(uri, Reading::Rfc3986).ok();
        match (parsed, component) {
            // "the path component is never undefined" (§5.2.1).
            (None, _) | (_, Component::Path) if value.is_none() => literal(),
            (parsed, _) => outcome(
                parsed.and_then(|parsed| self.compose(&Components::from(&parsed).with(*component, value.as_deref()))),
            ),
        }
    }

    fn print(self, uri: &str) -> Option<String> {
        match self.fault {
            // A URI is what its components make up (§5.3).
            Some(AlgorithmFault::Character(..)) => {
                parse(uri, Reading::Rfc3986).ok().and_then(|parsed| self.compose(&Components::from(&parsed)))
            }
            _ => Parts::parse(uri).map(|parts| self.recompose(&parts)),
        }
    }
}

/// The URI, or that the input is refused.
fn outcome(uri: Option<String>) -> Outcome {
    match uri {
        Some(uri) => Outcome::uri(uri),
        None => Outcome::rejected("not what the operation takes"),
    }
}

fn is_relative(text: &str) -> bool {
    Parts::parse(text).is_some_and(|parts| parts.scheme.is_none())
}

/// What the vectors kill of the algorithms' mutants, as it is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Killed {
    /// The version of this format: 1.
    pub uriproof: u64,
    /// Every mutant, in the order of the algorithms.
    pub mutants: Vec<AlgorithmMutant>,
    /// Mutants that are made by rule, by what they do.
    pub faults: Vec<FaultRow>,
}

/// A mutant, and what kills it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlgorithmMutant {
    /// The name of its edit.
    pub name: String,
    /// The algorithm that the edit changes.
    pub algorithm: String,
    /// The clause that it breaks.
    pub clause: String,
    /// What it does otherwise.
    pub does: String,
    /// The first vector that kills it, in the order of the files; none: it survives.
    pub killed_by: Option<String>,
    /// The first of the RFC's own examples that does.
    pub killed_by_example: Option<String>,
    /// Whether the core suites kill it.
    pub killed_by_suites: bool,
}

impl Killed {
    /// The rate of the vectors and that of the RFC's own examples alone, of the mutants of one algorithm or of all.
    pub fn rates(&self, algorithm: Option<Algorithm>) -> (Rate, Rate) {
        let mutants = || {
            let is_wanted = move |name: &str| algorithm.is_none_or(|algorithm| algorithm.name() == name);
            self.mutants.iter().filter(move |mutant| is_wanted(&mutant.algorithm))
        };
        (
            Rate::of(mutants(), |mutant| mutant.killed_by.is_some()),
            Rate::of(mutants(), |mutant| mutant.killed_by_example.is_some()),
        )
    }

    /// The rate of the core suites, of the mutants of one algorithm or of all.
    pub fn rate_of_suites(&self, algorithm: Option<Algorithm>) -> Rate {
        let is_wanted =
            |mutant: &&AlgorithmMutant| algorithm.is_none_or(|algorithm| algorithm.name() == mutant.algorithm);
        Rate::of(self.mutants.iter().filter(is_wanted), |mutant| mutant.killed_by_suites)
    }

    /// The mutants that no vector kills.
    pub fn survivors(&self) -> impl Iterator<Item = &AlgorithmMutant> {
        self.mutants.iter().filter(|mutant| mutant.killed_by.is_none())
    }
}

/// What a mutant can show: everything, character by character.
static DECLARATION: Declaration =
    Declaration::new("mutant", env!("CARGO_PKG_VERSION"), "algorithms", &Operation::ALL).with_tells(EVERYTHING);

/// A vector with what it expects.
struct PreparedVector<'a> {
    vector: &'a Vector,
    expected: Expected,
}

impl PreparedVector<'_> {
    fn kills(&self, algorithms: Algorithms) -> bool {
        let (input, answer) = (&self.vector.input, algorithms.answer(&self.vector.input));
        let verdict = compare(&DECLARATION, input, &self.expected, &answer);
        matches!(verdict, Verdict::Diverge(_))
    }
}

/// Puts every vector to every mutant, and the core suites to those that are made by rule; it takes seconds.
pub fn measure(library: &Library) -> Killed {
    let mut mutants = measure_edits(library);
    for (mutant, is_killed) in mutants.iter_mut().zip(kill::edits_killed()) {
        mutant.killed_by_suites = is_killed;
    }
    Killed {
        uriproof: 1,
        mutants,
        faults: kill::measure(library),
    }
}

/// Puts every vector to every mutant that was chosen by hand, and no suite.
pub fn measure_edits(library: &Library) -> Vec<AlgorithmMutant> {
    let asked: Vec<_> = library
        .vectors()
        .map(|vector| PreparedVector {
            vector,
            expected: from_vector(&vector.input, vector.expectation(Reading::Rfc3986)),
        })
        .collect();
    let mutant = |edit: &Edit| {
        let algorithms = Algorithms::with(*edit);
        let first = |folder: &str| {
            let wanted = asked.iter().filter(|asked| asked.vector.id.starts_with(folder));
            wanted
                .map(|asked| (asked.kills(algorithms), &asked.vector.id))
                .find(|(kills, _)| *kills)
                .map(|(_, id)| id.clone())
        };
        AlgorithmMutant {
            name: format!("{edit:?}"),
            algorithm: edit.algorithm().to_string(),
            clause: edit.clause().to_owned(),
            does: edit.does().to_owned(),
            killed_by: first(""),
            killed_by_example: first("rfc/"),
            killed_by_suites: false,
        }
    };
    Edit::ALL.par_iter().map(mutant).collect()
}
