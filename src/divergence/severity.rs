//! How much a divergence weighs: computed from what differs, never by hand.

use std::borrow::Cow;
use std::fmt;

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::{Schemes, case_normalization, percent_encoding_normalization, scheme_based};
use serde::{Deserialize, Serialize};

use crate::compare::{Difference, Kind, Verdict, same_normalized};
use crate::model::{Component, ComponentSet, Components, Input, Observed, Operation, Outcome, Reading, Value};
use crate::run::Result;
use crate::screen::split;

/// How much a divergence weighs, the heaviest first. The last three stand on a line of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The host differs: a checker and a fetcher would go to different places.
    Host,
    /// The scheme or the port differs.
    SchemeOrPort,
    /// The userinfo differs: its boundary with the host is elsewhere.
    Userinfo,
    /// The path differs, after its dot-segments are removed too: what lies below a folder.
    Path,
    /// The target of a resolution differs otherwise.
    Target,
    /// The query, the fragment or the kind of the host differs, or the path before its dot-segments are removed.
    Component,
    /// Accepted though invalid, or made though invalid.
    AcceptedInvalid,
    /// Rejected though valid.
    RejectedValid,
    /// Only the spelling differs, which normalization (§6.2) takes away; or a comparison is not what it promises.
    Normalization,
    /// A crash.
    Crash,
    /// No answer in time.
    Hang,
    /// Time that grows faster than the input.
    Quadratic,
}

impl Severity {
    /// Every severity, the heaviest first.
    pub const ALL: [Severity; 12] = [
        Severity::Host,
        Severity::SchemeOrPort,
        Severity::Userinfo,
        Severity::Path,
        Severity::Target,
        Severity::Component,
        Severity::AcceptedInvalid,
        Severity::RejectedValid,
        Severity::Normalization,
        Severity::Crash,
        Severity::Hang,
        Severity::Quadratic,
    ];

