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

/// A text with each triplet decoded whose octet may be written as it is, and the digits of the others in upper case.
pub(crate) fn decode(text: &str, is_allowed: impl Fn(u8) -> bool) -> String {
    map_triplets(text, |written, triplet, octet| {
        match octet.is_ascii() && is_allowed(octet) {
            true => written.push(char::from(octet)),
            false => *written += &triplet.to_ascii_uppercase(),
        }
    })
}
