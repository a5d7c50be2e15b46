//! The baseline: what a library does otherwise, and why, as its author keeps it.
//!
//! ```toml
//! uriproof = 1
//! subject = "my-uri"
//! compares = 812
//!
//! [[entry]]
//! kind = "bug"
//! reason = "the last group of an IPv6 address is not checked"
//! link = "https://example.com/issues/7"
//! until = "2027-01-31"
//! [entry.vectors]
//! "syntax/ipv6/double-elision" = 'accepted'
//! "syntax/ipv6/nine-*" = 'accepted-invalid'
//! ```

use std::fmt;
use std::ops::Range;
use std::path::Path;

use toml_span::value::{Table, ValueInner};
use toml_span::{Span, Value};

use crate::compare;
use crate::gate::glob::Glob;
use crate::gate::suite::is_of_suite;
use crate::model::{Declaration, OneLine};
use crate::vectors::Library;

/// What a library does otherwise than the vectors expect, entry by entry.
#[derive(Clone, Debug)]
pub struct Baseline {
    /// The file, as messages name it.
    pub file: String,
    /// The name of the subject that it is about.
    pub subject: String,
    /// How many vectors were compared, at least: a gate does not become hollow unseen.
    pub compares: usize,
    /// The line of `compares`.
    pub compares_line: usize,
    /// What differs, for a reason each.
    pub entries: Vec<Entry>,
    /// The vectors of all entries, in the order of the file.
    pub lines: Vec<Line>,
    subject_line: usize,
    pub(super) compares_at: Range<usize>,
    pub(super) text: String,
}

/// Why some vectors fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The kind of reason.
    pub kind: ReasonKind,
    /// The reason; empty only where it is [`ReasonKind::Unexplained`].
    pub reason: String,
    /// Where more is said of it.
    pub link: Option<String>,
    /// The last day on which it stands: `2027-01-31`.
    pub until: Option<String>,
    /// The line of `until`, else of `kind`.
    pub line: usize,
}

/// A vector, or a pattern of vectors, and what comes of it instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The vectors.
    pub vectors: Glob,
    /// What comes of them: the outcome in short (see [`Failure::brief`](super::Failure::brief)), or a kind of difference.
    pub got: String,
    /// The place of its entry.
    pub entry: usize,
    /// The line, from 1.
    pub line: usize,
    pub(super) key_at: Range<usize>,
    pub(super) got_at: Range<usize>,
}

/// The kinds of reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReasonKind {
    /// It is wrong, and is to be mended.
    Bug,
    /// It is meant.
    ByDesign,
    /// It is not there.
    Unsupported,
    /// Nobody has said yet.
    Unexplained,
}

impl ReasonKind {
    /// Every kind.
    pub const ALL: [ReasonKind; 4] = [
        ReasonKind::Bug,
        ReasonKind::ByDesign,
        ReasonKind::Unsupported,
        ReasonKind::Unexplained,
    ];

    /// Its name, as a baseline spells it.
    pub fn name(self) -> &'static str {
        match self {
            ReasonKind::Bug => "bug",
            ReasonKind::ByDesign => "by-design",
            ReasonKind::Unsupported => "unsupported",
            ReasonKind::Unexplained => "unexplained",
        }
    }
}

