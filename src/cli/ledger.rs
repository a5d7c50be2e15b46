//! `uriproof ledger`: every cause of divergence, with its deviations and classes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use anstyle::{AnsiColor, Style};
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use rayon::prelude::*;
use serde::Deserialize;
use uriproof::model::{Input, OneLine, Subject, Vector};
use uriproof::vectors::Library;
use uriproof_lab::classes::{self, Witnessed};
use uriproof_lab::divergence::fingerprint::Class;
use uriproof_lab::divergence::ledger::{Cause, Ledger, LedgerEntry, LedgerFile, expected_text};
use uriproof_lab::hunt::Minimized;
use uriproof_lab::predict::{Predictor, Predictors, wrong_deviations};
use uriproof_lab::targets::{TARGETS, Target};

use crate::cli::answers::{self, AnswerSelection};
use crate::cli::select::SubjectSelection;
use crate::cli::{Finding, Format, RunError, files, print, print_json};
use crate::measured;
use crate::report::causes::{add_causes, unexplained};
use crate::report::model::{self, Way};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// Where the ledger is.
#[derive(Args)]
pub(crate) struct LedgerSelection {
    /// A folder with a ledger [default: the built-in ledger]
    #[arg(long, value_name = "DIR")]
    ledger: Option<PathBuf>,
}

impl LedgerSelection {
    /// The folder that is selected.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.ledger.as_deref()
    }

    pub(crate) fn ledger(&self) -> Result<Ledger, RunError> {
        match &self.ledger {
            None => Ok(crate::known::ledger()),
            Some(folder) => Ledger::from_folder(folder).map_err(|error| error.to_string()),
        }
    }
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// Run every witness and the sample of `answers`; exit with 1 if a witness no longer diverges or is answered
    /// differently than the ledger says, if a stored answer has changed, or if a divergence of a vector or core suite is
    /// not explained
    #[arg(long)]
    check: bool,
    /// Update the ledger in this folder: add the new classes of vectors, core suites and hunts under the entry
    /// `unexplained`, remove those that no longer show or that a profile predicts
    #[arg(long, value_name = "DIR", conflicts_with_all = ["check", "ledger"])]
    write: Option<PathBuf>,
    /// With --write, also take the classes of this file of `hunt --state`; repeatable
    #[arg(long, value_name = "FILE", requires = "write")]
    from: Vec<PathBuf>,
    /// With --write, also add the classes that files of the fuzz targets (corpora or artifacts) in this folder show,
    /// and the ledger's witnesses as files of these targets
    #[arg(long, value_name = "DIR", requires = "write")]
    corpus: Option<PathBuf>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    answers: AnswerSelection,
    #[command(flatten)]
    ledger: LedgerSelection,
    #[command(flatten)]
    subjects: SubjectSelection,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let subjects = arguments.subjects.subjects()?;
    if let Some(folder) = &arguments.write {
        return bring_up_to_date(folder, arguments, &subjects);
    }
    let ledger = arguments.ledger.ledger()?;
    if arguments.check {
        return check(&ledger, arguments, &subjects);
    }
    list(&ledger, &subjects, arguments.format)
}

/// The ledger in a folder, which is to be written there again.
pub(crate) fn to_be_written(folder: &Path) -> Result<Ledger, RunError> {
    let ledger = Ledger::from_folder(folder).map_err(|error| error.to_string())?;
    let paths: Vec<PathBuf> = ledger.files.iter().map(|file| folder.join(&file.file)).collect();
    // A file of a crate that has none yet is written to the folder, too.
    let new = folder.join("new.toml");
    files::expect_writable(paths.iter().chain([&new]).map(PathBuf::as_path))?;
    Ok(ledger)
}

/// Writes every file of a ledger to its folder.
pub(crate) fn write(ledger: &Ledger, folder: &Path) -> Result<(), RunError> {
    let texts: Vec<(PathBuf, String)> =
        ledger.files.iter().map(|file| (folder.join(&file.file), file.to_toml())).collect();
    files::write(&texts)
}

