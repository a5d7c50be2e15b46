//! What is written is whole, and goes where it was said: every command writes its files in the same way.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{io, thread};

use crate::process::{Done, program, run};
use serde_json::Value;
use tempfile::TempDir;
use uriproof_lab::divergence::ledger::Ledger;

/// A badge is short, and has no line break but its last.
const CHECK: [&str; 5] = ["check", "--subject", "iref*Uri::new", "--only", "rfc/5.4.1/*"];

fn check(folder: &Path, more: &[&str]) -> Done {
    run(program().current_dir(folder).args(CHECK).args(more))
}

/// Runs a line of a shell in which `"$@"` is the program with the arguments of a check.
fn check_in_shell(folder: &Path, line: &str) -> Done {
    let mut shell = assert_cmd::Command::new("sh");
    let program = assert_cmd::cargo::cargo_bin("uriproof");
    run(shell.current_dir(folder).args(["-c", line, "sh"]).arg(program).args(CHECK))
}

/// The badge of a check that ran in this folder.
fn badge(folder: &Path) -> String {
    let done = check(folder, &["--format", "badge"]);
    assert!(done.stdout.starts_with('{'), "{}{}", done.stdout, done.stderr);
    done.stdout
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

#[test]
fn what_is_no_regular_file_is_written_to_and_stays() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let badge = badge(place);

    // As /dev/stdout is made.
    let stdout = place.join("stdout");
    symlink("/proc/self/fd/1", &stdout).unwrap();
    if stdout.exists() {
        let done = check(place, &["--output", "badge=stdout"]);
        assert!(done.stdout.starts_with(&badge), "{}", done.stdout);
        assert!(done.stdout.len() > badge.len(), "the results are printed, too");
        assert!(is_link(&stdout));
        // If stdout is a file, what is written and what is printed stand one behind the other.
        let done = check_in_shell(place, r#""$@" --output badge=stdout >printed"#);
        let printed = fs::read_to_string(place.join("printed")).unwrap();
        assert!(
            printed.starts_with(&badge) && printed.len() > badge.len(),
            "{printed}{}",
            done.stderr
        );
    }

    let null = place.join("null");
    symlink("/dev/null", &null).unwrap();
    let done = check(place, &["--output", "badge=null"]);
    assert!(
        is_link(&null) && fs::metadata(&null).unwrap().file_type().is_char_device(),
        "{}",
        done.stderr
    );

    let fifo = place.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut reader = Command::new("cat").arg(&fifo).stdout(Stdio::piped()).spawn().unwrap();
    let done = check(place, &["--output", "badge=fifo"]);
    let stays = fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo();
    if !stays {
        reader.kill().unwrap();
    }
    let read = reader.wait_with_output().unwrap();
    assert!(stays, "{}", done.stderr);
    assert_eq!(String::from_utf8(read.stdout).unwrap(), badge);
    assert_eq!(names(place), ["fifo", "null", "printed", "stdout"]);
}

/// A device that is full keeps no other file from its place.
#[cfg(target_os = "linux")]
#[test]
fn a_stream_that_fails_takes_no_file_with_it() {
    let folder = TempDir::new().unwrap();
    let badge = badge(folder.path());
    let done = check(folder.path(), &["--output", "json=/dev/full", "--output", "badge=file"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("/dev/full cannot be written: "), "{}", done.stderr);
    assert_eq!(names(folder.path()), ["file"]);
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), badge);
}

