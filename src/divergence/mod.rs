//! Divergences: made small, told apart by class, weighed, explained.

pub mod fingerprint;
pub mod ledger;
pub mod minimize;
mod parts;
mod plain;
pub mod severity;
pub mod shape;
pub mod variant;
