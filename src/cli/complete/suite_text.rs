//! What came of the strings that were put to subjects, as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use uriproof::compare::DifferenceKind;
use uriproof::model::{OneLine, Outcome};
use uriproof_lab::complete::{Certificate, by_earners};

use super::suite_row::{ClusterRow, LengthRow, PredictionRow, SuiteRow};
use crate::cli::columns::short;
use crate::cli::{WIDTH, in_brackets};
use crate::report::shell;

const GOOD: Style = AnsiColor::Green.on_default().bold();

const BAD: Style = AnsiColor::Red.on_default().bold();

const FAINT: Style = Style::new().dimmed();

const HEAD: Style = Style::new().bold();

/// How many kinds of divergences of a subject are printed without `--all`.
const SHOWN: usize = 10;

pub(super) fn human(rows: &[SuiteRow], all: bool) -> String {
    let width = rows.iter().map(|row| row.subject.len()).max().unwrap_or_default();
    let mut text: String = rows.iter().map(|row| row_text(row, width, all)).collect();
    if let [one] = rows {
        text += &next(one);
    }
    let earned = rows.iter().map(|row| (&*row.subject, &*row.certificates));
    let mut classes: Option<&[String]> = None;
    for (certificates, earners) in by_earners(earned) {
        writeln!(text, "\n{HEAD}What a pass means{HEAD:#}, for {}", earners.join(", ")).expect("writes to a string");
        for certificate in certificates {
            text += &certificate_text(certificate, classes == Some(&certificate.classes));
            classes = Some(&certificate.classes);
        }
    }
    text
}

/// How to see why the shortest string is valid or invalid.
fn next(row: &SuiteRow) -> String {
    let rule = match row.rule {
        "URI-reference" => String::new(),
        rule => format!(" --rule {rule}"),
    };
    let first = row.clusters.first().map(|cluster| shell::quoted(&cluster.witness));
    first.map_or_else(String::new, |witness| {
        format!("next: `uriproof explain{rule} -- {witness}` names the rule and the clause\n")
    })
}

/// The verdict on a subject, and what is behind it; its name is as wide as those of the others.
fn row_text(row: &SuiteRow, width: usize, all: bool) -> String {
    let mut text = String::new();
    let not_compared = row.valid.not_compared + row.invalid.not_compared;
    // What was not compared has not passed.
    let (style, verdict) = match (row.is_unexpected(), row.compared(), not_compared) {
        (true, ..) => (BAD, "FAIL"),
        (false, 0, _) => (BAD, "none"),
        (false, _, 0) if row.stopped.is_none() => (GOOD, "pass"),
        (false, ..) => (FAINT, "part"),
    };
    let counts = counts(row);
    text += &match found(row).as_slice() {
        // The counts of several stand below each other where there is room.
        [] if "pass    ".len() + width + counts.len() <= WIDTH => {
            format!("{style}{verdict}{style:#}  {:width$}  ", row.subject)
        }
        [] => format!("{style}{verdict}{style:#}  {}\n      ", row.subject),
        // Of one kind, the words stand beside the name if they fit there.
        [(words, example)] if "FAIL  : ,".len() + row.subject.len() + words.len() <= WIDTH => {
            format!(
                "{style}{verdict}{style:#}  {}: {words},\n      {example}\n      ",
                row.subject
            )
        }
        several => {
            let lines: String = several.iter().map(in_lines).collect();
            format!("{style}{verdict}{style:#}  {}\n{lines}      ", row.subject)
        }
    };
    writeln!(text, "{counts}").expect("writes to a string");
    if let Some(stopped) = &row.stopped {
        writeln!(text, "      {BAD}{stopped}{BAD:#}").expect("writes to a string");
    }
    for LengthRow {
        length,
        subject,
        machine,
    } in row.accepted.iter().flatten().filter(|counts| counts.subject.to_string() != counts.machine)
    {
        text += &format!("      of length {length} it accepts {subject} strings, the machine {machine}\n");
    }
    if let Some(predictions) = row.predictions.as_ref().filter(|_| row.diverge() > 0) {
        text += &predictions_text(predictions, row.diverge());
    }
    text += &clusters_text(&row.clusters, all);
    for unrepeated in &row.unrepeated {
        writeln!(text, "      does not repeat: {}", unrepeated.input).expect("writes to a string");
        for (head, words) in unrepeated.lines() {
            writeln!(text, "        {head:9} {words}").expect("writes to a string");
        }
    }
    for (reason, count) in &row.not_compared {
        text += &format!(
            "      {FAINT}{count} strings not compared: {}{FAINT:#}\n",
            OneLine(reason)
        );
    }
    text
}

/// How many valid and invalid strings agree, of how many.
fn counts(row: &SuiteRow) -> String {
    format!(
        "{:13}  valid {}/{}  invalid {}/{}{}  {}",
        row.rule,
        row.valid.agree,
        row.valid.asked,
        row.invalid.agree,
        row.invalid.asked,
        not_put(row),
        row.language,
    )
}

