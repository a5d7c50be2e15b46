//! `uriproof hunt`: the seeded random search for divergences that nobody has explained.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use crate::divergence::fingerprint::{Class, Fingerprint};
use crate::divergence::ledger::Ledger;
use crate::model::{Reading, Subject};
use crate::search::classes;
use crate::search::hunt::{Batch, Find, Hunt};
use crate::search::ready::ready_vector;
use crate::search::vectors::Library;
use crate::severity::Severity;
use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cli::command::{Asked, AskedSelection};
use crate::cli::ledger::{self, LedgerSelection};
use crate::cli::workers::{self, Lost, Search, Worker};
use crate::cli::{Failure, Finding, Format, files, print, print_json, registry};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

#[derive(Args)]
pub(crate) struct Arguments {
    /// How long to search
    #[arg(long, value_name = "S", default_value_t = 60)]
    seconds: u64,
    /// Search this many batches of inputs, however long that takes: the same batches give the same result
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    batches: Option<u64>,
    /// The seed of the inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Ask slow subjects every input too, not only the share that keeps them from holding up the others
    #[arg(long)]
    every_input: bool,
    /// Keep what is done in this file, and go on from there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// How many processes to search with; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    processes: Option<NonZeroUsize>,
    /// Add the new classes to the ledger in this folder, under the entry `unexplained`; it is of built-in subjects
    #[arg(long, value_name = "DIR", conflicts_with_all = ["commands", "ledger"])]
    write: Option<PathBuf>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    asked: AskedSelection,
    /// Work on the batches that stdin names
    #[arg(long, hide = true)]
    worker: bool,
}

/// What is done of a hunt, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    seed: u64,
    data_version: String,
    subjects: Vec<String>,
    /// Whether slow subjects are asked every input.
    #[serde(default)]
    every_input: bool,
    /// The labels of the subjects that kill the process that asks them, or do not answer.
    #[serde(default)]
    apart: BTreeSet<String>,
    /// The batches that are done.
    done: BTreeSet<u64>,
    totals: Batch,
}

/// A batch, done or lost.
type Done = (u64, Result<Batch, Lost>);

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    files::expect_writable(arguments.state.as_deref())?;
    let asked = arguments.asked.start()?;
    let subjects = asked.subjects();
    if arguments.worker {
        let hunt = Hunt {
            subjects: &subjects,
            seed: arguments.seed,
            every_input: arguments.every_input,
        };
        return workers::serve(hunt, &asked);
    }
    let mut labels = asked.builtin.iter().map(|subject| subject.declaration().label());
    if let Some(label) = labels.find(|label| asked.is_command(label)) {
        return Err(format!("a command and a built-in subject are both `{label}`"));
    }
    let mut ledger = match &arguments.write {
        Some(folder) => ledger::to_be_written(folder)?,
        None => arguments.ledger.ledger()?,
    };
    let mut state = State::read(arguments, &subjects)?;
    let started = Instant::now();
    let before = state.totals.inputs;
    let given_up = search(arguments, &asked, &mut state)?;
    let finds = finds(&asked, &state)?;
    // As the ledger's own commands tell what a witness shows.
    let shown: Vec<Vec<Class>> =
        finds.par_iter().map(|(subject, find)| classes::of_input(*subject, &find.input)).collect();
    asked.check_lost()?;
    let mut found = Found::new();
    for ((subject, find), classes) in finds.into_iter().zip(shown) {
        if classes.is_empty() {
            return Err(format!(
                "{} differed on {} in a worker, and does not here: it gives no two answers alike, or the stored hunt \
                 is of another version",
                find.subject, find.input
            ));
        }
        for class in classes {
            found.insert((find.subject.clone(), class.fingerprint.clone()), (subject, class));
        }
    }
    // The ledger is of built-in subjects.
    let is_of_command = |label: &str| asked.is_command(label);
    let known = |(label, fingerprint): &(String, Fingerprint)| {
        ledger.find(label, fingerprint).filter(|_| !is_of_command(label)).is_some()
    };
    let unexplained = found.keys().filter(|key| known(key) && ledger.is_unexplained(&key.0, &key.1)).count();
    let unknown: Vec<(&dyn Subject, &Class)> =
        found.iter().filter(|(key, _)| !known(key)).map(|(_, (subject, class))| (*subject, class)).collect();
    let likes: Vec<Option<Fingerprint>> = unknown
        .par_iter()
        .map(|(subject, class)| {
            let label = subject.declaration().label();
            let alike = || ledger.variant_of(*subject, class, Reading::Rfc3986);
            (!is_of_command(&label)).then(alike).flatten().map(|known| known.class.fingerprint.clone())
        })
        .collect();
    let mut new: Vec<(&dyn Subject, Class)> = Vec::new();
    let mut variants: Vec<Variant<'_>> = Vec::new();
    for ((subject, class), like) in unknown.into_iter().zip(likes) {
        match like {
            Some(of) => variants.push(Variant { subject, class, of }),
            None => new.push((subject, class.clone())),
        }
    }
    match arguments.format {
        Format::Human => print(&human(&Summary {
            arguments,
            state: &state,
            asked: &asked,
            met: found.len(),
            new: &new,
            variants: variants.len(),
            unexplained,
            inputs: state.totals.inputs - before,
            elapsed: started.elapsed(),
        }))?,
        Format::Json => print_json(&json(&state, found.len(), &new, &variants))?,
    }
    if let Some(folder) = &arguments.write {
        for (subject, class) in &new {
            ledger.add(*subject, class);
        }
        ledger::write(&ledger, folder)?;
    }
    if let Some(reason) = given_up {
        return Err(reason);
    }
    Ok(if new.is_empty() && unexplained == 0 {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

impl State {
    fn read(arguments: &Arguments, subjects: &[&dyn Subject]) -> Result<State, Failure> {
        let new = State {
            seed: arguments.seed,
            data_version: Library::embedded().version(),
            subjects: subjects.iter().map(|subject| subject.declaration().label()).collect(),
            every_input: arguments.every_input,
            apart: BTreeSet::new(),
            done: BTreeSet::new(),
            totals: Batch::default(),
        };
        let Some(path) = &arguments.state else { return Ok(new) };
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(new),
            text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
        };
        let stored: State = serde_json::from_str(&text)
            .map_err(|error| format!("{} is no stored hunt: {error}; delete it to begin anew", path.display()))?;
        let asked = |state: &State| {
            (
                state.seed,
                state.subjects.clone(),
                state.every_input,
                state.data_version.clone(),
            )
        };
        if asked(&stored) != asked(&new) {
            return Err(format!(
                "{} is a hunt with another seed, other subjects, another share of inputs or other vectors; delete it to begin anew",
                path.display()
            ));
        }
        Ok(stored)
    }

    fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string(self).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(path.to_owned(), text + "\n")])
    }

    fn add(&mut self, number: u64, batch: Batch) {
        self.done.insert(number);
        let totals = &mut self.totals;
        totals.inputs += batch.inputs;
        totals.answers += batch.answers;
        totals.not_compared += batch.not_compared;
        totals.diverged += batch.diverged;
        let known: BTreeSet<&Find> = totals.finds.iter().collect();
        let new: Vec<Find> = batch.finds.into_iter().filter(|find| !known.contains(find)).collect();
        totals.finds.extend(new);
    }
}

