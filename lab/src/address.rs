//! Which machine a host stands for: the address that each of the usual readings makes of it, and what can be reached there.
//!
//! Two libraries can agree on the text of a host and disagree on the machine: `0x7f.1` is a name to RFC 3986, and 127.0.0.1 to the WHATWG URL
//! Standard and to `inet_aton`.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use rfc3986_reference::characters::percent_decode;
use whatwg_url_reference::host::{UrlHost, UrlHostSyntax, host_parser};
use whatwg_url_reference::record::is_special_scheme;

/// A reading of a host as an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressReading {
    /// RFC 3986, §3.2.2: four decimal numbers, or an address in brackets.
    Rfc3986,
    /// The same of the octets that triplets stand for, as a name is decoded before it is looked up (§3.2.2).
    Decoded,
    /// The host parser of the WHATWG URL Standard.
    Whatwg,
    /// The function `inet_aton` of Unix systems: one to four numbers in decimal, octal or hexadecimal, the last of which fills the rest.
    InetAton,
    /// RFC 6874: an IPv6 address with a zone after `%25`, or after `%` alone, as operating systems write it.
    Zone,
    /// RFC 4291, section 2.5.5.2: the IPv4 address that an IPv6 address maps.
    Ipv4Mapped,
    /// RFC 4291, section 2.5.5.1: the IPv4 address after six groups of zeros, which is deprecated.
    Ipv4Compatible,
    /// RFC 2765, section 2.1: the IPv4 address after `::ffff:0:`, of a machine that has no other.
    Ipv4Translated,
    /// RFC 6052, section 2.1, and RFC 8215: the IPv4 address at the end of an address with a prefix of translators (NAT64), which connect to
    /// it.
    Nat64,
    /// RFC 3056, section 2: the IPv4 address of the router of an IPv6 network (6to4).
    SixToFour,
    /// RFC 4380, section 4: the IPv4 address of the machine behind a Teredo address, whose bits are inverted.
    Teredo,
    /// The function `getaddrinfo`, which takes an IPv6 address without brackets, with or without a zone.
    WithoutBrackets,
    /// RFC 6761, section 6.3: `localhost` and names below it are loopback; and the name that a cloud gives its metadata service. Triplets are
    /// decoded, and a name of a special scheme is mapped as the URL Standard does it.
    Name,
}

impl AddressReading {
    /// Every reading.
    pub const ALL: [AddressReading; 13] = [
        AddressReading::Rfc3986,
        AddressReading::Whatwg,
        AddressReading::Decoded,
        AddressReading::InetAton,
        AddressReading::Zone,
        AddressReading::Ipv4Mapped,
        AddressReading::Ipv4Compatible,
        AddressReading::Ipv4Translated,
        AddressReading::Nat64,
        AddressReading::SixToFour,
        AddressReading::Teredo,
        AddressReading::WithoutBrackets,
        AddressReading::Name,
    ];

    /// The address that the reading makes of a host; `None` if it is a name, or no host. Only the URL Standard looks at the scheme.
    pub fn address(self, host: &str, syntax: UrlHostSyntax) -> Option<IpAddr> {
        match self {
            AddressReading::Rfc3986 => rfc3986(host),
            AddressReading::Whatwg => match host_parser(host, syntax).host? {
                UrlHost::Ipv4(address) => Some(Ipv4Addr::from(address).into()),
                UrlHost::Ipv6(pieces) => Some(Ipv6Addr::from(pieces).into()),
                UrlHost::Domain(_) | UrlHost::Opaque(_) | UrlHost::Empty => None,
            },
            AddressReading::InetAton => inet_aton(host).map(IpAddr::from),
            AddressReading::Zone => zoned(host).map(IpAddr::from),
            AddressReading::Decoded => decoded(host).and_then(|host| rfc3986(&host)),
            AddressReading::WithoutBrackets => without_brackets(host).map(IpAddr::from),
            AddressReading::Ipv4Mapped
            | AddressReading::Ipv4Compatible
            | AddressReading::Ipv4Translated
            | AddressReading::Nat64
            | AddressReading::SixToFour
            | AddressReading::Teredo => match rfc3986(host)? {
                IpAddr::V6(address) => self.embedded(address).map(IpAddr::from),
                IpAddr::V4(_) => None,
            },
            AddressReading::Name => {
                let mapped = || match host_parser(host, syntax).host? {
                    UrlHost::Domain(name) => named(&name),
                    _ => None,
                };
                let of_octets = || named(&decoded(host)?);
                named(host).or_else(of_octets).or_else(mapped).map(IpAddr::from)
            }
        }
    }

