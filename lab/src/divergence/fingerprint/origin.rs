//! The divergence that another one is inherited from.

use uriproof::compare::DifferenceKind;
use uriproof::expect::Expected;
use uriproof::model::{Component, Input, Operation, Outcome, Reading, Rule, Rung, Subject, Value};
use uriproof::run::Result;
use uriproof::split::{range, split};

use super::super::shape::piece;
use super::{Mark, ask};

/// The question and the mark of the divergence that one is inherited from: the subject parses, or prints, one of the strings
/// that the operation is about in the same wrong way.
///
/// A subject that takes an invalid URI takes it as a base, too; one that prints an address in its own way does so after
/// each setter. That is one cause, and the class is recorded where it arises.
pub(crate) fn origin(subject: &dyn Subject, result: &Result, mark: &Mark, reading: Reading) -> Option<(Input, Mark)> {
    let (inputs, outputs) = (input_strings(&result.input), output_strings(result));
    // By the widest rule that the subject parses: the other operations read what it takes.
    let rules = &subject.declaration().rules;
    let rule = if rules.contains(&Rule::Uri) && !rules.contains(&Rule::UriReference) {
        Rule::Uri
    } else {
        Rule::UriReference
    };
    let parse = |string: &String| Input::Parse {
        rule,
        input: string.clone(),
    };
    let round_trip = |string: &String| Input::RoundTrip { uri: string.clone() };
    let find = |strings: &[String], question: &dyn Fn(&String) -> Input, is_cause: &dyn Fn(&Mark) -> bool| {
        strings.iter().find_map(|string| {
            let result = ask(subject, &question(string), reading);
            let mark = Mark::all(&result).into_iter().find(|mark| is_cause(mark))?;
            Some((result.input, mark))
        })
    };
    if result.input.operation() == Operation::Parse {
        return None;
    }
    let is_cause = |cause: &Mark| may_cause(cause, mark);
    let is_setter = result.input.operation() == Operation::Modify;
    let is_printed = matches!(mark.kind, DifferenceKind::OtherUri | DifferenceKind::OtherMeaning)
        && !matches!(result.input.operation(), Operation::RoundTrip | Operation::Relativize);
    let misprints = |cause: &Mark| cause.kind == DifferenceKind::OtherUri && cause.component == mark.component;
    // The right answer, printed as the subject prints it.
    let printed = || {
        if !is_printed {
            return None;
        }
        let Some(uri) = uri_expected(result) else {
            let found = find(&inputs, &round_trip, &misprints).or_else(|| find(&outputs, &round_trip, &misprints));
            return found.filter(|(_, cause)| cause.forms[1] == mark.forms[1]);
        };
        let printed = ask(subject, &round_trip(&uri), reading);
        let cause = Mark::all(&printed).into_iter().find(&misprints)?;
        let (one, other) = (uri_of_outcome(&printed.observed)?, uri_of_outcome(&result.observed)?);
        let is_alike = mark.component.is_some_and(|component| piece(one, component) == piece(other, component));
        is_alike.then_some((printed.input, cause))
    };
    // Another URI that conforms, which the subject takes for the one that it answered.
    let taken_for_it = || {
        let read = |uri: &String| ask(subject, &parse(uri), reading).observed;
        let Some(answered) = uri_of_outcome(&result.observed).map(|uri| read(&uri.to_owned())) else {
            return Vec::new();
        };
        let others = uris_expected(result).into_iter().filter(|uri| !outputs.contains(uri));
        others.filter(|uri| read(uri) == answered).collect::<Vec<_>>()
    };
    find(&inputs, &parse, &|cause| {
        is_misread(cause, mark, is_setter) || is_cause(cause)
    })
    .or_else(|| find(&outputs, &parse, &is_cause))
    .or_else(|| find(&taken_for_it(), &parse, &is_cause))
    .or_else(printed)
    .or_else(|| taken_for_one(subject, &result.input, mark, reading))
}

