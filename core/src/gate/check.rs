//! A subject asked what a plan selects.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::algorithms::{self, Group, GroupKey, SuiteScore};
use crate::ask::ask_in_turn;
use crate::claim::Claimed;
use crate::compare::{DifferenceKind, Verdict};
use crate::expect::Expected;
use crate::gate::changed::ChangedAnswers;
use crate::gate::deviations::Fit;
use crate::gate::judgement::Failure;
use crate::gate::plan::Plan;
use crate::gate::rewritten::{self, PlannedVector};
use crate::gate::suite::{self, SuiteRun};
use crate::model::{Input, Operation, Outcome, Subject, Vector};
use crate::repeat::{self, Put, Repeater};
use crate::run::{self, Sample};
use crate::vectors::Library;

/// All that came of a plan.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checks<'v> {
    /// Every vector, in the order of the files, and behind them the groups of what diverges in suites.
    pub vectors: Vec<Checked<'v>>,
    /// The suites that were put to the subject.
    pub suites: Vec<SuiteRun>,
}

/// A vector, and what came of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked<'v> {
    /// The vector; one that stands for a group is made for it.
    pub vector: Cow<'v, Vector>,
    /// What came of it.
    pub standing: Standing,
}

/// What came of a vector.
#[derive(Clone, Debug)]
pub enum Standing {
    /// The subject was asked.
    Compared(Box<ComparedAnswer>),
    /// It is not among those that are selected by id or clause.
    NotSelected,
    /// It is nothing to ask of who claims what the subject claims, or of another level; this is why.
    NotRun(String),
    /// It is nothing to compare for a subject that claims what this one claims, and this is why. It was put to it all the same, and the
    /// subject survived it.
    Survived(String),
    /// The subject answers no more, or the run was stopped; this is why.
    Lost(String),
}

/// An answer that was compared. Long texts of it are shortened, so that memory does not grow with what a subject says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ComparedAnswer {
    /// The result.
    pub result: run::Result,
    /// How it does not conform, computed from the whole answer.
    pub failure: Option<Failure>,
    /// Why a vector that diverges was not put to a new process too, if so.
    pub unfinished: Option<String>,
    /// What the deviations of the plan say of it; [`Fit::NotCompared`] without them.
    pub fit: Fit,
    /// The places in the baseline of the deviations that are responsible for it.
    pub responsible: Vec<usize>,
}

/// Among how many calls before an answer those are searched that show it.
const EARLIER: usize = 4096;

/// How far a check is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckProgress {
    /// So many more vectors, or inputs of a suite, are to be run.
    ToRun(u64),
    /// One of them was run.
    Ran,
}

/// Puts every vector of a library to a subject that a plan selects, in the order of the files, and then the suites. `progress` is called
/// at each step. Where `stopped` gives a reason, the run ends.
///
/// A vector on which the subject diverges is put to it again, at once, and after all vectors in a new process: if it agrees then, its
/// answers do not repeat.
pub fn check<'v>(
    subject: &dyn Subject,
    library: &'v Library,
    plan: &Plan,
    mut progress: impl FnMut(CheckProgress),
    stopped: &dyn Fn() -> Option<String>,
) -> Checks<'v> {
    let subject = Claimed::new(subject, plan.claim).without_validation(plan.unvalidated);
    let is_stopped = || stopped().is_some();
    let planned = rewritten::under(subject.declaration().claim, library, plan.reading);
    let is_rewritten = |one: &&PlannedVector<'_>| one.is_rewritten();
    let mut checking = Checking {
        subject: &subject,
        plan,
        stopped,
        rewritten: planned.iter().filter(is_rewritten).map(|one| one.vector.id.clone()).collect(),
        repeater: Repeater::new(&subject, &is_stopped),
        answered: None,
    };
    let left_out = |one: &PlannedVector<'_>| {
        left_out(plan, &one.vector).or_else(|| Some(Standing::NotRun(one.excluded?.to_owned())))
    };
    let mut left_out: Vec<Option<Standing>> = planned.iter().map(left_out).collect();
    let is_selected = |standing: &Option<Standing>| !matches!(standing, Some(Standing::NotSelected));
    progress(CheckProgress::ToRun(
        left_out.iter().filter(|standing| is_selected(standing)).count() as u64,
    ));
    // The places of what is put, and how many of them are behind.
    let puts = |&at: &usize| left_out[at].is_none() && checking.puts(&planned[at].vector);
    let row: Vec<usize> = (0..planned.len()).filter(puts).collect();
    let mut standings = Vec::with_capacity(planned.len());
    let mut turn = 0;
    for (at, PlannedVector { vector, .. }) in planned.iter().enumerate() {
        if is_selected(&left_out[at]) {
            progress(CheckProgress::Ran);
        }
        turn += usize::from(row.get(turn) == Some(&at));
        let next = |distance: usize| {
            let input: &Input = &planned[*row.get(turn + distance)?].vector.input;
            run::given(subject.declaration(), input).map(Cow::into_owned)
        };
        standings.push(left_out[at].take().unwrap_or_else(|| match checking.end() {
            Some(reason) => Standing::Lost(reason),
            None => checking.ask(vector, &next),
        }));
    }
    let checked = planned.into_iter().zip(standings);
    let mut vectors: Vec<Checked<'_>> =
        checked.map(|(PlannedVector { vector, .. }, standing)| Checked { vector, standing }).collect();
    let suites = checking.suites(library, &mut vectors, &mut progress);
    checking.put_anew(&mut vectors);
    Checks { vectors, suites }
}

