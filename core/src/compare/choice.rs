//! Which of several conforming outcomes an answer is.

use serde::Serialize;

use super::policy::Policy;
use super::{Verdict, compare_to};
use crate::expect::{Conforming, Expected};
use crate::model::{ComponentSet, Declaration, Input, Outcome};

/// The choice that a conforming answer makes where the RFC allows several outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// The names of the outcomes that conform, in the order of the vector.
    pub offers: Vec<String>,
    /// The names that the answer fits: several if they have the same outcome, or if the subject cannot show the difference. Empty if the
    /// answer takes one part from one outcome and another part from another.
    pub fits: Vec<String>,
}

impl Choice {
    /// Whether two answers to a vector make the same choice: some name fits both.
    pub fn is_like(&self, other: &Choice) -> bool {
        self.fits == other.fits || self.fits.iter().any(|name| other.fits.contains(name))
    }

    /// The choice of an answer that conforms; `None` if only one outcome conforms.
    pub(crate) fn of(
        declaration: &Declaration,
        input: &Input,
        expected: &Expected,
        observed: &Outcome,
    ) -> Option<Choice> {
        let Expected::Outcomes(outcomes) = expected else {
            return None;
        };
        if outcomes.len() < 2 {
            return None;
        }
        let name = |one: &Conforming| one.name.to_string();
        let fits = |given: Option<ComponentSet>| -> Vec<String> {
            let agrees = |one: &&Conforming| {
                let alone = Expected::Outcomes(vec![(*one).clone()]);
                matches!(compare_to(declaration, &alone, observed, given), Verdict::Agree { .. })
            };
            outcomes.iter().filter(agrees).map(name).collect()
        };
        // Two outcomes may differ in spelling only: an answer that is one of them is not the other.
        let exactly = fits(None);
        Some(Choice {
            offers: outcomes.iter().map(name).collect(),
            fits: if exactly.is_empty() {
                fits(Policy::of(input).spelled_freely)
            } else {
                exactly
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::compare::compare;
    use crate::model::{Forms, Operation, Specification};

    const RESOLVES: Declaration = Declaration::new("planted", "1", "resolve", &[Operation::Resolve]);

    fn fits(declaration: &Declaration, outcomes: &[(&'static str, Outcome)], observed: &Outcome) -> Vec<String> {
        let input = Input::Resolve {
            base: "http://a/b".to_owned(),
            reference: "c".to_owned(),
            strict: true,
        };
        let outcomes = outcomes.iter().map(|(name, outcome)| Conforming {
            name: Cow::Borrowed(name),
            outcome: outcome.clone(),
        });
        let expected = Expected::Outcomes(outcomes.collect());
        let verdict = compare(declaration, &input, &expected, observed);
        assert!(matches!(verdict, Verdict::Agree { .. }), "{observed}: {verdict:?}");
        Choice::of(declaration, &input, &expected, observed).unwrap().fits
    }

    #[test]
    fn every_name_that_fits_is_kept() {
        let outcomes = [
            ("literal", Outcome::uri("f://g")),
            ("target-normalised", Outcome::uri("f://g")),
            ("slash-dot", Outcome::uri("f:/.//g")),
            ("error", Outcome::rejected("why")),
        ];
        for (observed, expected) in [
            (Outcome::uri("f://g"), &["literal", "target-normalised"][..]),
            (Outcome::uri("f:/.//g"), &["slash-dot"]),
            (Outcome::rejected("another reason"), &["error"]),
        ] {
            assert_eq!(fits(&RESOLVES, &outcomes, &observed), expected, "{observed}");
        }
    }

    #[test]
    fn a_spelling_fits_the_outcome_that_it_spells() {
        let outcomes = [
            ("literal", Outcome::uri("HTTP:%7eg")),
            ("target-normalised", Outcome::uri("http:~g")),
        ];
        for (observed, expected) in [
            ("HTTP:%7eg", &["literal"][..]),
            ("http:~g", &["target-normalised"]),
            ("http:%7Eg", &["literal"]),
        ] {
            assert_eq!(
                fits(&RESOLVES, &outcomes, &Outcome::uri(observed)),
                expected,
                "{observed}"
            );
        }
        // A subject that shows normal forms only cannot show the difference.
        let normalizes = Declaration {
            forms: Forms::Normalized,
            specification: Specification::Rfc3986,
            ..RESOLVES
        };
        assert_eq!(
            fits(&normalizes, &outcomes, &Outcome::uri("http:~g")),
            ["literal", "target-normalised"]
        );
    }

    #[test]
    fn an_answer_that_is_part_one_outcome_and_part_another_fits_none() {
        let outcomes = [
            ("decoded", Outcome::uri("http://a/%7E?/../b")),
            ("kept", Outcome::uri("http://a/c?%2E")),
        ];
        let observed = Outcome::uri("http://a/c?/../b");
        assert_eq!(fits(&RESOLVES, &outcomes, &observed), Vec::<String>::new());
    }
}
