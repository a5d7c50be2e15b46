//! The characters of the queries, each with a code of one byte, so that what is learned is a [`Machine`] over bytes.

use crate::machine::Machine;

/// The first of them stands for every character beyond ASCII that has no code of its own.
const BEYOND_ASCII: [char; 16] = [
    'é',
    '\u{80}',
    '\u{9f}',
    '\u{a0}',
    '\u{ad}',
    '\u{2028}',
    '\u{200e}',
    '\u{d7ff}',
    '\u{e000}',
    '\u{fdd0}',
    '\u{feff}',
    '\u{ff0f}',
    '\u{fffd}',
    '\u{10000}',
    '\u{f0000}',
    '\u{10ffff}',
];

/// The code that stands for all that has none.
pub(super) const OTHERS: u8 = 0x80;

/// The code of a character of ASCII is its byte; the codes from 128 on are characters beyond ASCII.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Characters {
    beyond: Vec<char>,
}

impl Characters {
    pub(super) fn new() -> Characters {
        Characters {
            beyond: BEYOND_ASCII.to_vec(),
        }
    }

    /// Gives every character of `text` a code, as long as there are codes left.
    pub(super) fn add(&mut self, text: &str) {
        for character in text.chars().filter(|character| !character.is_ascii()) {
            if self.beyond.len() < 128 && !self.beyond.contains(&character) {
                self.beyond.push(character);
            }
        }
    }

    pub(super) fn codes(&self) -> impl Iterator<Item = u8> + Clone + use<> {
        0..=(127 + self.beyond.len()) as u8
    }

    pub(super) fn code(&self, character: char) -> u8 {
        if character.is_ascii() {
            return character as u8;
        }
        self.beyond.iter().position(|&known| known == character).map_or(OTHERS, |at| 128 + at as u8)
    }

    pub(super) fn character(&self, code: u8) -> char {
        match code {
            0..128 => char::from(code),
            _ => self.beyond.get(usize::from(code) - 128).copied().unwrap_or(self.beyond[0]),
        }
    }

    pub(super) fn encode(&self, text: &str) -> Vec<u8> {
        text.chars().map(|character| self.code(character)).collect()
    }

    pub(super) fn decode(&self, codes: &[u8]) -> String {
        let mut text = String::with_capacity(codes.len());
        self.decode_into(codes, &mut text);
        text
    }

    pub(super) fn decode_into(&self, codes: &[u8], text: &mut String) {
        text.clear();
        match std::str::from_utf8(codes) {
            // Codes below 128 only: as they stand.
            Ok(ascii) if ascii.is_ascii() => text.push_str(ascii),
            _ => text.extend(codes.iter().map(|&code| self.character(code))),
        }
    }

    /// A machine over the bytes of UTF-8 as a machine over codes.
    pub(super) fn recode(&self, machine: &Machine) -> Machine {
        let step = |state, code| {
            let mut buffer = [0; 4];
            let bytes = self.character(code).encode_utf8(&mut buffer).bytes();
            bytes.fold(state, |state, byte| machine.step(state, byte))
        };
        Machine::of(step, |state| machine.output(state))
    }
}

/// Characters as ranges, such as `0-9 A-F`; what is not printable ASCII is escaped. At most six ranges, then `...`.
pub fn ranges(characters: &[char]) -> String {
    let mut sorted = characters.to_vec();
    sorted.sort_unstable();
    let mut ranges: Vec<(char, char)> = Vec::new();
    for character in sorted {
        match ranges.last_mut() {
            Some((_, last)) if u32::from(*last) + 1 == u32::from(character) => *last = character,
            _ => ranges.push((character, character)),
        }
    }
    let shown = ranges.iter().take(6).map(|&(first, last)| match u32::from(last) - u32::from(first) {
        0 => escaped(first),
        1 => format!("{} {}", escaped(first), escaped(last)),
        _ => format!("{}-{}", escaped(first), escaped(last)),
    });
    let mut text = shown.collect::<Vec<_>>().join(" ");
    if ranges.len() > 6 {
        text += " ...";
    }
    text
}

fn escaped(character: char) -> String {
    match character {
        '!'..='~' => character.to_string(),
        _ => character.escape_unicode().to_string(),
    }
}
