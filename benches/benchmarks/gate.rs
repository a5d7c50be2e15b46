//! The gate of a fast crate as its author runs it: the vectors and the core suites, in a process of its own.

use std::env;
use std::fs;
use std::process::Command;
use std::time::Instant;

use uriproof::gate::Gate;
use uriproof::model::Subject;
use uriproof::vectors::Library;
use uriproof_subjects as subjects;

use crate::table::Quantity;

/// The only argument of that process.
const GATE: &str = "--gate";

/// The entry point.
const SUBJECT: &dyn Subject = &subjects::fluent_uri::UriRef;

/// Runs the gate if the argument says so, and prints its seconds, its inputs, and the most memory of the process in KiB.
pub(crate) fn is_run() -> bool {
    if !env::args().skip(1).eq([GATE.to_owned()]) {
        return false;
    }
    let start = Instant::now();
    let library = Library::embedded();
    let judgement = Gate::of(SUBJECT).run(&library).expect("no file is read");
    let seconds = start.elapsed().as_secs_f64();
    let of_suites: u64 = judgement.suites.iter().map(|suite| suite.counts.answers()).sum();
    let inputs = of_suites + library.vectors().count() as u64;
    println!("{seconds} {inputs} {}", most_memory().unwrap_or(0));
    true
}

/// The most memory that this process has had, in KiB, where the system says so.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// What a `check` of a fast crate costs.
pub(crate) fn rows(times: usize) -> Vec<Quantity> {
    let runs: Vec<[f64; 3]> = (0..times).map(|_| run()).collect();
    let seconds = runs.iter().map(|run| run[0]).fold(f64::INFINITY, f64::min);
    let inputs = runs[0][1];
    let mebibytes = runs.iter().map(|run| run[2]).fold(0.0, f64::max) / 1024.0;
    let label = SUBJECT.declaration().label();
    let embedded = Library::embedded_size() as f64 / 1e6;
    let mut rows = vec![Quantity::bound(
        format!("the gate of `{label}`: the vectors and the core suites, {inputs} inputs, one thread"),
        format!("{seconds:.2} s"),
        "1.5 s",
        seconds < 1.5,
    )];
    if mebibytes > 0.0 {
        rows.push(Quantity::bound(
            "the most memory of that process",
            format!("{mebibytes:.0} MiB"),
            "200 MB",
            mebibytes * 1.048_576 < 200.0,
        ));
    }
    rows.push(Quantity::bound(
        "the vectors and suites that are embedded, compressed",
        format!("{embedded:.2} MB"),
        "2 MB",
        embedded < 2.0,
    ));
    rows
}

fn run() -> [f64; 3] {
    let program = env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg(GATE).output().expect("this program can be started again");
    let said = String::from_utf8(output.stdout).expect("numbers");
    let numbers: Vec<f64> = said.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    numbers.try_into().expect("three numbers")
}
