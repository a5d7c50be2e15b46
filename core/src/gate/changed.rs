//! Which answers to a suite a baseline does not mark.

use std::collections::BTreeMap;

use crate::algorithms::{AnswerDigest, AnswerMarks, GroupKey, shows_better};
use crate::compare::Verdict;
use crate::run;

/// The answers of each group that a baseline does not mark.
pub(super) struct ChangedAnswers<'p> {
    marks: &'p BTreeMap<String, AnswerMarks>,
    groups: BTreeMap<GroupKey, (u64, run::Result)>,
}

impl<'p> ChangedAnswers<'p> {
    /// None yet; the baseline has these marks, by the id of the group.
    pub(super) fn new(marks: &'p BTreeMap<String, AnswerMarks>) -> ChangedAnswers<'p> {
        ChangedAnswers {
            marks,
            groups: BTreeMap::new(),
        }
    }

    /// Counts a result whose answer is not marked among those of its group.
    pub(super) fn add(&mut self, result: &run::Result) {
        let Verdict::Diverge(difference) = &result.verdict else {
            return;
        };
        let key = GroupKey::of(result, *difference);
        let may_have = |marks: &AnswerMarks| marks.may_have(AnswerDigest::of(result));
        if self.marks.get(&key.to_string()).and_then(may_have) != Some(false) {
            return;
        }
        let (count, witness) = self.groups.entry(key).or_insert_with(|| (0, result.clone()));
        *count += 1;
        if shows_better(&result.input, &witness.input) {
            *witness = result.clone();
        }
    }

    /// How many answers of a group have changed, at least, and the one that shows best what is wrong; `None` where the baseline has no marks of
    /// it.
    pub(super) fn of(&self, key: &GroupKey) -> Option<(u64, Option<&run::Result>)> {
        self.marks.get(&key.to_string())?;
        let changed = self.groups.get(key);
        Some(changed.map_or((0, None), |(count, witness)| (*count, Some(witness))))
    }
}
