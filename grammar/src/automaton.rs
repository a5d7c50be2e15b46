//! ABNF -> Thompson NFA over bytes -> subset construction over byte classes -> minimal DFA.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use crate::abnf::{Element, Error, ErrorKind, Grammar, LetterCase, NumVal, Position, Rule};
use crate::hash::FastMap;
use crate::machine::{Alphabet, Classes, Identity, Machine, Raw, State};

/// The limit of states on the way to the minimal machine: of the NFA, and of the DFA before it is minimal.
pub(crate) const STATE_LIMIT: usize = 1 << 16;

/// The limit of members that the sets of states may have in all, each set counted once for every transition to it.
pub(crate) const MEMBER_LIMIT: usize = 1 << 23;

/// How deep elements may stand in one another, rules included.
const DEPTH_LIMIT: usize = 500;

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

/// Checks a rule and all that it refers to.
pub(crate) fn check(grammar: &Grammar, rule: &str) -> Result<(), Error> {
    let mut checker = Checker {
        grammar,
        open: Vec::new(),
        done: HashSet::new(),
        depth: 0,
    };
    checker.rule(rule, None)
}

struct Checker<'a> {
    grammar: &'a Grammar,
    /// The rules that are being looked at, each within the one before.
    open: Vec<&'a str>,
    done: HashSet<&'a str>,
    depth: usize,
}

impl<'a> Checker<'a> {
    fn rule(&mut self, name: &str, position: Option<Position>) -> Result<(), Error> {
        let Some(rule) = self.grammar.rule(name) else {
            return Err(self.grammar.undefined(name, position));
        };
        if let Some(at) = self.open.iter().position(|&open| open == rule.name) {
            let names = self.open[at..].iter().chain(&self.open[at..=at]);
            let cycle = names.map(|&name| name.to_owned()).collect();
            return Err(Error {
                position,
                problem: ErrorKind::Recursion { cycle },
            });
        }
        if self.done.contains(&*rule.name) {
            return Ok(());
        }
        self.open.push(&rule.name);
        self.element(&rule.element, position)?;
        self.open.pop();
        self.done.insert(&rule.name);
        Ok(())
    }

    fn element(&mut self, element: &'a Element, position: Option<Position>) -> Result<(), Error> {
        if self.depth == DEPTH_LIMIT {
            let problem = ErrorKind::TooDeep { limit: DEPTH_LIMIT };
            return Err(Error { position, problem });
        }
        self.depth += 1;
        match element {
            Element::Alternation(elements) | Element::Concatenation(elements) => {
                elements.iter().try_for_each(|element| self.element(element, position))?;
            }
            Element::Repetition { element, .. } | Element::Option(element) | Element::Group(element) => {
                self.element(element, position)?;
            }
            Element::Reference { name, position } => self.rule(name, Some(*position))?,
            Element::CharVal { .. } => {}
            Element::NumVal { value, position } => {
                let greatest = match value {
                    NumVal::Value(value) | NumVal::Range(_, value) => Some(value),
                    NumVal::Concatenation(values) => values.iter().max(),
                };
                if let Some(&value) = greatest.filter(|&&value| value > 0xff) {
                    return Err(Error {
                        position: Some(*position),
                        problem: ErrorKind::NotAByte { value },
                    });
                }
            }
            Element::ProseVal { text, position } => {
                if self.grammar.rule(text).is_none() {
                    return Err(Error {
                        position: Some(*position),
                        problem: ErrorKind::UnknownProse { text: text.clone() },
                    });
                }
                self.rule(text, Some(*position))?;
            }
        }
        self.depth -= 1;
        Ok(())
    }
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    fn range(first: u8, last: u8) -> ByteSet {
        let mut set = ByteSet([0; 4]);
        for byte in first..=last {
            set.0[usize::from(byte) / 64] |= 1 << (byte % 64);
        }
        set
    }

    pub(crate) fn either(self, other: ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(crate) fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
    }
}

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
    machines: Option<&'a MachinesByName>,
    pub(crate) nodes: Vec<NfaNode>,
    /// A place stands behind that which it stands in.
    pub(crate) places: Vec<RulePlace<'a>>,
    /// That of the reference being built.
    place: Option<u32>,
    pub(crate) entry: u32,
    pub(crate) exit: u32,
}

/// What the subset construction makes of an NFA.
pub(crate) struct Subsets {
    /// The complete DFA.
    pub(crate) raw: Raw,
    /// For every state of it the nodes that it stands for, in ascending order: those that take a byte, and the last one.
    pub(crate) sets: Vec<Vec<u32>>,
    /// For every node that an edge leads to, such nodes as it reaches without input, in ascending order.
    pub(crate) closures: Vec<Option<Vec<u32>>>,
}

pub(crate) type Fragment = (u32, u32);

