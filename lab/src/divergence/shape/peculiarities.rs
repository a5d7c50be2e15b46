//! Names what is special about an input: what is wrong with its texts, and which of its hosts and ports are unusual.

use uriproof::model::{Component, Components, Input, Reading, Rule};

use super::super::parts::texts;
use super::{HostStart, PortKind, SchemeKind, host_kind, pieces, port_kind, scheme_kind};

/// Returns the names of what is special about an input, each once: the components that an operation is about, the components that
/// break their rules, IP literals and other unusual hosts, and unusual ports.
///
/// Two inputs with other peculiarities nearly always have other causes. A port is left out where a component breaks its rule: it seldom
/// matters there.
pub fn peculiarities(input: &Input) -> Vec<&'static str> {
    let texts = texts(input);
    let whole = |text: &Option<String>| pieces(text.as_deref().unwrap_or_default());
    let (concerned, of_texts): (Vec<Component>, Vec<Components>) = match input {
        Input::Compose { components } => (Vec::new(), vec![components.clone()]),
        Input::Modify { component, .. } => {
            let value = Components::default().with(*component, texts[1].as_deref());
            (vec![*component], vec![whole(&texts[0]), value])
        }
        Input::Equivalent { .. } => {
            let [left, right] = [&texts[0], &texts[1]].map(whole);
            let differs = |component: &Component| left.text(*component) != right.text(*component);
            (
                Component::TEXTS.into_iter().filter(differs).collect(),
                vec![left, right],
            )
        }
        _ => (Vec::new(), texts.iter().map(whole).collect()),
    };
    let faults: Vec<&str> = of_texts.iter().flat_map(faults).collect();
    let hosts = of_texts.iter().filter_map(|pieces| unusual_host(pieces.host.as_deref()?));
    let ports = of_texts.iter().filter_map(|pieces| unusual_port(pieces.port.as_deref()?));
    let ports = ports.filter(|_| faults.is_empty());
    let mut names: Vec<&str> = Vec::new();
    for name in
        concerned.iter().map(|component| component.name()).chain(faults.iter().copied()).chain(hosts).chain(ports)
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The components that do not match their rules, or may not be where they are.
fn faults(pieces: &Components) -> impl Iterator<Item = &'static str> + use<> {
    let breaks = |rule: Rule, text: &str| rule.matches(text, Reading::Rfc3986).is_err();
    let is_unfit = |rule: Rule, text: &Option<String>| text.as_deref().is_some_and(|text| breaks(rule, text));
    let scheme = pieces.scheme.as_deref();
    let first = pieces.path.split('/').next().unwrap_or_default();
    let faults = [
        ("empty scheme", scheme == Some("")),
        (
            "bad scheme",
            scheme.is_some_and(|scheme| !scheme.is_empty() && scheme_kind(scheme) != SchemeKind::WellFormed),
        ),
        ("bad userinfo", is_unfit(Rule::Userinfo, &pieces.userinfo)),
        ("bad host", is_unfit(Rule::Host, &pieces.host)),
        ("bad port", is_unfit(Rule::Port, &pieces.port)),
        (
            "bad path",
            pieces.path.split('/').any(|segment| breaks(Rule::Segment, segment)),
        ),
        // Section 4.2: in a relative path.
        (
            "colon in the first segment",
            scheme.is_none() && pieces.host.is_none() && first.contains(':'),
        ),
        // Section 3.3: without an authority before it.
        (
            "path that begins with two slashes",
            pieces.host.is_none() && pieces.path.starts_with("//"),
        ),
        ("bad query", is_unfit(Rule::Query, &pieces.query)),
        ("bad fragment", is_unfit(Rule::Fragment, &pieces.fragment)),
    ];
    faults.into_iter().filter(|(_, is_there)| *is_there).map(|(name, _)| name)
}

fn unusual_host(host: &str) -> Option<&'static str> {
    match host_kind(host) {
        HostStart::Name | HostStart::Encoded => None,
        HostStart::Numeric => Some("host that begins with a digit"),
        // A literal that is not closed is of one kind, whatever it begins with.
        HostStart::FutureLiteral if host.contains(']') => Some("IPvFuture"),
        HostStart::FutureLiteral | HostStart::Literal => Some("IP literal"),
    }
}

fn unusual_port(port: &str) -> Option<&'static str> {
    match port_kind(port) {
        PortKind::SixteenBits => None,
        PortKind::Zero => Some("port 0"),
        PortKind::TooLarge => Some("port above 65535"),
    }
}
