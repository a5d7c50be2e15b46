//! RFC 3986 with the rules of the URL Standard is the URL Standard, on every short string.

use std::collections::BTreeSet;

use rayon::prelude::*;
use rfc3986_reference::components::parse;
use uriproof::expect::{expect, whatwg};
use uriproof::model::{Components, Input, Operation, Outcome, Reading, Rule, Value};
use uriproof_deviations::url_rules::{BaseRule, UrlRule, base_rules, by_rfc3986, by_rules, by_whatwg, parting};
use uriproof_deviations::{Deviation, SubjectProfile};
use uriproof_lab::generate::Generator;
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

/// All rules make RFC 3986 the URL Standard, and none leaves it as it is. Those that are named make the difference, and each is needed.
fn assert_predicted(text: &str) {
    let (rfc3986, whatwg) = (by_rfc3986(text), by_whatwg(text));
    assert_eq!(by_rules(text, &UrlRule::ALL), whatwg, "{text:?}");
    assert_eq!(by_rules(text, &[]), rfc3986, "{text:?}");
    let rules = parting(text);
    assert_eq!(rules.is_empty(), rfc3986 == whatwg, "{text:?}: {rules:?}");
    assert_eq!(by_rules(text, &rules), whatwg, "{text:?}: {rules:?}");
    for rule in &rules {
        let others: Vec<UrlRule> = rules.iter().copied().filter(|other| other != rule).collect();
        assert_ne!(by_rules(text, &others), whatwg, "{text:?}: {rules:?} without {rule:?}");
    }
}

fn assert_all(text: &mut String, length: usize) {
    for end in ENDS {
        assert_predicted(&format!("{text}{end}"));
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
    let examples = UrlRule::ALL.map(|one| (one, parting(one.row().example)));
    let wrong: Vec<_> = examples.into_iter().filter(|(one, acting)| *acting != [*one]).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The rules are deviations of the catalogue: a profile of those that are named answers as the standard.
#[test]
fn a_profile_of_the_rules_answers_as_the_standard() {
    for text in UrlRule::ALL.map(|one| one.row().example).into_iter().chain(["HTTP:\\\\A@0x7f/./%2e?'", "a:b"]) {
        let rules = parting(text).into_iter().map(|rule| Deviation::FollowsUrlRule { rule });
        let profile = SubjectProfile::new(rules);
        let input = Input::Parse {
            rule: Rule::Uri,
            input: text.to_owned(),
        };
        let outcome = profile.outcome(Rule::Uri, &input, Reading::Rfc3986).unwrap();
        let shown = match outcome {
            Outcome::Accepted { value } => Some(value),
            _ => None,
        };
        let expected = by_whatwg(text).map(|components| Value::Components(components.into()));
        assert_eq!(shown, expected, "{text:?}");
    }
}

#[test]
fn the_rules_of_a_known_attack_are_named() {
    assert_eq!(parting("http://good\\@evil/"), [UrlRule::Backslash]);
    assert_eq!(parting("http:2130706433/"), [UrlRule::Slashes, UrlRule::Number]);
    assert_eq!(parting(" jav\tascript:a"), [UrlRule::Trim, UrlRule::Tab]);
    assert_eq!(parting("a:b"), []);
}

/// Of another make: what a hunt puts to libraries.
#[test]
fn the_rules_predict_generated_strings() {
    let mut generator = Generator::of(38, &[Operation::Parse, Operation::Normalize, Operation::Resolve]);
    for _ in 0..50_000 {
        match generator.next_input() {
            Input::Parse { input: text, .. } | Input::Normalize { uri: text, .. } => assert_predicted(&text),
            Input::Resolve { base, reference, .. } => [base, reference].iter().for_each(|text| assert_predicted(text)),
            _ => (),
        }
    }
}

/// The URL Standard's target is what its parser makes of the target of RFC 3986, unless a rule for bases acts; and each of them acts
/// somewhere.
#[test]
fn the_rules_for_bases_predict_every_short_reference() {
    const BASES: [&str; 11] = [
        "http://h/a/b?q",
        "http://h",
        "ws://h/a/../b/",
        "x://h/a/b?q#f",
        "x://h",
        "x:///a",
        "a:/b/c",
        "a:/",
        "a:b/c",
        "a:",
        "file://h/c:/d",
    ];
    const LETTERS: [&str; 8] = ["g", ".", "/", "?", ":", "#", "2", "http:"];
    let split = |text: &str| parse(text, Reading::Rfc3986).ok().map(|parts| Components::from(&parts));
    let mut references: Vec<String> = vec![String::new()];
    for length in 0..5 {
        let longest: Vec<String> = references.iter().filter(|one| one.len() >= length).cloned().collect();
        references.extend(longest.iter().flat_map(|one| LETTERS.map(|letter| format!("{one}{letter}"))));
    }
    let mut acted = BTreeSet::new();
    for (base, reference) in BASES.iter().flat_map(|base| references.iter().map(move |reference| (*base, reference))) {
        let input = Input::Resolve {
            base: base.to_owned(),
            reference: reference.clone(),
            strict: true,
        };
        let Some(parts) = split(reference) else { continue };
        let target = match expect(&input, Reading::Rfc3986).literal() {
            Outcome::Accepted {
                value: Value::Uri(target),
            } => target,
            other => panic!("{input}: {other}"),
        };
        let by_standard = match whatwg::expect(&input).literal() {
            Outcome::Accepted {
                value: Value::Uri(target),
            } => by_whatwg(&target),
            _ => None,
        };
        let alone = match parts.scheme {
            Some(_) => reference.clone(),
            None => format!("{}:{reference}", base.split(':').next().unwrap_or_default()),
        };
        let rules = base_rules(base, reference, &target);
        if by_whatwg(&target) != by_standard {
            assert!(!rules.is_empty(), "{input}: {target} {by_standard:?}");
            if rules == [BaseRule::ParsedAlone] {
                assert_eq!(by_whatwg(&alone), by_standard, "{input}");
            }
            if let [rule] = rules[..] {
                acted.insert(rule);
            }
        }
    }
    assert_eq!(acted.len(), BaseRule::ALL.len(), "{acted:?}");
}
