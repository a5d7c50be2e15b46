//! Mutants: faulty readings of RFC 3986's URI-reference, to count which of them a suite finds.
//!
//! Two sets. *Operator mutants* are the grammar with one small edit, wherever an operator fits: nobody chose them, so they
//! are the fairer measure; the characters that classes are given are a fixed sample. Choices that are taken in order, as by
//! a parser without a way back, are among them. *Realistic mutants* are what real parsers get wrong, in twelve families:
//! chosen, and the standard suite was designed with such faults in mind.
//!
//! A mutant is *killed* by a suite if it answers one of its strings otherwise than the RFC. The sets hold no mutant that
//! accepts what the RFC accepts, and no two machines that accept the same; what was left out for that, or because its rules
//! stand for themselves, is in [`Mutants::skipped`].

mod kill;
mod operators;
mod ordered;
mod realistic;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

pub use kill::{KillRates, Row, Strings, Survivor, Tally, kill_rates};
pub use realistic::Fault;

use crate::abnf::{Element, Error, Grammar, Problem};
use crate::automaton::{Compiled, Dfa, Reader};
use crate::difference::difference;
use crate::machine::Identity;
use crate::rfc3986;

/// The rule that is mutated.
const RULE: &str = "URI-reference";

/// The kinds of mutants: the operators of edits, and the families of realistic faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Operator: an element of a concatenation is missing.
    Drop,
    /// Operator: an element of a concatenation stands there twice.
    Double,
    /// Operator: two neighbours of a concatenation change places.
    Swap,
    /// Operator: an alternative is missing.
    DropAlternative,
    /// Operator: a least or greatest number of times is one off.
    Bound,
    /// Operator: a class has a character more or less.
    Character,
    /// Operator: a reference to another rule of the kind.
    Reference,
    /// Operator: choices that are taken in order, as in a parsing expression grammar (PEG), with no way back.
    Order,
    /// Characters that are let through or refused in one component or everywhere.
    Characters,
    /// Triplets: `%` alone, half a triplet, values that are refused.
    PercentEncoding,
    /// The scheme's own characters, and what follows it.
    Scheme,
    /// Where the authority is, and its userinfo.
    Authority,
    /// Registered names and IPv4 addresses.
    Host,
    /// IPv6 addresses and IPvFuture: shapes, groups, tails, zones.
    IpLiteral,
    /// Ports: numbers, signs, empty ones.
    Port,
    /// The five rules of the path, and the segments.
    Path,
    /// Query and fragment.
    QueryFragment,
    /// Which of the forms of a URI-reference there are.
    Forms,
    /// Limits of length and number: up to 65,535 bytes, and up to 2^64 - 2 for the port's value.
    Limit,
    /// What is trimmed, cut off, folded or taken out before the string is read.
    Whitespace,
}

impl Family {
    /// All operators.
    pub const OPERATORS: &[Family] = &[
        Family::Drop,
        Family::Double,
        Family::Swap,
        Family::DropAlternative,
        Family::Bound,
        Family::Character,
        Family::Reference,
        Family::Order,
    ];

    /// The twelve families of realistic faults.
    pub const REALISTIC: &[Family] = &[
        Family::Characters,
        Family::PercentEncoding,
        Family::Scheme,
        Family::Authority,
        Family::Host,
        Family::IpLiteral,
        Family::Port,
        Family::Path,
        Family::QueryFragment,
        Family::Forms,
        Family::Limit,
        Family::Whitespace,
    ];

    /// Whether it is an operator of edits.
    pub fn is_operator(self) -> bool {
        Family::OPERATORS.contains(&self)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Family::Drop => "drop an element",
            Family::Double => "double an element",
            Family::Swap => "swap two elements",
            Family::DropAlternative => "drop an alternative",
            Family::Bound => "bound one off",
            Family::Character => "character more or less",
            Family::Reference => "reference to another rule",
            Family::Order => "order taken as PEG order",
            Family::Characters => "characters",
            Family::PercentEncoding => "percent-encoding",
            Family::Scheme => "scheme",
            Family::Authority => "authority and userinfo",
            Family::Host => "host and IPv4",
            Family::IpLiteral => "IP literals",
            Family::Port => "port",
            Family::Path => "path",
            Family::QueryFragment => "query and fragment",
            Family::Forms => "forms of reference",
            Family::Limit => "limits",
            Family::Whitespace => "reading",
        })
    }
}

