//! Mutants: faulty readings of RFC 3986's URI-reference, to count which of them a suite finds.
//!
//! Two sets. *Operator mutants* are the grammar with one small edit, wherever an operator fits: nobody chose them, so they
//! are the fairer measure; the characters that classes are given are a fixed sample. Choices that are taken in order, as by
//! a parser without a way back, are among them. *Realistic mutants* are what real parsers get wrong, in thirteen families:
//! chosen, and the standard suite was designed with such faults in mind.
//!
//! A mutant is *killed* by a suite if it answers one of its strings otherwise than the RFC. The sets hold no mutant that
//! accepts what the RFC accepts, and no two machines that accept the same; what was left out for that, or because its rules
//! stand for themselves, is in [`Mutants::skipped`].

use std::collections::HashMap;
use std::iter;
use std::sync::Arc;

use uriproof_grammar::abnf::{Element, Error, ErrorKind};
use uriproof_grammar::automaton::{Compiled, NfaReader};
use uriproof_grammar::difference::difference;
use uriproof_grammar::ordered::{Order, orders};
use uriproof_grammar::{Dfa, Grammar, Identity, rfc3986};

use super::family::MutantFamily;
use super::operators::edits;
use super::realistic::{self, GrammarFault};

/// The rule that is mutated.
const RULE: &str = "URI-reference";

/// One faulty reading.
#[derive(Clone, Debug)]
pub struct GrammarMutant {
    /// Its kind.
    pub family: MutantFamily,
    /// What it does otherwise, in one line, unlike that of every other mutant of the set.
    pub name: String,
    pub(super) behaviour: MutantBehaviour,
}

#[derive(Clone, Debug)]
pub(super) enum MutantBehaviour {
    Machine(Box<Dfa>),
    /// Rules of which no machine is made, for it would be too large; and a shortest string that shows what they are.
    Rules {
        reader: Box<NfaReader>,
        witness: Vec<u8>,
    },
    /// The RFC's machine and what is done beside it, where a machine alone would be too large or too hard to write; and a
    /// string that shows it.
    Fault {
        reference: Arc<Dfa>,
        fault: GrammarFault,
        witness: Vec<u8>,
    },
}

impl GrammarMutant {
    fn of_fault(draft: realistic::FaultDraft, reference: &Arc<Dfa>) -> GrammarMutant {
        GrammarMutant {
            family: draft.family,
            name: draft.name,
            behaviour: MutantBehaviour::Fault {
                reference: Arc::clone(reference),
                fault: draft.fault,
                witness: draft.witness,
            },
        }
    }

    /// Whether the mutant accepts the whole of `input`.
    pub fn accepts(&self, input: &[u8]) -> bool {
        match &self.behaviour {
            MutantBehaviour::Machine(machine) => machine.accepts(input),
            MutantBehaviour::Rules { reader, .. } => reader.accepts(input),
            MutantBehaviour::Fault { reference, fault, .. } => fault.accepts(reference, input),
        }
    }

    /// The mutant as a machine, if it is one.
    pub fn machine(&self) -> Option<&Dfa> {
        match &self.behaviour {
            MutantBehaviour::Machine(machine) => Some(machine),
            MutantBehaviour::Rules { .. } | MutantBehaviour::Fault { .. } => None,
        }
    }

    /// What the mutant does beside the RFC's machine, if that is how it is made.
    pub fn fault(&self) -> Option<&GrammarFault> {
        match &self.behaviour {
            MutantBehaviour::Machine(_) | MutantBehaviour::Rules { .. } => None,
            MutantBehaviour::Fault { fault, .. } => Some(fault),
        }
    }

    /// A string on which the mutant and the RFC, `reference`, differ: a shortest one, but for faults.
    pub fn witness(&self, reference: &Dfa) -> Vec<u8> {
        match &self.behaviour {
            // Sets hold no equivalent machines.
            MutantBehaviour::Machine(machine) => difference(reference, machine).unwrap_or_default(),
            MutantBehaviour::Rules { witness, .. } | MutantBehaviour::Fault { witness, .. } => witness.clone(),
        }
    }
}

