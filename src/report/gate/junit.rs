//! JUnit's XML.

use std::collections::BTreeSet;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use uriproof::gate::{Case, Conclusion, FailureGroup, Status};
use uriproof::model::OneLine;

use super::{Judged, Sheet, in_a_line, repeats};

/// One suite a subject, one test a vector that is selected, one a problem of the baseline, one a generated suite without a difference.
/// Names are unique. The text of a vector that fails, known or not, has its severity; a suite has a property for each group of failures. A
/// test has no properties: Jenkins' xUnit plugin refuses a file that has some there.
///
/// # Errors
///
/// What the writer of XML says.
pub fn junit(sheet: &Sheet<'_, '_>) -> Result<String, String> {
    let mut report = Report::new("uriproof");
    let mut names = BTreeSet::new();
    for one in &sheet.subjects {
        let judgement = one.judgement;
        let mut suite = TestSuite::new(&*judgement.subject);
        let properties = one.groups.iter().enumerate().map(|(at, group)| property(at + 1, group));
        suite.properties.extend(properties);
        let mut add = |name: &str, status: TestCaseStatus| {
            let name = OneLine(name).to_string();
            let mut unique = name.clone();
            let mut number = 1;
            while !names.insert(format!("{} {unique}", judgement.subject)) {
                number += 1;
                unique = format!("{name} ({number})");
            }
            let mut case = TestCase::new(unique, status);
            case.set_classname(&*judgement.subject);
            suite.add_test_case(case);
        };
        for case in &judgement.cases {
            if let Some(status) = case_status(sheet, one, case) {
                add(&case.vector.id, status);
            }
        }
        for problem in &judgement.problems {
            let status = failed("baseline", OneLine(&problem.message).to_string());
            add(&format!("{}:{}", problem.file, problem.line), status);
        }
        for suite in judgement.suites.iter().filter(|suite| suite.groups == 0) {
            let status = match (&suite.lost, suite.counts.compared()) {
                (Some(reason), _) => error("lost", reason),
                (None, 0) => skipped(&suite.to_string()),
                (None, _) => TestCaseStatus::success(),
            };
            add(&suite.id(), status);
        }
        if let Some(reason) = one.unfinished() {
            add("not everything was run", error("lost", reason));
        }
        if one.conclusion() == Conclusion::Nothing {
            add("nothing was compared", error("nothing", "nothing was compared"));
        }
        report.add_test_suite(suite);
    }
    let mut text = report.to_string().map_err(|error| format!("no JUnit can be written: {error}"))?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    // The schema of Jenkins' xUnit plugin has no such attribute of the root, which is the first to have one.
    text = text.replacen(&format!(" skipped=\"{}\"", report.skipped), "", 1);
    // A runner of workflows takes `##[error]` for a command, wherever it is in a line.
    Ok(text.replace("##", "#&#35;"))
}

/// A group of failures in a line.
fn property(number: usize, group: &FailureGroup<'_>) -> Property {
    let (vector, failure) = group.witness();
    let about = format!(
        "{}: {}; {}, {}; {}; {}: {}: expected {}, got {}",
        group.severity,
        group.title,
        group.clause,
        group.level,
        group.count,
        vector.id,
        vector.input,
        failure.expected,
        failure.got
    );
    Property::new(format!("group {number}"), OneLine(&about).to_string())
}

/// The status of a vector; none if it is not selected.
fn case_status(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>, case: &Case<'_>) -> Option<TestCaseStatus> {
    let vector = &case.vector;
    Some(match &case.status {
        Status::NotSelected => return None,
        Status::Agrees => TestCaseStatus::success(),
        Status::NotCompared(reason) => skipped(&format!("not compared: {reason}")),
        Status::NotRun(reason) => skipped(&format!("not run: {reason}")),
        Status::Survived(reason) => skipped(&format!("survived only: {reason}")),
        Status::Known(failure, entry) => {
            let mut status = skipped(&format!("known, {}: {}", entry.kind, entry.reason));
            status.set_description(format!("severity  {}", failure.severity));
            status
        }
        Status::Fails(failure) => {
            let text = format!(
                "severity  {}\ninput     {}\nexpected  {}\ngot       {}\n{}clause    {}\nagain     {}",
                failure.severity,
                vector.input,
                OneLine(&failure.expected),
                OneLine(&failure.got),
                repeats(failure),
                sheet.clause(vector),
                one.again(vector)
            );
            let mut status = failed(failure.kind_name(), in_a_line(vector, failure));
            status.set_description(text);
            status
        }
        Status::Lost(reason) => error("lost", reason),
    })
}

fn skipped(reason: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(OneLine(reason).to_string());
    status
}

/// A failure of a kind, with a message that is on one line.
fn failed(kind: &str, message: String) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind);
    status.set_message(message);
    status
}

fn error(kind: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type(kind);
    status.set_message(OneLine(message).to_string());
    status
}
