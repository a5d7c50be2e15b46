//! Inputs that two subjects both accept and send elsewhere: what the one checks is not what the other fetches.

use std::collections::BTreeSet;

use rayon::prelude::*;
use uriproof::ask::ask;
use uriproof::model::{Component, Input, Operation, Reported, Rule, Subject};
use uriproof::run::{self, Sample};
use uriproof::vectors::Library;
use whatwg_url_reference::host::UrlHostSyntax;

use super::generate::Generator;
use super::hunt::mixed;
use crate::address::{MachineDifference, host_syntax, machine_difference};
use crate::divergence::ledger::Ledger;
use crate::pairwise::{Account, PLACE, report_the_same};

/// How many inputs are kept of a pair, a component and an operation.
pub const KEPT: usize = 3;

/// How many inputs are put at a time: the unit of work of a thread.
const BATCH: usize = 1024;

/// The longest inputs that are put, in bytes: of what differs only the shortest are kept.
const LONGEST: usize = 256;

/// The operations that tell where a request goes.
const OPERATIONS: [Operation; 2] = [Operation::Parse, Operation::Resolve];

/// What is put to the subjects.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    known: Vec<Input>,
    generated: usize,
    seed: u64,
}

impl Inputs {
    /// Every string, and every base with its reference, of the vectors and of the ledger, and as many generated inputs.
    pub fn new(ledger: &Ledger, generated: usize, seed: u64) -> Inputs {
        let library = Library::embedded();
        let vectors = library.vectors().map(|vector| &vector.input);
        let known: BTreeSet<Input> = vectors.chain(ledger.witnesses()).flat_map(places).collect();
        Inputs {
            known: known.into_iter().collect(),
            generated,
            seed,
        }
    }

    /// These alone.
    pub fn only(known: impl IntoIterator<Item = Input>) -> Inputs {
        Inputs {
            known: known.into_iter().collect(),
            ..Inputs::default()
        }
    }

    /// Those of the vectors and of the ledger that are kept, and no generated ones.
    pub fn known_that(ledger: &Ledger, is_kept: impl Fn(&Input) -> bool) -> Inputs {
        let mut inputs = Inputs::new(ledger, 0, 0);
        inputs.known.retain(is_kept);
        inputs
    }

    fn batches(&self) -> usize {
        self.known.len().div_ceil(BATCH) + self.generated.div_ceil(BATCH)
    }

    /// The inputs of a batch, and whether they are generated.
    fn batch(&self, number: usize) -> (Vec<Input>, bool) {
        let known = self.known.len().div_ceil(BATCH);
        if number < known {
            let end = self.known.len().min((number + 1) * BATCH);
            return (self.known[number * BATCH..end].to_vec(), false);
        }
        let number = number - known;
        let mut generator = Generator::of(mixed(self.seed, number as u64), &OPERATIONS);
        let count = BATCH.min(self.generated - number * BATCH);
        ((0..count).map(|_| same_for_all(generator.next_input())).collect(), true)
    }
}

/// What came of all inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// What came of the inputs, by subject.
    pub counts: Vec<PairCounts>,
    subjects: usize,
    /// By pair, component and operation, the shortest inputs.
    slots: Vec<Vec<Witness>>,
}

/// How many inputs a subject was compared on with those that accept them too, and how many it was not, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts {
    /// It accepts them, and tells a place.
    pub compared: usize,
    /// It refuses them, or fails.
    pub refused: usize,
    /// It has no such operation, takes no such input, or tells nothing of a place.
    pub not_its_own: usize,
    /// They are beyond its budget.
    pub beyond_budget: usize,
}

impl PairCounts {
    fn note(&mut self, answer: &PairAnswer<'_>) {
        *match answer {
            PairAnswer::Accepted(_) => &mut self.compared,
            PairAnswer::Refused => &mut self.refused,
            PairAnswer::NotItsOwn => &mut self.not_its_own,
            PairAnswer::BeyondBudget => &mut self.beyond_budget,
        } += 1;
    }

    /// Adds those of another share of the inputs, or of another subject.
    pub fn add(&mut self, other: PairCounts) {
        self.compared += other.compared;
        self.refused += other.refused;
        self.not_its_own += other.not_its_own;
        self.beyond_budget += other.beyond_budget;
    }
}

/// What came of an input for a subject.
enum PairAnswer<'a> {
    Accepted(Account<'a>),
    Refused,
    NotItsOwn,
    BeyondBudget,
}

