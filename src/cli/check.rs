//! `uriproof check`: vectors against subjects, the gate of a library.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use uriproof::algorithms::Size;
use uriproof::compare::DifferenceKind;
use uriproof::gate::{self, Baseline, Claim, Conclusion, Judgement, Plan, Step, Written};
use uriproof::model::{OneLine, Reading, Subject};
use uriproof::run::Counts;
use uriproof::severity::Severity;
use uriproof::vectors::Library;
use uriproof_lab::divergence::ledger::Cause;

use crate::cli::command::{RunSelection, SelectedSubjects};
use crate::cli::ledger::LedgerSelection;
use crate::cli::select::{VectorSelection, parse_claim, parse_reading};
use crate::cli::{Finding, Ran, RunError, corpus, files, interrupt, print, print_data, probe, warn};
use crate::report::gate::{Judged, Sheet, badge, github, junit, markdown, sarif, tap};
use crate::report::model::{self, AnsweredVector, Core, Run, SubjectRun};
use crate::report::{classes, json, shell};

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FAINT: Style = Style::new().dimmed();

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
    /// What the library claims to parse: URI, URI-reference, absolute-URI, http, IRI or IRI-reference [default: what it
    /// declares]
    #[arg(long, value_parser = parse_claim, value_name = "NAME")]
    specification: Option<Claim>,
    /// A TOML file of known failures; other failures, and entries that no longer fail, exit with 1
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Update the --baseline file: keep its entries, add new failures as `unexplained`
    #[arg(long, requires = "baseline", conflicts_with_all = ["only", "clause"])]
    write_baseline: bool,
    /// Print every vector that diverges, not one for each class; with --corpus, every line
    #[arg(long)]
    all: bool,
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
    /// Some 200,000 inputs
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
    plan: Plan,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Finding, RunError> {
    if arguments.probe {
        return probe::run(&arguments.selection.commands, arguments.format);
    }
    let started = arguments.selection.start()?;
    let library = arguments.vectors.library()?;
    if let Some(problem) = library.lint().first() {
        return Err(format!("{problem}; `uriproof vectors lint` shows all"));
    }
    let planned = arguments.planned(&started, &library)?;
    if let Some(file) = &arguments.corpus {
        return arguments.compare_corpus(&started, file);
    }
    let baseline = arguments.baseline(&planned, &library)?;
    let outputs = arguments.output.iter().map(|(_, path)| path.as_path());
    files::expect_writable(outputs.chain(arguments.baseline.as_deref().filter(|_| arguments.write_baseline)))?;
    interrupt::note()?;

    let judgements: Vec<Judgement<'_>> = planned.iter().map(|one| ask(one, &library, baseline.as_ref())).collect();
    let is_plain = started.commands.is_empty() && baseline.is_none() && !arguments.write_baseline;
    let suite = is_plain
        && arguments.specification.is_none()
        && arguments.vectors.is_everything()
        && arguments.reading == Reading::Rfc3986
        && interrupt::stopped().is_none();
    let run = arguments.results(&library, &started, &planned, &judgements, suite)?;
    let judged = judgements.iter().zip(&planned).zip(&run.subjects);
    let judged = judged.map(|((judgement, one), subject)| Judged {
        judgement,
        again: one.again.clone(),
        cores: &subject.cores,
    });
    let sheet = Sheet {
        library: &library,
        subjects: judged.collect(),
    };
    let printed = PrintedRun {
        sheet: &sheet,
        run: &run,
        judgements: &judgements,
        all: arguments.all,
        suite,
        has_baseline: baseline.is_some(),
    };
    let outputs = arguments.outputs(&printed)?;
    let text = printed.text(arguments.format)?;
    if let (true, Some(path)) = (arguments.write_baseline, &arguments.baseline) {
        let written = written(&judgements[0], &library, baseline.as_ref());
        return arguments.replace_baseline(path, written, outputs, &text);
    }
    files::write(&outputs)?;
    arguments.print_results(&text)?;
    finding(&run, &judgements, is_plain)
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
        Step::ToRun(inputs) => bar.inc_length(inputs),
        Step::Ran => bar.inc(1),
    };
    let checked = gate::check(one.subject, library, &one.plan, step, &interrupt::stopped);
    bar.finish_and_clear();
    gate::judge(declaration, checked, baseline, &gate::today())
}

