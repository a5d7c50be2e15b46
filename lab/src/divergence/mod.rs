//! Divergences: minimized, grouped into classes, explained.

pub mod fingerprint;
pub mod ledger;
pub mod minimize;
mod parts;
mod plain;
pub mod shape;
mod written;