impl fmt::Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a baseline cannot be read: file, line, and what is wrong, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BaselineError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", OneLine(&self.file), self.line, OneLine(&self.message))
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// Reads the text of a baseline; `file` is what messages name.
    ///
    /// # Errors
    ///
    /// What is wrong first, with its line.
    pub fn read(file: &Path, text: &str) -> Result<Baseline, BaselineError> {
        let reader = BaselineReader {
            file: file.display().to_string(),
            text,
        };
        reader.baseline()
    }

    /// Fails on the first line that names a vector that there is not.
    ///
    /// # Errors
    ///
    /// The line, with the id that is nearest.
    pub fn check_ids(&self, library: &Library) -> Result<(), BaselineError> {
        for line in self.lines.iter().filter(|line| line.vectors.is_exact()) {
            // Whether there is such a group is known when the suite was put to the subject.
            if is_of_suite(&line.vectors.to_string()) {
                continue;
            }
            if !library.vectors().any(|vector| line.vectors.matches(&vector.id)) {
                let id = line.vectors.to_string();
                let nearest = library.nearest(&id).map(|nearest| format!(", perhaps `{nearest}` is meant"));
                return Err(BaselineError {
                    file: self.file.clone(),
                    line: line.line,
                    message: format!("no vector `{id}`{}", nearest.unwrap_or_default()),
                });
            }
        }
        Ok(())
    }

    /// Fails if it is about another subject.
    ///
    /// # Errors
    ///
    /// The two names.
    pub fn check_subject(&self, declaration: &Declaration) -> Result<(), BaselineError> {
        if self.subject == declaration.name {
            return Ok(());
        }
        Err(BaselineError {
            file: self.file.clone(),
            line: self.subject_line,
            message: format!(
                "the baseline is about `{}`, and `{}` is checked",
                self.subject, declaration.name
            ),
        })
    }

    /// The entry of a line.
    pub fn entry_of(&self, line: &Line) -> &Entry {
        &self.entries[line.entry]
    }
}

struct BaselineReader<'t> {
    file: String,
    text: &'t str,
}

