//! A run survives its subjects: it works in a child process. If that process dies, or a subject hangs in it, the guard finds the
//! subjects that cause it, and repeats the run with each of them in a process of its own.

use std::ffi::OsString;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use std::{env, process, thread};

use clap::Args;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use uriproof::files;
use uriproof::protocol::client;

use crate::cli::{RunError, hang, interrupt, registry, scheme_rules, warn};

/// Hidden options by which a guarded run starts its processes.
#[derive(Args)]
pub(crate) struct GuardArguments {
    /// Do the work in this process
    #[arg(long, hide = true, global = true)]
    pub(crate) here: bool,
    /// Run the subject with this label in a process of its own; repeatable
    #[arg(long, hide = true, global = true, value_name = "LABEL")]
    pub(crate) apart: Vec<String>,
    /// Run only the subject with this label; print and write nothing
    #[arg(
        long = "try-alone",
        id = "try-alone",
        hide = true,
        global = true,
        value_name = "LABEL"
    )]
    pub(crate) probe: Option<String>,
    /// End with the process that has this id, which started this one
    #[arg(long, hide = true, global = true, value_name = "PID")]
    pub(crate) parent: Option<u32>,
}

static PROBED: OnceLock<String> = OnceLock::new();

/// The label of the subject that this process is there to try, if it is.
pub(crate) fn probed() -> Option<&'static str> {
    PROBED.get().map(String::as_str)
}

impl GuardArguments {
    /// Makes this process what the guard says. The thread that started a process that `dies_at_once` lives as long as its process.
    pub(crate) fn enter(&self, dies_at_once: bool) {
        if let Some(label) = &self.probe {
            PROBED.get_or_init(|| label.clone());
        }
        if let Some(parent) = self.parent {
            client::inherit_run();
            follow(parent, dies_at_once);
        }
    }
}

/// Ends this process when a subject hangs in it: the process that started it finds out which one.
pub(crate) fn watch_subjects() {
    hang::watch(hang::limit(), |reason| {
        warn(&format!("a subject hangs: {reason}"));
        files::end();
        process::abort();
    });
}

/// Makes a command one of this run: it ends with this process, and what it starts is known by the run.
pub(crate) fn own(command: &mut Command) {
    command.arg("--parent").arg(process::id().to_string());
    command.env(client::RUN_VARIABLE, client::run());
    scheme_rules::pass_on(command);
}

/// Ends this process when the one that started it is gone.
#[cfg(unix)]
fn follow(parent: u32, dies_at_once: bool) {
    use rustix::process::getppid;

    #[cfg(target_os = "linux")]
    if dies_at_once {
        // If that fails, the thread below does it, later.
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = dies_at_once;
    let is_gone = move || getppid().is_none_or(|now| u32::try_from(now.as_raw_nonzero().get()) != Ok(parent));
    let end = || {
        interrupt::end_what_is_open();
        process::exit(2);
    };
    // It may have ended before the signal was set.
    if is_gone() {
        end();
    }
    thread::spawn(move || {
        while !is_gone() {
            thread::sleep(Duration::from_millis(200));
        }
        end();
    });
}

/// Windows ends what a process started when its job ends; no more is done here.
#[cfg(not(unix))]
fn follow(_parent: u32, _dies_at_once: bool) {}

/// Runs this program's command line in another process, once more if subjects kill it.
pub(crate) fn run() -> Result<ExitCode, RunError> {
    interrupt::pass_on();
    let ended = wait(&mut command(&[])?)?;
    let Some(how) = death(ended) else {
        return Ok(exit_code(ended));
    };
    warn(&format!("the run died ({how}); looking for the subject that did it"));
    let labels: Vec<String> = registry::subjects().iter().map(|subject| subject.declaration().label()).collect();
    // Many are tried at once: only those that also die alone on the machine are named.
    let suspects =
        labels.par_iter().map(|label| Ok(dies(label)?.then_some(label))).collect::<Result<Vec<_>, RunError>>()?;
    let mut culprits: Vec<&str> = Vec::new();
    for label in suspects.into_iter().flatten() {
        if dies(label)? {
            culprits.push(label);
        }
    }
    if let Some(signal) = interrupt::signal() {
        return Ok(status_of(signal));
    }
    match culprits.is_empty() {
        true => warn("no subject kills it alone: it is run once more"),
        false => {
            for label in &culprits {
                warn(&format!(
                    "{label} ends the process that calls it: it gets a process of its own"
                ));
            }
        }
    }
    let apart: Vec<&str> = culprits.iter().flat_map(|label| ["--apart", label]).collect();
    let ended = wait(&mut command(&apart)?)?;
    match death(ended) {
        Some(how) if culprits.is_empty() => Err(format!("the run died twice ({how}), and no subject kills it alone")),
        Some(how) => Err(format!(
            "the run died again ({how}), with {} apart",
            culprits.join(", ")
        )),
        None => Ok(exit_code(ended)),
    }
}

/// The ids of the processes that are waited for.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Ids are put there and taken away at once.
fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a process to its end, or until a signal ends it.
fn wait(command: &mut Command) -> Result<ExitStatus, RunError> {
    let failure = |error| format!("it cannot be run again: {error}");
    let mut running = self::running();
    if let Some(signal) = interrupt::signal() {
        process::exit(interrupt::status(signal));
    }
    let mut child = command.spawn().map_err(failure)?;
    running.push(child.id());
    drop(running);
    wait_without_reaping(&child);
    self::running().retain(|&id| id != child.id());
    child.wait().map_err(failure)
}

/// Waits until a process has ended. Its id stays its own until it is reaped, so that no signal goes to another process.
#[cfg(target_os = "linux")]
fn wait_without_reaping(child: &process::Child) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while waitid(WaitId::Pid(Pid::from_child(child)), options).is_err_and(|error| error == rustix::io::Errno::INTR) {}
}

