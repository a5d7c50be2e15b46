//! The stages of parsing: a text is split (Appendix B), then its authority (§3.2), then every fault is found.

use std::borrow::Cow;

use rfc3986_reference::characters::{is_alpha, is_digit, is_hexdig, is_sub_delim, is_unreserved};
use rfc3986_reference::grammar::{ipv4address, ipv6address, ipvfuture};
use uriproof::model::{Component, Components, HostKind, Reading};
use uriproof::split::{self, UserinfoEnd};

use super::fault::{Fault, Flaw};
use super::recompose;

/// The components of a text, each borrowed from it until a deviation changes it.
pub type Parts<'a> = Components<Cow<'a, str>>;

/// The parts of a text, valid or not: Appendix B, then §3.2, where the first "@" ends a userinfo.
pub fn parts(text: &str) -> Parts<'_> {
    let mut parts = split::components(text, UserinfoEnd::FirstAt).map(Cow::Borrowed);
    parts.host_kind = parts.host.as_deref().map(kind_of_host);
    parts
}

/// The kind of a host by its form alone, whether it is valid or not (§3.2.2).
pub fn kind_of_host(host: &str) -> HostKind {
    match host.strip_prefix('[') {
        Some(literal) if literal.starts_with(['v', 'V']) => HostKind::Ipvfuture,
        Some(_) => HostKind::Ipv6,
        None if ipv4address(host).is_ok() => HostKind::Ipv4,
        None => HostKind::RegName,
    }
}

/// The parts with the authority as the beginning of the path.
pub fn authority_as_path<'a>(parts: &Parts<'a>) -> Parts<'a> {
    let all = recompose(&Parts {
        scheme: None,
        query: None,
        fragment: None,
        ..parts.clone()
    });
    Parts {
        userinfo: None,
        host: None,
        host_kind: None,
        port: None,
        path: Cow::Owned(all),
        ..parts.clone()
    }
}

