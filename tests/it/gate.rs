//! The gate as a process: baselines that are wrong or stale, adapters with every fault there is, every format. Nothing is lost: what
//! did run is told.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::process::{Done, program, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof::gate::{Conclusion, Gate};
use uriproof::model::{Declaration, Level, Observed, Operation, Outcome, Reading, Rule, Subject};
use uriproof::protocol::client::{Client, Limits};
use uriproof::vectors::Library;

const CLAUSES: &str = r#"{"uriproof":1,"clauses":[
{"id":"§3/a","section":"3","quote":"words of 3","level":"must","binds":["grammar"]},
{"id":"§4/b","section":"4","quote":"words of 4","level":"must","binds":["grammar"]}]}"#;

/// A vector a line: `%` is refused, `a` and `b` are accepted, a form is asked for that the planted subjects do not have, and `http`
/// has something to ask.
const VECTORS: &str = r#"{"uriproof":1,"title":"t","section":"3","vectors":[
{"id":"one/percent","input":{"operation":"parse","rule":"URI-reference","input":"%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},
{"id":"one/a","input":{"operation":"parse","rule":"URI-reference","input":"a"},"expect":{"rfc3986":{"outcome":"accepted","components":{"scheme":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":"a","query":null,"fragment":null}}},"level":"must","clauses":["§3/a"],"note":"a | note"},
{"id":"one/b","input":{"operation":"parse","rule":"URI-reference","input":"b"},"expect":{"rfc3986":{"outcome":"accepted","components":{"scheme":null,"userinfo":null,"host":null,"host_kind":null,"port":null,"path":"b","query":null,"fragment":null}}},"level":"should","clauses":["§4/b"]},
{"id":"one/http","input":{"operation":"parse","rule":"URI-reference","input":"http://h/%"},"expect":{"rfc3986":{"outcome":"rejected"}},"level":"must","clauses":["§3/a"]},
{"id":"one/normal","input":{"operation":"normalize","uri":"a:","scope":"syntax"},"expect":{"rfc3986":{"outcome":"accepted","uri":"a:"}},"level":"must","clauses":["§3/a"]}
]}"#;

/// A folder with the vectors, in which files can be put.
struct VectorFolder(TempDir);

impl VectorFolder {
    fn new() -> VectorFolder {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("vectors")).unwrap();
        fs::write(folder.path().join("vectors/clauses.json"), CLAUSES).unwrap();
        fs::write(folder.path().join("vectors/one.json"), VECTORS).unwrap();
        VectorFolder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Runs the program in the folder.
    fn run(&self, arguments: &[&str]) -> Done {
        run(program().current_dir(self.path()).args(arguments))
    }

    /// Checks a planted adapter, whose answer to each request is `body`, a shell script.
    fn check(&self, body: &str, arguments: &[&str]) -> Done {
        self.put("adapter.sh", &adapter(body));
        let first = ["check", "--vectors", "vectors", "--command", "sh adapter.sh"];
        self.run(&[&first[..], arguments].concat())
    }
}

/// Says hello, and runs `body` for each request: `$id` is its number, `$line` its text, `$n` how many there were.
fn adapter(body: &str) -> String {
    format!(
        r#"hello() {{ printf '%s\n' '{{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["parse"]}}'; }}
reject() {{ printf '{{"id":%s,"outcome":"rejected"}}\n' "$1"; }}
accept() {{ printf '{{"id":%s,"outcome":"accepted","components":{{"path":"%s"}}}}\n' "$1" "$2"; }}
read -r line; hello; n=0
while IFS= read -r line; do
  id="${{line#*\"id\":}}"; id="${{id%%,*}}"; n=$((n+1))
  {body}
done
"#
    )
}

/// Refuses everything: `one/a` and `one/b` fail.
const REFUSES: &str = r#"reject "$id""#;

/// Takes `a`, refuses the rest: only `one/b` fails.
const TAKES_A: &str = r#"case "$line" in *'"input":"a"'*) accept "$id" a;; *) reject "$id";; esac"#;

const HEAD: &str = "uriproof = 1\nsubject = \"planted\"\ncompares = 4\n";

fn entry(lines: &str) -> String {
    format!("{HEAD}\n[[entry]]\nkind = \"bug\"\nreason = \"so\"\n[entry.vectors]\n{lines}\n")
}

/// The verdicts on vectors, by id, of results as JSON.
fn verdicts(text: &str) -> Vec<(String, String)> {
    let results: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let listed = results["vectors"].as_array().unwrap().iter();
    listed
        .map(|one| {
            (
                one["id"].as_str().unwrap().to_owned(),
                one["verdict"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

#[test]
fn from_nothing_to_green() {
    let folder = VectorFolder::new();
    let done = folder.check(REFUSES, &[]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    for expected in [
        "--baseline uriproof.toml --write-baseline",
        "FAIL  planted 1 parse     2 agree     2 diverge     1 not compared",
        "§3/a  words of 3\n    rejected-valid: \"a\"  one/a (must)\n      expected  accepted\n      got       rejected\n      note      a | note\n",
        "again     uriproof check --command 'sh adapter.sh' --vectors vectors --only 'one/a'",
        "   1 not compared: no operation `normalize`",
    ] {
        assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
    }
    let done = folder.check(REFUSES, &["--baseline", "b.toml"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("b.toml is not there; --write-baseline makes it"),
        "{}",
        done.stderr
    );

    let done = folder.check(REFUSES, &["--baseline", "b.toml", "--write-baseline"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("2 lines added, 0 changed, 0 deleted"),
        "{}",
        done.stdout
    );
    assert!(
        done.stderr.contains("2 entries of b.toml are `unexplained`"),
        "{}",
        done.stderr
    );
    let text = folder.text("b.toml");
    assert!(text.contains("compares = 4\n"), "{text}");
    assert!(
        text.contains("[[entry]] # rejected-valid, §3/a: words of 3\nkind = \"unexplained\"\nreason = \"\"\n[entry.vectors]\n\"one/a\" = 'rejected'\n"),
        "{text}"
    );
    let done = folder.check(REFUSES, &["--baseline", "b.toml"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(done.stdout.contains("pass  planted"), "{}", done.stdout);
    assert!(done.stdout.contains("   2 known"), "{}", done.stdout);
    assert!(
        done.stdout.contains("2 lines of the baseline are `unexplained`"),
        "{}",
        done.stdout
    );
}

#[test]
fn a_baseline_is_two_way() {
    let both = "\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'";
    for (body, baseline, arguments, status, expected) in [
        (REFUSES, entry(both), &[][..], 0, "pass  planted"),
        // A new failure.
        (REFUSES, entry("\"one/a\" = 'rejected'"), &[], 1, "§4/b  words of 4"),
        // One that no longer fails.
        (
            TAKES_A,
            entry(both),
            &[],
            1,
            "b.toml:9: `one/a` agrees: delete this line",
        ),
        // A changed outcome.
        (
            r#"case "$line" in *'"input":"a"'*) accept "$id" x;; *) reject "$id";; esac"#,
            entry(both),
            &[],
            1,
            "b.toml:9 says `rejected`; now it is `path \"x\"`: change that line",
        ),
        // What never ran.
        (
            REFUSES,
            entry(&format!("{both}\n\"one/normal\" = 'rejected'")),
            &[],
            1,
            "b.toml:11: `one/normal` was not compared (no operation `normalize`): delete this line",
        ),
        (
            REFUSES,
            entry(both),
            &["--level", "must"],
            1,
            "b.toml:10: `one/b` was not run (of level should): delete this line",
        ),
        // Less was compared than there was.
        (
            REFUSES,
            entry(both).replace("compares = 4", "compares = 5"),
            &[],
            1,
            "b.toml:3: 4 vectors were compared, and there were 5",
        ),
        // Patterns.
        (REFUSES, entry("\"one/?\" = 'rejected-valid'"), &[], 0, "pass  planted"),
        (REFUSES, entry("\"one/?\" = 'rejected'"), &[], 0, "pass  planted"),
        (
            REFUSES,
            entry("\"one/?\" = 'accepted-invalid'"),
            &[],
            1,
            "says `accepted-invalid`",
        ),
        (
            REFUSES,
            entry(&format!("{both}\n\"two/*\" = 'rejected'")),
            &[],
            1,
            "b.toml:11: `two/*` matches no vector",
        ),
        (
            REFUSES,
            entry("\"one/*\" = 'rejected'"),
            &[],
            1,
            "b.toml:9: of the 5 vectors that `one/*` matches 3 do not fail: `one/percent` agrees",
        ),
        // What has expired.
        (
            REFUSES,
            entry(both).replace("reason", "until = \"2020-02-29\"\nreason"),
            &[],
            1,
            "b.toml:7: expired on 2020-02-29",
        ),
        (
            REFUSES,
            entry(both).replace("reason", "until = \"9999-12-31\"\nreason"),
            &[],
            0,
            "pass  planted",
        ),
        // What is not selected stands aside.
        (TAKES_A, entry(both), &["--only", "one/b"], 0, "pass  planted"),
    ] {
        let folder = VectorFolder::new();
        folder.put("b.toml", &baseline);
        let done = folder.check(body, &[&["--baseline", "b.toml"], arguments].concat());
        assert_eq!(done.status, status, "{expected}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
    }
}

#[test]
fn a_baseline_that_cannot_be_read_is_named_with_its_line() {
    for (baseline, expected) in [
        (
            entry("\"one/c\" = 'rejected'"),
            "b.toml:9: no vector `one/c`, perhaps `one/b` is meant",
        ),
        (
            entry("\"one/a\" = 'rejected'\n\"one/a\" = 'rejected'"),
            "b.toml:10: `one/a` stands in line 9 already",
        ),
        (entry("\"one/a\" = rejected"), "b.toml:9: no TOML: "),
        (
            entry("\"one/a\" = 'rejected'").replace("bug", "typo"),
            "b.toml:6: `kind` is one of bug",
        ),
        (
            entry("\"one/a\" = 'rejected'").replace("planted", "other"),
            "b.toml:2: the baseline is about `other`, and `planted` is checked",
        ),
    ] {
        let folder = VectorFolder::new();
        folder.put("b.toml", &baseline);
        let done = folder.check(REFUSES, &["--baseline", "b.toml"]);
        assert_eq!((done.status, &*done.stdout), (2, ""), "{}", done.stderr);
        assert!(done.stderr.contains(expected), "{expected} is not in {}", done.stderr);
    }
    let folder = VectorFolder::new();
    let done = folder.run(&[
        "check",
        "--baseline",
        "b.toml",
        "--subject",
        "url",
        "--subject",
        "oxiri",
    ]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("a baseline is about one subject, and 3 are selected"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_baseline_is_written_anew_and_keeps_what_stands() {
    let folder = VectorFolder::new();
    let before = format!(
        "# mine\n{HEAD}\n[[entry]] # first\nkind = \"bug\"\nreason = \"so\"\n[entry.vectors]\n\"one/a\" = 'rejected'\n\n\
         # second\n[[entry]]\nkind = \"by-design\"\nreason = \"we like it\"\n[entry.vectors]\n\"one/b\" = 'accepted' # why\n"
    );
    folder.put("b.toml", &before);
    let done = folder.check(TAKES_A, &["--baseline", "b.toml", "--write-baseline"]);
    assert!(
        done.stdout.contains("0 lines added, 1 changed, 1 deleted"),
        "{}{}",
        done.stdout,
        done.stderr
    );
    let expected = format!(
        "# mine\n{HEAD}\n# second\n[[entry]]\nkind = \"by-design\"\nreason = \"we like it\"\n[entry.vectors]\n\"one/b\" = 'rejected' # why\n"
    );
    assert_eq!(folder.text("b.toml"), expected);
    let done = folder.check(TAKES_A, &["--baseline", "b.toml", "--write-baseline"]);
    assert_eq!((done.status, folder.text("b.toml")), (0, expected));

    // A pattern that no longer fits gives way to what it matched, and the reason stays.
    folder.put("b.toml", &entry("\"one/*\" = 'rejected'"));
    folder.check(REFUSES, &["--baseline", "b.toml", "--write-baseline"]);
    assert_eq!(
        folder.text("b.toml"),
        entry("\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'")
    );

    // What dies half-way writes no baseline.
    let done = folder.check(
        "exit 1",
        &["--baseline", "b.toml", "--write-baseline", "--restarts", "0"],
    );
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("b.toml is not written"), "{}", done.stderr);
    assert_eq!(
        folder.text("b.toml"),
        entry("\"one/a\" = 'rejected'\n\"one/b\" = 'rejected'")
    );
}

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
        (r#"echo '{"id":2,"outcome":"agreed"}'"#, "unknown variant `agreed`"),
        (
            r#"echo '{"id":2,"outcome":"accepted","uri":"a"}'"#,
            "that is no answer to `parse`",
        ),
        (
            r#"echo '{"id":2,"outcome":"accepted","components":{"path":7}}'"#,
            "invalid type: integer `7`",
        ),
        (
            r#"echo '{"id":2,"outcome":"accepted","components":{"paht":"a"}}'"#,
            "unknown field `paht`",
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
        done.stdout.contains("STOP  planted 1 parse     1 agree     1 diverge     0 not compared     3 lost"),
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
            "missing field `version`",
        ),
        (
            r#"echo '{"id":0,"name":"x","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":["fetch"]}'; cat >/dev/null"#,
            "unknown variant `fetch`",
        ),
        (
            r#"echo '{"id":0,"name":"x","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":[],"rules":["URL"]}'; cat >/dev/null"#,
            "`URL` is no rule of Appendix A",
        ),
        (
            r#"echo '{"id":0,"name":"x","version":"1","entry_point":"p","language":"sh","specification":"RFC 3986","operations":[],"tells":{"host":"roughly"}}'; cat >/dev/null"#,
            "unknown variant `roughly`",
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
            done.stdout.contains("FAIL  hello") && done.stdout.contains(expected),
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
fn nothing_compared_is_no_pass() {
    let folder = VectorFolder::new();
    let done = folder.check(REFUSES, &["--only", "one/normal"]);
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(done.stdout.contains("none  planted"), "{}", done.stdout);
    let unsupported = r#"printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id""#;
    let done = folder.check(unsupported, &[]);
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("   4 not compared: later"), "{}", done.stdout);
}

#[test]
fn a_library_is_asked_what_it_claims() {
    let folder = VectorFolder::new();
    let done = folder.check(REFUSES, &["--specification", "http"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains("   1 agree     0 diverge     0 not compared     1 not run     3 survived only"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("   3 survived only: not an `http` or `https` URI"),
        "{}",
        done.stdout
    );
    // As a parser of URIs it is right to refuse relative references.
    let done = folder.check(REFUSES, &["--specification", "uri"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    let done = folder.check(REFUSES, &["--level", "should", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["subjects"][0]["gate"]["not_run"], 4);
    let done = folder.check(REFUSES, &["--specification", "url"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("there are URI, URI-reference, absolute-URI, http, IRI"),
        "{}",
        done.stderr
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one run, and assertions for each format")]
fn every_format_says_the_same() {
    let folder = VectorFolder::new();
    folder.put("b.toml", &entry("\"one/a\" = 'rejected'\n\"one/http\" = 'accepted'"));
    let names = ["junit", "sarif", "tap", "github", "markdown", "badge", "json", "human"];
    let outputs: Vec<String> = names.iter().map(|name| format!("{name}=out/{name}")).collect();
    let outputs: Vec<&str> = outputs.iter().flat_map(|output| ["--output", output]).collect();
    let done = folder.check(REFUSES, &[&["--baseline", "b.toml"], &outputs[..]].concat());
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_eq!(folder.text("out/human"), done.stdout);
    for (name, expected) in [
        (
            "junit",
            r#"<testsuite name="planted 1 parse" tests="6" skipped="2" errors="0" failures="2">"#,
        ),
        (
            "junit",
            r#"<failure message="&quot;b&quot;: expected accepted, got rejected" type="rejected-valid">"#,
        ),
        ("junit", r#"<skipped message="known, bug: so"/>"#),
        ("junit", r#"<property name="severity" value="rejected-valid"/>"#),
        ("junit", "severity  rejected-valid\ninput     &quot;b&quot;\n"),
        ("tap", "  severity: \"rejected-valid\"\n  input: "),
        ("markdown", "| rejected-valid | one/b | `\"b\"` |"),
        ("human", "    rejected-valid: \"b\"  one/b (should)\n"),
        (
            "tap",
            "TAP version 14\n1..6\nok 1 - planted 1 parse: one/percent\nnot ok 2 - planted 1 parse: one/a # TODO bug: so\n",
        ),
        (
            "tap",
            "ok 5 - planted 1 parse: one/normal # SKIP not compared: no operation `normalize`\n",
        ),
        ("tap", "not ok 6 - planted 1 parse: b.toml:10\n"),
        (
            "github",
            "::error title=one/b%3A rejected-valid::\"b\": expected accepted, got rejected%0A§4/b",
        ),
        (
            "github",
            "::error file=b.toml,line=10,title=baseline::`one/http` agrees: delete this line\n",
        ),
        ("markdown", "| **FAIL** | planted 1 parse | 2 | 1 | 1 | 1 | 0 |"),
        (
            "markdown",
            "### [§4/b](https://www.rfc-editor.org/rfc/rfc3986#section-4)\n\n> words of 4\n",
        ),
        ("badge", r#""message":"2 of 4 vectors""#),
        ("badge", r#""color":"red""#),
    ] {
        let text = folder.text(&format!("out/{name}"));
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    let results: Value = serde_json::from_str(&folder.text("out/json")).unwrap();
    let gate = &results["subjects"][0]["gate"];
    assert_eq!((&gate["fail"], &gate["known"]), (&json!(["one/b"]), &json!(["one/a"])));
    assert_eq!(gate["problems"][0]["line"], 10);
    let failing = results["vectors"].as_array().unwrap().iter().filter(|one| one["verdict"] == "diverge");
    assert_eq!(
        failing.map(|one| &one["severity"]).collect::<Vec<_>>(),
        ["rejected-valid"; 2]
    );

    let sarif: Value = serde_json::from_str(&folder.text("out/sarif")).unwrap();
    // As OASIS has published it: a bracket of this expression is not opened.
    let schema = include_str!("sarif-2.1.0.schema.json").replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let problems: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&sarif)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{problems:?}");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of = |id: &str| results.iter().find(|one| one["partialFingerprints"]["vector/v1"] == id).unwrap();
    assert_eq!(of("one/b")["level"], "warning");
    assert_eq!(of("one/b")["properties"]["severity"], "rejected-valid");
    assert_eq!(of("one/a")["suppressions"][0]["justification"], "bug: so");
}

#[test]
fn annotations_are_ten_at_most_the_worst_first() {
    let folder = VectorFolder::new();
    let done = folder.run(&["check", "--subject", "url", "--format", "github", "--only", "syntax/*"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 10, "{}", done.stdout);
    assert!(lines[0].contains("%3A host%2C other-components::"), "{}", lines[0]);
    assert!(lines[9].contains(" more, which the log shows"), "{}", lines[9]);
}

/// Vectors whose answers are wrong in ever worse ways, in the order of the file.
const WORSE: &str = r#"{"uriproof":1,"title":"t","section":"3","vectors":[
{"id":"one/valid","input":{"operation":"resolve","base":"a:","reference":"b","strict":true},"expect":{"rfc3986":{"outcome":"accepted","uri":"a:b"}},"level":"must","clauses":["§3/a"]},
{"id":"one/path","input":{"operation":"resolve","base":"a:","reference":"c","strict":true},"expect":{"rfc3986":{"outcome":"accepted","uri":"a:c"}},"level":"must","clauses":["§3/a"]},
{"id":"one/crash","input":{"operation":"resolve","base":"a:","reference":"d","strict":true},"expect":{"rfc3986":{"outcome":"accepted","uri":"a:d"}},"level":"may","clauses":["§3/a"]},
{"id":"one/host","input":{"operation":"resolve","base":"a:","reference":"e","strict":true},"expect":{"rfc3986":{"outcome":"accepted","uri":"a:e"}},"level":"should","clauses":["§4/b"]},
{"id":"one/leak","input":{"operation":"resolve","base":"http://u:p@good/","reference":"//evil/x","strict":true},"expect":{"rfc3986":{"outcome":"accepted","uri":"http://evil/x"}},"level":"may","clauses":["§4/b"]}
]}"#;

const ANSWERS_WORSE: &str = r#"uri() { printf '{"id":%s,"outcome":"accepted","uri":"%s"}\n' "$id" "$1"; }
case "$line" in
  *'"reference":"b"'*) reject "$id";;
  *'"reference":"c"'*) uri a:x;;
  *'"reference":"d"'*) exit 3;;
  *'"reference":"e"'*) uri a://evil;;
  *) uri http://u:p@evil/x;;
esac"#;

#[test]
fn the_worst_failures_come_first() {
    let folder = VectorFolder::new();
    folder.put("vectors/one.json", WORSE);
    folder.put(
        "adapter.sh",
        &adapter(ANSWERS_WORSE).replace(r#"["parse"]"#, r#"["resolve"]"#),
    );
    let outputs = ["github", "markdown", "sarif"].map(|name| format!("{name}=out/{name}"));
    let outputs: Vec<&str> = outputs.iter().flat_map(|output| ["--output", output]).collect();
    let first = ["check", "--vectors", "vectors", "--command", "sh adapter.sh"];
    let done = folder.run(&[&first[..], &outputs].concat());
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let in_order = |text: &str, words: &[&str]| {
        let places: Vec<usize> =
            words.iter().map(|word| text.find(word).unwrap_or_else(|| panic!("{word} is not in {text}"))).collect();
        assert!(places.is_sorted(), "{words:?} are at {places:?} in {text}");
    };
    in_order(
        &done.stdout,
        &[
            "\n  §4/b",
            "credentials: \"http://u:p@good/\" + \"//evil/x\"  one/leak (may)",
            "host: \"a:\" + \"e\"  one/host (should)",
            "\n  §3/a",
            "crash: \"a:\" + \"d\"",
            "path: \"a:\" + \"c\"",
            "rejected-valid: \"a:\" + \"b\"",
        ],
    );
    in_order(
        &folder.text("out/github"),
        &[
            "one/leak%3A credentials%2C other-uri::",
            "one/host%3A host%2C other-uri::",
            "one/crash%3A crash%2C crashed::",
            "one/path%3A path%2C other-uri::",
            "one/valid%3A rejected-valid::",
        ],
    );
    in_order(
        &folder.text("out/markdown"),
        &[
            "| credentials |",
            "| host |",
            "| crash |",
            "| path |",
            "| rejected-valid |",
        ],
    );
    let sarif: Value = serde_json::from_str(&folder.text("out/sarif")).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let scores: Vec<_> = rules.iter().map(|rule| (&rule["id"], &rule["properties"]["security-severity"])).collect();
    assert_eq!(
        scores,
        [(&json!("§3/a"), &json!("7.5")), (&json!("§4/b"), &json!("9.5"))]
    );
}

#[test]
fn a_probe_finds_what_breaks_the_protocol() {
    let folder = VectorFolder::new();
    let probe = |body: &str| {
        folder.put("adapter.sh", &adapter(body));
        folder.run(&["check", "--command", "sh adapter.sh", "--probe", "--time-limit", "5"])
    };
    let done =
        probe(r#"case "$line" in *'"input":"http'*|*'"input":"a:/b"'*) accept "$id" a;; *) reject "$id";; esac"#);
    assert_eq!(done.status, 0, "{}", done.stdout);
    for check in [
        "hello",
        "parse",
        "null",
        "order",
        "control characters",
        "beyond the BMP",
        "a mebibyte",
        "restarts",
    ] {
        assert!(
            done.stdout.contains(&format!("ok    {check}  ")),
            "{check}: {}",
            done.stdout
        );
    }
    assert!(
        done.stdout.contains("note  components  not reported, and not compared: scheme"),
        "{}",
        done.stdout
    );
    let missing = r#"case "$line" in *'"input":"a:/b"'*) accept "$id" b;; *) printf '{"id":%s,"outcome":"accepted","components":{"path":"a","query":"c"}}\n' "$id";; esac"#;
    let done = probe(missing);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("FAIL  null  query are reported of"),
        "{}",
        done.stdout
    );
    // Two answers are held back, and come in another order.
    let swapped = r#"if [ "$n" -gt 10 ] && [ $((n%2)) = 1 ]; then held=$id; elif [ "$n" -gt 10 ]; then reject "$id"; reject "$held"; else accept "$id" a; fi"#;
    let done = probe(swapped);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("FAIL  order  broke the protocol: `id` is"),
        "{}",
        done.stdout
    );
    // Strings that are cut at a control character.
    let done = probe(r#"case "$line" in *u0000*) exit 1;; *) reject "$id";; esac"#);
    assert!(
        done.stdout.contains("FAIL  control characters  crashed: ended with exit status: 1"),
        "{}",
        done.stdout
    );
}

#[test]
fn what_changed_between_two_results_is_told() {
    let folder = VectorFolder::new();
    folder.check(REFUSES, &["--output", "json=old.json"]);
    folder.check(TAKES_A, &["--output", "json=new.json"]);
    let done = folder.run(&["regress", "old.json", "new.json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.starts_with("0 worse, 1 better, 0 otherwise\n"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("    old  rejected-valid: rejected\n    new  agrees\n"),
        "{}",
        done.stdout
    );
    let done = folder.run(&["regress", "new.json", "old.json", "--format", "json"]);
    assert_eq!(done.status, 1);
    let regress: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(regress["changed"][0]["change"], "worse");
    assert_eq!(regress["changed"][0]["new"]["kind"], "rejected-valid");
    // What is compared no more is worse than what agreed.
    let unsupported = r#"case "$line" in *'"input":"a"'*) printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id";; *) reject "$id";; esac"#;
    folder.check(unsupported, &["--output", "json=less.json"]);
    let done = folder.run(&["regress", "new.json", "less.json"]);
    assert_eq!(done.status, 1);
    assert!(
        done.stdout.contains("    old  agrees\n    new  not compared\n"),
        "{}",
        done.stdout
    );

    folder.put("bad.json", "{\"uriproof\": 1,\n \"reading\": 7}");
    let done = folder.run(&["regress", "bad.json", "new.json"]);
    assert_eq!((done.status, &*done.stdout), (2, ""));
    assert!(done.stderr.contains("bad.json:2:13: no results"), "{}", done.stderr);
    folder.put("other.json", &folder.text("new.json").replace("planted", "other"));
    let done = folder.run(&["regress", "old.json", "other.json"]);
    assert!(
        done.stderr.contains("the two have no subject in common"),
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
fn a_corpus_is_asked_line_by_line() {
    let folder = VectorFolder::new();
    folder.put("urls.txt", "http://a/b\r\n\nhttp://a/[\n%zz\n");
    let corpus = |subject: &str, file: &str, format: &str| {
        folder.run(&["check", "--subject", subject, "--corpus", file, "--format", format])
    };
    let done = corpus("reference", "urls.txt", "human");
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("3 lines"), "{}", done.stdout);
    let done = corpus("urlparse", "urls.txt", "json");
    assert_eq!(done.status, 1, "{}", done.stderr);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = results["diverging"].as_array().unwrap();
    let lines: Vec<u64> = rows.iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert!(
        lines.contains(&3) && lines.contains(&4) && !lines.contains(&1),
        "{lines:?}"
    );
    assert!(rows.iter().all(|one| one["severity"].is_string()), "{rows:?}");
    fs::write(folder.path().join("bad.txt"), b"a\n\xff\n").unwrap();
    let done = corpus("reference", "bad.txt", "human");
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("bad.txt:2: not UTF-8"), "{}", done.stderr);
    folder.put("empty.txt", "\n");
    assert!(corpus("reference", "empty.txt", "human").stderr.contains("has no line"));
    assert!(corpus("reference", "none.txt", "human").stderr.contains("none.txt cannot be read"));
}

#[test]
fn a_corpus_is_grouped_by_class_the_worst_first() {
    let folder = VectorFolder::new();
    // Refused though valid, many times; taken though invalid; and a path that is another, of ever shorter lines.
    let lines = ["r/1", "r/2", "r/3", "r/4", "%zz", "path/long", "path/x", "path/y"];
    folder.put("urls.txt", &lines.map(|line| format!("{line}\n")).concat());
    let body = r#"case "$line" in
      *'%zz'*) accept "$id" x;;
      *'path'*) accept "$id" x;;
      *) reject "$id";; esac"#;
    let done = folder.check(body, &["--corpus", "urls.txt"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let expected = "\nplanted 1 parse: 3 classes

  path: parse other-components path, 3 lines
    line 7     \"path/x\"
    expected   path \"path/x\"
    got        path \"x\"
    again      uriproof diff --operation parse --command 'sh adapter.sh' path/x

  accepted-invalid: parse accepted-invalid does not match pct-encoded, 1 line
    line 5     \"%zz\"
    expected   rejected at byte 1: does not match pct-encoded
    got        accepted, path \"x\"
    again      uriproof diff --operation parse --command 'sh adapter.sh' '%zz'
";
    assert!(done.stdout.contains(expected), "{}", done.stdout);
    assert!(
        done.stdout.contains("\n  rejected-valid: parse rejected-valid, 4 lines\n    line 1 "),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.ends_with("\n--all prints every line that differs\n"),
        "{}",
        done.stdout
    );

    let every = folder.check(body, &["--corpus", "urls.txt", "--all"]).stdout;
    assert_eq!(every.matches("\nline ").count(), 7, "{every}");
    // Each line that differs comes before the classes.
    assert!(
        every.starts_with("line 1  planted 1 parse  parse \"r/1\"\n  rejected-valid: rejected-valid\n"),
        "{every}"
    );
    assert!(
        every.contains("\nline 6  planted 1 parse  parse \"path/long\"\n  path: other-components\n"),
        "{every}"
    );

    let done = folder.check(body, &["--corpus", "urls.txt", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["diverging"].as_array().unwrap().len(), 8);
    let classes = results["classes"].as_array().unwrap();
    let severities: Vec<&Value> = classes.iter().map(|class| &class["severity"]).collect();
    assert_eq!(severities, ["path", "accepted-invalid", "rejected-valid"]);
    assert_eq!((&classes[0]["lines"], &classes[0]["line"]), (&json!(3), &json!(7)));

    // The command shows it, whatever the line holds.
    folder.put("odd.txt", "-path\t3'\n");
    let done = folder.check(body, &["--corpus", "odd.txt", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    let command = results["classes"][0]["command"].as_str().unwrap();
    assert!(command.ends_with(r"-- $'-path\0113\''"), "{command}");
    let words = shell_words(command);
    let again = folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(again.status, 1, "{}{}", again.stdout, again.stderr);
    assert!(again.stdout.contains(r#""-path\t3'""#), "{}", again.stdout);
}

/// The arguments of a command line, as bash reads them.
fn shell_words(command: &str) -> Vec<String> {
    let script = format!("for word in {command}; do printf '%s\\0' \"$word\"; done");
    let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
    let words = String::from_utf8(output.stdout).unwrap();
    words.split_terminator('\0').skip(1).map(str::to_owned).collect()
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

/// Vectors that accept the inputs `first0`, `first1`, … of each of these kinds, in this order.
fn many(kinds: &[(&str, usize)]) -> String {
    let vectors = kinds.iter().flat_map(|(kind, count)| {
        (0..*count).map(move |number| {
            json!({
                "id": format!("one/{kind}-{number}"),
                "input": {"operation": "parse", "rule": "URI-reference", "input": format!("{kind}{number}")},
                "expect": {"rfc3986": {"outcome": "accepted", "components": {
                    "scheme": null, "userinfo": null, "host": null, "host_kind": null, "port": null,
                    "path": format!("{kind}{number}"), "query": null, "fragment": null
                }}},
                "level": "must",
                "clauses": ["§3/a", "§4/b"],
            })
        })
    });
    let vectors: Vec<Value> = vectors.collect();
    json!({"uriproof": 1, "title": "t", "section": "3", "vectors": vectors}).to_string()
}

/// Accepts an input as its path.
const ACCEPTS: &str = r#"text="${line#*\"input\":\"}"; text="${text%%\"*}"; accept "$id" "$text""#;

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

/// Refuses `b` straight after `a`: it keeps something from one call to the next.
const LEAKS: &str = r#"case "$line" in
  *'"input":"a"'*) accept "$id" a; last=a; continue;;
  *'"input":"b"'*) if [ "$last" = a ]; then reject "$id"; else accept "$id" b; fi;;
  *) reject "$id";; esac; last="#;

#[test]
fn what_does_not_repeat_is_a_failure_of_its_own_in_every_format() {
    let folder = VectorFolder::new();
    let names = ["junit", "sarif", "tap", "github", "markdown", "badge", "json"];
    let outputs: Vec<String> = names.iter().map(|name| format!("{name}=out/{name}")).collect();
    let outputs: Vec<&str> = outputs.iter().flat_map(|output| ["--output", output]).collect();
    let done = folder.check(LEAKS, &outputs);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let expected = "rejected-valid: \"b\"  one/b (should)\n      expected  accepted\n      got       rejected\n      \
                    first     rejected\n      again     accepted, path \"b\"\n      \
                    anew      accepted, path \"b\", as the first call of a new process\n      \
                    sequence  2 calls in a new process show it\n                parse \"a\"\n                parse \"b\"\n";
    assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
    assert!(done.stdout.contains("\n  does not repeat  "), "{}", done.stdout);
    assert!(
        done.stdout.contains("     1 diverge     1 not compared     1 do not repeat"),
        "{}",
        done.stdout
    );
    for (name, expected) in [
        ("junit", r#"type="does-not-repeat""#),
        ("junit", "sequence  2 calls in a new process show it"),
        ("tap", "  does-not-repeat: \"first     rejected\\nagain     accepted"),
        (
            "github",
            "::error title=one/b%3A rejected-valid%2C does-not-repeat::\"b\": expected accepted, got rejected, and then accepted, path \"b\": does not repeat%0Afirst ",
        ),
        (
            "markdown",
            "| rejected-valid | one/b | `\"b\"` | `accepted` | `rejected, and then accepted, path \"b\": does not repeat` |",
        ),
        ("markdown", "sequence  2 calls in a new process show it"),
        ("sarif", "\"kind\": \"does-not-repeat\""),
        ("badge", r#""color":"red""#),
    ] {
        let text = folder.text(&format!("out/{name}"));
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    let results: Value = serde_json::from_str(&folder.text("out/json")).unwrap();
    assert_eq!(results["subjects"][0]["gate"]["unrepeated"], json!(["one/b"]));
    assert_eq!(results["subjects"][0]["gate"]["fail"], json!(["one/b"]));
    let vectors = results["vectors"].as_array().unwrap();
    let one = vectors.iter().find(|one| one["id"] == "one/b").unwrap();
    assert_eq!(one["kind"], "does-not-repeat");
    assert_eq!(one["unrepeated"]["sequence"].as_array().unwrap().len(), 2);
    assert_eq!(one["unrepeated"]["again"]["outcome"], "accepted");

    // No baseline excuses it, and none is written.
    folder.put("b.toml", &entry("\"one/b\" = 'rejected'"));
    let done = folder.check(LEAKS, &["--baseline", "b.toml"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("FAIL  planted"), "{}", done.stdout);
    for file in ["b.toml", "new.toml"] {
        let done = folder.check(LEAKS, &["--baseline", file, "--write-baseline"]);
        assert_eq!(done.status, 2, "{}", done.stdout);
        let expected = format!("{file} is not written: answers do not repeat, which no baseline can excuse: one/b\n");
        assert!(done.stderr.contains(&expected), "{}", done.stderr);
    }
    assert_eq!(folder.text("b.toml"), entry("\"one/b\" = 'rejected'"));
    assert!(!folder.path().join("new.toml").exists());
}

/// Keeps the userinfo of the first URI that has one, and puts it in every later answer that has none. Rejects `r` and `//w@r`.
const KEEPS: &str = r#"
import json, re, sys
PARTS = re.compile(r"(?://(?:([^@]*)@)?([^/]*))?(.*)")
say = lambda value: print(json.dumps(value), flush=True)
sys.stdin.readline()
say({"id": 0, "name": "planted", "version": "1", "entry_point": "parse", "language": "Python", "specification": "RFC 3986",
     "operations": ["parse"]})
kept = None
for line in sys.stdin:
    request = json.loads(line)
    text = request["input"]
    userinfo, host, path = PARTS.fullmatch(text).groups()
    kept = kept or userinfo
    components = {"userinfo": userinfo or kept, "host": host, "path": path}
    answer = {"outcome": "rejected"} if text in ("r", "//w@r") else {"outcome": "accepted", "components": components}
    say({"id": request["id"], **answer})
"#;

/// A string, and its userinfo, host and path.
type Parsed = (&'static str, Option<&'static str>, Option<&'static str>, &'static str);

/// A vector for each string.
fn parsed(strings: &[Parsed]) -> String {
    let vector = |(number, (input, userinfo, host, path)): (usize, &Parsed)| {
        let kind = host.map(|_| "reg-name");
        let components = json!({"scheme": null, "userinfo": userinfo, "host": host, "host_kind": kind, "port": null,
            "path": path, "query": null, "fragment": null});
        json!({"id": format!("one/{number}"), "level": "must", "clauses": ["§3/a", "§4/b"],
            "input": {"operation": "parse", "rule": "URI-reference", "input": input},
            "expect": {"rfc3986": {"outcome": "accepted", "components": components}}})
    };
    let vectors: Vec<Value> = strings.iter().enumerate().map(vector).collect();
    json!({"uriproof": 1, "title": "t", "section": "3", "vectors": vectors}).to_string()
}

/// Put again at once, an answer that holds what an earlier call has left behind is the same.
#[test]
fn what_stays_in_a_process_does_not_repeat_in_a_new_one() {
    if !crate::process::has("python3") {
        return;
    }
    let folder = VectorFolder::new();
    folder.put("adapter.py", KEEPS);
    let strings = [
        ("a", None, None, "a"),
        ("//u@h/", Some("u"), Some("h"), "/"),
        ("r", None, None, "r"),
        ("b", None, None, "b"),
        ("c", None, None, "c"),
    ];
    // With a rejection that leaves something behind as well: the reversed order alone does not show what does not repeat.
    let more = [&strings[..], &[("//w@r", Some("w"), Some("r"), "")]].concat();
    let first = ["check", "--vectors", "vectors", "--command", "python3 adapter.py"];
    for (strings, count) in [(&strings[..], 3), (&more, 4)] {
        folder.put("vectors/one.json", &parsed(strings));
        let done = folder.run(&first);
        assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
        let line = format!("     2 agree     {count} diverge     0 not compared     2 do not repeat\n");
        assert!(done.stdout.contains(&line), "{line} is not in {}", done.stdout);
        for path in ["b", "c"] {
            let lines = format!(
                "      first     accepted, userinfo \"u\" path \"{path}\"\n      again     accepted, path \"{path}\"\n      \
                 anew      accepted, path \"{path}\", as the first call of a new process\n      sequence  2 calls in a new \
                 process show it\n                parse \"//u@h/\"\n                parse \"{path}\"\n"
            );
            assert!(done.stdout.contains(&lines), "{lines} is not in {}", done.stdout);
        }
        // What is rejected in a new process, too, is a divergence as any other.
        let plain = done.stdout.find("\n  §3/a").unwrap();
        assert!(done.stdout[plain..].contains("\"r\"  one/2 (must)"), "{}", done.stdout);
        assert_eq!(
            done.stdout.matches("      again     accepted").count(),
            2,
            "{}",
            done.stdout
        );
    }
    // The gate of a crate finds the same.
    let library = Library::from_path(&folder.path().join("vectors")).unwrap();
    let adapter = folder.path().join("adapter.py").into_os_string();
    let client = Client::start(&["python3".into(), adapter], Limits::default()).unwrap();
    assert_eq!(
        Gate::of(&client).suite(None).run(&library).unwrap().tally().unrepeated,
        2
    );

    let done = folder.run(&[&first[..], &["--baseline", "b.toml", "--write-baseline"]].concat());
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    let expected = "b.toml is not written: answers do not repeat, which no baseline can excuse: one/3, one/4\n";
    assert!(done.stderr.contains(expected), "{}", done.stderr);
}

/// What diverges is known; in a new process it is fatal, or there is none.
#[test]
fn a_baseline_excuses_nothing_that_a_new_process_does() {
    let folder = VectorFolder::new();
    folder.put("b.toml", &entry("\"one/b\" = 'rejected'"));
    let arguments = ["--baseline", "b.toml", "--output", "junit=junit", "--output", "tap=tap"];
    assert_eq!(folder.check(TAKES_A, &arguments).status, 0);

    let dies = r#"case "$n$line" in 1*'"input":"b"'*) exit 3;; esac"#;
    // Without a restart as well: the death is a finding, though it was the last one.
    let done = folder.check(
        &format!("{dies}; {TAKES_A}"),
        &[&arguments[..], &["--restarts", "0"]].concat(),
    );
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let done = folder.check(&format!("{dies}; {TAKES_A}"), &arguments);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("crash: \"b\"  one/b (should)"), "{}", done.stdout);

    let renamed = r#"if [ -e was-there ]; then name=other; else name=planted; touch was-there; fi"#;
    folder.put(
        "adapter.sh",
        &adapter(TAKES_A).replace("\"name\":\"planted\"", "\"name\":\"'$name'\""),
    );
    let script = format!("{renamed}\n{}", folder.text("adapter.sh"));
    folder.put("adapter.sh", &script);
    let first = ["check", "--vectors", "vectors", "--command", "sh adapter.sh"];
    let done = folder.run(&[&first[..], &arguments].concat());
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.contains("STOP  planted 1 parse"), "{}", done.stdout);
    assert!(
        done.stderr.contains("planted 1 parse was not run on everything: "),
        "{}",
        done.stderr
    );
    assert!(
        folder.text("junit").contains(r#"<error message="#),
        "{}",
        folder.text("junit")
    );
    assert!(
        folder.text("tap").contains("not ok 6 - planted 1 parse: not everything was run\n"),
        "{}",
        folder.text("tap")
    );
}

#[test]
fn many_that_do_not_repeat_are_named_and_few_are_searched() {
    let folder = VectorFolder::new();
    folder.put("vectors/one.json", &many(&[("x", 12)]));
    // Each input is refused the first time that the file of the adapter's memory does not hold it.
    let body = format!(
        r#"text="${{line#*\"input\":\"}}"; text="${{text%%\"*}}"; if [ -e "seen-$text" ]; then {ACCEPTS}; else touch "seen-$text"; reject "$id"; fi"#
    );
    let done = folder.check(&body, &[]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("    12 do not repeat"), "{}", done.stdout);
    assert_eq!(
        done.stdout.matches("sequence  none that shows it again was found").count(),
        3
    );
    assert_eq!(done.stdout.matches("      again     accepted").count(), 12);
}

#[test]
fn a_corpus_names_what_does_not_repeat() {
    let folder = VectorFolder::new();
    folder.put("urls.txt", "x\na\nb\nx\n");
    let body = r#"case "$line" in
      *'"input":"a"'*) accept "$id" a; last=a; continue;;
      *'"input":"b"'*) if [ "$last" = a ]; then accept "$id" c; else accept "$id" b; fi;;
      *) accept "$id" x;; esac; last="#;
    let done = folder.check(body, &["--corpus", "urls.txt"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let expected = "FAIL  planted 1 parse  3 agree  1 diverge  0 not compared  1 do not repeat\n\nplanted 1 parse: 1 do not \
                    repeat: they diverge, and agree when the same input is put again\n\n  parse \"b\"\n    line       3\n    \
                    first      accepted, path \"c\"\n    again      accepted, path \"b\"\n    anew       accepted, path \
                    \"b\", as the first call of a new process\n    sequence   2 calls in a new process show it\n               \
                    parse \"a\"\n               parse \"b\"\n";
    assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
    let done = folder.check(body, &["--corpus", "urls.txt", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["diverging"][0]["kind"], "does-not-repeat");
    assert_eq!(
        results["diverging"][0]["unrepeated"]["sequence"].as_array().unwrap().len(),
        2
    );
    assert_eq!(results["subjects"][0]["unrepeated"], 1);
    assert_eq!(results["classes"], json!([]));
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
fn a_corpus_puts_a_class_to_a_new_process() {
    let folder = VectorFolder::new();
    folder.put("urls.txt", "a\nb\n");
    // The first call sets a mode that stays.
    let body = r#"case "$line" in
      *'"input":"a"'*) accept "$id" a; mode=odd; continue;;
      *) accept "$id" "b$mode";; esac; continue; true "#;
    let done = folder.check(body, &["--corpus", "urls.txt"]);
    assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
    let expected =
        "got        path \"bodd\"\n    anew       accepted, path \"b\" in a new process: it does not repeat there\n";
    assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
    let done = folder.check(body, &["--corpus", "urls.txt", "--format", "json"]);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["classes"][0]["fresh"], "accepted, path \"b\"");
}

#[test]
fn a_probe_asks_twice_and_in_another_order() {
    let folder = VectorFolder::new();
    let probe = |script: &str| {
        folder.put("adapter.sh", script);
        folder.run(&["check", "--command", "sh adapter.sh", "--probe"])
    };
    let done = probe(&adapter(REFUSES));
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(
        done.stdout.contains("ok    repeat  12 inputs put twice"),
        "{}",
        done.stdout
    );
    // The password of one call is in the answer to the next.
    let leaks = r#"case "$line" in *secret*) last=secret; reject "$id"; continue;; esac
      if [ "$last" = secret ]; then accept "$id" secret; else reject "$id"; fi; last="#;
    let done = probe(&adapter(leaks));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  repeat  does not repeat: parse "),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("sequence  2 calls in a new process show it"),
        "{}",
        done.stdout
    );
    // After fourteen answers it accepts everything.
    let done = probe(&adapter(
        r#"if [ "$n" -gt 14 ]; then accept "$id" x; else reject "$id"; fi"#,
    ));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  repeat  does not repeat: 7 inputs more of 12"),
        "{}",
        done.stdout
    );
    // What is unsupported throughout has not passed.
    let done = probe(&adapter(
        r#"printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id""#,
    ));
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  operations  none is accepted or rejected"),
        "{}",
        done.stdout
    );
    // Another program stands behind the command when it is started again.
    let other = adapter(REFUSES).replace("\"version\":\"1\"", "\"version\":\"'$$'\"");
    let done = probe(&other);
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(
        done.stdout.contains("FAIL  restarts  it says another hello since it was started again"),
        "{}",
        done.stdout
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
    let done = folder.run(&["check", "--vectors", "vectors", "--command", "sh adapter.sh"]);
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
        done.stdout.contains("note  parse  crashed: index out of range (uri.c:7); the adapter answers that itself"),
        "{}",
        done.stdout
    );
}

#[test]
fn a_claim_hides_no_crash() {
    let folder = VectorFolder::new();
    let at_a = |fault: &str| format!(r#"case "$line" in *'"input":"a"'*) {fault};; *) reject "$id";; esac"#);
    for (fault, expected) in [
        ("exit 3", "crash: \"a\"  one/a (must)"),
        ("exec sleep 60", "hang: \"a\"  one/a (must)"),
        ("echo no JSON", "crash: \"a\"  one/a (must)"),
    ] {
        let arguments = ["--specification", "http", "--time-limit", "1"];
        let done = folder.check(&at_a(fault), &arguments);
        assert_eq!(done.status, 1, "{fault}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains(expected), "{expected} is not in {}", done.stdout);
        assert!(
            done.stdout.contains("   1 not run     2 survived only"),
            "{}",
            done.stdout
        );
        // So does one that says itself that it is about HTTP.
        let adapter = adapter(&at_a(fault)).replace("RFC 3986", "HTTP");
        folder.put("adapter.sh", &adapter);
        let done = folder.run(&[
            "check",
            "--vectors",
            "vectors",
            "--command",
            "sh adapter.sh",
            "--time-limit",
            "1",
            "--format",
            "json",
        ]);
        assert_eq!(done.status, 1, "{fault}: {}", done.stderr);
        let results: Value = serde_json::from_str(&done.stdout).unwrap();
        let gate = &results["subjects"][0]["gate"];
        assert_eq!(gate["fail"], json!(["one/a"]), "{fault}");
        assert_eq!((&gate["not_run"], &gate["survived"]), (&json!(3), &json!(2)), "{fault}");
    }
    let done = folder.check(&at_a("accept \"$id\" x"), &["--specification", "http"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
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

#[test]
fn a_corpus_is_printed_as_it_is_read() {
    for (format, expected) in [("human", "line 1  planted"), ("json", "\"line\":1")] {
        let folder = VectorFolder::new();
        folder.put("urls.txt", "first\nsecond\n");
        // At the second line the adapter looks at what is printed.
        let body = r#"case "$line" in *second*) cp out seen;; esac; reject "$id""#;
        folder.put("adapter.sh", &adapter(body));
        let program = assert_cmd::cargo::cargo_bin("uriproof");
        let script = format!(
            "exec '{}' check --command 'sh adapter.sh' --corpus urls.txt --all --format {format} >out",
            program.display()
        );
        let mut command = assert_cmd::Command::new("sh");
        let done = run(command.args(["-c", &script]).current_dir(folder.path()));
        assert_eq!(done.status, 1, "{}", done.stderr);
        let seen = folder.text("seen");
        assert!(seen.contains(expected), "{expected} is not in {seen}");
    }
}

#[test]
fn nothing_compared_is_never_a_success() {
    let folder = VectorFolder::new();
    folder.put("urls.txt", "a\nb\n");
    let unsupported = r#"printf '{"id":%s,"outcome":"unsupported","reason":"later"}\n' "$id""#;
    for format in ["human", "json"] {
        let done = folder.check(unsupported, &["--corpus", "urls.txt", "--format", format]);
        assert_eq!(done.status, 2, "{}", done.stdout);
        assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
        if format == "json" {
            let results: Value = serde_json::from_str(&done.stdout).unwrap();
            assert_eq!((&results["lines"], &results["diverging"]), (&json!(2), &json!([])));
        }
    }
    for command in ["minimize", "diff"] {
        let done = folder.run(&[command, "a", "--command", "sh adapter.sh"]);
        assert_eq!(done.status, 2, "{command}: {}", done.stdout);
        assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
    }
    // A built-in subject that has no such operation.
    let done = folder.run(&[
        "check",
        "--subject",
        "http * Uri::from_str",
        "--only",
        "normalization/*",
    ]);
    assert_ne!(done.status, 0, "{}{}", done.stdout, done.stderr);
    assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
    // Nothing of it is green.
    let done = folder.check(unsupported, &["--format", "badge"]);
    assert!(done.stdout.contains(r#""color":"lightgrey""#), "{}", done.stdout);
    let done = folder.check(unsupported, &["--write-baseline", "--baseline", "b.toml"]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(!folder.path().join("b.toml").exists());
}

/// Recognizes what is valid, every other time.
struct Flaky(AtomicUsize);

impl Subject for Flaky {
    fn declaration(&self) -> &Declaration {
        &SPLITS
    }

    fn parse(&self, _: Rule, input: &str) -> Outcome {
        let is_valid = rfc3986_reference::components::parse(input, Reading::Rfc3986).is_ok();
        match self.0.fetch_add(1, Ordering::Relaxed) % 2 {
            1 if is_valid => Outcome::components(Observed::default()),
            _ => Outcome::rejected("not yet"),
        }
    }
}

#[test]
fn a_crate_with_answers_that_do_not_repeat_has_no_baseline() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("uriproof.toml");
    let flaky = Flaky(AtomicUsize::new(0));
    let gate = Gate::of(&flaky).baseline(&file);
    let library = Library::embedded();
    let judgement = gate.run(&library).unwrap();
    assert_eq!(judgement.conclusion(), Conclusion::Fail);
    assert!(judgement.tally().unrepeated > 0);
    let refused = gate.write(&library).unwrap_err();
    assert!(
        refused.contains("is not written: answers do not repeat, which no baseline can excuse: "),
        "{refused}"
    );
    assert!(!file.exists());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| gate.assert())).unwrap_err();
    let message = panicked.downcast_ref::<String>().unwrap();
    assert!(
        message.contains("  does not repeat\n  first     rejected: not yet\n  again     "),
        "{message}"
    );
}

/// Splits at the first colon, and refuses nothing.
struct Splits;

static SPLITS: Declaration = Declaration::new("splits", "1.0.0", "split", &[Operation::Parse]);

impl Subject for Splits {
    fn declaration(&self) -> &Declaration {
        &SPLITS
    }

    fn parse(&self, _: Rule, input: &str) -> Outcome {
        Outcome::components(Observed {
            scheme: input.split_once(':').map(|(scheme, _)| scheme).into(),
            ..Observed::default()
        })
    }
}

#[test]
fn a_crate_has_the_gate_in_one_line() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("uriproof.toml");
    let gate = || Gate::of(&Splits).baseline(&file);
    let panicked = std::panic::catch_unwind(|| gate().assert()).unwrap_err();
    let message = panicked.downcast_ref::<String>().unwrap();
    for expected in [
        "splits 1.0.0 split: ",
        "  severity  scheme-or-port\n  input     ",
        "  expected  scheme undefined\n  got       scheme ",
        "  clause    §",
        "\nand ",
        "`URIPROOF_BASELINE=write cargo test` writes it",
    ] {
        assert!(message.contains(expected), "{expected} is not in {message}");
    }
    let library = Library::embedded();
    // A group of a suite that diverges again repeats.
    let judgement = gate().run(&library).unwrap();
    assert!(judgement.suites.iter().any(|suite| suite.groups > 0));
    assert_eq!(judgement.tally().unrepeated, 0);
    let said = gate().write(&library).unwrap();
    assert!(said.contains(" 0 changed, 0 deleted"), "{said}");
    gate().assert();
    assert_eq!(gate().run(&library).unwrap().conclusion(), Conclusion::Pass);
    // Of another level less is compared, and lines of the baseline were never asked.
    let judgement = gate().levels([Level::May]).run(&library).unwrap();
    assert_eq!(judgement.conclusion(), Conclusion::Fail);
    assert!(judgement.problems.iter().any(|problem| problem.message.contains("vectors were compared, and there were")));
    assert!(judgement.problems.iter().any(|problem| problem.message.contains("was not run (of level must)")));
    // A selection stands by itself, and writes nothing.
    let some = gate().only(&["syntax/port/*"]).unwrap();
    assert_eq!(some.run(&library).unwrap().conclusion(), Conclusion::Pass);
    assert!(some.write(&library).unwrap_err().contains("from all vectors"));
    assert!(gate().only(&["a{"]).is_err());
}

#[test]
fn shells_and_man_are_served() {
    let folder = VectorFolder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = folder.run(&["completions", shell]);
        assert!(
            done.status == 0 && done.stdout.contains("regress"),
            "{shell}: {}",
            done.stdout
        );
    }
    assert!(folder.run(&["man"]).stdout.starts_with(".ie"));
    let done = folder.run(&["man", "--output", "man1"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(folder.text("man1/uriproof-check.1").contains("write\\-baseline"));
    assert!(folder.run(&["check", "--help"]).stdout.contains("Examples:"));
}

#[test]
fn colours_are_for_those_who_want_them() {
    let folder = VectorFolder::new();
    folder.put("adapter.sh", &adapter(REFUSES));
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = program();
        let arguments = [
            "check",
            "--vectors",
            "vectors",
            "--command",
            "sh adapter.sh",
            "--output",
            "human=out",
        ];
        command.current_dir(folder.path()).args(arguments).env_remove("NO_COLOR").envs(variables.iter().copied());
        let stdout = command.output().unwrap().stdout;
        assert!(!folder.text("out").contains('\u{1b}'), "a file has no colours");
        stdout.contains(&0x1b)
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    let folder = VectorFolder::new();
    for arguments in [
        &["check", "--write-baseline"][..],
        &["check", "--write-baseline", "--baseline", "b", "--only", "a"],
        &["check", "--probe"],
        &["check", "--output", "junit"],
        &["check", "--output", "yaml=a"],
        &["check", "--corpus", "a", "--baseline", "b"],
        &["regress", "a"],
    ] {
        assert_eq!(folder.run(arguments).status, 2, "{arguments:?}");
    }
}