/// What conforms to the RFC, as far as it matters for a class.
pub(crate) fn expected_line(class: &Class) -> String {
    expected_text(&class.witness.expected, &class.difference)
}

fn bring_up_to_date(folder: &Path, arguments: &Arguments, subjects: &[&dyn Subject]) -> Result<Finding, RunError> {
    let mut ledger = to_be_written(folder)?;
    let hunts = arguments.from.iter().map(|path| read_finds(path)).collect::<Result<Vec<_>, _>>()?;
    let corpora = match &arguments.corpus {
        Some(folder) => read_corpora(folder, &ledger)?,
        None => BTreeSet::new(),
    };
    let stale = classes::stale(
        &ledger,
        subjects,
        &measured::growth(),
        arguments.subjects.is_everything(),
    );
    let gone: BTreeSet<(&str, &str)> =
        stale.iter().map(|stale| (&*stale.subject, stale.fingerprint.as_str())).collect();
    let mut added = add_in_place_of(&mut ledger, &stale, subjects);
    let names: Vec<String> = ledger.files.iter().map(|file| file.file.clone()).collect();
    ledger.retain(|file, class, entry_point| {
        let label = format!("{} {} {entry_point}", file.name, file.version);
        !gone.contains(&(&*label, class.fingerprint.as_str()))
    });
    added += add_found(&mut ledger, hunts.into_iter().flatten(), &corpora, subjects);
    let library = Library::embedded();
    let shown = of_vectors_and_core_suites(&library, subjects, ledger.clone());
    for (of_subject, subject) in shown.subjects.iter().zip(subjects) {
        for shown in &of_subject.ways {
            if let Way::Class(fingerprint, _) = &shown.way {
                let class = Class {
                    fingerprint: fingerprint.clone(),
                    witness: shown.witness.clone(),
                    difference: shown.difference,
                };
                added += usize::from(ledger.add(*subject, &class));
            }
        }
    }
    ledger.update_classes(|file, class, entry_point| {
        let label = format!("{} {} {entry_point}", file.name, file.version);
        let subject = subjects.iter().find(|subject| subject.declaration().label() == label)?;
        let shown = classes::of_input(*subject, &class.input, None);
        let shown = shown.into_iter().find(|shown| shown.fingerprint == class.fingerprint)?;
        Some((shown, subject.declaration().clone()))
    });
    write(&ledger, folder)?;
    let gone = names.iter().filter(|name| ledger.files.iter().all(|file| file.file != **name));
    files::remove(&gone.map(|name| folder.join(name)).collect::<Vec<_>>())?;
    print(&format!("{added} classes added, {} taken out\n", stale.len()))?;
    Ok(Finding::Expected)
}

/// Adds what the witnesses of stale classes show now, and returns how many classes that are: they have the same cause.
fn add_in_place_of(ledger: &mut Ledger, stale: &[classes::Stale], subjects: &[&dyn Subject]) -> usize {
    let mut added = 0;
    for stale in stale {
        let subject = subjects.iter().find(|subject| subject.declaration().label() == stale.subject);
        let known = ledger.find(&stale.subject, &stale.fingerprint);
        let inputs: Vec<Input> = known.iter().map(|known| known.class.input.clone()).collect();
        let Some(subject) = subject else { continue };
        for input in inputs {
            let predictor = Predictor::of(ledger, subject.declaration());
            for class in classes::of_input(*subject, &input, predictor.as_ref()) {
                added += usize::from(ledger.add_after(*subject, &class, Some(&stale.fingerprint)));
            }
        }
    }
    added
}

/// Adds what the witnesses of hunts and the inputs of corpora show, and returns how many classes that are.
fn add_found(
    ledger: &mut Ledger,
    finds: impl Iterator<Item = Minimized>,
    corpora: &BTreeSet<Input>,
    subjects: &[&dyn Subject],
) -> usize {
    let mut added = 0;
    let mut inputs: BTreeMap<String, BTreeSet<Input>> = BTreeMap::new();
    for find in finds {
        inputs.entry(find.subject).or_default().insert(find.input);
    }
    let predictors = Predictors::of(subjects, ledger);
    for (at, subject) in subjects.iter().enumerate() {
        let mut all = inputs.remove(&subject.declaration().label()).unwrap_or_default();
        all.extend(corpora.iter().cloned());
        let all: Vec<Input> = all.into_iter().collect();
        let found: Vec<Vec<Class>> =
            all.par_iter().map(|input| classes::of_input(*subject, input, predictors.get(at))).collect();
        for class in found.into_iter().flatten() {
            added += usize::from(ledger.add(*subject, &class));
        }
    }
    added
}

