//! TAP version 14.

use std::fmt::Write as _;

use uriproof::gate::{Conclusion, Status};
use uriproof::model::OneLine;

use super::{Sheet, repeats, suite_in_a_line, suite_name};

/// One test a vector that is selected, one a problem of the baseline, one a core suite that was put to it; what is known is a TODO, what is not compared a SKIP.
pub fn tap(sheet: &Sheet<'_, '_>) -> String {
    let mut lines = String::new();
    let mut number = 0;
    let mut add = |is_ok: bool, subject: &str, name: &str, directive: &str, block: &[(&str, &str)]| {
        number += 1;
        let ok = if is_ok { "ok" } else { "not ok" };
        let name = escaped(&format!("{subject}: {name}"));
        writeln!(lines, "{ok} {number} - {name}{directive}").expect("writes to a string");
        if !block.is_empty() {
            lines.push_str("  ---\n");
            for (key, value) in block {
                // Its lines are escaped one by one, so that JSON writes the line breaks between them.
                let escaped: Vec<String> = value.lines().map(|line| OneLine(line).to_string()).collect();
                let value = serde_json::Value::from(escaped.join("\n"));
                writeln!(lines, "  {key}: {value}").expect("writes to a string");
            }
            lines.push_str("  ...\n");
        }
    };
    for one in &sheet.subjects {
        let judgement = one.judgement;
        let subject = &*judgement.subject;
        for case in &judgement.cases {
            let vector = case.vector;
            match &case.status {
                Status::NotSelected => {}
                Status::Agrees => add(true, subject, &vector.id, "", &[]),
                Status::NotCompared(reason) => {
                    add(
                        true,
                        subject,
                        &vector.id,
                        &format!(" # SKIP not compared: {}", escaped(reason)),
                        &[],
                    );
                }
                Status::NotAsked(reason) => {
                    add(
                        true,
                        subject,
                        &vector.id,
                        &format!(" # SKIP not asked: {}", escaped(reason)),
                        &[],
                    );
                }
                Status::Survived(reason) => {
                    let directive = format!(" # SKIP survived only: {}", escaped(reason));
                    add(true, subject, &vector.id, &directive, &[]);
                }
                Status::Known(_, entry) => {
                    let directive = format!(" # TODO {}: {}", entry.kind, escaped(&entry.reason));
                    add(false, subject, &vector.id, &directive, &[]);
                }
                Status::Fails(failure) => {
                    let (input, clause, again) = (vector.input.to_string(), sheet.clause(vector), one.again(vector));
                    let repeats = repeats(failure);
                    let mut block = vec![
                        ("severity", failure.severity.name()),
                        ("input", &*input),
                        ("expected", &*failure.expected),
                        ("got", &*failure.got),
                        ("clause", &*clause),
                        ("again", &*again),
                    ];
                    if !repeats.is_empty() {
                        block.push(("does-not-repeat", repeats.trim_end()));
                    }
                    add(false, subject, &vector.id, "", &block);
                }
                Status::Lost(reason) => add(false, subject, &vector.id, "", &[("lost", reason)]),
            }
        }
        for problem in &judgement.problems {
            let name = format!("{}:{}", problem.file, problem.line);
            add(false, subject, &name, "", &[("problem", &problem.message)]);
        }
        for core in one.cores {
            let name = suite_name(core);
            match core.score.not_compared() {
                _ if core.has_failed() => {
                    let got = suite_in_a_line(core);
                    add(false, subject, &name, "", &[("got", &got), ("again", &one.again)]);
                }
                0 => add(true, subject, &name, "", &[]),
                count => add(
                    true,
                    subject,
                    &name,
                    &format!(" # SKIP {count} strings not compared"),
                    &[],
                ),
            }
        }
        if let Some(reason) = one.unfinished() {
            add(false, subject, "not everything was asked", "", &[("lost", reason)]);
        }
        if one.conclusion() == Conclusion::Nothing {
            add(false, subject, "nothing was compared", "", &[]);
        }
    }
    format!("TAP version 14\n1..{number}\n{lines}")
}

/// Text of a test line: on one line, and "#" begins no directive.
fn escaped(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    OneLine(&words).to_string().replace('\\', "\\\\").replace('#', "\\#")
}
