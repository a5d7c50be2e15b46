//! Where inputs come from.

#[cfg(feature = "cli")]
pub mod classes;
#[cfg(feature = "cli")]
pub mod complete;
pub mod coverage;
#[cfg(feature = "cli")]
pub mod export;
#[cfg(feature = "cli")]
pub mod generate;
#[cfg(feature = "cli")]
pub mod growth;
#[cfg(feature = "cli")]
pub mod hunt;
#[cfg(feature = "cli")]
pub mod learn;
#[cfg(feature = "cli")]
pub mod machines;
#[cfg(feature = "cli")]
pub mod mutants;
#[cfg(feature = "cli")]
pub mod pairs;
#[cfg(feature = "cli")]
pub mod proof;
#[cfg(feature = "cli")]
pub mod reach;
#[cfg(feature = "cli")]
pub mod score;
#[cfg(feature = "cli")]
pub mod suites;
#[cfg(feature = "cli")]
pub mod sweep;
#[cfg(all(feature = "divergence", feature = "subjects"))]
pub mod targets;
#[cfg(feature = "cli")]
pub mod told;
pub mod vectors;
