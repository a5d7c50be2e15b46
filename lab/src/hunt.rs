//! The seeded random search: generated inputs put to subjects, every way of differing made small.

pub mod commands;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use fastrand::Rng;
use rfc3986_reference::components::ReferenceRule;
use serde::{Deserialize, Serialize};
use uriproof::gate::Claim;
use uriproof::model::{Input, Reading, Rule, Subject};
use uriproof::repeat::{Put, Unrepeated, examine};
use uriproof::run::{self, Counts, Result, Sample};

use super::dictionary::Dictionary;
use super::generate::{Generator, RuleStrings};
use crate::divergence::fingerprint::{Class, Fingerprint, Mark, classes_of};
use crate::predict::{Prediction, Predictors};

/// How many inputs a batch has at most: the unit in which a hunt goes on, stops and is repeated. Rules that are not for URI-references
/// [add theirs](Hunt::size).
pub const BATCH: usize = 4096;

/// How many inputs the first batch has. Most bugs show within a few hundred inputs, and what differs is made small, and can be seen,
/// only when its batch is done.
const FIRST_BATCH: usize = 256;

/// How many inputs for URI-references a batch has: twice as many as the one before, up to [`BATCH`].
pub fn inputs_of_batch(number: u64) -> usize {
    let doubled = u32::try_from(number).ok().and_then(|number| FIRST_BATCH.checked_mul(1_usize.checked_shl(number)?));
    doubled.unwrap_or(BATCH).min(BATCH)
}

/// How many more inputs a batch has for each of these rules.
const OF_A_RULE: usize = 32;

/// How many inputs with the same mark of the same subject are made small, besides the smallest of the batch.
const DRAWN: usize = 2;

/// What came of a batch. The same subjects, seed and number give the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// How many inputs were put to subjects.
    pub inputs: u64,
    /// How many answers there were.
    pub answers: u64,
    /// How many of them could not be compared.
    pub not_compared: u64,
    /// How many of them diverged.
    pub diverged: u64,
    /// How many answers of each command could be compared, by its label.
    #[serde(default)]
    pub compared: BTreeMap<String, u64>,
    /// How many inputs were not put to a command, since such inputs have killed it.
    #[serde(default)]
    pub passed_over: u64,
    /// A witness for each class that was met.
    pub finds: Vec<Minimized>,
    /// How many of those that diverged are what the subject's profile predicts: they are not made small.
    #[serde(default)]
    pub predicted: u64,
    /// Answers of which the subject's profile predicts another, made small.
    #[serde(default)]
    pub unpredicted: Vec<Minimized>,
    /// What diverged and agreed when it was put again, with the subject's label.
    #[serde(default)]
    pub unrepeated: Vec<(String, Unrepeated)>,
    /// How much more there was of that.
    #[serde(default)]
    pub more_unrepeated: u64,
}

/// A divergence, made small.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Minimized {
    /// The subject's label.
    pub subject: String,
    /// The witness.
    pub input: Input,
}

/// The inputs of a batch for subjects with this claim, with words of a dictionary in some of them.
pub fn inputs(
    claim: Option<Claim>,
    seed: u64,
    number: u64,
    dictionary: &Dictionary,
) -> impl Iterator<Item = Input> + use<> {
    let mut generator = Generator::new(mixed(seed, number)).with_dictionary(dictionary);
    if claim == Some(Claim::ZoneId) {
        generator = generator.with_zone_identifiers();
    }
    let next = move || {
        let input = generator.next_input();
        claim.and_then(|claim| claim.rewritten(&input)).unwrap_or(input)
    };
    std::iter::repeat_with(next).take(inputs_of_batch(number))
}

/// The inputs that a batch has more for a rule. They are the same whatever other rules there are.
fn inputs_of(rule: Rule, seed: u64, number: u64, dictionary: &Dictionary) -> impl Iterator<Item = Input> {
    let place = Rule::ALL.iter().position(|&other| other == rule).unwrap_or_default() as u64;
    let mut strings = RuleStrings::new(rule, mixed(mixed(seed, number), place + 1), dictionary);
    std::iter::repeat_with(move || strings.next_input()).take(OF_A_RULE)
}

/// The rules that some subject takes and that are not for references.
fn rules(subjects: &[&dyn Subject]) -> BTreeSet<Rule> {
    let declared = subjects.iter().flat_map(|subject| subject.declaration().rules.iter().copied());
    declared.filter(|&rule| is_of_its_own(rule)).collect()
}

