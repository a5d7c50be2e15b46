//! SIGINT, SIGTERM, SIGHUP and SIGKILL to the program: nothing of the run goes on, whatever its adapters do.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const SIGNALS: [Signal; 4] = [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL];

/// Says hello, has a child in a session of its own, and then neither reads nor ends.
const ENDLESS: &str = r#"trap '' INT TERM HUP
read -r line
setsid sh -c 'trap "" INT TERM HUP; echo >>started; while :; do sleep 1; done' &
echo '{"id":0,"name":"endless","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":["parse"],"tells":{"path":"exact"}}'
while :; do :; done
"#;

/// A run of the program in a folder of its own. All its processes have the folder in their environment.
struct Run {
    folder: TempDir,
    child: Child,
}

impl Run {
    fn start(arguments: &[&str]) -> Run {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("adapter.sh"), ENDLESS).unwrap();
        // Signals that are ignored here would be ignored there too.
        let child = Command::new("env")
            .args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_uriproof")])
            .args(arguments)
            .current_dir(folder.path())
            .env("RUN_OF_A_TEST", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Run { folder, child }
    }

    /// The processes of the run, without zombies, which have no environment.
    fn processes(&self) -> Vec<String> {
        let entry = format!("RUN_OF_A_TEST={}", self.folder.path().display());
        let is_of_run = |process: &Path| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|&octet| octet == 0).any(|variable| variable == entry.as_bytes())
        };
        let processes = fs::read_dir("/proc").unwrap().filter_map(|process| Some(process.ok()?.path()));
        let command = |process: &Path| {
            let line = fs::read(process.join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        };
        processes.filter(|process| is_of_run(process)).map(|process| command(&process)).collect()
    }

    /// Waits until the child of the adapter runs.
    fn wait_for_adapter(&mut self) {
        while !self.folder.path().join("started").exists() {
            assert_eq!(self.child.try_wait().unwrap(), None, "it ended before its adapter ran");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until the process behind the guard works.
    fn wait_for_work(&self) {
        while self.processes().len() < 2 {
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn end_by(&mut self, signal: Signal) -> ExitStatus {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap()
    }
}

/// Waits without a limit: what stays makes the test stay, and the process is seen.
fn wait_until_gone(run: &Run) {
    while !run.processes().is_empty() {
        thread::sleep(Duration::from_millis(20));
    }
}

fn assert_nothing_stays(arguments: &[&str], notes: bool) {
    for signal in SIGNALS {
        let mut run = Run::start(&[arguments, &["--command", "sh adapter.sh"]].concat());
        run.wait_for_adapter();
        let status = run.end_by(signal);
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
    assert_nothing_stays(&["complete"], false);
}

#[test]
fn an_endless_adapter_of_a_sweep_ends_with_it() {
    assert_nothing_stays(&["sweep"], false);
}

#[test]
fn an_endless_adapter_that_is_learned_ends_with_it() {
    assert_nothing_stays(&["learn"], false);
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

/// The second signal does not wait for an answer.
#[test]
fn a_second_signal_ends_a_check() {
    let mut run = Run::start(&["check", "--time-limit", "3600", "--command", "sh adapter.sh"]);
    run.wait_for_adapter();
    let pid = Pid::from_child(&run.child);
    let status = loop {
        // The first may come before the check notes it, and ends it then.
        let _ = kill_process(pid, Signal::INT);
        if let Some(status) = run.child.try_wait().unwrap() {
            break status;
        }
        thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status.code(), Some(130));
    wait_until_gone(&run);
}
