//! `urlparse`: Python's `urllib.parse` as it was in 2016; it refuses nothing.

use std::sync::LazyLock;

use uriproof::model::{
    Component, Components, Declaration, Fidelity, Observed, Operation, Outcome, Reported, Rule, Rung, Specification,
    Subject,
};

use super::contracts::{of_eq, of_hash, of_ord};
use super::one_text;

/// `urlparse`
pub struct Urlparse;

static DECLARATION: LazyLock<Declaration> = LazyLock::new(|| {
    Declaration::new(
        "urlparse",
        "0.7.3",
        "urlparse",
        &[
            Operation::Parse,
            Operation::Compose,
            Operation::Equivalent,
            Operation::Modify,
            Operation::RoundTrip,
            Operation::Contract,
        ],
    )
    .with_specification(Specification::Other("Python urllib.parse".to_owned()))
    .with_tells(&[
        (Component::Scheme, Fidelity::IgnoringCase),
        (Component::Userinfo, Fidelity::EmptyIsUndefined),
        (Component::Host, Fidelity::BareHost),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::EmptyIsUndefined),
        (Component::Fragment, Fidelity::EmptyIsUndefined),
    ])
});

impl Subject for Urlparse {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, _input: &str) -> Option<bool> {
        (rule == Rule::UriReference).then_some(true)
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::UriReference {
            return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
        }
        Outcome::components(observed(urlparse::urlparse(input)))
    }

    fn compose(&self, components: &Components) -> Outcome {
        let Components {
            scheme,
            path,
            query,
            fragment,
            ..
        } = components;
        if scheme.as_deref() == Some("") {
            return Outcome::unsupported(NO_SCHEME);
        }
        let authority = match one_text::authority(components) {
            Ok(authority) => authority,
            Err(outcome) => return *outcome,
        };
        let mut url = urlparse::Url::new();
        // No scheme is an empty one, and no authority too.
        url.scheme = scheme.clone().unwrap_or_default();
        url.netloc = authority.unwrap_or_default();
        url.path.clone_from(path);
        url.query.clone_from(query);
        url.fragment.clone_from(fragment);
        Outcome::uri(urlparse::urlunparse(url))
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Simple {
            return Outcome::unsupported("`==` does not normalize");
        }
        Outcome::equivalent(urlparse::urlparse(left) == urlparse::urlparse(right))
    }

    /// The fields are public; of an authority, one is printed that holds all of it.
    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        let mut url = urlparse::urlparse(uri);
        let text = value.map(str::to_owned);
        match (component, value) {
            (Component::Scheme, Some("")) => return Outcome::unsupported(NO_SCHEME),
            (Component::Scheme, _) => url.scheme = text.unwrap_or_default(),
            (Component::Path, Some(path)) => path.clone_into(&mut url.path),
            (Component::Path, None) => return Outcome::unsupported("sets a path to a path"),
            (Component::Query, _) => url.query = text,
            (Component::Fragment, _) => url.fragment = text,
            (Component::Userinfo | Component::Host | Component::Port | Component::HostKind, _) => {
                return Outcome::unsupported("an authority is one text");
            }
        }
        Outcome::uri(urlparse::urlunparse(url))
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        Outcome::uri(urlparse::urlunparse(urlparse::urlparse(uri)))
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        let (left, right) = (urlparse::urlparse(left), urlparse::urlparse(right));
        Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat())
    }
}

const NO_SCHEME: &str = "takes an empty scheme for none";

fn observed(url: urlparse::Url) -> Observed {
    let userinfo = match (url.username, url.password) {
        (username, None) => username,
        (username, Some(password)) => Some(format!("{}:{password}", username.unwrap_or_default())),
    };
    Observed {
        scheme: Some(url.scheme).filter(|scheme| !scheme.is_empty()).into(),
        userinfo: userinfo.into(),
        host: url.hostname.into(),
        host_kind: Reported::Nothing,
        port: url.port.map(|port| port.to_string()).into(),
        path: Reported::Defined(url.path),
        query: url.query.into(),
        fragment: url.fragment.into(),
    }
}
