//! What came of a suite, in groups.

use std::collections::BTreeMap;
use std::fmt;

use crate::algorithms::marks::{AnswerDigest, AnswerMarks};
use crate::compare::{BriefVerdict, Difference, Verdict};
use crate::model::{Input, Operation};
use crate::run::{self, Counts};
use crate::split::split;

/// What came of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteScore {
    /// How the answers count.
    pub counts: Counts,
    /// Why answers were not compared, or inputs left out, and how many for each reason.
    pub not_compared: BTreeMap<String, u64>,
    /// What diverges.
    pub groups: BTreeMap<GroupKey, Group>,
    /// How many of the divergences that are in no group the deviations of a baseline predict, by the place of one that is responsible.
    pub predicted: BTreeMap<usize, u64>,
    /// How many these are in all.
    pub all_predicted: u64,
    /// Why the rest of the suite was not put to the subject, if that is its own doing.
    pub cut: Option<String>,
}

/// What divergences have in common that are counted as one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GroupKey {
    /// The operation.
    pub operation: Operation,
    /// The kind of difference, and the components in which it shows.
    pub difference: Difference,
    /// Of a crash, its [place](crate::model::Outcome::crash_place) in lower-kebab: crashes at two places are two groups.
    pub place: Option<String>,
}

impl GroupKey {
    /// The group of a result that differs so.
    pub fn of(result: &run::Result, difference: Difference) -> GroupKey {
        GroupKey {
            operation: result.input.operation(),
            difference,
            place: result.observed.crash_place().map(|place| kebab(&place)),
        }
    }
}

impl fmt::Display for GroupKey {
    /// Its id, as a baseline has it: `suite/normalize/other-uri/host+path`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}/{}", self.operation, self.difference.kind.name())?;
        for (at, component) in self.difference.components.iter().enumerate() {
            let separator = if at == 0 { '/' } else { '+' };
            write!(f, "{separator}{}", component.name().replace('_', "-"))?;
        }
        if let Some(place) = &self.place {
            write!(f, "/{place}")?;
        }
        Ok(())
    }
}

/// What the ids of groups begin with.
pub const PREFIX: &str = "suite/";

/// Divergences that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// How many there are.
    pub count: u64,
    /// The one that shows best what is wrong: the shortest, of several the first in order, where the RFC leaves a choice after the others.
    pub witness: run::Result,
    /// A hash of the input and the answer of each.
    digests: Vec<AnswerDigest>,
}

impl fmt::Display for Group {
    /// How many there are, and a hash of all inputs and answers: another answer to one of them is another hash.
    /// `977 answers, 3f9a8c2177a1b2c3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = if self.count == 1 { "answer" } else { "answers" };
        // Whatever the order of the inputs.
        let all = self.digests.iter().fold(0, |all: u64, digest| all.wrapping_add(digest.whole));
        write!(f, "{} {noun}, {all:016x}", self.count)
    }
}

impl Group {
    /// As a baseline has it: the [marks](AnswerMarks) of the answers follow.
    pub fn brief(&self) -> String {
        format!("{self}{MARKS}{}", AnswerMarks::of(&self.digests))
    }
}

/// What stands before the marks of the answers of a group.
const MARKS: &str = ", marks ";

/// What a baseline says of a group, without the marks, and these as they are written; `None` where it has none.
pub fn split_marks(brief: &str) -> (&str, Option<&str>) {
    brief.split_once(MARKS).map_or((brief, None), |(answers, marks)| (answers, Some(marks)))
}

impl SuiteScore {
    /// Counts an answer that agrees.
    pub fn agree(&mut self) {
        self.counts.add(BriefVerdict::Agrees);
    }

    /// Counts an answer that was not compared.
    pub fn not_compared(&mut self, reason: String) {
        self.counts.add(BriefVerdict::NotComparable);
        *self.not_compared.entry(reason).or_default() += 1;
    }

    /// Counts inputs that were not put to the subject.
    pub fn leave_out(&mut self, count: u64, reason: String) {
        self.counts.left_out += count;
        *self.not_compared.entry(reason).or_default() += count;
    }

    /// Counts an answer that diverges.
    pub fn diverge(&mut self, difference: Difference, result: run::Result) {
        self.counts.add(BriefVerdict::Diverges(difference));
        let key = GroupKey::of(&result, difference);
        let digest = AnswerDigest::of(&result);
        match self.groups.get_mut(&key) {
            None => {
                let group = Group {
                    count: 1,
                    witness: result,
                    digests: vec![digest],
                };
                self.groups.insert(key, group);
            }
            Some(group) => {
                group.count += 1;
                group.digests.push(digest);
                if shows_better(&result.input, &group.witness.input) {
                    group.witness = result;
                }
            }
        }
    }

    /// Counts a divergence that is predicted, for each deviation that is responsible.
    pub fn predicted(&mut self, result: &run::Result, responsible: &[usize]) {
        self.counts.add(BriefVerdict::from(&result.verdict));
        responsible.iter().for_each(|place| *self.predicted.entry(*place).or_default() += 1);
        self.all_predicted += 1;
    }

    /// Counts a result.
    pub fn add(&mut self, result: run::Result) {
        match &result.verdict {
            Verdict::Agree { .. } => self.agree(),
            Verdict::NotComparable { reason } => self.not_compared(reason.clone()),
            Verdict::Diverge(difference) => self.diverge(*difference, result),
        }
    }
}

/// A text of an id: at most 60 letters and digits, with one hyphen for what is between them.
fn kebab(text: &str) -> String {
    let words = text.split(|one: char| !one.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut kebab = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    kebab.truncate(60);
    kebab
}

/// Whether an input shows better than another what is wrong: what a parser may do comes after what it must do, and then the longer after
/// the shorter.
pub(crate) fn shows_better(one: &Input, other: &Input) -> bool {
    (ignores_scheme(one), one.size(), one) < (ignores_scheme(other), other.size(), other)
}

/// Whether the scheme of a reference is that of its base, which a parser that is not strict may ignore (RFC 3986 §5.2.2).
pub fn ignores_scheme(input: &Input) -> bool {
    match input {
        Input::Resolve {
            base,
            reference,
            strict: false,
        } => {
            let (base, reference) = (split(base), split(reference));
            let schemes = reference.scheme.zip(base.scheme);
            reference.authority.is_none() && schemes.is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
        }
        _ => false,
    }
}
