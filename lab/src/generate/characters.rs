//! Characters of every kind, and strings of them.

use super::chance::Chance;

/// Characters that a string may break at: delimiters, what no URI has, a member of every class of the grammar.
pub(super) const CHARACTERS: &[char] = &[
    ':',
    '/',
    '?',
    '#',
    '[',
    ']',
    '@',
    '!',
    '$',
    '&',
    '\'',
    '(',
    ')',
    '*',
    '+',
    ',',
    ';',
    '=',
    '%',
    '%',
    '\\',
    '^',
    '|',
    '"',
    '<',
    '>',
    '`',
    '{',
    '}',
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u{7f}',
    '\u{1}',
    '-',
    '.',
    '_',
    '~',
    '0',
    '1',
    '2',
    '3',
    '5',
    '6',
    '9',
    'a',
    'A',
    'e',
    'F',
    'g',
    'v',
    'V',
    'x',
    'Z',
    'é',
    '\u{80}',
    '\u{a0}',
    '\u{ad}',
    '\u{130}',
    '\u{2028}',
    '\u{3002}',
    '\u{e000}',
    '\u{feff}',
    '\u{ff0f}',
    '\u{fffd}',
    '\u{fffe}',
    '\u{1f600}',
    '\u{10ffff}',
];

/// The characters of short strings.
pub(super) const SHORT: &[char] = &[':', '/', '?', '#', '[', ']', '@', '.', '%', 'a', '1', 'v'];

/// A string of up to 24 characters of every kind.
pub(super) fn raw(chance: &mut Chance) -> String {
    (0..chance.up_to(24)).map(|_| chance.of(CHARACTERS)).collect()
}

/// A string of up to 5 delimiters and the like.
pub(super) fn short(chance: &mut Chance) -> String {
    (0..chance.up_to(5)).map(|_| chance.of(SHORT)).collect()
}

#[cfg(test)]
mod tests {
    use uriproof_grammar::{Dfa, rfc3986};

    use super::*;

    #[test]
    fn the_characters_have_a_member_of_every_class_of_the_grammar() {
        let dfa = Dfa::compile(&rfc3986::grammar(), "URI-reference").unwrap();
        let machine = dfa.machine();
        let mut met = vec![false; machine.classes()];
        for character in CHARACTERS {
            for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
                met[machine.class_of(byte)] = true;
            }
        }
        for (class, met) in met.into_iter().enumerate() {
            assert!(
                met,
                "no character for {:?}",
                machine.members(class).collect::<Vec<u8>>()
            );
        }
    }
}
