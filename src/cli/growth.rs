//! `uriproof growth`: what subjects do with long inputs.

use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::model::Subject;
use crate::protocol::client::{Client, Limits};
use crate::search::growth::{Growth, Survey, Timed};
use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::cli::select::SubjectSelection;
use crate::cli::{Failure, Finding, Format, files, print, print_json, registry};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subjects: SubjectSelection,
    /// How long one answer may take
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_seconds)]
    seconds_per_question: f64,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Store the findings here, in the place of what was stored of the chosen subjects
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

fn parse_seconds(number: &str) -> Result<f64, String> {
    let seconds = number.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "a number of seconds from 0.1 to 3600".to_owned())
}

/// What one process may take, in bytes.
const MEMORY: u64 = 4 << 30;

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, Failure> {
    let subjects = arguments.subjects.subjects()?;
    let program = env::current_exe().map_err(|error| format!("the path of this program cannot be had: {error}"))?;
    let limits = Limits {
        time: Duration::from_secs_f64(arguments.seconds_per_question),
        // Every pattern may end a process several times.
        restarts: usize::MAX,
        memory: cfg!(unix).then_some(MEMORY),
    };
    let patterns: usize = subjects.iter().map(|subject| Survey::size(subject.declaration())).sum();
    let bar = ProgressBar::new(patterns as u64).with_message("long inputs");
    let bar = match ProgressStyle::with_template("{spinner} {msg}: {pos} of {len} patterns  {elapsed}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    };
    bar.enable_steady_tick(Duration::from_millis(200));
    let surveys = subjects
        .par_iter()
        .with_max_len(1)
        .map(|subject| {
            let label = subject.declaration().label();
            let client = Client::builtin(&program, *subject, limits)?;
            let survey = Survey::of(subject.declaration(), &Timed(&client), &|patterns| {
                bar.inc(patterns as u64)
            });
            bar.set_message(format!("long inputs, {label} is done"));
            Ok(survey)
        })
        .collect::<Result<Vec<Survey>, Failure>>()?;
    bar.finish_and_clear();
    if let Some(path) = &arguments.write {
        write(path, &subjects, &surveys)?;
    }
    let growths = || surveys.iter().flat_map(|survey| &survey.growths);
    match arguments.format {
        Format::Json => print_json(&growths().collect::<Vec<_>>())?,
        Format::Human => print(&subjects.iter().zip(&surveys).map(human).collect::<String>())?,
    }
    Ok(if growths().next().is_none() {
        Finding::Expected
    } else {
        Finding::Unexpected
    })
}

fn write(path: &Path, subjects: &[&dyn Subject], surveys: &[Survey]) -> Result<(), Failure> {
    let mut growths: Vec<Growth> = files::read_list(path, "holds no findings on growth")?;
    growths.retain(|growth| subjects.iter().all(|subject| subject.declaration().label() != growth.subject));
    growths.extend(surveys.iter().flat_map(|survey| survey.growths.clone()));
    // The order within a subject stays.
    growths.sort_by_key(|growth| {
        registry::subjects().iter().position(|subject| subject.declaration().label() == growth.subject)
    });
    let json = serde_json::to_string_pretty(&growths).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    files::write(&[(path.to_owned(), json + "\n")])
}

fn human((subject, survey): (&&dyn Subject, &Survey)) -> String {
    let (style, verdict) = match survey.growths.len() {
        0 => (GOOD, "nothing found".to_owned()),
        1 => (BAD, "1 finding".to_owned()),
        count => (BAD, format!("{count} findings")),
    };
    let mut text = format!("{style}{}: {verdict}{style:#}\n", subject.declaration());
    for Growth {
        operation,
        pattern,
        finding,
        ..
    } in &survey.growths
    {
        let _ = writeln!(text, "  {operation} {pattern}: {finding}");
    }
    let mut asked = format!("{} patterns asked", survey.patterns);
    if survey.of_found_groups > 0 {
        let _ = write!(
            asked,
            ", {} more differ from a finding in prefix and suffix only",
            survey.of_found_groups
        );
    }
    if survey.short_crashes > 0 {
        let _ = write!(
            asked,
            ", {} crash at 64 bytes already, which is no growth",
            survey.short_crashes
        );
    }
    let _ = writeln!(text, "  {FAINT}{asked}{FAINT:#}");
    text
}
