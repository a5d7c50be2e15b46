//! The ways in which a subject diverges, with the severity of each.

use std::collections::{BTreeMap, BTreeSet};

use uriproof::compare::Verdict;
use uriproof::gate::{Claim, Claimed};
use uriproof::model::{Input, Reading, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof_deviations::Deviation;
use uriproof_lab::divergence::fingerprint::Class;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::predict::{Explanation, Fit, Predictors, fit};

use super::{way_of, witnesses};
use crate::report::model::{AnsweredVector, ShownWay, SubjectRun, Way};

/// The ways in which a subject diverges, as they are met.
#[derive(Default)]
pub(super) struct Ways {
    shown: BTreeMap<Way, ShownWay>,
    /// Those whose witness is the ledger's.
    witnessed: BTreeSet<Way>,
    /// Those that depart from the URL Standard: their witness is judged by it.
    departures: BTreeSet<Way>,
    /// That the URL Standard is followed.
    follows: BTreeSet<Way>,
    /// What explains each divergent answer to a vector, in their order.
    of_answers: Vec<CoveredAnswer>,
    /// What explains each answer that diverges from the URL Standard, of a subject that follows it.
    of_standard: Vec<CoveredAnswer>,
    unexplained: Vec<String>,
}

/// A divergent answer and what explains it.
struct CoveredAnswer {
    ways: Vec<Way>,
    /// Those of which one covers it.
    covering: Vec<Way>,
    /// Its severity, if it is the answer to a vector.
    severity: Option<Severity>,
    result: run::Result,
}

/// What a subject that follows the URL Standard does, as the standard judges it; as RFC 3986 does, where the standard has no answer.
fn by_url_standard(subject: &dyn Subject, result: run::Result) -> run::Result {
    let judged = run::one(
        &Claimed::new(subject, Some(Claim::Whatwg)),
        &result.input,
        Reading::Rfc3986,
    );
    match judged.verdict {
        Verdict::Diverge(_) => judged,
        Verdict::Agree { .. } | Verdict::NotComparable { .. } => result,
    }
}

impl Ways {
    /// The deviations of the profile that the ledger's own witnesses show of the subject.
    pub(super) fn add_profile(&mut self, subject: &dyn Subject, ledger: &Ledger) {
        let declaration = subject.declaration();
        let profile = ledger.profile(declaration).unwrap_or_default();
        for (place, (known, entry)) in ledger.deviations(declaration).into_iter().enumerate() {
            match known.deviation {
                Deviation::DepartsFromUrlStandard { .. } => self.departures.insert(Way::Deviation(place)),
                Deviation::FollowsUrlStandard => self.follows.insert(Way::Deviation(place)),
                _ => false,
            };
            if entry.is_none() || declaration.claim.is_some() {
                continue;
            }
            let result = run::one(subject, &known.witness, Reading::Rfc3986);
            if fit(declaration, &profile, &result) == Fit::Predicted {
                let shown = match known.deviation {
                    Deviation::DepartsFromUrlStandard { .. } => by_url_standard(subject, result),
                    _ => result,
                };
                self.meet(Way::Deviation(place), &known.deviation.sentence(), &shown, 0, 0);
                self.witnessed.insert(Way::Deviation(place));
            }
        }
    }

    pub(super) fn add_answers<'f>(
        &mut self,
        library: &dyn Subject,
        subject: &SubjectRun<'_>,
        ledger: &Ledger,
        found: impl Fn(Input) -> &'f (run::Result, Explanation),
    ) {
        for answer in subject.answers.iter().filter(|answer| answer.diverges()) {
            let (result, explanation) = found(answer.vector.input.clone());
            let ways = self.explain(subject, ledger, result, explanation, (1, 0), || {
                format!("vector {}", answer.vector.id)
            });
            let covered = self.covered(library, answer, ways, result);
            self.of_answers.push(covered);
        }
        for witness in witnesses(subject) {
            let text = witness.to_string();
            let (result, explanation) = found(witness);
            self.explain(subject, ledger, result, explanation, (0, 1), || {
                format!("core suite: {text}")
            });
        }
    }

    /// Adds the answers that diverge from the URL Standard, of a subject that follows it: the severity of a departure is by that.
    pub(super) fn add_of_standard(&mut self, library: &dyn Subject, subject: &SubjectRun<'_>, ledger: &Ledger) {
        let claimed = Claimed::new(library, Some(Claim::Whatwg));
        let predictors = Predictors::of(&[&claimed], ledger);
        for result in &subject.of_url_standard {
            let explanation = Explanation::of(&claimed, result, Reading::Rfc3986, predictors.get(0));
            let Explanation::By { deviations, .. } = explanation else {
                continue;
            };
            let ways = deviations.into_iter().map(Way::Deviation);
            let ways: Vec<Way> =
                ways.filter(|way| self.shown.contains_key(way) && !self.follows.contains(way)).collect();
            self.of_standard.push(CoveredAnswer {
                covering: ways.clone(),
                ways,
                severity: Severity::of(result),
                result: result.clone(),
            });
        }
    }

    /// An answer with what covers it. What departs from the URL Standard is judged by it, and that the standard is followed explains nothing.
    fn covered(
        &self,
        library: &dyn Subject,
        answer: &AnsweredVector<'_>,
        ways: Vec<Way>,
        result: &run::Result,
    ) -> CoveredAnswer {
        let is_departure = ways.iter().any(|way| self.departures.contains(way));
        let by_standard = is_departure.then(|| by_url_standard(library, result.clone()));
        let severity = Severity::of(by_standard.as_ref().unwrap_or(&answer.result));
        let result = by_standard.unwrap_or_else(|| result.clone());
        let covering = ways.iter().filter(|way| !is_departure || !self.follows.contains(way));
        CoveredAnswer {
            covering: covering.cloned().collect(),
            ways,
            severity: severity.filter(|_| !answer.is_of_suite()),
            result,
        }
    }

    /// Counts the ways of a divergence, and returns them; `name` names its input.
    fn explain(
        &mut self,
        subject: &SubjectRun<'_>,
        ledger: &Ledger,
        result: &run::Result,
        explanation: &Explanation,
        (vectors, clusters): (usize, usize),
        name: impl Fn() -> String,
    ) -> Vec<Way> {
        let mut ways = Vec::new();
        match explanation {
            Explanation::By { deviations, classes } => {
                let known = ledger.deviations(subject.declaration);
                // A choice that acts beside them conforms, and is no cause.
                for &place in deviations.iter().filter(|&&place| known[place].1.is_some()) {
                    let sentence = known[place].0.deviation.sentence();
                    self.meet(Way::Deviation(place), &sentence, result, vectors, clusters);
                    ways.push(Way::Deviation(place));
                }
                for class in classes {
                    let way = way_of(ledger, subject, class);
                    self.meet_class(way.clone(), class, vectors, clusters);
                    ways.push(way);
                }
                if ways.is_empty() {
                    self.unexplained.push(match deviations[..] {
                        [] => format!(
                            "{} diverges, but not from what the reference expects of it; `uriproof vectors lint` compares \
                             the two",
                            name()
                        ),
                        _ => format!("{} diverges, and only choices act that conform", name()),
                    });
                }
            }
            Explanation::Unpredicted(predicted) => self.unexplained.push(format!(
                "{} is not answered as the profile predicts: {}, and predicted is {predicted}",
                name(),
                result.observed_text()
            )),
        }
        ways
    }

    pub(super) fn meet_class(&mut self, way: Way, class: &Class, vectors: usize, clusters: usize) {
        self.meet(way, class.fingerprint.as_str(), &class.witness, vectors, clusters);
    }

    fn meet(&mut self, way: Way, name: &str, witness: &run::Result, vectors: usize, clusters: usize) {
        let Verdict::Diverge(difference) = &witness.verdict else {
            return;
        };
        let severity = Severity::of(witness).unwrap_or(Severity::Normalization);
        let is_witnessed = self.witnessed.contains(&way);
        let known = self.shown.entry(way.clone()).or_insert_with(|| ShownWay {
            way,
            name: name.to_owned(),
            witness: witness.clone(),
            difference: *difference,
            severity,
            vectors: 0,
            clusters: 0,
        });
        known.vectors += vectors;
        known.clusters += clusters;
        // Crashes at one place have many witnesses.
        let order = |witness: &run::Result| (witness.input.size(), witness.input.clone());
        if !is_witnessed && order(witness) < order(&known.witness) {
            known.witness = witness.clone();
            known.difference = *difference;
        }
    }

    /// Gives the ways to the subject, the heaviest first, and to each of its answers.
    pub(super) fn finish(mut self, subject: &mut SubjectRun<'_>) {
        for (way, severity) in self.severities() {
            let is_worst =
                |answer: &&CoveredAnswer| answer.severity == Some(severity) && answer.covering.contains(&way);
            let shown = self.shown.get_mut(&way).expect("it is shown");
            // What shows it alone comes first, then the shortest.
            let order = |answer: &&CoveredAnswer| (answer.covering.len(), answer.result.input.size());
            let of_standard = self.of_standard.iter().filter(|_| self.departures.contains(&way));
            let worst = of_standard.chain(&self.of_answers).filter(is_worst).min_by_key(order);
            let is_shown = Severity::of(&shown.witness) == Some(severity);
            let worst = worst.filter(|_| !is_shown).map(|answer| &answer.result);
            if let Some((result, Verdict::Diverge(difference))) = worst.map(|result| (result, &result.verdict)) {
                shown.difference = *difference;
                shown.witness = result.clone();
            }
            shown.severity = severity;
        }
        let mut shown: Vec<ShownWay> = self.shown.into_values().collect();
        shown.sort_by(|one, other| {
            let order = |shown: &ShownWay| {
                let size = shown.witness.input.size();
                (shown.severity.urgency(), shown.class().is_some(), size)
            };
            order(one).cmp(&order(other)).then_with(|| one.way.cmp(&other.way))
        });
        let divergent = subject.answers.iter_mut().filter(|answer| answer.diverges());
        for (answer, covered) in divergent.zip(self.of_answers) {
            answer.ways = (0..shown.len()).filter(|&at| covered.ways.contains(&shown[at].way)).collect();
        }
        subject.ways = shown;
        subject.unexplained = self.unexplained;
    }

    fn judged(&self) -> impl Iterator<Item = &CoveredAnswer> {
        self.of_answers.iter().chain(&self.of_standard)
    }

    /// The severity of each deviation: the worst of the answers to vectors that it covers. An answer with several causes is covered by the
    /// heaviest of them, by what each does alone.
    fn severities(&self) -> BTreeMap<Way, Severity> {
        let is_deviation = |way: &&Way| matches!(way, Way::Deviation(_));
        let deviations = || self.shown.keys().filter(is_deviation);
        let alone = |way: &Way| {
            let answers = self.judged().filter(|answer| answer.covering == [way.clone()]);
            let witnessed = self.witnessed.contains(way).then(|| self.shown[way].severity);
            let severities = answers.filter_map(|answer| answer.severity).chain(witnessed);
            severities.reduce(Severity::min_by_urgency).unwrap_or(self.shown[way].severity)
        };
        let alone: BTreeMap<&Way, Severity> = deviations().map(|way| (way, alone(way))).collect();
        let mut severities: BTreeMap<Way, Severity> = alone.iter().map(|(way, one)| ((*way).clone(), *one)).collect();
        for answer in self.judged().filter(|answer| answer.covering.len() > 1) {
            let order = |way: &&Way| {
                let severity = alone.get(way).copied().unwrap_or(self.shown[*way].severity);
                (severity.urgency(), !is_deviation(way))
            };
            let heaviest =
                answer.covering.iter().min_by(|one, other| order(one).cmp(&order(other)).then_with(|| one.cmp(other)));
            if let (Some(known), Some(severity)) = (heaviest.and_then(|way| severities.get_mut(way)), answer.severity) {
                *known = known.min_by_urgency(severity);
            }
        }
        severities
    }
}
