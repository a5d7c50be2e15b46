//! `uriproof hunt`: the seeded random search for divergences that nobody has explained.

mod search;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use anstyle::{AnsiColor, Style};
use clap::Args;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use uriproof::compare::Verdict;
use uriproof::model::{Json, Outcome, Reading, Subject};
use uriproof::repeat::Unrepeated;
use uriproof::run;
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_lab::classes;
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::divergence::fingerprint::{Class, Fingerprint};
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::{self, Batch, Hunt, Minimized};
use uriproof_lab::ready::ready_vector;

use crate::cli::command::{RunSelection, SelectedSubjects};
use crate::cli::ledger::{self, LedgerSelection};
use crate::cli::{Finding, Format, Ran, RunError, files, interrupt, print, print_json, registry, warn, workers};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The longest search, in seconds: a year.
const LONGEST: u64 = 365 * 24 * 60 * 60;

/// The longest file of a dictionary, in bytes: its words are stored with a hunt.
const LONGEST_DICTIONARY: u64 = 1 << 20;

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
    #[arg(long, value_name = "DIR", conflicts_with_all = ["commands", "ledger"])]
    write: Option<PathBuf>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    selection: RunSelection,
    /// Work on the batches that stdin names
    #[arg(long, hide = true)]
    worker: bool,
}

/// What is done of a hunt, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HuntState {
    seed: u64,
    data_version: String,
    subjects: Vec<String>,
    /// The digests of the commands.
    #[serde(default)]
    digests: Vec<Option<String>>,
    /// Whether every input runs on slow subjects.
    #[serde(default)]
    every_input: bool,
    /// Words that go into the inputs.
    #[serde(default, skip_serializing_if = "Dictionary::is_empty")]
    dictionary: Dictionary,
    /// The labels of the subjects that kill the process that calls them, or do not answer.
    #[serde(default)]
    apart: BTreeSet<String>,
    /// The batches that are done.
    done: BTreeSet<u64>,
    /// Inputs on which commands agreed, some of each batch.
    #[serde(default)]
    agreed: Vec<Minimized>,
    totals: Batch,
}

/// How many inputs of a batch are kept on which a command agreed, and how many of all.
const AGREED: (usize, usize) = (2, 200);

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.worker {
        let subjects = arguments.selection.subjects.subjects()?;
        return workers::serve(Hunt {
            subjects: &subjects,
            seed: arguments.seed,
            every_input: arguments.every_input,
            dictionary: &workers::dictionary()?,
        });
    }
    files::expect_writable(arguments.state.as_deref())?;
    let selected = arguments.selection.start_to_hunt()?;
    let mut labels = selected.builtin.iter().map(|subject| subject.declaration().label());
    if let Some(label) = labels.find(|label| selected.is_command(label)) {
        return Err(format!("a command and a built-in subject are both `{label}`"));
    }
    let mut ledger = match &arguments.write {
        Some(folder) => ledger::to_be_written(folder)?,
        None => arguments.ledger.ledger()?,
    };
    let mut state = HuntState::read(arguments, &selected.subjects())?;
    interrupt::note()?;
    let started = Instant::now();
    let before = state.totals.inputs;
    let mut found = FoundClasses::new();
    add_stored(arguments, &selected, &state, &mut found)?;
    let searched = search::run(arguments, &selected, &mut state)?;
    for (label, class) in searched.classes {
        add(&mut found, subject_of(&selected, &label)?, class);
    }
    add_builtin(&selected, &mut state, &mut found)?;
    let open = without_class(searched.open, &selected, &found)?;
    let classes = ClassesMet::of(&found, &ledger, &selected);
    let summary = HuntSummary {
        arguments,
        state: &state,
        selected: &selected,
        classes: &classes,
        open: &open,
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
        is_unexpected: !new.is_empty() || !open.is_empty() || *unexplained > 0 || !totals.unrepeated.is_empty(),
        lost: interrupt::stopped().map(|reason| format!("not everything was searched: {reason}")).or(searched.lost),
    }
    .finding()
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

fn add<'s>(found: &mut FoundClasses<'s>, subject: &'s dyn Subject, class: Class) {
    found.insert(
        (subject.declaration().label(), class.fingerprint.clone()),
        (subject, class),
    );
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