/// As `>(…)` does it.
#[test]
fn an_open_descriptor_is_written_to() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let badge = badge(place);
    let done = check_in_shell(place, r#"{ "$@" --output badge=/dev/fd/3 3>&1 >printed; } | cat"#);
    assert_eq!(done.stdout, badge, "{}", done.stderr);

    // A file that is open has other writers, and keeps what they wrote.
    fs::write(place.join("log"), "begun\n").unwrap();
    let done = check_in_shell(place, r#""$@" --output badge=/dev/fd/3 3>>log"#);
    assert_eq!(
        fs::read_to_string(place.join("log")).unwrap(),
        format!("begun\n{badge}"),
        "{}",
        done.stderr
    );
    assert_eq!(names(place), ["log", "printed"]);
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let folder = TempDir::new().unwrap();
    let line = r#"{ "$@" --output json=/dev/fd/3 3>&1 >printed; echo "$?" >status; } | true"#;
    check_in_shell(folder.path(), line);
    let printed = fs::read_to_string(folder.path().join("printed")).unwrap();
    assert!(printed.contains("iref"), "{printed}");
    assert_ne!(fs::read_to_string(folder.path().join("status")).unwrap(), "2\n");
}

#[test]
fn links_are_followed() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let badge = badge(place);
    fs::create_dir(place.join("there")).unwrap();
    fs::write(place.join("there/file"), "old").unwrap();
    symlink("there/file", place.join("link")).unwrap();
    symlink("link", place.join("chain")).unwrap();
    symlink("not/yet", place.join("dangling")).unwrap();
    symlink("loop", place.join("loop")).unwrap();
    for (link, target) in [("chain", "there/file"), ("dangling", "not/yet")] {
        let done = check(place, &["--output", &format!("badge={link}")]);
        assert_eq!(
            fs::read_to_string(place.join(target)).unwrap(),
            badge,
            "{link}: {}",
            done.stderr
        );
        assert!(is_link(&place.join(link)) && !is_link(&place.join(target)), "{link}");
    }
    assert!(is_link(&place.join("link")));
    let done = check(place, &["--output", "badge=loop"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("loop cannot be written: "), "{}", done.stderr);
    assert_eq!(names(place), ["chain", "dangling", "link", "loop", "not", "there"]);
    assert_eq!(
        (names(&place.join("there")), names(&place.join("not"))),
        (vec!["file".to_owned()], vec!["yet".to_owned()])
    );
}

#[test]
fn a_file_keeps_its_mode_and_its_owner() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    for wanted in [0o600, 0o664, 0o755] {
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(wanted)).unwrap();
        // Only a superuser can give a file away; another user asks nothing here.
        let _ = std::os::unix::fs::chown(&file, Some(12_345), Some(12_346));
        let before = fs::metadata(&file).unwrap();
        check(folder.path(), &["--output", "badge=file"]);
        let after = fs::metadata(&file).unwrap();
        assert_ne!(fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(mode(&file), wanted);
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    }
    // A new one has the mode that every new file has.
    File::create(folder.path().join("plain")).unwrap();
    check(folder.path(), &["--output", "badge=new"]);
    assert_eq!(mode(&folder.path().join("new")), mode(&folder.path().join("plain")));
}

#[test]
fn what_a_dead_process_left_is_removed_and_what_a_living_one_writes_is_not() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    let all = [
        ".b.1-0.part",
        ".b.4000000000-17.part",
        ".b.1.part",
        ".b.1-x.part",
        ".c.1-0.part",
        "b.1-0.part",
    ];
    for name in all {
        fs::write(place.join(name), "half").unwrap();
    }
    let living = OpenOptions::new().write(true).open(place.join(all[0])).unwrap();
    living.try_lock().unwrap();
    check(place, &["--output", "badge=b"]);
    let mut left = vec![all[0], all[2], all[3], all[4], all[5], "b"];
    left.sort_unstable();
    assert_eq!(names(place), left);
    drop(living);
    check(place, &["--output", "badge=b"]);
    left.retain(|name| *name != all[0]);
    assert_eq!(names(place), left);
}

/// The part files in a folder that hold something: a trial before the work leaves none, and an empty one for a moment.
fn parts(folder: &Path) -> usize {
    let is_part = |name: &&String| name.ends_with(".part");
    let size = |name: &String| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
    names(folder).iter().filter(is_part).filter(|name| size(name) > 0).count()
}

