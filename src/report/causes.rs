//! Why the subjects of a run diverge, by the ledger: subject by subject and crate by crate.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use uriproof::compare::Verdict;
use uriproof::gate::{Claim, Claimed};
use uriproof::model::{Input, OneLine, Reading, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof_deviations::Deviation;
use uriproof_lab::classes::of_growth;
use uriproof_lab::divergence::fingerprint::Class;
use uriproof_lab::divergence::ledger::{
    Cause, ClaimedSpecification, KnownClass, Ledger, LedgerEntry, expected_text, observed_text,
};
use uriproof_lab::predict::{Explanation, Fit, Predictors, fit};

use super::model::{Run, ShownWay, StatusCounts, SubjectRun, Way, is_reference};
use crate::measured;

/// Adds the ways in which whatever diverges does so, on vectors and in the core suites of RFC 3986, and the ledger that explains them;
/// `subjects` are those that the run was made with.
pub fn add_causes(run: &mut Run<'_>, subjects: &[&dyn Subject], ledger: Ledger) {
    let reading = run.reading;
    let predictors = Predictors::of(subjects, &ledger);
    let inputs: BTreeSet<(usize, Input)> = run
        .subjects
        .iter()
        .enumerate()
        .flat_map(|(at, subject)| {
            let of_vectors = subject.answers.iter().filter(|answer| answer.diverges());
            let of_vectors = of_vectors.map(|answer| answer.vector.input.clone());
            of_vectors.chain(witnesses(subject)).map(move |input| (at, input))
        })
        .collect();
    let found: BTreeMap<(usize, Input), (run::Result, Explanation)> = inputs
        .into_par_iter()
        .map(|(at, input)| {
            let result = run::one(subjects[at], &input, reading);
            let explanation = Explanation::of(subjects[at], &result, reading, predictors.get(at));
            ((at, input), (result, explanation))
        })
        .collect();
    let by_growth = of_growth(subjects, &measured::growth());
    for (at, subject) in run.subjects.iter_mut().enumerate() {
        let mut ways = Ways::default();
        if reading == Reading::Rfc3986 {
            ways.add_profile(subjects[at], &ledger);
        }
        ways.add_answers(subject, &ledger, |input| &found[&(at, input)]);
        for (_, class) in by_growth.iter().filter(|(of, _)| *of == at) {
            ways.meet_class(way_of(&ledger, subject, class), class, 0, 0);
        }
        ways.finish(subject);
    }
    run.ledger = ledger;
}

/// The shortest string of every cluster of the core suite of RFC 3986.
fn witnesses(subject: &SubjectRun<'_>) -> Vec<Input> {
    let cores = subject.cores.iter().filter(|core| core.profile.is_none());
    cores
        .flat_map(|core| {
            core.score.clusters.values().map(|cluster| Input::Parse {
                rule: core.rule,
                input: cluster.witness.clone(),
            })
        })
        .collect()
}

/// The ways in which a subject diverges, as they are met.
#[derive(Default)]
struct Ways {
    shown: BTreeMap<Way, ShownWay>,
    /// Those whose witness is the ledger's.
    witnessed: BTreeSet<Way>,
    /// The ways of each divergent answer to a vector, in their order.
    of_answers: Vec<Vec<Way>>,
    unexplained: Vec<String>,
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
    fn add_profile(&mut self, subject: &dyn Subject, ledger: &Ledger) {
        let declaration = subject.declaration();
        let profile = ledger.profile(declaration).unwrap_or_default();
        for (place, (known, entry)) in ledger.deviations(declaration).into_iter().enumerate() {
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

    fn add_answers<'f>(
        &mut self,
        subject: &SubjectRun<'_>,
        ledger: &Ledger,
        found: impl Fn(Input) -> &'f (run::Result, Explanation),
    ) {
        for answer in subject.answers.iter().filter(|answer| answer.diverges()) {
            let (result, explanation) = found(answer.vector.input.clone());
            let ways = self.explain(subject, ledger, result, explanation, (1, 0), || {
                format!("vector {}", answer.vector.id)
            });
            self.of_answers.push(ways);
        }
        for witness in witnesses(subject) {
            let text = witness.to_string();
            let (result, explanation) = found(witness);
            self.explain(subject, ledger, result, explanation, (0, 1), || {
                format!("core suite: {text}")
            });
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

    fn meet_class(&mut self, way: Way, class: &Class, vectors: usize, clusters: usize) {
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
    fn finish(self, subject: &mut SubjectRun<'_>) {
        let mut shown: Vec<ShownWay> = self.shown.into_values().collect();
        shown.sort_by(|one, other| {
            let order = |shown: &ShownWay| (shown.severity, shown.witness.input.size());
            order(one).cmp(&order(other)).then_with(|| one.way.cmp(&other.way))
        });
        let divergent = subject.answers.iter_mut().filter(|answer| answer.diverges());
        for (answer, ways) in divergent.zip(self.of_answers) {
            answer.ways = (0..shown.len()).filter(|&at| ways.contains(&shown[at].way)).collect();
        }
        subject.ways = shown;
        subject.unexplained = self.unexplained;
    }
}

/// The way that a class of a subject is: of the entry that has its witness, where causes show in the same way.
fn way_of(ledger: &Ledger, subject: &SubjectRun<'_>, class: &Class) -> Way {
    let known = ledger.find(&subject.declaration.label(), &class.fingerprint);
    let has_witness = known.iter().find(|known| known.class.input == class.witness.input);
    let one = has_witness.or(known.first().filter(|_| known.len() == 1));
    Way::Class(class.fingerprint.clone(), one.map(|known| known.entry.id.clone()))
}

/// The entries of the ledger for a way in which a subject of the run diverges: one, several where it has several causes that show in
/// the same way, or none.
pub fn known<'r>(run: &'r Run<'_>, subject: &SubjectRun<'_>, shown: &ShownWay) -> Vec<&'r LedgerEntry> {
    match &shown.way {
        Way::Deviation(place) => {
            let deviations = run.ledger.deviations(subject.declaration);
            deviations.get(*place).and_then(|(_, entry)| *entry).into_iter().collect()
        }
        Way::Class(fingerprint, id) => {
            let known = run.ledger.find(&subject.declaration.label(), fingerprint).into_iter().map(|known| known.entry);
            known.filter(|entry| id.as_ref().is_none_or(|id| entry.id == *id)).collect()
        }
    }
}

/// A divergence that no cause is given for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unexplained {
    /// The subject's label.
    pub subject: String,
    /// The class, or what diverges.
    pub what: String,
    /// What was expected of the witness of a class, and what came.
    pub answer: Option<String>,
}

impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", OneLine(&self.subject), OneLine(&self.what))?;
        self.answer.as_ref().map_or(Ok(()), |answer| write!(f, "\n  {}", OneLine(answer)))
    }
}

