//! RFC 3986 cut at its joints: a copy of the reference in which each stage can be seen, and changed by a deviation.
//!
//! The reference stops at the first fault. Here [`faults`] finds all of them, since a library that takes one kind of fault is
//! stopped by the next. Without deviations the stages give the answers of the reference: tests compare the two.

mod comparison;
mod dots;
mod fault;
mod normalization;
mod parts;
mod relativization;
mod resolution;

pub use self::comparison::ComparisonRules;
pub use self::dots::{DotRules, remove_dots};
pub use self::fault::{Fault, Flaw};
pub use self::normalization::{DoubleSlash, NormalizationStep, Skips, normalize};
pub(crate) use self::parts::is_of_authority;
pub use self::parts::{Parts, authority_as_path, faults, is_of, kept_as_elements, kind_of_host, parts};
pub use self::relativization::{RelativizingStep, relativize, resolves_to};
pub use self::resolution::Resolving;

/// The URI-reference that the parts make up (§5.3), valid or not.
pub fn recompose(parts: &Parts<'_>) -> String {
    let mut text = String::new();
    if let Some(scheme) = &parts.scheme {
        text.push_str(scheme);
        text.push(':');
    }
    if let Some(host) = &parts.host {
        text.push_str("//");
        if let Some(userinfo) = &parts.userinfo {
            text.push_str(userinfo);
            text.push('@');
        }
        text.push_str(host);
        if let Some(port) = &parts.port {
            text.push(':');
            text.push_str(port);
        }
    }
    text.push_str(&parts.path);
    for (delimiter, component) in [('?', &parts.query), ('#', &parts.fragment)] {
        if let Some(component) = component {
            text.push(delimiter);
            text.push_str(component);
        }
    }
    text
}

/// As [`recompose`], with a dot-segment before a path that reads as an authority ("/.", §3.3) or as a scheme ("./", §4.2).
pub fn recompose_guarded(parts: &Parts<'_>) -> String {
    let dot_segment = if parts.host.is_some() {
        ""
    } else if parts.path.starts_with("//") {
        "/."
    } else if parts.scheme.is_none() && parts.path.split('/').next().is_some_and(|first| first.contains(':')) {
        "./"
    } else {
        ""
    };
    if dot_segment.is_empty() {
        return recompose(parts);
    }
    let mut guarded = parts.clone();
    guarded.path = format!("{dot_segment}{}", parts.path).into();
    recompose(&guarded)
}
