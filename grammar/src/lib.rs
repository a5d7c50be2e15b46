//! ABNF as data: RFC 5234 grammars -> minimal automata over bytes -> test suites that are complete for a stated class of
//! faults.
//!
//! The grammar of RFC 3986 is included as text ([`rfc3986::ABNF`]); every other ABNF without recursion works as well. The crate
//! knows no implementation: it decides which strings match a rule, and generates the strings that test a parser.
//!
//! A [`Grammar`] is a text of ABNF that was read. A [`Dfa`] is the minimal machine of one of its rules, which decides in one pass
//! whether a string matches, and how far a string can be continued to one that does:
//!
//! ```
//! use uriproof_grammar::{Dfa, Grammar, rfc3986};
//!
//! let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference")?;
//! assert!(reference.accepts(b"http://[2001:db8::7]/c=GB?one"));
//! assert_eq!(reference.longest_viable_prefix(b"http://[::1::]/"), 12);
//! assert_eq!((reference.identity().states, reference.identity().classes), (183, 21));
//!
//! let greeting = Grammar::read("greeting = \"hello\" 1*SP 1*ALPHA")?;
//! assert!(Dfa::compile(&greeting, "greeting")?.accepts(b"Hello  world"));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```
//!
//! Two machines are compared exactly. A [`Profile`] changes rules of RFC 3986, and the shortest string on which two machines differ
//! shows what it changes:
//!
//! ```
//! use uriproof_grammar::difference::{difference, equivalent};
//! use uriproof_grammar::{Dfa, Profile, profile, rfc3986};
//!
//! let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference")?;
//! let with_a_host = profile::grammar(&[Profile::HostNotEmpty]).expect("one profile contradicts nothing");
//! let stricter = Dfa::compile(&with_a_host, "URI-reference")?;
//! assert!(!equivalent(&reference, &stricter));
//! assert_eq!(difference(&reference, &stricter), Some(b"//".to_vec()));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```
//!
//! A machine counts the strings of each length, and has a shortest string that leads to each of its states:
//!
//! ```
//! use uriproof_grammar::{Alphabet, Dfa, rfc3986};
//!
//! let octet = Dfa::compile(&rfc3986::grammar(), "dec-octet")?;
//! assert_eq!(octet.accepted_per_length(4, Alphabet::Bytes), [0, 10, 90, 156, 0]);
//!
//! let words = octet.machine().access_words();
//! let octets = words.iter().filter(|word| octet.accepts(word)).map(|word| String::from_utf8_lossy(word));
//! assert_eq!(octets.collect::<Vec<_>>(), ["0", "1", "2", "3", "25"]);
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```
//!
//! A suite tests a parser of the rule. Its certificate states which faults a parser that passes cannot have:
//!
//! ```
//! use uriproof_grammar::complete::{Method, Suites};
//! use uriproof_grammar::{Alphabet, Dfa, rfc3986};
//!
//! let scheme = Dfa::compile(&rfc3986::grammar(), "scheme")?;
//! let suites = Suites::new(scheme.machine());
//! let suite = suites.suite(Method::Hsi(1), Alphabet::Ascii);
//! assert!(suite.certificate().to_string().contains("more than 4 states"));
//!
//! let parser = |input: &str| input.starts_with(|first: char| first.is_ascii_alphabetic());
//! let is_wrong = |input: &[u8]| parser(&String::from_utf8_lossy(input)) != scheme.accepts(input);
//! assert!(suite.into_iter().any(|input| is_wrong(&input)));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```
//!
//! A [`Deriver`] returns the parts of a string by rule. [`nearest`](nearest::nearest) corrects a string that does not match:
//!
//! ```
//! use uriproof_grammar::nearest::nearest;
//! use uriproof_grammar::{Deriver, Dfa, rfc3986};
//!
//! let grammar = rfc3986::grammar();
//! let input = b"//user@example.com:80/a";
//! let tree = Deriver::compile(&grammar, "URI-reference")?.derive(input).expect("it matches");
//! assert_eq!(tree.find("host").map(|host| host.text(input)), Some(&b"example.com"[..]));
//!
//! let uri = Dfa::compile(&grammar, "URI")?;
//! let corrected = nearest(uri.machine(), "http://a b/").expect("there is a URI");
//! assert_eq!((&*corrected.text, corrected.edits), ("http://ab/", 1));
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```
//!
//! A parser is [learned](learn) by queries alone. The result is its machine, and each difference from the rule with a witness:
//!
//! ```
//! use uriproof_grammar::learn::{Options, learn};
//! use uriproof_grammar::{Dfa, rfc3986};
//!
//! let port = Dfa::compile(&rfc3986::grammar(), "port")?;
//! let parser = |input: &str| u32::from(!input.is_empty() && input.bytes().all(|octet| octet.is_ascii_digit()));
//! let learned = learn(port.machine(), &parser, &Options::default());
//! assert_eq!(learned.states(), 3);
//! assert_eq!(learned.differences[0].witness, "");
//! # Ok::<(), uriproof_grammar::abnf::Error>(())
//! ```

pub mod abnf;
pub mod automaton;
pub mod choices;
pub mod complete;
pub mod composition;
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
pub mod scheme_based;
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
