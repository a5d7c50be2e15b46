//! The client's side: a subject in another process.

mod digest;
pub mod last_words;
mod process;
mod process_tree;
mod scheduled;

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

pub use self::process::{
    HUNG, RUN_VARIABLE, adopt_orphans, end_all, end_marked, end_orphans, inherit_run, own_mark, run, stop,
};
use self::process::{NoAnswer, Process, ProcessFamily};
use self::scheduled::{Cost, Scheduled};
use super::messages::{Ask, Hello, Request, Response};
use crate::ask;
use crate::model::{
    Component, Components, Declaration, Input, Operation, Outcome, Quoted, Rule, Rung, Scope, Subject, Value,
};

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
        self.link().recent.iter().cloned().collect()
    }

    fn start_anew(&self) -> bool {
        let mut link = self.link();
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

    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        let (base, reference) = (base.to_owned(), reference.to_owned());
        self.ask(Input::Resolve {
            base,
            reference,
            strict,
        })
    }

    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        let uri = uri.to_owned();
        self.ask(Input::Normalize { uri, scope })
    }

    fn compose(&self, components: &Components) -> Outcome {
        let components = components.clone();
        self.ask(Input::Compose { components })
    }

    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        let (left, right) = (left.to_owned(), right.to_owned());
        self.ask(Input::Equivalent { left, right, rung })
    }

    fn relativize(&self, base: &str, target: &str) -> Outcome {
        let (base, target) = (base.to_owned(), target.to_owned());
        self.ask(Input::Relativize { base, target })
    }

    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        let (uri, value) = (uri.to_owned(), value.map(str::to_owned));
        self.ask(Input::Modify { uri, component, value })
    }

    fn round_trip(&self, uri: &str) -> Outcome {
        let uri = uri.to_owned();
        self.ask(Input::RoundTrip { uri })
    }

    fn contract(&self, left: &str, right: &str) -> Outcome {
        let (left, right) = (left.to_owned(), right.to_owned());
        self.ask(Input::Contract { left, right })
    }
}

/// A command, the process that runs it if one does, and how often one was started again.
struct Link {
    command: Vec<OsString>,
    family: ProcessFamily,
    limits: Limits,
    process: Option<Process>,
    /// What it said first.
    hello: Option<Hello>,
    /// How many processes in a row failed without an answer.
    failures: usize,
    /// How many times in a row it could not be started.
    failed_starts: usize,
    last_failure: String,
    /// Why no process is started any more, whatever restarts are left.
    given_up: Option<String>,
    next_id: u64,
    /// What the process was given, oldest first, and how many bytes that is.
    recent: VecDeque<Input>,
    recent_size: usize,
    late: u64,
    /// Whether the processor time of the process is read before each question and after it.
    measures: bool,
    /// How long the last answer took.
    took: Duration,
}

/// How long an answer takes behind which it is looked for the processes that do the work.
const LOOK: Duration = Duration::from_millis(5);

/// How many inputs are kept that a process was given, and how many bytes of them.
const RECENT: (usize, usize) = (4096, 1 << 20);

impl Link {
    fn open(command: &[OsString], family: ProcessFamily, limits: Limits) -> Result<(Link, Hello), String> {
        let mut link = Link {
            command: command.to_vec(),
            family,
            limits,
            process: None,
            hello: None,
            failures: 0,
            failed_starts: 0,
            last_failure: String::new(),
            given_up: None,
            next_id: 0,
            recent: VecDeque::new(),
            recent_size: 0,
            late: 0,
            measures: false,
            took: Duration::ZERO,
        };
        match link.start() {
            Ok(hello) => Ok((link, hello)),
            Err(failure) => Err(format!("{} did not say hello: {}", link.name(), failure.reason())),
        }
    }