/// A FIFO that nobody reads stops the writer with its other files half written.
#[test]
fn a_writer_that_a_signal_ends_leaves_no_part_file() {
    let outputs = ["--output", "badge=fifo", "--output", "json=file"];
    let check = [&CHECK[..], &outputs].concat();
    let command = ["check", "--only", "rfc/5.4.1/*", "--command", "sh adapter.sh"];
    let command = [&command[..], &outputs].concat();
    for (arguments, fifo) in [
        (&["man", "--output", "."][..], "uriproof.1"),
        (&check[..], "fifo"),
        (&command[..], "fifo"),
    ] {
        for signals in [["INT", "TERM"], ["TERM", "HUP"], ["HUP", "INT"]] {
            let folder = TempDir::new().unwrap();
            let place = folder.path();
            fs::write(place.join("adapter.sh"), ADAPTER).unwrap();
            assert!(Command::new("mkfifo").arg(place.join(fifo)).status().unwrap().success());
            // Signals that are ignored here would be ignored there too.
            let mut child = Command::new("env")
                .args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_uriproof")])
                .args(arguments)
                .current_dir(place)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            while parts(place) == 0 {
                assert!(
                    child.try_wait().unwrap().is_none(),
                    "{arguments:?}: it did not wait for a reader"
                );
                thread::sleep(Duration::from_millis(10));
            }
            // A check notes the first. Two of one kind could count as one.
            for signal in signals {
                let id = child.id().to_string();
                assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
            }
            let status = child.wait().unwrap();
            assert!(
                status.code().is_some_and(|code| code > 128),
                "{arguments:?} {signals:?}: {status}"
            );
            let mut left = names(place);
            left.retain(|name| !["adapter.sh", "asked", fifo].contains(&&**name));
            assert_eq!(left, [""; 0], "{arguments:?} {signals:?}");
        }
    }
}

#[test]
fn a_file_that_is_named_twice_is_refused() {
    let folder = TempDir::new().unwrap();
    symlink("a", folder.path().join("b")).unwrap();
    let done = check(folder.path(), &["--output", "badge=a", "--output", "json=b"]);
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("b cannot be written: it is named twice"),
        "{}",
        done.stderr
    );
    assert_eq!(names(folder.path()), ["b"]);
}

/// An adapter that answers nothing right, and says in the file `asked` that it was asked.
const ADAPTER: &str = r#"read -r line
printf '%s\n' '{"id":0,"name":"planted","version":"1","entry_point":"parse","language":"sh","specification":"RFC 3986","operations":["parse"]}'
while IFS= read -r line; do
  echo x >>asked; id="${line#*\"id\":}"; printf '{"id":%s,"outcome":"rejected"}\n' "${id%%[,\}]*}"
done
"#;

/// Nobody waits for a run whose result cannot be stored.
#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    for arguments in [
        &["check", "--only", "rfc/5.4.1/*", "--output", "json=file/a"][..],
        &["check", "--baseline", "file/a", "--write-baseline"],
        &["sweep", "--max-length", "1", "--state", "file/a"],
        &["hunt", "--batches", "1", "--processes", "1", "--state", "file/a"],
        &["learn", "--budget", "10", "--output", "file/a"],
    ] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        fs::write(folder.path().join("adapter.sh"), ADAPTER).unwrap();
        let done = run(program().current_dir(folder.path()).args(arguments).args(["--command", "sh adapter.sh"]));
        assert_eq!(done.status, 2, "{arguments:?}");
        assert!(
            done.stderr.contains("file/a cannot be") || done.stderr.contains("file/a is no"),
            "{arguments:?}: {}",
            done.stderr
        );
        assert_eq!(
            names(folder.path()),
            ["adapter.sh", "file"],
            "{arguments:?}: it was asked"
        );
    }
}

#[test]
fn what_is_stored_already_is_read_before_the_work() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::write(place.join("growth.json"), "{}").unwrap();
    // So few descriptors that no process can be started to ask: the survey does not begin.
    let mut shell = assert_cmd::Command::new("sh");
    let line = r#"ulimit -n 6; exec "$@" growth --subject http --write growth.json"#;
    shell.args(["-c", line, "sh"]).arg(assert_cmd::cargo::cargo_bin("uriproof"));
    let done = run(shell.current_dir(place));
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("growth.json holds no findings on growth"),
        "{}",
        done.stderr
    );
    assert_eq!(fs::read_to_string(place.join("growth.json")).unwrap(), "{}");

    // The listing is read before the runs are, or made.
    let done = run(program().current_dir(place).args(["mutants", "--of", "code", "--outcomes", "none", "--write"]));
    assert_eq!(done.status, 2);
    assert!(
        done.stderr.contains("reference/mutants.toml cannot be read"),
        "{}",
        done.stderr
    );
}

