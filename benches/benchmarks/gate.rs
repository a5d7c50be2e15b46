//! The gate of a fast crate as its author runs it: `check` of the vectors and the core suites, with a baseline, in all. Its CPU time
//! counts, which other work on the machine does not change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use uriproof::compare::Verdict;
use uriproof::gate::Baseline;
use uriproof::model::{Reading, Subject};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_subjects as subjects;

use crate::Effort;
use crate::clock::of_children;
use crate::least::least;
use crate::table::{BenchmarkSheet, Quantity};

/// The entry point.
const SUBJECT: &dyn Subject = &subjects::fluent_uri::UriRef;

/// Measures the vectors, and what a `check` of a fast crate costs.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    sheet.rows.push(vectors_row(effort));
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let baseline = folder.path().join("uriproof.toml");
    let written = check(&baseline, &["--write-baseline"]).wait().expect("it was started");
    assert!(written.success(), "check --write-baseline: {written}");
    let runs = (0..effort.times).map(|_| {
        let (start, before) = (Instant::now(), of_children());
        let status = check(&baseline, &[]).wait().expect("it was started");
        assert!(status.success(), "check: {status}");
        // Where the system does not say how long a processor worked, it is no longer than the clock says.
        before.zip(of_children()).map_or_else(|| start.elapsed(), |(before, after)| after - before)
    });
    let time = runs.min().unwrap_or_default();
    let lines = lines(&baseline);
    sheet.rows.push(Quantity::bound(
        format!(
            "`check` of `{}` with a baseline of {lines} lines, the vectors and the core suites, in all, CPU time",
            SUBJECT.declaration().label()
        ),
        format!("{:.2} s", time.as_secs_f64()),
        "1.5 s",
        time < Duration::from_millis(1500),
    ));
    match most_memory(check(&baseline, &[])) {
        Some(mebibytes) => sheet.rows.push(Quantity::bound(
            "the most memory that it and the processes that it starts have, looked at every millisecond",
            format!("{:.0} MB", mebibytes * 1.048_576),
            "200 MB",
            mebibytes * 1.048_576 < 200.0,
        )),
        None => sheet.missing.push("the memory of `check`: the system has no /proc".to_owned()),
    }
    let embedded = Library::embedded_size() as f64 / 1e6;
    sheet.rows.push(Quantity::bound(
        "the vectors and suites that are embedded, compressed",
        format!("{embedded:.2} MB"),
        "2 MB",
        embedded < 2.0,
    ));
}

/// Starts a `check` with a baseline.
fn check(baseline: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uriproof"));
    command
        .args(["check", "--subject", &SUBJECT.declaration().label(), "--baseline"])
        .arg(baseline)
        .args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program is built")
}

/// How many vectors and groups a baseline has.
pub(crate) fn lines(baseline: &Path) -> usize {
    let text = fs::read_to_string(baseline).expect("it was written");
    Baseline::read(baseline, &text).expect("it is one").lines.len()
}

/// The most memory that a process and those that it starts have at one time until it ends, in MiB, where the system says so.
fn most_memory(mut child: Child) -> Option<f64> {
    let mut most = None;
    while child.try_wait().expect("it was started").is_none() {
        // It says so no more when it has ended.
        most = most.max(memory(child.id()));
        sleep(Duration::from_millis(1));
    }
    Some(most? as f64 / 1024.0)
}

/// The memory of a process and of those that it has started, in KiB.
fn memory(process: u32) -> Option<u64> {
    let folder = PathBuf::from(format!("/proc/{process}"));
    let own = resident(&fs::read_to_string(folder.join("status")).ok()?)?;
    let threads = fs::read_dir(folder.join("task")).ok()?.flatten();
    let children = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let of_children =
        children.flat_map(|ids| ids.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>());
    Some(own + of_children.filter_map(memory).sum::<u64>())
}

/// The memory that a process has now, in KiB, by its `status`.
fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

/// The whole curated suite, from what is embedded to the last verdict.
fn vectors_row(effort: &Effort) -> Quantity {
    let count = Library::embedded().vectors().count();
    let time = least(effort.times, || {
        let library = Library::embedded();
        let verdicts = library.vectors().map(|vector| run::vector(SUBJECT, vector, Reading::Rfc3986).verdict);
        verdicts.filter(|verdict| matches!(verdict, Verdict::Diverge(_))).count()
    });
    Quantity::bound(
        format!(
            "every vector ({count}) read and put to `{}`, one thread",
            SUBJECT.declaration().label()
        ),
        format!("{:.2} s", time.as_secs_f64()),
        "1 s",
        time < Duration::from_secs(1),
    )
}