/// A subject on its way through the vectors.
struct Checking<'a> {
    subject: &'a Claimed<&'a dyn Subject>,
    plan: &'a Plan,
    stopped: &'a dyn Fn() -> Option<String>,
    /// The ids of the vectors whose input the claim has changed.
    rewritten: HashSet<String>,
    repeater: Repeater<'a>,
    /// The last vector that got an answer.
    answered: Option<Vector>,
}

impl Checking<'_> {
    /// Whether a vector is given to the subject.
    fn puts(&self, vector: &Vector) -> bool {
        run::given(self.subject.declaration(), &vector.input).is_some()
    }

    fn ask(&mut self, vector: &Vector, next: &dyn Fn(usize) -> Option<Input>) -> Standing {
        let declaration = self.subject.declaration();
        let excluded = declaration.claim.and_then(|claim| claim.excludes(&vector.input));
        if let Some(reason) = excluded.as_ref().filter(|_| run::given(declaration, &vector.input).is_none()) {
            return Standing::NotRun(reason.clone());
        }
        let observed = run::given(declaration, &vector.input).map(|input| ask_in_turn(self.subject, &input, next));
        let result = match self.or_lost(self.put_observed(vector, observed)) {
            Ok(result) => result,
            Err(reason) => return Standing::Lost(reason),
        };
        let failure = match (&result.verdict, excluded) {
            (Verdict::Agree { .. } | Verdict::NotComparable { .. }, Some(reason)) => return Standing::Survived(reason),
            (Verdict::Agree { .. } | Verdict::NotComparable { .. }, None) => None,
            // Of what is excluded only a death is a verdict.
            (Verdict::Diverge(difference), _) => {
                let put = || Put::from(self.put(vector));
                let mut unrepeated = self.repeater.unrepeated(&result, difference.kind, &put).map(Box::new);
                unrepeated.iter_mut().for_each(|unrepeated| unrepeated.cut(most(&vector.input)));
                Some(Failure {
                    unrepeated,
                    ..Failure::of(&result, difference)
                })
            }
        };
        match &failure {
            Some(failure) if failure.kind.is_death() => self.revive(),
            _ => self.answered = Some(vector.clone()),
        }
        let (fit, responsible) = self.fit(&result);
        let answer = ComparedAnswer::shortened(result, failure);
        Standing::Compared(Box::new(ComparedAnswer {
            fit,
            responsible,
            ..answer
        }))
    }

    /// What the deviations of the plan say of a result, and which of them are responsible.
    fn fit(&self, result: &run::Result) -> (Fit, Vec<usize>) {
        let Some(profile) = &self.plan.profile else {
            return (Fit::NotCompared, Vec::new());
        };
        let fit = profile.fit(self.subject.declaration(), result);
        let responsible = match fit {
            Fit::Predicted | Fit::False { .. } => profile.responsible(&result.input),
            Fit::NotCompared | Fit::Agrees | Fit::Unpredicted { .. } => Vec::new(),
        };
        (fit, responsible)
    }

    /// Puts the suites that the plan selects. What diverges is added to `checked`, a group each.
    fn suites(
        &mut self,
        library: &Library,
        checked: &mut Vec<Checked<'_>>,
        progress: &mut dyn FnMut(CheckProgress),
    ) -> Vec<SuiteRun> {
        let Some(size) = self.plan.suite else {
            return Vec::new();
        };
        let operations = self.plan.operations_of_suites(self.subject);
        let claim = self.subject.declaration().claim;
        let suites = operations.into_iter().map(|operation| {
            let mut inputs = algorithms::inputs(operation, size);
            if operation == Operation::Parse {
                inputs.extend(algorithms::lifted(library.vectors()));
            }
            let inputs = suite::under(claim, operation, inputs);
            progress(CheckProgress::ToRun(inputs.len() as u64));
            let mut changed = ChangedAnswers::new(&self.plan.marks);
            let score = self.suite(&inputs, &mut changed, progress);
            let lost = self.end();
            let of_level = |key: &GroupKey, group: &Group| {
                let level = suite::level(claim, &group.witness.input, key.difference.kind);
                (self.plan.levels.is_empty() || self.plan.levels.contains(&level)).then_some(level)
            };
            let selected = score.groups.iter().filter(|(key, _)| suite::selects(&self.plan.only, key));
            let selected = selected.filter_map(|(key, group)| Some((key, group, of_level(key, group)?)));
            for (key, group, level) in selected {
                let changed = changed.of(key);
                let witness = changed.and_then(|(_, witness)| witness).unwrap_or(&group.witness);
                let vector = Cow::Owned(suite::vector(claim, (key, level), witness, group.count));
                let standing = match &lost {
                    Some(reason) => Standing::Lost(reason.clone()),
                    None => {
                        let mut failure = self.failure_of_group(&vector, witness, key, group);
                        let marked = changed.map(|(count, _)| group.count - count);
                        failure.marked_inputs = marked.filter(|_| failure.unrepeated.is_none());
                        let answer = ComparedAnswer::shortened(witness.clone(), Some(failure));
                        Standing::Compared(Box::new(answer))
                    }
                };
                checked.push(Checked { vector, standing });
            }
            suite::run(claim, (operation, size), &score, lost)
        });
        suites.collect()
    }

    /// Puts the suite of an operation. What the baseline marks otherwise is counted as changed.
    fn suite(
        &self,
        inputs: &[Input],
        changed: &mut ChangedAnswers<'_>,
        progress: &mut dyn FnMut(CheckProgress),
    ) -> SuiteScore {
        /// How many inputs may end the process of a subject. One that does not answer counts as several.
        const DEATHS: usize = 20;
        let sample = Sample::of(self.subject, || inputs.len() as u128);
        let mut score = SuiteScore::default();
        let mut deaths = 0;
        for (place, input) in inputs.iter().enumerate() {
            progress(CheckProgress::Ran);
            if !sample.takes(place as u128) {
                score.leave_out(1, "beyond the budget of the subject".to_owned());
                continue;
            }
            let rest = || (inputs.len() - place) as u64;
            if let Some(reason) = self.end() {
                score.leave_out(rest(), reason);
                break;
            }
            if deaths >= DEATHS {
                let reason = format!("{DEATHS} inputs of the suite ended the process");
                score.cut = Some(format!("{reason}, and {} were not put to it", rest()));
                score.leave_out(rest(), reason);
                break;
            }
            // A sample has large steps, and needs no haste.
            let next = |distance: usize| {
                let input = inputs.get(place + 1 + distance).filter(|_| sample.is_whole())?;
                run::given(self.subject.declaration(), input).map(Cow::into_owned)
            };
            let Some(result) = run::unless_agreeing_in_turn(self.subject, input, &next) else {
                score.agree();
                continue;
            };
            let kind = match &result.verdict {
                Verdict::Diverge(difference) => Some(difference.kind),
                Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
            };
            match self.fit(&result) {
                (Fit::Predicted, responsible) => score.predicted(&result, &responsible),
                _ => {
                    changed.add(&result);
                    score.add(result);
                }
            }
            if kind.is_some_and(DifferenceKind::is_death) && self.subject.digest().is_some() {
                deaths += if kind == Some(DifferenceKind::TimedOut) { 5 } else { 1 };
                self.revive();
            }
        }
        score
    }

    /// How a group fails, whose witness is put again.
    fn failure_of_group(&mut self, vector: &Vector, witness: &run::Result, key: &GroupKey, group: &Group) -> Failure {
        let put = || Put::from(self.put(vector));
        let mut unrepeated = self.repeater.unrepeated(witness, key.difference.kind, &put).map(Box::new);
        unrepeated.iter_mut().for_each(|unrepeated| unrepeated.cut(most(&vector.input)));
        Failure {
            unrepeated,
            brief: group.brief(),
            suite_inputs: group.count,
            ..Failure::of(witness, &key.difference)
        }
    }

    /// Puts a vector. An error says why the subject was lost on the way to it.
    fn put_or_lose(&self, vector: &Vector) -> Result<run::Result, String> {
        self.or_lost(self.put(vector))
    }

    /// The result. An error says why the subject was lost on the way to it.
    fn or_lost(&self, result: run::Result) -> Result<run::Result, String> {
        match (&result.observed, self.subject.lost()) {
            (Outcome::Unsupported { .. }, Some(reason)) => Err(self.end().unwrap_or(reason)),
            _ => Ok(result),
        }
    }

    /// Why the run ends, if so.
    fn end(&self) -> Option<String> {
        (self.stopped)().or_else(|| self.subject.lost())
    }

    /// Puts what diverges once more to a new process: a value that an earlier call has left behind is not there. The order is
    /// reversed, since what diverges may itself leave something behind. If an answer differs from the first one, what still diverges is
    /// put to one more process, in the order of the files.
    fn put_anew(&mut self, checked: &mut [Checked<'_>]) {
        if checked.iter().any(|one| matches!(one.standing, Standing::Lost(_))) {
            return;
        }
        let mut diverging: Vec<usize> = (0..checked.len()).rev().filter(|&at| checked[at].repeats()).collect();
        let (mut agreeing, mut dying) = (Vec::new(), Vec::new());
        let mut is_same = false;
        for _ in 0..2 {
            if is_same || diverging.is_empty() || !self.subject.start_anew() && self.subject.lost().is_none() {
                break;
            }
            is_same = true;
            diverging.retain(|&at| {
                let Checked { vector, standing } = &mut checked[at];
                let Standing::Compared(asked) = standing else {
                    return false;
                };
                let again = match self.end().map_or_else(|| self.put_or_lose(vector), Err) {
                    Ok(again) => again,
                    Err(reason) => {
                        asked.unfinished = Some(reason);
                        return false;
                    }
                };
                let failure = match &again.verdict {
                    Verdict::Diverge(difference) => Some(Failure::of(&again, difference)),
                    Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
                };
                let dies = failure.as_ref().is_some_and(|failure| failure.kind.is_death());
                let again = ComparedAnswer::shortened(again, failure);
                is_same &= repeat::is_same(&again.result.observed, &asked.result.observed);
                match &again.failure {
                    None => agreeing.push((at, again.result.observed)),
                    Some(_) if dies => {
                        self.revive();
                        dying.push((at, again));
                    }
                    Some(_) => return true,
                }
                false
            });
            diverging.reverse();
        }
        agreeing.sort_by_key(|(at, _)| *at);
        for (at, again) in agreeing {
            let before = self.before(&checked[..at]);
            let Checked { vector, standing } = &mut checked[at];
            if let Standing::Compared(asked) = standing {
                let put = || Put::from(self.put(vector));
                let mut unrepeated = self.repeater.look_into(&asked.result, again, &before, &put);
                unrepeated.cut(most(&vector.input));
                if let Some(failure) = &mut asked.failure {
                    failure.unrepeated = Some(Box::new(unrepeated));
                }
            }
        }
        // A death is worse than what was found before.
        for (at, death) in dying {
            checked[at].standing = Standing::Compared(Box::new(death));
        }
    }

    /// The last inputs that the process was given for these vectors, oldest first.
    fn before(&self, checked: &[Checked<'_>]) -> Vec<Input> {
        let declaration = self.subject.declaration();
        let of_process = checked.iter().rev().take_while(|one| !one.is_death());
        let given = of_process.filter_map(|one| match one.standing {
            Standing::Compared(_) | Standing::Survived(_) => run::put(declaration, &one.vector.input).ok(),
            Standing::NotSelected | Standing::NotRun(_) | Standing::Lost(_) => None,
        });
        let mut before: Vec<Input> = given.take(EARLIER).map(Cow::into_owned).collect();
        before.reverse();
        before
    }

    fn put(&self, vector: &Vector) -> run::Result {
        self.put_observed(vector, None)
    }

    /// As [`put`](Checking::put), where it may be known already what the subject did.
    fn put_observed(&self, vector: &Vector, observed: Option<Outcome>) -> run::Result {
        // A vector that stands for a group has no expectation of its own: what the suite expects can be a property. Nor has one that
        // is rewritten.
        match suite::is_of_suite(&vector.id) || self.rewritten.contains(&vector.id) {
            true => run::one_observed(self.subject, &vector.input, self.plan.reading, observed),
            false => run::vector_observed(self.subject, vector, self.plan.reading, observed),
        }
    }

    /// Puts what was answered before to a subject that died: restarts are counted in a row without an answer, and a row of vectors that
    /// are alike may kill it each. A subject that dies at this too is soon given up.
    fn revive(&self) {
        if let (Some(vector), None) = (&self.answered, self.subject.lost()) {
            self.put(vector);
        }
    }
}

/// How many bytes of a text are kept of the answer to an input. What a conforming answer holds is a few times as long as its input at
/// most, and lies in the first half.
fn most(input: &Input) -> usize {
    1024 + 8 * input.size()
}

impl ComparedAnswer {
    fn shortened(mut result: run::Result, failure: Option<Failure>) -> ComparedAnswer {
        let most = most(&result.input);
        shorten(&mut result, most);
        ComparedAnswer {
            result,
            failure,
            unfinished: None,
            fit: Fit::NotCompared,
            responsible: Vec::new(),
        }
    }
}

impl Checked<'_> {
    fn failure(&self) -> Option<&Failure> {
        match &self.standing {
            Standing::Compared(asked) => asked.failure.as_ref(),
            Standing::NotSelected | Standing::NotRun(_) | Standing::Survived(_) | Standing::Lost(_) => None,
        }
    }

    fn is_death(&self) -> bool {
        self.failure().is_some_and(|failure| failure.kind.is_death())
    }

    /// Whether the subject diverges, survives, and diverged when the vector was put again at once.
    fn repeats(&self) -> bool {
        self.failure().is_some_and(|failure| failure.unrepeated.is_none()) && !self.is_death()
    }
}