/// One faulty reading.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Its kind.
    pub family: Family,
    /// What it does otherwise, in one line, unlike that of every other mutant of the set.
    pub name: String,
    behaviour: Behaviour,
}

#[derive(Clone, Debug)]
enum Behaviour {
    Machine(Box<Dfa>),
    /// Rules of which no machine is made, for it would be too large; and a shortest string that shows what they are.
    Rules {
        reader: Box<Reader>,
        witness: Vec<u8>,
    },
    /// The RFC's machine and what is done beside it, where a machine alone would be too large or too hard to write; and a
    /// string that shows it.
    Fault {
        reference: Arc<Dfa>,
        fault: Fault,
        witness: Vec<u8>,
    },
}

impl Mutant {
    /// Whether the mutant accepts the whole of `input`.
    pub fn accepts(&self, input: &[u8]) -> bool {
        match &self.behaviour {
            Behaviour::Machine(machine) => machine.accepts(input),
            Behaviour::Rules { reader, .. } => reader.accepts(input),
            Behaviour::Fault { reference, fault, .. } => fault.accepts(reference, input),
        }
    }

    /// The mutant as a machine, if it is one.
    pub fn machine(&self) -> Option<&Dfa> {
        match &self.behaviour {
            Behaviour::Machine(machine) => Some(machine),
            Behaviour::Rules { .. } | Behaviour::Fault { .. } => None,
        }
    }

    /// What the mutant does beside the RFC's machine, if that is how it is made.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.behaviour {
            Behaviour::Machine(_) | Behaviour::Rules { .. } => None,
            Behaviour::Fault { fault, .. } => Some(fault),
        }
    }

    /// A string on which the mutant and the RFC, `reference`, differ: a shortest one, but for faults.
    pub fn witness(&self, reference: &Dfa) -> Vec<u8> {
        match &self.behaviour {
            // Sets hold no equivalent machines.
            Behaviour::Machine(machine) => difference(reference, machine).unwrap_or_default(),
            Behaviour::Rules { witness, .. } | Behaviour::Fault { witness, .. } => witness.clone(),
        }
    }
}

/// What was not made a mutant, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The kind it would have been.
    pub family: Family,
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
    pub mutants: Vec<Mutant>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
    reference: Arc<Dfa>,
}

