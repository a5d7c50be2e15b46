//! The vectors of the WHATWG URL Standard: they are read with those of RFC 3986, and kept apart from them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{DATA_VERSION, LoadError, check_format, content_hash, from_json, line_of, path_by_ids};
use crate::model::{
    Clause, FunctionCase, Problem, Vector, WhatwgClauseFile, WhatwgFunctionFile, WhatwgVector, WhatwgVectorFile,
};

/// The register of this version of the crate.
pub(super) const CLAUSES: &str = "whatwg/clauses.json";

/// The names of the files beside the vectors, below any folder.
const REGISTER: &str = "clauses.json";
const FUNCTIONS: &str = "functions.json";

/// The functions that a case can name; `vectors/README.md` says what they are.
pub const WHATWG_FUNCTION_NAMES: &[&str] = &[
    "domain-parser",
    "domain-to-unicode",
    "equals",
    "getters",
    "host-parser",
    "ipv4-parser",
    "ipv6-parser",
    "names",
    "origin",
    "percent-decode",
    "percent-encode",
    "percent-encode-byte",
    "percent-encode-set",
    "percent-encoded-byte",
    "query-list",
    "same-origin",
    "setter",
    "states",
    "url",
    "urlencoded-parser",
    "valid-domain",
];

/// The vectors of the WHATWG URL Standard, with the clauses that they cite.
#[derive(Clone, Debug, Default)]
pub struct WhatwgVectors {
    /// The files, sorted by path.
    pub files: Vec<WhatwgFile>,
    /// Every vector as it is run, in the order of the files.
    pub vectors: Vec<Vector>,
    /// The clauses, in the order of the register.
    pub clauses: Vec<Clause>,
    /// The cases of functions, in the order of their file.
    pub cases: Vec<FunctionCase>,
    /// The register, and the file of the cases: the path and the text of each, if it was read with the vectors.
    pub(super) register: Option<(String, String)>,
    pub(super) functions: Option<(String, String)>,
}

/// A file of vectors of the WHATWG URL Standard and where it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WhatwgFile {
    /// Its path below the folder, with forward slashes: `whatwg/authority.json`.
    pub path: String,
    /// What it holds.
    pub content: WhatwgVectorFile,
    text: String,
}

impl WhatwgFile {
    pub(super) fn problem(&self, anchor: &str, message: String) -> Problem {
        Problem {
            file: self.path.clone(),
            line: line_of(&self.text, anchor),
            message,
        }
    }
}

/// Takes the files of the standard out of `texts`: those that name it as their specification.
pub(super) fn take(texts: &mut BTreeMap<String, String>) -> BTreeMap<String, String> {
    let (taken, rest) = std::mem::take(texts).into_iter().partition(|(_, text)| names_whatwg(text));
    *texts = rest;
    taken
}

/// Whether a text has a field `specification` that is `whatwg`, also if something is wrong with it.
fn names_whatwg(text: &str) -> bool {
    let mut fields = text.split("\"specification\"").skip(1);
    fields.any(|rest| {
        let value = rest.trim_start().strip_prefix(':').map(str::trim_start);
        value.is_some_and(|value| value.starts_with("\"whatwg\""))
    })
}

impl WhatwgVectors {
    /// As [`Library::read`](super::Library::read) reads those of RFC 3986.
    pub(super) fn read(folder: &Path, texts: BTreeMap<String, String>) -> Result<WhatwgVectors, LoadError> {
        let mut whatwg = WhatwgVectors::default();
        let has_vectors = !texts.is_empty();
        for (path, text) in texts {
            let file = folder.join(&path);
            match path.rsplit('/').next() {
                Some(REGISTER) => whatwg.register = Some((path, text)),
                Some(FUNCTIONS) => whatwg.functions = Some((path, text)),
                _ => {
                    let content: WhatwgVectorFile = from_json(&file, &text)?;
                    check_format(&file, content.uriproof)?;
                    let first = content.vectors.first().map(|vector| &*vector.id);
                    let path = path_by_ids(&file, first).unwrap_or(path);
                    whatwg.files.push(WhatwgFile { path, content, text });
                }
            }
        }
        let files = whatwg.files.iter();
        whatwg.vectors = files.flat_map(|file| &file.content.vectors).map(WhatwgVector::to_vector).collect();
        let embedded = || uriproof_vectors::files_of(|path| path == CLAUSES).pop();
        let register = whatwg.register.clone().or_else(|| embedded().filter(|_| has_vectors));
        if let Some((path, text)) = register {
            let content: WhatwgClauseFile = from_json(&folder.join(&path), &text)?;
            check_format(&folder.join(path), content.uriproof)?;
            whatwg.clauses = content.clauses;
        }
        if let Some((path, text)) = &whatwg.functions {
            let content: WhatwgFunctionFile = from_json(&folder.join(path), text)?;
            check_format(&folder.join(path), content.uriproof)?;
            whatwg.cases = content.cases;
        }
        Ok(whatwg)
    }

    /// What differs from one state of these vectors to another: [`DATA_VERSION`], "+" and a hash of the text of the files and of the
    /// register.
    pub fn version(&self) -> String {
        let files = self.files.iter().map(|file| (file.path.clone(), file.text.clone()));
        let texts = files.chain(self.register.clone()).collect();
        format!("{DATA_VERSION}+{}", content_hash(&texts))
    }

    /// The file and the vector with this id.
    pub fn find(&self, id: &str) -> Option<(&WhatwgFile, &WhatwgVector)> {
        let mut all = self.files.iter().flat_map(|file| file.content.vectors.iter().map(move |vector| (file, vector)));
        all.find(|(_, vector)| vector.id == id)
    }

    /// The clause with this id, such as `#authority-state/2.1`.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.id == id)
    }
}
