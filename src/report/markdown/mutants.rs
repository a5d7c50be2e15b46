//! Which mutants the suites kill.

use uriproof_lab::mutants::Rate;
use uriproof_lab::mutants::algorithms::{Algorithm, Killed};
use uriproof_lab::mutants::code::{MeasuredMutants, MutantCounts};
use uriproof_lab::mutants::crates::{CrateMutants, CrateRow, SurvivingMutant};
use uriproof_lab::mutants::grammar::{self, KillRates, MutantFamily, SuiteRates};

use crate::report::markup::code;

/// `307 (99.4 %)`; of none, a dash.
fn counted(rate: Rate) -> String {
    if rate.total == 0 {
        return "-".to_owned();
    }
    let percent = rate.killed as f64 * 100.0 / rate.total.max(1) as f64;
    format!("{} ({percent:.1} %)", rate.killed)
}

/// What the vectors kill of the algorithms' mutants.
pub(super) struct AlgorithmTable {
    pub(super) total: usize,
    pub(super) rows: Vec<AlgorithmRow>,
    pub(super) by_rule: Vec<FaultTableRow>,
}

/// Mutants that are made by rule, and what kills them.
pub(super) struct FaultTableRow {
    pub(super) does: String,
    pub(super) operation: String,
    pub(super) mutants: usize,
    pub(super) vectors: String,
    pub(super) suites: String,
    /// How many inputs the suite has, and after how many shares of the mutants are killed.
    pub(super) inputs: String,
}

pub(super) struct AlgorithmRow {
    pub(super) algorithm: String,
    pub(super) section: String,
    pub(super) mutants: usize,
    pub(super) vectors: String,
    pub(super) suites: String,
    pub(super) examples: String,
}

impl AlgorithmTable {
    pub(super) fn of(killed: &Killed) -> AlgorithmTable {
        let row = |algorithm: Option<Algorithm>| {
            let (vectors, examples) = killed.rates(algorithm);
            AlgorithmRow {
                algorithm: algorithm.map_or("all", Algorithm::name).to_owned(),
                section: algorithm.map_or("", Algorithm::section).to_owned(),
                mutants: vectors.total,
                vectors: counted(vectors),
                suites: counted(killed.rate_of_suites(algorithm)),
                examples: counted(examples),
            }
        };
        AlgorithmTable {
            total: killed.mutants.len(),
            rows: Algorithm::ALL.map(Some).into_iter().chain([None]).map(row).collect(),
            by_rule: killed
                .faults
                .iter()
                .map(|row| FaultTableRow {
                    does: row.does.clone(),
                    operation: row.operation.clone(),
                    mutants: row.suites.total,
                    vectors: counted(row.vectors),
                    suites: counted(row.suites),
                    inputs: row
                        .until
                        .iter()
                        .chain([&row.inputs])
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(" | "),
                })
                .collect(),
        }
    }
}

/// What the vectors kill of the mutants of the reference's code.
pub(super) struct CodeTable {
    pub(super) version: String,
    pub(super) rows: Vec<CodeRow>,
}

pub(super) struct CodeRow {
    pub(super) file: String,
    pub(super) viable: usize,
    pub(super) vectors: String,
    pub(super) examples: String,
    pub(super) equivalent: usize,
    pub(super) survivors: usize,
}

impl CodeTable {
    pub(super) fn of(measured: &MeasuredMutants) -> CodeTable {
        let row = |(file, counts): (&str, MutantCounts)| CodeRow {
            file: file.to_owned(),
            viable: counts.viable(),
            vectors: counted(counts.rate()),
            examples: counted(counts.rate_of_examples()),
            equivalent: counts.equivalent,
            survivors: counts.survivors,
        };
        let files = measured.files.iter().map(|(file, counts)| (&**file, *counts));
        CodeTable {
            version: measured.cargo_mutants.clone(),
            rows: files.chain([("all", measured.total())]).map(row).collect(),
        }
    }
}

/// What the gate kills of the mutants of other people's crates.
pub(super) struct CrateTable {
    pub(super) version: String,
    pub(super) data: String,
    pub(super) seed: u64,
    pub(super) inputs: u64,
    pub(super) rows: Vec<CrateTableRow>,
    pub(super) survivors: Vec<SurvivorRow>,
}

pub(super) struct CrateTableRow {
    pub(super) name: String,
    pub(super) mutants: usize,
    pub(super) tried: usize,
    pub(super) wrong: usize,
    pub(super) vectors: String,
    pub(super) check: String,
    pub(super) conforming: usize,
    pub(super) not_compared: usize,
    pub(super) unchanged: usize,
    pub(super) unviable: usize,
}

