//! `uriproof hunt`: the seeded random search for divergences that nobody has explained.

mod known;
mod search;
mod state;
mod summary;
mod unpredicted;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::gate::{Baseline, Claim};
use uriproof::model::{Outcome, Reading, Subject};
use uriproof::repeat::Unrepeated;
use uriproof::run;
use uriproof_lab::answers::AnswerCheck;
use uriproof_lab::divergence::fingerprint::{Class, Fingerprint};
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::{Batch, Hunt, Minimized};
use uriproof_lab::predict::{Explanation, Predictor, Predictors};

use self::known::known_classes;
use self::state::HuntState;
use self::summary::{HuntSummary, human, json};
use self::unpredicted::UnpredictedAnswer;
use crate::cli::answers::AnswerSelection;
use crate::cli::command::{Foreign, RunSelection, SelectedSubjects};
use crate::cli::ledger::{self, LedgerSelection};
use crate::cli::{Finding, Format, Ran, RunError, files, interrupt, print, print_json, registry, workers};

/// The longest search, in seconds: a year.
const LONGEST: u64 = 365 * 24 * 60 * 60;

#[derive(Args)]
pub(crate) struct Arguments {
    /// How long to search, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=LONGEST))]
    seconds: u64,
    /// Search this many batches of inputs instead, in any time: the same batches give the same result
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    batches: Option<u64>,
    /// The seed of the inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run every input on slow subjects too, not only a share
    #[arg(long)]
    every_input: bool,
    /// Store the progress in this file, and continue from it
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Use the words of this dictionary in some of the inputs: libFuzzer's format, one `name="word"` or `"word"` per
    /// line; repeatable
    #[arg(long, value_name = "FILE")]
    dictionary: Vec<PathBuf>,
    /// The number of processes [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    processes: Option<u16>,
    /// Add new classes of built-in subjects to the ledger in this folder, under the entry `unexplained`
    #[arg(long, value_name = "DIR", conflicts_with_all = ["commands", "ledger", "specification"])]
    write: Option<PathBuf>,
    /// Leave out the wrong answers of a command that this baseline names whatever the input is: those that its deviations predict, and
    /// crashes at a place; and the classes of the failures that its lines accept
    #[arg(long, value_name = "FILE", requires = "commands")]
    baseline: Option<PathBuf>,
    /// Do not compare the answers of built-in subjects to a fixed sample of inputs with those that are stored, which takes
    /// some seconds
    #[arg(long, conflicts_with = "answers")]
    no_answers: bool,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    answers: AnswerSelection,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    selection: RunSelection,
    /// Work on the batches that stdin names
    #[arg(long, hide = true)]
    worker: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.worker {
        return work(arguments);
    }
    files::expect_writable(arguments.state.as_deref())?;
    let mut selected = arguments.selection.start_to_hunt()?;
    selected.commands = arguments.with_known(selected.commands)?;
    expect_different_labels(&selected)?;
    let mut ledger = ledger_of(arguments)?;
    let mut state = HuntState::read(arguments, &selected.subjects())?;
    interrupt::note()?;
    let answers = stored_answers(arguments, &selected)?;
    let started = Instant::now();
    let before = state.totals.inputs;
    let mut found = FoundClasses::new();
    add_stored(arguments, &selected, &state, &mut found)?;
    let searched = search::run(arguments, &selected, &mut state)?;
    for (label, class) in searched.classes {
        add(&mut found, subject_of(&selected, &label)?, class);
    }
    add_builtin(arguments, &ledger, &mut state, &mut found)?;
    let unpredicted = unpredicted(arguments, &mut state, &ledger)?;
    let open = without_class(searched.open, &selected, &found)?;
    let found_classes: Vec<&Class> = found.values().map(|(_, class)| class).collect();
    let known = known_classes(&selected, arguments.baseline()?.as_ref(), &found_classes)?;
    let classes = ClassesMet::of(&found, &ledger, &selected, &known);
    let summary = HuntSummary {
        arguments,
        state: &state,
        selected: &selected,
        answers: &answers,
        classes: &classes,
        open: &open,
        unpredicted: &unpredicted,
        inputs: state.totals.inputs - before,
        elapsed: started.elapsed(),
    };
    match arguments.format {
        Format::Human => print(&human(&summary))?,
        Format::Json => print_json(&json(&summary))?,
    }
    let ClassesMet { new, unexplained, .. } = &classes;
    if let Some(folder) = &arguments.write {
        for (subject, class) in new {
            ledger.add(*subject, class);
        }
        ledger::write(&ledger, folder)?;
    }
    let totals = &state.totals;
    Ran {
        compared: compared(&selected, totals),
        is_unexpected: !answers.is_clean()
            || !new.is_empty()
            || !unpredicted.is_empty()
            || !open.is_empty()
            || *unexplained > 0
            || !totals.unrepeated.is_empty(),
        lost: interrupt::stopped().map(|reason| format!("not everything was searched: {reason}")).or(searched.lost),
    }
    .finding()
}

