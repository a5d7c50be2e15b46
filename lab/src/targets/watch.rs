//! Stopping only on news: what subjects do otherwise, and what of it the ledger does not explain.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::time::{Duration, Instant};

use uriproof::compare::{Difference, DifferenceKind, Verdict};
use uriproof::model::{Component, Input, Operation, Outcome, Reading, Subject};
use uriproof::run::{self, Brief, Counts, Result, Sample};
use uriproof::severity::Severity;
use uriproof::vectors::Library;

use super::signature::{CharacterSignature, Signature, hash};
use crate::divergence::fingerprint::Class;
use crate::divergence::ledger::{Ledger, expected_text};
use crate::predict::{Explanation, Prediction, Predictors};
use crate::ready::ready_vector;

/// The variable of the environment that names the [`Mode`].
pub const VARIABLE: &str = "URIPROOF_FUZZ";

/// What to do about a divergence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Stop on a class that is not in the ledger.
    #[default]
    Abort,
    /// Never stop: count.
    Collect,
    /// Stop on this class, in the ledger or not, and on no other.
    Only(String),
}

impl Mode {
    /// Reads what the variable holds.
    ///
    /// # Errors
    ///
    /// What it can be, on one line. A class need not be in the ledger, but begins with an operation and a kind of difference.
    pub fn read(text: Option<&str>) -> std::result::Result<Mode, String> {
        let (class, given) = match text {
            None | Some("" | "abort") => return Ok(Mode::Abort),
            Some("collect") => return Ok(Mode::Collect),
            Some(other) => (other.strip_prefix("only=").unwrap_or_default(), other),
        };
        let (operation, kind) = first_words(class);
        let can_be = |names: Vec<&str>| names.join(", ");
        let complaint = if class.is_empty() {
            "it can be abort, collect, only=CLASS".to_owned()
        } else if Operation::ALL.iter().all(|one| one.name() != operation) {
            let operations = can_be(Operation::ALL.map(Operation::name).into());
            format!("a class begins with an operation: {operations}")
        } else if DifferenceKind::ALL.iter().all(|one| one.name() != kind) {
            let kinds = can_be(DifferenceKind::ALL.map(DifferenceKind::name).into());
            format!("the second word of a class is a kind of difference: {kinds}")
        } else {
            return Ok(Mode::Only(class.to_owned()));
        };
        Err(format!("{VARIABLE} is `{given}`; {complaint}"))
    }
}

/// Every so many-th occurrence of a signature is looked at in full, whatever its characters.
const PERIOD: u64 = 1024;

/// The most sets of characters that are kept in mind: beyond, only every [`PERIOD`]th occurrence is looked at.
const MOST_SETS: usize = 1 << 20;

/// What a share of the inputs suffices for is done on one of so many.
const SHARE: u64 = 64;

/// Counts what subjects do otherwise, and keeps what is news.
///
/// Integers stand for a class in the common case. Only the first input of each [`Signature`] and [`CharacterSignature`], and every
/// 1024th of a signature, is looked at in full. If the ledger has all its classes, later ones alike are counted and passed over.
pub struct Watch<'a> {
    subjects: &'a [&'a dyn Subject],
    /// Which inputs are put to each subject.
    samples: Vec<Sample>,
    ledger: Ledger,
    predictors: Predictors,
    mode: Mode,
    /// Whether each divergence is looked at in full.
    looks_at_everything: bool,
    seen: HashMap<Signature, u64>,
    looked_at: HashSet<(Signature, CharacterSignature)>,
    due: Vec<Due>,
    figures: Figures,
}

/// A divergence to be looked at in full.
struct Due {
    /// The place of its subject.
    subject: usize,
    /// The answer of the subject when the input was run again.
    result: Result,
    /// Whether that was no divergence any more.
    has_gone: bool,
    /// What the profile of the subject predicts, if that is another answer.
    predicted: Option<Outcome>,
}

/// A class that is not in the ledger, or the one that is looked for.
pub struct News<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// The class, with its witness.
    pub class: Class,
    /// The input that showed it.
    pub input: Input,
    /// What every subject does on the witness, a line each.
    pub table: String,
    /// Whether the subject agreed when the input was run again.
    pub has_gone: bool,
    /// What the profile of the subject predicts, if that is another answer: then it is news, whatever its class.
    pub predicted: Option<Outcome>,
    /// The combination of the profile's deviations that comes nearest to the answer to the witness, if it is predicted.
    pub nearest: Option<String>,
}

