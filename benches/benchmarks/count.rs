//! Instructions and allocations, counted by valgrind: this program runs itself under it.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use crate::least::least;
use crate::work::{INPUTS, InputKind, Stage, inputs, work};

/// The argument before the name of a stage, the name of a kind and the number of rounds.
pub(crate) const WORK: &str = "--work";

/// Whether there is a valgrind.
pub(crate) fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Does what [`WORK`] names, if it is there.
pub(crate) fn is_counted() -> bool {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [flag, stage, kind, rounds] = arguments.as_slice() else {
        return false;
    };
    if flag != WORK {
        return false;
    }
    let stage = Stage::from_name(stage).expect("a stage");
    let kind = InputKind::ALL.into_iter().find(|one| one.name() == kind).expect("a kind");
    work(stage, kind, &inputs(kind, INPUTS), rounds.parse().expect("a number"));
    true
}

/// Starts this program again, to put the inputs of `parse` to the crates alone in so many rounds.
pub(crate) fn bare_calls(rounds: usize) -> Child {
    let mut command = Command::new(env::current_exe().expect("this program has a path"));
    command.args([WORK, Stage::Bare.name(), InputKind::Parse.name(), &rounds.to_string()]);
    command.stdout(Stdio::null()).spawn().expect("this program can be started again")
}

/// Instructions for an input of a kind at a stage.
pub(crate) fn instructions(stage: Stage, kind: InputKind) -> Result<f64, String> {
    per_input(|rounds| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("callgrind.out");
        let out = format!("--callgrind-out-file={}", file.display());
        valgrind(&["--tool=callgrind", &out], stage, kind, rounds)?;
        let counted = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let total = counted.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
        total.and_then(|total| total.trim().parse().ok()).ok_or_else(|| "callgrind gives no total".to_owned())
    })
}

/// Blocks that are allocated for an input of a kind at a stage.
pub(crate) fn allocations(stage: Stage, kind: InputKind) -> Result<f64, String> {
    per_input(|rounds| {
        let output = valgrind(&["--tool=dhat", "--dhat-out-file=/dev/null"], stage, kind, rounds)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // `==1== Total:     1,234 bytes in 56 blocks`
        let total = said.lines().find(|line| line.contains("Total:")).and_then(|line| line.rsplit(' ').nth(1));
        total.and_then(|total| total.replace(',', "").parse().ok()).ok_or_else(|| "dhat gives no total".to_owned())
    })
}

/// Nanoseconds for an input of a kind at a stage.
pub(crate) fn nanoseconds(stage: Stage, kind: InputKind, count: usize, times: usize) -> f64 {
    let inputs = inputs(kind, count);
    // What is made once is not of an input.
    work(stage, kind, &inputs, 1);
    least(times, || work(stage, kind, &inputs, 1)).as_secs_f64() * 1e9 / count as f64
}

/// The difference of two runs leaves out what is done once.
fn per_input(total: impl Fn(usize) -> Result<u64, String>) -> Result<f64, String> {
    const FEW: usize = 2;
    const MANY: usize = 12;
    let more = total(MANY)?.saturating_sub(total(FEW)?);
    Ok(more as f64 / (INPUTS * (MANY - FEW)) as f64)
}

fn valgrind(options: &[&str], stage: Stage, kind: InputKind, rounds: usize) -> Result<Output, String> {
    let itself = env::current_exe().map_err(|error| format!("this program is nowhere: {error}"))?;
    let output = Command::new("valgrind")
        .args(options)
        .arg(itself)
        .args([WORK, stage.name(), kind.name(), &rounds.to_string()])
        .output()
        .map_err(|error| format!("valgrind cannot be run: {error}"))?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(format!("valgrind: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
