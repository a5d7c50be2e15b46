//! RFC 3986 §3 and Appendix A: one function per ABNF rule, each deciding whether a whole string matches its rule.
//!
//! ABNF alternatives are a set: a rule matches a string if any derivation does, whatever the order in which its
//! alternatives are printed. Where a function takes one derivation after another, it says why no other could match.
//! Every function is linear in its input.

use std::fmt;

use crate::characters::{is_alpha, is_digit, is_gen_delim, is_hexdig, is_reserved, is_sub_delim, is_unreserved};
use crate::readings::Reading;

/// That a string does not match a rule, and from where on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// A rule that could not go on there; of several, the last in the order of Appendix A, where most rules stand
    /// before those that they are made of.
    pub rule: Rule,
    /// The byte offset in the input from which on it could not; the input's length if the input ends too early.
    ///
    /// For URI-reference this is the end of the longest beginning of the input that some continuation makes match.
    pub offset: usize,
}

impl Error {
    fn new(rule: Rule, offset: usize) -> Error {
        Error { rule, offset }
    }

    /// The same error, seen from a string in which this one's input begins at `start`.
    pub(crate) fn shifted(self, start: usize) -> Error {
        Error {
            offset: self.offset + start,
            ..self
        }
    }

    /// Of two alternatives that failed, the error of the one that came further.
    pub(crate) fn or_further(self, other: Error) -> Error {
        if (other.offset, other.rule) > (self.offset, self.rule) {
            other
        } else {
            self
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "does not match {} at byte {}", self.rule, self.offset)
    }
}

impl std::error::Error for Error {}

/// Whether the whole input matches a rule; if not, where it fails.
pub type Match = Result<(), Error>;

/// Which alternative of `host`, and within `IP-literal`, matches a host (RFC 3986 §3.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostKind {
    /// `IP-literal` with an `IPv6address`.
    Ipv6,
    /// `IP-literal` with an `IPvFuture`.
    IpvFuture,
    /// `IPv4address`.
    Ipv4,
    /// `reg-name`, the empty one included.
    RegName,
}

macro_rules! rules {
    ($($variant:ident $name:literal $matches:expr;)+) => {
        /// An ABNF rule of Appendix A.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        impl Rule {
            /// The rules, in the order of Appendix A.
            pub const ALL: &'static [Rule] = &[$(Rule::$variant),+];

            /// The rule's name as Appendix A spells it.
            pub fn name(self) -> &'static str {
                match self { $(Rule::$variant => $name,)+ }
            }

            /// Whether the whole of `input` matches the rule under `reading`: the rule's function of this module.
            pub fn matches(self, input: &str, reading: Reading) -> Match {
                let matches: fn(&str, Reading) -> Match = match self { $(Rule::$variant => $matches,)+ };
                matches(input, reading)
            }
        }
    };
}

rules! {
    Uri "URI" uri;
    HierPart "hier-part" hier_part;
    UriReference "URI-reference" uri_reference;
    AbsoluteUri "absolute-URI" absolute_uri;
    RelativeRef "relative-ref" relative_ref;
    RelativePart "relative-part" relative_part;
    Scheme "scheme" |input, _| scheme(input);
    Authority "authority" authority;
    Userinfo "userinfo" |input, _| userinfo(input);
    Host "host" |input, reading| host(input, reading).map(drop);
    Port "port" |input, _| port(input);
    IpLiteral "IP-literal" |input, _| ip_literal(input).map(drop);
    IpvFuture "IPvFuture" |input, _| ipvfuture(input);
    Ipv6Address "IPv6address" |input, _| ipv6address(input);
    H16 "h16" |input, _| h16(input);
    Ls32 "ls32" |input, _| ls32(input);
    Ipv4Address "IPv4address" |input, _| ipv4address(input);
    DecOctet "dec-octet" |input, _| dec_octet(input);
    RegName "reg-name" reg_name;
    Path "path" |input, _| path(input);
    PathAbempty "path-abempty" |input, _| path_abempty(input);
    PathAbsolute "path-absolute" |input, _| path_absolute(input);
    PathNoscheme "path-noscheme" |input, _| path_noscheme(input);
    PathRootless "path-rootless" |input, _| path_rootless(input);
    PathEmpty "path-empty" |input, _| path_empty(input);
    Segment "segment" |input, _| segment(input);
    SegmentNz "segment-nz" |input, _| segment_nz(input);
    SegmentNzNc "segment-nz-nc" |input, _| segment_nz_nc(input);
    Pchar "pchar" |input, _| pchar(input);
    Query "query" |input, _| query(input);
    Fragment "fragment" |input, _| fragment(input);
    PctEncoded "pct-encoded" |input, _| pct_encoded(input);
    Unreserved "unreserved" |input, _| unreserved(input);
    Reserved "reserved" |input, _| reserved(input);
    GenDelims "gen-delims" |input, _| gen_delims(input);
    SubDelims "sub-delims" |input, _| sub_delims(input);
}

