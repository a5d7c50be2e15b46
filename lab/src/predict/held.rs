//! Whether the deviations in the ledger are true.

use std::collections::BTreeSet;

use uriproof::model::{Outcome, Reading, Subject};
use uriproof::run;

use super::{Fit, acting, fit};
use crate::divergence::ledger::Ledger;

/// What is wrong with the deviations of subjects, a line each: the witness of a deviation diverges as the profile predicts, that of a
/// choice conforms, and of the profile it needs this deviation alone. A witness of an operation that an entry point lacks, or of another
/// kind of reference, shows nothing of it; one that no entry point shows is wrong.
pub fn wrong_deviations(ledger: &Ledger, subjects: &[&dyn Subject]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    let mut not_shown = BTreeSet::new();
    for subject in subjects {
        let declaration = subject.declaration();
        let Some(file) = ledger.file_of(declaration) else {
            continue;
        };
        let profile = ledger.profile(declaration).unwrap_or_default();
        for (place, (known, entry)) in ledger.deviations(declaration).into_iter().enumerate() {
            let name = format!(
                "ledger/{}: {}: {}",
                file.file,
                known.deviation.sentence(),
                known.witness
            );
            let answer = run::one(*subject, &known.witness, Reading::Rfc3986);
            let fit = fit(declaration, &profile, &answer);
            // An entry point of another kind of reference refuses it, as it should.
            let is_of_another_kind =
                entry.is_some() && fit == Fit::Agrees && matches!(answer.expected.literal(), Outcome::Rejected { .. });
            if fit == Fit::NotCompared || is_of_another_kind {
                not_shown.insert(name);
                continue;
            }
            let expected = if entry.is_some() { Fit::Predicted } else { Fit::Agrees };
            if fit != expected {
                wrong.push(format!("{name}: {declaration} answers {}", answer.observed_text()));
            }
            let places = acting(declaration, &profile, &answer.input);
            if places != [place] {
                let sentences: Vec<String> = places.iter().map(|&at| profile.deviations[at].sentence()).collect();
                let sentences = if sentences.is_empty() {
                    "nothing".to_owned()
                } else {
                    sentences.join("; ")
                };
                wrong.push(format!(
                    "{name}: of {declaration} not this deviation alone acts, but {sentences}"
                ));
            }
            shown.insert(name);
        }
    }
    wrong.extend(not_shown.difference(&shown).map(|name| format!("{name}: no entry point shows it")));
    wrong
}
