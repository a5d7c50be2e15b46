//! What came of the vectors, held against a baseline.

use crate::compare;
use crate::gate::baseline::{Baseline, Line, ReasonKind};
use crate::gate::check::{Checked, Checks, Standing};
use crate::gate::glob::GlobSet;
use crate::gate::judgement::{Case, Conclusion, Failure, Judgement, Status};
use crate::gate::suite::{SuiteRun, is_of_suite};
use crate::model::{Declaration, Problem};
use crate::run;

/// Judges what came of the vectors for a subject; `today` is the day by which entries expire, as
/// [`today`](crate::gate::today) gives it.
pub fn judge<'v>(
    declaration: &Declaration,
    checks: Checks<'v>,
    baseline: Option<&Baseline>,
    today: &str,
) -> Judgement<'v> {
    let lines = baseline.map_or(&[][..], |baseline| &baseline.lines);
    let mut met: Vec<Vec<LineResult>> = vec![Vec::new(); lines.len()];
    let by_id = GlobSet::new(lines.iter().map(|line| &line.vectors));
    let mut unfinished = None;
    let Checks { vectors, suites } = checks;
    let cases: Vec<Case<'v>> = vectors
        .into_iter()
        .map(|Checked { vector, standing }| {
            let (status, result) = match standing {
                Standing::NotSelected => (Status::NotSelected, None),
                Standing::NotRun(reason) => (Status::NotRun(reason), None),
                Standing::Survived(reason) => (Status::Survived(reason), None),
                Standing::Lost(reason) => (Status::Lost(reason), None),
                Standing::Compared(asked) => {
                    unfinished = unfinished.take().or(asked.unfinished);
                    (status(asked.failure, &asked.result), Some(asked.result))
                }
            };
            let status = match (baseline, by_id.first(&vector.id)) {
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
    // What differs is said first; without that, a part of a suite is no pass.
    if judgement.conclusion() == Conclusion::Pass {
        let cut = |suite: &SuiteRun| Some(format!("{}: {}", suite.id(), suite.cut.as_ref()?));
        judgement.lost = judgement.suites.iter().find_map(cut);
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
            Status::NotRun(reason) | Status::Survived(reason) => otherwise(format!("was not run ({reason})")),
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
