//! An answer beside a property that it must have -> a verdict.

use std::borrow::Cow;

use rfc3986_reference::components as rfc;
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::syntax_based;
use rfc3986_reference::resolve::{Strictness, resolve};

use super::sameness::{differing_in_text, same_normalized, same_uri};
use super::{Difference, DifferenceKind, Verdict, as_uri};
use crate::expect::{Expected, Property, decode_dot_segments_of, expect, is_uri, printed, scheme_based};
use crate::model::{
    Component, ComponentSet, Components, Declaration, Forms, Input, Outcome, Reading, Rung, Scope, Value,
};
use crate::screen;
use crate::split::split;

/// Bases against which a relative reference must keep its meaning: each of their components matters to some reference.
const BASES: [&str; 3] = ["http://a/b/c/d;p?q", "x:y/z", "http://u@h:1/b//c/?q"];

/// Whether an answer, accepted or rejected, has the property.
pub(super) fn verdict(declaration: &Declaration, property: &Property, observed: &Outcome) -> Verdict {
    let Outcome::Accepted { value } = observed else {
        return refused(property);
    };
    let found = match (property, value) {
        (Property::KeepsContracts, Value::Broken(broken)) if broken.is_empty() => None,
        (Property::KeepsContracts, _) => Some((DifferenceKind::BrokenContract, ComponentSet::NONE)),
        (Property::ResolvesTo { .. } | Property::MeansTheSame { .. }, Value::Uri(answer)) => {
            let answer = as_uri(declaration, answer);
            match property {
                _ if screen::reference(&answer).is_none() => Some((DifferenceKind::InvalidUri, ComponentSet::NONE)),
                Property::ResolvesTo { base, target } => resolves_elsewhere(declaration.forms, base, &answer, target)
                    .map(|components| (DifferenceKind::OtherUri, components)),
                Property::MeansTheSame { reference, scope } => means_otherwise(reference, &answer, *scope)
                    .map(|components| (DifferenceKind::OtherMeaning, components)),
                Property::KeepsContracts => None,
            }
        }
        (Property::ResolvesTo { .. } | Property::MeansTheSame { .. }, _) => {
            Some((DifferenceKind::OtherUri, ComponentSet::NONE))
        }
    };
    match (found, property) {
        (None, _) => Verdict::Agree { conforming: None },
        (Some((DifferenceKind::OtherUri, _)), Property::ResolvesTo { base, target })
            if !is_within_reach(base, target) =>
        {
            Verdict::NotComparable {
                reason: "no reference resolves to this target against this base (§5.2.2)".to_owned(),
            }
        }
        (Some((kind, components)), _) => Verdict::Diverge(Difference { kind, components }),
    }
}

/// Whether some reference resolves to `target` against `base`. What the base defines a target has too: a scheme, an authority beside the
/// same scheme, and the slash that its path begins with.
fn is_within_reach(base: &str, target: &str) -> bool {
    if is_uri(target) {
        return true;
    }
    let (base, target) = (split(base), split(target));
    let is_rooted = base.authority.is_some() || base.path.starts_with('/');
    base.scheme.is_none()
        && (target.authority.is_some()
            || base.authority.is_none() && !(is_rooted && !target.path.is_empty() && !target.path.starts_with('/')))
}

/// The verdict on a rejection: an answer is optional, but if one would conform, a rejection shows nothing.
fn refused(property: &Property) -> Verdict {
    let reason = match property {
        Property::ResolvesTo { base, target } if !is_uri(base) || !is_uri(target) => {
            return Verdict::Agree { conforming: None };
        }
        Property::ResolvesTo { .. } => "refused, and RFC 3986 asks for no such reference",
        Property::MeansTheSame { .. } => "a reference must be resolved before it can be normalized (§5.2.1)",
        Property::KeepsContracts => "refused: there is no value to compare",
    };
    Verdict::NotComparable {
        reason: reason.to_owned(),
    }
}

