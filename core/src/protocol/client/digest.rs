//! What tells a command apart from others that say the same of themselves: a digest of its files.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use uriproof_grammar::Fnv;

/// How many files of a folder that a command names are read at most; of a larger folder the first, by name.
const FILES: usize = 1000;

/// A digest of the words of a command, and of the contents of the program and of the files and folders that it names, in sixteen
/// hexadecimal digits. What cannot be read counts as not there.
pub(super) fn of(command: &[OsString]) -> String {
    let mut digest = Digest::default();
    for (place, word) in command.iter().enumerate() {
        digest.add(word.as_encoded_bytes());
        let path = match place {
            0 => program(word),
            _ => Some(PathBuf::from(word)),
        };
        for file in path.iter().flat_map(|path| files(path)) {
            // The digest of half a file is none of another one.
            let _ = digest.add_file(&file);
        }
    }
    format!("{:016x}", digest.0.hash())
}

/// The file of a program, which is looked for as a shell does.
fn program(word: &OsStr) -> Option<PathBuf> {
    let path = PathBuf::from(word);
    if path.components().count() > 1 {
        return Some(path);
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(&path)).find(|file| file.is_file())
}

/// The file, or the files below the folder.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut found = Vec::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        for entry in entries {
            if entry.is_symlink() {
                continue;
            }
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.is_file() {
                found.push(entry);
            }
            if found.len() == FILES {
                return found;
            }
        }
    }
    found
}

/// FNV-1a, of 64 bits: nobody makes files that collide to deceive himself.
#[derive(Default)]
struct Digest(Fnv);

impl Digest {
    /// Adds octets, and how many they are.
    fn add(&mut self, octets: &[u8]) {
        self.0.add(octets.iter().copied());
        self.0.add(octets.len().to_le_bytes());
    }

    fn add_file(&mut self, path: &Path) -> io::Result<()> {
        let mut file = BufReader::new(File::open(path)?);
        loop {
            let octets = file.fill_buf()?;
            if octets.is_empty() {
                return Ok(());
            }
            self.0.add(octets.iter().copied());
            let length = octets.len();
            file.consume(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::of;

    #[test]
    fn another_file_is_another_digest() {
        let folder = tempfile::tempdir().unwrap();
        let (script, data) = (folder.path().join("adapter.py"), folder.path().join("data"));
        fs::create_dir(&data).unwrap();
        let digest = || of(&["sh".into(), script.clone().into(), data.clone().into()]);
        let mut digests = vec![digest()];
        for (path, text) in [
            (script.clone(), "print(1)"),
            (script.clone(), "print(2)"),
            (data.join("a"), "a"),
            (data.join("a"), "b"),
        ] {
            fs::write(path, text).unwrap();
            digests.push(digest());
            assert_eq!(digest(), digest());
        }
        digests.sort();
        digests.dedup();
        assert_eq!(digests.len(), 5);
    }
}
