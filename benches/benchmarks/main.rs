//! What the loop costs beside the crates that it asks, what a second core is worth, and how soon a planted bug is found:
//! `cargo bench --bench benchmarks -- --write BENCHMARKS.md`. Without `--write` the document is printed.
//!
//! Where there is a valgrind, instructions are counted, which other work on the machine does not change; else it is ratios of
//! times that stand side by side.

mod bare;
mod clock;
mod cores;
mod count;
mod discovery;
mod gate;
#[path = "../least/mod.rs"]
mod least;
mod libfuzzer;
#[path = "../../tests/it/mutants/mod.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod mutants;
mod table;
mod work;

use std::env;
use std::fs;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use count::{allocations, has_valgrind, instructions, nanoseconds};
use discovery::{Engine, SEEDS, by_hunt, by_suite, by_target};
use least::{least, milliseconds};
use libfuzzer::Fuzzed;
use mutants::{Mutant, mutants};
use table::{Document, Quantity};
use uriproof::compare::Verdict;
use uriproof::model::{Input, Operation, Reading, Rule, Subject};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_lab::machines::Machines;
use uriproof_subjects as subjects;
use work::{INPUTS, InputKind, Stage, inputs};

/// How this document is made.
const COMMAND: &str = "cargo bench --bench benchmarks -- --write BENCHMARKS.md";

/// How much is measured.
struct Effort {
    /// The least of so many times is taken.
    times: usize,
    /// So many inputs are put through the loop where times are taken.
    inputs: usize,
    /// Strings up to this length are swept.
    longest: usize,
    /// As far as that, to compare one core with two.
    longest_twice: usize,
    /// So many batches are hunted with one process and with two; 0 is none.
    batches: u64,
    /// Every so many-th planted bug is looked for.
    every: usize,
    /// Whether other programs are run.
    is_whole: bool,
}

const WHOLE: Effort = Effort {
    times: 5,
    inputs: INPUTS,
    longest: 6,
    longest_twice: 5,
    batches: 64,
    every: 1,
    is_whole: true,
};

/// Once is enough to see that it works.
const TINY: Effort = Effort {
    times: 1,
    inputs: 4,
    longest: 2,
    longest_twice: 2,
    batches: 0,
    every: 30,
    is_whole: false,
};

