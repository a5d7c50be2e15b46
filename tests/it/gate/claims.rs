//! The specification that a library claims decides which answers are compared.

use serde_json::{Value, json};

use super::{REFUSES, VectorFolder, adapter};

#[test]
fn a_library_is_asked_what_it_claims() {
    let folder = VectorFolder::new();
    let done = folder.check(REFUSES, &["--specification", "http"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains("   1 agree     0 fail     0 not compared     1 not run\n      3 survived only"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("   3 survived only: not an `http` or `https` URI"),
        "{}",
        done.stdout
    );
    // As a parser of URIs it is right to refuse relative references.
    let done = folder.check(REFUSES, &["--specification", "uri"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    let done = folder.check(REFUSES, &["--level", "should", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["subjects"][0]["gate"]["not_run"], 4);
    let done = folder.check(REFUSES, &["--specification", "url"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("there are URI, URI-reference, absolute-URI, http, IRI"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_claim_hides_no_crash() {
    let folder = VectorFolder::new();
    let at_a = |fault: &str| format!(r#"case "$line" in *'"input":"a"'*) {fault};; *) reject "$id";; esac"#);
    for (fault, expected) in [
        ("exit 3", "crash: \"a\"  one/a (must)"),
        ("exec sleep 60", "hang: \"a\"  one/a (must)"),
        ("echo no JSON", "crash: \"a\"  one/a (must)"),
    ] {
        let arguments = ["--specification", "http", "--time-limit", "1"];
        let done = folder.check(&at_a(fault), &arguments);
        assert_eq!(done.status, 1, "{fault}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
        assert!(
            done.stdout.contains("   1 not run\n      2 survived only"),
            "{}",
            done.stdout
        );
        // So does one that says itself that it is about HTTP.
        let adapter = adapter(&at_a(fault)).replace("RFC 3986", "HTTP");
        folder.put("adapter.sh", &adapter);
        let done = folder.run(&[
            "check",
            "--vectors",
            "vectors",
            "--command",
            "sh adapter.sh",
            "--time-limit",
            "1",
            "--format",
            "json",
        ]);
        assert_eq!(done.status, 1, "{fault}: {}", done.stderr);
        let results: Value = serde_json::from_str(&done.stdout).unwrap();
        let gate = &results["subjects"][0]["gate"];
        assert_eq!(gate["fail"], json!(["one/a"]), "{fault}");
        assert_eq!((&gate["not_run"], &gate["survived"]), (&json!(3), &json!(2)), "{fault}");
    }
    let done = folder.check(&at_a("accept \"$id\" x"), &["--specification", "http"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
}
