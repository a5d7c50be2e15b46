//! `answers`, `hunt` and `ledger --check` stop on a changed answer.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use uriproof_cli::measured::subjects::MeasuredCrates;
use uriproof_lab::answers::AnswerCheck;

use super::bugs::bugs;
use super::{SAMPLE, answers_with_bugs, wrong_answers};
use crate::measured;
use crate::process::{Done, program};

/// A folder with stored answers that the subjects no longer give.
fn folder_with_bugs(folder: &TempDir) -> PathBuf {
    let mut crates = MeasuredCrates::embedded().clone();
    for (label, answers) in answers_with_bugs().0 {
        let measured = crates.0.values_mut().find_map(|of_crate| of_crate.get_mut(&label));
        measured.unwrap_or_else(|| panic!("no {label}")).answers = Some(answers);
    }
    measured::write(&crates, folder.path())
}

fn run(arguments: &[&str], stored: Option<&Path>) -> Done {
    let mut command = program();
    command.args(arguments);
    if let Some(stored) = stored {
        command.arg("--answers").arg(stored);
    }
    crate::process::run(&mut command)
}

/// The arguments that select every subject that has a bug.
fn with_bugs() -> Vec<&'static str> {
    bugs().into_iter().flat_map(|bug| ["--subject", bug.subject]).collect()
}

/// Each bug has changed an answer that is among these.
fn assert_all_noticed(check: &AnswerCheck) {
    let missed: Vec<&str> = bugs()
        .into_iter()
        .filter(|bug| {
            let wrong = wrong_answers(bug);
            !check.changed.iter().any(|one| one.subject == bug.subject && wrong.contains(&one.input))
        })
        .map(|bug| bug.name)
        .collect();
    assert_eq!(missed, [""; 0]);
}

#[test]
fn a_hunt_stops_on_each_planted_bug_before_it_searches() {
    let folder = tempfile::tempdir().unwrap();
    let stored = folder_with_bugs(&folder);
    let hunt = [&["hunt", "--batches", "0", "--format", "json"], &with_bugs()[..]].concat();
    let done = run(&hunt, Some(&stored));
    assert_eq!(done.status, 1, "{}", done.stderr);
    let printed: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(printed["inputs"], 0);
    assert_all_noticed(&serde_json::from_value(printed["stored_answers"].clone()).unwrap());
}

#[test]
fn the_check_of_the_ledger_stops_on_planted_bugs() {
    let folder = tempfile::tempdir().unwrap();
    let stored = folder_with_bugs(&folder);
    let done = run(&[&["ledger", "--check"], &with_bugs()[..]].concat(), Some(&stored));
    assert_eq!(done.status, 1, "{}", done.stderr);
    for bug in bugs() {
        let (subject, operation) = (bug.subject, bug.operation);
        let more = format!("more changed answers of {subject} to `{operation}`");
        let news = |input: &str| input.starts_with(&format!("changed answer: {operation} "));
        let by = |by: &str| by.trim_start().starts_with("by ") && by.ends_with(subject);
        let lines: Vec<&str> = done.stdout.lines().collect();
        let is_printed = lines.windows(2).any(|lines| news(lines[0]) && by(lines[1]));
        assert!(
            is_printed || done.stdout.contains(&more),
            "{}\n{}",
            bug.name,
            done.stdout
        );
    }
    assert!(done.stdout.contains("every witness shows"), "{}", done.stdout);
}

#[test]
fn a_changed_answer_is_printed_with_old_and_new() {
    let folder = tempfile::tempdir().unwrap();
    let stored = folder_with_bugs(&folder);
    let http = ["--subject", "http"];
    for (command, clean) in [
        (&["answers"][..], 0),
        (&["hunt", "--batches", "1", "--processes", "1"], 0),
    ] {
        let done = run(&[command, &http].concat(), None);
        assert_eq!(done.status, clean, "{}{}", done.stdout, done.stderr);
        let first = done.stdout.lines().next().unwrap_or_default();
        assert!(
            first.ends_with("of 1 built-in subject: none has changed"),
            "{}",
            done.stdout
        );

        let done = run(&[command, &http].concat(), Some(&stored));
        assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
        let lines: Vec<&str> = done.stdout.lines().collect();
        assert!(lines[0].starts_with("changed answer: parse "), "{}", done.stdout);
        assert_eq!(lines[1], "  by        http 1.5.0 Uri::from_str");
        assert!(lines[2].starts_with("  old       "), "{}", done.stdout);
        assert!(lines[3].starts_with("  new       accepted, "), "{}", done.stdout);
        assert!(done.stdout.contains("uriproof bless --step answers"), "{}", done.stdout);
    }
}

#[test]
fn what_is_not_compared_is_said() {
    let hunt = ["hunt", "--batches", "1", "--processes", "1", "--subject", "rfc2396"];
    let done = run(&[&hunt[..], &["--no-answers"]].concat(), None);
    let said = "the stored answers were not compared: --no-answers";
    assert!(done.stdout.starts_with(said), "{}{}", done.stdout, done.stderr);
    // They are the same whatever measures them.
    let done = run(&[&hunt[..], &["--specification", "URI"]].concat(), None);
    let first = done.stdout.lines().next().unwrap_or_default();
    assert!(
        first.ends_with("of 1 built-in subject: none has changed"),
        "{}{}",
        done.stdout,
        done.stderr
    );
    let serve = format!(
        "{} serve --subject rfc2396",
        shell_words::quote(env!("CARGO_BIN_EXE_uriproof"))
    );
    let done = run(
        &["hunt", "--batches", "1", "--processes", "1", "--command", &serve],
        None,
    );
    assert!(
        done.stdout.contains("changed answers were not looked for: none are stored of rfc2396 "),
        "{}{}",
        done.stdout,
        done.stderr
    );
}

