//! What RFC 6874 expects of a string with a zone identifier: `http://[fe80::1%25en0]/`.
//!
//! The reference knows RFC 3986 alone. An IPvFuture takes the place of the address, which is valid just where an IP-literal is, and
//! what is expected has the address again.

use super::Expected;
use crate::model::{HostKind, Input, Outcome, Reading, Reported, Rule, Value};

/// What conforms for an input with a zone identifier; `None` if it has none.
pub(crate) fn expect(input: &Input) -> Option<Expected> {
    let mut without = input.clone();
    let texts: Vec<&mut String> = match &mut without {
        // Whatever the rule: an IP-literal may have one, too.
        Input::Parse { input, .. } => vec![input],
        Input::Compose { components } => components.host.iter_mut().collect(),
        other => other.uris_mut(),
    };
    let stand_ins: Vec<(String, String)> =
        texts.into_iter().enumerate().filter_map(|(at, text)| replaced(text, at)).collect();
    if stand_ins.is_empty() {
        return None;
    }
    match (input, super::expect(&without, Reading::Rfc3986)) {
        (Input::Parse { .. } | Input::Resolve { .. } | Input::RoundTrip { .. }, Expected::Outcomes(mut outcomes)) => {
            for one in &mut outcomes {
                stand_ins.iter().for_each(|names| put_back(&mut one.outcome, names));
            }
            Some(Expected::Outcomes(outcomes))
        }
        (Input::RoundTrip { .. } | Input::Contract { .. }, expected) => Some(expected),
        _ => Some(Expected::NoAnswer {
            reason: "RFC 6874 states no normal form of a zone identifier".to_owned(),
        }),
    }
}

/// Puts an IPvFuture in the place of the first address with a zone identifier, and returns both.
fn replaced(text: &mut String, at: usize) -> Option<(String, String)> {
    let mut begins = text.match_indices('[').map(|(begin, _)| begin);
    let (begin, end) = begins.find_map(|begin| {
        let end = begin + text[begin..].find(']')?;
        is_address_with_zone(&text[begin + 1..end]).then_some((begin, end + 1))
    })?;
    let (literal, stand_in) = (text[begin..end].to_owned(), format!("[vff.zone-{at}]"));
    text.replace_range(begin..end, &stand_in);
    Some((stand_in, literal))
}

/// Whether a text is an IPv6addrz (RFC 6874 §2).
fn is_address_with_zone(text: &str) -> bool {
    let matches = |rule: Rule, text: &str| rule.matches(text, Reading::Rfc3986).is_ok();
    text.split_once("%25").is_some_and(|(address, zone)| {
        matches(Rule::Ipv6Address, address)
            && !zone.is_empty()
            && matches(Rule::RegName, zone)
            && !zone.contains(|character| matches!(character, '!' | '$' | '&'..=',' | ';' | '='))
    })
}

fn put_back(outcome: &mut Outcome, (stand_in, literal): &(String, String)) {
    match outcome {
        Outcome::Accepted {
            value: Value::Components(components),
        } if components.host.as_defined() == Some(stand_in) => {
            components.host = Reported::Defined(literal.clone());
            components.host_kind = Some(HostKind::Ipv6).into();
        }
        Outcome::Accepted { value: Value::Uri(uri) } => *uri = uri.replace(stand_in, literal),
        // Its place is one of the stand-in.
        Outcome::Rejected { offset, .. } => *offset = None,
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected(input: &Input) -> String {
        expect(input).map_or_else(|| "as without".to_owned(), |expected| expected.literal().to_string())
    }

    #[test]
    fn an_address_may_have_a_zone_identifier() {
        for (text, expected_text) in [
            (
                "http://u@[fe80::1%25en0]:80/",
                r#"userinfo "u" host "[fe80::1%25en0]" host_kind "ipv6" port "80""#,
            ),
            ("//[::%25a%20]", r#"host "[::%25a%20]""#),
            ("//[fe80::1%en0]", "as without"),
            ("//[fe80::1%25]", "as without"),
            ("//[fe80::1%25a!]", "as without"),
            ("//[v1.a%25a]", "as without"),
            ("/[::1%25a]", "rejected"),
            ("//[::1%25a]a", "rejected"),
            ("//[::1%25a]/[::1%25a]", "rejected"),
        ] {
            let input = Input::Parse {
                rule: Rule::UriReference,
                input: text.to_owned(),
            };
            assert!(expected(&input).contains(expected_text), "{text}: {}", expected(&input));
        }
        let of_host = Input::Parse {
            rule: Rule::IpLiteral,
            input: "[::1%25a]".to_owned(),
        };
        assert!(!expected(&of_host).starts_with("rejected"), "{}", expected(&of_host));
    }

    #[test]
    fn a_zone_identifier_stays_in_a_target() {
        let resolve = Input::Resolve {
            base: "x://[::1%25A]/a/b".to_owned(),
            reference: "../c".to_owned(),
            strict: true,
        };
        assert_eq!(expected(&resolve), r#""x://[::1%25A]/c""#);
        let uri = "x://[::1%25A]".to_owned();
        assert_eq!(expected(&Input::RoundTrip { uri }), r#""x://[::1%25A]""#);
    }
}
