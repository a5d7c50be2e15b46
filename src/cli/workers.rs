//! Batches of a hunt in processes of their own: a subject may kill its process, and the hunt goes on.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::search::hunt::{Batch, Hunt};

use crate::cli::command::Asked;
use crate::cli::{Failure, Finding, guard};

/// How long a batch may take before its process is given up: many times what one takes.
const LIMIT: Duration = Duration::from_secs(120);

/// As [`LIMIT`], where subjects are apart or commands, which may not answer often.
const LIMIT_APART: Duration = Duration::from_secs(1800);

/// Answers the numbers of batches on stdin, one a line, by their results as JSON, a line each, until stdin ends; by why
/// there is none where a command was given up.
pub(crate) fn serve(hunt: Hunt<'_>, asked: &Asked) -> Result<Finding, Failure> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("stdin cannot be read: {error}"))?;
        let number = line.parse().map_err(|_| format!("`{line}` is not the number of a batch"))?;
        let batch = hunt.batch(number);
        let batch = asked.check_lost().map(|()| batch);
        let written = serde_json::to_writer(&mut output, &batch).map_err(io::Error::from);
        // A hunt that has ended reads no more.
        if written.and_then(|()| writeln!(output)).and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    Ok(Finding::Expected)
}

/// What a process searches: which subjects it asks, and as [`Hunt`].
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    /// The labels of the built-in subjects.
    pub(crate) labels: &'a [String],
    /// The flags that select the commands, if there are any.
    pub(crate) commands: &'a [String],
    pub(crate) seed: u64,
    pub(crate) every_input: bool,
}

/// A process that works on batches.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    lines: Receiver<io::Result<String>>,
    limit: Duration,
}

/// Why a batch has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The process died; this is how.
    Died(String),
    /// It took too long.
    Late,
    /// A command was given up; this is why.
    GivenUp(String),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Died(how) | Lost::GivenUp(how) => f.write_str(how),
            Lost::Late => f.write_str("no answer"),
        }
    }
}

impl Worker {
    /// Starts a process for a search, in which some of the subjects are in processes of their own.
    pub(crate) fn start(search: Search<'_>, apart: &BTreeSet<String>) -> Result<Worker, Failure> {
        let failure = |error: &dyn fmt::Display| format!("a worker cannot be started: {error}");
        let program = std::env::current_exe().map_err(|error| failure(&error))?;
        let mut command = Command::new(program);
        command.args(["hunt", "--worker", "--seed", &search.seed.to_string()]);
        if search.every_input {
            command.arg("--every-input");
        }
        for label in search.labels {
            command.args(["--subject", &globset::escape(label)]);
        }
        command.args(search.commands);
        for label in apart {
            command.args(["--apart", label]);
        }
        guard::own(&mut command);
        // What a dying process prints is not news: how it died is told with the input that killed it.
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failure(&error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failure(&"it has no pipes"));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let limit = match apart.is_empty() && search.commands.is_empty() {
            true => LIMIT,
            false => LIMIT_APART,
        };
        Ok(Worker {
            child,
            input,
            lines,
            limit,
        })
    }

    /// What comes of a batch.
    pub(crate) fn batch(&mut self, number: u64) -> Result<Batch, Lost> {
        if writeln!(self.input, "{number}").is_err() {
            return Err(self.died());
        }
        match self.lines.recv_timeout(self.limit) {
            Ok(Ok(line)) => serde_json::from_str::<Result<Batch, String>>(&line)
                .map_err(|error| Lost::Died(format!("it said no batch: {error}")))?
                .map_err(Lost::GivenUp),
            Ok(Err(error)) => Err(Lost::Died(format!("it cannot be read: {error}"))),
            Err(RecvTimeoutError::Disconnected) => Err(self.died()),
            Err(RecvTimeoutError::Timeout) => Err(Lost::Late),
        }
    }

    fn died(&mut self) -> Lost {
        Lost::Died(match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The labels of the built-in subjects that lose a batch alone.
pub(crate) fn culprits(search: Search<'_>, number: u64) -> Result<Vec<String>, Failure> {
    let mut culprits = Vec::new();
    for label in search.labels {
        let labels = std::slice::from_ref(label);
        let alone = Search {
            labels,
            commands: &[],
            ..search
        };
        let mut worker = Worker::start(alone, &BTreeSet::new())?;
        if worker.batch(number).is_err() {
            culprits.push(label.clone());
        }
    }
    Ok(culprits)
}
