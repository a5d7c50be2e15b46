//! Commands where subjects are asked: what a built-in subject does under a command of its own, a foreign one does too. The
//! foreign ones are this program's own `serve`, and planted ones that die.
#![cfg(unix)]

use std::fs;

use crate::process::{Done, on_one_line, program};
use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

fn run(arguments: &[&str]) -> Done {
    crate::process::run(program().args(arguments))
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
    let done = same_as_builtin(&["minimize", "http://a/[b]c", "--operation", "parse"], "rhymuri");
    assert_eq!(done.status, 0);
}

#[test]
fn the_machine_of_a_command_is_learned() {
    let learn = ["learn", "--budget", "20000", "--format", "json"];
    // A command is given fewer strings at a time, so a budget ends its lesson elsewhere. What is the same is what is found first.
    let [builtin, command] =
        [("--subject", "rfc2396".to_owned()), ("--command", serve("rfc2396"))].map(|(flag, value)| {
            let done = run(&[&learn[..], &[flag, &value]].concat());
            assert_eq!((done.status, &*done.stderr), (1, ""), "{flag}");
            serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()
        });
    for field in ["subject", "rule", "language", "equal", "stopped"] {
        assert_eq!(command[0][field], builtin[0][field], "{field}");
    }
    assert_eq!(command[0]["groups"][0], builtin[0]["groups"][0]);
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
    assert!(done.stdout.contains("\nno divergence was found\n"), "{}", done.stdout);

    // The same label as that of a built-in subject, and still no ledger.
    let folder = TempDir::new().unwrap();
    let state = folder.path().join("state.json");
    let state = ["--state", state.to_str().unwrap()];
    let done = run(&[&hunt[..], &[&serve("urlparse-rs*urlsplit")], &state].concat());
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(
        done.stdout.contains(" classes of divergences were found\n"),
        "{}",
        done.stdout
    );
    // A vector has as many lines as it needs.
    let vectors = done.stdout.split("  vector    {").skip(1).map(|rest| {
        let more = rest.lines().skip(1).map_while(|line| line.strip_prefix("            "));
        rest.lines().take(1).chain(more).fold("{".to_owned(), |all, line| all + line)
    });
    let vectors: Vec<String> = vectors.collect();
    assert!(vectors.len() > 3, "{}", done.stdout);
    assert_ready(&vectors);
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

    // Beside a built-in subject, whose classes the ledger explains, or which does what its profile predicts.
    for (subject, words) in [
        ("rocket_http*Absolute*", "and the ledger explains them all"),
        (
            "fluent-uri*UriRef*",
            "are as the profiles predict\nnothing else was found",
        ),
    ] {
        let done = run(&[&hunt[..], &[&serve("reference"), "--subject", subject]].concat());
        assert_eq!(done.status, 0, "{}", done.stderr);
        assert!(done.stdout.contains(words), "{}", done.stdout);
    }
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
    fs::write(&adapter, DIES.replace("OPERATION", "parse").replace("-gt 3", "-gt 0")).unwrap();
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    let given_up = "given up after 2 restarts without an answer: ended with exit status: 3";
    for (arguments, printed, said) in [
        (&["complete"][..], given_up, given_up),
        (&["sweep", "--max-length", "2"], given_up, given_up),
        (&["learn"], "", given_up),
        // What is known is printed.
        (
            &["hunt", "--batches", "1", "--processes", "1"],
            "crash: parse crashed ended with exit status: 3",
            "3 inputs in a row were not answered: crashed: ended with exit status: 3",
        ),
    ] {
        let done = run(&[arguments, &["--command", &command, "--restarts", "2"]].concat());
        assert_eq!(done.status, 2, "{arguments:?}: {}", done.stdout);
        assert!(
            on_one_line(&done.stdout).contains(printed),
            "{arguments:?}: {}",
            done.stdout
        );
        let expected = format!("was not run on everything: {said} (--restarts allows more)");
        assert!(done.stderr.contains(&expected), "{arguments:?}: {}", done.stderr);
    }
}

/// Each death is a finding, and no death ends the run as long as there are answers in between.
#[test]
fn a_command_that_dies_often_is_hunted_to_the_end() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    fs::write(&adapter, DIES.replace("OPERATION", "parse")).unwrap();
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    let hunt = [
        "hunt",
        "--batches",
        "1",
        "--restarts",
        "2",
        "--format",
        "json",
        "--command",
        &command,
    ];
    let done = run(&hunt);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let found: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    // It dies at every fourth input, whatever that is: put again it is answered.
    let unrepeated = found["does_not_repeat"].as_array().unwrap();
    let deaths = unrepeated.iter().filter(|one| one["answers"]["first"]["outcome"] == "crashed");
    let calls: Vec<usize> = deaths.filter_map(|one| Some(one["answers"]["sequence"].as_array()?.len())).collect();
    assert!(calls.contains(&4), "{found}");
    assert_eq!(found["batches"], 1, "{found}");
    assert_eq!(run(&hunt).stdout, done.stdout);
}

/// Refuses everything, if no other one runs: the file names it.
const ALONE: &str = r#"
[ -e LOCK ] && kill -0 "$(cat LOCK)" 2>/dev/null && { echo "another one runs" >&2; exit 1; }
echo $$ >LOCK
printf '%s\n' '{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["parse"]}'
read -r line
while IFS= read -r line; do
  id="${line#*\"id\":}"
  printf '{"id":%s,"outcome":"rejected"}\n' "${id%%,*}"
done
"#;

