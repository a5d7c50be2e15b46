//! Stored answers: hashes of what each built-in subject answers to a fixed sample of generated inputs.
//!
//! The ledger knows divergences by class, and a class does not hold the answer. A new bug that acts only where a subject diverges
//! already shows no new class; it changes a stored answer.

mod code;
mod line;
mod recover;
mod sample;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use uriproof::model::{Declaration, Input, OneLine, Operation, Outcome, Subject};

use self::code::Code;
pub use self::line::AnswerLine;
pub use self::sample::AnswerSample;

/// How many inputs a thread runs on a subject at a time.
const PART: usize = 500;

/// The answers of a subject to the sample, as they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectAnswers {
    /// A hash of the inputs: another generator makes others.
    inputs: String,
    /// A hash of the outcomes that conform: the answers that agree with them are not stored.
    expected: String,
    /// The answers by operation.
    lines: BTreeMap<Operation, AnswerLine>,
}

/// The stored answers of subjects, by label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredAnswers(pub BTreeMap<String, SubjectAnswers>);

/// An answer that is not the stored one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedAnswer {
    /// The subject's label.
    pub subject: String,
    /// The input, as the subject was given it.
    pub input: Input,
    /// The stored answer, as far as it can be known from its hash.
    pub old: String,
    /// The answer now.
    pub new: String,
}

impl fmt::Display for ChangedAnswer {
    /// Four lines: the operation with its input, and indented the subject and both answers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "changed answer: {} {}", self.input.operation(), self.input)?;
        let lines = [("by", &self.subject), ("old", &self.old), ("new", &self.new)];
        lines.into_iter().try_for_each(|(head, words)| write!(f, "\n  {head:8}  {}", OneLine(words)))
    }
}

/// What the comparison of subjects with stored answers shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerCheck {
    /// How many subjects were compared.
    pub subjects: usize,
    /// How many answers were compared, those that agree with RFC 3986 included.
    pub answers: usize,
    /// The answers that changed, by subject and operation, and there the shortest inputs first.
    pub changed: Vec<ChangedAnswer>,
    /// Other differences, each a line: an operation whose answers are not stored, or a changed answer that cannot be located.
    pub problems: Vec<String>,
    /// The labels of the subjects without stored answers, which were not compared.
    pub not_stored: Vec<String>,
    /// Why the comparison was left out, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// The labels of the subjects that were not compared since their stored answers are stale, by the reason: they are of other
    /// inputs, or of another reference.
    pub stale: BTreeMap<String, Vec<String>>,
}

impl AnswerCheck {
    /// That nothing is compared, for this reason.
    pub fn skipped(reason: &str) -> AnswerCheck {
        AnswerCheck {
            skipped: Some(reason.to_owned()),
            ..AnswerCheck::default()
        }
    }

    /// Whether nothing has changed.
    pub fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.problems.is_empty() && self.stale.is_empty()
    }
}

impl SubjectAnswers {
    /// Why the answers cannot be compared with those to a sample that has these hashes, if so.
    fn stale(&self, (inputs, expected): (&str, &str)) -> Option<&'static str> {
        match () {
            () if self.inputs != inputs => Some("are of other inputs, since the generator has changed"),
            () if self.expected != expected => {
                Some("are of another reference, which answers the same inputs differently")
            }
            () => None,
        }
    }
}

impl StoredAnswers {
    /// Runs the sample on subjects.
    pub fn measure(sample: &AnswerSample, subjects: &[&dyn Subject]) -> StoredAnswers {
        let (inputs, expected) = (sample.hash_of_inputs(), sample.hash_of_expected());
        let mut answers: BTreeMap<String, SubjectAnswers> = BTreeMap::new();
        for (subject, operation, codes) in codes(sample, subjects, &Operation::ALL) {
            let of_subject = answers.entry(subject.declaration().label()).or_insert_with(|| SubjectAnswers {
                inputs: inputs.clone(),
                expected: expected.clone(),
                lines: BTreeMap::new(),
            });
            of_subject.lines.insert(operation, AnswerLine::of(&codes));
        }
        StoredAnswers(answers)
    }

    /// Whether a subject has stored answers, of its version or another.
    pub fn has(&self, declaration: &Declaration) -> bool {
        self.answers_of(declaration).is_some()
    }

    /// Reads the stored answers of a file of measurements; its other sections are not looked at.
    ///
    /// # Errors
    ///
    /// If it is no such file, with what is wrong and where.
    pub fn of_file(text: &str) -> Result<StoredAnswers, serde_json::Error> {
        #[derive(Deserialize)]
        struct AnswersFile {
            subjects: BTreeMap<String, SubjectSections>,
        }
        #[derive(Deserialize)]
        struct SubjectSections {
            answers: Option<SubjectAnswers>,
        }
        let subjects = serde_json::from_str::<AnswersFile>(text)?.subjects.into_iter();
        Ok(StoredAnswers(
            subjects.filter_map(|(label, section)| Some((label, section.answers?))).collect(),
        ))
    }

    /// Runs the sample on subjects and compares their answers with the stored ones. A subject whose version is not stored is compared
    /// with another version of its entry point that is no subject any more.
    pub fn check(&self, sample: &AnswerSample, subjects: &[&dyn Subject]) -> AnswerCheck {
        self.check_operations(sample, subjects, &Operation::ALL)
    }

