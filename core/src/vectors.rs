//! The vectors: read from a folder or from the copy embedded in the crate, and linted.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use uriproof_grammar::Fnv;

use crate::model::{
    Clause, ClauseFile, Component, Components, Expectation, FunctionCase, FunctionFile, HostKind, Input, Level,
    LicensedOutcome, OneLine, Operation, Problem, Reading, Rule, Rung, Scope, Vector, VectorFile,
};

/// The number of the vector format that this version reads.
pub const FORMAT: u64 = 1;

/// The version of the data, by [Semantic Versioning](https://semver.org): the first number changes with an outcome or a level
/// of a vector, or when a vector is taken away, the second when vectors come, the third with words. `vectors/CHANGELOG.md`
/// tells what changed.
pub const DATA_VERSION: &str = "3.0.0";

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
        let functions = texts.remove(FUNCTIONS).unwrap_or_default();
        texts.remove(FUNCTIONS_SCHEMA);
        let version = content_hash(&texts);
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
            let path = match register {
                Some(_) => path,
                None => path_by_ids(&file, &content).unwrap_or(path),
            };
            files.push(LoadedFile { path, content, text });
        }
        Ok(Library {
            files,
            clauses: clauses.clauses,
            cases,
            register,
            functions,
            version,
        })
    }

    /// Every vector, in the order of the files.
    pub fn vectors(&self) -> impl Iterator<Item = &Vector> {
        self.files.iter().flat_map(|file| &file.content.vectors)
    }

    /// The id of a vector that is nearest to `id`, as somebody may have meant it.
    pub fn nearest(&self, id: &str) -> Option<&str> {
        self.vectors().map(|vector| vector.id.as_str()).max_by_key(|known| alike(known, id))
    }

    /// The clause with this id.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.clauses.iter().find(|clause| clause.id == id)
    }

    /// What tells one state of the vectors from another: [`DATA_VERSION`], "+" and a hash of the files' text.
    pub fn version(&self) -> String {
        format!("{DATA_VERSION}+{}", self.version)
    }

    /// Everything that is wrong with the vectors beyond their form, in the order of the files.
    pub fn lint(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let built_in = self.built_in();
        let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
        let mut inputs: BTreeMap<&Input, &str> = BTreeMap::new();
        for file in &self.files {
            let mut report = |anchor: &str, message: String| problems.push(file.problem(anchor, message));
            if !SECTIONS.contains(&file.content.section.as_str()) {
                report(
                    "\"section\"",
                    format!("`{}` is no section of RFC 3986, such as 5.2.4", file.content.section),
                );
            }
            if file.content.title.trim().is_empty() {
                report("\"title\"", "the title is empty".to_owned());
            }
            if file.content.vectors.is_empty() {
                report("\"vectors\"", "the file holds no vector".to_owned());
            }
            for vector in &file.content.vectors {
                let mut report = |message: String| report(&quoted(&vector.id), format!("{}: {message}", vector.id));
                misnamed(vector, &file.path).into_iter().for_each(&mut report);
                if let Some(first) = ids.insert(&vector.id, &file.path) {
                    report(format!("the id stands in {first} already"));
                }
                // What the RFC prints stands in full below `rfc/`, whatever else is made of it.
                if !file.path.starts_with("rfc/") {
                    if let Some(first) = inputs.insert(&vector.input, &vector.id) {
                        report(format!("the input stands in {first} already"));
                    }
                }
                self.wrong_twin(vector, built_in.as_ref()).into_iter().for_each(&mut report);
                if vector.clauses.is_empty() {
                    report("no clause is cited".to_owned());
                }
                for id in vector.clauses.iter().filter(|id| self.clause(id).is_none()) {
                    report(format!(
                        "the clause `{id}` is not in {CLAUSES}{}",
                        perhaps(self.nearest_clause(id))
                    ));
                }
                for (reading, expectation) in &vector.expect {
                    if *reading != Reading::Rfc3986 && vector.expect.get(&Reading::Rfc3986) == Some(expectation) {
                        report(format!(
                            "the reading `{reading}` expects the same as `rfc3986`; leave it out"
                        ));
                    }
                    for message in misfits(&vector.input, expectation) {
                        report(format!("under `{reading}`: {message}"));
                    }
                }
            }
        }
        problems.extend(self.lint_cases());
        // Of the embedded register there is nothing to say.
        problems.extend(self.register.iter().flat_map(|register| self.lint_clauses(register)));
        problems
    }

    /// What is wrong with the twin that a vector names.
    fn wrong_twin(&self, vector: &Vector, built_in: Option<&Library>) -> Option<String> {
        let twin = vector.twin.as_ref()?;
        let others = self.vectors().chain(built_in.into_iter().flat_map(Library::vectors));
        match others.into_iter().find(|other| other.id == *twin) {
            None => Some(format!(
                "the twin `{twin}` is no vector{}",
                perhaps(self.nearest(twin).or_else(|| built_in?.nearest(twin)))
            )),
            Some(other) if is_rejected(other) => Some(format!("the twin `{twin}` is rejected too")),
            Some(_) if !is_rejected(vector) => Some("only a rejection has a twin".to_owned()),
            Some(_) => None,
        }
    }

    /// What is wrong with the clauses of the register.
    fn lint_clauses(&self, register: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        let cited: BTreeSet<&str> = self.vectors().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
        let mut clause_ids = BTreeSet::new();
        for clause in &self.clauses {
            let mut report = |message: String| {
                problems.push(Problem {
                    file: CLAUSES.to_owned(),
                    line: line_of(register, &quoted(&clause.id)),
                    message: format!("{}: {message}", clause.id),
                });
            };
            if !clause_ids.insert(&clause.id) {
                report("the id stands there twice".to_owned());
            }
            if !SECTIONS.contains(&clause.section.as_str()) {
                report(format!("`{}` is no section of RFC 3986", clause.section));
            }
            if !clause.id.starts_with(&format!("§{}/", clause.section)) {
                report(format!("the id does not begin with `§{}/`", clause.section));
            }
            if clause.binds.is_empty() {
                report("it binds nobody".to_owned());
            }
            match (cited.contains(clause.id.as_str()), &clause.untested) {
                (false, None) => report("no vector cites it, and `untested` does not say why".to_owned()),
                (true, Some(_)) => report("`untested` says why no vector cites it, but one does".to_owned()),
                (true, None) | (false, Some(_)) => {}
            }
        }
        problems
    }

    /// What is wrong with the cases of functions.
    fn lint_cases(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut asked: BTreeMap<String, &str> = BTreeMap::new();
        let mut last = "";
        for case in &self.cases {
            let mut report = |message: String| {
                problems.push(Problem {
                    file: FUNCTIONS.to_owned(),
                    line: line_of(&self.functions, &quoted(&case.id)),
                    message: format!("{}: {message}", case.id),
                });
            };
            if !FUNCTION_NAMES.contains(&case.function.as_str()) {
                report(format!("`{}` is no function", case.function));
            }
            let stem = format!("functions/{}/", case.function);
            match case.id.strip_prefix(&stem) {
                Some(name) if is_kebab(name) => {}
                Some(name) => report(format!("the name `{name}` is not lower-kebab")),
                None => report(format!("the id does not begin with `{stem}`")),
            }
            match case.id.as_str().cmp(last) {
                Ordering::Less => report(format!("the id does not belong behind `{last}`; they are sorted")),
                Ordering::Equal => report("the id stands there twice".to_owned()),
                Ordering::Greater => {}
            }
            last = &case.id;
            let question = format!("{} {}", case.function, Value::from(case.arguments.clone()));
            if let Some(first) = asked.insert(question, &case.id) {
                report(format!("the arguments stand in {first} already"));
            }
            if case.clauses.is_empty() {
                report("no clause is cited".to_owned());
            }
            for id in case.clauses.iter().filter(|id| self.clause(id).is_none()) {
                report(format!("the clause `{id}` is not in {CLAUSES}"));
            }
        }
        problems
    }

    /// The rejections that stand beside no acceptance: none differs from them by one edit, and `twin` names none. And those
    /// that name one though such an acceptance stands there.
    pub fn lint_twins(&self) -> Vec<Problem> {
        let built_in = self.built_in();
        let acceptances = Acceptances::of(self.vectors().chain(built_in.iter().flat_map(Library::vectors)));
        let mut problems = Vec::new();
        for file in &self.files {
            for vector in file.content.vectors.iter().filter(|vector| is_rejected(vector)) {
                let message = match (&vector.twin, acceptances.one_edit_from(vector)) {
                    (None, Some(_)) | (Some(_), None) => continue,
                    (None, None) => "no acceptance is one edit away; add one, or name the nearest in `twin`",
                    (Some(_), Some(_)) => "an acceptance is one edit away; leave out `twin`",
                };
                problems.push(file.problem(&quoted(&vector.id), format!("{}: {message}", vector.id)));
            }
        }
        problems
    }

    /// What is wrong with the levels, in the order of the files. A `must` is decided by a clause that says so: whatever is in the
    /// core is a `must` by the RFC's own words. Nothing that scheme-specific rules decide is one: "Implementations may use
    /// scheme-specific rules" (§6.2.3). Vectors of one operation, and one scope or rung, have the same level where the same
    /// clause decides them.
    pub fn lint_levels(&self) -> Vec<Problem> {
        let mut levels: BTreeMap<(&str, &str, &str), (Level, &str)> = BTreeMap::new();
        let mut problems = Vec::new();
        for file in &self.files {
            for vector in &file.content.vectors {
                let Some(decisive) = vector.clauses.first() else {
                    continue;
                };
                let mut report = |message: String| {
                    problems.push(file.problem(&quoted(&vector.id), format!("{}: {message}", vector.id)));
                };
                let at = match &vector.input {
                    Input::Normalize { scope, .. } => scope.name(),
                    Input::Equivalent { rung, .. } => rung.name(),
                    _ => "",
                };
                let kind = (vector.input.operation().name(), at, decisive.as_str());
                let (level, first) = *levels.entry(kind).or_insert((vector.level, &vector.id));
                let by_scheme = matches!(
                    vector.input,
                    Input::Normalize {
                        scope: Scope::Scheme,
                        ..
                    } | Input::Equivalent { rung: Rung::Scheme, .. }
                );
                let weaker = self.clause(decisive).filter(|clause| clause.level != Level::Must);
                let weaker = weaker.filter(|_| vector.level == Level::Must);
                if vector.level == Level::Must && by_scheme {
                    report("what scheme-specific rules decide is `should` or `may`, not `must`".to_owned());
                } else if let Some(clause) = weaker {
                    report(format!(
                        "`{decisive}` is `{}`, so it decides no `must`; cite first the clause that does",
                        clause.level
                    ));
                } else if vector.level != level {
                    report(format!(
                        "the level is `{}`, and `{level}` in {first}, which `{decisive}` decides too",
                        vector.level
                    ));
                }
            }
        }
        problems
    }

    /// The vectors that this version of the crate carries, where these have no register of their own: they stand beside those.
    fn built_in(&self) -> Option<Library> {
        self.register.is_none().then(Library::embedded)
    }

    /// The id of the clause that is nearest to `id`.
    fn nearest_clause(&self, id: &str) -> Option<&str> {
        self.clauses.iter().map(|clause| clause.id.as_str()).max_by_key(|known| alike(known, id))
    }

    /// The acceptance that stands beside a rejection (see [`Acceptances::twin`]).
    pub fn twin(&self, vector: &Vector) -> Option<&str> {
        Acceptances::of(self.vectors()).twin(vector)
    }
}