impl Arguments {
    /// Measures the built-in subjects by the standard that they follow, if that is one.
    pub(crate) fn measure_by_own_standard(&mut self) {
        // A worker gets the specification from the hunt, and the ledger is beside RFC 3986.
        if !self.worker {
            self.selection.measure_by_own_standard(self.write.is_some());
        }
    }

    /// The baseline of the command, if one is named.
    fn baseline(&self) -> Result<Option<Baseline>, RunError> {
        let Some(path) = &self.baseline else {
            return Ok(None);
        };
        let commands = self.selection.commands.lines().len();
        if commands != 1 {
            return Err(format!("a baseline is about one command, and {commands} are selected"));
        }
        let text = fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        Baseline::read(path, &text).map(Some).map_err(|error| error.to_string())
    }

    /// The commands, of which the wrong answers are known that the baseline names.
    fn with_known(&self, commands: Vec<Foreign>) -> Result<Vec<Foreign>, RunError> {
        match self.baseline()? {
            None => Ok(commands),
            Some(baseline) => {
                let known = |foreign: Foreign| foreign.with_known(&baseline).map_err(|error| error.to_string());
                commands.into_iter().map(known).collect()
            }
        }
    }
}

/// Works on the batches that stdin names.
fn work(arguments: &Arguments) -> Result<Finding, RunError> {
    let subjects = arguments.selection.builtin()?;
    let predictors = match arguments.selection.specification {
        Some(Claim::Whatwg) => Predictors::of_url_standard(&subjects, &arguments.ledger.ledger()?),
        // A profile is one of what a subject does by RFC 3986.
        Some(_) => Predictors::default(),
        None => Predictors::of(&subjects, &arguments.ledger.ledger()?),
    };
    workers::serve(Hunt {
        subjects: &subjects,
        seed: arguments.seed,
        every_input: arguments.every_input,
        dictionary: &workers::dictionary()?,
        predictors: &predictors,
    })
}

/// The ledger that explains what is found, or to which it is added.
fn ledger_of(arguments: &Arguments) -> Result<Ledger, RunError> {
    Ok(match &arguments.write {
        Some(folder) => ledger::to_be_written(folder)?,
        // The ledger knows the built-in subjects by what they are, not by what they are said to claim.
        None if arguments.selection.specification.is_some() => Ledger::default(),
        None => arguments.ledger.ledger()?,
    })
}

/// # Errors
///
/// A command and a built-in subject have the same label.
fn expect_different_labels(selected: &SelectedSubjects) -> Result<(), RunError> {
    let mut labels = selected.builtin.iter().map(|subject| subject.declaration().label());
    if let Some(label) = labels.find(|label| selected.is_command(label)) {
        return Err(format!("a command and a built-in subject are both `{label}`"));
    }
    Ok(())
}

/// Compares the answers of the built-in subjects with the stored ones. Those of commands are not stored.
fn stored_answers(arguments: &Arguments, selected: &SelectedSubjects) -> Result<AnswerCheck, RunError> {
    if arguments.no_answers {
        return Ok(AnswerCheck::skipped("--no-answers"));
    }
    let labels = selected.commands.iter().map(|foreign| foreign.client.declaration().label());
    let check = arguments.answers.check_apart(&selected.builtin, &labels.collect::<Vec<_>>());
    // The signal has ended the process that compares them, too.
    match interrupt::stopped() {
        Some(reason) => Ok(check.unwrap_or_else(|_| AnswerCheck::skipped(&reason))),
        None => check,
    }
}

