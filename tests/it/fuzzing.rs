//! fuzz/README.md and the files for other machines say what the code does.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use uriproof_lab::targets::{Mode, TARGETS, VARIABLE};
use uriproof_subjects::FAST;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn readme() -> String {
    read("fuzz/README.md")
}

/// The rows of the table whose head begins with `head`, by cells.
fn table(text: &str, head: &str) -> Vec<Vec<String>> {
    let from = text.find(head).unwrap_or_else(|| panic!("no table {head}"));
    let rows = text[from..].lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

#[test]
fn the_targets_are_those_that_there_are() {
    let told: Vec<(String, String)> = table(&readme(), "| target |")
        .into_iter()
        .map(|row| (row[0].trim_matches('`').to_owned(), row[3].clone()))
        .collect();
    let there: Vec<(String, String)> =
        TARGETS.iter().map(|target| (target.name.to_owned(), target.longest.to_string())).collect();
    assert_eq!(told, there);
    let manifest: toml::Table = read("fuzz/Cargo.toml").parse().unwrap();
    let built: BTreeSet<&str> = manifest["bin"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|bin| bin.get("required-features").is_none())
        .map(|bin| bin["name"].as_str().unwrap())
        .collect();
    assert_eq!(built, TARGETS.iter().map(|target| target.name).collect());
    assert!(manifest.get("profile").and_then(|profile| profile["release"].get("panic")).is_none());
}

/// What "CLASS" stands for.
const A_CLASS: &str = "parse crashed";

#[test]
fn the_modes_are_those_that_there_are() {
    let readme = readme();
    assert!(readme.contains(&format!("`{VARIABLE}` says:")));
    let told: Vec<Mode> = table(&readme, "| value |")
        .into_iter()
        .map(|row| Mode::read(Some(&row[0].trim_matches('`').replace("CLASS", A_CLASS))).unwrap())
        .collect();
    assert_eq!(told, [Mode::Abort, Mode::Collect, Mode::Only(A_CLASS.to_owned())]);
    for (at, _) in readme.match_indices(&format!("{VARIABLE}=")) {
        let value = &readme[at + VARIABLE.len() + 1..];
        let value = match value.strip_prefix('\'') {
            Some(quoted) => quoted.split('\'').next(),
            None => value.split(' ').next(),
        };
        Mode::read(value.map(|value| value.replace("CLASS", A_CLASS)).as_deref()).unwrap();
    }
}

#[test]
fn the_limits_are_those_that_are_set() {
    let code = read("fuzz/src/lib.rs");
    for limit in ["-timeout=25", "-rss_limit_mb=2048", "-max_len"] {
        assert!(readme().contains(&format!("`{limit}`")), "{limit} is not told");
        assert!(code.contains(&format!("\"{limit}")), "{limit} is not set");
    }
}

#[test]
fn what_is_looked_at_is_told() {
    let code = read("lab/src/targets/watch.rs");
    let number = |name: &str| {
        let rest = code.split(&format!("const {name}: u64 = ")).nth(1).unwrap();
        rest.split(';').next().unwrap().to_owned()
    };
    for told in [
        format!("every {}th", number("PERIOD")),
        format!("one file of {}", number("SHARE")),
    ] {
        assert!(readme().contains(&told), "it is {told}");
    }
}

#[test]
fn the_commands_have_the_options_that_are_named() {
    let mut met = 0;
    for line in readme().lines().filter_map(|line| line.trim().strip_prefix("cargo run --release -- ")) {
        let line = line.split(" #").next().unwrap();
        let mut words = line.split_whitespace();
        let command = words.next().unwrap();
        let help = Command::cargo_bin("uriproof").unwrap().args([command, "--help"]).output().unwrap();
        assert!(help.status.success(), "no command {command}");
        let help = String::from_utf8(help.stdout).unwrap();
        for option in words.filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{command} has no {option}");
            met += 1;
        }
    }
    assert!(met >= 3, "only {met} options are named");
}

/// The lines that a text has for a shell, and what it has between backticks.
fn lines_to_type(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for (place, part) in text.split("```").enumerate() {
        if place % 2 == 0 {
            lines.extend(part.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
        } else {
            lines.extend(part.lines().skip(1).map(|line| line.split(" #").next().unwrap().to_owned()));
        }
    }
    lines
}

/// What of a command's words names something: neither options nor their values.
fn names<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut names = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--sanitizer" | "--target-dir" => _ = words.next(),
            word if word.starts_with('-') => {}
            word => names.push(word),
        }
    }
    names
}

