//! What was learned, as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use uriproof::model::Json;
use uriproof::repeat::Unrepeated;

use super::Learning;
use crate::cli::RunError;

#[derive(Serialize)]
struct LearningRow {
    subject: String,
    rule: String,
    language: String,
    equal: bool,
    stopped: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrepeated: Option<Unrepeated>,
    not_compared: BTreeMap<String, u64>,
    assumptions: Vec<String>,
    limits: Vec<LimitRow>,
    groups: Vec<DifferenceGroupRow>,
    differences: Vec<DifferenceRow>,
    machine: MachineRow,
    rounds: usize,
    questions: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct LimitRow {
    limit: String,
    measure: String,
    at: u64,
    inside: String,
    beyond: String,
}

#[derive(Serialize)]
struct DifferenceGroupRow {
    kind: String,
    characters: String,
    witness: String,
    /// Places in `differences`.
    differences: Vec<usize>,
}

#[derive(Serialize)]
struct DifferenceRow {
    kind: String,
    target_state: u32,
    learned_state: u32,
    expected: u32,
    observed: u32,
    witness: String,
}

#[derive(Serialize)]
struct MachineRow {
    states: usize,
    /// The columns of `table`, each as the characters that it stands for.
    symbols: Vec<String>,
    outputs: Vec<u32>,
    table: Vec<Vec<u32>>,
}

/// The lessons as one line of JSON.
pub(super) fn json(lessons: &[Learning]) -> Result<String, RunError> {
    let rows: Vec<LearningRow> = lessons.iter().map(row).collect();
    let text = serde_json::to_string(&rows).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    Ok(format!("{}\n", Json(&text)))
}

fn row(lesson: &Learning) -> LearningRow {
    let learned = &lesson.learned;
    let limits = learned.limits.iter().map(|limit| LimitRow {
        limit: limit.to_string(),
        measure: limit.measure.to_string(),
        at: limit.at,
        inside: limit.witness_in.clone(),
        beyond: limit.witness_out.clone(),
    });
    let groups = learned.groups().into_iter().map(|group| DifferenceGroupRow {
        kind: group.kind.to_string(),
        characters: group.characters.into_iter().collect(),
        witness: learned.differences[group.differences[0]].witness.clone(),
        differences: group.differences,
    });
    let differences = learned.differences.iter().map(|difference| DifferenceRow {
        kind: difference.kind().to_string(),
        target_state: difference.target,
        learned_state: difference.learned,
        expected: difference.expected,
        observed: difference.observed,
        witness: difference.witness.clone(),
    });
    let symbols = learned.symbols().into_iter();
    LearningRow {
        subject: lesson.lesson.subject.clone(),
        rule: lesson.lesson.rule.clone(),
        language: lesson.lesson.language.clone(),
        equal: lesson.lesson.is_equal(),
        stopped: learned.stopped.as_ref().map(ToString::to_string),
        unrepeated: lesson.unrepeated.clone(),
        not_compared: lesson.lesson.not_compared.clone(),
        assumptions: lesson.lesson.assumptions.clone(),
        limits: limits.collect(),
        groups: groups.collect(),
        differences: differences.collect(),
        machine: MachineRow {
            states: learned.states(),
            symbols: symbols.map(|symbol| symbol.stands_for.into_iter().collect()).collect(),
            outputs: learned.outputs(),
            table: learned.table(),
        },
        rounds: learned.rounds,
        questions: learned.questions.iter().map(|(purpose, &count)| (purpose.to_string(), count)).collect(),
    }
}
