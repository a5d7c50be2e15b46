//! Inputs of normalization (§6.2.2, §6.2.3).

use super::Size;
use super::words::{FEW_SEGMENTS, PLACES, SCHEMES, SEGMENTS, SEQUENCES, SYMBOLS, paths, triplets};
use crate::model::{Input, Scope};

/// Hosts whose case, address or name a normalizer could touch.
const HOSTS: [&str; 34] = [
    "H.eXample",
    "H.eXample.",
    "localhost",
    "LOCALHOST",
    "127.0.0.1",
    "%31.2.3.4",
    "1.2.3.%34",
    "01.2.3.4",
    "2130706433",
    "0x7F.1",
    "256.1.1.1",
    "1.2.3.4.",
    "[::1]",
    "[::A]",
    "[ABCD:EF01::]",
    "[::FFFF:1.2.3.4]",
    "[::ffff:192.0.2.1]",
    "[0:0:0:0:0:0:0:1]",
    "[2001:0DB8:0:0:1:0:0:1]",
    "[1:0:0:2:0:0:0:3]",
    "[1:0:0:2:3:0:0:4]",
    "[1:0:2:3:4:5:6:7]",
    "[1::2:3:4:5:6:7]",
    "[0:0:1::]",
    "[v1.A]",
    "[VF.aB:]",
    "xn--zca",
    "XN--ZCA",
    "a_B",
    "-A-",
    "a..B",
    "a%2eB",
    "A%2FB",
    "",
];

/// Ports, the default of some scheme among them, and one that wraps around to it.
const PORTS: [&str; 10] = ["", "0", "21", "80", "443", "080", "8080", "65535", "65536", "65616"];

pub(super) fn inputs(size: Size) -> Vec<Input> {
    let mut uris = Vec::new();
    characters(size, &mut uris);
    hosts(&mut uris);
    segments(size, &mut uris);
    relative(&mut uris);
    let mut inputs: Vec<Input> = uris
        .into_iter()
        .flat_map(|uri| [Scope::Syntax, Scope::Scheme].map(|scope| input(uri.clone(), scope)))
        .collect();
    // A branch on a name that leaves out a step.
    for name in SCHEMES {
        for scheme in [name.to_owned(), name.to_ascii_uppercase()] {
            for rest in [
                "//%55@%48H/%7e/./a/../b?%7e#%7e",
                "%7e/./a?%7e#%7e",
                "/%7e/../a?%2f#%2f",
            ] {
                let uri = format!("{scheme}:{rest}");
                inputs.extend([Scope::Syntax, Scope::Scheme].map(|scope| input(uri.clone(), scope)));
            }
        }
    }
    let mut of_schemes = Vec::new();
    schemes(&mut of_schemes);
    inputs.extend(of_schemes.into_iter().map(|uri| input(uri, Scope::Scheme)));
    inputs
}

fn input(uri: String, scope: Scope) -> Input {
    Input::Normalize { uri, scope }
}

/// Each symbol in each component, alone and behind and before each class of symbols.
///
/// The normalizer of RFC 3986 is a transducer over symbols, a triplet being one, and has one state. The pairs are its HSI suite for one
/// state more: of a transducer with at most two states, each state is reached by at most one symbol, so that a wrong transition shows in
/// a pair, since what is written shows. The triples of the standard suite are that for two states more.
fn characters(size: Size, uris: &mut Vec<String>) {
    let triplets = triplets();
    for place in &PLACES {
        let mut add = |text: String| uris.push(place.uri("x", &text));
        for literal in place.literals() {
            add(literal.to_string());
            add(format!("%41{literal}%2f"));
        }
        for triplet in &triplets {
            add(triplet.clone());
            // At the beginning and at the end.
            add(format!("{triplet}a{triplet}"));
            add(format!("%2f{triplet}%7e"));
        }
        for one in SYMBOLS {
            for other in SYMBOLS {
                add(format!("{one}{other}"));
                if size == Size::Standard {
                    SYMBOLS.iter().for_each(|third| add(format!("{one}{other}{third}")));
                }
            }
        }
        for sequence in SEQUENCES {
            add(sequence.to_owned());
            add(format!("a{sequence}b"));
        }
    }
    // Capitals at each place of a scheme.
    for scheme in ["X", "Xa", "aX", "aXa", "HTTP", "hTtp", "A1+-.Z"] {
        uris.extend([format!("{scheme}://h/a"), format!("{scheme}:a"), format!("{scheme}:")]);
    }
}

fn hosts(uris: &mut Vec<String>) {
    for host in HOSTS {
        for scheme in ["x", "http", "file"] {
            for (before, behind) in [("", ""), ("", "/a"), ("U@", ":1/a"), (":@", ":/a")] {
                uris.push(format!("{scheme}://{before}{host}{behind}"));
            }
        }
    }
}

