//! Planted bugs: each a small wrapper around the reference that does one thing wrong.

use std::borrow::Cow;

use uriproof::model::{
    Component, Components, Declaration, Fidelity, Input, Observed, Operation, Outcome, Rule, Rung, Scope, Subject,
    Told, Value,
};
use uriproof::subjects::reference::Reference;

/// A planted bug.
pub(crate) struct Mutant {
    /// What it does wrong.
    pub(crate) name: &'static str,
    /// The operation in which it shows.
    pub(crate) operation: Operation,
    /// A vector that it fails.
    pub(crate) witness: &'static str,
    /// What it makes of an outcome of the reference.
    twist: fn(&Input, Outcome) -> Outcome,
}

/// Every planted bug.
pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "accepts brackets in a path",
        operation: Operation::Parse,
        witness: "syntax/brackets/in-absolute-path",
        twist: |input, outcome| match input {
            Input::Parse { input, .. } if matches!(outcome, Outcome::Rejected { .. }) => reference(&Input::Parse {
                rule: Rule::UriReference,
                input: input.replacen(['[', ']'], "a", 9),
            }),
            _ => outcome,
        },
    },
    Mutant {
        name: "drops an empty query",
        operation: Operation::Parse,
        witness: "syntax/query-and-fragment/empty-query-and-fragment",
        twist: |_, outcome| {
            with_components(outcome, |observed| {
                if observed.query == Told::Defined(String::new()) {
                    observed.query = Told::Undefined;
                }
            })
        },
    },
    Mutant {
        name: "loses the brackets of an IP-literal",
        operation: Operation::Parse,
        witness: "syntax/ipv6/elision-of-all",
        twist: |_, outcome| {
            with_components(outcome, |observed| {
                if let Told::Defined(host) = &mut observed.host {
                    *host = host.trim_matches(['[', ']']).to_owned();
                }
            })
        },
    },
    Mutant {
        name: "takes an IPv4 address for a registered name",
        operation: Operation::Parse,
        witness: "syntax/ipv4/loopback",
        twist: |_, outcome| {
            with_components(outcome, |observed| {
                if observed.host_kind.as_defined().is_some() {
                    observed.host_kind = Told::Defined(uriproof::model::HostKind::RegName);
                }
            })
        },
    },
    Mutant {
        name: "refuses a port above 65535",
        operation: Operation::Parse,
        witness: "syntax/port/above-65535",
        twist: |_, outcome| match &outcome {
            Outcome::Accepted {
                value: Value::Components(observed),
            } if observed.port.as_defined().is_some_and(|port| port.parse::<u16>().is_err() && !port.is_empty()) => {
                Outcome::rejected("port")
            }
            _ => outcome,
        },
    },
    Mutant {
        name: "keeps a dot-dot above the root",
        operation: Operation::Resolve,
        witness: "rfc/5.4.2/one-level-above-the-root",
        twist: |input, outcome| match input {
            Input::Resolve { reference, .. } if reference.starts_with("../../../") => Outcome::uri("http://a/../g"),
            _ => outcome,
        },
    },
    Mutant {
        name: "inherits the query of the base too often",
        operation: Operation::Resolve,
        witness: "rfc/5.4.1/relative-path",
        twist: |input, outcome| match (input, &outcome) {
            (Input::Resolve { base, .. }, Outcome::Accepted { value: Value::Uri(uri) })
                if base.contains('?') && !uri.contains(['?', '#']) =>
            {
                Outcome::uri(format!("{uri}?q"))
            }
            _ => outcome,
        },
    },
    Mutant {
        name: "lowers the case of a path",
        operation: Operation::Normalize,
        witness: "normalization/case/path",
        twist: |_, outcome| match outcome {
            Outcome::Accepted { value: Value::Uri(uri) } => Outcome::uri(uri.to_lowercase()),
            other => other,
        },
    },
    Mutant {
        name: "composes what nobody can parse",
        operation: Operation::Compose,
        witness: "resolution/recompose/rootless-path-with-authority",
        twist: |input, outcome| match input {
            Input::Compose { components } => Outcome::uri(components.recompose()),
            _ => outcome,
        },
    },
    Mutant {
        name: "takes a reserved triplet for its character",
        operation: Operation::Equivalent,
        witness: "equivalence/near-misses/reserved-in-query",
        twist: |input, outcome| match input {
            Input::Equivalent { left, right, .. } if left.replace("%26", "&") == right.replace("%26", "&") => {
                Outcome::equivalent(true)
            }
            _ => outcome,
        },
    },
    Mutant {
        name: "panics on a fragment",
        operation: Operation::Parse,
        witness: "rfc/appendix-b/ietf-uri",
        twist: |input, outcome| match input {
            Input::Parse { input, .. } if input.contains('#') => panic!("no fragments please"),
            _ => outcome,
        },
    },
];

fn reference(input: &Input) -> Outcome {
    uriproof::ask::ask(&Reference, input)
}

fn with_components(outcome: Outcome, change: impl FnOnce(&mut Observed)) -> Outcome {
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

/// A subject with a planted bug, or without one.
pub(crate) struct Planted {
    declaration: Declaration,
    mutant: Option<&'static Mutant>,
}

impl Planted {
    /// The reference under another name, with the bug.
    pub(crate) fn new(mutant: Option<&'static Mutant>) -> Planted {
        let mut declaration = Reference.declaration().clone();
        declaration.name = Cow::Borrowed("planted");
        Planted { declaration, mutant }
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

    fn answer(&self, input: Input) -> Outcome {
        let outcome = reference(&input);
        match self.mutant {
            Some(mutant) if mutant.operation == input.operation() => (mutant.twist)(&input, outcome),
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
        self.answer(Input::Parse { rule, input })
    }

    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        let (base, reference) = (base.to_owned(), reference.to_owned());
        self.answer(Input::Resolve {
            base,
            reference,
            strict,
        })
    }

    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        let uri = uri.to_owned();
        self.answer(Input::Normalize { uri, scope })
    }

    fn compose(&self, components: &Components) -> Outcome {
        let components = components.clone();
        self.answer(Input::Compose { components })
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        let (left, right) = (left.to_owned(), right.to_owned());
        self.answer(Input::Equivalent { left, right, rung })
    }
}
