//! What is wrong, in words.

use super::Direction;
use super::change::ComponentChange;
use crate::compare::DifferenceKind;
use crate::gate::judgement::Failure;
use crate::model::{Component, ComponentSet, Operation};
use crate::severity::{Severity, rank};

/// The title of a group, from its witness: what the subject does, or the change that explains it, with what of an input, which may be empty.
pub(super) fn title(
    failure: &Failure,
    operation: Operation,
    differing: ComponentSet,
    direction: &Direction,
    (change, with): (Option<ComponentChange>, &str),
) -> String {
    // Another host is another authority and often another path: the first of the order of severity is what counts.
    let what = differing.iter().min_by_key(|component| rank(*component));
    let does = match failure.kind {
        _ if failure.unrepeated.is_some() => "answers differently when it is run again".to_owned(),
        _ if direction.is_unresolved => "returns the reference as it is".to_owned(),
        DifferenceKind::RejectedValid if with.is_empty() => return "refuses what is valid".to_owned(),
        DifferenceKind::RejectedValid => return format!("refuses {with}"),
        DifferenceKind::AcceptedInvalid if operation == Operation::Parse => match (failure.severity, with) {
            (Severity::AcceptedInvalid, "") => "accepts what is invalid".to_owned(),
            (Severity::AcceptedInvalid, with) => return format!("accepts {with}"),
            // Each of them is a string that is invalid, which says no more.
            (severity, with) => {
                let does = format!("reads another {} in an invalid string", of_severity(severity));
                return match with.is_empty() || with.ends_with("that is invalid") {
                    true => does,
                    false => format!("{does}, with {with}"),
                };
            }
        },
        DifferenceKind::AcceptedInvalid => format!("{} what is to be refused", takes(operation)),
        DifferenceKind::InvalidUri => format!("{} a string that is no URI", returns(operation)),
        DifferenceKind::FalsePositive => "takes different URIs for equivalent".to_owned(),
        DifferenceKind::FalseNegative => "takes equivalent URIs for different".to_owned(),
        DifferenceKind::BrokenContract => "equality, hash and order contradict each other".to_owned(),
        DifferenceKind::NotIdempotent => "changes a normal form when it is normalized again".to_owned(),
        DifferenceKind::Superlinear => "takes time that grows faster than the input".to_owned(),
        DifferenceKind::TimedOut => "does not answer in time".to_owned(),
        DifferenceKind::Crashed => match &direction.place {
            Some(place) => format!("crashes ({place})"),
            None => "crashes".to_owned(),
        },
        DifferenceKind::OtherComponents | DifferenceKind::OtherUri | DifferenceKind::OtherMeaning => {
            if failure.severity == Severity::Credentials {
                "sends the userinfo of the base to another host".to_owned()
            } else if let Some(change) = change {
                change.to_string()
            } else {
                let what = what.map_or("URI", name);
                format!("{} another {what}", returns(operation))
            }
        }
    };
    match with {
        "" => does,
        with => format!("{does}, with {with}"),
    }
}

fn returns(operation: Operation) -> &'static str {
    match operation {
        Operation::Parse => "reads",
        Operation::Resolve => "resolves to",
        Operation::Normalize => "normalizes to",
        Operation::Compose => "composes",
        Operation::Equivalent | Operation::Contract => "compares as",
        Operation::Relativize => "relativizes to",
        Operation::Modify => "changes to",
        Operation::RoundTrip => "prints",
    }
}

fn takes(operation: Operation) -> &'static str {
    match operation {
        Operation::Parse => "accepts",
        Operation::Resolve => "resolves",
        Operation::Normalize => "normalizes",
        Operation::Compose => "composes",
        Operation::Equivalent | Operation::Contract => "compares",
        Operation::Relativize => "relativizes",
        Operation::Modify => "changes",
        Operation::RoundTrip => "prints",
    }
}

fn of_severity(severity: Severity) -> &'static str {
    match severity {
        Severity::SchemeOrPort => "port",
        Severity::Userinfo => "userinfo",
        _ => "host",
    }
}

fn name(component: Component) -> &'static str {
    match component {
        Component::HostKind => "kind of host",
        component => component.name(),
    }
}
