//! What every format of the report says: counts, and how readings are taken.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use uriproof::algorithms::PREFIX;
use uriproof::compare::{Difference, DifferenceKind, Verdict, own_rule};
use uriproof::gate::{self, Choices, Claim, Plan};
use uriproof::model::{
    Component, ComponentSet, Declaration, Expectation, Operation, Outcome, Reading, Rule, Specification, Subject,
    Vector,
};
use uriproof::run::{self, Result};
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_grammar::Profile;
use uriproof_lab::complete::{Certificate, Prepared, SuiteChoice};
use uriproof_lab::divergence::fingerprint::Fingerprint;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::machines::{Machines, claimed};
use uriproof_lab::score::Score;

/// The results of vectors against subjects.
pub struct Run<'a> {
    /// What tells this state of the vectors from another.
    pub data_version: String,
    /// The reading that the vectors were taken in.
    pub reading: Reading,
    /// How many vectors were asked.
    pub vectors: usize,
    /// The subjects, in the order of the list.
    pub subjects: Vec<SubjectRun<'a>>,
    /// What explains how they diverge; empty until that is added.
    pub ledger: Ledger,
}

/// The results of one subject.
pub struct SubjectRun<'a> {
    /// Who it is.
    pub declaration: &'a Declaration,
    /// An answer to every vector, in the order of the files.
    pub answers: Vec<AnsweredVector<'a>>,
    /// How its answers stand to the WHATWG URL Standard, if it follows that: those to the vectors of the standard, and to those of RFC
    /// 3986. None where that was not counted.
    pub by_url_standard: Option<StatusCounts>,
    /// Those of them that diverge from it.
    pub of_url_standard: Vec<Result>,
    /// What came of the core suites, if they were put to the subject: that of RFC 3986, and that of the profile that
    /// the subject claims.
    pub cores: Vec<Core>,
    /// The ways in which it diverges, the heaviest first; empty until they are added.
    pub ways: Vec<ShownWay>,
    /// What diverges in no such way: its profile predicts another answer, or the reference expects otherwise than what it was compared
    /// with.
    pub unexplained: Vec<String>,
}

/// A way in which a subject diverges: a deviation, in the operations in which its profile is whole, else a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// A deviation, by its place in the subject's profile.
    Deviation(usize),
    /// A class, and the entry of the ledger that has this witness of it; none where several entries may explain it.
    Class(Fingerprint, Option<String>),
}

/// A way in which a subject is seen to diverge.
pub struct ShownWay {
    /// Which one.
    pub way: Way,
    /// Its name: the sentence of the deviation, or the fingerprint of the class.
    pub name: String,
    /// The witness, what was expected of it, and what the subject did.
    pub witness: Result,
    /// How the subject differs on the witness.
    pub difference: Difference,
    /// How much it weighs.
    pub severity: Severity,
    /// How many vectors show it.
    pub vectors: usize,
    /// How many clusters of the core suite of RFC 3986 do.
    pub clusters: usize,
}

impl ShownWay {
    /// The class, if it is one.
    pub fn class(&self) -> Option<&Fingerprint> {
        match &self.way {
            Way::Class(fingerprint, _) => Some(fingerprint),
            Way::Deviation(_) => None,
        }
    }
}

/// What came of the core suite (see [`SuiteChoice::Core`]).
pub struct Core {
    /// The rule whose machine the suite is made from.
    pub rule: Rule,
    /// The profile that the machine was made under; none for RFC 3986 itself.
    pub profile: Option<Profile>,
    /// The language of the machine, such as `RFC 3986`.
    pub language: String,
    /// The answers, counted.
    pub score: Score,
    /// What is proved; empty unless everything was compared and agreed.
    pub certificates: Vec<Certificate>,
}

impl Core {
    /// Whether the subject diverges on a string of it.
    pub fn has_failed(&self) -> bool {
        self.score.diverge() > 0
    }
}

/// What a subject made of a vector.
pub struct AnsweredVector<'a> {
    /// The vector.
    pub vector: &'a Vector,
    /// What came of it; the gate's own, where it has judged the subject.
    pub result: Cow<'a, Result>,
    /// The places of its ways in [`SubjectRun::ways`], the heaviest first; empty until they are added.
    pub ways: Vec<usize>,
}

/// How an answer counts. Every answer counts once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerStatus {
    /// The outcome conforms.
    Agree,
    /// It does not.
    Diverge,
    /// It cannot be compared.
    NotComparable,
    /// The subject has no such operation, or not with these arguments.
    Unsupported,
    /// The subject panicked or died.
    Crashed,
    /// The subject did not answer in time.
    TimedOut,
}

