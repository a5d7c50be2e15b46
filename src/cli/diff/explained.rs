//! Why a subject diverges: by its profile, or by the classes of the ledger.

use uriproof::compare::Verdict;
use uriproof::gate::{Claim, Claimed};
use uriproof::model::{Input, Outcome, Reading, Specification, Subject};
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
    /// Whether the ledger is about the subject; it is not about commands.
    pub(super) is_covered: bool,
    /// What the ledger says of each cause; none if it is not in the ledger.
    pub(super) explanations: Vec<String>,
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

/// What the URL Standard says of a subject that follows it and is compared with RFC 3986; `None` of every other.
pub(super) fn verdict_by_own_standard(subject: &dyn Subject, input: &Input) -> Option<Verdict> {
    let declaration = subject.declaration();
    let follows = declaration.specification == Specification::WhatwgUrl && declaration.claim.is_none();
    follows.then(|| run::one(&Claimed::new(subject, Some(Claim::Whatwg)), input, Reading::Rfc3986).verdict)
}

fn is_right_by_own_standard(subject: &dyn Subject, input: &Input) -> bool {
    matches!(verdict_by_own_standard(subject, input), Some(Verdict::Agree { .. }))
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
        // One that follows the URL Standard and is right by it has no mistake to be explained; the profile of one in the ledger says so.
        let is_right = || !ledger.follows_url_standard(declaration) && is_right_by_own_standard(subject, &result.input);
        if !is_known || is_right() {
            return None;
        }
        let predictor = Predictor::of(ledger, subject.declaration());
        match Explanation::of(subject, result, reading, predictor.as_ref()) {
            Explanation::By { deviations, classes } => match classes.into_iter().next() {
                None if deviations.is_empty() => None,
                None => Some(ExplainedDivergence::predicted(subject, result, &deviations, ledger)),
                Some(class) => {
                    let known = ledger.find(&subject.declaration().label(), &class.fingerprint);
                    Some(ExplainedDivergence {
                        severity: Severity::of(result),
                        is_covered: true,
                        cause: known.first().map_or(Cause::Unexplained, |known| known.entry.cause),
                        explanations: known.iter().map(|known| known.entry.explanation.clone()).collect(),
                        by: Explained::Class(class.fingerprint),
                    })
                }
            },
            Explanation::Unpredicted(predicted) => Some(ExplainedDivergence {
                by: Explained::Unpredicted(predicted),
                severity: Severity::of(result),
                cause: Cause::Unexplained,
                is_covered: true,
                explanations: Vec::new(),
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
        ExplainedDivergence {
            by: Explained::Deviations(places.iter().map(|&at| known[at].0.deviation.clone()).collect()),
            severity: Severity::of(result),
            is_covered: true,
            cause: entries.first().map_or(Cause::Unexplained, |entry| entry.cause),
            explanations: entries.iter().map(|entry| entry.explanation.clone()).collect(),
        }
    }

    /// What the ledger says of it: the first sentence of each explanation, or all of it. Of several classes each can be the cause; several
    /// deviations act together.
    pub(super) fn explanation(&self, is_whole: bool) -> String {
        let joined = match self.by {
            Explained::Deviations(_) => " And: ",
            Explained::Class(_) | Explained::Unpredicted(_) => " Or: ",
        };
        let explanations = self.explanations.iter().map(|text| if is_whole { text } else { first_sentence(text) });
        match self.explanations.is_empty() {
            true => "not in the ledger".to_owned(),
            false => explanations.collect::<Vec<_>>().join(joined),
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
                format!("predicted: {sentences}")
            }
        }
    }
}

/// A text up to the end of its first sentence: a period before a space and a capital, or a quotation.
fn first_sentence(text: &str) -> &str {
    let begins = |rest: &str| rest.starts_with(|first: char| first.is_uppercase() || matches!(first, '`' | '"'));
    let end = text.match_indices(". ").find(|(at, _)| begins(&text[at + 2..]));
    end.map_or(text, |(at, _)| &text[..=at])
}
