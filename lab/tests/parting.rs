//! RFC 3986 with the rules of the URL Standard is the URL Standard, on every short string.

use rayon::prelude::*;
use uriproof::model::{Input, Operation};
use uriproof_lab::generate::Generator;
use uriproof_lab::parting::{Parting, by_rfc3986, by_rules, by_whatwg, parting};
use uriproof_lab::sweep::whatwg::{BEGINNINGS, SYMBOLS};

/// Ends that the symbols do not make in a few steps.
const ENDS: [&str; 22] = [
    "",
    "%2E",
    "%2e%2e/",
    "65536",
    "80",
    "0x7f",
    "[v1.a]",
    "[::1]",
    "[::A]",
    "1.2.3.4",
    "localhost",
    "'",
    "^",
    "\u{e9}",
    "%61",
    "%zz",
    "c|/..",
    "/./b",
    "/../c",
    "xn--a",
    "a b",
    "\u{ff45}",
];

fn assert_same(text: &str) {
    let (observed, acting) = by_rules(text);
    let expected = by_whatwg(text);
    assert_eq!(observed, expected, "{text:?}: {acting:?}");
    if acting.is_empty() {
        assert_eq!(by_rfc3986(text), expected, "{text:?}");
    }
}

fn assert_all(text: &mut String, length: usize) {
    for end in ENDS {
        assert_same(&format!("{text}{end}"));
    }
    if length > 0 {
        for symbol in SYMBOLS {
            text.push(symbol);
            assert_all(text, length - 1);
            text.pop();
        }
    }
}

fn all_up_to(length: usize) {
    BEGINNINGS.par_iter().for_each(|beginning| assert_all(&mut (*beginning).to_owned(), length));
}

#[test]
fn the_rules_predict_every_short_string() {
    all_up_to(2);
}

#[test]
#[ignore = "it takes minutes"]
fn the_rules_predict_every_string_of_four_symbols() {
    all_up_to(4);
}

/// Each example shows its rule, and no other.
#[test]
fn each_rule_has_an_example_of_its_own() {
    let examples = Parting::ALL.map(|one| (one, parting(one.row().example)));
    let wrong: Vec<_> = examples.into_iter().filter(|(one, acting)| *acting != [*one]).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_rules_of_a_known_attack_are_named() {
    assert_eq!(parting("http://good\\@evil/"), [Parting::Backslash]);
    assert_eq!(parting("http:2130706433/"), [Parting::Slashes, Parting::Number]);
    assert_eq!(parting(" jav\tascript:a"), [Parting::Trim, Parting::Tab]);
    assert_eq!(parting("a:b"), []);
}

/// Of another make: what a hunt puts to libraries.
#[test]
fn the_rules_predict_generated_strings() {
    let mut generator = Generator::of(38, &[Operation::Parse, Operation::Normalize, Operation::Resolve]);
    for _ in 0..50_000 {
        match generator.next_input() {
            Input::Parse { input: text, .. } | Input::Normalize { uri: text, .. } => assert_same(&text),
            Input::Resolve { base, reference, .. } => [base, reference].iter().for_each(|text| assert_same(text)),
            _ => (),
        }
    }
}
