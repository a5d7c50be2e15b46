//! `uriproof check --corpus FILE`: a user's own URIs, one a line, subject beside reference.
//!
//! Differences are counted by class, and each class keeps its shortest line only, so that memory does not grow with the file. `--all`
//! and JSON have every line that differs, and keep those.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cli::check::Format;
use crate::cli::{Failure, Finding, interrupt, print, print_json};
use crate::compare::{Difference, Kind, Verdict};
use crate::model::{Component, ComponentSet, Input, Operation, Outcome, Reading, Rule, Scope, Subject};
use crate::report::shell;
use crate::run;
use crate::severity::Severity;

/// A subject that is run, and the flag that selects it, quoted for a shell.
pub(crate) struct Asked<'s> {
    pub(crate) subject: &'s dyn Subject,
    pub(crate) flag: String,
}

/// What is printed of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// A line for each class.
    Classes,
    /// Every line that differs, too.
    Lines,
}

/// A class of difference. There are finitely many: nothing in it is text of the file or of a subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    /// The place of the subject.
    subject: usize,
    severity: Severity,
    operation: Operation,
    kind: Kind,
    components: ComponentSet,
    /// What the reference says against the line, if that is what differs: the rule that it does not match.
    reason: Option<String>,
}

/// How often a class shows, and on what.
struct Met {
    count: usize,
    /// The shortest line, and of equals the first.
    line: usize,
    text: String,
    input: Input,
    expected: String,
    got: String,
}

/// A line on which a subject differs from the reference.
#[derive(Serialize)]
struct Differing {
    line: usize,
    subject: String,
    input: Input,
    kind: &'static str,
    severity: Severity,
    #[serde(skip)]
    expected: String,
    #[serde(skip)]
    got: String,
    outcome: Outcome,
}

/// How many answers of a subject count how.
#[derive(Serialize)]
struct Counts {
    subject: String,
    agree: usize,
    diverge: usize,
    not_compared: usize,
}

/// A class of difference, for programs.
#[derive(Serialize)]
struct ClassRow<'r> {
    subject: &'r str,
    severity: Severity,
    operation: Operation,
    kind: Kind,
    components: ComponentSet,
    reason: Option<&'r str>,
    lines: usize,
    /// The shortest line that shows it.
    line: usize,
    input: &'r Input,
    /// The command that shows it.
    command: Option<String>,
}

#[derive(Serialize)]
struct Results<'r> {
    lines: usize,
    subjects: &'r [Counts],
    classes: Vec<ClassRow<'r>>,
    diverging: &'r [Differing],
}

/// What is known of a corpus so far.
struct Corpus<'a> {
    asked: &'a [Asked<'a>],
    reading: Reading,
    keeps_lines: bool,
    lines: usize,
    counts: Vec<Counts>,
    classes: BTreeMap<Class, Met>,
    diverging: Vec<Differing>,
}

