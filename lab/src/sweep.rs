//! Every string up to a length, over one character of each class of the subject's own rule.
//!
//! The strings that a machine accepts can be counted without making them. A subject that accepts as many of each length,
//! and none that the machine does not accept, agrees on all of them: a certificate by counting.

pub mod whatwg;

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use uriproof::ask;
use uriproof::compare::{Difference, own_rule};
use uriproof::model::Subject;
use uriproof::run::Counts;
use uriproof::screen::{self, Prefix};
use uriproof_grammar::{State, TextMachine};

use super::complete::{Certificate, MachineName, assumptions, class_map};
use super::machines::Machines;
use super::predict::{Predictor, hash_of};
use super::score::{
    Cluster, Depth, PartRun, PredictionCounts, Questioner, Score, StatePair, Stopped, Suspect, is_ascii_only,
};

/// How many characters the strings of a unit have in common.
const PREFIX: usize = 3;

/// How many units are put at a time, at least; between them a sweep can be stopped.
const WAVE: usize = 128;

/// Of short units, as many as have so many strings: at the end of a wave all threads wait for the slowest.
const WAVE_OF_STRINGS: u128 = 1 << 17;

/// A sweep that may be stopped, stored and gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// What is swept: a stored sweep goes on only if this is the same.
    pub plan: SweepPlan,
    /// The next unit. A unit is all strings with the same first characters; the shorter strings are the first unit.
    next: usize,
    /// How many strings the subject has accepted, by length from 0.
    pub accepted: Vec<u64>,
    valid: Counts,
    invalid: Counts,
    not_compared: Vec<(String, u64)>,
    clusters: Vec<(StatePair, Difference, Cluster)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unrepeated: Vec<Suspect>,
    /// Some of the strings that the subject agreed on: put again before the sweep goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agreed: Vec<String>,
    /// How the divergences stand to the profile of the subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    predictions: Option<PredictionCounts>,
    /// What came of strings behind those of the units before the next, if the sweep was stopped: shown, and not stored.
    #[serde(skip)]
    beyond: Option<Score>,
}

/// What came of some units in a row.
struct Wave {
    /// How many of them, from the first on, were put to their ends.
    units: usize,
    /// How many of their strings the subject accepted, by length from 0.
    accepted: Vec<u64>,
    score: Score,
    /// What came of the other units, if the sweep was stopped.
    beyond: Option<Score>,
}

impl Wave {
    /// Both as one, of which the other is behind this.
    fn join(mut self, other: Wave) -> Wave {
        match self.beyond.take() {
            None => {
                for (count, other) in self.accepted.iter_mut().zip(other.accepted) {
                    *count += other;
                }
                self.units += other.units;
                self.score = self.score.merge(other.score);
                self.beyond = other.beyond;
            }
            Some(beyond) => {
                self.beyond = Some(beyond.merge(other.score).merge(other.beyond.unwrap_or_default()));
            }
        }
        self
    }
}

/// What is swept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepPlan {
    /// The label of the subject.
    pub subject: String,
    /// The version of uriproof: the code that calls a subject may change with it.
    pub version: String,
    /// What tells its program apart from others with the same label; `None` if it is part of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The language of the machine.
    pub language: String,
    /// The hash of the machine, in sixteen hexadecimal digits.
    pub machine: String,
    /// The longest strings.
    pub longest: usize,
    /// How closely the subject is looked at.
    pub depth: Depth,
    /// The hash of the profile that predicts its divergences; `None` if no profile does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
}

