//! What came of the vectors, held against a baseline.

use crate::algorithms::split_marks;
use crate::compare::{self, DifferenceKind};
use crate::gate::baseline::{Baseline, Entry, ExpectedFailure, Line, ReasonKind};
use crate::gate::check::{Checked, Checks, ComparedAnswer, Standing};
use crate::gate::deviations::{BaselineDeviation, Fit, NO_VALIDATION};
use crate::gate::glob::GlobSet;
use crate::gate::judgement::{Case, Conclusion, Failure, Judgement, Status};
use crate::gate::suite::{SuiteRun, is_of_suite};
use crate::model::{Declaration, Problem, Vector};
use crate::run::{self, UNVALIDATED};

/// Judges what came of the vectors for a subject; `today` is the day by which entries expire, as
/// [`today`](crate::gate::today) gives it.
pub fn judge<'v>(
    declaration: &Declaration,
    checks: Checks<'v>,
    baseline: Option<&Baseline>,
    today: &str,
) -> Judgement<'v> {
    let Checks { vectors, suites } = checks;
    let mut against = baseline.map(AgainstBaseline::new);
    let mut unfinished = None;
    let cases: Vec<Case<'v>> = vectors
        .into_iter()
        .map(|Checked { vector, standing }| {
            let (status, result) = match standing {
                Standing::NotSelected => (Status::NotSelected, None),
                Standing::NotRun(reason) => (Status::NotRun(reason), None),
                Standing::Survived(reason) => (Status::Survived(reason), None),
                Standing::Lost(reason) => (Status::Lost(reason), None),
                Standing::Compared(mut asked) => {
                    unfinished = unfinished.take().or(asked.unfinished.take());
                    let status = status(asked.failure.take(), &asked.result);
                    let status = match &mut against {
                        Some(against) => against.by_deviations(&vector, status, &asked),
                        None => status,
                    };
                    (status, Some(asked.result))
                }
            };
            let status = match &mut against {
                Some(against) => against.by_lines(&vector, status),
                None => status,
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
    if let Some(against) = &mut against {
        against.add_suites(&judgement.suites);
        let is_unexplained = |entry: &&Entry| entry.kind == ReasonKind::Unexplained;
        judgement.unexplained = against.baseline.entries.iter().filter(|entry| is_unexplained(entry)).count();
        judgement.problems = problems(against, &judgement, today);
    }
    // What differs is said first; without that, a part of a suite is no pass.
    if judgement.conclusion() == Conclusion::Pass {
        let cut = |suite: &SuiteRun| Some(format!("{}: {}", suite.id(), suite.cut.as_ref()?));
        judgement.lost = judgement.suites.iter().find_map(cut);
    }
    judgement
}

/// A baseline, and what came of its lines and deviations.
struct AgainstBaseline<'b> {
    baseline: &'b Baseline,
    by_id: GlobSet,
    /// What came of the vectors of each line.
    met: Vec<Vec<LineResult>>,
    /// What came of each deviation.
    uses: Vec<DeviationUse>,
}

/// What came of a deviation.
#[derive(Clone, Debug, Default)]
struct DeviationUse {
    /// How many failures it is responsible for.
    predicted: u64,
    /// The first answer that it predicts wrongly: the vector's id, what is predicted, and the answer.
    wrong: Option<(String, String, String)>,
}

impl<'b> AgainstBaseline<'b> {
    fn new(baseline: &'b Baseline) -> AgainstBaseline<'b> {
        AgainstBaseline {
            baseline,
            by_id: GlobSet::new(baseline.lines.iter().map(|line| &line.vectors)),
            met: vec![Vec::new(); baseline.lines.len()],
            uses: vec![DeviationUse::default(); baseline.deviations.len()],
        }
    }

    /// How a vector counts whose answer the deviations may predict.
    fn by_deviations(&mut self, vector: &Vector, status: Status, answer: &ComparedAnswer) -> Status {
        match (status, &answer.fit) {
            (Status::Fails(mut failure), Fit::Predicted) if failure.unrepeated.is_none() => {
                answer.responsible.iter().for_each(|&at| self.uses[at].predicted += 1);
                let first = answer.responsible.first().map_or(0, |&at| self.baseline.deviations[at].entry);
                failure.is_predicted = true;
                Status::Known(failure, self.baseline.entries[first].clone())
            }
            (status @ Status::Agrees, Fit::False { predicted }) => {
                for &at in &answer.responsible {
                    let texts = || {
                        (
                            vector.id.clone(),
                            predicted.without_reason(),
                            answer.result.observed_text(),
                        )
                    };
                    self.uses[at].wrong.get_or_insert_with(texts);
                }
                status
            }
            (Status::NotCompared(reason), _) if reason == UNVALIDATED => {
                let is_it = |named: &BaselineDeviation| named.id() == NO_VALIDATION;
                let unvalidated = self.baseline.deviations.iter().position(is_it);
                unvalidated.into_iter().for_each(|at| self.uses[at].predicted += 1);
                Status::NotCompared(reason)
            }
            (status, _) => status,
        }
    }

    /// How a vector counts of which a line may say that it fails.
    fn by_lines(&mut self, vector: &Vector, status: Status) -> Status {
        let lines = &self.baseline.lines;
        let Some(at) = self.by_id.all(&vector.id).find(|&at| lines[at].is_about(vector, failing(&status))) else {
            return status;
        };
        let result = LineResult::of(&vector.id, &status);
        let status = explained(self.baseline, &lines[at], status);
        self.met[at].push(match &status {
            Status::Known(failure, _) => failure.stale_words().map_or(result, LineResult::Fewer),
            _ => result,
        });
        status
    }

    /// Adds what the deviations predict of suites.
    fn add_suites(&mut self, suites: &[SuiteRun]) {
        for (at, count) in suites.iter().flat_map(|suite| &suite.predicted) {
            self.uses[*at].predicted += count;
        }
        let unvalidated = suites.iter().filter_map(|suite| suite.not_compared.get(UNVALIDATED)).sum::<u64>();
        for (named, uses) in self.baseline.deviations.iter().zip(&mut self.uses) {
            uses.predicted += if named.id() == NO_VALIDATION { unvalidated } else { 0 };
        }
    }

    /// What is wrong with the deviations.
    fn problems_of_deviations(&self, is_whole: bool) -> Vec<(usize, String)> {
        let uses = self.baseline.deviations.iter().zip(&self.uses);
        let problem = |(named, uses): (&BaselineDeviation, &DeviationUse)| match &uses.wrong {
            Some((id, predicted, answer)) => Some((
                named.line,
                format!(
                    "`{}` predicts `{predicted}` for `{id}`, where the answer is `{answer}`: delete it, or give it other parameters",
                    named.id()
                ),
            )),
            None if is_whole && uses.predicted == 0 => Some((
                named.line,
                format!("`{}` predicts nothing that fails: delete it", named.id()),
            )),
            None => None,
        };
        uses.filter_map(problem).collect()
    }
}

/// How a vector fails that no deviation predicts.
fn failing(status: &Status) -> Option<&Failure> {
    match status {
        Status::Fails(failure) => Some(failure),
        _ => None,
    }
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
        Status::Fails(failure) if failure.unrepeated.is_none() && line.accepts(&failure) => {
            Status::Known(failure, baseline.entry_of(line).clone())
        }
        Status::Fails(failure) => {
            let said = line.got.to_string();
            let place = format!("{}:{}", baseline.file, line.line);
            let failure = Failure {
                known_as: Some((place, split_marks(&said).0.to_owned())),
                ..failure
            };
            match failure.is_all_marked() {
                true => Status::Known(failure, baseline.entry_of(line).clone()),
                false => Status::Fails(failure),
            }
        }
        other => other,
    }
}

/// What came of a vector that a line is about.
#[derive(Clone, Debug)]
enum LineResult {
    Fails,
    /// Fewer inputs of a suite fail than the line says, and none otherwise: what is to be changed.
    Fewer(String),
    /// It is not selected, or was lost: this run says nothing of it.
    Aside,
    /// Why it does not fail, by its id.
    Otherwise(String, String),
}

impl LineResult {
    fn of(id: &str, status: &Status) -> LineResult {
        let otherwise = |why: String| LineResult::Otherwise(id.to_owned(), why);
        match status {
            Status::Fails(_) => LineResult::Fails,
            Status::Known(..) => otherwise("is what the deviations predict".to_owned()),
            Status::NotSelected | Status::Lost(_) => LineResult::Aside,
            Status::Agrees => otherwise("agrees".to_owned()),
            Status::NotCompared(reason) => otherwise(format!("was not compared ({reason})")),
            Status::NotRun(reason) | Status::Survived(reason) => otherwise(format!("was not run ({reason})")),
        }
    }
}

fn problems(against: &AgainstBaseline<'_>, judgement: &Judgement<'_>, today: &str) -> Vec<Problem> {
    let baseline = against.baseline;
    let tally = judgement.tally();
    let problem = |line: usize, message: String| Problem {
        file: baseline.file.clone(),
        line,
        message,
    };
    let is_whole = tally.not_selected == 0 && tally.lost == 0;
    let of_lines = baseline.lines.iter().zip(&against.met).filter_map(|(line, met)| {
        let vectors = line.vectors.to_string();
        if met.is_empty() && is_of_suite(&vectors) {
            let message = format!("nothing that `{vectors}` is about differs any more: delete this line");
            return judgement.has_put(&vectors).then(|| problem(line.line, message));
        }
        let message = match line.got {
            ExpectedFailure::Kind { answers, .. } => is_whole.then(|| miscounted(line, answers, met.len()))??,
            ExpectedFailure::Answer(_) => stale(line, met)?,
        };
        Some(problem(line.line, message))
    });
    let expired = baseline.entries.iter().filter_map(|entry| {
        let until = entry.until.as_deref().filter(|until| *until < today)?;
        let message = format!("expired on {until}: mend what it excuses, or set another day");
        Some(problem(entry.line, message))
    });
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
    let of_deviations = against.problems_of_deviations(is_whole).into_iter();
    let of_deviations = of_deviations.map(|(line, message)| problem(line, message));
    let mut problems: Vec<Problem> = of_lines.chain(of_deviations).chain(expired).chain(hollow).collect();
    problems.sort();
    problems
}

/// Why a line of a kind is to be changed, if it is: it covers other answers than it did.
fn miscounted(line: &Line, said: usize, covered: usize) -> Option<String> {
    let covers = format!("`{}` covers {covered} answers of `{}`", line.vectors, line.got);
    match covered {
        0 => Some(format!("{covers}: delete this line")),
        _ if covered == said => None,
        _ => Some(format!(
            "{covers}, and says {said}: look at what has changed, and write `answers = {covered}`"
        )),
    }
}

/// Whether the answer of a line is the name of a kind of difference.
fn is_kind(got: &ExpectedFailure) -> bool {
    matches!(got, ExpectedFailure::Answer(answer) if DifferenceKind::ALL.iter().any(|kind| kind.name() == answer))
}

/// Why a line is to be changed, if it is.
fn stale(line: &Line, met: &[LineResult]) -> Option<String> {
    let others: Vec<(&str, &str)> = met
        .iter()
        .filter_map(|one| match one {
            LineResult::Otherwise(id, why) => Some((&**id, &**why)),
            LineResult::Fails | LineResult::Fewer(_) | LineResult::Aside => None,
        })
        .collect();
    if let [LineResult::Fewer(words)] = met {
        return Some(words.clone());
    }
    match (line.vectors.is_exact(), others.as_slice()) {
        (true, []) if met.is_empty() => Some(format!("no vector `{}`: delete this line", line.vectors)),
        (false, []) if met.is_empty() => Some(format!(
            "`{}` matches no vector that no other line is about: delete this line",
            line.vectors
        )),
        (_, []) => None,
        (false, _) if is_kind(&line.got) => Some(format!(
            "`{}` names a kind alone: write {{ kind = '{}', answers = N }}, N being how many answers of that kind it covers",
            line.vectors, line.got
        )),
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
