//! Bit set of the components that a subject exposes: the output of the machine that it is measured by.

use uriproof::model::{Component, Declaration, Fidelity, Forms, HostKind, Observed, Reported, Rule};
use uriproof_grammar::abnf::Error;
use uriproof_grammar::{Machine, Moore, rfc3986};

use super::machines::Machines;

/// The bits of a mask, in the order of their names.
pub(super) const ACCEPTED: u32 = 1;
const SCHEME: u32 = 1 << 1;
const USERINFO: u32 = 1 << 2;
const USERINFO_TEXT: u32 = 1 << 3;
const HOST: u32 = 1 << 4;
const HOST_TEXT: u32 = 1 << 5;
const IPV4: u32 = 1 << 6;
const IPV6: u32 = 1 << 7;
const IPVFUTURE: u32 = 1 << 8;
const REG_NAME: u32 = 1 << 9;
const PORT: u32 = 1 << 10;
const PORT_TEXT: u32 = 1 << 11;
const PATH_TEXT: u32 = 1 << 12;
const PATH_SLASH: u32 = 1 << 13;
const QUERY: u32 = 1 << 14;
const QUERY_TEXT: u32 = 1 << 15;
const FRAGMENT: u32 = 1 << 16;
const FRAGMENT_TEXT: u32 = 1 << 17;

const NAMES: [&str; 18] = [
    "accepted",
    "scheme",
    "userinfo",
    "non-empty userinfo",
    "host",
    "non-empty host",
    "IPv4",
    "IPv6",
    "IPvFuture",
    "reg-name",
    "port",
    "non-empty port",
    "non-empty path",
    "path that begins with a slash",
    "query",
    "non-empty query",
    "fragment",
    "non-empty fragment",
];

/// What the subject tells more and less than is expected, such as `no port, IPv4`.
pub fn describe(expected: u32, observed: u32) -> String {
    let bits = NAMES.iter().enumerate().skip(1).map(|(bit, name)| (1_u32 << bit, name));
    let reported = bits.filter(|(bit, _)| (expected ^ observed) & bit != 0).map(|(bit, name)| {
        let no = if observed & bit == 0 { "no " } else { "" };
        format!("{no}{name}")
    });
    reported.collect::<Vec<_>>().join(", ")
}

/// The bits that a subject can tell.
pub(super) fn visible(declaration: &Declaration) -> u32 {
    let mut visible = ACCEPTED;
    for &(component, fidelity) in &*declaration.tells {
        let (defined, text) = match component {
            Component::Scheme => (SCHEME, 0),
            Component::Userinfo => (USERINFO, USERINFO_TEXT),
            Component::Host => (HOST, HOST_TEXT),
            Component::HostKind => (IPV4 | IPV6 | IPVFUTURE | REG_NAME, 0),
            Component::Port => (PORT, PORT_TEXT),
            Component::Path => (0, PATH_TEXT | PATH_SLASH),
            Component::Query => (QUERY, QUERY_TEXT),
            Component::Fragment => (FRAGMENT, FRAGMENT_TEXT),
        };
        let normalized = declaration.forms == Forms::Normalized;
        // Normal forms have no default ports, and a path where there was none.
        if normalized && matches!(component, Component::Port | Component::Path) {
            continue;
        }
        visible |= match fidelity {
            Fidelity::EmptyIsUndefined | Fidelity::BareHost | Fidelity::Number | Fidelity::OctetsEmptyIsUndefined => {
                text
            }
            _ => defined | text,
        };
    }
    visible
}

pub(super) fn observed_mask(observed: &Observed) -> u32 {
    let pairs = [
        (&observed.scheme, SCHEME, 0),
        (&observed.userinfo, USERINFO, USERINFO_TEXT),
        (&observed.host, HOST, HOST_TEXT),
        (&observed.port, PORT, PORT_TEXT),
        (&observed.path, 0, PATH_TEXT),
        (&observed.query, QUERY, QUERY_TEXT),
        (&observed.fragment, FRAGMENT, FRAGMENT_TEXT),
    ];
    let mut mask = ACCEPTED;
    for (reported, defined, text) in pairs {
        if let Some(value) = reported.as_defined() {
            mask |= if value.is_empty() { defined } else { defined | text };
        }
    }
    if observed.path.as_defined().is_some_and(|path| path.starts_with('/')) {
        mask |= PATH_SLASH;
    }
    mask | match &observed.host_kind {
        Reported::Defined(HostKind::Ipv4) => IPV4,
        Reported::Defined(HostKind::Ipv6) => IPV6,
        Reported::Defined(HostKind::Ipvfuture) => IPVFUTURE,
        Reported::Defined(HostKind::RegName) => REG_NAME,
        Reported::Undefined | Reported::Nothing => 0,
    }
}

