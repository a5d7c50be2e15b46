//! Subjects: one entry point of one version of one implementation.

use std::borrow::Cow;
use std::{fmt, mem};

use rfc3986_reference::grammar::Rule;
use serde::{Deserialize, Serialize};

use super::component::Component;
use super::components::Components;
use super::operation::{Input, Operation, Rung, Scope};
use super::outcome::{Outcome, Shown};
use crate::claim::Claim;

/// An implementation under comparison. Implement the operations that it has and list them in its [`Declaration`].
///
/// A method may panic: the run records `crashed` and goes on. It must give the same outcome for the same input.
pub trait Subject: Send + Sync {
    /// The name and version of the subject, what it claims and which components it reports.
    fn declaration(&self) -> &Declaration;

    /// Parses `input` as `rule`, one of the declaration's rules.
    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        let _ = (rule, input);
        lacks(Operation::Parse)
    }

    /// Parses as [`parse`](Subject::parse) does, and shows `see` once what it makes of `input`, while it holds it.
    ///
    /// Loops over many strings call this. An entry point that lends its components instead of returning them saves most of the
    /// time; its `parse` is then `Outcome::shown(|see| self.show(rule, input, see))`.
    fn show(&self, rule: Rule, input: &str, see: &mut dyn FnMut(Shown<'_>)) {
        self.parse(rule, input).show(see);
    }

    /// Whether [`parse`](Subject::parse) accepts `input`; none if it is unsupported.
    ///
    /// Suites of many strings call this first. An entry point that can answer without the components, or the reason,
    /// saves most of the time.
    fn accepts(&self, rule: Rule, input: &str) -> Option<bool> {
        self.parse(rule, input).is_accepted()
    }

    /// The most strings of a generated suite that are run on it, if it is too slow for all of them; `None` is all.
    ///
    /// The rest is counted as not compared, so that no suite proves anything about such a subject.
    fn budget(&self) -> Option<usize> {
        None
    }

    /// Why the subject no longer answers, if so: answers after that do not count.
    fn lost(&self) -> Option<String> {
        None
    }

    /// The last inputs that its process was given since it was started, oldest first; none where it has no process of its own.
    fn recent(&self) -> Vec<Input> {
        Vec::new()
    }

    /// Starts a new process for the next input. False where it has no process of its own.
    fn start_anew(&self) -> bool {
        false
    }

    /// Whether wrong answers of it are known, by a baseline.
    fn has_known(&self) -> bool {
        false
    }

    /// Whether a wrong answer is a known one, which is not compared then.
    fn knows(&self, input: &Input, observed: &Outcome) -> bool {
        let _ = (input, observed);
        false
    }

    /// What tells the program apart from others with the same label, in the same version: a digest of its files. `None` where it
    /// is part of this program.
    fn digest(&self) -> Option<String> {
        None
    }

    /// Answers an input, by the method of its operation. What passes inputs on to another subject implements this and
    /// [`parse`](Subject::parse), and no method of another operation.
    fn answer(&self, input: &Input) -> Outcome {
        match input {
            Input::Parse { rule, input } => self.parse(*rule, input),
            Input::Resolve {
                base,
                reference,
                strict,
            } => self.resolve(base, reference, *strict),
            Input::Normalize { uri, scope } => self.normalize(uri, *scope),
            Input::Compose { components } => self.compose(components),
            Input::Equivalent { left, right, rung } => self.equivalent(left, right, *rung),
            Input::Relativize { base, target } => self.relativize(base, target),
            Input::Modify { uri, component, value } => self.modify(uri, *component, value.as_deref()),
            Input::RoundTrip { uri } => self.round_trip(uri),
            Input::Contract { left, right } => self.contract(left, right),
        }
    }

    /// Answers an input that is one of a row. `next` returns the inputs that are answered in this way after it, by their distance
    /// from 0: a subject in another process is sent some of them ahead. An input that `next` does not return may come instead.
    fn answer_in_turn(&self, input: &Input, next: &dyn Fn(usize) -> Option<Input>) -> Outcome {
        let _ = next;
        self.answer(input)
    }

    /// Resolves `reference` against `base` (RFC 3986 §5.2).
    fn resolve(&self, base: &str, reference: &str, strict: bool) -> Outcome {
        let _ = (base, reference, strict);
        lacks(Operation::Resolve)
    }

    /// Brings `uri` into normal form (RFC 3986 §6.2.2, §6.2.3).
    fn normalize(&self, uri: &str, scope: Scope) -> Outcome {
        let _ = (uri, scope);
        lacks(Operation::Normalize)
    }

    /// Makes a URI-reference from `components` (RFC 3986 §5.3).
    fn compose(&self, components: &Components) -> Outcome {
        let _ = components;
        lacks(Operation::Compose)
    }

    /// Decides whether two URIs are equivalent (RFC 3986 §6.2).
    fn equivalent(&self, left: &str, right: &str, rung: Rung) -> Outcome {
        let _ = (left, right, rung);
        lacks(Operation::Equivalent)
    }

    /// Makes a reference that resolves to `target` against `base`, the inverse of [`resolve`](Subject::resolve).
    fn relativize(&self, base: &str, target: &str) -> Outcome {
        let _ = (base, target);
        lacks(Operation::Relativize)
    }

    /// Changes one component of `uri`, which is never the host kind, and keeps the others; `None` makes it undefined.
    fn modify(&self, uri: &str, component: Component, value: Option<&str>) -> Outcome {
        let _ = (uri, component, value);
        lacks(Operation::Modify)
    }

    /// Prints what it has parsed of `uri`.
    fn round_trip(&self, uri: &str) -> Outcome {
        let _ = uri;
        lacks(Operation::RoundTrip)
    }

    /// Returns the contracts of equality, hash and order that the values of `left` and `right` break.
    fn contract(&self, left: &str, right: &str) -> Outcome {
        let _ = (left, right);
        lacks(Operation::Contract)
    }
}

