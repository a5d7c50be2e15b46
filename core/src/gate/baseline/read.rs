//! Reads a baseline, with the line of the first error.

use std::collections::HashMap;
use std::collections::hash_map::Entry as KnownLine;
use std::ops::Range;

use serde_json::Value as Json;
use toml_span::value::{Table, ValueInner};
use toml_span::{Span, Value};

use super::{Baseline, BaselineError, Entry, ExpectedFailure, Line, ReasonKind};
use crate::compare::DifferenceKind;
use crate::gate::deviations::BaselineDeviation;
use crate::gate::glob::Glob;

/// A text that is read, with the name of its file.
pub(super) struct BaselineReader<'t> {
    pub(super) file: String,
    pub(super) text: &'t str,
    /// Where its lines end.
    breaks: Vec<usize>,
}

impl<'t> BaselineReader<'t> {
    /// Of the text of this file.
    pub(super) fn new(file: String, text: &'t str) -> BaselineReader<'t> {
        let breaks = text.match_indices('\n').map(|(at, _)| at).collect();
        BaselineReader { file, text, breaks }
    }

    pub(super) fn baseline(&self) -> Result<Baseline, BaselineError> {
        let mut root = toml_span::parse(self.text).map_err(|error| self.malformed(&error))?;
        let mut root = self.table(&mut root, "the file")?;
        let (format, at) = self.required(&mut root, "uriproof", 0)?;
        if format.as_integer() != Some(1) {
            return Err(self.error(at, "`uriproof` is the number of the format: 1"));
        }
        let (subject, at) = self.required(&mut root, "subject", 0)?;
        let subject_line = self.line(at);
        let subject = self.string(&subject, at, "subject")?;
        let hint = "`compares` is missing: write `compares = 0`, and `--write-baseline` counts the vectors";
        let (compares, compares_at) = self.required(&mut root, "compares", 0).map_err(|_| self.error(0, hint))?;
        let compares_span = compares.span;
        let compares = compares.as_integer().and_then(|number| usize::try_from(number).ok()).ok_or_else(|| {
            self.error(
                compares_at,
                "`compares` is how many vectors are compared at least, a number from 0",
            )
        })?;
        let mut baseline = Baseline {
            file: self.file.clone(),
            subject,
            compares,
            compares_line: self.line(compares_at),
            entries: Vec::new(),
            deviations: Vec::new(),
            lines: Vec::new(),
            subject_line,
            compares_at: compares_span.into(),
            text: self.text.to_owned(),
        };
        if let Some((key, mut entries)) = root.remove_entry("entry") {
            let ValueInner::Array(entries) = entries.take() else {
                return Err(self.error(key.span.start, "each entry begins with `[[entry]]`"));
            };
            for mut entry in entries {
                let at = entry.span.start;
                let table = self.table(&mut entry, "an entry")?;
                self.entry(table, at, &mut baseline)?;
            }
        }
        self.nothing_else(&root, "uriproof, subject, compares, and [[entry]]")?;
        baseline.lines.sort_by_key(|line| line.line);
        let mut known: HashMap<String, usize> = HashMap::new();
        for line in &baseline.lines {
            let of_kind = match &line.got {
                ExpectedFailure::Answer(_) => String::new(),
                kind @ ExpectedFailure::Kind { .. } => format!(" {kind}"),
            };
            match known.entry(line.vectors.to_string().to_ascii_lowercase() + &of_kind) {
                KnownLine::Vacant(place) => {
                    place.insert(line.line);
                }
                KnownLine::Occupied(first) => {
                    let message = format!("`{}` stands in line {} already", line.vectors, first.get());
                    return Err(self.error(line.key_at.start, message));
                }
            }
        }
        Ok(baseline)
    }

    fn entry(&self, mut table: Table<'t>, at: usize, baseline: &mut Baseline) -> Result<(), BaselineError> {
        let (kind, kind_at) = self.required(&mut table, "kind", at)?;
        let kind = kind.as_str().and_then(|name| ReasonKind::ALL.into_iter().find(|kind| kind.name() == name));
        let kind =
            kind.ok_or_else(|| self.error(kind_at, "`kind` is one of bug, by-design, unsupported, unexplained"))?;
        let (reason, reason_at) = self.required(&mut table, "reason", at)?;
        let reason = self.string(&reason, reason_at, "reason")?;
        if reason.trim().is_empty() && kind != ReasonKind::Unexplained {
            return Err(self.error(reason_at, format!("an entry of kind `{kind}` gives a reason")));
        }
        let link = table.remove_entry("link");
        let link = link.map(|(key, link)| self.string(&link, key.span.start, "link")).transpose()?;
        let mut line = self.line(kind_at);
        let mut until = None;
        if let Some((key, date)) = table.remove_entry("until") {
            line = self.line(key.span.start);
            until = Some(
                date.as_str()
                    .filter(|date| is_date(date))
                    .map(str::to_owned)
                    .ok_or_else(|| self.error(key.span.start, "`until` is a day in quotes, such as \"2027-01-31\""))?,
            );
        }
        let named = baseline.deviations.len();
        if let Some((key, deviations)) = table.remove_entry("deviations") {
            self.deviations(deviations, key.span.start, baseline)?;
        }
        let vectors = match table.remove_entry("vectors") {
            Some((key, mut vectors)) => {
                let vectors = self.table(&mut vectors, "`vectors`")?;
                if vectors.is_empty() {
                    return Err(self.error(key.span.start, "an entry has at least one vector"));
                }
                vectors
            }
            None if baseline.deviations.len() > named => Table::new(),
            None => return Err(self.error(at, "an entry has [entry.vectors] or `deviations`")),
        };
        for (key, got) in vectors {
            let key_at = key.span.start;
            let glob = Glob::new(&key.name).map_err(|problem| self.error(key_at, problem))?;
            let (got, got_at) = self.expected_failure(got, key_at, &glob)?;
            baseline.lines.push(Line {
                vectors: glob,
                got,
                entry: baseline.entries.len(),
                line: self.line(key_at),
                key_at: self.whole_string(key.span),
                got_at,
            });
        }
        self.nothing_else(&table, "kind, reason, link, until, deviations, and [entry.vectors]")?;
        baseline.entries.push(Entry {
            kind,
            reason,
            link,
            until,
            line,
        });
        Ok(())
    }

    fn deviations(&self, mut list: Value<'t>, at: usize, baseline: &mut Baseline) -> Result<(), BaselineError> {
        let message = "`deviations` is a list of ids, or of tables with `id` and parameters";
        let ValueInner::Array(list) = list.take() else {
            return Err(self.error(at, message));
        };
        if list.is_empty() {
            return Err(self.error(at, "`deviations` names at least one"));
        }
        for one in list {
            let deviation = BaselineDeviation {
                line: self.line(one.span.start),
                deviation: json(one),
                entry: baseline.entries.len(),
            };
            if deviation.id().is_empty() {
                return Err(self.error(at, message));
            }
            if let Some(same) = baseline.deviations.iter().find(|other| other.deviation == deviation.deviation) {
                let message = format!("`{}` stands in line {} already", deviation.id(), same.line);
                return Err(self.error(at, message));
            }
            baseline.deviations.push(deviation);
        }
        Ok(())
    }

    /// The failure that a line accepts, and where its answer, or the number of answers, stands.
    fn expected_failure(
        &self,
        mut got: Value<'t>,
        key_at: usize,
        vectors: &Glob,
    ) -> Result<(ExpectedFailure, Range<usize>), BaselineError> {
        if let Some(text) = got.as_str() {
            return Ok((ExpectedFailure::Answer(text.to_owned()), self.whole_string(got.span)));
        }
        let ValueInner::Table(mut table) = got.take() else {
            let message = format!("`{vectors}` is an answer in quotes, or {{ kind = '…', answers = … }}");
            return Err(self.error(key_at, message));
        };
        if vectors.is_exact() {
            let message = format!("`{vectors}` is one vector: write the answer, since a kind would hide another one");
            return Err(self.error(key_at, message));
        }
        let (name, kind_at) = self.required(&mut table, "kind", key_at)?;
        let kind = DifferenceKind::ALL.into_iter().find(|kind| name.as_str() == Some(kind.name()));
        let kind = kind.ok_or_else(|| self.error(kind_at, format!("`kind` is one of {}", kinds())))?;
        let clause = table.remove_entry("clause");
        let clause = clause.map(|(key, clause)| self.string(&clause, key.span.start, "clause")).transpose()?;
        let (answers, answers_at) = self.required(&mut table, "answers", key_at)?;
        let number = answers.as_integer().and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0);
        let number = number.ok_or_else(|| {
            self.error(
                answers_at,
                "`answers` is how many answers the line covers, a number from 1",
            )
        })?;
        self.nothing_else(&table, "kind, clause and answers")?;
        let got = ExpectedFailure::Kind {
            kind,
            clause,
            answers: number,
        };
        Ok((got, answers.span.into()))
    }

