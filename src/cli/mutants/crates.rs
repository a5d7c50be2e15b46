//! `uriproof mutants --of crates`: a scratch workspace for each crate, with its sources from the registry and a program that runs
//! the gate; `cargo mutants` builds that program with each mutant.

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use clap::Args;
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uriproof::model::Operation;
use uriproof::protocol::messages::{Ask, Request};
use uriproof::vectors::DATA_VERSION;
use uriproof_grammar::Fnv;
use uriproof_lab::generate::Generator;
use uriproof_lab::mutants::crates::{CRATES, CrateMutants, CrateRow};
use uriproof_subjects::SUBJECTS;

use super::{aligned, cargo, of};
use crate::cli::{RunError, files, warn};
use crate::measured::crate_mutants;

/// Where the table is stored.
pub(super) const FILE: &str = "measured/crate-mutants.json";

/// Where the scratch workspaces are.
const FOLDER: &str = "target/mutants/crates";

/// What the program of a scratch workspace is made of.
const PROGRAM: &str = "subjects/examples/crate_gate.rs";

/// The most memory that a mutant gets, in KiB.
const MEMORY: u64 = 12 << 20;

#[derive(Args)]
pub(super) struct CratesArguments {
    /// With --of crates, only this crate; repeatable
    #[arg(long = "crate", value_name = "NAME", value_parser = CRATES)]
    crates: Vec<String>,
    /// With --of crates, only N mutants of each crate, chosen by the seed
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// With --of crates, the seed of the sample and of the inputs
    #[arg(long, value_name = "S", default_value_t = 3986)]
    seed: u64,
    /// With --of crates, how many generated inputs are run on a mutant that passes the gate
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    inputs: u64,
}

/// What became of the mutants of the crates; nothing where `cargo mutants` is not installed.
pub(super) fn measured(arguments: &CratesArguments) -> Result<Option<CrateMutants>, RunError> {
    let root = env::current_dir().map_err(|error| format!("the working directory cannot be found: {error}"))?;
    if !root.join(PROGRAM).is_file() {
        return Err(format!(
            "{PROGRAM} is not below the working directory: run this in a clone of uriproof"
        ));
    }
    if !cargo::is_installed()? {
        return Ok(None);
    }
    let wanted = CRATES.iter().copied();
    let wanted = wanted.filter(|name| arguments.crates.is_empty() || arguments.crates.iter().any(|one| one == name));
    let done = wanted.map(|name| Scratch::new(&root, name, arguments)?.row()).collect::<Result<Vec<_>, RunError>>()?;
    let cargo_mutants = done.first().map(|done| done.cargo_mutants.clone()).unwrap_or_default();
    let mut measured = CrateMutants {
        uriproof: 1,
        cargo_mutants,
        data: DATA_VERSION.to_owned(),
        seed: arguments.seed,
        inputs: arguments.inputs,
        crates: done.into_iter().map(|done| done.row).collect(),
    };
    measured.keep_reasons(&crate_mutants());
    Ok(Some(measured))
}

/// The row of a crate as its folder keeps it, so that a run that was stopped goes on after the last whole crate.
#[derive(Serialize, Deserialize)]
struct StoredRow {
    /// What the row depends on.
    key: String,
    cargo_mutants: String,
    row: CrateRow,
}

/// The scratch workspace of a crate.
struct Scratch<'a> {
    root: &'a Path,
    folder: PathBuf,
    name: &'static str,
    version: String,
    arguments: &'a CratesArguments,
}

impl<'a> Scratch<'a> {
    fn new(root: &'a Path, name: &'static str, arguments: &'a CratesArguments) -> Result<Scratch<'a>, RunError> {
        let mut declarations = SUBJECTS.iter().map(|subject| subject.declaration());
        let own = declarations.find(|declaration| declaration.name == name);
        let own = own.ok_or_else(|| format!("no subject is of the crate {name}"))?;
        Ok(Scratch {
            root,
            folder: root.join(FOLDER).join(name),
            name,
            version: own.version.to_string(),
            arguments,
        })
    }

    fn row(&self) -> Result<StoredRow, RunError> {
        let path = self.folder.join("row.json");
        let CratesArguments {
            sample, seed, inputs, ..
        } = self.arguments;
        let key = format!(
            "{} {} {sample:?} {seed} {inputs} {DATA_VERSION}",
            self.name, self.version
        );
        let before = fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str::<StoredRow>(&text).ok());
        if let Some(done) = before.filter(|done| done.key == key) {
            return Ok(done);
        }
        warn(&format!(
            "{} {}: the scratch workspace is built",
            self.name, self.version
        ));
        self.prepare()?;
        let mut test = Command::new("cargo");
        self.finish(
            test.args(["test", "--quiet", "--package", "gate", "--test", "gate"]),
            "write",
            None,
        )?;
        // What the crate itself takes, which also is to pass. A mutant that takes many times as long does not end.
        let [of_gate, of_answers] = ["gate", "answers"].map(|step| self.time(step));
        let (of_gate, of_answers) = (of_gate?, of_answers?);
        let (all, sample) = self.sample()?;
        warn(&format!(
            "{} {}: {} of {all} mutants",
            self.name,
            self.version,
            sample.len()
        ));
        let [gate, answers] = ["gate", "answers"].map(|step| self.folder.join(step));
        self.run(&gate, ("gate", of_gate), &sample)?;
        cargo::go_on(&gate, &answers)?;
        self.run(&answers, ("answers", of_answers), &sample)?;
        let (gate, answers) = (cargo::read(&gate)?, cargo::read(&answers)?);
        let mut row = CrateRow {
            name: self.name.to_owned(),
            version: self.version.clone(),
            mutants: all,
            ..CrateRow::default()
        };
        for met in &gate.mutants {
            let inputs = answers.mutants.iter().find(|other| other.place == met.place);
            row.add(met, inputs, read_log)?;
        }
        let done = StoredRow {
            key,
            cargo_mutants: gate.version,
            row,
        };
        let text = serde_json::to_string(&done).map_err(|error| format!("cannot be written as JSON: {error}"))?;
        files::write(&[(path, text)])?;
        Ok(done)
    }

