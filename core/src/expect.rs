//! What RFC 3986 expects of an input: every outcome that conforms.

pub(crate) mod address;
mod equivalence;
mod expected;
mod forms;
pub mod licences;
mod normalization;
mod producer;
pub mod request_target;
mod resolution;
mod scheme_rules;
mod vector;
#[cfg(feature = "whatwg")]
pub mod whatwg;
pub(crate) mod zone_id;

use std::borrow::Cow;
use std::sync::LazyLock;

use rfc3986_reference::components::{self, ReferenceRule};
use rfc3986_reference::elements::{Elements, ElementsError, resolve_through_elements};
use rfc3986_reference::grammar;
use rfc3986_reference::normalize::Schemes;
use rfc3986_reference::resolve::Strictness;

use self::equivalence::expect_equivalent;
pub(crate) use self::expected::is_uri;
pub use self::expected::{Conforming, Expected, Property};
pub(crate) use self::forms::{decode_dot_segments_of, has_dot_segments, is_dots, printed, scheme_based};
use self::normalization::expect_normalize;
use self::producer::{expect_compose, expect_modify, expect_round_trip};
pub(crate) use self::resolution::LiteralResolution;
pub use self::scheme_rules::license;
pub use self::vector::from_vector;
use crate::model::{Components, Input, Observed, Outcome, Reading, Rule, Value};

/// The schemes whose rules count, made once.
pub static SCHEMES: LazyLock<Schemes> = LazyLock::new(Schemes::default);

/// Every outcome of `input` that conforms under `reading`, by the reference.
pub fn expect(input: &Input, reading: Reading) -> Expected {
    expect_by(input, reading, components::parse)
}

/// As [`expect`], but where a string is more than parsed as a rule, it and what comes of it are split by `parse`.
pub(crate) fn expect_by(input: &Input, reading: Reading, parse: ParseFn) -> Expected {
    match input {
        Input::Parse { rule, input } => expect_parse(*rule, input, reading),
        Input::Resolve {
            base,
            reference,
            strict,
        } => expect_resolve(base, reference, *strict, reading, parse),
        Input::Normalize { uri, scope } => expect_normalize(uri, *scope, reading, parse),
        Input::Compose { components } => expect_compose(components, reading),
        Input::Equivalent { left, right, rung } => expect_equivalent(left, right, *rung, reading, parse),
        Input::Relativize { base, target } => expect_relativize(base, target, reading, parse),
        Input::Modify { uri, component, value } => expect_modify(uri, *component, value.as_deref(), reading, parse),
        Input::RoundTrip { uri } => expect_round_trip(uri, reading, parse),
        Input::Contract { .. } => Expected::Property(Property::KeepsContracts),
    }
}

/// What splits a string and checks it, or says why it is no URI-reference.
pub(crate) type ParseFn = for<'a> fn(&'a str, Reading) -> Result<components::Reference<'a>, grammar::Error>;

fn expect_parse(rule: Rule, input: &str, reading: Reading) -> Expected {
    if reading == Reading::Elements {
        return Expected::literally(parse_into_elements(rule, input));
    }
    Expected::literally(match ReferenceRule::try_from(rule) {
        Ok(rule) => match components::parse_rule(rule, input, reading) {
            Ok(reference) => Outcome::components(Components::from(&reference)),
            Err(error) => rejected_by(&error),
        },
        Err(other) => match other.matches(input, reading) {
            Ok(()) => Outcome::components(Observed::default()),
            Err(error) => rejected_by(&error),
        },
    })
}

/// The components as the Elements page's model keeps them: what is empty is absent, and the port is a number.
fn parse_into_elements(rule: Rule, input: &str) -> Outcome {
    let plain = match expect_parse(rule, input, Reading::Rfc3986).literal() {
        Outcome::Accepted {
            value: Value::Components(components),
        } if components != Observed::default() => components,
        other => return other,
    };
    let kept = components::parse(input, Reading::Elements).map_err(ElementsError::Invalid).and_then(|mut reference| {
        // The path is the plain one: as segments it would take some thirty times its length.
        reference.components.path = Cow::Borrowed("");
        Elements::from_reference(&reference)
    });
    let elements = match kept {
        Ok(elements) => elements,
        Err(error) => return Outcome::rejected(error),
    };
    let if_any = |text: String| (!text.is_empty()).then_some(text);
    let has_host = !elements.host.is_empty();
    Outcome::components(Observed {
        scheme: if_any(elements.scheme).into(),
        userinfo: if_any(elements.user_info).filter(|_| has_host).into(),
        host_kind: if has_host { plain.host_kind } else { None.into() },
        host: if_any(elements.host).into(),
        port: (elements.has_port && has_host).then(|| elements.port.to_string()).into(),
        path: plain.path,
        query: if_any(elements.query).into(),
        fragment: if_any(elements.fragment).into(),
    })
}

fn rejected_by(error: &grammar::Error) -> Outcome {
    Outcome::Rejected {
        reason: Some(format!("does not match {}", error.rule)),
        offset: Some(error.offset),
    }
}

fn expect_resolve(base: &str, reference: &str, strict: bool, reading: Reading, parse: ParseFn) -> Expected {
    let strictness = if strict {
        Strictness::Strict
    } else {
        Strictness::NonStrict
    };
    if reading == Reading::Elements {
        return Expected::literally(match resolve_through_elements(base, reference, strictness) {
            Ok(target) => Outcome::uri(target),
            Err(error) => Outcome::rejected(error),
        });
    }
    let parsed = match parse(base, reading) {
        Ok(parsed) => parsed,
        Err(error) => {
            return Expected::literally(Outcome::Rejected {
                reason: Some(format!("the base does not match {}", error.rule)),
                offset: Some(error.offset),
            });
        }
    };
    let r = match parse(reference, reading) {
        Ok(r) => r,
        Err(error) => {
            return Expected::literally(Outcome::Rejected {
                reason: Some(format!("the reference does not match {}", error.rule)),
                offset: Some(error.offset),
            });
        }
    };
    LiteralResolution::of((base, parsed), (reference, r), strictness, reading, parse).conforming()
}

/// Whether a port is empty, or has the value of the scheme's default (§3.2.3).
pub(crate) fn may_be_omitted(scheme: Option<&str>, port: &str) -> bool {
    let default = || SCHEMES.rules(scheme?)?.default_port;
    let is_digits = || port.bytes().all(|octet| octet.is_ascii_digit());
    port.is_empty() || is_digits() && default().is_some_and(|default| port.parse() == Ok(default))
}

/// Not in RFC 3986, which has no such operation: what it says of resolution decides whether an answer works.
fn expect_relativize(base: &str, target: &str, reading: Reading, parse: ParseFn) -> Expected {
    for (what, text) in [("base", base), ("target", target)] {
        if let Err(error) = parse(text, reading) {
            return Expected::literally(Outcome::Rejected {
                reason: Some(format!("the {what} does not match {}", error.rule)),
                offset: Some(error.offset),
            });
        }
    }
    Expected::Property(Property::ResolvesTo {
        base: base.to_owned(),
        target: target.to_owned(),
    })
}

#[cfg(test)]
mod tests;
