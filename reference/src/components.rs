//! RFC 3986 §3: the components of a URI-reference, and the parser that finds and validates them.
//!
//! "A URI-reference is typically parsed first into the five URI components, in order to determine what components are
//! present and whether the reference is relative. Then, each component is parsed for its subparts and their
//! validation" (§4.1). [`parse`] does just that: [`split`], then the rule of each
//! component. It does not use the functions of `grammar` that match a whole URI-reference, which are another
//! derivation of the same language.

use std::borrow::Cow;

use crate::grammar::{self, Error, HostKind, Match, Rule};
use crate::readings::Reading;
use crate::split::{offset_in, split};

/// The five components of a URI-reference (RFC 3986 §3).
///
/// `None` is *undefined*: the component's delimiter does not appear. `Some("")` is *empty*. §5.2.1: "the path component
/// is never undefined, though it may be empty".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components<'a> {
    /// Without the ":" behind it.
    pub scheme: Option<&'a str>,
    /// Without the "//" before it.
    pub authority: Option<&'a str>,
    /// Owned where resolution or normalization made it.
    pub path: Cow<'a, str>,
    /// Without the "?" before it.
    pub query: Option<&'a str>,
    /// Without the "#" before it.
    pub fragment: Option<&'a str>,
}

/// The subcomponents of an authority (RFC 3986 §3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authority<'a> {
    /// Without the "@" behind it; `None` where there is no "@".
    pub userinfo: Option<&'a str>,
    /// With its brackets where it is an IP-literal; never undefined, but it may be empty.
    pub host: &'a str,
    /// The first alternative of `host` that matches.
    pub host_kind: HostKind,
    /// Without the ":" before it; `None` where there is no ":".
    pub port: Option<&'a str>,
}

/// A string that matches `URI-reference`, with all its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The five components.
    pub components: Components<'a>,
    /// The parts of the authority; defined where `components.authority` is.
    pub authority: Option<Authority<'a>>,
}

/// The rules of Appendix A that have the five components (RFC 3986 §4.1 to §4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReferenceRule {
    /// `URI-reference`
    UriReference,
    /// `URI`
    Uri,
    /// `absolute-URI`
    AbsoluteUri,
    /// `relative-ref`
    RelativeRef,
}

impl ReferenceRule {
    /// The four rules.
    pub const ALL: [ReferenceRule; 4] = [
        ReferenceRule::UriReference,
        ReferenceRule::Uri,
        ReferenceRule::AbsoluteUri,
        ReferenceRule::RelativeRef,
    ];
}

impl From<ReferenceRule> for Rule {
    fn from(rule: ReferenceRule) -> Rule {
        match rule {
            ReferenceRule::UriReference => Rule::UriReference,
            ReferenceRule::Uri => Rule::Uri,
            ReferenceRule::AbsoluteUri => Rule::AbsoluteUri,
            ReferenceRule::RelativeRef => Rule::RelativeRef,
        }
    }
}

impl TryFrom<Rule> for ReferenceRule {
    /// The rule, which does not have the five components.
    type Error = Rule;

    fn try_from(rule: Rule) -> Result<ReferenceRule, Rule> {
        ReferenceRule::ALL.into_iter().find(|&of_reference| Rule::from(of_reference) == rule).ok_or(rule)
    }
}

impl Reference<'_> {
    /// Whether the reference matches `rule`.
    ///
    /// URI and relative-ref are disjoint, and the absolute-URIs are the URIs without a fragment (§4.1 to §4.3).
    pub fn matches(&self, rule: ReferenceRule) -> bool {
        let Components { scheme, fragment, .. } = self.components;
        match rule {
            ReferenceRule::UriReference => true,
            ReferenceRule::Uri => scheme.is_some(),
            ReferenceRule::AbsoluteUri => scheme.is_some() && fragment.is_none(),
            ReferenceRule::RelativeRef => scheme.is_none(),
        }
    }

    /// Which form of relative reference this is; `None` for a URI (RFC 3986 §4.2).
    pub fn relative_form(&self) -> Option<RelativeForm> {
        if self.components.scheme.is_some() {
            None
        } else if self.components.authority.is_some() {
            Some(RelativeForm::NetworkPath)
        } else if self.components.path.starts_with('/') {
            Some(RelativeForm::AbsolutePath)
        } else {
            Some(RelativeForm::RelativePath)
        }
    }
}

/// The forms of a relative reference (RFC 3986 §4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelativeForm {
    /// "A relative reference that begins with two slash characters".
    NetworkPath,
    /// "A relative reference that begins with a single slash character".
    AbsolutePath,
    /// "A relative reference that does not begin with a slash character".
    RelativePath,
}