#[test]
fn results_are_written_beside_a_baseline() {
    let folder = TempDir::new().unwrap();
    let place = folder.path();
    fs::write(place.join("adapter.sh"), ADAPTER).unwrap();
    let write = [
        "--baseline",
        "b.toml",
        "--write-baseline",
        "--output",
        "json=results.json",
    ];
    let check = |more: &[&str]| {
        let first = ["check", "--level", "must", "--command", "sh adapter.sh"];
        run(program().current_dir(place).args(first).args(more))
    };
    let done = check(&[&write[..], &["--format", "badge"]].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    // What programs read has nothing else in it.
    assert!(serde_json::from_str::<Value>(&done.stdout).is_ok(), "{}", done.stdout);
    assert!(done.stderr.contains("wrote b.toml: "), "{}", done.stderr);
    let results: Value = serde_json::from_str(&fs::read_to_string(place.join("results.json")).unwrap()).unwrap();
    assert_eq!(
        results["subjects"][0]["subject"], "planted 1 parse",
        "{}",
        results["subjects"][0]
    );
    let done = check(&["--baseline", "b.toml"]);
    assert_eq!(done.status, 0, "{}{}", done.stdout, done.stderr);

    // If no baseline can be written, the results are.
    fs::remove_file(place.join("results.json")).unwrap();
    fs::remove_file(place.join("b.toml")).unwrap();
    fs::write(
        place.join("adapter.sh"),
        ADAPTER.replace("  echo x", "  exit 1; echo x"),
    )
    .unwrap();
    let done = check(&[&write[..], &["--restarts", "0"]].concat());
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(done.stderr.contains("b.toml is not written"), "{}", done.stderr);
    assert!(place.join("results.json").is_file() && !place.join("b.toml").exists());

    for other in [&["--probe"][..], &["--corpus", "adapter.sh"]] {
        let done = check(&[other, &["--output", "json=ignored.json"]].concat());
        assert_eq!(done.status, 2, "{other:?}");
        assert!(done.stderr.contains("cannot be used with"), "{}", done.stderr);
    }
}

/// What somebody has written there stays: it is not the ledger of the program that is written.
#[test]
fn a_hunt_adds_to_the_ledger_that_it_writes() {
    let folder = TempDir::new().unwrap();
    let ledger = copy_of_the_ledger(folder.path());
    let file = ledger.join("http.toml");
    let text = fs::read_to_string(&file).unwrap();
    let mut mine = toml::from_str::<toml::Table>(&text).unwrap();
    mine["claim"].as_table_mut().unwrap().insert("measured".to_owned(), "by me".into());
    fs::write(&file, toml::to_string(&mine).unwrap()).unwrap();
    let hunt = [
        "hunt",
        "--batches",
        "1",
        "--processes",
        "1",
        "--subject",
        "http",
        "--write",
    ];
    let done = run(program().args(hunt).arg(&ledger));
    assert!(done.status < 2, "{}", done.stderr);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("measured = \"by me\""), "{text}");
    let done = run(program().args(hunt).arg(folder.path().join("none")));
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("none: cannot be read"), "{}", done.stderr);
}

fn copy_of_the_ledger(folder: &Path) -> PathBuf {
    let ledger = folder.join("ledger");
    fs::create_dir(&ledger).unwrap();
    for (name, bytes) in contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger")) {
        if name.ends_with(".toml") {
            fs::write(ledger.join(name), bytes).unwrap();
        }
    }
    ledger
}

/// The files of a folder that are no part files.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = names(folder).into_iter().filter(|name| !name.ends_with(".part") && folder.join(name).is_file());
    names.map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

/// Kills a process behind its `changes`th change of a folder, or when it has ended.
fn kill_after(child: &mut Child, folder: &Path, changes: usize) {
    let mut seen = 0;
    let mut before = state(folder);
    while seen < changes && child.try_wait().unwrap().is_none() {
        let now = state(folder);
        seen += usize::from(now != before);
        before = now;
        // The process gets most of the time.
        thread::sleep(Duration::from_micros(100));
    }
    // What has ended cannot be killed, and is whole all the same.
    let _ = child.kill();
    child.wait().unwrap();
}

/// The names in a folder, and which file each is.
fn state(folder: &Path) -> Vec<(PathBuf, u64)> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut state: Vec<_> =
        entries.filter_map(|entry| Some((entry.path(), fs::symlink_metadata(entry.path()).ok()?.ino()))).collect();
    state.sort();
    state
}

