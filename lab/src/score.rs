//! Strings put to a subject, and what came of it.
//!
//! Most strings of a suite are invalid, and most subjects say so: they are asked whether they accept a string first
//! ([`Subject::accepts`]), and all that differs, and all that is accepted, is looked at closely after that.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use rfc3986_reference::components::ReferenceRule;
use serde::{Deserialize, Serialize};
use uriproof::ask::{self, Crash, Guard, parse};
use uriproof::compare::{
    BriefVerdict, Difference, DifferenceKind, Verdict, compare, compare_exactly, compare_shown, own_rule,
};
use uriproof::expect::Expected;
use uriproof::model::{Declaration, Input, Outcome, Rule, Shown, Specification, Subject};
use uriproof::repeat::{Put, Unrepeated, before, examine};
use uriproof::run::{Counts, Sample};
use uriproof::screen::Prefix;
use uriproof_grammar::{Dfa, State};

use super::machines::Machines;

/// What came of putting strings to a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Of strings that match the subject's own rule.
    pub valid: Counts,
    /// Of strings that do not. Scored apart: a parser that rejects everything would pass most of a suite.
    pub invalid: Counts,
    /// Why strings were not compared, and how many for each reason.
    pub not_compared: BTreeMap<String, u64>,
    /// The divergences, by the pair of states after the string and the kind of difference, each with its shortest string and
    /// how many there are.
    pub clusters: BTreeMap<(StatePair, Difference), Cluster>,
    /// Divergences that were agreements when the string was put again, those with the shortest strings.
    pub unrepeated: Vec<Suspect>,
    /// Some of the strings that the subject agreed on, by a hash: they are put again in this order.
    pub agreed: BTreeMap<u64, String>,
    /// Whether the run was stopped before every string was put, or put again.
    pub is_cut: bool,
}

/// Says whether a run is to stop; what is known then is its result.
pub type Stopped<'a> = &'a (dyn Fn() -> bool + Sync);

/// A divergence that did not repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspect {
    /// What is known of it.
    pub unrepeated: Unrepeated,
    /// The inputs that the process was given before; none if they were looked at, or are not known.
    #[serde(skip)]
    before: Vec<Input>,
}

impl Suspect {
    fn string(&self) -> &str {
        match &self.unrepeated.input {
            Input::Parse { input, .. } => input,
            _ => "",
        }
    }
}

/// How many divergences are kept that did not repeat. Each has the inputs that came before it.
const SUSPECTS: usize = 3;

/// How many strings are kept that the subject agreed on.
const AGREED: usize = 200;

/// One of so many strings that a subject without a process agrees on may be kept: to hash each would slow it down.
const KEPT_OF: u64 = 1024;

/// How many clusters have their shortest string put again at the end.
const WITNESSES: usize = 100;

/// The states that a string leads to. What a subject's state is nobody but the subject knows; it is taken for the state of the
/// machine that answers as it does for one word after the other behind the string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatePair {
    /// That of the machine.
    pub machine: State,
    /// That of the subject: none if it panics at one of these words, or cannot say.
    pub subject: Option<State>,
}

impl fmt::Display for StatePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "state {}", self.machine)?;
        match self.subject {
            Some(state) if state == self.machine => Ok(()),
            Some(state) => write!(f, ", answers as in {state}"),
            None => f.write_str(", not every answer behind it"),
        }
    }
}

/// Divergences that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// How many strings show it.
    pub count: u64,
    /// The shortest of them, the first in order of those.
    pub witness: String,
    /// What the subject made of it.
    pub observed: Outcome,
}

impl Score {
    /// Whether every string was compared and agreed.
    pub fn is_clean(&self) -> bool {
        self.diverge() == 0 && self.not_compared() == 0 && !self.is_cut
    }

    /// How many strings were run.
    pub fn answers(&self) -> u64 {
        self.valid.answers() + self.invalid.answers()
    }

    /// How many strings diverge.
    pub fn diverge(&self) -> u64 {
        self.valid.diverge + self.invalid.diverge
    }

    /// How many strings were not compared, whether they were run or not.
    pub fn not_compared(&self) -> u64 {
        self.valid.not_compared + self.invalid.not_compared + self.left_out()
    }

    /// How many strings were not run, to keep within the subject's budget.
    pub fn left_out(&self) -> u64 {
        self.valid.left_out + self.invalid.left_out
    }

    /// Which share of the strings was run, if not all were: `budget: 10 of 1000 strings`.
    pub fn budget(&self) -> Option<&str> {
        self.not_compared.keys().find(|reason| reason.starts_with(BUDGET)).map(String::as_str)
    }

    /// The cluster with the shortest string.
    pub fn shortest(&self) -> Option<&Cluster> {
        self.clusters.values().min_by_key(|cluster| (cluster.witness.len(), &cluster.witness))
    }

    fn counts(&mut self, valid: bool) -> &mut Counts {
        match valid {
            true => &mut self.valid,
            false => &mut self.invalid,
        }
    }