/// The finding of the whole run. A gate that compared nothing has not passed; for built-in subjects that is only printed.
fn finding(run: &Run<'_>, judgements: &[Judgement<'_>], is_plain: bool) -> Result<Finding, RunError> {
    if let Some((judgement, reason)) = judgements.iter().find_map(|one| Some((one, one.lost.as_ref()?))) {
        return Err(format!("{} was not asked everything: {reason}", judgement.subject));
    }
    if let Some(reason) = interrupt::stopped() {
        return Err(format!("not everything was asked: {reason}"));
    }
    let is_unexpected = judgements.iter().any(|judgement| match judgement.conclusion() {
        Conclusion::Pass => false,
        Conclusion::Fail | Conclusion::Broken => true,
        Conclusion::Nothing => !is_plain,
    });
    let compared: u64 = judgements.iter().map(Judgement::compared).sum();
    Ran {
        compared: vec![("the subjects".to_owned(), compared)],
        is_unexpected: is_unexpected || run.subjects.iter().any(has_failed_a_suite),
        lost: None,
    }
    .finding()
}

fn has_failed_a_suite(subject: &SubjectRun<'_>) -> bool {
    subject.cores.iter().any(Core::has_failed)
}

impl Arguments {
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
            plan: Plan {
                reading: self.reading,
                suite,
                // A built-in subject declares its own.
                claim: self.specification.or_else(|| Claim::of(subject.declaration()).filter(|_| flag == "--command")),
                ..plan.clone()
            },
        });
        Ok(planned.collect())
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
        let flagged = flagged(started).map(|(subject, flag, value)| corpus::FlaggedSubject {
            subject,
            flag: format!("{flag} {}", shell_words::quote(&value)),
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

    /// The command that runs a subject again, without the vector.
    fn again(&self, flag: &str, value: &str) -> String {
        let reading = match self.reading {
            Reading::Rfc3986 => String::new(),
            reading => format!(" --reading {reading}"),
        };
        let claim = self.specification.map(|claim| format!(" --specification {}", claim.name())).unwrap_or_default();
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

    fn baseline(&self, planned: &[PlannedSubject<'_>], library: &Library) -> Result<Option<Baseline>, RunError> {
        let Some(path) = &self.baseline else {
            return Ok(None);
        };
        let [one] = planned else {
            return Err(format!(
                "a baseline is about one subject, and {} are asked: select one by --subject or --command",
                planned.len()
            ));
        };
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.write_baseline => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(format!("{} is not there; --write-baseline makes it", path.display()));
            }
            text => text.map_err(|error| format!("{} cannot be read: {error}", path.display()))?,
        };
        let baseline = Baseline::read(path, &text).map_err(|error| error.to_string())?;
        baseline.check_subject(one.subject.declaration()).map_err(|error| error.to_string())?;
        if !self.write_baseline {
            baseline.check_ids(library).map_err(|error| error.to_string())?;
        }
        Ok(Some(baseline))
    }

    /// The compared answers, with the core suites and the classes of the ledger where these apply.
    fn results<'r>(
        &self,
        library: &Library,
        started: &SelectedSubjects,
        planned: &[PlannedSubject<'r>],
        judgements: &'r [Judgement<'_>],
        suite: bool,
    ) -> Result<Run<'r>, RunError> {
        let results = planned.iter().zip(judgements).map(|(one, judgement)| {
            let compared =
                judgement.cases.iter().filter_map(|case| Some((&*case.vector, Cow::Borrowed(case.result.as_ref()?))));
            (one.subject.declaration(), compared.collect())
        });
        let count = self.vectors.select(library)?.len();
        let mut run = model::of_results(library, self.reading, count, results.collect());
        let subjects: Vec<&dyn Subject> = planned.iter().map(|one| one.subject).collect();
        if suite {
            model::add_core_suites(&mut run, &subjects);
        }
        // The ledger knows the built-in subjects by what they are, not by what they are said to claim.
        if started.commands.is_empty() && self.specification.is_none() && interrupt::stopped().is_none() {
            classes::add_classes(&mut run, &subjects, self.ledger.ledger()?);
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

    /// Writes the new baseline with the other files, and prints how it differs from the old one.
    fn replace_baseline(
        &self,
        path: &Path,
        written: Result<Written, RunError>,
        outputs: Vec<(PathBuf, String)>,
        text: &str,
    ) -> Result<Finding, RunError> {
        let written = match written {
            Ok(written) => written,
            Err(reason) => {
                files::write(&outputs)?;
                self.print_results(text)?;
                return Err(format!("{} is not written: {reason}", path.display()));
            }
        };
        files::write(&[outputs, vec![(path.to_owned(), written.text.clone())]].concat())?;
        // On stdout, unless results for programs were wanted there.
        match self.format {
            CheckFormat::Human => print(&format!("{}\n", changes(path, &written)))?,
            _ => {
                self.print_results(text)?;
                warn(&changes(path, &written));
            }
        }
        if written.unexplained > 0 {
            warn(&format!(
                "{} entries of {} are `unexplained`: give each a kind and a reason",
                written.unexplained,
                path.display()
            ));
        }
        Ok(Finding::Expected)
    }
}

/// The baseline that is to be written, or why none is.
fn written(judgement: &Judgement<'_>, library: &Library, before: Option<&Baseline>) -> Result<Written, RunError> {
    match &judgement.lost {
        Some(reason) => Err(format!("not everything was asked: {reason}")),
        None if judgement.conclusion() == Conclusion::Nothing => Err("nothing was compared".to_owned()),
        None => {
            judgement.check_repeats()?;
            Baseline::written(judgement, library, before)
        }
    }
}

fn changes(path: &Path, written: &Written) -> String {
    format!(
        "wrote {}: {} lines added, {} changed, {} deleted",
        OneLine(&path.display().to_string()),
        written.added,
        written.changed,
        written.deleted
    )
}

/// The failures of a class, the most severe that they show; without a class, those of one severity and kind of difference.
type OfClass<'r, 'v> = (
    Result<usize, (Severity, DifferenceKind)>,
    Vec<(&'r AnsweredVector<'v>, &'r gate::Failure)>,
);

/// The values of a key, added at the end if there are none yet.
fn entry<K: PartialEq, V: Default>(map: &mut Vec<(K, V)>, key: K) -> &mut V {
    let at = map.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
        map.push((key, V::default()));
        map.len() - 1
    });
    &mut map[at].1
}

