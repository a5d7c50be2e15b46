//! Whether the deviations in the ledger are true.

use std::collections::BTreeSet;

use uriproof::model::{Input, Outcome, Reading, Subject};
use uriproof::run;
use uriproof_deviations::SubjectProfile;

use super::{Fit, acting, fit};
use crate::divergence::ledger::{KnownDeviation, Ledger};
use crate::divergence::minimize::without_one_character;
use crate::divergence::shape::Shape;

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

/// A subject, with its profile and a place in it.
struct ProfilePlace<'a> {
    subject: &'a dyn Subject,
    profile: SubjectProfile,
    place: usize,
    /// The fit of an answer that the deviation explains.
    expected: Fit,
}

impl ProfilePlace<'_> {
    /// Whether an input shows the deviation, and no other one.
    fn is_shown_by(&self, input: &Input) -> bool {
        let declaration = self.subject.declaration();
        let answer = run::one(self.subject, input, Reading::Rfc3986);
        fit(declaration, &self.profile, &answer) == self.expected
            && acting(declaration, &self.profile, &answer.input) == [self.place]
    }
}

/// The witnesses of deviations that have a character too many, a line each: every entry point that shows the deviation by the witness shows
/// it alone without that character too, and the input keeps its shape.
pub fn longer_than_needed(ledger: &Ledger, subjects: &[&dyn Subject]) -> Vec<String> {
    let mut places: Vec<(&str, &KnownDeviation, Vec<ProfilePlace<'_>>)> = Vec::new();
    for subject in subjects {
        let declaration = subject.declaration();
        let Some(file) = ledger.file_of(declaration) else {
            continue;
        };
        for (place, (known, entry)) in ledger.deviations(declaration).into_iter().enumerate() {
            let of_subject = ProfilePlace {
                subject: *subject,
                profile: ledger.profile(declaration).unwrap_or_default(),
                place,
                expected: if entry.is_some() { Fit::Predicted } else { Fit::Agrees },
            };
            if !of_subject.is_shown_by(&known.witness) {
                continue;
            }
            match places.iter_mut().find(|(_, other, _)| std::ptr::eq(*other, known)) {
                Some((.., showing)) => showing.push(of_subject),
                None => places.push((&file.file, known, vec![of_subject])),
            }
        }
    }
    let longer = places.iter().filter_map(|(file, known, showing)| {
        let is_shown = |input: &Input| showing.iter().all(|place| place.is_shown_by(input));
        let mut shortest = known.witness.clone();
        // Where a part goes with its last character, it is another input.
        let shape = Shape::of(&known.witness);
        let shorter =
            |input: &Input| without_one_character(input).find(|input| Shape::of(input) == shape && is_shown(input));
        while let Some(found) = shorter(&shortest) {
            shortest = found;
        }
        (shortest != known.witness).then(|| {
            let sentence = known.deviation.sentence();
            format!("ledger/{file}: {sentence}: {}: {shortest} shows it too", known.witness)
        })
    });
    longer.collect()
}
