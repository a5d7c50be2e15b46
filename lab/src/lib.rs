//! Generates inputs, and minimizes, classifies and explains the divergences that they show.
//!
//! | module | what it has |
//! |---|---|
//! | [`generate`], [`dictionary`], [`hunt`], [`pairs`], [`pairwise`] | generated inputs, and the search with them |
//! | [`machines`], [`suites`], [`complete`], [`score`], [`sweep`], [`export`] | the grammar's machines and the suites of them |
//! | [`learn`], [`growth`] | what a subject accepts, and how its time grows |
//! | [`divergence`], [`classes`], [`ready`] | minimized divergences, their classes, and the ledger that explains them |
//! | [`mutants`], [`reach`], [`proof`] | how good the suites are |
//! | [`targets`] | what the fuzz targets do with a file |

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
pub mod proof;
pub mod reach;
pub mod ready;
pub mod score;
pub mod suites;
pub mod sweep;
pub mod targets;
