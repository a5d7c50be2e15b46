//! The vectors: read from a folder or from the copy embedded in the crate, and linted.

mod lint;
mod twins;
mod whatwg;
mod whatwg_lint;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use uriproof_grammar::Fnv;

pub use self::twins::Acceptances;
use self::twins::alike;
pub use self::whatwg::{WHATWG_FUNCTION_NAMES, WhatwgFile, WhatwgVectors};

use crate::model::{Clause, ClauseFile, FunctionCase, FunctionFile, OneLine, Problem, Rule, Vector, VectorFile};

/// The number of the vector format that this version reads.
pub const FORMAT: u64 = 1;

/// The version of the data, by [Semantic Versioning](https://semver.org): the first number changes with an outcome or a level
/// of a vector, or when a vector is taken away, the second when vectors come, the third with words. `vectors/CHANGELOG.md`
/// tells what changed.
pub const DATA_VERSION: &str = "4.0.0";

/// The file, beside the vectors, that registers the clauses.
const CLAUSES: &str = "clauses.json";

/// The file, beside the vectors, that has cases of functions, and its schema. A folder may lack them, and the program does not
/// carry them: they have no part in the version of the vectors.
const FUNCTIONS: &str = "functions.json";
const FUNCTIONS_SCHEMA: &str = "functions.schema.json";

/// The functions that a case can name; `vectors/README.md` says what they are.
pub const FUNCTION_NAMES: &[&str] = &[
    "base-uri",
    "case-normalization",
    "comparison-error",
    "elements",
    "elements-to-reference",
    "encoded-octets",
    "extract",
    "first-error",
    "first-error-of-components",
    "mask-password",
    "misleading-userinfo",
    "path-segment-normalization",
    "percent-decode",
    "percent-encode",
    "percent-encoding-normalization",
    "rare-ipv4",
    "reading",
    "reference-form",
    "regular-expression",
    "remove-dot-segments",
    "reparses",
    "same-document",
    "strip",
    "through-elements",
    "well-known-port",
];

/// The sections of RFC 3986 that a vector file or a clause can name.
pub const SECTIONS: &[&str] = &[
    "1", "1.1", "1.1.1", "1.1.2", "1.1.3", "1.2", "1.2.1", "1.2.2", "1.2.3", "1.3", "2", "2.1", "2.2", "2.3", "2.4",
    "2.5", "3", "3.1", "3.2", "3.2.1", "3.2.2", "3.2.3", "3.3", "3.4", "3.5", "4", "4.1", "4.2", "4.3", "4.4", "4.5",
    "5", "5.1", "5.1.1", "5.1.2", "5.1.3", "5.1.4", "5.2", "5.2.1", "5.2.2", "5.2.3", "5.2.4", "5.3", "5.4", "5.4.1",
    "5.4.2", "6", "6.1", "6.2", "6.2.1", "6.2.2", "6.2.2.1", "6.2.2.2", "6.2.2.3", "6.2.3", "6.2.4", "7", "7.1", "7.2",
    "7.3", "7.4", "7.5", "7.6", "8", "A", "B", "C", "D", "D.1", "D.2",
];

/// All vectors of a folder, with the clauses that they cite.
#[derive(Clone, Debug)]
pub struct Library {
    /// The files, sorted by path.
    pub files: Vec<LoadedFile>,
    /// The clauses, in the order of the register.
    pub clauses: Vec<Clause>,
    /// The cases of functions, in the order of their file; none, if there is no such file.
    pub cases: Vec<FunctionCase>,
    /// The vectors of the WHATWG URL Standard, which only a library that is measured by it has to do with.
    pub whatwg: WhatwgVectors,
    /// The register's text, for the line of a problem; `None` where the vectors have no register of their own.
    register: Option<String>,
    /// The text of the cases, for the same.
    functions: String,
    /// What the vectors' text hashes to.
    version: String,
}

/// A vector file and where it came from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedFile {
    /// Its path below the folder, with forward slashes: `rfc/5.4.1.json`.
    pub path: String,
    /// What it holds.
    pub content: VectorFile,
    text: String,
}

impl Library {
    /// The vectors that this version of the crate carries.
    ///
    /// # Panics
    ///
    /// If they cannot be read, which a test of this crate excludes.
    pub fn embedded() -> Library {
        Library::read(Path::new("vectors"), uriproof_vectors::files()).expect("the embedded vectors are readable")
    }

