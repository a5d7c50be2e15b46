//! Batches of a hunt in processes of their own: a subject may kill its process, and the hunt goes on.

use std::io::{self, BufRead, BufReader, Write};
use std::ops::Range;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use uriproof::model::Subject;
use uriproof::search::hunt::{self, Batch};

use crate::{Failure, Finding};

/// How long a batch may take before its process is given up: many times what one takes.
const LIMIT: Duration = Duration::from_secs(120);

/// Answers batches on stdin, `NUMBER START END` a line, by their results as JSON, a line each, until stdin ends.
pub(crate) fn serve(subjects: &[&dyn Subject], seed: u64) -> Result<Finding, Failure> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("stdin cannot be read: {error}"))?;
        let numbers: Vec<u64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
        let &[number, start, end] = &numbers[..] else {
            return Err(format!(
                "`{line}` is no batch: a number, and the first and the last input"
            ));
        };
        let part = usize::try_from(start).unwrap_or_default()..usize::try_from(end).unwrap_or_default();
        let batch = hunt::batch(subjects, seed, number, part);
        let written = serde_json::to_writer(&mut output, &batch).map_err(io::Error::from);
        // A hunt that has ended reads no more.
        if written.and_then(|()| writeln!(output)).and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    Ok(Finding::Expected)
}

/// A process that works on batches.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    lines: Receiver<io::Result<String>>,
}

/// Why a batch has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The process died; this is how.
    Died(String),
    /// It took too long.
    Late,
}

impl Worker {
    /// Starts a process for the subjects with these labels.
    pub(crate) fn start(labels: &[String], seed: u64) -> Result<Worker, Failure> {
        let failure = |error: &dyn std::fmt::Display| format!("a worker cannot be started: {error}");
        let program = std::env::current_exe().map_err(|error| failure(&error))?;
        let mut command = Command::new(program);
        command.args(["hunt", "--worker", "--seed", &seed.to_string()]);
        for label in labels {
            command.args(["--subject", &globset::escape(label)]);
        }
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
        Ok(Worker { child, input, lines })
    }

    /// What comes of a part of a batch.
    pub(crate) fn batch(&mut self, number: u64, part: Range<usize>) -> Result<Batch, Lost> {
        if writeln!(self.input, "{number} {} {}", part.start, part.end).is_err() {
            return Err(self.died());
        }
        match self.lines.recv_timeout(LIMIT) {
            Ok(Ok(line)) => {
                serde_json::from_str(&line).map_err(|error| Lost::Died(format!("it said no batch: {error}")))
            }
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

/// The inputs of a lost batch that are each enough to lose it, by the label of the subject that does: of every subject the
/// first.
pub(crate) fn culprits(labels: &[String], seed: u64, number: u64) -> Result<Vec<(String, usize, Lost)>, Failure> {
    let mut culprits = Vec::new();
    for label in labels {
        let lost = |part: Range<usize>| -> Result<Option<Lost>, Failure> {
            Ok(Worker::start(std::slice::from_ref(label), seed)?.batch(number, part).err())
        };
        let Some(mut how) = lost(0..hunt::BATCH)? else { continue };
        let mut part = 0..hunt::BATCH;
        while part.len() > 1 {
            let middle = part.start + part.len() / 2;
            match lost(part.start..middle)? {
                Some(lost) => {
                    how = lost;
                    part.end = middle;
                }
                None => part.start = middle,
            }
        }
        culprits.push((label.clone(), part.start, how));
    }
    Ok(culprits)
}
