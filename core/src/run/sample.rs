//! Which inputs are put to a subject that is too slow for all of them.

use crate::model::Subject;

/// Which inputs are put to a subject: all of them, or every n-th, to keep within its [budget](Subject::budget).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    step: u128,
    total: u128,
}

impl Sample {
    /// Every input.
    pub const ALL: Sample = Sample { step: 1, total: 0 };

    /// Of a suite of `total` strings, as many as the budget of the subject allows.
    pub fn of(subject: &dyn Subject, total: impl FnOnce() -> u128) -> Sample {
        match subject.budget() {
            Some(budget) => {
                let total = total();
                let step = total.div_ceil(budget.max(1) as u128).max(1);
                Sample { step, total }
            }
            None => Sample::ALL,
        }
    }

    /// Of inputs without end, the share that a budget is of a suite.
    pub fn of_endless(subject: &dyn Subject) -> Sample {
        /// About as many strings as the core suite has, which budgets are made for.
        const SUITE: u128 = 60_000;
        Sample::of(subject, || SUITE)
    }

    /// One of so many inputs of these.
    #[must_use]
    pub fn thinned(self, share: u64) -> Sample {
        Sample {
            step: self.step.saturating_mul(share.into()),
            ..self
        }
    }

    /// Whether every input is put to the subject.
    pub fn is_whole(self) -> bool {
        self.step == 1
    }

    /// Whether the input at this place is put to the subject.
    #[inline]
    pub fn takes(self, place: u128) -> bool {
        self.step == 1 || place % self.step == 0
    }

    /// How many strings of the suite are put to the subject, and how many it has.
    pub fn share(self) -> (u128, u128) {
        (self.total.div_ceil(self.step), self.total)
    }
}
