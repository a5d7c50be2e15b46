//! Mutants of the reference's code, which `cargo mutants` makes: what its outcomes say, beside the list of those that no
//! vector can kill, `reference/mutants.toml`.
//!
//! Two runs: the first with the vectors as the only tests, the second with all other tests of `reference/`, of what the first
//! let through. What the first lets through has to be listed as equivalent, and then the second lets it through, too. A
//! survivor that is not listed, one that the second kills, and a listing that no survivor fits, are problems.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use uriproof::vectors::content_hash;

use super::Rate;

/// `outcomes.json` of `cargo mutants`, as far as it is read.
#[derive(Clone, Debug, Deserialize)]
pub struct Outcomes {
    outcomes: Vec<MutantOutcome>,
    /// The version that made them.
    pub cargo_mutants_version: String,
    /// When the run ended; none: it did not.
    pub end_time: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct MutantOutcome {
    scenario: Scenario,
    summary: Summary,
    log_path: String,
}

#[derive(Clone, Debug, Deserialize)]
enum Scenario {
    Baseline,
    Mutant(MutantName),
}

#[derive(Clone, Debug, Deserialize)]
struct MutantName {
    name: String,
    file: String,
}

/// What a run says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Summary {
    /// Of the code as it is: its tests pass.
    Success,
    /// A test fails.
    CaughtMutant,
    /// No test fails.
    MissedMutant,
    /// It does not compile.
    Unviable,
    /// Of the code as it is: a test fails.
    Failure,
    /// A test does not end.
    Timeout,
}

/// A mutant as a run has met it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeMutant {
    /// The file and the edit, without line and column: `characters.rs: replace | with ^ in leading_triplet`.
    pub name: String,
    /// The same with line and column, as `cargo mutants` has it.
    pub place: String,
    /// What the run says of it.
    pub summary: Summary,
    /// The log of its tests.
    pub log: String,
}

impl CodeMutant {
    /// Its file, below `reference/src`.
    pub fn file(&self) -> &str {
        self.name.split(": ").next().unwrap_or_default()
    }

    /// Whether a test fails or does not end.
    pub fn is_caught(&self) -> bool {
        matches!(self.summary, Summary::CaughtMutant | Summary::Timeout)
    }
}

impl Outcomes {
    /// The mutants, in the order of the run.
    pub fn mutants(&self) -> impl Iterator<Item = CodeMutant> {
        self.outcomes.iter().filter_map(|outcome| match &outcome.scenario {
            Scenario::Baseline => None,
            Scenario::Mutant(MutantName { name, file }) => {
                let file_name = file.trim_start_matches("reference/src/");
                let edit = name.split_once(": ").map_or(&**name, |(_, edit)| edit);
                Some(CodeMutant {
                    name: format!("{file_name}: {edit}"),
                    place: name.clone(),
                    summary: outcome.summary,
                    log: outcome.log_path.clone(),
                })
            }
        })
    }
}

/// `reference/mutants.toml`: what nothing can kill.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listing {
    /// What does nothing otherwise.
    #[serde(default)]
    pub equivalent: Vec<EquivalentMutants>,
}

/// Some mutants, and why nothing can kill them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquivalentMutants {
    /// Edits as `file.rs: edit`, once for every place that has the edit.
    pub mutants: Vec<String>,
    /// Why.
    pub reason: String,
}

/// What the two runs came to, as it is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredMutants {
    /// The version of this format: 1.
    pub uriproof: u64,
    /// The version of `cargo mutants`.
    pub cargo_mutants: String,
    /// What the sources of `reference/src` hash to.
    pub sources: String,
    /// What became of the mutants of each file.
    pub files: BTreeMap<String, MutantCounts>,
}

/// What became of some mutants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutantCounts {
    /// Killed by a vector, the RFC's own examples included.
    pub vectors: usize,
    /// Killed by one of the RFC's own examples.
    pub examples: usize,
    /// Listed as equivalent.
    pub equivalent: usize,
    /// Neither killed nor listed.
    pub survivors: usize,
    /// Not compiled.
    pub unviable: usize,
}

impl MutantCounts {
    /// All that compile.
    pub fn viable(self) -> usize {
        self.vectors + self.equivalent + self.survivors
    }

    /// The rate of the vectors, of all that are not equivalent.
    pub fn rate(self) -> Rate {
        Rate {
            killed: self.vectors,
            total: self.vectors + self.survivors,
        }
    }

    /// The rate of the RFC's own examples alone, of the same.
    pub fn rate_of_examples(self) -> Rate {
        Rate {
            killed: self.examples,
            total: self.rate().total,
        }
    }

    fn plus(self, other: MutantCounts) -> MutantCounts {
        MutantCounts {
            vectors: self.vectors + other.vectors,
            examples: self.examples + other.examples,
            equivalent: self.equivalent + other.equivalent,
            survivors: self.survivors + other.survivors,
            unviable: self.unviable + other.unviable,
        }
    }
}

