//! How good the suites are: what they kill of the mutants of RFC 3986's grammar, beside what the RFC's own examples and
//! the vectors kill. The `syntax` vectors have to kill every mutant.

mod family;
mod kill;
mod mutant;
mod operators;
mod realistic;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uriproof::algorithms::{self, Size};
use uriproof::model::{Input, Operation, Rule};
use uriproof::vectors::Library;
use uriproof_grammar::standard::Standard;

pub use self::family::MutantFamily;
pub use self::kill::{NamedSuite, SuiteKills, kill_rates};
pub use self::mutant::{GrammarMutant, Mutants, SkipReason, Skipped};
pub use self::realistic::GrammarFault;

use super::Rate;
use crate::machines::Machines;

/// Kill rates as they are stored and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KillRates {
    /// The version of this format: 1.
    pub uriproof: u64,
    /// The mutants that are left out, and why: they are equivalent to the grammar or to another one, or
    /// no machine can be made of them.
    pub skipped: BTreeMap<String, usize>,
    /// What each suite kills.
    pub suites: Vec<SuiteRates>,
    /// What the standard suite does not kill.
    pub survivors: Vec<Survivor>,
    /// What the `syntax` vectors do not kill.
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
    /// As it is stored: without the sizes of the suites that are vectors, so that a vector that kills no other mutant leaves the file
    /// as it is.
    pub fn stored(mut self) -> KillRates {
        let vectors = [EXAMPLES, SYNTAX, ALL];
        for suite in self.suites.iter_mut().filter(|suite| vectors.contains(&&*suite.suite)) {
            (suite.strings, suite.bytes) = (0, 0);
        }
        self
    }

    /// What was stored, with the sizes of the suites that are vectors.
    pub fn with_sizes(mut self, library: &Library) -> KillRates {
        for (name, strings) in of_vectors(library) {
            for suite in self.suites.iter_mut().filter(|suite| suite.suite == name) {
                (suite.strings, suite.bytes) = (strings.len(), strings.iter().map(|string| string.len()).sum());
            }
        }
        self
    }

    /// What a suite kills of a family.
    pub fn of_family(&self, suite: &str, family: MutantFamily) -> Rate {
        let suite = self.suites.iter().find(|row| row.suite == suite);
        suite.and_then(|row| row.families.get(&family.to_string())).copied().unwrap_or_default()
    }

    /// What the `syntax` vectors kill of all mutants, and what the RFC's own examples do.
    pub fn curated(&self) -> Option<(Rate, Rate)> {
        let of = |name: &str| {
            let suite = self.suites.iter().find(|suite| suite.suite == name)?;
            Some(Rate {
                killed: suite.operators.killed + suite.realistic.killed,
                total: suite.operators.total + suite.realistic.total,
            })
        };
        Some((of(SYNTAX)?, of(EXAMPLES)?))
    }
}

/// The suite of the RFC's own examples.
pub const EXAMPLES: &str = "RFC 3986's own examples";

/// The suite of the `syntax` vectors, which have to kill every mutant.
pub const SYNTAX: &str = "syntax vectors";

/// The suite of all vectors.
pub const ALL: &str = "all vectors";

/// The core suite of parsing, which has to kill every mutant that reads a numeral leniently.
pub const PARSING: &str = "core suite of parse";

/// The names of the families, those of operators first.
pub fn families() -> impl Iterator<Item = String> {
    MutantFamily::OPERATORS.iter().chain(MutantFamily::REALISTIC).map(ToString::to_string)
}

/// Makes the mutants and the suites, and puts these to those; it takes a minute or two.
///
/// # Errors
///
/// None: a test makes the mutants too.
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
    let mut suites: Vec<NamedSuite> = Vec::new();
    suites.extend(of_vectors(library).into_iter().map(|(name, strings)| NamedSuite::new(name, strings)));
    suites.push(NamedSuite::new(PARSING, of_parsing()));
    suites.extend(NamedSuite::built_in(reference, components, &standard));
    let rows = kill_rates(&[&operators, &realistic], &suites);
    let survivors_of = |suite: &str| -> Vec<Survivor> {
        let rows = rows.iter().filter(|row| row.rates.suite == suite);
        rows.flat_map(|row| row.survivors.clone()).collect()
    };
    Ok(KillRates {
        uriproof: 1,
        skipped,
        survivors: survivors_of("standard"),
        curated_survivors: survivors_of(SYNTAX),
        suites: rows.into_iter().map(|row| row.rates).collect(),
    })
}

/// The strings of vectors, each once, by the name of the suite that they make: of the RFC's own examples whatever is meant
/// as a URI-reference, of the `syntax` vectors what is parsed as one and nothing else, and of all vectors again whatever is
/// meant as one.
pub fn of_vectors(library: &Library) -> [(&'static str, BTreeSet<&str>); 3] {
    let below = |folder: &'static str| library.vectors().filter(move |vector| vector.id.starts_with(folder));
    [
        (EXAMPLES, below("rfc/").flat_map(|vector| vector.input.uris()).collect()),
        (
            SYNTAX,
            below("syntax/").filter_map(|vector| parsed(&vector.input)).collect(),
        ),
        (ALL, below("").flat_map(|vector| vector.input.uris()).collect()),
    ]
}

/// The strings of the core suite of parsing.
fn of_parsing() -> impl Iterator<Item = String> {
    algorithms::inputs(Operation::Parse, Size::Core).into_iter().filter_map(|input| match input {
        Input::Parse { input, .. } => Some(input),
        _ => None,
    })
}

/// The string of an input that only parses it as a URI-reference.
fn parsed(input: &Input) -> Option<&str> {
    match input {
        Input::Parse {
            rule: Rule::UriReference,
            input,
        } => Some(input),
        Input::RoundTrip { uri } => Some(uri),
        _ => None,
    }
}
