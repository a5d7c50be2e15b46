//! Every quotation of RFC 3986 in the tree is compared with the whole text of RFC 3986.
//!
//! The text is not in the tree. `rfc3986.hashes` has a hash for each word of it, in order, section by section, so that a
//! quotation of any length is found as a run of words or is refused. `RFC3986=rfc3986.txt cargo test --test it quotes::` makes
//! that file anew from the text as the RFC Editor publishes it.
//!
//! What is compared, and how:
//!
//! - White space and line breaks make no difference, also beside punctuation; so page breaks and a hyphen at the end of a
//!   line need no rule. Every other character does. `[…]` or `[...]` stands for what is left out within a section.
//! - The quotes of `vectors/clauses.json`, each in the clause's own section.
//! - Text in double quotes: every word in `reference/` and in the vectors' licences; two words or more in the comments of
//!   other Rust files (those on lines of their own), in notes and reasons of the vectors, in what the algorithms' mutants
//!   do, in comments of ABNF and in the documents. Text that is not quoted from the RFC is between backticks,
//!   asterisks or single quotes.
//! - The words of another document have its name before them and a colon: `RFC 2234: "…"`, `erratum 4789: "…"`, `Elements:
//!   "…"`, `documentation: "…"` (of a crate).
//! - In `whatwg/` nothing: what is quoted there is compared with the source of the URL standard, by the tests of that crate.
//! - A section beside a quotation has to have the words: `§5.2.1: "…"`, `"…" (§5.2.1)`. In a licence, the last one before
//!   the quotation.
//! - In `reference/src`, code spans with ` = ` in them and blocks of text; the comments of the functions that transcribe an
//!   algorithm; and the rules of `grammar/rfc3986.abnf`.

mod found;
mod record;

use std::sync::LazyLock;
use std::{env, fs};

use found::{EVERY_WORD, PHRASES, Quotation, REFERENCE, RUST, files, in_file, in_text, root, strings};
use record::{ELISION, Record, words_of};
use serde_json::Value;
use uriproof::vectors::SECTIONS;
use uriproof_lab::mutants::algorithms::Edit;

/// The functions whose comments are the text of a section, with one comment a part of it.
const TRANSCRIBED: [(&str, &str, &str); 4] = [
    ("reference/src/resolve.rs", "resolve<", "5.2.2"),
    ("reference/src/resolve.rs", "merge(", "5.2.3"),
    ("reference/src/dot_segments.rs", "steps(", "5.2.4"),
    ("reference/src/recompose.rs", "recompose(", "5.3"),
];

const ABOUT: &str = "\
# The text of RFC 3986 as hashes, four characters for each word, made and read by tests/it/quotes/record.rs.
";

/// The record; made anew from the text where the variable RFC3986 says where that is.
static RECORD: LazyLock<Record> = LazyLock::new(|| {
    let path = root().join("tests/it/quotes/rfc3986.hashes");
    if let Some(text) = env::var_os("RFC3986") {
        let record = Record::of(&fs::read_to_string(text).unwrap());
        let whole = path.with_extension("new");
        fs::write(&whole, format!("{ABOUT}{record}")).unwrap();
        fs::rename(whole, &path).unwrap();
    }
    Record::read(&fs::read_to_string(path).unwrap())
});

