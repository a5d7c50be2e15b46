//! What goes into generated inputs, as processes: the words of a dictionary, strings of every rule; and options with numbers at
//! their limits.
#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::process::{Done, program};
use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Done {
    crate::process::run(program().args(arguments))
}

/// The command line of the reference, with what goes to it and what comes from it edited by `sed`.
fn edited(requests: &str, answers: &str) -> String {
    let program = cargo_bin("uriproof");
    let script = format!(
        "sed -u '{requests}' | {} serve --subject reference | sed -u '{answers}'",
        program.to_str().unwrap()
    );
    shell_words::join(["sh", "-c", &script])
}

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A subject that takes a word for a character that no URI has is found out by a hunt that knows the word, and by no other.
#[test]
fn the_words_of_a_dictionary_reach_a_subject() {
    let folder = TempDir::new().unwrap();
    let words = write(&folder, "words", "# own words\nhorse=\"\\x71\\x77zebra\"\n");
    let command = edited("s/qwzebra/[/g", "");
    let hunt = |more: &[&str]| {
        let all = [
            "hunt",
            "--batches",
            "1",
            "--processes",
            "1",
            "--format",
            "json",
            "--command",
            &command,
        ];
        run(&[&all[..], more].concat())
    };
    let with = hunt(&["--dictionary", &words]);
    assert_eq!(with.status, 1, "{}", with.stderr);
    assert!(with.stdout.contains("qwzebra"), "{}", with.stdout);
    assert_eq!(hunt(&["--dictionary", &words]).stdout, with.stdout);
    let without = hunt(&[]);
    assert_eq!(without.status, 0, "{} {}", without.stdout, without.stderr);
}

