//! Notices a subject in this process that hangs, by the processor time of the thread that called it: neither a slow machine nor
//! our own work counts.

use std::time::Duration;
use std::{env, fs, thread};

use uriproof::ask::{self, Call};

/// How much processor time one answer may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Sets another limit, in milliseconds, so that tests need not wait.
const LIMIT_VARIABLE: &str = "URIPROOF_HANG_MS";

/// How often a call is looked at in the time of the limit.
const SAMPLES: u32 = 20;

/// After how many looks in a row that find it asleep a call hangs.
const ASLEEP: u32 = 60;

/// After how many looks a call hangs if the processor time of its thread cannot be read.
const BLIND: u32 = 120;

/// How much processor time an answer of a subject in a process of ours may take.
pub(crate) fn limit() -> Duration {
    let set = env::var(LIMIT_VARIABLE).ok().and_then(|milliseconds| milliseconds.parse().ok());
    set.map_or(LIMIT, Duration::from_millis)
}

/// Watches the calls into subjects of this process. The first that hangs is passed to `hangs`, in words.
pub(crate) fn watch(limit: Duration, hangs: impl FnOnce(&str) + Send + 'static) {
    thread::spawn(move || {
        let mut watched: Vec<Watched> = Vec::new();
        let reason = loop {
            thread::sleep((limit / SAMPLES).max(Duration::from_millis(5)));
            let mut known = std::mem::take(&mut watched);
            for call in ask::calls() {
                let before = known.iter().position(|one| one.call.is(&call)).map(|at| known.swap_remove(at));
                watched.extend(Watched::again(before, call));
            }
            if let Some(reason) = watched.iter().find_map(|one| one.hang(limit)) {
                break reason;
            }
        };
        hangs(&reason);
    });
}

/// A call, and what was seen of it.
struct Watched {
    call: Call,
    /// The processor time of the thread when the call was seen first, and now.
    used: Option<(Duration, Duration)>,
    looks: u32,
    asleep: u32,
}

impl Watched {
    /// Looks at a call once more, if it still lasts.
    fn again(before: Option<Watched>, call: Call) -> Option<Watched> {
        let seen = call.thread().and_then(Thread::of);
        // What is read of the thread is of this call only if the call outlasts the reading.
        if !call.lasts() {
            return None;
        }
        let now = seen.as_ref().map(|thread| thread.used);
        let Some(before) = before else {
            return Some(Watched {
                call,
                used: now.zip(now),
                looks: 0,
                asleep: 0,
            });
        };
        let is_asleep = seen.is_some_and(|thread| thread.sleeps && before.used.map(|(_, last)| last) == now);
        Some(Watched {
            call,
            used: before.used.map(|(first, _)| first).zip(now),
            looks: before.looks + 1,
            asleep: if is_asleep { before.asleep + 1 } else { 0 },
        })
    }

    /// Why the call hangs, if it does.
    fn hang(&self, limit: Duration) -> Option<String> {
        let seconds = |looks: u32| (limit * looks / SAMPLES).as_secs_f64();
        match self.used {
            Some((first, now)) if now.saturating_sub(first) >= limit => {
                let seconds = limit.as_secs_f64();
                Some(format!("no answer within {seconds} s of processor time"))
            }
            Some(_) if self.asleep >= ASLEEP => Some(format!(
                "no answer, and no processor time used, for {} s",
                seconds(ASLEEP)
            )),
            None if self.looks >= BLIND => Some(format!("no answer within {} s", seconds(BLIND))),
            Some(_) | None => None,
        }
    }
}

/// What the system says of a thread of this process.
struct Thread {
    /// Its processor time.
    used: Duration,
    /// Whether it waits for something that is no disk.
    sleeps: bool,
}

impl Thread {
    /// Only Linux says it.
    fn of(number: u64) -> Option<Thread> {
        /// The unit of the times, which Linux fixes at a hundredth of a second for programs.
        const TICK: Duration = Duration::from_millis(10);
        let stat = fs::read_to_string(format!("/proc/self/task/{number}/stat")).ok()?;
        // The name before may hold anything.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |at: usize| fields.get(at)?.parse::<u32>().ok();
        Some(Thread {
            used: TICK * ticks(11)?.checked_add(ticks(12)?)?,
            sleeps: *fields.first()? == "S",
        })
    }
}
