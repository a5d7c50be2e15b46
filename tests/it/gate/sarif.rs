//! What code scanning takes of SARIF, as GitHub documents it.

use std::collections::BTreeSet;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use uriproof::severity::Severity;

use super::{REFUSES, VectorFolder, adapter, entry};

/// The limits of a file that is uploaded: documentation of GitHub, `SARIF support for code scanning`.
const RUNS: usize = 20;
const RESULTS: usize = 25_000;
const RULES: usize = 25_000;
const TAGS: usize = 20;
const LOCATIONS: usize = 1_000;
const COMPRESSED: usize = 10 << 20;

fn array<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).unwrap_or_else(|| panic!("no {pointer}"))
}

/// The values of strings at a pointer, each of which has to be another one.
fn distinct<'v>(values: &'v [Value], pointer: &str) -> BTreeSet<&'v str> {
    let all: BTreeSet<&str> = values.iter().map(|one| one.pointer(pointer).unwrap().as_str().unwrap()).collect();
    assert_eq!(all.len(), values.len(), "{pointer} is the same twice");
    all
}

fn expect_within_limits(run: &Value) {
    let (results, rules) = (array(run, "/results"), array(run, "/tool/driver/rules"));
    assert!(results.len() <= RESULTS && rules.len() <= RULES);
    let ids = distinct(rules, "/id");
    for rule in rules {
        let tags = rule.pointer("/properties/tags").map_or(0, |tags| tags.as_array().unwrap().len());
        assert!(tags <= TAGS, "{rule}");
    }
    rules.iter().for_each(expect_score);
    distinct(results, "/partialFingerprints/primaryLocationLineHash");
    for result in results {
        assert!(ids.contains(result["ruleId"].as_str().unwrap()), "{result}");
        let rule = rules.iter().find(|rule| rule["id"] == result["ruleId"]).unwrap();
        expect_title(rule, result);
        let places = array(result, "/locations");
        assert!((1..=LOCATIONS).contains(&places.len()));
        let place = &places[0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "uriproof.toml");
        assert_eq!(place["region"]["startLine"], 1);
    }
}

/// The score of a rule is that of its severity, as code scanning sorts them: the more urgent is never the lower.
fn expect_score(rule: &Value) {
    let severity: Severity = serde_json::from_value(rule["properties"]["severity"].clone()).unwrap();
    let score = rule["properties"]["security-severity"].as_str().map(|score| score.parse::<f64>().unwrap());
    let range = match severity {
        Severity::Credentials => Some(9.1..=10.0),
        Severity::Host | Severity::Crash | Severity::Hang | Severity::Quadratic | Severity::SchemeOrPort => {
            Some(7.0..=8.9)
        }
        Severity::Userinfo | Severity::Path | Severity::Target | Severity::Component | Severity::BrokenContract => {
            Some(4.0..=6.9)
        }
        Severity::AcceptedInvalid => Some(0.1..=3.9),
        Severity::RejectedValid | Severity::FalseNegative | Severity::Normalization => None,
    };
    match (score, range) {
        (Some(score), Some(range)) => assert!(range.contains(&score), "{rule}"),
        (score, range) => assert!(score.is_none() && range.is_none(), "{rule}"),
    }
}

/// A result is no worse than its rule, and its message begins with the title; the description says in a sentence what is wrong.
fn expect_title(rule: &Value, result: &Value) {
    let severity = |of: &Value| serde_json::from_value::<Severity>(of["properties"]["severity"].clone()).unwrap();
    assert!(
        severity(rule).urgency() <= severity(result).urgency(),
        "{rule} {result}"
    );
    let title = rule["shortDescription"]["text"].as_str().unwrap();
    let message = result["message"]["text"].as_str().unwrap();
    assert!(
        message.starts_with(&format!("{title}. ")),
        "{title} does not begin {message}"
    );
    let description = rule["fullDescription"]["text"].as_str().unwrap();
    assert!(
        description.contains(&format!(" {title}. This is not what ")),
        "{description}"
    );
}

#[test]
fn a_file_about_all_entry_points_is_within_the_limits() {
    let folder = VectorFolder::new();
    let done = folder.run(&["check", "--subject", "*", "--suite", "none", "--format", "sarif"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(done.stdout.as_bytes()).unwrap();
    assert!(compressed.finish().unwrap().len() <= COMPRESSED);
    let sarif: Value = serde_json::from_str(&done.stdout).unwrap();
    let runs = array(&sarif, "/runs");
    // More entry points than a file has runs.
    assert!((RUNS / 2..=RUNS).contains(&runs.len()), "{}", runs.len());
    runs.iter().for_each(expect_within_limits);
    distinct(runs, "/automationDetails/id");
    let labels: BTreeSet<&str> = runs
        .iter()
        .flat_map(|run| array(run, "/results"))
        .map(|result| result["message"]["text"].as_str().unwrap().split(": ").next().unwrap())
        // The label is after the title.
        .map(|head| head.rsplit_once(". ").map_or(head, |(_, label)| label))
        .collect();
    assert!(labels.len() > RUNS, "{labels:?}");
    assert!(labels.contains("iri-string 0.7.14 UriStr::new"), "{labels:?}");
}

/// The place of the first result of a check, by an adapter of this name.
fn place(folder: &VectorFolder, file: &str, arguments: &[&str]) -> Value {
    folder.put(file, &adapter(REFUSES));
    let done = folder.run(&[&["check", "--vectors", "vectors", "--format", "sarif"], arguments].concat());
    assert_eq!(done.status, 1, "{}", done.stderr);
    let sarif: Value = serde_json::from_str(&done.stdout).unwrap();
    sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"].clone()
}

/// A place is a file of the repository: one that does not exist has no page there.
#[test]
fn a_result_is_at_a_file_of_the_repository() {
    let folder = VectorFolder::new();
    let first = |file: &str| json!({"artifactLocation": {"uri": file}, "region": {"startLine": 1}});
    let absolute = folder.path().canonicalize().unwrap().join("my adapter.sh");
    let in_shell = format!("sh '{}'", absolute.display());
    assert_eq!(
        place(&folder, "my adapter.sh", &["--command", &in_shell]),
        first("my%20adapter.sh")
    );
    // A command that is no file of the repository.
    let elsewhere = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(elsewhere.path(), adapter(REFUSES)).unwrap();
    let elsewhere = format!("sh '{}'", elsewhere.path().display());
    assert_eq!(
        place(&folder, "my adapter.sh", &["--command", &elsewhere]),
        first("uriproof.toml")
    );
    folder.put("package.json", "{}");
    assert_eq!(
        place(&folder, "my adapter.sh", &["--command", &elsewhere]),
        first("package.json")
    );
    folder.put("Cargo.toml", "");
    assert_eq!(
        place(&folder, "my adapter.sh", &["--command", &elsewhere]),
        first("Cargo.toml")
    );
    folder.put("b.toml", &entry("\"one/a\" = 'rejected'"));
    let with_baseline = ["--command", &elsewhere, "--baseline", "b.toml"];
    assert_eq!(place(&folder, "my adapter.sh", &with_baseline), first("b.toml"));
}
