//! Userinfo, host and port.

use rfc3986_reference::grammar::Rule;
use uriproof::model::{HostKind, Reading};
use whatwg_url_reference::domain::{DomainStrictness, domain_parser};
use whatwg_url_reference::host::{UrlHost, UrlHostSyntax, host_parser};
use whatwg_url_reference::ipv4::{ends_in_a_number, ipv4_parser, ipv4_serializer};
use whatwg_url_reference::percent::{USERINFO, percent_decode};
use whatwg_url_reference::record::{default_port, is_special_scheme};

use super::{FollowedRules, UrlRule, is_plain, is_valid};
use crate::stages::kind_of_host;

/// What an authority has.
#[derive(Default)]
pub(super) struct UrlAuthority {
    pub(super) userinfo: Option<String>,
    pub(super) host: Option<String>,
    pub(super) kind: Option<HostKind>,
    pub(super) port: Option<String>,
}

/// The parts of an authority; `None` if it is refused.
pub(super) fn read(scheme: &str, text: &str, rules: &mut FollowedRules<'_>) -> Option<UrlAuthority> {
    let is_file = scheme == "file";
    let (userinfo, rest) = match text.rsplit_once('@') {
        Some((userinfo, rest)) => (Some(userinfo), rest),
        None => (None, text),
    };
    let (host, port) = divide_port(rest);
    let has_more = userinfo.is_some() || port.is_some();
    if is_file && rules.acts(UrlRule::FileAuthority, has_more) {
        return None;
    }
    let userinfo = match userinfo {
        Some(userinfo) => read_userinfo(userinfo, rules)?,
        None => None,
    };
    let is_special = is_special_scheme(scheme);
    let needs_host = is_special && !is_file || has_more;
    if rules.acts(UrlRule::EmptyHost, host.is_empty() && needs_host) {
        return None;
    }
    let (mut host, kind) = match host {
        "" => (String::new(), HostKind::RegName),
        name if is_special && !name.starts_with('[') => read_domain(name, rules)?,
        other => read_literal_or_opaque(other, is_special, rules)?,
    };
    if rules.acts(UrlRule::Localhost, is_file && host == "localhost") {
        host = String::new();
    }
    let port = match port {
        Some(port) => read_port(scheme, port, rules)?,
        None => None,
    };
    Some(UrlAuthority {
        userinfo,
        host: Some(host),
        kind: Some(kind),
        port,
    })
}

/// Username and password, each percent-encoded.
fn read_userinfo(text: &str, rules: &mut FollowedRules<'_>) -> Option<Option<String>> {
    let has_at = text.contains('@');
    if has_at && !rules.acts(UrlRule::LastAt, has_at) {
        return None;
    }
    let mut encode = |text: &str| {
        // That an `@` is percent-encoded is of the rule before.
        let pieces = text.split('@').map(|piece| rules.encode(piece, USERINFO, |c| is_plain(c) || c == ':'));
        pieces.collect::<Option<Vec<String>>>().map(|pieces| pieces.join("%40"))
    };
    let Some((username, password)) = text.split_once(':') else {
        let username = encode(text)?;
        return Some((!rules.acts(UrlRule::EmptyUserinfo, text.is_empty())).then_some(username));
    };
    let (username, encoded) = (encode(username)?, encode(password)?);
    Some(match rules.acts(UrlRule::EmptyUserinfo, password.is_empty()) {
        true => (!username.is_empty()).then_some(username),
        false => Some(format!("{username}:{encoded}")),
    })
}

/// The text before the first colon that is not in brackets, and that after it.
fn divide_port(text: &str) -> (&str, Option<&str>) {
    let mut is_inside = false;
    for (at, c) in text.char_indices() {
        match c {
            '[' => is_inside = true,
            ']' => is_inside = false,
            ':' if !is_inside => return (&text[..at], Some(&text[at + 1..])),
            _ => (),
        }
    }
    (text, None)
}

fn read_port(scheme: &str, text: &str, rules: &mut FollowedRules<'_>) -> Option<Option<String>> {
    if !text.bytes().all(|octet| octet.is_ascii_digit()) {
        return None;
    }
    let digits = match text.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let number: Option<u16> = digits.parse().ok();
    if rules.acts(UrlRule::PortRange, number.is_none()) {
        return None;
    }
    let is_default = number.is_some() && default_port(scheme) == number;
    let shown = (!text.is_empty() && !is_default).then_some(digits);
    Some(match rules.acts(UrlRule::PortNumber, shown != Some(text)) {
        true => shown.map(str::to_owned),
        false => Some(text.to_owned()),
    })
}

/// A host in brackets, or one of a scheme that is not special, as it is shown, and what it is; `None` if it is refused.
fn read_literal_or_opaque(text: &str, is_special: bool, rules: &mut FollowedRules<'_>) -> Option<(String, HostKind)> {
    let syntax = if is_special {
        UrlHostSyntax::Special
    } else {
        UrlHostSyntax::Opaque
    };
    let Some(host) = host_parser(text, syntax).host else {
        let is_valid = Rule::Host.matches(text, Reading::Rfc3986).is_ok();
        return (is_valid && !rules.acts(UrlRule::IpvFuture, is_valid)).then(|| as_it_is(text));
    };
    if let UrlHost::Ipv6(_) = host {
        let shown = host.to_string();
        let is_changed = rules.acts(UrlRule::NormalForm, shown != text);
        return Some((if is_changed { shown } else { text.to_owned() }, HostKind::Ipv6));
    }
    if !is_valid(text, is_plain) {
        return rules.acts(UrlRule::Invalid, true).then(|| (host.to_string(), HostKind::RegName));
    }
    let (text, kind) = as_it_is(text);
    match rules.acts(UrlRule::OpaqueHost, kind == HostKind::Ipv4) {
        true => Some((text, HostKind::RegName)),
        false => Some((text, kind)),
    }
}

fn as_it_is(host: &str) -> (String, HostKind) {
    (host.to_owned(), kind_of_host(host))
}

/// The name of a special scheme as it is shown, and what it is; `None` if it is refused.
fn read_domain(text: &str, rules: &mut FollowedRules<'_>) -> Option<(String, HostKind)> {
    let decoded = String::from_utf8_lossy(&percent_decode(text.as_bytes())).into_owned();
    let domain = domain_parser(&decoded, DomainStrictness::Relaxed);
    let is_changed = domain.as_ref().is_none_or(|domain| !domain.eq_ignore_ascii_case(text));
    let name = if rules.acts(UrlRule::Domain, is_changed) {
        domain?
    } else if is_valid(text, is_plain) {
        text.to_owned()
    } else if rules.acts(UrlRule::Invalid, true) {
        host_parser(text, UrlHostSyntax::Opaque).host?.to_string()
    } else {
        return None;
    };
    let lower = name.to_ascii_lowercase();
    if ends_in_a_number(&lower) {
        let address = ipv4_parser(&lower).map(ipv4_serializer);
        if rules.acts(UrlRule::Number, address.as_deref() != Some(&*lower)) {
            return address.map(|address| (address, HostKind::Ipv4));
        }
    }
    match rules.acts(UrlRule::NormalForm, lower != name) {
        true => Some((lower.clone(), kind_of_host(&lower))),
        false => Some(as_it_is(&name)),
    }
}
