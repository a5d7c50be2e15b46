//! REPORT.md.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use uriproof::coverage::Coverage;
use uriproof::expect::{Expected, from_vector};
use uriproof::model::{Declaration, Expectation, Input, Operation, Reading, Subject, Vector};
use uriproof::run;
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_lab::complete::{Certificate, by_earners};
use uriproof_lab::learn::{Lesson, What};
use uriproof_lab::mutants::Rate;
use uriproof_lab::mutants::algorithms::{Algorithm, Killed};
use uriproof_lab::mutants::code::{MeasuredMutants, MutantCounts};
use uriproof_lab::mutants::grammar::{self, KillRates, SuiteRates};
use uriproof_lab::score::Score;

use super::classes::{crates, unexplained};
use super::markup::{cell, code};
use super::model::{Run, SubjectRun, Take, choices, has_choice, is_reference, takes};
use super::sections::{CrateSection, PictureRow, SharedView};
use crate::measured;

/// How many clauses the overview names.
const CLAUSES: usize = 20;

/// The text of REPORT.md.
///
/// # Errors
///
/// When the template cannot be filled in, which does not depend on the results.
pub fn report(library: &Library, subjects: &[&dyn Subject], run: &Run<'_>) -> askama::Result<String> {
    let others = run.subjects.iter().filter(|subject| !is_reference(subject.declaration));
    let crates = crates(run);
    let names: BTreeSet<&str> = crates.iter().map(|one| one.name).collect();
    let cited: BTreeSet<&str> = library.vectors().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
    let report = Report {
        vectors: run.vectors,
        files: library.files.len(),
        clauses: cited.len(),
        entry_points: others.count(),
        crates: names.len(),
        picture: crates.iter().map(PictureRow::of).collect(),
        unexplained: unexplained(run).len(),
        severities: Severity::ALL,
        operations: Operation::ALL,
        matrix: run.subjects.iter().map(MatrixRow::of).collect(),
        core: run.subjects.iter().flat_map(CoreRow::of).collect(),
        proofs: proofs(run),
        learned: LearnedRow::all(run),
        not_learned: not_learned(subjects),
        kills: KillTable::of(&measured::grammar_mutants()),
        algorithms: AlgorithmTable::of(&measured::algorithm_mutants()),
        code: CodeTable::of(&measured::code_mutants()),
        by_clause: by_clause(library, run),
        coverage: Coverage::of(library),
        sections: CrateSection::all(&crates),
        shared: SharedView::of(&crates),
        readings: Reading::ALL[1..].iter().map(|&reading| ReadingView::of(library, subjects, reading)).collect(),
        choices: library
            .vectors()
            .filter(|vector| has_choice(vector))
            .map(|vector| ChoiceRow::of(run, vector))
            .collect(),
    };
    let mut text = report.render()?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

#[derive(Template)]
#[template(path = "REPORT.md", escape = "none")]
struct Report<'a> {
    vectors: usize,
    files: usize,
    clauses: usize,
    entry_points: usize,
    crates: usize,
    picture: Vec<PictureRow>,
    unexplained: usize,
    severities: [Severity; Severity::ALL.len()],
    operations: [Operation; Operation::ALL.len()],
    matrix: Vec<MatrixRow>,
    core: Vec<CoreRow>,
    proofs: Vec<Proof>,
    learned: Vec<LearnedRow>,
    not_learned: String,
    kills: KillTable,
    algorithms: AlgorithmTable,
    code: CodeTable,
    by_clause: Vec<ClauseRow>,
    coverage: Coverage<'a>,
    sections: Vec<CrateSection>,
    shared: SharedView,
    readings: Vec<ReadingView>,
    choices: Vec<ChoiceRow>,
}

struct MatrixRow {
    subject: String,
    claims: String,
    cells: Vec<String>,
}

