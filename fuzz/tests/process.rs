//! What a fuzzing process does when a subject misbehaves, by a built target with a planted subject.
#![cfg(feature = "planted")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, made anew.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name.replace([' ', '='], "-"));
    // It need not be there.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("corpus")).unwrap();
    fs::create_dir_all(folder.join("artifacts")).unwrap();
    folder
}

struct Ended {
    code: Option<i32>,
    said: String,
    artifacts: Vec<(String, Vec<u8>)>,
    /// The seeds that are in the folder then.
    seeds: Vec<String>,
}

/// The files of a folder, in the order of their names.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut files: Vec<_> = paths.map(|path| (name(&path), fs::read(&path).unwrap())).collect();
    files.sort();
    files
}

/// Fuzzes with a planted subject, from one file that wakes it and one that does not.
fn fuzz(planted: &str, mode: Option<&str>, options: &[&str]) -> Ended {
    let folder = folder(&format!(
        "{planted}-{}",
        mode.unwrap_or("default").replace(|c: char| !c.is_alphanumeric(), "-")
    ));
    fs::write(folder.join("corpus/plain"), "a:b").unwrap();
    fs::write(folder.join("corpus/waking"), "http://example.com/a/b#c").unwrap();
    start(planted, mode, &folder, "corpus", options)
}

/// Gives a file, and nothing besides, to a planted subject that differs.
fn alone(name: &str, file: &str, options: &[&str]) -> Ended {
    let folder = folder(name);
    fs::write(folder.join("file"), file).unwrap();
    start("differs", None, &folder, "file", options)
}

/// Starts the target with what lies in a folder.
fn start(planted: &str, mode: Option<&str>, folder: &Path, what: &str, options: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_planted"));
    command
        .arg(folder.join(what))
        .args(options)
        .arg(format!("-artifact_prefix={}/", folder.join("artifacts").display()));
    command.env("PLANTED", planted).env("RUST_BACKTRACE", "1").env_remove("URIPROOF_FUZZ");
    command.envs(mode.map(|mode| ("URIPROOF_FUZZ", mode)));
    let Output { status, stdout, stderr } = command.output().unwrap();
    let seeds = files(&folder.join("corpus")).into_iter().filter(|(name, _)| name.starts_with("seed-"));
    Ended {
        code: status.code(),
        said: String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned(),
        artifacts: files(&folder.join("artifacts")),
        seeds: seeds.map(|(_, data)| String::from_utf8(data).unwrap()).collect(),
    }
}

impl Ended {
    fn stopped(&self, codes: &[i32], artifact: &str, words: &[&str]) {
        assert!(
            self.code.is_some_and(|code| codes.contains(&code)),
            "exit code {:?}: {}",
            self.code,
            self.said
        );
        for words in words {
            assert!(self.said.contains(words), "no {words:?} in: {}", self.said);
        }
        let [(name, data)] = &self.artifacts[..] else {
            panic!("not one artifact: {:?}: {}", self.artifacts, self.said);
        };
        assert!(name.starts_with(artifact), "{name}: {}", self.said);
        assert!(data.contains(&b'#'), "the artifact does not show it: {data:?}");
    }

    fn went_on(&self) {
        assert_eq!(self.code, Some(0), "{}", self.said);
        assert_eq!(self.artifacts, [], "{}", self.said);
        assert!(self.said.contains("Done 2000 runs"), "{}", self.said);
    }
}

#[test]
fn a_right_subject_stops_nothing() {
    fuzz("", None, &["-runs=2000"]).went_on();
}

#[test]
fn a_new_class_stops_with_everything_that_its_report_needs() {
    let ended = fuzz("differs", None, &["-runs=2000"]);
    let words = [
        "news of planted",
        ": parse rejected-valid\n",
        "severity  rejected-valid",
        "came up   parse \"http://example.com/a/b#c\"",
        "witness   parse \"#\"",
        "side by side\n  planted",
        "\nvector    syntax/shapes-crossed/empty-fragment has this input\n",
        "\nentry\n  [[entry]]\n",
        "again     URIPROOF_FUZZ='only=parse rejected-valid'",
        "\nDEDUP_TOKEN: parse rejected-valid\n",
    ];
    ended.stopped(&[77], "crash-", &words);
}

#[test]
fn a_file_that_is_run_alone_is_not_cut() {
    let ended = alone("alone", "http://example.com/a/b#c", &[]);
    assert_eq!(ended.code, Some(77), "{}", ended.said);
    assert!(ended.said.contains("news of planted"), "{}", ended.said);
    let long = format!("http://example.com/{}#c", "a".repeat(1000));
    let ended = alone("alone-long", &long, &[]);
    assert_eq!(ended.code, Some(77), "{}", ended.said);
    assert!(ended.said.contains("news of planted"), "{}", ended.said);
}

#[test]
fn a_crash_is_made_small() {
    let file = "http://example.com/a/b#c";
    let ended = alone(
        "minimized",
        file,
        &["-minimize_crash=1", "-runs=2000", "-max_total_time=20"],
    );
    assert!(!ended.artifacts.is_empty(), "{}", ended.said);
    for (name, data) in &ended.artifacts {
        assert!(name.starts_with("minimized-from-"), "{name}: {}", ended.said);
        assert!(data.contains(&b'#'), "{name} is {data:?}: {}", ended.said);
        assert!(data.len() < file.len(), "{name} is {data:?}: {}", ended.said);
    }
    let token = "DedupToken2: DEDUP_TOKEN: parse rejected-valid";
    assert!(ended.said.contains(token), "{}", ended.said);
}

#[test]
fn collecting_never_stops() {
    let ended = fuzz("differs", Some("collect"), &["-runs=2000"]);
    ended.went_on();
    assert!(!ended.said.contains("news of"), "{}", ended.said);
    assert!(ended.said.contains("0 looked at in full"), "{}", ended.said);
}

