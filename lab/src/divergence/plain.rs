//! What is plainer than what: the order by which a witness becomes canonical.

use std::ops::Range;

use uriproof::split::{UserinfoEnd, components, range};

/// Characters that are plainer than this one and of its kind, the plainest first. What is left of a text where none can
/// take a character's place is what the difference hangs on.
pub(super) fn plainer(character: char) -> impl Iterator<Item = char> {
    const LETTERS: &str = "ag";
    const CAPITALS: &str = "agAG";
    const DIGITS: &str = "a1023456789";
    const MARKS: &str = "a-._~";
    const SUB_DELIMS: &str = "a!$&'()*+,;=";
    const PRINTABLE: &str = "a\"<>^`{|}\\ ";
    const CONTROL: &str = "a\"\u{1}\0\t\n\r\u{7f}";
    const BEYOND: &str = "a\"é\u{a0}\u{2003}\u{e000}\u{fffe}";
    let kind = match character {
        'a'..='z' => LETTERS,
        'A'..='Z' => CAPITALS,
        '0'..='9' => DIGITS,
        '-' | '.' | '_' | '~' => MARKS,
        '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ',' | ';' | '=' => SUB_DELIMS,
        ']' => "a\"[",
        '[' | '%' => "a\"",
        ':' | '/' | '?' | '#' | '@' => "a",
        ' '..='~' => PRINTABLE,
        '\0'..='\x1f' | '\x7f' => CONTROL,
        _ => BEYOND,
    };
    let of_its_own = character.is_ascii_uppercase().then(|| character.to_ascii_lowercase());
    let own = move |&plainer: &char| plainer != character;
    kind.chars().take_while(own).chain(of_its_own)
}

/// Schemes, the plainest first: any, in capitals, and those that are known for rules of their own.
const SCHEMES: &[&str] = &[
    "a", "A", "http", "https", "ws", "wss", "ftp", "file", "mailto", "urn", "HTTP",
];

/// Hosts, the plainest first: one for each kind, and for each way to spell it.
const HOSTS: &[&str] = &[
    "",
    "a",
    "A",
    "1",
    "1.1.1.1",
    "%aa",
    "%41",
    "[::]",
    "[0::]",
    "[::a]",
    "[::A]",
    "[::1.1.1.1]",
    "[va.a]",
    "[Va.a]",
    "[v1.a]",
    "[::01.1.1.1]",
    "[::%a]",
    "[::\"]",
];

/// Ports, the plainest first.
const PORTS: &[&str] = &["", "1", "01", "80", "443", "65536"];

/// What of a URI a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    /// All of it.
    Whole,
    /// Its scheme.
    Scheme,
    /// Its host.
    Host,
    /// Its port.
    Port,
    /// Its query or its fragment, in which nothing is delimited.
    Data,
    /// Something else.
    Other,
}

/// The scheme, the host and the port of a text, each with what may be plainer.
pub(super) fn plainer_tokens(text: &str, part: TextKind) -> Vec<(Range<usize>, &'static [&'static str])> {
    match part {
        TextKind::Whole => tokens_of_whole(text),
        TextKind::Scheme => vec![(0..text.len(), SCHEMES)],
        TextKind::Host => vec![(0..text.len(), HOSTS)],
        TextKind::Port => vec![(0..text.len(), PORTS)],
        TextKind::Data | TextKind::Other => Vec::new(),
    }
}

fn tokens_of_whole(text: &str) -> Vec<(Range<usize>, &'static [&'static str])> {
    let parts = components(text, UserinfoEnd::LastAt);
    let of = |part: Option<&str>, plainer| part.map(|part| (range(part, text), plainer));
    let tokens = [of(parts.scheme, SCHEMES), of(parts.host, HOSTS), of(parts.port, PORTS)];
    tokens.into_iter().flatten().collect()
}

/// Schemes and ports that stand for their like in the end, though others may be lighter: which letter of a known scheme is
/// a capital, and which digits make a port too large, says nothing.
pub(super) const STANDARDS: &[&str] = &["http", "Http", "65536", "[::01.1.1.1]"];

/// Bases that stand for their like in the end, the plainest first: rootless, absolute, with an authority.
pub(super) const BASES: &[&str] = &["a:", "a:/", "a:a", "a://", "a://a"];

/// Paths, the plainest first: without empty segments and dot-segments, with the one, the other, both.
pub(super) const PATHS: &[&str] = &[
    "/", "a", "/a", "a/", "/a/", "a/a", "/a/a", "a:", "/a:", "//", "//a", "a//", "/a//", "a//a", "////", ".", "..",
    "/.", "/..", "./", "../", "/./", "a/.", "a/..", "/a/.", "/a/..", "./a", "../a", "/../a", "a/../a", "./a:", "/..//",
    ".//", "..//", "/.//", "a/..//", "/a/..//", "a//.", "a//..", "/a//.", "/a//..", "////.", ".//a", "/.//a",
    "a/..//a", "a//../a",
];

/// What a text weighs: its length, then how much plainer each of its characters could be, the first most. Every step makes
/// it lighter.
pub(super) fn weight(text: &str) -> (usize, Vec<usize>) {
    (
        text.len(),
        text.chars().map(|character| plainer(character).count()).collect(),
    )
}
