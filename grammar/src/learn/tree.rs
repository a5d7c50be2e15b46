//! The hypothesis: what is known of the subject, as a discrimination tree and the machine that hangs on it.

use std::collections::HashMap;

use super::characters::Characters;
use super::{Oracle, Purpose, Stop};
use crate::complete::SplittingTree;
use crate::machine::{Machine, State};

/// A transition that has not been queried.
const UNKNOWN: State = State::MAX;

/// How many words a counterexample is shortened by at most.
const SHORTENINGS: usize = 400;

/// Queries an oracle, and counts.
pub(super) struct Questions<'a> {
    pub(super) oracle: &'a dyn Oracle,
    pub(super) characters: Characters,
    pub(super) counts: [u64; Purpose::ALL.len()],
    pub(super) budget: u64,
    text: String,
}

impl<'a> Questions<'a> {
    pub(super) fn new(oracle: &'a dyn Oracle, characters: Characters, budget: u64) -> Questions<'a> {
        Questions {
            oracle,
            characters,
            counts: [0; Purpose::ALL.len()],
            budget,
            text: String::new(),
        }
    }

    /// # Errors
    ///
    /// The oracle does not answer, or the learner is to stop.
    pub(super) fn ask(&mut self, purpose: Purpose, word: &[u8]) -> Result<u32, Stop> {
        self.check_stopped()?;
        self.counts[purpose as usize] += 1;
        self.characters.decode_into(word, &mut self.text);
        self.oracle.output(&self.text).map_err(|reason| Stop::Unanswered {
            witness: self.text.clone(),
            reason,
        })
    }

    /// The error that a word was answered in two ways.
    pub(super) fn inconsistent(&self, word: &[u8], first: u32, again: u32) -> Stop {
        Stop::NotDeterministic {
            witness: self.characters.decode(word),
            answers: [first, again],
        }
    }

    pub(super) fn check_stopped(&self) -> Result<(), Stop> {
        match self.oracle.is_stopped() {
            true => Err(Stop::Interrupted { asked: 0 }),
            false => Ok(()),
        }
    }

    pub(super) fn within_budget(&self) -> Result<(), Stop> {
        if self.counts.iter().sum::<u64>() > self.budget {
            return Err(Stop::Queries { limit: self.budget });
        }
        Ok(())
    }
}

/// A state of the discrimination tree: either a word that is queried behind others, or a place for one state.
struct TreeNode {
    parent: Option<usize>,
    kind: NodeKind,
}

enum NodeKind {
    /// Words are distinguished by the output after this one.
    Inner {
        word: Vec<u8>,
        children: HashMap<u32, usize>,
    },
    Leaf(Option<State>),
}

/// A machine over symbols, each of which stands for one or several codes.
pub(super) struct Hypothesis {
    nodes: Vec<TreeNode>,
    /// By state: a word that leads there, made of the symbols' codes.
    access: Vec<Vec<u8>>,
    outputs: Vec<u32>,
    leaf: Vec<usize>,
    /// By state and symbol.
    table: Vec<Vec<State>>,
    /// By symbol: the code that is queried for it.
    symbols: Vec<u8>,
    /// By code: its symbol.
    symbol_of: [usize; 256],
    /// Codes and symbols that an answer has distinguished.
    apart: Vec<(u8, usize)>,
    /// By code: its class in the target machine, within which symbols are split.
    class_of: [usize; 256],
    state_limit: usize,
}

impl Hypothesis {
    /// Without states, and with the target's way to tell states apart.
    pub(super) fn new(target: &Machine, state_limit: usize) -> Hypothesis {
        let class_of: [usize; 256] = std::array::from_fn(|code| {
            // Characters within and beyond ASCII start as different symbols.
            target.class_of(code as u8) * 2 + usize::from(code >= 128)
        });
        let mut symbols: Vec<u8> = Vec::new();
        for &code in target.representatives().iter().chain(&(0..=255).collect::<Vec<u8>>()) {
            if symbols.iter().all(|&known| class_of[usize::from(known)] != class_of[usize::from(code)]) {
                symbols.push(code);
            }
        }
        symbols.sort_unstable();
        let symbol_of = std::array::from_fn(|code| {
            symbols.iter().position(|&known| class_of[usize::from(known)] == class_of[code]).unwrap_or(0)
        });
        Hypothesis {
            nodes: skeleton(target),
            access: Vec::new(),
            outputs: Vec::new(),
            leaf: Vec::new(),
            table: Vec::new(),
            symbols,
            symbol_of,
            apart: Vec::new(),
            class_of: class_of.map(|class| class / 2),
            state_limit,
        }
    }

