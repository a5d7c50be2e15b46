//! `oni-comb-uri-rs`: RFC 3986 by parser combinators.

use std::net::Ipv6Addr;

use oni_comb_uri_rs::models::authority::Authority;
use oni_comb_uri_rs::models::hier_part::HierPart;
use oni_comb_uri_rs::models::host_name::{HostName, IpLiteral};
use oni_comb_uri_rs::models::path::Path;
use oni_comb_uri_rs::models::query::Query;
use oni_comb_uri_rs::models::scheme::Scheme;
use oni_comb_uri_rs::models::uri;
use oni_comb_uri_rs::models::user_info::UserInfo;
use uriproof::model::{
    Component, Components, Declaration, Fidelity, HostKind, Observed, Operation, Outcome, Reported, Rule, Rung, Subject,
};

use super::contracts::of_eq;

/// `Uri::parse`, which parses what it can and does not tell what is left over.
pub struct Uri;

static DECLARATION: Declaration = Declaration::new(
    "oni-comb-uri-rs",
    "0.2.801",
    "Uri::parse",
    &[
        Operation::Parse,
        Operation::Compose,
        Operation::Equivalent,
        Operation::RoundTrip,
        Operation::Contract,
    ],
)
.with_rules(&[Rule::Uri])
.with_tells(&[
    (Component::Scheme, Fidelity::Exact),
    (Component::Userinfo, Fidelity::Exact),
    (Component::Host, Fidelity::HostValue),
    (Component::HostKind, Fidelity::Exact),
    (Component::Port, Fidelity::Number),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
    (Component::Fragment, Fidelity::Exact),
]);

impl Subject for Uri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::Uri).then(|| uri::Uri::parse(input).is_ok())
    }

    fn budget(&self) -> Option<usize> {
        Some(1_000)
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::Uri {
            return Outcome::unsupported(format!("parses {} only", Rule::Uri));
        }
        match uri::Uri::parse(input) {
            Ok(parsed) => Outcome::components(observed(&parsed)),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn compose(&self, components: &Components) -> Outcome {
        match build(components) {
            Ok(built) => Outcome::uri(built.to_string()),
            Err(reason) => Outcome::unsupported(reason),
        }
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Simple {
            return Outcome::unsupported("`==` does not normalize");
        }
        match (uri::Uri::parse(left), uri::Uri::parse(right)) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        match uri::Uri::parse(uri) {
            Ok(parsed) => Outcome::uri(parsed.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    /// There is a hash, and no `Eq` to promise anything about it.
    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (uri::Uri::parse(left), uri::Uri::parse(right)) {
            (Ok(left), Ok(right)) => Outcome::broken(of_eq(&left, &right)),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn observed(uri: &uri::Uri) -> Observed {
    let host_kind = uri.host_name().map(|host| match host {
        HostName::RegName(_) => HostKind::RegName,
        HostName::Ipv4Address(_) => HostKind::Ipv4,
        HostName::IpLiteral(IpLiteral::Ipv6Address(_)) => HostKind::Ipv6,
        HostName::IpLiteral(IpLiteral::IpvFuture(_)) => HostKind::Ipvfuture,
    });
    Observed {
        scheme: uri.schema().map(ToString::to_string).into(),
        userinfo: uri.user_info().map(ToString::to_string).into(),
        host: uri.host_name().map(ToString::to_string).into(),
        host_kind: host_kind.into(),
        port: uri.port().map(|port| port.to_string()).into(),
        // Without a hier-part there is no path: an empty one is not kept.
        path: Reported::Defined(uri.path().map(ToString::to_string).unwrap_or_default()),
        query: uri.query().map(ToString::to_string).into(),
        fragment: uri.fragment().cloned().into(),
    }
}

fn build(components: &Components) -> Result<uri::Uri, &'static str> {
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
    let authority = match host {
        Some(host) => {
            let user_info = userinfo.as_deref().map(|userinfo| match userinfo.split_once(':') {
                Some((name, password)) => UserInfo::from((name, Some(password))),
                None => UserInfo::from((userinfo, None)),
            });
            let port = port.as_deref().map(number).transpose()?;
            Some(Authority::new(host_name(host)?, port, user_info))
        }
        None if userinfo.is_none() && port.is_none() => None,
        None => return Err("builds no authority without a host"),
    };
    let parts = [path.as_str()];
    let path = match path.as_str() {
        "" => Path::of_empty(),
        _ if authority.is_some() => Path::of_abempty_from_strs(&parts),
        path if path.starts_with('/') => Path::of_absolute_from_strs(&parts),
        _ => Path::of_rootless_from_strs(&parts),
    };
    let query = query.as_deref().map(|query| {
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None => (pair, None),
        });
        Query::from(pairs.collect::<Vec<_>>())
    });
    Ok(uri::Uri::new(
        scheme.clone().map(Scheme::new),
        Some(HierPart::new(authority, path)),
        query,
        fragment.clone(),
    ))
}

fn host_name(host: &str) -> Result<HostName, &'static str> {
    let Some(literal) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) else {
        return Ok(HostName::RegName(host.to_owned()));
    };
    if literal.starts_with(['v', 'V']) {
        return Ok(HostName::IpLiteral(IpLiteral::IpvFuture(literal.to_owned())));
    }
    match literal.parse::<Ipv6Addr>() {
        Ok(address) if address.to_string() == literal => Ok(HostName::IpLiteral(IpLiteral::Ipv6Address(address))),
        _ => Err("builds an IPv6 address from an `Ipv6Addr`"),
    }
}

/// A port as the authority takes it, if that keeps its text.
fn number(port: &str) -> Result<u16, &'static str> {
    match port.parse::<u16>() {
        Ok(number) if number.to_string() == port => Ok(number),
        _ => Err("builds a port from a `u16`"),
    }
}
