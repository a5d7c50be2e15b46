//! Every deviation of the catalogue can be written, and has a sentence of its own.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use uriproof_deviations::{Deviation, RETIRED};

/// The variants of the catalogue with the types of their parameters, from its source: nothing else lists all of them.
fn variants() -> BTreeMap<String, Vec<(String, String)>> {
    let source = include_str!("../src/catalogue.rs");
    let (_, behind) = source.split_once("pub enum Deviation {\n").unwrap();
    let (variants, _) = behind.split_once("\n}\n").unwrap();
    let mut found: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut last = String::new();
    for line in variants.lines() {
        let name = line.trim().trim_end_matches([',', ' ', '{']);
        match line.len() - line.trim_start().len() {
            4 if name.starts_with(|first: char| first.is_ascii_uppercase()) => {
                last = kebab(name);
                found.insert(last.clone(), Vec::new());
            }
            8 if name.starts_with(|first: char| first.is_ascii_lowercase()) => {
                let (field, kind) = name.split_once(": ").unwrap();
                found.get_mut(&last).unwrap().push((field.to_owned(), kind.to_owned()));
            }
            _ => {}
        }
    }
    found
}

fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !kebab.is_empty() {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}

/// A value of a type of parameter.
fn sample(kind: &str) -> Value {
    match kind {
        "Option<String>" | "Option<Vec<String>>" | "Option<Vec<Component>>" => Value::Null,
        "Vec<Component>" => json!(["path", "query"]),
        "Vec<String>" => json!(["x"]),
        "Component" => json!("port"),
        "String" => json!("lib.rs:1"),
        "u64" => json!(65535),
        "UrlDeparture" => json!("carets-in-paths"),
        "UrlRule" => json!("backslash"),
        "StopPoint" => json!("before-empty-port"),
        "HostForm" => json!("empty"),
        "Argument" => json!("base"),
        "BaseForm" => json!("relative"),
        "DotsOf" => json!("rootless-paths"),
        "GuardedForm" => json!("colon"),
        "NormalizationStep" => json!("dots"),
        "RelativizingStep" => json!("climb"),
        other => panic!("give a parameter of the type `{other}` a value here"),
    }
}

#[test]
fn each_has_a_sentence_of_its_own() {
    let variants = variants();
    let mut sentences = BTreeMap::new();
    for (id, parameters) in &variants {
        let mut written = Map::from_iter([("id".to_owned(), json!(id))]);
        written.extend(parameters.iter().map(|(field, kind)| (field.clone(), sample(kind))));
        let deviation: Deviation =
            serde_json::from_value(Value::Object(written)).unwrap_or_else(|e| panic!("{id}: {e}"));
        let sentence = deviation.sentence();
        assert!(
            sentence.starts_with(|first: char| first.is_ascii_lowercase()),
            "{id}: {sentence}"
        );
        if let Some(other) = sentences.insert(sentence, id) {
            panic!("{id} has the sentence of {other}");
        }
    }
    assert!(variants.len() > 80, "{}", variants.len());
}

/// Profiles and baselines name ids: one that was listed stays, or is retired.
#[test]
fn no_id_is_lost() {
    let variants = variants();
    let listed: Vec<&str> = include_str!("ids.txt").lines().collect();
    let is_retired = |id: &&&str| RETIRED.iter().any(|(retired, _)| retired == *id);
    let lost: Vec<&&str> = listed.iter().filter(|id| !variants.contains_key(**id) && !is_retired(id)).collect();
    assert!(
        lost.is_empty(),
        "list these in RETIRED, each with its successor: {lost:?}"
    );
    let unlisted: Vec<&String> = variants.keys().filter(|id| !listed.contains(&id.as_str())).collect();
    assert!(
        unlisted.is_empty(),
        "add these to deviations/tests/ids.txt: {unlisted:?}"
    );
}

#[test]
fn a_retired_id_has_a_successor() {
    let variants = variants();
    for (retired, successor) in RETIRED {
        assert!(!variants.contains_key(*retired), "{retired} is in use");
        assert!(variants.contains_key(*successor), "{successor}");
    }
}
