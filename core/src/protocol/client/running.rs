//! The processes of a run: how they are marked, found and ended.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use std::{env, process, thread};

use super::process_tree;

/// The environment variable that marks the processes of a run, and all that they start: children that leave the group of their
/// adapter are found by it. Its value is a path: of the run, of the process that started an adapter, of that adapter.
pub const RUN_VARIABLE: &str = "URIPROOF_RUN";

/// The exit status of a process of ours that ended itself because its subject hangs; the reason is its last line.
pub const HUNG: i32 = 124;

static RUN: OnceLock<String> = OnceLock::new();

/// The mark of this run.
pub fn run() -> &'static str {
    RUN.get_or_init(|| {
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
        let own = format!("{}-{now}", process::id());
        // One that is itself an adapter of another run ends with that too.
        env::var(RUN_VARIABLE).map_or_else(|_| own.clone(), |outer| format!("{outer}/{own}"))
    })
}

/// Makes this process one of the run that started it.
pub fn inherit_run() {
    if let Ok(run) = env::var(RUN_VARIABLE) {
        RUN.get_or_init(|| run);
    }
}

/// The mark of what this process starts.
pub fn own_mark() -> String {
    format!("{}/{}", run(), process::id())
}

/// When the run was stopped.
static STOPPED: OnceLock<Instant> = OnceLock::new();

/// How long a question that is pending when the run is stopped may take.
const GRACE: Duration = Duration::from_secs(1);

/// From here on no answer is waited for longer than a second: a process that gives none by then gets no question any more. What it
/// would have answered is not known, and is no timeout.
pub fn stop() {
    STOPPED.get_or_init(Instant::now);
}

/// Whether an answer that has been waited for since `since` is not waited for any longer.
pub(super) fn is_over(since: Instant) -> bool {
    STOPPED.get().is_some_and(|stopped| stopped.elapsed().min(since.elapsed()) >= GRACE)
}

/// What runs now, and is ended with this process.
pub(super) struct Running {
    has_ended: bool,
    pub(super) started: u64,
    pub(super) groups: BTreeSet<u32>,
    /// The process that lives on when [orphans are ended](end_orphans), if there are any to end.
    spared: Option<u32>,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    has_ended: false,
    started: 0,
    groups: BTreeSet::new(),
    spared: None,
});

/// What runs now. Once everything was ended, this waits for the end of this process: nothing is started any more, and that a
/// process was ended is nobody's answer.
pub(super) fn running() -> MutexGuard<'static, Running> {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if running.has_ended {
        drop(running);
        loop {
            thread::park();
        }
    }
    running
}

/// Ends every process that this one has started over the protocol, and what they started. It is called when this process is about
/// to end, and by one thread.
pub fn end_all() {
    let mut running = running();
    running.has_ended = true;
    // Before the groups: what has left one is found below its parent.
    end_marked(&own_mark());
    if let Some(spared) = running.spared {
        end_below(spared);
    }
    #[cfg(unix)]
    for &group in &running.groups {
        if let Some(pid) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
            // Nothing may be left of it.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
    }
}

/// Makes this process the parent of what its adapters leave behind. A process that has left both its parent and the environment that
/// marks it is found by that alone. Only Linux has it.
///
/// `spared` is a process of this one that [`end_orphans`] and [`end_all`] do not end.
pub fn adopt_orphans(spared: u32) {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok() {
        running().spared = Some(spared);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = spared;
}

/// Ends what adapters have left behind, once [they are adopted](adopt_orphans) and no adapter runs any more.
pub fn end_orphans() {
    let spared = running().spared;
    if let Some(spared) = spared {
        end_below(spared);
    }
}

/// Ends every process below this one but `spared`.
#[cfg(target_os = "linux")]
fn end_below(spared: u32) {
    end_found(|| {
        let mut found = BTreeSet::from([process::id()]);
        let others: Vec<u32> = process_tree::processes().into_iter().filter(|pid| *pid != spared).collect();
        process_tree::add_started(&mut found, &others);
        found.remove(&process::id());
        found
    });
}

#[cfg(not(target_os = "linux"))]
fn end_below(_spared: u32) {}

/// Ends every process that has a mark, or one below it, in its environment, and what these have started. Only Linux shows the
/// environment of a process.
#[cfg(target_os = "linux")]
pub fn end_marked(mark: &str) {
    end_found(|| marked(mark));
}

/// Ends the processes that `find` finds, until it finds none.
#[cfg(target_os = "linux")]
fn end_found(find: impl Fn() -> BTreeSet<u32>) {
    use rustix::process::{Pid, Signal, kill_process};

    /// How often it is looked for more: processes may start others while they are being ended.
    const PASSES: usize = 200;
    /// A process has no environment while it becomes another program: it must not be found more often than once.
    const CLEAN: usize = 2;
    let mut clean = 0;
    for _ in 0..PASSES {
        let found = find();
        clean = if found.is_empty() { clean + 1 } else { 0 };
        if clean == CLEAN {
            return;
        }
        for pid in found.into_iter().filter_map(|pid| Pid::from_raw(i32::try_from(pid).ok()?)) {
            // It may have ended already.
            let _ = kill_process(pid, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(not(target_os = "linux"))]
pub fn end_marked(_mark: &str) {}

/// The ids of the processes with a mark, and of those that they have started, but for this one.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> BTreeSet<u32> {
    let entry = format!("{RUN_VARIABLE}={mark}");
    let has_mark = |pid: &u32| {
        // Those of other users cannot be read, nor ended.
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&octet| octet == 0).any(|variable| {
            let rest = variable.strip_prefix(entry.as_bytes());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
        })
    };
    let others: Vec<u32> = process_tree::processes().into_iter().filter(|pid| *pid != process::id()).collect();
    let mut found: BTreeSet<u32> = others.iter().copied().filter(has_mark).collect();
    if !found.is_empty() {
        // One of them may have been started with another environment.
        process_tree::add_started(&mut found, &others);
    }
    found
}
