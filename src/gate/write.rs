//! A baseline made from what fails, or brought up to date: what stands is kept as it is written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use crate::gate::baseline::{Baseline, Kind, Line};
use crate::gate::judge::{Failure, Judgement, Status};
use crate::model::{OneLine, Vector};
use crate::search::vectors::Library;

/// A baseline that is written anew, and what has changed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// How many lines were added.
    pub added: usize,
    /// How many were changed.
    pub changed: usize,
    /// How many were deleted.
    pub deleted: usize,
    /// How many entries have no reason yet.
    pub unexplained: usize,
}

impl Baseline {
    /// The text of a baseline with which what was judged passes, but for what has expired: `before` with its comments and its
    /// order, without what no longer fails, and with what fails anew, clause by clause, in entries that wait for a reason.
    ///
    /// What was judged is all that the baseline is about: nothing was lost, and nothing left out by id or clause.
    pub fn written(judgement: &Judgement<'_>, library: &Library, before: Option<&Baseline>) -> Written {
        let compared = judgement.tally().compared();
        let mut written = Written {
            text: before.map_or_else(|| head(judgement, compared), |before| before.text.clone()),
            added: 0,
            changed: 0,
            deleted: 0,
            unexplained: 0,
        };
        let failing: Vec<(&Vector, &Failure)> = judgement
            .cases
            .iter()
            .filter_map(|case| match &case.status {
                Status::Fails(failure) | Status::Known(failure, _) => Some((case.vector, failure)),
                _ => None,
            })
            .collect();
        let mut explained: Vec<&str> = Vec::new();
        if let Some(before) = before {
            let ids: Vec<&str> = judgement.cases.iter().map(|case| &*case.vector.id).collect();
            written.update(before, compared, &ids, &failing, &mut explained);
        }
        written.append(library, &failing, &explained);
        let kind = format!("kind = \"{}\"", Kind::Unexplained);
        written.unexplained = written.text.lines().filter(|line| line.trim() == kind).count();
        written
    }
}

impl Written {
    /// Changes and deletes the lines of `before`; the ids of the vectors that it explains afterwards are added to `explained`.
    fn update<'v>(
        &mut self,
        before: &Baseline,
        compared: usize,
        ids: &[&str],
        failing: &[(&'v Vector, &Failure)],
        explained: &mut Vec<&'v str>,
    ) {
        let mut edits: Vec<(Range<usize>, String)> = vec![(before.compares_at.clone(), compared.to_string())];
        let mut kept = vec![0; before.entries.len()];
        let is_own = |id: &str| before.lines.iter().any(|line| line.vectors.is_exact() && line.vectors.matches(id));
        // What a pattern is about: what it matches and no line before it does.
        let mut matched: BTreeMap<usize, usize> = BTreeMap::new();
        for id in ids.iter().filter(|id| !is_own(id)) {
            if let Some(line) = before.lines.iter().find(|line| line.vectors.matches(id)) {
                *matched.entry(line.line).or_default() += 1;
            }
        }
        let matched = |line: &Line| matched.get(&line.line).copied().unwrap_or_default();
        for line in &before.lines {
            let of_line: Vec<&(&'v Vector, &Failure)> = failing
                .iter()
                .filter(|(vector, _)| line.vectors.matches(&vector.id) && !explained.contains(&&*vector.id))
                .filter(|(vector, _)| line.vectors.is_exact() || !is_own(&vector.id))
                .collect();
            explained.extend(of_line.iter().map(|(vector, _)| &*vector.id));
            kept[line.entry] += of_line.len();
            match (line.vectors.is_exact(), of_line.as_slice()) {
                (_, []) => {
                    edits.push((whole_line(&before.text, &line.key_at), String::new()));
                    self.deleted += 1;
                }
                (true, [(_, failure), ..]) if failure.known_as.is_some() => {
                    edits.push((line.got_at.clone(), quoted(&failure.brief)));
                    self.changed += 1;
                }
                (true, _) => {}
                (false, of_line) => {
                    if let Some(ids) = narrowed(matched(line), of_line) {
                        edits.push((whole_line(&before.text, &line.key_at), ids));
                        self.changed += 1;
                    }
                }
            }
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

    /// Adds entries for what fails and is not explained: one for each clause and kind of difference.
    fn append(&mut self, library: &Library, failing: &[(&Vector, &Failure)], explained: &[&str]) {
        let mut news: BTreeMap<(&str, &str), Vec<&(&Vector, &Failure)>> = BTreeMap::new();
        for one in failing.iter().filter(|(vector, _)| !explained.contains(&&*vector.id)) {
            let clause = one.0.clauses.first().map(String::as_str).unwrap_or_default();
            news.entry((clause, one.1.kind.name())).or_default().push(one);
        }
        for ((clause, kind), of_clause) in news {
            let quote = library.clause(clause).map(|clause| format!(": {}", one_line(&clause.quote)));
            write!(
                self.text,
                "\n[[entry]] # {kind}, {}{}\nkind = \"{}\"\nreason = \"\"\n[entry.vectors]\n",
                one_line(clause),
                quote.unwrap_or_default(),
                Kind::Unexplained
            )
            .expect("writes to a string");
            for (vector, failure) in of_clause {
                self.text += &pair(&vector.id, &failure.brief);
                self.added += 1;
            }
        }
    }
}

fn head(judgement: &Judgement<'_>, compared: usize) -> String {
    format!(
        "# What {name} does otherwise than the vectors of uriproof expect. Each entry gives the reason of its vectors: a\n\
         # `kind` (bug, by-design, unsupported; unexplained until somebody has said), a `reason`, and if you like a `link`\n\
         # and `until`, the last day on which it stands. Lines can be moved from entry to entry.\n\
         uriproof = 1\n\
         subject = {subject}\n\
         # As many vectors were compared; fewer fail.\n\
         compares = {compared}\n",
        name = one_line(&judgement.name),
        subject = quoted(&judgement.name),
    )
}

/// The lines that take a pattern's place, where some of what it matches does not fail, or not as it says.
fn narrowed(all: usize, failing: &[&(&Vector, &Failure)]) -> Option<String> {
    let stands = failing.len() == all && failing.iter().all(|(_, failure)| failure.known_as.is_none());
    (!stands).then(|| failing.iter().map(|(vector, failure)| pair(&vector.id, &failure.brief)).collect())
}

fn pair(id: &str, got: &str) -> String {
    format!("\"{id}\" = {}\n", quoted(got))
}

/// A string of TOML: as it stands in single quotes, where it can stand there.
fn quoted(text: &str) -> String {
    if !text.contains('\'') && !text.contains(char::is_control) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                write!(quoted, "\\u{:04X}", u32::from(character)).expect("writes to a string");
            }
            character => quoted.push(character),
        }
    }
    quoted + "\""
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
        assert_eq!(quoted("a\nb"), r#""a\u000Ab""#);
    }
}
