//! Long inputs: time that grows faster than the input, hangs, and crashes.
//!
//! Every pattern, a prefix, a unit repeated and a suffix, is run at growing sizes; in some a second unit is repeated behind
//! the suffix. What looks slow there is measured closely, at every power of two and several times over, and measured all over
//! again before it is said to be superlinear.
//! A linear subject, however slow, is never named.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{PoisonError, RwLock};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use uriproof::ask::ask;
use uriproof::compare::{Difference, DifferenceKind, Verdict, own_rule};
use uriproof::expect::Expected;
use uriproof::model::{
    Component, Components, Declaration, Input, OneLine, Operation, Outcome, Quoted, Rule, Rung, Scope, Subject,
};
use uriproof::run::Result;

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

/// Where in the input the long text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrowingPart {
    /// It is all of the input.
    Input,
    /// It is the base, and the reference is short.
    Base,
    /// It is the reference, and the base is short.
    Reference,
    /// It is the base and the reference, or both URIs that are compared.
    Both,
    /// It is this component, and the others are short.
    #[serde(untagged)]
    Component(Component),
}

impl fmt::Display for GrowingPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GrowingPart::Input => "input",
            GrowingPart::Base => "base",
            GrowingPart::Reference => "reference",
            GrowingPart::Both => "both",
            GrowingPart::Component(component) => component.name(),
        })
    }
}

/// A family of long texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// What stands before.
    pub prefix: String,
    /// What is repeated.
    pub unit: String,
    /// What stands behind.
    pub suffix: String,
    /// What is repeated behind that, to the same length as the unit; nothing if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub second: String,
    /// Where the text stands.
    pub place: GrowingPart,
}

impl Pattern {
    /// The text of about `size` bytes: never more, unless one unit is.
    pub fn text(&self, size: usize) -> String {
        let rest = size.saturating_sub(self.prefix.len() + self.suffix.len());
        let (first, second) = if self.second.is_empty() {
            (rest, 0)
        } else {
            (rest / 2, rest / 2)
        };
        let repeated = |unit: &str, size: usize| unit.repeat((size / unit.len().max(1)).max(1));
        let (first, second) = (repeated(&self.unit, first), repeated(&self.second, second));
        format!("{}{first}{}{second}", self.prefix, self.suffix)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.prefix.is_empty() {
            write!(f, "{} ", Quoted(&self.prefix))?;
        }
        write!(f, "{}*", Quoted(&self.unit))?;
        if !self.suffix.is_empty() {
            write!(f, " {}", Quoted(&self.suffix))?;
        }
        if !self.second.is_empty() {
            write!(f, " {}*", Quoted(&self.second))?;
        }
        match self.place {
            GrowingPart::Input => Ok(()),
            GrowingPart::Both => f.write_str(" on both sides"),
            place => write!(f, " as {place}"),
        }
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
                    write!(f, "{comma} {} {:.0} ms", ByteCount(*size), seconds * 1000.0)?;
                }
                Ok(())
            }
            GrowthFinding::TimedOut { at } => write!(f, "no answer at {}", ByteCount(*at)),
            GrowthFinding::Crashed { reason, at } => write!(f, "crashed at {}: {}", ByteCount(*at), OneLine(reason)),
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

/// What patterns have in common that differ in what stands before and behind only: the place and what is repeated.
type PatternGroup = (GrowingPart, String);

impl Pattern {
    fn group(&self) -> PatternGroup {
        (self.place, self.unit.clone())
    }
}

/// What is repeated.
const UNITS: [&str; 22] = [
    "/..", "/.", "a/../", "a/", "%41", "%", "[", "]", ":", "@", "/", "//", "?", "#", "a", "1", ".", "é", " ", "&a=b",
    "0:", "a@",
];

/// What is repeated, what stands behind it, and what is repeated there: many segments that are neither empty nor
/// dot-segments, and behind them a dot-segment, as many that take them all away, or another long component.
const BEHIND_SEGMENTS: [(&str, &str, &str); 4] =
    [("a/", "..", ""), ("a/", "", "../"), ("a/", "?", "a"), ("a/", "#", "a")];

