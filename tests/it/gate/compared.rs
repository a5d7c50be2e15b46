//! A check that compares nothing does not pass.

use serde_json::{Value, json};

use super::{REFUSES, VectorFolder};

#[test]
fn nothing_compared_is_no_pass() {
    let folder = VectorFolder::new();
    let done = folder.check(REFUSES, &["--only", "one/normal"]);
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(done.stdout.contains("none  planted"), "{}", done.stdout);
    let unsupported = r#"printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id""#;
    let done = folder.check(unsupported, &[]);
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("   4 not compared: later"), "{}", done.stdout);
}

#[test]
fn nothing_compared_is_never_a_success() {
    let folder = VectorFolder::new();
    folder.put("urls.txt", "a\nb\n");
    let unsupported = r#"printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id""#;
    for format in ["human", "json"] {
        let done = folder.check(unsupported, &["--corpus", "urls.txt", "--format", format]);
        assert_eq!(done.status, 2, "{}", done.stdout);
        assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
        if format == "json" {
            let results: Value = serde_json::from_str(&done.stdout).unwrap();
            assert_eq!((&results["lines"], &results["diverging"]), (&json!(2), &json!([])));
        }
    }
    for command in ["minimize", "diff"] {
        let done = folder.run(&[command, "a", "--command", "sh adapter.sh"]);
        assert_eq!(done.status, 2, "{command}: {}", done.stdout);
        assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
    }
    // A built-in subject that has no such operation.
    let done = folder.run(&[
        "check",
        "--subject",
        "http * Uri::from_str",
        "--only",
        "normalization/*",
    ]);
    assert_ne!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
    // Nothing of it is green.
    let done = folder.check(unsupported, &["--format", "badge"]);
    assert!(done.stdout.contains(r#""color":"lightgrey""#), "{}", done.stdout);
    let done = folder.check(unsupported, &["--write-baseline", "--baseline", "b.toml"]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(!folder.path().join("b.toml").exists());
}
