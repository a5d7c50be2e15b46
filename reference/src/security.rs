//! RFC 3986 §7 and §3.2.1: what a URI may hold that its reader does not expect.
//!
//! Nothing here is about validity: each of these is found in strings that match the grammar.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use crate::characters::{decode_unreserved_triplets, leading_triplet, percent_decode};
use crate::components::{Reference, parse};
use crate::grammar::{self, Error};
use crate::readings::Reading;
use crate::split::{offset_in, split};

/// The value of `port`, if it is within the "well-known port" range (0 - 1023) (RFC 3986 §7.2).
///
/// "Applications should prevent dereference of a URI that specifies a TCP port number within the "well-known port"
/// range (0 - 1023) unless the protocol being used to dereference that URI is compatible with the protocol expected on
/// that well-known port." The value counts, not its leading zeros; an empty port has none. `None` too if `port` does
/// not match its rule.
pub fn well_known_port(port: &str) -> Option<u16> {
    grammar::port(port).ok()?;
    port.parse().ok().filter(|&value| value <= 1023)
}

/// The component or subcomponent in which an encoded octet stands; no other can hold a triplet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// `userinfo`
    Userinfo,
    /// `host`
    Host,
    /// `path`
    Path,
    /// `query`
    Query,
    /// `fragment`
    Fragment,
}

/// A percent-encoded octet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodedOctet {
    /// The octet.
    pub octet: u8,
    /// Where it stands.
    pub place: Place,
    /// The byte offset of its triplet in the URI-reference.
    pub offset: usize,
}

/// "CR and LF characters for the TELNET protocol" (RFC 3986 §7.2).
pub const TELNET_DELIMITERS: &[u8] = b"\r\n";

/// The percent-encoded octets of `reference` that are among `delimiters` (RFC 3986 §7.2).
///
/// "When a URI contains percent-encoded octets that match the delimiters for a given resolution or dereference protocol
/// (for example, CR and LF characters for the TELNET protocol), these percent-encodings must not be decoded before
/// transmission across that protocol."
///
/// # Errors
///
/// `reference` does not match `URI-reference`.
pub fn encoded_delimiters(reference: &str, delimiters: &[u8], reading: Reading) -> Result<Vec<EncodedOctet>, Error> {
    let parsed = parse(reference, reading)?;
    let Reference { components, authority } = &parsed;
    let places = [
        (Place::Userinfo, authority.and_then(|authority| authority.userinfo)),
        (Place::Host, authority.map(|authority| authority.host)),
        (Place::Path, Some(&*components.path)),
        (Place::Query, components.query),
        (Place::Fragment, components.fragment),
    ];
    let mut is_delimiter = [false; 256];
    for &delimiter in delimiters {
        is_delimiter[usize::from(delimiter)] = true;
    }
    let mut found = Vec::new();
    for (place, text) in places.into_iter().filter_map(|(place, text)| Some((place, text?))) {
        let start = offset_in(text, reference);
        for (at, _) in text.match_indices('%') {
            let triplet = leading_triplet(&text.as_bytes()[at..]);
            if let Some(octet) = triplet.filter(|octet| is_delimiter[usize::from(*octet)]) {
                let offset = start + at;
                found.push(EncodedOctet { octet, place, offset });
            }
        }
    }
    Ok(found)
}

/// Where `reference` holds "%00" (RFC 3986 §7.3).
///
/// "Note, however, that the "%00" percent-encoding (NUL) may require special handling and should be rejected if the
/// application is not expecting to receive raw data within a component."
///
/// # Errors
///
/// `reference` does not match `URI-reference`.
pub fn encoded_nul(reference: &str, reading: Reading) -> Result<Vec<EncodedOctet>, Error> {
    encoded_delimiters(reference, &[0], reading)
}

/// How a number of a rare IPv4 form is written (RFC 3986 §7.4): "a leading 0x or 0X implies hexadecimal; a leading 0
/// implies octal; otherwise, the number is interpreted as decimal".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Radix {
    /// Without a leading 0, or "0" itself.
    Decimal,
    /// With a leading 0.
    Octal,
    /// With a leading "0x" or "0X".
    Hexadecimal,
}

