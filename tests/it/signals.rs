//! SIGINT, SIGTERM, SIGHUP and SIGKILL to the program: nothing of the run goes on, whatever its adapters do.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::process::Done;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

const SIGNALS: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL];

/// Says hello, has a child in a session of its own, reads a question, and then neither reads nor ends.
const ENDLESS: &str = r#"trap '' INT TERM HUP
read -r line
setsid sh -c 'trap "" INT TERM HUP; echo >>started; while :; do sleep 1; done' &
setsid env -i sh -c 'trap "" INT TERM HUP; echo $$ >>bare; while :; do sleep 1; done' &
(setsid env -i sh -c 'trap "" INT TERM HUP; echo $$ >>orphan; while :; do sleep 1; done' &)
echo '{"id":0,"name":"endless","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":["parse"],"tells":{"path":"exact"}}'
read -r line
echo >>asked
while :; do :; done
"#;

/// Answers a hundred questions as PROGRAM does, and then takes its time for each, unless there is a file `fast`.
const SLOW: &str = r#"count=0
while IFS= read -r line; do
  count=$((count + 1))
  [ "$count" -gt 100 ] && [ ! -e fast ] && { echo >>slow; sleep 0.1; }
  printf '%s\n' "$line"
done | PROGRAM
"#;

/// Rejects everything.
const REJECTS: &str = r#"sh -c '
read -r line
echo "{\"id\":0,\"name\":\"planted\",\"version\":\"1\",\"entry_point\":\"p\",\"language\":\"sh\",\"specification\":\"RFC 3986\",\"operations\":[\"parse\"]}"
while IFS= read -r line; do
  id="${line#*\"id\":}"; echo "{\"id\":${id%%,*},\"outcome\":\"rejected\"}"
done'"#;

/// A run of the program in a folder of its own. All its processes have the folder in their environment.
struct Run {
    folder: TempDir,
    child: Child,
}

impl Run {
    fn start(arguments: &[&str]) -> Run {
        Run::in_folder(TempDir::new().unwrap(), ENDLESS, arguments)
    }

    fn in_folder(folder: TempDir, adapter: &str, arguments: &[&str]) -> Run {
        fs::write(folder.path().join("adapter.sh"), adapter).unwrap();
        let file = |name: &str| File::create(folder.path().join(name)).unwrap();
        // Signals that are ignored here would be ignored there too.
        let child = Command::new("env")
            .args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_uriproof")])
            .args(arguments)
            .current_dir(folder.path())
            .env("RUN_OF_A_TEST", folder.path())
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"))
            .spawn()
            .unwrap();
        Run { folder, child }
    }

    /// The processes of the run, without zombies, which have no environment.
    fn processes(&self) -> Vec<String> {
        let command = |process: &PathBuf| {
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        };
        self.folders().iter().map(command).collect()
    }

