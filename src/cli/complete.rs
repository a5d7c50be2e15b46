//! `uriproof complete`: strings made from the grammar's machines, put to subjects.

mod operations;
mod suite_row;
mod suite_text;
mod sweep;
mod sweep_whatwg;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use uriproof::algorithms;
use uriproof::compare::own_rule;
use uriproof::model::{Operation, Rule, Subject};
use uriproof_grammar::{Alphabet, Profile};
use uriproof_lab::complete::{Prepared, SuiteChoice, stream, stream_components};
use uriproof_lab::machines::Machines;
use uriproof_lab::score::{Depth, Questioner};

use self::suite_row::{SuiteRow, not_begun, row};
use self::suite_text::human;
pub(crate) use self::sweep::{SweepArguments, sweep};
use crate::cli::columns::print_in_columns;
use crate::cli::command::{RunSelection, SelectedSubjects};
use crate::cli::select::{ProfileSelection, parse_operation, up_to};
use crate::cli::{Finding, Format, Ran, RunError, interrupt, print_json, styled};

#[derive(Args)]
pub(crate) struct CompleteArguments {
    #[command(flatten)]
    common: Common,
    /// The suite, from small to large. `core`: HSI, a complete method for automata, over one character of each class,
    /// and the transition cover of the component machine. `standard`: core, and typical faults of parsers,
    /// systematically. `components`: HSI of the component machine, each character drawn from its class. `bytes`: HSI
    /// over all 256 characters. With --specification whatwg, `core` or `standard`: the suites of that standard's parser
    /// and setters
    #[arg(long, value_enum, default_value_t = SuiteKind::Core)]
    suite: SuiteKind,
    /// Run the suite of this operation instead, as `check` does: `core` or `standard`; repeatable
    #[arg(long = "operation", value_name = "NAME", value_parser = parse_operation, conflicts_with_all = ["extra_states", "seed", "wanted"])]
    operations: Vec<Operation>,
    /// With --operation, also replace the counts of the built-in subjects in this folder of measurements; REPORT.md is made
    /// from measured/subjects
    #[arg(long, value_name = "DIR", requires = "operations", conflicts_with_all = ["commands", "specification"])]
    write: Option<PathBuf>,
    /// Also detect faults of implementations with up to K states more than the machine; with K above 0, components are
    /// not compared
    #[arg(long, value_name = "K", default_value_t = 0, value_parser = up_to::<4>)]
    extra_states: usize,
    /// The seed by which the suite `components` draws characters
    #[arg(long, value_name = "N", default_value_t = 3986)]
    seed: u64,
}

#[derive(Args)]
struct Common {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    #[command(flatten)]
    selection: RunSelection,
    #[command(flatten)]
    profiles: ProfileSelection,
    /// Print every cluster of divergences, not only the ten with the shortest strings
    #[arg(long)]
    all: bool,
}

impl Common {
    /// Whether subjects are compared with the WHATWG URL Standard.
    ///
    /// # Errors
    ///
    /// They are, and a grammar is named too.
    fn is_by_whatwg(&self, selected: &SelectedSubjects) -> Result<bool, RunError> {
        let is_by_whatwg = selected.is_by_whatwg();
        match is_by_whatwg && !self.profiles.is_empty() {
            true => {
                Err("--profile names a grammar, and the WHATWG URL Standard has none; leave one of them out".to_owned())
            }
            false => Ok(is_by_whatwg),
        }
    }
}

impl CompleteArguments {
    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.common.selection.asks_builtin()
    }

    /// Measures the built-in subjects by the standard that they follow, if that is one.
    pub(crate) fn measure_by_own_standard(&mut self) {
        let is_of_grammar = self.is_of_grammar();
        self.common.selection.measure_by_own_standard(is_of_grammar);
    }

    /// Whether an option is one of a grammar, or of the measurements for the report.
    fn is_of_grammar(&self) -> bool {
        let is_of_grammar = !matches!(self.suite, SuiteKind::Core | SuiteKind::Standard) || self.extra_states > 0;
        is_of_grammar || !self.common.profiles.is_empty() || self.write.is_some()
    }

    /// The suite of the grammar that is chosen.
    fn choice(&self) -> Result<SuiteChoice, RunError> {
        // With extra states the suites are about acceptance, and large.
        let depth = if self.extra_states == 0 {
            Depth::Components
        } else {
            Depth::Acceptance
        };
        Ok(match (self.suite, self.extra_states) {
            (SuiteKind::Core, 0) => SuiteChoice::Core,
            (SuiteKind::Core, extra) => SuiteChoice::Hsi(extra, Alphabet::Representatives, depth),
            (SuiteKind::Standard, 0) => SuiteChoice::Standard,
            (SuiteKind::Standard, _) => {
                return Err(
                    "the standard suite has no extra states; `--suite core`, `components` and `bytes` take them"
                        .to_owned(),
                );
            }
            (SuiteKind::Components, extra) => SuiteChoice::Components(extra, self.seed),
            (SuiteKind::Bytes, extra) => SuiteChoice::Hsi(extra, Alphabet::Bytes, depth),
        })
    }
}