/// What vectors and core suites show, with its causes.
fn of_vectors_and_core_suites<'a>(
    library: &'a Library,
    subjects: &[&'a dyn Subject],
    ledger: Ledger,
) -> model::Run<'a> {
    let vectors: Vec<&Vector> = library.vectors().collect();
    let mut run = model::whole_run(library, subjects, &vectors, &|| ());
    add_causes(&mut run, subjects, ledger);
    run
}

/// The witnesses that a hunt has stored.
fn read_finds(path: &Path) -> Result<Vec<Minimized>, RunError> {
    #[derive(Deserialize)]
    struct Stored {
        totals: Totals,
    }
    #[derive(Deserialize)]
    struct Totals {
        finds: Vec<Minimized>,
    }
    let text = fs::read_to_string(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let stored: Stored = serde_json::from_str(&text).map_err(|error| {
        format!(
            "{} is no stored hunt: {error}; `hunt --state` writes one",
            path.display()
        )
    })?;
    Ok(stored.totals.finds)
}

/// What the files of the fuzz targets ask, a folder each below this one, and what the seeds of these targets ask; one folder
/// suffices.
fn read_corpora(folder: &Path, ledger: &Ledger) -> Result<BTreeSet<Input>, RunError> {
    let unreadable = |path: &Path, error: io::Error| format!("{} cannot be read: {error}", path.display());
    let mut inputs = BTreeSet::new();
    let is_there = |target: &&Target| folder.join(target.name).is_dir();
    let there: Vec<&Target> = TARGETS.iter().filter(is_there).collect();
    if there.is_empty() {
        let named: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        let error = format!(
            "{} has none of the targets' folders: {}",
            folder.display(),
            named.join(", ")
        );
        return Err(error);
    }
    for target in there {
        inputs.extend(target.seeds(ledger).files.iter().flat_map(|text| target.inputs(text.as_bytes())));
        let folder = folder.join(target.name);
        for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, error))? {
            let path = entry.map_err(|error| unreadable(&folder, error))?.path();
            inputs.extend(target.inputs(&fs::read(&path).map_err(|error| unreadable(&path, error))?));
        }
    }
    Ok(inputs)
}

