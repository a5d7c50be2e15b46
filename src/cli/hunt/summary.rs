//! Prints what a hunt found.

use std::fmt::Write as _;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use uriproof::gate::Claim;
use uriproof::model::{Input, Json, Rule, Subject};
use uriproof::repeat::Unrepeated;
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_lab::answers::AnswerCheck;
use uriproof_lab::divergence::fingerprint::Class;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::ready::ready_vector;

use super::state::HuntState;
use super::unpredicted::UnpredictedAnswer;
use super::{Arguments, ClassesMet};
use crate::cli::command::SelectedSubjects;
use crate::cli::{WIDTH, answers, in_lines, ledger};
use crate::report::shell;

const GOOD: Style = AnsiColor::Green.on_default().bold();

const BAD: Style = AnsiColor::Red.on_default().bold();

pub(super) struct HuntSummary<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) state: &'a HuntState,
    pub(super) selected: &'a SelectedSubjects,
    pub(super) answers: &'a AnswerCheck,
    pub(super) classes: &'a ClassesMet<'a>,
    pub(super) open: &'a [(&'a dyn Subject, Class)],
    pub(super) unpredicted: &'a [UnpredictedAnswer],
    pub(super) inputs: u64,
    pub(super) elapsed: Duration,
}

pub(super) fn human(summary: &HuntSummary<'_>) -> String {
    let mut text = answers::human(summary.answers);
    text += &summary.unpredicted.iter().map(UnpredictedAnswer::human).collect::<String>();
    text += &classes(summary);
    for (label, unrepeated) in &summary.state.totals.unrepeated {
        text += &unrepeated_text(label, unrepeated);
    }
    text + &counts(summary) + &answers::not_stored(summary.answers) + &next(summary)
}

/// The new classes, then what is ready to be added for them.
fn classes(summary: &HuntSummary<'_>) -> String {
    let found = shared(&summary.classes.new);
    let open = shared(summary.open);
    let mut text: String = found.iter().map(|(class, subjects)| news(class, subjects) + "\n").collect();
    for (class, subjects) in &open {
        text += &(news(class, subjects) + "  time was up before the input was made small\n\n");
    }
    // With one class they are below it.
    if found.len() + open.len() == 1 {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let library = Library::embedded();
    for (class, subjects) in found.iter().chain(&open) {
        if found.len() + open.len() > 1 {
            writeln!(text, "{}", class.fingerprint).expect("writes to a string");
        }
        text += &(ready(class, subjects, summary.selected, &library) + "\n");
    }
    text
}

/// How much was put to the subjects, and what came of it.
fn counts(summary: &HuntSummary<'_>) -> String {
    let totals = &summary.state.totals;
    // A hunt that goes on has done some before.
    let in_all = match totals.inputs == summary.inputs {
        true => String::new(),
        false => format!(" ({} in all)", totals.inputs),
    };
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "{words}").expect("writes to a string");
    // What deviations and crashes of a baseline say is not compared.
    let not_compared = match summary.arguments.baseline.is_some() {
        true => "not compared or as the baseline says",
        false => "not compared",
    };
    let answered = format!(
        "{} inputs in {:.0} s from seed {}{in_all}: {} answers, {} diverged, {} {not_compared}",
        summary.inputs,
        summary.elapsed.as_secs_f64(),
        summary.arguments.seed,
        totals.answers,
        totals.diverged,
        totals.not_compared
    );
    line(in_lines(&answered, "", "  ", Style::new()).trim_end().to_owned());
    predictions(summary).into_iter().for_each(&mut line);
    if totals.passed_over > 0 {
        line(format!(
            "{} times an input was passed over: others that are written alike have killed the command",
            totals.passed_over
        ));
    }
    let unrepeated = totals.unrepeated.len() as u64 + totals.more_unrepeated;
    if unrepeated > 0 {
        line(format!("{BAD}{unrepeated} answers that diverged do not repeat{BAD:#}"));
    }
    if !summary.open.is_empty() {
        let noun = if summary.open.len() == 1 {
            "divergence"
        } else {
            "divergences"
        };
        line(format!(
            "{BAD}{} {noun} not made small in time{BAD:#}",
            summary.open.len()
        ));
    }
    line(classes_line(summary));
    text
}

