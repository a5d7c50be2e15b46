//! Two outcomes -> a verdict. Knows no subject by name and never panics.

#[cfg(feature = "cli")]
pub mod pairwise;
mod property;
mod sameness;

use std::borrow::Cow;

use rfc3986_reference::characters::{is_unreserved, percent_decode, percent_encode};
use rfc3986_reference::components::{ReferenceRule, parse};
use serde::{Deserialize, Serialize};

pub use self::sameness::same_normalized;
use self::sameness::{differing_in_text, foreign, normalized, same_host, same_uri, significant_digits, uri_of_iri};
use crate::expect::Expected;
use crate::model::{
    Component, Components, Declaration, Fidelity, Forms, Input, Observed, Outcome, Reading, Rule, Specification, Told,
    Value,
};

/// What the comparison of an outcome with the expected ones says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The outcome conforms.
    Agree {
        /// The name of the conforming outcome, where several conform.
        conforming: Option<String>,
    },
    /// It does not.
    Diverge(Difference),
    /// There is nothing to compare, for this reason.
    NotComparable {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// The verdict's name, as `results.json` spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agree { .. } => "agree",
            Verdict::Diverge(_) => "diverge",
            Verdict::NotComparable { .. } => "not-comparable",
        }
    }
}

/// How an outcome differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Difference {
    /// The kind of difference.
    pub kind: Kind,
    /// The components that differ, where both sides have components.
    pub components: Vec<Component>,
}

/// The kinds of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Accepted, though invalid.
    AcceptedInvalid,
    /// Rejected, though valid.
    RejectedValid,
    /// Accepted by both, with other components.
    OtherComponents,
    /// Accepted by both, with another URI.
    OtherUri,
    /// Made a string that is no URI-reference.
    InvalidUri,
    /// Equivalent, though different (RFC 3986 §6.1).
    FalsePositive,
    /// Not equivalent, though the same on that rung (RFC 3986 §6.1).
    FalseNegative,
    /// A contract of equality, hash or order does not hold.
    BrokenContract,
    /// What was normalized comes out otherwise when it is normalized again.
    NotIdempotent,
    /// A relative reference came out as one that resolves to something else, or as one of another kind.
    OtherMeaning,
    /// The time that the subject takes grows faster than its input.
    Superlinear,
    /// The subject panicked or died.
    Crashed,
    /// The subject did not answer in time.
    TimedOut,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 13] = [
        Kind::AcceptedInvalid,
        Kind::RejectedValid,
        Kind::OtherComponents,
        Kind::OtherUri,
        Kind::InvalidUri,
        Kind::FalsePositive,
        Kind::FalseNegative,
        Kind::BrokenContract,
        Kind::NotIdempotent,
        Kind::OtherMeaning,
        Kind::Superlinear,
        Kind::Crashed,
        Kind::TimedOut,
    ];

    /// The kind's name, as `results.json` spells it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::AcceptedInvalid => "accepted-invalid",
            Kind::RejectedValid => "rejected-valid",
            Kind::OtherComponents => "other-components",
            Kind::OtherUri => "other-uri",
            Kind::InvalidUri => "invalid-uri",
            Kind::FalsePositive => "false-positive",
            Kind::FalseNegative => "false-negative",
            Kind::BrokenContract => "broken-contract",
            Kind::NotIdempotent => "not-idempotent",
            Kind::OtherMeaning => "other-meaning",
            Kind::Superlinear => "superlinear",
            Kind::Crashed => "crashed",
            Kind::TimedOut => "timed-out",
        }
    }
}

/// Compares what a subject did with the outcomes that conform.
///
/// What differs is told against the one that is closest, and of equals the first, the literal one.
pub fn compare(declaration: &Declaration, input: &Input, expected: &Expected, observed: &Outcome) -> Verdict {
    // RFC 3986 rejects these characters; whether the rest would have been accepted cannot be told apart.
    let rejects = matches!(
        expected,
        Expected::Outcomes(outcomes)
            if matches!(outcomes.first(), Some(one) if matches!(one.outcome, Outcome::Rejected { .. }))
    );
    let answers = matches!(observed, Outcome::Accepted { .. } | Outcome::Rejected { .. });
    if rejects && answers && declaration.specification == Specification::Rfc3987 && !is_ascii(input) {
        return Verdict::NotComparable {
            reason: "RFC 3987 governs characters beyond US-ASCII".to_owned(),
        };
    }
    compare_exactly(declaration, expected, observed)
}

