//! Packs the JSON files of this folder: for each its path and its text, compressed for itself, each after its length, so that a program
//! which needs one file unpacks no other. And the core suite of the grammar into another text. The ids of the vectors are listed, so that
//! a list of them costs no JSON.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// No command needs them, and they are large.
const FUNCTIONS: [&str; 2] = ["functions.json", "functions.schema.json"];

/// The files beside the vectors of the WHATWG URL Standard that have other ids.
const BESIDE: [&str; 2] = ["clauses.json", "functions.json"];

/// What stands before the id of a vector, which has no escaped character.
const KEY: &str = "\"id\": \"";

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let whatwg = root.join("whatwg");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    files.retain(|file| !FUNCTIONS.iter().any(|name| *file == root.join(name)));
    let mut packed = Vec::new();
    let (mut ids, mut whatwg_ids) = (String::new(), String::new());
    let mut put = |octets: &[u8]| {
        packed.extend(u32::try_from(octets.len()).expect("a file is shorter").to_le_bytes());
        packed.extend(octets);
    };
    for file in &files {
        let path = file.strip_prefix(&root).expect("found below it").to_string_lossy().replace('\\', "/");
        put(path.as_bytes());
        let text = fs::read_to_string(file)?;
        // The register of clauses and the schemas stand beside the folders of the vectors.
        if file.parent() != Some(&root) && !BESIDE.iter().any(|name| *file == whatwg.join(name)) {
            for (at, key) in text.match_indices(KEY) {
                let ids = match file.starts_with(&whatwg) {
                    true => &mut whatwg_ids,
                    false => &mut ids,
                };
                ids.extend(text[at + key.len()..].split('"').take(1).chain(["\n"]));
            }
        }
        put(&lz4_flex::compress_prepend_size(text.as_bytes()));
    }
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(target.join("ids"), ids)?;
    fs::write(target.join("whatwg-ids"), whatwg_ids)?;
    fs::write(target.join("vectors"), packed)?;
    let suite = fs::read(root.join("syntax/complete/core.jsonl"))?;
    fs::write(target.join("core-suite"), lz4_flex::compress_prepend_size(&suite))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A package has `.cargo_vcs_info.json`.
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}
