//! The clauses: their words stand in the RFC, and a clause that is broken shows in the vectors that it decides.

mod broken;
mod grammar;
mod normalization;
mod resolution;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use uriproof::model::Vector;
use uriproof::vectors::Library;

/// Sections 3 to 5 of the RFC, where they are at hand.
const SECTIONS_3_TO_5: &str = "../shared/spec/001_7ee4289efa147235.txt";

fn without_whitespace(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn the_quotes_of_sections_3_to_5_are_verbatim() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(SECTIONS_3_TO_5);
    let Ok(text) = fs::read_to_string(&path) else {
        println!(
            "skipped: {} is not there, and the quotes are not compared with it",
            path.display()
        );
        return;
    };
    let text = without_whitespace(&text);
    let library = Library::embedded();
    let quotes = library.clauses.iter().filter(|clause| clause.section.starts_with(['3', '4', '5']));
    let wrong: Vec<&str> = quotes
        .filter(|clause| !text.contains(&without_whitespace(&clause.quote)))
        .map(|clause| clause.id.as_str())
        .collect();
    assert_eq!(wrong, Vec::<&str>::new());
}

#[test]
fn the_quotes_tell_the_clauses_of_a_section_apart() {
    let library = Library::embedded();
    let mut quotes = BTreeMap::new();
    for clause in &library.clauses {
        let quote = (&clause.section, without_whitespace(&clause.quote));
        if let Some(other) = quotes.insert(quote, &clause.id) {
            panic!("{other} and {} quote the same words", clause.id);
        }
    }
}

/// The vectors by the clause that decides them.
fn decided(library: &Library) -> BTreeMap<&str, Vec<&Vector>> {
    let mut decided: BTreeMap<&str, Vec<&Vector>> = BTreeMap::new();
    for vector in library.vectors() {
        decided.entry(&vector.clauses[0]).or_default().push(vector);
    }
    decided
}

#[test]
fn the_tables_name_clauses_that_are_there_and_decide_something() {
    let library = Library::embedded();
    let decided = decided(&library);
    let slips = resolution::SLIPS.iter().map(|(id, _)| *id).chain(normalization::SLIPS.iter().map(|(id, _)| *id));
    let named = grammar::PROSE.iter().map(|(id, _)| *id).chain(slips);
    for id in named {
        assert!(library.clause(id).is_some(), "{id} is not in the register");
        assert!(decided.contains_key(id), "{id} decides no vector");
    }
}
