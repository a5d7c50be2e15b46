//! The mutants, and what the standard suite kills of them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use uriproof_grammar::Dfa;
use uriproof_grammar::difference::equivalent;
use uriproof_grammar::standard::Standard;
use uriproof_lab::mutants::Rate;
use uriproof_lab::mutants::grammar::{GrammarMutant, MutantFamily, Mutants, NamedSuite, SkipReason, kill_rates};

static OPERATORS: LazyLock<Mutants> = LazyLock::new(|| Mutants::operators().unwrap());
static REALISTIC: LazyLock<Mutants> = LazyLock::new(|| Mutants::realistic().unwrap());

#[test]
fn there_are_enough_of_every_kind() {
    assert!(OPERATORS.mutants.len() >= 1_100, "{}", OPERATORS.mutants.len());
    assert!(REALISTIC.mutants.len() >= 400, "{}", REALISTIC.mutants.len());
    assert_eq!(MutantFamily::REALISTIC.len(), 13);
    for (set, families, least) in [
        (&*OPERATORS, MutantFamily::OPERATORS, 30),
        (&*REALISTIC, MutantFamily::REALISTIC, 20),
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
        let names: BTreeSet<(MutantFamily, &str)> =
            set.mutants.iter().map(|mutant| (mutant.family, &*mutant.name)).collect();
        assert_eq!(names.len(), set.mutants.len());
        let machines: Vec<&Dfa> = set.mutants.iter().filter_map(GrammarMutant::machine).collect();
        let identities: BTreeSet<String> = machines.iter().map(|machine| machine.identity().to_string()).collect();
        assert_eq!(identities.len(), machines.len());
    }
}

#[test]
fn what_is_no_mutant_is_counted() {
    let count = |set: &Mutants, is: fn(&SkipReason) -> bool| set.skipped.iter().filter(|skip| is(&skip.reason)).count();
    assert!(count(&OPERATORS, |reason| *reason == SkipReason::Equivalent) > 0);
    // Most choices of the grammar mean the same in any order.
    let is_order = |family: &MutantFamily| *family == MutantFamily::Order;
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
    let rows = kill_rates(&[&OPERATORS, &REALISTIC], &[NamedSuite::new("few", &strings)]);
    let (operators, realistic) = (rows[0].rates.operators, rows[0].rates.realistic);
    for (set, rate) in [(&*OPERATORS, operators), (&*REALISTIC, realistic)] {
        let differs = |mutant: &&GrammarMutant| {
            strings.iter().any(|string| mutant.accepts(string) != set.reference().accepts(string))
        };
        assert_eq!(rate, Rate::of(&set.mutants, differs));
    }
    assert_eq!(
        rows[0].survivors.len(),
        operators.total + realistic.total - operators.killed - realistic.killed
    );
}

#[test]
fn the_standard_suite_kills_what_it_promises() {
    let rows = kill_rates(
        &[&OPERATORS, &REALISTIC],
        &[NamedSuite::new("standard", Standard::of_rfc3986().unwrap().strings())],
    );
    let row = &rows[0];
    for (rate, percent) in [(row.rates.operators, 97), (row.rates.realistic, 99)] {
        assert!(rate.killed * 100 >= rate.total * percent, "{rate:?}");
    }
    assert!(row.survivors.iter().all(|survivor| !survivor.reason.is_empty()));
}