    /// The first questions: the target's access words. Where the oracle answers as the target does, the hypothesis is then
    /// the target.
    pub(super) fn seed(&mut self, target: &Machine, questions: &mut Questions) -> Result<(), Stop> {
        for word in target.access_words() {
            self.sift(&word, questions)?;
        }
        self.close(questions)
    }

    pub(super) fn states(&self) -> usize {
        self.access.len()
    }

    pub(super) fn machine(&self) -> Machine {
        Machine::of(
            |state, code| {
                let row = self.table.get(state as usize);
                // A learner that was stopped has transitions that it did not ask.
                let next = row.and_then(|row| row.get(self.symbol_of[usize::from(code)]));
                next.copied().filter(|&next| next != UNKNOWN).unwrap_or(state)
            },
            |state| self.outputs.get(state as usize).copied().unwrap_or(0),
        )
    }

    fn run(&self, word: &[u8]) -> State {
        word.iter().fold(0, |state, &code| {
            self.table[state as usize][self.symbol_of[usize::from(code)]]
        })
    }

    pub(super) fn predict(&self, word: &[u8]) -> u32 {
        self.outputs[self.run(word) as usize]
    }

    /// Words whose answers the tree is made of: if all are predicted, all states can be reached and distinguished.
    pub(super) fn words(&self) -> Vec<Vec<u8>> {
        let mut words = Vec::new();
        for (state, access) in self.access.iter().enumerate() {
            let mut node = self.leaf[state];
            while let Some(parent) = self.nodes[node].parent {
                node = parent;
                if let NodeKind::Inner { word, .. } = &self.nodes[node].kind {
                    words.push([&access[..], word].concat());
                }
            }
        }
        words
    }

    /// The state that the tree has for a word: a new one, if no word was answered like this before.
    fn sift(&mut self, word: &[u8], questions: &mut Questions) -> Result<State, Stop> {
        self.sift_from(0, word, questions)
    }

    fn sift_from(&mut self, mut node: usize, access: &[u8], questions: &mut Questions) -> Result<State, Stop> {
        loop {
            let added = self.nodes.len();
            match &mut self.nodes[node].kind {
                NodeKind::Leaf(Some(state)) => return Ok(*state),
                NodeKind::Leaf(None) => return self.add_state(node, access, questions),
                NodeKind::Inner { word, children } => {
                    let output = questions.ask(Purpose::Membership, &[access, word].concat())?;
                    let parent = node;
                    node = *children.entry(output).or_insert(added);
                    if node == added {
                        self.nodes.push(TreeNode {
                            parent: Some(parent),
                            kind: NodeKind::Leaf(None),
                        });
                    }
                }
            }
        }
    }

    fn add_state(&mut self, leaf: usize, access: &[u8], questions: &mut Questions) -> Result<State, Stop> {
        if self.states() == self.state_limit {
            return Err(Stop::States {
                limit: self.state_limit,
            });
        }
        let output = questions.ask(Purpose::Membership, access)?;
        let state = self.states() as State;
        self.nodes[leaf].kind = NodeKind::Leaf(Some(state));
        self.access.push(access.to_vec());
        self.outputs.push(output);
        self.leaf.push(leaf);
        self.table.push(vec![UNKNOWN; self.symbols.len()]);
        Ok(state)
    }

    /// Queries every transition that is not known.
    fn close(&mut self, questions: &mut Questions) -> Result<(), Stop> {
        let mut state = 0;
        while state < self.states() {
            for symbol in 0..self.symbols.len() {
                if self.table[state][symbol] == UNKNOWN {
                    let word = [&self.access[state][..], &[self.symbols[symbol]]].concat();
                    self.table[state][symbol] = self.sift(&word, questions)?;
                }
            }
            questions.within_budget()?;
            state += 1;
        }
        Ok(())
    }

