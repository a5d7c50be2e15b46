//! The verdict on each subject, in lines of 80 columns.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::ops::Add;

use anstyle::Style;
use uriproof::gate::{Conclusion, Judgement, Tally};
use uriproof::model::excerpt;
use uriproof::run::UNVALIDATED;

use super::{BAD, FAINT, FailureDetail, GOOD};
use crate::cli::WIDTH;

/// How lines below the first are indented.
const INDENT: &str = "      ";

/// How many subjects the first screen has a line for.
const ROWS: usize = 7;

/// The names of the sums over several subjects, whose inputs count once for each subject.
const ALL: &str = "all answers";
const ALL_TO_VECTORS: &str = "all answers to vectors";

/// The verdict on one subject with all counts; of several a table with a line for each, as many as fit on a screen, and the sums.
pub(super) fn text(judgements: &[Judgement<'_>], detail: FailureDetail) -> String {
    match judgements {
        [one] => verdict(one),
        several => table(several, detail),
    }
}

/// What is printed without a break, and how.
#[derive(Clone)]
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
        (tally.known, "known"),
        (tally.not_run, "not run"),
        (tally.survived, "survived only"),
        (tally.lost, "lost"),
        (tally.unrepeated, "do not repeat"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    counts.map(|(count, name)| Part::new(format!("{count:4} {name}"))).collect()
}

/// The verdict on the only subject: with suites a line for the vectors and one for their inputs, unless all passes.
fn verdict(judgement: &Judgement<'_>) -> String {
    let tally = judgement.tally();
    let (word, style) = word(judgement);
    let subject = Part::new(judgement.subject.clone());
    let word = Part {
        text: word.to_owned(),
        style,
    };
    let more = seldom(&tally);
    let passes = judgement.conclusion() == Conclusion::Pass;
    let is_in_lines = !passes && !judgement.suites.is_empty();
    let width = match is_in_lines {
        true => tally.suites.agree.max(tally.suites.not_compared).to_string().len(),
        false => 4,
    };
    let mut parts = vec![
        Part::new(format!("{:width$} agree", tally.agree)),
        Part::new(format!("{:width$} fail", tally.fail)),
    ];
    // The line of a pass has the suites at its end.
    if tally.not_compared > 0 || !more.is_empty() || judgement.suites.is_empty() {
        parts.push(Part::faint(format!("{:width$} not compared", tally.not_compared)));
    }
    parts.extend(more);
    let text = if is_in_lines {
        parts.insert(0, Part::new(format!("{INDENT}vectors     ")));
        in_lines(&[word, subject]) + &in_lines(&parts) + &suites_line(&tally, width)
    } else {
        let suites = suites_in_short(judgement, &tally);
        let head = [vec![word, subject], parts].concat();
        match suites {
            // What is known of the vectors and of the suites stands apart.
            Some(suites) if tally.known > 0 => {
                in_lines(&head) + &in_lines(&[Part::new(format!("{INDENT}{}", suites.text))])
            }
            suites => in_lines(&head.into_iter().chain(suites).collect::<Vec<_>>()),
        }
    };
    text + &unvalidated_line(&[judgement])
}

/// How many inputs of the suites agree, and how many of the others are known.
fn suites_in_short(judgement: &Judgement<'_>, tally: &Tally) -> Option<Part> {
    let known = match tally.suites.known {
        0 => String::new(),
        known => format!(", {known} known"),
    };
    (!judgement.suites.is_empty()).then(|| Part::new(format!("suite inputs {} agree{known}", tally.suites.agree)))
}

/// A head, a line for each subject, and the sums of all. If there are more than the first screen has room for, the worst.
fn table(judgements: &[Judgement<'_>], detail: FailureDetail) -> String {
    let sums = judgements.iter().map(Judgement::tally).fold(Tally::default(), Add::add);
    let has_suites = judgements.iter().any(|judgement| !judgement.suites.is_empty());
    let columns = Columns::of(&sums, has_suites);
    let mut rows: Vec<&Judgement<'_>> = judgements.iter().collect();
    let is_cut = detail != FailureDetail::All && rows.len() > ROWS + 1;
    let hidden = if is_cut {
        let rank = |one: &Judgement<'_>| match one.conclusion() {
            Conclusion::Broken => 0,
            Conclusion::Fail => 1,
            Conclusion::Nothing => 2,
            Conclusion::Pass => 3,
        };
        rows.sort_by_key(|one| {
            let tally = one.tally();
            (rank(one), Reverse((tally.fail, tally.suites.fail)))
        });
        rows.split_off(ROWS)
    } else {
        Vec::new()
    };
    let room = WIDTH - INDENT.len() - columns.head().len();
    let label = |one: &Judgement<'_>| excerpt(&one.subject, "", room);
    let longest = rows.iter().map(|one| label(one).chars().count()).max().unwrap_or_default();
    let width = longest.max(if has_suites { ALL_TO_VECTORS.len() } else { ALL.len() });
    let mut text = format!("{FAINT}{INDENT}{:width$}{}{FAINT:#}\n", "", columns.head());
    for one in rows {
        let (tally, (word, style)) = (one.tally(), word(one));
        let counts = [tally.agree, tally.fail, tally.not_compared].map(|count| count as u64);
        let row = columns.row(counts, Some(tally.suites.fail));
        text += &format!("{style}{word}{style:#}  {:width$}{row}", label(one));
    }
    if is_cut {
        writeln!(text, "{INDENT}{}", of_hidden(&hidden)).expect("writes to a string");
    }
    text + &sum_rows(&sums, has_suites, (&columns, width)) + &unvalidated_line(&judgements.iter().collect::<Vec<_>>())
}

/// The columns of the counts, as wide as their sums are: of vectors, and where suites are run one of their inputs that fail.
struct Columns {
    counts: [usize; 3],
    /// The width of that of suites.
    of_suites: Option<usize>,
}

impl Columns {
    const HEADS: [&str; 3] = ["agree", "fail", "not compared"];
    const OF_SUITES: &str = "+suites";

    fn of(sums: &Tally, has_suites: bool) -> Columns {
        let suites = sums.suites;
        let vectors = [sums.agree, sums.fail, sums.not_compared].map(|count| count as u64);
        let suites = [suites.agree, suites.fail, suites.not_compared];
        let width = |at: usize| vectors[at].max(suites[at]).to_string().len().max(Columns::HEADS[at].len());
        Columns {
            counts: [width(0), width(1), width(2)],
            of_suites: has_suites.then(|| format!("+{}", sums.suites.fail).len().max(Columns::OF_SUITES.len())),
        }
    }

    fn head(&self) -> String {
        let [agree, fail, not_compared] = self.counts;
        let [of_agree, of_fail, of_not_compared] = Columns::HEADS;
        let of_suites = self.of_suites(Columns::OF_SUITES);
        format!("  {of_agree:>agree$}  {of_fail:>fail$}{of_suites}  {of_not_compared:>not_compared$}")
    }

    /// Of the sums of suites no inputs are counted apart.
    fn row(&self, [of_agree, of_fail, of_not_compared]: [u64; 3], in_suites: Option<u64>) -> String {
        let [agree, fail, not_compared] = self.counts;
        let of_suites = self.of_suites(&in_suites.map(|count| format!("+{count}")).unwrap_or_default());
        format!("  {of_agree:agree$}  {of_fail:fail$}{of_suites}  {FAINT}{of_not_compared:not_compared$}{FAINT:#}\n")
    }

    fn of_suites(&self, text: &str) -> String {
        self.of_suites.map(|width| format!("  {text:>width$}")).unwrap_or_default()
    }
}

/// The sums over all subjects, for vectors and for the inputs of suites, and what is counted seldom.
fn sum_rows(tally: &Tally, has_suites: bool, (columns, width): (&Columns, usize)) -> String {
    let row = |name: &str, counts: [u64; 3]| format!("{INDENT}{name:width$}{}", columns.row(counts, None));
    let all = if has_suites { ALL_TO_VECTORS } else { ALL };
    let counts = [tally.agree, tally.fail, tally.not_compared].map(|count| count as u64);
    let mut text = row(all, counts);
    if has_suites {
        let suites = tally.suites;
        text += &row(
            "all answers to suites",
            [suites.agree, suites.fail, suites.not_compared],
        );
    }
    let known = (tally.suites.known > 0).then(|| Part::new(format!("{:4} known of suites", tally.suites.known)));
    let mut more: Vec<Part> = seldom(tally).into_iter().chain(known).collect();
    if let Some(first) = more.first_mut() {
        first.text.insert_str(0, INDENT);
        text += &in_lines(&more);
    }
    text
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

/// What came of the inputs of suites, in a line with counts of that width.
pub(super) fn suites_line(tally: &Tally, width: usize) -> String {
    let counts = tally.suites;
    let mut parts = vec![
        Part::new(format!("{INDENT}suite inputs")),
        Part::new(format!("{:width$} agree", counts.agree)),
        Part::new(format!("{:width$} fail", counts.fail)),
        Part::faint(format!("{:width$} not compared", counts.not_compared)),
    ];
    if counts.known > 0 {
        parts.push(Part::new(format!("{:4} known", counts.known)));
    }
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
    format!("{FAINT}      not compared: {sum} accepted though invalid, since {who}{FAINT:#}\n")
}
