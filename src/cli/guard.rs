//! A run survives what its subjects do: it goes in a process of its own. Where that dies, or a subject hangs in it, the
//! subjects that do it are found, and the run goes again with each of them in a process of its own.

use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, process, thread};

use clap::Args;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::ask;
use crate::cli::{Failure, interrupt, registry, warn};

/// How the processes of a guarded run are told what they are.
#[derive(Args)]
pub(crate) struct Guard {
    /// Do the work in this process
    #[arg(long, hide = true, global = true)]
    pub(crate) here: bool,
    /// Put the subject with this label into a process of its own; repeatable
    #[arg(long, hide = true, global = true, value_name = "LABEL")]
    pub(crate) apart: Vec<String>,
    /// Ask the subject with this label alone, and print and write nothing
    #[arg(
        long = "try-alone",
        id = "try-alone",
        hide = true,
        global = true,
        value_name = "LABEL"
    )]
    pub(crate) probe: Option<String>,
}

static PROBED: OnceLock<String> = OnceLock::new();

/// The label of the subject that this process is there to try, if it is.
pub(crate) fn probed() -> Option<&'static str> {
    PROBED.get().map(String::as_str)
}

impl Guard {
    /// Makes this process what the guard says.
    pub(crate) fn enter(&self) {
        if let Some(label) = &self.probe {
            PROBED.get_or_init(|| label.clone());
        }
        if self.here {
            thread::spawn(watch);
        }
    }
}

/// Runs this program's command line in another process, once more if subjects kill it.
pub(crate) fn run() -> Result<ExitCode, Failure> {
    // Who is interrupted is the process that does the work, and this one says how it ended.
    interrupt::ignore()?;
    let ended = command(&[])?.status().map_err(|error| format!("it cannot be run again: {error}"))?;
    let Some(how) = death(ended) else {
        return Ok(exit_code(ended));
    };
    warn(&format!("the run died ({how}); looking for the subject that did it"));
    let labels: Vec<String> = registry::subjects().iter().map(|subject| subject.declaration().label()).collect();
    let culprits = culprits(&labels)?;
    if culprits.is_empty() {
        return Err(format!("the run died ({how}), and no subject kills it alone"));
    }
    for label in &culprits {
        warn(&format!(
            "{label} kills the process that asks it: it is asked in one of its own"
        ));
    }
    let apart: Vec<&str> = culprits.iter().flat_map(|label| ["--apart", label]).collect();
    let ended = command(&apart)?.status().map_err(|error| format!("it cannot be run again: {error}"))?;
    match death(ended) {
        Some(how) => Err(format!(
            "the run died again ({how}), with {} apart",
            culprits.join(", ")
        )),
        None => Ok(exit_code(ended)),
    }
}

/// This program with the same arguments, in the process that does the work.
fn command(how: &[&str]) -> Result<Command, Failure> {
    let program = env::current_exe().map_err(|error| format!("the path of this program cannot be had: {error}"))?;
    let mut command = Command::new(program);
    command.arg("--here").args(how).args(env::args_os().skip(1));
    Ok(command)
}

/// The labels of the subjects with which alone the run dies.
fn culprits(labels: &[String]) -> Result<Vec<String>, Failure> {
    let tried: Vec<Option<String>> = labels
        .par_iter()
        .map(|label| {
            let mut probe = command(&["--try-alone", label])?;
            probe.stdout(Stdio::null()).stderr(Stdio::null());
            let ended = probe.status().map_err(|error| format!("it cannot be run again: {error}"))?;
            Ok(death(ended).map(|_| label.clone()))
        })
        .collect::<Result<_, Failure>>()?;
    Ok(tried.into_iter().flatten().collect())
}

/// How a process died that did not end by itself, and was not ended by the user.
fn death(ended: ExitStatus) -> Option<String> {
    match ended.code() {
        // Windows tells an exception by a code of its own.
        Some(0..=255) => None,
        None if is_wanted(ended) => None,
        _ => Some(ended.to_string()),
    }
}

/// Whether the user, or the end of a pipe, ended a process.
#[cfg(unix)]
fn is_wanted(ended: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const HANGUP: i32 = 1;
    const INTERRUPT: i32 = 2;
    const PIPE: i32 = 13;
    const TERMINATE: i32 = 15;
    matches!(ended.signal(), Some(HANGUP | INTERRUPT | PIPE | TERMINATE))
}

#[cfg(not(unix))]
fn is_wanted(_ended: ExitStatus) -> bool {
    false
}

fn exit_code(ended: ExitStatus) -> ExitCode {
    /// What a shell says of a command that was interrupted.
    const INTERRUPTED: u8 = 130;
    let code = ended.code().and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(INTERRUPTED))
}

/// For how many seconds a subject may not answer.
static PATIENCE: AtomicU64 = AtomicU64::new(10);

/// Subjects in other processes are waited for: for an answer, and for one that is started again.
pub(crate) fn wait_for(limit: Duration) {
    PATIENCE.fetch_add(2 * limit.as_secs(), Ordering::Relaxed);
}

/// Ends this process where a subject does not answer any more: nothing that is done between answers takes long.
fn watch() {
    let mut last = (ask::answers(), Instant::now());
    loop {
        thread::sleep(Duration::from_millis(500));
        let answers = ask::answers();
        if answers != last.0 {
            last = (answers, Instant::now());
        } else if last.1.elapsed().as_secs() >= PATIENCE.load(Ordering::Relaxed) {
            let patience = PATIENCE.load(Ordering::Relaxed);
            warn(&format!("a subject has not answered for {patience} s"));
            process::abort();
        }
    }
}
