//! RFC 3986 as code: a literal, executable transcription of the generic URI syntax.

pub mod characters;
pub mod components;
pub mod dot_segments;
pub mod grammar;
pub mod readings;
pub mod recompose;
pub mod resolve;
pub mod split;
