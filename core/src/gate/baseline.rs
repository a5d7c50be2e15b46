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
//! "syntax/ipv6/double-elision" = 'accepted, host "[::1::2]" path ""'
//! "syntax/ipv6/nine-*" = { kind = 'accepted-invalid', answers = 4 }
//!
//! [[entry]]
//! kind = "by-design"
//! reason = "ports are of 16 bits, and what is split is not validated"
//! deviations = ["no-validation", { id = "refuses-ports-above", limit = 65535 }]
//! ```
//!
//! A line keeps the whole answer, so that another wrong answer is a failure. A pattern may name a kind of difference instead; then it
//! says how many answers it covers. What the deviations of all entries together predict of the library, to the letter, is known too.

mod read;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use self::read::BaselineReader;
use crate::algorithms::split_marks;
use crate::compare::{DifferenceKind, Verdict};
use crate::gate::deviations::BaselineDeviation;
use crate::gate::glob::Glob;
use crate::gate::judgement::Failure;
#[cfg(feature = "harness")]
use crate::gate::suite;
use crate::gate::suite::is_of_suite;
#[cfg(feature = "harness")]
use crate::model::Operation;
use crate::model::{Declaration, OneLine, Vector};
use crate::run;
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
    /// The deviations of all entries, in the order of the file.
    pub deviations: Vec<BaselineDeviation>,
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
    /// What comes of them.
    pub got: ExpectedFailure,
    /// The place of its entry.
    pub entry: usize,
    /// The line, from 1.
    pub line: usize,
    pub(super) key_at: Range<usize>,
    /// The place of the answer, or of the number of answers.
    pub(super) got_at: Range<usize>,
}

impl Baseline {
    /// Whether the answer to a vector is a failure that a line accepts: the one with the vector's id, or else the first pattern.
    pub fn accepts(&self, vector: &Vector, result: &run::Result) -> bool {
        let Verdict::Diverge(difference) = &result.verdict else {
            return false;
        };
        let failure = Failure::of(result, difference);
        let is_of = |line: &&Line| line.vectors.matches(&vector.id) && line.is_about(vector, Some(&failure));
        let own = self.lines.iter().filter(|line| line.vectors.is_exact()).find(is_of);
        own.or_else(|| self.lines.iter().find(is_of)).is_some_and(|line| line.accepts(&failure))
    }
}

impl Line {
    /// Whether a vector that its pattern matches is of the line, if it fails so, or does not. That of an answer is about all of them.
    pub(super) fn is_about(&self, vector: &Vector, failure: Option<&Failure>) -> bool {
        match (&self.got, failure) {
            (ExpectedFailure::Answer(_), _) => true,
            (ExpectedFailure::Kind { .. }, None) => false,
            (ExpectedFailure::Kind { kind, clause, .. }, Some(failure)) => {
                // A group of a suite is many answers: the pattern says that it means them.
                let means_suites = is_of_suite(&self.vectors.to_string());
                failure.kind == *kind
                    && means_suites == is_of_suite(&vector.id)
                    && failure.unrepeated.is_none()
                    && clause.as_ref().is_none_or(|clause| vector.clauses.first() == Some(clause))
            }
        }
    }

    /// Whether a failure that the line is about is the one that it accepts.
    pub(super) fn accepts(&self, failure: &Failure) -> bool {
        match &self.got {
            ExpectedFailure::Answer(answer) if failure.suite_inputs > 0 => {
                // The marks say no more than the digest, and lines of earlier versions have none.
                split_marks(answer).0 == split_marks(&failure.brief).0
            }
            ExpectedFailure::Answer(answer) => *answer == failure.brief,
            ExpectedFailure::Kind { .. } => true,
        }
    }
}

/// The failure that a line accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedFailure {
    /// This answer, as [`Failure::brief`](super::Failure::brief) has it.
    Answer(String),
    /// Any answer that differs in this way, of those that the pattern matches. The others are not of the line.
    Kind {
        /// The kind.
        kind: DifferenceKind,
        /// The clause that decides the vector, if only those are meant: its first.
        clause: Option<String>,
        /// How many there are.
        answers: usize,
    },
}