impl MatrixRow {
    fn of(subject: &SubjectRun<'_>) -> MatrixRow {
        MatrixRow {
            subject: subject.declaration.label(),
            claims: subject.declaration.specification.to_string(),
            cells: Operation::ALL
                .into_iter()
                .map(|operation| {
                    if !subject.declaration.operations.contains(&operation) {
                        return "-".to_owned();
                    }
                    let counts = subject.counts_of(operation);
                    let unexpected = match counts.unexpected() {
                        0 => "0".to_owned(),
                        some => format!("**{some}**"),
                    };
                    format!("{} / {unexpected} / {}", counts.agree, counts.not_compared())
                })
                .collect(),
        }
    }
}

struct CoreRow {
    subject: String,
    rule: &'static str,
    language: String,
    valid: String,
    invalid: String,
    finding: String,
}

impl CoreRow {
    fn of(subject: &SubjectRun<'_>) -> Vec<CoreRow> {
        let share = |counts: run::Counts| format!("{} / {}", counts.agree, counts.answers());
        subject
            .cores
            .iter()
            .map(|core| CoreRow {
                subject: subject.declaration.label(),
                rule: core.rule.name(),
                language: core.language.clone(),
                valid: share(core.score.valid),
                invalid: share(core.score.invalid),
                finding: core_finding(&core.score),
            })
            .collect()
    }
}

/// What came of a core suite, in a line.
fn core_finding(score: &Score) -> String {
    let finding = match score.shortest() {
        None if score.is_clean() => "no difference".to_owned(),
        None => format!("no difference; {} not compared", score.not_compared()),
        Some(cluster) => format!(
            "{} clusters, the shortest string is {}: {}",
            score.clusters.len(),
            cell(&format!("\"{}\"", cluster.witness.escape_default())),
            cell(&cluster.observed.to_string())
        ),
    };
    match score.budget() {
        Some(budget) => format!("{finding}; {budget}"),
        None => finding,
    }
}

/// What a pass of a core suite proves.
struct Proof {
    head: String,
    earners: String,
    proves: Vec<String>,
    assumes: Vec<String>,
    does_not_mean: Vec<String>,
    classes: String,
}

/// What a pass of the core suites proves of whom.
fn proofs(run: &Run<'_>) -> Vec<Proof> {
    let labels: Vec<String> = run.subjects.iter().map(|subject| subject.declaration.label()).collect();
    let cores = run.subjects.iter().zip(&labels);
    let earned = cores.flat_map(|(subject, label)| subject.cores.iter().map(|core| (&**label, &*core.certificates)));
    by_earners(earned)
        .into_iter()
        .map(|(certificates, earners)| {
            let of_all = |part: fn(&Certificate) -> &[String]| {
                let mut lines: Vec<String> = Vec::new();
                for line in certificates.iter().flat_map(part) {
                    if !lines.contains(line) {
                        lines.push(line.clone());
                    }
                }
                lines
            };
            let first = &certificates[0];
            Proof {
                head: format!("{} of {}, {} strings", first.rule, first.language, first.strings),
                earners: earners.join(", "),
                proves: certificates
                    .iter()
                    .map(|certificate| {
                        let name = &certificate.machine;
                        format!(
                            "{}; {}, from {} states, {} classes, `{}`",
                            certificate.proves, certificate.method, name.states, name.classes, name.hash
                        )
                    })
                    .collect(),
                assumes: of_all(|certificate| &certificate.assumes),
                does_not_mean: of_all(|certificate| &certificate.does_not_mean),
                classes: first.classes.iter().map(|class| cell(class)).collect::<Vec<_>>().join(" "),
            }
        })
        .collect()
}

/// What was learned of a subject.
struct LearnedRow {
    subject: String,
    rule: String,
    acceptance: String,
    components: String,
    assumptions: Vec<String>,
    details: Vec<String>,
}

/// How many groups of differences of a subject are shown.
const LEARNED_GROUPS: usize = 8;

/// The subjects that are too slow to be learned.
fn not_learned(subjects: &[&dyn Subject]) -> String {
    let slow = subjects.iter().filter(|subject| subject.budget().is_some());
    slow.map(|subject| subject.declaration().label()).collect::<Vec<_>>().join(", ")
}

