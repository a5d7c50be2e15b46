//! A group in a few lines of a screen.

use super::FailureGroup;
use crate::gate::judgement::{Failure, Judgement, failures_in_words};
use crate::gate::suite::is_of_suite;
use crate::model::OneLine;

/// How many lines of a screen are for groups.
const ROOM: usize = 15;

/// How many columns a line of a group has at most.
const WIDTH: usize = 80;

/// How far the lines below the first are indented.
const INDENT: usize = 4;

/// A group for a screen, in lines of at most 80 columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupLines {
    /// The number, the severity, what is wrong, and how many vectors fail: `40 fail`, or `40 of 41 fail` where one that has it passes. A long
    /// title has several lines.
    pub head: Vec<String>,
    /// The clause, the level, and the operations with their counts.
    pub clause: String,
    /// The witness with what is expected and what came out: in one line, or in three where one is too short.
    pub witness: Vec<String>,
}

impl GroupLines {
    /// All lines, from the first to the last.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let lines = self.head.iter().chain([&self.clause]).chain(&self.witness);
        lines.map(String::as_str)
    }

    /// All lines, each with its end.
    fn text(&self) -> String {
        self.all().map(|line| format!("{line}\n")).collect()
    }
}

impl FailureGroup<'_> {
    /// The group as lines of a screen, with its number among the groups.
    pub fn lines(&self, number: usize) -> GroupLines {
        GroupLines {
            head: self.head(number),
            clause: self.clause_line(),
            witness: self.witness_lines(),
        }
    }

    /// How many of these groups fit on a screen, from the first on: at least one.
    pub fn fitting(groups: &[FailureGroup<'_>]) -> usize {
        let mut room = ROOM;
        let fits = |group: &&FailureGroup<'_>| {
            let rest = room.checked_sub(group.lines(1).all().count());
            room = rest.unwrap_or_default();
            rest.is_some()
        };
        groups.iter().take_while(fits).count().max(1).min(groups.len())
    }

    /// What these groups have that are not shown, the first so many being shown: `26 more groups: 850 vectors`; `None` if all are.
    pub fn more(groups: &[FailureGroup<'_>], shown: usize) -> Option<String> {
        let hidden = groups.get(shown..).filter(|hidden| !hidden.is_empty())?;
        let failures = || hidden.iter().flat_map(|group| &group.failures);
        let of_suites = failures().filter(|(vector, _)| is_of_suite(&vector.id)).count();
        let noun = if hidden.len() == 1 { "group" } else { "groups" };
        let words = failures_in_words(failures().count() - of_suites, of_suites);
        Some(format!("{} more {noun}: {words}", hidden.len()))
    }

    fn head(&self, number: usize) -> Vec<String> {
        let count = match self.passing {
            0 => format!("{} fail", self.failures.len()),
            passing => format!("{} of {} fail", self.failures.len(), self.failures.len() + passing),
        };
        let severity = format!("{:INDENT$}{:18}", format!("{number}."), self.severity.name());
        let room = WIDTH - severity.len() - count.len() - 2;
        let mut title = wrapped(&self.title, room).into_iter();
        let first = title.next().unwrap_or_default();
        let rest = title.map(|line| format!("{:indent$}{line}", "", indent = severity.len()));
        std::iter::once(format!("{severity}{first:room$}  {count}")).chain(rest).collect()
    }

    fn clause_line(&self) -> String {
        let (vector, _) = self.witness();
        let operations: Vec<String> =
            self.operations().into_iter().map(|(operation, count)| format!("{operation} {count}")).collect();
        let clause = vector.clauses.first().map(String::as_str).unwrap_or_default();
        let line = format!("{}, {}; {}", OneLine(clause), self.level, operations.join(", "));
        format!("{:INDENT$}{}", "", cut(&line, WIDTH - INDENT))
    }

    fn witness_lines(&self) -> Vec<String> {
        /// How far what is expected is indented where it has a line of its own, with the word before it.
        const TEXT: usize = INDENT + "  expected  ".len();
        let (vector, failure) = self.witness();
        let input = vector.input.to_string();
        let (expected, got) = (failure.expected_in(usize::MAX), OneLine(&failure.got).to_string());
        let line = format!("{:INDENT$}{input}: expected {expected}, got {got}", "");
        if line.chars().count() <= WIDTH {
            return vec![line];
        }
        vec![
            format!("{:INDENT$}{}", "", cut(&input, WIDTH - INDENT)),
            format!("{:INDENT$}  expected  {}", "", failure.expected_in(WIDTH - TEXT)),
            format!("{:INDENT$}  got       {}", "", cut(&got, WIDTH - TEXT)),
        ]
    }
}