/// Whatever the run shows and the ledger does not explain.
pub fn unexplained_in_run(run: &Run<'_>) -> BTreeSet<Unexplained> {
    let mut unexplained = BTreeSet::new();
    for subject in &run.subjects {
        let label = subject.declaration.label();
        let of_ways = subject
            .ways
            .iter()
            .filter(|shown| {
                let entries = known(run, subject, shown);
                entries.is_empty() || entries.iter().any(|entry| entry.cause == Cause::Unexplained)
            })
            .map(|shown| {
                let witness = &shown.witness;
                let answer = shown.class().map(|_| {
                    let expected = expected_text(&witness.expected, &shown.difference);
                    let observed = observed_text(witness, &shown.difference);
                    format!("{}: expected {expected}, got {observed}", witness.input)
                });
                (shown.name.clone(), answer)
            });
        unexplained.extend(
            of_ways.chain(subject.unexplained.iter().map(|what| (what.clone(), None))).map(|(what, answer)| {
                Unexplained {
                    subject: label.clone(),
                    what,
                    answer,
                }
            }),
        );
    }
    unexplained
}

/// Whatever is not explained: in the run, and in the ledger's files of its subjects.
pub fn unexplained(run: &Run<'_>) -> BTreeSet<Unexplained> {
    let mut unexplained = unexplained_in_run(run);
    let labels: BTreeSet<String> = run.subjects.iter().map(|subject| subject.declaration.label()).collect();
    for known in run.ledger.classes().filter(|known| known.entry.cause == Cause::Unexplained) {
        let subjects = known.class.entry_points.iter();
        let subjects = subjects.map(|point| format!("{} {} {point}", known.file.name, known.file.version));
        unexplained.extend(
            subjects.filter(|subject| labels.contains(subject)).map(|subject| Unexplained {
                subject,
                what: known.class.fingerprint.to_string(),
                answer: None,
            }),
        );
    }
    unexplained
}

