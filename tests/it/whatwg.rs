//! The other specification: the claim `whatwg`, its reference as a subject, and what `explain` says of it.

use std::fs;

use serde_json::Value;
use uriproof::compare::Verdict;
use uriproof::expect::Expected;
use uriproof::expect::whatwg::expect;
use uriproof::gate::{Claim, Claimed, Gate};
use uriproof::model::{Clause, Component, Input, Operation, Outcome, Reading, Rule, Scope, Subject, Value as UriValue};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_deviations::url_rules::UrlRule;
use uriproof_lab::generate::Generator;
use uriproof_subjects::SUBJECTS;
use uriproof_subjects::url::Url;
use uriproof_subjects::whatwg::WhatwgReference;

use crate::first_screen::assert_screen;
use crate::process::{has, program, run as run_program};

fn parse(input: &str) -> Input {
    Input::Parse {
        rule: Rule::Uri,
        input: input.to_owned(),
    }
}

/// What follows the standard agrees with it, though it diverges from RFC 3986, and the reverse.
#[test]
fn the_claim_compares_with_the_standard() {
    let url = Claimed::new(&Url as &dyn Subject, Some(Claim::Whatwg));
    let inputs = [
        parse("http://a\\@b/"),
        parse("HTTP://0x7f.1:80/../%2e/b"),
        parse("http://a b/"),
        parse("a:/.//b"),
        Input::Resolve {
            base: "http://a/b".to_owned(),
            reference: "http:c".to_owned(),
            strict: false,
        },
        Input::Normalize {
            uri: "ws://A/%41 |".to_owned(),
            scope: Scope::Scheme,
        },
        Input::Modify {
            uri: "https://a/".to_owned(),
            component: Component::Host,
            value: Some("b\u{e9}".to_owned()),
        },
    ];
    for input in inputs {
        let result = run::one(&url, &input, Reading::Rfc3986);
        assert_eq!(
            result.verdict,
            Verdict::Agree { conforming: None },
            "{input}: {result:?}"
        );
    }
    assert!(matches!(
        run::one(&Url, &parse("http://a\\@b/"), Reading::Rfc3986).verdict,
        Verdict::Diverge(_)
    ));
}

/// A library that says it follows the standard, and does not end an authority at a backslash.
#[test]
fn a_planted_mistake_is_one_of_its_own() {
    struct KeepsBackslash;
    impl Subject for KeepsBackslash {
        fn declaration(&self) -> &uriproof::model::Declaration {
            WhatwgReference.declaration()
        }
        fn parse(&self, rule: Rule, input: &str) -> Outcome {
            WhatwgReference.parse(rule, &input.replace('\\', "%5C"))
        }
    }
    let planted = Claimed::new(&KeepsBackslash as &dyn Subject, Some(Claim::Whatwg));
    let result = run::one(&planted, &parse("http://a\\@b/"), Reading::Rfc3986);
    assert_eq!(Severity::of(&result), Some(Severity::Host), "{result:?}");
    let result = run::one(&planted, &parse("http://a@b/"), Reading::Rfc3986);
    assert_eq!(result.verdict, Verdict::Agree { conforming: None });
}

/// The reference agrees with itself on whatever is generated, in each operation that it has.
#[test]
fn the_reference_is_what_it_is_compared_with() {
    let reference = Claimed::new(&WhatwgReference as &dyn Subject, Some(Claim::Whatwg));
    let operations = WhatwgReference.declaration().operations.to_vec();
    let mut generator = Generator::of(38, &operations);
    let mut agreed = [0; Operation::ALL.len()];
    for _ in 0..20_000 {
        let input = generator.next_input();
        let result = run::one(&reference, &input, Reading::Rfc3986);
        assert!(!matches!(result.verdict, Verdict::Diverge(_)), "{input}: {result:?}");
        if matches!(result.verdict, Verdict::Agree { .. }) {
            agreed[input.operation() as usize] += 1;
        }
    }
    for operation in operations {
        assert!(agreed[operation as usize] > 100, "{operation}: {agreed:?}");
    }
}

