//! A process that speaks the line protocol: its streams, how it ends, and what it leaves behind.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};

use super::last_words;
use super::messages::LONGEST_LINE;
use super::scheduled::{Cost, Scheduled};
use crate::model::Quoted;

/// Whose group of processes a process belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Its own, with all that it starts.
    Own,
    /// Ours: it starts none, and what ends us from the terminal ends it too.
    Ours,
}

/// Why there is no answer.
pub(super) enum Failure {
    /// The process died, or broke the protocol.
    Crashed(String),
    /// It took too long.
    TimedOut(String),
}

impl Failure {
    pub(super) fn broke(problem: &str, line: &str) -> Failure {
        Failure::Crashed(format!("broke the protocol: {problem}: {}", Quoted(line)))
    }

    pub(super) fn reason(&self) -> &str {
        match self {
            Failure::Crashed(reason) | Failure::TimedOut(reason) => reason,
        }
    }
}

/// A running process, with a thread for each of its three streams: none of them can block us.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    requests: Sender<String>,
    lines: Receiver<Line>,
    last_words: Receiver<String>,
}

/// What came on standard output.
enum Line {
    Whole(Vec<u8>),
    /// The beginning of a line that is longer than [`LONGEST_LINE`].
    TooLong(Vec<u8>),
}

/// How much of a line that is too long is kept, in bytes.
const BEGINNING: usize = 4096;

/// How long a process whose output has ended may take to end itself, before it is ended.
const DYING: Duration = Duration::from_secs(2);

impl Process {
    pub(super) fn spawn(command: &[OsString], family: Family, memory: Option<u64>) -> Result<Process, String> {
        if command.is_empty() {
            return Err("a command is a program and its arguments, and this one is empty".to_owned());
        }
        let limited = memory.map(|bytes| limited(command, bytes)).transpose()?;
        let words = limited.as_deref().unwrap_or(command);
        let mut wrapped = CommandWrap::with_new(&words[0], |command| {
            command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        if family == Family::Own {
            #[cfg(unix)]
            wrapped.wrap(ProcessGroup::leader());
            #[cfg(windows)]
            wrapped.wrap(JobObject);
        }
        let mut child = wrapped.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        let (stdin, stdout, stderr) = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err("its standard streams cannot be had".to_owned());
        };
        let (requests, asked) = channel();
        // A process that talks without being asked is held up, and takes no memory of ours.
        let (answered, lines) = sync_channel(16);
        let (said, last_words) = sync_channel(1);
        thread::spawn(move || write_lines(stdin, &asked));
        thread::spawn(move || read_lines(stdout, &answered));
        thread::spawn(move || {
            // Nobody listens any more where the process was dropped.
            let _ = said.send(last_words::of(stderr));
        });
        Ok(Process {
            child,
            requests,
            lines,
            last_words,
        })
    }

    pub(super) fn send(&self, request: String) {
        // The end of the process shows on its output.
        let _ = self.requests.send(request);
    }

    pub(super) fn receive(&mut self, limit: Duration) -> Result<String, Failure> {
        match self.wait(limit) {
            Ok(Line::Whole(line)) => String::from_utf8(line).map_err(|error| {
                let line = String::from_utf8_lossy(error.as_bytes()).into_owned();
                Failure::broke("not UTF-8", &line)
            }),
            Ok(Line::TooLong(start)) => Err(Failure::broke(
                &format!("a line is longer than {LONGEST_LINE} bytes"),
                &String::from_utf8_lossy(&start),
            )),
            Err(RecvTimeoutError::Timeout) => {
                Err(Failure::TimedOut(format!("no answer within {} s", limit.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(Failure::Crashed(self.post_mortem())),
        }
    }

    /// Waits for a line for as long as the limit allows, and longer while other processes keep this one from its work.
    fn wait(&self, limit: Duration) -> Result<Line, RecvTimeoutError> {
        // What comes soon needs no measurement.
        let soon = limit / 8;
        let first = match self.lines.recv_timeout(soon) {
            Err(RecvTimeoutError::Timeout) => self.scheduled(),
            received => return received,
        };
        let (mut before, mut time) = (first, limit - soon);
        loop {
            let since = Instant::now();
            let received = self.lines.recv_timeout(time);
            let now = self.scheduled();
            let total = Cost::new(limit, first, now).scheduled;
            if !matches!(received, Err(RecvTimeoutError::Timeout))
                || Cost::new(since.elapsed(), before, now).is_late(total, limit - soon)
            {
                return received;
            }
            (before, time) = (now, limit);
        }
    }

    /// The time that the process has had, without those that it started. `None` if the system does not expose it.
    pub(super) fn scheduled(&self) -> Option<Scheduled> {
        Scheduled::of(self.child.id())
    }

    /// Why a process died whose output has ended.
    fn post_mortem(&mut self) -> String {
        let since = Instant::now();
        let end = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break cause(status),
                Ok(None) if since.elapsed() < DYING => thread::sleep(Duration::from_millis(2)),
                Ok(None) => break "closed its output without an answer".to_owned(),
                Err(error) => break format!("ended, and how cannot be told: {error}"),
            }
        };
        self.end();
        match self.last_words.recv_timeout(DYING) {
            Ok(words) if !words.is_empty() => format!("{end}: {words}"),
            _ => end,
        }
    }

    /// Ends the process and all that belongs to it, and waits for it.
    fn end(&mut self) {
        // Both fail where nothing of it is left, and that is what is wanted.
        let _ = self.child.start_kill();
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

/// How a process ended. Whether it left a core file depends on the machine, and is not told.
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

fn read_lines(stdout: impl Read, lines: &SyncSender<Line>) {
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
                Line::TooLong(line)
            }
            Ok(_) if is_whole && line.trim_ascii().is_empty() => continue,
            Ok(_) if is_whole => {
                line.pop();
                Line::Whole(line)
            }
            Ok(_) | Err(_) => return,
        };
        if lines.send(line).is_err() || too_long {
            return;
        }
    }
}
