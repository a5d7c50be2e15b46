//! `rhymuri`: RFC 3986 by way of the "Elements" model: it holds what is left after percent-decoding.

use std::borrow::Cow;

use rfc3986_reference::characters::{is_unreserved, leading_triplet, percent_decode, percent_encode};
use rhymuri::Authority;

use crate::model::{
    Component, Components, Declaration, Fidelity, Forms, Observed, Operation, Outcome, Reading, Rule, Rung, Scope,
    Specification, Subject, Told,
};

/// `Uri::parse`
pub struct Uri;

static DECLARATION: Declaration = Declaration {
    name: Cow::Borrowed("rhymuri"),
    version: Cow::Borrowed("1.3.1"),
    entry_point: Cow::Borrowed("Uri::parse"),
    language: Cow::Borrowed("Rust"),
    specification: Specification::Rfc3986,
    rules: Cow::Borrowed(&[Rule::UriReference]),
    operations: Cow::Borrowed(&Operation::ALL),
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
        (rule == Rule::UriReference).then(|| rhymuri::Uri::parse(input).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::UriReference {
            return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
        }
        match rhymuri::Uri::parse(input) {
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
        let base = match rhymuri::Uri::parse(base) {
            Ok(base) => base,
            Err(error) => return Outcome::rejected(format!("base refused: {error}")),
        };
        match rhymuri::Uri::parse(reference) {
            Ok(reference) => Outcome::uri(base.resolve(&reference).to_string()),
            Err(error) => Outcome::rejected(error),
        }
    }

    /// `normalize` is "the `remove_dot_segments` routine"; parsing and generating do the rest of §6.2.2.
    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        if scope != Scope::Syntax {
            return Outcome::unsupported("no scheme-based normalization");
        }
        match rhymuri::Uri::parse(uri) {
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
        match (rhymuri::Uri::parse(left), rhymuri::Uri::parse(right)) {
            (Ok(left), Ok(right)) => Outcome::equivalent(left == right),
            (Err(error), _) | (_, Err(error)) => Outcome::rejected(error),
        }
    }
}

fn octets(data: &[u8]) -> String {
    percent_encode(data, is_unreserved)
}

/// The documented reading of a path: `[]` is empty, `[""]` is "/", and "/" stands between segments else.
fn joined(path: &[Vec<u8>]) -> String {
    match path {
        [segment] if segment.is_empty() => "/".to_owned(),
        segments => segments.iter().map(|segment| octets(segment)).collect::<Vec<_>>().join("/"),
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
    let mut uri = rhymuri::Uri::default();
    uri.set_scheme(scheme.clone()).map_err(|error| Box::new(Outcome::rejected(error)))?;
    uri.set_authority(authority(components)?);
    uri.set_path(match path.as_str() {
        "" => Vec::new(),
        "/" => vec![Vec::new()],
        path => path.split('/').map(|segment| data(Rule::Segment, segment)).collect::<Result<Vec<_>, _>>()?,
    });
    uri.set_query(query.as_deref().map(|query| data(Rule::Query, query)).transpose()?);
    uri.set_fragment(fragment.as_deref().map(|fragment| data(Rule::Fragment, fragment)).transpose()?);
    Ok(Outcome::uri(uri.to_string()))
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
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        // What looks like an IPv6 address gets its brackets back; what does not is a reg-name.
        Some(address) if Rule::Ipv6Address.matches(address, Reading::Rfc3986).is_ok() => authority.set_host(address),
        Some(_) => return Err(Outcome::unsupported("builds no IP-literal but of an IPv6 address").into()),
        None => authority.set_host(data(Rule::RegName, host)?),
    }
    authority.set_userinfo(userinfo.as_deref().map(|userinfo| data(Rule::Userinfo, userinfo)).transpose()?);
    if let Some(port) = port {
        match port.parse::<u16>() {
            Ok(number) if number.to_string() == *port => authority.set_port(Some(number)),
            _ => return Err(Outcome::unsupported("builds a port from a `u16`").into()),
        }
    }
    Ok(Some(authority))
}

/// The octets of a component, for a setter that takes what is to be encoded. Such a setter can be given nothing that
/// is badly encoded, nor told to encode what needs no encoding.
fn data(rule: Rule, text: &str) -> Result<Vec<u8>, Box<Outcome>> {
    let well_encoded = text.match_indices('%').all(|(at, _)| {
        leading_triplet(&text.as_bytes()[at..])
            .is_some_and(|octet| !is_unreserved(octet) && text[at..].starts_with(&percent_encode(&[octet], |_| false)))
    });
    if rule.matches(text, Reading::Rfc3986).is_err() || !well_encoded {
        return Err(Outcome::unsupported("builds from octets that it encodes itself").into());
    }
    Ok(percent_decode(text))
}
