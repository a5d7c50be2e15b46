//! The summary of a run without `--format`: counts, the worst groups of failures, what to do next.

use std::process::ExitCode;

use libtest_mimic::Arguments;

use crate::gate::conforms::{Gate, in_lines, nothing_compared};
use crate::gate::groups::{FailureGroup, WIDTH, wrapped};
use crate::gate::judgement::{Conclusion, Judgement, Tally};
use crate::model::OneLine;
use crate::vectors::Library;

/// Up to how many failures are printed whole.
const FEW: usize = 3;

/// How the second line of the verdict begins.
const INDENT: &str = "  ";

/// What libtest exits with when a test fails.
const FAILED: u8 = 101;

/// Whether the arguments leave it to us how the run is printed: nobody wants a list of tests, or the reasons of ignored ones.
pub(super) fn is_wanted(arguments: &Arguments) -> bool {
    arguments.format.is_none()
        && !arguments.exact
        && !arguments.ignored
        && !arguments.include_ignored
        && !arguments.test
        && !arguments.bench
        && arguments.logfile.is_none()
}

/// Prints the summary. `is_whole` says whether the baseline is judged too.
pub(super) fn print(gate: &Gate<'_>, library: &Library, judgement: &Judgement<'_>, is_whole: bool) -> ExitCode {
    let has_failed = judgement.tally().has_failures()
        || judgement.lost.is_some()
        || is_whole && judgement.conclusion() != Conclusion::Pass;
    println!("{}", text(gate, library, judgement, is_whole, has_failed));
    match has_failed {
        true => ExitCode::from(FAILED),
        false => ExitCode::SUCCESS,
    }
}

fn text(gate: &Gate<'_>, library: &Library, judgement: &Judgement<'_>, is_whole: bool, has_failed: bool) -> String {
    let tally = judgement.tally();
    let lines = |line: String| wrapped(&line, ", ", WIDTH - INDENT.len()).join(&format!("\n{INDENT}{INDENT}"));
    let failures = judgement.failures();
    let mut text: String = match failures.len() <= FEW {
        true => failures
            .iter()
            .map(|(vector, failure)| format!("{}\n{}\n", OneLine(&vector.id), in_lines(library, vector, failure)))
            .collect(),
        false => judgement.groups_text() + "\n",
    };
    text += &format!("{}\n", lines(format!("{}: {tally}", judgement.subject)));
    if !judgement.suites.is_empty() {
        text += &format!("{INDENT}suite inputs: {}\n", lines(tally.suites.to_string()));
    }
    if let Some(words) = judgement.unsaid_validation("add `.without_validation()`") {
        let words = wrapped(&words, " ", WIDTH - INDENT.len()).join(&format!("\n{INDENT}"));
        text += &format!("{INDENT}{words}\n");
    }
    if is_whole {
        for problem in &judgement.problems {
            text += &format!("\n{}\n", OneLine(&problem.to_string()));
        }
        if judgement.conclusion() == Conclusion::Nothing {
            text += &nothing_compared(judgement);
        }
    }
    if let Some(reason) = &judgement.lost {
        text += &format!("\nnot everything was run: {}\n", OneLine(reason));
    }
    if let Some((vector, _)) = judgement.groups().first().map(FailureGroup::witness) {
        text += &format!(
            "\none vector    `cargo test -- --exact '{}'`\nevery vector  `cargo test -- --format pretty`\nnot compared  `cargo test -- --ignored` says why\n{}\n",
            OneLine(&vector.id),
            tests(&tally)
        );
    }
    if has_failed && (tally.has_failures() || !judgement.problems.is_empty()) {
        text += &gate.advice();
    }
    let result = if has_failed { "FAILED" } else { "ok" };
    text += &format!(
        "\ntest result: {result}. {} passed; {} failed; {} ignored",
        tally.agree + tally.known + tally.suites.known_cases,
        tally.fail + tally.suites.failing_cases,
        tally.not_compared + tally.not_run + tally.survived
    );
    text
}

/// What a test is, so that the count of those that fail can be added up.
fn tests(tally: &Tally) -> String {
    match tally.suites.failing_cases {
        0 => "a test is a vector, or all suite inputs that fail alike; what is known passes".to_owned(),
        cases => format!(
            "a test is a vector ({} fail), or all suite inputs that fail alike ({cases} fail);\n{INDENT}what is known passes",
            tally.fail
        ),
    }
}
