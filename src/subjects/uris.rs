//! `uris`: a fork of `rhymuri` that differs in its resolver alone: without an authority, the only segment of the base's
//! path goes too.

use std::borrow::Cow;

use uris::Authority;

use super::contracts::of_eq;
use crate::model::{
    Component, Components, Declaration, Fidelity, Forms, Observed, Operation, Outcome, Reading, Rule, Rung, Scope,
    Specification, Subject, Told,
};
use crate::subjects::rhymuri::{data, joined, no_authority, number, octets, segments};

/// `Uri::parse`
pub struct Uri;

static DECLARATION: Declaration = Declaration {
    name: Cow::Borrowed("uris"),
    version: Cow::Borrowed("0.1.1"),
    entry_point: Cow::Borrowed("Uri::parse"),
    language: Cow::Borrowed("Rust"),
    specification: Specification::Rfc3986,
    rules: Cow::Borrowed(&[Rule::UriReference]),
    operations: Cow::Borrowed(&[
        Operation::Parse,
        Operation::Resolve,
        Operation::Normalize,
        Operation::Compose,
        Operation::Equivalent,
        Operation::Modify,
        Operation::RoundTrip,
        Operation::Contract,
    ]),
    tells: Cow::Borrowed(&[
        (Component::Scheme, Fidelity::IgnoringCase),
        (Component::Userinfo, Fidelity::Octets),
        (Component::Host, Fidelity::OctetsWithoutBrackets),
        (Component::Port, Fidelity::Number),
        (Component::Path, Fidelity::Octets),
        (Component::Query, Fidelity::Octets),
        (Component::Fragment, Fidelity::Octets),
    ]),
    forms: Forms::Verbatim,
};

