//! Words that libraries single out, where libraries look for them: schemes with rules of their own, drive letters, hosts that have a
//! meaning, segments that some take for dot-segments, characters that change under case folding, IDNA or normalization.

use uriproof::model::{Components, Input};

use super::chance::Chance;
use super::grammar_shaped::{AuthorityShape, UriShape};
use super::text::{QUERY, SEGMENT};
use super::weights::{FAMILIES, POSITIONS, WordFamily, WordPosition};

/// Schemes whose URIs have no authority, each with a path that belongs to it, and a query.
const OPAQUE: &[(&str, &str, Option<&str>)] = &[
    ("javascript", "alert(1)", None),
    ("javascript", "//%0Aalert(1)", None),
    ("JavaScript", "a", Some("b:c")),
    ("data", ",a", None),
    ("data", "text/html,%3Cb%3E", None),
    ("data", "text/plain;charset=utf-8;base64,YQ==", None),
    ("DATA", ",", Some("")),
    ("mailto", "a@b.example", None),
    ("mailto", "a%40b@C.Example,d@e", Some("subject=a%20b&cc=f@g")),
    ("mailto", "", Some("to=a@b")),
    ("urn", "example:a123,z456", None),
    ("URN", "Example:a123%2Cz456", None),
    ("urn", "example:a", Some("+b?=c")),
    ("urn", "isbn:0451450523", None),
    ("tel", "+1-201-555-0123", None),
    ("sip", "a@b:5060;transport=tcp", None),
    ("about", "blank", None),
    ("blob", "http://a/b", None),
    ("view-source", "http://a/../b", None),
    ("jar", "file:/a.jar!/b", None),
    ("http", "a", None),
    ("http", "/a", None),
    ("https", "a:80", None),
];

const FILE_SCHEMES: &[&str] = &["file", "file", "file", "FILE", "File", "filesystem"];

const FILE_HOSTS: &[&str] = &[
    "",
    "",
    "",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "127.0.0.1",
    "C",
    "c%7C",
    "server",
    ".",
    "%2E",
];

/// Drive letters, and what is close to one.
const DRIVES: &[&str] = &[
    "C:", "C:", "c:", "Z:", "C%7C", "c%7c", "C%3A", "c%3a", "CC:", "1:", "C:C:", "%43:",
];

/// What follows a drive letter.
const BEHIND_DRIVES: &[&str] = &[
    "", "/", "/..", "/../..", "/a", "/a/../..", "/../D:", "//a", "/.", "a", "..", "/%2e%2e", "/a%5Cb",
];

/// Hosts that have a meaning.
const HOSTS: &[&str] = &[
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.localhost",
    "localhost%2e",
    "%6cocalhost",
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "0x7f.1",
    "0X7F.0.0.1",
    "0x7f000001",
    "0177.0.0.1",
    "2130706433",
    "0.0.0.0",
    "0",
    "255.255.255.255",
    "169.254.169.254",
    "%31%32%37.0.0.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[fe80::1]",
    "[2001:DB8::]",
    "[v1.fe80::a+en1]",
    "xn--",
    "xn--zca",
    "XN--strae-oqa.example",
    "xn--a.xn--zca",
    "com",
    "example.com.",
    "example..com",
    "-a-.example",
    "a_b.example",
    "%E3%80%82",
    "a%E3%80%82b",
    "fa%C3%9F.example",
    "%EF%BC%A1.example",
];

const HOST_SCHEMES: &[&str] = &[
    "http", "http", "https", "HTTP", "ws", "wss", "ftp", "file", "a", "git+ssh", "ldap",
];

/// Segments that some take for dot-segments, for the end of a path, or for nothing.
const SEGMENTS: &[&str] = &[
    "%2e%2e",
    "%2E%2e",
    ".%2e",
    "%2e",
    "..;",
    "..;a=b",
    ".;",
    "%2e%2e;",
    "%2e%2e%2f",
    "..%2f",
    "..%2F..%2f",
    "..%5c",
    "%5c..%5c",
    "%5c",
    "..%00",
    "%00",
    "..%20",
    ".%20",
    "...",
    "....",
    "%252e%252e",
    "%c0%ae%c0%ae",
    "~",
    "~a",
    ";jsessionid=1",
    "a;b=c",
    "..",
    ".",
    "",
    "a",
    "%E2%80%A5",
    "%EF%BC%8E%EF%BC%8E",
];

