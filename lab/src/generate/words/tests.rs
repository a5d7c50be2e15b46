//! Tests of what is done with words.

use std::collections::BTreeSet;

use rfc3986_reference::components::parse;
use uriproof::model::{Component, Reading, Rule};

use super::*;

#[test]
fn every_reference_is_valid_and_has_just_the_components_that_it_was_made_of() {
    let chance = &mut Chance::new(3986);
    for at in 0..100_000 {
        let mut made = match at % 3 {
            0 => components(chance),
            1 => reference(chance),
            _ => uri(chance),
        };
        let text = made.recompose();
        let parsed = parse(&text, Reading::Rfc3986).unwrap_or_else(|error| panic!("{text:?} {error}"));
        let parsed = Components::from(&parsed);
        made.host_kind = parsed.host_kind;
        assert_eq!(parsed, made, "{text:?}");
    }
}

#[test]
fn a_word_goes_into_every_position() {
    let chance = &mut Chance::new(3986);
    let mut met = BTreeSet::new();
    for _ in 0..10_000 {
        let mut input = Input::Parse {
            rule: Rule::UriReference,
            input: "s://u@h:1/p?q#f".to_owned(),
        };
        put(chance, &mut input, "W");
        met.insert(input.to_string());
    }
    for wanted in [
        "W://u@h:1/p?q#f",
        "s://W@h:1/p?q#f",
        "s://u@W:1/p?q#f",
        "s://u@h:W/p?q#f",
        "s://u@h:1/W?q#f",
        "s://u@h:1/p?W#f",
        "s://u@h:1/p?q#W",
        "s://u@Wh:1/p?q#f",
        "s://u@h:1/p?q#fW",
        "W",
    ] {
        assert!(met.contains(&format!("{wanted:?}")), "{wanted}");
    }
}

#[test]
fn a_word_goes_into_every_string_of_a_composition() {
    let chance = &mut Chance::new(3986);
    let mut with_word = BTreeSet::new();
    for _ in 0..1_000 {
        let text = || Some("a".to_owned());
        let mut input = Input::Compose {
            components: Components {
                scheme: text(),
                userinfo: text(),
                host: text(),
                port: text(),
                path: "/".to_owned(),
                query: text(),
                fragment: text(),
                ..Components::default()
            },
        };
        put(chance, &mut input, "W");
        let Input::Compose { components } = &input else {
            panic!("{input}")
        };
        let has = |component: &Component| components.text(*component).is_some_and(|text| text.contains('W'));
        with_word.extend(Component::TEXTS.into_iter().filter(has));
    }
    assert_eq!(with_word, BTreeSet::from(Component::TEXTS));
}
