//! Generates inputs on which URI libraries may differ from RFC 3986, and minimizes, classifies and explains the divergences.
//!
//! Inputs are generated from a seed, for some operations or all:
//!
//! ```
//! use uriproof::model::{Input, Operation};
//! use uriproof_lab::generate::Generator;
//!
//! let operations = [Operation::Parse, Operation::Resolve];
//! let mut generator = Generator::of(3986, &operations);
//! let inputs: Vec<Input> = (0..1000).map(|_| generator.next_input()).collect();
//! assert!(inputs.iter().all(|input| operations.contains(&input.operation())));
//!
//! let mut again = Generator::of(3986, &operations);
//! assert!(inputs.iter().all(|input| *input == again.next_input()));
//! ```
//!
//! An input on which a library diverges is minimized, and what is peculiar to the minimal input names the class of the divergence.
//! `Planted` is a library that refuses IPvFuture:
//!
//! ```
//! # use uriproof::model::{Declaration, Operation, Outcome, Reading, Rule, Subject};
//! # use uriproof::expect::expect;
//! # struct Planted;
//! # static DECLARATION: Declaration = Declaration::new("planted", "1.0.0", "parse", &[Operation::Parse]);
//! # impl Subject for Planted {
//! #     fn declaration(&self) -> &Declaration { &DECLARATION }
//! #     fn parse(&self, rule: Rule, input: &str) -> Outcome {
//! #         match input.contains("[v") {
//! #             true => Outcome::rejected("no IPvFuture"),
//! #             false => expect(&Input::Parse { rule, input: input.to_owned() }, Reading::Rfc3986).literal(),
//! #         }
//! #     }
//! # }
//! use uriproof::model::Input;
//! use uriproof::run;
//! use uriproof_lab::divergence::fingerprint::classes;
//!
//! let input = Input::Parse { rule: Rule::UriReference, input: "http://user@[vF.abc]:80/c/d?e".to_owned() };
//! let result = run::one(&Planted, &input, Reading::Rfc3986);
//! let classes = classes(&Planted, &result, Reading::Rfc3986);
//! assert_eq!(classes.len(), 1);
//! assert_eq!(classes[0].fingerprint.as_str(), "parse rejected-valid: IPvFuture");
//! assert_eq!(classes[0].witness.input.to_string(), "\"//[va.a]\"");
//! ```
//!
//! [`minimize`](divergence::minimize::minimize) shrinks an input while any property of it stays:
//!
//! ```
//! use uriproof::ask::ask;
//! use uriproof::model::{Input, Outcome};
//! use uriproof_lab::divergence::minimize::minimize;
//! use uriproof_subjects::iref::Uri;
//!
//! let (base, reference) = ("http://example.com/b/%ff".to_owned(), "../c?d".to_owned());
//! let crash = Input::Resolve { base, reference, strict: true };
//! let minimal = minimize(&crash, &mut |input| matches!(ask(&Uri, input), Outcome::Crashed { .. }));
//! assert_eq!(minimal, Input::Resolve { base: "a:%aa".to_owned(), reference: "a".to_owned(), strict: true });
//! ```
//!
//! A suite that is complete for a stated class of faults is run on a library. The score has what diverges:
//!
//! ```
//! use uriproof::model::Rule;
//! use uriproof_lab::complete::Prepared;
//! use uriproof_lab::machines::Machines;
//!
//! let machines = Machines::of_rfc3986();
//! let suite = Prepared::core(&machines, Rule::Uri);
//! let score = suite.put(&uriproof_subjects::fluent_uri::Uri, |_| (), &|| false);
//! assert!(score.is_clean() && score.answers() > 50_000);
//! ```
//!
//! [`acceptance`](learn::acceptance) learns by queries which strings a library accepts, and where that differs from the RFC. `Port` is a
//! library that parses a port with `str::parse::<u16>`. It refuses the empty port and ports above 65535, and accepts a sign:
//!
//! ```
//! # use uriproof::model::{Components, Declaration, Observed, Operation, Outcome, Rule, Subject};
//! # struct Port;
//! # static DECLARATION: Declaration =
//! #     Declaration::new("planted", "1.0.0", "port", &[Operation::Parse]).with_rules(&[Rule::Port]);
//! # impl Subject for Port {
//! #     fn declaration(&self) -> &Declaration { &DECLARATION }
//! #     fn parse(&self, _: Rule, input: &str) -> Outcome {
//! #         match input.parse::<u16>() {
//! #             Ok(_) => Outcome::components(Observed::default()),
//! #             Err(error) => Outcome::rejected(error),
//! #         }
//! #     }
//! # }
//! use uriproof_grammar::learn::Options;
//! use uriproof_lab::learn::{Lesson, What, acceptance};
//! use uriproof_lab::machines::Machines;
//!
//! let machines = Machines::of_rfc3986();
//! let inference = acceptance(&machines, &Port, &Options::default(), &|| false);
//! let lesson = Lesson::of(&machines, &Port, What::Acceptance, &inference);
//! let witnesses: Vec<&str> = lesson.groups.iter().map(|group| &*group.witness).collect();
//! assert_eq!(witnesses, ["", "+0", "66000"]);
//! ```
//!
//! A profile predicts the answers of a library. What it does not predict is news:
//!
//! ```
//! use uriproof::model::Operation;
//! use uriproof_deviations::{Deviation, SubjectProfile};
//! use uriproof_lab::generate::Generator;
//! use uriproof_lab::predict::Predictions;
//! use uriproof_subjects::fluent_uri_0_1::Uri;
//!
//! let mut generator = Generator::of(3986, &[Operation::Parse]);
//! let inputs: Vec<_> = (0..2000).map(|_| generator.next_input()).collect();
//! let unpredicted = |profile: SubjectProfile| Predictions::of(&Uri, &profile, &inputs).total().unpredicted();
//! assert!(unpredicted(SubjectProfile::default()) > 0);
//! assert_eq!(unpredicted(SubjectProfile::new([Deviation::RefusesIpvfuture])), 0);
//! ```
//!
//! [`new_vector`](ready::new_vector) makes a vector of a finding, with its level and the clauses that decide it:
//!
//! ```
//! use uriproof::compare::{Difference, DifferenceKind};
//! use uriproof::model::{Input, Level, Rule};
//! use uriproof::vectors::Library;
//! use uriproof_lab::ready::new_vector;
//!
//! let input = Input::Parse { rule: Rule::UriReference, input: "//[::1::]".to_owned() };
//! let difference = Difference::of_kind(DifferenceKind::AcceptedInvalid);
//! let vector = new_vector(&input, &difference, &Library::embedded())?;
//! assert_eq!((vector.level, &*vector.clauses[0]), (Level::Must, "§3.2.2/IPv6address"));
//! # Ok::<(), uriproof_lab::ready::NoVector>(())
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | [`generate`], [`dictionary`], [`hunt`], [`pairs`], [`pairwise`] | generated inputs, and searches with them |
//! | [`machines`], [`suites`], [`complete`], [`score`], [`sweep`], [`export`] | the grammar's machines (minimal automata), and suites made from them |
//! | [`learn`], [`growth`] | the machine of a subject, and how its time grows |
//! | [`answers`] | stored answers of subjects, by which a changed one is noticed |
//! | [`divergence`], [`classes`], [`ready`] | minimized divergences, their classes, and the ledger that explains them |
//! | [`predict`] | how much of the divergences the profiles of the ledger predict |
//! | [`mutants`], [`reach`], [`proof`] | the quality of the suites, the generators and the reference |
//! | [`targets`] | the logic of the fuzz targets |

pub mod address;
pub mod answers;
pub mod classes;
pub mod complete;
pub mod dictionary;
pub mod divergence;
pub mod export;
mod exposed;
pub mod generate;
pub mod growth;
pub mod hunt;
pub mod learn;
pub mod machines;
pub mod mutants;
pub mod origin;
pub mod pairs;
pub mod pairwise;
pub mod predict;
pub mod proof;
pub mod reach;
pub mod ready;
pub mod score;
pub mod suites;
pub mod sweep;
pub mod targets;
