//! The characters that RFC 3987 adds to those of RFC 3986.

use crate::split::{range, split};

/// Whether RFC 3987 adds a character to every component that has unreserved ones (`ucschar`).
pub fn is_ucschar(character: char) -> bool {
    match u32::from(character) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        code @ 0x1_0000..=0xD_FFFF => code & 0xFFFF <= 0xFFFD,
        code @ 0xE_1000..=0xE_FFFD => code & 0xFFFF <= 0xFFFD,
        _ => false,
    }
}

/// Whether RFC 3987 adds a character to the query alone (`iprivate`).
pub fn is_iprivate(character: char) -> bool {
    matches!(
        u32::from(character),
        0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD
    )
}

/// What says of a character of an IRI, by its place and itself, whether RFC 3987 adds it there: `ucschar` in each component, `iprivate` in
/// the query.
pub(crate) fn is_added(iri: &str) -> impl Fn(usize, char) -> bool {
    let query = split(iri).query.map_or(0..0, |query| range(query, iri));
    move |at, character| is_ucschar(character) || is_iprivate(character) && query.contains(&at)
}
