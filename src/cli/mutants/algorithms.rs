//! `uriproof mutants --of algorithms`

use std::fmt::Write;

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use uriproof_lab::mutants::algorithms::{Algorithm, Killed};

use super::{aligned, of};

/// Where the table is stored.
pub(super) const FILE: &str = "measured/algorithm-mutants.json";

pub(super) fn human(killed: &Killed) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "algorithm",
        "section",
        "mutants",
        "killed by the vectors",
        "by the core suites alone",
        "by the RFC's examples alone",
    ]);
    for algorithm in Algorithm::ALL.map(Some).into_iter().chain([None]) {
        let (vectors, examples) = killed.rates(algorithm);
        table.add_row([
            algorithm.map_or("all", Algorithm::name).to_owned(),
            algorithm.map_or("", Algorithm::section).to_owned(),
            vectors.total.to_string(),
            of(vectors),
            of(killed.rate_of_suites(algorithm)),
            of(examples),
        ]);
    }
    let mut by_mutant = Table::new();
    by_mutant.load_style(NOTHING);
    by_mutant.set_header(["mutant", "clause", "killed by", "of the RFC's examples"]);
    for mutant in &killed.mutants {
        let by = |killer: &Option<String>| killer.clone().unwrap_or_else(|| "-".to_owned());
        by_mutant.add_row([
            mutant.name.clone(),
            mutant.clause.clone(),
            by(&mutant.killed_by),
            by(&mutant.killed_by_example),
        ]);
    }
    let mut text = format!(
        "mutants of the algorithms\n{}\n\neach mutant, and the first vector that kills it\n{}\n",
        aligned(&mut table, 2),
        aligned(&mut by_mutant, usize::MAX)
    );
    text += &by_rule(killed);
    let survivors: Vec<_> = killed.survivors().collect();
    let _ = writeln!(text, "\n{} survive", survivors.len());
    for mutant in survivors {
        let _ = writeln!(text, "  {}: {}: {}", mutant.algorithm, mutant.name, mutant.does);
    }
    text
}

/// The mutants that are made by rule, and those that the core suites do not kill.
fn by_rule(killed: &Killed) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "made by rule",
        "operation",
        "mutants",
        "killed by the vectors",
        "by the core suites",
    ]);
    for row in &killed.faults {
        table.add_row([
            row.does.clone(),
            row.operation.clone(),
            row.suites.total.to_string(),
            of(row.vectors),
            of(row.suites),
        ]);
    }
    let mut text = format!("\n{}\n", aligned(&mut table, 2));
    for row in killed.faults.iter().filter(|row| !row.survivors.is_empty()) {
        let _ = writeln!(text, "\n{}, {}: the core suites do not kill", row.does, row.operation);
        row.survivors.iter().for_each(|survivor| {
            let _ = writeln!(text, "  {survivor}");
        });
    }
    text
}
