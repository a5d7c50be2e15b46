//! Strings put to a subject, and what came of it.
//!
//! Most strings of a suite are invalid, and most subjects say so: they are asked whether they accept a string first
//! ([`Subject::accepts`]), and all that differs, and all that is accepted, is looked at closely after that.

mod part_run;
mod tally;

use rfc3986_reference::components::ReferenceRule;
use serde::{Deserialize, Serialize};
use uriproof::ask::{self, Guard, parse};
use uriproof::compare::{
    BriefVerdict, Difference, DifferenceKind, Verdict, compare, compare_exactly, compare_shown, own_rule,
};
use uriproof::expect::Expected;
use uriproof::gate::Claim;
use uriproof::model::{Declaration, Input, Outcome, Rule, Shown, Specification, Subject};
use uriproof::repeat::{Put, Unrepeated, before, examine};
use uriproof::run::{self, Sample};
use uriproof::screen::Prefix;
use uriproof_grammar::{Dfa, State};

pub use self::part_run::PartRun;
use self::tally::BUDGET;
pub use self::tally::{Cluster, PredictionCounts, Score, StatePair, Suspect};
use super::machines::Machines;
use super::predict::Predictor;

/// Says whether a run is to stop; what is known then is its result.
pub type Stopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// How many clusters have their shortest string put again at the end.
const WITNESSES: usize = 100;

/// Few words that tell states apart are longer.
const LONGEST_WORD: usize = 32;

/// How closely a subject is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// Whether it accepts a string.
    Acceptance,
    /// And which components it reports for a string that it accepts.
    Components,
}

impl Depth {
    /// The closest comparison that is possible for a subject: with components, if it reports any.
    #[must_use]
    pub fn of(self, declaration: &Declaration) -> Depth {
        if declaration.tells.is_empty() {
            Depth::Acceptance
        } else {
            self
        }
    }
}

/// Whether strings beyond US-ASCII are not compared: RFC 3987 governs them, by what the subject claims, and RFC 3986 alone
/// is what it is measured by.
pub fn is_ascii_only(machines: &Machines, declaration: &Declaration) -> bool {
    machines.profiles().is_empty() && declaration.specification == Specification::Rfc3987
}

/// A subject that strings are put to.
pub struct Questioner<'a> {
    subject: &'a dyn Subject,
    machines: &'a Machines,
    rule: Rule,
    machine: &'a Dfa,
    depth: Depth,
    /// Whether the components of valid strings are compared, and are known without the reference.
    knows_components: bool,
    /// RFC 3987 governs what is beyond US-ASCII: under RFC 3986 alone such strings are not compared.
    ascii_only: bool,
    /// Whether there are strings of which the claim of the subject says nothing.
    has_exclusions: bool,
    /// Whether it answers from a process of its own: then each string is put once, and each divergence once more.
    has_process: bool,
    /// Which strings of the suite are put to it.
    sample: Sample,
    /// Its profile, if what that predicts is counted.
    predictor: Option<&'a Predictor>,
    stopped: Stopped<'a>,
}

