//! Why the subjects of a run diverge, by the ledger: subject by subject and crate by crate.

mod ways;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use uriproof::model::{Input, OneLine, Reading, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof_deviations::Deviation;
use uriproof_lab::classes::of_growth;
use uriproof_lab::divergence::fingerprint::Class;
use uriproof_lab::divergence::ledger::{
    Cause, ClaimedSpecification, KnownClass, Ledger, LedgerEntry, expected_text, observed_text,
};
use uriproof_lab::predict::{Explanation, Predictors};

use self::ways::Ways;
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
        ways.add_answers(subjects[at], subject, &ledger, |input| &found[&(at, input)]);
        ways.add_of_standard(subjects[at], subject, &ledger);
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

/// The clause from which a subject departs in one of its ways: a step of the URL Standard where it departs from that; `None` without a cause.
pub fn clause(run: &Run<'_>, subject: &SubjectRun<'_>, shown: &ShownWay) -> Option<String> {
    let step = match &shown.way {
        Way::Deviation(place) => {
            let deviations = run.ledger.deviations(subject.declaration);
            deviations.get(*place).and_then(|(known, _)| step(&known.deviation))
        }
        Way::Class(..) => None,
    };
    let of_entry = || known(run, subject, shown).first().map(|entry| entry.clause.clone());
    step.map(str::to_owned).or_else(of_entry)
}

/// The step of the URL Standard from which a deviation departs, by its id among the clauses.
pub(super) fn step(deviation: &Deviation) -> Option<&'static str> {
    match deviation {
        Deviation::DepartsFromUrlStandard { by } => Some(by.step()),
        _ => None,
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
        one.unify();
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

    /// Gives each deviation the worst severity that it has in any entry point.
    fn unify(&mut self) {
        let mut worst: BTreeMap<String, Severity> = BTreeMap::new();
        for way in self.ways().filter(|way| way.is_deviation) {
            let known = worst.entry(way.name.clone()).or_insert(way.severity);
            *known = known.min_by_urgency(way.severity);
        }
        for way in self.causes.iter_mut().flat_map(|cause| &mut cause.ways).filter(|way| way.is_deviation) {
            way.severity = worst[&way.name];
        }
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

    /// The most urgent severity of its divergences; `None` without any.
    pub fn worst(&self) -> Option<Severity> {
        self.ways().map(|way| way.severity).min_by_key(|severity| severity.urgency())
    }
}

/// The crates, the worst first: by the most urgent severity, then by how many answers diverge; those without a divergence last.
pub fn worst_first<'c, 'r, 'a>(crates: &'c [Crate<'r, 'a>]) -> Vec<&'c Crate<'r, 'a>> {
    let mut sorted: Vec<&Crate<'_, '_>> = crates.iter().collect();
    sorted.sort_by_key(|one| {
        let worst = one.worst().map(Severity::urgency);
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
