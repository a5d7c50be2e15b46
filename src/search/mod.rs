//! Where inputs come from.

#[cfg(feature = "subjects")]
pub mod targets;
pub mod vectors;