/// What was found, by the subject's label and the fingerprint.
type Found<'s> = BTreeMap<(String, Fingerprint), (&'s dyn Subject, Class)>;

/// Works on batches until time is up, or as many are done as were asked for, or a command is given up: returns why, if so.
fn search(arguments: &Arguments, asked: &Asked, state: &mut State) -> Result<Option<String>, Failure> {
    let labels: Vec<String> = asked.builtin.iter().map(|subject| subject.declaration().label()).collect();
    let commands = match asked.commands.is_empty() {
        true => Vec::new(),
        false => arguments.asked.commands.flags(),
    };
    let search = Search {
        labels: &labels,
        commands: &commands,
        seed: state.seed,
        every_input: state.every_input,
    };
    let deadline = Instant::now() + Duration::from_secs(arguments.seconds);
    let processes = match arguments.processes {
        Some(processes) => processes.get(),
        None => thread::available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let mut numbers = (0..).filter({
        let done = state.done.clone();
        move |number| !done.contains(number)
    });
    let left = arguments.batches.map(|batches| batches.saturating_sub(state.done.len() as u64));
    let mut given = 0;
    let next = Mutex::new(move || {
        let is_over = left.map_or_else(|| Instant::now() >= deadline, |left| given >= left);
        given += 1;
        if is_over { None } else { numbers.next() }
    });
    let next = || next.lock().ok().and_then(|mut next| next());
    let bar = progress_bar(arguments);
    let apart = Mutex::new(state.apart.clone());
    let given_up = thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..processes {
            let (sender, apart, next) = (sender.clone(), &apart, &next);
            scope.spawn(move || work(search, apart, next, &sender));
        }
        drop(sender);
        for result in results {
            let (number, batch) = result?;
            if let Err(Lost::GivenUp(reason)) = batch {
                return Ok(Some(reason));
            }
            let batch = batch.or_else(|lost| {
                bar.println(format!("batch {number} was lost ({lost}) and is done again"));
                once_more(search, &apart, number, &lost)
            })?;
            state.apart = locked(&apart).clone();
            state.add(number, batch);
            if let Some(path) = &arguments.state {
                state.write(path)?;
            }
            bar.set_message(format!(
                "{} inputs, {} witnesses",
                state.totals.inputs,
                state.totals.finds.len()
            ));
            bar.set_position(match arguments.batches {
                Some(_) => state.done.len() as u64,
                None => arguments.seconds.saturating_sub(deadline.duration_since(Instant::now()).as_secs()),
            });
        }
        Ok::<_, Failure>(None)
    })?;
    bar.finish_and_clear();
    Ok(given_up)
}