    /// Its name, as the ledger and `results.json` spell it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Host => "host",
            Severity::SchemeOrPort => "scheme-or-port",
            Severity::Userinfo => "userinfo",
            Severity::Path => "path",
            Severity::Target => "target",
            Severity::Component => "component",
            Severity::AcceptedInvalid => "accepted-invalid",
            Severity::RejectedValid => "rejected-valid",
            Severity::Normalization => "normalization",
            Severity::Crash => "crash",
            Severity::Hang => "hang",
            Severity::Quadratic => "quadratic",
        }
    }

    /// The rule by which it is given, in a sentence.
    pub fn rule(self) -> &'static str {
        match self {
            Severity::Host => "the host differs: a checker and a fetcher would go to different places",
            Severity::SchemeOrPort => "the scheme or the port differs",
            Severity::Userinfo => "the userinfo differs: its boundary with the host is elsewhere",
            Severity::Path => "the path differs, after its dot-segments are removed too",
            Severity::Target => "the target of a resolution differs otherwise",
            Severity::Component => {
                "the query, the fragment or the kind of the host differs, or the path before its dot-segments are removed"
            }
            Severity::AcceptedInvalid => "accepted, or made, though it is invalid",
            Severity::RejectedValid => "rejected though it is valid",
            Severity::Normalization => {
                "only the spelling differs, which normalization takes away, or a comparison is not what it promises"
            }
            Severity::Crash => "it crashes",
            Severity::Hang => "it does not answer in time",
            Severity::Quadratic => "its time grows faster than the input",
        }
    }

    /// The severity of a result; none if it does not diverge.
    pub fn of(result: &Result) -> Option<Severity> {
        let Verdict::Diverge(difference) = &result.verdict else {
            return None;
        };
        Some(match difference.kind {
            Kind::Crashed => Severity::Crash,
            Kind::TimedOut => Severity::Hang,
            Kind::Superlinear => Severity::Quadratic,
            Kind::AcceptedInvalid | Kind::InvalidUri => Severity::AcceptedInvalid,
            Kind::RejectedValid => Severity::RejectedValid,
            Kind::OtherComponents => of_told(result, difference),
            Kind::OtherUri => of_uri(result, difference),
            // What differs stands in what the references resolve to.
            Kind::OtherMeaning => of_components(difference, None),
            Kind::FalsePositive => of_equivalence(&result.input),
            Kind::FalseNegative | Kind::BrokenContract | Kind::NotIdempotent => Severity::Normalization,
        })
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The place of a component in the order of severity.
pub(super) fn rank(component: Component) -> usize {
    match component {
        Component::Host => 0,
        Component::Scheme => 1,
        Component::Port => 2,
        Component::Userinfo => 3,
        Component::Path => 4,
        Component::Query => 5,
        Component::Fragment => 6,
        Component::HostKind => 7,
    }
}

/// By the component that weighs most; `paths` are those of both sides.
fn of_components(difference: &Difference, paths: Option<(String, String)>) -> Severity {
    match difference.components.iter().min_by_key(|component| rank(*component)) {
        Some(Component::Host) => Severity::Host,
        Some(Component::Scheme | Component::Port) => Severity::SchemeOrPort,
        Some(Component::Userinfo) => Severity::Userinfo,
        Some(Component::Path)
            if paths.is_none_or(|(one, other)| remove_dot_segments(&one) != remove_dot_segments(&other)) =>
        {
            Severity::Path
        }
        Some(Component::Path | Component::Query | Component::Fragment | Component::HostKind) | None => {
            Severity::Component
        }
    }
}

/// The paths that were expected and told.
fn paths(result: &Result) -> Option<(String, String)> {
    let path = |outcome: &Outcome| match outcome {
        Outcome::Accepted {
            value: Value::Components(components),
        } => components.path.as_defined().cloned(),
        Outcome::Accepted { value: Value::Uri(uri) } => Some(split(uri).path.into_owned()),
        _ => None,
    };
    Some((path(&result.expected.literal())?, path(&result.observed)?))
}

/// Of components as they were told: what differs in its spelling only weighs little.
fn of_told(result: &Result, difference: &Difference) -> Severity {
    if let Outcome::Accepted {
        value: Value::Components(expected),
    } = &result.expected.literal()
        && let Outcome::Accepted {
            value: Value::Components(observed),
        } = &result.observed
    {
        let text = |told: &Observed, component: Component| told.text(component).as_defined().map(ToString::to_string);
        let is_same = |component: Component| {
            let (one, other) = (text(expected, component), text(observed, component));
            match component {
                // §6.2.3: behind an authority an empty path is a path of "/".
                Component::Path if text(expected, Component::Host).is_some() => {
                    one == other || [&one, &other].iter().all(|path| matches!(path.as_deref(), Some("" | "/")))
                }
                Component::Scheme => one.map(|text| text.to_lowercase()) == other.map(|text| text.to_lowercase()),
                _ => same_normalized(component, one.as_deref(), other.as_deref()),
            }
        };
        let differing = difference.components.filter(|component| !is_same(component));
        if differing.is_empty() {
            return Severity::Normalization;
        }
        let difference = Difference {
            kind: difference.kind,
            components: differing,
        };
        return of_components(&difference, paths(result));
    }
    of_components(difference, paths(result))
}

fn of_uri(result: &Result, difference: &Difference) -> Severity {
    let mut difference = *difference;
    if let Outcome::Accepted {
        value: Value::Uri(expected),
    } = &result.expected.literal()
        && let Outcome::Accepted {
            value: Value::Uri(observed),
        } = &result.observed
        && let Some(differing) = differing(expected, observed)
    {
        if differing.is_empty() {
            return Severity::Normalization;
        }
        difference.components = differing;
    }
    match of_components(&difference, paths(result)) {
        Severity::Component if result.input.operation() == Operation::Resolve => Severity::Target,
        severity => severity,
    }
}

/// Of two URIs that are taken for equivalent, by what differs between them.
fn of_equivalence(input: &Input) -> Severity {
    let Input::Equivalent { left, right, .. } = input else {
        return Severity::Normalization;
    };
    match differing(left, right) {
        Some(components) if !components.is_empty() => {
            let difference = Difference {
                kind: Kind::OtherComponents,
                components,
            };
            let paths = (split(left).path.into_owned(), split(right).path.into_owned());
            of_components(&difference, Some(paths))
        }
        Some(_) | None => Severity::Normalization,
    }
}

/// The components in which two URIs differ beyond their spelling: after normalization (§6.2.2, §6.2.3), addresses and
/// ports by value, and "/" for an empty path behind an authority. None if one is no URI-reference.
fn differing(one: &str, other: &str) -> Option<ComponentSet> {
    let components = |uri: &str| {
        let normal = scheme_based(uri, &Schemes::default(), Reading::Rfc3986).or_else(|_| {
            // A relative reference has no normal form, but letters and triplets have.
            let decoded = percent_encoding_normalization(uri, Reading::Rfc3986)?;
            case_normalization(&decoded, Reading::Rfc3986)
        });
        let normal = normal.map_or(Cow::Borrowed(uri), Cow::Owned);
        let reference = rfc3986_reference::components::parse(&normal, Reading::Rfc3986).ok()?;
        let mut components = Components::from(&reference);
        if components.host.is_some() && components.path.is_empty() {
            components.path.push('/');
        }
        Some(components)
    };
    let (one, other) = (components(one)?, components(other)?);
    let differ = |component: &Component| !same_normalized(*component, one.text(*component), other.text(*component));
    Some(Component::ALL.into_iter().filter(differ).collect())
}
