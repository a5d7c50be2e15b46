//! What the generator chooses between, and how often each choice is taken.

use uriproof::model::Rule;

/// Choices with their weights.
pub(super) type Weighted<T> = &'static [(u32, T)];

/// How often each operation is generated.
pub(super) const PARSE: u32 = 40;
pub(super) const RESOLVE: u32 = 25;
pub(super) const NORMALIZE: u32 = 13;
pub(super) const COMPOSE: u32 = 9;
pub(super) const EQUIVALENT: u32 = 13;
pub(super) const RELATIVIZE: u32 = 5;
pub(super) const MODIFY: u32 = 8;
pub(super) const ROUND_TRIP: u32 = 4;
pub(super) const CONTRACT: u32 = 5;

/// The rule that a string is parsed as.
pub(super) const RULES: Weighted<Rule> = &[
    (17, Rule::UriReference),
    (1, Rule::Uri),
    (1, Rule::AbsoluteUri),
    (1, Rule::RelativeRef),
];

/// What is parsed. Of the last two all have their turn before one has another, so that none is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParsedKind {
    /// Any string.
    Any,
    /// What takes a transition of the grammar's machine.
    Transition,
    /// A shape of undefined, empty and other components.
    Shape,
}

pub(super) const PARSED: Weighted<ParsedKind> = &[
    (9, ParsedKind::Any),
    (2, ParsedKind::Transition),
    (1, ParsedKind::Shape),
];

/// Where a string that stands for itself comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringSource {
    /// Valid by construction.
    GrammarShaped,
    /// That, with an edit or two.
    NearMiss,
    /// Characters of every kind.
    Raw,
    /// A few delimiters and the like.
    Short,
    /// Parts of two recent strings.
    Spliced,
    /// A string of the vectors, with an edit.
    Vector,
    /// Valid, and made of words that libraries single out.
    Worded,
    /// That, with an edit or two.
    NearlyWorded,
}

pub(super) const SOURCES: Weighted<StringSource> = &[
    (6, StringSource::Worded),
    (4, StringSource::NearlyWorded),
    (45, StringSource::GrammarShaped),
    (32, StringSource::NearMiss),
    (4, StringSource::Raw),
    (7, StringSource::Short),
    (6, StringSource::Spliced),
    (6, StringSource::Vector),
];

/// Whether the components of a shape are drawn evenly, or most are undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Density {
    Even,
    Sparse,
}

pub(super) const DENSITIES: Weighted<Density> = &[(1, Density::Even), (1, Density::Sparse)];

/// Whether a component is defined, and whether it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    Undefined,
    Empty,
    Text,
}

pub(super) const EVEN: Weighted<Presence> = &[(1, Presence::Undefined), (1, Presence::Empty), (1, Presence::Text)];
pub(super) const SPARSE: Weighted<Presence> = &[(8, Presence::Undefined), (1, Presence::Empty), (3, Presence::Text)];

/// How a path begins. Behind an authority a rootless one is absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathShape {
    Empty,
    Absolute,
    Rootless,
}

pub(super) const PATHS: Weighted<PathShape> = &[
    (3, PathShape::Empty),
    (5, PathShape::Absolute),
    (3, PathShape::Rootless),
];

/// Where the text of a component comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// A list of the component's own.
    Listed,
    /// A few characters that the component allows.
    Drawn,
    /// Such characters and triplets.
    Encoded,
    /// Up to 80 characters.
    Long,
    /// A character that folds or composes, in triplets.
    Folding,
}

pub(super) const WORDINGS: Weighted<Wording> = &[
    (40, Wording::Listed),
    (25, Wording::Drawn),
    (10, Wording::Encoded),
    (1, Wording::Long),
    (2, Wording::Folding),
];

/// How many segments follow the first.
pub(super) const FURTHER_SEGMENTS: Weighted<usize> = &[(8, 0), (6, 1), (4, 2), (2, 3), (1, 5)];

/// One path in so many is deep.
pub(super) const DEEP: usize = 24;

/// The kinds of host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostShape {
    Name,
    NearlyIpv4,
    Ipv4,
    Ipv6,
    IpvFuture,
}

pub(super) const HOSTS: Weighted<HostShape> = &[
    (8, HostShape::Name),
    (2, HostShape::NearlyIpv4),
    (3, HostShape::Ipv4),
    (10, HostShape::Ipv6),
    (2, HostShape::IpvFuture),
];

