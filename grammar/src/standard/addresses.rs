//! IPv6 and IPv4 addresses of every shape, and what is nearly one.

use std::ops::Range;

use super::builder::StandardBuilder;
use super::characters::characters;

pub(super) fn ipv6_shapes(strings: &mut StandardBuilder) {
    let mut addresses = elided_addresses();
    addresses.extend(addresses_with_odd_group());
    other_colons(strings);
    for address in &addresses {
        for stray in ["", ":"] {
            strings.add(&["//[", address, stray, "]"]);
            strings.add(&["//[", stray, address, "]"]);
        }
    }
    let frames = "//X X http://X/ //[X //X] //[[X]] //[X]] //[[X] //[X]a //a[X] //[X][::1] //[X]. //[X]:80 //[X]: \
                  //[X]80 //[X]@h //[X]:80@h //u@[X] //u:p@[X]:80 //[u@X] a://u@[X]:80/p?q#f a://[X]?q a://[X]#f \
                  a://[X]\\ /[X] [X] a:[X] a:/[X] ?[X] #[X] //h/[X] [X]: //%5BX%5D //(X) //{X}";
    for address in ":: ::1 1:: 1:2:3:4:5:6:7:8 1::8 ::1.2.3.4 fe80::a 1:2:3:4:5:6:7::".split(' ') {
        for zone in [
            "%", "%25", "%eth0", "%25eth0", "%251", "%25%41", "%1", "%25/", "/64", "/", "%25e~", "%2", " ", ".", ":80",
            ":",
        ] {
            strings.add(&["//[", address, zone, "]"]);
        }
        for (before, after) in frames.split(' ').filter_map(|frame| frame.split_once('X')) {
            strings.add(&[before, address, after]);
        }
    }
    let others = " : v v1 v1. v. v.a V1.a vg.a v1.a vFf.: v1a v1.. v1.%41 v1.a@b v11111.a v0.::1 1.2.3.4 a \
                  localhost";
    for address in others.split(' ') {
        strings.add(&["//[", address, "]"]);
        strings.add(&["a://u@[", address, "]:80/p"]);
    }
}

/// Numbers of groups before and behind an elision, with tails; and with two elisions.
fn elided_addresses() -> Vec<String> {
    let tails = " 1.2.3.4 255.255.255.255 1.2.3 1.2.3.4.5 256.2.3.4 01.2.3.4 1.2.3.4:1 1.2.3.4::";
    let group = |digits: usize| &"0123456789"[10 - digits..];
    let mut addresses = Vec::new();
    for left in 0..=9 {
        for right in 0..=9 {
            for elision in ["::", ":::", ":"] {
                for digits in [1, 4] {
                    let groups = |count| vec![group(digits); count].join(":");
                    let (before, after) = (groups(left), groups(right));
                    for tail in tails.split(' ') {
                        let colon = if after.is_empty() || tail.is_empty() { "" } else { ":" };
                        addresses.push(format!("{before}{elision}{after}{colon}{tail}"));
                    }
                }
            }
            // "::" twice.
            for middle in 0..=3 {
                let groups = |count| vec!["1"; count].join(":");
                addresses.push(format!("{}::{}::{}", groups(left), groups(middle), groups(right)));
            }
        }
    }
    addresses
}

/// One group that is not like the others, at each place of each shape.
fn addresses_with_odd_group() -> Vec<String> {
    let mut addresses = Vec::new();
    let odd = [
        "", "0", "00", "000", "0000", "00000", "12345", "aBcD", "g", "1g", "%31", "v1", "1.2.3.4", "-1", "+1", "0x1",
        " 1", "x",
    ];
    for left in 0..=8 {
        for right in 0..=8 - left {
            for elided in [false, true] {
                for place in 0..left + right {
                    for odd in odd {
                        let groups = |range: Range<usize>| {
                            let group = |at| if at == place { odd } else { "1" };
                            range.map(group).collect::<Vec<_>>().join(":")
                        };
                        let elision = if elided { "::" } else { ":" };
                        addresses.push(format!("{}{elision}{}", groups(0..left), groups(left..left + right)));
                    }
                }
            }
        }
    }
    addresses
}

/// Another character for one of the colons, and for all of them.
fn other_colons(strings: &mut StandardBuilder) {
    let groups = |count| vec!["1"; count].join(":");
    let mut shapes = vec![groups(8), format!("{}:1.2.3.4", groups(6))];
    for left in 0..=7 {
        shapes.extend((0..=7 - left).map(|right| format!("{}::{}", groups(left), groups(right))));
        shapes.extend((1..6 - left.min(5)).map(|right| format!("{}::{}:1.2.3.4", groups(left), groups(right))));
    }
    for address in &shapes {
        for character in characters().iter().filter(|character| is_mark(character)) {
            for (at, _) in address.match_indices(':') {
                strings.add(&["//[", &address[..at], character, &address[at + 1..], "]"]);
            }
            strings.add(&["//[", &address.replace(':', character), "]"]);
        }
    }
}

/// Whether it is a character of ASCII that may stand for a delimiter.
fn is_mark(character: &str) -> bool {
    character.bytes().all(|byte| byte.is_ascii_punctuation() || matches!(byte, b' ' | b'g' | b'v' | b'0' | b'a'))
}

pub(super) fn dec_octets(strings: &mut StandardBuilder) {
    let mut octets: Vec<String> = (0..=300).map(|value| value.to_string()).collect();
    octets.extend((0..=99).map(|value| format!("{value:02}")));
    octets.extend((0..=99).map(|value| format!("{value:03}")));
    octets.extend(
        [
            "",
            "0000",
            "0255",
            "999",
            "1000",
            "0x1",
            "0xff",
            "a",
            "1a",
            "%31",
            "+1",
            "-1",
            "*",
            "4294967296",
        ]
        .map(str::to_owned),
    );
    for octet in &octets {
        for place in 0..4 {
            let mut address = ["1", "2", "3", "4"];
            address[place] = octet;
            let address = address.join(".");
            for (before, after) in [
                ("//", ""),
                ("//[::", "]"),
                ("//[1:2:3:4:5:6:", "]"),
                ("//[1::2:", "]"),
                ("http://u@", ":80/"),
            ] {
                strings.add(&[before, &address, after]);
            }
        }
    }
    // What begins or goes on like an address.
    for count in 1..=6 {
        for octet in ["1", "255", "256", "01"] {
            let address = vec![octet; count].join(".");
            for after in ["", ".", "..", "a", ".a", "-", ":", ":1", "%41", "/", "@h"] {
                for before in ["//", "//a", "//a.", "//.", "//u@", "//[::", "//["] {
                    strings.add(&[before, &address, after]);
                    strings.add(&[before, &address, after, "]"]);
                }
            }
        }
    }
}
