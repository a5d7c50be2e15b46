//! Vectors: inputs with their expected outcomes, as they stand in `vectors/`.

use std::collections::BTreeMap;
use std::fmt;

use rfc3986_reference::readings::Reading;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::component::Component;
use super::components::{Components, Observed, Reported};
use super::operation::{Input, Operation};
use super::outcome::Contract;

/// A file of vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorFile {
    /// The number of the format: 1.
    pub uriproof: u64,
    /// What the file is about.
    pub title: String,
    /// The section of RFC 3986 that decides its vectors.
    pub section: String,
    /// The vectors.
    pub vectors: Vec<Vector>,
}

/// An input with its expected outcome, its clauses, its level and its readings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The path of its file without `.json`, and a name: `rfc/5.4.1/query-only`. Stable, never used again.
    pub id: String,
    /// The input.
    pub input: Input,
    /// What conforms, by reading; [`Reading::Rfc3986`] is always there.
    #[serde(with = "expect")]
    pub expect: BTreeMap<Reading, Expectation>,
    /// How strongly the RFC requires it.
    pub level: Level,
    /// The ids of the clauses that decide it, the decisive one first.
    pub clauses: Vec<String>,
    /// Why, where that is not plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Of a rejection that is more than one edit from every acceptance: the id of the acceptance that is nearest in sense.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
}

impl Vector {
    /// What conforms under `reading`, which is what the plain text says where the reading changes nothing.
    pub fn expectation(&self, reading: Reading) -> &Expectation {
        self.expect
            .get(&reading)
            .or_else(|| self.expect.get(&Reading::Rfc3986))
            .expect("a loaded vector has the reading rfc3986")
    }

    /// Whether it is one of the core: what each implementation of RFC 3986 must do. Its level is [`Level::Must`], its operation one of
    /// the RFC's own, and one outcome alone conforms, under each reading of the RFC. The data model of the reading `elements` is none.
    pub fn is_core(&self) -> bool {
        let is_of_the_rfc = match self.input.operation() {
            Operation::Parse
            | Operation::Resolve
            | Operation::Normalize
            | Operation::Compose
            | Operation::Equivalent => true,
            Operation::Relativize | Operation::Modify | Operation::RoundTrip | Operation::Contract => false,
        };
        let has_one_outcome = !matches!(self.expectation(Reading::Rfc3986), Expectation::OneOf(_));
        let is_read_otherwise = self.expect.keys().any(|of| !matches!(of, Reading::Rfc3986 | Reading::Elements));
        self.level == Level::Must && is_of_the_rfc && has_one_outcome && !is_read_otherwise
    }

    /// Whether two readings of the vector differ.
    pub fn is_contested(&self) -> bool {
        self.expect.len() > 1
    }
}

/// How strongly the RFC requires an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Grammar or algorithm.
    Must,
    /// Recommended.
    Should,
    /// Allowed.
    May,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Level::Must => "must",
            Level::Should => "should",
            Level::May => "may",
        })
    }
}

/// Whom a clause binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// The language itself: code that decides whether a string matches a rule.
    Grammar,
    /// Who finds the components.
    Parser,
    /// Who resolves references (RFC 3986 §5).
    Resolver,
    /// Who makes normal forms (RFC 3986 §6.2).
    Normalizer,
    /// Who decides on equivalence (RFC 3986 §6).
    Comparer,
    /// Who makes URIs, from components or from data.
    Producer,
    /// Who uses URIs, or specifies schemes and formats.
    Application,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Bound::Grammar => "grammar",
            Bound::Parser => "parser",
            Bound::Resolver => "resolver",
            Bound::Normalizer => "normalizer",
            Bound::Comparer => "comparer",
            Bound::Producer => "producer",
            Bound::Application => "application",
        })
    }
}

/// An outcome that a vector expects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawExpectation", into = "RawExpectation")]
pub enum Expectation {
    /// Accepted by a rule that has no components.
    Accepted,
    /// Accepted with these components.
    Components(Components),
    /// Accepted with this URI.
    Uri(String),
    /// Accepted with this verdict on equivalence.
    Equivalent(bool),
    /// Accepted with these contracts broken: none, in a vector.
    Broken(Vec<Contract>),
    /// Rejected.
    Rejected,
    /// One of several outcomes, all of which conform.
    OneOf(Vec<LicensedOutcome>),
}

