//! How many mutants a suite kills, and why others survive.

use std::collections::BTreeMap;

use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::draw::{Draw, Drawn};
use uriproof_grammar::standard::Standard;
use uriproof_grammar::{Alphabet, Dfa, Moore, State};

use super::mutant::{GrammarMutant, MutantBehaviour, Mutants};
use super::realistic::GrammarFault;
use super::{SuiteRates, Survivor};
use crate::mutants::Rate;

/// The seed of the suite whose bytes are drawn, among [`NamedSuite::built_in`].
const SEED: u64 = 3986;

/// A named suite, its strings in order, each once, so that a machine reads what neighbours have in common once.
#[derive(Clone, Debug)]
pub struct NamedSuite {
    name: String,
    text: Vec<u8>,
    /// Where each string ends in `text`.
    ends: Vec<usize>,
    /// How many bytes at its start each string shares with the one before.
    shared: Vec<usize>,
    longest: usize,
}

impl NamedSuite {
    /// A suite of these strings.
    pub fn new(name: impl Into<String>, strings: impl IntoIterator<Item = impl AsRef<[u8]>>) -> NamedSuite {
        let mut text = Vec::new();
        let mut spans = Vec::new();
        for string in strings {
            let start = text.len();
            text.extend_from_slice(string.as_ref());
            spans.push(start..text.len());
        }
        spans.sort_unstable_by(|left, right| text[left.clone()].cmp(&text[right.clone()]));
        spans.dedup_by(|left, right| text[left.clone()] == text[right.clone()]);
        let mut suite = NamedSuite {
            name: name.into(),
            text: Vec::with_capacity(text.len()),
            ends: Vec::with_capacity(spans.len()),
            shared: Vec::with_capacity(spans.len()),
            longest: spans.iter().map(ExactSizeIterator::len).max().unwrap_or(0),
        };
        let mut before: &[u8] = b"";
        for span in spans {
            let string = &text[span];
            suite.shared.push(before.iter().zip(string).take_while(|(one, other)| one == other).count());
            suite.text.extend_from_slice(string);
            suite.ends.push(suite.text.len());
            before = string;
        }
        suite
    }

    /// The suites of the grammar's machines: state cover, transition cover, HSI, the core suite, the standard suite, HSI over
    /// all bytes and with an extra state, and HSI of the machine that tells the components apart, its bytes drawn.
    pub fn built_in(reference: &Dfa, components: &Moore, standard: &Standard) -> Vec<NamedSuite> {
        let suites = Suites::new(reference.machine());
        let component_suites = Suites::new(components.machine());
        let classes = Alphabet::Representatives;
        let component_hsi = component_suites.suite(Method::Hsi(0), classes);
        vec![
            NamedSuite::new("state cover", suites.state_cover()),
            NamedSuite::new("transition cover", suites.suite(Method::TransitionCover, classes)),
            NamedSuite::new("HSI", suites.suite(Method::Hsi(0), classes)),
            NamedSuite::new("core", standard.strings().take(standard.core())),
            NamedSuite::new("standard", standard.strings()),
            NamedSuite::new("HSI, 256 bytes", suites.suite(Method::Hsi(0), Alphabet::Bytes)),
            NamedSuite::new("HSI, k = 1", suites.suite(Method::Hsi(1), classes)),
            NamedSuite::new(
                format!("component HSI, seed {SEED}"),
                Drawn::new(component_hsi, components.machine(), Draw::Ascii, SEED),
            ),
        ]
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many bytes the strings have together.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    fn string(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.string(number))
    }

    /// What a machine answers to each string, until `each` says to stop.
    fn run(&self, machine: &Dfa, mut each: impl FnMut(usize, bool) -> bool) {
        let mut states: Vec<State> = vec![machine.start(); self.longest + 1];
        for number in 0..self.len() {
            let string = self.string(number);
            for at in self.shared[number]..string.len() {
                states[at + 1] = machine.step(states[at], string[at]);
            }
            if each(number, machine.is_accepting(states[string.len()])) {
                return;
            }
        }
    }
}

/// What one suite kills, and what it does not.
#[derive(Clone, Debug)]
pub struct SuiteKills {
    /// What it kills.
    pub rates: SuiteRates,
    /// The mutants that it does not kill.
    pub survivors: Vec<Survivor>,
}

/// Runs every suite on every mutant of the sets, on two threads; a mutant that is killed gets no more strings.
pub fn kill_rates(sets: &[&Mutants], suites: &[NamedSuite]) -> Vec<SuiteKills> {
    suites.iter().map(|suite| row(sets, suite)).collect()
}

