//! Edits that may make a string invalid, or another one.

use std::ops::Range;

use uriproof::split::{range, split};

use super::chance::Chance;
use super::characters::CHARACTERS;
use super::folding::FOLDING;
use super::weights::{EDITS, SECOND_EDIT, StringEdit};

/// Edits a string once or twice.
pub(super) fn edit(chance: &mut Chance, text: &mut String) {
    edit_once(chance, text);
    if chance.one_in(SECOND_EDIT) {
        edit_once(chance, text);
    }
}

/// What goes into a string to make trouble.
const FRAGMENTS: &[&str] = &[
    "//",
    "/",
    "/",
    ":",
    "::",
    "@",
    "@",
    "#",
    "?",
    "/.",
    "/..",
    "/../",
    "/./",
    "..",
    "[",
    "]",
    "[]",
    "[::1]",
    "[v1.a]",
    "%",
    "%2F",
    "%00",
    "%5B",
    "://",
    ":80",
    ":",
    "\\",
    "/\\",
    "\\/",
    "?#",
    "#?",
    "a:",
    "//a",
    "//@",
    "%25en0",
    ".",
    "é",
    " ",
    "\u{301}",
    "\\\\",
    "/\\\\",
    "\\..\\",
    "c|",
    "/C|/",
    "C:",
    "/c:",
    "file:",
    "javascript:",
    "localhost",
    "..;/",
    "%2e%2e/",
    "%5c",
    "::ffff:",
    "u@v@",
    ":1:2",
    "\r\n",
    "\r\n ",
    "/index.html",
];

/// Characters that no URI has.
const EXCLUDED: &[char] = &[
    ' ',
    ' ',
    ' ',
    'é',
    'é',
    '\\',
    '^',
    '|',
    '"',
    '<',
    '>',
    '`',
    '{',
    '}',
    '\t',
    '\n',
    '\0',
    '\u{7f}',
    '\u{1f600}',
];

/// What goes in the place of a triplet that is broken.
const TRIPLET_FAULTS: &[&str] = &[
    "%", "%0", "%4", "%g0", "%0g", "%%", "%%41", "%u0041", "%é", "%+1", "% 1", "%-1", "%2", "%0x",
];

/// What goes into an IP-literal that is broken.
const LITERAL_FAULTS: &[&str] = &[
    "12345",
    "::",
    ":",
    ":::",
    "g",
    "0:",
    ":0",
    "%25en0",
    "%en0",
    ":1.2.3.4",
    ":256.1.1.1",
    ":01.2.3.4",
    ":1.2.3",
    ":1.2.3.4:",
    ".",
    "[",
    "]",
    "%31",
    "/",
    "v",
    "@",
    "-",
    "00000",
    " ",
];

/// What goes in where there is no IP-literal to break.
const BRACKETS: &[&str] = &[
    "[",
    "]",
    "[]",
    "[::1]",
    "[v1.a]",
    "[1:2",
    "::1]",
    "[[",
    "]]",
    "][",
    "[::1",
    "[v.a]",
    "[v1.]",
    "[::%31]",
    "//[::%a]",
    "//[::%en0]",
    "//[::%25en0]",
    "[::%1]",
];

/// What goes in the place of a number.
const NUMBERS: &[&str] = &[
    "256", "260", "300", "1000", "00", "01", "001", "0x7f", "", "0", "255", "65536", "-1", "+1", "1e1", "१", "１",
];

/// What goes in the place of an octet.
pub(super) const NO_OCTETS: &[&str] = &["256", "260", "300", "999", "1000", "00", "01", "001", "010", ""];

/// What goes into an authority once more.
const AUTHORITY_DELIMITERS: &[&str] = &["@", "@", ":", ":", "@@", "::", ":@", "@:", ":a", "@a", ":1:"];

