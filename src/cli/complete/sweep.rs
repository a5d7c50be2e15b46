//! `uriproof sweep`: every string up to a length.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use uriproof::compare::own_rule;
use uriproof::model::{Operation, Subject};
use uriproof_lab::machines::Machines;
use uriproof_lab::predict::Predictor;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::whatwg::{SYMBOLS, UrlStrings};
use uriproof_lab::sweep::{Sweep, SweepPlan};

use super::suite_row::{LengthRow, SuiteRow, not_begun, row};
use super::sweep_whatwg;
use super::{Common, parsers, progress_bar, put};
use crate::cli::command::SelectedSubjects;
use crate::cli::select::up_to;
use crate::cli::{Finding, RunError, files, interrupt, warn};
use crate::known;

/// How often a sweep is stored.
const STORED_EVERY: Duration = Duration::from_secs(2);

#[derive(Args)]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    common: Common,
    /// The length of the longest strings, over one character of each class; with --specification whatwg, over --alphabet
    /// after some beginnings of URLs
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = up_to::<12>)]
    max_length: usize,
    /// With --specification whatwg, the characters of the strings [default: 18 that decide somewhere]
    #[arg(long, value_name = "CHARACTERS", requires = "specification")]
    alphabet: Option<String>,
    /// Also compare the components of accepted strings, as --specification whatwg always does
    #[arg(long)]
    components: bool,
    /// Store the progress in this file, and continue from it; a sweep that is stopped loses a few seconds
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

impl SweepArguments {
    /// The strings that are compared with the WHATWG URL Standard.
    ///
    /// # Errors
    ///
    /// An option that only a sweep of a grammar's classes has.
    fn url_strings(&self) -> Result<UrlStrings, RunError> {
        if self.state.is_some() {
            return Err(
                "--state stores a sweep of a grammar's classes, and the WHATWG URL Standard has no grammar".to_owned(),
            );
        }
        let mut alphabet: Vec<char> = match &self.alphabet {
            Some(characters) => characters.chars().collect(),
            None => SYMBOLS.to_vec(),
        };
        alphabet.sort_unstable();
        alphabet.dedup();
        Ok(UrlStrings {
            alphabet,
            longest: self.max_length as u32,
        })
    }

    /// Measures the built-in subjects by the standard that they follow, if that is one.
    pub(crate) fn measure_by_own_standard(&mut self) {
        let is_of_grammar = self.components || self.state.is_some() || !self.common.profiles.is_empty();
        self.common.selection.measure_by_own_standard(is_of_grammar);
    }

    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.common.selection.asks_builtin()
    }
}

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<Finding, RunError> {
    let selected = arguments.common.selection.start()?;
    match (arguments.common.is_by_whatwg(&selected)?, &arguments.alphabet) {
        (true, _) => return sweep_whatwg::run(&arguments.common, &selected, &arguments.url_strings()?),
        (false, Some(_)) => {
            return Err(
                "--alphabet is of --specification whatwg; a grammar has its own classes of characters".to_owned(),
            );
        }
        (false, None) => {}
    }
    let depth = if arguments.components {
        Depth::Components
    } else {
        Depth::Acceptance
    };
    let path = arguments.state.as_deref();
    let mut stored = StoredSweeps {
        path: path.unwrap_or(Path::new("")),
        sweeps: path.map_or_else(|| Ok(Vec::new()), |path| files::read_list(path, "is no stored sweep"))?,
    };
    files::expect_writable(path)?;
    let parsers = parsers(&selected)?;
    let machines = arguments.common.profiles.machines(&parsers)?;
    let ledger = known::ledger();
    put(
        &arguments.common,
        &selected,
        &parsers,
        &machines,
        |machines, subject| {
            // The ledger knows a subject as it declares itself, beside RFC 3986.
            let is_plain = arguments.common.selection.specification.is_none() && machines.profiles().is_empty();
            let predictor = Predictor::of(&ledger, subject.declaration())
                .filter(|predictor| is_plain && subject.digest().is_none() && predictor.is_whole_in(Operation::Parse));
            let predictor = predictor.as_ref();
            let plan = SweepPlan::of(subject, machines, (arguments.max_length, depth), predictor);
            let place = match stored.sweeps.iter().position(|sweep| sweep.plan == plan) {
                Some(place) => {
                    stored.confirm(place, machines, subject, &selected)?;
                    if interrupt::is_stopped() {
                        return Ok(not_begun(machines, subject));
                    }
                    place
                }
                None => stored.begin(plan),
            };
            let is_whole = stored.go_on(place, machines, (subject, predictor))?;
            let row = sweep_row(&stored.sweeps[place], machines, subject, is_whole);
            Ok(row.with_predictions(subject.declaration(), predictor, &stored.sweeps[place].seen()))
        },
    )
}