/// What may stand before, the simplest first.
const PREFIXES: [&str; 12] = [
    "",
    "/",
    "?",
    "#",
    "//",
    "a:",
    "//[",
    "a://",
    "//a:",
    "mailto:",
    "http://",
    "http://a/",
];

/// What may stand before a long component.
const COMPONENT_PREFIXES: [&str; 4] = ["", "/", "[", "//"];

/// What may stand behind: nothing, or what no URI has.
const SUFFIXES: [&str; 2] = ["", " "];

/// What may stand behind in an authority, too: what ends a userinfo and an address.
const AUTHORITY_SUFFIXES: [&str; 4] = ["", " ", "@", "]"];

/// Every pattern for an operation, the simplest of a group first.
fn patterns(operation: Operation) -> Vec<Pattern> {
    let places: Vec<GrowingPart> = match operation {
        Operation::Parse | Operation::Normalize | Operation::RoundTrip => vec![GrowingPart::Input],
        Operation::Resolve | Operation::Relativize => {
            vec![GrowingPart::Base, GrowingPart::Reference, GrowingPart::Both]
        }
        Operation::Compose | Operation::Modify => Component::TEXTS.into_iter().map(GrowingPart::Component).collect(),
        Operation::Equivalent | Operation::Contract => vec![GrowingPart::Both],
    };
    let mut patterns = Vec::new();
    for place in places {
        let prefixes: &[&str] = match place {
            GrowingPart::Component(_) => &COMPONENT_PREFIXES,
            _ => &PREFIXES,
        };
        let pattern = |prefix: &str, unit: &str, suffix: &str, second: &str| Pattern {
            prefix: prefix.to_owned(),
            unit: unit.to_owned(),
            suffix: suffix.to_owned(),
            second: second.to_owned(),
            place,
        };
        for unit in UNITS {
            let first = patterns.len();
            for prefix in prefixes {
                let suffixes: &[&str] = match (place, *prefix) {
                    (GrowingPart::Component(_), _) => &SUFFIXES,
                    (_, "//" | "//[" | "//a:" | "a://" | "http://") => &AUTHORITY_SUFFIXES,
                    _ => &SUFFIXES,
                };
                patterns.extend(suffixes.iter().map(|suffix| pattern(prefix, unit, suffix, "")));
            }
            patterns[first..].sort_by_key(|pattern| pattern.prefix.len() + pattern.suffix.len());
        }
        for (unit, suffix, second) in BEHIND_SEGMENTS {
            patterns.extend(prefixes.iter().map(|prefix| pattern(prefix, unit, suffix, second)));
        }
    }
    patterns
}

/// The other arguments of an operation, beside the text.
#[derive(Clone, Copy)]
enum PatternForm {
    Parse(Rule),
    Resolve { strict: bool },
    Normalize(Scope),
    Compose,
    Equivalent(Rung),
    Relativize,
    Modify,
    RoundTrip,
    Contract,
}

impl PatternForm {
    /// A form of the operation, whichever the subject supports.
    fn declared(declaration: &Declaration, operation: Operation) -> Option<PatternForm> {
        PatternForm::all(declaration, operation).first().copied()
    }

    /// The form that takes most work of those that a subject supports.
    fn of(declaration: &Declaration, operation: Operation, answerer: &dyn Answerer) -> Option<PatternForm> {
        let is_supported = |form: &&PatternForm| {
            let input = form.input(GrowingPart::Input, "/a".to_owned());
            // A relative reference alone may be what it lacks.
            let uri = form.input(GrowingPart::Both, "http://a/a".to_owned());
            [input, uri].iter().any(|input| !matches!(answerer.answer(input).outcome, Outcome::Unsupported { .. }))
        };
        PatternForm::all(declaration, operation).iter().find(is_supported).copied()
    }

