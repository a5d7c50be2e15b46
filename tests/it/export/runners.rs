//! The example runners can read an export.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use uriproof::model::{Expectation, Input};
use uriproof::vectors::Library;
use uriproof_lab::export::{Export, Selection};

use super::{expected, root};

/// Runs a program on an export; `None` and a line that says why, if it cannot be started.
fn runs(program: &Path, arguments: &[&Path], input: &str) -> Option<Output> {
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            println!("skipped: {} cannot be started: {error}", program.display());
            return None;
        }
    };
    // All of them read everything before they print; who ends early is known by its status.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Some(child.wait_with_output().unwrap())
}

/// The numbers of the line that begins with `title`: `title: name 1, other name 2`.
fn counts(text: &str, title: &str) -> BTreeMap<String, usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(title)?.strip_prefix(": ")).unwrap();
    line.split(", ")
        .filter_map(|one| one.rsplit_once(' '))
        .filter_map(|(name, count)| Some((name.to_owned(), count.parse().ok()?)))
        .collect()
}

#[test]
fn the_python_runner_runs_an_export() {
    let runner = root().join("examples/runner.py");
    assert!(fs::read_to_string(&runner).unwrap().lines().count() <= 60);
    let library = Library::embedded();
    for selection in [Selection::All, Selection::Core] {
        let Some(output) = runs(
            Path::new("python3"),
            &[&runner],
            &Export::new(&library, selection).json(),
        ) else {
            return;
        };
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );

        let verdicts = counts(&stdout, "vectors");
        assert!(verdicts.keys().eq(["agree", "diverge", "unsupported"]), "{verdicts:?}");
        assert_eq!(verdicts.values().sum::<usize>(), expected(&library, selection).len());
        assert_eq!(
            counts(&stdout, "unsupported").values().sum::<usize>(),
            verdicts["unsupported"]
        );

        let diverging: BTreeMap<&str, &str> =
            stdout.lines().filter_map(|line| line.strip_prefix("diverge ")?.split_once(": ")).collect();
        assert_eq!(diverging.len(), verdicts["diverge"]);
        for (id, clause) in &diverging {
            let clause = library.clause(clause.split_once(": ").unwrap().0).expect("each is named with its clause");
            let vector = library.vectors().find(|vector| vector.id == *id).unwrap();
            assert_eq!(vector.clauses[0], clause.id);
        }
        assert!(
            !diverging.contains_key("rfc/5.4.1/query-only"),
            "urljoin does what the RFC prints"
        );
        assert!(
            diverging.contains_key("syntax/characters/space-in-path"),
            "urlsplit accepts a space"
        );
    }
}

/// An export of the URL Standard has the same form.
#[test]
fn the_python_runner_runs_an_export_of_the_url_standard() {
    let library = Library::embedded();
    let export = Export::of_whatwg(&library, Selection::All);
    let Some(output) = runs(
        Path::new("python3"),
        &[&root().join("examples/runner.py")],
        &export.json(),
    ) else {
        return;
    };
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let verdicts = counts(&stdout, "vectors");
    assert_eq!(verdicts.values().sum::<usize>(), library.whatwg.vectors.len());
    assert!(verdicts["agree"] > 0 && verdicts["diverge"] > 0, "{verdicts:?}");
    let diverging = stdout.lines().filter_map(|line| line.strip_prefix("diverge whatwg/")?.split_once(": "));
    let clauses: Vec<&str> = diverging.map(|(_, clause)| clause.split_once(": ").unwrap().0).collect();
    assert_eq!(clauses.len(), verdicts["diverge"]);
    assert!(
        clauses.iter().all(|id| library.whatwg.clause(id).is_some()),
        "{clauses:?}"
    );
}

#[test]
fn the_c_example_reads_tsv() {
    let folder = tempfile::TempDir::new().unwrap();
    let (program, source) = (folder.path().join("tsv"), root().join("examples/tsv.c"));
    assert!(fs::read_to_string(&source).unwrap().lines().count() < 100);
    let flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"].map(Path::new);
    let Some(compiled) = runs(Path::new("cc"), &[&flags[..], &[&program, &source]].concat(), "") else {
        return;
    };
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );

    let library = Library::embedded();
    let output = runs(&program, &[], &Export::new(&library, Selection::All).tsv()).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut numbers = [0; 6];
    for vector in library.vectors() {
        numbers[0] += 1;
        for expectation in vector.expect.values() {
            let outcomes: Vec<&Expectation> = match expectation {
                Expectation::OneOf(outcomes) => outcomes.iter().map(|one| &one.outcome).collect(),
                outcome => vec![outcome],
            };
            for outcome in outcomes {
                numbers[1] += 1;
                numbers[2] += usize::from(*outcome == Expectation::Rejected);
                if let Expectation::Components(components) = outcome {
                    numbers[3] += usize::from(components.query.is_none());
                    numbers[4] += usize::from(components.query.as_deref() == Some(""));
                }
                if let Input::Parse { input, .. } = &vector.input {
                    numbers[5] += input.len();
                }
            }
        }
    }
    let names = [
        "vectors",
        "lines",
        "rejected",
        "undefined queries",
        "empty queries",
        "bytes of input",
    ];
    let mut expected = String::new();
    for (name, number) in names.iter().zip(numbers) {
        writeln!(expected, "{name} {number}").unwrap();
    }
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}
