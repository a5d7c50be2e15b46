//! Each vector as a test with its own name, so that `cargo test ipv6` asks about IPv6.
//!
//! A test file without the standard harness holds one line, `uriproof::conformance_tests!`; its tests have the
//! ids of the vectors as names. What is not compared is ignored, and not passed, and `baseline` is the test of the baseline
//! itself.
//!
//! A run prints a summary: counts, and the worst groups of failures. `--format pretty` prints a line for each test, as libtest does.
//!
//! `URIPROOF_TESTS=file` makes each file of vectors a test instead. That is the default under `cargo nextest`, which starts a process
//! for each test; `URIPROOF_TESTS=vector` has each vector there too. A list of the tests calls no subject, and a run calls it for what is
//! selected alone.

mod selection;
mod summary;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use self::selection::{BASELINE, TestSelection, TestUnit};
use crate::gate::conforms::{Gate, in_lines, is_to_be_written};
use crate::gate::judgement::{Case, Conclusion, Judgement, Status};
use crate::gate::suite::{self, SuiteRun};
use crate::gate::{Baseline, Line};
use crate::model::OneLine;
use crate::vectors::Library;

/// How many failures of a test of several vectors are printed whole.
const SHOWN: usize = 5;

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
    let done = match is_to_be_written() {
        true => gate.write(&Library::embedded()).map(|said| {
            println!("{said}");
            ExitCode::SUCCESS
        }),
        false => TestUnit::of_environment().and_then(|unit| run(&mut gate, &arguments, unit)),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("{problem}");
        ExitCode::FAILURE
    })
}

/// Judges what the arguments select, and runs its tests; a list of them judges nothing.
fn run(gate: &mut Gate<'_>, arguments: &Arguments, unit: TestUnit) -> Result<ExitCode, String> {
    let selection = TestSelection::new(gate, arguments, unit);
    if arguments.list {
        let listed = |name: &String| Trial::test(name.clone(), || Ok(()));
        let trials = selection.names.iter().map(listed).collect();
        return Ok(libtest_mimic::run(arguments, trials).exit_code());
    }
    let library = selection.library(gate);
    gate.plan.ids.clone_from(&selection.ids);
    let baseline = gate.read_known(&library, selection.is_part(gate))?;
    if selection.is_baseline_alone && baseline.as_ref().is_some_and(Baseline::keeps_suites_apart) {
        // The test of each suite, in a process of its own, says what is wrong with its lines.
        gate.plan.suite = None;
    }
    let judgement = gate.judged(&library, baseline.as_ref())?;
    if summary::is_wanted(arguments) {
        let is_whole = selection.is_whole && gate.plan.only.is_empty();
        return Ok(summary::print(gate, &library, &judgement, is_whole));
    }
    let mut trials = trials(&library, &judgement, &selection, baseline.as_ref());
    if selection.is_whole && gate.plan.only.is_empty() {
        trials.push(of_baseline(gate, &library, &judgement));
    }
    let has_failed =
        judgement.tally().has_failures() || selection.is_whole && judgement.conclusion() == Conclusion::Fail;
    let conclusion = libtest_mimic::run(arguments, trials);
    if has_failed {
        eprint!("{}", gate.advice());
    }
    Ok(conclusion.exit_code())
}

