//! `uriproof check --corpus FILE`: a user's own URIs, one a line, subject beside reference.
//!
//! Differences are counted by class, and each class keeps its shortest line only; `--all` and JSON print every line that differs when
//! it is met. Memory does not grow with the file.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use indicatif::ProgressBar;
use serde::Serialize;
use uriproof::ask::ask;
use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::gate::DOES_NOT_REPEAT;
use uriproof::model::{Component, ComponentSet, Input, Json, Operation, Outcome, Reading, Rule, Scope, Subject};
use uriproof::repeat::{Put, Repeater, Unrepeated};
use uriproof::run;
use uriproof::severity::Severity;

use crate::cli::check::CheckFormat;
use crate::cli::{Finding, Ran, RunError, command, interrupt, print, print_data, styled};
use crate::report::shell;

/// A subject that is run, and the flag that selects it, quoted for a shell.
pub(crate) struct FlaggedSubject<'s> {
    pub(crate) subject: &'s dyn Subject,
    pub(crate) flag: String,
}

/// What is printed of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CorpusDetail {
    /// A line for each class.
    Classes,
    /// Every line that differs, too.
    Lines,
}

/// A class of difference. There are finitely many: nothing in it is text of the file or of a subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CorpusClass {
    /// The place of the subject.
    subject: usize,
    severity: Severity,
    operation: Operation,
    kind: DifferenceKind,
    components: ComponentSet,
    /// What the reference says against the line, if that is what differs: the rule that it does not match.
    reason: Option<String>,
}

/// How often a class shows, and on what.
struct MetClass {
    count: usize,
    /// The shortest line, and of equals the first.
    line: usize,
    text: String,
    input: Input,
    expected: String,
    got: String,
}

/// The longest line that is read, in bytes. Longer ones are left out and counted.
const LONGEST: usize = 1 << 20;

/// How many answers of a subject that do not repeat are kept; the others are counted.
const KEPT: usize = 10;

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

/// An answer that does not repeat, and its line.
struct NotRepeated {
    subject: usize,
    line: usize,
    unrepeated: Unrepeated,
}

/// How many answers of a subject count how.
#[derive(Serialize)]
struct CorpusCounts {
    subject: String,
    agree: usize,
    diverge: usize,
    /// How many of those that diverge agree when they are put again.
    unrepeated: usize,
    not_compared: usize,
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

/// What is known of a corpus so far.
struct Corpus<'a> {
    flagged: &'a [FlaggedSubject<'a>],
    /// Those of the subjects.
    repeaters: Vec<Repeater<'a>>,
    reading: Reading,
    format: CheckFormat,
    detail: CorpusDetail,
    lines: usize,
    /// The lines that are too long: how many, and the number of the first.
    too_long: Option<(usize, usize)>,
    /// Why the run is incomplete, if so.
    lost: Option<String>,
    counts: Vec<CorpusCounts>,
    classes: BTreeMap<CorpusClass, MetClass>,
    unrepeated: Vec<NotRepeated>,
    /// How many lines that differ were printed.
    printed: usize,
}