    /// Learns from a word whose answer differs from the predicted one, until it is predicted.
    ///
    /// # Errors
    ///
    /// Why the learner must stop. An answer that contradicts an earlier one is never learned from.
    pub(super) fn refine(
        &mut self,
        word: &[u8],
        answer: u32,
        within: &dyn Fn(&[u8]) -> bool,
        questions: &mut Questions,
    ) -> Result<(), Stop> {
        while self.predict(word) != answer {
            questions.within_budget()?;
            let (word, first) = self.shortened((word, answer), within, questions)?;
            let answer = questions.ask(Purpose::Analysis, &word)?;
            if self.predict(&word) == answer {
                return Err(questions.inconsistent(&word, first, answer));
            }
            let plain: Vec<u8> = word.iter().map(|&code| self.symbols[self.symbol_of[usize::from(code)]]).collect();
            let of_plain = questions.ask(Purpose::Analysis, &plain)?;
            if of_plain == answer {
                self.split_state(&plain, answer, questions)?;
            } else {
                self.split_symbol(&word, &plain, [answer, of_plain], questions)?;
            }
            self.close(questions)?;
        }
        let again = questions.ask(Purpose::Analysis, word)?;
        if again != answer {
            return Err(questions.inconsistent(word, answer, again));
        }
        Ok(())
    }

    /// Queries the output of every state once more.
    ///
    /// # Errors
    ///
    /// One differs from the first answer.
    pub(super) fn check_outputs(&self, questions: &mut Questions) -> Result<(), Stop> {
        for (access, &first) in self.access.iter().zip(&self.outputs) {
            let again = questions.ask(Purpose::Repeated, access)?;
            if again != first {
                return Err(questions.inconsistent(access, first, again));
            }
        }
        Ok(())
    }

    /// A shorter word that is not predicted either, by leaving out parts, and its answer: short words make short questions.
    fn shortened(
        &self,
        (word, answer): (&[u8], u32),
        within: &dyn Fn(&[u8]) -> bool,
        questions: &mut Questions,
    ) -> Result<(Vec<u8>, u32), Stop> {
        let (mut word, mut answer) = (word.to_vec(), answer);
        let mut size = word.len() / 2;
        let mut tries = 0;
        while size > 0 {
            let mut at = 0;
            while at < word.len() && tries < SHORTENINGS {
                let end = (at + size).min(word.len());
                let shorter = [&word[..at], &word[end..]].concat();
                tries += 1;
                if within(&shorter) {
                    let of_shorter = questions.ask(Purpose::Analysis, &shorter)?;
                    if of_shorter != self.predict(&shorter) {
                        (word, answer) = (shorter, of_shorter);
                        continue;
                    }
                }
                at = end;
            }
            size /= 2;
        }
        Ok((word, answer))
    }

    /// Rivest and Schapire's search: the beginning of the word is replaced by the access word of the state that it leads
    /// to; the answer changes where a transition leads to the wrong state, and the rest of the word tells it from the
    /// right one.
    fn split_state(&mut self, word: &[u8], answer: u32, questions: &mut Questions) -> Result<(), Stop> {
        let replaced = |hypothesis: &Hypothesis, at: usize| {
            let state = hypothesis.run(&word[..at]);
            [&hypothesis.access[state as usize][..], &word[at..]].concat()
        };
        // The whole word replaced is an access word, whose answer is known.
        let mut beyond = self.predict(word);
        if word.is_empty() || beyond == answer {
            return Err(questions.inconsistent(word, beyond, answer));
        }
        let (mut low, mut high) = (0, word.len());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            let of_middle = questions.ask(Purpose::Analysis, &replaced(self, middle))?;
            if of_middle == answer {
                low = middle;
            } else {
                (high, beyond) = (middle, of_middle);
            }
        }
        let state = self.run(&word[..low]);
        let known = self.run(&word[..high]);
        let access = [&self.access[state as usize][..], &[word[low]]].concat();
        let suffix = &word[high..];
        // Both were queried before, so another answer is a contradiction.
        let words = [
            [&self.access[known as usize][..], suffix].concat(),
            [&access[..], suffix].concat(),
        ];
        let mut answers = [beyond, answer];
        for (word, first) in words.iter().zip(&mut answers) {
            let again = questions.ask(Purpose::Analysis, word)?;
            if again != *first {
                return Err(questions.inconsistent(word, *first, again));
            }
        }
        self.split(known, suffix, answers[0], answers[1], &access, questions)
    }

