//! Bugs that act only where their subject diverges already: each changes an answer in a narrow case, as a new release might.

mod compare;
mod compose;
mod normalize;
mod parse;
mod resolve;

use uriproof::compare::Verdict;
use uriproof::model::{Components, Declaration, Input, Observed, Operation, Outcome, Reported, Rule, Subject, Value};
use uriproof::run;
use uriproof::split::{self, UserinfoEnd};
use uriproof_subjects::SUBJECTS;

use crate::mutants::Twist;

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
const FLUENT: &str = "fluent-uri 0.4.1 UriRef::parse";
const FLUENT_0_1: &str = "fluent-uri 0.1.4 Uri::parse";
const HTTP: &str = "http 1.5.0 Uri::from_str";
const IREF: &str = "iref 5.0.0 UriRef::new";
const IREF_URI: &str = "iref 5.0.0 Uri::new";
const IRI_RS: &str = "iri-rs 3.4.1 UriRef::parse";
const IRI_RS_URI: &str = "iri-rs 3.4.1 Uri::parse";
const IRI_STRING: &str = "iri-string 0.7.14 UriStr::new";
const ONI_COMB: &str = "oni-comb-uri-rs 0.2.801 Uri::parse";
const OXIRI: &str = "oxiri 0.3.1 IriRef::parse";
const RFC2396: &str = "rfc2396 1.1.0 validate";
const RHYMURI: &str = "rhymuri 1.3.1 Uri::parse";
const ROCKET: &str = "rocket_http 0.5.2 Reference::parse";
const SOPHIA: &str = "sophia_iri 0.10.0 BaseIriRef::new";
const URIPARSE: &str = "uriparse 0.6.4 URIReference::try_from";
const URIPARSE_URI: &str = "uriparse 0.6.4 URI::try_from";
pub(super) const URIS: &str = "uris 0.1.1 Uri::parse";
const URL: &str = "url 2.5.8 Url::parse";
const URLPARSE: &str = "urlparse 0.7.3 urlparse";
const URLSPLIT: &str = "urlparse-rs 0.1.0 urlsplit";
const WEB_URL: &str = "web-url 0.11.0 WebUrl::from_str";
const WINNOW: &str = "winnow-rfc3986 0.0.3 parse_uri_reference";

/// Every bug.
pub(super) fn bugs() -> Vec<&'static Bug> {
    [
        parse::BUGS,
        resolve::BUGS,
        normalize::BUGS,
        compose::BUGS,
        compare::BUGS,
    ]
    .into_iter()
    .flatten()
    .collect()
}

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
        let bugs = self.bugs.iter().filter(|bug| bug.operation == input.operation());
        let twisted = bugs.fold(outcome.clone(), |outcome, bug| (bug.twist)(input, outcome));
        let acts = || run::unless_agreeing(self.inner, input).is_some_and(|result| diverges(&result));
        if twisted != outcome && acts() { twisted } else { outcome }
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

/// An accepted URI as another text.
fn with_text(outcome: Outcome, change: impl FnOnce(&str) -> String) -> Outcome {
    match &outcome {
        Outcome::Accepted { value: Value::Uri(uri) } => Outcome::uri(change(uri)),
        _ => outcome,
    }
}

fn replaced(outcome: Outcome, from: &str, to: &str) -> Outcome {
    with_text(outcome, |uri| uri.replace(from, to))
}

/// All of an input as a path.
fn of_path(input: &str) -> Outcome {
    Outcome::components(Observed {
        path: Reported::Defined(input.to_owned()),
        ..Observed::default()
    })
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
