//! What the algorithms work on: the components of a URI-reference, each undefined or not, with those of the authority.

use rfc3986_reference::components::{Reference, parse};
use rfc3986_reference::readings::Reading;
use rfc3986_reference::split::split;
use uriproof::model::Components;

/// The five components (RFC 3986 §3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) scheme: Option<String>,
    pub(super) authority: Option<Authority>,
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// The parts of an authority (RFC 3986 §3.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Authority {
    pub(super) userinfo: Option<String>,
    pub(super) host: String,
    pub(super) port: Option<String>,
}

impl Parts {
    /// Those of a URI-reference.
    pub(super) fn parse(text: &str) -> Option<Parts> {
        let Reference { components, authority } = parse(text, Reading::Rfc3986).ok()?;
        Some(Parts {
            scheme: components.scheme.map(str::to_owned),
            authority: authority.map(|authority| Authority {
                userinfo: authority.userinfo.map(str::to_owned),
                host: authority.host.to_owned(),
                port: authority.port.map(str::to_owned),
            }),
            path: components.path.into_owned(),
            query: components.query.map(str::to_owned),
            fragment: components.fragment.map(str::to_owned),
        })
    }

    /// Those of a URI.
    pub(super) fn of_uri(text: &str) -> Option<Parts> {
        Parts::parse(text).filter(|parts| parts.scheme.is_some())
    }

    /// Those that Appendix B finds in any string.
    pub(super) fn split(text: &str) -> Parts {
        let components = split(text);
        Parts {
            scheme: components.scheme.map(str::to_owned),
            authority: components.authority.map(Authority::split),
            path: components.path.into_owned(),
            query: components.query.map(str::to_owned),
            fragment: components.fragment.map(str::to_owned),
        }
    }

    /// Those of components that are to be composed; `None` where a userinfo or a port has no host.
    pub(super) fn of(components: &Components) -> Option<Parts> {
        let authority = match &components.host {
            Some(host) => Some(Authority {
                userinfo: components.userinfo.clone(),
                host: host.clone(),
                port: components.port.clone(),
            }),
            None if components.userinfo.is_some() || components.port.is_some() => return None,
            None => None,
        };
        Some(Parts {
            scheme: components.scheme.clone(),
            authority,
            path: components.path.clone(),
            query: components.query.clone(),
            fragment: components.fragment.clone(),
        })
    }
}

impl Authority {
    /// The userinfo before the last "@", the port behind the last ":" that is not in brackets.
    fn split(text: &str) -> Authority {
        let (userinfo, rest) = match text.rsplit_once('@') {
            Some((userinfo, rest)) => (Some(userinfo.to_owned()), rest),
            None => (None, text),
        };
        let behind_literal = rest.rfind(']').map_or(0, |bracket| bracket + 1);
        let (host, port) = match rest[behind_literal..].rfind(':') {
            Some(colon) => {
                let colon = behind_literal + colon;
                (&rest[..colon], Some(rest[colon + 1..].to_owned()))
            }
            None => (rest, None),
        };
        Authority {
            userinfo,
            host: host.to_owned(),
            port,
        }
    }

    /// Whether nothing stands between its "//" and its end.
    pub(super) fn is_empty(&self) -> bool {
        *self == Authority::default()
    }
}