/// An input that two subjects both accept, with what each tells of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The input, before it was narrowed to the rule that a subject takes.
    pub input: Input,
    /// What the first of the pair tells.
    pub left: Reported<String>,
    /// What the second tells.
    pub right: Reported<String>,
    /// How the URL Standard parses a host of the scheme that each of the two tells.
    pub syntaxes: [UrlHostSyntax; 2],
    /// In what the machines differ that the two hosts stand for; nothing where one of the two reports no host.
    pub machines: MachineDifference,
}

impl Witness {
    fn new(
        input: &Input,
        [left, right]: [Reported<&str>; 2],
        syntaxes: [UrlHostSyntax; 2],
        machines: MachineDifference,
    ) -> Witness {
        let owned = |reported: Reported<&str>| match reported {
            Reported::Nothing => Reported::Nothing,
            reported => reported.defined().into(),
        };
        Witness {
            input: input.clone(),
            left: owned(left),
            right: owned(right),
            syntaxes,
            machines,
        }
    }

    /// Returns what witnesses are ordered by.
    pub fn rank(&self) -> Rank<'_> {
        (self.machines, self.is_one_sided(), self.input.size(), &self.input)
    }

    /// Whether only one of the two reports a value.
    pub fn is_one_sided(&self) -> bool {
        is_one_sided(&self.left, &self.right)
    }
}

/// The order of witnesses: those with other machines first, then those where both report a value, then by length and text.
pub type Rank<'a> = (MachineDifference, bool, usize, &'a Input);

/// In what two subjects differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferingSubjects<'a> {
    /// The place of the first among the subjects.
    pub left: usize,
    /// The place of the second, which is greater.
    pub right: usize,
    /// What they tell otherwise.
    pub component: Component,
    /// Where they do: parsing or resolving.
    pub operation: Operation,
    /// The first inputs that show it, by [`Witness::rank`]; at least one, at most [`KEPT`].
    pub witnesses: &'a [Witness],
}

impl Pairs {
    /// Everything in which two subjects differ, in the order of the subjects.
    pub fn differing(&self) -> impl Iterator<Item = DifferingSubjects<'_>> {
        let pairs = (0..self.subjects).flat_map(|left| (left + 1..self.subjects).map(move |right| (left, right)));
        let places = pairs.flat_map(|pair| {
            PLACE.into_iter().flat_map(move |component| OPERATIONS.map(move |operation| (pair, component, operation)))
        });
        let slots = places.zip(&self.slots).filter(|(_, witnesses)| !witnesses.is_empty());
        slots.map(|(((left, right), component, operation), witnesses)| DifferingSubjects {
            left,
            right,
            component,
            operation,
            witnesses,
        })
    }

    fn none(subjects: usize) -> Pairs {
        let pairs = subjects * subjects.saturating_sub(1) / 2;
        Pairs {
            counts: vec![PairCounts::default(); subjects],
            subjects,
            slots: vec![Vec::new(); pairs * PLACE.len() * OPERATIONS.len()],
        }
    }

    /// Notes in what the accounts of an input differ.
    fn note(&mut self, input: &Input, answers: &[PairAnswer<'_>]) {
        for (counts, answer) in self.counts.iter_mut().zip(answers) {
            counts.note(answer);
        }
        let operation = usize::from(input.operation() != OPERATIONS[0]);
        let mut pair = 0;
        for (at, left) in answers.iter().enumerate() {
            for right in &answers[at + 1..] {
                if let (PairAnswer::Accepted(left), PairAnswer::Accepted(right)) = (left, right) {
                    for (place, component) in PLACE.into_iter().enumerate() {
                        let slot = &mut self.slots[(pair * PLACE.len() + place) * OPERATIONS.len() + operation];
                        let (one, other) = (left.text(component), right.text(component));
                        if one == other || report_the_same(component, left, right) {
                            continue;
                        }
                        let syntaxes = [left, right]
                            .map(|account| host_syntax(account.text(Component::Scheme).as_defined().copied()));
                        let is_one_sided = is_one_sided(&one, &other);
                        let machines = match component {
                            Component::Host if !is_one_sided => {
                                let [one, other] =
                                    [left.host(), right.host()].map(|host| host.defined().unwrap_or_default());
                                machine_difference((&one, syntaxes[0]), (&other, syntaxes[1]))
                            }
                            _ => MachineDifference::None,
                        };
                        let rank = (machines, is_one_sided, input.size(), input);
                        if goes_before(rank, slot) {
                            offer(slot, Witness::new(input, [one, other], syntaxes, machines));
                        }
                    }
                }
                pair += 1;
            }
        }
    }

    fn merged(mut self, other: Pairs) -> Pairs {
        for (counts, others) in self.counts.iter_mut().zip(other.counts) {
            counts.add(others);
        }
        for (slot, witnesses) in self.slots.iter_mut().zip(other.slots) {
            for witness in witnesses {
                offer(slot, witness);
            }
        }
        self
    }
}