pub(crate) fn run(
    started: &command::SelectedSubjects,
    flagged: &[FlaggedSubject<'_>],
    path: &Path,
    reading: Reading,
    format: CheckFormat,
    detail: CorpusDetail,
) -> Result<Finding, RunError> {
    if !matches!(format, CheckFormat::Human | CheckFormat::Json) {
        return Err("--corpus prints as human or json".to_owned());
    }
    let file = File::open(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    interrupt::note()?;
    let counts = flagged.iter().map(|one| CorpusCounts {
        subject: one.subject.declaration().label(),
        agree: 0,
        diverge: 0,
        unrepeated: 0,
        not_compared: 0,
    });
    let mut corpus = Corpus {
        flagged,
        repeaters: flagged.iter().map(|one| Repeater::new(one.subject, &interrupt::is_stopped)).collect(),
        reading,
        format,
        detail,
        lines: 0,
        too_long: None,
        lost: None,
        counts: counts.collect(),
        classes: BTreeMap::new(),
        unrepeated: Vec::new(),
        printed: 0,
    };
    let ended = corpus.read(&mut BufReader::new(file), path);
    if corpus.lines == 0 && corpus.too_long.is_none() {
        ended?;
        return Err(format!("{} has no line; it is to have a URI each", path.display()));
    }
    let too_long = corpus.too_long.map(|(count, first)| {
        format!(
            "{count} lines are longer than {LONGEST} bytes and were left out, the first is {}:{first}",
            path.display()
        )
    });
    corpus.lost = ended.err().or(too_long);
    match format {
        CheckFormat::Json => print_data(&corpus.end_of_json()?)?,
        _ => print(&corpus.human())?,
    }
    Ran {
        compared: started.compared(corpus.counts.iter().map(|counts| (counts.agree + counts.diverge) as u64)),
        is_unexpected: corpus.counts.iter().any(|counts| counts.diverge > 0),
        lost: corpus.lost.map(|reason| format!("not everything was asked: {reason}")),
    }
    .finding()
}

/// What is read of a file at a time.
enum ReadLine {
    /// A line, without its end.
    Whole,
    /// A line that is too long, of which nothing is kept.
    TooLong,
    /// The file has ended.
    End,
}

/// Reads the next line into `line`.
fn next_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<ReadLine> {
    line.clear();
    // "\r\n" belongs to no line.
    let most = LONGEST as u64 + 2;
    if file.by_ref().take(most).read_until(b'\n', line)? == 0 {
        return Ok(ReadLine::End);
    }
    let is_ended = line.pop_if(|last| *last == b'\n').is_some();
    line.pop_if(|last| is_ended && *last == b'\r');
    if line.len() <= LONGEST {
        return Ok(ReadLine::Whole);
    }
    line.clear();
    if !is_ended {
        file.skip_until(b'\n')?;
    }
    Ok(ReadLine::TooLong)
}

impl<'a> Corpus<'a> {
    /// Runs every subject on every line.
    ///
    /// # Errors
    ///
    /// Why not every subject could be run on every line.
    fn read(&mut self, file: &mut impl BufRead, path: &Path) -> Result<(), RunError> {
        let bar = styled(ProgressBar::no_length(), "{human_pos} lines");
        let mut line = Vec::new();
        for number in 1.. {
            match next_line(file, &mut line).map_err(|error| format!("{} cannot be read: {error}", path.display()))? {
                ReadLine::Whole => {}
                ReadLine::TooLong => {
                    let (count, _) = self.too_long.get_or_insert((0, number));
                    *count += 1;
                    continue;
                }
                ReadLine::End => break,
            }
            let text = std::str::from_utf8(&line)
                .map_err(|error| format!("{}:{number}: not UTF-8: {error}", path.display()))?;
            if !text.is_empty() {
                self.lines += 1;
                bar.inc(1);
                self.ask(number, text)?;
            }
        }
        bar.finish_and_clear();
        self.flagged.iter().find_map(|one| one.subject.lost()).map_or(Ok(()), Err)
    }

    /// Runs every subject on a line; one that is lost is left out.
    fn ask(&mut self, line: usize, text: &str) -> Result<(), RunError> {
        for (at, one) in self.flagged.iter().enumerate() {
            for input in inputs(text, one.subject) {
                interrupt::stopped().map_or(Ok(()), Err)?;
                if one.subject.lost().is_some() {
                    break;
                }
                let result = run::one(one.subject, &input, self.reading);
                match &result.verdict {
                    Verdict::Agree { .. } => self.counts[at].agree += 1,
                    Verdict::NotComparable { .. } => self.counts[at].not_compared += 1,
                    Verdict::Diverge(difference) => self.add(at, (line, text), &input, &result, difference)?,
                }
            }
        }
        Ok(())
    }

    /// Puts an input again; `None` if the subject diverges again.
    fn unrepeated(
        &self,
        subject: usize,
        input: &Input,
        first: &run::Result,
        kind: DifferenceKind,
    ) -> Option<Unrepeated> {
        let one = self.flagged[subject].subject;
        let put = || Put::from(run::one(one, input, self.reading));
        let unrepeated = self.repeaters[subject].unrepeated(first, kind, &put);
        if kind.is_death() && one.lost().is_none() {
            // Restarts are counted in a row without an answer, and a row of lines that are alike may kill it each.
            ask(one, &harmless(one));
        }
        unrepeated
    }

    fn add(
        &mut self,
        subject: usize,
        (line, text): (usize, &str),
        input: &Input,
        result: &run::Result,
        difference: &Difference,
    ) -> Result<(), RunError> {
        let severity = Severity::of_difference(result, difference);
        let unrepeated = self.unrepeated(subject, input, result, difference.kind);
        self.counts[subject].diverge += 1;
        self.print_line(subject, line, result, (difference.kind, severity), unrepeated.as_ref())?;
        if let Some(mut unrepeated) = unrepeated {
            let count = &mut self.counts[subject].unrepeated;
            *count += 1;
            if *count <= KEPT {
                unrepeated.cut(SHOWN);
                self.unrepeated.push(NotRepeated {
                    subject,
                    line,
                    unrepeated,
                });
            }
            return Ok(());
        }
        let reason = match result.expected.literal() {
            Outcome::Rejected { reason, .. } => reason,
            _ => None,
        };
        let class = CorpusClass {
            subject,
            severity,
            operation: result.input.operation(),
            kind: difference.kind,
            components: difference.components,
            reason,
        };
        let met = || MetClass {
            count: 0,
            line,
            text: text.to_owned(),
            input: result.input.clone(),
            expected: result.expected_text(),
            got: result.observed_text(),
        };
        let known = self.classes.entry(class).or_insert_with(met);
        if text.len() < known.text.len() {
            *known = MetClass {
                count: known.count,
                ..met()
            };
        }
        known.count += 1;
        Ok(())
    }

    /// Prints a line that differs, where every line is printed.
    fn print_line(
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
    fn end_of_json(&self) -> Result<String, RunError> {
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
    fn human(&self) -> String {
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
                "{verdict}  {}  {} agree  {} diverge  {} not compared{}",
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

/// How many bytes of a text of an answer are kept.
const SHOWN: usize = 1024;

/// What stands before the first line that differs.
const START_OF_JSON: &str = "{\n  \"diverging\": [\n";

fn json(value: &impl Serialize) -> Result<String, RunError> {
    let text = serde_json::to_string(value).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    Ok(Json(&text).to_string())
}

/// An input that hardly any subject dies at.
fn harmless(subject: &dyn Subject) -> Input {
    let input = inputs("http://example.com/", subject).into_iter().next();
    input.unwrap_or(Input::RoundTrip { uri: String::new() })
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