impl AnswerStatus {
    /// How the answer of a result counts.
    fn of(result: &Result) -> AnswerStatus {
        match (&result.verdict, &result.observed) {
            (Verdict::NotComparable { .. }, Outcome::Unsupported { .. }) => AnswerStatus::Unsupported,
            (Verdict::NotComparable { .. }, _) => AnswerStatus::NotComparable,
            (Verdict::Agree { .. }, _) => AnswerStatus::Agree,
            (
                Verdict::Diverge(Difference {
                    kind: DifferenceKind::Crashed,
                    ..
                }),
                _,
            ) => AnswerStatus::Crashed,
            (
                Verdict::Diverge(Difference {
                    kind: DifferenceKind::TimedOut,
                    ..
                }),
                _,
            ) => AnswerStatus::TimedOut,
            (Verdict::Diverge(_), _) => AnswerStatus::Diverge,
        }
    }
}

/// How many answers count how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct StatusCounts {
    /// [`AnswerStatus::Agree`]
    pub agree: usize,
    /// [`AnswerStatus::Diverge`]
    pub diverge: usize,
    /// [`AnswerStatus::NotComparable`]
    pub not_comparable: usize,
    /// [`AnswerStatus::Unsupported`]
    pub unsupported: usize,
    /// [`AnswerStatus::Crashed`]
    pub crashed: usize,
    /// [`AnswerStatus::TimedOut`]
    pub timed_out: usize,
}

impl StatusCounts {
    fn add(&mut self, status: AnswerStatus) {
        *match status {
            AnswerStatus::Agree => &mut self.agree,
            AnswerStatus::Diverge => &mut self.diverge,
            AnswerStatus::NotComparable => &mut self.not_comparable,
            AnswerStatus::Unsupported => &mut self.unsupported,
            AnswerStatus::Crashed => &mut self.crashed,
            AnswerStatus::TimedOut => &mut self.timed_out,
        } += 1;
    }

    /// Everything that is unexpected: divergences, crashes, time-outs.
    pub fn unexpected(&self) -> usize {
        self.diverge + self.crashed + self.timed_out
    }

    /// Everything that was not compared, for whatever reason.
    pub fn not_compared(&self) -> usize {
        self.not_comparable + self.unsupported
    }

    /// How many answers were counted.
    pub fn total(&self) -> usize {
        self.agree + self.unexpected() + self.not_compared()
    }
}

/// Puts every vector and the core suites to every subject, by the plain reading; `done` is called twice for each, when its vectors and
/// when its suites are done.
pub fn whole_run<'a>(
    library: &Library,
    subjects: &[&'a dyn Subject],
    vectors: &[&'a Vector],
    done: &dyn Fn(),
) -> Run<'a> {
    let results = subjects.iter().map(|subject| {
        let results = of_vectors(*subject, vectors, Reading::Rfc3986);
        done();
        (subject.declaration(), results)
    });
    let mut run = of_results(library, Reading::Rfc3986, vectors.len(), results.collect());
    for (subject_run, subject) in run.subjects.iter_mut().zip(subjects) {
        if let Some((counts, divergent)) = by_url_standard(*subject, library) {
            subject_run.by_url_standard = Some(counts);
            subject_run.of_url_standard = divergent;
        }
    }
    add_core_suites(&mut run, subjects, done);
    run
}

/// How the answers of a subject that follows the WHATWG URL Standard stand to that, and those that diverge: of those that `check` compares.
fn by_url_standard(subject: &dyn Subject, library: &Library) -> Option<(StatusCounts, Vec<Result>)> {
    let declaration = subject.declaration();
    if declaration.specification != Specification::WhatwgUrl || declaration.claim.is_some() {
        return None;
    }
    let plan = Plan {
        claim: Some(Claim::Whatwg),
        ..Plan::default()
    };
    let checks = gate::check(subject, library, &plan, |_| (), &|| None);
    let judgement = gate::judge(declaration, checks, None, &gate::today());
    let mut counts = StatusCounts::default();
    let results: Vec<Result> = judgement.cases.into_iter().filter_map(|case| case.result).collect();
    results.iter().for_each(|result| counts.add(AnswerStatus::of(result)));
    let divergent = results.into_iter().filter(|result| matches!(result.verdict, Verdict::Diverge(_)));
    Some((counts, divergent.collect()))
}

