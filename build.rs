//! Embeds the ledger: writes a table of every TOML file below `ledger/`, each with its name.

#![allow(dead_code, reason = "the build script of the fuzz targets has a `main` of its own")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    embed("ledger")
}

/// Writes `ledger.rs`, of the files of a folder that is named from the manifest on.
pub fn embed(folder: &str) -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(folder);
    println!("cargo::rerun-if-changed={}", root.display());
    let files = fs::read_dir(&root)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
    let mut files: Vec<&PathBuf> =
        files.iter().filter(|file| file.extension().is_some_and(|it| it == "toml")).collect();
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_name().unwrap_or_default();
        writeln!(table, "    ({name:?}, include_str!({file:?})),").expect("writes to a string");
    }
    table.push(']');
    let out = env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("ledger.rs"), table)
}
