//! An export as JSON needs no other file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use jsonschema::Validator;
use serde_json::{Value, json};
use uriproof::model::{Clause, Input, Reading, Vector};
use uriproof::vectors::{DATA_VERSION, Library};
use uriproof_lab::export::{Export, Selection};

use super::{expected, parsed, root, stored};

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

/// A schema of the vectors' folder.
pub(super) fn schema(name: &str) -> Validator {
    let text = fs::read_to_string(root().join("vectors").join(name)).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

/// The exported vectors, put back into files, and the clauses, put back into a register, fit the schemas of both.
#[test]
fn json_fits_the_schemas() {
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

/// The Elements page is a data model, and no reading of the RFC: what it says otherwise, RFC 3986 says without a choice.
#[test]
fn the_core_has_what_the_elements_page_says_otherwise() {
    let library = Library::embedded();
    let is_there = |input: &str| {
        library.vectors().any(|vector| {
            vector.is_core()
                && vector.expect.contains_key(&Reading::Elements)
                && matches!(&vector.input, Input::Parse { input: of, .. } if of == input)
        })
    };
    for input in ["http://a/#", "file:///etc/hosts", "//a:4294967376"] {
        assert!(is_there(input), "{input}");
    }
}
