//! The conformance suite for RFC 3986, the generic URI syntax, for the tests of a URI library.
//!
//! A library implements [`Subject`](model::Subject): its [`Declaration`](model::Declaration) states what it claims and supports, and
//! it answers an [`Input`](model::Input) with an [`Outcome`](model::Outcome). A [`Gate`](gate::Gate) runs every test vector on it, and
//! fails on a difference from the RFC that the baseline does not list.

//!
//! ```
//! use uriproof::gate::Gate;
//! use uriproof::model::{Declaration, Observed, Operation, Outcome, Reported, Rule, Subject};
//! use uriproof::vectors::Library;
//!
//! struct Everything;
//!
//! static DECLARATION: Declaration = Declaration::new("everything", "1.0.0", "parse", &[Operation::Parse]);
//!
//! impl Subject for Everything {
//!     fn declaration(&self) -> &Declaration {
//!         &DECLARATION
//!     }
//!
//!     // Takes any text for a path.
//!     fn parse(&self, _: Rule, input: &str) -> Outcome {
//!         Outcome::components(Observed { path: Reported::Defined(input.to_owned()), ..Observed::default() })
//!     }
//! }
//!
//! // In a test: `Gate::of(&Everything).baseline("uriproof.toml").assert()`.
//! let library = Library::embedded();
//! let judgement = Gate::of(&Everything).only(&["rfc/*"])?.run(&library)?;
//! assert!(!judgement.failures().is_empty());
//! # Ok::<(), String>(())
//! ```
//!
//! With the feature `harness` each vector is a test with its own name: [`conformance_tests!`].
//!
//! What the RFC expects of an input, and why:
//!
//! ```
//! use uriproof::expect::expect;
//! use uriproof::model::{Input, Outcome, Reading};
//!
//! let (base, reference) = ("http://a/b/c/d;p?q".to_owned(), "../g".to_owned());
//! let expected = expect(&Input::Resolve { base, reference, strict: true }, Reading::Rfc3986);
//! assert_eq!(expected.literal(), Outcome::uri("http://a/b/g"));
//! ```
//!
//! The vectors, and the clauses that they cite:
//!
//! ```
//! use uriproof::vectors::Library;
//!
//! let library = Library::embedded();
//! let vector = library.vectors().find(|vector| vector.id == "rfc/5.4.1/query-only").ok_or("it is there")?;
//! let clause = library.clause(&vector.clauses[0]).ok_or("it is in the register")?;
//! assert_eq!(clause.section, "5.2.2");
//! # Ok::<(), &str>(())
//! ```
//!
//! A library in another language takes part over the [line protocol](protocol). A subject can be served over it, too:
//!
//! ```
//! # use uriproof::model::{Declaration, Operation, Outcome, Rule, Subject};
//! # struct Nothing;
//! # static DECLARATION: Declaration = Declaration::new("nothing", "1.0.0", "parse", &[Operation::Parse]);
//! # impl Subject for Nothing {
//! #     fn declaration(&self) -> &Declaration { &DECLARATION }
//! #     fn parse(&self, _: Rule, _: &str) -> Outcome { Outcome::rejected("nothing is accepted") }
//! # }
//! use uriproof::protocol::server::serve;
//!
//! let request = br#"{"id":1,"op":"parse","rule":"URI","input":"a:b"}"#;
//! let mut answer = Vec::new();
//! serve(&Nothing, &request[..], &mut answer)?;
//! assert!(String::from_utf8_lossy(&answer).contains("\"outcome\":\"rejected\""));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | [`model`] | the vocabulary as types |
//! | [`vectors`], [`clauses`], [`coverage`] | the test vectors, the clauses that they cite, and which are covered |
//! | [`expect`], [`compare`], [`ask`] | the outcomes that conform; two outcomes -> a verdict; a call that survives a panic |
//! | [`split`], [`screen`] | the components of any string; those of a URI-reference, fast |
//! | [`iri`] | the characters of RFC 3987 |
//! | [`run`] | inputs x subjects -> results |
//! | [`repeat`] | answers that do not repeat, and the calls that show them |
//! | [`severity`] | how bad a divergence is |
//! | [`protocol`] | the line protocol, and subjects in other processes (feature `commands`) |
//! | [`gate`] | a subject against the vectors, with a baseline |

pub mod algorithms;
pub mod ask;
mod claim;
pub mod clauses;
pub mod compare;
pub mod coverage;
pub mod expect;
pub mod files;
pub mod gate;
pub mod iri;
pub mod model;
pub mod protocol;
pub mod repeat;
pub mod run;
pub mod screen;
pub mod severity;
pub mod spelling;
pub mod split;
pub mod vectors;