    /// Makes the workspace, without what it was built to.
    fn prepare(&self) -> Result<(), RunError> {
        for part in [self.name, "gate", "answers", "program"] {
            let path = self.folder.join(part);
            if path.exists() {
                fs::remove_dir_all(&path).map_err(|error| format!("{} cannot be emptied: {error}", path.display()))?;
            }
        }
        copy(&self.sources()?, &self.folder.join(self.name))?;
        let manifest = self.folder.join(self.name).join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        let mut table: toml::Table = text.parse().map_err(|error| format!("{}: {error}", manifest.display()))?;
        // Only the library is built, and not its own tests.
        for other in ["dev-dependencies", "bench", "test", "example"] {
            table.remove(other);
        }
        if let Some(toml::Value::Table(library)) = table.get_mut("lib") {
            library.insert("test".to_owned(), false.into());
            library.insert("doctest".to_owned(), false.into());
        }
        let of_root = |path: &str| self.root.join(path).display().to_string();
        let program = format!(
            "[package]\nname = \"gate\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nserde_json = \"1\"\nuriproof = {{ path = {:?} }}\nuriproof-subjects = {{ path = {:?} }}\n\n[[test]]\nname = \"gate\"\npath = {:?}\nharness = false\n",
            of_root("core"),
            of_root("subjects"),
            of_root(PROGRAM),
        );
        // As subjects are built for use, and quickly.
        let workspace = format!(
            "[workspace]\nmembers = [{name:?}, \"program\"]\nresolver = \"3\"\n\n[patch.crates-io]\n{name} = {{ path = {name:?} }}\n\n[profile.dev]\nopt-level = 2\ndebug = false\ndebug-assertions = false\noverflow-checks = false\n\n[profile.dev.package]\nuriproof-subjects.opt-level = 1\n",
            name = self.name
        );
        let lock = fs::read(self.root.join("Cargo.lock")).map_err(|error| format!("Cargo.lock: {error}"))?;
        files::write(&[
            (manifest, table.to_string().into_bytes()),
            (self.folder.join("Cargo.toml"), workspace.into_bytes()),
            (self.folder.join("Cargo.lock"), lock),
            (self.folder.join("program/Cargo.toml"), program.into_bytes()),
            (self.folder.join("program/src/lib.rs"), Vec::new()),
        ])?;
        self.write_inputs()
    }

