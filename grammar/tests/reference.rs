//! Two derivations of one language that know nothing of each other: the rule functions of rfc3986-reference, and the
//! machines compiled from the ABNF.

use std::collections::HashSet;
use std::str::from_utf8;

use rfc3986_reference::components::{Reference, parse};
use rfc3986_reference::grammar::{HostKind, Rule};
use rfc3986_reference::readings::Reading;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::{Alphabet, Dfa, Moore, State, rfc3986};

const PLAIN: Reading = Reading::Rfc3986;

/// Checks a string against a rule's function, and where the offset of its error is documented, that.
struct Checker {
    rule: Rule,
    machine: Dfa,
}

impl Checker {
    fn check(&self, input: &str, accepted: bool) {
        let result = self.rule.matches(input, PLAIN);
        assert_eq!(result.is_ok(), accepted, "{} {input:?}", self.rule);
        if let (Rule::UriReference, Err(error)) = (self.rule, result) {
            let viable = self.machine.longest_viable_prefix(input.as_bytes());
            assert_eq!(error.offset, viable, "{input:?}: {error}");
        }
    }
}

/// All 36 rules.
fn checkers() -> impl Iterator<Item = Checker> {
    let grammar = rfc3986::grammar();
    assert_eq!(Rule::ALL.len(), 36);
    let names: HashSet<&str> = grammar.rules().iter().map(|rule| &*rule.name).collect();
    assert!(Rule::ALL.iter().all(|rule| names.contains(rule.name())));
    Rule::ALL.iter().map(move |&rule| Checker {
        rule,
        machine: Dfa::compile(&grammar, rule.name()).unwrap(),
    })
}

/// Of the suite over all bytes, what is valid UTF-8: a lone byte beyond ASCII is not.
fn check_complete_suites(rules: impl Fn(Rule) -> bool) {
    for checker in checkers().filter(|checker| rules(checker.rule)) {
        let suites = Suites::new(checker.machine.machine());
        for string in suites.suite(Method::Hsi(0), Alphabet::Ascii) {
            checker.check(from_utf8(&string).unwrap(), checker.machine.accepts(&string));
        }
    }
}

/// The costly half of the rules, so that two tests run side by side.
const WHOLE: [Rule; 3] = [Rule::UriReference, Rule::Uri, Rule::AbsoluteUri];

#[test]
fn whole_references_on_their_complete_suites() {
    check_complete_suites(|rule| WHOLE.contains(&rule));
}

#[test]
fn every_other_rule_on_its_complete_suite() {
    check_complete_suites(|rule| !WHOLE.contains(&rule));
}

#[test]
fn the_ascii_suite_is_the_valid_part_of_the_byte_suite() {
    for rule in ["IPv4address", "path-noscheme", "pct-encoded"] {
        let dfa = Dfa::compile(&rfc3986::grammar(), rule).unwrap();
        let suites = Suites::new(dfa.machine());
        let valid = suites.suite(Method::Hsi(0), Alphabet::Bytes).filter(|string| from_utf8(string).is_ok());
        assert!(valid.eq(suites.suite(Method::Hsi(0), Alphabet::Ascii)), "{rule}");
    }
}

#[test]
fn every_rule_on_every_short_string() {
    fn extend(checker: &Checker, string: &mut String, state: State, length: usize) {
        checker.check(string, checker.machine.is_accepting(state));
        if length > 0 {
            for &byte in checker.machine.machine().representatives() {
                string.push(char::from(byte));
                extend(checker, string, checker.machine.step(state, byte), length - 1);
                string.pop();
            }
        }
    }
    for checker in checkers() {
        let representatives = checker.machine.machine().representatives();
        assert!(representatives.is_ascii());
        extend(&checker, &mut String::new(), checker.machine.start(), 4);
    }
}

/// A walk through a machine that mostly avoids the state from which nothing can match, with the odd character of its own.
fn walk(machine: &Dfa, random: &mut fastrand::Rng) -> String {
    let representatives = machine.machine().representatives();
    let mut string = String::new();
    let mut state = machine.start();
    for _ in 0..random.usize(0..24) {
        let mut byte = random.u8(..128);
        let mut next = machine.step(state, byte);
        for _ in 0..8 {
            if !machine.is_dead(next) {
                break;
            }
            byte = representatives[random.usize(0..representatives.len())];
            next = machine.step(state, byte);
        }
        string.push(if random.u8(..) == 0 { '\u{e9}' } else { char::from(byte) });
        state = next;
    }
    string
}

#[test]
fn every_rule_on_random_walks() {
    let mut random = fastrand::Rng::with_seed(3986);
    for checker in checkers() {
        for _ in 0..100_000 {
            let string = walk(&checker.machine, &mut random);
            checker.check(&string, checker.machine.accepts(string.as_bytes()));
        }
    }
}

/// The mask that the components of a reference make, by the names of the views.
fn mask(moore: &Moore, reference: &Reference<'_>) -> u32 {
    let components = &reference.components;
    let authority = reference.authority.as_ref();
    let kind = authority.map(|authority| authority.host_kind);
    let path = &*components.path;
    let userinfo = authority.and_then(|authority| authority.userinfo);
    let port = authority.and_then(|authority| authority.port);
    let has = |view: &str| match view {
        "has-scheme" => components.scheme.is_some(),
        "is-relative" => components.scheme.is_none(),
        "has-authority" => authority.is_some(),
        "has-userinfo" => userinfo.is_some(),
        "has-port" => port.is_some(),
        "has-query" => components.query.is_some(),
        "has-fragment" => components.fragment.is_some(),
        "host-ipv6" => kind == Some(HostKind::Ipv6),
        "host-ipvfuture" => kind == Some(HostKind::IpvFuture),
        "host-ipv4" => kind == Some(HostKind::Ipv4),
        // Every IPv4address is a reg-name, too.
        "host-reg-name" => matches!(kind, Some(HostKind::RegName | HostKind::Ipv4)),
        "uses-path-absolute" => authority.is_none() && path.starts_with('/'),
        "uses-path-noscheme" => components.scheme.is_none() && !path.is_empty() && !path.starts_with('/'),
        "uses-path-rootless" => components.scheme.is_some() && !path.is_empty() && !path.starts_with('/'),
        "uses-path-empty" => authority.is_none() && path.is_empty(),
        "empty-userinfo" => userinfo == Some(""),
        "empty-host" => authority.is_some_and(|authority| authority.host.is_empty()),
        "empty-port" => port == Some(""),
        "empty-path-abempty" => authority.is_some() && path.is_empty(),
        "empty-query" => components.query == Some(""),
        "empty-fragment" => components.fragment == Some(""),
        other => panic!("view {other} is not checked"),
    };
    moore.views().iter().enumerate().fold(0, |mask, (bit, view)| mask | u32::from(has(view)) << bit)
}

#[test]
fn the_components_of_the_reference_are_those_of_the_extended_machine() {
    let moore = rfc3986::extended_machine().unwrap();
    let suites = Suites::new(moore.machine());
    for string in suites.suite(Method::TransitionCover, Alphabet::Representatives) {
        let input = from_utf8(&string).unwrap();
        let expected = parse(input, PLAIN).map_or(0, |reference| mask(&moore, &reference));
        assert_eq!(moore.output(&string), expected, "{input:?}");
    }
}
