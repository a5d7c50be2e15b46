//! The shell of the GitHub action and of the release, run as GitHub runs it, with a stand-in for what is around it: an archive
//! is packed, found, unpacked, and its program asked.
#![cfg(unix)]

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const TARGET: &str = "x86_64-unknown-linux-musl";

/// The scripts that a workflow or an action runs, in its order.
fn scripts(file: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str| line.trim_start().trim_start_matches("- ") == "run: |";
    let heads = (0..lines.len()).filter(|&at| begins(lines[at]));
    let script = |at: usize| {
        let inner = indent(lines[at + 1]);
        let body = lines[at + 1..].iter().take_while(|line| line.is_empty() || indent(line) >= inner);
        body.map(|line| format!("{}\n", line.get(inner..).unwrap_or_default())).collect::<String>()
    };
    heads.map(script).collect()
}

fn executable(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Whether the programs that the scripts call are there. What is not there is named.
fn can_run() -> bool {
    let missing = ["bash", "tar"].into_iter().find(|program| Command::new(program).arg("--version").output().is_err());
    if let Some(program) = missing {
        println!("skipped: there is no {program}");
    }
    missing.is_none()
}

/// What GitHub has around a step: folders, and files to write to.
struct Runner {
    folder: TempDir,
}

impl Runner {
    fn new() -> Runner {
        let runner = Runner {
            folder: TempDir::new().unwrap(),
        };
        fs::create_dir_all(runner.path("temp")).unwrap();
        // In the place of the network: what is asked for by its name lies in the folder of releases.
        let curl = format!(
            "#!/bin/sh\nfor word; do case $word in https://*) cp \"{}/${{word##*/}}\" . || exit 22 ;; esac; done\n",
            runner.path("release").display()
        );
        executable(&runner.path("bin/curl"), &curl);
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a step has put out last under a name.
    fn output(&self, name: &str) -> String {
        let written = self.written("output");
        let last = written.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('=')).next_back();
        last.unwrap_or_else(|| panic!("no {name} in {written}")).to_owned()
    }

    fn written(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// Runs a script as a step whose `shell` is `bash`.
    fn step(&self, script: &str, folder: &str, variables: &[(&str, &str)]) -> Output {
        let file = self.path("step.sh");
        fs::write(&file, script).unwrap();
        // Each line of it is put before the others.
        let added = self.written("path").lines().rev().fold(String::new(), |path, line| format!("{path}{line}:"));
        let path = format!("{added}{}:{}", self.path("bin").display(), env::var("PATH").unwrap());
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(file).current_dir(self.path(folder));
        bash.env("PATH", path).env("RUNNER_TEMP", self.path("temp"));
        for (variable, file) in [
            ("GITHUB_PATH", "path"),
            ("GITHUB_OUTPUT", "output"),
            ("GITHUB_STEP_SUMMARY", "summary"),
        ] {
            bash.env(variable, self.path(file));
        }
        bash.envs(variables.iter().copied()).output().unwrap()
    }

    /// Packs the release as its workflow does, and installs it as the action does.
    fn with_the_release() -> Runner {
        let runner = Runner::new();
        let program = format!("#!/bin/sh\nexec '{}' \"$@\"\n", env!("CARGO_BIN_EXE_uriproof"));
        executable(
            &runner.path(&format!("release/target/{TARGET}/release/uriproof")),
            &program,
        );
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            fs::copy(
                Path::new(env!("CARGO_MANIFEST_DIR")).join(file),
                runner.path("release").join(file),
            )
            .unwrap();
        }
        let packs =
            scripts(".github/workflows/release.yml").into_iter().find(|script| script.contains("tar -czf")).unwrap();
        let packed = runner.step(&packs, "release", &[("TARGET", TARGET)]);
        assert!(packed.status.success(), "{packed:?}");
        runner.install();
        runner
    }

    fn install(&self) {
        let variables = [("VERSION", "latest"), ("RUNNER", "Linux-X64")];
        let installed = self.step(&scripts("action.yml")[0], "temp", &variables);
        assert!(installed.status.success(), "{installed:?}");
    }

    /// Runs the gate as the action does, in the folder of its last use.
    fn check(&self, command: &str, arguments: &str) -> Output {
        self.check_with(command, arguments, &[])
    }

    /// The same, with further inputs of the action.
    fn check_with(&self, command: &str, arguments: &str, more: &[(&str, &str)]) -> Output {
        let [folder, begun] = ["folder", "begun"].map(|name| self.output(name));
        let variables = [
            ("FOLDER", &*folder),
            ("BEGUN", &*begun),
            ("COMMAND", command),
            ("BASELINE", ""),
            ("SPECIFICATION", ""),
            ("ARGUMENTS", arguments),
        ];
        self.step(&scripts("action.yml")[1], "temp", &[&variables[..], more].concat())
    }
}

#[test]
fn the_action_ends_a_run_that_takes_too_long_and_writes_a_badge() {
    if !can_run() {
        return;
    }
    let runner = Runner::with_the_release();
    let badge = runner.path("badge.json");
    let badge = ("BADGE", badge.to_str().unwrap());
    let done = runner.check_with(
        "uriproof serve --subject reference",
        "--only\nrfc/5.4.1/*\n",
        &[badge, ("LIMIT", "300")],
    );
    assert!(done.status.success(), "{done:?}");
    let badge: serde_json::Value = serde_json::from_str(&runner.written("badge.json")).unwrap();
    assert_eq!(badge["schemaVersion"], 1, "{badge}");
    // It never says hello.
    let start = Instant::now();
    let done = runner.check_with("sleep 50", "", &[("LIMIT", "1")]);
    assert!(!done.status.success(), "{done:?}");
    assert!(start.elapsed() < Duration::from_secs(40), "it went on");
    assert!(
        String::from_utf8_lossy(&done.stdout).contains("::error::uriproof took more than 1 s"),
        "{done:?}"
    );
    // The limit is past when the installation ends.
    let done = runner.check_with("sleep 50", "", &[("LIMIT", "300"), ("BEGUN", "1000000000")]);
    assert!(!done.status.success(), "{done:?}");
    assert!(start.elapsed() < Duration::from_secs(40), "it went on");
}

#[test]
fn the_action_ends_a_build_that_takes_too_long() {
    if !can_run() {
        return;
    }
    let runner = Runner::new();
    // The build has processes of its own, which end with it.
    let child = runner.path("child");
    let cargo = format!("#!/bin/sh\nsleep 50 &\necho $! >'{}'\nwait\n", child.display());
    executable(&runner.path("bin/cargo"), &cargo);
    let variables = [
        ("VERSION", ""),
        ("RUNNER", "Linux-X64"),
        ("GITHUB_ACTION_PATH", "/the/action"),
        ("LIMIT", "1"),
    ];
    let start = Instant::now();
    let done = runner.step(&scripts("action.yml")[0], "temp", &variables);
    assert!(!done.status.success(), "{done:?}");
    assert!(start.elapsed() < Duration::from_secs(40), "it went on");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(
        said.contains("::error::uriproof took more than 1 s to install"),
        "{done:?}"
    );
    let child = fs::read_to_string(child).unwrap();
    let is_alive = || Command::new("kill").args(["-0", child.trim()]).output().unwrap().status.success();
    while is_alive() {
        assert!(
            start.elapsed() < Duration::from_secs(40),
            "what the build started goes on"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_action_installs_the_release_and_passes_what_conforms() {
    if !can_run() {
        return;
    }
    let runner = Runner::with_the_release();
    let done = runner.check("uriproof serve --subject reference", "--only\nrfc/5.4.1/*\n");
    assert!(done.status.success(), "{done:?}");
    assert!(
        runner.written("summary").contains("reference"),
        "{}",
        runner.written("summary")
    );
    let results = runner.output("results");
    let results: serde_json::Value = serde_json::from_str(&fs::read_to_string(results).unwrap()).unwrap();
    assert_eq!(results["subjects"][0]["counts"]["diverge"], 0);
    for file in ["man/uriproof.1", "completions/uriproof.bash", "LICENSE-MIT"] {
        assert!(
            Path::new(&runner.output("folder")).join(format!("uriproof-{TARGET}")).join(file).is_file(),
            "{file}"
        );
    }
}

#[test]
fn the_action_fails_what_does_not_with_annotations_and_a_summary() {
    if !can_run() {
        return;
    }
    let runner = Runner::with_the_release();
    let done = runner.check("uriproof serve --subject '*urlsplit'", "--only\nsyntax/port/*\n");
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let said = String::from_utf8(done.stdout).unwrap();
    let annotations = said.lines().filter(|line| line.starts_with("::")).count();
    assert!((1..=10).contains(&annotations), "{said}");
    assert!(
        runner.written("summary").contains("syntax/port/"),
        "{}",
        runner.written("summary")
    );
}

/// Two uses in a job, such as one for each of two libraries.
#[test]
fn each_use_of_the_action_has_files_of_its_own() {
    if !can_run() {
        return;
    }
    let runner = Runner::with_the_release();
    let mut kept: Vec<(String, String)> = Vec::new();
    for subject in ["reference", "'*urlsplit'"] {
        if !kept.is_empty() {
            runner.install();
        }
        runner.check(&format!("uriproof serve --subject {subject}"), "--only\nrfc/5.4.1/*\n");
        let results = runner.output("results");
        let text = fs::read_to_string(&results).unwrap();
        for (path, text) in &kept {
            assert_ne!(*path, results);
            assert_eq!(fs::read_to_string(path).unwrap(), *text);
        }
        kept.push((results, text));
    }
    let files = fs::read_dir(runner.path("temp")).unwrap();
    assert!(
        files.map(|entry| entry.unwrap().path()).all(|path| path.is_dir()),
        "a file is beside the folders"
    );
}

/// Without a release the action's own commit is built.
#[test]
fn the_action_builds_its_own_commit() {
    if !can_run() {
        return;
    }
    let runner = Runner::new();
    // In the place of the build: the program of these tests.
    let cargo = format!(
        "#!/bin/sh\n[ \"$1 $4 $5\" = \"install --path /the/action\" ] || exit 3\nmkdir -p \"$7/bin\"\nln -s '{}' \"$7/bin/uriproof\"\n",
        env!("CARGO_BIN_EXE_uriproof")
    );
    executable(&runner.path("bin/cargo"), &cargo);
    let variables = [
        ("VERSION", ""),
        ("RUNNER", "Linux-X64"),
        ("GITHUB_ACTION_PATH", "/the/action"),
    ];
    let installed = runner.step(&scripts("action.yml")[0], "temp", &variables);
    assert!(installed.status.success(), "{installed:?}");
    let done = runner.check("uriproof serve --subject reference", "--only\nrfc/5.4.1/*\n");
    assert!(done.status.success(), "{done:?}");
}

#[test]
fn the_action_installs_nothing_that_is_not_what_was_released() {
    if !can_run() {
        return;
    }
    let runner = Runner::with_the_release();
    let archive = runner.path("release").join(format!("uriproof-{TARGET}.tgz"));
    fs::write(&archive, "another").unwrap();
    let variables = [("VERSION", "v0.1.0"), ("RUNNER", "Linux-X64")];
    assert!(!runner.step(&scripts("action.yml")[0], "temp", &variables).status.success());
    let variables = [("VERSION", "latest"), ("RUNNER", "Plan9-MIPS")];
    let done = runner.step(&scripts("action.yml")[0], "temp", &variables);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stdout).unwrap().contains("there is no release of uriproof for Plan9-MIPS"));
}
