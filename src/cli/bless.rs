//! `uriproof bless`: makes every file anew that is derived from others, and says what changed.
//!
//! Cargo builds the program and the tests again between the steps: what one step writes is embedded for the next.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, io};

use clap::Args;
use indicatif::ProgressBar;

use crate::cli::{Finding, RunError, print};

#[derive(Args)]
pub(crate) struct Arguments {
    /// Run only the step with this name; repeatable
    #[arg(long = "step", value_name = "NAME", value_parser = STEPS.map(|step| step.name))]
    steps: Vec<String>,
}

/// A kind of derived files.
struct DerivedFiles {
    name: &'static str,
    /// What the files are made of.
    why: &'static str,
    /// Files and folders, from the root of the repository on.
    files: &'static [&'static str],
    /// The arguments of Cargo.
    cargo: &'static [&'static str],
    /// A variable of the environment.
    variable: Option<(&'static str, &'static str)>,
}

/// The step that is left out where its test passes.
const BASELINE: &str = "baseline";

/// The folder in which steps replace their own sections.
const MEASURED: &str = "measured/subjects";

/// A step depends on those before it.
const STEPS: [DerivedFiles; 11] = [
    DerivedFiles {
        name: "outcomes",
        why: "the outcomes of the vectors, by which a changed one is noticed",
        files: &["vectors/outcomes.txt"],
        cargo: &["test", "--quiet", "--test", "it", "vectors::"],
        variable: Some(("BLESS", "1")),
    },
    DerivedFiles {
        name: "suites",
        why: "the suites of the grammar",
        files: &["vectors/syntax/complete"],
        cargo: &["run", "--quiet", "--", "vectors", "suites"],
        variable: None,
    },
    DerivedFiles {
        name: "ledger",
        why: "the classes that vectors and corpora show, with their witnesses",
        files: &["ledger"],
        cargo: &[
            "run", "--quiet", "--", "ledger", "--write", "ledger", "--corpus", "corpus",
        ],
        variable: None,
    },
    DerivedFiles {
        name: "answers",
        why: "hashes of what the subjects answer to a fixed sample of inputs",
        files: &[MEASURED],
        cargo: &["run", "--quiet", "--", "answers", "--write", MEASURED],
        variable: None,
    },
    DerivedFiles {
        name: "predictions",
        why: "how much of what the subjects do differently their profiles predict",
        files: &[MEASURED],
        cargo: &["run", "--quiet", "--", "predict", "--write", MEASURED],
        variable: None,
    },
    DerivedFiles {
        name: "mutants",
        why: "how many mutants the vectors and the suites kill",
        files: &["measured/grammar-mutants.json", "measured/algorithm-mutants.json"],
        cargo: &[
            "run",
            "--quiet",
            "--",
            "mutants",
            "--of",
            "grammar",
            "--of",
            "algorithms",
            "--write",
        ],
        variable: None,
    },
    DerivedFiles {
        name: "algorithms",
        why: "what the subjects make of the core suites of the algorithms",
        files: &[MEASURED],
        cargo: &[
            "run",
            "--quiet",
            "--",
            "complete",
            "--subject",
            "*",
            "--write",
            MEASURED,
            "--operation",
            "resolve",
            "--operation",
            "normalize",
            "--operation",
            "equivalent",
            "--operation",
            "compose",
            "--operation",
            "modify",
            "--operation",
            "round-trip",
            "--operation",
            "relativize",
        ],
        variable: None,
    },
    DerivedFiles {
        name: "date",
        why: "the date of the last change of what is measured",
        files: &["measured/date.txt"],
        cargo: &["test", "--quiet", "--test", "it", "measured::the_date"],
        variable: Some(("BLESS", "1")),
    },
    DerivedFiles {
        name: "report",
        why: "what the subjects make of the vectors, the ledger and what is measured",
        files: &["REPORT.md", "report"],
        cargo: &["run", "--quiet", "--", "report"],
        variable: None,
    },
    DerivedFiles {
        name: "snapshots",
        why: "each divergence of each subject, and the first screens",
        files: &["tests/snapshots", "tests/screens"],
        cargo: &[
            "test",
            "--quiet",
            "--test",
            "it",
            "--",
            "report::divergences",
            "first_screen::",
        ],
        variable: Some(("INSTA_UPDATE", "always")),
    },
    DerivedFiles {
        name: BASELINE,
        why: "what fluent-uri makes of the vectors, in the example of a gate",
        files: &["examples/conformance/uriproof.toml"],
        cargo: &["test", "--quiet", "--test", "conformance"],
        variable: Some(("URIPROOF_BASELINE", "write")),
    },
];

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let root = env::current_dir().map_err(|error| format!("the current folder cannot be had: {error}"))?;
    if !root.join("core/src/vectors.rs").exists() || !root.join("ledger").is_dir() {
        return Err("bless makes the files of uriproof's own repository, and is run in its root".to_owned());
    }
    let is_selected =
        |step: &&DerivedFiles| arguments.steps.is_empty() || arguments.steps.iter().any(|name| name == step.name);
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    let mut finding = Finding::Expected;
    for step in STEPS.iter().filter(is_selected) {
        bar.set_message(format!("{}: {}", step.name, step.why));
        let before = contents(&root, step.files)?;
        if step.is_done(&root)? {
            bar.suspend(|| print(&step.summary_of(&[])))?;
            continue;
        }
        let output = step.run(&root)?;
        let changed = changes(&before, &contents(&root, step.files)?);
        let (text, is_done) = step.summary(&output, &changed);
        bar.suspend(|| print(&text))?;
        if !is_done {
            finding = Finding::Unexpected;
            break;
        }
    }
    bar.finish_and_clear();
    Ok(finding)
}

