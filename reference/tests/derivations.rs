//! Two derivations of one language: the functions of Appendix A's rules, and the split of Appendix B followed by the
//! rule of each component. And a third for `IPv6address`, which counts its groups.

use regex::Regex;
use rfc3986_reference::components::{ReferenceRule, parse, parse_authority, parse_rule};
use rfc3986_reference::grammar::{Rule, authority, ipv6address};
use rfc3986_reference::readings::Reading;
use rfc3986_reference::split::{EXPRESSION, groups};

mod strings;

/// The readings that change the language.
const READINGS: [Reading; 3] = [Reading::Rfc3986, Reading::Erratum4942, Reading::Erratum5428];

/// A character of each kind that the rules tell apart.
const REPRESENTATIVES: &str = "#%./0125:?@[]+vag!\u{e9} ";

/// Calls `check` with every string of at most `length` characters of `alphabet`.
fn each_string(alphabet: &str, length: usize, check: &mut impl FnMut(&str)) {
    let characters: Vec<_> = alphabet.split("").filter(|character| !character.is_empty()).collect();
    strings::each_string(&characters, length, check);
}

fn assert_one_language(input: &str, reading: Reading) {
    let parsed = parse(input, reading);
    for rule in ReferenceRule::ALL {
        let by_rule = Rule::from(rule).matches(input, reading);
        let by_components = parsed.as_ref().is_ok_and(|reference| reference.matches(rule));
        assert_eq!(by_rule.is_ok(), by_components, "{rule:?} {input:?} {reading}");
    }
    // The errors are derived twice too.
    if let Err(error) = parsed {
        let by_rule = Rule::UriReference.matches(input, reading).unwrap_err();
        assert_eq!(error.offset, by_rule.offset, "{input:?} {reading}: {error}, {by_rule}");
    }
    let by_rule = authority(input, reading);
    assert_eq!(
        parse_authority(input, reading).map(drop),
        by_rule,
        "authority {input:?} {reading}"
    );
}

#[test]
fn the_parts_of_appendix_b_match_as_the_whole_expression_does() {
    let whole = Regex::new(&format!("(?s){EXPRESSION}")).unwrap();
    each_string("a:/?#\n", 7, &mut |input| {
        let captures = whole.captures(input).unwrap();
        let expected: Vec<_> = captures.iter().skip(1).map(|group| group.map(|group| group.as_str())).collect();
        assert_eq!(groups(input).to_vec(), expected, "{input:?}");
        assert_eq!(captures[0].len(), input.len(), "{input:?}");
    });
}

#[test]
fn every_short_string() {
    // Every string of five characters takes seconds where the code is optimized, and minutes where it is not.
    let length = if cfg!(debug_assertions) { 4 } else { 5 };
    each_string(REPRESENTATIVES, length, &mut |input| {
        assert_one_language(input, Reading::Rfc3986);
    });
    for reading in READINGS {
        each_string(REPRESENTATIVES, 3, &mut |input| assert_one_language(input, reading));
        each_string("/:@[a", 6, &mut |input| assert_one_language(input, reading));
        each_string("%0a!:", 5, &mut |input| {
            assert_one_language(&format!("//{input}"), reading);
        });
        each_string("[]:1@%", 5, &mut |input| {
            assert_one_language(&format!("//[::{input}"), reading);
        });
    }
}

#[test]
fn realistic_strings_with_mutations() {
    const SEEDS: [&str; 12] = [
        "http://user:pass@www.example.com:8080/a/./b/../c;p=1?q=1&r=%20#frag",
        "ldap://[2001:db8::7]/c=GB?objectClass?one",
        "mailto:John.Doe@example.com",
        "news:comp.infosystems.www.servers.unix",
        "tel:+1-816-555-1212",
        "telnet://192.0.2.16:80/",
        "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
        "//[v1.a:b]:1/x",
        "//[1:2:3:4:5:6:1.2.3.4]",
        "../../a:b/c?d#e",
        "//a@b:1//c",
        "x://%41%c3%a9/%2F?%3f#%23",
    ];
    let mut random = Random(0x5eed);
    let alphabet: Vec<char> = format!("{REPRESENTATIVES}-_~$&'()*,;=\"<>\\^`{{|}}\0\u{7f}f9").chars().collect();
    for _ in 0..if cfg!(debug_assertions) { 4_000 } else { 400_000 } {
        let mut characters: Vec<char> = SEEDS[random.below(SEEDS.len())].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(characters.len() + 1);
            let character = alphabet[random.below(alphabet.len())];
            match random.below(4) {
                0 => characters.insert(at, character),
                1 if at < characters.len() => characters[at] = character,
                2 if at < characters.len() => drop(characters.remove(at)),
                3 => characters.truncate(at.max(1)),
                _ => characters.reverse(),
            }
        }
        let input: String = characters.iter().collect();
        for reading in READINGS {
            assert_one_language(&input, reading);
        }
    }
}

