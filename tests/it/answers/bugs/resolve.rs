//! What goes wrong in resolving.

use uriproof::model::{Input, Operation, Outcome};

use super::{
    ASYNC_COAP_URI, Bug, FLUENT, IREF_URI, OXIRI, RHYMURI, SOPHIA, URIPARSE_URI, URL, URLSPLIT, bug, drop_segment,
    of_uri, with_text,
};

pub(super) const BUGS: &[Bug] = &[
    bug("loses the query of a target", URL, Operation::Resolve, |_, outcome| {
        of_uri(outcome, |uri| uri.query = None)
    }),
    bug(
        "keeps a userinfo as host of a target",
        URLSPLIT,
        Operation::Resolve,
        |_, outcome| {
            of_uri(outcome, |uri| {
                if let Some(userinfo) = uri.userinfo.take() {
                    uri.host = Some(userinfo);
                }
            })
        },
    ),
    bug(
        "loses the last segment of a target",
        RHYMURI,
        Operation::Resolve,
        |_, outcome| of_uri(outcome, drop_segment),
    ),
    bug(
        "gives the base for a reference with ?",
        URIPARSE_URI,
        Operation::Resolve,
        |input, outcome| match input {
            Input::Resolve { base, reference, .. } if reference.starts_with('?') => Outcome::uri(base),
            _ => outcome,
        },
    ),
    bug(
        "gives a target an empty fragment",
        ASYNC_COAP_URI,
        Operation::Resolve,
        |_, outcome| {
            of_uri(outcome, |uri| {
                if uri.fragment.is_none() {
                    uri.fragment = Some(String::new());
                }
            })
        },
    ),
    bug(
        "refuses a target with .. in its base",
        IREF_URI,
        Operation::Resolve,
        |input, outcome| match input {
            Input::Resolve { base, .. } if base.contains("..") => Outcome::rejected("planted"),
            _ => outcome,
        },
    ),
    bug(
        "gives the reference for a target that it refused",
        FLUENT,
        Operation::Resolve,
        |input, outcome| match (input, &outcome) {
            (Input::Resolve { reference, .. }, Outcome::Rejected { .. }) => Outcome::uri(reference),
            _ => outcome,
        },
    ),
    bug(
        "joins base and query for a target that it refused",
        FLUENT,
        Operation::Resolve,
        |input, outcome| match (input, &outcome) {
            (Input::Resolve { base, reference, .. }, Outcome::Rejected { .. }) if reference.starts_with('?') => {
                Outcome::uri(format!("{base}{reference}"))
            }
            _ => outcome,
        },
    ),
    bug(
        "loses the last segment of a target",
        SOPHIA,
        Operation::Resolve,
        |_, outcome| of_uri(outcome, drop_segment),
    ),
    bug("loses a dot of a target", OXIRI, Operation::Resolve, |_, outcome| {
        with_text(outcome, |uri| uri.replacen('.', "", 1))
    }),
];
