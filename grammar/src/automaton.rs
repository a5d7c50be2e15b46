//! ABNF -> Thompson NFA over bytes -> subset construction over byte classes -> minimal DFA.

mod byte_set;
mod check;
mod nfa;
mod nfa_reader;
mod subsets;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(crate) use self::byte_set::{ByteSet, byte_sets};
pub(crate) use self::check::check;
pub(crate) use self::nfa::Nfa;
pub use self::nfa_reader::NfaReader;
pub(crate) use self::subsets::{Subsets, explored};
use crate::abnf::{Element, Error, ErrorKind, Grammar};
use crate::machine::{Alphabet, Identity, Machine, State};

/// The limit of states on the way to the minimal machine: of the NFA, and of the DFA before it is minimal.
pub(crate) const STATE_LIMIT: usize = 1 << 16;

/// The limit of members that the sets of states may have in all, each set counted once for every transition to it.
pub(crate) const MEMBER_LIMIT: usize = 1 << 23;

/// The minimal complete DFA of one rule: which strings of bytes, as wholes, match it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    machine: Machine,
    /// The state from which no input leads to acceptance.
    dead: Option<State>,
}

impl Dfa {
    /// The machine of the rule of that name.
    ///
    /// Characters are bytes: `%x80-FF` is any byte beyond ASCII, and a character above %xFF is an error.
    ///
    /// # Errors
    ///
    /// Names that are not defined, prose that names no rule, characters above %xFF, rules that stand for themselves, as far
    /// as the rule refers to them, and machines that are too large.
    pub fn compile(grammar: &Grammar, rule: &str) -> Result<Dfa, Error> {
        let nfa = Nfa::of(grammar, rule)?;
        Ok(Dfa::from_machine(Machine::minimal(&nfa.subsets()?.raw)))
    }

    pub(crate) fn from_machine(machine: Machine) -> Dfa {
        let dead = (0..machine.states() as State).find(|&state| {
            machine.output(state) == 0
                && machine.representatives().iter().all(|&byte| machine.step(state, byte) == state)
        });
        Dfa { machine, dead }
    }

    /// The machine, with output 1 in the states that accept and 0 in the others.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The machine's name.
    pub fn identity(&self) -> Identity {
        self.machine.identity()
    }

    /// The state before any input.
    pub fn start(&self) -> State {
        self.machine.start()
    }

    /// The state after one byte more.
    pub fn step(&self, state: State, byte: u8) -> State {
        self.machine.step(state, byte)
    }

    /// Whether the input so far matches.
    pub fn is_accepting(&self, state: State) -> bool {
        self.machine.output(state) != 0
    }

    /// Whether nothing that follows can make the input match.
    pub fn is_dead(&self, state: State) -> bool {
        Some(state) == self.dead
    }

    /// Whether the whole of `input` matches.
    pub fn accepts(&self, input: &[u8]) -> bool {
        self.is_accepting(self.machine.run(input))
    }

    /// The length of the longest beginning of `input` that some continuation makes match; 0 if nothing matches at all.
    pub fn longest_viable_prefix(&self, input: &[u8]) -> usize {
        let mut state = self.start();
        for (at, &byte) in input.iter().enumerate() {
            state = self.step(state, byte);
            if self.is_dead(state) {
                return at;
            }
        }
        input.len()
    }

    /// For every length from 0 to `longest`, how many strings over the alphabet match; `u128::MAX` stands for that many
    /// or more.
    pub fn accepted_per_length(&self, longest: usize, alphabet: Alphabet) -> Vec<u128> {
        self.machine.matching_per_length(longest, &self.machine.symbols(alphabet))
    }

    /// The machine as a Graphviz digraph, without the state from which nothing can match.
    pub fn to_dot(&self) -> String {
        self.machine.to_dot(|state| self.is_accepting(state), self.dead)
    }
}

/// The machines of all rules of a grammar, kept to compile grammars with a few other rules: only what refers to these is
/// made again, out of the minimal machines of the rules that it refers to.
#[derive(Clone, Debug)]
pub struct Compiled {
    grammar: Grammar,
    machines: MachinesByName,
}

/// By name in lower case.
type MachinesByName = HashMap<String, Arc<Dfa>>;

