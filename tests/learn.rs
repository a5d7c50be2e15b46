//! `uriproof learn`, as a process.

use std::fs;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

fn learn(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("uriproof").unwrap().arg("learn").args(arguments).output().unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn a_parser_that_conforms_is_equal() {
    let (status, stdout, stderr) = learn(&["--subject", "fluent-uri*UriRef::parse"]);
    assert_eq!((status, &*stderr), (0, ""));
    let mut lines = stdout.lines();
    assert_eq!(
        lines.next(),
        Some("fluent-uri 0.4.1 UriRef::parse: URI-reference, equal to RFC 3986")
    );
    assert!(lines.next().unwrap().starts_with("  for every string, under: the subject has no more than 183 states"));
    assert!(
        lines.next().unwrap().starts_with("  183 states, 21 symbols, "),
        "{stdout}"
    );
}

#[test]
fn a_parser_of_iris_differs_beyond_ascii() {
    let (status, stdout, _) = learn(&["--subject", "fluent-uri*IriRef::parse", "--format", "json"]);
    assert_eq!(status, 1);
    let rows: Value = serde_json::from_str(&stdout).unwrap();
    let row = &rows[0];
    assert_eq!(
        (&row["equal"], &row["stopped"], &row["limits"]),
        (&json!(false), &Value::Null, &json!([]))
    );
    let first = &row["differences"][0];
    assert_eq!(first["witness"], "é");
    assert_eq!(
        (&first["kind"], &first["expected"], &first["observed"]),
        (&json!("accepted though invalid"), &json!(0), &json!(1))
    );
    assert_eq!(
        row["machine"]["table"].as_array().unwrap().len(),
        row["machine"]["states"].as_u64().unwrap() as usize
    );
    let symbols = row["machine"]["symbols"].as_array().unwrap();
    assert!(symbols.iter().any(|symbol| symbol.as_str().unwrap().contains('é')));
}

#[test]
fn drawings_are_of_one_subject() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("difference.svg");
    let (status, stdout, _) = learn(&[
        "--subject",
        "fluent-uri* Iri::parse",
        "--format",
        "svg",
        "--output",
        file.to_str().unwrap(),
    ]);
    assert_eq!((status, &*stdout), (1, ""));
    let svg = fs::read_to_string(file).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains("fluent-uri 0.4.1 Iri::parse: URI, "),
        "{svg}"
    );

    let (status, stdout, stderr) = learn(&["--subject", "fluent-uri", "--format", "svg"]);
    assert_eq!((status, &*stdout), (2, ""));
    assert_eq!(stderr, "uriproof: 4 subjects are chosen, and a drawing is of one\n");
}

#[test]
fn what_is_not_learned_to_the_end_is_not_equal() {
    let (status, stdout, _) = learn(&["--subject", "fluent-uri*UriRef::parse", "--budget", "50000"]);
    assert_eq!(status, 1);
    let expected = "fluent-uri 0.4.1 UriRef::parse: URI-reference, not learned to the end: 50000 questions were not enough; \
                    0 classes of difference until then";
    assert_eq!(stdout.lines().next(), Some(expected));
}
