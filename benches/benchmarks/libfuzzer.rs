//! The fuzz target `parse` as libFuzzer runs it, beside one that is written by hand and one that does nothing. All are built by
//! `fuzz/run`, without a sanitizer, with counters in the same crates, and begin with the same files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use uriproof_lab::targets::{Target, hash};

use crate::Effort;
use crate::table::{BenchmarkSheet, Quantity};

/// How many seconds a run takes.
const SECONDS: u32 = 10;

/// How many runs there are of each, in turn: the fastest counts.
const TIMES: usize = 3;

/// How many bytes an input has at most.
const LONGEST: usize = 64;

/// Seconds by the clock for an execution of each target.
struct ExecutionTimes {
    /// The target that does nothing.
    empty: f64,
    /// The one that is written by hand.
    by_hand: f64,
    /// Ours, which counts what diverges.
    ours: f64,
    /// Ours, which stops on news.
    stopping: Result<f64, String>,
    /// Ours, with `-jobs=2`.
    two_jobs: f64,
    /// How many counters of coverage ours has.
    counters: u64,
    /// Of an execution of ours, what the crates, the reference and the comparison take.
    asking: f64,
}

/// What a run of a target reports.
struct FuzzFigures {
    /// Seconds by the clock for an execution.
    time: f64,
    /// How many counters of coverage it has.
    counters: u64,
    /// Of the time of an execution, what our code measured for the crates, the reference and the comparison; nothing in a target that is
    /// not ours.
    asking: f64,
}

/// How a target is run.
#[derive(Clone, Copy)]
struct FuzzRun<'a> {
    program: &'a Path,
    jobs: u32,
    mode: &'static str,
}

/// Measures the target `parse`.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    let measured = if effort.is_whole {
        times()
    } else {
        Err("not in a test run".to_owned())
    };
    match measured {
        Ok(times) => {
            sheet.rows.extend(rows(&times));
            sheet.sections.heading("The fuzz target");
            sheet.sections.paragraph(
                "The target by hand parses with the seven crates and compares their components with each other. Ours also runs the \
                 reference, compares each crate with every outcome that conforms, prints what was parsed and parses it again, and \
                 takes a signature of each difference, so that it knows what is new; libFuzzer's counters are in all of this code.",
            );
            let own = times.ours - times.asking;
            sheet.sections.paragraph(&format!(
                "Of the {:.1} us of an execution of ours, the crates, the reference and the comparison take {:.1} us, and libFuzzer {:.1} us: it \
                 reads {} counters, and keeps more inputs, since there is more to tell apart. An execution of the one by hand takes {:.1} us in \
                 all. If to parse and to compare cost nothing, ours would have {:.2}x of its executions, so that the rest of the way to 0.8x is \
                 code without counters, which libFuzzer could not be led by.",
                times.ours * 1e6,
                times.asking * 1e6,
                own * 1e6,
                times.counters,
                times.by_hand * 1e6,
                times.by_hand / own
            ));
            if let Err(error) = times.stopping {
                sheet.missing.push(format!("the libFuzzer target `parse` as it stops on news: {error}"));
            }
        }
        Err(error) => sheet.missing.push(format!(
            "the libFuzzer target `parse` beside one written by hand and an empty one, its counters, and `-jobs=2`: {error}"
        )),
    }
}

fn rows(times: &ExecutionTimes) -> Vec<Quantity> {
    let rate = times.by_hand / times.ours;
    let jobs = times.ours / times.two_jobs;
    let microseconds = |time: f64| format!("{:.1} us", time * 1e6);
    let mut rows = vec![Quantity::bound(
        format!(
            "executions a second of the libFuzzer target `parse` ({}, of up to {LONGEST} bytes; it prints what was parsed, too) over one \
             written by hand ({})",
            microseconds(times.ours),
            microseconds(times.by_hand)
        ),
        format!("{rate:.2}x"),
        "0.8x",
        rate >= 0.8,
    )];
    if let Ok(stopping) = times.stopping {
        rows.push(Quantity::plain(
            format!(
                "the same, where it stops on news ({}), so that each divergence is held against a profile",
                microseconds(stopping)
            ),
            format!("{:.2}x", times.by_hand / stopping),
        ));
    }
    rows.extend([
        Quantity::plain(
            "time for an execution of it, over that of an empty target",
            format!("{:.0}x", times.ours / times.empty),
        ),
        Quantity::bound(
            "its counters of coverage",
            times.counters.to_string(),
            "12000",
            times.counters <= 12_000,
        ),
        Quantity::bound(
            "its executions with `-jobs=2` over those of one process",
            format!("{jobs:.2}x"),
            "2x",
            jobs >= 2.0,
        ),
    ]);
    rows
}