fn main() {
    if count::is_counted() || gate::is_run() {
        return;
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let extent = if arguments.iter().any(|argument| argument == "--bench") {
        WHOLE
    } else {
        TINY
    };
    let target = arguments.iter().position(|argument| argument == "--write").map(|at| {
        let file = arguments.get(at + 1);
        file.expect("--write wants the name of a file").clone()
    });
    let text = document(&extent);
    match target {
        Some(file) => fs::write(&file, text).unwrap_or_else(|error| panic!("{file}: {error}")),
        None => print!("{text}"),
    }
}

fn document(extent: &Effort) -> String {
    let started = Instant::now();
    let mut document = Document::default();
    let mut missing = Vec::new();
    let machines = Machines::of_rfc3986();
    let counts_instructions = extent.is_whole && has_valgrind();
    let parse = Stages::measure(InputKind::Parse, extent, counts_instructions);
    let resolve = Stages::measure(InputKind::Resolve, extent, counts_instructions);

    let mut rows = vec![
        parse.row("parse", 1.30),
        parse.row_over_subjects("parse"),
        parse.row_of_subjects("parse"),
        resolve.row("resolve", 1.50),
        resolve.row_over_subjects("resolve"),
        resolve.row_of_subjects("resolve"),
    ];
    rows.extend(other_rows(extent, &machines, counts_instructions, &mut missing));
    let bugs: Vec<&Mutant> = mutants().step_by(extent.every).collect();
    let engines = [by_hunt(&bugs), by_target(&bugs), by_suite(&bugs, &machines)];
    rows.extend(engines.iter().flat_map(engine_rows));

    document.paragraph("# Benchmarks");
    document.paragraph(&format!(
        "Written by `{COMMAND}` in {} minutes, on {} cores{}. {}",
        started.elapsed().as_secs().div_ceil(60),
        available_parallelism().map_or(1, usize::from),
        load().map(|load| format!(", other work among it (load {load} at the end)")).unwrap_or_default(),
        if counts_instructions {
            "Instructions and allocations are counted by valgrind; times are by the clock, and CPU time is what the processor \
             worked."
        } else {
            "Nothing is counted by valgrind: ratios are of times."
        }
    ));
    document.quantities(&rows);
    if !missing.is_empty() {
        document.heading("Not measured");
        document.list(&missing);
    }
    add_shares(&mut document, extent, &parse, &resolve);
    document.heading("Time to discovery, bug by bug");
    document.paragraph(&format!(
        "CPU milliseconds until each of {} planted bugs ([`tests/it/mutants/`](tests/it/mutants)) is found, by the median of {} seeds; \
         the suite draws nothing, and is run once. A dash is a bug that an engine gave up; an empty cell one of an operation that \
         it does not ask. `hunt` works in whole batches and makes small what it finds. The fuzz target is the loop that libFuzzer \
         calls, run in this process: its corpus and the witnesses of the ledger first, then changes of them by its own mutator, and \
         no coverage leads it.",
        bugs.len(),
        SEEDS.len()
    ));
    let heads = ["planted bug", "operation"].into_iter().chain(engines.iter().map(|engine| engine.name));
    document.table(
        &heads.collect::<Vec<_>>(),
        bugs.iter().map(|bug| bug_row(bug, &engines)),
    );
    document.text()
}

/// What is measured beside the stages; `missing` names what could not be measured.
fn other_rows(
    extent: &Effort,
    machines: &Machines,
    counts_instructions: bool,
    missing: &mut Vec<String>,
) -> Vec<Quantity> {
    let mut rows = Vec::new();
    if counts_instructions {
        rows.extend([("parse", InputKind::Agreeing), ("resolve", InputKind::AgreeingResolve)].map(agreeing_row));
        rows.extend(allocation_rows());
    } else {
        missing.push("instructions where all agree, and allocations: valgrind counts them, which is not there, or this is a test run".to_owned());
    }
    rows.push(suite_row(extent));
    rows.extend(gate::rows(extent.times));
    rows.extend(sweep_rows(machines, extent));
    if extent.batches > 0 {
        let [one, two] = in_turn(3 * extent.times, || cores::copies(1), || cores::copies(2));
        rows.push(Quantity::plain(
            "what a second core is worth here: the bare calls of `parse` in two programs at once, over one after the other",
            format!("{:.2}x", 2.0 * one.as_secs_f64() / two.as_secs_f64()),
        ));
        let hunt = |processes| cores::hunt(extent.batches, processes);
        let [one, two] = in_turn(extent.times, || hunt(1), || hunt(2));
        rows.push(cores_row(
            &format!("`hunt`, {} batches: two processes against one", extent.batches),
            one,
            two,
        ));
    } else {
        missing.push("`hunt` with two processes: not in a test run".to_owned());
    }
    let fuzzed = if extent.is_whole {
        libfuzzer::measure()
    } else {
        Err("not in a test run".to_owned())
    };
    match fuzzed {
        Ok(fuzzed) => rows.extend(libfuzzer_rows(&fuzzed)),
        Err(error) => missing.push(format!(
            "the libFuzzer target beside an empty one, its counters, and `-jobs=2`: {error}"
        )),
    }
    rows
}

fn add_shares(document: &mut Document, extent: &Effort, parse: &Stages, resolve: &Stages) {
    document.heading("Where the time goes");
    document.paragraph(&format!(
        "Of an input of `parse` ({:.0} bytes in the mean) put to the seven fast crates, and of one of `resolve` ({:.0} bytes), put \
         to the six that resolve, as the hunt generates them: what each stage adds, in {} an input, and its share of the loop.",
        mean_size(InputKind::Parse, extent.inputs),
        mean_size(InputKind::Resolve, extent.inputs),
        parse.unit
    ));
    let shares = parse.shares().into_iter().zip(resolve.shares());
    document.table(
        &["stage", "`parse`", "share", "`resolve`", "share"],
        shares.map(|((name, of_parse, share), (_, of_resolve, other))| {
            let percent = |share: f64| format!("{:.0} %", share * 100.0);
            vec![
                name.to_owned(),
                format!("{of_parse:.0}"),
                percent(share),
                format!("{of_resolve:.0}"),
                percent(other),
            ]
        }),
    );
}

/// The least of so many times of each of two, which are taken in turn: what else the machine does slows both.
fn in_turn(times: usize, one: impl Fn() -> Duration, two: impl Fn() -> Duration) -> [Duration; 2] {
    let both = (0..times).map(|_| [one(), two()]);
    both.reduce(|least, new| [least[0].min(new[0]), least[1].min(new[1])]).unwrap_or_default()
}

/// What an input costs at each stage.
struct Stages {
    unit: &'static str,
    /// In the order of [`Stage::ALL`].
    costs: [f64; 5],
}

impl Stages {
    fn measure(kind: InputKind, extent: &Effort, counts_instructions: bool) -> Stages {
        if counts_instructions {
            let costs = Stage::ALL.map(|stage| instructions(stage, kind).unwrap_or_else(|error| panic!("{error}")));
            let unit = "instructions";
            return Stages { unit, costs };
        }
        Stages {
            unit: "nanoseconds",
            costs: Stage::ALL.map(|stage| nanoseconds(stage, kind, extent.inputs, extent.times)),
        }
    }

    fn cost(&self, stage: Stage) -> f64 {
        self.costs[stage as usize]
    }

    fn row(&self, operation: &str, bound: f64) -> Quantity {
        let ratio = self.cost(Stage::Classified) / self.cost(Stage::Bare);
        Quantity::bound(
            format!("the whole loop over the bare calls, `{operation}`, {}", self.unit),
            format!("{ratio:.2}x"),
            &format!("{bound:.2}x"),
            ratio <= bound,
        )
    }

    fn row_over_subjects(&self, operation: &str) -> Quantity {
        let ratio = self.cost(Stage::Classified) / self.cost(Stage::Subjects);
        Quantity::plain(
            format!("the whole loop over the subjects' own `{operation}`, {}", self.unit),
            format!("{ratio:.2}x"),
        )
    }

    fn row_of_subjects(&self, operation: &str) -> Quantity {
        let ratio = self.cost(Stage::Subjects) / self.cost(Stage::Bare);
        Quantity::plain(
            format!(
                "the subjects' own `{operation}`, which tells what came out, over the bare calls, {}",
                self.unit
            ),
            format!("{ratio:.2}x"),
        )
    }

    /// What each part of the loop costs, and its share.
    fn shares(&self) -> [(&'static str, f64, f64); 5] {
        let whole = self.cost(Stage::Classified);
        [
            ("the crates", self.cost(Stage::Bare)),
            (
                "subjects: telling components or the URI",
                self.cost(Stage::Subjects) - self.cost(Stage::Bare),
            ),
            ("the reference: what is expected at first", self.cost(Stage::Reference)),
            (
                "asking, comparing, keeping results",
                self.cost(Stage::Compared) - self.cost(Stage::Subjects) - self.cost(Stage::Reference),
            ),
            ("the class", whole - self.cost(Stage::Compared)),
        ]
        .map(|(name, cost)| (name, cost, cost / whole))
    }
}

fn agreeing_row((operation, kind): (&str, InputKind)) -> Quantity {
    let [bare, whole] = [Stage::Bare, Stage::Classified]
        .map(|stage| instructions(stage, kind).unwrap_or_else(|error| panic!("{error}")));
    Quantity::plain(
        format!("the whole loop over the bare calls, `{operation}` where all agree, instructions"),
        format!("{:.2}x", whole / bare),
    )
}

fn allocation_rows() -> [Quantity; 3] {
    let [bare, subjects, reference, whole] = [Stage::Bare, Stage::Subjects, Stage::Reference, Stage::Classified]
        .map(|stage| allocations(stage, InputKind::Agreeing).unwrap_or_else(|error| panic!("{error}")));
    // Less than can be shown is none.
    let shown = |count: f64| format!("{:.2}", if count.abs() < 0.005 { 0.0 } else { count });
    let own = whole - bare - reference;
    [
        Quantity::bound(
            "allocations for an input of `parse` on which the seven agree, besides the crates' own and those of the literal \
             reference, which is run beside every 64th input",
            shown(own),
            "0",
            own < 0.005,
        ),
        Quantity::plain(
            "of them by the subjects, for the components that they tell",
            shown(subjects - bare),
        ),
        Quantity::plain("the literal reference's, for an input in the mean", shown(reference)),
    ]
}

/// The whole curated suite, from what is embedded to the last verdict.
fn suite_row(extent: &Effort) -> Quantity {
    let subject: &dyn Subject = &subjects::fluent_uri::UriRef;
    let count = Library::embedded().vectors().count();
    let time = least(extent.times, || {
        let library = Library::embedded();
        let verdicts = library.vectors().map(|vector| run::vector(subject, vector, Reading::Rfc3986).verdict);
        verdicts.filter(|verdict| matches!(verdict, Verdict::Diverge(_))).count()
    });
    Quantity::bound(
        format!(
            "every vector ({count}) read and put to `{}`, one thread",
            subject.declaration().label()
        ),
        format!("{:.2} s", time.as_secs_f64()),
        "1 s",
        time < Duration::from_secs(1),
    )
}

fn sweep_rows(machines: &Machines, extent: &Effort) -> Vec<Quantity> {
    // Machines are compiled when they are first asked for.
    cores::sweep(machines, 1, 1);
    let swept = cores::sweep(machines, extent.longest, 2);
    let rate = swept.strings / swept.work.as_secs_f64();
    let text = machines.text(Rule::UriReference);
    let characters: Vec<char> = text.machine().representatives().iter().map(|symbol| text.character(*symbol)).collect();
    let (bare_work, bare_strings) = cores::bare_sweep(&characters, extent.longest_twice);
    let bare_rate = bare_strings as f64 / bare_work.as_secs_f64();
    let sweep = |threads| cores::sweep(machines, extent.longest_twice, threads).time;
    let [one, two] = in_turn(3 * extent.times, || sweep(1), || sweep(2));
    let (fewest, most) = swept.classes;
    let symbols = if fewest == most {
        most.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let strings = format!(
        "every string of up to {} of {symbols} symbols ({:.1} million), put to seven crates, two threads",
        extent.longest,
        swept.strings / 1e6
    );
    vec![
        Quantity::bound(
            strings,
            format!("{:.1} s", swept.time.as_secs_f64()),
            "25 s for 64 million",
            swept.time.as_secs_f64() / swept.strings <= 25.0 / 64e6,
        ),
        Quantity::bound(
            "the same, strings for a CPU second",
            format!("{:.2} million", rate / 1e6),
            "2.5 million",
            rate >= 2.5e6,
        ),
        Quantity::plain(
            format!(
                "the strings of up to {} of them, put to the crates alone, strings for a CPU second",
                extent.longest_twice
            ),
            format!("{:.2} million", bare_rate / 1e6),
        ),
        cores_row(
            &format!("`sweep` to length {}: two threads against one", extent.longest_twice),
            one,
            two,
        ),
    ]
}

fn cores_row(what: &str, one: Duration, two: Duration) -> Quantity {
    let ratio = one.as_secs_f64() / two.as_secs_f64();
    Quantity::bound(what, format!("{ratio:.2}x"), "1.8x", ratio >= 1.8)
}

fn libfuzzer_rows(fuzzed: &Fuzzed) -> [Quantity; 3] {
    let over_empty = fuzzed.differential / fuzzed.empty;
    let jobs = fuzzed.differential / fuzzed.two_jobs;
    [
        Quantity::bound(
            format!(
                "the libFuzzer target `parse` over an empty target, time for an execution of up to {} bytes ({:.1} us)",
                libfuzzer::LONGEST,
                fuzzed.differential * 1e6
            ),
            format!("{over_empty:.0}x"),
            "18x",
            over_empty <= 18.0,
        ),
        Quantity::bound(
            "its counters of coverage",
            fuzzed.counters.to_string(),
            "12000",
            fuzzed.counters <= 12_000,
        ),
        Quantity::bound(
            "its executions with `-jobs=2` over those of one process",
            format!("{jobs:.2}x"),
            "2x",
            jobs >= 2.0,
        ),
    ]
}

fn engine_rows(engine: &Engine) -> [Quantity; 2] {
    let (runs, times) = engine.times();
    let name = engine.name;
    let found = format!("{} of {runs} runs, {} bugs", times.len(), engine.bugs.len());
    let median = times.get(times.len() / 2).map_or_else(|| "none found".to_owned(), |(time, _)| milliseconds(*time));
    let worst = times.last().map_or_else(
        || "none found".to_owned(),
        |(time, bug)| format!("{}: {}", milliseconds(*time), bug.name),
    );
    [
        Quantity::plain(
            format!("CPU time until `{name}` finds a planted bug, median ({found})"),
            median,
        ),
        Quantity::plain(format!("CPU time until `{name}` finds a planted bug, worst"), worst),
    ]
}

fn bug_row(bug: &Mutant, engines: &[Engine]) -> Vec<String> {
    let of_engine = |engine: &Engine| {
        let Some((_, times)) = engine.bugs.iter().find(|(other, _)| other.name == bug.name) else {
            return String::new();
        };
        // What was given up took longest.
        let mut times = times.clone();
        times.sort_by_key(|time| time.unwrap_or(Duration::MAX));
        times[times.len() / 2].map_or_else(|| "-".to_owned(), |time| format!("{:.1}", time.as_secs_f64() * 1e3))
    };
    let operation: Operation = bug.operation;
    [bug.name.to_owned(), operation.to_string()].into_iter().chain(engines.iter().map(of_engine)).collect()
}

fn mean_size(kind: InputKind, count: usize) -> f64 {
    let inputs = inputs(kind, count);
    inputs.iter().map(Input::size).sum::<usize>() as f64 / inputs.len() as f64
}

/// The mean number of running threads of the last minute, where the system tells it.
fn load() -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}
