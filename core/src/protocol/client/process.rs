//! A process that speaks the line protocol: its streams, how it ends, and what it leaves behind.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};
use std::{mem, process, thread};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::super::messages::LONGEST_LINE;
use super::running::{HUNG, RUN_VARIABLE, end_marked, is_over, own_mark, running};
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

/// A running process, with a thread for each of its three streams: none of them can block us.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    /// It, and what it has started, as far as it was looked for; none before the first look.
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
            members: Vec::new(),
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
    pub(super) fn scheduled(&mut self) -> Option<Scheduled> {
        if self.members.is_empty() {
            self.look_for_members();
        }
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
                Err(error) => break format!("ended, and how is unknown: {error}"),
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
