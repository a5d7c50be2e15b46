//! The vectors in one file that needs no other, for programs in any language: JSON, JSON Lines, and TSV.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Value, json};
use uriproof::model::{Clause, Expectation, Json, LicensedOutcome, Reading, Vector, WhatwgVector};
use uriproof::vectors::{Acceptances, FORMAT, Library};

/// Which vectors are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// All.
    All,
    /// Those that [`Vector::is_core`] selects.
    Core,
}

/// Vectors, with the clauses that they cite and what they are. The same vectors give the same bytes.
pub struct Export<'a> {
    header: Header<'a>,
    vectors: Vec<Exported<'a>>,
}

/// What all vectors have in common.
#[derive(Serialize)]
struct Header<'a> {
    uriproof: u64,
    /// The specification that decides; RFC 3986 if it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<&'static str>,
    data_version: String,
    selection: Selection,
    count: usize,
    readings: Vec<ReadingOf>,
    clauses: Vec<&'a Clause>,
}

/// A reading, and what it reads otherwise.
#[derive(Serialize)]
struct ReadingOf {
    id: &'static str,
    /// The section of RFC 3986 whose text it changes.
    section: Option<&'static str>,
    summary: &'static str,
}

/// A vector as stored, but with the twin of every rejection that has one among those that are exported, and with what its file says of it.
/// One of the core has the outcome of the RFC alone, so that its reader needs no reading.
#[derive(Serialize)]
struct Exported<'a> {
    #[serde(flatten)]
    vector: ExportedVector<'a>,
    section: &'a str,
    title: &'a str,
}

/// A vector of one of the specifications.
#[derive(Serialize)]
#[serde(untagged)]
enum ExportedVector<'a> {
    Rfc3986(Box<Vector>),
    Whatwg(&'a WhatwgVector),
}

/// What the vectors of the WHATWG URL Standard have for a reading.
const WHATWG: ReadingOf = ReadingOf {
    id: "whatwg",
    section: None,
    summary: "the WHATWG URL Standard, which has one reading",
};

/// The columns of [`Export::tsv`]: those with a dot are paths in the JSON of a vector, where `expect` is one outcome.
pub const COLUMNS: [&str; 45] = [
    "id",
    "reading",
    "choice",
    "level",
    "section",
    "clauses",
    "input.operation",
    "input.rule",
    "input.input",
    "input.base",
    "input.reference",
    "input.strict",
    "input.uri",
    "input.scope",
    "input.left",
    "input.right",
    "input.rung",
    "input.target",
    "input.component",
    "input.value",
    "input.components.scheme",
    "input.components.userinfo",
    "input.components.host",
    "input.components.port",
    "input.components.path",
    "input.components.query",
    "input.components.fragment",
    "expect.outcome",
    "expect.uri",
    "expect.equivalent",
    "expect.broken",
    "expect.components.scheme",
    "expect.components.userinfo",
    "expect.components.host",
    "expect.components.host_kind",
    "expect.components.port",
    "expect.components.path",
    "expect.components.query",
    "expect.components.fragment",
    "licence",
    "twin",
    "note",
    "title",
    "data_version",
    "errors",
];

