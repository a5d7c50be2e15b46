//! Userinfo, host and port.

use rfc3986_reference::grammar::Rule;
use uriproof::model::{HostKind, Reading};
use whatwg_url_reference::host::{UrlHost, UrlHostSyntax, host_parser};
use whatwg_url_reference::ipv4::ends_in_a_number;
use whatwg_url_reference::percent::{USERINFO, percent_decode, utf8_percent_encode};
use whatwg_url_reference::record::{default_port, is_special_scheme};

use super::{Acting, Parting, is_plain, is_valid};

/// What an authority has.
#[derive(Default)]
pub(super) struct Authority {
    pub(super) userinfo: Option<String>,
    pub(super) host: Option<String>,
    pub(super) kind: Option<HostKind>,
    pub(super) port: Option<String>,
}

/// The parts of an authority; `None` if it is refused.
pub(super) fn read(scheme: &str, text: &str, acting: &mut Acting) -> Option<Authority> {
    if scheme == "file" {
        return read_file(text, acting);
    }
    let is_special = is_special_scheme(scheme);
    let (userinfo, rest) = match text.rsplit_once('@') {
        Some((userinfo, rest)) => (read_userinfo(userinfo, acting), rest),
        None => (None, text),
    };
    let (host, port) = divide_port(rest);
    let needs_host = is_special || text.contains('@') || port.is_some();
    acting.note(Parting::EmptyHost, host.is_empty() && needs_host);
    if host.is_empty() && needs_host {
        return None;
    }
    let (host, kind) = read_host(host, is_special, acting)?;
    let port = match port {
        Some(port) => read_port(scheme, port, acting)?,
        None => None,
    };
    Some(Authority {
        userinfo,
        host: Some(host),
        kind: Some(kind),
        port,
    })
}

/// All of it is the host.
fn read_file(text: &str, acting: &mut Acting) -> Option<Authority> {
    let has_more = text.contains('@') || divide_port(text).1.is_some();
    acting.note(Parting::FileAuthority, has_more);
    if has_more {
        return None;
    }
    let (host, kind) = match text {
        "" => (String::new(), HostKind::RegName),
        text => read_host(text, true, acting)?,
    };
    let is_local = host == "localhost";
    acting.note(Parting::Localhost, is_local);
    Some(Authority {
        host: Some(if is_local { String::new() } else { host }),
        kind: Some(kind),
        ..Authority::default()
    })
}

/// Username and password, each percent-encoded.
fn read_userinfo(text: &str, acting: &mut Acting) -> Option<String> {
    acting.note(Parting::LastAt, text.contains('@'));
    let (username, password) = text.split_once(':').unwrap_or((text, ""));
    acting.note(
        Parting::EmptyUserinfo,
        password.is_empty() && (username.is_empty() || text.contains(':')),
    );
    let [username, password] = [username, password].map(|text| {
        // That an `@` is percent-encoded follows from the rule before.
        acting.encode(&text.replace('@', "-"), USERINFO, |c| is_plain(c) || c == ':');
        utf8_percent_encode(text, USERINFO)
    });
    match (&*username, &*password) {
        ("", "") => None,
        (_, "") => Some(username),
        _ => Some(format!("{username}:{password}")),
    }
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

fn read_port(scheme: &str, text: &str, acting: &mut Acting) -> Option<Option<String>> {
    if !text.bytes().all(|octet| octet.is_ascii_digit()) {
        return None;
    }
    let digits = text.trim_start_matches('0');
    let number: Option<u16> = match digits {
        "" => Some(0),
        digits => digits.parse().ok(),
    };
    acting.note(Parting::PortRange, number.is_none());
    let number = number?;
    let is_shown = !text.is_empty() && default_port(scheme) != Some(number);
    let shown = is_shown.then(|| number.to_string());
    acting.note(Parting::PortNumber, shown.as_deref() != Some(text));
    Some(shown)
}

/// The host as it is shown, and what it is; `None` if it is refused.
fn read_host(text: &str, is_special: bool, acting: &mut Acting) -> Option<(String, HostKind)> {
    let syntax = if is_special {
        UrlHostSyntax::Special
    } else {
        UrlHostSyntax::Opaque
    };
    let matches = |rule: Rule| rule.matches(text, Reading::Rfc3986).is_ok();
    let parsed = host_parser(text, syntax).host;
    acting.note(
        Parting::IpvFuture,
        parsed.is_none() && text.starts_with('[') && matches(Rule::Host),
    );
    acting.note(Parting::OpaqueHost, !is_special && matches(Rule::Ipv4Address));
    if !is_special {
        acting.note(
            Parting::Invalid,
            parsed.is_some() && !text.starts_with('[') && !is_valid(text, is_plain),
        );
    } else if !text.starts_with('[') {
        note_domain(text, parsed.as_ref(), acting);
    }
    let host = parsed?;
    let kind = match host {
        UrlHost::Ipv4(_) => HostKind::Ipv4,
        UrlHost::Ipv6(_) => HostKind::Ipv6,
        UrlHost::Domain(_) | UrlHost::Opaque(_) | UrlHost::Empty => HostKind::RegName,
    };
    let shown = host.to_string();
    acting.note(Parting::NormalForm, matches!(host, UrlHost::Ipv6(_)) && shown != text);
    Some((shown, kind))
}

/// What is done with the name of a special scheme.
fn note_domain(text: &str, parsed: Option<&UrlHost>, acting: &mut Acting) {
    let decoded = String::from_utf8_lossy(&percent_decode(text.as_bytes())).into_owned();
    let lower = decoded.to_ascii_lowercase();
    let is_number = ends_in_a_number(&lower);
    match parsed {
        Some(UrlHost::Domain(domain)) => {
            acting.note(Parting::Domain, !domain.eq_ignore_ascii_case(text));
            acting.note(
                Parting::Invalid,
                domain.eq_ignore_ascii_case(text) && !is_valid(text, is_plain),
            );
            acting.note(Parting::NormalForm, domain != text && domain.eq_ignore_ascii_case(text));
        }
        Some(host) => {
            acting.note(Parting::Domain, !lower.eq_ignore_ascii_case(text));
            acting.note(Parting::Number, host.to_string() != lower);
        }
        None => {
            acting.note(Parting::Number, is_number);
            acting.note(Parting::Domain, !is_number);
        }
    }
}