impl<'a> Questioner<'a> {
    /// Of a subject, by its own rule.
    pub fn new(subject: &'a dyn Subject, machines: &'a Machines, depth: Depth) -> Questioner<'a> {
        let declaration = subject.declaration();
        let (rule, depth) = (own_rule(declaration), depth.of(declaration));
        Questioner {
            subject,
            machines,
            rule,
            machine: machines.of(rule),
            depth,
            knows_components: depth == Depth::Components
                && machines.profiles().is_empty()
                && ReferenceRule::try_from(rule).is_ok(),
            ascii_only: is_ascii_only(machines, declaration),
            has_exclusions: declaration.claim == Some(Claim::Http),
            has_process: subject.digest().is_some(),
            sample: Sample::ALL,
            predictor: None,
            stopped: &|| false,
        }
    }

    /// The same, but it calls the subject no more than it must once the run should stop.
    #[must_use]
    pub fn until(self, stopped: Stopped<'a>) -> Questioner<'a> {
        Questioner { stopped, ..self }
    }

    /// The same, but it counts which divergences a profile predicts; the profile is of the subject as it declares itself.
    #[must_use]
    pub(super) fn with_profile(self, predictor: Option<&'a Predictor>) -> Questioner<'a> {
        Questioner { predictor, ..self }
    }

    /// The same, of a suite of `total` strings, which is put to it as far as its budget allows.
    #[must_use]
    pub(super) fn within_budget(self, total: impl FnOnce() -> u128) -> Questioner<'a> {
        let sample = Sample::of(self.subject, total);
        Questioner { sample, ..self }
    }

    /// A part of the suite from this place on.
    pub fn part(&self, place: u128) -> PartRun<'_> {
        PartRun {
            questioner: self,
            begin: place,
            place,
            score: Score::default(),
        }
    }

    /// The score of a suite, with the reason why strings were left out, if some were.
    pub(super) fn explain(&self, mut score: Score) -> Score {
        if score.left_out() > 0 {
            let (put, total) = self.sample.share();
            score.not_compared.insert(format!("{BUDGET}{put} of {total} strings"), score.left_out());
        }
        score
    }

    /// Whether the run is to stop; then the score says that it is cut.
    fn cuts(&self, score: &mut Score) -> bool {
        score.is_cut |= (self.stopped)();
        score.is_cut
    }

    /// Does what puts strings in parallel; where the subject has a process of its own, on one thread. It is given the same strings in the
    /// same order then, and nothing comes between a string that diverges and the same string put again.
    pub(super) fn in_order<T: Send>(&self, put: impl FnOnce() -> T + Send) -> T {
        let pool = self.has_process.then(|| rayon::ThreadPoolBuilder::new().num_threads(1).build());
        match pool {
            Some(Ok(pool)) => pool.install(put),
            // Without a thread to be had, on those that there are.
            Some(Err(_)) | None => put(),
        }
    }

    /// Counts whether the profile predicts what the subject makes of a string on which it diverges.
    fn count_prediction(&self, text: &str, observed: &Outcome, score: &mut Score) {
        let Some(predictor) = self.predictor else {
            return;
        };
        let counts = score.predictions.get_or_insert_default();
        if predictor.predicts(self.subject.declaration(), &self.input(text), observed) {
            counts.predicted += 1;
        } else {
            counts.add_unpredicted(Cluster {
                count: 1,
                witness: text.to_owned(),
                observed: observed.clone(),
            });
        }
    }

    /// The rule that the subject parses.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What is to be said of a string by whether the subject accepts it; `None` if that is not enough.
    #[inline]
    fn settled(&self, text: &str, valid: bool, accepted: Option<bool>) -> Option<BriefVerdict> {
        let of_kind = |kind| Some(BriefVerdict::Diverges(Difference::of_kind(kind)));
        match (valid, accepted?) {
            _ if self.has_exclusions && self.exclusion(text).is_some() => None,
            (true, true) => (self.depth == Depth::Acceptance).then_some(BriefVerdict::Agrees),
            (true, false) => of_kind(DifferenceKind::RejectedValid),
            (false, _) if self.ascii_only && !text.is_ascii() => None,
            // How it splits the string decides.
            (false, true) if !self.subject.declaration().validates => None,
            (false, true) => of_kind(DifferenceKind::AcceptedInvalid),
            (false, false) => Some(BriefVerdict::Agrees),
        }
    }

    /// Takes an agreement back: the subject has diverged on the same string, too.
    fn retract(&self, text: &str, valid: bool, first: Outcome, score: &mut Score) {
        let again = parse(self.subject, self.rule, text);
        score.agreed.retain(|_, kept| kept != text);
        let counts = score.counts(valid);
        counts.agree -= 1;
        counts.diverge += 1;
        score.suspect(self.suspect(text, first, again, Vec::new()));
    }

    fn suspect(&self, text: &str, first: Outcome, again: Outcome, before: Vec<Input>) -> Suspect {
        Suspect {
            unrepeated: Unrepeated {
                input: self.input(text),
                first,
                again,
                fresh: None,
                sequence: None,
            },
            before,
        }
    }

    /// Why a string is not compared for a subject with this claim, if it is not.
    fn exclusion(&self, text: &str) -> Option<String> {
        self.subject.declaration().claim?.excludes(&self.input(text))
    }

    fn input(&self, text: &str) -> Input {
        Input::Parse {
            rule: self.rule,
            input: text.to_owned(),
        }
    }

    /// What the process was given before it was given a string, which it was given so many times since.
    fn before(&self, text: &str, since: usize) -> Vec<Input> {
        before(self.subject, &self.input(text), since)
    }

    /// Puts again what the score rests on, from one thread: what did not repeat behind the inputs that came before it, the
    /// shortest string of each cluster, and of a process the strings that it agreed on, in another order. Once the run is to stop
    /// the score is cut, and nothing is put any more.
    pub fn put_again(&self, score: &mut Score) {
        if self.cuts(score) {
            return;
        }
        let clusters = || score.clusters.values();
        let mut witnesses: Vec<(String, Outcome)> =
            clusters().map(|cluster| (cluster.witness.clone(), cluster.observed.clone())).collect();
        witnesses.sort_by(|(one, _), (other, _)| (one.len(), one).cmp(&(other.len(), other)));
        witnesses.truncate(WITNESSES);
        // A mode that an earlier call has set ends with its process.
        if self.has_process && !witnesses.is_empty() {
            self.subject.start_anew();
        }
        for (text, first) in witnesses {
            if self.cuts(score) {
                return;
            }
            let (again, verdict) = self.compare(&text);
            if matches!(verdict, Verdict::Agree { .. }) {
                score.suspect(self.suspect(&text, first, again, Vec::new()));
            }
        }
        if self.has_process && score.diverge() == 0 {
            for text in score.agreed.values().cloned().collect::<Vec<_>>() {
                if self.cuts(score) {
                    return;
                }
                let (first, verdict) = self.compare(&text);
                if matches!(verdict, Verdict::Diverge(_)) {
                    let before = self.before(&text, 0);
                    let valid = self.machine.accepts(text.as_bytes());
                    self.retract(&text, valid, first, score);
                    for suspect in score.unrepeated.iter_mut().filter(|suspect| suspect.string() == text) {
                        suspect.before.clone_from(&before);
                    }
                }
            }
        }
        for suspect in &mut score.unrepeated {
            let before = std::mem::take(&mut suspect.before);
            if before.is_empty() || (self.stopped)() || self.subject.lost().is_some() || !self.subject.start_anew() {
                continue;
            }
            let text = suspect.string().to_owned();
            let put = || {
                let (outcome, verdict) = self.compare(&text);
                let diverges = matches!(verdict, Verdict::Diverge(_));
                Put { outcome, diverges }
            };
            let Unrepeated { input, first, .. } = &suspect.unrepeated;
            if let Some(found) = examine(self.subject, input, first, &before, &put, &self.stopped) {
                suspect.unrepeated.fresh = found.fresh;
                suspect.unrepeated.sequence = found.sequence;
            }
        }
        self.cuts(score);
    }

    /// Whether the subject still makes of a string what a score says: agrees on those that are kept, and diverges on the witnesses,
    /// each as it did. Once the run is to stop nothing is put any more.
    ///
    /// # Errors
    ///
    /// The first string of which it makes something else.
    pub fn confirm(&self, score: &Score) -> Result<(), String> {
        for text in score.agreed.values() {
            if (self.stopped)() {
                return Ok(());
            }
            let (outcome, verdict) = self.compare(text);
            if !matches!(verdict, Verdict::Agree { .. }) {
                return Err(format!(
                    "{text:?} was answered as RFC 3986 has it, and is now {outcome}"
                ));
            }
        }
        let mut clusters: Vec<&Cluster> = score.clusters.values().collect();
        clusters.sort_by_key(|cluster| (cluster.witness.len(), &cluster.witness));
        for cluster in clusters.into_iter().take(WITNESSES) {
            if (self.stopped)() {
                return Ok(());
            }
            let does_not_repeat = score.unrepeated.iter().any(|suspect| suspect.string() == cluster.witness);
            let (outcome, verdict) = self.compare(&cluster.witness);
            if !does_not_repeat && !matches!(verdict, Verdict::Diverge(_)) {
                return Err(format!(
                    "{:?} was {}, and is now {outcome}",
                    cluster.witness, cluster.observed
                ));
            }
        }
        Ok(())
    }

    /// Whether the subject reports the expected components of a valid string.
    fn reports_expected(&self, text: &str, expected: &Expected) -> bool {
        let observed = parse(self.subject, self.rule, text);
        let verdict = compare_exactly(self.subject.declaration(), expected, &observed);
        matches!(verdict, Verdict::Agree { .. })
    }

    /// Whether the subject accepts a valid string, none if it cannot say, and what is to be said of the components that it shows.
    #[inline]
    fn sees_components(&self, guard: &Guard, prefix: Prefix, text: &str) -> (Option<bool>, Option<BriefVerdict>) {
        let declaration = self.subject.declaration();
        guard.show(self.subject, self.rule, text, |shown| match shown {
            Shown::Accepted(_) => {
                let components = prefix.components(text);
                let seen = components.as_ref().map(|expected| compare_shown(declaration, text, Some(expected), shown));
                (Some(true), seen)
            }
            Shown::Rejected { .. } => (Some(false), None),
            Shown::Otherwise(_) => (None, None),
        })
    }

    /// The states after a string, of which it is known whether the subject accepts it.
    fn pair(&self, text: &str, machine: State, accepted: Option<bool>) -> StatePair {
        let mut string = String::with_capacity(text.len() + LONGEST_WORD);
        string.push_str(text);
        let subject = ask::guarded(|guard| {
            self.machines.state_of(self.rule, |word| {
                if word.is_empty() {
                    return accepted;
                }
                if (self.stopped)() {
                    return None;
                }
                string.truncate(text.len());
                string.push_str(word);
                guard.call(|| self.subject.accepts(self.rule, &string))
            })
        });
        // Who panics at one of the words is in no state.
        let subject = subject.ok().flatten();
        StatePair { machine, subject }
    }

    /// What the subject makes of a string, and the verdict on it, as closely as it is looked at.
    pub fn compare(&self, text: &str) -> (Outcome, Verdict) {
        self.judge(text, self.machine.accepts(text.as_bytes()), None)
    }

    /// As [`compare`](Questioner::compare), where it is known whether the string matches, and maybe what is expected of it.
    fn judge(&self, text: &str, valid: bool, expected: Option<&Expected>) -> (Outcome, Verdict) {
        let observed = parse(self.subject, self.rule, text);
        // As in the first call, of `accepts`.
        let verdict = match (self.settled(text, valid, observed.is_accepted()), expected) {
            (Some(BriefVerdict::Agrees), _) => Verdict::Agree { conforming: None },
            (Some(BriefVerdict::Diverges(difference)), _) => Verdict::Diverge(difference),
            (_, Some(expected)) if valid => self.verdict(text, expected, &observed),
            _ => self.verdict(text, &self.expected(text, valid), &observed),
        };
        (observed, verdict)
    }

    fn expected(&self, text: &str, valid: bool) -> Expected {
        // Why the reference rejects a string, and where, is never compared.
        if valid {
            self.machines.expected(self.rule, text)
        } else {
            Expected::literally(Outcome::Rejected {
                reason: None,
                offset: None,
            })
        }
    }

    fn verdict(&self, text: &str, expected: &Expected, observed: &Outcome) -> Verdict {
        let declaration = self.subject.declaration();
        let exclusion = || self.exclusion(text).filter(|_| observed.is_accepted().is_some());
        let verdict = if let Some(reason) = self.has_exclusions.then(exclusion).flatten() {
            Verdict::NotComparable { reason }
        } else if self.ascii_only {
            compare(declaration, &self.input(text), expected, observed)
        } else {
            compare_exactly(declaration, expected, observed)
        };
        if declaration.validates {
            return verdict;
        }
        let result = run::Result {
            input: self.input(text),
            expected: expected.clone(),
            observed: observed.clone(),
            verdict,
            choice: None,
        };
        run::without_validation(&result).unwrap_or(result.verdict)
    }
}
