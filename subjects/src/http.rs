//! `http`: what HTTP takes from RFC 3986, which is the forms of a request target.

use uriproof::model::{
    Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Reading, Reported, Rule, Rung, Shown,
    Specification, Subject,
};

use super::contracts::{of_eq, of_hash};
use super::other_rule;

/// `Uri::from_str`
pub struct Uri;

/// A userinfo is a part of the authority only, and a fragment is dropped: neither is told.
static DECLARATION: Declaration = Declaration::new(
    "http",
    "1.5.0",
    "Uri::from_str",
    &[
        Operation::Parse,
        Operation::Compose,
        Operation::Equivalent,
        Operation::Modify,
        Operation::RoundTrip,
        Operation::Contract,
    ],
)
.with_specification(Specification::Http)
.with_tells(&[
    (Component::Scheme, Fidelity::IgnoringCase),
    (Component::Host, Fidelity::Exact),
    (Component::Port, Fidelity::EmptyIsUndefined),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
]);

impl Subject for Uri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::UriReference).then(|| input.parse::<http::Uri>().is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        Outcome::shown(|see| self.show(rule, input, see))
    }

    fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
        if rule != Rule::UriReference {
            return see(Shown::Otherwise(&other_rule(Rule::UriReference)));
        }
        match input.parse::<http::Uri>() {
            Ok(parsed) => {
                let port = parsed.port();
                see(Shown::Accepted(Observed {
                    scheme: parsed.scheme_str().into(),
                    host: parsed.host().into(),
                    port: port.as_ref().map(http::uri::Port::as_str).into(),
                    path: Reported::Defined(parsed.path()),
                    query: parsed.query().into(),
                    ..Observed::default()
                }));
            }
            Err(error) => see(Shown::rejected(&error)),
        }
    }

    /// The builder has three parts: the scheme, the authority, and the path with the query. What would end a part early
    /// cannot be given to it.
    fn compose(&self, components: &Components) -> Outcome {
        let Components {
            scheme,
            userinfo,
            host,
            host_kind: _,
            port,
            path,
            query,
            fragment,
        } = components;
        if fragment.is_some() {
            return Outcome::unsupported("builds no fragment");
        }
        if path.contains(['?', '#']) || query.as_ref().is_some_and(|query| query.contains('#')) {
            return Outcome::unsupported("builds path and query from one text");
        }
        let matches = |rule: Rule, text: &str| rule.matches(text, Reading::Rfc3986).is_ok();
        let authority = match components.authority() {
            Some(authority) => {
                let well_formed = host.as_ref().is_none_or(|host| matches(Rule::Host, host))
                    && userinfo.as_ref().is_none_or(|userinfo| matches(Rule::Userinfo, userinfo))
                    && port.as_ref().is_none_or(|port| matches(Rule::Port, port));
                if !well_formed {
                    return Outcome::unsupported("builds an authority from one text");
                }
                Some(authority)
            }
            None if userinfo.is_none() && port.is_none() => None,
            None => return Outcome::unsupported("builds no authority without a host"),
        };
        let mut builder = http::Uri::builder();
        if let Some(scheme) = scheme {
            builder = builder.scheme(scheme.as_str());
        }
        if let Some(authority) = authority {
            builder = builder.authority(authority);
        }
        builder = match query {
            Some(query) => builder.path_and_query(format!("{path}?{query}")),
            None => builder.path_and_query(path.as_str()),
        };
        match builder.build() {
            Ok(built) => Outcome::uri(built.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Syntax {
            return Outcome::unsupported("`==` ignores the case of scheme and authority, by no scheme's rules");
        }
        match (left.parse::<http::Uri>(), right.parse::<http::Uri>()) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        if !matches!(component, Component::Scheme | Component::Path | Component::Query) {
            return Outcome::unsupported(PARTS);
        }
        let parsed = match uri.parse::<http::Uri>() {
            Ok(parsed) => parsed,
            Err(error) => return Outcome::rejected(error),
        };
        match modified(parsed, component, value) {
            Ok(parts) => match http::Uri::from_parts(parts) {
                Ok(modified) => Outcome::uri(modified.to_string()),
                Err(error) => Outcome::rejected(error),
            },
            Err(outcome) => *outcome,
        }
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        match str::parse::<http::Uri>(uri) {
            Ok(parsed) => Outcome::uri(parsed.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (str::parse::<http::Uri>(left), str::parse::<http::Uri>(right)) {
            (Ok(left), Ok(right)) => Outcome::broken([of_eq(&left, &right), of_hash(&left, &right)].concat()),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

const PARTS: &str = "changes scheme, path and query; an authority is one text, and there is no fragment";

/// The parts are those of the builder: the authority is one, and path and query are one.
fn modified(parsed: http::Uri, component: Component, value: Option<&str>) -> Result<http::uri::Parts, Box<Outcome>> {
    let unsupported = |reason: &str| Err(Box::new(Outcome::unsupported(reason)));
    let (path, query) = (parsed.path().to_owned(), parsed.query().map(str::to_owned));
    let mut parts = parsed.into_parts();
    match (component, value) {
        (Component::Scheme, None) => parts.scheme = None,
        (Component::Scheme, Some(scheme)) => parts.scheme = Some(scheme.parse().map_err(rejected)?),
        (Component::Path, None) => return unsupported("sets a path to a path"),
        (Component::Path | Component::Query, Some(text)) if text.contains('#') => {
            return unsupported("sets path and query as one text");
        }
        (Component::Path, Some(path)) if path.contains('?') => return unsupported("sets path and query as one text"),
        (Component::Path, Some(path)) => parts.path_and_query = Some(path_and_query(path, query.as_deref())?),
        (Component::Query, query) => parts.path_and_query = Some(path_and_query(&path, query)?),
        _ => return unsupported(PARTS),
    }
    Ok(parts)
}

fn path_and_query(path: &str, query: Option<&str>) -> Result<http::uri::PathAndQuery, Box<Outcome>> {
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{path}{query}").parse().map_err(rejected)
}

fn rejected(error: impl ToString) -> Box<Outcome> {
    Outcome::rejected(error).into()
}