/// The classes of the witnesses of built-in subjects, as the ledger's own commands tell what a witness shows.
fn add_builtin<'s>(
    selected: &'s SelectedSubjects,
    state: &mut HuntState,
    found: &mut FoundClasses<'s>,
) -> Result<(), RunError> {
    let mut subjects: BTreeMap<String, &dyn Subject> = BTreeMap::new();
    for &subject in &selected.builtin {
        let label = subject.declaration().label();
        let apart = state.apart.contains(&label);
        subjects.insert(label, if apart { registry::apart(subject)? } else { subject });
    }
    let finds: Vec<(&dyn Subject, &Minimized)> =
        state.totals.finds.iter().filter_map(|find| Some((*subjects.get(&find.subject)?, find))).collect();
    let shown: Vec<Vec<Class>> =
        finds.par_iter().map(|(subject, find)| classes::of_input(*subject, &find.input)).collect();
    let mut unrepeated = Vec::new();
    for ((subject, find), classes) in finds.into_iter().zip(shown) {
        if classes.is_empty() {
            // It differed in a worker, or in a hunt that was stored, and does not here.
            let again = run::one(subject, &find.input, Reading::Rfc3986);
            unrepeated.push((
                find.subject.clone(),
                Unrepeated {
                    input: find.input.clone(),
                    first: Outcome::unsupported("diverged in another process"),
                    again: again.observed,
                    fresh: None,
                    sequence: None,
                },
            ));
        }
        for class in classes {
            add(found, subject, class);
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

impl HuntState {
    fn read(arguments: &Arguments, subjects: &[&dyn Subject]) -> Result<HuntState, RunError> {
        let new = HuntState {
            seed: arguments.seed,
            data_version: Library::embedded().version(),
            subjects: subjects.iter().map(|subject| subject.declaration().label()).collect(),
            digests: subjects.iter().map(|subject| subject.digest()).collect(),
            every_input: arguments.every_input,
            dictionary: dictionary(&arguments.dictionary)?,
            apart: BTreeSet::new(),
            done: BTreeSet::new(),
            agreed: Vec::new(),
            totals: Batch::default(),
        };
        let Some(path) = &arguments.state else { return Ok(new) };
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(new),
            text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
        };
        let stored: HuntState = serde_json::from_str(&text)
            .map_err(|error| format!("{} is no stored hunt: {error}; delete it to begin anew", path.display()))?;
        let asked = |state: &HuntState| {
            (
                state.seed,
                state.subjects.clone(),
                state.every_input,
                state.dictionary.clone(),
                state.data_version.clone(),
            )
        };
        if asked(&stored) != asked(&new) {
            return Err(format!(
                "{} is a hunt with another seed, other subjects, another share of inputs, another dictionary or other \
                 vectors; delete it to begin anew",
                path.display()
            ));
        }
        if stored.digests != new.digests {
            warn(&format!(
                "{}: what is stored is of another program; the hunt begins anew",
                path.display()
            ));
            return Ok(new);
        }
        Ok(stored)
    }

    fn write(&self, path: &Path) -> Result<(), RunError> {
        let text = serde_json::to_string(self).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(path.to_owned(), text + "\n")])
    }

    fn add(&mut self, number: u64, batch: Batch) {
        self.done.insert(number);
        self.totals.add(batch);
    }

    /// Keeps some inputs of a batch on which commands agree.
    fn keep_agreed(&mut self, number: u64, selected: &SelectedSubjects) {
        let (of_batch, of_all) = AGREED;
        for subject in selected.subjects() {
            let label = subject.declaration().label();
            if self.agreed.len() >= of_all || !selected.is_command(&label) {
                continue;
            }
            for input in hunt::inputs(self.seed, number, &self.dictionary).take(of_batch) {
                let result = run::one(subject, &input, Reading::Rfc3986);
                if matches!(result.verdict, Verdict::Agree { .. }) {
                    self.agreed.push(Minimized {
                        subject: label.clone(),
                        input,
                    });
                }
            }
        }
    }
}

