//! Learning a subject: its machine, and the exact difference from RFC 3986, by questions alone.

use uriproof_grammar::abnf::Error;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::learn::{CRASHED, Learned, Options, Oracle, learn};
use uriproof_grammar::{Alphabet, Machine, Moore, rfc3986};

use super::machines::Machines;
use super::vectors::Library;
use crate::ask;
use crate::compare::own_rule;
use crate::model::{
    Component, Declaration, Fidelity, Forms, HostKind, Input, Observed, Outcome, Rule, Subject, Told, Value,
};

/// Learns which strings a subject accepts.
///
/// Besides what [`Options`] asks, the transition cover of the component machine is: a parser that decides too early what a
/// component is rejects strings that no suite of the acceptance machine has. What begins with a scheme there is asked with
/// schemes that parsers treat apart, too: no suite has a word such as `http`. And the vectors' strings.
pub fn acceptance(machines: &Machines, subject: &dyn Subject, options: &Options) -> Learned {
    let mut options = options.clone();
    options.given.extend(given(machines));
    let rule = own_rule(subject.declaration());
    learn(machines.of(rule).machine(), &Acceptance { subject, rule }, &options)
}

/// Learns which components a subject tells of which strings, as far as it can tell them: whether they are defined and
/// whether they are empty, the kind of the host, and how the path begins.
///
/// # Errors
///
/// None for the rules that have components.
pub fn components(machines: &Machines, subject: &dyn Subject, options: &Options) -> Result<Learned, Error> {
    let declaration = subject.declaration();
    let rule = own_rule(declaration);
    let visible = visible(declaration);
    let target = component_target(rule, visible)?;
    let oracle = ComponentMask { subject, rule, visible };
    let mut options = options.clone();
    options.given.extend(given(machines));
    Ok(learn(&target, &oracle, &options))
}

/// Schemes that parsers treat apart.
const SCHEMES: [&str; 10] = [
    "http",
    "https",
    "ws",
    "wss",
    "ftp",
    "file",
    "data",
    "mailto",
    "urn",
    "javascript",
];

/// The transition cover of the component machine, with other schemes too, and the vectors' strings to parse.
fn given(machines: &Machines) -> Vec<String> {
    let suites = Suites::new(machines.components().machine());
    let cover = suites.suite(Method::TransitionCover, Alphabet::Representatives);
    let mut given: Vec<String> = cover.filter_map(|word| String::from_utf8(word).ok()).collect();
    let behind: Vec<String> = given.iter().filter_map(|word| Some(word.strip_prefix("a:")?.to_owned())).collect();
    for scheme in SCHEMES {
        given.extend(behind.iter().map(|rest| format!("{scheme}:{rest}")));
    }
    let library = Library::embedded();
    given.extend(library.vectors().filter_map(|vector| match &vector.input {
        Input::Parse { input, .. } => Some(input.clone()),
        _ => None,
    }));
    given
}

/// Whether strings that match a rule have the components of a URI-reference.
pub fn has_components(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::UriReference | Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef
    )
}

struct Acceptance<'a> {
    subject: &'a dyn Subject,
    rule: Rule,
}

impl Oracle for Acceptance<'_> {
    fn output(&self, input: &str) -> u32 {
        accepts(self.subject, self.rule, input)
    }
}

/// 1 if a subject accepts, 0 if it does not.
fn accepts(subject: &dyn Subject, rule: Rule, input: &str) -> u32 {
    match ask::accepts(subject, rule, input) {
        Some(accepted) => u32::from(accepted),
        // It panics, or it cannot say.
        None => match ask::parse(subject, rule, input) {
            Outcome::Accepted { .. } => 1,
            Outcome::Crashed { .. } => CRASHED,
            _ => 0,
        },
    }
}

struct ComponentMask<'a> {
    subject: &'a dyn Subject,
    rule: Rule,
    visible: u32,
}

impl Oracle for ComponentMask<'_> {
    fn output(&self, input: &str) -> u32 {
        match ask::parse(self.subject, self.rule, input) {
            Outcome::Accepted {
                value: Value::Components(observed),
            } => observed_mask(&observed) & self.visible,
            Outcome::Accepted { .. } => ACCEPTED,
            Outcome::Crashed { .. } => CRASHED,
            _ => 0,
        }
    }
}

/// The bits of a mask: what can be told of a string, in the order of their names.
const ACCEPTED: u32 = 1;
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
    let told = bits.filter(|(bit, _)| (expected ^ observed) & bit != 0).map(|(bit, name)| {
        let no = if observed & bit == 0 { "no " } else { "" };
        format!("{no}{name}")
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The bits that a subject can tell.
fn visible(declaration: &Declaration) -> u32 {
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
            Fidelity::EmptyIsUndefined | Fidelity::Number | Fidelity::OctetsEmptyIsUndefined => text,
            _ => defined | text,
        };
    }
    visible
}

fn observed_mask(observed: &Observed) -> u32 {
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
    for (told, defined, text) in pairs {
        if let Some(value) = told.as_defined() {
            mask |= if value.is_empty() { defined } else { defined | text };
        }
    }
    if observed.path.as_defined().is_some_and(|path| path.starts_with('/')) {
        mask |= PATH_SLASH;
    }
    mask | match &observed.host_kind {
        Told::Defined(HostKind::Ipv4) => IPV4,
        Told::Defined(HostKind::Ipv6) => IPV6,
        Told::Defined(HostKind::Ipvfuture) => IPVFUTURE,
        Told::Defined(HostKind::RegName) => REG_NAME,
        Told::Undefined | Told::Untold => 0,
    }
}

/// RFC 3986's machine of what a subject can tell of the strings of a rule.
fn component_target(rule: Rule, visible: u32) -> Result<Machine, Error> {
    let mut views = vec![rule.name()];
    views.extend(rfc3986::COMPONENT_VIEWS);
    views.extend(rfc3986::EMPTY_VIEWS);
    let machine = Moore::compile(&rfc3986::grammar_with_views(), &views)?;
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
