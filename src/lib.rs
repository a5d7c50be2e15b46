//! The command line of uriproof as a library, for programs that add subjects of their own: see [`cli::main`].
//!
//! | module | what it has |
//! |---|---|
//! | [`cli`] | the command line |
//! | [`report`] | the matrix, REPORT.md and its pages, `results.json` |
//! | [`explain`] | why an input is accepted or rejected, by rule and clause |
//! | [`known`], [`measured`] | the embedded ledger and measurements |

pub mod cli;
pub mod explain;
pub mod known;
pub mod measured;
pub mod report;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
