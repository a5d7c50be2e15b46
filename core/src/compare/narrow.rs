//! The rule that a subject is measured by: that of its entry point, where it is a part of the input's.

use std::borrow::Cow;

use rfc3986_reference::components::ReferenceRule;

use crate::expect::Expected;
use crate::model::{Declaration, Input, Outcome, Rule, Value};
use crate::screen;

/// The rule that a subject parses for a vector of `rule`: `rule` itself if it takes it, else its own rule if
/// that is a part of `rule`.
///
/// # Errors
///
/// Why the input cannot be run on the subject.
pub fn narrow(declaration: &Declaration, rule: Rule) -> Result<Rule, String> {
    narrowed(declaration, rule).ok_or_else(|| format!("parses {} only", own_rule(declaration)))
}

/// As [`narrow`], without a word why not.
#[inline]
pub(crate) fn narrowed(declaration: &Declaration, rule: Rule) -> Option<Rule> {
    if declaration.rules.contains(&rule) {
        return Some(rule);
    }
    let own = own_rule(declaration);
    let is_part = match rule {
        Rule::UriReference => matches!(own, Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef),
        Rule::Uri => own == Rule::AbsoluteUri,
        _ => false,
    };
    is_part.then_some(own)
}

/// The rule that a subject parses (see [`narrow`]), if its entry point takes the kind of reference that `input`
/// is about: a type of relative references cannot parse a URI.
///
/// # Errors
///
/// Why the input cannot be run on the subject.
pub fn takes(declaration: &Declaration, input: &Input) -> Result<Rule, String> {
    let own = own_rule(declaration);
    let belongs = |text: &str| {
        if is_of_another_kind(text, own) {
            Err(format!("takes {own} only"))
        } else {
            Ok(own)
        }
    };
    match input {
        Input::Parse { rule, .. } => narrow(declaration, *rule),
        // The base is a URI in any case; an entry point for URIs takes its references as another type.
        Input::Resolve { reference, .. } if own == Rule::RelativeRef => belongs(reference),
        Input::Resolve { .. } | Input::Compose { .. } => Ok(own),
        Input::Normalize { uri, .. } => belongs(uri),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => {
            belongs(left).and_then(|_| belongs(right))
        }
        Input::Relativize { target, .. } => belongs(target),
        Input::Modify { uri, .. } | Input::RoundTrip { uri } => belongs(uri),
    }
}

/// What is expected of a subject that makes only what matches its own rule: it refuses all else.
pub fn narrow_result<'a>(
    declaration: &Declaration,
    mut expected: Cow<'a, Expected>,
    input: &Input,
) -> Cow<'a, Expected> {
    let own = own_rule(declaration);
    if !matches!(input, Input::Compose { .. } | Input::Modify { .. }) {
        return expected;
    }
    if let Expected::Outcomes(outcomes) = expected.to_mut() {
        for one in outcomes {
            let is_of_another_kind = match &one.outcome {
                Outcome::Accepted { value: Value::Uri(uri) } => is_of_another_kind(uri, own),
                _ => false,
            };
            if is_of_another_kind {
                one.outcome = Outcome::rejected(format!("no {own}"));
            }
        }
    }
    expected
}

/// Whether `text` is a URI-reference, but not of the kind that `own` is the rule of.
fn is_of_another_kind(text: &str, own: Rule) -> bool {
    own != Rule::UriReference
        && ReferenceRule::try_from(own)
            .is_ok_and(|own| screen::reference(text).is_some_and(|reference| !reference.matches(own)))
}

/// The rule of what an entry point is for: the first that it lists.
pub fn own_rule(declaration: &Declaration) -> Rule {
    declaration.rules.first().copied().unwrap_or(Rule::UriReference)
}