/// What a run has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Inputs that were put to the subjects.
    pub inputs: u64,
    /// Answers.
    pub answers: u64,
    /// Answers that could not be compared.
    pub not_compared: u64,
    /// Answers that diverged.
    pub diverged: u64,
    /// Signatures that were met.
    pub signatures: usize,
    /// How many inputs had been put when the last new signature was met.
    pub last_new: u64,
    /// Divergences that are what the profile of their subject predicts.
    pub predicted: u64,
    /// Divergences that were looked at in full.
    pub looked_at: u64,
    /// How long those looks took.
    pub looking: Duration,
    /// How long running and comparing took.
    pub asking: Duration,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { looked_at, looking, .. } = self;
        let share = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
        write!(
            f,
            "{} inputs, {:.1} us each: {} answers, {} not compared, {} diverged, {} of them as predicted; {} signatures, the last new one at input {}; \
             {looked_at} looked at in full ({:.3} % of those that diverged, {:.0} us each, {:.1} % of the time of asking and looking)",
            self.inputs,
            self.asking.as_secs_f64() * 1e6 / self.inputs.max(1) as f64,
            self.answers,
            self.not_compared,
            self.diverged,
            self.predicted,
            self.signatures,
            self.last_new,
            share(*looked_at as f64, self.diverged as f64),
            looking.as_secs_f64() * 1e6 / (*looked_at).max(1) as f64,
            share(looking.as_secs_f64(), (*looking + self.asking).as_secs_f64()),
        )
    }
}

