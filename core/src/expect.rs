//! What RFC 3986 expects of an input: every outcome that conforms, from the reference or from a vector.
pub mod licences;
mod resolution;

use std::borrow::Cow;
use std::fmt;
use std::net::Ipv6Addr;
use std::sync::LazyLock;

use rfc3986_reference::components::{self, ReferenceRule};
use rfc3986_reference::dot_segments::remove_dot_segments;
use rfc3986_reference::elements::{Elements, ElementsError, resolve_through_elements};
use rfc3986_reference::equivalence::{self, EquivalenceError};
use rfc3986_reference::grammar;
use rfc3986_reference::normalize::{self, Schemes};
use rfc3986_reference::recompose::{compose, recompose};
use rfc3986_reference::resolve::Strictness;

pub(crate) use self::resolution::{
    LiteralResolution, decode_dot_segments_of, has_dot_segments, is_dots, printed, scheme_based,
};
use crate::model::{
    Component, Components, Expectation, Input, Observed, Outcome, Quoted, Reading, Rule, Rung, Scope, Value,
    authority_of,
};
use crate::screen;

/// The schemes whose rules count, made once.
pub static SCHEMES: LazyLock<Schemes> = LazyLock::new(Schemes::default);

/// What is expected of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// One of these outcomes, the literal one first; never empty.
    Outcomes(Vec<Conforming>),
    /// Whatever has this property.
    Property(Property),
    /// Nothing: the RFC has no single answer, for this reason.
    NoAnswer {
        /// Why, with its section.
        reason: String,
    },
}

/// An outcome that conforms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conforming {
    /// What sets it apart from the others: `literal`, `slash-dot`.
    pub name: Cow<'static, str>,
    /// The outcome.
    pub outcome: Outcome,
}

/// What an answer must be where many conform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// A reference whose strict resolution against `base` is `target`, its dot-segments removed or not (§5.2.2, §5.3).
    ResolvesTo {
        /// The base.
        base: String,
        /// The target.
        target: String,
    },
    /// A reference of the same kind that resolves to an equivalent of what `reference` resolves to, whatever the base.
    MeansTheSame {
        /// A relative reference.
        reference: String,
        /// The normalization that was requested.
        scope: Scope,
    },
    /// No contract of equality, hash and order is broken.
    KeepsContracts,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Property::ResolvesTo { base, target } => {
                write!(f, "what resolves to {} against {}", Quoted(target), Quoted(base))
            }
            Property::MeansTheSame { reference, .. } => write!(f, "what means the same as {}", Quoted(reference)),
            Property::KeepsContracts => f.write_str("no contract broken"),
        }
    }
}

impl Expected {
    /// That one outcome.
    pub fn literally(outcome: Outcome) -> Expected {
        Expected::named("literal", outcome)
    }

    /// That one outcome, by this name.
    fn named(name: &'static str, outcome: Outcome) -> Expected {
        Expected::Outcomes(vec![Conforming {
            name: Cow::Borrowed(name),
            outcome,
        }])
    }

    /// The first outcome, which follows the text word for word; if the RFC has no answer, `unsupported`.
    pub fn literal(&self) -> Outcome {
        match self {
            Expected::Outcomes(outcomes) => outcomes[0].outcome.clone(),
            // "if defined(R.scheme)": a URI resolves to itself, whatever the base (§5.2.2).
            Expected::Property(Property::ResolvesTo { base, target }) if is_uri(base) && is_uri(target) => {
                Outcome::uri(target)
            }
            Expected::Property(Property::ResolvesTo { .. }) => {
                Outcome::rejected("base and target are to be URIs (§5.2.1)")
            }
            Expected::Property(Property::MeansTheSame { .. }) => Outcome::unsupported(RELATIVE_NORMAL_FORM),
            Expected::Property(Property::KeepsContracts) => Outcome::broken([]),
            Expected::NoAnswer { reason } => Outcome::unsupported(reason.clone()),
        }
    }

    /// Whether what is expected of a string as a URI-reference is expected of it as `rule` too: it matches both.
    pub(crate) fn holds_for(&self, rule: Rule) -> bool {
        let Expected::Outcomes(outcomes) = self else {
            return false;
        };
        let [
            Conforming {
                outcome: Outcome::Accepted {
                    value: Value::Components(components),
                },
                ..
            },
        ] = outcomes.as_slice()
        else {
            return false;
        };
        components.are_of(rule)
    }

    /// As [`literal`](Expected::literal), without a copy of the outcome.
    pub fn into_literal(self) -> Outcome {
        match self {
            Expected::Outcomes(mut outcomes) => outcomes.swap_remove(0).outcome,
            other => other.literal(),
        }
    }

    fn and(mut self, name: &'static str, outcome: Outcome) -> Expected {
        match &mut self {
            Expected::Outcomes(outcomes) if outcomes.iter().all(|known| known.outcome != outcome) => {
                outcomes.push(Conforming {
                    name: Cow::Borrowed(name),
                    outcome,
                });
            }
            Expected::Outcomes(_) | Expected::Property(_) | Expected::NoAnswer { .. } => {}
        }
        self
    }
}

/// Whether `text` is a URI, not a relative reference.
pub(crate) fn is_uri(text: &str) -> bool {
    screen::reference(text).is_some_and(|reference| reference.components.scheme.is_some())
}

