//! SARIF 2.1.0, for code scanning.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use uriproof::gate::{Conclusion, Failure, Status};
use uriproof::model::{Json, Level, OneLine, Problem, Vector};
use uriproof::severity::Severity;

use super::{Judged, Sheet, in_a_line, link, repeats};

/// The rule of what is wrong with a baseline.
const BASELINE: &str = "baseline";

/// One run a subject. A rule is a clause; what the baseline knows is suppressed, with its reason. A result has its severity among its
/// properties, a rule the score of its worst result, which code scanning reads of rules only.
pub fn sarif(sheet: &Sheet<'_, '_>) -> String {
    let runs: Vec<Value> = sheet.subjects.iter().map(|one| run(sheet, one)).collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    format!("{}\n", Json(&format!("{sarif:#}")))
}

fn run(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>) -> Value {
    let judgement = one.judgement;
    let mut results = Vec::new();
    let mut cited: BTreeMap<&str, Severity> = BTreeMap::new();
    for case in &judgement.cases {
        let (failure, suppression) = match &case.status {
            Status::Fails(failure) => (failure, None),
            Status::Known(failure, entry) => {
                let justification = format!("{}: {}", entry.kind, OneLine(&entry.reason));
                (
                    failure,
                    Some(json!({"kind": "external", "justification": justification})),
                )
            }
            Status::Agrees
            | Status::NotCompared(_)
            | Status::NotRun(_)
            | Status::Survived(_)
            | Status::NotSelected
            | Status::Lost(_) => continue,
        };
        if let Some(clause) = case.vector.clauses.first() {
            let worst = cited.entry(clause).or_insert(failure.severity);
            if failure.severity.urgency() < worst.urgency() {
                *worst = failure.severity;
            }
        }
        results.push(result(sheet, &case.vector, failure, suppression));
    }
    results.extend(judgement.problems.iter().map(problem_result));
    let lost = judgement.lost.iter().map(|reason| OneLine(reason).to_string());
    let nothing = (one.conclusion() == Conclusion::Nothing).then(|| "nothing was compared".to_owned());
    let notifications: Vec<Value> =
        lost.chain(nothing).map(|text| json!({"level": "error", "message": {"text": text}})).collect();
    json!({
        "tool": {"driver": {
            "name": "uriproof",
            "version": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": rules(sheet, one, &cited),
        }},
        "automationDetails": {"id": format!("uriproof/{}/", judgement.subject.replace(' ', "-"))},
        "invocations": [{
            "executionSuccessful": judgement.lost.is_none(),
            "toolExecutionNotifications": notifications,
        }],
        "results": results,
    })
}

/// The clauses that are cited, each with the severity of its worst result, and the rules that are no clauses.
fn rules(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>, cited: &BTreeMap<&str, Severity>) -> Vec<Value> {
    let clauses = cited.iter().map(|(id, worst)| {
        let quote = sheet.library.clause(id).map_or(*id, |clause| &clause.quote);
        let mut rule = json!({"id": id, "shortDescription": {"text": quote}, "helpUri": link(id)});
        if let Some(score) = score(*worst) {
            rule["properties"] = json!({"tags": ["security"], "security-severity": score});
        }
        rule
    });
    let mut rules: Vec<Value> = clauses.collect();
    if !one.judgement.problems.is_empty() {
        rules.push(json!({"id": BASELINE, "shortDescription": {"text": "the baseline is to be changed"}}));
    }
    rules
}

/// The score that code scanning sorts by: above 9.0 is critical there, from 7.0 on high, from 4.0 on medium, the rest low. `None` for a
/// severity that does not concern security.
fn score(severity: Severity) -> Option<&'static str> {
    match severity {
        Severity::Credentials => Some("9.5"),
        Severity::Host => Some("8.5"),
        Severity::Crash | Severity::Hang | Severity::Quadratic => Some("7.5"),
        Severity::SchemeOrPort => Some("7.0"),
        Severity::Userinfo | Severity::Path => Some("6.0"),
        Severity::Target | Severity::Component | Severity::BrokenContract => Some("4.0"),
        Severity::AcceptedInvalid => Some("3.0"),
        Severity::RejectedValid | Severity::FalseNegative | Severity::Normalization => None,
    }
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
        "message": {"text": format!("{}\n{}{}", in_a_line(vector, failure), repeats(failure), sheet.clause(vector))},
        "locations": [{"logicalLocations": [{"fullyQualifiedName": vector.id, "kind": "member"}]}],
        "partialFingerprints": {"vector/v1": vector.id},
        "properties": {"severity": failure.severity, "kind": failure.kind_name()},
    });
    if let Some(suppression) = suppression {
        result["suppressions"] = json!([suppression]);
    }
    result
}

fn problem_result(problem: &Problem) -> Value {
    json!({
        "ruleId": BASELINE,
        "level": "error",
        "message": {"text": OneLine(&problem.message).to_string()},
        "locations": [{"physicalLocation": {
            "artifactLocation": {"uri": problem.file.replace('\\', "/")},
            "region": {"startLine": problem.line},
        }}],
    })
}
