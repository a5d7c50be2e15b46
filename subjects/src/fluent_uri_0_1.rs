//! `fluent-uri` 0.1: RFC 3986 without IPvFuture, which is a feature that its documentation advises against.
//!
//! It parses and prints, and does nothing else: no resolution, no normalization, no builder, no equality.

use fluent_uri_0_1::enc::EStr;
use fluent_uri_0_1::{Authority, HostData, Scheme};
use uriproof::model::{Declaration, EVERYTHING, HostKind, Observed, Operation, Outcome, Reported, Rule, Subject};

/// `Uri::parse`, which takes a reference too.
pub struct Uri;

static DECLARATION: Declaration = Declaration::new(
    "fluent-uri",
    "0.1.4",
    "Uri::parse",
    &[Operation::Parse, Operation::RoundTrip],
)
.with_tells(EVERYTHING);

impl Subject for Uri {
    fn declaration(&self) -> &Declaration {
        &DECLARATION
    }

    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        (rule == Rule::UriReference).then(|| fluent_uri_0_1::Uri::parse(input).is_ok())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if rule != Rule::UriReference {
            return Outcome::unsupported(format!("parses {} only", Rule::UriReference));
        }
        let parsed = match fluent_uri_0_1::Uri::parse(input) {
            Ok(parsed) => parsed,
            Err(error) => {
                return Outcome::Rejected {
                    reason: Some(error.to_string()),
                    offset: Some(error.index()),
                };
            }
        };
        let authority = parsed.authority();
        let host_kind = authority.map(|authority| match authority.host().data() {
            HostData::Ipv4(_) => HostKind::Ipv4,
            HostData::Ipv6 { .. } => HostKind::Ipv6,
            HostData::RegName(_) => HostKind::RegName,
        });
        Outcome::components(Observed {
            scheme: parsed.scheme().map(Scheme::as_str).into(),
            userinfo: authority.and_then(Authority::userinfo).map(EStr::as_str).into(),
            host: authority.map(|authority| authority.host().as_str()).into(),
            host_kind: host_kind.into(),
            port: authority.and_then(Authority::port).into(),
            path: Reported::Defined(parsed.path().as_str().to_owned()),
            query: parsed.query().map(EStr::as_str).into(),
            fragment: parsed.fragment().map(EStr::as_str).into(),
        })
    }
    fn round_trip(&self, uri: &str) -> Outcome {
        match fluent_uri_0_1::Uri::parse(uri) {
            Ok(parsed) => Outcome::uri(parsed.to_string()),
            Err(error) => Outcome::Rejected {
                reason: Some(error.to_string()),
                offset: Some(error.index()),
            },
        }
    }
}
