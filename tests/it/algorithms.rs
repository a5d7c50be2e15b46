//! The mutants of the algorithms: without an edit they are the reference, with one they are something else.

mod derivation;

use std::collections::BTreeMap;

use rfc3986_reference::split::split;
use tempfile::TempDir;
use uriproof::algorithms::Size;
use uriproof::expect::{Expected, expect};
use uriproof::model::{Components, Input, Outcome, Reading, Rung, Scope, Subject};
use uriproof::vectors::Library;
use uriproof_cli::measured::subjects::{MeasuredCrates, MeasuredSuites, SUITES};
use uriproof_lab::mutants::algorithms::{Algorithms, Edit, measure_edits};
use uriproof_subjects::SUBJECTS;
use uriproof_subjects::reference::Reference;

use crate::process::{program, run};

/// What comes of an input, whatever the words of a rejection.
fn outcome(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Rejected { .. } => Outcome::Rejected {
            reason: None,
            offset: None,
        },
        other => other,
    }
}

fn assert_is_the_reference(input: &Input) {
    let answer = outcome(Algorithms::default().answer(input));
    let expected = match expect(input, Reading::Rfc3986) {
        // Of what conforms, the algorithms refuse a relative base (§5.1).
        Expected::Outcomes(outcomes) if outcomes.iter().any(|one| one.name == "base-refused") => {
            let is_relative = matches!(input, Input::Resolve { base, .. } if split(base).scheme.is_none());
            let name = if is_relative {
                "base-refused"
            } else {
                &*outcomes[0].name
            };
            let one = outcomes.iter().find(|one| one.name == name);
            one.expect("it is there").outcome.clone()
        }
        expected => expected.literal(),
    };
    assert_eq!(answer, outcome(expected), "{input}");
}

#[test]
fn without_an_edit_they_are_the_reference_on_every_vector() {
    for vector in Library::embedded().vectors() {
        assert_is_the_reference(&vector.input);
    }
}

/// Every string of up to `most` of the pieces.
fn strings(pieces: &[&str], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..most {
        longest = longest.iter().flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}"))).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

/// Inputs of every operation that has an algorithm.
#[expect(clippy::too_many_lines, reason = "one loop for each operation")]
fn inputs() -> Vec<Input> {
    let mut inputs = Vec::new();
    let references = strings(&["/", "//", ".", "..", "a", ":", "?", "#", "@"], 4);
    for base in ["s:", "s:a", "s:a/..", "s://h", "s://u@h:1/b/c?q#f", "s:///", "S:/a//b/"] {
        for reference in references.iter().cloned().chain(["S:a/..".to_owned(), "s:".to_owned()]) {
            for strict in [true, false] {
                let (base, reference) = (base.to_owned(), reference.clone());
                inputs.push(Input::Resolve {
                    base,
                    reference,
                    strict,
                });
            }
        }
    }
    let behind_schemes = strings(
        &["/", "/..", "b", "A@", "%41", "%2f", "%2E", ":", ":080", ",", "?", "#"],
        3,
    );
    for scheme in [
        "http:",
        "HTTPS://",
        "file://localhost",
        "mailto:",
        "x:",
        "ws://a",
        "wss://[AB::1]",
        "ftp://U@",
    ] {
        for rest in &behind_schemes {
            for scope in [Scope::Syntax, Scope::Scheme] {
                let uri = format!("{scheme}{rest}");
                inputs.push(Input::Normalize { uri, scope });
            }
        }
    }
    for (left, right) in behind_schemes.iter().zip(behind_schemes.iter().skip(1)) {
        for rung in [Rung::Simple, Rung::Syntax, Rung::Scheme] {
            let (left, right) = (format!("http://{left}"), format!("http://{right}"));
            inputs.push(Input::Equivalent { left, right, rung });
        }
    }
    let optional = |texts: &'static [&'static str]| [None].into_iter().chain(texts.iter().copied().map(Some));
    for scheme in optional(&["a", "1"]) {
        for userinfo in optional(&["", "u@"]) {
            for host in optional(&["", "H", "["]) {
                for port in optional(&["", "x"]) {
                    for path in ["", "/", "//", "a", "a:b/", "[", "/a:b"] {
                        for (query, fragment) in
                            [(None, None), (Some(""), Some("")), (Some("#"), None), (None, Some("["))]
                        {
                            let own = |text: Option<&str>| text.map(str::to_owned);
                            let components = Components {
                                scheme: own(scheme),
                                userinfo: own(userinfo),
                                host: own(host),
                                host_kind: None,
                                port: own(port),
                                path: path.to_owned(),
                                query: own(query),
                                fragment: own(fragment),
                            };
                            inputs.push(Input::Compose { components });
                        }
                    }
                }
            }
        }
    }
    inputs
}

