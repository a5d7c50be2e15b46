//! The reference itself, as a subject: its outcome is the literal one of those that it expects.

use std::borrow::Cow;

use crate::expect::expect;
use crate::model::{
    Components, Declaration, EVERYTHING, Forms, Input, Operation, Outcome, Reading, Rule, Rung, Scope, Specification,
    Subject,
};

/// RFC 3986 in the reading `rfc3986`.
pub struct Reference;

static DECLARATION: Declaration = Declaration {
    name: Cow::Borrowed("reference"),
    version: Cow::Borrowed(env!("CARGO_PKG_VERSION")),
    entry_point: Cow::Borrowed("rfc3986"),
    language: Cow::Borrowed("Rust"),
    specification: Specification::Rfc3986,
    rules: Cow::Borrowed(&RULES),
    operations: Cow::Borrowed(&Operation::ALL),
    tells: Cow::Borrowed(EVERYTHING),
    forms: Forms::Verbatim,
};

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
}
