//! Machines over characters say of every text what the machines over bytes say of its UTF-8.

use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::discrimination::Discrimination;
use uriproof_grammar::profile;
use uriproof_grammar::{Alphabet, Dfa, Grammar, Moore, Profile, TextMachine, rfc3986};

#[test]
fn over_ascii_nothing_changes() {
    let bytes = Dfa::compile(&rfc3986::grammar(), "URI-reference").unwrap();
    let text = TextMachine::of(bytes.machine());
    assert_eq!(text.machine(), bytes.machine());
    assert!((0..=255_u8).all(|symbol| text.character(symbol) == char::from(symbol)));
    assert_eq!(
        text.class_label(0),
        "\\x00-\\x20\"<>\\x5C^`{-}\\x7F U+0080 and 1111935 more"
    );
    assert_eq!(text.class_label(1), "!$&-*,;=_~");
}

#[test]
fn iris_need_few_classes_more() {
    let grammar = profile::grammar(&[Profile::Iri]).unwrap();
    let bytes = Dfa::compile(&grammar, "URI-reference").unwrap();
    let text = TextMachine::of(bytes.machine());
    assert_eq!((bytes.identity().states, bytes.identity().classes), (278, 44));
    assert_eq!((text.machine().states(), text.machine().classes()), (186, 23));
    // Paths and queries have unlike characters now: a state for each, and for each of both triplets' beginnings.
    // Private characters have no symbol among the first 256, and are given one.
    let private: Vec<char> = (0..=255).map(|symbol| text.character(symbol)).filter(|&c| u32::from(c) > 255).collect();
    assert_eq!(private, ['\u{e000}']);
    let labels: Vec<String> = (0..23).map(|class| text.class_label(class)).collect();
    assert!(labels.contains(&"U+00A0 and 970259 more".to_owned()), "{labels:?}");
    assert!(labels.contains(&"U+E000 and 137467 more".to_owned()), "{labels:?}");
    for symbols in Suites::new(text.machine()).suite(Method::Hsi(0), Alphabet::Bytes) {
        let string = text.decode(&symbols);
        let output = text.machine().output(text.machine().run(&symbols));
        assert_eq!(bytes.accepts(string.as_bytes()), output != 0, "{string:?}");
    }
}

#[test]
fn outputs_are_kept() {
    let grammar = profile::grammar(&[Profile::Iri]).unwrap();
    let bytes = Moore::compile(&grammar, rfc3986::COMPONENT_VIEWS).unwrap();
    let text = TextMachine::of(bytes.machine());
    assert_eq!(text.machine().states(), 1217);
    for symbols in Suites::new(text.machine()).suite(Method::TransitionCover, Alphabet::Representatives) {
        let string = text.decode(&symbols);
        assert_eq!(
            bytes.output(string.as_bytes()),
            text.machine().output(text.machine().run(&symbols)),
            "{string:?}"
        );
    }
}

#[test]
fn no_kind_of_character_is_lost() {
    // Every character of this rule is a class of its own.
    let grammar = Grammar::read("r = %xC3.A9 / %xC3.AA *%xE2.82.AC / %xF0.9F.98.80 \"a\"").unwrap();
    let bytes = Dfa::compile(&grammar, "r").unwrap();
    let text = TextMachine::of(bytes.machine());
    let symbol = |character| (0..=255).find(|&symbol| text.character(symbol) == character);
    for character in ['é', 'ê', '€', '😀', 'a'] {
        assert!(symbol(character).is_some(), "{character}");
    }
    for string in ["é", "ê", "ê€€", "😀a", "😀", "€", "a", "", "ä"] {
        let symbols: Vec<u8> = string.chars().filter_map(symbol).collect();
        let accepted = text.machine().output(text.machine().run(&symbols)) != 0;
        assert_eq!(accepted, bytes.accepts(string.as_bytes()), "{string}");
    }
}

#[test]
fn a_state_is_known_by_its_answers() {
    let of_iris = profile::grammar(&[Profile::Iri]).unwrap();
    for (grammar, rule) in [
        (&rfc3986::grammar(), "URI-reference"),
        (&rfc3986::grammar(), "path-empty"),
        (&of_iris, "URI"),
    ] {
        let bytes = Dfa::compile(grammar, rule).unwrap();
        let text = TextMachine::of(bytes.machine());
        let tree = Discrimination::of(&text);
        for (state, access) in text.machine().access_words().iter().enumerate() {
            let access = text.decode(access);
            let answer = |word: &str| Some(u32::from(bytes.accepts(format!("{access}{word}").as_bytes())));
            assert_eq!(tree.state(answer), Some(state as u32), "{rule}: {access:?}");
        }
    }
}

#[test]
fn what_answers_otherwise_is_in_no_state() {
    let bytes = Dfa::compile(&rfc3986::grammar(), "URI").unwrap();
    let tree = Discrimination::of(&TextMachine::of(bytes.machine()));
    let mut asked = Vec::new();
    let answer = |word: &str| {
        asked.push(word.to_owned());
        (asked.len() < 3).then_some(0)
    };
    assert_eq!(tree.state(answer), None);
    assert_eq!((asked.len(), &*asked[0]), (3, ""));
    assert_eq!(tree.state(|_| Some(2)), None);
}
