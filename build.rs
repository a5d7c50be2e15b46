//! Embeds the vectors and the ledger: writes a table of every JSON file below `vectors/`, but for the cases of functions, and
//! one of every TOML file below `ledger/`, each with its text. Long runs of one character and frequent phrases are told
//! shortly (see `src/told.rs`).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "src/told.rs"]
mod told;

/// No command asks for them, and they are large.
const FUNCTIONS: [&str; 2] = ["functions.json", "functions.schema.json"];

fn main() -> io::Result<()> {
    embed("vectors", "json")?;
    embed("ledger", "toml")
}

fn embed(folder: &str, extension: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={folder}");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join(folder);
    let mut files = Vec::new();
    collect(&root, extension, &mut files)?;
    files.sort();

    files.retain(|file| !FUNCTIONS.iter().any(|name| *file == root.join(name)));
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).expect("found below it").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(file)?;
        writeln!(table, "    ({name:?}, {:?}),", told::told(&text)).expect("writes to a string");
    }
    table.push(']');
    fs::write(
        PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join(format!("{folder}.rs")),
        table,
    )
}

fn collect(folder: &Path, wanted: &str, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, wanted, files)?;
        } else if path.extension().is_some_and(|extension| extension == wanted) {
            files.push(path);
        }
    }
    Ok(())
}
