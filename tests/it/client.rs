//! Subjects in other processes: built-in ones, and planted adapters with every fault there is.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use uriproof::ask::ask;
use uriproof::model::{Components, Input, Operation, Outcome, Rule, Rung, Scope, Specification, Subject};
use uriproof::protocol::client::{Client, Limits};
use uriproof::vectors::Library;
use uriproof_subjects::SUBJECTS;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(20),
    start: Duration::from_secs(60),
    restarts: 2,
    memory: None,
};

const HELLO: &str = r#"'{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["parse"]}'"#;

fn shell(script: &str) -> [OsString; 3] {
    ["/bin/sh", "-c", script].map(OsString::from)
}

fn with(script: &str, limits: Limits) -> Result<Client, String> {
    Client::start(&shell(script), limits)
}

/// Says hello, and then does what `script` does.
fn planted(script: &str, limits: Limits) -> Client {
    with(&format!("read -r request; echo {HELLO}; {script}"), limits).unwrap()
}

fn parse(client: &Client) -> Outcome {
    client.parse(Rule::UriReference, "a")
}

fn crashed(outcome: Outcome) -> String {
    match outcome {
        Outcome::Crashed { reason } => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn a_built_in_subject_answers_as_if_it_were_here() {
    let program = Path::new(env!("CARGO_BIN_EXE_uriproof"));
    for subject in SUBJECTS {
        let client = Client::builtin(program, *subject, LIMITS).unwrap();
        assert_eq!(client.declaration(), subject.declaration());
        for vector in Library::embedded().vectors().step_by(11) {
            let (here, there) = (ask(*subject, &vector.input), ask(&client, &vector.input));
            assert_eq!(there, here, "{}: {}", subject.declaration(), vector.id);
        }
    }
}

#[test]
fn every_operation_goes_over_the_line() {
    let program = Path::new(env!("CARGO_BIN_EXE_uriproof"));
    let client = Client::builtin(program, SUBJECTS[0], LIMITS).unwrap();
    let long = format!("a:/{}\u{0}\n", "é/..".repeat(1 << 18));
    let components = Components {
        path: long.clone(),
        ..Components::default()
    };
    let inputs = [
        Input::Parse {
            rule: Rule::Uri,
            input: long.clone(),
        },
        Input::Resolve {
            base: long.clone(),
            reference: "b".to_owned(),
            strict: true,
        },
        Input::Normalize {
            uri: "a:%7e".to_owned(),
            scope: Scope::Scheme,
        },
        Input::Compose { components },
        Input::Equivalent {
            left: "a:b".to_owned(),
            right: "A:b".to_owned(),
            rung: Rung::Syntax,
        },
    ];
    for input in &inputs {
        let (here, there) = (SUBJECTS[0].answer(input), client.answer(input));
        assert_eq!(there, here);
    }
}

#[test]
fn a_command_declares_itself() {
    let client = planted(
        r#"read -r r; echo '{"id":1,"outcome":"accepted","components":{"path":"a"}}'; cat >/dev/null"#,
        LIMITS,
    );
    let declaration = client.declaration();
    assert_eq!(declaration.label(), "planted 1 parse");
    assert_eq!(declaration.specification, Specification::Rfc3986);
    assert_eq!(
        (&*declaration.rules, &*declaration.operations),
        (&[Rule::UriReference][..], &[Operation::Parse][..])
    );
    assert_eq!(parse(&client).to_string(), r#"accepted, path "a""#);
}

#[test]
fn what_dies_has_crashed_and_is_started_again_until_that_is_used_up() {
    let client = planted("read -r r; echo working >&2; echo no more >&2; exit 3", LIMITS);
    for _ in 0..3 {
        assert_eq!(crashed(parse(&client)), "ended with exit status: 3: no more");
    }
    for _ in 0..2 {
        assert_eq!(
            parse(&client).to_string(),
            "unsupported: given up after 2 restarts without an answer: ended with exit status: 3: no more"
        );
    }
    let client = planted("read -r r; kill -ABRT $$", LIMITS);
    assert_eq!(crashed(parse(&client)), "killed by signal 6 (SIGABRT)");
    let client = planted("read -r r; exec >&-; exec sleep 60", LIMITS);
    assert_eq!(crashed(parse(&client)), "closed its output without an answer");
}

#[test]
fn what_overflows_its_stack_has_crashed() {
    let client = planted("read -r r; f() { f; }; f", LIMITS);
    let reason = crashed(parse(&client));
    // Shells differ in whether they notice it themselves.
    assert!(
        reason.starts_with("killed by signal 11 (SIGSEGV)") || reason.starts_with("ended with "),
        "{reason}"
    );
}

#[test]
fn what_allocates_without_end_is_stopped_by_its_limit() {
    let limits = Limits {
        memory: Some(256 << 20),
        ..LIMITS
    };
    let client = planted("read -r r; a=aaaaaaaa; while :; do a=$a$a; done", limits);
    let reason = crashed(parse(&client));
    assert!(reason.contains("killed by") || reason.contains("memory"), "{reason}");
}

#[test]
fn what_hangs_is_ended_with_all_that_it_started() {
    let folder = TempDir::new().unwrap();
    let pids = folder.path().join("pids");
    let limits = Limits {
        time: Duration::from_millis(500),
        restarts: 0,
        ..LIMITS
    };
    let script = format!(
        "read -r r; sleep 60 & echo $$ $! >{pids}; while :; do sleep 60; done",
        pids = pids.display()
    );
    let client = planted(&script, limits);
    assert_eq!(parse(&client).to_string(), "timed-out: no answer within 0.5 s");
    assert_are_gone(&pids);
    assert_eq!(
        parse(&client).to_string(),
        "unsupported: given up after 0 restarts without an answer: no answer within 0.5 s"
    );
}

/// A request that is not read must not hold us up either: it is larger than a pipe.
#[test]
fn what_does_not_read_hangs_too() {
    let limits = Limits {
        time: Duration::from_millis(500),
        restarts: 0,
        ..LIMITS
    };
    let client = planted("exec sleep 60", limits);
    let outcome = client.parse(Rule::UriReference, &"a".repeat(4 << 20));
    assert_eq!(outcome.name(), "timed-out");
}

/// A child that left the group of its adapter is found by the mark in its environment.
#[cfg(target_os = "linux")]
#[test]
fn a_child_in_a_session_of_its_own_ends_with_its_adapter() {
    let folder = TempDir::new().unwrap();
    let pids = folder.path().join("pids");
    let child = format!(
        "echo $$ >{0}.part; mv {0}.part {0}; while :; do sleep 1; done",
        pids.display()
    );
    let script = format!(
        "setsid sh -c '{child}' & while ! [ -e {} ]; do sleep 0.1; done; read -r r; exit 3",
        pids.display()
    );
    let client = planted(&script, LIMITS);
    assert_eq!(crashed(parse(&client)), "ended with exit status: 3");
    assert_are_gone(&pids);
}

#[test]
fn what_is_dropped_is_gone() {
    let folder = TempDir::new().unwrap();
    let pids = folder.path().join("pids");
    drop(planted(
        &format!("echo $$ >{}.part; mv {0}.part {0}; exec sleep 60", pids.display()),
        LIMITS,
    ));
    // The script may have been ended before it wrote.
    if pids.exists() {
        assert_are_gone(&pids);
    }
}

/// Waits without a limit: what stays makes the test stay.
fn assert_are_gone(pids: &PathBuf) {
    for pid in fs::read_to_string(pids).unwrap().split_whitespace() {
        // A grandchild is reaped by whoever adopts it, or not: a zombie runs no more.
        let runs = || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
            !state.is_empty() && !state.starts_with(b"Z")
        };
        while runs() {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn what_breaks_the_protocol_is_quoted() {
    for (answer, problem) in [
        ("hm", r#"no JSON: expected value at line 1 column 1: "hm""#),
        ("[]", r#"a response is a JSON object, not an array: "[]""#),
        (
            r#"{"id":7,"outcome":"rejected"}"#,
            r#"`id` is 7 in the answer to 1: "{\"id\":7"#,
        ),
        (r#"{"outcome":"rejected"}"#, r#"`id` is missing: "#),
        (
            r#"{"id":"1","outcome":"rejected"}"#,
            r#"`id` is the request's number, not "1": "#,
        ),
        (
            r#"{"id":1}"#,
            r#"a response has `outcome`, or `name` and more to `hello`: "#,
        ),
        (
            r#"{"id":1,"outcome":"agreed"}"#,
            "`agreed` is none of `accepted`, `rejected`",
        ),
        (
            r#"{"id":1,"outcome":"accepted"}"#,
            "`accepted` comes with an answer: `components` to `parse`",
        ),
        (
            r#"{"id":1,"outcome":"accepted","uri":"a"}"#,
            "the answer to `parse` has the key `components`, not `uri`: ",
        ),
        (
            r#"{"id":1,"outcome":"accepted","components":{"path":7}}"#,
            "`components.path`: it is integer `7`, and should be a string",
        ),
        (
            r#"{"id":1,"outcome":"rejected","why":"so"}"#,
            "the key `why` does not belong there; the keys are `reason`, `offset`",
        ),
        (r#"{"id":1,"error":"what?"}"#, r#"took a request for an error: "what?""#),
    ] {
        let client = planted(&format!("read -r r; echo '{answer}'; cat >/dev/null"), LIMITS);
        let reason = crashed(parse(&client));
        let said = reason.strip_prefix("broke the protocol: ").unwrap_or_else(|| panic!("{reason}"));
        assert!(said.contains(problem), "{said}");
    }
    let client = planted(r"read -r r; printf '\377\n'; cat >/dev/null", LIMITS);
    assert_eq!(crashed(parse(&client)), r#"broke the protocol: not UTF-8: "\u{fffd}""#);
}

#[test]
fn what_talks_without_being_asked_is_out_of_step() {
    let client = planted(
        r#"read -r r; echo '{"id":1,"outcome":"rejected"}'; echo '{"id":1,"outcome":"rejected"}'; cat >/dev/null"#,
        LIMITS,
    );
    assert_eq!(parse(&client).to_string(), "rejected");
    assert!(crashed(parse(&client)).contains("`id` is 1 in the answer to 2"));
    let client = planted("read -r r; yes", LIMITS);
    assert!(crashed(parse(&client)).contains("no JSON"));
}

#[test]
fn a_line_without_end_is_not_read_to_its_end() {
    let client = planted("read -r r; tr '\\0' a </dev/zero", LIMITS);
    let reason = crashed(parse(&client));
    assert!(
        reason.starts_with("broke the protocol: a line is longer than 67108864 bytes: \"aaa"),
        "{reason}"
    );
}

#[test]
fn what_never_says_hello_is_no_subject() {
    let refused = |script: &str, limits: Limits| with(script, limits).err().unwrap();
    let short = Limits {
        start: Duration::from_millis(500),
        ..LIMITS
    };
    assert_eq!(
        refused("exit", LIMITS),
        "`sh -c exit` did not say hello: ended with exit status: 0"
    );
    assert!(refused("cat >/dev/null", short).ends_with("did not say hello: no answer within 0.5 s"));
    assert!(refused("echo hello; cat >/dev/null", LIMITS).ends_with(r#"expected value at line 1 column 1: "hello""#));
    let error = refused(r#"echo '{"id":0,"name":"x"}'; cat >/dev/null"#, LIMITS);
    assert!(error.contains("the key `version` is missing"), "{error}");
    let error = refused(r#"echo '{"id":0,"outcome":"rejected"}'; cat >/dev/null"#, LIMITS);
    assert!(error.contains("an outcome is no answer to `hello`"), "{error}");

    let error = Client::start(&["/nonexistent/adapter".into()], LIMITS).err().unwrap();
    assert!(
        error.starts_with("`adapter` did not say hello: cannot be started: "),
        "{error}"
    );
    let error = Client::start(&[], LIMITS).err().unwrap();
    assert!(error.contains("a program and its arguments"), "{error}");
}

#[test]
fn a_served_subject_is_the_one_that_was_meant() {
    let program = TempDir::new().unwrap();
    let path = program.path().join("other");
    fs::write(
        &path,
        format!("#!/bin/sh\nread -r request; echo {HELLO}; cat >/dev/null\n"),
    )
    .unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&path).status().unwrap().success());
    let error = Client::builtin(&path, SUBJECTS[0], LIMITS).err().unwrap();
    assert!(error.contains("serves another version of reference"), "{error}");
}

#[test]
fn many_can_ask_at_once() {
    let program = Path::new(env!("CARGO_BIN_EXE_uriproof"));
    let client = Client::builtin(program, SUBJECTS[0], LIMITS).unwrap();
    thread::scope(|scope| {
        for number in 0..4 {
            let client = &client;
            scope.spawn(move || {
                for at in 0..50 {
                    let input = format!("a:{number}/{at}");
                    let asked = Input::Parse {
                        rule: Rule::Uri,
                        input: input.clone(),
                    };
                    assert_eq!(ask(client, &asked), SUBJECTS[0].parse(Rule::Uri, &input));
                }
            });
        }
    });
}

fn parsed(input: &str) -> Input {
    Input::Parse {
        rule: Rule::UriReference,
        input: input.to_owned(),
    }
}

/// The answers to a row of strings.
fn in_turn(client: &Client, row: &[&str]) -> Vec<String> {
    let next = |at: usize| row.get(at).map(|text| parsed(text));
    let answer = |at: usize| client.answer_in_turn(&parsed(row[at]), &|distance| next(at + 1 + distance)).to_string();
    (0..row.len()).map(answer).collect()
}

#[test]
fn requests_are_written_ahead() {
    let client = planted_loop("read -r next", "reject $n; reject $((n+1)); n=$((n+1))");
    assert_eq!(in_turn(&client, &["a", "b", "c", "d"]), ["rejected"; 4]);
}

/// Says hello, and runs `first` and `body` for each request, whose text is `$r` and whose number is `$n`.
fn planted_loop(first: &str, body: &str) -> Client {
    let reject = r#"reject() { printf '{"id":%s,"outcome":"rejected"}\n' "$1"; }"#;
    let script = format!("{reject}; n=0; while IFS= read -r r; do n=$((n+1)); {first}; {body}; done");
    planted(&script, LIMITS)
}

#[test]
fn what_dies_among_requests_that_were_written_ahead_is_named() {
    let client = planted_loop(
        r#"case "$r" in *dies*) exit 3;; *hm*) echo hm; continue;; esac"#,
        "reject $n",
    );
    let row = [
        "a", "b", "c", "d", "dies", "e", "f", "g", "h", "hm", "i", "dies", "dies", "j",
    ];
    let expected: Vec<&str> = row
        .iter()
        .map(|text| match *text {
            "dies" => "crashed: ended with exit status: 3",
            "hm" => r#"crashed: broke the protocol: no JSON: expected value at line 1 column 1: "hm""#,
            _ => "rejected",
        })
        .collect();
    assert_eq!(in_turn(&client, &row), expected);
}

#[test]
fn what_hangs_among_requests_that_were_written_ahead_is_named() {
    let limits = Limits {
        time: Duration::from_millis(500),
        ..LIMITS
    };
    let script = r#"n=0; while IFS= read -r r; do n=$((n+1)); case "$r" in *hangs*) exec sleep 60;; esac; printf '{"id":%s,"outcome":"rejected"}\n' $n; done"#;
    let client = planted(script, limits);
    let row = ["a", "b", "c", "hangs", "d", "e"];
    let expected: Vec<&str> = row
        .iter()
        .map(|text| {
            if *text == "hangs" {
                "timed-out: no answer within 0.5 s"
            } else {
                "rejected"
            }
        })
        .collect();
    assert_eq!(in_turn(&client, &row), expected);
}

#[test]
fn another_request_is_answered_behind_those_that_were_written_ahead() {
    let answer = r#"text="${r#*\"input\":\"}"; printf '{"id":%s,"outcome":"accepted","components":{"path":"%s"}}\n' $n "${text%%\"*}""#;
    let client = planted_loop("true", answer);
    let row = ["a", "b", "c", "d"];
    let next = |at: usize| row.get(at).map(|text| parsed(text));
    for (at, text) in row.iter().enumerate() {
        let answer = client.answer_in_turn(&parsed(text), &|distance| next(at + 1 + distance));
        assert_eq!(answer.to_string(), format!("accepted, path \"{text}\""));
        assert_eq!(client.recent().last(), Some(&parsed(text)));
        assert_eq!(parse(&client).to_string(), r#"accepted, path "a""#);
        if at == 1 {
            assert!(client.start_anew());
            assert_eq!(client.recent(), []);
            assert_eq!(parse(&client).to_string(), r#"accepted, path "a""#);
        }
    }
    // Another row comes than was said.
    client.answer_in_turn(&parsed("a"), &|at| next(at + 1));
    assert_eq!(
        client.answer_in_turn(&parsed("z"), &|_| None).to_string(),
        r#"accepted, path "z""#
    );
}

/// Neither side waits for the other for ever where both pipes are full.
#[test]
fn full_pipes_block_nobody() {
    let long = "a".repeat(10_000);
    let client = planted_loop(
        "true",
        &format!(r#"printf '{{"id":%s,"outcome":"rejected","reason":"%s"}}\n' $n {long}"#),
    );
    let row = vec![long.as_str(); 300];
    assert!(in_turn(&client, &row).iter().all(|answer| answer.starts_with("rejected")));
}