/// A version of a crate: its entry points, and every cause by which it differs from RFC 3986.
pub struct Crate<'r, 'a> {
    /// The crate.
    pub name: &'r str,
    /// Its version.
    pub version: &'r str,
    /// The entry points, in the order of the list.
    pub subjects: Vec<&'r SubjectRun<'a>>,
    /// What it claims, if the ledger has a file for it.
    pub claim: Option<&'r ClaimedSpecification>,
    /// The causes, bugs first, then the heaviest first: those of the ledger, and last what it does not have.
    pub causes: Vec<CrateCause>,
}

/// A cause, and the ways in which a crate shows it.
pub struct CrateCause {
    /// What the ledger says of it.
    pub entry: LedgerEntry,
    /// The ways, the heaviest first.
    pub ways: Vec<CrateWay>,
    /// How many divergent answers to vectors it has a part in, of all entry points; or may have, where several causes show in the same
    /// way.
    pub answers: usize,
}

/// A way in which entry points of a crate diverge: the deviation or class, and how it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrateWay {
    /// The sentence of the deviation, or the fingerprint of the class.
    pub name: String,
    /// Whether it is a deviation.
    pub is_deviation: bool,
    /// The entry points that show it.
    pub entry_points: Vec<String>,
    /// The witness.
    pub input: Input,
    /// What conforms.
    pub reference: String,
    /// What the entry points answer.
    pub subject: String,
    /// How much it weighs.
    pub severity: Severity,
}

impl CrateWay {
    /// What crates share: a deviation, or the same witness of a class, which says more than its name.
    pub fn shared_name(&self) -> String {
        match self.is_deviation {
            true => self.name.clone(),
            false => format!("{} {}", self.name, self.input),
        }
    }

    fn of_class(class: &KnownClass) -> CrateWay {
        CrateWay {
            name: class.fingerprint.to_string(),
            is_deviation: false,
            entry_points: class.entry_points.clone(),
            input: class.input.clone(),
            reference: class.reference.clone(),
            subject: class.subject.clone(),
            severity: class.severity,
        }
    }

    fn of(subject: &SubjectRun<'_>, shown: &ShownWay) -> CrateWay {
        CrateWay {
            name: shown.name.clone(),
            is_deviation: shown.class().is_none(),
            entry_points: vec![subject.declaration.entry_point.to_string()],
            input: shown.witness.input.clone(),
            reference: expected_text(&shown.witness.expected, &shown.difference),
            subject: observed_text(&shown.witness, &shown.difference),
            severity: shown.severity,
        }
    }
}

impl CrateCause {
    /// What the ledger has: its classes, whether the run shows them or not.
    fn of(entry: &LedgerEntry) -> CrateCause {
        CrateCause {
            ways: entry.classes.iter().map(CrateWay::of_class).collect(),
            entry: entry.clone(),
            answers: 0,
        }
    }

    /// Adds a way, to the entry points that show the same.
    fn add(&mut self, way: CrateWay) {
        let is_same = |other: &&mut CrateWay| {
            (&other.name, &other.reference, &other.subject) == (&way.name, &way.reference, &way.subject)
        };
        match self.ways.iter_mut().find(is_same) {
            Some(other) => other.entry_points.extend(way.entry_points),
            None => self.ways.push(way),
        }
    }
}

impl<'r, 'a> Crate<'r, 'a> {
    fn of(run: &'r Run<'a>, subjects: Vec<&'r SubjectRun<'a>>) -> Crate<'r, 'a> {
        let declaration = subjects[0].declaration;
        let file = run.ledger.file_of(declaration);
        let mut one = Crate {
            name: &declaration.name,
            version: &declaration.version,
            claim: file.map(|file| &file.claim),
            causes: file.into_iter().flat_map(|file| &file.entries).map(CrateCause::of).collect(),
            subjects,
        };
        for subject in one.subjects.clone() {
            one.add(run, subject);
        }
        one.sort();
        one
    }

    /// Adds the deviations that an entry point shows, the classes that the ledger does not have, and the counts of its answers.
    fn add(&mut self, run: &Run<'_>, subject: &SubjectRun<'_>) {
        let mut of_ways = Vec::new();
        for shown in &subject.ways {
            let entries = known(run, subject, shown);
            let mut ids: Vec<&str> = entries.iter().map(|entry| &*entry.id).collect();
            if ids.is_empty() {
                ids.push(Cause::Unexplained.name());
            }
            let places: Vec<usize> = ids.into_iter().map(|id| self.place(id)).collect();
            if entries.is_empty() || matches!(shown.way, Way::Deviation(_)) {
                self.causes[places[0]].add(CrateWay::of(subject, shown));
            }
            of_ways.push(places);
        }
        for answer in &subject.answers {
            for &at in answer.ways.iter().flat_map(|&way| &of_ways[way]).collect::<BTreeSet<_>>() {
                self.causes[at].answers += 1;
            }
        }
    }

