//! Mutants that are made by rule: every octet in every component, every class of segment at every place of every path, every branch
//! under every name of a scheme. None of them was chosen by hand.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rayon::prelude::*;
use rfc3986_reference::characters::{is_reserved, is_unreserved};
use serde::{Deserialize, Serialize};
use uriproof::algorithms::{self, SCHEMES, Size};
use uriproof::compare::{Verdict, compare};
use uriproof::expect::{Expected, expect, from_vector};
use uriproof::model::{Component, Input, Operation, Reading, Rung, Scope};
use uriproof::vectors::Library;

use super::{Algorithms, DECLARATION, Edit};
use crate::mutants::Rate;

/// What a mutant does otherwise than the algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A triplet of this octet, in this component.
    Triplet(Component, u8, TripletFault),
    /// A segment of this class, at this place of the path of this branch, is taken for another.
    Segment(Branch, SegmentPlace, SegmentClass, TakenFor),
    /// Under this name of a scheme.
    Scheme(&'static str, SchemeFault),
}

/// What becomes of a triplet (§6.2.2.1, §6.2.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TripletFault {
    /// It is decoded though its octet is not unreserved.
    Decoded,
    /// It stays though its octet is unreserved.
    Kept,
    /// Its digits keep their case.
    CaseKept,
}

/// Whose path it is (§5.2.2, §6.2.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// That of a URI that is normalized.
    Normalize,
    /// That of a reference with a scheme.
    Scheme,
    /// That of a reference with an authority.
    Authority,
    /// An absolute path of a reference.
    Absolute,
    /// A merged path.
    Merged,
    /// None of them: the path is kept, or the base's own.
    Empty,
}

/// Where a segment stands in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentPlace {
    /// It is the only one.
    Alone,
    /// It is the first of several.
    First,
    /// It is neither the first nor the last.
    Within,
    /// It is the last of several.
    Last,
}

/// Segments that an implementation could tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SegmentClass {
    /// "".
    Empty,
    /// ".".
    Dot,
    /// "..".
    DotDot,
    /// "..." and more dots.
    Dots,
    /// A dot, and something else behind it.
    Hidden,
    /// "%2e" and its kind.
    EncodedDots,
    /// With a colon.
    Colon,
    /// With parameters behind a semicolon.
    Parameters,
    /// With an encoded slash.
    EncodedSlash,
    /// Letters and digits alone.
    Plain,
}

/// What a segment is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenFor {
    /// A segment that stays as it is.
    Ordinary,
    /// ".".
    Dot,
    /// "..".
    DotDot,
}

/// What is wrong under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeFault {
    /// The target of this branch has no query.
    LosesQuery(Branch),
    /// The path of this branch keeps its dot-segments.
    KeepsDots(Branch),
    /// The normal form keeps the triplets of this component.
    KeepsTriplets(Component),
    /// The normal form keeps the case of a host.
    KeepsCase,
}

