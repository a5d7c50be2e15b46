//! What the vectors ask.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use uriproof::model::{Input, Operation};
use uriproof::vectors::Library;

/// Inputs to begin with, by operation.
pub(super) type Seeds = BTreeMap<Operation, Vec<Input>>;

/// Those of the vectors that this version of the crate carries.
pub(super) fn embedded() -> &'static Seeds {
    static SEEDS: LazyLock<Seeds> = LazyLock::new(|| {
        let mut seeds = Seeds::new();
        for vector in Library::embedded().vectors() {
            seeds.entry(vector.input.operation()).or_default().push(vector.input.clone());
        }
        seeds
    });
    &SEEDS
}
