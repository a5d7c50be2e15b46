//! What RFC 3986 expects of a producer, which makes a URI of components, changes one of them, or prints a URI.

use std::net::Ipv6Addr;

use rfc3986_reference::grammar;
use rfc3986_reference::recompose::compose;

use super::{Expected, ParseFn, may_be_omitted, rejected_by};
use crate::model::{Component, Components, Outcome, Reading};

/// Where no host is, no port is the scheme's default: only an empty one may be omitted.
pub(super) fn expect_compose(components: &Components, reading: Reading) -> Expected {
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
            for (name, repaired) in repaired(components) {
                if let Ok(uri) = composed(&repaired, reading) {
                    expected = expected.and(name, Outcome::uri(uri));
                }
                if let Ok(uri) = composed(&repaired.percent_encoded(), reading) {
                    expected = expected.and(name, Outcome::uri(uri));
                }
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

/// Other repairs than encoding: brackets around an IPv6 address (§3.2.2), and a slash before a path that is behind an authority
/// (§3.3).
fn repaired(components: &Components) -> Vec<(&'static str, Components)> {
    let mut repaired = Vec::new();
    if let Some(host) = components.host.as_deref().filter(|host| host.parse::<Ipv6Addr>().is_ok()) {
        let host = Some(format!("[{host}]"));
        repaired.push((
            "bracketed",
            Components {
                host,
                ..components.clone()
            },
        ));
    }
    if components.host.is_some() && !components.path.is_empty() && !components.path.starts_with('/') {
        let path = format!("/{}", components.path);
        repaired.push((
            "rooted",
            Components {
                path,
                ..components.clone()
            },
        ));
    }
    repaired
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

pub(super) fn expect_modify(
    uri: &str,
    component: Component,
    value: Option<&str>,
    reading: Reading,
    parse: ParseFn,
) -> Expected {
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
        // Another component than the path does not change the path.
        (component, _, Expected::Outcomes(mut outcomes)) if component != Component::Path => {
            outcomes.retain(|one| one.name != "rooted");
            Expected::Outcomes(outcomes)
        }
        // §5.2.1: "the path component is never undefined, though it may be empty".
        (Component::Path, None, Expected::Outcomes(outcomes)) => outcomes.into_iter().fold(
            Expected::literally(Outcome::rejected("the path is never undefined")),
            |expected, one| expected.and("empty", one.outcome),
        ),
        (_, _, expected) => expected,
    }
}

pub(super) fn expect_round_trip(uri: &str, reading: Reading, parse: ParseFn) -> Expected {
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
