//! `iri-rs`: a fork of `iref` with the parser rewritten: RFC 3986 and RFC 3987, with erratum 4547 and an equality that
//! normalizes.

use uriproof::model::{
    Component, Components, Declaration, Observed, Operation, Outcome, Reported, Rule, Rung, Specification, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};
use super::one_text;

/// The crate normalizes paths (§6.2.2.3), as an operation on a path: no normalization of a URI.
const fn declaration(
    entry_point: &'static str,
    specification: Specification,
    rules: &'static [Rule],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("iri-rs", "3.4.1", entry_point, operations)
        .with_specification(specification)
        .with_rules(rules)
}

const OF_A_URI: &[Operation] = &[
    Operation::Parse,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Relativize,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];
const OF_A_REFERENCE: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Compose,
    Operation::Equivalent,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];

/// An entry point: its type, its rule, the type of its buffer, and either `absolute` or `reference to` the type of its
/// base.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident, $label:literal, $specification:ident, $rule:ident, $buffer:ident, $($kind:tt)+) => {
        $(#[$doc])*
        pub struct $name;

        impl $name {
            fn compose(components: &Components) -> Result<Outcome, Box<Outcome>> {
                let authority = one_text::authority(components)?;
                let mut buffer = entry_point!(@buffer $buffer, components.scheme.as_deref(), $($kind)+);
                buffer.set_authority(authority.as_deref()).map_err(rejected)?;
                buffer.set_path(&components.path).map_err(rejected)?;
                buffer.set_query(components.query.as_deref()).map_err(rejected)?;
                buffer.set_fragment(components.fragment.as_deref()).map_err(rejected)?;
                Ok(Outcome::uri(buffer.into_inner()))
            }

            fn modify(uri: &str, component: Component, value: Option<&str>) -> Result<Outcome, Box<Outcome>> {
                let mut buffer = iri_rs::$buffer::new(uri).map_err(rejected)?;
                match (component, value) {
                    (Component::Scheme, scheme) => entry_point!(@set_scheme buffer, scheme, $($kind)+),
                    (Component::Userinfo | Component::Host | Component::Port, value) => {
                        let authority = modified(buffer.authority_parts(), component, value)?;
                        buffer.set_authority(authority.as_deref()).map_err(rejected)?;
                    }
                    (Component::Path, Some(path)) => buffer.set_path(path).map_err(rejected)?,
                    (Component::Path, None) => return Err(Outcome::unsupported("sets a path to a path").into()),
                    (Component::Query, query) => buffer.set_query(query).map_err(rejected)?,
                    (Component::Fragment, fragment) => buffer.set_fragment(fragment).map_err(rejected)?,
                    (Component::HostKind, _) => {
                        return Err(Outcome::unsupported("the kind of a host follows from it").into());
                    }
                }
                Ok(Outcome::uri(buffer.into_inner()))
            }
        }

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration(
                    $label,
                    Specification::$specification,
                    &[Rule::$rule],
                    entry_point!(@operations $($kind)+),
                );
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| iri_rs::$name::parse(input).is_ok())
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                if rule != Rule::$rule {
                    return Outcome::unsupported(format!("parses {} only", Rule::$rule));
                }
                let parsed = match iri_rs::$name::parse(input) {
                    Ok(parsed) => parsed,
                    Err(error) => return Outcome::rejected(error),
                };
                let authority = parsed.authority_parts();
                Outcome::components(Observed {
                    scheme: Reported::from(Option::<&str>::from(parsed.scheme())),
                    userinfo: authority.and_then(|(userinfo, _, _)| userinfo).into(),
                    host: authority.map(|(_, host, _)| host).into(),
                    host_kind: Reported::Nothing,
                    port: authority.and_then(|(_, _, port)| port).into(),
                    path: Reported::Defined(parsed.path().to_owned()),
                    query: parsed.query().into(),
                    fragment: parsed.fragment().into(),
                })
            }

            entry_point!(@resolve $name, $($kind)+);

            fn compose(&self, components: &Components) -> Outcome {
                Self::compose(components).unwrap_or_else(|outcome| *outcome)
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Syntax {
                    return Outcome::unsupported("`==` normalizes paths and percent-encodings, by no scheme's rules");
                }
                match (iri_rs::$name::parse(left), iri_rs::$name::parse(right)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            entry_point!(@relativize $name, $($kind)+);

            fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
                Self::modify(uri, component, value).unwrap_or_else(|outcome| *outcome)
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match iri_rs::$name::parse(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (iri_rs::$name::parse(left), iri_rs::$name::parse(right)) {
                    (Ok(left), Ok(right)) => {
                        Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat())
                    }
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }
        }
    };
    (@operations absolute) => { OF_A_URI };
    (@operations reference to $base:ident) => { OF_A_REFERENCE };
    // There is no buffer without a scheme to begin with.
    (@buffer $buffer:ident, $scheme:expr, absolute) => {
        match $scheme {
            Some(scheme) => {
                let mut buffer = iri_rs::$buffer::new("s:").map_err(rejected)?;
                buffer.set_scheme(scheme).map_err(rejected)?;
                buffer
            }
            None => return Err(Outcome::unsupported("builds nothing without a scheme").into()),
        }
    };
    (@buffer $buffer:ident, $scheme:expr, reference to $base:ident) => {{
        let mut buffer = iri_rs::$buffer::default();
        buffer.set_scheme($scheme).map_err(rejected)?;
        buffer
    }};
    (@set_scheme $buffer:ident, $scheme:ident, absolute) => {
        match $scheme {
            Some(scheme) => $buffer.set_scheme(scheme).map_err(rejected)?,
            None => return Err(Outcome::unsupported("no URI without a scheme").into()),
        }
    };
    (@set_scheme $buffer:ident, $scheme:ident, reference to $base:ident) => {
        $buffer.set_scheme($scheme).map_err(rejected)?
    };
    (@relativize $name:ident, absolute) => {
        fn relativize(&self, base: &str, target: &str) -> Outcome {
            match (iri_rs::$name::parse(base), iri_rs::$name::parse(target)) {
                (Ok(base), Ok(target)) => Outcome::uri(target.relative_to(&base).into_inner()),
                (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
            }
        }
    };
    (@relativize $name:ident, reference to $base:ident) => {};
    (@resolve $name:ident, absolute) => {};
    (@resolve $name:ident, reference to $base:ident) => {
        fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
            if !strict {
                return Outcome::unsupported("no non-strict mode");
            }
            let base = match iri_rs::$base::parse(base) {
                Ok(base) => base,
                Err(error) => return Outcome::rejected(format!("base refused: {error}")),
            };
            match iri_rs::$name::parse(reference) {
                Ok(reference) => match reference.resolved(&base) {
                    Ok(target) => Outcome::uri(target.into_inner()),
                    Err(error) => Outcome::rejected(error),
                },
                Err(error) => Outcome::rejected(error),
            }
        }
    };
}

entry_point! {
    /// `UriRef::parse`
    UriRef, "UriRef::parse", Rfc3986, UriReference, UriRefBuf, reference to Uri
}
entry_point! {
    /// `Uri::parse`
    Uri, "Uri::parse", Rfc3986, Uri, UriBuf, absolute
}
entry_point! {
    /// `IriRef::parse`
    IriRef, "IriRef::parse", Rfc3987, UriReference, IriRefBuf, reference to Iri
}
entry_point! {
    /// `Iri::parse`
    Iri, "Iri::parse", Rfc3987, Uri, IriBuf, absolute
}

/// The authority with another userinfo, host or port: the setter takes it as one text.
fn modified(
    parts: Option<(Option<&str>, &str, Option<&str>)>,
    component: Component,
    value: Option<&str>,
) -> Result<Option<String>, Box<Outcome>> {
    let mut components = Components::default();
    if let Some((userinfo, host, port)) = parts {
        components.userinfo = userinfo.map(str::to_owned);
        components.host = Some(host.to_owned());
        components.port = port.map(str::to_owned);
    }
    one_text::authority(&components.with(component, value))
}

fn rejected(error: impl ToString) -> Box<Outcome> {
    Outcome::rejected(error).into()
}