    /// The IPv4 address that the reading finds in an IPv6 address.
    fn embedded(self, address: Ipv6Addr) -> Option<Ipv4Addr> {
        let of = |high: u16, low: u16| Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
        match (self, address.segments()) {
            (AddressReading::Ipv4Mapped, _) => address.to_ipv4_mapped(),
            // `::` and `::1` are no such addresses.
            (AddressReading::Ipv4Compatible, [0, 0, 0, 0, 0, 0, high, low]) if high > 0 => of(high, low),
            (AddressReading::Ipv4Translated, [0, 0, 0, 0, 0xffff, 0, high, low]) => of(high, low),
            (AddressReading::Nat64, [0x64, 0xff9b, 0 | 1, .., high, low]) => of(high, low),
            (AddressReading::Teredo, [0x2001, 0, .., high, low]) => of(!high, !low),
            (AddressReading::SixToFour, [0x2002, high, low, ..]) => of(high, low),
            _ => None,
        }
    }
}

impl fmt::Display for AddressReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            AddressReading::Rfc3986 => "RFC 3986",
            AddressReading::Decoded => "RFC 3986 (decoded)",
            AddressReading::Whatwg => "WHATWG URL",
            AddressReading::InetAton => "inet_aton",
            AddressReading::Zone => "RFC 6874 (zone)",
            AddressReading::Ipv4Mapped => "RFC 4291 (IPv4-mapped)",
            AddressReading::Ipv4Compatible => "RFC 4291 (IPv4-compatible)",
            AddressReading::Ipv4Translated => "RFC 2765 (IPv4-translated)",
            AddressReading::Nat64 => "RFC 6052 (NAT64)",
            AddressReading::Teredo => "RFC 4380 (Teredo)",
            AddressReading::WithoutBrackets => "getaddrinfo (no brackets)",
            AddressReading::SixToFour => "RFC 3056 (6to4)",
            AddressReading::Name => "its name",
        })
    }
}

/// What a request to an address can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddressReach {
    /// The machine itself (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    Loopback,
    /// The service that gives the credentials of a virtual machine.
    Metadata,
    /// The machines on the same link (RFC 3927; RFC 4291, section 2.5.6).
    LinkLocal,
    /// A private network (RFC 1918, RFC 6598, RFC 4193), one of a site (RFC 3879) or of a laboratory (RFC 2544).
    Private,
    /// Many machines, or none that has such an address (RFC 5771, RFC 1112, RFC 919; RFC 4291, section 2.7).
    Reserved,
    /// Anything else.
    Public,
}

impl AddressReach {
    /// What an address reaches. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) reaches what its IPv4 address does.
    pub fn of(address: IpAddr) -> AddressReach {
        match address.to_canonical() {
            IpAddr::V4(address) => match address.octets() {
                [0, 0, 0, 0] | [127, ..] => AddressReach::Loopback,
                [169, 254, 169, 254] | [100, 100, 100, 200] | [192, 0, 0, 192] | [168, 63, 129, 16] => {
                    AddressReach::Metadata
                }
                [169, 254, ..] => AddressReach::LinkLocal,
                [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] | [198, 18..=19, ..] => {
                    AddressReach::Private
                }
                [224..=255, ..] => AddressReach::Reserved,
                _ => AddressReach::Public,
            },
            IpAddr::V6(address) => match address.segments() {
                [0, 0, 0, 0, 0, 0, 0, 0 | 1] => AddressReach::Loopback,
                [0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254] => AddressReach::Metadata,
                [0xfe80..=0xfebf, ..] => AddressReach::LinkLocal,
                [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => AddressReach::Private,
                [0xff00..=0xffff, ..] => AddressReach::Reserved,
                _ => AddressReach::Public,
            },
        }
    }
}

impl fmt::Display for AddressReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            AddressReach::Loopback => "loopback",
            AddressReach::Metadata => "cloud metadata",
            AddressReach::LinkLocal => "link-local",
            AddressReach::Private => "private",
            AddressReach::Reserved => "multicast or reserved",
            AddressReach::Public => "public",
        })
    }
}

