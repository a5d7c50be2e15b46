//! The text of a ledger's files.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value};
use uriproof::model::{Input, OneLine};
use uriproof::spelling::{self, Quotes};

use crate::divergence::ledger::{
    ClaimedSpecification, KnownClass, KnownDeviation, LedgerEntry, LedgerFile, OtherAlgorithm,
};

/// From how many equal characters on a run is written as such.
const RUN: usize = 64;

impl LedgerFile {
    /// The file's text: entries in their order, classes by severity and fingerprint.
    pub fn to_toml(&self) -> String {
        let mut document = DocumentMut::new();
        document.insert("name", string(&self.name));
        document.insert("version", string(&self.version));
        if !self.predicted.is_empty() {
            let operations: Vec<String> = self.predicted.iter().map(ToString::to_string).collect();
            document.insert("predicted", strings(&operations));
        }
        document.insert("claim", Item::Table(self.claim.table()));
        if !self.choices.is_empty() {
            document.insert("choice", tables(self.choices.iter().map(KnownDeviation::table)));
        }
        if !self.other_algorithms.is_empty() {
            let others = self.other_algorithms.iter().map(OtherAlgorithm::table);
            document.insert("other-algorithm", tables(others));
        }
        if !self.entries.is_empty() {
            document.insert("entry", tables(self.entries.iter().map(LedgerEntry::table)));
        }
        let head = format!(
            "# What is known of {} {}: why it diverges. Causes, explanations and deviations are written by hand,\n\
             # classes by `uriproof ledger`.\n\n",
            OneLine(&self.name),
            OneLine(&self.version),
        );
        let mut name = document.key_mut("name").expect("inserted above");
        name.leaf_decor_mut().set_prefix(head);
        document.to_string()
    }
}

impl ClaimedSpecification {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("specification", string(&self.specification));
        table.insert("words", string(&self.words));
        table.insert("source", string(&self.source));
        if let Some(measured) = &self.measured {
            table.insert("measured", string(measured));
        }
        table
    }
}

impl OtherAlgorithm {
    fn table(&self) -> Table {
        let mut table = Table::new();
        let operations: Vec<String> = self.operations.iter().map(ToString::to_string).collect();
        table.insert("operations", strings(&operations));
        table.insert("explanation", string(&self.explanation));
        table
    }
}

impl LedgerEntry {
    /// The text of this entry alone.
    pub(super) fn to_toml(&self) -> String {
        let mut document = DocumentMut::new();
        document.insert("entry", tables([self.table()]));
        document.to_string()
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("id", string(&self.id));
        table.insert("cause", string(self.cause.name()));
        if let Some(specification) = &self.specification {
            table.insert("specification", string(specification));
        }
        table.insert("clause", string(&self.clause));
        table.insert("explanation", string(&self.explanation));
        if let Some(upstream) = &self.upstream {
            let fields = [
                ("link", spelled(&upstream.link)),
                ("status", spelled(upstream.status.name())),
            ];
            table.insert("upstream", Item::Value(InlineTable::from_iter(fields).into()));
        }
        if let Some(code) = &self.code {
            table.insert("code", string(&code.to_string()));
        }
        if !self.deviations.is_empty() {
            table.insert("deviation", tables(self.deviations.iter().map(KnownDeviation::table)));
        }
        let mut classes: Vec<&KnownClass> = self.classes.iter().collect();
        classes.sort_by_key(|class| {
            (
                class.severity,
                class.input.size(),
                &class.fingerprint,
                &class.entry_points,
            )
        });
        if !classes.is_empty() {
            table.insert("class", tables(classes.into_iter().map(KnownClass::table)));
        }
        table
    }
}

impl KnownDeviation {
    fn table(&self) -> Table {
        let mut table = Table::new();
        let deviation = serde_json::to_value(&self.deviation).expect("a deviation can be written as JSON");
        let (id, parameters): (Vec<_>, Vec<_>) =
            deviation.as_object().into_iter().flatten().partition(|(key, _)| *key == "id");
        for (key, field) in id.into_iter().chain(parameters) {
            let field = match field {
                serde_json::Value::String(text) => Some(spelled(text)),
                other => value(other),
            };
            if let Some(field) = field {
                table.insert(key, Item::Value(field));
            }
        }
        if !self.entry_points.is_empty() {
            table.insert("entry-points", strings(&self.entry_points));
        }
        table.insert("witness", input(&self.witness));
        table
    }
}

impl KnownClass {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert("fingerprint", string(self.fingerprint.as_str()));
        table.insert("entry-points", strings(&self.entry_points));
        table.insert("input", input(&self.input));
        table.insert("reference", string(&self.reference));
        table.insert("subject", string(&self.subject));
        table.insert("severity", string(self.severity.name()));
        table
    }
}

fn tables(tables: impl IntoIterator<Item = Table>) -> Item {
    Item::ArrayOfTables(tables.into_iter().collect::<ArrayOfTables>())
}

fn strings(texts: &[String]) -> Item {
    let texts: Array = texts.iter().map(|text| spelled(text)).collect();
    Item::Value(texts.into())
}

fn input(input: &Input) -> Item {
    let input = serde_json::to_value(input).expect("an input can be written as JSON");
    Item::Value(value(&input).expect("an input is an object"))
}

fn string(text: &str) -> Item {
    Item::Value(spelled(text))
}

/// A string: literal where that can be, since witnesses are full of quotes and backslashes.
fn spelled(text: &str) -> Value {
    let quotes = match text.is_ascii() && text.contains(['"', '\\']) {
        true => Quotes::Single,
        false => Quotes::Double,
    };
    let is_shown = |character| matches!(character, ' '..='~' | '§');
    spelling::spelled(text, quotes, is_shown).parse().expect("a string of TOML")
}

/// JSON as TOML, which has no null. A long text is an array of texts and of runs: `["a:", { run = "/", times = 65536 }]`.
fn value(json: &serde_json::Value) -> Option<Value> {
    Some(match json {
        serde_json::Value::Null => return None,
        serde_json::Value::Bool(flag) => Value::from(*flag),
        serde_json::Value::Number(number) => Value::from(number.as_i64().expect("an input has small whole numbers")),
        serde_json::Value::String(text) => runs(text),
        serde_json::Value::Array(values) => values.iter().filter_map(value).collect::<Array>().into(),
        serde_json::Value::Object(fields) => {
            let fields = fields.iter().filter_map(|(key, field)| Some((key, value(field)?)));
            fields.collect::<InlineTable>().into()
        }
    })
}

fn runs(text: &str) -> Value {
    let mut pieces: Vec<(String, usize)> = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let mut times = 1;
        while characters.next_if_eq(&character).is_some() {
            times += 1;
        }
        match pieces.last_mut() {
            _ if times >= RUN => pieces.push((character.to_string(), times)),
            Some((piece, 1)) => piece.extend(std::iter::repeat_n(character, times)),
            _ => pieces.push((character.to_string().repeat(times), 1)),
        }
    }
    match &pieces[..] {
        [] => spelled(""),
        [(piece, 1)] => spelled(piece),
        _ => {
            let pieces = pieces.iter().map(|(piece, times)| match i64::try_from(*times).unwrap_or(i64::MAX) {
                1 => spelled(piece),
                times => InlineTable::from_iter([("run", spelled(piece)), ("times", times.into())]).into(),
            });
            pieces.collect::<Array>().into()
        }
    }
}
