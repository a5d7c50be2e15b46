//! The learner: asks equivalence queries until none changes the hypothesis.

use super::learned::LearnedDifference;
use super::limits::{self, FoundLimits};
use super::tree::{Hypothesis, Questions};
use super::words::{self, RandomEdits};
use super::{Options, Purpose, Stop};
use crate::complete::{Method, Suites};
use crate::difference::output_differences;
use crate::machine::{Alphabet, Machine};

/// How many codes the words of one batch have at most.
const BATCH_CODES: usize = 1 << 21;

/// One word of so many is queried twice.
const REPEATED: usize = 64;

pub(super) struct Learner<'a> {
    pub(super) target: &'a Machine,
    pub(super) questions: Questions<'a>,
    pub(super) hypothesis: Hypothesis,
    pub(super) limits: FoundLimits,
    pub(super) options: &'a Options,
    pub(super) random: RandomEdits,
    pub(super) rounds: usize,
}

impl Learner<'_> {
    pub(super) fn learn(&mut self) -> Result<(), Stop> {
        self.hypothesis.seed(self.target, &mut self.questions)?;
        let target = self.target;
        let of_target = Suites::new(target);
        let given: Vec<Vec<u8>> =
            self.options.given.iter().map(|text| self.questions.characters.encode(text)).collect();
        let values: Vec<Vec<u8>> = limits::values().iter().map(|text| self.questions.characters.encode(text)).collect();
        let mut changed = true;
        while changed {
            self.rounds += 1;
            changed = false;
            changed |= self.consistency()?;
            changed |= self.put(Purpose::Given, given.iter().cloned())?;
            let suite = of_target.suite(Method::Hsi(0), Alphabet::Representatives);
            changed |= self.put(Purpose::TargetSuite, suite)?;
            changed |= self.put(Purpose::Values, values.iter().cloned())?;
            changed |= self.own_suite(0)?;
            changed |= self.sweep()?;
            let edits: Vec<_> = self.random.by_ref().take(self.options.random_edits).collect();
            changed |= self.put(Purpose::RandomEdits, edits.into_iter())?;
            changed |= self.consistency()?;
            changed |= self.witnesses()?;
            // The costliest comes when nothing else finds anything.
            if !changed && self.options.extra_states > 0 {
                changed = self.own_suite(self.options.extra_states)?;
            }
        }
        Ok(())
    }

    fn consistency(&mut self) -> Result<bool, Stop> {
        let mut changed = false;
        while self.put(Purpose::Consistency, self.hypothesis.words().into_iter())? {
            changed = true;
        }
        Ok(changed)
    }

    /// The hypothesis' own HSI suite.
    fn own_suite(&mut self, extra: usize) -> Result<bool, Stop> {
        let machine = self.hypothesis.machine();
        if extra == 0 && machine == *self.target {
            // It is the target's.
            return Ok(false);
        }
        let suites = Suites::new(&machine);
        self.put(
            Purpose::OwnSuite,
            suites.suite(Method::Hsi(extra), Alphabet::Representatives),
        )
    }

    fn sweep(&mut self) -> Result<bool, Stop> {
        let machine = self.hypothesis.machine();
        let suites = Suites::new(&machine);
        let codes = self.questions.characters.codes();
        let changed = self.put(Purpose::Sweep, words::sweep(&machine, &suites, codes))?;
        Ok(self.put(Purpose::Pumped, words::pumped(&machine, &suites, self.target))? || changed)
    }

    /// Queries the witness of every difference that the hypothesis claims.
    fn witnesses(&mut self) -> Result<bool, Stop> {
        let machine = self.hypothesis.machine();
        let witnesses = output_differences(self.target, &machine).map(|difference| difference.witness);
        self.put(Purpose::Witnesses, witnesses)
    }

    /// Equivalence queries: tries words, and learns from those that are not answered as predicted. Whether there were any.
    fn put(&mut self, purpose: Purpose, mut words: impl Iterator<Item = Vec<u8>>) -> Result<bool, Stop> {
        let mut changed = false;
        loop {
            let (mut batch, mut codes) = (Vec::new(), 0);
            while batch.len() < self.options.batch.max(1) && codes < BATCH_CODES {
                let Some(word) = words.next() else { break };
                if self.is_within(&word) {
                    codes += word.len();
                    batch.push(word);
                }
            }
            if batch.is_empty() {
                return Ok(changed);
            }
            self.questions.counts[purpose as usize] += batch.len() as u64;
            let taken = self.take(&batch);
            if matches!(taken, Err(Stop::Interrupted { .. })) {
                // Some of the words were not queried.
                self.questions.counts[purpose as usize] -= batch.len() as u64;
            }
            changed |= taken?;
            self.questions.within_budget()?;
        }
    }

    fn take(&mut self, batch: &[Vec<u8>]) -> Result<bool, Stop> {
        let answers = self.answers(batch)?;
        for (word, &(answer, _)) in batch.iter().zip(&answers).step_by(REPEATED) {
            let again = self.questions.ask(Purpose::Repeated, word)?;
            if again != answer {
                return Err(self.questions.inconsistent(word, answer, again));
            }
        }
        let mut changed = false;
        for (word, (answer, is_predicted)) in batch.iter().zip(answers) {
            // What was predicted may no longer be, once something has changed.
            if if changed {
                self.hypothesis.predict(word) == answer
            } else {
                is_predicted
            } {
                continue;
            }
            let Learner {
                hypothesis,
                questions,
                limits,
                ..
            } = self;
            let characters = questions.characters.clone();
            let within = |word: &[u8]| limits.found.is_empty() || limits.contain(&characters.decode(word));
            hypothesis.refine(word, answer, &within, questions)?;
            changed = true;
        }
        Ok(changed)
    }

    /// For every word its answer, and whether it is predicted.
    ///
    /// # Errors
    ///
    /// The oracle does not answer the first of the words that it does not answer.
    fn answers(&self, batch: &[Vec<u8>]) -> Result<Vec<(u32, bool)>, Stop> {
        let part = |words: &[Vec<u8>]| -> Result<Vec<(u32, bool)>, Stop> {
            let mut text = String::new();
            let answer = |word: &Vec<u8>| {
                self.questions.check_stopped()?;
                self.questions.characters.decode_into(word, &mut text);
                match self.questions.oracle.output(&text) {
                    Ok(answer) => Ok((answer, self.hypothesis.predict(word) == answer)),
                    Err(reason) => Err(Stop::Unanswered {
                        witness: text.clone(),
                        reason,
                    }),
                }
            };
            words.iter().map(answer).collect()
        };
        let size = batch.len().div_ceil(self.options.threads.max(1)).max(64);
        let (first, rest) = batch.split_at(size.min(batch.len()));
        std::thread::scope(|scope| {
            let threads: Vec<_> = rest.chunks(size).map(|words| scope.spawn(|| part(words))).collect();
            let mut parts = vec![part(first)];
            for thread in threads {
                parts.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            Ok(parts.into_iter().collect::<Result<Vec<_>, Stop>>()?.concat())
        })
    }

    fn is_within(&self, word: &[u8]) -> bool {
        self.limits.found.is_empty() || self.limits.contain(&self.questions.characters.decode(word))
    }

    /// The differences that the oracle confirms.
    ///
    /// # Errors
    ///
    /// The oracle does not answer, or it does not confirm what it has answered before.
    pub(super) fn differences(
        &mut self,
        machine: &Machine,
        stopped: Option<&Stop>,
    ) -> Result<Vec<LearnedDifference>, Stop> {
        let mut differences = Vec::new();
        // Of a subject that does not answer, or not the same each time, no answer says anything.
        // An interrupted learner makes no more queries.
        if matches!(
            stopped,
            Some(Stop::NotDeterministic { .. } | Stop::Unanswered { .. } | Stop::Interrupted { .. })
        ) {
            return Ok(differences);
        }
        let alive = [words::alive(self.target), words::alive(machine)];
        for difference in output_differences(self.target, machine) {
            let word = difference.witness;
            let expected = self.target.output(difference.left);
            if !self.is_within(&word) {
                continue;
            }
            let observed = self.questions.ask(Purpose::Witnesses, &word)?;
            let predicted = machine.output(difference.right);
            // A machine that was learned to the end predicts what was answered.
            if stopped.is_none() && observed != predicted {
                return Err(self.questions.inconsistent(&word, predicted, observed));
            }
            if observed == expected {
                continue;
            }
            let (mut target, mut learned) = (0, 0);
            let parting = word.iter().position(|&code| {
                target = self.target.step(target, code);
                learned = machine.step(learned, code);
                alive[0][target as usize] != alive[1][learned as usize]
            });
            differences.push(LearnedDifference {
                target: difference.left,
                learned: difference.right,
                expected,
                observed,
                parting: parting.or(word.len().checked_sub(1)),
                witness: self.questions.characters.decode(&word),
            });
        }
        Ok(differences)
    }
}