impl<'a> Export<'a> {
    /// The vectors of RFC 3986 in a library that are selected.
    pub fn new(library: &'a Library, selection: Selection) -> Export<'a> {
        let takes = |vector: &Vector| selection == Selection::All || vector.is_core();
        let acceptances = Acceptances::of(library.vectors().filter(|vector| takes(vector)));
        let exported = |vector: &Vector| {
            let mut exported = vector.clone();
            exported.twin = acceptances.twin(vector).map(ToOwned::to_owned);
            exported.expect.retain(|reading, _| selection == Selection::All || *reading == Reading::Rfc3986);
            ExportedVector::Rfc3986(Box::new(exported))
        };
        let mut vectors = Vec::new();
        for file in &library.files {
            let selected = file.content.vectors.iter().filter(|vector| takes(vector));
            vectors.extend(selected.map(|vector| Exported {
                vector: exported(vector),
                section: &file.content.section,
                title: &file.content.title,
            }));
        }
        let readings = Reading::ALL.into_iter().map(|reading| ReadingOf {
            id: reading.id(),
            section: reading.section(),
            summary: reading.summary(),
        });
        let header = Header {
            uriproof: FORMAT,
            specification: None,
            data_version: library.version(),
            selection,
            count: vectors.len(),
            readings: readings.collect(),
            clauses: cited(&library.clauses, &vectors),
        };
        Export { header, vectors }
    }

    /// The vectors of the WHATWG URL Standard in a library that are selected. The core is what it is for RFC 3986.
    pub fn of_whatwg(library: &'a Library, selection: Selection) -> Export<'a> {
        let whatwg = &library.whatwg;
        let takes = |vector: &WhatwgVector| selection == Selection::All || vector.to_vector().is_core();
        let mut vectors = Vec::new();
        for file in &whatwg.files {
            let selected = file.content.vectors.iter().filter(|vector| takes(vector));
            vectors.extend(selected.map(|vector| Exported {
                vector: ExportedVector::Whatwg(vector),
                section: &file.content.section,
                title: &file.content.title,
            }));
        }
        let header = Header {
            uriproof: FORMAT,
            specification: Some(WHATWG.id),
            data_version: whatwg.version(),
            selection,
            count: vectors.len(),
            readings: vec![WHATWG],
            clauses: cited(&whatwg.clauses, &vectors),
        };
        Export { header, vectors }
    }

    /// Whether no vector is selected.
    pub fn is_empty(&self) -> bool {
        self.vectors.is_empty()
    }

    /// One JSON document: the header's fields, and `vectors`. Each vector stands on a line of its own.
    pub fn json(&self) -> String {
        let header = line(&self.header);
        let vectors: Vec<String> = self.vectors.iter().map(line).collect();
        format!(
            "{},\"vectors\":[\n{}\n]}}\n",
            header.trim_end_matches('}'),
            vectors.join(",\n")
        )
    }

    /// JSON Lines: the header, then a vector a line.
    pub fn json_lines(&self) -> String {
        let vectors = self.vectors.iter().map(line);
        [line(&self.header)].into_iter().chain(vectors).map(|line| line + "\n").collect()
    }

    /// Tab-separated values: the [`COLUMNS`], then a line for each outcome that conforms, by vector and reading.
    ///
    /// `\N` is what has no value; a backslash and every character that ends a line or cannot be seen is `\xHH`, a byte.
    pub fn tsv(&self) -> String {
        let mut text = COLUMNS.join("\t") + "\n";
        for exported in &self.vectors {
            let expected: Vec<(&str, &Expectation)> = match &exported.vector {
                ExportedVector::Rfc3986(vector) => {
                    vector.expect.iter().map(|(reading, outcome)| (reading.id(), outcome)).collect()
                }
                ExportedVector::Whatwg(vector) => vec![(WHATWG.id, &vector.expect.whatwg)],
            };
            for (reading, expectation) in expected {
                match expectation {
                    Expectation::OneOf(outcomes) => {
                        for one in outcomes {
                            text += &self.row(exported, reading, Some(one), &one.outcome);
                        }
                    }
                    outcome => text += &self.row(exported, reading, None, outcome),
                }
            }
        }
        text
    }

    fn row(
        &self,
        exported: &Exported<'_>,
        reading: &str,
        choice: Option<&LicensedOutcome>,
        outcome: &Expectation,
    ) -> String {
        let (vector, errors) = match &exported.vector {
            ExportedVector::Rfc3986(vector) => (Cow::Borrowed(&**vector), None),
            ExportedVector::Whatwg(vector) => (Cow::Owned(vector.to_vector()), Some(vector.errors.join(", "))),
        };
        let row = json!({
            "id": vector.id,
            "reading": reading,
            "choice": choice.map(|one| &one.name),
            "level": vector.level,
            "section": exported.section,
            "clauses": vector.clauses,
            "input": vector.input,
            "expect": outcome,
            "licence": choice.map(|one| &one.licence),
            "twin": vector.twin,
            "note": vector.note,
            "title": exported.title,
            "data_version": self.header.data_version,
            "errors": errors.filter(|errors| !errors.is_empty()),
        });
        let fields = COLUMNS.map(|column| field(row.pointer(&format!("/{}", column.replace('.', "/")))));
        fields.join("\t") + "\n"
    }
}

/// The clauses of a register that vectors cite.
fn cited<'a>(register: &'a [Clause], vectors: &[Exported<'_>]) -> Vec<&'a Clause> {
    let of = |exported: &Exported<'_>| match &exported.vector {
        ExportedVector::Rfc3986(vector) => vector.clauses.clone(),
        ExportedVector::Whatwg(vector) => vector.clauses.clone(),
    };
    let cited: BTreeSet<String> = vectors.iter().flat_map(of).collect();
    register.iter().filter(|clause| cited.contains(&clause.id)).collect()
}

fn line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_else(|error| panic!("strings and numbers are JSON: {error}"));
    Json(&text).to_string()
}

/// A value as a field: words of a list have spaces between them.
fn field(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => r"\N".to_owned(),
        Some(Value::String(text)) => escaped(text),
        Some(Value::Array(words)) => escaped(&words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        Some(other) => other.to_string(),
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\\' || character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                write!(escaped, "\\x{byte:02x}").expect("writes to a string");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_no_tab_and_no_end_of_a_line() {
        assert_eq!(
            escaped("a\tb\\N\n\u{85}\u{2028}é\0"),
            r"a\x09b\x5cN\x0a\xc2\x85\xe2\x80\xa8é\x00"
        );
        assert_eq!(field(Some(&json!(null))), r"\N");
        assert_eq!(field(Some(&json!(""))), "");
        assert_eq!(field(Some(&json!(r"\N"))), r"\x5cN");
        assert_eq!(field(Some(&json!(["§3/a", "§3/b"]))), "§3/a §3/b");
        assert_eq!(field(Some(&json!(false))), "false");
    }
}
