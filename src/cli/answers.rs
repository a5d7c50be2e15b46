//! `uriproof answers`: what built-in subjects answer to a fixed sample of inputs, compared with what is stored.
//!
//! `hunt`, `report` and `ledger --check` compare the stored answers too.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::ProgressBar;
use uriproof::model::{OneLine, Subject};
use uriproof_lab::answers::{AnswerCheck, AnswerSample, ChangedAnswer, StoredAnswers};
use uriproof_lab::divergence::ledger::Ledger;

use crate::cli::measured::MeasuredFolder;
use crate::cli::select::SubjectSelection;
use crate::cli::{Finding, Format, Ran, RunError, guard, print, print_json, scheme_rules};
use crate::measured::subjects::MeasuredCrates;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// How many changed answers of a subject to an operation are printed.
const SHOWN: usize = 3;

/// How many labels are printed of subjects that were not compared.
const LABELS: usize = 4;

/// Why nothing is compared under rules that the stored answers do not know.
const LICENSED: &str = "they are stored without --scheme-rules";

/// Where the stored answers are.
#[derive(Args)]
pub(crate) struct AnswerSelection {
    /// A folder of measurements with stored answers [default: the built-in ones, of the built-in subjects]
    #[arg(long, value_name = "DIR")]
    answers: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Arguments {
    /// Replace the stored answers of the subjects in this folder of measurements instead, such as measured/subjects
    #[arg(long, value_name = "DIR", conflicts_with = "answers")]
    write: Option<PathBuf>,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    answers: AnswerSelection,
    #[command(flatten)]
    subjects: SubjectSelection,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let subjects = arguments.subjects.subjects()?;
    if let Some(folder) = &arguments.write {
        return store(folder, &subjects);
    }
    let check = arguments.answers.check(&subjects)?;
    match arguments.format {
        Format::Human => print(&(human(&check) + &not_stored(&check)))?,
        Format::Json => print_json(&check)?,
    }
    Ran {
        compared: vec![("the built-in subjects".to_owned(), check.answers as u64)],
        is_unexpected: !check.is_clean(),
        lost: None,
    }
    .finding()
}

fn store(folder: &Path, subjects: &[&dyn Subject]) -> Result<Finding, RunError> {
    let mut measured = MeasuredFolder::open(folder, subjects)?;
    let mut stored = with_spinner(|| StoredAnswers::measure(&AnswerSample::default(), subjects)).0;
    for declaration in subjects.iter().map(|subject| subject.declaration()) {
        measured.of(declaration).answers = stored.remove(&declaration.label());
    }
    measured.write()?;
    print(&format!(
        "wrote {}: the answers of {}\n",
        OneLine(&folder.display().to_string()),
        self::subjects(subjects.len())
    ))?;
    Ok(Finding::Expected)
}

fn with_spinner<T>(work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar.set_message("the sample of inputs runs on the built-in subjects");
    let done = work();
    bar.finish_and_clear();
    done
}

impl AnswerSelection {
    fn stored(&self) -> Result<StoredAnswers, RunError> {
        Ok(match &self.answers {
            None => MeasuredCrates::embedded().answers(),
            Some(folder) => MeasuredCrates::from_folder(folder)?.answers(),
        })
    }

    /// As [`check`](AnswerSelection::check), of the operations in which classes explain: a changed answer can have the class of the one
    /// before. Where a profile explains, it is not predicted.
    pub(crate) fn check_beside_classes(
        &self,
        ledger: &Ledger,
        subjects: &[&dyn Subject],
    ) -> Result<AnswerCheck, RunError> {
        let has_classes = |subject: &&dyn Subject| {
            let predicted = ledger.file_of(subject.declaration()).map(|file| &*file.predicted).unwrap_or_default();
            subject.declaration().operations.iter().any(|operation| !predicted.contains(operation))
        };
        self.check(&subjects.iter().copied().filter(has_classes).collect::<Vec<_>>())
    }

    /// Compares the answers of subjects with the stored ones, in this process.
    pub(crate) fn check(&self, subjects: &[&dyn Subject]) -> Result<AnswerCheck, RunError> {
        if scheme_rules::are_in_force() {
            return Ok(AnswerCheck::skipped(LICENSED));
        }
        let stored = self.stored()?;
        Ok(with_spinner(|| stored.check(&AnswerSample::default(), subjects)))
    }

