//! The ledger: every class of every subject, explained.
//!
//! One TOML file a crate below `ledger/`. An entry is one cause; its classes are the ways in which it shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use uriproof::compare::{Difference, DifferenceKind};
use uriproof::expect::Expected;
use uriproof::model::{Component, Declaration, Input, OneLine, Operation, Outcome, Reading, Subject, Value};
use uriproof::run::{self, Result as Answer};
use uriproof::severity::Severity;

use super::fingerprint::{Class, Fingerprint, Mark, classes};
use super::variant::{self, Misprint, looser};

/// All that is known of the subjects.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The files, sorted by name.
    pub files: Vec<LedgerFile>,
    /// From a subject and a fingerprint to the places of file, entry and class.
    index: BTreeMap<(String, Fingerprint), (usize, usize, usize)>,
}

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
    /// The causes.
    #[serde(default, rename = "entry")]
    pub entries: Vec<LedgerEntry>,
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
    /// The classes.
    #[serde(default, rename = "class")]
    pub classes: Vec<KnownClass>,
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
                        if self.index.insert(key, (at_file, at_entry, at_class)).is_some() {
                            return Err(LedgerError(format!(
                                "{}: {entry_point} has two entries for: {}",
                                folder.join(&file.file).display(),
                                class.fingerprint
                            )));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What is known of a class of a subject, by the subject's label.
    pub fn find(&self, subject: &str, fingerprint: &Fingerprint) -> Option<ExplainedClass<'_>> {
        let &(file, entry, class) = self.index.get(&(subject.to_owned(), fingerprint.clone()))?;
        let file = &self.files[file];
        let entry = &file.entries[entry];
        Some(ExplainedClass {
            file,
            entry,
            class: &entry.classes[class],
        })
    }

    /// The class in the ledger that a class, which is not there, is a variant of (see [`variant`]).
    pub fn variant_of(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let label = subject.declaration().label();
        let alike = self
            .by_entry_point(subject.declaration(), class)
            .or_else(|| self.by_steps(&label, class))
            .or_else(|| self.by_place(&label, class))
            .or_else(|| self.by_misreading(subject, class, reading))
            .or_else(|| self.by_kind_of_reference(subject, class, reading))
            .or_else(|| self.by_what_it_contains(subject, class, reading));
        alike.or_else(|| {
            let looser = looser(subject, class, reading);
            let looser = looser.iter().find_map(|class| self.find(&label, &class.fingerprint));
            looser
                .or_else(|| self.by_question(subject, class, reading))
                .or_else(|| self.by_unchecked(subject, class, reading))
                .or_else(|| self.by_misprints(subject, class, reading))
        })
    }

    /// The same class of another entry point of the crate.
    fn by_entry_point(&self, declaration: &Declaration, class: &Class) -> Option<ExplainedClass<'_>> {
        let file = self.file_of(declaration)?;
        let mut classes = file.entries.iter().flat_map(|entry| entry.classes.iter().map(move |class| (entry, class)));
        let (entry, class) = classes.find(|(_, known)| known.fingerprint == class.fingerprint)?;
        Some(ExplainedClass { file, entry, class })
    }

    /// A class of a subject that calls two URIs different which the same steps make alike, or the other way about.
    fn by_steps(&self, label: &str, class: &Class) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        let is_right = match kind {
            DifferenceKind::FalseNegative => true,
            DifferenceKind::FalsePositive => false,
            _ => return None,
        };
        let steps = variant::steps(&class.witness.input, is_right)?;
        let of_subject = self.index.iter().filter(|((subject, _), _)| subject == label);
        let alike = of_subject.filter(|((_, fingerprint), _)| {
            let words = [Operation::Equivalent.name(), kind.name()].join(" ");
            fingerprint.as_str().starts_with(&words)
        });
        alike
            .filter_map(|((subject, fingerprint), _)| self.find(subject, fingerprint))
            .find(|known| variant::steps(&known.class.input, is_right).as_ref() == Some(&steps))
    }

    /// A class of a subject that takes another invalid URI, and is the class of this one where that is asked in its place.
    fn by_question(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        if class.difference.kind != DifferenceKind::AcceptedInvalid {
            return None;
        }
        let label = subject.declaration().label();
        let of_subject = self.index.keys().filter(|(subject, _)| *subject == label);
        let mut of_kind =
            of_subject.filter_map(|(subject, fingerprint)| self.find(subject, fingerprint)).filter(|known| {
                known.class.fingerprint.as_str().split(' ').nth(1) == Some(DifferenceKind::AcceptedInvalid.name())
            });
        let is_its = |known: &ExplainedClass<'_>| {
            let Some(input) = variant::transplanted(&class.witness.input, &known.class.input) else {
                return false;
            };
            let shown = classes(subject, &run::one(subject, &input, reading), reading);
            shown.iter().any(|class| class.fingerprint == known.class.fingerprint)
        };
        of_kind.find(is_its)
    }

    /// A class of a subject that looks at none of the components that are wrong here, in this operation: of the one that weighs most.
    fn by_unchecked(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        if kind != DifferenceKind::AcceptedInvalid
            || !variant::is_put_as_given(&class.witness.input, &class.witness.observed)
        {
            return None;
        }
        let of_kind: Vec<ExplainedClass<'_>> = self.of_operation(subject, class).collect();
        let wrong = variant::wrong_components(&class.witness.input);
        let of_component = |component: &Component| {
            of_kind.iter().copied().find(|known| {
                variant::wrong_components(&known.class.input) == [*component]
                    && variant::takes_anything(subject, &known.class.input, *component, reading)
            })
        };
        let known: Option<Vec<ExplainedClass<'_>>> = wrong.iter().map(of_component).collect();
        known?.into_iter().next()
    }

    /// A class of a subject that prints the same component wrong in the same way, as long as it does so with every other that
    /// this one prints wrong.
    fn by_misprints(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        let own = variant::misprints(&class.witness);
        let heaviest = own.first().filter(|_| matches!(kind, DifferenceKind::OtherUri | DifferenceKind::InvalidUri))?;
        let label = subject.declaration().label();
        let of_subject = self.index.keys().filter(|(subject, _)| *subject == label);
        let known: Vec<(ExplainedClass<'_>, Vec<Misprint>)> = of_subject
            .filter_map(|(subject, fingerprint)| self.find(subject, fingerprint))
            .filter(|known| known.class.fingerprint.as_str().split(' ').nth(1) == Some(kind.name()))
            .map(|known| {
                (
                    known,
                    variant::misprints(&run::one(subject, &known.class.input, reading)),
                )
            })
            .collect();
        let is_known = |misprint: &Misprint| known.iter().any(|(_, misprints)| misprints.contains(misprint));
        if !own.iter().all(is_known) {
            return None;
        }
        known.into_iter().find(|(_, misprints)| misprints.first() == Some(heaviest)).map(|(known, _)| known)
    }

    /// A class of a subject that answers a piece of a path, which reads as the same other component, to make a reference of a URI.
    fn by_misreading(&self, subject: &dyn Subject, class: &Class, reading: Reading) -> Option<ExplainedClass<'_>> {
        let own = variant::misread(&class.witness.input, &class.witness.observed)?;
        self.of_operation(subject, class).find(|known| {
            let observed = run::one(subject, &known.class.input, reading).observed;
            variant::misread(&known.class.input, &observed) == Some(own)
        })
    }

    /// A class of a subject that tells the same component wrong of a string which this one contains, and no other, where that is so of
    /// every component that it tells wrong: of the one that weighs most. Causes that meet in a string make no new one.
    fn by_what_it_contains(
        &self,
        subject: &dyn Subject,
        class: &Class,
        reading: Reading,
    ) -> Option<ExplainedClass<'_>> {
        let Input::Parse { input: text, .. } = &class.witness.input else {
            return None;
        };
        if class.difference.kind != DifferenceKind::OtherComponents {
            return None;
        }
        let own = Mark::all(&class.witness);
        let contained: Vec<(ExplainedClass<'_>, Vec<Mark>)> = self
            .of_operation(subject, class)
            .filter(|known| matches!(&known.class.input, Input::Parse { input, .. } if variant::contains(text, input)))
            .map(|known| (known, Mark::all(&run::one(subject, &known.class.input, reading))))
            .filter(|(_, marks)| marks.iter().all(|mark| own.contains(mark)))
            .collect();
        let known =
            own.iter().map(|mark| contained.iter().find(|(_, marks)| marks.contains(mark)).map(|(known, _)| *known));
        known.collect::<Option<Vec<_>>>()?.into_iter().next()
    }

    /// A class of a subject of one kind of reference, such as URIs, whose operation makes one of another kind.
    fn by_kind_of_reference(
        &self,
        subject: &dyn Subject,
        class: &Class,
        reading: Reading,
    ) -> Option<ExplainedClass<'_>> {
        let kind = class.difference.kind;
        if kind != DifferenceKind::AcceptedInvalid
            || !variant::is_of_another_kind(&class.witness.input, &class.witness.observed)
        {
            return None;
        }
        self.of_operation(subject, class).find(|known| {
            let observed = run::one(subject, &known.class.input, reading).observed;
            variant::is_of_another_kind(&known.class.input, &observed)
        })
    }

    /// The classes of a subject with the operation and the kind of difference of a class.
    fn of_operation(&self, subject: &dyn Subject, class: &Class) -> impl Iterator<Item = ExplainedClass<'_>> {
        let label = subject.declaration().label();
        let begin = format!("{} {} ", class.witness.input.operation(), class.difference.kind.name());
        self.index
            .keys()
            .filter(move |(subject, fingerprint)| *subject == label && fingerprint.as_str().starts_with(&begin))
            .filter_map(|(subject, fingerprint)| self.find(subject, fingerprint))
    }

    /// A class of a subject that panics at the same line in another operation.
    fn by_place(&self, label: &str, class: &Class) -> Option<ExplainedClass<'_>> {
        let place = class.fingerprint.place()?;
        let of_subject = self.index.keys().filter(|(subject, _)| subject == label);
        of_subject
            .filter(|(_, fingerprint)| fingerprint.place() == Some(place))
            .find_map(|(subject, fingerprint)| self.find(subject, fingerprint))
    }

    /// Whether a class of a subject stands in the ledger, but under no cause.
    pub fn is_unexplained(&self, subject: &str, fingerprint: &Fingerprint) -> bool {
        self.find(subject, fingerprint).is_some_and(|known| known.entry.cause == Cause::Unexplained)
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

    /// The file of a crate's version.
    pub fn file_of(&self, declaration: &Declaration) -> Option<&LedgerFile> {
        self.files.iter().find(|file| file.name == declaration.name && file.version == declaration.version)
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
        if self.find(&declaration.label(), &class.fingerprint).is_some() {
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
            file.entries.retain(|entry| !entry.classes.is_empty());
        }
        self.files.retain(|file| !file.entries.is_empty() || file.claim != ClaimedSpecification::default());
        // Fewer classes than before have no twins either.
        let _ = self.make_index(Path::new("ledger"));
    }
}

