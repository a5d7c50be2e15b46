//! Where the quotations are: in comments, in strings and in prose.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, iter};

use regex::Regex;

/// Words that are to be the RFC's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quotation {
    /// Where they are.
    pub at: String,
    /// The words; `[…]` stands for what is left out.
    pub words: String,
    /// The section that they are said to be of.
    pub section: Option<String>,
}

/// What in a text is a quotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// How many words, with white space between them, a text in double quotes has that is one.
    pub least: usize,
    /// Whether a code span with " = " in it, and a block of text, is one.
    pub code: bool,
}

/// What is quoted in the reference and in licences: every word in double quotes.
pub(crate) const EVERY_WORD: Rules = Rules { least: 1, code: false };
/// What is quoted elsewhere: a single word in double quotes may be a string or a term.
pub(crate) const PHRASES: Rules = Rules { least: 2, code: false };
/// What is quoted in the reference.
pub(crate) const REFERENCE: Rules = Rules { least: 1, code: true };

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder with an extension, and their paths below the root; build folders and hidden ones are left out.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    collect(&path, extension, files);
                }
            } else if path.extension().is_some_and(|its| its == extension) {
                files.push(path);
            }
        }
    }
    let mut paths = Vec::new();
    collect(&root().join(folder), extension, &mut paths);
    paths.sort();
    let name = |path: &Path| path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    paths.iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

/// Some lines that belong together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Paragraph {
    /// The first line, from 1.
    pub line: usize,
    /// `//`, `///` or `//!`; `;` of ABNF; nothing in prose.
    pub marker: &'static str,
    /// Whether it is a block of text between fences, as it stands.
    pub is_block: bool,
    /// The lines, with a space between them.
    pub text: String,
}

/// The paragraphs of a file's comments, each of whose lines begins with one of `markers`, or of prose with the marker "".
/// Blocks of code are left out, but not blocks marked as `text`.
pub(crate) fn paragraphs(file: &str, markers: &[&'static str]) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut is_open = false;
    let mut fence = None;
    for (line, content) in (1..).zip(file.lines()) {
        let content = content.trim();
        let is_marked = |marker: &&&str| {
            content
                .strip_prefix(**marker)
                .is_some_and(|rest| marker.is_empty() || rest.is_empty() || rest.starts_with(' '))
        };
        let Some(marker) = markers.iter().find(is_marked).copied() else {
            (is_open, fence) = (false, None);
            continue;
        };
        let content = content[marker.len()..].trim();
        if let Some(language) = content.strip_prefix("```") {
            is_open = false;
            fence = fence.xor(Some(language == "text"));
            continue;
        }
        let begins = content.starts_with("- ") || content.starts_with("# ") || content.starts_with("| ");
        if content.is_empty() || fence == Some(false) {
            is_open = false;
            continue;
        }
        if is_open && !begins && paragraphs.last().is_some_and(|last| last.marker == marker) {
            let last = paragraphs.last_mut().expect("it is open");
            last.text = format!("{} {content}", last.text);
        } else {
            let is_block = fence.is_some();
            paragraphs.push(Paragraph {
                line,
                marker,
                is_block,
                text: content.to_owned(),
            });
        }
        is_open = true;
    }
    paragraphs
}

/// The markers of comments in Rust.
pub(crate) const RUST: &[&str] = &["///", "//!", "//"];

/// The quotations in the comments of a file, or in its prose.
pub(crate) fn in_file(name: &str, file: &str, markers: &[&'static str], rules: Rules) -> Vec<Quotation> {
    let paragraphs = paragraphs(file, markers);
    let of_paragraph = |paragraph: &Paragraph| {
        let at = format!("{name}:{}", paragraph.line);
        if !paragraph.is_block {
            return in_text(&at, &paragraph.text, rules);
        }
        let words = paragraph.text.clone();
        rules
            .code
            .then_some(Quotation {
                at,
                words,
                section: None,
            })
            .into_iter()
            .collect()
    };
    paragraphs.iter().flat_map(of_paragraph).collect()
}

/// A document whose name before a quotation says that its words are not the RFC's: `RFC 2234: "…"`, `erratum 4789: "…"`.
static OTHER_DOCUMENT: LazyLock<Regex> = LazyLock::new(|| {
    let documents = "RFC ([0-9]+)|[Ee]rratum [0-9]+|Elements|[Dd]ocumentation|[Cc]hangelog|source|vectors/README\\.md";
    Regex::new(&format!("(?:^|[ (])(?:{documents})(?:[ ,](?:[^\".;:]|\\.[0-9])*)?: $")).unwrap()
});

/// The section before a quotation: `§5.2.1: "…"`, `(RFC 3986 §6.1, "…`, `§5 promises "…"`, with up to six words between.
static SECTION_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("§((?:[0-9]+|[A-D])(?:\\.[0-9]+)*)\\)?[:,]?(?: [a-z]+){0,6} $").unwrap());

/// The section behind a quotation: `"…" (§4.1)`, `"…" (RFC 3986 §4.1; …)`.
static SECTION_BEHIND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("^[.,]? \\((?:RFC 3986 )?§((?:[0-9]+|[A-D])(?:\\.[0-9]+)*)[),;:]").unwrap());

