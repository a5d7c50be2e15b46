//! Each vector as a test with its own name, so that `cargo test ipv6` asks about IPv6.
//!
//! A test file without the standard harness holds one line, `uriproof::conformance_tests!`; its tests have the
//! ids of the vectors as names. What is not compared is ignored, and not passed, and `baseline` is the test of the baseline
//! itself.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use crate::gate::conforms::{Gate, in_lines, is_to_be_written};
use crate::gate::glob::Glob;
use crate::gate::judgement::{Case, Conclusion, Status};
use crate::gate::suite::SuiteRun;
use crate::model::OneLine;
use crate::vectors::Library;

/// The name of the test that fails on what is wrong with the baseline, and where nothing was compared.
const BASELINE: &str = "baseline";

/// Makes the `main` of a test file (`harness = false` in Cargo.toml) of a [`Gate`]:
/// `uriproof::conformance_tests!(Gate::of(&MyUri).baseline("uriproof.toml"));`
#[macro_export]
macro_rules! conformance_tests {
    ($gate:expr) => {
        fn main() -> ::std::process::ExitCode {
            $crate::gate::harness::main($gate)
        }
    };
}

/// Runs the tests that the arguments of the process select.
pub fn main(mut gate: Gate<'_>) -> ExitCode {
    let arguments = Arguments::from_args();
    let library = Library::embedded();
    if is_to_be_written() {
        return match gate.write(&library) {
            Ok(said) => {
                println!("{said}");
                ExitCode::SUCCESS
            }
            Err(problem) => {
                eprintln!("{problem}");
                ExitCode::FAILURE
            }
        };
    }
    // A runner that starts a process for each test does not ask everything in each.
    let exact = arguments.filter.as_ref().filter(|name| arguments.exact && *name != BASELINE);
    if let Some(Ok(only)) = exact.map(|name| Glob::new(name)) {
        gate.plan.only = vec![only];
    }
    let judgement = match gate.run(&library) {
        Ok(judgement) => judgement,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::FAILURE;
        }
    };
    let mut trials: Vec<Trial> = judgement
        .cases
        .iter()
        .filter(|case| case.status != Status::NotSelected)
        .map(|case| trial(&library, case))
        .collect();
    trials.extend(judgement.suites.iter().filter(|suite| suite.groups == 0).map(of_suite));
    if gate.plan.only.is_empty() {
        let problems: Vec<String> = judgement.problems.iter().map(ToString::to_string).collect();
        let problem = match judgement.conclusion() {
            Conclusion::Nothing | Conclusion::Broken => Some(gate.text(&library, &judgement)),
            Conclusion::Pass | Conclusion::Fail if problems.is_empty() => None,
            Conclusion::Pass | Conclusion::Fail => Some(format!("{}\n{}", problems.join("\n"), gate.advice())),
        };
        trials.push(Trial::test(BASELINE, move || {
            problem.map_or(Ok(()), |problem| Err(problem.into()))
        }));
    }
    let has_failed = judgement.conclusion() == Conclusion::Fail;
    let is_list = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !is_list && has_failed {
        eprint!("{}", gate.advice());
    }
    conclusion.exit_code()
}

/// A suite of which nothing diverges.
fn of_suite(suite: &SuiteRun) -> Trial {
    let problem = suite.lost.clone();
    Trial::test(suite.id(), move || {
        problem.map_or(Ok(()), |problem| Err(OneLine(&problem).to_string().into()))
    })
    .with_kind(if suite.counts.compared() == 0 {
        "not compared"
    } else {
        ""
    })
    .with_ignored_flag(suite.counts.compared() == 0)
}

fn trial(library: &Library, case: &Case<'_>) -> Trial {
    let ignored = case.status.no_result().map(str::to_owned);
    let problem = match &case.status {
        Status::Agrees | Status::Known(..) => None,
        Status::Fails(failure) => Some(format!("\n{}", in_lines(library, &case.vector, failure))),
        Status::NotCompared(reason) => Some(format!("not compared: {}", OneLine(reason))),
        Status::NotRun(reason) => Some(format!("not run: {}", OneLine(reason))),
        Status::Survived(reason) => Some(format!("not compared: {}", OneLine(reason))),
        Status::NotSelected => Some("not selected".to_owned()),
        Status::Lost(reason) => Some(OneLine(reason).to_string()),
    };
    let kind = match &case.status {
        Status::Known(_, entry) => entry.kind.name(),
        Status::NotCompared(_) => "not compared",
        Status::NotRun(_) => "not run",
        Status::Survived(_) => "survived only",
        _ => "",
    };
    Trial::test(case.vector.id.clone(), move || {
        problem.map_or(Ok(()), |problem| Err(problem.into()))
    })
    .with_kind(kind)
    .with_ignored_flag(ignored.is_some())
}
