//! Two makes of inputs for a prediction: those of the generator, and files of the fuzz targets that are mutated.

use fastrand::Rng;
use uriproof::model::{Input, Operation};

use crate::divergence::ledger::Ledger;
use crate::generate::Generator;
use crate::targets::{Target, cross, mutate};

/// How inputs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Make {
    /// By the generator that `hunt` uses.
    Generated,
    /// From the witnesses of the ledger, changed as the fuzz targets change their files.
    Mutated,
}

/// The fuzz targets whose files are inputs of subjects.
const TARGETS: [&str; 5] = ["parse", "resolve", "normalize", "compose", "equivalent"];

/// The most changes that are made to a file.
const CHANGES: usize = 5;

/// So many inputs of these operations; the same seed and ledger, the same inputs.
pub fn inputs(make: Make, operations: &[Operation], seed: u64, count: usize, ledger: &Ledger) -> Vec<Input> {
    match make {
        Make::Generated => {
            let mut generator = Generator::of(seed, operations);
            (0..count).map(|_| generator.next_input()).collect()
        }
        Make::Mutated => mutated(operations, seed, count, ledger),
    }
}

fn mutated(operations: &[Operation], seed: u64, count: usize, ledger: &Ledger) -> Vec<Input> {
    let mut rng = Rng::with_seed(seed);
    let targets: Vec<(&Target, Vec<String>)> = TARGETS
        .into_iter()
        .filter_map(Target::named)
        .map(|target| (target, target.seeds(ledger).files.into_iter().collect()))
        .filter(|(_, files): &(_, Vec<String>)| !files.is_empty())
        .collect();
    let mut inputs = Vec::with_capacity(count);
    while inputs.len() < count && !targets.is_empty() {
        let (target, files) = &targets[rng.usize(..targets.len())];
        let file = |rng: &mut Rng| files[rng.usize(..files.len())].clone().into_bytes();
        let mut data = file(&mut rng);
        for _ in 0..rng.usize(1..=CHANGES) {
            let changed = match rng.usize(..4) {
                0 => cross(target, &data, &file(&mut rng), rng.u32(..)),
                _ => mutate(target, &data, rng.u32(..)),
            };
            data = changed.unwrap_or(data);
        }
        let made = target.inputs(&data).into_iter().filter(|input| operations.contains(&input.operation()));
        inputs.extend(made);
    }
    inputs.truncate(count);
    inputs
}
