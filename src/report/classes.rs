//! The classes of a run, and what the ledger says of them: subject by subject and crate by crate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rayon::prelude::*;
use uriproof::model::{Input, OneLine, Subject};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof_lab::classes::of_growth;
use uriproof_lab::divergence::fingerprint::{Class, Fingerprint, classes};
use uriproof_lab::divergence::ledger::{
    Cause, ClaimedSpecification, ExplainedClass, KnownClass, Ledger, LedgerEntry, expected_text, observed_text,
};

use super::model::{Run, ShownClass, SubjectRun, is_reference};
use crate::measured;

/// Adds the classes of whatever diverges, on vectors and in the core suites of RFC 3986, and the ledger that explains
/// them; `subjects` are those that the run was made with.
pub fn add_classes(run: &mut Run<'_>, subjects: &[&dyn Subject], ledger: Ledger) {
    let reading = run.reading;
    let asked: BTreeSet<(usize, Input)> = run
        .subjects
        .iter()
        .enumerate()
        .flat_map(|(at, subject)| {
            let of_vectors = subject.answers.iter().filter(|answer| answer.diverges());
            let of_vectors = of_vectors.map(|answer| answer.vector.input.clone());
            of_vectors.chain(witnesses(subject)).map(move |input| (at, input))
        })
        .collect();
    let found: BTreeMap<(usize, Input), Vec<Class>> = asked
        .into_par_iter()
        .map(|(at, input)| {
            let classes = classes(subjects[at], &run::one(subjects[at], &input, reading), reading);
            ((at, input), classes)
        })
        .collect();
    let by_growth = of_growth(subjects, &measured::growth());
    for (at, subject) in run.subjects.iter_mut().enumerate() {
        let of_subject: Vec<&Class> = by_growth.iter().filter(|(of, _)| *of == at).map(|(_, class)| class).collect();
        let of = |input: Input| found.get(&(at, input)).map_or(&[][..], Vec::as_slice);
        add_to(subject, of, &of_subject);
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

fn add_to<'c>(subject: &mut SubjectRun<'_>, classes_of: impl Fn(Input) -> &'c [Class], by_growth: &[&'c Class]) {
    let witnesses = witnesses(subject);
    let mut shown: BTreeMap<&Fingerprint, ShownClass> = BTreeMap::new();
    let mut meet = |class: &'c Class, vectors: usize, clusters: usize| {
        let order = |class: &Class| (class.witness.input.size(), class.witness.input.clone());
        let known = shown.entry(&class.fingerprint).or_insert_with(|| ShownClass {
            class: class.clone(),
            severity: severity(class),
            vectors: 0,
            clusters: 0,
        });
        known.vectors += vectors;
        known.clusters += clusters;
        // Crashes at one place have many witnesses.
        if order(class) < order(&known.class) {
            known.class = class.clone();
        }
    };
    let mut unclassed = Vec::new();
    for answer in subject.answers.iter().filter(|answer| answer.diverges()) {
        let classes = classes_of(answer.vector.input.clone());
        classes.iter().for_each(|class| meet(class, 1, 0));
        if classes.is_empty() {
            unclassed.push(format!(
                "vector {} diverges, but not from what the reference expects of it; `uriproof vectors lint` \
                 compares the two",
                answer.vector.id
            ));
        }
    }
    for witness in witnesses {
        let text = witness.to_string();
        let classes = classes_of(witness);
        classes.iter().for_each(|class| meet(class, 0, 1));
        if classes.is_empty() {
            unclassed.push(format!(
                "core suite: {text} diverges, but not from what the reference expects of it"
            ));
        }
    }
    by_growth.iter().for_each(|class| meet(class, 0, 0));
    let mut shown: Vec<ShownClass> = shown.into_values().collect();
    shown.sort_by(|one, other| {
        let order = |shown: &ShownClass| (shown.severity, shown.class.witness.input.size());
        order(one).cmp(&order(other)).then_with(|| one.class.fingerprint.cmp(&other.class.fingerprint))
    });
    for answer in subject.answers.iter_mut().filter(|answer| answer.diverges()) {
        let of_answer = classes_of(answer.vector.input.clone());
        let is_of_answer =
            |shown: &ShownClass| of_answer.iter().any(|class| class.fingerprint == shown.class.fingerprint);
        answer.classes = (0..shown.len()).filter(|&at| is_of_answer(&shown[at])).collect();
    }
    subject.classes = shown;
    subject.unclassed = unclassed;
}

fn severity(class: &Class) -> Severity {
    Severity::of(&class.witness).unwrap_or(Severity::Normalization)
}

/// What the ledger says of a class that a subject of the run shows, where it explains it.
pub fn known<'r>(run: &'r Run<'_>, subject: &SubjectRun<'_>, shown: &ShownClass) -> Option<ExplainedClass<'r>> {
    run.ledger.find(&subject.declaration.label(), &shown.class.fingerprint)
}

/// A class that no cause is given for, or a divergence without a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unexplained {
    /// The subject's label.
    pub subject: String,
    /// The fingerprint, or what diverges.
    pub what: String,
}

impl fmt::Display for Unexplained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", OneLine(&self.subject), OneLine(&self.what))
    }
}

