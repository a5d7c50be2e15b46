//! The search in subjects that stand in processes of their own: each answer takes a while, an input may end the process, and an
//! answer may come of what the process was given before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use fastrand::Rng;
use uriproof::ask::ask;
use uriproof::model::{Declaration, Input, Operation, Outcome, Reading, Rule, Subject};
use uriproof::repeat::{Put, Unrepeated, before, examine, examine_anew};
use uriproof::run::{self, Result};

use super::{Batch, Candidates, Hunt, Minimized, mixed, put_again, takes_rule};
use crate::divergence::fingerprint::{Class, Fingerprint, Mark, classes_of};

/// How many inputs a batch has for commands: they answer thousands of times as slowly as what stands in this process.
pub const BATCH: usize = 256;

/// How many times an input may kill the process in one way before inputs that are written alike are passed over.
const DEATHS: usize = 3;

/// How many deaths and how many late answers it may cost to make one input small.
const COST: (usize, usize) = (100, 3);

/// How many answers of a subject that do not repeat are looked into; the others are counted.
const UNREPEATED: usize = 8;

/// When a search ends.
pub struct Until<'a> {
    /// Whether no more inputs are put; whether something was left to the end is given.
    pub inputs: &'a (dyn Fn(bool) -> bool + Sync),
    /// Whether no input is made smaller any more.
    pub all: &'a (dyn Fn() -> bool + Sync),
    /// Whether that depends on the clock. If it does not, a batch gives the same whatever was searched before.
    pub is_timed: bool,
}

/// A search in commands, one batch after the other.
pub struct Commands<'a> {
    hunt: Hunt<'a>,
    /// When it ends.
    pub until: Until<'a>,
    /// How many inputs in a row may kill a command before it is given up.
    patience: usize,
    memory: SearchMemory,
}

/// What a search remembers of its earlier batches.
#[derive(Default)]
struct SearchMemory {
    /// How often a divergence was met.
    met: HashMap<Key, u64>,
    /// The classes that are known.
    classes: HashSet<(usize, Fingerprint)>,
    /// What killed a subject, to be made small at the end: the smallest input of each divergence, and the inputs before it.
    postponed: BTreeMap<Key, (Result, Vec<Input>)>,
    /// How often each subject died, by operation and place.
    deaths: HashMap<Key, usize>,
    /// How what killed a subject is written.
    deadly: HashSet<(usize, u64)>,
    /// How many inputs in a row were not answered by each subject, and how it died at the last one.
    unanswered: HashMap<usize, (usize, String)>,
    /// How many answers of each subject did not repeat.
    unrepeated: HashMap<usize, usize>,
    /// The inputs of the batch before.
    before: Vec<Input>,
}

/// What came of a batch.
#[derive(Default)]
pub struct Searched {
    /// What was counted, the witnesses, and what does not repeat.
    pub batch: Batch,
    /// The classes of the witnesses, each with the place of its subject.
    pub classes: Vec<(usize, Class)>,
    /// Divergences whose inputs were not made small, since time was up: one for each way of differing.
    pub open: Vec<(usize, Class)>,
    /// Whether every input was put to every subject, and everything was made small.
    pub is_whole: bool,
}

impl SearchMemory {
    fn postpone(&mut self, key: Key, result: &Result, earlier: Vec<Input>) {
        let is_smaller = |(known, _): &(Result, Vec<Input>)| result.input.size() < known.input.size();
        if self.postponed.get(&key).is_none_or(is_smaller) {
            self.postponed.insert(key, (result.clone(), earlier));
        }
    }
}

/// The place of a subject, and how it differs.
type Key = (usize, Mark);

/// [`examine`] or [`examine_anew`].
type Examine = fn(&dyn Subject, &Input, &Outcome, &[Input], &dyn Fn() -> Put, &dyn Fn() -> bool) -> Option<Unrepeated>;