    /// Counts a verdict, and why there is none. Returns the difference, if there is one.
    fn count(&mut self, valid: bool, verdict: Verdict) -> Option<Difference> {
        self.counts(valid).add(BriefVerdict::from(&verdict));
        match verdict {
            Verdict::Agree { .. } => None,
            Verdict::NotComparable { reason } => {
                *self.not_compared.entry(reason).or_default() += 1;
                None
            }
            Verdict::Diverge(difference) => Some(difference),
        }
    }

    /// Adds to a cluster. Its witness is the shortest so far.
    fn cluster(&mut self, key: (StatePair, Difference), count: u64, witness: &str, observed: impl FnOnce() -> Outcome) {
        let known = self.clusters.get(&key);
        let count = count + known.map_or(0, |known| known.count);
        match self.clusters.get_mut(&key) {
            Some(known) if !is_shorter(witness, &known.witness) => known.count = count,
            _ => {
                let cluster = Cluster {
                    count,
                    witness: witness.to_owned(),
                    observed: observed(),
                };
                self.clusters.insert(key, cluster);
            }
        }
    }

    /// Both scores as one; the order means nothing.
    #[must_use]
    pub fn merge(mut self, other: Score) -> Score {
        self.valid += other.valid;
        self.invalid += other.invalid;
        for (reason, count) in other.not_compared {
            *self.not_compared.entry(reason).or_default() += count;
        }
        for (key, cluster) in other.clusters {
            self.cluster(key, cluster.count, &cluster.witness, || cluster.observed);
        }
        for suspect in other.unrepeated {
            self.suspect(suspect);
        }
        self.is_cut |= other.is_cut;
        self.agreed.extend(other.agreed);
        while self.agreed.len() > AGREED {
            self.agreed.pop_last();
        }
        self
    }

    fn suspect(&mut self, suspect: Suspect) {
        self.unrepeated.push(suspect);
        self.unrepeated.sort_by(|one, other| {
            let order = |suspect: &Suspect| (suspect.string().len(), suspect.string().to_owned());
            order(one).cmp(&order(other))
        });
        self.unrepeated.dedup_by(|one, other| one.string() == other.string());
        self.unrepeated.truncate(SUSPECTS);
    }

    /// Counts a string that a subject without a process agrees on; the first may be kept, and one of every [`KEPT_OF`] behind it.
    #[inline]
    fn agree(&mut self, text: &str, valid: bool) {
        let counts = self.counts(valid);
        let is_kept = counts.agree.is_multiple_of(KEPT_OF);
        counts.agree += 1;
        if is_kept {
            self.keep(text);
        }
    }

    /// Keeps a string that the subject agreed on, if its hash is among the smallest.
    #[cold]
    pub(super) fn keep(&mut self, text: &str) {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        if self.agreed.len() < AGREED || self.agreed.last_key_value().is_some_and(|(&last, _)| hash < last) {
            self.agreed.insert(hash, text.to_owned());
            if self.agreed.len() > AGREED {
                self.agreed.pop_last();
            }
        }
    }
}

/// Whether a witness is shorter than another, or as long and before it in order.
fn is_shorter(witness: &str, other: &str) -> bool {
    (witness.len(), witness) < (other.len(), other)
}

/// Few words that tell states apart are longer.
const LONGEST_WORD: usize = 32;

