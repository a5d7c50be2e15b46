//! The failures of one mistake are one group, with a title that says what is wrong.

use rayon::prelude::*;
use uriproof::gate::{FailureCount, Gate, Judgement};
use uriproof::model::{Input, Observed, Operation, Outcome, Rule};
use uriproof::severity::Severity;
use uriproof::split::{UserinfoEnd, components};
use uriproof::vectors::Library;

use crate::mutants::{Planted, Twist, mutants, with_components};
use crate::process::{program, run};

/// What the gate says of a planted bug, without suites.
fn judged<T>(planted: &Planted, look: impl FnOnce(&Judgement<'_>) -> T) -> T {
    let library = Library::embedded();
    look(&Gate::of(planted).suite(None).run(&library).unwrap())
}

/// The texts of an input that are URIs.
fn uris(input: &Input) -> Vec<String> {
    let texts: Vec<&String> = match input {
        Input::Parse { input, .. } => vec![input],
        Input::Resolve { base, reference, .. } => vec![base, reference],
        Input::Normalize { uri, .. } | Input::Modify { uri, .. } | Input::RoundTrip { uri } => vec![uri],
        Input::Equivalent { left, right, .. } | Input::Contract { left, right } => vec![left, right],
        Input::Relativize { base, target } => vec![base, target],
        Input::Compose { .. } => Vec::new(),
    };
    texts.into_iter().cloned().collect()
}

#[test]
fn a_parser_that_refuses_ipvfuture_is_one_group_in_all_operations() {
    let twist: Twist = |input, outcome| {
        let is_rule = matches!(
            input,
            Input::Parse {
                rule: Rule::IpvFuture,
                ..
            }
        );
        match is_rule || uris(input).iter().any(|uri| uri.contains("[v") || uri.contains("[V")) {
            true => Outcome::rejected("no such address"),
            false => outcome,
        }
    };
    judged(&Planted::everywhere(twist), |judgement| {
        let groups = judgement.groups();
        let lines: Vec<Vec<String>> =
            groups.iter().map(|group| group.lines(1).all().map(str::to_owned).collect()).collect();
        assert_eq!(groups.len(), 1, "{lines:#?}");
        assert_eq!(groups[0].failures.len(), judgement.failures().len());
        assert!(groups[0].operations().len() > 2, "{lines:#?}");
        assert_eq!(
            lines[0].join("\n"),
            "1.  rejected-valid    refuses an IPvFuture address                    53 vectors\n    \
             §3.2.2/IPvFuture, must; parse, normalize, round-trip\n    \
             \"//[v1.a]\": expected accepted, got rejected: no such address"
        );
    });
}

/// A library that splits and does not validate, and finds no host in a number.
#[test]
fn the_one_mistake_of_a_splitter_comes_before_what_it_does_not_validate() {
    let twist: Twist = |input, outcome| {
        let Input::Parse { input, .. } = input else {
            unreachable!("it parses alone")
        };
        let is_number = |host: &String| !host.is_empty() && host.bytes().all(|octet| octet.is_ascii_digit());
        match outcome {
            Outcome::Rejected { .. } => {
                let split = components(input, UserinfoEnd::FirstAt).map(str::to_owned);
                Outcome::components(Observed::from(split))
            }
            outcome => with_components(outcome, |found| {
                if found.host.as_defined().is_some_and(is_number) {
                    found.host = Some(String::new()).into();
                }
            }),
        }
    };
    let planted = Planted::with(Some((Operation::Parse, twist)));
    judged(&planted, |judgement| {
        let groups = judgement.groups();
        let titles: Vec<&str> = groups.iter().map(|group| &*group.title).collect();
        assert_eq!(titles[1..], ["accepts a string that is invalid"]);
        assert_eq!(groups[0].severity, Severity::Host);
        assert!(titles[0].starts_with("reads another host"), "{titles:?}");
        assert!(groups[0].failures.len() < 10 && groups[1].failures.len() > 1500);
    });
}

/// A library that resolves only against the schemes that it knows, whatever form base and reference have.
#[test]
fn a_reference_that_comes_out_as_it_is_is_one_group() {
    let twist: Twist = |input, outcome| {
        let Input::Resolve { base, reference, .. } = input else {
            unreachable!("it resolves alone")
        };
        let is_known = ["http:", "https:", "ftp:", "file:"].iter().any(|scheme| base.starts_with(scheme));
        match outcome {
            Outcome::Accepted { .. } if !is_known => Outcome::uri(reference.clone()),
            outcome => outcome,
        }
    };
    judged(&Planted::with(Some((Operation::Resolve, twist))), |judgement| {
        let groups = judgement.groups();
        let titles: Vec<(&str, usize)> = groups.iter().map(|group| (&*group.title, group.failures.len())).collect();
        let [(title, _)] = &titles[..] else {
            panic!("{titles:?}")
        };
        assert!(title.starts_with("returns the reference as it is"), "{titles:?}");
    });
}

/// One bug is one failure. Where it is several, what they have in common does not show in the inputs.
#[test]
fn a_planted_bug_has_few_groups() {
    let all: Vec<_> = mutants().collect();
    let counted: Vec<(usize, &str)> = all
        .par_iter()
        .map(|mutant| {
            judged(&Planted::new(Some(mutant)), |judgement| {
                (judgement.groups().len(), mutant.name)
            })
        })
        .collect();
    let with_more = |than: usize| counted.iter().filter(|(groups, _)| *groups > than).collect::<Vec<_>>();
    let share = 100 * (counted.len() - with_more(1).len()) / counted.len();
    println!(
        "{share} % of {} have one group; with more than two: {:?}",
        counted.len(),
        with_more(2)
    );
    assert!(counted.iter().all(|(groups, _)| *groups > 0));
    assert!(share >= 70, "{share} % have one group");
    assert_eq!(with_more(4), Vec::<&(usize, &str)>::new());
}

#[test]
fn the_groups_of_a_judgement_hold_each_failure_once() {
    for mutant in mutants().step_by(7) {
        judged(&Planted::new(Some(mutant)), |judgement| {
            let groups = judgement.groups();
            let of_groups = groups.iter().flat_map(|group| &group.failures).map(|(vector, _)| &*vector.id);
            let mut of_groups: Vec<&str> = of_groups.collect();
            let mut all: Vec<&str> = judgement.failures().iter().map(|(vector, _)| &*vector.id).collect();
            of_groups.sort_unstable();
            all.sort_unstable();
            assert_eq!(of_groups, all, "{}", mutant.name);
            let count: FailureCount = groups.iter().map(|group| group.count).sum();
            assert_eq!(count, judgement.tally().failing(), "{}", mutant.name);
            for group in &groups {
                let lines = group.lines(99);
                assert!(lines.all().all(|line| line.chars().count() <= 80), "{lines:#?}");
            }
        });
    }
}

/// What a busy person sees first: a screen of 24 lines and 80 columns.
#[test]
fn the_first_screen_of_a_check_is_a_screen() {
    for (subject, status) in [("url", 1), ("fluent-uri 0.4.1 UriRef::parse", 1), ("reference", 0)] {
        let done = run(program().args(["check", "--subject", subject]));
        assert_eq!(done.status, status, "{}", done.stderr);
        let lines: Vec<&str> = done.stdout.lines().collect();
        assert!(lines.len() <= if status == 0 { 1 } else { 24 }, "{}", done.stdout);
        assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", done.stdout);
    }
}

#[test]
fn a_check_of_everything_needs_a_selection() {
    let done = run(program().arg("check"));
    assert_eq!(done.status, 2, "{}", done.stdout);
    assert!(done.stderr.contains("--subject '*' runs them all"), "{}", done.stderr);
}

#[test]
fn a_group_is_shown_whole_and_sent_upstream() {
    let check =
        |arguments: &[&str]| run(program().args(["check", "--subject", "rhymuri", "--suite", "none"]).args(arguments));
    let screen = check(&[]);
    let of_group = check(&["--group", "1"]);
    let title = screen.stdout.lines().find(|line| line.starts_with("1. ")).expect("a group");
    assert!(of_group.stdout.contains(title), "{}", of_group.stdout);
    assert!(
        of_group.stdout.contains("      again     uriproof check "),
        "{}",
        of_group.stdout
    );
    assert!(!of_group.stdout.contains("\n2. "), "{}", of_group.stdout);
    let issue = check(&["--group", "1", "--format", "issue"]);
    for expected in [
        "# rhymuri 1.3.1 Uri::parse ",
        "\nWhy it matters: ",
        "| input | expected | got |",
        "To see it again: `uriproof check ",
    ] {
        assert!(issue.stdout.contains(expected), "{expected} is not in {}", issue.stdout);
    }
    // The table begins with the input that the text begins with.
    let (_, named) = issue.stdout.split_once("For `").unwrap();
    let (named, _) = named.split_once('`').unwrap();
    let (_, rows) = issue.stdout.split_once("|---|---|---|\n").unwrap();
    assert!(rows.lines().next().unwrap().contains(named), "{}", issue.stdout);
    let done = check(&["--group", "1000"]);
    assert_eq!(done.status, 2);
    assert!(done.stderr.contains("and none with the number 1000"), "{}", done.stderr);
}

/// What is seldom counted has one line below the verdicts.
#[test]
fn the_table_of_several_entry_points_counts_what_only_survived() {
    let flags = ["--subject", "oxiri", "--subject", "uriparse", "--specification", "http"];
    let done = run(program().args(["check", "--suite", "none", "--only", "syntax/port/*"]).args(flags));
    let below: Vec<&str> = done.stdout.lines().filter(|line| line.ends_with(" survived only")).collect();
    assert_eq!(below, ["        60 survived only"], "{}", done.stdout);
}

/// Several entry points have one table, of which a row is what is wrong in any of them.
#[test]
fn what_is_wrong_in_several_entry_points_is_one_group() {
    let check = |arguments: &[&str]| run(program().args(["check", "--suite", "none"]).args(arguments));
    let iri_string = ["--subject", "iri-string"];
    let screen = check(&iri_string);
    let title = "accepts any character in path when it composes";
    assert_eq!(screen.stdout.matches(title).count(), 1, "{}", screen.stdout);
    assert!(
        screen.stdout.contains("\n    in 5 of 6: UriReferenceStr::new, "),
        "{}",
        screen.stdout
    );
    let numbers = screen.stdout.lines().filter_map(|line| line.split_once(".  ")?.0.parse::<usize>().ok());
    assert_eq!(numbers.collect::<Vec<_>>(), [1, 2], "{}", screen.stdout);
    // The numbers are those of the table, also where a group is not in the first entry point.
    for (number, entry_points) in [("1", 5), ("2", 3)] {
        let head = screen.stdout.lines().find(|line| line.starts_with(&format!("{number}.  "))).unwrap();
        let of_group = check(&[&iri_string[..], &["--group", number]].concat());
        assert!(of_group.stdout.contains(head), "{head} is not in {}", of_group.stdout);
        let labels = of_group.stdout.lines().filter(|line| line.starts_with("iri-string 0.7.14 "));
        assert_eq!(labels.count(), entry_points, "{}", of_group.stdout);
        let issue = check(&[&iri_string[..], &["--group", number, "--format", "issue"]].concat());
        let title = head.split("  ").map(str::trim).filter(|part| !part.is_empty()).nth(2).unwrap();
        let first = issue.stdout.lines().next().unwrap();
        assert!(
            first.starts_with("# iri-string 0.7.14 ") && first.contains(title),
            "{first}: {title}"
        );
        let same = issue.stdout.lines().find(|line| line.starts_with("The same is wrong in ")).unwrap();
        assert_eq!(same.matches("iri-string 0.7.14 ").count(), entry_points - 1, "{same}");
    }
    let done = check(&[&iri_string[..], &["--group", "3"]].concat());
    assert!(
        done.stderr.contains("6 entry points have 2 groups of failures, and none with the number 3"),
        "{}",
        done.stderr
    );
}

#[test]
fn the_first_screen_of_several_entry_points_is_a_screen() {
    for subjects in [&["iri-string", "rhymuri"][..], &["url", "http"], &["*"]] {
        let flags = subjects.iter().flat_map(|subject| ["--subject", subject]);
        let done = run(program().args(["check", "--suite", "none", "--only", "syntax/*"]).args(flags));
        assert_eq!(done.status, 1, "{}", done.stderr);
        let lines: Vec<&str> = done.stdout.lines().collect();
        let is_screen = lines.len() <= 24 && lines.iter().all(|line| line.chars().count() <= 80);
        assert!(
            is_screen && lines.iter().any(|line| line.starts_with("1.  ")),
            "{}",
            done.stdout
        );
        assert!(done.stdout.contains("--groups every group, one --subject or --command alone its own"));
        // The verdict on each, or how many more there are.
        let is_verdict = |line: &&&str| line.starts_with("FAIL  ") || line.starts_with("pass  ");
        let verdicts = lines.iter().filter(is_verdict).count();
        let more = lines.iter().find(|line| line.contains(" more entry points: "));
        assert_eq!(verdicts < 8 && more.is_some(), subjects == ["*"], "{}", done.stdout);
    }
}
