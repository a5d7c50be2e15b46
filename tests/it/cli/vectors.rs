//! Files of vectors are listed, shown or linted on the command line.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::{refused, uriproof};

#[test]
fn vectors_are_listed_shown_and_linted() {
    let done = uriproof(&["vectors", "list"]);
    assert_eq!(done.status, 0);
    assert!(done.stdout.contains("rfc/5.4.1/query-only"), "{}", done.stdout);

    let done = uriproof(&["vectors", "show", "rfc/5.4.1/query-only"]);
    assert!(done.stdout.contains("http://a/b/c/d;p?y"), "{}", done.stdout);
    assert!(done.stdout.contains("§5.2.2/"), "{}", done.stdout);

    let done = uriproof(&["vectors", "show", "whatwg/ipv4/zeros"]);
    assert!(
        done.stdout.contains("WHATWG URL Standard #concept-ipv4-parser"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("Prepend n % 256, serialized, to output."),
        "{}",
        done.stdout
    );
    let done = uriproof(&["vectors", "show", "whatwg/ipv4/zeros", "--format", "json"]);
    let shown: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(shown["expect"]["whatwg"]["outcome"], "accepted", "{shown}");

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
        assert!(done.stdout.contains("   1 agree     0 fail"), "{}", done.stdout);
        // A group has the clause of its deviation, a failure that of its vector.
        let done = uriproof(&["check", "--subject", "web-url", "--all", "--vectors", path]);
        assert_eq!(done.status, 1, "{} {}", done.stdout, done.stderr);
        assert!(done.stdout.contains("\n  §3/URI  "), "{}", done.stdout);
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
