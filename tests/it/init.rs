//! `uriproof init`, from an empty folder to a red run, for each language whose runtime is there.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::process::{Done, has, program, run};

fn in_folder(folder: &TempDir, arguments: &[&str]) -> Done {
    run(program().current_dir(folder.path()).args(arguments))
}

/// The command of the step that compares with the baseline, without the baseline: what `init` says to run.
fn command_of(said: &str) -> String {
    let line = said.lines().find(|line| line.contains("--probe")).unwrap_or_else(|| panic!("no probe in {said}"));
    let (_, behind) = line.split_once("--command '").expect("a command");
    behind.split_once('\'').expect("its end").0.to_owned()
}

/// What is to be filled in keeps to the protocol, and is red: nothing is compared. A known library is red with groups of failures, and
/// green with its baseline.
fn from_nothing_to_red(language: &str, library: &str) {
    let folder = tempfile::tempdir().unwrap();
    let init = in_folder(&folder, &["init", language]);
    assert_eq!(init.status, 0, "{}", init.stderr);
    assert!(init.stdout.contains("1. fill in `parse`"), "{}", init.stdout);
    let command = command_of(&init.stdout);
    let probe = in_folder(&folder, &["check", "--command", &command, "--probe"]);
    assert!(
        probe.stdout.contains("ok    restarts"),
        "{}\n{}",
        probe.stdout,
        probe.stderr
    );
    let check = in_folder(&folder, &["check", "--command", &command, "--suite", "none"]);
    assert_eq!(check.status, 1, "{}", check.stdout);
    let said = ["none  my-uri 0", "nothing was compared", "fill in `parse`"];
    assert!(
        said.iter().all(|words| check.stdout.contains(words)),
        "{}",
        check.stdout
    );

    let again = in_folder(&folder, &["init", language]);
    assert_eq!(again.status, 2, "{}", again.stdout);
    assert!(again.stderr.contains("nothing was written"), "{}", again.stderr);

    let folder = tempfile::tempdir().unwrap();
    let init = in_folder(&folder, &["init", language, library]);
    assert_eq!(init.status, 0, "{}", init.stderr);
    let command = command_of(&init.stdout);
    let workflow = fs::read_to_string(folder.path().join(".github/workflows/uriproof.yml")).unwrap();
    // That of Go builds the adapter first.
    let in_workflow = if language == "go" {
        "./uriproof-adapter"
    } else {
        &command
    };
    assert!(workflow.contains(&format!("command: {in_workflow}\n")), "{workflow}");
    let baseline = workflow.lines().find_map(|line| line.trim().strip_prefix("baseline: ")).expect("a baseline");
    let check = [
        "check",
        "--command",
        &command,
        "--suite",
        "none",
        "--baseline",
        baseline,
    ];
    let red = in_folder(&folder, &check);
    assert_eq!(red.status, 1, "{}", red.stderr);
    assert!(red.stdout.contains("\n1.  "), "{}", red.stdout);
    assert_eq!(
        in_folder(&folder, &[&check[..], &["--write-baseline"]].concat()).status,
        0
    );
    let green = in_folder(&folder, &check);
    assert_eq!(green.status, 0, "{}\n{}", green.stdout, green.stderr);
}

#[test]
fn python() {
    if has("python3") {
        from_nothing_to_red("python", "urllib");
    }
}

#[test]
fn node() {
    if has("node") {
        from_nothing_to_red("node", "url");
    }
}

#[test]
fn go() {
    if has("go") {
        from_nothing_to_red("go", "net/url");
    }
}

/// In a crate that depends on this repository.
#[test]
fn rust() {
    let folder = tempfile::tempdir().unwrap();
    let init = in_folder(&folder, &["init", "rust"]);
    assert_eq!(init.status, 0, "{}", init.stderr);
    let (_, manifest) = init.stdout.split_once("add to Cargo.toml:\n").expect("what to add");
    let manifest: String = manifest
        .lines()
        .skip(1)
        .take_while(|line| !line.contains(". "))
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let git = "git = \"https://github.com/uriproof/uriproof\"";
    assert!(manifest.contains(git), "{manifest}");
    let manifest = manifest.replace(git, &format!("path = '{}'", root.join("core").display()));
    let package = "[package]\nname = \"mine\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n";
    fs::write(folder.path().join("Cargo.toml"), format!("{package}{manifest}")).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    // What is built stays, for the next run.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init");
    let test = Command::new(env!("CARGO"))
        .current_dir(folder.path())
        .args(["test", "--offline", "--test", "rfc3986"])
        .env("CARGO_TARGET_DIR", target)
        .env_remove("NEXTEST")
        .output()
        .unwrap();
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&test.stdout),
        String::from_utf8_lossy(&test.stderr)
    );
    assert!(!test.status.success(), "{said}");
    assert!(
        said.contains("nothing was compared") && said.contains("fill in `parse`"),
        "{said}"
    );
}

#[test]
fn an_unknown_library_is_named_with_those_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let done = in_folder(&folder, &["init", "python", "nobody"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("there is no adapter for `nobody`"),
        "{}",
        done.stderr
    );
    assert!(
        done.stderr.contains("urllib, rfc3986, hyperlink, yarl"),
        "{}",
        done.stderr
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
