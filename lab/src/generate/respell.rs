//! URIs that normalization has to do something about, and the other spellings of one (RFC 3986 §6.2.2, §6.2.3).

use uriproof::model::Components;

use super::chance::Chance;
use super::grammar_shaped::UriShape;
use super::weights::{RESPELLINGS, Respelling};

/// Schemes that have rules of their own, and one that has none.
const SCHEMES: &[&str] = &[
    "http",
    "http",
    "https",
    "ftp",
    "file",
    "mailto",
    "ws",
    "wss",
    "urn",
    "HTTP",
    "data",
    "tel",
    "javascript",
    "about",
    "blob",
    "jar",
    "jdbc",
    "File",
    "Data",
];

/// The schemes with a default port, and that port.
const DEFAULT_PORTS: &[(&str, &str)] = &[
    ("http", "80"),
    ("https", "443"),
    ("ftp", "21"),
    ("ws", "80"),
    ("wss", "443"),
];

/// A URI rich in what normalization changes.
pub(super) fn uri(chance: &mut Chance) -> Components {
    let mut components = UriShape::of_uri(chance).components(chance);
    if !chance.one_in(4) {
        components.scheme = Some(chance.of(SCHEMES).to_owned());
    }
    respell(chance, &mut components);
    components
}

/// Spells the components otherwise, up to six times, some of them in vain; what was valid stays so.
pub(super) fn respell(chance: &mut Chance, components: &mut Components) {
    for _ in 0..2 + chance.below(5) {
        respell_once(chance, components);
    }
}

fn respell_once(chance: &mut Chance, components: &mut Components) {
    match chance.by_weight(RESPELLINGS) {
        Respelling::SchemeCase => {
            if let Some(scheme) = &mut components.scheme {
                toggle_case(chance, scheme);
            }
        }
        Respelling::HostCase => {
            if let Some(host) = &mut components.host {
                toggle_case(chance, host);
            }
        }
        Respelling::TripletCase => {
            let text = component(chance, components);
            if let Some(at) = chance.byte(text, |byte| byte == b'%') {
                let digits = at + 1..at + 3;
                let other = if chance.one_in(2) {
                    text[digits.clone()].to_ascii_lowercase()
                } else {
                    text[digits.clone()].to_ascii_uppercase()
                };
                text.replace_range(digits, &other);
            }
        }
        Respelling::Encode => {
            let text = component(chance, components);
            encode(chance, text);
        }
        Respelling::Decode => {
            let text = component(chance, components);
            decode(chance, text);
        }
        Respelling::Dots => {
            if let Some(at) = chance.byte(&components.path, |byte| byte == b'/') {
                let dots = chance.of(&["/.", "/a/..", "/a/./..", "/./.", "/%2e", "/a/%2E%2e"]);
                components.path.insert_str(at, dots);
            }
        }
        Respelling::Port => {
            // Two ports that are no default ones are seldom worth a comparison.
            if components.host.is_some() && (!has_other_port(components) || chance.one_in(8)) {
                components.port = if chance.one_in(4) {
                    None
                } else if chance.one_in(3) {
                    Some(String::new())
                } else {
                    Some(default_port(components).unwrap_or_default().to_owned())
                };
            }
        }
        Respelling::Root => {
            if components.host.is_some() {
                match &*components.path {
                    "" => components.path.push('/'),
                    "/" => components.path.clear(),
                    _ => {}
                }
            }
        }
    }
}

fn default_port(components: &Components) -> Option<&'static str> {
    let scheme = components.scheme.as_deref()?;
    DEFAULT_PORTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(scheme)).map(|(_, port)| *port)
}

/// Whether there is a port that is neither empty nor the default one.
fn has_other_port(components: &Components) -> bool {
    components.port.as_deref().is_some_and(|port| !port.is_empty() && Some(port) != default_port(components))
}

/// Changes the case of one letter or of all; that of a triplet's digits makes no difference either.
fn toggle_case(chance: &mut Chance, text: &mut String) {
    match chance.below(3) {
        0 => text.make_ascii_lowercase(),
        1 => text.make_ascii_uppercase(),
        _ => {
            if let Some(at) = chance.byte(text, |byte| byte.is_ascii_alphabetic()) {
                let letter = text[at..=at].to_owned();
                let other = if letter.as_bytes()[0].is_ascii_lowercase() {
                    letter.to_ascii_uppercase()
                } else {
                    letter.to_ascii_lowercase()
                };
                text.replace_range(at..=at, &other);
            }
        }
    }
}

