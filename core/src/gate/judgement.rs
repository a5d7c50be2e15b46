//! What the gate says of a subject, and how its vectors count.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Add;

use uriproof_grammar::Fnv;

use crate::algorithms::split_marks;
use crate::compare;
use crate::gate::baseline::Entry;
use crate::gate::groups::{FailureCount, family};
use crate::gate::suite::{SuiteRun, is_of_suite};
use crate::model::{OneLine, Outcome, Problem, Vector};
use crate::repeat::Unrepeated;
use crate::run::{self, UNVALIDATED};
use crate::severity::Severity;

/// What the gate says of a subject.
#[derive(Clone, Debug)]
pub struct Judgement<'v> {
    /// The subject's label.
    pub subject: String,
    /// Its name, for a baseline.
    pub name: String,
    /// Every vector, in the order of the files, and behind them the groups of what diverges in suites.
    pub cases: Vec<Case<'v>>,
    /// The suites that were put to the subject.
    pub suites: Vec<SuiteRun>,
    /// What is wrong with the baseline, in the order of its lines.
    pub problems: Vec<Problem>,
    /// How many entries of the baseline have no reason yet.
    pub unexplained: usize,
    /// Why not everything was run that was to be, if so.
    pub lost: Option<String>,
}

/// A vector, and how it counts.
#[derive(Clone, Debug)]
pub struct Case<'v> {
    /// The vector; one that stands for a group is made for it.
    pub vector: Cow<'v, Vector>,
    /// How it counts.
    pub status: Status,
    /// What came of it, if it was put to the subject and compared.
    pub result: Option<run::Result>,
}

/// How a vector counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The outcome conforms.
    Agrees,
    /// It does not, and the baseline does not say so.
    Fails(Failure),
    /// It does not, as the baseline says.
    Known(Failure, Entry),
    /// There is nothing to compare, for this reason.
    NotCompared(String),
    /// It is nothing to ask of this subject, for this reason.
    NotRun(String),
    /// It is nothing to compare for this subject, for this reason; it was put to it, and the subject survived.
    Survived(String),
    /// It is not selected by id or clause.
    NotSelected,
    /// The subject could not be asked any more, for this reason.
    Lost(String),
}

/// How an outcome does not conform.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind of difference.
    pub kind: compare::DifferenceKind,
    /// How severe the difference is.
    pub severity: Severity,
    /// What conforms.
    pub expected: String,
    /// The same, each outcome that conforms by itself.
    pub alternatives: Vec<String>,
    /// What the subject did, in full.
    pub got: String,
    /// What the subject did, without its words, and with a hash where it is long: what a baseline holds.
    pub brief: String,
    /// Where a baseline says otherwise, and what it says there.
    pub known_as: Option<(String, String)>,
    /// Whether deviations of the baseline predict the answer.
    pub is_predicted: bool,
    /// How many inputs of a suite fail so, the vector's among them; 0 for a vector that is none of a suite.
    pub suite_inputs: u64,
    /// How many of these have an answer that the baseline marks, or are of a part that it does not mark; `None` where it has no marks of
    /// them. The vector's input is the shortest of the others.
    pub marked_inputs: Option<u64>,
    /// How the answer did not repeat: the input was put again, and the subject agreed. No baseline excuses that.
    pub unrepeated: Option<Box<Unrepeated>>,
}

impl Failure {
    /// The failure of a result that differs so.
    pub(super) fn of(result: &run::Result, difference: &compare::Difference) -> Failure {
        Failure {
            kind: difference.kind,
            severity: Severity::of_difference(result, difference),
            expected: result.expected_text(),
            alternatives: result.expected_texts(),
            got: result.observed_text(),
            brief: brief(result),
            known_as: None,
            is_predicted: false,
            suite_inputs: 0,
            marked_inputs: None,
            unrepeated: None,
        }
    }

    /// Which line of a baseline says otherwise, and what to do about it, on one line; `None` if there is none.
    pub fn stale_line(&self) -> Option<String> {
        let (place, _) = self.known_as.as_ref()?;
        Some(format!("{} {}", OneLine(place), self.stale_words()?))
    }