impl SweepPlan {
    /// The plan of sweeping a subject.
    pub fn of(
        subject: &dyn Subject,
        machines: &Machines,
        (longest, depth): (usize, Depth),
        predictor: Option<&Predictor>,
    ) -> SweepPlan {
        let declaration = subject.declaration();
        SweepPlan {
            subject: declaration.label(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            digest: subject.digest(),
            language: machines.language(),
            machine: MachineName::from(machines.text(own_rule(declaration)).machine()).hash,
            longest,
            depth,
            profile: predictor.map(|predictor| hash_of(predictor.profile())),
        }
    }

    /// Whether both plan the same, of programs with the same label that are not the same, or through other versions of uriproof.
    pub fn is_of_another_program(&self, other: &SweepPlan) -> bool {
        let here = SweepPlan {
            version: other.version.clone(),
            digest: other.digest.clone(),
            profile: other.profile.clone(),
            ..self.clone()
        };
        self != other && here == *other
    }
}

impl Sweep {
    /// A sweep that has not begun.
    pub fn new(plan: SweepPlan) -> Sweep {
        Sweep {
            accepted: vec![0; plan.longest + 1],
            plan,
            next: 0,
            valid: Counts::default(),
            invalid: Counts::default(),
            not_compared: Vec::new(),
            clusters: Vec::new(),
            unrepeated: Vec::new(),
            agreed: Vec::new(),
            predictions: None,
            beyond: None,
        }
    }

    /// Checks a sweep that was stored: whether what is there can have come of this plan.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check(&self, machines: &Machines, subject: &dyn Subject) -> Result<(), String> {
        let units = self.units(machines, subject);
        if self.next > units || self.accepted.len() != self.plan.longest + 1 {
            return Err(format!(
                "of {}: {} units and {} counts cannot be",
                self.plan.subject,
                self.next,
                self.accepted.len()
            ));
        }
        let counted: u64 = self.accepted.iter().sum();
        let seen = self.score().answers() + self.score().left_out();
        if counted > self.score().answers() || u128::from(seen) > self.strings(machines, subject) {
            return Err(format!("of {}: its counts contradict each other", self.plan.subject));
        }
        Ok(())
    }

    /// Whether everything was put to the subject.
    pub fn is_done(&self, machines: &Machines, subject: &dyn Subject) -> bool {
        self.next >= self.units(machines, subject)
    }

    /// How many units there are.
    fn units(&self, machines: &Machines, subject: &dyn Subject) -> usize {
        let classes = machines.text(own_rule(subject.declaration())).machine().classes();
        1 + classes.pow(PREFIX.min(self.plan.longest) as u32)
    }

    /// What came of all strings that were put, those included with which the sweep goes on.
    pub fn seen(&self) -> Score {
        self.score().merge(self.beyond.clone().unwrap_or_default())
    }

    /// What came of the strings so far, without those with which the sweep goes on.
    pub fn score(&self) -> Score {
        let mut score = Score {
            valid: self.valid,
            invalid: self.invalid,
            not_compared: self.not_compared.iter().cloned().collect(),
            clusters: self
                .clusters
                .iter()
                .map(|(pair, difference, cluster)| ((*pair, *difference), cluster.clone()))
                .collect(),
            unrepeated: self.unrepeated.clone(),
            agreed: BTreeMap::new(),
            predictions: self.predictions.clone(),
            is_cut: false,
        };
        for text in &self.agreed {
            score.keep(text);
        }
        score
    }

    fn store(&mut self, score: Score) {
        self.valid = score.valid;
        self.invalid = score.invalid;
        self.not_compared = score.not_compared.into_iter().collect();
        self.clusters =
            score.clusters.into_iter().map(|((pair, difference), cluster)| (pair, difference, cluster)).collect();
        self.unrepeated = score.unrepeated;
        self.agreed = score.agreed.into_values().collect();
        self.predictions = score.predictions;
    }

    /// Puts again what the sweep rests on: see [`Questioner::put_again`]. Returns whether all of it was.
    pub fn put_again(&mut self, machines: &Machines, subject: &dyn Subject, stopped: Stopped<'_>) -> bool {
        let mut score = self.score();
        Questioner::new(subject, machines, self.plan.depth).until(stopped).put_again(&mut score);
        let is_whole = !score.is_cut;
        self.store(score);
        is_whole
    }

    /// Whether the subject is the one that was swept, as far as a sample says.
    ///
    /// # Errors
    ///
    /// As [`Questioner::confirm`].
    pub fn confirm(&self, machines: &Machines, subject: &dyn Subject, stopped: Stopped<'_>) -> Result<(), String> {
        Questioner::new(subject, machines, self.plan.depth).until(stopped).confirm(&self.score())
    }

