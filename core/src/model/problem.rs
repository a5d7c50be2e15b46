//! What is wrong in a file.

use std::fmt;

use super::text::OneLine;

/// Something wrong in a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file: as it was given, or its path below the folder of the vectors.
    pub file: String,
    /// The line of what is wrong, or of what holds it, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", OneLine(&self.file), self.line, OneLine(&self.message))
    }
}
