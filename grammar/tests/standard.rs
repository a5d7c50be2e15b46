//! The standard suite: what it holds, and that it holds nothing twice; and suites with bytes drawn.

use std::collections::{BTreeSet, HashSet};

use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::draw::{Draw, Drawn};
use uriproof_grammar::standard::{MOST_BYTES, MOST_STRINGS, Standard};
use uriproof_grammar::{Alphabet, Dfa, rfc3986};

#[test]
fn each_string_is_text_and_is_there_once() {
    let standard = Standard::of_rfc3986().unwrap();
    let strings: HashSet<&[u8]> = standard.strings().collect();
    assert_eq!(strings.len(), standard.len());
    assert!(standard.strings().all(|string| std::str::from_utf8(string).is_ok()));
}

#[test]
fn it_is_small_enough_to_be_asked_at_every_run() {
    let standard = Standard::of_rfc3986().unwrap();
    assert!((300_000..=MOST_STRINGS).contains(&standard.len()), "{}", standard.len());
    assert!(standard.bytes() <= MOST_BYTES, "{}", standard.bytes());
    assert!(!standard.is_empty());
}

#[test]
fn it_is_the_same_every_time() {
    let (one, other) = (Standard::of_rfc3986().unwrap(), Standard::of_rfc3986().unwrap());
    assert_eq!(one.parts(), other.parts());
    assert!(one.strings().eq(other.strings()));
}

#[test]
fn its_parts_follow_each_other_and_are_all_of_it() {
    let standard = Standard::of_rfc3986().unwrap();
    let mut next = 0;
    for part in standard.parts() {
        assert_eq!(part.strings.start, next, "{}", part.name);
        assert!(!part.strings.is_empty(), "{}", part.name);
        assert!(!part.description.is_empty());
        assert_eq!(standard.strings_of(part).next(), Some(standard.string(next)));
        next = part.strings.end;
    }
    assert_eq!(next, standard.len());
    let names: BTreeSet<&str> = standard.parts().iter().map(|part| part.name).collect();
    assert_eq!(names.len(), standard.parts().len());
    for name in [
        "hsi",
        "component-transitions",
        "byte-confusion",
        "ipv6-shapes",
        "ports",
        "dec-octets",
        "triplets",
        "pumped",
        "lengths",
    ] {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn it_begins_with_the_core_suite() {
    let standard = Standard::of_rfc3986().unwrap();
    let reference = Dfa::compile(&rfc3986::grammar(), "URI-reference").unwrap();
    let suites = Suites::new(reference.machine());
    let hsi = suites.suite(Method::Hsi(0), Alphabet::Representatives);
    assert_eq!(standard.certificate(), hsi.certificate());
    let hsi: Vec<Vec<u8>> = hsi.collect();
    assert!(standard.strings_of(&standard.parts()[0]).eq(hsi.iter().map(Vec::as_slice)));

    let components = rfc3986::component_machine().unwrap();
    let suites = Suites::new(components.machine());
    let cover = suites.suite(Method::TransitionCover, Alphabet::Representatives);
    let expected: BTreeSet<Vec<u8>> = hsi.into_iter().chain(cover).collect();
    let core: BTreeSet<Vec<u8>> = standard.strings().take(standard.core()).map(<[u8]>::to_vec).collect();
    assert!(core == expected);
    assert_eq!(core.len(), standard.core());
}

#[test]
fn drawn_strings_are_like_those_of_the_suite() {
    let components = rfc3986::component_machine().unwrap();
    let machine = components.machine();
    let suites = Suites::new(machine);
    let suite = || suites.suite(Method::Hsi(0), Alphabet::Representatives);
    for draw in [Draw::Ascii, Draw::Bytes] {
        let drawn: Vec<Vec<u8>> = Drawn::new(suite(), machine, draw, 1).collect();
        assert!(
            Drawn::new(suite(), machine, draw, 1).eq(drawn.iter().cloned()),
            "one seed, one suite"
        );
        assert!(
            !Drawn::new(suite(), machine, draw, 2).eq(drawn.iter().cloned()),
            "seeds differ"
        );
        let mut count = 0;
        for (string, drawn) in suite().zip(&drawn) {
            let classes = |string: &[u8]| -> Vec<usize> { string.iter().map(|&byte| machine.class_of(byte)).collect() };
            assert_eq!(classes(&string), classes(drawn));
            assert_eq!(machine.run(&string), machine.run(drawn));
            count += 1;
        }
        assert_eq!(count, drawn.len());
        let bytes: BTreeSet<u8> = drawn.iter().flatten().copied().collect();
        let every = if draw == Draw::Ascii { 128 } else { 256 };
        assert_eq!(bytes.len(), every, "every byte is drawn");
    }
}

#[test]
fn drawn_certificates_show_the_seed() {
    let port = Dfa::compile(&rfc3986::grammar(), "port").unwrap();
    let suites = Suites::new(port.machine());
    let suite = suites.suite(Method::Hsi(0), Alphabet::Representatives);
    let drawn = Drawn::new(suite, port.machine(), Draw::Ascii, 0xfeed);
    assert_eq!(
        drawn.certificate().to_string(),
        "HSI, k = 0, each byte, of ASCII where there is one, drawn from its class with seed 0x000000000000feed, from 2 states, \
         2 byte classes, 094ee0909079db17: every class is asked as the method says, of its bytes a sample"
    );
}