/// What is shown of a run.
struct PrintedRun<'r, 'v> {
    sheet: &'r Sheet<'r, 'v>,
    run: &'r Run<'v>,
    judgements: &'r [Judgement<'v>],
    all: bool,
    suite: bool,
    has_baseline: bool,
}

impl PrintedRun<'_, '_> {
    fn text(&self, format: CheckFormat) -> Result<String, RunError> {
        Ok(match format {
            CheckFormat::Human => self.human(),
            CheckFormat::Json => json::to_json(self.run, self.judgements),
            CheckFormat::Junit => junit::junit(self.sheet)?,
            CheckFormat::Sarif => sarif::sarif(self.sheet),
            CheckFormat::Tap => tap::tap(self.sheet),
            CheckFormat::Github => github::github(self.sheet),
            CheckFormat::Markdown => markdown::markdown(self.sheet),
            CheckFormat::Badge => badge::badge(self.sheet),
        })
    }

    /// First the verdict on each subject, then what differs, by clause, the worst first, then what was not compared.
    fn human(&self) -> String {
        let run = self.run;
        let suite = match self.suite {
            true => "and the core suite",
            false => "without the core suite, which `uriproof complete` asks",
        };
        let mut text = format!("{} vectors, reading {}, {suite}\n\n", run.vectors, run.reading);
        let width = run.subjects.iter().map(|subject| subject.declaration.label().len()).max().unwrap_or_default();
        for (subject, judgement) in run.subjects.iter().zip(self.judgements) {
            let tally = judgement.tally();
            let (style, verdict) = match judgement.conclusion() {
                Conclusion::Broken => (BAD, "STOP"),
                Conclusion::Fail => (BAD, "FAIL"),
                _ if has_failed_a_suite(subject) => (BAD, "FAIL"),
                Conclusion::Pass => (GOOD, "pass"),
                // What was never compared has not passed.
                Conclusion::Nothing => (FAINT, "none"),
            };
            let more = [
                (tally.known, "known"),
                (tally.not_asked, "not asked"),
                (tally.survived, "survived only"),
                (tally.lost, "lost"),
                (tally.unrepeated, "do not repeat"),
            ];
            let more = more.into_iter().filter(|(count, _)| *count > 0);
            text += &format!(
                "{style}{verdict}{style:#}  {:width$}  {:4} agree  {:4} diverge  {FAINT}{:4} not compared{FAINT:#}{}{}\n",
                subject.declaration.label(),
                tally.agree,
                tally.fail,
                tally.not_compared,
                more.map(|(count, name)| format!("  {count:4} {name}")).collect::<String>(),
                subject.cores.iter().map(core).collect::<String>()
            );
        }
        text += &self.suites();
        let subjects = run.subjects.iter().zip(&self.sheet.subjects);
        for (subject, judged) in subjects {
            text += &self.details(subject, judged);
        }
        let unexplained = classes::unexplained_in_run(run);
        if !unexplained.is_empty() {
            text += "\n";
        }
        for one in unexplained {
            writeln!(text, "{BAD}unexplained{BAD:#} {one}").expect("writes to a string");
        }
        text
    }

