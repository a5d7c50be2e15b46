//! The folder with what is measured of subjects: each command replaces its own section of the selected subjects.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use uriproof::gate::today;
use uriproof::vectors::Library;
use uriproof_cli::measured::subjects::{MeasuredCrates, text};
use uriproof_grammar::Fnv;
use uriproof_subjects::SUBJECTS;

use crate::process::{Done, program, run};

/// A subject whose answers take no time.
const QUICK: &str = "rfc2396 1.1.0 validate";

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("measured/subjects")
}

/// The texts of a folder's files.
fn texts(folder: &Path) -> BTreeMap<String, String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// Writes measurements to a folder below this one, and returns it.
pub(crate) fn write(crates: &MeasuredCrates, folder: &Path) -> PathBuf {
    let folder = folder.join("subjects");
    fs::create_dir_all(&folder).unwrap();
    for (name, of_crate) in &crates.0 {
        fs::write(folder.join(name), text(of_crate)).unwrap();
    }
    folder
}

/// A copy of the stored measurements, below this folder.
pub(crate) fn copied(folder: &Path) -> PathBuf {
    write(MeasuredCrates::embedded(), folder)
}

fn store_answers(folder: &Path, subject: &str) -> Done {
    run(program().args(["answers", "--subject", subject, "--write"]).arg(folder))
}

#[test]
fn a_file_is_named_as_that_of_the_ledger_and_has_the_text_that_commands_write() {
    let ledger = uriproof_cli::known::ledger();
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for declaration in SUBJECTS.iter().map(|subject| subject.declaration()) {
        let file = ledger.file_of(declaration).map(|file| file.file.replace(".toml", ".json"));
        let file = file.unwrap_or_else(|| format!("{}.json", declaration.name));
        places.entry(file).or_default().insert(declaration.label());
    }
    let crates = MeasuredCrates::embedded();
    for (name, of_crate) in &crates.0 {
        let labels: BTreeSet<String> = of_crate.keys().cloned().collect();
        assert_eq!(places.get(name), Some(&labels), "{name}");
        for (label, measured) in of_crate {
            assert!(
                measured.learned.iter().all(|lesson| lesson.subject == *label),
                "{name}: {label}"
            );
        }
    }
    assert_eq!(crates.0.len(), places.len());
    let folder = TempDir::new().unwrap();
    assert!(texts(&copied(folder.path())) == texts(&stored()));
}

#[test]
fn a_command_replaces_its_own_section_of_the_selected_subjects() {
    let folder = TempDir::new().unwrap();
    let mut crates = MeasuredCrates::embedded().clone();
    let of_crate = crates.0.get_mut("rfc2396.json").unwrap();
    let mut measured = of_crate[QUICK].clone();
    measured.answers = None;
    of_crate.insert(QUICK.to_owned(), measured.clone());
    // Of another version, and of a crate that is no subject.
    of_crate.insert("rfc2396 1.0.0 validate".to_owned(), measured.clone());
    let gone = BTreeMap::from([("gone 1.0.0 parse".to_owned(), measured)]);
    crates.0.insert("gone.json".to_owned(), gone);
    let written = write(&crates, folder.path());
    // It would be another text if it were written.
    let other = written.join("http.json");
    fs::write(&other, fs::read_to_string(&other).unwrap() + "\n").unwrap();
    let done = store_answers(&written, QUICK);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        done.stdout.ends_with(": the answers of 1 built-in subject\n"),
        "{}",
        done.stdout
    );
    let mut expected = texts(&stored());
    expected.get_mut("http.json").unwrap().push('\n');
    assert!(texts(&written) == expected);
}

#[test]
fn a_folder_that_is_not_there_is_made() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path().join("a/b");
    let done = store_answers(&folder, QUICK);
    assert_eq!(done.status, 0, "{}", done.stderr);
    let written = MeasuredCrates::from_folder(&folder).unwrap();
    assert!(written.answers().0[QUICK] == MeasuredCrates::embedded().answers().0[QUICK]);
    assert_eq!(texts(&folder).into_keys().collect::<Vec<_>>(), ["rfc2396.json"]);
}

/// It is named with its line, before the work is done, and nothing is written or removed.
#[test]
fn a_file_that_cannot_be_read_is_named() {
    let folder = TempDir::new().unwrap();
    let written = copied(folder.path());
    let http = fs::read_to_string(written.join("http.json")).unwrap();
    for (broken, line, problem) in [
        ("[1]".to_owned(), 1, "invalid length 1"),
        ("{\n\n".to_owned(), 3, "EOF while parsing"),
        (
            http.replacen("\"uriproof\": 1", "\"uriproof\": 7", 1),
            2,
            "the format is 7, and not 1",
        ),
        (
            http.replacen("\"learned\"", "\"earned\"", 1),
            5,
            "unknown field `earned`",
        ),
    ] {
        fs::write(written.join("http.json"), broken).unwrap();
        let before = texts(&written);
        for arguments in [
            &["answers", "--subject", QUICK, "--write"][..],
            &["answers", "--subject", QUICK, "--answers"],
            &["learn", "--subject", QUICK, "--write"],
            &["complete", "--operation", "relativize", "--subject", "iref*", "--write"],
        ] {
            let done = run(program().args(arguments).arg(&written));
            assert_eq!(done.status, 2, "{}", done.stdout);
            let place = format!(
                "{}:{line}: these are no measurements of a crate: ",
                written.join("http.json").display()
            );
            assert!(done.stderr.contains(&place), "{}", done.stderr);
            assert!(done.stderr.contains(problem), "{}", done.stderr);
            assert!(
                done.stderr.ends_with("; delete the file to measure the crate anew\n"),
                "{}",
                done.stderr
            );
        }
        assert!(texts(&written) == before);
    }
}

/// REPORT.md begins with the date: who changes what is measured changes it too.
#[test]
fn the_date_is_that_of_the_last_change() {
    let labels = SUBJECTS.iter().map(|subject| subject.declaration().label());
    let parts = [Library::embedded().version()].into_iter().chain(labels).chain(texts(&stored()).into_values());
    let hash = format!(
        "{:016x}",
        Fnv::of(parts.flat_map(|part| format!("{part}\n").into_bytes()))
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("measured/date.txt");
    let read = || fs::read_to_string(&path).unwrap();
    if env::var_os("BLESS").is_some() && !read().ends_with(&format!(" {hash}\n")) {
        fs::write(&path, format!("{} {hash}\n", today())).unwrap();
    }
    let text = read();
    let (date, of) = text.trim_end().split_once(' ').unwrap();
    assert_eq!(
        of, hash,
        "measured/date.txt: the vectors, the versions or what is measured has changed since {date}: `cargo run -- bless --step date`"
    );
    let is_date = regex::Regex::new("^[0-9]{4}-[0-9]{2}-[0-9]{2}$").unwrap();
    assert!(is_date.is_match(date), "{date}");
    // No version of the vectors is younger.
    let changelog = fs::read_to_string(root.join("vectors/CHANGELOG.md")).unwrap();
    let released = changelog.lines().find_map(|line| Some(line.strip_prefix("## ")?.split_once(" - ")?.1)).unwrap();
    assert!(
        released <= date,
        "the vectors are of {released}, and the measurement of {date}"
    );
}