fn check(ledger: &Ledger, arguments: &Arguments, subjects: &[&dyn Subject]) -> Result<Finding, RunError> {
    let answers = arguments.answers.check(subjects)?;
    let all = arguments.subjects.is_everything();
    let mut text = witnesses(&classes::witnessed(ledger, subjects, &measured::growth(), all));
    for wrong in wrong_deviations(ledger, subjects) {
        text += &format!("{BAD}wrong{BAD:#} {}\n", OneLine(&wrong));
    }
    let library = Library::embedded();
    for one in &unexplained(&of_vectors_and_core_suites(&library, subjects, ledger.clone())) {
        text += &format!("{BAD}unexplained{BAD:#} {one}\n");
    }
    let is_clean = text.is_empty() && answers.is_clean();
    if text.is_empty() {
        text = format!(
            "{GOOD}every witness shows, every deviation acts, and every divergence of a vector or a core suite is explained{GOOD:#}\n"
        );
    }
    print(&format!(
        "{}{}{text}",
        answers::human(&answers),
        answers::not_stored(&answers)
    ))?;
    Ok(if is_clean {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

/// The classes that do not show, or show with another answer, one a line.
fn witnesses(witnessed: &Witnessed) -> String {
    let mut text = String::new();
    for stale in &witnessed.stale {
        text += &format!(
            "{BAD}stale{BAD:#} ledger/{} entry `{}`: {}: {} ({}); take the class out, or run `uriproof ledger --write ledger`\n",
            OneLine(&stale.file),
            OneLine(&stale.entry),
            OneLine(&stale.subject),
            OneLine(stale.fingerprint.as_str()),
            OneLine(&stale.reason)
        );
    }
    for other in &witnessed.other_answers {
        text += &format!(
            "{BAD}another answer{BAD:#} ledger/{} entry `{}`: {}: {}: the ledger has {}, and the answer is {}; if that is \
             wanted, run `uriproof ledger --write ledger`\n",
            OneLine(&other.file),
            OneLine(&other.entry),
            OneLine(&other.subject),
            OneLine(other.fingerprint.as_str()),
            OneLine(&other.stored),
            OneLine(&other.now)
        );
    }
    text
}

/// The deviations and classes of an entry, as JSON.
fn of_entry(file: &LedgerFile, entry: &LedgerEntry) -> Vec<serde_json::Value> {
    let cause = serde_json::json!({
        "crate": file.name,
        "version": file.version,
        "entry": entry.id,
        "cause": entry.cause,
        "specification": entry.specification,
        "clause": entry.clause,
        "explanation": entry.explanation,
        "upstream": entry.upstream.as_ref().map(|upstream| &upstream.link),
        "code": entry.code.as_ref().map(ToString::to_string),
    });
    let with_cause = |mut one: serde_json::Value| {
        if let (Some(fields), Some(cause)) = (one.as_object_mut(), cause.as_object()) {
            fields.extend(cause.clone());
        }
        one
    };
    let deviations = entry.deviations.iter().map(|known| {
        serde_json::json!({
            "deviation": known.deviation,
            "sentence": known.deviation.sentence(),
            "entry_points": known.entry_points,
            "input": known.witness,
        })
    });
    let classes = entry.classes.iter().map(|class| {
        serde_json::json!({
            "fingerprint": class.fingerprint,
            "entry_points": class.entry_points,
            "input": class.input,
            "reference": class.reference,
            "outcome": class.subject,
            "severity": class.severity,
        })
    });
    deviations.chain(classes).map(with_cause).collect()
}

/// How many causes there are of each crate, by kind, and how many deviations and classes they have; as JSON, each deviation and class.
fn list(ledger: &Ledger, subjects: &[&dyn Subject], format: Format) -> Result<Finding, RunError> {
    let names: BTreeSet<(&str, &str)> =
        subjects.iter().map(|subject| (&*subject.declaration().name, &*subject.declaration().version)).collect();
    let files = ledger.files.iter().filter(|file| names.contains(&(&*file.name, &*file.version)));
    let unexplained = ledger.classes().filter(|known| known.entry.cause == Cause::Unexplained).count();
    match format {
        Format::Json => {
            let all: Vec<serde_json::Value> =
                files.flat_map(|file| file.entries.iter().flat_map(move |entry| of_entry(file, entry))).collect();
            print_json(&all)?;
        }
        Format::Human => {
            let mut table = Table::new();
            table.load_style(NOTHING);
            let mut head = ["crate", "causes", "deviations", "classes"].map(str::to_owned).to_vec();
            head.extend(Cause::ALL.map(|cause| cause.name().to_owned()));
            table.set_header(head);
            for file in files {
                let sum = |count: fn(&LedgerEntry) -> usize| file.entries.iter().map(count).sum::<usize>().to_string();
                let mut row = vec![
                    format!("{} {}", file.name, file.version),
                    file.entries.len().to_string(),
                    sum(|entry| entry.deviations.len()),
                    sum(|entry| entry.classes.len()),
                ];
                let of_cause = |cause| file.entries.iter().filter(|entry| entry.cause == cause).count();
                row.extend(Cause::ALL.map(|cause| of_cause(cause).to_string()));
                table.add_row(row);
            }
            for column in table.column_iter_mut().skip(1) {
                column.set_cell_alignment(CellAlignment::Right);
            }
            print(&format!("{table}\n"))?;
        }
    }
    Ok(if unexplained == 0 {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}
