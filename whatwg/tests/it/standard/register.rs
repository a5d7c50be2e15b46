//! The register of clauses, `vectors/whatwg/clauses.json`, has every step and definition above the code, in its words.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use super::comments::{Comment, comments};

/// The reasons for which no vector cites a clause.
const REASONS: &[&str] = &[
    "an assertion: no input makes it false",
    "names a value that other steps use",
    "returns what the steps before it made",
    "begins a list or a loop whose steps decide",
    "only one encoding is here",
    "there is no blob URL store here",
];

/// A clause as the comments give it.
#[derive(Debug, PartialEq, Eq)]
struct RegisteredClause {
    id: String,
    section: String,
    quote: String,
    binds: &'static str,
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/whatwg/clauses.json")
}

/// Whom a clause binds, by its anchor.
fn bound(comment: &Comment, anchor: &str) -> &'static str {
    match anchor {
        _ if comment.is_setter => "producer",
        "no-scheme-state" | "relative-state" | "relative-slash-state" | "special-relative-or-authority-state" => {
            "resolver"
        }
        "concept-url-equals" | "concept-url-origin" => "comparer",
        _ if anchor.ends_with("-serializer") => "normalizer",
        _ if anchor.starts_with("dom-url-") => "application",
        _ => "parser",
    }
}

/// The clauses of the comments. One without an anchor of its own repeats a step, or says what a pointer is.
fn clauses() -> Vec<RegisteredClause> {
    let comments = comments();
    let mut unnumbered: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for comment in comments.iter().filter(|comment| comment.number.is_none()) {
        if let Some(anchor) = comment.anchors.first() {
            *unnumbered.entry((anchor, comment.is_setter)).or_default() += 1;
        }
    }
    let mut letters: BTreeMap<(&str, bool), u8> = BTreeMap::new();
    let mut clauses: Vec<RegisteredClause> = Vec::new();
    for comment in &comments {
        let Some(anchor) = comment.anchors.first() else {
            continue;
        };
        let key = (anchor.as_str(), comment.is_setter);
        let name = match (&comment.number, comment.is_setter) {
            (Some(number), false) => format!("/{number}"),
            (Some(number), true) => format!("/set-{number}"),
            (None, is_setter) if unnumbered[&key] == 1 => if is_setter { "/set" } else { "" }.to_owned(),
            (None, _) => {
                let letter = letters.entry(key).or_insert(b'a');
                *letter += 1;
                format!("/{}", char::from(*letter - 1))
            }
        };
        clauses.push(RegisteredClause {
            id: format!("#{anchor}{name}"),
            section: anchor.clone(),
            quote: comment.text.clone(),
            binds: bound(comment, anchor),
        });
    }
    clauses
}

fn json(text: &str) -> String {
    Value::from(text).to_string()
}

/// The register's text, with the reasons of the one that is there.
fn register(clauses: &[RegisteredClause], untested: &BTreeMap<String, String>) -> String {
    let items: Vec<String> = clauses
        .iter()
        .map(|clause| {
            let untested = untested.get(&clause.id).map(|reason| format!(",\n      \"untested\": {}", json(reason)));
            format!(
                "    {{\n      \"id\": {},\n      \"section\": {},\n      \"quote\": {},\n      \"level\": \"must\",\n      \"binds\": [\"{}\"]{}\n    }}",
                json(&clause.id),
                json(&clause.section),
                json(&clause.quote),
                clause.binds,
                untested.unwrap_or_default()
            )
        })
        .collect();
    format!(
        "{{\n  \"uriproof\": 1,\n  \"specification\": \"whatwg\",\n  \"clauses\": [\n{}\n  ]\n}}\n",
        items.join(",\n")
    )
}

/// `BLESS=1` writes the register, and keeps the reasons of clauses that are not tested.
#[test]
fn the_register_has_every_step_above_the_code() {
    let clauses = clauses();
    assert!(clauses.len() > 500, "only {} clauses", clauses.len());
    let text = fs::read_to_string(path()).unwrap();
    let content: Value = serde_json::from_str(&text).unwrap();
    let untested: BTreeMap<String, String> = content["clauses"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|clause| {
            Some((
                clause["id"].as_str()?.to_owned(),
                clause["untested"].as_str()?.to_owned(),
            ))
        })
        .collect();
    for (id, reason) in &untested {
        assert!(REASONS.contains(&&**reason), "{id}: {reason} is no reason");
    }
    let expected = register(&clauses, &untested);
    if env::var_os("BLESS").is_some() {
        fs::write(path(), &expected).unwrap();
    } else {
        assert!(
            text == expected,
            "vectors/whatwg/clauses.json is stale: BLESS=1 cargo test -p whatwg-url-reference register"
        );
    }
}
