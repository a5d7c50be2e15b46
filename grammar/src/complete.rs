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

mod splitting_tree;
mod suite;

use std::fmt;
use std::sync::Arc;

pub(crate) use self::splitting_tree::SplittingTree;
pub use self::suite::Suite;
use self::suite::{Endings, StateWords};
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
