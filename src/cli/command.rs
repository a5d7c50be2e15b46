//! Implementations in other processes, which speak the line protocol.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use crate::cli::{Failure, guard};
use crate::model::Subject;
use crate::protocol::client::{Client, Limits};

/// The commands that are asked beside the built-in subjects, or instead of them.
#[derive(Args)]
pub(crate) struct CommandSelection {
    /// Ask this program over the line protocol, a command line as a shell reads it ("python3 adapter.py"); without --subject
    /// no built-in subject is asked; repeatable
    #[arg(long = "command", value_name = "COMMAND")]
    commands: Vec<String>,
    /// How long one answer of a command may take
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    time_limit: u64,
    /// How often a command that died or was ended is started again, before it is given up
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    restarts: usize,
    /// How much address space a command may have (Unix)
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
}

/// A command that runs, and ends with this.
pub(crate) struct Foreign {
    /// It, as a subject.
    pub(crate) client: Client,
    /// Its command line, as it was given.
    pub(crate) line: String,
}

impl CommandSelection {
    /// Whether there are no commands.
    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Every command line, as it was given.
    pub(crate) fn lines(&self) -> &[String] {
        &self.commands
    }

    /// The limits of every command.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.time_limit),
            restarts: self.restarts,
            memory: self.memory.map(|mebibytes| mebibytes << 20),
        }
    }

    /// The words of every command.
    pub(crate) fn words(&self) -> Result<Vec<Vec<OsString>>, Failure> {
        self.commands
            .iter()
            .map(|line| match shell_words::split(line) {
                Ok(words) if words.is_empty() => {
                    Err("--command is empty; it is a program and its arguments".to_owned())
                }
                Ok(words) => Ok(words.into_iter().map(OsString::from).collect()),
                Err(_) => Err(format!("--command `{line}`: a quote is not closed")),
            })
            .collect()
    }

    /// Starts every command.
    pub(crate) fn start(&self) -> Result<Vec<Foreign>, Failure> {
        if guard::probed().is_some() {
            return Ok(Vec::new());
        }
        if !self.is_empty() {
            guard::wait_for(self.limits().time);
        }
        let mut started: Vec<Foreign> = Vec::new();
        for (line, words) in self.commands.iter().zip(self.words()?) {
            let client = Client::start(&words, self.limits())?.with_budget(BUDGET);
            let label = client.declaration().label();
            if started.iter().any(|other| other.client.declaration().label() == label) {
                return Err(format!("two commands are both `{label}`"));
            }
            let line = line.clone();
            started.push(Foreign { client, line });
        }
        Ok(started)
    }
}

/// How many strings of a suite a command is asked.
const BUDGET: usize = 20_000;