pub(super) struct SurvivorRow {
    pub(super) mutant: String,
    pub(super) shown_by: String,
    pub(super) reason: String,
}

impl CrateTable {
    pub(super) fn of(measured: &CrateMutants) -> CrateTable {
        let row = |row: &CrateRow| CrateTableRow {
            name: match &*row.name {
                "" => "all".to_owned(),
                name => format!("{name} {}", row.version),
            },
            mutants: row.mutants,
            tried: row.tried,
            wrong: row.by_check().total,
            vectors: counted(row.by_vectors()),
            check: counted(row.by_check()),
            conforming: row.conforming,
            not_compared: row.not_compared,
            unchanged: row.unchanged,
            unviable: row.unviable,
        };
        let total = measured.total();
        let survivor = |one: &SurvivingMutant| SurvivorRow {
            mutant: code(&one.mutant),
            shown_by: code(&one.shown_by),
            reason: one.reason.clone(),
        };
        CrateTable {
            version: measured.cargo_mutants.clone(),
            data: measured.data.clone(),
            seed: measured.seed,
            inputs: measured.inputs,
            rows: measured.crates.iter().chain([&total]).map(row).collect(),
            survivors: total.survivors.iter().map(survivor).collect(),
        }
    }
}

/// What the suites kill of the mutants.
pub(super) struct KillTable {
    pub(super) operators: usize,
    pub(super) realistic: usize,
    pub(super) suites: Vec<KillRow>,
    pub(super) families: Vec<(String, Vec<String>)>,
    pub(super) survivors: usize,
    pub(super) groups_of_survivors: Vec<String>,
    pub(super) skipped: String,
    pub(super) curated_total: usize,
    pub(super) curated: String,
    pub(super) curated_by_examples: String,
    pub(super) numerals: FaultTableRow,
}

pub(super) struct KillRow {
    pub(super) suite: String,
    pub(super) strings: usize,
    pub(super) operators: String,
    pub(super) realistic: String,
}

impl KillTable {
    pub(super) fn of(rates: &KillRates) -> KillTable {
        let percent = |rate: Rate| format!("{:.1}", rate.killed as f64 * 100.0 / rate.total.max(1) as f64);
        let totals = rates.suites.first();
        let (curated, by_examples) = rates.curated().unwrap_or_default();
        let of_family = |family: &str| {
            let rate = |suite: &SuiteRates| suite.families.get(family).copied();
            let total = totals.and_then(rate).map_or(0, |rate| rate.total);
            let mut cells = vec![total.to_string()];
            cells.extend(rates.suites.iter().map(|suite| rate(suite).map(percent).unwrap_or_default()));
            cells
        };
        let numerals = |suite| rates.of_family(suite, MutantFamily::Numeral);
        KillTable {
            numerals: FaultTableRow {
                does: "a numeral is read leniently".to_owned(),
                operation: "parse".to_owned(),
                mutants: numerals(grammar::PARSING).total,
                vectors: counted(numerals(grammar::SYNTAX)),
                suites: counted(numerals(grammar::PARSING)),
                inputs: {
                    let suite = rates.suites.iter().find(|suite| suite.suite == grammar::PARSING);
                    format!("- | - | - | - | {}", suite.map_or(0, |suite| suite.strings))
                },
            },
            operators: totals.map_or(0, |suite| suite.operators.total),
            realistic: totals.map_or(0, |suite| suite.realistic.total),
            suites: rates
                .suites
                .iter()
                .map(|suite| KillRow {
                    suite: suite.suite.clone(),
                    strings: suite.strings,
                    operators: percent(suite.operators),
                    realistic: percent(suite.realistic),
                })
                .collect(),
            families: grammar::families().map(|family| (family.clone(), of_family(&family))).collect(),
            survivors: rates.survivors.len(),
            curated_total: curated.total,
            curated: counted(curated),
            curated_by_examples: counted(by_examples),
            groups_of_survivors: rates
                .survivors
                .iter()
                .map(|survivor| {
                    format!(
                        "{}: {}: {}",
                        survivor.family,
                        code(&survivor.name),
                        code(&survivor.reason)
                    )
                })
                .collect(),
            skipped: rates
                .skipped
                .iter()
                .map(|(reason, count)| format!("{count} {reason}"))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }
}