/// The beginning of the reason why strings were not run.
const BUDGET: &str = "budget: ";

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
    /// Whether it answers from a process of its own: then each string is put once, and each divergence once more.
    has_process: bool,
    /// Which strings of the suite are put to it.
    sample: Sample,
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
            has_process: subject.digest().is_some(),
            sample: Sample::ALL,
            stopped: &|| false,
        }
    }

    /// The same, but it calls the subject no more than it must once the run should stop.
    #[must_use]
    pub fn until(self, stopped: Stopped<'a>) -> Questioner<'a> {
        Questioner { stopped, ..self }
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

    /// The rule that the subject parses.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// What is to be said of a string by whether the subject accepts it; `None` if that is not enough.
    #[inline]
    fn settled(&self, text: &str, valid: bool, accepted: Option<bool>) -> Option<BriefVerdict> {
        let of_kind = |kind| Some(BriefVerdict::Diverges(Difference::of_kind(kind)));
        match (valid, accepted?) {
            (true, true) => (self.depth == Depth::Acceptance).then_some(BriefVerdict::Agrees),
            (true, false) => of_kind(DifferenceKind::RejectedValid),
            (false, _) if self.ascii_only && !text.is_ascii() => None,
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
        if self.ascii_only {
            compare(declaration, &self.input(text), expected, observed)
        } else {
            compare_exactly(declaration, expected, observed)
        }
    }
}

/// A part of a suite on its way to a subject, and what came of it so far.
pub struct PartRun<'q> {
    questioner: &'q Questioner<'q>,
    /// The place of its first string in the suite.
    begin: u128,
    /// The place of the next string.
    place: u128,
    /// What came of its strings.
    pub score: Score,
}

impl PartRun<'_> {
    /// Whether the run is to stop.
    pub(super) fn is_cut(&mut self) -> bool {
        self.questioner.cuts(&mut self.score)
    }

    /// How many strings were put or left out.
    pub(super) fn done(&self) -> u64 {
        (self.place - self.begin) as u64
    }

    /// Puts the next string, if it is within the budget; `valid` is whether it matches, `expected` what is expected of it then, if that
    /// is known already. Returns whether the subject accepted it.
    pub fn put(&mut self, text: &str, valid: bool, expected: Option<&Expected>) -> bool {
        let prefix = Prefix::default();
        let put = ask::guarded(|guard| self.put_under(guard, prefix, text, valid, expected));
        put.unwrap_or_else(|crash| self.put_crashing(text, valid, crash))
    }

    /// As [`put`](PartRun::put), under a guard that may be one for many strings, and where these begin alike. If the subject panics, so does
    /// this, and the score is as before: then the string is to be [put again](PartRun::put_crashing).
    #[inline]
    pub(super) fn put_under(
        &mut self,
        guard: &Guard,
        prefix: Prefix,
        text: &str,
        valid: bool,
        expected: Option<&Expected>,
    ) -> bool {
        let questioner = self.questioner;
        // A process may take its time.
        if questioner.has_process && self.is_cut() {
            return false;
        }
        let is_put = questioner.sample.takes(self.place);
        self.place += 1;
        if !is_put {
            self.score.counts(valid).left_out += 1;
            return false;
        }
        if questioner.has_process {
            return self.put_to_process(text, valid, expected);
        }
        let (accepted, seen) = match (valid, expected) {
            (true, None) if questioner.knows_components => questioner.sees_components(guard, prefix, text),
            _ => {
                let accepted = guard.call(|| questioner.subject.accepts(questioner.rule, text));
                let reports_expected =
                    || valid && expected.is_some_and(|expected| questioner.reports_expected(text, expected));
                let settled = questioner.settled(text, valid, accepted);
                (
                    accepted,
                    settled.or_else(|| reports_expected().then_some(BriefVerdict::Agrees)),
                )
            }
        };
        if matches!(seen, Some(BriefVerdict::Agrees)) {
            self.score.agree(text, valid);
        } else {
            self.look_closely(text, valid, (accepted, seen));
        }
        accepted == Some(true)
    }

    /// Puts a string at which the subject has panicked once more. It is not accepted.
    #[cold]
    pub(super) fn put_crashing(&mut self, text: &str, valid: bool, crash: Crash) -> bool {
        let diverged = self.score.diverge();
        let agreed = self.score.valid.agree + self.score.invalid.agree;
        self.look_closely(text, valid, (None, None));
        if self.score.diverge() == diverged && self.score.valid.agree + self.score.invalid.agree > agreed {
            self.questioner.retract(text, valid, crash.into_outcome(), &mut self.score);
        }
        false
    }

    /// Puts a string to a subject with a process of its own, and a divergence once more at once: it counts as one either way, and
    /// is kept if it does not repeat. Returns whether the subject accepted the string.
    fn put_to_process(&mut self, text: &str, valid: bool, expected: Option<&Expected>) -> bool {
        let questioner = self.questioner;
        let (observed, verdict) = questioner.judge(text, valid, expected);
        let accepted = observed.is_accepted();
        if matches!(verdict, Verdict::Agree { .. }) {
            self.score.keep(text);
        }
        if let Some(difference) = self.score.count(valid, verdict) {
            // What came before is forgotten when the process is started again.
            let of_dead = accepted.is_none().then(|| questioner.before(text, 0));
            let (again, verdict) = questioner.judge(text, valid, expected);
            if matches!(verdict, Verdict::Agree { .. }) {
                let before = of_dead.unwrap_or_else(|| questioner.before(text, 1));
                self.score.suspect(questioner.suspect(text, observed, again, before));
            } else {
                let state = questioner.machine.machine().run(text.as_bytes());
                self.score.cluster((questioner.pair(text, state, accepted), difference), 1, text, || {
                    observed
                });
            }
        }
        accepted == Some(true)
    }

    #[cold]
    fn look_closely(&mut self, text: &str, valid: bool, (accepted, seen): (Option<bool>, Option<BriefVerdict>)) {
        let questioner = self.questioner;
        let state = questioner.machine.machine().run(text.as_bytes());
        let (observed, verdict) = match seen.or_else(|| questioner.settled(text, valid, accepted)) {
            Some(BriefVerdict::Diverges(difference)) => (None, Verdict::Diverge(difference)),
            _ => {
                let (observed, verdict) = questioner.judge(text, valid, None);
                (Some(observed), verdict)
            }
        };
        if matches!(verdict, Verdict::Agree { .. }) {
            self.score.agree(text, valid);
        } else if let Some(difference) = self.score.count(valid, verdict) {
            let observed = || observed.unwrap_or_else(|| parse(questioner.subject, questioner.rule, text));
            self.score.cluster((questioner.pair(text, state, accepted), difference), 1, text, observed);
        }
    }
}
