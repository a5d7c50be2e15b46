//! Which two crates send one input to different places.

use std::collections::{BTreeMap, BTreeSet};

use uriproof::model::{Component, Declaration, Input, Quoted, Reported, Subject};
use uriproof_lab::address::{AddressReach, AddressReading, host_syntax};
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::pairs::{DifferingSubjects, Inputs, Witness, pairs};

use crate::report::markup::cell;
use crate::report::model::is_reference;

/// How many pairs are shown.
const SHOWN: usize = 12;

/// The components that say where a request goes, the most serious first.
const SERIOUS: [Component; 3] = [Component::Host, Component::Port, Component::Scheme];

/// The pairs of crates that see different places.
pub(super) struct PairsView {
    /// What one of the pairs allows, in words; empty if there is none.
    pub(super) example: String,
    /// How many pairs of crates differ in each component, in words.
    pub(super) counts: String,
    pub(super) rows: Vec<PlacesRow>,
}

/// Two crates and an input.
pub(super) struct PlacesRow {
    pub(super) left: String,
    pub(super) right: String,
    pub(super) component: Component,
    pub(super) input: String,
    pub(super) one: String,
    pub(super) other: String,
}

/// Two crates, and the shortest input on which they differ in a component.
struct PairOfCrates<'a> {
    names: [String; 2],
    component: Component,
    witness: &'a Witness,
}

impl PairsView {
    /// Of the `http` and `https` URIs, valid or not, of the vectors and of the ledger, put to each subject but the reference.
    pub(super) fn of(subjects: &[&dyn Subject], ledger: &Ledger) -> PairsView {
        let subjects: Vec<&dyn Subject> =
            subjects.iter().copied().filter(|subject| !is_reference(subject.declaration())).collect();
        let is_http = |input: &Input| matches!(input, Input::Parse { input, .. } if input.starts_with("http"));
        let found = pairs(&subjects, &Inputs::known_that(ledger, is_http));
        let differing: Vec<DifferingSubjects<'_>> = found.differing().collect();
        let of_crates = by_crates(&subjects, &differing);
        let mut met = BTreeSet::new();
        let mut rows: Vec<&PairOfCrates<'_>> = of_crates.iter().collect();
        rows.sort_by_key(|pair| (seriousness(pair.component), pair.witness.rank(), &pair.names));
        // A program without a value may refuse; one with a wrong value sends a request.
        rows.retain(|pair| !pair.witness.is_one_sided() && met.insert(&pair.witness.input));
        PairsView {
            example: example(&of_crates),
            counts: SERIOUS.map(|component| counted(component, &of_crates)).join(", "),
            rows: rows.into_iter().take(SHOWN).map(PlacesRow::of).collect(),
        }
    }
}

impl PlacesRow {
    fn of(pair: &PairOfCrates<'_>) -> PlacesRow {
        let [left, right] = pair.names.clone();
        PlacesRow {
            left,
            right,
            component: pair.component,
            input: cell(&text(&pair.witness.input)),
            one: seen(&pair.witness.left),
            other: seen(&pair.witness.right),
        }
    }
}

fn seriousness(component: Component) -> usize {
    SERIOUS.iter().position(|one| *one == component).unwrap_or(SERIOUS.len())
}

/// The shortest input of each pair of crates and each component, in the order of the crates.
fn by_crates<'a>(subjects: &[&dyn Subject], differing: &[DifferingSubjects<'a>]) -> Vec<PairOfCrates<'a>> {
    let name = |at: usize| {
        let Declaration { name, version, .. } = subjects[at].declaration();
        format!("{name} {version}")
    };
    let mut shortest: BTreeMap<([String; 2], usize), PairOfCrates<'a>> = BTreeMap::new();
    for one in differing {
        let names = [one.left, one.right].map(name);
        if names[0] == names[1] {
            continue;
        }
        let witness = &one.witnesses[0];
        let known = shortest.entry((names.clone(), seriousness(one.component))).or_insert(PairOfCrates {
            names,
            component: one.component,
            witness,
        });
        if witness.rank() < known.witness.rank() {
            known.witness = witness;
        }
    }
    shortest.into_values().collect()
}

/// `120 in the host`
fn counted(component: Component, pairs: &[PairOfCrates<'_>]) -> String {
    let count = pairs.iter().filter(|pair| pair.component == component).count();
    format!("{count} in the {component}")
}

/// What the shortest URI allows of which two crates see two hosts that look like names or IPv4 addresses.
fn example(pairs: &[PairOfCrates<'_>]) -> String {
    let is_name = |reported: &Reported<String>| {
        let is_of_name = |octet: u8| octet.is_ascii_alphanumeric() || b".-".contains(&octet);
        let host = reported.as_defined().map(String::as_str).unwrap_or_default();
        !host.is_empty() && host.bytes().all(is_of_name)
    };
    let is_plain = |pair: &&PairOfCrates<'_>| {
        pair.component == Component::Host
            && is_name(&pair.witness.left)
            && is_name(&pair.witness.right)
            && text(&pair.witness.input).starts_with("http://")
    };
    let Some(pair) = pairs.iter().filter(is_plain).min_by_key(|pair| (pair.witness.rank(), &pair.names)) else {
        return String::new();
    };
    let hosts = [&pair.witness.left, &pair.witness.right];
    let [left, right] = &pair.names;
    let [one, other] = hosts.map(seen);
    let [of_left, of_right] = hosts.map(reach);
    // The one that reaches a machine that is not public is the client: a filter is there to prevent that.
    let (filter, allowed, client, target, reach) = match of_right {
        Some(reach) if of_left.is_none() => (left, &one, right, &other, Some(reach)),
        _ => (right, &other, left, &one, of_left),
    };
    let reach = reach.map(|reach| format!(", which is {reach}")).unwrap_or_default();
    format!(
        "For example, the host of {} is {one} for {left}, and {other} for {right}. A filter that parses with {filter} and allows {allowed} \
         lets it pass; a client that parses with {client} then sends the request to {target}{reach}.",
        cell(&text(&pair.witness.input))
    )
}

/// What the address is that a host is by RFC 3986, if it is not public.
fn reach(host: &Reported<String>) -> Option<AddressReach> {
    let address = AddressReading::Rfc3986.address(host.as_defined()?, host_syntax(None))?;
    Some(AddressReach::of(address)).filter(|reach| *reach != AddressReach::Public)
}

fn text(input: &Input) -> String {
    match input {
        Input::Parse { input, .. } => input.clone(),
        other => other.to_string(),
    }
}

fn seen(reported: &Reported<String>) -> String {
    reported.as_defined().map_or_else(|| "undefined".to_owned(), |text| cell(&Quoted(text).to_string()))
}
