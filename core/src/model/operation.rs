//! Operations and their inputs.

use std::fmt;

use rfc3986_reference::grammar::Rule;
use serde::{Deserialize, Serialize};

use super::component::Component;
use super::components::Components;
use super::text::Quoted;

/// What a subject can do with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Decide whether a string matches a rule, and find its components (RFC 3986 §3, §4).
    Parse,
    /// Resolve a reference against a base URI (RFC 3986 §5).
    Resolve,
    /// Bring a URI into normal form (RFC 3986 §6.2.2, §6.2.3).
    Normalize,
    /// Make a URI-reference from components (RFC 3986 §5.3).
    Compose,
    /// Decide whether two URIs are equivalent on a rung of the ladder (RFC 3986 §6.2).
    Equivalent,
    /// Make a reference that resolves to a target against a base: the inverse of resolution (RFC 3986 §5.2).
    Relativize,
    /// Change one component of a URI-reference and keep the others (RFC 3986 §5.3).
    Modify,
    /// Print what has been parsed.
    RoundTrip,
    /// Keep what equality, hash and order promise for two values.
    Contract,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 9] = [
        Operation::Parse,
        Operation::Resolve,
        Operation::Normalize,
        Operation::Compose,
        Operation::Equivalent,
        Operation::Relativize,
        Operation::Modify,
        Operation::RoundTrip,
        Operation::Contract,
    ];

    /// The operation's name, as vectors and the line protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Parse => "parse",
            Operation::Resolve => "resolve",
            Operation::Normalize => "normalize",
            Operation::Compose => "compose",
            Operation::Equivalent => "equivalent",
            Operation::Relativize => "relativize",
            Operation::Modify => "modify",
            Operation::RoundTrip => "round-trip",
            Operation::Contract => "contract",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Which steps of normalization are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Case, percent-encoding and path segments (RFC 3986 §6.2.2).
    Syntax,
    /// Those, and the rules of the URI's scheme (RFC 3986 §6.2.3).
    Scheme,
}

impl Scope {
    /// The scope's name, as vectors and the line protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Syntax => "syntax",
            Scope::Scheme => "scheme",
        }
    }
}

/// A rung of the comparison ladder (RFC 3986 §6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rung {
    /// Simple string comparison (RFC 3986 §6.2.1).
    Simple,
    /// Syntax-based normalization on both sides (RFC 3986 §6.2.2).
    Syntax,
    /// Scheme-based normalization on both sides (RFC 3986 §6.2.3).
    Scheme,
}

impl Rung {
    /// The rung's name, as vectors and the line protocol spell it.
    pub fn name(self) -> &'static str {
        match self {
            Rung::Simple => "simple",
            Rung::Syntax => "syntax",
            Rung::Scheme => "scheme",
        }
    }
}

/// An operation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "RawInput")]
pub enum Input {
    /// Parse `input` as `rule`.
    Parse {
        /// The ABNF rule that the whole input must match.
        rule: Rule,
        /// The string.
        input: String,
    },
    /// Resolve `reference` against `base`.
    Resolve {
        /// The base URI.
        base: String,
        /// The URI-reference.
        reference: String,
        /// False: a scheme in the reference that is the base's own is ignored (RFC 3986 §5.2.2).
        strict: bool,
    },
    /// Normalize `uri`.
    Normalize {
        /// The URI.
        uri: String,
        /// The steps to apply.
        scope: Scope,
    },
    /// Make a URI-reference from `components`.
    Compose {
        /// The components; the host kind has no part in it.
        components: Components,
    },
    /// Compare two URIs.
    Equivalent {
        /// One URI.
        left: String,
        /// The other.
        right: String,
        /// How far up the ladder to go.
        rung: Rung,
    },
    /// Make a reference that resolves to `target` against `base`.
    Relativize {
        /// The base URI.
        base: String,
        /// The URI that the reference is to resolve to.
        target: String,
    },
    /// Change one component of `uri`.
    Modify {
        /// The URI-reference.
        uri: String,
        /// The component; never [`Component::HostKind`].
        component: Component,
        /// Its new text; `None` makes it undefined.
        value: Option<String>,
    },
    /// Parse `uri` and print it.
    RoundTrip {
        /// The URI-reference.
        uri: String,
    },
    /// Parse both, and put equality, hash and order of the two values to the test.
    Contract {
        /// One URI-reference.
        left: String,
        /// The other.
        right: String,
    },
}

impl Input {
    /// The operation that the input is for.
    pub fn operation(&self) -> Operation {
        match self {
            Input::Parse { .. } => Operation::Parse,
            Input::Resolve { .. } => Operation::Resolve,
            Input::Normalize { .. } => Operation::Normalize,
            Input::Compose { .. } => Operation::Compose,
            Input::Equivalent { .. } => Operation::Equivalent,
            Input::Relativize { .. } => Operation::Relativize,
            Input::Modify { .. } => Operation::Modify,
            Input::RoundTrip { .. } => Operation::RoundTrip,
            Input::Contract { .. } => Operation::Contract,
        }
    }

