//! The classes of the failures that a baseline knows.

use std::collections::BTreeSet;

use uriproof::algorithms::{self, AnswerDigest, GroupKey, Size};
use uriproof::compare::Verdict;
use uriproof::gate::{Baseline, Plan};
use uriproof::model::{Input, Operation, Reading, Subject};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_deviations::CATALOGUE;
use uriproof_lab::divergence::fingerprint::{Class, Fingerprint};

use crate::cli::command::SelectedSubjects;
use crate::cli::{RunError, interrupt};

/// The classes of the failures of vectors that the baseline of the command accepts, and of the inputs of suites whose answers it marks; of
/// these only in operations in which one of the `found` classes is another.
pub(super) fn known_classes(
    selected: &SelectedSubjects,
    baseline: Option<&Baseline>,
    found: &[&Class],
) -> Result<BTreeSet<Fingerprint>, RunError> {
    let mut known = BTreeSet::new();
    let (Some(baseline), [foreign]) = (baseline, &*selected.commands) else {
        return Ok(known);
    };
    let library = Library::embedded();
    for vector in library.vectors() {
        if interrupt::stopped().is_some() || !baseline.lines.iter().any(|line| line.vectors.matches(&vector.id)) {
            continue;
        }
        let result = run::one(&foreign.client, &vector.input, Reading::Rfc3986);
        selected.check_lost()?;
        if baseline.accepts(vector, &result) {
            known.extend(Class::of(result).map(|class| class.fingerprint));
        }
    }
    let declaration = foreign.client.declaration();
    let plan = Plan::default().with_deviations_of(baseline, declaration, Some(&CATALOGUE));
    let marks = plan.map_err(|error| error.to_string())?.marks;
    for operation in Operation::ALL {
        let prefix = format!("{}{operation}/", algorithms::PREFIX);
        let is_new = |class: &&&Class| !known.contains(&class.fingerprint);
        let is_of = |class: &&Class| class.witness.input.operation() == operation;
        if !found.iter().filter(is_new).any(is_of) || !marks.keys().any(|id| id.starts_with(&prefix)) {
            continue;
        }
        for input in inputs(operation, &library) {
            if interrupt::stopped().is_some() {
                break;
            }
            let Some(result) = run::unless_agreeing(&foreign.client, &input) else {
                continue;
            };
            selected.check_lost()?;
            let Verdict::Diverge(difference) = result.verdict else {
                continue;
            };
            let marks = marks.get(&GroupKey::of(&result, difference).to_string());
            if marks.and_then(|marks| marks.may_have(AnswerDigest::of(&result))) == Some(true) {
                known.extend(Class::of(result).map(|class| class.fingerprint));
            }
        }
    }
    Ok(known)
}

/// The inputs of the core suite of an operation.
fn inputs(operation: Operation, library: &Library) -> Vec<Input> {
    let mut inputs = algorithms::inputs(operation, Size::Core);
    if operation == Operation::Parse {
        inputs.extend(algorithms::lifted(library.vectors()));
    }
    inputs
}