fn lacks(operation: Operation) -> Outcome {
    Outcome::unsupported(format!("no operation `{operation}`"))
}

/// The name and version of a subject, what it claims, and how its answers are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declaration {
    /// The implementation, such as `fluent-uri`.
    pub name: Cow<'static, str>,
    /// Its exact version, such as `0.4.1`.
    pub version: Cow<'static, str>,
    /// The entry point, such as `UriRef::parse`.
    pub entry_point: Cow<'static, str>,
    /// The programming language.
    pub language: Cow<'static, str>,
    /// The specification that it is compared by: that which its documentation names, or which governs what it is for.
    pub specification: Specification,
    /// The rules that `parse` takes. The first is the entry point's own: a vector for a rule that contains it is
    /// narrowed to it.
    pub rules: Cow<'static, [Rule]>,
    /// The operations that it has.
    pub operations: Cow<'static, [Operation]>,
    /// The components that it reports, and how exactly.
    pub tells: Cow<'static, [(Component, Fidelity)]>,
    /// In which form it shows what it has parsed or resolved.
    pub forms: Forms,
    /// What it takes the values for that it composes or sets.
    pub values: Values,
    /// Whether it validates. What one that does not accepts though it is invalid is counted, and no failure, as long as its userinfo,
    /// host and port, or those of the URI that it returns, are what the input says (by Appendix B and §3.2).
    pub validates: bool,
    /// The claim that it is measured by, if that is not what it declares: see [`Claimed`](crate::gate::Claimed).
    pub claim: Option<Claim>,
}

/// The fidelities of a subject that reports every component exactly, and which alternative of `host` matches.
pub const EVERYTHING: &[(Component, Fidelity)] = &[
    (Component::Scheme, Fidelity::Exact),
    (Component::Userinfo, Fidelity::Exact),
    (Component::Host, Fidelity::Exact),
    (Component::Port, Fidelity::Exact),
    (Component::Path, Fidelity::Exact),
    (Component::Query, Fidelity::Exact),
    (Component::Fragment, Fidelity::Exact),
    (Component::HostKind, Fidelity::Exact),
];

/// The fidelities of a subject that reports every component exactly, but does not classify the host.
pub const EVERY_TEXT: &[(Component, Fidelity)] = EVERYTHING.split_at(7).0;

impl Declaration {
    /// What most entry points of Rust declare: RFC 3986, its URI-reference, every component as it stands but for the kind of host.
    /// What is otherwise is said behind it, in a `static` too: `Declaration::new(..).with_specification(..)`.
    pub const fn new(
        name: &'static str,
        version: &'static str,
        entry_point: &'static str,
        operations: &'static [Operation],
    ) -> Declaration {
        Declaration {
            name: Cow::Borrowed(name),
            version: Cow::Borrowed(version),
            entry_point: Cow::Borrowed(entry_point),
            language: Cow::Borrowed("Rust"),
            specification: Specification::Rfc3986,
            rules: Cow::Borrowed(&[Rule::UriReference]),
            operations: Cow::Borrowed(operations),
            tells: Cow::Borrowed(EVERY_TEXT),
            forms: Forms::Verbatim,
            values: Values::Text,
            validates: true,
            claim: None,
        }
    }

    /// For an entry point that follows another specification.
    pub const fn with_specification(mut self, specification: Specification) -> Declaration {
        set(&mut self.specification, specification);
        self
    }

    /// For an entry point that parses other rules, its own first.
    pub const fn with_rules(mut self, rules: &'static [Rule]) -> Declaration {
        set(&mut self.rules, Cow::Borrowed(rules));
        self
    }

    /// For an entry point that reports these components with these fidelities; the others are not compared.
    pub const fn with_tells(mut self, tells: &'static [(Component, Fidelity)]) -> Declaration {
        set(&mut self.tells, Cow::Borrowed(tells));
        self
    }

    /// For an entry point that reports parsed components in these forms.
    pub const fn with_forms(mut self, forms: Forms) -> Declaration {
        self.forms = forms;
        self
    }

    /// For an entry point that splits its input and does not validate it.
    pub const fn without_validation(mut self) -> Declaration {
        self.validates = false;
        self
    }

