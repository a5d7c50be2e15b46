//! `--specification`: the same profile in every command that compares.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::process::{Done, has, program};

fn run(arguments: &[&str]) -> Done {
    crate::process::run(program().args(arguments))
}

/// The verdicts of `diff` on an operation, by a specification.
fn verdicts(specification: Option<&str>, input: &str, operation: &str, subject: &str) -> Vec<String> {
    let arguments = [
        "diff",
        input,
        "--operation",
        operation,
        "--subject",
        subject,
        "--format",
        "json",
    ];
    let flag = specification.map(|name| ["--specification", name]);
    let done = run(&[&arguments[..], flag.as_ref().map_or(&[], |flag| &flag[..])].concat());
    let results: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{}", done.stderr));
    let rows = results["subjects"].as_array().unwrap();
    rows.iter().map(|row| row["verdict"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn diff_compares_by_the_specification() {
    let zone = "http://[fe80::1%25en0]/";
    assert_eq!(verdicts(None, zone, "parse", "reference"), ["agree"]);
    assert_eq!(verdicts(Some("zone-id"), zone, "parse", "reference"), ["diverge"]);
    assert_eq!(
        verdicts(Some("zone-id"), "http://[::1]/", "parse", "reference"),
        ["agree"]
    );

    let address = "http://[2001:DB8:0::1]/";
    assert_eq!(verdicts(None, address, "normalize", "reference"), ["agree"; 2]);
    assert_eq!(
        verdicts(Some("rfc5952"), address, "normalize", "reference"),
        ["diverge"; 2]
    );
    assert_eq!(verdicts(None, address, "normalize", "fluent*UriRef*"), ["diverge"; 2]);
    assert_eq!(
        verdicts(Some("rfc5952"), address, "normalize", "fluent*UriRef*"),
        ["agree"; 2]
    );
    assert_eq!(verdicts(Some("rfc5952"), address, "round-trip", "reference"), ["agree"]);

    for (target, verdict) in [("*", "agree"), ("a:80", "agree"), ("/a?b", "agree"), ("a", "diverge")] {
        assert_eq!(
            verdicts(Some("request-target"), target, "parse", "http"),
            [verdict],
            "{target}"
        );
    }
    assert_eq!(verdicts(Some("http"), "a", "parse", "http"), ["not-comparable"]);
    assert_eq!(verdicts(None, "http://a/\u{e9}", "parse", "url"), ["diverge"]);
    assert_eq!(
        verdicts(Some("IRI"), "http://a/\u{e9}", "parse", "url"),
        ["not-comparable"]
    );
    assert_eq!(verdicts(Some("IRI"), "http://a/\u{e9}[", "parse", "url"), ["diverge"]);
    assert_eq!(verdicts(Some("uri"), "/a", "parse", "reference"), ["agree"]);
}

#[test]
fn check_compares_by_the_specification() {
    let check = |specification: &str, only: &str| {
        let done = run(&[
            "check",
            "--all",
            "--subject",
            "reference",
            "--specification",
            specification,
            "--suite",
            "none",
            "--only",
            only,
        ]);
        (done.status, done.stdout)
    };
    for (specification, only, status) in [
        ("URI-reference", "syntax/ipv6/zone-percent-25", 0),
        ("zone-id", "syntax/ipv6/zone-percent-25", 1),
        ("zone-id", "syntax/ipv6/zone-bare-percent", 0),
        ("zone-id", "normalization/*", 0),
        ("URI-reference", "normalization/steps/ipv6-leading-zeros-kept", 0),
        ("rfc5952", "normalization/steps/ipv6-leading-zeros-kept", 1),
        ("rfc5952", "syntax/*", 0),
        ("request-target", "syntax/characters/space-*", 0),
        ("request-target", "syntax/scheme/empty", 0),
    ] {
        let (found, text) = check(specification, only);
        assert_eq!(found, status, "{specification} {only}: {text}");
    }
    let (_, text) = check("zone-id", "syntax/ipv6/zone-percent-25");
    assert!(text.contains("--specification zone-id --suite none --only"), "{text}");
}

#[test]
fn a_corpus_is_compared_by_the_specification() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("corpus");
    fs::write(&file, "http://[fe80::1%25en0]/\n").unwrap();
    let file = file.to_str().unwrap();
    let corpus = ["check", "--subject", "reference", "--corpus", file];
    assert_eq!(run(&corpus).status, 0);
    let done = run(&[&corpus[..], &["--specification", "zone-id"]].concat());
    assert_eq!(done.status, 1);
    let again = "uriproof diff --operation parse --subject 'reference 0.1.0 rfc3986' --specification zone-id";
    assert!(done.stdout.contains(again), "{}", done.stdout);
}

#[test]
fn complete_takes_the_grammar_of_the_specification() {
    for (specification, subject, language, is_clean) in [
        ("IRI-reference", "oxiri*IriRef*", "RFC 3986 with iri", true),
        ("zone-id", "reference", "RFC 3986 with zone-id", false),
        ("request-target", "http", "RFC 3986 with request-target", false),
        ("http", "reference", "RFC 3986 with http", true),
        ("rfc5952", "reference", "RFC 3986", true),
    ] {
        let done = run(&[
            "complete",
            "--format",
            "json",
            "--subject",
            subject,
            "--specification",
            specification,
        ]);
        let rows: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{}", done.stderr));
        assert_eq!(rows[0]["language"], language);
        assert_eq!(done.status == 0, is_clean, "{specification}: {rows}");
    }
    let operation = ["complete", "--operation", "normalize", "--subject", "reference"];
    assert_eq!(run(&operation).status, 0);
    assert_eq!(
        run(&[&operation[..], &["--specification", "rfc5952"]].concat()).status,
        1
    );
}

#[test]
fn hunt_learn_and_sweep_take_it_too() {
    let hunt = ["hunt", "--batches", "5", "--processes", "1", "--subject", "reference"];
    assert_eq!(run(&hunt).status, 0);
    let done = run(&[&hunt[..], &["--specification", "rfc5952"]].concat());
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("normalize other-uri host"), "{}", done.stdout);

    let sweep = [
        "sweep",
        "--max-length",
        "1",
        "--subject",
        "http",
        "--specification",
        "request-target",
    ];
    assert!(run(&sweep).stdout.contains("RFC 3986 with request-target"));
    let learn = [
        "learn",
        "--budget",
        "10000",
        "--subject",
        "reference",
        "--specification",
        "zone-id",
    ];
    assert!(run(&learn).stdout.contains("RFC 3986 with zone-id"));
    let minimize = [
        "minimize",
        "//[::1%25a]",
        "--subject",
        "reference",
        "--specification",
        "zone-id",
    ];
    assert_eq!(run(&minimize).status, 0);
}

#[test]
fn an_adapter_may_declare_it() {
    if !has("python3") {
        return;
    }
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.py");
    let text = r#"
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answer = {"outcome": "rejected"}
    if request["op"] == "hello":
        answer = {"name": "planted", "version": "1", "entry_point": "parse", "language": "Python",
                  "specification": "request-target", "operations": ["parse"], "tells": {"path": "exact"}}
    elif request["input"] == "*":
        answer = {"outcome": "accepted", "components": {"path": "*"}}
    print(json.dumps({"id": request["id"], **answer}), flush=True)
"#;
    fs::write(&adapter, text).unwrap();
    let command = format!("python3 {}", adapter.to_str().unwrap());
    let check = |only: &str| run(&["check", "--command", &command, "--suite", "none", "--only", only]);
    // A relative reference, which is no request-target.
    assert_eq!(check("syntax/path-contexts/at-sign-alone").status, 0);
    assert_eq!(check("rfc/1.1.2/ldap").status, 1);
    let probe = run(&["check", "--command", &command, "--probe"]);
    assert!(!probe.stdout.contains("is none of RFC 3986"), "{}", probe.stdout);
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, problem) in [
        (
            &["diff", "a", "--specification", "url"][..],
            "zone-id, rfc5952, request-target",
        ),
        (&["diff", "--pairs", "--specification", "http"], "by no specification"),
        (
            &[
                "learn",
                "--components",
                "--subject",
                "reference",
                "--specification",
                "request-target",
            ],
            "not those of request-targets",
        ),
        (
            &["learn", "--write", "file", "--specification", "http"],
            "cannot be used with",
        ),
        (
            &["hunt", "--write", "folder", "--specification", "http"],
            "cannot be used with",
        ),
    ] {
        let done = run(arguments);
        assert_eq!(done.status, 2, "{arguments:?}");
        assert!(done.stderr.contains(problem), "{arguments:?}: {}", done.stderr);
    }
}
