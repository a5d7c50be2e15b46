//! Equal divergences of a suite are one group at the gate.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use uriproof::gate::Gate;
use uriproof::model::{Input, Operation};
use uriproof::vectors::Library;

use crate::mutants::{Planted, Twist};
use crate::process::{Done, program};

#[test]
fn crashes_at_two_places_are_two_groups() {
    let crashes: Twist = |input, outcome| match input {
        Input::Parse { input, .. } if input.contains("%41") => panic!("one"),
        Input::Parse { input, .. } if input.contains("[v") => panic!("two"),
        _ => outcome,
    };
    let planted = Planted::with(Some((Operation::Parse, crashes)));
    let gate = Gate::of(&planted).only(&["suite/parse"]).unwrap();
    let library = Library::embedded();
    let judgement = gate.run(&library).unwrap();
    let failures = judgement.failures();
    let ids: Vec<&str> = failures.iter().map(|(vector, _)| &*vector.id).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert!(
        ids.iter().all(|id| id.starts_with("suite/parse/crashed/groups-rs-")),
        "{ids:?}"
    );
}

/// Which runs have suites, if nothing is said of them, and which cannot have them.
#[test]
fn the_core_suites_are_the_default() {
    let check = |arguments: &[&str]| {
        let selected = [
            "check",
            "--subject",
            "reference",
            "--only",
            "suite/modify",
            "--only",
            "syntax/port/*",
        ];
        crate::process::run(program().args(selected).args(arguments))
    };
    for (arguments, has_suites) in [
        (&[][..], true),
        (&["--suite", "none"], false),
        (&["--vectors", "core"], false),
        (&["--vectors", "core", "--suite", "core"], true),
        (&["--reading", "elements"], false),
    ] {
        let done = check(arguments);
        assert_ne!(done.status, 2, "{}{}", done.stdout, done.stderr);
        assert_eq!(
            done.stdout.contains("suite inputs "),
            has_suites,
            "{arguments:?}: {}",
            done.stdout
        );
    }
    for (arguments, problem) in [
        (
            ["--reading", "elements"],
            "suites are compared under the reading rfc3986, not elements",
        ),
        (["--clause", "§3.2.3/port"], "suites cannot be selected by --clause"),
    ] {
        let done = check(&[&arguments[..], &["--suite", "core"]].concat());
        assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains(problem), "{}", done.stderr);
    }
}

/// The id of a group that iri-string 0.7.14 shows.
const GROUP: &str = "suite/normalize/other-uri/host";

/// What `check` with suites does with iri-string, in a folder.
fn checked(folder: &TempDir, arguments: &[&str]) -> Done {
    let check = ["check", "--subject", "iri-string*UriStr::new"];
    crate::process::run(program().current_dir(folder.path()).args(check).args(arguments))
}

#[test]
fn a_group_is_a_failure_with_an_id_in_every_format() {
    let folder = TempDir::new().unwrap();
    let outputs = [
        "--output=junit=junit.xml",
        "--output=tap=tap.txt",
        "--output=sarif=sarif.json",
    ];
    let selected = ["--all", "--suite", "core", "--only", "suite/normalize*"];
    let done = checked(&folder, &[&selected[..], &outputs].concat());
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    for expected in [
        GROUP,
        "68 fail in 1 group, ",
        "not compared (no scheme-based normalization)",
    ] {
        assert!(done.stdout.contains(expected), "{}", done.stdout);
    }
    for file in ["junit.xml", "tap.txt", "sarif.json"] {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(text.contains(GROUP), "{file}: {text}");
    }
}

/// With the core suites, and the baseline of [`written`].
const WITH_SUITE: &[&str] = &["--suite", "core", "--baseline", "known.toml"];

/// Writes a baseline; its file, its text and the line of the group.
fn written(folder: &TempDir) -> (PathBuf, String, String) {
    let done = checked(folder, &[WITH_SUITE, &["--write-baseline"]].concat());
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    let known = folder.path().join("known.toml");
    let text = fs::read_to_string(&known).unwrap();
    let line = text.lines().find(|line| line.contains(GROUP)).unwrap().to_owned();
    (known, text, line)
}

/// The line of a group in a baseline holds every answer of it.
#[test]
fn a_baseline_knows_a_group_by_its_answers() {
    let folder = TempDir::new().unwrap();
    let (known, text, line) = written(&folder);
    // Where the suites do not run, their lines are not stale.
    for arguments in [WITH_SUITE, &["--suite", "none", "--baseline", "known.toml"]] {
        let done = checked(&folder, arguments);
        assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    }
    let (answers, _) = line.split_once(", ").unwrap();
    let (_, marks) = line.split_once("marks ").unwrap();
    let others = format!("{answers}, 0000000000000000'");
    // A line of an earlier version, without marks, is as good.
    let before = format!("{}'", line.split_once(", marks").unwrap().0);
    fs::write(&known, text.replace(&line, &before)).unwrap();
    let done = checked(&folder, WITH_SUITE);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    let broken = format!("{answers}, 0000000000000000, marks A.'");
    fs::write(&known, text.replace(&line, &broken)).unwrap();
    let done = checked(&folder, WITH_SUITE);
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("`A.` are no marks of answers"), "{}", done.stderr);
    let fewer = format!("{answers}, 0000000000000000, marks {marks}");
    let all_new = format!("{answers}, 0000000000000000, marks {}'", "A".repeat(68));
    let gone = format!("{line}\n{}", line.replace("/host", "/query"));
    for (instead, expected, failing) in [
        (
            others,
            "now 68, not the same; no mark of the line says which",
            "68 fail",
        ),
        (fewer, "says 68 answers; now 68, none that is marked is new", "0 fail"),
        (all_new, "now 68, 68 or more of them new", "68 fail"),
        (gone, "differs any more: delete this line", "0 fail"),
    ] {
        fs::write(&known, text.replace(&line, &instead)).unwrap();
        let done = checked(&folder, WITH_SUITE);
        assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
        let stdout = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            stdout.contains(expected) && stdout.contains(failing),
            "{expected}, {failing}: {}",
            done.stdout
        );
        let done = checked(&folder, &[WITH_SUITE, &["--write-baseline"]].concat());
        assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
        assert_eq!(fs::read_to_string(&known).unwrap(), text, "{expected}");
    }
}

/// Of the answers of a group one that has changed is shown, and not one that is as it was.
#[test]
fn a_changed_answer_of_a_group_is_named() {
    let folder = TempDir::new().unwrap();
    let (known, text, line) = written(&folder);
    let (before, marks) = line.split_once("marks ").unwrap();
    let answers = before.split_once(", ").unwrap().0;
    // As if other answers had been there in the place of a few.
    let at = marks.char_indices().find(|(_, digit)| *digit != 'A').unwrap().0;
    let changed = format!("{}A{}", &marks[..at], &marks[at + 1..]);
    let instead = format!("{answers}, 0000000000000000, marks {changed}");
    fs::write(&known, text.replace(&line, &instead)).unwrap();
    let done = checked(&folder, WITH_SUITE);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let new = done.stdout.split_once("now 68, ").unwrap().1.split_once(" or more of them new").unwrap().0;
    let new: u64 = new.parse().unwrap();
    assert!((1..34).contains(&new), "{}", done.stdout);
    assert!(done.stdout.contains(&format!("{new} fail")), "{}", done.stdout);
}
