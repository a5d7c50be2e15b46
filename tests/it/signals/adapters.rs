//! Adapters end with the command that started them.

use std::fs;

use rustix::process::Signal;
use tempfile::TempDir;

use super::{ENDLESS, Run, assert_nothing_stays, wait_until_gone};

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
