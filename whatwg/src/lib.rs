//! The WHATWG URL standard as code: a literal, executable transcription of its parsers, serializers and API.
//!
//! One module for each part of the standard, one function for each algorithm and state, each step above the code that follows it, with
//! its number. A comment with two slashes is the standard's text, word for word, or begins with `Not in the standard`. The source of
//! the standard is that of whatwg/url at commit 6ae8486 (2 July 2026).
//!
//! [`basic_url_parser`](parser::basic_url_parser) has an answer for every string:
//!
//! ```
//! use whatwg_url_reference::host::UrlHost;
//! use whatwg_url_reference::parser::basic_url_parser;
//! use whatwg_url_reference::serializer::{UrlFragment, serialize};
//!
//! let parse = basic_url_parser(r"https:\\0x7F.1/a/%2e%2E/b", None);
//! let url = parse.url.expect("it is no failure");
//! assert_eq!(serialize(&url, UrlFragment::Included), "https://127.0.0.1/b");
//! assert_eq!(url.host(), Some(&UrlHost::Ipv4(0x7F00_0001)));
//! ```
//!
//! Validation errors have the standard's names, and the byte offset in the input:
//!
//! ```
//! use whatwg_url_reference::parser::basic_url_parser;
//!
//! let parse = basic_url_parser("http://0x7F.1/%", None);
//! let errors: Vec<String> = parse.errors.iter().map(ToString::to_string).collect();
//! assert_eq!(
//!     errors,
//!     ["IPv4-too-few-parts at byte 7", "IPv4-non-decimal-part at byte 7", "invalid-URL-unit at byte 14"]
//! );
//! ```
//!
//! [`parse_traced`](parser::parse_traced) returns the states too. A library whose answer differs is compared with each of them:
//!
//! ```
//! use whatwg_url_reference::parser::parse_traced;
//!
//! let traced = parse_traced("a:b", None);
//! let runs: Vec<String> = traced.runs.iter().map(ToString::to_string).collect();
//! assert_eq!(
//!     runs,
//!     [
//!         "scheme start state at byte 0: 'a', buffer \"\"",
//!         "scheme state at byte 1: ':', buffer \"a\"",
//!         "opaque path state at byte 2: 'b', buffer \"\"",
//!         "opaque path state at byte 3: EOF, buffer \"\"",
//!     ]
//! );
//! ```
//!
//! [`UrlObject`](api::UrlObject) is the class `URL` of the API:
//!
//! ```
//! use whatwg_url_reference::api::UrlObject;
//!
//! let mut url = UrlObject::new("../c", Some("https://example.org/a/b/"))?;
//! url.set_host("EXAMPLE.com:8080");
//! assert_eq!(url.href(), "https://example.com:8080/a/c");
//! # Ok::<(), whatwg_url_reference::api::UrlTypeError>(())
//! ```
//!
//! What is not here: encodings other than UTF-8, the blob URL store, public suffixes, the rendering of URLs, and the class
//! `URLSearchParams`.

pub mod api;
pub mod code_points;
pub mod domain;
pub mod form;
pub mod host;
pub mod ipv4;
pub mod ipv6;
mod machine;
pub mod origin;
pub mod parser;
pub mod percent;
mod pointer;
pub mod record;
pub mod serializer;
mod states;
pub mod trace;
pub mod validation;