/// As [`compare`], whatever specification the subject follows: what is expected governs every character.
pub fn compare_exactly(declaration: &Declaration, expected: &Expected, observed: &Outcome) -> Verdict {
    match observed {
        Outcome::Crashed { .. } => return diverge(Kind::Crashed),
        Outcome::TimedOut { .. } => return diverge(Kind::TimedOut),
        Outcome::Accepted { .. } | Outcome::Rejected { .. } | Outcome::Unsupported { .. } => {}
    }
    let conforming = match (expected, observed) {
        (Expected::NoAnswer { reason }, _) | (_, Outcome::Unsupported { reason }) => {
            return Verdict::NotComparable { reason: reason.clone() };
        }
        (Expected::Property(property), _) => return property::verdict(declaration, property, observed),
        (Expected::Outcomes(conforming), _) => conforming,
    };
    // Of several outcomes the one that is closest is what the subject meant.
    let mut closest: Option<Difference> = None;
    for one in conforming {
        match difference(declaration, &one.outcome, observed) {
            None => {
                let conforming = (conforming.len() > 1).then(|| one.name.to_string());
                return Verdict::Agree { conforming };
            }
            Some(difference) => {
                let distance = |difference: &Difference| difference.components.len();
                // What may be refused or encoded, and is encoded otherwise, is another URI, not an invalid one.
                let is_spelling = difference.kind == Kind::OtherUri && distance(&difference) == 1;
                if closest.as_ref().is_none_or(|closest| match (closest.kind, difference.kind) {
                    (Kind::AcceptedInvalid, _) => is_spelling,
                    (one, other) => one == other && distance(&difference) < distance(closest),
                }) {
                    closest = Some(difference);
                }
            }
        }
    }
    if let Outcome::Accepted {
        value: Value::Uri(observed),
    } = observed
        && let Some(difference) = &mut closest
        && difference.kind == Kind::OtherUri
    {
        let uris = conforming.iter().filter_map(|one| match &one.outcome {
            Outcome::Accepted { value: Value::Uri(uri) } => Some(&**uri),
            _ => None,
        });
        match foreign(declaration.forms, uris, observed) {
            Some((foreign, true)) if foreign.is_empty() => {
                return Verdict::Agree {
                    conforming: Some("mixed".to_owned()),
                };
            }
            Some((foreign, _)) if !foreign.is_empty() => difference.components = foreign,
            Some(_) | None => {}
        }
    }
    let Some(difference) = closest else {
        return Verdict::NotComparable {
            reason: "no outcome is expected".to_owned(),
        };
    };
    Verdict::Diverge(difference)
}

/// The rule that a subject is asked for where `rule` is meant: `rule` itself if it takes it, else its own rule if
/// that is a part of `rule`.
///
/// # Errors
///
/// Why the subject cannot be asked.
pub fn narrow(declaration: &Declaration, rule: Rule) -> Result<Rule, String> {
    let own = own_rule(declaration);
    let is_part = match rule {
        Rule::UriReference => matches!(own, Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef),
        Rule::Uri => own == Rule::AbsoluteUri,
        _ => false,
    };
    if declaration.rules.contains(&rule) {
        Ok(rule)
    } else if is_part {
        Ok(own)
    } else {
        Err(format!("parses {own} only"))
    }
}

