//! The subjects that the commands know: the built-in ones, and those that a program adds.

use std::env;
use std::sync::OnceLock;
use std::time::Duration;

use uriproof::model::Subject;
use uriproof::protocol::client::{Client, Limits};
use uriproof_subjects::SUBJECTS;

use crate::cli::{RunError, hang};

static ALL: OnceLock<Vec<&'static dyn Subject>> = OnceLock::new();

/// How much processor time an answer of a subject that is apart may take.
const TIME: Duration = Duration::from_secs(1);

/// How many strings of a suite are run on it.
const BUDGET: usize = 2000;

/// Adds subjects to the built-in ones, and sets those with some labels apart; with the label of `only` one, there is no
/// other. The first call counts.
pub(crate) fn fill(added: &[&'static dyn Subject], apart: &[String], only: Option<&str>) -> Result<(), RunError> {
    let is_there = |subject: &&dyn Subject| only.is_none_or(|only| subject.declaration().label() == only);
    let known = SUBJECTS.iter().chain(added).copied().filter(is_there);
    let all: Vec<&'static dyn Subject> = known
        .map(|subject| match apart.contains(&subject.declaration().label()) {
            true => self::apart(subject),
            false => Ok(subject),
        })
        .collect::<Result<_, RunError>>()?;
    ALL.get_or_init(|| all);
    Ok(())
}

/// Every subject, in the order in which they are shown.
pub(crate) fn subjects() -> &'static [&'static dyn Subject] {
    ALL.get_or_init(|| SUBJECTS.to_vec())
}

/// A subject in a process of its own: it may die, or not answer, and is started again.
pub(crate) fn apart(subject: &'static dyn Subject) -> Result<&'static dyn Subject, RunError> {
    let limits = Limits {
        time: TIME.min(hang::limit()),
        restarts: usize::MAX,
        ..Limits::default()
    };
    let program = env::current_exe().map_err(|error| format!("the path of this program cannot be had: {error}"))?;
    // It is a subject like the others as long as the program runs, and ends with it.
    Ok(Box::leak(Box::new(
        Client::builtin(&program, subject, limits)?.with_budget(BUDGET),
    )))
}
