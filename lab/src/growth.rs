//! Long inputs: time that grows faster than the input, hangs, and crashes.
//!
//! Every pattern, a prefix, a unit repeated and a suffix, is run at growing sizes; in some a second unit is repeated behind
//! the suffix. What looks slow there is measured closely, at every power of two and several times over, and measured all over
//! again before it is said to be superlinear.
//! A linear subject, however slow, is never named.

mod pattern;
mod series;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use uriproof::ask::ask;
use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::expect::Expected;
use uriproof::model::{Declaration, Input, OneLine, Operation, Outcome, Subject};
use uriproof::run::Result;

pub use self::pattern::{GrowingPart, Pattern};
use self::pattern::{PatternForm, PatternGroup, patterns};
use self::series::{SHORT, Series};
use crate::divergence::fingerprint::{Class, Fingerprint};

/// Runs inputs on a subject, and measures the time of each answer.
pub trait Answerer {
    /// Runs `input`.
    fn answer(&self, input: &Input) -> TimedOutcome;
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedOutcome {
    /// What was made of the input.
    pub outcome: Outcome,
    /// How long that took.
    pub seconds: f64,
}

/// A subject, timed from the question to the answer.
pub struct TimedSubject<'a>(pub &'a dyn Subject);

impl Answerer for TimedSubject<'_> {
    fn answer(&self, input: &Input) -> TimedOutcome {
        let since = Instant::now();
        let outcome = ask(self.0, input);
        let seconds = since.elapsed().as_secs_f64();
        TimedOutcome { outcome, seconds }
    }
}

/// What was found of a subject and an operation: the simplest pattern of a group that differs in what stands before and behind
/// only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// The subject's label.
    pub subject: String,
    /// The operation.
    pub operation: Operation,
    /// With what.
    pub pattern: Pattern,
    /// What it did.
    pub finding: GrowthFinding,
}

/// How long the witness of a growth is in the ledger, in bytes: the beginning of a series that goes on.
const WITNESS: usize = 64;

impl Growth {
    /// The class of divergence that it is; none of a subject that has no such operation.
    pub fn class(&self, declaration: &Declaration) -> Option<Class> {
        let form = PatternForm::declared(declaration, self.operation)?;
        let kind = match self.finding {
            GrowthFinding::Superlinear { .. } => DifferenceKind::Superlinear,
            GrowthFinding::TimedOut { .. } => DifferenceKind::TimedOut,
            GrowthFinding::Crashed { .. } => DifferenceKind::Crashed,
        };
        let difference = Difference::of_kind(kind);
        let input = form.input(self.pattern.place, self.pattern.text(WITNESS));
        let reason = self.finding.to_string();
        Some(Class {
            fingerprint: Fingerprint::of_growth(self.operation, kind, &self.pattern),
            witness: Result {
                expected: Expected::NoAnswer {
                    reason: "time that grows as the input does".to_owned(),
                },
                observed: match self.finding {
                    GrowthFinding::Crashed { .. } => Outcome::Crashed { reason },
                    GrowthFinding::Superlinear { .. } | GrowthFinding::TimedOut { .. } => Outcome::TimedOut { reason },
                },
                verdict: Verdict::Diverge(difference),
                choice: None,
                input,
            },
            difference,
        })
    }
}

/// What a subject does with long inputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum GrowthFinding {
    /// It takes time that grows faster than the input.
    Superlinear {
        /// Time grows as this power of the size.
        exponent: f64,
        /// What that rests on: sizes in bytes, and seconds.
        seconds_at: Vec<(usize, f64)>,
    },
    /// It does not answer within the limit, though inputs half as long take much less.
    TimedOut {
        /// The smallest size, a power of two in bytes.
        at: usize,
    },
    /// It panics, or its process dies.
    Crashed {
        /// What it said last.
        reason: String,
        /// The smallest size, a power of two in bytes.
        at: usize,
    },
}

impl fmt::Display for GrowthFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrowthFinding::Superlinear { exponent, seconds_at } => {
                write!(f, "time grows as size^{exponent:.1}:")?;
                for (at, (size, seconds)) in seconds_at.iter().enumerate() {
                    let comma = if at == 0 { "" } else { "," };
                    write!(f, "{comma} {} {}", ByteCount(*size), TwoDigits(*seconds))?;
                }
                Ok(())
            }
            GrowthFinding::TimedOut { at } => write!(f, "no answer at {}", ByteCount(*at)),
            GrowthFinding::Crashed { reason, at } => write!(f, "crashed at {}: {}", ByteCount(*at), OneLine(reason)),
        }
    }
}

/// Seconds in two significant digits, with a unit.
struct TwoDigits(f64);

impl fmt::Display for TwoDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, unit) = match self.0 {
            seconds if seconds < 1e-3 => (seconds * 1e6, "us"),
            seconds if seconds < 1.0 => (seconds * 1e3, "ms"),
            seconds => (seconds, "s"),
        };
        match value {
            value if value < 9.95 => write!(f, "{value:.1} {unit}"),
            value if value < 99.5 => write!(f, "{value:.0} {unit}"),
            value => write!(f, "{:.0} {unit}", (value / 10.0).round() * 10.0),
        }
    }
}

/// A number of bytes, a power of two in short.
struct ByteCount(usize);

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            size if size >= 1 << 20 && size % (1 << 20) == 0 => write!(f, "{} MiB", size >> 20),
            size if size >= 1 << 10 && size % (1 << 10) == 0 => write!(f, "{} KiB", size >> 10),
            size => write!(f, "{size} bytes"),
        }
    }
}

/// What a survey of a subject found, and what it left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// The findings, by operation and in the order of the patterns.
    pub growths: Vec<Growth>,
    /// How many patterns were run.
    pub patterns: usize,
    /// How many more there are of groups in which something was found already.
    pub of_found_groups: usize,
    /// How many crash at 64 bytes already, which is no matter of growth.
    pub short_crashes: usize,
}

impl Survey {
    /// How many patterns there are for a subject.
    pub fn size(declaration: &Declaration) -> usize {
        Operation::ALL
            .into_iter()
            .filter(|operation| declaration.operations.contains(operation))
            .map(|operation| patterns(operation).len())
            .sum()
    }

    /// Surveys a subject, which is called through `answerer`. `done` is called with a number of patterns that are done with.
    pub fn of(declaration: &Declaration, answerer: &dyn Answerer, done: &dyn Fn(usize)) -> Survey {
        let mut survey = Survey::default();
        for operation in Operation::ALL.into_iter().filter(|operation| declaration.operations.contains(operation)) {
            let patterns = patterns(operation);
            let Some(form) = PatternForm::of(declaration, operation, answerer) else {
                done(patterns.len());
                continue;
            };
            let mut found: BTreeSet<PatternGroup> = BTreeSet::new();
            for pattern in patterns {
                done(1);
                let group = pattern.group();
                if found.contains(&group) {
                    survey.of_found_groups += 1;
                    continue;
                }
                survey.patterns += 1;
                let series = Series {
                    form,
                    answerer,
                    pattern: &pattern,
                };
                let finding = match series.look() {
                    Some(GrowthFinding::Crashed { at, .. }) if at <= SHORT => {
                        survey.short_crashes += 1;
                        continue;
                    }
                    Some(finding) => finding,
                    None => continue,
                };
                found.insert(group);
                survey.growths.push(Growth {
                    subject: declaration.label(),
                    operation,
                    pattern,
                    finding,
                });
            }
        }
        survey
    }
}
