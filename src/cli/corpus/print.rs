//! Prints what is known of a corpus.

use std::cmp::Reverse;
use std::fmt::Write as _;

use serde::Serialize;
use uriproof::compare::DifferenceKind;
use uriproof::gate::DOES_NOT_REPEAT;
use uriproof::model::{Component, ComponentSet, Input, Json, Operation, Outcome, Reading};
use uriproof::repeat::Unrepeated;
use uriproof::run;
use uriproof::severity::Severity;

use super::{Corpus, CorpusClass, CorpusCounts, CorpusDetail, KEPT, LONGEST, MetClass, SHOWN};
use crate::cli::check::CheckFormat;
use crate::cli::{RunError, print, print_data};
use crate::report::shell;

/// A line on which a subject differs from the reference.
#[derive(Serialize)]
struct DifferingLine<'r> {
    line: usize,
    subject: &'r str,
    input: &'r Input,
    /// `does-not-repeat`, or the kind of difference.
    kind: &'static str,
    severity: Severity,
    outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    unrepeated: Option<&'r Unrepeated>,
}

/// A class of difference, for programs.
#[derive(Serialize)]
struct ClassRow<'r> {
    subject: &'r str,
    severity: Severity,
    operation: Operation,
    kind: DifferenceKind,
    components: ComponentSet,
    reason: Option<&'r str>,
    lines: usize,
    /// The shortest line that shows it.
    line: usize,
    input: &'r Input,
    /// The answer of a new process, where that agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh: Option<&'r str>,
    /// The command that shows it.
    command: Option<String>,
}

/// What stands behind the lines that differ.
#[derive(Serialize)]
struct CorpusResults<'r> {
    lines: usize,
    /// How many lines were left out, since they are too long.
    too_long: usize,
    /// Why the run is incomplete, if so.
    lost: Option<&'r str>,
    subjects: &'r [CorpusCounts],
    classes: Vec<ClassRow<'r>>,
}

/// What stands before the first line that differs.
const START_OF_JSON: &str = "{\n  \"diverging\": [\n";

