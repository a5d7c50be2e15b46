//! The counts of the groups add up to those of the verdict, on the first screen and in every format.

use std::fs;

use regex::Regex;
use serde_json::Value;

use crate::process::{Done, program, run};

/// What fails: vectors, and inputs of suites.
type Sums = (u64, u64);

/// The numbers before some words, added up; of `36 of 38 vectors` the first.
fn sum(text: &str, words: &str) -> u64 {
    let count = Regex::new(&format!(r"(\d+)(?: of \d+)? (?:{words})\b")).unwrap();
    count.captures_iter(text).map(|found| found[1].parse::<u64>().unwrap()).sum()
}

/// What fails by rows of any format.
fn of_rows(text: &str) -> Sums {
    let text = Regex::new("answers? to suites").unwrap().replace_all(text, "to suites");
    (sum(&text, "vectors?|answers?"), sum(&text, "suite inputs?|to suites"))
}

/// What fails by the verdict of a subject: ` 853 fail` in the lines of vectors and of suite inputs.
fn of_verdict(screen: &str) -> Sums {
    let line = |head: &str| screen.lines().find(|line| line.trim_start().starts_with(head));
    let [vectors, suites] = ["vectors ", "suite inputs "].map(|head| sum(line(head).unwrap_or_default(), "fail"));
    (vectors, suites)
}

fn check(arguments: &[&str]) -> Done {
    run(program().arg("check").args(arguments))
}

#[test]
fn the_rows_of_a_screen_add_up_to_the_verdict() {
    for subject in ["rhymuri", "http", "url", "iri-string*UriStr::new"] {
        let done = check(&["--subject", subject]);
        let (rows, verdict) = done.stdout.split_once("\n\n").unwrap();
        let of_verdict = of_verdict(verdict);
        assert!(of_verdict.0 > 0, "{}", done.stdout);
        assert_eq!(of_rows(rows), of_verdict, "{}", done.stdout);
    }
}

#[test]
fn the_rows_of_several_entry_points_add_up_to_the_sums() {
    let done = check(&["--subject", "iri-string", "--subject", "oxiri"]);
    let (rows, verdicts) = done.stdout.split_once("\n\n").unwrap();
    let column = |from_end: usize, line: &str| -> u64 {
        line.split_whitespace().nth_back(from_end).unwrap().trim_start_matches('+').parse().unwrap()
    };
    let line = |head: &str| verdicts.lines().find(|line| line.contains(head)).unwrap();
    let sums = (
        column(1, line("all answers to vectors")),
        column(1, line("all answers to suites")),
    );
    assert!(sums.0 > 0 && sums.1 > 0, "{}", done.stdout);
    assert_eq!(of_rows(rows), sums, "{}", done.stdout);
    let of_each = |from_end: usize| -> u64 {
        let lines = verdicts.lines().filter(|line| line.starts_with("FAIL"));
        lines.map(|line| column(from_end, line)).sum()
    };
    assert_eq!((of_each(2), of_each(1)), sums, "{}", done.stdout);
}

#[test]
fn every_format_has_the_counts_of_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let outputs = ["markdown", "junit", "sarif", "github"].map(|name| format!("--output={name}={}", file(name)));
    let arguments: Vec<&str> =
        ["--subject", "iri-string*UriStr::new"].into_iter().chain(outputs.iter().map(String::as_str)).collect();
    let done = check(&arguments);
    let expected = of_verdict(&done.stdout);
    assert!(expected.0 > 0 && expected.1 > 0, "{}", done.stdout);
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();

    let markdown = read("markdown");
    let (head, groups) = markdown.split_once("| group | severity | what is wrong |").unwrap();
    let rows = groups.lines().skip(2).take_while(|line| line.starts_with("| "));
    let cell = |line: &str, at: usize| -> u64 { line.split(" | ").nth(at).unwrap().parse().unwrap() };
    let sums = rows.fold((0, 0), |sums: Sums, row| (sums.0 + cell(row, 4), sums.1 + cell(row, 5)));
    assert_eq!(sums, expected, "{markdown}");
    let fail = |row: &str| cell(head.lines().find(|line| line.contains(row)).unwrap(), 3);
    assert_eq!((fail("iri-string"), fail("suite inputs")), expected, "{markdown}");

    let properties: Vec<String> =
        read("junit").lines().filter(|line| line.contains("<property ")).map(str::to_owned).collect();
    let counts = properties.iter().map(|line| line.split("; ").nth(2).unwrap());
    assert_eq!(
        of_rows(&counts.collect::<Vec<_>>().join("\n")),
        expected,
        "{properties:#?}"
    );

    let titles = Regex::new(r"title=[a-z-]+ \(([^)]*)\)").unwrap();
    let github = read("github");
    let counts: Vec<&str> = titles.captures_iter(&github).map(|found| found.get(1).unwrap().as_str()).collect();
    assert_eq!(of_rows(&counts.join("\n")), expected, "{github}");

    let sarif: Value = serde_json::from_str(&read("sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let suite_inputs = |result: &Value| result["properties"]["suiteInputs"].as_u64();
    let vectors = results.iter().filter(|result| suite_inputs(result).is_none()).count() as u64;
    assert_eq!((vectors, results.iter().filter_map(suite_inputs).sum()), expected);
}
