//! Values of each component: schemes, ports, triplets, short words, every size, and all forms side by side.

use super::builder::StandardBuilder;
use super::characters::characters;

pub(super) fn schemes(strings: &mut StandardBuilder) {
    let schemes = "about blob chrome coap content cvs data dav dict dns file ftp ftps geo git go gopher http \
                   https icap imap info ipp irc jar javascript jdbc ldap ldaps localhost magnet mailto mid cid \
                   mongodb news nfs nntp oid pop postgresql redis resource rsync rtsp sftp sip sips sms snmp ssh \
                   svn tag tel telnet tftp turn urn vbscript view-source ws wss xmpp z39.50 c C";
    // The first of them is empty, here and below.
    let rests = " : :a :/ :/a :// :/// :///a ://h ://h: ://h:1 ://h:1/ ://:1 ://u@ ://u@h/p ://[::1] :?q :#f \
                 ://?q ://h?q ://h#f :a@b :a:b :a:b:c :a,b :a;b=c :%41 :80 :. :: :/: ://h// s: +x: ://1.2.3.4 \
                 ://1.2.3.256 ://%41 ://_ ://a..b";
    for scheme in schemes.split(' ') {
        let upper = scheme.to_ascii_uppercase();
        for scheme in [scheme, &upper] {
            for rest in rests.split(' ') {
                strings.add(&[scheme, rest]);
            }
        }
    }
}

pub(super) fn combinations(strings: &mut StandardBuilder) {
    let schemes = ["", ":", "a:", "1:", "a+1-.:"];
    let userinfos = ["", "@", "u@", "u:p@", ":@", "u@v@"];
    let hosts = ["", "h", "1.2.3.4", "1.2.3", "[::1]", "[v1.a]", "[]", "::1", "%41"];
    let ports = ["", ":", ":80", ":8a", ":8:0"];
    let paths = ["", "/", "//", "/a", "a", "a/", "a:b", "/a:b", "/a//b/", "//a"];
    let tails = ["", "?", "#", "?#", "?q", "#f", "?q#f", "#f?q", "?q?q", "#f#f"];
    for scheme in schemes {
        for path in paths {
            for tail in tails {
                strings.add(&[scheme, path, tail]);
            }
        }
        for userinfo in userinfos {
            for host in hosts {
                for port in ports {
                    for path in ["", "/", "a", "//", "/a:b/"] {
                        for tail in ["", "?#", "?q", "#f"] {
                            strings.add(&[scheme, "//", userinfo, host, port, path, tail]);
                        }
                    }
                }
            }
        }
    }
}

/// Where a component's text can stand: what is before it and what is behind it.
const PLACES: &[(&str, &str)] = &[
    ("", ":"),
    ("a", ":b"),
    ("//", "@"),
    ("//u", "@h:1/"),
    ("//", ""),
    ("a://h", ":1/p"),
    ("//u@", ""),
    ("//h:", ""),
    ("//[", "]"),
    ("//[v1.", "]"),
    ("//h/", ""),
    ("//h", ""),
    ("/", ""),
    ("", ""),
    ("a", ""),
    ("a:", ""),
    ("a/", ""),
    ("?", ""),
    ("a:b?q", "#"),
    ("#", ""),
    ("a:b#f", ""),
];

pub(super) fn component_words(strings: &mut StandardBuilder) {
    let symbols = ["a", "0", "%41", ".", "-", "!", ":", "@", "/", "?", "#", "["];
    let words = words(&symbols, 3);
    for (before, after) in PLACES {
        for word in &words {
            strings.add(&[*before, word, after]);
        }
    }
}

/// Every word of at most that many symbols.
fn words(symbols: &[&str], longest: usize) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = words.len();
        for at in start..end {
            for symbol in symbols {
                words.push(format!("{}{symbol}", words[at]));
            }
        }
        start = end;
    }
    words
}

