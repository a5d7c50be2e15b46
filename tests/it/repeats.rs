//! `complete`, `sweep` and `learn` of planted adapters that do not answer, do not repeat, or are others than those that were stored.
#![cfg(unix)]

use std::fs;

use crate::process::{Done, on_one_line, program, run};
use serde_json::Value;
use tempfile::TempDir;

/// Behind the planted lines: the line protocol.
const SERVE: &str = r##"
say = lambda value: print(json.dumps(value), flush=True)
sys.stdin.readline()
say({"id": 0, "name": "planted", "version": "1", "entry_point": "parse", "language": "Python", "specification": "RFC 3986",
     "operations": ["parse"], "tells": {}})
last = None
for line in sys.stdin:
    request = json.loads(line)
    text = request["input"]
    answer = respond(text, last)
    last = text
    say({"id": request["id"], **answer})
"##;

/// A folder with a planted adapter, `adapter.py`.
struct AdapterFolder(TempDir);

impl AdapterFolder {
    fn new() -> AdapterFolder {
        AdapterFolder(TempDir::new().unwrap())
    }

    /// Writes the adapter: `body` is a line of Python that returns an answer to `text` behind `last`, or `None` for the answer of the
    /// reference, which the program serves.
    fn plant(&self, body: &str) {
        let served = program().get_program().to_string_lossy().into_owned();
        let head = format!(
            r##"
import itertools, json, subprocess, sys
ACCEPT = {{"outcome": "accepted", "components": {{}}}}
REJECT = {{"outcome": "rejected"}}
child = subprocess.Popen([{served:?}, "serve", "--subject", "reference*"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
ids = itertools.count()
def ask(value):
    child.stdin.write(json.dumps({{"uriproof": 1, "id": next(ids), **value}}) + "\n")
    child.stdin.flush()
    return json.loads(child.stdout.readline())
def respond(text, last):
    answer = odd(text, last)
    if answer is None:
        told = ask({{"op": "parse", "rule": "URI-reference", "input": text}})
        answer = ACCEPT if told["outcome"] == "accepted" else REJECT
    return answer
def odd(text, last):
    {body}
"##
        );
        let hello = "ask({\"op\": \"hello\"})\n";
        fs::write(self.0.path().join("adapter.py"), [&head, hello, SERVE].concat()).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Done {
        let command = ["--command", "python3 adapter.py"];
        run(program().current_dir(self.0.path()).args(arguments).args(command))
    }
}

const UNSUPPORTED: &str = r#"return {"outcome": "unsupported", "reason": "no such thing"}"#;

/// Behind a string that ends with a slash, others are accepted.
const LEAKS: &str = r#"return ACCEPT if last and last.endswith("/") and not text.endswith("/") else None"#;

const COMMANDS: [&[&str]; 3] = [
    &["complete"],
    &["sweep", "--max-length", "2"],
    &["learn", "--budget", "20000"],
];

#[test]
fn what_is_not_compared_is_not_passed() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant(UNSUPPORTED);
    for command in COMMANDS {
        let done = folder.run(command);
        assert_eq!(done.status, 2, "{command:?}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("no such thing"), "{}", done.stdout);
        assert!(done.stderr.contains("no such thing"), "{}", done.stderr);
        assert!(
            !done.stdout.contains("equal to") && !done.stdout.contains("proves"),
            "{}",
            done.stdout
        );
    }
    // Beside one of which everything was compared, too.
    let done = folder.run(&["sweep", "--max-length", "1", "--subject", "reference*"]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains("nothing of planted 1 parse was compared: "),
        "{}",
        done.stderr
    );
    assert!(
        done.stdout.contains("pass") && done.stdout.contains("none"),
        "{}",
        done.stdout
    );
}

/// A command that answers nothing does not pass since another one does.
#[test]
fn each_of_several_commands_is_compared() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant(UNSUPPORTED);
    fs::write(folder.0.path().join("corpus.txt"), "http://a/\n").unwrap();
    let commands: [&[&str]; 4] = [
        &["check", "--corpus", "corpus.txt"],
        &["diff", "http://a/"],
        &["hunt", "--batches", "1", "--processes", "1"],
        &["minimize", "http://a/"],
    ];
    let program = program().get_program().to_string_lossy().into_owned();
    let reference = shell_words::join([&program, "serve", "--subject", "reference*"]);
    for command in commands {
        let done = folder.run(&[command, &["--command", &reference]].concat());
        assert_eq!(done.status, 2, "{command:?}: {}{}", done.stdout, done.stderr);
        assert!(
            done.stderr.contains("nothing was compared of planted 1 parse: "),
            "{command:?}: {}",
            done.stderr
        );
    }
}

/// Nor is an answer of which nothing is compared.
#[test]
fn a_survey_without_answers_is_no_pass() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    for body in [UNSUPPORTED, r#"return {"outcome": "crashed", "reason": "so"}"#] {
        folder.plant(body);
        let done = folder.run(&["growth"]);
        assert_eq!(done.status, 2, "{}", done.stdout);
        assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
        let done = folder.run(&["check", "--probe"]);
        assert_eq!(done.status, 1, "{}", done.stdout);
        assert!(
            done.stdout.contains("FAIL  operations  none is accepted or rejected"),
            "{}",
            done.stdout
        );
    }
    let empty =
        r#"{"uriproof": 1, "reading": "rfc3986", "subjects": [{"subject": "a 1 b", "agreed": []}], "vectors": []}"#;
    fs::write(folder.0.path().join("empty.json"), empty).unwrap();
    let done = run(program().current_dir(folder.0.path()).args(["regress", "empty.json", "empty.json"]));
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
}

/// What a command imports is in no digest: what agreed is put again.
#[test]
fn what_agreed_in_a_stored_hunt_is_put_again() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant("return None");
    let adapter = folder.0.path().join("adapter.py");
    let body = folder.0.path().join("body.py");
    fs::rename(&adapter, &body).unwrap();
    fs::write(&adapter, "exec(open('body.py').read())\n").unwrap();
    let hunt = ["hunt", "--batches", "2", "--state", "state.json"];
    for _ in 0..2 {
        let done = folder.run(&hunt);
        assert_eq!((done.status, &*done.stderr), (0, ""), "{}", done.stdout);
    }

