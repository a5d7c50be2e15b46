//! Time of the processor.

use std::fs;
use std::time::Duration;

/// How long the processor has worked on this thread so far.
pub(crate) fn of_thread() -> Duration {
    of(rustix::time::ClockId::ThreadCPUTime)
}

/// How long the processors have worked on this process so far.
pub(crate) fn of_process() -> Duration {
    of(rustix::time::ClockId::ProcessCPUTime)
}

/// How long the processors have worked on the processes that this one has started and waited for, and on theirs; where the system
/// says so, which counts in hundredths of a second.
pub(crate) fn of_children() -> Option<Duration> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name may hold spaces; the state of the process follows it, and is the third field.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_secs_f64(
        ticks as f64 / rustix::param::clock_ticks_per_second() as f64,
    ))
}

fn of(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}