/// The tests of what was judged, but for that of the baseline.
fn trials(
    library: &Library,
    judgement: &Judgement<'_>,
    selection: &TestSelection,
    baseline: Option<&Baseline>,
) -> Vec<Trial> {
    let selected = |case: &&Case<'_>| case.status != Status::NotSelected;
    let (groups, vectors): (Vec<&Case<'_>>, Vec<&Case<'_>>) =
        judgement.cases.iter().filter(selected).partition(|case| suite::is_of_suite(&case.vector.id));
    let mut trials: Vec<Trial> = match selection.unit {
        TestUnit::Vector => vectors.into_iter().map(|case| trial(library, case)).collect(),
        TestUnit::File => {
            let mut files: Vec<(&str, Vec<&Case<'_>>)> = Vec::new();
            for case in vectors {
                let file = selection::file_of(&case.vector.id);
                match files.iter_mut().find(|(known, _)| *known == file) {
                    Some((_, cases)) => cases.push(case),
                    None => files.push((file, vec![case])),
                }
            }
            files.into_iter().map(|(file, cases)| of_file(library, judgement, file, &cases)).collect()
        }
    };
    let of_suites = judgement.suites.iter().map(|suite| {
        let prefix = format!("{}/", suite.id());
        let groups: Vec<&Case<'_>> =
            groups.iter().copied().filter(|case| case.vector.id.starts_with(&prefix)).collect();
        // Else the test of the baseline has them.
        let baseline = baseline.filter(|_| !selection.is_whole);
        of_suite(
            library,
            judgement,
            suite,
            &groups,
            &problems_of(judgement, baseline, &prefix),
        )
    });
    trials.extend(of_suites);
    trials
}

/// The test that fails on what is wrong with the baseline, and where nothing was compared.
fn of_baseline(gate: &Gate<'_>, library: &Library, judgement: &Judgement<'_>) -> Trial {
    let problems: Vec<String> = judgement.problems.iter().map(ToString::to_string).collect();
    let problem = match judgement.conclusion() {
        Conclusion::Nothing | Conclusion::Broken => Some(gate.text(library, judgement)),
        Conclusion::Pass | Conclusion::Fail if problems.is_empty() => None,
        Conclusion::Pass | Conclusion::Fail => Some(format!("{}\n{}", problems.join("\n"), gate.advice())),
    };
    Trial::test(BASELINE, move || problem.map_or(Ok(()), |problem| Err(problem.into())))
}

/// What is wrong with the lines of a baseline that are about a suite.
fn problems_of(judgement: &Judgement<'_>, baseline: Option<&Baseline>, prefix: &str) -> String {
    let of_suite = |line: &&Line| line.vectors.to_string().starts_with(prefix);
    let lines: Vec<usize> =
        baseline.into_iter().flat_map(|baseline| &baseline.lines).filter(of_suite).map(|line| line.line).collect();
    judgement
        .problems
        .iter()
        .filter(|problem| lines.contains(&problem.line))
        .map(|problem| format!("\n{problem}\n"))
        .collect()
}

/// The test of a suite: it fails if a group of its divergences does that the baseline does not have, and if something is wrong with
/// the baseline's lines about it.
fn of_suite(
    library: &Library,
    judgement: &Judgement<'_>,
    suite: &SuiteRun,
    groups: &[&Case<'_>],
    problems: &str,
) -> Trial {
    let lost = suite.lost.as_ref().map(|reason| format!("\n{}\n", OneLine(reason)));
    let failures = failures(library, judgement, groups).or(lost).unwrap_or_default();
    let problem = Some(failures + problems).filter(|problem| !problem.is_empty());
    let is_compared = suite.counts.compared() > 0;
    Trial::test(suite.id(), move || {
        problem.map_or(Ok(()), |problem| Err(problem.into()))
    })
    .with_kind(if is_compared { "" } else { "not compared" })
    .with_ignored_flag(!is_compared)
}

/// The test of a file of vectors.
fn of_file(library: &Library, judgement: &Judgement<'_>, file: &str, cases: &[&Case<'_>]) -> Trial {
    let without_result = cases.iter().filter(|case| case.status.no_result().is_some()).count();
    let known = cases.iter().filter(|case| matches!(case.status, Status::Known(..))).count();
    let is_compared = without_result < cases.len();
    let counts = [(known, "known"), (without_result, "not compared")];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let kind = counts.collect::<Vec<_>>().join(", ");
    let problem = match is_compared {
        true => failures(library, judgement, cases),
        false => Some(
            cases.iter().find_map(|case| case.status.no_result()).map_or_else(String::new, |reason| {
                format!(
                    "none of {} vectors was compared, such as {}: {}",
                    cases.len(),
                    cases[0].vector.id,
                    OneLine(reason)
                )
            }),
        ),
    };
    Trial::test(file, move || problem.map_or(Ok(()), |problem| Err(problem.into())))
        .with_kind(kind)
        .with_ignored_flag(!is_compared)
}

/// The failures among some cases, the worst first, and what was lost; `None` if there is neither.
fn failures(library: &Library, judgement: &Judgement<'_>, cases: &[&Case<'_>]) -> Option<String> {
    let ids: Vec<&str> = cases.iter().map(|case| &*case.vector.id).collect();
    let failures = judgement.failures();
    let failures: Vec<_> = failures.iter().filter(|(vector, _)| ids.contains(&&*vector.id)).collect();
    let mut text = String::new();
    for (vector, failure) in failures.iter().take(SHOWN) {
        text += &format!("\n{}\n{}", OneLine(&vector.id), in_lines(library, vector, failure));
    }
    if failures.len() > SHOWN {
        text += &format!("\nand {} more\n", failures.len() - SHOWN);
    }
    let lost: Vec<&str> = cases
        .iter()
        .filter_map(|case| match &case.status {
            Status::Lost(reason) => Some(reason.as_str()),
            _ => None,
        })
        .collect();
    if let Some(reason) = lost.first() {
        text += &format!("\n{} not run: {}\n", lost.len(), OneLine(reason));
    }
    (!text.is_empty()).then_some(text)
}

