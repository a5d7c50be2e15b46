//! Planted bugs that act only where their subject diverges already: what notices them are profiles and stored answers.

use std::time::Duration;

use rayon::ThreadPoolBuilder;
use uriproof::model::Subject;
use uriproof_cli::measured::subjects::MeasuredCrates;
use uriproof_lab::answers::AnswerSample;
use uriproof_lab::dictionary::Dictionary;
use uriproof_lab::divergence::ledger::Ledger;
use uriproof_lab::hunt::{BATCH, Batch, Hunt};
use uriproof_lab::predict::Predictors;

use super::{BATCHES, DiscoveryTimes, Engine, SEEDS, cell};
use crate::bugs::{self, Bug, Buggy};
use crate::clock::of_thread;
use crate::table::BenchmarkSheet;

/// A masked bug in its subject.
pub(super) struct Masked {
    bug: &'static Bug,
    subject: Buggy,
    /// Whether the profile of the subject is whole in the operation of the bug.
    is_reached: bool,
}

impl Masked {
    /// What it does.
    pub(super) fn name(&self) -> &'static str {
        self.bug.name
    }
}

/// Every so many-th masked bug.
pub(super) fn bugs(every: usize) -> Vec<Masked> {
    let ledger = uriproof_cli::known::ledger();
    let masked = |bug: &'static Bug| {
        let subject = Buggy::with(vec![bug]);
        let file = ledger.file_of(subject.declaration());
        Masked {
            bug,
            is_reached: file.is_some_and(|file| file.predicted.contains(&bug.operation)),
            subject,
        }
    };
    bugs::bugs().into_iter().step_by(every).map(masked).collect()
}

/// `hunt` by the profiles: whole batches, until there is an answer that is not predicted. Where a profile does not reach the operation,
/// only a class could be news, and the search is left out.
pub(super) fn by_hunt_masked(bugs: &[Masked]) -> Engine<&Masked> {
    let ledger = uriproof_cli::known::ledger();
    let bugs: Vec<&Masked> = bugs.iter().filter(|bug| bug.is_reached).collect();
    Engine::of("hunt by profiles", &bugs, &SEEDS, |bug, seed| {
        let start = of_thread();
        is_hunted(bug, seed, &ledger).then(|| of_thread() - start)
    })
}

fn is_hunted(bug: &Masked, seed: u64, ledger: &Ledger) -> bool {
    let subjects: [&dyn Subject; 1] = [&bug.subject];
    let hunt = Hunt {
        subjects: &subjects,
        seed,
        every_input: false,
        dictionary: &Dictionary::default(),
        predictors: &Predictors::of(&subjects, ledger),
    };
    (0..BATCHES).any(|number| {
        let mut batch = Batch::default();
        hunt.classes(number, 0..BATCH, &mut batch);
        !batch.unpredicted.is_empty()
    })
}

/// The stored answers, with which `hunt` compares those of a built-in subject before it searches; the sample is made anew. It has one
/// seed, and is run as often as the search.
pub(super) fn by_stored_answers(bugs: &[Masked]) -> Engine<&Masked> {
    let stored = MeasuredCrates::embedded().answers();
    let bugs: Vec<&Masked> = bugs.iter().collect();
    Engine::of("stored answers", &bugs, &SEEDS, |bug, _| {
        // All of its work is on the thread whose time is taken.
        let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("there is a thread");
        pool.install(|| {
            let start = of_thread();
            let check = stored.check(&AnswerSample::default(), &[&bug.subject]);
            (!check.is_clean()).then(|| of_thread() - start)
        })
    })
}

/// The shorter of the two times of each bug, run by run.
pub(super) fn sooner<'b>(
    profiles: &Engine<&'b Masked>,
    answers: &Engine<&'b Masked>,
) -> Vec<(&'b Masked, DiscoveryTimes)> {
    let sooner = |(bug, stored): &(&'b Masked, DiscoveryTimes)| {
        let hunted = times_of(profiles, bug);
        let at = |(run, stored): (usize, &Option<Duration>)| {
            let hunted = hunted.and_then(|times| times[run]);
            [hunted, *stored].into_iter().flatten().min()
        };
        (*bug, stored.iter().enumerate().map(at).collect())
    };
    answers.bugs.iter().map(sooner).collect()
}

fn times_of<'e>(engine: &'e Engine<&Masked>, bug: &Masked) -> Option<&'e DiscoveryTimes> {
    let is_it = |other: &&Masked| std::ptr::eq(*other, bug);
    engine.bugs.iter().find(|(other, _)| is_it(other)).map(|(_, times)| times)
}

/// Bug by bug.
pub(super) fn add_table(
    sheet: &mut BenchmarkSheet,
    bugs: &[Masked],
    profiles: &Engine<&Masked>,
    answers: &Engine<&Masked>,
) {
    sheet.sections.paragraph(&format!(
        "The same of {} bugs that act only where their subject diverges already ([`tests/it/answers/bugs`](tests/it/answers/bugs)). \
         Each hunt of built-in subjects begins with the stored answers to a fixed sample; an empty cell is an operation that no \
         profile reaches. To know where to act, the planted bug judges each answer that it changes a second time, which is in the times.",
        bugs.len()
    ));
    let row = |bug: &Masked| {
        let of_engine = |engine| times_of(engine, bug).map(cell).unwrap_or_default();
        vec![
            format!("{}: {}", bug.bug.subject, bug.bug.name),
            bug.bug.operation.to_string(),
            of_engine(profiles),
            of_engine(answers),
        ]
    };
    let mut sorted: Vec<&Masked> = bugs.iter().collect();
    sorted.sort_by_key(|one| (one.bug.operation, one.bug.subject));
    sheet.sections.table(
        &["masked bug", "operation", profiles.name, answers.name],
        sorted.into_iter().map(row),
    );
}
