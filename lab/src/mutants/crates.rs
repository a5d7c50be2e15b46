//! Mutants of other people's crates, made by `cargo mutants`: what the gate kills of them.
//!
//! These faults are not of our choice: the functions and operators are those of the crates. The gate of a mutant knows, by a
//! baseline, how the crate itself differs from RFC 3986. A mutant that passes is run on generated inputs. It survives if an
//! answer changes and diverges then. If no answer changes, it may be equivalent, or in code that no entry point reaches.

use serde::{Deserialize, Serialize};

use super::Rate;
use super::code::{CodeMutant, Summary};

/// The crates whose mutants are made.
pub const CRATES: [&str; 5] = ["fluent-uri", "iri-string", "oxiri", "iref", "uriparse"];

/// What became of the mutants of all crates, as it is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrateMutants {
    /// The version of this format: 1.
    pub uriproof: u64,
    /// The version of `cargo mutants`.
    pub cargo_mutants: String,
    /// The version of the vectors that were run.
    pub data: String,
    /// The seed of the sample and of the inputs.
    pub seed: u64,
    /// How many generated inputs were run on a mutant that passed the gate.
    pub inputs: u64,
    /// One row for each crate.
    pub crates: Vec<CrateRow>,
}

/// What became of the mutants of a crate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrateRow {
    /// The crate.
    pub name: String,
    /// Its version.
    pub version: String,
    /// How many mutants `cargo mutants` makes of it.
    pub mutants: usize,
    /// How many of them were tried.
    pub tried: usize,
    /// Those that do not compile.
    pub unviable: usize,
    /// Those that the vectors alone kill.
    pub vectors: usize,
    /// Those that the gate kills: the vectors and the core suites.
    pub check: usize,
    /// Those that pass the gate, and of which no generated input shows a changed answer.
    pub unchanged: usize,
    /// Those that pass the gate, and whose answers change to others that conform too.
    pub conforming: usize,
    /// Those that pass the gate, and whose answers change where they are not compared with RFC 3986, such as to an IRI.
    pub not_compared: usize,
    /// Those that pass the gate, although the answer to a generated input changes and diverges then.
    pub survivors: Vec<SurvivingMutant>,
}

/// A mutant that passes the gate, although an answer changes and diverges then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurvivingMutant {
    /// The mutant: file, line, column and edit.
    pub mutant: String,
    /// The entry point and an input whose answer diverges; how the run ended, if it gave none.
    pub shown_by: String,
    /// Why the gate does not see it: written by hand, and kept when the mutant survives again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

impl CrateRow {
    /// How many mutants are wrong: an answer changes, and does not conform.
    fn wrong(&self) -> usize {
        self.check + self.survivors.len()
    }

    /// What the gate kills, of those that are wrong.
    pub fn by_check(&self) -> Rate {
        Rate {
            killed: self.check,
            total: self.wrong(),
        }
    }

    /// What the vectors alone kill of them.
    pub fn by_vectors(&self) -> Rate {
        Rate {
            killed: self.vectors,
            total: self.wrong(),
        }
    }

    /// Counts a mutant, as the run of the gate and that of the generated inputs have met it.
    ///
    /// # Errors
    ///
    /// `read`, which reads a log, fails, or a mutant that passed the gate was not run on the inputs.
    pub fn add(
        &mut self,
        gate: &CodeMutant,
        inputs: Option<&CodeMutant>,
        read: impl Fn(&str) -> Result<String, String>,
    ) -> Result<(), String> {
        self.tried += 1;
        match gate.summary {
            Summary::Unviable => self.unviable += 1,
            Summary::CaughtMutant | Summary::Timeout => {
                self.check += 1;
                self.vectors += usize::from(!has_line(&read(&gate.log)?, PASSED_BY_VECTORS));
            }
            Summary::MissedMutant | Summary::Success | Summary::Failure => match inputs.map(|met| (met.summary, met)) {
                Some((Summary::MissedMutant, _)) => self.unchanged += 1,
                Some((Summary::CaughtMutant | Summary::Timeout, met)) => {
                    let log = read(&met.log)?;
                    let changed = |kind: &str| {
                        let mut lines = log.lines();
                        lines.find_map(|line| line.strip_prefix("changed, ")?.strip_prefix(kind)?.strip_prefix(": "))
                    };
                    match (changed(DIVERGES), changed(NOT_COMPARED), changed(CONFORMS)) {
                        (None, Some(_), _) => self.not_compared += 1,
                        (None, None, Some(_)) => self.conforming += 1,
                        (shown_by, _, _) => self.survivors.push(SurvivingMutant {
                            mutant: gate.place.clone(),
                            shown_by: shown_by.unwrap_or("the program ends without an answer").to_owned(),
                            reason: String::new(),
                        }),
                    }
                }
                _ => return Err(format!("{} was not run on the generated inputs", gate.place)),
            },
        }
        Ok(())
    }
}

