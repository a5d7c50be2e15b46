//! The verdict on each subject, in lines of 80 columns.

use std::cmp::Reverse;
use std::fmt::Write as _;

use anstyle::Style;
use uriproof::gate::{Conclusion, Judgement, Tally};
use uriproof::model::excerpt;
use uriproof::run::{Counts, UNVALIDATED};

use super::{BAD, FAINT, FailureDetail, GOOD};
use crate::cli::WIDTH;

/// How lines below the first are indented.
const INDENT: &str = "      ";

/// How many subjects the first screen has a line for.
const ROWS: usize = 7;

/// The verdict on one subject with all counts; of several a table with a line for each, as many as fit on a screen.
pub(super) fn text(judgements: &[Judgement<'_>], detail: FailureDetail) -> String {
    match judgements {
        [one] => verdict(one),
        several => table(several, detail),
    }
}

/// What is printed without a break, and how.
struct Part {
    text: String,
    style: Style,
}

impl Part {
    fn new(text: String) -> Part {
        Part {
            text,
            style: Style::new(),
        }
    }

    fn faint(text: String) -> Part {
        Part { text, style: FAINT }
    }
}

/// Parts on as many lines as they need.
fn in_lines(parts: &[Part]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for Part { text: part, style } in parts {
        let (mut part, width) = (part.as_str(), part.chars().count());
        if column == 0 {
            column = width;
        } else if column + 2 + width <= WIDTH {
            text += "  ";
            column += 2 + width;
        } else {
            text += &format!("\n{INDENT}");
            part = part.trim_start();
            column = INDENT.len() + part.chars().count();
        }
        text += &format!("{style}{part}{style:#}");
    }
    text + "\n"
}

/// The word of a verdict.
fn word(judgement: &Judgement<'_>) -> (&'static str, Style) {
    match judgement.conclusion() {
        Conclusion::Broken => ("STOP", BAD),
        Conclusion::Fail => ("FAIL", BAD),
        Conclusion::Pass => ("pass", GOOD),
        // What was never compared has not passed.
        Conclusion::Nothing => ("none", FAINT),
    }
}

/// The counts that are seldom there.
fn seldom(tally: &Tally) -> Vec<Part> {
    let counts = [
        (tally.known_vectors(), "known"),
        (tally.not_run, "not run"),
        (tally.survived, "survived only"),
        (tally.lost, "lost"),
        (tally.unrepeated, "do not repeat"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, name)| Part::new(format!("{count:4} {name}"))).collect()
}

/// The verdict on the only subject.
fn verdict(judgement: &Judgement<'_>) -> String {
    let tally = judgement.tally();
    let (word, style) = word(judgement);
    let word = Part {
        text: word.to_owned(),
        style,
    };
    let mut parts = vec![
        word,
        Part::new(judgement.subject.clone()),
        Part::new(format!("{:4} agree", tally.agree)),
        Part::new(format!("{:4} fail", tally.failing_vectors())),
    ];
    let more = seldom(&tally);
    // The line of a pass has the suites at its end.
    if tally.not_compared > 0 || !more.is_empty() || judgement.suites.is_empty() {
        parts.push(Part::faint(format!("{:4} not compared", tally.not_compared)));
    }
    parts.extend(more);
    let suites = match judgement.conclusion() {
        // All is said in a line, if it is long enough.
        Conclusion::Pass => {
            parts.extend(suites_in_short(judgement));
            String::new()
        }
        Conclusion::Fail | Conclusion::Nothing | Conclusion::Broken => suites_line([judgement]),
    };
    in_lines(&parts) + &suites + &unvalidated_line(&[judgement])
}

/// How many inputs of the suites agree, and how many groups of the others are known.
fn suites_in_short(judgement: &Judgement<'_>) -> Option<Part> {
    let agree: u64 = judgement.suites.iter().map(|suite| suite.counts.agree).sum();
    let known = match judgement.tally().known_groups() {
        0 => String::new(),
        1 => ", 1 group known".to_owned(),
        known => format!(", {known} groups known"),
    };
    (!judgement.suites.is_empty()).then(|| Part::new(format!("suites {agree} agree{known}")))
}

/// A head, a line for each subject, and what is counted seldom and what their suites have together. If there are more than the first screen has room for, the worst.
fn table(judgements: &[Judgement<'_>], detail: FailureDetail) -> String {
    /// The columns of the counts, with the blanks before them.
    const COUNTS: usize = "  agree   fail  not compared".len();
    let mut rows: Vec<&Judgement<'_>> = judgements.iter().collect();
    let is_cut = detail != FailureDetail::All && rows.len() > ROWS + 1;
    let hidden = if is_cut {
        let rank = |one: &Judgement<'_>| match one.conclusion() {
            Conclusion::Broken => 0,
            Conclusion::Fail => 1,
            Conclusion::Nothing => 2,
            Conclusion::Pass => 3,
        };
        rows.sort_by_key(|one| (rank(one), Reverse(one.tally().fail)));
        rows.split_off(ROWS)
    } else {
        Vec::new()
    };
    let room = WIDTH - INDENT.len() - COUNTS;
    let label = |one: &Judgement<'_>| excerpt(&one.subject, "", room);
    let width = rows.iter().map(|one| label(one).chars().count()).max().unwrap_or_default();
    let mut text = format!("{FAINT}{INDENT}{:width$}  agree   fail  not compared{FAINT:#}\n", "");
    for one in rows {
        let (tally, (word, style)) = (one.tally(), word(one));
        text += &format!(
            "{style}{word}{style:#}  {:width$}  {:5}  {:5}  {FAINT}{:12}{FAINT:#}\n",
            label(one),
            tally.agree,
            tally.failing_vectors(),
            tally.not_compared
        );
    }
    if is_cut {
        writeln!(text, "{INDENT}{}", of_hidden(&hidden)).expect("writes to a string");
    }
    let all: Vec<&Judgement<'_>> = judgements.iter().collect();
    let mut together = Tally::default();
    for tally in all.iter().map(|one| one.tally()) {
        together.not_run += tally.not_run;
        together.survived += tally.survived;
        together.lost += tally.lost;
        together.unrepeated += tally.unrepeated;
    }
    let mut more = seldom(&together);
    if let Some(first) = more.first_mut() {
        first.text.insert_str(0, INDENT);
        text += &in_lines(&more);
    }
    text + &suites_line(all.iter().copied()) + &unvalidated_line(&all)
}

/// The verdicts that have no line: `and 3 more entry points: 2 fail, 1 passes; --all shows them`.
fn of_hidden(hidden: &[&Judgement<'_>]) -> String {
    let count = |conclusion: Conclusion| hidden.iter().filter(|one| one.conclusion() == conclusion).count();
    let counts = [
        (count(Conclusion::Broken), "could not be finished"),
        (count(Conclusion::Fail), "FAIL"),
        (count(Conclusion::Nothing), "with nothing compared"),
        (count(Conclusion::Pass), "pass"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, name)| format!("{count} {name}")).collect();
    format!(
        "and {} more entry points: {}; --all shows them",
        hidden.len(),
        counts.join(", ")
    )
}

/// What came of the suites of these subjects, in a line; empty without suites.
pub(super) fn suites_line<'j, 'v: 'j>(judgements: impl IntoIterator<Item = &'j Judgement<'v>>) -> String {
    let (mut counts, mut groups, mut known, mut is_empty) = (Counts::default(), 0, 0, true);
    for judgement in judgements {
        known += judgement.tally().known_groups();
        for suite in &judgement.suites {
            is_empty = false;
            groups += suite.groups;
            counts.agree += suite.counts.agree;
            counts.diverge += suite.counts.diverge;
            counts.not_compared += suite.counts.not_compared + suite.counts.left_out;
        }
    }
    if is_empty {
        return String::new();
    }
    let known = match known {
        0 => String::new(),
        count => format!(", {count} known"),
    };
    let mut parts = vec![
        Part::new("      suites".to_owned()),
        Part::new(format!("{} agree", counts.agree)),
    ];
    match groups {
        0 => {}
        1 => parts.push(Part::new(format!("{} fail in 1 group{known}", counts.diverge))),
        _ => parts.push(Part::new(format!("{} fail in {groups} groups{known}", counts.diverge))),
    }
    parts.push(Part::faint(format!("{} not compared", counts.not_compared)));
    in_lines(&parts)
}

/// How many invalid strings subjects that do not validate accept as they are split, in a line; empty without any.
fn unvalidated_line(judgements: &[&Judgement<'_>]) -> String {
    let count = |judgement: &&Judgement<'_>| {
        let reasons = judgement.reasons();
        reasons.iter().find(|(reason, _)| reason.ends_with(UNVALIDATED)).map(|(_, count)| *count)
    };
    let counts: Vec<usize> = judgements.iter().filter_map(count).collect();
    let sum: usize = counts.iter().sum();
    let who = match (judgements.len(), counts.len()) {
        (_, 0) => return String::new(),
        (1, _) => "it does not validate".to_owned(),
        (_, 1) => "one entry point does not validate".to_owned(),
        (_, several) => format!("{several} entry points do not validate"),
    };
    format!("{FAINT}      of these {sum} are accepted though invalid: {who}{FAINT:#}\n")
}
