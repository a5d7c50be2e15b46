//! `uriproof check`: vectors against subjects, the gate of a library.

mod baseline;
mod print;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::env;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use uriproof::algorithms::Size;
use uriproof::gate::{self, Baseline, CheckProgress, Claim, Conclusion, FailureGroup, Judgement, KnownCause, Plan};
use uriproof::model::{Reading, Subject};
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_deviations::Deviation;

use self::print::{FailureDetail, PrintedRun};
use crate::cli::command::{RunSelection, SelectedSubjects};
use crate::cli::ledger::LedgerSelection;
use crate::cli::select::{VectorSelection, parse_reading};
use crate::cli::{Finding, Ran, RunError, corpus, files, interrupt, print, print_data, probe};
use crate::report::gate::{ComparedStandard, Judged, Sheet};
use crate::report::model::{self, AnsweredVector, Run, ShownWay, SubjectRun};
use crate::report::{causes, shell};

const EXAMPLES: &str = "Examples:
  uriproof check --subject url                            a built-in subject
  uriproof check --command 'python3 adapter.py' --probe   does an adapter keep to the protocol?
  uriproof check --command 'python3 adapter.py' --write-baseline --baseline uriproof.toml
  uriproof check --command 'python3 adapter.py' --baseline uriproof.toml --output junit=junit.xml
  uriproof check --subject http --specification http --level must
  uriproof check --subject url --corpus urls.txt

Exit status:
  0  no failure, or only failures that the baseline lists
  1  a failure that the baseline does not list, or a line of the baseline to change
  2  the run could not be done or finished; the results so far are printed";

/// The format of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Human,
    Json,
    /// JUnit's XML
    Junit,
    /// SARIF 2.1.0
    Sarif,
    /// TAP 14
    Tap,
    /// Workflow commands of GitHub that annotate the sources, at most ten
    Github,
    /// A summary in Markdown
    Markdown,
    /// The JSON of a shields.io endpoint badge
    Badge,
    /// A text in Markdown about one group of failures, for the library's authors
    Issue,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// How to print the results
    #[arg(long, value_enum, default_value_t = CheckFormat::Human)]
    format: CheckFormat,
    /// Also write the results to a file, such as junit=target/junit.xml; repeatable
    #[arg(long, value_name = "FORMAT=FILE", value_parser = parse_output, conflicts_with_all = ["probe", "corpus"])]
    output: Vec<(CheckFormat, PathBuf)>,
    #[command(flatten)]
    selection: RunSelection,
    #[command(flatten)]
    vectors: VectorSelection,
    /// The reading of contested clauses that the vectors are compared under
    #[arg(long, value_parser = parse_reading, default_value = "rfc3986", value_name = "NAME")]
    reading: Reading,
    /// A TOML file of known failures; other failures, and entries that no longer fail, exit with 1
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Update the --baseline file: keep its entries, add new failures as `unexplained`
    #[arg(long, requires = "baseline", conflicts_with_all = ["only", "clause"])]
    write_baseline: bool,
    /// Print every vector that fails, not the worst groups of them; with --corpus, every line
    #[arg(long)]
    all: bool,
    /// Print every group of failures
    #[arg(long, conflicts_with_all = ["all", "group", "probe", "corpus"])]
    groups: bool,
    /// Print the vectors of one group of failures, by its number
    #[arg(long, value_name = "N", conflicts_with_all = ["all", "probe", "corpus"])]
    group: Option<usize>,
    /// The size of the generated suites for every operation, which run after the vectors [default: core; none with
    /// --vectors, --clause or another reading]
    #[arg(long, value_enum, value_name = "SIZE", conflicts_with_all = ["probe", "corpus"])]
    suite: Option<SuiteSize>,
    /// Only check that the commands keep to the line protocol; run no vectors
    #[arg(long, requires = "commands", conflicts_with_all = ["baseline", "corpus"])]
    probe: bool,
    /// Run the lines of this file, one URI per line, instead of the vectors, and compare with the reference
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    corpus: Option<PathBuf>,
    #[command(flatten)]
    ledger: LedgerSelection,
}