#[test]
fn the_reference_is_served() {
    let mut serve = program();
    serve.args(["serve", "--subject", "whatwg"]).write_stdin(
        "{\"id\":0,\"op\":\"hello\"}\n{\"id\":1,\"op\":\"parse\",\"rule\":\"URI\",\"input\":\"http:\\\\\\\\0x7f.1\"}\n",
    );
    let done = run_program(&mut serve);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let answers: Vec<Value> = done.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["specification"], "WHATWG URL", "{}", done.stdout);
    assert_eq!(answers[1]["components"]["host"], "127.0.0.1", "{}", done.stdout);
}

#[test]
fn explain_shows_states_and_validation_errors() {
    let done = run_program(program().args(["explain", "--specification", "whatwg", "http://a\\@b"]));
    assert_screen("explain-whatwg", done.stdout.trim_end());
    let failed = run_program(program().args(["explain", "--specification", "whatwg", "//b", "--base", "http://[/"]));
    assert_screen("explain-whatwg-failure", failed.stdout.trim_end());
    let json = run_program(program().args(["explain", "--specification", "whatwg", "a:b", "--format", "json"]));
    let value: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        (&value["href"], &value["states"][0]["state"]),
        (&"a:b".into(), &"scheme start state".into())
    );
    let other = run_program(program().args(["explain", "--specification", "http", "a:b"]));
    assert_eq!(other.status, 2, "{}", other.stdout);
}

/// Each rule in which the two standards part, in a strict library of RFC 3986, in `url`, and in Node where it is there.
#[test]
fn the_examples_of_the_rules_are_tried_in_libraries() {
    let strict =
        SUBJECTS.iter().find(|subject| subject.declaration().label() == "fluent-uri 0.4.1 Uri::parse").unwrap();
    let url = Claimed::new(&Url as &dyn Subject, Some(Claim::Whatwg));
    for one in UrlRule::ALL {
        let example = one.row().example;
        assert!(
            !matches!(
                run::one(*strict, &parse(example), Reading::Rfc3986).verdict,
                Verdict::Diverge(_)
            ),
            "{example}"
        );
        let result = run::one(&url, &parse(example), Reading::Rfc3986);
        assert_eq!(
            result.verdict,
            Verdict::Agree { conforming: None },
            "{example}: {result:?}"
        );
    }
    if !has("node") {
        return;
    }
    let examples: Vec<&str> = UrlRule::ALL.iter().map(|one| one.row().example).collect();
    let script = format!(
        "console.log(JSON.stringify({}.map(text => URL.canParse(text) ? new URL(text).href : null)))",
        serde_json::to_string(&examples).unwrap()
    );
    let done = run_program(assert_cmd::Command::new("node").args(["-e", &script]));
    let answers: Vec<Option<String>> = serde_json::from_str(&done.stdout).unwrap();
    for (example, answer) in examples.iter().zip(answers) {
        let expected = match expect(&Input::RoundTrip {
            uri: (*example).to_owned(),
        })
        .literal()
        {
            Outcome::Accepted {
                value: UriValue::Uri(href),
            } => Some(href),
            _ => None,
        };
        assert_eq!(answer, expected, "{example}");
    }
}