impl KnownClass {
    /// As it stands in the ledger.
    fn new(declaration: &Declaration, class: &Class) -> KnownClass {
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
        // Why is the subject's own affair, and never compared.
        Outcome::Rejected { .. } => "rejected".to_owned(),
        _ => outcome.to_string(),
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
    let mut ids = BTreeSet::new();
    for entry in &file.entries {
        let anchor = format!("\"{}\"", entry.id);
        let problem = if !ids.insert(&entry.id) {
            Some("two entries have this id".to_owned())
        } else if entry.classes.is_empty() {
            Some("the entry has no class; take it out".to_owned())
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

impl LedgerEntry {
    fn unexplained(classes: Vec<KnownClass>) -> LedgerEntry {
        LedgerEntry {
            id: Cause::Unexplained.name().to_owned(),
            cause: Cause::Unexplained,
            specification: None,
            clause: String::new(),
            explanation: String::new(),
            upstream: None,
            classes,
        }
    }
}

/// The longest text that runs may make, so that a wrong number exhausts nothing.
const LONGEST: usize = 1 << 20;

fn with_runs<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Input, D::Error> {
    use serde::de::Error;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Repeated {
        run: String,
        times: usize,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Piece {
        Text(String),
        Run(Repeated),
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Field {
        Flag(bool),
        Text(String),
        Pieces(Vec<Piece>),
        Fields(BTreeMap<String, Field>),
    }

    fn json(field: Field) -> Result<serde_json::Value, String> {
        Ok(match field {
            Field::Flag(flag) => flag.into(),
            Field::Text(text) => text.into(),
            Field::Pieces(pieces) => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(piece) => text += &piece,
                        Piece::Run(Repeated { run, times }) => {
                            let length = run.len().checked_mul(times).and_then(|length| length.checked_add(text.len()));
                            if length.is_none_or(|length| length > LONGEST) {
                                return Err(format!("with a run of {times} the text is longer than {LONGEST} bytes"));
                            }
                            text += &run.repeat(times);
                        }
                    }
                }
                text.into()
            }
            Field::Fields(fields) => {
                let fields: Result<serde_json::Map<_, _>, String> =
                    fields.into_iter().map(|(key, field)| Ok((key, json(field)?))).collect();
                fields?.into()
            }
        })
    }

    let fields = Field::deserialize(deserializer)?;
    let mut json = json(fields).map_err(D::Error::custom)?;
    // TOML has no null: what is not there is undefined.
    if let Some(fields) = json.as_object_mut().filter(|fields| fields.get("operation") == Some(&"modify".into())) {
        fields.entry("value").or_insert(serde_json::Value::Null);
    }
    serde_json::from_value(json).map_err(D::Error::custom)
}
