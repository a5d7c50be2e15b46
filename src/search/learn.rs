//! Learning a subject: its machine, and the exact difference from RFC 3986, by questions alone.

use serde::{Deserialize, Serialize};
use uriproof_grammar::abnf::Error;
use uriproof_grammar::complete::{Method, Suites};
use uriproof_grammar::learn::{CRASHED, Group, Kind, Learned, Options, Oracle, learn, ranges};
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
    let target = component_target(machines, rule, visible)?;
    let oracle = ComponentMask { subject, rule, visible };
    let mut options = options.clone();
    options.given.extend(given(machines));
    Ok(learn(&target, &oracle, &options))
}

/// What is learned of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// Which strings it accepts.
    Acceptance,
    /// Which components it tells of them.
    Components,
}

/// What was learned of a subject, in a form that is stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The subject's label.
    pub subject: String,
    /// The rule that it was asked for.
    pub rule: String,
    /// The language that it was compared with: RFC 3986, or a profile of it.
    pub language: String,
    /// What was learned.
    pub what: What,
    /// The number of states of the subject's machine.
    pub states: usize,
    /// The number of its symbols.
    pub symbols: usize,
    /// How many questions were asked.
    pub questions: u64,
    /// Why the learner stopped early, if it did.
    pub stopped: Option<String>,
    /// What the result rests on.
    pub assumptions: Vec<String>,
    /// What the subject answers otherwise from some size on; the rest is about strings within these limits.
    pub limits: Vec<StoredLimit>,
    /// How many classes of difference there are: pairs of states that differ.
    pub classes: usize,
    /// The classes in groups that are likely to have one cause each.
    pub groups: Vec<StoredGroup>,
}

/// A limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredLimit {
    /// Such as `rejects ports over 65,535`.
    pub limit: String,
    /// A string within.
    pub inside: LongString,
    /// A string beyond.
    pub beyond: LongString,
}

/// A string that is stored in little space where it repeats something many times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum LongString {
    /// As it stands.
    Whole(String),
    /// `before`, `repeated` so many `times`, `after`.
    Repeated {
        /// What stands before.
        before: String,
        /// What is repeated.
        repeated: String,
        /// How many times.
        times: usize,
        /// What stands after.
        after: String,
    },
}

impl LongString {
    /// Up to how many bytes a string is stored as it stands.
    const SHORT: usize = 200;

    /// How many bytes what is repeated has at most.
    const UNIT: usize = 4;

    /// Stores a string of US-ASCII in less space if what is repeated is most of it.
    pub fn of(text: &str) -> LongString {
        let bytes = text.as_bytes();
        let repeats = |unit: usize, from: usize| {
            let same = (from + unit..bytes.len()).take_while(|&at| bytes[at] == bytes[at - unit]).count();
            same / unit + 1
        };
        let best = (1..=LongString::UNIT)
            .flat_map(|unit| (0..LongString::SHORT.min(bytes.len() / 2)).map(move |from| (unit, from)))
            .map(|(unit, from)| (repeats(unit, from), unit, from))
            .max_by_key(|&(times, unit, from)| (times * unit, usize::MAX - unit, usize::MAX - from));
        match best {
            Some((times, unit, from)) if text.is_ascii() && text.len() > LongString::SHORT => LongString::Repeated {
                before: text[..from].to_owned(),
                repeated: text[from..from + unit].to_owned(),
                times,
                after: text[from + times * unit..].to_owned(),
            },
            _ => LongString::Whole(text.to_owned()),
        }
    }

    /// The string.
    pub fn text(&self) -> String {
        match self {
            LongString::Whole(text) => text.clone(),
            LongString::Repeated {
                before,
                repeated,
                times,
                after,
            } => format!("{before}{}{after}", repeated.repeat(*times)),
        }
    }
}

/// Classes of difference that are likely to have one cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredGroup {
    /// Such as `accepted though invalid`.
    pub kind: String,
    /// The characters on which the machines part, as ranges.
    pub characters: String,
    /// What is told more and less than expected.
    pub told: String,
    /// How many classes there are.
    pub classes: usize,
    /// The shortest string of all that show one of them.
    pub witness: String,
}