/// The test of a vector.
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::model::{Declaration, Operation, Outcome, Rule, Subject};

    /// Refuses everything, and keeps what it was given.
    #[derive(Default)]
    struct Counting(Mutex<Vec<String>>);

    static DECLARATION: Declaration = Declaration::new("counting", "1", "parse", &[Operation::Parse]);

    impl Subject for Counting {
        fn declaration(&self) -> &Declaration {
            &DECLARATION
        }

        fn parse(&self, _: Rule, input: &str) -> Outcome {
            self.0.lock().unwrap().push(input.to_owned());
            Outcome::rejected("no")
        }
    }

    /// How many calls the tests of these arguments make, and their exit status.
    fn calls(unit: TestUnit, words: &[&str]) -> (usize, ExitCode) {
        let subject = Counting::default();
        let arguments = Arguments::from_iter(["program"].iter().chain(words));
        let exit = run(&mut Gate::of(&subject), &arguments, unit).unwrap();
        let calls = subject.0.lock().unwrap().len();
        (calls, exit)
    }

    #[test]
    fn a_list_calls_no_subject() {
        for unit in [TestUnit::Vector, TestUnit::File] {
            assert_eq!(calls(unit, &["--list", "--format", "terse"]).0, 0);
            assert_eq!(calls(unit, &["--list", "--ignored", "ipv6"]).0, 0);
        }
    }

    #[test]
    fn what_is_not_selected_is_not_called() {
        let passed = format!("{:?}", ExitCode::SUCCESS);
        let vector = "syntax/ipv6/elision-twice";
        let (count, exit) = calls(TestUnit::Vector, &[vector, "--exact"]);
        assert_eq!((count, format!("{exit:?}")), (1, passed.clone()));
        assert_eq!(calls(TestUnit::Vector, &[vector, "--exact", "--skip", vector]).0, 0);
        assert_eq!(calls(TestUnit::File, &[vector, "--exact"]).0, 0);
        let of_file = uriproof_vectors::ids().filter(|id| selection::file_of(id) == "syntax/ipv6").count();
        let (count, exit) = calls(TestUnit::File, &["syntax/ipv6", "--exact"]);
        assert!(count > 1 && count <= 2 * of_file, "{count} calls for {of_file} vectors");
        assert_ne!(format!("{exit:?}"), passed, "valid addresses are refused");
        assert!(calls(TestUnit::Vector, &["ipv6", "--skip", "syntax/"]).0 < count);
    }

    /// Under nextest the test of each suite says what is wrong with its lines, and that of the baseline calls for the vectors alone.
    #[test]
    fn the_baseline_does_not_run_the_suites_that_others_run() {
        let folder = std::env::temp_dir().join(format!("uriproof-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("uriproof.toml");
        let calls = |lines: &str, test: &str| {
            let head = "uriproof = 1\nsubject = \"counting\"\ncompares = 1\n\n[[entry]]\nkind = \"bug\"\nreason = \"no\"\n[entry.vectors]\n";
            std::fs::write(&file, format!("{head}{lines}\n")).unwrap();
            let subject = Counting::default();
            let arguments = Arguments::from_iter(["program", test, "--exact"]);
            let exit = run(&mut Gate::of(&subject).baseline(&file), &arguments, TestUnit::File).unwrap();
            let calls = subject.0.lock().unwrap().len();
            (calls, format!("{exit:?}") == format!("{:?}", ExitCode::SUCCESS))
        };
        let of_vectors = uriproof_vectors::ids().count();
        let (apart, _) = calls("\"suite/parse/other\" = '1 answers, 0'", BASELINE);
        assert!(apart < 2 * of_vectors, "{apart} calls");
        for suites in ["suite/*", "suite/parse/*"] {
            let (together, _) = calls(
                &format!("\"{suites}\" = {{ kind = 'rejected-valid', answers = 1 }}"),
                BASELINE,
            );
            assert!(together > 5 * of_vectors, "{together} calls");
        }
        let (_, has_passed) = calls("\"suite/parse/other\" = '1 answers, 0'", "suite/parse");
        assert!(!has_passed, "valid strings are refused");
        // A group that does not differ is named by the test of its suite.
        let subject = Counting::default();
        let mut gate = Gate::of(&subject).baseline(&file);
        gate.plan.ids = Some([suite::id(Operation::Parse)].into());
        let library = Library::embedded();
        let baseline = gate.read_known(&library, false).unwrap();
        let judgement = gate.judged(&library, baseline.as_ref()).unwrap();
        let problems = problems_of(&judgement, baseline.as_ref(), "suite/parse/");
        assert!(problems.contains("`suite/parse/other`"), "{problems}");
        assert_eq!(problems_of(&judgement, baseline.as_ref(), "suite/resolve/"), "");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// A line whose answers are all marked, and whose hash is another, fails the test of its suite, whatever a test is.
    #[test]
    fn a_suite_of_which_fewer_answers_fail_does_not_pass() {
        let folder = std::env::temp_dir().join(format!("uriproof-marks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("uriproof.toml");
        let library = Library::embedded();
        let subject = Counting::default();
        let mut gate = Gate::of(&subject);
        gate.plan.ids = Some([suite::id(Operation::Parse)].into());
        let judgement = gate.judged(&library, None).unwrap();
        let of_suite = judgement.cases.iter().filter(|case| suite::is_of_suite(&case.vector.id));
        let lines: String = of_suite
            .filter_map(|case| Some(format!("\"{}\" = '{}'\n", case.vector.id, case.status.failure()?.brief)))
            .collect();
        let passes = |lines: &str, unit: TestUnit| {
            let head = "uriproof = 1\nsubject = \"counting\"\ncompares = 1\n\n[[entry]]\nkind = \"bug\"\nreason = \"no\"\n[entry.vectors]\n";
            std::fs::write(&file, format!("{head}{lines}")).unwrap();
            let arguments = Arguments::from_iter(["program", "suite/parse", "--exact"]);
            let exit = run(&mut Gate::of(&subject).baseline(&file), &arguments, unit).unwrap();
            format!("{exit:?}") == format!("{:?}", ExitCode::SUCCESS)
        };
        let (before, after) = lines.split_once(", marks").unwrap();
        let other = format!("{}0000000000000000, marks{after}", &before[..before.len() - 16]);
        for unit in [TestUnit::File, TestUnit::Vector] {
            assert!(passes(&lines, unit), "{lines}");
            assert!(!passes(&other, unit), "{other}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_failing_file_prints_the_first_failures_whole() {
        let subject = Counting::default();
        let mut gate = Gate::of(&subject).suite(None);
        let arguments = Arguments::from_iter(["program", "syntax/ipv6", "--exact"]);
        let selection = TestSelection::new(&gate, &arguments, TestUnit::File);
        gate.plan.ids.clone_from(&selection.ids);
        let library = selection.library(&gate);
        let judgement = gate.judged(&library, None).unwrap();
        let cases: Vec<&Case<'_>> = judgement.cases.iter().filter(|case| case.status != Status::NotSelected).collect();
        let text = failures(&library, &judgement, &cases).unwrap();
        let count = judgement.tally().fail;
        assert!(count > SHOWN);
        assert_eq!(text.matches("\n  expected  ").count(), SHOWN, "{text}");
        assert_eq!(text.matches("\n  clause    §").count(), SHOWN, "{text}");
        assert!(
            text.contains("\nsyntax/ipv6/") && text.contains("\n  got       rejected"),
            "{text}"
        );
        assert!(text.ends_with(&format!("\nand {} more\n", count - SHOWN)), "{text}");
    }
}
