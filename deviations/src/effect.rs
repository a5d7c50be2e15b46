//! What each deviation does at its stage: a function for each stage, a branch for each deviation that acts there.

mod beginning;
mod comparison;
mod composition;

use std::net::Ipv6Addr;

use rfc3986_reference::characters::leading_triplet;
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::grammar::ipv4address;
use rfc3986_reference::resolve::Branch;
use uriproof::model::{Component, HostKind, Reading};

pub(crate) use self::beginning::beginning;
use crate::catalogue::{Argument, BaseForm, Deviation, DotsOf};
use crate::dots::{EmptyFirst, last_segment, rootless_without_dots};
use crate::profile::is_of_authority;
use crate::reading::{
    drop_truncated_triplets, hold_decoded, is_domain, is_ipv6_with_misplaced_colon, is_ipv6_with_zeros,
    is_ipvfuture_with_empty_parts, is_misread, is_registry_name, is_truncated_triplet, literal,
    wrong_authority_as_path,
};
use crate::spelling::{decode_unreserved, loosely_decoded, uppercase_triplets};
use crate::stages::{DotRules, DoubleSlash, Fault, Flaw, NormalizationStep, Parts, Resolving, faults, recompose};

impl Deviation {
    /// Stage *split*: other parts in the place of those of Appendix B.
    pub(crate) fn splits<'a>(&self, parts: &Parts<'a>) -> Option<Parts<'a>> {
        match self {
            Deviation::ReadsWrongAuthorityAsPath => wrong_authority_as_path(parts),
            _ => None,
        }
    }

    /// Stage *faults*: whether it takes the parts that have this fault.
    pub(crate) fn forgives(&self, fault: &Fault, parts: &Parts<'_>) -> bool {
        let literal = literal(parts);
        match (self, fault.flaw) {
            (Deviation::TakesCharacters { components, characters }, Flaw::Character(character)) => {
                components.contains(&fault.component)
                    && characters.as_ref().is_none_or(|characters| characters.contains(character))
            }
            (Deviation::DropsTruncatedTriplets, Flaw::Triplet) => {
                let text = &parts.text(fault.component).unwrap_or_default()[fault.offset..];
                let end = text.find('/').filter(|_| fault.component == Component::Path).unwrap_or(text.len());
                fault.component != Component::Host && is_truncated_triplet(&text[..end])
            }
            (Deviation::ReadsMissingScheme, Flaw::EmptyScheme) => true,
            (Deviation::MisplacesColonInIpv6, Flaw::Ipv6) => literal.is_some_and(is_ipv6_with_misplaced_colon),
            (Deviation::TakesZerosInTrailingIpv4, Flaw::Ipv6) => literal.is_some_and(is_ipv6_with_zeros),
            (Deviation::TakesEmptyPartsOfIpvfuture, Flaw::IpvFuture) => {
                literal.is_some_and(is_ipvfuture_with_empty_parts)
            }
            (Deviation::TakesPlusBeforePort, Flaw::Character('+')) => {
                fault.component == Component::Port && fault.offset == 0 && parts.port.as_deref() != Some("+")
            }
            (Deviation::TakesRegistryNames, _) => is_of_authority(fault.component) && is_registry_name(parts),
            _ => false,
        }
    }

    /// Stage *verdict*: whether it refuses these parts, which are otherwise taken.
    pub(crate) fn refuses(&self, parts: &Parts<'_>) -> bool {
        let is_empty = |component: Component| parts.text(component) == Some("");
        match self {
            Deviation::RefusesIpvfuture => parts.host_kind == Some(HostKind::Ipvfuture),
            Deviation::RefusesIpLiterals => matches!(parts.host_kind, Some(HostKind::Ipvfuture | HostKind::Ipv6)),
            Deviation::RefusesPortsAbove { limit } => {
                let is_above = |port: &str| !port.is_empty() && port.parse::<u64>().is_ok_and(|port| port > *limit);
                let is_no_number = |port: &str| port.len() > 19 && port.trim_start_matches(['+', '0']).len() > 19;
                parts.port.as_deref().is_some_and(|port| is_above(port) || is_no_number(port))
            }
            Deviation::RefusesEmpty { component } => is_empty(*component),
            Deviation::RefusesIpv4AddressInName => {
                parts.host_kind == Some(HostKind::RegName) && parts.host.as_deref().is_some_and(begins_with_address)
            }
            Deviation::RefusesCapitalVersionFlag => parts.host.as_deref().is_some_and(|host| host.starts_with("[V")),
            Deviation::MisplacesColonInIpv6 => {
                parts.host_kind == Some(HostKind::Ipv6)
                    && literal(parts).is_some_and(|literal| !is_ipv6_with_misplaced_colon(literal))
            }
            Deviation::RefusesColonBeforeFirstSlash => has_colon_before_first_slash(parts),
            Deviation::RefusesColonBehindFirstSlash => has_colon_behind_first_slash(parts),
            Deviation::RefusesSchemeAlone => {
                parts.scheme.is_some() && parts.host.is_none() && parts.path.is_empty() && parts.query.is_none()
            }
            Deviation::RefusesQueryAlone => {
                parts.scheme.is_none() && parts.host.is_none() && parts.path.is_empty() && parts.query.is_some()
            }
            Deviation::RefusesWithout { component } => parts.text(*component).is_none(),
            Deviation::RefusesWith { component } => parts.text(*component).is_some(),
            Deviation::RefusesNamesThatAreNoDomains => {
                parts.host_kind == Some(HostKind::RegName) && !parts.host.as_deref().is_some_and(is_domain)
            }
            _ => false,
        }
    }

    /// Stage *verdict*: where it panics on parts that are refused.
    pub(crate) fn panics(&self, parts: &Parts<'_>) -> Option<&str> {
        match self {
            Deviation::PanicsOnColonInFirstSegment { place } => {
                is_path_with_colon_first(parts).then_some(place.as_str())
            }
            _ => None,
        }
    }

    /// Stage *held*: changes the parts that are taken, before any operation.
    pub(crate) fn holds(&self, parts: &mut Parts<'_>) {
        match self {
            Deviation::HoldsRootForEmptyPath if parts.host.is_some() && parts.path.is_empty() => {
                parts.path = "/".into();
            }
            Deviation::HoldsPortAsNumber => {
                parts.port = parts.port.take().filter(|port| !port.is_empty()).map(|port| {
                    let digits = port.trim_start_matches('+').trim_start_matches('0');
                    if digits.is_empty() {
                        "0".into()
                    } else {
                        digits.to_owned().into()
                    }
                });
            }
            Deviation::HoldsIpv6AsValue => canonical_ipv6(parts),
            Deviation::DropsTruncatedTriplets => drop_truncated_triplets(parts),
            Deviation::HoldsDecoded => hold_decoded(parts),
            Deviation::HoldsPathWithoutDotSegments => parts.path = remove_dot_segments(&parts.path).into(),
            Deviation::HoldsNamesInLowerCase if matches!(parts.host_kind, Some(HostKind::RegName | HostKind::Ipv4)) => {
                parts.host = parts.host.take().map(|host| uppercase_triplets(&host.to_ascii_lowercase()).into());
            }
            Deviation::HoldsSchemesInLowerCase { schemes } => {
                let is_known = |scheme: &str| {
                    schemes.as_ref().is_none_or(|known| known.iter().any(|known| known.eq_ignore_ascii_case(scheme)))
                };
                parts.scheme = parts.scheme.take().map(|scheme| match is_known(&scheme) {
                    true => scheme.to_ascii_lowercase().into(),
                    false => scheme,
                });
            }
            _ => {}
        }
    }

    /// Stage *shown*: changes the parts that are reported.
    pub(crate) fn shows(&self, parts: &mut Parts<'_>) {
        if matches!(self, Deviation::ReadsMissingScheme) {
            parts.scheme = parts.scheme.take().filter(|scheme| !scheme.is_empty());
        }
        if matches!(self, Deviation::ReportsCapitalVersionFlagAsIpv6)
            && parts.host.as_deref().is_some_and(|host| host.starts_with("[V"))
        {
            parts.host_kind = Some(HostKind::Ipv6);
        }
    }

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
            Deviation::RemovesDotSegmentsOfBase if !resolving.removes_dot_segments() => {
                resolving.path = remove_dot_segments(&resolving.path).into();
            }
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
            _ => false,
        }
    }

    /// Stage *dots*: what is left of the path without its dot-segments, if not what §5.2.4 leaves.
    pub(crate) fn removes_dots(&self, path: &str) -> Option<String> {
        match self {
            Deviation::KeepsRootlessPathsRootless if !path.starts_with('/') => {
                Some(rootless_without_dots(path, EmptyFirst::Kept))
            }
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

    /// Stage *steps*: whether a step of normalization is left out.
    pub(crate) fn skips(&self, step: NormalizationStep, component: Component, parts: &Parts<'_>) -> bool {
        match self {
            Deviation::LeavesOut {
                step: left_out,
                components,
            } => *left_out == step && components.as_ref().is_none_or(|components| components.contains(&component)),
            Deviation::DecodesHostLast => step == NormalizationStep::Decode && component == Component::Host,
            Deviation::KeepsCaseOfEncodedHost => {
                let has_such = |host: &str| {
                    host.match_indices('%')
                        .any(|(at, _)| leading_triplet(&host.as_bytes()[at..]).is_some_and(|octet| !octet.is_ascii()))
                };
                step == NormalizationStep::Lowercase
                    && component == Component::Host
                    && parts.host.as_deref().is_some_and(has_such)
            }
            Deviation::WritesHostByItsOctets => {
                step == NormalizationStep::Lowercase
                    && component == Component::Host
                    && parts.host_kind == Some(HostKind::Ipvfuture)
            }
            Deviation::NormalizesDotSegmentsOnly => step != NormalizationStep::Dots,
            Deviation::NormalizesAbsolutePathsOnly => step == NormalizationStep::Dots && !parts.path.starts_with('/'),
            _ => false,
        }
    }

    /// Stage *steps*: whether it normalizes a relative reference as it does a URI.
    pub(crate) fn normalizes_relative_references(&self) -> bool {
        matches!(self, Deviation::NormalizesRelativeReferences)
    }

    /// Stage *steps*: what is made of a path without authority that begins with "//" once its dot-segments are removed.
    pub(crate) fn double_slash(&self) -> Option<DoubleSlash> {
        match self {
            Deviation::GuardsDoubleSlash => Some(DoubleSlash::Guarded),
            Deviation::NormalizesToDoubleSlash => Some(DoubleSlash::Written),
            _ => None,
        }
    }

    /// Stage *normal form*: changes what the steps have made.
    pub(crate) fn changes_normal(&self, parts: &mut Parts<'_>) {
        if matches!(self, Deviation::DecodesHostLast) {
            parts.host = parts.host.take().map(|host| decode_unreserved(&host).into());
        }
        if matches!(self, Deviation::OmitsEmptyPort) && parts.port.as_deref() == Some("") {
            parts.port = None;
        }
        if matches!(self, Deviation::CanonicalIpv6) {
            canonical_ipv6(parts);
        }
    }
}

/// Whether a path begins with a scheme and a colon.
fn looks_like_scheme(path: &str) -> bool {
    path.split_once(':').is_some_and(|(scheme, _)| rfc3986_reference::grammar::scheme(scheme).is_ok())
}

/// Writes an IPv6 address as RFC 5952 has it.
fn canonical_ipv6(parts: &mut Parts<'_>) {
    if let Some(host) = &parts.host
        && let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'))
        && let Ok(address) = address.parse::<Ipv6Addr>()
    {
        parts.host = Some(format!("[{address}]").into());
    }
}

/// Whether all before the query is a path whose first segment has a colon, and there is no scheme to which that could belong.
fn is_path_with_colon_first(parts: &Parts<'_>) -> bool {
    let has_scheme = parts.scheme.is_some() && faults_in(parts, Component::Scheme) == 0;
    let text = recompose(parts);
    let path = Parts {
        path: text[..text.find(['?', '#']).unwrap_or(text.len())].into(),
        ..Parts::default()
    };
    let first = path.path.trim_start_matches('/').split('/').next();
    let begins_like_authority = path.path.starts_with("//");
    !has_scheme
        && !begins_like_authority
        && first.is_some_and(|first| first.contains(':'))
        && faults(&path, Reading::Rfc3986).iter().all(|fault| fault.flaw == Flaw::ColonInFirstSegment)
}

fn faults_in(parts: &Parts<'_>, component: Component) -> usize {
    faults(parts, Reading::Rfc3986).iter().filter(|fault| fault.component == component).count()
}

/// Whether query or fragment have a colon before any slash, behind neither scheme nor authority.
fn has_colon_before_first_slash(parts: &Parts<'_>) -> bool {
    let behind = recompose(&Parts {
        path: "".into(),
        ..parts.clone()
    });
    parts.scheme.is_none()
        && parts.host.is_none()
        && !parts.path.contains('/')
        && behind.split('/').next().is_some_and(|before| before.contains(':'))
}

/// Whether the path begins with a slash and has a colon in its first segment, behind neither scheme nor authority.
fn has_colon_behind_first_slash(parts: &Parts<'_>) -> bool {
    let first = parts.path.strip_prefix('/').and_then(|path| path.split('/').next());
    parts.scheme.is_none() && parts.host.is_none() && first.is_some_and(|first| first.contains(':'))
}

/// Whether the longest beginning of digits and dots is an IPv4 address.
fn begins_with_address(host: &str) -> bool {
    let end = host.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(host.len());
    ipv4address(&host[..end]).is_ok()
}
