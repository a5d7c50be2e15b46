//! Which share of what a subject does otherwise its profile predicts, as it is stored: on two makes of inputs, with a seed that was not
//! used to write any profile.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uriproof::model::{Input, Operation, Outcome, Subject};
use uriproof_deviations::SubjectProfile;

use super::{FitCounts, Make, Misfit, Predictions, hash_of, inputs};
use crate::divergence::ledger::Ledger;

/// The seed of the inputs.
const SEED: u64 = 20_261_129;

/// How many inputs of each make there are.
const COUNT: usize = 10_000;

/// How the answers of a subject stand to its profile, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictedShare {
    /// The hash of the profile: by [`hash_of`].
    pub profile: String,
    /// How many deviations and choices it has.
    pub deviations: usize,
    /// The counts of each operation, on inputs that are generated as `hunt` does.
    pub generated: BTreeMap<Operation, FitCounts>,
    /// The counts of each operation, on inputs that are witnesses changed as the fuzz targets change them.
    pub mutated: BTreeMap<Operation, FitCounts>,
    /// The ten smallest inputs of each operation on which the subject diverges and the profile predicts another answer, or none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unpredicted: Vec<UnpredictedInput>,
}

/// An input whose divergence is not predicted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnpredictedInput {
    /// The operation.
    pub operation: Operation,
    /// The input.
    pub input: Input,
    /// The subject's answer.
    pub answer: Outcome,
}

/// The inputs, by their make.
#[derive(Debug)]
pub struct ShareInputs {
    generated: Vec<Input>,
    mutated: Vec<Input>,
}

impl ShareInputs {
    /// Makes the inputs; those that are changed witnesses are of this ledger.
    pub fn of(ledger: &Ledger) -> ShareInputs {
        let of = |make| inputs(make, &Operation::ALL, SEED, COUNT, ledger);
        ShareInputs {
            generated: of(Make::Generated),
            mutated: of(Make::Mutated),
        }
    }
}

impl PredictedShare {
    /// Measures the share of a subject.
    pub fn measure(subject: &dyn Subject, ledger: &Ledger, inputs: &ShareInputs) -> PredictedShare {
        let declaration = subject.declaration();
        let profile = profile_of(subject, ledger);
        let [generated, mutated] =
            [&inputs.generated, &inputs.mutated].map(|inputs| Predictions::of(subject, &profile, inputs));
        let unpredicted = |misfit: &Misfit| UnpredictedInput {
            operation: misfit.input.operation(),
            input: misfit.input.clone(),
            answer: misfit.observed.clone(),
        };
        let both = generated.clone().merged(mutated.clone());
        PredictedShare {
            profile: hash_of(&profile),
            deviations: ledger.deviations(declaration).len(),
            unpredicted: both.unpredicted.values().flatten().map(unpredicted).collect(),
            generated: generated.operations,
            mutated: mutated.operations,
        }
    }

    /// Whether it is of the profile that a subject has now.
    pub fn is_fresh(&self, subject: &dyn Subject, ledger: &Ledger) -> bool {
        self.profile == hash_of(&profile_of(subject, ledger))
    }
}

/// The profile of a subject; of one that has none, the specification that it follows.
fn profile_of(subject: &dyn Subject, ledger: &Ledger) -> SubjectProfile {
    let declaration = subject.declaration();
    let without = || SubjectProfile::default().following(declaration.specification.clone());
    ledger.profile(declaration).unwrap_or_else(without)
}