    /// What a line of a baseline says otherwise, and what to do about it, on one line; `None` if there is none.
    pub(super) fn stale_words(&self) -> Option<String> {
        let (_, said) = self.known_as.as_ref()?;
        let is_kind = said == DOES_NOT_REPEAT || said == self.kind.name();
        let now = OneLine(split_marks(&self.brief).0);
        if is_kind {
            return Some(format!(
                "names a kind alone, `{said}`: write the answer, `{now}`; in a pattern write \
                 {{ kind = '{said}', answers = N }}, N being how many answers of that kind it covers"
            ));
        }
        if self.suite_inputs > 0 {
            let count = self.suite_inputs;
            let new = match (self.marked_inputs, self.failing_inputs()) {
                (None, _) => "not the same; no mark of the line says which".to_owned(),
                (_, 0) => "none that is marked is new".to_owned(),
                (_, new) => format!("{new} or more of them new"),
            };
            let said = said.split(',').next().unwrap_or_default();
            return Some(format!(
                "says {}; now {count}, {new}: write the line anew if that is meant",
                OneLine(said)
            ));
        }
        Some(format!(
            "says `{}`; now it is `{now}`: change that line if that is meant",
            OneLine(said)
        ))
    }

    /// How many inputs of a suite fail so that the baseline does not mark, the vector's among them; 0 for a vector that is none of a suite.
    pub fn failing_inputs(&self) -> u64 {
        self.suite_inputs - self.marked_inputs.unwrap_or_default()
    }

    /// Whether no answer is known to be another than those that the baseline marks: what it says of them is to be changed.
    pub(super) fn is_all_marked(&self) -> bool {
        self.marked_inputs == Some(self.suite_inputs)
    }

    /// The name of its kind: `does-not-repeat`, or that of the difference.
    pub fn kind_name(&self) -> &'static str {
        match self.unrepeated {
            Some(_) => DOES_NOT_REPEAT,
            None => self.kind.name(),
        }
    }
}

/// The kind of an answer that does not repeat.
pub const DOES_NOT_REPEAT: &str = "does-not-repeat";

impl Status {
    /// How the outcome does not conform, known or not; none if it does or was not compared.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Status::Fails(failure) | Status::Known(failure, _) => Some(failure),
            Status::Agrees
            | Status::NotCompared(_)
            | Status::NotRun(_)
            | Status::Survived(_)
            | Status::NotSelected
            | Status::Lost(_) => None,
        }
    }
}

/// What a judgement comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// Something was compared, and all of it is as expected.
    Pass,
    /// Something is not as expected.
    Fail,
    /// Nothing was compared.
    Nothing,
    /// The run could not be finished.
    Broken,
}

impl Conclusion {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Conclusion::Pass => "pass",
            Conclusion::Fail => "fail",
            Conclusion::Nothing => "nothing-compared",
            Conclusion::Broken => "broken",
        }
    }
}

/// How many vectors count how, and how many inputs of suites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// [`Status::Agrees`]
    pub agree: usize,
    /// [`Status::Fails`]
    pub fail: usize,
    /// [`Status::Known`]
    pub known: usize,
    /// [`Status::NotCompared`]
    pub not_compared: usize,
    /// [`Status::NotRun`]
    pub not_run: usize,
    /// [`Status::Survived`]
    pub survived: usize,
    /// [`Status::NotSelected`]
    pub not_selected: usize,
    /// [`Status::Lost`], with the groups of suites.
    pub lost: usize,
    /// How many of those that fail do not repeat, with the groups of suites.
    pub unrepeated: usize,
    /// The inputs of suites.
    pub suites: SuiteTally,
}

/// How many inputs of suites count how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuiteTally {
    /// They agree.
    pub agree: u64,
    /// They fail, and the baseline does not say so.
    pub fail: u64,
    /// They fail as lines or deviations of the baseline say.
    pub known: u64,
    /// They were not compared, or left out.
    pub not_compared: u64,
    /// How many cases those that fail are: the inputs that fail alike are one.
    pub failing_cases: usize,
    /// How many cases those are of which lines of the baseline say it.
    pub known_cases: usize,
}

impl Tally {
    /// How many vectors were compared.
    pub fn compared(&self) -> usize {
        self.agree + self.fail + self.known
    }

    /// Whether a vector or a suite's input fails that is not known.
    pub fn has_failures(&self) -> bool {
        self.fail > 0 || self.suites.failing_cases > 0
    }

    /// What fails and is not known.
    pub fn failing(&self) -> FailureCount {
        FailureCount::new(self.fail, self.suites.fail)
    }

