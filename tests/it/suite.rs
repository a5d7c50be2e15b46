//! What holds of the tree as a whole: which crate depends on which, which file may name a subject's crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use toml::{Table, Value};
use uriproof::model::Declaration;
use uriproof::vectors::{Library, SECTIONS};
use uriproof_subjects::SUBJECTS;

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

/// The crates of the workspace that may be published, each with those that it may depend on.
const CRATES: &[(&str, &[&str])] = &[
    ("rfc3986-reference", &[]),
    ("uriproof-grammar", &[]),
    ("uriproof-vectors", &[]),
    ("whatwg-url-reference", &[]),
    (
        "uriproof",
        &[
            "rfc3986-reference",
            "uriproof-grammar",
            "uriproof-vectors",
            "whatwg-url-reference",
        ],
    ),
    (
        "uriproof-deviations",
        &["rfc3986-reference", "uriproof", "whatwg-url-reference"],
    ),
    ("uriproof-subjects", &["rfc3986-reference", "uriproof"]),
    (
        "uriproof-lab",
        &[
            "rfc3986-reference",
            "uriproof",
            "uriproof-deviations",
            "uriproof-grammar",
            "uriproof-subjects",
            "whatwg-url-reference",
        ],
    ),
    (
        "uriproof-cli",
        &[
            "rfc3986-reference",
            "uriproof",
            "uriproof-deviations",
            "uriproof-grammar",
            "uriproof-lab",
            "uriproof-subjects",
            "whatwg-url-reference",
        ],
    ),
];

/// The oldest Rust with edition 2024 is enough for what the tests of a URI library depend on. Clippy holds the code to it.
#[test]
fn a_library_is_tested_with_an_old_compiler() {
    let workflow = fs::read_to_string(root().join(".github/workflows/ci.yml")).unwrap();
    assert!(
        workflow.contains("cargo +1.85 check -p uriproof --features harness"),
        "no job holds it"
    );
    for folder in ["core", "grammar", "reference", "vectors"] {
        let manifest = table(&format!("{folder}/Cargo.toml"));
        assert_eq!(manifest["package"]["rust-version"].as_str(), Some("1.85"), "{folder}");
    }
}

/// The folders with the sources of these crates.
const SOURCES: [&str; 9] = [
    "core/src",
    "deviations/src",
    "grammar/src",
    "lab/src",
    "reference/src",
    "src",
    "subjects/src",
    "vectors",
    "whatwg/src",
];

/// The Rust files of all crates, with their paths below the root.
fn all_sources() -> BTreeMap<String, String> {
    SOURCES.iter().flat_map(|folder| sources(folder)).collect()
}

/// What Cargo says of the workspace.
fn metadata() -> Json {
    let metadata = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--locked",
            "--offline",
        ])
        .current_dir(root())
        .output()
        .unwrap();
    serde_json::from_slice(&metadata.stdout).unwrap()
}

#[test]
fn crates_depend_on_each_other_as_planned() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let published = packages.iter().filter(|package| package["publish"].is_null());
    let own: BTreeSet<&str> = published.clone().map(|package| package["name"].as_str().unwrap()).collect();
    assert_eq!(own, CRATES.iter().map(|(name, _)| *name).collect());
    for package in published {
        let name = package["name"].as_str().unwrap();
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let used: BTreeSet<&str> = dependencies
            .filter(|dependency| dependency["kind"] != "dev")
            .map(|dependency| dependency["name"].as_str().unwrap())
            .filter(|name| own.contains(name))
            .collect();
        let (_, planned) = CRATES.iter().find(|(known, _)| *known == name).unwrap();
        assert_eq!(used, planned.iter().copied().collect(), "{name}");
    }
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
fn no_two_files_use_each_other() {
    let files = all_sources();
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

/// The names that several types have: the same idea on two layers, a name of the RFC's, or one that a trait or a library's own type
/// gives.
const SHARED_NAMES: [&str; 14] = [
    "Arguments",
    "Authority",
    "Certificate",
    "Component",
    "Components",
    "Element",
    "Error",
    "HostKind",
    "Item",
    "Parts",
    "Reference",
    "Rule",
    "Uri",
    "Url",
];

#[test]
fn the_name_of_a_type_is_unique() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in all_sources() {
        for line in text.lines() {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub"));
            let kind = words.next();
            if matches!(kind, Some("struct" | "enum" | "trait" | "type")) {
                let name = words.next().unwrap_or_default();
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                if end > 0 {
                    places.entry(name[..end].to_owned()).or_default().push(path.clone());
                }
            }
        }
    }
    assert!(places.len() > 400, "only {} types", places.len());
    places.retain(|_, places| places.len() > 1);
    let shared: Vec<&str> = places.keys().map(String::as_str).collect();
    assert_eq!(shared, SHARED_NAMES, "one idea has one name: {places:#?}");
}

