//! The command line, as a process: what it prints, where it writes, how it exits.

use std::fs;
use std::path::Path;

use crate::process::{Done, program, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof_lab::machines::Machines;
use uriproof_lab::score::Depth;
use uriproof_lab::sweep::{Sweep, SweepPlan};
use uriproof_subjects::SUBJECTS;

fn uriproof(arguments: &[&str]) -> Done {
    run(program().args(arguments))
}

/// Runs a command that cannot be done: nothing on stdout, exit status 2, and one line on stderr.
fn refused(arguments: &[&str]) -> String {
    let done = uriproof(arguments);
    assert_eq!((done.status, &*done.stdout), (2, ""), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    done.stderr
}

fn files(folder: &Path) -> Vec<String> {
    let mut files: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    files.sort();
    files
}

#[test]
fn report_prints_the_matrix_and_writes_both_files_the_same_every_time() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("target/uriproof");
    fs::create_dir_all(&results).unwrap();
    // A run was killed here between its two files: the first is of that run, the second of one before, with its part file beside it.
    // Another was killed while it wrote both.
    let old = r#"{"uriproof": 1, "data_version": "0.1.0", "subjects": [], "vectors": []}"#;
    for (name, text) in [
        ("../../REPORT.md", "# uriproof report\n\nof the killed run\n"),
        ("results.json", old),
        (".results.json.1-1.part", "{\"uriproof\": 1}"),
        (".results.json.2-0.part", "{"),
        ("../../.REPORT.md.2-1.part", "# "),
    ] {
        fs::write(results.join(name), text).unwrap();
    }
    let done = uriproof(&["report", "--output", folder.path().to_str().unwrap()]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(files(&results), ["results.json"]);
    assert!(done.stdout.contains("reference"), "{}", done.stdout);
    assert!(!done.stdout.contains('\u{1b}'), "no colour where no terminal is");
    let [report, results] =
        ["REPORT.md", "target/uriproof/results.json"].map(|name| fs::read_to_string(folder.path().join(name)).unwrap());
    assert!(report.starts_with("# uriproof report\n"));
    let tracked = Path::new(env!("CARGO_MANIFEST_DIR")).join("REPORT.md");
    assert!(
        report == fs::read_to_string(tracked).unwrap(),
        "it is not the REPORT.md of the last run"
    );

    let results: Value = serde_json::from_str(&results).unwrap();
    let entry_points = results["subjects"].as_array().unwrap().len() - 1;
    let said = format!("the reference itself and {entry_points} entry points of ");
    assert!(report.contains(&said), "both are of one run: {said}");
    let reference = &results["subjects"][0];
    assert_eq!(reference["counts"]["diverge"], 0);
    assert_eq!(reference["counts"]["crashed"], 0);
    assert_eq!(files(folder.path()), ["REPORT.md", "target"]);
}

#[test]
fn report_with_an_unwritable_output_writes_nothing() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("target/uriproof/results.json")).unwrap();
    let message = refused(&["report", "--output", folder.path().to_str().unwrap()]);
    assert!(message.contains("results.json cannot be written"), "{message}");
    assert_eq!(files(folder.path()), ["target"]);

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let message = refused(&["report", "--output", file.to_str().unwrap()]);
    assert!(message.contains("REPORT.md cannot be written"), "{message}");
}

#[test]
fn check_passes_the_reference_and_fails_what_diverges() {
    let done = uriproof(&["check", "--subject", "reference"]);
    assert_eq!(done.status, 0);
    assert!(done.stdout.contains("pass  reference"), "{}", done.stdout);

    let done = uriproof(&["check", "--subject", "rhymuri", "--only", "syntax/ipv6/*"]);
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("FAIL  rhymuri"), "{}", done.stdout);
    assert!(done.stdout.contains("§3.2.2/"), "{}", done.stdout);
}

