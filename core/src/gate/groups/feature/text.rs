//! What is particular about a string: how it is invalid, else what its components have.

use rfc3986_reference::characters::{is_reserved, is_sub_delim, is_unreserved, leading_triplet};
use rfc3986_reference::components::parse;
use rfc3986_reference::grammar;

use super::{FeatureRank, Features, INVALID, a};
use crate::model::{Component, Components, HostKind, Reading};
use crate::split::{UserinfoEnd, components, range};

/// Schemes that libraries have rules for.
const KNOWN: [&str; 9] = ["http", "https", "ws", "wss", "ftp", "file", "mailto", "urn", "data"];

/// What a scheme is that is none of them.
pub(in crate::gate::groups) const UNKNOWN_SCHEME: &str = "a scheme that few libraries know";

/// From how many bytes on a string is long.
const LONG: usize = 255;

/// Adds the features of a string that is to be a URI-reference.
pub(super) fn of_text(features: &mut Features, text: &str) {
    match parse(text, Reading::Rfc3986) {
        Ok(reference) => of_reference(features, &Components::from(&reference)),
        Err(error) => {
            let from = features.0.len();
            of_fault(features, text, &error);
            features.mark_faults(from);
        }
    }
    features.add_if(text.len() > LONG, FeatureRank::Form, "more than 255 characters");
    features.add_if(
        text.starts_with("//"),
        FeatureRank::Presence,
        "an authority and no scheme",
    );
}

/// The component in which a place of a string is, by Appendix B's split.
fn component_at(text: &str, offset: usize) -> Component {
    let parts = components(text, UserinfoEnd::LastAt);
    let is_there = |component: &Component| {
        parts.text(*component).is_some_and(|part| {
            let range = range(part, text);
            range.contains(&offset) || range.end == offset
        })
    };
    let found = Component::TEXTS.into_iter().find(is_there);
    found.unwrap_or(Component::Path)
}

fn of_fault(features: &mut Features, text: &str, error: &grammar::Error) {
    let component = component_at(text, error.offset);
    let whole = components(text, UserinfoEnd::LastAt);
    let rest = text.get(error.offset..).unwrap_or_default();
    let place = a(component);
    features.add(FeatureRank::Fault, INVALID);
    features.add(FeatureRank::Fault, format!("{place} that is invalid"));
    // A character that can stand nowhere can be the cause wherever it is.
    let is_nowhere =
        |one: &char| one.is_ascii_graphic() && *one != '%' && !is_unreserved(*one as u8) && !is_reserved(*one as u8);
    for character in text.chars().filter(is_nowhere) {
        features.add(FeatureRank::Anywhere, shown(character));
    }
    if component == Component::Host && whole.host.is_some_and(|host| host.starts_with('[')) {
        features.add(FeatureRank::Form, "an invalid address in brackets");
        return;
    }
    // A triplet is wrong where it ends: the "%" stands before the place.
    let percent = (0..=2).filter_map(|back| error.offset.checked_sub(back));
    let is_percent = percent.filter_map(|at| text.get(at..)).any(|rest| rest.starts_with('%'));
    if is_percent {
        features.add(
            FeatureRank::Kind,
            format!("a \"%\" without two hexadecimal digits in {place}"),
        );
        return;
    }
    match rest.chars().next() {
        None => features.add(FeatureRank::Kind, format!("{place} that ends too early")),
        Some(' ') => features.add(FeatureRank::Kind, format!("a space in {place}")),
        Some(control) if control.is_ascii_control() => {
            features.add(FeatureRank::Kind, format!("a control character in {place}"));
            features.add(FeatureRank::Character, format!("{control:?} in {place}"));
        }
        Some(character) if character.is_ascii() => {
            features.add(
                FeatureRank::Kind,
                format!("a character of US-ASCII that cannot stand there in {place}"),
            );
            features.add_if(
                matches!(character, '[' | ']'),
                FeatureRank::Kind,
                format!("a bracket in {place}"),
            );
            features.add(FeatureRank::Character, format!("{} in {place}", shown(character)));
            features.add(FeatureRank::Anywhere, shown(character));
        }
        Some(_) => features.add(FeatureRank::Kind, format!("a character beyond US-ASCII in {place}")),
    }
}

