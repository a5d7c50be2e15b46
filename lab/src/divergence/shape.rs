//! What parts an input has: what must not change while single characters go, lest one difference becomes another.

mod drop_step;
mod form;
mod peculiarities;

use uriproof::model::{Component, Components, Input};
use uriproof::split::{UserinfoEnd, components};

pub use self::drop_step::drop_parts;
pub use self::form::Form;
pub(super) use self::form::{forms, is_split_otherwise, piece};
pub use self::peculiarities::peculiarities;
use super::parts::texts;

/// Which components the texts of an input have (by the split of Appendix B, whether they are well-formed or not), and of
/// what kind its schemes, hosts and paths are.
///
/// Two differences in the same component whose inputs have another shape have another cause more often than not:
/// `http://a:65536` is refused for its port, `http:` for want of a host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape(Vec<ShapeOfText>);

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct ShapeOfText {
    scheme: Option<SchemeKind>,
    userinfo: bool,
    host: Option<HostStart>,
    port: Option<PortKind>,
    path: Option<PathStart>,
    segments: Option<SegmentKinds>,
    query: bool,
    fragment: bool,
}

/// What of a scheme is not as it should be, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum SchemeKind {
    WellFormed,
    BadStart,
    BadCharacter,
}

/// What a host is by its first characters, and whether it has a "%". An empty one is a name too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum HostStart {
    Name,
    Encoded,
    Numeric,
    Literal,
    FutureLiteral,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum PortKind {
    Zero,
    SixteenBits,
    TooLarge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SegmentKinds {
    has_empty_ones: bool,
    has_dot_segments: bool,
}

impl SegmentKinds {
    fn of(path: &str) -> SegmentKinds {
        SegmentKinds {
            has_empty_ones: path.contains("//"),
            has_dot_segments: path.split('/').any(|segment| matches!(segment, "." | "..")),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum PathStart {
    Empty,
    Slash,
    Segment,
}

impl Shape {
    /// That of an input.
    pub fn of(input: &Input) -> Shape {
        let texts = texts(input);
        let whole = |text: &Option<String>| shape(&pieces(text.as_deref().unwrap_or_default()));
        // Where dot-segments are removed, it matters whether there are any, and whether there are empty ones.
        let with_segments = |text: &Option<String>| {
            let pieces = pieces(text.as_deref().unwrap_or_default());
            ShapeOfText {
                segments: Some(SegmentKinds::of(&pieces.path)),
                ..shape(&pieces)
            }
        };
        match input {
            Input::Compose { components } => Shape(vec![shape(components)]),
            Input::Modify { component, .. } => Shape(vec![whole(&texts[0]), of_value(*component, texts[1].as_deref())]),
            Input::Resolve { .. } => Shape(vec![whole(&texts[0]), with_segments(&texts[1])]),
            Input::Normalize { .. } | Input::Relativize { .. } => Shape(texts.iter().map(with_segments).collect()),
            Input::Parse { .. } | Input::Equivalent { .. } | Input::RoundTrip { .. } | Input::Contract { .. } => {
                Shape(texts.iter().map(whole).collect())
            }
        }
    }
}

/// The shape of what a component is set to.
fn of_value(component: Component, value: Option<&str>) -> ShapeOfText {
    let mut shape = ShapeOfText::default();
    match component {
        Component::Host => shape.host = value.map(host_kind),
        Component::Port => shape.port = value.map(port_kind),
        Component::Path => shape.path = value.map(path_start),
        _ => shape.query = value.is_some(),
    }
    shape
}

fn scheme_kind(scheme: &str) -> SchemeKind {
    let is_known = |character: char| character.is_ascii_alphanumeric() || "+-.".contains(character);
    if !scheme.starts_with(|first: char| first.is_ascii_alphabetic()) {
        SchemeKind::BadStart
    } else if !scheme.chars().all(is_known) {
        SchemeKind::BadCharacter
    } else {
        SchemeKind::WellFormed
    }
}

fn host_kind(host: &str) -> HostStart {
    match host.as_bytes() {
        [b'[', b'v' | b'V', ..] => HostStart::FutureLiteral,
        [b'[', ..] => HostStart::Literal,
        [b'0'..=b'9', ..] => HostStart::Numeric,
        _ if host.contains('%') => HostStart::Encoded,
        _ => HostStart::Name,
    }
}

/// An empty one, and what is no number, is as one that is not special.
fn port_kind(port: &str) -> PortKind {
    let digits = port.trim_start_matches('0');
    match digits.parse::<u16>() {
        Err(_) if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) => PortKind::TooLarge,
        _ if digits.is_empty() && !port.is_empty() => PortKind::Zero,
        _ => PortKind::SixteenBits,
    }
}

fn path_start(path: &str) -> PathStart {
    match path.as_bytes() {
        [] => PathStart::Empty,
        [b'/', ..] => PathStart::Slash,
        _ => PathStart::Segment,
    }
}

/// The components of a text, well-formed or not.
fn pieces(text: &str) -> Components {
    components(text, UserinfoEnd::LastAt).map(str::to_owned)
}

fn shape(pieces: &Components) -> ShapeOfText {
    ShapeOfText {
        scheme: pieces.scheme.as_deref().map(scheme_kind),
        userinfo: pieces.userinfo.is_some(),
        host: pieces.host.as_deref().map(host_kind),
        port: pieces.port.as_deref().map(port_kind),
        path: Some(path_start(&pieces.path)),
        segments: None,
        query: pieces.query.is_some(),
        fragment: pieces.fragment.is_some(),
    }
}
