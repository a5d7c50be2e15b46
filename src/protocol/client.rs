//! The client's side: a subject in another process.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::messages::{Ask, Hello, Request, Response};
use super::process::{Failure, Family, Process};
#[cfg(feature = "subjects")]
pub(crate) use super::process::{HUNG, RUN_VARIABLE, end_all, end_marked, inherit_run, own_mark, run};
use crate::ask;
use crate::model::{
    Component, Components, Declaration, Input, Operation, Outcome, Quoted, Rule, Rung, Scope, Subject, Value,
};

/// What a subject in another process may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How long one answer may take.
    pub time: Duration,
    /// How many times a process that died, or was ended, is started again.
    pub restarts: usize,
    /// How many bytes of address space a process has; no limit if `None`. Only Unix has this limit.
    pub memory: Option<u64>,
}

impl Default for Limits {
    /// Ten seconds an answer, a hundred restarts, no limit of memory.
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(10),
            restarts: 100,
            memory: None,
        }
    }
}

/// A subject in another process, asked over the line protocol.
///
/// A process that dies is [`Outcome::Crashed`], and so is an answer that breaks the protocol; one that exceeds the time limit
/// is ended, and is [`Outcome::TimedOut`]. The next question starts it again. When the last restart is used up, every outcome
/// is [`Outcome::Unsupported`]. Dropping the client ends the process.
pub struct Client {
    declaration: Declaration,
    budget: Option<usize>,
    link: Mutex<Link>,
}

impl Client {
    /// Starts a command, a program and its arguments, and asks it who it is. What it starts in turn belongs to it, and ends
    /// with it.
    ///
    /// # Errors
    ///
    /// The program cannot be started, or does not say who it is as the protocol has it: on one line, with what it said.
    pub fn start(command: &[OsString], limits: Limits) -> Result<Client, String> {
        let (link, hello) = Link::open(command, Family::Own, limits)?;
        let declaration = hello.declaration().map_err(|problem| format!("{}: {problem}", link.name()))?;
        Ok(Client {
            declaration,
            budget: None,
            link: Mutex::new(link),
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
        let (link, hello) = Link::open(&command, Family::Ours, limits)?;
        if hello != Hello::from(&declaration) {
            return Err(format!("{} serves another version of {declaration}", link.name()));
        }
        Ok(Client {
            declaration,
            budget: subject.budget(),
            link: Mutex::new(link),
        })
    }

    /// The same with no more than so many strings of a suite: each that kills the process costs a start.
    pub fn with_budget(mut self, strings: usize) -> Client {
        self.budget = Some(self.budget.map_or(strings, |own| own.min(strings)));
        self
    }

    /// Asks everything before it reads the first answer; the answers stand in the order of the questions.
    ///
    /// # Errors
    ///
    /// Why an answer is none, or not the one to its question; the process is ended.
    pub fn pipeline(&self, inputs: Vec<Input>) -> Result<Vec<Outcome>, String> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner).pipeline(inputs)
    }

    fn ask(&self, input: Input) -> Outcome {
        // A question that panicked has left nothing behind that the next one relies on.
        ask::outside(|| self.link.lock().unwrap_or_else(PoisonError::into_inner).ask(input))
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
        self.link.lock().unwrap_or_else(PoisonError::into_inner).lost()
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
    family: Family,
    limits: Limits,
    process: Option<Process>,
    restarts: usize,
    last_failure: String,
    next_id: u64,
}

impl Link {
    fn open(command: &[OsString], family: Family, limits: Limits) -> Result<(Link, Hello), String> {
        let mut link = Link {
            command: command.to_vec(),
            family,
            limits,
            process: None,
            restarts: 0,
            last_failure: String::new(),
            next_id: 0,
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

    fn start(&mut self) -> Result<Hello, Failure> {
        self.process = Some(Process::spawn(&self.command, self.family, self.limits.memory).map_err(Failure::Crashed)?);
        self.next_id = 0;
        let id = self.send(&Ask::Hello);
        let result = self.receive(id).and_then(|(response, line)| match response {
            Response::Hello { hello, .. } => Ok(hello),
            Response::Outcome { .. } => Err(Failure::broke("an outcome is no answer to `hello`", &line)),
            Response::Error { error, .. } => Err(Failure::broke("an error is no answer to `hello`", &error)),
        });
        if result.is_err() {
            self.process = None;
        }
        result
    }

    fn ask(&mut self, input: Input) -> Outcome {
        let operation = input.operation();
        let result = self.revive().and_then(|()| {
            let id = self.send(&Ask::Input(input));
            self.outcome(id, operation).map_err(Some)
        });
        match result {
            Ok(outcome) => outcome,
            Err(None) => Outcome::unsupported(self.lost().unwrap_or_default()),
            Err(Some(failure)) => {
                self.process = None;
                failure.reason().clone_into(&mut self.last_failure);
                match failure {
                    Failure::Crashed(reason) => Outcome::Crashed { reason },
                    Failure::TimedOut(reason) => Outcome::TimedOut { reason },
                }
            }
        }
    }

    /// Sees to it that there is a process.
    fn revive(&mut self) -> Result<(), Option<Failure>> {
        while self.process.is_none() {
            if self.lost().is_some() {
                return Err(None);
            }
            self.restarts += 1;
            // That is nothing which the question has done.
            if let Err(failure) = self.start() {
                self.last_failure = format!("cannot be started again: {}", failure.reason());
            }
        }
        Ok(())
    }

    /// Why there is no process any more, if so.
    fn lost(&self) -> Option<String> {
        let is_lost = self.process.is_none() && self.restarts == self.limits.restarts;
        is_lost.then(|| format!("given up after {} restarts: {}", self.restarts, self.last_failure))
    }

    fn pipeline(&mut self, inputs: Vec<Input>) -> Result<Vec<Outcome>, String> {
        self.revive().map_err(|_| self.last_failure.clone())?;
        let mut asked = Vec::new();
        for input in inputs {
            let operation = input.operation();
            asked.push((self.send(&Ask::Input(input)), operation));
        }
        let outcomes: Result<Vec<Outcome>, Failure> =
            asked.into_iter().map(|(id, operation)| self.outcome(id, operation)).collect();
        outcomes.map_err(|failure| {
            self.process = None;
            failure.reason().clone_into(&mut self.last_failure);
            failure.reason().to_owned()
        })
    }

    /// The outcome of the question with this number.
    fn outcome(&mut self, id: u64, operation: Operation) -> Result<Outcome, Failure> {
        let (response, line) = self.receive(id)?;
        match response {
            Response::Outcome { outcome, .. } if is_answer(&outcome, operation) => Ok(outcome),
            Response::Outcome { .. } => {
                let problem = format!("that is no answer to `{operation}`");
                Err(Failure::broke(&problem, &line))
            }
            Response::Hello { .. } => Err(Failure::broke("`hello` was not asked", &line)),
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
    fn receive(&mut self, id: u64) -> Result<(Response, String), Failure> {
        let Some(process) = &mut self.process else {
            return Err(Failure::Crashed("the process is not there".to_owned()));
        };
        let line = process.receive(self.limits.time)?;
        let value = serde_json::from_str(&line).map_err(|error| Failure::broke(&format!("no JSON: {error}"), &line))?;
        let response = Response::from_json(value).map_err(|problem| Failure::broke(&problem, &line))?;
        let answered = match &response {
            Response::Hello { id, .. } | Response::Outcome { id, .. } => Some(*id),
            Response::Error { id, .. } => *id,
        };
        match answered {
            Some(answered) if answered != id => Err(Failure::broke(
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
