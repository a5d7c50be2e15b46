//! What `uriproof check` prints for people, and the text of each format.

mod failures;

use std::fmt::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use uriproof::gate::{Conclusion, FailureGroup, GroupLines, Judgement};
use uriproof::model::{OneLine, Reading};
use uriproof::run::{Counts, UNVALIDATED};

use super::CheckFormat;
use crate::cli::RunError;
use crate::report::gate::{Judged, Sheet, badge, github, issue, junit, markdown, sarif, tap};
use crate::report::model::{Run, SubjectRun};
use crate::report::{causes, json, shell};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// How much is shown of what fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureDetail {
    /// The worst groups, in a screen.
    Screen,
    /// Every failure of a group, by its number.
    Group(usize),
    /// Every failure.
    All,
}

/// What is shown of a run.
pub(super) struct PrintedRun<'r, 'v> {
    pub(super) sheet: &'r Sheet<'r, 'v>,
    pub(super) run: &'r Run<'v>,
    pub(super) judgements: &'r [Judgement<'v>],
    pub(super) detail: FailureDetail,
    /// The file of the baseline, if there is one.
    pub(super) baseline: Option<&'r Path>,
}

impl PrintedRun<'_, '_> {
    pub(super) fn text(&self, format: CheckFormat) -> Result<String, RunError> {
        Ok(match format {
            CheckFormat::Human => self.human()?,
            CheckFormat::Json => json::to_json(self.run, self.judgements),
            CheckFormat::Junit => junit::junit(self.sheet)?,
            CheckFormat::Sarif => sarif::sarif(self.sheet),
            CheckFormat::Tap => tap::tap(self.sheet),
            CheckFormat::Github => github::github(self.sheet),
            CheckFormat::Markdown => markdown::markdown(self.sheet),
            CheckFormat::Badge => badge::badge(self.sheet),
            CheckFormat::Issue => self.issue()?,
        })
    }

    /// The text about the selected group, or the worst.
    fn issue(&self) -> Result<String, RunError> {
        let [judged] = self.sheet.subjects.as_slice() else {
            return Err("an issue is about one subject: select one by --subject or --command".to_owned());
        };
        let number = match self.detail {
            FailureDetail::Group(number) => number,
            FailureDetail::Screen | FailureDetail::All => 1,
        };
        Ok(issue::issue(self.sheet, judged, group_of(judged, number)?))
    }

    /// A line for each subject, the worst groups of what fails, and what to do next. `--all` has every failure, and why vectors were not
    /// compared.
    fn human(&self) -> Result<String, RunError> {
        let width = self.run.subjects.iter().map(|subject| subject.declaration.label().len()).max().unwrap_or_default();
        let mut text = self.head();
        for (subject, judgement) in self.run.subjects.iter().zip(self.judgements) {
            text += &verdict_line(&subject.declaration.label(), width, judgement);
            text += &match judgement.conclusion() {
                // All is said in a line.
                Conclusion::Pass => suites_in_short(judgement),
                Conclusion::Fail | Conclusion::Nothing | Conclusion::Broken => format!("\n{}", suites_line(judgement)),
            };
            text += &unvalidated_line(judgement);
        }
        let subjects = self.run.subjects.iter().zip(&self.sheet.subjects);
        for (subject, judged) in subjects {
            text += &self.details(subject, judged)?;
        }
        let unexplained = causes::unexplained_in_run(self.run);
        if !unexplained.is_empty() {
            text += "\n";
        }
        for one in unexplained {
            writeln!(text, "{BAD}unexplained{BAD:#} {one}").expect("writes to a string");
        }
        Ok(text)
    }

    /// What was run: under another reading than the RFC's, or if everything is shown.
    fn head(&self) -> String {
        let Run { vectors, reading, .. } = self.run;
        if *reading == Reading::Rfc3986 && self.detail != FailureDetail::All {
            return String::new();
        }
        let suites = match self.judgements.iter().flat_map(|judgement| &judgement.suites).next() {
            Some(suite) => format!("with the {} suites", suite.size.name()),
            None => "without suites".to_owned(),
        };
        format!("{vectors} vectors, reading {reading}, {suites}\n\n")
    }

    fn details(&self, subject: &SubjectRun<'_>, judged: &Judged<'_, '_>) -> Result<String, RunError> {
        let judgement = judged.judgement;
        let groups = &judged.groups;
        let mut text = match self.detail {
            FailureDetail::Screen => self.screen(judged, groups),
            FailureDetail::Group(number) => {
                let group = group_of(judged, number)?;
                format!("\n{}", numbered(number, group)) + &self.failures(subject, judged, Some(group))
            }
            FailureDetail::All if groups.is_empty() => String::new(),
            FailureDetail::All => {
                format!("\n{BAD}{}{BAD:#}\n", subject.declaration.label()) + &self.failures(subject, judged, None)
            }
        };
        if self.detail == FailureDetail::Screen && !judgement.mixed_choices().is_empty() {
            let count = match judgement.mixed_choices().len() {
                1 => "1 mixed choice".to_owned(),
                count => format!("{count} mixed choices"),
            };
            writeln!(
                text,
                "{FAINT}      {count}, a note and no failure; --all shows them{FAINT:#}"
            )
            .expect("writes to a string");
        }
        if self.detail == FailureDetail::All {
            text += &passed_whole(judgement);
            text += &mixed_choices(judgement);
            text += &not_compared(judgement);
        }
        let tally = judgement.tally();
        if self.judgements.len() == 1 && tally.fail > tally.unrepeated && self.baseline.is_none() {
            text += &format!(
                "{FAINT}      --baseline uriproof.toml --write-baseline records these failures as known{FAINT:#}\n"
            );
        }
        text += &changed(judgement, self.detail);
        if !judgement.problems.is_empty() {
            writeln!(text, "\n{BAD}the baseline is to be changed{BAD:#}").expect("writes to a string");
        }
        for problem in &judgement.problems {
            writeln!(text, "  {problem}").expect("writes to a string");
        }
        text += &self.unexplained(judgement);
        Ok(text)
    }