/// The process that does the work itself, so that it is what is killed.
fn start(arguments: &[&str], folder: &Path) -> Child {
    let mut program = Command::new(assert_cmd::cargo::cargo_bin("uriproof"));
    program.arg("--here").args(arguments).arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    program.spawn().unwrap()
}

/// Each file is the old one or the new one, whenever the process was killed, and the next run leaves nothing of the killed ones.
fn killed(arguments: &[&str], target: &Path, folder: &Path, random: &mut fastrand::Rng, kills: usize, most: usize) {
    let old = contents(folder);
    assert!(start(arguments, target).wait().unwrap().code().is_some_and(|code| code < 2));
    let new = contents(folder);
    assert!(
        old.iter().all(|(name, bytes)| new[name] != *bytes),
        "a run changes every file"
    );
    let mut half = 0;
    for kill in 0..kills {
        for (name, bytes) in &old {
            fs::write(folder.join(name), bytes).unwrap();
            // What a process that was killed earlier has left; that it goes is the first change.
            fs::write(folder.join(format!(".{name}.1-0.part")), "half").unwrap();
        }
        let changes = random.usize(1..=most);
        kill_after(&mut start(arguments, target), folder, changes);
        let left = contents(folder);
        assert_eq!(left.keys().collect::<Vec<_>>(), old.keys().collect::<Vec<_>>());
        for (name, bytes) in &left {
            assert!(
                *bytes == old[name] || *bytes == new[name],
                "{name} is not whole after {changes} changes"
            );
        }
        half += usize::from(names(folder).len() > left.len());
        println!(
            "kill {kill} after {changes} changes: {} part files",
            names(folder).len() - left.len()
        );
    }
    println!("{half} of {kills} kills left part files");
    assert!(start(arguments, target).wait().unwrap().code().is_some_and(|code| code < 2));
    assert!(contents(folder) == new);
    assert_eq!(names(folder), new.into_keys().collect::<Vec<_>>(), "part files stay");
}

#[test]
fn a_ledger_whose_writer_is_killed_is_whole() {
    let folder = TempDir::new().unwrap();
    let ledger = copy_of_the_ledger(folder.path());
    for (name, mut bytes) in contents(&ledger) {
        bytes.extend(b"# old\n");
        fs::write(ledger.join(name), bytes).unwrap();
    }
    let files = contents(&ledger).len();
    let arguments = ["ledger", "--subject", "rfc2396", "--write"];
    killed(
        &arguments,
        &ledger,
        &ledger,
        &mut fastrand::Rng::with_seed(3986),
        7,
        2 * files,
    );
    Ledger::from_folder(&ledger).unwrap();
}

#[test]
fn lessons_whose_writer_is_killed_are_whole() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("learned.json");
    let stored = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/measured/learned.json")).unwrap();
    fs::write(&file, format!("\n{stored}")).unwrap();
    let arguments = ["learn", "--subject", "http", "--budget", "300", "--write"];
    killed(
        &arguments,
        &file,
        folder.path(),
        &mut fastrand::Rng::with_seed(2396),
        7,
        4,
    );
}

/// A report takes too long for whole runs; `tests/cli.rs` has one that mends what a killed one has left.
#[test]
fn a_report_whose_writer_is_killed_is_whole() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("target/uriproof");
    fs::create_dir_all(&results).unwrap();
    fs::write(folder.path().join("REPORT.md"), "old").unwrap();
    fs::write(results.join("results.json"), "old").unwrap();
    let mut random = fastrand::Rng::with_seed(1738);
    for _ in 0..6 {
        fs::write(results.join(".results.json.1-0.part"), "half").unwrap();
        let mut child = start(&["report", "--output"], folder.path());
        kill_after(&mut child, &results, 1);
        fs::write(results.join(".results.json.1-0.part"), "half").unwrap();
        let mut child = start(&["report", "--output"], folder.path());
        thread::sleep(Duration::from_millis(random.u64(0..400)));
        let _ = child.kill();
        if child.wait().unwrap().code().is_some() {
            // It had ended.
            continue;
        }
        assert_eq!(fs::read(folder.path().join("REPORT.md")).unwrap(), b"old");
        assert_eq!(fs::read(results.join("results.json")).unwrap(), b"old");
    }
}
