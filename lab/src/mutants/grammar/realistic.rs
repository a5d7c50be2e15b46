//! Realistic mutants: what parsers of URIs get wrong, in thirteen families. Where a fault is a matter of the grammar it is
//! written as rules that stand in place of Appendix A's; where it counts, compares or changes the string first, as a
//! [`GrammarFault`] beside the RFC's machine.

mod fault;
mod numerals;
mod rules;

use std::borrow::Cow;

pub use self::fault::GrammarFault;
use self::fault::{ByteComponents, LimitOf};
pub(super) use self::rules::overrides;
use super::family::MutantFamily::{self, *};

/// A mutant that is a fault beside the RFC's machine, with a string that shows it.
pub(super) struct FaultDraft {
    pub(super) family: MutantFamily,
    pub(super) name: String,
    pub(super) fault: GrammarFault,
    pub(super) witness: Vec<u8>,
}

fn is_ipv4_like(host: &[u8]) -> bool {
    !host.is_empty() && host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
}

fn octets(host: &[u8]) -> Vec<Option<u64>> {
    host.split(|&byte| byte == b'.')
        .map(|octet| {
            std::str::from_utf8(octet)
                .ok()
                .filter(|octet| octet.bytes().all(|byte| byte.is_ascii_digit()))?
                .parse()
                .ok()
        })
        .collect()
}

/// Four octets of at most 255.
fn is_ipv4(host: &[u8]) -> bool {
    let octets = octets(host);
    octets.len() == 4 && octets.iter().all(|octet| octet.is_some_and(|octet| octet < 256))
}

fn has_leading_zero(host: &[u8]) -> bool {
    host.split(|&byte| byte == b'.').any(|octet| octet.len() > 1 && octet[0] == b'0')
}

/// The beginning of a name that a reader of IPv4 addresses takes, and what is left.
fn ipv4_prefix(host: &[u8]) -> Option<&[u8]> {
    (7..=host.len().min(15)).rev().find(|&at| is_ipv4(&host[..at])).map(|at| &host[at..])
}

fn host<'a>(components: &ByteComponents<'a>) -> &'a [u8] {
    components.host.unwrap_or_default()
}

fn segments<'a>(components: &ByteComponents<'a>) -> impl Iterator<Item = &'a [u8]> {
    components.path.split(|&byte| byte == b'/')
}

/// The octets that the triplets of a text stand for, and `None` for each character that stands for itself.
fn decoded(text: &[u8]) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| text[at] == b'%');
        let value = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        octets.push(value.unwrap_or(text[at]));
        at += if value.is_some() { 3 } else { 1 };
    }
    octets
}