#[test]
fn answers_of_other_inputs_are_stale_and_no_subject_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = measured::copied(folder.path());
    let file = path.join("rfc2396.json");
    let stored: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    for (field, said) in [
        ("inputs", "are of other inputs, since the generator has changed"),
        ("expected", "are of another reference"),
    ] {
        let mut stored = stored.clone();
        stored["subjects"]["rfc2396 1.1.0 validate"]["answers"][field] = "0".into();
        fs::write(&file, stored.to_string()).unwrap();
        for command in [
            &["answers"][..],
            &["hunt", "--batches", "1", "--processes", "1"],
            &["ledger", "--check"],
        ] {
            let done = run(&[command, &["--subject", "rfc2396"]].concat(), Some(&path));
            assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
            assert!(done.stdout.contains(said), "{}", done.stdout);
            assert!(
                done.stdout.contains(": 1 subject was not compared (rfc2396 1.1.0 validate); "),
                "{}",
                done.stdout
            );
            assert!(!done.stdout.contains("changed answer"), "{}", done.stdout);
        }
    }
    // Those of another subject are compared.
    let done = run(&["answers", "--subject", "rfc2396", "--subject", "http"], Some(&path));
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(
        done.stdout.contains("of 1 built-in subject: none has changed"),
        "{}",
        done.stdout
    );
}

#[test]
fn answers_of_some_subjects_are_stored_beside_those_of_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder_with_bugs(&folder);
    let path_text = path.to_str().unwrap();
    let done = run(&["answers", "--write", path_text, "--subject", "http"], None);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(run(&["answers", "--subject", "http"], Some(&path)).status, 0);
    assert_eq!(run(&["answers", "--subject", "url"], Some(&path)).status, 1);
    assert!(!SAMPLE.is_empty());
}

/// The ledger says what a subject answers; another answer of the same class is an error.
#[test]
fn the_check_of_the_ledger_compares_what_a_class_says() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger/http.toml");
    let text = fs::read_to_string(source).unwrap();
    let line = text.lines().find(|line| line.starts_with("subject = '\"")).expect("a class with a URI");
    let answer = line.trim_start_matches("subject = ").trim_matches('\'');
    let changed = text.replacen(line, "subject = '\"other:answer\"'", 1);
    fs::write(folder.path().join("http.toml"), changed).unwrap();
    let ledger = folder.path().to_str().unwrap();
    let done = run(&["ledger", "--check", "--subject", "http", "--ledger", ledger], None);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let said: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("another answer ")).collect();
    let [said] = said[..] else { panic!("{}", done.stdout) };
    assert!(said.starts_with("another answer ledger/http.toml entry `"), "{said}");
    let both = format!("the ledger has \"other:answer\", and the answer is {answer};");
    assert!(said.contains(&both), "{said}");
}

/// The answers are as they are stored, and the profile has another parameter: what it does not predict ends the check with 1.
#[test]
fn the_check_of_the_ledger_stops_on_an_answer_that_a_profile_does_not_predict() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger/oni-comb-uri-rs.toml");
    let text = fs::read_to_string(source).unwrap();
    let changed = text.replacen("limit = 65535", "limit = 79", 1);
    assert_ne!(changed, text);
    let check = |text: &str| {
        fs::write(folder.path().join("oni-comb-uri-rs.toml"), text).unwrap();
        let ledger = folder.path().to_str().unwrap();
        run(
            &["ledger", "--check", "--subject", "oni-comb-uri-rs", "--ledger", ledger],
            None,
        )
    };
    let done = check(&text);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    let done = check(&changed);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let of_vectors =
        |line: &&str| line.contains(": vector ") && line.contains(" is not answered as the profile predicts: ");
    assert!(done.stdout.lines().any(|line| of_vectors(&line)), "{}", done.stdout);
    assert!(!done.stdout.contains("changed answer"), "{}", done.stdout);
}

/// Where classes explain, a changed answer can have the class of the one before.
#[test]
#[ignore = "it takes minutes"]
fn a_report_notices_planted_bugs_where_classes_explain() {
    let folder = tempfile::tempdir().unwrap();
    let stored = folder_with_bugs(&folder);
    let report = folder.path().join("out");
    let done = run(&["report", "--output", report.to_str().unwrap()], Some(&stored));
    assert_eq!(done.status, 1, "{}", done.stderr);
    let ledger = uriproof_cli::known::ledger();
    for bug in bugs() {
        let subject = super::bugs::subject(bug.subject).declaration();
        let predicted = ledger.file_of(subject).map(|file| file.predicted.clone()).unwrap_or_default();
        let is_noticed = done.stdout.lines().any(|line| {
            line.contains(bug.subject)
                && (line.trim_start().starts_with("by ") || line.contains(" more changed answers of "))
        });
        assert!(
            is_noticed || predicted.contains(&bug.operation),
            "{}\n{}",
            bug.name,
            done.stdout
        );
    }
}