#[test]
fn a_command_of_which_only_one_may_run_is_hunted() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    let lock = folder.path().join("lock");
    fs::write(&adapter, ALONE.replace("LOCK", lock.to_str().unwrap())).unwrap();
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    let done = run(&["hunt", "--batches", "2", "--processes", "2", "--command", &command]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    assert!(done.stdout.contains("rejected-valid"), "{}", done.stdout);
    let said = "fewer processes are used: another cannot be started: ";
    assert!(
        done.stderr.contains(said) && done.stderr.contains("another one runs"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_stored_hunt_is_of_the_program_that_was_hunted() {
    let folder = TempDir::new().unwrap();
    let (adapter, state) = (folder.path().join("adapter.sh"), folder.path().join("state.json"));
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    let answering = |answer: &str| {
        let script = ALONE.replace("LOCK", "/dev/null");
        fs::write(&adapter, script.replace("\"rejected\"", answer)).unwrap();
        run(&[
            "hunt",
            "--batches",
            "1",
            "--state",
            state.to_str().unwrap(),
            "--command",
            &command,
        ])
    };
    assert_eq!(answering("\"rejected\"").status, 1);
    // Nothing is left to be searched, and what is stored shows again.
    let again = answering("\"rejected\"");
    assert_eq!(again.status, 1, "{}", again.stderr);
    assert!(
        again.stdout.contains("rejected-valid") && again.stdout.contains("\n0 inputs in "),
        "{}",
        again.stdout
    );
    let other = answering("\"unsupported\",\"reason\":\"none\"");
    assert_eq!(other.status, 2, "{}", other.stdout);
    assert!(
        other.stderr.contains("what is stored is of another program; the hunt begins anew"),
        "{}",
        other.stderr
    );
    assert_eq!(answering("\"rejected\"").status, 1);
    // The same files, and yet another program, by what it is given from elsewhere.
    let text = fs::read_to_string(&state).unwrap();
    fs::write(&state, text.replace("\"input\":\"\"", "\"input\":\"%\"")).unwrap();
    let done = answering("\"rejected\"");
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(
        done.stderr.contains("the stored hunt is of another program"),
        "{}",
        done.stderr
    );
}

#[test]
fn a_hunt_that_compares_nothing_does_not_pass() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    let script = ALONE.replace("LOCK", "/dev/null");
    fs::write(
        &adapter,
        script.replace("\"rejected\"", "\"unsupported\",\"reason\":\"none\""),
    )
    .unwrap();
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    let done = run(&["hunt", "--batches", "1", "--command", &command]);
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(done.stdout.contains("\nnothing was compared\n"), "{}", done.stdout);
}

/// A userinfo that stays behind a call, and shows in a later one.
const LEAKS: &str = r#"
printf '%s\n' '{"id":0,"name":"planted","version":"1","entry_point":"round-trip","language":"sh","specification":"RFC 3986","operations":["round-trip"]}'
read -r line
kept=
while IFS= read -r line; do
  id="${line#*\"id\":}"; uri="${line#*\"uri\":\"}"; uri="${uri%\"\}}"
  case "$uri" in
    a://*@*) kept=1 ;;
    *//*) [ "$kept" ] && uri="leaked:" && KEEPS ;;
  esac
  printf '{"id":%s,"outcome":"accepted","uri":"%s"}\n' "${id%%,*}" "$uri"
done
"#;

#[test]
fn what_leaks_from_one_call_into_another_does_not_repeat() {
    let folder = TempDir::new().unwrap();
    let adapter = folder.path().join("adapter.sh");
    let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
    // It is forgotten by the call that shows it, or it stays.
    for keeps in ["kept=", "true"] {
        fs::write(&adapter, LEAKS.replace("KEEPS", keeps)).unwrap();
        let done = run(&[
            "hunt",
            "--seed",
            "4",
            "--batches",
            "40",
            "--processes",
            "1",
            "--command",
            &command,
        ]);
        assert_eq!(done.status, 1, "{}", done.stderr);
        let at = done.stdout.find("does not repeat: round-trip ").unwrap_or_else(|| panic!("{}", done.stdout));
        let shown = &done.stdout[at..];
        assert!(
            shown.contains("  sequence  2 calls in a new process show it\n"),
            "{shown}"
        );
        assert!(shown.contains("  first     \"leaked:\"\n"), "{shown}");
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
        (&["learn", "--write", "measured"], "false", "cannot be used with"),
        (
            &["complete", "--operation", "resolve", "--write", "measured"],
            "false",
            "cannot be used with",
        ),
    ] {
        let done = run(&[arguments, &["--command", command]].concat());
        assert_eq!(done.status, 2, "{arguments:?}: {}", done.stdout);
        assert!(done.stderr.contains(expected), "{arguments:?}: {}", done.stderr);
    }
}

/// What is known is printed at every end, and nothing of the run goes on.
#[cfg(unix)]
#[test]
fn a_hunt_that_is_ended_prints_what_it_has_found() {
    use std::process::{Command, Stdio};

    for signal in ["INT", "TERM"] {
        let folder = TempDir::new().unwrap();
        let (adapter, state) = (folder.path().join("adapter.sh"), folder.path().join("state.json"));
        fs::write(&adapter, ALONE.replace("LOCK", "/dev/null")).unwrap();
        let command = shell_words::join(["sh", adapter.to_str().unwrap()]);
        let child = Command::new(cargo_bin("uriproof"))
            .args([
                "hunt",
                "--seconds",
                "86400",
                "--processes",
                "1",
                "--command",
                &command,
                "--state",
            ])
            .arg(&state)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A batch is done.
        while !state.exists() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.status, 2, "{signal}: {}", done.stderr);
        assert!(done.stdout.contains("rejected-valid"), "{signal}: {}", done.stdout);
        assert!(
            done.stderr.contains("not everything was searched: "),
            "{signal}: {}",
            done.stderr
        );
    }
}
