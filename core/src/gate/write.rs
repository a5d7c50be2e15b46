//! A baseline made from what fails, or brought up to date: what stands is kept as it is written.

mod written;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use toml_writer::TomlWrite as _;

use crate::compare::DifferenceKind;
use crate::gate::baseline::{Baseline, Entry, ExpectedFailure, Line, ReasonKind};
use crate::gate::deviations::NO_VALIDATION;
use crate::gate::groups::{FailureCount, wrapped};
use crate::gate::judgement::{Case, Failure, Judgement};
use crate::gate::suite::is_of_suite;
use crate::model::{OneLine, Vector};
use crate::spelling::{Quotes, spelled};
use crate::vectors::Library;

pub use self::written::Written;

impl Baseline {
    /// The text of a baseline with which what was judged passes, but for what has expired: `before` with its comments and its
    /// order, without what no longer fails, and with what fails anew, clause by clause, in entries that wait for a reason.
    ///
    /// What was judged is all that the baseline is about: nothing was lost, and nothing left out by id or clause.
    ///
    /// # Errors
    ///
    /// The text before is laid out in a way that it cannot be edited in.
    pub fn written(judgement: &Judgement<'_>, library: &Library, before: Option<&Baseline>) -> Result<Written, String> {
        let compared = judgement.tally().compared();
        let mut written = Written {
            text: before.map_or_else(|| head(&judgement.name, compared), |before| before.text.clone()),
            added: 0,
            changed: 0,
            deleted: 0,
            unexplained: 0,
            covered: FailureCount::new(0, 0),
            deviations: Vec::new(),
            predicted: FailureCount::new(0, 0),
        };
        let all = judgement.cases.iter().filter_map(|case| Some((&*case.vector, case.status.failure()?)));
        let (predicted, failing): (Vec<_>, Vec<_>) = all.partition(|(_, failure)| failure.is_predicted);
        let suites_predicted: u64 = judgement.suites.iter().map(|suite| suite.all_predicted).sum();
        let of_suites = FailureCount::new(0, suites_predicted);
        let count = |failures: &[(&Vector, &Failure)]| FailureCount::of(failures.iter().map(|(_, failure)| *failure));
        written.predicted = [count(&predicted), of_suites].into_iter().sum();
        written.covered = [written.predicted, count(&failing)].into_iter().sum();
        let mut explained: Vec<&str> = Vec::new();
        let mut expected = Content::default();
        if let Some(before) = before {
            written.update(before, judgement, &failing, &mut explained, &mut expected);
        }
        written.append(library, &failing, &explained, &mut expected);
        let cannot = |reason: &str| {
            format!(
                "its text cannot be edited ({reason}): write `[[entry]]`, `[entry.vectors]` and each vector on lines of their own"
            )
        };
        let again = Baseline::read(Path::new(""), &written.text).map_err(|error| cannot(&error.message))?;
        let is_as_expected =
            (&*again.subject, again.compares) == (&*judgement.name, compared) && Content::of(&again).equals(expected);
        if !is_as_expected {
            return Err(cannot("an entry or a vector is not where it is looked for"));
        }
        written.deviations = again.deviations.iter().map(|named| named.id().to_owned()).collect();
        if again.deviations.iter().any(|named| named.id() == NO_VALIDATION) {
            let unvalidated = judgement.unvalidated();
            written.predicted = [written.predicted, unvalidated].into_iter().sum();
            written.covered = [written.covered, unvalidated].into_iter().sum();
        }
        written.unexplained = again.entries.iter().filter(|entry| entry.kind == ReasonKind::Unexplained).count();
        Ok(written)
    }
}

/// What a baseline says of each vector or pattern, and why.
#[derive(Default)]
struct Content(Vec<(String, ExpectedFailure, Reason)>);

type Reason = (ReasonKind, String, Option<String>, Option<String>);

impl Content {
    fn of(baseline: &Baseline) -> Content {
        let mut content = Content::default();
        for line in &baseline.lines {
            content.add(&line.vectors.to_string(), &line.got, baseline.entry_of(line));
        }
        content
    }

    fn add(&mut self, vectors: &str, got: &ExpectedFailure, entry: &Entry) {
        let reason = (
            entry.kind,
            entry.reason.clone(),
            entry.link.clone(),
            entry.until.clone(),
        );
        self.0.push((vectors.to_owned(), got.clone(), reason));
    }

    /// Whether two say the same, in whatever order.
    fn equals(mut self, mut other: Content) -> bool {
        for content in [&mut self, &mut other] {
            content.0.sort_by(|one, other| one.0.cmp(&other.0));
        }
        self.0 == other.0
    }
}