#[test]
fn parse_rule_fails_where_its_rule_does() {
    each_string(REPRESENTATIVES, 2, &mut |input| {
        for rule in ReferenceRule::ALL {
            let by_rule = Rule::from(rule).matches(input, Reading::Rfc3986);
            let by_components = parse_rule(rule, input, Reading::Rfc3986).map(drop);
            assert_eq!(by_components, by_rule, "{rule:?} {input:?}");
        }
    });
    for (rule, input, inner, offset) in [
        (ReferenceRule::Uri, "/[", Rule::Scheme, 0),
        (ReferenceRule::RelativeRef, "a:[", Rule::SegmentNzNc, 1),
        (ReferenceRule::AbsoluteUri, "a#[", Rule::Scheme, 1),
        (ReferenceRule::AbsoluteUri, "a:#", Rule::SegmentNz, 2),
    ] {
        let error = parse_rule(rule, input, Reading::Rfc3986).unwrap_err();
        assert_eq!((error.rule, error.offset), (inner, offset), "{rule:?} {input:?}");
    }
}

#[test]
fn the_rules_of_references_are_four() {
    let of_references: Vec<_> = Rule::ALL.iter().filter_map(|&rule| ReferenceRule::try_from(rule).ok()).collect();
    let mut four = ReferenceRule::ALL.to_vec();
    four.sort_by_key(|&rule| Rule::from(rule));
    assert_eq!(of_references, four);
    assert_eq!(ReferenceRule::try_from(Rule::Path), Err(Rule::Path));
}

#[test]
fn of_the_rules_that_fail_at_one_offset_the_last_is_named() {
    for (rule, input, offset, inner) in [
        (Rule::UriReference, "a:[", 2, Rule::SegmentNz),
        (Rule::UriReference, ":", 0, Rule::SegmentNzNc),
        (Rule::RelativePart, "[", 0, Rule::SegmentNzNc),
        (Rule::Path, "[", 0, Rule::SegmentNzNc),
        (Rule::HierPart, "/[", 1, Rule::SegmentNz),
        (Rule::Host, "[", 1, Rule::H16),
        (Rule::Authority, "^", 0, Rule::RegName),
    ] {
        let error = rule.matches(input, Reading::Rfc3986).unwrap_err();
        assert_eq!((error.offset, error.rule), (offset, inner), "{rule} {input:?}");
    }
}

#[test]
fn ipv6_addresses_of_all_numbers_of_groups() {
    let mut accepted = 0;
    for group in ["1", "0", "0001", "fFfF", "00001", "g", ""] {
        for tail in ["", "1.2.3.4", "255.255.255.255", "1.2.3.256", "1.2.3"] {
            for left in 0..=9 {
                for right in 0..=9 {
                    let left_groups = vec![group; left].join(":");
                    let mut right_pieces = vec![group; right];
                    if !tail.is_empty() {
                        right_pieces.push(tail);
                    }
                    let right_groups = right_pieces.join(":");
                    for address in [
                        format!("{left_groups}::{right_groups}"),
                        format!("{left_groups}:{right_groups}"),
                        right_groups.clone(),
                        format!("{left_groups}:::{right_groups}"),
                        format!("{left_groups}::{right_groups}::"),
                    ] {
                        assert_eq!(ipv6address(&address).is_ok(), is_ipv6(&address), "{address}");
                        accepted += u32::from(is_ipv6(&address));
                    }
                }
            }
        }
    }
    assert!(accepted > 500, "{accepted} accepted");
}

#[test]
fn ipv6_addresses_of_every_short_string() {
    let length = if cfg!(debug_assertions) { 7 } else { 9 };
    each_string(":1.g", length, &mut |input| {
        for (before, after) in [("", ""), ("1:2:3:4:", ""), ("1::", ".1.1"), ("", ":3:4:5:6")] {
            let address = format!("{before}{input}{after}");
            assert_eq!(ipv6address(&address).is_ok(), is_ipv6(&address), "{address}");
        }
    });
}

