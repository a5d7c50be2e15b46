//! Reads strings by a nondeterministic automaton, where the deterministic one would be too large.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::byte_set::ByteSet;
use super::nfa::{Nfa, NfaNode};
use super::{Dfa, MEMBER_LIMIT, within};
use crate::abnf::{Error, Grammar};
use crate::machine::Classes;

/// A rule that is read by its NFA as it is, where the DFA would be too large.
#[derive(Clone, Debug)]
pub struct NfaReader {
    nodes: Vec<NfaNode>,
    entry: u32,
    exit: u32,
}

impl NfaReader {
    /// The reader of a rule.
    ///
    /// # Errors
    ///
    /// As [`Dfa::compile`], but that no machine is too large.
    pub fn of(grammar: &Grammar, rule: &str) -> Result<NfaReader, Error> {
        let Nfa { nodes, entry, exit, .. } = Nfa::of(grammar, rule)?;
        Ok(NfaReader { nodes, entry, exit })
    }

    /// Whether the whole of `input` matches.
    pub fn accepts(&self, input: &[u8]) -> bool {
        let last = input.iter().fold(self.closure([self.entry]), |set, &byte| self.step(&set, byte));
        last.contains(&self.exit)
    }

    /// A shortest string that one of the two accepts; none if there is none, or none before the search is too large.
    pub fn difference(&self, dfa: &Dfa) -> Option<Vec<u8>> {
        let sets: HashSet<ByteSet> = self.nodes.iter().filter_map(|node| node.edge).map(|(set, _)| set).collect();
        let classes = Classes::by_key(|byte| {
            let class = dfa.machine().class_of(byte);
            (class, sets.iter().map(|set| set.contains(byte)).collect::<Vec<_>>())
        });
        let symbols = classes.representatives();
        let start = (self.closure([self.entry]), dfa.start());
        let mut known = HashSet::from([start.clone()]);
        let mut open = VecDeque::from([(start, Vec::new())]);
        let mut members = 0;
        while let Some(((set, state), word)) = open.pop_front() {
            if set.contains(&self.exit) != dfa.is_accepting(state) {
                return Some(word);
            }
            for &byte in &symbols {
                let next = (self.step(&set, byte), dfa.step(state, byte));
                members += next.0.len();
                within(MEMBER_LIMIT, members).ok()?;
                if known.insert(next.clone()) {
                    open.push_back((next, [&word[..], &[byte]].concat()));
                }
            }
        }
        None
    }

    fn step(&self, set: &[u32], byte: u8) -> Vec<u32> {
        let edges = set.iter().filter_map(|&node| self.nodes[node as usize].edge);
        self.closure(edges.filter(|(set, _)| set.contains(byte)).map(|(_, to)| to))
    }

    /// The nodes, and those that they reach without input, in ascending order.
    fn closure(&self, nodes: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut seen: BTreeSet<u32> = nodes.into_iter().collect();
        let mut open: Vec<u32> = seen.iter().copied().collect();
        while let Some(node) = open.pop() {
            open.extend(self.nodes[node as usize].silent.iter().copied().filter(|&next| seen.insert(next)));
        }
        seen.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_accepts_what_the_machine_accepts() {
        let grammar = Grammar::read("a = *2( \"b\" / \"c\" ) [ \":\" ] *\"d\" / \"::\"").unwrap();
        let other = Grammar::read("a = *2( \"b\" / \"c\" ) [ \":\" ] *\"d\" / \":::\"").unwrap();
        let (machine, reader) = (
            Dfa::compile(&grammar, "a").unwrap(),
            NfaReader::of(&grammar, "a").unwrap(),
        );
        for text in ["", "b", "bc", "bcb", "bc:", "c:ddd", "::", ":::", "D", ":d:", "x"] {
            assert_eq!(
                reader.accepts(text.as_bytes()),
                machine.accepts(text.as_bytes()),
                "{text}"
            );
        }
        assert_eq!(reader.difference(&machine), None);
        let other = NfaReader::of(&other, "a").unwrap();
        assert_eq!(other.difference(&machine), Some(b"::".to_vec()));
    }
}