/// Whether a wrong reading of a string can cause what is marked.
fn may_cause(cause: &Mark, mark: &Mark) -> bool {
    match mark.kind {
        DifferenceKind::InvalidUri => cause.kind == DifferenceKind::AcceptedInvalid,
        DifferenceKind::AcceptedInvalid | DifferenceKind::RejectedValid => cause.kind == mark.kind,
        DifferenceKind::Crashed => cause.kind == DifferenceKind::Crashed && cause.place == mark.place,
        DifferenceKind::OtherUri | DifferenceKind::OtherMeaning | DifferenceKind::NotIdempotent => {
            cause.kind == DifferenceKind::OtherComponents
                && (mark.component.is_none() || cause.component == mark.component)
        }
        DifferenceKind::FalsePositive | DifferenceKind::FalseNegative => cause.kind == DifferenceKind::OtherComponents,
        DifferenceKind::OtherComponents
        | DifferenceKind::BrokenContract
        | DifferenceKind::Superlinear
        | DifferenceKind::TimedOut => false,
    }
}

/// Whether a string was read as other components: what is done with another URI than was meant says nothing of how it is done.
fn is_misread(cause: &Mark, mark: &Mark, is_setter: bool) -> bool {
    let counts = match mark.kind {
        DifferenceKind::OtherUri
        | DifferenceKind::OtherMeaning
        | DifferenceKind::NotIdempotent
        | DifferenceKind::FalsePositive
        | DifferenceKind::FalseNegative => true,
        DifferenceKind::AcceptedInvalid | DifferenceKind::RejectedValid | DifferenceKind::InvalidUri => is_setter,
        _ => false,
    };
    counts && cause.kind == DifferenceKind::OtherComponents && !mark.is_heavier_than(cause)
}

/// Two authorities, taken for one where a reference should name the other.
fn taken_for_one(subject: &dyn Subject, input: &Input, mark: &Mark, reading: Reading) -> Option<(Input, Mark)> {
    let Input::Relativize { base, target } = input else {
        return None;
    };
    if mark.kind != DifferenceKind::OtherUri || mark.component.is_none_or(|component| component == Component::Path) {
        return None;
    }
    let [left, right] = [base, target].map(|uri| up_to_authority(uri).map(ToOwned::to_owned));
    let (left, right) = (left?, right?);
    [Rung::Syntax, Rung::Scheme].into_iter().find_map(|rung| {
        let (left, right) = (left.clone(), right.clone());
        let compared = ask(subject, &Input::Equivalent { left, right, rung }, reading);
        let mark = Mark::all(&compared).into_iter().find(|mark| mark.kind == DifferenceKind::FalsePositive)?;
        Some((compared.input, mark))
    })
}

/// A URI without what follows its authority; none if it has no scheme or no authority.
fn up_to_authority(uri: &str) -> Option<&str> {
    let parts = split(uri);
    parts.scheme?;
    Some(&uri[..range(parts.authority?, uri).end])
}

/// The URIs that an input asks for. With the scheme of the base, what a network-path reference ("//", §4.2) is meant for is one:
/// that is how a type of URIs reads it.
fn input_strings(input: &Input) -> Vec<String> {
    match input {
        Input::Parse { input, .. } => vec![input.clone()],
        Input::Resolve { base, reference, .. } => {
            let scheme = base.split_once(':').map(|(scheme, _)| scheme).filter(|_| reference.starts_with("//"));
            let whole = scheme.map(|scheme| format!("{scheme}:{reference}"));
            [base.clone(), reference.clone()].into_iter().chain(whole).collect()
        }
        other => other.uris().into_iter().map(str::to_owned).collect(),
    }
}

/// The URI that was expected, and the one that came out.
fn output_strings(result: &Result) -> Vec<String> {
    uri_expected(result).into_iter().chain(uri_of_outcome(&result.observed).map(ToOwned::to_owned)).collect()
}

/// The URI that was expected: the literal one, or, where that is none, the first that conforms.
fn uri_expected(result: &Result) -> Option<String> {
    uris_expected(result).into_iter().next()
}

/// The URIs that conform, the literal one first.
fn uris_expected(result: &Result) -> Vec<String> {
    let of = |outcome: &Outcome| uri_of_outcome(outcome).map(ToOwned::to_owned);
    match &result.expected {
        Expected::Outcomes(outcomes) => outcomes.iter().filter_map(|one| of(&one.outcome)).collect(),
        Expected::Property(_) | Expected::NoAnswer { .. } => of(&result.expected.literal()).into_iter().collect(),
    }
}

/// The URI of an outcome, if it is one.
pub(crate) fn uri_of_outcome(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => Some(uri),
        _ => None,
    }
}