/// Which alternative of IPv6address, counted from 0. Drawn evenly, the first and the seventh left transitions of the
/// grammar's machine untaken.
pub(super) const IPV6_SHAPES: Weighted<usize> =
    &[(3, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 6), (1, 7), (1, 8)];

/// The ways in which a string is changed that may make it invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringEdit {
    Delete,
    Insert,
    Replace,
    Swap,
    Double,
    /// A delimiter goes.
    DropDelimiter,
    /// A delimiter stands twice.
    DoubleDelimiter,
    /// What stands between two delimiters goes.
    DropPart,
    /// What stands between two delimiters stands twice.
    DoublePart,
    /// Two such parts change places.
    SwapParts,
    /// A text that is known for trouble goes in.
    InsertFragment,
    /// A character that no URI has goes in.
    InsertExcluded,
    /// A character that folds or composes goes in.
    InsertFolding,
    /// A triplet loses a digit, or there is a "%" that begins none.
    BreakTriplet,
    /// An IP-literal gets what it must not have, or there is a bracket where none may be.
    BreakLiteral,
    /// A number becomes another, of the kind that octets and ports must not be.
    BreakNumber,
    /// An octet becomes a number that is none.
    BreakOctet,
    /// An "@" or ":" more in the authority.
    BreakAuthority,
}

pub(super) const EDITS: Weighted<StringEdit> = &[
    (4, StringEdit::Delete),
    (6, StringEdit::Insert),
    (5, StringEdit::Replace),
    (2, StringEdit::Swap),
    (2, StringEdit::Double),
    (2, StringEdit::DropDelimiter),
    (2, StringEdit::DoubleDelimiter),
    (1, StringEdit::DropPart),
    (1, StringEdit::DoublePart),
    (2, StringEdit::SwapParts),
    (3, StringEdit::InsertFragment),
    (4, StringEdit::InsertExcluded),
    (2, StringEdit::InsertFolding),
    (2, StringEdit::BreakTriplet),
    (4, StringEdit::BreakLiteral),
    (2, StringEdit::BreakNumber),
    (6, StringEdit::BreakOctet),
    (3, StringEdit::BreakAuthority),
];

/// One edit in so many is followed by another.
pub(super) const SECOND_EDIT: usize = 3;

/// Where a base and a reference come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairSource {
    /// A base, and a reference made for it.
    Shaped,
    /// Those, and one of the two edited.
    Edited,
    /// Any string as reference.
    AnyReference,
    /// Any string as base: a relative one, or an invalid one.
    AnyBase,
    /// Those of a vector, and one of the two edited.
    Vector,
    /// A base made of words that libraries single out, and a reference with one of them.
    Worded,
}

pub(super) const PAIRS: Weighted<PairSource> = &[
    (3, PairSource::Worded),
    (30, PairSource::Shaped),
    (6, PairSource::Edited),
    (5, PairSource::AnyReference),
    (1, PairSource::AnyBase),
    (4, PairSource::Vector),
];

/// What a reference is made for: the branches of RFC 3986 §5.2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceShape {
    /// A scheme of its own, with whatever follows.
    Scheme,
    /// The base's scheme, in its case or another.
    SameScheme,
    Authority,
    EmptyPath,
    AbsolutePath,
    RelativePath,
}

pub(super) const REFERENCES: Weighted<ReferenceShape> = &[
    (2, ReferenceShape::Scheme),
    (4, ReferenceShape::SameScheme),
    (3, ReferenceShape::Authority),
    (3, ReferenceShape::EmptyPath),
    (4, ReferenceShape::AbsolutePath),
    (7, ReferenceShape::RelativePath),
];

/// The ways in which a URI is spelled otherwise that make no difference (RFC 3986 §6.2.2, §6.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Respelling {
    SchemeCase,
    HostCase,
    TripletCase,
    Encode,
    Decode,
    Dots,
    Port,
    Root,
}

pub(super) const RESPELLINGS: Weighted<Respelling> = &[
    (2, Respelling::SchemeCase),
    (3, Respelling::HostCase),
    (3, Respelling::TripletCase),
    (4, Respelling::Encode),
    (3, Respelling::Decode),
    (4, Respelling::Dots),
    (3, Respelling::Port),
    (2, Respelling::Root),
];

