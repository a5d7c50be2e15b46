//! What the algorithms work on: the components of a URI-reference, each undefined or not, with those of the authority.

use rfc3986_reference::components::parse;
use rfc3986_reference::readings::Reading;
use uriproof::model::Components;
use uriproof::split::{UserinfoEnd, components};

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
        parse(text, Reading::Rfc3986).ok().map(|_| Parts::split(text))
    }

    /// Those of a URI.
    pub(super) fn of_uri(text: &str) -> Option<Parts> {
        Parts::parse(text).filter(|parts| parts.scheme.is_some())
    }

    /// Those that any string has, well-formed or not.
    pub(super) fn split(text: &str) -> Parts {
        let parts = Parts::of(&components(text, UserinfoEnd::FirstAt).map(str::to_owned));
        parts.expect("only an authority has a userinfo or a port")
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
    /// Whether nothing stands between its "//" and its end.
    pub(super) fn is_empty(&self) -> bool {
        *self == Authority::default()
    }
}
