//! `uriproof diff`: one input through all subjects, side by side.

mod explained;
mod seen;

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde::Serialize;
use uriproof::compare::Verdict;
use uriproof::expect::Expected;
use uriproof::model::{
    Component, Components, Declaration, Input, OneLine, Operation, Outcome, Reading, Rule, Rung, Scope, Subject,
};
use uriproof::run;
use uriproof_deviations::Deviation;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::parting::parting;

use self::explained::{Explained, ExplainedDivergence};
use crate::cli::command::RunSelection;
use crate::cli::ledger::LedgerSelection;
use crate::cli::pairs::{self, PairSelection};
use crate::cli::select::{parse_operation, parse_reading};
use crate::cli::{Finding, Format, Ran, RunError, WIDTH, print, print_json, wrapped};
use crate::report::model::describe;
use crate::report::side_by_side::side_by_side;

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

/// An input, in every operation that its arguments allow.
#[derive(Args)]
pub(crate) struct Question {
    /// The URI-reference
    input: String,
    /// Also resolve the input against this base URI
    #[arg(long, value_name = "URI")]
    base: Option<String>,
    /// Resolve as a non-strict parser does (RFC 3986 §5.2.2)
    #[arg(long, requires = "base")]
    non_strict: bool,
    /// Also decide whether the input and this URI are equivalent
    #[arg(long, value_name = "URI")]
    other: Option<String>,
    /// Also set this component of the input to --value
    #[arg(long, value_parser = parse_component, value_name = "NAME")]
    component: Option<Component>,
    /// The value of --component; without it, the component becomes undefined
    #[arg(long, requires = "component", value_name = "TEXT", allow_hyphen_values = true)]
    value: Option<String>,
    /// Run only this operation [default: every operation that the arguments allow]
    #[arg(long, value_parser = parse_operation, value_name = "NAME")]
    operation: Option<Operation>,
}

impl Question {
    /// The inputs that the arguments allow.
    pub(crate) fn inputs(&self, reading: Reading) -> Result<Vec<Input>, RunError> {
        let text = || self.input.clone();
        let mut inputs = vec![Input::Parse {
            rule: Rule::UriReference,
            input: text(),
        }];
        if let Some(base) = &self.base {
            inputs.push(Input::Resolve {
                base: base.clone(),
                reference: text(),
                strict: !self.non_strict,
            });
            inputs.push(Input::Relativize {
                base: base.clone(),
                target: text(),
            });
        }
        for scope in [Scope::Syntax, Scope::Scheme] {
            inputs.push(Input::Normalize { uri: text(), scope });
        }
        if let Ok(reference) = rfc3986_reference::components::parse(&self.input, reading) {
            inputs.push(Input::Compose {
                components: Components {
                    host_kind: None,
                    ..Components::from(&reference)
                },
            });
        }
        if let Some(other) = &self.other {
            for rung in [Rung::Simple, Rung::Syntax, Rung::Scheme] {
                inputs.push(Input::Equivalent {
                    left: text(),
                    right: other.clone(),
                    rung,
                });
            }
        }
        if let Some(component) = self.component {
            inputs.push(Input::Modify {
                uri: text(),
                component,
                value: self.value.clone(),
            });
        }
        inputs.push(Input::RoundTrip { uri: text() });
        inputs.push(Input::Contract {
            left: text(),
            right: self.other.clone().unwrap_or_else(text),
        });
        if let Some(wanted) = self.operation {
            inputs.retain(|input| input.operation() == wanted);
            if inputs.is_empty() {
                return Err(match wanted {
                    operation @ (Operation::Resolve | Operation::Relativize) => format!("`{operation}` needs --base"),
                    Operation::Modify => "`modify` needs --component".to_owned(),
                    Operation::Equivalent => "`equivalent` needs --other".to_owned(),
                    operation => format!("`{operation}` needs an input that is a URI-reference"),
                });
            }
        }
        Ok(inputs)
    }
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Option<Question>,
    #[command(flatten)]
    pairs: PairSelection,
    /// The reading of contested clauses that the reference takes
    #[arg(long, value_parser = parse_reading, default_value = "rfc3986", value_name = "NAME")]
    reading: Reading,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    selection: RunSelection,
}

const EXAMPLES: &str = "\
Examples:
  uriproof diff '//a\\@b' --base http://good.example/
  uriproof diff 'http://a/b' --component query --value 'c#d' --operation modify
  uriproof diff 'http://a/[' --command 'python3 adapter.py' --subject reference
  uriproof diff --pairs
  uriproof diff --pairs --subject url --count 1000000 --format json";

#[derive(Serialize)]
struct Diff {
    input: InputRow,
    subjects: Vec<AnswerRow>,
}

