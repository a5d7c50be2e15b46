//! The classes of divergence that vectors and suites show: what the ledger must explain.

use std::collections::BTreeMap;

use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::model::{Input, Reading, Subject};
use uriproof::run;

use super::growth::Growth;
use crate::divergence::fingerprint::{Class, Fingerprint, classes};
use crate::divergence::ledger::{ExplainedClass, Ledger, observed_text};
use crate::predict::{Explanation, Prediction, Predictor, Predictors};

/// The classes that an input shows, for a subject with this predictor; those that its profile predicts are left out.
pub fn of_input(subject: &dyn Subject, input: &Input, predictor: Option<&Predictor>) -> Vec<Class> {
    let result = run::one(subject, input, Reading::Rfc3986);
    match Explanation::of(subject, &result, Reading::Rfc3986, predictor) {
        Explanation::By { classes, .. } => classes,
        Explanation::Unpredicted(_) => classes(subject, &result, Reading::Rfc3986),
    }
}

/// The classes that long inputs have shown, each with the place of its subject.
pub fn of_growth(subjects: &[&dyn Subject], stored: &[Growth]) -> Vec<(usize, Class)> {
    subjects
        .iter()
        .enumerate()
        .flat_map(|(at, subject)| {
            let declaration = subject.declaration();
            let of_subject = stored.iter().filter(|growth| growth.subject == declaration.label());
            of_subject.filter_map(|growth| growth.class(declaration)).map(move |class| (at, class)).collect::<Vec<_>>()
        })
        .collect()
}

/// A class in the ledger that an entry point does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    /// The ledger's file.
    pub file: String,
    /// The entry.
    pub entry: String,
    /// The subject's label.
    pub subject: String,
    /// The class.
    pub fingerprint: Fingerprint,
    /// What is the case instead.
    pub reason: String,
}

/// A class in the ledger that an entry point shows with another answer than the ledger says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherAnswer {
    /// The ledger's file.
    pub file: String,
    /// The entry.
    pub entry: String,
    /// The subject's label.
    pub subject: String,
    /// The class.
    pub fingerprint: Fingerprint,
    /// The answer in the ledger.
    pub stored: String,
    /// The answer now.
    pub now: String,
}

/// What the witnesses of the ledger show now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witnessed {
    /// The classes that no longer show.
    pub stale: Vec<Stale>,
    /// The classes that show with another answer.
    pub other_answers: Vec<OtherAnswer>,
}

/// How a class of the ledger differs from what its witness shows now.
enum ClassMismatch {
    Stale(Stale),
    OtherAnswer(OtherAnswer),
}

/// Every class of the ledger whose witness does not show it: see [`witnessed`].
pub fn stale(ledger: &Ledger, subjects: &[&dyn Subject], growth: &[Growth], all: bool) -> Vec<Stale> {
    witnessed(ledger, subjects, growth, all).stale
}

/// Every class of the ledger whose witness does not show it, or shows it with another answer, of the subjects that are given; and
/// those of subjects that are not there, where `all` are given. What `growth` has shows that of long inputs. A class is stale too where
/// the profile of the subject predicts the answer.
pub fn witnessed(ledger: &Ledger, subjects: &[&dyn Subject], growth: &[Growth], all: bool) -> Witnessed {
    let known: Vec<_> = ledger.classes().collect();
    let by_growth: BTreeMap<(String, Fingerprint), Class> = of_growth(subjects, growth)
        .into_iter()
        .map(|(at, class)| ((subjects[at].declaration().label(), class.fingerprint.clone()), class))
        .collect();
    let by_growth = &by_growth;
    let predictors = &Predictors::of(subjects, ledger);
    let findings: Vec<ClassMismatch> = known
        .par_iter()
        .flat_map_iter(|known| {
            known.class.entry_points.iter().filter_map(move |entry_point| {
                let label = format!("{} {} {entry_point}", known.file.name, known.file.version);
                let at = subjects.iter().position(|subject| subject.declaration().label() == label);
                if at.is_none() && !all {
                    return None;
                }
                let of_growth = by_growth.get(&(label.clone(), known.class.fingerprint.clone()));
                look_at(
                    known,
                    &label,
                    at.map(|at| (subjects[at], predictors.get(at))),
                    of_growth,
                )
            })
        })
        .collect();
    let mut witnessed = Witnessed::default();
    for finding in findings {
        match finding {
            ClassMismatch::Stale(stale) => witnessed.stale.push(stale),
            ClassMismatch::OtherAnswer(other) => witnessed.other_answers.push(other),
        }
    }
    witnessed
}

/// What a class of the ledger shows for one of its entry points; `None` if it is as it is stored.
fn look_at(
    known: &ExplainedClass<'_>,
    label: &str,
    subject: Option<(&dyn Subject, Option<&Predictor>)>,
    of_growth: Option<&Class>,
) -> Option<ClassMismatch> {
    let ExplainedClass { file, entry, class } = known;
    let (file, entry, subject_label) = (file.file.clone(), entry.id.clone(), label.to_owned());
    let fingerprint = class.fingerprint.clone();
    let stale = |reason| {
        Some(ClassMismatch::Stale(Stale {
            file: file.clone(),
            entry: entry.clone(),
            subject: subject_label.clone(),
            fingerprint: fingerprint.clone(),
            reason,
        }))
    };
    let Some((subject, predictor)) = subject else {
        return stale("there is no such subject".to_owned());
    };
    let now = match of_growth {
        Some(shown) => observed_text(&shown.witness, &shown.difference),
        None => {
            let result = run::one(subject, &class.input, Reading::Rfc3986);
            let prediction = predictor.map(|predictor| predictor.of_divergence(subject.declaration(), &result));
            if prediction == Some(Prediction::Exact) {
                return stale("its profile predicts the answer, so the class is not needed".to_owned());
            }
            let shown = classes(subject, &result, Reading::Rfc3986);
            match (
                &result.verdict,
                shown.iter().find(|shown| shown.fingerprint == class.fingerprint),
            ) {
                (_, Some(same)) => observed_text(&same.witness, &same.difference),
                (Verdict::Diverge(_), None) if !shown.is_empty() => {
                    return stale(format!("its class is another: {}", shown[0].fingerprint));
                }
                (verdict, None) => return stale(format!("{}, {}", verdict.name(), result.observed)),
            }
        }
    };
    (now != class.subject).then(|| {
        ClassMismatch::OtherAnswer(OtherAnswer {
            file,
            entry,
            subject: subject_label,
            fingerprint,
            stored: class.subject.clone(),
            now,
        })
    })
}
