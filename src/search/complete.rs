//! Strings made from the grammar's machines, put to a subject: complete suites, and every string up to a length.
//!
//! What conforms is what the reference expects; that the reference accepts what the machine accepts is a test of
//! `grammar/`.

use std::collections::BTreeMap;

use rayon::prelude::*;
use uriproof_grammar::complete::{Certificate, Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, Machine, Moore, State, rfc3986};

use crate::compare::{Difference, Verdict, own_rule};
use crate::model::{Input, Outcome, Reading, Rule, Subject};
use crate::run;

/// How many strings one thread takes at a time.
const BATCH: usize = 4096;

/// The machines of RFC 3986 that subjects are measured by.
pub struct Machines {
    rules: BTreeMap<Rule, Dfa>,
    components: Moore,
}

impl Machines {
    /// Compiles Appendix A.
    ///
    /// # Errors
    ///
    /// None: a test of `grammar/` compiles it too.
    pub fn of_rfc3986() -> Result<Machines, uriproof_grammar::abnf::Error> {
        let grammar = rfc3986::grammar();
        let compile = |&rule: &Rule| Dfa::compile(&grammar, rule.name()).map(|machine| (rule, machine));
        Ok(Machines {
            rules: Rule::ALL.iter().map(compile).collect::<Result<_, _>>()?,
            components: rfc3986::component_machine()?,
        })
    }

    /// The machine that accepts what matches `rule`.
    pub fn of(&self, rule: Rule) -> &Dfa {
        &self.rules[&rule]
    }

    /// The machine that tells which components a URI-reference has.
    pub fn components(&self) -> &Moore {
        &self.components
    }
}

/// What came of putting strings to a subject.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Of strings that match the subject's own rule.
    pub valid: Tally,
    /// Of strings that do not. Scored apart: a parser that rejects everything would pass most of a suite.
    pub invalid: Tally,
    /// Strings that are no UTF-8, which no subject here can be given.
    pub not_utf8: u64,
    /// The divergences, by the machine's state after the string and the kind of difference, each with its shortest
    /// string and how many there are.
    pub clusters: BTreeMap<(State, Difference), Cluster>,
}

/// How many strings were asked, and how the answers count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// As the reference: accepted with the same components as far as they are told, or rejected.
    pub agree: u64,
    /// Otherwise.
    pub diverge: u64,
    /// Not comparable.
    pub not_compared: u64,
}

impl Tally {
    /// How many strings were asked.
    pub fn asked(self) -> u64 {
        self.agree + self.diverge + self.not_compared
    }

    fn add(&mut self, other: Tally) {
        self.agree += other.agree;
        self.diverge += other.diverge;
        self.not_compared += other.not_compared;
    }
}

/// Divergences that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// How many strings show it.
    pub count: u64,
    /// The shortest of them, the first in order of those.
    pub witness: String,
    /// What the subject made of it.
    pub observed: Outcome,
}

impl Score {
    /// Whether every string was compared and agreed.
    pub fn is_clean(&self) -> bool {
        self.valid.diverge == 0 && self.invalid.diverge == 0 && self.not_compared() == 0
    }

    /// How many strings diverge.
    pub fn diverge(&self) -> u64 {
        self.valid.diverge + self.invalid.diverge
    }

    /// How many strings were not compared, those that are no UTF-8 not counted.
    pub fn not_compared(&self) -> u64 {
        self.valid.not_compared + self.invalid.not_compared
    }

    /// What a suite proves of the subject that it was put to: nothing, unless everything was compared and agreed.
    pub fn certificates(&self, choice: Choice, machines: &Machines, rule: Rule) -> Vec<String> {
        if !self.is_clean() {
            return Vec::new();
        }
        let limit = if self.not_utf8 > 0 {
            "; strings that are no UTF-8 were not asked"
        } else {
            ""
        };
        let certificates = choice.certificates(machines, rule);
        certificates.iter().map(|certificate| format!("{certificate}{limit}")).collect()
    }

    fn take(&mut self, machine: &Dfa, text: &str, result: &run::Result) {
        let state = machine.machine().run(text.as_bytes());
        let tally = if machine.is_accepting(state) {
            &mut self.valid
        } else {
            &mut self.invalid
        };
        match &result.verdict {
            Verdict::Agree { .. } => tally.agree += 1,
            Verdict::NotComparable { .. } => tally.not_compared += 1,
            Verdict::Diverge(difference) => {
                tally.diverge += 1;
                let cluster = Cluster {
                    count: 1,
                    witness: text.to_owned(),
                    observed: result.observed.clone(),
                };
                self.cluster((state, difference.clone()), cluster);
            }
        }
    }

    fn cluster(&mut self, key: (State, Difference), cluster: Cluster) {
        match self.clusters.get_mut(&key) {
            Some(known) => {
                let count = known.count + cluster.count;
                let order = |cluster: &Cluster| (cluster.witness.len(), cluster.witness.clone());
                if order(&cluster) < order(known) {
                    *known = cluster;
                }
                known.count = count;
            }
            None => {
                self.clusters.insert(key, cluster);
            }
        }
    }