/// The quotations in a text.
///
/// # Panics
///
/// A quotation does not end.
pub(crate) fn in_text(at: &str, text: &str, rules: Rules) -> Vec<Quotation> {
    let mut quotations = Vec::new();
    let mut end = 0;
    while let Some(start) = text[end..].find(['"', '`']).map(|found| end + found) {
        let is_code = text[start..].starts_with('`');
        let words = if is_code {
            let fence = &text[start..][..text[start..].find(|c| c != '`').unwrap_or(text.len() - start)];
            let inside = &text[start + fence.len()..];
            let length = inside.find(fence).unwrap_or_else(|| panic!("{at}: a code span does not end: {text}"));
            end = start + 2 * fence.len() + length;
            &inside[..length]
        } else {
            let inside = &text[start + 1..];
            let length = length(inside).unwrap_or_else(|| panic!("{at}: a quotation does not end: {text}"));
            end = start + length + 2;
            &inside[..length]
        };
        let is_quotation = match is_code {
            true => rules.code && words.contains(" = "),
            false => words.split_whitespace().count() >= rules.least,
        };
        if !is_quotation || is_of_another_document(&text[..start]) {
            continue;
        }
        let section = SECTION_BEHIND.captures(&text[end..]).or_else(|| SECTION_BEFORE.captures(&text[..start]));
        quotations.push(Quotation {
            at: at.to_owned(),
            // Markdown.
            words: words.replace("\\<", "<"),
            section: section.map(|section| section[1].to_owned()),
        });
    }
    quotations
}

fn is_of_another_document(before: &str) -> bool {
    OTHER_DOCUMENT
        .captures(before)
        .is_some_and(|document| document.get(1).is_none_or(|number| number.as_str() != "3986"))
}