/// Puts every vector to every subject.
pub fn run<'a>(library: &Library, subjects: &[&'a dyn Subject], vectors: &[&'a Vector], reading: Reading) -> Run<'a> {
    let results = subjects.iter().map(|subject| (subject.declaration(), of_vectors(*subject, vectors, reading)));
    of_results(library, reading, vectors.len(), results.collect())
}

fn of_vectors<'a>(subject: &dyn Subject, vectors: &[&'a Vector], reading: Reading) -> VectorResults<'a> {
    vectors.iter().map(|vector| (*vector, Cow::Owned(run::vector(subject, vector, reading)))).collect()
}

/// Vectors, and what came of them.
type VectorResults<'a> = Vec<(&'a Vector, Cow<'a, Result>)>;

/// A run that has been made: for each subject the vectors that it was asked, and what came of them.
pub fn of_results<'a>(
    library: &Library,
    reading: Reading,
    vectors: usize,
    subjects: Vec<(&'a Declaration, VectorResults<'a>)>,
) -> Run<'a> {
    let subjects = subjects.into_iter().map(|(declaration, asked)| SubjectRun {
        declaration,
        answers: asked
            .into_iter()
            .map(|(vector, result)| AnsweredVector {
                vector,
                result,
                ways: Vec::new(),
            })
            .collect(),
        by_url_standard: None,
        of_url_standard: Vec::new(),
        cores: Vec::new(),
        ways: Vec::new(),
        unexplained: Vec::new(),
    });
    Run {
        data_version: library.version(),
        reading,
        vectors,
        subjects: subjects.collect(),
        ledger: Ledger::default(),
    }
}

/// Puts the core suites to the subjects of a run; `subjects` are those that it was made with.
fn add_core_suites(run: &mut Run<'_>, subjects: &[&dyn Subject], done: &dyn Fn()) {
    let plain = Machines::of_rfc3986();
    let profiles: BTreeSet<Profile> =
        subjects.iter().filter_map(|subject| claimed(&subject.declaration().specification)).collect();
    // One profile alone contradicts no other.
    let under: BTreeMap<Profile, Machines> = profiles
        .into_iter()
        .filter_map(|profile| Machines::under(&[profile]).ok().map(|machines| (profile, machines)))
        .collect();
    let mut suites: BTreeMap<(Option<Profile>, Rule), Prepared<'_>> = BTreeMap::new();
    for (subject_run, subject) in run.subjects.iter_mut().zip(subjects) {
        let declaration = subject.declaration();
        if !declaration.operations.contains(&Operation::Parse) {
            done();
            continue;
        }
        let rule = own_rule(declaration);
        let claimed = claimed(&declaration.specification);
        let languages = [
            Some((None, &plain)),
            claimed.and_then(|profile| Some((Some(profile), under.get(&profile)?))),
        ];
        for (profile, machines) in languages.into_iter().flatten() {
            let suite = suites.entry((profile, rule)).or_insert_with(|| Prepared::core(machines, rule));
            let score = suite.put(*subject, |_| (), &|| false);
            subject_run.cores.push(Core {
                rule,
                profile,
                language: machines.language(),
                certificates: SuiteChoice::Core.certificates(machines, declaration, &score),
                score,
            });
        }
        done();
    }
}

impl AnsweredVector<'_> {
    /// How the answer counts.
    pub fn status(&self) -> AnswerStatus {
        AnswerStatus::of(&self.result)
    }

    /// Whether it is what inputs of a suite that fail alike are judged by.
    pub fn is_of_suite(&self) -> bool {
        self.vector.id.starts_with(PREFIX)
    }

    /// Whether the subject differs, crashes and time-outs among it.
    pub fn diverges(&self) -> bool {
        matches!(self.result.verdict, Verdict::Diverge(_))
    }
}

impl<'a> SubjectRun<'a> {
    /// The counts over all operations.
    pub fn counts(&self) -> StatusCounts {
        self.counts_where(|_| true)
    }

    /// The counts of one operation.
    pub fn counts_of(&self, operation: Operation) -> StatusCounts {
        self.counts_where(|answer| answer.vector.input.operation() == operation)
    }

