//! The line protocol, by which programs in any language and uriproof drive each other: JSON Lines, one request a
//! line, one response a line, in order.

#[cfg(feature = "cli")]
pub mod client;
#[cfg(feature = "cli")]
mod digest;
#[cfg(feature = "cli")]
pub(crate) mod last_words;
pub mod messages;
#[cfg(feature = "cli")]
mod process;
#[cfg(feature = "cli")]
mod scheduled;
pub mod server;
