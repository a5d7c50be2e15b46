//! A corpus is checked line by line.

use std::fs;

use serde_json::{Value, json};

use super::{VectorFolder, adapter};
use crate::process::run;

#[test]
fn a_corpus_is_asked_line_by_line() {
    let folder = VectorFolder::new();
    folder.put("urls.txt", "http://a/b\r\n\nhttp://a/[\n%zz\n");
    let corpus = |subject: &str, file: &str, format: &str| {
        folder.run(&["check", "--subject", subject, "--corpus", file, "--format", format])
    };
    let done = corpus("reference", "urls.txt", "human");
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("3 lines"), "{}", done.stdout);
    let done = corpus("urlparse", "urls.txt", "json");
    assert_eq!(done.status, 1, "{}", done.stderr);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = results["diverging"].as_array().unwrap();
    let lines: Vec<u64> = rows.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert!(
        lines.contains(&3) && lines.contains(&4) && !lines.contains(&1),
        "{lines:?}"
    );
    assert!(rows.iter().all(|one| one["severity"].is_string()), "{rows:?}");
    fs::write(folder.path().join("bad.txt"), b"a\n\xff\n").unwrap();
    let done = corpus("reference", "bad.txt", "human");
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("bad.txt:2: not UTF-8"), "{}", done.stderr);
    folder.put("empty.txt", "\n");
    assert!(corpus("reference", "empty.txt", "human").stderr.contains("has no line"));
    assert!(corpus("reference", "none.txt", "human").stderr.contains("none.txt cannot be read"));
}

#[test]
fn a_corpus_is_grouped_by_class_the_worst_first() {
    let folder = VectorFolder::new();
    // Refused though valid, many times; taken though invalid; and a path that is another, of ever shorter lines.
    let lines = ["r/1", "r/2", "r/3", "r/4", "%zz", "path/long", "path/x", "path/y"];
    folder.put("urls.txt", &lines.map(|line| format!("{line}\n")).concat());
    let body = r#"case "$line" in
      *'%zz'*) accept "$id" x;;
      *'path'*) accept "$id" x;;
      *) reject "$id";; esac"#;
    let done = folder.check(body, &["--corpus", "urls.txt"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let expected = "\nplanted 1 parse: 3 classes

  path: parse other-components path, 3 lines
    line 7     \"path/x\"
    expected   path \"path/x\"
    got        path \"x\"
    again      uriproof diff --operation parse --command 'sh adapter.sh' path/x

  accepted-invalid: parse accepted-invalid does not match pct-encoded, 1 line
    line 5     \"%zz\"
    expected   rejected at byte 1: does not match pct-encoded
    got        accepted, path \"x\"
    again      uriproof diff --operation parse --command 'sh adapter.sh' '%zz'
";
    assert!(done.stdout.contains(expected), "{}", done.stdout);
    assert!(
        done.stdout.contains("\n  rejected-valid: parse rejected-valid, 4 lines\n    line 1 "),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.ends_with("\n--all prints every line that differs\n"),
        "{}",
        done.stdout
    );

    let every = folder.check(body, &["--corpus", "urls.txt", "--all"]).stdout;
    assert_eq!(every.matches("\nline ").count(), 7, "{every}");
    // Each line that differs comes before the classes.
    assert!(
        every.starts_with("line 1  planted 1 parse  parse \"r/1\"\n  rejected-valid: rejected-valid\n"),
        "{every}"
    );
    assert!(
        every.contains("\nline 6  planted 1 parse  parse \"path/long\"\n  path: other-components\n"),
        "{every}"
    );

    let done = folder.check(body, &["--corpus", "urls.txt", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["diverging"].as_array().unwrap().len(), 8);
    let classes = results["classes"].as_array().unwrap();
    let severities: Vec<&Value> = classes.iter().map(|class| &class["severity"]).collect();
    assert_eq!(severities, ["path", "accepted-invalid", "rejected-valid"]);
    assert_eq!((&classes[0]["lines"], &classes[0]["line"]), (&json!(3), &json!(7)));

    // The command shows it, whatever the line holds.
    folder.put("odd.txt", "-path\t3'\n");
    let done = folder.check(body, &["--corpus", "odd.txt", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    let command = results["classes"][0]["command"].as_str().unwrap();
    assert!(command.ends_with(r"-- $'-path\0113\''"), "{command}");
    let words = shell_words(command);
    let again = folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.status, 1, "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.contains(r#""-path\t3'""#), "{}", again.stdout);
}

/// The arguments of a command line, as bash reads them.
fn shell_words(command: &str) -> Vec<String> {
    let script = format!("for word in {command}; do printf '%s\\0' \"$word\"; done");
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    words.split_terminator('\0').skip(1).map(str::to_owned).collect()
}

#[test]
fn a_corpus_is_printed_as_it_is_read() {
    for (format, expected) in [("human", "line 1  planted"), ("json", "\"line\":1")] {
        let folder = VectorFolder::new();
        folder.put("urls.txt", "first\nsecond\n");
        // At the second line the adapter looks at what is printed.
        let body = r#"case "$line" in *second*) cp out seen;; esac; reject "$id""#;
        folder.put("adapter.sh", &adapter(body));
        let program = assert_cmd::cargo::cargo_bin("uriproof");
        let script = format!(
            "exec '{}' check --command 'sh adapter.sh' --corpus urls.txt --all --format {format} >out",
            program.display()
        );
        let mut command = assert_cmd::Command::new("sh");
        let done = run(command.args(["-c", &script]).current_dir(folder.path()));
        assert_eq!(done.status, 1, "{}", done.stderr);
        let seen = folder.text("seen");
        assert!(seen.contains(expected), "{expected} is not in {seen}");
    }
}
