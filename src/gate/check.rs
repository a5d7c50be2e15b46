//! A subject asked what a plan selects.

use crate::compare::{self, Verdict, takes};
use crate::expect::Expected;
use crate::gate::claim::{Claim, Claimed};
use crate::gate::glob::Glob;
use crate::gate::judge::Failure;
use crate::model::{Input, Level, Outcome, Reading, Subject, Vector};
use crate::repeat::{self, Put, Unrepeated};
use crate::run;
use crate::search::vectors::Library;

/// What of the vectors is asked, and how it is taken.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What the library claims; what it declares itself, if nothing.
    pub claim: Option<Claim>,
    /// The levels that are asked; all, if none.
    pub levels: Vec<Level>,
    /// The reading that the vectors are taken in.
    pub reading: Reading,
    /// The vectors that are selected by id; all, if none.
    pub only: Vec<Glob>,
    /// The vectors that are selected by what they cite; all, if none.
    pub clauses: Vec<String>,
}

/// A vector, and what came of it.
#[derive(Clone, Debug)]
pub struct Checked<'v> {
    /// The vector.
    pub vector: &'v Vector,
    /// What came of it.
    pub standing: Standing,
}

/// What came of a vector.
#[derive(Clone, Debug)]
pub enum Standing {
    /// The subject was asked.
    Asked(Box<Asked>),
    /// It is not among those that are selected by id or clause.
    NotSelected,
    /// It is nothing to ask of who claims what the subject claims, or of another level; this is why.
    NotAsked(String),
    /// It is nothing to compare for a subject that claims what this one claims, and this is why. It was put to it all the same, and the
    /// subject survived it.
    Survived(String),
    /// The subject answers no more, or the run was stopped; this is why.
    Lost(String),
}

/// An answer that was compared. Long texts of it are shortened, so that memory does not grow with what a subject says.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The result.
    pub result: run::Result,
    /// How it does not conform, computed from the whole answer.
    pub failure: Option<Failure>,
}

/// For how many answers of a subject that do not repeat the calls are searched that show them; the others are named only.
const SEARCHED: usize = 3;

/// Puts every vector of a library to a subject that a plan selects, in the order of the files. `step` is called before each vector.
/// Where `stopped` gives a reason, the run ends.
///
/// A vector on which the subject diverges is put to it again: if it agrees then, its answers do not repeat.
pub fn check<'v>(
    subject: &dyn Subject,
    library: &'v Library,
    plan: &Plan,
    mut step: impl FnMut(),
    stopped: &dyn Fn() -> Option<String>,
) -> Vec<Checked<'v>> {
    let mut checking = Checking {
        subject: &Claimed::new(subject, plan.claim),
        plan,
        stopped,
        searched: 0,
        answered: None,
    };
    library
        .vectors()
        .map(|vector| {
            step();
            let standing = plan.leaves_out(vector).unwrap_or_else(|| match stopped().or_else(|| subject.lost()) {
                Some(reason) => Standing::Lost(reason),
                None => checking.ask(vector),
            });
            Checked { vector, standing }
        })
        .collect()
}

/// A subject on its way through the vectors.
struct Checking<'a, 'v> {
    subject: &'a Claimed<'a>,
    plan: &'a Plan,
    stopped: &'a dyn Fn() -> Option<String>,
    /// For how many answers the calls were searched that show them.
    searched: usize,
    /// The last vector that got an answer.
    answered: Option<&'v Vector>,
}