impl Written {
    /// Changes and deletes the lines of `before`; the ids of the vectors that it explains afterwards are added to `explained`.
    fn update<'v>(
        &mut self,
        before: &Baseline,
        judgement: &Judgement<'_>,
        failing: &[(&'v Vector, &Failure)],
        explained: &mut Vec<&'v str>,
        expected: &mut Content,
    ) {
        let compared = judgement.tally().compared();
        let mut edits: Vec<(Range<usize>, String)> = vec![(before.compares_at.clone(), compared.to_string())];
        let mut kept = vec![0; before.entries.len()];
        before.deviations.iter().for_each(|named| kept[named.entry] += 1);
        let is_own = |id: &str| has_own_line(before, id);
        let matched = matched_by_patterns(before, judgement);
        let matched = |line: &Line| matched.get(&line.line).copied().unwrap_or_default();
        for line in &before.lines {
            let of_line: Vec<&(&'v Vector, &Failure)> = failing
                .iter()
                .filter(|(vector, failure)| {
                    let is_open = !explained.contains(&&*vector.id);
                    line.vectors.matches(&vector.id) && is_open && line.is_about(vector, Some(failure))
                })
                .filter(|(vector, _)| line.vectors.is_exact() || !is_own(&vector.id))
                .collect();
            explained.extend(of_line.iter().map(|(vector, _)| &*vector.id));
            kept[line.entry] += of_line.len();
            if of_line.is_empty() && has_not_run(judgement, line) {
                kept[line.entry] += 1;
                expected.add(&line.vectors.to_string(), &line.got, before.entry_of(line));
                continue;
            }
            let is_narrower = is_narrower(matched(line), &of_line);
            edits.extend(self.edit_of_line(before, line, &of_line, is_narrower, expected));
        }
        for (at, _) in kept.iter().enumerate().filter(|(_, kept)| **kept == 0) {
            let lines = before.lines.iter().filter(|line| line.entry == at);
            if let Some(key_at) = lines.map(|line| line.key_at.start).min() {
                edits.push((whole_entry(&before.text, key_at), String::new()));
            }
        }
        // What lies in an entry that is deleted is deleted with it.
        edits.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
        let mut text = String::new();
        let mut at = 0;
        for (range, with) in edits {
            if range.start >= at {
                text += &before.text[at..range.start];
                text += &with;
                at = range.end;
            }
        }
        text += &before.text[at..];
        self.text = text;
    }

    /// What is changed of a line of `before`, of which these vectors fail: all that it is about, unless it is narrower.
    fn edit_of_line(
        &mut self,
        before: &Baseline,
        line: &Line,
        failing: &[&(&Vector, &Failure)],
        is_narrower: bool,
        expected: &mut Content,
    ) -> Option<(Range<usize>, String)> {
        let (vectors, entry) = (line.vectors.to_string(), before.entry_of(line));
        match (&line.got, line.vectors.is_exact(), failing) {
            (_, _, []) => {
                self.deleted += 1;
                Some((whole_line(&before.text, &line.key_at), String::new()))
            }
            (ExpectedFailure::Kind { kind, clause, answers }, _, failing) => {
                let got = ExpectedFailure::Kind {
                    kind: *kind,
                    clause: clause.clone(),
                    answers: failing.len(),
                };
                expected.add(&vectors, &got, entry);
                let is_changed = *answers != failing.len();
                self.changed += usize::from(is_changed);
                is_changed.then(|| (line.got_at.clone(), failing.len().to_string()))
            }
            (_, true, [(_, failure), ..]) if failure.known_as.is_some() => {
                expected.add(&vectors, &answer(failure), entry);
                self.changed += 1;
                Some((line.got_at.clone(), quoted(&failure.brief)))
            }
            (_, false, failing) if is_narrower => {
                let pairs = failing.iter().map(|(vector, failure)| pair(&vector.id, &failure.brief)).collect();
                for (vector, failure) in failing {
                    expected.add(&vector.id, &answer(failure), entry);
                }
                self.changed += 1;
                Some((whole_line(&before.text, &line.key_at), pairs))
            }
            (_, _, _) => {
                expected.add(&vectors, &line.got, entry);
                None
            }
        }
    }

    /// Adds entries for what fails and is not explained: one for each clause and kind of difference.
    fn append(
        &mut self,
        library: &Library,
        failing: &[(&Vector, &Failure)],
        explained: &[&str],
        expected: &mut Content,
    ) {
        let mut news: BTreeMap<(&str, &str), Vec<&(&Vector, &Failure)>> = BTreeMap::new();
        for one in failing.iter().filter(|(vector, _)| !explained.contains(&&*vector.id)) {
            let clause = one.0.clauses.first().map(String::as_str).unwrap_or_default();
            news.entry((clause, one.1.kind.name())).or_default().push(one);
        }
        let new = Entry {
            kind: ReasonKind::Unexplained,
            reason: String::new(),
            link: None,
            until: None,
            line: 0,
        };
        for ((clause, kind), of_clause) in news {
            self.add_entry(&about(kind, clause, &of_clause, library)).expect("writes to a string");
            let (of_suites, vectors): (Vec<_>, Vec<_>) =
                of_clause.into_iter().partition(|(vector, _)| is_of_suite(&vector.id));
            let is_one_line = is_whole_kind(&vectors);
            let in_one_line = vectors.iter().min_by_key(|(vector, _)| vector.input.size()).filter(|_| is_one_line);
            if let Some((witness, failure)) = in_one_line {
                let about = format!("Such as {}: {}", witness.id, witness.input);
                comment(&mut self.text, &about).expect("writes to a string");
                let (kind, answers) = (failure.kind, vectors.len());
                let line = format!(
                    "{{ kind = {}, clause = {}, answers = {answers} }}",
                    quoted(kind.name()),
                    quoted(clause)
                );
                self.text += &format!("\"*\" = {line}\n");
                let clause = Some(clause.to_owned());
                expected.add("*", &ExpectedFailure::Kind { kind, clause, answers }, &new);
                self.added += 1;
            }
            for (vector, failure) in of_suites.into_iter().chain(vectors.into_iter().filter(|_| !is_one_line)) {
                self.text += &pair(&vector.id, &failure.brief);
                expected.add(&vector.id, &answer(failure), &new);
                self.added += 1;
            }
        }
    }

    /// Adds the head of an entry that waits for a reason.
    fn add_entry(&mut self, about: &str) -> fmt::Result {
        let text = &mut self.text;
        text.newline()?;
        text.open_array_of_tables_header()?;
        text.key("entry")?;
        text.close_array_of_tables_header()?;
        text.space()?;
        comment(text, about)?;
        field(
            text,
            "kind",
            &spelled(ReasonKind::Unexplained.name(), Quotes::Double, is_shown),
        )?;
        field(text, "reason", &spelled("", Quotes::Double, is_shown))?;
        text.open_table_header()?;
        text.key("entry")?;
        text.key_sep()?;
        text.key("vectors")?;
        text.close_table_header()?;
        text.newline()
    }
}

/// What the comment of an entry says: how many answers are so, the smallest input of them, and the beginning of what the clause says.
fn about(kind: &str, clause: &str, of_clause: &[&(&Vector, &Failure)], library: &Library) -> String {
    let smallest = of_clause.iter().map(|(vector, _)| &vector.input).min_by_key(|input| input.size());
    let smallest = smallest.map(ToString::to_string).unwrap_or_default();
    let words = library.clause(clause).map(|clause| beginning(&one_line(&clause.quote))).unwrap_or_default();
    format!(
        "{kind} ({}), {clause}, for example to {smallest}: {words}",
        of_clause.len()
    )
}

/// The first words of a text, with three dots where more follow.
fn beginning(text: &str) -> String {
    /// How many characters of them there are.
    const SHOWN: usize = 60;
    match &wrapped(text, " ", SHOWN)[..] {
        [] => String::new(),
        [whole] => whole.clone(),
        [first, ..] => format!("{} ...", first.trim_end()),
    }
}

/// Whether the kind says all of these answers, and they are so many that one line is shorter: each is refused.
fn is_whole_kind(failing: &[&(&Vector, &Failure)]) -> bool {
    /// From how many answers on.
    const MANY: usize = 5;
    failing.len() >= MANY && failing.iter().all(|(_, failure)| failure.kind == DifferenceKind::RejectedValid)
}

/// Whether a line is about a suite that was not put to the subject whole.
fn has_not_run(judgement: &Judgement<'_>, line: &Line) -> bool {
    let vectors = line.vectors.to_string();
    is_of_suite(&vectors) && !judgement.has_put(&vectors)
}

/// Whether a line is about one id alone.
fn has_own_line(before: &Baseline, id: &str) -> bool {
    before.lines.iter().any(|line| line.vectors.is_exact() && line.vectors.matches(id))
}

/// How many ids each pattern is about, by its line: what it matches and no line before it does.
fn matched_by_patterns(before: &Baseline, judgement: &Judgement<'_>) -> BTreeMap<usize, usize> {
    let mut matched = BTreeMap::new();
    for Case { vector, status, .. } in judgement.cases.iter().filter(|case| !has_own_line(before, &case.vector.id)) {
        let is_about = |line: &&Line| line.vectors.matches(&vector.id) && line.is_about(vector, status.failure());
        if let Some(line) = before.lines.iter().find(is_about) {
            *matched.entry(line.line).or_default() += 1;
        }
    }
    matched
}

pub(super) fn head(name: &str, compared: usize) -> String {
    let mut text = String::new();
    let about = format!(
        "What {name} does differently than the vectors of uriproof expect. Each entry gives the reason of its vectors: a"
    );
    let written = [
        comment(&mut text, &about),
        comment(
            &mut text,
            "`kind` (bug, by-design, unsupported; unexplained until somebody has said), a `reason`, and if you like a `link`",
        ),
        comment(
            &mut text,
            "and `until`, the last day on which it stands. Lines can be moved from entry to entry.",
        ),
        field(&mut text, "uriproof", "1"),
        field(&mut text, "subject", &quoted(name)),
        comment(&mut text, "As many vectors were compared; fewer fail."),
        field(&mut text, "compares", &compared.to_string()),
    ];
    written.into_iter().collect::<fmt::Result>().expect("writes to a string");
    text
}

/// Writes a comment, on one line.
pub(super) fn comment(text: &mut String, words: &str) -> fmt::Result {
    text.open_comment()?;
    text.space()?;
    write!(text, "{}", OneLine(&one_line(words)))?;
    text.newline()
}

/// Writes a key and a value that is TOML already.
pub(super) fn field(text: &mut String, key: &str, value: &str) -> fmt::Result {
    text.key(key)?;
    text.space()?;
    text.keyval_sep()?;
    text.space()?;
    text.write_str(value)?;
    text.newline()
}

/// Whether some of what a pattern matches does not fail, or not as it says.
fn is_narrower(all: usize, failing: &[&(&Vector, &Failure)]) -> bool {
    failing.len() != all || failing.iter().any(|(_, failure)| failure.known_as.is_some())
}

fn answer(failure: &Failure) -> ExpectedFailure {
    ExpectedFailure::Answer(failure.brief.clone())
}

fn pair(id: &str, got: &str) -> String {
    format!("{} = {}\n", spelled(id, Quotes::Double, is_shown), quoted(got))
}

/// A string of TOML: as it stands in single quotes, where it can stand there.
pub(super) fn quoted(text: &str) -> String {
    spelled(text, Quotes::Single, is_shown)
}

fn is_shown(character: char) -> bool {
    matches!(character, '\'' | '"' | '\\') || character.escape_debug().len() == 1
}

fn one_line(text: &str) -> String {
    OneLine(&text.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}

/// The line that holds a place, with its end.
fn whole_line(text: &str, at: &Range<usize>) -> Range<usize> {
    let start = text[..at.start].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at.end..].find('\n').map_or(text.len(), |end| at.end + end + 1);
    start..end
}

/// The entry that holds a place: from its `[[entry]]` to what stands above the next one, comments and empty lines.
fn whole_entry(text: &str, at: usize) -> Range<usize> {
    const HEADER: &str = "[[entry]]";
    let is_header = |line: &str| line.trim_start().starts_with(HEADER);
    let mut start = 0;
    let mut end = text.len();
    let mut above = None;
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        let line_start = place;
        place += line.len();
        if is_header(line) {
            if line_start > at {
                end = above.unwrap_or(line_start);
                break;
            }
            start = line_start;
        }
        match line.trim_start() {
            rest if rest.is_empty() || rest.starts_with('#') => above = above.or(Some(line_start)),
            _ => above = None,
        }
    }
    // One empty line is left of two.
    while text[..start].ends_with("\n\n") && text[end..].starts_with('\n') {
        end += 1;
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_ends_where_the_comment_of_the_next_begins() {
        let text = "a = 1\n[[entry]]\nb = 1\n\n# of the next\n[[entry]]\nc = 1\n";
        assert_eq!(&text[whole_entry(text, 16)], "[[entry]]\nb = 1\n");
        assert_eq!(&text[whole_entry(text, text.len() - 3)], "[[entry]]\nc = 1\n");
    }

    #[test]
    fn strings_are_those_of_toml() {
        assert_eq!(quoted("host \"A\""), "'host \"A\"'");
        assert_eq!(quoted("it's \"\\"), r#""it's \"\\""#);
        assert_eq!(quoted("a\nb"), r#""a\U0000000Ab""#);
    }
}
