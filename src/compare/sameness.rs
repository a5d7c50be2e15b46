//! Two URIs as text: whether they are the same, and in which components they differ.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use rfc3986_reference::characters::percent_encode;
use rfc3986_reference::components::parse;
use rfc3986_reference::normalize::scheme_based;

use crate::expect::SCHEMES;
use crate::model::{Component, Components, Forms, Reading};

/// The URI that an IRI maps to (RFC 3987 section 3.1, step 2): characters beyond US-ASCII percent-encoded as UTF-8.
pub(super) fn uri_of_iri(iri: &str) -> Cow<'_, str> {
    if iri.is_ascii() {
        return Cow::Borrowed(iri);
    }
    let mut uri = String::with_capacity(iri.len() * 2);
    for character in iri.chars() {
        if character.is_ascii() {
            uri.push(character);
        } else {
            uri += &percent_encode(character.encode_utf8(&mut [0; 4]).as_bytes(), |_| false);
        }
    }
    Cow::Owned(uri)
}

pub(super) fn same_uri(forms: Forms, expected: &str, observed: &str) -> bool {
    expected == observed || (forms == Forms::Normalized && differing_in_text(forms, expected, observed).is_empty())
}

/// The components in which two URIs differ; all of them where one of the two is no URI-reference.
pub(super) fn differing_in_text(forms: Forms, expected: &str, observed: &str) -> Vec<Component> {
    let components = |text: &str| {
        let text = match forms {
            Forms::Verbatim => Cow::Borrowed(text),
            Forms::Normalized => normalized(text).map_or(Cow::Borrowed(text), Cow::Owned),
        };
        parse(&text, Reading::Rfc3986).ok().map(|reference| Components::from(&reference))
    };
    match (components(expected), components(observed)) {
        (Some(expected), Some(observed)) => Component::ALL
            .into_iter()
            .filter(|&component| match forms {
                Forms::Verbatim => expected.text(component) != observed.text(component),
                Forms::Normalized => !same_normalized(component, expected.text(component), observed.text(component)),
            })
            .collect(),
        _ => Component::ALL.to_vec(),
    }
}

/// The components of a URI that none of several URIs that conform has so: one may be normalized, say, and another as it
/// was. And whether one of those defines the same components. None if the URI is no URI-reference.
pub(super) fn foreign<'a>(
    forms: Forms,
    conforming: impl Iterator<Item = &'a str>,
    observed: &str,
) -> Option<(Vec<Component>, bool)> {
    let components = |text: &str| {
        let text = match forms {
            Forms::Verbatim => Cow::Borrowed(text),
            Forms::Normalized => normalized(text).map_or(Cow::Borrowed(text), Cow::Owned),
        };
        parse(&text, Reading::Rfc3986).ok().map(|reference| Components::from(&reference))
    };
    let observed = components(observed)?;
    let defined = |components: &Components| Component::ALL.map(|component| components.text(component).is_some());
    let all: Vec<Components> = conforming.filter_map(components).collect();
    let alike: Vec<&Components> = all.iter().filter(|one| defined(one) == defined(&observed)).collect();
    let has_alike = !alike.is_empty();
    let among = if has_alike { alike } else { all.iter().collect() };
    let is_foreign = |component: &Component| {
        let observed = observed.text(*component);
        !among.iter().any(|one| match forms {
            Forms::Verbatim => one.text(*component) == observed,
            Forms::Normalized => same_normalized(*component, one.text(*component), observed),
        })
    };
    Some((Component::ALL.into_iter().filter(is_foreign).collect(), has_alike))
}

pub(super) fn normalized(uri: &str) -> Option<String> {
    scheme_based(uri, &SCHEMES, Reading::Rfc3986).ok()
}

/// Equality of components of normal forms: IPv6 addresses and ports by value.
pub fn same_normalized(component: Component, expected: Option<&str>, observed: Option<&str>) -> bool {
    match (component, expected, observed) {
        (Component::Host, Some(expected), Some(observed)) => same_host(expected, observed),
        (Component::Port, expected, observed) => significant_digits(expected) == significant_digits(observed),
        (_, expected, observed) => expected == observed,
    }
}

pub(super) fn same_host(expected: &str, observed: &str) -> bool {
    let address = |host: &str| host.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    expected.eq_ignore_ascii_case(observed)
        || address(expected).is_some_and(|expected| Some(expected) == address(observed))
}

/// Digits without leading zeros; `None` for no digits at all.
pub(super) fn significant_digits(port: Option<&str>) -> Option<&str> {
    let port = port?;
    if port.is_empty() {
        return None;
    }
    Some(port.trim_start_matches('0'))
}