/// The rule that a subject is asked for (see [`narrow`]), if its entry point takes the kind of reference that `input`
/// is about: a type of relative references cannot be asked about a URI.
///
/// # Errors
///
/// Why the subject cannot be asked.
pub fn takes(declaration: &Declaration, input: &Input) -> Result<Rule, String> {
    let own = own_rule(declaration);
    let belongs = |text: &str| {
        if is_of_another_kind(text, own) {
            Err(format!("takes {own} only"))
        } else {
            Ok(own)
        }
    };
    match input {
        Input::Parse { rule, .. } => narrow(declaration, *rule),
        // The base is a URI in any case; an entry point for URIs takes its references as another type.
        Input::Resolve { reference, .. } if own == Rule::RelativeRef => belongs(reference),
        Input::Resolve { .. } | Input::Compose { .. } => Ok(own),
        Input::Normalize { uri, .. } => belongs(uri),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => {
            belongs(left).and_then(|_| belongs(right))
        }
        Input::Relativize { target, .. } => belongs(target),
        Input::Modify { uri, .. } | Input::RoundTrip { uri } => belongs(uri),
    }
}

/// What is expected of a subject that makes only what matches its own rule: it refuses all else.
pub fn narrow_result<'a>(
    declaration: &Declaration,
    mut expected: Cow<'a, Expected>,
    input: &Input,
) -> Cow<'a, Expected> {
    let own = own_rule(declaration);
    if let Input::Compose { .. } | Input::Modify { .. } = input
        && let Expected::Outcomes(outcomes) = expected.to_mut()
    {
        for one in outcomes {
            if let Outcome::Accepted { value: Value::Uri(uri) } = &one.outcome
                && is_of_another_kind(uri, own)
            {
                one.outcome = Outcome::rejected(format!("no {own}"));
            }
        }
    }
    expected
}

/// Whether `text` is a URI-reference, but not of the kind that `own` is the rule of.
fn is_of_another_kind(text: &str, own: Rule) -> bool {
    ReferenceRule::try_from(own)
        .is_ok_and(|own| parse(text, Reading::Rfc3986).is_ok_and(|reference| !reference.matches(own)))
}

/// The rule of what an entry point is for: the first that it lists.
pub fn own_rule(declaration: &Declaration) -> Rule {
    declaration.rules.first().copied().unwrap_or(Rule::UriReference)
}

fn diverge(kind: Kind) -> Verdict {
    Verdict::Diverge(Difference {
        kind,
        components: Vec::new(),
    })
}

fn difference(declaration: &Declaration, expected: &Outcome, observed: &Outcome) -> Option<Difference> {
    let of_kind = |kind| {
        Some(Difference {
            kind,
            components: Vec::new(),
        })
    };
    match (expected, observed) {
        (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => None,
        (Outcome::Rejected { .. }, _) => of_kind(Kind::AcceptedInvalid),
        (_, Outcome::Rejected { .. }) => of_kind(Kind::RejectedValid),
        (Outcome::Accepted { value: expected }, Outcome::Accepted { value: observed }) => match (expected, observed) {
            (Value::Components(expected), Value::Components(observed)) => {
                let components = differing(declaration, expected, observed);
                (!components.is_empty()).then_some(Difference {
                    kind: Kind::OtherComponents,
                    components,
                })
            }
            (Value::Uri(expected), Value::Uri(observed)) => {
                let observed = match declaration.specification {
                    Specification::Rfc3987 => uri_of_iri(observed),
                    _ => Cow::Borrowed(&**observed),
                };
                if same_uri(declaration.forms, expected, &observed) {
                    return None;
                }
                if parse(&observed, Reading::Rfc3986).is_err() {
                    return of_kind(Kind::InvalidUri);
                }
                Some(Difference {
                    kind: Kind::OtherUri,
                    components: differing_in_text(declaration.forms, expected, &observed),
                })
            }
            (Value::Equivalent(expected), Value::Equivalent(observed)) if expected == observed => None,
            (Value::Broken(expected), Value::Broken(observed)) if expected == observed => None,
            // An answer to another question, which no adapter of ours gives and the protocol refuses.
            (Value::Components(_), _) => of_kind(Kind::OtherComponents),
            (Value::Uri(_), _) => of_kind(Kind::OtherUri),
            (Value::Equivalent(false), _) => of_kind(Kind::FalsePositive),
            (Value::Equivalent(true), _) => of_kind(Kind::FalseNegative),
            (Value::Broken(_), _) => of_kind(Kind::BrokenContract),
        },
        (Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. }, _)
        | (_, Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. }) => {
            of_kind(Kind::Crashed)
        }
    }
}

