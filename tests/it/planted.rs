//! Vectors, comparison, search and minimisation against planted bugs: each is found, once, and nothing where none is.

use std::collections::BTreeMap;

use crate::mutants::{Mutant, Planted, mutant, mutants};
use rayon::prelude::*;
use uriproof::compare::{DifferenceKind, Verdict};
use uriproof::model::{Component, Fidelity, Input, Reading, Rule, Rung, Scope, Subject, Vector};
use uriproof::run;
use uriproof::vectors::Library;
use uriproof_cli::report::model::{SubjectRun, run};
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::divergence::fingerprint::{Class, Mark};
use uriproof_lab::divergence::minimize::{minimize, without_one_character};
use uriproof_lab::hunt::{Batch, Hunt, inputs_of_batch};
use uriproof_lab::predict::Predictors;

/// How many batches a planted bug may take until it is found.
const MOST: u64 = 11;

/// How many are run in any case: that many inputs show no second class.
const LEAST: u64 = 5;

const SEEDS: [u64; 2] = [0, 1];

fn with_run<T>(subject: &dyn Subject, look: impl FnOnce(&SubjectRun<'_>) -> T) -> T {
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let run = run(&library, &[subject], &vectors, Reading::Rfc3986);
    look(&run.subjects[0])
}

#[test]
fn each_planted_bug_is_found_by_a_named_vector_and_only_where_it_is() {
    for mutant in mutants() {
        with_run(&Planted::new(Some(mutant)), |subject| {
            let answer = subject
                .answer(mutant.witness)
                .unwrap_or_else(|| panic!("no vector {}, which should find: {}", mutant.witness, mutant.name));
            assert!(
                matches!(answer.result.verdict, Verdict::Diverge(_)),
                "{} does not find: {}; {:?}",
                mutant.witness,
                mutant.name,
                answer.result.observed
            );
            for other in subject.answers.iter().filter(|answer| answer.diverges()) {
                assert_eq!(
                    other.vector.input.operation(),
                    mutant.operation,
                    "{} in {}",
                    mutant.name,
                    other.vector.id
                );
            }
        });
    }
}

#[test]
fn a_panic_is_counted_as_a_crash() {
    with_run(&Planted::new(Some(mutant("panics on a fragment"))), |subject| {
        let counts = subject.counts();
        assert!(counts.crashed > 0);
        assert_eq!(counts.diverge, 0);
        let crash = subject.answers.iter().find(|answer| answer.diverges()).unwrap();
        let observed = crash.result.observed.to_string();
        assert!(
            observed.starts_with("crashed: no fragments please (parse.rs"),
            "{observed}"
        );
        let Verdict::Diverge(difference) = &crash.result.verdict else {
            panic!("a crash diverges")
        };
        assert_eq!(difference.kind, DifferenceKind::Crashed);
    });
}

#[test]
fn a_subject_without_a_bug_agrees_everywhere() {
    with_run(&Planted::new(None), |subject| {
        let counts = subject.counts();
        assert_eq!(counts.agree, counts.total());
    });
}

#[test]
fn what_a_subject_cannot_tell_is_not_held_against_it() {
    let dropped = Some(mutant("drops an empty query"));
    let planted = Planted::new(dropped).telling(Component::Query, Fidelity::EmptyIsUndefined);
    with_run(&planted, |subject| assert_eq!(subject.counts().unexpected(), 0));

    let bare = Some(mutant("loses the brackets of an IP-literal"));
    let planted = Planted::new(bare).telling(Component::Host, Fidelity::OctetsWithoutBrackets);
    with_run(&planted, |subject| assert_eq!(subject.counts().unexpected(), 0));
    let planted = Planted::new(bare).telling(Component::Host, Fidelity::BareHost);
    with_run(&planted, |subject| assert_eq!(subject.counts().unexpected(), 0));
    let planted = Planted::new(bare).telling(Component::Host, Fidelity::HostValue);
    with_run(&planted, |subject| assert_ne!(subject.counts().unexpected(), 0));
}

/// The classes that hunting finds in batches of a seed, by their names: until there are some, but in
/// [`LEAST`] at least.
fn hunted(planted: &Planted, seed: u64) -> BTreeMap<String, Class> {
    let mut found = BTreeMap::new();
    for number in 0..MOST {
        if number >= LEAST && !found.is_empty() {
            break;
        }
        found.extend(batch(planted, seed, number));
    }
    found
}

fn batch(planted: &Planted, seed: u64, number: u64) -> Vec<(String, Class)> {
    let hunt = Hunt {
        subjects: &[planted],
        seed,
        every_input: false,
        dictionary: &Dictionary::default(),
        predictors: &Predictors::default(),
    };
    hunt.classes(number, 0..inputs_of_batch(number), &mut Batch::default())
        .into_iter()
        .map(|(_, class)| (name(&class), class))
        .collect()
}

/// How a class differs, and its witness; of a crash its place without the line, which an edit moves.
fn name(class: &Class) -> String {
    let fingerprint = class.fingerprint.to_string();
    match fingerprint.rsplit_once(".rs:") {
        Some((file, _)) if class.difference.kind == DifferenceKind::Crashed => format!("{file}.rs"),
        _ => {
            let difference = fingerprint.split(": ").next().unwrap_or_default();
            format!("{difference} {}", class.witness.input)
        }
    }
}

#[test]
fn hunting_finds_each_planted_bug_in_one_class() {
    let cases: Vec<(&Mutant, u64)> = mutants().flat_map(|mutant| SEEDS.map(|seed| (mutant, seed))).collect();
    let failures: Vec<String> = cases
        .into_par_iter()
        .filter_map(|(mutant, seed)| {
            let found = hunted(&Planted::new(Some(mutant)), seed);
            let names: Vec<&str> = found.keys().map(String::as_str).collect();
            let is_right = match mutant.classes {
                [_] => names == mutant.classes,
                several => !names.is_empty() && names.iter().all(|name| several.contains(name)),
            };
            (!is_right).then(|| format!("{}, seed {seed}: {names:#?}", mutant.name))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(mutants().count() >= 40);
    assert!(mutants().filter(|mutant| mutant.classes.len() > 1).count() <= 5);
}

#[test]
fn hunting_finds_nothing_where_no_bug_is() {
    let found: Vec<String> = (0..7_u64)
        .into_par_iter()
        .flat_map_iter(|number| batch(&Planted::new(None), SEEDS[0], number).into_iter().map(|(name, _)| name))
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

/// Inputs of 60 characters and more, with much in them that a bug can show in.
fn long_inputs() -> Vec<Input> {
    let texts = [
        "HTTP://u:p@@[::a::1]:065536/a/[b]/../c%2F%Aa%20/\\?q=1 2&?#f?g",
        "a.b+C://@[Va.b]:/..//./d;e=f/%7e%61/x:y/?#%aa-aaaaaaaaaaaaaa",
        "//:@01.02.3.4:99999/g/h/../../../i/%zz/é/j?k=%26#l?m=n&o=p%C3%A9",
    ];
    let text = |at: usize| texts[at].to_owned();
    let valid = "HTTP://u:p@[::A]:080/a/./b/../%2F%7e%aA/c:d/?q=%26&r=%2f#F%aa".to_owned();
    let mut inputs: Vec<Input> = (0..texts.len())
        .map(|at| Input::Parse {
            rule: Rule::UriReference,
            input: text(at),
        })
        .collect();
    inputs.extend([
        Input::Parse {
            rule: Rule::Uri,
            input: valid.clone(),
        },
        Input::RoundTrip { uri: valid.clone() },
        Input::Normalize {
            uri: valid.clone(),
            scope: Scope::Scheme,
        },
        Input::Resolve {
            base: "http://u@h:1/a/b/c?q#f".to_owned(),
            reference: "../../../../g//h/./i/../j?k#l-aaaaaaaaaaaaaa".to_owned(),
            strict: true,
        },
        Input::Equivalent {
            left: valid.clone(),
            right: valid.replace("%2F", "/"),
            rung: Rung::Scheme,
        },
        Input::Contract {
            left: valid.clone(),
            right: valid.to_lowercase(),
        },
        Input::Modify {
            uri: valid,
            component: Component::Host,
            value: Some("[::1.2.3.4]".to_owned()),
        },
    ]);
    inputs
}

#[test]
fn minimised_is_a_local_minimum_and_stays_as_it_is() {
    let subjects: Vec<&Mutant> = mutants().collect();
    let library = Library::embedded();
    let shrunk: usize = subjects
        .into_par_iter()
        .map(|mutant| {
            let planted = Planted::new(Some(mutant));
            let witness =
                library.vectors().find(|vector| vector.id == mutant.witness).map(|vector| vector.input.clone());
            let mut shrunk = 0;
            for input in witness.into_iter().chain(long_inputs()) {
                for mark in Mark::all(&run::one(&planted, &input, Reading::Rfc3986)) {
                    let mut same = |input: &Input| mark.is_of(&run::one(&planted, input, Reading::Rfc3986));
                    // What shows in the second question only is another input's.
                    if !same(&input) {
                        continue;
                    }
                    let minimal = minimize(&input, &mut same);
                    assert!(same(&minimal), "{}: {input} became {minimal}", mutant.name);
                    for smaller in without_one_character(&minimal) {
                        assert!(!same(&smaller), "{}: {smaller} is smaller than {minimal}", mutant.name);
                    }
                    assert_eq!(minimize(&minimal, &mut same), minimal, "{}: {input}", mutant.name);
                    shrunk += 1;
                }
            }
            shrunk
        })
        .sum();
    assert!(shrunk > mutants().count());
}
