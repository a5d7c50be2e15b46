//! `uriproof report` writes the same files every time.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{refused, uriproof};

fn files(folder: &Path) -> Vec<String> {
    let mut files: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    files.sort();
    files
}

#[test]
fn report_prints_the_matrix_and_writes_both_files_the_same_every_time() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("target/uriproof");
    fs::create_dir_all(&results).unwrap();
    // A run was killed here between its two files: the first is of that run, the second of one before, with its part file beside it.
    // Another was killed while it wrote both.
    let old = r#"{"uriproof": 1, "data_version": "0.1.0", "subjects": [], "vectors": []}"#;
    for (name, text) in [
        ("../../REPORT.md", "# uriproof report\n\nof the killed run\n"),
        ("results.json", old),
        (".results.json.1-1.part", "{\"uriproof\": 1}"),
        (".results.json.2-0.part", "{"),
        ("../../.REPORT.md.2-1.part", "# "),
    ] {
        fs::write(results.join(name), text).unwrap();
    }
    let done = uriproof(&["report", "--output", folder.path().to_str().unwrap()]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(files(&results), ["results.json"]);
    let rows: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with(" fluent-uri ")).collect();
    assert_eq!(rows.len(), 2, "a line for each crate: {}", done.stdout);
    let widest = done.stdout.lines().filter(|line| line.starts_with(' ')).map(str::len).max();
    assert!(widest.is_some_and(|widest| widest <= 80), "{}", done.stdout);
    assert!(!done.stdout.contains('\u{1b}'), "no colour where no terminal is");
    let [report, results] =
        ["REPORT.md", "target/uriproof/results.json"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    assert!(report.starts_with("# uriproof report\n"));
    let tracked = Path::new(env!("CARGO_MANIFEST_DIR")).join("REPORT.md");
    assert!(
        report == fs::read_to_string(tracked).unwrap(),
        "it is not the REPORT.md of the last run"
    );

    let results: Value = serde_json::from_str(&results).unwrap();
    let entry_points = results["subjects"].as_array().unwrap().len() - 1;
    let said = format!("the reference itself and {entry_points} entry points of ");
    assert!(report.contains(&said), "both are of one run: {said}");
    let reference = &results["subjects"][0];
    assert_eq!(reference["counts"]["diverge"], 0);
    assert_eq!(reference["counts"]["crashed"], 0);
    assert_eq!(files(folder.path()), ["REPORT.md", "target"]);
}

#[test]
fn report_with_an_unwritable_output_writes_nothing() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("target/uriproof/results.json")).unwrap();
    let message = refused(&["report", "--output", folder.path().to_str().unwrap()]);
    assert!(message.contains("results.json cannot be written"), "{message}");
    assert_eq!(files(folder.path()), ["target"]);

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let message = refused(&["report", "--output", file.to_str().unwrap()]);
    assert!(message.contains("REPORT.md cannot be written"), "{message}");
}
