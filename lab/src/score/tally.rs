//! What came of putting strings to a subject.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};
use uriproof::compare::{BriefVerdict, Difference, Verdict};
use uriproof::model::{Input, Outcome};
use uriproof::repeat::Unrepeated;
use uriproof::run::Counts;
use uriproof_grammar::State;

/// What came of putting strings to a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Of strings that match the subject's own rule.
    pub valid: Counts,
    /// Of strings that do not. Scored apart: a parser that rejects everything would pass most of a suite.
    pub invalid: Counts,
    /// Why strings were not compared, and how many for each reason.
    pub not_compared: BTreeMap<String, u64>,
    /// The divergences, by the pair of states after the string and the kind of difference, each with its shortest string and
    /// how many there are.
    pub clusters: BTreeMap<(StatePair, Difference), Cluster>,
    /// Divergences that were agreements when the string was put again, those with the shortest strings.
    pub unrepeated: Vec<Suspect>,
    /// Some of the strings that the subject agreed on, by a hash: they are put again in this order.
    pub agreed: BTreeMap<u64, String>,
    /// How the divergences stand to the profile of the subject; `None` if it has none, or the run does not use it.
    pub predictions: Option<PredictionCounts>,
    /// Whether the run was stopped before every string was put, or put again.
    pub is_cut: bool,
}

/// How many divergences a profile predicts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionCounts {
    /// Those that it predicts, to the letter.
    pub predicted: u64,
    /// Those of which it predicts another answer, with the shortest string; they are news.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unpredicted: Option<Cluster>,
}

impl PredictionCounts {
    /// Counts a divergence of which the profile predicts another answer.
    pub(super) fn add_unpredicted(&mut self, other: Cluster) {
        self.unpredicted = Some(match self.unpredicted.take() {
            Some(known) => known.joined(other),
            None => other,
        });
    }

    fn merge(&mut self, other: PredictionCounts) {
        self.predicted += other.predicted;
        other.unpredicted.into_iter().for_each(|cluster| self.add_unpredicted(cluster));
    }
}

/// A divergence that did not repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspect {
    /// What is known of it.
    pub unrepeated: Unrepeated,
    /// The inputs that the process was given before; none if they were looked at, or are not known.
    #[serde(skip)]
    pub(super) before: Vec<Input>,
}

impl Suspect {
    pub(super) fn string(&self) -> &str {
        match &self.unrepeated.input {
            Input::Parse { input, .. } => input,
            _ => "",
        }
    }
}

/// How many divergences are kept that did not repeat. Each has the inputs that came before it.
const SUSPECTS: usize = 3;

/// How many strings are kept that the subject agreed on.
const AGREED: usize = 200;

/// One of so many strings that a subject without a process agrees on may be kept: to hash each would slow it down.
const KEPT_OF: u64 = 1024;

/// The states that a string leads to. What a subject's state is nobody but the subject knows; it is taken for the state of the
/// machine that answers as it does for one word after the other behind the string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatePair {
    /// That of the machine.
    pub machine: State,
    /// That of the subject: none if it panics at one of these words, or cannot say.
    pub subject: Option<State>,
}

impl fmt::Display for StatePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state {}", self.machine)?;
        match self.subject {
            Some(state) if state == self.machine => Ok(()),
            Some(state) => write!(f, ", answers as in state {state}"),
            None => f.write_str(", not every answer behind it"),
        }
    }
}

/// Divergences that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// How many strings show it.
    pub count: u64,
    /// The shortest of them, the first in order of those.
    pub witness: String,
    /// What the subject made of it.
    pub observed: Outcome,
}

impl Cluster {
    /// Both as one, with the shorter witness.
    fn joined(self, other: Cluster) -> Cluster {
        let count = self.count + other.count;
        let shorter = match is_shorter(&other.witness, &self.witness) {
            true => other,
            false => self,
        };
        Cluster { count, ..shorter }
    }
}

impl Score {
    /// Whether every string was compared and agreed.
    pub fn is_clean(&self) -> bool {
        self.diverge() == 0 && self.not_compared() == 0 && !self.is_cut
    }

    /// How many strings were run.
    pub fn answers(&self) -> u64 {
        self.valid.answers() + self.invalid.answers()
    }

    /// How many strings diverge.
    pub fn diverge(&self) -> u64 {
        self.valid.diverge + self.invalid.diverge
    }