/// How many answers were compared: of the built-in subjects together, and of each command.
fn compared(selected: &SelectedSubjects, totals: &Batch) -> Vec<(String, u64)> {
    let of_commands: u64 = totals.compared.values().sum();
    // They are counted together.
    let of_builtin = [totals.answers - totals.not_compared - of_commands];
    let builtin = selected.builtin.iter().enumerate().map(|(at, _)| of_builtin.get(at).copied().unwrap_or_default());
    let commands = selected.commands.iter().map(|foreign| {
        let label = foreign.client.declaration().label();
        totals.compared.get(&label).copied().unwrap_or_default()
    });
    selected.compared(builtin.chain(commands))
}

/// The subject with a label.
fn subject_of<'s>(selected: &'s SelectedSubjects, label: &str) -> Result<&'s dyn Subject, RunError> {
    let mut subjects = selected.subjects().into_iter();
    subjects
        .find(|subject| subject.declaration().label() == label)
        .ok_or_else(|| format!("there is no subject `{label}`"))
}

/// Adds a class, unless a class with the same name and a smaller witness is there.
fn add<'s>(found: &mut FoundClasses<'s>, subject: &'s dyn Subject, class: Class) {
    let key = (subject.declaration().label(), class.fingerprint.clone());
    if found.get(&key).is_none_or(|(_, known)| class.is_smaller_than(known)) {
        found.insert(key, (subject, class));
    }
}

/// Puts the witnesses that a stored hunt has of commands again, and a sample of what agreed: each does as it did, or the state is of
/// another program.
fn add_stored<'s>(
    arguments: &Arguments,
    selected: &'s SelectedSubjects,
    state: &HuntState,
    found: &mut FoundClasses<'s>,
) -> Result<(), RunError> {
    let path = arguments.state.as_deref().unwrap_or(Path::new("")).display();
    for find in state.totals.finds.iter().filter(|find| selected.is_command(&find.subject)) {
        let subject = subject_of(selected, &find.subject)?;
        let result = run::one(subject, &find.input, Reading::Rfc3986);
        selected.check_lost()?;
        let class = Class::of(result).ok_or_else(|| {
            format!(
                "{path} holds a divergence of {} on {} that it does not show: the stored hunt is of another program; \
                 delete it to begin anew",
                find.subject, find.input
            )
        })?;
        add(found, subject, class);
    }
    for agreed in &state.agreed {
        let subject = subject_of(selected, &agreed.subject)?;
        let result = run::one(subject, &agreed.input, Reading::Rfc3986);
        selected.check_lost()?;
        if matches!(result.verdict, Verdict::Diverge(_)) {
            return Err(format!(
                "{path} holds that {} agrees on {}, and it does not: the stored hunt is of another program; delete it to begin anew",
                agreed.subject, agreed.input
            ));
        }
    }
    Ok(())
}

/// The built-in subjects by their labels, those in processes of their own that have killed a worker.
fn builtin(arguments: &Arguments, state: &HuntState) -> Result<BTreeMap<String, &'static dyn Subject>, RunError> {
    let mut subjects: BTreeMap<String, &dyn Subject> = BTreeMap::new();
    for &subject in registry::subjects() {
        let label = subject.declaration().label();
        let apart = state.apart.contains(&label);
        let subject = if apart { registry::apart(subject)? } else { subject };
        subjects.insert(label, arguments.selection.claimed(subject));
    }
    Ok(subjects)
}

/// The answers that the profiles of the ledger do not predict. One that is as predicted here does not repeat.
fn unpredicted(
    arguments: &Arguments,
    state: &mut HuntState,
    ledger: &Ledger,
) -> Result<Vec<UnpredictedAnswer>, RunError> {
    let subjects = builtin(arguments, state)?;
    let mut shown = Vec::new();
    let mut unrepeated = Vec::new();
    for find in &state.totals.unpredicted {
        let Some(subject) = subjects.get(&find.subject) else {
            continue;
        };
        match UnpredictedAnswer::of(*subject, find, ledger) {
            Some(answer) => shown.push(answer),
            None => unrepeated.push((find.subject.clone(), diverged_elsewhere(*subject, find))),
        }
    }
    state.totals.unrepeated.extend(unrepeated);
    Ok(shown)
}

