//! Generates inputs on which URI libraries may differ from RFC 3986, and minimizes, classifies and explains the divergences.
//!
//! | module | what it has |
//! |---|---|
//! | [`generate`], [`dictionary`], [`hunt`], [`pairs`], [`pairwise`] | generated inputs, and searches with them |
//! | [`machines`], [`suites`], [`complete`], [`score`], [`sweep`], [`export`] | the grammar's machines (minimal automata), and suites made from them |
//! | [`learn`], [`growth`] | the machine of a subject, and how its time grows |
//! | [`answers`] | stored answers of subjects, by which a changed one is noticed |
//! | [`divergence`], [`classes`], [`ready`] | minimized divergences, their classes, and the ledger that explains them |
//! | [`predict`] | how much of the divergences the profiles of the ledger predict |
//! | [`mutants`], [`reach`], [`proof`] | the quality of the suites, the generators and the reference |
//! | [`targets`] | the logic of the fuzz targets |

pub mod answers;
pub mod classes;
pub mod complete;
pub mod dictionary;
pub mod divergence;
pub mod export;
mod exposed;
pub mod generate;
pub mod growth;
pub mod hunt;
pub mod learn;
pub mod machines;
pub mod mutants;
pub mod pairs;
pub mod pairwise;
pub mod predict;
pub mod proof;
pub mod reach;
pub mod ready;
pub mod score;
pub mod suites;
pub mod sweep;
pub mod targets;