impl Lesson {
    /// What was learned of a subject, measured by `machines`.
    pub fn of(machines: &Machines, subject: &dyn Subject, what: What, learned: &Learned) -> Lesson {
        let declaration = subject.declaration();
        let group = |group: Group| {
            let first = &learned.differences[group.differences[0]];
            StoredGroup {
                kind: group.kind.to_string(),
                characters: ranges(&group.characters),
                told: if first.expected == 0 || first.observed == 0 || first.observed == CRASHED {
                    String::new()
                } else {
                    describe(first.expected, first.observed)
                },
                classes: group.differences.len(),
                witness: first.witness.clone(),
            }
        };
        Lesson {
            subject: declaration.label(),
            rule: own_rule(declaration).name().to_owned(),
            language: machines.language(),
            what,
            states: learned.states(),
            symbols: learned.symbols().len(),
            questions: learned.asked(),
            stopped: learned.stopped.as_ref().map(ToString::to_string),
            assumptions: learned.assumptions(),
            limits: learned
                .limits
                .iter()
                .map(|limit| StoredLimit {
                    limit: limit.to_string(),
                    inside: LongString::of(&limit.witness_in),
                    beyond: LongString::of(&limit.witness_out),
                })
                .collect(),
            classes: learned.differences.len(),
            groups: learned.groups().into_iter().map(group).collect(),
        }
    }

    /// Whether there is no difference at all.
    pub fn is_equal(&self) -> bool {
        self.stopped.is_none() && self.classes == 0 && self.limits.is_empty()
    }

    /// The verdict in a few words: `equal to RFC 3986`, `4 classes of difference from RFC 3986`.
    pub fn verdict(&self) -> String {
        let classes = match self.classes {
            1 => "1 class of difference".to_owned(),
            count => format!("{count} classes of difference"),
        };
        match (&self.stopped, self.classes, self.limits.len()) {
            (Some(stop), ..) => format!(
                "not learned to the end ({stop}): {classes} from {} until then",
                self.language
            ),
            (None, 0, 0) => format!("equal to {}", self.language),
            (None, 0, 1) => format!("equal to {} within a limit", self.language),
            (None, 0, limits) => format!("equal to {} within {limits} limits", self.language),
            (None, ..) => format!("{classes} from {}", self.language),
        }
    }

    /// Whether the subject still answers as it did when this was learned: every witness is asked again, of what was learned
    /// under the profiles of `machines`.
    ///
    /// # Errors
    ///
    /// The first string of which the subject makes something else now, and what.
    pub fn check(&self, machines: &Machines, subject: &dyn Subject) -> Result<(), String> {
        let rule = own_rule(subject.declaration());
        let visible = visible(subject.declaration());
        let (oracle, target): (Box<dyn Oracle + '_>, Machine) = match self.what {
            What::Acceptance => (
                Box::new(Acceptance { subject, rule }),
                machines.of(rule).machine().clone(),
            ),
            What::Components => (
                Box::new(ComponentMask { subject, rule, visible }),
                component_target(machines, rule, visible).map_err(|error| error.to_string())?,
            ),
        };
        for limit in &self.limits {
            if oracle.output(&limit.inside.text()) == oracle.output(&limit.beyond.text()) {
                return Err(format!(
                    "{:?} is no limit any more: {:?} is answered alike",
                    limit.limit, limit.beyond
                ));
            }
        }
        for group in &self.groups {
            let expected = target.output(target.run(group.witness.as_bytes()));
            let kind = Kind::of(expected, oracle.output(&group.witness));
            if kind.is_none_or(|kind| kind.to_string() != group.kind) {
                return Err(format!("{:?} is not {} any more", group.witness, group.kind));
            }
        }
        Ok(())
    }
}

/// What was learned of all subjects: `learned.json`, which `uriproof learn --write learned.json` writes.
///
/// # Panics
///
/// Never: a test reads it.
pub fn stored() -> Vec<Lesson> {
    let text = include_str!("../../learned.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("learned.json: {error}"))
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
    let components = machines.components_of_text();
    let suites = Suites::new(components.machine());
    let cover = suites.suite(Method::TransitionCover, Alphabet::Representatives);
    let mut given: Vec<String> = cover.map(|symbols| components.decode(&symbols)).collect();
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
fn component_target(machines: &Machines, rule: Rule, visible: u32) -> Result<Machine, Error> {
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

#[cfg(test)]
mod tests {
    use super::LongString;

    #[test]
    fn long_strings_are_stored_in_little_space() {
        for (text, stored) in [
            ("//h:65536".to_owned(), 9),
            (format!("a:/{}b", "/a".repeat(70_000)), 100),
            ("x".repeat(201), 100),
            (format!("{}yz", "ab".repeat(150)), 100),
            (
                (0..300).map(|at| char::from(b'a' + (at * at % 17) as u8)).collect(),
                300,
            ),
        ] {
            let long = LongString::of(&text);
            assert_eq!(long.text(), text);
            assert!(serde_json::to_string(&long).unwrap().len() <= stored + 60, "{long:?}");
        }
    }
}
