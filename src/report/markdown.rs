//! The text of REPORT.md and of its pages.

mod core_suites;
mod learned;
mod mutants;
mod pairs;
mod parting;
mod profiles;
mod suites;
mod takes;

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use uriproof::coverage::Coverage;
use uriproof::model::{Operation, Reading, Subject, Vector};
use uriproof::severity::Severity;
use uriproof::vectors::{DATA_VERSION, Library};
use uriproof_lab::sweep::whatwg::SYMBOLS;

use self::core_suites::{CoreRow, Proof, partly_compared, proofs};
use self::learned::{LearnedRow, not_learned};
use self::mutants::{AlgorithmTable, CodeTable, CrateTable, KillTable};
use self::pairs::{PairsView, PlacesRow};
use self::parting::PartingView;
use self::profiles::ProfileRow;
use self::suites::SuitesRow;
use self::takes::{ChoiceRow, ReadingView};
use super::causes::{Crate, crates, unexplained, worst_first};
use super::markup::{cell, code};
use super::model::{Run, SubjectRun, has_choice, is_reference};
use super::pages::{DIFFERENCES, FRONT, ReportPage};
use super::sections::{CrateSection, PictureRow, SharedView};
use super::standard::StandardView;
use crate::known;
use crate::measured;
use crate::measured::subjects::SUITES;

/// How many clauses the overview names.
const CLAUSES: usize = 20;

/// The pages of the report, REPORT.md first.
///
/// # Errors
///
/// When a template cannot be filled in, which does not depend on the results.
pub fn pages(library: &Library, subjects: &[&dyn Subject], run: &Run<'_>) -> askama::Result<Vec<ReportPage>> {
    let crates = crates(run);
    let report = &Report::of(library, subjects, run, &crates);
    let differences = DifferencesPage {
        rows: PartingView::all(subjects),
        symbols: code(&SYMBOLS.map(symbol).join(" ")),
    };
    let mut pages = vec![
        ReportPage::new(FRONT, &report.render()?),
        ReportPage::new(DIFFERENCES, &differences.render()?),
        ReportPage::in_folder("entry-points", &EntryPointsPage { report }.render()?),
        ReportPage::in_folder("readings", &ReadingsPage { report }.render()?),
        ReportPage::in_folder("choices", &ChoicesPage { report }.render()?),
        ReportPage::in_folder("suites", &SuitesPage { report }.render()?),
    ];
    for section in &CrateSection::all(&crates) {
        let causes = CratePage { section }.render()?;
        let file = match &section.standard {
            None => &section.file,
            Some(standard) => {
                let page = StandardPage { section, standard };
                pages.push(ReportPage::in_folder(&section.file, &page.render()?));
                &standard.causes
            }
        };
        pages.push(ReportPage::in_folder(file, &causes));
    }
    Ok(pages)
}

