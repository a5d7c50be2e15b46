//! Splitting trees: the words that tell the states of a machine apart.

use crate::machine::{Machine, State};

/// The states as leaves, split by words until each stands alone.
pub(crate) struct SplittingTree {
    /// The root first, every node before its children.
    pub(crate) nodes: Vec<SplitNode>,
    /// The leaf of each state.
    leaf: Vec<usize>,
}

pub(crate) struct SplitNode {
    pub(crate) parent: Option<usize>,
    depth: usize,
    /// Never empty.
    pub(crate) states: Vec<State>,
    /// What splits the states, if anything does yet.
    pub(crate) word: Option<Vec<u8>>,
}

impl SplittingTree {
    /// A tree with short words, and few of them on the way to the states that most transitions lead to.
    pub(crate) fn of(machine: &Machine) -> SplittingTree {
        let (words, _) = SplittingTree::grown(machine).identifiers(machine);
        SplittingTree::balanced(machine, &words)
    }

    /// One node of all states, split by the empty word.
    fn rooted(machine: &Machine) -> SplittingTree {
        let states: Vec<State> = (0..machine.states() as State).collect();
        let mut tree = SplittingTree {
            leaf: vec![0; states.len()],
            nodes: vec![SplitNode {
                parent: None,
                depth: 0,
                states,
                word: None,
            }],
        };
        tree.split(machine, 0, Vec::new());
        tree
    }

    /// A tree with short words: each is a byte before one that splits another node.
    fn grown(machine: &Machine) -> SplittingTree {
        let mut tree = SplittingTree::rooted(machine);
        // The words grow by at most a byte a round: a leaf waits until no shorter word splits it.
        let mut length = 1;
        let mut open = tree.open_leaves();
        while !open.is_empty() {
            for leaf in open {
                if let Some(word) = tree.splitting_word(machine, leaf, length) {
                    tree.split(machine, leaf, word);
                }
            }
            length += 1;
            open = tree.open_leaves();
        }
        tree
    }

    /// A tree with few words on the way to the states that most transitions lead to, made of `words`, which must tell all
    /// states apart. A suite tries the identifiers of a state once for each transition that leads there, so that these few
    /// states, the sink above all, decide its size.
    fn balanced(machine: &Machine, words: &[Vec<u8>]) -> SplittingTree {
        let mut transitions = vec![0; machine.states()];
        for state in 0..machine.states() as State {
            for &byte in machine.representatives() {
                transitions[machine.step(state, byte) as usize] += 1;
            }
        }
        let mut tree = SplittingTree::rooted(machine);
        let mut used = vec![false; words.len()];
        let mut leaf = 1;
        while leaf < tree.nodes.len() {
            let states = &tree.nodes[leaf].states;
            if states.len() > 1 {
                let cost = |word: usize| {
                    let parts = parts(machine, states, &words[word]);
                    let cost = |part: &Vec<State>| -> usize {
                        part.len() * part.iter().map(|&state| transitions[state as usize]).sum::<usize>()
                    };
                    let splits = parts.len() > 1;
                    splits.then(|| (parts.iter().map(|(_, part)| cost(part)).sum::<usize>(), !used[word]))
                };
                let best = (0..words.len()).filter_map(|word| Some((cost(word)?, word))).min();
                if let Some((_, word)) = best {
                    used[word] = true;
                    tree.split(machine, leaf, words[word].clone());
                }
            }
            leaf += 1;
        }
        tree
    }

    /// From each node to each of its children: the node, the output after its word that leads to the child, and the child.
    pub(crate) fn edges(&self, machine: &Machine) -> impl Iterator<Item = (usize, u32, usize)> {
        self.nodes.iter().enumerate().filter_map(move |(at, node)| {
            let parent = node.parent?;
            let word = self.nodes[parent].word.as_ref()?;
            let end = word.iter().fold(node.states[0], |state, &byte| machine.step(state, byte));
            Some((parent, machine.output(end), at))
        })
    }

    fn open_leaves(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|&at| self.nodes[at].word.is_none() && self.nodes[at].states.len() > 1).collect()
    }

    /// A word of at most `longest` bytes that splits a leaf, if a byte leads its states into different leaves; of several
    /// the one that splits it most evenly.
    fn splitting_word(&self, machine: &Machine, leaf: usize, longest: usize) -> Option<Vec<u8>> {
        let states = &self.nodes[leaf].states;
        let mut best: Option<(usize, Vec<u8>)> = None;
        for &byte in machine.representatives() {
            let leaves = states.iter().map(|&state| self.leaf[machine.step(state, byte) as usize]);
            let Some(meeting) = leaves.reduce(|one, other| self.meeting(one, other)) else {
                continue;
            };
            let Some(word) = &self.nodes[meeting].word else {
                continue;
            };
            if word.len() >= longest {
                continue;
            }
            let word = [&[byte], &word[..]].concat();
            let largest = parts(machine, states, &word).iter().map(|(_, part)| part.len()).max().unwrap_or(0);
            if best.as_ref().is_none_or(|(least, _)| largest < *least) {
                best = Some((largest, word));
            }
        }
        best.map(|(_, word)| word)
    }

    /// Where the ways to two nodes part.
    fn meeting(&self, mut one: usize, mut other: usize) -> usize {
        while one != other {
            if self.nodes[one].depth < self.nodes[other].depth {
                (one, other) = (other, one);
            }
            one = self.nodes[one].parent.unwrap_or(0);
        }
        one
    }

    /// Splits a leaf by a word. If all its states answer alike, it gets one child.
    fn split(&mut self, machine: &Machine, leaf: usize, word: Vec<u8>) {
        for (_, states) in parts(machine, &self.nodes[leaf].states, &word) {
            for &state in &states {
                self.leaf[state as usize] = self.nodes.len();
            }
            self.nodes.push(SplitNode {
                parent: Some(leaf),
                depth: self.nodes[leaf].depth + 1,
                states,
                word: None,
            });
        }
        self.nodes[leaf].word = Some(word);
    }

    /// All words by length, and for each state those on its way.
    pub(super) fn identifiers(&self, machine: &Machine) -> (Vec<Vec<u8>>, Vec<Vec<usize>>) {
        let mut words: Vec<Vec<u8>> = self.nodes.iter().filter_map(|node| node.word.clone()).collect();
        words.sort_by(|left, right| left.len().cmp(&right.len()).then(left.cmp(right)));
        words.dedup();
        let identifiers = (0..machine.states()).map(|state| {
            let mut way = Vec::new();
            let mut node = self.leaf[state];
            while let Some(parent) = self.nodes[node].parent {
                node = parent;
                way.extend(words.iter().position(|word| Some(word) == self.nodes[node].word.as_ref()));
            }
            way.sort_unstable();
            way.dedup();
            way
        });
        let identifiers = identifiers.collect();
        (words, identifiers)
    }
}

/// The states by their output after a word.
fn parts(machine: &Machine, states: &[State], word: &[u8]) -> Vec<(u32, Vec<State>)> {
    let mut parts: Vec<(u32, Vec<State>)> = Vec::new();
    for &state in states {
        let end = word.iter().fold(state, |state, &byte| machine.step(state, byte));
        let output = machine.output(end);
        match parts.iter_mut().find(|(known, _)| *known == output) {
            Some((_, part)) => part.push(state),
            None => parts.push((output, vec![state])),
        }
    }
    parts
}