/// A process, and another after each that is lost.
fn work(
    search: Search<'_>,
    apart: &Mutex<BTreeSet<String>>,
    next: &(impl Fn() -> Option<u64> + Sync),
    results: &Sender<Result<Done, Failure>>,
) {
    let mut worker = None;
    while let Some(number) = next() {
        let started = match worker.take() {
            Some(worker) => Ok(worker),
            None => Worker::start(search, &locked(apart)),
        };
        let result = started.map(|mut started: Worker| {
            let batch = started.batch(number);
            if batch.is_ok() {
                worker = Some(started);
            }
            (number, batch)
        });
        let failed = result.is_err();
        if results.send(result).is_err() || failed {
            return;
        }
    }
}

/// A lost batch once more, with the subjects that lose it in processes of their own.
fn once_more(search: Search<'_>, apart: &Mutex<BTreeSet<String>>, number: u64, lost: &Lost) -> Result<Batch, Failure> {
    let known = locked(apart).clone();
    // A process that was started before a subject was known to be one of them can have met it again.
    if !known.is_empty()
        && let Ok(batch) = Worker::start(search, &known)?.batch(number)
    {
        return Ok(batch);
    }
    let others: Vec<String> = search.labels.iter().filter(|label| !known.contains(*label)).cloned().collect();
    let culprits = workers::culprits(
        Search {
            labels: &others,
            ..search
        },
        number,
    )?;
    if culprits.is_empty() {
        return Err(format!(
            "batch {number} was lost ({lost}), and no subject loses it alone"
        ));
    }
    locked(apart).extend(culprits);
    let apart = locked(apart).clone();
    let again = Worker::start(search, &apart)?.batch(number);
    again.map_err(|lost| format!("batch {number} was lost again ({lost}), with {apart:?} apart"))
}

/// What a thread that panicked has left is whole: labels are put there at once.
fn locked(apart: &Mutex<BTreeSet<String>>) -> MutexGuard<'_, BTreeSet<String>> {
    apart.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every witness of the state with its subject.
fn finds<'s>(asked: &'s Asked, state: &'s State) -> Result<Vec<(&'s dyn Subject, &'s Find)>, Failure> {
    let mut by_label: BTreeMap<String, &dyn Subject> =
        asked.subjects().into_iter().map(|subject| (subject.declaration().label(), subject)).collect();
    for &subject in &asked.builtin {
        let label = subject.declaration().label();
        if state.apart.contains(&label) {
            by_label.insert(label, registry::apart(subject)?);
        }
    }
    Ok(state.totals.finds.iter().filter_map(|find| Some((*by_label.get(&find.subject)?, find))).collect())
}

fn progress_bar(arguments: &Arguments) -> ProgressBar {
    let length = arguments.batches.unwrap_or(arguments.seconds);
    let unit = if arguments.batches.is_some() { "batches" } else { "s" };
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}  {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// A class that is not in the ledger, and the one there whose variant it is.
struct Variant<'a> {
    subject: &'a dyn Subject,
    class: &'a Class,
    of: Fingerprint,
}

struct Summary<'a> {
    arguments: &'a Arguments,
    state: &'a State,
    asked: &'a Asked,
    met: usize,
    new: &'a [(&'a dyn Subject, Class)],
    variants: usize,
    unexplained: usize,
    inputs: u64,
    elapsed: Duration,
}