impl<'a> Watch<'a> {
    /// Of subjects, by what a ledger knows of them. One with a [budget](Subject::budget) gets a share of the inputs.
    pub fn new(subjects: &'a [&'a dyn Subject], ledger: Ledger, mode: Mode) -> Watch<'a> {
        Watch {
            subjects,
            samples: subjects.iter().map(|subject| Sample::of_endless(*subject)).collect(),
            predictors: Predictors::of(subjects, &ledger),
            ledger,
            mode,
            looks_at_everything: false,
            seen: HashMap::new(),
            looked_at: HashSet::new(),
            due: Vec::new(),
            figures: Figures::default(),
        }
    }

    /// Looks at each divergence in full, and not only at the first of each kind: for files that are run alone, so that what stopped
    /// a run stops it again.
    #[must_use]
    pub fn looking_at_everything(mut self) -> Watch<'a> {
        self.looks_at_everything = true;
        self
    }

    /// Runs every input on every subject, however slow it is.
    #[must_use]
    pub fn asking_slow_ones(mut self) -> Watch<'a> {
        self.samples.fill(Sample::ALL);
        self
    }

    /// Runs only one of 64 inputs on the subjects that are not among these; all of them if one class is looked for.
    #[must_use]
    pub fn asking_mostly(mut self, often: &[&dyn Subject]) -> Watch<'a> {
        if matches!(self.mode, Mode::Only(_)) {
            return self.asking_slow_ones();
        }
        let labels: HashSet<String> = often.iter().map(|subject| subject.declaration().label()).collect();
        for (subject, sample) in self.subjects.iter().zip(&mut self.samples) {
            if !labels.contains(&subject.declaration().label()) {
                *sample = sample.thinned(SHARE);
            }
        }
        self
    }

    /// Whether checks that need only a share of the inputs are due on a file: always, if every subject is run.
    pub(super) fn is_drawn(&self, data: &[u8]) -> bool {
        self.samples.iter().all(|sample| sample.is_whole()) || draw(data).is_multiple_of(SHARE)
    }

    /// Puts an input, which a file came to, to the subjects: to those that get a share only, if the file is in it.
    pub fn ask(&mut self, data: &[u8], input: &Input) {
        let started = Instant::now();
        self.figures.inputs += 1;
        let drawn = draw(data).into();
        let put = self.subjects.iter().copied().enumerate().filter(|(place, _)| self.samples[*place].takes(drawn));
        if self.mode == Mode::Abort {
            let disagreeing = run::observed_in_brief(put, input);
            let diverging = disagreeing.diverging.iter();
            let diverging = diverging.map(|(subject, (brief, observed))| (*subject, brief, Some(observed)));
            self.note_all(input, disagreeing.counts, diverging);
        } else {
            let disagreeing = run::in_brief(put, input);
            let diverging = disagreeing.diverging.iter().map(|(subject, brief)| (*subject, brief, None));
            self.note_all(input, disagreeing.counts, diverging);
        }
        self.figures.asking += started.elapsed();
    }

    /// Counts the answers to an input, and notes what diverges: the place of the subject, how, and what it did where that is kept.
    fn note_all<'d>(
        &mut self,
        input: &Input,
        counts: Counts,
        diverging: impl ExactSizeIterator<Item = (usize, &'d Brief, Option<&'d Outcome>)>,
    ) {
        self.figures.answers += counts.answers();
        self.figures.not_compared += counts.not_compared;
        self.figures.diverged += counts.diverge;
        if diverging.len() == 0 {
            return;
        }
        let characters = CharacterSignature::of(input);
        for (subject, brief, observed) in diverging {
            let is_settled = observed.is_some_and(|observed| self.is_settled(subject, input, brief, observed));
            self.note(subject, input, characters, brief, is_settled);
        }
    }

    fn note(&mut self, subject: usize, input: &Input, characters: CharacterSignature, brief: &Brief, is_settled: bool) {
        let signature = Signature::of(subject, input, brief);
        let count = self.seen.entry(signature).or_default();
        *count += 1;
        if *count == 1 {
            self.figures.signatures += 1;
            self.figures.last_new = self.figures.inputs;
        }
        let is_due = match &self.mode {
            _ if is_settled => false,
            Mode::Collect => false,
            Mode::Only(class) => begins_like(class, input.operation(), brief.difference.kind),
            Mode::Abort => {
                let is_periodical = count.is_multiple_of(PERIOD);
                let has_room = self.looked_at.len() < MOST_SETS;
                self.looks_at_everything || is_periodical || has_room && self.looked_at.insert((signature, characters))
            }
        };
        if is_due {
            let mut result = run::one(self.subjects[subject], input, Reading::Rfc3986);
            let has_gone = !matches!(result.verdict, Verdict::Diverge(_));
            if has_gone {
                // Two different answers to the same input are news, in any case.
                result.verdict = Verdict::Diverge(brief.difference);
            }
            self.due.push(Due {
                subject,
                result,
                has_gone,
                predicted: None,
            });
        }
    }

    /// Whether the profile of a subject reaches a divergence: what it predicts is passed over, what it does not predict is due.
    fn is_settled(&mut self, subject: usize, input: &Input, brief: &Brief, observed: &Outcome) -> bool {
        let Some(predictor) = self.predictors.get(subject) else {
            return false;
        };
        let declaration = self.subjects[subject].declaration();
        // What a normal form is normalized to is another answer than the one to the input.
        let is_one_answer = brief.difference.kind != DifferenceKind::NotIdempotent;
        if is_one_answer
            && predictor.is_whole_in(input.operation())
            && run::given(declaration, input).is_some_and(|given| predictor.predicts(declaration, &given, observed))
        {
            self.figures.predicted += 1;
            return true;
        }
        let result = run::one(self.subjects[subject], input, Reading::Rfc3986);
        match predictor.of_divergence(declaration, &result) {
            Prediction::Exact => {
                self.figures.predicted += 1;
                true
            }
            Prediction::Other(predicted) => {
                self.due.push(Due {
                    subject,
                    result,
                    has_gone: false,
                    predicted: Some(predicted),
                });
                true
            }
            // It agrees now, or it is for the classes.
            Prediction::None => false,
        }
    }

    /// Looks at the inputs since the last call, where that is due: makes the input of a divergence small, and looks its classes
    /// up in the ledger. What is news is given.
    pub fn news(&mut self) -> Vec<News<'a>> {
        let started = Instant::now();
        let mut news = Vec::new();
        for due in std::mem::take(&mut self.due) {
            self.look(&due, &mut news);
            self.figures.looked_at += 1;
        }
        self.figures.looking += started.elapsed();
        news
    }

    /// Whether there is anything to look at.
    pub fn is_due(&self) -> bool {
        !self.due.is_empty()
    }

    fn look(&self, due: &Due, news: &mut Vec<News<'a>>) {
        let (subject, result) = (self.subjects[due.subject], &due.result);
        if due.predicted.is_some() {
            return self.look_at_unpredicted(due, news);
        }
        let label = subject.declaration().label();
        for class in self.classes(due) {
            let is_news = match &self.mode {
                Mode::Only(wanted) => class.fingerprint.as_str() == wanted,
                Mode::Abort | Mode::Collect => !self.ledger.has(&label, &class.fingerprint),
            };
            if is_news {
                news.push(News {
                    subject,
                    table: table(self.subjects, &class.witness.input),
                    class,
                    input: result.input.clone(),
                    has_gone: due.has_gone,
                    predicted: None,
                    nearest: None,
                });
            }
        }
    }

    /// The classes of a divergence that its profile does not predict.
    fn classes(&self, due: &Due) -> Vec<Class> {
        let (subject, result) = (self.subjects[due.subject], &due.result);
        let predictor = self.predictors.get(due.subject).filter(|_| !matches!(self.mode, Mode::Only(_)));
        match Explanation::of(subject, result, Reading::Rfc3986, predictor) {
            // What is inherited from an operation that is predicted is known.
            Explanation::By { deviations, classes } if !deviations.is_empty() || !classes.is_empty() => classes,
            // There is no witness but this one.
            Explanation::By { .. } | Explanation::Unpredicted(_) => Class::of(result.clone()).into_iter().collect(),
        }
    }

    fn look_at_unpredicted(&self, due: &Due, news: &mut Vec<News<'a>>) {
        let (subject, result) = (self.subjects[due.subject], &due.result);
        let smallest = match self.predictors.get(due.subject) {
            Some(predictor) => predictor.smallest(subject, result),
            None => result.clone(),
        };
        if let Some(class) = Class::of(smallest).or_else(|| Class::of(result.clone())) {
            let nearest = self.predictors.get(due.subject).and_then(|predictor| {
                predictor.nearest_text(subject.declaration(), &class.witness.input, &class.witness.observed)
            });
            news.push(News {
                subject,
                table: table(self.subjects, &class.witness.input),
                nearest,
                class,
                input: result.input.clone(),
                has_gone: due.has_gone,
                predicted: due.predicted.clone(),
            });
        }
    }

    /// What the run has come to.
    pub fn figures(&self) -> Figures {
        self.figures
    }
}

