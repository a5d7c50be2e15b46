//! Batches of a hunt of built-in subjects, in processes of their own: a subject may kill its process, and the hunt goes on.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};

use uriproof::gate::Claim;
use uriproof::protocol::client::last_words;
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::hunt::{Batch, Hunt};

use crate::cli::{Finding, RunError, guard};

/// Reads the dictionary of the hunt: the first line on stdin. The words are passed, not the files, which may have changed since.
pub(crate) fn dictionary() -> Result<Dictionary, RunError> {
    let mut line = String::new();
    io::stdin().read_line(&mut line).map_err(|error| format!("stdin cannot be read: {error}"))?;
    serde_json::from_str(&line).map_err(|error| format!("the first line on stdin is no dictionary: {error}"))
}

/// Answers the numbers of batches on stdin, one a line, by their results as JSON, a line each, until stdin ends.
pub(crate) fn serve(hunt: Hunt<'_>) -> Result<Finding, RunError> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|error| format!("stdin cannot be read: {error}"))?;
        let number = line.parse().map_err(|_| format!("`{line}` is not the number of a batch"))?;
        let written = serde_json::to_writer(&mut output, &hunt.batch(number)).map_err(io::Error::from);
        // A hunt that has ended reads no more.
        if written.and_then(|()| writeln!(output)).and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    Ok(Finding::Expected)
}

/// What a process searches: its subjects, and the fields of [`Hunt`].
#[derive(Clone, Copy)]
pub(crate) struct WorkerSearch<'a> {
    /// The labels of the subjects.
    pub(crate) labels: &'a [String],
    pub(crate) seed: u64,
    pub(crate) every_input: bool,
    pub(crate) dictionary: &'a Dictionary,
    /// What the subjects are measured by.
    pub(crate) specification: Option<Claim>,
    /// The folder with the ledger, if it is not the one in the program.
    pub(crate) ledger: Option<&'a Path>,
}

/// A process that works on batches.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last_words: Option<JoinHandle<String>>,
}

impl Worker {
    /// Starts a process for a search, in which some of the subjects are in processes of their own.
    pub(crate) fn start(search: WorkerSearch<'_>, apart: &BTreeSet<String>) -> Result<Worker, RunError> {
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
        if let Some(claim) = search.specification {
            command.args(["--specification", claim.name()]);
        }
        if let Some(ledger) = search.ledger {
            command.arg("--ledger").arg(ledger);
        }
        for label in apart {
            command.args(["--apart", label]);
        }
        guard::own(&mut command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| failure(&error))?;
        let (Some(mut input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failure(&"it has no pipes"));
        };
        let words = serde_json::to_string(search.dictionary).map_err(|error| failure(&error))?;
        // A process that has died already is noticed with its first batch.
        let _ = writeln!(input, "{words}");
        Ok(Worker {
            child,
            input,
            output: BufReader::new(output),
            last_words: Some(thread::spawn(move || last_words::of(errors))),
        })
    }

    /// What comes of a batch.
    ///
    /// # Errors
    ///
    /// How the process died, and what it said last. It watches its subjects itself, and ends where one does not answer.
    pub(crate) fn batch(&mut self, number: u64) -> Result<Batch, String> {
        if writeln!(self.input, "{number}").is_err() {
            return Err(self.died());
        }
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(_) if line.ends_with('\n') => {
                serde_json::from_str(&line).map_err(|error| format!("a worker gave no batch: {error}"))
            }
            Ok(_) => Err(self.died()),
            Err(error) => Err(format!("a worker cannot be read: {error}")),
        }
    }

    fn died(&mut self) -> String {
        let how = match self.child.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        match self.last_words.take().and_then(|words| words.join().ok()) {
            Some(words) if !words.is_empty() => format!("{how}: {words}"),
            _ => how,
        }
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
pub(crate) fn culprits(search: WorkerSearch<'_>, number: u64) -> Result<Vec<String>, RunError> {
    let mut culprits = Vec::new();
    for label in search.labels {
        let labels = std::slice::from_ref(label);
        let alone = WorkerSearch { labels, ..search };
        let mut worker = Worker::start(alone, &BTreeSet::new())?;
        if worker.batch(number).is_err() {
            culprits.push(label.clone());
        }
    }
    Ok(culprits)
}
