//! The patterns of long inputs: a prefix, a unit repeated, and a suffix, in each place of each operation.

use std::fmt;

use serde::{Deserialize, Serialize};
use uriproof::compare::own_rule;
use uriproof::model::{Component, Components, Declaration, Input, Operation, Outcome, Quoted, Rule, Rung, Scope};

use super::Answerer;

/// Where in the input the long text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrowingPart {
    /// It is all of the input.
    Input,
    /// It is the base, and the reference is short.
    Base,
    /// It is the reference, and the base is short.
    Reference,
    /// It is the base and the reference, or both URIs that are compared.
    Both,
    /// It is this component, and the others are short.
    #[serde(untagged)]
    Component(Component),
}

impl fmt::Display for GrowingPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GrowingPart::Input => "input",
            GrowingPart::Base => "base",
            GrowingPart::Reference => "reference",
            GrowingPart::Both => "both",
            GrowingPart::Component(component) => component.name(),
        })
    }
}

/// A family of long texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// What stands before.
    pub prefix: String,
    /// What is repeated.
    pub unit: String,
    /// What stands behind.
    pub suffix: String,
    /// What is repeated behind that, to the same length as the unit; nothing if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub second: String,
    /// Where the text stands.
    pub place: GrowingPart,
}

impl Pattern {
    /// The text of about `size` bytes: never more, unless one unit is.
    pub fn text(&self, size: usize) -> String {
        let rest = size.saturating_sub(self.prefix.len() + self.suffix.len());
        let (first, second) = if self.second.is_empty() {
            (rest, 0)
        } else {
            (rest / 2, rest / 2)
        };
        let repeated = |unit: &str, size: usize| unit.repeat((size / unit.len().max(1)).max(1));
        let (first, second) = (repeated(&self.unit, first), repeated(&self.second, second));
        format!("{}{first}{}{second}", self.prefix, self.suffix)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.prefix.is_empty() {
            write!(f, "{} ", Quoted(&self.prefix))?;
        }
        write!(f, "{}*", Quoted(&self.unit))?;
        if !self.suffix.is_empty() {
            write!(f, " {}", Quoted(&self.suffix))?;
        }
        if !self.second.is_empty() {
            write!(f, " {}*", Quoted(&self.second))?;
        }
        match self.place {
            GrowingPart::Input => Ok(()),
            GrowingPart::Both => f.write_str(" on both sides"),
            place => write!(f, " as {place}"),
        }
    }
}

/// What patterns have in common that differ in what stands before and behind only: the place and what is repeated.
pub(super) type PatternGroup = (GrowingPart, String);

impl Pattern {
    pub(super) fn group(&self) -> PatternGroup {
        (self.place, self.unit.clone())
    }
}

/// What is repeated.
const UNITS: [&str; 22] = [
    "/..", "/.", "a/../", "a/", "%41", "%", "[", "]", ":", "@", "/", "//", "?", "#", "a", "1", ".", "é", " ", "&a=b",
    "0:", "a@",
];

/// What is repeated, what stands behind it, and what is repeated there: many segments that are neither empty nor
/// dot-segments, and behind them a dot-segment, as many that take them all away, or another long component.
const BEHIND_SEGMENTS: [(&str, &str, &str); 4] =
    [("a/", "..", ""), ("a/", "", "../"), ("a/", "?", "a"), ("a/", "#", "a")];

/// What may stand before, the simplest first.
const PREFIXES: [&str; 12] = [
    "",
    "/",
    "?",
    "#",
    "//",
    "a:",
    "//[",
    "a://",
    "//a:",
    "mailto:",
    "http://",
    "http://a/",
];

/// What may stand before a long component.
const COMPONENT_PREFIXES: [&str; 4] = ["", "/", "[", "//"];

/// What may stand behind: nothing, or what no URI has.
const SUFFIXES: [&str; 2] = ["", " "];

/// What may stand behind in an authority, too: what ends a userinfo and an address.
const AUTHORITY_SUFFIXES: [&str; 4] = ["", " ", "@", "]"];

/// Every pattern for an operation, the simplest of a group first.
pub(super) fn patterns(operation: Operation) -> Vec<Pattern> {
    let places: Vec<GrowingPart> = match operation {
        Operation::Parse | Operation::Normalize | Operation::RoundTrip => vec![GrowingPart::Input],
        Operation::Resolve | Operation::Relativize => {
            vec![GrowingPart::Base, GrowingPart::Reference, GrowingPart::Both]
        }
        Operation::Compose | Operation::Modify => Component::TEXTS.into_iter().map(GrowingPart::Component).collect(),
        Operation::Equivalent | Operation::Contract => vec![GrowingPart::Both],
    };
    let mut patterns = Vec::new();
    for place in places {
        let prefixes: &[&str] = match place {
            GrowingPart::Component(_) => &COMPONENT_PREFIXES,
            _ => &PREFIXES,
        };
        let pattern = |prefix: &str, unit: &str, suffix: &str, second: &str| Pattern {
            prefix: prefix.to_owned(),
            unit: unit.to_owned(),
            suffix: suffix.to_owned(),
            second: second.to_owned(),
            place,
        };
        for unit in UNITS {
            let first = patterns.len();
            for prefix in prefixes {
                let suffixes: &[&str] = match (place, *prefix) {
                    (GrowingPart::Component(_), _) => &SUFFIXES,
                    (_, "//" | "//[" | "//a:" | "a://" | "http://") => &AUTHORITY_SUFFIXES,
                    _ => &SUFFIXES,
                };
                patterns.extend(suffixes.iter().map(|suffix| pattern(prefix, unit, suffix, "")));
            }
            patterns[first..].sort_by_key(|pattern| pattern.prefix.len() + pattern.suffix.len());
        }
        for (unit, suffix, second) in BEHIND_SEGMENTS {
            patterns.extend(prefixes.iter().map(|prefix| pattern(prefix, unit, suffix, second)));
        }
    }
    patterns
}