    /// The entries of the baseline that have no reason yet, and what to do about them; empty if there are none.
    fn unexplained(&self, judgement: &Judgement<'_>) -> String {
        let file = self.baseline.map(|path| shell::quoted(&path.display().to_string())).unwrap_or_default();
        let (entries, each) = match judgement.unexplained {
            0 => return String::new(),
            1 => ("1 entry has".to_owned(), "it"),
            count => (format!("{count} entries have"), "each"),
        };
        format!(
            "\n{FAINT}next: {entries} no reason yet in {file}: give {each} a `reason`, and\n      \
             a `kind` (bug, by-design, unsupported) instead of `unexplained`{FAINT:#}\n"
        )
    }

    /// The worst groups, and what to do next.
    fn screen(&self, judged: &Judged<'_, '_>, groups: &[FailureGroup<'_>]) -> String {
        if judged.judgement.conclusion() == Conclusion::Nothing {
            return nothing_compared(judged.judgement);
        }
        if groups.is_empty() {
            return String::new();
        }
        let several = self.judgements.len() > 1;
        let shown = if several { 1 } else { FailureGroup::fitting(groups) };
        let mut text = "\n".to_owned();
        if several {
            writeln!(text, "{}", judged.judgement.subject).expect("writes to a string");
        }
        for (at, group) in groups.iter().enumerate().take(shown) {
            text += &numbered(at + 1, group);
        }
        if let Some(more) = FailureGroup::more(groups, shown) {
            writeln!(text, "{more}").expect("writes to a string");
        }
        if !several {
            writeln!(
                text,
                "\n{FAINT}next: --group 1 shows its vectors, --group 1 --format issue a bug report of it,\n      --all shows everything, also why answers were not compared{FAINT:#}"
            )
            .expect("writes to a string");
        }
        text
    }
}

/// The group of a number, from 1.
fn group_of<'j, 'r>(judged: &'j Judged<'r, '_>, number: usize) -> Result<&'j FailureGroup<'r>, RunError> {
    let group = number.checked_sub(1).and_then(|at| judged.groups.get(at));
    group.ok_or_else(|| {
        let count = judged.groups.len();
        format!(
            "{} has {count} groups of failures, and none with the number {number}",
            judged.judgement.subject
        )
    })
}

/// How many invalid strings a subject that does not validate accepts as they are split, in a line; empty without any.
fn unvalidated_line(judgement: &Judgement<'_>) -> String {
    let is_of_it = |(reason, _): &&(String, usize)| reason.ends_with(UNVALIDATED);
    match judgement.reasons().iter().find(is_of_it) {
        Some((_, count)) => {
            format!("{FAINT}      of these {count} are accepted though invalid: it does not validate{FAINT:#}\n")
        }
        None => String::new(),
    }
}

/// The verdict on a subject, in a line.
fn verdict_line(label: &str, width: usize, judgement: &Judgement<'_>) -> String {
    let tally = judgement.tally();
    let (style, verdict) = match judgement.conclusion() {
        Conclusion::Broken => (BAD, "STOP"),
        Conclusion::Fail => (BAD, "FAIL"),
        Conclusion::Pass => (GOOD, "pass"),
        // What was never compared has not passed.
        Conclusion::Nothing => (FAINT, "none"),
    };
    let more = [
        (tally.known_vectors(), "known"),
        (tally.not_run, "not run"),
        (tally.survived, "survived only"),
        (tally.lost, "lost"),
        (tally.unrepeated, "do not repeat"),
    ];
    let more: String =
        more.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("  {count:4} {name}")).collect();
    // The line of a pass has the suites at its end.
    let not_compared = match tally.not_compared {
        0 if more.is_empty() && !judgement.suites.is_empty() => String::new(),
        count => format!("  {FAINT}{count:4} not compared{FAINT:#}"),
    };
    format!(
        "{style}{verdict}{style:#}  {label:width$}  {:4} agree  {:4} fail{not_compared}{more}",
        tally.agree,
        tally.failing_vectors()
    )
}

