//! The deviations in the ledger are true: each is needed, each shows alone, and together they predict what their subject does.

mod combinations;
mod stages;

use std::env;
use std::path::Path;

use uriproof::expect::expect;
use uriproof::model::{Input, Operation, Outcome, Reading, Rule};
use uriproof_cli::measured::subjects::MeasuredCrates;
use uriproof_deviations::SubjectProfile;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::predict::{Make, Predictions, inputs, longer_than_needed, wrong_deviations};
use uriproof_subjects::SUBJECTS;

fn ledger() -> Ledger {
    Ledger::from_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger")).unwrap()
}

/// How many inputs a test has: some, or, where `URIPROOF_LONG` is set, as it is every night, many.
fn count(some: usize, many: usize) -> usize {
    if env::var_os("URIPROOF_LONG").is_some() {
        many
    } else {
        some
    }
}

#[test]
fn each_witness_shows_its_deviation_alone() {
    let ledger = ledger();
    let wrong = wrong_deviations(&ledger, SUBJECTS);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let known: usize = SUBJECTS.iter().map(|subject| ledger.deviations(subject.declaration()).len()).sum();
    assert!(known > 50, "{known}");
}

#[test]
fn no_witness_of_a_deviation_has_a_character_too_many() {
    let longer = longer_than_needed(&ledger(), SUBJECTS);
    assert!(longer.is_empty(), "{} witnesses:\n{}", longer.len(), longer.join("\n"));
}

/// A deviation that does not act, that predicts another answer, or whose witness shows another one, is named.
#[test]
fn a_deviation_that_is_not_true_is_named() {
    let file = |deviation: &str| {
        let text = format!(
            "name = \"oxiri\"\nversion = \"0.3.1\"\n[claim]\nspecification = \"s\"\nwords = \"w\"\nsource = \"s\"\n\
             [[entry]]\nid = \"a\"\ncause = \"bug\"\nclause = \"§3\"\nexplanation = \"e\"\n[[entry.deviation]]\n{deviation}"
        );
        Ledger::read(Path::new("ledger"), [("oxiri.toml".to_owned(), text)]).map_err(|error| error.to_string())
    };
    for (deviation, words) in [
        (
            "id = \"refuses-ipvfuture\"\nwitness = { input = \"//[v1.a]\", operation = \"parse\", rule = \"URI-reference\" }",
            "refuses IPvFuture: \"//[v1.a]\": oxiri 0.3.1 IriRef::parse answers accepted",
        ),
        (
            "id = \"canonical-ipv6\"\nwitness = { uri = \"a://[0::]\", operation = \"normalize\", scope = \"syntax\" }",
            "no entry point shows it",
        ),
        (
            "id = \"keeps-dot-segments\"\nof = \"relative-paths\"\n\
             witness = { base = \"a:\", reference = \"b\", operation = \"resolve\", strict = true }",
            "not this deviation alone acts, but nothing",
        ),
    ] {
        let wrong = wrong_deviations(&file(deviation).unwrap(), SUBJECTS);
        assert!(wrong.iter().any(|line| line.contains(words)), "{wrong:?}");
    }
    let unknown = file("id = \"refuses-ipv7\"\nwitness = { uri = \"a\", operation = \"round-trip\" }").unwrap_err();
    assert!(
        unknown.starts_with("ledger/oxiri.toml:") && unknown.contains("refuses-ipv7"),
        "{unknown}"
    );
}

/// A profile predicts all that its subject does otherwise in the operations of which the ledger says so, and nothing that it does not do.
#[test]
fn a_whole_profile_predicts_every_answer() {
    let ledger = ledger();
    let mut subjects = 0;
    for make in [Make::Generated, Make::Mutated] {
        let inputs = inputs(make, &Operation::ALL, 7, count(20_000, 200_000), &ledger);
        for subject in SUBJECTS {
            let declaration = subject.declaration();
            let Some(file) = ledger.file_of(declaration).filter(|file| !file.predicted.is_empty()) else {
                continue;
            };
            subjects += 1;
            let own: Vec<Input> =
                inputs.iter().filter(|input| file.predicted.contains(&input.operation())).cloned().collect();
            let profile = ledger.profile(declaration).unwrap_or_default();
            let predictions = Predictions::of(*subject, &profile, &own);
            let mut unpredicted =
                predictions.unpredicted.values().flatten().filter(|misfit| misfit.predicted.is_some());
            assert_eq!(unpredicted.next(), None, "{declaration}, {make:?}");
            assert_eq!(
                predictions.falsely.values().flatten().next(),
                None,
                "{declaration}, {make:?}"
            );
            assert!(predictions.total().compared > 500, "{declaration}: {predictions:#?}");
        }
    }
    assert!(subjects > 20, "{subjects}");
}

/// What is stored is of today's profiles, and what they do not predict is another algorithm's.
#[test]
fn the_stored_shares_are_of_these_profiles() {
    let ledger = ledger();
    let measured = MeasuredCrates::embedded().subjects();
    let mut stale = Vec::new();
    for subject in SUBJECTS {
        let label = subject.declaration().label();
        let share = measured.get(&*label).and_then(|measured| measured.predicted.as_ref());
        let Some(share) = share.filter(|share| share.is_fresh(*subject, &ledger)) else {
            stale.push(label);
            continue;
        };
        let Some(file) = ledger.file_of(subject.declaration()) else {
            continue;
        };
        for (operation, counts) in share.generated.iter().chain(&share.mutated) {
            let is_named = file.other_algorithms.iter().any(|other| other.operations.contains(operation));
            let is_whole = counts.unpredicted() == 0 && counts.falsely == 0;
            assert!(
                is_whole || is_named,
                "{label}, {operation}: {counts:?}, and no `other-algorithm` of ledger/{} says why",
                file.file
            );
        }
    }
    assert!(
        stale.is_empty(),
        "run `cargo run -- bless --step predictions` for {}",
        stale.join(", ")
    );
}

/// Without deviations the stages are the reference, on generated inputs too.
#[test]
fn the_stages_are_the_reference_on_generated_inputs() {
    let operations = [
        Operation::Parse,
        Operation::Resolve,
        Operation::Normalize,
        Operation::Equivalent,
    ];
    let mut reached = 0;
    for (make, reading) in [
        (Make::Generated, Reading::Rfc3986),
        (Make::Mutated, Reading::Rfc3986),
        (Make::Generated, Reading::Erratum4789),
        (Make::Generated, Reading::Erratum4942),
        (Make::Generated, Reading::Erratum5428),
    ] {
        for input in inputs(make, &operations, 1, count(20_000, 400_000), &ledger()) {
            let Some(staged) = SubjectProfile::default().outcome(Rule::UriReference, &input, reading) else {
                continue;
            };
            let expected = expect(&input, reading).into_literal();
            match (&expected, &staged) {
                (Outcome::Rejected { .. }, Outcome::Rejected { .. }) => {}
                // Relative references are not compared by their normal forms.
                (Outcome::Unsupported { .. }, _) if input.operation() == Operation::Equivalent => continue,
                _ => assert_eq!(staged, expected, "{input}, by {reading}"),
            }
            reached += 1;
        }
    }
    assert!(reached > 50_000, "{reached}");
}