/// The components that have triplets.
const COMPONENTS: [Component; 5] = [
    Component::Userinfo,
    Component::Host,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

const BRANCHES: [Branch; 5] = [
    Branch::Normalize,
    Branch::Scheme,
    Branch::Authority,
    Branch::Absolute,
    Branch::Merged,
];

impl SegmentClass {
    /// Those that a fault takes for another. That encoded dots are dots is no mistake: a normalizer has decoded them, and a target may be
    /// normalized.
    const ALL: [SegmentClass; 9] = [
        SegmentClass::Empty,
        SegmentClass::Dot,
        SegmentClass::DotDot,
        SegmentClass::Dots,
        SegmentClass::Hidden,
        SegmentClass::Colon,
        SegmentClass::Parameters,
        SegmentClass::EncodedSlash,
        SegmentClass::Plain,
    ];

    fn of(segment: &str) -> SegmentClass {
        let upper = segment.to_ascii_uppercase();
        match segment {
            "" => SegmentClass::Empty,
            "." => SegmentClass::Dot,
            ".." => SegmentClass::DotDot,
            _ if segment.bytes().all(|octet| octet == b'.') => SegmentClass::Dots,
            _ if upper.replace("%2E", "").is_empty() => SegmentClass::EncodedDots,
            _ if segment.contains(';') => SegmentClass::Parameters,
            _ if upper.contains("%2F") => SegmentClass::EncodedSlash,
            _ if segment.contains(':') => SegmentClass::Colon,
            _ if segment.starts_with('.') => SegmentClass::Hidden,
            _ => SegmentClass::Plain,
        }
    }
}

/// The path with each segment that a fault is about taken for what it says, and the segments that go under another name.
pub(super) fn misread(fault: Option<Fault>, branch: Branch, path: &str) -> (String, Vec<&str>) {
    let Some(Fault::Segment(own, place, class, taken)) = fault else {
        return (path.to_owned(), Vec::new());
    };
    if own != branch {
        return (path.to_owned(), Vec::new());
    }
    let (slash, rest) = match path.strip_prefix('/') {
        Some(rest) => ("/", rest),
        None => ("", path),
    };
    let last = rest.split('/').count() - 1;
    let mut hidden = Vec::new();
    let segments = rest.split('/').enumerate().map(|(at, segment)| {
        let is_there = match place {
            SegmentPlace::Alone => last == 0,
            SegmentPlace::First => at == 0 && last > 0,
            SegmentPlace::Within => at > 0 && at < last,
            SegmentPlace::Last => at == last && last > 0,
        };
        if !is_there || SegmentClass::of(segment) != class {
            return segment.to_owned();
        }
        match taken {
            TakenFor::Dot => ".".to_owned(),
            TakenFor::DotDot => "..".to_owned(),
            TakenFor::Ordinary => {
                hidden.push(segment);
                name_of_hidden(hidden.len() - 1)
            }
        }
    });
    let segments = segments.collect::<Vec<_>>().join("/");
    (format!("{slash}{segments}"), hidden)
}

/// The name under which a segment that stays as it is goes through the algorithm. Nothing else has it.
pub(super) fn name_of_hidden(number: usize) -> String {
    format!("\0{number}\0")
}

fn of_triplets(done: TripletFault) -> impl Iterator<Item = Fault> {
    let concerns = move |octet: u8| match done {
        TripletFault::Decoded => !is_unreserved(octet),
        TripletFault::Kept => is_unreserved(octet),
        TripletFault::CaseKept => !is_unreserved(octet) && format!("{octet:x}") != format!("{octet:X}"),
    };
    COMPONENTS.into_iter().flat_map(move |component| {
        (0..=255).filter(move |octet| concerns(*octet)).map(move |octet| Fault::Triplet(component, octet, done))
    })
}

fn is_right(class: SegmentClass, taken: TakenFor) -> bool {
    let right = match class {
        SegmentClass::Dot => TakenFor::Dot,
        SegmentClass::DotDot => TakenFor::DotDot,
        _ => TakenFor::Ordinary,
    };
    taken == right
}

/// Whether no path shows the fault.
fn changes_nothing(branch: Branch, place: SegmentPlace, class: SegmentClass, taken: TakenFor) -> bool {
    match (place, class, taken) {
        // Nothing stands before the segment that ".." could take away, and "a/" is what becomes of "a/.".
        (SegmentPlace::Alone, SegmentClass::Empty, TakenFor::Dot | TakenFor::DotDot)
        | (SegmentPlace::Alone | SegmentPlace::First, SegmentClass::Dot, TakenFor::DotDot)
        | (SegmentPlace::Alone | SegmentPlace::First, SegmentClass::DotDot, TakenFor::Dot)
        | (SegmentPlace::Last, SegmentClass::Empty, TakenFor::Dot) => true,
        // "//" begins an authority, and "b:" a scheme: no such path comes into the branch.
        (SegmentPlace::First, SegmentClass::Empty, _) => branch == Branch::Absolute,
        (SegmentPlace::Alone, SegmentClass::Colon, _) => branch == Branch::Merged,
        _ => false,
    }
}

fn of_segments() -> Vec<Fault> {
    let mut faults = Vec::new();
    for branch in BRANCHES {
        for place in [
            SegmentPlace::Alone,
            SegmentPlace::First,
            SegmentPlace::Within,
            SegmentPlace::Last,
        ] {
            for class in SegmentClass::ALL {
                for taken in [TakenFor::Ordinary, TakenFor::Dot, TakenFor::DotDot] {
                    if !is_right(class, taken) && !changes_nothing(branch, place, class, taken) {
                        faults.push(Fault::Segment(branch, place, class, taken));
                    }
                }
            }
        }
    }
    faults
}

fn of_schemes() -> (Vec<Fault>, Vec<Fault>) {
    let (mut resolve, mut normalize) = (Vec::new(), Vec::new());
    for name in SCHEMES {
        let branches = [Branch::Scheme, Branch::Authority, Branch::Absolute, Branch::Merged];
        let of_branch =
            branches.into_iter().flat_map(|branch| [SchemeFault::LosesQuery(branch), SchemeFault::KeepsDots(branch)]);
        resolve.extend(of_branch.chain([SchemeFault::LosesQuery(Branch::Empty)]).map(|done| Fault::Scheme(name, done)));
        let of_component = COMPONENTS.into_iter().map(SchemeFault::KeepsTriplets);
        let others = [SchemeFault::KeepsDots(Branch::Normalize), SchemeFault::KeepsCase];
        normalize.extend(of_component.chain(others).map(|done| Fault::Scheme(name, done)));
    }
    (resolve, normalize)
}

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
struct Inputs {
    inputs: Vec<(Input, OnceLock<Expected>)>,
    /// The places of those that have a triplet of this octet.
    by_octet: BTreeMap<u8, Vec<usize>>,
}

impl Inputs {
    fn of(inputs: impl Iterator<Item = (Input, OnceLock<Expected>)>) -> Inputs {
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
        Inputs { inputs, by_octet }
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
    fn kill_fault(&self, fault: Fault) -> Option<usize> {
        let algorithms = Algorithms::with_fault(fault);
        match fault {
            Fault::Triplet(_, octet, _) => {
                self.by_octet.get(&octet)?.iter().copied().find(|&at| self.kills(at, algorithms))
            }
            Fault::Segment(..) | Fault::Scheme(..) => self.kill(algorithms),
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
    let suites: Vec<Inputs> = operations
        .into_iter()
        .map(|operation| {
            Inputs::of(algorithms::inputs(operation, Size::Core).into_iter().map(|input| (input, OnceLock::new())))
        })
        .collect();
    let is_killed = |edit: &Edit| suites.iter().any(|suite| suite.kill(Algorithms::with(*edit)).is_some());
    Edit::ALL.par_iter().map(is_killed).collect()
}

/// The inputs of a kind: of the vectors, and of the core suites.
fn inputs(library: &Library, kind: InputKind) -> (Inputs, Inputs) {
    let vectors = library.vectors().filter(|vector| kind.takes(&vector.input)).map(|vector| {
        let expected = from_vector(&vector.input, vector.expectation(Reading::Rfc3986));
        (vector.input.clone(), OnceLock::from(expected))
    });
    let suite = algorithms::inputs(kind.operation(), Size::Core).into_iter().filter(|input| kind.takes(input));
    (
        Inputs::of(vectors),
        Inputs::of(suite.map(|input| (input, OnceLock::new()))),
    )
}

/// What the mutants of a family do, the kinds of inputs in which they are planted, and the mutants.
type Family = (&'static str, &'static [InputKind], Vec<Fault>);

/// A kind of inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum InputKind {
    Syntax,
    Scheme,
    Equivalent,
    Resolve,
}

impl InputKind {
    const ALL: [InputKind; 4] = [
        InputKind::Syntax,
        InputKind::Scheme,
        InputKind::Equivalent,
        InputKind::Resolve,
    ];

    fn name(self) -> &'static str {
        match self {
            InputKind::Syntax => "normalize, scope syntax",
            InputKind::Scheme => "normalize, scope scheme",
            InputKind::Equivalent => "equivalent, rung syntax",
            InputKind::Resolve => "resolve",
        }
    }

    fn operation(self) -> Operation {
        match self {
            InputKind::Syntax | InputKind::Scheme => Operation::Normalize,
            InputKind::Equivalent => Operation::Equivalent,
            InputKind::Resolve => Operation::Resolve,
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
            Input::Resolve { .. } => self == InputKind::Resolve,
            _ => false,
        }
    }
}

fn families() -> Vec<Family> {
    const NORMALIZE: &[InputKind] = &[InputKind::Syntax, InputKind::Scheme];
    let (of_normalize, of_resolve): (Vec<Fault>, Vec<Fault>) =
        of_segments().into_iter().partition(|fault| matches!(fault, Fault::Segment(Branch::Normalize, ..)));
    let (names_of_resolve, names_of_normalize) = of_schemes();
    let triplets = |done| of_triplets(done).collect::<Vec<_>>();
    // What stands in no URI for itself is compared with nothing: characters that are not reserved, "[" and "]" but around a host, "#"
    // in a fragment, "@" behind another. A host that is in lower case has its triplets so on both sides.
    let compared_decoded = of_triplets(TripletFault::Decoded)
        .filter(|fault| match fault {
            Fault::Triplet(Component::Fragment, b'#', _) | Fault::Triplet(Component::Userinfo, b'@', _) => false,
            Fault::Triplet(_, octet, _) => is_reserved(*octet) && !matches!(octet, b'[' | b']'),
            _ => false,
        })
        .collect();
    let compared_in_case = of_triplets(TripletFault::CaseKept)
        .filter(|fault| !matches!(fault, Fault::Triplet(Component::Host, ..)))
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

/// Puts the vectors and the core suites to every mutant.
pub(super) fn measure(library: &Library) -> Vec<FaultRow> {
    let kinds: BTreeMap<InputKind, (Inputs, Inputs)> =
        InputKind::ALL.into_iter().map(|kind| (kind, inputs(library, kind))).collect();
    let mut rows = Vec::new();
    for (does, of_kinds, faults) in families() {
        for kind in of_kinds {
            let (vectors, suite) = &kinds[kind];
            let killed: Vec<(Fault, Option<usize>, Option<usize>)> =
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
