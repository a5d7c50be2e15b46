//! Bases, and references made for them: every branch of RFC 3986 §5.2.2 and all that §5.2.3 and §5.2.4 tell apart.

use uriproof::model::Components;

use super::chance::Chance;
use super::grammar_shaped::{AuthorityShape, UriShape};
use super::weights::{PathShape, Presence, REFERENCES, ReferenceShape};

/// A base and a reference, both valid.
pub(super) fn pair(chance: &mut Chance) -> (String, String) {
    let base = base(chance);
    let reference = reference(chance, &base);
    (base.recompose(), reference.recompose())
}

/// How the path of a base ends that resolution has to do something about.
const ENDS: &[&str] = &[
    "/", "/.", "/..", "/a/", "/a/..", "/b/.", "//", "/a//", "/%2e%2e", "/...", "/;", "/b:c",
];

/// A URI. Three in four have no fragment.
pub(super) fn base(chance: &mut Chance) -> Components {
    let mut shape = UriShape::of_uri(chance);
    if !chance.one_in(4) {
        shape.fragment = Presence::Undefined;
    }
    let mut base = shape.components(chance);
    // Without an authority a "/" is not followed by another one.
    if chance.one_in(3) && base.path != "/" && (base.host.is_some() || !base.path.is_empty()) {
        base.path.push_str(chance.of(ENDS));
    }
    base
}

fn reference(chance: &mut Chance, base: &Components) -> Components {
    let shape = UriShape::any(chance);
    let relative = UriShape {
        scheme: false,
        authority: None,
        ..shape
    };
    match chance.by_weight(REFERENCES) {
        ReferenceShape::Scheme => UriShape { scheme: true, ..shape }.components(chance),
        ReferenceShape::SameScheme => {
            let scheme = base.scheme.as_deref().map(|scheme| match chance.below(3) {
                0 => scheme.to_ascii_uppercase(),
                1 => scheme.to_ascii_lowercase(),
                _ => scheme.to_owned(),
            });
            Components {
                scheme,
                ..UriShape { scheme: true, ..shape }.components(chance)
            }
        }
        ReferenceShape::Authority => UriShape {
            authority: Some(AuthorityShape::any(chance)),
            ..relative
        }
        .components(chance),
        ReferenceShape::EmptyPath => UriShape {
            path: PathShape::Empty,
            ..relative
        }
        .components(chance),
        ReferenceShape::AbsolutePath => UriShape {
            path: PathShape::Absolute,
            ..relative
        }
        .components(chance),
        ReferenceShape::RelativePath => UriShape {
            path: PathShape::Rootless,
            ..relative
        }
        .components(chance),
    }
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::components::{ReferenceRule, parse, parse_rule};
    use uriproof::model::Reading;

    use super::*;

    #[test]
    fn every_pair_is_valid() {
        let chance = &mut Chance::new(3986);
        for _ in 0..30_000 {
            let (base, reference) = pair(chance);
            if let Err(error) = parse_rule(ReferenceRule::Uri, &base, Reading::Rfc3986) {
                panic!("{base:?} {error}");
            }
            if let Err(error) = parse(&reference, Reading::Rfc3986) {
                panic!("{reference:?} {error}");
            }
        }
    }
}
