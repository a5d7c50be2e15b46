//! Puts a part of a suite to a subject, string by string.

use uriproof::ask::{self, Crash, Guard, parse};
use uriproof::compare::{BriefVerdict, Verdict};
use uriproof::expect::Expected;
use uriproof::screen::Prefix;

use super::{Questioner, Score};

/// A part of a suite on its way to a subject, and what came of it so far.
pub struct PartRun<'q> {
    pub(super) questioner: &'q Questioner<'q>,
    /// The place of its first string in the suite.
    pub(super) begin: u128,
    /// The place of the next string.
    pub(super) place: u128,
    /// What came of its strings.
    pub score: Score,
}

impl PartRun<'_> {
    /// Whether the run is to stop.
    pub(crate) fn is_cut(&mut self) -> bool {
        self.questioner.cuts(&mut self.score)
    }

    /// How many strings were put or left out.
    pub(crate) fn done(&self) -> u64 {
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
    pub(crate) fn put_under(
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
    pub(crate) fn put_crashing(&mut self, text: &str, valid: bool, crash: Crash) -> bool {
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
            let pair = (questioner.pair(text, state, accepted), difference);
            if questioner.predictor.is_some() {
                let observed = observed();
                questioner.count_prediction(text, &observed, &mut self.score);
                self.score.cluster(pair, 1, text, || observed);
            } else {
                self.score.cluster(pair, 1, text, observed);
            }
        }
    }
}