/// The syntax of hosts of a scheme. A reference without a scheme is mostly one to a special URL.
pub fn host_syntax(scheme: Option<&str>) -> UrlHostSyntax {
    match scheme {
        Some(scheme) if !is_special_scheme(&scheme.to_ascii_lowercase()) => UrlHostSyntax::Opaque,
        _ => UrlHostSyntax::Special,
    }
}

/// In what the machines differ that two hosts stand for, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachineDifference {
    /// By some reading one reaches a machine that is not public, and the other none of its kind. `0x7f.1` is a name by RFC 3986, where
    /// `127.0.0.1` is loopback.
    Reach,
    /// By some reading they are two addresses, or one is none.
    Address,
    /// Both are the same addresses by each reading, or names.
    None,
}

/// In what the machines of two hosts differ.
pub fn machine_difference(one: (&str, UrlHostSyntax), other: (&str, UrlHostSyntax)) -> MachineDifference {
    let (one, other) = (read(one), read(other));
    let not_public = |read: &[(AddressReading, IpAddr)]| -> Vec<(AddressReading, AddressReach)> {
        let reached = read.iter().map(|(reading, address)| (*reading, AddressReach::of(*address)));
        reached.filter(|(_, reach)| *reach != AddressReach::Public).collect()
    };
    if one == other {
        MachineDifference::None
    } else if not_public(&one) != not_public(&other) {
        MachineDifference::Reach
    } else {
        MachineDifference::Address
    }
}

/// Returns the address of a host by each reading that makes one.
fn read((host, syntax): (&str, UrlHostSyntax)) -> Vec<(AddressReading, IpAddr)> {
    // No other reading makes an address of a host without a digit, of ASCII or another script.
    let is_sign = |octet: u8| octet.is_ascii_digit() || matches!(octet, b'[' | b'%' | b':') || !octet.is_ascii();
    let may_be_address = host.bytes().any(is_sign);
    if !may_be_address && named(host).is_none() {
        return Vec::new();
    }
    let read = AddressReading::ALL.into_iter().map(|reading| (reading, reading.address(host, syntax)));
    read.filter_map(|(reading, address)| Some((reading, address?))).collect()
}

/// The addresses that a host stands for, each with the readings that make it.
pub fn addresses(host: &str, syntax: UrlHostSyntax) -> Vec<(IpAddr, Vec<AddressReading>)> {
    let mut addresses: Vec<(IpAddr, Vec<AddressReading>)> = Vec::new();
    for reading in AddressReading::ALL {
        let Some(address) = reading.address(host, syntax) else {
            continue;
        };
        match addresses.iter_mut().find(|(known, _)| *known == address) {
            Some((_, readings)) => readings.push(reading),
            None => addresses.push((address, vec![reading])),
        }
    }
    addresses
}

fn rfc3986(host: &str) -> Option<IpAddr> {
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    match literal {
        // The text of an IPv6 address is that of §3.2.2.
        Some(literal) => Some(literal.parse::<Ipv6Addr>().ok()?.into()),
        None => Some(host.parse::<Ipv4Addr>().ok()?.into()),
    }
}

/// A host with the octets that its triplets stand for; `None` if it has none, or they are no text.
fn decoded(host: &str) -> Option<String> {
    let octets = host.contains('%').then(|| percent_decode(host))?;
    String::from_utf8(octets).ok().filter(|decoded| decoded != host)
}

/// The IPv6 address that a text without brackets is, without its zone.
fn without_brackets(host: &str) -> Option<Ipv6Addr> {
    host.split_once('%').map_or(host, |(address, _)| address).parse().ok()
}

