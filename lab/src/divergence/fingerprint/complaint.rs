//! How a subject complains of what it rejects, without what it cites of the input.

use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::model::Outcome;
use uriproof::run::Result;

/// The words by which a subject rejects what is valid, up to the first quotation, which is of the input; without numbers.
pub(super) fn complaint(result: &Result) -> Option<String> {
    let (Verdict::Diverge(Difference { kind, .. }), Outcome::Rejected { reason, .. }) =
        (&result.verdict, &result.observed)
    else {
        return None;
    };
    let reason = reason.as_deref().filter(|_| *kind == DifferenceKind::RejectedValid)?;
    let words = reason.split(['"', '\'', '`']).next().unwrap_or_default();
    let words = words.split(|character: char| !character.is_ascii_alphabetic()).filter(|word| word.len() > 1);
    Some(words.collect::<Vec<_>>().join(" "))
}