/// What the data model of the Elements page keeps: an empty component is absent, an authority needs a host, and a port is a number.
/// `None` where that number has more than 16 bits.
///
/// Not in RFC 3986: the reading `elements`.
pub fn kept_as_elements(mut parts: Parts<'_>) -> Option<Parts<'_>> {
    let is_any = |part: &Cow<'_, str>| !part.is_empty();
    parts.port = match parts.port.filter(is_any) {
        Some(port) => Some(Cow::Owned(port.parse::<u16>().ok()?.to_string())),
        None => None,
    };
    parts.host = parts.host.filter(is_any);
    parts.userinfo = parts.userinfo.filter(is_any);
    if parts.host.is_none() {
        (parts.userinfo, parts.host_kind, parts.port) = (None, None, None);
    }
    parts.scheme = parts.scheme.filter(is_any);
    parts.query = parts.query.filter(is_any);
    parts.fragment = parts.fragment.filter(is_any);
    Some(parts)
}

/// Whether an octet is one that the rule of a component has, other than in a triplet; of a path, the rule of a segment.
pub fn is_of(component: Component, octet: u8) -> bool {
    match component {
        Component::Scheme => is_of_scheme(octet),
        Component::Userinfo => is_of_userinfo(octet),
        Component::Host => is_unreserved(octet) || is_sub_delim(octet),
        Component::HostKind => false,
        Component::Port => is_digit(octet),
        Component::Path => is_of_pchar(octet),
        Component::Query | Component::Fragment => is_of_query(octet),
    }
}

/// Every fault of the parts, in the order of a URI; none if they are those of a URI-reference.
pub fn faults(parts: &Parts<'_>, reading: Reading) -> Vec<Fault> {
    let mut faults = Vec::new();
    match &parts.scheme {
        Some(scheme) => faults_of_scheme(scheme, &mut faults),
        // "the first path segment cannot contain a colon" (§3.3); Appendix B leaves one there only at its beginning.
        None if parts.host.is_none() => {
            let first = parts.path.split('/').next().unwrap_or_default();
            faults.extend(first.find(':').map(|at| Fault::new(Component::Path, Flaw::ColonInFirstSegment, at)));
        }
        None => {}
    }
    if let Some(userinfo) = &parts.userinfo {
        faults_of_text(Component::Userinfo, userinfo, is_of_userinfo, &mut faults);
    }
    if let Some(host) = &parts.host {
        faults_of_host(host, reading, &mut faults);
    }
    if let Some(port) = &parts.port {
        let other = port.char_indices().filter(|(_, character)| !character.is_ascii_digit());
        faults.extend(other.map(|(at, character)| Fault::new(Component::Port, Flaw::Character(character), at)));
    }
    faults_of_text(
        Component::Path,
        &parts.path,
        |octet| is_of_pchar(octet) || octet == b'/',
        &mut faults,
    );
    for (component, text) in [(Component::Query, &parts.query), (Component::Fragment, &parts.fragment)] {
        if let Some(text) = text {
            faults_of_text(component, text, is_of_query, &mut faults);
        }
    }
    faults
}

/// §3.1: scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
fn faults_of_scheme(scheme: &str, faults: &mut Vec<Fault>) {
    if scheme.is_empty() {
        faults.push(Fault::new(Component::Scheme, Flaw::EmptyScheme, 0));
    }
    for (at, character) in scheme.char_indices() {
        let is = |holds: fn(u8) -> bool| u8::try_from(character).is_ok_and(holds);
        let flaw = if at == 0 && !is(is_alpha) && is(is_of_scheme) {
            Flaw::FirstOfScheme(character)
        } else if !is(is_of_scheme) {
            Flaw::Character(character)
        } else {
            continue;
        };
        faults.push(Fault::new(Component::Scheme, flaw, at));
    }
}

/// §3.2.2: host = IP-literal / IPv4address / reg-name
fn faults_of_host(host: &str, reading: Reading, faults: &mut Vec<Fault>) {
    let Some(literal) = host.strip_prefix('[') else {
        let is_of_name = |octet| is_unreserved(octet) || is_sub_delim(octet) && reading != Reading::Erratum4942;
        return faults_of_text(Component::Host, host, is_of_name, faults);
    };
    let Some(end) = literal.find(']') else {
        return faults.push(Fault::new(Component::Host, Flaw::UnclosedBracket, 0));
    };
    let (literal, behind) = (&literal[..end], &literal[end + 1..]);
    if literal.starts_with(['v', 'V']) {
        if let Err(error) = ipvfuture(literal) {
            faults.push(Fault::new(Component::Host, Flaw::IpvFuture, 1 + error.offset));
        }
    } else if let Err(error) = ipv6address(literal) {
        faults.push(Fault::new(Component::Host, Flaw::Ipv6, 1 + error.offset));
    }
    if !behind.is_empty() {
        faults.push(Fault::new(Component::Host, Flaw::BehindBracket, end + 2));
    }
}

/// The characters of a text that its rule does not have, and each "%" that begins no triplet (§2.1).
fn faults_of_text(component: Component, text: &str, is_of_rule: impl Fn(u8) -> bool, faults: &mut Vec<Fault>) {
    let octets = text.as_bytes();
    for (at, character) in text.char_indices() {
        let is_digit_at = |at: usize| octets.get(at).copied().is_some_and(is_hexdig);
        let flaw = match u8::try_from(character).ok().filter(u8::is_ascii) {
            Some(b'%') if is_digit_at(at + 1) && is_digit_at(at + 2) => continue,
            Some(b'%') => Flaw::Triplet,
            Some(octet) if is_of_rule(octet) => continue,
            _ => Flaw::Character(character),
        };
        faults.push(Fault::new(component, flaw, at));
    }
}

fn is_of_scheme(octet: u8) -> bool {
    is_alpha(octet) || is_digit(octet) || matches!(octet, b'+' | b'-' | b'.')
}

fn is_of_userinfo(octet: u8) -> bool {
    is_unreserved(octet) || is_sub_delim(octet) || octet == b':'
}

fn is_of_pchar(octet: u8) -> bool {
    is_of_userinfo(octet) || octet == b'@'
}

fn is_of_query(octet: u8) -> bool {
    is_of_pchar(octet) || matches!(octet, b'/' | b'?')
}

/// Whether a component is one of the authority.
pub(crate) fn is_of_authority(component: Component) -> bool {
    matches!(
        component,
        Component::Userinfo | Component::Host | Component::HostKind | Component::Port
    )
}