/// A divergence that was met.
#[derive(Clone)]
struct MetDivergence {
    /// The place of its input in the batch.
    at: usize,
    result: Result,
    /// What the process was given before, where the divergence is of a new kind.
    earlier: Option<Vec<Input>>,
}

impl<'a> Commands<'a> {
    /// A search that has not begun.
    pub fn new(hunt: Hunt<'a>, until: Until<'a>, patience: usize) -> Commands<'a> {
        Commands {
            hunt,
            until,
            patience,
            memory: SearchMemory::default(),
        }
    }

    /// The first command that was given up, and why.
    pub fn lost(&self) -> Option<String> {
        let mut places = 0..self.hunt.subjects.len();
        let (subject, reason) = places.find_map(|place| Some((self.hunt.subjects[place], self.lost_at(place)?)))?;
        Some(format!("{} was not run on everything: {reason}", subject.declaration()))
    }

    fn lost_at(&self, place: usize) -> Option<String> {
        let unanswered = self.memory.unanswered.get(&place).filter(|(count, _)| *count > self.patience);
        let without_answer = unanswered
            .map(|(count, how)| format!("{count} inputs in a row were not answered: {how} (--restarts allows more)"));
        self.hunt.subjects[place].lost().or(without_answer)
    }

    /// Puts the inputs of a batch to the commands, and makes small what differs.
    pub fn batch(&mut self, number: u64) -> Searched {
        if !self.until.is_timed {
            self.memory = SearchMemory::default();
        }
        let inputs: Vec<Input> = self.hunt.inputs(number, BATCH).collect();
        let mut searched = Searched {
            is_whole: true,
            ..Searched::default()
        };
        let mut candidates: BTreeMap<Key, Candidates<MetDivergence>> = BTreeMap::new();
        // The first of each kind, of which it is known what came before.
        let mut firsts: BTreeMap<Key, MetDivergence> = BTreeMap::new();
        let mut rng = Rng::with_seed(mixed(self.hunt.seed, !number));
        for (at, input) in inputs.iter().enumerate() {
            if (self.until.inputs)(!self.memory.postponed.is_empty()) {
                searched.is_whole = false;
                break;
            }
            self.put(at, input, &mut searched, &mut |key, met: MetDivergence| {
                if met.earlier.is_some() {
                    firsts.insert(Key::clone(&key), met.clone());
                }
                let size = met.result.input.size();
                candidates.entry(key).or_default().offer(met, size, &mut rng);
            });
        }
        for (key, candidates) in candidates {
            let before = self.memory.met.get(&key).copied().unwrap_or_default();
            let now = before + candidates.met as u64;
            self.memory.met.insert(key.clone(), now);
            // Of what is met again and again, the first is looked at, the fourth, the sixteenth.
            if before > 0 && before.ilog(4) == now.ilog(4) {
                continue;
            }
            let mut places = HashSet::new();
            let first = firsts.get(&key);
            let met = first.into_iter().chain(candidates.candidates());
            for MetDivergence { at, result, earlier } in met.filter(|met| places.insert(met.at)) {
                let in_batch = || self.memory.before.iter().chain(&inputs[..*at]).cloned().collect();
                let earlier = earlier.clone().unwrap_or_else(in_batch);
                if self.until.is_timed && result.observed.is_death() {
                    self.memory.postpone(key.clone(), result, earlier);
                } else {
                    self.look_into(&key, result, &earlier, &mut searched);
                }
            }
        }
        self.memory.before = inputs;
        self.add_finds(&mut searched);
        searched
    }

    /// Makes small what killed commands, which was left to the end, as each step is one more death.
    pub fn finish(&mut self) -> Searched {
        let mut searched = Searched {
            is_whole: true,
            ..Searched::default()
        };
        for (key, (result, earlier)) in mem::take(&mut self.memory.postponed) {
            self.look_into(&key, &result, &earlier, &mut searched);
        }
        self.add_finds(&mut searched);
        searched
    }

    fn add_finds(&self, searched: &mut Searched) {
        let finds = searched.classes.iter().chain(&searched.open).map(|(subject, class)| Minimized {
            subject: self.hunt.subjects[*subject].declaration().label(),
            input: class.witness.input.clone(),
        });
        searched.batch.finds = finds.collect();
    }

    /// Puts an input to every command that has not been given up.
    fn put(&mut self, at: usize, input: &Input, searched: &mut Searched, offer: &mut dyn FnMut(Key, MetDivergence)) {
        let counts = &mut searched.batch;
        counts.inputs += 1;
        for (place, subject) in self.hunt.subjects.iter().enumerate() {
            if !takes_rule(*subject, input) {
                continue;
            }
            if self.lost_at(place).is_some() {
                searched.is_whole = false;
                continue;
            }
            if self.memory.deadly.contains(&(place, writing(input))) && self.is_deadly(place, input.operation()) {
                counts.passed_over += 1;
                continue;
            }
            let disagreeing = run::all_but_agreeing([(place, *subject)], input);
            if subject.lost().is_some() && disagreeing.diverging.is_empty() {
                searched.is_whole = false;
                continue;
            }
            counts.count(disagreeing.counts);
            *counts.compared.entry(subject.declaration().label()).or_default() += disagreeing.counts.compared();
            let mut is_answered = true;
            for (_, result) in disagreeing.diverging {
                let is_death = result.observed.is_death();
                if is_death {
                    is_answered = false;
                    let (count, how) = self.memory.unanswered.entry(place).or_default();
                    *count += 1;
                    *how = result.observed.to_string();
                }
                for mark in Mark::all(&result) {
                    if is_death {
                        self.memory.deadly.insert((place, writing(input)));
                        *self.memory.deaths.entry((place, mark.clone())).or_default() += 1;
                    }
                    let key = (place, mark);
                    // What is new is looked at while it is known what came before.
                    let is_new = !self.memory.met.contains_key(&key);
                    let earlier = is_new.then(|| before(*subject, &result.input, 0));
                    if is_new {
                        self.memory.met.insert(key.clone(), 0);
                    }
                    let result = result.clone();
                    offer(key, MetDivergence { at, result, earlier });
                }
            }
            if is_answered {
                self.memory.unanswered.remove(&place);
            }
        }
    }

    /// Whether the subject has died often enough in one way of an operation.
    fn is_deadly(&self, place: usize, operation: Operation) -> bool {
        let deaths = self.memory.deaths.iter();
        deaths.into_iter().any(|((of, mark), count)| *of == place && mark.operation == operation && *count >= DEATHS)
    }

    /// The classes of a divergence; or that it does not repeat; or, where there is no time, the divergence with the smallest input so
    /// far.
    fn look_into(&mut self, key: &Key, result: &Result, earlier: &[Input], searched: &mut Searched) {
        let (place, mark) = key;
        let subject = self.hunt.subjects[*place];
        let is_over = || (self.until.all)() || subject.lost().is_some();
        if is_over() {
            searched.leave_open(*place, Class::of(result.clone()));
            return;
        }
        // What is late was put again, alone.
        let is_late = matches!(result.observed, Outcome::TimedOut { .. });
        if !is_late && self.is_unrepeated(*place, result, earlier, examine, searched) {
            return;
        }
        let bounded = Bounded {
            subject,
            is_over: &is_over,
            deaths: AtomicUsize::new(0),
            late: AtomicUsize::new(0),
            answers: Mutex::default(),
        };
        let classes = classes_of(&bounded, &result.input, mark, Reading::Rfc3986);
        if classes.is_empty() || is_over() {
            let smallest = classes.into_iter().next();
            searched.leave_open(*place, smallest.or_else(|| Class::of(result.clone())));
            return;
        }
        for class in classes {
            let is_known = |(of, known): &(usize, Class)| of == place && known.fingerprint == class.fingerprint;
            if searched.classes.iter().any(is_known)
                || self.memory.classes.contains(&(*place, class.fingerprint.clone()))
            {
                continue;
            }
            if !is_late && self.is_unrepeated(*place, &class.witness, earlier, examine_anew, searched) {
                continue;
            }
            self.memory.classes.insert((*place, class.fingerprint.clone()));
            searched.classes.push((*place, class));
        }
    }

    /// Whether a divergence does not repeat; then it is kept.
    fn is_unrepeated(
        &mut self,
        place: usize,
        result: &Result,
        earlier: &[Input],
        examine: Examine,
        searched: &mut Searched,
    ) -> bool {
        let subject = self.hunt.subjects[place];
        let put = || put_again(subject, result, Reading::Rfc3986);
        let count = self.memory.unrepeated.entry(place).or_default();
        let is_enough = *count >= UNREPEATED;
        let stopped = || (self.until.all)() || is_enough;
        let unrepeated = examine(subject, &result.input, &result.observed, earlier, &put, &stopped);
        // Of a command that was given up in the midst, the second answer is none.
        let Some(unrepeated) = unrepeated.filter(|_| subject.lost().is_none()) else {
            return false;
        };
        *count += 1;
        match is_enough {
            true => searched.batch.more_unrepeated += 1,
            false => searched.batch.unrepeated.push((subject.declaration().label(), unrepeated)),
        }
        true
    }
}