    /// As [`check`](StoredAnswers::check), of these operations only.
    pub fn check_operations(
        &self,
        sample: &AnswerSample,
        subjects: &[&dyn Subject],
        operations: &[Operation],
    ) -> AnswerCheck {
        let (inputs, expected) = (sample.hash_of_inputs(), sample.hash_of_expected());
        let mut check = AnswerCheck::default();
        let mut stored: BTreeMap<String, (&String, &BTreeMap<Operation, AnswerLine>)> = BTreeMap::new();
        for subject in subjects {
            let label = subject.declaration().label();
            let Some((of, answers)) = self.answers_of(subject.declaration()) else {
                check.not_stored.push(label);
                continue;
            };
            match answers.stale((&inputs, &expected)) {
                Some(reason) => check.stale.entry(reason.to_owned()).or_default().push(label),
                None => drop(stored.insert(label, (of, &answers.lines))),
            }
        }
        check.subjects = stored.len();
        let compared: Vec<&dyn Subject> =
            subjects.iter().copied().filter(|subject| stored.contains_key(&subject.declaration().label())).collect();
        for (label, (of, lines)) in &stored {
            let declared = |subject: &&&dyn Subject| subject.declaration().label() == *label;
            let declared = compared.iter().find(declared).map(|subject| subject.declaration().operations.to_vec());
            for operation in lines.keys().filter(|operation| !declared.iter().flatten().any(|own| own == *operation)) {
                check.problems.push(format!(
                    "{label}: has no `{operation}`, to which answers of {of} are stored"
                ));
            }
        }
        for (subject, operation, codes) in codes(sample, &compared, operations) {
            let label = subject.declaration().label();
            check.answers += codes.len();
            match stored[&label].1.get(&operation) {
                None => check.problems.push(format!("{label}: its answers to `{operation}` are not stored")),
                Some(line) => compare(sample, subject, operation, (line, &codes), &mut check),
            }
        }
        check
    }

    /// The stored answers of a subject, with the label under which they are stored.
    fn answers_of(&self, declaration: &Declaration) -> Option<(&String, &SubjectAnswers)> {
        let label = declaration.label();
        let known: BTreeSet<String> =
            uriproof_subjects::SUBJECTS.iter().map(|subject| subject.declaration().label()).collect();
        let is_other_version = |stored: &String| {
            let name = stored.strip_prefix(&format!("{} ", declaration.name));
            let entry_point = name.and_then(|rest| rest.strip_suffix(&format!(" {}", declaration.entry_point)));
            entry_point.is_some_and(|version| !version.contains(' ')) && !known.contains(stored)
        };
        self.0.get_key_value(&label).or_else(|| self.0.iter().find(|(stored, _)| is_other_version(stored)))
    }
}

/// Adds the answers that differ from those of a stored line.
fn compare(
    sample: &AnswerSample,
    subject: &dyn Subject,
    operation: Operation,
    (line, codes): (&AnswerLine, &[Code]),
    check: &mut AnswerCheck,
) {
    if *line == AnswerLine::of(codes) {
        return;
    }
    let label = subject.declaration().label();
    let Some(old) = line.tokens().filter(|tokens| tokens.len() == codes.len()) else {
        check.problems.push(format!("{label}: its stored answers to `{operation}` cannot be read"));
        return;
    };
    let mut changed: Vec<ChangedAnswer> = (sample.of(operation).par_iter())
        .zip(old.par_iter().zip(codes))
        .filter(|(_, (old, code))| **old != line::Token::of(**code))
        .map(|(input, (old, _))| ChangedAnswer {
            subject: label.clone(),
            input: uriproof::run::given(subject.declaration(), input)
                .map_or_else(|| input.clone(), std::borrow::Cow::into_owned),
            old: recover::stored(old, subject, input),
            new: recover::now(subject, input),
        })
        .collect();
    if changed.is_empty() {
        check.problems.push(format!(
            "{label}: an answer to `{operation}` has changed, and cannot be located: its short hash is the same"
        ));
    }
    changed.sort_by_key(|one| one.input.size());
    check.changed.extend(changed);
}

/// What subjects answer to the sample in these operations, by operation.
fn codes<'s>(
    sample: &AnswerSample,
    subjects: &[&'s dyn Subject],
    operations: &[Operation],
) -> Vec<(&'s dyn Subject, Operation, Vec<Code>)> {
    let mut parts: Vec<(&'s dyn Subject, Operation, &[Input])> = Vec::new();
    for subject in subjects {
        for &operation in operations.iter().filter(|it| subject.declaration().operations.contains(it)) {
            parts.extend(sample.of(operation).chunks(PART).map(|inputs| (*subject, operation, inputs)));
        }
    }
    let codes: Vec<Vec<Code>> = parts
        .par_iter()
        .map(|(subject, _, inputs)| inputs.iter().map(|input| Code::of(*subject, input)).collect())
        .collect();
    let mut together: Vec<(&dyn Subject, Operation, Vec<Code>)> = Vec::new();
    for ((subject, operation, _), codes) in parts.into_iter().zip(codes) {
        match together.last_mut() {
            Some((last, same, all)) if last.declaration() == subject.declaration() && *same == operation => {
                all.extend(codes);
            }
            _ => together.push((subject, operation, codes)),
        }
    }
    together
}

/// An outcome without what is never compared: the words and the place of a rejection, and the words of a crash beside its place.
fn without_words(outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Accepted { .. } => outcome.clone(),
        Outcome::Rejected { .. } => Outcome::Rejected {
            reason: None,
            offset: None,
        },
        Outcome::Unsupported { .. } => Outcome::unsupported(""),
        Outcome::Crashed { .. } => Outcome::Crashed {
            reason: outcome.crash_place().unwrap_or_default(),
        },
        Outcome::TimedOut { .. } => Outcome::TimedOut { reason: String::new() },
    }
}
