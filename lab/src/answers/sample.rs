//! The inputs whose answers are stored.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rayon::prelude::*;
use rfc3986_reference::components::ReferenceRule;
use uriproof::expect::Expected;
use uriproof::model::{Input, Operation, Rule};
use uriproof::run;
use uriproof_grammar::Fnv;

use super::without_words;
use crate::dictionary::Dictionary;
use crate::generate::{Generator, RuleStrings};

/// The seed of the inputs.
const SEED: u64 = 36;

/// How many inputs there are for each rule that is no rule of references.
const OF_A_RULE: usize = 32;

/// How many inputs are resolved against a base that is a rootless path with dot-segments: the generator has hardly any.
const OF_RELATIVE_BASES: usize = 150;

/// How many inputs an operation has: more where subjects differ in more ways.
fn size(operation: Operation) -> usize {
    match operation {
        Operation::Parse => 5400,
        Operation::Resolve => 3500,
        Operation::Normalize => 2500,
        Operation::Equivalent => 2000,
        Operation::Compose | Operation::Modify | Operation::RoundTrip => 1500,
        Operation::Relativize => 1000,
        Operation::Contract => 500,
    }
}

/// Some 20,000 generated inputs of all operations, the same in every run. They do not depend on the vectors.
#[derive(Clone, Debug)]
pub struct AnswerSample {
    inputs: BTreeMap<Operation, Vec<Input>>,
    /// The hash of the outcomes that conform, once it is known.
    expected: OnceLock<String>,
}

impl Default for AnswerSample {
    fn default() -> AnswerSample {
        let inputs = Operation::ALL.into_par_iter().map(|operation| (operation, generated(operation)));
        AnswerSample {
            inputs: inputs.collect(),
            expected: OnceLock::new(),
        }
    }
}

fn generated(operation: Operation) -> Vec<Input> {
    let mut generator = Generator::without_vectors(SEED, &[operation]);
    let mut inputs: Vec<Input> = std::iter::repeat_with(|| generator.next_input()).take(size(operation)).collect();
    if operation == Operation::Parse {
        for &rule in Rule::ALL.iter().filter(|rule| ReferenceRule::try_from(**rule).is_err()) {
            let mut strings = RuleStrings::new(rule, SEED, &Dictionary::default());
            inputs.extend(std::iter::repeat_with(|| strings.next_input()).take(OF_A_RULE));
        }
    }
    if operation == Operation::Resolve {
        let made = std::iter::repeat_with(|| generator.next_input()).filter_map(with_relative_base);
        inputs.extend(made.take(OF_RELATIVE_BASES));
    }
    inputs
}

/// The same without the scheme of the base, if a rootless path with dot-segments is left.
fn with_relative_base(mut input: Input) -> Option<Input> {
    if let Input::Resolve { base, .. } = &mut input {
        let (_, relative) = base.split_once(':')?;
        *base = relative.to_owned();
    }
    matches!(&input, Input::Resolve { base, .. } if !base.starts_with('/') && base.contains("/..")).then_some(input)
}

impl AnswerSample {
    /// The inputs of an operation.
    pub fn of(&self, operation: Operation) -> &[Input] {
        self.inputs.get(&operation).map_or(&[], Vec::as_slice)
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        self.inputs.values().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A hash of the inputs: FNV-1a of their JSON.
    pub fn hash_of_inputs(&self) -> String {
        hash(self.inputs.values().flatten().map(|input| serde_json::to_vec(input).unwrap_or_default()))
    }

    /// A hash of the outcomes that conform, without the reasons for which something is refused.
    pub fn hash_of_expected(&self) -> String {
        let hashed = || {
            let inputs: Vec<&Input> = self.inputs.values().flatten().collect();
            let texts: Vec<Vec<u8>> = inputs.par_iter().map(|input| text(&run::expected(input))).collect();
            hash(texts)
        };
        self.expected.get_or_init(hashed).clone()
    }
}

fn text(expected: &Expected) -> Vec<u8> {
    match expected {
        Expected::NoAnswer { reason } => reason.clone().into_bytes(),
        Expected::Property(property) => property.to_string().into_bytes(),
        Expected::Outcomes(outcomes) => {
            let outcomes: Vec<_> = outcomes.iter().map(|one| without_words(&one.outcome)).collect();
            serde_json::to_vec(&outcomes).unwrap_or_default()
        }
    }
}

fn hash(texts: impl IntoIterator<Item = Vec<u8>>) -> String {
    let octets = texts.into_iter().flat_map(|text| text.into_iter().chain([b'\n']));
    format!("{:016x}", Fnv::of(octets))
}
