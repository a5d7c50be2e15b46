//! A changed answer in words: what the subject answers now, and what it answered as far as the stored hash shows it.

use std::borrow::Cow;

use uriproof::ask::ask;
use uriproof::expect::Expected;
use uriproof::model::{Component, Components, Input, Observed, Outcome, Reading, Reported, Subject, Value};
use uriproof::run::{self, Result, given};
use uriproof::split::{self, UserinfoEnd};
use uriproof_subjects::SUBJECTS;

use super::code::{Code, first_of};
use super::line::Token;

/// What a subject answers now.
pub(super) fn now(subject: &dyn Subject, input: &Input) -> String {
    match run::unless_agreeing(subject, input) {
        None => format!("{}, which agrees with RFC 3986", answer(subject, input)),
        Some(result) => text(&result),
    }
}

fn text(result: &Result) -> String {
    match first_of(result) {
        Some(first) => format!("{first}, and if that is normalized again {}", result.observed),
        None => result.observed.to_string(),
    }
}

/// What a subject answered, by the token that is stored.
pub(super) fn stored(token: &Token, subject: &dyn Subject, input: &Input) -> String {
    match token {
        Token::Agrees => {
            let expected = run::one(subject, input, Reading::Rfc3986).expected;
            format!("what RFC 3986 says: {}", expected_text(&expected))
        }
        Token::Unsupported => "no answer: it did not take the input".to_owned(),
        Token::Rejected => "rejected".to_owned(),
        Token::Equivalent(true) => "equivalent".to_owned(),
        Token::Equivalent(false) => "not equivalent".to_owned(),
        Token::Hash(first, second) => {
            let candidates = candidates(subject, input);
            let found = candidates.iter().find(|outcome| Token::of(Code::of_outcome(outcome)) == *token);
            match found {
                Some(outcome) => format!("{outcome} (found by its hash)"),
                None => format!("an answer with the hash `{first}{second}`"),
            }
        }
    }
}

fn expected_text(expected: &Expected) -> String {
    match expected {
        Expected::NoAnswer { reason } => reason.clone(),
        Expected::Property(property) => property.to_string(),
        Expected::Outcomes(outcomes) => {
            let mut texts: Vec<String> = outcomes.iter().map(|one| one.outcome.to_string()).collect();
            texts.dedup();
            texts.join(" or ")
        }
    }
}

/// The answer of a subject to an input as it is given it.
fn answer(subject: &dyn Subject, input: &Input) -> Outcome {
    let given = given(subject.declaration(), input).unwrap_or(Cow::Borrowed(input));
    ask(subject, &given)
}

/// Answers that differ from this one in a component that is lost.
fn near(outcome: &Outcome) -> Vec<Outcome> {
    let without = |component: Component| match outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => {
            let components = split::components(uri, UserinfoEnd::LastAt).map(str::to_owned);
            Some(Outcome::uri(components.with(component, None).recompose()))
        }
        Outcome::Accepted {
            value: Value::Components(observed),
        } => {
            let mut observed = observed.clone();
            let lost = match component {
                Component::Scheme => &mut observed.scheme,
                Component::Userinfo => &mut observed.userinfo,
                Component::Host => &mut observed.host,
                Component::Port => &mut observed.port,
                Component::Path => &mut observed.path,
                Component::Query => &mut observed.query,
                Component::Fragment => &mut observed.fragment,
                Component::HostKind => return None,
            };
            *lost = Reported::Undefined;
            Some(Outcome::components(observed))
        }
        _ => None,
    };
    Component::TEXTS.into_iter().filter_map(without).collect()
}

/// Answers that the subject may have given: those of the reference and of other subjects, texts of the input, and
/// what the subject answers now without a component.
fn candidates(subject: &dyn Subject, input: &Input) -> Vec<Outcome> {
    let mut candidates = vec![Outcome::components(Observed::default()), Outcome::broken([])];
    candidates.extend(texts(input).into_iter().map(Outcome::uri));
    candidates.extend(near(&answer(subject, input)));
    let declaration = subject.declaration();
    // The nearest first: other entry points of the crate.
    let (same, others): (Vec<&&dyn Subject>, Vec<&&dyn Subject>) =
        SUBJECTS.iter().partition(|other| other.declaration().name == declaration.name);
    for other in same.into_iter().chain(others) {
        candidates.push(answer(*other, input));
    }
    candidates
}

/// The texts of an input.
fn texts(input: &Input) -> Vec<String> {
    let of_components = |components: &Components| -> Vec<String> {
        let texts = Component::TEXTS.iter().filter_map(|&it| components.text(it).map(str::to_owned));
        texts.chain([components.recompose()]).collect()
    };
    match input {
        Input::Parse { input, .. } => vec![input.clone()],
        Input::Resolve { base, reference, .. } => vec![reference.clone(), base.clone()],
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } => vec![uri.clone()],
        Input::Compose { components } => of_components(components),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left.clone(), right.clone()],
        Input::Relativize { base, target } => vec![target.clone(), base.clone()],
        Input::Modify { uri, value, .. } => vec![uri.clone(), value.clone().unwrap_or_default()],
    }
}
