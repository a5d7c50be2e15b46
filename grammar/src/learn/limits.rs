//! Limits: what a subject answers otherwise from some size on. They are looked for before the learning begins.
//!
//! A counter multiplies states: a length limit of 255 makes 43,300 states of 183. So a limit is not learned but found by
//! bisection, named, and from then on no word beyond it is queried: what is learned is the subject *within its
//! limits*.

mod families;

use std::collections::BTreeSet;
use std::fmt;

pub(super) use self::families::values;
use self::families::{FAMILIES, LimitChange};
use super::tree::Questions;
use super::{Purpose, Stop};
use crate::machine::Machine;

/// A size up to which a subject answers alike, and beyond which it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What is limited.
    pub measure: Measure,
    /// The largest size that is within the limit.
    pub at: u64,
    /// A string of that size.
    pub witness_in: String,
    /// The string beyond it.
    pub witness_out: String,
    /// The oracle's answers to both.
    pub outputs: [u32; 2],
}

impl fmt::Display for Limit {
    /// Such as `rejects ports over 65,535`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.outputs[1] {
            0 => "rejects ",
            super::CRASHED => "crashes on ",
            super::TIMED_OUT => "does not answer in time for ",
            _ => "answers otherwise for ",
        })?;
        let at = grouped(self.at);
        match self.measure {
            Measure::PortValue => write!(f, "ports over {at}"),
            Measure::PortDigits => write!(f, "a port of more than {at} digits"),
            Measure::Segments => write!(f, "a path of more than {at} segments"),
            Measure::Length => write!(f, "more than {at} bytes in all"),
            Measure::Literal => write!(f, "an IP-literal of more than {at} characters"),
            measure => write!(f, "a {measure} of more than {at} characters"),
        }
    }
}

/// 65535 as `65,535`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What is measured of a string. The measure is taken by the delimiters alone, whatever the string is made of, and where
/// it could be taken in two ways the larger counts: a string that is within a limit is within it for every parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// The characters of the scheme.
    Scheme,
    /// The characters of the userinfo.
    Userinfo,
    /// The characters of an IP-literal.
    Literal,
    /// The characters of the host.
    Host,
    /// The characters between the dots of a host.
    Label,
    /// The port as a number.
    PortValue,
    /// The port's digits.
    PortDigits,
    /// The characters of the path.
    Path,
    /// The characters between the slashes of a path.
    Segment,
    /// The number of slashes in a path.
    Segments,
    /// The characters of the query.
    Query,
    /// The characters of the fragment.
    Fragment,
    /// The bytes of the whole.
    Length,
}

impl Measure {
    /// The component that is measured, by the measure of all of it.
    fn component(self) -> Measure {
        match self {
            Measure::Literal | Measure::Label => Measure::Host,
            Measure::PortValue => Measure::PortDigits,
            Measure::Segment | Measure::Segments => Measure::Path,
            whole => whole,
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Measure::Scheme => "scheme",
            Measure::Userinfo => "userinfo",
            Measure::Literal => "IP-literal",
            Measure::Host => "host",
            Measure::Label => "reg-name label",
            Measure::PortValue => "port",
            Measure::PortDigits => "number of port digits",
            Measure::Path => "path",
            Measure::Segment => "path segment",
            Measure::Segments => "number of path segments",
            Measure::Query => "query",
            Measure::Fragment => "fragment",
            Measure::Length => "length",
        })
    }
}

/// A limit smaller than this is learned as states like any other behaviour.
const LEAST: u64 = 4;

impl LimitChange {
    fn limit(self, limits: &FoundLimits, measure: Measure) -> Limit {
        Limit {
            at: limits.size(measure, &self.inside),
            measure,
            witness_in: self.inside,
            witness_out: self.outside,
            outputs: self.outputs,
        }
    }
}

/// The limits of a subject, and what is within them.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundLimits {
    pub(super) found: Vec<Limit>,
    /// Whether strings are authorities rather than references.
    is_bare: bool,
}

