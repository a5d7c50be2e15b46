//! Where several outcomes conform: whether the choice of each answer is kept, and a mix of choices shown.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use crate::process::{Done, program, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof::gate::Choices;
use uriproof::model::Reading;
use uriproof::run as ask;
use uriproof::vectors::Library;
use uriproof_subjects::SUBJECTS;

/// The vectors that offer `literal`, `slash-dot` and `error`, and no other names.
const NINE: [&str; 9] = [
    "found/resolving/rootless-path-becomes-two-slashes",
    "resolution/double-slash-without-authority/relative-reference",
    "resolution/double-slash-without-authority/absolute-path-with-single-dot",
    "resolution/double-slash-without-authority/absolute-path-with-double-dot",
    "resolution/double-slash-without-authority/rootless-base",
    "resolution/double-slash-without-authority/literal-is-no-uri",
    "resolution/double-slash-without-authority/empty-segments-only",
    "resolution/double-slash-without-authority/base-with-double-slash-behind-dot",
    "resolution/double-slash-without-authority/rootless-reference",
];

/// The vector in which the planted adapter may choose otherwise.
const DEPARTS: &str = NINE[5];

/// The answer `slash-dot` to each of the nine. The answer to the one that departs is `$answer`.
fn adapter(answer: &str) -> String {
    format!(
        r#"printf '%s\n' '{{"id":0,"name":"planted","version":"1","entry_point":"resolve","language":"sh","specification":"RFC 3986","operations":["resolve"]}}'
read -r line
while IFS= read -r line; do
  id="${{line#*\"id\":}}"; id="${{id%%,*}}"
  uri() {{ printf '{{"id":%s,"outcome":"accepted","uri":"%s"}}\n' "$id" "$1"; }}
  reject() {{ printf '{{"id":%s,"outcome":"rejected"}}\n' "$id"; }}
  case "$line" in
    *'b:c"'*) {answer};;
    *'"base":"a:"'*) uri a:/.//;;
    *'"base":"f:'*) uri f:/.//g;;
    *'"base":"s:'*) uri s:/.//;;
    *) uri x:/.//b;;
  esac
done
"#
    )
}

/// Checks the planted adapter on the nine vectors, in a folder that keeps what is written.
fn check(folder: &Path, answer: &str, arguments: &[&str]) -> Done {
    fs::write(folder.join("adapter.sh"), adapter(answer)).unwrap();
    let only = NINE.iter().flat_map(|id| ["--only", id]);
    run(program().current_dir(folder).args(["check", "--command", "sh adapter.sh"]).args(only).args(arguments))
}

