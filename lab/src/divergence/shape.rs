//! What parts an input has: what must not change while single characters go, lest one difference becomes another.

use rfc3986_reference::characters::leading_triplet;
use rfc3986_reference::components::parse;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{Strictness, resolve};
use uriproof::model::{Component, Components, Input, Outcome, Reading, Reported, Rule, Value};
use uriproof::run::Result;
use uriproof::split::{UserinfoEnd, components, split};

use super::parts::{in_order, is_optional, texts, with_texts};
use super::plain::{BASES, PATHS};

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

/// What is wrong with the texts of an input, and what of their hosts and ports is out of the ordinary.
///
/// Two inputs that are invalid in other parts, or of which one has an IP literal, have other causes nearly always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Peculiarities(Vec<OfText>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct OfText {
    faults: Vec<PartFault>,
    host: Option<HostStart>,
    port: Option<PortKind>,
}

/// A part that does not match its rule, or may not stand where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartFault {
    EmptyScheme,
    Scheme(SchemeKind),
    Userinfo,
    Host,
    Port,
    Path,
    /// A colon in the first segment of a relative path (section 4.2).
    Colon,
    /// Two slashes at the start of a path that no authority stands before (section 3.3).
    Slashes,
    Query,
    Fragment,
}

impl Peculiarities {
    /// Those of a text that is a whole URI-reference, well-formed or not.
    pub(super) fn of_text(text: &str) -> Peculiarities {
        Peculiarities(vec![peculiarities(&pieces(text))])
    }