#[test]
fn the_lines_that_run_a_target_name_one_and_write_to_no_tracked_folder() {
    let mut met = 0;
    for line in [readme(), read("README.md")].iter().flat_map(|text| lines_to_type(text)) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_script = |word: &&str| *word == "fuzz/run";
        let is_cargo_fuzz = |pair: &[&str]| pair[1] == "fuzz" && (pair[0] == "cargo" || pair[0].starts_with('+'));
        let rest = if let Some(at) = words.iter().position(is_script) {
            &words[at + 1..]
        } else if let Some(at) = words.windows(2).position(is_cargo_fuzz) {
            let rest = words.get(at + 3..).unwrap_or_default();
            let needs_release = matches!(words.get(at + 2), Some(&("run" | "tmin" | "cmin")));
            assert!(
                rest.is_empty() || !needs_release || rest.contains(&"-O"),
                "no -O, so subjects panic by debug assertions: {line}"
            );
            rest
        } else {
            continue;
        };
        // A command that is only talked about has none.
        let [target, paths @ ..] = &names(rest)[..] else {
            continue;
        };
        assert!(
            TARGETS.iter().any(|known| known.name == *target),
            "no target {target}: {line}"
        );
        let first = paths.first().unwrap_or(&"");
        assert!(
            !Path::new(first).starts_with("corpus"),
            "libFuzzer writes to the first folder, and this is tracked: {line}"
        );
        met += 1;
    }
    assert!(met >= 9, "only {met} lines run a target");
}

#[test]
fn the_flags_are_those_of_the_script() {
    let script = read("fuzz/run");
    let readme = readme();
    let flags = readme.split("RUSTFLAGS=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    for flag in flags.split(' ') {
        assert!(script.contains(flag), "fuzz/run does not pass {flag}");
    }
    assert_eq!(
        flags.matches("sanitizer-coverage").count(),
        script.matches("sanitizer-coverage").count()
    );
}

#[test]
fn every_file_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = readme();
    for (at, _) in readme.match_indices("](") {
        let link = readme[at + 2..].split(')').next().unwrap();
        assert!(root.join("fuzz").join(link).exists(), "{link} is not there");
    }
    for path in [
        ".ci/oss-fuzz",
        ".clusterfuzzlite",
        ".github/workflows/fuzz.yml",
        "fuzz/oss-fuzz",
        "fuzz/rustc",
    ] {
        assert!(readme.contains(path), "{path} is not told");
        assert!(root.join(path).exists(), "{path} is not there");
    }
}

#[test]
fn images_get_a_toolchain_that_is_new_enough() {
    for file in [".clusterfuzzlite/Dockerfile", "fuzz/oss-fuzz/Dockerfile"] {
        let text = read(file);
        let word = |before: &str| {
            let rest = text.split(before).nth(1).unwrap_or_else(|| panic!("{file}: no {before}"));
            rest.split_whitespace().next().unwrap().to_owned()
        };
        let used = word("RUSTUP_TOOLCHAIN=");
        assert_eq!(used, word("toolchain install "), "{file}");
        // The stated Rust 1.92 was nightly until October 2025.
        assert!(read("Cargo.toml").contains("rust-version = \"1.92\""));
        assert!(used.as_str() >= "nightly-2025-10-25", "{file}: {used} is too old");
    }
}

/// Whether a crate is compiled with the flags of coverage.
#[cfg(unix)]
fn is_instrumented(name: &str, under_test: &str) -> bool {
    const FLAG: &str = "-Cpasses=sancov-module";
    let wrapper = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/rustc");
    let mut command = std::process::Command::new(wrapper);
    command.args(["echo", "--crate-name", name, FLAG]).env("FUZZ_UNDER_TEST", under_test);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().contains(FLAG)
}

#[test]
#[cfg(unix)]
fn only_what_is_under_test_is_instrumented() {
    let wrapper = read("fuzz/rustc");
    let patterns = wrapper.split("case $name in").nth(1).unwrap();
    let names: BTreeSet<String> =
        patterns.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect();
    let manifest: toml::Table = read("subjects/Cargo.toml").parse().unwrap();
    for (key, dependency) in manifest["dependencies"].as_table().unwrap() {
        if dependency.get("path").is_some() {
            continue;
        }
        let package = dependency.get("package").and_then(toml::Value::as_str).unwrap_or(key);
        assert!(
            is_instrumented(&package.replace('-', "_"), "subjects"),
            "{package} is a subject, and fuzz/rustc does not instrument it"
        );
    }
    for name in ["regex", "serde_json", "uriproof", "toml", "a"] {
        assert!(!is_instrumented(name, "subjects"), "{name}");
    }
    assert!(is_instrumented("uriparse", "fast") && !is_instrumented("uris", "fast"));
    assert!(
        ["rfc3986_reference", "uriproof", "uriproof_lab", "uriproof_subjects"]
            .iter()
            .all(|name| names.contains(*name))
    );
    let always = patterns.lines().find_map(|line| line.split_once(") exec")).unwrap().0;
    let always: BTreeSet<String> = always.split('|').map(|name| name.trim().replace('_', "-")).collect();
    let mut fast: BTreeSet<String> =
        FAST.iter().map(|subject| subject.declaration().name.clone().into_owned()).collect();
    assert!(fast.remove("iref"));
    assert_eq!(always, fast);
}
