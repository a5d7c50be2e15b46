//! `uriproof check --corpus FILE`: a user's own URIs, a line each, subject beside reference.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::cli::check::Format;
use crate::cli::{Failure, Finding, interrupt, print, print_json};
use crate::compare::Verdict;
use crate::model::{Input, Outcome, Reading, Rule, Scope, Subject};
use crate::run;

/// A line on which a subject differs from the reference.
#[derive(Serialize)]
struct Differing {
    line: usize,
    subject: String,
    input: Input,
    kind: &'static str,
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

#[derive(Serialize)]
struct Results {
    lines: usize,
    subjects: Vec<Counts>,
    diverging: Vec<Differing>,
}

pub(crate) fn run(
    subjects: &[&dyn Subject],
    file: &Path,
    reading: Reading,
    format: Format,
) -> Result<Finding, Failure> {
    if !matches!(format, Format::Human | Format::Json) {
        return Err("--corpus prints as human or json".to_owned());
    }
    let octets = fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    let lines: Vec<(usize, &str)> = octets
        .split(|octet| *octet == b'\n')
        .enumerate()
        .map(|(at, line)| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = std::str::from_utf8(line)
                .map_err(|error| format!("{}:{}: not UTF-8: {error}", file.display(), at + 1))?;
            Ok((at + 1, text))
        })
        .filter(|line| !matches!(line, Ok((_, ""))))
        .collect::<Result<_, Failure>>()?;
    if lines.is_empty() {
        return Err(format!("{} has no line; it is to have a URI each", file.display()));
    }
    interrupt::note()?;
    let mut results = Results {
        lines: lines.len(),
        subjects: Vec::new(),
        diverging: Vec::new(),
    };
    let mut lost = None;
    for subject in subjects {
        lost = one(*subject, &lines, reading, &mut results).or(lost);
    }
    match format {
        Format::Json => print_json(&results)?,
        _ => print(&human(&results))?,
    }
    match lost {
        Some(reason) => Err(format!("not everything was asked: {reason}")),
        None if results.diverging.is_empty() => Ok(Finding::Expected),
        None => Ok(Finding::Unexpected),
    }
}

/// Asks a subject every line; why it could not be asked all, if so.
fn one(subject: &dyn Subject, lines: &[(usize, &str)], reading: Reading, results: &mut Results) -> Option<String> {
    let label = subject.declaration().label();
    let mut counts = Counts {
        subject: label.clone(),
        agree: 0,
        diverge: 0,
        not_compared: 0,
    };
    let mut lost = None;
    'lines: for (line, text) in lines {
        for input in inputs(text, subject) {
            lost = interrupt::stopped().or_else(|| subject.lost());
            if lost.is_some() {
                break 'lines;
            }
            let result = run::one(subject, &input, reading);
            match &result.verdict {
                Verdict::Agree { .. } => counts.agree += 1,
                Verdict::NotComparable { .. } => counts.not_compared += 1,
                Verdict::Diverge(difference) => {
                    counts.diverge += 1;
                    results.diverging.push(Differing {
                        line: *line,
                        subject: label.clone(),
                        kind: difference.kind.name(),
                        expected: result.expected_text(),
                        got: result.observed_text(),
                        input,
                        outcome: result.observed,
                    });
                }
            }
        }
    }
    results.subjects.push(counts);
    lost.or_else(|| subject.lost())
}

/// What a line can be asked: what the subject has, of the operations that take one URI.
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

fn human(results: &Results) -> String {
    let mut text = format!("{} lines, in every operation that takes one URI\n\n", results.lines);
    for counts in &results.subjects {
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
    for one in &results.diverging {
        write!(
            text,
            "\nline {}  {}  {}  {}\n  expected  {}\n  got       {}\n",
            one.line, one.subject, one.input, one.kind, one.expected, one.got
        )
        .expect("writes to a string");
    }
    text
}