fn human(summary: &Summary<'_>) -> String {
    let mut text = String::new();
    let library = Library::embedded();
    for (class, subjects) in shared(summary.new) {
        text += &news(&subjects, class, summary.asked, &library);
    }
    let Summary {
        arguments,
        state,
        asked,
        ..
    } = summary;
    let totals = &state.totals;
    let mut line = |words: String| writeln!(text, "{words}").expect("writes to a string");
    line(format!(
        "{} inputs in {:.0} s from seed {} ({} in all): {} answers, {} diverged, {} not compared",
        summary.inputs,
        summary.elapsed.as_secs_f64(),
        arguments.seed,
        totals.inputs,
        totals.answers,
        totals.diverged,
        totals.not_compared
    ));
    let met = match summary.variants {
        0 => summary.met.to_string(),
        variants => format!("{} (and {variants} variants of them)", summary.met - variants),
    };
    // A command has no ledger that could explain anything.
    line(match (summary.new.len(), summary.unexplained) {
        (0, _) if asked.builtin.is_empty() => format!("{GOOD}no class was met{GOOD:#}"),
        (1, _) if asked.builtin.is_empty() => format!("{BAD}1 class was met{BAD:#}"),
        (_, _) if asked.builtin.is_empty() => format!("{BAD}{met} classes were met{BAD:#}"),
        (0, 0) => format!("{GOOD}{met} classes were met, and the ledger explains them all{GOOD:#}"),
        (0, unexplained) => format!("{BAD}{met} classes were met; {unexplained} are unexplained in the ledger{BAD:#}"),
        (new, 0) => format!("{BAD}{met} classes were met; {new} are not in the ledger{BAD:#}"),
        (new, unexplained) => {
            format!(
                "{BAD}{met} classes were met; {new} are not in the ledger, {unexplained} are unexplained in it{BAD:#}"
            )
        }
    });
    text
}

/// Classes that several subjects share, once, with those.
fn shared<'a>(classes: &'a [(&'a dyn Subject, Class)]) -> Vec<(&'a Class, Vec<&'a dyn Subject>)> {
    let mut shared: Vec<(&Class, Vec<&dyn Subject>)> = Vec::new();
    for (subject, class) in classes {
        let same =
            |known: &Class| known.fingerprint == class.fingerprint && known.witness.observed == class.witness.observed;
        match shared.iter_mut().find(|(known, _)| same(known)) {
            Some((_, subjects)) => subjects.push(*subject),
            None => shared.push((class, vec![*subject])),
        }
    }
    let severity = |class: &Class| Severity::of(&class.witness);
    shared.sort_by_key(|(class, _)| (severity(class), class.witness.input.size(), class.fingerprint.clone()));
    shared
}

/// A new class: what differs, a ready vector, a ready ledger entry where a built-in subject shows it.
fn news(subjects: &[&dyn Subject], class: &Class, asked: &Asked, library: &Library) -> String {
    let severity = Severity::of(&class.witness).map(|severity| format!("{severity}: ")).unwrap_or_default();
    let mut text = format!("{BAD}{severity}{}{BAD:#}\n", class.fingerprint);
    let mut line = |words: String| writeln!(text, "  {words}").expect("writes to a string");
    for subject in subjects {
        line(format!("by        {}", subject.declaration()));
    }
    line(format!("expected  {}", ledger::expected_line(class)));
    line(format!("got       {}", class.witness.observed));
    line(match ready_vector(&class.witness.input, &class.difference, library) {
        Ok(vector) => match serde_json::to_string(&vector) {
            Ok(vector) => format!("vector    {vector}"),
            Err(error) => format!("vector    none: it cannot be written as JSON: {error}"),
        },
        Err(none) => format!("vector    {none}"),
    });
    let in_ledger: Vec<&dyn Subject> =
        subjects.iter().copied().filter(|subject| !asked.is_command(&subject.declaration().label())).collect();
    if !in_ledger.is_empty() {
        line("entry".to_owned());
        for entry_line in Ledger::ready_entry(&in_ledger, class).lines() {
            line(format!("  {entry_line}"));
        }
    }
    text.push('\n');
    text
}

fn json(state: &State, met: usize, new: &[(&dyn Subject, Class)], variants: &[Variant<'_>]) -> serde_json::Value {
    let library = Library::embedded();
    let classes: Vec<serde_json::Value> = shared(new)
        .into_iter()
        .map(|(class, subjects)| {
            let vector = ready_vector(&class.witness.input, &class.difference, &library);
            serde_json::json!({
                "fingerprint": class.fingerprint,
                "severity": Severity::of(&class.witness),
                "subjects": subjects.iter().map(|subject| subject.declaration().label()).collect::<Vec<_>>(),
                "input": class.witness.input,
                "reference": class.witness.expected.literal(),
                "outcome": class.witness.observed,
                "vector": vector.as_ref().ok(),
                "no_vector": vector.as_ref().err().map(ToString::to_string),
            })
        })
        .collect();
    serde_json::json!({
        "seed": state.seed,
        "batches": state.done.len(),
        "inputs": state.totals.inputs,
        "answers": state.totals.answers,
        "not_compared": state.totals.not_compared,
        "diverged": state.totals.diverged,
        "met": met,
        "new": classes,
        "variants": variants
            .iter()
            .map(|variant| {
                serde_json::json!({
                    "fingerprint": variant.class.fingerprint,
                    "of": variant.of,
                    "subject": variant.subject.declaration().label(),
                })
            })
            .collect::<Vec<_>>(),
    })
}
