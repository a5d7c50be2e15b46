//! The machines of RFC 3986's rules: their sizes, and what they accept.

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

#[test]
fn short_strings_are_counted() {
    let reference = machine("URI-reference");
    let sum = |alphabet, longest| reference.accepted_per_length(longest, alphabet).iter().sum::<u128>();
    assert_eq!(sum(Alphabet::Representatives, 4), 76_187);
    // Counted by asking.
    let mut strings = vec![Vec::new()];
    for length in 0..4 {
        let matching = strings.iter().filter(|string| reference.accepts(string)).count();
        assert_eq!(
            reference.accepted_per_length(4, Alphabet::Representatives)[length],
            matching as u128
        );
        let representatives = reference.machine().representatives().iter();
        strings = representatives.flat_map(|&byte| strings.iter().map(move |s| [&s[..], &[byte]].concat())).collect();
    }
    assert_eq!(
        machine("port").accepted_per_length(3, Alphabet::Bytes),
        [1, 10, 100, 1000]
    );
    assert_eq!(
        machine("h16").accepted_per_length(5, Alphabet::Ascii),
        [0, 22, 484, 10_648, 234_256, 0]
    );
    assert_eq!(
        *machine("query").accepted_per_length(200, Alphabet::Bytes).last().unwrap(),
        u128::MAX
    );
}

#[test]
fn equal_languages_are_equal_tables() {
    let one = Grammar::read("r = *(\"a\" / \"b\")").unwrap();
    let other = Grammar::read("r = [1*x] *2r2 *(%x42 / %x61)\nx = %x61-62 / %x41-42\nr2 = \"b\" *\"a\"").unwrap();
    let (one, other) = (Dfa::compile(&one, "r").unwrap(), Dfa::compile(&other, "r").unwrap());
    assert_eq!(one, other);
    assert!(equivalent(&one, &other));
    assert_eq!(one.identity(), other.identity());
    assert_eq!(machine("query"), machine("fragment"));
    assert_ne!(machine("query").identity(), machine("userinfo").identity());
}

#[test]
fn classes_and_representatives() {
    let reference = machine("URI-reference");
    let machine = reference.machine();
    let labels: Vec<String> = (0..machine.classes()).map(|class| machine.class_label(class)).collect();
    assert_eq!(labels[0], r#"\x00-\x20"<>\x5C^`{-}\x7F-\xFF"#);
    assert!(labels.contains(&"A-Fa-f".to_owned()) && labels.contains(&"34".to_owned()));
    assert_eq!(machine.representatives(), b"<!#%+./012356:?@agv[]");
}

#[test]
fn access_words_are_shortest_and_lead_to_their_states() {
    let reference = machine("URI-reference");
    let words = reference.machine().access_words();
    assert_eq!(words.len(), 183);
    assert_eq!(words.iter().map(Vec::len).max(), Some(19));
    for (state, word) in words.iter().enumerate() {
        assert_eq!(reference.machine().run(word) as usize, state);
        assert!(word.is_empty() || words.iter().any(|other| other[..] == word[..word.len() - 1]));
    }
    assert!(words.is_sorted_by_key(Vec::len));
}

#[test]
fn shortest_differences() {
    let shown = |left: &Dfa, right: &Dfa| difference(left, right).map(|witness| String::from_utf8(witness).unwrap());
    assert_eq!(shown(&machine("URI-reference"), &machine("URI-reference")), None);
    assert_eq!(shown(&machine("URI-reference"), &machine("URI")).as_deref(), Some(""));
    assert_eq!(shown(&machine("URI"), &machine("absolute-URI")).as_deref(), Some("a:#"));
    assert_eq!(shown(&machine("segment"), &machine("segment-nz")).as_deref(), Some(""));
    assert_eq!(
        shown(&machine("segment-nz"), &machine("segment-nz-nc")).as_deref(),
        Some(":")
    );
    // A port of at most five digits.
    let text = rfc3986::ABNF.replace("= *DIGIT", "= *5DIGIT");
    let short_ports = Dfa::compile(&Grammar::read(&text).unwrap(), "URI-reference").unwrap();
    assert_eq!(
        shown(&machine("URI-reference"), &short_ports).as_deref(),
        Some("//:000000")
    );
    let reference = machine("URI-reference");
    for difference in differences(&reference, &short_ports) {
        let witness = &difference.witness;
        assert_ne!(reference.accepts(witness), short_ports.accepts(witness));
        assert_eq!(reference.machine().run(witness), difference.left);
    }
}

#[test]
fn viable_prefixes() {
    let reference = machine("URI-reference");
    for (input, expected) in [
        ("", 0),
        ("a:b", 3),
        ("a b", 1),
        ("%4", 2),
        ("%4g", 2),
        ("1:", 1),
        ("//[1::2::", 8),
        ("//[v1.]", 6),
        ("//a:b", 5),
        ("//a@b:c", 6),
        ("\u{e9}", 0),
    ] {
        assert_eq!(reference.longest_viable_prefix(input.as_bytes()), expected, "{input:?}");
    }
    let nothing = Dfa::compile(&Grammar::read("r = \"a\"").unwrap(), "r").unwrap();
    assert_eq!(nothing.longest_viable_prefix(b"b"), 0);
    let everything = Dfa::compile(&Grammar::read("r = *OCTET").unwrap(), "r").unwrap();
    assert_eq!((everything.identity().states, everything.identity().classes), (1, 1));
    assert_eq!(everything.longest_viable_prefix(b"\xff\x00"), 2);
}

#[test]
fn graphs() {
    let expected = "digraph {
  rankdir=LR
  node [shape=circle]
  0 [shape=doublecircle]
  0 -> 0 [label=\"0-9\"]
}
";
    assert_eq!(machine("port").to_dot(), expected);
    let reference = machine("URI-reference");
    let dead = (0..183 as State).filter(|&state| reference.is_dead(state)).count();
    assert_eq!(dead, 1);
    assert_eq!(
        reference.to_dot().matches("doublecircle").count(),
        (0..183).filter(|&s| reference.is_accepting(s)).count()
    );
}