/// A URI-reference of a family of words: valid by construction.
pub(super) fn components(chance: &mut Chance) -> Components {
    match chance.by_weight(FAMILIES) {
        WordFamily::Opaque => opaque(chance),
        WordFamily::File => file(chance),
        WordFamily::Drive => drive(chance),
        WordFamily::Host => with_host(chance),
        WordFamily::Path => path(chance),
    }
}

/// A URI of a family of words.
pub(super) fn uri(chance: &mut Chance) -> Components {
    let mut components = components(chance);
    if components.scheme.is_none() {
        components.scheme = Some(chance.of(&["http", "file", "FILE", "a"]).to_owned());
    }
    components
}

/// A reference with a word that resolution may single out: without a scheme three times in four.
pub(super) fn reference(chance: &mut Chance) -> Components {
    let mut components = components(chance);
    if !chance.one_in(4) {
        components.scheme = None;
        if components.host.is_none() {
            relative(&mut components.path);
        }
    }
    components
}

/// Makes a path one that may be first.
fn relative(path: &mut String) {
    if path.starts_with("//") {
        path.insert_str(0, "/.");
    }
    let first = path.find('/').unwrap_or(path.len());
    if path[..first].contains(':') {
        path.insert_str(0, "./");
    }
}

fn opaque(chance: &mut Chance) -> Components {
    let (scheme, path, query) = chance.of(OPAQUE);
    let mut components = Components {
        scheme: Some(scheme.to_owned()),
        query: query.map(str::to_owned),
        ..Components::default()
    };
    // Only an authority can be before "//".
    match path.strip_prefix("//") {
        Some(host) => components.host = Some(host.to_owned()),
        None => path.clone_into(&mut components.path),
    }
    ends(chance, &mut components);
    components
}

fn file(chance: &mut Chance) -> Components {
    let mut components = Components {
        scheme: Some(chance.of(FILE_SCHEMES).to_owned()),
        ..Components::default()
    };
    if !chance.one_in(4) {
        components.host = Some(chance.of(FILE_HOSTS).to_owned());
    }
    if components.host.is_some() || chance.one_in(2) {
        components.path.push('/');
    }
    if chance.one_in(6) {
        components.path.push_str(match (&components.host, components.path.is_empty()) {
            (_, true) => "./..",
            (Some(_), false) => "/..",
            // Only an authority can be before "//".
            (None, false) => "..",
        });
    } else {
        drive_path(chance, &mut components.path);
    }
    ends(chance, &mut components);
    components
}

/// A drive letter in the place of the scheme, of the first segment, or of the host.
fn drive(chance: &mut Chance) -> Components {
    let mut components = Components::default();
    match chance.below(4) {
        0 => {
            components.scheme = Some(chance.of(&["C", "c", "z"]).to_owned());
            components.path = chance.of(&["/", "/a", "/../a", "a", "", "%5Ca", "/a/../../b"]).to_owned();
        }
        1 => {
            components.host = Some(chance.of(&["C", "c", "C%7C"]).to_owned());
            components.port = chance.of(&[None, Some("")]).map(str::to_owned);
            components.path = chance.of(&["", "/", "/a", "/.."]).to_owned();
        }
        2 => {
            components.path.push('/');
            drive_path(chance, &mut components.path);
        }
        _ => {
            drive_path(chance, &mut components.path);
            relative(&mut components.path);
        }
    }
    ends(chance, &mut components);
    components
}

fn drive_path(chance: &mut Chance, path: &mut String) {
    path.push_str(chance.of(DRIVES));
    path.push_str(chance.of(BEHIND_DRIVES));
}

fn with_host(chance: &mut Chance) -> Components {
    let shape = if chance.one_in(4) {
        UriShape::any(chance)
    } else {
        UriShape::of_uri(chance)
    };
    let authority = Some(AuthorityShape::any(chance));
    let mut components = UriShape { authority, ..shape }.components(chance);
    if components.scheme.is_some() {
        components.scheme = Some(chance.of(HOST_SCHEMES).to_owned());
    }
    components.host = Some(if chance.one_in(8) {
        mapped(chance)
    } else {
        chance.of(HOSTS).to_owned()
    });
    components
}

