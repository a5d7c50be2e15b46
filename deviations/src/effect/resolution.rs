//! The stages of resolution: *branch*, *merge*, *dots* and *target*.

use rfc3986_reference::resolve::Branch;

use super::looks_like_scheme;
use crate::catalogue::{Argument, BaseForm, Deviation, DotsOf};
use crate::dots::{last_segment, rootless_without_dots};
use crate::reading::is_misread;
use crate::spelling::{decode_unreserved, loosely_decoded};
use crate::stages::{DotRules, Parts, Resolving};

impl Deviation {
    /// Stage *branch*: where it panics on an argument of `resolve`, with these parts by Appendix B, before it resolves.
    pub(crate) fn panics_on_argument(&self, argument: Argument, parts: &Parts<'_>) -> Option<&str> {
        match self {
            Deviation::PanicsOnMisreadArgument { argument: own, place } if *own == argument => {
                is_misread(parts).then_some(place.as_str())
            }
            _ => None,
        }
    }

    /// Stage *branch*: whether it refuses to resolve what is valid.
    pub(crate) fn refuses_resolution(&self, resolving: &Resolving<'_>) -> bool {
        let (base, reference) = (resolving.base, resolving.reference);
        match self {
            Deviation::RefusesBase { form } => match form {
                BaseForm::Relative => base.scheme.is_none(),
                BaseForm::WithFragment => base.fragment.is_some(),
            },
            Deviation::RefusesRootlessBase => {
                let is_rootless = base.host.is_none() && !base.path.starts_with('/');
                let needs_root = reference.scheme.is_none()
                    && (reference.host.is_some() || !reference.path.is_empty() || reference.query.is_some());
                is_rootless && needs_root
            }
            Deviation::RefusesDotDotAgainstRelativePath => {
                let last = base.path.rsplit('/').next() == Some("..");
                resolving.branch == Branch::Merge
                    && base.scheme.is_none()
                    && match (base.path.contains('/'), base.host.is_some()) {
                        (true, _) => last,
                        (false, true) => false,
                        (false, false) => last || reference.path.split('/').any(|segment| segment == ".."),
                    }
            }
            _ => false,
        }
    }

    /// Stage *branch*: whether it returns the reference as it is.
    pub(crate) fn returns_reference(&self, base: &Parts<'_>, reference: &str) -> bool {
        match self {
            Deviation::ReturnsReferenceOfUnknownScheme { schemes } => base.scheme.as_deref().is_some_and(|scheme| {
                !reference.is_empty() && schemes.iter().any(|unknown| unknown.eq_ignore_ascii_case(scheme))
            }),
            _ => false,
        }
    }

    /// Stage *merge*: another path in the place of what §5.2.3 makes. The base is given as Appendix B splits it, too.
    pub(crate) fn merges(&self, resolving: &mut Resolving<'_>, split: &Parts<'_>) {
        let (base, reference) = (&resolving.base.path, &resolving.reference.path);
        match self {
            Deviation::MergesBehindDotDot if resolving.branch == Branch::Merge && base.ends_with("/..") => {
                resolving.path = format!("{base}/{reference}").into();
            }
            Deviation::LosesEmptySegmentInMerge if resolving.branch == Branch::Merge => {
                let rooted = base.strip_prefix('/').unwrap_or(base);
                if rooted.rfind('/') == Some(0) {
                    let root = if base.starts_with('/') { "/" } else { "" };
                    resolving.path = format!("{root}{reference}").into();
                }
            }
            Deviation::ClimbsInMerge if resolving.branch == Branch::Merge => {
                if base.is_empty() && resolving.base.host.is_none() {
                    resolving.path = format!("../{reference}").into();
                } else if loosely_decoded(last_segment(base)) == Ok("..".to_owned()) {
                    resolving.path = format!("{base}/../{reference}").into();
                }
            }
            Deviation::KeepsOnlySegmentInMerge
                if resolving.branch == Branch::Merge && !base.is_empty() && !base.contains('/') =>
            {
                resolving.path = format!("{base}/{reference}").into();
            }
            Deviation::LosesRootOfBase if resolving.branch == Branch::Merge && resolving.base.host.is_none() => {
                // Two segments that are empty only once what is cut off is dropped are no root.
                let is_one_segment = split.path == "/" || !split.path.contains('/');
                if base == "/" && is_one_segment {
                    resolving.path = reference.clone();
                }
            }
            Deviation::KeepsDotSegmentsOfBase if resolving.branch == Branch::Merge => {
                resolving.dots.kept = resolving.path.len() - reference.len();
            }
            Deviation::RemovesDotSegmentsOfBase => resolving.removes_dots_of_base = true,
            Deviation::NormalizesToDoubleSlash => resolving.guards_base = false,
            _ => {}
        }
    }

