//! How good the suites are: what they kill of the mutants of RFC 3986's grammar, beside what the RFC's own examples and
//! the curated vectors kill.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uriproof_grammar::mutants::{Family, Mutants, SkipReason, Strings, kill_rates};
use uriproof_grammar::standard::Standard;

use super::Rate;
use crate::model::{Input, Rule};
use crate::search::machines::Machines;
use crate::search::vectors::Library;

/// Kill rates as they are stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KillRates {
    /// The version of this format: 1.
    pub uriproof: u64,
    /// What of the mutants that were made is not asked, and why: they are equivalent to the grammar or to another one, or
    /// no machine can be made of them.
    pub skipped: BTreeMap<String, usize>,
    /// What each suite kills.
    pub suites: Vec<SuiteRates>,
    /// What the standard suite does not kill.
    pub survivors: Vec<Survivor>,
    /// What the curated vectors do not kill of the realistic mutants.
    pub curated_survivors: Vec<Survivor>,
}

/// What one suite kills.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteRates {
    /// The suite.
    pub suite: String,
    /// How many strings it has.
    pub strings: usize,
    /// How many bytes its strings have together.
    pub bytes: usize,
    /// Of all operator mutants.
    pub operators: Rate,
    /// Of all realistic mutants.
    pub realistic: Rate,
    /// Of each family.
    pub families: BTreeMap<String, Rate>,
}

/// A mutant that the standard suite does not kill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// Its family.
    pub family: String,
    /// Its name.
    pub name: String,
    /// Why it survives.
    pub reason: String,
}

impl KillRates {
    /// What the curated vectors kill of the mutants that they have to, and what the RFC's own examples do.
    pub fn curated(&self) -> Option<(Rate, Rate)> {
        let families: Vec<String> = (Family::OPERATORS.iter().chain(Family::REALISTIC))
            .filter(|family| is_for_curated(**family))
            .map(ToString::to_string)
            .collect();
        let of = |suite: &SuiteRates| {
            let rates = families.iter().filter_map(|family| suite.families.get(family));
            rates.fold(Rate::default(), |sum, rate| Rate {
                killed: sum.killed + rate.killed,
                total: sum.total + rate.total,
            })
        };
        let curated = self.suites.iter().find(|suite| suite.suite == CURATED)?;
        Some((of(curated), of(self.suites.first()?)))
    }
}

impl From<uriproof_grammar::mutants::Tally> for Rate {
    fn from(tally: uriproof_grammar::mutants::Tally) -> Rate {
        Rate {
            killed: tally.killed,
            total: tally.total,
        }
    }
}

/// The suite of all vectors that were written by hand.
pub const CURATED: &str = "curated vectors";

/// Whether the curated vectors have to kill every mutant of a family: the edits that somebody makes who writes the ABNF down
/// or a parser from it.
///
/// Two families are not among them. "Character more or less" tries a fixed sample of characters at every one of 1,623 places,
/// whoever would make such a mistake; what classes of characters do at their edges, in every component, is the family
/// "characters", which is. Limits of length and number are no edits of the ABNF, and have no end; `uriproof growth` asks for
/// long inputs.
pub fn is_for_curated(family: Family) -> bool {
    !matches!(family, Family::Character | Family::Limit)
}

/// The names of the families, those of operators first.
pub fn families() -> impl Iterator<Item = String> {
    Family::OPERATORS.iter().chain(Family::REALISTIC).map(ToString::to_string)
}

/// Makes the mutants and the suites, and puts these to those; it takes half a minute.
///
/// # Errors
///
/// None: a test of `grammar/` makes the mutants too.
pub fn measure(library: &Library) -> Result<KillRates, uriproof_grammar::abnf::Error> {
    let machines = Machines::of_rfc3986();
    let (reference, components) = (machines.of(Rule::UriReference), machines.components());
    let standard = Standard::new(reference, components);
    let (operators, realistic) = (Mutants::operators()?, Mutants::realistic()?);
    let mut skipped = BTreeMap::new();
    for skip in operators.skipped.iter().chain(&realistic.skipped) {
        let reason = match skip.reason {
            SkipReason::Equivalent => "equivalent to the grammar",
            SkipReason::Duplicate(_) => "equivalent to another mutant",
            SkipReason::TooLarge => "too large for a machine",
            SkipReason::Recursion => "recursive",
        };
        *skipped.entry(reason.to_owned()).or_default() += 1;
    }
    let (examples, curated) = examples(library);
    let mut suites = vec![
        Strings::new("RFC 3986's own examples", examples),
        Strings::new(CURATED, curated),
    ];
    suites.extend(Strings::built_in(reference, components, &standard));
    let rates = kill_rates(&[&operators, &realistic], &suites);
    let survivors_of = |suite: &str, wanted: fn(Family) -> bool| -> Vec<Survivor> {
        let rows = rates.rows.iter().filter(|row| row.suite == suite);
        let survivors = rows.flat_map(|row| &row.survivors).filter(|survivor| wanted(survivor.family));
        survivors
            .map(|survivor| Survivor {
                family: survivor.family.to_string(),
                name: survivor.name.clone(),
                reason: survivor.reason.clone(),
            })
            .collect()
    };
    Ok(KillRates {
        uriproof: 1,
        skipped,
        survivors: survivors_of("standard", |_| true),
        curated_survivors: survivors_of(CURATED, is_for_curated),
        suites: rates
            .rows
            .iter()
            .map(|row| SuiteRates {
                suite: row.suite.clone(),
                strings: row.strings,
                bytes: row.bytes,
                operators: row.tally(Family::OPERATORS).into(),
                realistic: row.tally(Family::REALISTIC).into(),
                families: row.families.iter().map(|(family, &tally)| (family.to_string(), tally.into())).collect(),
            })
            .collect(),
    })
}

/// The strings of the vectors that are meant as URI-references, each once: of the RFC's own examples, and of all vectors.
pub fn examples(library: &Library) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let of = |wanted: fn(&str) -> bool| {
        let vectors = library.vectors().filter(move |vector| wanted(&vector.id));
        vectors.flat_map(|vector| references(&vector.input)).collect()
    };
    (of(|id| id.starts_with("rfc/")), of(|_| true))
}

/// The strings of an input that are meant as URI-references.
fn references(input: &Input) -> Vec<&str> {
    match input {
        Input::Parse { rule, input } => match rule {
            Rule::UriReference | Rule::Uri | Rule::AbsoluteUri | Rule::RelativeRef => vec![input],
            _ => Vec::new(),
        },
        Input::Resolve { base, reference, .. } => vec![base, reference],
        Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri],
        Input::Compose { .. } => Vec::new(),
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left, right],
        Input::Relativize { base, target } => vec![base, target],
    }
}

/// The kill rates that are stored beside the grammar, which `uriproof mutants --write` has measured.
///
/// # Panics
///
/// Never: a test reads them.
pub fn stored() -> KillRates {
    let text = include_str!("../../../grammar/kill-rates.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("grammar/kill-rates.json: {error}"))
}
