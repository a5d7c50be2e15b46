//! TAP version 14.

use std::fmt::Write as _;

use uriproof::gate::{Case, Conclusion, Status};
use uriproof::model::OneLine;

use super::{Judged, Sheet, repeats};

/// One test a vector that is selected, one a problem of the baseline, one a generated suite without a difference; what is known is a TODO, what is not compared a SKIP.
pub fn tap(sheet: &Sheet<'_, '_>) -> String {
    let mut tests = Tests::default();
    for one in &sheet.subjects {
        let judgement = one.judgement;
        tests.subject = &judgement.subject;
        for case in &judgement.cases {
            tests.add_case(sheet, one, case);
        }
        for problem in &judgement.problems {
            let name = format!("{}:{}", problem.file, problem.line);
            tests.add(false, &name, "", &[("problem", &problem.message)]);
        }
        for suite in judgement.suites.iter().filter(|suite| suite.groups == 0) {
            match (&suite.lost, suite.counts.compared()) {
                (Some(reason), _) => tests.add(false, &suite.id(), "", &[("lost", reason)]),
                (None, 0) => tests.add_skipped(&suite.id(), &escaped(&suite.to_string())),
                (None, _) => tests.add(true, &suite.id(), "", &[]),
            }
        }
        if let Some(reason) = one.unfinished() {
            tests.add(false, "not everything was run", "", &[("lost", reason)]);
        }
        if one.conclusion() == Conclusion::Nothing {
            tests.add(false, "nothing was compared", "", &[]);
        }
    }
    format!("TAP version 14\n1..{}\n{}", tests.count, tests.lines)
}

/// The lines of tests, and how many tests these are.
#[derive(Default)]
struct Tests<'a> {
    /// The subject of the tests that are added.
    subject: &'a str,
    lines: String,
    count: usize,
}

impl Tests<'_> {
    fn add(&mut self, is_ok: bool, name: &str, directive: &str, block: &[(&str, &str)]) {
        let Tests { subject, lines, count } = self;
        *count += 1;
        let ok = if is_ok { "ok" } else { "not ok" };
        let name = escaped(&format!("{subject}: {name}"));
        writeln!(lines, "{ok} {count} - {name}{directive}").expect("writes to a string");
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
    }

    fn add_skipped(&mut self, name: &str, why: &str) {
        self.add(true, name, &format!(" # SKIP {why}"), &[]);
    }

    fn add_case(&mut self, sheet: &Sheet<'_, '_>, one: &Judged<'_, '_>, case: &Case<'_>) {
        let vector = &case.vector;
        match &case.status {
            Status::NotSelected => {}
            Status::Agrees => self.add(true, &vector.id, "", &[]),
            Status::NotCompared(reason) => {
                self.add_skipped(&vector.id, &format!("not compared: {}", escaped(reason)));
            }
            Status::NotRun(reason) => self.add_skipped(&vector.id, &format!("not run: {}", escaped(reason))),
            Status::Survived(reason) => self.add_skipped(&vector.id, &format!("survived only: {}", escaped(reason))),
            Status::Known(_, entry) => {
                let directive = format!(" # TODO {}: {}", entry.kind, escaped(&entry.reason));
                self.add(false, &vector.id, &directive, &[]);
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
                self.add(false, &vector.id, "", &block);
            }
            Status::Lost(reason) => self.add(false, &vector.id, "", &[("lost", reason)]),
        }
    }
}

/// Text of a test line: on one line, and "#" begins no directive.
fn escaped(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    OneLine(&words).to_string().replace('\\', "\\\\").replace('#', "\\#")
}
