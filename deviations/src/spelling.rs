//! The triplets of a text, written otherwise.

use rfc3986_reference::characters::{is_unreserved, leading_triplet};

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

/// The octets of a text, each triplet as its octet.
fn octets(text: &str) -> Vec<u8> {
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
