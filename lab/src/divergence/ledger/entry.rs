//! What a file of the ledger says: entries, each a cause with the classes that it shows in.

use std::fmt;

use serde::{Deserialize, Serialize};
use uriproof::compare::{Difference, DifferenceKind};
use uriproof::expect::Expected;
use uriproof::model::{Declaration, Input, Operation, Outcome, Value};
use uriproof::run::Result as Answer;
use uriproof::severity::Severity;
use uriproof_deviations::Deviation;

use super::runs::with_runs;
use crate::divergence::fingerprint::{Class, Fingerprint};

/// What is known of one version of one crate.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LedgerFile {
    /// The file's name.
    #[serde(skip)]
    pub file: String,
    /// The crate.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it claims. Empty in a file that a command has made, until somebody fills it in.
    #[serde(default)]
    pub claim: ClaimedSpecification,
    /// The operations in which the profile predicts all that it does otherwise: there an answer that is not predicted is news,
    /// whatever class it has.
    #[serde(default)]
    pub predicted: Vec<Operation>,
    /// What it chooses where RFC 3986 leaves a choice: deviations that conform by themselves.
    #[serde(default, rename = "choice")]
    pub choices: Vec<KnownDeviation>,
    /// What its profile does not predict, because another algorithm does it.
    #[serde(default, rename = "other-algorithm")]
    pub other_algorithms: Vec<OtherAlgorithm>,
    /// The causes.
    #[serde(default, rename = "entry")]
    pub entries: Vec<LedgerEntry>,
}

/// Operations that a crate does by an algorithm of its own, of which deviations from the RFC's would say no more than its code.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OtherAlgorithm {
    /// The operations. One that is [predicted](LedgerFile::predicted) all the same is done so in part, as the explanation says.
    pub operations: Vec<Operation>,
    /// What the algorithm is, and where it parts from the RFC's, in a sentence or two.
    pub explanation: String,
}

/// The specification that a crate claims, with its own words for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimedSpecification {
    /// The specification that the words name, as short as the report's column "claims" needs it; `none named` if they name none.
    pub specification: String,
    /// The words, verbatim.
    pub words: String,
    /// Where the crate says them, such as `README`.
    pub source: String,
    /// How the crate is measured, where the specification that it names does not say so.
    pub measured: Option<String>,
}

/// A cause, and the classes in which it shows.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LedgerEntry {
    /// What tells it from the file's other entries, lower-kebab.
    pub id: String,
    /// Why the subject differs.
    pub cause: Cause,
    /// The clause of the other specification; there if and only if the cause is [`Cause::OtherSpec`].
    pub specification: Option<String>,
    /// The clause of RFC 3986 that decides, by its id in the register.
    pub clause: String,
    /// What the subject does, in a sentence or two that its maintainer would call fair.
    pub explanation: String,
    /// Where it is discussed, if it is.
    pub upstream: Option<Upstream>,
    /// The code that does it.
    pub code: Option<SourceCode>,
    /// What the cause is, as executable statements.
    #[serde(default, rename = "deviation")]
    pub deviations: Vec<KnownDeviation>,
    /// The classes.
    #[serde(default, rename = "class")]
    pub classes: Vec<KnownClass>,
}

/// A deviation of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct KnownDeviation {
    /// Which one.
    #[serde(flatten)]
    pub deviation: Deviation,
    /// The entry points that have it; none are all of the crate.
    #[serde(default)]
    pub entry_points: Vec<String>,
    /// The shortest input that shows it.
    #[serde(deserialize_with = "with_runs")]
    pub witness: Input,
}

impl KnownDeviation {
    /// Whether an entry point has it.
    pub fn is_of(&self, entry_point: &str) -> bool {
        self.entry_points.is_empty() || self.entry_points.iter().any(|known| known == entry_point)
    }
}

impl LedgerEntry {
    /// The entry for classes whose cause nobody has said yet.
    pub fn unexplained(classes: Vec<KnownClass>) -> LedgerEntry {
        LedgerEntry {
            id: Cause::Unexplained.name().to_owned(),
            cause: Cause::Unexplained,
            specification: None,
            clause: String::new(),
            explanation: String::new(),
            upstream: None,
            code: None,
            deviations: Vec::new(),
            classes,
        }
    }
}

/// Why a subject differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A mistake by the subject's own words.
    Bug,
    /// Another specification, which the subject follows, says so.
    OtherSpec,
    /// It takes or does more than RFC 3986, by design.
    Extension,
    /// It takes or does less than RFC 3986, by design.
    Restriction,
    /// It reads a contested clause otherwise.
    Reading,
    /// A limit of length, value or time.
    Limit,
    /// Nobody has said yet. An entry like this fails the build.
    Unexplained,
}

