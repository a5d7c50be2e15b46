//! Strings that are made of a machine: its transitions, every character in every state, and its loops.

use super::builder::StandardBuilder;
use super::characters::characters;
use crate::automaton::Dfa;
use crate::complete::Suites;
use crate::machine::{Machine, State};

/// The machine's transition cover, made without its identifiers, which cost more than all the rest of the suite.
pub(super) fn component_transitions(strings: &mut StandardBuilder, machine: &Machine) {
    for access in machine.access_words() {
        strings.add(&[&access]);
        for &byte in machine.representatives() {
            strings.add(&[&access[..], &[byte]]);
        }
    }
}

/// Every character behind every access word, with nothing behind it, and with what would have made the string match had
/// the character been another.
pub(super) fn every_state(strings: &mut StandardBuilder, reference: &Dfa, suites: &Suites<'_>) {
    let characters = characters();
    let completions = completions(reference.machine());
    for (state, access) in suites.state_cover().iter().enumerate() {
        let state = state as State;
        let mut endings: Vec<&[u8]> = vec![b""];
        for &byte in reference.machine().representatives() {
            let completion = completions[reference.step(state, byte) as usize].as_deref();
            endings.extend(completion.filter(|ending| !endings.contains(ending)));
        }
        for character in &characters {
            for ending in &endings {
                strings.add(&[&access[..], character.as_bytes(), ending]);
            }
        }
    }
}

/// For each state a shortest word to an accepting state, if there is any; of several the first in class order.
fn completions(machine: &Machine) -> Vec<Option<Vec<u8>>> {
    let states = 0..machine.states() as State;
    let accepts = |state: State| (machine.output(state) != 0).then(Vec::new);
    let mut words: Vec<Option<Vec<u8>>> = states.clone().map(accepts).collect();
    loop {
        let mut longer = Vec::new();
        for state in states.clone().filter(|&state| words[state as usize].is_none()) {
            longer.extend(machine.representatives().iter().find_map(|&byte| {
                let rest = words[machine.step(state, byte) as usize].as_ref()?;
                Some((state, [&[byte], &rest[..]].concat()))
            }));
        }
        if longer.is_empty() {
            return words;
        }
        for (state, word) in longer {
            words[state as usize] = Some(word);
        }
    }
}

pub(super) fn pumped(strings: &mut StandardBuilder, machine: &Machine) {
    let completions = completions(machine);
    let access = machine.access_words();
    for state in 0..machine.states() as State {
        let Some(ending) = &completions[state as usize] else {
            continue;
        };
        for &byte in machine.representatives() {
            // A triplet is the longest turn that there is.
            let Some(way) = way(machine, machine.step(state, byte), state, 2, &completions) else {
                continue;
            };
            let turn = [&[byte], &way[..]].concat();
            for times in [2, 3, 5, 9, 17] {
                strings.add(&[&access[state as usize][..], &turn.repeat(times), ending]);
            }
        }
    }
}

/// A shortest word of at most `longest` bytes from a state to another, through states that have completions.
fn way(machine: &Machine, from: State, to: State, longest: usize, completions: &[Option<Vec<u8>>]) -> Option<Vec<u8>> {
    let mut open = vec![(from, Vec::new())];
    for _ in 0..=longest {
        if let Some((_, word)) = open.iter().find(|(state, _)| *state == to) {
            return Some(word.clone());
        }
        let mut next: Vec<(State, Vec<u8>)> = Vec::new();
        for (state, word) in &open {
            for &byte in machine.representatives() {
                let step = machine.step(*state, byte);
                if completions[step as usize].is_some() && next.iter().all(|(known, _)| *known != step) {
                    next.push((step, [&word[..], &[byte]].concat()));
                }
            }
        }
        open = next;
    }
    None
}
