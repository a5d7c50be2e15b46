//! Vectors of the WHATWG URL Standard, as they are in `vectors/whatwg/`.

use std::collections::BTreeMap;

use rfc3986_reference::readings::Reading;
use serde::{Deserialize, Serialize};

use super::operation::Input;
use super::vector::{Clause, Expectation, FunctionCase, Level, Vector};

/// The name of the specification in a file of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VectorSpecification {
    /// The WHATWG URL Standard.
    Whatwg,
}

/// A file of vectors of the WHATWG URL Standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatwgVectorFile {
    /// The number of the format: 1.
    pub uriproof: u64,
    /// What the file is about.
    pub title: String,
    /// The specification that decides.
    pub specification: VectorSpecification,
    /// The anchor of the section or algorithm that decides its vectors, such as `authority-state`.
    pub section: String,
    /// The vectors.
    pub vectors: Vec<WhatwgVector>,
}

/// An input with the outcome that the standard gives it, and its clauses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatwgVector {
    /// The path of its file without `.json`, and a name: `whatwg/authority/at-sign`.
    pub id: String,
    /// The input.
    pub input: Input,
    /// What conforms.
    pub expect: WhatwgExpectation,
    /// How strongly the standard requires it.
    pub level: Level,
    /// The ids of the clauses that decide it, the decisive one first.
    pub clauses: Vec<String>,
    /// The validation errors of a parse, or of the reference that is resolved: the name, and the byte, as `port-invalid at byte 9`. No
    /// library has to report them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// Why, where that is not plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What conforms to the standard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatwgExpectation {
    /// The one outcome.
    pub whatwg: Expectation,
}

impl WhatwgVector {
    /// The vector as it is run: the one outcome stands for every reading of RFC 3986.
    pub fn to_vector(&self) -> Vector {
        Vector {
            id: self.id.clone(),
            input: self.input.clone(),
            expect: BTreeMap::from([(Reading::Rfc3986, self.expect.whatwg.clone())]),
            level: self.level,
            clauses: self.clauses.clone(),
            note: self.note.clone(),
            twin: None,
        }
    }
}

/// The register of the standard's clauses, `vectors/whatwg/clauses.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatwgClauseFile {
    /// The number of the format: 1.
    pub uriproof: u64,
    /// The specification whose clauses they are.
    pub specification: VectorSpecification,
    /// The clauses. The section of each is an anchor of the standard.
    pub clauses: Vec<Clause>,
}

/// Cases of functions of the standard that are no operation, `vectors/whatwg/functions.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhatwgFunctionFile {
    /// The number of the format: 1.
    pub uriproof: u64,
    /// What the file is about.
    pub title: String,
    /// The specification that decides.
    pub specification: VectorSpecification,
    /// The cases, sorted by their ids.
    pub cases: Vec<FunctionCase>,
}
