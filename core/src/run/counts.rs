//! How many answers of a subject count how.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::compare::BriefVerdict;

/// How many inputs were put to a subject, and how its answers count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Answers that conform.
    pub agree: u64,
    /// Answers that do not.
    pub diverge: u64,
    /// Answers that were not compared.
    pub not_compared: u64,
    /// Inputs that were not put to it, to keep within its [budget](crate::model::Subject::budget).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

/// Such a count is not written.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Counts {
    /// How many inputs were put to the subject.
    pub fn answers(self) -> u64 {
        self.compared() + self.not_compared
    }

    /// How many answers were compared.
    pub fn compared(self) -> u64 {
        self.agree + self.diverge
    }

    /// Counts an answer.
    #[inline]
    pub fn add(&mut self, seen: BriefVerdict) {
        *match seen {
            BriefVerdict::Agrees => &mut self.agree,
            BriefVerdict::Diverges(_) => &mut self.diverge,
            BriefVerdict::NotComparable => &mut self.not_compared,
        } += 1;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.agree += other.agree;
        self.diverge += other.diverge;
        self.not_compared += other.not_compared;
        self.left_out += other.left_out;
    }
}