/// How many inputs of the suites agree, and how many groups of the others are known, at the end of a line.
fn suites_in_short(judgement: &Judgement<'_>) -> String {
    let agree: u64 = judgement.suites.iter().map(|suite| suite.counts.agree).sum();
    match (judgement.suites.is_empty(), judgement.tally().known_groups()) {
        (true, _) => "\n".to_owned(),
        (false, 0) => format!("  suites {agree} agree\n"),
        (false, 1) => format!("  suites {agree} agree, 1 group known\n"),
        (false, known) => format!("  suites {agree} agree, {known} groups known\n"),
    }
}

/// What came of the suites, in a line; empty without suites.
fn suites_line(judgement: &Judgement<'_>) -> String {
    if judgement.suites.is_empty() {
        return String::new();
    }
    let sum = |count: fn(&Counts) -> u64| judgement.suites.iter().map(|suite| count(&suite.counts)).sum::<u64>();
    let groups: usize = judgement.suites.iter().map(|suite| suite.groups).sum();
    let known = match judgement.tally().known_groups() {
        0 => String::new(),
        count => format!(", {count} known"),
    };
    let failing = sum(|counts| counts.diverge);
    let fail = match groups {
        0 => String::new(),
        1 => format!("  {failing} fail in 1 group{known}"),
        _ => format!("  {failing} fail in {groups} groups{known}"),
    };
    format!(
        "      suites  {} agree{fail}  {FAINT}{} not compared{FAINT:#}\n",
        sum(|counts| counts.agree),
        sum(|counts| counts.not_compared + counts.left_out)
    )
}

/// A group with its number.
fn numbered(number: usize, group: &FailureGroup<'_>) -> String {
    let GroupLines {
        head, clause, witness, ..
    } = group.lines(number);
    format!(
        "{BAD}{}{BAD:#}\n{FAINT}{clause}{FAINT:#}\n{}\n",
        head.join("\n"),
        witness.join("\n")
    )
}

/// The failures of which the baseline says otherwise: the first of them, unless all are shown.
fn changed(judgement: &Judgement<'_>, detail: FailureDetail) -> String {
    /// How many the first screen shows.
    const SHOWN: usize = 5;
    let lines: Vec<String> = judgement.failures().iter().filter_map(|(_, failure)| failure.stale_line()).collect();
    if lines.is_empty() || detail != FailureDetail::Screen {
        return String::new();
    }
    let mut text = format!("\n{BAD}answers that the baseline lists have changed{BAD:#}\n");
    for line in lines.iter().take(SHOWN) {
        writeln!(text, "  {line}").expect("writes to a string");
    }
    if lines.len() > SHOWN {
        writeln!(text, "  and {} more", lines.len() - SHOWN).expect("writes to a string");
    }
    text
}

/// Why nothing was compared, the most frequent reasons first.
fn nothing_compared(judgement: &Judgement<'_>) -> String {
    const SHOWN: usize = 3;
    let reasons = judgement.reasons();
    let mut text = format!("\n{BAD}nothing was compared{BAD:#}, for these reasons:\n");
    for (reason, count) in reasons.iter().take(SHOWN) {
        writeln!(text, "{count:6}  {}", OneLine(reason)).expect("writes to a string");
    }
    if reasons.len() > SHOWN {
        writeln!(text, "        and {} more; --all shows them", reasons.len() - SHOWN).expect("writes to a string");
    }
    text
}

/// Why vectors, and inputs of the suites, were not compared.
fn not_compared(judgement: &Judgement<'_>) -> String {
    let mut text = String::new();
    let reasons = judgement.reasons();
    if !reasons.is_empty() {
        text.push('\n');
    }
    for (reason, count) in reasons {
        writeln!(text, "{FAINT}{count:4} {}{FAINT:#}", OneLine(&reason)).expect("writes to a string");
    }
    for suite in judgement.suites.iter().filter(|suite| !suite.not_compared.is_empty()) {
        writeln!(text, "{FAINT}     {suite}{FAINT:#}").expect("writes to a string");
    }
    text
}

/// The suites of which every input was compared and agrees, and where their certificates are.
fn passed_whole(judgement: &Judgement<'_>) -> String {
    let passed = judgement.suites.iter().filter(|suite| suite.proves().is_some());
    let passed: Vec<&str> = passed.map(|suite| suite.operation.name()).collect();
    match passed[..] {
        [] => String::new(),
        _ => format!(
            "{FAINT}      passed whole: {}; `uriproof complete --operation NAME` says what this means{FAINT:#}\n",
            passed.join(", ")
        ),
    }
}

/// Where a subject mixes choices that the RFC leaves open: the majority, and the vectors that depart from it.
fn mixed_choices(judgement: &Judgement<'_>) -> String {
    let mixed = judgement.mixed_choices();
    if mixed.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n{}: mixed choices  {FAINT}each answer conforms, but no single choice fits all; a note, not a failure{FAINT:#}\n",
        judgement.subject
    );
    for choices in mixed {
        writeln!(text, "  {}", OneLine(&choices.to_string())).expect("writes to a string");
        for same in choices.departing() {
            let names = same.names();
            for id in &same.vectors {
                writeln!(text, "    {}  {FAINT}{}{FAINT:#}", OneLine(&names), OneLine(id)).expect("writes to a string");
            }
        }
    }
    text
}