/// What was not made a mutant, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The kind it would have been.
    pub family: MutantFamily,
    /// What it would have done.
    pub name: String,
    /// Why it is none.
    pub reason: SkipReason,
}

/// Why an edit is not a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It accepts what the RFC accepts.
    Equivalent,
    /// It accepts what this mutant accepts.
    Duplicate(String),
    /// The machine is too large to build, and no short string shows that it is another one.
    TooLarge,
    /// A rule would stand for itself.
    Recursion,
}

/// A set of mutants, none equivalent to the RFC.
#[derive(Clone, Debug)]
pub struct Mutants {
    /// The mutants.
    pub mutants: Vec<GrammarMutant>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    pub(super) reference: Arc<Dfa>,
}

impl Mutants {
    /// Every operator at every place of the rules that URI-reference refers to.
    ///
    /// # Errors
    ///
    /// None: the grammar compiles, and edits whose machines do not are skipped.
    pub fn operators() -> Result<Mutants, Error> {
        let compiled = Compiled::of(rfc3986::grammar(), RULE)?;
        let edits = edits(compiled.grammar(), RULE).into_iter();
        let edits = edits.map(|edit| MutantDraft {
            family: edit.family,
            name: edit.description(),
            make: MachineSource::Rules(vec![(edit.rule, edit.element)]),
        });
        let orders = orders(compiled.grammar(), RULE).into_iter();
        let orders = orders.map(|order| MutantDraft {
            family: MutantFamily::Order,
            name: order.description.clone(),
            make: MachineSource::Order(order),
        });
        // One edit may have several places in a rule, as ":" has in IPv6address.
        let mut places: HashMap<String, usize> = HashMap::new();
        let drafts = edits.chain(orders).map(|draft| {
            let place = places.entry(draft.name.clone()).or_default();
            *place += 1;
            match *place {
                1 => draft,
                place => MutantDraft {
                    name: format!("{}, place {place}", draft.name),
                    ..draft
                },
            }
        });
        Mutants::of(&compiled, drafts.collect(), Vec::new())
    }

    /// The realistic faults.
    ///
    /// # Errors
    ///
    /// None: the grammar and the edits compile; a test compiles them.
    pub fn realistic() -> Result<Mutants, Error> {
        let compiled = Compiled::of(rfc3986::grammar(), RULE)?;
        let drafts = realistic::overrides()?.into_iter().map(|(family, name, rules)| MutantDraft {
            family,
            name,
            make: MachineSource::Rules(rules),
        });
        Mutants::of(&compiled, drafts.collect(), realistic::faults())
    }

    /// The RFC's machine.
    pub fn reference(&self) -> &Dfa {
        &self.reference
    }

