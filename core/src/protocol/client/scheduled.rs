//! What the scheduler gave processes, and what an answer took of that: a busy machine makes no answer slow.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// The time of all threads of processes since each of them was started, by the id of the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scheduled(BTreeMap<u32, Time>);

/// A time of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Time {
    /// How long they had a processor.
    ran: Duration,
    /// How long they were ready to run, and others had the processor.
    waited: Duration,
}

impl Scheduled {
    /// The time of the processes with these ids. `None` if the system does not expose it: only Linux does, and not every kernel.
    pub(super) fn of(processes: &[u32]) -> Option<Scheduled> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let times = processes.iter().filter_map(|&process| Some((process, Time::of(process)?)));
        let times: BTreeMap<u32, Time> = times.collect();
        // A process that has started has run: otherwise the kernel does not count.
        times.values().any(|time| !time.ran.is_zero()).then_some(Scheduled(times))
    }

    /// Of the processes that were there before.
    fn since(&self, before: &Scheduled) -> Time {
        let mut all = Time::default();
        for (process, before) in &before.0 {
            if let Some(now) = self.0.get(process) {
                all.ran += now.ran.saturating_sub(before.ran);
                all.waited += now.waited.saturating_sub(before.waited);
            }
        }
        all
    }
}

impl Time {
    /// The time of one process.
    fn of(process: u32) -> Option<Time> {
        let mut all = Time::default();
        for thread in fs::read_dir(format!("/proc/{process}/task")).ok()? {
            // A thread may end while this is read.
            let Ok(line) = fs::read_to_string(thread.ok()?.path().join("schedstat")) else {
                continue;
            };
            let mut nanoseconds = line.split(' ').map_while(|number| number.parse().ok());
            all.ran += Duration::from_nanos(nanoseconds.next()?);
            all.waited += Duration::from_nanos(nanoseconds.next()?);
        }
        Some(all)
    }

    /// Whether a process was at work for most of a time, or would have been: it neither slept nor left the work to another.
    fn is_of(self, clock: Duration) -> bool {
        self.ran + self.waited >= clock / 2
    }
}

/// What an answer took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// The time from the request to the answer.
    pub(super) clock: Duration,
    /// What the processes were given in that time, if that is known.
    pub(super) scheduled: Option<Time>,
}

impl Cost {
    /// Of a process with this time before the request and after the answer.
    pub(super) fn new(clock: Duration, before: Option<&Scheduled>, after: Option<&Scheduled>) -> Cost {
        let scheduled = before.zip(after).map(|(before, after)| after.since(before));
        Cost { clock, scheduled }
    }

    /// How long the answer takes on a machine with nothing else to do: the processor time of processes that were at work; of those that
    /// slept, the clock without the time in which others had the processor.
    pub(super) fn alone(self) -> Duration {
        match self.scheduled {
            None => self.clock,
            Some(scheduled) if scheduled.is_of(self.clock) => scheduled.ran,
            Some(scheduled) => self.clock.saturating_sub(scheduled.waited),
        }
    }

    /// Whether an answer that has not come in this time is late: the process had the processor for as long as the limit allows, or
    /// does not want it. `total` is what it had since the request.
    pub(super) fn is_late(self, total: Option<Time>, limit: Duration) -> bool {
        match (self.scheduled, total) {
            (Some(recent), Some(total)) => total.ran >= limit || !recent.is_of(self.clock),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_millis;

    fn cost(clock: u64, ran: u64, waited: u64) -> Cost {
        let time = Time {
            ran: S(ran),
            waited: S(waited),
        };
        let after = Scheduled([(1, time)].into());
        let before = Scheduled([(1, Time::default())].into());
        Cost::new(S(clock), Some(&before), Some(&after))
    }

    #[test]
    fn the_time_of_all_that_were_there_before_counts() {
        let at = |ran| Time {
            ran: S(ran),
            waited: S(1),
        };
        let before = Scheduled([(1, at(5)), (2, at(100)), (3, at(7))].into());
        let after = Scheduled([(1, at(6)), (2, at(130)), (4, at(10))].into());
        let Time { ran, waited } = after.since(&before);
        assert_eq!((ran, waited), (S(31), S(0)));
    }

    #[test]
    fn an_answer_takes_what_it_takes_alone() {
        for (cost, alone) in [
            (cost(1000, 990, 5), 990),
            // A busy machine.
            (cost(1000, 20, 975), 20),
            // It sleeps, or a process does the work that is not known.
            (cost(1000, 1, 0), 1000),
            (cost(1000, 1, 100), 900),
            (Cost::new(S(1000), None, None), 1000),
        ] {
            assert_eq!(cost.alone(), S(alone), "{cost:?}");
        }
    }

    #[test]
    fn an_answer_is_late_if_its_process_is_not_held_up() {
        let late = |cost: Cost| cost.is_late(cost.scheduled, S(1000));
        assert!(late(cost(1000, 1000, 0)));
        assert!(late(cost(8000, 1001, 6900)));
        assert!(late(cost(1000, 0, 0)));
        assert!(late(Cost::new(S(1000), None, None)));
        assert!(!late(cost(1000, 20, 970)));
        assert!(!late(cost(8000, 900, 7000)));
        // It was at work, and sleeps now.
        assert!(cost(1000, 0, 0).is_late(cost(9000, 500, 7000).scheduled, S(1000)));
    }

    #[test]
    fn the_time_of_this_process_is_known_where_there_is_a_proc() {
        let is_there = std::path::Path::new("/proc/self/schedstat").exists();
        assert_eq!(Scheduled::of(&[std::process::id()]).is_some(), is_there);
        assert_eq!(Scheduled::of(&[u32::MAX]), None);
    }
}
