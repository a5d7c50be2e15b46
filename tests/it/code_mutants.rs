//! What `cargo mutants` found in reference/ is stored for the sources that are there. What survives there and in other crates has its
//! reason.

use std::path::Path;

use uriproof_lab::mutants::code::{Listing, hash_of_sources};

#[test]
fn what_is_stored_is_of_these_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(
        uriproof_cli::measured::code_mutants().sources,
        hash_of_sources(root).unwrap(),
        "reference/src has changed since its mutants were tried; `uriproof mutants --of code --write` tries them anew"
    );
}

#[test]
fn no_mutant_survives_that_is_not_listed() {
    let total = uriproof_cli::measured::code_mutants().total();
    assert_eq!(total.survivors, 0);
    assert!(total.vectors > 250 && total.examples < total.vectors, "{total:?}");
}

#[test]
fn every_line_of_the_listing_says_why() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("reference/mutants.toml")).unwrap();
    let listing: Listing = toml::from_str(&text).unwrap();
    for entry in &listing.equivalent {
        assert!(!entry.reason.is_empty() && !entry.mutants.is_empty(), "{entry:?}");
    }
}

#[test]
fn every_mutant_of_a_crate_that_survives_has_its_reason() {
    let total = uriproof_cli::measured::crate_mutants().total();
    for survivor in &total.survivors {
        assert!(!survivor.reason.is_empty(), "{}", survivor.mutant);
    }
}
