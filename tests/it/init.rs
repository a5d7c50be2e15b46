//! `uriproof init`, from an empty folder to a red run, for each language whose runtime is there.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::first_screen::{assert_names, assert_screen, first_screen};
use crate::process::{Done, has, program, run};

fn in_folder(folder: &TempDir, arguments: &[&str]) -> Done {
    run(program().current_dir(folder.path()).args(arguments))
}

/// The command of the step that compares with the baseline, without the baseline: what `init` says to run.
fn command_of(said: &str) -> String {
    let (line, _) = said.split_once("--probe").unwrap_or_else(|| panic!("no probe in {said}"));
    let (_, behind) = line.rsplit_once("--command '").expect("a command");
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
    let said = [
        "none  my-uri 0",
        "FAIL: nothing was compared",
        "fill in `parse`",
        "next: change the adapter",
    ];
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
    assert!(red.stdout.starts_with("1.  "), "{}", red.stdout);
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

/// Of the adapter for several libraries it has what the one needs, which says the same of itself.
#[test]
fn an_adapter_is_of_one_library() {
    let whole = Path::new(env!("CARGO_MANIFEST_DIR")).join("adapters/python/adapter.py");
    let hello = |folder: &Path, library: &str| {
        let script = folder.join("hello.sh");
        fs::write(
            &script,
            "echo '{\"uriproof\":1,\"id\":0,\"op\":\"hello\"}' | python3 \"$@\"",
        )
        .unwrap();
        let run = |adapter: &Path| Command::new("sh").arg(&script).arg(adapter).arg(library).output().unwrap();
        [run(&whole), run(&folder.join("tests/uriproof_adapter.py"))]
    };
    for (library, class) in [
        ("urllib", "Urllib"),
        ("rfc3986", "Rfc3986"),
        ("hyperlink", "Hyperlink"),
        ("yarl", "Yarl"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let done = in_folder(&folder, &["init", "python", library]);
        assert_eq!(done.status, 0, "{}", done.stderr);
        let text = fs::read_to_string(folder.path().join("tests/uriproof_adapter.py")).unwrap();
        let classes: Vec<&str> = text.lines().filter(|line| line.starts_with("class ")).collect();
        assert_eq!(classes, [format!("class {class}:")]);
        assert!(
            text.contains(&format!("LIBRARIES = {{\"{library}\": {class}}}\n")),
            "{text}"
        );
        assert!(text.lines().count() < 200, "{library}: {} lines", text.lines().count());
        if !has("python3") {
            continue;
        }
        let [of_whole, alone] = hello(folder.path(), library);
        // Without the library both fail when they import it.
        assert_eq!(
            alone.stdout,
            of_whole.stdout,
            "{}",
            String::from_utf8_lossy(&alone.stderr)
        );
        let import = |said: &[u8]| String::from_utf8_lossy(said).lines().last().map(str::to_owned);
        assert_eq!(import(&alone.stderr), import(&of_whole.stderr));
    }
}

/// A crate that depends on this repository, as `init` says, with what it writes.
fn crate_of_init() -> TempDir {
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
    let package = "[package]\nname = \"mine\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
                   fluent-uri = \"0.4.1\"\n\n";
    fs::write(folder.path().join("Cargo.toml"), format!("{package}{manifest}")).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/lib.rs"), "").unwrap();
    fs::copy(root.join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    folder
}

/// Runs its tests. What is built stays, for the next run.
fn tested(folder: &TempDir, variables: &[(&str, &str)]) -> Done {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init");
    let output = Command::new(env!("CARGO"))
        .current_dir(folder.path())
        .args(["test", "--offline", "--test", "rfc3986"])
        .env("CARGO_TARGET_DIR", target)
        .env_remove("NEXTEST")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    output.into()
}

/// First as it was written; then filled in, as the example is, with a mistake, and with the baseline of the example.
#[test]
fn rust() {
    let folder = crate_of_init();
    let Done { status, stdout, stderr } = tested(&folder, &[]);
    assert_ne!(status, 0, "{stdout}{stderr}");
    assert!(
        stdout.contains("nothing was compared") && stdout.contains("fill in `parse`"),
        "{stdout}{stderr}"
    );

    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/conformance");
    let text = fs::read_to_string(example.join("rfc3986.rs")).unwrap();
    let parse = "fn parse(&self, _: Rule, input: &str) -> Outcome {\n";
    assert!(text.contains(parse));
    let mistake =
        "        if input.contains(\"[v\") {\n            return Outcome::rejected(\"no such address\");\n        }\n";
    let text = text
        .replace(parse, &format!("{parse}{mistake}"))
        .replace("examples/conformance/uriproof.toml", "uriproof.toml");
    fs::write(folder.path().join("tests/rfc3986.rs"), text).unwrap();
    fs::copy(example.join("uriproof.toml"), folder.path().join("uriproof.toml")).unwrap();
    let red = tested(&folder, &[]);
    let screen = first_screen(&red);
    assert_ne!(red.status, 0, "{screen}");
    assert_names(&screen, "refuses an IPvFuture address");
    assert_screen("rust-red", &screen);
    let written = tested(&folder, &[("URIPROOF_BASELINE", "write")]);
    assert_eq!(written.status, 0, "{}{}", written.stdout, written.stderr);
    let green = tested(&folder, &[]);
    assert_eq!(green.status, 0, "{}{}", green.stdout, green.stderr);
    assert_screen("rust-green", &first_screen(&green));
}

#[test]
fn what_the_language_has_not_is_installed_first() {
    for (language, library, first) in [
        ("python", "rfc3986", "1. pip install rfc3986"),
        ("node", "uri-js", "1. npm install uri-js"),
        ("python", "urllib", "1. uriproof check"),
        ("node", "url", "1. uriproof check"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let init = in_folder(&folder, &["init", language, library]);
        assert!(init.stdout.contains(first), "{library}: {}", init.stdout);
    }
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
