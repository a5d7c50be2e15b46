//! Ctrl-C: a run that can tells what is known so far.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::Failure;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// What a shell says of a command that was interrupted.
const STATUS: i32 = 130;

/// From here on the first interruption is only noted; the second ends the process.
pub(crate) fn note() -> Result<(), Failure> {
    set(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            process::exit(STATUS);
        }
    })
}

/// From here on an interruption is for others.
pub(crate) fn ignore() -> Result<(), Failure> {
    set(|| ())
}

fn set(handler: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    ctrlc::set_handler(handler).map_err(|error| format!("interruptions cannot be waited for: {error}"))
}

/// Why the run is to stop, if it is.
pub(crate) fn stopped() -> Option<String> {
    INTERRUPTED.load(Ordering::Relaxed).then(|| "interrupted".to_owned())
}
