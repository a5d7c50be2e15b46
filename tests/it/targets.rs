//! The fuzz targets under `cargo test`: every corpus file, every witness of the ledger, and seeded mutations of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use fastrand::Rng;
use rayon::prelude::*;
use uriproof::compare::{Difference, DifferenceKind};
use uriproof::model::{Component, Declaration, Input, Outcome, Rule, Subject};
use uriproof::run::Brief;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::targets::{Mode, Signature, TARGETS, Target, TargetSeeds, Watch, cross, file_of, mutate};
use uriproof_subjects::SUBJECTS;
use uriproof_subjects::reference::Reference;

/// Mutations of each seed.
const MUTATIONS: u32 = 10;

/// Random byte strings for each target.
const RANDOM: usize = 200;

fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// Every file of a target's corpus by its name.
fn corpus(target: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = folder(target);
    fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            (
                path.file_name().unwrap().to_str().unwrap().to_owned(),
                fs::read(&path).unwrap(),
            )
        })
        .collect()
}

/// The seeds that a target has from the ledger.
fn witnesses(target: &Target) -> BTreeSet<String> {
    target.seeds(&uriproof_cli::known::ledger()).files
}

fn watch(mode: Mode) -> Watch<'static> {
    Watch::new(SUBJECTS, uriproof_cli::known::ledger(), mode)
}

fn mutated(rng: &mut Rng, target: &Target, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let by_component = match rng.u8(..3) {
        0 => mutate(target, seed, rng.u32(..)),
        1 => cross(target, seed, other, rng.u32(..)),
        _ => None,
    };
    by_component.unwrap_or_else(|| {
        let mut data = seed.to_vec();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(0..=data.len());
            match rng.u8(0..3) {
                0 if at < data.len() => drop(data.remove(at)),
                1 if at < data.len() => data[at] = rng.u8(..),
                _ => {
                    let end = rng.usize(at..=data.len());
                    let copy = data[at..end].to_vec();
                    data.splice(at..at, copy);
                }
            }
        }
        data
    })
}

/// `uriproof ledger --write ledger --corpus corpus` adds what is, for a cause to be written.
#[test]
fn no_seed_is_news() {
    let told: Vec<String> = TARGETS
        .par_iter()
        .flat_map_iter(|target| {
            let files = corpus(target.name);
            assert!(!files.is_empty(), "corpus/{} is empty", target.name);
            let mut told = Vec::new();
            // Of the many witnesses of the ledger, which its own test asks, the first of each kind is looked at in full.
            let mut of_all = watch(Mode::Abort).asking_slow_ones().looking_at_everything();
            let mut of_witnesses = watch(Mode::Abort).asking_slow_ones();
            let mut run = |name: &str, data: &[u8], watch: &mut Watch<'_>| {
                target.run(data, watch);
                told.extend(watch.news().into_iter().map(|news| {
                    let (subject, class) = (news.subject.declaration(), &news.class.fingerprint);
                    format!("{}: {name}: {}: {class}", target.name, subject.label())
                }));
            };
            for (name, data) in &files {
                run(name, data, &mut of_all);
            }
            for text in witnesses(target) {
                run(&format!("{text:?}"), text.as_bytes(), &mut of_witnesses);
            }
            for figures in [of_all.figures(), of_witnesses.figures()] {
                assert!(
                    figures.inputs == 0 || figures.answers > figures.not_compared,
                    "{} compares nothing",
                    target.name
                );
            }
            told
        })
        .collect();
    assert!(
        told.is_empty(),
        "{} that the ledger does not have:\n{}",
        told.len(),
        told.join("\n")
    );
}

#[test]
fn no_mutation_and_no_random_string_breaks_us() {
    TARGETS.par_iter().for_each(|target| {
        let mut rng = Rng::with_seed(3986);
        let mut watch = watch(Mode::Collect);
        let witnesses = witnesses(target).into_iter().map(String::into_bytes);
        let files: Vec<Vec<u8>> = corpus(target.name).into_values().chain(witnesses).collect();
        for data in &files {
            for _ in 0..MUTATIONS {
                let other = rng.choice(&files).unwrap();
                target.run(&mutated(&mut rng, target, data, other), &mut watch);
            }
        }
        for _ in 0..RANDOM {
            let data: Vec<u8> = (0..rng.usize(0..40)).map(|_| rng.u8(..)).collect();
            target.run(&data, &mut watch);
        }
    });
}