    fn of(compiled: &Compiled, drafts: Vec<MutantDraft>, faults: Vec<realistic::FaultDraft>) -> Result<Mutants, Error> {
        let reference = Arc::new(Dfa::compile(compiled.grammar(), RULE)?);
        let machines = machines(compiled, &drafts);
        let mut mutants: Vec<GrammarMutant> = Vec::new();
        let mut skipped = Vec::new();
        let mut known: HashMap<Identity, Vec<usize>> = HashMap::new();
        for (MutantDraft { family, name, make }, machine) in drafts.iter().zip(machines) {
            let mut skip = |reason| {
                skipped.push(Skipped {
                    family: *family,
                    name: name.clone(),
                    reason,
                });
            };
            let machine = match machine {
                Ok(machine) => machine,
                Err(Error {
                    problem: ErrorKind::TooLarge,
                    ..
                }) => {
                    match large(compiled, make, &reference)? {
                        Some(behaviour) => mutants.push(GrammarMutant {
                            family: *family,
                            name: name.clone(),
                            behaviour,
                        }),
                        None => skip(SkipReason::TooLarge),
                    }
                    continue;
                }
                Err(Error {
                    problem: ErrorKind::Recursion { .. },
                    ..
                }) => {
                    skip(SkipReason::Recursion);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let alike = known.entry(machine.identity()).or_default();
            if machine == *reference {
                skip(SkipReason::Equivalent);
            } else if let Some(&other) = alike.iter().find(|&&other| mutants[other].machine() == Some(&machine)) {
                skip(SkipReason::Duplicate(mutants[other].name.clone()));
            } else {
                alike.push(mutants.len());
                mutants.push(GrammarMutant {
                    family: *family,
                    name: name.clone(),
                    behaviour: MutantBehaviour::Machine(Box::new(machine)),
                });
            }
        }
        mutants.extend(faults.into_iter().map(|fault| GrammarMutant::of_fault(fault, &reference)));
        Ok(Mutants {
            mutants,
            skipped,
            reference,
        })
    }
}

/// The machines of drafts, in order, by two threads: one half for each, in turn, since neighbours cost alike.
fn machines(compiled: &Compiled, drafts: &[MutantDraft]) -> impl Iterator<Item = Result<Dfa, Error>> {
    let compile = |first: usize| -> Vec<Result<Dfa, Error>> {
        let drafts = drafts.iter().skip(first).step_by(2);
        drafts
            .map(|draft| match &draft.make {
                MachineSource::Rules(rules) => compiled.with_rules(rules, RULE),
                MachineSource::Order(order) => order.machine(RULE),
            })
            .collect()
    };
    let (even, odd) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| compile(1));
        (
            compile(0),
            odd.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    let mut odd = odd.into_iter();
    even.into_iter().flat_map(move |even| iter::once(even).chain(odd.next()))
}

/// Rules that are too large for a machine, if a string shows that they are not the RFC's.
fn large(compiled: &Compiled, make: &MachineSource, reference: &Dfa) -> Result<Option<MutantBehaviour>, Error> {
    let MachineSource::Rules(rules) = make else {
        return Ok(None);
    };
    let put = |grammar: Grammar, (name, element): &(String, Element)| grammar.with_rule(name, element.clone());
    let grammar = rules.iter().fold(compiled.grammar().clone(), put);
    let reader = Box::new(NfaReader::of(&grammar, RULE)?);
    let witness = reader.difference(reference);
    Ok(witness.map(|witness| MutantBehaviour::Rules { reader, witness }))
}

/// A mutant that is to be made.
struct MutantDraft {
    family: MutantFamily,
    name: String,
    make: MachineSource,
}

/// How its machine is made.
enum MachineSource {
    /// Of rules that stand in place of the RFC's.
    Rules(Vec<(String, Element)>),
    /// Of the RFC's rules, with choices taken in order.
    Order(Order),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_made_of_machines_are_those_made_of_the_text() {
        let compiled = Compiled::of(rfc3986::grammar(), RULE).unwrap();
        let mut compared = 0;
        for edit in edits(compiled.grammar(), RULE).into_iter().step_by(40) {
            let grammar = compiled.grammar().with_rule(&edit.rule, edit.element.clone());
            let quick = compiled.with_rules(&[(edit.rule.clone(), edit.element.clone())], RULE);
            let plain = Dfa::compile(&grammar, RULE);
            match (quick, plain) {
                (Ok(quick), Ok(plain)) => assert!(quick == plain, "{}", edit.description()),
                // Small machines put together stay within limits that the text as a whole may not.
                (Ok(_), Err(error)) => assert_eq!(error.problem, ErrorKind::TooLarge),
                (Err(error), plain) => assert_eq!(Some(error), plain.err()),
            }
            compared += 1;
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn edits_are_abnf_that_reads_back() {
        for edit in edits(&rfc3986::grammar(), RULE) {
            let text = format!("x = {}", edit.element);
            let read = Grammar::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read.rules()[0].element.to_string(), edit.element.to_string());
        }
    }
}