    folder.plant("return REJECT");
    fs::rename(&adapter, &body).unwrap();
    fs::write(&adapter, "exec(open('body.py').read())\n").unwrap();
    let done = folder.run(&hunt);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains("state.json holds that planted 1 parse agrees on "),
        "{}",
        done.stderr
    );

    // Another file is another program, and begins anew.
    folder.plant("return REJECT");
    let done = folder.run(&hunt);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("state.json: what is stored is of another program; the hunt begins anew"),
        "{}",
        done.stderr
    );
}

/// However the words of a death change.
#[test]
fn what_dies_each_time_repeats() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant(r#"import os; os.write(2, f"bad input at stdin line {os.getpid()}\n".encode()); os._exit(3)"#);
    let done = folder.run(&["hunt", "--batches", "1"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(!done.stdout.contains("do not repeat"), "{}", done.stdout);
    assert!(
        done.stdout.contains("\n1 class of divergences was found"),
        "{}",
        done.stdout
    );
}

#[test]
fn the_reference_behind_an_adapter_passes() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant("return None");
    let done = folder.run(&["sweep", "--max-length", "2"]);
    assert_eq!((done.status, &*done.stderr), (0, ""), "{}", done.stdout);
    assert!(done.stdout.contains("What a pass means"), "{}", done.stdout);
}

#[test]
fn what_does_not_repeat_is_shown_with_the_calls_that_show_it() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant(LEAKS);
    for command in &COMMANDS[..2] {
        let done = folder.run(&[command, &["--format", "json"][..]].concat());
        assert_eq!(done.status, 1, "{command:?}: {}{}", done.stdout, done.stderr);
        let rows: Value = serde_json::from_str(&done.stdout).unwrap();
        let first = &rows[0]["unrepeated"][0];
        assert_eq!(first["first"]["outcome"], "accepted", "{command:?}: {rows}");
        assert_eq!(first["again"]["outcome"], "rejected", "{command:?}: {rows}");
        let calls: Vec<&str> =
            first["sequence"].as_array().unwrap().iter().map(|call| call["input"].as_str().unwrap()).collect();
        assert_eq!(calls.len(), 2, "{calls:?}");
        assert!(calls[0].ends_with('/') && !calls[1].ends_with('/'), "{calls:?}");
        assert_eq!(rows[0]["certificates"], Value::Array(Vec::new()));
        let done = folder.run(command);
        assert!(
            done.stdout.contains("FAIL") && done.stdout.contains("2 calls in a new process show it"),
            "{}",
            done.stdout
        );
    }
    let done = folder.run(&["learn", "--budget", "100000"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(
        on_one_line(&done.stdout).contains("not learned: does not repeat: "),
        "{}",
        done.stdout
    );
}

/// The smallest input of the second mistake is one of the first, if what the baseline knows is forgotten on the way there: then it agrees when
/// it is put again.
#[test]
fn what_the_baseline_knows_is_not_said_to_change() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    // An empty port, which the baseline knows, and one of several digits.
    folder.plant(
        r#"import re; port = re.match(r"([A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*:(\d*)(?=[/?#]|$)", text); return REJECT if port and len(port[2]) != 1 else None"#,
    );
    let baseline = "uriproof = 1\nsubject = \"planted\"\ncompares = 1\n[[entry]]\nkind = \"bug\"\nreason = \"so\"\n\
                    deviations = [{ id = \"refuses-empty\", component = \"port\" }]\n";
    fs::write(folder.0.path().join("b.toml"), baseline).unwrap();
    let done = folder.run(&["hunt", "--batches", "6", "--baseline", "b.toml"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(!done.stdout.contains("not repeat"), "{}", done.stdout);
    assert!(done.stdout.contains("  input     \"//:11\"\n"), "{}", done.stdout);
}

/// The planted adapter of which `learn` panicked in the search for limits.
#[test]
fn answers_by_chance_are_not_learned() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant("return [ACCEPT, REJECT][next(ids) % 3 // 2]");
    let done = folder.run(COMMANDS[2]);
    assert_eq!((done.status, &*done.stderr), (1, ""), "{}", done.stdout);
    let printed = on_one_line(&done.stdout);
    assert!(
        printed.contains("not learned: does not repeat: ") && printed.contains(", and then "),
        "{printed}"
    );
}

#[test]
fn a_stored_sweep_is_of_the_program_that_was_put_to_it() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    let sweep = ["sweep", "--max-length", "2", "--state", "state.json"];
    folder.plant("return None");
    let done = folder.run(&sweep);
    assert_eq!((done.status, &*done.stderr), (0, ""), "{}", done.stdout);
    let done = folder.run(&sweep);
    assert_eq!((done.status, &*done.stderr), (0, ""), "{}", done.stdout);

    // Another program under the same name begins anew, and takes the place of the first.
    folder.plant("return ACCEPT");
    let done = folder.run(&sweep);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("state.json: what is stored of planted 1 parse is of another program"),
        "{}",
        done.stderr
    );
    folder.plant("return None");
    let done = folder.run(&sweep);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    let state: Value = serde_json::from_str(&fs::read_to_string(folder.0.path().join("state.json")).unwrap()).unwrap();
    assert_eq!(state.as_array().unwrap().len(), 1);

    // The same files, and another behaviour.
    folder.plant(r#"return ACCEPT if __import__("os").path.exists("broken") else None"#);
    assert_eq!(folder.run(&sweep).status, 0);
    fs::write(folder.0.path().join("broken"), "").unwrap();
    let done = folder.run(&sweep);
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("state.json: the stored sweep is of another program: "),
        "{}",
        done.stderr
    );
}

/// What is known is printed, though a command was given up.
#[test]
fn what_is_known_of_a_command_that_was_given_up_is_printed() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant("sys.exit(3)");
    for command in COMMANDS {
        let done = folder.run(&[command, &["--restarts", "1", "--subject", "fluent-uri*UriRef*"][..]].concat());
        assert_eq!(done.status, 2, "{command:?}: {}{}", done.stdout, done.stderr);
        assert!(
            done.stdout.contains("fluent-uri 0.4.1 UriRef::parse") && done.stdout.contains("planted 1 parse"),
            "{command:?}: {}",
            done.stdout
        );
        assert!(done.stderr.contains("given up after 1 restarts"), "{}", done.stderr);
    }
}

/// A late answer is a difference of its own, and no rejection.
#[test]
fn what_times_out_is_no_rejection() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = AdapterFolder::new();
    folder.plant(r#"if text.startswith("?%"): __import__("time").sleep(3600)"#);
    let done = folder.run(&["sweep", "--max-length", "2", "--time-limit", "5"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("timed out"), "{}", done.stdout);
}
