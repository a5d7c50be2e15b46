//! The line protocol, by which programs in any language and uriproof drive each other: JSON Lines, one request a
//! line, one response a line, in order.

#[cfg(feature = "commands")]
pub mod client;
pub mod messages;
pub mod server;
