//! `http`: what HTTP takes from RFC 3986, which is the forms of a request target.

use std::borrow::Cow;

use crate::model::{
    Component, Components, Declaration, Fidelity, Forms, Observed, Operation, Outcome, Reading, Rule, Rung,
    Specification, Subject, Told,
};

/// `Uri::from_str`
pub struct Uri;

/// A userinfo is a part of the authority only, and a fragment is dropped: neither is told.
static DECLARATION: Declaration = Declaration {
    name: Cow::Borrowed("http"),
    version: Cow::Borrowed("1.5.0"),
    entry_point: Cow::Borrowed("Uri::from_str"),
    language: Cow::Borrowed("Rust"),
    specification: Specification::Http,
    rules: Cow::Borrowed(&[Rule::UriReference]),
    operations: Cow::Borrowed(&[Operation::Parse, Operation::Compose, Operation::Equivalent]),
    tells: Cow::Borrowed(&[
        (Component::Scheme, Fidelity::IgnoringCase),
        (Component::Host, Fidelity::Exact),
        (Component::Port, Fidelity::EmptyIsUndefined),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::Exact),
    ]),
    forms: Forms::Verbatim,
};

impl Subject for Uri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::UriReference).then(|| input.parse::<http::Uri>().is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::UriReference {
            return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
        }
        match input.parse::<http::Uri>() {
            Ok(parsed) => Outcome::components(Observed {
                scheme: parsed.scheme_str().into(),
                host: parsed.host().into(),
                port: parsed.port().map(|port| port.as_str().to_owned()).into(),
                path: Told::Defined(parsed.path().to_owned()),
                query: parsed.query().into(),
                ..Observed::default()
            }),
            Err(error) => Outcome::rejected(error),
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
}
