//! Splits any string into its components, well-formed or not.
//!
//! The delimiters of Appendix B decide where the five components are, those of §3.2 where the parts of the authority are. An
//! invalid authority can have two "@", and the RFC does not say which one ends the userinfo: each caller names it by a
//! [`UserinfoEnd`]. All else is as the reference has it, for every string.
//!
//! Strings that have to be URI-references are not split here: `rfc3986_reference::components::parse` validates them, and
//! [`screen`](crate::screen) does so in loops.
//!
//! ```
//! use uriproof::split::{UserinfoEnd, components};
//!
//! let host = |end| components("a://u@v@h", end).host;
//! assert_eq!(host(UserinfoEnd::FirstAt), Some("v@h"));
//! assert_eq!(host(UserinfoEnd::LastAt), Some("h"));
//! ```

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use rfc3986_reference::components as rfc;
use rfc3986_reference::split;

use crate::model::Components;

/// Which "@" of an authority ends its userinfo. A valid authority has one "@" at the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserinfoEnd {
    /// The first, as the reference reads a string, from left to right. For severities, for what a claim excludes, for the mutator of
    /// the fuzz targets and for mutants, most of which split valid strings only.
    FirstAt,
    /// The last, as the WHATWG URL Standard and most parsers have it: a subject that accepts such a string has probably read it so.
    /// For the classes of divergences, for the nearest valid string, which keeps the host, and for the kinds of generated inputs.
    LastAt,
}

/// The parts of an authority (RFC 3986 §3.2), each as it is in the string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Authority<'a> {
    /// Without the "@" behind it.
    pub userinfo: Option<&'a str>,
    /// With the brackets of an IP-literal, and what is between the "]" and the port.
    pub host: &'a str,
    /// Without the ":" before it.
    pub port: Option<&'a str>,
}

/// The five components of `text`: the first of its delimiters ends each, as the expression of Appendix B has it.
///
/// # Panics
///
/// If the two disagree on a string that both are run on: every 64th of a thread.
#[inline]
pub fn split(text: &str) -> rfc::Components<'_> {
    let components = delimited(text);
    if is_to_be_checked() {
        check(text, &components);
    }
    components
}

/// All components of `text`; the kind of the host is left out.
///
/// # Panics
///
/// As [`split()`].
pub fn components(text: &str, end: UserinfoEnd) -> Components<&str> {
    let five = split(text);
    let Cow::Borrowed(path) = five.path else {
        unreachable!("the components borrow from their text")
    };
    let parts = five.authority.map(|text| authority(text, end));
    Components {
        scheme: five.scheme,
        userinfo: parts.and_then(|parts| parts.userinfo),
        host: parts.map(|parts| parts.host),
        host_kind: None,
        port: parts.and_then(|parts| parts.port),
        path,
        query: five.query,
        fragment: five.fragment,
    }
}

/// The other ways to split a string whose authority has a second ":" behind its userinfo, or a bracket that is not one of an IP-literal
/// (RFC 3986 §3.2.2), which leaves open where its port begins: at no ":", at the first or at the last one behind an IP-literal.
pub fn open_readings(text: &str, end: UserinfoEnd) -> impl Iterator<Item = Components<&str>> {
    let own = components(text, end);
    let userinfo = own.userinfo.map_or(0, |userinfo| userinfo.len() + 1);
    let host_port = split(text).authority.map(|authority| &authority[userinfo..]);
    let open = host_port.zip(host_port.and_then(open_from)).map(|(text, from)| {
        let at = |colon: Option<usize>| Components {
            host: Some(&text[..colon.unwrap_or(text.len())]),
            port: colon.map(|colon| &text[colon + 1..]),
            ..own
        };
        let behind = &text[from..];
        [
            at(None),
            at(behind.find(':').map(|at| from + at)),
            at(behind.rfind(':').map(|at| from + at)),
        ]
    });
    open.into_iter().flatten()
}