fn shown(character: char) -> String {
    format!("`{character}`")
}

fn of_reference(features: &mut Features, parts: &Components) {
    of_scheme(features, parts.scheme.as_deref());
    if let Some(host) = &parts.host {
        of_host(features, host, parts.host_kind);
    }
    if let Some(port) = &parts.port {
        of_port(features, port);
    }
    of_path(features, parts);
    for component in [Component::Userinfo, Component::Query, Component::Fragment] {
        if let Some(text) = parts.text(component) {
            features.add(FeatureRank::Presence, a(component));
            features.add_if(text.is_empty(), FeatureRank::Form, format!("an empty {component}"));
        }
    }
    features.add_if(
        parts.userinfo.as_deref().is_some_and(|userinfo| userinfo.contains(':')),
        FeatureRank::Form,
        "a userinfo with a password",
    );
    for component in Component::TEXTS {
        if let Some(text) = parts.text(component) {
            of_characters(features, component, text);
        }
    }
}

fn of_scheme(features: &mut Features, scheme: Option<&str>) {
    let Some(scheme) = scheme else {
        features.add(FeatureRank::Presence, "a relative reference");
        return;
    };
    features.add(FeatureRank::Presence, "a scheme");
    let lower = scheme.to_ascii_lowercase();
    features.add_if(lower != scheme, FeatureRank::Kind, "a scheme with a capital");
    features.add_if(
        scheme.contains(|character: char| character.is_ascii_digit()),
        FeatureRank::Kind,
        "a scheme with a digit",
    );
    features.add_if(
        scheme.contains(['+', '-', '.']),
        FeatureRank::Kind,
        "a scheme with \"+\", \"-\" or \".\"",
    );
    features.add_if(
        KNOWN.contains(&&*lower),
        FeatureRank::Form,
        format!("the scheme {lower}"),
    );
    features.add_if(!KNOWN.contains(&&*lower), FeatureRank::Form, UNKNOWN_SCHEME);
    features.add_if(scheme.len() == 1, FeatureRank::Form, "a scheme of one letter");
}

fn of_host(features: &mut Features, host: &str, kind: Option<HostKind>) {
    features.add(FeatureRank::Presence, "an authority");
    features.add_if(host.starts_with('['), FeatureRank::Form, "an address in brackets");
    match kind {
        Some(HostKind::Ipv4) => features.add(FeatureRank::Form, "an IPv4 address"),
        Some(HostKind::Ipvfuture) => features.add(FeatureRank::Form, "an IPvFuture address"),
        Some(HostKind::Ipv6) => {
            features.add(FeatureRank::Form, "an IPv6 address");
            features.add_if(
                host.contains('.'),
                FeatureRank::Kind,
                "an IPv6 address with an IPv4 part",
            );
            features.add_if(host.contains("::"), FeatureRank::Kind, "an IPv6 address with \"::\"");
            features.add_if(
                !host.contains("::"),
                FeatureRank::Kind,
                "an IPv6 address of eight groups",
            );
            features.add_if(
                host.contains(|character: char| character.is_ascii_uppercase()),
                FeatureRank::Kind,
                "an IPv6 address with a capital",
            );
        }
        Some(HostKind::RegName) | None => {
            features.add(FeatureRank::Presence, "a registered name");
            features.add_if(host.is_empty(), FeatureRank::Form, "an empty host");
            let is_numeric = !host.is_empty() && host.bytes().all(|octet| octet.is_ascii_digit() || octet == b'.');
            features.add_if(is_numeric, FeatureRank::Form, "a registered name of digits and dots");
            features.add_if(
                host.ends_with('.'),
                FeatureRank::Form,
                "a registered name that ends with \".\"",
            );
            features.add_if(
                host.contains(|character: char| character.is_ascii_uppercase()),
                FeatureRank::Kind,
                "a host with a capital",
            );
        }
    }
}

fn of_port(features: &mut Features, port: &str) {
    features.add(FeatureRank::Presence, "a port");
    features.add_if(port.is_empty(), FeatureRank::Form, "an empty port");
    features.add_if(
        port.len() > 1 && port.starts_with('0'),
        FeatureRank::Form,
        "a port with a leading zero",
    );
    let is_large = !port.is_empty() && port.parse::<u16>().is_err();
    features.add_if(is_large, FeatureRank::Form, "a port above 65535");
}

