//! `sophia_iri`: RFC 3987, validated by regular expressions; resolution by way of the `oxiri` that it depends on.

use sophia_iri::relativize::Relativizer;
use uriproof::model::{
    Component, Declaration, Fidelity, Observed, Operation, Outcome, Reported, Rule, Rung, Specification, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};

const fn declaration(
    entry_point: &'static str,
    rules: &'static [Rule],
    tells: &'static [(Component, Fidelity)],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("sophia_iri", "0.10.0", entry_point, operations)
        .with_specification(Specification::Rfc3987)
        .with_rules(rules)
        .with_tells(tells)
}

const WITH_RELATIVIZE: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Equivalent,
    Operation::RoundTrip,
    Operation::Contract,
    Operation::Relativize,
];
const WITHOUT_RELATIVIZE: &[Operation] = WITH_RELATIVIZE.split_at(5).0;

/// The authority is told in one piece: no userinfo, host or port.
const OF_A_BASE: &[(Component, Fidelity)] = &[
    (Component::Scheme, Fidelity::Exact),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
    (Component::Fragment, Fidelity::Exact),
];

/// An entry point: its type, its rule, what it tells: `nothing`, or the `components` of a base; its operations, and its
/// `relativize`, if it has one.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident = $type:path, $label:literal, $rule:ident, $tells:ident, $operations:ident $(, $relativize:item)?) => {
        $(#[$doc])*
        pub struct $name;

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration($label, &[Rule::$rule], entry_point!(@tells $tells), $operations);
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| <$type>::new(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                if rule != Rule::$rule {
                    return Outcome::unsupported(format!("parses {} only", Rule::$rule));
                }
                match <$type>::new(input) {
                    Ok(parsed) => Outcome::components(entry_point!(@observed $tells, parsed)),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
                if !strict {
                    return Outcome::unsupported("no non-strict mode");
                }
                let base = match <$type>::new(base) {
                    Ok(base) => base,
                    Err(error) => return Outcome::rejected(format!("base refused: {error}")),
                };
                entry_point!(@resolve $tells, base, reference)
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` does not normalize");
                }
                match (<$type>::new(left), <$type>::new(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            $($relativize)?

            fn round_trip(&self, uri: &str) -> Outcome {
                match <$type>::new(uri) {
                    Ok(parsed) => Outcome::uri(parsed.as_str()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (<$type>::new(left), <$type>::new(right)) {
                    (Ok(left), Ok(right)) => Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat()),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
    (@tells nothing) => { &[] };
    (@tells components) => { OF_A_BASE };
    (@observed nothing, $parsed:ident) => {{
        let _ = $parsed;
        Observed::default()
    }};
    (@observed components, $parsed:ident) => {
        Observed {
            scheme: Reported::from(Option::<&str>::from($parsed.scheme())),
            path: Reported::Defined($parsed.path().to_owned()),
            query: $parsed.query().into(),
            fragment: $parsed.fragment().into(),
            ..Observed::default()
        }
    };
    // Both arguments are valid by the regular expressions; the crate panics where its resolver does not think so.
    (@resolve nothing, $base:ident, $reference:ident) => {
        match sophia_iri::IriRef::new($reference) {
            Ok(reference) => Outcome::uri($base.resolve(reference).to_string()),
            Err(error) => Outcome::rejected(error),
        }
    };
    (@resolve components, $base:ident, $reference:ident) => {
        match $base.resolve($reference) {
            Ok(target) => Outcome::uri(target.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    };
}

entry_point! {
    /// `IriRef::new`; its `resolve` takes a relative base too.
    IriRef = sophia_iri::IriRef<&str>, "IriRef::new", UriReference, nothing, WITHOUT_RELATIVIZE
}
entry_point! {
    /// `Iri::new`
    Iri = sophia_iri::Iri<&str>, "Iri::new", Uri, nothing, WITHOUT_RELATIVIZE
}
entry_point! {
    /// `BaseIriRef::new`; its `resolve` takes a relative base too.
    BaseIriRef = sophia_iri::resolve::BaseIriRef<&str>, "BaseIriRef::new", UriReference, components, WITHOUT_RELATIVIZE
}
entry_point! {
    /// `BaseIri::new`
    BaseIri = sophia_iri::resolve::BaseIri<&str>, "BaseIri::new", Uri, components, WITH_RELATIVIZE,
    /// A `Relativizer` of the base, which may go up as often as it can count.
    fn relativize(&self, base: &str, target: &str) -> Outcome {
        match (sophia_iri::resolve::BaseIri::new(base), sophia_iri::Iri::new(target)) {
            (Ok(base), Ok(target)) => match Relativizer::new(base, u8::MAX).relativize(target) {
                Some(reference) => Outcome::uri(reference.as_str()),
                None => Outcome::rejected("`relativize` answers `None`"),
            },
            (Err(error), _) => Outcome::rejected(error),
            (_, Err(error)) => Outcome::rejected(error),
        }
    }
}