/// Where what is normalized, or compared with something, comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Original {
    /// A URI of a scheme that has rules, most often.
    Uri,
    /// A relative reference.
    Relative,
    /// Any string.
    Any,
    /// That of a vector, with an edit.
    Vector,
    /// Made of words that libraries single out, and respelled.
    Worded,
}

pub(super) const ORIGINALS: Weighted<Original> = &[
    (4, Original::Worded),
    (30, Original::Uri),
    (4, Original::Relative),
    (5, Original::Any),
    (4, Original::Vector),
];

/// What a URI is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counterpart {
    /// Itself, spelled otherwise.
    Respelled,
    /// That, with an edit.
    Nearly,
    /// The same, but for a reserved character that is encoded in one alone: another URI.
    Reserved,
    /// The same, but for a query or a fragment that one alone has.
    Toggled,
    /// Itself.
    Same,
    /// Another URI.
    Other,
    /// Any string.
    Any,
}

pub(super) const COUNTERPARTS: Weighted<Counterpart> = &[
    (20, Counterpart::Respelled),
    (10, Counterpart::Nearly),
    (6, Counterpart::Reserved),
    (4, Counterpart::Toggled),
    (1, Counterpart::Same),
    (2, Counterpart::Other),
    (1, Counterpart::Any),
];

/// What takes a component's place among those that are composed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    Undefined,
    /// A text that this component must not have, or not beside some others.
    Unfit,
    /// The same component of another URI-reference.
    Other,
    /// Its own text, with an edit.
    Edited,
}

pub(super) const DISTURBANCES: Weighted<Disturbance> = &[
    (2, Disturbance::Undefined),
    (4, Disturbance::Unfit),
    (3, Disturbance::Other),
    (3, Disturbance::Edited),
];

/// How many components are disturbed.
pub(super) const DISTURBED: Weighted<usize> = &[(2, 0), (5, 1), (3, 2), (1, 4)];

/// One set of components in so many is that of a vector.
pub(super) const VECTOR_COMPONENTS: usize = 10;

/// One string in so many is kept, for parts of it to come again.
pub(super) const KEPT: usize = 4;

/// The families of words that libraries single out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordFamily {
    /// A scheme without an authority, and what belongs behind it.
    Opaque,
    /// A scheme of files, with a host or none, and a drive letter most often.
    File,
    /// A drive letter where a scheme or a first segment is.
    Drive,
    /// A host that has a meaning.
    Host,
    /// Segments that servers and browsers treat as dot-segments or cut.
    Path,
}

pub(super) const FAMILIES: Weighted<WordFamily> = &[
    (3, WordFamily::Opaque),
    (3, WordFamily::File),
    (2, WordFamily::Drive),
    (4, WordFamily::Host),
    (2, WordFamily::Path),
];

/// One set of components in so many is made of words that libraries single out.
pub(super) const WORDED_COMPONENTS: usize = 12;

/// With a dictionary one input in so many gets a word of it.
pub(super) const FROM_DICTIONARY: usize = 3;

/// Where a word of a dictionary goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordPosition {
    /// In the place of a component, or of a segment.
    Part,
    /// Behind a delimiter.
    Behind,
    /// Somewhere.
    Anywhere,
    /// Before all.
    Start,
    /// Behind all.
    End,
    /// In the place of all.
    Whole,
}

pub(super) const POSITIONS: Weighted<WordPosition> = &[
    (6, WordPosition::Part),
    (2, WordPosition::Behind),
    (1, WordPosition::Anywhere),
    (1, WordPosition::Start),
    (1, WordPosition::End),
    (1, WordPosition::Whole),
];

/// Where a string for one rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleSource {
    /// It takes a transition of the rule's machine; all have their turn before one has another.
    Transition,
    /// A walk through the rule's machine.
    Walk,
    /// The text of a component, or of a part of one, as URI-references have it.
    Piece,
}

pub(super) const RULE_SOURCES: Weighted<RuleSource> = &[
    (4, RuleSource::Transition),
    (2, RuleSource::Walk),
    (4, RuleSource::Piece),
];

/// One string for a rule in so many has an edit.
pub(super) const RULE_EDITED: usize = 4;
