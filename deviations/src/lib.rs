//! RFC 3986 as stages, and named deviations from it.
//!
//! A [`SubjectProfile`] lists the [`Deviation`]s of a library. [`SubjectProfile::outcome`] returns what a library with this profile
//! answers. A divergence is explained if that is the library's own answer, to the letter.
//!
//! A profile without deviations is RFC 3986:
//!
//! ```
//! use uriproof::expect::expect;
//! use uriproof::model::{Input, Reading, Rule};
//! use uriproof_deviations::SubjectProfile;
//!
//! let input = Input::Parse { rule: Rule::UriReference, input: "//user@[v1.a]:80/b?c".to_owned() };
//! let answer = SubjectProfile::default().outcome(Rule::UriReference, &input, Reading::Rfc3986);
//! assert_eq!(answer, Some(expect(&input, Reading::Rfc3986).literal()));
//! ```
//!
//! A deviation changes the answer where it acts, and nowhere else. It has a sentence, of which the library is the subject:
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
//!
//! One deviation can change several operations. A library that keeps the port as a number prints another text, and composes another:
//!
//! ```
//! use uriproof::model::{Components, Input, Outcome, Reading, Rule};
//! use uriproof_deviations::{Deviation, SubjectProfile};
//!
//! let profile = SubjectProfile::new([Deviation::HoldsPortAsNumber]);
//! let answer = |input: &Input| profile.outcome(Rule::UriReference, input, Reading::Rfc3986);
//! let printed = answer(&Input::RoundTrip { uri: "http://a:080/".to_owned() });
//! assert_eq!(printed, Some(Outcome::uri("http://a:80/")));
//!
//! let (host, port) = (Some("a".to_owned()), Some("080".to_owned()));
//! let composed = answer(&Input::Compose { components: Components { host, port, ..Components::default() } });
//! assert_eq!(composed, Some(Outcome::uri("//a:80")));
//! ```
//!
//! [`SubjectProfile::without`] leaves one deviation out, which shows the deviation that is responsible for an answer:
//!
//! ```
//! use uriproof::model::{Input, Outcome, Reading, Rule};
//! use uriproof_deviations::{Deviation, SubjectProfile};
//!
//! let profile = SubjectProfile::new([Deviation::LosesRoot, Deviation::DropsEmptySegments]);
//! let (base, reference) = ("http://a/b".to_owned(), ".//c".to_owned());
//! let input = Input::Resolve { base, reference, strict: true };
//! let answer = |profile: &SubjectProfile| profile.outcome(Rule::UriReference, &input, Reading::Rfc3986);
//! assert_eq!(answer(&profile), Some(Outcome::uri("http://a/c")));
//! let is_responsible = |place: &usize| answer(&profile.without(*place)) != answer(&profile);
//! assert_eq!((0..2).filter(is_responsible).collect::<Vec<_>>(), [1]);
//! ```
//!
//! A deviation is data: its id and its parameters in JSON or TOML, as profiles and baselines have them:
//!
//! ```
//! use uriproof_deviations::Deviation;
//!
//! let deviation: Deviation = serde_json::from_str(r#"{"id": "refuses-ports-above", "limit": 65535}"#)?;
//! assert_eq!(deviation, Deviation::RefusesPortsAbove { limit: 65535 });
//! assert_eq!(deviation.sentence(), "refuses a port above 65535");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The [`stages`] are functions of their own. [`stages::faults`] returns every fault of a text:
//!
//! ```
//! use uriproof::model::{Component, Reading};
//! use uriproof_deviations::stages::{faults, parts};
//!
//! let parts = parts("http://a b:8x/c?d");
//! assert_eq!(parts.host.as_deref(), Some("a b"));
//! let components: Vec<Component> = faults(&parts, Reading::Rfc3986).iter().map(|fault| fault.component).collect();
//! assert_eq!(components, [Component::Host, Component::Port]);
//! ```

mod catalogue;
mod dots;
mod effect;
mod profile;
mod proposal;
mod reading;
mod spelling;
pub mod stages;
pub mod url_rules;
mod url_standard;

pub use catalogue::{Argument, BaseForm, Deviation, DotsOf, GuardedForm, HostForm, RETIRED, StopPoint, UrlDeparture};
pub use profile::{Parsed, SubjectProfile};
pub use proposal::{CATALOGUE, Catalogue, RivalDeviation};
