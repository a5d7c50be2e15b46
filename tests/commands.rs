//! Commands where subjects are asked: what a built-in subject does under a command of its own, a foreign one does too. The
//! foreign ones are this program's own `serve`, and planted ones that die.
#![cfg(unix)]

mod process;

use std::fs;

use assert_cmd::cargo::cargo_bin;
use process::{Done, program};
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Done {
    process::run(program().args(arguments))
}

/// The command line that serves a built-in subject.
fn serve(subject: &str) -> String {
    let program = cargo_bin("uriproof");
    shell_words::join([program.to_str().unwrap(), "serve", "--subject", subject])
}

/// The same of a subject that is built in, and of a command that is that subject.
fn same_as_builtin(arguments: &[&str], subject: &str) -> Done {
    let builtin = run(&[arguments, &["--subject", subject]].concat());
    let command = run(&[arguments, &["--command", &serve(subject)]].concat());
    assert_eq!(command.stderr, "", "{arguments:?}");
    assert_eq!(command.stdout, builtin.stdout, "{arguments:?}");
    assert_eq!(command.status, builtin.status, "{arguments:?}");
    command
}

#[test]
fn a_command_earns_a_certificate() {
    let done = run(&["complete", "--command", &serve("reference")]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stdout.starts_with("pass  reference"), "{}", done.stdout);
    assert!(
        done.stdout.contains("What a pass means, for reference"),
        "{}",
        done.stdout
    );
}

#[test]
fn a_command_is_swept() {
    let done = same_as_builtin(&["sweep", "--max-length", "2", "--format", "json"], "http");
    assert_eq!(done.status, 1);
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state.json");
    let state = ["--max-length", "2", "--state", state.to_str().unwrap()];
    let command = serve("reference");
    let sweep = [&["sweep", "--command", &command][..], &state].concat();
    let first = run(&sweep);
    assert_eq!((first.status, &*first.stderr), (0, ""));
    // What is done is not asked again.
    assert_eq!(run(&sweep).stdout, first.stdout);
}

#[test]
fn an_input_is_minimized_for_a_command() {
    let done = same_as_builtin(&["minimize", "http://a/[b]c", "--operation", "parse"], "url");
    assert_eq!(done.status, 0);
}

#[test]
fn the_machine_of_a_command_is_learned() {
    let learn = ["learn", "--budget", "20000", "--format", "json"];
    let done = same_as_builtin(&learn, "rfc2396");
    assert_eq!(done.status, 1);
}

/// Nothing is wrong with vectors that are pasted into files by their ids.
fn assert_ready(vectors: &[String]) {
    let mut files = std::collections::BTreeMap::<String, std::collections::BTreeSet<&String>>::new();
    for vector in vectors {
        let read: serde_json::Value = serde_json::from_str(vector).unwrap();
        let (file, _) = read["id"].as_str().unwrap().rsplit_once('/').unwrap();
        files.entry(file.to_owned()).or_default().insert(vector);
    }
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("found")).unwrap();
    for (file, vectors) in files {
        let vectors: Vec<&str> = vectors.into_iter().map(String::as_str).collect();
        let text = format!(
            "{{ \"uriproof\": 1, \"title\": \"found\", \"section\": \"3\", \"vectors\": [\n{}\n] }}",
            vectors.join(",\n")
        );
        fs::write(folder.path().join(file + ".json"), text).unwrap();
    }
    let done = run(&["vectors", "lint", "--vectors", folder.path().to_str().unwrap()]);
    assert_eq!(done.status, 0, "{}", done.stdout);
    let done = run(&[
        "check",
        "--subject",
        "reference",
        "--vectors",
        folder.path().to_str().unwrap(),
    ]);
    assert_eq!(done.status, 0, "{} {}", done.stdout, done.stderr);
}

