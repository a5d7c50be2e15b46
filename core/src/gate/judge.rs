//! What came of the vectors, held against a baseline.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::compare;
use crate::gate::baseline::{Baseline, Entry, Line, ReasonKind};
use crate::gate::check::{Checked, Checks, Standing};
use crate::gate::suite::{SuiteRun, is_of_suite};
use crate::model::{Declaration, Outcome, Problem, Vector};
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
    /// How many lines of the baseline have no reason yet.
    pub unexplained: usize,
    /// Why not everything was asked that was to be, if so.
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
    NotAsked(String),
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
    /// What the subject did, in full.
    pub got: String,
    /// What the subject did, without its words: what a baseline holds.
    pub brief: String,
    /// Where a baseline says otherwise, and what it says there.
    pub known_as: Option<(String, String)>,
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
            got: result.observed_text(),
            brief: brief(difference.kind, result),
            known_as: None,
            unrepeated: None,
        }
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
            | Status::NotAsked(_)
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
    /// [`Status::NotAsked`]
    pub not_asked: usize,
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
}

impl Tally {
    /// How many vectors were compared.
    pub fn compared(&self) -> usize {
        self.agree + self.fail + self.known - self.groups
    }
}

impl fmt::Display for Tally {
    /// All that is not zero: `812 agree, 3 fail, 40 not compared`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.fail, "fail"),
            (self.known, "known"),
            (self.not_compared, "not compared"),
            (self.not_asked, "not asked"),
            (self.survived, "survived only"),
            (self.not_selected, "not selected"),
            (self.lost, "lost"),
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
            tally.groups += usize::from(is_of_suite(&case.vector.id) && case.status.failure().is_some());
            tally.unrepeated += usize::from(case.status.failure().is_some_and(|failure| failure.unrepeated.is_some()));
            *match case.status {
                Status::Agrees => &mut tally.agree,
                Status::Fails(_) => &mut tally.fail,
                Status::Known(..) => &mut tally.known,
                Status::NotCompared(_) => &mut tally.not_compared,
                Status::NotAsked(_) => &mut tally.not_asked,
                Status::Survived(_) => &mut tally.survived,
                Status::NotSelected => &mut tally.not_selected,
                Status::Lost(_) => &mut tally.lost,
            } += 1;
        }
        tally
    }

    /// Every vector that fails, the worst first: by [`Severity::urgency`], then by level and kind, the smallest input first.
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
                Status::NotAsked(reason) => format!("not asked: {reason}"),
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

/// Judges what came of the vectors for a subject; `today` is the day that expired entries are told by, as
/// [`today`] gives it.
pub fn judge<'v>(
    declaration: &Declaration,
    checks: Checks<'v>,
    baseline: Option<&Baseline>,
    today: &str,
) -> Judgement<'v> {
    let lines = baseline.map_or(&[][..], |baseline| &baseline.lines);
    let mut met: Vec<Vec<LineResult>> = vec![Vec::new(); lines.len()];
    let mut unfinished = None;
    let Checks { vectors, suites } = checks;
    let cases: Vec<Case<'v>> = vectors
        .into_iter()
        .map(|Checked { vector, standing }| {
            let (status, result) = match standing {
                Standing::NotSelected => (Status::NotSelected, None),
                Standing::NotAsked(reason) => (Status::NotAsked(reason), None),
                Standing::Survived(reason) => (Status::Survived(reason), None),
                Standing::Lost(reason) => (Status::Lost(reason), None),
                Standing::Compared(asked) => {
                    unfinished = unfinished.take().or(asked.unfinished);
                    (status(asked.failure, &asked.result), Some(asked.result))
                }
            };
            let status = match (baseline, line_of(lines, &vector.id)) {
                (Some(baseline), Some(at)) => {
                    met[at].push(LineResult::of(&vector.id, &status));
                    explained(baseline, &lines[at], status)
                }
                _ => status,
            };
            Case { vector, status, result }
        })
        .collect();
    let lost = cases.iter().find_map(|case| match &case.status {
        Status::Lost(reason) => Some(reason.clone()),
        _ => None,
    });
    let lost = lost.or(unfinished).or_else(|| suites.iter().find_map(|suite| suite.lost.clone()));
    let mut judgement = Judgement {
        subject: declaration.label(),
        name: declaration.name.to_string(),
        cases,
        suites,
        problems: Vec::new(),
        unexplained: 0,
        lost,
    };
    if let Some(baseline) = baseline {
        let is_unexplained = |line: &&Line| baseline.entry_of(line).kind == ReasonKind::Unexplained;
        judgement.unexplained = lines.iter().filter(is_unexplained).count();
        judgement.problems = problems(baseline, &met, &judgement, today);
    }
    judgement
}

/// How a vector counts of which this came, before the baseline is read.
fn status(failure: Option<Failure>, result: &run::Result) -> Status {
    match (failure, &result.verdict) {
        (Some(failure), _) => Status::Fails(failure),
        (None, compare::Verdict::Agree { .. }) => Status::Agrees,
        (None, compare::Verdict::NotComparable { reason }) => Status::NotCompared(reason.clone()),
        // Whoever made it left the failure out: it fails all the same.
        (None, compare::Verdict::Diverge(difference)) => Status::Fails(Failure::of(result, difference)),
    }
}

