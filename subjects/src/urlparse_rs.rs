//! `urlparse-rs`: Python's `urllib.parse` as it is now.

use std::sync::LazyLock;

use uriproof::model::{
    Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Reported, Rule, Rung, Specification,
    Subject,
};
use urlparse_rs::{SplitResult, UrlError};

use super::contracts::of_eq;
use super::one_text;

fn declaration(entry_point: &'static str, operations: &'static [Operation]) -> Declaration {
    Declaration::new("urlparse-rs", "0.1.0", entry_point, operations)
        .with_specification(Specification::Other("Python urllib.parse".to_owned()))
        .with_tells(&[
            (Component::Scheme, Fidelity::IgnoringCase),
            (Component::Userinfo, Fidelity::Exact),
            (Component::Host, Fidelity::BareHost),
            (Component::Port, Fidelity::Number),
            (Component::Path, Fidelity::Exact),
            (Component::Query, Fidelity::EmptyIsUndefined),
            (Component::Fragment, Fidelity::EmptyIsUndefined),
        ])
}

/// An entry point: what it parses with, and the path of what that gives.
macro_rules! entry_point {
    ($(#[$doc:meta])* $name:ident = $parse:ident, $path:expr, $operations:expr $(, $more:item)*) => {
        $(#[$doc])*
        pub struct $name;

        impl Subject for $name {
            fn declaration(&self) -> &Declaration {
                static DECLARATION: LazyLock<Declaration> =
                    LazyLock::new(|| declaration(stringify!($parse), $operations));
                &DECLARATION
            }

            fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
                (rule == Rule::UriReference)
                    .then(|| urlparse_rs::$parse(input, "", true).is_ok_and(|parsed| parsed.port().is_ok()))
            }

            fn parse(&self, rule: Rule, input: &str) -> Outcome {
                if rule != Rule::UriReference {
                    return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
                }
                let observed = || -> Result<Observed, UrlError> {
                    let parsed = urlparse_rs::$parse(input, "", true)?;
                    let userinfo = parsed.username().map(|username| match parsed.password() {
                        Some(password) => format!("{username}:{password}"),
                        None => username.to_owned(),
                    });
                    // A port is checked when it is asked for.
                    let port = parsed.port()?;
                    let path: fn(&_) -> String = $path;
                    Ok(Observed {
                        scheme: non_empty(&parsed.scheme).into(),
                        userinfo: userinfo.into(),
                        host: parsed.hostname().into(),
                        host_kind: Reported::Nothing,
                        port: port.map(|port| port.to_string()).into(),
                        path: Reported::Defined(path(&parsed)),
                        query: non_empty(&parsed.query).into(),
                        fragment: non_empty(&parsed.fragment).into(),
                    })
                };
                match observed() {
                    Ok(observed) => Outcome::components(observed),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
                if rung != Rung::Simple {
                    return Outcome::unsupported("`==` does not normalize");
                }
                match (urlparse_rs::$parse(left, "", true), urlparse_rs::$parse(right, "", true)) {
                    (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            fn round_trip(&self, uri: &str) -> Outcome {
                match urlparse_rs::$parse(uri, "", true) {
                    Ok(parsed) => Outcome::uri(parsed.geturl()),
                    Err(error) => Outcome::rejected(error),
                }
            }

            fn contract(&self, left: &str, right: &str) -> Outcome {
                match (urlparse_rs::$parse(left, "", true), urlparse_rs::$parse(right, "", true)) {
                    (Ok(left), Ok(right)) => Outcome::broken(of_eq(&left, &right)),
                    (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
                }
            }

            $($more)*
        }
    };
}

entry_point! {
    /// `urlsplit`, and what goes with it: `urljoin`, `urlunsplit`.
    Urlsplit = urlsplit, |parsed: &urlparse_rs::SplitResult| parsed.path.clone(),
    &[
        Operation::Parse,
        Operation::Resolve,
        Operation::Compose,
        Operation::Equivalent,
        Operation::Modify,
        Operation::RoundTrip,
        Operation::Contract,
    ],
    /// There is one algorithm, which ignores the base's own scheme in a reference if it resolves with that scheme at all.
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        let resolves = |base: &SplitResult| urljoin_is_of(&base.scheme);
        if !strict && urlparse_rs::urlsplit(base, "", true).is_ok_and(|base| !resolves(&base)) {
            return Outcome::unsupported("resolves with some schemes only");
        }
        match urlparse_rs::urljoin(base, reference, true) {
            Ok(target) => Outcome::uri(target),
            Err(error) => Outcome::rejected(error),
        }
    },
    fn compose(&self, components: &Components) -> Outcome {
        let Components { scheme, path, query, fragment, .. } = components;
        let authority = match one_text::authority(components) {
            Ok(authority) => authority,
            Err(outcome) => return *outcome,
        };
        let parts = [scheme, &authority, query, fragment];
        if parts.iter().any(|part| part.as_deref() == Some("")) {
            return Outcome::unsupported(NO_EMPTY_PART);
        }
        let [scheme, authority, query, fragment] = parts.map(|part| part.as_deref().unwrap_or_default());
        Outcome::uri(urlparse_rs::urlunsplit(scheme, authority, path, query, fragment))
    },
    /// The fields are public; an authority is one of them.
    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        let mut parsed = match urlparse_rs::urlsplit(uri, "", true) {
            Ok(parsed) => parsed,
            Err(error) => return Outcome::rejected(error),
        };
        let field = match component {
            Component::Scheme => &mut parsed.scheme,
            Component::Path => &mut parsed.path,
            Component::Query => &mut parsed.query,
            Component::Fragment => &mut parsed.fragment,
            Component::Userinfo | Component::Host | Component::Port | Component::HostKind => {
                return Outcome::unsupported("an authority is one text");
            }
        };
        match (component, value) {
            (Component::Path, None) => return Outcome::unsupported("sets a path to a path"),
            (Component::Path, Some(path)) => path.clone_into(field),
            (_, Some("")) => return Outcome::unsupported(NO_EMPTY_PART),
            (_, value) => value.unwrap_or_default().clone_into(field),
        }
        Outcome::uri(parsed.geturl())
    }
}
entry_point! {
    /// `urlparse`, which divides the path of some schemes at a ";" of its last segment.
    Urlparse = urlparse, |parsed: &urlparse_rs::ParseResult| match non_empty(&parsed.params) {
        Some(params) => format!("{};{params}", parsed.path),
        None => parsed.path.clone(),
    },
    &[Operation::Parse, Operation::Equivalent, Operation::RoundTrip, Operation::Contract]
}

const NO_EMPTY_PART: &str = "takes an empty part for none";

/// Whether `urljoin` resolves references with this scheme; with others it answers the reference.
fn urljoin_is_of(scheme: &str) -> bool {
    urlparse_rs::urljoin(&format!("{scheme}:/a"), "b", true).is_ok_and(|target| target != "b")
}

/// An undefined part is told as an empty one.
fn non_empty(part: &str) -> Option<&str> {
    Some(part).filter(|part| !part.is_empty())
}