impl Subject for Uri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::UriReference).then(|| uris::Uri::parse(input).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::UriReference {
            return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
        }
        match uris::Uri::parse(input) {
            Ok(parsed) => Outcome::components(Observed {
                scheme: parsed.scheme().into(),
                userinfo: parsed.userinfo().map(octets).into(),
                host: parsed.host().map(octets).into(),
                host_kind: Told::Untold,
                port: parsed.port().map(|port| port.to_string()).into(),
                path: Told::Defined(joined(parsed.path())),
                query: parsed.query().map(octets).into(),
                fragment: parsed.fragment().map(octets).into(),
            }),
            Err(error) => Outcome::rejected(error),
        }
    }

    /// Any URI-reference is taken as a base.
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        if !strict {
            return Outcome::unsupported("no non-strict mode");
        }
        let base = match uris::Uri::parse(base) {
            Ok(base) => base,
            Err(error) => return Outcome::rejected(format!("base refused: {error}")),
        };
        match uris::Uri::parse(reference) {
            Ok(reference) => Outcome::uri(base.resolve(&reference).to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    /// `normalize` is "the `remove_dot_segments` routine"; parsing and generating do the rest of §6.2.2.
    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        if scope != Scope::Syntax {
            return Outcome::unsupported("no scheme-based normalization");
        }
        match uris::Uri::parse(uri) {
            Ok(mut parsed) => {
                parsed.normalize();
                Outcome::uri(parsed.to_string())
            }
            Err(error) => Outcome::rejected(error),
        }
    }

    fn compose(&self, components: &Components) -> Outcome {
        build(components).unwrap_or_else(|outcome| *outcome)
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        if rung != Rung::Syntax {
            return Outcome::unsupported("`==` compares what is decoded, by no scheme's rules");
        }
        match (uris::Uri::parse(left), uris::Uri::parse(right)) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        match uris::Uri::parse(uri) {
            Ok(mut parsed) => match modify(&mut parsed, component, value) {
                Ok(()) => Outcome::uri(parsed.to_string()),
                Err(outcome) => *outcome,
            },
            Err(error) => Outcome::rejected(error),
        }
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        match uris::Uri::parse(uri) {
            Ok(parsed) => Outcome::uri(parsed.to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        match (uris::Uri::parse(left), uris::Uri::parse(right)) {
            (Ok(left), Ok(right)) => Outcome::broken(of_eq(&left, &right)),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn build(components: &Components) -> Result<Outcome, Box<Outcome>> {
    let Components {
        scheme,
        path,
        query,
        fragment,
        ..
    } = components;
    let mut uri = uris::Uri::default();
    uri.set_scheme(scheme.clone()).map_err(|error| Box::new(Outcome::rejected(error)))?;
    uri.set_authority(authority(components)?);
    uri.set_path(segments(path)?);
    uri.set_query(query.as_deref().map(|query| data(Rule::Query, query)).transpose()?);
    uri.set_fragment(fragment.as_deref().map(|fragment| data(Rule::Fragment, fragment)).transpose()?);
    Ok(Outcome::uri(uri.to_string()))
}

fn modify(uri: &mut uris::Uri, component: Component, value: Option<&str>) -> Result<(), Box<Outcome>> {
    let octets_of = |rule| value.map(|text| data(rule, text)).transpose();
    match component {
        Component::Scheme => uri.set_scheme(value.map(str::to_owned)).map_err(|error| Outcome::rejected(error).into()),
        Component::Userinfo => {
            let userinfo = octets_of(Rule::Userinfo)?;
            let mut authority = uri.take_authority().ok_or_else(no_authority)?;
            authority.set_userinfo(userinfo);
            uri.set_authority(Some(authority));
            Ok(())
        }
        Component::Host => match (value, uri.take_authority()) {
            (Some(host), authority) => {
                let mut authority = authority.unwrap_or_default();
                set_host(&mut authority, host)?;
                uri.set_authority(Some(authority));
                Ok(())
            }
            (None, Some(authority)) if authority.userinfo().is_some() || authority.port().is_some() => {
                Err(Outcome::unsupported("removes an authority as a whole").into())
            }
            (None, _) => Ok(()),
        },
        Component::Port => {
            let port = value.map(number).transpose()?;
            let mut authority = uri.take_authority().ok_or_else(no_authority)?;
            authority.set_port(port);
            uri.set_authority(Some(authority));
            Ok(())
        }
        Component::Path => match value {
            Some(path) => {
                uri.set_path(segments(path)?);
                Ok(())
            }
            None => Err(Outcome::unsupported("sets a path to a path").into()),
        },
        Component::Query => {
            uri.set_query(octets_of(Rule::Query)?);
            Ok(())
        }
        Component::Fragment => {
            uri.set_fragment(octets_of(Rule::Fragment)?);
            Ok(())
        }
        Component::HostKind => Err(Outcome::unsupported("the kind of a host follows from it").into()),
    }
}

fn authority(components: &Components) -> Result<Option<Authority>, Box<Outcome>> {
    let Components {
        userinfo, host, port, ..
    } = components;
    let Some(host) = host else {
        if userinfo.is_some() || port.is_some() {
            return Err(Outcome::unsupported("builds no authority without a host").into());
        }
        return Ok(None);
    };
    let mut authority = Authority::default();
    set_host(&mut authority, host)?;
    authority.set_userinfo(userinfo.as_deref().map(|userinfo| data(Rule::Userinfo, userinfo)).transpose()?);
    authority.set_port(port.as_deref().map(number).transpose()?);
    Ok(Some(authority))
}

fn set_host(authority: &mut Authority, host: &str) -> Result<(), Box<Outcome>> {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        // What looks like an IPv6 address gets its brackets back; what does not is a reg-name.
        Some(address) if Rule::Ipv6Address.matches(address, Reading::Rfc3986).is_ok() => authority.set_host(address),
        Some(_) => return Err(Outcome::unsupported("builds no IP-literal but of an IPv6 address").into()),
        None => authority.set_host(data(Rule::RegName, host)?),
    }
    Ok(())
}
