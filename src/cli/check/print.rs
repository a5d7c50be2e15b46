//! What `uriproof check` prints for people, and the text of each format.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use uriproof::compare::DifferenceKind;
use uriproof::gate::{self, Conclusion, Judgement};
use uriproof::model::OneLine;
use uriproof::run::Counts;
use uriproof::severity::Severity;
use uriproof_lab::divergence::ledger::Cause;

use super::CheckFormat;
use crate::cli::RunError;
use crate::report::gate::{Judged, Sheet, badge, github, junit, markdown, sarif, tap};
use crate::report::model::{AnsweredVector, Run, SubjectRun};
use crate::report::{causes, json};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// The failures of a class, the most severe that they show; without a class, those of one severity and kind of difference.
type OfClass<'r, 'v> = (
    Result<usize, (Severity, DifferenceKind)>,
    Vec<(&'r AnsweredVector<'v>, &'r gate::Failure)>,
);

/// The values of a key, added at the end if there are none yet.
fn entry<K: PartialEq, V: Default>(map: &mut Vec<(K, V)>, key: K) -> &mut V {
    let at = map.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        map.push((key, V::default()));
        map.len() - 1
    });
    &mut map[at].1
}

/// What is shown of a run.
pub(super) struct PrintedRun<'r, 'v> {
    pub(super) sheet: &'r Sheet<'r, 'v>,
    pub(super) run: &'r Run<'v>,
    pub(super) judgements: &'r [Judgement<'v>],
    pub(super) all: bool,
    pub(super) has_baseline: bool,
}

impl PrintedRun<'_, '_> {
    pub(super) fn text(&self, format: CheckFormat) -> Result<String, RunError> {
        Ok(match format {
            CheckFormat::Human => self.human(),
            CheckFormat::Json => json::to_json(self.run, self.judgements),
            CheckFormat::Junit => junit::junit(self.sheet)?,
            CheckFormat::Sarif => sarif::sarif(self.sheet),
            CheckFormat::Tap => tap::tap(self.sheet),
            CheckFormat::Github => github::github(self.sheet),
            CheckFormat::Markdown => markdown::markdown(self.sheet),
            CheckFormat::Badge => badge::badge(self.sheet),
        })
    }

    /// First the verdict on each subject, then what differs, by clause, the worst first, then what was not compared.
    fn human(&self) -> String {
        let run = self.run;
        let suites = match self.judgements.iter().flat_map(|judgement| &judgement.suites).next() {
            Some(suite) => format!("with the {} suites", suite.size.name()),
            None => "without suites".to_owned(),
        };
        let mut text = format!("{} vectors, reading {}, {suites}\n\n", run.vectors, run.reading);
        let width = run.subjects.iter().map(|subject| subject.declaration.label().len()).max().unwrap_or_default();
        for (subject, judgement) in run.subjects.iter().zip(self.judgements) {
            let tally = judgement.tally();
            let (style, verdict) = match judgement.conclusion() {
                Conclusion::Broken => (BAD, "STOP"),
                Conclusion::Fail => (BAD, "FAIL"),
                Conclusion::Pass => (GOOD, "pass"),
                // What was never compared has not passed.
                Conclusion::Nothing => (FAINT, "none"),
            };
            let more = [
                (tally.known, "known"),
                (tally.not_run, "not run"),
                (tally.survived, "survived only"),
                (tally.lost, "lost"),
                (tally.unrepeated, "do not repeat"),
            ];
            let more = more.into_iter().filter(|(count, _)| *count > 0);
            text += &format!(
                "{style}{verdict}{style:#}  {:width$}  {:4} agree  {:4} diverge  {FAINT}{:4} not compared{FAINT:#}{}\n",
                subject.declaration.label(),
                tally.agree,
                tally.fail,
                tally.not_compared,
                more.map(|(count, name)| format!("  {count:4} {name}")).collect::<String>()
            );
        }
        text += &self.suites();
        let subjects = run.subjects.iter().zip(&self.sheet.subjects);
        for (subject, judged) in subjects {
            text += &self.details(subject, judged);
        }
        let unexplained = causes::unexplained_in_run(run);
        if !unexplained.is_empty() {
            text += "\n";
        }
        for one in unexplained {
            writeln!(text, "{BAD}unexplained{BAD:#} {one}").expect("writes to a string");
        }
        text
    }

    /// What came of the suites, in a line for each subject.
    fn suites(&self) -> String {
        let mut text = String::new();
        for judgement in self.judgements.iter().filter(|judgement| !judgement.suites.is_empty()) {
            let sum =
                |count: fn(&Counts) -> u64| judgement.suites.iter().map(|suite| count(&suite.counts)).sum::<u64>();
            let groups: usize = judgement.suites.iter().map(|suite| suite.groups).sum();
            let of = if self.judgements.len() > 1 {
                format!(" of {}", judgement.subject)
            } else {
                String::new()
            };
            let differs = match groups {
                0 => String::new(),
                _ => format!(
                    ", {BAD}{} diverge in {groups} {}{BAD:#}",
                    sum(|counts| counts.diverge),
                    if groups == 1 { "group" } else { "groups" }
                ),
            };
            writeln!(
                text,
                "      suites{of}: {} answers agree{differs}{FAINT}, {} not compared{FAINT:#}",
                sum(|counts| counts.agree),
                sum(|counts| counts.not_compared + counts.left_out)
            )
            .expect("writes to a string");
        }
        if let [judgement] = self.judgements {
            text += &passed_whole(judgement);
        }
        text
    }

