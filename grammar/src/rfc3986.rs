//! The grammar of RFC 3986.

use crate::abnf::Grammar;

/// Appendix A, verbatim.
pub const ABNF: &str = include_str!("../rfc3986.abnf");

/// Appendix A.
pub fn grammar() -> Grammar {
    Grammar::read(ABNF).unwrap_or_else(|error| panic!("rfc3986.abnf: {error}"))
}