/// Which "@" ends a userinfo is decided in `core/src/split.rs`, by a name. What the others look for is no authority.
#[test]
fn an_authority_is_split_in_one_place() {
    let files_that_split = [
        // Mailboxes.
        "core/src/expect/normalization.rs",
        "core/src/split.rs",
        // Mailboxes.
        "deviations/src/stages/normalization.rs",
        // As the WHATWG URL Standard splits it.
        "deviations/src/url_rules/authority.rs",
        // It takes the longest of what could be a userinfo, and may depend on no other crate.
        "grammar/src/learn/limits.rs",
        // Mailboxes.
        "grammar/src/scheme_based.rs",
        // A derivation that shares nothing with the others.
        "grammar/src/segments.rs",
        // The version of a package.
        "lab/src/divergence/ledger/entry.rs",
        // Mailboxes.
        "lab/src/mutants/algorithms/normalize.rs",
        // The names of persons in Markdown.
        "src/report/markup.rs",
    ];
    let splits = [
        "find('@')",
        "split('@')",
        "split_once('@')",
        "position(|byte| byte == b'@')",
    ];
    let is_ours = |file: &str| !file.starts_with("reference/");
    let files =
        all_sources().into_iter().filter(|(file, text)| is_ours(file) && splits.iter().any(|one| text.contains(one)));
    let files: Vec<String> = files.map(|(file, _)| file).collect();
    assert_eq!(files, files_that_split);
}

/// The dependency that a subject is of: its name in the manifest, which is the name of its crate here.
fn dependency(manifest: &Table, declaration: &Declaration) -> String {
    let dependencies = manifest["dependencies"].as_table().unwrap();
    let version = Value::String(format!("={}", declaration.version));
    let found = dependencies.iter().find(|(key, dependency)| {
        let package = dependency.get("package").and_then(Value::as_str).unwrap_or(key);
        package == declaration.name && dependency.get("version").unwrap_or(dependency) == &version
    });
    let (key, _) = found.unwrap_or_else(|| panic!("no dependency is {declaration} at exactly its version"));
    key.clone()
}

