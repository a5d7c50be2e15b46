//! The vectors as one file for programs in any language: nothing is lost, nothing is missing, and what reads it works.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Map, Value, json};
use tempfile::TempDir;
use uriproof::model::{Clause, Expectation, Input, Reading, Vector};
use uriproof::run;
use uriproof::vectors::{Acceptances, DATA_VERSION, Library};
use uriproof_lab::export::{COLUMNS, Export, Selection};
use uriproof_subjects::reference::Reference;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The selected vectors, each rejection with its twin.
fn expected(library: &Library, selection: Selection) -> Vec<Vector> {
    let selected: Vec<&Vector> =
        library.vectors().filter(|vector| selection == Selection::All || vector.is_core()).collect();
    let acceptances = Acceptances::of(selected.iter().copied());
    let with_twin = |vector: &Vector| Vector {
        twin: acceptances.twin(vector).map(ToOwned::to_owned),
        ..vector.clone()
    };
    selected.into_iter().map(with_twin).collect()
}

/// The header and the vectors of an export as JSON.
fn parsed(export: &Export<'_>) -> (Value, Vec<Value>) {
    let mut document: Value = serde_json::from_str(&export.json()).unwrap();
    let vectors = document.as_object_mut().unwrap().remove("vectors").unwrap();
    (document, vectors.as_array().unwrap().clone())
}

fn stored(exported: &Value) -> Vector {
    let mut vector = exported.clone();
    for of_the_file in ["section", "title"] {
        assert!(vector.as_object_mut().unwrap().remove(of_the_file).is_some_and(|text| text.is_string()));
    }
    serde_json::from_value(vector).unwrap()
}

#[test]
fn json_and_json_lines_are_the_vectors() {
    let library = Library::embedded();
    for selection in [Selection::All, Selection::Core] {
        let export = Export::new(&library, selection);
        let (header, vectors) = parsed(&export);
        let read: Vec<Vector> = vectors.iter().map(stored).collect();
        assert!(read == expected(&library, selection), "{selection:?}");
        assert_eq!(header["data_version"], library.version());
        assert!(library.version().starts_with(&format!("{DATA_VERSION}+")));
        assert_eq!(header["count"], vectors.len());

        let lines: Vec<Value> =
            export.json_lines().split_terminator('\n').map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0], header);
        assert!(lines[1..] == vectors, "{selection:?}");
        assert_eq!(export.json(), Export::new(&Library::embedded(), selection).json());
        assert_eq!(export.json_lines().lines().count(), vectors.len() + 1, "one line each");
    }
}

#[test]
fn an_export_needs_no_other_file() {
    let library = Library::embedded();
    for selection in [Selection::All, Selection::Core] {
        let (header, vectors) = parsed(&Export::new(&library, selection));
        let clauses: Vec<Clause> = serde_json::from_value(header["clauses"].clone()).unwrap();
        let known: BTreeSet<&str> = clauses.iter().map(|clause| &*clause.id).collect();
        let cited: BTreeSet<&str> = vectors
            .iter()
            .flat_map(|vector| vector["clauses"].as_array().unwrap())
            .map(|id| id.as_str().unwrap())
            .collect();
        assert_eq!(known, cited, "{selection:?}");

        for vector in &vectors {
            let Some(twin) = vector.get("twin").map(|twin| twin.as_str().unwrap()) else {
                continue;
            };
            let twin =
                vectors.iter().find(|other| other["id"] == twin).unwrap_or_else(|| panic!("{selection:?}: {twin}"));
            assert_eq!(twin["input"]["operation"], vector["input"]["operation"], "{vector}");
            assert_ne!(twin["expect"]["rfc3986"]["outcome"], "rejected", "{vector}");
        }
        let is_lonely =
            |vector: &&Value| vector["expect"]["rfc3986"]["outcome"] == "rejected" && vector.get("twin").is_none();
        let lonely: Vec<&Value> = vectors.iter().filter(is_lonely).map(|vector| &vector["id"]).collect();
        // Of the core, the nearest acceptance may be one that is read in several ways.
        let most = if selection == Selection::All { 0 } else { 2 };
        assert!(
            lonely.len() <= most,
            "{selection:?}: rejections beside no acceptance: {lonely:?}"
        );
        let readings: BTreeSet<&str> =
            header["readings"].as_array().unwrap().iter().map(|reading| reading["id"].as_str().unwrap()).collect();
        assert_eq!(readings, Reading::ALL.map(Reading::id).into());
    }
}

/// The exported vectors, put back into files, and the clauses, put back into a register, fit the schemas of both.
#[test]
fn json_fits_the_schemas() {
    let schema = |name: &str| {
        let text = fs::read_to_string(root().join("vectors").join(name)).unwrap();
        jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
    };
    let (header, vectors) = parsed(&Export::new(&Library::embedded(), Selection::All));
    schema("clauses.schema.json").validate(&json!({"uriproof": 1, "clauses": header["clauses"]})).unwrap();
    let mut files: BTreeMap<(String, String), Vec<Value>> = BTreeMap::new();
    for exported in &vectors {
        let of_the_file = |key: &str| exported[key].as_str().unwrap().to_owned();
        let vector = serde_json::to_value(stored(exported)).unwrap();
        files.entry((of_the_file("section"), of_the_file("title"))).or_default().push(vector);
    }
    let schema = schema("schema.json");
    for ((section, title), vectors) in files {
        let file = json!({"uriproof": header["uriproof"], "title": title, "section": section, "vectors": vectors});
        if let Err(error) = schema.validate(&file) {
            panic!("{title}: {error} at {}", error.instance_path());
        }
    }
}