    /// What fails as the baseline says.
    pub fn known(&self) -> FailureCount {
        FailureCount::new(self.known, self.suites.known)
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        let (one, two) = (self.suites, other.suites);
        Tally {
            agree: self.agree + other.agree,
            fail: self.fail + other.fail,
            known: self.known + other.known,
            not_compared: self.not_compared + other.not_compared,
            not_run: self.not_run + other.not_run,
            survived: self.survived + other.survived,
            not_selected: self.not_selected + other.not_selected,
            lost: self.lost + other.lost,
            unrepeated: self.unrepeated + other.unrepeated,
            suites: SuiteTally {
                agree: one.agree + two.agree,
                fail: one.fail + two.fail,
                known: one.known + two.known,
                not_compared: one.not_compared + two.not_compared,
                failing_cases: one.failing_cases + two.failing_cases,
                known_cases: one.known_cases + two.known_cases,
            },
        }
    }
}

impl fmt::Display for Tally {
    /// All vectors that are not zero: `812 agree, 3 fail, 40 not compared`. The inputs of suites have a [display](SuiteTally) of their own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.fail, "fail"),
            (self.known, "known"),
            (self.not_compared, "not compared"),
            (self.not_run, "not run"),
            (self.survived, "survived only"),
            (self.not_selected, "not selected"),
            (self.lost, "lost"),
            (self.unrepeated, "of the failures do not repeat"),
        ];
        write_counts(f, self.agree, &parts)
    }
}

/// Writes how many agree, and the other counts that are not zero.
fn write_counts<N>(f: &mut fmt::Formatter<'_>, agree: N, others: &[(N, &str)]) -> fmt::Result
where
    N: Default + PartialEq + fmt::Display,
{
    write!(f, "{agree} agree")?;
    others
        .iter()
        .filter(|(count, _)| *count != N::default())
        .try_for_each(|(count, name)| write!(f, ", {count} {name}"))
}

impl fmt::Display for SuiteTally {
    /// All that are not zero: `302000 agree, 977 fail, 12 known`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.fail, "fail"),
            (self.known, "known"),
            (self.not_compared, "not compared"),
        ];
        write_counts(f, self.agree, &parts)
    }
}

impl<'v> Judgement<'v> {
    /// The verdict.
    pub fn conclusion(&self) -> Conclusion {
        let tally = self.tally();
        if self.lost.is_some() {
            Conclusion::Broken
        } else if tally.has_failures() || !self.problems.is_empty() {
            Conclusion::Fail
        } else if self.compared() == 0 {
            Conclusion::Nothing
        } else {
            Conclusion::Pass
        }
    }