/// A host that a platform may take for an IPv4 address, though it matches no `IPv4address`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RareIpv4 {
    /// The address.
    pub address: Ipv4Addr,
    /// How each of the one to four numbers is written.
    pub numbers: Vec<Radix>,
    /// Not in RFC 3986 §7.4: whether it shows only after percent-decoding, as `1.2.3.%34` does (§6.2.2.2).
    pub percent_encoded: bool,
    /// Not in RFC 3986 §7.4: whether a "." follows the last number, as in a name that is complete in the DNS; inet_aton
    /// itself refuses it.
    pub trailing_dot: bool,
    /// Not in RFC 3986 §7.4: whether whitespace of US-ASCII follows the last number, as in `127.0.0.1%20x`; the
    /// inet_aton of glibc ignores it and all behind it.
    pub trailing_whitespace: bool,
}

/// The IPv4 address for which a platform may take `host` (RFC 3986 §7.4), if it is in one of the "additional IP address
/// formats" that "are not allowed in the URI syntax due to differences between platform implementations".
///
/// `None` for an `IPv4address`, and for any other host. A number that is too large for its place makes it another host,
/// as it does for inet_aton.
pub fn rare_ipv4(host: &str) -> Option<RareIpv4> {
    if grammar::ipv4address(host).is_ok() {
        return None;
    }
    let decoded = percent_decode(host);
    let is_whitespace = |octet: &u8| matches!(octet, b' ' | b'\t'..=b'\r');
    let length = decoded.iter().position(is_whitespace).unwrap_or(decoded.len());
    let trailing_whitespace = length < decoded.len();
    let before_whitespace = std::str::from_utf8(&decoded[..length]).ok()?;
    let (numbers, trailing_dot) = match before_whitespace.strip_suffix('.') {
        Some(numbers) if !trailing_whitespace => (numbers, true),
        _ => (before_whitespace, false),
    };
    // A fifth number would be one too many.
    let texts: Vec<_> = numbers.splitn(5, '.').collect();
    let values: Vec<_> = texts.iter().map(|text| number(text)).collect::<Option<_>>()?;
    let (&(last, _), others) = values.split_last()?;

    // "many implementations allow dotted forms of three numbers, wherein the last part is interpreted as a 16-bit
    // quantity and placed in the right-most two bytes of the network address (e.g., a Class B network). Likewise, a
    // dotted form of two numbers means that the last part is interpreted as a 24-bit quantity and placed in the
    // right-most three bytes of the network address (Class A), and a single number (without dots) is interpreted as a
    // 32-bit quantity and stored directly in the network address."
    let last_bits = match others.len() {
        3 => 8,
        2 => 16,
        1 => 24,
        0 => 32,
        _ => return None,
    };
    if last >> last_bits != 0 {
        return None;
    }
    let mut address = last;
    for (place, &(value, _)) in others.iter().enumerate() {
        if value > 0xFF {
            return None;
        }
        address |= value << (24 - 8 * place);
    }
    Some(RareIpv4 {
        address: Ipv4Addr::from_bits(u32::try_from(address).ok()?),
        numbers: values.iter().map(|&(_, radix)| radix).collect(),
        percent_encoded: decoded != host.as_bytes(),
        trailing_dot,
        trailing_whitespace,
    })
}

/// "each dotted part to be interpreted as decimal, octal, or hexadecimal, as specified in the C language" (§7.4); at most
/// 32 bits.
fn number(text: &str) -> Option<(u64, Radix)> {
    let (digits, radix, base) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], Radix::Hexadecimal, 16),
        [b'0', _, ..] => (&text[1..], Radix::Octal, 8),
        _ => (text, Radix::Decimal, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0;
    for digit in digits.chars() {
        value = value * base + u64::from(digit.to_digit(u32::try_from(base).ok()?)?);
        if value > u64::from(u32::MAX) {
            return None;
        }
    }
    Some((value, radix))
}

/// Userinfo that imitates a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imitation<'a> {
    /// What looks like a host, at the beginning of the userinfo, with its triplets of unreserved characters decoded.
    pub imitated: Cow<'a, str>,
    /// The host.
    pub host: &'a str,
}