/// Whatever the run shows and the ledger does not explain.
pub fn unexplained_in_run(run: &Run<'_>) -> BTreeSet<Unexplained> {
    let mut unexplained = BTreeSet::new();
    for subject in &run.subjects {
        let label = subject.declaration.label();
        let of_classes = subject
            .classes
            .iter()
            .filter(|shown| known(run, subject, shown).is_none_or(|known| known.entry.cause == Cause::Unexplained))
            .map(|shown| shown.class.fingerprint.to_string());
        unexplained.extend(
            of_classes.chain(subject.unclassed.iter().cloned()).map(|what| Unexplained {
                subject: label.clone(),
                what,
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
    pub entries: Vec<LedgerEntry>,
}

impl Crate<'_, '_> {
    /// The classes of every cause.
    pub fn classes(&self) -> impl Iterator<Item = &KnownClass> {
        self.entries.iter().flat_map(|entry| &entry.classes)
    }

    /// How many classes there are: several entry points can share one.
    pub fn count(&self) -> usize {
        self.classes().map(|class| &class.fingerprint).collect::<BTreeSet<_>>().len()
    }

    /// Name and version.
    pub fn label(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// The crates of the run, the reference not among them, in the order of the list.
pub fn crates<'r, 'a>(run: &'r Run<'a>) -> Vec<Crate<'r, 'a>> {
    let mut crates: Vec<Crate<'r, 'a>> = Vec::new();
    for subject in run.subjects.iter().filter(|subject| !is_reference(subject.declaration)) {
        let (name, version) = (&*subject.declaration.name, &*subject.declaration.version);
        match crates.iter_mut().find(|known| (known.name, known.version) == (name, version)) {
            Some(known) => known.subjects.push(subject),
            None => {
                let file = run.ledger.file_of(subject.declaration);
                crates.push(Crate {
                    name,
                    version,
                    subjects: vec![subject],
                    claim: file.map(|file| &file.claim),
                    entries: file.map(|file| file.entries.clone()).unwrap_or_default(),
                });
            }
        }
    }
    for one in &mut crates {
        let missing = missing(run, &one.subjects);
        if !missing.is_empty() {
            match one.entries.iter_mut().find(|entry| entry.cause == Cause::Unexplained) {
                Some(entry) => entry.classes.extend(missing),
                None => one.entries.push(LedgerEntry::unexplained(missing)),
            }
        }
        for entry in &mut one.entries {
            entry.classes.sort_by(|one, other| {
                let order = |class: &KnownClass| (class.severity, class.input.size());
                order(one).cmp(&order(other)).then_with(|| one.fingerprint.cmp(&other.fingerprint))
            });
        }
        one.entries.sort_by(|one, other| {
            let group = |entry: &LedgerEntry| match entry.cause {
                Cause::Bug => 0,
                Cause::Unexplained => 2,
                _ => 1,
            };
            let order = |entry: &LedgerEntry| (group(entry), entry.classes.first().map(|class| class.severity));
            order(one).cmp(&order(other)).then_with(|| one.id.cmp(&other.id))
        });
    }
    crates
}

/// What the entry points of a crate show and the ledger does not have.
fn missing(run: &Run<'_>, subjects: &[&SubjectRun<'_>]) -> Vec<KnownClass> {
    let mut missing: Vec<KnownClass> = Vec::new();
    for subject in subjects {
        for shown in subject.classes.iter().filter(|shown| known(run, subject, shown).is_none()) {
            let class = &shown.class;
            let of_subject = KnownClass {
                fingerprint: class.fingerprint.clone(),
                entry_points: vec![subject.declaration.entry_point.to_string()],
                input: class.witness.input.clone(),
                reference: expected_text(&class.witness.expected, &class.difference),
                subject: observed_text(&class.witness, &class.difference),
                severity: shown.severity,
            };
            let is_same = |other: &&mut KnownClass| {
                (&other.fingerprint, &other.reference, &other.subject)
                    == (&of_subject.fingerprint, &of_subject.reference, &of_subject.subject)
            };
            match missing.iter_mut().find(is_same) {
                Some(other) => other.entry_points.extend(of_subject.entry_points),
                None => missing.push(of_subject),
            }
        }
    }
    missing
}

/// A class that several crates show.
pub struct SharedClass<'c> {
    /// Its fingerprint.
    pub fingerprint: &'c Fingerprint,
    /// What each crate makes of it, by the places of the crates.
    pub crates: BTreeMap<usize, Vec<&'c KnownClass>>,
}

/// The classes that several of these crates show, each once, those of most crates first.
pub fn shared<'c>(crates: &'c [Crate<'_, '_>]) -> Vec<SharedClass<'c>> {
    let mut by_fingerprint: BTreeMap<&Fingerprint, BTreeMap<usize, Vec<&KnownClass>>> = BTreeMap::new();
    for (at, one) in crates.iter().enumerate() {
        for class in one.classes() {
            by_fingerprint.entry(&class.fingerprint).or_default().entry(at).or_default().push(class);
        }
    }
    let mut shared: Vec<SharedClass<'_>> = by_fingerprint
        .into_iter()
        .filter(|(_, crates)| crates.len() > 1)
        .map(|(fingerprint, crates)| SharedClass { fingerprint, crates })
        .collect();
    // The heaviest severity breaks ties; of the rest, the order of the fingerprints stays.
    shared.sort_by_key(|shared| {
        let severity = shared.crates.values().flatten().map(|class| class.severity).min();
        (usize::MAX - shared.crates.len(), severity)
    });
    shared
}