/// Where libraries see different hosts, the address that each stands for is beside it.
#[test]
fn diff_says_which_machine_a_host_is() {
    let done = run_program(program().args(["diff", "http://0x7f.1/"]));
    assert!(
        done.stdout.contains("      which is 127.0.0.1 (loopback) to WHATWG URL, inet_aton\n"),
        "{}",
        done.stdout
    );
    let origins = "      origin http://0x7f.1 by RFC 6454, http://127.0.0.1 by WHATWG URL\n";
    assert!(done.stdout.contains(origins), "{}", done.stdout);
    let part = "\nRFC 3986 and the URL Standard differ here: a special host that ends in a\n  number is IPv4, or refused \
                (DIFFERENCES.md)\nnext: ";
    assert!(done.stdout.contains(part), "{}", done.stdout);
    let resolved = run_program(program().args(["diff", "\\\\b", "--base", "http://a/c"])).stdout;
    let part = "\nRFC 3986 and the URL Standard differ here: the target is none by RFC 3986, and\n  \"http://b/\" by the URL \
                Standard: `\\` is `/` in a special scheme; the empty\n  path of a special scheme is `/` (DIFFERENCES.md)\nnext: ";
    assert!(resolved.contains(part), "{resolved}");
    for (base, reference, rules) in [
        (
            "http://a/b",
            "///c/d",
            "a special scheme takes any number of slashes for `//`",
        ),
        ("http://a/b", " c", "controls and spaces at the ends are dropped"),
        (
            "http://a/b",
            "?a b",
            "a character that RFC 3986 forbids is encoded or kept",
        ),
        ("http://a/b", "http://[v1.a]/", "an IPvFuture address is refused"),
        (
            "http://a/b",
            "http:c",
            "a reference with the special scheme of the base is relative to it",
        ),
        ("a:/b", ".//c", "a path that begins with `//` gets `/.` before it"),
    ] {
        let based = ["diff", "--base", base, "--subject", "reference", "--", reference];
        let differ = run_program(program().args(based)).stdout;
        let differ = differ.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(differ.contains(&format!(": {rules}")), "{reference}: {differ}");
    }
    // The rules are those of a string without a base.
    let based = [
        "diff",
        "http:g",
        "--base",
        "http://a/b",
        "--subject",
        "reference",
        "--format",
        "json",
    ];
    let based: Value = serde_json::from_str(&run_program(program().args(based)).stdout).unwrap();
    assert_eq!(based["standards_differ"], serde_json::json!([]), "{based}");
    let alike = run_program(program().args(["diff", "//b/", "--base", "http://a/c"])).stdout;
    assert!(!alike.contains("differ here"), "{alike}");
}

#[test]
fn programs_read_which_machine_a_host_is() {
    let diff = [
        "diff",
        "http://0x7f.1:80/",
        "--subject",
        "reference",
        "--format",
        "json",
    ];
    let value: Value = serde_json::from_str(&run_program(program().args(diff)).stdout).unwrap();
    assert_eq!(
        value["standards_differ"][0], "a special host that ends in a number is IPv4, or refused",
        "{value}"
    );
    let machine = &value["subjects"][0]["machine"];
    let loopback = serde_json::json!(
        {"address": "127.0.0.1", "reach": "loopback", "readings": ["WHATWG URL", "inet_aton"]}
    );
    assert_eq!(machine["addresses"], serde_json::json!([loopback]), "{value}");
    assert_eq!(
        machine["origin"],
        serde_json::json!({"rfc6454": "http://0x7f.1", "url_standard": "http://127.0.0.1"})
    );
    let pairs = [
        "diff",
        "--pairs",
        "--subject",
        "url",
        "--count",
        "1000",
        "--format",
        "json",
    ];
    let rows: Value = serde_json::from_str(&run_program(program().args(pairs)).stdout).unwrap();
    let of_hosts = rows.as_array().unwrap().iter().filter(|row| row["component"] == "host");
    let both = of_hosts.filter(|row| row["checker_machine"]["addresses"] != row["fetcher_machine"]["addresses"]);
    assert!(both.count() > 0, "{rows}");
}