    /// How many strings there are in all.
    pub fn strings(&self, machines: &Machines, subject: &dyn Subject) -> u128 {
        let classes = machines.text(own_rule(subject.declaration())).machine().classes();
        count_up_to(classes as u128, self.plan.longest)
    }

    /// Puts the strings of the next units to the subject, on all cores, within its budget. Returns whether there are more. If it is
    /// `stopped`, it goes on behind the last unit before which all were put to their ends.
    ///
    /// `progress` gets the number of strings run since its last call. The predictor is that of the plan.
    pub fn go_on(
        &mut self,
        machines: &Machines,
        (subject, predictor): (&dyn Subject, Option<&Predictor>),
        progress: impl Fn(u64) + Sync,
        stopped: Stopped<'_>,
    ) -> bool {
        screen::ready();
        let questioner = Questioner::new(subject, machines, self.plan.depth)
            .until(stopped)
            .with_profile(predictor)
            .within_budget(|| self.strings(machines, subject));
        let text = machines.text(questioner.rule());
        let classes = text.machine().classes();
        let prefix = PREFIX.min(self.plan.longest);
        let units = self.units(machines, subject);
        let up_to = |longest: usize| count_up_to(classes as u128, longest);
        // Units but the first are alike: what is as long as the prefix, or longer.
        let (first_unit, unit_size) = match prefix.checked_sub(1) {
            Some(shorter) => (up_to(shorter), up_to(self.plan.longest - prefix)),
            None => (0, 1),
        };
        let of_strings = usize::try_from(WAVE_OF_STRINGS / unit_size).unwrap_or(WAVE);
        let wave: Vec<usize> = (self.next..units).take(WAVE.max(of_strings)).collect();
        let swept = |&unit: &usize| {
            let machine = text.machine();
            let mut strings = SweepStrings {
                part: questioner.part(match unit.checked_sub(1) {
                    None => 0,
                    Some(before) => first_unit.saturating_add(unit_size.saturating_mul(before as u128)),
                }),
                text,
                characters: machine.representatives().iter().map(|&symbol| (symbol, text.character(symbol))).collect(),
                string: String::new(),
                accepted: vec![0; self.plan.longest + 1],
            };
            strings.sweep_unit(unit, prefix, self.plan.longest);
            progress(strings.part.done());
            // What was put last may not have been looked at closely.
            let is_cut = strings.part.is_cut();
            Wave {
                units: usize::from(!is_cut),
                accepted: if is_cut {
                    vec![0; strings.accepted.len()]
                } else {
                    strings.accepted
                },
                beyond: is_cut.then(|| std::mem::take(&mut strings.part.score)),
                score: strings.part.score,
            }
        };
        // Threads take from each other only what is not begun: a unit at a time, lest one waits for the other at the end.
        let none = || Wave {
            units: 0,
            accepted: vec![0; self.plan.longest + 1],
            score: Score::default(),
            beyond: None,
        };
        let wave = questioner.in_order(|| wave.par_iter().with_max_len(1).map(swept).reduce(none, Wave::join));
        for (count, new) in self.accepted.iter_mut().zip(wave.accepted) {
            *count += new;
        }
        let score = self.score().merge(questioner.explain(wave.score));
        self.store(score);
        self.beyond = wave.beyond.map(|score| questioner.explain(score));
        self.next += wave.units;
        self.next < units
    }