/// The words of all files.
fn dictionary(files: &[PathBuf]) -> Result<Dictionary, RunError> {
    let mut words: Vec<String> = Vec::new();
    for path in files {
        let name = path.display();
        let mut text = Vec::new();
        fs::File::open(path)
            .and_then(|file| file.take(LONGEST_DICTIONARY + 1).read_to_end(&mut text))
            .map_err(|error| format!("{name} cannot be read: {error}"))?;
        if text.len() as u64 > LONGEST_DICTIONARY {
            return Err(format!(
                "{name} is longer than {LONGEST_DICTIONARY} bytes; a dictionary has at most as many"
            ));
        }
        let dictionary = Dictionary::parse(&text).map_err(|broken| format!("{name}: {broken}"))?;
        if dictionary.is_empty() {
            return Err(format!(
                "{name} has no words; a dictionary has a line \"word\" for each"
            ));
        }
        words.extend(Vec::from(dictionary));
    }
    Ok(Dictionary::from(words))
}

/// What was found, by the subject's label and the fingerprint.
type FoundClasses<'s> = BTreeMap<(String, Fingerprint), (&'s dyn Subject, Class)>;

/// A class that is not in the ledger, and the one there whose variant it is.
struct NewVariant<'a> {
    subject: &'a dyn Subject,
    class: &'a Class,
    of: Fingerprint,
}

/// The classes that were met, by what the ledger says of them.
struct ClassesMet<'a> {
    count: usize,
    /// How many the ledger has, and does not explain.
    unexplained: usize,
    new: Vec<(&'a dyn Subject, Class)>,
    variants: Vec<NewVariant<'a>>,
}

impl<'a> ClassesMet<'a> {
    fn of(found: &'a FoundClasses<'_>, ledger: &Ledger, selected: &SelectedSubjects) -> ClassesMet<'a> {
        // The ledger is of built-in subjects.
        let is_of_command = |label: &str| selected.is_command(label);
        let known = |(label, fingerprint): &(String, Fingerprint)| {
            ledger.find(label, fingerprint).filter(|_| !is_of_command(label)).is_some()
        };
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
        let mut classes = ClassesMet {
            count: found.len(),
            unexplained: found.keys().filter(|key| known(key) && ledger.is_unexplained(&key.0, &key.1)).count(),
            new: Vec::new(),
            variants: Vec::new(),
        };
        for ((subject, class), like) in unknown.into_iter().zip(likes) {
            match like {
                Some(of) => classes.variants.push(NewVariant { subject, class, of }),
                None => classes.new.push((subject, class.clone())),
            }
        }
        classes
    }
}

struct HuntSummary<'a> {
    arguments: &'a Arguments,
    state: &'a HuntState,
    selected: &'a SelectedSubjects,
    classes: &'a ClassesMet<'a>,
    open: &'a [(&'a dyn Subject, Class)],
    inputs: u64,
    elapsed: Duration,
}

fn human(summary: &HuntSummary<'_>) -> String {
    let mut text = String::new();
    let library = Library::embedded();
    for (class, subjects) in shared(&summary.classes.new) {
        text += &news(&subjects, class, summary.selected, &library);
    }
    for (class, subjects) in shared(summary.open) {
        text += &news(&subjects, class, summary.selected, &library);
        text.truncate(text.trim_end().len());
        text += "\n  time was up before the input was made small\n\n";
    }
    for (label, unrepeated) in &summary.state.totals.unrepeated {
        text += &unrepeated_text(label, unrepeated);
    }
    let totals = &summary.state.totals;
    let mut line = |words: String| writeln!(text, "{words}").expect("writes to a string");
    line(format!(
        "{} inputs in {:.0} s from seed {} ({} in all): {} answers, {} diverged, {} not compared",
        summary.inputs,
        summary.elapsed.as_secs_f64(),
        summary.arguments.seed,
        totals.inputs,
        totals.answers,
        totals.diverged,
        totals.not_compared
    ));
    if totals.passed_over > 0 {
        line(format!(
            "{} times an input was passed over: others that are written alike have killed the command",
            totals.passed_over
        ));
    }
    let unrepeated = totals.unrepeated.len() as u64 + totals.more_unrepeated;
    if unrepeated > 0 {
        line(format!("{BAD}{unrepeated} answers that diverged do not repeat{BAD:#}"));
    }
    if !summary.open.is_empty() {
        let noun = if summary.open.len() == 1 {
            "divergence"
        } else {
            "divergences"
        };
        line(format!(
            "{BAD}{} {noun} not made small in time{BAD:#}",
            summary.open.len()
        ));
    }
    line(classes_line(summary));
    text
}

