//! A group in three lines of a screen.

use super::FailureGroup;
use crate::gate::judgement::Judgement;
use crate::model::OneLine;

/// How many groups a summary shows: as many as a screen has room for.
const SHOWN: usize = 5;

/// How many columns a line of a group has at most.
const WIDTH: usize = 80;

/// How far the lines below the first are indented.
const INDENT: usize = 4;

impl FailureGroup<'_> {
    /// It in three lines of at most 80 columns, with its number among the groups: the severity, what is wrong, and how many vectors fail
    /// (`40`, or `40 of 41` where one that has it passes); the clause, the level, the operations; the witness.
    pub fn lines(&self, number: usize) -> [String; 3] {
        [self.head(number), self.clause_line(), self.witness_line()]
    }

    fn head(&self, number: usize) -> String {
        let count = match self.passing {
            0 => self.failures.len().to_string(),
            passing => format!("{} of {}", self.failures.len(), self.failures.len() + passing),
        };
        let severity = format!("{:INDENT$}{:18}", format!("{number}."), self.severity.name());
        let room = WIDTH - severity.len() - count.len() - 2;
        format!("{severity}{:room$}  {count}", cut(&self.title, room))
    }

    fn clause_line(&self) -> String {
        let (vector, _) = self.witness();
        let operations: Vec<String> =
            self.operations().into_iter().map(|(operation, count)| format!("{operation} {count}")).collect();
        let clause = vector.clauses.first().map(String::as_str).unwrap_or_default();
        let line = format!("{}, {}; {}", OneLine(clause), self.level, operations.join(", "));
        format!("{:INDENT$}{}", "", cut(&line, WIDTH - INDENT))
    }

    fn witness_line(&self) -> String {
        /// How many columns the input has at most.
        const INPUT: usize = 34;
        let (vector, failure) = self.witness();
        let input = cut(&vector.input.to_string(), INPUT);
        let room = WIDTH - INDENT - input.chars().count() - ": expected , got ".len();
        let [expected, got] = [&failure.expected, &failure.got].map(|text| OneLine(text).to_string());
        let for_got = got.chars().count().min((room / 2).max(room.saturating_sub(expected.chars().count())));
        let expected = cut(&expected, room - for_got);
        format!("{:INDENT$}{input}: expected {expected}, got {}", "", cut(&got, for_got))
    }
}

impl Judgement<'_> {
    /// The worst groups, and how many failures the others have; empty without failures.
    pub(in crate::gate) fn groups_text(&self) -> String {
        let groups = self.groups();
        let shown = groups.iter().enumerate().take(SHOWN).map(|(at, group)| group.lines(at + 1).join("\n") + "\n");
        let mut text: String = shown.collect();
        let more: usize = groups.iter().skip(SHOWN).map(|group| group.failures.len()).sum();
        if more > 0 {
            text += &format!("and {more} failures in {} more groups\n", groups.len() - SHOWN);
        }
        text
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