/// An IPv6 address that stands for an IPv4address.
fn mapped(chance: &mut Chance) -> String {
    let prefix = chance.of(&["::ffff:", "::FFFF:", "::", "0:0:0:0:0:ffff:", "::ffff:0:", "64:ff9b::"]);
    let address = chance.of(&[
        "127.0.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "1.2.3.4",
        "10.0.0.1",
        "7f00:1",
        "0:0",
        "1:2",
    ]);
    format!("[{prefix}{address}]")
}

fn path(chance: &mut Chance) -> Components {
    let mut components = UriShape::any(chance).components(chance);
    let is_free = components.scheme.is_some() || components.host.is_some();
    let mut path = String::new();
    if components.host.is_some() || chance.one_in(2) {
        path.push('/');
    }
    for at in 0..2 + chance.below(4) {
        if at > 0 {
            path.push('/');
        }
        if chance.one_in(4) {
            SEGMENT.write(chance, &mut path);
        } else {
            path.push_str(chance.of(SEGMENTS));
        }
    }
    components.path = path;
    if components.host.is_none() {
        if components.path.starts_with("//") {
            components.path.insert_str(0, "/.");
        }
        if !is_free {
            relative(&mut components.path);
        }
    }
    components
}

/// A query and a fragment, rarely.
fn ends(chance: &mut Chance, components: &mut Components) {
    if components.query.is_none() && chance.one_in(6) {
        components.query = Some(String::new());
        QUERY.write(chance, components.query.get_or_insert_default());
    }
    if chance.one_in(6) {
        QUERY.write(chance, components.fragment.get_or_insert_default());
    }
}

/// Puts a word into one of the strings of an input.
pub(super) fn put(chance: &mut Chance, input: &mut Input, word: &str) {
    let mut texts = texts(input);
    if texts.is_empty() {
        return;
    }
    let at = chance.below(texts.len());
    let text = &mut *texts[at];
    match chance.by_weight(POSITIONS) {
        WordPosition::Part => {
            let start = behind_a_delimiter(chance, text);
            let length = text[start..].find(is_delimiter).unwrap_or(text.len() - start);
            text.replace_range(start..start + length, word);
        }
        WordPosition::Behind => {
            let start = behind_a_delimiter(chance, text);
            text.insert_str(start, word);
        }
        WordPosition::Anywhere => {
            let at = chance.place(text);
            text.insert_str(at, word);
        }
        WordPosition::Start => text.insert_str(0, word),
        WordPosition::End => text.push_str(word),
        WordPosition::Whole => word.clone_into(text),
    }
}

/// What ends a component or a segment.
fn is_delimiter(character: char) -> bool {
    matches!(character, ':' | '/' | '?' | '#' | '[' | ']' | '@')
}

/// The place behind a delimiter, or the beginning.
fn behind_a_delimiter(chance: &mut Chance, text: &str) -> usize {
    let count = text.matches(is_delimiter).count();
    match chance.up_to(count).checked_sub(1) {
        None => 0,
        Some(number) => text.match_indices(is_delimiter).nth(number).map_or(0, |(at, _)| at + 1),
    }
}

/// Every string of an input that a word can go into.
pub(super) fn texts(input: &mut Input) -> Vec<&mut String> {
    match input {
        Input::Parse { input, .. } => vec![input],
        Input::Resolve { base, reference, .. } => vec![base, reference],
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } => vec![uri],
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left, right],
        Input::Relativize { base, target } => vec![base, target],
        Input::Modify { uri, value, .. } => [Some(uri), value.as_mut()].into_iter().flatten().collect(),
        Input::Compose { components } => {
            let Components {
                scheme,
                userinfo,
                host,
                host_kind: _,
                port,
                path,
                query,
                fragment,
            } = components;
            let all = [
                scheme.as_mut(),
                userinfo.as_mut(),
                host.as_mut(),
                port.as_mut(),
                Some(path),
                query.as_mut(),
                fragment.as_mut(),
            ];
            all.into_iter().flatten().collect()
        }
    }
}

#[cfg(test)]
mod tests;
