//! How long each engine takes until it has found a planted bug, in time of the processor.

mod masked;

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
use uriproof_lab::predict::Predictors;
use uriproof_lab::score::{Depth, Questioner};
use uriproof_lab::targets::{Mode, TARGETS, Target, Watch, cross, mutate};

use self::masked::{Masked, by_hunt_masked, by_stored_answers};
use crate::Effort;
use crate::clock::of_thread;
use crate::least::milliseconds;
use crate::mutants::{Mutant, Planted, mutants};
use crate::table::{BenchmarkSheet, Quantity};

/// A hunt is given up after so many batches.
const BATCHES: u64 = 64;

/// The loop of a fuzz target is given up after so many inputs beyond the corpus.
const EXECUTIONS: usize = 100_000;

/// How many changes libFuzzer makes to a file in a row.
const DEPTH: usize = 5;

/// The seeds of each search.
const SEEDS: [u64; 3] = [0, 1, 2];

/// The bound of the median of all runs of `hunt`.
const MEDIAN: Duration = Duration::from_millis(20);

/// The bound of the longest run.
const WORST: Duration = Duration::from_secs(1);

/// Measures how soon planted bugs are found: those of subjects that are right otherwise, and those that are masked.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    let bugs: Vec<&Mutant> = mutants().step_by(effort.every).collect();
    let hunted = by_hunt(&bugs);
    let others = [by_target(&bugs), by_suite(&bugs, &Machines::of_rfc3986())];
    let masked = masked::bugs(effort.every);
    let [profiles, answers] = [by_hunt_masked(&masked), by_stored_answers(&masked)];
    sheet.rows.extend(hunt_rows(&hunted, &profiles, &answers));
    sheet.rows.extend(others.iter().flat_map(engine_rows));
    add_table(sheet, &bugs, [&hunted, &others[0], &others[1]]);
    masked::add_table(sheet, &masked, &profiles, &answers);
    sheet.sections.paragraph(
        "The slowest finds are of masked bugs. Such a bug acts on inputs that are generated seldom, and only where its subject \
         diverges already, so that each candidate is also held against the profile; a batch has to be made and compared before one \
         of its inputs is looked at.",
    );
}

/// What came of the runs of an engine with a bug: for each seed, how long it took; `None` where it gave up.
type DiscoveryTimes = Vec<Option<Duration>>;

/// An engine, and what came of each planted bug that it can meet.
struct Engine<B> {
    /// Its name.
    name: &'static str,
    bugs: Vec<(B, DiscoveryTimes)>,
}

impl<B: Copy + Send + Sync> Engine<B> {
    fn of(
        name: &'static str,
        bugs: &[B],
        seeds: &[u64],
        find: impl Fn(B, u64) -> Option<Duration> + Sync,
    ) -> Engine<B> {
        let of_bug = |bug: &B| (*bug, seeds.iter().map(|seed| find(*bug, *seed)).collect());
        Engine {
            name,
            bugs: bugs.par_iter().map(of_bug).collect(),
        }
    }
}

/// How many runs there were, and the times of those that found their bug, in ascending order.
fn found<'b>(runs: impl IntoIterator<Item = (&'b str, &'b DiscoveryTimes)>) -> (usize, Vec<(Duration, &'b str)>) {
    let runs: Vec<(Option<Duration>, &str)> =
        runs.into_iter().flat_map(|(name, times)| times.iter().map(move |time| (*time, name))).collect();
    let mut times: Vec<(Duration, &str)> = runs.iter().filter_map(|(time, name)| Some(((*time)?, *name))).collect();
    times.sort_unstable();
    (runs.len(), times)
}

/// The runs of `hunt` with planted bugs and with masked ones. Of these the shorter time counts: that of the search, or of the comparison
/// with stored answers, which `hunt` makes before it.
fn hunt_rows(hunted: &Engine<&Mutant>, profiles: &Engine<&Masked>, answers: &Engine<&Masked>) -> Vec<Quantity> {
    let sooner = masked::sooner(profiles, answers);
    let planted = hunted.bugs.iter().map(|(bug, times)| (bug.name, times));
    let masked = sooner.iter().map(|(bug, times)| (bug.name(), times));
    let (runs, times) = found(planted.clone().chain(masked.clone()));
    let median = times.get(times.len() / 2).map_or(Duration::MAX, |(time, _)| *time);
    let bugs = hunted.bugs.len() + sooner.len();
    let mut rows = vec![
        Quantity::bound(
            format!(
                "CPU time until `hunt` finds a planted bug, median ({runs} runs, {bugs} bugs, {} of them masked: by the search or by \
                 stored answers, the sooner)",
                sooner.len()
            ),
            median_text(&times),
            &milliseconds(MEDIAN),
            median <= MEDIAN,
        ),
        Quantity::bound(
            "the same, worst",
            worst_text(&times),
            &milliseconds(WORST),
            times.last().is_some_and(|(time, _)| *time <= WORST),
        ),
        Quantity::bound(
            "runs of them that missed their bug",
            (runs - times.len()).to_string(),
            "0",
            runs == times.len(),
        ),
    ];
    let of_planted = found(planted).1;
    let of_masked = found(masked).1;
    for (what, times) in [("is not masked", of_planted), ("is masked", of_masked)] {
        rows.push(Quantity::plain(
            format!("CPU time until `hunt` finds a bug that {what}, median"),
            median_text(&times),
        ));
    }
    rows
}

