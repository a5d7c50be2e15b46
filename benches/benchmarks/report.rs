//! What `report` costs without the subject that takes most of it.

use std::env;
use std::process::{Command, Stdio};
use std::time::Duration;

use uriproof::model::{Subject, Vector};
use uriproof::vectors::Library;
use uriproof_cli::report::{causes, json, markdown, model};
use uriproof_subjects::SUBJECTS;

use crate::Effort;
use crate::clock::of_process;
use crate::table::{BenchmarkSheet, Quantity};

/// The only argument of a process that makes a report.
const REPORT: &str = "--report";

/// It needs milliseconds for an answer.
const SLOW: &str = "url-parse";

/// Makes the report if the argument says so, and prints the seconds that the processors worked.
pub(crate) fn is_made() -> bool {
    if !env::args().skip(1).eq([REPORT.to_owned()]) {
        return false;
    }
    let is_fast = |subject: &&dyn Subject| subject.declaration().name != SLOW;
    let subjects: Vec<&'static dyn Subject> = SUBJECTS.iter().copied().filter(is_fast).collect();
    assert!(subjects.len() < SUBJECTS.len(), "{SLOW} is no subject");
    let (answers, sizes) = report(&subjects);
    println!("{} {answers} {sizes:?}", of_process().as_secs_f64());
    true
}

/// As the command makes it, but that nothing is written: how many answers it has, and the sizes of its pages and of results.json.
fn report(subjects: &[&'static dyn Subject]) -> (u64, [usize; 2]) {
    let library = Library::embedded();
    let vectors: Vec<&Vector> = library.vectors().collect();
    let mut run = model::whole_run(&library, subjects, &vectors, &|| ());
    causes::add_causes(&mut run, subjects, uriproof_cli::known::ledger());
    let of_suites =
        |subject: &model::SubjectRun<'_>| subject.cores.iter().map(|core| core.score.answers()).sum::<u64>();
    let answers = run.subjects.iter().map(|subject| subject.answers.len() as u64 + of_suites(subject)).sum();
    let pages = markdown::pages(&library, subjects, &run).expect("the templates are right");
    let sizes = [
        pages.iter().map(|page| page.text.len()).sum(),
        json::to_json(&run, &[]).len(),
    ];
    (answers, sizes)
}

/// Measures `report`.
pub(crate) fn measure(effort: &Effort, sheet: &mut BenchmarkSheet) {
    if !effort.is_whole {
        sheet.missing.push("`report`: not in a test run".to_owned());
        return;
    }
    let (time, answers) = (0..effort.times.div_ceil(2)).map(|_| process()).min().unwrap_or_default();
    sheet.rows.push(Quantity::bound(
        format!("`report` without {SLOW}, CPU time"),
        format!("{:.1} s", time.as_secs_f64()),
        "8 s",
        time <= Duration::from_secs(8),
    ));
    sheet.sections.heading("The report");
    sheet.sections.paragraph(&format!(
        "`report` without {SLOW} has {answers} answers, to the vectors and to the core suites of the grammar: {:.1} us for each, with what \
         the crates take, and with what makes divergent inputs small, names them and writes the pages. The bound of 8 s leaves {:.1} us.",
        time.as_secs_f64() * 1e6 / answers as f64,
        8.0 * 1e6 / answers as f64
    ));
}

/// The CPU time of a process that makes the report, and how many answers it has.
fn process() -> (Duration, u64) {
    let program = env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg(REPORT).stderr(Stdio::inherit()).output().expect("it can be started again");
    assert!(output.status.success(), "the report: {}", output.status);
    let said = String::from_utf8(output.stdout).expect("a number");
    let mut words = said.split(' ');
    let seconds = words.next().and_then(|seconds| seconds.parse().ok()).expect("a number");
    let answers = words.next().and_then(|answers| answers.parse().ok()).expect("a number");
    (Duration::from_secs_f64(seconds), answers)
}
