//! What was learned: the machine, and how it differs from the target.

use std::collections::BTreeMap;
use std::fmt;

use super::characters::{Characters, OTHERS};
use super::limits::Limit;
use super::{ACCEPTED_ALONE, CRASHED, Purpose, REJECTED_ALONE, Stop, TIMED_OUT, is_rejected, words};
use crate::machine::{Machine, State};

/// How an answer differs from the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutputDifference {
    /// Accepted, although the target rejects it.
    Accepted,
    /// Rejected, although the target accepts it.
    Rejected,
    /// Accepted by both, with different outputs.
    OtherOutput,
    /// Answered with [`CRASHED`].
    Crashed,
    /// Answered with [`TIMED_OUT`].
    TimedOut,
}

impl OutputDifference {
    /// How an output differs from the expected one; none if it does not.
    pub fn of(expected: u32, observed: u32) -> Option<OutputDifference> {
        match (expected, observed) {
            _ if expected == observed => None,
            (_, CRASHED) => Some(OutputDifference::Crashed),
            (_, TIMED_OUT) => Some(OutputDifference::TimedOut),
            (_, ACCEPTED_ALONE) => Some(OutputDifference::Accepted),
            (_, REJECTED_ALONE) => Some(OutputDifference::Rejected),
            (0, _) => Some(OutputDifference::Accepted),
            (_, 0) => Some(OutputDifference::Rejected),
            _ => Some(OutputDifference::OtherOutput),
        }
    }
}

impl fmt::Display for OutputDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            OutputDifference::Accepted => "accepted though invalid",
            OutputDifference::Rejected => "rejected though valid",
            OutputDifference::OtherOutput => "accepted with other components",
            OutputDifference::Crashed => "crashes",
            OutputDifference::TimedOut => "timed out",
        })
    }
}

/// A class of difference: a pair of states that some string leads to and that have different outputs. The witness was
/// asked: the subject does differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedDifference {
    /// The target's state.
    pub target: State,
    /// The learned machine's state.
    pub learned: State,
    /// The target's output.
    pub expected: u32,
    /// The subject's output.
    pub observed: u32,
    /// A shortest string that leads to the pair.
    pub witness: String,
    /// The place in `witness`, in characters, of the step on which the two machines part: the first after which nothing
    /// that may follow is accepted by one of them, or else the last. None if the witness is empty.
    pub parting: Option<usize>,
}

impl LearnedDifference {
    /// Its direction.
    pub fn kind(&self) -> OutputDifference {
        OutputDifference::of(self.expected, self.observed).unwrap_or(OutputDifference::OtherOutput)
    }
}

/// Differences that are likely to have one cause: of one kind, and the machines part on the same symbol; or, where both
/// accept, the same bits of the output differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceGroup {
    /// Their direction.
    pub kind: OutputDifference,
    /// The characters of the symbol on which the machines part; none if they differ before any, or in bits.
    pub characters: Vec<char>,
    /// The differences, as places in [`Learned::differences`]; those with the shortest witnesses first.
    pub differences: Vec<usize>,
}

/// A symbol of the learned machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// A character of it.
    pub character: char,
    /// All tried characters that have the same answers in every state.
    pub stands_for: Vec<char>,
    /// Whether it also stands for the characters beyond ASCII that were not tried: an assumption.
    pub stands_for_others: bool,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The subject's machine, within its limits. It is over codes: the characters of ASCII are themselves, the bytes from 128
    /// on are characters beyond. Use [`Learned::output`] to run it and [`Learned::symbols`] to read it.
    pub(super) machine: Machine,
    /// The target over the same codes.
    pub(super) target: Machine,
    pub(super) characters: Characters,
    pub(super) extra_states: usize,
    /// How many queries were made for each purpose.
    pub questions: BTreeMap<Purpose, u64>,
    /// How many rounds of equivalence queries there were; the last one found nothing to learn.
    pub rounds: usize,
    /// What the subject answers otherwise from some size on. Words beyond are not in anything else that is said here.
    pub limits: Vec<Limit>,
    /// Why the learner stopped early, if it did. The machine is then the last hypothesis and not the subject's; but each of the
    /// differences is one.
    pub stopped: Option<Stop>,
    /// Every class of difference, those with the shortest witnesses first.
    pub differences: Vec<LearnedDifference>,
}

impl Learned {
    /// Whether the subject's machine is the target's, within the limits and under the [assumptions](Learned::assumptions).
    pub fn is_equal(&self) -> bool {
        self.stopped.is_none() && self.differences.is_empty()
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.machine.states()
    }

    /// The learned machine. Its bytes are codes: those of ASCII are characters, those from 128 on stand for characters beyond
    /// ASCII, which [`Learned::symbols`] shows.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The target machine over the same codes.
    pub fn target(&self) -> &Machine {
        &self.target
    }

