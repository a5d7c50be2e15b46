//! An export has every vector in one file, for programs in any language.

mod command;
mod json;
mod runners;
mod tsv;
mod whatwg;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use uriproof::model::{Reading, Vector};
use uriproof::vectors::{Acceptances, Library};
use uriproof_lab::export::{Export, Selection};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The selected vectors, each rejection with its twin, and those of the core with the outcome of the RFC alone.
fn expected(library: &Library, selection: Selection) -> Vec<Vector> {
    let selected: Vec<&Vector> =
        library.vectors().filter(|vector| selection == Selection::All || vector.is_core()).collect();
    let acceptances = Acceptances::of(selected.iter().copied());
    let as_exported = |vector: &Vector| {
        let mut exported = vector.clone();
        exported.twin = acceptances.twin(vector).map(ToOwned::to_owned);
        exported.expect.retain(|reading, _| selection == Selection::All || *reading == Reading::Rfc3986);
        exported
    };
    selected.into_iter().map(as_exported).collect()
}

/// The header and the vectors of an export as JSON.
fn parsed(export: &Export<'_>) -> (Value, Vec<Value>) {
    let mut document: Value = serde_json::from_str(&export.json()).unwrap();
    let vectors = document.as_object_mut().unwrap().remove("vectors").unwrap();
    (document, vectors.as_array().unwrap().clone())
}

/// A vector without what its file says of it.
fn without_file(exported: &Value) -> Value {
    let mut vector = exported.clone();
    for of_the_file in ["section", "title"] {
        assert!(vector.as_object_mut().unwrap().remove(of_the_file).is_some_and(|text| text.is_string()));
    }
    vector
}

fn stored(exported: &Value) -> Vector {
    serde_json::from_value(without_file(exported)).unwrap()
}

fn uriproof(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_uriproof")).args(arguments).output().unwrap()
}