type Refuses = fn(&ByteComponents<'_>) -> bool;

/// What refuses more than the RFC, and cannot well be written as rules.
#[rustfmt::skip]
const REFUSALS: &[(MutantFamily, &str, Refuses, &str)] = &[
    (Host, "a name of digits and dots must be an IPv4 address", |c| is_ipv4_like(host(c)) && !is_ipv4(host(c)), "//1.2.3"),
    (Host, "a name of digits and dots must be an IPv4 address without leading zeros", |c| is_ipv4_like(host(c)) && (!is_ipv4(host(c)) || has_leading_zero(host(c))), "//1"),
    (Host, "a name of digits and three dots must be an IPv4 address", |c| is_ipv4_like(host(c)) && octets(host(c)).len() == 4 && !is_ipv4(host(c)), "//1.2.3.256"),
    (Host, "an octet above 255 refused", |c| is_ipv4_like(host(c)) && octets(host(c)).iter().flatten().any(|&octet| octet > 255), "//256"),
    (Host, "four octets: leading zeros refused", |c| is_ipv4_like(host(c)) && octets(host(c)).len() == 4 && has_leading_zero(host(c)), "//1.2.3.04"),
    (Host, "a number as name refused", |c| host(c).iter().all(u8::is_ascii_digit) && !host(c).is_empty(), "//1"),
    (Host, "a name whose last label is a number must be an IPv4 address", |c| host(c).rsplit(|&b| b == b'.').next().is_some_and(|last| !last.is_empty() && last.iter().all(u8::is_ascii_digit)) && !is_ipv4(host(c)), "//a.1"),
    (Host, "a name whose last label begins with a digit refused", |c| host(c).rsplit(|&b| b == b'.').next().is_some_and(|last| last.first().is_some_and(u8::is_ascii_digit)) && !is_ipv4(host(c)), "//a.1a"),
    (Host, "a name that begins like an IPv4 address refused", |c| ipv4_prefix(host(c)).is_some_and(|rest| !rest.is_empty()), "//1.2.3.4a"),
    (Host, "a name that begins like an IPv4 address and a dot refused", |c| ipv4_prefix(host(c)).is_some_and(|rest| rest.first() == Some(&b'.')), "//1.2.3.4."),
    (Host, "a name that begins like an IPv4 address and goes on with a digit refused", |c| ipv4_prefix(host(c)).is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit)), "//1.2.3.2551"),
    (Host, "a name that begins with four numbers refused", |c| octets(host(c)).iter().take_while(|octet| octet.is_some()).count() >= 4 && octets(host(c)).len() > 4, "//1.2.3.4.a"),
    (Host, "a name that begins with three numbers and a dot refused", |c| octets(host(c)).iter().take(3).flatten().count() == 3 && octets(host(c)).len() == 4 && !is_ipv4(host(c)), "//1.2.3.a"),
    (Host, "hexadecimal numbers as names refused", |c| host(c).to_ascii_lowercase().split(|&b| b == b'.').any(|label| label.starts_with(b"0x")), "//0x1"),
    (Host, "an IPv4 address with 0 first refused", |c| is_ipv4(host(c)) && octets(host(c))[0] == Some(0), "//0.0.0.0"),
    (Host, "IPv4 addresses refused", |c| is_ipv4(host(c)) && !has_leading_zero(host(c)), "//1.2.3.4"),
    (Host, "xn-- refused where no more follows", |c| host(c).to_ascii_lowercase().ends_with(b"--"), "//a--"),
    (Host, "two hyphens at the third place of a label refused", |c| host(c).split(|&b| b == b'.').any(|label| label.get(2..4) == Some(b"--")), "//aa--a"),
    (Host, "a hyphen at the end of a label refused", |c| host(c).split(|&b| b == b'.').any(|label| label.ends_with(b"-")), "//a-"),
    (Host, "an encoded delimiter in a name refused", |c| decoded(host(c)).iter().any(|byte| b":/?#[]@".contains(byte)) && !host(c).starts_with(b"["), "//%2F"),
    (Host, "a name that is not UTF-8 refused", |c| std::str::from_utf8(&decoded(host(c))).is_err(), "//%FF"),
    (IpLiteral, ":: alone refused", |c| host(c) == b"[::]", "//[::]"),
    (IpLiteral, "IPv6: :: first refused", |c| host(c).starts_with(b"[::"), "//[::1]"),
    (IpLiteral, "IPv6: :: last refused", |c| host(c).ends_with(b"::]"), "//[1::]"),
    (IpLiteral, "IPv6: :: for one group refused", |c| host(c).starts_with(b"[") && !host(c)[1..].starts_with(b"v") && host(c).windows(2).any(|two| two == b"::") && host(c).split(|&b| b == b':').filter(|group| !matches!(*group, b"" | b"[" | b"]")).count() == 7 && !host(c).contains(&b'.'), "//[1:2:3::5:6:7:8]"),
    (IpLiteral, "IPv6: an IPv4 tail with 0 first refused", |c| host(c).starts_with(b"[") && host(c).windows(3).any(|three| three == b":0."), "//[::0.0.0.0]"),
    (IpLiteral, "IPv6: an IPv4 tail only behind :: or ::ffff:", |c| host(c).starts_with(b"[") && host(c).contains(&b'.') && !host(c).to_ascii_lowercase().starts_with(b"[v") && host(c).iter().filter(|&&b| b == b':').count() > 3, "//[1:2:3:4:5:6:1.2.3.4]"),
    (PercentEncoding, "refuses %00 at the end", |c| c.path.ends_with(b"%00"), "%00"),
    (PercentEncoding, "a path that is not UTF-8 refused", |c| std::str::from_utf8(&decoded(c.path)).is_err(), "%FF"),
    (PercentEncoding, "a query that is not UTF-8 refused", |c| c.query.is_some_and(|query| std::str::from_utf8(&decoded(query)).is_err()), "?%FF"),
    (PercentEncoding, "a fragment that is not UTF-8 refused", |c| c.fragment.is_some_and(|fragment| std::str::from_utf8(&decoded(fragment)).is_err()), "#%FF"),
    (PercentEncoding, "userinfo that is not UTF-8 refused", |c| c.userinfo.is_some_and(|userinfo| std::str::from_utf8(&decoded(userinfo)).is_err()), "//%FF@"),
    (PercentEncoding, "a second decoding of the path: %25 and no digits refused", |c| decoded(c.path).windows(3).any(|three| three[0] == b'%' && !three[1].is_ascii_hexdigit()), "%25zz"),
    (PercentEncoding, "a line end in the path refused", |c| decoded(c.path).iter().any(|byte| b"\r\n".contains(byte)), "%0A"),
    (PercentEncoding, "an encoded space in the host refused", |c| decoded(host(c)).contains(&b' '), "//%20"),
    (PercentEncoding, "an encoded percent in the host refused", |c| !host(c).starts_with(b"[") && decoded(host(c)).contains(&b'%'), "//%25"),
    (Path, ".. above the root refused", |c| { let mut depth = 0_i32; segments(c).any(|segment| { depth += match segment { b".." => -1, b"" | b"." => 0, _ => 1 }; depth < 0 }) }, ".."),
    (Path, ".. refused", |c| segments(c).any(|segment| segment == b".."), ".."),
    (Path, "dot segments refused in absolute paths", |c| c.path.starts_with(b"/") && segments(c).any(|segment| matches!(segment, b"." | b"..")), "/."),
    (Path, "encoded dot segments refused", |c| segments(c).any(|segment| matches!(&*segment.to_ascii_lowercase(), b"%2e" | b"%2e%2e" | b".%2e" | b"%2e.")), "%2E"),
    (Path, "an encoded slash refused", |c| c.path.to_ascii_lowercase().windows(3).any(|three| three == b"%2f"), "%2F"),
    (Path, "an encoded backslash refused", |c| c.path.to_ascii_lowercase().windows(3).any(|three| three == b"%5c"), "%5C"),
    (Path, "three dots refused", |c| segments(c).any(|segment| segment == b"..."), "..."),
    (Path, "a hidden file refused", |c| segments(c).any(|segment| segment.len() > 2 && segment[0] == b'.' && segment[1] != b'.'), ".aa"),
    (Path, "/. before // refused", |c| c.path.starts_with(b"/.//"), "/.//"),
    (Path, "a path of slashes alone refused behind an authority", |c| c.host.is_some() && c.path.len() > 1 && c.path.iter().all(|&byte| byte == b'/'), "////"),
    (Scheme, "javascript refused", |c| c.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"javascript")), "javascript:"),
    (Scheme, "http needs an authority", |c| c.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http")) && c.host.is_none(), "http:a"),
    (Scheme, "http needs a host", |c| c.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http")) && host(c).is_empty(), "http:"),
    (Scheme, "file takes no port", |c| c.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file")) && c.port.is_some(), "file://h:1"),
    (Scheme, "file takes no host", |c| c.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"file")) && !host(c).is_empty(), "file://h"),
    (Scheme, "mailto takes no authority", |c| c.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"mailto")) && c.host.is_some(), "mailto://"),
    (Scheme, "a letter alone is a drive where a slash follows", |c| c.scheme.is_some_and(|scheme| scheme.len() == 1) && c.host.is_none() && c.path.starts_with(b"/"), "c:/"),
    (Forms, "the empty string refused", |c| *c == ByteComponents::default(), ""),
    (Port, "a port behind userinfo refused where it is empty", |c| c.userinfo.is_some() && c.port == Some(b""), "//u@h:"),
    (Authority, "userinfo that looks like a host and a port refused", |c| c.userinfo.is_some_and(|userinfo| userinfo.iter().position(|&b| b == b':').is_some_and(|at| at > 0 && at + 1 < userinfo.len() && userinfo[at + 1..].iter().all(u8::is_ascii_digit))), "//u:1@h"),
    (Authority, "userinfo with a dot refused", |c| c.userinfo.is_some_and(|userinfo| userinfo.contains(&b'.')), "//a.b@h"),
];