/// RFC 3986's machine of what a subject can tell of the strings of a rule.
pub(super) fn component_target(machines: &Machines, rule: Rule, visible: u32) -> Result<Machine, Error> {
    let mut views = vec![rule.name()];
    views.extend(rfc3986::COMPONENT_VIEWS);
    views.extend(rfc3986::EMPTY_VIEWS);
    let machine = Moore::compile(machines.grammar(), &views)?;
    Ok(machine.machine().map_outputs(|output| expected_mask(&views, output) & visible))
}

/// What a mask of the grammar's views says, in the bits of this module.
fn expected_mask(views: &[&str], output: u32) -> u32 {
    if output & 1 == 0 {
        return 0;
    }
    let has = |name: &str| views.iter().position(|&view| view == name).is_some_and(|bit| output >> bit & 1 == 1);
    let mut mask = ACCEPTED;
    let mut add = |bits: u32, is_there: bool| mask |= if is_there { bits } else { 0 };
    add(SCHEME, has("has-scheme"));
    add(USERINFO, has("has-userinfo"));
    add(USERINFO_TEXT, has("has-userinfo") && !has("empty-userinfo"));
    add(HOST, has("has-authority"));
    add(HOST_TEXT, has("has-authority") && !has("empty-host"));
    add(IPV4, has("host-ipv4"));
    add(IPV6, has("host-ipv6"));
    add(IPVFUTURE, has("host-ipvfuture"));
    // An IPv4 address is a reg-name, too; the first match wins (RFC 3986 §3.2.2).
    add(REG_NAME, has("host-reg-name") && !has("host-ipv4"));
    add(PORT, has("has-port"));
    add(PORT_TEXT, has("has-port") && !has("empty-port"));
    let is_abempty = has("has-authority") && !has("empty-path-abempty");
    let is_relative = has("uses-path-noscheme") || has("uses-path-rootless");
    add(PATH_SLASH, has("uses-path-absolute") || is_abempty);
    add(PATH_TEXT, has("uses-path-absolute") || is_abempty || is_relative);
    add(QUERY, has("has-query"));
    add(QUERY_TEXT, has("has-query") && !has("empty-query"));
    add(FRAGMENT, has("has-fragment"));
    add(FRAGMENT_TEXT, has("has-fragment") && !has("empty-fragment"));
    mask
}

/// The components that a subject tells, by name.
pub(super) fn exposed_names(declaration: &Declaration) -> String {
    let names: Vec<&str> = declaration.tells.iter().map(|(component, _)| component.name()).collect();
    names.join(", ")
}

/// The machine of a rule that says which components a string has, as far as a subject tells: of a component of which it
/// does not tell whether it is there, nothing.
///
/// # Panics
///
/// Never: the grammar is ours, and a test compiles it.
pub(crate) fn presence(machines: &Machines, declaration: &Declaration, rule: Rule) -> Machine {
    let visible = visible(declaration);
    let mut views = vec![rule.name()];
    views.extend(rfc3986::COMPONENT_VIEWS);
    let machine = Moore::compile(machines.grammar(), &views)
        .unwrap_or_else(|error| panic!("rfc3986.abnf and views.abnf: {error}"));
    let bit_of = |view: &str| match view {
        "has-scheme" | "is-relative" => SCHEME,
        "has-authority" => HOST,
        "has-userinfo" => USERINFO,
        "host-ipv4" => IPV4,
        "host-ipv6" => IPV6,
        "host-ipvfuture" => IPVFUTURE,
        "host-reg-name" => REG_NAME,
        "has-port" => PORT,
        "has-query" => QUERY,
        "has-fragment" => FRAGMENT,
        _ => PATH_TEXT,
    };
    let reported = views.iter().enumerate().skip(1).filter(|(_, view)| visible & bit_of(view) != 0);
    let mask = reported.fold(1, |mask, (bit, _)| mask | 1 << bit);
    machine.machine().map_outputs(|output| if output & 1 == 0 { 0 } else { output & mask })
}
