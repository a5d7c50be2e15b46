//! Minimal deterministic machines over bytes, with an output in every state: the common ground of [`Dfa`](crate::Dfa)
//! and [`Moore`](crate::Moore).
//!
//! A machine is complete (every state has a successor for every byte), has no state that no input reaches, no two states
//! that no input tells apart, and no two byte classes that no state tells apart. States are numbered breadth-first from
//! the start, classes by their smallest byte: two machines with the same behaviour are the same table.

use std::collections::HashMap;
use std::fmt;

use crate::fnv::Fnv;
use crate::hash::FastMap;

/// A state, from 0, the start, to the number of states less one.
pub type State = u32;

/// A minimal complete Moore machine over bytes: after any input it is in one state, and a state has an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    class_of: [u8; 256],
    representatives: Vec<u8>,
    /// By state and class.
    table: Vec<State>,
    outputs: Vec<u32>,
}

/// What names a machine: equal for equal behaviour, and, short of a collision of the hash, only for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The number of states, the sink included.
    pub states: usize,
    /// The number of byte classes.
    pub classes: usize,
    /// FNV-1a (64 bits) of: the numbers of states and classes; the class of every byte, a byte each; the output of every
    /// state; the successors by state and class. Numbers are 32 bits, little-endian.
    pub hash: u64,
}

/// The bytes that strings are made of, where strings are counted or generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// One byte of each class: assumes that an implementation treats the bytes of a class alike.
    Representatives,
    /// The 128 bytes of ASCII: every string is valid UTF-8.
    Ascii,
    /// All 256 bytes.
    Bytes,
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Alphabet::Representatives => "one byte of each class",
            Alphabet::Ascii => "the 128 bytes of ASCII",
            Alphabet::Bytes => "all 256 bytes",
        })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity { states, classes, hash } = self;
        write!(f, "{states} states, {classes} byte classes, {hash:016x}")
    }
}

/// A complete machine that need not be minimal; all states can be reached from state 0.
pub(crate) struct Raw {
    pub(crate) classes: Classes,
    /// By state and class.
    pub(crate) table: Vec<State>,
    pub(crate) outputs: Vec<u32>,
}

/// A partition of the bytes, its classes numbered by their smallest byte.
pub(crate) struct Classes {
    pub(crate) class_of: [u8; 256],
    pub(crate) count: usize,
}

impl Classes {
    /// The classes of the bytes that have the same key.
    pub(crate) fn by_key<K: Eq + std::hash::Hash>(key: impl Fn(u8) -> K) -> Classes {
        let mut known = HashMap::new();
        let mut class_of = [0; 256];
        for byte in 0..=255_u8 {
            let next = known.len() as u8;
            class_of[usize::from(byte)] = *known.entry(key(byte)).or_insert(next);
        }
        Classes {
            class_of,
            count: known.len(),
        }
    }

    /// A byte for each class: printable if the class has one, and of those the one that reads best.
    pub(crate) fn representatives(&self) -> Vec<u8> {
        let mut representatives = vec![None; self.count];
        let plain = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
        let marks = (b'!'..=b'~').filter(|byte| !matches!(byte, b'"' | b'\\'));
        for byte in plain.chain(marks).chain([b' ', b'\\', b'"']).chain(0..=255) {
            representatives[usize::from(self.class_of[usize::from(byte)])].get_or_insert(byte);
        }
        representatives.into_iter().flatten().collect()
    }
}

impl Machine {
    /// The minimal machine with the behaviour of `raw`.
    pub(crate) fn minimal(raw: &Raw) -> Machine {
        let (blocks, block_count) = refine(raw);
        let width = raw.classes.count;
        let mut member = vec![0; block_count];
        for (state, &block) in blocks.iter().enumerate() {
            member[block as usize] = state;
        }
        let successor = |block: State, class: u8| {
            let state = member[block as usize];
            blocks[raw.table[state * width + usize::from(class)] as usize]
        };

        // Two classes are one where every state has the same successor for both.
        let columns: Vec<Vec<State>> = (0..width)
            .map(|class| (0..block_count).map(|block| successor(block as State, class as u8)).collect())
            .collect();
        let (merged, _) = numbered(columns.iter());
        let classes = Classes::by_key(|byte| merged[usize::from(raw.classes.class_of[usize::from(byte)])]);
        let representatives = classes.representatives();

        let mut number = vec![None; block_count];
        number[blocks[0] as usize] = Some(0);
        let mut order = vec![blocks[0]];
        let mut table = Vec::with_capacity(block_count * classes.count);
        let mut done = 0;
        while done < order.len() {
            for &byte in &representatives {
                let next = successor(order[done], raw.classes.class_of[usize::from(byte)]);
                table.push(*number[next as usize].get_or_insert_with(|| {
                    order.push(next);
                    order.len() as State - 1
                }));
            }
            done += 1;
        }
        Machine {
            class_of: classes.class_of,
            representatives,
            table,
            outputs: order.iter().map(|&block| raw.outputs[member[block as usize]]).collect(),
        }
    }

