//! A group in a few lines of a screen.

use super::{FailureCount, FailureGroup};
use crate::gate::judgement::{Failure, Judgement};
use crate::model::{OneLine, excerpt};

/// How many lines of a screen are for groups.
const ROOM: usize = 15;

/// How many columns a line of a group has at most.
pub(in crate::gate) const WIDTH: usize = 80;

/// How far the lines below the first are indented.
const INDENT: usize = 4;

/// A group for a screen, in lines of at most 80 columns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupLines {
    /// The number, the severity, what is wrong, and how many vectors fail: `40 vectors`, or `40 of 41 vectors` where one that has it passes. A
    /// long title has several lines.
    pub head: Vec<String>,
    /// The clause, the level, the operations, those with the most failures first, and how many inputs of suites fail.
    pub clause: String,
    /// The entry points in which it shows, if there are several.
    pub entry_points: Option<String>,
    /// The witness with what is expected and what came out: in one line, or in three where one is too short.
    pub witness: Vec<String>,
}

impl GroupLines {
    /// All lines, from the first to the last.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let lines = self.head.iter().chain([&self.clause]).chain(&self.entry_points).chain(&self.witness);
        lines.map(String::as_str)
    }

    /// All lines, each with its end.
    fn text(&self) -> String {
        self.all().map(|line| format!("{line}\n")).collect()
    }

    /// How many of these groups fit in so many lines, from the first on: at least one.
    pub fn fitting(groups: &[GroupLines], mut room: usize) -> usize {
        let fits = |group: &&GroupLines| {
            let rest = room.checked_sub(group.all().count());
            room = rest.unwrap_or_default();
            rest.is_some()
        };
        groups.iter().take_while(fits).count().max(1).min(groups.len())
    }
}

impl FailureGroup<'_> {
    /// The group as lines of a screen, with its number among the groups.
    pub fn lines(&self, number: usize) -> GroupLines {
        GroupLines {
            head: self.head(number),
            clause: self.clause_line(),
            entry_points: None,
            witness: self.witness_lines(),
        }
    }

    /// What groups that are not shown have: `26 more groups: 850 vectors`; `None` if there are none.
    pub fn more<'g>(hidden: impl Iterator<Item = &'g FailureGroup<'g>>) -> Option<String> {
        let hidden: Vec<FailureCount> = hidden.map(|group| group.count).collect();
        let count: FailureCount = hidden.iter().copied().sum();
        match hidden.len() {
            0 => None,
            1 => Some(format!("1 more group: {count}")),
            groups => Some(format!("{groups} more groups: {count}")),
        }
    }

    /// How many fail: `39 vectors`, `36 of 38 vectors` where some pass that have what the title names, and `977 suite inputs`.
    fn counts(&self) -> Vec<String> {
        let mut counts = self.count.parts();
        let of_vectors = counts.first_mut().filter(|_| self.count.vectors > 0 && self.passing > 0);
        if let Some(first) = of_vectors {
            let all = FailureCount {
                vectors: self.count.vectors + self.passing,
                suite_inputs: 0,
                ..self.count
            };
            *first = format!("{} of {all}", self.count.vectors);
        }
        counts
    }

    fn head(&self, number: usize) -> Vec<String> {
        let count = self.counts().remove(0);
        let severity = format!("{:INDENT$}{:18}", format!("{number}."), self.severity.name());
        let room = WIDTH - severity.len() - count.len() - 2;
        let mut title = wrapped(&self.title, " ", room).into_iter();
        let first = title.next().unwrap_or_default();
        let rest = title.map(|line| format!("{:indent$}{line}", "", indent = severity.len()));
        std::iter::once(format!("{severity}{first:room$}  {count}")).chain(rest).collect()
    }

    fn clause_line(&self) -> String {
        let clause = format!("{}, {}; ", OneLine(&self.clause), self.level);
        let operations: Vec<&str> = self.operations().into_iter().map(|(operation, _)| operation.name()).collect();
        // Below the count of vectors is that of the inputs of suites.
        let counts = self.counts();
        let count = counts.get(1).map(|count| format!("  {count}")).unwrap_or_default();
        let room = WIDTH - INDENT - count.len();
        let line = (1..=operations.len())
            .rev()
            .map(|shown| clause.clone() + &first_and_more(&operations, shown))
            .find(|line| line.chars().count() <= room)
            .unwrap_or_else(|| excerpt(&clause, "", room));
        match count.is_empty() {
            true => format!("{:INDENT$}{line}", ""),
            false => format!("{:INDENT$}{line:room$}{count}", ""),
        }
    }

    fn witness_lines(&self) -> Vec<String> {
        /// How far what is expected is indented where it has a line of its own, with the word before it.
        const TEXT: usize = INDENT + "  expected  ".len();
        let (vector, failure) = self.witness();
        let input = vector.input.to_string();
        let (expected, got) = (failure.expected_in(usize::MAX), failure.got_in(usize::MAX));
        let line = format!("{:INDENT$}{input}: expected {expected}, got {got}", "");
        if line.chars().count() <= WIDTH {
            return vec![line];
        }
        vec![
            format!("{:INDENT$}{}", "", excerpt(&input, "", WIDTH - INDENT)),
            format!("{:INDENT$}  expected  {}", "", failure.expected_in(WIDTH - TEXT)),
            format!("{:INDENT$}  got       {}", "", failure.got_in(WIDTH - TEXT)),
        ]
    }
}

