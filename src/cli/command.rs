//! The subjects of a run: built-in ones, and implementations in other processes, which speak the line protocol.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;
use uriproof::gate::{Baseline, BaselineError, Claim, Claimed, KnownAnswers};
use uriproof::model::{Declaration, Specification, Subject};
use uriproof::protocol::client::{Client, Limits};
use uriproof_deviations::CATALOGUE;

use crate::cli::select::{SubjectSelection, parse_claim};
use crate::cli::{RunError, guard, warden, warn};
use crate::report::shell;

/// The time limit for the answer to `hello`.
const START: Duration = Duration::from_secs(60);

/// Selects the subjects of a run: the built-in ones, commands, or both.
#[derive(Args)]
pub(crate) struct RunSelection {
    #[command(flatten)]
    pub(crate) subjects: SubjectSelection,
    #[command(flatten)]
    pub(crate) commands: CommandSelection,
    /// Compare by this specification: URI, URI-reference, absolute-URI, http, IRI or IRI-reference; zone-id (RFC 6874),
    /// rfc5952 (the text of an IPv6 address that a normalizer prints), request-target (RFC 9112 §3.2) or whatwg (the WHATWG
    /// URL Standard) [default: what a subject declares; `diff`, `propose`, and but for `check` a run of several built-in subjects
    /// compare those that follow the WHATWG URL Standard with RFC 3986, as the report does]
    #[arg(long, value_parser = parse_claim, value_name = "NAME")]
    pub(crate) specification: Option<Claim>,
}

/// The selected subjects, started.
pub(crate) struct SelectedSubjects {
    /// The built-in subjects, and those that a program adds.
    pub(crate) builtin: Vec<&'static dyn Subject>,
    /// The commands.
    pub(crate) commands: Vec<Foreign>,
}

impl RunSelection {
    /// Whether no subject is named, so that all built-in ones are run.
    pub(crate) fn is_everything(&self) -> bool {
        self.subjects.is_everything() && self.commands.lines.is_empty()
    }

    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.commands.lines.leave_builtin(&self.subjects)
    }

    /// Starts every command. One that follows the WHATWG URL Standard is measured by it, unless another specification is named.
    pub(crate) fn start(&self) -> Result<SelectedSubjects, RunError> {
        Ok(SelectedSubjects {
            builtin: self.builtin()?,
            commands: self.commands.start(|declaration| self.specification.or(own_claim(declaration)))?,
        })
    }

    /// As [`start`](RunSelection::start); a built-in subject is measured by what it follows, too.
    pub(crate) fn start_to_check(&self) -> Result<SelectedSubjects, RunError> {
        let selected = self.start()?;
        let measured = |subject: &'static dyn Subject| match self.specification {
            Some(_) => subject,
            None => claimed(subject, own_claim(subject.declaration())),
        };
        Ok(SelectedSubjects {
            builtin: selected.builtin.into_iter().map(measured).collect(),
            ..selected
        })
    }

    /// As [`start`](RunSelection::start), but RFC 3986 measures what follows the WHATWG URL Standard, unless that is named.
    pub(crate) fn start_beside_rfc(&self) -> Result<SelectedSubjects, RunError> {
        Ok(SelectedSubjects {
            builtin: self.builtin()?,
            commands: self.commands.start(|_| self.specification)?,
        })
    }

    /// Starts every command once more, as [`start_to_hunt`](RunSelection::start_to_hunt) does.
    pub(crate) fn start_commands_again(&self) -> Result<Vec<Foreign>, RunError> {
        self.commands.start_to_hunt(|declaration| self.specification.or(own_claim(declaration)))
    }

    /// The built-in subjects that are run, measured by the specification that is named.
    pub(crate) fn builtin(&self) -> Result<Vec<&'static dyn Subject>, RunError> {
        let subjects = self.commands.lines.builtin(&self.subjects)?;
        Ok(subjects.into_iter().map(|subject| self.claimed(subject)).collect())
    }

    /// A built-in subject, measured by the specification that is named.
    pub(crate) fn claimed(&self, subject: &'static dyn Subject) -> &'static dyn Subject {
        claimed(subject, self.specification)
    }

    /// Measures built-in subjects by the WHATWG URL Standard if they are named and each of them follows it. Where a specification is named
    /// nothing changes. Where something `is_of_rfc`, such as a grammar, or where other subjects are run too, RFC 3986 measures all of
    /// them, as it does in the report; stderr says of which of them the standard is another.
    pub(crate) fn measure_by_own_standard(&mut self, is_of_rfc: bool) {
        if self.specification.is_some() || self.subjects.is_everything() {
            return;
        }
        let builtin = self.builtin().unwrap_or_default();
        let (following, others): (Vec<_>, Vec<_>) =
            builtin.into_iter().partition(|subject| own_claim(subject.declaration()).is_some());
        if !following.is_empty() && others.is_empty() && self.commands.is_empty() && !is_of_rfc {
            self.specification = Some(Claim::Whatwg);
            for subject in following {
                warn(&format!(
                    "{} is compared with the WHATWG URL Standard, which it follows; --specification URI-reference compares it with RFC 3986",
                    subject.declaration()
                ));
            }
            return;
        }
        for subject in following {
            warn(&format!(
                "{} follows the WHATWG URL Standard: --specification whatwg compares it with that, and not with RFC 3986",
                subject.declaration()
            ));
        }
    }

    /// The flag that names the specification, after a space; empty without one.
    pub(crate) fn specification_flag(&self) -> String {
        self.specification.map(|claim| format!(" --specification {}", claim.name())).unwrap_or_default()
    }

    /// As [`start`](RunSelection::start), but commands are started again as often as they die.
    pub(crate) fn start_to_hunt(&self) -> Result<SelectedSubjects, RunError> {
        Ok(SelectedSubjects {
            builtin: self.builtin()?,
            commands: self.start_commands_again()?,
        })
    }
}

