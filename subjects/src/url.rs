//! `url`: the WHATWG URL Standard, which normalizes while it parses.

use uriproof::model::{
    Component, Declaration, Fidelity, Forms, HostKind, Observed, Operation, Outcome, Reported, Rule, Rung, Scope,
    Shown, Specification, Subject,
};
use url::{Host, Position};

use super::contracts::{of_eq, of_hash, of_ord};
use super::other_rule;

/// `Url::parse`
pub struct Url;

/// The setters change a URL that there already is, within its kind of scheme: no way to make one of components.
static DECLARATION: Declaration = Declaration::new(
    "url",
    "2.5.8",
    "Url::parse",
    &[
        Operation::Parse,
        Operation::Resolve,
        Operation::Normalize,
        Operation::Equivalent,
        Operation::Relativize,
        Operation::Modify,
        Operation::RoundTrip,
        Operation::Contract,
    ],
)
.with_specification(Specification::WhatwgUrl)
.with_rules(&[Rule::Uri])
.with_tells(&[
    (Component::Scheme, Fidelity::IgnoringCase),
    (Component::Userinfo, Fidelity::EmptyIsUndefined),
    (Component::Host, Fidelity::Exact),
    (Component::HostKind, Fidelity::Exact),
    (Component::Port, Fidelity::Number),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
    (Component::Fragment, Fidelity::Exact),
])
.with_forms(Forms::Normalized);

impl Subject for Url {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::Uri).then(|| url::Url::parse(input).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        Outcome::shown(|see| self.show(rule, input, see))
    }

    fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
        if rule != Rule::Uri {
            return see(Shown::Otherwise(&other_rule(Rule::Uri)));
        }
        match url::Url::parse(input) {
            Ok(parsed) => see(Shown::Accepted(observed(&parsed))),
            Err(error) => see(Shown::rejected(&error)),
        }
    }

    /// The standard has one algorithm: for its special schemes the non-strict one, for all others the strict one.
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        let base = match url::Url::parse(base) {
            Ok(base) => base,
            Err(error) => return Outcome::rejected(format!("base refused: {error}")),
        };
        if !strict && !is_special(base.scheme()) {
            return Outcome::unsupported("strict for schemes that are not special");
        }
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

    fn relativize(&self, base: &str, target: &str) -> Outcome {
        match (url::Url::parse(base), url::Url::parse(target)) {
            (Ok(base), Ok(target)) => match base.make_relative(&target) {
                Some(reference) => Outcome::uri(reference),
                None => Outcome::rejected("`make_relative` answers `None`"),
            },
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match url::Url::parse(uri) {
            Ok(mut parsed) => match modify(&mut parsed, component, value) {
                Ok(()) => Outcome::uri(parsed),
                Err(outcome) => *outcome,
            },
            Err(error) => Outcome::rejected(error),
        }
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        match url::Url::parse(uri) {
            Ok(parsed) => Outcome::uri(parsed.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (url::Url::parse(left), url::Url::parse(right)) {
            (Ok(left), Ok(right)) => {
                Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat())
            }
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn modify(url: &mut url::Url, component: Component, value: Option<&str>) -> Result<(), Box<Outcome>> {
    let refused = |()| Box::new(Outcome::rejected("the setter answers `Err(())`"));
    let lacks = |what: &str| Err(Box::new(Outcome::unsupported(what)));
    match (component, value) {
        (Component::Scheme, Some(scheme)) => url.set_scheme(scheme).map_err(refused),
        (Component::Scheme, None) => lacks("no URL without a scheme"),
        (Component::Userinfo, Some(userinfo)) if userinfo.is_empty() || userinfo.ends_with(':') => {
            lacks("sets an empty username or password to remove it")
        }
        (Component::Userinfo, userinfo) => {
            let userinfo = userinfo.unwrap_or_default();
            let (username, password) = match userinfo.split_once(':') {
                Some((username, password)) => (username, Some(password)),
                None => (userinfo, None),
            };
            url.set_username(username).and_then(|()| url.set_password(password)).map_err(refused)
        }
        (Component::Host, host) => url.set_host(host).map_err(|error| Box::new(Outcome::rejected(error))),
        (Component::Port, None) => url.set_port(None).map_err(refused),
        (Component::Port, Some(port)) => match port.parse::<u16>() {
            Ok(number) if number.to_string() == port => url.set_port(Some(number)).map_err(refused),
            _ => lacks("sets a port from a `u16`"),
        },
        (Component::Path, Some(path)) => {
            url.set_path(path);
            Ok(())
        }
        (Component::Path, None) => lacks("no URL without a path"),
        (Component::Query, query) => {
            url.set_query(query);
            Ok(())
        }
        (Component::Fragment, fragment) => {
            url.set_fragment(fragment);
            Ok(())
        }
        (Component::HostKind, _) => lacks("the kind of a host follows from it"),
    }
}

/// The schemes that the standard calls special.
fn is_special(scheme: &str) -> bool {
    matches!(scheme, "ftp" | "file" | "http" | "https" | "ws" | "wss")
}

fn observed(url: &url::Url) -> Observed<&str> {
    // No username is an empty one, with or without "@".
    let userinfo = match (url.username(), url.password()) {
        ("", None) => None,
        (username, None) => Some(username),
        (_, Some(_)) => Some(&url[Position::BeforeUsername..Position::AfterPassword]),
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
        scheme: Reported::Defined(url.scheme()),
        userinfo: userinfo.into(),
        host: host.into(),
        host_kind: host_kind.into(),
        port: url.port().map(|_| &url[Position::BeforePort..Position::AfterPort]).into(),
        path: Reported::Defined(url.path()),
        query: url.query().into(),
        fragment: url.fragment().into(),
    }
}
