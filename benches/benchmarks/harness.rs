//! What the gate costs in the tests of a crate, all in a debug build: the example with many lines in its baseline, as nextest calls it, as
//! a list; and `check` of a command. It is the CPU time of the processes that counts.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use uriproof::gate::Baseline;
use uriproof::model::Subject;
use uriproof::vectors::Library;
use uriproof_subjects as subjects;

use crate::Effort;
use crate::clock::of_children;
use crate::gate::lines;
use crate::table::{BenchmarkSheet, Quantity};

/// The baseline of the example, as it names it itself.
const BASELINE: &str = "examples/conformance/uriproof.toml";

/// How many lines the baseline of the example is given.
const LINES: usize = 500;

/// How often a list is made: the system counts in hundredths of a second.
const LISTS: u32 = 20;

/// The subject that is checked as a command; it fails many vectors.
const COMMAND: &dyn Subject = &subjects::uriparse::UriReference;

/// The programs, built without optimization.
struct DebugPrograms {
    /// The example.
    example: PathBuf,
    uriproof: PathBuf,
}

/// Measures the gate in the tests of a crate.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    let programs = match (effort.is_whole, of_children()) {
        (false, _) => Err("not in a test run".to_owned()),
        (true, None) => Err("the system does not say how long processes worked".to_owned()),
        (true, Some(_)) => DebugPrograms::build(),
    };
    match programs {
        Ok(programs) => {
            sheet.rows.extend(programs.example_rows(effort.times));
            sheet.rows.push(programs.command_row(effort.times));
        }
        Err(error) => sheet.missing.push(format!(
            "the gate in a debug build: the example with and without a baseline, as nextest calls it, its list, and `check` of a \
             command: {error}"
        )),
    }
}

impl DebugPrograms {
    fn build() -> Result<DebugPrograms, String> {
        let output = Command::new(env!("CARGO"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .args([
                "test",
                "--no-run",
                "--locked",
                "--test",
                "conformance",
                "--message-format",
                "json",
            ])
            .output()
            .map_err(|error| format!("cargo: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "cargo test --no-run: {}",
                said.lines().last().unwrap_or_default()
            ));
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let messages: Vec<serde_json::Value> =
            said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let program = |name: &str| {
            let built = messages.iter().filter(|message| message["target"]["name"] == name);
            let path = built.filter_map(|message| message["executable"].as_str()).next_back();
            path.map(PathBuf::from).ok_or_else(|| format!("cargo has built no {name}"))
        };
        Ok(DebugPrograms {
            example: program("conformance")?,
            uriproof: program("uriproof")?,
        })
    }

    fn example_rows(&self, times: usize) -> Vec<Quantity> {
        let folders = [None, Some(LINES)].map(folder_with);
        let [without, with] =
            folders.each_ref().map(|folder| (0..times).map(|_| self.tested(folder.path())).min().unwrap_or_default());
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tested = (0..times).map(|_| self.tested(root)).min().unwrap_or_default();
        let (names, one_by_one) = self.one_by_one(root);
        let list = self.listed(root);
        let ratio = |one: Duration, other: Duration| one.as_secs_f64() / other.as_secs_f64();
        let (of_lines, of_processes) = (ratio(with, without), ratio(one_by_one, tested));
        vec![
            Quantity::bound(
                format!(
                    "the example's tests with a baseline of {LINES} lines over those without one ({:.2} s), debug build, CPU time",
                    without.as_secs_f64()
                ),
                format!("{of_lines:.2}x"),
                "1.2x",
                of_lines <= 1.2,
            ),
            Quantity::bound(
                format!(
                    "as nextest calls it, a list and {names} tests in a process each, over all in one ({:.2} s), debug build, CPU time",
                    tested.as_secs_f64()
                ),
                format!("{of_processes:.2}x"),
                "3x",
                of_processes <= 3.0,
            ),
            Quantity::bound(
                "`--list` of it, debug build, CPU time",
                format!("{:.0} ms", list.as_secs_f64() * 1e3),
                "50 ms",
                list < Duration::from_millis(50),
            ),
        ]
    }

    /// The example, run in a folder.
    fn example(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.example);
        command.current_dir(folder);
        for variable in [
            "NEXTEST",
            "NEXTEST_EXECUTION_MODE",
            "URIPROOF_TESTS",
            "URIPROOF_BASELINE",
        ] {
            command.env_remove(variable);
        }
        command
    }

    /// All tests in one process, as `cargo test` runs them. Those of a baseline with lines too many fail.
    fn tested(&self, folder: &Path) -> Duration {
        let (time, output) = cpu_time(&mut self.example(folder));
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("test result: "), "the example: {}", output.status);
        time
    }