    /// Of the vectors that this version of the crate carries those of some files, such as `syntax/ipv6.json`. Its version is that of no
    /// whole library.
    #[cfg(feature = "harness")]
    pub(crate) fn embedded_part(takes: impl Fn(&str) -> bool) -> Library {
        let files = uriproof_vectors::files_of(|path| path == CLAUSES || takes(path));
        let version = "part".to_owned();
        let mut texts = files.into_iter().collect();
        let whatwg = whatwg::take(&mut texts);
        Library::read_as(Path::new("vectors"), texts, String::new(), whatwg, version)
            .expect("the embedded vectors are readable")
    }

    /// How many bytes of a program the embedded vectors take.
    pub fn embedded_size() -> usize {
        uriproof_vectors::packed_size()
    }

    /// The vectors of a file, or of every file below a folder. Without a `clauses.json` beside them they cite the clauses that
    /// this version of the crate carries.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, with the line and the field that is wrong; or that there is no vector.
    pub fn from_path(path: &Path) -> Result<Library, LoadError> {
        let mut files = Vec::new();
        let folder = if path.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, read_file(path)?));
            path.parent().unwrap_or(path)
        } else {
            collect(path, path, &mut files)?;
            path
        };
        if files.is_empty() {
            return Err(LoadError {
                file: path.to_owned(),
                place: None,
                message: "the folder holds no JSON file; a file of vectors is as vectors/README.md says".to_owned(),
            });
        }
        Library::read(folder, files)
    }

    /// The vectors that stand in the texts of files, each with its path below `folder`, which is what an error names. Without a
    /// `clauses.json` among them they cite the clauses that this version of the crate carries.
    ///
    /// # Errors
    ///
    /// The first text that cannot be read, with the line and the field that is wrong.
    pub fn read(folder: &Path, texts: Vec<(String, String)>) -> Result<Library, LoadError> {
        let mut texts: BTreeMap<String, String> = texts.into_iter().collect();
        let whatwg = whatwg::take(&mut texts);
        let functions = texts.remove(FUNCTIONS).unwrap_or_default();
        texts.remove(FUNCTIONS_SCHEMA);
        let version = content_hash(&texts);
        Library::read_as(folder, texts, functions, whatwg, version)
    }

    /// As [`read`](Library::read), with what the text hashes to.
    fn read_as(
        folder: &Path,
        mut texts: BTreeMap<String, String>,
        functions: String,
        whatwg: BTreeMap<String, String>,
        version: String,
    ) -> Result<Library, LoadError> {
        let register = texts.remove(CLAUSES);
        let clauses: ClauseFile = match &register {
            Some(register) => from_json(&folder.join(CLAUSES), register)?,
            None => from_json(&folder.join(CLAUSES), &embedded_register())?,
        };
        check_format(&folder.join(CLAUSES), clauses.uriproof)?;
        let cases = if functions.is_empty() {
            Vec::new()
        } else {
            let content: FunctionFile = from_json(&folder.join(FUNCTIONS), &functions)?;
            check_format(&folder.join(FUNCTIONS), content.uriproof)?;
            content.cases
        };
        let mut files = Vec::new();
        for (path, text) in texts {
            if path.ends_with("schema.json") {
                continue;
            }
            let file = folder.join(&path);
            let content: VectorFile = from_json(&file, &text)?;
            check_format(&file, content.uriproof)?;
            let first = content.vectors.first().map(|vector| &*vector.id);
            let path = match register {
                Some(_) => path,
                None => path_by_ids(&file, first).unwrap_or(path),
            };
            files.push(LoadedFile { path, content, text });
        }
        Ok(Library {
            files,
            clauses: clauses.clauses,
            cases,
            whatwg: WhatwgVectors::read(folder, whatwg)?,
            register,
            functions,
            version,
        })
    }

    /// Every vector, in the order of the files.
    pub fn vectors(&self) -> impl Iterator<Item = &Vector> {
        self.files.iter().flat_map(|file| &file.content.vectors)
    }

    /// The id of a vector that is nearest to `id`, as somebody may have meant it. Of two that are as near, one of RFC 3986 is taken.
    pub fn nearest(&self, id: &str) -> Option<&str> {
        let vectors = self.whatwg.vectors.iter().chain(self.vectors());
        vectors.map(|vector| vector.id.as_str()).max_by_key(|known| alike(known, id))
    }

    /// The clause with this id; `#` begins one of the WHATWG URL Standard.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        match id.starts_with('#') {
            true => self.whatwg.clause(id),
            false => self.clauses.iter().find(|clause| clause.id == id),
        }
    }

    /// What tells one state of the vectors from another: [`DATA_VERSION`], "+" and a hash of the files' text. Those of the WHATWG URL
    /// Standard have no part in it; theirs is [`WhatwgVectors::version`].
    pub fn version(&self) -> String {
        format!("{DATA_VERSION}+{}", self.version)
    }

    /// The acceptance that stands beside a rejection (see [`Acceptances::twin`]).
    pub fn twin(&self, vector: &Vector) -> Option<&str> {
        Acceptances::of(self.vectors()).twin(vector)
    }
}

