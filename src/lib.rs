//! uriproof: the conformance suite and differential fuzzing harness for RFC 3986, the generic URI syntax.

pub mod model;
#[cfg(feature = "subjects")]
pub mod subjects;
