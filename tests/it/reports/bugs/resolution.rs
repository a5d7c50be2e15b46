//! Bugs that reports show where a reference is resolved.

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::recompose::recompose;
use rfc3986_reference::resolve::{Strictness, resolve};
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reading};

use super::{Bug, bug, normalized};
use crate::mutants::{components, with_uri};

/// In the order of the reports.
pub(super) const BUGS: &[Bug] = &[
    bug(
        "loses a slash of two at the end of a path",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if !reference.path.is_empty() && target.path.ends_with("//") {
                    target.path.pop();
                }
            })
        },
    ),
    bug(
        "loses a slash of two at the end of a path that it normalizes",
        Operation::Normalize,
        |input, outcome| {
            normalized(input, outcome, |_, normal| {
                if normal.path.ends_with("//") {
                    normal.path.pop();
                }
            })
        },
    ),
    bug(
        "loses the empty segment behind a dot-dot above the root",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if reference.path.starts_with("/..//") && target.host.is_some() && target.path.starts_with("//") {
                    target.path.remove(0);
                }
            })
        },
    ),
    bug(
        "loses an opaque base before a fragment",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if is_opaque(base) && is_fragment_only(reference) {
                    target.path.clear();
                }
            })
        },
    ),
    bug(
        "refuses a relative path where the base has an authority and no path",
        Operation::Resolve,
        |input, outcome| match resolution(input) {
            Some((base, reference)) if base.host.is_some() && base.path.is_empty() && is_relative_path(&reference) => {
                Outcome::rejected("the base has no path")
            }
            _ => outcome,
        },
    ),
    bug(
        "puts no slash behind an authority without a path where the reference goes up",
        Operation::Resolve,
        |input, outcome| match (resolution(input), &outcome) {
            (Some((base, reference)), Outcome::Accepted { .. })
                if base.host.is_some() && base.path.is_empty() && reference.path.starts_with("../") =>
            {
                let up = reference.path.trim_start_matches("../");
                let authority = base.clone().with(Component::Query, None).with(Component::Fragment, None);
                let rest = reference.clone().with(Component::Path, Some(up));
                Outcome::uri(format!("{}{}", authority.recompose(), rest.recompose()))
            }
            _ => outcome,
        },
    ),
    bug(
        "puts a slash before the target of a rootless base",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                let is_rooted = target.path.starts_with('/');
                if is_opaque(base) && base.path.contains('/') && is_relative_path(reference) && !is_rooted {
                    target.path.insert(0, '/');
                }
            })
        },
    ),
    bug(
        "drops a fragment that is alone",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if is_fragment_only(reference) {
                    target.fragment = None;
                }
            })
        },
    ),
    bug(
        "drops a fragment that is alone where the base has no query",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if is_fragment_only(reference) && base.query.is_none() {
                    target.fragment = None;
                }
            })
        },
    ),
    bug(
        "takes a dot of the base for a directory",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                let directory = base.path.rfind('/').map_or("", |end| &base.path[..=end]);
                let Some(above) = directory.strip_suffix("/./") else {
                    return;
                };
                let rest = match reference.path.strip_prefix("..") {
                    Some("") => String::new(),
                    Some(rest) if rest.starts_with('/') => rest.to_owned(),
                    _ => return,
                };
                target.path = remove_dot_segments(&format!("{above}{rest}"));
            })
        },
    ),
    bug(
        "appends to a relative base that has no slash",
        Operation::Resolve,
        |input, outcome| relative(input, outcome, |base, target| format!("{}{target}", base.path)),
    ),
    bug(
        "appends to a relative base that has no slash, behind one",
        Operation::Resolve,
        |input, outcome| relative(input, outcome, |base, target| format!("{}/{target}", base.path)),
    ),
    bug(
        "makes up an authority where the base is relative",
        Operation::Resolve,
        |input, outcome| match resolution(input) {
            Some((base, reference))
                if base.scheme.is_none()
                    && base.host.is_none()
                    && !base.path.starts_with('/')
                    && is_relative_path(&reference) =>
            {
                Outcome::uri(format!("///{}", by_the_algorithm(&base, &reference)))
            }
            _ => outcome,
        },
    ),
    bug(
        "keeps the dot-segments of a reference with scheme and authority",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if reference.scheme.is_some() && target.scheme == reference.scheme && reference.host.is_some() {
                    target.path.clone_from(&reference.path);
                }
            })
        },
    ),
    bug(
        "panics where a target would begin with two slashes",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if base.host.is_none() && reference.host.is_none() && target.host.is_some() {
                    panic!("the path begins with two slashes");
                }
            })
        },
    ),
    bug(
        "makes an empty path behind an authority of the reference a slash",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |_, reference, target| {
                if reference.scheme.is_none() && reference.host.is_some() && target.path.is_empty() {
                    target.path.push('/');
                }
            })
        },
    ),
    bug(
        "takes a base of colons and no slash for a directory",
        Operation::Resolve,
        |input, outcome| {
            resolved(input, outcome, |base, reference, target| {
                if is_opaque(base) && base.path.contains(':') && !base.path.contains('/') && is_relative_path(reference)
                {
                    target.path = remove_dot_segments(&format!("{}/{}", base.path, reference.path));
                }
            })
        },
    ),
];

/// A base and a reference that are valid, but perhaps relative.
fn resolution(input: &Input) -> Option<(Components, Components)> {
    match input {
        Input::Resolve { base, reference, .. } => components(base).zip(components(reference)),
        _ => None,
    }
}

/// Another target; `change` gets the base and the reference.
fn resolved(
    input: &Input,
    outcome: Outcome,
    change: impl FnOnce(&Components, &Components, &mut Components),
) -> Outcome {
    match resolution(input) {
        Some((base, reference)) => with_uri(outcome, |target| change(&base, &reference, target)),
        None => outcome,
    }
}

/// Takes a relative base without a slash, and makes the path of what the algorithm has.
fn relative(input: &Input, outcome: Outcome, path: impl FnOnce(&Components, String) -> String) -> Outcome {
    match resolution(input) {
        Some((base, reference))
            if base.scheme.is_none()
                && base.host.is_none()
                && !base.path.is_empty()
                && !base.path.contains('/')
                && is_relative_path(&reference) =>
        {
            Outcome::uri(path(&base, by_the_algorithm(&base, &reference)))
        }
        _ => outcome,
    }
}

/// The target of §5.2.2 word for word, of a base that may lack a scheme.
fn by_the_algorithm(base: &Components, reference: &Components) -> String {
    let (of_base, of_reference) = (base.authority(), reference.authority());
    let (base, reference) = (base.five(of_base.as_deref()), reference.five(of_reference.as_deref()));
    recompose(&resolve(&base, &reference, Strictness::Strict, Reading::Rfc3986).target)
}

fn is_relative_path(reference: &Components) -> bool {
    reference.scheme.is_none()
        && reference.host.is_none()
        && !reference.path.is_empty()
        && !reference.path.starts_with('/')
}

fn is_fragment_only(reference: &Components) -> bool {
    let fragment = Components {
        fragment: reference.fragment.clone(),
        ..Components::default()
    };
    reference.fragment.is_some() && *reference == fragment
}

/// Whether all behind the scheme, up to a query, is a path that begins with no slash.
fn is_opaque(base: &Components) -> bool {
    base.scheme.is_some() && base.host.is_none() && !base.path.is_empty() && !base.path.starts_with('/')
}
