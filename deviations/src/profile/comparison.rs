//! What becomes of two values that are compared, or of which one is to lead to the other.

use rfc3986_reference::components::ReferenceRule;
use uriproof::model::{Outcome, Reading, Rule, Rung};

use super::{SubjectProfile, crashed, matches};
use crate::stages::{ComparisonRules, Parts, parts, recompose, relativize, resolves_to};

impl SubjectProfile {
    /// Whether two values are equal on a rung.
    pub(super) fn outcome_of_equivalent(
        &self,
        own: Rule,
        left: &str,
        right: &str,
        rung: Rung,
        reading: Reading,
    ) -> Outcome {
        let (one, other) = match self.both_taken(own, left, right, reading) {
            Ok(both) => both,
            Err(refused) => return refused,
        };
        if self.deviations.iter().any(|deviation| deviation.separates(&parts(left), &parts(right))) {
            return Outcome::equivalent(false);
        }
        match self.comparison_rules().are_equal(&one, &other, rung) {
            Ok(are_equal) => Outcome::equivalent(are_equal),
            Err(place) => crashed(place),
        }
    }

    /// The contracts that two values break. What compares by itself does so on the rung of §6.2.2.
    pub(super) fn outcome_of_contract(&self, own: Rule, left: &str, right: &str, reading: Reading) -> Outcome {
        let (left, right) = match self.both_taken(own, left, right, reading) {
            Ok(both) => both,
            Err(refused) => return refused,
        };
        let rules = self.comparison_rules();
        // Each is compared with itself, too.
        for value in [&left, &right] {
            if let Err(place) = rules.are_equal(value, value, Rung::Syntax) {
                return crashed(place);
            }
        }
        let are_equal = rules.are_equal(&left, &right, Rung::Syntax).unwrap_or(false);
        let broken = self.deviations.iter().filter_map(|deviation| deviation.breaks(&left, &right, are_equal));
        Outcome::broken(broken.collect::<Vec<_>>())
    }

    /// The reference that the shared steps write, if it resolves to the target or a deviation writes it unchecked; else the target.
    pub(super) fn outcome_of_relativize(&self, own: Rule, base: &str, target: &str, reading: Reading) -> Outcome {
        let (base, target) = match self.both_taken(own, base, target, reading) {
            Ok(both) => both,
            Err(refused) => return refused,
        };
        let (reference, step) = relativize(&base, &target);
        let is_unchecked = |step| self.deviations.iter().any(|deviation| deviation.relativizes_unchecked(step));
        Outcome::uri(
            match step.is_some_and(is_unchecked) || resolves_to(&base, &reference, &target) {
                true => reference,
                false => recompose(&target),
            },
        )
    }

    fn comparison_rules(&self) -> ComparisonRules<'_> {
        let mut rules = ComparisonRules::default();
        for deviation in &self.deviations {
            deviation.rules_comparison(&mut rules);
        }
        rules
    }

    /// The parts of two texts of the rule of the entry point, if both are taken.
    #[expect(
        clippy::result_large_err,
        reason = "a refusal is an answer as good as another, and goes no further"
    )]
    fn both_taken<'a>(
        &self,
        own: Rule,
        left: &'a str,
        right: &'a str,
        reading: Reading,
    ) -> Result<(Parts<'a>, Parts<'a>), Outcome> {
        match (self.taken(left, reading), self.taken(right, reading)) {
            (Ok(left), Ok(right)) => match ReferenceRule::try_from(own) {
                Ok(own) if !(matches(&left, own) && matches(&right, own)) => {
                    Err(Outcome::rejected(format!("one does not match {}", Rule::from(own))))
                }
                _ => Ok((left, right)),
            },
            (Err(crashed @ Outcome::Crashed { .. }), _) | (_, Err(crashed @ Outcome::Crashed { .. })) => Err(crashed),
            (Err(refused), _) | (_, Err(refused)) => Err(refused),
        }
    }
}