impl MeasuredMutants {
    /// Of all files together.
    pub fn total(&self) -> MutantCounts {
        self.files.values().fold(MutantCounts::default(), |sum, counts| sum.plus(*counts))
    }
}

/// A mutant of the first run, with what the others add to it.
#[derive(Clone, Debug)]
pub struct JudgedMutant {
    /// The mutant, and what the vectors say.
    pub by_vectors: CodeMutant,
    /// Whether one of the RFC's own examples is among the vectors that kill it.
    pub by_example: bool,
    /// Whether the other tests kill it; they run if the vectors do not.
    pub by_tests: bool,
}

/// Puts the runs beside the listing: the counts, and what is wrong, one line each.
pub fn judge(
    tried: &[JudgedMutant],
    listing: &Listing,
    cargo_mutants: String,
    sources: String,
) -> (MeasuredMutants, Vec<String>) {
    let mut files: BTreeMap<String, MutantCounts> = BTreeMap::new();
    let mut problems = Vec::new();
    let mut listed: Vec<&str> =
        listing.equivalent.iter().flat_map(|entry| &entry.mutants).map(|line| &**line).collect();
    for one in tried {
        let met = &one.by_vectors;
        let counts = files.entry(met.file().to_owned()).or_default();
        match met.summary {
            Summary::Unviable => counts.unviable += 1,
            Summary::CaughtMutant | Summary::Timeout => {
                counts.vectors += 1;
                counts.examples += usize::from(one.by_example);
            }
            Summary::MissedMutant | Summary::Success | Summary::Failure => {
                // Each line is for one of them.
                let line = listed.iter().position(|line| *line == met.name).map(|place| listed.remove(place));
                let problem = match (line, one.by_tests) {
                    (Some(_), false) => {
                        counts.equivalent += 1;
                        continue;
                    }
                    (Some(_), true) => "listed as equivalent, but a test kills it",
                    (None, true) => "survives the vectors, and other tests kill it",
                    (None, false) => "survives",
                };
                counts.survivors += 1;
                problems.push(format!("{problem}: {}", met.place));
            }
        }
    }
    problems.extend(listed.iter().map(|line| format!("listed, and no survivor: {line}")));
    let measured = MeasuredMutants {
        uriproof: 1,
        cargo_mutants,
        sources,
        files,
    };
    (measured, problems)
}

/// What the sources of `reference/src` hash to: every file's path and text, without the lines that are comments, which `cargo mutants` does
/// not change.
///
/// # Errors
///
/// A file cannot be read.
pub fn hash_of_sources(root: &Path) -> io::Result<String> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(root.join("reference/src"))? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        texts.insert(entry.file_name().to_string_lossy().into_owned(), code.join("\n"));
    }
    Ok(content_hash(&texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(name: &str, summary: Summary, by_tests: bool) -> JudgedMutant {
        let by_vectors = CodeMutant {
            name: name.to_owned(),
            place: name.to_owned(),
            summary,
            log: String::new(),
        };
        JudgedMutant {
            by_vectors,
            by_example: false,
            by_tests,
        }
    }

    fn problems(tried: &[JudgedMutant], listing: &str) -> Vec<String> {
        let listing = toml::from_str(listing).unwrap();
        judge(tried, &listing, String::new(), String::new()).1
    }

    const LISTING: &str = "[[equivalent]]\nmutants = [\"a.rs: replace + with - in g\"]\nreason = \"r\"\n";

    #[test]
    fn what_is_listed_and_survives_is_no_problem() {
        let survivors = [
            tried("a.rs: replace + with - in g", Summary::MissedMutant, false),
            tried("a.rs: replace + with - in h", Summary::CaughtMutant, false),
        ];
        assert_eq!(problems(&survivors, LISTING), [""; 0]);
    }

    #[test]
    fn what_is_not_listed_or_listed_wrongly_is_one() {
        let survivors = [
            tried("a.rs: replace f -> bool with true", Summary::MissedMutant, false),
            tried("a.rs: replace + with - in g", Summary::MissedMutant, true),
            tried("a.rs: replace + with - in g", Summary::MissedMutant, false),
            tried("a.rs: replace + with - in h", Summary::MissedMutant, true),
        ];
        let expected = [
            "survives: a.rs: replace f -> bool with true",
            "listed as equivalent, but a test kills it: a.rs: replace + with - in g",
            "survives: a.rs: replace + with - in g",
            "survives the vectors, and other tests kill it: a.rs: replace + with - in h",
        ];
        assert_eq!(problems(&survivors, LISTING), expected);
    }

    #[test]
    fn what_is_listed_and_does_not_survive_is_one() {
        assert_eq!(
            problems(&[], LISTING),
            ["listed, and no survivor: a.rs: replace + with - in g"]
        );
    }
}
