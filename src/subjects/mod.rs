//! The subjects: one file per crate, and the only list of them.

use crate::model::Subject;

/// Every built-in subject.
pub const SUBJECTS: &[&dyn Subject] = &[];