fn row(sets: &[&Mutants], suite: &NamedSuite) -> SuiteKills {
    let mut rates = SuiteRates {
        suite: suite.name.clone(),
        strings: suite.len(),
        bytes: suite.bytes(),
        operators: Rate::default(),
        realistic: Rate::default(),
        families: BTreeMap::new(),
    };
    let mut survivors = Vec::new();
    for set in sets {
        let asked = AnsweredSuite::new(suite, &set.reference);
        let every_other = |first: usize| -> Vec<(&GrammarMutant, Option<String>)> {
            let mutants = set.mutants.iter().skip(first).step_by(2);
            mutants.map(|mutant| (mutant, (!asked.kills(mutant)).then(|| asked.reason(mutant)))).collect()
        };
        let answers = std::thread::scope(|scope| {
            let odd = scope.spawn(|| every_other(1));
            let even = every_other(0);
            [
                even,
                odd.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            ]
        });
        let [even, odd] = answers.map(Vec::into_iter);
        let mut odd = odd.map(Some);
        for even in even {
            for (mutant, reason) in std::iter::once(even).chain(odd.next().flatten()) {
                let family = mutant.family.to_string();
                let of_kind = match mutant.family.is_operator() {
                    true => &mut rates.operators,
                    false => &mut rates.realistic,
                };
                for rate in [of_kind, rates.families.entry(family.clone()).or_default()] {
                    rate.total += 1;
                    rate.killed += usize::from(reason.is_none());
                }
                survivors.extend(reason.map(|reason| Survivor {
                    family,
                    name: mutant.name.clone(),
                    reason,
                }));
            }
        }
    }
    SuiteKills { rates, survivors }
}

/// A suite with the RFC's answers.
struct AnsweredSuite<'a> {
    suite: &'a NamedSuite,
    reference: &'a Dfa,
    accepts: Vec<bool>,
}

impl<'a> AnsweredSuite<'a> {
    fn new(suite: &'a NamedSuite, reference: &'a Dfa) -> AnsweredSuite<'a> {
        let mut accepts = Vec::with_capacity(suite.len());
        suite.run(reference, |_, accepted| {
            accepts.push(accepted);
            false
        });
        AnsweredSuite {
            suite,
            reference,
            accepts,
        }
    }

    fn kills(&self, mutant: &GrammarMutant) -> bool {
        match &mutant.behaviour {
            MutantBehaviour::Machine(machine) => {
                let mut killed = false;
                self.suite.run(machine, |number, accepted| {
                    killed = accepted != self.accepts[number];
                    killed
                });
                killed
            }
            MutantBehaviour::Rules { .. }
            | MutantBehaviour::Fault {
                fault: GrammarFault::Reads(_),
                ..
            } => self.suite.iter().zip(&self.accepts).any(|(string, &accepted)| mutant.accepts(string) != accepted),
            // These do no more than refuse.
            MutantBehaviour::Fault { fault, .. } => {
                let mut accepted = self.suite.iter().zip(&self.accepts).filter(|&(_, &accepts)| accepts);
                accepted.any(|(string, _)| fault.refuses(string))
            }
        }
    }

    fn reason(&self, mutant: &GrammarMutant) -> String {
        let witness = mutant.witness(self.reference);
        let shown = witness[..witness.len().min(60)].escape_ascii();
        let dots = if witness.len() > 60 { "..." } else { "" };
        match &mutant.behaviour {
            MutantBehaviour::Fault {
                fault: GrammarFault::Limit { what, most },
                ..
            } => {
                let accepted = self.suite.iter().zip(&self.accepts).filter(|&(_, &accepts)| accepts);
                let greatest = accepted.map(|(string, _)| what.of(string)).max().unwrap_or(0);
                format!("the limit is beyond what is asked: {what}, at most {most}; the most asked is {greatest}")
            }
            MutantBehaviour::Rules { .. } | MutantBehaviour::Fault { .. } => {
                format!("not asked: \"{shown}\"{dots}, of {} bytes", witness.len())
            }
            MutantBehaviour::Machine(machine) => {
                let (states, correct) = (machine.machine().states(), self.reference.machine().states());
                let more = match states.checked_sub(correct) {
                    Some(0) | None => "none beyond the RFC's".to_owned(),
                    Some(more) => format!("{more} beyond the RFC's"),
                };
                format!(
                    "no string of the suite goes where it differs, shortest \"{shown}\"{dots}, of {} bytes; {states} states, {more}",
                    witness.len()
                )
            }
        }
    }
}