impl Cause {
    /// Every cause, in the order in which they are shown.
    pub const ALL: [Cause; 7] = [
        Cause::Bug,
        Cause::Limit,
        Cause::Reading,
        Cause::Restriction,
        Cause::Extension,
        Cause::OtherSpec,
        Cause::Unexplained,
    ];

    /// Its name, as the ledger spells it.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Bug => "bug",
            Cause::OtherSpec => "other-spec",
            Cause::Extension => "extension",
            Cause::Restriction => "restriction",
            Cause::Reading => "reading",
            Cause::Limit => "limit",
            Cause::Unexplained => "unexplained",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Where a cause is discussed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// The address of the issue, the pull request or the documentation.
    pub link: String,
    /// What became of it.
    pub status: UpstreamStatus,
}

/// A place in the code of a crate: `src/uri.rs: parse_scheme` in the ledger, or `oxiri@0.2.11/src/lib.rs: parse_path` of a crate that it
/// uses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SourceCode {
    /// Name and version of the package, if it is not the crate's own.
    pub package: Option<(String, String)>,
    /// The file, by its path in the package.
    pub file: String,
    /// A function, or another item of it, by its identifier.
    pub item: String,
}

impl TryFrom<String> for SourceCode {
    type Error = String;

    fn try_from(text: String) -> Result<SourceCode, String> {
        let (place, item) = text
            .split_once(": ")
            .filter(|(place, item)| !place.is_empty() && !item.is_empty())
            .ok_or_else(|| format!("`{text}` is not `FILE: ITEM`, such as `src/uri.rs: parse_scheme`"))?;
        let package = place.split_once('/').and_then(|(package, file)| Some((package.split_once('@')?, file)));
        Ok(SourceCode {
            package: package.map(|((name, version), _)| (name.to_owned(), version.to_owned())),
            file: package.map_or(place, |(_, file)| file).to_owned(),
            item: item.to_owned(),
        })
    }
}

impl fmt::Display for SourceCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, version)) = &self.package {
            write!(f, "{name}@{version}/")?;
        }
        write!(f, "{}: {}", self.file, self.item)
    }
}

/// What became of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpstreamStatus {
    /// It is open.
    Open,
    /// It is closed, and the behaviour stands.
    Closed,
    /// It is fixed in a version that is not the one here.
    Fixed,
    /// It is documented as it is.
    Documented,
}

impl UpstreamStatus {
    /// Its name, as the ledger spells it.
    pub fn name(self) -> &'static str {
        match self {
            UpstreamStatus::Open => "open",
            UpstreamStatus::Closed => "closed",
            UpstreamStatus::Fixed => "fixed",
            UpstreamStatus::Documented => "documented",
        }
    }
}

/// A class in the ledger. A command writes these; nobody does by hand.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KnownClass {
    /// What tells it from the other classes of each of its subjects.
    pub fingerprint: Fingerprint,
    /// The entry points that show it.
    pub entry_points: Vec<String>,
    /// The witness.
    #[serde(deserialize_with = "with_runs")]
    pub input: Input,
    /// What conforms, as far as it matters.
    pub reference: String,
    /// What the subject does, as far as it matters.
    pub subject: String,
    /// How much it weighs.
    pub severity: Severity,
}

impl KnownClass {
    /// As it stands in the ledger.
    pub(super) fn new(declaration: &Declaration, class: &Class) -> KnownClass {
        KnownClass {
            fingerprint: class.fingerprint.clone(),
            entry_points: vec![declaration.entry_point.to_string()],
            input: class.witness.input.clone(),
            reference: expected_text(&class.witness.expected, &class.difference),
            subject: observed_text(&class.witness, &class.difference),
            severity: Severity::of(&class.witness).unwrap_or(Severity::Normalization),
        }
    }
}

/// What conforms, as far as it matters where a subject differs: of components, those that differ.
pub fn expected_text(expected: &Expected, difference: &Difference) -> String {
    let outcomes = match expected {
        Expected::NoAnswer { reason } => return reason.clone(),
        Expected::Property(property) => return property.to_string(),
        Expected::Outcomes(outcomes) => outcomes,
    };
    let mut texts: Vec<String> = Vec::new();
    for one in outcomes {
        let text = text_of(&one.outcome, difference);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join(" or ")
}

/// What a subject did, as far as it matters where it differs.
pub fn observed_text(answer: &Answer, difference: &Difference) -> String {
    text_of(&answer.observed, difference)
}

fn text_of(outcome: &Outcome, difference: &Difference) -> String {
    match outcome {
        Outcome::Accepted {
            value: Value::Components(components),
        } => match difference.kind {
            DifferenceKind::OtherComponents => components.describe(difference.components),
            DifferenceKind::RejectedValid => "accepted".to_owned(),
            _ => outcome.to_string(),
        },
        _ => outcome.without_reason(),
    }
}