#[test]
fn what_the_ledger_explains_is_counted_and_what_it_does_not_is_news_once() {
    let parse = Target::named("parse").unwrap();
    let mut known = watch(Mode::Abort);
    parse.run(b"a:b", &mut known);
    assert!(known.figures().diverged > 0, "http takes \"a:b\" for a host and a port");
    assert!(known.news().is_empty());

    let mut unknown = Watch::new(SUBJECTS, Ledger::default(), Mode::Abort);
    parse.run(b"a:b", &mut unknown);
    let news = unknown.news();
    let told = news.iter().find(|news| news.subject.declaration().name == "http").expect("http differs").to_string();
    for part in [
        "news of http 1.5.0 Uri::from_str: parse other-components ",
        "\nseverity  host\n",
        "\nside by side\n  reference",
        // The witness is small, and a vector of the suite.
        "\nvector    ",
        " has this input\n",
        "\nentry\n  [[entry]]\n",
        "\nagain     URIPROOF_FUZZ='only=parse other-components",
    ] {
        assert!(told.contains(part), "no {part:?} in: {told}");
    }
    parse.run(b"a:b", &mut unknown);
    assert!(unknown.news().is_empty(), "the same is told twice");
    // One that the suite does not have.
    let mut long = Watch::new(SUBJECTS, Ledger::default(), Mode::Abort);
    parse.run(format!("a:{}", "/".repeat(300)).as_bytes(), &mut long);
    parse.run(b"//a|b:8~@c|d/e<f", &mut long);
    let texts: Vec<String> = long.news().iter().map(ToString::to_string).collect();
    let ready = texts.iter().filter(|text| text.contains("\nvector\n  {\"id\":\"found/reading/")).count();
    assert!(ready > 0, "{texts:?}");

    let mut counted = Watch::new(SUBJECTS, Ledger::default(), Mode::Collect);
    parse.run(b"a:b", &mut counted);
    assert!(counted.news().is_empty());
    assert_eq!(counted.figures().diverged * 2, unknown.figures().diverged);
    assert_eq!(counted.figures().looked_at, 0);
}

/// The reference, but it refuses the first fragment that it is asked.
struct Moody(AtomicBool);

impl Subject for Moody {
    fn declaration(&self) -> &Declaration {
        Reference.declaration()
    }

    fn parse(&self, rule: Rule, input: &str) -> Outcome {
        if input.contains('#') && !self.0.swap(true, Ordering::Relaxed) {
            return Outcome::rejected("not today");
        }
        Reference.parse(rule, input)
    }
}

#[test]
fn what_differs_once_and_never_again_is_news() {
    let moody = Moody(AtomicBool::new(false));
    let subjects: [&dyn Subject; 1] = [&moody];
    let mut watch = Watch::new(&subjects, uriproof_cli::known::ledger(), Mode::Abort);
    Target::named("parse").unwrap().run(b"a:b#c", &mut watch);
    let news = watch.news();
    let [first] = news.as_slice() else {
        panic!("{} news", news.len());
    };
    assert!(first.has_gone);
    assert_eq!(first.class.fingerprint.as_str(), "parse rejected-valid");
    assert!(
        first.to_string().contains("\nunstable  it differed at first"),
        "{first}"
    );
}

#[test]
fn a_file_that_is_run_alone_is_looked_at_in_full() {
    let parse = Target::named("parse").unwrap();
    let looked_at = |mut watch: Watch<'_>| {
        parse.run(b"a:b", &mut watch);
        parse.run(b"c:d", &mut watch);
        watch.news();
        // What a profile predicts needs no look.
        let figures = watch.figures();
        (figures.looked_at + figures.predicted, figures.diverged)
    };
    let (some, diverged) = looked_at(watch(Mode::Abort));
    assert!(some < diverged, "the second is like the first");
    let (all, diverged) = looked_at(watch(Mode::Abort).looking_at_everything());
    assert_eq!(all, diverged);
}