/// A number for a file, evenly spread: which shares it is in.
fn draw(data: &[u8]) -> u64 {
    let mixed = hash(data.iter().copied());
    (mixed ^ (mixed >> 32)) >> 3
}

/// Whether a divergence can have a class: its operation and its kind are the first two words of the fingerprint.
///
/// A class that is inherited has the operation that it is inherited from, so the operation `parse` and `round-trip` may come
/// of any.
fn begins_like(class: &str, operation: Operation, kind: DifferenceKind) -> bool {
    match first_words(class) {
        ("parse" | "round-trip", _) => true,
        own => own == (operation.name(), kind.name()),
    }
}

/// The names of the operation and the kind of difference with which the name of a class begins.
fn first_words(class: &str) -> (&str, &str) {
    let mut words = class.split([' ', ':']);
    (words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

/// What every subject does on an input, a line each; those that have no such operation left out.
fn table(subjects: &[&dyn Subject], input: &Input) -> String {
    let results = run::all(subjects, input, Reading::Rfc3986);
    let shown: Vec<(String, &Result)> = subjects
        .iter()
        .zip(&results)
        .filter(|(_, result)| !matches!(result.observed, uriproof::model::Outcome::Unsupported { .. }))
        .map(|(subject, result)| (subject.declaration().label(), result))
        .collect();
    let width = shown.iter().map(|(label, _)| label.len()).max().unwrap_or_default();
    let mut table = String::new();
    for (label, result) in shown {
        writeln!(
            table,
            "  {label:width$}  {:14}  {}",
            result.verdict.name(),
            result.observed
        )
        .expect("writes to a string");
    }
    table
}

impl fmt::Display for News<'_> {
    /// The class, its witness, the subjects side by side, a ready vector, a ready ledger entry, and how to go on.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let News {
            subject,
            class,
            input,
            table,
            has_gone,
            predicted,
            nearest,
        } = self;
        let Class {
            witness,
            difference,
            fingerprint,
        } = class;
        let Difference { kind, components } = difference;
        writeln!(f, "news of {}: {fingerprint}", subject.declaration().label())?;
        if let Some(severity) = Severity::of(witness) {
            writeln!(f, "severity  {severity}")?;
        }
        let components: Vec<&str> = components.iter().map(Component::name).collect();
        writeln!(f, "differs   {} {}", kind.name(), components.join("+"))?;
        writeln!(f, "came up   {} {input}", input.operation())?;
        writeln!(f, "witness   {} {}", witness.input.operation(), witness.input)?;
        writeln!(f, "expected  {}", expected_text(&witness.expected, difference))?;
        writeln!(f, "got       {}", witness.observed)?;
        if let Some(predicted) = predicted {
            writeln!(f, "predicted {predicted} for the input that came up")?;
        }
        if let Some(nearest) = nearest {
            writeln!(f, "nearest   {nearest}")?;
        }
        if *has_gone {
            writeln!(
                f,
                "unstable  it differed at first; that is the answer when the input was put again"
            )?;
        }
        writeln!(f, "side by side\n{}", table.trim_end())?;
        match ready_vector(&witness.input, difference, &Library::embedded()) {
            Ok(vector) => writeln!(
                f,
                "vector\n  {}",
                serde_json::to_string(&vector).map_err(|_| fmt::Error)?
            )?,
            Err(none) => writeln!(f, "vector    {none}")?,
        }
        writeln!(f, "entry")?;
        for line in Ledger::ready_entry(&[*subject], class).lines() {
            writeln!(f, "  {line}")?;
        }
        write!(
            f,
            "again     {VARIABLE}='only={}'",
            fingerprint.as_str().replace('\'', r"'\''")
        )
    }
}

#[cfg(test)]
mod tests;
