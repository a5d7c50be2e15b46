//! What the gate says of a subject, and how its vectors count.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use uriproof_grammar::Fnv;

use crate::compare;
use crate::gate::baseline::Entry;
use crate::gate::groups::family;
use crate::gate::suite::{SuiteRun, is_of_suite};
use crate::model::{OneLine, Outcome, Problem, Vector};
use crate::repeat::Unrepeated;
use crate::run;
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
            unrepeated: None,
        }
    }

    /// Which line of a baseline says otherwise, and what to do about it, on one line; `None` if there is none.
    pub fn stale_line(&self) -> Option<String> {
        let (place, said) = self.known_as.as_ref()?;
        let is_kind = said == DOES_NOT_REPEAT || said == self.kind.name();
        let [place, said, now] = [place, said, &self.brief].map(|text| OneLine(text));
        if is_kind {
            return Some(format!(
                "{place} names a kind alone, `{said}`: write the answer, `{now}`; or in a pattern the kind with the number of its answers, \
                 {{ kind = '{said}', answers = 1 }}"
            ));
        }
        Some(format!("{place} says `{said}`; now it is `{now}`: change that line"))
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

/// How many vectors count how.
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
    /// [`Status::Lost`]
    pub lost: usize,
    /// How many of those that fail do not repeat.
    pub unrepeated: usize,
    /// How many of those that fail, known or not, are groups of a suite.
    pub groups: usize,
    /// How many of those that fail and are not known are groups of a suite.
    pub failing_groups: usize,
}

impl Tally {
    /// How many vectors were compared.
    pub fn compared(&self) -> usize {
        self.agree + self.fail + self.known - self.groups
    }

    /// How many vectors fail and are not known, without the groups of suites.
    pub fn failing_vectors(&self) -> usize {
        self.fail - self.failing_groups
    }

    /// How many groups of suites are known.
    pub fn known_groups(&self) -> usize {
        self.groups - self.failing_groups
    }

    /// How many vectors fail as the baseline says, without the groups of suites.
    pub fn known_vectors(&self) -> usize {
        self.known - self.known_groups()
    }
}

/// What fails, in words: `845 vectors and 38 groups of suite inputs`.
pub fn failures_in_words(vectors: usize, groups: usize) -> String {
    let noun = |count: usize, one: &str, several: &str| format!("{count} {}", if count == 1 { one } else { several });
    let vectors_in_words = noun(vectors, "vector", "vectors");
    let groups_in_words = noun(groups, "group of suite inputs", "groups of suite inputs");
    match (vectors, groups) {
        (_, 0) => vectors_in_words,
        (0, _) => groups_in_words,
        (_, _) => format!("{vectors_in_words} and {groups_in_words}"),
    }
}

impl fmt::Display for Tally {
    /// All that is not zero: `812 agree, 3 fail, 40 not compared`. Groups of suites are counted apart from vectors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (failing, known) = (self.failing_groups, self.known_groups());
        let of_group = |count: usize, one, several| if count == 1 { one } else { several };
        let parts = [
            (self.failing_vectors(), "fail"),
            (self.known_vectors(), "known"),
            (self.not_compared, "not compared"),
            (self.not_run, "not run"),
            (self.survived, "survived only"),
            (self.not_selected, "not selected"),
            (self.lost, "lost"),
            (
                failing,
                of_group(failing, "group of suite inputs fails", "groups of suite inputs fail"),
            ),
            (
                known,
                of_group(known, "group of suite inputs known", "groups of suite inputs known"),
            ),
            (self.unrepeated, "of the failures do not repeat"),
        ];
        write!(f, "{} agree", self.agree)?;
        parts.into_iter().filter(|(count, _)| *count > 0).try_for_each(|(count, name)| write!(f, ", {count} {name}"))
    }
}

impl<'v> Judgement<'v> {
    /// The verdict.
    pub fn conclusion(&self) -> Conclusion {
        let tally = self.tally();
        if self.lost.is_some() {
            Conclusion::Broken
        } else if tally.fail > 0 || !self.problems.is_empty() {
            Conclusion::Fail
        } else if self.compared() == 0 {
            Conclusion::Nothing
        } else {
            Conclusion::Pass
        }
    }

    /// How many vectors count how.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for case in &self.cases {
            let is_group = is_of_suite(&case.vector.id);
            tally.groups += usize::from(is_group && case.status.failure().is_some());
            tally.failing_groups += usize::from(is_group && matches!(case.status, Status::Fails(_)));
            tally.unrepeated += usize::from(case.status.failure().is_some_and(|failure| failure.unrepeated.is_some()));
            *match case.status {
                Status::Agrees => &mut tally.agree,
                Status::Fails(_) => &mut tally.fail,
                Status::Known(..) => &mut tally.known,
                Status::NotCompared(_) => &mut tally.not_compared,
                Status::NotRun(_) => &mut tally.not_run,
                Status::Survived(_) => &mut tally.survived,
                Status::NotSelected => &mut tally.not_selected,
                Status::Lost(_) => &mut tally.lost,
            } += 1;
        }
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
