//! A rule as a nondeterministic automaton.

use super::byte_set::{ByteSet, byte_sets};
use super::{Dfa, MachinesByName, STATE_LIMIT, check, within};
use crate::abnf::{Element, Error, Grammar, Rule};
use crate::machine::State;

/// A state of the NFA: where it can go without input, and with one byte.
#[derive(Clone, Debug)]
pub(crate) struct NfaNode {
    /// In the order of preference: alternatives as the grammar has them, one more turn of a repetition before its end.
    pub(crate) silent: Vec<u32>,
    pub(crate) edge: Option<(ByteSet, u32)>,
    /// The innermost reference to a rule that the node stands in, as an index of the places.
    pub(crate) place: u32,
}

/// A reference to a rule, once for every path of references that leads to it from the start rule.
pub(crate) struct RulePlace<'a> {
    pub(crate) rule: &'a Rule,
    /// The reference that this one stands in; none for the start rule.
    pub(crate) outer: Option<u32>,
    /// The node at which the rule begins, and that at which it ends.
    pub(crate) fragment: Fragment,
}

/// Thompson's construction: every element has one entry and one exit.
pub(crate) struct Nfa<'a> {
    grammar: &'a Grammar,
    /// Rules that are taken as these machines, not as their text.
    pub(super) machines: Option<&'a MachinesByName>,
    pub(crate) nodes: Vec<NfaNode>,
    /// A place stands behind that which it stands in.
    pub(crate) places: Vec<RulePlace<'a>>,
    /// That of the reference being built.
    place: Option<u32>,
    pub(crate) entry: u32,
    pub(crate) exit: u32,
}

pub(crate) type Fragment = (u32, u32);

impl<'a> Nfa<'a> {
    pub(crate) fn of(grammar: &'a Grammar, rule: &str) -> Result<Nfa<'a>, Error> {
        check(grammar, rule)?;
        let mut nfa = Nfa::empty(grammar);
        (nfa.entry, nfa.exit) = nfa.rule(rule)?;
        Ok(nfa)
    }

    pub(super) fn empty(grammar: &'a Grammar) -> Nfa<'a> {
        Nfa {
            grammar,
            machines: None,
            nodes: Vec::new(),
            places: Vec::new(),
            place: None,
            entry: 0,
            exit: 0,
        }
    }

    pub(super) fn rule(&mut self, name: &str) -> Result<Fragment, Error> {
        if let Some(machine) = self.machines.and_then(|machines| machines.get(&name.to_ascii_lowercase())) {
            return self.machine(machine);
        }
        let grammar = self.grammar;
        let rule = grammar.rule(name).ok_or_else(|| grammar.undefined(name, None))?;
        let outer = self.place;
        let place = self.places.len() as u32;
        self.places.push(RulePlace {
            rule,
            outer,
            fragment: (0, 0),
        });
        self.place = Some(place);
        let fragment = self.element(&rule.element)?;
        self.places[place as usize].fragment = fragment;
        self.place = outer;
        Ok(fragment)
    }

    pub(super) fn element(&mut self, element: &Element) -> Result<Fragment, Error> {
        match element {
            Element::Alternation(elements) => {
                let (entry, exit) = (self.node()?, self.node()?);
                for element in elements {
                    let inner = self.element(element)?;
                    self.silent(entry, inner.0);
                    self.silent(inner.1, exit);
                }
                Ok((entry, exit))
            }
            Element::Concatenation(elements) => {
                let entry = self.node()?;
                let mut exit = entry;
                for element in elements {
                    exit = self.append(exit, element)?;
                }
                Ok((entry, exit))
            }
            Element::Repetition { min, max, element } => self.repetition(*min, *max, element),
            Element::Option(element) => self.repetition(0, Some(1), element),
            Element::Group(element) => self.element(element),
            Element::Reference { name, .. } => self.rule(name),
            Element::ProseVal { text, .. } => self.rule(text),
            Element::CharVal { .. } | Element::NumVal { .. } => self.bytes(byte_sets(element)),
        }
    }

    /// A node for each state, and one between two states for the bytes that lead from one to the other.
    fn machine(&mut self, dfa: &Dfa) -> Result<Fragment, Error> {
        let states = 0..dfa.machine.states() as State;
        let nodes = states.clone().map(|_| self.node()).collect::<Result<Vec<_>, _>>()?;
        let exit = self.node()?;
        let class = |class| {
            let bytes = dfa.machine.members(class).map(|byte| ByteSet::range(byte, byte));
            bytes.fold(ByteSet::NONE, ByteSet::either)
        };
        let classes: Vec<ByteSet> = (0..dfa.machine.classes()).map(class).collect();
        for state in states {
            let node = nodes[state as usize];
            if dfa.is_accepting(state) {
                self.silent(node, exit);
            }
            let mut sets: Vec<(State, ByteSet)> = Vec::new();
            for (&byte, &set) in dfa.machine.representatives().iter().zip(&classes) {
                let next = dfa.step(state, byte);
                match sets.iter_mut().find(|(to, _)| *to == next) {
                    _ if dfa.is_dead(next) => {}
                    Some((_, bytes)) => *bytes = bytes.either(set),
                    None => sets.push((next, set)),
                }
            }
            for (next, set) in sets {
                let between = self.node()?;
                self.silent(node, between);
                self.nodes[between as usize].edge = Some((set, nodes[next as usize]));
            }
        }
        Ok((nodes[dfa.start() as usize], exit))
    }

    fn repetition(&mut self, min: u32, max: Option<u32>, element: &Element) -> Result<Fragment, Error> {
        let entry = self.node()?;
        let mut exit = entry;
        for _ in 0..min {
            exit = self.append(exit, element)?;
        }
        let end = self.node()?;
        match max {
            None => {
                let turn = self.node()?;
                self.silent(exit, turn);
                let last = self.append(turn, element)?;
                self.silent(last, turn);
                self.silent(last, end);
            }
            Some(max) => {
                for _ in min..max {
                    let next = self.append(exit, element)?;
                    self.silent(exit, end);
                    exit = next;
                }
            }
        }
        self.silent(exit, end);
        Ok((entry, end))
    }

    /// The element after `exit`; its exit.
    fn append(&mut self, exit: u32, element: &Element) -> Result<u32, Error> {
        let inner = self.element(element)?;
        self.silent(exit, inner.0);
        Ok(inner.1)
    }

    fn bytes(&mut self, sets: impl IntoIterator<Item = ByteSet>) -> Result<Fragment, Error> {
        let entry = self.node()?;
        let mut exit = entry;
        for set in sets {
            let next = self.node()?;
            self.nodes[exit as usize].edge = Some((set, next));
            exit = next;
        }
        Ok((entry, exit))
    }

    fn node(&mut self) -> Result<u32, Error> {
        within(STATE_LIMIT, self.nodes.len())?;
        self.nodes.push(NfaNode {
            silent: Vec::new(),
            edge: None,
            place: self.place.unwrap_or_default(),
        });
        Ok(self.nodes.len() as u32 - 1)
    }

    fn silent(&mut self, from: u32, to: u32) {
        self.nodes[from as usize].silent.push(to);
    }
}