impl Rule {
    /// The rule that Appendix A spells `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]`
pub fn uri(input: &str, reading: Reading) -> Match {
    // None of scheme, hier-part and query can contain "#", so it can only be the first "#" that begins the fragment.
    let (before, after) = optional(input, '#');
    absolute_uri(before, reading)?;
    after.map_or(Ok(()), |(start, text)| shift(start, fragment(text)))
}

/// `hier-part = "//" authority path-abempty / path-absolute / path-rootless / path-empty`
pub fn hier_part(input: &str, reading: Reading) -> Match {
    first_match(
        Rule::HierPart,
        [
            authority_path_abempty(Rule::HierPart, input, reading),
            path_absolute(input),
            path_rootless(input),
            path_empty(input),
        ],
    )
}

/// `URI-reference = URI / relative-ref`
pub fn uri_reference(input: &str, reading: Reading) -> Match {
    first_match(Rule::UriReference, [uri(input, reading), relative_ref(input, reading)])
}

/// `absolute-URI = scheme ":" hier-part [ "?" query ]`
pub fn absolute_uri(input: &str, reading: Reading) -> Match {
    // Neither scheme nor hier-part can contain "?", and scheme cannot contain ":".
    let (before, after) = optional(input, '?');
    let (name, rest) = optional(before, ':');
    scheme(name)?;
    let Some((start, rest)) = rest else {
        return Err(Error::new(Rule::Scheme, name.len()));
    };
    shift(start, hier_part(rest, reading))?;
    after.map_or(Ok(()), |(start, text)| shift(start, query(text)))
}

/// `relative-ref = relative-part [ "?" query ] [ "#" fragment ]`
pub fn relative_ref(input: &str, reading: Reading) -> Match {
    // Neither relative-part nor query can contain "#", and relative-part cannot contain "?".
    let (before, fragment_part) = optional(input, '#');
    let (before, query_part) = optional(before, '?');
    relative_part(before, reading)?;
    if let Some((start, text)) = query_part {
        shift(start, query(text))?;
    }
    fragment_part.map_or(Ok(()), |(start, text)| shift(start, fragment(text)))
}

/// `relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty`
pub fn relative_part(input: &str, reading: Reading) -> Match {
    let printed = first_match(
        Rule::RelativePart,
        [
            authority_path_abempty(Rule::RelativePart, input, reading),
            path_absolute(input),
            path_noscheme(input),
            path_empty(input),
        ],
    );
    match reading {
        Reading::Erratum5428 => first_match(Rule::RelativePart, [printed, path_abempty(input)]),
        _ => printed,
    }
}

/// `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`
pub fn scheme(input: &str) -> Match {
    match input.as_bytes() {
        [first, rest @ ..] if is_alpha(*first) => {
            let follows = |octet: &u8| is_alpha(*octet) || is_digit(*octet) || matches!(octet, b'+' | b'-' | b'.');
            match rest.iter().position(|octet| !follows(octet)) {
                Some(at) => Err(Error::new(Rule::Scheme, at + 1)),
                None => Ok(()),
            }
        }
        _ => Err(Error::new(Rule::Scheme, 0)),
    }
}

/// `authority = [ userinfo "@" ] host [ ":" port ]`
pub fn authority(input: &str, reading: Reading) -> Match {
    // userinfo cannot contain "@".
    let (before, after) = optional(input, '@');
    let with_userinfo = userinfo(before).and(match after {
        Some((start, rest)) => shift(start, host_port(rest, reading)),
        None => Err(Error::new(Rule::Authority, input.len())),
    });
    first_match(Rule::Authority, [with_userinfo, host_port(input, reading)])
}

/// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )`
pub fn userinfo(input: &str) -> Match {
    repeat(
        Rule::Userinfo,
        0,
        input,
        &[Unreserved, PctEncoded, SubDelims, Char(b':')],
    )
}

/// `host = IP-literal / IPv4address / reg-name`
///
/// "If host matches the rule for IPv4address, then it should be considered an IPv4 address literal and not a
/// reg-name": the kind returned is that of the first alternative that matches.
pub fn host(input: &str, reading: Reading) -> Result<HostKind, Error> {
    let literal = match ip_literal(input) {
        Ok(kind) => return Ok(kind),
        Err(error) => error,
    };
    if ipv4address(input).is_ok() {
        return Ok(HostKind::Ipv4);
    }
    match reg_name(input, reading) {
        Ok(()) => Ok(HostKind::RegName),
        Err(error) => Err(error.or_further(literal)),
    }
}

/// `port = *DIGIT`
pub fn port(input: &str) -> Match {
    repeat(Rule::Port, 0, input, &[Digit])
}

/// `IP-literal = "[" ( IPv6address / IPvFuture  ) "]"`
pub fn ip_literal(input: &str) -> Result<HostKind, Error> {
    let Some(rest) = input.strip_prefix('[') else {
        return Err(Error::new(Rule::IpLiteral, 0));
    };
    // Neither IPv6address nor IPvFuture can contain "]".
    let (address, after) = optional(rest, ']');
    let kind = match ipv6address(address) {
        Ok(()) => HostKind::Ipv6,
        Err(error) => match ipvfuture(address) {
            Ok(()) => HostKind::IpvFuture,
            Err(other) => return Err(error.or_further(other).shifted(1)),
        },
    };
    match after {
        Some((_, "")) => Ok(kind),
        Some((start, _)) => Err(Error::new(Rule::IpLiteral, 1 + start)),
        None => Err(Error::new(Rule::IpLiteral, input.len())),
    }
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`
pub fn ipvfuture(input: &str) -> Match {
    // ABNF strings are case-insensitive, and HEXDIG cannot be ".".
    if !input.starts_with(['v', 'V']) {
        return Err(Error::new(Rule::IpvFuture, 0));
    }
    let (version, after) = optional(&input[1..], '.');
    shift(1, repeat(Rule::IpvFuture, 1, version, &[Hexdig]))?;
    let Some((start, address)) = after else {
        return Err(Error::new(Rule::IpvFuture, input.len()));
    };
    shift(
        1 + start,
        repeat(Rule::IpvFuture, 1, address, &[Unreserved, SubDelims, Char(b':')]),
    )
}

/// ```text
/// IPv6address =                            6( h16 ":" ) ls32
///             /                       "::" 5( h16 ":" ) ls32
///             / [               h16 ] "::" 4( h16 ":" ) ls32
///             / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
///             / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
///             / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
///             / [ *4( h16 ":" ) h16 ] "::"              ls32
///             / [ *5( h16 ":" ) h16 ] "::"              h16
///             / [ *6( h16 ":" ) h16 ] "::"
/// ```
pub fn ipv6address(input: &str) -> Match {
    first_match(
        Rule::Ipv6Address,
        [
            Address::of(input).pieces(6).ls32().end(),
            Address::of(input).elision().pieces(5).ls32().end(),
            Address::of(input).up_to(0).elision().pieces(4).ls32().end(),
            Address::of(input).up_to(1).elision().pieces(3).ls32().end(),
            Address::of(input).up_to(2).elision().pieces(2).ls32().end(),
            Address::of(input).up_to(3).elision().pieces(1).ls32().end(),
            Address::of(input).up_to(4).elision().ls32().end(),
            Address::of(input).up_to(5).elision().h16().end(),
            Address::of(input).up_to(6).elision().end(),
        ],
    )
}

/// `h16 = 1*4HEXDIG`
pub fn h16(input: &str) -> Match {
    match input.bytes().take(4).take_while(|&octet| is_hexdig(octet)).count() {
        0 => Err(Error::new(Rule::H16, 0)),
        length if length == input.len() => Ok(()),
        length => Err(Error::new(Rule::H16, length)),
    }
}

/// `ls32 = ( h16 ":" h16 ) / IPv4address`
pub fn ls32(input: &str) -> Match {
    // h16 cannot contain ":".
    let (before, after) = optional(input, ':');
    let pair = h16(before).and(match after {
        Some((start, text)) => shift(start, h16(text)),
        None => Err(Error::new(Rule::Ls32, input.len())),
    });
    first_match(Rule::Ls32, [pair, ipv4address(input)])
}

/// `IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet`
pub fn ipv4address(input: &str) -> Match {
    // dec-octet cannot contain ".".
    let mut start = 0;
    for octet in 1..=4 {
        let rest = &input[start..];
        let (text, after) = if octet < 4 { optional(rest, '.') } else { (rest, None) };
        shift(start, dec_octet(text))?;
        match after {
            Some((length, _)) => start += length,
            None if octet == 4 => break,
            None => return Err(Error::new(Rule::Ipv4Address, input.len())),
        }
    }
    Ok(())
}

/// ```text
/// dec-octet = DIGIT                 ; 0-9
///           / %x31-39 DIGIT         ; 10-99
///           / "1" 2DIGIT            ; 100-199
///           / "2" %x30-34 DIGIT     ; 200-249
///           / "25" %x30-35          ; 250-255
/// ```
pub fn dec_octet(input: &str) -> Match {
    let matches = |text: &[u8]| {
        matches!(
            text,
            [b'0'..=b'9']
                | [b'1'..=b'9', b'0'..=b'9']
                | [b'1', b'0'..=b'9', b'0'..=b'9']
                | [b'2', b'0'..=b'4', b'0'..=b'9']
                | [b'2', b'5', b'0'..=b'5']
        )
    };
    let octets = input.as_bytes();
    if matches(octets) {
        return Ok(());
    }
    // Every prefix of a dec-octet is one, so the longest prefix that matches ends where the match fails.
    let longest = (1..=3.min(octets.len())).rev().find(|&length| matches(&octets[..length]));
    Err(Error::new(Rule::DecOctet, longest.unwrap_or(0)))
}

/// `reg-name = *( unreserved / pct-encoded / sub-delims )`
///
/// Erratum 4942: `reg-name = *( unreserved / pct-encoded / "-" / ".")`
pub fn reg_name(input: &str, reading: Reading) -> Match {
    match reading {
        Reading::Erratum4942 => repeat(
            Rule::RegName,
            0,
            input,
            &[Unreserved, PctEncoded, Char(b'-'), Char(b'.')],
        ),
        _ => repeat(Rule::RegName, 0, input, &[Unreserved, PctEncoded, SubDelims]),
    }
}

/// ```text
/// path = path-abempty    ; begins with "/" or is empty
///      / path-absolute   ; begins with "/" but not "//"
///      / path-noscheme   ; begins with a non-colon segment
///      / path-rootless   ; begins with a segment
///      / path-empty      ; zero characters
/// ```
pub fn path(input: &str) -> Match {
    first_match(
        Rule::Path,
        [
            path_abempty(input),
            path_absolute(input),
            path_noscheme(input),
            path_rootless(input),
            path_empty(input),
        ],
    )
}

/// `path-abempty = *( "/" segment )`
pub fn path_abempty(input: &str) -> Match {
    slash_segments(Rule::PathAbempty, input)
}

/// `path-absolute = "/" [ segment-nz *( "/" segment ) ]`
pub fn path_absolute(input: &str) -> Match {
    match input.strip_prefix('/') {
        None => Err(Error::new(Rule::PathAbsolute, 0)),
        Some("") => Ok(()),
        Some(rest) => shift(1, segment_then_slash_segments(Rule::PathAbsolute, segment_nz, rest)),
    }
}

/// `path-noscheme = segment-nz-nc *( "/" segment )`
pub fn path_noscheme(input: &str) -> Match {
    segment_then_slash_segments(Rule::PathNoscheme, segment_nz_nc, input)
}

/// `path-rootless = segment-nz *( "/" segment )`
pub fn path_rootless(input: &str) -> Match {
    segment_then_slash_segments(Rule::PathRootless, segment_nz, input)
}

/// `path-empty = 0<pchar>`
pub fn path_empty(input: &str) -> Match {
    if input.is_empty() {
        Ok(())
    } else {
        Err(Error::new(Rule::PathEmpty, 0))
    }
}

/// `segment = *pchar`
pub fn segment(input: &str) -> Match {
    repeat(Rule::Segment, 0, input, PCHAR)
}

/// `segment-nz = 1*pchar`
pub fn segment_nz(input: &str) -> Match {
    repeat(Rule::SegmentNz, 1, input, PCHAR)
}

/// ```text
/// segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
///               ; non-zero-length segment without any colon ":"
/// ```
pub fn segment_nz_nc(input: &str) -> Match {
    repeat(
        Rule::SegmentNzNc,
        1,
        input,
        &[Unreserved, PctEncoded, SubDelims, Char(b'@')],
    )
}

/// `pchar = unreserved / pct-encoded / sub-delims / ":" / "@"`
pub fn pchar(input: &str) -> Match {
    one(Rule::Pchar, input, PCHAR)
}

const PCHAR: &[Element] = &[Unreserved, PctEncoded, SubDelims, Char(b':'), Char(b'@')];

/// `query = *( pchar / "/" / "?" )`
pub fn query(input: &str) -> Match {
    repeat(Rule::Query, 0, input, &[Pchar, Char(b'/'), Char(b'?')])
}

/// `fragment = *( pchar / "/" / "?" )`
pub fn fragment(input: &str) -> Match {
    repeat(Rule::Fragment, 0, input, &[Pchar, Char(b'/'), Char(b'?')])
}

/// `pct-encoded = "%" HEXDIG HEXDIG`
pub fn pct_encoded(input: &str) -> Match {
    one(Rule::PctEncoded, input, &[PctEncoded])
}

/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"`
pub fn unreserved(input: &str) -> Match {
    one(Rule::Unreserved, input, &[Unreserved])
}

/// `reserved = gen-delims / sub-delims`
pub fn reserved(input: &str) -> Match {
    one(Rule::Reserved, input, &[Reserved])
}

/// `gen-delims = ":" / "/" / "?" / "#" / "[" / "]" / "@"`
pub fn gen_delims(input: &str) -> Match {
    one(Rule::GenDelims, input, &[GenDelims])
}

/// `sub-delims = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="`
pub fn sub_delims(input: &str) -> Match {
    one(Rule::SubDelims, input, &[SubDelims])
}

/// `"//" authority path-abempty`, the first alternative of `hier-part` and of `relative-part` (`rule`).
fn authority_path_abempty(rule: Rule, input: &str, reading: Reading) -> Match {
    let Some(rest) = input.strip_prefix("//") else {
        let offset = usize::from(input.starts_with('/'));
        return Err(Error::new(rule, offset));
    };
    // authority cannot contain "/", and path-abempty is empty or begins with it.
    let length = rest.find('/').unwrap_or(rest.len());
    shift(2, authority(&rest[..length], reading))?;
    shift(2 + length, path_abempty(&rest[length..]))
}

/// `host [ ":" port ]`
fn host_port(input: &str, reading: Reading) -> Match {
    // The ":" of the port is the first one, or in front of it the host is an IP-literal, or there is none.
    let bracket = input.find(']').unwrap_or(0);
    first_match(
        Rule::Authority,
        [0, bracket, input.len()].map(|literal| {
            let (rest, after) = optional(&input[literal..], ':');
            let text = &input[..literal + rest.len()];
            host(text, reading).map(drop).and(after.map_or(Ok(()), |(start, text)| shift(literal + start, port(text))))
        }),
    )
}

/// `*( "/" segment )`; segment cannot contain "/".
fn slash_segments(rule: Rule, input: &str) -> Match {
    let mut start = 0;
    while start < input.len() {
        let Some(rest) = input[start..].strip_prefix('/') else {
            return Err(Error::new(rule, start));
        };
        let length = rest.find('/').unwrap_or(rest.len());
        shift(start + 1, segment(&rest[..length]))?;
        start += 1 + length;
    }
    Ok(())
}

/// A first segment of the given kind, then `*( "/" segment )`.
fn segment_then_slash_segments(rule: Rule, first: fn(&str) -> Match, input: &str) -> Match {
    let length = input.find('/').unwrap_or(input.len());
    first(&input[..length])?;
    shift(length, slash_segments(rule, &input[length..]))
}

/// One element of a repetition or of an alternation of single characters.
#[derive(Clone, Copy)]
enum Element {
    Unreserved,
    PctEncoded,
    Reserved,
    GenDelims,
    SubDelims,
    Pchar,
    Digit,
    Hexdig,
    Char(u8),
}
use Element::{Char, Digit, GenDelims, Hexdig, Pchar, PctEncoded, Reserved, SubDelims, Unreserved};

impl Element {
    /// How many bytes the element takes at the beginning of `rest`; 0 if it does not match there.
    fn length(self, rest: &[u8]) -> usize {
        let Some(&first) = rest.first() else { return 0 };
        match self {
            Unreserved => usize::from(is_unreserved(first)),
            PctEncoded => match triplet_prefix(rest) {
                3 => 3,
                _ => 0,
            },
            Reserved => usize::from(is_reserved(first)),
            GenDelims => usize::from(is_gen_delim(first)),
            SubDelims => usize::from(is_sub_delim(first)),
            Pchar => length_of_any(PCHAR, rest),
            Digit => usize::from(is_digit(first)),
            Hexdig => usize::from(is_hexdig(first)),
            Char(character) => usize::from(first == character),
        }
    }

    fn may_be_triplet(self) -> bool {
        matches!(self, PctEncoded | Pchar)
    }
}

fn length_of_any(alternatives: &[Element], rest: &[u8]) -> usize {
    // At most one of the alternatives begins with any given octet.
    alternatives.iter().map(|element| element.length(rest)).find(|&length| length > 0).unwrap_or(0)
}

/// How many bytes at the beginning of `rest` are the beginning of a `pct-encoded`: 0 to 3.
fn triplet_prefix(rest: &[u8]) -> usize {
    match rest {
        [b'%', high, low, ..] if is_hexdig(*high) && is_hexdig(*low) => 3,
        [b'%', high, ..] if is_hexdig(*high) => 2,
        [b'%', ..] => 1,
        _ => 0,
    }
}

/// `least*( alternatives )`, the whole of `input`.
fn repeat(rule: Rule, least: usize, input: &str, alternatives: &[Element]) -> Match {
    let octets = input.as_bytes();
    let (mut offset, mut count) = (0, 0);
    while offset < octets.len() {
        match length_of_any(alternatives, &octets[offset..]) {
            0 => return Err(failure(rule, alternatives, octets, offset)),
            length => offset += length,
        }
        count += 1;
    }
    if count < least {
        Err(Error::new(rule, offset))
    } else {
        Ok(())
    }
}

/// Exactly one of `alternatives`, the whole of `input`.
fn one(rule: Rule, input: &str, alternatives: &[Element]) -> Match {
    let octets = input.as_bytes();
    match length_of_any(alternatives, octets) {
        0 => Err(failure(rule, alternatives, octets, 0)),
        length if length == octets.len() => Ok(()),
        length => Err(Error::new(rule, length)),
    }
}

/// The failure of `alternatives` at `offset`: inside a triplet that broke off, or at `offset` itself.
fn failure(rule: Rule, alternatives: &[Element], octets: &[u8], offset: usize) -> Error {
    match triplet_prefix(&octets[offset..]) {
        0 => Error::new(rule, offset),
        begun if alternatives.iter().any(|element| element.may_be_triplet()) => {
            Error::new(Rule::PctEncoded, offset + begun)
        }
        _ => Error::new(rule, offset),
    }
}

/// `input` up to the first `delimiter`, and what follows it with the offset at which that begins, if it occurs.
fn optional(input: &str, delimiter: char) -> (&str, Option<(usize, &str)>) {
    match input.split_once(delimiter) {
        Some((before, after)) => (before, Some((input.len() - after.len(), after))),
        None => (input, None),
    }
}

fn shift(start: usize, result: Match) -> Match {
    result.map_err(|error| error.shifted(start))
}

/// Ok if any alternative of `rule` matched, else the error of the one that came furthest.
fn first_match<const N: usize>(rule: Rule, alternatives: [Match; N]) -> Match {
    let mut furthest = Error::new(rule, 0);
    for alternative in alternatives {
        match alternative {
            Ok(()) => return Ok(()),
            Err(error) => furthest = furthest.or_further(error),
        }
    }
    Err(furthest)
}

/// An alternative of `IPv6address` on its way through the input: how far it came, and whether it failed there.
#[derive(Clone, Copy)]
struct Address<'a> {
    input: &'a str,
    at: usize,
    failed: Option<Error>,
}

impl<'a> Address<'a> {
    fn of(input: &'a str) -> Address<'a> {
        Address {
            input,
            at: 0,
            failed: None,
        }
    }

    fn rest(self) -> &'a str {
        &self.input[self.at..]
    }