/// Strictness is of the question, not of its texts.
#[test]
fn what_is_asked_otherwise_is_another_kind() {
    let resolve = |strict| Input::Resolve {
        base: "http://a/b".to_owned(),
        reference: "http:c".to_owned(),
        strict,
    };
    let brief = Brief {
        difference: Difference {
            kind: DifferenceKind::OtherUri,
            components: Component::Path.into(),
        },
        crash: None,
    };
    let signature = |input: &Input| Signature::of(0, input, &brief);
    assert_ne!(signature(&resolve(true)), signature(&resolve(false)));
    assert_eq!(signature(&resolve(true)), signature(&resolve(true)));
}

#[test]
fn one_class_alone_is_looked_for() {
    let parse = Target::named("parse").unwrap();
    let class = "parse other-components scheme+host";
    let only = || watch(Mode::Only(class.to_owned()));
    let mut shows = only();
    parse.run(b"x-y:", &mut shows);
    let news = shows.news();
    assert!(
        !news.is_empty(),
        "the ledger has the class, but it is the one that is looked for"
    );
    assert!(news.iter().all(|news| news.class.fingerprint.as_str() == class));
    let mut another = only();
    parse.run(b"//a\\@b", &mut another);
    assert!(another.figures().diverged > 0);
    assert!(another.news().is_empty());
}

/// No witness is left out silently: what cannot be written as a file has a line break, or is long.
#[test]
fn every_witness_is_a_seed_or_cannot_be_one() {
    let ledger = uriproof_cli::known::ledger();
    let seeds: Vec<(&Target, TargetSeeds)> = TARGETS.iter().map(|target| (target, target.seeds(&ledger))).collect();
    let mut texts = BTreeSet::new();
    for input in ledger.witnesses() {
        match file_of(input) {
            (name, Some(text)) => {
                texts.insert((name, text.clone()));
                let (target, seeds) = seeds.iter().find(|(target, _)| target.name == name).unwrap();
                assert!(seeds.files.contains(&text), "{input:?} is no seed of {name}");
                assert!(text.len() <= target.longest);
            }
            (name, None) => {
                let (target, seeds) = seeds.iter().find(|(target, _)| target.name == name).unwrap();
                assert!(seeds.without_file.contains(input), "{name} does not count {input:?}");
                let is_long = input.size() > target.longest / 2;
                assert!(
                    is_long || format!("{input:?}").contains("\\n"),
                    "{input:?} can be written"
                );
            }
        }
    }
    let files: usize = seeds.iter().map(|(_, seeds)| seeds.files.len()).sum();
    assert!(!texts.is_empty());
    assert_eq!(files, texts.len(), "a seed is a witness, and each witness once");
}

/// A corpus file that holds a witness says nothing that the ledger does not say.
#[test]
fn no_corpus_file_is_a_copy_of_a_witness() {
    for target in TARGETS {
        let witnesses = witnesses(target);
        for (name, data) in corpus(target.name) {
            let is_copy = std::str::from_utf8(&data).is_ok_and(|text| witnesses.contains(text));
            assert!(
                !is_copy,
                "corpus/{}/{name} is a witness of the ledger: remove it",
                target.name
            );
        }
    }
}

#[test]
fn a_file_asks_what_it_was_made_of() {
    let plain = |input: &Input| match input {
        // A file has no rule: each subject is asked for its own.
        Input::Parse { input, .. } => format!("parse {input:?}"),
        other => format!("{other:?}"),
    };
    let ledger = uriproof_cli::known::ledger();
    let mut with_file = 0;
    for witness in ledger.witnesses() {
        let (target, Some(text)) = file_of(witness) else {
            continue;
        };
        let inputs = Target::named(target).unwrap().inputs(text.as_bytes());
        let wanted = plain(witness);
        assert!(
            inputs.iter().any(|input| plain(input) == wanted),
            "{wanted} is not asked by {text:?}"
        );
        with_file += 1;
    }
    assert!(
        with_file * 10 > ledger.witnesses().count() * 9,
        "only {with_file} witnesses have a file"
    );
}