#[test]
fn one_class_alone_stops() {
    let class = "only=parse rejected-valid";
    fuzz("differs", Some(class), &["-runs=2000"]).stopped(&[77], "crash-", &["news of planted"]);
    fuzz("differs", Some("only=parse rejected-valid: IPvFuture"), &["-runs=2000"]).went_on();
}

#[test]
fn what_is_no_mode_is_refused() {
    let ended = fuzz("", Some("quietly"), &["-runs=1"]);
    assert_eq!(ended.code, Some(2), "{}", ended.said);
    assert!(ended.said.contains("URIPROOF_FUZZ is `quietly`"), "{}", ended.said);
}

#[test]
fn a_panic_of_a_subject_is_an_outcome_and_news_until_the_ledger_has_it() {
    fuzz("panics", None, &["-runs=2000"]).stopped(&[77], "crash-", &["news of planted", "parse crashed planted.rs:"]);
    fuzz("panics as known", None, &["-runs=2000"]).went_on();
    fuzz("panics", Some("collect"), &["-runs=2000"]).went_on();
}

/// Both wrong answers have the class that is known, so that no input of the target's own shows the new one.
#[test]
fn a_changed_answer_of_a_known_class_stops_before_the_first_input() {
    let known = fuzz("refuses as known", None, &["-runs=2000"]);
    known.went_on();
    assert!(known.said.contains(" stored answers are the same\n"), "{}", known.said);
    let more = "refuses more than is known";
    let changed = fuzz(more, None, &["-runs=2000"]);
    assert_eq!(changed.code, Some(77), "{}", changed.said);
    for words in [
        "\nchanged answer: parse ",
        "\n  by        planted ",
        "\n  new       rejected",
        " stored answers have changed: ",
    ] {
        assert!(changed.said.contains(words), "no {words:?} in: {}", changed.said);
    }
    assert!(!changed.said.contains("news of"), "{}", changed.said);
    let collected = fuzz(more, Some("collect"), &["-runs=2000"]);
    collected.went_on();
}

#[test]
fn a_panic_of_ours_stops_in_every_mode() {
    for mode in [None, Some("collect"), Some("only=parse crashed elsewhere")] {
        // And the stack has a frame of the target's own crate.
        let words = ["the harness is broken", "planted::_::__libfuzzer_sys_run"];
        fuzz("breaks us", mode, &["-runs=2000"]).stopped(&[77], "crash-", &words);
    }
}

/// And nowhere else: a merge would take a seed for what it has to keep.
#[test]
fn a_run_starts_with_the_witnesses_of_the_ledger() {
    let ended = fuzz("panics as known", None, &["-runs=2000"]);
    ended.went_on();
    assert_eq!(ended.seeds, ["#"], "{}", ended.said);
    assert!(
        ended.said.contains("1 seeds from the ledger; 0 more witnesses"),
        "{}",
        ended.said
    );
    for (what, option) in [("corpus", "-merge=1"), ("file", "-runs=1")] {
        let folder = folder(&format!("no-seeds-{what}"));
        fs::write(folder.join("file"), "a:b").unwrap();
        let ended = start("panics as known", None, &folder, what, &[option]);
        assert_eq!(ended.code, Some(0), "{}", ended.said);
        assert_eq!(ended.seeds, [""; 0], "{}", ended.said);
    }
}

/// `cargo fuzz fmt` gives the file alone, and reads what the process writes to this path.
#[test]
fn an_input_is_printed_with_its_fields() {
    let folder = folder("printed");
    fs::write(folder.join("file"), "http://a/#b").unwrap();
    let printed = folder.join("printed");
    let mut command = Command::new(env!("CARGO_BIN_EXE_planted"));
    command.arg(folder.join("file")).env("RUST_LIBFUZZER_DEBUG_PATH", &printed).env_remove("URIPROOF_FUZZ");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted = "ParseInput {\n    text: \"http://a/#b\",\n}\n";
    assert_eq!(fs::read_to_string(printed).unwrap(), wanted);
}

/// Without AddressSanitizer libFuzzer gives 77, with it 1.
#[test]
fn a_stack_overflow_leaves_an_artifact() {
    fuzz("overflows", None, &["-runs=2000"]).stopped(&[1, 77], "crash-", &[]);
}

#[test]
fn a_hang_leaves_an_artifact() {
    fuzz("hangs", None, &["-runs=2000", "-timeout=1"]).stopped(&[70], "timeout-", &[]);
}

#[test]
fn eating_memory_leaves_an_artifact() {
    fuzz("eats memory", None, &["-runs=2000", "-rss_limit_mb=600"]).stopped(&[71], "oom-", &[]);
}

#[test]
fn an_exit_leaves_an_artifact() {
    fuzz("exits", None, &["-runs=2000"]).stopped(&[77], "crash-", &["fuzz target exited"]);
}

/// libFuzzer's own limits are twenty minutes and, as ours, 2048 MB: what it prints says that ours are set without an option.
#[test]
fn limits_are_set_and_can_be_set_otherwise() {
    let ended = fuzz("hangs", None, &["-runs=2000", "-timeout=1", "-rss_limit_mb=600"]);
    ended.stopped(&[70], "timeout-", &["ALARM: working on the last Unit for"]);
    let ended = fuzz("hangs", Some("collect"), &["-runs=2000"]);
    ended.stopped(&[70], "timeout-", &["and the timeout value is 25"]);
    let ended = fuzz("", Some("abort"), &["-runs=2000"]);
    ended.went_on();
    assert!(!ended.said.contains("-max_len is not provided"), "{}", ended.said);
}
