//! What the IPv6 parser and the IPv6 serializer of the WHATWG URL Standard decide.

use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, TextMachine, rfc3986};

use super::ipv4::short;
use crate::model::Rule;

/// Forms of a piece: each number of digits with zeros before them or not, and what is none.
const PIECES: [&str; 22] = [
    "", "0", "00", "000", "0000", "00000", "1", "01", "0001", "00001", "a", "ff", "FFF", "ffff", "10000", "g", "1g",
    "-1", "+1", "%31", " 1", "1.",
];

/// Forms of what is read as an IPv4 address after pieces.
const QUADS: [&str; 20] = [
    "1.2.3.4",
    "0.0.0.0",
    "255.255.255.255",
    "1",
    "1.2",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.4.",
    ".1.2.3.4",
    "1..2.3.4",
    "1.2.3.",
    "1.2.3.4:",
    "1.2.3.4:5",
    "1.2.3.4::",
    "1.2.3:4",
    "a.2.3.4",
    "1.a.3.4",
    "1.2.3.4a",
    "1.2.3.0x4",
    "0127.0.0.1",
];

/// The most pieces; an address has eight.
const MOST_PIECES: usize = 9;

/// The texts between brackets.
pub(super) fn addresses() -> Vec<String> {
    let mut texts = of_automaton();
    structures(&mut texts);
    digits(&mut texts);
    quads(&mut texts);
    zeros(&mut texts);
    short(":1.g", 6, &mut texts);
    texts
}

/// The automaton of `IPv6address`: RFC 3986 and the standard have the same addresses.
fn automaton() -> Dfa {
    // The grammar is that of Appendix A, and the tests of `grammar/` compile every rule.
    let machine = Dfa::compile(&rfc3986::grammar(), Rule::Ipv6Address.name());
    machine.unwrap_or_else(|error| panic!("IPv6address: {error}"))
}

/// A suite that is complete for parsers with as many states as the minimal automaton.
fn of_automaton() -> Vec<String> {
    let text = TextMachine::of(automaton().machine());
    let suites = Suites::new(text.machine());
    suites.suite(Method::Hsi(0), Alphabet::Representatives).map(|symbols| text.decode(&symbols)).collect()
}

/// The pieces with `::` before the piece at this place, or after the last.
fn compressed(pieces: &[&str], place: Option<usize>) -> String {
    match place {
        None => pieces.join(":"),
        Some(place) => format!("{}::{}", pieces[..place].join(":"), pieces[place..].join(":")),
    }
}

/// Each number of pieces with each place of `::`, and in each of these each form of a piece at each place.
fn structures(texts: &mut Vec<String>) {
    for count in 0..=MOST_PIECES {
        for place in (0..=count).map(Some).chain([None]) {
            let plain = vec!["1"; count];
            texts.push(compressed(&plain, place));
            for (at, form) in (0..count).flat_map(|at| PIECES.map(|form| (at, form))) {
                let mut pieces = plain.clone();
                pieces[at] = form;
                texts.push(compressed(&pieces, place));
            }
            // A second one, and one colon more.
            let text = compressed(&plain, place);
            texts.extend([
                format!("{text}::"),
                format!("::{text}"),
                format!("{text}:"),
                format!(":{text}"),
            ]);
        }
    }
}

/// Each character of US-ASCII at each place of a piece.
fn digits(texts: &mut Vec<String>) {
    for one in '\0'..='\x7f' {
        for piece in [
            format!("{one}"),
            format!("{one}234"),
            format!("1{one}34"),
            format!("12{one}4"),
            format!("123{one}"),
        ] {
            texts.extend([format!("{piece}::"), format!("1:2:3:4:5:6:7:{piece}")]);
        }
    }
}

/// Each form of an IPv4 address after each number of pieces, and each numeral in each of its parts.
fn quads(texts: &mut Vec<String>) {
    for count in 0..MOST_PIECES {
        for place in (0..=count).map(Some).chain([None]) {
            for quad in QUADS {
                let mut pieces = vec!["1"; count];
                pieces.push(quad);
                texts.push(compressed(&pieces, place));
            }
        }
    }
    let of_digits = |width: usize| (0..10_u32.pow(width as u32)).map(move |number| format!("{number:0width$}"));
    for numeral in (1..=3).flat_map(of_digits).chain(["", "1000", "2550"].map(str::to_owned)) {
        for place in 0..4 {
            let mut parts = ["1"; 4];
            parts[place] = &numeral;
            texts.push(format!("::{}", parts.join(".")));
        }
    }
}

/// Each pattern of pieces that are zero, of which the serializer leaves out the first of the longest runs.
fn zeros(texts: &mut Vec<String>) {
    for pattern in 0..=u8::MAX {
        for other in ["1", "abcd"] {
            let pieces: Vec<&str> = (0..8).map(|at| if pattern >> at & 1 == 1 { other } else { "0" }).collect();
            texts.push(pieces.join(":"));
        }
    }
}

/// Hosts with a bracket, or with an address without.
pub(super) fn near_brackets() -> [&'static str; 16] {
    [
        "[",
        "]",
        "[]",
        "[[]]",
        "[::1",
        "::1",
        "::1]",
        "[::1]a",
        "a[::1]",
        "[::1]]",
        "[[::1]]",
        "[::1].",
        "[v1.a]",
        "[1.2.3.4]",
        "[::1%25a]",
        "[::1]",
    ]
}

#[cfg(test)]
mod tests {
    use whatwg_url_reference::ipv6::ipv6_parser;

    use super::{addresses, automaton};

    #[test]
    fn the_standard_has_the_addresses_of_the_automaton() {
        let automaton = automaton();
        let mut accepted = 0;
        for text in addresses() {
            let is_accepted = automaton.accepts(text.as_bytes());
            assert_eq!(ipv6_parser(&text).is_some(), is_accepted, "{text:?}");
            accepted += usize::from(is_accepted);
        }
        assert!(accepted > 1000, "{accepted}");
    }
}
