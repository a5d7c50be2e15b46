//! Strings that take the transitions of the grammar's machine one by one: into every state, and there every class of
//! characters, those with which nothing can match any more too.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use uriproof::model::Rule;
use uriproof_grammar::{Dfa, State, rfc3986};

use super::chance::Chance;
use super::characters::CHARACTERS;

/// The transitions out of the states from which something can match.
#[derive(Debug)]
pub(super) struct Transitions {
    dfa: Dfa,
    live: Vec<State>,
    /// For each state a shortest input that leads to it.
    words: Vec<Vec<u8>>,
    /// For each state a shortest input that leads from it to one that accepts.
    ends: Vec<Vec<u8>>,
    /// The characters of each class.
    members: Vec<Vec<char>>,
    /// From one transition that is taken to the next. It has no divisor in common with the number of transitions.
    stride: usize,
}

/// The least stride: far enough for the transitions of one state to be far from each other.
const STRIDE: usize = 1009;

/// Those of a rule.
pub(super) fn embedded(rule: Rule) -> &'static Transitions {
    static TRANSITIONS: LazyLock<BTreeMap<Rule, OnceLock<Transitions>>> =
        LazyLock::new(|| Rule::ALL.iter().map(|&rule| (rule, OnceLock::new())).collect());
    TRANSITIONS[&rule].get_or_init(|| {
        // The grammar is ours, and the tests of `grammar/` compile every rule of it.
        let dfa =
            Dfa::compile(&rfc3986::grammar(), rule.name()).unwrap_or_else(|error| panic!("rfc3986.abnf: {error}"));
        Transitions::of(dfa)
    })
}

fn common_divisor(one: usize, other: usize) -> usize {
    match other {
        0 => one,
        _ => common_divisor(other, one % other),
    }
}

impl Transitions {
    fn of(dfa: Dfa) -> Transitions {
        let machine = dfa.machine();
        let live: Vec<State> = (0..machine.states() as State).filter(|&state| !dfa.is_dead(state)).collect();
        let mut ends: Vec<Option<Vec<u8>>> = vec![None; machine.states()];
        for &state in live.iter().filter(|&&state| dfa.is_accepting(state)) {
            ends[state as usize] = Some(Vec::new());
        }
        // An end of n bytes is one byte and an end of n - 1.
        for length in 0.. {
            let is_open = |state: &&State| ends[**state as usize].is_none();
            let open: Vec<State> = live.iter().filter(is_open).copied().collect();
            if open.is_empty() {
                break;
            }
            for state in open {
                let end = machine.representatives().iter().find_map(|&byte| {
                    let rest = ends[machine.step(state, byte) as usize].as_ref();
                    rest.filter(|rest| rest.len() == length).map(|rest| [&[byte], rest.as_slice()].concat())
                });
                ends[state as usize] = end;
            }
        }
        let members = (0..machine.classes()).map(|class| {
            let of_ascii = machine.members(class).filter(u8::is_ascii).map(char::from);
            let beyond = CHARACTERS.iter().copied().filter(|character| {
                !character.is_ascii() && machine.class_of(character.encode_utf8(&mut [0; 4]).as_bytes()[0]) == class
            });
            of_ascii.chain(beyond).collect()
        });
        let members: Vec<Vec<char>> = members.collect();
        let count = live.len() * members.len();
        let stride = (STRIDE..).find(|&stride| common_divisor(stride, count) == 1).unwrap_or(1);
        Transitions {
            words: machine.access_words(),
            ends: ends.into_iter().map(Option::unwrap_or_default).collect(),
            members,
            stride,
            live,
            dfa,
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.live.len() * self.members.len()
    }

    /// The number of the transition after `number`; all have their turn before one has another.
    pub(super) fn after(&self, number: usize) -> usize {
        (number + self.stride) % self.count()
    }

    /// A string that takes a transition, and most often what would match, or would have matched, behind it.
    pub(super) fn string(&self, chance: &mut Chance, number: usize) -> String {
        let machine = self.dfa.machine();
        let (state, class) = (self.live[number / self.members.len()], number % self.members.len());
        let mut text = String::with_capacity(32);
        self.write(chance, &self.words[state as usize], &mut text);
        text.push(chance.of(&self.members[class]));
        let next = machine.step(state, machine.representatives()[class]);
        if !chance.one_in(4) {
            let end = if self.dfa.is_dead(next) { state } else { next };
            self.write(chance, &self.ends[end as usize], &mut text);
        }
        text
    }

    /// A string that matches: up to `most` characters by chance, and what ends it.
    pub(super) fn walk(&self, chance: &mut Chance, most: usize) -> String {
        let machine = self.dfa.machine();
        let mut state = machine.start();
        let mut text = String::with_capacity(32);
        for _ in 0..chance.up_to(most) {
            let class = chance.below(self.members.len());
            let next = machine.step(state, machine.representatives()[class]);
            if !self.dfa.is_dead(next) {
                text.push(chance.of(&self.members[class]));
                state = next;
            }
        }
        self.write(chance, &self.ends[state as usize], &mut text);
        text
    }

    /// Appends characters of the same classes.
    fn write(&self, chance: &mut Chance, word: &[u8], text: &mut String) {
        for &byte in word {
            text.push(chance.of(&self.members[self.dfa.machine().class_of(byte)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use uriproof::model::Reading;

    use super::*;

    #[test]
    fn every_transition_of_every_rule_has_its_turn_and_its_string_takes_it() {
        for &rule in Rule::ALL {
            let transitions = embedded(rule);
            let machine = transitions.dfa.machine();
            let chance = &mut Chance::new(3986);
            let mut met = BTreeSet::new();
            let mut number = 0;
            for _ in 0..transitions.count() {
                number = transitions.after(number);
                met.insert(number);
                let text = transitions.string(chance, number);
                let (state, class) = (number / machine.classes(), number % machine.classes());
                let mut at = machine.start();
                let mut takes = false;
                for byte in text.bytes() {
                    takes |= at == transitions.live[state] && machine.class_of(byte) == class;
                    at = machine.step(at, byte);
                }
                assert!(takes, "{rule}: {text:?} {state} {class}");
            }
            assert_eq!(met.len(), transitions.count(), "{rule}");
        }
    }

    #[test]
    fn what_a_walk_ends_with_matches() {
        for &rule in Rule::ALL {
            let chance = &mut Chance::new(3986);
            for _ in 0..500 {
                let text = embedded(rule).walk(chance, 24);
                assert!(rule.matches(&text, Reading::Rfc3986).is_ok(), "{rule}: {text:?}");
            }
        }
    }
}
