//! The first screen of the main commands, 24 lines of 80 columns without colour, as snapshots: each shows a planted bug, which its top
//! lines name.
//!
//! `cargo run -- bless --step snapshots` writes them anew; read them as somebody who has one minute.

mod widths;

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::guard::own_subject;
use crate::process::{Done, has, program, run};

/// The lines of a screen.
const LINES: usize = 24;

/// The columns of a screen.
const COLUMNS: usize = 80;

/// The command line of the reference with a mistake: see `planted.py`.
fn planted(mistake: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/first_screen/planted.py");
    format!(
        "python3 '{}' '{}' {mistake}",
        script.display(),
        env!("CARGO_BIN_EXE_uriproof")
    )
}

/// What a command prints, run in a folder, and its first lines.
fn lines(folder: &TempDir, arguments: &[&str]) -> (Done, Vec<String>) {
    let done = run(program().current_dir(folder.path()).args(arguments));
    let lines = done.stdout.lines().take(LINES).map(plain).collect();
    (done, lines)
}

/// The same of what is for a terminal, which has columns too.
fn screen(folder: &TempDir, arguments: &[&str]) -> (Done, String) {
    let done = run(program().current_dir(folder.path()).args(arguments));
    let screen = first_screen(&done);
    (done, screen)
}

/// The first lines of what was printed, each no wider than a screen.
pub(crate) fn first_screen(done: &Done) -> String {
    let screen: Vec<String> = done.stdout.lines().take(LINES).map(plain).collect();
    let wide: Vec<&String> = screen.iter().filter(|line| line.chars().count() > COLUMNS).collect();
    assert!(wide.is_empty(), "wider than {COLUMNS} columns: {wide:#?}");
    screen.join("\n")
}

/// Without paths of this machine.
fn plain(line: &str) -> String {
    let mut line = line.to_owned();
    for mistake in ["v", "split", "split-well", "split-unsaid", "v strict"] {
        line = line.replace(&planted(mistake), "my-adapter");
        line = line.replace(&shell_words::quote(&planted(mistake)).into_owned(), "my-adapter");
    }
    // A hunt says how long it took.
    let seconds = regex::Regex::new(" in [0-9]+ s ").unwrap();
    seconds.replace(line.trim_end(), " in N s ").into_owned()
}

/// Compares a screen with its snapshot.
pub(crate) fn assert_screen(name: &str, screen: &str) {
    insta::with_settings!({snapshot_path => "../../screens", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!(name, screen);
    });
}

/// The top line names the bug, or the sentence that begins with it.
pub(crate) fn assert_names(screen: &str, words: &str) {
    let top: Vec<&str> = screen.lines().take(2).collect();
    assert!(
        top.iter().any(|line| line.contains(words)),
        "{words:?} is not in {top:#?}"
    );
}

#[test]
fn a_check_that_is_red_and_then_green() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let command = planted("v");
    let command = command.as_str();
    let check = ["check", "--suite", "none", "--command", command];
    let (done, red) = screen(&folder, &check);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_names(&red, "refuses an IPvFuture address");
    assert_screen("check-red", &red);
    let baseline = ["--baseline", "uriproof.toml"];
    let (done, written) = screen(&folder, &[&check[..], &baseline, &["--write-baseline"]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_screen("check-write-baseline", &written);
    let (done, green) = screen(&folder, &[&check[..], &baseline].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_screen("check-green", &green);
    let (_, markdown) = lines(&folder, &[&check[..], &["--format", "markdown"]].concat());
    let markdown = markdown.join("\n");
    assert_names(&markdown, "refuses an IPvFuture address");
    assert_screen("check-markdown", &markdown);
}

#[test]
fn a_check_of_a_splitter_names_its_one_mistake() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (done, red) = screen(&folder, &["check", "--suite", "none", "--command", &planted("split")]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_names(&red, "reads another host in an invalid string");
    assert_names(&red, r"`\`");
    assert_screen("check-splitter", &red);
    let (done, green) = screen(
        &folder,
        &["check", "--suite", "none", "--command", &planted("split-well")],
    );
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_names(&green, "accepted though invalid, since it does not validate");
    assert_screen("check-splitter-green", &green);
}

/// What it accepts is covered by the one deviation, and counted.
#[test]
fn a_baseline_of_a_splitter_says_what_it_covers() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let command = planted("split-unsaid");
    let check = ["check", "--suite", "none", "--command", &command];
    let (done, red) = screen(&folder, &check);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let (done, written) = screen(
        &folder,
        &[&check[..], &["--baseline", "uriproof.toml", "--write-baseline"]].concat(),
    );
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(red.contains(" 1537 fail"), "{red}");
    assert!(
        red.contains("accepts 1537 of 1537 invalid strings: if it is not meant to validate"),
        "{red}"
    );
    assert_names(&written, "1537 vectors, all of them by 1 deviation:");
    assert_screen("check-write-baseline-splitter", &written);
}

#[test]
fn a_check_of_two_entry_points_has_one_table() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = [planted("v"), planted("v strict")];
    let check = ["check", "--suite", "none", "--command", &one, "--command", &other];
    let (done, red) = screen(&folder, &check);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_names(&red, "refuses an IPvFuture address");
    assert_screen("check-two", &red);
}

#[test]
fn what_searches_names_the_bug() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let command = planted("v");
    let command = command.as_str();
    let (done, hunted) = screen(
        &folder,
        &["hunt", "--batches", "3", "--processes", "1", "--command", command],
    );
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_names(&hunted, "[v");
    assert_screen("hunt", &hunted);
    let (done, completed) = screen(&folder, &["complete", "--command", command]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_names(&completed, "strings that RFC 3986 accepts");
    assert_screen("complete", &completed);
    let (done, compared) = screen(&folder, &["diff", "//[v1.a]/b", "--command", command]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_screen("diff", &compared);
}

/// The example has a subject that refuses an IPvFuture address; it is called in the process, since learning takes many calls.
#[test]
fn what_is_learned_names_the_bug() {
    let folder = tempfile::tempdir().unwrap();
    let mut own = Command::new(own_subject());
    let done = run(own.current_dir(folder.path()).args(["learn", "--subject", "no-future"]));
    assert_eq!(done.status, 1, "{}", done.stderr);
    let learned = first_screen(&done);
    assert_names(&learned, "refuses strings that RFC 3986 accepts");
    assert_screen("learn", &learned);
}

#[test]
fn what_init_writes_is_said_with_what_to_do_next() {
    let folder = tempfile::tempdir().unwrap();
    let (done, said) = screen(&folder, &["init", "python", "urllib"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_screen("init-python", &said);
}

#[test]
fn what_shows_the_built_in_subjects() {
    let folder = tempfile::tempdir().unwrap();
    let (done, listed) = screen(&folder, &["subjects"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_screen("subjects", &listed);
    let (done, json) = screen(&folder, &["subjects", "--subject", "http", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(all[0]["subject"], "http 1.5.0 Uri::from_str", "{json}");
}
