//! Why a subject diverges: by its profile in the operations in which that is whole, else by the classes of the ledger.

use std::collections::BTreeSet;

use uriproof::gate::Claim;
use uriproof::model::{Outcome, Reading, Subject};
use uriproof::run::Result;

use super::{Prediction, Predictor, responsible};
use crate::divergence::fingerprint::{Class, classes};

/// What explains a divergence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// Deviations and classes. There are none if the reference itself does not expect what the result was compared with.
    By {
        /// The deviations to which it is due, by their places in the profile.
        deviations: Vec<usize>,
        /// Its classes, the heaviest first, in the ledger or not: of what the profile does not reach.
        classes: Vec<Class>,
    },
    /// Nothing: the profile predicts another answer.
    Unpredicted(Outcome),
}

impl Explanation {
    /// Of a divergence; the predictor is that of the subject. It knows the subject as it claims to be by itself, and RFC 3986 as it reads
    /// plainly; one that follows the URL Standard may be measured by that.
    pub fn of(subject: &dyn Subject, result: &Result, reading: Reading, predictor: Option<&Predictor>) -> Explanation {
        let declaration = subject.declaration();
        let applies = |predictor: &&Predictor| match declaration.claim {
            None => reading == Reading::Rfc3986,
            Some(Claim::Whatwg) => predictor.profile().follows_url_standard(),
            Some(_) => false,
        };
        let Some(predictor) = predictor.filter(applies) else {
            return Explanation::By {
                deviations: Vec::new(),
                classes: classes(subject, result, reading),
            };
        };
        let predicted = |result: &Result| match predictor.of_divergence(declaration, result) {
            Prediction::Exact => Some(responsible(declaration, predictor.profile(), &result.input)),
            Prediction::Other(_) | Prediction::None => None,
        };
        if let Some(deviations) = predicted(result) {
            return Explanation::By {
                deviations,
                classes: Vec::new(),
            };
        }
        if let Prediction::Other(predicted) = predictor.of_divergence(declaration, result) {
            return Explanation::Unpredicted(predicted);
        }
        // An operation that is not predicted inherits what parsing and printing do.
        let mut deviations = BTreeSet::new();
        let mut classes = classes(subject, result, reading);
        classes.retain(|class| match predicted(&class.witness) {
            Some(places) => {
                deviations.extend(places);
                false
            }
            None => true,
        });
        Explanation::By {
            deviations: deviations.into_iter().collect(),
            classes,
        }
    }
}
