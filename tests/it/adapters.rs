//! The adapters in `adapters/`, each where its runtime and its package are there. What is not there is named.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Output, Stdio};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// An adapter for one library.
struct Adapter {
    /// Its folder.
    language: &'static str,
    /// The name of the library in `hello`.
    library: &'static str,
    /// A command that succeeds where the runtime and the package are there.
    need: &'static [&'static str],
    /// How it is started, in its folder; `{built}` is the program that is built of it.
    command: &'static str,
}

const fn adapter(
    language: &'static str,
    library: &'static str,
    need: &'static [&'static str],
    command: &'static str,
) -> Adapter {
    Adapter {
        language,
        library,
        need,
        command,
    }
}

const ADAPTERS: [Adapter; 17] = [
    adapter(
        "c",
        "uriparser",
        &["cc", "-E", "-include", "uriparser/Uri.h", "-x", "c", "/dev/null"],
        "{built}",
    ),
    adapter("go", "net/url", &["go", "version"], "go run adapter.go"),
    adapter("java", "java.net.URI", &["java", "--version"], "java Adapter.java"),
    adapter("node", "URL", &["node", "-e", "URL"], "node adapter.js url"),
    adapter(
        "node",
        "whatwg-url",
        &["node", "-e", "require('whatwg-url')"],
        "node adapter.js whatwg-url",
    ),
    adapter(
        "node",
        "fast-uri",
        &["node", "-e", "require('fast-uri')"],
        "node adapter.js fast-uri",
    ),
    adapter(
        "node",
        "uri-js",
        &["node", "-e", "require('uri-js')"],
        "node adapter.js uri-js",
    ),
    adapter("perl", "URI", &["perl", "-MURI", "-e", "1"], "perl adapter.pl"),
    adapter(
        "php",
        "parse_url",
        &["php", "-r", "exit((int) (PHP_VERSION_ID < 80000));"],
        "php adapter.php parse_url",
    ),
    adapter(
        "php",
        r"Uri\Rfc3986\Uri",
        &["php", "-r", r"exit((int) !class_exists('Uri\Rfc3986\Uri'));"],
        "php adapter.php rfc3986",
    ),
    adapter(
        "php",
        r"Uri\WhatWg\Url",
        &["php", "-r", r"exit((int) !class_exists('Uri\WhatWg\Url'));"],
        "php adapter.php whatwg",
    ),
    adapter(
        "python",
        "urllib.parse",
        &["python3", "-c", "import urllib.parse"],
        "python3 adapter.py urllib",
    ),
    adapter(
        "python",
        "rfc3986",
        &["python3", "-c", "import rfc3986"],
        "python3 adapter.py rfc3986",
    ),
    adapter(
        "python",
        "hyperlink",
        &["python3", "-c", "import hyperlink"],
        "python3 adapter.py hyperlink",
    ),
    adapter(
        "python",
        "yarl",
        &["python3", "-c", "import yarl"],
        "python3 adapter.py yarl",
    ),
    adapter("ruby", "uri", &["ruby", "-e", "require 'uri'"], "ruby adapter.rb uri"),
    adapter(
        "ruby",
        "addressable",
        &["ruby", "-e", "require 'addressable/uri'"],
        "ruby adapter.rb addressable",
    ),
];

impl Adapter {
    /// The command, and the folder of what is built; `None` where the runtime or the package is missing.
    fn start(&self) -> Option<(String, Option<TempDir>)> {
        if !is_there(self.language, self.need) {
            return None;
        }
        if self.language != "c" {
            return Some((self.command.to_owned(), None));
        }
        let built = tempfile::tempdir().unwrap();
        let program = built.path().join("adapter").into_os_string().into_string().unwrap();
        let build = ["-Wall", "-Wextra", "-o", &program, "adapter.c", "-luriparser"];
        let build = Process::new("cc").args(build).current_dir(folder("c")).output().unwrap();
        assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
        Some((
            self.command.replace("{built}", &shell_words::quote(&program)),
            Some(built),
        ))
    }

    /// Its answers to these requests, by number, and to `hello`, which is 0.
    fn answers(&self, command: &str, requests: &[Value]) -> Vec<Value> {
        let words = shell_words::split(command).unwrap();
        let mut process = Process::new(&words[0])
            .args(&words[1..])
            .current_dir(folder(self.language))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = format!("{}\n", json!({"uriproof": 1, "id": 0, "op": "hello"}));
        for (number, request) in requests.iter().enumerate() {
            let mut request = request.clone();
            request["id"] = json!(number + 1);
            lines += &format!("{request}\n");
        }
        process.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        let answers: Vec<Value> =
            String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), requests.len() + 1, "{command}: {answers:?}");
        answers
    }
}

