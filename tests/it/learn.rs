//! `uriproof learn`, as a process.

use std::collections::BTreeMap;
use std::fs;

use crate::measured::copied;
use crate::process::{Done, on_one_line, program, run};
use serde_json::{Value, json};
use tempfile::TempDir;
use uriproof::compare::own_rule;
use uriproof::gate::{Claim, Claimed};
use uriproof::model::{Declaration, Outcome, Rule, Subject};
use uriproof_cli::measured::subjects::MeasuredCrates;
use uriproof_grammar::Profile;
use uriproof_grammar::learn::Options;
use uriproof_lab::complete::Prepared;
use uriproof_lab::learn::{Lesson, What, acceptance};
use uriproof_lab::machines::{Machines, claimed};
use uriproof_lab::score::{Depth, Questioner};
use uriproof_subjects::SUBJECTS;
use uriproof_subjects::whatwg::WhatwgReference;

fn learn(arguments: &[&str]) -> (i32, String, String) {
    let Done { status, stdout, stderr } = run(program().arg("learn").args(arguments));
    (status, stdout, stderr)
}

#[test]
fn a_parser_that_conforms_is_equal() {
    let (status, stdout, stderr) = learn(&["--subject", "fluent-uri*UriRef::parse"]);
    assert_eq!((status, &*stderr), (0, ""));
    let mut lines = stdout.lines();
    assert_eq!(
        lines.next(),
        Some("fluent-uri 0.4.1 UriRef::parse: URI-reference, equal to RFC 3986")
    );
    assert_eq!(lines.next(), Some("  that holds for every string, if"));
    assert!(lines.next().unwrap().starts_with("    the subject has no more than 183 states"));
    assert!(stdout.contains("\n  183 states, 21 symbols, "), "{stdout}");
}

/// A splitter that refuses nothing has one state.
#[test]
fn what_accepts_every_string_is_said_to() {
    let (status, stdout, stderr) = learn(&["--subject", "urlparse"]);
    assert_eq!((status, &*stderr), (1, ""));
    let head = "urlparse 0.7.3 urlparse: URI-reference, accepts every string, ";
    assert!(stdout.lines().take(3).any(|line| line.starts_with(head)), "{stdout}");
}

#[test]
fn a_parser_of_iris_differs_beyond_ascii() {
    let (status, stdout, _) = learn(&["--subject", "fluent-uri*IriRef::parse", "--format", "json"]);
    assert_eq!(status, 1);
    let rows: Value = serde_json::from_str(&stdout).unwrap();
    let row = &rows[0];
    assert_eq!(
        (&row["equal"], &row["stopped"], &row["limits"]),
        (&json!(false), &Value::Null, &json!([]))
    );
    let first = &row["differences"][0];
    assert_eq!(first["witness"], "é");
    assert_eq!(
        (&first["kind"], &first["expected"], &first["observed"]),
        (&json!("accepted though invalid"), &json!(0), &json!(1))
    );
    assert_eq!(
        row["machine"]["table"].as_array().unwrap().len(),
        row["machine"]["states"].as_u64().unwrap() as usize
    );
    let symbols = row["machine"]["symbols"].as_array().unwrap();
    assert!(symbols.iter().any(|symbol| symbol.as_str().unwrap().contains('é')));
}

#[test]
fn what_a_specification_excludes_is_no_difference() {
    let reason = "not an `http` or `https` URI with a host and without userinfo and fragment";
    let of_http = ["--subject", "fluent-uri*UriRef::parse", "--specification", "http"];
    let (status, stdout, stderr) = learn(&of_http);
    assert_eq!((status, &*stderr), (0, ""), "{stdout}");
    let head = "fluent-uri 0.4.1 UriRef::parse: URI, equal to RFC 3986 with http\n";
    assert!(stdout.starts_with(head), "{stdout}");
    assert!(
        on_one_line(&stdout).contains(&format!(" answers were not compared: {reason} ")),
        "{stdout}"
    );

    // What the specification covers is compared.
    let (status, stdout, _) = learn(&["--subject", "rfc2396", "--specification", "http", "--format", "json"]);
    assert_eq!(status, 1);
    let rows: Value = serde_json::from_str(&stdout).unwrap();
    assert!(
        rows[0]["not_compared"][reason].as_u64().unwrap() > 0,
        "{}",
        rows[0]["not_compared"]
    );
    for difference in rows[0]["differences"].as_array().unwrap() {
        let witness = difference["witness"].as_str().unwrap();
        assert!(witness.to_ascii_lowercase().starts_with("http"), "{witness}");
        assert!(!witness.contains(['#', '@']), "{witness}");
    }
}

