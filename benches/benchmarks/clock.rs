//! Time: of the clock, and of the processor.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least time by the clock of several: other work on the machine can only make a time seem longer.
pub(crate) fn least<T>(times: usize, mut work: impl FnMut() -> T) -> Duration {
    (0..times)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

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
