//! Bugs that reports show where a URI-reference is written from its components.

use rfc3986_reference::grammar;
use uriproof::model::{Component, Components, Input, Operation, Outcome};

use super::{Bug, bug};
use crate::mutants::{components, reference, with_uri};

/// In the order of the reports.
pub(super) const BUGS: &[Bug] = &[
    bug(
        "prints no slashes before an authority without a scheme",
        Operation::RoundTrip,
        |input, outcome| match input {
            Input::RoundTrip { uri } => match (components(uri), uri.strip_prefix("//")) {
                (Some(parsed), Some(rest)) if parsed.scheme.is_none() && parsed.host.as_deref() != Some("") => {
                    Outcome::uri(rest)
                }
                _ => outcome,
            },
            _ => outcome,
        },
    ),
    bug(
        "prints no slash where it is the whole path",
        Operation::RoundTrip,
        |_, outcome| {
            with_uri(outcome, |uri| {
                if uri.host.is_some() && uri.path == "/" && uri.query.is_none() && uri.fragment.is_none() {
                    uri.path.clear();
                }
            })
        },
    ),
    bug(
        "sets a path that begins with two slashes without an authority",
        Operation::Modify,
        |input, outcome| {
            set_unchecked(input, outcome, |uri, component, value| {
                component == Component::Path && uri.host.is_none() && value.starts_with("//")
            })
        },
    ),
    bug("sets a host with an at sign", Operation::Modify, |input, outcome| {
        set_unchecked(input, outcome, |_, component, value| {
            component == Component::Host && value.contains('@')
        })
    }),
    bug(
        "writes triplets of what is given in small letters",
        Operation::Modify,
        |input, outcome| match (input, &outcome) {
            (Input::Modify { uri, component, value }, Outcome::Rejected { .. }) => {
                let Some(given) = components(uri) else {
                    return outcome;
                };
                let encoded = given.with(*component, value.as_deref()).percent_encoded();
                match reference(&Input::Compose { components: encoded }) {
                    Outcome::Accepted { .. } => small_triplets(uri, *component, value.as_deref()),
                    _ => outcome,
                }
            }
            _ => outcome,
        },
    ),
    bug(
        "composes a path that begins with two slashes alone",
        Operation::Compose,
        |input, outcome| match input {
            Input::Compose { components: given }
                if matches!(outcome, Outcome::Rejected { .. })
                    && given.scheme.is_none()
                    && given.authority().is_none()
                    && given.path.starts_with("//")
                    && grammar::path(&given.path).is_ok() =>
            {
                Outcome::uri(given.recompose())
            }
            _ => outcome,
        },
    ),
];

/// Sets a component unchecked, where the reference refuses it.
fn set_unchecked(
    input: &Input,
    outcome: Outcome,
    is_such: impl FnOnce(&Components, Component, &str) -> bool,
) -> Outcome {
    match (input, &outcome) {
        (
            Input::Modify {
                uri,
                component,
                value: Some(value),
            },
            Outcome::Rejected { .. },
        ) => match components(uri) {
            Some(given) if is_such(&given, *component, value) => {
                Outcome::uri(given.with(*component, Some(value)).recompose())
            }
            _ => outcome,
        },
        _ => outcome,
    }
}

/// A component set to what is given as data, its triplets in small letters.
fn small_triplets(uri: &str, component: Component, value: Option<&str>) -> Outcome {
    let given = components(uri).expect("a URI-reference").with(component, value);
    let mut encoded = given.percent_encoded();
    if let Some(text) = encoded.text(component).map(str::to_owned) {
        let triplets = text.match_indices('%').filter_map(|(at, _)| text.get(at..at + 3));
        let small = triplets.fold(text.clone(), |small, triplet| {
            small.replace(triplet, &triplet.to_ascii_lowercase())
        });
        encoded = encoded.with(component, Some(&small));
    }
    Outcome::uri(encoded.recompose())
}
