//! The stages *composition* and *written*: what becomes of components that are given, and of all that are written.

use super::looks_like_scheme;
use crate::catalogue::{Deviation, GuardedForm};
use crate::reading::write_host_by_its_octets;
use crate::stages::{Fault, Flaw, Parts};

impl Deviation {
    /// Stage *faults*, of components that are composed.
    pub(crate) fn forgives_composed(&self, fault: &Fault, parts: &Parts<'_>) -> bool {
        match (self, fault.flaw) {
            (Deviation::ComposesColonInFirstSegment, Flaw::ColonInFirstSegment) => !looks_like_scheme(&parts.path),
            (Deviation::ComposesUnchecked { components }, _) if components.contains(&fault.component) => true,
            (Deviation::ComposesMissingScheme, Flaw::EmptyScheme) => true,
            (Deviation::ComposesCharacters { components }, Flaw::Character(_) | Flaw::Triplet) => {
                components.contains(&fault.component)
            }
            (
                Deviation::WritesUnguarded {
                    form: GuardedForm::Colon,
                },
                Flaw::ColonInFirstSegment,
            ) => true,
            _ => self.forgives(fault, parts),
        }
    }

    /// Stage *composition*: changes the components of what is modified; `before` has those that it had.
    pub(crate) fn mends_modified(&self, before: &Parts<'_>, parts: &mut Parts<'_>) {
        if matches!(self, Deviation::RootsEmptyPathBehindNewAuthority)
            && before.host.is_none()
            && parts.host.is_some()
            && parts.path.is_empty()
        {
            parts.path = "/".into();
        }
    }

    /// Stage *composition*: whether it writes a rootless path behind an authority.
    pub(crate) fn joins_path(&self) -> bool {
        matches!(self, Deviation::JoinsRootlessPathToAuthority)
    }

    /// Stage *composition*: changes the components that are given.
    pub(crate) fn mends(&self, parts: &mut Parts<'_>) {
        if matches!(self, Deviation::RootsPathBehindAuthority)
            && parts.host.is_some()
            && !parts.path.is_empty()
            && !parts.path.starts_with('/')
        {
            parts.path = format!("/{}", parts.path).into();
        }
        if matches!(self, Deviation::ComposesMissingScheme) && parts.scheme.is_none() {
            parts.scheme = Some("".into());
        }
    }

    /// Stage *verdict*, of components that are composed.
    pub(crate) fn refuses_composed(&self, parts: &Parts<'_>) -> bool {
        matches!(self, Deviation::RefusesCapitalsInSetScheme)
            && parts.scheme.as_deref().is_some_and(|scheme| scheme.contains(|c: char| c.is_ascii_uppercase()))
    }

    /// Stage *verdict*, of what is modified: whether it does not look at what it would refuse.
    pub(crate) fn spares(&self, before: &Parts<'_>, parts: &Parts<'_>) -> bool {
        matches!(self, Deviation::RefusesColonBehindFirstSlash) && before.host.is_some() && parts.host.is_none()
    }

    /// Stage *composition*: whether it leaves what is composed as it is given, and does not bring it into the form that it holds.
    pub(crate) fn composes_as_given(&self) -> bool {
        matches!(self, Deviation::ComposesAsGiven)
    }

    /// Stages *composition* and *target*: whether it writes what would be read in another way.
    pub(crate) fn writes_unguarded(&self, unguarded: GuardedForm) -> bool {
        matches!(self, Deviation::WritesUnguarded { form } if *form == unguarded)
    }

    /// Stage *written*: changes the components that are written, by any operation.
    pub(crate) fn writes(&self, parts: &mut Parts<'_>) {
        match self {
            Deviation::WritesHostByItsOctets => write_host_by_its_octets(parts),
            Deviation::EncodesPlusInQuery => {
                parts.query = parts.query.take().map(|query| query.replace('+', "%2B").into());
            }
            _ => {}
        }
    }
}