    fn advanced(self, length: usize) -> Address<'a> {
        Address {
            at: self.at + length,
            ..self
        }
    }

    fn failed_after(self, rule: Rule, length: usize) -> Address<'a> {
        Address {
            failed: Some(Error::new(rule, self.at + length)),
            ..self
        }
    }

    /// `h16`: up to four HEXDIGs; what may follow it is never one.
    fn h16(self) -> Address<'a> {
        if self.failed.is_some() {
            return self;
        }
        match self.rest().bytes().take(4).take_while(|&octet| is_hexdig(octet)).count() {
            0 => self.failed_after(Rule::H16, 0),
            length => self.advanced(length),
        }
    }

    /// `":"`
    fn colon(self) -> Address<'a> {
        if self.failed.is_some() {
            return self;
        }
        if self.rest().starts_with(':') {
            self.advanced(1)
        } else {
            self.failed_after(Rule::Ipv6Address, 0)
        }
    }

    /// `count( h16 ":" )`
    fn pieces(self, count: usize) -> Address<'a> {
        (0..count).fold(self, |address, _| address.h16().colon())
    }

    /// `"::"`
    fn elision(self) -> Address<'a> {
        self.colon().colon()
    }

    /// `[ *count( h16 ":" ) h16 ]` before `"::"`: as long as a piece follows and not the elision.
    fn up_to(self, count: usize) -> Address<'a> {
        if self.rest().starts_with("::") {
            return self;
        }
        let mut address = self.h16();
        for _ in 0..count {
            match address.rest().strip_prefix(':') {
                Some(rest) if !rest.starts_with(':') => address = address.colon().h16(),
                _ => break,
            }
        }
        address
    }

    /// `ls32`, which ends every alternative that has it.
    fn ls32(self) -> Address<'a> {
        if self.failed.is_some() {
            return self;
        }
        match ls32(self.rest()) {
            Ok(()) => self.advanced(self.rest().len()),
            Err(error) => self.failed_after(error.rule, error.offset),
        }
    }

    fn end(self) -> Match {
        match self.failed {
            Some(error) => Err(error),
            None if self.at == self.input.len() => Ok(()),
            None => Err(Error::new(Rule::Ipv6Address, self.at)),
        }
    }
}