impl LoadedFile {
    fn problem(&self, anchor: &str, message: String) -> Problem {
        Problem {
            file: self.path.clone(),
            line: line_of(&self.text, anchor),
            message,
        }
    }
}

/// Why vectors could not be read: one line, with the file, the place and what is wrong.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// The file or folder.
    pub file: PathBuf,
    /// Line and column, where the text is at fault.
    pub place: Option<(usize, usize)>,
    /// The field, and what is wrong with it.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", OneLine(&self.file.display().to_string()))?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", OneLine(&self.message))
    }
}

impl std::error::Error for LoadError {}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> Result<(), LoadError> {
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
        let path = entry.map_err(|error| unreadable(folder, error))?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let text = read_file(&path)?;
            let name = path.strip_prefix(root).expect("found below it").to_string_lossy().replace('\\', "/");
            files.push((name, text));
        }
    }
    Ok(())
}

fn read_file(path: &Path) -> Result<String, LoadError> {
    fs::read_to_string(path).map_err(|error| unreadable(path, error))
}

fn unreadable(file: &Path, error: std::io::Error) -> LoadError {
    LoadError {
        file: file.to_owned(),
        place: None,
        message: format!("cannot be read: {error}"),
    }
}

/// The text of the register that this version of the crate carries.
fn embedded_register() -> String {
    let register = uriproof_vectors::files_of(|path| path == CLAUSES).pop();
    register.map(|(_, text)| text).unwrap_or_default()
}

/// The path that the ids of a file begin with, if the file's own path ends with it: `found/reading.json` of
/// `vectors/found/reading.json`, where only that file is given.
fn path_by_ids(file: &Path, first: Option<&str>) -> Option<String> {
    let (stem, _) = first?.rsplit_once('/')?;
    let path = format!("{stem}.json");
    fs::canonicalize(file).ok()?.ends_with(&path).then_some(path)
}

fn from_json<'a, T: serde::Deserialize<'a>>(file: &Path, text: &'a str) -> Result<T, LoadError> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        let place = (inner.line(), inner.column());
        let message = inner.to_string();
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        LoadError {
            file: file.to_owned(),
            place: Some(place),
            // The path is "." at the top, and ends in "?" where no field has been read yet.
            message: match path.trim_end_matches('?').trim_end_matches('.') {
                "" => message.to_owned(),
                path => format!("{path}: {message}"),
            },
        }
    })?;
    deserializer.end().map_err(|error| LoadError {
        file: file.to_owned(),
        place: Some((error.line(), error.column())),
        message: "something follows the end of the JSON value".to_owned(),
    })?;
    Ok(value)
}

fn check_format(file: &Path, format: u64) -> Result<(), LoadError> {
    if format == FORMAT {
        return Ok(());
    }
    Err(LoadError {
        file: file.to_owned(),
        place: None,
        message: format!("uriproof: format {format} is unknown; this version reads format {FORMAT}"),
    })
}

/// Whether what matches a rule has the components of a URI-reference.
pub fn has_components(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::UriReference | Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef
    )
}

/// The line, from 1, on which `anchor` first stands.
fn line_of(text: &str, anchor: &str) -> usize {
    text.find(anchor).map_or(1, |at| text[..at].matches('\n').count() + 1)
}

/// FNV-1a with 64 bits over every path and text.
pub fn content_hash(texts: &BTreeMap<String, String>) -> String {
    let octets = texts.iter().flat_map(|(path, text)| path.bytes().chain([0]).chain(text.bytes()).chain([0]));
    format!("{:016x}", Fnv::of(octets))
}