    /// Every form of an operation that a subject has, the one that takes most work first.
    fn all(declaration: &Declaration, operation: Operation) -> Vec<PatternForm> {
        if !declaration.operations.contains(&operation) {
            return Vec::new();
        }
        let forms: &[PatternForm] = match operation {
            Operation::Parse => &[PatternForm::Parse(own_rule(declaration))],
            Operation::Resolve => &[
                PatternForm::Resolve { strict: true },
                PatternForm::Resolve { strict: false },
            ],
            Operation::Normalize => &[
                PatternForm::Normalize(Scope::Scheme),
                PatternForm::Normalize(Scope::Syntax),
            ],
            Operation::Compose => &[PatternForm::Compose],
            Operation::Equivalent => &[Rung::Scheme, Rung::Syntax, Rung::Simple].map(PatternForm::Equivalent),
            Operation::Relativize => &[PatternForm::Relativize],
            Operation::Modify => &[PatternForm::Modify],
            Operation::RoundTrip => &[PatternForm::RoundTrip],
            Operation::Contract => &[PatternForm::Contract],
        };
        forms.to_vec()
    }

    fn input(self, place: GrowingPart, text: String) -> Input {
        const SHORT: &str = "http://a/b/c";
        match self {
            PatternForm::Parse(rule) => Input::Parse { rule, input: text },
            PatternForm::Resolve { strict } => {
                let (base, reference) = match place {
                    GrowingPart::Base => (text, "../d".to_owned()),
                    GrowingPart::Both => (text.clone(), text),
                    _ => (SHORT.to_owned(), text),
                };
                Input::Resolve {
                    base,
                    reference,
                    strict,
                }
            }
            PatternForm::Normalize(scope) => Input::Normalize { uri: text, scope },
            PatternForm::Compose => Input::Compose {
                components: composed(place, text),
            },
            // Equal strings could be recognized at once.
            PatternForm::Equivalent(rung) => Input::Equivalent {
                left: format!("{text}a"),
                right: text,
                rung,
            },
            PatternForm::Relativize => {
                let (base, target) = match place {
                    GrowingPart::Base => (text, SHORT.to_owned()),
                    GrowingPart::Both => (format!("{text}a"), text),
                    _ => (SHORT.to_owned(), text),
                };
                Input::Relativize { base, target }
            }
            PatternForm::Modify => {
                let component = match place {
                    GrowingPart::Component(component) => component,
                    _ => Component::Path,
                };
                Input::Modify {
                    uri: SHORT.to_owned(),
                    component,
                    value: Some(text),
                }
            }
            PatternForm::RoundTrip => Input::RoundTrip { uri: text },
            PatternForm::Contract => Input::Contract {
                left: format!("{text}a"),
                right: text,
            },
        }
    }
}

fn composed(place: GrowingPart, text: String) -> Components {
    let mut components = Components {
        scheme: Some("a".to_owned()),
        path: "/".to_owned(),
        ..Components::default()
    };
    let GrowingPart::Component(component) = place else {
        components.path = text;
        return components;
    };
    if matches!(component, Component::Userinfo | Component::Port) {
        components.host = Some("a".to_owned());
    }
    match component {
        Component::Scheme => components.scheme = Some(text),
        Component::Userinfo => components.userinfo = Some(text),
        Component::Host | Component::HostKind => components.host = Some(text),
        Component::Port => components.port = Some(text),
        Component::Path => components.path = text,
        Component::Query => components.query = Some(text),
        Component::Fragment => components.fragment = Some(text),
    }
    components
}

/// Up to which size, in bytes, a crash is no matter of growth.
const SHORT: usize = 64;

/// The sizes at which every pattern is run, in bytes.
const LADDER: [usize; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/// The sizes at which a pattern is measured closely: the powers of two from here to there.
const CLOSE: std::ops::RangeInclusive<u32> = 8..=20;

/// An answer that is slower, in seconds, is compared with the one before, and no larger size is run: a subject that is
/// slow and linear would take hours.
const SLOW: f64 = 0.03;

/// A measurement below, in seconds, says nothing about growth.
const MEANINGFUL: f64 = 0.005;

/// When the last of enough measurements took longer, in seconds, no larger size is needed, unless growth is still in doubt.
const ENOUGH: f64 = 0.6;

/// From this exponent on, growth is superlinear.
const SUPERLINEAR: f64 = 1.5;

/// So many times longer a byte may take at the largest size than at the smallest, and the machine may be the cause: one that
/// has much to do runs what is short at once, and shares its time among what is long.
const SHARED: f64 = 6.0;

/// From this exponent on between the last answer and the limit, there is a hang where there was none.
const HANG: f64 = 3.0;

/// Up to this exponent between two rungs of the ladder, growth is not looked at closely.
const SUSPECT: f64 = 1.25;

/// How many measurements there are of a size; the fastest counts.
const REPEATED: usize = 3;

/// What was measured of a pattern at growing sizes.
#[derive(Debug, PartialEq)]
struct Measurements {
    points: Vec<(usize, f64)>,
    stopped: Option<SeriesStop>,
}

/// What ended a series before its largest size.
#[derive(Debug, PartialEq)]
enum SeriesStop {
    TimedOut { at: usize, limit: f64 },
    Crashed { at: usize, reason: String },
}

/// Every series is measured under it: one that seems to be a finding is measured once more, alone.
static ALONE: RwLock<()> = RwLock::new(());

/// A pattern put to a subject.
struct Series<'a> {
    form: PatternForm,
    answerer: &'a dyn Answerer,
    pattern: &'a Pattern,
}

