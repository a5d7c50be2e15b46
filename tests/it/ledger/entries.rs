//! Every entry of the ledger has the fields that its cause needs.

use std::fs;

use uriproof::vectors::Library;
use uriproof_lab::divergence::ledger::{Cause, Ledger};
use uriproof_subjects::SUBJECTS;

use super::{assert_none, folder, subject};

#[test]
fn every_entry_has_a_cause_a_clause_and_secure_links() {
    let library = Library::embedded();
    let mut problems = Vec::new();
    for file in &uriproof_cli::known::ledger().files {
        for entry in &file.entries {
            let mut problem = |what: &str| problems.push(format!("ledger/{} entry `{}`: {what}", file.file, entry.id));
            if entry.cause == Cause::Unexplained {
                problem("nobody has said why; give it a cause, or move its classes to the entry that explains them");
                continue;
            }
            if library.clause(&entry.clause).is_none() {
                problem(&format!("vectors/clauses.json has no clause `{}`", entry.clause));
            }
            if let Some(upstream) = entry.upstream.as_ref().filter(|upstream| !upstream.link.starts_with("https://")) {
                problem(&format!("`{}` does not begin with https://", upstream.link));
            }
        }
    }
    assert_none(&problems, "entries are not complete");
}

/// The texts between double quotation marks, with a placeholder for each code span; `None` if a mark has no partner.
fn quotations(text: &str) -> Option<Vec<String>> {
    let spans: Vec<&str> = text.split('`').collect();
    let without_code: String =
        spans.iter().enumerate().map(|(at, span)| if at % 2 == 0 { *span } else { "code" }).collect();
    let pieces: Vec<&str> = without_code.split('"').collect();
    let is_paired = spans.len() % 2 == 1 && pieces.len() % 2 == 1;
    is_paired.then(|| pieces.into_iter().skip(1).step_by(2).map(str::to_owned).collect())
}

/// Whether a text quotes at least three words in a row.
fn quotes_words(text: &str) -> bool {
    let quotations = quotations(text).unwrap_or_default();
    quotations.iter().any(|quotation| quotation.split_whitespace().count() >= 3)
}

#[test]
fn characters_and_code_are_no_words() {
    assert!(quotes_words(r#"It is documented to "Extract the port from the url"."#));
    assert!(quotes_words(r#"RFC 3986 has "port = *DIGIT"."#));
    assert!(quotes_words(
        r#"Its documentation says: "This is the inverse of `join`.""#
    ));
    for text in [
        "Nothing is quoted.",
        r#"A "/" and what follows a "?" are written."#,
        r#"`set_path("a b c d")` gives `"a b c"`."#,
        r#"A mark has no partner, "as here it has."#,
        r#"A code span has no end, ` as "here it has none"."#,
    ] {
        assert!(!quotes_words(text), "{text}");
    }
}

#[test]
fn a_bug_quotes_the_words_by_which_it_is_one() {
    let ledger = uriproof_cli::known::ledger();
    let entries = ledger.files.iter().flat_map(|file| file.entries.iter().map(move |entry| (file, entry)));
    let bugs: Vec<_> = entries.filter(|(_, entry)| entry.cause == Cause::Bug).collect();
    assert!(bugs.len() > 100, "{} bugs", bugs.len());
    let problems: Vec<String> = bugs
        .iter()
        .filter(|(_, entry)| !quotes_words(&entry.explanation))
        .map(|(file, entry)| format!("ledger/{} entry `{}`", file.file, entry.id))
        .collect();
    assert_none(
        &problems,
        "bugs quote no words of the crate, or of the specification that it claims; quote them in \"\", or give another cause",
    );
}

#[test]
fn every_file_has_the_words_of_its_crates_claim() {
    let ledger = uriproof_cli::known::ledger();
    let mut problems = Vec::new();
    for subject in SUBJECTS.iter().filter(|subject| subject.declaration().name != "reference") {
        let declaration = subject.declaration();
        let Some(file) = ledger.file_of(declaration) else {
            problems.push(format!(
                "{declaration}: no file of the ledger says what the crate claims"
            ));
            continue;
        };
        let claim = &file.claim;
        for (field, text) in [
            ("specification", &claim.specification),
            ("words", &claim.words),
            ("source", &claim.source),
        ] {
            if text.trim().is_empty() {
                problems.push(format!("ledger/{}: `claim.{field}` is empty", file.file));
            }
        }
        if claim.words.split_whitespace().count() < 3 {
            problems.push(format!("ledger/{}: `claim.words` is no quotation of words", file.file));
        }
        let compared_by = declaration.specification.to_string();
        let says_how = claim.measured.as_ref().is_some_and(|measured| measured.contains(' '));
        if !claim.specification.contains(&compared_by) && !says_how {
            problems.push(format!(
                "ledger/{}: {declaration} is compared by {compared_by}, which `{}` does not name; `claim.measured` has to \
                 say how it is measured",
                file.file, claim.specification
            ));
        }
    }
    assert_none(&problems, "claims are not complete");
}

#[test]
fn no_claim_names_what_the_crate_does_not() {
    let ledger = uriproof_cli::known::ledger();
    let claim = |name: &str| ledger.files.iter().find(|file| file.name == name).expect("has a file").claim.clone();
    assert_eq!(claim("rocket_http").specification, "RFC 7230");
    assert!(claim("http").specification.starts_with("none named"));
    for name in ["http", "rocket_http"] {
        let declaration = subject(name).declaration();
        assert_eq!(declaration.specification.to_string(), "HTTP", "{declaration}");
    }
    for file in &ledger.files {
        for rfc in file.claim.specification.split(", ").filter_map(|name| name.strip_prefix("RFC ")) {
            assert!(
                file.claim.words.contains(rfc),
                "ledger/{}: the words do not name RFC {rfc}",
                file.file
            );
        }
    }
}

#[test]
fn every_file_is_written_as_the_command_writes_it() {
    let ledger = Ledger::from_folder(&folder()).unwrap();
    let problems: Vec<String> = ledger
        .files
        .iter()
        .filter_map(|file| {
            let (stored, written) = (fs::read_to_string(folder().join(&file.file)).unwrap(), file.to_toml());
            let at = stored.lines().zip(written.lines()).position(|(stored, written)| stored != written);
            let at = at.unwrap_or_else(|| stored.lines().count().min(written.lines().count()));
            (stored != written).then(|| {
                format!(
                    "ledger/{}:{}: would be {:?}",
                    file.file,
                    at + 1,
                    written.lines().nth(at).unwrap_or_default()
                )
            })
        })
        .collect();
    assert_none(
        &problems,
        "files are not as `uriproof ledger --write ledger` writes them",
    );
}