pub(super) fn ports(strings: &mut StandardBuilder) {
    let mut values: Vec<String> = (0..=99).map(|value: u64| value.to_string()).collect();
    let edges = (3..=64).map(|bits| 1_u128 << bits).chain((2..=20).map(|digits| 10_u128.pow(digits)));
    for edge in edges {
        values.extend([edge - 1, edge, edge + 1].map(|value| value.to_string()));
    }
    values.extend([443, 8080, 49152, 65534, 65535 + 80, 70000].map(|value: u32| value.to_string()));
    for value in ["0", "80", "65535", "65536"] {
        values.extend([1, 2, 3, 5, 10, 20].map(|zeros| format!("{}{value}", "0".repeat(zeros))));
    }
    for odd in [
        "", "-", "+", "-1", "+1", "+80", "-0", " 80", "80 ", "\t80", "8 0", "8a", "a8", "a", "http", "0x50", "0o7",
        "1e1", "8.0", "80.", ".80", "8_0", "8,0", "%38", "8%30", ":", ":80", "80:", "80:80", "8-0", "8+0", "٣", "８０",
        "80\n", "80\0", "80;", "~", "*", "@", "80@", "@80",
    ] {
        values.push(odd.to_owned());
    }
    for (before, after) in [
        ("//h:", ""),
        ("//:", ""),
        ("//1.2.3.4:", "/"),
        ("//[::1]:", ""),
        ("//[v1.a]:", "?q"),
        ("http://u:p@h:", "/p?q#f"),
        ("//u@:", "#f"),
    ] {
        for value in &values {
            strings.add(&[before, value, after]);
        }
    }
}

pub(super) fn triplets(strings: &mut StandardBuilder) {
    for octet in 0..=255_u8 {
        for triplet in [format!("%{octet:02x}"), format!("%{octet:02X}")] {
            for (before, after) in PLACES {
                strings.add(&[*before, &triplet, after]);
            }
        }
    }
    for &(before, after) in PLACES {
        for character in characters().iter().map(String::as_str) {
            strings.add(&[before, "%", character, "0", after]);
            strings.add(&[before, "%0", character, after]);
            strings.add(&[before, "%", character, after]);
            strings.add(&[before, "%41", character, after]);
            strings.add(&[before, "%25", character, after]);
        }
        for odd in [
            "%%",
            "%%41",
            "%4%41",
            "%4",
            "%",
            "%u0041",
            "%u{41}",
            "%x41",
            "%C3%A9",
            "%c3%a9",
            "%C3",
            "%A9",
            "%C3%28",
            "%F0%9F%98%80",
            "%ED%A0%80",
            "%C0%AF",
            "%25",
            "%2541",
            "%25%34%31",
            "%aF",
            "%Fa",
            "%4g",
            "%g4",
            "%-1",
            "%+1",
            "% 1",
            "%1 ",
            "%é",
        ] {
            strings.add(&[before, odd, after]);
            strings.add(&[before, "x", odd, "x", after]);
        }
    }
}

pub(super) fn lengths(strings: &mut StandardBuilder) {
    let mut small: Vec<usize> = (1..=72).collect();
    for size in [
        80, 90, 96, 100, 127, 128, 200, 250, 253, 254, 255, 256, 300, 500, 511, 512, 1000, 1023, 1024, 2000,
    ] {
        small.extend([size - 1, size, size + 1]);
    }
    let large = [
        2047, 2048, 2049, 2083, 2084, 4095, 4096, 4097, 8190, 8192, 8193, 16384, 32768, 65535, 65536,
    ];
    let places = [
        ("", "a", ":"),
        ("//", "u", "@"),
        ("//u:", "p", "@h"),
        ("//", "h", ""),
        ("//h:", "1", "/"),
        ("/", "p", ""),
        ("a:", "p", ""),
        ("?", "q", ""),
        ("#", "f", ""),
    ];
    for (before, unit, after) in places {
        for &length in small.iter().chain(&large) {
            strings.add(&[before, &unit.repeat(length), after]);
        }
    }
    // Pieces that a parser may count or put in a list.
    for (before, unit, after) in [
        ("//", "a.", ""),
        ("//", "a.", "a"),
        ("//", "%41", ""),
        ("//", ":", "@h"),
        ("//", "h-", "h"),
        ("/", "a/", ""),
        ("//h", "/", ""),
        ("a:", "../", ""),
        ("", "./", ""),
        ("/", "%41", ""),
        ("/", ";a=b", ""),
        ("?", "a=b&", ""),
        ("?", "%41", ""),
        ("?", "?", ""),
        ("#", "/", ""),
        ("#", "%41", ""),
        ("//[v", "1", ".a]"),
        ("//[v1.", "a", "]"),
        ("a", "+", ":"),
        ("a", "1", ":"),
        ("a", ".", ":"),
        ("//h:", "0", ""),
        ("//h:", "9", ""),
        ("//", "1.", "1"),
        ("//", ".", ""),
        ("/", "!", ""),
        ("a:", ":", ""),
        ("a:", "@", ""),
    ] {
        for &count in small.iter().chain(&large[..2]) {
            strings.add(&[before, &unit.repeat(count), after]);
        }
    }
}