/// `url` follows the standard: by it, few of its answers diverge.
#[test]
fn a_library_is_checked_by_the_standard() {
    let by = |specification: &[&str]| {
        let check = ["check", "--subject", "url", "--suite", "none", "--format", "json"];
        let done = run_program(program().args(check).args(specification));
        assert_eq!(done.status, 1, "{}", done.stderr);
        let results: Value = serde_json::from_str(&done.stdout).unwrap();
        let of_whatwg = |vector: &&Value| {
            vector["verdict"] == "diverge" && vector["id"].as_str().is_some_and(|id| id.starts_with("whatwg/"))
        };
        let own = results["vectors"].as_array().unwrap().iter().filter(of_whatwg).count() as u64;
        let counts = &results["subjects"][0]["counts"];
        (
            counts["agree"].as_u64().unwrap(),
            counts["diverge"].as_u64().unwrap() - own,
        )
    };
    let (rfc, whatwg) = (by(&["--specification", "URI"]), by(&[]));
    assert!(whatwg.0 > rfc.0 && whatwg.1 * 10 < rfc.1, "{rfc:?} {whatwg:?}");
}

/// A setter that refuses a value which is there already is wrong, and one that the standard ignores may be refused.
#[test]
fn only_what_the_standard_ignores_may_be_refused() {
    let set = |value: &str| {
        expect(&Input::Modify {
            uri: "http://a/".to_owned(),
            component: Component::Host,
            value: Some(value.to_owned()),
        })
    };
    let conforming = |value: &str| match set(value) {
        Expected::Outcomes(outcomes) => outcomes.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!((conforming("a"), conforming("b"), conforming("a b")), (1, 1, 2));
}

#[test]
fn an_issue_names_the_standard_by_which_it_is_one() {
    let check = [
        "check",
        "--subject",
        "url",
        "--suite",
        "none",
        "--specification",
        "whatwg",
        "--group",
        "1",
    ];
    let issue = run_program(program().args(check).args(["--format", "issue"])).stdout;
    assert!(issue.contains(", the WHATWG URL Standard expects "), "{issue}");
    assert!(!issue.contains("RFC 3986"), "{issue}");
    assert!(
        issue.contains("](https://url.spec.whatwg.org/#"),
        "the step, with its words: {issue}"
    );
}

#[test]
fn each_rule_cites_clauses_of_both_registers() {
    let library = Library::embedded();
    for one in UrlRule::ALL {
        let (clause, anchor) = (one.row().clause, one.row().anchor);
        assert!(library.clause(clause).is_some(), "{one:?}: {clause}");
        let is_there = |clause: &Clause| clause.section == anchor;
        assert!(library.whatwg.clauses.iter().any(is_there), "{one:?}: {anchor}");
    }
}

/// A host that the domain parser refuses without an error of its own: the step is named.
#[test]
fn explain_names_the_step_that_refuses_a_domain() {
    let step = |url: &str| {
        let done = run_program(program().args(["explain", "--specification", "whatwg", "--format", "json", url]));
        let explanation: Value = serde_json::from_str(&done.stdout).unwrap();
        explanation["domain_failure"].as_str().map(str::to_owned)
    };
    let forbidden = "step 8 of the domain parser, U+003C (<) is a forbidden domain code point";
    assert_eq!(step("http://a%3cb/").as_deref(), Some(forbidden));
    assert_eq!(
        step("http://%C2%AD/").as_deref(),
        Some("step 7 of the domain parser, the domain is empty")
    );
    assert_eq!(
        step("http://xn--\u{e9}/").as_deref(),
        Some("step 6.2 of the domain parser, ToASCII fails")
    );
    for other in ["http://a/", "http://xn--/", "http://256.1.1.1/", "http://[/", "a://<b/"] {
        assert_eq!(step(other), None, "{other}");
    }
}

/// The vectors of the standard are run by its claim alone, and a failure is shown with its clause.
#[test]
fn the_vectors_of_the_standard_are_run_by_its_claim() {
    let library = Library::embedded();
    let gate = || Gate::of(&WhatwgReference).suite(None).only(&["whatwg/**"]).unwrap();
    let tally = gate().claim(Claim::Whatwg).run(&library).unwrap().tally();
    assert_eq!(
        (tally.agree, tally.compared()),
        (library.whatwg.vectors.len(), tally.agree)
    );
    assert_eq!(gate().claim(Claim::Uri).run(&library).unwrap().tally().compared(), 0);

    let check = ["check", "--subject", "url", "--suite", "none", "--only", "whatwg/**"];
    let url = run_program(program().args(check));
    assert_eq!(url.status, 1, "{}", url.stderr);
    assert!(url.stdout.contains("#host-state/2.2, must"), "{}", url.stdout);
    let by_rfc = run_program(program().args(check).args(["--specification", "URI"]));
    assert_eq!(by_rfc.status, 2, "{}", by_rfc.stdout);
}

/// What is wrong with a file of vectors of the standard is said with its line and what would be right.
#[test]
fn broken_vectors_of_the_standard_are_named() {
    let file = |vector: Value| {
        let file = serde_json::json!({
            "uriproof": 1, "title": "Own", "specification": "whatwg", "section": "host-state", "vectors": [vector],
        });
        let texts = vec![("own.json".to_owned(), file.to_string())];
        Library::read(std::path::Path::new("mine"), texts)
    };
    let vector = |expect: Value| {
        serde_json::json!({
            "id": "own/case", "input": { "operation": "round-trip", "uri": "http://A" }, "expect": expect, "level": "must",
            "clauses": ["#host-state/3.5"],
        })
    };
    let right = vector(serde_json::json!({ "whatwg": { "outcome": "accepted", "uri": "http://a/" } }));
    let library = file(right.clone()).unwrap();
    assert_eq!((library.lint().len(), library.whatwg.vectors.len()), (0, 1));
    assert_eq!(library.vectors().count(), 0);

    let message = |vector: Value| match file(vector) {
        Err(error) => error.to_string(),
        Ok(library) => library.lint().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    };
    let changed = |field: &str, value: Value| {
        let mut vector = right.clone();
        vector[field] = value;
        message(vector)
    };
    let other = serde_json::json!({ "whatwg": { "outcome": "accepted", "uri": "http://A/" } });
    let rule = serde_json::json!({ "operation": "parse", "rule": "URI-reference", "input": "http://a" });
    for (message, expected) in [
        (
            changed("expect", other),
            "own.json:1: own/case: the vector expects \"http://A/\", and the standard \"http://a/\"",
        ),
        (
            changed("clauses", serde_json::json!(["#host-state/3.9"])),
            "is not in the register, perhaps `#host-state/",
        ),
        (
            changed("errors", serde_json::json!(["host-missing at byte 0"])),
            "`errors` are those of `parse` and `resolve`",
        ),
        (changed("input", rule), "it parses as `URI`"),
        (changed("level", "may".into()), "the level is `must`"),
        (
            changed("expect", serde_json::json!({ "rfc3986": {} })),
            "mine/own.json:1:",
        ),
        (changed("twin", "own/b".into()), "unknown field `twin`"),
    ] {
        assert!(message.contains(expected), "{message}\nlacks {expected}");
    }
}

/// The command that is printed for a string of a file measures as the run did.
#[test]
fn a_line_of_a_file_is_shown_again_by_the_standard() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("urls.txt");
    fs::write(&file, "http://a/^\n").unwrap();
    let done = run_program(program().args(["check", "--subject", "url", "--corpus"]).arg(&file));
    assert_eq!(done.status, 1, "{}", done.stderr);
    let again = done.stdout.lines().find_map(|line| line.trim_start().strip_prefix("again ")).unwrap();
    assert!(again.contains(" --specification whatwg "), "{again}");
    let words = shell_words::split(again.trim_start().strip_prefix("uriproof ").unwrap()).unwrap();
    let shown = run_program(program().args(words));
    assert!(shown.stdout.contains("%5E"), "{}", shown.stdout);
}
