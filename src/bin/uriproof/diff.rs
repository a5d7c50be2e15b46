//! `uriproof diff`: one input through all subjects, side by side.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use uriproof::compare::Verdict;
use uriproof::expect::{Expected, expect};
use uriproof::model::{Components, Input, Operation, Outcome, Reading, Rule, Rung, Scope, Subject};
use uriproof::report::model::describe;
use uriproof::run;

use crate::select::{SubjectSelection, parse_reading};
use crate::{Failure, Finding, Format, print, print_json};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

#[derive(Args)]
pub(crate) struct Arguments {
    /// The URI-reference
    input: String,
    /// Resolve the input against this base URI too
    #[arg(long, value_name = "URI")]
    base: Option<String>,
    /// Resolve as a non-strict parser does (RFC 3986 §5.2.2)
    #[arg(long, requires = "base")]
    non_strict: bool,
    /// Decide whether the input and this URI are equivalent too
    #[arg(long, value_name = "URI")]
    other: Option<String>,
    /// Only this operation; else every one that the arguments allow
    #[arg(long, value_parser = parse_operation, value_name = "NAME")]
    operation: Option<Operation>,
    /// The reading that the reference takes
    #[arg(long, value_parser = parse_reading, default_value = "rfc3986", value_name = "NAME")]
    reading: Reading,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    subjects: SubjectSelection,
}

#[derive(Serialize)]
struct Diff {
    input: Asked,
    subjects: Vec<Row>,
}

#[derive(Serialize)]
struct Asked {
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
}

#[derive(Serialize)]
struct Row {
    subject: String,
    operation: Operation,
    outcome: Outcome,
    reference: Outcome,
    verdict: &'static str,
    reason: Option<String>,
    class: Option<String>,
    cause: Option<String>,
    severity: Option<String>,
}

/// A subject and what came of asking it.
type Answered = (&'static dyn Subject, run::Result);

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let subjects = arguments.subjects.subjects()?;
    let inputs = inputs(arguments)?;
    let results: Vec<(&Input, Vec<Answered>)> = inputs
        .iter()
        .map(|input| {
            let results = run::all(&subjects, input, arguments.reading);
            let results = subjects.iter().copied().zip(results).collect();
            (input, results)
        })
        .collect();
    match arguments.format {
        Format::Human => {
            let text: String =
                results.iter().map(|(input, results)| human(input, results, arguments.reading)).collect();
            print(&text)?;
        }
        Format::Json => print_json(&Diff {
            input: Asked {
                input: arguments.input.clone(),
                base: arguments.base.clone(),
                other: arguments.other.clone(),
            },
            subjects: results.iter().flat_map(|(_, results)| results.iter().map(row)).collect(),
        })?,
    }
    let diverges = |result: &run::Result| matches!(result.verdict, Verdict::Diverge(_));
    let unexpected = results.iter().any(|(_, results)| results.iter().any(|(_, result)| diverges(result)));
    Ok(if unexpected {
        Finding::Unexpected
    } else {
        Finding::Expected
    })
}

/// What the arguments allow to be asked.
fn inputs(arguments: &Arguments) -> Result<Vec<Input>, Failure> {
    let text = || arguments.input.clone();
    let mut inputs = vec![Input::Parse {
        rule: Rule::UriReference,
        input: text(),
    }];
    if let Some(base) = &arguments.base {
        inputs.push(Input::Resolve {
            base: base.clone(),
            reference: text(),
            strict: !arguments.non_strict,
        });
    }
    for scope in [Scope::Syntax, Scope::Scheme] {
        inputs.push(Input::Normalize { uri: text(), scope });
    }
    if let Ok(reference) = rfc3986_reference::components::parse(&arguments.input, arguments.reading) {
        inputs.push(Input::Compose {
            components: Components {
                host_kind: None,
                ..Components::from(&reference)
            },
        });
    }
    if let Some(other) = &arguments.other {
        for rung in [Rung::Simple, Rung::Syntax, Rung::Scheme] {
            inputs.push(Input::Equivalent {
                left: text(),
                right: other.clone(),
                rung,
            });
        }
    }
    if let Some(wanted) = arguments.operation {
        inputs.retain(|input| input.operation() == wanted);
        if inputs.is_empty() {
            return Err(match wanted {
                Operation::Resolve => "`resolve` needs --base".to_owned(),
                Operation::Equivalent => "`equivalent` needs --other".to_owned(),
                operation => format!("`{operation}` needs an input that is a URI-reference"),
            });
        }
    }
    Ok(inputs)
}

fn parse_operation(name: &str) -> Result<Operation, String> {
    Operation::ALL.into_iter().find(|operation| operation.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
        format!("there are {}", known.join(", "))
    })
}

fn row((subject, result): &Answered) -> Row {
    let (reason, class) = match &result.verdict {
        Verdict::NotComparable { reason } => (Some(reason.clone()), None),
        Verdict::Diverge(difference) => (Some(describe(difference)), None),
        Verdict::Agree { conforming } => (conforming.clone(), None),
    };
    Row {
        subject: subject.declaration().label(),
        operation: result.input.operation(),
        outcome: result.observed.clone(),
        reference: result.expected.literal(),
        verdict: result.verdict.name(),
        reason,
        class,
        cause: None,
        severity: None,
    }
}

/// What is asked, what conforms, then a line for each subject that has the operation.
fn human(input: &Input, results: &[Answered], reading: Reading) -> String {
    let bold = Style::new().bold();
    let mut text = format!("{bold}{} {input}{bold:#}\n", input.operation());
    match expect(input, reading) {
        Expected::NoAnswer { reason } => {
            writeln!(text, "  RFC 3986 has no answer: {reason}").expect("writes to a string");
        }
        Expected::Outcomes(outcomes) => {
            let several = outcomes.len() > 1;
            for one in outcomes {
                let name = if several {
                    format!(" ({})", one.name)
                } else {
                    String::new()
                };
                writeln!(text, "  expected{name}: {}", one.outcome).expect("writes to a string");
            }
        }
    }
    let width = results.iter().map(|(subject, _)| subject.declaration().label().len()).max().unwrap_or_default();
    let mut without = 0;
    for (subject, result) in results {
        let label = subject.declaration().label();
        let (style, verdict, remark) = match (&result.verdict, &result.observed) {
            (Verdict::NotComparable { .. }, Outcome::Unsupported { .. }) => {
                without += 1;
                continue;
            }
            (Verdict::NotComparable { reason }, _) => (FAINT, "not comparable", format!("  ({reason})")),
            (Verdict::Agree { conforming: Some(name) }, _) => (GOOD, "agree", format!("  ({name})")),
            (Verdict::Agree { conforming: None }, _) => (GOOD, "agree", String::new()),
            (Verdict::Diverge(difference), _) => (BAD, "diverge", format!("  ({})", describe(difference))),
        };
        writeln!(
            text,
            "  {label:width$}  {style}{verdict:8}{style:#}  {}{FAINT}{remark}{FAINT:#}",
            result.observed
        )
        .expect("writes to a string");
    }
    if without > 0 {
        let have = if without == 1 {
            "entry point has"
        } else {
            "entry points have"
        };
        writeln!(
            text,
            "  {FAINT}{without} {have} no such operation, or not for this{FAINT:#}"
        )
        .expect("writes to a string");
    }
    text.push('\n');
    text
}