fn of_path(features: &mut Features, parts: &Components) {
    let path = parts.path.as_str();
    let segments: Vec<&str> = path.split('/').collect();
    let is_rootless = !path.is_empty() && !path.starts_with('/');
    features.add_if(path.is_empty(), FeatureRank::Form, "an empty path");
    features.add_if(
        path.is_empty() && parts.host.is_some(),
        FeatureRank::Form,
        "an authority without a path",
    );
    features.add_if(path == "/", FeatureRank::Form, "the path \"/\"");
    features.add_if(is_rootless, FeatureRank::Form, "a path without a leading \"/\"");
    features.add_if(
        is_rootless && parts.scheme.is_some(),
        FeatureRank::Form,
        "a scheme and a path without a leading \"/\"",
    );
    features.add_if(
        path.starts_with("//"),
        FeatureRank::Form,
        "a path that begins with \"//\"",
    );
    features.add_if(
        path.starts_with("/."),
        FeatureRank::Form,
        "a path that begins with \"/.\"",
    );
    features.add_if(
        path.get(1..).is_some_and(|rest| rest.contains("//")),
        FeatureRank::Form,
        "an empty segment",
    );
    features.add_if(segments.contains(&"."), FeatureRank::Form, "a \".\" segment");
    features.add_if(segments.contains(&".."), FeatureRank::Form, "a \"..\" segment");
    features.add_if(
        segments.iter().any(|segment| matches!(*segment, "." | "..")),
        FeatureRank::Form,
        "a dot segment",
    );
    features.add_if(
        segments.iter().any(|segment| segment.starts_with('.') && !matches!(*segment, "." | "..")),
        FeatureRank::Form,
        "a segment that begins with \".\" and is no dot segment",
    );
    features.add_if(
        segments[0].contains(':'),
        FeatureRank::Form,
        "a colon in the first segment of a path",
    );
    features.add_if(path.contains(':'), FeatureRank::Kind, "a colon in a path");
    features.add_if(
        path.ends_with('/') && path.len() > 1,
        FeatureRank::Form,
        "a path that ends with \"/\"",
    );
}

/// The kinds of characters of a component, and those that are neither letters nor digits one by one.
fn of_characters(features: &mut Features, component: Component, text: &str) {
    let place = a(component);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(octet) = leading_triplet(rest.as_bytes()) {
            of_triplet(features, place, &rest[..3], octet);
            rest = &rest[3..];
            continue;
        }
        let is_sub_delim = character.is_ascii() && is_sub_delim(character as u8);
        if is_sub_delim {
            features.add(FeatureRank::Kind, format!("a sub-delim in {place}"));
        }
        let is_delimiter = matches!(component, Component::Host | Component::Port | Component::Scheme)
            || component == Component::Path && character == '/';
        if !character.is_ascii_alphanumeric() && !is_delimiter {
            features.add(FeatureRank::Character, format!("{} in {place}", shown(character)));
            features.add(FeatureRank::Anywhere, shown(character));
        }
        rest = &rest[character.len_utf8()..];
    }
}

fn of_triplet(features: &mut Features, place: &str, triplet: &str, octet: u8) {
    features.add(FeatureRank::Kind, format!("a percent-encoded octet in {place}"));
    features.add(FeatureRank::Anywhere, "a percent-encoded octet");
    let kind = match octet {
        _ if is_unreserved(octet) => "an encoded unreserved character",
        0x80.. => "an encoded octet beyond US-ASCII",
        0..0x20 | 0x7f => "an encoded control character",
        _ => "an encoded reserved or excluded character",
    };
    features.add(FeatureRank::Kind, format!("{kind} in {place}"));
    features.add(FeatureRank::Anywhere, kind);
    features.add(
        FeatureRank::Character,
        format!("`{}` in {place}", triplet.to_ascii_uppercase()),
    );
    if triplet.bytes().any(|octet| octet.is_ascii_lowercase()) {
        features.add(FeatureRank::Kind, format!("lower-case hexadecimal digits in {place}"));
        features.add(FeatureRank::Anywhere, "lower-case hexadecimal digits");
    }
}