/// The address of a name that needs no name server to be known.
fn named(host: &str) -> Option<Ipv4Addr> {
    let name = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    match &*name {
        "metadata.google.internal" => Some(Ipv4Addr::new(169, 254, 169, 254)),
        name if name == "localhost" || name.ends_with(".localhost") => Some(Ipv4Addr::LOCALHOST),
        _ => None,
    }
}

/// The address of a host with a zone.
fn zoned(host: &str) -> Option<Ipv6Addr> {
    let literal = host.strip_prefix('[')?.strip_suffix(']')?;
    let (address, zone) = literal.split_once('%')?;
    let is_empty = zone.strip_prefix("25").unwrap_or(zone).is_empty();
    address.parse().ok().filter(|_| !is_empty)
}

/// Numbers as `strtoul` reads them in base 0, without a sign.
fn inet_aton(host: &str) -> Option<Ipv4Addr> {
    let numbers: Vec<u32> = host.split('.').map(number).collect::<Option<_>>()?;
    let (&last, before) = numbers.split_last()?;
    if before.len() > 3 || before.iter().any(|&number| number > 255) {
        return None;
    }
    let bits = 32 - 8 * before.len() as u32;
    if bits < 32 && last >> bits != 0 {
        return None;
    }
    let high = before.iter().enumerate().map(|(at, &number)| number << (24 - 8 * at)).sum::<u32>();
    Some(Ipv4Addr::from(high | last))
}

