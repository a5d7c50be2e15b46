//! Why a subject diverges: by its profile, or by the classes of the ledger.

use uriproof::gate::Claim;
use uriproof::model::{Outcome, Reading, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof_deviations::Deviation;
use uriproof_lab::divergence::fingerprint::Fingerprint;
use uriproof_lab::divergence::ledger::{Cause, Ledger, LedgerEntry};
use uriproof_lab::predict::{Explanation, Predictor};

/// Why a subject diverges: by the deviations that predict its answer, or by the class of the divergence.
pub(super) struct ExplainedDivergence {
    pub(super) by: Explained,
    pub(super) severity: Option<Severity>,
    pub(super) cause: Cause,
    pub(super) explanation: Option<String>,
}

/// What explains a divergence.
#[derive(PartialEq)]
pub(super) enum Explained {
    /// The deviations to which the answer is due, in the order of the profile: they predict it, to the letter.
    Deviations(Vec<Deviation>),
    /// Nothing: the profile predicts another answer.
    Unpredicted(Outcome),
    /// The class, in the ledger or not.
    Class(Fingerprint),
}

impl ExplainedDivergence {
    /// Of a divergence from the plain text; of what several causes show in, the one that weighs most.
    pub(super) fn of(
        subject: &dyn Subject,
        result: &run::Result,
        reading: Reading,
        ledger: &Ledger,
    ) -> Option<ExplainedDivergence> {
        let declaration = subject.declaration();
        // The ledger knows subjects by what they are, not by what they are said to claim.
        let is_known = match declaration.claim {
            None => reading == Reading::Rfc3986,
            Some(claim) => claim == Claim::Whatwg && ledger.follows_url_standard(declaration),
        };
        if !is_known {
            return None;
        }
        let predictor = Predictor::of(ledger, subject.declaration());
        match Explanation::of(subject, result, reading, predictor.as_ref()) {
            Explanation::By { deviations, classes } => match classes.into_iter().next() {
                None if deviations.is_empty() => None,
                None => Some(ExplainedDivergence::predicted(subject, result, &deviations, ledger)),
                Some(class) => {
                    let known = ledger.find(&subject.declaration().label(), &class.fingerprint);
                    let explanations = known.iter().map(|known| &*known.entry.explanation).collect::<Vec<_>>();
                    Some(ExplainedDivergence {
                        severity: Severity::of(result),
                        cause: known.first().map_or(Cause::Unexplained, |known| known.entry.cause),
                        explanation: (!known.is_empty()).then(|| explanations.join(" Or: ")),
                        by: Explained::Class(class.fingerprint),
                    })
                }
            },
            Explanation::Unpredicted(predicted) => Some(ExplainedDivergence {
                by: Explained::Unpredicted(predicted),
                severity: Severity::of(result),
                cause: Cause::Unexplained,
                explanation: None,
            }),
        }
    }

    /// By the deviations in these places of the profile; the cause is that of the first that states one, and the explanations are of all.
    fn predicted(
        subject: &dyn Subject,
        result: &run::Result,
        places: &[usize],
        ledger: &Ledger,
    ) -> ExplainedDivergence {
        let known = ledger.deviations(subject.declaration());
        // By the standard itself, that it is followed explains nothing.
        let is_by_standard = subject.declaration().claim.is_some();
        let says = |at: &&usize| !is_by_standard || known[**at].0.deviation != Deviation::FollowsUrlStandard;
        let places: Vec<usize> = places.iter().filter(says).copied().collect();
        let mut entries: Vec<&LedgerEntry> = Vec::new();
        for entry in places.iter().filter_map(|&at| known[at].1) {
            if !entries.iter().any(|other| other.id == entry.id) {
                entries.push(entry);
            }
        }
        let explanations: Vec<&str> = entries.iter().map(|entry| &*entry.explanation).collect();
        ExplainedDivergence {
            by: Explained::Deviations(places.iter().map(|&at| known[at].0.deviation.clone()).collect()),
            severity: Severity::of(result),
            cause: entries.first().map_or(Cause::Unexplained, |entry| entry.cause),
            explanation: (!entries.is_empty()).then(|| explanations.join(" And: ")),
        }
    }

    /// What explains it, on one line.
    pub(super) fn words(&self) -> String {
        match &self.by {
            Explained::Class(fingerprint) => fingerprint.to_string(),
            Explained::Unpredicted(predicted) => format!("not as its profile predicts, which is {predicted}"),
            Explained::Deviations(deviations) => {
                let sentences = match &deviations[..] {
                    [one] => one.sentence(),
                    several => {
                        let numbered = several.iter().enumerate();
                        let numbered = numbered.map(|(at, deviation)| format!("{}. {}", at + 1, deviation.sentence()));
                        numbered.collect::<Vec<_>>().join("  ")
                    }
                };
                format!("its profile predicts this answer: {sentences}")
            }
        }
    }
}