/// The WHATWG URL Standard, if that is what a subject follows: its answers say nothing else about the subject.
fn own_claim(declaration: &Declaration) -> Option<Claim> {
    (declaration.specification == Specification::WhatwgUrl).then_some(Claim::Whatwg)
}

/// A built-in subject, measured by a claim if there is one.
fn claimed(subject: &'static dyn Subject, claim: Option<Claim>) -> &'static dyn Subject {
    match claim {
        // It is a subject like the others as long as the program runs.
        Some(claim) => Box::leak(Box::new(Claimed::new(subject, Some(claim)))),
        None => subject,
    }
}

impl SelectedSubjects {
    /// Whether all subjects are measured by the WHATWG URL Standard.
    pub(crate) fn is_by_whatwg(&self) -> bool {
        let subjects = self.subjects();
        !subjects.is_empty() && subjects.iter().all(|subject| subject.declaration().claim == Some(Claim::Whatwg))
    }

    /// All selected subjects.
    pub(crate) fn subjects(&self) -> Vec<&dyn Subject> {
        let commands = self.commands.iter().map(|foreign| &foreign.client as &dyn Subject);
        self.builtin.iter().copied().chain(commands).collect()
    }

    /// Whether a command has this label.
    pub(crate) fn is_command(&self, label: &str) -> bool {
        self.commands.iter().any(|foreign| foreign.client.declaration().label() == label)
    }

    /// How many answers were compared: of the built-in subjects together, and of each command. `counts` has a number for each of
    /// the [subjects](SelectedSubjects::subjects), in their order.
    pub(crate) fn compared(&self, counts: impl IntoIterator<Item = u64>) -> Vec<(String, u64)> {
        let mut counts = counts.into_iter();
        let together = counts.by_ref().take(self.builtin.len()).sum();
        let together = (!self.builtin.is_empty()).then(|| ("the built-in subjects".to_owned(), together));
        let labels = self.commands.iter().map(|foreign| foreign.client.declaration().label());
        together.into_iter().chain(labels.zip(counts)).collect()
    }

    /// The first command that was given up, and why: its answers since then do not count.
    pub(crate) fn lost(&self) -> Option<String> {
        self.commands.iter().find_map(|foreign| {
            let reason = foreign.client.lost()?;
            Some(format!(
                "{} was not run on everything: {reason} (--restarts allows more)",
                foreign.client.declaration()
            ))
        })
    }

    /// # Errors
    ///
    /// As [`lost`](SelectedSubjects::lost).
    pub(crate) fn check_lost(&self) -> Result<(), RunError> {
        self.lost().map_or(Ok(()), Err)
    }
}

/// The command lines of adapters.
#[derive(Args)]
pub(crate) struct CommandLines {
    /// Run this adapter as a subject: a command line, quoted as for a shell (`python3 adapter.py`), that speaks the
    /// line protocol; built-in subjects run too only if --subject selects them; repeatable
    #[arg(long = "command", value_name = "COMMAND")]
    commands: Vec<String>,
}

/// The most address space that a command can be given, in mebibytes: the shell that sets the limit counts in 64 bits.
const MOST_MEMORY: u64 = 1 << 30;

/// The time limit for one answer, in seconds, that is not said.
const TIME_LIMIT: u64 = 5;

/// How often a command is started again if that is not said.
const RESTARTS: usize = 100;

/// The adapters that are run beside the built-in subjects or instead of them, and their limits.
#[derive(Args)]
pub(crate) struct CommandSelection {
    #[command(flatten)]
    lines: CommandLines,
    /// The time limit of a command for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_LIMIT, value_parser = clap::value_parser!(u64).range(1..=3600))]
    time_limit: u64,
    /// Give a command up after it was started again this often in a row without an answer in between
    #[arg(long, value_name = "COUNT", default_value_t = RESTARTS)]
    restarts: usize,
    /// The address space that a command may use (Unix) [default: no limit]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=MOST_MEMORY))]
    memory: Option<u64>,
}

/// A running command; dropping this ends it.
pub(crate) struct Foreign {
    /// The command as a subject, measured by the specification that is named.
    pub(crate) client: Claimed<Box<Client>>,
    /// Its command line, as it was given.
    pub(crate) line: String,
}

impl Foreign {
    /// The same command, of which the wrong answers are known that a baseline names whatever the input is.
    ///
    /// # Errors
    ///
    /// The baseline is about another subject, or names a deviation that there is not.
    pub(crate) fn with_known(self, baseline: &Baseline) -> Result<Foreign, BaselineError> {
        let declaration = self.client.declaration().clone();
        baseline.check_subject(&declaration)?;
        let known = KnownAnswers::of(baseline, &declaration, &CATALOGUE)?;
        let client = self.client.without_validation(known.unvalidated);
        let client = client.with_known(move |input, observed| known.have(&declaration, input, observed));
        Ok(Foreign { client, ..self })
    }
}

impl CommandLines {
    /// Whether there are no commands.
    pub(crate) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Whether built-in subjects are run: if some are selected, or there are no commands.
    fn leave_builtin(&self, subjects: &SubjectSelection) -> bool {
        self.is_empty() || !subjects.is_everything()
    }

    /// The built-in subjects that are run.
    pub(crate) fn builtin(&self, subjects: &SubjectSelection) -> Result<Vec<&'static dyn Subject>, RunError> {
        match self.leave_builtin(subjects) {
            true => subjects.subjects(),
            false => Ok(Vec::new()),
        }
    }

    /// The words of every command.
    pub(crate) fn words(&self) -> Result<Vec<Vec<OsString>>, RunError> {
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
}

impl CommandSelection {
    /// Whether there are no commands.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The flags that select the same again, each after a space.
    pub(crate) fn flags(&self) -> String {
        let mut flags: String = self.lines().iter().map(|line| format!(" --command {}", shell::quoted(line))).collect();
        if self.time_limit != TIME_LIMIT {
            flags += &format!(" --time-limit {}", self.time_limit);
        }
        if self.restarts != RESTARTS {
            flags += &format!(" --restarts {}", self.restarts);
        }
        if let Some(memory) = self.memory {
            flags += &format!(" --memory {memory}");
        }
        flags
    }

    /// Every command line, as it was given.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines.commands
    }

    /// The words of every command.
    pub(crate) fn words(&self) -> Result<Vec<Vec<OsString>>, RunError> {
        self.lines.words()
    }

    /// The limits of every command.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: Duration::from_secs(self.time_limit),
            start: START,
            restarts: self.restarts,
            memory: self.memory.map(|mebibytes| mebibytes << 20),
        }
    }

    /// How many times in a row a command may die without an answer.
    pub(crate) fn restarts(&self) -> usize {
        self.restarts
    }

    /// Starts every command, measured by the claim of its declaration.
    fn start(&self, claim: impl Fn(&Declaration) -> Option<Claim>) -> Result<Vec<Foreign>, RunError> {
        self.start_within(self.limits(), claim)
    }

    /// Starts every command, to be started again as often as it dies: making small what kills it is one death after the other.
    fn start_to_hunt(&self, claim: impl Fn(&Declaration) -> Option<Claim>) -> Result<Vec<Foreign>, RunError> {
        let limits = Limits {
            restarts: usize::MAX,
            ..self.limits()
        };
        self.start_within(limits, claim)
    }

    fn start_within(
        &self,
        limits: Limits,
        claim: impl Fn(&Declaration) -> Option<Claim>,
    ) -> Result<Vec<Foreign>, RunError> {
        if guard::probed().is_some() {
            return Ok(Vec::new());
        }
        if !self.is_empty() {
            warden::start()?;
        }
        let mut started: Vec<Foreign> = Vec::new();
        for (line, words) in self.lines().iter().zip(self.words()?) {
            let client = Box::new(Client::start(&words, limits)?);
            let claim = claim(client.declaration());
            let client = Claimed::new(client, claim);
            let label = client.declaration().label();
            if started.iter().any(|other| other.client.declaration().label() == label) {
                return Err(format!(
                    "two commands are both `{label}`: give one another `version` or `entry_point` in its hello"
                ));
            }
            let line = line.clone();
            started.push(Foreign { client, line });
        }
        Ok(started)
    }
}