impl fmt::Display for ExpectedFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectedFailure::Answer(answer) => f.write_str(answer),
            ExpectedFailure::Kind { kind, clause, .. } => {
                f.write_str(kind.name())?;
                clause.iter().try_for_each(|clause| write!(f, ", {clause}"))
            }
        }
    }
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
    /// Whether what its lines say of the suites shows in the test of each suite: each such line has the answers of one suite, and no
    /// deviation is about all. How many answers are of a kind is counted in a whole run alone.
    #[cfg(feature = "harness")]
    pub(super) fn keeps_suites_apart(&self) -> bool {
        let is_apart = |line: &Line| {
            let vectors = line.vectors.to_string();
            let prefixes = || Operation::ALL.into_iter().map(|operation| format!("{}/", suite::id(operation)));
            let has_answers = matches!(line.got, ExpectedFailure::Answer(_));
            !is_of_suite(&vectors) || has_answers && prefixes().any(|prefix| vectors.starts_with(&prefix))
        };
        self.compares > 0 && self.deviations.is_empty() && self.lines.iter().all(is_apart)
    }

    /// Reads the text of a baseline; `file` is what messages name.
    ///
    /// # Errors
    ///
    /// What is wrong first, with its line.
    pub fn read(file: &Path, text: &str) -> Result<Baseline, BaselineError> {
        BaselineReader::new(file.display().to_string(), text).baseline()
    }

    /// Fails on the first line that names a vector that there is not.
    ///
    /// # Errors
    ///
    /// The line, with the id that is nearest.
    pub fn check_ids(&self, library: &Library) -> Result<(), BaselineError> {
        let vectors = library.vectors().chain(&library.whatwg.vectors);
        let known: HashSet<String> = vectors.map(|vector| vector.id.to_ascii_lowercase()).collect();
        for line in self.lines.iter().filter(|line| line.vectors.is_exact()) {
            // Whether there is such a group is known when the suite was put to the subject.
            let id = line.vectors.to_string();
            if is_of_suite(&id) {
                continue;
            }
            if !known.contains(&id.to_ascii_lowercase()) {
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

    /// Whether every line that names one vector names one of this version's.
    #[cfg(feature = "harness")]
    pub(super) fn has_known_ids(&self) -> bool {
        let known: HashSet<&str> = uriproof_vectors::ids().chain(uriproof_vectors::whatwg_ids()).collect();
        let is_known = |id: &str| known.contains(id) || known.iter().any(|known| known.eq_ignore_ascii_case(id));
        let mut names = self.lines.iter().filter(|line| line.vectors.is_exact()).map(|line| line.vectors.to_string());
        names.all(|id| is_of_suite(&id) || is_known(&id))
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

#[cfg(test)]
mod tests {
    use super::read::is_date;
    use super::*;

    const HEAD: &str = "uriproof = 1\nsubject = \"my-uri\"\ncompares = 3\n";

    fn read(entries: &str) -> Result<Baseline, String> {
        Baseline::read(Path::new("b.toml"), &format!("{HEAD}{entries}")).map_err(|error| error.to_string())
    }

    #[test]
    fn an_entry_is_read_with_its_lines() {
        let baseline = read(
            "\n[[entry]]\nkind = \"bug\"\nreason = \"so\"\nuntil = \"2027-01-31\"\n[entry.vectors]\n\"b/*\" = { kind = 'accepted-invalid', clause = '§3/a', answers = 7 }\n\"a/b\" = 'host \"A\"'\n",
        )
        .unwrap();
        assert_eq!((baseline.compares, baseline.compares_line), (3, 3));
        let [first, second] = baseline.lines.as_slice() else {
            panic!("{baseline:?}")
        };
        assert_eq!((first.vectors.to_string(), first.line), ("b/*".to_owned(), 10));
        let of_kind = ExpectedFailure::Kind {
            kind: DifferenceKind::AcceptedInvalid,
            clause: Some("§3/a".to_owned()),
            answers: 7,
        };
        assert_eq!(first.got, of_kind);
        assert_eq!(&baseline.text[first.got_at.clone()], "7");
        assert_eq!((second.got.to_string(), second.line), ("host \"A\"".to_owned(), 11));
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
                "b.toml:4: an entry has [entry.vectors] or `deviations`",
            ),
            (entry(""), "b.toml:7: an entry has at least one vector"),
            (entry("\"a/b\" = 1"), "b.toml:8: `a/b` is an answer in quotes, or "),
            (
                entry("\"a/b\" = { kind = 'accepted-invalid', answers = 1 }"),
                "b.toml:8: `a/b` is one vector: write the answer",
            ),
            (
                entry("\"a/*\" = { kind = 'accepted', answers = 1 }"),
                "b.toml:8: `kind` is one of accepted-invalid, ",
            ),
            (
                entry("\"a/*\" = { kind = 'accepted-invalid' }"),
                "b.toml:8: `answers` is missing",
            ),
            (
                entry("\"a/*\" = { kind = 'accepted-invalid', answers = 0 }"),
                "b.toml:8: `answers` is how many answers the line covers, a number from 1",
            ),
            (entry("\"a/[b\" = 'accepted'"), "b.toml:8: a pattern has"),
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
            (
                "uriproof = 1\nsubject = \"a\"\n",
                "b.toml:1: `compares` is missing: write `compares = 0`",
            ),
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
