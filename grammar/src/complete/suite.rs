//! The strings of a suite, one after the other.

use std::sync::Arc;

use super::{Certificate, Suites};
use crate::machine::{Machine, State};

/// Which words are tried in which state.
#[derive(Clone, Debug)]
pub(super) struct StateWords {
    words: Vec<Vec<usize>>,
    /// By state and word.
    contains: Vec<bool>,
    count: usize,
}

impl StateWords {
    pub(super) fn new(words: Vec<Vec<usize>>, count: usize) -> StateWords {
        let mut contains = vec![false; words.len() * count];
        for (state, words) in words.iter().enumerate() {
            for word in words {
                contains[state * count + word] = true;
            }
        }
        StateWords { words, contains, count }
    }

    fn contains(&self, state: State, word: usize) -> bool {
        self.contains[state as usize * self.count + word]
    }
}

/// The words read backwards, as a tree: where a string ends in a word is found from its end.
#[derive(Clone, Debug)]
pub(super) struct Endings {
    /// By node and class, one more than there are for bytes that are in no word. The root is no child: 0 is none.
    children: Vec<u32>,
    /// The word that is complete at a node, its number and one; 0 is none.
    word: Vec<u32>,
    /// The node of each word.
    node: Vec<u32>,
    /// The class of a byte that is a representative, and the number of classes for any other.
    class_of: [u16; 256],
    width: usize,
}

impl Endings {
    pub(super) fn of(machine: &Machine, words: &[Vec<u8>]) -> Endings {
        let mut class_of = [machine.classes() as u16; 256];
        for (class, &byte) in machine.representatives().iter().enumerate() {
            class_of[usize::from(byte)] = class as u16;
        }
        let width = machine.classes() + 1;
        let mut endings = Endings {
            children: vec![0; width],
            word: vec![0],
            node: Vec::new(),
            class_of,
            width,
        };
        for (number, word) in words.iter().enumerate() {
            let mut node = 0;
            for &byte in word.iter().rev() {
                node = match endings.child(node, byte) {
                    Some(child) => child,
                    None => endings.add(node, machine.class_of(byte)),
                };
            }
            endings.word[node as usize] = number as u32 + 1;
            endings.node.push(node);
        }
        endings
    }

    fn add(&mut self, node: u32, class: usize) -> u32 {
        let child = self.word.len() as u32;
        self.children[node as usize * self.width + class] = child;
        self.children.extend(std::iter::repeat_n(0, self.width));
        self.word.push(0);
        child
    }

    fn child(&self, node: u32, byte: u8) -> Option<u32> {
        let child = self.children[node as usize * self.width + usize::from(self.class_of[usize::from(byte)])];
        (child != 0).then_some(child)
    }
}

/// The strings of a suite, each once.
///
/// Every string is a *stem* and a word: the stem is an access word, the *tail* of at most k + 1 bytes behind it leads out of
/// the access words at its first byte. A string that is also a shorter stem with a longer word has been, or will be,
/// yielded as that; stems are never equal. So no string needs to be remembered.
#[derive(Clone, Debug)]
pub struct Suite<'a> {
    pub(super) certificate: Certificate,
    pub(super) suites: &'a Suites<'a>,
    pub(super) reach: usize,
    /// The words behind a tail shorter than `reach`, and behind one that is as long.
    pub(super) within: Arc<StateWords>,
    pub(super) at_the_edge: Arc<StateWords>,
    pub(super) endings: Arc<Endings>,
    /// The output after each word in each state, by state and word.
    pub(super) outputs: Arc<[u32]>,
    pub(super) symbols: Vec<u8>,
    /// The access word of the stem, by state, and where the suite is at its end.
    pub(super) access: usize,
    pub(super) last_access: usize,
    /// The bytes behind the access word, as indices in `symbols`.
    pub(super) tail: Vec<usize>,
    /// The states on the stem's way, the start included.
    pub(super) states: Vec<State>,
    pub(super) stem: Vec<u8>,
    /// The stem as characters, and behind it the word of the last string.
    pub(super) string: String,
    /// The length of the stem in `string`.
    pub(super) stem_of_string: usize,
    /// The words as characters.
    pub(super) words: Arc<[String]>,
    /// The next of the words behind the stem.
    pub(super) word: usize,
}