/// A search: its subjects, its inputs and their seed.
#[derive(Clone, Copy)]
pub struct Hunt<'a> {
    /// The subjects.
    pub subjects: &'a [&'a dyn Subject],
    /// The seed of the inputs.
    pub seed: u64,
    /// Whether slow subjects get every input too, not only the share that their [budget](Subject::budget) is of a suite.
    pub every_input: bool,
    /// Words that go into the inputs too.
    pub dictionary: &'a Dictionary,
    /// What profiles of the subjects predict.
    pub predictors: &'a Predictors,
}

impl Hunt<'_> {
    /// How many inputs a batch has.
    pub fn size(&self, number: u64) -> usize {
        inputs_of_batch(number) + OF_A_RULE * rules(self.subjects).len()
    }

    /// The inputs of a batch: at most so many for all subjects, then those of rules.
    fn inputs(&self, number: u64, most: usize) -> impl Iterator<Item = Input> {
        let of_rule = move |rule| inputs_of(rule, self.seed, number, self.dictionary);
        let of_rules = rules(self.subjects).into_iter().flat_map(of_rule);
        // All subjects of a run have the same claim, or none.
        let claim = self.subjects.first().and_then(|subject| subject.declaration().claim);
        inputs(claim, self.seed, number, self.dictionary).take(most).chain(of_rules)
    }

    /// Puts the inputs of a batch to the subjects, and makes small what differs.
    pub fn batch(&self, number: u64) -> Batch {
        let mut batch = Batch::default();
        for (subject, class) in self.classes(number, 0..self.size(number), &mut batch) {
            batch.finds.push(Minimized {
                subject: self.subjects[subject].declaration().label(),
                input: class.witness.input,
            });
        }
        batch
    }

    /// As [`batch`](Hunt::batch), with the classes themselves, each with the place of its subject, of a part of the batch; what is
    /// counted goes to `counts`.
    pub fn classes(&self, number: u64, part: Range<usize>, counts: &mut Batch) -> Vec<(usize, Class)> {
        let subjects = self.subjects;
        let reading = Reading::Rfc3986;
        let mut rng = Rng::with_seed(mixed(self.seed, !number));
        let mut candidates: BTreeMap<(usize, Mark), Candidates<Result>> = BTreeMap::new();
        let mut unpredicted: BTreeMap<(usize, Mark), Candidates<Result>> = BTreeMap::new();
        let sample = |subject: &&dyn Subject| match self.every_input {
            true => Sample::ALL,
            false => Sample::of_endless(*subject),
        };
        let samples: Vec<Sample> = subjects.iter().map(sample).collect();
        for (at, input) in self.inputs(number, BATCH).enumerate().skip(part.start).take(part.len()) {
            counts.inputs += 1;
            let is_put = |(place, subject): &(usize, &dyn Subject)| {
                takes_rule(*subject, &input) && samples[*place].takes(at as u128)
            };
            let put = subjects.iter().copied().enumerate().filter(is_put);
            let disagreeing = run::all_but_agreeing(put, &input);
            counts.count(disagreeing.counts);
            for (place, result) in disagreeing.diverging {
                let predictor = self.predictors.get(place);
                match predictor.map(|predictor| predictor.of_divergence(subjects[place].declaration(), &result)) {
                    Some(Prediction::Exact) => {
                        counts.predicted += 1;
                        continue;
                    }
                    Some(Prediction::Other(_)) => {
                        for mark in Mark::all(&result) {
                            let size = result.input.size();
                            unpredicted.entry((place, mark)).or_default().offer(result.clone(), size, &mut rng);
                        }
                        continue;
                    }
                    Some(Prediction::None) | None => {}
                }
                for mark in Mark::all(&result) {
                    let size = result.input.size();
                    candidates.entry((place, mark)).or_default().offer(result.clone(), size, &mut rng);
                }
            }
        }
        for ((place, _), candidates) in unpredicted {
            for result in candidates.candidates() {
                counts.add_unpredicted(self, place, result);
            }
        }
        let mut classes: BTreeMap<(usize, Fingerprint), Class> = BTreeMap::new();
        for ((subject, mark), candidates) in candidates {
            for result in candidates.candidates() {
                let shown = classes_of(subjects[subject], &result.input, &mark, reading);
                if shown.is_empty() {
                    counts.look_into(subjects[subject], result, reading);
                }
                for class in shown {
                    keep_smaller(&mut classes, subject, class);
                }
            }
        }
        classes.into_iter().map(|((subject, _), class)| (subject, class)).collect()
    }
}

/// Adds a class of a subject, unless a class with the same name and a smaller witness is there.
fn keep_smaller(classes: &mut BTreeMap<(usize, Fingerprint), Class>, subject: usize, class: Class) {
    let key = (subject, class.fingerprint.clone());
    if classes.get(&key).is_none_or(|known| class.is_smaller_than(known)) {
        classes.insert(key, class);
    }
}

/// Whether a rule is not one of the rules for references, which are run on every subject with such a rule.
fn is_of_its_own(rule: Rule) -> bool {
    ReferenceRule::try_from(rule).is_err()
}

