//! Texts that libraries change beyond what RFC 3986 has: by case folding, IDNA or Unicode normalization.

use std::fmt::Write as _;

use super::chance::Chance;

/// Texts that change under case folding, IDNA or Unicode normalization, or that vanish: ß and its kind, letters with two cases in
/// another script's way, composed and decomposed ones, full-width and ligatures, dots and delimiters under NFKC, what is not seen.
pub(super) const FOLDING: &[&str] = &[
    "ß", "ß", "\u{1e9e}", "ſ", "\u{212a}", "\u{130}", "ı", "\u{c5}", "\u{212b}", "\u{e9}", "e\u{301}", "ς", "\u{ff41}",
    "\u{ff21}", "\u{fb01}", "\u{2460}", "\u{2100}", "\u{3002}", "\u{ff0e}", "\u{ff61}", "\u{2024}", "\u{ff0f}",
    "\u{ff1a}", "\u{ff20}", "\u{ff03}", "\u{ff1f}", "\u{ad}", "\u{200c}", "\u{200d}",
];

/// Appends a text that folds, each byte as a triplet.
pub(super) fn encoded_folding(chance: &mut Chance, text: &mut String) {
    let is_upper = chance.one_in(2);
    for byte in chance.of(FOLDING).bytes() {
        let written = match byte {
            0x00..=0x7f => write!(text, "{}", char::from(byte)),
            _ if is_upper => write!(text, "%{byte:02X}"),
            _ => write!(text, "%{byte:02x}"),
        };
        written.expect("writes to a string");
    }
}