const RELATIVE_NORMAL_FORM: &str = "a reference must be resolved before it can be normalized (§5.2.1)";

/// What a vector expects of `input`: the vector's own, or narrowed to the rule that a subject takes.
pub fn from_vector(input: &Input, expectation: &Expectation) -> Expected {
    let rule = match input {
        Input::Parse { rule, .. } => Some(*rule),
        _ => None,
    };
    match (expectation, input) {
        // The URI of the vector is one of many that conform.
        (Expectation::Uri(_), Input::Relativize { base, target }) => Expected::Property(Property::ResolvesTo {
            base: base.clone(),
            target: target.clone(),
        }),
        (Expectation::Broken(_), _) => Expected::Property(Property::KeepsContracts),
        (Expectation::OneOf(outcomes), _) => Expected::Outcomes(
            outcomes
                .iter()
                .map(|one| Conforming {
                    name: Cow::Owned(one.name.clone()),
                    outcome: outcome(&one.outcome, rule),
                })
                .collect(),
        ),
        (single, _) => Expected::literally(outcome(single, rule)),
    }
}

fn outcome(expectation: &Expectation, rule: Option<Rule>) -> Outcome {
    match expectation {
        Expectation::Accepted => Outcome::components(Observed::default()),
        Expectation::Components(components) => match rule.and_then(|rule| lacking(components, rule)) {
            None => Outcome::components(components.clone()),
            Some(reason) => Outcome::rejected(reason),
        },
        Expectation::Uri(uri) => Outcome::uri(uri),
        Expectation::Equivalent(equivalent) => Outcome::equivalent(*equivalent),
        Expectation::Broken(broken) => Outcome::broken(&**broken),
        Expectation::Rejected => Outcome::Rejected {
            reason: None,
            offset: None,
        },
        Expectation::OneOf(_) => Outcome::unsupported("nested `one-of`, which loading refuses"),
    }
}

/// Why the URI-reference with these components does not match `rule`.
fn lacking(components: &Components, rule: Rule) -> Option<&'static str> {
    match (rule, &components.scheme, &components.fragment) {
        (Rule::Uri | Rule::AbsoluteUri, None, _) => Some("a relative reference"),
        (Rule::AbsoluteUri, Some(_), Some(_)) => Some("a URI with a fragment"),
        (Rule::RelativeRef, Some(_), _) => Some("a URI"),
        _ => None,
    }
}

/// Every outcome of `input` that conforms under `reading`, by the reference.
pub fn expect(input: &Input, reading: Reading) -> Expected {
    expect_by(input, reading, components::parse)
}

/// As [`expect`], but where a string is more than parsed as a rule, it and what comes of it are split by `parse`.
pub(crate) fn expect_by(input: &Input, reading: Reading, parse: ParseFn) -> Expected {
    match input {
        Input::Parse { rule, input } => expect_parse(*rule, input, reading),
        Input::Resolve {
            base,
            reference,
            strict,
        } => expect_resolve(base, reference, *strict, reading, parse),
        Input::Normalize { uri, scope } => expect_normalize(uri, *scope, reading, parse),
        Input::Compose { components } => expect_compose(components, reading),
        Input::Equivalent { left, right, rung } => expect_equivalent(left, right, *rung, reading, parse),
        Input::Relativize { base, target } => expect_relativize(base, target, reading, parse),
        Input::Modify { uri, component, value } => expect_modify(uri, *component, value.as_deref(), reading, parse),
        Input::RoundTrip { uri } => expect_round_trip(uri, reading, parse),
        Input::Contract { .. } => Expected::Property(Property::KeepsContracts),
    }
}

/// What splits a string and checks it, or says why it is no URI-reference.
pub(crate) type ParseFn = for<'a> fn(&'a str, Reading) -> Result<components::Reference<'a>, grammar::Error>;

fn expect_parse(rule: Rule, input: &str, reading: Reading) -> Expected {
    if reading == Reading::Elements {
        return Expected::literally(parse_into_elements(rule, input));
    }
    Expected::literally(match ReferenceRule::try_from(rule) {
        Ok(rule) => match components::parse_rule(rule, input, reading) {
            Ok(reference) => Outcome::components(Components::from(&reference)),
            Err(error) => rejected_by(&error),
        },
        Err(other) => match other.matches(input, reading) {
            Ok(()) => Outcome::components(Observed::default()),
            Err(error) => rejected_by(&error),
        },
    })
}

/// The components as the Elements page's model keeps them: what is empty is absent, and the port is a number.
fn parse_into_elements(rule: Rule, input: &str) -> Outcome {
    let plain = match expect_parse(rule, input, Reading::Rfc3986).literal() {
        Outcome::Accepted {
            value: Value::Components(components),
        } if components != Observed::default() => components,
        other => return other,
    };
    let kept = components::parse(input, Reading::Elements).map_err(ElementsError::Invalid).and_then(|mut reference| {
        // The path is the plain one: as segments it would take some thirty times its length.
        reference.components.path = Cow::Borrowed("");
        Elements::from_reference(&reference)
    });
    let elements = match kept {
        Ok(elements) => elements,
        Err(error) => return Outcome::rejected(error),
    };
    let if_any = |text: String| (!text.is_empty()).then_some(text);
    let has_host = !elements.host.is_empty();
    Outcome::components(Observed {
        scheme: if_any(elements.scheme).into(),
        userinfo: if_any(elements.user_info).filter(|_| has_host).into(),
        host_kind: if has_host { plain.host_kind } else { None.into() },
        host: if_any(elements.host).into(),
        port: (elements.has_port && has_host).then(|| elements.port.to_string()).into(),
        path: plain.path,
        query: if_any(elements.query).into(),
        fragment: if_any(elements.fragment).into(),
    })
}

