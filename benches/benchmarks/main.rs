//! What the loop costs beside the crates that it asks, what a second core is worth, and how soon a planted bug is found:
//! `cargo bench --bench benchmarks -- --write BENCHMARKS.md`. Without `--write` the document is printed; `--only PART` measures one
//! part of it.
//!
//! Where there is a valgrind, instructions are counted, which other work on the machine does not change; else it is ratios of
//! times that stand side by side.

mod bare;
#[path = "../../tests/it/answers/bugs/mod.rs"]
mod bugs;
#[path = "../by_hand/mod.rs"]
mod by_hand;
mod clock;
mod cores;
mod count;
mod discovery;
mod gate;
mod harness;
#[path = "../least/mod.rs"]
mod least;
mod libfuzzer;
#[path = "../../tests/it/mutants/mod.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod mutants;
mod report;
mod stages;
mod standard;
mod table;
mod work;

use std::env;
use std::fs;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use count::has_valgrind;
use table::{BenchmarkSheet, Document};
use work::INPUTS;

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

/// Measures a part.
type Measure = fn(&Effort, &mut BenchmarkSheet);

/// The parts by name, in the order of their rows.
const PARTS: [(&str, Measure); 9] = [
    ("loop", stages::measure),
    ("standard", standard::measure),
    ("check", gate::measure),
    ("sweep", cores::measure_sweeps),
    ("processes", cores::measure_processes),
    ("fuzzer", libfuzzer::measure),
    ("report", report::measure),
    ("tests", harness::measure),
    ("bugs", discovery::measure),
];

fn main() {
    if count::is_counted() || report::is_made() {
        return;
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let effort = if arguments.iter().any(|argument| argument == "--bench") {
        WHOLE
    } else {
        TINY
    };
    let value = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        Some(arguments.get(at + 1).unwrap_or_else(|| panic!("{flag} wants a value")).as_str())
    };
    let (file, only) = (value("--write"), value("--only"));
    assert!(
        file.is_none() || only.is_none(),
        "a part is no document: --only prints it"
    );
    let text = document(&effort, only);
    match file {
        Some(file) => fs::write(file, text).unwrap_or_else(|error| panic!("{file}: {error}")),
        None => print!("{text}"),
    }
}

fn document(effort: &Effort, only: Option<&str>) -> String {
    let started = Instant::now();
    let names = PARTS.map(|(name, _)| name);
    assert!(
        only.is_none_or(|only| names.contains(&only)),
        "--only is one of {}",
        names.join(", ")
    );
    let mut sheet = BenchmarkSheet::default();
    for (name, measure) in PARTS {
        if only.is_none_or(|only| only == name) {
            measure(effort, &mut sheet);
        }
    }
    let mut document = Document::default();
    document.paragraph("# Benchmarks");
    document.paragraph(&format!(
        "Written by `{COMMAND}` in {} minutes, on {} cores{}. {}",
        started.elapsed().as_secs().div_ceil(60),
        available_parallelism().map_or(1, usize::from),
        load().map(|load| format!(", other work among it (load {load} at the end)")).unwrap_or_default(),
        if effort.is_whole && has_valgrind() {
            "Instructions and allocations are counted by valgrind; times are by the clock, and CPU time is what the processor \
             worked."
        } else {
            "Nothing is counted by valgrind: ratios are of times."
        }
    ));
    document.quantities(&sheet.rows);
    if !sheet.missing.is_empty() {
        document.heading("Not measured");
        document.list(&sheet.missing);
    }
    document.add(&sheet.sections);
    document.text()
}

/// The least of so many times of each of two, which are taken in turn: what else the machine does slows both.
fn in_turn(times: usize, one: impl Fn() -> Duration, two: impl Fn() -> Duration) -> [Duration; 2] {
    let both = (0..times).map(|_| [one(), two()]);
    both.reduce(|least, new| [least[0].min(new[0]), least[1].min(new[1])]).unwrap_or_default()
}

/// The mean number of running threads of the last minute, where the system tells it.
fn load() -> Option<String> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}
