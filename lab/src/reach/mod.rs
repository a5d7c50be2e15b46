//! What the generated inputs reach: every choice of the grammar of RFC 3986, every branch of resolution and
//! recomposition, every transition of the machine, and what the generator is made to reach besides; each counted.

mod grammar;
mod kinds;
mod resolution;
mod rules;
mod shapes;

use std::collections::HashMap;

use grammar::{Alternatives, TransitionProbe};
use kinds::Kinds;
use rayon::prelude::*;
use resolution::{Recompositions, Resolutions};
use rfc3986_reference::components::{Reference, parse};
use rules::RuleProbe;
use serde::Serialize;
use shapes::{Addresses, Shapes};
use uriproof::model::{HostKind, Input, Reading, Rule};
use uriproof_grammar::choices::{RuleChoices, TakersCache};
use uriproof_grammar::{Dfa, rfc3986};

use super::dictionary::Dictionary;
use super::generate::{Generator, RuleStrings};

/// What was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reach {
    /// The generator's seed.
    pub seed: u64,
    /// How many inputs there were of all operations; a share more are strings of each rule.
    pub inputs: usize,
    /// What there is to reach, by kind.
    pub sections: Vec<GoalGroup>,
}

/// What there is to reach of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GoalGroup {
    /// What kind.
    pub name: &'static str,
    /// Each, in a fixed order.
    pub rows: Vec<Goal>,
}

/// One thing to reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Goal {
    /// What.
    pub name: String,
    /// How many inputs reached it.
    pub inputs: u64,
}

impl GoalGroup {
    /// How many rows were reached.
    pub fn reached(&self) -> usize {
        self.rows.iter().filter(|row| row.inputs > 0).count()
    }

    /// The rows, the least reached first.
    pub fn least(&self) -> Vec<&Goal> {
        let mut rows: Vec<&Goal> = self.rows.iter().collect();
        rows.sort_by_key(|row| row.inputs);
        rows
    }
}

/// How many inputs are made before they are followed: no more are in memory.
const BLOCK: usize = 1 << 17;

/// Each rule is given one input for so many of those for all operations.
const FOR_A_RULE: usize = 256;

/// Adds what inputs reach.
fn follow(probes: &[Box<dyn Probe + '_>], sizes: &[usize], inputs: &[Input], sums: &mut [Reached]) {
    let none = || sizes.iter().map(|&size| Reached::new(size)).collect::<Vec<_>>();
    // What was found out once is known in the whole of a part.
    let tallies = inputs
        .par_chunks(inputs.len().div_ceil(rayon::current_num_threads()).max(1))
        .map(|inputs| {
            let (mut tallies, mut known) = (none(), Caches::default());
            for input in inputs {
                let seen = Seen::of(input);
                for (probe, tally) in probes.iter().zip(&mut tallies) {
                    tally.input += 1;
                    probe.ask(&seen, &mut known, tally);
                }
            }
            tallies
        })
        .reduce(none, |mut sums, tallies| {
            add(&mut sums, tallies);
            sums
        });
    add(sums, tallies);
}

fn add(sums: &mut [Reached], tallies: Vec<Reached>) {
    for (sum, tally) in sums.iter_mut().zip(tallies) {
        sum.inputs.iter_mut().zip(tally.inputs).for_each(|(sum, inputs)| *sum += inputs);
    }
}

impl Reach {
    /// What the first inputs of a generator reach.
    pub fn of(seed: u64, inputs: usize) -> Reach {
        let parts = ProbeParts::new();
        let probes = parts.probes();
        let sizes: Vec<usize> = probes.iter().map(|probe| probe.rows().len()).collect();
        let mut sums: Vec<Reached> = sizes.iter().map(|&size| Reached::new(size)).collect();
        let mut generator = Generator::new(seed);
        let of_all = std::iter::repeat_with(move || generator.next_input()).take(inputs);
        let of_rules = Rule::ALL.iter().flat_map(|&rule| {
            let mut strings = RuleStrings::new(rule, seed, &Dictionary::default());
            std::iter::repeat_with(move || strings.next_input()).take(inputs.div_ceil(FOR_A_RULE))
        });
        let mut all = of_all.chain(of_rules);
        loop {
            let made: Vec<Input> = all.by_ref().take(BLOCK).collect();
            if made.is_empty() {
                break;
            }
            follow(&probes, &sizes, &made, &mut sums);
        }
        let sections = probes.iter().zip(sums).map(|(probe, tally)| {
            let rows = probe.rows().into_iter().zip(tally.inputs);
            GoalGroup {
                name: probe.name(),
                rows: rows.map(|(name, inputs)| Goal { name, inputs }).collect(),
            }
        });
        Reach {
            seed,
            inputs,
            sections: sections.collect(),
        }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.sections.iter().map(|section| section.rows.len()).sum()
    }

    /// How many of them were reached.
    pub fn reached(&self) -> usize {
        self.sections.iter().map(GoalGroup::reached).sum()
    }

    /// The rows that were not reached, each with its section.
    pub fn missed(&self) -> impl Iterator<Item = (&GoalGroup, &Goal)> {
        self.sections
            .iter()
            .flat_map(|section| section.rows.iter().filter(|row| row.inputs == 0).map(move |row| (section, row)))
    }
}

/// How many inputs reached each row.
struct Reached {
    inputs: Vec<u64>,
    /// The number of the input that is looked at, and for each row that of the last one that reached it.
    input: usize,
    last: Vec<usize>,
}

impl Reached {
    fn new(rows: usize) -> Reached {
        Reached {
            inputs: vec![0; rows],
            input: 0,
            last: vec![0; rows],
        }
    }

    fn reach(&mut self, row: usize) {
        if self.last[row] != self.input {
            self.last[row] = self.input;
            self.inputs[row] += 1;
        }
    }

    fn reach_all(&mut self, rows: impl IntoIterator<Item = usize>) {
        rows.into_iter().for_each(|row| self.reach(row));
    }
}

/// An input, and the strings that it holds whole.
struct Seen<'i> {
    input: &'i Input,
    strings: Vec<ParsedText<'i>>,
}

