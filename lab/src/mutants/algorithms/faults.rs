//! Mutants that are made by rule: every octet in every component, every class of segment at every place of every path, every branch
//! under every name of a scheme. None of them was chosen by hand.

use rfc3986_reference::characters::is_unreserved;
use uriproof::algorithms::SCHEMES;
use uriproof::model::Component;

/// What a mutant does otherwise than the algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlgorithmFault {
    /// A triplet of this octet, in this component.
    Triplet(Component, u8, TripletFault),
    /// A segment of this class, at this place of the path of this branch, is taken for another.
    Segment(PathBranch, SegmentPlace, SegmentClass, TakenFor),
    /// Under this name of a scheme.
    Scheme(&'static str, SchemeFault),
    /// This octet of US-ASCII, in this component of what a producer composes, sets or prints.
    Character(Component, u8, CharacterFault),
    /// Of a relativizer.
    Relativize(RelativizeFault),
}

/// What a producer does with a character of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterFault {
    /// It refuses the character though the component takes it.
    Refused,
    /// It percent-encodes the character though the component takes it.
    Encoded,
    /// It takes the character as it is though the component does not.
    Taken,
}

/// What a relativizer takes for the base's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativizeFault {
    /// This component of the target, whatever it is, if those before it are the same.
    Ignored(Component),
    /// This component of the target if it differs only in case, and those before it are the same.
    CaseIgnored(Component),
    /// The characters that the two paths begin with, whether a segment ends there or not.
    CommonCharacters,
    /// What the target's path begins with if it is the folder of the base's, whether a segment ends there or not.
    FolderAsPrefix,
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
pub enum PathBranch {
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
    LosesQuery(PathBranch),
    /// The path of this branch keeps its dot-segments.
    KeepsDots(PathBranch),
    /// The normal form keeps the triplets of this component.
    KeepsTriplets(Component),
    /// The normal form keeps the case of a host.
    KeepsCase,
}

/// The components that have triplets.
pub(super) const COMPONENTS: [Component; 5] = [
    Component::Userinfo,
    Component::Host,
    Component::Path,
    Component::Query,
    Component::Fragment,
];

const BRANCHES: [PathBranch; 5] = [
    PathBranch::Normalize,
    PathBranch::Scheme,
    PathBranch::Authority,
    PathBranch::Absolute,
    PathBranch::Merged,
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
pub(super) fn misread(fault: Option<AlgorithmFault>, branch: PathBranch, path: &str) -> (String, Vec<&str>) {
    let Some(AlgorithmFault::Segment(own, place, class, taken)) = fault else {
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

pub(super) fn of_triplets(done: TripletFault) -> impl Iterator<Item = AlgorithmFault> {
    let concerns = move |octet: u8| match done {
        TripletFault::Decoded => !is_unreserved(octet),
        TripletFault::Kept => is_unreserved(octet),
        TripletFault::CaseKept => !is_unreserved(octet) && format!("{octet:x}") != format!("{octet:X}"),
    };
    COMPONENTS.into_iter().flat_map(move |component| {
        (0..=255)
            .filter(move |octet| concerns(*octet))
            .map(move |octet| AlgorithmFault::Triplet(component, octet, done))
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
fn changes_nothing(branch: PathBranch, place: SegmentPlace, class: SegmentClass, taken: TakenFor) -> bool {
    match (place, class, taken) {
        // Nothing stands before the segment that ".." could take away, and "a/" is what becomes of "a/.".
        (SegmentPlace::Alone, SegmentClass::Empty, TakenFor::Dot | TakenFor::DotDot)
        | (SegmentPlace::Alone | SegmentPlace::First, SegmentClass::Dot, TakenFor::DotDot)
        | (SegmentPlace::Alone | SegmentPlace::First, SegmentClass::DotDot, TakenFor::Dot)
        | (SegmentPlace::Last, SegmentClass::Empty, TakenFor::Dot) => true,
        // "//" begins an authority, and "b:" a scheme: no such path comes into the branch.
        (SegmentPlace::First, SegmentClass::Empty, _) => branch == PathBranch::Absolute,
        (SegmentPlace::Alone, SegmentClass::Colon, _) => branch == PathBranch::Merged,
        _ => false,
    }
}

pub(super) fn of_segments() -> Vec<AlgorithmFault> {
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
                        faults.push(AlgorithmFault::Segment(branch, place, class, taken));
                    }
                }
            }
        }
    }
    faults
}

pub(super) fn of_schemes() -> (Vec<AlgorithmFault>, Vec<AlgorithmFault>) {
    let (mut resolve, mut normalize) = (Vec::new(), Vec::new());
    for name in SCHEMES {
        let branches = [
            PathBranch::Scheme,
            PathBranch::Authority,
            PathBranch::Absolute,
            PathBranch::Merged,
        ];
        let of_branch =
            branches.into_iter().flat_map(|branch| [SchemeFault::LosesQuery(branch), SchemeFault::KeepsDots(branch)]);
        resolve.extend(
            of_branch
                .chain([SchemeFault::LosesQuery(PathBranch::Empty)])
                .map(|done| AlgorithmFault::Scheme(name, done)),
        );
        let of_component = COMPONENTS.into_iter().map(SchemeFault::KeepsTriplets);
        let others = [SchemeFault::KeepsDots(PathBranch::Normalize), SchemeFault::KeepsCase];
        normalize.extend(of_component.chain(others).map(|done| AlgorithmFault::Scheme(name, done)));
    }
    (resolve, normalize)
}
