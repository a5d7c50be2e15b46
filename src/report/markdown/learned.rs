//! What was learned of each subject.

use uriproof::model::Subject;
use uriproof_lab::learn::{Lesson, What};

use crate::measured::subjects::MeasuredCrates;
use crate::report::markup::cell;
use crate::report::model::Run;

/// What was learned of a subject.
pub(super) struct LearnedRow {
    pub(super) subject: String,
    pub(super) rule: String,
    pub(super) acceptance: String,
    pub(super) components: String,
    pub(super) assumptions: Vec<String>,
    pub(super) details: Vec<String>,
}

/// How many groups of differences of a subject are shown.
const LEARNED_GROUPS: usize = 8;

/// The subjects that are too slow to be learned.
pub(super) fn not_learned(subjects: &[&dyn Subject]) -> String {
    let slow = subjects.iter().filter(|subject| subject.budget().is_some());
    slow.map(|subject| subject.declaration().label()).collect::<Vec<_>>().join(", ")
}

impl LearnedRow {
    pub(super) fn all(run: &Run<'_>) -> Vec<LearnedRow> {
        let measured = MeasuredCrates::embedded().subjects();
        run.subjects
            .iter()
            .filter_map(|subject| {
                let label = subject.declaration.label();
                let lessons = &measured.get(&*label)?.learned;
                let of = |what| lessons.iter().find(|lesson| lesson.what == what);
                let acceptance = of(What::Acceptance)?;
                let components = of(What::Components);
                Some(LearnedRow {
                    rule: acceptance.rule.clone(),
                    acceptance: LearnedRow::verdict(acceptance),
                    components: components.map_or_else(|| "-".to_owned(), LearnedRow::verdict),
                    assumptions: acceptance.assumptions.clone(),
                    details: [Some(acceptance), components]
                        .into_iter()
                        .flatten()
                        .flat_map(LearnedRow::details)
                        .collect(),
                    subject: label,
                })
            })
            .collect()
    }

    fn verdict(lesson: &Lesson) -> String {
        let mut text = if lesson.is_equal() {
            lesson.verdict()
        } else {
            format!("**{}**", lesson.verdict())
        };
        for limit in &lesson.limits {
            text += &format!("; {}", limit.limit);
        }
        text
    }

    fn details(lesson: &Lesson) -> Vec<String> {
        let of = match lesson.what {
            What::Acceptance => "",
            What::Components => "components, ",
        };
        let mut lines: Vec<String> = lesson
            .groups
            .iter()
            .take(LEARNED_GROUPS)
            .map(|group| {
                let on = match &*group.characters {
                    "" => String::new(),
                    characters => format!(" on {}", cell(&format!("\"{characters}\""))),
                };
                let reported = match &*group.reported {
                    "" => String::new(),
                    reported => format!(" ({reported})"),
                };
                format!(
                    "{of}{}{on}{reported}: {}; {} {}",
                    group.kind,
                    cell(&format!("\"{}\"", shortened(&group.witness))),
                    group.classes,
                    if group.classes == 1 { "class" } else { "classes" }
                )
            })
            .collect();
        if let Some(more) = lesson.groups.len().checked_sub(LEARNED_GROUPS).filter(|more| *more > 0) {
            lines.push(format!("{of}and {more} groups more; `uriproof learn --all` shows them"));
        }
        lines
    }
}

/// Escaped; of a long string the beginning.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        None => text.escape_default().to_string(),
        Some((end, _)) => format!(
            "{}... ({} characters)",
            text[..end].escape_default(),
            text.chars().count()
        ),
    }
}
