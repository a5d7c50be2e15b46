//! A file is whole even if its writer is killed.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use uriproof_lab::divergence::ledger::Ledger;

use super::{ADAPTER, CHECK, check, contents, copy_of_the_ledger, names};

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
    let stored = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/measured/subjects/http.json")).unwrap();
    fs::write(folder.path().join("http.json"), format!("\n{stored}")).unwrap();
    let arguments = ["learn", "--subject", "http", "--budget", "300", "--write"];
    killed(
        &arguments,
        folder.path(),
        folder.path(),
        &mut fastrand::Rng::with_seed(2396),
        7,
        4,
    );
}

/// A report takes too long for whole runs; `cli/report.rs` has one that mends what a killed one has left.
#[test]
fn a_report_whose_writer_is_killed_is_whole() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("target/uriproof");
    fs::create_dir_all(&results).unwrap();
    let old = "# uriproof report\n\n<!-- Generated by `cargo run --release -- report`. -->\n\nold\n";
    fs::write(folder.path().join("REPORT.md"), old).unwrap();
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
        assert_eq!(fs::read_to_string(folder.path().join("REPORT.md")).unwrap(), old);
        assert_eq!(fs::read(results.join("results.json")).unwrap(), b"old");
    }
}