/// The length of what an opening quotation mark is before: up to the mark that closes it, with the quotations in it.
///
/// A mark in a quotation opens another one if white space or a bracket is before it, and neither white space nor a bracket
/// that closes behind it; and it does as the first character, before a letter or digit. A character alone is closed.
fn length(inside: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, mark) in inside.match_indices('"') {
        let before = inside[..at].chars().next_back();
        let behind = inside[at + mark.len()..].chars().next().unwrap_or(' ');
        let opens = match before {
            None => behind.is_ascii_alphanumeric(),
            // A bracket alone.
            Some(_) if at == 1 => false,
            Some(before) => matches!(before, ' ' | '(' | '[' | '<') && !matches!(behind, ' ' | ')' | ']' | '>'),
        };
        if opens {
            depth += 1;
        } else {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Every string of a JSON or TOML document, with the key that it is of; those of a list have the list's.
pub(crate) fn strings(value: &serde_json::Value) -> Vec<(&str, &str)> {
    fn collect<'a>(key: &'a str, value: &'a serde_json::Value, strings: &mut Vec<(&'a str, &'a str)>) {
        match value {
            serde_json::Value::String(text) => strings.push((key, text)),
            serde_json::Value::Array(values) => values.iter().for_each(|value| collect(key, value, strings)),
            serde_json::Value::Object(fields) => fields.iter().for_each(|(key, value)| collect(key, value, strings)),
            _ => (),
        }
    }
    let mut strings = Vec::new();
    collect("", value, &mut strings);
    strings
}

/// The comments of a function that are the RFC's text, one behind the other, with what is code in their places.
pub(crate) fn transcribed(file: &str, function: &str) -> String {
    let start = file.find(&format!("fn {function}")).unwrap_or_else(|| panic!("there is no function {function}"));
    let body = file[start..].split("\n}\n").next().unwrap_or_default();
    let comments = paragraphs(body, &["//"]);
    let of_rfc = comments.into_iter().map(|comment| comment.text).filter(|text| !text.starts_with("(erratum "));
    of_rfc.collect::<Vec<_>>().join(" […] ")
}

/// The rules of a file of ABNF, one behind the other.
pub(crate) fn rules_of(abnf: &str) -> String {
    let lines = abnf.lines().filter(|line| !line.starts_with(';') && !line.is_empty());
    let rules = lines.flat_map(|line| iter::once(if line.starts_with(' ') { " " } else { " […] " }).chain([line]));
    rules.collect::<String>().trim_start_matches(" […] ").to_owned()
}

#[test]
fn a_quotation_ends_where_its_own_mark_is() {
    for (text, quoted) in [
        (r#"a "b c" d "e f""#, vec!["b c", "e f"]),
        (r#""a path of "/"." is it"#, vec![r#"a path of "/"."#]),
        (r#"("two slashes ("//")")"#, vec![r#"two slashes ("//")"#]),
        (r#"be "as "%25"" there"#, vec![r#"as "%25""#]),
        (
            r#""the ":" delimiter" and "another one""#,
            vec![r#"the ":" delimiter"#, "another one"],
        ),
        (r#"""one" resource""#, vec![r#""one" resource"#]),
        (r#"if (R.path == "") then "a b""#, vec!["a b"]),
        (r#""../" or "./", "/." or "/..", "(" and ")", "[", "|" and "%""#, vec![]),
        (r#"`"` and `` `" `` are code, "code is" not"#, vec!["code is"]),
        (
            r#""( sub-delims / ":" )" = "[" host "]""#,
            vec![r#"( sub-delims / ":" )"#],
        ),
        (r#"promises \<URI> and "a \<URI> rule""#, vec!["a <URI> rule"]),
    ] {
        let found: Vec<String> = in_text("", text, PHRASES).into_iter().map(|quotation| quotation.words).collect();
        assert_eq!(found, quoted, "{text}");
    }
}

#[test]
#[should_panic(expected = "does not end")]
fn a_quotation_without_an_end_is_not_passed_over() {
    in_text("", "\"a path of \"/.\" is it", PHRASES);
}

#[test]
fn a_quotation_has_the_section_beside_it() {
    for (text, section) in [
        (r#""a b" (§4.1), of §5"#, Some("4.1")),
        (r#""a b" (RFC 3986 §7.2)."#, Some("7.2")),
        (r#"§5.2.1: "a b""#, Some("5.2.1")),
        (r#"(RFC 3986 §6.2.1): "a b""#, Some("6.2.1")),
        (r#"§3.2.3: producers "a b""#, Some("3.2.3")),
        (r#"§5 promises "a b""#, Some("5")),
        (r#"§5. And "a b""#, None),
        (r#"of Appendix B: "a b""#, None),
        (r#""a b", and of another (§5)"#, None),
    ] {
        let quotations = in_text("", text, PHRASES);
        assert_eq!(quotations.len(), 1, "{text}");
        assert_eq!(quotations[0].section.as_deref(), section, "{text}");
    }
}

#[test]
fn only_what_names_another_document_is_not_of_the_rfc() {
    for of_another in [
        "RFC 2234: \"a b\"",
        "erratum 4789 (held): \"a b\"",
        "RFC 2234 §6.1, which RFC 3986 §1.3 names: \"a b\"",
        "Elements: \"a b\"",
        "the crate's documentation: \"a b\"",
    ] {
        assert_eq!(in_text("", of_another, PHRASES), [], "{of_another}");
    }
    for of_rfc in [
        "RFC 3986: \"a b\"",
        "RFC 3986 §5: \"a b\"",
        "Not in RFC 3986: \"a b\"",
        "RFC 2234 has \"a b\"",
        "RFC 2234. Another sentence: \"a b\"",
        "RFC 2234: \"c d\" and \"a b\"",
    ] {
        assert_eq!(in_text("", of_rfc, PHRASES).len(), 1, "{of_rfc}");
    }
}

#[test]
fn comments_are_read_by_paragraphs() {
    let file = [
        r#"//! One "of"#,
        r#"//! two" lines."#,
        "//!",
        r#"//! - "a b""#,
        r#"//! - `x = "y"`"#,
        "//!",
        "//! ```",
        r#"//! let code = "not quoted";"#,
        "//! ```",
        "//!",
        "//! ```text",
        r#"//! x = "y""#,
        "//! ```",
        r#"fn f() { let url = "http://is.not quoted/"; }"#,
        r#"    // "c d""#,
        r#"    /// "e f""#,
    ];
    let file = file.join("\n");
    let found: Vec<_> = in_file("f", &file, RUST, REFERENCE).into_iter().map(|one| (one.at, one.words)).collect();
    let expected = [
        ("f:1", "of two"),
        ("f:4", "a b"),
        ("f:5", "x = \"y\""),
        ("f:12", "x = \"y\""),
        ("f:15", "c d"),
        ("f:16", "e f"),
    ];
    assert_eq!(found, expected.map(|(at, words)| (at.to_owned(), words.to_owned())));
}
