//! The machines of RFC 3986's rules: their sizes, and what they accept.

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, nfa::thompson};
use uriproof_grammar::difference::{difference, differences, equivalent};
use uriproof_grammar::{Alphabet, Dfa, Grammar, State, rfc3986};

/// Rule, states of the minimal complete machine (sink included), byte classes.
const SIZES: &[(&str, usize, usize)] = &[
    ("URI-reference", 183, 21),
    ("URI", 180, 21),
    ("absolute-URI", 177, 20),
    ("relative-ref", 181, 19),
    ("hier-part", 175, 17),
    ("relative-part", 178, 17),
    ("authority", 170, 16),
    ("host", 161, 15),
    ("IP-literal", 158, 14),
    ("IPv6address", 152, 10),
    ("ls32", 36, 10),
    ("IPv4address", 25, 8),
    ("dec-octet", 7, 7),
    ("h16", 6, 2),
    ("IPvFuture", 6, 5),
    ("path-abempty", 5, 5),
    ("path-absolute", 6, 5),
    ("path-noscheme", 8, 6),
    ("path-rootless", 5, 5),
    ("path-empty", 2, 1),
    ("path", 4, 4),
    ("segment", 4, 4),
    ("segment-nz", 5, 4),
    ("segment-nz-nc", 5, 4),
    ("pchar", 5, 4),
    ("query", 4, 4),
    ("fragment", 4, 4),
    ("userinfo", 4, 4),
    ("reg-name", 4, 4),
    ("scheme", 3, 3),
    ("port", 2, 2),
    ("pct-encoded", 5, 3),
    ("unreserved", 3, 2),
    ("reserved", 3, 2),
    ("gen-delims", 3, 2),
    ("sub-delims", 3, 2),
];

fn machine(rule: &str) -> Dfa {
    Dfa::compile(&rfc3986::grammar(), rule).unwrap()
}

#[test]
fn sizes_of_all_rules() {
    let grammar = rfc3986::grammar();
    assert_eq!(SIZES.len(), grammar.rules().len());
    for &(rule, states, classes) in SIZES {
        let identity = Dfa::compile(&grammar, rule).unwrap().identity();
        assert_eq!((identity.states, identity.classes), (states, classes), "{rule}");
    }
}
