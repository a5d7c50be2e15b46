//! The mutants, and what the standard suite kills of them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use uriproof_grammar::Dfa;
use uriproof_grammar::difference::equivalent;
use uriproof_grammar::mutants::{Family, Mutant, Mutants, SkipReason, Strings, kill_rates};
use uriproof_grammar::standard::Standard;

static OPERATORS: LazyLock<Mutants> = LazyLock::new(|| Mutants::operators().unwrap());
static REALISTIC: LazyLock<Mutants> = LazyLock::new(|| Mutants::realistic().unwrap());

#[test]
fn there_are_enough_of_every_kind() {
    assert!(OPERATORS.mutants.len() >= 1_100, "{}", OPERATORS.mutants.len());
    assert!(REALISTIC.mutants.len() >= 400, "{}", REALISTIC.mutants.len());
    assert_eq!(Family::REALISTIC.len(), 12);
    for (set, families, least) in [
        (&*OPERATORS, Family::OPERATORS, 30),
        (&*REALISTIC, Family::REALISTIC, 20),
    ] {
        for &family in families {
            let count = set.mutants.iter().filter(|mutant| mutant.family == family).count();
            assert!(count >= least, "{family}: {count}");
        }
        assert!(set.mutants.iter().all(|mutant| families.contains(&mutant.family)));
    }
}

#[test]
fn none_is_equivalent_to_the_rfc() {
    for set in [&*OPERATORS, &*REALISTIC] {
        let reference = set.reference();
        for (number, mutant) in set.mutants.iter().enumerate() {
            let name = &mutant.name;
            if let Some(machine) = mutant.machine() {
                assert!(!equivalent(reference, machine), "{name}");
                // The product is exact and slow: that its witness is one is seen on every tenth.
                if number % 10 != 0 {
                    continue;
                }
            }
            let witness = mutant.witness(reference);
            assert_ne!(mutant.accepts(&witness), reference.accepts(&witness), "{name}");
        }
    }
}

#[test]
fn no_two_are_the_same() {
    for set in [&*OPERATORS, &*REALISTIC] {
        let names: BTreeSet<(Family, &str)> = set.mutants.iter().map(|mutant| (mutant.family, &*mutant.name)).collect();
        assert_eq!(names.len(), set.mutants.len());
        let machines: Vec<&Dfa> = set.mutants.iter().filter_map(Mutant::machine).collect();
        let identities: BTreeSet<String> = machines.iter().map(|machine| machine.identity().to_string()).collect();
        assert_eq!(identities.len(), machines.len());
    }
}

#[test]
fn what_is_no_mutant_is_counted() {
    let count = |set: &Mutants, is: fn(&SkipReason) -> bool| set.skipped.iter().filter(|skip| is(&skip.reason)).count();
    assert!(count(&OPERATORS, |reason| *reason == SkipReason::Equivalent) > 0);
    // Most choices of the grammar mean the same in any order.
    let is_order = |family: &Family| *family == Family::Order;
    let skipped = OPERATORS.skipped.iter().filter(|skip| is_order(&skip.family));
    assert!(skipped.filter(|skip| skip.reason == SkipReason::Equivalent).count() >= 100);
    assert!(count(&OPERATORS, |reason| matches!(reason, SkipReason::Duplicate(_))) > 0);
    assert_eq!(count(&OPERATORS, |reason| *reason == SkipReason::TooLarge), 0);
    assert_eq!(
        count(&REALISTIC, |reason| matches!(
            reason,
            SkipReason::TooLarge | SkipReason::Recursion
        )),
        0
    );
}

#[test]
fn a_suite_kills_what_differs_on_one_of_its_strings() {
    // Few strings, every mutant: the quick way through the suite and the plain one agree.
    let strings: Vec<&[u8]> = vec![
        b"",
        b"a",
        b"a:b",
        b"//h:65536",
        b"//[::1]",
        b"//[::]/",
        b" a",
        b"/%zz",
        b"//u@h",
        b"?q#f",
    ];
    let rates = kill_rates(&[&OPERATORS, &REALISTIC], &[Strings::new("few", &strings)]);
    for (set, families) in [(&*OPERATORS, Family::OPERATORS), (&*REALISTIC, Family::REALISTIC)] {
        let differs =
            |mutant: &&Mutant| strings.iter().any(|string| mutant.accepts(string) != set.reference().accepts(string));
        let tally = rates.rows[0].tally(families);
        assert_eq!(tally.killed, set.mutants.iter().filter(differs).count());
        assert_eq!(tally.total, set.mutants.len());
    }
    assert_eq!(
        rates.rows[0].survivors.len(),
        OPERATORS.mutants.len() + REALISTIC.mutants.len()
            - rates.rows[0].tally(Family::OPERATORS).killed
            - rates.rows[0].tally(Family::REALISTIC).killed
    );
}

#[test]
fn the_standard_suite_kills_what_it_promises() {
    let rates = kill_rates(
        &[&OPERATORS, &REALISTIC],
        &[Strings::new("standard", Standard::of_rfc3986().unwrap().strings())],
    );
    let row = &rates.rows[0];
    let (operators, realistic) = (row.tally(Family::OPERATORS), row.tally(Family::REALISTIC));
    assert!(operators.rate() >= 0.97, "{operators:?}");
    assert!(realistic.rate() >= 0.99, "{realistic:?}");
    assert!(row.survivors.iter().all(|survivor| !survivor.reason.is_empty()));
}
