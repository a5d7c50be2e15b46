//! What RFC 6874 expects of a string with a zone identifier: `http://[fe80::1%25en0]/`.
//!
//! The reference knows RFC 3986 alone. An IPvFuture takes the place of the address, which is valid just where an IP-literal is, and
//! what is expected has the address again.
//!
//! RFC 6874 does not say whether the case of a zone identifier means something: it is a part of the host, which has none (RFC 3986
//! §3.2.2), and the name of an interface, which may have (RFC 4007 §11.2). Where that decides, there is no answer. Its triplets are
//! triplets like others.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use rfc3986_reference::normalize::{case_normalization, percent_encoding_normalization};

use super::{Expected, Property};
use crate::compare::narrow_result;
use crate::model::{Component, Declaration, HostKind, Input, Outcome, Reading, Reported, Rule, Rung, Value, Values};

/// Why there is no answer if the case of a zone identifier decides.
const CASE: &str = "RFC 6874 does not say whether the case of a zone identifier means something";

/// What conforms for an input with a zone identifier, for a subject with this declaration; `None` if it has none.
pub(crate) fn expect(declaration: &Declaration, input: &Input) -> Option<Expected> {
    if let Input::Equivalent { left, right, rung } = input {
        return equivalent(left, right, *rung);
    }
    let mut without = input.clone();
    let zoned: Vec<(String, Zoned)> = texts(&mut without)
        .into_iter()
        .enumerate()
        .filter_map(|(at, text)| {
            let zoned = Zoned::find(text)?;
            let stand_in = stand_in(at);
            *text = zoned.replaced_by(&stand_in, text);
            Some((stand_in, zoned))
        })
        .collect();
    if zoned.is_empty() {
        return None;
    }
    let expected = Cow::Owned(super::expect(&without, Reading::Rfc3986));
    let expected = narrow_result(declaration, expected, &without).into_owned();
    if matches!(expected.literal(), Outcome::Rejected { .. }) && matches!(input, Input::Normalize { .. }) {
        return Some(put_back(expected, &zoned, |zoned| zoned.literal.clone()));
    }
    let no_answer = |reason: &str| {
        Some(Expected::NoAnswer {
            reason: reason.to_owned(),
        })
    };
    match (input, &expected) {
        (Input::Compose { .. } | Input::Modify { .. }, _) if declaration.values == Values::Data => {
            no_answer("whether the `%25` before a zone identifier is data is open")
        }
        (Input::Normalize { .. }, Expected::Outcomes(_)) => {
            match zoned.iter().all(|(_, zoned)| zoned.normal().is_some()) {
                true => Some(put_back(expected, &zoned, |zoned| {
                    zoned.normal().unwrap_or_else(|| zoned.literal.clone())
                })),
                false => no_answer(CASE),
            }
        }
        (_, Expected::Property(Property::ResolvesTo { .. } | Property::MeansTheSame { .. })) => {
            no_answer("an answer with a zone identifier is not resolved")
        }
        _ => Some(put_back(expected, &zoned, |zoned| zoned.literal.clone())),
    }
}

/// The strings of an input in which there may be an address.
fn texts(input: &mut Input) -> Vec<&mut String> {
    let is_literal = |text: &String| Zoned::find(text).is_some_and(|zoned| zoned.literal == *text);
    match input {
        // Whatever the rule: an IP-literal may have one, too.
        Input::Parse { input, .. } => vec![input],
        Input::Compose { components } => components.host.iter_mut().filter(|host| is_literal(host)).collect(),
        Input::Modify {
            uri,
            component: Component::Host,
            value,
        } => std::iter::once(uri).chain(value.iter_mut().filter(|host| is_literal(host))).collect(),
        other => other.uris_mut(),
    }
}

/// What takes the place of an address, in normal form.
fn stand_in(at: usize) -> String {
    format!("[vff.zone-{at}]")
}

fn put_back(mut expected: Expected, zoned: &[(String, Zoned)], text: impl Fn(&Zoned) -> String) -> Expected {
    if let Expected::Outcomes(outcomes) = &mut expected {
        for one in outcomes {
            // A place is one in the string with the stand-in.
            if let Outcome::Rejected { offset, .. } = &mut one.outcome {
                *offset = None;
            }
            zoned.iter().for_each(|(stand_in, zoned)| put_back_in(&mut one.outcome, stand_in, &text(zoned)));
        }
    }
    expected
}

fn put_back_in(outcome: &mut Outcome, stand_in: &str, literal: &str) {
    match outcome {
        Outcome::Accepted {
            value: Value::Components(components),
        } if components.host.as_defined().is_some_and(|host| host == stand_in) => {
            components.host = Reported::Defined(literal.to_owned());
            components.host_kind = Some(HostKind::Ipv6).into();
        }
        Outcome::Accepted { value: Value::Uri(uri) } => *uri = uri.replace(stand_in, literal),
        _ => {}
    }
}