impl Series<'_> {
    fn look(&self) -> Option<GrowthFinding> {
        let first = {
            let _others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
            if !self.is_suspect() {
                return None;
            }
            self.measure().finding()?
        };
        // A finding must appear twice, the second time while no other subject is at work.
        let second = {
            let _alone = ALONE.write().unwrap_or_else(PoisonError::into_inner);
            self.measure().finding()?
        };
        match (first, second) {
            (GrowthFinding::Crashed { .. }, GrowthFinding::Crashed { reason, at }) => {
                Some(self.smallest_crash(reason, at))
            }
            (GrowthFinding::TimedOut { at: one }, GrowthFinding::TimedOut { at: other }) => {
                Some(GrowthFinding::TimedOut { at: one.max(other) })
            }
            (one @ GrowthFinding::Superlinear { .. }, GrowthFinding::Superlinear { .. }) => Some(one),
            // At the edge of the limit it may answer once and not again.
            (GrowthFinding::TimedOut { .. }, other @ GrowthFinding::Superlinear { .. })
            | (other @ GrowthFinding::Superlinear { .. }, GrowthFinding::TimedOut { .. }) => Some(other),
            _ => None,
        }
    }

    /// Climbs the ladder until an answer is slow, and says whether it is slow for its size; so is what is not answered.
    fn is_suspect(&self) -> bool {
        let mut previous: Option<(usize, f64)> = None;
        for size in LADDER {
            let answer = self.ask(size);
            if answer.outcome.is_death() {
                return true;
            }
            let mut seconds = answer.seconds;
            if seconds > SLOW {
                let Some((before, mut faster)) = previous else {
                    return true;
                };
                for _ in 1..REPEATED {
                    faster = faster.min(self.ask(before).seconds);
                    seconds = seconds.min(self.ask(size).seconds);
                }
                if seconds > SLOW {
                    return slope((before, faster), (size, seconds)) > SUSPECT;
                }
            }
            previous = Some((size, seconds));
        }
        false
    }

    /// Measures at every power of two, round by round, so that a machine that is slow for a while slows every size.
    fn measure(&self) -> Measurements {
        let mut measured = Measurements {
            points: Vec::new(),
            stopped: None,
        };
        for size in CLOSE.map(|power| 1 << power) {
            let answer = self.ask(size);
            match answer.outcome {
                Outcome::TimedOut { .. } => {
                    let limit = answer.seconds;
                    measured.stopped = Some(SeriesStop::TimedOut { at: size, limit });
                    break;
                }
                Outcome::Crashed { reason } => {
                    measured.stopped = Some(SeriesStop::Crashed { at: size, reason });
                    break;
                }
                Outcome::Accepted { .. } | Outcome::Rejected { .. } | Outcome::Unsupported { .. } => {
                    measured.points.push((size, answer.seconds));
                }
            }
            if measured.is_decided() {
                break;
            }
        }
        for _ in 1..REPEATED {
            for (size, seconds) in &mut measured.points {
                let answer = self.ask(*size);
                if !answer.outcome.is_death() {
                    *seconds = seconds.min(answer.seconds);
                }
            }
        }
        measured
    }

    /// The smallest power of two at which it crashes, below one at which it does.
    fn smallest_crash(&self, reason: String, at: usize) -> GrowthFinding {
        let (mut smallest, mut said) = (at, reason);
        let (mut low, mut high) = (0, at.ilog2());
        while low < high {
            let middle = u32::midpoint(low, high);
            match self.ask(1 << middle).outcome {
                Outcome::Crashed { reason } => {
                    (smallest, said) = (1 << middle, reason);
                    high = middle;
                }
                _ => low = middle + 1,
            }
        }
        GrowthFinding::Crashed {
            reason: said,
            at: smallest,
        }
    }

    fn ask(&self, size: usize) -> TimedOutcome {
        self.answerer.answer(&self.form.input(self.pattern.place, self.pattern.text(size)))
    }
}

