//! `results.json`: the results for programs, as `results.schema.json` describes them. The same tree gives the same bytes.

use std::collections::BTreeMap;

use serde::Serialize;
use uriproof::compare::{DifferenceKind, Verdict};
use uriproof::gate::{self, Choices, Judgement};
use uriproof::model::{ComponentSet, Input, Json, Operation, Outcome, Value};
use uriproof::repeat::Unrepeated;
use uriproof::run;
use uriproof::severity::{self, Severity};
use uriproof_deviations::Deviation;
use uriproof_lab::complete::Certificate;
use uriproof_lab::divergence::fingerprint::Fingerprint;
use uriproof_lab::divergence::ledger::Cause;

use super::causes::known;
use super::model::{AnswerStatus, Core, Run, ShownWay, StatusCounts, SubjectRun, Way};

/// The version of what is written as JSON: the results, and what `diff` prints.
pub const FORMAT: u32 = 2;

/// The results file.
#[derive(Serialize)]
pub struct Results<'r> {
    uriproof: u32,
    data_version: &'r str,
    reading: &'static str,
    subjects: Vec<SubjectResults<'r>>,
    vectors: Vec<VectorResult<'r>>,
}

#[derive(Serialize)]
struct SubjectResults<'r> {
    subject: String,
    specification: String,
    operations: Vec<Operation>,
    counts: StatusCounts,
    /// Of a subject that follows the URL Standard: how its answers stand to that, the vectors of the standard among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_url_standard: Option<StatusCounts>,
    /// What the gate says, where it was run.
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<GateResults<'r>>,
    /// The vectors that agree: of what is neither here nor in the list of vectors, nothing is known.
    agreed: Vec<&'r str>,
    /// Where several outcomes conform: which of them its answers are, by the names that the vectors offer.
    choices: Vec<Choices>,
    /// The deviations that it shows in the operations in which its profile is whole.
    deviations: Vec<WayResult<'r>>,
    /// The classes of what else diverges.
    classes: Vec<WayResult<'r>>,
    /// What came of the core suites of the grammar, in a report.
    suites: Vec<SuiteResult<'r>>,
    /// What the core suites have proved of the subject.
    certificates: Vec<&'r Certificate>,
}

#[derive(Serialize)]
struct GateResults<'r> {
    verdict: &'static str,
    /// The vectors that fail, though the baseline does not say so.
    fail: Vec<&'r str>,
    /// Those that fail as the baseline says.
    known: Vec<&'r str>,
    /// What is wrong with the baseline.
    problems: Vec<ProblemResult<'r>>,
    /// Those whose answers do not repeat; all of them fail.
    unrepeated: Vec<&'r str>,
    /// Those that were not compared because of a claim or a level, `survived` among them.
    not_run: usize,
    /// Those that a claim excludes, and that were put to the subject to see whether it survives.
    survived: usize,
    not_selected: usize,
    /// Why the rest was not run, if so.
    lost: Option<&'r str>,
    reasons: Vec<ReasonResult>,
    /// The generated suites; what differs of them is among the vectors.
    suites: Vec<GeneratedSuite>,
}

/// How the answers to a generated suite count.
#[derive(Serialize)]
struct GeneratedSuite {
    operation: Operation,
    size: &'static str,
    agree: u64,
    diverge: u64,
    /// In how many groups those that diverge are.
    groups: usize,
    not_compared: Vec<LeftInputs>,
    /// On which inputs the subject is right, if all of them agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    proves: Option<&'static str>,
}

/// Why inputs of a suite were not compared, and how many.
#[derive(Serialize)]
struct LeftInputs {
    reason: String,
    inputs: u64,
}

impl GeneratedSuite {
    fn of(suite: &gate::SuiteRun) -> GeneratedSuite {
        let reasons = suite.not_compared.iter().map(|(reason, &inputs)| LeftInputs {
            reason: reason.clone(),
            inputs,
        });
        GeneratedSuite {
            operation: suite.operation,
            size: suite.size.name(),
            agree: suite.counts.agree,
            diverge: suite.counts.diverge,
            groups: suite.groups,
            not_compared: reasons.collect(),
            proves: suite.proves(),
        }
    }
}

#[derive(Serialize)]
struct ProblemResult<'r> {
    file: &'r str,
    line: usize,
    message: &'r str,
}

/// Why vectors were not run or not compared, and how many.
#[derive(Serialize)]
struct ReasonResult {
    reason: String,
    vectors: usize,
}