/// The subjects that parse; there is at least one.
fn parsers(selected: &SelectedSubjects) -> Result<Vec<&dyn Subject>, RunError> {
    let mut subjects = selected.subjects();
    subjects.retain(|subject| subject.declaration().operations.contains(&Operation::Parse));
    if subjects.is_empty() {
        return Err("no subject that is chosen parses".to_owned());
    }
    Ok(subjects)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SuiteKind {
    Core,
    Standard,
    Components,
    Bytes,
}

pub(crate) fn complete(arguments: &CompleteArguments) -> Result<Finding, RunError> {
    if !arguments.operations.is_empty() {
        return operations::run(arguments, &arguments.operations, &arguments.common.selection.start()?);
    }
    let choice = arguments.choice()?;
    let selected = arguments.common.selection.start()?;
    if arguments.common.is_by_whatwg(&selected)? {
        if arguments.extra_states > 0 {
            return Err(
                "--extra-states are those of a grammar's machine, and the WHATWG URL Standard has no grammar"
                    .to_owned(),
            );
        }
        return operations::run(arguments, &algorithms::whatwg::OPERATIONS, &selected);
    }
    let parsers = parsers(&selected)?;
    let machines = arguments.common.profiles.machines(&parsers)?;
    let mut prepared: BTreeMap<(&[Profile], Rule), Prepared<'_>> = BTreeMap::new();
    put(
        &arguments.common,
        &selected,
        &parsers,
        &machines,
        |machines, subject| {
            let bar = progress_bar(&subject.declaration().label(), None);
            let progress = |strings| bar.inc(strings);
            let rule = own_rule(subject.declaration());
            let mut total = None;
            let mut score = match choice {
                SuiteChoice::Core | SuiteChoice::Standard => {
                    let suite = prepared.entry((machines.profiles(), rule)).or_insert_with(|| match choice {
                        SuiteChoice::Standard => Prepared::standard(machines, rule),
                        _ => Prepared::core(machines, rule),
                    });
                    total = Some(suite.cases().len() as u128);
                    suite.put(subject, progress, &interrupt::is_stopped)
                }
                SuiteChoice::Components(extra, seed) => {
                    stream_components(machines, (extra, seed), subject, progress, &interrupt::is_stopped)
                }
                SuiteChoice::Hsi(extra, alphabet, depth) => {
                    let suite = (extra, alphabet);
                    stream(machines, suite, depth, subject, progress, &interrupt::is_stopped)
                }
            };
            let depth = match choice {
                SuiteChoice::Hsi(_, _, depth) => depth,
                SuiteChoice::Core | SuiteChoice::Standard | SuiteChoice::Components(..) => Depth::Components,
            };
            Questioner::new(subject, machines, depth).until(&interrupt::is_stopped).put_again(&mut score);
            bar.finish_and_clear();
            let certificates = choice.certificates(machines, subject.declaration(), &score);
            Ok(row(machines, subject, (&score, total), certificates, None))
        },
    )
}

/// Puts strings to every subject, and prints what comes of it.
fn put<'m>(
    common: &Common,
    selected: &SelectedSubjects,
    parsers: &[&dyn Subject],
    machines: &'m BTreeMap<Vec<Profile>, Machines>,
    mut ask: impl FnMut(&'m Machines, &dyn Subject) -> Result<SuiteRow, RunError>,
) -> Result<Finding, RunError> {
    interrupt::note()?;
    let mut rows = Vec::new();
    for &subject in parsers {
        let machines = &machines[&common.profiles.of(subject)];
        rows.push(match interrupt::is_stopped() {
            true => not_begun(machines, subject),
            false => ask(machines, subject)?,
        });
    }
    match common.format {
        Format::Json => print_json(&rows)?,
        Format::Human => print_in_columns(&human(&rows, common.all))?,
    }
    Ran {
        compared: rows.iter().map(|row| (row.subject.clone(), row.compared())).collect(),
        is_unexpected: rows.iter().any(SuiteRow::is_unexpected),
        // Of each subject something must have been compared.
        lost: interrupt::stopped()
            .map(|reason| format!("not everything was run: {reason}"))
            .or_else(|| selected.lost())
            .or_else(|| rows.iter().find_map(SuiteRow::check_compared)),
    }
    .finding()
}

/// Shown on a terminal only; without a length it counts.
fn progress_bar(label: &str, length: Option<u64>) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (
            ProgressBar::new(length),
            "{msg}  {bar:30}  {percent}% of {human_len} strings  {per_sec}  {eta} left",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {msg}  {human_pos} strings  {per_sec}",
        ),
    };
    styled(bar, template).with_message(label.to_owned())
}