impl Mutants {
    /// Every operator at every place of the rules that URI-reference refers to.
    ///
    /// # Errors
    ///
    /// None: the grammar compiles, and edits whose machines do not are skipped.
    pub fn operators() -> Result<Mutants, Error> {
        let compiled = Compiled::of(rfc3986::grammar(), RULE)?;
        let edits = operators::edits(compiled.grammar(), RULE).into_iter();
        let edits = edits.map(|edit| Draft {
            family: edit.family,
            name: edit.description(),
            make: Make::Rules(vec![(edit.rule, edit.element)]),
        });
        let orders = ordered::orders(compiled.grammar(), RULE).into_iter();
        let orders = orders.map(|order| Draft {
            family: Family::Order,
            name: order.description.clone(),
            make: Make::Order(order),
        });
        // One edit may have several places in a rule, as ":" has in IPv6address.
        let mut places: HashMap<String, usize> = HashMap::new();
        let drafts = edits.chain(orders).map(|draft| {
            let place = places.entry(draft.name.clone()).or_default();
            *place += 1;
            match *place {
                1 => draft,
                place => Draft {
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
        Mutants::of(&compiled, realistic::overrides()?, realistic::faults())
    }

    /// The RFC's machine.
    pub fn reference(&self) -> &Dfa {
        &self.reference
    }

    fn of(compiled: &Compiled, drafts: Vec<Draft>, faults: Vec<realistic::Draft>) -> Result<Mutants, Error> {
        let reference = Dfa::compile(compiled.grammar(), RULE)?;
        let reference = Arc::new(reference);
        // One half of the drafts for each of two threads, in turn, since neighbours cost alike.
        let compile = |first: usize| -> Vec<Result<Dfa, Error>> {
            let drafts = drafts.iter().skip(first).step_by(2);
            drafts
                .map(|draft| match &draft.make {
                    Make::Rules(rules) => compiled.with_rules(rules, RULE),
                    Make::Order(order) => order.machine(RULE),
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
        let (mut even, mut odd) = (even.into_iter(), odd.into_iter());

        let mut mutants: Vec<Mutant> = Vec::new();
        let mut skipped = Vec::new();
        let mut known: HashMap<Identity, Vec<usize>> = HashMap::new();
        for (at, Draft { family, name, make }) in drafts.iter().enumerate() {
            let Some(machine) = (if at % 2 == 0 { even.next() } else { odd.next() }) else {
                break;
            };
            let mut skip = |reason| {
                let name = name.clone();
                skipped.push(Skipped {
                    family: *family,
                    name,
                    reason,
                });
            };
            let machine = match machine {
                Ok(machine) => machine,
                Err(Error {
                    problem: Problem::TooLarge,
                    ..
                }) => {
                    match large(compiled, make, &reference)? {
                        Some(behaviour) => mutants.push(Mutant {
                            family: *family,
                            name: name.clone(),
                            behaviour,
                        }),
                        None => skip(SkipReason::TooLarge),
                    }
                    continue;
                }
                Err(Error {
                    problem: Problem::Recursion { .. },
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
                mutants.push(Mutant {
                    family: *family,
                    name: name.clone(),
                    behaviour: Behaviour::Machine(Box::new(machine)),
                });
            }
        }
        mutants.extend(faults.into_iter().map(|draft| Mutant {
            family: draft.family,
            name: draft.name,
            behaviour: Behaviour::Fault {
                reference: Arc::clone(&reference),
                fault: draft.fault,
                witness: draft.witness,
            },
        }));
        Ok(Mutants {
            mutants,
            skipped,
            reference,
        })
    }
}

/// Rules that are too large for a machine, if a string shows that they are not the RFC's.
fn large(compiled: &Compiled, make: &Make, reference: &Dfa) -> Result<Option<Behaviour>, Error> {
    let Make::Rules(rules) = make else { return Ok(None) };
    let put = |grammar: Grammar, (name, element): &(String, Element)| grammar.with_rule(name, element.clone());
    let grammar = rules.iter().fold(compiled.grammar().clone(), put);
    let reader = Box::new(Reader::of(&grammar, RULE)?);
    let witness = reader.difference(reference);
    Ok(witness.map(|witness| Behaviour::Rules { reader, witness }))
}

/// A mutant that is to be made.
struct Draft {
    family: Family,
    name: String,
    make: Make,
}

/// How its machine is made.
enum Make {
    /// Of rules that stand in place of the RFC's.
    Rules(Vec<(String, Element)>),
    /// Of the RFC's rules, with choices taken in order.
    Order(ordered::Order),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_made_of_machines_are_those_made_of_the_text() {
        let compiled = Compiled::of(rfc3986::grammar(), RULE).unwrap();
        let mut compared = 0;
        for edit in operators::edits(compiled.grammar(), RULE).into_iter().step_by(40) {
            let grammar = compiled.grammar().with_rule(&edit.rule, edit.element.clone());
            let quick = compiled.with_rules(&[(edit.rule.clone(), edit.element.clone())], RULE);
            let plain = Dfa::compile(&grammar, RULE);
            match (quick, plain) {
                (Ok(quick), Ok(plain)) => assert!(quick == plain, "{}", edit.description()),
                // Small machines put together stay within limits that the text as a whole may not.
                (Ok(_), Err(error)) => assert_eq!(error.problem, Problem::TooLarge),
                (Err(error), plain) => assert_eq!(Some(error), plain.err()),
            }
            compared += 1;
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn edits_are_abnf_that_reads_back() {
        for edit in operators::edits(&rfc3986::grammar(), RULE) {
            let text = format!("x = {}", edit.element);
            let read = crate::Grammar::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(read.rules()[0].element.to_string(), edit.element.to_string());
        }
    }
}