#[test]
fn check_does_not_pass_a_subject_that_compared_nothing() {
    let done = uriproof(&["check", "--subject", "http", "--only", "rfc/5.4.*"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("nothing was compared"), "{}", done.stderr);
    assert!(done.stdout.contains("none  http"), "{}", done.stdout);
}

#[test]
fn check_as_json_has_the_shape_of_results() {
    let done = uriproof(&["check", "--format", "json", "--subject", "url", "--only", "syntax/*"]);
    assert_eq!(done.status, 1);
    let results: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(results["uriproof"], 1);
    let subject = &results["subjects"][0];
    assert_eq!(subject["specification"], "WHATWG URL");
    let count = |name: &str| subject["counts"][name].as_u64().unwrap();
    let vectors = uriproof(&["vectors", "list", "--format", "json", "--only", "syntax/*"]);
    let vectors: Vec<Value> = serde_json::from_str(&vectors.stdout).unwrap();
    let total: u64 = [
        "agree",
        "diverge",
        "not_comparable",
        "unsupported",
        "crashed",
        "timed_out",
    ]
    .into_iter()
    .map(count)
    .sum();
    assert_eq!(total, vectors.len() as u64, "every vector counts once");
    let listed = results["vectors"].as_array().unwrap();
    let diverging = listed.iter().filter(|vector| vector["verdict"] == "diverge");
    assert_eq!(diverging.count() as u64, count("diverge") + count("crashed"));
    assert!(listed.iter().all(|vector| (vector["verdict"] == "diverge") == vector["class"].is_string()));
    assert!(listed.iter().all(|vector| (vector["verdict"] == "diverge") == vector["severity"].is_string()));
    let classes = subject["classes"].as_array().unwrap();
    for class in classes {
        let mut fields: Vec<&String> = class.as_object().unwrap().keys().collect();
        fields.sort();
        let expected = [
            "cause",
            "class",
            "clause",
            "components",
            "entry",
            "kind",
            "operation",
            "severity",
            "vectors",
            "witness",
        ];
        assert_eq!(fields, expected);
        assert!(class["witness"]["operation"] == class["operation"], "{class}");
    }
    let known = |name: &Value| classes.iter().any(|class| class["class"] == *name);
    assert!(listed.iter().map(|vector| &vector["class"]).filter(|class| class.is_string()).all(known));
}

#[test]
fn check_takes_a_reading() {
    let of = |reading: &str| {
        uriproof(&[
            "check",
            "--subject",
            "reference",
            "--only",
            "contested/erratum-4942/*",
            "--reading",
            reading,
        ])
    };
    assert_eq!(of("rfc3986").status, 0);
    let done = of("erratum-4942");
    assert_eq!(done.status, 1);
    assert!(done.stdout.contains("expected  rejected"), "{}", done.stdout);
}

#[test]
fn check_selects_by_clause_and_level() {
    let done = uriproof(&[
        "vectors",
        "list",
        "--clause",
        "§5.2.4/2C",
        "--level",
        "must",
        "--format",
        "json",
    ]);
    let vectors: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        assert_eq!(vector["level"], "must");
        assert!(vector["clauses"].as_array().unwrap().contains(&json!("§5.2.4/2C")));
    }
}

#[test]
fn diff_puts_every_subject_beside_the_reference() {
    let done = uriproof(&["diff", "//a!b", "--format", "json"]);
    assert_eq!(done.status, 1);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(diff["input"], json!({"input": "//a!b"}));
    let rows = diff["subjects"].as_array().unwrap();
    let operations: std::collections::BTreeSet<&str> =
        rows.iter().map(|row| row["operation"].as_str().unwrap()).collect();
    assert_eq!(
        operations.into_iter().collect::<Vec<_>>(),
        ["compose", "contract", "normalize", "parse", "round-trip"]
    );
    let fluent = rows
        .iter()
        .find(|row| row["subject"] == "fluent-uri 0.4.1 UriRef::parse" && row["operation"] == "parse")
        .unwrap();
    assert_eq!(fluent["verdict"], "agree");
    assert_eq!(fluent["outcome"]["components"]["host"], "a!b");
    assert_eq!(fluent["reference"], fluent["outcome"]);
    for key in ["reason", "class", "cause", "severity"] {
        assert_eq!(fluent[key], Value::Null, "{key}");
    }
    let scopes: std::collections::BTreeSet<Option<&str>> =
        rows.iter().filter(|row| row["operation"] == "normalize").map(|row| row["scope"].as_str()).collect();
    assert_eq!(scopes.into_iter().collect::<Vec<_>>(), [Some("scheme"), Some("syntax")]);
}

#[test]
fn diff_resolves_where_there_is_a_base() {
    let done = uriproof(&[
        "diff",
        "../../../g",
        "--base",
        "http://a/b/c/d;p?q",
        "--operation",
        "resolve",
    ]);
    assert!(
        done.stdout.starts_with("resolve \"http://a/b/c/d;p?q\" + \"../../../g\"\n"),
        "{}",
        done.stdout
    );
    assert!(done.stdout.contains("expected: \"http://a/g\""), "{}", done.stdout);
    let message = refused(&["diff", "g", "--operation", "resolve"]);
    assert!(message.contains("`resolve` needs --base"), "{message}");
}

#[test]
fn diff_sets_a_component() {
    let done = uriproof(&[
        "diff",
        "a:/",
        "--component",
        "query",
        "--value",
        "b#",
        "--operation",
        "modify",
        "--subject",
        "reference",
        "--format",
        "json",
    ]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(
        diff["input"],
        json!({"input": "a:/", "component": "query", "value": "b#"})
    );
    assert_eq!(diff["subjects"][0]["outcome"]["outcome"], json!("rejected"));
    assert!(refused(&["diff", "a:/", "--operation", "modify"]).contains("`modify` needs --component"));
    for (wrong, what) in [
        (
            ["diff", "a:/", "--component", "password"],
            "scheme, userinfo, host, port",
        ),
        (["diff", "a:/", "--value", "b"], "--component <NAME>"),
    ] {
        let done = uriproof(&wrong);
        assert!(done.status == 2 && done.stderr.contains(what), "{}", done.stderr);
    }
}

#[test]
fn diff_names_the_outcome_that_conforms_where_several_do() {
    let done = uriproof(&[
        "diff",
        ".//g",
        "--base",
        "f:/a",
        "--operation",
        "resolve",
        "--subject",
        "iri-string*",
    ]);
    assert!(
        done.stdout.contains("expected (slash-dot): \"f:/.//g\""),
        "{}",
        done.stdout
    );
}

#[test]
fn diff_shows_an_answer_once_with_the_entry_points_that_give_it() {
    let input = ["diff", "//a\\@b", "--operation", "parse"];
    let done = uriproof(&input);
    // Every answer once, and those that diverge first.
    let is_row = |line: &&str| line.starts_with("    diverge  ") || line.starts_with("    agree    ");
    let rows: Vec<&str> = done.stdout.lines().filter(is_row).collect();
    let is_agreement: Vec<bool> = rows.iter().map(|row| row.starts_with("    agree")).collect();
    assert!(is_agreement.is_sorted(), "{}", done.stdout);
    assert_eq!(is_agreement.iter().filter(|is| **is).count(), 1, "{}", done.stdout);
    assert!(rows.iter().collect::<std::collections::BTreeSet<_>>().len() == rows.len() && rows.len() > 2);
    // Every entry point once, and no line of them too long.
    let json = uriproof(&[&input[..], &["--format", "json"]].concat()).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("             ")).collect();
    assert!(names.iter().all(|line| line.len() <= 100), "{}", done.stdout);
    let of_line = |line: &&str| line.trim_end_matches([',', ';']).split([',', ';']).count();
    assert_eq!(
        names.iter().map(of_line).sum::<usize>(),
        json["subjects"].as_array().unwrap().len(),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("fluent-uri 0.4.1 UriRef::parse, Uri::parse, IriRef::parse,"),
        "{}",
        done.stdout
    );
}