/// The accepted vectors among some, by operation.
pub struct Acceptances<'a>(BTreeMap<Operation, Vec<(Vec<&'a str>, &'a str)>>);

impl<'a> Acceptances<'a> {
    /// Those among `vectors`.
    pub fn of(vectors: impl IntoIterator<Item = &'a Vector>) -> Acceptances<'a> {
        let mut by_operation: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for vector in vectors.into_iter().filter(|vector| !is_rejected(vector)) {
            let of_operation = by_operation.entry(vector.input.operation()).or_default();
            of_operation.push((texts(&vector.input), &*vector.id));
        }
        Acceptances(by_operation)
    }

    /// The id of the acceptance that stands beside a rejection: the one that is nearest by one edit, or the one that the
    /// vector names. None of what is accepted, and none where it is not among these.
    pub fn twin(&self, vector: &Vector) -> Option<&'a str> {
        if !is_rejected(vector) {
            return None;
        }
        let named = || {
            let of_operation = self.0.get(&vector.input.operation())?;
            of_operation.iter().map(|(_, id)| *id).find(|id| vector.twin.as_deref() == Some(*id))
        };
        self.one_edit_from(vector).or_else(named)
    }

    /// The id of the acceptance that a rejection can name as its `twin`: the one that has most in common with it. None of what
    /// is accepted, and none where there is no acceptance of its operation.
    pub fn nearest(&self, vector: &Vector) -> Option<&'a str> {
        let own = texts(&vector.input);
        let of_operation = self.0.get(&vector.input.operation()).filter(|_| is_rejected(vector))?;
        let common = |other: &[&str]| own.iter().zip(other).map(|(own, other)| alike(other, own)).sum::<i64>();
        // The first of several.
        of_operation.iter().rev().max_by_key(|(other, _)| common(other)).map(|(_, id)| *id)
    }

    /// The id of the nearest that differs from a vector by one edit, the first of several; none if there is none.
    ///
    /// An edit changes, adds or drops up to three characters in one place, as many as a triplet has, or takes another rule.
    fn one_edit_from(&self, vector: &Vector) -> Option<&'a str> {
        let own = texts(&vector.input);
        let of_operation = self.0.get(&vector.input.operation()).into_iter().flatten();
        let near = of_operation.filter_map(|(other, id)| Some((one_edit(&own, other)?, *id)));
        near.min_by_key(|(size, _)| *size).map(|(_, id)| id)
    }
}

