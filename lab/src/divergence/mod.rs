//! Divergences: minimized, grouped into classes, explained.

pub mod fingerprint;
pub mod ledger;
pub mod minimize;
pub(crate) mod parts;
mod plain;
pub mod shape;
pub mod variant;
mod written;