#[test]
fn diff_shows_what_is_expected_of_an_entry_point_for_another_rule() {
    let done = uriproof(&["diff", "#?", "--operation", "compose", "--subject", "url-parse"]);
    assert_eq!(done.status, 1);
    let row = "\n  expected as URI: rejected: no URI\n    diverge  \"#?\"  (accepted though invalid)\n";
    assert!(done.stdout.contains(row), "{}", done.stdout);
    assert!(!done.stdout.contains("expected: \"#?\""), "{}", done.stdout);
    let done = uriproof(&["diff", "g", "--operation", "parse", "--subject", "fluent-uri"]);
    for rows in [
        "\n  expected: accepted, path \"g\"\n    agree    accepted, path \"g\"\n",
        "\n  expected as URI: rejected at byte 1: does not match scheme\n    agree    rejected",
    ] {
        assert!(done.stdout.contains(rows), "{rows} is not in {}", done.stdout);
    }
}

#[test]
fn our_own_reasons_cite_sections_as_they_are() {
    let relativize = ["diff", "a/b", "--base", "http://a/", "--operation", "relativize"];
    let done = uriproof(&[&relativize[..], &["--subject", "reference"]].concat());
    let reason = "rejected: base and target are to be URIs (§5.2.1)";
    assert!(done.stdout.contains(reason), "{}", done.stdout);
}