/// What is accepted is held against the URL Standard: what follows it is equal, and a mistake shows alone.
#[test]
fn by_the_url_standard_only_its_mistakes_differ() {
    struct Refusing(&'static str);
    impl Subject for Refusing {
        fn declaration(&self) -> &Declaration {
            WhatwgReference.declaration()
        }

        fn parse(&self, rule: Rule, input: &str) -> Outcome {
            match self.0 {
                "" => WhatwgReference.parse(rule, input),
                refused if input.contains(refused) => Outcome::rejected("planted"),
                _ => WhatwgReference.parse(rule, input),
            }
        }
    }
    let machines = Machines::under(&[]).unwrap();
    let learned = |refused: &'static str| {
        let subject = Refusing(refused);
        let claimed = Claimed::new(&subject as &dyn Subject, Some(Claim::Whatwg));
        let options = Options {
            random_edits: 5_000,
            extra_states: 0,
            ..Options::default()
        };
        let inference = acceptance(&machines, &claimed, &options, &|| false);
        Lesson::of(&machines, &claimed, What::Acceptance, &inference)
    };
    assert_eq!(learned("").verdict(), "equal to the WHATWG URL Standard");
    let lesson = learned("^");
    assert!(
        !lesson.groups.is_empty() && lesson.groups.iter().all(|group| group.kind == "rejected though valid"),
        "{lesson:#?}"
    );
    assert!(
        lesson.groups.iter().all(|group| group.witness.contains('^')),
        "{lesson:#?}"
    );

    let (status, _, stderr) = learn(&["--subject", "url", "--specification", "whatwg", "--components"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("not those of the URL Standard"), "{stderr}");
}

#[test]
fn drawings_are_of_one_subject() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("difference.svg");
    let (status, stdout, _) = learn(&[
        "--subject",
        "fluent-uri* Iri::parse",
        "--format",
        "svg",
        "--output",
        file.to_str().unwrap(),
    ]);
    assert_eq!((status, &*stdout), (1, ""));
    let svg = fs::read_to_string(file).unwrap();
    assert!(
        svg.starts_with("<svg ") && svg.contains("fluent-uri 0.4.1 Iri::parse: URI, "),
        "{svg}"
    );

    let (status, stdout, stderr) = learn(&["--subject", "fluent-uri", "--format", "svg"]);
    assert_eq!((status, &*stdout), (2, ""));
    assert_eq!(stderr, "uriproof: 5 subjects are chosen, and a drawing is of one\n");
}

#[test]
fn what_is_not_learned_to_the_end_is_not_equal() {
    let (status, stdout, _) = learn(&["--subject", "fluent-uri*UriRef::parse", "--budget", "50000"]);
    assert_eq!(status, 1);
    let expected = "fluent-uri 0.4.1 UriRef::parse: URI-reference, not learned to the end (50000 questions were not enough): \
                    0 classes of difference from RFC 3986 until then";
    assert!(on_one_line(&stdout).starts_with(expected), "{stdout}");
}

/// What is stored was learned of these versions, and they still answer so. What is equal there passes the
/// core suite, too.
#[test]
fn what_is_stored_still_shows() {
    let stale = "stale: `cargo run --release -- learn --write measured/subjects`";
    let measured = MeasuredCrates::embedded().subjects();
    let mut machines: BTreeMap<Option<Profile>, Machines> = BTreeMap::new();
    for subject in SUBJECTS {
        let declaration = subject.declaration();
        let claimed = claimed(&declaration.specification);
        let machines = machines.entry(claimed).or_insert_with(|| Machines::under(&Vec::from_iter(claimed)).unwrap());
        let label = declaration.label();
        let of_subject = &measured[&*label].learned;
        if subject.budget().is_some() {
            assert!(of_subject.is_empty(), "{label} is too slow to be learned");
            continue;
        }
        assert!(
            of_subject.iter().any(|lesson| lesson.what == What::Acceptance),
            "{label}: {stale}"
        );
        for lesson in of_subject {
            assert_eq!(lesson.language, machines.language(), "{label}: {stale}");
            assert_eq!(lesson.check(machines, *subject), Ok(()), "{label}: {stale}");
            assert_eq!(
                lesson.is_equal(),
                lesson.verdict() == format!("equal to {}", lesson.language),
                "{label}"
            );
        }
        if of_subject.iter().any(|lesson| lesson.what == What::Acceptance && lesson.is_equal()) {
            let rule = own_rule(declaration);
            let questioner = Questioner::new(*subject, machines, Depth::Acceptance);
            let mut part = questioner.part(0);
            for (text, expected) in Prepared::core(machines, rule).cases() {
                part.put(text, expected.is_some(), None);
            }
            assert_eq!(part.score.diverge(), 0, "{label}: {stale}");
        }
    }
}

#[test]
fn a_lesson_that_no_longer_holds_is_found_out() {
    let machines = Machines::of_rfc3986();
    let measured = MeasuredCrates::embedded().subjects();
    let find = |name: &str| SUBJECTS.iter().find(|subject| subject.declaration().label().contains(name)).unwrap();
    let rhymuri = &measured[&*find("rhymuri").declaration().label()].learned[0];
    assert_eq!(rhymuri.check(&machines, *find("rhymuri")), Ok(()));
    // Another subject does not have these differences.
    let error = rhymuri.check(&machines, *find("fluent-uri 0.4.1 UriRef")).unwrap_err();
    assert!(error.contains("any more"), "{error}");
}

/// Learning one subject anew takes nothing of the others away.
#[test]
fn what_is_stored_of_others_is_kept() {
    let folder = TempDir::new().unwrap();
    let written = copied(folder.path());
    let (status, _, stderr) = learn(&[
        "--subject",
        "sophia_iri* Iri::new",
        "--write",
        written.to_str().unwrap(),
    ]);
    assert_eq!((status, &*stderr), (0, ""));
    let mut again = MeasuredCrates::from_folder(&written).unwrap();
    // The vectors are among the questions, so that a new vector is one more for the subject that is learned anew.
    let stored = MeasuredCrates::embedded().subjects();
    for (label, measured) in again.0.values_mut().flatten() {
        for (again, stored) in measured.learned.iter_mut().zip(&stored[&**label].learned) {
            if label.starts_with("sophia_iri") {
                again.questions = stored.questions;
            }
        }
    }
    assert!(again == *MeasuredCrates::embedded());
}