    fn counts_where(&self, wanted: impl Fn(&AnsweredVector<'a>) -> bool) -> StatusCounts {
        let mut counts = StatusCounts::default();
        for answer in self.answers.iter().filter(|answer| wanted(answer)) {
            counts.add(answer.status());
        }
        counts
    }

    /// The ways in which one of its answers diverges, the heaviest first.
    pub fn ways_of(&self, answer: &AnsweredVector<'a>) -> impl Iterator<Item = &ShownWay> {
        answer.ways.iter().map(|&at| &self.ways[at])
    }

    /// Why answers were not compared, and how many for each reason, the commonest first.
    pub fn reasons(&self) -> Vec<(&str, usize)> {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for answer in &self.answers {
            if let Verdict::NotComparable { reason } = &answer.result.verdict {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by(|one, other| (other.1, one.0).cmp(&(one.1, other.0)));
        reasons
    }

    /// Its choices where several outcomes conform.
    pub fn choices(&self) -> Vec<Choices> {
        let chosen = self.answers.iter();
        Choices::of(chosen.filter_map(|answer| Some((&*answer.vector.id, answer.result.choice.as_ref()?))))
    }

    /// The answer to a vector.
    pub fn answer(&self, id: &str) -> Option<&AnsweredVector<'a>> {
        self.answers.iter().find(|answer| answer.vector.id == id)
    }
}

/// Whether a subject is the reference, which is no crate of others.
pub fn is_reference(declaration: &Declaration) -> bool {
    declaration.name == "reference"
}

/// How a difference is told in a few words: `rejected though valid`, `other host, path`.
pub fn describe(difference: &Difference) -> String {
    let names = |components: ComponentSet| {
        let names: Vec<&str> = components
            .iter()
            .map(|component| match component {
                Component::HostKind => "host kind",
                component => component.name(),
            })
            .collect();
        names.join(", ")
    };
    match difference.kind {
        DifferenceKind::AcceptedInvalid => "accepted though invalid".to_owned(),
        DifferenceKind::RejectedValid => "rejected though valid".to_owned(),
        DifferenceKind::OtherComponents => format!("other {}", names(difference.components)),
        DifferenceKind::OtherUri if difference.components.is_empty() => "other URI".to_owned(),
        DifferenceKind::OtherUri => format!("other URI: {}", names(difference.components)),
        DifferenceKind::InvalidUri => "made a string that is no URI-reference".to_owned(),
        DifferenceKind::FalsePositive => "equivalent though different".to_owned(),
        DifferenceKind::FalseNegative => "not equivalent though the same".to_owned(),
        DifferenceKind::BrokenContract => "broken contract".to_owned(),
        DifferenceKind::NotIdempotent => "not idempotent".to_owned(),
        DifferenceKind::OtherMeaning => format!("other meaning: {}", names(difference.components)),
        DifferenceKind::Superlinear => "superlinear".to_owned(),
        DifferenceKind::Crashed => "crashed".to_owned(),
        DifferenceKind::TimedOut => "timed out".to_owned(),
    }
}

/// Which outcome of a contested vector a subject gives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Take {
    /// The one that this reading expects.
    Reading(Reading),
    /// The conforming one of this name.
    Conforming(String),
    /// None of them.
    Neither,
    /// There is nothing to compare.
    NotCompared,
}

/// How each subject takes a vector on which `reading` and the plain text differ.
///
/// An answer that fits both tells nothing, whether the subject cannot show the difference, is of a kind that neither
/// accepts, or makes a choice that the plain text leaves open: [`Take::NotCompared`].
pub fn takes<'s>(vector: &Vector, subjects: &[&'s dyn Subject], reading: Reading) -> Vec<(&'s Declaration, Take)> {
    subjects
        .iter()
        .map(|subject| {
            let verdict = |reading| run::vector(*subject, vector, reading).verdict;
            let take = match (verdict(Reading::Rfc3986), verdict(reading)) {
                (Verdict::Agree { .. }, Verdict::Diverge(_)) => Take::Reading(Reading::Rfc3986),
                (Verdict::Diverge(_), Verdict::Agree { .. }) => Take::Reading(reading),
                (Verdict::Diverge(_), Verdict::Diverge(_)) => Take::Neither,
                (Verdict::Agree { .. }, Verdict::Agree { .. })
                | (Verdict::NotComparable { .. }, _)
                | (_, Verdict::NotComparable { .. }) => Take::NotCompared,
            };
            (subject.declaration(), take)
        })
        .collect()
}

/// Which of several conforming outcomes each subject gives.
pub fn choices<'s>(run: &Run<'s>, vector: &Vector) -> Vec<(&'s Declaration, Take)> {
    run.subjects
        .iter()
        .filter_map(|subject| {
            let answer = subject.answer(&vector.id)?;
            let take = match &answer.result.verdict {
                Verdict::Agree { conforming: Some(name) } => Take::Conforming(name.clone()),
                Verdict::Agree { conforming: None } => Take::Conforming("literal".to_owned()),
                Verdict::Diverge(_) => Take::Neither,
                Verdict::NotComparable { .. } => Take::NotCompared,
            };
            Some((subject.declaration, take))
        })
        .collect()
}

/// Whether the plain text leaves the vector several conforming outcomes.
pub fn has_choice(vector: &Vector) -> bool {
    matches!(vector.expectation(Reading::Rfc3986), Expectation::OneOf(_))
}
