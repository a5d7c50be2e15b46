//! What each deviation does at its stage: a function for each stage, a branch for each deviation that acts there.

mod beginning;
mod comparison;
mod composition;
mod resolution;

use std::net::Ipv6Addr;

use rfc3986_reference::characters::leading_triplet;
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::grammar::ipv4address;
use uriproof::model::{Component, HostKind, Reading};

pub(crate) use self::beginning::beginning;
use crate::catalogue::Deviation;
use crate::reading::{
    drop_truncated_triplets, hold_decoded, is_domain, is_ipv6_with_misplaced_colon, is_ipv6_with_zeros,
    is_ipvfuture_with_empty_parts, is_registry_name, is_truncated_triplet, literal, wrong_authority_as_path,
};
use crate::spelling::{decode_unreserved, uppercase_triplets};
use crate::stages::{DoubleSlash, Fault, Flaw, NormalizationStep, Parts, faults, is_of_authority, recompose};

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