impl DerivedFiles {
    /// Whether its test passes as the files are. A baseline says how many vectors are compared at least: a new one that agrees leaves
    /// it as it is.
    fn is_done(&self, root: &Path) -> Result<bool, RunError> {
        if self.name != BASELINE {
            return Ok(false);
        }
        let as_it_is = DerivedFiles {
            variable: None,
            ..*self
        };
        Ok(as_it_is.run(root)?.status.success())
    }

    fn run(&self, root: &Path) -> Result<Output, RunError> {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(self.cargo).current_dir(root).envs(self.variable);
        command.output().map_err(|error| format!("cargo cannot be started: {error}"))
    }

    /// How many files changed, on one line.
    fn summary_of(&self, changed: &[String]) -> String {
        match changed.len() {
            0 => format!("{:<11} nothing changed\n", self.name),
            1 => format!("{:<11} 1 file changed: {}\n", self.name, self.why),
            number => format!("{:<11} {number} files changed: {}\n", self.name, self.why),
        }
    }

    /// Returns the text to print, and whether the next step may run. A command that finds divergences exits with 1, which is expected.
    fn summary(&self, output: &Output, changed: &[String]) -> (String, bool) {
        const SHOWN: usize = 8;
        let is_test = self.cargo[0] == "test";
        let is_done = output.status.success() || !is_test && output.status.code() == Some(1);
        let mut text = self.summary_of(changed);
        let mut line = |words: &str| writeln!(text, "             {words}").expect("writes to a string");
        changed.iter().take(SHOWN).for_each(|name| line(name));
        if changed.len() > SHOWN {
            line(&format!("and {} more", changed.len() - SHOWN));
        }
        if !is_done {
            let said = [&output.stdout[..], &output.stderr[..]].concat();
            let said = String::from_utf8_lossy(&said).into_owned();
            let last: Vec<&str> = without_backtraces(&said).rev().take(30).collect();
            line(&format!("failed: cargo {}", self.cargo.join(" ")));
            last.into_iter().rev().for_each(line);
        }
        (text, is_done)
    }
}

/// The lines of a test run but for backtraces, which stand where `RUST_BACKTRACE` is set and hide what the test says.
fn without_backtraces(said: &str) -> impl DoubleEndedIterator<Item = &str> {
    let mut is_backtrace = false;
    let kept = said.lines().filter(|line| {
        is_backtrace = match line.trim() {
            "stack backtrace:" => true,
            end if end.is_empty() || end.starts_with("note: ") => false,
            _ => is_backtrace,
        };
        !is_backtrace
    });
    kept.collect::<Vec<_>>().into_iter()
}

/// The files below some paths, with a digest of what they hold.
fn contents(root: &Path, paths: &[&str]) -> Result<BTreeMap<PathBuf, u64>, RunError> {
    fn collect(path: &Path, digests: &mut BTreeMap<PathBuf, u64>) -> io::Result<()> {
        if path.is_dir() {
            return fs::read_dir(path)?.try_for_each(|entry| collect(&entry?.path(), digests));
        }
        if path.exists() {
            let mut hasher = DefaultHasher::new();
            fs::read(path)?.hash(&mut hasher);
            digests.insert(path.to_owned(), hasher.finish());
        }
        Ok(())
    }
    let mut digests = BTreeMap::new();
    for path in paths {
        collect(&root.join(path), &mut digests).map_err(|error| format!("{path} cannot be read: {error}"))?;
    }
    let relative =
        digests.into_iter().map(|(path, digest)| (path.strip_prefix(root).unwrap_or(&path).to_owned(), digest));
    Ok(relative.collect())
}

/// The files that are new, other or gone, in the order of their names.
fn changes(before: &BTreeMap<PathBuf, u64>, after: &BTreeMap<PathBuf, u64>) -> Vec<String> {
    let mut names: Vec<&PathBuf> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    let changed = names.into_iter().filter_map(|name| match (before.get(name), after.get(name)) {
        (None, _) => Some(format!("{} (new)", name.display())),
        (_, None) => Some(format!("{} (gone)", name.display())),
        (old, new) => (old != new).then(|| name.display().to_string()),
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backtrace_does_not_hide_what_a_test_says() {
        let said = "panicked at a.rs:1:\nsay why\nstack backtrace:\n   0: f\n             at ./a.rs:1\nnote: details\n\nfailures:\n";
        let kept: Vec<&str> = without_backtraces(said).collect();
        assert_eq!(
            kept,
            ["panicked at a.rs:1:", "say why", "note: details", "", "failures:"]
        );
    }

    #[test]
    fn what_is_new_other_or_gone_is_named() {
        let files = |files: &[(&str, u64)]| files.iter().map(|&(name, digest)| (PathBuf::from(name), digest)).collect();
        let before: BTreeMap<PathBuf, u64> = files(&[("a", 1), ("b", 1), ("c", 1)]);
        let after = files(&[("b", 1), ("c", 2), ("d", 1)]);
        assert_eq!(changes(&before, &after), ["a (gone)", "c", "d (new)"]);
    }
}
