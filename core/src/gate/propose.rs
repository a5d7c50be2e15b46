//! The deviations that are proposed for a new baseline: one says in a line what else would be hundreds.

use std::path::Path;

use serde_json::Value as Json;

use crate::compare::Verdict;
use crate::gate::baseline::{Baseline, ReasonKind};
use crate::gate::deviations::{DeviationCatalogue, NO_VALIDATION, ProposedDeviation};
use crate::gate::judgement::{Judgement, Status};
use crate::gate::write::{comment, field, head, quoted};
use crate::model::{Declaration, Operation, Outcome};
use crate::run::{self, without_validation};

impl Baseline {
    /// A baseline with entries for the deviations that predict what fails and is not known by `before`: each waits for a reason. `None` if
    /// there are none.
    ///
    /// # Errors
    ///
    /// The text of `before` is laid out in a way that nothing can be added to.
    pub fn with_proposals(
        judgement: &Judgement<'_>,
        declaration: &Declaration,
        before: Option<&Baseline>,
        catalogue: Option<&dyn DeviationCatalogue>,
    ) -> Result<Option<Baseline>, String> {
        let is_open = |status: &Status| matches!(status, Status::Fails(failure) if failure.unrepeated.is_none());
        let cases = judgement.cases.iter().filter(|case| is_open(&case.status) || case.status == Status::Agrees);
        let results: Vec<&run::Result> = cases.filter_map(|case| case.result.as_ref()).collect();
        let proposals = proposals(declaration, &results, catalogue);
        if proposals.is_empty() {
            return Ok(None);
        }
        let compared = judgement.tally().compared();
        let mut text = before.map_or_else(|| head(&judgement.name, compared), |before| before.text.clone());
        proposals.iter().for_each(|proposal| add_entry(&mut text, proposal));
        let file = before.map_or("", |before| &before.file);
        Baseline::read(Path::new(file), &text).map(Some).map_err(|error| error.to_string())
    }
}

/// The deviations that predict what diverges of these results, the first of all that the library does not validate.
pub fn proposals(
    declaration: &Declaration,
    results: &[&run::Result],
    catalogue: Option<&dyn DeviationCatalogue>,
) -> Vec<ProposedDeviation> {
    let unvalidated = no_validation(declaration, results);
    let rest: Vec<&run::Result> = match &unvalidated {
        Some(_) => results.iter().copied().filter(|result| without_validation(result).is_none()).collect(),
        None => results.to_vec(),
    };
    let others = catalogue.map(|catalogue| catalogue.propose(declaration, &rest)).unwrap_or_default();
    unvalidated.into_iter().chain(others).collect()
}

/// That the library does not validate, if it accepts a fifth of what is invalid. What it refuses is right either way.
fn no_validation(declaration: &Declaration, results: &[&run::Result]) -> Option<ProposedDeviation> {
    /// From how many answers on.
    const MANY: usize = 50;
    let accepted: Vec<&run::Result> =
        results.iter().copied().filter(|result| without_validation(result).is_some()).collect();
    let is_parsed = |result: &&&run::Result| result.input.operation() == Operation::Parse;
    let refused = results.iter().filter(is_parsed).filter(|result| {
        let is_refused = matches!(result.observed, Outcome::Rejected { .. });
        is_refused && matches!(result.verdict, Verdict::Agree { .. })
    });
    let parsed = accepted.iter().filter(is_parsed).count();
    let witness = accepted.iter().min_by_key(|result| (result.input.size(), result.input.to_string()))?;
    let is_common = parsed >= MANY && refused.count() < 4 * parsed;
    (declaration.validates && is_common).then(|| ProposedDeviation {
        deviation: Json::from(NO_VALIDATION),
        sentence: "splits, and does not validate".to_owned(),
        answers: accepted.len(),
        witness: witness.input.clone(),
    })
}

/// The entries of a baseline that name these deviations, each waiting for a reason.
pub fn draft(proposals: &[ProposedDeviation]) -> String {
    let mut text = String::new();
    proposals.iter().for_each(|proposal| add_entry(&mut text, proposal));
    text
}

/// An entry that waits for a reason.
fn add_entry(text: &mut String, proposal: &ProposedDeviation) {
    let about = format!(
        "{}: {} answers, for example to {}",
        proposal.sentence, proposal.answers, proposal.witness
    );
    *text += "\n[[entry]] ";
    let written = [
        comment(text, &about),
        field(text, "kind", &quoted(ReasonKind::Unexplained.name())),
        field(text, "reason", &quoted("")),
        field(text, "deviations", &format!("[{}]", toml(&proposal.deviation))),
    ];
    written.into_iter().collect::<std::fmt::Result>().expect("writes to a string");
}

/// A value of JSON as TOML has it, on one line; null cannot be.
fn toml(value: &Json) -> String {
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
        Json::String(text) => quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => {
            let (id, others): (Vec<_>, Vec<_>) = fields.iter().partition(|(name, _)| *name == "id");
            let fields = id.into_iter().chain(others).map(|(name, value)| format!("{name} = {}", toml(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}
