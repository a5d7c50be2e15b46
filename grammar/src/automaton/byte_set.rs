//! Sets of bytes, and those that the characters of a grammar stand for.

use crate::abnf::{Element, LetterCase, NumVal};

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) const NONE: ByteSet = ByteSet([0; 4]);

    pub(super) fn range(first: u8, last: u8) -> ByteSet {
        let mut set = ByteSet::NONE;
        for byte in first..=last {
            set.0[usize::from(byte) / 64] |= 1 << (byte % 64);
        }
        set
    }

    pub(crate) fn either(self, other: ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(crate) fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
    }
}

/// The bytes that each place of a text takes, of an element that is characters and nothing else; nothing for others.
pub(crate) fn byte_sets(element: &Element) -> Vec<ByteSet> {
    let set = |byte| ByteSet::range(byte, byte);
    match element {
        Element::CharVal { text, case } => text
            .bytes()
            .map(|byte| match case {
                LetterCase::Sensitive => set(byte),
                LetterCase::Insensitive => set(byte.to_ascii_lowercase()).either(set(byte.to_ascii_uppercase())),
            })
            .collect(),
        Element::NumVal { value, .. } => match value {
            NumVal::Value(value) => vec![set(*value as u8)],
            NumVal::Range(first, last) => vec![ByteSet::range(*first as u8, *last as u8)],
            NumVal::Concatenation(values) => values.iter().map(|&value| set(value as u8)).collect(),
        },
        _ => Vec::new(),
    }
}
