//! The combination of a profile's deviations that comes nearest to an answer that the whole profile does not predict.

use uriproof::model::{Component, Declaration, Input, Outcome, Value};
use uriproof::split::{self, UserinfoEnd};
use uriproof_deviations::SubjectProfile;

use super::{acting, is_the_same, predicted};

/// A combination of deviations, and what it predicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearestCombination {
    /// The deviations that are left out, by their places in the profile.
    pub without: Vec<usize>,
    /// What the others predict.
    pub predicted: Outcome,
    /// Whether that is the answer, to the letter.
    pub is_exact: bool,
}

/// Of all deviations that act on an input, and those without one or two of them, the combination whose prediction is the answer, or
/// differs from it in the fewest components; of equal ones the largest. `None` where the stages do not reach.
pub fn nearest(
    declaration: &Declaration,
    profile: &SubjectProfile,
    input: &Input,
    observed: &Outcome,
) -> Option<NearestCombination> {
    let acting = acting(declaration, profile, input);
    let mut left_out: Vec<Vec<usize>> = vec![Vec::new()];
    left_out.extend(acting.iter().map(|&one| vec![one]));
    for (at, &one) in acting.iter().enumerate() {
        left_out.extend(acting[at + 1..].iter().map(|&other| vec![one, other]));
    }
    let of = |without: Vec<usize>| {
        let kept = (0..profile.deviations.len()).filter(|place| !without.contains(place));
        let predicted = predicted(declaration, &profile.only(kept), input)?;
        let is_exact = is_the_same(declaration, &predicted, observed);
        let distance = if is_exact {
            0
        } else {
            1 + distance(&predicted, observed)
        };
        Some((
            distance,
            NearestCombination {
                without,
                predicted,
                is_exact,
            },
        ))
    };
    let combinations = left_out.into_iter().filter_map(of);
    combinations
        .min_by_key(|(distance, combination)| (*distance, combination.without.len()))
        .map(|(_, nearest)| nearest)
}

/// In how many components two outcomes differ; of outcomes of two kinds, in more than all.
fn distance(one: &Outcome, other: &Outcome) -> usize {
    let differing =
        |is_same: &dyn Fn(Component) -> bool| Component::TEXTS.into_iter().filter(|it| !is_same(*it)).count();
    match (one, other) {
        (
            Outcome::Accepted { value: Value::Uri(one) },
            Outcome::Accepted {
                value: Value::Uri(other),
            },
        ) => {
            let [one, other] = [one, other].map(|uri| split::components(uri, UserinfoEnd::LastAt));
            differing(&|component| one.text(component) == other.text(component))
        }
        (
            Outcome::Accepted {
                value: Value::Components(one),
            },
            Outcome::Accepted {
                value: Value::Components(other),
            },
        ) => differing(&|component| one.text(component) == other.text(component)),
        _ => Component::TEXTS.len() + 1,
    }
}