#[test]
fn without_an_edit_they_are_the_reference_on_every_short_input() {
    let inputs = inputs();
    assert!(inputs.len() > 100_000, "{}", inputs.len());
    for input in &inputs {
        assert_is_the_reference(input);
    }
}

#[test]
fn every_mutant_is_killed_by_a_vector_that_exists_and_breaks_a_clause_that_exists() {
    let library = Library::embedded();
    let killed = uriproof_cli::measured::algorithm_mutants();
    assert!(killed.mutants.len() >= 120, "only {} mutants", killed.mutants.len());
    for mutant in &killed.mutants {
        assert!(
            library.clause(&mutant.clause).is_some(),
            "{}: no clause {}",
            mutant.name,
            mutant.clause
        );
        let killer = mutant.killed_by.as_ref().unwrap_or_else(|| panic!("{} survives: {}", mutant.name, mutant.does));
        assert!(
            library.vectors().any(|vector| vector.id == *killer),
            "no vector {killer}"
        );
    }
}

/// By the suites alone, and hardly any by the vectors: the suites stand beside them for that.
#[test]
fn every_mutant_is_killed_by_the_core_suites() {
    let killed = uriproof_cli::measured::algorithm_mutants();
    let mutants: usize = killed.faults.iter().map(|row| row.suites.total).sum();
    assert!(mutants > 5_000, "only {mutants} mutants");
    for mutant in &killed.mutants {
        assert!(mutant.killed_by_suites, "{}: {}", mutant.name, mutant.does);
    }
    for row in &killed.faults {
        assert_eq!(
            row.suites.killed, row.suites.total,
            "{} {}: {:?}",
            row.does, row.operation, row.survivors
        );
    }
}

/// What the core suites kill takes a minute here: `.ci/run` measures it.
#[test]
fn what_is_stored_is_what_is_measured() {
    let mut stored = uriproof_cli::measured::algorithm_mutants().mutants;
    stored.iter_mut().for_each(|mutant| mutant.killed_by_suites = false);
    assert!(
        measure_edits(&Library::embedded()) == stored,
        "measured/algorithm-mutants.json is stale: `cargo run -- bless`"
    );
}

#[test]
fn no_two_mutants_do_the_same_on_all_vectors() {
    let library = Library::embedded();
    let mut known: BTreeMap<Vec<Outcome>, Edit> = BTreeMap::new();
    let mut alike = Vec::new();
    for &edit in Edit::ALL {
        let answers = library.vectors().map(|vector| outcome(Algorithms::with(edit).answer(&vector.input)));
        if let Some(other) = known.insert(answers.collect(), edit) {
            alike.push(format!("{edit:?} does what {other:?} does"));
        }
    }
    assert!(alike.is_empty(), "{} pairs:\n{}", alike.len(), alike.join("\n"));
}

/// REPORT.md has these counts; they are stored, since most subjects take seconds.
#[test]
fn what_is_stored_of_the_suites_is_fresh() {
    let how = "`cargo run -- bless --step algorithms` makes it";
    let stored = MeasuredCrates::embedded().subjects();
    let hash = MeasuredSuites::hash_of_inputs(&SUITES, Size::Core);
    for subject in SUBJECTS {
        let label = subject.declaration().label();
        let has_suite = SUITES.iter().any(|operation| subject.declaration().operations.contains(operation));
        let suites = stored[&*label].suites.as_ref();
        assert_eq!(
            suites.map(|suites| &suites.inputs),
            has_suite.then_some(&hash),
            "measured/subjects of {label} is stale: {how}"
        );
    }
    let counts = |label: &str| &stored[label].suites.as_ref().unwrap().counts;
    let reference = counts(&Reference.declaration().label());
    assert!(reference.values().all(|counts| counts.diverge == 0), "{reference:?}");
    // One that takes no time says whether the others are of these expectations.
    let folder = TempDir::new().unwrap();
    let arguments = [
        "complete",
        "--operation",
        "relativize",
        "--operation",
        "round-trip",
        "--subject",
        "fluent-uri 0.4.1 UriRef*",
    ];
    let done = run(program().args(arguments).arg("--write").arg(folder.path()));
    assert_ne!(done.status, 2, "{}", done.stderr);
    let again = MeasuredCrates::from_folder(folder.path()).unwrap();
    let again = again.subjects();
    assert_eq!(again.keys().collect::<Vec<_>>(), [&"fluent-uri 0.4.1 UriRef::parse"]);
    for (label, measured) in again {
        for (operation, again) in &measured.suites.as_ref().unwrap().counts {
            assert_eq!(counts(label)[operation], *again, "{label}, {operation}: {how}");
        }
    }
}
