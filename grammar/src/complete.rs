//! Test suites that are complete for a stated class of faults.
//!
//! The test model: an implementation gets whole strings and answers each with one output (a verdict, or a mask
//! of what is there). It is taken to be a machine itself. A suite is *m-complete* for a machine of n states if every
//! implementation of at most m = n + k states that answers the whole suite as the machine does, answers every string as
//! the machine does: the k *extra states* are the faults that add states, such as a counter or a flag too many. What n, k
//! and the alphabet assume is the [`Certificate`] of a suite; a claim without it says nothing.
//!
//! - *State cover* V: a shortest string into every state (*access words*).
//! - *Transition cover* P: V, and every string of V with every byte of the alphabet after it. It takes every transition
//!   once, but does not look where the transition leads.
//! - *Characterising set* W: strings that tell all states apart, by the output after them.
//! - *W method* (Vasilevskii 1973; Chow, *Testing software design modeled by finite-state machines*, IEEE TSE 1978):
//!   V · X^(≤k+1) · W. Every string that leaves the tree of access words by at most k + 1 bytes, followed by all of W.
//! - *Wp method* (Fujiwara, von Bochmann, Khendek, Amalou, Ghedamsi, *Test selection based on finite state models*, IEEE
//!   TSE 1991): only V · X^(≤k) is followed by all of W, V · X^(k+1) by the part of W that tells the state that is reached
//!   there from all others.
//! - *HSI method* (Luo, Petrenko, von Bochmann, *Selecting test sequences for partially-specified nondeterministic finite
//!   state machines*, IWPTS 1994): every string of V · X^(≤k+1) is followed by the identifiers of the
//!   state that is reached there, which are *harmonised*: any two states have an identifier in common that tells them
//!   apart. Here they are the words on a state's way down one splitting tree (Lee and Yannakakis 1994), in which two
//!   states always share the word at which their ways part.
//!
//! **More than m states.** The bound on the number of states is the classical claim, and a modest one. Vaandrager and Melse
//! (*New fault domains for conformance testing of finite state machines*, CONCUR 2025) show that suites of the Wp and the
//! HSI method are *k-A-complete*, A being the access words: they find every faulty implementation in which each state is
//! reached by an access word and at most k bytes after it, however many states that makes. What stays out of sight is a
//! state that shows itself only deeper: the 256th character of a host, the sixth digit of a port.
//!
//! **Why not SPY or H.** The H method (Dorofeeva, El-Fakih and Yevtushenko 2005), SPY (Simao, Petrenko and Yevtushenko 2009)
//! and SPYH make smaller suites: they choose the identifiers while they go, and count an answer that was given on the way
//! of another test. There are no answers on the way here, because a parser gets whole strings, so that most of
//! what they save is not there to be saved. And they choose the identifiers of a string by what the suite has already: they
//! must remember it, where HSI needs a table of the size of the machine and can be streamed, in parts, by many threads.
//! The same paper shows that none of the three is k-A-complete.
//!
//! **No string may be left out because another one begins with it.** The methods were made for machines that answer after
//! every symbol, where a test contains the tests of its beginnings. A parser answers once, at the end: a longer string
//! does not show the answer to its beginning.
//!
//! **What the alphabet assumes.** Over [`Alphabet::Representatives`] the suite is complete for implementations that
//! treat the bytes of each class alike, over [`Alphabet::Bytes`] it needs no such assumption. Identifiers are made of
//! representatives either way: that is enough, because every byte is tried in every state.
//!
//! Suites are iterators that hold one string at a time and yield no string twice; nothing is random.

use std::fmt;
use std::sync::Arc;

use crate::machine::{Alphabet, Identity, Machine, State};

/// How strings are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The access words, and each with each byte after it.
    TransitionCover,
    /// The W method with k extra states.
    W(usize),
    /// The Wp method with k extra states.
    Wp(usize),
    /// The HSI method with k extra states.
    Hsi(usize),
}

impl Method {
    /// How many bytes a string may have between its access word and the word that identifies the state.
    fn reach(self) -> usize {
        match self {
            Method::TransitionCover => 1,
            Method::W(extra) | Method::Wp(extra) | Method::Hsi(extra) => extra + 1,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::TransitionCover => f.write_str("transition cover"),
            Method::W(extra) => write!(f, "W, k = {extra}"),
            Method::Wp(extra) => write!(f, "Wp, k = {extra}"),
            Method::Hsi(extra) => write!(f, "HSI, k = {extra}"),
        }
    }
}

/// What a suite proves of an implementation that passes all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The machine that the suite is made from.
    pub machine: Identity,
    /// How the strings were chosen.
    pub method: Method,
    /// What they are made of.
    pub alphabet: Alphabet,
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Certificate {
            machine,
            method,
            alphabet,
        } = self;
        write!(f, "{method}, over {alphabet}, from {machine}")?;
        match method {
            Method::TransitionCover => f.write_str(": every transition is taken, where it leads is not looked at"),
            Method::W(extra) | Method::Wp(extra) | Method::Hsi(extra) => {
                write!(
                    f,
                    ": an implementation that passes and differs has more than {} states",
                    machine.states + extra
                )?;
                match alphabet {
                    Alphabet::Representatives => f.write_str(" or treats two bytes of a class differently"),
                    Alphabet::Ascii => f.write_str(" or differs on bytes beyond ASCII"),
                    Alphabet::Bytes => Ok(()),
                }
            }
        }
    }
}

/// All that the suites of one machine are made of: the words that lead to its states and those that identify them.
#[derive(Clone, Debug)]
pub struct Suites<'a> {
    machine: &'a Machine,
    access: Vec<Vec<u8>>,
    /// The words of the splitting tree, by length; the empty one is the first.
    words: Vec<Vec<u8>>,
    /// For each state the words on its way down the tree, as indices in `words`, ascending.
    identifiers: Vec<Vec<usize>>,
}