/// The other arguments of an operation, beside the text.
#[derive(Clone, Copy)]
pub(super) enum PatternForm {
    Parse(Rule),
    Resolve { strict: bool },
    Normalize(Scope),
    Compose,
    Equivalent(Rung),
    Relativize,
    Modify,
    RoundTrip,
    Contract,
}

impl PatternForm {
    /// A form of the operation, whichever the subject supports.
    pub(super) fn declared(declaration: &Declaration, operation: Operation) -> Option<PatternForm> {
        PatternForm::all(declaration, operation).first().copied()
    }

    /// The form that takes most work of those that a subject supports.
    pub(super) fn of(declaration: &Declaration, operation: Operation, answerer: &dyn Answerer) -> Option<PatternForm> {
        let is_supported = |form: &&PatternForm| {
            let input = form.input(GrowingPart::Input, "/a".to_owned());
            // A relative reference alone may be what it lacks.
            let uri = form.input(GrowingPart::Both, "http://a/a".to_owned());
            [input, uri].iter().any(|input| !matches!(answerer.answer(input).outcome, Outcome::Unsupported { .. }))
        };
        PatternForm::all(declaration, operation).iter().find(is_supported).copied()
    }

    /// Every form of an operation that a subject has, the one that takes most work first.
    fn all(declaration: &Declaration, operation: Operation) -> Vec<PatternForm> {
        if !declaration.operations.contains(&operation) {
            return Vec::new();
        }
        let forms: &[PatternForm] = match operation {
            Operation::Parse => &[PatternForm::Parse(own_rule(declaration))],
            Operation::Resolve => &[
                PatternForm::Resolve { strict: true },
                PatternForm::Resolve { strict: false },
            ],
            Operation::Normalize => &[
                PatternForm::Normalize(Scope::Scheme),
                PatternForm::Normalize(Scope::Syntax),
            ],
            Operation::Compose => &[PatternForm::Compose],
            Operation::Equivalent => &[Rung::Scheme, Rung::Syntax, Rung::Simple].map(PatternForm::Equivalent),
            Operation::Relativize => &[PatternForm::Relativize],
            Operation::Modify => &[PatternForm::Modify],
            Operation::RoundTrip => &[PatternForm::RoundTrip],
            Operation::Contract => &[PatternForm::Contract],
        };
        forms.to_vec()
    }

    pub(super) fn input(self, place: GrowingPart, text: String) -> Input {
        const SHORT: &str = "http://a/b/c";
        match self {
            PatternForm::Parse(rule) => Input::Parse { rule, input: text },
            PatternForm::Resolve { strict } => {
                let (base, reference) = match place {
                    GrowingPart::Base => (text, "../d".to_owned()),
                    GrowingPart::Both => (text.clone(), text),
                    _ => (SHORT.to_owned(), text),
                };
                Input::Resolve {
                    base,
                    reference,
                    strict,
                }
            }
            PatternForm::Normalize(scope) => Input::Normalize { uri: text, scope },
            PatternForm::Compose => Input::Compose {
                components: composed(place, text),
            },
            // Equal strings could be recognized at once.
            PatternForm::Equivalent(rung) => Input::Equivalent {
                left: format!("{text}a"),
                right: text,
                rung,
            },
            PatternForm::Relativize => {
                let (base, target) = match place {
                    GrowingPart::Base => (text, SHORT.to_owned()),
                    GrowingPart::Both => (format!("{text}a"), text),
                    _ => (SHORT.to_owned(), text),
                };
                Input::Relativize { base, target }
            }
            PatternForm::Modify => {
                let component = match place {
                    GrowingPart::Component(component) => component,
                    _ => Component::Path,
                };
                Input::Modify {
                    uri: SHORT.to_owned(),
                    component,
                    value: Some(text),
                }
            }
            PatternForm::RoundTrip => Input::RoundTrip { uri: text },
            PatternForm::Contract => Input::Contract {
                left: format!("{text}a"),
                right: text,
            },
        }
    }
}

fn composed(place: GrowingPart, text: String) -> Components {
    let mut components = Components {
        scheme: Some("a".to_owned()),
        path: "/".to_owned(),
        ..Components::default()
    };
    let GrowingPart::Component(component) = place else {
        components.path = text;
        return components;
    };
    if matches!(component, Component::Userinfo | Component::Port) {
        components.host = Some("a".to_owned());
    }
    match component {
        Component::Scheme => components.scheme = Some(text),
        Component::Userinfo => components.userinfo = Some(text),
        Component::Host | Component::HostKind => components.host = Some(text),
        Component::Port => components.port = Some(text),
        Component::Path => components.path = text,
        Component::Query => components.query = Some(text),
        Component::Fragment => components.fragment = Some(text),
    }
    components
}
