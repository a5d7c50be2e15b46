//! What is compared, and what counts as the same: by what a subject follows, by the operation, and by how exactly the subject tells a
//! component. Every comparison reads it here, whether it is quick or in full.

use super::sameness::{read, same_host, significant_digits};
use super::{BriefVerdict, DifferenceKind};
use crate::model::{Component, ComponentSet, Declaration, Fidelity, Forms, Input, Outcome, Reported, Specification};

/// What is said of an outcome that is no answer.
pub(super) fn without_answer(outcome: &Outcome) -> Option<BriefVerdict> {
    match outcome {
        Outcome::Crashed { .. } => Some(BriefVerdict::of_kind(DifferenceKind::Crashed)),
        Outcome::TimedOut { .. } => Some(BriefVerdict::of_kind(DifferenceKind::TimedOut)),
        Outcome::Unsupported { .. } => Some(BriefVerdict::NotComparable),
        Outcome::Accepted { .. } | Outcome::Rejected { .. } => None,
    }
}

/// Whether what RFC 3986 rejects says nothing of a subject: RFC 3987 governs characters beyond US-ASCII, and whether the rest would
/// have been accepted cannot be known.
pub(crate) fn is_governed_otherwise(declaration: &Declaration, is_ascii: bool) -> bool {
    declaration.specification == Specification::Rfc3987 && !is_ascii
}

/// How two differ of which one is accepted, and the other not.
pub(crate) fn acceptance(expected: bool, observed: bool) -> Option<DifferenceKind> {
    match (expected, observed) {
        (false, true) => Some(DifferenceKind::AcceptedInvalid),
        (true, false) => Some(DifferenceKind::RejectedValid),
        (true, true) | (false, false) => None,
    }
}

/// What counts as the same in an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    /// The components that an answer may spell freely: unreserved characters may be decoded and triplets written in capitals "at any
    /// time" (§2.4, §6.2.2). Where there are some, they may be refused too, or encoded in more than one way.
    pub(super) spelled_freely: Option<ComponentSet>,
    /// Whether the operation is about the form of the answer: then a subject that shows every URI in a normal form of its own is
    /// compared only where it gives one of the outcomes to the letter.
    is_of_form: bool,
}

impl Policy {
    /// The table: a line for each operation.
    pub(super) fn of(input: &Input) -> Policy {
        let (spelled_freely, is_of_form) = match input {
            // Components, each at the subject's fidelity.
            Input::Parse { .. } => (None, false),
            // The base may be normalized before (§5.2.1).
            Input::Resolve { .. } => (Some(ComponentSet::ALL), false),
            Input::Normalize { .. } => (None, true),
            // Producers should write them in a certain way (§2.1, §2.3, §3.1, §3.2.2).
            Input::Compose { .. } | Input::RoundTrip { .. } => (Some(ComponentSet::ALL), false),
            Input::Modify { component, .. } => (Some(set_with(*component)), false),
            // Yes or no.
            Input::Equivalent { .. } | Input::Contract { .. } => (None, false),
            // A property: what it resolves to.
            Input::Relativize { .. } => (None, false),
        };
        Policy {
            spelled_freely,
            is_of_form,
        }
    }

    /// Whether only an answer that is an outcome to the letter can be compared.
    pub(super) fn is_to_the_letter(self, declaration: &Declaration) -> bool {
        self.is_of_form && declaration.forms == Forms::Normalized
    }
}

/// What is set where a component is: the kind of a host follows from it.
fn set_with(component: Component) -> ComponentSet {
    let follows = (component == Component::Host).then_some(Component::HostKind);
    [component].into_iter().chain(follows).collect()
}

/// Whether a component is the same at the subject's fidelity.
pub(super) fn same_component(
    fidelity: Fidelity,
    component: Component,
    expected: Reported<&str>,
    observed: Reported<&str>,
) -> bool {
    let (expected, observed) = match (expected, observed) {
        (Reported::Nothing, _) | (_, Reported::Nothing) => return true,
        (expected, observed) => (expected.as_defined().copied(), observed.as_defined().copied()),
    };
    match fidelity {
        _ if expected == observed => true,
        _ if component == Component::HostKind => false,
        Fidelity::Exact => false,
        Fidelity::EmptyIsUndefined => expected.unwrap_or_default() == observed.unwrap_or_default(),
        Fidelity::IgnoringCase => match (expected, observed) {
            (Some(expected), Some(observed)) => expected.eq_ignore_ascii_case(observed),
            _ => false,
        },
        Fidelity::HostValue => match (expected, observed) {
            (Some(expected), Some(observed)) => same_host(expected, observed),
            _ => false,
        },
        Fidelity::BareHost => {
            let (expected, observed) = (expected.unwrap_or_default(), observed.unwrap_or_default());
            without_brackets(expected).eq_ignore_ascii_case(without_brackets(observed))
        }
        Fidelity::Number => significant_digits(expected) == significant_digits(observed),
        Fidelity::Octets => match (expected, observed) {
            (Some(expected), Some(observed)) if component == Component::Path => {
                segments(expected).eq(segments(observed))
            }
            (Some(expected), Some(observed)) => octets(expected).eq(octets(observed)),
            _ => false,
        },
        Fidelity::OctetsWithoutBrackets => match (expected, observed) {
            (Some(expected), Some(observed)) => {
                octets(without_brackets(expected)).eq(octets(without_brackets(observed)))
            }
            _ => false,
        },
        Fidelity::OctetsEmptyIsUndefined => {
            octets(expected.unwrap_or_default()).eq(octets(observed.unwrap_or_default()))
        }
    }
}

/// A host without the brackets of an IP-literal.
fn without_brackets(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// What a text stands for, its triplets decoded.
fn octets(text: &str) -> impl Iterator<Item = u8> {
    read(text).map(|(octet, _)| octet)
}

/// What the segments of a path stand for; a slash that ends one is none of its octets.
fn segments(path: &str) -> impl Iterator<Item = Option<u8>> {
    read(path).map(|(octet, is_encoded)| (is_encoded || octet != b'/').then_some(octet))
}
