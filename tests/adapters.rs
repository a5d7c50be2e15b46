//! The adapters in `adapters/`, each where its runtime and its package are there. What is not there is named.

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters");
    Command::cargo_bin("uriproof").unwrap().current_dir(folder).args(arguments).output().unwrap()
}

/// Probes an adapter, and asks it some vectors of every kind; false where it cannot be started.
fn holds(command: &str) -> bool {
    let probe = run(&[
        "check",
        "--command",
        command,
        "--probe",
        "--format",
        "json",
        "--time-limit",
        "60",
    ]);
    let tried: Value = serde_json::from_slice(&probe.stdout).unwrap();
    let tried = tried.as_array().unwrap();
    if tried[0]["result"] == "wrong" {
        let said = tried[0]["said"].as_str().unwrap();
        let is_absent = [
            "cannot be started",
            "ModuleNotFoundError",
            "MODULE_NOT_FOUND",
            "Node.js v",
            "Cannot find module",
        ];
        assert!(
            is_absent.iter().any(|reason| said.contains(reason)),
            "{command}: {said}"
        );
        println!("skipped: {command}: {said}");
        return false;
    }
    let wrong: Vec<&Value> = tried.iter().filter(|one| one["result"] == "wrong").collect();
    assert!(wrong.is_empty(), "{command}: {wrong:?}");
    let only = [
        "--only",
        "{rfc/5.4.1,syntax/port,normalization/case}/*",
        "--format",
        "json",
    ];
    let check = run(&[&["check", "--command", command, "--time-limit", "60"], &only[..]].concat());
    let results: Value = serde_json::from_slice(&check.stdout).unwrap();
    let subject = &results["subjects"][0];
    assert_eq!(subject["gate"]["lost"], Value::Null, "{command}");
    assert_eq!(subject["counts"]["crashed"], 0, "{command}: {}", results["vectors"]);
    assert!(
        subject["counts"]["agree"].as_u64().unwrap() > 5,
        "{command}: {}",
        subject["counts"]
    );
    true
}

#[test]
fn python() {
    let libraries =
        ["urllib", "rfc3986", "hyperlink", "yarl"].map(|library| format!("python3 python/adapter.py {library}"));
    let held = libraries.iter().filter(|command| holds(command)).count();
    println!("{held} of {} held", libraries.len());
}

#[test]
fn node() {
    let libraries = ["url", "fast-uri", "uri-js"].map(|library| format!("node node/adapter.js {library}"));
    let held = libraries.iter().filter(|command| holds(command)).count();
    println!("{held} of {} held", libraries.len());
}

#[test]
fn java() {
    holds("java java/Adapter.java");
}