#[test]
fn diff_pairs_shows_what_one_checks_and_another_fetches() {
    let some = ["diff", "--pairs", "--count", "100", "--subject", "url"];
    let done = uriproof(&some);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("reference 0.1.0 / url 2.5.8\n"), "{}", done.stdout);
    assert!(!done.stdout.contains("reference 0.1.0 / http"), "{}", done.stdout);

    let done = uriproof(&[&some[..], &["--format", "json"]].concat());
    assert_eq!(done.status, 1, "{}", done.stderr);
    let rows: Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = rows.as_array().unwrap();
    let (url, reference) = ("url 2.5.8 Url::parse", "reference 0.1.0 rfc3986");
    assert!(rows.iter().all(|row| row["checker"] == url || row["fetcher"] == url));
    let of = |checker: &str, fetcher: &str| {
        rows.iter().find(|row| row["checker"] == checker && row["fetcher"] == fetcher && row["component"] == "host")
    };
    let (one, other) = (of(reference, url).unwrap(), of(url, reference).unwrap());
    assert_eq!(one["input"], other["input"]);
    assert_eq!(one["checker_tells"], other["fetcher_tells"]);
    assert_ne!(one["checker_tells"], one["fetcher_tells"]);

    let done = uriproof(&["diff", "--pairs", "--count", "100", "--subject", "rfc2396"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    for arguments in [
        &["diff", "--pairs", "a"][..],
        &["diff", "--pairs", "--base", "a:b"],
        &["diff", "--seed", "2"],
    ] {
        assert_eq!(uriproof(arguments).status, 2);
    }
}

#[test]
fn diff_escapes_what_would_not_print() {
    let done = uriproof(&["diff", "a\u{1b}[31m\u{202e}b", "--operation", "parse"]);
    assert!(done.stdout.contains("\\u{1b}[31m\\u{202e}b"), "{}", done.stdout);
    assert!(!done.stdout.contains('\u{1b}'), "{}", done.stdout);
}

#[test]
fn vectors_are_listed_shown_and_linted() {
    let done = uriproof(&["vectors", "list"]);
    assert_eq!(done.status, 0);
    assert!(done.stdout.contains("rfc/5.4.1/query-only"), "{}", done.stdout);

    let done = uriproof(&["vectors", "show", "rfc/5.4.1/query-only"]);
    assert!(done.stdout.contains("http://a/b/c/d;p?y"), "{}", done.stdout);
    assert!(done.stdout.contains("§5.2.2/"), "{}", done.stdout);

    let done = uriproof(&["vectors", "clauses"]);
    assert_eq!(done.status, 0);
    assert!(
        done.stdout.contains("section  clauses  testable  covered"),
        "{}",
        done.stdout
    );
    let done = uriproof(&["vectors", "clauses", "--format", "json"]);
    let coverage: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(coverage["total"]["testable"], coverage["total"]["covered"]);

    let done = uriproof(&["vectors", "lint"]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    assert!(done.stdout.contains(" 0 problems"), "{}", done.stdout);
}

#[test]
fn json_has_every_character_of_a_string() {
    let done = uriproof(&["diff", "a\u{7f}b", "--subject", "reference", "--format", "json"]);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(diff["input"]["input"], "a\u{7f}b", "{}", done.stdout);
}

#[test]
fn an_unknown_subject_is_named_with_those_there_are() {
    for command in [&["check", "--subject", "nobody"][..], &["serve", "--subject", "nobody"]] {
        let message = refused(command);
        assert!(
            message.contains("no subject matches `nobody`; there are: reference"),
            "{message}"
        );
    }
    let message = refused(&["serve", "--subject", "fluent-uri"]);
    assert!(message.contains("is not one subject but 5: fluent-uri"), "{message}");
}

#[test]
fn what_is_not_there_is_named() {
    for (arguments, expected) in [
        (&["vectors", "show", "rfc/none"][..], "no vector `rfc/none`"),
        (&["check", "--only", "nothing/*"], "no vector is selected"),
        (&["check", "--clause", "§9/none"], "no clause `§9/none`"),
        (&["check", "--only", "a{"], "--only `a{`"),
        (
            &["check", "--vectors", "no-such-folder"],
            "no file or folder `no-such-folder`; --vectors takes all, ",
        ),
    ] {
        let message = refused(arguments);
        assert!(message.contains(expected), "{message}");
    }
    let done = uriproof(&["check", "--reading", "erratum-1"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("there are rfc3986, erratum-4547"),
        "{}",
        done.stderr
    );
}

const CLAUSES: &str =
    r#"{"uriproof":1,"clauses":[{"id":"§3/a","section":"3","quote":"a","level":"must","binds":["grammar"]}]}"#;

/// A vector file with one vector, `input` and `expect` as given, on lines of their own.
fn vector_file(input: &str, expect: &str) -> String {
    format!(
        "{{ \"uriproof\": 1, \"title\": \"t\", \"section\": \"3\", \"vectors\": [\n{{ \"id\": \"one/first\",\n\
         \"input\": {input},\n\"expect\": {expect},\n\"level\": \"must\", \"clauses\": [\"§3/a\"] }} ] }}\n"
    )
}

const PARSE: &str = r#"{ "operation": "parse", "rule": "URI", "input": "a:" }"#;
const REJECTED: &str = r#"{ "rfc3986": { "outcome": "rejected" } }"#;

fn with_vectors(clauses: &str, text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("clauses.json"), clauses).unwrap();
    fs::write(folder.path().join("one.json"), text).unwrap();
    folder
}

#[test]
fn a_broken_vector_file_is_named_with_line_and_field() {
    let input = |text: &str| vector_file(text, REJECTED);
    let expect = |text: &str| vector_file(PARSE, text);
    for (text, expected) in [
        ("{".to_owned(), "one.json:1:1: EOF"),
        (
            input(r#"{ "operation": "parse", "rule": "URI" }"#),
            ": vectors[0].input: operation `parse` lacks `input`",
        ),
        (
            input(r#"{ "operation": "fetch" }"#),
            "one.json:3:31: vectors[0].input.operation: unknown variant `fetch`",
        ),
        (
            input(r#"{ "operation": "parse", "rules": "URI" }"#),
            "vectors[0].input.rules: unknown field `rules`",
        ),
        (
            input(r#"{ "operation": "parse", "a at line 7\n\u001b[31m\u202e": "URI" }"#),
            r"unknown field `a at line 7\n\u{1b}[31m\u{202e}`, expected",
        ),
        (expect(r#"{ "rfc3986": { "outcome": "maybe" } }"#), "one.json:4:"),
        (
            expect(r#"{ "rfc2396": { "outcome": "rejected" } }"#),
            "vectors[0].expect: `rfc2396` is no reading",
        ),
        (
            expect(r#"{ "elements": { "outcome": "rejected" } }"#),
            "`expect` lacks the reading `rfc3986`",
        ),
        (
            expect(r#"{ "rfc3986": { "outcome": "accepted", "components": { "scheme": "a", "path": "" } } }"#),
            "vectors[0].expect.rfc3986.components: missing field `userinfo`",
        ),
        (
            expect(r#"{ "rfc3986": { "outcome": "accepted", "uri": "a:", "equivalent": true } }"#),
            "`accepted` takes one of",
        ),
        (
            vector_file(PARSE, REJECTED).replace("\"uriproof\": 1", "\"uriproof\": 2"),
            "format 2 is unknown",
        ),
        (vector_file(PARSE, REJECTED) + "x", "something follows the end"),
    ] {
        let folder = with_vectors(CLAUSES, &text);
        for command in ["check", "vectors"] {
            let path = folder.path().to_str().unwrap();
            let arguments: &[&str] = if command == "check" {
                &["check", "--vectors", path]
            } else {
                &["vectors", "lint", "--vectors", path]
            };
            let message = refused(arguments);
            assert!(message.contains(expected), "{expected:?} is not in {message}");
            assert!(message.contains("one.json"), "{message}");
        }
    }
}

/// A file of one's own, which cites a clause of the built-in register.
fn own_vectors() -> String {
    let accepted = r#"{ "rfc3986": { "outcome": "accepted", "components": { "scheme": "a", "userinfo": null, "host": null,
        "host_kind": null, "port": null, "path": "", "query": null, "fragment": null } } }"#;
    vector_file(PARSE, accepted).replace("§3/a", "§3/URI")
}

#[test]
fn vectors_of_ones_own_cite_the_built_in_clauses() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("one.json");
    fs::write(&file, own_vectors()).unwrap();
    for path in [folder.path(), &file] {
        let path = path.to_str().unwrap();
        let done = uriproof(&["vectors", "list", "--vectors", path]);
        assert!(done.stdout.starts_with("one/first "), "{}", done.stdout);
        let done = uriproof(&["vectors", "lint", "--vectors", path]);
        assert_eq!(done.status, 0, "{}", done.stdout);
        assert!(done.stdout.starts_with("1 vectors in 1 files, "), "{}", done.stdout);
        let done = uriproof(&["check", "--subject", "reference", "--vectors", path]);
        assert_eq!(done.status, 0, "{} {}", done.stdout, done.stderr);
        assert!(done.stdout.contains("   1 agree     0 diverge"), "{}", done.stdout);
        let done = uriproof(&["check", "--subject", "web-url", "--vectors", path]);
        assert_eq!(done.status, 1, "{} {}", done.stdout, done.stderr);
        assert!(done.stdout.contains("  §3/URI  URI = scheme"), "{}", done.stdout);
    }
}

#[test]
fn a_part_of_the_suite_is_taken_alone() {
    let found = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/found");
    let done = uriproof(&["vectors", "lint", "--vectors", &format!("{found}/reading.json")]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    let done = uriproof(&["check", "--subject", "reference", "--vectors", found]);
    assert_eq!(done.status, 0, "{} {}", done.stdout, done.stderr);
}

#[test]
fn what_is_wrong_with_vectors_of_ones_own_is_named_with_what_would_be_right() {
    for (from, to, expected) in [
        (
            "§3/URI",
            "§3/URIs",
            "one.json:2: one/first: the clause `§3/URIs` is not in clauses.json, perhaps `§3/URI` is meant",
        ),
        (
            "one/first",
            "mine/First one",
            "one.json:2: mine/First one: the id does not begin with the file's path, as `one/first-one` does",
        ),
        (
            "one/first",
            "one/First",
            "one.json:2: one/First: the name `First` is not lower-kebab, as `one/first` is",
        ),
        (
            "\"section\": \"3\"",
            "\"section\": \"9\"",
            "one.json:1: `9` is no section of RFC 3986, such as 5.2.4",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("one.json");
        let text = own_vectors();
        assert!(text.contains(from), "{from} is not in {text}");
        fs::write(&file, text.replace(from, to)).unwrap();
        for path in [folder.path(), &file] {
            let path = path.to_str().unwrap();
            let done = uriproof(&["vectors", "lint", "--vectors", path]);
            assert_eq!(done.status, 1, "{}", done.stdout);
            assert!(done.stdout.contains(expected), "{expected:?} is not in {}", done.stdout);
            let message = refused(&["check", "--vectors", path]);
            assert!(message.contains(expected), "{expected:?} is not in {message}");
        }
    }
    let message = refused(&["check", "--vectors", "none-such.json"]);
    assert!(message.contains("no file or folder `none-such.json`"), "{message}");
    let folder = TempDir::new().unwrap();
    let message = refused(&["check", "--vectors", folder.path().to_str().unwrap()]);
    assert!(message.contains("the folder holds no JSON file"), "{message}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn lint_finds_what_is_wrong_beyond_the_form() {
    let good = vector_file(PARSE, REJECTED);
    let twice = r#""rfc3986": { "outcome": "rejected" }, "elements": { "outcome": "rejected" }"#;
    let equivalent = r#"{ "rfc3986": { "outcome": "accepted", "equivalent": true } }"#;
    let unlicensed = r#"{ "rfc3986": { "outcome": "one-of", "outcomes": [
        { "name": "a", "licence": "§3: a", "outcome": { "outcome": "rejected" } },
        { "name": "a", "licence": "b", "outcome": { "outcome": "accepted", "uri": "a:" } } ] } }"#;
    let accepted = r#"{ "rfc3986": { "outcome": "accepted", "components": { "scheme": "a", "userinfo": null, "host": null,
        "host_kind": null, "port": null, "path": "", "query": null, "fragment": null } } }"#;
    for (text, expected) in [
        (
            vector_file(PARSE, accepted),
            "1 vectors in 1 files, 1 clauses: 0 problems",
        ),
        (good.clone(), "one.json:2: one/first: no acceptance is one edit away"),
        (
            good.replace("\"level\"", "\"twin\": \"one/none\", \"level\""),
            "the twin `one/none` is no vector",
        ),
        (
            good.replace("\"level\"", "\"twin\": \"one/first\", \"level\""),
            "the twin `one/first` is rejected too",
        ),
        (
            vector_file(PARSE, accepted).replace("\"level\"", "\"twin\": \"one/first\", \"level\""),
            "only a rejection has a twin",
        ),
        (
            good.replace("one/first", "two/first"),
            "one.json:2: two/first: the id does not begin with the file's path",
        ),
        (
            good.replace("one/first", "one/First"),
            "the name `First` is not lower-kebab",
        ),
        (
            good.replace("\"section\": \"3\"", "\"section\": \"9\""),
            "`9` is no section of RFC 3986",
        ),
        (good.replace("§3/a", "§3/b"), "the clause `§3/b` is not in clauses.json"),
        (good.replace("[\"§3/a\"]", "[]"), "no clause is cited"),
        (
            good.replace("[\"§3/a\"]", "[]"),
            "clauses.json:1: §3/a: no vector cites it",
        ),
        (
            vector_file(PARSE, &format!("{{ {twice} }}")),
            "the reading `elements` expects the same as `rfc3986`",
        ),
        (
            vector_file(PARSE, equivalent),
            "under `rfc3986`: `equivalent` does not answer a parse as URI",
        ),
        (vector_file(PARSE, unlicensed), "two outcomes are named `a`"),
        (vector_file(PARSE, unlicensed), "the licence of `a` names no section"),
    ] {
        let folder = with_vectors(CLAUSES, &text);
        let path = folder.path().to_str().unwrap();
        let done = uriproof(&["vectors", "lint", "--vectors", path]);
        assert_eq!(
            done.status,
            i32::from(!expected.contains(" 0 problems")),
            "{}",
            done.stdout
        );
        assert!(done.stdout.contains(expected), "{expected:?} is not in {}", done.stdout);
        // A rejection alone is no vector to be copied, but it can be run.
        if done.status == 1 && !expected.contains("one edit") {
            assert!(refused(&["check", "--vectors", path]).contains("`uriproof vectors lint` shows all"));
        }
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn lint_finds_what_is_wrong_with_cases_of_functions() {
    let accepted = r#"{ "rfc3986": { "outcome": "accepted", "components": { "scheme": "a", "userinfo": null, "host": null,
        "host_kind": null, "port": null, "path": "", "query": null, "fragment": null } } }"#;
    let case = |id: &str, function: &str, clauses: &str| {
        format!(
            r#"{{ "id": "{id}", "function": "{function}", "arguments": {{ "text": "{id}" }}, "result": "", "clauses": [{clauses}] }}"#
        )
    };
    let (one, two) = (
        case("functions/strip/one", "strip", "\"§3/a\""),
        case("functions/strip/two", "strip", "\"§3/a\""),
    );
    for (cases, expected) in [
        (
            format!("{one},\n{two}"),
            "1 vectors in 1 files, 1 clauses, 2 cases of functions: 0 problems",
        ),
        (
            format!("{two},\n{one}"),
            "functions.json:3: functions/strip/one: the id does not belong behind `functions/strip/two`",
        ),
        (
            format!("{one},\n{one}"),
            "functions/strip/one: the id stands there twice",
        ),
        (
            format!(
                "{one},\n{}",
                two.replace("\"text\": \"functions/strip/two", "\"text\": \"functions/strip/one")
            ),
            "functions/strip/two: the arguments stand in functions/strip/one already",
        ),
        (
            one.replace("strip", "guess"),
            "functions.json:2: functions/guess/one: `guess` is no function",
        ),
        (
            one.replace("functions/strip/one", "functions/one"),
            "functions/one: the id does not begin with `functions/strip/`",
        ),
        (
            one.replace("functions/strip/one", "functions/strip/One"),
            "the name `One` is not lower-kebab",
        ),
        (
            case("functions/strip/one", "strip", "\"§3/b\""),
            "functions.json:2: functions/strip/one: the clause `§3/b` is not in clauses.json",
        ),
        (
            case("functions/strip/one", "strip", ""),
            "functions/strip/one: no clause is cited",
        ),
    ] {
        let folder = with_vectors(CLAUSES, &vector_file(PARSE, accepted));
        let text = format!("{{ \"uriproof\": 1, \"title\": \"t\", \"cases\": [\n{cases} ] }}");
        fs::write(folder.path().join("functions.json"), text).unwrap();
        let done = uriproof(&["vectors", "lint", "--vectors", folder.path().to_str().unwrap()]);
        assert_eq!(
            done.status,
            i32::from(!expected.contains(" 0 problems")),
            "{}",
            done.stdout
        );
        assert!(done.stdout.contains(expected), "{expected:?} is not in {}", done.stdout);
    }
}

#[test]
fn grammar_prints_the_machines() {
    let done = uriproof(&["grammar"]);
    assert_eq!(done.stdout.lines().count(), 1 + 36 + 2, "{}", done.stdout);
    let done = uriproof(&["grammar", "port", "--profile", "port-65535"]);
    assert!(done.stdout.starts_with("port: 11 states"), "{}", done.stdout);
    assert!(refused(&["grammar", "--profile", "claimed"]).contains("no subject here"));

    let done = uriproof(&["grammar", "URI-reference", "--format", "json", "--max-length", "2"]);
    let machine: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&machine["states"], &machine["classes"]), (&json!(183), &json!(21)));
    assert_eq!(machine["accepted_over_bytes"], json!(["1", "81", "6615"]));

    let done = uriproof(&["grammar", "dec-octet", "--format", "dot"]);
    assert!(done.stdout.starts_with("digraph"), "{}", done.stdout);
    assert!(refused(&["grammar", "--format", "dot"]).contains("needs a rule"));
    let done = uriproof(&["grammar", "--components"]);
    assert!(
        done.stdout.contains("1217 states") && done.stdout.contains("153 different outputs"),
        "{}",
        done.stdout
    );
    assert!(uriproof(&["grammar", "--components", "--format", "dot"]).stdout.starts_with("digraph"));
    assert!(refused(&["grammar", "--prove", "--format", "dot"]).contains("no graph"));
    assert!(uriproof(&["grammar", "URL"]).stderr.contains("no rule of Appendix A"));
}

#[test]
fn reach_counts_what_inputs_reach() {
    let few = ["reach", "--seed", "7", "--inputs", "50"];
    let done = uriproof(&few);
    assert_eq!(
        (done.status, done.stderr.as_str()),
        (1, ""),
        "fifty inputs do not reach all"
    );
    let first = done.stdout.lines().next().unwrap();
    assert!(first.ends_with("reached by 50 inputs of seed 7"), "{first}");
    assert!(done.stdout.contains("not reached\n"), "{}", done.stdout);
    assert_eq!(done.stdout, uriproof(&few).stdout);

    let done = uriproof(&[&few[..], &["--format", "json"]].concat());
    let reach: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&reach["seed"], &reach["inputs"]), (&json!(7), &json!(50)));
    let sections = reach["sections"].as_array().unwrap();
    let rows: usize = sections.iter().map(|section| section["rows"].as_array().unwrap().len()).sum();
    assert!(first.contains(&format!(" of {rows} ")), "{first}, {rows} rows");
    assert_eq!(sections[0]["name"], "ABNF alternatives");
    assert!(sections[0]["rows"][0]["name"].is_string() && sections[0]["rows"][0]["inputs"].is_u64());
}

