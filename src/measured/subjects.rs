//! What is measured of each subject: the files of `measured/subjects/`, one for each crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use uriproof::algorithms::{self, Size};
use uriproof::model::Operation;
use uriproof_grammar::Fnv;
use uriproof_lab::answers::{StoredAnswers, SubjectAnswers};
use uriproof_lab::learn::Lesson;
use uriproof_lab::predict::PredictedShare;

/// Every file of `measured/subjects/`: its name and its text.
const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/subjects.rs"));

/// The version of the files' format.
const FORMAT: u64 = 1;

/// The operations of [`MeasuredSuites`]. Those of the grammar are not among them: REPORT.md has the core suite of `parse` anew each
/// time.
pub const SUITES: [Operation; 7] = [
    Operation::Resolve,
    Operation::Normalize,
    Operation::Equivalent,
    Operation::Compose,
    Operation::Modify,
    Operation::RoundTrip,
    Operation::Relativize,
];

/// What is measured of a subject. Each command replaces its own section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredSubject {
    /// What was learned of it: `uriproof learn --write`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learned: Vec<Lesson>,
    /// How its answers to the suites of the algorithms count: `uriproof complete --operation NAME --write`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suites: Option<MeasuredSuites>,
    /// How much of what it does otherwise its profile predicts: `uriproof predict --write`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted: Option<PredictedShare>,
    /// Its stored answers: `uriproof answers --write`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<SubjectAnswers>,
}

/// How the answers of a subject to suites count, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredSuites {
    /// A hash of the inputs.
    pub inputs: String,
    /// The counts by operation.
    pub counts: BTreeMap<Operation, SuiteCounts>,
}

/// How the answers to a suite count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteCounts {
    /// Answers that agree.
    pub agree: u64,
    /// Answers that diverge.
    pub diverge: u64,
    /// Answers that were not compared, and inputs that were left out.
    pub not_compared: u64,
    /// How many groups of divergences there are.
    pub groups: usize,
}

impl MeasuredSuites {
    /// A hash of the inputs of the suites of these operations.
    pub fn hash_of_inputs(operations: &[Operation], size: Size) -> String {
        let inputs = operations.iter().flat_map(|&operation| algorithms::inputs(operation, size));
        let octets = inputs.flat_map(|input| format!("{} {input}\n", input.operation()).into_bytes());
        format!("{:016x}", Fnv::of(octets))
    }
}

/// A file: what is measured of the entry points of a crate.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MeasuredFile<S> {
    /// The version of this format.
    #[serde(deserialize_with = "format")]
    uriproof: u64,
    /// What is measured, by the subject's label.
    subjects: S,
}

fn format<'d, D: Deserializer<'d>>(deserializer: D) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        FORMAT => Ok(FORMAT),
        other => Err(D::Error::custom(format!("the format is {other}, and not {FORMAT}"))),
    }
}

/// What is measured of the entry points of a crate, by label.
pub type MeasuredCrate = BTreeMap<String, MeasuredSubject>;

/// What is measured of subjects: the files of a folder, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeasuredCrates(pub BTreeMap<String, MeasuredCrate>);

/// The text of a crate's file.
///
/// # Panics
///
/// Never: measurements can be written as JSON.
pub fn text(subjects: &MeasuredCrate) -> String {
    let uriproof = FORMAT;
    let text = serde_json::to_string_pretty(&MeasuredFile { uriproof, subjects });
    text.expect("measurements can be written as JSON") + "\n"
}

impl MeasuredCrates {
    /// What is measured of the built-in subjects.
    ///
    /// # Panics
    ///
    /// If a file cannot be read, which a test excludes.
    pub fn embedded() -> &'static MeasuredCrates {
        static CRATES: LazyLock<MeasuredCrates> = LazyLock::new(|| {
            let files = EMBEDDED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
            MeasuredCrates::read(Path::new("measured/subjects"), files).expect("the embedded measurements are readable")
        });
        &CRATES
    }

    /// Reads every JSON file of a folder.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, with the line and what is wrong.
    pub fn from_folder(folder: &Path) -> Result<MeasuredCrates, String> {
        let unreadable = |path: &Path, error| format!("{} cannot be read: {error}", path.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
                files.push((
                    path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                    text,
                ));
            }
        }
        files.sort();
        MeasuredCrates::read(folder, files)
    }

    fn read(folder: &Path, files: impl IntoIterator<Item = (String, String)>) -> Result<MeasuredCrates, String> {
        let file = |(name, text): (String, String)| match serde_json::from_str::<MeasuredFile<_>>(&text) {
            Ok(file) => Ok((name, file.subjects)),
            Err(error) => Err(format!(
                "{}:{}: these are no measurements of a crate: {error}; delete the file to measure the crate anew",
                folder.join(name).display(),
                error.line(),
            )),
        };
        files.into_iter().map(file).collect::<Result<_, _>>().map(MeasuredCrates)
    }

    /// What is measured of each subject, by label.
    pub fn subjects(&self) -> BTreeMap<&str, &MeasuredSubject> {
        self.0.values().flatten().map(|(label, measured)| (label.as_str(), measured)).collect()
    }

    /// The stored answers of each subject.
    pub fn answers(&self) -> StoredAnswers {
        let subjects = self.subjects().into_iter();
        StoredAnswers(subjects.filter_map(|(label, it)| Some((label.to_owned(), it.answers.clone()?))).collect())
    }
}
