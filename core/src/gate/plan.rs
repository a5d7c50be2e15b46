//! What of the vectors is run on a subject.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::algorithms::{AnswerMarks, Size};
use crate::claim::Claim;
use crate::gate::deviations::BaselineProfile;
use crate::gate::glob::Glob;
use crate::gate::suite;
use crate::model::{Level, Operation, Reading, Subject};

/// Which vectors and suites are run on a subject, and how they are read.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// What the library claims; what it declares itself, if nothing.
    pub claim: Option<Claim>,
    /// Whether the library is measured as one that does not validate, whatever it declares.
    pub unvalidated: bool,
    /// What deviations of a baseline predict: see [`Plan::with_deviations_of`].
    pub profile: Option<Arc<BaselineProfile>>,
    /// The marks of the answers to suites that a baseline names, by the id of the group.
    pub marks: BTreeMap<String, AnswerMarks>,
    /// The levels that are run; all, if none.
    pub levels: Vec<Level>,
    /// The reading that the vectors are taken in.
    pub reading: Reading,
    /// The vectors that are selected by id; all, if none.
    pub only: Vec<Glob>,
    /// The ids of the vectors, and of the suites, that are selected among these; all, if `None`.
    pub ids: Option<HashSet<String>>,
    /// The vectors that are selected by what they cite; all, if none.
    pub clauses: Vec<String>,
    /// The size of the suites for the algorithms; none, if none. They are of the reading of RFC 3986, and no clause selects them.
    pub suite: Option<Size>,
}

impl Plan {
    /// Whether vectors are selected by id or by clause.
    pub fn is_selective(&self) -> bool {
        !self.only.is_empty() || self.ids.is_some() || !self.clauses.is_empty()
    }

    /// The operations whose suites are put to a subject.
    pub(super) fn operations_of_suites(&self, subject: &dyn Subject) -> Vec<Operation> {
        if !self.clauses.is_empty() || self.reading != Reading::Rfc3986 {
            return Vec::new();
        }
        if self.suite.is_none() {
            return Vec::new();
        }
        let has_suite = |operation: &Operation| {
            subject.declaration().operations.contains(operation)
                && suite::is_selected(&self.only, *operation)
                && self.ids.as_ref().is_none_or(|ids| ids.contains(&suite::id(*operation)))
        };
        Operation::ALL.into_iter().filter(has_suite).collect()
    }
}
