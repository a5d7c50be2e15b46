//! Files that are written whole or not at all, and read back.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::de::DeserializeOwned;

use crate::cli::{Failure, guard};

/// Writes every file whole: all texts are staged beside their targets first, and only when that worked for each of them
/// are they put in place, one by one.
pub(crate) fn write<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), Failure> {
    if guard::probed().is_some() {
        return Ok(());
    }
    let mut staged = Vec::new();
    let result = files.iter().try_for_each(|(path, text)| {
        staged.push((stage(path, text.as_ref())?, path));
        Ok(())
    });
    let result = result.and_then(|()| {
        staged.iter().try_for_each(|(temporary, path)| {
            fs::rename(temporary, path).map_err(|error| format!("{} cannot be written: {error}", path.display()))
        })
    });
    if result.is_err() {
        for (temporary, _) in &staged {
            // The failure that is reported is the one that led here; those already in place are gone.
            let _ = fs::remove_file(temporary);
        }
    }
    result
}

/// Fails where files could not be written, before the work that is to be written is done.
pub(crate) fn expect_writable<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<(), Failure> {
    paths.into_iter().try_for_each(|path| {
        let failure = |reason: String| Err(format!("{} cannot be written: {reason}", path.display()));
        if path.is_dir() {
            return failure(IS_A_FOLDER.to_owned());
        }
        match path.ancestors().skip(1).find(|folder| folder.exists()) {
            Some(folder) if !folder.is_dir() => failure(format!("{} is no folder", folder.display())),
            _ => Ok(()),
        }
    })
}

const IS_A_FOLDER: &str = "it is a folder";

/// The list that is stored as JSON in a file of ours; empty if there is no file. `problem` is what is wrong with a file that
/// holds something else.
pub(crate) fn read_list<T: DeserializeOwned>(path: &Path, problem: &str) -> Result<Vec<T>, Failure> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
    };
    serde_json::from_str(&text)
        .map_err(|error| format!("{} {problem}: {error}; delete it to begin anew", path.display()))
}

fn stage(path: &Path, text: &[u8]) -> Result<PathBuf, Failure> {
    let failure = |error: &dyn std::fmt::Display| format!("{} cannot be written: {error}", path.display());
    if path.is_dir() {
        return Err(failure(&IS_A_FOLDER));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| failure(&error))?;
    let name = path.file_name().ok_or_else(|| failure(&"it has no file name"))?;
    let temporary = folder.join(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    if let Err(error) = fs::write(&temporary, text) {
        let _ = fs::remove_file(&temporary);
        return Err(failure(&error));
    }
    Ok(temporary)
}
