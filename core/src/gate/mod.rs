//! The gate: a subject against the vectors, with a baseline of what is known to differ.
//!
//! [`check()`] asks what a [`Plan`] selects, [`judge()`] holds it against a [`Baseline`], and [`Baseline::written`] makes one or
//! brings one up to date. For the tests of a URI crate, [`Gate`] does all of that in one line.

mod baseline;
mod changed;
mod check;
mod choices;
mod conforms;
mod day;
mod deviations;
mod glob;
mod groups;
#[cfg(feature = "harness")]
pub mod harness;
mod judge;
mod judgement;
mod plan;
mod propose;
mod rewritten;
mod suite;
mod unsaid;
mod write;

pub use self::baseline::{Baseline, BaselineError, Entry, ExpectedFailure, Line, ReasonKind};
pub use self::check::{CheckProgress, Checked, Checks, ComparedAnswer, Standing, check};
pub use self::choices::{Choices, SameChoice, names};
pub use self::conforms::Gate;
pub use self::day::today;
pub use self::deviations::{
    BaselineDeviation, BaselineProfile, DeviationCatalogue, Fit, KnownAnswers, NO_VALIDATION, PredictedAnswers,
    ProposedDeviation, fit, is_the_same,
};
pub use self::glob::Glob;
pub use self::groups::{FailureCount, FailureGroup, GroupLines, KnownCause, SharedGroup};
pub use self::judge::judge;
pub use self::judgement::{Case, Conclusion, DOES_NOT_REPEAT, Failure, Judgement, Status, SuiteTally, Tally};
pub use self::plan::Plan;
pub use self::propose::{draft, proposals};
pub use self::suite::{SuiteRun, exported};
pub use self::write::Written;
pub use crate::claim::{Claim, Claimed};
pub use crate::model::Problem;