    /// Those of an input.
    pub(super) fn of(input: &Input) -> Peculiarities {
        let texts = texts(input);
        let whole = |text: &Option<String>| peculiarities(&pieces(text.as_deref().unwrap_or_default()));
        Peculiarities(match input {
            Input::Compose { components } => vec![peculiarities(components)],
            Input::Modify { component, .. } => {
                let value = Components::default().with(*component, texts[1].as_deref());
                vec![whole(&texts[0]), peculiarities(&value)]
            }
            _ => texts.iter().map(whole).collect(),
        })
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

/// Of what form a component is, as one side has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Nothing is told of it.
    NotReported,
    /// It is undefined.
    Undefined,
    /// It is defined.
    Defined,
    /// It is a port that should not be, and does not stand in the input.
    MadeUp,
    /// It is a path that came out empty.
    EmptyPath,
}

/// The forms of a component that was expected and that was told; none where no components are told. What can be rejected
/// too, or is not said, is expected to be defined.
pub(super) fn forms(result: &Result, component: Component) -> [Option<Form>; 2] {
    let expected = match form(&result.expected.literal(), component) {
        None | Some(Form::EmptyPath) => Form::Defined,
        Some(other) => other,
    };
    let reported = form(&result.observed, component);
    let is_made_up = || match (&result.input, &result.observed) {
        (
            Input::Parse { input, .. },
            Outcome::Accepted {
                value: Value::Components(reported),
            },
        ) => matches!(reported.text(component), Reported::Defined(reported) if !input.contains(reported)),
        _ => false,
    };
    match (expected, reported) {
        (Form::Undefined, Some(Form::Defined)) if component == Component::Port && is_made_up() => {
            [Some(expected), Some(Form::MadeUp)]
        }
        _ => [Some(expected), reported],
    }
}

/// The text of a component of a URI, well-formed or not; the host for its kind.
pub(super) fn piece(uri: &str, component: Component) -> Option<String> {
    let component = match component {
        Component::HostKind => Component::Host,
        component => component,
    };
    pieces(uri).text(component).map(str::to_owned)
}

/// Whether a text that is no URI-reference is taken with a scheme or an authority that it does not have by the split of
/// Appendix B, or without one that it has.
pub(super) fn is_split_otherwise(result: &Result) -> bool {
    let (
        Input::Parse { input, .. },
        Outcome::Rejected { .. },
        Outcome::Accepted {
            value: Value::Components(reported),
        },
    ) = (&result.input, result.expected.literal(), &result.observed)
    else {
        return false;
    };
    let five = split(input);
    let differs = |reported: Reported<&str>, is_there: bool| match reported {
        Reported::Nothing => false,
        Reported::Undefined => is_there,
        Reported::Defined(_) => !is_there,
    };
    differs(reported.text(Component::Scheme), five.scheme.is_some())
        || differs(reported.text(Component::Host), five.authority.is_some())
}

fn form(outcome: &Outcome, component: Component) -> Option<Form> {
    let Outcome::Accepted { value } = outcome else {
        return None;
    };
    let of_text = |text: &str| match component {
        Component::Path if text.is_empty() => Form::EmptyPath,
        _ => Form::Defined,
    };
    match value {
        Value::Components(components) => Some(match components.text(component) {
            Reported::Nothing => Form::NotReported,
            Reported::Undefined => Form::Undefined,
            Reported::Defined(text) => of_text(text),
        }),
        Value::Uri(uri) => Some(piece(uri, component).map_or(Form::Undefined, |piece| of_text(&piece))),
        Value::Equivalent(_) | Value::Broken(_) => None,
    }
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

fn peculiarities(pieces: &Components) -> OfText {
    let is_unfit = |rule: Rule, text: &Option<String>| {
        text.as_ref().is_some_and(|text| rule.matches(text, Reading::Rfc3986).is_err())
    };
    let scheme = pieces.scheme.as_deref();
    let first = pieces.path.split('/').next().unwrap_or_default();
    let faults = [
        (scheme == Some("")).then_some(PartFault::EmptyScheme),
        scheme
            .filter(|scheme| !scheme.is_empty())
            .map(scheme_kind)
            .filter(|kind| *kind != SchemeKind::WellFormed)
            .map(PartFault::Scheme),
        is_unfit(Rule::Userinfo, &pieces.userinfo).then_some(PartFault::Userinfo),
        is_unfit(Rule::Host, &pieces.host).then_some(PartFault::Host),
        is_unfit(Rule::Port, &pieces.port).then_some(PartFault::Port),
        pieces
            .path
            .split('/')
            .any(|segment| Rule::Segment.matches(segment, Reading::Rfc3986).is_err())
            .then_some(PartFault::Path),
        (scheme.is_none() && pieces.host.is_none() && first.contains(':')).then_some(PartFault::Colon),
        (pieces.host.is_none() && pieces.path.starts_with("//")).then_some(PartFault::Slashes),
        is_unfit(Rule::Query, &pieces.query).then_some(PartFault::Query),
        is_unfit(Rule::Fragment, &pieces.fragment).then_some(PartFault::Fragment),
    ];
    // What is not closed is of one kind, whatever it begins with.
    let kind = |host: &str| match host_kind(host) {
        HostStart::FutureLiteral if !host.contains(']') => HostStart::Literal,
        kind => kind,
    };
    OfText {
        faults: faults.into_iter().flatten().collect(),
        host: pieces.host.as_deref().map(kind).filter(|kind| !matches!(kind, HostStart::Name | HostStart::Encoded)),
        port: pieces.port.as_deref().map(port_kind).filter(|kind| *kind != PortKind::SixteenBits),
    }
}

/// The text with these components; none if it would be split otherwise.
fn text_of(components: &Components) -> Option<String> {
    let text = components.recompose();
    (pieces(&text) == *components).then_some(text)
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

/// A step that leaves out a part, or puts the plainest of its kind in its place.
#[derive(Clone, Copy, Debug)]
enum DropStep {
    Fragment,
    Query,
    Port,
    Userinfo,
    Authority,
    Scheme,
    /// With a path that begins with a slash in the place of what the authority stood before.
    AuthorityAndRoot,
    /// With a letter before the path, which begins with two slashes.
    AuthorityBeforeSlashes,
    /// With the slashes before the first segment.
    AuthorityAndSlashes,
    /// The last of fragment, query, userinfo and host becomes the path, which is empty or goes.
    IntoPath,
    Path,
    PlainScheme,
    PlainHost,
    PlainLiteral,
    PlainPort,
    PlainPortWithZero,
    HostWithoutTriplets,
    HostWithoutFirstDigits,
    RootPath,
    Rootless,
    EmptySegments,
    DotSegments,
    /// With a dot for every triplet of one in the path.
    DecodedDots,
    /// The path with this place among those that are plainest.
    PlainPath(usize),
    /// The segment at a place, with the slash behind it.
    Segment(usize),
}

impl DropStep {
    /// The pieces after this step; none if it changes nothing.
    #[expect(clippy::too_many_lines, reason = "one arm for each step")]
    fn taken(self, pieces: &Components) -> Option<Components> {
        let mut after = pieces.clone();
        match self {
            DropStep::Fragment => after.fragment = None,
            DropStep::Query => after.query = None,
            DropStep::Port => after.port = None,
            DropStep::Userinfo => after.userinfo = None,
            DropStep::Authority => [after.userinfo, after.host, after.port] = [None, None, None],
            DropStep::Scheme => after.scheme = None,
            DropStep::AuthorityAndRoot if after.host.is_some() && !after.path.starts_with('/') => {
                [after.userinfo, after.host, after.port] = [None, None, None];
                after.path.insert(0, '/');
            }
            DropStep::AuthorityAndRoot => {}
            DropStep::AuthorityBeforeSlashes if after.host.is_some() && after.path.starts_with("//") => {
                [after.userinfo, after.host, after.port] = [None, None, None];
                after.path.insert(0, 'a');
            }
            DropStep::AuthorityBeforeSlashes => {}
            DropStep::AuthorityAndSlashes if after.host.is_some() => {
                [after.userinfo, after.host, after.port] = [None, None, None];
                after.path = after.path.trim_start_matches('/').to_owned();
            }
            DropStep::AuthorityAndSlashes => {}
            DropStep::IntoPath => {
                let is_bare = after.userinfo.is_none() && after.port.is_none();
                let is_userinfo_alone = after.port.is_none() && after.host.as_deref() == Some("");
                if let Some(fragment) = after.fragment.take() {
                    after.path = fragment;
                } else if let Some(query) = after.query.take() {
                    after.path = query;
                } else if let Some(userinfo) = after.userinfo.take_if(|_| is_userinfo_alone) {
                    after.host = None;
                    after.path = userinfo;
                } else if is_bare && after.host.as_ref().is_some_and(|host| !host.starts_with('[')) {
                    after.path = after.host.take().unwrap_or_default();
                }
            }
            DropStep::PlainLiteral if after.host.as_ref().is_some_and(|host| host.starts_with('[')) => {
                after.host = Some("[::]".to_owned());
            }
            DropStep::PlainLiteral => {}
            DropStep::PlainPort if after.port.as_ref().is_some_and(|port| port.len() > 1 || port == "0") => {
                after.port = Some("1".to_owned());
            }
            DropStep::PlainPort => {}
            DropStep::PlainPortWithZero
                if after.port.as_ref().is_some_and(|port| port.len() > 1 && port.starts_with('0')) =>
            {
                after.port = Some("01".to_owned());
            }
            DropStep::PlainPortWithZero => {}
            DropStep::Path => after.path.clear(),
            DropStep::PlainScheme => after.scheme = after.scheme.map(|_| "a".to_owned()),
            DropStep::PlainHost if after.host.as_ref().is_some_and(|host| !host.is_empty()) => {
                after.host = Some("a".to_owned());
            }
            DropStep::PlainHost => {}
            DropStep::HostWithoutTriplets => after.host = after.host.as_deref().map(without_triplets),
            DropStep::HostWithoutFirstDigits => {
                if let Some(host) = &mut after.host {
                    let rest = host.trim_start_matches(|character: char| character.is_ascii_digit());
                    if rest.len() < host.len() {
                        *host = format!("a{rest}");
                    }
                }
            }
            DropStep::Rootless => after.path = after.path.trim_start_matches('/').to_owned(),
            DropStep::EmptySegments => {
                while after.path.contains("//") {
                    after.path = after.path.replace("//", "/");
                }
            }
            DropStep::PlainPath(place) => {
                let own = PATHS.iter().position(|path| *path == pieces.path).unwrap_or(PATHS.len());
                let plain = PATHS[place.min(own.saturating_sub(1))];
                let is_alike = SegmentKinds::of(plain) == SegmentKinds::of(&pieces.path);
                if place < own && is_alike && !pieces.path.is_empty() {
                    after.path = plain.to_owned();
                }
            }
            DropStep::DecodedDots => after.path = after.path.replace("%2e", ".").replace("%2E", "."),
            DropStep::DotSegments => {
                let plain = |segment| if matches!(segment, "." | "..") { "a" } else { segment };
                let segments: Vec<&str> = pieces.path.split('/').map(plain).collect();
                after.path = segments.join("/");
            }
            DropStep::RootPath if after.path.len() > 1 && after.path.starts_with('/') => after.path.truncate(1),
            DropStep::RootPath => {}
            DropStep::Segment(place) => {
                let mut segments: Vec<&str> = pieces.path.split('/').collect();
                if segments.len() > 1 && place < segments.len() {
                    segments.remove(place);
                    after.path = segments.join("/");
                }
            }
        }
        (after != *pieces).then_some(after)
    }
}

/// With a letter in the place of every triplet.
fn without_triplets(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('%') {
        plain.push_str(&rest[..start]);
        let is_triplet = leading_triplet(&rest.as_bytes()[start..]).is_some();
        plain.push(if is_triplet { 'a' } else { '%' });
        rest = &rest[start + if is_triplet { 3 } else { 1 }..];
    }
    plain + rest
}

/// Leaves out components, parts of the authority and segments, each in its context, while `same` holds: of several texts
/// the same part of all first, then that of one.
///
/// Deterministic; no further step that it knows can be taken from its result.
pub fn drop_parts(input: &Input, same: &mut dyn FnMut(&Input) -> bool) -> Input {
    /// Of how many segments each is tried for itself.
    const SEGMENTS: usize = 32;
    let mut input = input.clone();
    loop {
        let before = input.clone();
        let simple = [
            DropStep::Fragment,
            DropStep::Query,
            DropStep::Port,
            DropStep::Userinfo,
            DropStep::Authority,
            DropStep::Scheme,
            DropStep::AuthorityAndRoot,
            DropStep::AuthorityBeforeSlashes,
            DropStep::AuthorityAndSlashes,
            DropStep::IntoPath,
            DropStep::Path,
            DropStep::PlainScheme,
            DropStep::PlainHost,
            DropStep::PlainLiteral,
            DropStep::PlainPort,
            DropStep::PlainPortWithZero,
            DropStep::HostWithoutTriplets,
            DropStep::HostWithoutFirstDigits,
            DropStep::RootPath,
            DropStep::Rootless,
            DropStep::EmptySegments,
            DropStep::DecodedDots,
            DropStep::DotSegments,
        ];
        let segments = (0..SEGMENTS).rev().map(DropStep::Segment);
        let paths = (0..PATHS.len()).map(DropStep::PlainPath);
        for step in simple.into_iter().chain(segments).chain(paths) {
            while let Some(smaller) = stepped(&input, step).into_iter().find(|smaller| same(smaller)) {
                input = smaller;
            }
        }
        for smaller in other_questions(&input).into_iter().chain(with_plainer_value(&input)) {
            if same(&smaller) {
                input = smaller;
                break;
            }
        }
        if input == before {
            return input;
        }
    }
}

/// The inputs that a step leads to: taken in all texts, then in each.
fn stepped(input: &Input, step: DropStep) -> Vec<Input> {
    let own = texts(input);
    if let Input::Compose { components } = input {
        let after = step.taken(components);
        return after.map(|components| Input::Compose { components }).into_iter().collect();
    }
    let taken: Vec<Option<String>> = own
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let text = text.as_ref().filter(|_| !is_optional(input, at))?;
            text_of(&step.taken(&pieces(text))?)
        })
        .collect();
    let mut all = Vec::new();
    if taken.len() > 1 && taken.iter().all(Option::is_some) {
        all.push(with_texts(input, &taken));
    }
    for (at, text) in taken.into_iter().enumerate() {
        if text.is_some() {
            let mut texts = own.clone();
            texts[at] = text;
            all.push(with_texts(input, &texts));
        }
    }
    all
}

/// The same question with another base, the plainest first; or with its texts the other way round.
fn other_questions(input: &Input) -> Vec<Input> {
    match input {
        Input::Resolve {
            base,
            reference,
            strict,
        } => {
            let question = |(base, reference)| Input::Resolve {
                base,
                reference,
                strict: *strict,
            };
            let bare = [without_base(base, reference), already_merged(base, reference)];
            let with_other_base = plainer_bases(base).map(|other| (other.to_owned(), reference.clone()));
            bare.into_iter().flatten().chain(with_other_base).map(question).collect()
        }
        Input::Equivalent { .. } | Input::Contract { .. } => in_order(input).into_iter().collect(),
        Input::Relativize { base, target } => plainer_bases(base)
            .map(|base| Input::Relativize {
                base: base.to_owned(),
                target: target.clone(),
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The same component set to something plainer, the plainest first.
fn with_plainer_value(input: &Input) -> Vec<Input> {
    const HOSTS: &[&str] = &["", "a", "[::]"];
    let Input::Modify {
        uri,
        component,
        value: Some(value),
    } = input
    else {
        return Vec::new();
    };
    let plain: Vec<&str> = match component {
        Component::Host => HOSTS.to_vec(),
        Component::Path => [""].iter().chain(PATHS).copied().collect(),
        _ => Vec::new(),
    };
    let own = plain.iter().position(|plain| plain == value).unwrap_or(plain.len());
    plain[..own]
        .iter()
        .map(|plain| Input::Modify {
            uri: uri.clone(),
            component: *component,
            value: Some((*plain).to_owned()),
        })
        .collect()
}

fn plainer_bases(base: &str) -> impl Iterator<Item = &'static str> {
    let own = BASES.iter().position(|other| *other == base).unwrap_or(BASES.len());
    BASES[..own].iter().copied()
}

/// What resolves to the same target, of a base that is no more than a scheme; none if the base is no more already.
fn without_base(base: &str, reference: &str) -> Option<(String, String)> {
    let parsed = parse(base, Reading::Rfc3986).ok()?;
    let r = parse(reference, Reading::Rfc3986).ok()?;
    let bare = format!("{}:", parsed.components.scheme?);
    if base == bare && r.components.scheme.is_none() {
        return None;
    }
    let target = resolve(&parsed.components, &r.components, Strictness::Strict, Reading::Rfc3986).target;
    let bare = format!("{}:", target.scheme?);
    let target = recompose(&target);
    let rest = target.get(bare.len()..)?;
    Some((bare, rest.to_owned()))
}

/// What resolves to the same target, of a base that is no more than a scheme, with the dot-segments that are still to be
/// removed; none if the reference is not merged with the base.
fn already_merged(base: &str, reference: &str) -> Option<(String, String)> {
    let parsed = parse(base, Reading::Rfc3986).ok()?;
    let r = parse(reference, Reading::Rfc3986).ok()?;
    let bare = format!("{}:", parsed.components.scheme?);
    let is_merged = resolve(&parsed.components, &r.components, Strictness::Strict, Reading::Rfc3986).merged;
    if base == bare {
        return None;
    }
    let mut rest = r.components.clone();
    rest.path = is_merged?.into();
    rest.authority = parsed.components.authority;
    Some((bare, recompose(&rest)))
}
