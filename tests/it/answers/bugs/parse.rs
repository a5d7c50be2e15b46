//! What goes wrong in parsing.

use uriproof::model::{Input, Observed, Operation, Outcome, Reported};

use super::{
    ASYNC_COAP, Bug, FLUENT_0_1, HTTP, ONI_COMB, RFC2396, RHYMURI, ROCKET, URIPARSE, URIS, URL, URLPARSE, URLSPLIT,
    WEB_URL, WINNOW, bug, of_path, refused_if, text,
};
use crate::mutants::with_components;

pub(super) const BUGS: &[Bug] = &[
    bug(
        "takes the userinfo for the host",
        URL,
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |it| {
                if let Some(userinfo) = text(&it.userinfo).filter(|userinfo| !userinfo.is_empty()) {
                    it.host = Reported::Defined(userinfo);
                }
            })
        },
    ),
    bug(
        "loses a port behind a userinfo",
        URLPARSE,
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |it| {
                if text(&it.userinfo).is_some() && text(&it.port).is_some() {
                    it.port = Reported::Undefined;
                }
            })
        },
    ),
    bug(
        "loses the query behind a path with %",
        HTTP,
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |it| {
                if text(&it.path).is_some_and(|path| path.contains('%')) && text(&it.query).is_some() {
                    it.query = Reported::Undefined;
                }
            })
        },
    ),
    bug(
        "loses the fragment behind a query",
        RHYMURI,
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |it| {
                if text(&it.query).is_some() && text(&it.fragment).is_some() {
                    it.fragment = Reported::Undefined;
                }
            })
        },
    ),
    bug("cuts a host at a %", URIS, Operation::Parse, |_, outcome| {
        with_components(outcome, |it| {
            if let Some((before, _)) = text(&it.host).as_deref().and_then(|host| host.split_once('%')) {
                it.host = Reported::Defined(before.to_owned());
            }
        })
    }),
    bug("reads the port backwards", URLSPLIT, Operation::Parse, |_, outcome| {
        with_components(outcome, |it| {
            if let Some(port) = text(&it.port) {
                it.port = Reported::Defined(port.chars().rev().collect());
            }
        })
    }),
    bug(
        "refuses an invalid reference with [",
        ASYNC_COAP,
        Operation::Parse,
        |input, outcome| refused_if(input, outcome, |text| text.contains('[')),
    ),
    bug(
        "takes a long scheme that it refused",
        ROCKET,
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { input, .. } if outcome.is_accepted() == Some(false) && input.contains("://") => {
                Outcome::components(Observed::default())
            }
            _ => outcome,
        },
    ),
    bug(
        "takes a last label off the host",
        WEB_URL,
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |it| {
                if let Some((before, _)) = text(&it.host).as_deref().and_then(|host| host.rsplit_once('.')) {
                    it.host = Reported::Defined(before.to_owned());
                }
            })
        },
    ),
    bug(
        "panics at a ] that it took",
        URIPARSE,
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { input, .. } if input.contains(']') => Outcome::Crashed {
                reason: "index out of bounds (planted.rs:1)".to_owned(),
            },
            _ => outcome,
        },
    ),
    bug(
        "takes an IPvFuture that it refused",
        FLUENT_0_1,
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { input, .. } if input.contains("[v") => of_path(input),
            _ => outcome,
        },
    ),
    bug(
        "takes what it refused",
        WINNOW,
        Operation::Parse,
        |input, outcome| match input {
            Input::Parse { input, .. } => of_path(input),
            _ => outcome,
        },
    ),
    bug(
        "takes a path that it misread for the host",
        ONI_COMB,
        Operation::Parse,
        |_, outcome| {
            with_components(outcome, |it| {
                if let Some(path) = text(&it.path).filter(|path| path.starts_with("//")) {
                    it.host = Reported::Defined(path);
                }
            })
        },
    ),
    bug(
        "panics at a registry name that it took",
        RFC2396,
        Operation::Parse,
        |_, outcome| match outcome.is_accepted() {
            Some(true) => Outcome::Crashed {
                reason: "no port (planted.rs:2)".to_owned(),
            },
            _ => outcome,
        },
    ),
];