impl<'a> Nfa<'a> {
    pub(crate) fn of(grammar: &'a Grammar, rule: &str) -> Result<Nfa<'a>, Error> {
        check(grammar, rule)?;
        let mut nfa = Nfa::empty(grammar);
        (nfa.entry, nfa.exit) = nfa.rule(rule)?;
        Ok(nfa)
    }

    fn empty(grammar: &'a Grammar) -> Nfa<'a> {
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

    fn rule(&mut self, name: &str) -> Result<Fragment, Error> {
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

    fn element(&mut self, element: &Element) -> Result<Fragment, Error> {
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
            bytes.fold(ByteSet([0; 4]), ByteSet::either)
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

    /// The complete DFA whose states are the sets of states that an input leads to.
    pub(crate) fn subsets(&self) -> Result<Subsets, Error> {
        let sets: HashSet<ByteSet> = self.nodes.iter().filter_map(|node| node.edge).map(|(set, _)| set).collect();
        let classes = Classes::by_key(|byte| sets.iter().map(|set| set.contains(byte)).collect::<Vec<_>>());
        let symbols = classes.representatives();
        let mut closures = Closures::new(self);

        let start = closures.of(self.entry).to_vec();
        let (sets, table) = explored(start, &symbols, |set, byte| {
            let mut next = Vec::new();
            for &node in set {
                let edge = self.nodes[node as usize].edge;
                if let Some((_, to)) = edge.filter(|(bytes, _)| bytes.contains(byte)) {
                    next.extend_from_slice(closures.of(to));
                }
            }
            within(MEMBER_LIMIT, closures.members + next.len())?;
            next.sort_unstable();
            next.dedup();
            Ok(next)
        })?;
        let accepts = |set: &Vec<u32>| u32::from(set.binary_search(&self.exit).is_ok());
        let raw = Raw {
            classes,
            table,
            outputs: sets.iter().map(accepts).collect(),
        };
        Ok(Subsets {
            raw,
            sets,
            closures: closures.known,
        })
    }
}

/// The subset construction: every set of members that an input leads to from `start`, in the order in which they are met, and
/// the transitions of each for all symbols, one set after the other. What a set becomes by a byte `after` says, in a form that
/// is the same for the same set.
pub(crate) fn explored<Member: Clone + Eq + Hash>(
    start: Vec<Member>,
    symbols: &[u8],
    mut after: impl FnMut(&[Member], u8) -> Result<Vec<Member>, Error>,
) -> Result<(Vec<Vec<Member>>, Vec<State>), Error> {
    let mut known = FastMap::from_iter([(start.clone(), 0)]);
    let mut sets = vec![start];
    let mut table = Vec::new();
    let (mut done, mut members) = (0, 0);
    while done < sets.len() {
        for &byte in symbols {
            let next = after(&sets[done], byte)?;
            members += next.len();
            within(MEMBER_LIMIT, members)?;
            let number = match known.get(&next) {
                Some(&number) => number,
                None => {
                    within(STATE_LIMIT, sets.len())?;
                    let number = sets.len() as State;
                    sets.push(next.clone());
                    known.insert(next, number);
                    number
                }
            };
            table.push(number);
        }
        done += 1;
    }
    Ok((sets, table))
}

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

/// The bytes that each place of a text takes, of an element that is characters and nothing else; nothing for others.
pub(crate) fn byte_sets(element: &Element) -> Vec<ByteSet> {
    let set = |byte| ByteSet::range(byte, byte);
    match element {
        Element::CharVal { text, case } => text
            .bytes()
            .map(|byte| match case {
                LetterCase::Sensitive => set(byte),
                LetterCase::Insensitive => set(byte.to_ascii_lowercase()).either(set(byte.to_ascii_uppercase())),
            })
            .collect(),
        Element::NumVal { value, .. } => match value {
            NumVal::Value(value) => vec![set(*value as u8)],
            NumVal::Range(first, last) => vec![ByteSet::range(*first as u8, *last as u8)],
            NumVal::Concatenation(values) => values.iter().map(|&value| set(value as u8)).collect(),
        },
        _ => Vec::new(),
    }
}

/// For every node the nodes that it reaches without input and that matter: those that take a byte, and the last one.
struct Closures<'a> {
    nfa: &'a Nfa<'a>,
    known: Vec<Option<Vec<u32>>>,
    /// Of all closures known.
    members: usize,
}

impl<'a> Closures<'a> {
    fn new(nfa: &'a Nfa<'a>) -> Closures<'a> {
        Closures {
            nfa,
            known: vec![None; nfa.nodes.len()],
            members: 0,
        }
    }

    fn of(&mut self, node: u32) -> &[u32] {
        self.known[node as usize].get_or_insert_with(|| {
            let mut seen = HashSet::from([node]);
            let mut open = vec![node];
            let mut closure = Vec::new();
            while let Some(node) = open.pop() {
                if self.nfa.nodes[node as usize].edge.is_some() || node == self.nfa.exit {
                    closure.push(node);
                }
                open.extend(self.nfa.nodes[node as usize].silent.iter().copied().filter(|&next| seen.insert(next)));
            }
            closure.sort_unstable();
            self.members += closure.len();
            closure
        })
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
