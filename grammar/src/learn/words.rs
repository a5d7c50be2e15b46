//! The words of the equivalence queries.

use super::is_rejected;
use crate::complete::Suites;
use crate::machine::{Machine, State};
use crate::random::Random;

/// How often a loop is run through. In every state one loop makes a word of [`FAR`] characters, too.
const TURNS: [std::ops::RangeInclusive<usize>; 4] = [1..=70, 255..=260, 300..=300, 1_100..=1_100];
const FAR: usize = 65_540;

/// How many identifiers are tried behind a loop that is run through more often than [`FEW`] times; all, if less often: a
/// loop that should lead back and does not is the extra state that suites without extra states miss.
const BEHIND_A_LOOP: usize = 4;
const FEW: usize = 3;

/// The longest loop.
const LOOP: usize = 4;

/// Every state's access word, and each with each code behind it, all followed by the identifiers of the state that the
/// machine is in: HSI without extra states, over these codes.
pub(super) fn sweep(
    machine: &Machine,
    suites: &Suites,
    codes: impl Iterator<Item = u8> + Clone,
) -> impl Iterator<Item = Vec<u8>> {
    let states = (0..machine.states() as State).zip(suites.state_cover());
    states.flat_map(move |(state, access)| {
        codes.clone().flat_map(move |code| {
            let identifiers = suites.identifiers(machine.step(state, code));
            identifiers.map(move |word| [access, &[code][..], word].concat())
        })
    })
}

/// Words that run many times through loops: those of the machine, and in each of its states those that the target has
/// there, which may lead elsewhere.
pub(super) fn pumped(machine: &Machine, suites: &Suites, target: &Machine) -> impl Iterator<Item = Vec<u8>> {
    let alive = alive(machine);
    let loops = (0..machine.states() as State).filter(move |&state| alive[state as usize]).flat_map(move |state| {
        let mut words = loops(machine, state);
        if machine != target {
            words.extend(loops(target, target.run(&suites.state_cover()[state as usize])));
            words.sort_unstable();
            words.dedup();
        }
        words.into_iter().enumerate().map(move |(at, word)| (state, at == 0, word))
    });
    loops.flat_map(move |(state, is_first, word)| {
        let access = &suites.state_cover()[state as usize];
        let far = is_first.then_some(FAR / word.len());
        let turns = TURNS.into_iter().flatten().chain(far);
        turns.flat_map(move |turns| {
            let stem = [&access[..], &word.repeat(turns)].concat();
            let kept = match turns {
                1..=FEW => usize::MAX,
                1_101.. => 1,
                _ => BEHIND_A_LOOP,
            };
            let end = machine.run(&stem);
            let there = suites.identifiers(end).take(if end == state { 0 } else { kept });
            suites.identifiers(state).take(kept).chain(there).map(move |word| [&stem[..], word].concat())
        })
    })
}

/// For every representative the shortest word that begins with it and leads from a state back to it, if there is a short
/// one.
fn loops(machine: &Machine, state: State) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    for &first in machine.representatives() {
        let mut reached = vec![(machine.step(state, first), vec![first])];
        let mut known = vec![reached[0].0];
        let mut at = 0;
        while at < reached.len() {
            let (here, word) = reached[at].clone();
            if here == state {
                words.push(word);
                break;
            }
            for &code in machine.representatives().iter().filter(|_| word.len() < LOOP) {
                let next = machine.step(here, code);
                if !known.contains(&next) {
                    known.push(next);
                    reached.push((next, [&word[..], &[code]].concat()));
                }
            }
            at += 1;
        }
    }
    words
}

/// By state: whether any input leads to a string that is accepted.
pub(super) fn alive(machine: &Machine) -> Vec<bool> {
    completions(machine).into_iter().map(|word| word.is_some()).collect()
}

/// By state: a shortest word that leads to a string that is accepted.
fn completions(machine: &Machine) -> Vec<Option<Vec<u8>>> {
    let states = 0..machine.states() as State;
    let mut words: Vec<Option<Vec<u8>>> =
        states.clone().map(|state| (!is_rejected(machine.output(state))).then(Vec::new)).collect();
    for length in 1..=machine.states() {
        let mut grown = Vec::new();
        for state in states.clone().filter(|&state| words[state as usize].is_none()) {
            let byte = machine.representatives().iter().find_map(|&byte| {
                let rest = words[machine.step(state, byte) as usize].as_ref()?;
                Some([&[byte], &rest[..]].concat())
            });
            grown.extend(byte.map(|word| (state, word)));
        }
        if grown.is_empty() {
            break;
        }
        for (state, word) in grown {
            debug_assert_eq!(word.len(), length);
            words[state as usize] = Some(word);
        }
    }
    words
}

/// Random words that the machine has an output for, each with up to three random edits; without end.
pub(super) struct RandomEdits {
    machine: Machine,
    access: Vec<Vec<u8>>,
    completions: Vec<Option<Vec<u8>>>,
    codes: Vec<u8>,
    random: Random,
    previous: Vec<u8>,
}

impl RandomEdits {
    pub(super) fn new(machine: &Machine, codes: impl Iterator<Item = u8>, seed: u64) -> RandomEdits {
        RandomEdits {
            machine: machine.clone(),
            access: machine.access_words(),
            completions: completions(machine),
            codes: codes.collect(),
            random: Random(seed),
            previous: Vec::new(),
        }
    }

    /// From a random state on at random, but never to where nothing can follow, and then to an end.
    fn walk(&mut self) -> Vec<u8> {
        let mut state = below(&mut self.random, self.machine.states()) as State;
        if self.completions[state as usize].is_none() {
            return Vec::new();
        }
        let mut word = self.access[state as usize].clone();
        for _ in 0..below(&mut self.random, 12) {
            let code = self.code();
            let next = self.machine.step(state, code);
            if self.completions[next as usize].is_some() {
                word.push(code);
                state = next;
            }
        }
        word.extend(self.completions[state as usize].iter().flatten());
        word
    }

    /// Representatives and all codes equally often.
    fn code(&mut self) -> u8 {
        if below(&mut self.random, 2) == 0 {
            self.machine.representatives()[below(&mut self.random, self.machine.classes())]
        } else {
            self.codes[below(&mut self.random, self.codes.len())]
        }
    }

    fn edit(&mut self, word: &mut Vec<u8>) {
        let at = below(&mut self.random, word.len() + 1);
        let end = (at + 1 + below(&mut self.random, 4)).min(word.len());
        match below(&mut self.random, 5) {
            0 => word.insert(at, self.code()),
            1 if at < word.len() => word[at] = self.code(),
            2 => drop(word.drain(at..end)),
            3 => {
                let part = word[at..end].to_vec();
                word.splice(at..at, part);
            }
            // The rest of another word.
            _ => {
                let from = below(&mut self.random, self.previous.len() + 1);
                word.truncate(at);
                word.extend_from_slice(&self.previous[from..]);
            }
        }
    }
}

impl Iterator for RandomEdits {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let walk = self.walk();
        let mut word = walk.clone();
        for _ in 0..below(&mut self.random, 4) {
            self.edit(&mut word);
        }
        self.previous = walk;
        Some(word)
    }
}

/// A number below `bound`, for bounds so small that the remainder's bias means nothing.
fn below(random: &mut Random, bound: usize) -> usize {
    (random.next() % bound as u64) as usize
}
