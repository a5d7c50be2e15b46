//! A subject asked what a plan selects.

use crate::gate::claim::{Claim, Claimed};
use crate::gate::glob::Glob;
use crate::model::{Level, Outcome, Reading, Subject, Vector};
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
    Asked(Box<run::Result>),
    /// It is not among those that are selected by id or clause.
    NotSelected,
    /// It is nothing to ask of who claims what the subject claims, or of another level; this is why.
    NotAsked(String),
    /// The subject answers no more, or the run was stopped; this is why.
    Lost(String),
}

/// Asks a subject every vector of a library that a plan selects, in the order of the files. Where `stopped` says why, no more is
/// asked.
pub fn check<'v>(
    subject: &dyn Subject,
    library: &'v Library,
    plan: &Plan,
    mut stopped: impl FnMut() -> Option<String>,
) -> Vec<Checked<'v>> {
    let claimed = Claimed::new(subject, plan.claim);
    library
        .vectors()
        .map(|vector| {
            let standing = plan.leaves_out(vector).unwrap_or_else(|| match stopped().or_else(|| subject.lost()) {
                Some(reason) => Standing::Lost(reason),
                None => ask(&claimed, vector, plan.reading),
            });
            Checked { vector, standing }
        })
        .collect()
}

fn ask(claimed: &Claimed<'_>, vector: &Vector, reading: Reading) -> Standing {
    let result = run::vector(claimed, vector, reading);
    match (&result.observed, claimed.lost()) {
        // It was lost on the way to this question.
        (Outcome::Unsupported { .. }, Some(reason)) => Standing::Lost(reason),
        _ => Standing::Asked(Box::new(claimed.judge(result))),
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
        self.claim?.excludes(&vector.input).map(Standing::NotAsked)
    }
}