/// What differed in a worker, or in a hunt that was stored, and does not here.
fn diverged_elsewhere(subject: &dyn Subject, find: &Minimized) -> Unrepeated {
    let again = run::one(subject, &find.input, Reading::Rfc3986);
    Unrepeated {
        input: find.input.clone(),
        first: Outcome::unsupported("diverged in another process"),
        again: again.observed,
        fresh: None,
        sequence: None,
    }
}

/// The classes of the witnesses of built-in subjects, as the ledger's own commands find what a witness shows. What is inherited from an
/// operation that a profile predicts is known.
fn add_builtin(
    arguments: &Arguments,
    ledger: &Ledger,
    state: &mut HuntState,
    found: &mut FoundClasses<'_>,
) -> Result<(), RunError> {
    let subjects = builtin(arguments, state)?;
    let finds: Vec<(&dyn Subject, &Minimized)> =
        state.totals.finds.iter().filter_map(|find| Some((*subjects.get(&find.subject)?, find))).collect();
    let explain = |(subject, find): &(&dyn Subject, &Minimized)| {
        let result = run::one(*subject, &find.input, Reading::Rfc3986);
        let predictor = Predictor::of(ledger, subject.declaration());
        Explanation::of(*subject, &result, Reading::Rfc3986, predictor.as_ref())
    };
    let explanations: Vec<Explanation> = finds.par_iter().map(explain).collect();
    let mut unrepeated = Vec::new();
    for ((subject, find), explanation) in finds.into_iter().zip(explanations) {
        match explanation {
            Explanation::By { deviations, classes } if deviations.is_empty() && classes.is_empty() => {
                unrepeated.push((find.subject.clone(), diverged_elsewhere(subject, find)));
            }
            Explanation::By { classes, .. } => classes.into_iter().for_each(|class| add(found, subject, class)),
            Explanation::Unpredicted(_) => {
                let result = run::one(subject, &find.input, Reading::Rfc3986);
                Class::of(result).into_iter().for_each(|class| add(found, subject, class));
            }
        }
    }
    state.totals.unrepeated.extend(unrepeated);
    Ok(())
}

/// The divergences that were not made small. What has a class stands for what was met and not made small.
fn without_class<'s>(
    open: Vec<(String, Class)>,
    selected: &'s SelectedSubjects,
    found: &FoundClasses<'_>,
) -> Result<Vec<(&'s dyn Subject, Class)>, RunError> {
    let mut without: Vec<(&dyn Subject, Class)> = Vec::new();
    for (label, class) in open {
        let subject = subject_of(selected, &label)?;
        let is_same = |(other, known): &(&dyn Subject, Class)| {
            other.declaration() == subject.declaration() && known.fingerprint == class.fingerprint
        };
        if !found.contains_key(&(label, class.fingerprint.clone())) && !without.iter().any(is_same) {
            without.push((subject, class));
        }
    }
    Ok(without)
}

/// What was found, by the subject's label and the fingerprint.
type FoundClasses<'s> = BTreeMap<(String, Fingerprint), (&'s dyn Subject, Class)>;

/// The classes that were met, by what the ledger says of them.
struct ClassesMet<'a> {
    count: usize,
    /// How many the ledger has, and does not explain.
    unexplained: usize,
    /// How many the baseline of the command has.
    in_baseline: usize,
    new: Vec<(&'a dyn Subject, Class)>,
}

impl<'a> ClassesMet<'a> {
    fn of(
        found: &'a FoundClasses<'_>,
        ledger: &Ledger,
        selected: &SelectedSubjects,
        of_baseline: &BTreeSet<Fingerprint>,
    ) -> ClassesMet<'a> {
        // The ledger is of built-in subjects.
        let in_baseline = |(label, fingerprint): &(String, Fingerprint)| {
            selected.is_command(label) && of_baseline.contains(fingerprint)
        };
        let in_ledger = |(label, fingerprint): &(String, Fingerprint)| {
            !selected.is_command(label) && ledger.has(label, fingerprint)
        };
        ClassesMet {
            count: found.len(),
            unexplained: found.keys().filter(|key| in_ledger(key) && ledger.is_unexplained(&key.0, &key.1)).count(),
            in_baseline: found.keys().filter(|key| in_baseline(key)).count(),
            new: found
                .iter()
                .filter(|(key, _)| !in_ledger(key) && !in_baseline(key))
                .map(|(_, (subject, class))| (*subject, class.clone()))
                .collect(),
        }
    }
}
