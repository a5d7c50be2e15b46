//! The text of an IPv6 address by RFC 5952, which the claim `rfc5952` has a normalizer print.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use super::{Expected, Property};
use crate::compare::{Difference, DifferenceKind, Verdict};
use crate::model::{Component, Input, Outcome, Value};
use crate::split::{UserinfoEnd, components, range};

/// What conforms for a normalization, with IPv6 addresses in canonical form; `None` if there is none to rewrite.
pub(crate) fn in_canonical_form(input: &Input, expected: &Expected) -> Option<Expected> {
    if !matches!(input, Input::Normalize { .. }) {
        return None;
    }
    match expected {
        Expected::Outcomes(outcomes) => {
            let mut canonical: Vec<_> = Vec::new();
            for one in outcomes {
                let texts = match &one.outcome {
                    Outcome::Accepted { value: Value::Uri(uri) } => canonical_texts(uri),
                    _ => None,
                };
                let outcomes = texts.map_or_else(
                    || vec![one.outcome.clone()],
                    |texts| texts.iter().map(Outcome::uri).collect(),
                );
                canonical.extend(outcomes.into_iter().map(|outcome| super::Conforming {
                    name: Cow::clone(&one.name),
                    outcome,
                }));
            }
            Some(Expected::Outcomes(canonical))
        }
        Expected::Property(Property::MeansTheSame { reference, scope }) => {
            let reference = canonical_texts(reference)?.into_iter().next()?;
            Some(Expected::Property(Property::MeansTheSame {
                reference,
                scope: *scope,
            }))
        }
        Expected::Property(_) | Expected::NoAnswer { .. } => None,
    }
}

/// The verdict on a normalization: an address in another text diverges, however the subject's answers are compared.
pub(crate) fn verdict(input: &Input, observed: &Outcome, verdict: Verdict) -> Verdict {
    let is_canonical = match (input, observed) {
        (Input::Normalize { .. }, Outcome::Accepted { value: Value::Uri(uri) }) => {
            canonical_texts(uri).is_none_or(|texts| texts.contains(uri))
        }
        _ => true,
    };
    match verdict {
        Verdict::Agree { .. } | Verdict::NotComparable { .. } if !is_canonical => Verdict::Diverge(Difference {
            kind: DifferenceKind::OtherUri,
            components: [Component::Host].into_iter().collect(),
        }),
        verdict => verdict,
    }
}

/// A URI-reference with its address in each canonical text; `None` if its host is no IPv6 address.
fn canonical_texts(uri: &str) -> Option<Vec<String>> {
    let literal = components(uri, UserinfoEnd::FirstAt).host?.strip_prefix('[')?.strip_suffix(']')?;
    let (address, place) = (literal.parse::<Ipv6Addr>().ok()?, range(literal, uri));
    let text = |address: String| format!("{}{address}{}", &uri[..place.start], &uri[place.end..]);
    Some(std::iter::once(hexadecimal(address)).chain(mixed(address)).map(text).collect())
}

/// RFC 5952 §4: no leading zeros, the longest run of zeros as "::", the first of equals, in lowercase.
fn hexadecimal(address: Ipv6Addr) -> String {
    match (address.to_ipv4_mapped(), address.segments()) {
        (Some(_), [.., high, low]) => format!("::ffff:{high:x}:{low:x}"),
        (None, _) => address.to_string(),
    }
}

/// RFC 5952 §5: with the IPv4 address in dotted decimal behind a well-known prefix (RFC 4291 §2.5.5, RFC 2765 §2.1, RFC 6052 §2.1).
fn mixed(address: Ipv6Addr) -> Option<String> {
    let [prefix @ .., high, low] = address.segments();
    let ipv4 = Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match prefix {
        [0, 0, 0, 0, 0, 0] => (u32::from(ipv4) > 1).then(|| format!("::{ipv4}")),
        [0, 0, 0, 0, 0, 0xffff] => Some(format!("::ffff:{ipv4}")),
        [0, 0, 0, 0, 0xffff, 0] => Some(format!("::ffff:0:{ipv4}")),
        [0x64, 0xff9b, 0, 0, 0, 0] => Some(format!("64:ff9b::{ipv4}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expect::expect;
    use crate::model::{Reading, Scope};

    #[test]
    fn an_address_has_the_text_of_rfc_5952() {
        for (address, expected) in [
            ("2001:DB8:0:0:1:0:0:1", &["2001:db8::1:0:0:1"][..]),
            ("2001:db8:0:1:1:1:1:1", &["2001:db8:0:1:1:1:1:1"]),
            ("2001:0db8::0001", &["2001:db8::1"]),
            ("2001:db8:0:0:0:0:2:1", &["2001:db8::2:1"]),
            ("0:0:0:0:0:0:0:0", &["::"]),
            ("0::1", &["::1"]),
            ("::FFFF:192.0.2.1", &["::ffff:c000:201", "::ffff:192.0.2.1"]),
            ("::ffff:0:0", &["::ffff:0:0", "::ffff:0.0.0.0"]),
            ("::192.0.2.1", &["::c000:201", "::192.0.2.1"]),
            ("64:ff9b::c000:201", &["64:ff9b::c000:201", "64:ff9b::192.0.2.1"]),
        ] {
            let expected: Vec<String> = expected.iter().map(|address| format!("x://u@[{address}]:1/a")).collect();
            assert_eq!(
                canonical_texts(&format!("x://u@[{address}]:1/a")),
                Some(expected),
                "{address}"
            );
        }
        assert_eq!(canonical_texts("x://a"), None);
        assert_eq!(canonical_texts("x://[v1.a]"), None);
    }

    #[test]
    fn a_normalizer_prints_the_canonical_text() {
        let input = Input::Normalize {
            uri: "X://[2001:DB8:0::1]/%7e".to_owned(),
            scope: Scope::Syntax,
        };
        let expected = in_canonical_form(&input, &expect(&input, Reading::Rfc3986)).unwrap();
        assert_eq!(expected.literal(), Outcome::uri("x://[2001:db8::1]/~"));
        let agrees = || Verdict::Agree { conforming: None };
        assert_eq!(
            verdict(&input, &Outcome::uri("x://[2001:db8::1]/~"), agrees()),
            agrees()
        );
        let other = verdict(&input, &Outcome::uri("x://[2001:db8:0::1]/~"), agrees());
        assert!(matches!(other, Verdict::Diverge(_)), "{other:?}");
        let uri = "x://[0::1]".to_owned();
        assert_eq!(in_canonical_form(&Input::RoundTrip { uri }, &expected), None);
    }
}