impl Measurements {
    fn finding(self) -> Option<GrowthFinding> {
        let points: Vec<(usize, f64)> = self.meaningful().collect();
        if let Some(SeriesStop::Crashed { at, reason }) = self.stopped {
            return Some(GrowthFinding::Crashed { reason, at });
        }
        let is_enough = points.len() >= 3;
        if is_enough && is_superlinear(&points) {
            return Some(GrowthFinding::Superlinear {
                exponent: exponent(&points),
                seconds_at: points,
            });
        }
        let Some(SeriesStop::TimedOut { at, limit }) = self.stopped else {
            return None;
        };
        let beyond = (at, limit);
        // The limit is less than what it would have taken: these slopes are less than the true ones.
        let is_found = match (points.first(), points.last()) {
            (Some(&first), Some(&last)) => {
                slope(last, beyond) > HANG || (!is_enough && slope(first, beyond) > SUPERLINEAR)
            }
            _ => true,
        };
        is_found.then_some(GrowthFinding::TimedOut { at })
    }

    /// Whether larger sizes would say no more: there are enough points, and the last of them do not grow faster than they should, or
    /// growth is superlinear beyond doubt. A point close to the least that is meaningful may be below it when it is measured once
    /// more: with it and without it must say the same.
    fn is_decided(&self) -> bool {
        let points: Vec<(usize, f64)> = self.from(2.0 * MEANINGFUL).collect();
        let [.., before, last] = &*points else { return false };
        points.len() > 3
            && last.1 > ENOUGH
            && (slope(*before, *last) <= SUPERLINEAR
                || is_superlinear(&points) && is_superlinear(&self.meaningful().collect::<Vec<_>>()))
    }

    fn meaningful(&self) -> impl Iterator<Item = (usize, f64)> {
        self.from(MEANINGFUL)
    }

    /// The points from a number of seconds on.
    fn from(&self, least: f64) -> impl Iterator<Item = (usize, f64)> {
        self.points.iter().copied().filter(move |(_, seconds)| *seconds >= least)
    }
}

/// The exponent between two points.
fn slope(from: (usize, f64), to: (usize, f64)) -> f64 {
    (to.1 / from.1).ln() / (to.0 as f64 / from.0 as f64).ln()
}

/// Whether time grows faster than the input, by more than a busy machine explains.
fn is_superlinear(points: &[(usize, f64)]) -> bool {
    exponent(points) > SUPERLINEAR && increase(points) > SHARED
}

/// How many times longer a byte takes at the last point than at the first.
fn increase(points: &[(usize, f64)]) -> f64 {
    let per_byte = |&(size, seconds): &(usize, f64)| seconds / size as f64;
    match points {
        [first, .., last] => per_byte(last) / per_byte(first),
        _ => 1.0,
    }
}

/// The exponent of the power that fits best: the slope of least squares over the logarithms.
fn exponent(points: &[(usize, f64)]) -> f64 {
    let logarithms = || points.iter().map(|(size, seconds)| ((*size as f64).ln(), seconds.ln()));
    let count = points.len() as f64;
    let mean_size = logarithms().map(|(size, _)| size).sum::<f64>() / count;
    let mean_time = logarithms().map(|(_, time)| time).sum::<f64>() / count;
    let covariance: f64 = logarithms().map(|(size, time)| (size - mean_size) * (time - mean_time)).sum();
    let variance: f64 = logarithms().map(|(size, _)| (size - mean_size).powi(2)).sum();
    covariance / variance
}
