//! Output goes to the named place even if that is no regular file.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{CHECK, check, names};
use crate::process::{Done, run};

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
