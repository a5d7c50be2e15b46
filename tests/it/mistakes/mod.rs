//! Mistakes that other libraries make are planted: `check` fails them, though no vector was written for them.

mod groups;
mod table;

use rayon::prelude::*;
use uriproof::algorithms::Size;
use uriproof::gate::{Conclusion, Gate};
use uriproof::model::{Operation, Scope};
use uriproof::vectors::Library;

use self::table::{MISTAKES, NORMALIZERS};
use crate::mutants::{Planted, Twist};

/// A mistake: its name, the operation in which it shows, what it makes of an outcome of the reference.
type Mistake = (&'static str, Operation, Twist);

/// What fails of a library with a mistake: groups of the suite of the operation.
fn failures(operation: Operation, twist: Twist, scope: Option<Scope>) -> usize {
    let planted = Planted::with(Some((operation, twist)));
    let planted = match scope {
        Some(scope) => planted.of_scope(scope),
        None => planted,
    };
    let suite = format!("suite/{operation}");
    let library = Library::embedded();
    let gate = Gate::of(&planted).suite(Some(Size::Core)).only(&[&suite]).unwrap();
    let judgement = gate.run(&library).unwrap();
    assert_eq!(
        judgement.conclusion() == Conclusion::Fail,
        !judgement.failures().is_empty()
    );
    judgement.failures().len()
}

#[test]
fn every_mistake_fails() {
    let normalizers = NORMALIZERS.iter().map(|(name, twist)| (*name, Operation::Normalize, *twist));
    let mistakes: Vec<Mistake> = normalizers.chain(MISTAKES.iter().copied()).collect();
    let missed: Vec<&str> = mistakes
        .par_iter()
        .filter(|(_, operation, twist)| failures(*operation, *twist, None) == 0)
        .map(|(name, ..)| *name)
        .collect();
    assert_eq!(missed, [""; 0]);
}

/// Many libraries have one normal form, that of the scheme.
#[test]
fn every_mistake_of_a_normalizer_fails_in_the_scheme_scope_alone() {
    let missed: Vec<&str> = NORMALIZERS
        .par_iter()
        .filter(|(_, twist)| failures(Operation::Normalize, *twist, Some(Scope::Scheme)) == 0)
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(missed, [""; 0]);
}

/// No suite blames what follows the RFC.
#[test]
fn the_reference_passes_every_suite() {
    for size in [Size::Core, Size::Standard] {
        let planted = Planted::with(None);
        let gate = Gate::of(&planted).suite(Some(size)).only(&["suite/*"]).unwrap();
        let library = Library::embedded();
        let judgement = gate.run(&library).unwrap();
        assert_eq!(judgement.failures(), []);
        let suites: Vec<Operation> = judgement.suites.iter().map(|suite| suite.operation).collect();
        assert_eq!(suites, Operation::ALL);
        assert!(judgement.suites.iter().all(|suite| suite.counts.compared() > 1000 && suite.counts.diverge == 0));
    }
}
