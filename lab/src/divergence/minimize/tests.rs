//! Tests of minimization.

use uriproof::model::{Components, Input, Rule, Rung};

use super::{minimize, without_one_character};

fn parse(text: &str) -> Input {
    Input::Parse {
        rule: Rule::UriReference,
        input: text.to_owned(),
    }
}

fn minimum(text: &str, same: impl Fn(&str) -> bool) -> String {
    let minimum = minimize(&parse(text), &mut |input| match input {
        Input::Parse { input, .. } => same(input),
        _ => false,
    });
    for smaller in without_one_character(&minimum) {
        match smaller {
            Input::Parse { input, .. } => assert!(!same(&input), "{input} is smaller than {minimum}"),
            other => panic!("{other}"),
        }
    }
    match minimum {
        Input::Parse { input, .. } => input,
        other => panic!("{other}"),
    }
}

#[test]
fn what_does_not_matter_goes() {
    let url = "https://user:secret@www.example.com:8443/docs/../inde[x.html?lang=en&x=%41#top";
    assert_eq!(minimum(url, |text| text.contains('[')), "[");
    assert_eq!(minimum(url, |text| text.contains("/../")), "/../");
    assert_eq!(minimum(url, |text| text.contains('%')), "%");
    assert_eq!(minimum(url, |text| text.contains('@') && text.contains('?')), "@?");
    assert_eq!(minimum("//[0123:4567::89ab]", |text| text.contains("]")), "]");
}

#[test]
fn what_no_single_character_can_be_dropped_of_goes_too() {
    let groups = |text: &str| {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        inner.is_some_and(|inner| inner.split(':').count() >= 2 && inner.split(':').all(|group| group.len() == 4))
    };
    assert_eq!(minimum("[0123:4567:89ab:cdef]", groups), "[aaaa:aaaa]");
    assert_eq!(minimum("a%41%42%43", |text| text.len() % 3 == 1), "a");
}

#[test]
fn reserved_triplets_and_the_order_of_data_that_say_nothing_become_one() {
    let decoded = |text: &str| {
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        path.is_empty() && ["%2a", "%40", "%3d"].iter().any(|triplet| query.contains(triplet)) && query.contains(':')
    };
    for text in ["?%2a:", "?:%40", "?b%3d&c:d"] {
        assert_eq!(minimum(text, decoded), "?:%2a", "{text}");
    }
    assert_eq!(minimum("?a%40b:", |text| text.contains("%40b")), "%40b");
    assert_eq!(
        minimum("?+:#+:", |text| text.contains("?") && text.contains("+:")),
        "?+:"
    );
}

#[test]
fn a_number_keeps_its_value() {
    let too_large = |text: &str| text.parse::<u32>().is_ok_and(|number| number > 65_535);
    assert_eq!(minimum("99999", too_large), "65536");
}

#[test]
fn a_limit_is_met_to_the_character() {
    let text = "/segment".repeat(20_000);
    assert_eq!(minimum(&text, |text| text.len() > 65_535), "a".repeat(65_536));
}

#[test]
fn two_texts_are_made_smaller_together() {
    let input = Input::Equivalent {
        left: "http://example.com/%7Euser".to_owned(),
        right: "http://example.com/~user".to_owned(),
        rung: Rung::Syntax,
    };
    let minimum = minimize(&input, &mut |input| match input {
        Input::Equivalent { left, right, .. } => left != right && left.replace("%7E", "~") == *right,
        _ => false,
    });
    let Input::Equivalent { left, right, .. } = minimum else {
        panic!("{minimum}")
    };
    assert_eq!((&*left, &*right), ("%7E", "~"));
}

#[test]
fn components_become_undefined() {
    let input = Input::Compose {
        components: Components {
            scheme: Some("http".to_owned()),
            host: Some("example.com".to_owned()),
            path: "//x".to_owned(),
            query: Some(String::new()),
            ..Components::default()
        },
    };
    let minimum = minimize(&input, &mut |input| match input {
        Input::Compose { components } => components.path.starts_with("//"),
        _ => false,
    });
    assert_eq!(minimum.to_string(), "path \"//\"");
}