    /// The place of the cause with an id, which is made where there is none.
    fn place(&mut self, id: &str) -> usize {
        self.causes.iter().position(|cause| cause.entry.id == id).unwrap_or_else(|| {
            self.causes.push(CrateCause::of(&LedgerEntry::unexplained(Vec::new())));
            self.causes.len() - 1
        })
    }

    fn sort(&mut self) {
        for cause in &mut self.causes {
            cause.ways.sort_by(|one, other| {
                let order = |way: &CrateWay| (way.severity, way.input.size());
                order(one).cmp(&order(other)).then_with(|| one.name.cmp(&other.name))
            });
        }
        self.causes.sort_by(|one, other| {
            let group = |cause: &CrateCause| match cause.entry.cause {
                Cause::Bug => 0,
                Cause::Unexplained => 2,
                _ => 1,
            };
            let order = |cause: &CrateCause| (group(cause), cause.ways.first().map(|way| way.severity));
            order(one).cmp(&order(other)).then_with(|| one.entry.id.cmp(&other.entry.id))
        });
    }

    /// The ways of every cause.
    pub fn ways(&self) -> impl Iterator<Item = &CrateWay> {
        self.causes.iter().flat_map(|cause| &cause.ways)
    }

    /// Name and version.
    pub fn label(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    /// A count of the answers of all its entry points.
    pub fn sum(&self, count: impl Fn(StatusCounts) -> usize) -> usize {
        self.subjects.iter().map(|subject| count(subject.counts())).sum()
    }

    /// The worst severity of its divergences; `None` without any.
    pub fn worst(&self) -> Option<Severity> {
        self.ways().map(|way| way.severity).min()
    }
}

/// The crates, the worst first: by the worst severity, then by how many answers diverge; those without a divergence last.
pub fn worst_first<'c, 'r, 'a>(crates: &'c [Crate<'r, 'a>]) -> Vec<&'c Crate<'r, 'a>> {
    let mut sorted: Vec<&Crate<'_, '_>> = crates.iter().collect();
    sorted.sort_by_key(|one| {
        let worst = one.worst();
        (worst.is_none(), worst, Reverse(one.sum(|counts| counts.unexpected())))
    });
    sorted
}

/// The crates of the run, the reference not among them, in the order of the list.
pub fn crates<'r, 'a>(run: &'r Run<'a>) -> Vec<Crate<'r, 'a>> {
    let mut crates: Vec<Vec<&'r SubjectRun<'a>>> = Vec::new();
    for subject in run.subjects.iter().filter(|subject| !is_reference(subject.declaration)) {
        let label = |subject: &SubjectRun<'_>| (subject.declaration.name.clone(), subject.declaration.version.clone());
        match crates.iter_mut().find(|known| label(known[0]) == label(subject)) {
            Some(known) => known.push(subject),
            None => crates.push(vec![subject]),
        }
    }
    crates.into_iter().map(|subjects| Crate::of(run, subjects)).collect()
}

/// A way that several crates share.
pub struct SharedWay<'c> {
    /// What it is called.
    pub name: String,
    /// How each crate shows it, by the places of the crates.
    pub crates: BTreeMap<usize, Vec<&'c CrateWay>>,
}

/// The ways that several of these crates share, each once, those of most crates first.
pub fn shared<'c>(crates: &'c [Crate<'_, '_>]) -> Vec<SharedWay<'c>> {
    let mut by_name: BTreeMap<String, BTreeMap<usize, Vec<&CrateWay>>> = BTreeMap::new();
    for (at, one) in crates.iter().enumerate() {
        for way in one.ways() {
            by_name.entry(way.shared_name()).or_default().entry(at).or_default().push(way);
        }
    }
    let mut shared: Vec<SharedWay<'_>> = by_name
        .into_iter()
        .filter(|(_, crates)| crates.len() > 1)
        .map(|(name, crates)| SharedWay { name, crates })
        .collect();
    // The heaviest severity breaks ties; of the rest, the order of the names stays.
    shared.sort_by_key(|shared| {
        let severity = shared.crates.values().flatten().map(|way| way.severity).min();
        (usize::MAX - shared.crates.len(), severity)
    });
    shared
}