    /// How many bytes of text the input holds: the measure of the smallest input.
    pub fn size(&self) -> usize {
        match self {
            Input::Parse { input, .. } => input.len(),
            Input::Resolve { base, reference, .. } => base.len() + reference.len(),
            Input::Normalize { uri, .. } | Input::RoundTrip { uri } => uri.len(),
            Input::Compose { components } => components.size(),
            Input::Equivalent { left, right, .. } | Input::Contract { left, right } => left.len() + right.len(),
            Input::Relativize { base, target } => base.len() + target.len(),
            Input::Modify { uri, value, .. } => uri.len() + value.as_ref().map_or(0, String::len),
        }
    }
}

impl fmt::Display for Input {
    /// The arguments in a line, quoted, control and non-ASCII characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Parse {
                input,
                rule: Rule::UriReference,
            } => write!(f, "{}", Quoted(input)),
            Input::Parse { input, rule } => write!(f, "{} as {rule}", Quoted(input)),
            Input::Resolve {
                base,
                reference,
                strict,
            } => {
                let mode = if *strict { "" } else { ", not strict" };
                write!(f, "{} + {}{mode}", Quoted(base), Quoted(reference))
            }
            Input::Normalize { uri, scope } => write!(f, "{}, {}-based", Quoted(uri), scope.name()),
            Input::Compose { components } => write!(f, "{components}"),
            Input::Equivalent { left, right, rung } => {
                write!(f, "{} and {}, {} rung", Quoted(left), Quoted(right), rung.name())
            }
            Input::Relativize { base, target } => write!(f, "{} to {}", Quoted(base), Quoted(target)),
            Input::Modify { uri, component, value } => match value {
                Some(value) => write!(f, "{}, {component} {}", Quoted(uri), Quoted(value)),
                None => write!(f, "{}, {component} undefined", Quoted(uri)),
            },
            Input::RoundTrip { uri } => write!(f, "{}", Quoted(uri)),
            Input::Contract { left, right } => write!(f, "{} and {}", Quoted(left), Quoted(right)),
        }
    }
}

/// The fields of every operation side by side, so that a wrong one is reported where it stands.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawInput {
    #[serde(alias = "op")]
    operation: Operation,
    rule: Option<String>,
    input: Option<String>,
    base: Option<String>,
    reference: Option<String>,
    strict: Option<bool>,
    uri: Option<String>,
    scope: Option<Scope>,
    components: Option<Components>,
    left: Option<String>,
    right: Option<String>,
    rung: Option<Rung>,
    target: Option<String>,
    component: Option<Component>,
    /// A `null` is a value: *undefined*.
    #[serde(default, deserialize_with = "present")]
    value: Option<Option<String>>,
}

fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl RawInput {
    /// Every field but the operation, and whether it is there.
    fn present(&self) -> [(&'static str, bool); 14] {
        [
            ("rule", self.rule.is_some()),
            ("input", self.input.is_some()),
            ("base", self.base.is_some()),
            ("reference", self.reference.is_some()),
            ("strict", self.strict.is_some()),
            ("uri", self.uri.is_some()),
            ("scope", self.scope.is_some()),
            ("components", self.components.is_some()),
            ("left", self.left.is_some()),
            ("right", self.right.is_some()),
            ("rung", self.rung.is_some()),
            ("target", self.target.is_some()),
            ("component", self.component.is_some()),
            ("value", self.value.is_some()),
        ]
    }
}

/// The fields of an operation, all of which must be there.
fn fields(operation: Operation) -> &'static [&'static str] {
    match operation {
        Operation::Parse => &["rule", "input"],
        Operation::Resolve => &["base", "reference", "strict"],
        Operation::Normalize => &["uri", "scope"],
        Operation::Compose => &["components"],
        Operation::Equivalent => &["left", "right", "rung"],
        Operation::Relativize => &["base", "target"],
        Operation::Modify => &["uri", "component", "value"],
        Operation::RoundTrip => &["uri"],
        Operation::Contract => &["left", "right"],
    }
}

impl TryFrom<RawInput> for Input {
    type Error = String;