fn rejected_by(error: &grammar::Error) -> Outcome {
    Outcome::Rejected {
        reason: Some(format!("does not match {}", error.rule)),
        offset: Some(error.offset),
    }
}

fn expect_resolve(base: &str, reference: &str, strict: bool, reading: Reading, parse: ParseFn) -> Expected {
    let strictness = if strict {
        Strictness::Strict
    } else {
        Strictness::NonStrict
    };
    if reading == Reading::Elements {
        return Expected::literally(match resolve_through_elements(base, reference, strictness) {
            Ok(target) => Outcome::uri(target),
            Err(error) => Outcome::rejected(error),
        });
    }
    let parsed = match parse(base, reading) {
        Ok(parsed) => parsed,
        Err(error) => {
            return Expected::literally(Outcome::Rejected {
                reason: Some(format!("the base does not match {}", error.rule)),
                offset: Some(error.offset),
            });
        }
    };
    let r = match parse(reference, reading) {
        Ok(r) => r,
        Err(error) => {
            return Expected::literally(Outcome::Rejected {
                reason: Some(format!("the reference does not match {}", error.rule)),
                offset: Some(error.offset),
            });
        }
    };
    LiteralResolution::of((base, parsed), (reference, r), strictness, reading, parse).conforming()
}

fn normal(uri: &str, scope: Scope, reading: Reading) -> Result<String, normalize::NormalizeError> {
    match scope {
        Scope::Syntax => normalize::syntax_based(uri, reading),
        Scope::Scheme => normalize::scheme_based(uri, &SCHEMES, reading),
    }
}

