//! The ledger: every class of every subject, explained.
//!
//! One TOML file a crate below `ledger/`. An entry is one cause; its classes are the ways in which it shows.

mod entry;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use uriproof::model::{Declaration, Input, OneLine, Subject};
use uriproof_deviations::SubjectProfile;

pub use self::entry::{
    Cause, ClaimedSpecification, KnownClass, KnownDeviation, LedgerEntry, LedgerFile, OtherAlgorithm, SourceCode,
    Upstream, UpstreamStatus, expected_text, observed_text,
};
use super::fingerprint::{Class, Fingerprint};

/// All that is known of the subjects.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The files, sorted by name.
    pub files: Vec<LedgerFile>,
    /// From a subject and a fingerprint to its places: several entries can show in the same way.
    index: BTreeMap<(String, Fingerprint), Vec<ClassPlace>>,
}

/// Where a class stands in the ledger.
#[derive(Clone, Copy, Debug)]
struct ClassPlace {
    file: usize,
    entry: usize,
    class: usize,
}

/// A class with the entry that explains it.
#[derive(Clone, Copy, Debug)]
pub struct ExplainedClass<'a> {
    /// The file.
    pub file: &'a LedgerFile,
    /// The cause.
    pub entry: &'a LedgerEntry,
    /// The class.
    pub class: &'a KnownClass,
}

/// Why a ledger cannot be used: one line with file and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerError(String);

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        OneLine(&self.0).fmt(f)
    }
}

impl std::error::Error for LedgerError {}

