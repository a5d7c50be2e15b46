//! `results.json`: the results for programs. The same tree gives the same bytes.

use serde::Serialize;

use super::model::{Core, Counts, Run, Status};
use crate::model::{Operation, Outcome};
use crate::search::complete::Certificate;
use crate::search::score::Tally;

/// The results file.
#[derive(Serialize)]
pub struct Results<'r> {
    uriproof: u64,
    data_version: &'r str,
    reading: &'static str,
    subjects: Vec<SubjectResults<'r>>,
    vectors: Vec<VectorResult<'r>>,
}

#[derive(Serialize)]
struct SubjectResults<'r> {
    subject: String,
    specification: String,
    operations: Vec<Operation>,
    counts: Counts,
    classes: Vec<Class>,
    /// What came of the core suites, where they were asked.
    suites: Vec<SuiteResult<'r>>,
    /// What the core suites have proved of the subject.
    certificates: Vec<&'r Certificate>,
}

#[derive(Serialize)]
struct Class {
    id: String,
    count: usize,
    witness: String,
}

#[derive(Serialize)]
struct SuiteResult<'r> {
    suite: &'static str,
    rule: &'static str,
    language: &'r str,
    valid: Tally,
    invalid: Tally,
    clusters: usize,
    /// The shortest string on which the subject differs.
    witness: Option<&'r str>,
}

impl SuiteResult<'_> {
    fn of(core: &Core) -> SuiteResult<'_> {
        SuiteResult {
            suite: "core",
            rule: core.rule.name(),
            language: &core.language,
            valid: core.score.valid,
            invalid: core.score.invalid,
            clusters: core.score.clusters.len(),
            witness: core.score.shortest().map(|cluster| &*cluster.witness),
        }
    }
}

#[derive(Serialize)]
struct VectorResult<'r> {
    id: &'r str,
    subject: String,
    verdict: &'static str,
    outcome: &'r Outcome,
    class: Option<String>,
}

/// The results of a run, with the answers that do not agree; what is merely unsupported is counted only.
pub fn results<'r>(run: &'r Run<'_>) -> Results<'r> {
    Results {
        uriproof: 1,
        data_version: &run.data_version,
        reading: run.reading.id(),
        subjects: run
            .subjects
            .iter()
            .map(|subject| SubjectResults {
                subject: subject.declaration.label(),
                specification: subject.declaration.specification.to_string(),
                operations: subject.declaration.operations.to_vec(),
                counts: subject.counts(),
                classes: subject
                    .groups()
                    .into_iter()
                    .map(|group| Class {
                        count: group.answers.len(),
                        witness: group.answers[0].vector.id.clone(),
                        id: group.id,
                    })
                    .collect(),
                suites: subject.cores.iter().map(SuiteResult::of).collect(),
                certificates: subject.cores.iter().flat_map(|core| &core.certificates).collect(),
            })
            .collect(),
        vectors: run
            .subjects
            .iter()
            .flat_map(|subject| {
                let label = subject.declaration.label();
                subject
                    .answers
                    .iter()
                    .filter(|answer| !matches!(answer.status(), Status::Agree | Status::Unsupported))
                    .map(move |answer| VectorResult {
                        id: &answer.vector.id,
                        subject: label.clone(),
                        verdict: answer.result.verdict.name(),
                        outcome: &answer.result.observed,
                        class: answer.group_id(),
                    })
            })
            .collect(),
    }
}

/// The results as indented JSON with a final newline.
///
/// # Panics
///
/// Never: the results hold nothing that JSON cannot express.
pub fn to_json(run: &Run<'_>) -> String {
    let mut text = serde_json::to_string_pretty(&results(run)).expect("results are JSON");
    text.push('\n');
    text
}
