//! `uriproof check --corpus FILE`: a user's own URIs, one a line, subject beside reference.
//!
//! Differences are counted by class, and each class keeps its shortest line only, which is put to a new process at the end; `--all` and JSON print every line that differs when
//! it is met. Memory does not grow with the file.

mod lines;
mod print;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use indicatif::ProgressBar;
use serde::Serialize;
use uriproof::ask::ask;
use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::model::{ComponentSet, Input, Operation, Outcome, Reading, Rule, Scope, Subject};
use uriproof::repeat::{Put, Repeater, Unrepeated};
use uriproof::run;
use uriproof::severity::Severity;

use self::lines::{ReadLine, next_line};
use crate::cli::check::CheckFormat;
use crate::cli::{Finding, Ran, RunError, command, interrupt, print, print_data, styled};

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
    /// The answer of a new process, if it agrees there: what an earlier call left behind makes it diverge.
    fresh: Option<String>,
}

/// The longest line that is read, in bytes. Longer ones are left out and counted.
const LONGEST: usize = 1 << 20;

/// How many answers of a subject that do not repeat are kept; the others are counted.
const KEPT: usize = 10;

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
    let ended = corpus.read(&mut BufReader::new(file), path).and_then(|()| corpus.put_anew());
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
        lost: corpus.lost.map(|reason| format!("not everything was run: {reason}")),
    }
    .finding()
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
            fresh: None,
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

    /// Puts the shortest line of each class to a new process, where a subject has one.
    ///
    /// # Errors
    ///
    /// Why the run ended before.
    fn put_anew(&mut self) -> Result<(), RunError> {
        for (at, one) in self.flagged.iter().enumerate() {
            let mut met = self.classes.iter_mut().filter(|(class, _)| class.subject == at).peekable();
            if met.peek().is_none() || !one.subject.start_anew() {
                continue;
            }
            for (class, met) in met {
                interrupt::stopped().map_or(Ok(()), Err)?;
                let again = run::one(one.subject, &met.input, self.reading);
                let diverges = matches!(again.verdict, Verdict::Diverge(_));
                if let Some(reason) = one.subject.lost() {
                    return Err(reason);
                }
                if !diverges {
                    met.fresh = Some(again.observed_text());
                }
                if class.kind.is_death() {
                    // As above: deaths in a row are a loss.
                    ask(one.subject, &harmless(one.subject));
                }
            }
        }
        Ok(())
    }
}

/// How many bytes of a text of an answer are kept.
const SHOWN: usize = 1024;

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
        Input::Normalize {
            uri: text(),
            scope: Scope::Scheme,
        },
        Input::RoundTrip { uri: text() },
    ];
    inputs.into_iter().filter(|input| subject.declaration().operations.contains(&input.operation())).collect()
}