impl Judgement<'_> {
    /// The worst groups, as many as fit on a screen, and what the others have; empty without failures.
    pub(in crate::gate) fn groups_text(&self) -> String {
        let groups = self.groups();
        let lines: Vec<GroupLines> = groups.iter().enumerate().map(|(at, group)| group.lines(at + 1)).collect();
        let shown = GroupLines::fitting(&lines, ROOM);
        let mut text: String = lines.iter().take(shown).map(GroupLines::text).collect();
        if let Some(more) = FailureGroup::more(groups.iter().skip(shown)) {
            text += &format!("and {more}\n");
        }
        text
    }
}

/// The first of some words, and how many more there are: `parse, resolve, and 2 more`.
fn first_and_more(words: &[&str], shown: usize) -> String {
    let first = words[..shown].join(", ");
    match words.len() - shown {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

/// A text on as many lines as it needs, each broken at a separator, of which the blank is left out; what is longer than a line is cut.
pub(in crate::gate) fn wrapped(text: &str, separator: &str, columns: usize) -> Vec<String> {
    let (mut lines, room) = (Vec::<String>::new(), columns - separator.trim_end().len());
    for part in text.split(separator).map(|part| excerpt(part, "", room)) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + separator.len() + part.chars().count() <= room => {
                line.push_str(separator);
                line.push_str(&part);
            }
            Some(line) => {
                line.push_str(separator.trim_end());
                lines.push(part);
            }
            None => lines.push(part),
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
        let (mut shown, got) = (texts.clone(), OneLine(&self.got).to_string());
        for (done, at) in shortest_first.into_iter().enumerate() {
            shown[at] = excerpt(&texts[at], &got, room / (texts.len() - done));
            room = room.saturating_sub(shown[at].chars().count());
        }
        shown.join(OR)
    }

    /// What the subject did, in one line of so many columns, with the place where it begins to differ from what conforms.
    pub fn got_in(&self, columns: usize) -> String {
        let got = OneLine(&self.got).to_string();
        let alike =
            |expected: &String| got.chars().zip(expected.chars()).take_while(|(one, other)| one == other).count();
        let expected = self.alternatives.iter().map(|text| OneLine(text).to_string());
        let closest = expected.max_by_key(alike).unwrap_or_default();
        excerpt(&got, &closest, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::DifferenceKind;
    use crate::severity::Severity;

    fn failure(alternatives: &[&str], got: &str) -> Failure {
        Failure {
            kind: DifferenceKind::OtherUri,
            severity: Severity::Host,
            expected: alternatives.join(" or "),
            alternatives: alternatives.iter().map(ToString::to_string).collect(),
            got: got.to_owned(),
            brief: String::new(),
            known_as: None,
            is_predicted: false,
            suite_inputs: 0,
            marked_inputs: None,
            unrepeated: None,
        }
    }

    #[test]
    fn a_cut_answer_shows_how_it_differs() {
        let of = |middle: &str| format!("\"x://a/{}{middle}{}\"", "b".repeat(50), "c".repeat(50));
        let failed = failure(&["\"y:\"", &of("%2F")], &of("/"));
        assert_eq!(
            failed.got_in(60),
            "\"x://a/bbbbbb...bbbbbbbbbbbbbb/ccccccccccccc...cccccccccccc\""
        );
        let expected = failed.expected_in(67);
        assert!(
            expected.starts_with("\"y:\" or ") && expected.contains("b%2Fc"),
            "{expected}"
        );
    }

    #[test]
    fn a_line_is_broken_at_its_separators() {
        assert_eq!(wrapped("a: 1 b, 2 c, 3 d", ", ", 10), ["a: 1 b,", "2 c, 3 d"]);
        assert_eq!(wrapped("aa bb cc", " ", 5), ["aa bb", "cc"]);
    }

    #[test]
    fn each_alternative_is_cut_by_itself() {
        let of = |alternatives: &[&str]| failure(alternatives, "");
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
