//! The register of clauses, `vectors/whatwg/clauses.json`, has every step and definition of the standard in its words: those above
//! the code, and those of what has no code here, each with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

use super::comments::{Comment, comments};
use super::left_out::{NOT_TRANSCRIBED, left_out, units};
use super::source::{Standard, Step};
use super::standard;

/// The reasons for which no vector cites a clause.
const REASONS: &[&str] = &[
    "an assertion: no input makes it false",
    "names a value that other steps use",
    "returns what the steps before it made",
    "begins a list or a loop whose steps decide",
    "only one encoding is here",
    "there is no blob URL store here",
];

/// A clause of the register.
#[derive(Debug, PartialEq, Eq)]
struct RegisteredClause {
    id: String,
    section: String,
    quote: String,
    level: String,
    binds: String,
    untested: Option<String>,
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
        "set-the-username" | "set-the-password" => "producer",
        "concept-host-equals" | "concept-url-equals" | "concept-url-origin" => "comparer",
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
            level: "must".to_owned(),
            binds: bound(comment, anchor).to_owned(),
            untested: None,
        });
    }
    clauses
}

fn json(text: &str) -> String {
    Value::from(text).to_string()
}

/// How strongly a sentence asks. What only defines says what must be.
fn level(sentence: &str) -> &'static str {
    let has = |word: &str| sentence.contains(&format!(" {word} "));
    ["must", "should", "may"].into_iter().find(|word| has(word)).unwrap_or("must")
}

/// The clauses of what has no code here, as the standard says it.
fn left_out_clauses(standard: &Standard) -> Vec<RegisteredClause> {
    let clause = |anchor: &str, end: &str, quote: &str, binds: &str, reason: &str| RegisteredClause {
        id: format!("#{anchor}{end}"),
        section: anchor.to_owned(),
        quote: quote.to_owned(),
        level: level(quote).to_owned(),
        binds: binds.to_owned(),
        untested: Some(reason.to_owned()),
    };
    let steps = NOT_TRANSCRIBED.iter().map(|(anchor, number, reason)| {
        let is_it = |step: &&Step| step.number == *number && step.anchors.iter().any(|own| own == anchor);
        let step = standard.steps.iter().find(is_it).unwrap_or_else(|| panic!("#{anchor} has no step {number}"));
        clause(anchor, &format!("/{number}"), &step.text, "parser", reason)
    });
    let mut clauses: Vec<RegisteredClause> = steps.collect();
    for unit in units(standard) {
        let Some(of) = left_out(&unit.anchor) else { continue };
        let quotes = unit.quotes.iter();
        clauses.extend(quotes.map(|(end, quote)| clause(&unit.anchor, end, quote, of.binds, of.reason)));
    }
    clauses
}

/// The clauses of the register that is there.
fn registered(text: &str) -> Vec<RegisteredClause> {
    let content: Value = serde_json::from_str(text).unwrap();
    let words = |clause: &Value, field: &str| clause[field].as_str().unwrap_or_default().to_owned();
    let clauses = content["clauses"].as_array().unwrap().iter().map(|clause| RegisteredClause {
        id: words(clause, "id"),
        section: words(clause, "section"),
        quote: words(clause, "quote"),
        level: words(clause, "level"),
        binds: clause["binds"][0].as_str().unwrap_or_default().to_owned(),
        untested: clause["untested"].as_str().map(str::to_owned),
    });
    clauses.collect()
}

/// The register's text.
fn register(clauses: &[RegisteredClause]) -> String {
    let items: Vec<String> = clauses
        .iter()
        .map(|clause| {
            let untested = clause.untested.as_ref().map(|reason| format!(",\n      \"untested\": {}", json(reason)));
            format!(
                "    {{\n      \"id\": {},\n      \"section\": {},\n      \"quote\": {},\n      \"level\": {},\n      \"binds\": [{}]{}\n    }}",
                json(&clause.id),
                json(&clause.section),
                json(&clause.quote),
                json(&clause.level),
                json(&clause.binds),
                untested.unwrap_or_default()
            )
        })
        .collect();
    format!(
        "{{\n  \"uriproof\": 1,\n  \"specification\": \"whatwg\",\n  \"clauses\": [\n{}\n  ]\n}}\n",
        items.join(",\n")
    )
}

/// `BLESS=1` writes the register, and keeps the reasons of clauses that are not tested. Where the standard's source is not there, the
/// clauses of what has no code are kept as they are.
#[test]
fn the_register_has_every_step() {
    let mut clauses = clauses();
    assert!(clauses.len() > 500, "only {} clauses", clauses.len());
    let text = fs::read_to_string(path()).unwrap();
    let there = registered(&text);
    for clause in &mut clauses {
        let reason = there.iter().find(|one| one.id == clause.id).and_then(|one| one.untested.clone());
        assert!(
            reason.as_ref().is_none_or(|reason| REASONS.contains(&&**reason)),
            "{}: {reason:?} is no reason",
            clause.id
        );
        clause.untested = reason;
    }
    let without_code = match standard() {
        Some(standard) => left_out_clauses(&standard),
        None => {
            let ids: BTreeSet<&String> = clauses.iter().map(|clause| &clause.id).collect();
            let is_step =
                |id: &str| NOT_TRANSCRIBED.iter().any(|(anchor, number, _)| format!("#{anchor}/{number}") == id);
            let is_left_out = |clause: &RegisteredClause| left_out(&clause.section).is_some() || is_step(&clause.id);
            there.into_iter().filter(|one| !ids.contains(&one.id) && is_left_out(one)).collect()
        }
    };
    assert!(
        without_code.len() > 100,
        "only {} clauses without code",
        without_code.len()
    );
    clauses.extend(without_code);
    let expected = register(&clauses);
    if env::var_os("BLESS").is_some() {
        fs::write(path(), &expected).unwrap();
    } else {
        assert!(
            text == expected,
            "vectors/whatwg/clauses.json is stale: BLESS=1 cargo test -p whatwg-url-reference register"
        );
    }
}
