//! The triplets of a text, written otherwise.

use rfc3986_reference::characters::{is_unreserved, leading_triplet, percent_encode};

/// A text with what `write` makes of each triplet in its place: the triplet and its octet are given.
pub(crate) fn map_triplets(text: &str, mut write: impl FnMut(&mut String, &str, u8)) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(percent) = rest.find('%') {
        written.push_str(&rest[..percent]);
        rest = &rest[percent..];
        let length = match leading_triplet(rest.as_bytes()) {
            Some(octet) => {
                write(&mut written, &rest[..3], octet);
                3
            }
            None => {
                written.push('%');
                1
            }
        };
        rest = &rest[length..];
    }
    written.push_str(rest);
    written
}

/// A text with its unreserved triplets decoded (§6.2.2.2).
pub(crate) fn decode_unreserved(text: &str) -> String {
    map_triplets(text, |written, triplet, octet| match is_unreserved(octet) {
        true => written.push(char::from(octet)),
        false => written.push_str(triplet),
    })
}

/// A text with the digits of its triplets in upper case (§6.2.2.1).
pub(crate) fn uppercase_triplets(text: &str) -> String {
    map_triplets(text, |written, triplet, _| *written += &triplet.to_ascii_uppercase())
}

/// The characters of a text whose triplets are decoded, by a UTF-8 that may be overlong.
///
/// # Errors
///
/// The characters before an octet that is not of such a UTF-8.
pub(crate) fn loosely_decoded(text: &str) -> Result<String, String> {
    let mut octets = octets(text).into_iter();
    let mut decoded = String::new();
    while let Some(first) = octets.next() {
        let (mut value, more) = match first {
            0x00..=0x7F => (u32::from(first), 0),
            0xC0..=0xDF => (u32::from(first & 0x1F), 1),
            0xE0..=0xEF => (u32::from(first & 0x0F), 2),
            0xF0..=0xF7 => (u32::from(first & 0x07), 3),
            0x80..=0xBF | 0xF8..=0xFF => return Err(decoded),
        };
        for _ in 0..more {
            match octets.next() {
                Some(next @ 0x80..=0xBF) => value = value << 6 | u32::from(next & 0x3F),
                _ => return Err(decoded),
            }
        }
        match char::from_u32(value) {
            Some(character) => decoded.push(character),
            None => return Err(decoded),
        }
    }
    Ok(decoded)
}

/// A text with each overlong UTF-8 in its triplets as the triplets of its character, or as the character if it is unreserved.
pub(crate) fn shortest_triplets(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let more = match leading_triplet(rest.as_bytes()) {
            Some(0xC0 | 0xC1) => 2,
            Some(0xE0) => 3,
            Some(0xF0) => 4,
            _ => 0,
        };
        let character = rest.get(..3 * more).filter(|_| more > 0).and_then(only_character);
        match character {
            Some(character) if character.len_utf8() < more => {
                written += &percent_encode(character.to_string().as_bytes(), is_unreserved);
                rest = &rest[3 * more..];
            }
            _ => {
                written.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    written
}

/// The character for which a text stands, if it is one.
fn only_character(text: &str) -> Option<char> {
    let decoded = loosely_decoded(text).ok()?;
    let mut characters = decoded.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Whether two texts are the same where a triplet is the unreserved character opposite to it, and two triplets are compared digit by
/// digit.
pub(crate) fn same_by_digits(left: &str, right: &str, ignores_case: bool) -> bool {
    let same = |one: u8, other: u8| one == other || ignores_case && one.eq_ignore_ascii_case(&other);
    let (mut left, mut right) = (left.as_bytes(), right.as_bytes());
    while let (Some(&one), Some(&other)) = (left.first(), right.first()) {
        let (of_left, of_right) = match (leading_triplet(left), leading_triplet(right)) {
            (Some(octet), None) if is_unreserved(other) && same(octet, other) => (3, 1),
            (None, Some(octet)) if is_unreserved(one) && same(octet, one) => (1, 3),
            _ if same(one, other) => (1, 1),
            _ => return false,
        };
        (left, right) = (&left[of_left..], &right[of_right..]);
    }
    left.is_empty() && right.is_empty()
}

/// The octets of a text, each triplet as its octet.
pub(crate) fn octets(text: &str) -> Vec<u8> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some(first) = rest.first() {
        let (octet, length) = leading_triplet(rest).map_or((*first, 1), |octet| (octet, 3));
        octets.push(octet);
        rest = &rest[length..];
    }
    octets
}

/// A text with each triplet decoded whose octet may be written as it is, and the digits of the others in upper case.
pub(crate) fn decode(text: &str, is_allowed: impl Fn(u8) -> bool) -> String {
    map_triplets(text, |written, triplet, octet| {
        match octet.is_ascii() && is_allowed(octet) {
            true => written.push(char::from(octet)),
            false => *written += &triplet.to_ascii_uppercase(),
        }
    })
}
