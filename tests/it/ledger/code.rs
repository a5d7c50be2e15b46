//! Each deviation leads to the code of its crate, and that code is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value as Json;
use uriproof_lab::divergence::ledger::{LedgerEntry, SourceCode};

use super::assert_none;

/// The folders of the packages that the workspace is built with, by name and version.
fn packages() -> BTreeMap<(String, String), PathBuf> {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let platform = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", platform])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Json = serde_json::from_slice(&metadata.stdout).unwrap();
    let text = |package: &Json, field: &str| package[field].as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter().map(|package| {
        let manifest = PathBuf::from(text(package, "manifest_path"));
        let folder = manifest.parent().unwrap().to_owned();
        ((text(package, "name"), text(package, "version")), folder)
    });
    packages.collect()
}

/// What is wrong with the code that an entry names.
fn problem(
    entry: &LedgerEntry,
    own: &(String, String),
    packages: &BTreeMap<(String, String), PathBuf>,
) -> Option<String> {
    let Some(SourceCode { package, file, item }) = &entry.code else {
        let has_deviations = !entry.deviations.is_empty();
        return has_deviations.then(|| "it has deviations, and no `code`".to_owned());
    };
    let (name, version) = package.as_ref().unwrap_or(own);
    let text =
        packages.get(&(name.clone(), version.clone())).and_then(|folder| fs::read_to_string(folder.join(file)).ok());
    let Some(text) = text else {
        return Some(format!("there is no {name} {version}, or it has no file `{file}`"));
    };
    let mut words = text.split(|character: char| !character.is_alphanumeric() && character != '_');
    (!words.any(|word| word == item)).then(|| format!("`{file}` has no `{item}`"))
}

#[test]
fn each_deviation_names_the_code_that_does_it() {
    let packages = packages();
    let mut problems = Vec::new();
    for file in &uriproof_cli::known::ledger().files {
        let own = (file.name.clone(), file.version.clone());
        for entry in &file.entries {
            let problem = problem(entry, &own, &packages);
            problems.extend(problem.map(|what| format!("ledger/{} entry `{}`: {what}", file.file, entry.id)));
        }
    }
    assert_none(&problems, "entries do not lead to code");
}

#[test]
fn code_is_a_file_and_an_item() {
    let entry = |code: &str| {
        let entry = format!(
            "name = 'x'\nversion = '1.0.0'\n[[entry]]\nid = 'a'\ncause = 'bug'\nclause = '§3.1/scheme'\n\
             explanation = 'It does.'\ncode = '{code}'\n"
        );
        toml::from_str::<uriproof_lab::divergence::ledger::LedgerFile>(&entry)
    };
    let code = entry("src/lib.rs: parse").unwrap().entries[0].code.clone().unwrap();
    assert_eq!((&*code.file, &*code.item), ("src/lib.rs", "parse"));
    let other = entry("oxiri@0.2.11/src/lib.rs: parse").unwrap().entries[0].code.clone().unwrap();
    assert_eq!(other.package, Some(("oxiri".to_owned(), "0.2.11".to_owned())));
    assert_eq!(other.to_string(), "oxiri@0.2.11/src/lib.rs: parse");
    let error = entry("src/lib.rs").unwrap_err().to_string();
    assert!(error.contains("`src/lib.rs` is not `FILE: ITEM`"), "{error}");
}