impl LearnedRow {
    fn all(run: &Run<'_>) -> Vec<LearnedRow> {
        let lessons = measured::learned();
        run.subjects
            .iter()
            .filter_map(|subject| {
                let label = subject.declaration.label();
                let of = |what| lessons.iter().find(|lesson| lesson.subject == label && lesson.what == what);
                let acceptance = of(What::Acceptance)?;
                let components = of(What::Components);
                Some(LearnedRow {
                    rule: acceptance.rule.clone(),
                    acceptance: LearnedRow::verdict(acceptance),
                    components: components.map_or_else(|| "-".to_owned(), LearnedRow::verdict),
                    assumptions: acceptance.assumptions.clone(),
                    details: [Some(acceptance), components]
                        .into_iter()
                        .flatten()
                        .flat_map(LearnedRow::details)
                        .collect(),
                    subject: label,
                })
            })
            .collect()
    }

    fn verdict(lesson: &Lesson) -> String {
        let mut text = if lesson.is_equal() {
            lesson.verdict()
        } else {
            format!("**{}**", lesson.verdict())
        };
        for limit in &lesson.limits {
            text += &format!("; {}", limit.limit);
        }
        text
    }

    fn details(lesson: &Lesson) -> Vec<String> {
        let of = match lesson.what {
            What::Acceptance => "",
            What::Components => "components, ",
        };
        let mut lines: Vec<String> = lesson
            .groups
            .iter()
            .take(LEARNED_GROUPS)
            .map(|group| {
                let on = match &*group.characters {
                    "" => String::new(),
                    characters => format!(" on {}", cell(&format!("\"{characters}\""))),
                };
                let reported = match &*group.told {
                    "" => String::new(),
                    reported => format!(" ({reported})"),
                };
                format!(
                    "{of}{}{on}{reported}: {}; {} {}",
                    group.kind,
                    cell(&format!("\"{}\"", shortened(&group.witness))),
                    group.classes,
                    if group.classes == 1 { "class" } else { "classes" }
                )
            })
            .collect();
        if let Some(more) = lesson.groups.len().checked_sub(LEARNED_GROUPS).filter(|more| *more > 0) {
            lines.push(format!("{of}and {more} groups more; `uriproof learn --all` shows them"));
        }
        lines
    }
}

/// Escaped; of a long string the beginning.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        None => text.escape_default().to_string(),
        Some((end, _)) => format!(
            "{}... ({} characters)",
            text[..end].escape_default(),
            text.chars().count()
        ),
    }
}

/// `307 (99.4 %)`; of none, a dash.
fn counted(rate: Rate) -> String {
    if rate.total == 0 {
        return "-".to_owned();
    }
    let percent = rate.killed as f64 * 100.0 / rate.total.max(1) as f64;
    format!("{} ({percent:.1} %)", rate.killed)
}

/// What the vectors kill of the algorithms' mutants.
struct AlgorithmTable {
    total: usize,
    rows: Vec<AlgorithmRow>,
}

struct AlgorithmRow {
    algorithm: String,
    section: String,
    mutants: usize,
    vectors: String,
    examples: String,
}

impl AlgorithmTable {
    fn of(killed: &Killed) -> AlgorithmTable {
        let row = |algorithm: Option<Algorithm>| {
            let (vectors, examples) = killed.rates(algorithm);
            AlgorithmRow {
                algorithm: algorithm.map_or("all", Algorithm::name).to_owned(),
                section: algorithm.map_or("", Algorithm::section).to_owned(),
                mutants: vectors.total,
                vectors: counted(vectors),
                examples: counted(examples),
            }
        };
        AlgorithmTable {
            total: killed.mutants.len(),
            rows: Algorithm::ALL.map(Some).into_iter().chain([None]).map(row).collect(),
        }
    }
}

/// What the vectors kill of the mutants of the reference's code.
struct CodeTable {
    version: String,
    rows: Vec<CodeRow>,
}

struct CodeRow {
    file: String,
    viable: usize,
    vectors: String,
    examples: String,
    equivalent: usize,
    survivors: usize,
}

