//! What the vectors and the core suites kill of the mutants that are made by rule, and after how many inputs.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rayon::prelude::*;
use rfc3986_reference::characters::is_reserved;
use serde::{Deserialize, Serialize};
use uriproof::algorithms::{self, Size};
use uriproof::compare::{Verdict, compare};
use uriproof::expect::{Expected, expect, from_vector};
use uriproof::model::{Component, Input, Operation, Reading, Rung, Scope};
use uriproof::vectors::Library;

use super::characters::{has_octet, of_characters};
use super::faults::{AlgorithmFault, CharacterFault, PathBranch, TripletFault, of_schemes, of_segments, of_triplets};
use super::relativize::of_relativize;
use super::{Algorithms, DECLARATION, Edit};
use crate::mutants::Rate;

/// A row of the table: mutants of one kind in one operation, and what kills them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultRow {
    /// What the mutants do.
    pub does: String,
    /// The operation, with its scope.
    pub operation: String,
    /// What the vectors kill.
    pub vectors: Rate,
    /// What the core suites kill.
    pub suites: Rate,
    /// How many inputs of the core suite are of this kind.
    pub inputs: usize,
    /// After how many of them half of the mutants are killed, 90 %, 99 %, and all that are.
    pub until: [usize; 4],
    /// Those that the core suites do not kill.
    pub survivors: Vec<String>,
}

/// After how many inputs these shares of the mutants are killed: `first` has the place of the first input that kills each of them.
fn until(mut first: Vec<usize>) -> [usize; 4] {
    first.sort_unstable();
    [50, 90, 99, 100].map(|percent| {
        let killed = (first.len() * percent).div_ceil(100);
        killed.checked_sub(1).map_or(0, |last| first[last] + 1)
    })
}

/// The inputs of an operation, with what is expected of each.
struct SuiteInputs {
    inputs: Vec<(Input, OnceLock<Expected>)>,
    /// The places of those that have a triplet of this octet.
    by_octet: BTreeMap<u8, Vec<usize>>,
}