    /// Where cargo keeps the sources of the crate.
    fn sources(&self) -> Result<PathBuf, RunError> {
        let output = Command::new("cargo").args(["metadata", "--format-version", "1", "--locked"]).output();
        let output = output.map_err(|error| format!("cargo cannot be started: {error}"))?;
        let metadata: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("cargo metadata: {error}: {}", String::from_utf8_lossy(&output.stderr)))?;
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        let own = packages.find(|package| package["name"] == self.name && package["version"] == *self.version);
        let manifest = own.and_then(|package| package["manifest_path"].as_str()).map(Path::new);
        manifest
            .and_then(Path::parent)
            .map(Path::to_owned)
            .ok_or_else(|| format!("cargo metadata has no {} {}", self.name, self.version))
    }

    /// The generated inputs, of the operations that the crate has, as requests of the line protocol.
    fn write_inputs(&self) -> Result<(), RunError> {
        let own =
            SUBJECTS.iter().map(|subject| subject.declaration()).filter(|declaration| declaration.name == self.name);
        let has = |operation: &Operation| own.clone().any(|declaration| declaration.operations.contains(operation));
        let operations: Vec<Operation> = Operation::ALL.into_iter().filter(has).collect();
        let mut generator = Generator::of(self.arguments.seed, &operations);
        let path = self.folder.join("inputs.jsonl");
        let written = fs::File::create(&path).map(BufWriter::new).and_then(|mut file| {
            for id in 0..self.arguments.inputs {
                writeln!(file, "{}", Request::line(id, &Ask::Input(generator.next_input())))?;
            }
            file.flush()
        });
        written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }

    /// How many mutants there are, and the names of those that are tried.
    fn sample(&self) -> Result<(usize, Vec<String>), RunError> {
        let mut command = Command::new("cargo");
        command.args(["mutants", "--list", "--json", "--package", self.name]).current_dir(&self.folder);
        let output = command.output().map_err(|error| format!("cargo mutants cannot be started: {error}"))?;
        let listed: Vec<Value> = serde_json::from_slice(&output.stdout).map_err(|error| {
            format!(
                "cargo mutants --list: {error}: {}",
                String::from_utf8_lossy(&output.stderr)
            )
        })?;
        let mut names: Vec<String> =
            listed.iter().filter_map(|mutant| mutant["name"].as_str()).map(str::to_owned).collect();
        let all = names.len();
        let seed = self.arguments.seed.to_le_bytes();
        names.sort_by_cached_key(|name| Fnv::of(seed.into_iter().chain(name.bytes())));
        names.truncate(self.arguments.sample.unwrap_or(all));
        Ok((all, names))
    }

    /// Runs a step on the crate as it is, and returns the seconds that it took.
    fn time(&self, step: &str) -> Result<u64, RunError> {
        let started = Instant::now();
        let mut test = Command::new("cargo");
        self.finish(
            test.args(["test", "--quiet", "--package", "gate", "--test", "gate"]),
            step,
            None,
        )?;
        Ok(started.elapsed().as_secs())
    }

    /// Tries these mutants in the workspace itself, where each builds little anew, with a limit by the seconds that the crate takes.
    ///
    /// The limit is of processor time: on a busy machine the clock would kill a mutant that ends. The clock ends what waits.
    fn run(&self, output: &Path, (step, seconds): (&str, u64), sample: &[String]) -> Result<(), RunError> {
        let mut command = cargo::mutants(output)?;
        command.args([
            "--in-place",
            "--baseline",
            "skip",
            "--iterate",
            "--test-package",
            "gate",
            "--package",
            self.name,
        ]);
        let limit = 60 + 8 * seconds;
        command.args(["--timeout", &(10 * limit).to_string()]);
        for name in sample {
            command.arg("--re").arg(format!("^{}$", regex::escape(name)));
        }
        self.finish(&mut command, step, Some(limit))
    }

    /// Waits for a command of the workspace, under a limit of memory for each process, since a mutant may eat what there is, and under
    /// one of processor time in seconds.
    fn finish(&self, command: &mut Command, step: &str, seconds: Option<u64>) -> Result<(), RunError> {
        let time = seconds.map(|seconds| format!("ulimit -t {seconds}; ")).unwrap_or_default();
        let mut limited = Command::new("sh");
        limited.args(["-c", &format!("{time}ulimit -v {MEMORY}; exec \"$@\""), "sh"]);
        limited.arg(command.get_program()).args(command.get_args()).current_dir(&self.folder);
        limited.env("URIPROOF_CRATE", self.name).env("URIPROOF_FOLDER", &self.folder).env("URIPROOF_STEP", step);
        cargo::finish(&mut limited)
    }
}

fn read_log(path: &str) -> Result<String, RunError> {
    let octets = fs::read(path).map_err(|error| format!("{path} cannot be read: {error}"))?;
    Ok(String::from_utf8_lossy(&octets).into_owned())
}

/// Copies the files of a folder, and those below it.
fn copy(from: &Path, to: &Path) -> Result<(), RunError> {
    let copied = fs::create_dir_all(to).and_then(|()| {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let (path, to) = (entry.path(), to.join(entry.file_name()));
            if path.is_dir() {
                copy(&path, &to).map_err(std::io::Error::other)?;
            } else {
                fs::copy(&path, &to)?;
            }
        }
        Ok(())
    });
    copied.map_err(|error| format!("{} cannot be copied: {error}", from.display()))
}

pub(super) fn human(measured: &CrateMutants) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header([
        "crate",
        "mutants",
        "tried",
        "wrong",
        "killed by the vectors alone",
        "by check",
        "other answers conform",
        "are not compared",
        "no answer changes",
        "unviable",
    ]);
    let total = measured.total();
    for row in measured.crates.iter().chain([&total]) {
        table.add_row([
            if row.name.is_empty() {
                "all".to_owned()
            } else {
                format!("{} {}", row.name, row.version)
            },
            row.mutants.to_string(),
            row.tried.to_string(),
            row.by_check().total.to_string(),
            of(row.by_vectors()),
            of(row.by_check()),
            row.conforming.to_string(),
            row.not_compared.to_string(),
            row.unchanged.to_string(),
            row.unviable.to_string(),
        ]);
    }
    let mut text = format!(
        "mutants of crates, by cargo mutants {}, and {} generated inputs\n{}\n\n{} survive\n",
        measured.cargo_mutants,
        measured.inputs,
        aligned(&mut table, 1),
        total.survivors.len()
    );
    for survivor in &total.survivors {
        let _ = writeln!(
            text,
            "  {}\n    {}\n    {}",
            survivor.mutant, survivor.shown_by, survivor.reason
        );
    }
    text
}