/// Makes a triplet of an unreserved character.
fn encode(chance: &mut Chance, text: &mut String) {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if text.starts_with('[') {
        return;
    }
    if let Some(at) = chance.byte(text, unreserved)
        && !text[at.saturating_sub(2)..at].contains('%')
    {
        let byte = text.as_bytes()[at];
        text.replace_range(at..=at, &triplet(chance, byte));
    }
}

/// Makes a character of a triplet that stands for an unreserved one.
fn decode(chance: &mut Chance, text: &mut String) {
    if let Some(at) = chance.byte(text, |byte| byte == b'%')
        && let Ok(byte) = u8::from_str_radix(&text[at + 1..at + 3], 16)
        && (byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
    {
        text.replace_range(at..at + 3, char::from(byte).encode_utf8(&mut [0; 4]));
    }
}

/// The characters that make a difference where they are encoded (RFC 3986 §2.2), and the one that encodes. Those that
/// components begin and end with stand there three times.
const RESERVED: &[u8] = b"/?#&@:%/?#&@:%/?#&@:%[]!$'()*+,;=";

/// Encodes a reserved character or a "%", or decodes its triplet; where there is none of the kind that is drawn, any; and
/// where there is none at all, a triplet goes in. What comes of it need not be valid.
pub(super) fn reserved(chance: &mut Chance, text: &mut String) {
    let drawn = chance.of(RESERVED);
    let value = |text: &str, at: usize| {
        let digits = text.get(at + 1..at + 3).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        u8::from_str_radix(digits, 16).ok()
    };
    let mut places: Vec<(usize, u8, bool)> = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        if RESERVED.contains(&byte) {
            places.push((at, byte, true));
        }
        if byte == b'%'
            && let Some(value) = value(text, at)
            && RESERVED.contains(&value)
        {
            places.push((at, value, false));
        }
    }
    if places.iter().any(|&(_, byte, _)| byte == drawn) {
        places.retain(|&(_, byte, _)| byte == drawn);
    }
    if places.is_empty() {
        let at = chance.place(text);
        text.insert_str(at, &triplet(chance, drawn));
        return;
    }
    let (at, byte, plain) = chance.of(&places);
    if plain {
        text.replace_range(at..=at, &triplet(chance, byte));
    } else {
        text.replace_range(at..at + 3, char::from(byte).encode_utf8(&mut [0; 4]));
    }
}

/// Takes the query or the fragment away; where there is none, an empty one comes.
pub(super) fn toggle(chance: &mut Chance, text: &mut String) {
    let end = text.find('#').unwrap_or(text.len());
    match text[..end].find('?') {
        Some(at) if chance.one_in(2) => text.replace_range(at..end, ""),
        None if chance.one_in(2) => text.insert(end, '?'),
        _ if end < text.len() => text.truncate(end),
        _ => text.push('#'),
    }
}

/// The triplet of a byte, its digits in either case.
fn triplet(chance: &mut Chance, byte: u8) -> String {
    if chance.one_in(2) {
        format!("%{byte:02X}")
    } else {
        format!("%{byte:02x}")
    }
}

/// A component that may have triplets.
fn component<'a>(chance: &mut Chance, components: &'a mut Components) -> &'a mut String {
    let Components {
        userinfo,
        host,
        path,
        query,
        fragment,
        ..
    } = components;
    let chosen = match chance.below(6) {
        0 => userinfo.as_mut(),
        1 => host.as_mut(),
        2 => query.as_mut(),
        3 => fragment.as_mut(),
        _ => None,
    };
    chosen.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use rfc3986_reference::equivalence::scheme_based;
    use rfc3986_reference::normalize::Schemes;
    use uriproof::model::Reading;

    use super::*;

    #[test]
    fn what_is_respelled_is_valid_and_most_often_equivalent() {
        let chance = &mut Chance::new(3986);
        let schemes = Schemes::default();
        let (mut equivalent, mut changed) = (0, 0);
        for _ in 0..20_000 {
            let mut components = uri(chance);
            let one = components.recompose();
            respell(chance, &mut components);
            let other = components.recompose();
            let same = scheme_based(&one, &other, &schemes, Reading::Rfc3986)
                .unwrap_or_else(|error| panic!("{one:?} and {other:?}: {error}"));
            equivalent += usize::from(same);
            changed += usize::from(one != other);
        }
        assert!(equivalent > 15_000 && equivalent < 20_000, "{equivalent}");
        assert!(changed > 13_000, "{changed}");
    }
}