fn median_text(times: &[(Duration, &str)]) -> String {
    times.get(times.len() / 2).map_or_else(|| "none found".to_owned(), |(time, _)| milliseconds(*time))
}

fn worst_text(times: &[(Duration, &str)]) -> String {
    times.last().map_or_else(
        || "none found".to_owned(),
        |(time, name)| format!("{}: {name}", milliseconds(*time)),
    )
}

fn engine_rows(engine: &Engine<&Mutant>) -> [Quantity; 2] {
    let (runs, times) = found(engine.bugs.iter().map(|(bug, times)| (bug.name, times)));
    let name = engine.name;
    let found = format!("{} of {runs} runs, {} bugs", times.len(), engine.bugs.len());
    [
        Quantity::plain(
            format!("CPU time until `{name}` finds a planted bug, median ({found})"),
            median_text(&times),
        ),
        Quantity::plain(
            format!("CPU time until `{name}` finds a planted bug, worst"),
            worst_text(&times),
        ),
    ]
}

fn add_table(sheet: &mut BenchmarkSheet, bugs: &[&Mutant], engines: [&Engine<&Mutant>; 3]) {
    sheet.sections.heading("Time to discovery, bug by bug");
    sheet.sections.paragraph(&format!(
        "CPU milliseconds until each of {} planted bugs ([`tests/it/mutants/`](tests/it/mutants)) is found, by the median of {} seeds; \
         the suite draws nothing, and is run once. A dash is a bug that an engine gave up; an empty cell one of an operation that \
         it does not ask. `hunt` works in whole batches and makes small what it finds. The fuzz target is the loop that libFuzzer \
         calls, run in this process: its corpus and the witnesses of the ledger first, then changes of them by its own mutator, and \
         no coverage leads it.",
        bugs.len(),
        SEEDS.len()
    ));
    let heads = ["planted bug", "operation"].into_iter().chain(engines.iter().map(|engine| engine.name));
    let row = |bug: &&Mutant| {
        let of_engine = |engine: &&Engine<&Mutant>| {
            let times = engine.bugs.iter().find(|(other, _)| other.name == bug.name);
            times.map(|(_, times)| cell(times)).unwrap_or_default()
        };
        let names = [bug.name.to_owned(), bug.operation.to_string()];
        names.into_iter().chain(engines.iter().map(of_engine)).collect()
    };
    sheet.sections.table(&heads.collect::<Vec<_>>(), bugs.iter().map(row));
}

/// The median of a bug's runs. What was given up took longest.
fn cell(times: &DiscoveryTimes) -> String {
    let mut times = times.clone();
    times.sort_by_key(|time| time.unwrap_or(Duration::MAX));
    times[times.len() / 2].map_or_else(|| "-".to_owned(), |time| format!("{:.1}", time.as_secs_f64() * 1e3))
}

/// `hunt`: whole batches, of which what differs is made small.
fn by_hunt(bugs: &[&'static Mutant]) -> Engine<&'static Mutant> {
    Engine::of("hunt", bugs, &SEEDS, |bug, seed| {
        let planted = Planted::new(Some(bug));
        let start = of_thread();
        let hunt = Hunt {
            subjects: &[&planted],
            seed,
            every_input: false,
            dictionary: &Dictionary::default(),
            predictors: &Predictors::default(),
        };
        let is_found = (0..BATCHES).any(|number| !hunt.classes(number, 0..BATCH, &mut Batch::default()).is_empty());
        is_found.then(|| of_thread() - start)
    })
}

/// The loop of a fuzz target: its corpus and the witnesses of the ledger, then changes of them, until there is news. No coverage
/// leads it.
fn by_target(bugs: &[&'static Mutant]) -> Engine<&'static Mutant> {
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
fn by_suite(bugs: &[&'static Mutant], machines: &Machines) -> Engine<&'static Mutant> {
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