#[expect(clippy::too_many_lines, reason = "one arm for each edit")]
fn edit_once(chance: &mut Chance, text: &mut String) {
    match chance.by_weight(EDITS) {
        StringEdit::Delete => {
            if let Some((at, _)) = chance.character(text) {
                text.remove(at);
            }
        }
        StringEdit::Insert => {
            let at = chance.place(text);
            text.insert(at, chance.of(CHARACTERS));
        }
        StringEdit::Replace => {
            if let Some((at, character)) = chance.character(text) {
                let other = chance.of(CHARACTERS);
                text.replace_range(at..at + character.len_utf8(), other.encode_utf8(&mut [0; 4]));
            }
        }
        StringEdit::Swap => {
            if let Some((at, character)) = chance.character(text)
                && at + character.len_utf8() < text.len()
            {
                text.remove(at);
                let behind = text[at..].chars().next().map_or(0, char::len_utf8);
                text.insert(at + behind, character);
            }
        }
        StringEdit::Double => {
            if let Some((at, character)) = chance.character(text) {
                text.insert(at, character);
            }
        }
        StringEdit::DropDelimiter => {
            if let Some(at) = chance.byte(text, is_delimiter) {
                text.remove(at);
            }
        }
        StringEdit::DoubleDelimiter => {
            if let Some(at) = chance.byte(text, is_delimiter) {
                let delimiter = char::from(text.as_bytes()[at]);
                text.insert(at, delimiter);
            }
        }
        StringEdit::DropPart => text.replace_range(part(chance, text), ""),
        StringEdit::DoublePart => {
            let part = part(chance, text);
            let again = text[part.clone()].to_owned();
            text.insert_str(part.end, &again);
        }
        StringEdit::SwapParts => {
            let (one, other) = (part(chance, text), part(chance, text));
            let (first, last) = if one.start < other.start {
                (one, other)
            } else {
                (other, one)
            };
            if first.end <= last.start {
                let [first_text, last_text] = [&first, &last].map(|part| text[part.clone()].to_owned());
                text.replace_range(last, &first_text);
                text.replace_range(first, &last_text);
            }
        }
        StringEdit::InsertFragment => {
            let at = chance.place(text);
            text.insert_str(at, chance.of(FRAGMENTS));
        }
        StringEdit::InsertExcluded => {
            let at = chance.place(text);
            text.insert(at, chance.of(EXCLUDED));
        }
        StringEdit::InsertFolding => {
            let at = chance.place(text);
            text.insert_str(at, chance.of(FOLDING));
        }
        StringEdit::BreakTriplet => {
            let range = match chance.byte(text, |byte| byte == b'%') {
                Some(at) => at..text[at..].char_indices().nth(3).map_or(text.len(), |(behind, _)| at + behind),
                None => at_a_place(chance, text),
            };
            text.replace_range(range, chance.of(TRIPLET_FAULTS));
        }
        StringEdit::BreakLiteral => match literal(text) {
            Some(literal) => {
                let at = literal.start + chance.place(&text[literal]);
                text.insert_str(at, chance.of(LITERAL_FAULTS));
            }
            None => {
                let at = chance.place(text);
                text.insert_str(at, chance.of(BRACKETS));
            }
        },
        StringEdit::BreakNumber => {
            let range = match chance.byte(text, |byte| byte.is_ascii_digit()) {
                Some(at) => number(text, at),
                None => at_a_place(chance, text),
            };
            text.replace_range(range, chance.of(NUMBERS));
        }
        StringEdit::BreakOctet => {
            let bytes = text.as_bytes();
            let is_octet = |range: &Range<usize>| {
                range.start > 0 && bytes[range.start - 1] == b'.' || bytes.get(range.end) == Some(&b'.')
            };
            let digits = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit());
            let mut octets: Vec<Range<usize>> = digits.map(|at| number(text, at)).filter(is_octet).collect();
            // Those of an IPv6 address are rare: every other time it is one of them.
            if let Some(literal) = literal(text).filter(|_| chance.one_in(2)) {
                let inner: Vec<_> = octets.iter().filter(|octet| literal.contains(&octet.start)).cloned().collect();
                if !inner.is_empty() {
                    octets = inner;
                }
            }
            if let Some(at) = octets.len().checked_sub(1) {
                let octet = octets[chance.up_to(at)].clone();
                text.replace_range(octet, chance.of(NO_OCTETS));
            }
        }
        StringEdit::BreakAuthority => {
            let authority = split(text).authority.map_or(0..text.len(), |authority| range(authority, text));
            let at = authority.start + chance.place(&text[authority]);
            text.insert_str(at, chance.of(AUTHORITY_DELIMITERS));
        }
    }
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'.' | b'%')
}

/// Something between two delimiters, which may be empty.
fn part(chance: &mut Chance, text: &str) -> Range<usize> {
    let start = chance.byte(text, is_delimiter).map_or(0, |at| at + usize::from(!chance.one_in(8)));
    // A part that begins with its delimiter goes on behind it.
    let from = (start + 1).min(text.len());
    let end = text.as_bytes()[from..].iter().position(|&byte| is_delimiter(byte)).map_or(text.len(), |at| from + at);
    start..end
}

/// Nothing, somewhere.
fn at_a_place(chance: &mut Chance, text: &str) -> Range<usize> {
    let at = chance.place(text);
    at..at
}

/// The digits around the one at `at`.
fn number(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = bytes[..at].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |before| before + 1);
    let end = bytes[at..].iter().position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |behind| at + behind);
    start..end
}

/// What stands between the first "[" and the "]" behind it.
fn literal(text: &str) -> Option<Range<usize>> {
    let start = text.find('[')? + 1;
    Some(start..start + text[start..].find(']')?)
}
