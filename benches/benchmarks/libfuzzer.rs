//! The fuzz target `parse` as libFuzzer runs it, beside a target that does nothing. Both are built by `fuzz/run`, without a
//! sanitizer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How many seconds a run takes.
const SECONDS: u32 = 10;

/// How many runs there are of each, in turn: the fastest counts.
const TIMES: usize = 3;

/// How many bytes an input has at most.
pub(crate) const LONGEST: usize = 64;

/// What came of the runs.
pub(crate) struct Fuzzed {
    /// Seconds by the clock for an execution of the target that does nothing.
    pub(crate) empty: f64,
    /// And of the differential target.
    pub(crate) differential: f64,
    /// And of that with `-jobs=2`.
    pub(crate) two_jobs: f64,
    /// How many counters of coverage the differential target has.
    pub(crate) counters: u64,
}

/// Builds both and runs them.
pub(crate) fn measure() -> Result<Fuzzed, String> {
    let (differential, empty) = (build("parse")?, build("empty")?);
    let mut fuzzed = Fuzzed {
        empty: f64::INFINITY,
        differential: f64::INFINITY,
        two_jobs: f64::INFINITY,
        counters: 0,
    };
    for _ in 0..TIMES {
        fuzzed.empty = fuzzed.empty.min(run(&empty, 1)?.0);
        let (time, counters) = run(&differential, 1)?;
        fuzzed.differential = fuzzed.differential.min(time);
        fuzzed.counters = counters;
        fuzzed.two_jobs = fuzzed.two_jobs.min(run(&differential, 2)?.0);
    }
    Ok(fuzzed)
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds a target; gives the program.
fn build(target: &str) -> Result<PathBuf, String> {
    let output = Command::new(root().join("fuzz/run"))
        .args(["--build", target])
        .env("FUZZ_TOOLCHAIN", "stable")
        .env("FUZZ_SANITIZER", "none")
        .output()
        .map_err(|error| format!("fuzz/run: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "fuzz/run --build {target}: {}",
            said.lines().last().unwrap_or_default()
        ));
    }
    Ok(root().join(String::from_utf8_lossy(&output.stdout).trim()))
}

/// Runs a target from its seeds, never to stop on what it finds. Gives the seconds for an execution, and the
/// number of counters.
fn run(program: &Path, jobs: u32) -> Result<(f64, u64), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let corpus = folder.path().join("corpus");
    fs::create_dir(&corpus).map_err(|error| error.to_string())?;
    let mut command = Command::new(program);
    command
        .current_dir(folder.path())
        .env("URIPROOF_FUZZ", "collect")
        .args([&corpus, &root().join("corpus/parse")])
        .args([
            &format!("-max_len={LONGEST}"),
            "-print_final_stats=1",
            &format!("-max_total_time={SECONDS}"),
        ]);
    if jobs > 1 {
        command.args([format!("-jobs={jobs}"), format!("-workers={jobs}")]);
    }
    let output = command.output().map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().last().unwrap_or_default();
        return Err(format!("{}: {}: {last}", program.display(), output.status));
    }
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    if jobs > 1 {
        let logs = (0..jobs).map(|job| fs::read_to_string(folder.path().join(format!("fuzz-{job}.log"))));
        said = logs.collect::<Result<Vec<_>, _>>().map_err(|error| format!("fuzz-*.log: {error}"))?.concat();
    }
    let number_after = |line: &str, word: &str| -> Option<u64> {
        line.split_once(word)?.1.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let executions: u64 = said.lines().filter_map(|line| number_after(line, "stat::number_of_executed_units:")).sum();
    // `INFO: Loaded 1 modules   (9071 inline 8-bit counters): ...`
    let counters = said
        .lines()
        .find_map(|line| line.contains("inline 8-bit counters").then(|| number_after(line, "modules   (")).flatten());
    if executions == 0 {
        return Err(format!("{} tells of no executions", program.display()));
    }
    Ok((f64::from(SECONDS) / executions as f64, counters.unwrap_or_default()))
}