pub(crate) fn run(
    asked: &[Asked<'_>],
    path: &Path,
    reading: Reading,
    format: Format,
    detail: Detail,
) -> Result<Finding, Failure> {
    if !matches!(format, Format::Human | Format::Json) {
        return Err("--corpus prints as human or json".to_owned());
    }
    let file = File::open(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    interrupt::note()?;
    let counts = asked.iter().map(|one| Counts {
        subject: one.subject.declaration().label(),
        agree: 0,
        diverge: 0,
        not_compared: 0,
    });
    let mut corpus = Corpus {
        asked,
        reading,
        keeps_lines: format == Format::Json || detail == Detail::Lines,
        lines: 0,
        counts: counts.collect(),
        classes: BTreeMap::new(),
        diverging: Vec::new(),
    };
    let ended = corpus.read(&mut BufReader::new(file), path);
    if corpus.lines == 0 {
        ended?;
        return Err(format!("{} has no line; it is to have a URI each", path.display()));
    }
    match format {
        Format::Json => print_json(&corpus.results())?,
        _ => print(&corpus.human(detail))?,
    }
    ended.map_err(|reason| format!("not everything was asked: {reason}"))?;
    Ok(match corpus.classes.is_empty() {
        true => Finding::Expected,
        false => Finding::Unexpected,
    })
}

impl<'a> Corpus<'a> {
    /// Runs every subject on every line.
    ///
    /// # Errors
    ///
    /// Why not every subject could be run on every line.
    fn read(&mut self, file: &mut impl BufRead, path: &Path) -> Result<(), Failure> {
        let style = ProgressStyle::with_template("{human_pos} lines").expect("the template is well-formed");
        let bar = ProgressBar::no_length().with_style(style);
        let mut octets = Vec::new();
        for number in 1.. {
            octets.clear();
            let read = file.read_until(b'\n', &mut octets);
            if read.map_err(|error| format!("{} cannot be read: {error}", path.display()))? == 0 {
                break;
            }
            let line = octets.strip_suffix(b"\n").unwrap_or(&octets);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = std::str::from_utf8(line)
                .map_err(|error| format!("{}:{number}: not UTF-8: {error}", path.display()))?;
            if !text.is_empty() {
                self.lines += 1;
                bar.inc(1);
                self.ask(number, text)?;
            }
        }
        bar.finish_and_clear();
        self.asked.iter().find_map(|one| one.subject.lost()).map_or(Ok(()), Err)
    }

    /// Runs every subject on a line; one that is lost is left out.
    fn ask(&mut self, line: usize, text: &str) -> Result<(), Failure> {
        for (at, one) in self.asked.iter().enumerate() {
            for input in inputs(text, one.subject) {
                interrupt::stopped().map_or(Ok(()), Err)?;
                if one.subject.lost().is_some() {
                    break;
                }
                let result = run::one(one.subject, &input, self.reading);
                match &result.verdict {
                    Verdict::Agree { .. } => self.counts[at].agree += 1,
                    Verdict::NotComparable { .. } => self.counts[at].not_compared += 1,
                    Verdict::Diverge(difference) => self.add(at, (line, text), &result, difference),
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, subject: usize, (line, text): (usize, &str), result: &run::Result, difference: &Difference) {
        self.counts[subject].diverge += 1;
        let severity = Severity::of_difference(result, difference);
        let reason = match result.expected.literal() {
            Outcome::Rejected { reason, .. } => reason,
            _ => None,
        };
        let class = Class {
            subject,
            severity,
            operation: result.input.operation(),
            kind: difference.kind,
            components: difference.components,
            reason,
        };
        let met = || Met {
            count: 0,
            line,
            text: text.to_owned(),
            input: result.input.clone(),
            expected: result.expected_text(),
            got: result.observed_text(),
        };
        let known = self.classes.entry(class).or_insert_with(met);
        if text.len() < known.text.len() {
            *known = Met {
                count: known.count,
                ..met()
            };
        }
        known.count += 1;
        if self.keeps_lines {
            self.diverging.push(Differing {
                line,
                subject: self.counts[subject].subject.clone(),
                input: result.input.clone(),
                kind: difference.kind.name(),
                severity,
                expected: result.expected_text(),
                got: result.observed_text(),
                outcome: result.observed.clone(),
            });
        }
    }

    /// The classes of a subject, the worst first, then the most frequent.
    fn classes_of(&self, subject: usize) -> Vec<(&Class, &Met)> {
        let mut classes: Vec<_> = self.classes.iter().filter(|(class, _)| class.subject == subject).collect();
        classes.sort_by_key(|(class, met)| (class.severity.urgency(), Reverse(met.count)));
        classes
    }

    fn results(&self) -> Results<'_> {
        let rows = (0..self.asked.len()).flat_map(|subject| self.classes_of(subject)).map(|(class, met)| ClassRow {
            subject: &self.counts[class.subject].subject,
            severity: class.severity,
            operation: class.operation,
            kind: class.kind,
            components: class.components,
            reason: class.reason.as_deref(),
            lines: met.count,
            line: met.line,
            input: &met.input,
            command: self.command(class, met),
        });
        Results {
            lines: self.lines,
            subjects: &self.counts,
            classes: rows.collect(),
            diverging: &self.diverging,
        }
    }

    /// The counts, then the classes of each subject, then every line if wanted.
    fn human(&self, detail: Detail) -> String {
        let mut text = format!("{} lines, in every operation that takes one URI\n\n", self.lines);
        for counts in &self.counts {
            let verdict = match (counts.diverge, counts.agree) {
                (0, 0) => "none",
                (0, _) => "pass",
                _ => "FAIL",
            };
            writeln!(
                text,
                "{verdict}  {}  {} agree  {} diverge  {} not compared",
                counts.subject, counts.agree, counts.diverge, counts.not_compared
            )
            .expect("writes to a string");
        }
        for (subject, counts) in self.counts.iter().enumerate().filter(|(_, counts)| counts.diverge > 0) {
            let classes = self.classes_of(subject);
            let noun = if classes.len() == 1 { "class" } else { "classes" };
            writeln!(text, "\n{}: {} {noun}", counts.subject, classes.len()).expect("writes to a string");
            for (class, met) in classes {
                text += &self.class(class, met);
            }
        }
        if detail == Detail::Classes {
            if !self.classes.is_empty() {
                text += "\n--all prints every line that differs\n";
            }
            return text;
        }
        for one in &self.diverging {
            write!(
                text,
                "\nline {}  {}  {} {}\n  {}: {}\n  expected  {}\n  got       {}\n",
                one.line,
                one.subject,
                one.input.operation(),
                one.input,
                one.severity,
                one.kind,
                one.expected,
                one.got
            )
            .expect("writes to a string");
        }
        text
    }

    fn class(&self, class: &Class, met: &Met) -> String {
        let components: Vec<&str> = class.components.iter().map(Component::name).collect();
        let details = [components.join("+"), class.reason.clone().unwrap_or_default()];
        let details: String =
            details.iter().filter(|detail| !detail.is_empty()).map(|detail| format!(" {detail}")).collect();
        let noun = if met.count == 1 { "line" } else { "lines" };
        let again = self.command(class, met);
        format!(
            "\n  {}: {} {}{details}, {} {noun}\n    line {:<5} {}\n    expected   {}\n    got        {}\n    again      {}\n",
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
    fn command(&self, class: &Class, met: &Met) -> Option<String> {
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
            self.asked[class.subject].flag,
            shell::quoted(text)
        ))
    }
}

/// The inputs made of a line: the operations of the subject that take one URI.
fn inputs(text: &str, subject: &dyn Subject) -> Vec<Input> {
    let text = || text.to_owned();
    let inputs = vec![
        Input::Parse {
            rule: Rule::UriReference,
            input: text(),
        },
        Input::Normalize {
            uri: text(),
            scope: Scope::Syntax,
        },
        Input::RoundTrip { uri: text() },
    ];
    inputs.into_iter().filter(|input| subject.declaration().operations.contains(&input.operation())).collect()
}