/// The components in which `answer`, resolved against `base`, differs from `target`; `None` where it is the target.
fn resolves_elsewhere(forms: Forms, base: &str, answer: &str, target: &str) -> Option<ComponentSet> {
    let (Some(base), Some(r), Some(wanted)) = (
        screen::reference(base),
        screen::reference(answer),
        screen::reference(target),
    ) else {
        return Some(ComponentSet::ALL);
    };
    let resolved_by = |base: &rfc::Components<'_>| {
        printed(&resolve(base, &r.components, Strictness::Strict, Reading::Rfc3986).target)
    };
    let resolved = resolved_by(&base.components);
    let mut without_dots = wanted.components.clone();
    without_dots.path = Cow::Owned(remove_dot_segments(&wanted.components.path));
    // §5.2.1 leaves it open whether the base is normalized, and §6 whether the target is.
    let normal = |uri: &str| syntax_based(uri, Reading::Rfc3986).ok();
    let without_dots = printed(&without_dots);
    let is_wanted = |resolved: &str| {
        [target, &without_dots].into_iter().any(|wanted| {
            // What comes to have a path with "//" in front, and no authority, may have no normal form.
            same_uri(forms, &with_plain_scheme(wanted), &with_plain_scheme(resolved))
                || normal(wanted).is_some_and(|wanted| normal(resolved) == Some(wanted))
        })
    };
    // §6.2.3 is a way to normalize the base, too.
    let is_wanted_by_scheme =
        |base: &String| screen::reference(base).is_some_and(|base| is_wanted(&resolved_by(&base.components)));
    if is_wanted(&resolved) || scheme_based(&base).iter().any(is_wanted_by_scheme) {
        return None;
    }
    // What may be spelled either way does not differ: of the targets that would do, the one with least that does tells what.
    let differing = [
        Some(differing_in_text(forms, target, &resolved)),
        // Where the path comes to read as an authority, the text tells of that one.
        (split(&without_dots).authority.is_some() == wanted.components.authority.is_some())
            .then(|| differing_in_text(forms, &without_dots, &resolved)),
        normal(target).zip(normal(&resolved)).map(|(wanted, resolved)| differing_in_text(forms, &wanted, &resolved)),
    ];
    differing
        .into_iter()
        .flatten()
        .min_by_key(|components| components.len())
        .filter(|components| !components.is_empty())
}

/// A URI with its scheme in lower case (§6.2.2.1).
fn with_plain_scheme(uri: &str) -> String {
    match split(uri).scheme {
        Some(scheme) => scheme.to_ascii_lowercase() + &uri[scheme.len()..],
        None => uri.to_owned(),
    }
}

/// The components in which two relative references differ in kind, or in what they resolve to against one of
/// [`BASES`]; `None` where they mean the same.
///
/// A reference whose dot-segments are spelled with triplets may be taken for one whose are not (§2.3).
fn means_otherwise(reference: &str, answer: &str, scope: Scope) -> Option<ComponentSet> {
    let decoded = decode_dot_segments_of(reference);
    let differing = differing_in_meaning(reference, answer, scope)?;
    (decoded == reference || differing_in_meaning(&decoded, answer, scope).is_some()).then_some(differing)
}

fn differing_in_meaning(reference: &str, answer: &str, scope: Scope) -> Option<ComponentSet> {
    if reference == answer {
        return None;
    }
    let (Some(one), Some(other)) = (screen::reference(reference), screen::reference(answer)) else {
        return Some(ComponentSet::ALL);
    };
    let (one, other) = (one.components, other.components);
    let of_other_kind = ComponentSet::of(|component| match component {
        Component::Scheme => one.scheme.is_some() != other.scheme.is_some(),
        Component::Host => one.authority.is_some() != other.authority.is_some(),
        _ => false,
    });
    if !of_other_kind.is_empty() {
        return Some(of_other_kind);
    }
    // Each ".." takes a segment away: a base that has more of them shows how many there are.
    let climbs = |r: &rfc::Components<'_>| r.path.split('/').filter(|segment| *segment == "..").count();
    let deep = format!("http://a/{}?q", "b/".repeat(climbs(&one).max(climbs(&other)) + 1));
    BASES.into_iter().chain([&*deep]).find_map(|base| {
        let target = |r: &rfc::Components<'_>| {
            let base = screen::reference(base).expect("the bases are URIs").components;
            printed(&resolve(&base, r, Strictness::Strict, Reading::Rfc3986).target)
        };
        let (one, other) = (target(&one), target(&other));
        if are_equivalent(&one, &other, scope) {
            return None;
        }
        let normal = |uri: String| syntax_based(&uri, Reading::Rfc3986).unwrap_or(uri);
        let components = differing_in_value(&normal(one), &normal(other));
        (!components.is_empty()).then_some(components)
    })
}

/// The components in which two URIs differ, IPv6 addresses and ports by value: in another form they mean the same.
fn differing_in_value(left: &str, right: &str) -> ComponentSet {
    let components = |uri: &str| screen::reference(uri).map(|reference| Components::from(&reference));
    match (components(left), components(right)) {
        (Some(left), Some(right)) => {
            ComponentSet::of(|component| !same_normalized(component, left.text(component), right.text(component)))
        }
        _ => ComponentSet::ALL,
    }
}

