//! uriproof: the conformance suite for RFC 3986, the generic URI syntax, for the tests of a URI library.
//!
//! | module | what it has |
//! |---|---|
//! | [`model`] | the vocabulary as types |
//! | [`vectors`], [`clauses`], [`coverage`] | the test vectors, the clauses that they cite, and which are covered |
//! | [`expect`], [`compare`], [`ask`] | what conforms; two outcomes -> a verdict; a call that survives a panic |
//! | [`run`] | inputs x subjects -> results |
//! | [`repeat`] | answers that do not repeat, and the calls that show them |
//! | [`severity`] | how much a divergence weighs |
//! | [`protocol`] | the line protocol, and subjects in other processes (feature `commands`) |
//! | [`gate`] | a subject against the vectors, with a baseline (a test for each vector: feature `harness`) |

pub mod ask;
pub mod clauses;
pub mod compare;
pub mod coverage;
pub mod expect;
pub mod files;
pub mod gate;
pub mod model;
pub mod protocol;
pub mod repeat;
pub mod run;
pub mod screen;
pub mod severity;
pub mod spelling;
pub mod vectors;