/// The components that were told and differ, as exactly as the subject tells them.
fn differing(declaration: &Declaration, expected: &Observed, observed: &Observed) -> Vec<Component> {
    let differing: Vec<Component> = Component::ALL
        .into_iter()
        .filter(|&component| {
            let fidelity = declaration.fidelity(component).unwrap_or(Fidelity::Exact);
            !same_component(fidelity, component, expected.text(component), observed.text(component))
        })
        .collect();
    if differing.is_empty() || declaration.forms == Forms::Verbatim {
        return differing;
    }
    let (Some(expected), Some(observed)) = (normal_form(expected, expected), normal_form(observed, expected)) else {
        return differing;
    };
    differing
        .into_iter()
        .filter(|&component| !same_normalized(component, expected.text(component), observed.text(component)))
        .collect()
}

fn same_component(fidelity: Fidelity, component: Component, expected: Told<&str>, observed: Told<&str>) -> bool {
    let (expected, observed) = match (expected, observed) {
        (Told::Untold, _) | (_, Told::Untold) => return true,
        (expected, observed) => (expected.as_defined().copied(), observed.as_defined().copied()),
    };
    let undefined_as_empty = |text: Option<&str>| text.unwrap_or_default().to_owned();
    match fidelity {
        _ if expected == observed => true,
        _ if component == Component::HostKind => false,
        Fidelity::Exact => false,
        Fidelity::EmptyIsUndefined => undefined_as_empty(expected) == undefined_as_empty(observed),
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
        Fidelity::Octets if component == Component::Path => expected.map(segments) == observed.map(segments),
        Fidelity::Octets => expected.map(octets) == observed.map(octets),
        Fidelity::OctetsWithoutBrackets => {
            let bare = |host: &str| octets(without_brackets(host));
            expected.map(bare) == observed.map(bare)
        }
        Fidelity::OctetsEmptyIsUndefined => {
            octets(&undefined_as_empty(expected)) == octets(&undefined_as_empty(observed))
        }
    }
}

/// A host without the brackets of an IP-literal.
fn without_brackets(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

fn octets(text: &str) -> String {
    percent_encode(&percent_decode(text), is_unreserved)
}

fn segments(path: &str) -> Vec<String> {
    path.split('/').map(octets).collect()
}

/// The components of the normal form of what was told, completed from `other` where it was not.
fn normal_form(told: &Observed, other: &Observed) -> Option<Components> {
    let text = |component: Component| match told.text(component) {
        Told::Untold => other.text(component).as_defined().map(ToString::to_string),
        told => told.as_defined().map(ToString::to_string),
    };
    let components = Components {
        scheme: text(Component::Scheme),
        userinfo: text(Component::Userinfo),
        host: text(Component::Host),
        host_kind: None,
        port: text(Component::Port),
        path: text(Component::Path).unwrap_or_default(),
        query: text(Component::Query),
        fragment: text(Component::Fragment),
    };
    let text = components.recompose();
    // A delimiter within a component is none between components.
    let is_read_alike = parse(&text, Reading::Rfc3986).is_ok_and(|reference| {
        let read = Components::from(&reference);
        read == Components {
            host_kind: read.host_kind,
            ..components
        }
    });
    if text.is_ascii() && !is_read_alike {
        return None;
    }
    let uri = normalized(&text)?;
    parse(&uri, Reading::Rfc3986).ok().map(|reference| Components::from(&reference))
}

fn is_ascii(input: &Input) -> bool {
    match input {
        Input::Parse { input, .. } => input.is_ascii(),
        Input::Resolve { base, reference, .. } => base.is_ascii() && reference.is_ascii(),
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } => uri.is_ascii(),
        Input::Compose { components } => components.recompose().is_ascii(),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => left.is_ascii() && right.is_ascii(),
        Input::Relativize { base, target } => base.is_ascii() && target.is_ascii(),
        Input::Modify { uri, value, .. } => uri.is_ascii() && value.as_deref().is_none_or(str::is_ascii),
    }
}
