//! What RFC 3986 expects of a comparison of two URIs on a rung of its ladder.

use std::net::Ipv6Addr;

use rfc3986_reference::equivalence::{self, EquivalenceError};

use super::normalization::expect_normalize;
use super::{Expected, ParseFn, SCHEMES, scheme_rules};
use crate::model::{Components, Outcome, Reading, Rung, Scope};

pub(super) fn expect_equivalent(left: &str, right: &str, rung: Rung, reading: Reading, parse: ParseFn) -> Expected {
    let compare = |left: &str, right: &str| match rung {
        Rung::Simple => equivalence::simple(left, right, reading),
        Rung::Syntax => equivalence::syntax_based(left, right, reading),
        Rung::Scheme => equivalence::scheme_based(left, right, &SCHEMES, reading),
    };
    match compare(left, right) {
        Ok(equivalent) => {
            let mut expected = Expected::literally(Outcome::equivalent(equivalent));
            // §3.2.2: an IPv6address is the text of a 128-bit address. To say that two texts of one address name one host
            // is no false positive.
            let by_address = (rung != Rung::Simple)
                .then(|| with_address_by_value(left, reading, parse).zip(with_address_by_value(right, reading, parse)))
                .flatten();
            if let Some(Ok(equivalent)) = by_address.as_ref().map(|(left, right)| compare(left, right)) {
                expected = expected.and("by-address", Outcome::equivalent(equivalent));
            }
            // §6.1: "applications should not directly compare relative references".
            let is_relative = |text: &str| parse(text, reading).is_ok_and(|parsed| parsed.components.scheme.is_none());
            if is_relative(left) || is_relative(right) {
                expected = expected.and("refused", Outcome::rejected("a relative reference is not compared"));
            }
            // §3.2.3: a port number is "in decimal". To say that two texts of one number name one port is no false positive.
            let by_value = (rung != Rung::Simple)
                .then(|| with_port_by_value(left, reading, parse).zip(with_port_by_value(right, reading, parse)))
                .flatten();
            if let Some(Ok(equivalent)) = by_value.map(|(left, right)| compare(&left, &right)) {
                expected = expected.and("by-value", Outcome::equivalent(equivalent));
            }
            if rung == Rung::Scheme {
                for equivalent in by_scheme_rules(left, right, reading, parse) {
                    expected = expected.and("scheme-rule", Outcome::equivalent(equivalent));
                }
            }
            for (name, equivalent) in by_policy(left, right, rung, reading, parse) {
                expected = expected.and(name, Outcome::equivalent(equivalent));
            }
            // And both at once.
            if let Some((left, right)) = &by_address {
                for (_, equivalent) in by_policy(left, right, rung, reading, parse) {
                    expected = expected.and("by-address", Outcome::equivalent(equivalent));
                }
            }
            expected
        }
        Err(EquivalenceError::Relative(_)) => Expected::NoAnswer {
            reason: "relative references should be converted to their target URIs before comparison (§6.1)".to_owned(),
        },
        Err(error) => Expected::literally(Outcome::rejected(error)),
    }
}

/// A URI whose host is an IPv6 address, with that address in one of its texts, the same for all of them.
fn with_address_by_value(uri: &str, reading: Reading, parse: ParseFn) -> Option<String> {
    let mut components = Components::from(&parse(uri, reading).ok()?);
    let address: Ipv6Addr = components.host.as_deref()?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    components.host = Some(format!("[{address}]"));
    Some(components.recompose())
}

/// A URI whose port is a number, without the zeros before it.
fn with_port_by_value(uri: &str, reading: Reading, parse: ParseFn) -> Option<String> {
    let mut components = Components::from(&parse(uri, reading).ok()?);
    let port = components.port.as_deref().filter(|port| !port.is_empty())?;
    let number = port.trim_start_matches('0');
    components.port = Some(if number.is_empty() { "0" } else { number }.to_owned());
    Some(components.recompose())
}

/// The verdict of each selection of the rules that are licensed for a scheme.
fn by_scheme_rules(left: &str, right: &str, reading: Reading, parse: ParseFn) -> Vec<bool> {
    let forms = |uri: &str| match parse(uri, reading) {
        Ok(parsed) => {
            parsed.components.scheme.map_or_else(Vec::new, |scheme| scheme_rules::forms(uri, scheme, reading))
        }
        Err(_) => Vec::new(),
    };
    forms(left).iter().zip(forms(right)).map(|(left, right)| *left == right).collect()
}

/// The verdict of each choice that normalization leaves open, made the same way on both sides.
fn by_policy(left: &str, right: &str, rung: Rung, reading: Reading, parse: ParseFn) -> Vec<(&'static str, bool)> {
    let scope = match rung {
        Rung::Simple => return Vec::new(),
        Rung::Syntax => Scope::Syntax,
        Rung::Scheme => Scope::Scheme,
    };
    let (left, right) = (
        expect_normalize(left, scope, reading, parse),
        expect_normalize(right, scope, reading, parse),
    );
    let form = |expected: &Expected, policy: &str| match expected {
        Expected::Outcomes(outcomes) => {
            outcomes.iter().find(|one| one.name == policy).or(outcomes.first()).map(|one| one.outcome.clone())
        }
        Expected::Property(_) | Expected::NoAnswer { .. } => None,
    };
    [
        "literal",
        "unchanged",
        "slash-dot",
        "root",
        "omitted",
        "kept",
        "by-text",
        "host-emptied",
        "authority-kept",
    ]
    .into_iter()
    .map(|policy| (policy, form(&left, policy) == form(&right, policy)))
    .collect()
}
