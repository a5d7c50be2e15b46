//! SIGINT, SIGTERM and SIGHUP (Ctrl-C on Windows): what a process of ours does at them.
//!
//! Every command ends its adapters and itself at the first one, and leaves no part of a file. A command that can print what is known
//! so far [notes](note) the first: it waits a second for the answer that is pending. It ends at the second. A guard passes them on to the process behind it.

use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use uriproof::files;
use uriproof::protocol::client;

use crate::cli::{RunError, guard};

const INTERRUPT: i32 = 2;

/// What a process does at a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SignalMode {
    /// Ends its adapters and itself.
    End,
    /// Notes the first, and ends at the second.
    Note,
    /// Passes it on to the processes that it waits for.
    PassOn,
    /// Nothing: it ends with the process that started it.
    Ignore,
}

static MODE: Mutex<SignalMode> = Mutex::new(SignalMode::End);
static FIRST: OnceLock<i32> = OnceLock::new();

/// From here on the first signal is noted, and ends no more than what does not answer; the second ends the process.
pub(crate) fn note() -> Result<(), RunError> {
    set(SignalMode::Note);
    Ok(())
}

/// From here on signals are for the processes that this one waits for.
pub(crate) fn pass_on() {
    set(SignalMode::PassOn);
}

fn set(mode: SignalMode) {
    *self::mode() = mode;
}

/// A mode is put there at once.
fn mode() -> MutexGuard<'static, SignalMode> {
    MODE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first signal that came, if one did.
pub(crate) fn signal() -> Option<i32> {
    FIRST.get().copied()
}

/// Whether the run is to stop.
pub(crate) fn is_stopped() -> bool {
    signal().is_some()
}

/// Why the run is to stop, if it is.
pub(crate) fn stopped() -> Option<String> {
    let word = |signal| {
        if signal == INTERRUPT {
            "interrupted"
        } else {
            "terminated"
        }
    };
    signal().map(|signal| word(signal).to_owned())
}

/// What a shell says of a command that a signal ended.
pub(crate) fn status(signal: i32) -> i32 {
    128 + signal
}

/// A signal has come: from outside, or passed on by the guard.
fn came(signal: i32, is_passed_on: bool) {
    /// How many have come.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    // The mode is held to the end: nothing else begins.
    let mode = mode();
    let before = COUNT.fetch_add(1, Ordering::Relaxed);
    FIRST.get_or_init(|| signal);
    match *mode {
        SignalMode::Ignore => {}
        SignalMode::Note if before == 0 => client::stop(),
        // A terminal sends a signal to this process and to its guard.
        SignalMode::Note if is_passed_on => {}
        SignalMode::Note | SignalMode::End => end(signal),
        SignalMode::PassOn => guard::pass_on(signal, before),
    }
}

/// Ends this process by a signal.
fn end(signal: i32) -> ! {
    end_what_is_open();
    process::exit(status(FIRST.get().copied().unwrap_or(signal)));
}

/// Ends what must not outlast this process, which ends now: the files that it writes, and its adapters.
pub(crate) fn end_what_is_open() {
    files::end();
    client::end_all();
}

/// Waits for signals from here on.
#[cfg(unix)]
pub(crate) fn listen(mode: SignalMode, has_guard: bool) -> Result<(), RunError> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::iterator::Signals;

    set(mode);
    let mut signals = vec![SIGINT, SIGTERM];
    // `nohup` is obeyed.
    if !ignores_hangup() {
        signals.push(SIGHUP);
    }
    if has_guard {
        signals.extend([SIGUSR1, SIGUSR2, SIGQUIT]);
    }
    let mut signals = Signals::new(signals).map_err(|error| format!("signals cannot be waited for: {error}"))?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGUSR1 => came(SIGINT, true),
                SIGUSR2 => came(SIGTERM, true),
                SIGQUIT => {
                    let _mode = self::mode();
                    end(SIGTERM)
                }
                signal => came(signal, false),
            }
        }
    });
    Ok(())
}

/// Whether this process was started to ignore SIGHUP. Only Linux says it.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

/// Waits for signals from here on.
#[cfg(not(unix))]
pub(crate) fn listen(mode: SignalMode, _has_guard: bool) -> Result<(), RunError> {
    set(mode);
    ctrlc::set_handler(|| came(INTERRUPT, false)).map_err(|error| format!("signals cannot be waited for: {error}"))
}
