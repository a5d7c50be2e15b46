//! Explanations of long inputs are fast, with the middle left out.

use serde_json::{Value, json};

use super::explained;
use crate::process::{on_one_line, program, run};

/// The limit is one of processor time, which the shell sets: time that grows as the square takes much more.
#[cfg(unix)]
#[test]
fn long_inputs_are_explained_fast() {
    for input in [
        format!("http://a/{}", "b/".repeat(1 << 15)),
        format!("http://a/{} ", "b".repeat(1 << 16)),
        format!("//{}", "a:".repeat(1 << 15)),
    ] {
        let script = r#"ulimit -t 30 && exec "$0" explain "$1""#;
        let mut limited = std::process::Command::new("sh");
        let status = limited.args(["-c", script, env!("CARGO_BIN_EXE_uriproof"), &input]).output().unwrap().status;
        assert!(status.success(), "{} bytes: {status}", input.len());
    }
}

#[test]
fn long_inputs_are_told_by_their_ends() {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("input");
    let file = path.to_str().unwrap();
    let explain_file = |text: &str, more: &[&str]| {
        std::fs::write(&path, text).unwrap();
        explained(&[&["--file", file], more].concat())
    };
    // In its many segments, and in one.
    for (text, shown) in [
        (format!("//a/{}", "b/".repeat(1 << 15)), "├─ ... 32739 more"),
        ("b".repeat(1 << 17), "0..131072  \"bbbbbb"),
    ] {
        let printed = explain_file(&text, &[]);
        let tree = printed.split("\n\n").nth(1).unwrap();
        assert!(tree.contains(shown), "{tree}");
        assert!(tree.lines().count() < 60, "{tree}");
        assert!(tree.lines().all(|line| line.chars().count() <= 80), "{tree}");
    }
    // The edit that makes it valid is shown, wherever it stands.
    let printed = explain_file(&format!("{} {}", "a".repeat(4000), "b".repeat(2000)), &[]);
    let window = format!(
        "...\"{0}{1}\"... from byte 3970, 1 character away ",
        "a".repeat(30),
        "b".repeat(30)
    );
    assert!(on_one_line(&printed).contains(&window), "{printed}");
    // Of the rows of a long table the first and the last.
    let base = format!("s:{}", "/b".repeat(40_000));
    let printed = explain_file(&"../".repeat(40_000), &["--base", &base]);
    let table = printed.split("\n\n").find(|part| part.starts_with("remove_dot_segments")).unwrap();
    assert!(table.contains("\n  ... 79971 rows more\n"), "{table}");
    assert!(
        table.ends_with("\n  2E    \"/\"                                  \"\""),
        "{table}"
    );
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    let against: Value = serde_json::from_str(&explain_file(
        &"../".repeat(40_000),
        &["--base", &base, "--format", "json"],
    ))
    .unwrap();
    assert_eq!(against["resolution"]["left_out"], json!({"behind": 20, "rows": 79971}));
    let done = run(program().args(["explain", "--file", "no/such/file"]));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("no/such/file cannot be read: "), "{}", done.stderr);
}
