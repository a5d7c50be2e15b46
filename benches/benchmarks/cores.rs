//! Enumeration, and what a second core is worth.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;
use uriproof_lab::machines::Machines;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};

use crate::bare::{self, SEVEN};
use crate::clock::of_process;
use crate::count::bare_calls;

/// Enough for some seconds.
const COPIED_ROUNDS: usize = 5_000;

/// What a sweep has come to.
pub(crate) struct Swept {
    /// How many different characters the strings are made of, by the fewest and the most of a subject's own rule.
    pub(crate) classes: (usize, usize),
    /// How many strings there are; of subjects with different rules the mean.
    pub(crate) strings: f64,
    /// How long it took.
    pub(crate) time: Duration,
    /// How long the processors worked on it.
    pub(crate) work: Duration,
}

/// Every string of up to `longest` characters put to each of the seven, components compared, on so many threads.
pub(crate) fn sweep(machines: &Machines, longest: usize, threads: usize) -> Swept {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("there are threads");
    let (start, before) = (Instant::now(), of_process());
    let mut strings = 0;
    let mut classes = Vec::new();
    for subject in SEVEN {
        let mut sweep = Sweep::new(SweepPlan::of(subject, machines, (longest, Depth::Components), None));
        pool.install(|| while sweep.go_on(machines, (subject, None), |_| (), &|| false) {});
        strings += sweep.score().answers();
        classes.push(machines.text(subject.declaration().rules[0]).machine().classes());
    }
    Swept {
        classes: (
            classes.iter().copied().min().unwrap_or_default(),
            classes.iter().copied().max().unwrap_or_default(),
        ),
        strings: strings as f64 / SEVEN.len() as f64,
        time: start.elapsed(),
        work: of_process() - before,
    }
}

/// How long a processor works on every string of up to `longest` of these characters, put to the crates alone, and how many there
/// are.
pub(crate) fn bare_sweep(characters: &[char], longest: usize) -> (Duration, u64) {
    fn put(text: &mut String, characters: &[char], longest: usize) -> u64 {
        bare::parse(text);
        if text.chars().count() == longest {
            return 1;
        }
        let longer = characters.iter().map(|character| {
            text.push(*character);
            let strings = put(text, characters, longest);
            text.pop();
            strings
        });
        1 + longer.sum::<u64>()
    }
    let before = of_process();
    let strings = put(&mut String::new(), characters, longest);
    (of_process() - before, strings)
}

/// How long `uriproof hunt` takes for so many batches with so many processes, with the seven.
pub(crate) fn hunt(batches: u64, processes: usize) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uriproof"));
    command.args([
        "hunt",
        "--batches",
        &batches.to_string(),
        "--processes",
        &processes.to_string(),
    ]);
    for subject in SEVEN {
        command.args(["--subject", &subject.declaration().label()]);
    }
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("the program is built");
    // 1 is news, which the ledger does not explain.
    assert!(matches!(status.code(), Some(0 | 1)), "hunt: {status}");
    start.elapsed()
}

/// How long so many copies of this program take that each put every input to the crates alone, one beside the other: what they
/// share is the machine.
pub(crate) fn copies(count: usize) -> Duration {
    let start = Instant::now();
    let copies: Vec<Child> = (0..count).map(|_| bare_calls(COPIED_ROUNDS)).collect();
    for mut copy in copies {
        let status = copy.wait().expect("it was started");
        assert!(status.success(), "the bare calls: {status}");
    }
    start.elapsed()
}
