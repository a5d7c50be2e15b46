//! REPORT.md.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;

use super::model::{Answer, Group, Run, SubjectRun, Take, choices, describe, has_choice, takes};
use crate::expect::{Expected, from_vector};
use crate::model::{Declaration, Expectation, Input, Operation, Reading, Subject, Vector};
use crate::search::complete::{Certificate, by_earners};
use crate::search::learn::{self, Lesson, What};
use crate::search::mutants::{self, KillRates, Rate, SuiteRates};
use crate::search::score::Tally;
use crate::search::vectors::Library;

/// The subject that is no crate of others: it stands in the matrix alone.
const REFERENCE: &str = "reference";

/// How many groups of a crate stand open; the others are folded.
const OPEN_ROWS: usize = 12;

/// How many clauses and witnesses of a group are shown.
const SHOWN: usize = 3;

/// How many clauses the overview names.
const CLAUSES: usize = 20;

/// The text of REPORT.md.
///
/// # Errors
///
/// When the template cannot be filled in, which does not depend on the results.
pub fn report(library: &Library, subjects: &[&dyn Subject], run: &Run<'_>) -> askama::Result<String> {
    let others = run.subjects.iter().filter(|subject| subject.declaration.name != REFERENCE);
    let names: BTreeSet<&str> = others.clone().map(|subject| &*subject.declaration.name).collect();
    let cited: BTreeSet<&str> = library.vectors().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
    let report = Report {
        vectors: run.vectors,
        files: library.files.len(),
        clauses: cited.len(),
        entry_points: others.count(),
        crates: names.len(),
        operations: Operation::ALL,
        matrix: run.subjects.iter().map(MatrixRow::of).collect(),
        core: run.subjects.iter().flat_map(CoreRow::of).collect(),
        proofs: proofs(run),
        learned: LearnedRow::all(run),
        kills: KillTable::of(&mutants::stored()),
        by_clause: by_clause(library, run),
        sections: sections(run),
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
struct Report {
    vectors: usize,
    files: usize,
    clauses: usize,
    entry_points: usize,
    crates: usize,
    operations: [Operation; 5],
    matrix: Vec<MatrixRow>,
    core: Vec<CoreRow>,
    proofs: Vec<Proof>,
    learned: Vec<LearnedRow>,
    kills: KillTable,
    by_clause: Vec<ClauseRow>,
    sections: Vec<Section>,
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
        let share = |tally: Tally| format!("{} / {}", tally.agree, tally.asked());
        subject
            .cores
            .iter()
            .map(|core| CoreRow {
                subject: subject.declaration.label(),
                rule: core.rule.name(),
                language: core.language.clone(),
                valid: share(core.score.valid),
                invalid: share(core.score.invalid),
                finding: match core.score.shortest() {
                    None if core.score.is_clean() => "no difference".to_owned(),
                    None => format!("no difference; {} not compared", core.score.not_compared()),
                    Some(cluster) => format!(
                        "{} clusters, the shortest string is {}: {}",
                        core.score.clusters.len(),
                        cell(&format!("\"{}\"", cluster.witness.escape_default())),
                        cell(&cluster.observed.to_string())
                    ),
                },
            })
            .collect()
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

impl LearnedRow {
    fn all(run: &Run<'_>) -> Vec<LearnedRow> {
        let lessons = learn::stored();
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
                let told = match &*group.told {
                    "" => String::new(),
                    told => format!(" ({told})"),
                };
                format!(
                    "{of}{}{on}{told}: {}; {} {}",
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

/// What the suites kill of the mutants.
struct KillTable {
    operators: usize,
    realistic: usize,
    suites: Vec<KillRow>,
    families: Vec<(String, Vec<String>)>,
    survivors: usize,
    groups_of_survivors: Vec<String>,
    skipped: String,
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
            families: mutants::families().map(|family| (family.clone(), of_family(&family))).collect(),
            survivors: rates.survivors.len(),
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
        for answer in subject.answers.iter().filter(|answer| answer.group_id().is_some()) {
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

struct Section {
    name: String,
    version: String,
    entry_points: Vec<String>,
    rows: Vec<GroupRow>,
    more: Vec<GroupRow>,
    not_compared: String,
}

struct GroupRow {
    what: String,
    count: usize,
    witnesses: String,
    clauses: String,
    entry_points: String,
}

/// A section a crate and version, in the order of the list; the same group of several entry points is one row.
fn sections(run: &Run<'_>) -> Vec<Section> {
    let mut sections: Vec<(&str, &str, Vec<&SubjectRun<'_>>)> = Vec::new();
    for subject in run.subjects.iter().filter(|subject| subject.declaration.name != REFERENCE) {
        let (name, version) = (&*subject.declaration.name, &*subject.declaration.version);
        match sections.iter_mut().find(|(known, known_version, _)| (*known, *known_version) == (name, version)) {
            Some((_, _, subjects)) => subjects.push(subject),
            None => sections.push((name, version, vec![subject])),
        }
    }
    sections
        .into_iter()
        .map(|(name, version, subjects)| {
            let mut rows = group_rows(&subjects);
            let more = rows.split_off(rows.len().min(OPEN_ROWS));
            Section {
                name: name.to_owned(),
                version: version.to_owned(),
                entry_points: subjects.iter().map(|subject| entry_point(subject)).collect(),
                rows,
                more,
                not_compared: not_compared(&subjects),
            }
        })
        .collect()
}

fn entry_point(subject: &SubjectRun<'_>) -> String {
    let declaration = subject.declaration;
    let counts = subject.counts();
    let told: Vec<String> = declaration
        .tells
        .iter()
        .map(|(component, fidelity)| match fidelity {
            crate::model::Fidelity::Exact => component.to_string(),
            fidelity => format!("{component} ({fidelity})"),
        })
        .collect();
    let told = if told.is_empty() {
        "no components".to_owned()
    } else {
        told.join(", ")
    };
    let normal = match declaration.forms {
        crate::model::Forms::Verbatim => "",
        crate::model::Forms::Normalized => " It normalizes as it goes: compared in normal form.",
    };
    format!(
        "`{}`, {}: {} agree, {} diverge, {} not compared. Tells {told}.{normal}",
        declaration.entry_point,
        declaration.specification,
        counts.agree,
        counts.unexpected(),
        counts.not_compared(),
    )
}

/// The groups of a crate, one row where entry points share it, the largest first.
fn group_rows(subjects: &[&SubjectRun<'_>]) -> Vec<GroupRow> {
    let mut merged: BTreeMap<String, Vec<(&Declaration, Group<'_>)>> = BTreeMap::new();
    for subject in subjects {
        for group in subject.groups() {
            merged.entry(group.id.clone()).or_default().push((subject.declaration, group));
        }
    }
    let mut rows: Vec<GroupRow> = merged
        .into_values()
        .filter_map(|mut groups| {
            // The entry point with most of them speaks for all.
            groups.sort_by_key(|(_, group)| Reverse(group.answers.len()));
            let (_, largest) = groups.first()?;
            Some(GroupRow {
                what: format!("{}: {}", largest.operation, describe(largest.difference)),
                count: largest.answers.len(),
                witnesses: witnesses(largest),
                clauses: first_of(&largest.clauses, |(id, count)| format!("{id} ({count})")),
                entry_points: if groups.len() == subjects.len() {
                    "all".to_owned()
                } else {
                    let names: BTreeSet<&str> =
                        groups.iter().map(|(declaration, _)| &*declaration.entry_point).collect();
                    names.into_iter().collect::<Vec<_>>().join(", ")
                },
            })
        })
        .collect();
    rows.sort_by(|one, other| (other.count, &one.what).cmp(&(one.count, &other.what)));
    rows
}

/// The smallest inputs of a group, one under each of its commonest clauses.
fn witnesses(group: &Group<'_>) -> String {
    let mut smallest: Vec<&Answer<'_>> = group
        .clauses
        .iter()
        .take(SHOWN)
        .filter_map(|(id, _)| group.answers.iter().copied().find(|answer| answer.vector.clauses[0] == *id))
        .collect();
    smallest.sort_by_key(|answer| (answer.vector.input.size(), &answer.vector.id));
    smallest
        .iter()
        .map(|answer| {
            format!(
                "{}: expected {}, got {}",
                input(answer.vector),
                cell(&answer.expected_text()),
                cell(&answer.observed_text())
            )
        })
        .collect::<Vec<_>>()
        .join("<br>")
}

/// The first few of a list, and how many more there are.
fn first_of<T>(list: &[T], show: impl Fn(&T) -> String) -> String {
    let mut shown: Vec<String> = list.iter().take(SHOWN).map(show).collect();
    if list.len() > SHOWN {
        shown.push(format!("{} more", list.len() - SHOWN));
    }
    shown.join(", ")
}

fn not_compared(subjects: &[&SubjectRun<'_>]) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for subject in subjects {
        for (reason, count) in subject.reasons() {
            *reasons.entry(reason).or_default() += count;
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by(|one, other| (other.1, one.0).cmp(&(one.1, other.0)));
    reasons.iter().map(|(reason, count)| format!("{reason} ({count})")).collect::<Vec<_>>().join("; ")
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
                        plain: expectation(vector.expectation(Reading::Rfc3986)),
                        other: expectation(vector.expectation(reading)),
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
                .map(|one| format!("{} {}", one.name, expectation(&one.outcome)))
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
        if take != wanted || declaration.name == REFERENCE {
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
    match &vector.input {
        Input::Parse { .. } | Input::Resolve { .. } | Input::Normalize { .. } | Input::Equivalent { .. } => {
            cell(&vector.input.to_string())
        }
        Input::Compose { components } => cell(&components.to_string()),
    }
}

fn expectation(expectation: &Expectation) -> String {
    match from_vector(expectation, None) {
        Expected::NoAnswer { reason } => reason,
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

/// Text as code in a table cell: no pipe ends the cell, no backtick the code, long text is shortened in its middle.
fn cell(text: &str) -> String {
    /// The longest text that is shown whole, in characters.
    const LONGEST: usize = 90;
    let characters: Vec<char> = text.chars().collect();
    let text = if characters.len() > LONGEST {
        let head: String = characters[..LONGEST * 2 / 3].iter().collect();
        let tail: String = characters[characters.len() - LONGEST / 3..].iter().collect();
        format!("{head}…{tail}")
    } else {
        text.to_owned()
    };
    code(&text.replace('|', "\\|"))
}

/// Text as code, outside of tables.
fn code(text: &str) -> String {
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}