    /// Stage *merge*: where it panics.
    pub(crate) fn panics_on_merge(&self, resolving: &Resolving<'_>) -> Option<&str> {
        match self {
            Deviation::PanicsMergingOctets { place } if resolving.branch == Branch::Merge => {
                let begins_like_parent = |before: String| "..".starts_with(&before);
                let panics = loosely_decoded(last_segment(&resolving.base.path)).is_err_and(begins_like_parent);
                panics.then_some(place.as_str())
            }
            _ => None,
        }
    }

    /// Stage *dots*: changes how dot-segments are removed from a path, with or without an authority before it.
    pub(crate) fn rules_dots(&self, rules: &mut DotRules, has_authority: bool) {
        match self {
            Deviation::LosesRoot => rules.loses_root |= !has_authority,
            Deviation::LosesSlashBehindOnlySegment => rules.loses_slash |= !has_authority,
            Deviation::DropsEmptySegments => rules.drops_empty_segments = true,
            _ => {}
        }
    }

    /// Stage *dots*: whether the dot-segments of a target stay.
    pub(crate) fn keeps_dots(&self, resolving: &Resolving<'_>) -> bool {
        match self {
            Deviation::KeepsDotSegments { of } => match of {
                DotsOf::RootlessPaths => !resolving.path.starts_with('/'),
                DotsOf::RelativePaths => {
                    let target = resolving.target(true);
                    target.scheme.is_none() && target.host.is_none() && !target.path.starts_with('/')
                }
                DotsOf::ReferencesWithScheme => resolving.branch == Branch::Scheme,
                DotsOf::ReferencesWithAuthority => resolving.branch == Branch::Authority,
                DotsOf::AbsolutePathReferences => resolving.branch == Branch::AbsolutePath,
            },
            Deviation::CountsDotSegments => !counts_any(resolving),
            _ => false,
        }
    }

    /// Stage *dots*: changes the path whose dot-segments are removed.
    pub(crate) fn spells_dots(&self, resolving: &mut Resolving<'_>) {
        if matches!(self, Deviation::CountsDotSegments) {
            resolving.path = with_dots_decoded(&resolving.path).into();
        }
    }

    /// Stage *dots*: what is left of the path without its dot-segments, if not what §5.2.4 leaves.
    pub(crate) fn removes_dots(&self, path: &str) -> Option<String> {
        match self {
            Deviation::KeepsRootlessPathsRootless if !path.starts_with('/') => Some(rootless_without_dots(path)),
            _ => None,
        }
    }

    /// Stage *dots*: whether it refuses a path that begins with `//` behind no authority while its dot-segments are removed.
    pub(crate) fn refuses_among_dots(&self) -> bool {
        matches!(self, Deviation::RefusesDoubleSlashAmongDots)
    }

    /// Stage *dots*: where it panics on such a path.
    pub(crate) fn panics_among_dots(&self) -> Option<&str> {
        match self {
            Deviation::PanicsOnDoubleSlashAmongDots { place } => Some(place),
            _ => None,
        }
    }

