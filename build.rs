//! Embeds the files of `ledger/` and of `measured/subjects/`: writes a table of each folder, with the name and the text of every file.

#![allow(dead_code, reason = "the build script of the fuzz targets has a `main` of its own")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    embed("ledger", "toml")?;
    embed("measured/subjects", "json")
}

/// Writes the table of a folder's files with this extension. The folder is named from the manifest on, and its table for the folder:
/// `ledger.rs`.
pub fn embed(folder: &str, extension: &str) -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(folder);
    println!("cargo::rerun-if-changed={}", root.display());
    let files = fs::read_dir(&root)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    let mut files: Vec<&PathBuf> =
        files.iter().filter(|file| file.extension().is_some_and(|it| it == extension)).collect();
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_name().unwrap_or_default();
        writeln!(table, "    ({name:?}, include_str!({file:?})),").expect("writes to a string");
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    let name = root.file_name().expect("a folder has a name");
    fs::write(Path::new(&out).join(name).with_extension("rs"), table)
}