impl FoundLimits {
    /// Looks for limits.
    ///
    /// # Errors
    ///
    /// The oracle does not answer, or one string is answered in two ways.
    pub(super) fn find(target: &Machine, questions: &mut Questions) -> Result<FoundLimits, Stop> {
        let accepts = |text: &str| target.output(target.run(text.as_bytes())) != 0;
        let mut limits = FoundLimits {
            found: Vec::new(),
            is_bare: !accepts("//h") && !accepts("a://h") && accepts("h"),
        };
        let mut found = Vec::new();
        for family in FAMILIES {
            found.extend(family.find(target, questions)?);
        }

        // Where several components end at one length of the whole, it is the whole that is limited.
        let length = |found: &LimitChange| found.inside.len();
        let is_text = |found: &&LimitChange| found.measure != Measure::PortValue;
        if let Some(longest) = found.iter().filter(is_text).max_by_key(|found| length(found)).cloned() {
            let at_the_end = |found: &LimitChange| is_text(&found) && length(found) + 1 >= length(&longest);
            let components: BTreeSet<_> =
                found.iter().filter(|found| at_the_end(found)).map(|found| found.measure.component()).collect();
            if components.len() >= 3 {
                found.retain(|found| !at_the_end(found));
                limits.found.push(longest.limit(&limits, Measure::Length));
            }
        }
        let size_of =
            |found: &[LimitChange], measure| found.iter().find(|found| found.measure == measure).map(|f| f.size);
        let overall = [(Measure::Label, Measure::Host), (Measure::Segment, Measure::Path)];
        for (part, whole) in overall {
            // A part that is as long as the whole may be is no limit of its own. The whole grows by two characters.
            let sizes = size_of(&found, part).zip(size_of(&found, whole));
            if sizes.is_some_and(|(one, other)| one + 2 >= other * 2) {
                let longer = found.iter().position(|found| found.measure == part);
                let mut longer = found.remove(longer.unwrap_or_default());
                found.retain(|found| found.measure != whole);
                longer.measure = whole;
                found.push(longer);
            }
        }
        // Is it the path that is too long, or has it too many segments? Half of them, of the same length.
        if let Some(path) = found.iter_mut().find(|found| found.measure == Measure::Path) {
            let fewer = questions.characters.encode(&path.outside.replace("/a/a", "/aaa"));
            if questions.ask(Purpose::Limits, &fewer)? == path.outputs[0] {
                path.measure = Measure::Segments;
            }
        }
        // Ten to the power of the digits is one digit too many, and no value too large.
        let digits_of = |value: u64| value.to_string().len() as u64;
        let is_ten_to_the_power = |(digits, value): (u64, u64)| {
            digits_of(value) == digits && value.checked_add(1).is_none_or(|next| digits_of(next) > digits)
        };
        let sizes = size_of(&found, Measure::PortDigits).zip(size_of(&found, Measure::PortValue));
        if sizes.is_some_and(is_ten_to_the_power) {
            found.retain(|found| found.measure != Measure::PortValue);
        }
        for found in found {
            let measure = found.measure;
            let limit = found.limit(&limits, measure);
            if limit.at >= LEAST {
                limits.found.push(limit);
            }
        }
        limits.found.sort_by_key(|limit| limit.measure);
        Ok(limits)
    }

    /// Whether a string is within all of them.
    pub(super) fn contain(&self, text: &str) -> bool {
        self.found.iter().all(|limit| self.size(limit.measure, text) <= limit.at)
    }

    fn size(&self, measure: Measure, text: &str) -> u64 {
        let parts = FiveComponents::of(text, self.is_bare);
        let count = |text: &str| text.chars().count() as u64;
        let longest = |text: &str, separators: &[char]| text.split(separators).map(count).max().unwrap_or(0);
        match measure {
            Measure::Scheme => count(parts.scheme),
            Measure::Userinfo => parts.authority.rsplit_once('@').map_or(0, |(userinfo, _)| count(userinfo)),
            Measure::Literal => longest(parts.authority, &['[', ']']),
            Measure::Host => longest(parts.authority, &['@', ':', '[', ']']),
            Measure::Label => longest(parts.authority, &['@', ':', '[', ']', '.']),
            Measure::PortValue => ports(text).map(|port| port.parse().unwrap_or(u64::MAX)).max().unwrap_or(0),
            Measure::PortDigits => ports(text).map(count).max().unwrap_or(0),
            Measure::Path => count(parts.path),
            Measure::Segment => longest(parts.path, &['/']),
            Measure::Segments => parts.path.matches('/').count() as u64,
            Measure::Query => count(parts.query),
            Measure::Fragment => count(parts.fragment),
            Measure::Length => text.len() as u64,
        }
    }
}

/// Whatever could be taken for a port: digits behind a colon, even with the sign that some parsers of numbers take.
fn ports(text: &str) -> impl Iterator<Item = &str> {
    text.split(':')
        .skip(1)
        .map(|rest| {
            let rest = rest.strip_prefix('+').unwrap_or(rest);
            let end = rest.find(|character: char| !character.is_ascii_digit());
            &rest[..end.unwrap_or(rest.len())]
        })
        .filter(|digits| !digits.is_empty())
}

/// The five components, by their delimiters.
struct FiveComponents<'a> {
    scheme: &'a str,
    authority: &'a str,
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
}

impl FiveComponents<'_> {
    fn of(text: &str, is_bare: bool) -> FiveComponents<'_> {
        let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
        let (text, query) = text.split_once('?').unwrap_or((text, ""));
        let slash = text.find('/').unwrap_or(text.len());
        let (scheme, rest) = match text.find(':').filter(|&colon| colon < slash) {
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => ("", text),
        };
        let authority = if is_bare { Some(text) } else { rest.strip_prefix("//") };
        let (authority, path) = match authority {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        FiveComponents {
            scheme,
            authority,
            path,
            query,
            fragment,
        }
    }
}
