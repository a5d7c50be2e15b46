//! The claims `IRI` and `IRI-reference`: what no character of RFC 3987 makes valid.

use crate::compare::{Difference, DifferenceKind, Verdict};
use crate::expect;
use crate::iri::is_added;
use crate::model::{Input, Outcome, Reading, Rule};

/// The verdict on a string beyond US-ASCII that is accepted. RFC 3986 rejects all of them; one that has a fault of another kind is no
/// IRI either.
pub(super) fn verdict(input: &Input, observed: &Outcome, verdict: Verdict) -> Verdict {
    match (input, observed, &verdict) {
        (Input::Parse { rule, input }, Outcome::Accepted { .. }, Verdict::NotComparable { .. })
            if !input.is_ascii() && is_refused(*rule, &in_uri_characters(input)) =>
        {
            Verdict::Diverge(Difference::of_kind(DifferenceKind::AcceptedInvalid))
        }
        _ => verdict,
    }
}

fn is_refused(rule: Rule, text: &str) -> bool {
    let input = text.to_owned();
    matches!(
        expect::expect(&Input::Parse { rule, input }, Reading::Rfc3986).literal(),
        Outcome::Rejected { .. }
    )
}

/// An IRI with a triplet for each character that RFC 3987 adds, which may stand just where a triplet may: ucschar anywhere, iprivate
/// in a query.
fn in_uri_characters(iri: &str) -> String {
    const TRIPLET: &str = "%41";
    let is_added = is_added(iri);
    let mut text = String::new();
    for (at, character) in iri.char_indices() {
        if is_added(at, character) {
            text += TRIPLET;
        } else {
            text.push(character);
        }
    }
    text
}
