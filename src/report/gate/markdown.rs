//! Markdown, for the summary of a job.

use std::fmt::Write as _;

use uriproof::gate::{Conclusion, Failure, FailureGroup, Judgement};
use uriproof::model::Vector;

use super::super::markup::{cell, code, prose};
use super::{ComparedStandard, Judged, Sheet, expected_cell, got_cell, link, repeats};

/// How many groups of failures of a subject are shown.
const GROUPS: usize = 20;

/// How many failures of a subject are shown in full: a summary has its limit.
const SHOWN: usize = 50;

/// What is wrong most, the verdict, the counts, the groups of failures, the worst first, and what is wrong with the baseline; folded in, the
/// failures by clause.
pub fn markdown(sheet: &Sheet<'_, '_>) -> String {
    let is_by = |standard| !sheet.subjects.is_empty() && sheet.subjects.iter().all(|one| one.standard == standard);
    let heading = match is_by(ComparedStandard::Whatwg) {
        true => "WHATWG URL Standard",
        false => "RFC 3986",
    };
    let worst = sheet.groups();
    let worst = worst.first().map(|worst| format!(": {}", prose(&worst.group.title))).unwrap_or_default();
    let mut text = format!(
        "## {heading}{worst}\n\n| result | subject | agree | fail | known | not compared | not run |\n|---|---|---|---|---|---|---|\n",
    );
    for one in &sheet.subjects {
        let tally = one.judgement.tally();
        let verdict = match one.conclusion() {
            Conclusion::Pass => "pass",
            Conclusion::Fail => "**FAIL**",
            Conclusion::Nothing => "**nothing compared**",
            Conclusion::Broken => "**could not be finished**",
        };
        text += &format!(
            "| {verdict} | {} | {} | {} | {} | {} | {} |\n",
            prose(&one.judgement.subject),
            tally.agree,
            tally.fail,
            tally.known,
            tally.not_compared,
            tally.not_run + tally.survived
        );
        if !one.judgement.suites.is_empty() {
            let suites = tally.suites;
            text += &format!(
                "| | suite inputs | {} | {} | {} | {} | |\n",
                suites.agree, suites.fail, suites.known, suites.not_compared
            );
        }
    }
    for one in &sheet.subjects {
        text += &subject(sheet, one);
    }
    text
}

fn subject(sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>) -> String {
    let judgement = one.judgement;
    let mut text = match sheet.subjects.len() {
        1 => String::new(),
        _ => format!("\n### {}\n", prose(&judgement.subject)),
    };
    if let Some(reason) = &judgement.lost {
        writeln!(text, "\nNot everything was run: {}", code(reason)).expect("writes to a string");
    }
    text += &groups_text(one);
    if !judgement.suites.is_empty() {
        text += "\n<details><summary>The suites</summary>\n\n";
        judgement
            .suites
            .iter()
            .for_each(|suite| writeln!(text, "- {}", prose(&suite.to_string())).expect("writes to a string"));
        text += "\n</details>\n";
    }
    let failures = judgement.failures();
    if !failures.is_empty() {
        let listed = failures_text(sheet, &failures);
        writeln!(
            text,
            "\n<details><summary>The failures by clause</summary>\n{listed}\n</details>"
        )
        .expect("writes to a string");
    }
    for (vector, failure, unrepeated) in judgement.unrepeated() {
        if unrepeated.fresh.is_some() {
            text += &format!(
                "\n{} does not repeat:\n\n```text\n{}```\n",
                prose(&vector.id),
                repeats(failure).replace('`', "'")
            );
        }
    }
    if !judgement.problems.is_empty() {
        text += "\n### The baseline\n\n";
        for problem in &judgement.problems {
            text += &format!(
                "- {}:{}: {}\n",
                prose(&problem.file),
                problem.line,
                prose(&problem.message)
            );
        }
    }
    text += &mixed_choices(judgement);
    let reasons = judgement.reasons();
    if !reasons.is_empty() {
        text += "\n<details><summary>What was not compared</summary>\n\n";
        for (reason, count) in reasons {
            writeln!(text, "- {count} {}", prose(&reason)).expect("writes to a string");
        }
        text += "\n</details>\n";
    }
    text
}

/// The worst groups in a table, and what to do next.
fn groups_text(one: &Judged<'_, '_>) -> String {
    let groups = &one.groups;
    if groups.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n| group | severity | what is wrong | clause | vectors | suite inputs | input | expected | got |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (at, group) in groups.iter().enumerate().take(GROUPS) {
        let (vector, failure) = group.witness();
        text += &format!(
            "| {} | {} | {} | [{}]({}) | {} | {} | {} | {} | {} |\n",
            at + 1,
            group.severity,
            prose(&group.title),
            prose(&group.clause),
            link(&group.clause),
            group.count.vectors,
            group.count.suite_inputs,
            cell(&vector.input.to_string()),
            expected_cell(failure),
            got_cell(failure)
        );
    }
    if let Some(more) = FailureGroup::more(groups.iter().skip(GROUPS)) {
        writeln!(text, "\nand {more}").expect("writes to a string");
    }
    let command = format!("{} --group 1", one.group_command);
    text += &format!(
        "\nNext: {} prints the vectors of group 1, and {} a bug report of it for the library's authors.\n",
        code(&command),
        code(&format!("{command} --format issue"))
    );
    text
}

/// The first failures by clause, each clause with a table.
fn failures_text(sheet: &Sheet<'_, '_>, failures: &[(&Vector, &Failure)]) -> String {
    let mut text = String::new();
    let mut by_clause: Vec<(&str, Vec<&(&Vector, &Failure)>)> = Vec::new();
    for failure in failures.iter().take(SHOWN) {
        let clause = failure.0.clauses.first().map(String::as_str).unwrap_or_default();
        match by_clause.iter_mut().find(|(known, _)| *known == clause) {
            Some((_, failures)) => failures.push(failure),
            None => by_clause.push((clause, vec![failure])),
        }
    }
    for (clause, failures) in by_clause {
        let quote = sheet.library.clause(clause).map(|clause| clause.quote.as_str()).unwrap_or_default();
        text += &format!(
            "\n### [{}]({})\n\n> {}\n\n| severity | vector | input | expected | got |\n|---|---|---|---|---|\n",
            prose(clause),
            link(clause),
            prose(quote)
        );
        for (vector, failure) in failures {
            text += &format!(
                "| {} | {} | {} | {} | {} |\n",
                failure.severity,
                prose(&vector.id),
                cell(&vector.input.to_string()),
                expected_cell(failure),
                got_cell(failure)
            );
        }
    }
    if failures.len() > SHOWN {
        writeln!(text, "\nand {} more", failures.len() - SHOWN).expect("writes to a string");
    }
    text
}

fn mixed_choices(judgement: &Judgement<'_>) -> String {
    let mixed = judgement.mixed_choices();
    if mixed.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n### Mixed choices\n\nEach answer conforms, but no single choice fits all. This is a note, not a failure.\n\n\
         | choices | departs |\n|---|---|\n",
    );
    for choices in mixed {
        let departing = choices.departing().map(|same| format!("{}: {}", same.names(), same.vectors.join(", ")));
        let departing: Vec<String> = departing.collect();
        text += &format!(
            "| {} | {} |\n",
            prose(&choices.to_string()),
            prose(&departing.join("; "))
        );
    }
    text
}