/// Limits on lengths and numbers. There is none beyond 65,535 bytes: that is what implementations count in 16 bits, and
/// the vectors' longest component has one byte more.
const LIMITS: &[(LimitOf, &[u64])] = &[
    (
        LimitOf::Total,
        &[
            63, 64, 127, 128, 254, 255, 256, 500, 511, 512, 1023, 1024, 2000, 2047, 2048, 2083, 4095, 4096, 8191, 8192,
            16383, 32767, 65534, 65535,
        ],
    ),
    (LimitOf::Scheme, &[8, 16, 31, 32, 63, 64, 128, 255]),
    (LimitOf::Userinfo, &[32, 64, 128, 255, 256]),
    (LimitOf::Host, &[63, 64, 127, 128, 253, 254, 255, 256, 1024]),
    (LimitOf::Label, &[62, 63, 64]),
    (LimitOf::Labels, &[2, 4, 8, 127, 128]),
    (LimitOf::Authority, &[255, 1024, 65535]),
    (LimitOf::Port, &[2, 3, 6, 7, 8, 9, 10, 18, 19, 20, 32]),
    (
        LimitOf::PortValue,
        &[
            255,
            1023,
            9999,
            32767,
            49151,
            65534,
            65535,
            99_999,
            2_147_483_647,
            4_294_967_294,
            4_294_967_295,
            9_223_372_036_854_775_807,
            18_446_744_073_709_551_614,
        ],
    ),
    (LimitOf::Path, &[255, 256, 1024, 4095, 4096, 65535]),
    (LimitOf::Segment, &[63, 127, 255, 256]),
    (LimitOf::Segments, &[3, 8, 16, 32, 64, 100, 128, 255, 256]),
    (LimitOf::Query, &[255, 256, 1024, 2048, 4096, 65535]),
    (LimitOf::Parameters, &[2, 16, 32, 64, 100, 256, 1000]),
    (LimitOf::Fragment, &[127, 255, 256, 1024, 65535]),
    (LimitOf::Triplets, &[1, 2, 8, 16, 100, 255]),
];

