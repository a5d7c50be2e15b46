//! The adapters in `adapters/`, each where its runtime and its package are there. What is not there is named.

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output};

use assert_cmd::Command;
use serde_json::Value;

fn folder(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters").join(language)
}

fn run(language: &str, arguments: &[&str]) -> Output {
    Command::cargo_bin("uriproof").unwrap().current_dir(folder(language)).args(arguments).output().unwrap()
}

/// Whether what an adapter needs is there: whether the command succeeds that asks for it. What is not there is named.
fn is_there(language: &str, need: &[&str]) -> bool {
    let found = Process::new(need[0]).args(&need[1..]).current_dir(folder(language)).output();
    let reason = match found {
        Ok(output) if output.status.success() => return true,
        Ok(_) => format!("`{}` fails", need.join(" ")),
        Err(error) => format!("`{}` cannot be started: {error}", need[0]),
    };
    println!("skipped: {language}: {reason}");
    false
}

/// Probes an adapter, and asks it some vectors of every kind.
fn holds(language: &str, command: &str) {
    let probe = run(
        language,
        &[
            "check",
            "--command",
            command,
            "--probe",
            "--format",
            "json",
            "--time-limit",
            "60",
        ],
    );
    let tried: Value = serde_json::from_slice(&probe.stdout).unwrap();
    let tried = tried.as_array().unwrap();
    let wrong: Vec<&Value> = tried.iter().filter(|one| one["result"] == "wrong").collect();
    assert!(wrong.is_empty(), "{command}: {wrong:?}");
    let only = [
        "--only",
        "{rfc/5.4.1,syntax/port,normalization/case}/*",
        "--format",
        "json",
    ];
    let first = ["check", "--command", command, "--time-limit", "60"];
    let check = run(language, &[&first, &only[..]].concat());
    let results: Value = serde_json::from_slice(&check.stdout).unwrap();
    let subject = &results["subjects"][0];
    assert_eq!(subject["gate"]["lost"], Value::Null, "{command}");
    assert_eq!(subject["counts"]["crashed"], 0, "{command}: {}", results["vectors"]);
    assert!(
        subject["counts"]["agree"].as_u64().unwrap() > 5,
        "{command}: {}",
        subject["counts"]
    );
    println!("held: {language}: {}", subject["subject"].as_str().unwrap());
}

#[test]
fn python() {
    for (library, need) in [
        ("urllib", "import urllib.parse"),
        ("rfc3986", "import rfc3986"),
        ("hyperlink", "import hyperlink"),
        ("yarl", "import yarl"),
    ] {
        if is_there("python", &["python3", "-c", need]) {
            holds("python", &format!("python3 adapter.py {library}"));
        }
    }
}

#[test]
fn node() {
    for (library, need) in [
        ("url", "URL"),
        ("fast-uri", "require('fast-uri')"),
        ("uri-js", "require('uri-js')"),
    ] {
        if is_there("node", &["node", "-e", need]) {
            holds("node", &format!("node adapter.js {library}"));
        }
    }
}

#[test]
fn java() {
    if is_there("java", &["java", "--version"]) {
        holds("java", "java Adapter.java");
    }
}

#[test]
fn c() {
    if !is_there(
        "c",
        &["cc", "-E", "-include", "uriparser/Uri.h", "-x", "c", "/dev/null"],
    ) {
        return;
    }
    let built = tempfile::tempdir().unwrap();
    let program = built.path().join("adapter").into_os_string().into_string().unwrap();
    let build = ["-Wall", "-Wextra", "-o", &program, "adapter.c", "-luriparser"];
    let build = Process::new("cc").args(build).current_dir(folder("c")).output().unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    holds("c", &shell_words::quote(&program));
}

#[test]
fn go() {
    if is_there("go", &["go", "version"]) {
        holds("go", "go run adapter.go");
    }
}

#[test]
fn ruby() {
    for (library, need) in [("uri", "require 'uri'"), ("addressable", "require 'addressable/uri'")] {
        if is_there("ruby", &["ruby", "-e", need]) {
            holds("ruby", &format!("ruby adapter.rb {library}"));
        }
    }
}

#[test]
fn php() {
    for (library, need) in [
        ("parse_url", "exit((int) (PHP_VERSION_ID < 80000));"),
        ("rfc3986", r"exit((int) !class_exists('Uri\Rfc3986\Uri'));"),
    ] {
        if is_there("php", &["php", "-r", need]) {
            holds("php", &format!("php adapter.php {library}"));
        }
    }
}

#[test]
fn perl() {
    if is_there("perl", &["perl", "-MURI", "-e", "1"]) {
        holds("perl", "perl adapter.pl");
    }
}
