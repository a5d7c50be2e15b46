//! What a comparison says: the verdict, and how an outcome differs.

use serde::{Deserialize, Serialize};

use crate::model::ComponentSet;

/// What the comparison of an outcome with the expected ones says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The outcome conforms.
    Agree {
        /// The name of the conforming outcome, where several conform.
        conforming: Option<String>,
    },
    /// It does not.
    Diverge(Difference),
    /// There is nothing to compare, for this reason.
    NotComparable {
        /// Why.
        reason: String,
    },
}

impl Verdict {
    /// The verdict's name, as `results.json` spells it.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Agree { .. } => "agree",
            Verdict::Diverge(_) => "diverge",
            Verdict::NotComparable { .. } => "not-comparable",
        }
    }
}

/// How an outcome differs from the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Difference {
    /// The kind of difference.
    pub kind: DifferenceKind,
    /// The components that differ, where both sides have components.
    pub components: ComponentSet,
}

impl Difference {
    /// One in no component.
    pub fn of_kind(kind: DifferenceKind) -> Difference {
        let components = ComponentSet::NONE;
        Difference { kind, components }
    }
}

/// The kinds of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// Accepted, though invalid.
    AcceptedInvalid,
    /// Rejected, though valid.
    RejectedValid,
    /// Accepted by both, with other components.
    OtherComponents,
    /// Accepted by both, with another URI.
    OtherUri,
    /// Made a string that is no URI-reference.
    InvalidUri,
    /// Equivalent, though different (RFC 3986 §6.1).
    FalsePositive,
    /// Not equivalent, though the same on that rung (RFC 3986 §6.1).
    FalseNegative,
    /// A contract of equality, hash or order does not hold.
    BrokenContract,
    /// What was normalized comes out otherwise when it is normalized again.
    NotIdempotent,
    /// A relative reference came out as one that resolves to something else, or as one of another kind.
    OtherMeaning,
    /// The time that the subject takes grows faster than its input.
    Superlinear,
    /// The subject panicked or died.
    Crashed,
    /// The subject did not answer in time.
    TimedOut,
}

impl DifferenceKind {
    /// Every kind.
    pub const ALL: [DifferenceKind; 13] = [
        DifferenceKind::AcceptedInvalid,
        DifferenceKind::RejectedValid,
        DifferenceKind::OtherComponents,
        DifferenceKind::OtherUri,
        DifferenceKind::InvalidUri,
        DifferenceKind::FalsePositive,
        DifferenceKind::FalseNegative,
        DifferenceKind::BrokenContract,
        DifferenceKind::NotIdempotent,
        DifferenceKind::OtherMeaning,
        DifferenceKind::Superlinear,
        DifferenceKind::Crashed,
        DifferenceKind::TimedOut,
    ];

    /// The kind's name, as `results.json` spells it.
    pub fn name(self) -> &'static str {
        match self {
            DifferenceKind::AcceptedInvalid => "accepted-invalid",
            DifferenceKind::RejectedValid => "rejected-valid",
            DifferenceKind::OtherComponents => "other-components",
            DifferenceKind::OtherUri => "other-uri",
            DifferenceKind::InvalidUri => "invalid-uri",
            DifferenceKind::FalsePositive => "false-positive",
            DifferenceKind::FalseNegative => "false-negative",
            DifferenceKind::BrokenContract => "broken-contract",
            DifferenceKind::NotIdempotent => "not-idempotent",
            DifferenceKind::OtherMeaning => "other-meaning",
            DifferenceKind::Superlinear => "superlinear",
            DifferenceKind::Crashed => "crashed",
            DifferenceKind::TimedOut => "timed-out",
        }
    }

    /// Whether the subject gave no answer.
    pub fn is_death(self) -> bool {
        matches!(self, DifferenceKind::Crashed | DifferenceKind::TimedOut)
    }
}

/// A [`Verdict`] without its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BriefVerdict {
    /// The outcome conforms.
    Agrees,
    /// There is nothing to compare.
    NotComparable,
    /// It does not conform.
    Diverges(Difference),
}

impl BriefVerdict {
    /// That it differs so, in no component.
    pub(crate) fn of_kind(kind: DifferenceKind) -> BriefVerdict {
        BriefVerdict::Diverges(Difference::of_kind(kind))
    }
}

impl From<&Verdict> for BriefVerdict {
    fn from(verdict: &Verdict) -> BriefVerdict {
        match verdict {
            Verdict::Agree { .. } => BriefVerdict::Agrees,
            Verdict::NotComparable { .. } => BriefVerdict::NotComparable,
            Verdict::Diverge(difference) => BriefVerdict::Diverges(*difference),
        }
    }
}
