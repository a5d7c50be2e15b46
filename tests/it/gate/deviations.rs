//! Deviations of the catalogue in a baseline: what they predict is known, anything else fails, and what they predict wrongly is reported.

use std::fs;

use tempfile::TempDir;
use uriproof::gate::{Claimed, Conclusion, Gate, Judgement};
use uriproof::model::{Input, Observed, Operation, Outcome, Reading, Rule, Subject};
use uriproof::run::UNVALIDATED;
use uriproof::split::{UserinfoEnd, components};
use uriproof::vectors::Library;
use uriproof_deviations::CATALOGUE;

use crate::mutants::{Planted, Twist, mutant, with_components};
use crate::process::{program, run};

const FILE: &str = "baseline.toml";

/// What the gate says of a subject with this baseline.
fn judged<T>(subject: &dyn Subject, baseline: &str, look: impl FnOnce(Result<&Judgement<'_>, String>) -> T) -> T {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(FILE);
    fs::write(&path, baseline).unwrap();
    let library = Library::embedded();
    let judgement = Gate::of(subject).suite(None).catalogue(&CATALOGUE).baseline(path).run(&library);
    look(judgement.as_ref().map_err(Clone::clone))
}

/// The baseline that is written for a subject.
fn written(subject: &dyn Subject) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(FILE);
    let library = Library::embedded();
    Gate::of(subject).suite(None).catalogue(&CATALOGUE).baseline(&path).write(&library).unwrap();
    fs::read_to_string(path).unwrap()
}

fn with_deviations(list: &str) -> String {
    format!(
        "uriproof = 1\nsubject = \"planted\"\ncompares = 1\n[[entry]]\nkind = \"bug\"\nreason = \"so\"\ndeviations = [{list}]\n"
    )
}

fn problems(judgement: &Judgement<'_>) -> Vec<String> {
    let lines = judgement.problems.iter().map(|problem| format!("{}: {}", problem.line, problem.message));
    lines.collect()
}

/// Refuses IPvFuture in every operation.
fn refuses_ipvfuture() -> Planted {
    let twist: Twist = |input, outcome| {
        let is_it = |text: &str| text.contains("[v") || text.contains("[V");
        match input {
            Input::Parse { rule, .. } if rule.name() == "IPvFuture" => Outcome::rejected("no"),
            Input::Parse { input, .. } if is_it(input) => Outcome::rejected("no"),
            Input::Normalize { uri, .. } | Input::RoundTrip { uri } if is_it(uri) => Outcome::rejected("no"),
            _ => outcome,
        }
    };
    Planted::everywhere(twist)
}

#[test]
fn a_deviation_stands_for_all_that_it_predicts() {
    let subject = refuses_ipvfuture();
    let text = written(&subject);
    let named: Vec<&str> = text.lines().filter(|line| line.starts_with("deviations = ")).collect();
    assert_eq!(named, ["deviations = ['refuses-ipvfuture']"], "{text}");
    let lines = text.lines().filter(|line| line.starts_with('"')).count();
    assert!(lines <= 3, "{text}");
    judged(&subject, &text, |judgement| {
        let judgement = judgement.unwrap();
        assert_eq!(judgement.conclusion(), Conclusion::Pass, "{:?}", problems(judgement));
        assert!(judgement.tally().known >= 20);
    });
    // Another bug is none of it.
    judged(&Planted::new(Some(mutant("accepts a zone"))), &text, |judgement| {
        let judgement = judgement.unwrap();
        assert!(judgement.tally().fail > 0 && judgement.tally().known == 0);
        let problems = problems(judgement);
        assert!(
            problems.iter().any(|one| one.contains("`refuses-ipvfuture` predicts `rejected")),
            "{problems:?}"
        );
    });
}

#[test]
fn what_a_deviation_predicts_wrongly_or_not_at_all_is_reported() {
    let subject = refuses_ipvfuture();
    let baseline = with_deviations("'refuses-ipvfuture', { id = 'refuses-ports-above', limit = 65535 }");
    judged(&subject, &baseline, |judgement| {
        let problems = problems(judgement.unwrap());
        let wrong = problems.iter().find(|one| one.contains("refuses-ports-above")).unwrap();
        assert!(
            wrong.starts_with("7: `refuses-ports-above` predicts `rejected"),
            "{wrong}"
        );
        assert!(wrong.ends_with("delete it, or give it other parameters"), "{wrong}");
    });
    let baseline = with_deviations("'refuses-ipvfuture', 'merges-behind-dot-dot'");
    judged(&subject, &baseline, |judgement| {
        let problems = problems(judgement.unwrap());
        let expected = "7: `merges-behind-dot-dot` predicts nothing that fails: delete it";
        assert!(problems.iter().any(|one| one == expected), "{problems:?}");
    });
}