#[cfg(not(target_os = "linux"))]
fn wait_without_reaping(_child: &process::Child) {}

/// Passes a signal on to the processes that are waited for; `before` is how many came before it. At the second they end at once, and
/// at the third they are killed.
#[cfg(unix)]
pub(crate) fn pass_on(signal: i32, before: usize) {
    use rustix::process::{Pid, Signal, kill_process};

    // A terminal sends its signals to those processes too: one that is passed on has a number of its own, and counts once.
    let passed = match before {
        0 if signal == Signal::INT.as_raw() => Signal::USR1,
        0 => Signal::USR2,
        1 => Signal::QUIT,
        _ => Signal::KILL,
    };
    for pid in self::running().iter().filter_map(|&id| Pid::from_raw(i32::try_from(id).ok()?)) {
        // It may have ended already.
        let _ = kill_process(pid, passed);
    }
}

/// Windows sends Ctrl-C to every process of the console.
#[cfg(not(unix))]
pub(crate) fn pass_on(_signal: i32, _before: usize) {}

/// This program with the same arguments, in the process that does the work.
fn command(how: &[&str]) -> Result<Command, RunError> {
    let program = env::current_exe().map_err(|error| format!("the path of this program cannot be had: {error}"))?;
    let mut command = Command::new(program);
    command.arg("--here").args(how);
    own(&mut command);
    command.args(without_parent(env::args_os().skip(1)));
    Ok(command)
}

/// Arguments without the id of the process that started this one, where another process of the run did: the next has this one.
fn without_parent(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--parent" {
            arguments.next();
        } else {
            kept.push(argument);
        }
    }
    kept
}

/// Whether the run dies with one subject alone.
fn dies(label: &str) -> Result<bool, RunError> {
    let mut probe = command(&["--try-alone", label])?;
    probe.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(death(wait(&mut probe)?).is_some())
}

/// How a process died that did not end by itself, and was not ended by the user.
fn death(ended: ExitStatus) -> Option<String> {
    match ended.code() {
        // Windows tells an exception by a code of its own.
        Some(0..=255) => None,
        None if is_wanted(ended) || interrupt::signal().is_some() => None,
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

/// How this process ends: as the one behind it did, or by the signal that ended both.
fn exit_code(ended: ExitStatus) -> ExitCode {
    /// How a process ends at the signals that are passed on, and at Ctrl-C where there are none.
    const ENDED: [u8; 2] = [130, 143];
    let code = ended.code().and_then(|code| u8::try_from(code).ok());
    match (code.filter(|code| !ENDED.contains(code)), interrupt::signal()) {
        (Some(code), _) => ExitCode::from(code),
        (None, Some(signal)) => status_of(signal),
        (None, None) => ExitCode::from(code.unwrap_or(ENDED[0])),
    }
}

fn status_of(signal: i32) -> ExitCode {
    ExitCode::from(u8::try_from(interrupt::status(signal)).unwrap_or(u8::MAX))
}