impl Suite<'_> {
    /// What an implementation is proved to be that passes.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }

    /// The rest of the suite in parts, one for each access word that its strings begin with: one after the other they
    /// are the suite. For threads to take.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Self> {
        (self.access..self.last_access).map(|access| {
            let mut part = self.clone();
            if access > self.access {
                part.word = 0;
                part.tail.clear();
                part.turn_to(access);
            }
            part.last_access = access + 1;
            part
        })
    }

    /// The next string, and the machine's output after it; none at the end. As [`next`](Iterator::next), but the string is
    /// only lent, and each byte is the character of that number: what is US-ASCII is as it stands.
    pub fn advance(&mut self) -> Option<(&str, u32)> {
        while self.access < self.last_access {
            let state = self.states[self.states.len() - 1];
            let words = &self.state_words(self.tail.len()).words[state as usize];
            let Some(&word) = words.get(self.word) else {
                self.word = 0;
                self.next_stem();
                continue;
            };
            self.word += 1;
            if !self.is_elsewhere(word) {
                self.string.truncate(self.stem_of_string);
                self.string.push_str(&self.words[word]);
                let output = self.outputs[state as usize * self.suites.words.len() + word];
                return Some((&self.string, output));
            }
        }
        None
    }

    fn state_words(&self, tail: usize) -> &StateWords {
        if tail < self.reach {
            &self.within
        } else {
            &self.at_the_edge
        }
    }

    /// Whether the stem with the word behind it is a shorter stem with a longer word, too.
    fn is_elsewhere(&self, word: usize) -> bool {
        let access = self.stem.len() - self.tail.len();
        let mut node = self.endings.node[word];
        for (at, &byte) in self.stem.iter().enumerate().rev() {
            let Some(child) = self.endings.child(node, byte) else {
                return false;
            };
            node = child;
            let word = self.endings.word[node as usize] as usize;
            if word > 0 && self.state_words(at.saturating_sub(access)).contains(self.states[at], word - 1) {
                return true;
            }
        }
        false
    }

    /// Goes on to the next stem, if there is one.
    fn next_stem(&mut self) {
        if self.tail.len() < self.reach && self.push_from(0) {
            return;
        }
        while let Some(symbol) = self.tail.pop() {
            if let Some(byte) = self.stem.pop() {
                self.stem_of_string -= char::from(byte).len_utf8();
            }
            self.states.pop();
            if self.push_from(symbol + 1) {
                return;
            }
        }
        self.access += 1;
        if self.access < self.last_access {
            self.turn_to(self.access);
        }
    }

    /// Makes an access word the stem.
    fn turn_to(&mut self, access: usize) {
        self.access = access;
        self.stem.clone_from(&self.suites.access[access]);
        self.string.clear();
        self.string.extend(self.stem.iter().map(|&byte| char::from(byte)));
        self.stem_of_string = self.string.len();
        self.states.truncate(1);
        for &byte in &self.stem {
            self.states.push(self.suites.machine.step(self.states[self.states.len() - 1], byte));
        }
    }

    /// Adds the first byte from that one on to the tail; the first byte of a tail leads out of the access words.
    fn push_from(&mut self, first: usize) -> bool {
        let state = self.states[self.states.len() - 1];
        for symbol in first..self.symbols.len() {
            let byte = self.symbols[symbol];
            let next = self.suites.machine.step(state, byte);
            let target = &self.suites.access[next as usize];
            let is_access_word = self.tail.is_empty()
                && target.split_last().is_some_and(|(&last, rest)| last == byte && rest == self.stem);
            if !is_access_word {
                self.tail.push(symbol);
                self.stem.push(byte);
                self.string.truncate(self.stem_of_string);
                self.string.push(char::from(byte));
                self.stem_of_string = self.string.len();
                self.states.push(next);
                return true;
            }
        }
        false
    }
}

impl Iterator for Suite<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        // Characters have the numbers of the bytes.
        self.advance().map(|(string, _)| string.chars().map(|character| character as u8).collect())
    }
}