/// Probes each adapter of a language.
fn hold(language: &str) {
    for adapter in ADAPTERS.iter().filter(|adapter| adapter.language == language) {
        if let Some((command, _built)) = adapter.start() {
            holds(language, &command);
        }
    }
}

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
    hold("python");
}

#[test]
fn node() {
    hold("node");
}

#[test]
fn java() {
    hold("java");
}

#[test]
fn c() {
    hold("c");
}

#[test]
fn go() {
    hold("go");
}

#[test]
fn ruby() {
    hold("ruby");
}

#[test]
fn php() {
    hold("php");
}

#[test]
fn perl() {
    hold("perl");
}

/// The cells of the table of operations, by library and operation.
fn table() -> BTreeMap<String, BTreeMap<String, String>> {
    let readme = fs::read_to_string(folder("README.md")).unwrap();
    let (_, behind) = readme.split_once("| library | parse").expect("the table of operations");
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect()
    };
    let mut lines = behind.lines();
    let operations = cells(&format!("parse{}", lines.next().unwrap()));
    lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let row = cells(line);
            assert_eq!(row.len(), operations.len() + 1, "{line}");
            (
                row[0].clone(),
                operations.iter().cloned().zip(row[1..].iter().cloned()).collect(),
            )
        })
        .collect()
}

/// Whether a version is a later one, or the same.
fn is_since(version: &str, first: &str) -> bool {
    let numbers = |text: &str| -> Vec<u32> { text.split('.').map_while(|number| number.parse().ok()).collect() };
    numbers(version) >= numbers(first)
}

fn has_operation(cell: &str, version: &str) -> bool {
    !cell.is_empty() && (!cell.starts_with(|c: char| c.is_ascii_digit()) || is_since(version, cell))
}

/// What the cell of an operation with choices is, by the answers of the adapter.
fn choices(adapter: &Adapter, command: &str, operation: &str) -> String {
    let takes = |request: Value| adapter.answers(command, &[request])[1]["outcome"] == "accepted";
    match operation {
        "resolve" => {
            let not_strict = |scheme: &str| {
                let (base, reference) = (format!("{scheme}://a/b"), format!("{scheme}:c"));
                takes(json!({"op": "resolve", "base": base, "reference": reference, "strict": false}))
            };
            match (not_strict("x"), not_strict("http")) {
                (true, _) => "both".to_owned(),
                (false, true) => "special".to_owned(),
                (false, false) => "strict".to_owned(),
            }
        }
        "normalize" => ["syntax", "scheme"]
            .into_iter()
            .filter(|scope| takes(json!({"op": "normalize", "uri": "http://a/b", "scope": scope})))
            .collect::<Vec<_>>()
            .join(", "),
        _ => ["simple", "syntax", "scheme"]
            .into_iter()
            .filter(|rung| {
                takes(json!({"op": "equivalent", "left": "http://a/b", "right": "http://a/b", "rung": rung}))
            })
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// Where a runtime is missing, only the source of the adapter is read: whether the operations of the row are in it.
fn source_has_row(adapter: &Adapter, row: &BTreeMap<String, String>) {
    let source: String = fs::read_dir(folder(adapter.language))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("adapter")))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let source = source.replace("roundTrip", "round-trip").replace("round_trip", "round-trip");
    for (operation, _) in row.iter().filter(|(_, cell)| !cell.is_empty()) {
        assert!(source.contains(operation.as_str()), "{}: {operation}", adapter.library);
    }
    println!("source only: {}", adapter.library);
}

#[test]
fn the_table_of_operations_is_that_of_the_adapters() {
    let table = table();
    let named: Vec<&str> = table.keys().map(String::as_str).collect();
    let mut known: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.library).collect();
    known.sort_unstable();
    assert_eq!(named, known);
    for adapter in &ADAPTERS {
        let row = &table[adapter.library];
        let Some((command, _built)) = adapter.start() else {
            source_has_row(adapter, row);
            continue;
        };
        let hello = adapter.answers(&command, &[]).swap_remove(0);
        assert_eq!(hello["name"], adapter.library);
        let version = hello["version"].as_str().unwrap();
        let mut has: Vec<&str> =
            hello["operations"].as_array().unwrap().iter().map(|operation| operation.as_str().unwrap()).collect();
        has.sort_unstable();
        let said: Vec<&str> = row
            .iter()
            .filter(|(_, cell)| has_operation(cell, version))
            .map(|(operation, _)| operation.as_str())
            .collect();
        assert_eq!(said, has, "{}", adapter.library);
        for operation in ["resolve", "normalize", "equivalent"] {
            if has.contains(&operation) {
                assert_eq!(
                    row[operation],
                    choices(adapter, &command, operation),
                    "{}: {operation}",
                    adapter.library
                );
            }
        }
    }
}
