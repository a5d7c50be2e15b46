//! SARIF 2.1.0, for code scanning.

use std::collections::{BTreeMap, BTreeSet};

use rfc3986_reference::characters::{is_unreserved, percent_encode};
use serde_json::{Value, json};
use uriproof::gate::{Conclusion, Failure, FailureGroup, Judgement, Status};
use uriproof::model::{Json, Level, OneLine, Problem, Vector};
use uriproof::severity::Severity;
use uriproof_grammar::Fnv;

use super::{Judged, Sheet, in_a_line, link, repeats};

/// The rule of what is wrong with a baseline.
const BASELINE: &str = "baseline";

/// How many runs code scanning takes in a file.
const RUNS: usize = 20;

/// How many results it takes in a run. It shows the worst 5,000 of them.
const RESULTS: usize = 25_000;

/// One run a subject; of more subjects than code scanning takes runs, as many share a run as need to. A rule is a group of failures, or the
/// clause of what the baseline knows, which is suppressed with its reason. A result has its severity among its properties, a rule the score
/// of its worst result, which code scanning reads of rules only.
pub fn sarif(sheet: &Sheet<'_, '_>) -> String {
    let in_a_run = sheet.subjects.len().div_ceil(RUNS).max(1);
    let runs: Vec<Value> = sheet.subjects.chunks(in_a_run).map(|subjects| run(sheet, subjects)).collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    format!("{}\n", Json(&format!("{sarif:#}")))
}

/// What a run is put together of.
#[derive(Default)]
struct RunParts {
    /// By id, each with the worst severity of its results.
    rules: Vec<(String, Severity, Value)>,
    results: Vec<(Severity, Value)>,
    /// About baselines.
    problems: Vec<Value>,
    notifications: Vec<String>,
}

impl RunParts {
    /// Adds a rule. What is wrong in several subjects is one rule, with the worst of their scores.
    fn add_rule(&mut self, id: String, worst: Severity, rule: Value) {
        match self.rules.iter_mut().find(|(known, ..)| *known == id) {
            Some((_, severity, _)) if severity.urgency() <= worst.urgency() => {}
            Some(known) => *known = (id, worst, rule),
            None => self.rules.push((id, worst, rule)),
        }
    }

    fn add(&mut self, sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>) {
        let mut ids = BTreeSet::new();
        for group in &one.groups {
            let id = unique(&mut ids, &group.id());
            self.add_rule(id.clone(), group.severity, rule_of_group(sheet, one, &id, group));
            let title = format!("{}. ", OneLine(&group.title));
            let results = group.failures.iter().map(|&(vector, failure)| {
                (
                    failure.severity,
                    result(sheet, one, (&id, &title), (vector, failure), None),
                )
            });
            self.results.extend(results);
        }
        let mut known: BTreeMap<&str, Severity> = BTreeMap::new();
        for case in &one.judgement.cases {
            if let Status::Known(failure, entry) = &case.status {
                let id = case.vector.clauses.first().map(String::as_str).unwrap_or_default();
                let worst = known.entry(id).or_insert(failure.severity);
                if failure.severity.urgency() < worst.urgency() {
                    *worst = failure.severity;
                }
                let justification = format!("{}: {}", entry.kind, OneLine(&entry.reason));
                let suppression = json!({"kind": "external", "justification": justification});
                let result = result(sheet, one, (id, ""), (&case.vector, failure), Some(suppression));
                self.results.push((failure.severity, result));
            }
        }
        for (id, worst) in known {
            let quote = sheet.library.clause(id).map_or(id, |clause| &clause.quote);
            self.add_rule(id.to_owned(), worst, rule(id, quote, (quote, quote), link(id), worst));
        }
        self.problems.extend(one.judgement.problems.iter().map(problem_result));
        self.notifications.extend(one.judgement.lost.iter().map(|reason| OneLine(reason).to_string()));
        if one.conclusion() == Conclusion::Nothing {
            self.notifications.push("nothing was compared".to_owned());
        }
    }

    /// Leaves out the least severe results, if there are more than so many.
    fn keep(&mut self, most: usize) {
        let most = most.saturating_sub(self.problems.len());
        if let Some(more) = self.results.len().checked_sub(most).filter(|more| *more > 0) {
            self.results.sort_by_key(|(severity, _)| severity.urgency());
            self.results.truncate(most);
            self.notifications.push(format!("{more} results are left out, the least severe ones"));
        }
    }
}

fn run(sheet: &Sheet<'_, '_>, subjects: &[Judged<'_, '_>]) -> Value {
    let mut parts = RunParts::default();
    subjects.iter().for_each(|one| parts.add(sheet, one));
    parts.keep(RESULTS);
    let mut rules: Vec<Value> = parts.rules.into_iter().map(|(_, _, rule)| rule).collect();
    if !parts.problems.is_empty() {
        let help = "A line of the baseline does not say what the library does. Change or delete it.";
        rules.push(json!({
            "id": BASELINE,
            "shortDescription": {"text": "the baseline is to be changed"},
            "fullDescription": {"text": help},
            "help": {"text": help},
        }));
    }
    let results = parts.results.into_iter().map(|(_, result)| result).chain(parts.problems);
    let notifications = parts.notifications.iter().map(|text| json!({"level": "error", "message": {"text": text}}));
    // Code scanning takes an upload with the same id for a newer one; the version is no part of it.
    let names: Vec<String> = subjects.iter().map(|one| unversioned(one.judgement).replace([' ', '/'], "-")).collect();
    json!({
        "tool": {"driver": {
            "name": "uriproof",
            "version": env!("CARGO_PKG_VERSION"),
            "informationUri": env!("CARGO_PKG_REPOSITORY"),
            "rules": rules,
        }},
        "automationDetails": {"id": format!("uriproof/{}/", names.join("+"))},
        "invocations": [{
            "executionSuccessful": subjects.iter().all(|one| one.judgement.lost.is_none()),
            "toolExecutionNotifications": notifications.collect::<Vec<_>>(),
        }],
        "results": results.collect::<Vec<_>>(),
    })
}

