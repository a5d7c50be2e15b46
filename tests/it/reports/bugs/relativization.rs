//! Bugs that reports show where a target is made relative to a base.

use uriproof::model::{Components, Input, Operation, Outcome};

use super::{Bug, bug};
use crate::mutants::components;
use crate::mutants::library::bare;

/// In the order of the reports.
pub(super) const BUGS: &[Bug] = &[
    bug(
        "takes a host for the same that the other begins with",
        Operation::Relativize,
        |input, outcome| match relativization(input) {
            Some((base, target))
                if base.scheme == target.scheme
                    && (&base.userinfo, &base.port) == (&target.userinfo, &target.port)
                    && base.host != target.host
                    && base
                        .host
                        .as_deref()
                        .zip(target.host.as_deref())
                        .is_some_and(|(base, target)| !target.is_empty() && base.starts_with(target)) =>
            {
                Outcome::uri(relative_path(&base, &target))
            }
            _ => outcome,
        },
    ),
    bug(
        "takes the last segment of the base for a directory",
        Operation::Relativize,
        |input, outcome| match relativization(input) {
            Some((base, target))
                if base.scheme == target.scheme
                    && base.authority() == target.authority()
                    && !base.path.ends_with('/')
                    && target.path.starts_with(&format!("{}/", base.path)) =>
            {
                let below = &target.path[base.path.len() + 1..];
                let reference = Components {
                    path: below.to_owned(),
                    query: target.query.clone(),
                    fragment: target.fragment.clone(),
                    ..Components::default()
                };
                Outcome::uri(reference.recompose())
            }
            _ => outcome,
        },
    ),
    bug(
        "makes nothing of a target that lacks the query of the base",
        Operation::Relativize,
        |input, outcome| match input {
            Input::Relativize { base, target } if bare(base).is_some() && bare(base) == bare(target) => {
                match relativization(input) {
                    Some((base, target))
                        if base.query.is_some() && target.query.is_none() && target.fragment.is_none() =>
                    {
                        Outcome::uri("")
                    }
                    _ => outcome,
                }
            }
            _ => outcome,
        },
    ),
];

/// A base and a target that are URIs.
fn relativization(input: &Input) -> Option<(Components, Components)> {
    let Input::Relativize { base, target } = input else {
        return None;
    };
    let (base, target) = components(base).zip(components(target))?;
    (base.scheme.is_some() && target.scheme.is_some()).then_some((base, target))
}

/// The path of a target as seen from that of a base, with query and fragment.
fn relative_path(base: &Components, target: &Components) -> String {
    let directories: Vec<&str> = base.path.split('/').collect();
    let segments: Vec<&str> = target.path.split('/').collect();
    let most = (directories.len() - 1).min(segments.len() - 1);
    let common = (0..most).take_while(|at| directories[*at] == segments[*at]).count();
    let up = "../".repeat(directories.len() - 1 - common);
    let reference = Components {
        path: format!("{up}{}", segments[common..].join("/")),
        query: target.query.clone(),
        fragment: target.fragment.clone(),
        ..Components::default()
    };
    reference.recompose()
}