impl Ledger {
    /// The ledger in a folder, which may be empty.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, with the line and what is wrong.
    pub fn from_folder(folder: &Path) -> Result<Ledger, LedgerError> {
        let unreadable =
            |path: &Path, error: std::io::Error| LedgerError(format!("{}: cannot be read: {error}", path.display()));
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, error))? {
            let path = entry.map_err(|error| unreadable(folder, error))?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.push((name, text));
            }
        }
        files.sort();
        Ledger::read(folder, files)
    }

    /// The ledger that stands in the texts of files, each with its file's name; `folder` is what an error names.
    ///
    /// # Errors
    ///
    /// The first text that cannot be read, with the line and what is wrong.
    pub fn read(folder: &Path, texts: impl IntoIterator<Item = (String, String)>) -> Result<Ledger, LedgerError> {
        let mut files = Vec::new();
        for (name, text) in texts {
            let path = folder.join(&name);
            let mut file: LedgerFile = toml::from_str(&text).map_err(|error| {
                let line = error.span().map_or(1, |span| line_at(&text, span.start));
                let message = error.message().lines().collect::<Vec<_>>().join("; ");
                LedgerError(format!("{}:{line}: {message}", path.display()))
            })?;
            if let Some((anchor, message)) = misfit(&file) {
                let line = text.find(&anchor).map_or(1, |at| line_at(&text, at));
                return Err(LedgerError(format!("{}:{line}: {message}", path.display())));
            }
            file.file = name;
            files.push(file);
        }
        let mut ledger = Ledger {
            files,
            index: BTreeMap::new(),
        };
        ledger.make_index(folder)?;
        Ok(ledger)
    }

    fn make_index(&mut self, folder: &Path) -> Result<(), LedgerError> {
        self.index.clear();
        for (at_file, file) in self.files.iter().enumerate() {
            for (at_entry, entry) in file.entries.iter().enumerate() {
                for (at_class, class) in entry.classes.iter().enumerate() {
                    for entry_point in &class.entry_points {
                        let label = format!("{} {} {entry_point}", file.name, file.version);
                        let key = (label, class.fingerprint.clone());
                        let places = self.index.entry(key).or_default();
                        if places.iter().any(|place| place.entry == at_entry) {
                            return Err(LedgerError(format!(
                                "{}: entry `{}` has this class of {entry_point} twice: {}",
                                folder.join(&file.file).display(),
                                entry.id,
                                class.fingerprint
                            )));
                        }
                        places.push(ClassPlace {
                            file: at_file,
                            entry: at_entry,
                            class: at_class,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// What is known of a class of a subject, by the subject's label: each cause that shows in this way, in the order of the file.
    pub fn find(&self, subject: &str, fingerprint: &Fingerprint) -> Vec<ExplainedClass<'_>> {
        let places = self.index.get(&(subject.to_owned(), fingerprint.clone()));
        let known = places.into_iter().flatten().map(|&ClassPlace { file, entry, class }| {
            let file = &self.files[file];
            let entry = &file.entries[entry];
            ExplainedClass {
                file,
                entry,
                class: &entry.classes[class],
            }
        });
        known.collect()
    }

    /// Whether a class of a subject stands in the ledger.
    pub fn has(&self, subject: &str, fingerprint: &Fingerprint) -> bool {
        self.index.contains_key(&(subject.to_owned(), fingerprint.clone()))
    }

    /// Whether a class of a subject stands in the ledger, but under no cause.
    pub fn is_unexplained(&self, subject: &str, fingerprint: &Fingerprint) -> bool {
        self.find(subject, fingerprint).iter().any(|known| known.entry.cause == Cause::Unexplained)
    }

    /// An entry for a class that is not there yet, as TOML, with what is left to fill in.
    pub fn ready_entry(subjects: &[&dyn Subject], class: &Class) -> String {
        let mut known: Option<KnownClass> = None;
        for subject in subjects {
            let of_subject = KnownClass::new(subject.declaration(), class);
            match &mut known {
                Some(known) => known.entry_points.extend(of_subject.entry_points),
                None => known = Some(of_subject),
            }
        }
        LedgerEntry::unexplained(known.into_iter().collect()).to_toml()
    }

    /// Every class.
    pub fn classes(&self) -> impl Iterator<Item = ExplainedClass<'_>> {
        self.files.iter().flat_map(|file| {
            file.entries
                .iter()
                .flat_map(move |entry| entry.classes.iter().map(move |class| ExplainedClass { file, entry, class }))
        })
    }

    /// Every witness: of choices, deviations and classes.
    pub fn witnesses(&self) -> impl Iterator<Item = &Input> {
        self.files.iter().flat_map(|file| {
            let of_entries = file.entries.iter().flat_map(|entry| {
                let of_deviations = entry.deviations.iter().map(|known| &known.witness);
                of_deviations.chain(entry.classes.iter().map(|class| &class.input))
            });
            file.choices.iter().map(|known| &known.witness).chain(of_entries)
        })
    }

    /// The file of a crate's version.
    pub fn file_of(&self, declaration: &Declaration) -> Option<&LedgerFile> {
        self.files.iter().find(|file| file.name == declaration.name && file.version == declaration.version)
    }

    /// The choices and deviations of a subject, in the order of its profile; the latter each with the cause that it states.
    pub fn deviations(&self, declaration: &Declaration) -> Vec<(&KnownDeviation, Option<&LedgerEntry>)> {
        let Some(file) = self.file_of(declaration) else {
            return Vec::new();
        };
        let of_entries =
            file.entries.iter().flat_map(|entry| entry.deviations.iter().map(move |known| (known, Some(entry))));
        let all = file.choices.iter().map(|known| (known, None)).chain(of_entries);
        all.filter(|(known, _)| known.is_of(&declaration.entry_point)).collect()
    }

    /// What a subject does otherwise, as far as it is known as deviations; `None` if the subject has none.
    pub fn profile(&self, declaration: &Declaration) -> Option<SubjectProfile> {
        let known = self.deviations(declaration);
        let deviations = known.iter().map(|(known, _)| known.deviation.clone());
        (!known.is_empty()).then(|| SubjectProfile::new(deviations).following(declaration.specification.clone()))
    }

    /// Whether a subject follows the WHATWG URL Standard by its file: its deviations are then from that.
    pub fn follows_url_standard(&self, declaration: &Declaration) -> bool {
        self.profile(declaration).is_some_and(|profile| profile.follows_url_standard())
    }

    /// Adds a class of a subject: to the entry that has the class already for another entry point of the crate, else to
    /// the entry `unexplained` of the crate's file, which is made if need be. Says whether it was not there yet.
    pub fn add(&mut self, subject: &dyn Subject, class: &Class) -> bool {
        self.add_after(subject, class, None)
    }

    /// As [`Ledger::add`], of a class that is shown by the witness of another, `before`, which no longer is: it comes under
    /// the entry of that one.
    pub fn add_after(&mut self, subject: &dyn Subject, class: &Class, before: Option<&Fingerprint>) -> bool {
        let declaration = subject.declaration();
        if self.has(&declaration.label(), &class.fingerprint) {
            return false;
        }
        let at = match self
            .files
            .iter()
            .position(|file| file.name == declaration.name && file.version == declaration.version)
        {
            Some(at) => at,
            None => {
                self.files.push(LedgerFile {
                    file: file_name(&self.files, declaration),
                    name: declaration.name.to_string(),
                    version: declaration.version.to_string(),
                    claim: ClaimedSpecification::default(),
                    predicted: Vec::new(),
                    choices: Vec::new(),
                    other_algorithms: Vec::new(),
                    entries: Vec::new(),
                });
                self.files.len() - 1
            }
        };
        let known = KnownClass::new(declaration, class);
        let entries = &mut self.files[at].entries;
        let same = |other: &KnownClass| other.fingerprint == known.fingerprint && other.reference == known.reference;
        let of_another = entries.iter().position(|entry| entry.classes.iter().any(same));
        let of_before = || {
            let is_before = |other: &KnownClass| Some(&other.fingerprint) == before;
            entries.iter().position(|entry| entry.classes.iter().any(is_before))
        };
        let unexplained = || entries.iter().position(|entry| entry.cause == Cause::Unexplained);
        let entry = match of_another.or_else(of_before).or_else(unexplained) {
            Some(entry) => &mut entries[entry],
            None => {
                entries.push(LedgerEntry::unexplained(Vec::new()));
                entries.last_mut().expect("pushed just now")
            }
        };
        let twin = entry.classes.iter_mut().find(|other| {
            other.fingerprint == known.fingerprint
                && other.input == known.input
                && other.reference == known.reference
                && other.subject == known.subject
        });
        match twin {
            Some(twin) => twin.entry_points.extend(known.entry_points),
            None => entry.classes.push(known),
        }
        // One more class under a label that did not have it: the index stays free of twins.
        self.make_index(Path::new("ledger")).is_ok()
    }

    /// Tells each class as `class_of` does, given its file, itself and its first entry point.
    pub fn update_classes(
        &mut self,
        class_of: impl Fn(&LedgerFile, &KnownClass, &str) -> Option<(Class, Declaration)>,
    ) {
        for file in &mut self.files {
            let whole = file.clone();
            for class in file.entries.iter_mut().flat_map(|entry| &mut entry.classes) {
                let first = class.entry_points.first().cloned().unwrap_or_default();
                if let Some((shown, declaration)) = class_of(&whole, class, &first) {
                    let entry_points = std::mem::take(&mut class.entry_points);
                    *class = KnownClass::new(&declaration, &shown);
                    class.entry_points = entry_points;
                }
            }
        }
    }

    /// Removes each class and entry point that is not live, and entries that are left without a class. A file that is left without an
    /// entry stays if it has a claim, which is written by hand.
    pub fn retain(&mut self, mut is_live: impl FnMut(&LedgerFile, &KnownClass, &str) -> bool) {
        for file in &mut self.files {
            let whole = file.clone();
            for entry in &mut file.entries {
                for class in &mut entry.classes {
                    let known = class.clone();
                    class.entry_points.retain(|entry_point| is_live(&whole, &known, entry_point));
                }
                entry.classes.retain(|class| !class.entry_points.is_empty());
            }
            file.entries.retain(|entry| !entry.classes.is_empty() || !entry.deviations.is_empty());
        }
        self.files.retain(|file| !file.entries.is_empty() || file.claim != ClaimedSpecification::default());
        // Fewer classes than before have no twins either.
        let _ = self.make_index(Path::new("ledger"));
    }
}

/// A name for the file of a crate: `http.toml`; for a second version `fluent-uri-0.1.4.toml`.
fn file_name(files: &[LedgerFile], declaration: &Declaration) -> String {
    let plain = format!("{}.toml", declaration.name);
    if files.iter().all(|file| file.file != plain) {
        return plain;
    }
    format!("{}-{}.toml", declaration.name, declaration.version)
}

fn line_at(text: &str, at: usize) -> usize {
    text[..at.min(text.len())].matches('\n').count() + 1
}

/// What in a file does not fit, and a text near it.
fn misfit(file: &LedgerFile) -> Option<(String, String)> {
    for other in &file.other_algorithms {
        let problem = match () {
            () if other.operations.is_empty() => Some("it names no operation"),
            () if other.explanation.trim().is_empty() => Some("`explanation` is empty"),
            () => None,
        };
        if let Some(problem) = problem {
            return Some(("[[other-algorithm]]".to_owned(), format!("other-algorithm: {problem}")));
        }
    }
    let mut ids = BTreeSet::new();
    for entry in &file.entries {
        let anchor = format!("\"{}\"", entry.id);
        let problem = if !ids.insert(&entry.id) {
            Some("two entries have this id".to_owned())
        } else if entry.classes.is_empty() && entry.deviations.is_empty() {
            Some("the entry has neither a deviation nor a class; take it out".to_owned())
        } else if entry.cause == Cause::Unexplained {
            None
        } else if (entry.cause == Cause::OtherSpec) != entry.specification.is_some() {
            Some("`specification` names the clause of the other specification where the cause is `other-spec`, and only there".to_owned())
        } else if entry.explanation.trim().is_empty() {
            Some("`explanation` is empty; say in a sentence or two what the subject does".to_owned())
        } else if !entry.clause.starts_with('§') {
            Some("`clause` is the id of a clause of vectors/clauses.json, such as §3.2.2/reg-name".to_owned())
        } else {
            None
        };
        if let Some(problem) = problem {
            return Some((anchor, format!("entry `{}`: {problem}", entry.id)));
        }
        for class in &entry.classes {
            if class.entry_points.is_empty() {
                let problem = format!(
                    "entry `{}`: a class without an entry point: {}",
                    entry.id, class.fingerprint
                );
                return Some((class.fingerprint.to_string(), problem));
            }
        }
    }
    None
}