impl Searched {
    fn leave_open(&mut self, place: usize, class: Option<Class>) {
        self.is_whole = false;
        self.open.extend(class.map(|class| (place, class)));
    }
}

/// How an input is written, but for which letters and digits it has, and how many: near inputs are written alike.
fn writing(input: &Input) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.operation().hash(&mut hasher);
    let mut last = None;
    for character in input.to_string().chars() {
        let class = match character {
            'a'..='z' | 'A'..='Z' => 'a',
            '0'..='9' => '0',
            other if other.is_ascii() => other,
            _ => 'é',
        };
        if last != Some(class) {
            class.hash(&mut hasher);
        }
        last = Some(class);
    }
    hasher.finish()
}

/// A subject that is put nothing new where time is up, or where it has died, or was late, too often. What it was put before it
/// answers as it did, so that the smallest input so far keeps its answer.
struct Bounded<'a> {
    subject: &'a dyn Subject,
    is_over: &'a (dyn Fn() -> bool + Sync),
    deaths: AtomicUsize,
    late: AtomicUsize,
    answers: Mutex<HashMap<Input, Outcome>>,
}

/// How many answers are remembered.
const REMEMBERED: usize = 10_000;

impl Bounded<'_> {
    fn is_spent(&self) -> bool {
        let (deaths, late) = COST;
        self.deaths.load(Ordering::Relaxed) >= deaths || self.late.load(Ordering::Relaxed) >= late
    }

    fn put(&self, input: Input) -> Outcome {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = answers.get(&input) {
            return known.clone();
        }
        if self.is_spent() || (self.is_over)() {
            return Outcome::unsupported("no more is put to it");
        }
        let outcome = ask(self.subject, &input);
        match outcome {
            Outcome::Crashed { .. } => self.deaths.fetch_add(1, Ordering::Relaxed),
            Outcome::TimedOut { .. } => self.late.fetch_add(1, Ordering::Relaxed),
            _ => 0,
        };
        if answers.len() < REMEMBERED {
            answers.insert(input, outcome.clone());
        }
        outcome
    }
}

impl Subject for Bounded<'_> {
    fn declaration(&self) -> &Declaration {
        self.subject.declaration()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let input = input.to_owned();
        self.put(Input::Parse { rule, input })
    }

    fn answer(&self, input: &Input) -> Outcome {
        self.put(input.clone())
    }

    // Else what is smallest is what a baseline names, and agrees when it is put again.
    fn has_known(&self) -> bool {
        self.subject.has_known()
    }

    fn knows(&self, input: &Input, observed: &Outcome) -> bool {
        self.subject.knows(input, observed)
    }
}