/// One of several conforming outcomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LicensedOutcome {
    /// Its name, such as `literal` or `slash-dot`.
    pub name: String,
    /// The sentence that licenses it, with its section.
    pub licence: String,
    /// The outcome; not itself a [`Expectation::OneOf`].
    pub outcome: Expectation,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawExpectation {
    outcome: RawOutcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    components: Option<AllComponents>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    equivalent: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    broken: Option<Vec<Contract>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<LicensedOutcome>>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawOutcome {
    Accepted,
    Rejected,
    OneOf,
}

impl TryFrom<RawExpectation> for Expectation {
    type Error = String;

    fn try_from(raw: RawExpectation) -> Result<Expectation, String> {
        let outcome = raw.outcome;
        let values: Vec<Expectation> = [
            raw.components.map(|components| Expectation::Components(components.0)),
            raw.uri.map(Expectation::Uri),
            raw.equivalent.map(Expectation::Equivalent),
            raw.broken.map(Expectation::Broken),
        ]
        .into_iter()
        .flatten()
        .collect();
        match (outcome, <[Expectation; 1]>::try_from(values), raw.outcomes) {
            (RawOutcome::Accepted, Ok([value]), None) => Ok(value),
            (RawOutcome::Accepted, Err(values), None) if values.is_empty() => Ok(Expectation::Accepted),
            (RawOutcome::Rejected, Err(values), None) if values.is_empty() => Ok(Expectation::Rejected),
            (RawOutcome::OneOf, Err(values), Some(outcomes)) if values.is_empty() => {
                if outcomes.len() < 2 {
                    return Err("`one-of` needs at least two `outcomes`".to_owned());
                }
                if outcomes.iter().any(|one| matches!(one.outcome, Expectation::OneOf(_))) {
                    return Err("an outcome of `one-of` cannot be `one-of`".to_owned());
                }
                Ok(Expectation::OneOf(outcomes))
            }
            (RawOutcome::Accepted, ..) => Err(
                "`accepted` takes one of `components`, `uri`, `equivalent` and `broken`, and nothing else".to_owned(),
            ),
            (RawOutcome::Rejected, ..) => Err("`rejected` takes no other field".to_owned()),
            (RawOutcome::OneOf, ..) => Err("`one-of` takes `outcomes`, and nothing else".to_owned()),
        }
    }
}

impl From<Expectation> for RawExpectation {
    fn from(expectation: Expectation) -> RawExpectation {
        let mut raw = RawExpectation {
            outcome: RawOutcome::Accepted,
            components: None,
            uri: None,
            equivalent: None,
            broken: None,
            outcomes: None,
        };
        match expectation {
            Expectation::Accepted => {}
            Expectation::Components(components) => raw.components = Some(AllComponents(components)),
            Expectation::Uri(uri) => raw.uri = Some(uri),
            Expectation::Equivalent(equivalent) => raw.equivalent = Some(equivalent),
            Expectation::Broken(broken) => raw.broken = Some(broken),
            Expectation::Rejected => raw.outcome = RawOutcome::Rejected,
            Expectation::OneOf(outcomes) => {
                raw.outcome = RawOutcome::OneOf;
                raw.outcomes = Some(outcomes);
            }
        }
        raw
    }
}

/// Components of which every key stands there: in a vector, nothing is left to a default.
struct AllComponents(Components);

impl Serialize for AllComponents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AllComponents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AllComponents, D::Error> {
        let given: Observed = Observed::deserialize(deserializer)?;
        let missing = Component::ALL.into_iter().find(|component| given.text(*component).is_nothing());
        match missing {
            Some(component) => Err(D::Error::missing_field(component.name())),
            None if given.path == Reported::Undefined => Err(D::Error::invalid_type(Unexpected::Unit, &"a string")),
            None => Ok(AllComponents(Components::from(&given.as_strs()))),
        }
    }
}

/// The register of clauses, `vectors/clauses.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClauseFile {
    /// The number of the format: 1.
    pub uriproof: u64,
    /// The clauses, by section.
    pub clauses: Vec<Clause>,
}

/// One normative statement of RFC 3986.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// `§`, the section, `/` and a name: `§5.2.4/2C`.
    pub id: String,
    /// The section, such as `5.2.4` or `B`.
    pub section: String,
    /// Its decisive words, as the RFC has them.
    pub quote: String,
    /// How strongly the clause requires it.
    pub level: Level,
    /// Whom it binds: one at least.
    pub binds: Vec<Bound>,
    /// Why no vector cites it, if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub untested: Option<String>,
}

/// Cases of functions of the RFC that are no operation, `vectors/functions.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionFile {
    /// The number of the format: 1.
    pub uriproof: u64,
    /// What the file is about.
    pub title: String,
    /// The cases, sorted by their ids.
    pub cases: Vec<FunctionCase>,
}

/// What a function gives for some arguments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionCase {
    /// `functions/`, the function, `/` and a name.
    pub id: String,
    /// The name of the function.
    pub function: String,
    /// By name; `vectors/functions.schema.json` says which a function has.
    pub arguments: Map<String, Value>,
    /// What it gives.
    pub result: Value,
    /// The ids of the clauses that decide it, the decisive one first.
    pub clauses: Vec<String>,
    /// What the RFC leaves open, and the case takes so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convention: Option<String>,
    /// Why, where that is not plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

mod expect {
    use serde::de::Error;
    use serde::ser::SerializeMap;

    use super::{BTreeMap, Deserialize, Deserializer, Expectation, Reading, Serializer};

    pub(super) fn serialize<S: Serializer>(
        expect: &BTreeMap<Reading, Expectation>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(expect.len()))?;
        for (reading, expectation) in expect {
            map.serialize_entry(reading.id(), expectation)?;
        }
        map.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Reading, Expectation>, D::Error> {
        let raw = BTreeMap::<String, Expectation>::deserialize(deserializer)?;
        let mut expect = BTreeMap::new();
        for (id, expectation) in raw {
            let reading = Reading::from_id(&id).ok_or_else(|| D::Error::custom(format!("`{id}` is no reading")))?;
            expect.insert(reading, expectation);
        }
        if !expect.contains_key(&Reading::Rfc3986) {
            return Err(D::Error::custom("`expect` lacks the reading `rfc3986`"));
        }
        Ok(expect)
    }
}
