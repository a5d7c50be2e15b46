//! What is done of a hunt, as it is stored.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use uriproof::compare::Verdict;
use uriproof::model::{Reading, Subject};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::hunt::{self, Batch, Minimized};

use super::Arguments;
use crate::cli::command::SelectedSubjects;
use crate::cli::{RunError, files, warn};

/// The longest file of a dictionary, in bytes: its words are stored with a hunt.
const LONGEST_DICTIONARY: u64 = 1 << 20;

/// What is done of a hunt, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HuntState {
    pub(super) seed: u64,
    pub(super) data_version: String,
    pub(super) subjects: Vec<String>,
    /// The digests of the commands.
    #[serde(default)]
    pub(super) digests: Vec<Option<String>>,
    /// The name of the specification that subjects are measured by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) specification: Option<String>,
    /// Whether every input runs on slow subjects.
    #[serde(default)]
    pub(super) every_input: bool,
    /// Words that go into the inputs.
    #[serde(default, skip_serializing_if = "Dictionary::is_empty")]
    pub(super) dictionary: Dictionary,
    /// The labels of the subjects that kill the process that calls them, or do not answer.
    #[serde(default)]
    pub(super) apart: BTreeSet<String>,
    /// The batches that are done.
    pub(super) done: BTreeSet<u64>,
    /// Inputs on which commands agreed, some of each batch.
    #[serde(default)]
    pub(super) agreed: Vec<Minimized>,
    pub(super) totals: Batch,
}

/// How many inputs of a batch are kept on which a command agreed, and how many of all.
const AGREED: (usize, usize) = (2, 200);

impl HuntState {
    pub(super) fn read(arguments: &Arguments, subjects: &[&dyn Subject]) -> Result<HuntState, RunError> {
        let new = HuntState {
            seed: arguments.seed,
            data_version: Library::embedded().version(),
            subjects: subjects.iter().map(|subject| subject.declaration().label()).collect(),
            digests: subjects.iter().map(|subject| subject.digest()).collect(),
            specification: arguments.selection.specification.map(|claim| claim.name().to_owned()),
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
                state.specification.clone(),
                state.every_input,
                state.dictionary.clone(),
                state.data_version.clone(),
            )
        };
        if asked(&stored) != asked(&new) {
            return Err(format!(
                "{} is a hunt with another seed, other subjects, another specification, another share of inputs, \
                 another dictionary or other vectors; delete it to begin anew",
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

    pub(super) fn write(&self, path: &Path) -> Result<(), RunError> {
        let text = serde_json::to_string(self).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(path.to_owned(), text + "\n")])
    }

    pub(super) fn add(&mut self, number: u64, batch: Batch) {
        self.done.insert(number);
        self.totals.add(batch);
    }

    /// Keeps some inputs of a batch on which commands agree.
    pub(super) fn keep_agreed(&mut self, number: u64, selected: &SelectedSubjects) {
        let (of_batch, of_all) = AGREED;
        for subject in selected.subjects() {
            let label = subject.declaration().label();
            if self.agreed.len() >= of_all || !selected.is_command(&label) {
                continue;
            }
            let claim = subject.declaration().claim;
            for input in hunt::inputs(claim, self.seed, number, &self.dictionary).take(of_batch) {
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