#[test]
fn a_command_is_hunted_and_has_no_ledger() {
    let hunt = ["hunt", "--batches", "1", "--processes", "1", "--command"];
    let done = run(&[&hunt[..], &[&serve("reference")]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(done.stdout.ends_with("no class was met\n"), "{}", done.stdout);

    // The same label as that of a built-in subject, and still no ledger.
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state.json");
    let state = ["--state", state.to_str().unwrap()];
    let done = run(&[&hunt[..], &[&serve("urlparse-rs*urlsplit")], &state].concat());
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.ends_with(" classes were met\n"), "{}", done.stdout);
    let vectors: Vec<&str> = done.stdout.lines().filter_map(|line| line.strip_prefix("  vector    {")).collect();
    assert!(vectors.len() > 3, "{}", done.stdout);
    assert_ready(&vectors.iter().map(|rest| format!("{{{rest}")).collect::<Vec<_>>());
    for word in ["entry", "ledger"] {
        assert!(
            !done.stdout.contains(&format!("{word}\n")),
            "{word} is in {}",
            done.stdout
        );
    }
    let other = run(&[&hunt[..], &[&serve("reference")], &state].concat());
    assert_eq!(other.status, 2, "{}", other.stdout);
    assert!(other.stderr.contains("is a hunt with"), "{}", other.stderr);

    // Beside a built-in subject, whose classes the ledger explains.
    let done = run(&[&hunt[..], &[&serve("reference"), "--subject", "fluent-uri*UriRef*"]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.contains("and the ledger explains them all"),
        "{}",
        done.stdout
    );
    let done = run(&[&hunt[..], &[&serve("reference"), "--subject", "reference"]].concat());
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains("a command and a built-in subject are both"),
        "{}",
        done.stderr
    );
}

/// Answers so many requests after hello, and dies.
const DIES: &str = r#"
printf '%s\n' '{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["OPERATION"]}'
n=0
read -r line
while IFS= read -r line; do
  n=$((n+1)); [ "$n" -gt 3 ] && exit 3
  id="${line#*\"id\":}"
  printf '{"id":%s,"outcome":"rejected"}\n' "${id%%,*}"
done
"#;

#[test]
fn a_command_that_is_given_up_fails_the_run() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    fs::write(&adapter, DIES.replace("OPERATION", "parse")).unwrap();
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    for (arguments, printed) in [
        (&["complete"][..], "strings not compared: given up after 2 restarts"),
        (
            &["sweep", "--max-length", "2"],
            "strings not compared: given up after 2 restarts",
        ),
        (&["learn"], ""),
        (
            &["hunt", "--batches", "1", "--processes", "1"],
            " from seed 1 (0 in all)",
        ),
    ] {
        let done = run(&[arguments, &["--command", &command, "--restarts", "2"]].concat());
        assert_eq!(done.status, 2, "{arguments:?}: {}", done.stdout);
        assert!(done.stdout.contains(printed), "{arguments:?}: {}", done.stdout);
        let expected =
            "was not asked everything: given up after 2 restarts: ended with exit status: 3 (--restarts allows more)";
        assert!(done.stderr.contains(expected), "{arguments:?}: {}", done.stderr);
    }
}

#[test]
fn nothing_is_minimized_for_a_command_that_is_given_up() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    fs::write(&adapter, DIES.replace("OPERATION", "parse").replace("-gt 3", "-gt 0")).unwrap();
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    let done = run(&["minimize", "a", "--command", &command, "--restarts", "0"]);
    assert_eq!((done.status, &*done.stdout), (2, ""));
    assert!(done.stderr.contains("given up after 0 restarts"), "{}", done.stderr);
}

#[test]
fn a_command_that_cannot_be_asked_is_named() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    fs::write(&adapter, DIES.replace("OPERATION", "resolve")).unwrap();
    let resolves = shell_words::join(["sh", adapter.to_str().unwrap()]);
    for (arguments, command, expected) in [
        (&["complete"][..], &*resolves, "no subject that is chosen parses"),
        (&["sweep"], &resolves, "no subject that is chosen parses"),
        (&["learn"], &resolves, "no subject that is chosen parses"),
        (&["hunt", "--batches", "1"], "false", "`false` did not say hello"),
        (&["growth"], "false", "`false` did not say hello"),
        (&["minimize", "a"], "sh 'a", "a quote is not closed"),
        (&["growth", "--write", "growth.json"], "false", "cannot be used with"),
        (&["hunt", "--write", "ledger"], "false", "cannot be used with"),
        (&["learn", "--write", "learned.json"], "false", "cannot be used with"),
    ] {
        let done = run(&[arguments, &["--command", command]].concat());
        assert_eq!(done.status, 2, "{arguments:?}: {}", done.stdout);
        assert!(done.stderr.contains(expected), "{arguments:?}: {}", done.stderr);
    }
}
