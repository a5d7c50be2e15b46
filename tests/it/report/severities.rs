//! A deviation has one title and one severity, on the page of its crate and in `check`.

use std::collections::BTreeMap;

use rayon::prelude::*;
use uriproof::severity::Severity;
use uriproof_cli::report::causes::{Crate, crates};
use uriproof_cli::report::model::SubjectRun;

use super::RUN;
use crate::process::{program, run};

/// The titles of the groups of all entry points of a crate, each as `check` has it: `severity: title; clause, ...`.
fn groups(label: &str) -> Vec<String> {
    let check = ["check", "--suite", "none", "--format", "junit", "--subject"];
    let done = run(program().args(check).arg(format!("{label} *")));
    let values =
        done.stdout.lines().filter_map(|line| line.split_once("<property name=\"group ")?.1.split_once("value=\""));
    let escapes = [
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ];
    let unescaped =
        |text: &str| escapes.iter().fold(text.to_owned(), |text, (escape, plain)| text.replace(escape, plain));
    values.map(|(_, value)| unescaped(value)).collect()
}

/// The severity of each deviation on the page of a crate.
fn of_page(one: &Crate<'_, '_>) -> BTreeMap<String, Severity> {
    let deviations = one.ways().filter(|way| way.is_deviation);
    deviations.map(|way| (way.name.clone(), way.severity)).collect()
}

#[test]
fn a_deviation_has_the_severity_of_its_page_in_a_check() {
    let crates = crates(&RUN);
    let problems: Vec<(usize, Vec<String>)> = crates
        .par_iter()
        .filter(|one| one.ways().any(|way| way.is_deviation))
        .map(|one| {
            let groups = groups(&one.label());
            let (mut compared, mut problems) = (0, Vec::new());
            for (title, severity) in of_page(one) {
                let of_title = |group: &&String| {
                    group.split_once(": ").is_some_and(|(_, rest)| rest.starts_with(&format!("{title}; ")))
                };
                let named = groups
                    .iter()
                    .filter(of_title)
                    .filter_map(|group| Severity::ALL.into_iter().find(|one| group.starts_with(&format!("{one}: "))));
                let Some(worst) = named.reduce(Severity::min_by_urgency) else {
                    continue;
                };
                compared += 1;
                if worst != severity {
                    problems.push(format!(
                        "{}: {title}: {severity} on its page, {worst} in a check",
                        one.label()
                    ));
                }
            }
            (compared, problems)
        })
        .collect();
    let compared: usize = problems.iter().map(|(compared, _)| compared).sum();
    let problems: Vec<&String> = problems.iter().flat_map(|(_, problems)| problems).collect();
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(compared > 80, "{compared} deviations are in both");
}

/// The smallest input of a deviation shows the severity that stands beside it.
#[test]
fn a_witness_shows_its_severity() {
    let of_subject = |subject: &SubjectRun<'_>| {
        let deviations = subject.ways.iter().filter(|shown| shown.class().is_none());
        let milder = deviations.filter_map(|shown| {
            let severity = Severity::of(&shown.witness)?;
            let text = format!(
                "{}: {}: {}: {severity}",
                subject.declaration, shown.name, shown.witness.input
            );
            (severity != shown.severity).then(|| format!("{text}, and not {}", shown.severity))
        });
        milder.collect::<Vec<_>>()
    };
    let milder: Vec<String> = RUN.subjects.iter().flat_map(of_subject).collect();
    assert!(milder.is_empty(), "{milder:#?}");
}