impl CodeTable {
    fn of(measured: &MeasuredMutants) -> CodeTable {
        let row = |(file, counts): (&str, MutantCounts)| CodeRow {
            file: file.to_owned(),
            viable: counts.viable(),
            vectors: counted(counts.rate()),
            examples: counted(counts.rate_of_examples()),
            equivalent: counts.equivalent,
            survivors: counts.survivors,
        };
        let files = measured.files.iter().map(|(file, counts)| (&**file, *counts));
        CodeTable {
            version: measured.cargo_mutants.clone(),
            rows: files.chain([("all", measured.total())]).map(row).collect(),
        }
    }
}

/// What the suites kill of the mutants.
struct KillTable {
    operators: usize,
    realistic: usize,
    suites: Vec<KillRow>,
    families: Vec<(String, Vec<String>)>,
    survivors: usize,
    groups_of_survivors: Vec<String>,
    skipped: String,
    curated_total: usize,
    curated: String,
    curated_by_examples: String,
}

struct KillRow {
    suite: String,
    strings: usize,
    operators: String,
    realistic: String,
}

impl KillTable {
    fn of(rates: &KillRates) -> KillTable {
        let percent = |rate: Rate| format!("{:.1}", rate.killed as f64 * 100.0 / rate.total.max(1) as f64);
        let totals = rates.suites.first();
        let (curated, by_examples) = rates.curated().unwrap_or_default();
        let of_family = |family: &str| {
            let rate = |suite: &SuiteRates| suite.families.get(family).copied();
            let total = totals.and_then(rate).map_or(0, |rate| rate.total);
            let mut cells = vec![total.to_string()];
            cells.extend(rates.suites.iter().map(|suite| rate(suite).map(percent).unwrap_or_default()));
            cells
        };
        KillTable {
            operators: totals.map_or(0, |suite| suite.operators.total),
            realistic: totals.map_or(0, |suite| suite.realistic.total),
            suites: rates
                .suites
                .iter()
                .map(|suite| KillRow {
                    suite: suite.suite.clone(),
                    strings: suite.strings,
                    operators: percent(suite.operators),
                    realistic: percent(suite.realistic),
                })
                .collect(),
            families: grammar::families().map(|family| (family.clone(), of_family(&family))).collect(),
            survivors: rates.survivors.len(),
            curated_total: curated.total,
            curated: counted(curated),
            curated_by_examples: counted(by_examples),
            groups_of_survivors: rates
                .survivors
                .iter()
                .map(|survivor| {
                    format!(
                        "{}: {}: {}",
                        survivor.family,
                        code(&survivor.name),
                        code(&survivor.reason)
                    )
                })
                .collect(),
            skipped: rates
                .skipped
                .iter()
                .map(|(reason, count)| format!("{count} {reason}"))
                .collect::<Vec<_>>()
                .join(", "),
        }
    }
}

struct ClauseRow {
    clause: String,
    quote: String,
    crates: String,
    input: String,
}

/// The clauses under which most crates diverge, each with the smallest input on which one does.
fn by_clause(library: &Library, run: &Run<'_>) -> Vec<ClauseRow> {
    let mut clauses: BTreeMap<&str, (BTreeSet<&str>, &Vector)> = BTreeMap::new();
    for subject in &run.subjects {
        for answer in subject.answers.iter().filter(|answer| answer.diverges()) {
            let (names, smallest) =
                clauses.entry(&answer.vector.clauses[0]).or_insert_with(|| (BTreeSet::new(), answer.vector));
            names.insert(&subject.declaration.name);
            if (answer.vector.input.size(), &answer.vector.id) < (smallest.input.size(), &smallest.id) {
                *smallest = answer.vector;
            }
        }
    }
    let mut rows: Vec<_> = clauses.into_iter().collect();
    rows.sort_by(|(one, (names, _)), (other, (other_names, _))| {
        other_names.len().cmp(&names.len()).then(one.cmp(other))
    });
    rows.into_iter()
        .take(CLAUSES)
        .map(|(id, (names, vector))| ClauseRow {
            clause: id.to_owned(),
            quote: library.clause(id).map(|clause| cell(&clause.quote)).unwrap_or_default(),
            crates: format!("{}: {}", names.len(), names.into_iter().collect::<Vec<_>>().join(", ")),
            input: input(vector),
        })
        .collect()
}

