//! Outcomes: what an implementation did with an input.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::components::Observed;
use super::text::{Escaped, Quoted, cut};

/// What an implementation did with an input.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Outcome {
    /// It took the input and answered.
    Accepted {
        /// The answer.
        #[serde(flatten)]
        value: Value,
    },
    /// It refused the input as invalid.
    Rejected {
        /// Why, in the implementation's words. Never compared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The byte offset of the error, if the subject reported one. Never compared.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        offset: Option<usize>,
    },
    /// It has no such operation, or not with these arguments.
    Unsupported {
        /// What it lacks.
        reason: String,
    },
    /// It panicked, or its process died.
    Crashed {
        /// What it said last.
        reason: String,
    },
    /// It did not answer within its time limit.
    TimedOut {
        /// The limit that it exceeded.
        reason: String,
    },
}

/// The answer in an accepted outcome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// Of `parse`.
    Components(Observed),
    /// Of `resolve`, `normalize`, `compose`, `relativize`, `modify` and `round-trip`.
    Uri(String),
    /// Of `equivalent`.
    Equivalent(bool),
    /// Of `contract`: what is broken, each once.
    Broken(Vec<Contract>),
}

/// What `Eq`, `Hash` and `Ord` of a type promise of any two of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Contract {
    /// A value equals itself.
    Reflexive,
    /// If one equals the other, the other equals the one.
    Symmetric,
    /// Values that are equal hash alike.
    Hash,
    /// Values are equal just where the order says so.
    Order,
    /// If one is less than the other, the other is greater than the one.
    Antisymmetric,
    /// The partial order is the total one.
    PartialOrder,
}

impl Contract {
    /// The contract's name, as vectors and the line protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            Contract::Reflexive => "reflexive",
            Contract::Symmetric => "symmetric",
            Contract::Hash => "hash",
            Contract::Order => "order",
            Contract::Antisymmetric => "antisymmetric",
            Contract::PartialOrder => "partial-order",
        }
    }
}

impl<E: fmt::Display> From<Result<Observed, E>> for Outcome {
    /// Of `parse`: accepted with these components, or rejected with an error's text.
    fn from(result: Result<Observed, E>) -> Outcome {
        result.map_or_else(Outcome::rejected, Outcome::components)
    }
}

impl<E: fmt::Display> From<Result<String, E>> for Outcome {
    /// Of the operations that make a URI: accepted with this one, or rejected with an error's text.
    fn from(result: Result<String, E>) -> Outcome {
        result.map_or_else(Outcome::rejected, Outcome::uri)
    }
}

