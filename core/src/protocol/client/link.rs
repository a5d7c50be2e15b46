//! The link to a process: sends a request, waits for its response, and starts the process anew if it died.

use super::ahead::{Ahead, CallPlace, RecentCalls, Sent};
use super::process::{NoAnswer, Process, ProcessFamily};
use super::scheduled::{Cost, Scheduled};
use super::{ALONE, Limits, STARTS};
use crate::model::{Input, Operation, Outcome, Quoted, Value};
use crate::protocol::messages::{Ask, Hello, Request, Response};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// A command, the process that runs it if one does, and how often one was started again.
pub(super) struct Link {
    pub(super) command: Vec<OsString>,
    family: ProcessFamily,
    limits: Limits,
    pub(super) process: Option<Process>,
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
    pub(super) recent: RecentCalls,
    /// What was sent before its turn.
    pub(super) ahead: Ahead,
    pub(super) late: u64,
    /// Whether the processor time of the process is read before each question and after it.
    pub(super) measures: bool,
    /// How long the last answer took.
    pub(super) took: Duration,
}

/// How long an answer takes behind which it is looked for the processes that do the work.
const LOOK: Duration = Duration::from_millis(5);

impl Link {
    pub(super) fn open(command: &[OsString], family: ProcessFamily, limits: Limits) -> Result<(Link, Hello), String> {
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
            recent: RecentCalls::default(),
            ahead: Ahead::default(),
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
    pub(super) fn name(&self) -> String {
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
    pub(super) fn end(&mut self) {
        self.process = None;
        self.next_id = 0;
        self.recent.start_anew();
    }

    pub(super) fn ask(&mut self, input: Input) -> Outcome {
        self.read_ahead();
        self.answered(&input, None, &|_| None)
    }

    /// The answer to an input that may have been sent already; what comes `next` is sent ahead.
    pub(super) fn ask_in_turn(&mut self, input: &Input, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
        let sent = match self.ahead.take(input) {
            Some(sent) => Some(sent),
            None => {
                self.read_ahead();
                self.ahead.forget();
                None
            }
        };
        match sent {
            Some(Sent {
                answer: Some(answer),
                place,
                ..
            }) => {
                self.recent.set_place(place);
                answer
            }
            Some(Sent { id, place, .. }) => {
                self.recent.set_place(place);
                self.answered(input, Some(id), next)
            }
            None => self.answered(input, None, next),
        }
    }

    /// Reads the answers to what was sent ahead: what is sent now is answered behind them.
    pub(super) fn read_ahead(&mut self) {
        let place = self.recent.place();
        while let Some(mut sent) = self.ahead.take_unanswered() {
            sent.answer = Some(self.answered(&sent.input, Some(sent.id), &|_| None));
            self.ahead.put_back(sent);
        }
        self.recent.set_place(place);
    }

    /// The answer to an input, which was sent with this number, or is sent now. An answer that is late is waited for once more, by
    /// another process.
    fn answered(&mut self, input: &Input, sent: Option<u64>, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
        let first = {
            let _others = ALONE.read().unwrap_or_else(PoisonError::into_inner);
            self.put(input, sent, next)
        };
        let outcome = match first {
            Outcome::TimedOut { .. } => {
                // A process that answers this itself lives on.
                self.read_ahead();
                let _alone = ALONE.write().unwrap_or_else(PoisonError::into_inner);
                let again = self.put(input, None, &|_| None);
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

    /// Sends an input, unless that was done, and what comes next, and waits for the answer to the input.
    fn put(&mut self, input: &Input, sent: Option<u64>, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
        let operation = input.operation();
        let result = self.revive().and_then(|()| {
            let (before, since) = (self.scheduled(), Instant::now());
            let id = sent.unwrap_or_else(|| self.send_input(input).0);
            while let Some(input) = self.ahead.room().and_then(next) {
                let place = self.recent.place();
                let (id, own_place) = self.send_input(&input);
                self.recent.set_place(place);
                self.ahead.push(id, own_place, input);
            }
            let outcome = self.outcome(id, operation);
            self.took = match outcome {
                Err(NoAnswer::TimedOut(_)) => self.limits.time,
                _ => Cost::new(since.elapsed(), before.as_ref(), self.scheduled().as_ref()).alone(),
            };
            if self.measures && self.took >= LOOK {
                // What it has started since may do the work: that is known from the next answer on.
                self.process.iter_mut().for_each(Process::look_for_members);
            }
            outcome.map_err(Some)
        });
        match result {
            Ok(outcome) => outcome,
            Err(None) => Outcome::unsupported(self.lost().unwrap_or_default()),
            Err(Some(failure)) => {
                // What it was given before is kept: it may have come of that. What is not answered is sent again.
                self.process = None;
                self.ahead.lose();
                failure.reason().clone_into(&mut self.last_failure);
                match failure {
                    NoAnswer::Crashed(reason) => Outcome::Crashed { reason },
                    NoAnswer::TimedOut(reason) => Outcome::TimedOut { reason },
                    NoAnswer::Stopped => Outcome::unsupported(self.give_up(&failure)),
                }
            }
        }
    }

    /// Sends an input, and returns its number and its place among all that was sent.
    fn send_input(&mut self, input: &Input) -> (u64, CallPlace) {
        let place = self.recent.add(input);
        (self.send(&Ask::Input(input.clone())), place)
    }

    /// What the process was given before and with the last input that was answered, oldest first.
    pub(super) fn recent(&self) -> Vec<Input> {
        self.recent.inputs()
    }

    /// The time that the process has had, if answers are measured by it.
    fn scheduled(&mut self) -> Option<Scheduled> {
        self.process.as_mut().filter(|_| self.measures)?.scheduled()
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
    pub(super) fn lost(&self) -> Option<String> {
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

    pub(super) fn pipeline(&mut self, inputs: Vec<Input>) -> Result<Vec<Outcome>, String> {
        self.read_ahead();
        self.ahead.forget();
        self.revive().map_err(|_| self.last_failure.clone())?;
        let mut asked = Vec::new();
        for input in inputs {
            let operation = input.operation();
            asked.push((self.send_input(&input).0, operation));
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
            Response::Outcome { outcome, .. } => match &outcome {
                Outcome::Accepted { value } if key_of(value) != answer_key(operation) => {
                    let (came, right) = (key_of(value), answer_key(operation));
                    let problem = format!("the answer to `{operation}` has the key `{right}`, not `{came}`");
                    Err(NoAnswer::broke(&problem, &line))
                }
                _ => Ok(outcome),
            },
            Response::Hello { .. } => Err(NoAnswer::broke("`hello` was not requested", &line)),
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
        self.ahead.has_come(line.len());
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

/// The key of the answer in an accepted outcome.
fn answer_key(operation: Operation) -> &'static str {
    match operation {
        Operation::Parse => "components",
        Operation::Resolve
        | Operation::Normalize
        | Operation::Compose
        | Operation::Relativize
        | Operation::Modify
        | Operation::RoundTrip => "uri",
        Operation::Equivalent => "equivalent",
        Operation::Contract => "broken",
    }
}

/// The key of an answer.
fn key_of(value: &Value) -> &'static str {
    match value {
        Value::Components(_) => "components",
        Value::Uri(_) => "uri",
        Value::Equivalent(_) => "equivalent",
        Value::Broken(_) => "broken",
    }
}
