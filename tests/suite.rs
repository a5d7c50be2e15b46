//! The invariants of the house: which room may use which, who may name a crate, what depends on what.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use toml::{Table, Value};
use uriproof::model::Declaration;
use uriproof::search::vectors::{Library, SECTIONS};
use uriproof::subjects::SUBJECTS;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder, with its path below the root.
fn sources(folder: &str) -> BTreeMap<String, String> {
    fn collect(folder: &Path, files: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, files);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
                files.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    collect(&root().join(folder), &mut files);
    assert!(!files.is_empty(), "{folder} holds no Rust file");
    files
}

fn table(file: &str) -> Table {
    fs::read_to_string(root().join(file)).unwrap().parse().unwrap()
}

/// The rooms by floor; a room uses rooms of lower floors, and its own.
const FLOORS: &[&[&str]] = &[
    &["files", "model", "spelling"],
    &["ask", "screen", "told"],
    &["expect"],
    &["compare"],
    &["protocol", "repeat", "subjects"],
    &["run"],
    &["severity"],
    &["divergence"],
    &["search"],
    &["gate"],
    &["report", "explain", "targets"],
    &["cli"],
];

fn floor(room: &str) -> usize {
    FLOORS
        .iter()
        .position(|rooms| rooms.contains(&room))
        .unwrap_or_else(|| panic!("src/{room} stands on no floor of tests/suite.rs"))
}