    fn merge(mut self, other: Score) -> Score {
        self.valid.add(other.valid);
        self.invalid.add(other.invalid);
        self.not_utf8 += other.not_utf8;
        for (key, cluster) in other.clusters {
            self.cluster(key, cluster);
        }
        self
    }
}

/// A suite made from the machine of a subject's own rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// HSI without extra states over one byte of each class, and the transition cover of the component machine.
    Core,
    /// HSI with extra states over an alphabet.
    Hsi(usize, Alphabet),
}

impl Choice {
    /// What a subject is proved to be that passes.
    pub fn certificates(self, machines: &Machines, rule: Rule) -> Vec<Certificate> {
        let of = |machine: &Machine, method, alphabet| Certificate {
            machine: machine.identity(),
            method,
            alphabet,
        };
        let acceptor = machines.of(rule).machine();
        match self {
            Choice::Core => vec![
                of(acceptor, Method::Hsi(0), Alphabet::Representatives),
                of(
                    machines.components().machine(),
                    Method::TransitionCover,
                    Alphabet::Representatives,
                ),
            ],
            Choice::Hsi(extra, alphabet) => vec![of(acceptor, Method::Hsi(extra), alphabet)],
        }
    }
}

/// Puts a suite to a subject, on all cores; `progress` is told of every batch how many strings it had.
pub fn complete(machines: &Machines, choice: Choice, subject: &dyn Subject, progress: impl Fn(u64) + Sync) -> Score {
    let machine = machines.of(own_rule(subject.declaration()));
    let acceptor = Suites::new(machine.machine());
    match choice {
        Choice::Hsi(extra, alphabet) => put(
            machine,
            subject,
            acceptor.suite(Method::Hsi(extra), alphabet),
            &progress,
        ),
        Choice::Core => {
            let components = Suites::new(machines.components().machine());
            let strings = acceptor
                .suite(Method::Hsi(0), Alphabet::Representatives)
                .chain(components.suite(Method::TransitionCover, Alphabet::Representatives));
            put(machine, subject, strings, &progress)
        }
    }
}

/// Puts every string over one byte of each class of the subject's own rule, up to a length, to a subject, on all cores.
///
/// The strings that the machine accepts are counted by length beside it: equal numbers are a certificate by counting.
pub fn sweep(machine: &Dfa, longest: usize, subject: &dyn Subject, progress: impl Fn(u64) + Sync) -> Score {
    put(
        machine,
        subject,
        Strings::up_to(longest, machine.machine().representatives()),
        &progress,
    )
}

fn put(
    machine: &Dfa,
    subject: &dyn Subject,
    strings: impl Iterator<Item = Vec<u8>> + Send,
    progress: &(impl Fn(u64) + Sync),
) -> Score {
    Batches(strings)
        .par_bridge()
        .map(|batch| {
            let mut score = Score::default();
            for bytes in &batch {
                match str::from_utf8(bytes) {
                    Ok(text) => {
                        let input = Input::Parse {
                            rule: own_rule(subject.declaration()),
                            input: text.to_owned(),
                        };
                        let result = run::one(subject, &input, Reading::Rfc3986);
                        score.take(machine, text, &result);
                    }
                    Err(_) => score.not_utf8 += 1,
                }
            }
            progress(batch.len() as u64);
            score
        })
        .reduce(Score::default, Score::merge)
}

/// Strings in batches, for threads to take.
struct Batches<I>(I);

impl<I: Iterator<Item = Vec<u8>>> Iterator for Batches<I> {
    type Item = Vec<Vec<u8>>;

    fn next(&mut self) -> Option<Vec<Vec<u8>>> {
        let batch: Vec<_> = self.0.by_ref().take(BATCH).collect();
        (!batch.is_empty()).then_some(batch)
    }
}

/// Every string over an alphabet up to a length, the shorter ones first.
struct Strings<'a> {
    alphabet: &'a [u8],
    longest: usize,
    /// The next string, as places in the alphabet; none at the end.
    next: Option<Vec<usize>>,
}

impl Strings<'_> {
    fn up_to(longest: usize, alphabet: &[u8]) -> Strings<'_> {
        Strings {
            alphabet,
            longest,
            next: Some(Vec::new()),
        }
    }
}

impl Iterator for Strings<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut places = self.next.take()?;
        let string = places.iter().map(|&place| self.alphabet[place]).collect();
        // Count up; past the last string of this length come those that are longer by one.
        let turning = places.iter().rev().take_while(|&&place| place + 1 == self.alphabet.len()).count();
        let kept = places.len() - turning;
        places[kept..].fill(0);
        match kept.checked_sub(1) {
            Some(last) => {
                places[last] += 1;
                self.next = Some(places);
            }
            None if places.len() < self.longest => {
                places.push(0);
                self.next = Some(places);
            }
            None => {}
        }
        Some(string)
    }
}
