//! A process that speaks the line protocol: its streams, how it ends, and what it leaves behind.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};
use std::{env, mem, process, thread};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::super::messages::LONGEST_LINE;
use super::scheduled::{Cost, Scheduled};
use super::{last_words, process_tree};
use crate::model::Quoted;

/// Whose group of processes a process belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessFamily {
    /// Its own, with all that it starts.
    Own,
    /// Ours: it starts none, and what ends us from the terminal ends it too.
    Ours,
}

/// Why there is no answer.
pub(super) enum NoAnswer {
    /// The process died, or broke the protocol.
    Crashed(String),
    /// It took too long.
    TimedOut(String),
    /// The run is to end, and it had not answered by then.
    Stopped,
}

impl NoAnswer {
    pub(super) fn broke(problem: &str, line: &str) -> NoAnswer {
        NoAnswer::Crashed(format!("broke the protocol: {problem}: {}", Quoted(line)))
    }

    pub(super) fn reason(&self) -> &str {
        match self {
            NoAnswer::Crashed(reason) | NoAnswer::TimedOut(reason) => reason,
            NoAnswer::Stopped => "the run was stopped before it answered",
        }
    }
}

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
fn is_over(since: Instant) -> bool {
    STOPPED.get().is_some_and(|stopped| stopped.elapsed().min(since.elapsed()) >= GRACE)
}

/// What runs now, and is ended with this process.
struct Running {
    has_ended: bool,
    started: u64,
    groups: BTreeSet<u32>,
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
fn running() -> MutexGuard<'static, Running> {
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

/// A running process, with a thread for each of its three streams: none of them can block us.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    /// It, and what it has started, as far as it was looked for.
    members: Vec<u32>,
    family: ProcessFamily,
    mark: String,
    has_ended: bool,
    requests: Sender<String>,
    lines: Receiver<OutputLine>,
    last_words: Receiver<String>,
}

/// What came on standard output.
enum OutputLine {
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than [`LONGEST_LINE`].
    TooLong(Vec<u8>),
}

/// How much of a line that is too long is kept, in bytes.
const BEGINNING: usize = 4096;

/// How long a process whose output has ended may take to end itself, before it is ended: one that ends takes far less on a slow
/// machine too.
const DYING: Duration = Duration::from_secs(10);