    /// The minimal machine that starts in state 0 and behaves as `step` and `output` say.
    pub(crate) fn of(step: impl Fn(State, u8) -> State, output: impl Fn(State) -> u32) -> Machine {
        let mut number = HashMap::from([(0, 0)]);
        let mut order = vec![0];
        let mut rows = Vec::new();
        while rows.len() < order.len() {
            let state = order[rows.len()];
            let row: Vec<State> = (0..=255)
                .map(|byte| {
                    let next = step(state, byte);
                    *number.entry(next).or_insert_with(|| {
                        order.push(next);
                        order.len() as State - 1
                    })
                })
                .collect();
            rows.push(row);
        }
        let classes = Classes::by_key(|byte| rows.iter().map(|row| row[usize::from(byte)]).collect::<Vec<_>>());
        let representatives = classes.representatives();
        let successors =
            rows.iter().flat_map(|row| representatives.iter().map(|&byte| row[usize::from(byte)])).collect();
        Machine::minimal(&Raw {
            classes,
            table: successors,
            outputs: order.into_iter().map(output).collect(),
        })
    }

    /// The minimal machine whose output after any input is `map` of this machine's: what is left to see of it through
    /// something that tells less.
    pub fn map_outputs(&self, map: impl Fn(u32) -> u32) -> Machine {
        Machine::minimal(&Raw {
            classes: Classes {
                class_of: self.class_of,
                count: self.classes(),
            },
            table: self.table.clone(),
            outputs: self.outputs.iter().map(|&output| map(output)).collect(),
        })
    }

    /// The minimal machine that runs all of `machines` at once, its output made of theirs.
    pub(crate) fn product(machines: &[&Machine], combine: impl Fn(&[u32]) -> u32) -> Machine {
        let classes = common_classes(machines);
        let representatives = classes.representatives();
        let outputs_of = |states: &[State]| -> Vec<u32> {
            machines.iter().zip(states).map(|(machine, &state)| machine.output(state)).collect()
        };
        let start = vec![0; machines.len()];
        let mut outputs = vec![combine(&outputs_of(&start))];
        let mut known = HashMap::from([(start.clone(), 0)]);
        let mut order = vec![start];
        let mut table = Vec::new();
        let mut done = 0;
        while done < order.len() {
            for &byte in &representatives {
                let states = order[done].iter();
                let next: Vec<State> =
                    states.zip(machines).map(|(&state, machine)| machine.step(state, byte)).collect();
                let number = *known.entry(next).or_insert_with_key(|next| {
                    outputs.push(combine(&outputs_of(next)));
                    order.push(next.clone());
                    order.len() as State - 1
                });
                table.push(number);
            }
            done += 1;
        }
        Machine::minimal(&Raw {
            classes,
            table,
            outputs,
        })
    }

    /// The state before any input: 0.
    pub fn start(&self) -> State {
        0
    }

    /// The number of states, the sink included.
    pub fn states(&self) -> usize {
        self.outputs.len()
    }

    /// The number of byte classes.
    pub fn classes(&self) -> usize {
        self.representatives.len()
    }

    /// The class of a byte, from 0.
    #[inline]
    pub fn class_of(&self, byte: u8) -> usize {
        usize::from(self.class_of[usize::from(byte)])
    }

    /// The bytes of a class.
    pub fn members(&self, class: usize) -> impl Iterator<Item = u8> {
        (0..=255).filter(move |&byte| self.class_of(byte) == class)
    }

    /// A byte of each class, in class order: printable if the class has one.
    pub fn representatives(&self) -> &[u8] {
        &self.representatives
    }

    /// The bytes of an alphabet: in class order, or in that of their values.
    pub fn symbols(&self, alphabet: Alphabet) -> Vec<u8> {
        match alphabet {
            Alphabet::Representatives => self.representatives.clone(),
            Alphabet::Ascii => (0..128).collect(),
            Alphabet::Bytes => (0..=255).collect(),
        }
    }

    /// The state after one byte more.
    #[inline]
    pub fn step(&self, state: State, byte: u8) -> State {
        self.table[state as usize * self.representatives.len() + self.class_of(byte)]
    }

    /// The state after the whole of `input`.
    pub fn run(&self, input: &[u8]) -> State {
        input.iter().fold(self.start(), |state, &byte| self.step(state, byte))
    }

    /// The output of a state.
    #[inline]
    pub fn output(&self, state: State) -> u32 {
        self.outputs[state as usize]
    }

    /// For every length from 0 to `longest`, how many strings of `symbols` lead to a state with an output other than 0.
    pub(crate) fn matching_per_length(&self, longest: usize, symbols: &[u8]) -> Vec<u128> {
        let mut reached = vec![0_u128; self.states()];
        reached[self.start() as usize] = 1;
        let mut matching = Vec::with_capacity(longest + 1);
        loop {
            let states = 0..self.states() as State;
            let final_states = states.clone().filter(|&state| self.output(state) != 0);
            matching.push(final_states.fold(0, |sum: u128, state| sum.saturating_add(reached[state as usize])));
            if matching.len() > longest {
                return matching;
            }
            let mut next = vec![0_u128; reached.len()];
            for state in states.filter(|&state| reached[state as usize] > 0) {
                for &byte in symbols {
                    let to = &mut next[self.step(state, byte) as usize];
                    *to = to.saturating_add(reached[state as usize]);
                }
            }
            reached = next;
        }
    }

