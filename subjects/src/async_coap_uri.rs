//! `async-coap-uri`: RFC 3986 by the regular expression of its Appendix B; a resolver of its own.

use async_coap_uri::{AnyUriRef, UriRawComponents};
use uriproof::model::{
    Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Reported, Rule, Rung, Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};

const OF_A_RELATIVE_REFERENCE: &[Operation] = &[
    Operation::Parse,
    Operation::Equivalent,
    Operation::RoundTrip,
    Operation::Contract,
];
const OF_A_URI: &[Operation] = &[
    Operation::Parse,
    Operation::Resolve,
    Operation::Equivalent,
    Operation::Relativize,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Contract,
];

const fn declaration(
    entry_point: &'static str,
    rules: &'static [Rule],
    operations: &'static [Operation],
) -> Declaration {
    Declaration::new("async-coap-uri", "0.1.0", entry_point, operations).with_rules(rules).with_tells(&[
        (Component::Scheme, Fidelity::Exact),
        (Component::Userinfo, Fidelity::Exact),
        (Component::Host, Fidelity::EmptyIsUndefined),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::Exact),
        (Component::Fragment, Fidelity::Exact),
    ])
}

/// What becomes of a buffer: two types have the same methods, and no trait.
macro_rules! modified {
    ($buffer:ident, $component:ident, $value:ident) => {
        match ($component, $value) {
            (Component::Path, Some(path)) => match relative_reference($buffer.components(), path) {
                Some(text) => match async_coap_uri::RelRef::from_str(&text) {
                    Ok(reference) => {
                        $buffer.replace_path(reference);
                        Outcome::uri($buffer.as_str())
                    }
                    Err(error) => refused(&error),
                },
                None => Outcome::unsupported("replaces path, query and fragment by one text"),
            },
            (Component::Query, None) if $buffer.raw_fragment().is_none() => {
                $buffer.truncate_query();
                Outcome::uri($buffer.as_str())
            }
            (Component::Fragment, None) => {
                $buffer.truncate_fragment();
                Outcome::uri($buffer.as_str())
            }
            _ => Outcome::unsupported("replaces what begins with the path, and takes query and fragment away"),
        }
    };
}

macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident, $label:literal, $rule:ident, $operations:expr $(, $more:item)*) => {
        $(#[$doc])*
        pub struct $name;

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: Declaration = declaration($label, &[Rule::$rule], $operations);
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::$rule).then(|| async_coap_uri::$name::is_str_valid(input))
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                if rule != Rule::$rule {
                    return Outcome::unsupported(format!("parses {} only", Rule::$rule));
                }
                match async_coap_uri::$name::from_str(input) {
                    Ok(parsed) => Outcome::components(observed(parsed)),
                    Err(error) => refused(&error),
                }
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` does not normalize");
                }
                match (
                    async_coap_uri::$name::from_str(left),
                    async_coap_uri::$name::from_str(right),
                ) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => refused(&error),
                }
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match async_coap_uri::$name::from_str(uri) {
                    Ok(parsed) => Outcome::uri(parsed.to_string()),
                    Err(error) => refused(&error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (
                    async_coap_uri::$name::from_str(left),
                    async_coap_uri::$name::from_str(right),
                ) {
                    (Ok(left), Ok(right)) => {
                        Outcome::broken([of_eq(left, right), of_hash(left, right), of_ord(left, right)].concat())
                    }
                    (Err(error), _) | (_, Err(error)) => refused(&error),
                }
            }

            $($more)*
        }
    };
}

entry_point! {
    /// `UriRef::from_str`; its `resolved` takes a relative base too.
    UriRef, "UriRef::from_str", UriReference, OF_A_URI,
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        match async_coap_uri::UriRef::from_str(base) {
            Ok(base) => resolved(base, reference, strict),
            Err(error) => Outcome::rejected(format!("base refused: {}", error.desc())),
        }
    },
    fn relativize(&self, base: &str, target: &str) -> Outcome {
        match (async_coap_uri::UriRef::from_str(base), async_coap_uri::UriRef::from_str(target)) {
            (Ok(base), Ok(target)) => shortened(target, base),
            (Err(error), _) | (_, Err(error)) => refused(&error),
        }
    },
    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match async_coap_uri::UriRefBuf::from_str(uri) {
            Ok(mut buffer) => modified!(buffer, component, value),
            Err(error) => refused(&error),
        }
    }
}
entry_point! {
    /// `Uri::from_str`
    Uri, "Uri::from_str", Uri, OF_A_URI,
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        match async_coap_uri::Uri::from_str(base) {
            Ok(base) => resolved(base, reference, strict),
            Err(error) => Outcome::rejected(format!("base refused: {}", error.desc())),
        }
    },
    fn relativize(&self, base: &str, target: &str) -> Outcome {
        match (async_coap_uri::Uri::from_str(base), async_coap_uri::Uri::from_str(target)) {
            (Ok(base), Ok(target)) => shortened(target, base),
            (Err(error), _) | (_, Err(error)) => refused(&error),
        }
    },
    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match async_coap_uri::UriBuf::from_str(uri) {
            Ok(mut buffer) => modified!(buffer, component, value),
            Err(error) => refused(&error),
        }
    }
}
entry_point! {
    /// `RelRef::from_str`
    RelRef, "RelRef::from_str", RelativeRef, OF_A_RELATIVE_REFERENCE
}

fn resolved(base: &(impl AnyUriRef + ?Sized), reference: &str, strict: bool) -> Outcome {
    if !strict {
        return Outcome::unsupported("no non-strict mode");
    }
    match async_coap_uri::UriRef::from_str(reference) {
        Ok(reference) => match base.resolved(reference) {
            Ok(target) => Outcome::uri(target.as_str()),
            Err(error) => Outcome::rejected(format!("{error:?}")),
        },
        Err(error) => refused(&error),
    }
}

fn shortened(target: &async_coap_uri::UriRef, base: &async_coap_uri::UriRef) -> Outcome {
    match target.trim_to_shorten(base) {
        // Printed, it is told apart from a URI and from a network path.
        Some(reference) => Outcome::uri(reference.to_string()),
        None => Outcome::rejected("`trim_to_shorten` answers `None`"),
    }
}

/// What replaces the path: it, and the query and the fragment that are to stay.
fn relative_reference(components: UriRawComponents<'_>, path: &str) -> Option<String> {
    (!path.contains(['?', '#'])).then(|| {
        Components {
            path: path.to_owned(),
            query: components.raw_query().map(str::to_owned),
            fragment: components.raw_fragment().map(str::to_owned),
            ..Components::default()
        }
        .recompose()
    })
}

fn refused(error: &async_coap_uri::ParseError) -> Outcome {
    Outcome::Rejected {
        reason: Some(error.desc().to_owned()),
        offset: error.span().map(|span| span.start),
    }
}

fn observed(reference: &(impl AnyUriRef + ?Sized)) -> Observed {
    let components = reference.components();
    Observed {
        scheme: components.scheme().into(),
        userinfo: components.raw_userinfo().into(),
        host: components.raw_host().into(),
        host_kind: Reported::Nothing,
        port: components.port().map(|port| port.to_string()).into(),
        path: Reported::Defined(components.raw_path().to_owned()),
        query: components.raw_query().into(),
        fragment: components.raw_fragment().into(),
    }
}
