//! RFC 3986 §2: the characters of a URI, percent-encoding and percent-decoding.

use std::borrow::Cow;

/// RFC 2234 §6.1, which RFC 3986 §1.3 names: `ALPHA = %x41-5A / %x61-7A`.
pub fn is_alpha(octet: u8) -> bool {
    octet.is_ascii_alphabetic()
}

/// RFC 2234 §6.1, which RFC 3986 §1.3 names: `DIGIT = %x30-39`.
pub fn is_digit(octet: u8) -> bool {
    octet.is_ascii_digit()
}

/// RFC 2234 §6.1, whose strings are case-insensitive: `HEXDIG = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"`.
pub fn is_hexdig(octet: u8) -> bool {
    octet.is_ascii_hexdigit()
}

/// `reserved = gen-delims / sub-delims` (RFC 3986 §2.2).
pub fn is_reserved(octet: u8) -> bool {
    is_gen_delim(octet) || is_sub_delim(octet)
}

/// `gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"` (RFC 3986 §2.2).
pub fn is_gen_delim(octet: u8) -> bool {
    matches!(octet, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@')
}

/// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="` (RFC 3986 §2.2).
pub fn is_sub_delim(octet: u8) -> bool {
    matches!(
        octet,
        b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'='
    )
}

/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"` (RFC 3986 §2.3).
pub fn is_unreserved(octet: u8) -> bool {
    is_alpha(octet) || is_digit(octet) || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// The octet that `text` encodes at its beginning, if it begins with `pct-encoded` (RFC 3986 §2.1).
pub fn leading_triplet(text: &[u8]) -> Option<u8> {
    match text {
        [b'%', high, low, ..] if is_hexdig(*high) && is_hexdig(*low) => {
            Some(hexdig_value(*high) << 4 | hexdig_value(*low))
        }
        _ => None,
    }
}

/// The octets that `component` stands for, each `pct-encoded` triplet decoded (RFC 3986 §2.1, §2.4).
///
/// A "%" that begins no triplet stands for itself, so every string has an answer. What comes out is data and no
/// longer a component: §2.4, "Implementations must not percent-encode or decode the same string more than once".
pub fn percent_decode(component: &str) -> Vec<u8> {
    let mut rest = component.as_bytes();
    let mut octets = Vec::with_capacity(rest.len());
    while let Some(&first) = rest.first() {
        match leading_triplet(rest) {
            Some(octet) => {
                octets.push(octet);
                rest = &rest[3..];
            }
            None => {
                octets.push(first);
                rest = &rest[1..];
            }
        }
    }
    octets
}

/// The text in which every octet of `data` for which `keep` is false is a triplet with uppercase digits (§2.1).
///
/// `keep` is asked about reserved and unreserved characters only; all other octets have no character in a URI and are
/// always encoded, "%" too, which "serves as the indicator for percent-encoded octets" and "must be percent-encoded as
/// "%25"" (§2.4). A producer passes the characters that its component allows as data (§2.2).
pub fn percent_encode(data: &[u8], keep: impl Fn(u8) -> bool) -> String {
    let mut text = String::with_capacity(data.len());
    for &octet in data {
        if (is_reserved(octet) || is_unreserved(octet)) && keep(octet) {
            text.push(char::from(octet));
        } else {
            push_triplet(&mut text, octet);
        }
    }
    text
}

/// `text` with uppercase digits in its triplets (RFC 3986 §6.2.2.1).
pub(crate) fn uppercase_triplets(text: &str) -> Cow<'_, str> {
    rewrite_triplets(text, |rewritten, _, octet| push_triplet(rewritten, octet))
}

/// `text` with its triplets of unreserved characters decoded and all others as they are (RFC 3986 §6.2.2.2).
pub(crate) fn decode_unreserved_triplets(text: &str) -> Cow<'_, str> {
    rewrite_triplets(text, |rewritten, triplet, octet| {
        if is_unreserved(octet) {
            rewritten.push(char::from(octet));
        } else {
            rewritten.push_str(triplet);
        }
    })
}

/// `text` with what `write` writes in place of each triplet.
fn rewrite_triplets(text: &str, write: impl Fn(&mut String, &str, u8)) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut rewritten = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(percent) = rest.find('%') {
        rewritten.push_str(&rest[..percent]);
        rest = &rest[percent..];
        let length = match leading_triplet(rest.as_bytes()) {
            Some(octet) => {
                write(&mut rewritten, &rest[..3], octet);
                3
            }
            None => {
                rewritten.push('%');
                1
            }
        };
        rest = &rest[length..];
    }
    rewritten.push_str(rest);
    Cow::Owned(rewritten)
}

fn push_triplet(text: &mut String, octet: u8) {
    const HEXDIG: &[u8; 16] = b"0123456789ABCDEF";
    text.push('%');
    text.push(char::from(HEXDIG[usize::from(octet >> 4)]));
    text.push(char::from(HEXDIG[usize::from(octet & 0xF)]));
}

fn hexdig_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        _ => digit - b'A' + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_partition_us_ascii_as_appendix_a_does() {
        let count = |class: fn(u8) -> bool| (0..=255).filter(|&octet| class(octet)).count();
        assert_eq!(count(is_unreserved), 66);
        assert_eq!(count(is_gen_delim), 7);
        assert_eq!(count(is_sub_delim), 11);
        assert_eq!(count(is_reserved), 18);
        assert!((0..=255).all(|octet| !(is_reserved(octet) && is_unreserved(octet))));
    }

    #[test]
    fn decoding_is_done_once() {
        assert_eq!(percent_decode("%2541"), b"%41");
        assert_eq!(percent_decode("%25%34%31"), b"%41");
        assert_eq!(percent_decode("a%20b%"), b"a b%");
        assert_eq!(percent_decode("%zz%4"), b"%zz%4");
        assert_eq!(percent_decode("%00%FF"), [0, 255]);
    }

    #[test]
    fn the_examples_of_2_5_encode_as_printed() {
        assert_eq!(percent_encode(b"Laguna Beach", is_unreserved), "Laguna%20Beach");
        assert_eq!(percent_encode("\u{C0}".as_bytes(), is_unreserved), "%C3%80");
        assert_eq!(percent_encode("\u{30A2}".as_bytes(), is_unreserved), "%E3%82%A2");
        assert_eq!(percent_encode(b"100%", |_| true), "100%25");
        assert_eq!(
            percent_encode(b"a:b/[\0 \"<>\\^`{|}\x7F\xFF", |_| true),
            "a:b/[%00%20%22%3C%3E%5C%5E%60%7B%7C%7D%7F%FF"
        );
    }

    #[test]
    fn what_is_encoded_decodes_to_itself() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(percent_decode(&percent_encode(&all, is_unreserved)), all);
    }
}
