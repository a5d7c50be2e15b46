//! The folder with what is measured of subjects, in which commands replace their own sections.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use uriproof::model::{Declaration, Subject};

use crate::cli::{RunError, files, registry};
use crate::measured::subjects::{MeasuredCrates, MeasuredSubject};

/// A folder of measurements that is written.
pub(crate) struct MeasuredFolder<'p> {
    path: &'p Path,
    crates: MeasuredCrates,
    /// The names of the files that change.
    changed: BTreeSet<String>,
}

impl MeasuredFolder<'_> {
    /// Reads a folder, which is empty if there is none, before these subjects are measured.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, or written.
    pub(crate) fn open<'p>(path: &'p Path, subjects: &[&dyn Subject]) -> Result<MeasuredFolder<'p>, RunError> {
        let crates = match path.exists() {
            true => MeasuredCrates::from_folder(path)?,
            false => MeasuredCrates::default(),
        };
        let names: BTreeSet<String> = subjects.iter().map(|subject| file_name(subject.declaration())).collect();
        let paths: Vec<PathBuf> = names.iter().map(|name| path.join(name)).collect();
        files::expect_writable(paths.iter().map(PathBuf::as_path))?;
        let changed = BTreeSet::new();
        Ok(MeasuredFolder { path, crates, changed })
    }

    /// What is measured of a subject, to be changed.
    pub(crate) fn of(&mut self, declaration: &Declaration) -> &mut MeasuredSubject {
        let name = file_name(declaration);
        self.changed.insert(name.clone());
        self.crates.0.entry(name).or_default().subjects.entry(declaration.label()).or_default()
    }

    /// Writes the files that change, without what is in them of other versions. Files in which no subject has its place are removed.
    pub(crate) fn write(mut self) -> Result<(), RunError> {
        let declarations = registry::subjects().iter().map(|subject| subject.declaration());
        let places: BTreeSet<(String, String)> =
            declarations.map(|declaration| (file_name(declaration), declaration.label())).collect();
        let (mut written, mut gone) = (Vec::new(), Vec::new());
        for (name, of_crate) in &mut self.crates.0 {
            let path = self.path.join(name);
            let has_place = |label: &String| places.contains(&(name.clone(), label.clone()));
            if self.changed.contains(name) {
                of_crate.subjects.retain(|label, _| has_place(label));
                let text = serde_json::to_string_pretty(of_crate)
                    .map_err(|error| format!("cannot be written as JSON: {error}"))?;
                written.push((path, text + "\n"));
            } else if !of_crate.subjects.keys().any(has_place) {
                gone.push(path);
            }
        }
        files::write(&written)?;
        files::remove(&gone)
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