    /// With values that are taken for this.
    pub const fn with_values(mut self, values: Values) -> Declaration {
        self.values = values;
        self
    }

    /// The name under which the subject is shown and selected: `fluent-uri 0.4.1 UriRef::parse`.
    pub fn label(&self) -> String {
        self.to_string()
    }

    /// How exactly the subject reports a component; `None` if it cannot.
    pub fn fidelity(&self, component: Component) -> Option<Fidelity> {
        self.tells.iter().find(|(reported, _)| *reported == component).map(|(_, fidelity)| *fidelity)
    }
}

/// Sets a field where nothing can be dropped, in a constant; nothing that was borrowed is lost.
const fn set<T>(field: &mut T, value: T) {
    mem::forget(mem::replace(field, value));
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.name, self.version, self.entry_point)
    }
}

/// The specification that a subject is compared by. The words of a crate, and the RFC that they name, are in its file of the
/// ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Specification {
    /// RFC 3986, URIs.
    Rfc3986,
    /// RFC 3987, IRIs: RFC 3986 with further characters.
    Rfc3987,
    /// The WHATWG URL Standard.
    WhatwgUrl,
    /// What HTTP takes from RFC 3986, whichever of its documents the subject names: RFC 7230, or RFC 9110 and RFC 9112.
    Http,
    /// Another one, in the subject's own words.
    Other(String),
}

impl Specification {
    /// The specification of a name, as a subject in another process gives it. Each of the documents of HTTP is
    /// [`Specification::Http`].
    pub fn from_name(name: &str) -> Specification {
        let known = [
            Specification::Rfc3986,
            Specification::Rfc3987,
            Specification::WhatwgUrl,
            Specification::Http,
        ];
        known.into_iter().find(|known| known.to_string() == name).unwrap_or_else(|| match name {
            "RFC 7230" | "RFC 9110" | "RFC 9112" => Specification::Http,
            other => Specification::Other(other.to_owned()),
        })
    }
}

impl fmt::Display for Specification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Specification::Rfc3986 => "RFC 3986",
            Specification::Rfc3987 => "RFC 3987",
            Specification::WhatwgUrl => "WHATWG URL",
            Specification::Http => "HTTP",
            Specification::Other(name) => name,
        })
    }
}

/// How exactly a subject reports a component. Values that a fidelity cannot distinguish count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// Its text, and undefined apart from empty.
    Exact,
    /// Its text, but undefined and empty look alike.
    EmptyIsUndefined,
    /// Its text in another case (`HTTP` is reported as `http`).
    IgnoringCase,
    /// A host ignoring case, and an IPv6 address by its value (`[0:0::1]` is reported as `[::1]`).
    HostValue,
    /// A host ignoring case, without the brackets of an IP-literal; undefined and empty look alike.
    BareHost,
    /// Its value as a decimal number; leading zeros are lost, undefined and empty look alike.
    Number,
    /// The octets after percent-decoding, reported as text in which every octet that is not unreserved is a triplet; in a
    /// path, the "/" between segments stays.
    Octets,
    /// As [`Fidelity::Octets`], and an IP-literal without its brackets.
    OctetsWithoutBrackets,
    /// As [`Fidelity::Octets`], and undefined and empty look alike.
    OctetsEmptyIsUndefined,
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Fidelity::Exact => "exactly",
            Fidelity::EmptyIsUndefined => "empty as undefined",
            Fidelity::IgnoringCase => "ignoring case",
            Fidelity::HostValue => "by value",
            Fidelity::BareHost => "ignoring case, without brackets, empty as undefined",
            Fidelity::Number => "as a number",
            Fidelity::Octets => "decoded",
            Fidelity::OctetsWithoutBrackets => "decoded, without brackets",
            Fidelity::OctetsEmptyIsUndefined => "decoded, empty as undefined",
        })
    }
}

/// In which form a subject shows what it has parsed or resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Forms {
    /// As it was given: compared text by text.
    #[default]
    Verbatim,
    /// Normalized on the way: both sides are compared in their normal form (RFC 3986 §6.2.2, §6.2.3; IPv6 addresses
    /// by value), which a wrong scheme, host, port or path does not survive.
    Normalized,
}

/// What a subject takes the values for that it composes or sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Values {
    /// Text of a URI, in which a triplet is a triplet.
    #[default]
    Text,
    /// Data that it percent-encodes (RFC 3986 §2.4), "%" too: `a%20b` becomes `a%2520b`.
    Data,
}

#[cfg(test)]
mod tests {
    use super::Specification;

    #[test]
    fn a_specification_has_its_name_again() {
        for known in [
            Specification::Rfc3986,
            Specification::Rfc3987,
            Specification::WhatwgUrl,
            Specification::Http,
            Specification::Other("RFC 2396".to_owned()),
        ] {
            assert_eq!(Specification::from_name(&known.to_string()), known);
        }
    }

    #[test]
    fn each_document_of_http_is_http() {
        for name in ["HTTP", "RFC 7230", "RFC 9110", "RFC 9112"] {
            assert_eq!(Specification::from_name(name), Specification::Http);
        }
    }
}