impl<'a> Suites<'a> {
    /// Finds the access words and the identifiers.
    pub fn new(machine: &'a Machine) -> Suites<'a> {
        let (words, identifiers) = SplittingTree::of(machine).identifiers(machine);
        Suites {
            machine,
            access: machine.access_words(),
            words,
            identifiers,
        }
    }

    /// V: for every state a shortest string that leads to it.
    pub fn state_cover(&self) -> &[Vec<u8>] {
        &self.access
    }

    /// W: words that tell all states apart, by length.
    pub fn characterising_set(&self) -> &[Vec<u8>] {
        &self.words
    }

    /// H: the harmonised identifiers of a state, by length. They tell it from every other state, and for any other state
    /// one that does is among that state's identifiers too.
    pub fn identifiers(&self, state: State) -> impl Iterator<Item = &[u8]> {
        self.identifiers[state as usize].iter().map(|&word| &*self.words[word])
    }

    /// The strings that a method chooses over an alphabet, each once.
    pub fn suite(&self, method: Method, alphabet: Alphabet) -> Suite<'_> {
        let empty = || vec![vec![0]; self.machine.states()];
        let all = || vec![(0..self.words.len()).collect(); self.machine.states()];
        let (within, at_the_edge) = match method {
            Method::TransitionCover => (empty(), empty()),
            Method::W(_) => (all(), all()),
            Method::Wp(_) => (all(), self.own_identifiers()),
            Method::Hsi(_) => (self.identifiers.clone(), self.identifiers.clone()),
        };
        let symbols = self.machine.symbols(alphabet);
        Suite {
            certificate: Certificate {
                machine: self.machine.identity(),
                method,
                alphabet,
            },
            reach: method.reach(),
            within: Arc::new(StateWords::new(within, self.words.len())),
            at_the_edge: Arc::new(StateWords::new(at_the_edge, self.words.len())),
            endings: Arc::new(Endings::of(self.machine, &self.words)),
            outputs: self.outputs(),
            symbols,
            suites: self,
            access: 0,
            last_access: self.access.len(),
            tail: Vec::new(),
            states: vec![self.machine.start()],
            stem: Vec::new(),
            string: String::new(),
            stem_of_string: 0,
            words: self.words.iter().map(|word| word.iter().map(|&byte| char::from(byte)).collect()).collect(),
            word: 0,
        }
    }

    fn outputs(&self) -> Arc<[u32]> {
        let after = |state: State, word: &Vec<u8>| {
            let end = word.iter().fold(state, |state, &byte| self.machine.step(state, byte));
            self.machine.output(end)
        };
        (0..self.machine.states() as State)
            .flat_map(|state| self.words.iter().map(move |word| after(state, word)))
            .collect()
    }

    /// For each state words of W that tell it from every other state, found greedily.
    fn own_identifiers(&self) -> Vec<Vec<usize>> {
        let after = |state: State, word: &[u8]| {
            let end = word.iter().fold(state, |state, &byte| self.machine.step(state, byte));
            self.machine.output(end)
        };
        let states = 0..self.machine.states() as State;
        let answers: Vec<Vec<u32>> =
            self.words.iter().map(|word| states.clone().map(|state| after(state, word)).collect()).collect();
        states
            .map(|state| {
                let state = state as usize;
                let mut alike: Vec<usize> = (0..self.machine.states()).filter(|&other| other != state).collect();
                let mut chosen = Vec::new();
                while !alike.is_empty() {
                    let still_alike =
                        |answers: &&Vec<u32>| alike.iter().filter(|&&other| answers[other] == answers[state]).count();
                    let best = (0..self.words.len()).min_by_key(|&word| still_alike(&&answers[word]));
                    let Some(best) = best else { break };
                    alike.retain(|&other| answers[best][other] == answers[best][state]);
                    chosen.push(best);
                }
                if chosen.is_empty() {
                    chosen.push(0);
                }
                chosen.sort_unstable();
                chosen
            })
            .collect()
    }
}

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
    fn identifiers(&self, machine: &Machine) -> (Vec<Vec<u8>>, Vec<Vec<usize>>) {
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

/// Which words are tried in which state.
#[derive(Clone, Debug)]
struct StateWords {
    words: Vec<Vec<usize>>,
    /// By state and word.
    contains: Vec<bool>,
    count: usize,
}

impl StateWords {
    fn new(words: Vec<Vec<usize>>, count: usize) -> StateWords {
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
struct Endings {
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
    fn of(machine: &Machine, words: &[Vec<u8>]) -> Endings {
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
    certificate: Certificate,
    suites: &'a Suites<'a>,
    reach: usize,
    /// The words behind a tail shorter than `reach`, and behind one that is as long.
    within: Arc<StateWords>,
    at_the_edge: Arc<StateWords>,
    endings: Arc<Endings>,
    /// The output after each word in each state, by state and word.
    outputs: Arc<[u32]>,
    symbols: Vec<u8>,
    /// The access word of the stem, by state, and where the suite is at its end.
    access: usize,
    last_access: usize,
    /// The bytes behind the access word, as indices in `symbols`.
    tail: Vec<usize>,
    /// The states on the stem's way, the start included.
    states: Vec<State>,
    stem: Vec<u8>,
    /// The stem as characters, and behind it the word of the last string.
    string: String,
    /// The length of the stem in `string`.
    stem_of_string: usize,
    /// The words as characters.
    words: Arc<[String]>,
    /// The next of the words behind the stem.
    word: usize,
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