/// Spaces of ASCII, line ends, and those with NUL.
const SPACE: &[u8] = b" ";
const SPACES: &[u8] = b" \t\n\r\x0B\x0C";
const CONTROLS: &[u8] = b"\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F ";

fn trimmed_start<'a>(mut text: &'a [u8], set: &[u8]) -> &'a [u8] {
    while let Some((_, rest)) = text.split_first().filter(|(first, _)| set.contains(first)) {
        text = rest;
    }
    text
}

fn trimmed_end<'a>(mut text: &'a [u8], set: &[u8]) -> &'a [u8] {
    while let Some((_, rest)) = text.split_last().filter(|(last, _)| set.contains(last)) {
        text = rest;
    }
    text
}

fn trimmed<'a>(text: &'a [u8], set: &[u8]) -> &'a [u8] {
    trimmed_end(trimmed_start(text, set), set)
}

/// The text up to the first byte of a set.
fn cut<'a>(text: &'a [u8], set: &[u8]) -> &'a [u8] {
    &text[..text.iter().position(|byte| set.contains(byte)).unwrap_or(text.len())]
}

fn replaced<'a>(text: &'a [u8], from: &[u8], to: &[u8]) -> Cow<'a, [u8]> {
    if !text.windows(from.len()).any(|window| window == from) {
        return Cow::Borrowed(text);
    }
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(from) {
            result.extend_from_slice(to);
            at += from.len();
        } else {
            result.push(text[at]);
            at += 1;
        }
    }
    Cow::Owned(result)
}