    /// How many vectors count how, and how many inputs of suites.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for case in &self.cases {
            tally.unrepeated += usize::from(case.status.failure().is_some_and(|failure| failure.unrepeated.is_some()));
            let is_of_suite = is_of_suite(&case.vector.id);
            match &case.status {
                Status::Fails(failure) if is_of_suite => {
                    tally.suites.failing_cases += 1;
                    tally.suites.fail += failure.failing_inputs();
                    tally.suites.known += failure.marked_inputs.unwrap_or_default();
                }
                Status::Known(failure, _) if is_of_suite => {
                    tally.suites.known_cases += 1;
                    tally.suites.known += failure.suite_inputs;
                }
                Status::Agrees => tally.agree += 1,
                Status::Fails(_) => tally.fail += 1,
                Status::Known(..) => tally.known += 1,
                Status::NotCompared(_) => tally.not_compared += 1,
                Status::NotRun(_) => tally.not_run += 1,
                Status::Survived(_) => tally.survived += 1,
                Status::NotSelected => tally.not_selected += 1,
                Status::Lost(_) => tally.lost += 1,
            }
        }
        let mut inputs = 0;
        for suite in &self.suites {
            tally.suites.agree += suite.counts.agree;
            tally.suites.known += suite.all_predicted;
            inputs += suite.counts.compared() + suite.counts.not_compared + suite.counts.left_out;
        }
        // What differs and is not selected, or could not be put again, is not compared.
        let compared = tally.suites.agree + tally.suites.fail + tally.suites.known;
        tally.suites.not_compared = inputs.saturating_sub(compared);
        tally
    }

    /// Every vector that fails, the worst first: by [`Severity::urgency`], then by level, those from the RFC and the grammar before contested
    /// and found ones, then by kind, the smallest input first.
    pub fn failures(&self) -> Vec<(&Vector, &Failure)> {
        let mut failures: Vec<(&Vector, &Failure)> = self
            .cases
            .iter()
            .filter_map(|case| match &case.status {
                Status::Fails(failure) => Some((&*case.vector, failure)),
                _ => None,
            })
            .collect();
        failures.sort_by_key(|(vector, failure)| {
            (
                failure.severity.urgency(),
                vector.level,
                family(&vector.id),
                failure.kind,
                vector.input.size(),
            )
        });
        failures
    }

    /// How many answers are not compared, since the subject [does not validate](crate::model::Declaration::validates).
    pub(super) fn unvalidated(&self) -> FailureCount {
        let is_it =
            |case: &&Case<'_>| matches!(&case.status, Status::NotCompared(reason) if reason.ends_with(UNVALIDATED));
        let of_suites = self.suites.iter().filter_map(|suite| suite.not_compared.get(UNVALIDATED)).sum();
        FailureCount::new(self.cases.iter().filter(is_it).count(), of_suites)
    }

    /// How many answers were compared, those to suites among them.
    pub fn compared(&self) -> u64 {
        let of_suites: u64 = self.suites.iter().map(|suite| suite.counts.compared()).sum();
        self.tally().compared() as u64 + of_suites
    }

    /// Whether the suite that an id or a pattern is about was put to the subject, whole.
    pub(super) fn has_put(&self, vectors: &str) -> bool {
        let of_id = self.suites.iter().find(|suite| vectors.starts_with(&format!("{}/", suite.id())));
        match of_id {
            Some(suite) => suite.lost.is_none(),
            // A pattern about several.
            None => {
                vectors.contains('*') && !self.suites.is_empty() && self.suites.iter().all(|suite| suite.lost.is_none())
            }
        }
    }

    /// The vectors whose answers do not repeat.
    pub fn unrepeated(&self) -> Vec<(&Vector, &Failure, &Unrepeated)> {
        let failures = self.cases.iter().filter_map(|case| {
            let failure = case.status.failure()?;
            Some((&*case.vector, failure, failure.unrepeated.as_deref()?))
        });
        failures.collect()
    }

    /// Why no baseline is written: what does not repeat cannot be excused.
    pub fn check_repeats(&self) -> Result<(), String> {
        /// How many vectors are named.
        const NAMED: usize = 10;
        let ids: Vec<&str> = self.unrepeated().iter().map(|(vector, ..)| &*vector.id).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let more = match ids.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named = ids[..ids.len().min(NAMED)].join(", ");
        Err(format!(
            "answers do not repeat, which no baseline can excuse: {named}{more}"
        ))
    }

    /// Why vectors were not asked or not compared, and how many for each reason, the commonest first.
    pub fn reasons(&self) -> Vec<(String, usize)> {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for case in &self.cases {
            let reason = match &case.status {
                Status::NotCompared(reason) => format!("not compared: {reason}"),
                Status::NotRun(reason) => format!("not run: {reason}"),
                Status::Survived(reason) => format!("survived only: {reason}"),
                Status::Lost(reason) => format!("lost: {reason}"),
                Status::Agrees | Status::Fails(_) | Status::Known(..) | Status::NotSelected => continue,
            };
            *reasons.entry(reason).or_default() += 1;
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
        reasons
    }
}

/// What a subject did, as a baseline keeps it: the whole answer, and where it crashed; without its words, which change from version to
/// version.
fn brief(result: &run::Result) -> String {
    match &result.observed {
        Outcome::Rejected { .. } | Outcome::TimedOut { .. } => result.observed.name().to_owned(),
        Outcome::Crashed { .. } => match result.observed.crash_place() {
            Some(place) => format!("crashed, {place}"),
            None => result.observed.name().to_owned(),
        },
        Outcome::Accepted { .. } | Outcome::Unsupported { .. } => hashed(result.observed_alone()),
    }
}

/// A text that is long with a hash in the place of its end.
fn hashed(text: String) -> String {
    /// How many characters stand in a baseline.
    const MOST: usize = 160;
    /// How many of a longer one.
    const KEPT: usize = 60;
    if text.chars().count() <= MOST {
        return text;
    }
    let kept: String = text.chars().take(KEPT).collect();
    format!("{kept}… {} octets, {:016x}", text.len(), Fnv::of(text.bytes()))
}
