//! `uriproof growth`: what subjects do with long inputs.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use uriproof::model::{Declaration, Input, Subject};
use uriproof::protocol::client::{Client, Limits};
use uriproof_lab::growth::{Answerer, Growth, Survey, TimedOutcome};

use crate::cli::columns::print_in_columns;
use crate::cli::command::CommandLines;
use crate::cli::select::SubjectSelection;
use crate::cli::{Finding, Format, Ran, RunError, files, print_json, registry, styled, warden};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    subjects: SubjectSelection,
    #[command(flatten)]
    commands: CommandLines,
    /// The time limit for one answer
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_seconds)]
    seconds_per_question: f64,
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Replace the findings of the selected built-in subjects in this file
    #[arg(long, value_name = "FILE", conflicts_with = "commands")]
    write: Option<PathBuf>,
}

fn parse_seconds(number: &str) -> Result<f64, String> {
    let seconds = number.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "a number of seconds from 0.1 to 3600".to_owned())
}

/// What one process of ours may take, in bytes.
const MEMORY: u64 = 4 << 30;

/// How often a command is started again: every pattern may end it several times.
const RESTARTS: usize = 10_000;

/// A subject of the survey.
enum Who {
    Builtin(&'static dyn Subject),
    Command(Vec<OsString>),
}

impl Who {
    fn start(&self, time: Duration) -> Result<Client, RunError> {
        match self {
            Who::Builtin(subject) => {
                let program =
                    env::current_exe().map_err(|error| format!("the path of this program cannot be had: {error}"))?;
                let limits = Limits {
                    time,
                    restarts: usize::MAX,
                    memory: cfg!(unix).then_some(MEMORY),
                    ..Limits::default()
                };
                Client::builtin(&program, *subject, limits)
            }
            // Some runtimes reserve much more memory than they use.
            Who::Command(words) => {
                let limits = Limits {
                    time,
                    restarts: RESTARTS,
                    ..Limits::default()
                };
                Client::start(words, limits)
            }
        }
    }
}

/// A subject in another process, with the time that each answer takes.
struct TimedClient<'a>(&'a Client);

impl Answerer for TimedClient<'_> {
    fn answer(&self, input: &Input) -> TimedOutcome {
        let (outcome, took) = self.0.measured(input.clone());
        TimedOutcome {
            outcome,
            seconds: took.as_secs_f64(),
        }
    }
}

/// What was found in a subject.
struct Surveyed {
    declaration: Declaration,
    survey: Survey,
    /// Why not everything was run, if so.
    lost: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    let builtin = arguments.commands.builtin(&arguments.subjects)?.into_iter().map(Who::Builtin);
    let commands = arguments.commands.words()?.into_iter().map(Who::Command);
    let asked: Vec<Who> = builtin.chain(commands).collect();
    if let Some(path) = &arguments.write {
        // Before the survey, which takes its time.
        stored(path)?;
        files::expect_writable([&**path])?;
    }
    if !arguments.commands.is_empty() {
        warden::start()?;
    }
    let time = Duration::from_secs_f64(arguments.seconds_per_question);
    let bar = styled(
        ProgressBar::new(0),
        "{spinner} {msg}: {pos} of {len} patterns  {elapsed}",
    );
    bar.set_message("long inputs");
    let surveys = asked
        .par_iter()
        .with_max_len(1)
        .map(|who| {
            let client = who.start(time)?;
            let declaration = client.declaration().clone();
            bar.inc_length(Survey::size(&declaration) as u64);
            let survey = Survey::of(&declaration, &TimedClient(&client), &|patterns| {
                bar.inc(patterns as u64);
            });
            bar.set_message(format!("long inputs, {declaration} is done"));
            Ok(Surveyed {
                declaration,
                survey,
                lost: client.lost(),
            })
        })
        .collect::<Result<Vec<Surveyed>, RunError>>()?;
    bar.finish_and_clear();
    if let Some(path) = &arguments.write {
        write(path, &surveys)?;
    }
    let growths = || surveys.iter().flat_map(|surveyed| &surveyed.survey.growths);
    match arguments.format {
        Format::Json => print_json(&growths().collect::<Vec<_>>())?,
        Format::Human => print_in_columns(&surveys.iter().map(human).collect::<String>())?,
    }
    let lost = surveys.iter().find_map(|one| {
        let reason = one.lost.as_ref()?;
        Some(format!("{} was not run on everything: {reason}", one.declaration))
    });
    Ran {
        compared: compared(&asked, &surveys),
        is_unexpected: growths().next().is_some(),
        lost,
    }
    .finding()
}

fn stored(path: &Path) -> Result<Vec<Growth>, RunError> {
    files::read_list(path, "holds no findings on growth")
}

fn write(path: &Path, surveys: &[Surveyed]) -> Result<(), RunError> {
    // Again, since another survey may have been stored in the meantime.
    let mut growths = stored(path)?;
    growths.retain(|growth| surveys.iter().all(|surveyed| surveyed.declaration.label() != growth.subject));
    growths.extend(surveys.iter().flat_map(|surveyed| surveyed.survey.growths.clone()));
    // The order within a subject stays.
    growths.sort_by_key(|growth| {
        registry::subjects().iter().position(|subject| subject.declaration().label() == growth.subject)
    });
    let json = serde_json::to_string_pretty(&growths).map_err(|error| format!("cannot be written as JSON: {error}"))?;
    files::write(&[(path.to_owned(), json + "\n")])
}

/// How many patterns were surveyed: of the built-in subjects together, and of each command.
fn compared(asked: &[Who], surveys: &[Surveyed]) -> Vec<(String, u64)> {
    let mut compared: BTreeMap<String, u64> = BTreeMap::new();
    for (who, surveyed) in asked.iter().zip(surveys) {
        let name = match who {
            Who::Builtin(_) => "the built-in subjects".to_owned(),
            Who::Command(_) => surveyed.declaration.label(),
        };
        *compared.entry(name).or_default() += (surveyed.survey.patterns - surveyed.survey.short_crashes) as u64;
    }
    compared.into_iter().collect()
}

fn human(
    Surveyed {
        declaration, survey, ..
    }: &Surveyed,
) -> String {
    let (style, verdict) = match survey.growths.len() {
        0 => (GOOD, "nothing found".to_owned()),
        1 => (BAD, "1 finding".to_owned()),
        count => (BAD, format!("{count} findings")),
    };
    let mut text = format!("{style}{declaration}: {verdict}{style:#}\n");
    text.extend(survey.growths.iter().map(growth_line));
    let mut asked = format!("{} patterns measured", survey.patterns);
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

fn growth_line(
    Growth {
        operation,
        pattern,
        finding,
        ..
    }: &Growth,
) -> String {
    format!("  {operation} {pattern}: {finding}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::WIDTH;
    use crate::cli::columns::in_columns;

    #[test]
    fn every_known_finding_is_in_the_columns_of_a_terminal() {
        let lines: String = crate::measured::growth().iter().map(growth_line).collect();
        let is_wide = |line: &str| line.chars().count() > WIDTH;
        assert!(lines.lines().any(is_wide), "nothing is broken");
        let text = in_columns(&lines);
        let wide: Vec<&str> = text.lines().filter(|line| is_wide(line)).collect();
        assert!(wide.is_empty(), "{wide:#?}");
    }
}