fn without<'a>(text: &'a [u8], set: &[u8]) -> Cow<'a, [u8]> {
    if text.iter().any(|byte| set.contains(byte)) {
        Cow::Owned(text.iter().copied().filter(|byte| !set.contains(byte)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

fn without_prefix<'a>(text: &'a [u8], prefix: &[u8]) -> &'a [u8] {
    text.strip_prefix(prefix).unwrap_or(text)
}

fn without_suffix<'a>(text: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    text.strip_suffix(suffix).unwrap_or(text)
}

/// The string that is read for the one that is there.
type ReadAs = fn(&[u8]) -> Cow<'_, [u8]>;

/// What reads another string than the one that is there.
#[rustfmt::skip]
const READINGS: &[(&str, ReadAs, &str)] = &[
    ("spaces trimmed", |s| trimmed(s, SPACE).into(), " a"),
    ("a space at the start taken off", |s| without_prefix(s, b" ").into(), " a"),
    ("a space at the end taken off", |s| without_suffix(s, b" ").into(), "a "),
    ("spaces trimmed at the start", |s| trimmed_start(s, SPACE).into(), " a"),
    ("spaces trimmed at the end", |s| trimmed_end(s, SPACE).into(), "a "),
    ("whitespace trimmed", |s| trimmed(s, SPACES).into(), "\ta"),
    ("whitespace trimmed at the start", |s| trimmed_start(s, SPACES).into(), "\ta"),
    ("whitespace trimmed at the end", |s| trimmed_end(s, SPACES).into(), "a\t"),
    ("controls and spaces trimmed", |s| trimmed(s, CONTROLS).into(), "\u{1}a"),
    ("controls and spaces trimmed at the end", |s| trimmed_end(s, CONTROLS).into(), "a\u{1}"),
    ("tabs trimmed", |s| trimmed(s, b"\t").into(), "\ta"),
    ("a line feed at the end taken off ($)", |s| without_suffix(s, b"\n").into(), "a\n"),
    ("line ends at the end taken off", |s| trimmed_end(s, b"\r\n").into(), "a\r"),
    ("CR LF at the end taken off", |s| without_suffix(s, b"\r\n").into(), "a\r\n"),
    ("a carriage return at the end taken off", |s| without_suffix(s, b"\r").into(), "a\r"),
    ("NUL at the end taken off", |s| without_suffix(s, b"\0").into(), "a\0"),
    ("NULs trimmed", |s| trimmed(s, b"\0").into(), "\0a"),
    ("cut at NUL", |s| cut(s, b"\0").into(), "a\0b"),
    ("cut at a line feed", |s| cut(s, b"\n").into(), "a\nb"),
    ("cut at a line end", |s| cut(s, b"\r\n").into(), "a\rb"),
    ("cut at a space", |s| cut(s, SPACE).into(), "a b"),
    ("cut at whitespace", |s| cut(s, SPACES).into(), "a\tb"),
    ("cut at whitespace, angle brackets and quotation marks", |s| cut(s, b" \t\r\n<>\"").into(), "a<b"),
    ("cut at a bracket", |s| if s.starts_with(b"//") || s.contains(&b':') { s.into() } else { cut(s, b"[").into() }, "a["),
    ("cut at the first byte beyond ASCII", |s| s[..s.iter().position(|byte| !byte.is_ascii()).unwrap_or(s.len())].into(), "aé"),
    ("tabs and line ends taken out", |s| without(s, b"\t\n\r"), "a\nb"),
    ("line feeds taken out", |s| without(s, b"\n"), "a\nb"),
    ("carriage returns taken out", |s| without(s, b"\r"), "a\rb"),
    ("tabs taken out", |s| without(s, b"\t"), "a\tb"),
    ("whitespace taken out", |s| without(s, SPACES), "a b"),
    ("NULs taken out", |s| without(s, b"\0"), "a\0b"),
    ("controls taken out", |s| without(s, &CONTROLS[..32]), "a\u{1}b"),
    ("a byte order mark at the start taken off", |s| without_prefix(s, "\u{FEFF}".as_bytes()).into(), "\u{FEFF}a"),
    ("soft hyphens taken out", |s| replaced(s, "\u{AD}".as_bytes(), b""), "a\u{AD}b"),
    ("zero-width spaces taken out", |s| replaced(s, "\u{200B}".as_bytes(), b""), "a\u{200B}b"),
    ("no-break spaces taken out", |s| replaced(s, "\u{A0}".as_bytes(), b""), "a\u{A0}b"),
    ("a line separator at the end taken off", |s| without_suffix(s, "\u{2028}".as_bytes()).into(), "a\u{2028}"),
    ("a next line at the end taken off", |s| without_suffix(s, "\u{85}".as_bytes()).into(), "a\u{85}"),
    ("an ideographic space at the start taken off", |s| without_prefix(s, "\u{3000}".as_bytes()).into(), "\u{3000}a"),
    ("backslashes read as slashes", |s| replaced(s, b"\\", b"/"), "a\\b"),
    ("spaces read as %20", |s| replaced(s, b" ", b"%20"), "a b"),
    ("spaces read as plus", |s| replaced(s, b" ", b"+"), "a b"),
    ("vertical bars read as colons", |s| replaced(s, b"|", b":"), "/a|b"),
    ("a fullwidth solidus read as slash", |s| replaced(s, "\u{FF0F}".as_bytes(), b"/"), "a\u{FF0F}b"),
    ("a fullwidth full stop read as dot", |s| replaced(s, "\u{FF0E}".as_bytes(), b"."), "a\u{FF0E}b"),
    ("an ideographic full stop read as dot", |s| replaced(s, "\u{3002}".as_bytes(), b"."), "a\u{3002}b"),
    ("the Kelvin sign read as k", |s| replaced(s, "\u{212A}".as_bytes(), b"k"), "\u{212A}"),
    ("the long s read as s", |s| replaced(s, "\u{17F}".as_bytes(), b"s"), "\u{17F}"),
    ("angle brackets around the string taken off", |s| s.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).unwrap_or(s).into(), "<a>"),
    ("quotation marks around the string taken off", |s| s.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(s).into(), "\"a\""),
    ("only the first 255 bytes read", |s| s[..s.len().min(255)].into(), ""),
    ("only the first 1023 bytes read", |s| s[..s.len().min(1023)].into(), ""),
    ("only the first 4095 bytes read", |s| s[..s.len().min(4095)].into(), ""),
    ("characters beyond U+00FF read by their low byte", |s| match std::str::from_utf8(s) { Ok(text) if !text.is_ascii() => text.chars().map(|c| c as u32 as u8).collect::<Vec<u8>>().into(), _ => s.into() }, "\u{141}"),
    ("triplets of unreserved characters decoded first", |s| Cow::Owned(decoded_unreserved(s)), "%41:"),
];