impl CrateMutants {
    /// Gives each survivor the reason that it had before.
    pub fn keep_reasons(&mut self, before: &CrateMutants) {
        let known = before.crates.iter().flat_map(|row| &row.survivors);
        for survivor in self.crates.iter_mut().flat_map(|row| &mut row.survivors) {
            let same = known.clone().find(|known| known.mutant == survivor.mutant);
            survivor.reason = same.map_or_else(String::new, |known| known.reason.clone());
        }
    }

    /// The sum of all crates.
    pub fn total(&self) -> CrateRow {
        let mut total = CrateRow::default();
        for row in &self.crates {
            total.mutants += row.mutants;
            total.tried += row.tried;
            total.unviable += row.unviable;
            total.vectors += row.vectors;
            total.check += row.check;
            total.unchanged += row.unchanged;
            total.conforming += row.conforming;
            total.not_compared += row.not_compared;
            total.survivors.extend(row.survivors.iter().cloned());
        }
        total
    }
}

/// Lines that the program prints which is built with a mutant: `subjects/examples/crate_gate.rs`.
const PASSED_BY_VECTORS: &str = "the vectors alone let it pass";
const DIVERGES: &str = "diverges";
const CONFORMS: &str = "conforms";
const NOT_COMPARED: &str = "is not compared";

fn has_line(log: &str, line: &str) -> bool {
    log.lines().any(|other| other == line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(summary: Summary, log: &str) -> CodeMutant {
        CodeMutant {
            name: "a.rs: replace f".to_owned(),
            place: "src/a.rs:1:1: replace f".to_owned(),
            summary,
            log: log.to_owned(),
        }
    }

    #[test]
    fn a_mutant_is_killed_unchanged_or_survives() {
        let missed = met(Summary::MissedMutant, "");
        let changed = |kinds: &[&str]| {
            let lines = kinds.iter().map(|kind| format!("changed, {kind}: crate 1.0 parse: parse \"x:\"\n"));
            met(Summary::CaughtMutant, &lines.collect::<String>())
        };
        let mut row = CrateRow::default();
        let mut add = |gate: &CodeMutant, inputs: Option<&CodeMutant>| {
            row.add(gate, inputs, |log| Ok(log.to_owned())).unwrap();
        };
        add(&met(Summary::Unviable, ""), None);
        add(&met(Summary::CaughtMutant, ""), None);
        add(&met(Summary::Timeout, "the vectors alone let it pass\n"), None);
        add(&missed, Some(&missed));
        add(&missed, Some(&changed(&["conforms"])));
        add(&missed, Some(&changed(&["conforms", "is not compared"])));
        add(&missed, Some(&changed(&["conforms", "diverges"])));
        add(&missed, Some(&met(Summary::Timeout, "")));
        let survivor = |shown_by: &str| SurvivingMutant {
            mutant: "src/a.rs:1:1: replace f".to_owned(),
            shown_by: shown_by.to_owned(),
            reason: String::new(),
        };
        let expected = CrateRow {
            tried: 8,
            unviable: 1,
            vectors: 1,
            check: 2,
            unchanged: 1,
            conforming: 1,
            not_compared: 1,
            survivors: vec![
                survivor("crate 1.0 parse: parse \"x:\""),
                survivor("the program ends without an answer"),
            ],
            ..CrateRow::default()
        };
        assert_eq!(row, expected);
        assert_eq!((row.by_check().killed, row.by_check().total), (2, 4));
    }
}
