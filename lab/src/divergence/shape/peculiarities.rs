//! What is wrong with the texts of an input, and what of their hosts and ports is out of the ordinary.

use uriproof::model::{Component, Components, Input, Reading, Rule};

use super::super::parts::texts;
use super::{HostStart, PortKind, SchemeKind, host_kind, pieces, port_kind, scheme_kind};

/// What is wrong with the texts of an input, and what of their hosts and ports is out of the ordinary.
///
/// Two inputs that are invalid in other parts, or of which one has an IP literal, have other causes nearly always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peculiarities {
    of_texts: Vec<OfText>,
    /// The component that is set, or those in which two URIs differ that are compared.
    concerned: Vec<Component>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct OfText {
    faults: Vec<PartFault>,
    host: Option<HostStart>,
    port: Option<PortKind>,
}

/// A part that does not match its rule, or may not stand where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartFault {
    EmptyScheme,
    Scheme,
    Userinfo,
    Host,
    Port,
    Path,
    /// A colon in the first segment of a relative path (section 4.2).
    Colon,
    /// Two slashes at the start of a path that no authority stands before (section 3.3).
    Slashes,
    Query,
    Fragment,
}

impl Peculiarities {
    /// Those of an input.
    pub(crate) fn of(input: &Input) -> Peculiarities {
        let texts = texts(input);
        let whole = |text: &Option<String>| peculiarities(&pieces(text.as_deref().unwrap_or_default()));
        let of_texts = match input {
            Input::Compose { components } => vec![peculiarities(components)],
            Input::Modify { component, .. } => {
                let value = Components::default().with(*component, texts[1].as_deref());
                vec![whole(&texts[0]), peculiarities(&value)]
            }
            _ => texts.iter().map(whole).collect(),
        };
        let concerned = match input {
            Input::Modify { component, .. } => vec![*component],
            Input::Equivalent { left, right, .. } => {
                let [left, right] = [left, right].map(|uri| pieces(uri));
                Component::TEXTS.into_iter().filter(|one| left.text(*one) != right.text(*one)).collect()
            }
            _ => Vec::new(),
        };
        Peculiarities { of_texts, concerned }
    }

    /// The name of each, once; what a port is where nothing is wrong, since it seldom matters beside a fault.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let faults = self.of_texts.iter().flat_map(|text| &text.faults).map(|fault| fault.name());
        let hosts = self.of_texts.iter().filter_map(|text| text.host).map(host_name);
        let is_without_fault = self.of_texts.iter().all(|text| text.faults.is_empty());
        let ports = self.of_texts.iter().filter(|_| is_without_fault).filter_map(|text| text.port).map(port_name);
        let mut names: Vec<&'static str> = Vec::new();
        for name in self.concerned.iter().map(|component| component.name()).chain(faults).chain(hosts).chain(ports) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl PartFault {
    fn name(self) -> &'static str {
        match self {
            PartFault::EmptyScheme => "empty scheme",
            PartFault::Scheme => "bad scheme",
            PartFault::Userinfo => "bad userinfo",
            PartFault::Host => "bad host",
            PartFault::Port => "bad port",
            PartFault::Path => "bad path",
            PartFault::Colon => "colon in the first segment",
            PartFault::Slashes => "path that begins with two slashes",
            PartFault::Query => "bad query",
            PartFault::Fragment => "bad fragment",
        }
    }
}

fn host_name(host: HostStart) -> &'static str {
    match host {
        HostStart::Name => "host that is a name",
        HostStart::Encoded => "host with a triplet",
        HostStart::Numeric => "host that begins with a digit",
        HostStart::Literal => "IP literal",
        HostStart::FutureLiteral => "IPvFuture",
    }
}

fn port_name(port: PortKind) -> &'static str {
    match port {
        PortKind::Zero => "port 0",
        PortKind::SixteenBits => "port of 16 bits",
        PortKind::TooLarge => "port above 65535",
    }
}

fn peculiarities(pieces: &Components) -> OfText {
    let is_unfit = |rule: Rule, text: &Option<String>| {
        text.as_ref().is_some_and(|text| rule.matches(text, Reading::Rfc3986).is_err())
    };
    let scheme = pieces.scheme.as_deref();
    let first = pieces.path.split('/').next().unwrap_or_default();
    let faults = [
        (scheme == Some("")).then_some(PartFault::EmptyScheme),
        scheme
            .filter(|scheme| !scheme.is_empty() && scheme_kind(scheme) != SchemeKind::WellFormed)
            .map(|_| PartFault::Scheme),
        is_unfit(Rule::Userinfo, &pieces.userinfo).then_some(PartFault::Userinfo),
        is_unfit(Rule::Host, &pieces.host).then_some(PartFault::Host),
        is_unfit(Rule::Port, &pieces.port).then_some(PartFault::Port),
        pieces
            .path
            .split('/')
            .any(|segment| Rule::Segment.matches(segment, Reading::Rfc3986).is_err())
            .then_some(PartFault::Path),
        (scheme.is_none() && pieces.host.is_none() && first.contains(':')).then_some(PartFault::Colon),
        (pieces.host.is_none() && pieces.path.starts_with("//")).then_some(PartFault::Slashes),
        is_unfit(Rule::Query, &pieces.query).then_some(PartFault::Query),
        is_unfit(Rule::Fragment, &pieces.fragment).then_some(PartFault::Fragment),
    ];
    // What is not closed is of one kind, whatever it begins with.
    let kind = |host: &str| match host_kind(host) {
        HostStart::FutureLiteral if !host.contains(']') => HostStart::Literal,
        kind => kind,
    };
    OfText {
        faults: faults.into_iter().flatten().collect(),
        host: pieces.host.as_deref().map(kind).filter(|kind| !matches!(kind, HostStart::Name | HostStart::Encoded)),
        port: pieces.port.as_deref().map(port_kind).filter(|kind| *kind != PortKind::SixteenBits),
    }
}