fn expect_normalize(uri: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Expected {
    let parsed = match parse(uri, reading) {
        Ok(parsed) => parsed,
        Err(error) => return Expected::literally(rejected_by(&error)),
    };
    if parsed.components.scheme.is_none() {
        return Expected::Property(Property::MeansTheSame {
            reference: uri.to_owned(),
            scope,
        });
    }
    let literal = match normal(uri, scope, reading) {
        Ok(literal) => literal,
        Err(error) => return Expected::literally(Outcome::rejected(error)),
    };
    let mut expected = Expected::literally(Outcome::uri(&*literal));
    // Every choice that the RFC leaves open, on its own and together with the others.
    let mut forms = vec![("literal", literal)];
    for choice in [other_path, other_root, other_port, other_authority] {
        for at in 0..forms.len() {
            let (name, form) = forms[at].clone();
            for (other_name, other) in choice(uri, &form, scope, reading, parse) {
                let name = if name == "literal" { other_name } else { name };
                expected = expected.and(name, Outcome::uri(&*other));
                forms.push((name, other));
            }
        }
    }
    expected
}

/// §6.2.2.3 is a should, and 5.2.4 on a path without authority can do more than remove segments: it makes a rootless
/// path absolute, and it can leave a path that begins with "//".
fn other_path(uri: &str, form: &str, _: Scope, reading: Reading, parse: ParseFn) -> Vec<(&'static str, String)> {
    if !parse(uri, reading).is_ok_and(|parsed| parsed.components.authority.is_none()) {
        return Vec::new();
    }
    let Ok(before) = normalize::percent_encoding_normalization(uri, reading)
        .and_then(|decoded| normalize::case_normalization(&decoded, reading))
    else {
        return Vec::new();
    };
    let (Ok(before), Ok(after)) = (parse(&before, reading), parse(form, reading)) else {
        return Vec::new();
    };
    let path = &before.components.path;
    let removed = remove_dot_segments(path);
    let with_path = |path: String| {
        let mut components = after.components.clone();
        // A rootless path cannot stand behind the authority that a scheme's default becomes (§3.3).
        components.authority.take_if(|_| !path.starts_with('/'));
        components.path = Cow::Owned(path);
        recompose(&components)
    };
    if removed.starts_with("//") && after.components.authority.is_some() {
        Vec::new()
    } else if removed.starts_with("//") {
        vec![("slash-dot", with_path(format!("/.{removed}")))]
    } else if !path.starts_with('/') && removed != **path {
        vec![("unchanged", with_path(path.clone().into_owned()))]
    } else {
        Vec::new()
    }
}

/// §6.2.3: "In general, a URI that uses the generic syntax for authority with an empty path should be normalized to a
/// path of "/"", whatever its scheme; where the scheme does not say so, keeping the path avoids a false positive (§6.1).
fn other_root(_: &str, form: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Vec<(&'static str, String)> {
    match (scope, parse(form, reading)) {
        (Scope::Scheme, Ok(parsed)) if parsed.authority.is_some() && parsed.components.path.is_empty() => {
            let mut components = parsed.components.clone();
            components.path = Cow::Borrowed("/");
            vec![("root", recompose(&components))]
        }
        _ => Vec::new(),
    }
}

/// §3.2.3: normalizers "should omit the port component and its ":" delimiter if port is empty or if its value would
/// be the same as that of the scheme's default"; §6.2.3 counts both as scheme-based.
fn other_port(uri: &str, form: &str, scope: Scope, reading: Reading, parse: ParseFn) -> Vec<(&'static str, String)> {
    let port = |text: &str| {
        let parsed = parse(text, reading).ok()?;
        parsed.authority?.port.map(str::to_owned)
    };
    let with_port = |port: Option<&str>| {
        let parsed = parse(form, reading).ok()?;
        let authority = parsed.authority?;
        let userinfo = authority.userinfo.map(|text| format!("{text}@")).unwrap_or_default();
        let port = port.map(|text| format!(":{text}")).unwrap_or_default();
        let authority = format!("{userinfo}{}{port}", authority.host);
        let mut components = parsed.components.clone();
        components.authority = Some(&authority);
        Some(recompose(&components))
    };
    let other = match (scope, port(uri).as_deref(), port(form).as_deref()) {
        (Scope::Syntax, Some(""), Some("")) => with_port(None).map(|form| ("omitted", form)),
        (Scope::Syntax, Some(""), None) => with_port(Some("")).map(|form| ("kept", form)),
        (Scope::Scheme, Some(given), None) if given.starts_with('0') => {
            with_port(Some(given)).map(|form| ("by-text", form))
        }
        _ => None,
    };
    other.into_iter().collect()
}

/// §6.2.3 on a default for authority. "@" alone is no empty authority: it may be removed with the default host, and it may stay, since
/// "Normalization should not remove delimiters when their associated component is empty". An empty host "should be given explicitly"
/// beside a userinfo or a port, which is no step that 6.2.3 wants of every normalizer.
fn other_authority(
    uri: &str,
    form: &str,
    scope: Scope,
    reading: Reading,
    parse: ParseFn,
) -> Vec<(&'static str, String)> {
    let (Scope::Scheme, Ok(given), Ok(normal)) = (scope, parse(uri, reading), parse(form, reading)) else {
        return Vec::new();
    };
    let default = given.components.scheme.and_then(|scheme| SCHEMES.rules(scheme)?.default_host);
    let (Some(default), Some(given), Some(authority)) = (default, given.authority, normal.authority) else {
        return Vec::new();
    };
    let with = |userinfo: Option<&str>, host: &str| {
        let authority = authority_of(userinfo, host, authority.port);
        let mut components = normal.components.clone();
        components.authority = Some(&authority);
        recompose(&components)
    };
    let kept_host = if given.host.is_empty() { "" } else { default };
    match given.userinfo {
        Some("") if authority.host.is_empty() => {
            vec![
                ("host-emptied", with(Some(""), "")),
                ("authority-kept", with(Some(""), kept_host)),
            ]
        }
        _ if authority.host == default && given.host.is_empty() => {
            vec![("authority-kept", with(authority.userinfo, ""))]
        }
        _ => Vec::new(),
    }
}

/// Where no host is, no port is the scheme's default: only an empty one may be omitted.
fn expect_compose(components: &Components, reading: Reading) -> Expected {
    let scheme = components.scheme.as_deref().filter(|_| components.host.is_some());
    let is_omissible = components.port.as_deref().is_some_and(|port| may_be_omitted(scheme, port));
    expect_made(components, is_omissible, reading)
}

/// What is expected of who makes a URI of these components, and may omit the port or not.
fn expect_made(components: &Components, is_omissible: bool, reading: Reading) -> Expected {
    let expected = expect_composed(components, reading);
    // §3.2.3: producers "should omit the port component and its ":" delimiter if port is empty or if its value would be the same as that
    // of the scheme's default".
    if !is_omissible {
        return expected;
    }
    // A producer that knows no default port can still omit an empty one.
    let name = match components.port.as_deref() {
        Some("") => "omitted",
        _ => "default-omitted",
    };
    let mut without = components.clone();
    without.port = None;
    match expect_composed(&without, reading) {
        Expected::Outcomes(outcomes) => outcomes
            .into_iter()
            .filter(|one| matches!(one.outcome, Outcome::Accepted { .. }))
            .fold(expected, |expected, one| expected.and(name, one.outcome)),
        Expected::Property(_) | Expected::NoAnswer { .. } => expected,
    }
}

/// Whether a port is empty, or has the value of the scheme's default (§3.2.3).
pub(crate) fn may_be_omitted(scheme: Option<&str>, port: &str) -> bool {
    let default = || SCHEMES.rules(scheme?)?.default_port;
    let is_digits = || port.bytes().all(|octet| octet.is_ascii_digit());
    port.is_empty() || is_digits() && default().is_some_and(|default| port.parse() == Ok(default))
}

/// As [`expect_made`], with the port that is given.
fn expect_composed(components: &Components, reading: Reading) -> Expected {
    match composed(components, reading) {
        Ok(uri) => Expected::literally(Outcome::uri(uri)),
        Err(reason) => {
            let mut expected = Expected::literally(Outcome::rejected(reason));
            // §2.4: a producer percent-encodes data when it makes a URI from components.
            let encoded = components.percent_encoded();
            let mut unguarded = vec![components];
            match composed(&encoded, reading) {
                Ok(uri) => expected = expected.and("encoded", Outcome::uri(uri)),
                Err(_) => unguarded.push(&encoded),
            }
            // §4.2: a first segment with a colon "must be preceded by a dot-segment (e.g., "./this:that")".
            // §3.3: without an authority "the path cannot begin with two slash characters"; a "." keeps it apart.
            for components in unguarded {
                for (name, prefix) in [("dot-segment", "./"), ("slash-dot", "/.")] {
                    let mut guarded = components.clone();
                    guarded.path.insert_str(0, prefix);
                    let is_guarded =
                        components.host.is_none() && components.path.starts_with("//") == (name == "slash-dot");
                    if let Some(Ok(uri)) = is_guarded.then(|| composed(&guarded, reading)) {
                        expected = expected.and(name, Outcome::uri(uri));
                    }
                }
            }
            expected
        }
    }
}

fn composed(components: &Components, reading: Reading) -> Result<String, String> {
    let misplaced = |component: &str, error: grammar::Error| format!("the {component} {error}");
    if let Some(userinfo) = &components.userinfo {
        grammar::userinfo(userinfo).map_err(|error| misplaced("userinfo", error))?;
    }
    if let Some(host) = &components.host {
        grammar::host(host, reading).map_err(|error| misplaced("host", error))?;
    }
    if let Some(port) = &components.port {
        grammar::port(port).map_err(|error| misplaced("port", error))?;
    }
    if components.host.is_none() && (components.userinfo.is_some() || components.port.is_some()) {
        return Err("userinfo and port need a host".to_owned());
    }
    let authority = components.authority();
    compose(&components.five(authority.as_deref()), reading).map_err(|unfit| unfit.to_string())
}

fn expect_equivalent(left: &str, right: &str, rung: Rung, reading: Reading, parse: ParseFn) -> Expected {
    let compare = |left: &str, right: &str| match rung {
        Rung::Simple => equivalence::simple(left, right, reading),
        Rung::Syntax => equivalence::syntax_based(left, right, reading),
        Rung::Scheme => equivalence::scheme_based(left, right, &SCHEMES, reading),
    };
    match compare(left, right) {
        Ok(equivalent) => {
            let mut expected = Expected::literally(Outcome::equivalent(equivalent));
            // §3.2.2: an IPv6address is the text of a 128-bit address. To say that two texts of one address name one host
            // is no false positive.
            let by_address = (rung != Rung::Simple)
                .then(|| with_address_by_value(left, reading, parse).zip(with_address_by_value(right, reading, parse)))
                .flatten();
            if let Some(Ok(equivalent)) = by_address.as_ref().map(|(left, right)| compare(left, right)) {
                expected = expected.and("by-address", Outcome::equivalent(equivalent));
            }
            // §6.1: "applications should not directly compare relative references".
            let is_relative = |text: &str| parse(text, reading).is_ok_and(|parsed| parsed.components.scheme.is_none());
            if is_relative(left) || is_relative(right) {
                expected = expected.and("refused", Outcome::rejected("a relative reference is not compared"));
            }
            for (name, equivalent) in by_policy(left, right, rung, reading, parse) {
                expected = expected.and(name, Outcome::equivalent(equivalent));
            }
            // And both at once.
            if let Some((left, right)) = &by_address {
                for (_, equivalent) in by_policy(left, right, rung, reading, parse) {
                    expected = expected.and("by-address", Outcome::equivalent(equivalent));
                }
            }
            expected
        }
        Err(EquivalenceError::Relative(_)) => Expected::NoAnswer {
            reason: "relative references should be converted to their target URIs before comparison (§6.1)".to_owned(),
        },
        Err(error) => Expected::literally(Outcome::rejected(error)),
    }
}

/// A URI whose host is an IPv6 address, with that address in one of its texts, the same for all of them.
fn with_address_by_value(uri: &str, reading: Reading, parse: ParseFn) -> Option<String> {
    let mut components = Components::from(&parse(uri, reading).ok()?);
    let address: Ipv6Addr = components.host.as_deref()?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    components.host = Some(format!("[{address}]"));
    Some(components.recompose())
}

/// The verdict of each choice that normalization leaves open, made the same way on both sides.
fn by_policy(left: &str, right: &str, rung: Rung, reading: Reading, parse: ParseFn) -> Vec<(&'static str, bool)> {
    let scope = match rung {
        Rung::Simple => return Vec::new(),
        Rung::Syntax => Scope::Syntax,
        Rung::Scheme => Scope::Scheme,
    };
    let (left, right) = (
        expect_normalize(left, scope, reading, parse),
        expect_normalize(right, scope, reading, parse),
    );
    let form = |expected: &Expected, policy: &str| match expected {
        Expected::Outcomes(outcomes) => {
            outcomes.iter().find(|one| one.name == policy).or(outcomes.first()).map(|one| one.outcome.clone())
        }
        Expected::Property(_) | Expected::NoAnswer { .. } => None,
    };
    [
        "literal",
        "unchanged",
        "slash-dot",
        "root",
        "omitted",
        "kept",
        "by-text",
        "host-emptied",
        "authority-kept",
    ]
    .into_iter()
    .map(|policy| (policy, form(&left, policy) == form(&right, policy)))
    .collect()
}

/// Not in RFC 3986, which has no such operation: what it says of resolution decides whether an answer works.
fn expect_relativize(base: &str, target: &str, reading: Reading, parse: ParseFn) -> Expected {
    for (what, text) in [("base", base), ("target", target)] {
        if let Err(error) = parse(text, reading) {
            return Expected::literally(Outcome::Rejected {
                reason: Some(format!("the {what} does not match {}", error.rule)),
                offset: Some(error.offset),
            });
        }
    }
    Expected::Property(Property::ResolvesTo {
        base: base.to_owned(),
        target: target.to_owned(),
    })
}

fn expect_modify(uri: &str, component: Component, value: Option<&str>, reading: Reading, parse: ParseFn) -> Expected {
    let components = match parse(uri, reading) {
        Ok(parsed) => Components::from(&parsed),
        Err(error) => return Expected::literally(rejected_by(&error)),
    };
    // What could have been omitted before goes with its host.
    let (scheme, port) = (components.scheme.as_deref(), components.port.as_deref());
    let goes_with_host =
        component == Component::Host && value.is_none() && port.is_some_and(|port| may_be_omitted(scheme, port));
    let modified = components.with(component, value);
    let expected = if goes_with_host {
        expect_made(&modified, true, reading)
    } else {
        expect_compose(&modified, reading)
    };
    match (component, value, expected) {
        // §5.2.1: "the path component is never undefined, though it may be empty".
        (Component::Path, None, Expected::Outcomes(outcomes)) => outcomes.into_iter().fold(
            Expected::literally(Outcome::rejected("the path is never undefined")),
            |expected, one| expected.and("empty", one.outcome),
        ),
        (_, _, expected) => expected,
    }
}

fn expect_round_trip(uri: &str, reading: Reading, parse: ParseFn) -> Expected {
    let Ok(parsed) = parse(uri, reading) else {
        return Expected::NoAnswer {
            reason: "what is invalid is for `parse` to refuse".to_owned(),
        };
    };
    let expected = Expected::literally(Outcome::uri(uri));
    // §3.2.3: producers "should omit the port component and its ":" delimiter if port is empty or if its value would be the same as that
    // of the scheme's default".
    let mut components = Components::from(&parsed);
    match components.port.take() {
        Some(port) if may_be_omitted(components.scheme.as_deref(), &port) => {
            expected.and("omitted", Outcome::uri(components.recompose()))
        }
        _ => expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conforming(input: &Input) -> Vec<String> {
        match expect(input, Reading::Rfc3986) {
            Expected::Outcomes(outcomes) => outcomes
                .iter()
                .map(|one| match &one.outcome {
                    Outcome::Accepted { value: Value::Uri(uri) } => uri.clone(),
                    other => other.name().to_owned(),
                })
                .collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_two_liberties_make_equal_is_no_false_positive() {
        let may_be_equal = |left: &str, right: &str| {
            let (left, right) = (left.to_owned(), right.to_owned());
            let Expected::Outcomes(outcomes) = expect(
                &Input::Equivalent {
                    left,
                    right,
                    rung: Rung::Syntax,
                },
                Reading::Rfc3986,
            ) else {
                panic!("two URIs have an answer");
            };
            outcomes.iter().any(|one| one.outcome == Outcome::equivalent(true))
        };
        // An address has one value (§3.2.2), and an empty port may go (§3.2.3).
        assert!(may_be_equal("a://[::]/", "a://[::0]:/"));
        assert!(!may_be_equal("a://[::]/", "a://[::1]:/"));
        assert!(!may_be_equal("a://[::]/", "a://[::0]:1/"));
    }

    fn modified(uri: &str, component: Component, value: Option<&str>) -> Vec<String> {
        let (uri, value) = (uri.to_owned(), value.map(str::to_owned));
        conforming(&Input::Modify { uri, component, value })
    }

    /// §3.2.3: a producer "should omit the port component and its ":" delimiter", whose value may be the default.
    #[test]
    fn a_port_that_says_nothing_may_be_omitted_by_who_writes_it() {
        use Component::{Host, Path, Port};
        for (uri, component, value, expected) in [
            ("a://b:/c", Path, Some("/d"), &["a://b:/d", "a://b/d"][..]),
            ("a://b/", Port, Some(""), &["a://b:/", "a://b/"]),
            ("http://b/", Port, Some("080"), &["http://b:080/", "http://b/"]),
            ("http://b/", Port, Some("443"), &["http://b:443/"]),
            ("http://b/", Port, Some("+80"), &["rejected"]),
            ("http:/b", Port, Some("80"), &["rejected"]),
            ("http:/b", Port, Some(""), &["rejected", "http:/b"]),
            ("http://b:80/", Host, None, &["rejected", "http:/"]),
            ("a://b/", Port, Some("80"), &["a://b:80/"]),
            ("a://b:/", Host, None, &["rejected", "a:/"]),
            ("a://b:1/", Host, None, &["rejected"]),
            ("a://b:/", Host, Some("#"), &["rejected", "a://%23:/", "a://%23/"]),
        ] {
            assert_eq!(modified(uri, component, value), expected, "{uri} {component:?}");
        }
    }

    /// §3.2.3 and §6.2.2 in one.
    #[test]
    fn a_target_may_be_normalized_and_lose_its_empty_port() {
        let input = Input::Resolve {
            base: "a:".to_owned(),
            reference: "//%6c:/%aa".to_owned(),
            strict: true,
        };
        assert_eq!(
            conforming(&input),
            ["a://%6c:/%aa", "a://%6c/%aa", "a://l/%AA", "a://%6C:/%AA", "a://l:/%AA"]
        );
    }

    /// Who resolves and normalizes in one keeps the "/." without which the path would read as an authority.
    #[test]
    fn a_guarded_target_may_be_normalized_but_for_its_dot_segment() {
        for (base, reference, expected) in [
            ("a:", "/.//b", &["a://b", "a:/.//b", "rejected"][..]),
            ("a:", "A:/.//b", &["A://b", "A:/.//b", "a:/.//b", "rejected"]),
            (
                "a:",
                "/.//b?%aa#%7e",
                &[
                    "a://b?%aa#%7e",
                    "a:/.//b?%aa#%7e",
                    "a:/.//b?%AA#%7E",
                    "a:/.//b?%AA#~",
                    "rejected",
                ],
            ),
        ] {
            let input = Input::Resolve {
                base: base.to_owned(),
                reference: reference.to_owned(),
                strict: true,
            };
            let conforming = conforming(&input);
            assert_eq!(conforming[..expected.len()], *expected, "{base} {reference}");
        }
    }

    fn resolved(base: &str, reference: &str) -> Vec<String> {
        conforming(&Input::Resolve {
            base: base.to_owned(),
            reference: reference.to_owned(),
            strict: true,
        })
    }

    /// §5.2.1: "Normalization of the base URI, as described in Sections 6.2.2 and 6.2.3, is optional".
    #[test]
    fn a_base_may_be_normalized_by_its_scheme() {
        for (base, reference, target) in [
            ("http://a:80/b", "c", "http://a/c"),
            ("http://a:/b", "c", "http://a/c"),
            ("s://a:/b", "c", "s://a/c"),
            ("http://a", "?q", "http://a/?q"),
            ("http://a:80", "", "http://a/"),
            ("HTTP://a:80/%7e", "?q", "http://a/~?q"),
            ("file://localhost/b", "c", "file:///c"),
        ] {
            let conforming = resolved(base, reference);
            assert!(
                conforming.contains(&target.to_owned()),
                "{base} {reference}: {conforming:?}"
            );
        }
        for (base, reference, target) in [
            ("s://a:80/b", "c", "s://a/c"),
            ("s://a", "?q", "s://a/?q"),
            ("file://u@localhost/b", "c", "file://u@/c"),
        ] {
            let conforming = resolved(base, reference);
            assert!(
                !conforming.contains(&target.to_owned()),
                "{base} {reference}: {conforming:?}"
            );
        }
    }

    /// §5.1 binds the base, and no sentence makes a resolver refuse it: what §5.2.2 gives conforms too, and nothing else does.
    #[test]
    fn a_relative_base_is_refused_or_resolved_against() {
        for (base, reference, expected) in [
            ("foo", "bar", &["bar", "rejected"][..]),
            ("foo/", "bar", &["foo/bar", "rejected"]),
            ("/a/b", "c", &["/a/c", "rejected"]),
            ("/a/b", "../../c", &["/c", "rejected"]),
            ("//h", "c", &["//h/c", "rejected"]),
            ("a?q", "", &["a?q", "rejected"]),
            ("", "c", &["c", "rejected"]),
            ("a", "http://h/./b", &["http://h/b", "rejected"]),
            // What would read as a scheme or as an authority is guarded.
            ("a", "./b:c", &["./b:c", "rejected"]),
            ("/a", "..//b", &["/.//b", "rejected"]),
            ("a", "[", &["rejected"]),
        ] {
            assert_eq!(resolved(base, reference), expected, "{base} {reference}");
        }
    }

    /// §3.2.3: a producer "should omit the port component and its ":" delimiter" where it says nothing.
    #[test]
    fn a_port_that_says_nothing_may_be_omitted_when_a_uri_is_printed() {
        let printed = |uri: &str| conforming(&Input::RoundTrip { uri: uri.to_owned() });
        for (uri, expected) in [
            ("http://h:80/", &["http://h:80/", "http://h/"][..]),
            ("//u@h:/p", &["//u@h:/p", "//u@h/p"]),
            ("http://h:81/", &["http://h:81/"]),
            ("a://h:80/", &["a://h:80/"]),
            ("HTTP://H/?", &["HTTP://H/?"]),
        ] {
            assert_eq!(printed(uri), expected, "{uri}");
        }
    }

    /// §6.2.3: "the reference should be normalized to an empty authority", and what else may be done with a default for authority.
    #[test]
    fn a_default_for_authority_becomes_an_empty_one() {
        let normal = |uri: &str| {
            conforming(&Input::Normalize {
                uri: uri.to_owned(),
                scope: Scope::Scheme,
            })
        };
        for (uri, expected) in [
            ("file:/a", &["file:///a"][..]),
            ("file:", &["file://", "file:///"]),
            ("file:/.//a", &["file:////a"]),
            ("file:a", &["file:a"]),
            ("file:a/..", &["file:///", "file:a/.."]),
            ("file:/a/..//b", &["file:////b"]),
            ("file://localhost:/a", &["file:///a"]),
            (
                "file://@localhost/a",
                &["file:///a", "file://@/a", "file://@localhost/a"],
            ),
            ("file://@/a", &["file:///a", "file://@/a"]),
            ("file://u@localhost/a", &["file://u@localhost/a"]),
            ("file://%75@/a", &["file://u@localhost/a", "file://u@/a"]),
            ("file://:8/a", &["file://localhost:8/a", "file://:8/a"]),
            ("http:/a", &["http:/a"]),
        ] {
            assert_eq!(normal(uri), expected, "{uri}");
        }
    }

    /// §3.2.3: a producer "should omit the port component and its ":" delimiter" where it says nothing.
    #[test]
    fn who_resolves_may_omit_the_port_of_a_reference() {
        for (base, reference, expected) in [
            ("http://a/", "//h:/x", &["http://h:/x", "http://h/x"][..]),
            ("http://a/", "//h:80/./x", &["http://h:80/x", "http://h/x"]),
            ("http://a/", "//h:81/x", &["http://h:81/x"]),
            ("a:", "http://u@h:80", &["http://u@h:80", "http://u@h"]),
            (
                "a:",
                "b://h:/%2e%2e/x",
                &[
                    "b://h:/%2e%2e/x",
                    "b://h:/x",
                    "b://h/%2e%2e/x",
                    "b://h/x",
                    "b://h:/%2E%2E/x",
                ],
            ),
            ("a:", "b://h:80/x", &["b://h:80/x"]),
        ] {
            assert_eq!(resolved(base, reference), expected, "{base} {reference}");
        }
    }

    /// §3.3: "If a URI does not contain an authority component, then the path cannot begin with two slash characters".
    #[test]
    fn no_liberty_makes_an_authority() {
        for (base, reference, invented, guarded) in [
            ("a:/b/..//evil/d", "?q", "a://evil/d?q", "a:/.//evil/d?q"),
            ("a:/b/%2e%2e//evil/d", "", "a://evil/d", "a:/.//evil/d"),
        ] {
            let conforming = resolved(base, reference);
            assert!(!conforming.contains(&invented.to_owned()), "{conforming:?}");
            assert!(conforming.contains(&guarded.to_owned()), "{conforming:?}");
        }
        // And what has no other form may be refused.
        for (base, reference) in [("a:a//..", "..//"), ("a:/%2e%2e/x", ".//c"), ("http:///x", "//h/y")] {
            assert!(
                resolved(base, reference).contains(&"rejected".to_owned()),
                "{base} {reference}"
            );
        }
        assert!(!resolved("a:/b//c", "d").contains(&"rejected".to_owned()));
    }

    #[test]
    fn what_is_encoded_may_need_a_guard_too() {
        let composed = |path: &str, query: Option<&str>| {
            conforming(&Input::Compose {
                components: Components {
                    path: path.to_owned(),
                    query: query.map(str::to_owned),
                    ..Components::default()
                },
            })
        };
        assert_eq!(composed(":\"", None), ["rejected", "./:%22"]);
        assert_eq!(composed(":", Some("#")), ["rejected", "./:?%23"]);
        assert_eq!(composed("//\"", None), ["rejected", "/.//%22"]);
        assert_eq!(composed("\"", None), ["rejected", "%22"]);
    }

    /// §6.1: "applications should not directly compare relative references".
    #[test]
    fn nobody_has_to_compare_relative_references() {
        let equivalent = |left: &str, right: &str| {
            conforming(&Input::Equivalent {
                left: left.to_owned(),
                right: right.to_owned(),
                rung: Rung::Simple,
            })
        };
        assert_eq!(equivalent("a", "a"), ["accepted", "rejected"]);
        assert_eq!(equivalent("a:", "a:"), ["accepted"]);
    }

    #[test]
    fn one_component_is_replaced_and_the_others_are_kept() {
        use Component::*;
        for (uri, component, value, expected) in [
            (
                "http://u@h:1/p?q#f",
                Host,
                Some("[::1]"),
                &["http://u@[::1]:1/p?q#f"][..],
            ),
            ("http://u@h:1/p?q#f", Userinfo, None, &["http://h:1/p?q#f"]),
            ("http://h/p?q", Query, Some(""), &["http://h/p?"]),
            ("http://h/p", Query, Some("a b"), &["rejected", "http://h/p?a%20b"]),
            ("http://h/p", Port, Some("x"), &["rejected"]),
            ("http://h:1/p", Host, None, &["rejected"]),
            ("http://h//p", Host, None, &["rejected", "http:/.//p"]),
            ("a:b", Host, Some("h"), &["rejected"]),
            ("a:b", Port, Some("1"), &["rejected"]),
            ("a:b:c", Scheme, None, &["rejected", "./b:c"]),
            ("a:/b", Path, Some("//b"), &["rejected", "a:/.//b"]),
            ("a:/b", Path, None, &["rejected", "a:"]),
            ("a b", Path, Some("c"), &["rejected"]),
        ] {
            assert_eq!(modified(uri, component, value), expected, "{uri} {component} {value:?}");
        }
    }
}