fn number(text: &str) -> Option<u32> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', _, ..] => (&text[1..], 8),
        _ => (text, 10),
    };
    let is_plain = !digits.is_empty() && digits.bytes().all(|octet| octet.is_ascii_hexdigit());
    u32::from_str_radix(digits, radix).ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(host: &str, syntax: UrlHostSyntax) -> Vec<String> {
        let texts = addresses(host, syntax).into_iter().map(|(address, readings)| {
            let readings: Vec<String> = readings.iter().map(ToString::to_string).collect();
            format!("{address} {} {}", AddressReach::of(address), readings.join("+"))
        });
        texts.collect()
    }

    #[test]
    fn a_machine_that_is_not_public_differs_most_from_a_name() {
        use MachineDifference::{Address, None, Reach};
        for (one, other, expected) in [
            ("0x7f.1", "a", Reach),
            ("0x7f.1", "127.0.0.1", Reach),
            ("2130706433", "127.0.0.1", Reach),
            ("127.0.0.1", "127.0.0.1", None),
            ("127.0.0.1", "127.9.9.9", Address),
            ("[::ffff:10.0.0.1]", "127.0.0.1", Reach),
            ("localhost", "evil", Reach),
            ("localhost", "127.0.0.1", Reach),
            ("localhost", "a.LocalHost.", None),
            ("8.8.8.8", "a", Address),
            ("134744072", "8.8.8.8", Address),
            ("a", "b", None),
        ] {
            let [left, right] = [one, other].map(|host| (host, UrlHostSyntax::Special));
            assert_eq!(machine_difference(left, right), expected, "{one} {other}");
        }
    }

    fn expect(addresses: &[(&str, &[&str])]) {
        for (host, expected) in addresses {
            assert_eq!(texts(host, UrlHostSyntax::Special), *expected, "{host}");
        }
    }

    #[test]
    fn each_reading_makes_its_own_address_of_a_host() {
        expect(&[
            ("127.0.0.1", &["127.0.0.1 loopback RFC 3986+WHATWG URL+inet_aton"]),
            ("2130706433", &["127.0.0.1 loopback WHATWG URL+inet_aton"]),
            ("0x7f.1", &["127.0.0.1 loopback WHATWG URL+inet_aton"]),
            ("127.1.", &["127.0.0.1 loopback WHATWG URL"]),
            ("%31%32%37.1", &["127.0.0.1 loopback WHATWG URL"]),
            ("%31%32%37.0.0.1", &["127.0.0.1 loopback WHATWG URL+RFC 3986 (decoded)"]),
            (
                "255.255.255.255",
                &["255.255.255.255 multicast or reserved RFC 3986+WHATWG URL+inet_aton"],
            ),
            ("[fec0::1]", &["fec0::1 private RFC 3986+WHATWG URL"]),
            ("[::1]", &["::1 loopback RFC 3986+WHATWG URL"]),
            ("010.0.0.1", &["8.0.0.1 public WHATWG URL+inet_aton"]),
            ("[::1%25]", &[]),
            ("[fe80::1]", &["fe80::1 link-local RFC 3986+WHATWG URL"]),
            ("[fd00:ec2::254]", &["fd00:ec2::254 cloud metadata RFC 3986+WHATWG URL"]),
            ("alocalhost", &[]),
            (
                "100.100.100.200",
                &["100.100.100.200 cloud metadata RFC 3986+WHATWG URL+inet_aton"],
            ),
            ("10.256", &["10.0.1.0 private WHATWG URL+inet_aton"]),
            ("1.2.3.4.5", &[]),
            ("256.1.1.1", &[]),
            ("09", &[]),
            ("example.com", &[]),
            ("", &[]),
            ("+1", &[]),
        ]);
    }

    #[test]
    fn a_name_and_a_zone_have_addresses_too() {
        expect(&[
            ("%6cocalhost", &["127.0.0.1 loopback its name"]),
            ("ⅼocalhost", &["127.0.0.1 loopback its name"]),
            ("::1", &["::1 loopback getaddrinfo (no brackets)"]),
            ("fe80::1%25eth0", &["fe80::1 link-local getaddrinfo (no brackets)"]),
            ("[fe80::1%25eth0]", &["fe80::1 link-local RFC 6874 (zone)"]),
            ("[::1%1]", &["::1 loopback RFC 6874 (zone)"]),
            ("LOCALHOST.", &["127.0.0.1 loopback its name"]),
            ("a.localhost", &["127.0.0.1 loopback its name"]),
            ("metadata.google.internal", &["169.254.169.254 cloud metadata its name"]),
        ]);
    }

    #[test]
    fn an_ipv6_address_can_have_an_ipv4_address_in_it() {
        expect(&[
            (
                "[::127.0.0.1]",
                &[
                    "::7f00:1 public RFC 3986+WHATWG URL",
                    "127.0.0.1 loopback RFC 4291 (IPv4-compatible)",
                ],
            ),
            (
                "[::ffff:0:127.0.0.1]",
                &[
                    "::ffff:0:7f00:1 public RFC 3986+WHATWG URL",
                    "127.0.0.1 loopback RFC 2765 (IPv4-translated)",
                ],
            ),
            (
                "[2001::80ff:fffe]",
                &[
                    "2001::80ff:fffe public RFC 3986+WHATWG URL",
                    "127.0.0.1 loopback RFC 4380 (Teredo)",
                ],
            ),
            (
                "[::ffff:169.254.169.254]",
                &[
                    "::ffff:169.254.169.254 cloud metadata RFC 3986+WHATWG URL",
                    "169.254.169.254 cloud metadata RFC 4291 (IPv4-mapped)",
                ],
            ),
            (
                "[64:ff9b::7f00:1]",
                &[
                    "64:ff9b::7f00:1 public RFC 3986+WHATWG URL",
                    "127.0.0.1 loopback RFC 6052 (NAT64)",
                ],
            ),
            (
                "[2002:a00:1::]",
                &[
                    "2002:a00:1:: public RFC 3986+WHATWG URL",
                    "10.0.0.1 private RFC 3056 (6to4)",
                ],
            ),
        ]);
    }

    #[test]
    fn the_url_standard_has_ipv4_addresses_in_special_schemes_only() {
        for (scheme, expected) in [
            (Some("HTTP"), "127.0.0.1 loopback WHATWG URL+inet_aton"),
            (None, "127.0.0.1 loopback WHATWG URL+inet_aton"),
            (Some("a"), "127.0.0.1 loopback inet_aton"),
        ] {
            assert_eq!(texts("2130706433", host_syntax(scheme)), [expected], "{scheme:?}");
        }
        assert_eq!(
            texts("[::1]", UrlHostSyntax::Opaque),
            ["::1 loopback RFC 3986+WHATWG URL"]
        );
    }
}