    /// What the system says of them.
    fn folders(&self) -> Vec<PathBuf> {
        let entry = format!("RUN_OF_A_TEST={}", self.folder.path().display());
        let is_of_run = |process: &Path| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|&octet| octet == 0).any(|variable| variable == entry.as_bytes())
        };
        let processes = fs::read_dir("/proc").unwrap().filter_map(|process| Some(process.ok()?.path()));
        processes.filter(|process| is_of_run(process)).collect()
    }

    /// Waits until the child of the adapter runs.
    fn wait_for_adapter(&mut self) {
        while !["started", "bare", "orphan"].iter().all(|file| self.has_written(file)) {
            assert_eq!(self.child.try_wait().unwrap(), None, "it ended before its adapter ran");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the adapter has a question.
    fn wait_for_question(&mut self) {
        while !self.folder.path().join("asked").exists() {
            assert_eq!(
                self.child.try_wait().unwrap(),
                None,
                "it ended before it put a question"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the process behind the guard works.
    fn wait_for_work(&self) {
        while self.processes().len() < 2 {
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the processes behind the guard have had so many seconds of processor time.
    fn wait_for_seconds(&mut self, seconds: u64) {
        let ticks = |process: &PathBuf| -> u64 {
            let stat = fs::read_to_string(process.join("stat")).unwrap_or_default();
            let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
        };
        while self.folders().iter().map(ticks).sum::<u64>() < 100 * seconds {
            assert_eq!(self.child.try_wait().unwrap(), None, "it ended before its time");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the adapter takes its time.
    fn wait_until_slow(&mut self) {
        while !self.folder.path().join("slow").exists() {
            assert_eq!(
                self.child.try_wait().unwrap(),
                None,
                "it ended before its adapter was slow"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// What came of it, once it was sent a signal.
    fn ended_by(&mut self, signal: Signal) -> Done {
        let status = self.end_by(signal).code().unwrap();
        wait_until_gone(self);
        Done {
            status,
            stdout: self.text("stdout"),
            stderr: self.text("stderr"),
        }
    }

    /// Whether a child of the adapter has written its line, not only made its file.
    fn has_written(&self, file: &str) -> bool {
        fs::read_to_string(self.folder.path().join(file)).is_ok_and(|text| text.ends_with('\n'))
    }

    /// Whether a process with an empty environment, which has written its number to a file, is still there.
    fn has(&self, file: &str) -> bool {
        let numbers = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        let mut lines = numbers.lines().map(|pid| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default());
        lines.any(|line| line.windows(file.len()).any(|word| word == file.as_bytes()))
    }

    fn kill_orphans(&self) {
        let numbers = fs::read_to_string(self.folder.path().join("orphan")).unwrap_or_default();
        for pid in numbers.lines().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).unwrap()
    }

    fn end_by(&mut self, signal: Signal) -> ExitStatus {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap()
    }
}

/// Waits without a limit: what stays makes the test stay, and the process is seen.
fn wait_until_gone(run: &Run) {
    while !run.processes().is_empty() || run.has("bare") || run.has("orphan") {
        thread::sleep(Duration::from_millis(20));
    }
}

fn assert_nothing_stays(arguments: &[&str], notes: bool) {
    for signal in SIGNALS {
        let mut run = Run::start(&[arguments, &["--command", "sh adapter.sh"]].concat());
        run.wait_for_adapter();
        let status = run.end_by(signal);
        if signal == Signal::KILL {
            // Nothing says whose an orphan was once the run is gone at a stroke.
            run.kill_orphans();
        }
        wait_until_gone(&run);
        if signal == Signal::KILL {
            assert_eq!(status.signal(), Some(9), "{arguments:?}");
        } else if !notes {
            assert_eq!(status.code(), Some(128 + signal.as_raw()), "{arguments:?} {signal:?}");
        }
    }
}

#[test]
fn an_endless_adapter_of_a_check_ends_with_it() {
    assert_nothing_stays(&["check", "--only", "syntax/port/*", "--time-limit", "1"], true);
}

#[test]
fn an_endless_adapter_of_a_check_beside_a_builtin_subject_ends_with_it() {
    let arguments = [
        "check",
        "--only",
        "syntax/port/*",
        "--time-limit",
        "1",
        "--subject",
        "url",
    ];
    assert_nothing_stays(&arguments, true);
}

#[test]
fn an_endless_adapter_of_a_probe_ends_with_it() {
    assert_nothing_stays(&["check", "--probe"], false);
}

#[test]
fn an_endless_adapter_of_a_diff_ends_with_it() {
    assert_nothing_stays(&["diff", "http://a/"], false);
}

#[test]
fn an_endless_adapter_of_a_complete_suite_ends_with_it() {
    assert_nothing_stays(&["complete", "--time-limit", "1"], true);
}

#[test]
fn an_endless_adapter_of_a_sweep_ends_with_it() {
    assert_nothing_stays(&["sweep", "--time-limit", "1"], true);
}

#[test]
fn an_endless_adapter_that_is_learned_ends_with_it() {
    assert_nothing_stays(&["learn", "--time-limit", "1"], true);
}

#[test]
fn an_endless_adapter_of_a_survey_of_growth_ends_with_it() {
    assert_nothing_stays(&["growth"], false);
}

#[test]
fn an_endless_adapter_of_a_hunt_ends_with_it() {
    assert_nothing_stays(&["hunt", "--time-limit", "1", "--restarts", "1"], true);
}

#[test]
fn an_endless_adapter_of_a_minimisation_ends_with_it() {
    assert_nothing_stays(&["minimize", "http://a/"], false);
}

/// What an adapter leaves behind, with another parent and an empty environment, ends with a run that no signal ends too.
#[test]
fn an_orphan_ends_with_its_run() {
    let orphan = ENDLESS.lines().find(|line| line.starts_with("(setsid env -i")).unwrap();
    let program = shell_words::quote(env!("CARGO_BIN_EXE_uriproof"));
    let adapter = format!("{orphan}\nwhile [ ! -s orphan ]; do :; done\nexec {program} serve --subject reference\n");
    let arguments = ["check", "--only", "syntax/port/*", "--command", "sh adapter.sh"];
    let mut run = Run::in_folder(TempDir::new().unwrap(), &adapter, &arguments);
    assert_eq!(run.child.wait().unwrap().code(), Some(0), "{}", run.text("stderr"));
    assert!(run.folder.path().join("orphan").exists());
    wait_until_gone(&run);
}

/// A signal to the guard alone ends the process behind it, which then writes nothing.
#[test]
fn the_guard_does_not_end_alone() {
    for signal in SIGNALS {
        let mut run = Run::start(&["report"]);
        run.wait_for_work();
        let status = run.end_by(signal);
        if signal == Signal::KILL {
            wait_until_gone(&run);
        } else {
            assert_eq!(run.processes(), [""; 0], "{signal:?}");
            assert_eq!(status.code(), Some(128 + signal.as_raw()), "{signal:?}");
        }
        assert!(!run.folder.path().join("REPORT.md").exists(), "{signal:?}");
    }
}

/// The signal may come at any moment: what is known is printed if there is anything.
#[test]
fn a_check_of_builtin_subjects_stops_at_a_signal_to_its_guard() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut run = Run::start(&["check", "--output", "json=results.json"]);
        run.wait_for_work();
        let status = run.end_by(signal);
        assert_eq!(run.processes(), [""; 0], "{signal:?}");
        let noted = status.code() == Some(2) && run.folder.path().join("results.json").exists();
        assert!(
            noted || status.code() == Some(128 + signal.as_raw()),
            "{signal:?}: {status}"
        );
    }
}

/// The first signal is enough: an answer that does not come is not waited for, and is no timeout.
#[test]
fn a_pending_question_is_left_at_the_first_signal() {
    let folder = TempDir::new().unwrap();
    let corpus = folder.path().join("corpus.txt");
    fs::write(&corpus, "http://a/\nhttp://b/\n").unwrap();
    let corpus = corpus.to_str().unwrap();
    let commands: [&[&str]; 6] = [
        &["check"],
        &["check", "--corpus", corpus],
        &["complete"],
        &["sweep"],
        &["learn"],
        &["hunt"],
    ];
    for command in commands {
        let arguments = [command, &["--time-limit", "3600", "--command", "sh adapter.sh"]].concat();
        let mut run = Run::start(&arguments);
        run.wait_for_question();
        let done = run.ended_by(Signal::INT);
        let printed = format!("{}{}", done.stdout, done.stderr);
        assert_eq!(done.status, 2, "{command:?}: {printed}");
        assert!(printed.contains("interrupted"), "{command:?}: {printed}");
        assert!(!printed.contains("timed-out"), "{command:?}: {printed}");
        assert!(!printed.contains("timed out"), "{command:?}: {printed}");
    }
}

/// The second signal does not wait for an answer.
#[test]
fn a_second_signal_ends_a_command() {
    for command in ["check", "complete", "sweep", "learn"] {
        let mut run = Run::start(&[command, "--time-limit", "3600", "--command", "sh adapter.sh"]);
        run.wait_for_question();
        let pid = Pid::from_child(&run.child);
        let status = loop {
            let _ = kill_process(pid, Signal::INT);
            if let Some(status) = run.child.try_wait().unwrap() {
                break status;
            }
            thread::sleep(Duration::from_millis(50));
        };
        assert_eq!(status.code(), Some(130), "{command}");
        wait_until_gone(&run);
    }
}

/// An adapter that takes its time for what the reference answers.
fn slow_reference() -> String {
    let program = shell_words::quote(env!("CARGO_BIN_EXE_uriproof"));
    SLOW.replace("PROGRAM", &format!("{program} serve --subject reference"))
}

/// A command with the slow adapter, which a signal stops.
fn stopped(folder: TempDir, adapter: &str, arguments: &[&str], signal: Signal) -> (Done, Run) {
    let mut run = Run::in_folder(folder, adapter, &[arguments, &["--command", "sh adapter.sh"]].concat());
    run.wait_until_slow();
    let done = run.ended_by(signal);
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    (done, run)
}

/// What agrees until then is no pass, and proves nothing.
#[test]
fn a_complete_suite_that_is_interrupted_says_how_far_it_got() {
    let suites: [&[&str]; 3] = [&["core"], &["components", "--extra-states", "1"], &["bytes"]];
    for (suite, signal) in suites.into_iter().zip([Signal::INT, Signal::TERM, Signal::HUP]) {
        let arguments = [&["complete", "--suite"], suite].concat();
        let (done, run) = stopped(TempDir::new().unwrap(), &slow_reference(), &arguments, signal);
        let word = if signal == Signal::INT {
            "interrupted"
        } else {
            "terminated"
        };
        assert!(done.stdout.starts_with("part  "), "{}", done.stdout);
        assert!(done.stdout.contains(&format!("      {word} after ")), "{}", done.stdout);
        assert!(!done.stdout.contains("What a pass means"), "{}", done.stdout);
        assert!(
            done.stderr.ends_with(&format!("not everything was run: {word}\n")),
            "{}",
            done.stderr
        );
        drop(run);
    }
}

#[test]
fn the_findings_of_a_complete_suite_that_is_interrupted_are_printed() {
    let adapter = SLOW.replace("PROGRAM", REJECTS);
    let (done, _run) = stopped(
        TempDir::new().unwrap(),
        &adapter,
        &["complete", "--format", "json"],
        Signal::INT,
    );
    let rows: Value = serde_json::from_str(&done.stdout).unwrap();
    let row = &rows[0];
    let count = |kind: &str, name: &str| row[kind][name].as_u64().unwrap();
    let asked = count("valid", "asked") + count("invalid", "asked");
    assert!(
        count("valid", "diverge") > 0 && !row["clusters"].as_array().unwrap().is_empty(),
        "{row}"
    );
    assert_eq!(row["certificates"], serde_json::json!([]));
    let said = row["stopped"].as_str().unwrap();
    assert!(said.starts_with(&format!("interrupted after {asked} of ")), "{said}");
}

/// What is stored is what was put, and the sweep that goes on ends as one that was never stopped.
#[test]
fn a_sweep_that_is_interrupted_goes_on_where_it_was() {
    for adapter in [SLOW.replace("PROGRAM", REJECTS), slow_reference()] {
        let sweep = ["sweep", "--max-length", "2", "--components", "--format", "json"];
        let stored = [&sweep[..], &["--state", "state.json"]].concat();
        let (done, run) = stopped(TempDir::new().unwrap(), &adapter, &stored, Signal::TERM);
        let rows: Value = serde_json::from_str(&done.stdout).unwrap();
        let said = rows[0]["stopped"].as_str().unwrap();
        assert!(said.starts_with("terminated after "), "{said}");
        assert_eq!(rows[0]["certificates"], serde_json::json!([]));
        assert_eq!(
            rows[0]["accepted"],
            Value::Null,
            "counts of some strings are none of the machine's"
        );
        let state: Value = serde_json::from_str(&run.text("state.json")).unwrap();
        let sum = |row: &Value| -> u64 {
            ["valid", "invalid"]
                .iter()
                .map(|kind| row[kind]["agree"].as_u64().unwrap() + row[kind]["diverge"].as_u64().unwrap())
                .sum()
        };
        assert!(sum(&state[0]) <= sum(&rows[0]), "it says more than was put: {state}");

        let Run { folder, .. } = run;
        fs::write(folder.path().join("fast"), "").unwrap();
        let go_on = |arguments: &[&str]| {
            let mut program = crate::process::program();
            program.current_dir(folder.path()).args(arguments).args(["--command", "sh adapter.sh"]);
            crate::process::run(&mut program)
        };
        let (once, whole) = (go_on(&stored), go_on(&sweep));
        assert!(once.status < 2, "{}", once.stderr);
        assert_eq!((once.status, once.stdout), (whole.status, whole.stdout));
    }
}

/// Half of a machine is none: that is said in one line, and what was known before stays.
#[test]
fn a_subject_whose_learner_is_interrupted_is_not_learned() {
    for format in ["human", "json", "svg"] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("machine"), "old").unwrap();
        let arguments = ["learn", "--format", format, "--output", "machine"];
        let (done, run) = stopped(folder, &slow_reference(), &arguments, Signal::INT);
        assert!(
            done.stderr.contains("not everything was learned: interrupted after 0 of 1 subjects"),
            "{}",
            done.stderr
        );
        match format {
            "human" => {
                assert!(
                    done.stdout.contains("URI-reference, not learned: interrupted after "),
                    "{}",
                    done.stdout
                );
                assert_eq!(done.stdout.lines().count(), 1, "{}", done.stdout);
            }
            "json" => {
                let rows: Value = serde_json::from_str(&done.stdout).unwrap();
                assert_eq!(
                    (&rows[0]["equal"], &rows[0]["differences"]),
                    (&false.into(), &Value::Array(Vec::new()))
                );
                assert!(
                    rows[0]["stopped"].as_str().unwrap().starts_with("interrupted after "),
                    "{}",
                    rows[0]
                );
            }
            _ => assert_eq!(done.stdout, ""),
        }
        assert_eq!(run.text("machine"), "old");
    }
}

/// Behind a guard, too.
#[test]
fn builtin_subjects_are_stopped_through_the_guard() {
    let mut run = Run::start(&["complete", "--suite", "bytes", "--extra-states", "1"]);
    run.wait_for_seconds(3);
    let done = run.ended_by(Signal::TERM);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stdout.contains("terminated after "), "{}", done.stdout);
    assert!(
        done.stderr.ends_with("not everything was run: terminated\n"),
        "{}",
        done.stderr
    );

    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("learned.json"), "[ ]\n").unwrap();
    let mut run = Run::in_folder(folder, ENDLESS, &["learn", "--write", "learned.json"]);
    run.wait_for_seconds(3);
    let done = run.ended_by(Signal::INT);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(
        done.stderr.contains("interrupted after ") && done.stderr.ends_with("; nothing is written\n"),
        "{}",
        done.stderr
    );
    assert_eq!(run.text("learned.json"), "[ ]\n");
}