impl Judgement<'_> {
    /// The worst groups, as many as fit on a screen, and what the others have; empty without failures.
    pub(in crate::gate) fn groups_text(&self) -> String {
        let groups = self.groups();
        let shown = FailureGroup::fitting(&groups);
        let mut text: String =
            groups.iter().enumerate().take(shown).map(|(at, group)| group.lines(at + 1).text()).collect();
        if let Some(more) = FailureGroup::more(&groups, shown) {
            text += &format!("and {more}\n");
        }
        text
    }
}

/// A text on as many lines as it needs; a word that is longer than a line is cut.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').map(|word| cut(word, columns)) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= columns => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

impl Failure {
    /// What conforms, in one line of so many columns. Of a longer one each alternative is cut by itself, so that all of them show. The reason of
    /// a rejection is left out where there is another outcome: the two would read as one.
    pub fn expected_in(&self, columns: usize) -> String {
        const OR: &str = " or ";
        let several = self.alternatives.len() > 1;
        let texts: Vec<String> = self
            .alternatives
            .iter()
            .map(|text| match text.starts_with("rejected") && several {
                true => "rejected".to_owned(),
                false => OneLine(text).to_string(),
            })
            .collect();
        let mut room = columns.saturating_sub(OR.len() * texts.len().saturating_sub(1));
        let mut shortest_first: Vec<usize> = (0..texts.len()).collect();
        shortest_first.sort_by_key(|at| texts[*at].chars().count());
        let mut shown = texts.clone();
        for (done, at) in shortest_first.into_iter().enumerate() {
            shown[at] = cut(&texts[at], room / (texts.len() - done));
            room = room.saturating_sub(shown[at].chars().count());
        }
        shown.join(OR)
    }
}

/// A text in so many columns: of a longer one the beginning and the end.
fn cut(text: &str, columns: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(3);
    let (head, tail) = (room.div_ceil(2), room / 2);
    let beginning: String = characters[..head].iter().collect();
    let end: String = characters[characters.len() - tail..].iter().collect();
    format!("{beginning}...{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::DifferenceKind;
    use crate::severity::Severity;

    #[test]
    fn each_alternative_is_cut_by_itself() {
        let of = |alternatives: &[&str]| Failure {
            kind: DifferenceKind::OtherUri,
            severity: Severity::Host,
            expected: alternatives.join(" or "),
            alternatives: alternatives.iter().map(ToString::to_string).collect(),
            got: String::new(),
            brief: String::new(),
            known_as: None,
            is_predicted: false,
            unrepeated: None,
        };
        let refused = "rejected: the path must be empty or begin with \"/\"";
        assert_eq!(of(&[refused, "\"///.\""]).expected_in(60), "rejected or \"///.\"");
        assert_eq!(of(&[refused]).expected_in(20), "rejected:...with \"/\"");
        let long = "\"x://a/012345678901234567890123456789\"";
        assert_eq!(
            of(&["\"y:\"", long]).expected_in(28),
            "\"y:\" or \"x://a/01...3456789\""
        );
        assert_eq!(
            of(&[long, long]).expected_in(34),
            "\"x://a...56789\" or \"x://a...56789\""
        );
    }
}
