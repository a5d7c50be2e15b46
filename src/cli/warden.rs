//! The warden: a process that ends the adapters of a run, and their children, when the run's process is gone, however it ended. It
//! notices by its stdin, which then ends.

use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::{env, mem};

use clap::Args;
use uriproof::protocol::client;

use crate::cli::{Finding, RunError};

#[derive(Args)]
pub(crate) struct Arguments {
    /// The mark of the processes to end
    mark: String,
}

static WARDEN: Mutex<Option<Child>> = Mutex::new(None);

/// Starts the warden of this process, before the first adapter is started. Only on Linux the processes of a run can be found.
pub(crate) fn start() -> Result<(), RunError> {
    let mut warden = WARDEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !cfg!(target_os = "linux") || warden.is_some() {
        return Ok(());
    }
    let program = env::current_exe().map_err(|error| format!("the path of this program cannot be had: {error}"))?;
    let mut command = Command::new(program);
    command.args(["warden", &client::own_mark()]).env_remove(client::RUN_VARIABLE);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // What ends the run from the terminal must not end its warden.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.spawn().map_err(|error| format!("the warden of the run cannot be started: {error}"))?;
    client::adopt_orphans(child.id());
    *warden = Some(child);
    Ok(())
}

/// Lets the warden do its work, and waits for it.
pub(crate) fn end() {
    let warden = mem::take(&mut *WARDEN.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(mut warden) = warden {
        drop(warden.stdin.take());
        // One that was ended by others leaves nothing to wait for.
        let _ = warden.wait();
        client::end_orphans();
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let ended = io::copy(&mut io::stdin().lock().by_ref(), &mut io::sink());
    client::end_marked(&arguments.mark);
    ended.map(|_| Finding::Expected).map_err(|error| format!("stdin cannot be read: {error}"))
}
