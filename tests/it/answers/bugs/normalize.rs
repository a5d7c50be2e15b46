//! What goes wrong in normalizing.

use uriproof::model::{Input, Operation, Outcome};

use super::{Bug, FLUENT, URIPARSE, URIPARSE_URI, URIS, URL, WEB_URL, bug, drop_segment, of_uri, replaced, with_text};

pub(super) const BUGS: &[Bug] = &[
    bug(
        "loses the last segment in a normal form",
        URL,
        Operation::Normalize,
        |_, outcome| of_uri(outcome, drop_segment),
    ),
    bug(
        "decodes %2F in a normal form",
        URIPARSE,
        Operation::Normalize,
        |_, outcome| replaced(outcome, "%2F", "/"),
    ),
    bug(
        "loses a port in a normal form",
        URIPARSE_URI,
        Operation::Normalize,
        |_, outcome| of_uri(outcome, |uri| uri.port = None),
    ),
    bug(
        "loses a userinfo in a normal form",
        URIS,
        Operation::Normalize,
        |_, outcome| of_uri(outcome, |uri| uri.userinfo = None),
    ),
    bug(
        "takes a userinfo that it refused to normalize",
        WEB_URL,
        Operation::Normalize,
        |input, outcome| match input {
            Input::Normalize { uri, .. } if outcome.is_accepted() == Some(false) && uri.contains('@') => {
                Outcome::uri(uri)
            }
            _ => outcome,
        },
    ),
    bug(
        "loses the query of a normal form",
        FLUENT,
        Operation::Normalize,
        |_, outcome| with_text(outcome, |uri| uri.split('?').next().unwrap_or_default().to_owned()),
    ),
    bug(
        "loses the port after an IPv6 address",
        FLUENT,
        Operation::Normalize,
        |_, outcome| {
            with_text(outcome, |uri| match uri.split_once("]:") {
                Some((before, after)) => {
                    let rest = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
                    format!("{before}]{rest}")
                }
                None => uri.to_owned(),
            })
        },
    ),
    bug(
        "gives a normal form another scheme",
        FLUENT,
        Operation::Normalize,
        |_, outcome| replaced(outcome, "file:", "data:"),
    ),
];