impl<'v> Checking<'_, 'v> {
    fn ask(&mut self, vector: &'v Vector) -> Standing {
        let excluded = self.plan.claim.and_then(|claim| claim.excludes(&vector.input));
        let declaration = self.subject.declaration();
        if let Some(reason) = &excluded
            && (!declaration.operations.contains(&vector.input.operation())
                || takes(declaration, &vector.input).is_err())
        {
            return Standing::NotAsked(reason.clone());
        }
        let mut result = self.put(vector);
        if let (Outcome::Unsupported { .. }, Some(reason)) = (&result.observed, self.subject.lost()) {
            // It was lost on the way to this question.
            return Standing::Lost(reason);
        }
        let failure = match (&result.verdict, excluded) {
            (Verdict::Diverge(difference), Some(reason)) if !is_death(difference.kind) => {
                return Standing::Survived(reason);
            }
            (Verdict::Agree { .. } | Verdict::NotComparable { .. }, Some(reason)) => return Standing::Survived(reason),
            (Verdict::Agree { .. } | Verdict::NotComparable { .. }, None) => None,
            (Verdict::Diverge(difference), excluded) => Some(Failure {
                unrepeated: self.unrepeated(vector, &result, difference.kind, excluded.is_some()),
                ..Failure::of(&result, difference)
            }),
        };
        match &failure {
            Some(failure) if is_death(failure.kind) => self.revive(),
            _ => self.answered = Some(vector),
        }
        shorten(&mut result, most(&vector.input));
        Standing::Asked(Box::new(Asked { result, failure }))
    }

    fn put(&self, vector: &Vector) -> run::Result {
        self.subject.judge(run::vector(self.subject, vector, self.plan.reading))
    }

    /// How the answer to a vector does not repeat, if so. A late answer was waited for twice already.
    fn unrepeated(
        &mut self,
        vector: &Vector,
        first: &run::Result,
        kind: compare::Kind,
        is_excluded: bool,
    ) -> Option<Box<Unrepeated>> {
        if kind == compare::Kind::TimedOut {
            return None;
        }
        // A normal form was normalized again after the answer.
        let before = repeat::before(self.subject, kind == compare::Kind::NotIdempotent);
        let put = || {
            let again = self.put(vector);
            let diverges = match &again.verdict {
                Verdict::Diverge(difference) => !is_excluded || is_death(difference.kind),
                Verdict::Agree { .. } | Verdict::NotComparable { .. } => false,
            };
            Put {
                outcome: again.observed,
                // What was put to a subject that is lost says nothing.
                diverges: diverges || self.subject.lost().is_some(),
            }
        };
        let is_enough = || self.searched >= SEARCHED || (self.stopped)().is_some();
        let mut unrepeated = repeat::examine(self.subject, &first.input, &first.observed, &before, &put, &is_enough)?;
        self.searched += 1;
        let most = most(&vector.input);
        unrepeated.first.cut(most);
        unrepeated.again.cut(most);
        if let Some(fresh) = &mut unrepeated.fresh {
            fresh.cut(most);
        }
        Some(Box::new(unrepeated))
    }

    /// Puts what was answered before to a subject that died: restarts are counted in a row without an answer, and a row of vectors that
    /// are alike may kill it each. A subject that dies at this too is soon given up.
    fn revive(&self) {
        if let (Some(vector), None) = (self.answered, self.subject.lost()) {
            self.put(vector);
        }
    }
}

fn is_death(kind: compare::Kind) -> bool {
    matches!(kind, compare::Kind::Crashed | compare::Kind::TimedOut)
}

/// How many bytes of a text are kept of the answer to an input. What a conforming answer holds is a few times as long as its input at
/// most, and lies in the first half.
fn most(input: &Input) -> usize {
    1024 + 8 * input.size()
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

impl Plan {
    /// Whether vectors are selected by id or by clause.
    pub fn is_selective(&self) -> bool {
        !self.only.is_empty() || !self.clauses.is_empty()
    }

    fn leaves_out(&self, vector: &Vector) -> Option<Standing> {
        let by_id = self.only.is_empty() || self.only.iter().any(|glob| glob.matches(&vector.id));
        let by_clause = self.clauses.is_empty() || self.clauses.iter().any(|id| vector.clauses.contains(id));
        if !(by_id && by_clause) {
            return Some(Standing::NotSelected);
        }
        if !self.levels.is_empty() && !self.levels.contains(&vector.level) {
            return Some(Standing::NotAsked(format!("of level {}", vector.level)));
        }
        None
    }
}
