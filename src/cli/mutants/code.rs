//! `uriproof mutants --of code`

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use uriproof_lab::mutants::code::{
    CodeMutant, JudgedMutant, Listing, MeasuredMutants, MutantCounts, Outcomes, hash_of_sources, judge,
};

use super::{aligned, of, percent};
use crate::cli::{RunError, warn};

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
        None if is_installed()? => run_both()?,
        None => {
            warn(
                "cargo mutants is not installed, so mutants of the code are not run: cargo install cargo-mutants --locked",
            );
            return Ok(None);
        }
    };
    let (by_vectors, by_tests) = (read(&folder.join(VECTORS))?, read(&folder.join(TESTS))?);
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

fn is_installed() -> Result<bool, RunError> {
    let version = Command::new("cargo").args(["mutants", "--version"]).output();
    Ok(version.map_err(|error| format!("cargo cannot be started: {error}"))?.status.success())
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
    run(&folder.join(VECTORS), &["--cargo-arg=--test=vectors"])?;
    // What is caught already is not tried again: cargo mutants reads that in the folder of an earlier run.
    let (from, to) = (
        folder.join(VECTORS).join("mutants.out"),
        folder.join(TESTS).join("mutants.out"),
    );
    let copied = fs::create_dir_all(&to).and_then(|()| {
        [
            "caught.txt",
            "unviable.txt",
            "timeout.txt",
            "missed.txt",
            "outcomes.json",
            "mutants.json",
        ]
        .iter()
        .try_for_each(|file| fs::copy(from.join(file), to.join(file)).map(drop))
    });
    copied.map_err(|error| format!("{} cannot be written: {error}", to.display()))?;
    run(
        &folder.join(TESTS),
        &[
            "--iterate",
            "--cargo-arg=--lib",
            "--cargo-arg=--test=examples",
            "--cargo-arg=--test=words",
        ],
    )?;
    Ok(folder)
}

fn run(folder: &Path, arguments: &[&str]) -> Result<(), RunError> {
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let status = Command::new("cargo")
        .args(["mutants", "--package", "rfc3986-reference", "--output"])
        .arg(folder)
        .args(arguments)
        .status()
        .map_err(|error| format!("cargo mutants cannot be started: {error}"))?;
    match status.code() {
        // All caught; some missed; some timed out.
        Some(0 | 2 | 3) => Ok(()),
        _ => Err(format!("cargo mutants did not come to an end: {status}")),
    }
}

/// What a run has met.
struct MutantsRun {
    version: String,
    mutants: Vec<CodeMutant>,
}

/// What a run says, and where it went on from an earlier one (`--iterate`), what that one says of the others.
fn read(run: &Path) -> Result<MutantsRun, RunError> {
    let (last, before) = (run.join("mutants.out"), run.join("mutants.out.old"));
    let mut mutants: BTreeMap<String, CodeMutant> = BTreeMap::new();
    if last.join("previously_caught.txt").is_file() && before.is_dir() {
        mutants.extend(read_outcomes(&before)?.1);
    }
    let (version, of_last) = read_outcomes(&last)?;
    mutants.extend(of_last);
    Ok(MutantsRun {
        version,
        mutants: mutants.into_values().collect(),
    })
}

/// The version of `cargo mutants`, and its mutants by their places, with the paths of their logs made whole.
fn read_outcomes(folder: &Path) -> Result<(String, Vec<(String, CodeMutant)>), RunError> {
    let path = folder.join("outcomes.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let outcomes: Outcomes =
        serde_json::from_str(&text).map_err(|error| format!("{} holds no outcomes: {error}", path.display()))?;
    if outcomes.end_time.is_none() {
        return Err(format!("{} is of a run that did not end", path.display()));
    }
    let met = outcomes.mutants().map(|mut met| {
        met.log = folder.join(met.log).to_string_lossy().into_owned();
        (met.place.clone(), met)
    });
    let met = met.collect();
    Ok((outcomes.cargo_mutants_version, met))
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
