//! Collects the strings of the suite, each once, part by part.

use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::{MOST_BYTES, MOST_STRINGS, StandardPart};
use crate::hash::{FastMap, hash_of};

/// Collects strings, each once.
pub(super) struct StandardBuilder {
    pub(super) text: Vec<u8>,
    pub(super) ends: Vec<usize>,
    pub(super) parts: Vec<StandardPart>,
    /// The number of the string with a hash; where another string has the hash, the next free hash is taken.
    known: FastMap<u64, u32>,
}

impl StandardBuilder {
    pub(super) fn new() -> StandardBuilder {
        StandardBuilder {
            text: Vec::with_capacity(MOST_BYTES),
            ends: Vec::with_capacity(MOST_STRINGS),
            parts: Vec::new(),
            known: FastMap::with_capacity_and_hasher(MOST_STRINGS, BuildHasherDefault::default()),
        }
    }

    pub(super) fn part(
        &mut self,
        name: &'static str,
        description: &'static str,
        make: impl FnOnce(&mut StandardBuilder),
    ) {
        let start = self.ends.len();
        make(self);
        self.parts.push(StandardPart {
            name,
            description,
            strings: start..self.ends.len(),
        });
    }

    /// The string that the pieces make, unless it is there.
    pub(super) fn add<Piece: AsRef<[u8]>>(&mut self, pieces: &[Piece]) {
        let start = self.text.len();
        for piece in pieces {
            self.text.extend_from_slice(piece.as_ref());
        }
        let mut hash = hash_of(&self.text[start..]);
        loop {
            match self.known.entry(hash) {
                Entry::Vacant(entry) => {
                    entry.insert(self.ends.len() as u32);
                    self.ends.push(self.text.len());
                    return;
                }
                Entry::Occupied(entry) => {
                    let number = *entry.get() as usize;
                    let before = if number == 0 { 0 } else { self.ends[number - 1] };
                    if self.text[before..self.ends[number]] == self.text[start..] {
                        self.text.truncate(start);
                        return;
                    }
                    hash = hash.wrapping_add(1);
                }
            }
        }
    }
}
