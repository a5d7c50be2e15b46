//! What the WHATWG URL Standard expects, which the claim `whatwg` is measured by.

use rfc3986_reference::characters::percent_decode;
use whatwg_url_reference::api::UrlObject;
use whatwg_url_reference::host::UrlHost;
use whatwg_url_reference::parser::basic_url_parser;
use whatwg_url_reference::record::UrlRecord;
use whatwg_url_reference::serializer::{UrlFragment, equals, serialize, serialize_path};
use whatwg_url_reference::validation::ValidationError;

use super::{Expected, Property};
use crate::compare::{Difference, DifferenceKind, Verdict};
use crate::model::{Component, ComponentSet, Components, HostKind, Input, Outcome, Rung, Scope, Value};
use crate::split::{self, UserinfoEnd};

/// What conforms for an input. The standard has no limit for the length of a label, but the crate `idna` has: what the reference refuses for
/// that alone has no answer.
pub fn expect(input: &Input) -> Expected {
    let expected = by_reference(input);
    match is_refused_domain(&expected) && input.uris().into_iter().any(has_long_label) {
        true => no_answer("a label of more than 1,000 characters, which the crate idna does not convert"),
        false => expected,
    }
}

fn is_refused_domain(expected: &Expected) -> bool {
    let Expected::Outcomes(outcomes) = expected else {
        return false;
    };
    let is_it = |reason: &String| reason.ends_with(ValidationError::DomainToAscii.name());
    outcomes
        .iter()
        .any(|one| matches!(&one.outcome, Outcome::Rejected { reason: Some(reason), .. } if is_it(reason)))
}

/// Whether the host has a label of more than 1,000 characters that are not all ASCII, once it is percent-decoded.
fn has_long_label(text: &str) -> bool {
    let host = split::components(text, UserinfoEnd::LastAt).host.unwrap_or_default();
    let domain = percent_decode(host);
    let domain = String::from_utf8_lossy(&domain);
    domain.split('.').any(|label| !label.is_ascii() && label.chars().count() > 1000)
}

/// What conforms by the reference.
fn by_reference(input: &Input) -> Expected {
    match input {
        Input::Parse { input, .. } => {
            Expected::literally(parse(input, None).map_or_else(rejected, |url| Outcome::components(components(&url))))
        }
        // The standard has one algorithm, so it makes no difference whether the resolution is strict.
        Input::Resolve { base, reference, .. } => Expected::literally(resolve(base, reference)),
        Input::Normalize {
            scope: Scope::Scheme,
            uri,
        }
        | Input::RoundTrip { uri } => Expected::literally(normal(uri)),
        Input::Normalize { .. } => no_answer("the URL Standard has one normal form, that of the parser"),
        Input::Equivalent {
            left,
            right,
            rung: Rung::Scheme,
        } => Expected::literally(equivalent(left, right)),
        Input::Equivalent { .. } => no_answer("the URL Standard has one equivalence, that of serialized URLs"),
        Input::Modify { uri, component, value } => modify(uri, *component, value.as_deref()),
        Input::Contract { .. } => Expected::Property(Property::KeepsContracts),
        Input::Compose { .. } => no_answer("the URL Standard makes no URL of components"),
        Input::Relativize { .. } => no_answer("the URL Standard makes no reference of two URLs"),
    }
}

/// The verdict on an answer that is a URL: the standard has one spelling, and a URL may have characters that RFC 3986 does not have.
pub(crate) fn verdict(input: &Input, observed: &Outcome, verdict: Verdict) -> Verdict {
    let (
        Outcome::Accepted {
            value: Value::Uri(text),
        },
        Expected::Outcomes(outcomes),
    ) = (observed, expect(input))
    else {
        return verdict;
    };
    let literal = outcomes.iter().find_map(|one| match &one.outcome {
        Outcome::Accepted {
            value: Value::Uri(expected),
        } => Some(expected),
        _ => None,
    });
    match (literal, verdict) {
        (_, verdict @ Verdict::NotComparable { .. }) | (None, verdict) => verdict,
        // The answer is that to another input, which is its own.
        (
            _,
            verdict @ Verdict::Diverge(Difference {
                kind: DifferenceKind::NotIdempotent,
                ..
            }),
        ) => verdict,
        (Some(expected), _) if expected == text => Verdict::Agree { conforming: None },
        (Some(expected), _) => {
            let [expected, observed] = [expected, text].map(|text| split::components(text, UserinfoEnd::LastAt));
            Verdict::Diverge(Difference {
                kind: DifferenceKind::OtherUri,
                components: ComponentSet::of(|component| expected.text(component) != observed.text(component)),
            })
        }
    }
}

/// The components of the URL that a string is, without a base URL; `None` is failure.
pub fn parsed(text: &str) -> Option<Components> {
    parse(text, None).ok().map(|url| components(&url))
}

/// The validation errors of a parse, or of the reference that is resolved, with their bytes; none for what has no answer.
pub(crate) fn errors(input: &Input) -> Vec<String> {
    let errors = match input {
        Input::Parse { input, .. } => basic_url_parser(input, None).errors,
        Input::Resolve { base, reference, .. } => match parse(base, None) {
            Ok(base) => basic_url_parser(reference, Some(&base)).errors,
            Err(_) => Vec::new(),
        },
        _ => Vec::new(),
    };
    errors.iter().map(ToString::to_string).collect()
}