/// Puts the inputs to the subjects, and keeps for each pair and component the shortest inputs that both accept and of
/// which they tell another value. The same subjects and inputs give the same.
///
/// A subject with a budget gets a share of the generated inputs.
pub fn pairs(subjects: &[&dyn Subject], inputs: &Inputs) -> Pairs {
    let samples: Vec<Sample> = subjects.iter().map(|subject| Sample::of_endless(*subject)).collect();
    (0..inputs.batches())
        .into_par_iter()
        .fold(
            || Pairs::none(subjects.len()),
            |mut pairs, number| {
                let (batch, is_generated) = inputs.batch(number);
                for (at, input) in batch.iter().enumerate().filter(|(_, input)| input.size() <= LONGEST) {
                    let answers: Vec<PairAnswer<'_>> = subjects
                        .iter()
                        .zip(&samples)
                        .map(|(subject, sample)| match !is_generated || sample.takes(at as u128) {
                            true => answer(*subject, input),
                            false => PairAnswer::BeyondBudget,
                        })
                        .collect();
                    pairs.note(input, &answers);
                }
                pairs
            },
        )
        .reduce(|| Pairs::none(subjects.len()), Pairs::merged)
}

/// What a subject tells of an input that it accepts, narrowed to the rule that it takes.
fn answer<'a>(subject: &'a dyn Subject, input: &Input) -> PairAnswer<'a> {
    let declaration = subject.declaration();
    let tells_place = PLACE.into_iter().any(|component| declaration.fidelity(component).is_some());
    if input.operation() == Operation::Parse && !tells_place {
        return PairAnswer::NotItsOwn;
    }
    let Some(input) = run::given(declaration, input) else {
        return PairAnswer::NotItsOwn;
    };
    match Account::of(declaration, ask(subject, &input)) {
        Some(account) => PairAnswer::Accepted(account),
        None => PairAnswer::Refused,
    }
}

/// Whether only one of the two reports a value: a program without a value may refuse; one with a wrong value is led astray.
fn is_one_sided<T: AsRef<str>>(one: &Reported<T>, other: &Reported<T>) -> bool {
    [one, other].into_iter().any(|reported| reported.as_defined().is_none_or(|text| text.as_ref().is_empty()))
}

/// Whether a witness of this rank is one of the first, beside those of a slot.
fn goes_before(rank: Rank<'_>, slot: &[Witness]) -> bool {
    slot.len() < KEPT || slot.last().is_some_and(|last| rank < last.rank())
}

fn offer(slot: &mut Vec<Witness>, witness: Witness) {
    if let Err(place) = slot.binary_search_by(|known| known.rank().cmp(&witness.rank())) {
        slot.insert(place, witness);
        slot.truncate(KEPT);
    }
}

/// Parsed as a URI-reference and resolved strictly, so that every subject gets the same input.
fn same_for_all(input: Input) -> Input {
    match input {
        Input::Parse { input, .. } => parse(&input),
        Input::Resolve { base, reference, .. } => resolve(&base, &reference),
        other => other,
    }
}

fn parse(text: &str) -> Input {
    Input::Parse {
        rule: Rule::UriReference,
        input: text.to_owned(),
    }
}

fn resolve(base: &str, reference: &str) -> Input {
    Input::Resolve {
        base: base.to_owned(),
        reference: reference.to_owned(),
        strict: true,
    }
}

/// The strings of an input, and a base with its reference.
fn places(input: &Input) -> Vec<Input> {
    match input {
        Input::Parse { input, .. } => vec![parse(input)],
        Input::Resolve { base, reference, .. } => vec![parse(base), parse(reference), resolve(base, reference)],
        Input::Relativize { base, target } => vec![parse(base), parse(target), resolve(base, target)],
        Input::Normalize { uri, .. } | Input::RoundTrip { uri } | Input::Modify { uri, .. } => vec![parse(uri)],
        Input::Compose { components } => vec![parse(&components.recompose())],
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![parse(left), parse(right)],
    }
}
