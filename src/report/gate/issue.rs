//! A group of failures as a text in Markdown that can be sent to a library's authors.

use std::fmt::Write as _;

use uriproof::compare::DifferenceKind;
use uriproof::gate::{FailureGroup, SharedGroup};

use super::super::markup::{cell, code, prose};
use super::{ComparedStandard, Judged, Sheet, expected_cell, got, got_cell, link};

/// How many inputs are shown.
const SHOWN: usize = 10;

/// The texts about a group, one for each library in which it shows: about its entry point with the worst witness, which names the others.
pub fn issues(sheet: &Sheet<'_, '_>, shared: &SharedGroup<'_>) -> String {
    let (first, _) = shared.group.witness();
    let mut libraries: Vec<(&str, Vec<(&Judged<'_, '_>, &FailureGroup<'_>)>)> = Vec::new();
    for &(subject, group) in &shared.places {
        let one = &sheet.subjects[subject];
        let name = &*one.judgement.name;
        match libraries.iter_mut().find(|(known, _)| *known == name) {
            Some((_, entry_points)) => entry_points.push((one, &one.groups[group])),
            None => libraries.push((name, vec![(one, &one.groups[group])])),
        }
    }
    let texts = libraries.iter().map(|(_, entry_points)| {
        let has_first = |(_, group): &&(&Judged<'_, '_>, &FailureGroup<'_>)| group.witness().0.id == first.id;
        let (one, group) = entry_points.iter().find(has_first).unwrap_or(&entry_points[0]);
        let others = entry_points.iter().map(|(other, _)| &*other.judgement.subject);
        let others: Vec<String> = others.filter(|label| *label != one.judgement.subject).map(prose).collect();
        let also = match &others[..] {
            [] => String::new(),
            others => format!("\nThe same is wrong in {}.\n", others.join(", ")),
        };
        issue(sheet, one, group) + &also
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// What the severity of a group means, without what it means of invalid inputs if none is accepted.
fn why(group: &FailureGroup<'_>) -> String {
    let rule = group.severity.rule();
    let accepts_invalid = group.failures.iter().any(|(_, failure)| failure.kind == DifferenceKind::AcceptedInvalid);
    let parts = rule.split_once(" (of an invalid input").filter(|_| !accepts_invalid);
    match parts.and_then(|(before, rest)| Some((before, rest.split_once(')')?.1))) {
        Some((before, after)) => format!("{before}{after}"),
        None => rule.to_owned(),
    }
}

/// The text about a group: what is wrong, the words of the RFC, the shortest inputs, and how to run them again.
fn issue(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>, group: &FailureGroup<'_>) -> String {
    let (witness, failure) = group.witness();
    let id = &*group.clause;
    let mut text = format!(
        "# {} {}\n\nFor {}, {} expects {}, and {} does: {}.\n",
        prose(&one.judgement.subject),
        prose(&group.title),
        code(&witness.input.to_string()),
        one.standard.name(),
        prose(&failure.expected),
        prose(&one.judgement.subject),
        prose(&got(failure)),
    );
    let clause = match one.standard {
        ComparedStandard::Rfc3986 => sheet.library.clause(id),
        // Of an RFC 3986 vector's clause the standard says nothing.
        ComparedStandard::Whatwg => sheet.library.whatwg.clauses.iter().find(|clause| clause.id == id),
    };
    if let Some(clause) = clause {
        write!(
            text,
            "\n[{} {}]({}):\n\n> {}\n",
            one.standard.name(),
            prose(id),
            link(id),
            prose(&clause.quote)
        )
        .expect("writes to a string");
    }
    if let Some(note) = witness.note.as_ref().filter(|_| one.standard == ComparedStandard::Rfc3986) {
        write!(text, "\n{}\n", prose(note)).expect("writes to a string");
    }
    write!(
        text,
        "\nWhy it matters: {} ({}).\n\n| input | expected | got |\n|---|---|---|\n",
        prose(&why(group)),
        group.severity
    )
    .expect("writes to a string");
    let mut failures = group.failures.clone();
    // The first is the one that the text begins with.
    failures.sort_by_key(|(vector, _)| (vector.id != witness.id, vector.input.size(), vector.input.operation()));
    for (vector, failure) in failures.iter().take(SHOWN) {
        let input = format!("{} {}", vector.input.operation(), vector.input);
        writeln!(
            text,
            "| {} | {} | {} |",
            cell(&input),
            expected_cell(failure),
            got_cell(failure)
        )
        .expect("writes to a string");
    }
    if failures.len() > SHOWN {
        writeln!(text, "\nand {} more like these.", failures.len() - SHOWN).expect("writes to a string");
    }
    write!(text, "\nTo see it again: {}\n", code(&one.again(witness))).expect("writes to a string");
    text
}
