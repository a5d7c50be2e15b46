//! The folder with what is measured of subjects, in which commands replace their own sections.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use uriproof::model::{Declaration, Subject};

use crate::cli::{RunError, files, registry};
use crate::measured::subjects::{MeasuredCrates, MeasuredSubject, text};

/// A folder of measurements that is written.
pub(crate) struct MeasuredFolder<'p> {
    path: &'p Path,
    before: MeasuredCrates,
    crates: MeasuredCrates,
}

impl MeasuredFolder<'_> {
    /// Reads a folder, which is empty if there is none, before these subjects are measured.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, or written.
    pub(crate) fn open<'p>(path: &'p Path, subjects: &[&dyn Subject]) -> Result<MeasuredFolder<'p>, RunError> {
        let names: BTreeSet<String> = subjects.iter().map(|subject| file_name(subject.declaration())).collect();
        let paths: Vec<PathBuf> = names.iter().map(|name| path.join(name)).collect();
        files::expect_writable(paths.iter().map(PathBuf::as_path))?;
        let before = match path.exists() {
            true => MeasuredCrates::from_folder(path)?,
            false => MeasuredCrates::default(),
        };
        let crates = before.clone();
        Ok(MeasuredFolder { path, before, crates })
    }

    /// What is measured of a subject, to be changed.
    pub(crate) fn of(&mut self, declaration: &Declaration) -> &mut MeasuredSubject {
        self.crates.0.entry(file_name(declaration)).or_default().entry(declaration.label()).or_default()
    }

    /// Writes the files that have changed. What is measured of no subject is removed: of a former version, or of a former crate.
    pub(crate) fn write(mut self) -> Result<(), RunError> {
        let declarations = registry::subjects().iter().map(|subject| subject.declaration());
        let places: BTreeSet<(String, String)> =
            declarations.map(|declaration| (file_name(declaration), declaration.label())).collect();
        for (name, of_crate) in &mut self.crates.0 {
            of_crate.retain(|label, _| places.contains(&(name.clone(), label.clone())));
        }
        let changed = self.crates.0.iter().filter(|(name, of_crate)| self.before.0.get(*name) != Some(*of_crate));
        let (gone, changed): (Vec<_>, Vec<_>) = changed.partition(|(_, of_crate)| of_crate.is_empty());
        let texts = changed.into_iter().map(|(name, of_crate)| (self.path.join(name), text(of_crate)));
        files::write(&texts.collect::<Vec<_>>())?;
        files::remove(&gone.into_iter().map(|(name, _)| self.path.join(name)).collect::<Vec<_>>())
    }
}

/// The file of a crate, named as that of the ledger: `http.json`; for a second version `fluent-uri-0.1.4.json`.
fn file_name(declaration: &Declaration) -> String {
    let mut declarations = registry::subjects().iter().map(|subject| subject.declaration());
    match declarations.find(|first| first.name == declaration.name) {
        Some(first) if first.version != declaration.version => {
            format!("{}-{}.json", declaration.name, declaration.version)
        }
        _ => format!("{}.json", declaration.name),
    }
}