/// The size of a suite, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SuiteSize {
    /// Vectors only
    None,
    /// Some 300,000 inputs
    Core,
    /// Longer paths, and every pair of shapes
    Standard,
}

impl SuiteSize {
    fn size(self) -> Option<Size> {
        match self {
            SuiteSize::None => None,
            SuiteSize::Core => Some(Size::Core),
            SuiteSize::Standard => Some(Size::Standard),
        }
    }
}

fn parse_output(text: &str) -> Result<(CheckFormat, PathBuf), String> {
    let (format, file) = text.split_once('=').ok_or("such as junit=target/junit.xml")?;
    Ok((CheckFormat::from_str(format, true)?, PathBuf::from(file)))
}

impl Arguments {
    /// Whether built-in subjects are run, in this process.
    pub(crate) fn asks_builtin(&self) -> bool {
        self.selection.asks_builtin()
    }
}

/// A subject that is checked.
struct PlannedSubject<'s> {
    subject: &'s dyn Subject,
    /// The command that repeats its check, without a vector.
    again: String,
    /// The command that starts it, if it is an adapter.
    command: Option<String>,
    plan: Plan,
}

impl PlannedSubject<'_> {
    /// Whether the vectors of the WHATWG URL Standard are run on it.
    fn has_whatwg(&self) -> bool {
        self.plan.claim == Some(Claim::Whatwg)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.probe {
        return probe::run(&arguments.selection, arguments.format);
    }
    arguments.expect_selection()?;
    let started = arguments.selection.start_to_check()?;
    let library = arguments.vectors.library()?;
    if let Some(problem) = library.lint().first() {
        return Err(format!("{problem}; `uriproof vectors lint` shows all"));
    }
    let mut planned = arguments.planned(&started, &library)?;
    if let Some(file) = &arguments.corpus {
        return arguments.compare_corpus(&started, file);
    }
    let mut baseline = baseline::read(arguments, &planned, &library)?;
    planned.iter_mut().try_for_each(|one| baseline::add_deviations(one, baseline.as_ref()))?;
    let outputs = arguments.output.iter().map(|(_, path)| path.as_path());
    files::expect_writable(outputs.chain(arguments.baseline.as_deref().filter(|_| arguments.write_baseline)))?;
    interrupt::note()?;

    let mut judgements: Vec<Judgement<'_>> = planned.iter().map(|one| ask(one, &library, baseline.as_ref())).collect();
    if let (true, [judgement], [one]) = (arguments.write_baseline, &mut *judgements, &mut *planned) {
        let proposed = baseline::with_proposals(one, judgement, baseline.as_ref())?;
        if let Some(proposed) = proposed {
            *judgement = ask(one, &library, Some(&proposed));
            baseline = Some(proposed);
        }
    }
    let is_plain = started.commands.is_empty() && baseline.is_none() && !arguments.write_baseline;
    let run = arguments.results(&library, &started, &planned, &judgements)?;
    let judged = judgements.iter().zip(&planned).zip(&run.subjects);
    let judged = judged.map(|((judgement, one), answered)| arguments.judged(one, judgement, (&run, answered)));
    let sheet = Sheet {
        library: &library,
        subjects: judged.collect(),
    };
    let printed = PrintedRun {
        sheet: &sheet,
        run: &run,
        judgements: &judgements,
        detail: match (arguments.group, arguments.all) {
            (Some(number), _) => FailureDetail::Group(number),
            (None, true) => FailureDetail::All,
            (None, false) if arguments.groups => FailureDetail::Groups,
            (None, false) => FailureDetail::Screen,
        },
        baseline: arguments.baseline.as_deref().filter(|_| baseline.is_some()),
    };
    let outputs = arguments.outputs(&printed)?;
    let text = printed.text(arguments.format)?;
    if let (true, Some(path)) = (arguments.write_baseline, &arguments.baseline) {
        let written = baseline::written(&judgements[0], &library, baseline.as_ref());
        return baseline::replace(arguments, path, written, outputs, (&text, &planned[0].again));
    }
    files::write(&outputs)?;
    arguments.print_results(&text)?;
    finding(&judgements, is_plain)
}

