//! An interrupted command prints what it has found so far.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;
use tempfile::TempDir;

use super::{ENDLESS, REJECTS, Run, SLOW};
use crate::process::Done;

/// An adapter that takes its time for what the reference answers.
fn slow_reference() -> String {
    let program = shell_words::quote(env!("CARGO_BIN_EXE_uriproof"));
    SLOW.replace("PROGRAM", &format!("{program} serve --subject reference"))
}

/// A command with the slow adapter, which a signal stops.
fn stopped(folder: TempDir, adapter: &str, arguments: &[&str], signal: Signal) -> (Done, Run) {
    let mut run = Run::in_folder(folder, adapter, &[arguments, &["--command", "sh adapter.sh"]].concat());
    run.wait_until_slow();
    let done = run.ended_by(signal);
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    (done, run)
}

/// What agrees until then is no pass, and proves nothing.
#[test]
fn a_complete_suite_that_is_interrupted_says_how_far_it_got() {
    let suites: [&[&str]; 3] = [&["core"], &["components", "--extra-states", "1"], &["bytes"]];
    for (suite, signal) in suites.into_iter().zip([Signal::INT, Signal::TERM, Signal::HUP]) {
        let arguments = [&["complete", "--suite"], suite].concat();
        let (done, run) = stopped(TempDir::new().unwrap(), &slow_reference(), &arguments, signal);
        let word = if signal == Signal::INT {
            "interrupted"
        } else {
            "terminated"
        };
        assert!(done.stdout.starts_with("part  "), "{}", done.stdout);
        assert!(done.stdout.contains(&format!("      {word} after ")), "{}", done.stdout);
        assert!(!done.stdout.contains("What a pass means"), "{}", done.stdout);
        assert!(
            done.stderr.ends_with(&format!("not everything was run: {word}\n")),
            "{}",
            done.stderr
        );
        drop(run);
    }
}

#[test]
fn the_findings_of_a_complete_suite_that_is_interrupted_are_printed() {
    let adapter = SLOW.replace("PROGRAM", REJECTS);
    let (done, _run) = stopped(
        TempDir::new().unwrap(),
        &adapter,
        &["complete", "--format", "json"],
        Signal::INT,
    );
    let rows: Value = serde_json::from_str(&done.stdout).unwrap();
    let row = &rows[0];
    let count = |kind: &str, name: &str| row[kind][name].as_u64().unwrap();
    let asked = count("valid", "asked") + count("invalid", "asked");
    assert!(
        count("valid", "diverge") > 0 && !row["clusters"].as_array().unwrap().is_empty(),
        "{row}"
    );
    assert_eq!(row["certificates"], serde_json::json!([]));
    let said = row["stopped"].as_str().unwrap();
    assert!(said.starts_with(&format!("interrupted after {asked} of ")), "{said}");
}

/// What is stored is what was put, and the sweep that goes on ends as one that was never stopped.
#[test]
fn a_sweep_that_is_interrupted_goes_on_where_it_was() {
    for adapter in [SLOW.replace("PROGRAM", REJECTS), slow_reference()] {
        let sweep = ["sweep", "--max-length", "2", "--components", "--format", "json"];
        let stored = [&sweep[..], &["--state", "state.json"]].concat();
        let (done, run) = stopped(TempDir::new().unwrap(), &adapter, &stored, Signal::TERM);
        let rows: Value = serde_json::from_str(&done.stdout).unwrap();
        let said = rows[0]["stopped"].as_str().unwrap();
        assert!(said.starts_with("terminated after "), "{said}");
        assert_eq!(rows[0]["certificates"], serde_json::json!([]));
        assert_eq!(
            rows[0]["accepted"],
            Value::Null,
            "counts of some strings are none of the machine's"
        );
        let state: Value = serde_json::from_str(&run.text("state.json")).unwrap();
        let sum = |row: &Value| -> u64 {
            ["valid", "invalid"]
                .iter()
                .map(|kind| row[kind]["agree"].as_u64().unwrap() + row[kind]["diverge"].as_u64().unwrap())
                .sum()
        };
        assert!(sum(&state[0]) <= sum(&rows[0]), "it says more than was put: {state}");

        let Run { folder, .. } = run;
        fs::write(folder.path().join("fast"), "").unwrap();
        let go_on = |arguments: &[&str]| {
            let mut program = crate::process::program();
            program.current_dir(folder.path()).args(arguments).args(["--command", "sh adapter.sh"]);
            crate::process::run(&mut program)
        };
        let (once, whole) = (go_on(&stored), go_on(&sweep));
        assert!(once.status < 2, "{}", once.stderr);
        assert_eq!((once.status, once.stdout), (whole.status, whole.stdout));
    }
}

/// Half of a machine is none: that is said, and what was known before stays.
#[test]
fn a_subject_whose_learner_is_interrupted_is_not_learned() {
    for format in ["human", "json", "svg"] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("machine"), "old").unwrap();
        let arguments = ["learn", "--format", format, "--output", "machine"];
        let (done, run) = stopped(folder, &slow_reference(), &arguments, Signal::INT);
        assert!(
            done.stderr.contains("not everything was learned: interrupted after 0 of 1 subjects"),
            "{}",
            done.stderr
        );
        match format {
            "human" => {
                // A line, or two of 80 columns.
                assert!(done.stdout.lines().all(|line| line.len() <= 80), "{}", done.stdout);
                let line = done.stdout.lines().map(str::trim).collect::<Vec<_>>().join(" ");
                assert!(
                    line.ends_with(" questions") && line.contains("URI-reference, not learned: interrupted after "),
                    "{line}"
                );
            }
            "json" => {
                let rows: Value = serde_json::from_str(&done.stdout).unwrap();
                assert_eq!(
                    (&rows[0]["equal"], &rows[0]["differences"]),
                    (&false.into(), &Value::Array(Vec::new()))
                );
                assert!(
                    rows[0]["stopped"].as_str().unwrap().starts_with("interrupted after "),
                    "{}",
                    rows[0]
                );
            }
            _ => assert_eq!(done.stdout, ""),
        }
        assert_eq!(run.text("machine"), "old");
    }
}

/// Behind a guard, too.
#[test]
fn builtin_subjects_are_stopped_through_the_guard() {
    let mut run = Run::start(&["complete", "--suite", "bytes", "--extra-states", "1"]);
    run.wait_for_seconds(3);
    let done = run.ended_by(Signal::TERM);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stdout.contains("terminated after "), "{}", done.stdout);
    assert!(
        done.stderr.ends_with("not everything was run: terminated\n"),
        "{}",
        done.stderr
    );

    let folder = TempDir::new().unwrap();
    let stored = "{ \"uriproof\": 1, \"subjects\": {} }";
    fs::write(folder.path().join("reference.json"), stored).unwrap();
    let mut run = Run::in_folder(folder, ENDLESS, &["learn", "--write", "."]);
    run.wait_for_seconds(3);
    let done = run.ended_by(Signal::INT);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(
        done.stderr.contains("interrupted after ") && done.stderr.ends_with("; nothing is written\n"),
        "{}",
        done.stderr
    );
    assert_eq!(run.text("reference.json"), stored);
}
