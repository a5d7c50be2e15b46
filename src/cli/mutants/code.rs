//! `uriproof mutants --of code`

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use uriproof_lab::mutants::code::{
    CodeMutant, JudgedMutant, Listing, MeasuredMutants, MutantCounts, hash_of_sources, judge,
};

use super::{aligned, cargo, of, percent};
use crate::cli::RunError;

/// Where the table is stored.
pub(super) const FILE: &str = "measured/code-mutants.json";

/// What nothing can kill.
const LISTING: &str = "reference/mutants.toml";

/// Where the two runs leave what they say, unless it is somewhere else.
const FOLDER: &str = "target/mutants";

/// The run with the vectors as the tests, and the one with all tests of `reference/`.
const VECTORS: &str = "vectors";
const TESTS: &str = "tests";

/// The test of the RFC's own examples alone, as a log has it if it passes.
const EXAMPLES_PASS: &str = "test the_reference_gives_what_the_rfc_s_own_examples_expect ... ok";

/// The counts and what is wrong, of the runs in `outcomes` or of new ones; nothing where `cargo mutants` is not installed.
pub(super) fn measured(outcomes: Option<&Path>) -> Result<Option<(MeasuredMutants, Vec<String>)>, RunError> {
    // Before the runs, which take their time.
    let text = fs::read_to_string(LISTING).map_err(|error| format!("{LISTING} cannot be read: {error}"))?;
    let listing: Listing = toml::from_str(&text).map_err(|error| format!("{LISTING} is no listing: {error}"))?;
    let folder = match outcomes {
        Some(folder) => folder.to_owned(),
        None if cargo::is_installed()? => run_both()?,
        None => return Ok(None),
    };
    let (by_vectors, by_tests) = (cargo::read(&folder.join(VECTORS))?, cargo::read(&folder.join(TESTS))?);
    let caught: BTreeSet<String> =
        by_tests.mutants.into_iter().filter(CodeMutant::is_caught).map(|met| met.place).collect();
    let tried = by_vectors
        .mutants
        .into_iter()
        .map(|met| {
            Ok(JudgedMutant {
                by_example: met.is_caught() && !passes_examples(&met.log)?,
                by_tests: caught.contains(&met.place),
                by_vectors: met,
            })
        })
        .collect::<Result<Vec<_>, RunError>>()?;
    let sources = hash_of_sources(Path::new(".")).map_err(|error| format!("reference/src cannot be read: {error}"))?;
    Ok(Some(judge(&tried, &listing, by_vectors.version, sources)))
}

/// Both runs, the second of what the first has let through; the better part of an hour.
fn run_both() -> Result<PathBuf, RunError> {
    let folder = PathBuf::from(FOLDER);
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(format!("{FOLDER} cannot be emptied: {error}"));
        }
        Ok(()) | Err(_) => {}
    }
    let run = |name: &str| {
        let mut command = cargo::mutants(&folder.join(name))?;
        command.args(["--package", "rfc3986-reference"]);
        Ok::<_, RunError>(command)
    };
    cargo::finish(run(VECTORS)?.arg("--cargo-arg=--test=vectors"))?;
    cargo::go_on(&folder.join(VECTORS), &folder.join(TESTS))?;
    cargo::finish(run(TESTS)?.args([
        "--iterate",
        "--cargo-arg=--lib",
        "--cargo-arg=--test=examples",
        "--cargo-arg=--test=words",
    ]))?;
    Ok(folder)
}

fn passes_examples(log: &str) -> Result<bool, RunError> {
    let text = fs::read(log).map_err(|error| format!("{log} cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&text).lines().any(|line| line == EXAMPLES_PASS))
}

pub(super) fn human(measured: &MeasuredMutants, problems: &[String]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "file",
        "viable",
        "killed by the vectors",
        "by the RFC's examples alone",
        "equivalent",
        "survive",
        "unviable",
    ]);
    let total = measured.total();
    for (file, counts) in measured.files.iter().map(|(file, counts)| (&**file, *counts)).chain([("all", total)]) {
        table.add_row(row(file, counts));
    }
    let mut text = format!(
        "mutants of reference/src, by cargo mutants {}\n{}\n\nof those that are not equivalent, the vectors kill {}\n",
        measured.cargo_mutants,
        aligned(&mut table, 1),
        percent(total.rate())
    );
    for problem in problems {
        let _ = writeln!(text, "  {problem}");
    }
    text
}

fn row(file: &str, counts: MutantCounts) -> [String; 7] {
    [
        file.to_owned(),
        counts.viable().to_string(),
        of(counts.rate()),
        of(counts.rate_of_examples()),
        counts.equivalent.to_string(),
        counts.survivors.to_string(),
        counts.unviable.to_string(),
    ]
}
