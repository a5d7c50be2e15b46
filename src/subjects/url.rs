//! `url`: the WHATWG URL Standard, which normalizes while it parses.

use std::borrow::Cow;

use url::Host;

use crate::model::{
    Component, Declaration, Fidelity, Forms, HostKind, Observed, Operation, Outcome, Rule, Rung, Scope, Specification,
    Subject, Told,
};

/// `Url::parse`
pub struct Url;

/// The setters change a URL that there already is, within its kind of scheme: no way to make one of components.
static DECLARATION: Declaration = Declaration {
    name: Cow::Borrowed("url"),
    version: Cow::Borrowed("2.5.8"),
    entry_point: Cow::Borrowed("Url::parse"),
    language: Cow::Borrowed("Rust"),
    specification: Specification::WhatwgUrl,
    rules: Cow::Borrowed(&[Rule::Uri]),
    operations: Cow::Borrowed(&[
        Operation::Parse,
        Operation::Resolve,
        Operation::Normalize,
        Operation::Equivalent,
    ]),
    tells: Cow::Borrowed(&[
        (Component::Scheme, Fidelity::IgnoringCase),
        (Component::Userinfo, Fidelity::EmptyIsUndefined),
        (Component::Host, Fidelity::Exact),
        (Component::HostKind, Fidelity::Exact),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::Exact),
        (Component::Fragment, Fidelity::Exact),
    ]),
    forms: Forms::Normalized,
};

impl Subject for Url {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::Uri).then(|| url::Url::parse(input).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::Uri {
            return Outcome::unsupported(format!("parses {} only", Rule::Uri));
        }
        match url::Url::parse(input) {
            Ok(parsed) => Outcome::components(observed(&parsed)),
            Err(error) => Outcome::rejected(error),
        }
    }

    /// The standard has one algorithm: for its special schemes the non-strict one, for all others the strict one.
    fn resolve(&self, base: &str, reference: &str, _strict: bool) -> Outcome {
        let base = match url::Url::parse(base) {
            Ok(base) => base,
            Err(error) => return Outcome::rejected(format!("base refused: {error}")),
        };
        match base.join(reference) {
            Ok(target) => Outcome::uri(target),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        if scope != Scope::Scheme {
            return Outcome::unsupported("parsing normalizes by the rules of the scheme too");
        }
        match url::Url::parse(uri) {
            Ok(parsed) => Outcome::uri(parsed),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Scheme {
            return Outcome::unsupported("`==` compares what parsing has normalized by the rules of the scheme");
        }
        match (url::Url::parse(left), url::Url::parse(right)) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn observed(url: &url::Url) -> Observed {
    // No username is an empty one, with or without "@".
    let userinfo = match (url.username(), url.password()) {
        ("", None) => None,
        (username, None) => Some(username.to_owned()),
        (username, Some(password)) => Some(format!("{username}:{password}")),
    };
    // An authority without a host is one with an empty host, such as that of `file:///`; an empty host is a reg-name.
    let (host, host_kind) = match url.host() {
        Some(Host::Ipv4(_)) => (url.host_str(), Some(HostKind::Ipv4)),
        Some(Host::Ipv6(_)) => (url.host_str(), Some(HostKind::Ipv6)),
        Some(Host::Domain(_)) => (url.host_str(), Some(HostKind::RegName)),
        None if url.has_authority() => (Some(""), Some(HostKind::RegName)),
        None => (None, None),
    };
    Observed {
        scheme: Told::Defined(url.scheme().to_owned()),
        userinfo: userinfo.into(),
        host: host.into(),
        host_kind: host_kind.into(),
        port: url.port().map(|port| port.to_string()).into(),
        path: Told::Defined(url.path().to_owned()),
        query: url.query().into(),
        fragment: url.fragment().into(),
    }
}
