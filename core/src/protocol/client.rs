//! The client's side: a subject in another process.

mod ahead;
mod digest;
pub mod last_words;
mod link;
mod process;
mod process_tree;
mod running;
mod scheduled;

use std::ffi::OsString;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use self::link::Link;
use self::process::ProcessFamily;
pub use self::running::{
    HUNG, RUN_VARIABLE, adopt_orphans, end_all, end_marked, end_orphans, inherit_run, own_mark, run, stop,
};
use super::messages::Hello;
use crate::ask;
use crate::model::{Declaration, Input, Outcome, Rule, Subject};

/// What a subject in another process may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long one answer may take: processor time of a process that is kept from its work by others (on Linux), the clock
    /// otherwise. An answer that takes longer is waited for once more, by a new process, while no other command of this process is
    /// at work: a busy machine is no finding.
    pub time: Duration,
    /// How long a process may take to say who it is.
    pub start: Duration,
    /// How many times in a row a process that died, or was ended, is started again without an answer in between. One that cannot
    /// be started is tried no more than [`STARTS`] times in a row.
    pub restarts: usize,
    /// How many bytes of address space a process has; no limit if `None`. Only Unix has this limit.
    pub memory: Option<u64>,
}

/// How many times in a row a process is tried that does not start.
pub const STARTS: usize = 5;

impl Default for Limits {
    /// Ten seconds an answer, a minute to start, a hundred restarts without an answer, no limit of memory.
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(10),
            start: Duration::from_secs(60),
            restarts: 100,
            memory: None,
        }
    }
}

/// A subject in another process, called over the line protocol.
///
/// A process that dies is [`Outcome::Crashed`], and so is an answer that breaks the protocol; one that exceeds the time limit
/// twice is ended, and is [`Outcome::TimedOut`]. The next question starts it again. When the last restart is used up, and when a
/// process says another hello than the first, every outcome is [`Outcome::Unsupported`]. Dropping the client ends the process.
pub struct Client {
    declaration: Declaration,
    budget: Option<usize>,
    link: Mutex<Link>,
    digest: OnceLock<String>,
}

/// Every question is put under it: an answer that was late is waited for alone.
static ALONE: RwLock<()> = RwLock::new(());

impl Client {
    /// Starts a command, a program and its arguments, and sends `hello`. What it starts in turn belongs to it, and ends
    /// with it.
    ///
    /// # Errors
    ///
    /// The program cannot be started, or does not say who it is as the protocol has it: on one line, with what it said.
    pub fn start(command: &[OsString], limits: Limits) -> Result<Client, String> {
        let (link, hello) = Link::open(command, ProcessFamily::Own, limits)?;
        let declaration = hello.declaration().map_err(|problem| format!("{}: {problem}", link.name()))?;
        Ok(Client {
            declaration,
            budget: None,
            link: Mutex::new(link),
            digest: OnceLock::new(),
        })
    }

    /// Starts `program`, a command line of this version, to serve a built-in subject, of which the whole declaration is kept. The
    /// limit of time is one of processor time, which the program watches itself.
    ///
    /// # Errors
    ///
    /// As [`start`](Client::start), and the program serves something else.
    pub fn builtin(program: &Path, subject: &dyn Subject, limits: Limits) -> Result<Client, String> {
        let declaration = subject.declaration().clone();
        let milliseconds = limits.time.as_millis().to_string();
        let arguments = ["serve", "--subject", &declaration.label(), "--hang-ms", &milliseconds].map(OsString::from);
        // The clock is there for a process that cannot even do that: a slow machine does not reach it.
        let limits = Limits {
            time: limits.time.saturating_mul(12).saturating_add(Duration::from_secs(120)),
            ..limits
        };
        let command: Vec<OsString> = [program.as_os_str().to_owned()].into_iter().chain(arguments).collect();
        let (link, hello) = Link::open(&command, ProcessFamily::Ours, limits)?;
        if hello != Hello::from(&declaration) {
            return Err(format!("{} serves another version of {declaration}", link.name()));
        }
        Ok(Client {
            declaration,
            budget: subject.budget(),
            link: Mutex::new(link),
            digest: OnceLock::new(),
        })
    }

    /// The same with no more than so many strings of a suite: each that kills the process costs a start.
    pub fn with_budget(mut self, strings: usize) -> Client {
        self.budget = Some(self.budget.map_or(strings, |own| own.min(strings)));
        self
    }

    /// Sends all requests before it reads the first answer; the answers are in the order of the requests.
    ///
    /// # Errors
    ///
    /// Why an answer is none, or not the one to its question; the process is ended.
    pub fn pipeline(&self, inputs: Vec<Input>) -> Result<Vec<Outcome>, String> {
        self.link().pipeline(inputs)
    }

    /// Puts an input, and measures how long the answer takes on a machine with nothing else to do: the processor time of the process
    /// and of what it has started, or the clock where these sleep, or their processor time is not known. Of an answer that was
    /// late only the second attempt counts.
    pub fn measured(&self, input: Input) -> (Outcome, Duration) {
        let mut link = self.link();
        link.measures = true;
        let outcome = link.ask(input);
        link.measures = false;
        (outcome, link.took)
    }

    /// How many answers were late, and came in time when they were waited for alone.
    pub fn late(&self) -> u64 {
        self.link().late
    }

    /// Whether a process is there: it is not after it died, until the next question.
    pub fn is_running(&self) -> bool {
        self.link().process.is_some()
    }

    fn ask(&self, input: Input) -> Outcome {
        ask::outside(|| self.link().ask(input))
    }

    /// A question that panicked has left nothing behind that the next one relies on.
    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subject for Client {
    fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    fn budget(&self) -> Option<usize> {
        self.budget
    }

    fn lost(&self) -> Option<String> {
        self.link().lost()
    }

    fn recent(&self) -> Vec<Input> {
        self.link().recent()
    }

    fn start_anew(&self) -> bool {
        let mut link = self.link();
        link.read_ahead();
        link.end();
        link.lost().is_none()
    }

    fn digest(&self) -> Option<String> {
        Some(self.digest.get_or_init(|| digest::of(&self.link().command)).clone())
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let input = input.to_owned();
        self.ask(Input::Parse { rule, input })
    }

    fn answer(&self, input: &Input) -> Outcome {
        self.ask(input.clone())
    }

    fn answer_in_turn(&self, input: &Input, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
        ask::outside(|| self.link().ask_in_turn(input, next))
    }
}