/// The words that follow `prefix` in `text`.
fn words_after<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(prefix).map(move |(at, _)| {
        let rest = &text[at + prefix.len()..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn no_room_uses_a_room_above_it() {
    for (file, text) in sources("src") {
        if file == "src/lib.rs" || file.starts_with("src/bin/") {
            continue;
        }
        let room = file.trim_start_matches("src/").split(['/', '.']).next().unwrap();
        for used in words_after(&text, "crate::").filter(|word| word.chars().all(|c| c.is_lowercase() || c == '_')) {
            // In the grammar's own crate and in macros `crate::` may be followed by something else than a room.
            if used.is_empty() || used == room {
                continue;
            }
            let same = floor(used) == floor(room);
            assert!(
                floor(used) < floor(room),
                "{file} uses {used}, which stands {}",
                if same { "beside it" } else { "above it" }
            );
        }
    }
}

#[test]
fn no_two_files_use_each_other() {
    let files = sources("src");
    let stem =
        |file: &str| file.trim_end_matches("/mod.rs").trim_end_matches(".rs").rsplit('/').next().unwrap().to_owned();
    for (one, text) in &files {
        for (other, other_text) in &files {
            let (folder, other_folder) = (Path::new(one).parent(), Path::new(other).parent());
            if one >= other || folder != other_folder || one.ends_with("mod.rs") || other.ends_with("mod.rs") {
                continue;
            }
            let uses = |text: &str, name: &str| words_after(text, "super::").any(|word| word == name);
            assert!(
                !(uses(text, &stem(other)) && uses(other_text, &stem(one))),
                "{one} and {other} use each other"
            );
        }
    }
}

/// The dependency that a subject is of: its name in the manifest, which is the name of its crate here.
fn dependency(manifest: &Table, declaration: &Declaration) -> String {
    let dependencies = manifest["dependencies"].as_table().unwrap();
    let version = Value::String(format!("={}", declaration.version));
    let found = dependencies.iter().find(|(key, dependency)| {
        let package = dependency.get("package").and_then(Value::as_str).unwrap_or(key);
        package == declaration.name && dependency.get("version") == Some(&version)
    });
    let (key, _) = found.unwrap_or_else(|| panic!("no dependency is {declaration} at exactly its version"));
    key.clone()
}

#[test]
fn only_its_own_file_names_a_crate() {
    let manifest = table("Cargo.toml");
    let names: BTreeSet<String> = SUBJECTS
        .iter()
        .filter(|subject| subject.declaration().name != "reference")
        .map(|subject| dependency(&manifest, subject.declaration()))
        .collect();
    let mut files = sources("src");
    files.extend(sources("fuzz/fuzz_targets"));
    files.extend(sources("tests"));
    let mut met = 0;
    for name in &names {
        let module = name.replace('-', "_");
        let own = format!("src/subjects/{module}.rs");
        assert!(files.contains_key(&own), "{name} has no file {own}");
        for (file, text) in &files {
            let path = format!("{module}::");
            let names_it = text.match_indices(&path).any(|(at, _)| {
                !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') && !text[..at].ends_with("subjects::")
            });
            if file == &own {
                assert!(names_it, "{own} does not name {name}");
                met += 1;
            } else {
                assert!(!names_it || file == "src/subjects/mod.rs", "{file} names {name}");
            }
        }
    }
    assert_eq!(met, names.len());
}

#[test]
fn the_reference_depends_on_regex_alone() {
    let manifest = table("reference/Cargo.toml");
    let dependencies: Vec<&String> = manifest["dependencies"].as_table().unwrap().keys().collect();
    assert_eq!(dependencies, ["regex"]);
    for (file, text) in sources("reference/src") {
        assert!(!text.contains("unsafe"), "{file} has unsafe code");
        assert!(!text.contains("uriproof"), "{file} knows of the harness");
    }
}

/// What a URI crate takes as a dev-dependency is light: few crates, and vectors that cost a program little.
#[test]
fn the_light_library_is_light() {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--no-default-features",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--no-dedupe",
        ])
        .args(["--package", "uriproof", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    let crates: BTreeSet<&str> = tree.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert!(
        crates.contains("uriproof") && crates.contains("toml-span"),
        "{crates:?}"
    );
    assert!(crates.len() <= 20, "{} crates: {crates:?}", crates.len());

    let size = Library::embedded_size();
    assert!(
        size > 100_000 && size < 2_000_000,
        "{size} bytes of vectors are embedded"
    );
}

#[test]
fn subjects_stand_at_exact_versions() {
    let manifest = table("Cargo.toml");
    for subject in SUBJECTS.iter().filter(|subject| subject.declaration().name != "reference") {
        dependency(&manifest, subject.declaration());
    }
}

#[test]
fn every_fuzz_target_is_glue_with_a_corpus() {
    for target in uriproof::targets::TARGETS {
        let glue = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{}.rs", target.name))).unwrap();
        assert_eq!(
            glue,
            format!("#![no_main]\n\nuriproof_fuzz::target!(\"{}\");\n", target.name),
            "fuzz/fuzz_targets/{}.rs decides something",
            target.name
        );
        assert!(
            root().join("corpus").join(target.name).is_dir(),
            "corpus/{} is not there",
            target.name
        );
    }
    assert_eq!(sources("fuzz/fuzz_targets").len(), uriproof::targets::TARGETS.len());
}

#[test]
fn no_citation_names_a_section_that_is_not_there() {
    let mut files = sources("src");
    files.extend(sources("reference/src"));
    for (file, text) in files {
        for section in words_of_sections(&text) {
            assert!(
                SECTIONS.contains(&section),
                "{file} cites §{section}, which RFC 3986 does not have"
            );
        }
    }
}

/// What follows each "§" that is of RFC 3986: `5.2.4`, `A`. Another RFC is named right before.
fn words_of_sections(text: &str) -> impl Iterator<Item = &str> {
    let is_of_another = |before: &str| {
        let mut words = before.rsplit(' ');
        let number = words.nth(1).filter(|number| number.bytes().all(|digit| digit.is_ascii_digit()));
        number.is_some_and(|number| number != "3986") && words.next().is_some_and(|word| word.ends_with("RFC"))
    };
    text.match_indices('§').filter(move |(at, _)| !is_of_another(&text[..*at])).filter_map(|(at, sign)| {
        let rest = &text[at + sign.len()..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
        let section = rest[..end].trim_end_matches('.');
        (!section.is_empty()).then_some(section)
    })
}
