//! A group in a few lines of a screen.

use super::FailureGroup;
use crate::gate::judgement::Judgement;
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
        let [expected, got] = [&failure.expected, &failure.got].map(|text| OneLine(text).to_string());
        let line = format!("{:INDENT$}{input}: expected {expected}, got {got}", "");
        if line.chars().count() <= WIDTH {
            return vec![line];
        }
        vec![
            format!("{:INDENT$}{}", "", cut(&input, WIDTH - INDENT)),
            format!("{:INDENT$}  expected  {}", "", cut(&expected, WIDTH - TEXT)),
            format!("{:INDENT$}  got       {}", "", cut(&got, WIDTH - TEXT)),
        ]
    }
}

impl Judgement<'_> {
    /// The worst groups, as many as fit on a screen, and how many failures the others have; empty without failures.
    pub(in crate::gate) fn groups_text(&self) -> String {
        let groups = self.groups();
        let shown = FailureGroup::fitting(&groups);
        let mut text: String =
            groups.iter().enumerate().take(shown).map(|(at, group)| group.lines(at + 1).text()).collect();
        let more: usize = groups.iter().skip(shown).map(|group| group.failures.len()).sum();
        if more > 0 {
            let noun = if groups.len() == shown + 1 { "group" } else { "groups" };
            text += &format!("and {} more {noun} with {more} failures\n", groups.len() - shown);
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