impl SuiteInputs {
    fn of(inputs: impl Iterator<Item = (Input, OnceLock<Expected>)>) -> SuiteInputs {
        let inputs: Vec<_> = inputs.collect();
        let mut by_octet: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
        for (at, (input, _)) in inputs.iter().enumerate() {
            let text = input.to_string();
            let octets =
                text.match_indices('%').filter_map(|(at, _)| u8::from_str_radix(text.get(at + 1..at + 3)?, 16).ok());
            for octet in octets {
                let places = by_octet.entry(octet).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        SuiteInputs { inputs, by_octet }
    }

    /// The place of the first that kills the algorithms.
    fn kill(&self, algorithms: Algorithms) -> Option<usize> {
        (0..self.inputs.len()).find(|&at| self.kills(at, algorithms))
    }

    fn kills(&self, at: usize, algorithms: Algorithms) -> bool {
        let (input, expected) = &self.inputs[at];
        let expected = expected.get_or_init(|| expect(input, Reading::Rfc3986));
        matches!(
            compare(&DECLARATION, input, expected, &algorithms.answer(input)),
            Verdict::Diverge(_)
        )
    }

    /// The place of the first that kills the algorithms with a fault.
    fn kill_fault(&self, fault: AlgorithmFault) -> Option<usize> {
        let algorithms = Algorithms::with_fault(fault);
        match fault {
            AlgorithmFault::Triplet(_, octet, _) => {
                self.by_octet.get(&octet)?.iter().copied().find(|&at| self.kills(at, algorithms))
            }
            AlgorithmFault::Character(component, octet, _) => (0..self.inputs.len())
                .find(|&at| has_octet(&self.inputs[at].0, component, octet) && self.kills(at, algorithms)),
            AlgorithmFault::Segment(..) | AlgorithmFault::Scheme(..) | AlgorithmFault::Relativize(_) => {
                self.kill(algorithms)
            }
        }
    }
}

/// Which edits the core suites kill.
pub(super) fn edits_killed() -> Vec<bool> {
    let operations = [
        Operation::Resolve,
        Operation::Normalize,
        Operation::Equivalent,
        Operation::Compose,
        Operation::Modify,
        Operation::RoundTrip,
    ];
    let suites: Vec<SuiteInputs> = operations
        .into_iter()
        .map(|operation| {
            SuiteInputs::of(algorithms::inputs(operation, Size::Core).into_iter().map(|input| (input, OnceLock::new())))
        })
        .collect();
    let is_killed = |edit: &Edit| suites.iter().any(|suite| suite.kill(Algorithms::with(*edit)).is_some());
    Edit::ALL.par_iter().map(is_killed).collect()
}

/// The inputs of a kind: of the vectors, and of the core suites.
fn inputs(library: &Library, kind: InputKind) -> (SuiteInputs, SuiteInputs) {
    let vectors = library.vectors().filter(|vector| kind.takes(&vector.input)).map(|vector| {
        let expected = from_vector(&vector.input, vector.expectation(Reading::Rfc3986));
        (vector.input.clone(), OnceLock::from(expected))
    });
    let suite = algorithms::inputs(kind.operation(), Size::Core).into_iter().filter(|input| kind.takes(input));
    (
        SuiteInputs::of(vectors),
        SuiteInputs::of(suite.map(|input| (input, OnceLock::new()))),
    )
}

/// What the mutants of a family do, the kinds of inputs in which they are planted, and the mutants.
type Family = (&'static str, &'static [InputKind], Vec<AlgorithmFault>);

/// A kind of inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum InputKind {
    Syntax,
    Scheme,
    Equivalent,
    Resolve,
    Compose,
    Modify,
    RoundTrip,
    Relativize,
}

impl InputKind {
    const ALL: [InputKind; 8] = [
        InputKind::Syntax,
        InputKind::Scheme,
        InputKind::Equivalent,
        InputKind::Resolve,
        InputKind::Compose,
        InputKind::Modify,
        InputKind::RoundTrip,
        InputKind::Relativize,
    ];

    fn name(self) -> &'static str {
        match self {
            InputKind::Syntax => "normalize, scope syntax",
            InputKind::Scheme => "normalize, scope scheme",
            InputKind::Equivalent => "equivalent, rung syntax",
            InputKind::Resolve
            | InputKind::Compose
            | InputKind::Modify
            | InputKind::RoundTrip
            | InputKind::Relativize => self.operation().name(),
        }
    }

    fn operation(self) -> Operation {
        match self {
            InputKind::Syntax | InputKind::Scheme => Operation::Normalize,
            InputKind::Equivalent => Operation::Equivalent,
            InputKind::Resolve => Operation::Resolve,
            InputKind::Compose => Operation::Compose,
            InputKind::Modify => Operation::Modify,
            InputKind::RoundTrip => Operation::RoundTrip,
            InputKind::Relativize => Operation::Relativize,
        }
    }

    fn takes(self, input: &Input) -> bool {
        match input {
            Input::Normalize {
                scope: Scope::Syntax, ..
            } => self == InputKind::Syntax,
            Input::Normalize {
                scope: Scope::Scheme, ..
            } => self == InputKind::Scheme,
            Input::Equivalent { rung: Rung::Syntax, .. } => self == InputKind::Equivalent,
            Input::Equivalent { .. } => false,
            other => self.operation() == other.operation(),
        }
    }
}

