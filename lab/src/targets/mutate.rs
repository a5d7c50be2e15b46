//! Edits by component, beside those of libFuzzer, which know of bytes only.

use fastrand::Rng;
use rfc3986_reference::characters::leading_triplet;
use uriproof::model::Components;
use uriproof::split::{UserinfoEnd, components};

use super::Target;

/// How the lines of a target's files are to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineForm {
    /// Each is a URI-reference.
    References,
    /// Each is a component: "=" and its text, or undefined.
    Parts,
    /// Words, some of which are URIs.
    Words,
}

fn form(target: &Target) -> Option<LineForm> {
    match target.name {
        "parse" | "resolve" | "normalize" | "equivalent" | "dot_segments" | "whatwg" => Some(LineForm::References),
        "compose" => Some(LineForm::Parts),
        "extract" => Some(LineForm::Words),
        _ => None,
    }
}

/// What stands on both sides of a component's beginning or end; any of them in any place is a near miss.
const DELIMITERS: [&str; 14] = [
    ":", "/", "?", "#", "[", "]", "@", "//", "::", "\\", "%", "|", " ", "\u{e9}",
];

const SCHEMES: [&str; 10] = ["a", "http", "https", "ftp", "file", "mailto", "urn", "ws", "A+-.", "1a"];
const USERINFOS: [&str; 6] = ["", "u", "u:p", ":", "u%40h", "a:b:c"];
const HOSTS: [&str; 24] = [
    "",
    "a",
    "A.b",
    "127.0.0.1",
    "256.0.0.1",
    "1.2.3",
    "01.2.3.4",
    "0x7f.1",
    "1.2.3.4.",
    "a%2eb",
    "%41",
    "%zz",
    "[::1]",
    "[::]",
    "[1:2:3:4:5:6:7:8]",
    "[1::2::3]",
    "[::ffff:1.2.3.4]",
    "[::1.2.3.256]",
    "[fe80::1%25eth0]",
    "[v1.a:b]",
    "[v.a]",
    "[",
    "a_b",
    "a,b;c=d",
];
const PORTS: [&str; 8] = ["", "0", "80", "080", "443", "65535", "65536", "8a"];
const SEGMENTS: [&str; 14] = [
    "", ".", "..", "...", "%2e", "%2E%2e", "a", "B", "a:b", ";x=1", "a@b", "%41", "%2f", "a%",
];
const QUERIES: [&str; 8] = ["", "q", "a=b&c", "?", "/", "%3f", "[x]", "a#"];

/// A file changed by component, or by a letter of one; none if the target's files have no components. The same seed changes
/// the same file alike.
pub fn mutate(target: &Target, data: &[u8], seed: u32) -> Option<Vec<u8>> {
    let form = form(target)?;
    let mut rng = Rng::with_seed(seed.into());
    let text = String::from_utf8_lossy(data);
    let separator = if form == LineForm::Words { ' ' } else { '\n' };
    let mut lines: Vec<String> = text.split(separator).map(str::to_owned).collect();
    let at = rng.usize(..lines.len());
    lines[at] = match form {
        LineForm::References => edited(&lines[at], &mut rng),
        LineForm::Parts => part_edited(at, &lines[at], &mut rng),
        LineForm::Words => word_edited(&lines[at], &mut rng),
    };
    Some(lines.join(&separator.to_string()).into_bytes())
}