fn no_answer(reason: &str) -> Expected {
    Expected::NoAnswer {
        reason: reason.to_owned(),
    }
}

/// The URL of a string; else the validation error with which the parser ends, and its byte offset.
fn parse(text: &str, base: Option<&UrlRecord>) -> Result<UrlRecord, (String, Option<usize>)> {
    let parsed = basic_url_parser(text, base);
    let last = parsed.errors.last();
    parsed.url.ok_or_else(|| {
        (
            last.map_or_else(|| "failure".to_owned(), |one| one.error.name().to_owned()),
            last.map(|one| one.offset),
        )
    })
}

fn rejected((reason, offset): (String, Option<usize>)) -> Outcome {
    Outcome::Rejected {
        reason: Some(reason),
        offset,
    }
}

/// The URL of a string as it is serialized.
fn normal(text: &str) -> Outcome {
    parse(text, None).map_or_else(rejected, |url| Outcome::uri(href(&url)))
}

fn resolve(base: &str, reference: &str) -> Outcome {
    match parse(base, None) {
        Ok(base) => parse(reference, Some(&base)).map_or_else(rejected, |url| Outcome::uri(href(&url))),
        Err((reason, _)) => Outcome::rejected(format!("the base: {reason}")),
    }
}

fn equivalent(left: &str, right: &str) -> Outcome {
    match (parse(left, None), parse(right, None)) {
        (Ok(left), Ok(right)) => Outcome::equivalent(equals(&left, &right, UrlFragment::Included)),
        (Err(error), _) | (_, Err(error)) => rejected(error),
    }
}

/// What a setter of the API makes of a URL. It ignores a value that it cannot take: a library may refuse it.
fn modify(uri: &str, component: Component, value: Option<&str>) -> Expected {
    let Ok(mut url) = UrlObject::new(uri, None) else {
        return Expected::literally(normal(uri));
    };
    let before = url.href();
    match (component, value) {
        (Component::Scheme, Some(scheme)) => url.set_protocol(scheme),
        (Component::Userinfo, userinfo) => {
            let userinfo = userinfo.unwrap_or_default();
            let (username, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
            url.set_username(username);
            url.set_password(password);
        }
        (Component::Host, Some(host)) => url.set_hostname(host),
        (Component::Port, port) => url.set_port(port.unwrap_or_default()),
        (Component::Path, Some(path)) => url.set_pathname(path),
        // The setters of the API take an empty value for none.
        (Component::Query | Component::Fragment, Some("")) => {
            return no_answer("a setter of the URL Standard takes an empty value for none");
        }
        (Component::Query, query) => url.set_search(&query.map(|query| format!("?{query}")).unwrap_or_default()),
        (Component::Fragment, fragment) => {
            url.set_hash(&fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default());
        }
        (Component::Scheme | Component::Host | Component::Path, None) | (Component::HostKind, _) => {
            return no_answer("the API of the URL Standard has no such setter");
        }
    }
    let after = url.href();
    // A value that is there already is not ignored.
    let is_ignored = after == before && components(url.record()).text(component) != value;
    let expected = Expected::named("set", Outcome::uri(after));
    match is_ignored {
        true => expected.and("ignored", Outcome::rejected("the setter changes nothing")),
        false => expected,
    }
}

fn href(url: &UrlRecord) -> String {
    serialize(url, UrlFragment::Included)
}

/// The components of a URL, as its serialization has them.
pub fn components(url: &UrlRecord) -> Components {
    let userinfo = match (url.username(), url.password()) {
        ("", "") => None,
        (username, "") => Some(username.to_owned()),
        (username, password) => Some(format!("{username}:{password}")),
    };
    Components {
        scheme: Some(url.scheme().to_owned()),
        userinfo,
        host: url.host().map(ToString::to_string),
        host_kind: url.host().map(|host| match host {
            UrlHost::Ipv4(_) => HostKind::Ipv4,
            UrlHost::Ipv6(_) => HostKind::Ipv6,
            UrlHost::Domain(_) | UrlHost::Opaque(_) | UrlHost::Empty => HostKind::RegName,
        }),
        port: url.port().map(|port| port.to_string()),
        path: serialize_path(url),
        query: url.query().map(str::to_owned),
        fragment: url.fragment().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Rule;

    #[test]
    fn a_label_that_is_too_long_for_idna_has_no_answer() {
        let expected = |host: &str| {
            expect(&Input::Parse {
                rule: Rule::Uri,
                input: format!("http://{host}/"),
            })
        };
        let is_refused = |expected: &Expected| matches!(expected.literal(), Outcome::Rejected { .. });
        assert!(!is_refused(&expected(&"\u{e9}".repeat(1000))));
        for long in ["\u{e9}", "%C3%A9"] {
            assert!(matches!(expected(&long.repeat(1001)), Expected::NoAnswer { .. }));
        }
        // What is refused for another reason is refused.
        assert!(is_refused(&expected("xn--\u{e9}")));
        let long = "a".repeat(1001);
        for host in [
            format!("[{long}"),
            format!("xn--\u{e9}/{long}\u{e9}"),
            format!("{long}.xn--\u{e9}"),
        ] {
            assert!(is_refused(&expected(&host)), "{host}");
        }
    }
}