impl Compiled {
    /// Compiles a rule and all that it refers to.
    ///
    /// # Errors
    ///
    /// As [`Dfa::compile`].
    pub fn of(grammar: Grammar, rule: &str) -> Result<Compiled, Error> {
        let mut machines = MachinesByName::new();
        check(&grammar, rule)?;
        compile_into(&grammar, rule, true, &mut machines)?;
        Ok(Compiled { grammar, machines })
    }

    /// The grammar, without the other rules.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The machine of a rule where `rules` stand in place of those of the same names, or beside the others.
    ///
    /// # Errors
    ///
    /// As [`Dfa::compile`].
    pub fn with_rules(&self, rules: &[(String, Element)], rule: &str) -> Result<Dfa, Error> {
        let mut grammar = self.grammar.clone();
        for (name, element) in rules {
            grammar = grammar.with_rule(name, element.clone());
        }
        check(&grammar, rule)?;
        let changed: HashSet<String> = rules.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
        let mut stale = HashMap::new();
        let mut machines = self.machines.clone();
        machines.retain(|name, _| !reaches(&grammar, name, &changed, &mut stale));
        compile_into(&grammar, rule, false, &mut machines)?;
        let machine = machines.remove(&rule.to_ascii_lowercase());
        machine.map(Arc::unwrap_or_clone).ok_or_else(|| grammar.undefined(rule, None))
    }
}

/// Compiles a rule, after those that it refers to: all of them, or the ones that are referred to more than once. A rule
/// that is referred to once is as well compiled where it stands. The grammar has been checked.
fn compile_into(grammar: &Grammar, rule: &str, all: bool, machines: &mut MachinesByName) -> Result<(), Error> {
    let Some(definition) = grammar.rule(rule) else {
        return Err(grammar.undefined(rule, None));
    };
    let mut times: HashMap<String, usize> = HashMap::new();
    let mut open = vec![definition];
    let mut order = Vec::new();
    while let Some(rule) = open.pop() {
        let mut names = Vec::new();
        references(&rule.element, &mut names);
        for name in names {
            let key = name.to_ascii_lowercase();
            if machines.contains_key(&key) {
                continue;
            }
            let count = times.entry(key).or_default();
            *count += 1;
            if *count == 1 {
                open.extend(grammar.rule(name));
            }
            order.push(name);
        }
    }
    // What is not compiled yet when it is referred to compiles itself first.
    for name in order.into_iter().rev() {
        let key = name.to_ascii_lowercase();
        if (all || times[&key] > 1) && !machines.contains_key(&key) {
            compile_into(grammar, name, all, machines)?;
        }
    }
    let mut nfa = Nfa::empty(grammar);
    nfa.machines = Some(machines);
    (nfa.entry, nfa.exit) = nfa.element(&definition.element)?;
    let machine = Dfa::from_machine(Machine::minimal(&nfa.subsets()?.raw));
    machines.insert(rule.to_ascii_lowercase(), Arc::new(machine));
    Ok(())
}

/// Whether a rule is one of `changed` or refers to one, as far down as it goes.
fn reaches(grammar: &Grammar, rule: &str, changed: &HashSet<String>, known: &mut HashMap<String, bool>) -> bool {
    let key = rule.to_ascii_lowercase();
    if let Some(&answer) = known.get(&key) {
        return answer;
    }
    let mut names = Vec::new();
    if let Some(rule) = grammar.rule(rule) {
        references(&rule.element, &mut names);
    }
    let answer = changed.contains(&key) || names.into_iter().any(|name| reaches(grammar, name, changed, known));
    known.insert(key, answer);
    answer
}

/// The names that an element refers to.
pub fn references<'a>(element: &'a Element, names: &mut Vec<&'a str>) {
    match element {
        Element::Alternation(elements) | Element::Concatenation(elements) => {
            for element in elements {
                references(element, names);
            }
        }
        Element::Repetition { element, .. } | Element::Option(element) | Element::Group(element) => {
            references(element, names);
        }
        Element::Reference { name, .. } | Element::ProseVal { text: name, .. } => names.push(name),
        Element::CharVal { .. } | Element::NumVal { .. } => {}
    }
}

pub(crate) fn within(limit: usize, count: usize) -> Result<(), Error> {
    if count < limit {
        return Ok(());
    }
    Err(Error {
        position: None,
        problem: ErrorKind::TooLarge,
    })
}
