//! Times by the clock that can be trusted on a machine with other work.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least time of several: other work on the machine can only make a time seem longer.
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

/// A time as it is printed.
pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