    /// What a finished sweep proves: nothing, unless everything was compared and agreed, and as many strings of each
    /// length were accepted as the machine has.
    pub fn certificate(&self, machines: &Machines, subject: &dyn Subject) -> Option<Certificate> {
        let score = self.score();
        let rule = own_rule(subject.declaration());
        let text = machines.text(rule);
        let counts = self.machine_counts(text);
        let as_many = counts.iter().zip(&self.accepted).all(|(own, accepted)| *own == u128::from(*accepted));
        let is_whole = u128::from(score.answers()) == self.strings(machines, subject);
        (score.is_clean() && as_many && is_whole).then(|| Certificate {
            rule: rule.name(),
            language: machines.language(),
            method: format!(
                "every string of up to {} characters, over one character of each class",
                self.plan.longest
            ),
            strings: score.answers(),
            machine: text.machine().into(),
            classes: class_map(text, is_ascii_only(machines, subject.declaration())),
            proves: format!(
                "accepts {} strings, as many of each length as the machine counts, and no other",
                self.accepted.iter().sum::<u64>()
            ),
            assumes: assumptions(subject.declaration(), self.plan.depth),
            does_not_mean: vec!["anything of longer strings, or of the other characters of a class".to_owned()],
        })
    }

    /// How many strings of each length from 0 the machine accepts.
    pub fn machine_counts(&self, text: &TextMachine) -> Vec<u128> {
        text.accepted_per_length(self.plan.longest)
    }
}

/// How many strings of up to `longest` characters there are.
fn count_up_to(classes: u128, longest: usize) -> u128 {
    (0..=longest as u32).fold(0, |sum: u128, length| {
        sum.saturating_add(classes.saturating_pow(length))
    })
}

struct SweepStrings<'a> {
    part: PartRun<'a>,
    text: &'a TextMachine,
    /// A symbol of each class, and the character that it stands for.
    characters: Vec<(u8, char)>,
    string: String,
    accepted: Vec<u64>,
}

impl SweepStrings<'_> {
    /// Puts every string of a unit: those shorter than a prefix, or those of up to `longest` characters that begin with one prefix.
    fn sweep_unit(&mut self, unit: usize, prefix: usize, longest: usize) {
        let machine = self.text.machine();
        let Some(mut digits) = unit.checked_sub(1) else {
            if let Some(shorter) = prefix.checked_sub(1) {
                self.sweep(machine.start(), 0, shorter);
            }
            return;
        };
        let mut state = machine.start();
        for _ in 0..prefix {
            let (symbol, character) = self.characters[digits % machine.classes()];
            self.string.push(character);
            state = machine.step(state, symbol);
            digits /= machine.classes();
        }
        self.sweep(state, prefix, longest);
    }

    /// Puts the string of `length` characters, after which the machine is in `state`, and every string of up to `longest`
    /// characters that begins with it.
    fn sweep(&mut self, state: State, length: usize, longest: usize) {
        if self.part.is_cut() {
            return;
        }
        let valid = self.text.machine().output(state) != 0;
        if self.part.put(&self.string, valid, None) {
            self.accepted[length] += 1;
        }
        if length < longest {
            self.sweep_longer(state, length, longest);
        }
    }

    /// As [`sweep`](SweepStrings::sweep), but for the string itself.
    fn sweep_longer(&mut self, state: State, length: usize, longest: usize) {
        if length + 1 == longest {
            return self.sweep_longest(state, longest);
        }
        let machine = self.text.machine();
        let end = self.string.len();
        for at in 0..self.characters.len() {
            let (symbol, character) = self.characters[at];
            self.string.push(character);
            self.sweep(machine.step(state, symbol), length + 1, longest);
            self.string.truncate(end);
        }
    }

    /// Puts every string that is the string with one character more, which are of the longest, as most are: one guard is enough for
    /// them, until the subject panics.
    fn sweep_longest(&mut self, state: State, longest: usize) {
        if self.part.is_cut() {
            return;
        }
        let SweepStrings {
            part,
            text,
            characters,
            string,
            accepted,
        } = self;
        let machine = text.machine();
        let is_valid = |symbol| machine.output(machine.step(state, symbol)) != 0;
        let end = string.len();
        let prefix = Prefix::of(string);
        let mut characters = characters.iter().copied();
        while let Some(((symbol, _), crash)) = ask::each(&mut characters, |guard, (symbol, character)| {
            string.truncate(end);
            string.push(character);
            if part.put_under(guard, prefix, string, is_valid(symbol), None) {
                accepted[longest] += 1;
            }
        }) {
            part.put_crashing(string, is_valid(symbol), crash);
        }
        string.truncate(end);
    }
}