#[derive(Serialize)]
struct InputRow {
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    component: Option<Component>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

#[derive(Serialize)]
struct AnswerRow {
    subject: String,
    operation: Operation,
    /// Of a normalization.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<&'static str>,
    /// Of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    rung: Option<&'static str>,
    outcome: Outcome,
    reference: Outcome,
    verdict: &'static str,
    reason: Option<String>,
    class: Option<String>,
    /// The deviations that predict the answer; then it has no class.
    deviations: Option<Vec<NamedDeviation>>,
    cause: Option<String>,
    severity: Option<String>,
}

/// A deviation with its sentence.
#[derive(Serialize)]
struct NamedDeviation {
    #[serde(flatten)]
    deviation: Deviation,
    sentence: String,
}

impl NamedDeviation {
    fn of(deviation: &Deviation) -> NamedDeviation {
        NamedDeviation {
            deviation: deviation.clone(),
            sentence: deviation.sentence(),
        }
    }
}

/// A subject, its result, and the ledger's explanation.
struct Answered<'s> {
    subject: &'s dyn Subject,
    result: run::Result,
    class: Option<ExplainedDivergence>,
}

impl Arguments {
    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.selection.asks_builtin()
    }

    fn compare_pairs(&self, ledger: &Ledger) -> Result<Finding, RunError> {
        if !self.selection.commands.is_empty() {
            return Err("--pairs compares built-in subjects only".to_owned());
        }
        if self.selection.specification.is_some() {
            return Err("--pairs compares subjects with each other, by no specification".to_owned());
        }
        pairs::run(&self.pairs, &self.selection.subjects, ledger, self.format)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let ledger = arguments.ledger.ledger()?;
    let question = match &arguments.question {
        Some(question) if !arguments.pairs.pairs => question,
        _ => return arguments.compare_pairs(&ledger),
    };
    let selected = arguments.selection.start()?;
    let subjects = selected.subjects();
    let inputs = question.inputs(arguments.reading)?;
    let results: Vec<(&Input, Vec<Answered<'_>>)> = inputs
        .iter()
        .map(|input| {
            let results = run::all(&subjects, input, arguments.reading);
            let results = subjects
                .iter()
                .zip(results)
                .map(|(subject, result)| Answered {
                    subject: *subject,
                    class: ExplainedDivergence::of(*subject, &result, arguments.reading, &ledger),
                    result,
                })
                .collect();
            (input, results)
        })
        .collect();
    match arguments.format {
        Format::Human => {
            let text: String = results.iter().map(|(input, results)| human(input, results)).collect();
            print(&text)?;
        }
        Format::Json => print_json(&Diff {
            input: InputRow {
                input: question.input.clone(),
                base: question.base.clone(),
                other: question.other.clone(),
                component: question.component,
                value: question.value.clone(),
            },
            subjects: results.iter().flat_map(|(_, results)| results.iter().map(row)).collect(),
        })?,
    }
    let answered = || results.iter().flat_map(|(_, results)| results);
    let is_compared = |answered: &Answered<'_>| !matches!(answered.result.verdict, Verdict::NotComparable { .. });
    let compared =
        (0..subjects.len()).map(|at| results.iter().filter(|(_, results)| is_compared(&results[at])).count() as u64);
    Ran {
        compared: selected.compared(compared),
        is_unexpected: answered().any(|answered| matches!(answered.result.verdict, Verdict::Diverge(_))),
        lost: selected.lost(),
    }
    .finding()
}

fn parse_component(name: &str) -> Result<Component, String> {
    let settable = Component::TEXTS;
    settable.into_iter().find(|component| component.name() == name).ok_or_else(|| {
        let names: Vec<&str> = settable.iter().map(|component| component.name()).collect();
        format!("the components are {}", names.join(", "))
    })
}

fn row(answered: &Answered<'_>) -> AnswerRow {
    let Answered { subject, result, class } = answered;
    let reason = match &result.verdict {
        Verdict::NotComparable { reason } => Some(reason.clone()),
        Verdict::Diverge(difference) => Some(describe(difference)),
        Verdict::Agree { conforming } => conforming.clone(),
    };
    AnswerRow {
        subject: subject.declaration().label(),
        operation: result.input.operation(),
        scope: match &result.input {
            Input::Normalize { scope, .. } => Some(scope.name()),
            _ => None,
        },
        rung: match &result.input {
            Input::Equivalent { rung, .. } => Some(rung.name()),
            _ => None,
        },
        outcome: result.observed.clone(),
        reference: result.expected.literal(),
        verdict: result.verdict.name(),
        reason,
        class: match class.as_ref().map(|class| &class.by) {
            Some(Explained::Class(fingerprint)) => Some(fingerprint.to_string()),
            _ => None,
        },
        deviations: match class.as_ref().map(|class| &class.by) {
            Some(Explained::Deviations(deviations)) => Some(deviations.iter().map(NamedDeviation::of).collect()),
            _ => None,
        },
        cause: class.as_ref().map(|class| class.cause.name().to_owned()),
        severity: class.as_ref().and_then(|class| class.severity).map(|severity| severity.name().to_owned()),
    }
}

/// The rules by which the WHATWG URL Standard makes something else of a string than RFC 3986 does.
fn two_standards(text: &str) -> String {
    let rules: Vec<&str> = parting(text).into_iter().map(|one| one.row().rule).collect();
    if rules.is_empty() {
        return String::new();
    }
    let words = format!("RFC 3986 and the URL Standard differ here: {}", rules.join("; "));
    let words: Vec<&str> = words.split(' ').collect();
    wrapped(&words, WIDTH - 2).into_iter().map(|line| format!("  {line}\n")).collect()
}

/// The input, the outcomes that conform, then a row for each answer, with the entry points that give it.
fn human(input: &Input, results: &[Answered<'_>]) -> String {
    let bold = Style::new().bold();
    let mut text = format!("{bold}{} {input}{bold:#}\n", input.operation());
    let by_entry_point = || results.iter().map(|answered| (answered.subject.declaration(), &answered.result));
    text += &seen::summary(by_entry_point());
    if let Input::Parse { input, .. } = input {
        text += &two_standards(input);
    }
    let mut line = |line: String| writeln!(text, "{line}").expect("writes to a string");
    for section in side_by_side(input, by_entry_point()) {
        let of = if section.of.is_empty() {
            String::new()
        } else {
            format!(" {}", section.of)
        };
        match section.expected {
            Expected::NoAnswer { reason } => line(format!("  there is no one answer{of}: {}", OneLine(reason))),
            Expected::Property(property) => line(format!("  expected{of}: {property}")),
            Expected::Outcomes(outcomes) => {
                for one in outcomes {
                    let name = match outcomes.len() {
                        1 => String::new(),
                        _ => format!(" ({})", one.name),
                    };
                    line(format!("  expected{of}{name}: {}", one.outcome));
                }
            }
        }
        for row in section.rows {
            let (style, verdict) = match row.verdict {
                Verdict::NotComparable { .. } => (FAINT, "not comparable"),
                Verdict::Agree { .. } => (GOOD, "agree"),
                Verdict::Diverge(_) => (BAD, "diverge"),
            };
            let remark = row.remark.map(|remark| format!("  ({})", OneLine(&remark))).unwrap_or_default();
            line(format!(
                "    {style}{verdict:7}{style:#}  {}{FAINT}{remark}{FAINT:#}",
                row.answer
            ));
            for names in wrapped(&entry_points(&row.entry_points), WIDTH - NAMES.len()) {
                line(format!("{NAMES}{names}"));
            }
        }
    }
    text += &explanations(results);
    let without = results.iter().filter(|one| matches!(one.result.observed, Outcome::Unsupported { .. })).count();
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

/// What stands before the names of entry points: they are below the answer.
const NAMES: &str = "             ";

/// The names of entry points, those of a version of a crate together: `url 2.5.8 Url::parse`, `iref 5.0.0 Uri::new, Iri::new`.
fn entry_points(declarations: &[&Declaration]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut last = None;
    for declaration in declarations {
        let of = (&declaration.name, &declaration.version);
        match names.last_mut() {
            Some(name) if last == Some(of) => {
                name.push(',');
                names.push(declaration.entry_point.to_string());
            }
            before => {
                if let Some(before) = before {
                    before.push(';');
                }
                names.push(declaration.label());
            }
        }
        last = Some(of);
    }
    names
}

/// The classes of what diverges, each once, with its entry points and what the ledger says of it.
fn explanations(results: &[Answered<'_>]) -> String {
    let mut known: Vec<(&ExplainedDivergence, Vec<&Declaration>)> = Vec::new();
    for answered in results {
        let Some(class) = &answered.class else { continue };
        let declaration = answered.subject.declaration();
        let same = |other: &ExplainedDivergence| other.by == class.by && other.explanation == class.explanation;
        match known.iter_mut().find(|(other, _)| same(other)) {
            Some((_, declarations)) => declarations.push(declaration),
            None => known.push((class, vec![declaration])),
        }
    }
    let mut text = String::new();
    for (class, declarations) in known {
        let severity = class.severity.map(|severity| format!("{severity}, ")).unwrap_or_default();
        let explanation = class.explanation.as_deref().unwrap_or("not in the ledger");
        writeln!(
            text,
            "  {FAINT}{}: {severity}{}: {}{FAINT:#}\n    {}",
            entry_points(&declarations).join(" "),
            class.cause,
            class.words(),
            OneLine(explanation)
        )
        .expect("writes to a string");
    }
    text
}