    fn details(&self, subject: &SubjectRun<'_>, judged: &Judged<'_, '_>) -> String {
        let judgement = judged.judgement;
        let mut text = String::new();
        if judgement.conclusion() == Conclusion::Fail || judgement.tally().fail > 0 {
            text += &self.failures(subject, judged);
        }
        text += &mixed_choices(judgement);
        // Many subjects are looked at; one is worked on.
        if self.judgements.len() == 1 {
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
        }
        let tally = judgement.tally();
        if self.judgements.len() == 1 && tally.fail > tally.unrepeated && !self.has_baseline {
            text += &format!(
                "\n{FAINT}what is meant, or is to be mended later, goes into a baseline: --baseline uriproof.toml \
                 --write-baseline{FAINT:#}\n"
            );
        }
        if !judgement.problems.is_empty() {
            writeln!(text, "\n{BAD}the baseline is to be changed{BAD:#}").expect("writes to a string");
        }
        for problem in &judgement.problems {
            writeln!(text, "  {problem}").expect("writes to a string");
        }
        if judgement.unexplained > 0 {
            text += &format!(
                "\n{FAINT}{} lines of the baseline are `unexplained` and wait for a reason{FAINT:#}\n",
                judgement.unexplained
            );
        }
        text
    }

    fn failures(&self, subject: &SubjectRun<'_>, judged: &Judged<'_, '_>) -> String {
        let mut text = format!("\n{BAD}{}{BAD:#}\n", subject.declaration.label());
        // By clause and by the most severe class: one vector is printed for all of its class. The worst failure comes first, then those of
        // its class and of its clause.
        let answers: BTreeMap<&str, &AnsweredVector<'_>> =
            subject.answers.iter().map(|answer| (&*answer.vector.id, answer)).collect();
        let (unrepeated, repeated): (Vec<_>, Vec<_>) =
            judged.judgement.failures().into_iter().partition(|(_, failure)| failure.unrepeated.is_some());
        if !unrepeated.is_empty() {
            text += &format!(
                "\n  does not repeat  {FAINT}it diverges, and agrees when the same input is put to it again, at once or in a \
                 new process{FAINT:#}\n"
            );
        }
        for (vector, failure) in unrepeated {
            text += &self.failure(subject, judged, answers[&*vector.id], failure);
        }
        let mut by_clause: Vec<(&str, Vec<OfClass<'_, '_>>)> = Vec::new();
        for (vector, failure) in repeated {
            let answer = answers[&*vector.id];
            let class = answer.ways.first().copied().ok_or((failure.severity, failure.kind));
            let classes = entry(&mut by_clause, &*vector.clauses[0]);
            entry(classes, class).push((answer, failure));
        }
        for (clause, classes) in by_clause {
            let quote = self.sheet.library.clause(clause).map(|clause| clause.quote.as_str()).unwrap_or_default();
            writeln!(text, "\n  {}  {FAINT}{}{FAINT:#}", OneLine(clause), OneLine(quote)).expect("writes to a string");
            for (_, failures) in classes {
                let shown = if self.all { failures.len() } else { 1 };
                for (answer, failure) in &failures[..shown] {
                    text += &self.failure(subject, judged, answer, failure);
                }
                let hidden = failures.len() - shown;
                if hidden > 0 {
                    text += &format!("      {FAINT}and {hidden} more of this class; --all shows them{FAINT:#}\n");
                }
            }
        }
        text
    }

    fn failure(
        &self,
        subject: &SubjectRun<'_>,
        judged: &Judged<'_, '_>,
        answer: &AnsweredVector<'_>,
        failure: &gate::Failure,
    ) -> String {
        let vector = answer.vector;
        let mut text = format!(
            "    {BAD}{}:{BAD:#} {}  {FAINT}{} ({}){FAINT:#}\n      expected  {}\n      got       {}\n",
            failure.severity,
            vector.input,
            OneLine(&vector.id),
            vector.level,
            OneLine(&failure.expected),
            OneLine(&failure.got)
        );
        for (name, line) in failure.unrepeated.iter().flat_map(|unrepeated| unrepeated.lines()) {
            writeln!(text, "      {name:8}  {line}").expect("writes to a string");
        }
        if let Some(line) = failure.stale_line() {
            text += &format!("      baseline  {line}\n");
        }
        for shown in subject.ways_of(answer) {
            let cause = match causes::known(self.run, subject, shown) {
                Some(entry) if entry.cause != Cause::Unexplained => {
                    format!("{}: {}", entry.cause, OneLine(&entry.explanation))
                }
                _ => "not explained".to_owned(),
            };
            let head = if shown.class().is_some() { "class" } else { "deviation" };
            text += &format!(
                "      {head:9} {}  {FAINT}{}; {cause}{FAINT:#}\n",
                shown.name, shown.severity
            );
        }
        if let Some(note) = &vector.note {
            writeln!(text, "      note      {}", OneLine(note)).expect("writes to a string");
        }
        writeln!(text, "      {FAINT}again     {}{FAINT:#}", judged.again(vector)).expect("writes to a string");
        text
    }
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