impl<'t> BaselineReader<'t> {
    fn baseline(&self) -> Result<Baseline, BaselineError> {
        let mut root = toml_span::parse(self.text).map_err(|error| self.malformed(&error))?;
        let mut root = self.table(&mut root, "the file")?;
        let (format, at) = self.required(&mut root, "uriproof", 0)?;
        if format.as_integer() != Some(1) {
            return Err(self.error(at, "`uriproof` is the number of the format: 1"));
        }
        let (subject, at) = self.required(&mut root, "subject", 0)?;
        let subject_line = self.line(at);
        let subject = self.string(&subject, at, "subject")?;
        let (compares, compares_at) = self.required(&mut root, "compares", 0)?;
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
        let mut known: Vec<&Line> = Vec::new();
        for line in &baseline.lines {
            let is_same = |other: &&&Line| other.vectors.to_string().eq_ignore_ascii_case(&line.vectors.to_string());
            if let Some(first) = known.iter().find(is_same) {
                let message = format!("`{}` stands in line {} already", line.vectors, first.line);
                return Err(self.error(line.key_at.start, message));
            }
            known.push(line);
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
        let (mut vectors, vectors_at) = self.required(&mut table, "vectors", at)?;
        let vectors = self.table(&mut vectors, "`vectors`")?;
        if vectors.is_empty() {
            return Err(self.error(vectors_at, "an entry has at least one vector"));
        }
        for (key, got) in vectors {
            let key_at = key.span.start;
            let glob = Glob::new(&key.name).map_err(|problem| self.error(key_at, problem))?;
            let text = self.string(&got, key_at, &key.name)?;
            if !glob.is_exact()
                && !compare::DifferenceKind::ALL.iter().any(|kind| kind.name() == text)
                && !is_plain(&text)
            {
                let message = format!(
                    "what comes of a pattern is `accepted`, `rejected`, or one of {}",
                    kinds()
                );
                return Err(self.error(key_at, message));
            }
            baseline.lines.push(Line {
                vectors: glob,
                got: text,
                entry: baseline.entries.len(),
                line: self.line(key_at),
                key_at: self.whole_string(key.span),
                got_at: self.whole_string(got.span),
            });
        }
        self.nothing_else(&table, "kind, reason, link, until, and [entry.vectors]")?;
        baseline.entries.push(Entry {
            kind,
            reason,
            link,
            until,
            line,
        });
        Ok(())
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
        found.map(|(key, value)| (value, key.span.start)).ok_or_else(|| self.error(at, format!("`{key}` is missing")))
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
        self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|octet| **octet == b'\n').count() + 1
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

/// Whether an outcome in short tells no value.
fn is_plain(got: &str) -> bool {
    matches!(got, "accepted" | "rejected" | "equivalent" | "not equivalent")
}

fn kinds() -> String {
    compare::DifferenceKind::ALL.map(compare::DifferenceKind::name).join(", ")
}

/// Whether a text is a day of the calendar, year-month-day.
fn is_date(text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "uriproof = 1\nsubject = \"my-uri\"\ncompares = 3\n";

    fn read(entries: &str) -> Result<Baseline, String> {
        Baseline::read(Path::new("b.toml"), &format!("{HEAD}{entries}")).map_err(|error| error.to_string())
    }

    #[test]
    fn an_entry_is_read_with_its_lines() {
        let baseline = read(
            "\n[[entry]]\nkind = \"bug\"\nreason = \"so\"\nuntil = \"2027-01-31\"\n[entry.vectors]\n\"b/*\" = 'accepted-invalid'\n\"a/b\" = 'host \"A\"'\n",
        )
        .unwrap();
        assert_eq!((baseline.compares, baseline.compares_line), (3, 3));
        let [first, second] = baseline.lines.as_slice() else {
            panic!("{baseline:?}")
        };
        assert_eq!((first.vectors.to_string(), first.line), ("b/*".to_owned(), 10));
        assert_eq!((&*second.got, second.line), ("host \"A\"", 11));
        assert_eq!(&baseline.text[second.got_at.clone()], "'host \"A\"'");
        assert_eq!(&baseline.text[second.key_at.clone()], "\"a/b\"");
        assert_eq!(baseline.entries[0].line, 8);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let entry = |vectors: &str| format!("[[entry]]\nkind = \"bug\"\nreason = \"so\"\n[entry.vectors]\n{vectors}\n");
        for (entries, expected) in [
            ("x = ".to_owned(), "b.toml:4: no TOML: "),
            (
                "x = 1\n".to_owned(),
                "b.toml:4: `x` does not belong here; there are uriproof",
            ),
            ("[[entry]]\nreason = \"\"\n".to_owned(), "b.toml:4: `kind` is missing"),
            (
                "[[entry]]\nkind = \"bug\"\n".to_owned(),
                "b.toml:4: `reason` is missing",
            ),
            (
                "[[entry]]\nkind = \"typo\"\nreason = \"\"\n".to_owned(),
                "b.toml:5: `kind` is one of bug",
            ),
            (
                "[[entry]]\nkind = \"bug\"\nreason = \" \"\n".to_owned(),
                "b.toml:6: an entry of kind `bug` gives a reason",
            ),
            (
                "[[entry]]\nkind = \"bug\"\nreason = \"so\"\n".to_owned(),
                "b.toml:4: `vectors` is missing",
            ),
            (entry(""), "b.toml:7: an entry has at least one vector"),
            (entry("\"a/b\" = 1"), "b.toml:8: `a/b` is a text in quotes"),
            (entry("\"a/[b\" = 'accepted'"), "b.toml:8: a pattern has"),
            (entry("\"a/*\" = 'host \"A\"'"), "b.toml:8: what comes of a pattern is"),
            (
                entry("\"a/b\" = 'accepted'\n\"a/b\" = 'rejected'"),
                "b.toml:9: `a/b` stands in line 8 already",
            ),
            (
                format!("{}{}", entry("\"a/b\" = 'accepted'"), entry("\"A/b\" = 'accepted'")),
                "b.toml:13: `A/b` stands in line 8 already",
            ),
            (
                format!(
                    "[[entry]]\nuntil = \"2027-02-29\"\n{}",
                    &entry("\"a/b\" = 'accepted'")[10..]
                ),
                "b.toml:5: `until` is a day in quotes",
            ),
        ] {
            let error = read(&entries).err().unwrap_or_else(|| panic!("{entries}"));
            assert!(error.starts_with(expected), "{error} is not {expected}");
        }
        for (text, expected) in [
            ("", "b.toml:1: `uriproof` is missing"),
            ("uriproof = 2", "b.toml:1: `uriproof` is the number of the format: 1"),
            ("uriproof = 1\nsubject = \"a\"\n", "b.toml:1: `compares` is missing"),
        ] {
            let error = Baseline::read(Path::new("b.toml"), text).err().unwrap();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (text, expected) in [
            ("2027-01-31", true),
            ("2028-02-29", true),
            ("2027-02-29", false),
            ("2027-13-01", false),
            ("2027-1-31", false),
            ("soon", false),
        ] {
            assert_eq!(is_date(text), expected, "{text}");
        }
    }
}
