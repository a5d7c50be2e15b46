//! What kills the process that asks it, or does not answer, ends no run: `examples/own_subject.rs` does both.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

const LABEL: &str = "careless 0.1.0 parse";

/// The command line with the careless subject, which `cargo test` builds like every example.
fn program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_uriproof")).with_file_name("examples").join("own_subject");
    assert!(
        program.exists(),
        "`cargo build --example own_subject` makes {}",
        program.display()
    );
    program
}

fn run(arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).args(["--subject", "careless"]).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_check_goes_on_when_a_subject_blows_its_stack() {
    let output = run(&["check", "--only", "syntax/{ipvfuture,path}*", "--all"]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains(&format!("{LABEL} kills the process that asks it")),
        "{stderr}"
    );
    assert!(stdout.contains("crashed: killed by signal 6"), "{stdout}");
    // The other vectors are answered, rightly and wrongly.
    assert!(!stdout.contains("   0 agree"), "{stdout}");
    assert!(stdout.contains("parse accepted-invalid"), "{stdout}");
}

#[test]
fn what_is_not_answered_is_an_outcome_too() {
    let output = run(&["diff", "//[fe80::1%25en0]", "--subject", "oxiri"]);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("a subject has not answered for 10 s"), "{stderr}");
    assert!(stdout.contains("timed out"), "{stdout}");
    // Who stands beside it is asked all the same.
    assert!(stdout.contains("oxiri"), "{stdout}");
}

#[test]
fn a_hunt_loses_nothing_to_a_subject_that_kills() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    let state = state.to_str().unwrap();
    let hunt = |batches: &str| {
        let hunt = [
            "hunt",
            "--batches",
            batches,
            "--seed",
            "7",
            "--every-input",
            "--state",
            state,
            "--format",
            "json",
        ];
        let output = run(&[&hunt[..], &["--subject", "oxiri 0.3.1 IriRef::parse"]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let stderr = text(&output.stderr);
        // How it died is told in its own words.
        for line in stderr.lines().filter(|line| line.contains(" was lost (")) {
            assert!(
                line.contains("(signal: 6 (SIGABRT)") && line.contains("overflow"),
                "{line}"
            );
        }
        assert!(batches != "1" || stderr.contains("batch 0 was lost ("), "{stderr}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    let first = hunt("1");
    let text = first.to_string();
    assert!(text.contains("crashed killed by signal 6"), "{text}");
    assert!(text.contains("parse accepted-invalid"), "{text}");
    assert_eq!(first["inputs"], 4096, "{text}");
    // A hunt that goes on knows who kills.
    let stored: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(state).unwrap()).unwrap();
    assert_eq!(stored["apart"], serde_json::json!([LABEL]));
    assert_eq!(hunt("2")["inputs"], 8192);
}
