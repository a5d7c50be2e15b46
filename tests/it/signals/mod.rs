//! A signal to the program ends everything that its run has started.

#![cfg(target_os = "linux")]

mod adapters;
mod guards;
mod results;

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::process::Done;

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