    /// Compares the answers of built-in subjects with the stored ones, in another process: a subject may kill it, and is then run
    /// apart. `others` have no stored answers.
    pub(crate) fn check_apart(&self, builtin: &[&dyn Subject], others: &[String]) -> Result<AnswerCheck, RunError> {
        if scheme_rules::are_in_force() {
            return Ok(AnswerCheck::skipped(LICENSED));
        }
        let stored = self.stored()?;
        let (known, unknown): (Vec<&dyn Subject>, Vec<&dyn Subject>) =
            builtin.iter().partition(|subject| stored.has(subject.declaration()));
        let mut check = match known.is_empty() {
            true => AnswerCheck::default(),
            false => self.in_another_process(&known)?,
        };
        let unknown = unknown.iter().map(|subject| subject.declaration().label());
        check.not_stored.extend(unknown.chain(others.iter().cloned()));
        Ok(check)
    }

    fn in_another_process(&self, subjects: &[&dyn Subject]) -> Result<AnswerCheck, RunError> {
        let failure = |words: String| format!("the stored answers cannot be compared: {words}");
        let program = env::current_exe().map_err(|error| failure(error.to_string()))?;
        let mut command = Command::new(program);
        command.args(["answers", "--format", "json"]);
        for subject in subjects {
            command.args(["--subject", &globset::escape(&subject.declaration().label())]);
        }
        if let Some(path) = &self.answers {
            command.arg("--answers").arg(path);
        }
        guard::own(&mut command);
        command.stdin(Stdio::null()).stderr(Stdio::inherit());
        let output = command.output().map_err(|error| failure(error.to_string()))?;
        match output.status.code() {
            Some(0 | 1) => serde_json::from_slice(&output.stdout).map_err(|error| failure(error.to_string())),
            _ => Err(failure(format!(
                "the process that does it ended with {}",
                output.status
            ))),
        }
    }
}

/// What the comparison shows, each change first.
pub(crate) fn human(check: &AnswerCheck) -> String {
    let mut text = String::new();
    let same = |one: &ChangedAnswer, other: &ChangedAnswer| {
        (&one.subject, one.input.operation()) == (&other.subject, other.input.operation())
    };
    for changed in check.changed.chunk_by(same) {
        for one in changed.iter().take(SHOWN) {
            text += &news(one);
        }
        if let (Some(one), true) = (changed.first(), changed.len() > SHOWN) {
            let (more, subject, operation) = (changed.len() - SHOWN, OneLine(&one.subject), one.input.operation());
            text += &format!("{BAD}{more} more changed answers of {subject} to `{operation}`{BAD:#}\n\n");
        }
    }
    for problem in &check.problems {
        text += &format!("{BAD}stored answers{BAD:#} {}\n", OneLine(problem));
    }
    for (reason, labels) in &check.stale {
        let were = if labels.len() == 1 {
            "subject was"
        } else {
            "subjects were"
        };
        text += &format!(
            "{BAD}stored answers{BAD:#} {reason}: {} {were} not compared ({}); `uriproof bless --step answers` stores them again\n",
            labels.len(),
            first(labels)
        );
    }
    if let Some(reason) = &check.skipped {
        text += &format!("the stored answers were not compared: {reason}\n");
    }
    if check.subjects > 0 {
        let counts = format!("{} stored answers of {}", check.answers, subjects(check.subjects));
        text += &match check.changed.len() + check.problems.len() {
            0 => format!("{GOOD}{counts}: none has changed{GOOD:#}\n"),
            1 => format!("{BAD}{counts}: 1 has changed{BAD:#}\n"),
            changed => format!("{BAD}{counts}: {changed} have changed{BAD:#}\n"),
        };
    }
    if !check.is_clean() && check.stale.is_empty() {
        text += "if the change is wanted, `uriproof bless --step answers` stores the new answers\n";
    }
    text
}

fn subjects(count: usize) -> String {
    match count {
        1 => "1 built-in subject".to_owned(),
        count => format!("{count} built-in subjects"),
    }
}

fn news(changed: &ChangedAnswer) -> String {
    let text = changed.to_string();
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    format!("{BAD}{head}{BAD:#}\n{rest}\n\n")
}

/// Which subjects have no stored answers.
pub(crate) fn not_stored(check: &AnswerCheck) -> String {
    let labels = first(&check.not_stored);
    match check.not_stored.len() {
        0 => String::new(),
        _ => format!("changed answers were not looked for: none are stored of {labels}\n"),
    }
}

/// The first labels, and how many more there are.
fn first(labels: &[String]) -> String {
    let printed: Vec<String> = labels.iter().take(LABELS).map(|label| OneLine(label).to_string()).collect();
    match labels.len() - printed.len() {
        0 => printed.join(", "),
        more => format!("{} and {more} more", printed.join(", ")),
    }
}
