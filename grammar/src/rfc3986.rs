//! The grammar of RFC 3986, and what there is to tell about a URI-reference.

use crate::abnf::{Error, Grammar};
use crate::moore::Moore;

/// Appendix A, verbatim.
pub const ABNF: &str = include_str!("../rfc3986.abnf");

/// A rule for each property of a URI-reference, over the rules of Appendix A.
pub const VIEWS: &str = include_str!("../views.abnf");

/// The views of [`component_machine`]: which components there are, the kind of the host and the rule of the path.
pub const COMPONENT_VIEWS: &[&str] = &[
    "has-scheme",
    "is-relative",
    "has-authority",
    "has-userinfo",
    "host-ipv6",
    "host-ipvfuture",
    "host-ipv4",
    "host-reg-name",
    "has-port",
    "uses-path-absolute",
    "uses-path-noscheme",
    "uses-path-rootless",
    "uses-path-empty",
    "has-query",
    "has-fragment",
];

/// The views that [`extended_machine`] has after those of [`COMPONENT_VIEWS`]: which components are there and empty.
pub const EMPTY_VIEWS: &[&str] = &[
    "empty-userinfo",
    "empty-host",
    "empty-port",
    "empty-path-abempty",
    "empty-query",
    "empty-fragment",
];

/// Appendix A.
pub fn grammar() -> Grammar {
    Grammar::read(ABNF).unwrap_or_else(|error| panic!("rfc3986.abnf: {error}"))
}

/// Appendix A, and the views.
pub fn grammar_with_views() -> Grammar {
    Grammar::read(&format!("{ABNF}{VIEWS}")).unwrap_or_else(|error| panic!("rfc3986.abnf and views.abnf: {error}"))
}

/// Which components a string has, as masks of [`COMPONENT_VIEWS`].
///
/// # Errors
///
/// None: the grammar compiles.
pub fn component_machine() -> Result<Moore, Error> {
    Moore::compile(&grammar_with_views(), COMPONENT_VIEWS)
}

/// Which components a string has and which of them are empty, as masks of [`COMPONENT_VIEWS`] and [`EMPTY_VIEWS`].
///
/// # Errors
///
/// None: the grammar compiles.
pub fn extended_machine() -> Result<Moore, Error> {
    Moore::compile(&grammar_with_views(), &[COMPONENT_VIEWS, EMPTY_VIEWS].concat())
}
