//! A fault beside the RFC's machine: a limit, a refusal, or another string that is read.

use std::borrow::Cow;

use uriproof::model::Components;
use uriproof::split::{self, UserinfoEnd};
use uriproof_grammar::automaton::Dfa;

/// What a mutant does beside the RFC's machine.
#[derive(Clone, Copy, Debug)]
pub enum GrammarFault {
    /// Refuses a URI-reference of which something is more than `most`.
    Limit {
        /// What is measured.
        what: LimitOf,
        /// The most that is let through.
        most: u64,
    },
    /// Refuses a URI-reference whose components are so.
    Refuses(fn(&ByteComponents<'_>) -> bool),
    /// Reads another string than the one that is there.
    Reads(fn(&[u8]) -> Cow<'_, [u8]>),
}

impl GrammarFault {
    /// Whether a reader with this fault, and otherwise of the RFC, accepts the string.
    pub(crate) fn accepts(&self, reference: &Dfa, input: &[u8]) -> bool {
        match self {
            GrammarFault::Reads(read) => reference.accepts(&read(input)),
            GrammarFault::Limit { .. } | GrammarFault::Refuses(_) => reference.accepts(input) && !self.refuses(input),
        }
    }

    /// Whether it refuses a string that the RFC accepts.
    pub(crate) fn refuses(&self, input: &[u8]) -> bool {
        match self {
            GrammarFault::Limit { what, most } => what.of(input) > *most,
            GrammarFault::Refuses(refuses) => refuses(&components(input)),
            GrammarFault::Reads(_) => false,
        }
    }
}

/// What a limit is of: a number of bytes, if nothing else is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitOf {
    /// The whole string.
    Total,
    /// The scheme.
    Scheme,
    /// The userinfo.
    Userinfo,
    /// The host.
    Host,
    /// The longest part of the host between dots.
    Label,
    /// How many parts the host has between dots.
    Labels,
    /// The port's digits.
    Port,
    /// The port's value; 2^64 - 1 stands for that or more.
    PortValue,
    /// The path.
    Path,
    /// The longest segment.
    Segment,
    /// How many segments there are.
    Segments,
    /// The query.
    Query,
    /// How many parts the query has between `&`.
    Parameters,
    /// The fragment.
    Fragment,
    /// How many triplets the string has.
    Triplets,
    /// The authority.
    Authority,
}

impl LimitOf {
    /// How much of it a URI-reference has; 0 for a component that is not there.
    pub fn of(self, text: &[u8]) -> u64 {
        let components = components(text);
        let length = |component: Option<&[u8]>| component.map_or(0, <[u8]>::len);
        let pieces = |component: Option<&[u8]>, delimiter: u8| {
            component.map_or(0, |text| text.split(|&byte| byte == delimiter).count())
        };
        let longest = |component: Option<&[u8]>, delimiter: u8| {
            component.and_then(|text| text.split(|&byte| byte == delimiter).map(<[u8]>::len).max()).unwrap_or(0)
        };
        let measure = match self {
            LimitOf::Total => text.len(),
            LimitOf::Scheme => length(components.scheme),
            LimitOf::Userinfo => length(components.userinfo),
            LimitOf::Host => length(components.host),
            LimitOf::Label => longest(components.host, b'.'),
            LimitOf::Labels => pieces(components.host, b'.'),
            LimitOf::Port => length(components.port),
            LimitOf::PortValue => {
                let digits = components.port.unwrap_or_default().iter();
                return digits.fold(0, |value: u64, digit| {
                    value.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
                });
            }
            LimitOf::Path => components.path.len(),
            LimitOf::Segment => longest(Some(components.path), b'/'),
            LimitOf::Segments => pieces(Some(components.path), b'/'),
            LimitOf::Query => length(components.query),
            LimitOf::Parameters => pieces(components.query, b'&'),
            LimitOf::Fragment => length(components.fragment),
            LimitOf::Triplets => text.iter().filter(|&&byte| byte == b'%').count(),
            LimitOf::Authority => {
                let behind = |part: Option<&[u8]>| part.map_or(0, |part| part.len() + 1);
                behind(components.userinfo) + length(components.host) + behind(components.port)
            }
        };
        measure as u64
    }

    /// A URI-reference that has so much of it.
    pub(super) fn example(self, count: u64) -> Vec<u8> {
        let times = |text: &str, count: u64| text.repeat(count as usize);
        let behind = |before: &str, text: &str| format!("{before}{}", times(text, count));
        let one_less = |before: &str, text: &str| format!("{before}{}", times(text, count - 1));
        let text = match self {
            LimitOf::Total | LimitOf::Path | LimitOf::Segment => behind("", "a"),
            LimitOf::Scheme => behind("", "a") + ":",
            LimitOf::Userinfo => behind("//", "a") + "@",
            LimitOf::Host | LimitOf::Label | LimitOf::Authority => behind("//", "a"),
            LimitOf::Labels => one_less("//a", ".a"),
            LimitOf::Port => behind("//a:", "1"),
            LimitOf::PortValue => format!("//a:{count}"),
            LimitOf::Segments => one_less("a", "/a"),
            LimitOf::Query => behind("?", "a"),
            LimitOf::Parameters => one_less("?a", "&a"),
            LimitOf::Fragment => behind("#", "a"),
            LimitOf::Triplets => behind("", "%41"),
        };
        text.into_bytes()
    }
}

impl std::fmt::Display for LimitOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            LimitOf::Total => "bytes",
            LimitOf::Scheme => "bytes of the scheme",
            LimitOf::Userinfo => "bytes of userinfo",
            LimitOf::Host => "bytes of the host",
            LimitOf::Label => "bytes of a label of the host",
            LimitOf::Labels => "labels of the host",
            LimitOf::Port => "digits of the port",
            LimitOf::PortValue => "the port's value",
            LimitOf::Path => "bytes of the path",
            LimitOf::Segment => "bytes of a segment",
            LimitOf::Segments => "segments",
            LimitOf::Query => "bytes of the query",
            LimitOf::Parameters => "parameters of the query",
            LimitOf::Fragment => "bytes of the fragment",
            LimitOf::Triplets => "triplets",
            LimitOf::Authority => "bytes of the authority",
        })
    }
}

/// The components of a URI-reference, as bytes.
pub(super) type ByteComponents<'a> = Components<&'a [u8]>;

/// Splits a string that is a URI-reference, and so US-ASCII.
fn components(text: &[u8]) -> ByteComponents<'_> {
    let text = std::str::from_utf8(text).expect("a URI-reference is US-ASCII");
    split::components(text, UserinfoEnd::FirstAt).map(str::as_bytes)
}
