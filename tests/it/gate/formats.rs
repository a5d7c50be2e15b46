//! Every output format of a check has the same results.

use serde_json::{Value, json};

use uriproof_grammar::Fnv;

use super::{REFUSES, VectorFolder, adapter, entry};
use crate::process::program;

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
        (
            "junit",
            r#"<skipped message="known, bug: so">severity  rejected-valid</skipped>"#,
        ),
        (
            "junit",
            r#"<property name="group 1" value="rejected-valid: refuses what is valid; §4/b, should; 1 vector; one/b: &quot;b&quot;: expected accepted, got rejected"/>"#,
        ),
        ("junit", "severity  rejected-valid\ninput     &quot;b&quot;\n"),
        ("tap", "  severity: \"rejected-valid\"\n  input: "),
        ("markdown", "| rejected-valid | refuses what is valid | [§4/b](https://"),
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
            "::error title=rejected-valid (1 vector)%3A refuses what is valid::\"b\": expected accepted, got rejected%0A§4/b",
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
    let schema = include_str!("../sarif-2.1.0.schema.json").replace("-[a-zA-Z]{2}]?$", "-[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let problems: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&sarif)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(problems.is_empty(), "{problems:?}");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of = |id: &str| results.iter().find(|one| one["partialFingerprints"]["vector/v1"] == id).unwrap();
    let hash = &of("one/b")["partialFingerprints"]["primaryLocationLineHash"];
    assert_eq!(hash, &json!(format!("{:016x}:1", Fnv::of(*b"planted parse one/b"))));
    assert_eq!(sarif["runs"][0]["automationDetails"]["id"], "uriproof/planted-parse/");
    assert_eq!(of("one/b")["level"], "warning");
    assert_eq!(of("one/b")["properties"]["severity"], "rejected-valid");
    assert_eq!(of("one/a")["suppressions"][0]["justification"], "bug: so");
}

#[test]
fn annotations_are_ten_at_most_the_worst_first() {
    let folder = VectorFolder::new();
    let done = folder.run(&[
        "check",
        "--subject",
        "url-parse",
        "--format",
        "github",
        "--only",
        "syntax/*",
    ]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 10, "{}", done.stdout);
    assert!(lines[0].starts_with("::error title=host ("), "{}", lines[0]);
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
    let first = ["check", "--all", "--vectors", "vectors", "--command", "sh adapter.sh"];
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
            "::error title=credentials (1 vector)%3A sends the userinfo of the base to another host",
            "::error title=host (1 vector)%3A resolves to another host",
            "::error title=crash (1 vector)%3A crashes",
            "::error title=path (1 vector)%3A resolves to another path::",
            "::error title=rejected-valid (1 vector)%3A refuses what is valid::",
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
    expect_places_and_help(&serde_json::from_str(&folder.text("out/sarif")).unwrap());
}

/// Code scanning shows a result at a place, the score of its rule, and its help.
fn expect_places_and_help(sarif: &Value) {
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let scores: Vec<_> = rules.iter().map(|rule| rule["properties"]["security-severity"].as_str()).collect();
    assert_eq!(scores, [Some("9.5"), Some("8.5"), Some("7.5"), Some("6.0"), None]);
    let texts = ["fullDescription", "help"].map(|field| rules[0][field]["text"].as_str().unwrap().to_owned());
    assert!(
        texts.iter().all(|text| text.contains("words of 4") && text.contains("//evil/x")),
        "{texts:?}"
    );
    let places = sarif["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| &result["locations"][0]["physicalLocation"]);
    for place in places {
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
            (&json!("adapter.sh"), &json!(1))
        );
    }
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
