//! RFC 3986 as stages, and named deviations from it.
//!
//! A [`SubjectProfile`] lists the [`Deviation`]s of a library. [`SubjectProfile::outcome`] says what a library with this profile answers. A
//! divergence is explained where that is what the library does answer, to the letter; all else is news.
//!
//! ```
//! use uriproof::model::{Input, Outcome, Reading, Rule};
//! use uriproof_deviations::{Deviation, SubjectProfile};
//!
//! let profile = SubjectProfile::new([Deviation::RefusesIpvfuture]);
//! let parse = |input: &str| {
//!     let input = Input::Parse { rule: Rule::UriReference, input: input.to_owned() };
//!     profile.outcome(Rule::UriReference, &input, Reading::Rfc3986)
//! };
//! assert!(matches!(parse("//[v1.a]"), Some(Outcome::Rejected { .. })));
//! assert!(matches!(parse("//[::1]"), Some(Outcome::Accepted { .. })));
//! assert_eq!(Deviation::RefusesIpvfuture.sentence(), "refuses IPvFuture");
//! ```

mod catalogue;
mod dots;
mod effect;
mod profile;
mod reading;
mod spelling;
pub mod stages;

pub use catalogue::{Argument, BaseForm, Deviation, DotsOf, GuardedForm, HostForm, RETIRED, Stop};
pub use profile::{Parsed, SubjectProfile};