/// A file with some of the components of one and some of the other; none as for [`mutate`].
pub fn cross(target: &Target, one: &[u8], other: &[u8], seed: u32) -> Option<Vec<u8>> {
    let form = form(target)?;
    let mut rng = Rng::with_seed(seed.into());
    let (one, other) = (String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    let separator = if form == LineForm::Words { ' ' } else { '\n' };
    let others: Vec<&str> = other.split(separator).collect();
    let lines: Vec<String> = one
        .split(separator)
        .enumerate()
        .map(|(at, line)| {
            // The parts of a URI stand in their own lines; of references and words any may go with any.
            let place = if form == LineForm::Parts {
                at
            } else {
                rng.usize(..others.len())
            };
            match (others.get(place), form) {
                (Some(other), LineForm::References) => crossed(line, other, &mut rng),
                (Some(other), LineForm::Parts | LineForm::Words) if rng.bool() => (*other).to_owned(),
                _ => line.to_owned(),
            }
        })
        .collect();
    Some(lines.join(&separator.to_string()).into_bytes())
}

/// The parts of a string, well-formed or not.
fn parts(text: &str) -> Components {
    components(text, UserinfoEnd::FirstAt).map(str::to_owned)
}

/// The part in a place, counted as the lines of a compose file are.
fn part(parts: &mut Components, place: usize) -> Option<&mut Option<String>> {
    Some(match place {
        0 => &mut parts.scheme,
        1 => &mut parts.userinfo,
        2 => &mut parts.host,
        3 => &mut parts.port,
        5 => &mut parts.query,
        6 => &mut parts.fragment,
        _ => return None,
    })
}

/// The place of the path among the parts.
const PATH: usize = 4;

/// A text for the part in a place.
fn drawn(place: usize, rng: &mut Rng) -> String {
    let texts: &[&str] = match place {
        0 => &SCHEMES,
        1 => &USERINFOS,
        2 => &HOSTS,
        3 => &PORTS,
        PATH => {
            let segments: Vec<&str> = (0..rng.usize(1..4)).filter_map(|_| rng.choice(SEGMENTS)).collect();
            return format!(
                "{}{}",
                rng.choice(["", "/", "//"]).unwrap_or_default(),
                segments.join("/")
            );
        }
        _ => &QUERIES,
    };
    rng.choice(texts).copied().unwrap_or_default().to_owned()
}

fn edited(text: &str, rng: &mut Rng) -> String {
    let mut parts = parts(text);
    let place = rng.usize(..7);
    match rng.u8(..6) {
        // Another text for a part, or none.
        0 | 1 => match part(&mut parts, place) {
            Some(part) => *part = (part.is_none() || rng.bool()).then(|| drawn(place, rng)),
            None => parts.path = drawn(PATH, rng),
        },
        2 => parts.path = path_edited(&parts.path, rng),
        3 => match part(&mut parts, place) {
            Some(Some(part)) => *part = letter_edited(part, rng),
            Some(None) => return letter_edited(text, rng),
            None => parts.path = letter_edited(&parts.path, rng),
        },
        // The text of one part in the place of another.
        4 => {
            let moved = match part(&mut parts, place) {
                Some(part) => part.clone(),
                None => Some(parts.path.clone()),
            };
            match part(&mut parts, rng.usize(..7)) {
                Some(part) => *part = moved,
                None => parts.path = moved.unwrap_or_default(),
            }
        }
        _ => return letter_edited(text, rng),
    }
    parts.recompose()
}

fn crossed(one: &str, other: &str, rng: &mut Rng) -> String {
    let (mut parts, mut others) = (parts(one), parts(other));
    for place in 0..7 {
        if rng.bool() {
            match (part(&mut parts, place), part(&mut others, place)) {
                (Some(part), Some(other)) => *part = other.take(),
                _ => parts.path.clone_from(&others.path),
            }
        }
    }
    parts.recompose()
}

fn part_edited(line: usize, text: &str, rng: &mut Rng) -> String {
    let part = text.strip_prefix('=');
    match (line, part, rng.u8(..4)) {
        (0..7, Some(_), 0) => "-".to_owned(),
        (0..7, _, 0 | 1) => format!("={}", drawn(line, rng)),
        (0..7, Some(part), _) => format!("={}", letter_edited(part, rng)),
        (7, Some(uri), _) => format!("={}", edited(uri, rng)),
        _ => format!("={}", drawn(line.min(6), rng)),
    }
}

fn word_edited(word: &str, rng: &mut Rng) -> String {
    match rng.u8(..5) {
        0 => format!("<{word}>"),
        1 => format!("\"{word}\""),
        2 => format!("<URL:{word}>"),
        3 => format!(
            "{word}{}",
            rng.choice([".", ",", ")", "]", "'", "-\n"]).unwrap_or_default()
        ),
        _ => edited(word, rng),
    }
}

fn path_edited(path: &str, rng: &mut Rng) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    let at = rng.usize(..segments.len());
    match rng.u8(..4) {
        0 => segments.insert(at, rng.choice(SEGMENTS).unwrap_or_default()),
        1 => {
            segments.remove(at);
        }
        2 => segments.swap(0, at),
        _ => segments[at] = rng.choice(SEGMENTS).unwrap_or_default(),
    }
    segments.join("/")
}