    /// Puts a new state beside a known one: `word` tells them apart.
    fn split(
        &mut self,
        known: State,
        word: &[u8],
        known_answer: u32,
        new_answer: u32,
        access: &[u8],
        questions: &mut Questions,
    ) -> Result<(), Stop> {
        let node = self.leaf[known as usize];
        let (old_leaf, new_leaf) = (self.nodes.len(), self.nodes.len() + 1);
        for state in [Some(known), None] {
            self.nodes.push(TreeNode {
                parent: Some(node),
                kind: NodeKind::Leaf(state),
            });
        }
        self.nodes[node].kind = NodeKind::Inner {
            word: word.to_vec(),
            children: HashMap::from([(known_answer, old_leaf), (new_answer, new_leaf)]),
        };
        self.leaf[known as usize] = old_leaf;
        self.add_state(new_leaf, access, questions)?;
        for state in 0..self.states() {
            for symbol in 0..self.symbols.len() {
                if self.table[state][symbol] == known {
                    let word = [&self.access[state][..], &[self.symbols[symbol]]].concat();
                    self.table[state][symbol] = self.sift_from(node, &word, questions)?;
                }
            }
        }
        Ok(())
    }

    /// The word and its plain form, of symbols alone, are answered differently: one of its characters is not like its
    /// symbol. It becomes another symbol, or one of its own. The answers are those of the word and of its plain form.
    fn split_symbol(
        &mut self,
        word: &[u8],
        plain: &[u8],
        [answer, mut beyond]: [u32; 2],
        questions: &mut Questions,
    ) -> Result<(), Stop> {
        if word == plain {
            return Err(questions.inconsistent(word, answer, beyond));
        }
        let (mut low, mut high) = (0, word.len());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            let mixed = [&plain[..middle], &word[middle..]].concat();
            let of_mixed = questions.ask(Purpose::Analysis, &mixed)?;
            if of_mixed == answer {
                low = middle;
            } else {
                (high, beyond) = (middle, of_mixed);
            }
        }
        let code = word[low];
        let with = |code: u8| [&plain[..low], &[code], &word[high..]].concat();
        let symbol = self.symbol_of[usize::from(code)];
        // Both were queried before; if they are one word, it was answered in two ways.
        let own = questions.ask(Purpose::Analysis, &with(code))?;
        if own != answer {
            return Err(questions.inconsistent(&with(code), answer, own));
        }
        let others = questions.ask(Purpose::Analysis, &with(self.symbols[symbol]))?;
        if others != beyond || self.symbols[symbol] == code {
            return Err(questions.inconsistent(&with(self.symbols[symbol]), beyond, others));
        }
        self.apart.push((code, symbol));
        let class = self.class_of[usize::from(code)];
        let mut found = None;
        for other in 0..self.symbols.len() {
            if found.is_none()
                && self.class_of[usize::from(self.symbols[other])] == class
                && !self.apart.contains(&(code, other))
                && questions.ask(Purpose::Analysis, &with(self.symbols[other]))? == own
            {
                found = Some(other);
            }
        }
        self.symbol_of[usize::from(code)] = found.unwrap_or_else(|| {
            self.symbols.push(code);
            for row in &mut self.table {
                row.push(UNKNOWN);
            }
            self.symbols.len() - 1
        });
        Ok(())
    }
}

/// The target's splitting tree, with no state in its leaves.
fn skeleton(target: &Machine) -> Vec<TreeNode> {
    let tree = SplittingTree::of(target);
    let mut nodes: Vec<TreeNode> = tree
        .nodes
        .iter()
        .map(|node| TreeNode {
            parent: node.parent,
            kind: match &node.word {
                None => NodeKind::Leaf(None),
                Some(word) => NodeKind::Inner {
                    word: word.clone(),
                    children: HashMap::new(),
                },
            },
        })
        .collect();
    for (parent, output, child) in tree.edges(target) {
        if let NodeKind::Inner { children, .. } = &mut nodes[parent].kind {
            children.insert(output, child);
        }
    }
    nodes
}
