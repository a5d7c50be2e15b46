//! An export of the vectors of the WHATWG URL Standard has the form of those of RFC 3986.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof::model::{Clause, Operation, WhatwgVector};
use uriproof::vectors::Library;
use uriproof_lab::export::{COLUMNS, Export, Selection};

use super::json::schema;
use super::tsv::{of_rows, rows};
use super::{parsed, root, uriproof, without_file};

/// The vectors of the standard that are selected.
fn selected(library: &Library, selection: Selection) -> Vec<WhatwgVector> {
    let all = library.whatwg.files.iter().flat_map(|file| file.content.vectors.clone());
    all.filter(|vector| selection == Selection::All || vector.to_vector().is_core()).collect()
}

fn stored(exported: &Value) -> WhatwgVector {
    serde_json::from_value(without_file(exported)).unwrap()
}

#[test]
fn json_and_json_lines_are_the_vectors_of_the_standard() {
    let library = Library::embedded();
    for selection in [Selection::All, Selection::Core] {
        let export = Export::of_whatwg(&library, selection);
        let (header, vectors) = parsed(&export);
        let read: Vec<WhatwgVector> = vectors.iter().map(stored).collect();
        assert!(read == selected(&library, selection), "{selection:?}");
        assert_eq!(header["specification"], "whatwg");
        assert_eq!(header["count"], vectors.len());
        assert_eq!(header["data_version"], library.whatwg.version());
        assert_eq!(header["readings"].as_array().unwrap().len(), 1);
        assert_eq!(header["readings"][0]["id"], "whatwg");

        let clauses: Vec<Clause> = serde_json::from_value(header["clauses"].clone()).unwrap();
        let known: BTreeSet<&str> = clauses.iter().map(|clause| &*clause.id).collect();
        let cited: BTreeSet<&str> = read.iter().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
        assert_eq!(known, cited, "{selection:?}");

        let lines: Vec<Value> =
            export.json_lines().split_terminator('\n').map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0], header);
        assert!(lines[1..] == vectors, "{selection:?}");
    }
    let core = selected(&library, Selection::Core);
    assert!(
        core.len() > 500 && core.len() < library.whatwg.vectors.len(),
        "{}",
        core.len()
    );
    let has_setter = |vector: &WhatwgVector| vector.input.operation() == Operation::Modify;
    assert!(!core.iter().any(has_setter) && selected(&library, Selection::All).iter().any(has_setter));
}

/// The version of the one says nothing of the other.
#[test]
fn the_standard_has_a_version_of_its_own() {
    let embedded = Library::embedded();
    let of_folder = Library::from_path(&root().join("vectors")).unwrap();
    assert_eq!(embedded.whatwg.version(), of_folder.whatwg.version());
    assert_ne!(embedded.whatwg.version(), embedded.version());
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("whatwg")).unwrap();
    let text = fs::read_to_string(root().join("vectors/whatwg/port.json")).unwrap();
    let versions = [text.clone(), text.replacen("\"must\"", " \"must\"", 1)].map(|text| {
        fs::write(folder.path().join("whatwg/port.json"), text).unwrap();
        Library::from_path(folder.path()).unwrap().whatwg.version()
    });
    assert_ne!(versions[0], versions[1]);
}

#[test]
fn json_of_the_standard_fits_the_schemas() {
    let (header, vectors) = parsed(&Export::of_whatwg(&Library::embedded(), Selection::All));
    let clauses = json!({"uriproof": 1, "specification": "whatwg", "clauses": header["clauses"]});
    schema("clauses.schema.json").validate(&clauses).unwrap();
    let mut files: BTreeMap<(&str, &str), Vec<Value>> = BTreeMap::new();
    for exported in &vectors {
        let of_the_file = |key: &str| exported[key].as_str().unwrap();
        files.entry((of_the_file("section"), of_the_file("title"))).or_default().push(without_file(exported));
    }
    let schema = schema("schema.json");
    for ((section, title), vectors) in files {
        let specification = &header["specification"];
        let file = json!({
            "uriproof": header["uriproof"], "title": title, "specification": specification, "section": section, "vectors": vectors,
        });
        if let Err(error) = schema.validate(&file) {
            panic!("{title}: {error} at {}", error.instance_path());
        }
    }
}

#[test]
fn tsv_is_the_vectors_of_the_standard() {
    let library = Library::embedded();
    let text = Export::of_whatwg(&library, Selection::All).tsv();
    assert!(text.lines().next().unwrap().split('\t').eq(COLUMNS));
    let rows = rows(&text);
    let vectors = selected(&library, Selection::All);
    assert_eq!(rows.len(), vectors.len(), "each has one outcome");
    let mut with_errors = 0;
    for (row, vector) in rows.iter().zip(vectors) {
        let mut read = of_rows(std::slice::from_ref(row));
        if let Some(errors) = &row["errors"] {
            read["errors"] = errors.split(", ").collect();
            with_errors += 1;
        }
        assert_eq!(serde_json::from_value::<WhatwgVector>(read).unwrap(), vector);
        assert_eq!(row["reading"].as_deref(), Some("whatwg"));
        assert_eq!(row["data_version"], Some(library.whatwg.version()));
    }
    assert!(with_errors > 300, "{with_errors}");
}

#[test]
fn the_command_exports_the_standard() {
    let library = Library::embedded();
    let export = |more: &[&str]| uriproof(&[&["vectors", "export", "--specification", "whatwg"], more].concat());
    let all = Export::of_whatwg(&library, Selection::All);
    for (format, text) in [("json", all.json()), ("jsonl", all.json_lines()), ("tsv", all.tsv())] {
        let done = export(&["--format", format]);
        assert!(done.status.success() && done.stdout == text.as_bytes(), "{format}");
    }
    let core = Export::of_whatwg(&library, Selection::Core).json();
    assert!(export(&["--vectors", "core"]).stdout == core.as_bytes());
    let folder = root().join("vectors");
    assert!(export(&["--vectors", folder.to_str().unwrap()]).stdout == all.json().as_bytes());

    let without = root().join("vectors/security");
    let done = export(&["--vectors", without.to_str().unwrap()]);
    let stderr = String::from_utf8(done.stderr).unwrap();
    assert_eq!((done.status.code(), &*done.stdout), (Some(2), &b""[..]), "{stderr}");
    assert!(stderr.contains("no vector of this specification"), "{stderr}");
}
