//! The answers of a subject as the outputs of a machine.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use uriproof::ask;
use uriproof::compare::own_rule;
use uriproof::gate::Claim;
use uriproof::model::{Input, Outcome, Rule, Subject, Value};
use uriproof_deviations::url_rules::by_whatwg;
use uriproof_grammar::Machine;
use uriproof_grammar::learn::{ACCEPTED_ALONE, CRASHED, Oracle, REJECTED_ALONE, TIMED_OUT};

use super::What;
use crate::exposed::{ACCEPTED, observed_mask, visible};
use crate::score::Stopped;

/// What a subject answers, as an output.
pub(super) struct SubjectOutputs<'a> {
    pub(super) subject: &'a dyn Subject,
    pub(super) rule: Rule,
    /// The components that are visible, if they are learned.
    visible: Option<u32>,
    /// Whether each question is put to a process: then it is put once, whatever comes of it.
    pub(super) has_process: bool,
    /// What is expected of a string.
    target: &'a Machine,
    /// Why answers were not compared, and how many for each reason.
    not_compared: Mutex<BTreeMap<String, u64>>,
    pub(super) stopped: Stopped<'a>,
}

impl<'a> SubjectOutputs<'a> {
    /// The answers of a subject that is measured by this machine.
    pub(super) fn of(
        subject: &'a dyn Subject,
        what: What,
        target: &'a Machine,
        stopped: Stopped<'a>,
    ) -> SubjectOutputs<'a> {
        let declaration = subject.declaration();
        SubjectOutputs {
            subject,
            rule: own_rule(declaration),
            visible: (what == What::Components).then(|| visible(declaration)),
            has_process: subject.digest().is_some(),
            target,
            not_compared: Mutex::default(),
            stopped,
        }
    }

    /// Why answers were not compared, and how many for each reason.
    pub(super) fn not_compared(self) -> BTreeMap<String, u64> {
        self.not_compared.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The output that counts for an outcome.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub(super) fn counted(&self, text: &str, outcome: Outcome) -> Result<u32, String> {
        self.read(outcome).map(|output| self.by_claim(text, output))
    }

    fn read(&self, outcome: Outcome) -> Result<u32, String> {
        match (outcome, self.visible) {
            (
                Outcome::Accepted {
                    value: Value::Components(observed),
                },
                Some(visible),
            ) => Ok(observed_mask(&observed) & visible),
            (Outcome::Accepted { .. }, _) => Ok(ACCEPTED),
            (Outcome::Rejected { .. }, _) => Ok(0),
            (Outcome::Crashed { .. }, _) => Ok(CRASHED),
            (Outcome::TimedOut { .. }, _) => Ok(TIMED_OUT),
            (Outcome::Unsupported { reason }, _) => Err(reason),
        }
    }

    /// The output, or, of a string that the subject's claim excludes, the expected one: there only a death differs. By the URL Standard
    /// it is the expected one where the subject accepts and rejects as the standard does.
    fn by_claim(&self, text: &str, output: u32) -> u32 {
        let Some(claim) = self.subject.declaration().claim.filter(|_| !matches!(output, CRASHED | TIMED_OUT)) else {
            return output;
        };
        let expected = || self.target.output(self.target.run(text.as_bytes()));
        if claim == Claim::Whatwg {
            return match (output != 0, by_whatwg(text).is_some()) {
                (true, false) => ACCEPTED_ALONE,
                (false, true) => REJECTED_ALONE,
                _ => expected(),
            };
        }
        let input = Input::Parse {
            rule: self.rule,
            input: text.to_owned(),
        };
        let Some(reason) = claim.excludes(&input) else {
            return output;
        };
        *self.not_compared.lock().unwrap_or_else(PoisonError::into_inner).entry(reason).or_default() += 1;
        expected()
    }
}

impl Oracle for SubjectOutputs<'_> {
    fn output(&self, input: &str) -> Result<u32, String> {
        if self.visible.is_none()
            && !self.has_process
            && let Some(accepted) = ask::accepts(self.subject, self.rule, input)
        {
            return Ok(self.by_claim(input, u32::from(accepted)));
        }
        self.counted(input, ask::parse(self.subject, self.rule, input))
    }

    fn is_stopped(&self) -> bool {
        (self.stopped)()
    }
}