/// Whether a normalization that makes the choices which the RFC leaves open alike on both sides makes them equal.
fn are_equivalent(left: &str, right: &str, scope: Scope) -> bool {
    let question = Input::Equivalent {
        left: left.to_owned(),
        right: right.to_owned(),
        rung: match scope {
            Scope::Syntax => Rung::Syntax,
            Scope::Scheme => Rung::Scheme,
        },
    };
    match expect(&question, Reading::Rfc3986) {
        Expected::Outcomes(outcomes) => outcomes.iter().any(|one| one.outcome == Outcome::equivalent(true)),
        Expected::Property(_) | Expected::NoAnswer { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_works_that_resolves_to_the_target() {
        let works = |base, answer, target| resolves_elsewhere(Forms::Verbatim, base, answer, target);
        for (base, answer, target) in [
            ("http://a/b/c", "d", "http://a/b/d"),
            ("http://a/b/c", "//a/b/d", "http://a/b/d"),
            ("http://a/b/c", "http://a/b/d", "http://a/b/d"),
            ("http://a/b/c", "./d:e", "http://a/b/d:e"),
            ("http://a/b/c", "../x/d", "http://a/b/../x/d"),
            ("http://a/b?q", "", "http://a/b?q"),
            ("http://a/b?q", "b", "http://a/b"),
            ("http://a/b/c", "d", "HTTP://A/b/%64"),
            ("a:", "/.//:a", "a:/.//:a"),
            ("a:", "/.//:a", "A:/.//:a"),
            ("a:", "/.//evil", "a:/b/..//evil"),
            // A relative base, its scheme undefined.
            ("a/b", "c", "a/c"),
            ("/a/b/c", "../d", "/a/d"),
            ("a", "./b:c", "./b:c"),
            ("a/b", "http://h/", "http://h/"),
            // The base by §6.2.3.
            ("file:/a/b", "c", "file:///a/c"),
            ("http://a:80/b", "/", "http://a/"),
            ("http://a", "", "http://a/"),
        ] {
            assert_eq!(works(base, answer, target), None, "{base} {answer} {target}");
        }
        for (base, answer, target, differing) in [
            ("http://a/b?q", "", "http://a/b", Component::Query),
            ("a/b", "a/c", "a/c", Component::Path),
            ("http://a/b/c", "d:e", "http://a/b/d:e", Component::Scheme),
            ("http://a/b/", "c", "http://a/c", Component::Path),
            ("http://a/b", "//c", "http://a//c", Component::Host),
            // "a:" + "//" has no authority, though it reads so.
            ("a://@", "", "a:/.//", Component::Host),
            ("a:x", "//evil", "a:/b/..//evil", Component::Host),
            ("a:", "/.//b", "a://b", Component::Host),
            ("s://a:80/b", "/", "s://a/", Component::Port),
        ] {
            let components = works(base, answer, target).unwrap();
            assert!(
                components.contains(differing),
                "{base} {answer} {target}: {components:?}"
            );
        }
    }

    /// The difference `host` makes its reader look for a way to another host.
    #[test]
    fn a_component_that_is_but_spelled_otherwise_does_not_differ() {
        let components = resolves_elsewhere(Forms::Verbatim, "http://%61/b?q", "", "HTTP://A/b");
        assert_eq!(components, Some(Component::Query.into()));
    }

    #[test]
    fn a_normalized_reference_means_the_same() {
        for (reference, answer, scope) in [
            ("a/%7e", "a/~", Scope::Syntax),
            ("./a/../b", "b", Scope::Syntax),
            ("//H/%2f", "//h/%2F", Scope::Syntax),
            ("//h:/", "//h/", Scope::Syntax),
            ("//h", "//h/", Scope::Scheme),
            ("./a:b", "./a:b", Scope::Syntax),
            ("//[0:0::1]", "//[::1]", Scope::Syntax),
            // Against a rootless base, the path of the target begins with two slashes.
            ("..//:a?%aa", "..//:a?%AA", Scope::Syntax),
        ] {
            assert_eq!(means_otherwise(reference, answer, scope), None, "{reference} {answer}");
        }
        for (reference, answer, scope, differing) in [
            ("./a:b", "a:b", Scope::Syntax, Component::Scheme),
            ("/.//a", "//a", Scope::Syntax, Component::Host),
            ("../a", "a", Scope::Syntax, Component::Path),
            ("../../../../a", "../../../a", Scope::Syntax, Component::Path),
            (".", "", Scope::Syntax, Component::Path),
            ("a/..", "", Scope::Syntax, Component::Path),
            ("?", "", Scope::Syntax, Component::Query),
            ("//h:80/", "//h/", Scope::Scheme, Component::Port),
        ] {
            let components = means_otherwise(reference, answer, scope).unwrap();
            assert!(components.contains(differing), "{reference} {answer}: {components:?}");
        }
    }
}
