//! How good the suites are: what they kill of mutants of the grammar, of the algorithms, of the reference's code, and of other
//! people's crates.

pub mod algorithms;
pub mod code;
pub mod crates;
pub mod grammar;

use serde::{Deserialize, Serialize};

/// How many are killed of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// Killed.
    pub killed: usize,
    /// In all.
    pub total: usize,
}

impl Rate {
    /// The rate of those that are killed, as `is_killed` says of each.
    pub fn of<T>(mutants: impl IntoIterator<Item = T>, is_killed: impl Fn(&T) -> bool) -> Rate {
        mutants.into_iter().fold(Rate::default(), |rate, mutant| Rate {
            killed: rate.killed + usize::from(is_killed(&mutant)),
            total: rate.total + 1,
        })
    }
}