/// The userinfo of `reference` that "might lead a human user to assume that the host is" another (RFC 3986 §7.6), if it
/// does.
///
/// Not in RFC 3986: with the triplets of unreserved characters decoded (§6.2.2.2), what looks like a host is all the
/// letters, digits, "-" and "." at the beginning of the userinfo, without the "."s at either end, if it has a "." within.
/// A user name such as `john.smith` has one too.
///
/// # Errors
///
/// `reference` does not match `URI-reference`.
pub fn imitated_host(reference: &str, reading: Reading) -> Result<Option<Imitation<'_>>, Error> {
    let Some(authority) = parse(reference, reading)?.authority else {
        return Ok(None);
    };
    let is_part_of_name = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.');
    let beginning = |userinfo: &str| {
        let end = userinfo.find(|character| !is_part_of_name(character)).unwrap_or(userinfo.len());
        let start = end - userinfo[..end].trim_start_matches('.').len();
        start..start + userinfo[start..end].trim_end_matches('.').len()
    };
    let imitated = match decode_unreserved_triplets(authority.userinfo.unwrap_or_default()) {
        Cow::Borrowed(userinfo) => Cow::Borrowed(&userinfo[beginning(userinfo)]),
        Cow::Owned(userinfo) => Cow::Owned(userinfo[beginning(&userinfo)].to_owned()),
    };
    Ok(imitated.contains('.').then_some(Imitation {
        imitated,
        host: authority.host,
    }))
}

/// Not in RFC 3986: what stands in a displayed URI in place of a password. It matches `userinfo`.
pub const PASSWORD_MASK: &str = "****";

