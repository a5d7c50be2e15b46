//! The command exports what the library makes.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;
use uriproof::model::{Reading, Vector};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_lab::export::{Export, Selection};
use uriproof_subjects::reference::Reference;

use super::{expected, root, uriproof};

#[test]
fn the_command_writes_what_the_library_makes() {
    let library = Library::embedded();
    let all = Export::new(&library, Selection::All);
    let folder = tempfile::TempDir::new().unwrap();
    for (format, text) in [("json", all.json()), ("jsonl", all.json_lines()), ("tsv", all.tsv())] {
        let done = uriproof(&["vectors", "export", "--format", format]);
        assert!(done.status.success() && done.stdout == text.as_bytes(), "{format}");

        let file = folder.path().join("new").join(format);
        let done = uriproof(&[
            "vectors",
            "export",
            "--format",
            format,
            "--output",
            file.to_str().unwrap(),
        ]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert!(fs::read_to_string(file).unwrap() == text, "{format}");
    }
    assert!(uriproof(&["vectors", "export"]).stdout == all.json().as_bytes());
    let of_the_folder = root().join("vectors");
    let done = uriproof(&["vectors", "export", "--vectors", of_the_folder.to_str().unwrap()]);
    assert!(done.stdout == all.json().as_bytes());
    let done = uriproof(&["vectors", "export", "--vectors", "core"]);
    assert!(done.stdout == Export::new(&library, Selection::Core).json().as_bytes());
}

/// A program in any language can run the suites of `check`: each input has the outcomes that conform, or the property that decides.
#[test]
fn the_suites_of_operations_are_exported() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    let written = uriproof(&[
        "vectors",
        "suites",
        "--operation",
        "compose",
        "--operation",
        "relativize",
        "--output",
        path,
    ]);
    assert!(written.status.success());
    let read = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let compose = read("compose-core.jsonl");
    assert_eq!(compose[0]["inputs"], compose.len() - 1);
    assert_eq!(compose[0]["suite"], "compose");
    for line in &compose[1..] {
        let vector: Vector = serde_json::from_value(line.clone()).unwrap();
        let verdict = run::vector(&Reference, &vector, Reading::Rfc3986).verdict;
        assert_eq!(verdict.name(), "agree", "{line}");
    }
    let relativize = read("relativize-core.jsonl");
    assert!(relativize.len() > 5000);
    let valid =
        |line: &&Value| line["property"].as_str().is_some_and(|property| property.starts_with("what resolves to"));
    assert_eq!(relativize[1..].iter().filter(valid).count(), relativize.len() - 1);
}

#[test]
fn what_cannot_be_exported_leaves_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let nowhere = folder.path().join("none");
    let (nowhere, target) = (nowhere.to_str().unwrap(), folder.path().to_str().unwrap());
    for (arguments, words) in [
        (["--vectors", nowhere], "no file or folder `"),
        (["--output", target], "cannot be written: it is a folder"),
    ] {
        let done = uriproof(&[&["vectors", "export"], &arguments[..]].concat());
        let stderr = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), &*done.stdout), (Some(2), &b""[..]), "{stderr}");
        assert!(stderr.contains(words) && stderr.lines().count() == 1, "{stderr}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn core_is_the_same_in_every_command() {
    let core: Vec<String> = expected(&Library::embedded(), Selection::Core).iter().map(|one| one.id.clone()).collect();
    let done = uriproof(&["vectors", "list", "--vectors", "core", "--format", "json"]);
    let listed: Vec<Value> = serde_json::from_slice(&done.stdout).unwrap();
    assert!(listed.iter().map(|vector| vector["id"].as_str().unwrap()).eq(core.iter().map(String::as_str)));

    let done = uriproof(&[
        "check",
        "--vectors",
        "core",
        "--subject",
        "reference",
        "--format",
        "json",
    ]);
    let results: Value = serde_json::from_slice(&done.stdout).unwrap();
    let agreed = results["subjects"][0]["agreed"].as_array().unwrap();
    let (agreed, core): (BTreeSet<_>, BTreeSet<_>) = (
        agreed.iter().map(|id| id.as_str().unwrap()).collect(),
        core.iter().map(String::as_str).collect(),
    );
    assert_eq!(agreed, core);
}