#[test]
fn only_its_own_file_names_a_crate() {
    let manifest = table("subjects/Cargo.toml");
    let names: BTreeSet<String> = SUBJECTS
        .iter()
        .filter(|subject| subject.declaration().name != "reference")
        .map(|subject| dependency(&manifest, subject.declaration()))
        .collect();
    let mut files = all_sources();
    files.extend(sources("fuzz/fuzz_targets"));
    files.extend(sources("tests"));
    let mut met = 0;
    for name in &names {
        let module = name.replace('-', "_");
        let own = format!("subjects/src/{module}.rs");
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
                assert!(!names_it || file == "subjects/src/lib.rs", "{file} names {name}");
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

/// ToASCII and ToUnicode are all that the transcription of the URL standard takes from others.
#[test]
fn the_reference_of_the_url_standard_depends_on_idna_alone() {
    let manifest = table("whatwg/Cargo.toml");
    let dependencies: Vec<&String> = manifest["dependencies"].as_table().unwrap().keys().collect();
    assert_eq!(dependencies, ["idna"]);
    for (file, text) in sources("whatwg/src") {
        assert!(!text.contains("unsafe"), "{file} has unsafe code");
        assert!(!text.contains("uriproof"), "{file} knows of the harness");
    }
}

/// What a URI crate takes as a dev-dependency is light: few crates, and vectors that cost a program little.
#[test]
fn the_light_library_is_light() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--no-dedupe"])
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
    let others = crates.iter().filter(|name| !CRATES.iter().any(|(own, _)| own == *name)).count();
    assert!(others < 20, "{others} crates of others: {crates:?}");

    let size = Library::embedded_size();
    assert!(size > 100_000 && size < 800_000, "{size} bytes of vectors are embedded");
}

#[test]
fn subjects_stand_at_exact_versions() {
    let manifest = table("subjects/Cargo.toml");
    for subject in SUBJECTS.iter().filter(|subject| subject.declaration().name != "reference") {
        dependency(&manifest, subject.declaration());
    }
}

#[test]
fn every_fuzz_target_is_glue_with_a_corpus() {
    for target in uriproof_lab::targets::TARGETS {
        let glue = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{}.rs", target.name))).unwrap();
        let words = target.name.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..]));
        let input = format!("{}Input", words.collect::<String>());
        let only = format!(
            "#![no_main]\n\n\
             use libfuzzer_sys::fuzz_target;\n\
             use uriproof_lab::targets::{input};\n\n\
             fuzz_target!(init: uriproof_fuzz::start::<{input}>(), |input: {input}| uriproof_fuzz::run(&input));\n\
             uriproof_fuzz::mutators!();\n"
        );
        assert_eq!(glue, only, "fuzz/fuzz_targets/{}.rs decides something", target.name);
        assert!(
            root().join("corpus").join(target.name).is_dir(),
            "corpus/{} is not there",
            target.name
        );
    }
    assert_eq!(sources("fuzz/fuzz_targets").len(), uriproof_lab::targets::TARGETS.len());
}

/// The packages that the project is built on are used in code, and not only named in a manifest. What the subjects among them
/// answer, other tests hold.
#[test]
fn what_the_project_is_built_on_is_used() {
    let targets: Vec<String> = sources("fuzz/fuzz_targets").into_keys().collect();
    let mut uses = vec![
        ("arbitrary", "lab/Cargo.toml", "lab/src/targets", "Arbitrary<'a> for "),
        ("fluent-uri", "subjects/Cargo.toml", "subjects/src", "use fluent_uri"),
        ("insta", "Cargo.toml", "tests/it", "insta::assert_snapshot!"),
        ("url", "subjects/Cargo.toml", "subjects/src", "use url"),
    ];
    uses.extend(targets.iter().map(|file| ("libfuzzer-sys", "fuzz/Cargo.toml", &**file, "\nfuzz_target!(")));
    for (package, manifest, place, code) in uses {
        let manifest = table(manifest);
        let mut tables = ["dependencies", "dev-dependencies"].iter().filter_map(|name| manifest.get(*name));
        assert!(
            tables.any(|table| table.get(package).is_some()),
            "{package} is no dependency"
        );
        let files = sources(Path::new(place).parent().unwrap().to_str().unwrap());
        let is_used = |(name, text): (&String, &String)| {
            // This file has the words, too.
            name.starts_with(place) && name != "tests/it/suite.rs" && text.contains(code)
        };
        assert!(files.iter().any(is_used), "{place} does not use {package}");
    }
    for name in ["fluent-uri", "url"] {
        assert!(
            SUBJECTS.iter().any(|subject| subject.declaration().name == name),
            "{name} is no subject"
        );
    }
}

#[test]
fn no_citation_names_a_section_that_is_not_there() {
    for (file, text) in all_sources() {
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
