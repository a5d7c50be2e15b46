//! A check reports every fault of an adapter without losing results.

use std::fs;

use serde_json::{Value, json};

use super::{ACCEPTS, REFUSES, VectorFolder, adapter, many, unbroken, verdicts};
use crate::process::{Done, run};

/// Each fault of an adapter costs its own answer, and is named; the others are told.
#[test]
fn an_adapter_may_do_its_worst() {
    let at_a = |fault: &str| format!(r#"case "$line" in *'"input":"a"'*) {fault};; *) reject "$id";; esac"#);
    for (fault, reason) in [
        ("echo no more >&2; exit 3", "ended with exit status: 3: no more"),
        ("kill -KILL $$", "killed by signal 9"),
        ("exec sleep 60", "no answer within 1 s"),
        ("exec 1>&-; exec sleep 60", "closed its output without an answer"),
        ("exec 0<&-; exec sleep 60", "no answer within 1 s"),
        ("echo hm", "no JSON: expected value"),
        (r"printf '\377\n'", "not UTF-8"),
        ("tr '\\0' a </dev/zero", "a line is longer than 67108864 bytes"),
        (r#"reject 7"#, "`id` is 7 in the answer to 2"),
        (r#"echo '{"outcome":"rejected"}'"#, "`id` is missing"),
        (
            r#"echo '{"id":2,"outcome":"agreed"}'"#,
            "`agreed` is none of `accepted`, `rejected`",
        ),
        (
            r#"echo '{"id":2,"outcome":"accepted","uri":"a"}'"#,
            "the answer to `parse` has the key `components`, not `uri`",
        ),
        (
            r#"echo '{"id":2,"outcome":"accepted","components":{"path":7}}'"#,
            "`components.path`: it is integer `7`, and should be a string",
        ),
        (
            r#"echo '{"id":2,"outcome":"accepted","components":{"paht":"a"}}'"#,
            "the key `paht` does not belong there; the keys are `scheme`, `userinfo`",
        ),
        (
            r#"echo '[{"id":2,"outcome":"rejected"}]'"#,
            "a response is a JSON object, not an array",
        ),
        (r#"echo '{"id":2,"error":"what?"}'"#, "took a request for an error"),
    ] {
        let folder = VectorFolder::new();
        let done = folder.check(&at_a(fault), &["--format", "json", "--time-limit", "1"]);
        assert_eq!(done.status, 1, "{fault}: {}{}", done.stdout, done.stderr);
        assert!(
            done.stdout.contains(&reason.replace('"', "\\\"")),
            "{fault}: {reason} is not in {}",
            done.stdout
        );
        let found = verdicts(&done.stdout);
        assert!(found.contains(&("one/a".to_owned(), "diverge".to_owned())), "{found:?}");
        let results: Value = serde_json::from_str(&done.stdout).unwrap();
        assert!(
            results["subjects"][0]["agreed"].as_array().unwrap().contains(&json!("one/percent")),
            "{fault}: {}",
            done.stdout
        );
        assert_eq!(results["subjects"][0]["gate"]["lost"], Value::Null, "{fault}");
    }
}

#[test]
fn an_answer_too_many_is_out_of_step_with_the_next() {
    let folder = VectorFolder::new();
    let done = folder.check(r#"reject "$id"; reject "$id""#, &["--format", "json"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("`id` is 1 in the answer to 2"), "{}", done.stdout);
    let done = folder.check(r#"reject $((id+1)); reject "$id""#, &["--format", "json"]);
    assert!(done.stdout.contains("`id` is 2 in the answer to 1"), "{}", done.stdout);
}

#[test]
fn what_is_given_up_is_lost_and_the_rest_is_told() {
    let folder = VectorFolder::new();
    let done = folder.check(
        r#"if [ "$n" = 2 ]; then echo no more >&2; exit 3; else reject "$id"; fi"#,
        &["--restarts", "0", "--output", "json=out/results.json"],
    );
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains(
            "planted 1 parse was not run on everything: given up after 0 restarts without an answer: ended with exit status: 3: no more"
        ),
        "{}",
        done.stderr
    );
    assert!(
        done.stdout.contains("STOP  planted 1 parse     1 agree     1 fail     0 not compared     3 lost"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("    crash: \"a\"  one/a (must)\n      expected  "),
        "{}",
        done.stdout
    );
    let results: Value = serde_json::from_str(&folder.text("out/results.json")).unwrap();
    assert_eq!(results["subjects"][0]["agreed"], json!(["one/percent"]));
    assert_eq!(results["subjects"][0]["gate"]["verdict"], "broken");
    assert_eq!(
        verdicts(&folder.text("out/results.json")),
        [("one/a".to_owned(), "diverge".to_owned())]
    );
}

#[test]
fn what_never_says_hello_is_no_subject() {
    for (script, expected) in [
        ("exit 1", "did not say hello: ended with exit status: 1"),
        ("echo hello; cat >/dev/null", "no JSON: expected value"),
        (
            r#"echo '{"id":0,"name":"x"}'; cat >/dev/null"#,
            "the key `version` is missing",
        ),
        (
            r#"echo '{"id":0,"name":"x","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":["fetch"]}'; cat >/dev/null"#,
            "`operations[0]`: `fetch` is none of `parse`, `resolve`",
        ),
        (
            r#"echo '{"id":0,"name":"x","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":[],"rules":["URL"]}'; cat >/dev/null"#,
            "`URL` is no rule of Appendix A",
        ),
        (
            r#"echo '{"id":0,"name":"x","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":[],"tells":{"host":"roughly"}}'; cat >/dev/null"#,
            "`roughly` is none of `exact`",
        ),
    ] {
        let folder = VectorFolder::new();
        folder.put("adapter.sh", script);
        let done = folder.run(&["check", "--command", "sh adapter.sh", "--time-limit", "1"]);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{}", done.stderr);
        assert!(done.stderr.contains(expected), "{expected} is not in {}", done.stderr);
        let done = folder.run(&["check", "--command", "sh adapter.sh", "--time-limit", "1", "--probe"]);
        assert_eq!(done.status, 1);
        assert!(
            done.stdout.contains("FAIL  hello") && unbroken(&done.stdout).contains(expected),
            "{}",
            done.stdout
        );
    }
    let folder = VectorFolder::new();
    for (command, expected) in [
        ("", "--command is empty"),
        ("sh 'adapter", "a quote is not closed"),
        ("/nonexistent/adapter", "`adapter` did not say hello: cannot be started"),
    ] {
        let done = folder.run(&["check", "--command", command]);
        assert_eq!(done.status, 2);
        assert!(done.stderr.contains(expected), "{expected} is not in {}", done.stderr);
    }
    folder.put("adapter.sh", &adapter(REFUSES));
    let twice = ["check", "--command", "sh adapter.sh", "--command", "sh ./adapter.sh"];
    let done = folder.run(&twice);
    assert!(
        done.stderr.contains("two commands are both `planted 1 parse`"),
        "{}",
        done.stderr
    );
}

#[test]
fn one_input_goes_through_a_command_too() {
    let folder = VectorFolder::new();
    folder.put("adapter.sh", &adapter(REFUSES));
    let done = folder.run(&[
        "diff",
        "a",
        "--command",
        "sh adapter.sh",
        "--operation",
        "parse",
        "--format",
        "json",
    ]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = diff["subjects"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{}", done.stdout);
    assert_eq!(
        (&rows[0]["subject"], &rows[0]["verdict"]),
        (&json!("planted 1 parse"), &json!("diverge"))
    );
    let both = [
        "diff",
        "a",
        "--command",
        "sh adapter.sh",
        "--subject",
        "reference",
        "--operation",
        "parse",
    ];
    let done = folder.run(&both);
    assert!(
        done.stdout.contains("reference") && done.stdout.contains("planted"),
        "{}",
        done.stdout
    );
}

#[test]
fn an_interruption_tells_what_is_known() {
    let folder = VectorFolder::new();
    // The adapter interrupts who asks it, by the group of processes that it does not belong to.
    let body = r#"if [ "$n" = 2 ]; then kill -INT "$PPID"; sleep 3; fi; reject "$id""#;
    let done = folder.check(body, &["--output", "json=results.json"]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains("was not run on everything: interrupted"),
        "{}",
        done.stderr
    );
    let results: Value = serde_json::from_str(&folder.text("results.json")).unwrap();
    assert_eq!(results["subjects"][0]["agreed"], json!(["one/percent"]));
}

fn with_refusal(vectors: &str) -> String {
    let refused = r#"{"id":"one/percent","input":{"operation":"parse","rule":"URI-reference","input":"%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},"#;
    vectors.replace("\"vectors\":[", &format!("\"vectors\":[{refused}"))
}

#[test]
fn a_check_goes_on_behind_a_row_of_crashes() {
    let folder = VectorFolder::new();
    folder.put("vectors/one.json", &many(&[("good", 10), ("dies", 50), ("more", 10)]));
    let body = format!(r#"case "$line" in *'"input":"dies'*) exit 3;; *) {ACCEPTS};; esac"#);
    let done = folder.check(&body, &["--format", "json"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    let subject = &results["subjects"][0];
    assert_eq!(subject["counts"]["crashed"], 50, "{subject}");
    assert_eq!(subject["counts"]["agree"], 20, "{subject}");
    assert_eq!(subject["gate"]["lost"], Value::Null);

    // One that dies at everything is soon given up, and what is known is printed.
    let done = folder.check("exit 3", &[]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(done.stdout.contains("STOP  planted 1 parse"), "{}", done.stdout);
    assert!(
        done.stderr.contains("given up after 100 restarts without an answer: ended with exit status: 3"),
        "{}",
        done.stderr
    );
    // So is one that dies at everything after it has answered once.
    let body = format!(r#"if [ -e answered ]; then exit 3; fi; touch answered; {ACCEPTS}"#);
    let done = folder.check(&body, &[]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains("given up after 100 restarts without an answer"),
        "{}",
        done.stderr
    );
}

/// A baseline covers the crashes, and what was not put to the subject behind them is no pass.
#[test]
fn a_part_of_a_suite_is_no_pass() {
    let folder = VectorFolder::new();
    let body = r#"case "$line" in
      *'"input":"//'*) echo planted >&2; exit 7;;
      *) reject "$id";; esac; continue; true "#;
    let gate = ["--suite", "core", "--baseline", "b.toml"];
    let written = folder.check(body, &[&gate[..], &["--write-baseline"]].concat());
    assert_eq!(written.status, 0, "{}{}", written.stdout, written.stderr);
    let done = folder.check(body, &gate);
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("suite/parse: 20 inputs of the suite ended the process, and "),
        "{}",
        done.stderr
    );
}

#[test]
fn an_adapter_may_answer_itself_that_the_library_crashed() {
    let folder = VectorFolder::new();
    let body = r#"case "$line" in
      *'"input":"a"'*|*user*) printf '{"id":%s,"outcome":"crashed","reason":"index out of range (uri.c:7)"}\n' "$id";;
      *'"input":"b"'*) printf '{"id":%s,"outcome":"timed-out","reason":"no answer within 2 s"}\n' "$id";;
      *) reject "$id";; esac"#;
    let counting = format!("echo >>starts\n{}", adapter(body));
    folder.put("adapter.sh", &counting);
    let done = folder.run(&["check", "--all", "--vectors", "vectors", "--command", "sh adapter.sh"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("crash: \"a\"  one/a (must)"), "{}", done.stdout);
    assert!(
        done.stdout.contains("got       crashed: index out of range (uri.c:7)"),
        "{}",
        done.stdout
    );
    assert!(done.stdout.contains("hang: \"b\"  one/b (should)"), "{}", done.stdout);
    assert_eq!(folder.text("starts").lines().count(), 1, "the process lives on");
    let done = folder.run(&["check", "--command", "sh adapter.sh", "--probe"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(
        unbroken(&done.stdout)
            .contains("note  parse  crashed: index out of range (uri.c:7); the adapter answers that itself"),
        "{}",
        done.stdout
    );
}

/// Answers with a mebibyte each, in every place where a text can stand.
fn answers_much() -> String {
    adapter(
        r#"case "$line" in
          *[0123]\",\"op\"*) printf '{"id":%s,"outcome":"rejected","reason":"%s"}\n' "$id" "$much";;
          *[456]\",\"op\"*) printf '{"id":%s,"outcome":"accepted","components":{"path":"%s"}}\n' "$id" "$much";;
          *) printf '{"id":%s,"outcome":"unsupported","reason":"%s"}\n' "$id" "$much";; esac"#,
    )
    .replacen(
        "read -r line;",
        "much=$(head -c 1048576 /dev/zero | tr '\\0' x); read -r line;",
        1,
    )
}

/// Runs the program in the folder, where it and what it starts have so much address space each.
fn under_limit(folder: &VectorFolder, mebibytes: usize, arguments: &str) -> Done {
    let program = assert_cmd::cargo::cargo_bin("uriproof");
    let script = format!(
        "ulimit -v {} && exec '{}' {arguments}",
        mebibytes << 10,
        program.display()
    );
    let mut command = assert_cmd::Command::new("sh");
    run(command.args(["-c", &script]).current_dir(folder.path()).env("MALLOC_ARENA_MAX", "1"))
}

#[test]
fn memory_does_not_grow_with_what_an_adapter_says() {
    const LIMIT: usize = 400;
    let folder = VectorFolder::new();
    folder.put("adapter.sh", &answers_much());
    folder.put("vectors/one.json", &with_refusal(&many(&[("x", 400)])));
    let check = "check --vectors vectors --command 'sh adapter.sh'";
    for format in ["json", "human"] {
        let done = under_limit(&folder, LIMIT, &format!("{check} --format {format}"));
        assert_eq!(done.status, 1, "{}", done.stderr);
        if format == "json" {
            let results: Value = serde_json::from_str(&done.stdout).unwrap();
            let reasons = results["vectors"].to_string();
            assert!(reasons.contains(" bytes left out...xxx"), "what is left out is counted");
        }
    }
    let lines: String = (0..400).map(|number| format!("http://a/{number}\n")).collect();
    folder.put("urls.txt", &lines);
    let done = under_limit(&folder, LIMIT, &format!("{check} --corpus urls.txt --format json"));
    assert_eq!(done.status, 1, "{}", done.stderr);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert!(results["diverging"].as_array().unwrap().len() > 200);
    assert_eq!(results["lines"], 400);
}

#[test]
fn a_line_that_is_too_long_is_left_out_and_counted() {
    let folder = VectorFolder::new();
    let most = "a".repeat(1 << 20);
    // A gigabyte in one line, which takes no room on the disk.
    folder.put("urls.txt", &format!("{most}\n{most}a\n"));
    let file = fs::OpenOptions::new().append(true).open(folder.path().join("urls.txt")).unwrap();
    file.set_len(file.metadata().unwrap().len() + (1 << 30)).unwrap();
    let done = under_limit(&folder, 400, "check --subject reference --corpus urls.txt");
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("1 lines"), "{}", done.stdout);
    assert!(done.stdout.contains("STOP  reference"), "{}", done.stdout);
    assert!(
        done.stdout.contains("\n2 lines longer than 1048576 bytes left out, the first is line 2\n"),
        "{}",
        done.stdout
    );
    assert!(
        done.stderr.contains(
            "not everything was run: 2 lines are longer than 1048576 bytes and were left out, the first is urls.txt:2"
        ),
        "{}",
        done.stderr
    );
}
