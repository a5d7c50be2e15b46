//! The stages of relativization, which is no algorithm of RFC 3986: the steps that libraries share. What they write has to resolve to
//! the target (§5.2.2).

use rfc3986_reference::dot_segments::remove_dot_segments;
use serde::{Deserialize, Serialize};
use uriproof::model::Reading;

use super::fault::Fault;
use super::parts::{Parts, faults, parts};
use super::recompose;
use super::resolution::Resolving;

/// The step that makes the path of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelativizingStep {
    /// One of the two paths begins with a slash: the path of the target is written.
    OtherRoot,
    /// The base is in a folder that the target is in: what is behind that is written.
    SharedFolder,
    /// It is not: a ".." is written for each folder of the base's path that it does not share with the target's.
    Climb,
}

/// A reference to a target, and the step that made its path; `None` if the path is empty, or another component decides.
pub fn relativize(base: &Parts<'_>, target: &Parts<'_>) -> (String, Option<RelativizingStep>) {
    let is_same_authority = base.userinfo == target.userinfo && base.host == target.host && base.port == target.port;
    if base.scheme != target.scheme || base.host.is_some() != target.host.is_some() {
        return (recompose(target), None);
    }
    let without_scheme = Parts {
        scheme: None,
        ..target.clone()
    };
    if !is_same_authority {
        return (recompose(&without_scheme), None);
    }
    let with_path = |path: String| {
        recompose(&Parts {
            userinfo: None,
            host: None,
            host_kind: None,
            port: None,
            path: path.into(),
            ..without_scheme.clone()
        })
    };
    if base.path != target.path {
        let (path, step) = path_from(&base.path, &target.path);
        return (with_path(path), Some(step));
    }
    if base.query == target.query {
        let fragment = target.fragment.as_ref().map(|fragment| format!("#{fragment}"));
        return (fragment.unwrap_or_default(), None);
    }
    let path = match &target.query {
        Some(_) => Some(String::new()),
        None => last_segment_as_path(&target.path),
    };
    (path.map_or_else(|| recompose(target), with_path), None)
}

/// A path that leads from one path to another.
fn path_from(base: &str, target: &str) -> (String, RelativizingStep) {
    if base.starts_with('/') != target.starts_with('/') {
        return (target.to_owned(), RelativizingStep::OtherRoot);
    }
    let (mut base, mut target) = (base, target);
    while let (Some((one, base_behind)), Some((other, target_behind))) = (base.split_once('/'), target.split_once('/'))
        && one == other
    {
        (base, target) = (base_behind, target_behind);
    }
    match base.matches('/').count() {
        0 => (guarded(target, base), RelativizingStep::SharedFolder),
        up => ("../".repeat(up) + target, RelativizingStep::Climb),
    }
}

/// A path in the folder of the base, with a dot-segment before it where it needs one; `last` is the last segment of the base.
fn guarded(path: &str, last: &str) -> String {
    let has_colon_first = path.split('/').next().is_some_and(|first| first.contains(':'));
    let guard = if has_colon_first || path.is_empty() && !last.is_empty() {
        "./"
    } else {
        ""
    };
    format!("{guard}{path}")
}

/// The path that resolves to the path of the base, if there is one.
fn last_segment_as_path(path: &str) -> Option<String> {
    match path.rsplit('/').next() {
        _ if path.is_empty() => None,
        Some("." | "..") => None,
        last => Some(guarded(last.unwrap_or_default(), "a")),
    }
}

/// Whether a reference resolves to a target, with its dot-segments or without them.
pub fn resolves_to(base: &Parts<'_>, reference: &str, target: &Parts<'_>) -> bool {
    let reference = parts(reference);
    if !faults(&reference, Reading::Rfc3986).iter().all(Fault::is_none_in_iri) {
        return false;
    }
    let resolved = recompose(&Resolving::of(base, &reference, true, Reading::Rfc3986).target(false));
    let without_dots = Parts {
        path: remove_dot_segments(&target.path).into(),
        ..target.clone()
    };
    resolved == recompose(target) || resolved == recompose(&without_dots)
}
