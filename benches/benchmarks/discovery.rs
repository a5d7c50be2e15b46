//! How long each engine takes until it has found a planted bug, in time of the processor.

use std::fs;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;
use rayon::prelude::*;
use uriproof::model::{Operation, Rule, Subject};
use uriproof_lab::complete::Prepared;
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::{BATCH, Batch, Hunt};
use uriproof_lab::machines::Machines;
use uriproof_lab::score::{Depth, Questioner};
use uriproof_lab::targets::{Mode, TARGETS, Target, Watch, cross, mutate};

use crate::clock::of_thread;
use crate::mutants::{Mutant, Planted};

/// A hunt is given up after so many batches.
const BATCHES: u64 = 64;

/// The loop of a fuzz target is given up after so many inputs beyond the corpus.
const EXECUTIONS: usize = 100_000;

/// How many changes libFuzzer makes to a file in a row.
const DEPTH: usize = 5;

/// The seeds of each search.
pub(crate) const SEEDS: [u64; 3] = [0, 1, 2];

/// An engine, and what came of each planted bug that it can meet.
pub(crate) struct Engine {
    /// Its name.
    pub(crate) name: &'static str,
    /// For each bug, how long it took by each seed; none where it gave up.
    pub(crate) bugs: Vec<(&'static Mutant, Vec<Option<Duration>>)>,
}

impl Engine {
    fn of(
        name: &'static str,
        bugs: &[&'static Mutant],
        seeds: &[u64],
        find: impl Fn(&'static Mutant, u64) -> Option<Duration> + Sync,
    ) -> Engine {
        let of_bug = |bug: &&'static Mutant| (*bug, seeds.iter().map(|seed| find(bug, *seed)).collect());
        Engine {
            name,
            bugs: bugs.par_iter().map(of_bug).collect(),
        }
    }

    /// How many runs there were, and the times of those that found their bug, in ascending order.
    pub(crate) fn times(&self) -> (usize, Vec<(Duration, &'static Mutant)>) {
        let runs = self.bugs.iter().map(|(_, times)| times.len()).sum();
        let mut times: Vec<(Duration, &Mutant)> =
            self.bugs.iter().flat_map(|(bug, times)| times.iter().flatten().map(|time| (*time, *bug))).collect();
        times.sort_by_key(|(time, _)| *time);
        (runs, times)
    }
}

/// `hunt`: whole batches, of which what differs is made small.
pub(crate) fn by_hunt(bugs: &[&'static Mutant]) -> Engine {
    Engine::of("hunt", bugs, &SEEDS, |bug, seed| {
        let planted = Planted::new(Some(bug));
        let start = of_thread();
        let hunt = Hunt {
            subjects: &[&planted],
            seed,
            every_input: false,
            dictionary: &Dictionary::default(),
            predictors: &uriproof_lab::predict::Predictors::default(),
        };
        let is_found = (0..BATCHES).any(|number| !hunt.classes(number, 0..BATCH, &mut Batch::default()).is_empty());
        is_found.then(|| of_thread() - start)
    })
}

/// The loop of a fuzz target: its corpus and the witnesses of the ledger, then changes of them, until there is news. No coverage
/// leads it.
pub(crate) fn by_target(bugs: &[&'static Mutant]) -> Engine {
    let ledger = Ledger::default();
    Engine::of("fuzz target", bugs, &SEEDS, |bug, seed| {
        let (planted, target) = (Planted::new(Some(bug)), target_of(bug.operation));
        let subjects: [&dyn Subject; 1] = [&planted];
        let files = seeds(target);
        let start = of_thread();
        let mut rng = Rng::with_seed(seed);
        let mut watch = Watch::new(&subjects, ledger.clone(), Mode::Abort);
        let mut is_news = |data: &[u8]| {
            target.run(data, &mut watch);
            watch.is_due() && !watch.news().is_empty()
        };
        // As libFuzzer does: a file is changed several times over, and run after each.
        let is_found = files.iter().any(|data| is_news(data))
            || (0..EXECUTIONS / DEPTH).any(|_| {
                let mut data = rng.choice(&files).cloned().unwrap_or_default();
                (0..DEPTH).any(|_| {
                    let other = &files[rng.usize(..files.len())];
                    data = changed(target, &data, other, &mut rng);
                    is_news(&data)
                })
            });
        is_found.then(|| of_thread() - start)
    })
}

/// The complete suites of URI-reference, the core suite and what the standard suite has besides, until a string differs.
/// They ask nothing but how a string is parsed. Making them is not in the times.
pub(crate) fn by_suite(bugs: &[&'static Mutant], machines: &Machines) -> Engine {
    let bugs: Vec<&Mutant> = bugs.iter().copied().filter(|bug| bug.operation == Operation::Parse).collect();
    let suite = Prepared::standard(machines, Rule::UriReference);
    Engine::of("complete suite", &bugs, &SEEDS[..1], |bug, _| {
        let planted = Planted::new(Some(bug));
        let start = of_thread();
        let questioner = Questioner::new(&planted, machines, Depth::Components);
        let mut part = questioner.part(0);
        let is_found = suite.cases().any(|(text, expected)| {
            part.put(text, expected.is_some(), expected);
            part.score.diverge() > 0
        });
        is_found.then(|| of_thread() - start)
    })
}

/// The target whose files ask for an operation.
fn target_of(operation: Operation) -> &'static Target {
    let name = match operation {
        Operation::Parse | Operation::RoundTrip => "parse",
        Operation::Resolve | Operation::Relativize => "resolve",
        Operation::Normalize => "normalize",
        Operation::Compose | Operation::Modify => "compose",
        Operation::Equivalent | Operation::Contract => "equivalent",
    };
    TARGETS.iter().find(|target| target.name == name).expect("the target is there")
}

/// The files of a target's tracked corpus, in the order of their names, then the witnesses of the ledger.
fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    paths.sort();
    let files = paths.iter().map(|path| fs::read(path).expect("a file can be read"));
    let witnesses = target.seeds(&uriproof_cli::known::ledger()).files;
    files.chain(witnesses.into_iter().map(String::into_bytes)).collect()
}

/// A change by component or a crossing, as the targets' own mutators make them; or one of bytes, in the place of
/// libFuzzer's own.
fn changed(target: &Target, one: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let by_component = match rng.u8(..4) {
        0 | 1 => mutate(target, one, rng.u32(..)),
        2 => cross(target, one, other, rng.u32(..)),
        _ => None,
    };
    by_component.unwrap_or_else(|| {
        let mut data = one.to_vec();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(0..=data.len());
            match rng.u8(0..3) {
                0 if at < data.len() => drop(data.remove(at)),
                1 if at < data.len() => data[at] = rng.u8(..),
                _ => data.insert(at, rng.u8(..)),
            }
        }
        data
    })
}
