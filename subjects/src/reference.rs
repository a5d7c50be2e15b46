//! The reference itself, as a subject: its outcome is the literal one of those that it expects.

use rfc3986_reference::components::parse;
use uriproof::expect::expect;
use uriproof::model::{
    Component, Components, Declaration, EVERYTHING, Input, Operation, Outcome, Reading, Rule, Rung, Scope, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};

/// RFC 3986 in the reading `rfc3986`.
pub struct Reference;

static DECLARATION: Declaration = Declaration::new("reference", env!("CARGO_PKG_VERSION"), "rfc3986", &Operation::ALL)
    .with_rules(&RULES)
    .with_tells(EVERYTHING);

/// Every rule, URI-reference first.
const RULES: [Rule; Rule::ALL.len()] = {
    let mut rules = [Rule::UriReference; Rule::ALL.len()];
    let (mut from, mut to) = (0, 1);
    while from < Rule::ALL.len() {
        if !matches!(Rule::ALL[from], Rule::UriReference) {
            rules[to] = Rule::ALL[from];
            to += 1;
        }
        from += 1;
    }
    rules
};

fn literal(input: &Input) -> Outcome {
    expect(input, Reading::Rfc3986).literal()
}

impl Subject for Reference {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        Some(rule.matches(input, Reading::Rfc3986).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let input = input.to_owned();
        literal(&Input::Parse { rule, input })
    }

    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        let (base, reference) = (base.to_owned(), reference.to_owned());
        literal(&Input::Resolve {
            base,
            reference,
            strict,
        })
    }

    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        let uri = uri.to_owned();
        literal(&Input::Normalize { uri, scope })
    }

    fn compose(&self, components: &Components) -> Outcome {
        let components = components.clone();
        literal(&Input::Compose { components })
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        let (left, right) = (left.to_owned(), right.to_owned());
        literal(&Input::Equivalent { left, right, rung })
    }

    fn relativize(&self, base: &str, target: &str) -> Outcome {
        let (base, target) = (base.to_owned(), target.to_owned());
        literal(&Input::Relativize { base, target })
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        let (uri, value) = (uri.to_owned(), value.map(str::to_owned));
        literal(&Input::Modify { uri, component, value })
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        match parse(uri, Reading::Rfc3986) {
            Ok(parsed) => Outcome::uri(Components::from(&parsed).recompose()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (parse(left, Reading::Rfc3986), parse(right, Reading::Rfc3986)) {
            (Ok(left), Ok(right)) => {
                let (left, right) = (Components::from(&left), Components::from(&right));
                Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat())
            }
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}
