//! SARIF 2.1.0, for code scanning.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Sheet, in_a_line, link};
use crate::gate::{Failure, Status, Verdict};
use crate::model::{Level, Vector};

/// The rule of what is wrong with a baseline.
const BASELINE: &str = "baseline";

/// One run a subject. A rule is a clause; what the baseline knows is suppressed, with its reason.
pub fn sarif(sheet: &Sheet<'_, '_>) -> String {
    let runs: Vec<Value> = sheet
        .subjects
        .iter()
        .map(|one| {
            let judgement = one.judgement;
            let mut results = Vec::new();
            let mut cited: BTreeSet<&str> = BTreeSet::new();
            for case in &judgement.cases {
                let (failure, suppression) = match &case.status {
                    Status::Fails(failure) => (failure, None),
                    Status::Known(failure, entry) => {
                        let justification = format!("{}: {}", entry.kind, entry.reason);
                        (
                            failure,
                            Some(json!({"kind": "external", "justification": justification})),
                        )
                    }
                    Status::Agrees
                    | Status::NotCompared(_)
                    | Status::NotAsked(_)
                    | Status::NotSelected
                    | Status::Lost(_) => continue,
                };
                cited.extend(case.vector.clauses.first().map(String::as_str));
                results.push(result(sheet, case.vector, failure, suppression));
            }
            for problem in &judgement.problems {
                results.push(json!({
                    "ruleId": BASELINE,
                    "level": "error",
                    "message": {"text": problem.message},
                    "locations": [{"physicalLocation": {
                        "artifactLocation": {"uri": problem.file.replace('\\', "/")},
                        "region": {"startLine": problem.line},
                    }}],
                }));
            }
            let mut rules: Vec<Value> = cited
                .iter()
                .map(|id| {
                    let quote = sheet.library.clause(id).map_or(*id, |clause| &clause.quote);
                    json!({"id": id, "shortDescription": {"text": quote}, "helpUri": link(id)})
                })
                .collect();
            if !judgement.problems.is_empty() {
                rules.push(json!({"id": BASELINE, "shortDescription": {"text": "the baseline is to be changed"}}));
            }
            let notifications: Vec<Value> = judgement
                .lost
                .iter()
                .map(|reason| json!({"level": "error", "message": {"text": reason}}))
                .chain(
                    (judgement.verdict() == Verdict::Nothing)
                        .then(|| json!({"level": "error", "message": {"text": "nothing was compared"}})),
                )
                .collect();
            json!({
                "tool": {"driver": {
                    "name": "uriproof",
                    "version": env!("CARGO_PKG_VERSION"),
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": rules,
                }},
                "automationDetails": {"id": format!("uriproof/{}/", judgement.subject.replace(' ', "-"))},
                "invocations": [{
                    "executionSuccessful": judgement.lost.is_none(),
                    "toolExecutionNotifications": notifications,
                }],
                "results": results,
            })
        })
        .collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    format!("{sarif:#}\n")
}

fn result(sheet: &Sheet<'_, '_>, vector: &Vector, failure: &Failure, suppression: Option<Value>) -> Value {
    let level = match vector.level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "note",
    };
    let mut result = json!({
        "ruleId": vector.clauses.first(),
        "level": level,
        "message": {"text": format!("{}\n{}", in_a_line(vector, failure), sheet.clause(vector))},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": vector.id, "kind": "member"}]}],
        "partialFingerprints": {"vector/v1": vector.id},
    });
    if let Some(suppression) = suppression {
        result["suppressions"] = json!([suppression]);
    }
    result
}