/// Paths, behind what decides how they begin.
fn segments(size: Size, uris: &mut Vec<String>) {
    let more = usize::from(size == Size::Standard);
    let longer = paths(&FEW_SEGMENTS, 4 + 2 * more);
    for prefix in ["x:", "x:/", "x://h/"] {
        let long = if prefix == "x:/" { 3 } else { 2 };
        for path in paths(&SEGMENTS, long + more).iter().chain(&longer) {
            uris.push(format!("{prefix}{path}"));
        }
    }
    for path in paths(&SEGMENTS, 2) {
        for prefix in [
            "x:",
            "x:/",
            "x:///",
            "x://u@h:1/",
            "http://h/",
            "file:///",
            "urn:a:",
            "mailto:",
        ] {
            uris.extend(["", "?/../a#/../b"].map(|behind| format!("{prefix}{path}{behind}")));
        }
    }
}

/// Relative references, which have no normal form: what a normalizer makes of one has to mean the same. A segment with a colon becomes a
/// scheme where what is before it goes.
fn relative(uris: &mut Vec<String>) {
    let paths = paths(&[".", "..", "%2E", "%2e%2e", "a", "a:b", "%61:", ""], 3);
    uris.extend(paths.into_iter().filter(|path| !path.starts_with('/') && !path.starts_with("a:b")));
}

/// What the rules of a scheme change, and what they leave, under each name.
fn schemes(uris: &mut Vec<String>) {
    for name in SCHEMES.into_iter().chain(["wss"]) {
        for scheme in [name.to_owned(), name.to_ascii_uppercase()] {
            for userinfo in ["", "U@", "@", "u:p@"] {
                for host in ["h", "", "localhost", "LocalHost", "127.0.0.1", "[::1]", "%6Cocalhost"] {
                    for path in ["", "/", "/a", "//a", "/a/../b", "/C:/a", "/%7e"] {
                        uris.push(format!("{scheme}://{userinfo}{host}{path}"));
                    }
                }
            }
            for port in PORTS {
                uris.push(format!("{scheme}://localhost:{port}/a"));
                for behind in ["", "/", "/a", "?q", "#f"] {
                    uris.extend(["h", "", "u@h", "[::1]"].map(|host| format!("{scheme}://{host}:{port}{behind}")));
                }
            }
            let rootless = [
                "",
                "/",
                "a",
                "A:b",
                "A@B",
                "a@B,c@D",
                "A%40B",
                "%41@B",
                "a@%2fB",
                "./a",
                "../a",
                "a/./b",
                "a/../b",
                "/./b",
                "/a/..//b",
                ",a",
                ",a#b",
                "a?B@C",
                "a#B@C",
                "/C:/a",
                "a,B;C=D",
                "+1-201",
                "http://H/..",
                "//%0Aa",
                "a:%2fB",
            ];
            uris.extend(rootless.map(|rest| format!("{scheme}:{rest}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// A library that writes a component as a transducer with two states, one transition of which is wrong.
    struct TransducerLibrary {
        next: [[usize; SYMBOLS.len()]; 2],
        wrong: (usize, usize),
    }

    impl TransducerLibrary {
        /// The library that a number stands for.
        fn of(mut number: u64) -> TransducerLibrary {
            let mut below = |limit: usize| {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (number >> 33) as usize % limit
            };
            // Few transitions lead to the second state.
            let next = [(); 2].map(|()| [(); SYMBOLS.len()].map(|()| usize::from(below(SYMBOLS.len()) == 0)));
            let wrong = (below(2), below(SYMBOLS.len()));
            TransducerLibrary { next, wrong }
        }

        /// Whether it writes a text of these symbols wrong.
        fn is_wrong(&self, text: [usize; 2]) -> bool {
            let mut state = 0;
            text.into_iter().any(|symbol| {
                let is_wrong = (state, symbol) == self.wrong;
                state = self.next[state][symbol];
                is_wrong
            })
        }
    }

    #[test]
    fn a_transducer_of_two_states_shows_each_wrong_transition() {
        let mut uris = Vec::new();
        characters(Size::Core, &mut uris);
        let uris: HashSet<String> = uris.into_iter().collect();
        for place in &PLACES {
            let pairs = (0..SYMBOLS.len()).flat_map(|one| (0..SYMBOLS.len()).map(move |other| [one, other]));
            let is_there =
                |pair: &[usize; 2]| uris.contains(&place.uri("x", &pair.map(|symbol| SYMBOLS[symbol]).concat()));
            let pairs: Vec<[usize; 2]> = pairs.filter(is_there).collect();
            let mut shown = 0;
            for number in 0..2_000 {
                let library = TransducerLibrary::of(number);
                // A state that nothing leads to does nothing.
                let is_reached = library.wrong.0 == 0 || library.next[0].contains(&1);
                let shows = pairs.iter().any(|pair| library.is_wrong(*pair));
                assert_eq!(shows, is_reached, "library {number}");
                shown += usize::from(shows && library.wrong.0 == 1);
            }
            assert!(shown > 100, "{shown}");
        }
    }
}
