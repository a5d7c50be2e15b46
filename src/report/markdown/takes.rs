//! How subjects take contested clauses: the readings, and the choices that the RFC leaves open.

use std::collections::BTreeSet;

use uriproof::expect::{Expected, from_vector};
use uriproof::model::{Declaration, Expectation, Input, Reading, Subject, Vector};
use uriproof::vectors::Library;

use super::input;
use crate::report::markup::cell;
use crate::report::model::{Run, Take, choices, is_reference, takes};

pub(super) struct ReadingView {
    /// How many crates follow the plain reading on some input, this one, and neither.
    pub(super) as_plain: usize,
    pub(super) as_other: usize,
    pub(super) neither: usize,
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    pub(super) section: &'static str,
    pub(super) rows: Vec<ReadingRow>,
}

pub(super) struct ReadingRow {
    pub(super) input: String,
    pub(super) plain: String,
    pub(super) other: String,
    pub(super) as_plain: String,
    pub(super) as_other: String,
    pub(super) neither: String,
}

impl ReadingView {
    pub(super) fn of(library: &Library, subjects: &[&dyn Subject], reading: Reading) -> ReadingView {
        let mut met = BTreeSet::new();
        let vectors: Vec<&Vector> = library
            .vectors()
            .filter(|vector| vector.expect.contains_key(&reading) && met.insert(&vector.input))
            .collect();
        let takes: Vec<Vec<(&Declaration, Take)>> =
            vectors.iter().map(|vector| takes(vector, subjects, reading)).collect();
        let crates = |wanted: &Take| {
            let taking = takes.iter().flatten().filter(|(of, take)| take == wanted && !is_reference(of));
            taking.map(|(of, _)| (&of.name, &of.version)).collect::<BTreeSet<_>>().len()
        };
        ReadingView {
            as_plain: crates(&Take::Reading(Reading::Rfc3986)),
            as_other: crates(&Take::Reading(reading)),
            neither: crates(&Take::Neither),
            id: reading.id(),
            summary: reading.summary(),
            section: reading.section().unwrap_or_default(),
            rows: vectors
                .iter()
                .zip(&takes)
                .map(|(vector, takes)| ReadingRow {
                    input: input(vector),
                    plain: expectation(&vector.input, vector.expectation(Reading::Rfc3986)),
                    other: expectation(&vector.input, vector.expectation(reading)),
                    as_plain: who(takes, &Take::Reading(Reading::Rfc3986)),
                    as_other: who(takes, &Take::Reading(reading)),
                    neither: who(takes, &Take::Neither),
                })
                .collect(),
        }
    }
}

pub(super) struct ChoiceRow {
    pub(super) input: String,
    /// Each conforming outcome with who gives it, then who gives none.
    pub(super) outcomes: Vec<String>,
}

impl ChoiceRow {
    pub(super) fn of(run: &Run<'_>, vector: &Vector) -> ChoiceRow {
        let outcomes = match vector.expectation(Reading::Rfc3986) {
            Expectation::OneOf(outcomes) => &**outcomes,
            _ => &[],
        };
        let choices = choices(run, vector);
        let of_outcomes = outcomes.iter().map(|one| {
            let who = who(&choices, &Take::Conforming(one.name.clone()));
            format!("{} {}: {who}", one.name, expectation(&vector.input, &one.outcome))
        });
        let neither = who(&choices, &Take::Neither);
        let neither = (neither != "-").then(|| format!("**none of them: {neither}**"));
        ChoiceRow {
            input: input(vector),
            outcomes: of_outcomes.chain(neither).collect(),
        }
    }
}

/// The crates that make this choice; by entry point where those of a crate differ. The reference has no part in it.
fn who(takes: &[(&Declaration, Take)], wanted: &Take) -> String {
    let mut names: Vec<String> = Vec::new();
    for (declaration, take) in takes {
        if take != wanted || is_reference(declaration) {
            continue;
        }
        let alone = takes
            .iter()
            .filter(|(other, _)| (&other.name, &other.version) == (&declaration.name, &declaration.version))
            .all(|(_, other)| other == wanted || *other == Take::NotCompared);
        let name = if alone {
            declaration.name.to_string()
        } else {
            format!("{} {}", declaration.name, declaration.entry_point)
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(", ")
    }
}

fn expectation(input: &Input, expectation: &Expectation) -> String {
    match from_vector(input, expectation) {
        Expected::NoAnswer { reason } => reason,
        Expected::Property(property) => cell(&property.to_string()),
        Expected::Outcomes(outcomes) => {
            let mut texts: Vec<String> = Vec::new();
            for one in &outcomes {
                let text = cell(&one.outcome.to_string());
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts.join(" or ")
        }
    }
}
