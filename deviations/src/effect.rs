//! What each deviation does at its stage: a function for each stage, a branch for each deviation that acts there.

use std::net::Ipv6Addr;

use rfc3986_reference::characters::leading_triplet;
use rfc3986_reference::grammar::ipv4address;
use rfc3986_reference::resolve::Branch;
use uriproof::model::{Component, HostKind};

use crate::catalogue::{BaseForm, Deviation, DotsOf};
use crate::stages::{DoubleSlash, Fault, Flaw, NormalizationStep, Parts, Resolving};

impl Deviation {
    /// Stage *faults*: whether it takes what has this fault.
    pub(crate) fn forgives(&self, fault: &Fault) -> bool {
        match (self, fault.flaw) {
            (Deviation::TakesCharacters { components, characters }, Flaw::Character(character)) => {
                components.contains(&fault.component)
                    && characters.as_ref().is_none_or(|characters| characters.contains(character))
            }
            _ => false,
        }
    }

    /// Stage *faults*, of components that are composed.
    pub(crate) fn forgives_composed(&self, fault: &Fault) -> bool {
        match (self, fault.flaw) {
            (Deviation::ComposesCharacters { components }, Flaw::Character(_) | Flaw::Triplet) => {
                components.contains(&fault.component)
            }
            _ => self.forgives(fault),
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
                let is_no_number = |port: &str| port.len() > 19 && port.trim_start_matches('0').len() > 19;
                parts.port.as_deref().is_some_and(|port| is_above(port) || is_no_number(port))
            }
            Deviation::RefusesEmpty { component } => is_empty(*component),
            Deviation::RefusesIpv4AddressInName => {
                parts.host_kind == Some(HostKind::RegName) && parts.host.as_deref().is_some_and(begins_with_address)
            }
            Deviation::RefusesSchemeAlone => parts.scheme.is_some() && parts.host.is_none() && parts.path.is_empty(),
            Deviation::RefusesQueryAlone => {
                parts.scheme.is_none() && parts.host.is_none() && parts.path.is_empty() && parts.query.is_some()
            }
            _ => false,
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

    /// Stage *merge*: another path in the place of what §5.2.3 makes.
    pub(crate) fn merges(&self, resolving: &mut Resolving<'_>) {
        if matches!(self, Deviation::MergesBehindDotDot)
            && resolving.branch == Branch::Merge
            && resolving.base.path.ends_with("/..")
        {
            resolving.path = format!("{}/{}", resolving.base.path, resolving.reference.path).into();
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
                DotsOf::AbsolutePathReferences => resolving.branch == Branch::AbsolutePath,
            },
            _ => false,
        }
    }

    /// Stage *target*: whether it refuses to write these components.
    pub(crate) fn refuses_target(&self, target: &Parts<'_>) -> bool {
        match self {
            Deviation::RefusesDoubleSlash => target.host.is_none() && target.path.starts_with("//"),
            _ => false,
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
            Deviation::KeepsCaseOfEncodedHost => {
                let has_such = |host: &str| {
                    host.match_indices('%')
                        .any(|(at, _)| leading_triplet(&host.as_bytes()[at..]).is_some_and(|octet| !octet.is_ascii()))
                };
                step == NormalizationStep::Lowercase
                    && component == Component::Host
                    && parts.host.as_deref().is_some_and(has_such)
            }
            Deviation::NormalizesAbsolutePathsOnly => step == NormalizationStep::Dots && !parts.path.starts_with('/'),
            _ => false,
        }
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
        if matches!(self, Deviation::OmitsEmptyPort) && parts.port.as_deref() == Some("") {
            parts.port = None;
        }
        if matches!(self, Deviation::CanonicalIpv6)
            && let Some(host) = &parts.host
            && let Some(address) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'))
            && let Ok(address) = address.parse::<Ipv6Addr>()
        {
            parts.host = Some(format!("[{address}]").into());
        }
    }
}

/// Whether the longest beginning of digits and dots is an IPv4 address.
fn begins_with_address(host: &str) -> bool {
    let end = host.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(host.len());
    ipv4address(&host[..end]).is_ok()
}
