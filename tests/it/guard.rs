//! What ends the process that calls it, or does not answer, ends no run: `examples/own_subject.rs` does both.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

const LABEL: &str = "careless 0.1.0 parse";

/// The command line with the subjects of the example, which `cargo test` builds like every example.
pub(crate) fn own_subject() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_uriproof")).with_file_name("examples").join("own_subject");
    assert!(
        program.exists(),
        "`cargo build --example own_subject` makes {}",
        program.display()
    );
    program
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(own_subject());
    // What hangs is not waited for as long as elsewhere.
    command.args(arguments).args(["--subject", "careless"]).env("URIPROOF_HANG_MS", "1000").output().unwrap()
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
        stderr.contains(&format!("{LABEL} ends the process that calls it")),
        "{stderr}"
    );
    assert!(stdout.contains("crashed: killed by signal 6"), "{stdout}");
    // The other vectors are answered, rightly and wrongly.
    assert!(!stdout.contains("   0 agree"), "{stdout}");
    assert!(stdout.contains("parse accepted-invalid"), "{stdout}");
}

/// One waits without using the processor, the other uses it without an end.
#[test]
fn what_is_not_answered_is_an_outcome_too() {
    for (input, guards, served) in [
        (
            "//[fe80::1%25en0]",
            "no answer, and no processor time used, for 0.6 s",
            "for 0.6 s",
        ),
        (
            "//[fe80::2%25en0]",
            "no answer within 0.2 s of processor time",
            "within 0.2 s of processor time",
        ),
    ] {
        let mut command = Command::new(own_subject());
        let diff = [
            "diff",
            input,
            "--operation",
            "parse",
            "--subject",
            "oxiri",
            "--subject",
            "careless",
        ];
        command.args(diff).env("URIPROOF_HANG_MS", "200");
        let output = command.output().unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains(&format!("a subject hangs: {guards}")), "{stderr}");
        assert!(
            stderr.contains(&format!("{LABEL} ends the process that calls it")),
            "{stderr}"
        );
        assert_eq!(stderr.matches(" ends the process").count(), 1, "{stderr}");
        assert!(stdout.contains("timed out"), "{stdout}");
        assert!(stdout.contains(served), "{stdout}");
        // The subject beside it is run all the same.
        assert!(stdout.contains("oxiri"), "{stdout}");
    }
}

/// A process that gets a sixth of the time of the clock, as on a machine with a load of twelve: its limit is one of processor time.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_machine_is_no_hang() {
    use rustix::process::{Pid, Signal, kill_process};

    let mut command = std::process::Command::new(own_subject());
    command.args([
        "check",
        "--only",
        "resolution/*/*",
        "--subject",
        "oxiri",
        "--subject",
        "careless",
    ]);
    command.env("URIPROOF_HANG_MS", "200");
    let idle = command.output().unwrap();
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let guard = command.spawn().unwrap();
    let id = guard.id();
    // The last pause is longer than the limit by far.
    for pause in [100, 100, 100, 100, 100, 100, 100, 100, 100, 2000] {
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        let behind = children.split_whitespace().next().and_then(|child| Pid::from_raw(child.parse().ok()?));
        let send = |signal| {
            if let Some(pid) = behind {
                // It may have ended.
                let _ = kill_process(pid, signal);
            }
        };
        send(Signal::STOP);
        std::thread::sleep(std::time::Duration::from_millis(pause));
        send(Signal::CONT);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let slow = guard.wait_with_output().unwrap();
    assert_eq!(slow.status.code(), idle.status.code(), "{}", text(&slow.stderr));
    assert_eq!(text(&slow.stdout), text(&idle.stdout));
    assert!(!text(&slow.stderr).contains("the run died"), "{}", text(&slow.stderr));
}

/// The machine may have killed a process, for want of memory say: no subject did.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_no_subject_kills_alone_is_done_once_more() {
    use rustix::process::{Pid, Signal, kill_process};

    let mut command = std::process::Command::new(own_subject());
    command.args([
        "check",
        "--only",
        "syntax/port/*",
        "--subject",
        "oxiri 0.3.1 IriRef::parse",
    ]);
    let idle = command.output().unwrap();
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut guard = command.spawn().unwrap();
    let id = guard.id();
    loop {
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        if let Some(child) = children.split_whitespace().next().and_then(|child| Pid::from_raw(child.parse().ok()?)) {
            kill_process(child, Signal::KILL).unwrap();
            break;
        }
        assert_eq!(guard.try_wait().unwrap(), None);
        std::thread::yield_now();
    }
    let killed = guard.wait_with_output().unwrap();
    let stderr = text(&killed.stderr);
    assert_eq!(killed.status.code(), idle.status.code(), "{stderr}");
    assert_eq!(text(&killed.stdout), text(&idle.stdout));
    assert!(
        stderr.contains("no subject kills it alone: it is run once more"),
        "{stderr}"
    );
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
        assert!(batches != "5" || stderr.contains(" was lost ("), "{stderr}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    // The batches are of 256 inputs, then of twice as many up to 4,096.
    let first = hunt("5");
    let text = first.to_string();
    assert!(text.contains("crashed killed by signal 6"), "{text}");
    assert!(text.contains("parse accepted-invalid"), "{text}");
    assert_eq!(first["inputs"], 256 + 512 + 1024 + 2048 + 4096, "{text}");
    // A hunt that goes on knows who kills.
    let stored: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(state).unwrap()).unwrap();
    assert_eq!(stored["apart"], serde_json::json!([LABEL]));
    assert_eq!(hunt("6")["inputs"], 256 + 512 + 1024 + 2048 + 2 * 4096);
}
