//! An export as tab-separated values has every vector.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use uriproof::model::Vector;
use uriproof::vectors::Library;
use uriproof_lab::export::{COLUMNS, Export, Selection};

use super::expected;

/// A field as its text; `None` is no value.
fn unescaped(field: &str) -> Option<String> {
    if field == r"\N" {
        return None;
    }
    let mut parts = field.split(r"\x");
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    Some(String::from_utf8(bytes).unwrap())
}

/// The fields below `path`, as an object.
fn object(row: &Row, path: &str) -> Map<String, Value> {
    let field = |(column, text): (&&str, &Option<String>)| {
        let name = column.strip_prefix(path).filter(|name| !name.contains('.'))?;
        Some((name.to_owned(), text.clone().map_or(Value::Null, Value::from)))
    };
    row.iter().filter_map(field).collect()
}

fn without_nulls(fields: Map<String, Value>) -> Map<String, Value> {
    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

fn with_booleans(mut fields: Map<String, Value>) -> Map<String, Value> {
    for key in ["strict", "equivalent"] {
        if let Some(value) = fields.get_mut(key) {
            *value = Value::Bool(value == "true");
        }
    }
    fields
}

/// A line by its columns.
pub(super) type Row = BTreeMap<&'static str, Option<String>>;

/// The lines behind the names of the columns.
pub(super) fn rows(text: &str) -> Vec<Row> {
    let lines = text.split_terminator('\n').skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), COLUMNS.len(), "{line}");
        COLUMNS.into_iter().zip(fields.into_iter().map(unescaped)).collect()
    });
    lines.collect()
}

/// A vector, from the lines of its id.
pub(super) fn of_rows(rows: &[Row]) -> Value {
    let first = &rows[0];
    let text = |row: &Row, column: &str| row[column].clone().unwrap();
    let mut input = with_booleans(without_nulls(object(first, "input.")));
    if input["operation"] == "compose" {
        input.insert("components".to_owned(), object(first, "input.components.").into());
    }
    if input["operation"] == "modify" {
        input.entry("value").or_insert(Value::Null);
    }
    let mut expect = Map::new();
    for row in rows {
        let mut outcome = with_booleans(without_nulls(object(row, "expect.")));
        if row["expect.components.path"].is_some() {
            outcome.insert("components".to_owned(), object(row, "expect.components.").into());
        }
        if row["expect.broken"].is_some() {
            assert_eq!(text(row, "expect.broken"), "");
            outcome.insert("broken".to_owned(), json!([]));
        }
        let reading = expect.entry(text(row, "reading"));
        match &row["choice"] {
            None => {
                reading.or_insert(outcome.into());
            }
            Some(name) => {
                let one = json!({"name": name, "licence": row["licence"], "outcome": outcome});
                let several = reading.or_insert(json!({"outcome": "one-of", "outcomes": []}));
                several["outcomes"].as_array_mut().unwrap().push(one);
            }
        }
    }
    let mut vector = json!({
        "id": first["id"],
        "input": input,
        "expect": expect,
        "level": first["level"],
        "clauses": text(first, "clauses").split(' ').collect::<Vec<_>>(),
    });
    for optional in ["note", "twin"] {
        if let Some(words) = &first[optional] {
            vector[optional] = words.clone().into();
        }
    }
    vector
}

#[test]
fn tsv_is_the_vectors() {
    let library = Library::embedded();
    for selection in [Selection::All, Selection::Core] {
        let text = Export::new(&library, selection).tsv();
        assert_eq!(text, Export::new(&Library::embedded(), selection).tsv());
        assert_eq!(
            text.lines().count(),
            text.matches('\n').count(),
            "nothing else ends a line"
        );
        assert!(!text.chars().any(|character| character.is_control() && !matches!(character, '\t' | '\n')));

        assert!(text.lines().next().unwrap().split('\t').eq(COLUMNS));
        let rows = rows(&text);
        let read: Vec<Vector> = rows
            .chunk_by(|one, other| one["id"] == other["id"])
            .map(|rows| serde_json::from_value(of_rows(rows)).unwrap())
            .collect();
        assert_eq!(read.len(), expected(&library, selection).len());
        for (read, vector) in read.iter().zip(expected(&library, selection)) {
            assert_eq!(*read, vector);
        }
        let files = library.files.iter().flat_map(|file| file.content.vectors.iter().map(move |vector| (vector, file)));
        let files: BTreeMap<&str, _> = files.map(|(vector, file)| (&*vector.id, &file.content)).collect();
        for row in &rows {
            let file = files[&**row["id"].as_ref().unwrap()];
            assert_eq!(row["section"].as_ref(), Some(&file.section));
            assert_eq!(row["title"].as_ref(), Some(&file.title));
            assert_eq!(row["data_version"], Some(library.version()));
        }
    }
}
