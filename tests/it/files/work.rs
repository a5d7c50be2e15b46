//! Files that cannot be read or written end a command before its work.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{ADAPTER, copy_of_the_ledger, names};
use crate::process::{program, run};

/// Nobody waits for a run whose result cannot be stored.
#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    for arguments in [
        &["check", "--only", "rfc/5.4.1/*", "--output", "json=file/a"][..],
        &["check", "--baseline", "file/a", "--write-baseline"],
        &["sweep", "--max-length", "1", "--state", "file/a"],
        &["hunt", "--batches", "1", "--processes", "1", "--state", "file/a"],
        &["learn", "--budget", "10", "--output", "file/a"],
    ] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        fs::write(folder.path().join("adapter.sh"), ADAPTER).unwrap();
        let done = run(program().current_dir(folder.path()).args(arguments).args(["--command", "sh adapter.sh"]));
        assert_eq!(done.status, 2, "{arguments:?}");
        assert!(
            done.stderr.contains("file/a cannot be") || done.stderr.contains("file/a is no"),
            "{arguments:?}: {}",
            done.stderr
        );
        assert_eq!(
            names(folder.path()),
            ["adapter.sh", "file"],
            "{arguments:?}: it was asked"
        );
    }
}

#[test]
fn what_is_stored_already_is_read_before_the_work() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::write(place.join("growth.json"), "{}").unwrap();
    // So few descriptors that no process can be started to ask: the survey does not begin.
    let mut shell = assert_cmd::Command::new("sh");
    let line = r#"ulimit -n 6; exec "$@" growth --subject http --write growth.json"#;
    shell.args(["-c", line, "sh"]).arg(assert_cmd::cargo::cargo_bin("uriproof"));
    let done = run(shell.current_dir(place));
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("growth.json holds no findings on growth"),
        "{}",
        done.stderr
    );
    assert_eq!(fs::read_to_string(place.join("growth.json")).unwrap(), "{}");

    // The listing is read before the runs are, or made.
    let done = run(program().current_dir(place).args(["mutants", "--of", "code", "--outcomes", "none", "--write"]));
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("reference/mutants.toml cannot be read"),
        "{}",
        done.stderr
    );
}

#[test]
fn results_are_written_beside_a_baseline() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::write(place.join("adapter.sh"), ADAPTER).unwrap();
    let write = [
        "--baseline",
        "b.toml",
        "--write-baseline",
        "--output",
        "json=results.json",
    ];
    let check = |more: &[&str]| {
        let first = ["check", "--level", "must", "--command", "sh adapter.sh"];
        run(program().current_dir(place).args(first).args(more))
    };
    let done = check(&[&write[..], &["--format", "badge"]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    // What programs read has nothing else in it.
    assert!(serde_json::from_str::<Value>(&done.stdout).is_ok(), "{}", done.stdout);
    assert!(done.stderr.contains("wrote b.toml, "), "{}", done.stderr);
    let results: Value = serde_json::from_str(&fs::read_to_string(place.join("results.json")).unwrap()).unwrap();
    assert_eq!(
        results["subjects"][0]["subject"], "planted 1 parse",
        "{}",
        results["subjects"][0]
    );
    let done = check(&["--baseline", "b.toml"]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);

    // If no baseline can be written, the results are.
    fs::remove_file(place.join("results.json")).unwrap();
    fs::remove_file(place.join("b.toml")).unwrap();
    fs::write(
        place.join("adapter.sh"),
        ADAPTER.replace("  echo x", "  exit 1; echo x"),
    )
    .unwrap();
    let done = check(&[&write[..], &["--restarts", "0"]].concat());
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("b.toml is not written"), "{}", done.stderr);
    assert!(place.join("results.json").is_file() && !place.join("b.toml").exists());

    for other in [&["--probe"][..], &["--corpus", "adapter.sh"]] {
        let done = check(&[other, &["--output", "json=ignored.json"]].concat());
        assert_eq!(done.status, 2, "{other:?}");
        assert!(done.stderr.contains("cannot be used with"), "{}", done.stderr);
    }
}

/// What somebody has written there stays: it is not the ledger of the program that is written.
#[test]
fn a_hunt_adds_to_the_ledger_that_it_writes() {
    let folder = TempDir::new().unwrap();
    let ledger = copy_of_the_ledger(folder.path());
    let file = ledger.join("http.toml");
    let text = fs::read_to_string(&file).unwrap();
    let mut mine = toml::from_str::<toml::Table>(&text).unwrap();
    mine["claim"].as_table_mut().unwrap().insert("measured".to_owned(), "by me".into());
    fs::write(&file, toml::to_string(&mine).unwrap()).unwrap();
    let hunt = [
        "hunt",
        "--batches",
        "1",
        "--processes",
        "1",
        "--subject",
        "http",
        "--write",
    ];
    let done = run(program().args(hunt).arg(&ledger));
    assert!(done.status < 2, "{}", done.stderr);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("measured = \"by me\""), "{text}");
    let done = run(program().args(hunt).arg(folder.path().join("none")));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("none: cannot be read"), "{}", done.stderr);
}