/// The selected subjects, each with the flag that selects it and the flag's value.
fn flagged(started: &SelectedSubjects) -> impl Iterator<Item = (&dyn Subject, &'static str, String)> {
    let builtin = started.builtin.iter().map(|subject| (*subject, "--subject", subject.declaration().label()));
    let commands = started.commands.iter().map(|foreign| (&foreign.client as _, "--command", foreign.line.clone()));
    builtin.chain(commands)
}

/// Runs the vectors on a subject, and judges the results.
fn ask<'v>(one: &PlannedSubject<'_>, library: &'v Library, baseline: Option<&Baseline>) -> Judgement<'v> {
    let declaration = one.subject.declaration();
    let bar = ProgressBar::new(0).with_message(declaration.label());
    let step = |step| match step {
        CheckProgress::ToRun(inputs) => bar.inc_length(inputs),
        CheckProgress::Ran => bar.inc(1),
    };
    let checked = gate::check(one.subject, library, &one.plan, step, &interrupt::stopped);
    bar.finish_and_clear();
    gate::judge(declaration, checked, baseline, &gate::today())
}

/// The failures of a subject in groups: what a deviation of its profile predicts is one, if the deviation is known for something as severe;
/// else its title would play the failure down. Of several deviations it is the one that is known for the same.
fn groups<'j>(judgement: &'j Judgement<'_>, run: &Run<'_>, answered: &SubjectRun<'_>) -> Vec<FailureGroup<'j>> {
    let deviation = |answer: &AnsweredVector<'_>| {
        let severity = Severity::of(&answer.result)?;
        // By the standard itself, that it is followed explains nothing.
        let is_by_standard = answered.declaration.claim == Some(Claim::Whatwg);
        let says = |shown: &&ShownWay| !is_by_standard || shown.name != Deviation::FollowsUrlStandard.sentence();
        let is_as_severe = |shown: &&ShownWay| shown.severity.urgency() <= severity.urgency();
        let ways = || answered.ways_of(answer).filter(says).filter(is_as_severe);
        let same = ways().find(|shown| shown.severity == severity);
        let shown = same.or_else(|| ways().next()).filter(|shown| shown.class().is_none())?;
        let cause = KnownCause {
            title: shown.name.clone(),
            severity: shown.severity,
            clause: causes::clause(run, answered, shown).unwrap_or_else(|| answer.vector.clauses[0].clone()),
        };
        Some((answer.vector.id.clone(), cause))
    };
    let known: HashMap<String, KnownCause> = answered.answers.iter().filter_map(deviation).collect();
    judgement.groups_by(&|vector| known.get(&vector.id).cloned())
}