    fn table(&self, value: &mut Value<'t>, what: &str) -> Result<Table<'t>, BaselineError> {
        let at = value.span.start;
        match value.take() {
            ValueInner::Table(table) => Ok(table),
            other => Err(self.error(at, format!("{what} is a table, not {}", other.type_str()))),
        }
    }

    /// A value that must be there, and where it stands; where it does not, `at` is where it is missing.
    fn required(&self, table: &mut Table<'t>, key: &str, at: usize) -> Result<(Value<'t>, usize), BaselineError> {
        let found = table.remove_entry(key);
        let hint = match key {
            "uriproof" => ": write `uriproof = 1`",
            "subject" => ": write the name of the library",
            _ => "",
        };
        let missing = || self.error(at, format!("`{key}` is missing{hint}"));
        found.map(|(key, value)| (value, key.span.start)).ok_or_else(missing)
    }

    fn string(&self, value: &Value<'t>, at: usize, key: &str) -> Result<String, BaselineError> {
        value.as_str().map(str::to_owned).ok_or_else(|| self.error(at, format!("`{key}` is a text in quotes")))
    }

    fn nothing_else(&self, table: &Table<'t>, known: &str) -> Result<(), BaselineError> {
        match table.keys().next() {
            None => Ok(()),
            Some(key) => Err(self.error(
                key.span.start,
                format!("`{}` does not belong here; there are {known}", key.name),
            )),
        }
    }

    fn malformed(&self, error: &toml_span::Error) -> BaselineError {
        let text = error.to_string();
        let message = match &error.kind {
            toml_span::ErrorKind::DuplicateKey { key, first } => {
                format!("`{key}` stands in line {} already", self.line(first.start))
            }
            _ => format!("no TOML: {}", text.lines().next().unwrap_or_default()),
        };
        self.error(error.span.start, message)
    }

    fn error(&self, at: usize, message: impl Into<String>) -> BaselineError {
        BaselineError {
            file: self.file.clone(),
            line: self.line(at),
            message: message.into(),
        }
    }

    /// The line, from 1, of an octet.
    fn line(&self, at: usize) -> usize {
        self.breaks.partition_point(|line_break| *line_break < at) + 1
    }

    /// The place of a string with its quotes, which a span may have or not.
    fn whole_string(&self, span: Span) -> Range<usize> {
        let text = self.text.as_bytes();
        let is_quote = |at: usize| matches!(text.get(at), Some(b'"' | b'\''));
        match span.start.checked_sub(1) {
            Some(before) if is_quote(before) && text.get(span.end) == text.get(before) => before..span.end + 1,
            _ => span.start..span.end,
        }
    }
}

/// A value of TOML as JSON has it.
fn json(mut value: Value<'_>) -> Json {
    match value.take() {
        ValueInner::String(text) => Json::String(text.into_owned()),
        ValueInner::Integer(number) => Json::from(number),
        ValueInner::Float(number) => Json::from(number),
        ValueInner::Boolean(is) => Json::Bool(is),
        ValueInner::Array(items) => items.into_iter().map(json).collect(),
        ValueInner::Table(table) => {
            table.into_iter().map(|(key, value)| (key.name.into_owned(), json(value))).collect()
        }
    }
}

fn kinds() -> String {
    DifferenceKind::ALL.map(DifferenceKind::name).join(", ")
}

/// Whether a text is a day of the calendar, year-month-day.
pub(super) fn is_date(text: &str) -> bool {
    let numbers: Option<Vec<u32>> = text.split('-').map(|part| part.parse().ok()).collect();
    let Some([year, month, day]) = numbers.as_deref() else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    };
    text.len() == 10 && text.as_bytes()[4] == b'-' && (1..=12).contains(month) && (1..=days).contains(day)
}