/// A string, and what it is parsed to if it is a URI-reference.
struct ParsedText<'i> {
    text: &'i str,
    parsed: Option<Reference<'i>>,
}

impl<'i> Seen<'i> {
    fn of(input: &'i Input) -> Seen<'i> {
        let strings = match input {
            Input::Parse { input, .. } => vec![&**input],
            other => other.uris(),
        };
        let text = |text: &'i str| ParsedText {
            text,
            parsed: parse(text, Reading::Rfc3986).ok(),
        };
        Seen {
            input,
            strings: strings.into_iter().map(text).collect(),
        }
    }

    fn parsed(&self) -> impl Iterator<Item = &Reference<'i>> {
        self.strings.iter().filter_map(|text| text.parsed.as_ref())
    }
}

/// What there is to reach of one kind, and what tells which of it an input reaches.
trait Probe: Sync {
    fn name(&self) -> &'static str;

    fn rows(&self) -> Vec<String>;

    /// Counts the rows that are reached.
    fn ask(&self, seen: &Seen<'_>, known: &mut Caches, reached: &mut Reached);
}

/// What was found out once, for the same to be known again; by the number of the rule.
type Caches = HashMap<usize, TakersCache>;

/// What probes are made of.
struct ProbeParts {
    choices: Vec<RuleChoices>,
    dfa: Dfa,
}

/// The rules that together refer to every other of Appendix A, and their goals. Those after the first one have
/// little that is not in it: `path` is in no other rule, nor are `reserved` and its parts.
const ASKED: [&str; 4] = ["URI-reference", "absolute-URI", "path", "reserved"];

impl ProbeParts {
    fn new() -> ProbeParts {
        // The grammar is ours, and the tests of `grammar/` compile every rule of it.
        let grammar = rfc3986::grammar();
        let choices =
            ASKED.map(|rule| RuleChoices::of(&grammar, rule).unwrap_or_else(|error| panic!("rfc3986.abnf: {error}")));
        ProbeParts {
            choices: choices.into(),
            dfa: Dfa::compile(&grammar, "URI-reference").unwrap_or_else(|error| panic!("rfc3986.abnf: {error}")),
        }
    }

    fn probes(&self) -> Vec<Box<dyn Probe + '_>> {
        vec![
            Box::new(Alternatives::of(&self.choices)),
            Box::new(Resolutions),
            Box::new(Recompositions),
            Box::new(TransitionProbe::of(&self.dfa, true)),
            Box::new(TransitionProbe::of(&self.dfa, false)),
            Box::new(Shapes),
            Box::new(Addresses::new()),
            Box::new(Kinds::new()),
            Box::new(RuleProbe),
        ]
    }
}

/// The host, if it is of a kind.
fn host<'i>(reference: &Reference<'i>, kind: HostKind) -> Option<&'i str> {
    let authority = reference.authority.filter(|authority| HostKind::from(authority.host_kind) == kind);
    authority.map(|authority| authority.host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_that_leaves_a_choice_has_its_rows() {
        let grammar = rfc3986::grammar();
        let parts = ProbeParts::new();
        let rows = Alternatives::of(&parts.choices).rows();
        for rule in grammar.rules() {
            let choices = RuleChoices::of(&grammar, &rule.name).unwrap();
            for choice in choices.all() {
                assert_eq!(
                    rows.iter().filter(|row| **row == choice.to_string()).count(),
                    1,
                    "{choice}"
                );
            }
        }
    }

    #[test]
    fn the_same_seed_reaches_the_same() {
        let (one, other) = (Reach::of(1, 500), Reach::of(1, 500));
        assert_eq!(one, other);
        assert_ne!(one.sections, Reach::of(2, 500).sections);
        assert_eq!(one.missed().count(), one.rows() - one.reached());
    }
}
