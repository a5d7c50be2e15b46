//! What has changed in a baseline, in words.

use crate::gate::groups::{FailureCount, WIDTH, wrapped};

/// A baseline that is written anew, and what has changed in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// Its text.
    pub text: String,
    /// How many lines were added.
    pub added: usize,
    /// How many were changed.
    pub changed: usize,
    /// How many were deleted.
    pub deleted: usize,
    /// How many entries have no reason yet.
    pub unexplained: usize,
    /// How many failures it covers; what a library that does not validate accepts is among them, if the baseline says so.
    pub covered: FailureCount,
    /// The ids of the deviations that it names.
    pub deviations: Vec<String>,
    /// How many of the failures these predict.
    pub predicted: FailureCount,
}

impl Written {
    /// What was written into this file, how many failures that covers, and what to do next: how to compare with it `again`.
    pub fn in_words(&self, file: &str, again: &str) -> String {
        let mut text = match self.covered.is_zero() {
            true => format!("wrote {file}, which lists nothing: nothing fails\n"),
            false => format!(
                "wrote {file}, which lists every current failure:\n  {}\n",
                match &self.deviations[..] {
                    [] => self.covered.to_string(),
                    ids => {
                        let noun = if ids.len() == 1 { "deviation" } else { "deviations" };
                        let predicted = match self.predicted == self.covered {
                            true => "all".to_owned(),
                            false => self.predicted.to_string(),
                        };
                        let ids = wrapped(&ids.join(", "), ", ", WIDTH - 4).join("\n    ");
                        let by = format!(
                            "{}, {predicted} of them by {} {noun}:",
                            self.covered,
                            self.deviations.len()
                        );
                        format!("{}\n    {ids}", wrapped(&by, ", ", WIDTH - 2).join("\n  "))
                    }
                }
            ),
        };
        if self.added + self.changed + self.deleted > 0 {
            let lines = if self.added == 1 { "line" } else { "lines" };
            text += &format!(
                "  {} {lines} added, {} changed, {} deleted\n",
                self.added, self.changed, self.deleted
            );
        }
        text + &format!(
            "next: commit {file}; from now on\n      {again}\n      fails where something else fails, or something listed no longer does"
        )
    }
}