/// `reference` as it may be displayed (RFC 3986 §3.2.1), the rest byte for byte.
///
/// "Applications should not render as clear text any data after the first colon (":") character found within a userinfo
/// subcomponent unless the data after the colon is the empty string (indicating no password)."
///
/// Total, as what is displayed is not always valid: the authority is the one that Appendix B finds. Not in RFC 3986: in
/// an authority with more than one "@", which is invalid, the userinfo is taken to end at the last.
pub fn mask_password(reference: &str) -> Cow<'_, str> {
    let password = split(reference).authority.and_then(|authority| {
        let (userinfo, _) = authority.rsplit_once('@')?;
        let (_, password) = userinfo.split_once(':')?;
        (!password.is_empty()).then_some(password)
    });
    let Some(password) = password else {
        return Cow::Borrowed(reference);
    };
    let start = offset_in(password, reference);
    Cow::Owned(format!(
        "{}{PASSWORD_MASK}{}",
        &reference[..start],
        &reference[start + password.len()..]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Reading = Reading::Rfc3986;

    fn rare(host: &str) -> Option<String> {
        rare_ipv4(host).map(|rare| rare.address.to_string())
    }

    #[test]
    fn one_to_four_numbers_in_three_notations_are_rare_forms() {
        for (host, address) in [
            ("2130706433", "127.0.0.1"),
            ("0x7f000001", "127.0.0.1"),
            ("0X7F000001", "127.0.0.1"),
            ("017700000001", "127.0.0.1"),
            ("127.1", "127.0.0.1"),
            ("0x7f.1", "127.0.0.1"),
            ("127.0.1", "127.0.0.1"),
            ("127.0.258", "127.0.1.2"),
            ("1.66051", "1.1.2.3"),
            ("0177.0.0.1", "127.0.0.1"),
            ("0x7f.0.0.0x1", "127.0.0.1"),
            ("01.2.3.4", "1.2.3.4"),
            ("0", "0.0.0.0"),
            ("00", "0.0.0.0"),
            ("4294967295", "255.255.255.255"),
            ("1.16777215", "1.255.255.255"),
            ("1.2.65535", "1.2.255.255"),
            ("1.2.3.%34", "1.2.3.4"),
            ("%31%32%37.1", "127.0.0.1"),
            ("127.0.0.1.", "127.0.0.1"),
            ("127.0.0.1%20x", "127.0.0.1"),
            ("127.0.0.1%0b%FF", "127.0.0.1"),
            ("1%20", "0.0.0.1"),
            ("1 ", "0.0.0.1"),
        ] {
            assert_eq!(rare(host).as_deref(), Some(address), "{host}");
        }
    }

    #[test]
    fn neither_an_ipv4address_nor_another_host_is_a_rare_form() {
        for host in [
            "127.0.0.1",
            "",
            ".",
            "1..2",
            "1.2.3.4.5",
            "256.1.1.1",
            "1.2.3.256",
            "1.2.65536",
            "1.16777216",
            "4294967296",
            "0x",
            "0x.1",
            "08",
            "1.09",
            "a",
            "0xg",
            "1.2.3.a",
            "-1",
            "+1",
            "1.256.1.1",
            "1.2.256.1",
            "%201",
            "%20",
            "1.2.3.4.%20",
            "1.2.3.4x%20",
            "%FF",
            "%2",
            "1.2.3.4..",
            "[::1]",
            "1_0",
            "99999999999999999999999999",
        ] {
            assert_eq!(rare_ipv4(host), None, "{host}");
        }
    }

    #[test]
    fn how_a_rare_form_is_written_is_told() {
        use Radix::{Decimal, Hexadecimal, Octal};
        let rare = rare_ipv4("0x7F.00.0.1").unwrap();
        assert_eq!(rare.numbers, [Hexadecimal, Octal, Decimal, Decimal]);
        assert!(!rare.percent_encoded && !rare.trailing_dot && !rare.trailing_whitespace);
        assert!(rare_ipv4("1.2.3.4%09").unwrap().trailing_whitespace);
        assert!(rare_ipv4("1.2.3.%34").unwrap().percent_encoded);
        assert!(rare_ipv4("1.2.3.4.").unwrap().trailing_dot);
    }

    #[test]
    fn the_example_of_7_6_imitates_a_host() {
        let uri = "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm";
        assert_eq!(
            imitated_host(uri, PLAIN),
            Ok(Some(Imitation {
                imitated: "cnn.example.com".into(),
                host: "10.0.0.1"
            }))
        );
        for (userinfo, expected) in [
            ("cnn%2Eexample.com", "cnn.example.com"),
            ("..a.b..%2e:c", "a.b"),
            ("a..b%2f", "a..b"),
        ] {
            let uri = format!("//{userinfo}@10.0.0.1");
            let imitated = imitated_host(&uri, PLAIN).unwrap().map(|imitation| imitation.imitated);
            assert_eq!(imitated.as_deref(), Some(expected), "{userinfo}");
        }
        for other in [
            "ftp://user@h/",
            "ftp://cnn.example.com/@10.0.0.1",
            "a:b.c@d",
            "//@h",
            "//..@h",
            "//u:a.b@h",
        ] {
            assert_eq!(imitated_host(other, PLAIN), Ok(None), "{other}");
        }
    }

    #[test]
    fn a_password_is_masked_and_nothing_else_changes() {
        for (uri, shown) in [
            ("ftp://user:secret@h/p?q#f", "ftp://user:****@h/p?q#f"),
            ("//:p@h", "//:****@h"),
            ("//u:p:q@h:80", "//u:****@h:80"),
            ("//u:::@h", "//u:****@h"),
            ("//u:@h", "//u:@h"),
            ("//u@h:80", "//u@h:80"),
            ("//h:80/a:b@c", "//h:80/a:b@c"),
            ("mailto:a:b@c", "mailto:a:b@c"),
            ("//u:p@q@h", "//u:****@h"),
            ("//u:\u{fc} [@h", "//u:****@h"),
        ] {
            assert_eq!(mask_password(uri), shown);
            assert_eq!(mask_password(shown), shown);
        }
        assert_eq!(grammar::userinfo(PASSWORD_MASK), Ok(()));
    }

    #[test]
    fn encoded_octets_are_found_with_place_and_offset() {
        let found = |octet, place, offset| EncodedOctet { octet, place, offset };
        assert_eq!(
            encoded_nul("x://%00@%00:0/%00?%00#%00%2500", PLAIN).unwrap(),
            [
                found(0, Place::Userinfo, 4),
                found(0, Place::Host, 8),
                found(0, Place::Path, 14),
                found(0, Place::Query, 18),
                found(0, Place::Fragment, 22),
            ]
        );
        assert_eq!(
            encoded_delimiters("telnet://h/%0d%0Aa%0b", TELNET_DELIMITERS, PLAIN).unwrap(),
            [found(13, Place::Path, 11), found(10, Place::Path, 14)]
        );
        assert!(encoded_nul("%0", PLAIN).is_err());
    }

    #[test]
    fn a_well_known_port_has_a_value_up_to_1023() {
        assert_eq!(well_known_port("0"), Some(0));
        assert_eq!(well_known_port("00025"), Some(25));
        assert_eq!(well_known_port("1023"), Some(1023));
        for port in ["", "1024", "99999", "18446744073709551616", "a", "+80"] {
            assert_eq!(well_known_port(port), None);
        }
    }
}