    /// How the command is called in messages: without the folder of its program.
    fn name(&self) -> String {
        let program = self.command.first().map_or(OsStr::new(""), |program| {
            Path::new(program).file_name().unwrap_or(program)
        });
        let words = [program].into_iter().chain(self.command.iter().skip(1).map(OsString::as_os_str));
        format!("`{}`", words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" "))
    }

    fn start(&mut self) -> Result<Hello, NoAnswer> {
        self.end();
        self.process = Some(Process::spawn(&self.command, self.family, self.limits.memory).map_err(NoAnswer::Crashed)?);
        let id = self.send(&Ask::Hello);
        let result = self.receive(id, self.limits.start).and_then(|(response, line)| match response {
            Response::Hello { hello, .. } => Ok(hello),
            Response::Outcome { .. } => Err(NoAnswer::broke("an outcome is no answer to `hello`", &line)),
            Response::Error { error, .. } => Err(NoAnswer::broke("an error is no answer to `hello`", &error)),
        });
        match &result {
            Err(_) => self.end(),
            Ok(hello) => match &self.hello {
                None => self.hello = Some(hello.clone()),
                Some(first) if first == hello => {}
                Some(first) => {
                    self.given_up = Some(format!(
                        "it says another hello since it was started again: {} {} {}, and {} {} {} before",
                        Quoted(&hello.name),
                        Quoted(&hello.version),
                        Quoted(&hello.entry_point),
                        Quoted(&first.name),
                        Quoted(&first.version),
                        Quoted(&first.entry_point)
                    ));
                    self.end();
                }
            },
        }
        result
    }

    /// Ends the process, if there is one.
    fn end(&mut self) {
        self.process = None;
        self.next_id = 0;
        self.recent.clear();
        self.recent_size = 0;
    }

    fn ask(&mut self, input: Input) -> Outcome {
        let first = {
            let _others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
            self.put(&input)
        };
        let outcome = match first {
            Outcome::TimedOut { .. } => {
                let _alone = ALONE.write().unwrap_or_else(PoisonError::into_inner);
                let again = self.put(&input);
                if !matches!(again, Outcome::TimedOut { .. }) {
                    self.late += 1;
                }
                again
            }
            outcome => outcome,
        };
        match outcome {
            Outcome::Crashed { .. } | Outcome::TimedOut { .. } if self.process.is_none() => self.failures += 1,
            _ if self.process.is_some() => self.failures = 0,
            _ => {}
        }
        outcome
    }

    fn put(&mut self, input: &Input) -> Outcome {
        let operation = input.operation();
        let result = self.revive().and_then(|()| {
            self.remember(input);
            let (before, since) = (self.scheduled(), Instant::now());
            let id = self.send(&Ask::Input(input.clone()));
            let outcome = self.outcome(id, operation);
            self.took = match outcome {
                Err(NoAnswer::TimedOut(_)) => self.limits.time,
                _ => Cost::new(since.elapsed(), before.as_ref(), self.scheduled().as_ref()).alone(),
            };
            if self.measures && self.took >= LOOK {
                // What it has started may do the work: that is known from the next answer on.
                self.process.iter_mut().for_each(Process::look_for_members);
            }
            outcome.map_err(Some)
        });
        match result {
            Ok(outcome) => outcome,
            Err(None) => Outcome::unsupported(self.lost().unwrap_or_default()),
            Err(Some(failure)) => {
                // What it was given before is kept: it may have come of that.
                self.process = None;
                failure.reason().clone_into(&mut self.last_failure);
                match failure {
                    NoAnswer::Crashed(reason) => Outcome::Crashed { reason },
                    NoAnswer::TimedOut(reason) => Outcome::TimedOut { reason },
                    NoAnswer::Stopped => Outcome::unsupported(self.give_up(&failure)),
                }
            }
        }
    }

    /// The time that the process has had, if answers are measured by it.
    fn scheduled(&self) -> Option<Scheduled> {
        self.process.as_ref().filter(|_| self.measures)?.scheduled()
    }

    fn remember(&mut self, input: &Input) {
        let (count, size) = RECENT;
        self.recent_size += input.size();
        self.recent.push_back(input.clone());
        while self.recent.len() > count || self.recent_size > size {
            let Some(oldest) = self.recent.pop_front() else { break };
            self.recent_size -= oldest.size();
        }
    }

    /// Sees to it that there is a process.
    fn revive(&mut self) -> Result<(), Option<NoAnswer>> {
        while self.process.is_none() {
            if self.lost().is_some() {
                return Err(None);
            }
            // That is nothing which the question has done.
            match self.start() {
                Ok(_) => self.failed_starts = 0,
                Err(failure @ NoAnswer::Stopped) => {
                    self.give_up(&failure);
                }
                Err(failure) => {
                    self.failed_starts += 1;
                    self.last_failure = format!("cannot be started again: {}", failure.reason());
                }
            }
        }
        Ok(())
    }

    /// Why there is no process any more, if so.
    fn lost(&self) -> Option<String> {
        if self.given_up.is_some() {
            return self.given_up.clone();
        }
        if self.process.is_some() {
            return None;
        }
        let restarts = match self.failed_starts {
            STARTS.. => self.failed_starts,
            _ if self.failures > self.limits.restarts => self.limits.restarts,
            _ => return None,
        };
        Some(format!(
            "given up after {restarts} restarts without an answer: {}",
            self.last_failure
        ))
    }

    /// No process is started any more. Returns why.
    fn give_up(&mut self, failure: &NoAnswer) -> String {
        self.given_up.insert(failure.reason().to_owned()).clone()
    }

    fn pipeline(&mut self, inputs: Vec<Input>) -> Result<Vec<Outcome>, String> {
        self.revive().map_err(|_| self.last_failure.clone())?;
        let mut asked = Vec::new();
        for input in inputs {
            let operation = input.operation();
            self.remember(&input);
            asked.push((self.send(&Ask::Input(input)), operation));
        }
        let outcomes: Result<Vec<Outcome>, NoAnswer> =
            asked.into_iter().map(|(id, operation)| self.outcome(id, operation)).collect();
        outcomes.map_err(|failure| {
            self.process = None;
            failure.reason().clone_into(&mut self.last_failure);
            failure.reason().to_owned()
        })
    }

    /// The outcome of the question with this number.
    fn outcome(&mut self, id: u64, operation: Operation) -> Result<Outcome, NoAnswer> {
        let (response, line) = self.receive(id, self.limits.time)?;
        match response {
            Response::Outcome { outcome, .. } if is_answer(&outcome, operation) => Ok(outcome),
            Response::Outcome { .. } => {
                let problem = format!("that is no answer to `{operation}`");
                Err(NoAnswer::broke(&problem, &line))
            }
            Response::Hello { .. } => Err(NoAnswer::broke("`hello` was not asked", &line)),
            // The two sides still count alike: there is no need to start again.
            Response::Error { error, .. } => Ok(Outcome::Crashed {
                reason: format!("broke the protocol: took a request for an error: {}", Quoted(&error)),
            }),
        }
    }

    /// Sends a question, and returns its number.
    fn send(&mut self, ask: &Ask) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        if let Some(process) = &self.process {
            process.send(Request::line(id, ask));
        }
        id
    }

    /// Waits for the response to the question with this number, and returns it and its line.
    fn receive(&mut self, id: u64, limit: Duration) -> Result<(Response, String), NoAnswer> {
        let Some(process) = &mut self.process else {
            return Err(NoAnswer::Crashed("the process is not there".to_owned()));
        };
        let line = process.receive(limit)?;
        let value =
            serde_json::from_str(&line).map_err(|error| NoAnswer::broke(&format!("no JSON: {error}"), &line))?;
        let response = Response::from_json(value).map_err(|problem| NoAnswer::broke(&problem, &line))?;
        let answered = match &response {
            Response::Hello { id, .. } | Response::Outcome { id, .. } => Some(*id),
            Response::Error { id, .. } => *id,
        };
        match answered {
            Some(answered) if answered != id => Err(NoAnswer::broke(
                &format!("`id` is {answered} in the answer to {id}"),
                &line,
            )),
            _ => Ok((response, line)),
        }
    }
}

/// Whether an outcome can be one of an operation.
fn is_answer(outcome: &Outcome, operation: Operation) -> bool {
    let Outcome::Accepted { value } = outcome else {
        return true;
    };
    match operation {
        Operation::Parse => matches!(value, Value::Components(_)),
        Operation::Resolve
        | Operation::Normalize
        | Operation::Compose
        | Operation::Relativize
        | Operation::Modify
        | Operation::RoundTrip => matches!(value, Value::Uri(_)),
        Operation::Equivalent => matches!(value, Value::Equivalent(_)),
        Operation::Contract => matches!(value, Value::Broken(_)),
    }
}
