//! What `uriproof check` prints for people, and the text of each format.

mod failures;
mod verdicts;

use std::fmt::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use uriproof::algorithms::PREFIX;
use uriproof::compare::{Verdict, compare};
use uriproof::expect::whatwg;
use uriproof::gate::{Conclusion, FailureGroup, GroupLines, Judgement, SharedGroup};
use uriproof::model::{OneLine, Reading, Specification};
use uriproof::run;

use super::CheckFormat;
use crate::cli::{RunError, WIDTH, in_lines, wrapped};
use crate::report::gate::{ComparedStandard, Sheet, badge, github, issue, junit, markdown, sarif, tap};
use crate::report::model::Run;
use crate::report::{causes, json, shell};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// How much is shown of what fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureDetail {
    /// The worst groups, in a screen.
    Screen,
    /// Every group.
    Groups,
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
        let number = match self.detail {
            FailureDetail::Group(number) => number,
            FailureDetail::Screen | FailureDetail::Groups | FailureDetail::All => 1,
        };
        let shared = self.sheet.groups();
        Ok(issue::issues(self.sheet, self.group_of(&shared, number)?))
    }

    /// Which subjects are measured by the WHATWG URL Standard, if any is.
    fn by_url_standard(&self) -> String {
        let subjects = &self.sheet.subjects;
        let measured: Vec<&str> = subjects
            .iter()
            .filter(|one| one.standard == ComparedStandard::Whatwg)
            .map(|one| &*one.judgement.subject)
            .collect();
        match measured.len() {
            0 => String::new(),
            count if count == subjects.len() => "      by the WHATWG URL Standard\n".to_owned(),
            _ => wrapped(&measured.join("; ").split(' ').collect::<Vec<_>>(), WIDTH - 36)
                .iter()
                .enumerate()
                .map(|(at, line)| match at {
                    0 => format!("      by the WHATWG URL Standard: {line}\n"),
                    _ => format!("        {line}\n"),
                })
                .collect(),
        }
    }

    /// How much of what fails by RFC 3986 the WHATWG URL Standard says, for each subject that follows it: a line or none.
    fn as_url_standard(&self) -> String {
        let mut text = String::new();
        for (answered, judged) in self.run.subjects.iter().zip(&self.sheet.subjects) {
            let declaration = answered.declaration;
            if judged.standard == ComparedStandard::Whatwg || declaration.specification != Specification::WhatwgUrl {
                continue;
            }
            // A group of a suite is one of its inputs.
            let cases = judged.judgement.cases.iter().filter(|case| !case.vector.id.starts_with(PREFIX));
            let results = cases.filter_map(|case| case.result.as_ref());
            let failing: Vec<&run::Result> =
                results.filter(|result| matches!(result.verdict, Verdict::Diverge(_))).collect();
            let is_as_standard = |result: &&&run::Result| {
                let expected = whatwg::expect(&result.input);
                let verdict = compare(declaration, &result.input, &expected, &result.observed);
                matches!(verdict, Verdict::Agree { .. })
            };
            let of_standard = failing.iter().filter(is_as_standard).count();
            writeln!(
                text,
                "      as the WHATWG URL Standard says: {of_standard} of the {} vectors that fail",
                failing.len()
            )
            .expect("writes to a string");
        }
        text
    }

    /// Why not everything was run, of each subject of which that is so.
    fn lost(&self) -> String {
        let lost = self.judgements.iter().filter_map(|judgement| {
            let of = match self.is_of_several() {
                true => format!(" of {}", judgement.subject),
                false => String::new(),
            };
            let words = format!("not everything was run{of}: {}", OneLine(judgement.lost.as_ref()?));
            Some(in_lines(&words, "      ", "      ", BAD))
        });
        lost.collect()
    }

    /// That the only subject, a command, seems not to validate; empty if it does, or has said so.
    fn unsaid_validation(&self) -> String {
        let way = r#"write `"validates": false` into its hello"#;
        let words = match self.sheet.subjects.as_slice() {
            [one] if one.group_command.contains("--command") => one.judgement.unsaid_validation(way),
            _ => None,
        };
        words.map(|words| in_lines(&words, "      ", "      ", FAINT)).unwrap_or_default()
    }

    /// The worst groups of what fails in all subjects, a line for each subject, and what to do next. `--all` has every failure, and why
    /// vectors were not compared.
    fn human(&self) -> Result<String, RunError> {
        let head = self.head();
        let verdicts = verdicts::text(self.judgements, self.detail)
            + &self.lost()
            + &self.by_url_standard()
            + &self.as_url_standard()
            + &self.unsaid_validation();
        let shared = self.sheet.groups();
        let about_baseline: String = self.judgements.iter().map(|judgement| self.about_baseline(judgement)).collect();
        let lines = [&head, &verdicts, &about_baseline].map(|text| text.lines().count());
        let mut text = match self.detail {
            FailureDetail::Screen | FailureDetail::Groups => {
                head + &self.worst(&shared, lines.iter().sum()) + &verdicts + &self.next(&shared)
            }
            FailureDetail::Group(number) => head + &verdicts + &self.group(number, self.group_of(&shared, number)?),
            FailureDetail::All => head + &verdicts + &self.all(),
        };
        text += &about_baseline;
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

    /// Every failure of each subject, and why vectors were not compared.
    fn all(&self) -> String {
        let mut text = String::new();
        for (subject, judged) in self.run.subjects.iter().zip(&self.sheet.subjects) {
            if self.is_of_several() || !judged.groups.is_empty() {
                writeln!(text, "\n{BAD}{}{BAD:#}", subject.declaration.label()).expect("writes to a string");
            }
            if self.is_of_several() {
                text += &judged_suites(judged.judgement);
            }
            text += &self.failures(subject, judged, None);
            text += &passed_whole(judged.judgement);
            text += &mixed_choices(judged.judgement);
            text += &not_compared(judged.judgement);
        }
        text
    }

    /// The vectors of a group, in each subject in which it shows.
    fn group(&self, number: usize, shared: &SharedGroup<'_>) -> String {
        let mut text = format!("\n{}", printed(&self.lines(number, shared)));
        for &(subject, group) in &shared.places {
            let judged = &self.sheet.subjects[subject];
            if self.is_of_several() {
                writeln!(text, "\n{BAD}{}{BAD:#}", judged.judgement.subject).expect("writes to a string");
            }
            text += &self.failures(&self.run.subjects[subject], judged, Some(&judged.groups[group]));
        }
        text
    }

    /// What is wrong with the baseline, and what to do about it.
    fn about_baseline(&self, judgement: &Judgement<'_>) -> String {
        let tally = judgement.tally();
        let mut text = String::new();
        if !self.is_of_several()
            && tally.fail + tally.suites.failing_cases > tally.unrepeated
            && self.baseline.is_none()
        {
            text += &format!(
                "{FAINT}      --baseline uriproof.toml --write-baseline records these failures as known{FAINT:#}\n"
            );
        }
        text += &changed(judgement, self.detail);
        let shown = match self.detail {
            // What fails may be their cause.
            FailureDetail::Screen if tally.has_failures() => 0,
            FailureDetail::Screen => PROBLEMS,
            FailureDetail::Groups | FailureDetail::Group(_) | FailureDetail::All => usize::MAX,
        };
        match (judgement.problems.len(), shown) {
            (0, _) => {}
            (1, 0) => text += "1 line of the baseline is to be changed, once what fails is correct; --all shows it\n",
            (lines, 0) => {
                let words = "lines of the baseline are to be changed, once what fails is correct; --all shows them";
                writeln!(text, "{lines} {words}").expect("writes to a string");
            }
            _ => writeln!(text, "\n{BAD}the baseline is to be changed{BAD:#}").expect("writes to a string"),
        }
        for problem in judgement.problems.iter().take(shown) {
            text += &match self.detail {
                FailureDetail::Screen => in_lines(&problem.to_string(), "  ", "    ", Style::new()),
                _ => format!("  {problem}\n"),
            };
        }
        if shown > 0 && judgement.problems.len() > shown {
            writeln!(
                text,
                "  and {} more; --all shows them",
                judgement.problems.len() - shown
            )
            .expect("writes to a string");
        }
        // What fails comes first.
        match self.detail {
            FailureDetail::Screen if tally.has_failures() => text,
            _ if !judgement.problems.is_empty() => {
                let words =
                    "next: correct these lines; --write-baseline deletes and changes lines, and keeps your reasons";
                format!(
                    "{text}\n{}{}",
                    in_lines(words, "", "      ", FAINT),
                    self.unexplained(judgement)
                )
            }
            _ => text + &self.unexplained(judgement),
        }
    }

    /// Whether several subjects are compared.
    fn is_of_several(&self) -> bool {
        self.judgements.len() > 1
    }

    /// The entries of the baseline that have no reason yet, and what to do about them; empty if there are none.
    fn unexplained(&self, judgement: &Judgement<'_>) -> String {
        let file = self.baseline.map(|path| shell::quoted(&path.display().to_string())).unwrap_or_default();
        let (entries, each) = match judgement.unexplained {
            0 => return String::new(),
            1 => ("1 entry has".to_owned(), "it"),
            count => (format!("{count} entries have"), "each"),
        };
        let words = format!(
            "next: {entries} no reason yet in {file}: give {each} a `reason`, and a `kind` (bug, by-design, \
             unsupported) instead of `unexplained`"
        );
        format!("\n{}", in_lines(&words, "", "      ", FAINT))
    }

    /// The worst groups, on a screen that has so many other lines; empty without failures.
    fn worst(&self, shared: &[SharedGroup<'_>], others: usize) -> String {
        /// The lines for what is next, with the empty ones.
        const BELOW: usize = 5;
        if shared.is_empty() {
            return String::new();
        }
        let lines: Vec<GroupLines> = shared.iter().enumerate().map(|(at, one)| self.lines(at + 1, one)).collect();
        let shown = match self.detail {
            FailureDetail::Groups => lines.len(),
            _ => GroupLines::fitting(&lines, LINES.saturating_sub(others + BELOW)),
        };
        let mut text: String = lines.iter().take(shown).map(printed).collect();
        if let Some(more) = FailureGroup::more(shared.iter().skip(shown).map(|one| &one.group)) {
            writeln!(text, "{more}").expect("writes to a string");
        }
        text + "\n"
    }

    /// What to do next, and that open choices are taken in several ways.
    fn next(&self, shared: &[SharedGroup<'_>]) -> String {
        let mixed: usize = self.judgements.iter().map(|judgement| judgement.mixed_choices().len()).sum();
        let mixed = match mixed {
            0 => String::new(),
            1 => {
                format!("{FAINT}      no failure: takes 1 open choice in several ways; --all shows it{FAINT:#}\n")
            }
            count => format!(
                "{FAINT}      no failure: takes {count} open choices in several ways; --all shows them{FAINT:#}\n"
            ),
        };
        if let ([judgement], Some(Conclusion::Nothing)) = (self.judgements, self.only_conclusion()) {
            return nothing_compared(judgement) + &mixed;
        }
        if shared.is_empty() {
            return mixed;
        }
        let last = match self.is_of_several() {
            false => "--groups every group, --all everything, also why answers were not compared",
            true => "--groups every group, one --subject or --command alone its own, --all all",
        };
        format!(
            "\n{FAINT}next: --group 1 shows its vectors, --group 1 --format issue a bug report of it,\n      {last}{FAINT:#}\n"
        )
    }

    fn only_conclusion(&self) -> Option<Conclusion> {
        match self.judgements {
            [one] => Some(one.conclusion()),
            _ => None,
        }
    }

    /// A group as lines, with the entry points in which it shows where several are compared.
    fn lines(&self, number: usize, shared: &SharedGroup<'_>) -> GroupLines {
        let mut lines = shared.group.lines(number);
        if self.is_of_several() {
            lines.entry_points = Some(self.entry_points(shared));
        }
        lines
    }

    /// The entry points in which a group shows, in a line: `in 2 of 6: UriStr::new, IriStr::new`. The name of the library is left out
    /// where there is only one.
    fn entry_points(&self, shared: &SharedGroup<'_>) -> String {
        let (count, all) = (shared.places.len(), self.judgements.len());
        if count == all {
            return match all {
                2 => "    in both entry points".to_owned(),
                _ => format!("    in all {all} entry points"),
            };
        }
        let declarations: Vec<_> = self.run.subjects.iter().map(|subject| subject.declaration).collect();
        let library = |at: usize| (&declarations[at].name, &declarations[at].version);
        let is_one_library = (0..all).all(|at| library(at) == library(0));
        let name = |&(at, _): &(usize, usize)| match is_one_library {
            true => declarations[at].entry_point.to_string(),
            false => declarations[at].label(),
        };
        let names: Vec<String> = shared.places.iter().map(name).collect();
        let of = |shown: usize| {
            let more = match count - shown {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("    in {count} of {all}: {}{more}", names[..shown].join(", "))
        };
        let fitting = (1..=count).rev().map(of).find(|line| line.chars().count() <= WIDTH);
        fitting.unwrap_or_else(|| format!("    in {count} of {all} entry points"))
    }

    /// The group of a number, from 1.
    fn group_of<'j, 'r>(&self, shared: &'j [SharedGroup<'r>], number: usize) -> Result<&'j SharedGroup<'r>, RunError> {
        let group = number.checked_sub(1).and_then(|at| shared.get(at));
        group.ok_or_else(|| {
            let of = match self.judgements {
                [one] => format!("{} has", one.subject),
                several => format!("{} entry points have", several.len()),
            };
            format!(
                "{of} {} groups of failures, and none with the number {number}",
                shared.len()
            )
        })
    }
}

/// How many lines of a baseline that are to be changed the first screen shows where nothing fails.
const PROBLEMS: usize = 8;

/// The lines of a screen.
const LINES: usize = 24;

/// The lines of a group.
fn printed(lines: &GroupLines) -> String {
    let GroupLines {
        head,
        clause,
        entry_points,
        witness,
        ..
    } = lines;
    let entry_points = entry_points.iter().map(|line| format!("{FAINT}{line}{FAINT:#}\n")).collect::<String>();
    format!(
        "{BAD}{}{BAD:#}\n{FAINT}{clause}{FAINT:#}\n{entry_points}{}\n",
        head.join("\n"),
        witness.join("\n")
    )
}

/// The lines of the baseline that say something else than what fails: the first of them, unless all failures are shown.
fn changed(judgement: &Judgement<'_>, detail: FailureDetail) -> String {
    /// How many the first screen shows.
    const SHOWN: usize = 2;
    let mut lines: Vec<(&str, String, usize)> = Vec::new();
    for (_, failure) in judgement.failures() {
        let Some(((place, _), line)) = failure.known_as.as_ref().zip(failure.stale_line()) else {
            continue;
        };
        match lines.iter_mut().find(|(of_other, ..)| of_other == place) {
            Some((.., answers)) => *answers += 1,
            None => lines.push((place, line, 1)),
        }
    }
    if lines.is_empty() || !matches!(detail, FailureDetail::Screen | FailureDetail::Groups) {
        return String::new();
    }
    let mut text = format!("\n{BAD}answers that the baseline lists have changed{BAD:#}\n");
    for (_, line, answers) in lines.iter().take(SHOWN) {
        let more = match answers {
            1 => String::new(),
            _ => format!(" (and {} more answers of this line)", answers - 1),
        };
        text += &in_lines(&format!("{line}{more}"), "  ", "    ", Style::new());
    }
    if lines.len() > SHOWN {
        writeln!(text, "  and {} more; --all shows them", lines.len() - SHOWN).expect("writes to a string");
    }
    text
}

/// Why nothing was compared, the most frequent reasons first.
fn nothing_compared(judgement: &Judgement<'_>) -> String {
    const SHOWN: usize = 3;
    let reasons = judgement.reasons();
    let mut text = format!("\n{BAD}FAIL: nothing was compared{BAD:#}, for these reasons:\n");
    for (reason, count) in reasons.iter().take(SHOWN) {
        writeln!(text, "{count:6}  {}", OneLine(reason)).expect("writes to a string");
    }
    if reasons.len() > SHOWN {
        writeln!(text, "        and {} more; --all shows them", reasons.len() - SHOWN).expect("writes to a string");
    }
    if reasons.iter().any(|(reason, _)| reason.contains("adapter")) {
        text += &format!("\n{FAINT}next: change the adapter as they say; --probe shows what it answers{FAINT:#}\n");
    }
    text
}

/// What came of the suites of one of several subjects, in a line; empty without suites.
fn judged_suites(judgement: &Judgement<'_>) -> String {
    match judgement.suites[..] {
        [] => String::new(),
        _ => verdicts::suites_line(&judgement.tally(), 0),
    }
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