#[test]
fn the_record_has_every_section() {
    // Of the acknowledgements and the references, vectors and clauses say nothing.
    let sections: Vec<&str> =
        RECORD.sections().filter(|section| !matches!(*section, "9" | "10" | "10.1" | "10.2")).collect();
    assert_eq!(sections, SECTIONS);
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn quotation(at: &str, words: &str, section: &str) -> Quotation {
    let (at, words, section) = (at.to_owned(), words.to_owned(), Some(section.to_owned()));
    Quotation { at, words, section }
}

/// The quotes of the register.
fn of_clauses() -> Vec<Quotation> {
    let register: Value = serde_json::from_str(&read("vectors/clauses.json")).unwrap();
    let clauses = register["clauses"].as_array().unwrap();
    let quotes = clauses.iter().map(|clause| {
        let [id, quote, section] = ["id", "quote", "section"].map(|field| clause[field].as_str().unwrap());
        quotation(id, quote, section)
    });
    quotes.collect()
}

/// The quotations in a licence, each of the section that is named last before it.
fn of_licence(at: &str, licence: &str) -> Vec<Quotation> {
    // What is before the first section has none, and no quotation is of the section without a name.
    let statements = licence.split('§').flat_map(|statement| {
        let end = statement.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(statement.len());
        let section = Some(statement[..end].trim_end_matches('.').to_owned());
        in_text(at, statement, EVERY_WORD).into_iter().map(move |one| Quotation {
            section: section.clone(),
            ..one
        })
    });
    statements.collect()
}

fn of_vectors() -> Vec<Quotation> {
    let mut quotations = Vec::new();
    for (file, text) in files("vectors", "json").iter().filter(|(file, _)| !file.ends_with("schema.json")) {
        for (key, text) in strings(&serde_json::from_str(text).unwrap()) {
            let at = format!("{file}: {key}");
            match key {
                "licence" => quotations.extend(of_licence(&at, text)),
                "note" | "convention" | "untested" => quotations.extend(in_text(&at, text, PHRASES)),
                _ => (),
            }
        }
    }
    quotations
}

fn of_reference() -> Vec<Quotation> {
    let mut quotations = Vec::new();
    for (file, text) in files("reference", "rs") {
        quotations.extend(in_file(&file, &text, RUST, REFERENCE));
    }
    for (file, function, section) in TRANSCRIBED {
        quotations.push(quotation(file, &found::transcribed(&read(file), function), section));
    }
    quotations
}

fn of_grammar() -> Vec<Quotation> {
    let file = "grammar/rfc3986.abnf";
    let mut quotations = vec![quotation(file, &found::rules_of(&read(file)), "A")];
    for (file, text) in files("grammar", "abnf") {
        quotations.extend(in_file(&file, &text, &[";"], PHRASES));
    }
    quotations
}

fn of_other_sources() -> Vec<Quotation> {
    let mut quotations = Vec::new();
    // The words of the URL standard are compared with its source by the tests in `whatwg/`.
    let is_other = |file: &str| !file.starts_with("reference/") && !file.starts_with("whatwg/");
    for (file, text) in files("", "rs").iter().filter(|(file, _)| is_other(file)) {
        quotations.extend(in_file(file, text, RUST, PHRASES));
    }
    for edit in Edit::ALL {
        quotations.extend(in_text(&format!("{edit:?}"), edit.does(), PHRASES));
    }
    quotations
}

/// The documents that are not made by a program, and the reasons in the lists of exceptions. What the ledger quotes are the words of
/// crates and of the specifications that these claim.
fn of_documents() -> Vec<Quotation> {
    let mut quotations = Vec::new();
    for (file, text) in files("", "md")
        .iter()
        .filter(|(file, _)| file != "REPORT.md" && file != "DIFFERENCES.md" && !file.starts_with("report/"))
    {
        quotations.extend(in_file(file, text, &[""], PHRASES));
    }
    for (file, text) in files("", "toml") {
        let table: toml::Table = text.parse().unwrap();
        for (key, text) in strings(&serde_json::to_value(table).unwrap()) {
            if key == "reason" {
                quotations.extend(in_text(&file, text, PHRASES));
            }
        }
    }
    quotations
}

/// What is wrong with a quotation, if anything.
fn objection(quotation: &Quotation) -> Option<String> {
    let Quotation { at, words, section } = quotation;
    let sections = RECORD.sections_with(words);
    match section {
        _ if sections.is_empty() => {
            let mut ends = words.match_indices(ELISION).map(|(end, _)| end).chain([words.len()]);
            let end = ends.find(|end| RECORD.sections_with(&words[..*end]).is_empty()).unwrap_or(words.len());
            let part = words[..end].rsplit(ELISION).next().unwrap_or_default().trim();
            Some(format!("{at}: RFC 3986 does not have the words there: {part}"))
        }
        Some(section) if !sections.contains(&section.as_str()) => Some(format!(
            "{at}: the words are not in §{section}, but in §{}: {words}",
            sections.join(", §")
        )),
        _ => None,
    }
}

/// Every quotation of a kind is in the text; there are `least` or more, so that none passes because none was found.
fn assert_quoted(quotations: &[Quotation], least: usize) {
    assert!(
        quotations.len() >= least,
        "no more than {} quotations are found",
        quotations.len()
    );
    let wrong: Vec<String> = quotations.iter().filter_map(objection).collect();
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_clause_quotes_its_section() {
    assert_quoted(&of_clauses(), 570);
}

#[test]
fn every_licence_and_note_quotes_the_rfc() {
    assert_quoted(&of_vectors(), 200);
}

#[test]
fn the_reference_quotes_the_rfc() {
    assert_quoted(&of_reference(), 200);
}

#[test]
fn the_grammar_is_that_of_the_rfc() {
    assert_quoted(&of_grammar(), 1);
}

#[test]
fn every_comment_quotes_the_rfc() {
    assert_quoted(&of_other_sources(), 30);
}

#[test]
fn every_document_quotes_the_rfc() {
    assert_quoted(&of_documents(), 1);
}

/// A text with one word replaced, added, dropped or exchanged with its neighbour, wherever that makes another text. The first
/// and the last word are not dropped: the rest is a shorter quotation.
fn altered(words: &str) -> Vec<String> {
    let joined = |all: Vec<&str>| all.join(" ");
    let all: Vec<&str> = words_of(words).collect();
    let mut altered = Vec::new();
    for at in 0..all.len() {
        for other in ["not", "scheme", "unquoted"] {
            let mut replaced = all.clone();
            replaced[at] = other;
            altered.push(joined(replaced));
            let mut longer = all.clone();
            longer.insert(at, other);
            altered.push(joined(longer));
        }
        if (1..all.len() - 1).contains(&at) {
            let mut shorter = all.clone();
            shorter.remove(at);
            altered.push(joined(shorter));
        }
        if at > 0 {
            let mut exchanged = all.clone();
            exchanged.swap(at - 1, at);
            altered.push(joined(exchanged));
        }
    }
    altered.retain(|other| *other != joined(all.clone()));
    altered
}

#[test]
fn an_altered_word_is_refused() {
    let mut passed = Vec::new();
    for quotation in of_clauses() {
        for words in altered(&quotation.words) {
            let altered = Quotation {
                words,
                ..quotation.clone()
            };
            if objection(&altered).is_none() {
                passed.push(format!("{}: {}", altered.at, altered.words));
            }
        }
    }
    // These are in the text too.
    let also_printed = [
        "§2.1/pct-encoded: pct - encoded = \" % \" HEXDIG",
        "§5.3/empty-result: result = \"",
        "§5.3/path: append scheme to result ;",
    ];
    assert_eq!(passed, also_printed);
}

#[test]
fn a_quotation_of_another_section_is_refused() {
    let words = "the path component is never undefined";
    assert_eq!(objection(&quotation("", words, "5.2.1")), None);
    let refused = objection(&quotation("here", words, "3.3"));
    assert_eq!(
        refused.as_deref(),
        Some("here: the words are not in §3.3, but in §5.2.1: the path component is never undefined")
    );
}

#[test]
fn the_part_that_is_not_there_is_named() {
    let words = "the path component […] is never defined […] may be empty";
    let refused = objection(&quotation("here", words, "5.2.1"));
    assert_eq!(
        refused.as_deref(),
        Some("here: RFC 3986 does not have the words there: is never defined")
    );
}
