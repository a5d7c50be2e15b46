//! `cargo mutants`: it is started, and its results are read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use uriproof_lab::mutants::code::{CodeMutant, Outcomes};

use crate::cli::{RunError, warn};

/// Whether it is there; a warning says where it is not.
pub(super) fn is_installed() -> Result<bool, RunError> {
    let version = Command::new("cargo").args(["mutants", "--version"]).output();
    let is_installed = version.map_err(|error| format!("cargo cannot be started: {error}"))?.status.success();
    if !is_installed {
        warn("cargo mutants is not installed, so no mutants of code are run: cargo install cargo-mutants --locked");
    }
    Ok(is_installed)
}

/// A run that leaves its results in a folder, which is made.
pub(super) fn mutants(folder: &Path) -> Result<Command, RunError> {
    fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let mut command = Command::new("cargo");
    command.args(["mutants", "--output"]).arg(folder);
    Ok(command)
}

/// Waits for the end of a run.
pub(super) fn finish(command: &mut Command) -> Result<(), RunError> {
    let status = command.status().map_err(|error| format!("cargo mutants cannot be started: {error}"))?;
    match status.code() {
        // All caught; some missed; some timed out.
        Some(0 | 2 | 3) => Ok(()),
        _ => Err(format!("cargo mutants did not come to an end: {status}")),
    }
}

/// Lets a run with `--iterate` in the folder `to` go on from the one in `from`: what is caught already is not tried again.
pub(super) fn go_on(from: &Path, to: &Path) -> Result<(), RunError> {
    let (from, to) = (from.join("mutants.out"), to.join("mutants.out"));
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
    copied.map_err(|error| format!("{} cannot be written: {error}", to.display()))
}

/// What a run has met.
pub(super) struct MutantsRun {
    /// The version of `cargo mutants`.
    pub(super) version: String,
    /// The mutants, by their places.
    pub(super) mutants: Vec<CodeMutant>,
}

/// What a run says, and where it went on from an earlier one (`--iterate`), what that one says of the others.
pub(super) fn read(run: &Path) -> Result<MutantsRun, RunError> {
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