    /// For every state a shortest input that leads to it, of representatives; of several the first in class order. What
    /// is left of an access word when its last byte is taken away is an access word.
    pub fn access_words(&self) -> Vec<Vec<u8>> {
        let mut words: Vec<Option<Vec<u8>>> = vec![None; self.states()];
        words[0] = Some(Vec::new());
        // States are numbered in this very order.
        for state in 0..self.states() {
            let Some(word) = words[state].clone() else { continue };
            for &byte in &self.representatives {
                words[self.step(state as State, byte) as usize].get_or_insert_with(|| [&word[..], &[byte]].concat());
            }
        }
        words.into_iter().flatten().collect()
    }

    /// The machine's name.
    pub fn identity(&self) -> Identity {
        let (states, classes) = (self.states(), self.classes());
        let numbers = |numbers: &[u32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
        let parts = [
            numbers(&[states as u32, classes as u32]),
            self.class_of.to_vec(),
            numbers(&self.outputs),
            numbers(&self.table),
        ];
        let hash = Fnv::of(parts.into_iter().flatten());
        Identity { states, classes, hash }
    }

    /// A class as its ranges of bytes, such as `A-Fa-f`; bytes that are not printable are `\x00`.
    pub fn class_label(&self, class: usize) -> String {
        label(self.members(class))
    }

    /// As [`class_label`](Machine::class_label), of the bytes of US-ASCII alone.
    pub(crate) fn ascii_label(&self, class: usize) -> String {
        label(self.members(class).filter(u8::is_ascii))
    }

    /// The machine as a Graphviz digraph; `is_final` says which states get a double circle, `hidden` which are left out.
    pub(crate) fn to_dot(&self, is_final: impl Fn(State) -> bool, hidden: Option<State>) -> String {
        use std::fmt::Write;
        let mut dot = String::from("digraph {\n  rankdir=LR\n  node [shape=circle]\n");
        for state in (0..self.states() as State).filter(|&state| Some(state) != hidden) {
            if is_final(state) {
                let _ = writeln!(dot, "  {state} [shape=doublecircle]");
            }
            let mut labels: Vec<(State, String)> = Vec::new();
            for (class, &byte) in self.representatives.iter().enumerate() {
                let next = self.step(state, byte);
                if Some(next) == hidden {
                    continue;
                }
                let label = self.class_label(class);
                match labels.iter_mut().find(|(to, _)| *to == next) {
                    Some((_, labels)) => {
                        labels.push(' ');
                        labels.push_str(&label);
                    }
                    None => labels.push((next, label)),
                }
            }
            for (next, label) in labels {
                let label = label.replace('\\', "\\\\").replace('"', "\\\"");
                let _ = writeln!(dot, "  {state} -> {next} [label=\"{label}\"]");
            }
        }
        dot.push_str("}\n");
        dot
    }
}

/// Bytes as ranges.
fn label(members: impl Iterator<Item = u8>) -> String {
    let show = |byte: u8| match byte {
        b'!'..=b'~' if byte != b'\\' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    };
    let mut label = String::new();
    let mut members = members.peekable();
    while let Some(first) = members.next() {
        let mut last = first;
        while let Some(next) = members.next_if(|&next| next == last.wrapping_add(1)) {
            last = next;
        }
        label += &show(first);
        if last > first {
            label += if last - first > 1 { "-" } else { "" };
            label += &show(last);
        }
    }
    label
}

/// The coarsest classes that are at least as fine as those of every machine.
pub(crate) fn common_classes(machines: &[&Machine]) -> Classes {
    Classes::by_key(|byte| machines.iter().map(|machine| machine.class_of(byte)).collect::<Vec<_>>())
}

/// The blocks of states that no input tells apart (Moore's partition refinement), and how many there are.
fn refine(raw: &Raw) -> (Vec<State>, usize) {
    let width = raw.classes.count;
    let (mut blocks, mut count) = numbered(raw.outputs.iter().copied());
    loop {
        let keys = blocks.iter().zip(raw.table.chunks(width)).map(|(&block, successors)| {
            let mut key = Vec::with_capacity(width + 1);
            key.push(block);
            key.extend(successors.iter().map(|&next| blocks[next as usize]));
            key
        });
        let (finer, finer_count) = numbered(keys);
        if finer_count == count {
            return (blocks, count);
        }
        (blocks, count) = (finer, finer_count);
    }
}

/// For every key the number of its first occurrence among different keys, and how many different keys there are.
fn numbered<K: Eq + std::hash::Hash>(keys: impl Iterator<Item = K>) -> (Vec<State>, usize) {
    let mut known = FastMap::default();
    let numbers = keys
        .map(|key| {
            let next = known.len() as State;
            *known.entry(key).or_insert(next)
        })
        .collect();
    (numbers, known.len())
}
