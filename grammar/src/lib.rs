//! ABNF as data: RFC 5234 grammars -> minimal automata over bytes -> test suites that are complete for a stated class of
//! faults.
//!
//! The grammar of RFC 3986 is included as text ([`rfc3986::ABNF`]); every other ABNF without recursion works as well. The crate
//! knows no implementation: it decides which strings match a rule, and generates the strings that test a parser.

//!
//! ```
//! use uriproof_grammar::{Dfa, Grammar, rfc3986};
//!
//! let grammar = rfc3986::grammar();
//! let reference = Dfa::compile(&grammar, "URI-reference")?;
//! assert!(reference.accepts(b"http://[2001:db8::7]/c=GB?one"));
//! assert_eq!(reference.longest_viable_prefix(b"http://[::1::]/"), 12);
//! assert_eq!((reference.identity().states, reference.identity().classes), (183, 21));
//!
//! let greeting = Grammar::read("greeting = \"hello\" 1*SP 1*ALPHA")?;
//! assert!(Dfa::compile(&greeting, "greeting")?.accepts(b"Hello  world"));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```

pub mod abnf;
pub mod automaton;
pub mod choices;
pub mod complete;
pub mod derive;
pub mod difference;
pub mod discrimination;
pub mod draw;
pub mod draw_difference;
pub mod fnv;
mod hash;
pub mod learn;
pub mod machine;
pub mod moore;
pub mod nearest;
pub mod ordered;
pub mod profile;
mod random;
pub mod rfc3986;
pub mod segments;
pub mod standard;
pub mod text;
pub mod transducer;

pub use abnf::Grammar;
pub use automaton::Dfa;
pub use derive::Deriver;
pub use fnv::Fnv;
pub use machine::{Alphabet, Identity, Machine, State};
pub use moore::Moore;
pub use profile::Profile;
pub use text::TextMachine;
