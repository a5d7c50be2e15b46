//! Annotations of GitHub: at most ten, which is what it shows of a step, the worst first.

use uriproof::gate::Conclusion;
use uriproof::model::OneLine;

use super::{Sheet, in_a_line, repeats};

const SHOWN: usize = 10;

/// Workflow commands, one a line: why a run could not be finished, then the groups of failures of all subjects, the worst first, then what
/// is wrong with baselines.
pub fn github(sheet: &Sheet<'_, '_>) -> String {
    let (mut lines, mut failures, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for one in &sheet.subjects {
        let judgement = one.judgement;
        if let Some(reason) = &judgement.lost {
            lines.push(command(&[("title", &judgement.subject)], reason));
        }
        if one.conclusion() == Conclusion::Nothing {
            lines.push(command(&[("title", &judgement.subject)], "nothing was compared"));
        }
        for group in &one.groups {
            let (vector, failure) = group.witness();
            let text = format!(
                "{}\n{}{}\n{}",
                in_a_line(vector, failure),
                repeats(failure),
                sheet.clause_of(group),
                one.again(vector)
            );
            let title = format!("{} ({}): {}", group.severity, group.count, group.title);
            failures.push((failure.severity.urgency(), command(&[("title", &title)], &text)));
        }
        for problem in &judgement.problems {
            let line = problem.line.to_string();
            let properties = [("file", &*problem.file), ("line", &line), ("title", "baseline")];
            problems.push(command(&properties, &OneLine(&problem.message).to_string()));
        }
    }
    failures.sort_by_key(|(urgency, _)| *urgency);
    lines.extend(failures.into_iter().map(|(_, line)| line));
    lines.extend(problems);
    if lines.len() > SHOWN {
        let more = lines.len() - SHOWN + 1;
        lines.truncate(SHOWN - 1);
        lines.push(command(
            &[("title", "uriproof")],
            &format!("and {more} more, which the log shows"),
        ));
    }
    lines.concat()
}

fn command(properties: &[(&str, &str)], message: &str) -> String {
    let properties: Vec<String> = properties
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped(value).replace(':', "%3A").replace(',', "%2C")))
        .collect();
    format!("::error {}::{}\n", properties.join(","), escaped(message))
}

/// Text as the runner decodes it, line by line: of a `%` it decodes what stands for a line break.
fn escaped(text: &str) -> String {
    let lines = text.split('\n').map(|line| OneLine(line).to_string().replace('%', "%25"));
    lines.collect::<Vec<_>>().join("%0A")
}