/// What a subject makes of a string that it parses, while it holds it: nothing is copied.
#[derive(Clone, Copy)]
pub enum Shown<'a> {
    /// It accepts the string with these components.
    Accepted(Observed<&'a str>),
    /// It refuses the string.
    Rejected {
        /// In these words.
        reason: &'a dyn fmt::Display,
        /// The byte offset of the error, if the subject reports one.
        offset: Option<usize>,
    },
    /// Anything else.
    Otherwise(&'a Outcome),
}

impl<'a> Shown<'a> {
    /// Rejected for this reason, such as an error.
    pub fn rejected(reason: &'a dyn fmt::Display) -> Shown<'a> {
        Shown::Rejected { reason, offset: None }
    }
}

impl From<Shown<'_>> for Outcome {
    fn from(shown: Shown<'_>) -> Outcome {
        match shown {
            Shown::Accepted(components) => Outcome::components(components.to_strings()),
            Shown::Rejected { reason, offset } => Outcome::Rejected {
                reason: Some(reason.to_string()),
                offset,
            },
            Shown::Otherwise(outcome) => outcome.clone(),
        }
    }
}

impl Outcome {
    /// What `show` shows, or that it shows nothing.
    pub fn shown(show: impl FnOnce(&mut dyn FnMut(Shown<'_>))) -> Outcome {
        let mut outcome = Outcome::unsupported("nothing is shown");
        show(&mut |shown| outcome = shown.into());
        outcome
    }

    /// Shows the outcome of `parse`.
    pub fn show(&self, see: &mut dyn FnMut(Shown<'_>)) {
        match self {
            Outcome::Accepted {
                value: Value::Components(components),
            } => see(Shown::Accepted(components.as_strs())),
            Outcome::Rejected { reason, offset } => see(Shown::Rejected {
                reason: &reason.as_deref().unwrap_or_default(),
                offset: *offset,
            }),
            other => see(Shown::Otherwise(other)),
        }
    }

    /// Whether the input was accepted; `None` if it was neither accepted nor rejected.
    pub fn is_accepted(&self) -> Option<bool> {
        match self {
            Outcome::Accepted { .. } => Some(true),
            Outcome::Rejected { .. } => Some(false),
            Outcome::Unsupported { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. } => None,
        }
    }

    /// Whether the subject gave no answer: it panicked, its process died, or it did not answer in time.
    pub fn is_death(&self) -> bool {
        matches!(self, Outcome::Crashed { .. } | Outcome::TimedOut { .. })
    }

    /// Where the subject crashed: the place in the last parentheses of its reason, such as `uri.rs:1103`; otherwise its words, without
    /// what changes with the input. `None` if it did not crash.
    pub fn crash_place(&self) -> Option<String> {
        super::crash::place(self)
    }

    /// Accepted with components.
    pub fn components(components: impl Into<Observed>) -> Outcome {
        Outcome::Accepted {
            value: Value::Components(components.into()),
        }
    }

    /// Accepted with a URI.
    pub fn uri(uri: impl Into<String>) -> Outcome {
        Outcome::Accepted {
            value: Value::Uri(uri.into()),
        }
    }

    /// Accepted with a verdict on equivalence.
    pub fn equivalent(equivalent: bool) -> Outcome {
        Outcome::Accepted {
            value: Value::Equivalent(equivalent),
        }
    }

    /// Accepted, with the contracts that are broken.
    pub fn broken(contracts: impl Into<Vec<Contract>>) -> Outcome {
        Outcome::Accepted {
            value: Value::Broken(contracts.into()),
        }
    }

    /// Rejected for the given reason, such as an error's text.
    pub fn rejected(reason: impl ToString) -> Outcome {
        Outcome::Rejected {
            reason: Some(reason.to_string()),
            offset: None,
        }
    }

    /// Unsupported for the given reason.
    pub fn unsupported(reason: impl Into<String>) -> Outcome {
        Outcome::Unsupported { reason: reason.into() }
    }

    /// Shortens every text of more than `most` bytes to its beginning and its end, and says between them how many bytes were left
    /// out: what is kept of an answer after it was compared.
    pub fn cut(&mut self, most: usize) {
        match self {
            Outcome::Accepted {
                value: Value::Components(components),
            } => components.texts_mut().for_each(|text| cut(text, most)),
            Outcome::Accepted {
                value: Value::Uri(text),
            }
            | Outcome::Rejected { reason: Some(text), .. }
            | Outcome::Unsupported { reason: text }
            | Outcome::Crashed { reason: text }
            | Outcome::TimedOut { reason: text } => cut(text, most),
            Outcome::Accepted {
                value: Value::Equivalent(_),
            }
            | Outcome::Rejected { reason: None, .. } => {}
            // There are six contracts; a list may repeat them.
            Outcome::Accepted {
                value: Value::Broken(contracts),
            } => contracts.truncate(most),
        }
    }

    /// The outcome in a line, without the reason of a rejection, which is the subject's own and never compared.
    pub fn without_reason(&self) -> String {
        match self {
            Outcome::Rejected { .. } => self.name().to_owned(),
            other => other.to_string(),
        }
    }

    /// The outcome's name, as vectors and the line protocol spell it.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Accepted { .. } => "accepted",
            Outcome::Rejected { .. } => "rejected",
            Outcome::Unsupported { .. } => "unsupported",
            Outcome::Crashed { .. } => "crashed",
            Outcome::TimedOut { .. } => "timed-out",
        }
    }
}

impl fmt::Display for Outcome {
    /// The outcome in a line, control and non-ASCII characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Accepted { value } => match value {
                Value::Components(components) if *components == Observed::default() => f.write_str("accepted"),
                Value::Components(components) => write!(f, "accepted, {components}"),
                Value::Uri(uri) => write!(f, "{}", Quoted(uri)),
                Value::Equivalent(true) => f.write_str("equivalent"),
                Value::Equivalent(false) => f.write_str("not equivalent"),
                Value::Broken(contracts) if contracts.is_empty() => f.write_str("no contract broken"),
                Value::Broken(contracts) => {
                    let names: Vec<&str> = contracts.iter().map(|contract| contract.name()).collect();
                    write!(f, "broken: {}", names.join(", "))
                }
            },
            Outcome::Rejected { reason, offset } => {
                f.write_str("rejected")?;
                if let Some(offset) = offset {
                    write!(f, " at byte {offset}")?;
                }
                reason.as_ref().map_or(Ok(()), |reason| write!(f, ": {}", Escaped(reason)))
            }
            Outcome::Unsupported { reason } | Outcome::Crashed { reason } | Outcome::TimedOut { reason } => {
                write!(f, "{}: {}", self.name(), Escaped(reason))
            }
        }
    }
}
