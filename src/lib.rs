//! uriproof: the conformance suite and differential fuzzing harness for RFC 3986, the generic URI syntax.
//!
//! The rooms, from the ground up; no arrow runs up:
//!
//! | room | what stands there |
//! |---|---|
//! | [`model`] | the vocabulary as types |
//! | [`expect`], [`compare`], [`ask`] | what conforms; two outcomes -> a verdict; a call that survives a panic |
//! | `subjects`, [`protocol`] | the implementations; the line protocol |
//! | [`run`] | inputs x subjects -> results |
//! | [`repeat`] | answers that do not repeat, and the calls that show them |
//! | [`severity`] | how much a divergence weighs |
//! | `divergence` | a difference made small, told apart by class, explained |
//! | [`search`] | where inputs come from |
//! | [`gate`] | a subject against the vectors, with a baseline: for the authors of libraries |
//! | `targets` | what the fuzz targets do with a file |
//! | `report` | the matrix, REPORT.md, `results.json` |
//! | `explain` | why an input is what it is, by rule and clause |
//! | `cli` | the command line |
//!
//! Without the features `cli` and `subjects`, both on by default, this is the light library that a URI crate takes as
//! a dev-dependency.

pub mod ask;
#[cfg(all(feature = "cli", feature = "subjects"))]
pub mod cli;
pub mod compare;
#[cfg(feature = "divergence")]
pub mod divergence;
pub mod expect;
#[cfg(feature = "cli")]
pub mod explain;
mod files;
pub mod gate;
pub mod model;
pub mod protocol;
pub mod repeat;
#[cfg(feature = "cli")]
pub mod report;
pub mod run;
pub mod screen;
pub mod search;
pub mod severity;
mod spelling;
#[cfg(feature = "subjects")]
pub mod subjects;
#[cfg(all(feature = "divergence", feature = "subjects"))]
pub mod targets;
mod told;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
