//! What a vector expects of a subject.

use std::borrow::Cow;

use super::{Conforming, Expected, Property};
use crate::model::{Components, Expectation, Input, Observed, Outcome, Rule};

/// What a vector expects of `input`: the vector's own, or narrowed to the rule that a subject takes.
pub fn from_vector(input: &Input, expectation: &Expectation) -> Expected {
    let rule = match input {
        Input::Parse { rule, .. } => Some(*rule),
        _ => None,
    };
    match (expectation, input) {
        // The URI of the vector is one of many that conform.
        (Expectation::Uri(_), Input::Relativize { base, target }) => Expected::Property(Property::ResolvesTo {
            base: base.clone(),
            target: target.clone(),
        }),
        (Expectation::Broken(_), _) => Expected::Property(Property::KeepsContracts),
        (Expectation::OneOf(outcomes), _) => Expected::Outcomes(
            outcomes
                .iter()
                .map(|one| Conforming {
                    name: Cow::Owned(one.name.clone()),
                    outcome: outcome(&one.outcome, rule),
                })
                .collect(),
        ),
        (single, _) => Expected::literally(outcome(single, rule)),
    }
}

fn outcome(expectation: &Expectation, rule: Option<Rule>) -> Outcome {
    match expectation {
        Expectation::Accepted => Outcome::components(Observed::default()),
        Expectation::Components(components) => match rule.and_then(|rule| lacking(components, rule)) {
            None => Outcome::components(components.clone()),
            Some(reason) => Outcome::rejected(reason),
        },
        Expectation::Uri(uri) => Outcome::uri(uri),
        Expectation::Equivalent(equivalent) => Outcome::equivalent(*equivalent),
        Expectation::Broken(broken) => Outcome::broken(&**broken),
        Expectation::Rejected => Outcome::Rejected {
            reason: None,
            offset: None,
        },
        Expectation::OneOf(_) => Outcome::unsupported("nested `one-of`, which loading refuses"),
    }
}

/// Why the URI-reference with these components does not match `rule`.
fn lacking(components: &Components, rule: Rule) -> Option<&'static str> {
    match (rule, &components.scheme, &components.fragment) {
        (Rule::Uri | Rule::AbsoluteUri, None, _) => Some("a relative reference"),
        (Rule::AbsoluteUri, Some(_), Some(_)) => Some("a URI with a fragment"),
        (Rule::RelativeRef, Some(_), _) => Some("a URI"),
        _ => None,
    }
}
