//! `oxiri`: RFC 3987.

use uriproof::model::{
    Component, Declaration, Fidelity, Observed, Operation, Outcome, Reported, Rule, Rung, Shown, Specification, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};
use super::other_rule;

/// The authority is told in one piece: no userinfo, host or port.
const fn declaration(
    entry_point: &'static str,
    rules: &'static [Rule],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("oxiri", "0.3.1", entry_point, operations)
        .with_specification(Specification::Rfc3987)
        .with_rules(rules)
        .with_tells(&[
            (Component::Scheme, Fidelity::Exact),
            (Component::Path, Fidelity::Exact),
            (Component::Query, Fidelity::Exact),
            (Component::Fragment, Fidelity::Exact),
        ])
}

const OF_A_URI: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Equivalent,
    Operation::RoundTrip,
    Operation::Contract,
    Operation::Relativize,
];
const OF_A_REFERENCE: &[Operation] = OF_A_URI.split_at(5).0;

/// An entry point: its type, its rule, its operations, and its `relativize`, if it has one.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident, $label:literal, $rule:ident, $operations:ident $(, $relativize:item)?) => {
        $(#[$doc])*
        pub struct $name;

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration($label, &[Rule::$rule], $operations);
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| oxiri::$name::parse(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                Outcome::shown(|see| self.show(rule, input, see))
            }

            fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
                if rule != Rule::$rule {
                    return see(Shown::Otherwise(&other_rule(Rule::$rule)));
                }
                match oxiri::$name::parse(input) {
                    Ok(parsed) => see(Shown::Accepted(Observed {
                        scheme: Reported::from(Option::<&str>::from(parsed.scheme())),
                        path: Reported::Defined(parsed.path()),
                        query: parsed.query().into(),
                        fragment: parsed.fragment().into(),
                        ..Observed::default()
                    })),
                    Err(error) => see(Shown::rejected(&error)),
                }
            }

            fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
                if !strict {
                    return Outcome::unsupported("no non-strict mode");
                }
                let base = match oxiri::$name::parse(base) {
                    Ok(base) => base,
                    Err(error) => return Outcome::rejected(format!("base refused: {error}")),
                };
                match oxiri::IriRef::parse(reference).and_then(|reference| base.resolve(&reference)) {
                    Ok(target) => Outcome::uri(target.into_inner()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` does not normalize");
                }
                match (oxiri::$name::parse(left), oxiri::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            $($relativize)?

            fn round_trip(&self, uri: &str) -> Outcome {
                match oxiri::$name::parse(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (oxiri::$name::parse(left), oxiri::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
}

entry_point! {
    /// `IriRef::parse`; its `resolve` takes a relative base too.
    IriRef, "IriRef::parse", UriReference, OF_A_REFERENCE
}
entry_point! {
    /// `Iri::parse`
    Iri, "Iri::parse", Uri, OF_A_URI,
    fn relativize(&self, base: &str, target: &str) -> Outcome {
        match (oxiri::Iri::parse(base), oxiri::Iri::parse(target)) {
            (Ok(base), Ok(target)) => match base.relativize(&target) {
                Ok(reference) => Outcome::uri(reference.into_inner()),
                Err(error) => Outcome::rejected(error),
            },
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}