/// The sweeps of a file; of none if its path is empty.
struct StoredSweeps<'a> {
    path: &'a Path,
    sweeps: Vec<Sweep>,
}

impl StoredSweeps<'_> {
    /// Checks that the subject still does what is stored of it.
    fn confirm(
        &self,
        place: usize,
        machines: &Machines,
        subject: &dyn Subject,
        selected: &SelectedSubjects,
    ) -> Result<(), RunError> {
        let (path, sweep) = (self.path.display(), &self.sweeps[place]);
        sweep
            .check(machines, subject)
            .map_err(|problem| format!("{path} is no stored sweep: {problem}; delete it to begin anew"))?;
        let confirmed = sweep.confirm(machines, subject, &interrupt::is_stopped);
        selected.check_lost()?;
        confirmed.map_err(|problem| {
            format!("{path}: the stored sweep is of another program: {problem}; delete it to begin anew")
        })
    }

    /// Adds a sweep, in the place of those of another program, and returns its place.
    fn begin(&mut self, plan: SweepPlan) -> usize {
        let others = self.sweeps.len();
        self.sweeps.retain(|sweep| !sweep.plan.is_of_another_program(&plan));
        if self.sweeps.len() < others {
            warn(&format!(
                "{}: what is stored of {} is of another program, through another version of uriproof or by another profile: it begins anew",
                self.path.display(),
                plan.subject
            ));
        }
        self.sweeps.push(Sweep::new(plan));
        self.sweeps.len() - 1
    }

    /// Goes on with a sweep, and returns whether everything was asked, and what diverged was put again.
    fn go_on(
        &mut self,
        place: usize,
        machines: &Machines,
        (subject, predictor): (&dyn Subject, Option<&Predictor>),
    ) -> Result<bool, RunError> {
        let all = self.sweeps[place].strings(machines, subject);
        let bar = progress_bar(&subject.declaration().label(), u64::try_from(all).ok());
        let before = self.sweeps[place].score();
        bar.set_position(before.answers() + before.left_out());
        bar.reset_eta();
        let mut last_stored = Instant::now();
        // Of a sweep that is done there is nothing to ask.
        while !interrupt::is_stopped() && !self.sweeps[place].is_done(machines, subject) {
            let progress = |strings| bar.inc(strings);
            let more = self.sweeps[place].go_on(machines, (subject, predictor), progress, &interrupt::is_stopped);
            // What a command was asked after it was given up is not stored.
            if subject.lost().is_some() {
                break;
            }
            if !more || last_stored.elapsed() >= STORED_EVERY {
                self.store()?;
                last_stored = Instant::now();
            }
        }
        let mut is_whole = false;
        if subject.lost().is_none() {
            let sweep = &mut self.sweeps[place];
            is_whole = sweep.is_done(machines, subject) && sweep.put_again(machines, subject, &interrupt::is_stopped);
            if subject.lost().is_none() {
                self.store()?;
            }
        }
        bar.finish_and_clear();
        Ok(is_whole)
    }

    fn store(&self) -> Result<(), RunError> {
        if self.path.as_os_str().is_empty() {
            return Ok(());
        }
        let text =
            serde_json::to_string(&self.sweeps).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(self.path.to_owned(), text + "\n")])
    }
}

fn sweep_row(sweep: &Sweep, machines: &Machines, subject: &dyn Subject, is_whole: bool) -> SuiteRow {
    let mut score = sweep.seen();
    score.is_cut |= !is_whole;
    // Counts of some of the strings say nothing beside those of the machine.
    let is_counted = sweep.is_done(machines, subject) && score.left_out() == 0;
    let accepted = sweep
        .machine_counts(machines.text(own_rule(subject.declaration())))
        .iter()
        .zip(&sweep.accepted)
        .enumerate()
        .map(|(length, (machine, &subject))| LengthRow {
            length,
            subject,
            machine: machine.to_string(),
        })
        .collect();
    let certificates = sweep.certificate(machines, subject).into_iter().filter(|_| is_whole).collect();
    row(
        machines,
        subject,
        (&score, Some(sweep.strings(machines, subject))),
        certificates,
        is_counted.then_some(accepted),
    )
}