impl<'a> Report<'a> {
    fn of(library: &'a Library, subjects: &[&dyn Subject], run: &Run<'_>, crates: &[Crate<'_, '_>]) -> Report<'a> {
        let others = run.subjects.iter().filter(|subject| !is_reference(subject.declaration));
        let names: BTreeSet<&str> = crates.iter().map(|one| one.name).collect();
        let cited: BTreeSet<&str> = library.vectors().flat_map(|vector| &vector.clauses).map(String::as_str).collect();
        let PairsView { example, counts, rows } = PairsView::of(subjects, &run.ledger);
        Report {
            data: DATA_VERSION,
            date: measured::date().0,
            vectors: run.vectors,
            files: library.files.len(),
            clauses: cited.len(),
            entry_points: others.count(),
            crates: names.len(),
            picture: worst_first(crates).into_iter().map(PictureRow::of).collect(),
            unexplained: unexplained(run).len(),
            severities: Severity::ALL,
            operations: Operation::ALL,
            matrix: run.subjects.iter().map(MatrixRow::of).collect(),
            core: run.subjects.iter().flat_map(CoreRow::of).collect(),
            partly_compared: run.subjects.iter().flat_map(partly_compared).collect(),
            proofs: proofs(run),
            suite_operations: SUITES,
            suites: SuitesRow::all(),
            profiles: ProfileRow::all(&known::ledger(), subjects),
            learned: LearnedRow::all(run),
            not_learned: not_learned(subjects),
            kills: KillTable::of(&measured::grammar_mutants()),
            algorithms: AlgorithmTable::of(&measured::algorithm_mutants()),
            code: CodeTable::of(&measured::code_mutants()),
            crate_mutants: CrateTable::of(&measured::crate_mutants()),
            by_clause: by_clause(library, run),
            coverage: Coverage::of(library),
            example,
            pair_counts: counts,
            pairs: rows,
            shared: SharedView::of(crates),
            readings: Reading::ALL[1..].iter().map(|&reading| ReadingView::of(library, subjects, reading)).collect(),
            choices: library
                .vectors()
                .filter(|vector| has_choice(vector))
                .map(|vector| ChoiceRow::of(run, vector))
                .collect(),
        }
    }
}

/// The page of each entry point's counts.
#[derive(Template)]
#[template(path = "report/entry-points.md", escape = "none")]
struct EntryPointsPage<'r> {
    report: &'r Report<'r>,
}

/// A symbol in a list that spaces separate.
fn symbol(symbol: char) -> String {
    match symbol {
        ' ' => "(space)".to_owned(),
        '\t' => "\\t".to_owned(),
        other => other.to_string(),
    }
}

/// The page of where RFC 3986 and the URL Standard differ.
#[derive(Template)]
#[template(path = "DIFFERENCES.md", escape = "none")]
struct DifferencesPage {
    rows: Vec<PartingView>,
    /// The symbols of the strings on which the rules are tested, in code.
    symbols: String,
}

/// The page of contested clauses.
#[derive(Template)]
#[template(path = "report/readings.md", escape = "none")]
struct ReadingsPage<'r> {
    report: &'r Report<'r>,
}

/// The page of the choices that the RFC leaves.
#[derive(Template)]
#[template(path = "report/choices.md", escape = "none")]
struct ChoicesPage<'r> {
    report: &'r Report<'r>,
}

/// The page of what the suites kill.
#[derive(Template)]
#[template(path = "report/suites.md", escape = "none")]
struct SuitesPage<'r> {
    report: &'r Report<'r>,
}

/// The page of a crate, with its causes in full.
#[derive(Template)]
#[template(path = "report/crate.md", escape = "none")]
struct CratePage<'r> {
    section: &'r CrateSection,
}

/// The page of a crate that follows the WHATWG URL Standard.
#[derive(Template)]
#[template(path = "report/standard.md", escape = "none")]
struct StandardPage<'r> {
    section: &'r CrateSection,
    standard: &'r StandardView,
}

/// The front page, and what the others show too.
#[derive(Template)]
#[template(path = "REPORT.md", escape = "none")]
struct Report<'a> {
    data: &'static str,
    date: &'static str,
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
    partly_compared: Vec<String>,
    proofs: Vec<Proof>,
    suite_operations: [Operation; SUITES.len()],
    suites: Vec<SuitesRow>,
    profiles: Vec<ProfileRow>,
    learned: Vec<LearnedRow>,
    not_learned: String,
    kills: KillTable,
    algorithms: AlgorithmTable,
    code: CodeTable,
    crate_mutants: CrateTable,
    by_clause: Vec<ClauseRow>,
    coverage: Coverage<'a>,
    example: String,
    pair_counts: String,
    pairs: Vec<PlacesRow>,
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

fn input(vector: &Vector) -> String {
    cell(&vector.input.to_string())
}

struct ClauseRow {
    clause: String,
    quote: String,
    crates: usize,
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
            crates: names.len(),
            input: input(vector),
        })
        .collect()
}
