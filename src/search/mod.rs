//! Where inputs come from.

#[cfg(feature = "cli")]
pub mod complete;
#[cfg(feature = "cli")]
pub mod learn;
#[cfg(feature = "subjects")]
pub mod targets;
pub mod vectors;