/// The finding of the whole run. A gate that compared nothing has not passed; for built-in subjects that is only printed.
fn finding(judgements: &[Judgement<'_>], is_plain: bool) -> Result<Finding, RunError> {
    if let Some((judgement, reason)) = judgements.iter().find_map(|one| Some((one, one.lost.as_ref()?))) {
        return Err(format!("{} was not run on everything: {reason}", judgement.subject));
    }
    if let Some(reason) = interrupt::stopped() {
        return Err(format!("not everything was run: {reason}"));
    }
    let is_unexpected = judgements.iter().any(|judgement| match judgement.conclusion() {
        Conclusion::Pass => false,
        Conclusion::Fail | Conclusion::Broken => true,
        Conclusion::Nothing => !is_plain,
    });
    let compared: u64 = judgements.iter().map(Judgement::compared).sum();
    Ran {
        compared: vec![("the subjects".to_owned(), compared)],
        is_unexpected,
        lost: None,
    }
    .finding()
}

impl Arguments {
    /// What is said of a subject.
    fn judged<'j, 'v>(
        &self,
        one: &PlannedSubject<'_>,
        judgement: &'j Judgement<'v>,
        (run, answered): (&Run<'_>, &SubjectRun<'_>),
    ) -> Judged<'j, 'v> {
        Judged {
            judgement,
            standard: ComparedStandard::of(one.plan.claim),
            again: one.again.clone(),
            group_command: match &self.baseline {
                Some(file) => format!(
                    "{} --baseline {}",
                    one.again,
                    shell::quoted(&file.display().to_string())
                ),
                None => one.again.clone(),
            },
            groups: groups(judgement, run, answered),
            file: self.file(one),
        }
    }

    /// Everything on everything takes long and prints much, and is rarely meant.
    ///
    /// # Errors
    ///
    /// Nothing is selected: what would run, and how to say so.
    fn expect_selection(&self) -> Result<(), RunError> {
        if !self.selection.is_everything() || !self.vectors.is_everything() || self.corpus.is_some() {
            return Ok(());
        }
        let subjects = self.selection.builtin()?;
        let crates: BTreeSet<&str> = subjects.iter().map(|subject| &*subject.declaration().name).collect();
        Err(format!(
            "this would run all vectors and suites on {} entry points of {} crates. Name one (--subject url), or your own library \
             (--command 'python3 adapter.py'); --subject '*' runs them all, and --only some of the vectors",
            subjects.len(),
            crates.len()
        ))
    }

    /// The selected subjects, each with the vectors that its claim asks for.
    fn planned<'s>(
        &self,
        started: &'s SelectedSubjects,
        library: &Library,
    ) -> Result<Vec<PlannedSubject<'s>>, RunError> {
        let plan = self.vectors.plan(library)?;
        let suite = self.suite_size(&plan)?;
        let planned = flagged(started).map(|(subject, flag, value)| PlannedSubject {
            subject,
            again: self.again(flag, &value),
            command: (flag == "--command").then_some(value),
            plan: Plan {
                reading: self.reading,
                suite,
                // A built-in subject declares its own, unless it is measured by another.
                claim: Claim::of(subject.declaration())
                    .filter(|_| flag == "--command" || subject.declaration().claim.is_some()),
                ..plan.clone()
            },
        });
        let planned: Vec<PlannedSubject<'_>> = planned.collect();
        if !planned.iter().any(PlannedSubject::has_whatwg) {
            self.vectors.select(library)?;
        }
        Ok(planned)
    }

    /// The size of the suites. They are compared under RFC 3986 alone, and cite no clause that could select from them.
    fn suite_size(&self, plan: &Plan) -> Result<Option<Size>, RunError> {
        let problem = match self.reading {
            Reading::Rfc3986 if plan.clauses.is_empty() => {
                let default = if self.vectors.is_built_in() {
                    SuiteSize::Core
                } else {
                    SuiteSize::None
                };
                return Ok(self.suite.unwrap_or(default).size());
            }
            Reading::Rfc3986 => "suites cannot be selected by --clause".to_owned(),
            reading => format!("suites are compared under the reading rfc3986, not {reading}"),
        };
        match self.suite {
            None | Some(SuiteSize::None) => Ok(None),
            Some(SuiteSize::Core | SuiteSize::Standard) => Err(format!("{problem}; leave out --suite")),
        }
    }

    fn compare_corpus(&self, started: &SelectedSubjects, file: &Path) -> Result<Finding, RunError> {
        let flagged = flagged(started).map(|(subject, flag, value)| {
            // `diff` does not measure by what a subject follows, unless it is named.
            let claim = subject.declaration().claim.map(|claim| format!(" --specification {}", claim.name()));
            corpus::FlaggedSubject {
                subject,
                flag: format!("{flag} {}{}", shell_words::quote(&value), claim.unwrap_or_default()),
            }
        });
        let detail = match self.all {
            true => corpus::CorpusDetail::Lines,
            false => corpus::CorpusDetail::Classes,
        };
        corpus::run(
            started,
            &flagged.collect::<Vec<_>>(),
            file,
            self.reading,
            self.format,
            detail,
        )
    }

    /// The file that failures are shown at, which has to be one of the repository: the baseline, else the word of the command that names one
    /// below the current folder, else the manifest there, which names the library; without any, the baseline that there could be.
    fn file(&self, planned: &PlannedSubject<'_>) -> String {
        const MANIFESTS: [&str; 10] = [
            "Cargo.toml",
            "pyproject.toml",
            "setup.py",
            "package.json",
            "go.mod",
            "composer.json",
            "Gemfile",
            "pom.xml",
            "build.gradle",
            "CMakeLists.txt",
        ];
        let below = |path: &Path| {
            let folder = env::current_dir().unwrap_or_default();
            path.strip_prefix(folder).unwrap_or(path).to_owned()
        };
        let is_here = |path: &PathBuf| path.is_relative() && path.is_file();
        let words = || shell_words::split(planned.command.as_deref()?).ok();
        let of_command = || words()?.iter().map(|word| below(Path::new(word))).find(is_here);
        let manifest = || MANIFESTS.iter().map(PathBuf::from).find(is_here);
        let file = self.baseline.as_deref().map(below).or_else(of_command).or_else(manifest);
        file.unwrap_or_else(|| PathBuf::from("uriproof.toml")).display().to_string()
    }

    /// The command that runs a subject again, without the vector.
    fn again(&self, flag: &str, value: &str) -> String {
        let reading = match self.reading {
            Reading::Rfc3986 => String::new(),
            reading => format!(" --reading {reading}"),
        };
        let claim = self.selection.specification_flag();
        let suite = match self.suite {
            None => "",
            Some(SuiteSize::None) => " --suite none",
            Some(SuiteSize::Core) => " --suite core",
            Some(SuiteSize::Standard) => " --suite standard",
        };
        format!(
            "uriproof check {flag} {}{claim}{reading}{suite}{}",
            shell::quoted(value),
            self.vectors.flags()
        )
    }

    /// The compared answers, with the causes of the ledger where these apply.
    fn results<'r>(
        &self,
        library: &Library,
        started: &SelectedSubjects,
        planned: &[PlannedSubject<'r>],
        judgements: &'r [Judgement<'_>],
    ) -> Result<Run<'r>, RunError> {
        let results = planned.iter().zip(judgements).map(|(one, judgement)| {
            let compared =
                judgement.cases.iter().filter_map(|case| Some((&*case.vector, Cow::Borrowed(case.result.as_ref()?))));
            (one.subject.declaration(), compared.collect())
        });
        let count = self.vectors.count(library, planned.iter().any(PlannedSubject::has_whatwg))?;
        let mut run = model::of_results(library, self.reading, count, results.collect());
        let subjects: Vec<&dyn Subject> = planned.iter().map(|one| one.subject).collect();
        // The ledger knows the built-in subjects by what they are, not by what they are said to claim.
        let is_known = match self.selection.specification {
            None => true,
            // What such a library does otherwise than the URL Standard is in its profile.
            Some(Claim::Whatwg) => {
                let ledger = self.ledger.ledger()?;
                subjects.iter().all(|subject| ledger.follows_url_standard(subject.declaration()))
            }
            Some(_) => false,
        };
        if started.commands.is_empty() && is_known && interrupt::stopped().is_none() {
            causes::add_causes(&mut run, &subjects, self.ledger.ledger()?);
        }
        Ok(run)
    }

    /// The files of `--output`, with their texts.
    fn outputs(&self, printed: &PrintedRun<'_, '_>) -> Result<Vec<(PathBuf, String)>, RunError> {
        let outputs = self.output.iter().map(|(format, path)| {
            let text = printed.text(*format)?;
            let is_styled = *format == CheckFormat::Human;
            Ok((
                path.clone(),
                if is_styled {
                    anstream::adapter::strip_str(&text).to_string()
                } else {
                    text
                },
            ))
        });
        outputs.collect()
    }

    fn print_results(&self, text: &str) -> Result<(), RunError> {
        match self.format {
            CheckFormat::Human => print(text),
            _ => print_data(text),
        }
    }
}
