//! Leaves out whole parts of an input, or puts the plainest of their kind in their place.

use rfc3986_reference::characters::leading_triplet;
use rfc3986_reference::components::parse;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{Strictness, resolve};
use uriproof::model::{Component, Components, Input, Reading};

use super::super::parts::{Texts, in_order, is_optional, texts, with_texts};
use super::super::plain::{BASES, PATHS};
use super::{SegmentKinds, pieces};

/// Leaves out components, parts of the authority and segments, each in its context, while `same` holds: of several texts
/// the same part of all first, then that of one.
///
/// Deterministic; no further step that it knows can be taken from its result.
pub fn drop_parts(input: &Input, same: &mut dyn FnMut(&Input) -> bool) -> Input {
    /// Of how many segments each is tried for itself.
    const SEGMENTS: usize = 32;
    let mut input = InputInPieces::of(input.clone());
    loop {
        let before = input.input.clone();
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
            while let Some(smaller) = input.stepped(step).into_iter().find(|smaller| same(smaller)) {
                input = InputInPieces::of(smaller);
            }
        }
        let mut others = other_questions(&input.input).into_iter().chain(with_plainer_value(&input.input));
        if let Some(smaller) = others.find(|smaller| same(smaller)) {
            input = InputInPieces::of(smaller);
        }
        if input.input == before {
            return input.input;
        }
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
    /// Whether the pieces have the part that this step changes; most have not, and need not be copied to find that out.
    fn has_part(self, pieces: &Components) -> bool {
        match self {
            DropStep::Fragment => pieces.fragment.is_some(),
            DropStep::Query => pieces.query.is_some(),
            DropStep::Scheme | DropStep::PlainScheme => pieces.scheme.is_some(),
            DropStep::Userinfo => pieces.userinfo.is_some(),
            DropStep::Port | DropStep::PlainPort | DropStep::PlainPortWithZero => pieces.port.is_some(),
            // Pieces that are composed can have a port and no host.
            DropStep::Authority | DropStep::IntoPath => true,
            DropStep::AuthorityAndRoot
            | DropStep::AuthorityBeforeSlashes
            | DropStep::AuthorityAndSlashes
            | DropStep::PlainHost
            | DropStep::PlainLiteral
            | DropStep::HostWithoutTriplets
            | DropStep::HostWithoutFirstDigits => pieces.host.is_some(),
            DropStep::Path
            | DropStep::RootPath
            | DropStep::Rootless
            | DropStep::EmptySegments
            | DropStep::DecodedDots
            | DropStep::DotSegments
            | DropStep::PlainPath(_) => !pieces.path.is_empty(),
            DropStep::Segment(place) => pieces.path.split('/').nth(place.max(1)).is_some(),
        }
    }

    /// The pieces after this step; none if it changes nothing.
    #[expect(clippy::too_many_lines, reason = "one arm for each step")]
    fn taken(self, pieces: &Components) -> Option<Components> {
        if !self.has_part(pieces) {
            return None;
        }
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

/// An input, with its texts and the pieces of each.
struct InputInPieces {
    input: Input,
    texts: Texts,
    /// Of each text that is always there.
    pieces: Vec<Option<Components>>,
}

impl InputInPieces {
    fn of(input: Input) -> InputInPieces {
        let texts = texts(&input);
        let of_text = |(at, text): (usize, &Option<String>)| {
            let text = text.as_ref().filter(|_| !is_optional(&input, at))?;
            Some(pieces(text))
        };
        let pieces = match &input {
            Input::Compose { .. } => Vec::new(),
            _ => texts.iter().enumerate().map(of_text).collect(),
        };
        InputInPieces { input, texts, pieces }
    }

    /// The inputs that a step leads to: taken in all texts, then in each.
    fn stepped(&self, step: DropStep) -> Vec<Input> {
        if let Input::Compose { components } = &self.input {
            let after = step.taken(components);
            return after.map(|components| Input::Compose { components }).into_iter().collect();
        }
        let taken = self.pieces.iter().map(|pieces| text_of(&step.taken(pieces.as_ref()?)?));
        let taken: Texts = taken.collect();
        let mut all = Vec::new();
        if taken.len() > 1 && taken.iter().all(Option::is_some) {
            all.push(with_texts(&self.input, &taken));
        }
        for (at, text) in taken.into_iter().enumerate() {
            if text.is_some() {
                let mut texts = self.texts.clone();
                texts[at] = text;
                all.push(with_texts(&self.input, &texts));
            }
        }
        all
    }
}

/// The text with these components; none if it would be split otherwise.
fn text_of(components: &Components) -> Option<String> {
    let text = components.recompose();
    (pieces(&text) == *components).then_some(text)
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