    fn try_from(raw: RawInput) -> Result<Input, String> {
        let operation = raw.operation;
        let wanted = fields(operation);
        if let Some((field, _)) = raw.present().iter().find(|(field, is)| *is && !wanted.contains(field)) {
            return Err(format!(
                "`{field}` does not belong to operation `{operation}`, which takes {}",
                list(wanted)
            ));
        }
        let missing = |field: &str| format!("operation `{operation}` lacks `{field}`; it takes {}", list(wanted));
        Ok(match operation {
            Operation::Parse => {
                let name = raw.rule.ok_or_else(|| missing("rule"))?;
                Input::Parse {
                    rule: Rule::from_name(&name).ok_or_else(|| format!("`{name}` is no rule of Appendix A"))?,
                    input: raw.input.ok_or_else(|| missing("input"))?,
                }
            }
            Operation::Resolve => Input::Resolve {
                base: raw.base.ok_or_else(|| missing("base"))?,
                reference: raw.reference.ok_or_else(|| missing("reference"))?,
                strict: raw.strict.ok_or_else(|| missing("strict"))?,
            },
            Operation::Normalize => Input::Normalize {
                uri: raw.uri.ok_or_else(|| missing("uri"))?,
                scope: raw.scope.ok_or_else(|| missing("scope"))?,
            },
            Operation::Compose => Input::Compose {
                components: raw.components.ok_or_else(|| missing("components"))?,
            },
            Operation::Equivalent => Input::Equivalent {
                left: raw.left.ok_or_else(|| missing("left"))?,
                right: raw.right.ok_or_else(|| missing("right"))?,
                rung: raw.rung.ok_or_else(|| missing("rung"))?,
            },
            Operation::Relativize => Input::Relativize {
                base: raw.base.ok_or_else(|| missing("base"))?,
                target: raw.target.ok_or_else(|| missing("target"))?,
            },
            Operation::Modify => Input::Modify {
                uri: raw.uri.ok_or_else(|| missing("uri"))?,
                component: match raw.component.ok_or_else(|| missing("component"))? {
                    Component::HostKind => {
                        return Err("`host_kind` follows from `host` and cannot be modified".to_owned());
                    }
                    component => component,
                },
                value: raw.value.ok_or_else(|| missing("value"))?,
            },
            Operation::RoundTrip => Input::RoundTrip {
                uri: raw.uri.ok_or_else(|| missing("uri"))?,
            },
            Operation::Contract => Input::Contract {
                left: raw.left.ok_or_else(|| missing("left"))?,
                right: raw.right.ok_or_else(|| missing("right"))?,
            },
        })
    }
}

/// Components to compose: those that have text.
struct Composable<'a>(&'a Components);

impl Serialize for Composable<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Component::TEXTS.into_iter().map(|component| (component.name(), self.0.text(component))))
    }
}

fn list(fields: &[&str]) -> String {
    fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ")
}

impl Serialize for Input {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("operation", self.operation().name())?;
        match self {
            Input::Parse { rule, input } => {
                map.serialize_entry("rule", rule.name())?;
                map.serialize_entry("input", input)?;
            }
            Input::Resolve {
                base,
                reference,
                strict,
            } => {
                map.serialize_entry("base", base)?;
                map.serialize_entry("reference", reference)?;
                map.serialize_entry("strict", strict)?;
            }
            Input::Normalize { uri, scope } => {
                map.serialize_entry("uri", uri)?;
                map.serialize_entry("scope", scope)?;
            }
            Input::Compose { components } => map.serialize_entry("components", &Composable(components))?,
            Input::Equivalent { left, right, rung } => {
                map.serialize_entry("left", left)?;
                map.serialize_entry("right", right)?;
                map.serialize_entry("rung", rung)?;
            }
            Input::Relativize { base, target } => {
                map.serialize_entry("base", base)?;
                map.serialize_entry("target", target)?;
            }
            Input::Modify { uri, component, value } => {
                map.serialize_entry("uri", uri)?;
                map.serialize_entry("component", component)?;
                map.serialize_entry("value", value)?;
            }
            Input::RoundTrip { uri } => map.serialize_entry("uri", uri)?,
            Input::Contract { left, right } => {
                map.serialize_entry("left", left)?;
                map.serialize_entry("right", right)?;
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn inputs_are_read_as_they_are_written() {
        for (input, shown) in [
            (
                json!({"operation": "relativize", "base": "a:b", "target": "a:c"}),
                r#""a:b" to "a:c""#,
            ),
            (
                json!({"operation": "modify", "uri": "a:b", "component": "query", "value": ""}),
                r#""a:b", query """#,
            ),
            (
                json!({"operation": "modify", "uri": "a:b?", "component": "query", "value": null}),
                r#""a:b?", query undefined"#,
            ),
            (json!({"operation": "round-trip", "uri": "a:b"}), r#""a:b""#),
            (
                json!({"operation": "contract", "left": "a:b", "right": "A:b"}),
                r#""a:b" and "A:b""#,
            ),
        ] {
            let read: Input = serde_json::from_value(input.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), input);
            assert_eq!(read.to_string(), shown);
        }
    }

    #[test]
    fn a_value_that_is_missing_is_not_undefined() {
        let read = |input| serde_json::from_value::<Input>(input).unwrap_err().to_string();
        let error = read(json!({"operation": "modify", "uri": "a:b", "component": "query"}));
        assert!(error.starts_with("operation `modify` lacks `value`"), "{error}");
        let error = read(json!({"operation": "modify", "uri": "a:b", "component": "host_kind", "value": "ipv4"}));
        assert!(error.contains("cannot be modified"), "{error}");
        let error = read(json!({"operation": "round-trip", "uri": "a:b", "value": null}));
        assert!(error.starts_with("`value` does not belong"), "{error}");
    }
}
