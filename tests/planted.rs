//! The vectors and the comparison against planted bugs: each is found, and nothing is found where none is.

mod mutants;

use mutants::{MUTANTS, Planted};
use uriproof::compare::{Kind, Verdict};
use uriproof::model::{Component, Fidelity, Reading, Subject, Vector};
use uriproof::report::model::{SubjectRun, run};
use uriproof::search::vectors::Library;

fn with_run<T>(subject: &dyn Subject, look: impl FnOnce(&SubjectRun<'_>) -> T) -> T {
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let run = run(&library, &[subject], &vectors, Reading::Rfc3986);
    look(&run.subjects[0])
}

#[test]
fn each_planted_bug_is_found_by_a_named_vector_and_only_where_it_is() {
    for mutant in MUTANTS {
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
            for other in subject.answers.iter().filter(|answer| answer.group_id().is_some()) {
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
    let panics = MUTANTS.iter().find(|mutant| mutant.name.contains("panics"));
    with_run(&Planted::new(panics), |subject| {
        let counts = subject.counts();
        assert!(counts.crashed > 0);
        assert_eq!(counts.diverge, 0);
        let crash = subject.answers.iter().find(|answer| answer.group_id().is_some()).unwrap();
        assert_eq!(
            crash.result.observed.to_string(),
            "crashed: no fragments please (mod.rs)"
        );
        let Verdict::Diverge(difference) = &crash.result.verdict else {
            panic!("a crash diverges")
        };
        assert_eq!(difference.kind, Kind::Crashed);
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
    let dropped = MUTANTS.iter().find(|mutant| mutant.name == "drops an empty query");
    let planted = Planted::new(dropped).telling(Component::Query, Fidelity::EmptyIsUndefined);
    with_run(&planted, |subject| assert_eq!(subject.counts().unexpected(), 0));

    let bare = MUTANTS.iter().find(|mutant| mutant.name.starts_with("loses the brackets"));
    let planted = Planted::new(bare).telling(Component::Host, Fidelity::OctetsWithoutBrackets);
    with_run(&planted, |subject| assert_eq!(subject.counts().unexpected(), 0));
    let planted = Planted::new(bare).telling(Component::Host, Fidelity::HostValue);
    with_run(&planted, |subject| assert_ne!(subject.counts().unexpected(), 0));
}