impl<'r> GateResults<'r> {
    fn of(judgement: &'r Judgement<'_>) -> GateResults<'r> {
        let ids = |wanted: fn(&gate::Status) -> bool| {
            let cases = judgement.cases.iter().filter(|case| wanted(&case.status));
            cases.map(|case| &*case.vector.id).collect()
        };
        let tally = judgement.tally();
        let problems = judgement.problems.iter().map(|problem| ProblemResult {
            file: &problem.file,
            line: problem.line,
            message: &problem.message,
        });
        GateResults {
            verdict: judgement.conclusion().name(),
            fail: ids(|status| matches!(status, gate::Status::Fails(_))),
            known: ids(|status| matches!(status, gate::Status::Known(..))),
            problems: problems.collect(),
            unrepeated: judgement.unrepeated().iter().map(|(vector, ..)| &*vector.id).collect(),
            not_run: tally.not_run + tally.survived,
            survived: tally.survived,
            not_selected: tally.not_selected,
            lost: judgement.lost.as_deref(),
            reasons: judgement
                .reasons()
                .into_iter()
                .map(|(reason, vectors)| ReasonResult { reason, vectors })
                .collect(),
            suites: judgement.suites.iter().map(GeneratedSuite::of).collect(),
        }
    }
}

/// A deviation or a class.
#[derive(Serialize)]
struct WayResult<'r> {
    #[serde(skip_serializing_if = "Option::is_none")]
    deviation: Option<&'r Deviation>,
    /// The deviation in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    sentence: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'r Fingerprint>,
    /// The entry of the ledger that explains it.
    entry: Option<&'r str>,
    /// Other entries that show in the same way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_entries: Vec<&'r str>,
    operation: Operation,
    kind: DifferenceKind,
    components: ComponentSet,
    severity: Severity,
    cause: Cause,
    clause: Option<&'r str>,
    /// How many vectors show it.
    vectors: usize,
    witness: &'r Input,
}

/// The deviation of a way, if it is one.
fn deviation<'r>(run: &'r Run<'_>, subject: &SubjectRun<'_>, shown: &ShownWay) -> Option<&'r Deviation> {
    let Way::Deviation(place) = shown.way else {
        return None;
    };
    run.ledger.deviations(subject.declaration).get(place).map(|(known, _)| &known.deviation)
}

/// The components that differ; of an invalid string that is accepted, those of the authority that Appendix B splits otherwise; of a string
/// that is returned where there is none to return, those that mean something else.
fn components(shown: &ShownWay) -> ComponentSet {
    match (&shown.difference.kind, &shown.witness.input, &shown.witness.observed) {
        (
            DifferenceKind::AcceptedInvalid,
            Input::Parse { input, .. },
            Outcome::Accepted {
                value: Value::Components(observed),
            },
        ) => severity::misread(input, observed),
        (DifferenceKind::AcceptedInvalid, _, Outcome::Accepted { value: Value::Uri(uri) }) => {
            severity::misprinted(&shown.witness, uri)
        }
        _ => shown.difference.components,
    }
}

impl<'r> WayResult<'r> {
    fn of(run: &'r Run<'_>, subject: &'r SubjectRun<'_>, shown: &'r ShownWay) -> WayResult<'r> {
        let entries = known(run, subject, shown);
        let entry = entries.first();
        let deviation = deviation(run, subject, shown);
        WayResult {
            sentence: deviation.map(|_| &*shown.name),
            deviation,
            class: shown.class(),
            entry: entry.map(|entry| &*entry.id),
            other_entries: entries.iter().skip(1).map(|entry| &*entry.id).collect(),
            operation: shown.witness.input.operation(),
            kind: shown.difference.kind,
            components: components(shown),
            severity: shown.severity,
            cause: entry.map_or(Cause::Unexplained, |entry| entry.cause),
            clause: entry.map(|entry| &*entry.clause).filter(|clause| !clause.is_empty()),
            vectors: shown.vectors,
            witness: &shown.witness.input,
        }
    }
}

#[derive(Serialize)]
struct SuiteResult<'r> {
    suite: &'static str,
    rule: &'static str,
    language: &'r str,
    valid: run::Counts,
    invalid: run::Counts,
    clusters: usize,
    /// The shortest string on which the subject differs.
    witness: Option<&'r str>,
}

impl SuiteResult<'_> {
    fn of(core: &Core) -> SuiteResult<'_> {
        SuiteResult {
            suite: "core",
            rule: core.rule.name(),
            language: &core.language,
            valid: core.score.valid,
            invalid: core.score.invalid,
            clusters: core.score.clusters.len(),
            witness: core.score.shortest().map(|cluster| &*cluster.witness),
        }
    }
}

