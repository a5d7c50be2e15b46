//! Where the data is that others wrote: the folder with the standard's source and web-platform-tests, and the package of the crate
//! `url`, which carries an older copy of web-platform-tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use serde_json::Value;

/// A file of the folder with `url.bs` and the data of web-platform-tests: `whatwg` in the folder that the variable `URIPROOF_SHARED`
/// names, or in `shared` beside the repository. `None`, with a line that says so, if it is not there.
pub(crate) fn shared(file: &str) -> Option<String> {
    let repository =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("Cargo.lock").exists());
    let beside = || repository.unwrap_or(Path::new("")).join("../shared");
    let folder = env::var_os("URIPROOF_SHARED").map_or_else(beside, PathBuf::from).join("whatwg");
    match fs::read_to_string(folder.join(file)) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            println!(
                "not compared: there is no {file} in shared/whatwg; URIPROOF_SHARED names another folder than shared"
            );
            None
        }
        Err(error) => panic!("{file} in shared/whatwg cannot be read: {error}"),
    }
}

/// A file in the folder `tests` of the package of the crate `url`.
pub(crate) fn of_url_package(file: &str) -> String {
    let cargo = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    // What other platforms depend on may not be downloaded.
    let version = cargo(&["-vV"]);
    let platform = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--offline",
        "--filter-platform",
        platform,
    ]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "url" && package["version"] == "2.5.8").unwrap();
    let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
    fs::read_to_string(folder.join("tests").join(file)).unwrap()
}

/// The JSON document in `text`, with U+FFFD for each surrogate that is alone, as a USVString has it.
pub(crate) fn read_json(text: &str) -> Value {
    let mut scalar = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        scalar.push_str(before);
        let unit = |escape: &str| u32::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                scalar.push_str("\\uFFFD");
                rest = &escape[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        scalar.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    scalar.push_str(rest);
    serde_json::from_str(&scalar).unwrap()
}

/// The cases of a document that is a list of cases and comments.
pub(crate) fn cases(document: &Value) -> impl Iterator<Item = &Value> {
    document.as_array().unwrap().iter().filter(|case| case.is_object())
}

#[test]
fn a_surrogate_alone_is_a_replacement_character() {
    let json = read_json(r#"["\uD83D\uDCA9", "\uD83Dx", "\uDCA9\uD83D", "\\uD83D", "\n\u0041"]"#);
    assert_eq!(
        json,
        serde_json::json!(["💩", "\u{FFFD}x", "\u{FFFD}\u{FFFD}", "\\uD83D", "\nA"])
    );
}
