//! `uriproof diff` shows the answers of all subjects to one input.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use uriproof_subjects::SUBJECTS;

use super::{refused, uriproof};

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
    let input = ["diff", "//a\\@b", "--operation", "parse", "--all"];
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
    assert!(names.iter().all(|line| line.len() <= 80), "{}", done.stdout);
    let of_line = |line: &&str| line.trim_end_matches([',', ';']).split([',', ';']).count();
    assert_eq!(
        names.iter().map(of_line).sum::<usize>(),
        json["subjects"].as_array().unwrap().len(),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("fluent-uri 0.4.1 UriRef::parse,"),
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

/// Another port is beside `agree`: the reader sees why.
#[test]
fn diff_says_why_an_answer_with_other_letters_agrees() {
    for (input, operation, subject, rows) in [
        (
            "http://a:80/",
            "parse",
            "url",
            "path \"/\"\n           (the library drops the default port: compared after normalization)\n             url 2.5.8",
        ),
        (
            "http://a/",
            "parse",
            "url-parse",
            "port \"80\" path \"/\"\n           (the library adds the default port: compared after normalization)\n",
        ),
        (
            "HTTP://a/",
            "parse",
            "http",
            "\n           (scheme compared ignoring case)\n             http 1.5.0",
        ),
        // It is the other outcome, to the letter.
        (
            "http://a:80/",
            "round-trip",
            "url",
            "    agree    \"http://a/\"  (omitted)\n",
        ),
        (
            "http://a:80/",
            "normalize",
            "web-url",
            "\n    not comparable: it shows every URI in a normal form of its own, and\n      whether this is that one is unknown\n      \"http",
        ),
    ] {
        let done = uriproof(&["diff", input, "--operation", operation, "--subject", subject]);
        assert!(done.stdout.contains(rows), "{rows} is not in {}", done.stdout);
    }
}

#[test]
fn diff_ends_with_what_to_do_next() {
    for (arguments, next) in [
        (
            &["it's"][..],
            "\nnext: `uriproof explain -- 'it'\\''s'` names the rule and the clause\n",
        ),
        (
            &["g", "--base", "http://a/b c", "--non-strict"],
            "\nnext: `uriproof explain --base 'http://a/b c' --non-strict -- g` shows the steps\n",
        ),
        (
            &["http://a", "--specification", "whatwg"],
            "\nnext: `uriproof explain --specification whatwg -- http://a` shows the states\n",
        ),
    ] {
        let done = uriproof(&[&["diff"][..], arguments, &["--subject", "reference"]].concat());
        assert!(
            done.stdout.ends_with(next),
            "{next} is not at the end of {}{}",
            done.stdout,
            done.stderr
        );
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
    assert!(done.stdout.contains(": by RFC 3986 "), "{}", done.stdout);
    // What is right comes first, then who sees what, and no input is there twice.
    let heads: Vec<&str> = done.stdout.lines().filter(|line| line.contains(": by RFC 3986 ")).collect();
    assert!(heads.len() > 1, "{}", done.stdout);
    assert_eq!(
        heads.iter().collect::<BTreeSet<_>>().len(),
        heads.len(),
        "{}",
        done.stdout
    );
    assert!(!done.stdout.contains("reference 0.1.0;"), "{}", done.stdout);
    // A version stands beside its name.
    let names = || SUBJECTS.iter().map(|subject| format!(" {}", subject.declaration().name));
    let broken: Vec<&str> = done.stdout.lines().filter(|line| names().any(|name| line.ends_with(&name))).collect();
    assert!(broken.is_empty(), "{broken:#?}");

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
fn diff_pairs_marks_an_answer_that_a_profile_does_not_predict() {
    let with_ledger = |folder: &str| {
        uriproof(&[
            "diff",
            "--pairs",
            "--count",
            "100",
            "--subject",
            "uris",
            "--ledger",
            folder,
        ])
    };
    let words = "not what the profile of uris 0.1.1 Uri::parse predicts\n";
    let done = with_ledger("ledger");
    assert!(!done.stdout.contains(words), "{}", done.stdout);
    // Without its deviations, the profile is RFC 3986.
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string("ledger/uris.toml").unwrap();
    let (without_entries, _) = text.split_once("\n[[entry]]\n").unwrap();
    fs::write(folder.path().join("uris.toml"), without_entries).unwrap();
    let done = with_ledger(folder.path().to_str().unwrap());
    assert!(done.stdout.contains(words), "{}", done.stdout);
}

/// Two deviations act at once: both are named in their order, with the causes of both.
#[test]
fn diff_names_each_deviation_that_acts() {
    let input = "HTTP://A:080";
    let subject = ["--subject", "uriparse 0.6.4 URI::try_from"];
    let text = uriproof(&[&["diff", input, "--all"], &subject[..]].concat()).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let json = uriproof(&[&["diff", input, "--format", "json"], &subject[..]].concat()).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["uriproof"], 2);
    let rows = json["subjects"].as_array().unwrap();
    let parse = rows.iter().find(|row| row["operation"] == "parse").unwrap();
    assert_eq!(parse["class"], Value::Null);
    let sentences: Vec<&str> =
        parse["deviations"].as_array().unwrap().iter().map(|one| one["sentence"].as_str().unwrap()).collect();
    assert!(sentences.len() > 1, "{sentences:?}");
    let numbered: Vec<String> =
        sentences.iter().enumerate().map(|(at, sentence)| format!("{}. {sentence}", at + 1)).collect();
    let words = format!("predicted: {}", numbered.join(" "));
    assert!(text.contains(&words), "{words}\n{text}");
    assert!(text.contains(" And: "), "{text}");
}

#[test]
fn diff_escapes_what_would_not_print() {
    let done = uriproof(&["diff", "a\u{1b}[31m\u{202e}b", "--operation", "parse"]);
    assert!(done.stdout.contains("\\u{1b}[31m\\u{202e}b"), "{}", done.stdout);
    assert!(!done.stdout.contains('\u{1b}'), "{}", done.stdout);
}

#[test]
fn json_has_every_character_of_a_string() {
    let done = uriproof(&["diff", "a\u{7f}b", "--subject", "reference", "--format", "json"]);
    let diff: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(diff["input"]["input"], "a\u{7f}b", "{}", done.stdout);
}
