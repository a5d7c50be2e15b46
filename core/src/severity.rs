//! The severity of a divergence, computed from what differs.
//!
//! A string that a subject returns is rated by what it means:
//!
//! - A relative reference that `relativize` returns is resolved against the base first (§5.2.2).
//! - What was meant is what a conforming answer says, and for `compose` and `modify` also what the given components say. If the
//!   input is invalid, it is what Appendix B makes of it: invalid or not, every string has five components. The closest one counts.
//! - Both sides are compared in normal form (§6.2.2, §6.2.3): a difference that normalization removes is only spelling.
//!
//! A returned string that is no URI-reference means nothing: that is [`Severity::AcceptedInvalid`].
//!
//! An invalid string that is parsed all the same is compared with Appendix B's split too, in what says where a request goes: its
//! userinfo, host and port.

use std::borrow::Cow;
use std::fmt;

use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::normalize::Parts;
use rfc3986_reference::resolve::{Strictness, resolve};
use serde::{Deserialize, Serialize};

use crate::compare::{Difference, DifferenceKind, Verdict, is_spelled_as_normal, same_normalized, uri_of_iri};
use crate::expect::{Expected, SCHEMES, printed};
use crate::model::{
    Component, ComponentSet, Components, Input, Observed, Operation, Outcome, Reading, Reported, Value,
};
use crate::run::Result;
use crate::screen;
use crate::split::{self, UserinfoEnd, split};

/// How severe a divergence is, the most severe first. The last three are of time and crashes, and have an order of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The userinfo of the base goes to another host.
    Credentials,
    /// The host differs: a checker and a fetcher would go to different places.
    Host,
    /// The scheme or the port differs.
    SchemeOrPort,
    /// The userinfo differs: its boundary with the host is elsewhere.
    Userinfo,
    /// The path differs, after its dot-segments are removed too.
    Path,
    /// The target of a resolution differs in another component.
    Target,
    /// The query, the fragment or the kind of the host differs, or the path before its dot-segments are removed.
    Component,
    /// Equality, hash or order of values break their contract.
    BrokenContract,
    /// An invalid input is accepted, or the returned string is no URI-reference.
    AcceptedInvalid,
    /// A valid input is rejected.
    RejectedValid,
    /// Equivalent URIs are not recognized as such, which §6.1 tolerates.
    FalseNegative,
    /// Only the spelling differs, which normalization (§6.2) removes.
    Normalization,
    /// A crash.
    Crash,
    /// No answer in time.
    Hang,
    /// Time that grows faster than the input.
    Quadratic,
}

impl Severity {
    /// Every severity, the most severe first.
    pub const ALL: [Severity; 15] = [
        Severity::Credentials,
        Severity::Host,
        Severity::SchemeOrPort,
        Severity::Userinfo,
        Severity::Path,
        Severity::Target,
        Severity::Component,
        Severity::BrokenContract,
        Severity::AcceptedInvalid,
        Severity::RejectedValid,
        Severity::FalseNegative,
        Severity::Normalization,
        Severity::Crash,
        Severity::Hang,
        Severity::Quadratic,
    ];