#[derive(Serialize)]
struct VectorResult<'r> {
    id: &'r str,
    subject: String,
    verdict: &'static str,
    /// How it differs, where it does: `does-not-repeat`, or the kind of difference.
    kind: Option<&'static str>,
    /// How severe that is.
    severity: Option<Severity>,
    outcome: &'r Outcome,
    /// How the answer does not repeat, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrepeated: Option<&'r Unrepeated>,
    /// The class that weighs most; a vector can show several. None where deviations predict the answer.
    class: Option<&'r Fingerprint>,
    /// The deviations that predict the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    deviations: Vec<&'r Deviation>,
}

impl<'r> SubjectResults<'r> {
    fn of(run: &'r Run<'_>, subject: &'r SubjectRun<'_>, judgement: Option<&'r Judgement<'_>>) -> SubjectResults<'r> {
        let ways = |are_deviations: bool| {
            let ways = subject.ways.iter().filter(|shown| shown.class().is_none() == are_deviations);
            ways.map(|shown| WayResult::of(run, subject, shown)).collect()
        };
        let agreed = subject.answers.iter().filter(|answer| answer.status() == AnswerStatus::Agree);
        SubjectResults {
            subject: subject.declaration.label(),
            specification: subject.declaration.specification.to_string(),
            operations: subject.declaration.operations.to_vec(),
            counts: subject.counts(),
            by_url_standard: subject.by_url_standard,
            gate: judgement.map(GateResults::of),
            agreed: agreed.map(|answer| &*answer.vector.id).collect(),
            choices: subject.choices(),
            deviations: ways(true),
            classes: ways(false),
            suites: subject.cores.iter().map(SuiteResult::of).collect(),
            certificates: subject.cores.iter().flat_map(|core| &core.certificates).collect(),
        }
    }
}

impl<'r> VectorResult<'r> {
    /// Of the answers of a subject that do not agree; what is merely unsupported is counted only.
    fn of_all(
        run: &'r Run<'_>,
        subject: &'r SubjectRun<'_>,
        judgement: Option<&'r Judgement<'_>>,
    ) -> impl Iterator<Item = VectorResult<'r>> {
        let label = subject.declaration.label();
        let unrepeated = judgement.into_iter().flat_map(Judgement::unrepeated);
        let unrepeated: BTreeMap<&str, &Unrepeated> =
            unrepeated.map(|(vector, _, unrepeated)| (&*vector.id, unrepeated)).collect();
        subject
            .answers
            .iter()
            .filter(|answer| !matches!(answer.status(), AnswerStatus::Agree | AnswerStatus::Unsupported))
            .map(move |answer| VectorResult {
                id: &answer.vector.id,
                subject: label.clone(),
                verdict: answer.result.verdict.name(),
                kind: match &answer.result.verdict {
                    Verdict::Diverge(_) if unrepeated.contains_key(&*answer.vector.id) => Some(gate::DOES_NOT_REPEAT),
                    Verdict::Diverge(difference) => Some(difference.kind.name()),
                    Verdict::Agree { .. } | Verdict::NotComparable { .. } => None,
                },
                unrepeated: unrepeated.get(&*answer.vector.id).copied(),
                severity: Severity::of(&answer.result),
                outcome: &answer.result.observed,
                class: subject.ways_of(answer).find_map(ShownWay::class),
                deviations: subject.ways_of(answer).filter_map(|shown| deviation(run, subject, shown)).collect(),
            })
    }
}

/// The results of a run, with the answers that do not agree; what is merely unsupported is counted only. The judgements are those of
/// the gate on its subjects, in the same order, or none.
pub fn results<'r>(run: &'r Run<'_>, judgements: &'r [Judgement<'_>]) -> Results<'r> {
    let subjects = || run.subjects.iter().enumerate().map(|(at, subject)| (subject, judgements.get(at)));
    Results {
        uriproof: FORMAT,
        data_version: &run.data_version,
        reading: run.reading.id(),
        subjects: subjects().map(|(subject, judgement)| SubjectResults::of(run, subject, judgement)).collect(),
        vectors: subjects().flat_map(|(subject, judgement)| VectorResult::of_all(run, subject, judgement)).collect(),
    }
}

/// The results as indented JSON with a final newline.
///
/// # Panics
///
/// Never: the results hold nothing that JSON cannot express.
pub fn to_json(run: &Run<'_>, judgements: &[Judgement<'_>]) -> String {
    let text = serde_json::to_string_pretty(&results(run, judgements)).expect("results are JSON");
    format!("{}\n", Json(&text))
}