/// The last line of a hunt: how many classes were met, and how many of them the ledger has.
fn classes_line(summary: &HuntSummary<'_>) -> String {
    let (totals, classes) = (&summary.state.totals, summary.classes);
    let is_of_commands = summary.selected.builtin.is_empty();
    let met = match classes.variants.len() {
        0 => classes.count.to_string(),
        variants => format!("{} (and {variants} variants of them)", classes.count - variants),
    };
    // A command has no ledger that could explain anything.
    match (classes.new.len(), classes.unexplained) {
        _ if totals.answers == totals.not_compared => format!("{BAD}nothing was compared{BAD:#}"),
        (0, _) if is_of_commands => format!("{GOOD}no class was met{GOOD:#}"),
        (1, _) if is_of_commands => format!("{BAD}1 class was met{BAD:#}"),
        (_, _) if is_of_commands => format!("{BAD}{met} classes were met{BAD:#}"),
        (0, 0) => format!("{GOOD}{met} classes were met, and the ledger explains them all{GOOD:#}"),
        (0, unexplained) => format!("{BAD}{met} classes were met; {unexplained} are unexplained in the ledger{BAD:#}"),
        (new, 0) => format!("{BAD}{met} classes were met; {new} are not in the ledger{BAD:#}"),
        (new, unexplained) => {
            format!(
                "{BAD}{met} classes were met; {new} are not in the ledger, {unexplained} are unexplained in it{BAD:#}"
            )
        }
    }
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
fn news(subjects: &[&dyn Subject], class: &Class, selected: &SelectedSubjects, library: &Library) -> String {
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
            Ok(vector) => format!("vector    {}", Json(&vector)),
            Err(error) => format!("vector    none: it cannot be written as JSON: {error}"),
        },
        Err(none) => format!("vector    {none}"),
    });
    let in_ledger: Vec<&dyn Subject> =
        subjects.iter().copied().filter(|subject| !selected.is_command(&subject.declaration().label())).collect();
    if !in_ledger.is_empty() {
        line("entry".to_owned());
        for entry_line in Ledger::ready_entry(&in_ledger, class).lines() {
            line(format!("  {entry_line}"));
        }
    }
    text.push('\n');
    text
}

/// What does not repeat: both answers, and the calls that show it.
fn unrepeated_text(label: &str, unrepeated: &Unrepeated) -> String {
    let input = &unrepeated.input;
    let mut text = format!("{BAD}does not repeat: {} {input}{BAD:#}\n", input.operation());
    writeln!(text, "  {:8}  {label}", "by").expect("writes to a string");
    for (head, words) in unrepeated.lines() {
        writeln!(text, "  {head:8}  {words}").expect("writes to a string");
    }
    text.push('\n');
    text
}

fn json(summary: &HuntSummary<'_>) -> serde_json::Value {
    let library = Library::embedded();
    let HuntSummary { state, classes, .. } = summary;
    let rows = |classes: &[(&dyn Subject, Class)]| -> Vec<serde_json::Value> {
        shared(classes)
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
            .collect()
    };
    let unrepeated = state.totals.unrepeated.iter();
    serde_json::json!({
        "seed": state.seed,
        "batches": state.done.len(),
        "inputs": state.totals.inputs,
        "answers": state.totals.answers,
        "not_compared": state.totals.not_compared,
        "diverged": state.totals.diverged,
        "passed_over": state.totals.passed_over,
        "met": classes.count,
        "new": rows(&classes.new),
        "not_minimized": rows(summary.open),
        "does_not_repeat": unrepeated
            .map(|(label, unrepeated)| serde_json::json!({ "subject": label, "answers": unrepeated }))
            .collect::<Vec<_>>(),
        "more_do_not_repeat": state.totals.more_unrepeated,
        "variants": classes
            .variants
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