/// The name and the entry point of a subject, without the version.
fn unversioned(judgement: &Judgement<'_>) -> String {
    let behind = judgement.subject.strip_prefix(&*judgement.name).unwrap_or_default().trim_start();
    match behind.split_once(' ') {
        Some((_, entry_point)) => format!("{} {entry_point}", judgement.name),
        None => judgement.subject.clone(),
    }
}

/// An id that no rule before it has.
fn unique(ids: &mut BTreeSet<String>, id: &str) -> String {
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let free = std::iter::once(id.to_owned()).chain(numbered).find(|id| !ids.contains(id));
    let free = free.expect("there is always one more");
    ids.insert(free.clone());
    free
}

/// The rule of a group: its title, what is wrong in a sentence, an example, the words of its clause, and what to do about it.
fn rule_of_group(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>, id: &str, group: &FailureGroup<'_>) -> Value {
    let (vector, failure) = group.witness();
    let operations: Vec<&str> = group.operations().iter().map(|(operation, _)| operation.name()).collect();
    let description = format!(
        "{} {}. This is not what {} says, for {} ({}). Severity {}: {}.\n\nFor example, {}\n\n{}",
        OneLine(&one.judgement.subject),
        OneLine(&group.title),
        one.standard.name(),
        group.count,
        operations.join(", "),
        group.severity,
        group.severity.rule(),
        in_a_line(vector, failure),
        sheet.clause_of(group)
    );
    let help = format!("{description}\n\nRun it again: {}", one.again(vector));
    rule(
        id,
        &group.title,
        (&description, &help),
        link(&group.clause),
        group.severity,
    )
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
    rule["properties"] = match score(worst) {
        Some(score) => json!({"severity": worst, "tags": ["security"], "security-severity": score}),
        None => json!({"severity": worst}),
    };
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

/// A result of a rule, whose message begins with a title. Its place is the line of the baseline that says otherwise, else the first line of the file to which it belongs.
/// Code scanning takes results with one `primaryLocationLineHash` for the same, and would make it of that line, which they have in common.
fn result(
    sheet: &Sheet<'_, '_>,
    one: &Judged<'_, '_>,
    (rule, title): (&str, &str),
    (vector, failure): (&Vector, &Failure),
    suppression: Option<Value>,
) -> Value {
    let level = match vector.level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::May => "note",
    };
    let of_line = failure.known_as.as_ref().and_then(|(place, _)| {
        let (file, line) = place.rsplit_once(':')?;
        Some((file, line.parse::<usize>().ok()?))
    });
    let (file, line) = of_line.unwrap_or((&one.file, 1));
    let hash = Fnv::of(format!("{} {}", unversioned(one.judgement), vector.id).bytes());
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": format!(
            "{title}{}: {}{}\n{}{}\nRun it again: {}",
            OneLine(&one.judgement.subject),
            in_a_line(vector, failure),
            of_suite(failure),
            repeats(failure),
            sheet.clause(vector),
            one.again(vector)
        )},
        "locations": [{
            "physicalLocation": physical(file, line),
            "logicalLocations": [{"fullyQualifiedName": vector.id, "kind": "member"}],
        }],
        "partialFingerprints": {"primaryLocationLineHash": format!("{hash:016x}:1"), "vector/v1": vector.id},
        "properties": {"severity": failure.severity, "kind": failure.kind_name()},
    });
    if failure.suite_inputs > 0 {
        result["properties"]["suiteInputs"] = json!(failure.suite_inputs);
    }
    if let Some(suppression) = suppression {
        result["suppressions"] = json!([suppression]);
    }
    result
}

/// How many inputs of a suite fail so, beside the one that is shown; empty for a vector.
fn of_suite(failure: &Failure) -> String {
    let failing = Some(failure.failing_inputs()).filter(|inputs| *inputs > 0);
    match failing.unwrap_or(failure.suite_inputs) {
        0 => String::new(),
        1 => " (an input of a suite)".to_owned(),
        count => format!(" (the shortest of {count} suite inputs that fail alike)"),
    }
}

/// A line of a file; the address of a file below the current folder is relative.
fn physical(file: &str, line: usize) -> Value {
    let file = file.replace('\\', "/");
    let is_kept = |octet| octet == b'/' || is_unreserved(octet);
    json!({
        "artifactLocation": {"uri": percent_encode(file.as_bytes(), is_kept)},
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_severe_results_are_left_out() {
        let severities = [
            Severity::Path,
            Severity::RejectedValid,
            Severity::Host,
            Severity::RejectedValid,
        ];
        let of = |problems: usize| RunParts {
            results: severities.iter().map(|severity| (*severity, json!(severity.name()))).collect(),
            problems: vec![Value::Null; problems],
            ..RunParts::default()
        };
        let mut whole = of(0);
        whole.keep(4);
        assert_eq!((whole.results.len(), whole.results[0].0), (4, Severity::Path));
        assert!(whole.notifications.is_empty());
        let mut cut = of(1);
        cut.keep(3);
        let left: Vec<Severity> = cut.results.iter().map(|(severity, _)| *severity).collect();
        assert_eq!(left, [Severity::Host, Severity::Path]);
        assert_eq!(cut.notifications, ["2 results are left out, the least severe ones"]);
    }
}
