//! Hosts of every kind (RFC 3986 §3.2.2).

use super::chance::Chance;
use super::text::{FUTURE, NEARLY_IPV4, REG_NAME, hexadecimal};
use super::weights::{HOSTS, HostShape, IPV6_SHAPES};

/// A host that is not empty.
pub(super) fn host(chance: &mut Chance) -> String {
    let mut host = String::with_capacity(24);
    match chance.by_weight(HOSTS) {
        HostShape::Name => REG_NAME.write(chance, &mut host),
        HostShape::NearlyIpv4 => host.push_str(chance.of(NEARLY_IPV4)),
        HostShape::Ipv4 => ipv4(chance, &mut host),
        HostShape::Ipv6 => {
            host.push('[');
            ipv6(chance, &mut host);
            host.push(']');
        }
        HostShape::IpvFuture => {
            host.push('[');
            ipvfuture(chance, &mut host);
            host.push(']');
        }
    }
    host
}

/// Appends an IPv6address by one of the alternatives of the rule, in their order:
///
/// ```text
///                            6( h16 ":" ) ls32
///                       "::" 5( h16 ":" ) ls32
/// [               h16 ] "::" 4( h16 ":" ) ls32
/// [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
/// [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
/// [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
/// [ *4( h16 ":" ) h16 ] "::"              ls32
/// [ *5( h16 ":" ) h16 ] "::"              h16
/// [ *6( h16 ":" ) h16 ] "::"
/// ```
pub(super) fn ipv6(chance: &mut Chance, host: &mut String) {
    let shape = chance.by_weight(IPV6_SHAPES);
    if shape > 0 {
        for at in 0..chance.up_to(shape - 1) {
            if at > 0 {
                host.push(':');
            }
            group(chance, host);
        }
        host.push_str("::");
    }
    for _ in shape..6 {
        group(chance, host);
        host.push(':');
    }
    match shape {
        ..7 if chance.one_in(2) => ipv4(chance, host),
        ..7 => {
            group(chance, host);
            host.push(':');
            group(chance, host);
        }
        7 => group(chance, host),
        _ => {}
    }
}

const GROUPS: &[&str] = &[
    "0", "1", "0000", "ffff", "FFFF", "db8", "2001", "fe80", "25", "255", "00a", "A",
];

/// What a group and an octet can both begin with: what follows tells them apart.
const BEGINNINGS_OF_OCTETS: &[&str] = &["0", "00", "1", "2", "3", "9", "10", "19", "20", "24", "25", "26"];

/// Appends an h16.
pub(super) fn group(chance: &mut Chance, host: &mut String) {
    if chance.one_in(3) {
        host.push_str(chance.of(GROUPS));
    } else {
        if chance.one_in(2) {
            host.push_str(chance.of(BEGINNINGS_OF_OCTETS));
        }
        hexadecimal(chance, host);
        for _ in 0..chance.up_to(1) {
            hexadecimal(chance, host);
        }
    }
}

/// The octets at the edges of the alternatives of dec-octet, and those that others begin with.
pub(super) const OCTETS: &[&str] = &[
    "0", "1", "9", "10", "99", "100", "199", "200", "249", "250", "255", "2", "3", "20", "25", "26",
];

/// Appends an IPv4address.
pub(super) fn ipv4(chance: &mut Chance, host: &mut String) {
    for at in 0..4 {
        if at > 0 {
            host.push('.');
        }
        if chance.one_in(2) {
            host.push_str(chance.of(OCTETS));
        } else {
            let octet = chance.below(256);
            for (unit, least) in [(100, 100), (10, 10), (1, 0)] {
                if octet >= least {
                    host.push(char::from(b'0' + (octet / unit % 10) as u8));
                }
            }
        }
    }
}

const VERSIONS: &[&str] = &["1", "1", "F", "a", "0", "1a", "FE80", "00"];

/// Appends an IPvFuture.
pub(super) fn ipvfuture(chance: &mut Chance, host: &mut String) {
    host.push(chance.of(&['v', 'V']));
    if chance.one_in(2) {
        host.push_str(chance.of(VERSIONS));
    } else {
        hexadecimal(chance, host);
    }
    host.push('.');
    FUTURE.write(chance, host);
}
