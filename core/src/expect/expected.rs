//! The type of what is expected: the outcomes that conform, or the property of an answer.

use std::borrow::Cow;
use std::fmt;

use crate::model::{Outcome, Quoted, Rule, Scope, Value};
use crate::screen;

/// What is expected of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// One of these outcomes, the literal one first; never empty.
    Outcomes(Vec<Conforming>),
    /// Whatever has this property.
    Property(Property),
    /// Nothing: the RFC has no single answer, for this reason.
    NoAnswer {
        /// Why, with its section.
        reason: String,
    },
}

/// An outcome that conforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conforming {
    /// What sets it apart from the others: `literal`, `slash-dot`.
    pub name: Cow<'static, str>,
    /// The outcome.
    pub outcome: Outcome,
}

/// What an answer must be where many conform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// A reference whose strict resolution against `base` is `target`, its dot-segments removed or not (§5.2.2, §5.3).
    ResolvesTo {
        /// The base.
        base: String,
        /// The target.
        target: String,
    },
    /// A reference of the same kind that resolves to an equivalent of what `reference` resolves to, whatever the base.
    MeansTheSame {
        /// A relative reference.
        reference: String,
        /// The normalization that was requested.
        scope: Scope,
    },
    /// No contract of equality, hash and order is broken.
    KeepsContracts,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::ResolvesTo { base, target } => {
                write!(f, "what resolves to {} against {}", Quoted(target), Quoted(base))
            }
            Property::MeansTheSame { reference, .. } => write!(f, "what means the same as {}", Quoted(reference)),
            Property::KeepsContracts => f.write_str("no contract broken"),
        }
    }
}

impl Expected {
    /// That one outcome.
    pub fn literally(outcome: Outcome) -> Expected {
        Expected::named("literal", outcome)
    }

    /// That one outcome, by this name.
    pub(super) fn named(name: &'static str, outcome: Outcome) -> Expected {
        Expected::Outcomes(vec![Conforming {
            name: Cow::Borrowed(name),
            outcome,
        }])
    }

    /// The first outcome, which follows the text word for word; if the RFC has no answer, `unsupported`.
    pub fn literal(&self) -> Outcome {
        match self {
            Expected::Outcomes(outcomes) => outcomes[0].outcome.clone(),
            // "if defined(R.scheme)": a URI resolves to itself, whatever the base (§5.2.2).
            Expected::Property(Property::ResolvesTo { base, target }) if is_uri(base) && is_uri(target) => {
                Outcome::uri(target)
            }
            Expected::Property(Property::ResolvesTo { .. }) => {
                Outcome::rejected("base and target are to be URIs (§5.2.1)")
            }
            Expected::Property(Property::MeansTheSame { .. }) => Outcome::unsupported(RELATIVE_NORMAL_FORM),
            Expected::Property(Property::KeepsContracts) => Outcome::broken([]),
            Expected::NoAnswer { reason } => Outcome::unsupported(reason.clone()),
        }
    }

    /// Whether what is expected of a string as a URI-reference is expected of it as `rule` too: it matches both.
    pub(crate) fn holds_for(&self, rule: Rule) -> bool {
        let Expected::Outcomes(outcomes) = self else {
            return false;
        };
        let [
            Conforming {
                outcome: Outcome::Accepted {
                    value: Value::Components(components),
                },
                ..
            },
        ] = outcomes.as_slice()
        else {
            return false;
        };
        components.are_of(rule)
    }

    /// As [`literal`](Expected::literal), without a copy of the outcome.
    pub fn into_literal(self) -> Outcome {
        match self {
            Expected::Outcomes(mut outcomes) => outcomes.swap_remove(0).outcome,
            other => other.literal(),
        }
    }

    pub(super) fn and(mut self, name: &'static str, outcome: Outcome) -> Expected {
        match &mut self {
            Expected::Outcomes(outcomes) if outcomes.iter().all(|known| known.outcome != outcome) => {
                outcomes.push(Conforming {
                    name: Cow::Borrowed(name),
                    outcome,
                });
            }
            Expected::Outcomes(_) | Expected::Property(_) | Expected::NoAnswer { .. } => {}
        }
        self
    }
}

/// Whether `text` is a URI, not a relative reference.
pub(crate) fn is_uri(text: &str) -> bool {
    screen::reference(text).is_some_and(|reference| reference.components.scheme.is_some())
}

const RELATIVE_NORMAL_FORM: &str = "a reference must be resolved before it can be normalized (§5.2.1)";
