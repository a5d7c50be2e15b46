//! The characters that the suite tries.

/// Characters beyond ASCII that parsers are known to fold, strip, map to delimiters or take for spaces, and the ends of the
/// ranges of UTF-8's lengths.
const BEYOND_ASCII: &[char] = &[
    '\u{80}',
    '\u{85}',
    '\u{A0}',
    '\u{AD}',
    '\u{E9}',
    '\u{FF}',
    '\u{130}',
    '\u{17F}',
    '\u{660}',
    '\u{7FF}',
    '\u{800}',
    '\u{200B}',
    '\u{200E}',
    '\u{2028}',
    '\u{2029}',
    '\u{202E}',
    '\u{2044}',
    '\u{212A}',
    '\u{3000}',
    '\u{3002}',
    '\u{FEFF}',
    '\u{FF0E}',
    '\u{FF0F}',
    '\u{FF11}',
    '\u{FF1A}',
    '\u{FF20}',
    '\u{FF21}',
    '\u{FFFD}',
    '\u{1F600}',
    '\u{10FFFF}',
];

pub(super) fn characters() -> Vec<String> {
    (0..0x80_u8).map(char::from).chain(BEYOND_ASCII.iter().copied()).map(String::from).collect()
}