/// The core is what everybody owes: one outcome, no reading that has another.
#[test]
fn the_core_has_nothing_to_choose() {
    let library = Library::embedded();
    let (_, vectors) = parsed(&Export::new(&library, Selection::Core));
    assert!(vectors.len() > 2_000 && vectors.len() < library.vectors().count());
    for vector in vectors {
        assert_eq!(vector["level"], "must", "{}", vector["id"]);
        let outcomes = vector["expect"].as_object().unwrap();
        assert!(
            outcomes.keys().eq(["rfc3986"]) && outcomes["rfc3986"]["outcome"] != "one-of",
            "{}",
            vector["id"]
        );
    }
}

/// A field as its text; `None` is no value.
fn unescaped(field: &str) -> Option<String> {
    if field == r"\N" {
        return None;
    }
    let mut parts = field.split(r"\x");
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    Some(String::from_utf8(bytes).unwrap())
}

/// The fields below `path`, as an object.
fn object(row: &BTreeMap<&str, Option<String>>, path: &str) -> Map<String, Value> {
    let field = |(column, text): (&&str, &Option<String>)| {
        let name = column.strip_prefix(path).filter(|name| !name.contains('.'))?;
        Some((name.to_owned(), text.clone().map_or(Value::Null, Value::from)))
    };
    row.iter().filter_map(field).collect()
}

fn without_nulls(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

fn with_booleans(mut fields: Map<String, Value>) -> Map<String, Value> {
    for key in ["strict", "equivalent"] {
        if let Some(value) = fields.get_mut(key) {
            *value = Value::Bool(value == "true");
        }
    }
    fields
}

/// A vector, from the lines of its id.
fn of_rows(rows: &[BTreeMap<&str, Option<String>>]) -> Value {
    let first = &rows[0];
    let text = |row: &BTreeMap<&str, Option<String>>, column: &str| row[column].clone().unwrap();
    let mut input = with_booleans(without_nulls(object(first, "input.")));
    if input["operation"] == "compose" {
        input.insert("components".to_owned(), object(first, "input.components.").into());
    }
    if input["operation"] == "modify" {
        input.entry("value").or_insert(Value::Null);
    }
    let mut expect = Map::new();
    for row in rows {
        let mut outcome = with_booleans(without_nulls(object(row, "expect.")));
        if row["expect.components.path"].is_some() {
            outcome.insert("components".to_owned(), object(row, "expect.components.").into());
        }
        if row["expect.broken"].is_some() {
            assert_eq!(text(row, "expect.broken"), "");
            outcome.insert("broken".to_owned(), json!([]));
        }
        let reading = expect.entry(text(row, "reading"));
        match &row["choice"] {
            None => {
                reading.or_insert(outcome.into());
            }
            Some(name) => {
                let one = json!({"name": name, "licence": row["licence"], "outcome": outcome});
                let several = reading.or_insert(json!({"outcome": "one-of", "outcomes": []}));
                several["outcomes"].as_array_mut().unwrap().push(one);
            }
        }
    }
    let mut vector = json!({
        "id": first["id"],
        "input": input,
        "expect": expect,
        "level": first["level"],
        "clauses": text(first, "clauses").split(' ').collect::<Vec<_>>(),
    });
    for optional in ["note", "twin"] {
        if let Some(words) = &first[optional] {
            vector[optional] = words.clone().into();
        }
    }
    vector
}

#[test]
fn tsv_is_the_vectors() {
    let library = Library::embedded();
    for selection in [Selection::All, Selection::Core] {
        let text = Export::new(&library, selection).tsv();
        assert_eq!(text, Export::new(&Library::embedded(), selection).tsv());
        assert_eq!(
            text.lines().count(),
            text.matches('\n').count(),
            "nothing else ends a line"
        );
        assert!(!text.chars().any(|character| character.is_control() && !matches!(character, '\t' | '\n')));

        let mut lines = text.split_terminator('\n');
        assert!(lines.next().unwrap().split('\t').eq(COLUMNS));
        let rows: Vec<BTreeMap<&str, Option<String>>> = lines
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                assert_eq!(fields.len(), COLUMNS.len(), "{line}");
                COLUMNS.into_iter().zip(fields.into_iter().map(unescaped)).collect()
            })
            .collect();
        let read: Vec<Vector> = rows
            .chunk_by(|one, other| one["id"] == other["id"])
            .map(|rows| serde_json::from_value(of_rows(rows)).unwrap())
            .collect();
        assert_eq!(read.len(), expected(&library, selection).len());
        for (read, vector) in read.iter().zip(expected(&library, selection)) {
            assert_eq!(*read, vector);
        }
        let files = library.files.iter().flat_map(|file| file.content.vectors.iter().map(move |vector| (vector, file)));
        let files: BTreeMap<&str, _> = files.map(|(vector, file)| (&*vector.id, &file.content)).collect();
        for row in &rows {
            let file = files[&**row["id"].as_ref().unwrap()];
            assert_eq!(row["section"].as_ref(), Some(&file.section));
            assert_eq!(row["title"].as_ref(), Some(&file.title));
            assert_eq!(row["data_version"], Some(library.version()));
        }
    }
}

fn uriproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_uriproof")).args(arguments).output().unwrap()
}

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