/// What is expected of a comparison.
fn equivalent(left: &str, right: &str, rung: Rung) -> Option<Expected> {
    let zoned = [left, right].map(Zoned::find);
    if zoned.iter().all(Option::is_none) {
        return None;
    }
    let with = |places: [usize; 2]| {
        let [left, right] =
            [(left, &zoned[0], places[0]), (right, &zoned[1], places[1])].map(|(text, zoned, place)| {
                zoned.as_ref().map_or_else(|| text.to_owned(), |zoned| zoned.replaced_by(&stand_in(place), text))
            });
        // A URI is no outcome of a comparison: no stand-in is to be put back.
        put_back(
            super::expect(&Input::Equivalent { left, right, rung }, Reading::Rfc3986),
            &[],
            |zoned| zoned.literal.clone(),
        )
    };
    let (same, different) = (with([0, 0]), with([0, 1]));
    let sameness = match &zoned {
        [Some(left), Some(right)] => left.sameness(right, rung),
        _ => Sameness::Different,
    };
    Some(match (sameness, same) {
        (Sameness::Same, same) => same,
        (Sameness::ByAddress, Expected::Outcomes(outcomes)) => {
            outcomes.into_iter().fold(different, |expected, one| expected.and("by-address", one.outcome))
        }
        (Sameness::Open, same) if same != different => Expected::NoAnswer {
            reason: CASE.to_owned(),
        },
        (Sameness::Different | Sameness::ByAddress | Sameness::Open, _) => different,
    })
}

/// Whether two addresses with zone identifiers are the same host.
enum Sameness {
    Same,
    Different,
    /// If the address is compared, not its text.
    ByAddress,
    /// If the case of the zone identifier means nothing.
    Open,
}

/// An IP-literal with a zone identifier, in a text.
struct Zoned {
    /// Where it begins.
    begin: usize,
    /// With its brackets.
    literal: String,
    address: String,
    zone: String,
}

impl Zoned {
    /// The first one.
    fn find(text: &str) -> Option<Zoned> {
        text.match_indices('[').find_map(|(begin, _)| {
            let length = text[begin..].find(']')?;
            let (address, zone) = address_with_zone(&text[begin + 1..begin + length])?;
            Some(Zoned {
                begin,
                literal: text[begin..=begin + length].to_owned(),
                address: address.to_owned(),
                zone: zone.to_owned(),
            })
        })
    }

    /// The text with a stand-in in its place.
    fn replaced_by(&self, stand_in: &str, text: &str) -> String {
        format!(
            "{}{stand_in}{}",
            &text[..self.begin],
            &text[self.begin + self.literal.len()..]
        )
    }

    /// The zone identifier with its triplets in normal form (RFC 3986 §6.2.2.1, §6.2.2.2), and its case as it is.
    fn decoded_zone(&self) -> String {
        let uri = format!("x:{}", self.zone);
        let normal = percent_encoding_normalization(&uri, Reading::Rfc3986)
            .and_then(|decoded| case_normalization(&decoded, Reading::Rfc3986));
        normal.map_or_else(|_| self.zone.clone(), |normal| normal["x:".len()..].to_owned())
    }

    /// Its normal form; `None` if the case of the zone identifier decides.
    fn normal(&self) -> Option<String> {
        let zone = self.decoded_zone();
        // The digits of a triplet are in uppercase whatever the case of the rest.
        let is_cased = zone.split('%').enumerate().any(|(at, part)| {
            let text = if at == 0 { part } else { &part[2..] };
            text.bytes().any(|octet| octet.is_ascii_uppercase())
        });
        (!is_cased).then(|| format!("[{}%25{zone}]", self.address.to_ascii_lowercase()))
    }

    fn sameness(&self, other: &Zoned, rung: Rung) -> Sameness {
        if rung == Rung::Simple {
            return match self.literal == other.literal {
                true => Sameness::Same,
                false => Sameness::Different,
            };
        }
        let (one, two) = (self.decoded_zone(), other.decoded_zone());
        let value = |zoned: &Zoned| zoned.address.parse::<Ipv6Addr>().ok();
        match (one == two, one.eq_ignore_ascii_case(&two)) {
            (true, _) if self.address.eq_ignore_ascii_case(&other.address) => Sameness::Same,
            (_, true) if value(self) != value(other) => Sameness::Different,
            (true, _) => Sameness::ByAddress,
            (false, true) => Sameness::Open,
            (false, false) => Sameness::Different,
        }
    }
}