fn results(folder: &Path, answer: &str) -> Value {
    let done = check(folder, answer, &["--format", "json"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    serde_json::from_str(&done.stdout).unwrap()
}

#[test]
fn one_answer_that_departs_from_eight_is_shown_and_is_no_failure() {
    for (name, answer) in [("literal", "uri f://b:c"), ("error", "reject")] {
        let folder = TempDir::new().unwrap();
        let done = check(folder.path(), answer, &["--all", "--output", "markdown=out/markdown"]);
        assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);
        assert!(
            done.stdout.contains("pass  planted 1 resolve     9 agree     0 fail"),
            "{}",
            done.stdout
        );
        let expected = format!(
            "planted 1 resolve: mixed choices  each answer conforms, but no single choice fits all; a note, not a failure\n  \
             literal/slash-dot/error: slash-dot in 8 of 9\n    {name}  {DEPARTS}\n"
        );
        assert!(done.stdout.contains(&expected), "{expected} is not in {}", done.stdout);
        let markdown = fs::read_to_string(folder.path().join("out/markdown")).unwrap();
        let row = format!("| literal/slash-dot/error: slash-dot in 8 of 9 | {name}: {DEPARTS} |\n");
        assert!(markdown.contains("### Mixed choices\n"), "{markdown}");
        assert!(markdown.contains(&row), "{row} is not in {markdown}");

        let choices = &results(folder.path(), answer)["subjects"][0]["choices"];
        let eight: Vec<&str> = NINE.into_iter().filter(|id| *id != DEPARTS).collect();
        let found = &choices[0]["answers"];
        assert_eq!(choices[0]["throughout"], json!([]));
        assert_eq!(found[0]["fits"], json!(["slash-dot"]));
        assert_eq!(found[0]["vectors"], json!(eight));
        assert_eq!(found[1], json!({"fits": [name], "vectors": [DEPARTS]}));
    }
}

#[test]
fn one_choice_throughout_is_kept_and_no_mix() {
    let folder = TempDir::new().unwrap();
    let done = check(folder.path(), "uri f:/.//b:c", &["--output", "markdown=out/markdown"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let markdown = fs::read_to_string(folder.path().join("out/markdown")).unwrap();
    assert!(
        !done.stdout.contains("ixed choices") && !markdown.contains("ixed choices"),
        "{}",
        done.stdout
    );
    let expected = json!([{
        "offers": ["literal", "slash-dot", "error"],
        "throughout": ["slash-dot"],
        "answers": [{"fits": ["slash-dot"], "vectors": NINE}],
    }]);
    let results = results(folder.path(), "uri f:/.//b:c");
    assert_eq!(results["subjects"][0]["choices"], expected);
}

#[test]
fn an_answer_that_does_not_conform_is_no_choice() {
    let folder = TempDir::new().unwrap();
    let done = check(folder.path(), "uri f:/b:c", &[]);
    assert_eq!(done.status, 1, "{}", done.stdout);
    assert!(!done.stdout.contains("mixed choices"), "{}", done.stdout);
}

#[test]
fn a_choice_that_changed_between_two_results_is_listed_and_is_not_worse() {
    let folder = TempDir::new().unwrap();
    for (file, answer) in [("old.json", "uri f:/.//b:c"), ("new.json", "reject")] {
        check(folder.path(), answer, &["--output", &format!("json={file}")]);
    }
    let regress = |old: &str, new: &str, format: &str| {
        run(program().current_dir(folder.path()).args(["regress", old, new, "--format", format]))
    };
    let done = regress("old.json", "new.json", "human");
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.starts_with("0 worse, 0 better, 1 otherwise\n"),
        "{}",
        done.stdout
    );
    assert!(
        done.stdout.contains("    old  agrees: slash-dot\n    new  agrees: error\n"),
        "{}",
        done.stdout
    );
    let done = regress("old.json", "new.json", "json");
    let found: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(found["changed"][0]["id"], DEPARTS);
    assert_eq!(found["changed"][0]["new"]["choice"]["fits"], json!(["error"]));

    let same = regress("new.json", "new.json", "human");
    assert!(
        same.stdout.starts_with("0 worse, 0 better, 0 otherwise\n"),
        "{}",
        same.stdout
    );
    // A file of a version that kept no choices knows of no change.
    let mut without: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("old.json")).unwrap()).unwrap();
    without["subjects"][0].as_object_mut().unwrap().remove("choices");
    fs::write(folder.path().join("without.json"), without.to_string()).unwrap();
    let done = regress("without.json", "new.json", "human");
    assert!(
        done.stdout.starts_with("0 worse, 0 better, 0 otherwise\n"),
        "{}{}",
        done.stdout,
        done.stderr
    );
}

/// A name that stood for two ways of working would make a mix of an implementation that has one.
#[test]
fn the_reference_mixes_no_choices() {
    let library = Library::embedded();
    let reference = SUBJECTS.iter().find(|subject| subject.declaration().name == "reference").unwrap();
    let results: Vec<_> = library
        .vectors()
        .map(|vector| (&*vector.id, ask::vector(*reference, vector, Reading::Rfc3986).choice))
        .collect();
    let choices = Choices::of(results.iter().filter_map(|(id, choice)| Some((*id, choice.as_ref()?))));
    assert!(choices.len() > 10, "{choices:?}");
    let mixed: Vec<&Choices> = choices.iter().filter(|choices| choices.is_mixed()).collect();
    assert!(mixed.is_empty(), "{mixed:#?}");
}

/// url refuses a reference against a base with a rootless path, and guards a path that begins with "//" elsewhere.
#[test]
fn a_builtin_subject_that_refuses_here_and_answers_there_mixes() {
    let folder = TempDir::new().unwrap();
    let only = NINE[1..].iter().flat_map(|id| ["--only", id]);
    let check = ["check", "--all", "--subject", "url 2.5.8 *", "--specification", "URI"];
    let done = run(program().current_dir(folder.path()).args(check).args(only));
    assert_eq!(done.status, 0, "{}", done.stdout);
    let expected = "  literal/slash-dot/error: slash-dot in 5 of 8\n    error  resolution/double-slash-without-authority/rootless-base\n";
    assert!(done.stdout.contains(expected), "{}", done.stdout);
}