/// What was found and an example, on one line or two.
fn in_lines((words, example): &(String, String)) -> String {
    let line = format!("      {words}, {example}\n");
    match line.len() <= WIDTH + 1 {
        true => line,
        false => format!("      {words},\n        {example}\n"),
    }
}

/// What was found, in plain words, with an example: `refuses 7 strings that RFC 3986 accepts` and `for example "//[v1.a]"`.
fn found(row: &SuiteRow) -> Vec<(String, String)> {
    let mut of_each: BTreeMap<DifferenceKind, (u64, &str)> = BTreeMap::new();
    for cluster in &row.clusters {
        // The first has the shortest string.
        of_each.entry(cluster.kind).or_insert((0, &cluster.witness)).0 += cluster.count;
    }
    let found = of_each.into_iter().map(|(kind, (count, witness))| {
        let strings = if count == 1 { "string" } else { "strings" };
        let words = match kind {
            DifferenceKind::RejectedValid => format!("refuses {count} {strings} that {} accepts", row.language),
            DifferenceKind::AcceptedInvalid => format!("accepts {count} {strings} that {} refuses", row.language),
            DifferenceKind::Crashed => format!("crashes on {count} {strings}"),
            DifferenceKind::TimedOut => format!("does not answer {count} {strings} in time"),
            _ => format!("reads {count} {strings} differently than {}", row.language),
        };
        let special = in_brackets(witness);
        (words, format!("for example {}{special}", short(witness)))
    });
    found.collect()
}

/// How many divergences the profile predicts, and the shortest string of those that it does not.
pub(super) fn predictions_text(predictions: &PredictionRow, diverge: u64) -> String {
    let predicted = predictions.predicted;
    let mut text = format!("      its profile in the ledger predicts {predicted} of {diverge} divergences\n");
    if let Some(unpredicted) = &predictions.unpredicted {
        text += &format!(
            "      {BAD}not predicted{BAD:#}            {:7} {}, shortest {}  {}",
            unpredicted.count,
            if unpredicted.count == 1 { "string" } else { "strings" },
            short(&unpredicted.witness),
            unpredicted.outcome,
        );
        if let Some(other) = &unpredicted.predicted {
            text += &format!("; predicted: {other}");
        }
        text.push('\n');
    }
    text
}

/// The divergences: those of one kind, with one reason and alike in what is special about the string on one line, without the states; with
/// `all`, each cluster.
fn clusters_text(clusters: &[ClusterRow], all: bool) -> String {
    // What is accepted has no reason: each string has components of its own.
    let reason = |row: &ClusterRow| (!matches!(row.outcome, Outcome::Accepted { .. })).then(|| row.outcome.to_string());
    let mut alike: Vec<(&ClusterRow, u64, String)> = Vec::new();
    for cluster in clusters {
        let special = in_brackets(&cluster.witness);
        let known = alike.iter_mut().find(|(known, _, of_known)| {
            !all && known.difference == cluster.difference && *of_known == special && reason(known) == reason(cluster)
        });
        match known {
            Some((_, count, _)) => *count += cluster.count,
            None => alike.push((cluster, cluster.count, special)),
        }
    }
    let shown = if all { alike.len() } else { alike.len().min(SHOWN) };
    let mut text = String::new();
    for (cluster, count, special) in &alike[..shown] {
        let states = if all {
            format!("; {}", cluster.states)
        } else {
            String::new()
        };
        text += &format!(
            "      {:24} {count:7} {}, shortest {}{special}\n        {FAINT}{}{states}{FAINT:#}\n",
            cluster.difference,
            if *count == 1 { "string" } else { "strings" },
            short(&cluster.witness),
            cluster.outcome,
        );
    }
    if shown < alike.len() {
        let hidden = alike.len() - shown;
        text += &format!("      {FAINT}and {hidden} more; --all shows them, with the states of the machine{FAINT:#}\n");
    }
    text
}

/// The certificate; `same_classes` are not said again.
fn certificate_text(certificate: &Certificate, same_classes: bool) -> String {
    let name = &certificate.machine;
    let mut text = format!(
        "\n{} of {}: {}\n  strings     {} in all\n  machine     {} states, {} classes, {}\n",
        certificate.rule,
        certificate.language,
        certificate.method,
        certificate.strings,
        name.states,
        name.classes,
        name.hash
    );
    let classes = if same_classes {
        "as above".to_owned()
    } else {
        certificate.classes.join("  ")
    };
    writeln!(text, "  classes     {classes}").expect("writes to a string");
    writeln!(text, "  proves      {}", certificate.proves).expect("writes to a string");
    for (head, lines) in [
        ("assumes", &certificate.assumes),
        ("not proved", &certificate.does_not_mean),
    ] {
        for line in lines {
            writeln!(text, "  {head:10}  {line}").expect("writes to a string");
        }
    }
    text
}

fn not_put(row: &SuiteRow) -> String {
    let mut text = String::new();
    let not_compared = row.valid.not_compared + row.invalid.not_compared;
    if not_compared > 0 {
        write!(text, "  not compared {not_compared}").expect("writes to a string");
    }
    text
}
