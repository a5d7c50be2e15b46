//! Makes an input smaller for all subjects together.

use uriproof::compare::{Difference, Verdict};
use uriproof::model::{Input, Outcome, Reading, Subject};
use uriproof::run::{self, Result};

use super::super::minimize::minimize;
use super::super::shape::drop_parts;

/// What of the results of all subjects stays while an input shrinks for all of them together: each verdict with its kind
/// and components, and who agrees with whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    verdicts: Vec<(&'static str, Option<Difference>, Option<String>)>,
    /// For each subject the first that did the same.
    agreement: Vec<usize>,
}

impl Behaviour {
    /// Of results, in the order of their subjects.
    pub fn of(results: &[Result]) -> Behaviour {
        let bare = |result: &Result| match &result.observed {
            Outcome::Accepted { value } => Some(value.clone()),
            _ => None,
        };
        Behaviour {
            verdicts: results
                .iter()
                .map(|result| {
                    let difference = match &result.verdict {
                        Verdict::Diverge(difference) => Some(*difference),
                        Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
                    };
                    (result.verdict.name(), difference, result.observed.crash_place())
                })
                .collect(),
            agreement: results
                .iter()
                .map(|result| {
                    let same =
                        |other: &Result| other.observed.name() == result.observed.name() && bare(other) == bare(result);
                    results.iter().position(same).unwrap_or_default()
                })
                .collect(),
        }
    }
}

/// The smallest input on which every subject differs from the reference as it does on `input`, and agrees with the same
/// other subjects.
///
/// Subjects that are too slow for a suite ([`Subject::budget`]) take no part, unless there are no others: each would have
/// to be asked hundreds of times.
pub fn minimize_for_all(subjects: &[&dyn Subject], input: &Input, reading: Reading) -> Input {
    let quick: Vec<&dyn Subject> = subjects.iter().copied().filter(|subject| subject.budget().is_none()).collect();
    let subjects = if quick.is_empty() { subjects } else { &quick };
    let kept = Behaviour::of(&run::all(subjects, input, reading));
    let mut same = |input: &Input| Behaviour::of(&run::all(subjects, input, reading)) == kept;
    minimize(&drop_parts(input, &mut same), &mut same)
}
