//! `uriproof check` judges built-in subjects.

use std::fs;

use serde_json::{Value, json};
use uriproof::vectors::Library;

use super::uriproof;

#[test]
fn check_passes_the_reference_and_fails_what_diverges() {
    let done = uriproof(&["check", "--subject", "reference"]);
    assert_eq!(done.status, 0);
    assert!(done.stdout.contains("pass  reference"), "{}", done.stdout);

    let done = uriproof(&["check", "--subject", "rhymuri", "--only", "syntax/ipv6/*"]);
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("FAIL  rhymuri"), "{}", done.stdout);
    assert!(done.stdout.contains("§3.2.2/"), "{}", done.stdout);
}

#[test]
fn check_does_not_pass_a_subject_that_compared_nothing() {
    let done = uriproof(&["check", "--subject", "http", "--only", "rfc/5.4.*"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
    assert!(done.stdout.contains("none  http"), "{}", done.stdout);
}

#[test]
fn check_as_json_has_the_shape_of_results() {
    let done = uriproof(&[
        "check",
        "--format",
        "json",
        "--subject",
        "urlparse",
        "--only",
        "syntax/*",
    ]);
    assert_eq!(done.status, 1);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["uriproof"], 2);
    let subject = &results["subjects"][0];
    assert_eq!(subject["specification"], "Python urllib.parse");
    let count = |name: &str| subject["counts"][name].as_u64().unwrap();
    let vectors = uriproof(&["vectors", "list", "--format", "json", "--only", "syntax/*"]);
    let vectors: Vec<Value> = serde_json::from_str(&vectors.stdout).unwrap();
    let total: u64 = [
        "agree",
        "diverge",
        "not_comparable",
        "unsupported",
        "crashed",
        "timed_out",
    ]
    .into_iter()
    .map(count)
    .sum();
    assert_eq!(total, vectors.len() as u64, "every vector counts once");
    let listed = results["vectors"].as_array().unwrap();
    let diverging = listed.iter().filter(|vector| vector["verdict"] == "diverge");
    assert_eq!(diverging.count() as u64, count("diverge") + count("crashed"));
    assert!(listed.iter().all(|vector| (vector["verdict"] == "diverge") == vector["class"].is_string()));
    assert!(listed.iter().all(|vector| (vector["verdict"] == "diverge") == vector["severity"].is_string()));
    let classes = subject["classes"].as_array().unwrap();
    for class in classes {
        // Other entries are named where there are some.
        let mut fields: Vec<&String> =
            class.as_object().unwrap().keys().filter(|key| *key != "other_entries").collect();
        fields.sort();
        let expected = [
            "cause",
            "class",
            "clause",
            "components",
            "entry",
            "kind",
            "operation",
            "severity",
            "vectors",
            "witness",
        ];
        assert_eq!(fields, expected);
        assert!(class["witness"]["operation"] == class["operation"], "{class}");
    }
    let known = |name: &Value| classes.iter().any(|class| class["class"] == *name);
    assert!(listed.iter().map(|vector| &vector["class"]).filter(|class| class.is_string()).all(known));
}

#[test]
fn check_takes_a_reading() {
    let of = |reading: &str| {
        uriproof(&[
            "check",
            "--subject",
            "reference",
            "--only",
            "contested/erratum-4942/*",
            "--reading",
            reading,
        ])
    };
    assert_eq!(of("rfc3986").status, 0);
    let done = of("erratum-4942");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("reading erratum-4942"), "{}", done.stdout);
    assert!(done.stdout.contains("  expected  rejected\n"), "{}", done.stdout);
}

#[test]
fn check_selects_by_clause_and_level() {
    let done = uriproof(&[
        "vectors",
        "list",
        "--clause",
        "§5.2.4/2C",
        "--level",
        "must",
        "--format",
        "json",
    ]);
    let vectors: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        assert_eq!(vector["level"], "must");
        assert!(vector["clauses"].as_array().unwrap().contains(&json!("§5.2.4/2C")));
    }
}

#[test]
fn the_core_suites_are_part_of_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = ["junit", "tap", "sarif", "github", "markdown", "json"];
    let outputs: Vec<String> = names.iter().map(|name| format!("--output={name}={}", file(name))).collect();
    let outputs = outputs.iter().map(String::as_str);
    let done = uriproof(&["check", "--subject", "rhymuri"].into_iter().chain(outputs).collect::<Vec<_>>());
    // Vectors and inputs of suites are not counted together.
    let count = |line: &str, word: &str| -> usize {
        let (before, _) = line.split_once(word).unwrap_or_else(|| panic!("no {word} in {line}"));
        before.split(' ').next_back().unwrap().parse().unwrap()
    };
    let lines: Vec<&str> = done.stdout.lines().collect();
    let line = |head: &str| lines.iter().find(|line| line.starts_with(head)).expect("the verdict has a line of each");
    let [vectors, suite_inputs] = ["      vectors  ", "      suite inputs  "]
        .map(|head| [" agree", " fail", " not compared"].map(|word| count(line(head), word)));
    assert_eq!(vectors.iter().sum::<usize>(), Library::embedded().vectors().count());
    let more = lines.iter().find(|line| line.contains(" more groups: ")).expect("not all groups fit");
    assert!(
        count(more, " suite inputs") < suite_inputs[1] && count(more, " vectors") < vectors[1],
        "{more}"
    );
    // What it accepts though it is invalid is a group of the suite of `parse`, which has the core suite of the grammar.
    for (name, expected) in [
        ("junit", r#"name="suite/parse/accepted-invalid""#),
        ("tap", " - rhymuri 1.3.1 Uri::parse: suite/parse/accepted-invalid\n"),
        ("sarif", "suite/parse/accepted-invalid"),
        ("github", "%3A writes a rootless path after an authority::"),
        ("markdown", "<summary>The suites</summary>"),
        ("json", r#""suites": ["#),
    ] {
        let text = fs::read_to_string(file(name)).unwrap();
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    let done = uriproof(&["check", "--subject", "rhymuri", "--only", "rfc/5.4*"]);
    assert!(!done.stdout.contains("suite"), "{}", done.stdout);
}
