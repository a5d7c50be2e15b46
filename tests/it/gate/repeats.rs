//! An answer that changes when its input is repeated is a failure.

use serde_json::{Value, json};
use uriproof::gate::Gate;
use uriproof::protocol::client::{Client, Limits};
use uriproof::vectors::Library;

use super::{ACCEPTS, LEAKS, TAKES_A, VectorFolder, adapter, entry, many};

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
        done.stdout.contains("     1 fail     1 not compared\n      1 do not repeat"),
        "{}",
        done.stdout
    );
    for (name, expected) in [
        ("junit", r#"type="does-not-repeat""#),
        ("junit", "sequence  2 calls in a new process show it"),
        ("tap", "  does-not-repeat: \"first     rejected\\nagain     accepted"),
        (
            "github",
            "::error title=rejected-valid (1 vector)%3A answers differently when it is run again::\"b\": expected accepted, got rejected, and then accepted, path \"b\": does not repeat%0Afirst ",
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
    let first = [
        "check",
        "--all",
        "--vectors",
        "vectors",
        "--command",
        "python3 adapter.py",
    ];
    for (strings, count) in [(&strings[..], 3), (&more, 4)] {
        folder.put("vectors/one.json", &parsed(strings));
        let done = folder.run(&first);
        assert_eq!(done.status, 1, "{}{}", done.stdout, done.stderr);
        let line = format!("     2 agree     {count} fail     0 not compared\n      2 do not repeat\n");
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
    let expected = "FAIL  planted 1 parse  3 agree  1 fail  0 not compared  1 do not repeat\n\nplanted 1 parse: 1 do not \
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