impl Process {
    pub(super) fn spawn(command: &[OsString], family: ProcessFamily, memory: Option<u64>) -> Result<Process, String> {
        if command.is_empty() {
            return Err("a command is a program and its arguments, and this one is empty".to_owned());
        }
        let limited = memory.map(|bytes| limited(command, bytes)).transpose()?;
        let words = limited.as_deref().unwrap_or(command);
        let mut running = running();
        running.started += 1;
        let mark = format!("{}/{}", own_mark(), running.started);
        let mut wrapped = CommandWrap::with_new(&words[0], |command| {
            command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.env(RUN_VARIABLE, &mark);
            if family == ProcessFamily::Ours {
                command.arg("--parent").arg(process::id().to_string());
            }
        });
        if family == ProcessFamily::Own {
            #[cfg(unix)]
            wrapped.wrap(ProcessGroup::leader());
            #[cfg(windows)]
            wrapped.wrap(JobObject);
        }
        let mut child = wrapped.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        if family == ProcessFamily::Own {
            running.groups.insert(child.id());
        }
        drop(running);
        let (stdin, stdout, stderr) = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err("its standard streams cannot be had".to_owned());
        };
        let (requests, asked) = channel();
        // A process that writes without a request blocks, and takes no memory of ours.
        let (answered, lines) = sync_channel(16);
        let (said, last_words) = sync_channel(1);
        thread::spawn(move || write_lines(stdin, &asked));
        thread::spawn(move || read_lines(stdout, &answered));
        thread::spawn(move || {
            // Nobody listens any more where the process was dropped.
            let _ = said.send(last_words::of(stderr));
        });
        Ok(Process {
            members: vec![child.id()],
            child,
            family,
            mark,
            has_ended: false,
            requests,
            lines,
            last_words,
        })
    }

    pub(super) fn send(&self, request: String) {
        // The end of the process shows on its output.
        let _ = self.requests.send(request);
    }

    pub(super) fn receive(&mut self, limit: Duration) -> Result<String, NoAnswer> {
        let since = Instant::now();
        match self.wait(limit, since) {
            Ok(OutputLine::Whole(line)) => String::from_utf8(line).map_err(|error| {
                let line = String::from_utf8_lossy(error.as_bytes()).into_owned();
                NoAnswer::broke("not UTF-8", &line)
            }),
            Ok(OutputLine::TooLong(start)) => Err(NoAnswer::broke(
                &format!("a line is longer than {LONGEST_LINE} bytes"),
                &String::from_utf8_lossy(&start),
            )),
            Err(RecvTimeoutError::Timeout) if is_over(since) => Err(NoAnswer::Stopped),
            Err(RecvTimeoutError::Timeout) => Err(NoAnswer::TimedOut(format!(
                "no answer within {} s",
                limit.as_secs_f64()
            ))),
            Err(RecvTimeoutError::Disconnected) => Err(self.post_mortem()),
        }
    }

    /// Waits for a line for as long as the limit allows, and longer while other processes keep this one from its work.
    fn wait(&mut self, limit: Duration, since: Instant) -> Result<OutputLine, RecvTimeoutError> {
        // What comes soon needs no measurement.
        let soon = limit / 8;
        let first = match self.line(soon, since) {
            Err(RecvTimeoutError::Timeout) if !is_over(since) => {
                self.look_for_members();
                self.scheduled()
            }
            received => return received,
        };
        let (mut before, mut time) = (first.clone(), limit - soon);
        loop {
            let begin = Instant::now();
            let received = self.line(time, since);
            let now = self.scheduled();
            let total = Cost::new(limit, first.as_ref(), now.as_ref()).scheduled;
            if !matches!(received, Err(RecvTimeoutError::Timeout))
                || is_over(since)
                || Cost::new(begin.elapsed(), before.as_ref(), now.as_ref()).is_late(total, limit - soon)
            {
                return received;
            }
            (before, time) = (now, limit);
        }
    }

    /// Waits for a line, until the run is stopped. That a process has ended is noticed though one that it started keeps its output
    /// open.
    fn line(&mut self, limit: Duration, since: Instant) -> Result<OutputLine, RecvTimeoutError> {
        /// How long is waited before it is looked at whether the process has ended.
        const LOOK: Duration = Duration::from_millis(200);
        let begin = Instant::now();
        loop {
            let left = limit.saturating_sub(begin.elapsed());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) if left > LOOK && !is_over(since) => {}
                received => return received,
            }
            if let Ok(Some(_)) = self.exit_status() {
                // What it has written may still have to be read.
                return self.lines.recv_timeout(DYING).map_err(|_| RecvTimeoutError::Disconnected);
            }
        }
    }

    /// The time that the process has had, and what it has [started](Process::look_for_members). `None` if the system does not expose
    /// it.
    pub(super) fn scheduled(&self) -> Option<Scheduled> {
        Scheduled::of(&self.members)
    }

    /// Looks for the processes that this one has started.
    pub(super) fn look_for_members(&mut self) {
        let mut members = BTreeSet::from([self.child.id()]);
        process_tree::add_started(&mut members, &process_tree::processes());
        self.members = members.into_iter().collect();
    }

    /// The exit status of the process, if it has ended. Its group is not looked at: once [orphans are adopted](adopt_orphans), a group
    /// holds other children of ours, and `process-wrap` loses the status of the first where another lives on.
    fn exit_status(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.inner_mut().try_wait()
    }

    /// Why a process died whose output has ended.
    fn post_mortem(&mut self) -> NoAnswer {
        // That everything was ended is no failure of this.
        drop(running());
        let since = Instant::now();
        let mut hung = false;
        let end = loop {
            match self.exit_status() {
                Ok(Some(status)) => {
                    hung = self.family == ProcessFamily::Ours && status.code() == Some(HUNG);
                    break cause(status);
                }
                Ok(None) if since.elapsed() < DYING => thread::sleep(Duration::from_millis(2)),
                Ok(None) => break "closed its output without an answer".to_owned(),
                Err(error) => break format!("ended, and how cannot be told: {error}"),
            }
        };
        self.end();
        match self.last_words.recv_timeout(DYING) {
            Ok(words) if hung => NoAnswer::TimedOut(words),
            Ok(words) if !words.is_empty() => NoAnswer::Crashed(format!("{end}: {words}")),
            _ => NoAnswer::Crashed(end),
        }
    }

    /// Ends the process and all that belongs to it, and waits for it.
    fn end(&mut self) {
        if mem::replace(&mut self.has_ended, true) {
            return;
        }
        if self.family == ProcessFamily::Own {
            // Before it: what has left its group is found below it.
            end_marked(&self.mark);
        }
        // Both fail where nothing of it is left, and that is what is wanted.
        let _ = self.child.start_kill();
        // Its number can be another's as soon as it was waited for.
        running().groups.remove(&self.child.id());
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// The command under a limit of address space: the shell sets it, and becomes the program.
fn limited(command: &[OsString], bytes: u64) -> Result<Vec<OsString>, String> {
    if !cfg!(unix) {
        return Err("only Unix can limit the memory of a process".to_owned());
    }
    let kibibytes = (bytes / 1024).to_string();
    let shell = ["/bin/sh", "-c", r#"ulimit -v "$0" && exec "$@""#, &kibibytes];
    Ok(shell.into_iter().map(OsString::from).chain(command.iter().cloned()).collect())
}

/// How a process ended. Whether it left a core file depends on the machine, and is not reported.
fn cause(status: ExitStatus) -> String {
    let text = status.to_string();
    let text = text.strip_suffix(" (core dumped)").unwrap_or(&text);
    match text.strip_prefix("signal: ") {
        Some(signal) => format!("killed by signal {signal}"),
        None => format!("ended with {text}"),
    }
}

fn write_lines(mut stdin: impl Write, requests: &Receiver<String>) {
    for mut request in requests {
        request.push('\n');
        if stdin.write_all(request.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: impl Read, lines: &SyncSender<OutputLine>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        let is_whole = line.ends_with(b"\n");
        let too_long = !is_whole && line.len() as u64 == LONGEST_LINE;
        // A line without an end is what a process that died left behind: how it died says more.
        let line = match read {
            Ok(_) if too_long => {
                line.truncate(BEGINNING);
                OutputLine::TooLong(line)
            }
            Ok(_) if is_whole && line.trim_ascii().is_empty() => continue,
            Ok(_) if is_whole => {
                line.pop();
                OutputLine::Whole(line)
            }
            Ok(_) | Err(_) => return,
        };
        if lines.send(line).is_err() || too_long {
            return;
        }
    }
}
