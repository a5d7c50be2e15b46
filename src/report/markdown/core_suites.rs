//! What came of the core suites: a row for each subject, and what a pass proves.

use uriproof::run;
use uriproof_lab::complete::{Certificate, by_earners};

use crate::report::markup::cell;
use crate::report::model::{Run, SubjectRun};

pub(super) struct CoreRow {
    pub(super) subject: String,
    pub(super) rule: &'static str,
    pub(super) language: String,
    pub(super) valid: String,
    pub(super) invalid: String,
    pub(super) clusters: String,
    pub(super) shortest: String,
    pub(super) answer: String,
}

impl CoreRow {
    pub(super) fn of(subject: &SubjectRun<'_>) -> Vec<CoreRow> {
        let share = |counts: run::Counts| format!("{} / {}", counts.agree, counts.answers());
        subject
            .cores
            .iter()
            .map(|core| {
                let shortest = core.score.shortest();
                CoreRow {
                    subject: subject.declaration.label(),
                    rule: core.rule.name(),
                    language: core.language.clone(),
                    valid: share(core.score.valid),
                    invalid: share(core.score.invalid),
                    clusters: match core.score.clusters.len() {
                        0 => "no difference".to_owned(),
                        some => format!("**{some}**"),
                    },
                    shortest: shortest.map_or_else(|| "-".to_owned(), |cluster| cell(&quoted(&cluster.witness))),
                    answer: shortest.map_or_else(|| "-".to_owned(), |cluster| cell(&cluster.observed.to_string())),
                }
            })
            .collect()
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// What of the core suites was not compared with a subject, a line each, with the reason.
pub(super) fn partly_compared(subject: &SubjectRun<'_>) -> Vec<String> {
    let lines = subject.cores.iter().filter_map(|core| {
        let count = core.score.not_compared();
        let not_compared = (count > 0).then(|| format!("{count} strings not compared"));
        let parts: Vec<String> = not_compared.into_iter().chain(core.score.budget().map(ToString::to_string)).collect();
        let label = subject.declaration.label();
        (!parts.is_empty()).then(|| format!("{label}, {} of {}: {}", core.rule, core.language, parts.join("; ")))
    });
    lines.collect()
}

/// What a pass of a core suite proves.
pub(super) struct Proof {
    pub(super) head: String,
    pub(super) earners: String,
    pub(super) proves: Vec<String>,
    pub(super) assumes: Vec<String>,
    pub(super) does_not_mean: Vec<String>,
    pub(super) classes: String,
}

/// What a pass of the core suites proves of whom.
pub(super) fn proofs(run: &Run<'_>) -> Vec<Proof> {
    let labels: Vec<String> = run.subjects.iter().map(|subject| subject.declaration.label()).collect();
    let cores = run.subjects.iter().zip(&labels);
    let earned = cores.flat_map(|(subject, label)| subject.cores.iter().map(|core| (&**label, &*core.certificates)));
    by_earners(earned)
        .into_iter()
        .map(|(certificates, earners)| {
            let of_all = |part: fn(&Certificate) -> &[String]| {
                let mut lines: Vec<String> = Vec::new();
                for line in certificates.iter().flat_map(part) {
                    if !lines.contains(line) {
                        lines.push(line.clone());
                    }
                }
                lines
            };
            let first = &certificates[0];
            Proof {
                head: format!("{} of {}, {} strings", first.rule, first.language, first.strings),
                earners: earners.join(", "),
                proves: certificates
                    .iter()
                    .map(|certificate| {
                        let name = &certificate.machine;
                        format!(
                            "{}; {}, from {} states, {} classes, `{}`",
                            certificate.proves, certificate.method, name.states, name.classes, name.hash
                        )
                    })
                    .collect(),
                assumes: of_all(|certificate| &certificate.assumes),
                does_not_mean: of_all(|certificate| &certificate.does_not_mean),
                classes: first.classes.iter().map(|class| cell(class)).collect::<Vec<_>>().join(" "),
            }
        })
        .collect()
}