/// `IPv6address` by the prose of RFC 3986 §3.2.2: "A 128-bit IPv6 address is divided into eight 16-bit pieces. […] the
/// least-significant two pieces may instead be represented in IPv4 address textual format. A sequence of one or more
/// consecutive zero-valued 16-bit pieces within the address may be elided".
fn is_ipv6(address: &str) -> bool {
    let is_group =
        |piece: &&str| (1..=4).contains(&piece.len()) && piece.bytes().all(|octet| octet.is_ascii_hexdigit());
    let is_ipv4 = |piece: &str| {
        let octets: Vec<_> = piece.split('.').collect();
        let is_octet = |octet: &&str| octet.parse::<u8>().is_ok_and(|value| value.to_string() == **octet);
        octets.len() == 4 && octets.iter().all(is_octet)
    };
    let count = |pieces: &str, is_end: bool| -> Option<usize> {
        if pieces.is_empty() {
            return Some(0);
        }
        let mut pieces: Vec<_> = pieces.split(':').collect();
        let last_two = if is_end && is_ipv4(pieces[pieces.len() - 1]) {
            pieces.pop();
            2
        } else {
            0
        };
        pieces.iter().all(is_group).then_some(pieces.len() + last_two)
    };
    match address.split("::").collect::<Vec<_>>()[..] {
        [all] => count(all, true) == Some(8),
        [left, right] => {
            matches!((count(left, false), count(right, true)), (Some(left), Some(right)) if left + right <= 7)
        }
        _ => false,
    }
}

#[test]
fn an_error_is_where_the_longest_viable_prefix_ends() {
    for (input, offset, rule) in [
        ("a b", 1, Rule::SegmentNzNc),
        ("1a:b", 2, Rule::SegmentNzNc),
        (":a", 0, Rule::SegmentNzNc),
        ("a:b[", 3, Rule::SegmentNz),
        ("/a/[", 3, Rule::Segment),
        ("a?b[", 3, Rule::Query),
        ("a#b#", 3, Rule::Fragment),
        ("a%", 2, Rule::PctEncoded),
        ("a%4g", 3, Rule::PctEncoded),
        ("//a:8x", 6, Rule::Authority),
        ("//a:80:90", 9, Rule::Authority),
        ("//u@v@h", 5, Rule::RegName),
        ("//[::1", 6, Rule::IpLiteral),
        ("//[::1]x", 7, Rule::IpLiteral),
        ("//[::1]:x", 8, Rule::Port),
        ("//[::1]:80:90", 10, Rule::Port),
        ("//[::1@h", 6, Rule::DecOctet),
        ("http://u:p", 10, Rule::Authority),
        ("http://u:p/", 10, Rule::Authority),
        ("//u:[", 4, Rule::Port),
        ("//u!:v[", 6, Rule::Userinfo),
        ("//[::12345]", 9, Rule::H16),
        ("//[1:2:3:4:5:6:7:8:9]", 18, Rule::H16),
        ("//[::1.2.3.256]", 13, Rule::DecOctet),
        ("//[v1.]", 6, Rule::IpvFuture),
        ("//[vg.a]", 4, Rule::IpvFuture),
        ("//[fe80::1%25en0]", 10, Rule::DecOctet),
    ] {
        let error = parse(input, Reading::Rfc3986).unwrap_err();
        assert_eq!(error.offset, offset, "{input}: {error}");
        assert_eq!(error.rule, rule, "{input}: {error}");
    }
}

#[test]
fn an_error_is_where_no_continuation_helps() {
    let check = &mut |input: &str| {
        if let Err(error) = parse(input, Reading::Rfc3986) {
            let boundaries = (0..=input.len()).filter(|&at| input.is_char_boundary(at));
            let viable = boundaries.rev().find(|&at| is_viable(&input[..at])).unwrap();
            assert_eq!(error.offset, viable, "{input:?}: {error}");
        }
    };
    let length = if cfg!(debug_assertions) { 2 } else { 4 };
    each_string(REPRESENTATIVES, length, check);
    each_string("/:@[a", 5, check);
    for prefix in [
        "//[",
        "//[1:2:3:4:5:6",
        "//[::1.2.3.",
        "//[::1]:",
        "//a:1",
        "a:",
        "//u@",
        "//u:p",
    ] {
        each_string("[]:.125ga%@v", 2, &mut |input| check(&format!("{prefix}{input}")));
    }
}

/// Whether some continuation makes `prefix` a URI-reference.
fn is_viable(prefix: &str) -> bool {
    const CONTINUATIONS: [&str; 22] = [
        "", "0", "00", "a", "]", "1]", "::]", ":]", ":1]", "1.1.1]", ".1.1.1]", ".1.1]", ".1]", "1.1]", "1::]", ".a]",
        "1.a]", "a]", "/", "@", "0@", "00@",
    ];
    CONTINUATIONS.iter().any(|continuation| parse(&format!("{prefix}{continuation}"), Reading::Rfc3986).is_ok())
}

/// xorshift64*: the same strings in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let value = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        usize::try_from(value).unwrap() % bound
    }
}
