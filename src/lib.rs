//! The command line of uriproof, as a library: for a program `uriproof` with subjects of its own.
//!
//! | module | what it has |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`report`] | the matrix, REPORT.md, `results.json` |
//! | [`explain`] | why an input is what it is, by rule and clause |
//! | [`known`], [`measured`] | the ledger and the measurements that the program carries |

pub mod cli;
pub mod explain;
pub mod known;
pub mod measured;
pub mod report;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
