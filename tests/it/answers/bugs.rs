//! Bugs that act only where their subject diverges already: each changes an answer in a narrow case, as a new release might.

use uriproof::compare::Verdict;
use uriproof::model::{Components, Declaration, Input, Observed, Operation, Outcome, Reported, Rule, Subject, Value};
use uriproof::run;
use uriproof::split::{self, UserinfoEnd};
use uriproof_subjects::SUBJECTS;

use crate::mutants::{Twist, with_components};

/// A bug that is planted in a built-in subject.
pub(super) struct Bug {
    /// What it does.
    pub(super) name: &'static str,
    /// The label of the subject.
    pub(super) subject: &'static str,
    /// The operation in which it shows.
    pub(super) operation: Operation,
    /// What it makes of an answer that diverges.
    pub(super) twist: Twist,
}

const fn bug(name: &'static str, subject: &'static str, operation: Operation, twist: Twist) -> Bug {
    Bug {
        name,
        subject,
        operation,
        twist,
    }
}

const ASYNC_COAP: &str = "async-coap-uri 0.1.0 UriRef::from_str";
const ASYNC_COAP_URI: &str = "async-coap-uri 0.1.0 Uri::from_str";
const HTTP: &str = "http 1.5.0 Uri::from_str";
const IREF: &str = "iref 5.0.0 UriRef::new";
const IREF_URI: &str = "iref 5.0.0 Uri::new";
const IRI_RS: &str = "iri-rs 3.4.1 UriRef::parse";
const RHYMURI: &str = "rhymuri 1.3.1 Uri::parse";
const ROCKET: &str = "rocket_http 0.5.2 Reference::parse";
const URIPARSE: &str = "uriparse 0.6.4 URIReference::try_from";
const URIPARSE_URI: &str = "uriparse 0.6.4 URI::try_from";
pub(super) const URIS: &str = "uris 0.1.1 Uri::parse";
const URL: &str = "url 2.5.8 Url::parse";
const URLPARSE: &str = "urlparse 0.7.3 urlparse";
const URLSPLIT: &str = "urlparse-rs 0.1.0 urlsplit";
const WEB_URL: &str = "web-url 0.11.0 WebUrl::from_str";

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
        "leads to the parent of the target",
        IREF_URI,
        Operation::Relativize,
        |_, outcome| of_uri(outcome, |uri| uri.path = format!("../{}", uri.path)),
    ),
];

/// A built-in subject with bugs that act only where it diverges already.
pub(super) struct Buggy {
    pub(super) inner: &'static dyn Subject,
    bugs: Vec<&'static Bug>,
}

impl Buggy {
    pub(super) fn with(bugs: Vec<&'static Bug>) -> Buggy {
        let inner = subject(bugs[0].subject);
        Buggy { inner, bugs }
    }

    /// The answer with the bugs of its operation.
    fn twisted(&self, input: &Input) -> Outcome {
        let outcome = uriproof::ask::ask(self.inner, input);
        let mut bugs = self.bugs.iter().filter(|bug| bug.operation == input.operation()).peekable();
        if bugs.peek().is_none() || run::unless_agreeing(self.inner, input).is_none_or(|result| !diverges(&result)) {
            return outcome;
        }
        bugs.fold(outcome, |outcome, bug| (bug.twist)(input, outcome))
    }
}

impl Subject for Buggy {
    fn declaration(&self) -> &Declaration {
        self.inner.declaration()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let input = input.to_owned();
        self.twisted(&Input::Parse { rule, input })
    }

    fn answer(&self, input: &Input) -> Outcome {
        self.twisted(input)
    }
}

pub(super) fn diverges(result: &run::Result) -> bool {
    matches!(result.verdict, Verdict::Diverge(_))
}

pub(super) fn subject(label: &str) -> &'static dyn Subject {
    *SUBJECTS.iter().find(|subject| subject.declaration().label() == label).unwrap_or_else(|| panic!("no {label}"))
}

fn text(reported: &Reported<String>) -> Option<String> {
    reported.as_defined().cloned()
}

/// An accepted URI with another component, however invalid it is.
fn of_uri(outcome: Outcome, change: impl FnOnce(&mut Components)) -> Outcome {
    match &outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => {
            let mut components = split::components(uri, UserinfoEnd::LastAt).map(str::to_owned);
            change(&mut components);
            Outcome::uri(components.recompose())
        }
        _ => outcome,
    }
}

fn replaced(outcome: Outcome, from: &str, to: &str) -> Outcome {
    match &outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => Outcome::uri(uri.replace(from, to)),
        _ => outcome,
    }
}

fn drop_segment(uri: &mut Components) {
    if let Some((before, _)) = uri.path.trim_end_matches('/').rsplit_once('/') {
        uri.path = before.to_owned();
    }
}

fn refused_if(input: &Input, outcome: Outcome, is_refused: impl FnOnce(&str) -> bool) -> Outcome {
    match input {
        Input::Parse { input, .. } if is_refused(input) => Outcome::rejected("planted"),
        _ => outcome,
    }
}

/// The other verdict on two that are selected.
fn compared(input: &Input, outcome: Outcome, is_selected: impl FnOnce(&str, &str) -> bool) -> Outcome {
    match (input, &outcome) {
        (
            Input::Equivalent { left, right, .. },
            Outcome::Accepted {
                value: Value::Equivalent(is_equivalent),
            },
        ) if is_selected(left, right) => Outcome::equivalent(!is_equivalent),
        _ => outcome,
    }
}