/// The components of `input`, if the whole of it matches `URI-reference` under `reading`.
///
/// # Errors
///
/// The rule that could not go on, and the byte offset in `input`.
pub fn parse(input: &str, reading: Reading) -> Result<Reference<'_>, Error> {
    let components = split(input);
    let start = |part: &str| offset_in(part, input);
    let Cow::Borrowed(path) = components.path else {
        unreachable!("split borrows from its input")
    };

    if let Some(scheme) = components.scheme {
        // "If the URI-reference's prefix does not match the syntax of a scheme followed by its colon separator, then
        // the URI-reference is a relative reference" (§4.1); but "the first path segment cannot contain a colon" (§3.3).
        grammar::scheme(scheme).map_err(|error| {
            let colon = Error {
                rule: Rule::SegmentNzNc,
                offset: scheme.len(),
            };
            error.or_further(grammar::segment_nz_nc(scheme).err().unwrap_or(colon))
        })?;
    }

    let authority = match components.authority.map(|text| (text, parse_authority(text, reading))) {
        None => None,
        Some((_, Ok(authority))) => Some(authority),
        Some((text, Err(error))) => {
            if reading == Reading::Erratum5428 && components.scheme.is_none() {
                return parse_path_abempty(input, components)
                    .map_err(|other| error.shifted(start(text)).or_further(other));
            }
            return Err(error.shifted(start(text)));
        }
    };

    match_path(&components).map_err(|error| error.shifted(start(path)))?;

    if let Some(query) = components.query {
        grammar::query(query).map_err(|error| error.shifted(start(query)))?;
    }
    if let Some(fragment) = components.fragment {
        grammar::fragment(fragment).map_err(|error| error.shifted(start(fragment)))?;
    }
    Ok(Reference { components, authority })
}

/// The components of `input`, if the whole of it matches `rule` under `reading`.
///
/// # Errors
///
/// That of `rule`: the rule that could not go on, and the byte offset in `input`.
pub fn parse_rule(rule: ReferenceRule, input: &str, reading: Reading) -> Result<Reference<'_>, Error> {
    match parse(input, reading) {
        Ok(reference) if reference.matches(rule) => Ok(reference),
        _ => Err(Rule::from(rule).matches(input, reading).expect_err("the two derivations are of one language")),
    }
}

/// The subcomponents of `authority` (RFC 3986 §3.2).
///
/// # Errors
///
/// The rule that could not go on, and the byte offset in `authority`.
pub fn parse_authority(authority: &str, reading: Reading) -> Result<Authority<'_>, Error> {
    let without_userinfo = parse_host_port(authority, reading);
    // "The user information, if present, is followed by a commercial at-sign ("@") that delimits it from the host."
    let at_sign = authority.find('@').unwrap_or(authority.len());
    let with_userinfo = match (grammar::userinfo(&authority[..at_sign]), authority.get(at_sign + 1..)) {
        (Err(error), _) => Err(error),
        (Ok(()), None) => Err(Error {
            rule: Rule::Authority,
            offset: at_sign,
        }),
        (Ok(()), Some(rest)) => match parse_host_port(rest, reading) {
            Ok(host_port) => Ok(Authority {
                userinfo: Some(&authority[..at_sign]),
                ..host_port
            }),
            Err(error) => Err(error.shifted(at_sign + 1)),
        },
    };
    match (with_userinfo, without_userinfo) {
        (Ok(parsed), _) | (_, Ok(parsed)) => Ok(parsed),
        (Err(error), Err(other)) => Err(error.or_further(other)),
    }
}

/// What an authority has behind its userinfo: the host and the port.
fn parse_host_port(host_port: &str, reading: Reading) -> Result<Authority<'_>, Error> {
    // The port is "delimited from it by a single colon (":") character"; a colon inside brackets belongs to the host.
    let end_of_literal = if host_port.starts_with('[') {
        host_port.find(']').map_or(host_port.len(), |bracket| bracket + 1)
    } else {
        0
    };
    let (host, port) = match host_port[end_of_literal..].find(':') {
        Some(colon) => (
            &host_port[..end_of_literal + colon],
            Some(&host_port[end_of_literal + colon + 1..]),
        ),
        None => (host_port, None),
    };

    let host_kind = grammar::host(host, reading)?;
    if let Some(port) = port {
        grammar::port(port).map_err(|error| error.shifted(offset_in(port, host_port)))?;
    }
    Ok(Authority {
        userinfo: None,
        host,
        host_kind,
        port,
    })
}

/// Whether the path matches the rule that fits what stands before it (RFC 3986 §3.3).
pub(crate) fn match_path(components: &Components<'_>) -> Match {
    let path = &*components.path;
    match (components.scheme, components.authority) {
        (_, Some(_)) => grammar::path_abempty(path),
        (_, None) if path.is_empty() => grammar::path_empty(path),
        (_, None) if path.starts_with('/') => grammar::path_absolute(path),
        (Some(_), None) => grammar::path_rootless(path),
        (None, None) => grammar::path_noscheme(path),
    }
}

/// Erratum 5428: the relative-part of a reference whose authority is no authority, as path-abempty.
fn parse_path_abempty<'a>(input: &'a str, components: Components<'a>) -> Result<Reference<'a>, Error> {
    let length = input.find(['?', '#']).unwrap_or(input.len());
    let path = &input[..length];
    grammar::path_abempty(path)?;
    let mut start = length;
    if let Some(query) = components.query {
        grammar::query(query).map_err(|error| error.shifted(start + 1))?;
        start += 1 + query.len();
    }
    if let Some(fragment) = components.fragment {
        grammar::fragment(fragment).map_err(|error| error.shifted(start + 1))?;
    }
    Ok(Reference {
        components: Components {
            authority: None,
            path: Cow::Borrowed(path),
            ..components
        },
        authority: None,
    })
}
