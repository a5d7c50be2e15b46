//! `uriproof hunt`: the seeded random search for divergences that nobody has explained.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use uriproof::divergence::fingerprint::{Class, Fingerprint, Mark, classes_of};
use uriproof::divergence::ledger::Ledger;
use uriproof::divergence::severity::Severity;
use uriproof::model::{Reading, Subject};
use uriproof::protocol::client::{Client, Limits};
use uriproof::run;
use uriproof::search::classes;
use uriproof::search::hunt::{self, Batch, Find};
use uriproof::search::vectors::Library;

use crate::ledger::{self, LedgerSelection};
use crate::select::SubjectSelection;
use crate::workers::{self, Lost, Worker};
use crate::{Failure, Finding, Format, files, print, print_json};

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
    /// Keep what is done in this file, and go on from there
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// How many processes to search with; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    processes: Option<NonZeroUsize>,
    /// Add the new classes to the ledger in this folder, under the entry `unexplained`
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    subjects: SubjectSelection,
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
    /// The batches that are done.
    done: BTreeSet<u64>,
    totals: Batch,
}

/// A batch, done or lost.
type Done = (u64, Result<Batch, Lost>);

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let subjects = arguments.subjects.subjects()?;
    if arguments.worker {
        return workers::serve(&subjects, arguments.seed);
    }
    let mut ledger = arguments.ledger.ledger()?;
    let mut state = State::read(arguments, &subjects)?;
    let started = Instant::now();
    let before = state.totals.inputs;
    let mut found = search(arguments, &subjects, &mut state)?;
    for (subject, find) in finds(&subjects, &state) {
        // As the ledger's own commands tell what a witness shows.
        let classes = classes::of_input(subject, &find.input);
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
    let unknown = found.iter().filter(|((label, fingerprint), _)| ledger.find(label, fingerprint).is_none());
    let mut new: Vec<(&dyn Subject, Class)> = Vec::new();
    let mut variants: Vec<Variant<'_>> = Vec::new();
    for (_, (subject, class)) in unknown {
        match ledger.variant_of(*subject, class, Reading::Rfc3986) {
            Some(known) => variants.push(Variant {
                subject: *subject,
                class,
                of: known.class.fingerprint.clone(),
            }),
            None => new.push((*subject, class.clone())),
        }
    }
    let unexplained = found.keys().filter(|key| ledger.is_unexplained(&key.0, &key.1)).count();
    match arguments.format {
        Format::Human => print(&human(&Summary {
            arguments,
            state: &state,
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
        let same =
            stored.seed == new.seed && stored.subjects == new.subjects && stored.data_version == new.data_version;
        if !same {
            return Err(format!(
                "{} is a hunt with another seed, other subjects or other vectors; delete it to begin anew",
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
type Found = BTreeMap<(String, Fingerprint), (&'static dyn Subject, Class)>;

/// Works on batches until time is up, or as many are done as were asked for. Gives what was found of subjects that died
/// or hung; the rest stands in the state.
fn search(arguments: &Arguments, subjects: &[&'static dyn Subject], state: &mut State) -> Result<Found, Failure> {
    let labels = state.subjects.clone();
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
    let mut found = Found::new();
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..processes {
            let (sender, labels, next) = (sender.clone(), &labels, &next);
            scope.spawn(move || work(labels, arguments.seed, next, &sender));
        }
        drop(sender);
        for result in results {
            let (number, batch) = result?;
            match batch {
                Ok(batch) => state.add(number, batch),
                Err(lost) => {
                    for (subject, class) in losses(&labels, subjects, arguments.seed, number)? {
                        let label = subject.declaration().label();
                        found.insert((label, class.fingerprint.clone()), (subject, class));
                    }
                    state.add(number, Batch::default());
                    bar.println(format!("batch {number} was lost: {lost:?}"));
                }
            }
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
        Ok::<_, Failure>(())
    })?;
    bar.finish_and_clear();
    Ok(found)
}

/// A process, and another after each that is lost.
fn work(
    labels: &[String],
    seed: u64,
    next: &(impl Fn() -> Option<u64> + Sync),
    results: &Sender<Result<Done, Failure>>,
) {
    let mut worker = None;
    while let Some(number) = next() {
        let started = match worker.take() {
            Some(worker) => Ok(worker),
            None => Worker::start(labels, seed),
        };
        let result = started.map(|mut started: Worker| {
            let batch = started.batch(number, 0..hunt::BATCH);
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

/// The subjects that a lost batch kills, each with its input made small, in a process of its own.
fn losses(
    labels: &[String],
    subjects: &[&'static dyn Subject],
    seed: u64,
    number: u64,
) -> Result<Vec<(&'static dyn Subject, Class)>, Failure> {
    let mut losses = Vec::new();
    for (label, at, _) in workers::culprits(labels, seed, number)? {
        let Some((subject, input)) = subjects
            .iter()
            .find(|subject| subject.declaration().label() == label)
            .zip(hunt::inputs(seed, number).nth(at))
        else {
            continue;
        };
        let limits = Limits {
            time: Duration::from_secs(2),
            restarts: usize::MAX,
            ..Limits::default()
        };
        let program = std::env::current_exe().map_err(|error| format!("the program is not found: {error}"))?;
        let client = Client::builtin(&program, *subject, limits)?;
        let result = run::one(&client, &input, Reading::Rfc3986);
        let classes: Vec<Class> = Mark::all(&result)
            .iter()
            .take(1)
            .flat_map(|mark| classes_of(&client, &input, mark, Reading::Rfc3986))
            .collect();
        if classes.is_empty() {
            return Err(format!(
                "{label} lost batch {number} at {input}, but does not when it is asked alone; \
                 `uriproof diff` may show why"
            ));
        }
        losses.extend(classes.into_iter().map(|class| (*subject, class)));
    }
    Ok(losses)
}

/// Every witness of the state with its subject.
fn finds<'s>(
    subjects: &[&'static dyn Subject],
    state: &'s State,
) -> impl Iterator<Item = (&'static dyn Subject, &'s Find)> {
    let by_label: BTreeMap<String, &'static dyn Subject> =
        subjects.iter().map(|subject| (subject.declaration().label(), *subject)).collect();
    state.totals.finds.iter().filter_map(move |find| Some((*by_label.get(&find.subject)?, find)))
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
    met: usize,
    new: &'a [(&'a dyn Subject, Class)],
    variants: usize,
    unexplained: usize,
    inputs: u64,
    elapsed: Duration,
}

fn human(summary: &Summary<'_>) -> String {
    let mut text = String::new();
    for (class, subjects) in shared(summary.new) {
        text += &news(&subjects, class);
    }
    let Summary { arguments, state, .. } = summary;
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
    line(match (summary.new.len(), summary.unexplained) {
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

/// A new class: what differs, a ready vector, a ready ledger entry.
fn news(subjects: &[&dyn Subject], class: &Class) -> String {
    let severity = Severity::of(&class.witness).map(|severity| format!("{severity}: ")).unwrap_or_default();
    let mut text = format!("{BAD}{severity}{}{BAD:#}\n", class.fingerprint);
    let mut line = |words: String| writeln!(text, "  {words}").expect("writes to a string");
    for subject in subjects {
        line(format!("by        {}", subject.declaration()));
    }
    line(format!("expected  {}", ledger::expected_line(class)));
    line(format!("got       {}", class.witness.observed));
    line(format!("vector    {}", Ledger::ready_vector(class)));
    line("entry".to_owned());
    for entry_line in Ledger::ready_entry(subjects, class).lines() {
        line(format!("  {entry_line}"));
    }
    text.push('\n');
    text
}

fn json(state: &State, met: usize, new: &[(&dyn Subject, Class)], variants: &[Variant<'_>]) -> serde_json::Value {
    let classes: Vec<serde_json::Value> = shared(new)
        .into_iter()
        .map(|(class, subjects)| {
            serde_json::json!({
                "fingerprint": class.fingerprint,
                "severity": Severity::of(&class.witness),
                "subjects": subjects.iter().map(|subject| subject.declaration().label()).collect::<Vec<_>>(),
                "input": class.witness.input,
                "reference": class.witness.expected.literal(),
                "outcome": class.witness.observed,
                "vector": Ledger::ready_vector(class),
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