#[test]
fn a_complete_suite_earns_a_certificate_or_finds_what_differs() {
    let done = uriproof(&[
        "complete",
        "--format",
        "json",
        "--subject",
        "oxiri*Iri::parse",
        "--subject",
        "rhymuri",
    ]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert_eq!(done.stderr, "", "no progress where no terminal is");
    let rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    let [oxiri, rhymuri] = rows.as_slice() else {
        panic!("two subjects: {}", done.stdout)
    };
    assert_eq!(oxiri["rule"], "URI");
    assert_eq!(
        (&oxiri["valid"]["diverge"], &oxiri["invalid"]["diverge"]),
        (&json!(0), &json!(0))
    );
    let certificate = &oxiri["certificates"][0];
    assert_eq!(certificate["method"], "HSI, k = 0, over one character of each class");
    assert_eq!(certificate["machine"]["states"], 180);
    assert_eq!(certificate["classes"].as_array().unwrap().len(), 21);
    assert!(
        certificate["proves"].as_str().unwrap().contains("at most 180 states"),
        "{certificate}"
    );
    assert!(!certificate["assumes"].as_array().unwrap().is_empty());
    assert!(!certificate["does_not_mean"].as_array().unwrap().is_empty());
    assert_eq!(rhymuri["certificates"], json!([]));
    assert_eq!(rhymuri["clusters"][0]["witness"], "%");
}

#[test]
fn a_sweep_counts_as_the_machine_does() {
    let done = uriproof(&[
        "sweep",
        "--max-length",
        "3",
        "--format",
        "json",
        "--subject",
        "reference",
    ]);
    assert_eq!(done.status, 0);
    let rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
    let grammar = uriproof(&["grammar", "URI-reference", "--format", "json", "--max-length", "3"]);
    let machine: Value = serde_json::from_str(&grammar.stdout).unwrap();
    let counted: u64 = machine["accepted_over_classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_str().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(rows[0]["valid"]["asked"], counted);
    assert_eq!(
        rows[0]["valid"]["asked"].as_u64().unwrap() + rows[0]["invalid"]["asked"].as_u64().unwrap(),
        9724
    );
}

#[test]
fn a_sweep_is_stopped_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("sweep.json");
    let state = state.to_str().unwrap();
    let sweep = |length| {
        let arguments = [
            "sweep",
            "--format",
            "json",
            "--subject",
            "uriparse*URIReference*",
            "--max-length",
            length,
        ];
        let whole = uriproof(&arguments);
        let stored = uriproof(&[&arguments[..], &["--state", state]].concat());
        assert_eq!((stored.status, &stored.stdout), (whole.status, &whole.stdout));
    };
    sweep("4");
    // As it stands after a stop.
    let text = fs::read_to_string(state).unwrap();
    let machines = Machines::of_rfc3986();
    let subject = SUBJECTS.iter().find(|subject| subject.declaration().label().contains("URIReference")).unwrap();
    let mut half = Sweep::new(SweepPlan::of(*subject, &machines, 4, Depth::Acceptance));
    assert!(half.go_on(&machines, *subject, |_| (), &|| false));
    let half = serde_json::to_value([half]).unwrap();
    let asked = |sweeps: &Value| sweeps[0]["invalid"]["agree"].as_u64().unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    assert!(asked(&half) > 0 && asked(&half) < asked(&whole), "{half}");
    fs::write(state, half.to_string()).unwrap();
    sweep("4");
    assert_eq!(fs::read_to_string(state).unwrap(), text);
    // Another plan begins beside it.
    sweep("2");
    let both: Value = serde_json::from_str(&fs::read_to_string(state).unwrap()).unwrap();
    assert_eq!(both.as_array().unwrap().len(), 2);

    fs::write(state, "[{}]").unwrap();
    let message = refused(&["sweep", "--state", state]);
    assert!(
        message.contains("sweep.json is no stored sweep") && message.contains("delete it"),
        "{message}"
    );
}

/// A subject that answers otherwise than the one that was swept, under the same name and version.
#[test]
fn a_stored_sweep_of_a_built_in_subject_is_put_again() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("sweep.json");
    let sweep = |subject: &str| {
        let path = state.to_str().unwrap();
        uriproof(&["sweep", "--max-length", "2", "--subject", subject, "--state", path])
    };
    let read = || -> Value { serde_json::from_str(&fs::read_to_string(&state).unwrap()).unwrap() };
    assert_eq!(sweep("reference").status, 0);
    let mut stored = read();
    assert_eq!(stored[0]["agreed"].as_array().unwrap().len(), 200);
    let label = |name: &str| {
        let labels = SUBJECTS.iter().map(|subject| subject.declaration().label());
        labels.into_iter().find(|label| label.starts_with(name)).unwrap()
    };
    stored[0]["plan"]["subject"] = label("rhymuri").into();
    fs::write(&state, stored.to_string()).unwrap();
    let done = sweep("rhymuri");
    assert_eq!(done.status, 2, "{}{}", done.stdout, done.stderr);
    assert!(
        done.stderr.contains("sweep.json: the stored sweep is of another program: "),
        "{}",
        done.stderr
    );
    // The same subject goes on with what is stored.
    stored[0]["plan"]["subject"] = label("reference").into();
    fs::write(&state, stored.to_string()).unwrap();
    assert_eq!(sweep("reference").status, 0);
    assert_eq!(read(), stored);
}