    /// Stage *target*: whether it holds a path for rootless that begins with a slash without its dot-segments.
    pub(crate) fn holds_for_rootless(&self, resolving: &Resolving<'_>) -> bool {
        matches!(self, Deviation::HoldsPathBehindDotsForRootless) && begins_behind_dots(&resolving.path)
    }

    /// Stage *target*: whether it refuses to write these components.
    pub(crate) fn refuses_target(&self, target: &Parts<'_>) -> bool {
        match self {
            Deviation::RefusesDoubleSlash => target.host.is_none() && target.path.starts_with("//"),
            _ => false,
        }
    }

    /// Stage *target*: where it panics on these components.
    pub(crate) fn panics_on_target(&self, target: &Parts<'_>) -> Option<&str> {
        match self {
            Deviation::PanicsOnDoubleSlash { place } => {
                (target.host.is_none() && target.path.starts_with("//")).then_some(place.as_str())
            }
            _ => None,
        }
    }

    /// Stage *target*: changes the path that was merged.
    pub(crate) fn guards(&self, resolving: &Resolving<'_>, target: &mut Parts<'_>) {
        let is_of_base = matches!(self, Deviation::RemovesDotSegmentsOfBase) && resolving.keeps_path_of_base();
        if is_of_base && resolving.guards_base && target.host.is_none() && target.path.starts_with("//") {
            target.path = format!("/.{}", target.path).into();
        }
        if matches!(self, Deviation::GuardsMergedPath) && resolving.branch == Branch::Merge {
            if target.path.starts_with("//") {
                target.path = format!("/.{}", target.path).into();
            } else if looks_like_scheme(&target.path) {
                target.path = format!("./{}", target.path).into();
            }
        }
    }

    /// Stage *target*: changes the components before they are written.
    pub(crate) fn changes_target(&self, target: &mut Parts<'_>) {
        if matches!(self, Deviation::GuardsDoubleSlash) && target.host.is_none() && target.path.starts_with("//") {
            target.path = format!("/.{}", target.path).into();
        }
    }
}

/// Whether the counts of dot-segments are not zero. Of a path that is parsed those count that are spelled in full; the last segment of
/// the base, which a merge drops, and those of the reference, which it appends, count by what they decode to.
fn counts_any(resolving: &Resolving<'_>) -> bool {
    let (base, reference) = (resolving.base, resolving.reference);
    let is_behind_root = base.host.is_some() && matches!(&*base.path, "" | "/");
    let is_spelled = |path: &str, dots: &str| path.split('/').filter(|segment| *segment == dots).count();
    let is_encoded =
        |path: &str, dots: &str| path.split('/').filter(|segment| decode_unreserved(segment) == dots).count();
    [".", ".."].into_iter().any(|dots| match resolving.branch {
        Branch::Merge if is_behind_root => is_spelled(&reference.path, dots) > 0,
        Branch::Merge => {
            let kept = is_spelled(&base.path, dots).saturating_sub(is_encoded(last_segment(&base.path), dots));
            kept + is_encoded(&reference.path, dots) > 0
        }
        _ => is_spelled(&resolving.path, dots) > 0,
    })
}

/// A path with its encoded dot-segments decoded.
fn with_dots_decoded(path: &str) -> String {
    let decoded = |segment: &str| match decode_unreserved(segment) {
        dots if dots == "." || dots == ".." => dots,
        _ => segment.to_owned(),
    };
    path.split('/').map(decoded).collect::<Vec<_>>().join("/")
}

/// Whether the first segment that is left of a rootless path without its dot-segments is the first one behind those at its beginning.
fn begins_behind_dots(path: &str) -> bool {
    let mut kept: usize = 0;
    let mut is_behind_dots = true;
    for segment in path.split('/') {
        match segment {
            "." => {}
            ".." if kept > 0 => {
                kept -= 1;
                is_behind_dots &= kept > 0;
            }
            ".." => {}
            _ => kept += 1,
        }
    }
    !path.starts_with('/') && is_behind_dots
}
