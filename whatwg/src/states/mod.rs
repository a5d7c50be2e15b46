//! The states of the basic URL parser, a function for each.
//!
//! <https://url.spec.whatwg.org/#concept-basic-url-parser>

pub(crate) mod authority;
pub(crate) mod file;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod relative;
pub(crate) mod scheme;