#[test]
fn profiles_are_other_languages() {
    let complete = |profile: &str, subject: &str| {
        let done = uriproof(&[
            "complete",
            "--format",
            "json",
            "--profile",
            profile,
            "--subject",
            subject,
        ]);
        let mut rows: Vec<Value> = serde_json::from_str(&done.stdout).unwrap();
        rows.remove(0)
    };
    let row = complete("claimed", "oxiri*IriRef*");
    assert_eq!(
        (&row["language"], &row["invalid"]["diverge"]),
        (&json!("RFC 3986 with iri"), &json!(0))
    );
    assert_eq!(row["valid"]["not_compared"], 0);
    // RFC 3986 is not RFC 6874, and a parser of the one is not one of the other.
    let row = complete("zone-id", "fluent*UriRef*");
    assert_eq!(row["invalid"]["diverge"], 0);
    assert!(row["clusters"][0]["difference"] == "rejected though valid", "{row}");
    let message = refused(&["complete", "--profile", "iri", "--profile", "host-not-empty"]);
    assert!(
        message.contains("do not go together: host-not-empty changes the rule reg-name"),
        "{message}"
    );
    assert!(uriproof(&["complete", "--profile", "url"]).stderr.contains("there are iri, port-65535"));
}

#[test]
fn the_core_suites_are_part_of_a_check() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let names = ["junit", "tap", "sarif", "github", "markdown", "json"];
    let outputs: Vec<String> = names.iter().map(|name| format!("--output={name}={}", file(name))).collect();
    let outputs = outputs.iter().map(String::as_str);
    let done = uriproof(&["check", "--subject", "rhymuri"].into_iter().chain(outputs).collect::<Vec<_>>());
    assert!(
        done.stdout.contains(" vectors, reading rfc3986, with the core suites\n"),
        "{}",
        done.stdout
    );
    // What it accepts though it is invalid is a group of the suite of `parse`, which has the core suite of the grammar.
    for (name, expected) in [
        ("junit", r#"name="suite/parse/accepted-invalid""#),
        ("tap", " - rhymuri 1.3.1 Uri::parse: suite/parse/accepted-invalid\n"),
        ("sarif", "suite/parse/accepted-invalid"),
        ("github", "title=suite/compose/accepted-invalid"),
        ("markdown", "<summary>The suites</summary>"),
        ("json", r#""suites": ["#),
    ] {
        let text = fs::read_to_string(file(name)).unwrap();
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    let done = uriproof(&["check", "--subject", "rhymuri", "--only", "rfc/5.4*"]);
    assert!(done.stdout.contains(", without suites\n"), "{}", done.stdout);
}

#[test]
fn a_usage_error_exits_with_2() {
    for arguments in [&[][..], &["fetch"], &["check", "--format", "yaml"], &["diff"]] {
        assert_eq!(uriproof(arguments).status, 2, "{arguments:?}");
    }
}