/// Where the part of a host with its port begins in which a ":" can stand before the port: behind the IP-literal with which it may begin.
/// `None` if there is one port at the most, and each bracket is one of that literal.
fn open_from(host_port: &str) -> Option<usize> {
    let literal = host_port.strip_prefix('[').and_then(|literal| literal.split_once(']'));
    let literal = literal.filter(|(inside, rest)| !inside.contains('[') && (rest.is_empty() || rest.starts_with(':')));
    let rest = literal.map_or(host_port, |(_, rest)| rest);
    let is_open = rest.contains(['[', ']']) || rest.matches(':').count() > 1;
    is_open.then_some(host_port.len() - rest.len())
}

/// The parts of an authority. The first ":" behind its userinfo and behind the "]" of an IP-literal begins the port; an
/// IP-literal without a "]" goes on to the end.
#[inline]
pub fn authority(text: &str, end: UserinfoEnd) -> Authority<'_> {
    let at = match end {
        UserinfoEnd::FirstAt => text.find('@'),
        UserinfoEnd::LastAt => text.rfind('@'),
    };
    let host_port = at.map_or(text, |at| &text[at + 1..]);
    let literal = match host_port.starts_with('[') {
        true => host_port.find(']').unwrap_or(host_port.len()),
        false => 0,
    };
    let colon = host_port[literal..].find(':').map(|colon| literal + colon);
    Authority {
        userinfo: at.map(|at| &text[..at]),
        host: &host_port[..colon.unwrap_or(host_port.len())],
        port: colon.map(|colon| &host_port[colon + 1..]),
    }
}

/// Where `part`, a slice of `whole`, is in it.
///
/// # Panics
///
/// If it begins before `whole` does.
pub fn range(part: &str, whole: &str) -> Range<usize> {
    let start = part.as_ptr().addr().checked_sub(whole.as_ptr().addr()).expect("a part of the whole");
    start..start + part.len()
}

/// The components between the delimiters.
#[inline]
pub(crate) fn delimited(text: &str) -> rfc::Components<'_> {
    let mut rest = text;
    let mut scheme = None;
    let (before, behind) = cut(rest, |byte| matches!(byte, b':' | b'/' | b'?' | b'#'));
    if behind.starts_with(':') && !before.is_empty() {
        (scheme, rest) = (Some(before), &behind[1..]);
    }
    let authority = rest.strip_prefix("//").map(|behind| {
        let (authority, behind) = cut(behind, |byte| matches!(byte, b'/' | b'?' | b'#'));
        rest = behind;
        authority
    });
    let (path, behind) = cut(rest, |byte| matches!(byte, b'?' | b'#'));
    rest = behind;
    let query = rest.strip_prefix('?').map(|behind| {
        let (query, behind) = cut(behind, |byte| byte == b'#');
        rest = behind;
        query
    });
    rfc::Components {
        scheme,
        authority,
        path: Cow::Borrowed(path),
        query,
        fragment: rest.strip_prefix('#'),
    }
}

/// `text` up to the first byte that ends it, and the rest.
#[inline]
fn cut(text: &str, ends: impl Fn(u8) -> bool) -> (&str, &str) {
    text.split_at(text.bytes().position(ends).unwrap_or(text.len()))
}

/// Whether the literal reference is to be run beside what is quick, on this string of the thread.
#[inline]
pub(crate) fn is_to_be_checked() -> bool {
    /// One string in so many.
    const PERIOD: u32 = 64;
    thread_local! {
        static SPLIT: Cell<u32> = const { Cell::new(0) };
    }
    let split = SPLIT.get().wrapping_add(1);
    SPLIT.set(split);
    split % PERIOD == 0
}

/// Runs the expression of Appendix B beside the delimiters.
#[cold]
fn check(text: &str, components: &rfc::Components<'_>) {
    assert_eq!(
        *components,
        split::split(text),
        "the delimiters and Appendix B disagree on {text:?}"
    );
}
