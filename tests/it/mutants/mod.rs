//! Planted bugs: each a small wrapper around the reference that does one thing wrong.

mod compose;
mod equivalent;
pub(crate) mod library;
mod normalize;
pub(crate) mod parse;
mod resolve;

use std::borrow::Cow;

use rfc3986_reference::components::parse as parse_reference;
use uriproof::model::{
    Component, Components, Declaration, Fidelity, Input, Observed, Operation, Outcome, Reading, Rule, Scope, Subject,
    Value,
};
use uriproof_subjects::reference::Reference;

/// What a planted bug makes of an outcome of the reference.
pub(crate) type Twist = fn(&Input, Outcome) -> Outcome;

/// A planted bug.
pub(crate) struct Mutant {
    /// What it does wrong.
    pub(crate) name: &'static str,
    /// The operation in which it shows.
    pub(crate) operation: Operation,
    /// A vector that it fails.
    pub(crate) witness: &'static str,
    /// How its classes differ, each with its witness: one class, unless it says why there are more. The place of a crash goes without its line.
    pub(crate) classes: &'static [&'static str],
    twist: Twist,
}

/// Every planted bug.
pub(crate) fn mutants() -> impl Iterator<Item = &'static Mutant> {
    [
        parse::MUTANTS,
        resolve::MUTANTS,
        normalize::MUTANTS,
        compose::MUTANTS,
        equivalent::MUTANTS,
        library::MUTANTS,
    ]
    .into_iter()
    .flatten()
}

/// The planted bug of a name.
pub(crate) fn mutant(name: &str) -> &'static Mutant {
    mutants().find(|mutant| mutant.name == name).unwrap_or_else(|| panic!("no planted bug: {name}"))
}

/// The outcome of the reference.
pub(crate) fn reference(input: &Input) -> Outcome {
    uriproof::ask::ask(&Reference, input)
}

/// `outcome` with other components, where it has components.
pub(crate) fn with_components(outcome: Outcome, change: impl FnOnce(&mut Observed)) -> Outcome {
    match outcome {
        Outcome::Accepted {
            value: Value::Components(mut observed),
        } => {
            change(&mut observed);
            Outcome::components(observed)
        }
        other => other,
    }
}

/// `outcome` with another URI, where it has one.
pub(crate) fn with_uri(outcome: Outcome, change: impl FnOnce(&mut Components)) -> Outcome {
    match &outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => match components(uri) {
            Some(mut components) => {
                change(&mut components);
                Outcome::uri(components.recompose())
            }
            None => outcome,
        },
        _ => outcome,
    }
}

/// The components of a URI-reference.
pub(crate) fn components(text: &str) -> Option<Components> {
    parse_reference(text, Reading::Rfc3986).ok().map(|reference| Components::from(&reference))
}

/// A subject with a planted bug, or without one.
pub(crate) struct Planted {
    declaration: Declaration,
    /// What it does otherwise, in an operation or, if none, in all.
    bug: Option<(Option<Operation>, Twist)>,
    /// The scope that it normalizes by; both, if none.
    scope: Option<Scope>,
}

impl Planted {
    /// The reference under another name, with the bug.
    pub(crate) fn new(mutant: Option<&'static Mutant>) -> Planted {
        Planted::with(mutant.map(|mutant| (mutant.operation, mutant.twist)))
    }

    /// The same, with what is done otherwise in one operation.
    pub(crate) fn with(bug: Option<(Operation, Twist)>) -> Planted {
        Planted::of(bug.map(|(operation, twist)| (Some(operation), twist)))
    }

    /// The same, with what is done otherwise in every operation.
    pub(crate) fn everywhere(twist: Twist) -> Planted {
        Planted::of(Some((None, twist)))
    }

    fn of(bug: Option<(Option<Operation>, Twist)>) -> Planted {
        let mut declaration = Reference.declaration().clone();
        declaration.name = Cow::Borrowed("planted");
        Planted {
            declaration,
            bug,
            scope: None,
        }
    }

    /// The same, which normalizes by one scope alone.
    pub(crate) fn of_scope(self, scope: Scope) -> Planted {
        Planted {
            scope: Some(scope),
            ..self
        }
    }

    /// The same, of which `component` is told only as exactly as `fidelity` says.
    pub(crate) fn telling(mut self, component: Component, fidelity: Fidelity) -> Planted {
        for (told, exactly) in self.declaration.tells.to_mut() {
            if *told == component {
                *exactly = fidelity;
            }
        }
        self
    }

    fn twisted(&self, input: &Input) -> Outcome {
        let outcome = reference(input);
        match self.bug {
            Some((operation, twist)) if operation.is_none_or(|operation| operation == input.operation()) => {
                twist(input, outcome)
            }
            _ => outcome,
        }
    }
}

impl Subject for Planted {
    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let input = input.to_owned();
        self.twisted(&Input::Parse { rule, input })
    }

    fn answer(&self, input: &Input) -> Outcome {
        match input {
            Input::Normalize { scope, .. } if self.scope.is_some_and(|own| own != *scope) => {
                Outcome::unsupported("no such scope")
            }
            input => self.twisted(input),
        }
    }
}
