//! What can be wrong with a grammar.

use std::fmt;

use super::Position;

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Where; `None` if the grammar has no rule of the requested name, or the machine as a whole is too big.
    pub position: Option<Position>,
    /// What.
    pub problem: ErrorKind,
}

/// What is wrong with a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The text is not ABNF.
    Syntax {
        /// The character or word that stands there.
        found: String,
        /// What could stand there.
        expected: &'static str,
    },
    /// A name that neither the grammar nor RFC 5234 defines.
    UndefinedRule {
        /// The name.
        name: String,
        /// The defined name that is most like it, if one is.
        nearest: Option<String>,
    },
    /// A second `=` for one name.
    DuplicateRule {
        /// The name.
        name: String,
        /// Where it is first defined.
        first: Position,
    },
    /// `=/` for a name that has no `=` above it.
    NothingToExtend {
        /// The name.
        name: String,
    },
    /// A range that runs downwards, as `%x41-30`.
    BadRange {
        /// Its first value.
        first: u32,
        /// Its last value.
        last: u32,
    },
    /// A repetition whose least number is greater than its greatest, as `3*2`.
    BadRepetition {
        /// The least number.
        min: u32,
        /// The greatest number.
        max: u32,
    },
    /// A character above %xFF, where the machine reads bytes.
    NotAByte {
        /// Its value.
        value: u32,
    },
    /// A rule that stands for itself, which no finite automaton can follow.
    Recursion {
        /// The names from the rule back to itself.
        cycle: Vec<String>,
    },
    /// Prose that names no rule.
    UnknownProse {
        /// The prose.
        text: String,
    },
    /// Groups, options or rules stand in one another too deep.
    TooDeep {
        /// How deep they may.
        limit: usize,
    },
    /// The machine has too many states on the way to the minimal one.
    TooLarge,
    /// More than the 32 views that an output mask holds.
    TooManyViews {
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(position) => write!(f, "{position}: {}", self.problem),
            None => self.problem.fmt(f),
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Syntax { found, expected } => write!(f, "found {found}, expected {expected}"),
            ErrorKind::UndefinedRule { name, nearest: None } => {
                write!(f, "rule {name} is not defined, expected its `=`")
            }
            ErrorKind::UndefinedRule {
                name,
                nearest: Some(nearest),
            } => {
                write!(f, "rule {name} is not defined, perhaps {nearest} is meant")
            }
            ErrorKind::DuplicateRule { name, first } => {
                write!(
                    f,
                    "rule {name} is already defined ({first}), expected `=/` to add alternatives"
                )
            }
            ErrorKind::NothingToExtend { name } => {
                write!(f, "`=/` adds to rule {name}, which is not defined above, expected `=`")
            }
            ErrorKind::BadRange { first, last } => {
                write!(
                    f,
                    "range %x{first:X}-{last:X} runs downwards, expected %x{last:X}-{first:X}"
                )
            }
            ErrorKind::BadRepetition { min, max } => {
                write!(
                    f,
                    "repetition {min}*{max} is at least {min} and at most {max} times, expected {max}*{min}"
                )
            }
            ErrorKind::NotAByte { value } => {
                write!(
                    f,
                    "%x{value:X} is not a byte, expected %x00 to %xFF (a character beyond ASCII as its UTF-8 bytes)"
                )
            }
            ErrorKind::Recursion { cycle } => {
                write!(
                    f,
                    "rule stands for itself: {}, expected rules that a finite automaton can follow",
                    cycle.join(" -> ")
                )
            }
            ErrorKind::UnknownProse { text } => {
                write!(
                    f,
                    "prose <{text}> names no rule, expected the name of one or ABNF that says it"
                )
            }
            ErrorKind::TooDeep { limit } => write!(f, "nested too deep, expected at most {limit} levels"),
            ErrorKind::TooLarge => f.write_str("machine too large to build, expected fewer or shorter repetitions"),
            ErrorKind::TooManyViews { count } => write!(f, "{count} views, expected at most 32"),
        }
    }
}

impl std::error::Error for Error {}