/// A character encoded, decoded, in the other case, doubled, dropped, or a delimiter beside it.
fn letter_edited(text: &str, rng: &mut Rng) -> String {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let at = rng.choice(&places).copied().unwrap_or_default();
    let (before, rest) = text.split_at(at);
    let Some(character) = rest.chars().next() else {
        return format!("{text}{}", rng.choice(DELIMITERS).unwrap_or_default());
    };
    let after = &rest[character.len_utf8()..];
    match rng.u8(..6) {
        0 => {
            let encoded: String = character.to_string().bytes().map(|octet| format!("%{octet:02X}")).collect();
            format!("{before}{encoded}{after}")
        }
        1 => match leading_triplet(rest.as_bytes()) {
            Some(octet) if octet.is_ascii() => format!("{before}{}{}", char::from(octet), &rest[3..]),
            _ => format!("{before}%{rest}"),
        },
        2 if character.is_ascii_lowercase() => format!("{before}{}{after}", character.to_ascii_uppercase()),
        2 => format!("{before}{}{after}", character.to_ascii_lowercase()),
        3 => format!("{before}{character}{character}{after}"),
        4 => format!("{before}{after}"),
        _ => format!("{before}{}{rest}", rng.choice(DELIMITERS).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn target(name: &str) -> &'static Target {
        Target::named(name).unwrap()
    }

    #[test]
    fn edits_reach_every_component() {
        let seed = "http://u@h:1/p?q#f";
        let mut changed = [0; 7];
        for number in 0..2000 {
            let text = String::from_utf8(mutate(target("parse"), seed.as_bytes(), number).unwrap()).unwrap();
            let (mut before, mut after) = (parts(seed), parts(&text));
            for (place, changed) in changed.iter_mut().enumerate() {
                let differs = match (part(&mut before, place), part(&mut after, place)) {
                    (Some(before), Some(after)) => before != after,
                    _ => before.path != after.path,
                };
                *changed += u32::from(differs);
            }
        }
        assert!(changed.iter().all(|times| *times > 100), "{changed:?}");
    }

    #[test]
    fn a_seed_changes_a_file_alike_and_seeds_differ() {
        for name in ["parse", "resolve", "compose", "extract", "dot_segments"] {
            let data = b"=a\n=b\n=c".as_slice();
            let made: BTreeSet<Vec<u8>> = (0..200).filter_map(|seed| mutate(target(name), data, seed)).collect();
            assert!(made.len() > 20, "{name}: {}", made.len());
            assert_eq!(mutate(target(name), data, 7), mutate(target(name), data, 7));
            assert_eq!(
                cross(target(name), data, b"x:y\nz", 7),
                cross(target(name), data, b"x:y\nz", 7)
            );
        }
        assert_eq!(mutate(target("protocol"), b"{}", 1), None);
        assert_eq!(cross(target("vectors"), b"{}", b"[]", 1), None);
    }

    #[test]
    fn crossing_takes_components_of_both() {
        let made: BTreeSet<String> = (0..500)
            .map(|seed| cross(target("parse"), b"a://b/c?d", b"e://f/g#h", seed).unwrap())
            .map(|made| String::from_utf8(made).unwrap())
            .collect();
        for wanted in ["a://f/c?d", "e://b/c?d#h", "a://b/g", "e://f/g?d"] {
            assert!(made.contains(wanted), "{wanted} is not made: {made:?}");
        }
    }
}
