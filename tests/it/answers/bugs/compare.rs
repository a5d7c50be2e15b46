//! What goes wrong in comparing and in making relative.

use uriproof::model::{Contract, Input, Operation, Outcome, Value};

use super::{ASYNC_COAP_URI, Bug, IREF, IREF_URI, IRI_RS, IRI_RS_URI, RHYMURI, bug, compared, of_uri};

pub(super) const BUGS: &[Bug] = &[
    bug(
        "compares two with a % the other way",
        RHYMURI,
        Operation::Equivalent,
        |input, outcome| compared(input, outcome, |left, right| left.contains('%') && right.contains('%')),
    ),
    bug(
        "compares two with a userinfo the other way",
        ASYNC_COAP_URI,
        Operation::Equivalent,
        |input, outcome| compared(input, outcome, |left, right| left.contains('@') && right.contains('@')),
    ),
    bug(
        "refuses to compare with an invalid port",
        IREF,
        Operation::Equivalent,
        |input, outcome| match input {
            Input::Equivalent { left, .. } if left.contains(":80") => Outcome::rejected("planted"),
            _ => outcome,
        },
    ),
    bug(
        "refuses to compare paths with dots",
        IRI_RS,
        Operation::Equivalent,
        |input, outcome| match input {
            Input::Equivalent { left, right, .. } if left.contains('.') || right.contains('.') => {
                Outcome::rejected("planted")
            }
            _ => outcome,
        },
    ),
    bug(
        "leads to the parent of the target",
        IREF_URI,
        Operation::Relativize,
        |_, outcome| of_uri(outcome, |uri| uri.path = format!("../{}", uri.path)),
    ),
    bug(
        "leads to the parent of the target",
        IRI_RS_URI,
        Operation::Relativize,
        |_, outcome| of_uri(outcome, |uri| uri.path = format!("../{}", uri.path)),
    ),
    bug(
        "hashes what is equal differently",
        IRI_RS,
        Operation::Contract,
        |_, outcome| match &outcome {
            Outcome::Accepted {
                value: Value::Broken(broken),
            } if !broken.is_empty() => Outcome::broken([&broken[..], &[Contract::Hash]].concat()),
            _ => outcome,
        },
    ),
];
