//! What the subjects did otherwise, in bounded memory.

use std::collections::BTreeMap;
use std::fmt;

use crate::compare::{Difference, Verdict};
use crate::model::{Input, Operation, Outcome};
use crate::run::Result;
use crate::subjects::SUBJECTS;

/// What divergences are told apart by: coarse enough that a run does not find new ones for ever.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// The subject's place in the list.
    pub subject: usize,
    /// The operation.
    pub operation: Operation,
    /// How the subject differs.
    pub difference: Difference,
}

/// A divergence with a signature that was not there before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Its signature.
    pub signature: Signature,
    /// The input that shows it.
    pub input: Input,
    /// What the subject did.
    pub observed: Outcome,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Signature {
            subject,
            operation,
            difference,
        } = &self.signature;
        let components: Vec<&str> = difference.components.iter().map(|component| component.name()).collect();
        write!(
            f,
            "new: {} {operation} {} {}: {} -> {}",
            SUBJECTS[*subject].declaration(),
            difference.kind.name(),
            components.join("+"),
            self.input,
            self.observed
        )
    }
}

/// Counts divergences by signature and keeps the smallest input of each.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    seen: BTreeMap<Signature, Seen>,
    news: Vec<News>,
    answers: u64,
    not_compared: u64,
}

#[derive(Clone, Debug)]
struct Seen {
    count: u64,
    smallest: Input,
}

impl Recorder {
    /// Takes note of what a subject did.
    pub fn record(&mut self, subject: usize, result: &Result) {
        self.answers += 1;
        let difference = match &result.verdict {
            Verdict::Diverge(difference) => difference,
            Verdict::NotComparable { .. } => {
                self.not_compared += 1;
                return;
            }
            Verdict::Agree { .. } => return,
        };
        let signature = Signature {
            subject,
            operation: result.input.operation(),
            difference: difference.clone(),
        };
        match self.seen.get_mut(&signature) {
            Some(seen) => {
                seen.count += 1;
                if result.input.size() < seen.smallest.size() {
                    seen.smallest = result.input.clone();
                }
            }
            None => {
                self.seen.insert(
                    signature.clone(),
                    Seen {
                        count: 1,
                        smallest: result.input.clone(),
                    },
                );
                self.news.push(News {
                    signature,
                    input: result.input.clone(),
                    observed: result.observed.clone(),
                });
            }
        }
    }

    /// What was new since the last call.
    pub fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// Every signature, how often it was met, and its smallest input.
    pub fn seen(&self) -> impl Iterator<Item = (&Signature, u64, &Input)> {
        self.seen.iter().map(|(signature, seen)| (signature, seen.count, &seen.smallest))
    }

    /// How many answers there were, and how many of them could not be compared.
    pub fn answers(&self) -> (u64, u64) {
        (self.answers, self.not_compared)
    }
}