/// The two parts of an IPv6addrz (RFC 6874 §2).
fn address_with_zone(text: &str) -> Option<(&str, &str)> {
    let matches = |rule: Rule, text: &str| rule.matches(text, Reading::Rfc3986).is_ok();
    text.split_once("%25").filter(|(address, zone)| {
        matches(Rule::Ipv6Address, address)
            && !zone.is_empty()
            && matches(Rule::RegName, zone)
            && !zone.contains(|character| matches!(character, '!' | '$' | '&'..=',' | ';' | '='))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Components, Operation, Scope};

    fn expected(input: &Input) -> String {
        let declaration = Declaration::new("any", "1", "parse", &Operation::ALL);
        expect(&declaration, input).map_or_else(
            || "as without".to_owned(),
            |expected| match expected {
                Expected::NoAnswer { reason } => format!("no answer: {reason}"),
                Expected::Outcomes(outcomes) => {
                    outcomes.iter().map(|one| one.outcome.to_string()).collect::<Vec<_>>().join(" or ")
                }
                Expected::Property(property) => property.to_string(),
            },
        )
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

    #[test]
    fn a_normal_form_has_the_triplets_and_the_address_in_normal_form() {
        for (uri, normal) in [
            (
                "X://U@[FE80::A%25en0]:/%7e",
                r#""x://U@[fe80::a%25en0]:/~" or "x://U@[fe80::a%25en0]/~""#,
            ),
            ("x://[::1%25a%2db%c3%a9]", r#""x://[::1%25a-b%C3%A9]""#),
            ("x://[::1%2541]", r#""x://[::1%2541]""#),
            ("x://[::1%25%61]", r#""x://[::1%25a]""#),
            ("x://[::1%25En0]", CASE),
            ("x://[::1%25%41]", CASE),
            ("//[::1%25a]", "not resolved"),
            ("x://[::1%25A]/[", "rejected"),
        ] {
            let input = Input::Normalize {
                uri: uri.to_owned(),
                scope: Scope::Syntax,
            };
            assert!(expected(&input).contains(normal), "{uri}: {}", expected(&input));
        }
    }

    #[test]
    fn a_comparison_has_an_answer_unless_case_decides() {
        for (left, right, rung, answer) in [
            ("x://[::1%25a]", "X://[::1%25%61]", Rung::Syntax, "equivalent"),
            ("x://[::A%25B]", "x://[::a%25B]", Rung::Syntax, "equivalent"),
            ("x://[::a%25B]", "x://[::a%25b]", Rung::Syntax, CASE),
            ("x://[::a%25B]", "x://[::b%25b]", Rung::Syntax, "not equivalent"),
            ("x://[::a%25B]/c", "x://[::a%25b]/d", Rung::Syntax, "not equivalent"),
            ("x://[::a%25b]", "x://[::a%25c]", Rung::Scheme, "not equivalent"),
            ("x://[::a%25b]", "x://[::a]", Rung::Syntax, "not equivalent"),
            (
                "x://[::a%25b]",
                "x://[0::a%25b]",
                Rung::Syntax,
                "not equivalent or equivalent",
            ),
            ("x://[::1%25a]", "x://[::1%25%61]", Rung::Simple, "not equivalent"),
            ("x://[::1%25A]", "x://[::1%25A]", Rung::Simple, "equivalent"),
            ("x://[::1%25A]", "x://[::1%25A]^", Rung::Simple, "rejected"),
        ] {
            let input = Input::Equivalent {
                left: left.to_owned(),
                right: right.to_owned(),
                rung,
            };
            let text = expected(&input);
            assert!(
                text.starts_with(answer) || text.ends_with(answer),
                "{left} {right}: {text}"
            );
        }
    }

    #[test]
    fn components_may_have_a_zone_identifier() {
        let compose = |host: &str| {
            expected(&Input::Compose {
                components: Components {
                    scheme: Some("x".to_owned()),
                    host: Some(host.to_owned()),
                    path: "/a b".to_owned(),
                    ..Components::default()
                },
            })
        };
        assert!(
            compose("[::1%25A]").ends_with(r#" or "x://[::1%25A]/a%20b""#),
            "{}",
            compose("[::1%25A]")
        );
        assert_eq!(compose("a[::1%25A]"), "as without");
        assert_eq!(compose("[::1%A]"), "as without");

        let modify = |uri: &str, component: Component, value: Option<&str>| {
            expected(&Input::Modify {
                uri: uri.to_owned(),
                component,
                value: value.map(str::to_owned),
            })
        };
        let uri = "x://[::1%25A]:1/a";
        assert_eq!(modify(uri, Component::Port, None), r#""x://[::1%25A]/a""#);
        assert_eq!(modify(uri, Component::Host, Some("b")), r#""x://b:1/a""#);
        assert_eq!(
            modify(uri, Component::Host, Some("[::2%25B]")),
            r#""x://[::2%25B]:1/a""#
        );
        assert_eq!(
            modify("x://b/a", Component::Host, Some("[::2%25B]")),
            r#""x://[::2%25B]/a""#
        );
    }

    #[test]
    fn what_a_subject_refuses_stays_refused() {
        let mut declaration = Declaration::new("any", "1", "parse", &Operation::ALL);
        declaration.rules = vec![Rule::Uri].into();
        let compose = Input::Compose {
            components: Components {
                host: Some("[::1%25a]".to_owned()),
                ..Components::default()
            },
        };
        let literal = |declaration: &Declaration| expect(declaration, &compose).unwrap().literal();
        assert!(matches!(literal(&declaration), Outcome::Rejected { .. }));
        declaration.values = Values::Data;
        assert!(matches!(literal(&declaration), Outcome::Unsupported { .. }));
    }
}
