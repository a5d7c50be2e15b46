//! `web-url`: a subset of RFC 3986, URLs with a host and without userinfo, which it normalizes while it parses.

use std::str::FromStr;
use std::sync::LazyLock;

use uriproof::model::{
    Component, Components, Declaration, Fidelity, Forms, HostKind, Observed, Operation, Outcome, Reported, Rule, Rung,
    Scope, Specification, Subject,
};
use web_url::WebUrl;
use web_url::address::{Domain, Host, HostRef, IPAddress, IPv4Address, IPv6Address};

use super::contracts::{of_eq, of_hash, of_ord};

/// `WebUrl::from_str`
pub struct Url;

/// There is no userinfo to tell: it is refused.
static DECLARATION: LazyLock<Declaration> = LazyLock::new(|| {
    Declaration::new(
        "web-url",
        "0.11.0",
        "WebUrl::from_str",
        &[
            Operation::Parse,
            Operation::Normalize,
            Operation::Compose,
            Operation::Equivalent,
            Operation::Modify,
            Operation::RoundTrip,
            Operation::Contract,
        ],
    )
    .with_specification(Specification::Other("a subset of RFC 3986".to_owned()))
    .with_rules(&[Rule::Uri])
    .with_tells(&[
        (Component::Scheme, Fidelity::IgnoringCase),
        (Component::Host, Fidelity::HostValue),
        (Component::HostKind, Fidelity::Exact),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Exact),
        (Component::Query, Fidelity::Exact),
        (Component::Fragment, Fidelity::Exact),
    ])
    .with_forms(Forms::Normalized)
});

impl Subject for Url {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::Uri).then(|| WebUrl::from_str(input).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::Uri {
            return Outcome::unsupported(format!("parses {} only", Rule::Uri));
        }
        match WebUrl::from_str(input) {
            Ok(parsed) => Outcome::components(observed(&parsed)),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        if scope != Scope::Scheme {
            return Outcome::unsupported("parsing normalizes the port and an empty path too");
        }
        match WebUrl::from_str(uri) {
            Ok(parsed) => Outcome::uri(parsed),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn compose(&self, components: &Components) -> Outcome {
        build(components).unwrap_or_else(|outcome| *outcome)
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Scheme {
            return Outcome::unsupported("`==` compares what parsing has normalized, the port and an empty path too");
        }
        match (WebUrl::from_str(left), WebUrl::from_str(right)) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match WebUrl::from_str(uri) {
            Ok(mut parsed) => match modify(&mut parsed, component, value) {
                Ok(()) => Outcome::uri(parsed),
                Err(outcome) => *outcome,
            },
            Err(error) => Outcome::rejected(error),
        }
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        match WebUrl::from_str(uri) {
            Ok(parsed) => Outcome::uri(parsed.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (WebUrl::from_str(left), WebUrl::from_str(right)) {
            (Ok(left), Ok(right)) => {
                Outcome::broken([of_eq(&left, &right), of_hash(&left, &right), of_ord(&left, &right)].concat())
            }
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn observed(url: &WebUrl) -> Observed {
    let (host, host_kind) = match url.host() {
        HostRef::Name(domain) => (domain.to_string(), HostKind::RegName),
        HostRef::Address(IPAddress::V4(address)) => (address.to_string(), HostKind::Ipv4),
        HostRef::Address(IPAddress::V6(address)) => (format!("[{address}]"), HostKind::Ipv6),
    };
    Observed {
        scheme: Reported::Defined(url.scheme().as_str().to_owned()),
        userinfo: Reported::Nothing,
        host: Reported::Defined(host),
        host_kind: Reported::Defined(host_kind),
        port: url.port().map(|port| port.to_string()).into(),
        path: Reported::Defined(url.path().as_str().to_owned()),
        query: url.query().map(web_url::Query::value).into(),
        fragment: url.fragment().map(web_url::Fragment::value).into(),
    }
}

/// There is no builder: setters change everything of a URL that there is.
fn build(components: &Components) -> Result<Outcome, Box<Outcome>> {
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
    let (Some(scheme), Some(host), None) = (scheme, host, userinfo) else {
        return Err(Outcome::unsupported("builds URLs with a scheme and a host, and without userinfo").into());
    };
    let mut url = WebUrl::from_str("http://host/").map_err(rejected)?;
    let parts = [
        (Component::Scheme, Some(scheme)),
        (Component::Host, Some(host)),
        (Component::Port, port.as_ref()),
        (Component::Path, Some(path)),
        (Component::Query, query.as_ref()),
        (Component::Fragment, fragment.as_ref()),
    ];
    for (component, value) in parts {
        modify(&mut url, component, value.map(String::as_str))?;
    }
    Ok(Outcome::uri(url))
}

fn modify(url: &mut WebUrl, component: Component, value: Option<&str>) -> Result<(), Box<Outcome>> {
    let lacks = |what: &str| Err(Outcome::unsupported(what).into());
    match (component, value) {
        (Component::Scheme, Some(scheme)) => url.set_scheme(web_url::Scheme::new(scheme).map_err(rejected)?),
        (Component::Host, Some(host)) => url.set_host(&parsed_host(host)?),
        (Component::Port, port) => url.set_port(port.map(number).transpose()?),
        (Component::Path, Some("")) => url.set_path(web_url::Path::default()),
        (Component::Path, Some(path)) => url.set_path(web_url::Path::new(path).map_err(rejected)?),
        (Component::Query, query) => {
            let query = query.map(|query| format!("?{query}"));
            url.set_query(query.as_deref().map(web_url::Query::new).transpose().map_err(rejected)?);
        }
        (Component::Fragment, fragment) => {
            let fragment = fragment.map(|fragment| format!("#{fragment}"));
            url.set_fragment(fragment.as_deref().map(web_url::Fragment::new).transpose().map_err(rejected)?);
        }
        (Component::Scheme | Component::Host | Component::Path, None) => {
            return lacks("no URL without a scheme, a host and a path");
        }
        (Component::Userinfo, _) => return lacks("no URL with userinfo"),
        (Component::HostKind, _) => return lacks("the kind of a host follows from it"),
    }
    Ok(())
}

fn parsed_host(host: &str) -> Result<Host, Box<Outcome>> {
    Ok(match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(literal) => IPv6Address::from_str(literal).map_err(rejected)?.to_host(),
        None => match IPv4Address::from_str(host) {
            Ok(address) => address.to_host(),
            Err(_) => Host::Name(Domain::from_str(host).map_err(rejected)?),
        },
    })
}

/// A port as the setter takes it, if that keeps its text.
fn number(port: &str) -> Result<u16, Box<Outcome>> {
    match port.parse::<u16>() {
        Ok(number) if number.to_string() == port => Ok(number),
        _ => Err(Outcome::unsupported("builds a port from a `u16`").into()),
    }
}

fn rejected(error: impl ToString) -> Box<Outcome> {
    Outcome::rejected(error).into()
}
