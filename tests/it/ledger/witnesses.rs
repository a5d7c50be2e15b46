//! Every witness of the ledger shows its class.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::expect::Expected;
use uriproof::model::{Reading, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof_cli::report::side_by_side::side_by_side;
use uriproof_lab::classes::stale;
use uriproof_lab::divergence::fingerprint::{Mark, classes, likeness};
use uriproof_lab::divergence::ledger::{ExplainedClass, expected_text, observed_text};
use uriproof_lab::divergence::minimize::without_one_character;
use uriproof_lab::divergence::shape::Shape;
use uriproof_subjects::SUBJECTS;

use super::{assert_none, place, shown};

/// The longest witness that is no run of one character, in bytes.
const LONGEST: usize = 400;

#[test]
fn every_class_is_shown_by_its_witness() {
    let stale: Vec<String> = stale(
        &uriproof_cli::known::ledger(),
        SUBJECTS,
        &uriproof_cli::measured::growth(),
        true,
    )
    .iter()
    .map(|stale| {
        format!(
            "ledger/{} entry `{}`: {}: {} ({})",
            stale.file, stale.entry, stale.subject, stale.fingerprint, stale.reason
        )
    })
    .collect();
    assert_none(&stale, "classes are stale: `cargo run -- bless`");
}

#[test]
fn no_witness_has_a_character_too_many() {
    let ledger = uriproof_cli::known::ledger();
    let problems: Vec<String> = shown(&ledger)
        .par_iter()
        .filter_map(|(known, subject)| {
            let input = &known.class.input;
            // Where a part goes with its last character, the difference is another.
            let shape = Shape::of(input);
            let smaller: Vec<_> = without_one_character(input).filter(|smaller| Shape::of(smaller) == shape).collect();
            // The class is about one of the components that differ: that one needs every character.
            let needed = |mark: &Mark| {
                let mut is_alike = likeness(*subject, input, mark, Reading::Rfc3986);
                smaller.iter().find(|smaller| is_alike(smaller))
            };
            let smallest: Vec<_> = Mark::all(&run::one(*subject, input, Reading::Rfc3986)).iter().map(needed).collect();
            match smallest.first() {
                Some(Some(smaller)) if smallest.iter().all(Option::is_some) => Some(format!(
                    "{}: {}: {smaller} shows it too",
                    place(known),
                    subject.declaration().entry_point
                )),
                _ => None,
            }
        })
        .collect();
    assert_none(
        &problems,
        "witnesses are not minimal; run `uriproof ledger --write ledger`",
    );
}

#[test]
fn long_witnesses_are_runs() {
    let ledger = uriproof_cli::known::ledger();
    let problems: Vec<String> = ledger
        .classes()
        .filter(|known| known.class.input.size() > LONGEST)
        .filter(|known| {
            let text = serde_json::to_string(&known.class.input).unwrap();
            without_runs(&text) > LONGEST
        })
        .map(|known| place(&known))
        .collect();
    assert_none(&problems, "witnesses are long, and not by runs of one character");
}

/// How many characters a text has beside runs of one.
fn without_runs(text: &str) -> usize {
    /// From how many equal characters on the ledger writes a run.
    const RUN: usize = 64;
    let characters: Vec<char> = text.chars().collect();
    let runs = characters.chunk_by(|one, other| one == other);
    runs.map(|run| if run.len() < RUN { run.len() } else { 0 }).sum()
}

#[test]
fn severities_and_outcomes_are_what_is_computed() {
    let ledger = uriproof_cli::known::ledger();
    let problems: Vec<String> = shown(&ledger)
        .par_iter()
        .filter_map(|(known, subject)| {
            let stored = known.class;
            let result = run::one(*subject, &stored.input, Reading::Rfc3986);
            let class = classes(*subject, &result, Reading::Rfc3986)
                .into_iter()
                .find(|class| class.fingerprint == stored.fingerprint)?;
            let computed = (
                expected_text(&class.witness.expected, &class.difference),
                observed_text(&class.witness, &class.difference),
                Severity::of(&class.witness),
            );
            let is_same =
                (&computed.0, &computed.1, computed.2) == (&stored.reference, &stored.subject, Some(stored.severity));
            (!is_same).then(|| {
                format!(
                    "{}: {}: expected {}, got {}, severity {}",
                    place(known),
                    subject.declaration().entry_point,
                    computed.0,
                    computed.1,
                    computed.2.map_or("none", Severity::name)
                )
            })
        })
        .collect();
    assert_none(
        &problems,
        "classes are told otherwise than they are; take them out, and run `uriproof ledger --write ledger`",
    );
}

#[test]
fn no_divergent_row_shows_what_is_expected_without_saying_what_differs() {
    let ledger = uriproof_cli::known::ledger();
    let divergent = AtomicUsize::new(0);
    let of_witness = |(known, subject): &(ExplainedClass<'_>, &'static dyn Subject)| {
        let input = &known.class.input;
        let result = run::one(*subject, input, Reading::Rfc3986);
        // What takes too long shows in longer inputs only.
        let Verdict::Diverge(difference) = &result.verdict else {
            return None;
        };
        divergent.fetch_add(1, Ordering::Relaxed);
        let sections = side_by_side(input, [(subject.declaration(), &result)]);
        let [section] = &sections[..] else {
            return Some(format!("{}: {} sections", place(known), sections.len()));
        };
        let [row] = &section.rows[..] else {
            return Some(format!("{}: {} rows", place(known), section.rows.len()));
        };
        let expected: Vec<String> = match section.expected {
            Expected::Outcomes(outcomes) => outcomes.iter().map(|one| one.outcome.to_string()).collect(),
            Expected::Property(property) => vec![property.to_string()],
            Expected::NoAnswer { .. } => Vec::new(),
        };
        let names_components = !difference.components.is_empty() && row.remark.is_some();
        let is_plain = !expected.contains(&row.answer) || names_components;
        (!is_plain).then(|| format!("{}: {} and {expected:?}", place(known), row.answer))
    };
    let shown = shown(&ledger);
    let problems: Vec<String> = shown.par_iter().filter_map(of_witness).collect();
    assert_none(&problems, "divergent rows do not say what differs");
    let divergent = divergent.into_inner();
    assert!(divergent * 10 > shown.len() * 9, "{divergent} of {}", shown.len());
}