/// Whether an input is run on a subject: strings of a special rule only on subjects that have it.
fn takes_rule(subject: &dyn Subject, input: &Input) -> bool {
    match input {
        Input::Parse { rule, .. } => !is_of_its_own(*rule) || subject.declaration().rules.contains(rule),
        _ => true,
    }
}

impl Batch {
    /// Counts answers.
    fn count(&mut self, counts: Counts) {
        self.answers += counts.answers();
        self.not_compared += counts.not_compared;
        self.diverged += counts.diverge;
    }

    /// Adds an answer of which the profile of its subject predicts another; one that agrees when it is put again does not repeat.
    fn add_unpredicted(&mut self, hunt: &Hunt<'_>, place: usize, result: &Result) {
        let subject = hunt.subjects[place];
        let Some(predictor) = hunt.predictors.get(place) else {
            return;
        };
        let smallest = predictor.smallest(subject, result);
        if !matches!(
            predictor.of_divergence(subject.declaration(), &smallest),
            Prediction::Other(_)
        ) {
            return self.look_into(subject, result, Reading::Rfc3986);
        }
        let find = Minimized {
            subject: subject.declaration().label(),
            input: smallest.input,
        };
        if !self.unpredicted.contains(&find) {
            self.unpredicted.push(find);
        }
    }

    /// Adds what came of another batch; a witness that is there already is not added.
    pub fn add(&mut self, other: Batch) {
        self.inputs += other.inputs;
        self.answers += other.answers;
        self.not_compared += other.not_compared;
        self.diverged += other.diverged;
        for (label, count) in other.compared {
            *self.compared.entry(label).or_default() += count;
        }
        self.passed_over += other.passed_over;
        self.predicted += other.predicted;
        for find in other.unpredicted {
            if !self.unpredicted.contains(&find) {
                self.unpredicted.push(find);
            }
        }
        self.more_unrepeated += other.more_unrepeated;
        self.unrepeated.extend(other.unrepeated);
        let known: BTreeSet<&Minimized> = self.finds.iter().collect();
        let new: Vec<Minimized> = other.finds.into_iter().filter(|find| !known.contains(find)).collect();
        self.finds.extend(new);
    }

    /// A divergence that shows no class: what agrees when it is put again does not repeat.
    fn look_into(&mut self, subject: &dyn Subject, result: &Result, reading: Reading) {
        /// How many of a batch are kept.
        const KEPT: usize = 8;
        let put = || put_again(subject, result, reading);
        match examine(subject, &result.input, &result.observed, &[], &put, &|| false) {
            Some(unrepeated) if self.unrepeated.len() < KEPT => {
                self.unrepeated.push((subject.declaration().label(), unrepeated));
            }
            Some(_) => self.more_unrepeated += 1,
            // It diverges again, though what was made of it does not.
            None => self.finds.push(Minimized {
                subject: subject.declaration().label(),
                input: result.input.clone(),
            }),
        }
    }
}

/// Puts an input once more on which a subject diverged. It diverges again if it does so in one of the same ways, or dies again,
/// whatever it says of it this time.
fn put_again(subject: &dyn Subject, result: &Result, reading: Reading) -> Put {
    let marks = Mark::all(result);
    let again = run::one(subject, &result.input, reading);
    Put {
        diverges: result.observed.is_death() && again.observed.is_death()
            || Mark::all(&again).iter().any(|mark| marks.contains(mark)),
        outcome: again.observed,
    }
}

/// Some of the divergences that have a mark.
struct Candidates<T> {
    smallest: Option<(usize, T)>,
    drawn: Vec<T>,
    met: usize,
}

impl<T> Default for Candidates<T> {
    /// None.
    fn default() -> Candidates<T> {
        Candidates {
            smallest: None,
            drawn: Vec::new(),
            met: 0,
        }
    }
}

impl<T: Clone> Candidates<T> {
    fn offer(&mut self, one: T, size: usize, rng: &mut Rng) {
        if self.smallest.as_ref().is_none_or(|(smallest, _)| size < *smallest) {
            self.smallest = Some((size, one.clone()));
        }
        self.met += 1;
        if self.drawn.len() < DRAWN {
            self.drawn.push(one);
        } else if let Some(drawn) = self.drawn.get_mut(rng.usize(..self.met)) {
            *drawn = one;
        }
    }

    fn candidates(&self) -> impl Iterator<Item = &T> {
        self.smallest.iter().map(|(_, smallest)| smallest).chain(&self.drawn)
    }
}

/// A seed for each batch (the finalizer of SplitMix64).
pub(super) fn mixed(seed: u64, number: u64) -> u64 {
    let mut mixed = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