fn decoded_unreserved(text: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let octets = text.get(at..at + 3).map(decoded).unwrap_or_default();
        match octets[..] {
            [octet] if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) => {
                result.push(octet);
                at += 3;
            }
            _ => {
                result.push(text[at]);
                at += 1;
            }
        }
    }
    result
}

/// The mutants that are faults beside the RFC's machine.
pub(super) fn faults() -> Vec<FaultDraft> {
    let mut drafts = Vec::new();
    for &(family, name, refuses, witness) in REFUSALS {
        drafts.push(FaultDraft {
            family,
            name: name.to_owned(),
            fault: GrammarFault::Refuses(refuses),
            witness: witness.as_bytes().to_vec(),
        });
    }
    for &(what, limits) in LIMITS {
        for &most in limits {
            drafts.push(FaultDraft {
                family: if what == LimitOf::Port || what == LimitOf::PortValue {
                    Port
                } else {
                    Limit
                },
                name: format!("{what}: at most {most}"),
                fault: GrammarFault::Limit { what, most },
                witness: what.example(most + 1),
            });
        }
    }
    for &(name, reads, witness) in READINGS {
        let witness = match witness {
            // What is cut off shows where it is no URI.
            "" => [&[b'a'; 4096][..], b"["].concat(),
            _ => witness.as_bytes().to_vec(),
        };
        drafts.push(FaultDraft {
            family: Whitespace,
            name: name.to_owned(),
            fault: GrammarFault::Reads(reads),
            witness,
        });
    }
    drafts
}
