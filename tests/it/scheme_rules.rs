//! `--scheme-rules`: what the rules of a scheme license, and what a broken file of rules is answered.

use std::fs;

use tempfile::TempDir;

use crate::process::{program, run};

const RULES: &str = r#"{"uriproof": 1, "schemes": {
  "coap": {"source": "RFC 7252 §6.1", "default-port": 5683, "empty-path-is-root": true},
  "about": {"source": "RFC 6694 §2.1", "no-authority": true}
}}"#;

/// What `diff` prints of the reference under these rules: its stdout, or its stderr if it fails.
fn diff(rules: Option<&str>, arguments: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let mut command = program();
    command.args(["diff", "--subject", "reference"]).args(arguments);
    if let Some(rules) = rules {
        let file = folder.path().join("rules.json");
        fs::write(&file, rules).unwrap();
        command.arg("--scheme-rules").arg(file);
    }
    let done = run(&mut command);
    match done.status {
        0 => done.stdout,
        _ => done.stderr,
    }
}

#[test]
fn the_rules_of_a_scheme_are_licences() {
    let normalize = ["coap://h:5683", "--operation", "normalize"];
    let licensed = |form: &str| format!("expected (scheme-rule): \"{form}\"");
    let with = diff(Some(RULES), &normalize);
    assert!(with.contains("expected (literal): \"coap://h:5683\""), "{with}");
    for form in ["coap://h", "coap://h:5683/", "coap://h/"] {
        assert!(with.contains(&licensed(form)), "{form}: {with}");
    }
    let without = diff(None, &normalize);
    assert!(!without.contains("scheme-rule"), "{without}");

    let equivalent = ["coap://h:5683", "--other", "coap://h/", "--operation", "equivalent"];
    assert!(diff(Some(RULES), &equivalent).contains("expected (scheme-rule): equivalent"));
    assert!(!diff(None, &equivalent).contains("scheme-rule"));

    let refused = diff(Some(RULES), &["about://h/a", "--operation", "normalize"]);
    assert!(refused.contains("expected (scheme-refused): rejected"), "{refused}");
}

#[test]
fn the_namespace_of_a_urn_has_no_case() {
    let text = diff(None, &["urn:A:B", "--other", "urn:a:B", "--operation", "equivalent"]);
    assert!(text.contains("expected (scheme-rule): equivalent"), "{text}");
    let text = diff(None, &["urn:A:B", "--other", "urn:A:b", "--operation", "equivalent"]);
    assert!(!text.contains("scheme-rule"), "{text}");
}

#[test]
fn a_broken_file_of_rules_is_named() {
    for (rules, problem) in [
        ("{", "EOF while parsing"),
        (
            r#"{"uriproof": 1, "schemes": {"1a": {"source": "s"}}}"#,
            "`1a` is no scheme",
        ),
        (
            r#"{"uriproof": 1, "schemes": {"a": {"source": "s", "port": 1}}}"#,
            "unknown field `port`",
        ),
    ] {
        let text = diff(Some(rules), &["a:b"]);
        assert!(text.contains("rules.json: ") && text.contains(problem), "{text}");
    }
    let done = run(program().args(["diff", "a:b", "--scheme-rules", "no/such/file"]));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("no/such/file cannot be read"), "{}", done.stderr);
}