/// What a subject did, without its words: those change from version to version.
fn brief(kind: compare::DifferenceKind, result: &run::Result) -> String {
    match &result.observed {
        Outcome::Rejected { .. } | Outcome::Crashed { .. } | Outcome::TimedOut { .. } => {
            result.observed.name().to_owned()
        }
        Outcome::Accepted { .. } if kind == compare::DifferenceKind::AcceptedInvalid => "accepted".to_owned(),
        Outcome::Accepted { .. } | Outcome::Unsupported { .. } => result.observed_text(),
    }
}

/// The line that is about a vector: its own, else the first pattern.
fn line_of(lines: &[Line], id: &str) -> Option<usize> {
    let own = |exact: bool| lines.iter().position(|line| line.vectors.is_exact() == exact && line.vectors.matches(id));
    own(true).or_else(|| own(false))
}

/// What a line of a baseline makes of a vector.
fn explained(baseline: &Baseline, line: &Line, status: Status) -> Status {
    match status {
        Status::Fails(failure) if failure.unrepeated.is_none() && is_as_said(&line.got, &failure) => {
            Status::Known(failure, baseline.entry_of(line).clone())
        }
        Status::Fails(failure) => Status::Fails(Failure {
            known_as: Some((format!("{}:{}", baseline.file, line.line), line.got.clone())),
            ..failure
        }),
        other => other,
    }
}

fn is_as_said(got: &str, failure: &Failure) -> bool {
    got == failure.brief || got == failure.kind.name()
}

/// What came of a vector that a line is about.
#[derive(Clone, Debug)]
enum LineResult {
    Fails,
    /// It is not selected, or was lost: this run says nothing of it.
    Aside,
    /// Why it does not fail, by its id.
    Otherwise(String, String),
}

impl LineResult {
    fn of(id: &str, status: &Status) -> LineResult {
        let otherwise = |why: String| LineResult::Otherwise(id.to_owned(), why);
        match status {
            Status::Fails(_) | Status::Known(..) => LineResult::Fails,
            Status::NotSelected | Status::Lost(_) => LineResult::Aside,
            Status::Agrees => otherwise("agrees".to_owned()),
            Status::NotCompared(reason) => otherwise(format!("was not compared ({reason})")),
            Status::NotAsked(reason) | Status::Survived(reason) => otherwise(format!("was not asked ({reason})")),
        }
    }
}

fn problems(baseline: &Baseline, met: &[Vec<LineResult>], judgement: &Judgement<'_>, today: &str) -> Vec<Problem> {
    let tally = judgement.tally();
    let problem = |line: usize, message: String| Problem {
        file: baseline.file.clone(),
        line,
        message,
    };
    let of_lines = baseline.lines.iter().zip(met).filter_map(|(line, met)| {
        let vectors = line.vectors.to_string();
        if met.is_empty() && is_of_suite(&vectors) {
            let message = format!("nothing that `{vectors}` is about differs any more: delete this line");
            return judgement.has_put(&vectors).then(|| problem(line.line, message));
        }
        let message = stale(line, met)?;
        Some(problem(line.line, message))
    });
    let expired = baseline.entries.iter().filter_map(|entry| {
        let until = entry.until.as_deref().filter(|until| *until < today)?;
        let message = format!("expired on {until}: mend what it excuses, or set another day");
        Some(problem(entry.line, message))
    });
    let is_whole = tally.not_selected == 0 && tally.lost == 0;
    let hollow = (is_whole && tally.compared() < baseline.compares).then(|| {
        problem(
            baseline.compares_line,
            format!(
                "{} vectors were compared, and there were {}: if fewer are meant, write `compares = {}`",
                tally.compared(),
                baseline.compares,
                tally.compared()
            ),
        )
    });
    let mut problems: Vec<Problem> = of_lines.chain(expired).chain(hollow).collect();
    problems.sort();
    problems
}

/// Why a line is to be changed, if it is.
fn stale(line: &Line, met: &[LineResult]) -> Option<String> {
    let others: Vec<(&str, &str)> = met
        .iter()
        .filter_map(|one| match one {
            LineResult::Otherwise(id, why) => Some((&**id, &**why)),
            LineResult::Fails | LineResult::Aside => None,
        })
        .collect();
    match (line.vectors.is_exact(), others.as_slice()) {
        (true, []) if met.is_empty() => Some(format!("no vector `{}`: delete this line", line.vectors)),
        (false, []) if met.is_empty() => Some(format!(
            "`{}` matches no vector that no other line is about: delete this line",
            line.vectors
        )),
        (_, []) => None,
        (true, [(id, why), ..]) => Some(format!("`{id}` {why}: delete this line")),
        (false, [(id, why), ..]) => Some(format!(
            "of the {} vectors that `{}` matches {} {} not fail: `{id}` {why}; let the pattern match what fails only",
            met.len(),
            line.vectors,
            others.len(),
            if others.len() == 1 { "does" } else { "do" },
        )),
    }
}

/// Today's date in UTC: `2026-12-31`.
pub fn today() -> String {
    const DAY: u64 = 24 * 60 * 60;
    // A clock before 1970 is wrong, and nothing has expired by it.
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date_of(since / DAY)
}

/// The date, in the Gregorian calendar, of a day since the first of January 1970: years begin in March, so that the leap day is
/// the last of its year.
fn date_of(day: u64) -> String {
    const IN_400_YEARS: u64 = 146_097;
    let day = day + 719_468;
    let (era, of_era) = (day / IN_400_YEARS, day % IN_400_YEARS);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / (IN_400_YEARS - 1)) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + carry)
}

#[cfg(test)]
mod tests {
    use super::date_of;

    #[test]
    fn days_have_dates() {
        for (day, expected) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (20_454, "2026-01-01"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of(day), expected, "{day}");
        }
    }
}
