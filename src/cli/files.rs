//! Files that are written whole or not at all, removed, and read back.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::de::DeserializeOwned;
use uriproof::files;
pub(crate) use uriproof::files::expect_writable;

use crate::cli::{RunError, guard};

/// Writes every file whole: see [`files::write`].
pub(crate) fn write<T: AsRef<[u8]>>(files: &[(PathBuf, T)]) -> Result<(), RunError> {
    match guard::probed() {
        Some(_) => Ok(()),
        None => files::write(files),
    }
}

/// Removes files.
pub(crate) fn remove(paths: &[PathBuf]) -> Result<(), RunError> {
    match guard::probed() {
        Some(_) => Ok(()),
        None => paths.iter().try_for_each(|path| {
            fs::remove_file(path).map_err(|error| format!("{} cannot be removed: {error}", path.display()))
        }),
    }
}

/// The list that is stored as JSON in a file of ours; empty if there is no file. `problem` is what is wrong with a file that
/// holds something else.
pub(crate) fn read_list<T: DeserializeOwned>(path: &Path, problem: &str) -> Result<Vec<T>, RunError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
    };
    serde_json::from_str(&text)
        .map_err(|error| format!("{} {problem}: {error}; delete it to begin anew", path.display()))
}