    /// Its name, as the ledger and `results.json` spell it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Credentials => "credentials",
            Severity::Host => "host",
            Severity::SchemeOrPort => "scheme-or-port",
            Severity::Userinfo => "userinfo",
            Severity::Path => "path",
            Severity::Target => "target",
            Severity::Component => "component",
            Severity::BrokenContract => "broken-contract",
            Severity::AcceptedInvalid => "accepted-invalid",
            Severity::RejectedValid => "rejected-valid",
            Severity::FalseNegative => "false-negative",
            Severity::Normalization => "normalization",
            Severity::Crash => "crash",
            Severity::Hang => "hang",
            Severity::Quadratic => "quadratic",
        }
    }

    /// The rule by which it is given, in a sentence.
    pub fn rule(self) -> &'static str {
        match self {
            Severity::Credentials => {
                "the userinfo of the base goes to another host: the answer means a URI with the base's userinfo, which is not \
                 empty, and a host that is not the base's, and no conforming answer has that userinfo with that host"
            }
            Severity::Host => {
                "the host differs (of an invalid input, from that of Appendix B's split): a checker and a fetcher would go to different \
                 places"
            }
            Severity::SchemeOrPort => "the scheme or the port differs",
            Severity::Userinfo => "the userinfo differs: its boundary with the host is elsewhere",
            Severity::Path => "the path differs, after its dot-segments are removed too",
            Severity::Target => "the target of a resolution differs in another component",
            Severity::Component => {
                "the query, the fragment or the kind of the host differs, or the path before its dot-segments are removed"
            }
            Severity::BrokenContract => {
                "equality, hash or order of values break their contract, on which sets, maps and sorting rely; or a URI does not \
                 equal itself"
            }
            Severity::AcceptedInvalid => {
                "an invalid input is accepted, and its userinfo, host and port, or a URI that comes of it, say what the input says; or \
                 the returned string is no URI-reference"
            }
            Severity::RejectedValid => {
                "a valid input is rejected, so that a program cannot use it; or a normal form that the subject itself returned"
            }
            Severity::FalseNegative => "equivalent URIs are not recognized as such, which §6.1 tolerates",
            Severity::Normalization => "only the spelling differs, which normalization removes",
            Severity::Crash => "it crashes",
            Severity::Hang => "it does not answer in time",
            Severity::Quadratic => "its time grows faster than the input",
        }
    }

    /// The sort key by which a gate shows failures: first what sends a request or credentials elsewhere (`credentials`, `host`), then
    /// what stops a program (`crash`, `hang`, `quadratic`), then all others in their order.
    pub fn urgency(self) -> impl Ord + Copy + fmt::Debug + use<> {
        let group = match self {
            Severity::Credentials | Severity::Host => 0,
            Severity::Crash | Severity::Hang | Severity::Quadratic => 1,
            _ => 2,
        };
        (group, self)
    }

    /// The more urgent of the two.
    #[must_use]
    pub fn min_by_urgency(self, other: Severity) -> Severity {
        if other.urgency() < self.urgency() { other } else { self }
    }

    /// The severity of a result; `None` if it does not diverge.
    pub fn of(result: &Result) -> Option<Severity> {
        match &result.verdict {
            Verdict::Diverge(difference) => Some(Severity::of_difference(result, difference)),
            Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
        }
    }

    /// The severity of a result that differs so.
    pub fn of_difference(result: &Result, difference: &Difference) -> Severity {
        match (difference.kind, &result.observed, &result.input) {
            (DifferenceKind::Crashed, ..) => Severity::Crash,
            (DifferenceKind::TimedOut, ..) => Severity::Hang,
            (DifferenceKind::Superlinear, ..) => Severity::Quadratic,
            (
                DifferenceKind::AcceptedInvalid
                | DifferenceKind::InvalidUri
                | DifferenceKind::OtherUri
                | DifferenceKind::NotIdempotent,
                Outcome::Accepted { value: Value::Uri(uri) },
                _,
            ) => of_uri(result, difference, uri),
            (
                DifferenceKind::AcceptedInvalid,
                Outcome::Accepted {
                    value: Value::Components(observed),
                },
                Input::Parse { input, .. },
            ) => match misread(input, observed) {
                components if components.is_empty() => Severity::AcceptedInvalid,
                components => of_components(components, None),
            },
            // No components, of which an invalid string has some.
            (DifferenceKind::AcceptedInvalid | DifferenceKind::InvalidUri, ..) => Severity::AcceptedInvalid,
            // The normal form that the subject returned is refused when it is normalized again.
            (DifferenceKind::RejectedValid | DifferenceKind::NotIdempotent, ..) => Severity::RejectedValid,
            (DifferenceKind::OtherComponents, ..) => of_exposed(result, difference),
            // The components are those of what the references resolve to.
            (DifferenceKind::OtherMeaning | DifferenceKind::OtherUri, ..) => of_components(difference.components, None),
            (DifferenceKind::BrokenContract, ..) => Severity::BrokenContract,
            (DifferenceKind::FalsePositive, _, Input::Equivalent { left, right, .. }) => {
                of_meanings(&normal(&read(left)), &normal(&read(right))).unwrap_or(Severity::Normalization)
            }
            (DifferenceKind::FalseNegative, _, Input::Equivalent { left, right, .. }) if left == right => {
                Severity::BrokenContract
            }
            (DifferenceKind::FalseNegative, ..) => Severity::FalseNegative,
            (DifferenceKind::FalsePositive, ..) => of_components(difference.components, None),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The place of a component in the order of severity.
pub fn rank(component: Component) -> usize {
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

/// By the most severe component; `paths` are those of both sides, if both are known.
fn of_components(components: ComponentSet, paths: Option<(&str, &str)>) -> Severity {
    match components.iter().min_by_key(|component| rank(*component)) {
        Some(Component::Host) => Severity::Host,
        Some(Component::Scheme | Component::Port) => Severity::SchemeOrPort,
        Some(Component::Userinfo) => Severity::Userinfo,
        Some(Component::Path)
            if paths.is_none_or(|(one, other)| remove_dot_segments(one) != remove_dot_segments(other)) =>
        {
            Severity::Path
        }
        Some(Component::Path | Component::Query | Component::Fragment | Component::HostKind) | None => {
            Severity::Component
        }
    }
}

/// Of components that the subject exposed. Differences of spelling only are [`Severity::Normalization`].
fn of_exposed(result: &Result, difference: &Difference) -> Severity {
    let (
        Outcome::Accepted {
            value: Value::Components(expected),
        },
        Outcome::Accepted {
            value: Value::Components(observed),
        },
    ) = (&result.expected.literal(), &result.observed)
    else {
        return of_components(difference.components, None);
    };
    let text = |exposed: &Observed, component: Component| exposed.text(component).as_defined().map(ToString::to_string);
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
    let paths = expected.path.as_defined().zip(observed.path.as_defined());
    of_components(differing, paths.map(|(one, other)| (&**one, &**other)))
}

/// In which parts of the authority the components that a subject reports of an invalid string are not those of Appendix B's split.
///
/// The RFC does not say which of two "@" ends the userinfo: either may. Nor does it say where the port begins in an authority with several ":"
/// or with brackets that are no IP-literal's (§3.2.2): at no ":", at the first or at the last. A component in normal form, percent-encoded (§2.4), or a host without
/// its brackets is the same; so is a component that is undefined where the split has an empty one, and a port that is none where the split has
/// no number.
pub fn misread(input: &str, observed: &Observed) -> ComponentSet {
    let ends = [UserinfoEnd::FirstAt, UserinfoEnd::LastAt];
    let own = ends.map(|end| misread_beside(&split::components(input, end), false, observed));
    let open = || ends.into_iter().flat_map(|end| split::open_readings(input, end));
    if open().any(|split| misread_beside(&split, true, observed).is_empty()) {
        return ComponentSet::default();
    }
    own.into_iter().min_by_key(|set| set.len()).unwrap_or_default()
}

/// In which parts of the authority the components that a subject reports are not those of a split. If it is to be `whole`, no bracket and no
/// port may be missing.
fn misread_beside(split: &Components<&str>, whole: bool, observed: &Observed) -> ComponentSet {
    let brackets: fn(&str) -> &str = if whole { |text| text } else { without_brackets };
    let split = split.map(str::to_owned);
    let encoded = split.percent_encoded();
    let parts = [Component::Userinfo, Component::Host, Component::Port].into_iter();
    let differing = parts.filter(|&component| {
        let reported = match observed.text(component) {
            Reported::Nothing => return false,
            reported => reported.as_defined().map_or("", |text| &**text),
        };
        let is_no_number = |text: &str| !text.bytes().all(|octet| octet.is_ascii_digit());
        let is = |one: &Components| {
            let text = one.text(component).unwrap_or_default();
            is_spelled_as_normal(component, Some(brackets(text)), Some(brackets(reported)))
                || !whole && component == Component::Port && reported.is_empty() && is_no_number(text)
        };
        !is(&split) && !is(&encoded)
    });
    differing.collect()
}

fn without_brackets(text: &str) -> &str {
    text.trim_start_matches('[').trim_end_matches(']')
}

/// Of a string that the subject returned, by what it means beside what was meant.
fn of_uri(result: &Result, difference: &Difference, uri: &str) -> Severity {
    let (if_meant, uri) = match difference.kind {
        DifferenceKind::AcceptedInvalid | DifferenceKind::InvalidUri => (Severity::AcceptedInvalid, Cow::Borrowed(uri)),
        // Compared as a URI, it was one, or an IRI.
        _ => (Severity::Normalization, uri_of_iri(uri)),
    };
    let Some(meaning) = meaning(&result.input, &uri) else {
        return Severity::AcceptedInvalid;
    };
    let meant = meant(result);
    if is_leak(&result.input, &meaning, &meant) {
        return Severity::Credentials;
    }
    let severities = meant.iter().map(|one| of_meanings(one, &meaning).unwrap_or(if_meant));
    match severities.max().unwrap_or_else(|| of_components(difference.components, None)) {
        Severity::Component if result.input.operation() == Operation::Resolve => Severity::Target,
        severity => severity,
    }
}

/// What a returned string means, in normal form; `None` if it is no URI-reference.
fn meaning(input: &Input, uri: &str) -> Option<Components> {
    let reference = screen::reference(uri)?;
    Some(normal(&match input {
        Input::Relativize { base, .. } => resolved(base, uri, Strictness::Strict),
        _ => Components::from(&reference),
    }))
}

/// In which components a string that a subject returned, though there is none to return, means something else than what was meant; of the
/// meanings that there are, the closest one counts. Empty if it is no URI-reference.
pub fn misprinted(result: &Result, uri: &str) -> ComponentSet {
    let Some(meaning) = meaning(&result.input, uri) else {
        return ComponentSet::default();
    };
    let differing = |one: &Components| -> ComponentSet {
        Component::TEXTS.into_iter().filter(|component| !is_same(*component, one, &meaning)).collect()
    };
    meant(result).iter().map(differing).min_by_key(|set| set.len()).unwrap_or_default()
}

/// What the returned string was meant to say, in normal form: what each conforming URI says, else what the input says.
fn meant(result: &Result) -> Vec<Components> {
    let conforming: Vec<Components> = match &result.expected {
        Expected::Outcomes(outcomes) => outcomes
            .iter()
            .filter_map(|one| match &one.outcome {
                Outcome::Accepted { value: Value::Uri(uri) } => Some(read(uri)),
                _ => None,
            })
            .collect(),
        Expected::Property(_) | Expected::NoAnswer { .. } => Vec::new(),
    };
    let given = match &result.input {
        Input::Compose { components } => Some(components.clone()),
        Input::Modify { uri, component, value } => Some(read(uri).with(*component, value.as_deref())),
        Input::Relativize { target, .. } => Some(read(target)),
        Input::Normalize { uri, .. } if conforming.is_empty() => Some(read(uri)),
        Input::Resolve {
            base,
            reference,
            strict,
        } if conforming.is_empty() => {
            let strictness = match strict {
                true => Strictness::Strict,
                false => Strictness::NonStrict,
            };
            Some(resolved(base, reference, strictness))
        }
        _ => None,
    };
    // §2.4: what is not allowed in a component may be percent-encoded.
    let encoded = given.as_ref().map(Components::percent_encoded);
    conforming.iter().chain(&given).chain(&encoded).map(normal).collect()
}

/// Whether the userinfo of the base goes to another host: see [`Severity::rule`].
fn is_leak(input: &Input, meaning: &Components, meant: &[Components]) -> bool {
    let (Input::Resolve { base, .. } | Input::Relativize { base, .. }) = input else {
        return false;
    };
    let base = normal(&read(base));
    let has_same = |one: &Components, component| is_same(component, meaning, one);
    let is_meant = |one: &Components| has_same(one, Component::Userinfo) && has_same(one, Component::Host);
    base.userinfo.as_ref().is_some_and(|userinfo| !userinfo.is_empty())
        && has_same(&base, Component::Userinfo)
        && !has_same(&base, Component::Host)
        && !meant.iter().any(is_meant)
}

/// The severity of what differs between two meanings; `None` if nothing does.
fn of_meanings(one: &Components, other: &Components) -> Option<Severity> {
    let differing = Component::TEXTS.into_iter().filter(|component| !is_same(*component, one, other));
    let differing: ComponentSet = differing.collect();
    let is_relative = |one: &Components| one.scheme.is_none() && !one.path.starts_with('/');
    (!differing.is_empty()).then(|| match (is_relative(one), is_relative(other)) {
        // Each ".." takes a segment of the base away: below enough of them, it shows how many there are.
        (true, true) => {
            let climbs = |path: &str| path.split('/').filter(|segment| *segment == "..").count();
            let folders = format!("/{}", "b/".repeat(climbs(&one.path).max(climbs(&other.path))));
            let paths = [one, other].map(|one| format!("{folders}{}", one.path));
            of_components(differing, Some((&paths[0], &paths[1])))
        }
        _ => of_components(differing, Some((&one.path, &other.path))),
    })
}

/// Whether two normal forms have the same component. A relative reference has no normal form: there the spelling may differ.
fn is_same(component: Component, one: &Components, other: &Components) -> bool {
    let (one, other) = (one.text(component), other.text(component));
    is_spelled_as_normal(component, one, other) || is_spelled_as_normal(component, other, one)
}

/// The components of a string, which need not be a URI-reference.
fn read(text: &str) -> Components {
    match screen::reference(text) {
        Some(reference) => Components::from(&reference),
        None => split::components(text, UserinfoEnd::FirstAt).map(str::to_owned),
    }
}

/// What a reference resolves to; neither need be valid.
fn resolved(base: &str, reference: &str, strictness: Strictness) -> Components {
    let target = resolve(&split(base), &split(reference), strictness, Reading::Rfc3986).target;
    read(&printed(&target))
}

/// Components in normal form (§6.2.2, §6.2.3), "/" for an empty path behind an authority; those of a relative reference as they are.
fn normal(components: &Components) -> Components {
    let mut normal = components.clone();
    if let Some(scheme) = &components.scheme {
        let mut parts = Parts {
            scheme: scheme.into(),
            userinfo: components.userinfo.as_deref().map(Cow::from),
            host: components.host.as_deref().map(Cow::from),
            port: components.port.as_deref(),
            path: Cow::from(&components.path),
            query: components.query.as_deref().map(Cow::from),
            fragment: components.fragment.as_deref().map(Cow::from),
        };
        parts.normalize_scheme(&SCHEMES);
        normal = Components {
            scheme: Some(parts.scheme.into_owned()),
            userinfo: parts.userinfo.map(Cow::into_owned),
            host: parts.host.map(Cow::into_owned),
            host_kind: None,
            port: parts.port.map(str::to_owned),
            path: parts.path.into_owned(),
            query: parts.query.map(Cow::into_owned),
            fragment: parts.fragment.map(Cow::into_owned),
        };
    }
    if normal.host.is_some() && normal.path.is_empty() {
        normal.path.push('/');
    }
    normal
}