/// What to do next about the first class: the rule that decides, where it is a string that is parsed.
fn next(summary: &HuntSummary<'_>) -> String {
    let first = shared(&summary.classes.new).first().map(|(class, _)| class.witness.input.clone());
    let is_by_whatwg = summary.selected.is_by_whatwg();
    match first {
        Some(Input::Parse { input, .. }) if is_by_whatwg => format!(
            "next: `uriproof explain --specification whatwg -- {}` shows the states\n",
            shell::quoted(&input)
        ),
        Some(_) if is_by_whatwg => {
            "next: `uriproof explain --specification whatwg` with the input shows the states\n".to_owned()
        }
        Some(Input::Parse { rule, input }) => {
            let rule = match rule {
                Rule::UriReference => String::new(),
                rule => format!(" --rule {rule}"),
            };
            let command = format!("`uriproof explain{rule} -- {}`", shell::quoted(&input));
            let line = format!("next: {command} names the rule and the clause\n");
            match line.chars().count() <= WIDTH + 1 {
                true => line,
                false => format!("next: {command}\n      names the rule and the clause\n"),
            }
        }
        Some(_) => {
            "next: `uriproof explain` with the input names the clause;\n      the lines `vector` are test cases\n"
                .to_owned()
        }
        None => String::new(),
    }
}

/// How many divergences the profiles predict, and how many they do not, a line each.
fn predictions(summary: &HuntSummary<'_>) -> Vec<String> {
    let (predicted, unpredicted) = (summary.state.totals.predicted, summary.unpredicted.len());
    let mut lines = Vec::new();
    if predicted > 0 {
        lines.push(format!(
            "{predicted} of those that diverged are as the profiles predict"
        ));
    }
    if unpredicted > 0 {
        lines.push(format!(
            "{BAD}{} not as the profile predicts{BAD:#}",
            if unpredicted == 1 {
                "1 answer is".to_owned()
            } else {
                format!("{unpredicted} answers are")
            }
        ));
    }
    lines
}

/// The last line of a hunt: how many classes were found, and how many of them the ledger has.
fn classes_line(summary: &HuntSummary<'_>) -> String {
    let (totals, classes) = (&summary.state.totals, summary.classes);
    let is_of_commands = summary.selected.builtin.is_empty();
    let met = classes.count;
    let known = match classes.in_baseline {
        0 => String::new(),
        1 => "; 1 class is in the baseline".to_owned(),
        known => format!("; {known} classes are in the baseline"),
    };
    // A command has no ledger that could explain anything.
    match (classes.new.len(), classes.unexplained) {
        _ if totals.answers == totals.not_compared => format!("{BAD}nothing was compared{BAD:#}"),
        (0, _) if is_of_commands && !summary.open.is_empty() => {
            format!("{BAD}nothing that was made small was found{known}; the divergences above were not{BAD:#}")
        }
        (0, _) if is_of_commands && known.is_empty() => format!("{GOOD}no divergence was found{GOOD:#}"),
        (0, _) if is_of_commands => format!("{GOOD}nothing else was found{known}{GOOD:#}"),
        (1, _) if is_of_commands => format!("{BAD}1 class of divergences was found{known}{BAD:#}"),
        (new, _) if is_of_commands => format!("{BAD}{new} classes of divergences were found{known}{BAD:#}"),
        (0, 0) if classes.count == 0 && totals.predicted > 0 => format!("{GOOD}nothing else was found{GOOD:#}"),
        (0, 0) => format!("{GOOD}{met} classes were found, and the ledger explains them all{GOOD:#}"),
        (0, unexplained) => {
            format!("{BAD}{met} classes were found; {unexplained} are unexplained in the ledger{BAD:#}")
        }
        (new, 0) => format!("{BAD}{met} classes were found; {new} are not in the ledger{BAD:#}"),
        (new, unexplained) => {
            format!(
                "{BAD}{met} classes were found; {new} are not in the ledger, {unexplained} are unexplained in it{BAD:#}"
            )
        }
    }
}