    /// What came of the suites, in a line for each subject.
    fn suites(&self) -> String {
        let mut text = String::new();
        for judgement in self.judgements.iter().filter(|judgement| !judgement.suites.is_empty()) {
            let sum =
                |count: fn(&Counts) -> u64| judgement.suites.iter().map(|suite| count(&suite.counts)).sum::<u64>();
            let groups: usize = judgement.suites.iter().map(|suite| suite.groups).sum();
            let of = if self.judgements.len() > 1 {
                format!(" of {}", judgement.subject)
            } else {
                String::new()
            };
            let differs = match groups {
                0 => String::new(),
                _ => format!(
                    ", {BAD}{} diverge in {groups} groups{BAD:#}",
                    sum(|counts| counts.diverge)
                ),
            };
            writeln!(
                text,
                "      suites{of}: {} answers agree{differs}{FAINT}, {} not compared{FAINT:#}",
                sum(|counts| counts.agree),
                sum(|counts| counts.not_compared + counts.left_out)
            )
            .expect("writes to a string");
        }
        text
    }

    fn details(&self, subject: &SubjectRun<'_>, judged: &Judged<'_, '_>) -> String {
        let judgement = judged.judgement;
        let mut text = String::new();
        if judgement.conclusion() == Conclusion::Fail || judgement.tally().fail > 0 || has_failed_a_suite(subject) {
            text += &self.failures(subject, judged);
        }
        text += &mixed_choices(judgement);
        // Many subjects are looked at; one is worked on.
        if self.judgements.len() == 1 {
            let reasons = judgement.reasons();
            if !reasons.is_empty() {
                text.push('\n');
            }
            for (reason, count) in reasons {
                writeln!(text, "{FAINT}{count:4} {}{FAINT:#}", OneLine(&reason)).expect("writes to a string");
            }
            for suite in judgement.suites.iter().filter(|suite| !suite.not_compared.is_empty()) {
                writeln!(text, "{FAINT}     {suite}{FAINT:#}").expect("writes to a string");
            }
        }
        let tally = judgement.tally();
        if self.judgements.len() == 1 && tally.fail > tally.unrepeated && !self.has_baseline {
            text += &format!(
                "\n{FAINT}what is meant, or is to be mended later, goes into a baseline: --baseline uriproof.toml \
                 --write-baseline{FAINT:#}\n"
            );
        }
        if !judgement.problems.is_empty() {
            writeln!(text, "\n{BAD}the baseline is to be changed{BAD:#}").expect("writes to a string");
        }
        for problem in &judgement.problems {
            writeln!(text, "  {problem}").expect("writes to a string");
        }
        if judgement.unexplained > 0 {
            text += &format!(
                "\n{FAINT}{} lines of the baseline are `unexplained` and wait for a reason{FAINT:#}\n",
                judgement.unexplained
            );
        }
        text
    }

    fn failures(&self, subject: &SubjectRun<'_>, judged: &Judged<'_, '_>) -> String {
        let mut text = format!("\n{BAD}{}{BAD:#}\n", subject.declaration.label());
        for core in subject.cores.iter().filter(|core| core.has_failed()) {
            let Some(shortest) = core.score.shortest() else {
                continue;
            };
            text += &format!(
                "\n  core suite, {} of {}  {FAINT}`uriproof complete` shows every cluster{FAINT:#}\n    {} clusters, \
                 the shortest string is \"{}\": {}\n",
                core.rule,
                core.language,
                core.score.clusters.len(),
                shortest.witness.escape_default(),
                shortest.observed
            );
        }
        // By clause and by the most severe class: one vector is printed for all of its class. The worst failure comes first, then those of
        // its class and of its clause.
        let answers: BTreeMap<&str, &AnsweredVector<'_>> =
            subject.answers.iter().map(|answer| (&*answer.vector.id, answer)).collect();
        let (unrepeated, repeated): (Vec<_>, Vec<_>) =
            judged.judgement.failures().into_iter().partition(|(_, failure)| failure.unrepeated.is_some());
        if !unrepeated.is_empty() {
            text += &format!(
                "\n  does not repeat  {FAINT}it diverges, and agrees when the same input is put to it again, at once or in a \
                 new process{FAINT:#}\n"
            );
        }
        for (vector, failure) in unrepeated {
            text += &self.failure(subject, judged, answers[&*vector.id], failure);
        }
        let mut by_clause: Vec<(&str, Vec<OfClass<'_, '_>>)> = Vec::new();
        for (vector, failure) in repeated {
            let answer = answers[&*vector.id];
            let class = answer.classes.first().copied().ok_or((failure.severity, failure.kind));
            let classes = entry(&mut by_clause, &*vector.clauses[0]);
            entry(classes, class).push((answer, failure));
        }
        for (clause, classes) in by_clause {
            let quote = self.sheet.library.clause(clause).map(|clause| clause.quote.as_str()).unwrap_or_default();
            writeln!(text, "\n  {}  {FAINT}{}{FAINT:#}", OneLine(clause), OneLine(quote)).expect("writes to a string");
            for (_, failures) in classes {
                let shown = if self.all { failures.len() } else { 1 };
                for (answer, failure) in &failures[..shown] {
                    text += &self.failure(subject, judged, answer, failure);
                }
                let hidden = failures.len() - shown;
                if hidden > 0 {
                    text += &format!("      {FAINT}and {hidden} more of this class; --all shows them{FAINT:#}\n");
                }
            }
        }
        text
    }

