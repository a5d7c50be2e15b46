//! SARIF 2.1.0, for code scanning.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use uriproof::gate::{Conclusion, Failure, FailureGroup, Status};
use uriproof::model::{Json, Level, OneLine, Problem, Vector};
use uriproof::severity::Severity;

use super::{Judged, Sheet, in_a_line, link, repeats};

/// The rule of what is wrong with a baseline.
const BASELINE: &str = "baseline";

/// One run a subject. A rule is a group of failures, or the clause of what the baseline knows, which is suppressed with its reason. A
/// result has its severity among its properties, a rule the score of its worst result, which code scanning reads of rules only.
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
    let mut rules = Vec::new();
    let mut ids = BTreeSet::new();
    for group in &one.groups {
        let id = unique(&mut ids, &group.id());
        rules.push(rule_of_group(sheet, one, &id, group));
        results.extend(group.failures.iter().map(|(vector, failure)| result(sheet, one, &id, (vector, failure), None)));
    }
    let mut known: BTreeMap<&str, Severity> = BTreeMap::new();
    for case in &judgement.cases {
        if let Status::Known(failure, entry) = &case.status {
            let id = case.vector.clauses.first().map(String::as_str).unwrap_or_default();
            let worst = known.entry(id).or_insert(failure.severity);
            if failure.severity.urgency() < worst.urgency() {
                *worst = failure.severity;
            }
            let justification = format!("{}: {}", entry.kind, OneLine(&entry.reason));
            let suppression = json!({"kind": "external", "justification": justification});
            results.push(result(sheet, one, id, (&case.vector, failure), Some(suppression)));
        }
    }
    rules.extend(known.iter().map(|(id, worst)| {
        let quote = sheet.library.clause(id).map_or(*id, |clause| &clause.quote);
        rule(id, quote, (quote, quote), link(id), *worst)
    }));
    if !judgement.problems.is_empty() {
        let help = "A line of the baseline does not say what the library does. Change or delete it.";
        rules.push(json!({
            "id": BASELINE,
            "shortDescription": {"text": "the baseline is to be changed"},
            "fullDescription": {"text": help},
            "help": {"text": help},
        }));
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
            "rules": rules,
        }},
        "automationDetails": {"id": format!("uriproof/{}/", judgement.subject.replace(' ', "-"))},
        "invocations": [{
            "executionSuccessful": judgement.lost.is_none(),
            "toolExecutionNotifications": notifications,
        }],
        "results": results,
    })
}

/// An id that no rule before it has.
fn unique(ids: &mut BTreeSet<String>, id: &str) -> String {
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let free = std::iter::once(id.to_owned()).chain(numbered).find(|id| !ids.contains(id));
    let free = free.expect("there is always one more");
    ids.insert(free.clone());
    free
}

/// The rule of a group: its title, the words of its clause, and what to do about it.
fn rule_of_group(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>, id: &str, group: &FailureGroup<'_>) -> Value {
    let (vector, failure) = group.witness();
    let clause = vector.clauses.first().map(String::as_str).unwrap_or_default();
    let description = format!("{}\n\n{}", in_a_line(vector, failure), sheet.clause(vector));
    let help = format!(
        "{description}\n\nSeverity {}: {}.\n\nRun it again: {}",
        group.severity,
        group.severity.rule(),
        one.again(vector)
    );
    rule(id, &group.title, (&description, &help), link(clause), group.severity)
}

/// A rule with its title, its description and its help.
fn rule(id: &str, title: &str, (description, help): (&str, &str), uri: String, worst: Severity) -> Value {
    let mut rule = json!({
        "id": id,
        "shortDescription": {"text": OneLine(title).to_string()},
        "fullDescription": {"text": shortened(description)},
        "help": {"text": help},
        "helpUri": uri,
    });
    if let Some(score) = score(worst) {
        rule["properties"] = json!({"tags": ["security"], "security-severity": score});
    }
    rule
}

/// A description as long as code scanning takes it: 1,024 characters.
fn shortened(text: &str) -> String {
    text.chars().take(1024).collect()
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

/// A result of a rule. Its place is the line of the baseline that says otherwise, else the first line of the file to which it belongs.
fn result(
    sheet: &Sheet<'_, '_>,
    one: &Judged<'_, '_>,
    rule: &str,
    (vector, failure): (&Vector, &Failure),
    suppression: Option<Value>,
) -> Value {
    let level = match vector.level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "note",
    };
    let mut location = json!({"logicalLocations": [{"fullyQualifiedName": vector.id, "kind": "member"}]});
    let of_line = failure.known_as.as_ref().and_then(|(place, _)| {
        let (file, line) = place.rsplit_once(':')?;
        Some((file, line.parse::<usize>().ok()?))
    });
    if let Some((file, line)) = of_line.or(one.file.as_deref().map(|file| (file, 1))) {
        location["physicalLocation"] = physical(file, line);
    }
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": format!("{}\n{}{}", in_a_line(vector, failure), repeats(failure), sheet.clause(vector))},
        "locations": [location],
        "partialFingerprints": {"vector/v1": vector.id},
        "properties": {"severity": failure.severity, "kind": failure.kind_name()},
    });
    if let Some(suppression) = suppression {
        result["suppressions"] = json!([suppression]);
    }
    result
}

fn physical(file: &str, line: usize) -> Value {
    json!({
        "artifactLocation": {"uri": file.replace('\\', "/")},
        "region": {"startLine": line},
    })
}

fn problem_result(problem: &Problem) -> Value {
    json!({
        "ruleId": BASELINE,
        "level": "error",
        "message": {"text": OneLine(&problem.message).to_string()},
        "locations": [{"physicalLocation": physical(&problem.file, problem.line)}],
    })
}