/// Classes that several subjects share, once, with those.
fn shared<'a>(classes: &'a [(&'a dyn Subject, Class)]) -> Vec<(&'a Class, Vec<&'a dyn Subject>)> {
    let mut shared: Vec<(&Class, Vec<&dyn Subject>)> = Vec::new();
    for (subject, class) in classes {
        let same =
            |known: &Class| known.fingerprint == class.fingerprint && known.witness.observed == class.witness.observed;
        match shared.iter_mut().find(|(known, _)| same(known)) {
            Some((_, subjects)) => subjects.push(*subject),
            None => shared.push((class, vec![*subject])),
        }
    }
    let severity = |class: &Class| Severity::of(&class.witness);
    shared.sort_by_key(|(class, _)| (severity(class), class.witness.input.size(), class.fingerprint.clone()));
    shared
}

/// A new class: what differs.
fn news(class: &Class, subjects: &[&dyn Subject]) -> String {
    let severity = Severity::of(&class.witness).map(|severity| format!("{severity}: ")).unwrap_or_default();
    let mut text = format!("{BAD}{severity}{}{BAD:#}\n", class.fingerprint);
    let mut line = |words: String| writeln!(text, "  {words}").expect("writes to a string");
    line(format!("input     {}", class.witness.input));
    for subject in subjects {
        line(format!("by        {}", subject.declaration()));
    }
    line(format!("expected  {}", ledger::expected_line(class)));
    line(format!("got       {}", class.witness.observed));
    text
}

/// What is ready to be added for a new class: a vector, and a ledger entry where a built-in subject shows it.
fn ready(class: &Class, subjects: &[&dyn Subject], selected: &SelectedSubjects, library: &Library) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "  {words}").expect("writes to a string");
    let is_by_whatwg = subjects.iter().any(|subject| subject.declaration().claim == Some(Claim::Whatwg));
    line(match ready_vector(&class.witness.input, &class.difference, library) {
        _ if is_by_whatwg => "vector    none: only those for RFC 3986 are written here".to_owned(),
        Ok(vector) => match serde_json::to_string(&vector) {
            Ok(vector) => format!(
                "vector    {}",
                json_lines(&Json(&vector).to_string()).join("\n            ")
            ),
            Err(error) => format!("vector    none: it cannot be written as JSON: {error}"),
        },
        Err(none) => format!("vector    {none}"),
    });
    let in_ledger: Vec<&dyn Subject> =
        subjects.iter().copied().filter(|subject| !selected.is_command(&subject.declaration().label())).collect();
    if !in_ledger.is_empty() && !is_by_whatwg {
        line("entry".to_owned());
        for entry_line in Ledger::ready_entry(&in_ledger, class).lines() {
            line(format!("  {entry_line}"));
        }
    }
    text
}

/// JSON on as many lines as it needs beside the word before it. A line ends behind a comma between values, so that all of them together are
/// the same JSON.
fn json_lines(json: &str) -> Vec<String> {
    let room = WIDTH - "  vector    ".len();
    let (mut is_text, mut is_escaped) = (false, false);
    let parts = json.split_inclusive(|character| {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => is_text = !is_text,
            _ => {}
        }
        character == ',' && !is_text
    });
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() <= room => line.push_str(part),
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

/// What does not repeat: both answers, and the calls that show it.
fn unrepeated_text(label: &str, unrepeated: &Unrepeated) -> String {
    let input = &unrepeated.input;
    let mut text = format!("{BAD}does not repeat: {} {input}{BAD:#}\n", input.operation());
    writeln!(text, "  {:8}  {label}", "by").expect("writes to a string");
    for (head, words) in unrepeated.lines() {
        writeln!(text, "  {head:8}  {words}").expect("writes to a string");
    }
    text.push('\n');
    text
}

pub(super) fn json(summary: &HuntSummary<'_>) -> serde_json::Value {
    let library = Library::embedded();
    let HuntSummary { state, classes, .. } = summary;
    let rows = |classes: &[(&dyn Subject, Class)]| -> Vec<serde_json::Value> {
        shared(classes)
            .into_iter()
            .map(|(class, subjects)| {
                let vector = ready_vector(&class.witness.input, &class.difference, &library);
                serde_json::json!({
                    "fingerprint": class.fingerprint,
                    "severity": Severity::of(&class.witness),
                    "subjects": subjects.iter().map(|subject| subject.declaration().label()).collect::<Vec<_>>(),
                    "input": class.witness.input,
                    "reference": class.witness.expected.literal(),
                    "outcome": class.witness.observed,
                    "vector": vector.as_ref().ok(),
                    "no_vector": vector.as_ref().err().map(ToString::to_string),
                })
            })
            .collect()
    };
    let unrepeated = state.totals.unrepeated.iter();
    serde_json::json!({
        "seed": state.seed,
        "batches": state.done.len(),
        "inputs": state.totals.inputs,
        "answers": state.totals.answers,
        "not_compared": state.totals.not_compared,
        "diverged": state.totals.diverged,
        "passed_over": state.totals.passed_over,
        "stored_answers": summary.answers,
        "met": classes.count,
        "in_baseline": classes.in_baseline,
        "predicted": state.totals.predicted,
        "unpredicted": summary.unpredicted.iter().map(UnpredictedAnswer::json).collect::<Vec<_>>(),
        "new": rows(&classes.new),
        "not_minimized": rows(summary.open),
        "does_not_repeat": unrepeated
            .map(|(label, unrepeated)| serde_json::json!({ "subject": label, "answers": unrepeated }))
            .collect::<Vec<_>>(),
        "more_do_not_repeat": state.totals.more_unrepeated,
    })
}