    /// How many strings were not compared, whether they were run or not.
    pub fn not_compared(&self) -> u64 {
        self.valid.not_compared + self.invalid.not_compared + self.left_out()
    }

    /// How many strings were not run, to keep within the subject's budget.
    pub fn left_out(&self) -> u64 {
        self.valid.left_out + self.invalid.left_out
    }

    /// Which share of the strings was run, if not all were: `budget: 10 of 1000 strings`.
    pub fn budget(&self) -> Option<&str> {
        self.not_compared.keys().find(|reason| reason.starts_with(BUDGET)).map(String::as_str)
    }

    /// The cluster with the shortest string.
    pub fn shortest(&self) -> Option<&Cluster> {
        self.clusters.values().min_by_key(|cluster| (cluster.witness.len(), &cluster.witness))
    }

    pub(super) fn counts(&mut self, valid: bool) -> &mut Counts {
        match valid {
            true => &mut self.valid,
            false => &mut self.invalid,
        }
    }

    /// Counts a verdict, and why there is none. Returns the difference, if there is one.
    pub(super) fn count(&mut self, valid: bool, verdict: Verdict) -> Option<Difference> {
        self.counts(valid).add(BriefVerdict::from(&verdict));
        match verdict {
            Verdict::Agree { .. } => None,
            Verdict::NotComparable { reason } => {
                *self.not_compared.entry(reason).or_default() += 1;
                None
            }
            Verdict::Diverge(difference) => Some(difference),
        }
    }

    /// Adds to a cluster. Its witness is the shortest so far.
    pub(super) fn cluster(
        &mut self,
        key: (StatePair, Difference),
        count: u64,
        witness: &str,
        observed: impl FnOnce() -> Outcome,
    ) {
        let known = self.clusters.get(&key);
        let count = count + known.map_or(0, |known| known.count);
        match self.clusters.get_mut(&key) {
            Some(known) if !is_shorter(witness, &known.witness) => known.count = count,
            _ => {
                let cluster = Cluster {
                    count,
                    witness: witness.to_owned(),
                    observed: observed(),
                };
                self.clusters.insert(key, cluster);
            }
        }
    }

    /// Both scores as one; the order means nothing.
    #[must_use]
    pub fn merge(mut self, other: Score) -> Score {
        self.valid += other.valid;
        self.invalid += other.invalid;
        for (reason, count) in other.not_compared {
            *self.not_compared.entry(reason).or_default() += count;
        }
        for (key, cluster) in other.clusters {
            self.cluster(key, cluster.count, &cluster.witness, || cluster.observed);
        }
        for suspect in other.unrepeated {
            self.suspect(suspect);
        }
        if let Some(other) = other.predictions {
            self.predictions.get_or_insert_default().merge(other);
        }
        self.is_cut |= other.is_cut;
        self.agreed.extend(other.agreed);
        while self.agreed.len() > AGREED {
            self.agreed.pop_last();
        }
        self
    }

    pub(super) fn suspect(&mut self, suspect: Suspect) {
        self.unrepeated.push(suspect);
        self.unrepeated.sort_by(|one, other| {
            let order = |suspect: &Suspect| (suspect.string().len(), suspect.string().to_owned());
            order(one).cmp(&order(other))
        });
        self.unrepeated.dedup_by(|one, other| one.string() == other.string());
        self.unrepeated.truncate(SUSPECTS);
    }

    /// Counts a string that a subject without a process agrees on; the first may be kept, and one of every [`KEPT_OF`] behind it.
    #[inline]
    pub(super) fn agree(&mut self, text: &str, valid: bool) {
        let counts = self.counts(valid);
        let is_kept = counts.agree.is_multiple_of(KEPT_OF);
        counts.agree += 1;
        if is_kept {
            self.keep(text);
        }
    }

    /// Keeps a string that the subject agreed on, if its hash is among the smallest.
    #[cold]
    pub(crate) fn keep(&mut self, text: &str) {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        if self.agreed.len() < AGREED || self.agreed.last_key_value().is_some_and(|(&last, _)| hash < last) {
            self.agreed.insert(hash, text.to_owned());
            if self.agreed.len() > AGREED {
                self.agreed.pop_last();
            }
        }
    }
}

/// Whether a witness is shorter than another, or as long and before it in order.
fn is_shorter(witness: &str, other: &str) -> bool {
    (witness.len(), witness) < (other.len(), other)
}

/// The beginning of the reason why strings were not run.
pub(super) const BUDGET: &str = "budget: ";