fn families() -> Vec<Family> {
    const NORMALIZE: &[InputKind] = &[InputKind::Syntax, InputKind::Scheme];
    let (of_normalize, of_resolve): (Vec<AlgorithmFault>, Vec<AlgorithmFault>) = of_segments()
        .into_iter()
        .partition(|fault| matches!(fault, AlgorithmFault::Segment(PathBranch::Normalize, ..)));
    let (names_of_resolve, names_of_normalize) = of_schemes();
    let triplets = |done| of_triplets(done).collect::<Vec<_>>();
    // What stands in no URI for itself is compared with nothing: characters that are not reserved, "[" and "]" but around a host, "#"
    // in a fragment, "@" behind another. A host that is in lower case has its triplets so on both sides.
    let compared_decoded = of_triplets(TripletFault::Decoded)
        .filter(|fault| match fault {
            AlgorithmFault::Triplet(Component::Fragment, b'#', _)
            | AlgorithmFault::Triplet(Component::Userinfo, b'@', _) => false,
            AlgorithmFault::Triplet(_, octet, _) => is_reserved(*octet) && !matches!(octet, b'[' | b']'),
            _ => false,
        })
        .collect();
    let compared_in_case = of_triplets(TripletFault::CaseKept)
        .filter(|fault| !matches!(fault, AlgorithmFault::Triplet(Component::Host, ..)))
        .collect();
    vec![
        (
            "decodes a triplet that is not unreserved",
            NORMALIZE,
            triplets(TripletFault::Decoded),
        ),
        (
            "decodes a triplet that is not unreserved",
            &[InputKind::Equivalent],
            compared_decoded,
        ),
        (
            "keeps a triplet that is unreserved",
            &[InputKind::Syntax, InputKind::Scheme, InputKind::Equivalent],
            triplets(TripletFault::Kept),
        ),
        (
            "keeps the case of a triplet",
            NORMALIZE,
            triplets(TripletFault::CaseKept),
        ),
        (
            "keeps the case of a triplet",
            &[InputKind::Equivalent],
            compared_in_case,
        ),
        ("takes a segment for another", NORMALIZE, of_normalize),
        ("takes a segment for another", &[InputKind::Resolve], of_resolve),
        ("another branch for the name of a scheme", NORMALIZE, names_of_normalize),
        (
            "another branch for the name of a scheme",
            &[InputKind::Resolve],
            names_of_resolve,
        ),
    ]
}

/// The families of producers and relativizers.
fn families_of_producers() -> Vec<Family> {
    const PRODUCERS: &[InputKind] = &[InputKind::Compose, InputKind::Modify, InputKind::RoundTrip];
    vec![
        (
            "refuses a character that the component takes",
            PRODUCERS,
            of_characters(CharacterFault::Refused),
        ),
        (
            "encodes a character that the component takes",
            PRODUCERS,
            of_characters(CharacterFault::Encoded),
        ),
        (
            "takes a character that the component does not",
            // What has such a character is no URI that could be printed.
            &[InputKind::Compose, InputKind::Modify],
            of_characters(CharacterFault::Taken),
        ),
        (
            "takes a part of the target for the base's",
            &[InputKind::Relativize],
            of_relativize(),
        ),
    ]
}

/// Puts the vectors and the core suites to every mutant.
pub(super) fn measure(library: &Library) -> Vec<FaultRow> {
    let kinds: BTreeMap<InputKind, (SuiteInputs, SuiteInputs)> =
        InputKind::ALL.into_iter().map(|kind| (kind, inputs(library, kind))).collect();
    let mut rows = Vec::new();
    for (does, of_kinds, faults) in families().into_iter().chain(families_of_producers()) {
        for kind in of_kinds {
            let (vectors, suite) = &kinds[kind];
            let killed: Vec<(AlgorithmFault, Option<usize>, Option<usize>)> =
                faults.par_iter().map(|&fault| (fault, vectors.kill_fault(fault), suite.kill_fault(fault))).collect();
            let survivors = killed.iter().filter(|(.., by_suite)| by_suite.is_none());
            rows.push(FaultRow {
                does: does.to_owned(),
                operation: kind.name().to_owned(),
                vectors: Rate::of(&killed, |(_, by_vectors, _)| by_vectors.is_some()),
                suites: Rate::of(&killed, |(.., by_suite)| by_suite.is_some()),
                inputs: suite.inputs.len(),
                until: until(killed.iter().filter_map(|(.., by_suite)| *by_suite).collect()),
                survivors: survivors.map(|(fault, ..)| format!("{fault:?}")).collect(),
            });
        }
    }
    rows
}
