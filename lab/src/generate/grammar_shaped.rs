//! URI-references that are valid by construction: every shape that the grammar has (RFC 3986 §3, §4.1).

use uriproof::model::Components;

use super::chance::Chance;
use super::host::host;
use super::text::{ComponentTexts, PORTS, QUERY, SCHEMES, SEGMENT, USERINFO};
use super::weights::{DEEP, DENSITIES, Density, EVEN, FURTHER_SEGMENTS, PATHS, PathShape, Presence, SPARSE, Weighted};

/// Which components there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct UriShape {
    pub(super) scheme: bool,
    pub(super) authority: Option<AuthorityShape>,
    pub(super) path: PathShape,
    pub(super) query: Presence,
    pub(super) fragment: Presence,
}

/// Which subcomponents an authority has.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuthorityShape {
    userinfo: Presence,
    host_is_empty: bool,
    port: Presence,
}

/// How many shapes there are: a scheme or none; no authority, or userinfo, host and port; a path; a query; a fragment.
pub(super) const SHAPES: usize = 2 * (1 + 3 * 2 * 3) * 2 * 3 * 3;

impl UriShape {
    /// The shape of a number below [`SHAPES`], with any path that it may have.
    pub(super) fn numbered(chance: &mut Chance, number: usize) -> UriShape {
        let mut left = number;
        let mut next = |count: usize| {
            let digit = left % count;
            left /= count;
            digit
        };
        let presence = |digit: usize| [Presence::Undefined, Presence::Empty, Presence::Text][digit];
        UriShape {
            fragment: presence(next(3)),
            query: presence(next(3)),
            path: match next(2) {
                0 => PathShape::Empty,
                _ => chance.of(&[PathShape::Absolute, PathShape::Rootless]),
            },
            scheme: next(2) == 1,
            authority: next(19).checked_sub(1).map(|parts| AuthorityShape {
                port: presence(parts % 3),
                userinfo: presence(parts / 3 % 3),
                host_is_empty: parts / 9 == 1,
            }),
        }
    }

    /// Any shape.
    pub(super) fn any(chance: &mut Chance) -> UriShape {
        let presences = presences(chance);
        UriShape {
            scheme: chance.one_in(2),
            authority: if chance.one_in(2) {
                Some(AuthorityShape::with(chance, presences))
            } else {
                None
            },
            path: chance.by_weight(PATHS),
            query: chance.by_weight(presences),
            fragment: chance.by_weight(presences),
        }
    }

    /// Any shape of a URI.
    pub(super) fn of_uri(chance: &mut Chance) -> UriShape {
        UriShape {
            scheme: true,
            ..UriShape::any(chance)
        }
    }

    /// Components of this shape.
    pub(super) fn components(self, chance: &mut Chance) -> Components {
        let mut components = Components {
            scheme: self.scheme.then(|| chance.of(SCHEMES).to_owned()),
            path: path(chance, self.path, self.scheme, self.authority.is_some()),
            query: text(chance, self.query, &QUERY),
            fragment: text(chance, self.fragment, &QUERY),
            ..Components::default()
        };
        if let Some(shape) = self.authority {
            components.userinfo = text(chance, shape.userinfo, &USERINFO);
            components.host = Some(if shape.host_is_empty {
                String::new()
            } else {
                host(chance)
            });
            components.port = match shape.port {
                Presence::Undefined => None,
                Presence::Empty => Some(String::new()),
                Presence::Text => Some(chance.of(PORTS).to_owned()),
            };
        }
        components
    }
}

impl AuthorityShape {
    /// Any authority.
    pub(super) fn any(chance: &mut Chance) -> AuthorityShape {
        let presences = presences(chance);
        AuthorityShape::with(chance, presences)
    }

    fn with(chance: &mut Chance, presences: Weighted<Presence>) -> AuthorityShape {
        AuthorityShape {
            userinfo: chance.by_weight(presences),
            host_is_empty: chance.by_weight(presences) == Presence::Empty,
            port: chance.by_weight(presences),
        }
    }
}

