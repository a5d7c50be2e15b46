//! A signal to a command or to its guard ends both.

use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{Run, SIGNALS, wait_until_gone};

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
        let mut run = Run::start(&["check", "--subject", "*", "--output", "json=results.json"]);
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