impl Corpus<'_> {
    /// Prints a line that differs, where every line is printed.
    pub(super) fn print_line(
        &mut self,
        subject: usize,
        line: usize,
        result: &run::Result,
        (kind, severity): (DifferenceKind, Severity),
        unrepeated: Option<&Unrepeated>,
    ) -> Result<(), RunError> {
        let kind = unrepeated.map_or(kind.name(), |_| DOES_NOT_REPEAT);
        let subject = &*self.counts[subject].subject;
        if self.format == CheckFormat::Json {
            let mut outcome = result.observed.clone();
            outcome.cut(SHOWN + 8 * result.input.size());
            let row = DifferingLine {
                line,
                subject,
                input: &result.input,
                kind,
                severity,
                outcome,
                unrepeated,
            };
            let begin = if self.printed == 0 { START_OF_JSON } else { ",\n" };
            self.printed += 1;
            return print_data(&format!("{begin}    {}", json(&row)?));
        }
        if self.detail == CorpusDetail::Classes {
            return Ok(());
        }
        self.printed += 1;
        let mut text = format!(
            "line {line}  {subject}  {} {}\n  {severity}: {kind}\n  expected  {}\n  got       {}\n",
            result.input.operation(),
            result.input,
            result.expected_text(),
            result.observed_text()
        );
        for (name, line) in unrepeated.iter().flat_map(|unrepeated| unrepeated.lines()) {
            writeln!(text, "  {name:8}  {line}").expect("writes to a string");
        }
        text.push('\n');
        print(&text)
    }

    /// The classes of a subject, the worst first, then the most frequent.
    fn classes_of(&self, subject: usize) -> Vec<(&CorpusClass, &MetClass)> {
        let mut classes: Vec<_> = self.classes.iter().filter(|(class, _)| class.subject == subject).collect();
        classes.sort_by_key(|(class, met)| (class.severity.urgency(), Reverse(met.count)));
        classes
    }

    fn results(&self) -> CorpusResults<'_> {
        let rows = (0..self.flagged.len()).flat_map(|subject| self.classes_of(subject)).map(|(class, met)| ClassRow {
            subject: &self.counts[class.subject].subject,
            severity: class.severity,
            operation: class.operation,
            kind: class.kind,
            components: class.components,
            reason: class.reason.as_deref(),
            lines: met.count,
            line: met.line,
            input: &met.input,
            fresh: met.fresh.as_deref(),
            command: self.command(class, met),
        });
        CorpusResults {
            lines: self.lines,
            too_long: self.too_long.map_or(0, |(count, _)| count),
            lost: self.lost.as_deref(),
            subjects: &self.counts,
            classes: rows.collect(),
        }
    }

    /// What stands in the JSON behind the lines that differ: the list's end, then the other fields.
    pub(super) fn end_of_json(&self) -> Result<String, RunError> {
        let text = serde_json::to_string_pretty(&self.results());
        let text = text.map_err(|error| format!("cannot be written as JSON: {error}"))?;
        let text = Json(&text).to_string();
        let fields = text.strip_prefix('{').unwrap_or(&text);
        let end = match self.printed {
            0 => format!("{START_OF_JSON}  ],"),
            _ => "\n  ],".to_owned(),
        };
        Ok(format!("{end}{fields}\n"))
    }

    /// The counts, then what does not repeat, then the classes of each subject.
    pub(super) fn human(&self) -> String {
        let mut text = format!("{} lines, in every operation that takes one URI\n\n", self.lines);
        for counts in &self.counts {
            let verdict = match (counts.diverge, counts.agree) {
                // A part of the lines is no pass.
                (0, _) if self.lost.is_some() => "STOP",
                (0, 0) => "none",
                (0, _) => "pass",
                _ => "FAIL",
            };
            writeln!(
                text,
                "{verdict}  {}  {} agree  {} fail  {} not compared{}",
                counts.subject,
                counts.agree,
                counts.diverge,
                counts.not_compared,
                match counts.unrepeated {
                    0 => String::new(),
                    count => format!("  {count} do not repeat"),
                }
            )
            .expect("writes to a string");
        }
        if let Some((count, first)) = self.too_long {
            writeln!(
                text,
                "\n{count} lines longer than {LONGEST} bytes left out, the first is line {first}"
            )
            .expect("writes to a string");
        }
        for (subject, counts) in self.counts.iter().enumerate().filter(|(_, counts)| counts.unrepeated > 0) {
            text += &self.not_repeated(subject, counts);
        }
        for (subject, counts) in self.counts.iter().enumerate().filter(|(_, counts)| counts.diverge > counts.unrepeated)
        {
            let classes = self.classes_of(subject);
            let noun = if classes.len() == 1 { "class" } else { "classes" };
            writeln!(text, "\n{}: {} {noun}", counts.subject, classes.len()).expect("writes to a string");
            for (class, met) in classes {
                text += &self.class(class, met);
            }
        }
        if self.detail == CorpusDetail::Classes && self.counts.iter().any(|counts| counts.diverge > 0) {
            text += "\n--all prints every line that differs\n";
        }
        text
    }

    fn not_repeated(&self, subject: usize, counts: &CorpusCounts) -> String {
        let mut text = format!(
            "\n{}: {} do not repeat: they diverge, and agree when the same input is put again\n",
            counts.subject, counts.unrepeated
        );
        for one in self.unrepeated.iter().filter(|one| one.subject == subject) {
            let input = &one.unrepeated.input;
            write!(text, "\n  {} {input}\n    line       {}\n", input.operation(), one.line)
                .expect("writes to a string");
            for (name, line) in one.unrepeated.lines() {
                writeln!(text, "    {name:9}  {line}").expect("writes to a string");
            }
        }
        let hidden = counts.unrepeated.saturating_sub(KEPT);
        if hidden > 0 {
            writeln!(text, "\n  and {hidden} more").expect("writes to a string");
        }
        text
    }

    fn class(&self, class: &CorpusClass, met: &MetClass) -> String {
        let components: Vec<&str> = class.components.iter().map(Component::name).collect();
        let details = [components.join("+"), class.reason.clone().unwrap_or_default()];
        let details: String =
            details.iter().filter(|detail| !detail.is_empty()).map(|detail| format!(" {detail}")).collect();
        let noun = if met.count == 1 { "line" } else { "lines" };
        let again = self.command(class, met);
        let fresh = match &met.fresh {
            Some(outcome) => format!("    anew       {outcome} in a new process: it does not repeat there\n"),
            None => String::new(),
        };
        format!(
            "\n  {}: {} {}{details}, {} {noun}\n    line {:<5} {}\n    expected   {}\n    got        {}\n{fresh}    again      {}\n",
            class.severity,
            class.operation,
            class.kind.name(),
            met.count,
            met.line,
            met.input,
            met.expected,
            met.got,
            again.as_deref().unwrap_or("no command line can hold U+0000")
        )
    }

    /// The command that shows a class on its shortest line; `None` if that line has a U+0000.
    fn command(&self, class: &CorpusClass, met: &MetClass) -> Option<String> {
        let text = &*met.text;
        if text.contains('\0') {
            return None;
        }
        let reading = match self.reading {
            Reading::Rfc3986 => String::new(),
            reading => format!(" --reading {reading}"),
        };
        let end_of_options = if text.starts_with('-') { " --" } else { "" };
        Some(format!(
            "uriproof diff --operation {} {}{reading}{end_of_options} {}",
            class.operation,
            self.flagged[class.subject].flag,
            shell::quoted(text)
        ))
    }
}

fn json(value: &impl Serialize) -> Result<String, RunError> {
    let text = serde_json::to_string(value).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    Ok(Json(&text).to_string())
}