/// How much two ids have in common at their beginnings and their ends.
fn alike(one: &str, other: &str) -> i64 {
    let beginning = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let end = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    let common = (beginning + end).min(one.len());
    2 * common as i64 - one.len() as i64
}

/// Whether the plain text rejects the input of a vector.
fn is_rejected(vector: &Vector) -> bool {
    *vector.expectation(Reading::Rfc3986) == Expectation::Rejected
}

/// The arguments of an input that an edit can change, in a fixed order; the rule of a parse is the first.
fn texts(input: &Input) -> Vec<&str> {
    match input {
        Input::Parse { rule, input } => vec![rule.name(), input],
        Input::Resolve {
            base,
            reference,
            strict,
        } => vec![if *strict { "strict" } else { "not strict" }, base, reference],
        Input::Normalize { uri, scope } => vec![scope.name(), uri],
        Input::Compose { components } => of_components(components),
        Input::Equivalent { left, right, rung } => vec![rung.name(), left, right],
        Input::Relativize { base, target } => vec!["", base, target],
        Input::Modify { uri, component, value } => vec![component.name(), uri, value.as_deref().unwrap_or(UNDEFINED)],
        Input::RoundTrip { uri } => vec!["", uri],
        Input::Contract { left, right } => vec!["", left, right],
    }
}

