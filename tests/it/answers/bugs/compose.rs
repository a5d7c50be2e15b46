//! What goes wrong in composing, changing and printing.

use uriproof::model::{Input, Operation, Outcome};

use super::{Bug, HTTP, IRI_RS, IRI_STRING, ONI_COMB, RHYMURI, URIS, URL, URLPARSE, bug, of_uri, replaced, with_text};

pub(super) const BUGS: &[Bug] = &[
    bug(
        "composes the host twice behind a userinfo",
        URLPARSE,
        Operation::Compose,
        |_, outcome| {
            of_uri(outcome, |uri| {
                if let (Some(_), Some(host)) = (&uri.userinfo, &mut uri.host) {
                    host.push_str(&host.clone());
                }
            })
        },
    ),
    bug(
        "loses a query that it composes",
        HTTP,
        Operation::Compose,
        |_, outcome| of_uri(outcome, |uri| uri.query = None),
    ),
    bug(
        "composes an invalid path without its first /",
        IRI_RS,
        Operation::Compose,
        |_, outcome| of_uri(outcome, |uri| uri.path = uri.path.trim_start_matches('/').to_owned()),
    ),
    bug(
        "loses the fragment of what it composes",
        IRI_STRING,
        Operation::Compose,
        |_, outcome| with_text(outcome, |uri| uri.split('#').next().unwrap_or_default().to_owned()),
    ),
    bug(
        "loses a space of what it composes",
        IRI_STRING,
        Operation::Compose,
        |_, outcome| replaced(outcome, " ", ""),
    ),
    bug(
        "doubles a bracket of what it composes",
        IRI_STRING,
        Operation::Compose,
        |_, outcome| replaced(outcome, "[", "[["),
    ),
    bug(
        "loses the query of what it composes",
        ONI_COMB,
        Operation::Compose,
        |_, outcome| of_uri(outcome, |uri| uri.query = None),
    ),
    bug(
        "sets nothing in a URI with a query",
        URL,
        Operation::Modify,
        |input, outcome| match input {
            Input::Modify { uri, .. } if uri.contains('?') && outcome.is_accepted() == Some(true) => Outcome::uri(uri),
            _ => outcome,
        },
    ),
    bug(
        "refuses to set a value with a %",
        RHYMURI,
        Operation::Modify,
        |input, outcome| match input {
            Input::Modify { value: Some(value), .. } if value.contains('%') => Outcome::rejected("planted"),
            _ => outcome,
        },
    ),
    bug(
        "loses the scheme that it prints",
        URLPARSE,
        Operation::RoundTrip,
        |_, outcome| {
            of_uri(outcome, |uri| {
                if uri.host.is_some() {
                    uri.scheme = None;
                }
            })
        },
    ),
    bug("prints a # as %23", URIS, Operation::RoundTrip, |_, outcome| {
        replaced(outcome, "#", "%23")
    }),
    bug(
        "loses the port that it prints",
        ONI_COMB,
        Operation::RoundTrip,
        |_, outcome| of_uri(outcome, |uri| uri.port = None),
    ),
];
