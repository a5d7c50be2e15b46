//! The logic of the fuzz targets: ordinary functions, which `cargo test` runs over the corpora too.
//!
//! A target reads a file as its input, checks the reference's own properties and derivations, and runs every subject. It panics
//! only if the reference or the harness is broken; what subjects do otherwise goes to a [`Watch`], which tells news from what
//! the ledger explains.

mod input;
mod mutate;
mod properties;
mod signature;
mod watch;

use std::collections::BTreeSet;

pub use input::{
    ComposeInput, DotSegmentsInput, EquivalentInput, ExtractInput, NormalizeInput, ParseInput, ProtocolInput,
    ResolveInput, TargetInput, VectorsInput, WhatwgInput, file_of,
};
pub use mutate::{cross, mutate};
pub use signature::{CharacterSignature, Signature, hash};
use uriproof::model::{Input, Operation, Subject};
pub use watch::{Figures, Mode, News, VARIABLE, Watch};

use crate::answers::{AnswerCheck, AnswerSample, StoredAnswers};
use crate::divergence::ledger::Ledger;

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, which is that of the binary and of the folder below `corpus/`.
    pub name: &'static str,
    /// The longest file that libFuzzer makes, in bytes, unless an option says otherwise.
    pub longest: usize,
    run: fn(&[u8], &mut Watch<'_>),
    inputs: fn(&[u8]) -> Vec<Input>,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target::of::<ParseInput>(),
    Target::of::<ResolveInput>(),
    Target::of::<NormalizeInput>(),
    Target::of::<ComposeInput>(),
    Target::of::<EquivalentInput>(),
    Target::of::<DotSegmentsInput>(),
    Target::of::<ExtractInput>(),
    Target::of::<WhatwgInput>(),
    Target::of::<ProtocolInput>(),
    Target::of::<VectorsInput>(),
];

/// What the ledger gives a target to begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetSeeds {
    /// The files of the witnesses.
    pub files: BTreeSet<String>,
    /// The witnesses of the target that no file can hold: see [`file_of`].
    pub without_file: BTreeSet<Input>,
}

impl Target {
    /// The target with a type of inputs.
    pub const fn of<I: TargetInput>() -> Target {
        Target {
            name: I::NAME,
            longest: I::LONGEST,
            run: |data, watch| run(&input::read::<I>(data), watch),
            inputs: |data| input::read::<I>(data).inputs(),
        }
    }

    /// The target with a name.
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The inputs that a file runs on the subjects.
    pub fn inputs(&self, data: &[u8]) -> Vec<Input> {
        (self.inputs)(data)
    }

    /// Runs it on the bytes of a file.
    ///
    /// # Panics
    ///
    /// If the reference or the harness breaks one of its properties, or two derivations disagree.
    pub fn run(&self, data: &[u8], watch: &mut Watch<'_>) {
        (self.run)(data, watch);
    }

    /// The operations whose inputs it runs as they are.
    pub fn operations(&self) -> Vec<Operation> {
        Operation::ALL.into_iter().filter(|operation| input::target_of(*operation) == self.name).collect()
    }

    /// Compares the answers of subjects with the stored ones, in its operations. The inputs are those of the sample: a changed answer
    /// shows there although it has a known class.
    pub fn check_stored(
        &self,
        stored: &StoredAnswers,
        sample: &AnswerSample,
        subjects: &[&dyn Subject],
    ) -> AnswerCheck {
        stored.check_operations(sample, subjects, &self.operations())
    }

    /// The witnesses of the ledger that this target runs.
    pub fn seeds(&self, ledger: &Ledger) -> TargetSeeds {
        let mut seeds = TargetSeeds::default();
        for witness in ledger.witnesses() {
            match file_of(witness) {
                (name, _) if name != self.name => {}
                (_, Some(text)) => _ = seeds.files.insert(text),
                (_, None) => _ = seeds.without_file.insert(witness.clone()),
            }
        }
        seeds
    }
}

/// Runs a target on an input.
///
/// Beside subjects, the reference is checked on a share of the inputs: it has other proofs, and these checks take many times as long
/// as the fastest subjects do.
///
/// # Panics
///
/// As [`Target::run`].
pub fn run<I: TargetInput>(input: &I, watch: &mut Watch<'_>) {
    let (text, inputs) = (input.text(), input.inputs());
    if inputs.is_empty() || watch.is_drawn(text.as_bytes()) {
        input.check();
    }
    for asked in inputs {
        watch.ask(text.as_bytes(), &asked);
    }
}
