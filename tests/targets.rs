//! The fuzz targets under `cargo test`: every corpus file, and seeded mutations of them.

use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use uriproof::search::targets::{Recorder, TARGETS, Target};

/// Mutations of each corpus file.
const MUTATIONS: usize = 20;

/// Random byte strings for each target.
const RANDOM: usize = 200;

/// What the grammar is about; mutations insert these.
const PIECES: [&str; 24] = [
    ":", "/", "?", "#", "[", "]", "@", "//", "::", ".", "..", "/../", "/./", "%", "%41", "%2e", "%zz", "1", "255",
    "v1.", "a", "Z", "\u{e9}", "\n=",
];

fn corpus(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

fn mutated(rng: &mut Rng, seed: &[u8]) -> Vec<u8> {
    let mut data = seed.to_vec();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(0..=data.len());
        match rng.u8(0..4) {
            0 => {
                let piece = rng.choice(PIECES).unwrap_or_default();
                data.splice(at..at, piece.bytes());
            }
            1 if at < data.len() => {
                data.remove(at);
            }
            2 if at < data.len() => data[at] = rng.u8(..),
            _ => {
                let end = rng.usize(at..=data.len());
                let copy = data[at..end].to_vec();
                data.splice(at..at, copy);
            }
        }
    }
    data
}

#[test]
fn no_corpus_file_breaks_the_reference() {
    for target in TARGETS {
        let mut recorder = Recorder::default();
        let files = corpus(target);
        assert!(!files.is_empty(), "corpus/{} is empty", target.name);
        for (_, data) in &files {
            (target.run)(data, &mut recorder);
        }
        let (answers, not_compared) = recorder.answers();
        assert!(answers > not_compared, "{} compares nothing", target.name);
    }
}

#[test]
fn no_mutation_and_no_random_string_breaks_the_reference() {
    for target in TARGETS {
        let mut rng = Rng::with_seed(3986);
        let mut recorder = Recorder::default();
        for (_, data) in corpus(target) {
            for _ in 0..MUTATIONS {
                (target.run)(&mutated(&mut rng, &data), &mut recorder);
            }
        }
        for _ in 0..RANDOM {
            let data: Vec<u8> = (0..rng.usize(0..40)).map(|_| rng.u8(..)).collect();
            (target.run)(&data, &mut recorder);
        }
    }
}

#[test]
fn what_subjects_do_otherwise_is_recorded_once_for_each_signature() {
    let mut recorder = Recorder::default();
    let parse = TARGETS.iter().find(|target| target.name == "parse").unwrap();
    (parse.run)(b"a:b", &mut recorder);
    let first = recorder.take_news();
    assert!(
        first.iter().any(|news| news.to_string().contains("http ")),
        "http takes \"a:b\" for a host and a port"
    );
    (parse.run)(b"a:b", &mut recorder);
    assert_eq!(recorder.take_news(), []);
    assert!(recorder.seen().all(|(_, count, _)| count == 2));
}