/// Builds the targets and runs them.
fn times() -> Result<ExecutionTimes, String> {
    let (ours, by_hand, empty) = (build("parse")?, build("by_hand")?, build("empty")?);
    let mut times = ExecutionTimes {
        empty: f64::INFINITY,
        by_hand: f64::INFINITY,
        ours: f64::INFINITY,
        stopping: Ok(f64::INFINITY),
        two_jobs: f64::INFINITY,
        counters: 0,
        asking: 0.0,
    };
    let counting = |program, jobs| FuzzRun {
        program,
        jobs,
        mode: "collect",
    };
    for _ in 0..TIMES {
        times.empty = times.empty.min(counting(&empty, 1).run()?.time);
        times.by_hand = times.by_hand.min(counting(&by_hand, 1).run()?.time);
        let figures = counting(&ours, 1).run()?;
        if figures.time < times.ours {
            (times.ours, times.asking) = (figures.time, figures.asking);
        }
        times.counters = figures.counters;
        let stopping = FuzzRun {
            mode: "abort",
            ..counting(&ours, 1)
        };
        times.stopping = times.stopping.and_then(|least| Ok(least.min(stopping.run()?.time)));
        times.two_jobs = times.two_jobs.min(counting(&ours, 2).run()?.time);
    }
    Ok(times)
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

/// Writes the seeds of the target `parse` to a folder, under the names that it gives them.
fn write_seeds(folder: &Path) -> Result<(), String> {
    let target = Target::named("parse").expect("the target is there");
    let files = target.seeds(&uriproof_cli::known::ledger()).files;
    let write = |text: &String| fs::write(folder.join(format!("seed-{:016x}", hash(text.bytes()))), text);
    files.iter().try_for_each(write).map_err(|error| error.to_string())
}

impl FuzzRun<'_> {
    /// Runs the target from its seeds.
    fn run(self) -> Result<FuzzFigures, String> {
        let FuzzRun { program, jobs, mode } = self;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let corpus = folder.path().join("corpus");
        fs::create_dir(&corpus).map_err(|error| error.to_string())?;
        write_seeds(&corpus)?;
        let mut command = Command::new(program);
        command
            .current_dir(folder.path())
            .env("URIPROOF_FUZZ", mode)
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
        let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            let line = said.lines().find(|line| line.starts_with("news of ")).or(said.lines().last());
            return Err(format!("{}: {}", output.status, line.unwrap_or_default()));
        }
        if jobs > 1 {
            let logs = (0..jobs).map(|job| fs::read_to_string(folder.path().join(format!("fuzz-{job}.log"))));
            said = logs.collect::<Result<Vec<_>, _>>().map_err(|error| format!("fuzz-*.log: {error}"))?.concat();
        }
        figures(&said).ok_or_else(|| format!("{} reports no executions", program.display()))
    }
}

/// What libFuzzer and our code printed of a run; `None` if nothing was executed.
fn figures(said: &str) -> Option<FuzzFigures> {
    let number_after = |line: &str, word: &str| -> Option<u64> {
        line.split_once(word)?.1.trim_start().split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let executions: u64 = said.lines().filter_map(|line| number_after(line, "stat::number_of_executed_units:")).sum();
    // `INFO: Loaded 1 modules   (9071 inline 8-bit counters): ...`
    let counters = said
        .lines()
        .find_map(|line| line.contains("inline 8-bit counters").then(|| number_after(line, "modules   (")).flatten());
    // `1025796 inputs, 6.4 us each: ...`
    let asked = |line: &str| -> Option<f64> {
        let (inputs, rest) = line.split_once(" inputs, ")?;
        let (each, _) = rest.split_once(" us each: ")?;
        Some(inputs.parse::<f64>().ok()? * each.parse::<f64>().ok()? * 1e-6)
    };
    (executions > 0).then(|| FuzzFigures {
        time: f64::from(SECONDS) / executions as f64,
        counters: counters.unwrap_or_default(),
        asking: said.lines().filter_map(asked).sum::<f64>() / executions as f64,
    })
}