#[test]
fn a_deviation_that_there_is_not_is_named_with_its_line() {
    let subject = refuses_ipvfuture();
    for (list, expected) in [
        ("'typo'", "baseline.toml:7: the catalogue has no deviation `typo`"),
        (
            "{ id = 'refuses-ports-above' }",
            "baseline.toml:7: the deviation `refuses-ports-above`: missing field `limit`",
        ),
        ("1", "baseline.toml:7: `deviations` is a list of ids"),
        ("", "baseline.toml:7: `deviations` names at least one"),
        (
            "'canonical-ipv6', 'canonical-ipv6'",
            "baseline.toml:7: `canonical-ipv6` stands in line 7 already",
        ),
    ] {
        judged(&subject, &with_deviations(list), |judgement| {
            let error = judgement.err().unwrap();
            assert!(error.contains(expected), "{error}");
        });
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(FILE);
    fs::write(&path, with_deviations("'canonical-ipv6'")).unwrap();
    let error = Gate::of(&subject).suite(None).baseline(path).run(&Library::embedded()).err().unwrap();
    assert!(
        error.contains("of the catalogue of the crate uriproof-deviations, which is not given"),
        "{error}"
    );
}

/// Splits, and does not validate; with a twist of what it reports.
fn splitter(twist: fn(&mut Observed)) -> impl Fn(&Input, Outcome) -> Outcome {
    move |input, outcome| match (input, outcome) {
        (Input::Parse { input, .. }, Outcome::Rejected { .. }) => {
            let split = components(input, UserinfoEnd::FirstAt).map(str::to_owned);
            with_components(Outcome::components(Observed::from(split)), twist)
        }
        (_, outcome) => outcome,
    }
}

#[test]
fn what_a_splitter_accepts_is_counted_and_a_host_that_it_misreads_fails() {
    let plain: Twist = |input, outcome| splitter(|_| ())(input, outcome);
    let misreading: Twist = |input, outcome| {
        splitter(|it| {
            if let Some((_, host)) = it.host.as_defined().and_then(|host| host.split_once('\\')) {
                it.host = Some(host.to_owned()).into();
            }
        })(input, outcome)
    };
    let plain = Planted::with(Some((Operation::Parse, plain)));
    let misreading = Planted::with(Some((Operation::Parse, misreading)));
    let text = written(&plain);
    assert!(text.contains("deviations = ['no-validation']"), "{text}");
    let unvalidated = |judgement: &Judgement<'_>| {
        let reasons = judgement.reasons();
        let of = reasons.iter().find(|(reason, _)| reason.contains(UNVALIDATED));
        of.map(|(_, count)| *count).unwrap_or_default()
    };
    // By the baseline, or declared: the same.
    let by_baseline = judged(&plain, &text, |judgement| {
        let judgement = judgement.unwrap();
        assert_eq!(judgement.conclusion(), Conclusion::Pass, "{:?}", problems(judgement));
        unvalidated(judgement)
    });
    assert!(by_baseline > 1_500, "{by_baseline}");
    let library = Library::embedded();
    let declared = |subject: &Planted| {
        let claimed = Claimed::new(subject as &dyn Subject, None).without_validation(true);
        let judgement = Gate::of(&claimed).suite(None).run(&library).unwrap();
        let failing: Vec<String> = judgement.failures().iter().map(|(vector, _)| vector.input.to_string()).collect();
        (unvalidated(&judgement), failing)
    };
    assert_eq!(declared(&plain).0, by_baseline);
    let (_, failing) = declared(&misreading);
    assert!(
        !failing.is_empty() && failing.iter().all(|input| input.contains('\\')),
        "{failing:?}"
    );
    judged(&misreading, &text, |judgement| {
        let judgement = judgement.unwrap();
        assert!(judgement.tally().fail > 0);
        let of_host = |(_, failure): &(_, &uriproof::gate::Failure)| failure.severity.name() == "host";
        assert!(judgement.failures().iter().all(of_host));
    });
}