fn shorten(result: &mut run::Result, most: usize) {
    result.observed.cut(most);
    match &mut result.verdict {
        Verdict::NotComparable { reason } => {
            let mut unsupported = Outcome::unsupported(std::mem::take(reason));
            unsupported.cut(most);
            if let Outcome::Unsupported { reason: shortened } = unsupported {
                *reason = shortened;
            }
        }
        Verdict::Agree { .. } | Verdict::Diverge(_) => {}
    }
    // Of what is not idempotent the first answer is what is expected.
    if let Expected::Outcomes(outcomes) = &mut result.expected {
        outcomes.iter_mut().for_each(|one| one.outcome.cut(most));
    }
}

/// Why a plan leaves a vector out, if it does.
fn left_out(plan: &Plan, vector: &Vector) -> Option<Standing> {
    let by_id = (plan.only.is_empty() || plan.only.iter().any(|glob| glob.matches(&vector.id)))
        && plan.ids.as_ref().is_none_or(|ids| ids.contains(&vector.id));
    let by_clause = plan.clauses.is_empty() || plan.clauses.iter().any(|id| vector.clauses.contains(id));
    if !(by_id && by_clause) {
        return Some(Standing::NotSelected);
    }
    if !plan.levels.is_empty() && !plan.levels.contains(&vector.level) {
        return Some(Standing::NotRun(format!("of level {}", vector.level)));
    }
    None
}