    /// The output of the learned machine.
    pub fn output(&self, input: &str) -> u32 {
        self.machine.output(self.machine.run(&self.characters.encode(input)))
    }

    /// The symbols, in the order of the columns of [`Learned::table`].
    pub fn symbols(&self) -> Vec<Symbol> {
        (0..self.machine.classes())
            .map(|class| {
                let is_member = |&code: &u8| self.machine.class_of(code) == class;
                Symbol {
                    character: self.characters.character(self.machine.representatives()[class]),
                    stands_for: self.codes().filter(is_member).map(|code| self.characters.character(code)).collect(),
                    stands_for_others: is_member(&OTHERS),
                }
            })
            .collect()
    }

    /// The successors, by state and symbol.
    pub fn table(&self) -> Vec<Vec<State>> {
        let states = 0..self.machine.states() as State;
        let row =
            |state| self.machine.representatives().iter().map(move |&code| self.machine.step(state, code)).collect();
        states.map(row).collect()
    }

    /// The outputs, by state.
    pub fn outputs(&self) -> Vec<u32> {
        (0..self.machine.states() as State).map(|state| self.machine.output(state)).collect()
    }

    /// The differences by kind and by the symbol on which the machines part, or the bits in which they differ; the shortest
    /// witness of a group is that of its first difference.
    pub fn groups(&self) -> Vec<DifferenceGroup> {
        let mut groups: Vec<DifferenceGroup> = Vec::new();
        for (at, difference) in self.differences.iter().enumerate() {
            let kind = difference.kind();
            // A component that is reported wrongly is the same wherever it is reported.
            let bits = |difference: &LearnedDifference| {
                let LearnedDifference { expected, observed, .. } = *difference;
                (expected & !observed, observed & !expected)
            };
            let parting = difference.parting.filter(|_| kind != OutputDifference::OtherOutput);
            let character = parting.and_then(|parting| difference.witness.chars().nth(parting));
            let is_known = |group: &&mut DifferenceGroup| match character {
                _ if kind == OutputDifference::OtherOutput => {
                    bits(&self.differences[group.differences[0]]) == bits(difference)
                }
                Some(character) => group.characters.contains(&character),
                None => group.characters.is_empty(),
            };
            match groups.iter_mut().filter(|group| group.kind == kind).find(is_known) {
                Some(group) => group.differences.push(at),
                None => groups.push(DifferenceGroup {
                    kind,
                    characters: character.map(|character| self.characters_like(character)).unwrap_or_default(),
                    differences: vec![at],
                }),
            }
        }
        groups
    }

    /// The tried characters that both machines treat as they do `character`.
    pub fn characters_like(&self, character: char) -> Vec<char> {
        let classes = |code| (self.target.class_of(code), self.machine.class_of(code));
        let same = classes(self.characters.code(character));
        self.codes().filter(|&code| classes(code) == same).map(|code| self.characters.character(code)).collect()
    }

    /// The pairs of states that `input` leads through, of the target and of the learned machine, from the start on.
    pub fn states_on_the_way(&self, input: &str) -> Vec<(State, State)> {
        let mut pair = (self.target.start(), self.machine.start());
        let mut pairs = vec![pair];
        for code in self.characters.encode(input) {
            pair = (self.target.step(pair.0, code), self.machine.step(pair.1, code));
            pairs.push(pair);
        }
        pairs
    }

    /// What *equal for every string* rests on, each as half a sentence.
    pub fn assumptions(&self) -> Vec<String> {
        let extra = match self.extra_states {
            0 => String::new(),
            extra => format!(
                " (or {}, if it treats the characters of each symbol alike)",
                self.machine.states() + extra
            ),
        };
        let mut assumptions = vec![
            format!(
                "the subject{} has no more than {} states{extra}",
                if self.limits.is_empty() {
                    ""
                } else {
                    ", within its limits,"
                },
                self.machine.states()
            ),
            "it treats each character beyond ASCII that no query had as one that a query had and that the grammar treats alike"
                .to_owned(),
            "it answers every string the same way each time".to_owned(),
        ];
        if !self.limits.is_empty() {
            assumptions.push(
                "each limit is the same in every context, and holds between the sizes that were asked; of strings beyond, \
                 nothing is said"
                    .to_owned(),
            );
        }
        assumptions
    }

    /// How many queries were made.
    pub fn questions(&self) -> u64 {
        self.questions.values().sum()
    }

    /// The learned machine as a Graphviz digraph, without the states from which nothing is accepted.
    pub fn to_dot(&self) -> String {
        let alive = words::alive(&self.machine);
        let dead = alive.iter().position(|alive| !alive).map(|state| state as State);
        self.machine.to_dot(|state| !is_rejected(self.machine.output(state)), dead)
    }

    fn codes(&self) -> impl Iterator<Item = u8> + use<> {
        self.characters.codes()
    }
}
