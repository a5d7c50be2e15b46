//! Time of the processor.

use std::time::Duration;

/// How long the processor has worked on this thread so far.
pub(crate) fn of_thread() -> Duration {
    of(rustix::time::ClockId::ThreadCPUTime)
}

/// How long the processors have worked on this process so far.
pub(crate) fn of_process() -> Duration {
    of(rustix::time::ClockId::ProcessCPUTime)
}

fn of(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}