    /// The tests as nextest runs them: the lists of all and of the ignored, then each by its name. How many there are, and the time.
    fn one_by_one(&self, folder: &Path) -> (usize, Duration) {
        let run = |arguments: &[&str]| cpu_time(self.example(folder).env("NEXTEST", "1").args(arguments));
        let (first, output) = run(&["--list", "--format", "terse"]);
        let (second, _) = run(&["--list", "--format", "terse", "--ignored"]);
        let list = String::from_utf8(output.stdout).expect("names");
        let names: Vec<&str> = list.lines().filter_map(|line| line.strip_suffix(": test")).collect();
        let tests = names.iter().map(|name| {
            let (time, output) = run(&[name, "--exact", "--nocapture"]);
            assert!(output.status.success(), "{name}: {}", output.status);
            time
        });
        (names.len(), first + second + tests.sum::<Duration>())
    }

    fn listed(&self, folder: &Path) -> Duration {
        let lists = (0..LISTS).map(|_| cpu_time(self.example(folder).args(["--list", "--format", "terse"])).0);
        lists.sum::<Duration>() / LISTS
    }

    fn command_row(&self, times: usize) -> Quantity {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        let baseline = folder.path().join("uriproof.toml");
        let adapter = format!(
            "'{}' serve --subject '{}'",
            env!("CARGO_BIN_EXE_uriproof"),
            COMMAND.declaration().label()
        );
        let check = |arguments: &[&str]| {
            let mut command = Command::new(&self.uriproof);
            command.current_dir(folder.path()).args(["check", "--command", &adapter]).args(arguments);
            cpu_time(&mut command)
        };
        check(&["--baseline", "uriproof.toml", "--write-baseline"]);
        let least = |arguments: &[&str], code: i32| {
            let runs = (0..times).map(|_| {
                let (time, output) = check(arguments);
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(
                    output.status.code(),
                    Some(code),
                    "check --command {arguments:?}: {said}"
                );
                time
            });
            runs.min().unwrap_or_default()
        };
        let (without, with) = (least(&[], 1), least(&["--baseline", "uriproof.toml"], 0));
        let ratio = with.as_secs_f64() / without.as_secs_f64();
        Quantity::bound(
            format!(
                "`check --command` with a baseline of {} lines over one without ({:.2} s), debug build, CPU time of both programs",
                lines(&baseline),
                without.as_secs_f64()
            ),
            format!("{ratio:.2}x"),
            "1.2x",
            ratio <= 1.2,
        )
    }
}

/// How long the processors worked on a process and on those that it started.
fn cpu_time(command: &mut Command) -> (Duration, Output) {
    let before = of_children().unwrap_or_default();
    let output = command.stdin(Stdio::null()).output().expect("the program is built");
    (of_children().unwrap_or_default().saturating_sub(before), output)
}

/// A folder with a baseline where the example looks for it: of so many lines, or none. The lines that the example does not have name
/// vectors that do not fail.
fn folder_with(lines: Option<usize>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let Some(lines) = lines else {
        return folder;
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(BASELINE);
    let text = fs::read_to_string(&own).expect("the example has a baseline");
    let known = Baseline::read(&own, &text).expect("it can be read").lines;
    let library = Library::embedded();
    let is_new = |id: &&str| !known.iter().any(|line| line.vectors.matches(id));
    let ids = library.vectors().map(|vector| &*vector.id).filter(is_new).take(lines.saturating_sub(known.len()));
    let added: String = ids.map(|id| format!("\"{id}\" = 'rejected'\n")).collect();
    let path = folder.path().join(BASELINE);
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder can be made");
    let entry = format!("{text}\n[[entry]]\nkind = \"bug\"\nreason = \"there to be read\"\n[entry.vectors]\n{added}");
    fs::write(&path, entry).expect("a file can be written");
    folder
}
