//! `uriproof diff`: one input through all subjects, side by side.

mod explained;
mod human;
mod machine;
mod seen;

use clap::Args;
use serde::Serialize;
use uriproof::compare::Verdict;
use uriproof::model::{Component, Components, Input, Operation, Outcome, Reading, Rule, Rung, Scope, Subject};
use uriproof::run;
use uriproof_deviations::Deviation;
use uriproof_lab::divergence::ledger::Ledger;

use self::explained::{Explained, ExplainedDivergence};
pub(crate) use self::machine::HostMachine;
pub(crate) use self::seen::machines;
use crate::cli::command::RunSelection;
use crate::cli::ledger::LedgerSelection;
use crate::cli::pairs::{self, PairSelection};
use crate::cli::select::{parse_operation, parse_reading};
use crate::cli::{Finding, Format, Ran, RunError, print, print_json};
use crate::report::json::FORMAT;
use crate::report::model::describe;

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
    /// The version of this format.
    uriproof: u32,
    input: InputRow,
    /// The rules by which the WHATWG URL Standard makes something else of the input, without a base.
    standards_differ: Vec<&'static str>,
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
    /// What the host of the outcome means, of an operation that leads somewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<HostMachine>,
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
    let selected = arguments.selection.start_beside_rfc()?;
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
                    class: ExplainedDivergence::of(*subject, &result, arguments.reading, &ledger).map(|class| {
                        ExplainedDivergence {
                            is_covered: !selected.is_command(&subject.declaration().label()),
                            ..class
                        }
                    }),
                    result,
                })
                .collect();
            (input, results)
        })
        .collect();
    match arguments.format {
        Format::Human => {
            let text = human::operations(&results, arguments.pairs.all);
            print(&(text + &human::next(arguments, question)))?;
        }
        Format::Json => print_json(&Diff {
            uriproof: FORMAT,
            input: InputRow {
                input: question.input.clone(),
                base: question.base.clone(),
                other: question.other.clone(),
                component: question.component,
                value: question.value.clone(),
            },
            // The rules are those of a string without a base.
            standards_differ: match question.base {
                None => human::differing_rules(&question.input),
                Some(_) => Vec::new(),
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
        machine: matches!(result.input.operation(), Operation::Parse | Operation::Resolve)
            .then(|| HostMachine::of(subject.declaration(), &result.observed))
            .flatten(),
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