#[test]
fn a_broken_dictionary_is_named_with_its_line() {
    let folder = TempDir::new().unwrap();
    let broken = write(&folder, "broken", "\"a\"\n\n\"b\\q\"\n");
    let empty = write(&folder, "empty", "# nothing\n");
    let missing = folder.path().join("missing").to_str().unwrap().to_owned();
    for (file, problem) in [
        (&broken, "broken: line 3: a \"\\\" begins none of the escapes"),
        (&empty, "empty has no words"),
        (&missing, "missing cannot be read"),
    ] {
        let done = run(&["hunt", "--batches", "1", "--subject", "http", "--dictionary", file]);
        assert_eq!(done.status, 2);
        assert!(done.stderr.contains(problem), "{}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}

#[test]
fn a_stored_hunt_is_of_its_dictionary() {
    let folder = TempDir::new().unwrap();
    let [one, same, other] = [("one", "\"a\"\n\"b\""), ("same", "x=\"b\"\n\"a\""), ("other", "\"a\"")]
        .map(|(name, text)| write(&folder, name, text));
    let state = folder.path().join("state.json").to_str().unwrap().to_owned();
    let hunt = |words: &[&str]| {
        let all = [
            "hunt",
            "--batches",
            "1",
            "--processes",
            "1",
            "--subject",
            "http",
            "--state",
            &state,
        ];
        run(&[&all[..], words].concat())
    };
    let first = hunt(&["--dictionary", &one]);
    assert!(first.status < 2, "{}", first.stderr);
    assert_eq!(hunt(&["--dictionary", &same]).status, first.status);
    for words in [&["--dictionary", &*other][..], &[]] {
        let done = hunt(words);
        assert_eq!(done.status, 2);
        assert!(done.stderr.contains("another dictionary"), "{}", done.stderr);
    }
}

/// Whatever single rule a subject has, it is asked strings of it: both such as match and such as do not.
#[test]
fn a_subject_of_one_rule_is_asked_it() {
    for rule in ["absolute-URI", "IPv6address", "scheme", "path-empty", "h16", "userinfo"] {
        let hello = format!(
            "s/\"rules\":\\[[^]]*\\]/\"rules\":[\"{rule}\"]/; s/\"operations\":\\[[^]]*\\]/\"operations\":[\"parse\"]/"
        );
        let hunt = |answers: &str| {
            let command = edited("", &format!("{hello}{answers}"));
            run(&["hunt", "--batches", "1", "--processes", "1", "--command", &command])
        };
        let right = hunt("");
        assert_eq!(right.status, 0, "{rule}: {} {}", right.stdout, right.stderr);
        let wrong = hunt("; s/\"outcome\":\"rejected\".*$/\"outcome\":\"accepted\",\"components\":{}}/");
        assert_eq!(wrong.status, 1, "{rule}: {} {}", wrong.stdout, wrong.stderr);
        let wrong = hunt("; s/\"outcome\":\"accepted\".*$/\"outcome\":\"rejected\"}/");
        assert_eq!(wrong.status, 1, "{rule}: {} {}", wrong.stdout, wrong.stderr);
    }
}

/// How a process ends, and what it says. `None` is one that has work without an end, and is ended: after so many seconds of
/// processor time, which no other process can use up; a hunt by an interrupt once it has stored a batch, and it must end well.
fn ends(arguments: &[&str]) -> (Option<i32>, String) {
    const SECONDS: u32 = 3;
    /// The signal at the end of the processor time.
    const SIGXCPU: i32 = 24;
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state");
    let limit = format!(r#"ulimit -S -t {SECONDS} && exec "$0" "$@""#);
    let is_hunt = arguments[0] == "hunt";
    let mut command = match is_hunt {
        true => Command::new(cargo_bin("uriproof")),
        false => Command::new("sh"),
    };
    if !is_hunt {
        command.args(["-c", &limit]).arg(cargo_bin("uriproof")).arg("--here");
    }
    command.args(arguments);
    if is_hunt {
        command.arg("--state").arg(&state);
    }
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if state.exists() {
            let interrupt = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
            // It may just have ended by itself.
            assert!(interrupt.success() || child.try_wait().unwrap().is_some());
            break child.wait().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    match status.signal() {
        Some(SIGXCPU) => (None, stderr),
        Some(signal) => panic!("{arguments:?}: signal {signal}: {stderr}"),
        None if stderr.contains("not everything was searched: interrupted") => (None, stderr),
        None => (status.code(), stderr),
    }
}

/// Every option with a number, at 0, 1 and the most that 64 bits hold: it is refused by its name, or the command does its work.
#[test]
fn every_number_has_its_limits() {
    let command = edited("", "");
    let most = u64::MAX.to_string();
    let options: [(&[&str], &str); 20] = [
        (&["hunt", "--subject", "http", "--processes", "1"], "--seconds"),
        (&["hunt", "--subject", "http", "--processes", "1"], "--batches"),
        (
            &["hunt", "--subject", "http", "--batches", "1", "--processes", "1"],
            "--seed",
        ),
        (&["hunt", "--subject", "http", "--batches", "1"], "--processes"),
        (&["reach"], "--inputs"),
        (&["reach", "--inputs", "1"], "--seed"),
        (&["diff", "--pairs", "--subject", "http"], "--count"),
        (&["diff", "--pairs", "--subject", "http", "--count", "1"], "--seed"),
        (&["complete", "--subject", "http", "--suite", "components"], "--seed"),
        (&["complete", "--subject", "http"], "--extra-states"),
        (&["sweep", "--subject", "http"], "--max-length"),
        (&["grammar", "scheme"], "--max-length"),
        (&["learn", "--subject", "http"], "--seed"),
        (&["learn", "--subject", "http"], "--budget"),
        (&["growth", "--subject", "http"], "--seconds-per-question"),
        (&["diff", "a", "--command", &command], "--time-limit"),
        (&["diff", "a", "--command", &command], "--restarts"),
        (&["diff", "a", "--command", &command], "--memory"),
        (&["check", "--command", &command, "--only", "rfc/5.4.1/*"], "--restarts"),
        (&["check", "--command", &command, "--only", "rfc/5.4.1/*"], "--memory"),
    ];
    for (arguments, option) in options {
        for number in ["0", "1", &most, "18446744073709551616", "-1"] {
            let given = format!("{option}={number}");
            let (status, stderr) = ends(&[arguments, &[&given]].concat());
            assert!(!stderr.contains("panicked"), "{arguments:?} {given}: {stderr}");
            let is_refused = status == Some(2) && stderr.contains(option);
            // A hunt of no time has compared nothing.
            let no_time = arguments[0] == "hunt" && stderr.contains("nothing was compared");
            let no_memory = option == "--memory" && status == Some(2) && stderr.contains("did not say hello");
            assert!(
                matches!(status, None | Some(0 | 1)) || is_refused || no_memory || no_time,
                "{arguments:?} {given}: {status:?} {stderr}"
            );
            if ["18446744073709551616", "-1"].contains(&number) {
                assert!(is_refused, "{arguments:?} {given}: {status:?} {stderr}");
            }
        }
    }
}

/// Runs `explain --file` with little address space.
fn explained(file: &Path, more: &[&str]) -> Done {
    let mut command = assert_cmd::Command::new("sh");
    command.args(["-c", r#"ulimit -v 400000 && exec "$0" "$@""#]).arg(cargo_bin("uriproof"));
    crate::process::run(command.args(["explain", "--file"]).arg(file).args(more))
}

#[test]
fn a_long_input_is_explained_in_bounded_memory() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("long");
    fs::write(&file, format!("//h/{}", "a/".repeat(8 << 20))).unwrap();
    let done = explained(&file, &[]);
    assert_eq!((done.status, &*done.stderr), (0, ""));
    assert!(
        done.stdout.starts_with(
            "accepted: matches URI-reference, as a relative-ref; its host is a reg-name, its\n  path a path-abempty\n"
        ),
        "{}",
        &done.stdout[..200]
    );
    assert!(done.stdout.contains("left out: the input has 16777220 bytes, and at most 131072 are derived\n"));
    assert!(done.stdout.contains("16777217 bytes"));

    fs::write(&file, format!("//h/{}[b", "a/".repeat(8 << 20))).unwrap();
    let done = explained(&file, &[]);
    assert_eq!((done.status, &*done.stderr), (0, ""));
    assert!(
        done.stdout.contains("at byte 16777220, \"[\""),
        "{}",
        &done.stdout[..300]
    );
    assert!(done.stdout.len() < 10_000);

    // What is just as long as may be is derived.
    fs::write(&file, "a".repeat(1 << 16)).unwrap();
    let done = explained(&file, &[]);
    assert!(done.stdout.contains("path-noscheme") && !done.stdout.contains("left out"));

    // What has no end is not read to its end.
    let done = explained(Path::new("/dev/zero"), &["--base", "http://h/"]);
    assert_eq!(
        (done.status, &*done.stderr),
        (
            2,
            "uriproof: /dev/zero is longer than the 33554432 bytes that explain takes\n"
        )
    );
}