/// The components of a URI-reference.
pub(super) fn components(chance: &mut Chance) -> Components {
    UriShape::any(chance).components(chance)
}

/// A URI-reference.
pub(super) fn reference(chance: &mut Chance) -> String {
    components(chance).recompose()
}

/// The components of a relative reference.
pub(super) fn relative(chance: &mut Chance) -> Components {
    UriShape {
        scheme: false,
        ..UriShape::any(chance)
    }
    .components(chance)
}

/// A path of a shape, as it may stand behind what is defined.
fn path(chance: &mut Chance, shape: PathShape, scheme: bool, authority: bool) -> String {
    let mut path = String::with_capacity(16);
    match shape {
        PathShape::Empty => return path,
        PathShape::Absolute => path.push('/'),
        PathShape::Rootless if authority => path.push('/'),
        PathShape::Rootless => {}
    }
    if chance.one_in(DEEP) {
        deep(chance, &mut path);
        return path;
    }
    let mut others = chance.by_weight(FURTHER_SEGMENTS);
    if authority {
        SEGMENT.write(chance, &mut path);
    } else if path.is_empty() || !chance.one_in(6) {
        first_segment(chance, &mut path, scheme || shape == PathShape::Absolute);
    } else {
        // A "/" alone: without an authority nothing but a segment that is not empty can follow.
        others = 0;
    }
    for _ in 0..others {
        path.push('/');
        SEGMENT.write(chance, &mut path);
    }
    path
}

/// Segments of deep paths, none of which is empty or has a ":".
const DEEP_SEGMENTS: &[&str] = &[
    "..", "..", "..", "..", ".", "a", "b", "a", "%2e%2e", "%2E", "...", ".%2E",
];

/// How deep paths begin: up beyond the root.
const DEEP_BEGINNINGS: &[&str] = &["../../../", "a/../../../", "../../../../../", "a/b/../../../"];

/// Appends 4 to 18 segments, dot-segments for the greater part: up, down, and beyond the root.
fn deep(chance: &mut Chance, path: &mut String) {
    if chance.one_in(4) {
        path.push_str(chance.of(DEEP_BEGINNINGS));
    }
    for at in 0..4 + chance.below(12) {
        if at > 0 {
            path.push('/');
            if chance.one_in(10) {
                path.push('/');
            }
        }
        path.push_str(chance.of(DEEP_SEGMENTS));
    }
    if chance.one_in(3) {
        path.push('/');
    }
}

/// Appends a segment that is not empty.
fn first_segment(chance: &mut Chance, path: &mut String, colon: bool) {
    let start = path.len();
    SEGMENT.write(chance, path);
    if path.len() == start {
        path.push_str(chance.of(&[".", "..", "a", "%2e"]));
    }
    if !colon {
        while let Some(at) = path[start..].find(':') {
            path.replace_range(start + at..=start + at, chance.of(&["@", ".", "%3A"]));
        }
    }
}

fn presences(chance: &mut Chance) -> Weighted<Presence> {
    match chance.by_weight(DENSITIES) {
        Density::Even => EVEN,
        Density::Sparse => SPARSE,
    }
}

fn text(chance: &mut Chance, presence: Presence, texts: &ComponentTexts) -> Option<String> {
    match presence {
        Presence::Undefined => None,
        Presence::Empty => Some(String::new()),
        Presence::Text => {
            let mut text = String::with_capacity(16);
            texts.write(chance, &mut text);
            Some(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::components::parse;
    use uriproof::model::Reading;

    use super::*;

    #[test]
    fn every_reference_is_valid_and_has_just_the_components_that_it_was_made_of() {
        let chance = &mut Chance::new(3986);
        for _ in 0..100_000 {
            let mut made = components(chance);
            let text = made.recompose();
            let parsed = parse(&text, Reading::Rfc3986).unwrap_or_else(|error| panic!("{text:?} {error}"));
            let parsed = Components::from(&parsed);
            made.host_kind = parsed.host_kind;
            assert_eq!(parsed, made, "{text:?}");
        }
    }
}