    fn failure(
        &self,
        subject: &SubjectRun<'_>,
        judged: &Judged<'_, '_>,
        answer: &AnsweredVector<'_>,
        failure: &gate::Failure,
    ) -> String {
        let vector = answer.vector;
        let mut text = format!(
            "    {BAD}{}:{BAD:#} {}  {FAINT}{} ({}){FAINT:#}\n      expected  {}\n      got       {}\n",
            failure.severity,
            vector.input,
            OneLine(&vector.id),
            vector.level,
            OneLine(&failure.expected),
            OneLine(&failure.got)
        );
        for (name, line) in failure.unrepeated.iter().flat_map(|unrepeated| unrepeated.lines()) {
            writeln!(text, "      {name:8}  {line}").expect("writes to a string");
        }
        if let Some((place, said)) = &failure.known_as {
            text += &format!(
                "      baseline  {} says `{}`; now it is `{}`: change that line\n",
                OneLine(place),
                OneLine(said),
                OneLine(&failure.brief)
            );
        }
        for shown in subject.classes_of(answer) {
            let cause = match classes::known(self.run, subject, shown).map(|known| known.entry) {
                Some(entry) if entry.cause != Cause::Unexplained => {
                    format!("{}: {}", entry.cause, OneLine(&entry.explanation))
                }
                _ => "not explained".to_owned(),
            };
            text += &format!(
                "      class     {}  {FAINT}{}; {cause}{FAINT:#}\n",
                shown.class.fingerprint, shown.severity
            );
        }
        if let Some(note) = &vector.note {
            writeln!(text, "      note      {}", OneLine(note)).expect("writes to a string");
        }
        writeln!(text, "      {FAINT}again     {}{FAINT:#}", judged.again(vector)).expect("writes to a string");
        text
    }
}

/// Where a subject mixes choices that the RFC leaves open: the majority, and the vectors that depart from it.
fn mixed_choices(judgement: &Judgement<'_>) -> String {
    let mixed = judgement.mixed_choices();
    if mixed.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n{}: mixed choices  {FAINT}each answer conforms, but no single choice fits all; a note, not a failure{FAINT:#}\n",
        judgement.subject
    );
    for choices in mixed {
        writeln!(text, "  {}", OneLine(&choices.to_string())).expect("writes to a string");
        for same in choices.departing() {
            let names = same.names();
            for id in &same.vectors {
                writeln!(text, "    {}  {FAINT}{}{FAINT:#}", OneLine(&names), OneLine(id)).expect("writes to a string");
            }
        }
    }
    text
}

/// What came of a core suite, for the subject's line.
fn core(core: &Core) -> String {
    let iri = core.language.strip_prefix("RFC 3986 with ").map(|profile| format!(" ({profile})")).unwrap_or_default();
    match core.score.diverge() {
        0 if core.score.not_compared() > 0 => {
            format!(
                "  core suite{iri} {FAINT}{} not compared{FAINT:#}",
                core.score.not_compared()
            )
        }
        0 => format!("  core suite{iri} {GOOD}passed{GOOD:#}"),
        diverge => format!(
            "  core suite{iri} {BAD}{diverge}{BAD:#} of {} diverge",
            core.score.answers()
        ),
    }
}
