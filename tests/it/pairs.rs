//! Pairs of subjects: a planted difference is found with the shortest input, and none is found where there is none.

use crate::mutants::{Planted, mutant};
use uriproof::model::{Component, Fidelity, Input, Operation, Reported, Rule, Subject};
use uriproof_lab::pairs::{Inputs, KEPT, Pairs, pairs};
use uriproof_subjects::reference::Reference;

fn between(one: &dyn Subject, other: &dyn Subject, inputs: &Inputs) -> Pairs {
    pairs(&[one, other], inputs)
}

const LOSES_BRACKETS: &str = "loses the brackets of an IP-literal";
const KEEPS_DOT_DOT: &str = "keeps a dot-dot above the root";
const LOSES_AUTHORITY: &str = "loses the authority of the base before an absolute path";
const PANICS: &str = "panics on a fragment";
const DROPS_QUERY: &str = "drops an empty query";

fn planted(name: &str) -> Planted {
    Planted::new(Some(mutant(name)))
}

fn everything() -> Inputs {
    Inputs::new(&uriproof_cli::known::ledger(), 5_000, 1)
}

#[test]
fn one_parser_under_two_names_differs_in_nothing() {
    let found = between(&Reference, &Planted::new(None), &everything());
    assert_eq!(found.differing().count(), 0);
    // What was not compared is counted: it is refused, or no URI-reference in what the two are for.
    let [one, other] = &*found.counts else {
        panic!("{:?}", found.counts)
    };
    assert_eq!(one, other);
    assert!(one.compared > 1_000 && one.refused > 1_000, "{one:?}");
    assert_eq!(one.beyond_budget, 0);
}

#[test]
fn a_host_that_loses_its_brackets_is_found_with_the_shortest_inputs() {
    let found = between(&Reference, &planted(LOSES_BRACKETS), &everything());
    let differing: Vec<_> = found.differing().collect();
    let [one] = &*differing else { panic!("{differing:?}") };
    assert_eq!(
        (one.left, one.right, one.component, one.operation),
        (0, 1, Component::Host, Operation::Parse)
    );
    assert_eq!(one.witnesses.len(), KEPT);
    assert!(one.witnesses.is_sorted_by_key(|witness| witness.input.size()));
    let shortest = &one.witnesses[0];
    let Input::Parse {
        rule: Rule::UriReference,
        input,
    } = &shortest.input
    else {
        panic!("{shortest:?}")
    };
    assert_eq!(input, "//[::]");
    assert_eq!(shortest.left, Reported::Defined("[::]".to_owned()));
    assert_eq!(shortest.right, Reported::Defined("::".to_owned()));
}

#[test]
fn what_one_of_a_pair_cannot_tell_is_not_held_against_it() {
    for fidelity in [Fidelity::BareHost, Fidelity::OctetsWithoutBrackets] {
        let bare = planted(LOSES_BRACKETS).telling(Component::Host, fidelity);
        assert_eq!(between(&Reference, &bare, &everything()).differing().count(), 0);
    }
}

#[test]
fn another_path_or_a_panic_is_no_other_place() {
    for name in [PANICS, KEEPS_DOT_DOT, DROPS_QUERY] {
        let found = between(&Reference, &planted(name), &everything());
        let found: Vec<_> = found.differing().filter(|one| one.operation == Operation::Parse).collect();
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

#[test]
fn targets_are_compared_too() {
    let input = Input::Resolve {
        base: "http://h:1/".to_owned(),
        reference: "/g".to_owned(),
        strict: true,
    };
    let found = between(&Reference, &planted(LOSES_AUTHORITY), &Inputs::only([input.clone()]));
    let differing: Vec<_> =
        found.differing().map(|one| (one.component, one.operation, one.witnesses[0].input.clone())).collect();
    assert_eq!(
        differing,
        [
            (Component::Host, Operation::Resolve, input.clone()),
            (Component::Port, Operation::Resolve, input)
        ]
    );
}

#[test]
fn the_same_inputs_give_the_same() {
    let bare = planted(LOSES_BRACKETS);
    let found = between(&Reference, &bare, &everything());
    assert_eq!(found, between(&Reference, &bare, &everything()));
}