struct ReadingView {
    id: &'static str,
    summary: &'static str,
    section: &'static str,
    rows: Vec<ReadingRow>,
}

struct ReadingRow {
    input: String,
    plain: String,
    other: String,
    as_plain: String,
    as_other: String,
    neither: String,
}

impl ReadingView {
    fn of(library: &Library, subjects: &[&dyn Subject], reading: Reading) -> ReadingView {
        let mut met = BTreeSet::new();
        ReadingView {
            id: reading.id(),
            summary: reading.summary(),
            section: reading.section().unwrap_or_default(),
            rows: library
                .vectors()
                .filter(|vector| vector.expect.contains_key(&reading) && met.insert(&vector.input))
                .map(|vector| {
                    let takes = takes(vector, subjects, reading);
                    ReadingRow {
                        input: input(vector),
                        plain: expectation(&vector.input, vector.expectation(Reading::Rfc3986)),
                        other: expectation(&vector.input, vector.expectation(reading)),
                        as_plain: who(&takes, &Take::Reading(Reading::Rfc3986)),
                        as_other: who(&takes, &Take::Reading(reading)),
                        neither: who(&takes, &Take::Neither),
                    }
                })
                .collect(),
        }
    }
}

struct ChoiceRow {
    input: String,
    outcomes: String,
    who: String,
}

impl ChoiceRow {
    fn of(run: &Run<'_>, vector: &Vector) -> ChoiceRow {
        let Expectation::OneOf(outcomes) = vector.expectation(Reading::Rfc3986) else {
            return ChoiceRow {
                input: input(vector),
                outcomes: String::new(),
                who: String::new(),
            };
        };
        let choices = choices(run, vector);
        let mut parts: Vec<String> = outcomes
            .iter()
            .map(|one| (&*one.name, who(&choices, &Take::Conforming(one.name.clone()))))
            .filter(|(_, who)| who != "-")
            .map(|(name, who)| format!("{name}: {who}"))
            .collect();
        let neither = who(&choices, &Take::Neither);
        if neither != "-" {
            parts.push(format!("**none of them: {neither}**"));
        }
        ChoiceRow {
            input: input(vector),
            outcomes: outcomes
                .iter()
                .map(|one| format!("{} {}", one.name, expectation(&vector.input, &one.outcome)))
                .collect::<Vec<_>>()
                .join("; "),
            who: parts.join("; "),
        }
    }
}

/// The crates that make this choice; by entry point where those of a crate differ. The reference has no part in it.
fn who(takes: &[(&Declaration, Take)], wanted: &Take) -> String {
    let mut names: Vec<String> = Vec::new();
    for (declaration, take) in takes {
        if take != wanted || is_reference(declaration) {
            continue;
        }
        let alone = takes
            .iter()
            .filter(|(other, _)| (&other.name, &other.version) == (&declaration.name, &declaration.version))
            .all(|(_, other)| other == wanted || *other == Take::NotCompared);
        let name = if alone {
            declaration.name.to_string()
        } else {
            format!("{} {}", declaration.name, declaration.entry_point)
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(", ")
    }
}

fn input(vector: &Vector) -> String {
    cell(&vector.input.to_string())
}

fn expectation(input: &Input, expectation: &Expectation) -> String {
    match from_vector(input, expectation) {
        Expected::NoAnswer { reason } => reason,
        Expected::Property(property) => cell(&property.to_string()),
        Expected::Outcomes(outcomes) => {
            let mut texts: Vec<String> = Vec::new();
            for one in &outcomes {
                let text = cell(&one.outcome.to_string());
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts.join(" or ")
        }
    }
}
