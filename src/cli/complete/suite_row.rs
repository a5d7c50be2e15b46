//! What came of the strings that were put to a subject, for programs.

use std::collections::BTreeMap;

use serde::Serialize;
use uriproof::compare::{DifferenceKind, own_rule};
use uriproof::model::{Declaration, Input, Outcome, Subject};
use uriproof::repeat::Unrepeated;
use uriproof::run;
use uriproof_lab::complete::Certificate;
use uriproof_lab::machines::Machines;
use uriproof_lab::predict::Predictor;
use uriproof_lab::score::{Score, StatePair};

use crate::cli::interrupt;
use crate::report::model::describe;

#[derive(Serialize)]
pub(super) struct SuiteRow {
    pub(super) subject: String,
    pub(super) rule: &'static str,
    pub(super) language: String,
    /// That the run was interrupted before everything was put to the subject, and after how many strings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stopped: Option<String>,
    pub(super) valid: SuiteCountsRow,
    pub(super) invalid: SuiteCountsRow,
    /// Why strings were not compared, and how many.
    pub(super) not_compared: BTreeMap<String, u64>,
    /// Of a sweep: how many strings of each length from 0 the subject accepts, and the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) accepted: Option<Vec<LengthRow>>,
    /// What is proved, if everything was compared and agreed.
    pub(super) certificates: Vec<Certificate>,
    pub(super) clusters: Vec<ClusterRow>,
    /// How many of the divergences the profile of the subject predicts, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) predictions: Option<PredictionRow>,
    /// Divergences that were agreements when the string was put again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unrepeated: Vec<Unrepeated>,
}

impl SuiteRow {
    pub(super) fn diverge(&self) -> u64 {
        self.valid.diverge + self.invalid.diverge
    }

    pub(super) fn compared(&self) -> u64 {
        self.valid.agree + self.invalid.agree + self.diverge()
    }

    pub(super) fn is_unexpected(&self) -> bool {
        self.diverge() > 0 || !self.unrepeated.is_empty()
    }

    /// The row, with the counts of what a profile predicts.
    pub(super) fn with_predictions(
        self,
        declaration: &Declaration,
        predictor: Option<&Predictor>,
        score: &Score,
    ) -> SuiteRow {
        let predictions = predictor.map(|predictor| {
            let counts = score.predictions.clone().unwrap_or_default();
            let unpredicted = counts.unpredicted.map(|cluster| UnpredictedRow {
                predicted: predictor.prediction(
                    declaration,
                    &Input::Parse {
                        rule: own_rule(declaration),
                        input: cluster.witness.clone(),
                    },
                ),
                count: cluster.count,
                witness: cluster.witness,
                outcome: cluster.observed,
            });
            PredictionRow {
                predicted: counts.predicted,
                unpredicted,
            }
        });
        SuiteRow { predictions, ..self }
    }

    /// That nothing was compared, and why, if so.
    pub(super) fn check_compared(&self) -> Option<String> {
        let reasons: Vec<&str> = self.not_compared.keys().map(String::as_str).collect();
        (self.compared() == 0).then(|| format!("nothing of {} was compared: {}", self.subject, reasons.join("; ")))
    }
}

#[derive(Default, Serialize)]
pub(super) struct PredictionRow {
    /// Divergences that the profile predicts.
    pub(super) predicted: u64,
    /// Those of which it predicts another answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unpredicted: Option<UnpredictedRow>,
}

#[derive(Serialize)]
pub(super) struct UnpredictedRow {
    pub(super) count: u64,
    /// The shortest string.
    pub(super) witness: String,
    pub(super) outcome: Outcome,
    pub(super) predicted: Option<Outcome>,
}

#[derive(Serialize)]
pub(super) struct SuiteCountsRow {
    pub(super) asked: u64,
    pub(super) agree: u64,
    pub(super) diverge: u64,
    pub(super) not_compared: u64,
}

impl From<run::Counts> for SuiteCountsRow {
    fn from(counts: run::Counts) -> SuiteCountsRow {
        SuiteCountsRow {
            asked: counts.answers(),
            agree: counts.agree,
            diverge: counts.diverge,
            not_compared: counts.not_compared + counts.left_out,
        }
    }
}

#[derive(Serialize)]
pub(super) struct LengthRow {
    pub(super) length: usize,
    pub(super) subject: u64,
    pub(super) machine: String,
}

#[derive(Serialize)]
pub(super) struct ClusterRow {
    pub(super) states: StatePair,
    #[serde(skip)]
    pub(super) kind: DifferenceKind,
    pub(super) difference: String,
    pub(super) count: u64,
    pub(super) witness: String,
    pub(super) outcome: Outcome,
}

/// Of a subject that the run did not come to before it was interrupted.
pub(super) fn not_begun(machines: &Machines, subject: &dyn Subject) -> SuiteRow {
    let none = Score {
        is_cut: true,
        ..Score::default()
    };
    row(machines, subject, (&none, None), Vec::new(), None)
}

/// That the run was interrupted while strings were put to a subject, of which there are so many in `total`, if so.
fn stopped(score: &Score, total: Option<u128>) -> Option<String> {
    let reason = interrupt::stopped().filter(|_| score.is_cut)?;
    let put = score.answers() + score.left_out();
    Some(match total {
        Some(total) if total == u128::from(put) => {
            format!("{reason} after {put} strings, before answers were checked again")
        }
        Some(total) => format!("{reason} after {put} of {total} strings"),
        None => format!("{reason} after {put} strings"),
    })
}

pub(super) fn row(
    machines: &Machines,
    subject: &dyn Subject,
    (score, total): (&Score, Option<u128>),
    certificates: Vec<Certificate>,
    accepted: Option<Vec<LengthRow>>,
) -> SuiteRow {
    let mut clusters: Vec<ClusterRow> = score
        .clusters
        .iter()
        .map(|((pair, difference), cluster)| ClusterRow {
            states: *pair,
            kind: difference.kind,
            difference: describe(difference),
            count: cluster.count,
            witness: cluster.witness.clone(),
            outcome: cluster.observed.clone(),
        })
        .collect();
    clusters.sort_by(|one, other| {
        let order = |cluster: &ClusterRow| (cluster.witness.len(), cluster.witness.clone(), cluster.states);
        order(one).cmp(&order(other))
    });
    SuiteRow {
        subject: subject.declaration().label(),
        rule: own_rule(subject.declaration()).name(),
        language: machines.language(),
        stopped: stopped(score, total),
        valid: score.valid.into(),
        invalid: score.invalid.into(),
        not_compared: score.not_compared.clone(),
        accepted,
        certificates,
        clusters,
        predictions: None,
        unrepeated: score.unrepeated.iter().map(|suspect| suspect.unrepeated.clone()).collect(),
    }
}