/// What stands for an undefined component among the texts: one character, so that to define it is one edit.
const UNDEFINED: &str = "\0";

fn of_components(components: &Components) -> Vec<&str> {
    let texts = Component::TEXTS.map(|component| components.text(component).unwrap_or(UNDEFINED));
    [""].into_iter().chain(texts).collect()
}

/// How many characters the edit changes that makes one of the texts the other, one text in one place; of another rule, more
/// than of any other. None if it takes more than one edit.
fn one_edit(one: &[&str], other: &[&str]) -> Option<usize> {
    /// As many as a triplet has.
    const MOST: usize = 3;
    let mut differing = (0..one.len()).filter(|&at| one[at] != other[at]);
    match (differing.next()?, differing.next()) {
        (_, Some(_)) => None,
        (0, None) => Some(MOST + 1),
        (at, None) => {
            let (one, other) = (one[at], other[at]);
            let (length, other_length) = (one.chars().count(), other.chars().count());
            let same = |pair: &(char, char)| pair.0 == pair.1;
            let before = one.chars().zip(other.chars()).take_while(same).count();
            let behind = length.min(other_length) - before;
            let after = one.chars().rev().zip(other.chars().rev()).take(behind).take_while(same).count();
            Some(length.max(other_length) - before - after).filter(|size| *size <= MOST)
        }
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
    let register = uriproof_vectors::files().into_iter().find(|(path, _)| path == CLAUSES);
    register.map(|(_, text)| text).unwrap_or_default()
}

/// The path that the ids of a file begin with, if the file's own path ends with it: `found/reading.json` of
/// `vectors/found/reading.json`, where only that file is given.
fn path_by_ids(file: &Path, content: &VectorFile) -> Option<String> {
    let (stem, _) = content.vectors.first()?.id.rsplit_once('/')?;
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

/// What is wrong with the id of a vector: it has the path of its file, and a name.
fn misnamed(vector: &Vector, path: &str) -> Option<String> {
    let stem = path.trim_end_matches(".json");
    if stem.starts_with(crate::algorithms::PREFIX) {
        return Some(
            "ids that begin with `suite/` are those of generated suites: the folder needs another name".to_owned(),
        );
    }
    match vector.id.strip_prefix(stem).and_then(|rest| rest.strip_prefix('/')) {
        Some(name) if is_kebab(name) => None,
        Some(name) => Some(format!(
            "the name `{name}` is not lower-kebab, as `{stem}/{}` is",
            kebab(name)
        )),
        None => {
            let name = vector.id.rsplit('/').next().unwrap_or_default();
            Some(format!(
                "the id does not begin with the file's path, as `{stem}/{}` does",
                kebab(name)
            ))
        }
    }
}

/// What in an expectation does not fit the operation and the rule that it is for.
fn misfits(input: &Input, expectation: &Expectation) -> Vec<String> {
    let mut messages = Vec::new();
    match expectation {
        Expectation::OneOf(_) if matches!(input.operation(), Operation::Relativize | Operation::Contract) => {
            messages.push(format!(
                "`one-of` does not answer {}: one answer stands for all",
                question(input)
            ));
        }
        Expectation::OneOf(outcomes) => messages.extend(misfits_of_each(input, outcomes)),
        Expectation::Rejected => {}
        Expectation::Accepted => {
            if !matches!(input, Input::Parse { rule, .. } if !has_components(*rule)) {
                messages.push(format!("`accepted` alone does not answer {}", question(input)));
            }
        }
        Expectation::Components(components) => {
            if matches!(input, Input::Parse { rule, .. } if has_components(*rule)) {
                messages.extend(inconsistencies(components));
            } else {
                messages.push(format!("`components` do not answer {}", question(input)));
            }
        }
        Expectation::Uri(_) => {
            if !matches!(
                input.operation(),
                Operation::Resolve
                    | Operation::Normalize
                    | Operation::Compose
                    | Operation::Relativize
                    | Operation::Modify
                    | Operation::RoundTrip
            ) {
                messages.push(format!("`uri` does not answer {}", question(input)));
            }
        }
        Expectation::Equivalent(_) => {
            if input.operation() != Operation::Equivalent {
                messages.push(format!("`equivalent` does not answer {}", question(input)));
            }
        }
        Expectation::Broken(broken) => {
            if input.operation() != Operation::Contract {
                messages.push(format!("`broken` does not answer {}", question(input)));
            }
            if !broken.is_empty() {
                messages.push("no contract may be broken: `broken` is `[]`".to_owned());
            }
        }
    }
    messages
}

/// What in outcomes that are alternatives does not fit, each with its name and its licence.
fn misfits_of_each(input: &Input, outcomes: &[LicensedOutcome]) -> Vec<String> {
    let mut messages = Vec::new();
    let mut names = BTreeSet::new();
    for one in outcomes {
        if !is_kebab(&one.name) {
            messages.push(format!("the outcome's name `{}` is not lower-kebab", one.name));
        }
        if !names.insert(&one.name) {
            messages.push(format!("two outcomes are named `{}`", one.name));
        }
        if !one.licence.contains('§') {
            messages.push(format!("the licence of `{}` names no section (§)", one.name));
        }
        messages.extend(misfits(input, &one.outcome));
    }
    messages
}

fn question(input: &Input) -> String {
    match input {
        Input::Parse { rule, .. } => format!("a parse as {rule}"),
        other => format!("`{}`", other.operation()),
    }
}

/// Whether what matches a rule has the components of a URI-reference.
pub fn has_components(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::UriReference | Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef
    )
}

fn inconsistencies(components: &Components) -> Vec<String> {
    let mut messages = Vec::new();
    let Some(host) = &components.host else {
        for component in [Component::Userinfo, Component::HostKind, Component::Port] {
            if components.text(component).is_some() {
                messages.push(format!("`{component}` is defined though `host` is not"));
            }
        }
        return messages;
    };
    let literal = host.starts_with('[');
    match components.host_kind {
        None => messages.push("`host` is defined, but `host_kind` is not".to_owned()),
        Some(HostKind::Ipv6 | HostKind::Ipvfuture) if !literal => {
            messages.push("the host of an IP-literal is given with its brackets".to_owned());
        }
        Some(HostKind::Ipv4 | HostKind::RegName) if literal => {
            messages.push("a host in brackets is `ipv6` or `ipvfuture`".to_owned());
        }
        Some(_) => {}
    }
    messages
}

fn is_kebab(name: &str) -> bool {
    !name.is_empty()
        && name.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|octet| octet.is_ascii_lowercase() || octet.is_ascii_digit())
        })
}

/// A name in lower-kebab that is much the same.
fn kebab(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let kebab = words.collect::<Vec<_>>().join("-");
    if kebab.is_empty() { "name".to_owned() } else { kebab }
}

/// What may be meant, for the end of a message.
fn perhaps(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!(", perhaps `{nearest}` is meant")).unwrap_or_default()
}

fn quoted(id: &str) -> String {
    format!("\"{id}\"")
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
