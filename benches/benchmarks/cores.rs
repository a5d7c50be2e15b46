//! Enumeration, and what a second core is worth.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;
use uriproof::model::Rule;
use uriproof_lab::machines::Machines;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};

use crate::bare::{self, SEVEN};
use crate::clock::of_process;
use crate::count::bare_calls;
use crate::table::{BenchmarkSheet, Document, Quantity};
use crate::{Effort, in_turn};

/// Enough for some seconds.
const COPIED_ROUNDS: usize = 5_000;

/// Measures sweeps.
pub(crate) fn measure_sweeps(effort: &Effort, sheet: &mut BenchmarkSheet) {
    sheet.rows.extend(sweep_rows(&Machines::of_rfc3986(), effort, &mut sheet.sections));
}

/// Measures what a second core is worth, to a hunt and to what shares nothing.
pub(crate) fn measure_processes(effort: &Effort, sheet: &mut BenchmarkSheet) {
    if effort.batches == 0 {
        sheet.missing.push("`hunt` with two processes: not in a test run".to_owned());
        return;
    }
    let [one, two] = in_turn(3 * effort.times, || copies(1), || copies(2));
    sheet.rows.push(Quantity::plain(
        "what a second core is worth here: the bare calls of `parse` in two programs at once, over one after the other",
        format!("{:.2}x", 2.0 * one.as_secs_f64() / two.as_secs_f64()),
    ));
    let timed = |processes| hunt(effort.batches, processes);
    let [one, two] = in_turn(effort.times, || timed(1), || timed(2));
    sheet.rows.push(cores_row(
        &format!("`hunt`, {} batches: two processes against one", effort.batches),
        one,
        two,
    ));
}

fn sweep_rows(machines: &Machines, effort: &Effort, sections: &mut Document) -> Vec<Quantity> {
    // Machines are compiled when they are first asked for.
    sweep(machines, 1, 1);
    let swept = sweep(machines, effort.longest, 2);
    let rate = swept.strings / swept.work.as_secs_f64();
    let text = machines.text(Rule::UriReference);
    let characters: Vec<char> = text.machine().representatives().iter().map(|symbol| text.character(*symbol)).collect();
    let (bare_work, bare_strings) = bare_sweep(&characters, effort.longest_twice);
    let bare_rate = bare_strings as f64 / bare_work.as_secs_f64();
    sections.heading("Every string");
    sections.paragraph(&format!(
        "The seven crates alone, whose answers nothing looks at, take {:.2} million strings for a CPU second here. A bound of 3.5 million \
         with their verdict is {:.1} times of that. A verdict needs what the subject reports, too: that alone costs the ratio of \
         the subjects' own `parse` over the bare calls, which the table has, and leaves next to nothing for the reference and the \
         comparison.",
        bare_rate / 1e6,
        3.5e6 / bare_rate
    ));
    let timed = |threads| sweep(machines, effort.longest_twice, threads).time;
    let [one, two] = in_turn(3 * effort.times, || timed(1), || timed(2));
    let (fewest, most) = swept.classes;
    let symbols = if fewest == most {
        most.to_string()
    } else {
        format!("{fewest} to {most}")
    };
    let strings = format!(
        "every string of up to {} of {symbols} symbols ({:.1} million), put to seven crates, two threads",
        effort.longest,
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
            "the same, strings with their verdict for a CPU second",
            format!("{:.2} million", rate / 1e6),
            "3.5 million",
            rate >= 3.5e6,
        ),
        Quantity::plain(
            format!(
                "the strings of up to {} of them, put to the crates alone, strings for a CPU second",
                effort.longest_twice
            ),
            format!("{:.2} million", bare_rate / 1e6),
        ),
        cores_row(
            &format!("`sweep` to length {}: two threads against one", effort.longest_twice),
            one,
            two,
        ),
    ]
}

fn cores_row(what: &str, one: Duration, two: Duration) -> Quantity {
    let ratio = one.as_secs_f64() / two.as_secs_f64();
    Quantity::bound(what, format!("{ratio:.2}x"), "1.8x", ratio >= 1.8)
}

/// What a sweep has come to.
struct Swept {
    /// How many different characters the strings are made of, by the fewest and the most of a subject's own rule.
    classes: (usize, usize),
    /// How many strings there are; of subjects with different rules the mean.
    strings: f64,
    /// How long it took.
    time: Duration,
    /// How long the processors worked on it.
    work: Duration,
}

/// Every string of up to `longest` characters put to each of the seven, components compared, on so many threads.
fn sweep(machines: &Machines, longest: usize, threads: usize) -> Swept {
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
fn bare_sweep(characters: &[char], longest: usize) -> (Duration, u64) {
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
fn hunt(batches: u64, processes: usize) -> Duration {
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
fn copies(count: usize) -> Duration {
    let start = Instant::now();
    let copies: Vec<Child> = (0..count).map(|_| bare_calls(COPIED_ROUNDS)).collect();
    for mut copy in copies {
        let status = copy.wait().expect("it was started");
        assert!(status.success(), "the bare calls: {status}");
    }
    start.elapsed()
}