/// A draft is found by the command, and a hunt leaves out what it names.
#[test]
fn a_hunt_reports_nothing_that_the_proposed_deviations_predict() {
    let folder = TempDir::new().unwrap();
    let uriproof = program().get_program().to_str().unwrap().to_owned();
    let adapter = format!("{uriproof} serve --subject 'http 1.5.0 Uri::from_str'");
    let run =
        |arguments: &[&str]| run(program().current_dir(folder.path()).args(arguments).args(["--command", &adapter]));
    let proposed = run(&["propose", "--inputs", "2000"]);
    assert_eq!(proposed.status, 0, "{}", proposed.stderr);
    assert!(
        proposed.stdout.starts_with("# A draft of the deviations of http"),
        "{}",
        proposed.stdout
    );
    assert!(proposed.stdout.contains("deviations = ["), "{}", proposed.stdout);
    let head = "uriproof = 1\nsubject = \"http\"\ncompares = 1\n";
    fs::write(folder.path().join("b.toml"), format!("{head}{}", proposed.stdout)).unwrap();
    let classes = |arguments: &[&str]| {
        let done = run(&[&["hunt", "--batches", "2", "--format", "json"], arguments].concat());
        let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap_or_else(|_| panic!("{}", done.stderr));
        json["new"].as_array().unwrap_or_else(|| panic!("{json}")).len()
    };
    let (all, rest) = (classes(&[]), classes(&["--baseline", "b.toml"]));
    assert!(rest < all, "{rest} of {all}: {}", proposed.stdout);
    // The lines of vectors cover the classes of what they accept.
    let written = run(&["check", "--suite", "none", "--baseline", "all.toml", "--write-baseline"]);
    assert_eq!(written.status, 0, "{}", written.stderr);
    let covered = run(&["hunt", "--batches", "2", "--baseline", "all.toml"]);
    assert!(covered.stdout.contains(" in the baseline"), "{}", covered.stdout);
    assert!(classes(&["--baseline", "all.toml"]) < rest, "{}", covered.stdout);
}

/// Two limits explain the same of some answers, until there is one to an input between them.
#[test]
fn a_deviation_that_explains_the_same_is_a_rival() {
    let twist: Twist = |input, outcome| match input {
        Input::Parse { input, .. } if input.ends_with(":70000") || input.ends_with(":100000") => {
            Outcome::rejected("no")
        }
        _ => outcome,
    };
    let planted = Planted::with(Some((Operation::Parse, twist)));
    let rivals = |texts: &[&str]| {
        let parse = |text: &&str| Input::Parse {
            rule: Rule::UriReference,
            input: (*text).to_owned(),
        };
        let results: Vec<_> =
            texts.iter().map(parse).map(|input| uriproof::run::one(&planted, &input, Reading::Rfc3986)).collect();
        let proposed = [serde_json::json!({"id": "refuses-ports-above", "limit": 65535})];
        let rivals = CATALOGUE.rivals(planted.declaration(), &proposed, &results.iter().collect::<Vec<_>>());
        rivals.map_err(|(_, problem)| problem).unwrap().into_iter().map(|rival| rival.sentence).collect::<Vec<_>>()
    };
    let other = "refuses a port above 99999".to_owned();
    let before = rivals(&["//a:1", "//a", "//a:100000"]);
    assert!(before.contains(&other), "{before:?}");
    let after = rivals(&["//a:1", "//a", "//a:100000", "//a:70000"]);
    assert!(!after.contains(&other) && after.len() < before.len(), "{after:?}");
}

/// The reference against a base whose scheme is none of these.
fn unresolved(input: &Input, outcome: Outcome, known: &[&str]) -> Outcome {
    let Input::Resolve { base, reference, .. } = input else {
        unreachable!("it resolves alone")
    };
    let scheme = base.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_unknown = scheme.is_some_and(|scheme| !known.contains(&&*scheme));
    match outcome {
        Outcome::Accepted { .. } if is_unknown && !reference.is_empty() => Outcome::uri(reference.clone()),
        outcome => outcome,
    }
}

/// One that resolves only what it knows, as `urljoin` of Python does, is one line, with the schemes that were put to it. Another scheme that
/// it does not know any more is a failure.
#[test]
fn references_that_come_out_as_they_are_are_one_deviation() {
    let before = Planted::with(Some((Operation::Resolve, |input, outcome| {
        unresolved(input, outcome, &["http", "file"])
    })));
    let after = Planted::with(Some((Operation::Resolve, |input, outcome| {
        unresolved(input, outcome, &["http"])
    })));
    let baseline = written(&before);
    assert!(
        baseline.contains("{ id = 'returns-reference-of-unknown-scheme', schemes = [")
            && !baseline.contains("[entry.vectors]"),
        "{baseline}"
    );
    judged(&before, &baseline, |judgement| {
        let judgement = judgement.unwrap();
        assert!(judgement.failures().is_empty(), "{:?}", judgement.failures());
    });
    judged(&after, &baseline, |judgement| {
        let failures = judgement.unwrap().failures();
        let is_file = |input: &Input| matches!(input, Input::Resolve { base, .. } if base.starts_with("file:"));
        assert!(
            !failures.is_empty() && failures.iter().all(|(vector, _)| is_file(&vector.input)),
            "{failures:?}"
        );
    });
}
